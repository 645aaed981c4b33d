/* Limits the inline assembly in a submission to what the course allows. Single instructions are a legitimate tool, but
 * without a limit, a student could submit a copied PTX kernel without a line of CUDA C++. */
#ifndef COMPILE_ASSEMBLY_H
#define COMPILE_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

enum assembly {
    ASSEMBLY_SOME, /* single instructions, at most ASSEMBLY_MAX per kernel; no labels, branches, calls or returns */
    ASSEMBLY_NO,
    ASSEMBLY_YES
};
enum { ASSEMBLY_MAX = 16 };
/* Returns whether the course allows the inline assembly in this source, which was compiled to this PTX. Ignores
 * assembly in header files. If the result is false, `message` is "LINE: problem and fix", without the file name. */
bool assembly_allowed(enum assembly rule, const char *source, const char *ptx, char *message, size_t size);

#endif
