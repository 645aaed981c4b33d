/* The elements of a case as a readable list, as in `--values 1,2,3`:
 *
 *   LIST    ITEM,ITEM,...                     ITEM    VALUE, or FIRST..LAST: integers that ascend or descend by 1
 *   VALUE   a number; nan@0xBITS; a struct's fields: affine A:B, matrix A:B:C:D, pairs VALUE:INDEX */
#ifndef JUDGE_VALUES_H
#define JUDGE_VALUES_H

#include "reference.h"

enum { VALUES_MAX = 4096 /* maximum number of elements per list */ };
/* Parses a list into a new array of elements of variant v; free() it. "" gives an empty array. Returns NULL with a
 * message if the list is invalid, if it has more than VALUES_MAX elements, if v is the student's own operator, or if
 * out of memory. */
void *values_parse(struct variant v, const char *list, uint32_t *count, char *message, size_t size);
/* Prints n elements as a list that values_parse() accepts. Returns false if it needs more than `size` bytes. */
bool values_print(struct variant v, const void *array, uint32_t n, char *out, size_t size);

#endif
