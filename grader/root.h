/* Finds the kit's folder and its cache folder. */
#ifndef ROOT_H
#define ROOT_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the kit's folder, which contains common/reduce.h. Searches these places in order:
 *
 *   1. the command's folder and its ancestors
 *   2. the working directory and its ancestors
 *   3. for an installed command (make install), ../share/reduction-labs relative to the command's folder; this kit
 *      has no labs to work on
 *
 * Returns false if there is none. */
bool root_find(char *out, size_t size);
/* Writes the folder for compiled kernels and the history, the first of these that applies: GRADE_CACHE; build/cache in
 * the kit, if the kit is writable and not installed; reduction-labs/cache in XDG_CACHE_HOME or ~/.cache. */
void root_cache(const char *root, char *out, size_t size);
/* Returns whether `root` is the share/reduction-labs folder of an installed command. */
bool root_is_installed(const char *root);

#endif
