/* The translation unit of a batch of edits. */
#ifndef FIX_UNIT_H
#define FIX_UNIT_H

#include "fix/trial.h"

enum { MAX_COPIES = 32 /* maximum copies of the whole file per batch */ };
/* A batch of edits that are compiled together. */
struct batch {
    struct edit *const *edit;
    unsigned count;
    const char *kernel; /* the only kernel to compile, or NULL for all kernels */
    bool *wanted;       /* edits that the compiler has not rejected */
    bool *apart;        /* edits compiled as separate texts, because the compiler rejects them in the common text */
    unsigned *number;   /* value that selects the edit in the common text (choices.h), or 0 */
};
/* Compiles the batch without the edits that the compiler rejects. Returns false if it does not compile. Free *out with
 * compiled_free(). */
bool unit_compile(const struct trial *t, const struct batch *b, struct compiled *out);

#endif
