/* Inline assembly in a submission: how much a course allows. A kernel can be copied as PTX without a line of CUDA C++,
 * for example the reference's from a handout; single instructions are a legitimate tool. */
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
/* Whether a submission is allowed, judging by its source and its PTX. Header files do not count. Otherwise false with a
 * message, "line: what, and the remedy", without the file's name. */
bool assembly_allowed(enum assembly rule, const char *source, const char *ptx, char *message, size_t size);

#endif
