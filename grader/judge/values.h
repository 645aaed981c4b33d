/* Elements of a case as a list that a person can read and type: `--values 1,2,3`.
 *
 *   LIST    ITEM,ITEM,...                     ITEM    VALUE, or FIRST..LAST: whole numbers that rise or fall by 1
 *   VALUE   a number; of a struct its fields with colons: affine A:B, matrix A:B:C:D, pairs VALUE:INDEX */
#ifndef JUDGE_VALUES_H
#define JUDGE_VALUES_H

#include "reference.h"

enum { VALUES_MOST = 4096 /* elements of a list */ };
/* Reads the list for elements of v into a new array, which the caller frees; "" is an array of none. NULL: it is no
 * such list, has more than VALUES_MOST elements, or v is the student's own operator; `message` says which. */
void *values_parse(struct variant v, const char *list, uint32_t *count, char *message, size_t size);
/* Writes n elements as such a list. False: it takes more than `size` bytes. */
bool values_print(struct variant v, const void *array, uint32_t n, char *out, size_t size);
/* One element as a list has it. Returns out. */
char *value_print(struct variant v, union value x, char *out, size_t size);

#endif
