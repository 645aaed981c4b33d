#include "base/option.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool option_read(const char *text, uint64_t *out) {
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return !errno && !*end && isdigit((unsigned char)*text);
}
uint64_t option_number(struct argp_state *state, const char *text, const char *what, uint64_t least, uint64_t most) {
    uint64_t v;
    if (!option_read(text, &v) || v < least || v > most)
        argp_error(state, "%s must be a number from %llu to %llu, not `%s`", what, (unsigned long long)least,
                   (unsigned long long)most, text);
    return v;
}

static bool is_source(const char *path) {
    static const char *const ends[] = {".cu", ".cuh", ".c", ".cpp", ".cc", ".h", ".hpp", ".ptx", "predictions.txt"};
    const size_t length = strlen(path);
    for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++)
        if (length >= strlen(ends[k]) && !strcmp(path + length - strlen(ends[k]), ends[k])) return true;
    return false;
}
static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) || stat(b, &y)) return !strcmp(a, b);
    return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
static bool is_input(const char *path, const char *const *inputs) {
    char *target = realpath(path, NULL);
    bool found = is_source(target ? target : path);
    for (; *inputs; inputs++) found |= same_file(path, *inputs);
    free(target);
    return found;
}
void option_outputs(struct argp_state *state, const struct option_output *outputs, unsigned count,
                    const char *const *inputs) {
    for (const struct option_output *o = outputs; o < outputs + count; o++) {
        if (!o->path) continue;
        if (is_input(o->path, inputs))
            argp_error(state, "--%s would overwrite `%s`, which is input: name another file", o->option, o->path);
        for (const struct option_output *p = outputs; p < o; p++) {
            if (!p->path) continue;
            if (!strcmp(p->path, "-") && !strcmp(o->path, "-"))
                argp_error(state, "--%s and --%s cannot both go to standard output: give one of them a file", p->option,
                           o->option);
            if (same_file(p->path, o->path))
                argp_error(state, "--%s and --%s would both write `%s`: give each its own file", p->option, o->option,
                           o->path);
        }
    }
}
