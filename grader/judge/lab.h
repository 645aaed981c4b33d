/* What a lab declares, and what its checks are called with. A lab is a folder labs/labN_name with a grader.c that
 * defines `const struct lab labN`; the Makefile finds it. */
#ifndef JUDGE_LAB_H
#define JUDGE_LAB_H

#include "judge/assembly.h"
#include "device/device.h"
#include "record/status.h"
#include "reference.h"
#include <jansson.h>

struct judge;

/* How the launches of a kernel end in one value. */
enum lab_finish {
    FINISH_LAUNCH, /* again on its partials until one is left; a grid-stride kernel once, as one block */
    FINISH_HOST,   /* the host combines the partials */
    FINISH_ATOMIC, /* the one output, which begins as identity() */
    FINISH_ITSELF, /* one launch writes the total. Launched LAB_LAUNCHES times, or as often as the case says: the host
                      resets nothing between them */
    FINISH_LEVELS, /* a launch a level of the tree, of NAME(data, n, stride): strides 1, 2, 4, ... below n, with at
                      least a thread for each pair of elements. The total is in data[0]; there is no case with n = 0 */
    FINISH_ARRAYS  /* in arrays, and by launches, that `arrays` declares; an own oracle says what is right */
};
enum { LAB_LAUNCHES = 3 };

/* ---- results that are arrays ------------------------------------------------------------------ */
/* times * COUNT / per, rounded up; times and per: 0 is 1. */
struct lab_extent {
    enum {
        COUNT_1,
        COUNT_N,     /* elements of the case */
        COUNT_SIDE,  /* of the largest square of at most n elements */
        COUNT_AREA,  /* elements of that square */
        COUNT_M,     /* threads of a block, as the case has it */
        COUNT_BLOCKS /* grid_stride: of the case; else n / (elements * M) rounded up, and at least 1 */
    } of;
    uint32_t times, per;
};
struct lab_array {
    const char *name; /* of the kernel's parameter */
    enum {
        ARRAY_IN,     /* drawn; read only */
        ARRAY_OUT,    /* compared with the oracle's */
        ARRAY_ZEROED, /* the same, and holds zeros before the first launch */
        ARRAY_SCRATCH /* of the launches alone */
    } role;
    struct lab_extent length;
    bool is_unsigned; /* of `unsigned` elements; else of value_t */
};
struct lab_launch {
    const char *parameters;     /* "in sums n": names of arrays, or `n`, `side`, separated by blanks */
    const char *kernel;         /* NULL: the row's own; else the name of a row that is a helper */
    struct lab_extent grid[3];  /* 0: 1; at least 1 */
    struct lab_extent block[3]; /* {0}: M x 1 x 1; else 0: 1 */
    struct lab_extent shared;   /* elements of value_t in dynamic shared memory */
    bool no_shared;             /* none; else, where `shared` is {0}, what the row says */
};
/* What the oracle is given: sizes of the case, inputs in the order of their declaration. It fills outputs, likewise. */
struct lab_question {
    struct variant variant;
    uint32_t n, side;
    const void *const *inputs;
    void *const *outputs;
};
enum { LAB_ARRAYS = 8, LAB_STEPS = 8 };
struct lab_arrays {
    struct lab_array array[LAB_ARRAYS];  /* a NULL name ends them */
    struct lab_launch launch[LAB_STEPS]; /* one after the other; NULL parameters end them */
    void (*oracle)(const struct lab_question *q);
    uint32_t large_n; /* elements of the case whose time counts; 0: 2^20 */
};

