/* Results that are arrays (FINISH_ARRAYS). Generates a case's inputs, gets the expected outputs from the lab's
 * oracle, and finds the first wrong element. */
#ifndef JUDGE_ARRAYS_H
#define JUDGE_ARRAYS_H

#include "judge/lab.h"

struct grade_case;

/* Returns the number of elements or blocks that an extent specifies for this case. */
uint64_t case_extent(const struct grade_case *c, struct lab_extent e);
uint32_t case_side(const struct grade_case *c); /* side of the largest square with at most c->n elements */
/* Returns the type of an array's elements, as the variant that sums such elements. */
struct variant case_array_variant(const struct grade_case *c, const struct lab_array *a);

/* The inputs and the expected outputs of a case, in the order in which the lab declares them. */
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
    const char *array;  /* name of the wrong array; NULL if there is none */
    uint64_t at;        /* index of the first wrong element */
    uint64_t wrong, of; /* number of wrong elements; number of elements */
    struct variant variant;
    union value got, expected;
    bool unwritten; /* the first wrong element still holds the poison pattern */
};
/* Returns whether output k equals the expected output. If not, *f describes the first wrong element. */
bool case_arrays_compare(const struct case_arrays *a, const struct grade_case *c, unsigned k, const void *got,
                         struct array_fault *f);
/* Prints a message such as "sums[17]: got 3, expected 4; 2 of 100 elements wrong". Returns `out`. */
char *array_fault_text(const struct array_fault *f, char *out, size_t size);

#endif
