/* Results that are arrays (FINISH_ARRAYS): a case's inputs, the expected outputs from the lab's oracle, and where a
 * result differs. */
#ifndef JUDGE_ARRAYS_H
#define JUDGE_ARRAYS_H

#include "judge/lab.h"

struct grade_case;

/* The number of elements or blocks that an extent stands for in a case. */
uint64_t case_extent(const struct grade_case *c, struct lab_extent e);
uint32_t case_side(const struct grade_case *c); /* the largest number whose square is at most c->n */
/* The type of an array's elements, as a variant of sum. */
struct variant case_array_variant(const struct grade_case *c, const struct lab_array *a);

/* The inputs of a case and the expected outputs, both in the order of their declaration. */
struct case_arrays {
    char *memory;
    const void *inputs[LAB_ARRAYS];
    void *expected[LAB_ARRAYS];
};
/* Draws the inputs by the case's seed and calls the oracle. False: out of memory. Call case_arrays_free() in either
 * case. */
bool case_arrays_draw(struct case_arrays *a, const struct grade_case *c);
void case_arrays_free(struct case_arrays *a);

struct array_fault {
    const char *array; /* NULL: none */
    uint64_t at;       /* the first wrong element */
    uint64_t wrong, of;
    struct variant variant;
    union value got, expected;
    bool unwritten; /* the element still holds poison */
};
/* Whether output number k matches the oracle. If not, *f has the first difference. */
bool case_arrays_compare(const struct case_arrays *a, const struct grade_case *c, unsigned k, const void *got,
                         struct array_fault *f);
/* Writes "sums[17]: got 3, expected 4; 2 of 100 elements wrong". Returns out. */
char *array_fault_text(const struct array_fault *f, char *out, size_t size);

#endif
