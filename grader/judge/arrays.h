/* Arrays as results (FINISH_ARRAYS): generates a case's inputs, gets the expected outputs from the lab's oracle, and
 * finds the first difference. */
#ifndef JUDGE_ARRAYS_H
#define JUDGE_ARRAYS_H

#include "judge/lab.h"

struct grade_case;

/* Returns the value of an extent in a case: a number of elements or blocks. */
uint64_t case_extent(const struct grade_case *c, struct lab_extent e);
uint32_t case_side(const struct grade_case *c); /* the largest number whose square is at most c->n */
/* Returns the type of an array's elements, as the sum variant of that type. */
struct variant case_array_variant(const struct grade_case *c, const struct lab_array *a);

/* A case's inputs and expected outputs, each in the order of their declaration. */
struct case_arrays {
    char *memory;
    const void *inputs[LAB_ARRAYS];
    void *expected[LAB_ARRAYS];
};
/* Generates the inputs from the case's seed and calls the oracle for the expected outputs. Returns false if out of
 * memory. Call case_arrays_free() in either case. */
bool case_arrays_draw(struct case_arrays *a, const struct grade_case *c);
void case_arrays_free(struct case_arrays *a);

struct array_fault {
    const char *array; /* NULL if all elements are correct */
    uint64_t at;       /* the first wrong element */
    uint64_t wrong, of;
    struct variant variant;
    union value got, expected;
    bool unwritten; /* the element still holds the poison pattern */
};
/* Returns whether output k matches the oracle. If not, stores the first difference in *f. */
bool case_arrays_compare(const struct case_arrays *a, const struct grade_case *c, unsigned k, const void *got,
                         struct array_fault *f);
/* Prints a message such as "sums[17]: got 3, expected 4; 2 of 100 elements wrong". Returns out. */
char *array_fault_text(const struct array_fault *f, char *out, size_t size);

#endif
