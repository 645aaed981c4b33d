/* Files of the class's folder: read without following links, written whole or not at all. */
#include "class/class.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_read(const char *path, size_t most, size_t *length) {
    struct stat s;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *data = NULL;
    *length = 0;
    if (fd < 0) return NULL;
    if (fstat(fd, &s) == 0 && !S_ISREG(s.st_mode)) errno = EINVAL;
    if (S_ISREG(s.st_mode)) data = malloc((s.st_size < (off_t)most ? (size_t)s.st_size : most) + 1);
    const size_t room = data ? (s.st_size < (off_t)most ? (size_t)s.st_size : most) : 0;
    for (ssize_t n; *length < room && (n = read(fd, data + *length, room - *length)) > 0;) *length += (size_t)n;
    if (data) data[*length] = 0;
    const int why = errno;
    close(fd);
    errno = why;
    return data;
}
void folders_make(const char *path) {
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *s = part + 1; *s; s++)
        if (*s == '/') *s = 0, mkdir(part, 0777), *s = '/';
}
static bool write_all(int fd, const char *data, size_t length) {
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(fd, data + done, length - done);
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}
bool file_replace(const char *path, const char *data, size_t length, unsigned mode) {
    char beside[PATH_MAX + 8];
    size_t old;
    char *now = file_read(path, length + 1, &old);
    const bool same = now && old == length && !memcmp(now, data, length);
    free(now);
    if (same) return true;
    folders_make(path);
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    const int fd = mkstemp(beside);
    if (fd < 0) return false;
    bool ok = fchmod(fd, mode) == 0 && write_all(fd, data, length);
    ok = close(fd) == 0 && ok;
    if (ok && rename(beside, path) == 0) return true;
    const int why = errno;
    unlink(beside);
    errno = why;
    return false;
}
