/* The translation unit of a batch of edits. */
#ifndef FIX_UNIT_H
#define FIX_UNIT_H

#include "fix/trial.h"

enum { MAX_COPIES = 32 /* copies of the whole file per batch */ };
/* A batch of edits that are compiled together. */
struct batch {
    struct edit *const *edit;
    unsigned count;
    const char *kernel; /* the only kernel to compile, or NULL for all kernels */
    bool *wanted;       /* edits that the compiler has not rejected */
    bool *apart;        /* edits that are compiled as separate texts, because the compiler rejects the common text if it
                           contains them */
    unsigned *number;   /* value that selects the edit in the common text (choices.h); 0 if not in that text */
};
/* Compiles the batch, without the edits that the compiler rejects. Returns false if it does not compile. The caller
 * frees *out with compiled_free(). */
bool unit_compile(const struct trial *t, const struct batch *b, struct compiled *out);

#endif
