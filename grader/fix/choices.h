/* Puts many edits into one text, which is compiled once. A variable of the module selects the active edit at run time.
 * For hundreds of edits this takes a tenth of the time that separate copies take. */
#ifndef FIX_CHOICES_H
#define FIX_CHOICES_H

#include "fix/edits.h"

#define CHOICES_VARIABLE "fix_number" /* 4 bytes, in namespace CHOICES_SPACE */
#define CHOICES_SPACE "fixes"

/* Writes `text` (the source, blanked by source_blank()) with all of the `wanted` edits that can be selected at run
 * time: those inside a statement, a condition or an initial value, and those that insert statements between two others.
 * number[k] is the variable's value for edit[k], from 1 on; 0: the edit is not included. For the compiler's messages,
 * each edit's lines belong to a file fixK/reduce.cu. False if there are no such edits, or out of memory; then nothing
 * is written. */
bool choices_write(FILE *f, const struct source *s, const char *text, struct edit *const edit[], unsigned count,
                   const bool wanted[], unsigned number[]);

#endif
