/* Many edits in one text: it is compiled once, and a variable of the module chooses at run time which edit holds. Of
 * hundreds of edits this takes a tenth of the time that copies of the file take. */
#ifndef FIX_CHOICES_H
#define FIX_CHOICES_H

#include "fix/edits.h"

#define CHOICES_VARIABLE "fix_number" /* of 4 bytes, in namespace CHOICES_SPACE */
#define CHOICES_SPACE "fixes"

/* Writes `text`, which is the source's but for blanks (source_blank()), with all of the `wanted` edits that can be
 * chosen at run time: those inside a statement, a condition or a value that something begins with, or which put
 * statements between two. number[k]: the variable's value for edit[k], 1 or more; 0: it is not among them. Each edit's
 * lines are those of a file fixK/reduce.cu, for what a compiler says of them. False: there are none, or no memory;
 * nothing is written. */
bool choices_write(FILE *f, const struct source *s, const char *text, struct edit *const edit[], unsigned count,
                   const bool wanted[], unsigned number[]);

#endif
