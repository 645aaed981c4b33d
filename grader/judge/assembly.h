/* Inline assembly of a submission: how much of it a course allows. A kernel can be had in PTX without a line of CUDA
 * C++, such as the reference's of a handout; single instructions are a tool like others. */
#ifndef JUDGE_ASSEMBLY_H
#define JUDGE_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

enum assembly {
    ASSEMBLY_SOME, /* single instructions: at most ASSEMBLY_MOST in a kernel, no label, branch, call or return */
    ASSEMBLY_NO,
    ASSEMBLY_YES
};
enum { ASSEMBLY_MOST = 16 };
/* Is a submission allowed, by its source and the PTX that was made of it? What comes from header files counts for
 * nothing. false and a message, "line: what, and the remedy", without the file's name. */
bool assembly_allowed(enum assembly rule, const char *source, const char *ptx, char *message, size_t size);

#endif
