/* Plans the launches of a lab's kernel according to its `finish` and the other members of struct lab_kernel. Cases,
 * timing, the ladder and --hardware use these plans. */
#ifndef JUDGE_CASE_PLAN_H
#define JUDGE_CASE_PLAN_H

#include "judge/judge.h"

/* A location in one of the plan's buffers. The offset is in bytes. */
struct plan_place {
    uint32_t buffer;
    uint64_t offset;
};
struct case_launches {
    const struct grade_case *c;
    const char *const *symbols;   /* PTX names of the kernels that case_kernels() lists */
    unsigned module;              /* index of the kernels' module in the device's run */
    struct plan_place in, second; /* inputs; `second` only if the kernel has two */
    bool moves;                   /* whether some runs use the next two places instead (case_again.h) */
    struct plan_place other_in, other_second;
    /* Buffer for the launches' outputs. The next output goes to space.offset, which then advances. If the buffer is
     * PLAN_NO_BUFFER, each output gets its own buffer. */
    struct plan_place space;
    struct plan_place scratch; /* FINISH_ITSELF: the blocks' partials; launch_repeatedly() sets it */
    uint32_t total; /* FINISH_ATOMIC with `space`: buffer of the total, which is identity() before the launch */
    uint32_t array[LAB_ARRAYS]; /* FINISH_ARRAYS: buffers of the arrays; plan_add_arrays() sets them */
    unsigned repeats;           /* number of runs of all launches (case_again.h); 1 for FINISH_ARRAYS */
    enum plan_mode mode;
};
/* Adds a case's launches and the reads of its results to the plan. */
void plan_add_case(struct plan *p, struct case_launches *l);
/* Adds the buffers of FINISH_ARRAYS. The first input gets the number `input`. Returns the number of inputs. */
unsigned plan_add_arrays(struct plan *p, struct case_launches *l, unsigned input);
/* Plans one case. Each input has case_sets() sets of c->n elements, which successive runs use in turn. */
void plan_of_case(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats);
/* Plans a case as the judge runs it. Each set has only case_given() elements. If `sampled`, and if the case is too
 * large to run all blocks, plans its sample. */
void plan_of_judged(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats,
                    bool sampled);
/* Stores the names of the kernels that a case launches. Returns their number: one per launch for FINISH_ARRAYS,
 * otherwise 1. */
unsigned case_kernels(const struct lab_kernel *k, const char *names[LAB_STEPS]);

enum { CASE_SPACE_ALIGNMENT = 256 };
/* FINISH_LEVELS: returns how many levels the plan launches: all, or only the first ones in some of the cases with
 * c->some_levels. A kernel that does the work of a level in a later launch is wrong in these. */
unsigned case_levels(const struct grade_case *c);
/* FINISH_LEVELS: the plan reads at most this many elements. A power of two. */
enum { CASE_LEVELS_READ = 1 << 12 };
/* Returns the size in bytes of the `space` that plan_add_case() needs for one run of the case, or 0 for
 * FINISH_ARRAYS. */
uint64_t case_space(const struct grade_case *c);

#endif
