/* How much inline assembly a course allows in a submission. Single instructions are a legitimate tool. Without a limit,
 * however, a submission could be a copied kernel in PTX without a line of CUDA C++. */
#ifndef JUDGE_ASSEMBLY_H
#define JUDGE_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

enum assembly {
    ASSEMBLY_SOME, /* single instructions, at most ASSEMBLY_MOST in a kernel, without labels, branches, calls and
                      returns */
    ASSEMBLY_NO,
    ASSEMBLY_YES
};
enum { ASSEMBLY_MOST = 16 };
/* Whether a submission's inline assembly is allowed, according to its source and its PTX. Assembly in header files does
 * not count. If not allowed, `message` is "LINE: what is wrong, and what to do", without the file's name. */
bool assembly_allowed(enum assembly rule, const char *source, const char *ptx, char *message, size_t size);

#endif