/* A kernel of the lab and the plan of its launches. One kernel may have several plans: a row each, with a label. */
struct lab_kernel {
    const char *name;           /* "reduce" */
    const char *label;          /* what names of cases say, "reduce:host"; NULL: its name */
    const char *input, *output; /* names of its pointer parameters, for messages; the third parameter is n */
    const char *second;         /* name of a second input behind the first, of as many elements: what is reduced are the
                                   products of the two. Not with FINISH_LAUNCH unless one_block, nor FINISH_LEVELS */
    bool in_place;              /* it may overwrite its input; else the input is read-only */
    bool one_block;             /* takes any n in one block: the launch is final */
    unsigned elements; /* of each thread: a block covers elements * M (one_block, grid_stride: in a measured block) */
    unsigned shared_values;      /* a thread: dynamic shared memory of shared_values * M values */
    unsigned shared_warp_values; /* a warp: and of shared_warp_values * M / 32 more */
    bool ordered; /* operands stay in order: only such a kernel meets operators that do not commute. If grid_stride, a
                     block takes a chunk of neighbors, ceil(n / blocks) */
    bool grid_stride; /* takes any n with any number of blocks: the case says how many */
    unsigned cluster; /* blocks of a cluster, of which the grid has whole ones; 0: no clusters */
    enum lab_finish finish;
    unsigned leaves; /* FINISH_LAUNCH: values that a block leaves, except for one that is alone: the fourth parameter;
                        0: one, and there is no fourth parameter */
    const struct lab_arrays *arrays; /* FINISH_ARRAYS */
    bool helper;                     /* a launch of FINISH_ARRAYS names it: it has no cases of its own */
    const char *scratch;             /* FINISH_ITSELF: name of its buffer of one value a block, before the output */
    uint32_t only_block;             /* the one M it is for; 0: all */
    uint32_t variants;               /* of the lab's, those it is for; 0: all */
    unsigned technique;              /* for check_technique: enum lab_technique bits */
    bool tuned;                      /* the file says how it is launched for speed: judge/tuning.c */
    bool any_start;                  /* its input may begin at any element: there are cases with offsets 0 to 31 */
    bool serial;                     /* one thread combines all: the error bound of sums of floats grows with n */
};

/* The cases that a check runs (case_rows.c). */
enum case_set {
    CASES_NONE,
    CASES_ONE_BLOCK,
    CASES_MANY_BLOCKS,
    CASES_ROUNDED,
    CASES_MEASURED, /* a sample of the first two and of CASES_UNALIGNED, none of them large */
    CASES_UNALIGNED,
    CASES_ANY_N /* CASES_MEASURED and large ones */
};
/* What a check does, and what the rest of the grade has to know of it. */
struct check_kind {
    void (*run)(struct judge *j, json_t *result); /* fills `result` by the functions of judge.h */
    enum case_set cases; /* of each of which it says whether it is right: part of a replay of one; or CASES_NONE */
    bool gate;           /* what needs it is not judged before it has passed */
    bool ratio;          /* its points go by the lab's speed_full and speed_none */
};
/* One graded check, of a kind of its own or one of the shared kinds below. */
struct lab_check {
    const char *id, *title;
    unsigned points;
    const char *needs; /* ids of checks before it, with blanks between: it counts as far as they hold; or NULL */
    const struct check_kind *kind;
    bool explains;              /* runs all the same, because it may say why the other failed; but has no points then */
    const char *kernel;         /* the name of the one kernel whose cases it runs; NULL: of all */
    enum visibility visibility; /* what servers tell students of it; the course's to set */
};
/* What the program must or must not do, decided from executed instructions. */
enum lab_technique {
    USES_SHARED = 1,
    NO_ATOMICS = 2,
    USES_BARRIERS = 4,
    IN_PLACE_GLOBAL = 8,
    ONE_ATOMIC_A_BLOCK = 16,
    WARP_SYNC = 32,      /* __syncwarp */
    FEW_BARRIERS = 64,   /* at most 3 a block, whatever its size */
    SHUFFLES = 128,      /* at least 5 a warp */
    REGISTERS = 256,     /* shared memory for one value a warp, written once and read once, and no more */
    ANY_STEPS = 512,     /* any number of tree steps: values may wait in registers between reading and writing */
    VECTOR_LOADS = 1024, /* 16 bytes a lane and load: over all accesses of the measured block at least 15 */
    OWN_COMBINE = 2048,  /* combine is the student's and may branch: divergence counts where memory is accessed */
    ANY_LANES = 4096     /* a quarter of the steps may diverge beyond the reference: divergence is not taught yet */
};

