/* Combines many edits into one text, which is compiled once. A module variable selects the active edit at run time.
 * This is much faster than compiling a copy for each edit. */
#ifndef FIX_CHOICES_H
#define FIX_CHOICES_H

#include "fix/edits.h"

/* 4 bytes, in namespace CHOICES_SPACE: the number of the selected edit. The upper 16 bits can hold a second number:
 * that of the other edit of a pair, or of the second place that the edit changes. */
#define CHOICES_VARIABLE "fix_number"
#define CHOICES_SPACE "fixes"

/* Writes `text`, the source after source_blank(), with all `wanted` edits that can be selected at run time. These are
 * edits within a statement, a condition or an initializer, and edits that insert statements between two others; unless
 * `pairs`, also those that change two such places. Sets
 * number[k] to the value that selects edit[k], which is at least 1, or to 0 if the edit is not included. In the
 * compiler's messages, the lines of edit[k] are in file fixK/reduce.cu. If `pairs`, two edits of different places can
 * be selected together. Returns false and writes nothing if there are no such edits or if out of memory. */
bool choices_write(FILE *f, const struct source *s, const char *text, struct edit *const edit[], unsigned count,
                   const bool wanted[], bool pairs, unsigned number[]);

#endif
