/* How the launches of a lab's kernel are in a plan: all that FINISH_... and the other fields of struct lab_kernel
 * mean for what is launched is in case_plan.c. Cases, times, rows of the ladder and --hardware use it. */
#ifndef JUDGE_CASE_PLAN_H
#define JUDGE_CASE_PLAN_H

#include "judge/judge.h"

/* Bytes behind the start of a buffer of the plan. */
struct plan_place {
    uint32_t buffer;
    uint64_t offset;
};
struct case_launches {
    const struct grade_case *c;
    const char *const *symbols; /* of case_kernels(), in the run's module `module` */
    unsigned module;
    struct plan_place in, second; /* its inputs; second: where the kernel has one */
    /* What launches leave is in this buffer of the case's elements, from space.offset on, which grows; or, where it
     * is PLAN_NO_BUFFER, in buffers of its own. */
    struct plan_place space;
    uint32_t total;             /* FINISH_ATOMIC with space: a buffer of one identity(), for its total */
    uint32_t array[LAB_ARRAYS]; /* FINISH_ARRAYS: buffers of its arrays, by plan_add_arrays() */
    unsigned repeats;           /* that many runs of all launches, as case_again.h says; not of FINISH_ARRAYS */
    enum plan_pace pace;
};
/* Adds launches and reads. */
void plan_add_case(struct plan *p, struct case_launches *l);
/* FINISH_ARRAYS: adds the buffers; the inputs' numbers begin at `input`. Returns how many inputs there are. */
unsigned plan_add_arrays(struct plan *p, struct case_launches *l, unsigned input);
/* The plan of one case on its own, on inputs of c->n elements, of which there are case_sets(). */
void plan_of_case(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats);
/* The same on case_given() elements; of a case that is too large to run, its sample, where that is wanted. */
void plan_of_judged(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats,
                    bool sampled);
/* FINISH_LEVELS, sampled: the one launch's stride, and its pairs, which begin at multiples of twice that. */
uint32_t case_level(const struct grade_case *c, uint32_t *pairs);
/* Names of the kernels that a case launches; how many: 1, but of FINISH_ARRAYS one a launch. */
unsigned case_kernels(const struct lab_kernel *k, const char *names[LAB_STEPS]);

enum { CASE_SPACE_ALIGNMENT = 256 };
/* Bytes of space that one plan_add_case() takes. */
uint64_t case_space(const struct grade_case *c);

#endif
