/* The folders of the kit and of the user who runs the command. */
#ifndef ROOT_H
#define ROOT_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the kit's folder, the one with common/ and labs/. Looks in this order: the command's folder and its ancestors;
 * the working directory and its ancestors; for an installed command (make install), ../share/reduction-labs relative to
 * its folder, which has no labs to work on. False if none exists. */
bool root_find(char *out, size_t size);
/* Writes the folder for compiled kernels and history: GRADE_CACHE, else build/cache of a kit that is writable and
 * not installed, else ~/.cache/reduction-labs. */
void root_cache(const char *root, char *out, size_t size);
/* Whether `root` is the share/reduction-labs folder of an installed command. */
bool root_is_installed(const char *root);

#endif
