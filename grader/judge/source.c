/* See source.h. */
#include "judge/source.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    mode_t type;
    const char *name;
} kinds[] = {{S_IFLNK, "a symbolic link"}, {S_IFDIR, "a folder"}, {S_IFIFO, "a pipe (FIFO)"},
             {S_IFSOCK, "a socket"},       {S_IFCHR, "a device"}, {S_IFBLK, "a device"}};

static bool refused(mode_t mode, char *why, size_t size) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if ((mode & S_IFMT) == kinds[k].type)
            return snprintf(why, size, "is %s, and only a plain file is taken", kinds[k].name), true;
    return false;
}
/* False: `why` says why not. */
static bool read_to_end(int fd, size_t most, char *text, size_t *length, char *why, size_t size) {
    ssize_t n;
    *length = 0;
    while (*length <= most && (n = read(fd, text + *length, most + 1 - *length)) != 0) {
        if (n > 0)
            *length += (size_t)n;
        else if (errno != EINTR)
            return snprintf(why, size, "cannot be read: %s", strerror(errno)), false;
    }
    text[*length] = 0;
    if (*length > most) return snprintf(why, size, "is larger than %zu KiB", most >> 10), false;
    if (memchr(text, 0, *length)) return snprintf(why, size, "holds NUL bytes: it is not a text file"), false;
    return true;
}
char *source_read(const char *path, size_t most, char *why, size_t size) {
    struct stat s;
    size_t length;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) { /* a symbolic link and a socket cannot be opened, but can be named */
        const int error = errno;
        if (lstat(path, &s) || !refused(s.st_mode, why, size))
            snprintf(why, size, "cannot be read: %s", strerror(error));
        return NULL;
    }
    char *text = NULL;
    if (fstat(fd, &s))
        snprintf(why, size, "cannot be read: %s", strerror(errno));
    else if (refused(s.st_mode, why, size))
        ;
    else if ((uint64_t)s.st_size > most)
        snprintf(why, size, "is larger than %zu KiB", most >> 10);
    else if (!(text = malloc(most + 2)))
        snprintf(why, size, "cannot be read: out of memory");
    else if (!read_to_end(fd, most, text, &length, why, size))
        free(text), text = NULL;
    close(fd);
    return text;
}
