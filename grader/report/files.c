/* See files.h. */
#include "report/files.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes the report and closes the file. */
static bool write_all(const struct sink *sink, const json_t *record, FILE *f, const struct sink_options *options) {
    const bool ok = sink_write(sink, record, f, options);
    return fclose(f) == 0 && ok;
}
static bool write_in_place(const struct sink *sink, const json_t *record, const char *path,
                           const struct sink_options *options) {
    FILE *f = fopen(path, "w");
    return f && write_all(sink, record, f, options);
}
bool report_write(const struct sink *sink, const json_t *record, const char *path, const struct sink_options *options) {
    struct stat at;
    if (!strcmp(path, "-")) return sink_write(sink, record, stdout, options);
    if (!stat(path, &at) && !S_ISREG(at.st_mode)) return write_in_place(sink, record, path, options);
    char *real = realpath(path, NULL), *beside = NULL; /* the report replaces the target of a symbolic link */
    bool ok = false;
    if (asprintf(&beside, "%s.XXXXXX", real ? real : path) >= 0) {
        const int fd = mkstemp(beside);
        FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
        const mode_t mask = umask(0);
        umask(mask);
        ok = f && fchmod(fd, 0666 & ~mask) == 0;
        ok = f && write_all(sink, record, f, options) && ok && rename(beside, real ? real : path) == 0;
        const int why = errno;
        if (fd >= 0 && !ok) unlink(beside);
        free(beside);
        errno = why;
    }
    free(real);
    return ok;
}
