/* Combines many edits into one text, which is compiled only once. A variable of the module selects the active edit at
 * run time. Compiling a copy for each edit would take much longer. */
#ifndef FIX_CHOICES_H
#define FIX_CHOICES_H

#include "fix/edits.h"

/* 4 bytes, in namespace CHOICES_SPACE: the number of the selected edit. The upper 16 bits may hold a second number:
 * that of a pair's other edit, or of the second place that the edit changes. */
#define CHOICES_VARIABLE "fix_number"
#define CHOICES_SPACE "fixes"

/* Writes `text`, the source after source_blank(), with all `wanted` edits that can be selected at run time.
 *
 * Such edits change a statement, a condition or an initializer, or insert statements between two others. If `pairs` is
 * false, they may also change two of these places. If it is true, two edits of different places can be selected
 * together.
 *
 * Sets number[k] to the value that selects edit[k], which is at least 1, or to 0 if the edit is not included. In the
 * compiler's messages, the lines of edit[k] are in file fixK/reduce.cu. Returns false and writes nothing if no edit can
 * be selected, or if out of memory. */
bool choices_write(FILE *f, const struct source *s, const char *text, struct edit *const edit[], unsigned count,
                   const bool wanted[], bool pairs, unsigned number[]);

#endif
