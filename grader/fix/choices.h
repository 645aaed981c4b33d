/* Many edits in one text: it is compiled once, and a variable of the module selects the active edit at run time. For
 * hundreds of edits this takes a tenth of the time of separate copies. */
#ifndef FIX_CHOICES_H
#define FIX_CHOICES_H

#include "fix/edits.h"

#define CHOICES_VARIABLE "fix_number" /* 4 bytes, in namespace CHOICES_SPACE */
#define CHOICES_SPACE "fixes"

/* Writes `text`, which is the source except for blanks (source_blank()), with all of the `wanted` edits that can be
 * selected at run time: those inside a statement, a condition or an initial value, or which insert statements between
 * two. number[k]: the variable's value for edit[k], 1 or more; 0: it is not included. Each edit's lines belong to a
 * file fixK/reduce.cu, for the compiler's messages. False if there are none, or no memory; then nothing is written. */
bool choices_write(FILE *f, const struct source *s, const char *text, struct edit *const edit[], unsigned count,
                   const bool wanted[], unsigned number[]);

#endif
