/* Checks the links in documents: [text](path#heading). */
#include "base/file.h"
#include "release/release.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Converts a heading to its anchor: lowercase letters, digits, `_`, `-` and non-ASCII characters. Spaces become `-`. */
static void slug(const char *heading, size_t length, char *out, size_t size) {
    size_t n = 0;
    for (size_t k = 0; k < length && n + 1 < size; k++) {
        const unsigned char c = (unsigned char)heading[k];
        if (isalnum(c) || c == '_' || c == '-' || c > 127)
            out[n++] = (char)tolower(c);
        else if (c == ' ')
            out[n++] = '-';
    }
    out[n] = 0;
}
static bool fence(const char *line) {
    line += strspn(line, " ");
    return !strncmp(line, "```", 3);
}
static bool has_heading(const char *text, const char *wanted) {
    bool code = false;
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n"), hashes = strspn(line, "#");
        char own[300];
        if (fence(line)) code = !code;
        if (!code && hashes && line[hashes] == ' ') {
            slug(line + hashes + 1, n - hashes - 1, own, sizeof own);
            if (!strcmp(own, wanted)) return true;
        }
        line += n + (line[n] == '\n');
    }
    return false;
}
static void complain(json_t *faults, const char *name, unsigned line, const char *target, const char *what) {
    json_array_append_new(faults, json_sprintf("%s:%u: the link to %s: %s", name, line, target, what));
}
static void check_target(const char *root, const char *name, unsigned line, const char *target, json_t *faults) {
    char path[2 * PATH_MAX];
    const size_t n = strcspn(target, "#");
    const char *slash = strrchr(name, '/');
    snprintf(path, sizeof path, "%s/%.*s%.*s", root, slash ? (int)(slash + 1 - name) : 0, name, (int)n, target);
    if (!n) snprintf(path, sizeof path, "%s/%s", root, name);
    if (access(path, R_OK)) return complain(faults, name, line, target, "there is no such file");
    if (!target[n] || !strstr(path, ".md")) return;
    char *text = file_read(path, 0, RELEASE_TEXT, NULL);
    if (!text || !has_heading(text, target + n + 1)) complain(faults, name, line, target, "there is no such heading");
    free(text);
}
unsigned release_check_links(const char *root, const char *name, json_t *faults) {
    char path[2 * PATH_MAX], target[PATH_MAX];
    unsigned number = 1, links = 0;
    bool code = false, quoted = false;
    snprintf(path, sizeof path, "%s/%s", root, name);
    char *text = file_read(path, 0, RELEASE_TEXT, NULL);
    if (!text) {
        json_array_append_new(faults, json_sprintf("%s: cannot be read: restore it", name));
        return 0;
    }
    for (const char *s = text; *s; s++) {
        if ((s == text || s[-1] == '\n') && fence(s)) {
            code = !code, quoted = false;
            s += strcspn(s, "\n");
            if (!*s) break;
        }
        if (*s == '\n') number++;
        if (*s == '`' && !code) quoted = !quoted;
        if (code || quoted || strncmp(s, "](", 2)) continue;
        const size_t n = strcspn(s + 2, ") \n");
        if (n >= sizeof target) continue;
        memcpy(target, s + 2, n);
        target[n] = 0;
        if (!n || strstr(target, "://") || !strncmp(target, "mailto:", 7)) continue;
        links++;
        check_target(root, name, number, target, faults);
    }
    free(text);
    return links;
}
