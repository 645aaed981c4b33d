/* See file.h. */
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- reading -------------------------------------------------------------------------------- */
/* Reads up to `most` + 1 bytes, so that the caller can detect a longer file. `expected` is an estimate of the file's
 * size. */
static char *read_to_end(int fd, size_t expected, size_t most, size_t *length) {
    size_t room = (expected < most ? expected : most) + 1;
    char *data = malloc(room + 1);
    while (data && *length <= most) {
        if (*length == room) {
            room = room < most / 2 ? 2 * room : most + 1;
            char *more = realloc(data, room + 1);
            if (!more) break;
            data = more;
        }
        const ssize_t n = read(fd, data + *length, room - *length);
        if (n == 0) return data;
        if (n > 0)
            *length += (size_t)n;
        else if (errno != EINTR)
            break;
    }
    if (data && *length > most) return data;
    free(data);
    return NULL;
}
static char *read_plain(int fd, unsigned how, size_t most, size_t *length) {
    enum { LEAST = 4095 }; /* files in /proc report a size of 0 */
    struct stat s;
    if (fstat(fd, &s)) return NULL;
    if (!S_ISREG(s.st_mode)) return errno = EINVAL, NULL;
    char *data = read_to_end(fd, s.st_size > LEAST ? (size_t)s.st_size : LEAST, most, length);
    if (data && *length > most && !(how & FILE_CUT)) return free(data), errno = EFBIG, NULL;
    if (data && *length > most) *length = most;
    if (data) data[*length] = 0;
    return data;
}
char *file_read(const char *path, unsigned how, size_t most, size_t *length) {
    size_t own = 0;
    const int links = how & FILE_NO_LINK ? O_NOFOLLOW : 0;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | links);
    char *data = fd >= 0 ? read_plain(fd, how, most, &own) : NULL;
    const int why = errno;
    if (fd >= 0) close(fd);
    if (length) *length = data ? own : 0;
    errno = why;
    return data;
}
const char *file_why(int error) {
    switch (error) {
    case EINVAL: return "not a regular file";
    case EFBIG: return "too large";
    case ENOMEM: return "too large for this machine's memory";
    default: return strerror(error);
    }
}

/* ---- writing -------------------------------------------------------------------------------- */
static bool write_all(int fd, const char *data, size_t length) {
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(fd, data + done, length - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}
/* Writes (if `ok`) and closes the file. Keeps the errno of the first failure. */
static bool write_and_close(int fd, const void *data, size_t length, bool ok) {
    ok = ok && write_all(fd, data, length);
    const int why = errno;
    const bool closed = close(fd) == 0;
    if (!ok) errno = why;
    return ok && closed;
}
bool file_write(const char *path, const void *data, size_t length) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return fd >= 0 && write_and_close(fd, data, length, true);
}
static bool file_holds(const char *path, const void *data, size_t length) {
    size_t old;
    char *now = file_read(path, FILE_NO_LINK, length, &old);
    const bool same = now && old == length && !memcmp(now, data, length);
    free(now);
    return same;
}
/* Returns the error of the first folder that cannot be created, or 0. */
static int make_folders(const char *path, unsigned mode) {
    char part[PATH_MAX];
    int error = 0;
    snprintf(part, sizeof part, "%s", path);
    for (char *s = part + 1; *part && *s; s++) {
        if (*s != '/') continue;
        *s = 0;
        if (mkdir(part, mode) && errno != EEXIST && !error) error = errno;
        *s = '/';
    }
    return error;
}
void file_make_folders(const char *path, unsigned mode) { make_folders(path, mode); }
bool file_replace(const char *path, const void *data, size_t length, unsigned mode) {
    char beside[PATH_MAX + 8];
    if (file_holds(path, data, length)) return true;
    const int error = make_folders(path, 0777);
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    const int fd = mkstemp(beside);
    if (fd < 0 && errno == ENOENT && error) errno = error; /* why the folder is missing */
    if (fd < 0) return false;
    if (write_and_close(fd, data, length, fchmod(fd, mode) == 0) && rename(beside, path) == 0) return true;
    const int why = errno;
    unlink(beside);
    errno = why;
    return false;
}
void file_remove_folder(const char *path) {
    char *const roots[] = {(char *)path, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *e; tree && (e = fts_read(tree));)
        if (e->fts_info == FTS_D)
            (void)chmod(e->fts_path, 0700); /* the process that created the folder may have removed its permissions */
        else
            (void)remove(e->fts_path);
    if (tree) fts_close(tree);
}
static char temporaries[FILE_TEMPORARY] = "/tmp";
void file_temporaries(const char folder[FILE_TEMPORARY]) {
    snprintf(temporaries, sizeof temporaries, "%s", folder ? folder : "/tmp");
}
bool file_temporary(char path[FILE_TEMPORARY]) {
    const int n = snprintf(path, FILE_TEMPORARY, "%s/grade-%d-XXXXXX", temporaries, (int)getpid());
    if (n >= FILE_TEMPORARY) return errno = ENAMETOOLONG, false;
    return mkdtemp(path) != NULL;
}
void file_remove_abandoned(const char *where) {
    DIR *d = opendir(where);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[PATH_MAX];
        struct stat s;
        pid_t pid;
        if (fnmatch("grade-*-??????", e->d_name, 0) || sscanf(e->d_name, "grade-%d-", &pid) != 1) continue;
        if (pid <= 0 || !kill(pid, 0) || errno != ESRCH) continue;
        if (fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) || !S_ISDIR(s.st_mode)) continue;
        if (s.st_uid != geteuid() || time(NULL) - s.st_mtime < 3600) continue;
        snprintf(path, sizeof path, "%s/%s", where, e->d_name);
        file_remove_folder(path);
    }
    if (d) closedir(d);
}
