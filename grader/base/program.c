/* See program.h. */
#include "base/program.h"
#include "base/file.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static const char running[] = "/proc/self/exe";
static struct {
    char folder[FILE_TEMPORARY], file[FILE_TEMPORARY + 8];
    pid_t owner; /* process that removes the folder */
} copy;

void program_path(char *out, size_t size) {
    static const char deleted[] = " (deleted)"; /* Linux appends this to the path of a removed file */
    const ssize_t n = readlink(running, out, size - 1);
    out[n > 0 ? n : 0] = 0;
    char *end = strrchr(out, '/');
    end = end ? strstr(end, deleted) : NULL;
    if (end && !end[sizeof deleted - 1]) *end = 0;
}
static bool is_running(const char *path) {
    struct stat a, b;
    return !stat(running, &a) && !stat(path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
static void remove_copy(void) {
    if (copy.owner == getpid()) file_remove_folder(copy.folder);
}
static bool write_copy(const char *path) {
    struct stat s;
    off_t done = 0;
    const int from = open(running, O_RDONLY | O_CLOEXEC),
              to = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0500);
    bool ok = from >= 0 && to >= 0 && !fstat(from, &s);
    while (ok && done < s.st_size) ok = sendfile(to, from, &done, (size_t)(s.st_size - done)) > 0;
    if (from >= 0) close(from);
    return to >= 0 && !close(to) && ok;
}
static bool make_copy(void) {
    char folder[FILE_TEMPORARY];
    if (*copy.file && !access(copy.file, X_OK)) return true;
    if (!file_temporary(folder)) return false;
    if (!copy.owner) atexit(remove_copy);
    copy.owner = getpid();
    memcpy(copy.folder, folder, sizeof folder);
    snprintf(copy.file, sizeof copy.file, "%s/grade", folder);
    if (write_copy(copy.file)) return true;
    file_remove_folder(copy.folder); /* an incomplete copy must not run */
    *copy.file = 0;
    return false;
}
bool program_file(char out[PATH_MAX]) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* multiple threads start compilers and workers */
    program_path(out, PATH_MAX);
    if (is_running(out)) return true;
    pthread_mutex_lock(&lock);
    const bool made = make_copy();
    if (made) snprintf(out, PATH_MAX, "%s", copy.file);
    pthread_mutex_unlock(&lock);
    return made;
}
bool program_stayed(const char *path) { return !strcmp(path, copy.file) || is_running(path); }