/* Operators of the student's own: `--op FILE`. */
enum lab_own {
    OWN_REFUSED,
    OWN_COMMUTES, /* operands change places */
    OWN_IN_ORDER  /* operands stay in order */
};

/* By what points are given: docs/grading.md. Ratios are over the reference's. */
enum lab_mark {
    MARK_WORK,      /* of a check of results or findings: its share where the kernel has used its input */
    MARK_WRONG,     /* what the classes that hold count where some do not */
    MARK_TECHNIQUE, /* what is above the work's share counts where the kernel does without what the lab is about */
    MARK_WAITING_FULL,
    MARK_WAITING_NONE, /* check_waiting: all points up to, and none from */
    MARK_SECTORS,      /* check_memory: the most sectors */
    MARK_WARPS,        /* check_steps: the most warps at work */
    MARK_UNSEALED,     /* check_predictions: what a file counts that was not sealed before the first grade */
    LAB_MARKS
};
extern const double lab_marks[LAB_MARKS]; /* where a lab has no others */

struct lab {
    const char *id, *name, *title, *learns;
    const struct lab_kernel *kernels;
    unsigned kernel_count;
    uint32_t variants; /* bit (1 << variant_index) */
    const struct lab_check *checks;
    unsigned check_count;
    unsigned technique;             /* enum lab_technique bits */
    const char *const *predictions; /* asked for in predictions.txt: "barriers" or, of another kernel than the first,
                                       "one_level.launches", kernel by kernel; NULL at the end */
    enum lab_own own;               /* whether it takes operators of the student's own */
    double speed_full, speed_none;  /* time over the reference's: full points at or below, none at or above */
    unsigned arch;                  /* compute capability that kernels are compiled for, 80 is 8.0; 0: 7.5 */
    enum assembly assembly;         /* how much of it a submission may hold */
    const double *marks;            /* [LAB_MARKS]; NULL: lab_marks */
    bool speed_measured;            /* measured time, where there is one; else, and everywhere else, modeled */
};
extern const struct lab *const lab_rows[];
extern const unsigned lab_row_count;
const struct lab *lab_find(const char *id);
double lab_mark(const struct lab *lab, enum lab_mark m);
/* Is `id` among what the check needs? */
bool lab_check_needs(const struct lab_check *c, const char *id);
/* Does it need checks before number k alone? */
bool lab_needs_are_before(const struct lab *lab, unsigned k);

/* ---- kinds of checks that labs share (kinds.c); arrays of one, so that a row of lab_check names one plainly ---------
 */
extern const struct check_kind check_one_block[1], /* exact data, n up to one block's elements */
    check_many_blocks[1],                          /* exact data, larger n */
    check_any_n[1],                                /* exact data, both of them together */
    check_unaligned[1],                            /* exact data; input at offsets 0 to 31, n of every remainder */
    check_rounding[1],                             /* arbitrary floats within Higham's bound */
    check_findings[1],                             /* races, barriers, bad and uninitialized accesses */
    check_steps[1],                                /* divergent tree steps and technique vs. reference */
    check_tuning[1],                               /* block size and blocks a multiprocessor, of all variants */
    check_technique[1],                            /* each kernel that declares one, on one block */
    check_memory[1],                               /* bank conflicts and sectors vs. reference */
    check_predictions[1],                          /* predictions.txt beside what was counted */
    check_waiting[1],                              /* cycles of one block alone vs. reference: loads in flight */
    check_speed[1];                                /* time vs. reference */

#endif
