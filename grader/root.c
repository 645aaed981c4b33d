/* See root.h. */
#include "root.h"
#include "base/program.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char installed[] = "/share/reduction-labs";

static bool is_root(const char *path) {
    char probe[PATH_MAX + 32];
    snprintf(probe, sizeof probe, "%s/common/reduce.h", path);
    return access(probe, R_OK) == 0;
}
/* Finds the kit's folder: `path` or its nearest ancestor that contains a kit, but never /. Modifies `path`. */
static bool at_or_above(char *path, char *out, size_t size) {
    for (char *slash; (slash = strrchr(path, '/')) && slash != path; *slash = 0)
        if (is_root(path)) return snprintf(out, size, "%s", path), true;
    return *path && path[1] && is_root(path) ? snprintf(out, size, "%s", path), true : false;
}
bool root_find(char *out, size_t size) {
    char path[PATH_MAX], folder[PATH_MAX];
    program_path(path, sizeof path);
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    snprintf(folder, sizeof folder, "%s", path);
    if (at_or_above(path, out, size)) return true;
    if (getcwd(path, sizeof path) && at_or_above(path, out, size)) return true;
    slash = strrchr(folder, '/');
    if (!slash) return false;
    snprintf(slash, sizeof folder - (size_t)(slash - folder), "%s", installed);
    return is_root(folder) ? snprintf(out, size, "%s", folder), true : false;
}
bool root_is_installed(const char *root) {
    const size_t n = strlen(root), m = strlen(installed);
    return n >= m && !strcmp(root + n - m, installed);
}
void root_cache(const char *root, char *out, size_t size) {
    const char *given = getenv("GRADE_CACHE"), *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (given && *given)
        snprintf(out, size, "%s", given);
    else if (!root_is_installed(root) && !access(root, W_OK))
        snprintf(out, size, "%s/build/cache", root);
    else if (base && *base == '/')
        snprintf(out, size, "%s/reduction-labs/cache", base);
    else
        snprintf(out, size, "%s/.cache/reduction-labs/cache", home && *home == '/' ? home : root);
}
