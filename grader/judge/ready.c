/* See ready.h. */
#include "base/file.h"
#include "judge/ready.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PTX = 64 << 20 };

void compiled_ready_path(const char *source, const char *compiler, char *out, size_t size) {
    const size_t n = strlen(source), stem = n > 3 && !strcmp(source + n - 3, ".cu") ? n - 3 : n;
    snprintf(out, size, "%.*s.%s.ptx", (int)stem, source, compiler);
}
/* No PTX holds a NUL byte. */
static char *read_text(const char *path, size_t *length) {
    char *text = file_read(path, 0, MOST_PTX, length);
    if (text && (!*length || memchr(text, 0, *length))) free(text), text = NULL;
    return text;
}
bool compiled_ready(const struct compiler *c, const struct compile_request *r, struct compiled *out) {
    const char *const names[] = {compiler_name(c), "nvrtc", "nvcc", "clang"};
    char path[PATH_MAX + 64];
    size_t length = 0;
    char *ptx = NULL;
    if (!access(r->source, F_OK)) return false;
    for (unsigned k = 0; !ptx && k < sizeof names / sizeof *names; k++) {
        compiled_ready_path(r->source, names[k], path, sizeof path);
        ptx = read_text(path, &length);
    }
    if (!ptx) return false;
    *out = (struct compiled){
        .status = COMPILE_OK, .count = 1, .ptx[0] = ptx, .length[0] = length, .source_text = strdup("")};
    return true;
}

/* ---- stripping ------------------------------------------------------------------------------ */
static bool begins(const char *line, const char *word) { return !strncmp(line, word, strlen(word)); }
/* nvcc names static variables by where they were compiled: _INTERNAL_dd54539a_7_unit_cu_9c25b021... */
static void plain_names(char *ptx) {
    for (char *s = ptx; (s = strstr(s, "_INTERNAL_")); s++) {
        char *first = s + strlen("_INTERNAL_"), *second = strstr(first, "_cu_");
        if (strspn(first, "0123456789abcdef") < 8 || !second || strcspn(first, " \t\n,;[]") < (size_t)(second - first))
            continue;
        second += strlen("_cu_");
        memset(first, '0', 8);
        memset(second, '0', strspn(second, "0123456789abcdef") < 8 ? 0 : 8);
    }
}
size_t compiled_strip(char *ptx) {
    plain_names(ptx);
    char *out = ptx;
    bool section = false; /* of debug information: to the closing brace */
    for (char *line = ptx, *next; *line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        const char *s = line + strspn(line, " \t");
        const bool opens = begins(s, ".section"), closes = memchr(line, '}', n);
        if (section || opens) {
            section = !closes;
            continue;
        }
        if (begins(s, ".loc\t") || begins(s, ".loc ") || begins(s, ".file")) continue;
        const char *comment = memmem(line, n, "//", 2); /* PTX has no strings but in directives of debug information */
        if (comment) n = (size_t)(comment - line);
        while (n && strchr(" \t\r", line[n - 1])) n--;
        if (!n) continue;
        memmove(out, line, n);
        out += n;
        *out++ = '\n';
    }
    *out = 0;
    return (size_t)(out - ptx);
}
