/* Where the kit lies, and what belongs to the one who runs the command. */
#ifndef ROOT_H
#define ROOT_H

#include <stdbool.h>
#include <stddef.h>

/* The kit's folder, which has common/ and labs/: where the command lies or a folder above it; the working folder or one
 * above it; or, of a command that was installed (make install), ../share/reduction-labs beside its folder, which has no
 * labs to work on. False: none of them. */
bool root_find(char *out, size_t size);
/* The folder for compiled kernels and history: GRADE_CACHE, else build/cache of a kit that may be written and was not
 * installed, else ~/.cache/reduction-labs. */
void root_cache(const char *root, char *out, size_t size);
/* It is the share/reduction-labs of an installed command. */
bool root_is_installed(const char *root);

#endif
