/* Results that are arrays (FINISH_ARRAYS): generates a case's inputs, gets the expected outputs from the lab's oracle,
 * and finds the first wrong element. */
#ifndef JUDGE_ARRAYS_H
#define JUDGE_ARRAYS_H

#include "judge/lab.h"

struct grade_case;

/* Returns the number of elements or blocks that an extent specifies for this case. */
uint64_t case_extent(const struct grade_case *c, struct lab_extent e);
uint32_t case_side(const struct grade_case *c); /* side of the largest square with at most c->n elements */
/* Returns the type of an array's elements, as the variant that sums elements of this type. */
struct variant case_array_variant(const struct grade_case *c, const struct lab_array *a);

/* The inputs and expected outputs of a case, each in the order of declaration. */
struct case_arrays {
    char *memory;
    const void *inputs[LAB_ARRAYS];
    void *expected[LAB_ARRAYS];
};
/* Generates the inputs from the case's seed and lets the oracle compute the expected outputs. Returns false if out of
 * memory. Call case_arrays_free() even if the function fails. */
bool case_arrays_draw(struct case_arrays *a, const struct grade_case *c);
void case_arrays_free(struct case_arrays *a);

struct array_fault {
    const char *array;  /* name of the wrong array; NULL if all elements are correct */
    uint64_t at;        /* index of the first wrong element */
    uint64_t wrong, of; /* number of wrong elements, and of all elements of the array */
    struct variant variant;
    union value got, expected;
    bool unwritten; /* whether the first wrong element still holds the poison pattern */
};
/* Returns whether output k equals the oracle's. If not, *f describes the first wrong element. */
bool case_arrays_compare(const struct case_arrays *a, const struct grade_case *c, unsigned k, const void *got,
                         struct array_fault *f);
/* Prints a message such as "sums[17]: got 3, expected 4; 2 of 100 elements wrong". Returns `out`. */
char *array_fault_text(const struct array_fault *f, char *out, size_t size);

#endif
