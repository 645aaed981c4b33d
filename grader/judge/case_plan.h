/* Makes a plan of the launches of a lab's kernel, according to FINISH_... and the other members of struct lab_kernel.
 * Used for cases, timing, rows of the ladder and --hardware. */
#ifndef JUDGE_CASE_PLAN_H
#define JUDGE_CASE_PLAN_H

#include "judge/judge.h"

/* An offset in bytes into a buffer of the plan. */
struct plan_place {
    uint32_t buffer;
    uint64_t offset;
};
struct case_launches {
    const struct grade_case *c;
    const char *const *symbols; /* symbols of case_kernels(), in the run's module `module` */
    unsigned module;
    struct plan_place in, second; /* inputs; second: only if the kernel has two */
    /* Where launches write: at space.offset, which advances, in this buffer of the case's elements. If the buffer is
     * PLAN_NO_BUFFER, launches write to separate buffers. */
    struct plan_place space;
    uint32_t total; /* FINISH_ATOMIC with space: the buffer for the total, which holds identity() at first */
    uint32_t array[LAB_ARRAYS]; /* FINISH_ARRAYS: the arrays' buffers, set by plan_add_arrays() */
    unsigned repeats;           /* number of runs of all launches, see case_again.h; not for FINISH_ARRAYS */
    enum plan_pace pace;
};
/* Adds the launches of a case, and reads of its results. */
void plan_add_case(struct plan *p, struct case_launches *l);
/* FINISH_ARRAYS: adds the arrays' buffers. The numbers of the inputs start at `input`. Returns the number of inputs. */
unsigned plan_add_arrays(struct plan *p, struct case_launches *l, unsigned input);
/* A plan for one case, on inputs of c->n elements, of which there are case_sets(). */
void plan_of_case(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats);
/* The same on case_given() elements. For a case that is too large to run, the plan of its sample if requested. */
void plan_of_judged(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats,
                    bool sampled);
/* FINISH_LEVELS, sampled: the stride of the only launch, and the number of pairs. Pairs begin at multiples of twice the
 * stride. */
uint32_t case_level(const struct grade_case *c, uint32_t *pairs);
/* Names of the kernels that a case launches; returns their number: 1, or for FINISH_ARRAYS one per launch. */
unsigned case_kernels(const struct lab_kernel *k, const char *names[LAB_STEPS]);

enum { CASE_SPACE_ALIGNMENT = 256 };
/* The bytes of space that one plan_add_case() needs. */
uint64_t case_space(const struct grade_case *c);

#endif
