/* The declaration of a lab and of its checks. A lab is a folder labs/labN_name with a grader.c that defines `const
 * struct lab labN`. The Makefile finds these folders. */
#ifndef JUDGE_LAB_H
#define JUDGE_LAB_H

#include "compile/assembly.h"
#include "device/device.h"
#include "record/status.h"
#include "reference.h"
#include <jansson.h>

struct judge;

/* How the launches of a kernel reduce the input to one value. */
enum lab_finish {
    FINISH_LAUNCH, /* the kernel runs again on the partials until one is left. A grid-stride kernel runs again only
                      once, as a single block */
    FINISH_HOST,   /* the host combines the partials */
    FINISH_ATOMIC, /* all blocks update a single output, which is identity() before the launch */
    FINISH_ITSELF, /* one launch writes the total. The kernel is launched LAB_LAUNCHES times, or as often as the case
                      requires. In between, the host resets neither the module's variables nor `scratch` */
    FINISH_LEVELS, /* one launch NAME(data, n, stride) per level of the tree, with strides 1, 2, 4, ... below n and at
                      least one thread per pair of elements. The total is in data[0]. n is never 0 */
    FINISH_ARRAYS  /* the launches in `arrays` compute arrays, and an oracle computes the expected arrays */
};
enum { LAB_LAUNCHES = 3 };

/* ---- results that are arrays ------------------------------------------------------------------ */
/* A number of elements or blocks: times * COUNT / per, rounded up. A value of 0 for `times` or `per` means 1. */
struct lab_extent {
    enum {
        COUNT_1,
        COUNT_N,     /* n, the number of elements of the case */
        COUNT_SIDE,  /* side of the largest square of at most n elements */
        COUNT_AREA,  /* number of elements of the square of side COUNT_SIDE */
        COUNT_M,     /* M, the number of threads per block of the case */
        COUNT_BLOCKS /* number of blocks: that of the case for grid_stride; 1 for one_block; otherwise n / (elements *
                        M), rounded up, at least 1 */
    } of;
    uint32_t times, per;
};
struct lab_array {
    const char *name; /* name of the kernel's parameter */
    enum {
        ARRAY_IN,     /* an input, which the launches must not change */
        ARRAY_OUT,    /* an output, which is compared with the oracle's */
        ARRAY_ZEROED, /* an output whose elements are 0 before the first launch */
        ARRAY_SCRATCH /* memory that only the launches use */
    } role;
    struct lab_extent length;
    bool is_unsigned; /* whether elements are of type `unsigned` instead of value_t */
};
struct lab_launch {
    const char *parameters;     /* names of arrays, `n` or `side`, separated by spaces, such as "in sums n" */
    const char *kernel;         /* name of a helper row, whose kernel is launched; NULL for the row's own kernel */
    struct lab_extent grid[3];  /* number of blocks per dimension, at least 1 */
    struct lab_extent block[3]; /* number of threads per dimension, at least 1; {0} for M x 1 x 1 */
    struct lab_extent shared;   /* dynamic shared memory, in elements of value_t */
    bool no_shared; /* whether the launch has no dynamic shared memory; otherwise, {0} in `shared` means the row's
                       amount */
};
/* Arguments of the oracle, which computes the outputs: the sizes of the case, and the inputs and outputs in the order
 * of declaration. */
struct lab_question {
    struct variant variant;
    uint32_t n, side;
    const void *const *inputs;
    void *const *outputs;
};
enum { LAB_ARRAYS = 8, LAB_STEPS = 8 };
struct lab_arrays {
    struct lab_array array[LAB_ARRAYS];  /* terminated by an array whose name is NULL */
    struct lab_launch launch[LAB_STEPS]; /* launches in order, terminated by one whose parameters are NULL */
    void (*oracle)(const struct lab_question *q);
    uint32_t large_n; /* number of elements of the large case that is modeled or timed; 0 for 2^20 */
};

/* A kernel of the lab with the plan of its launches. If a kernel has multiple plans, each is a row with a label. */
struct lab_kernel {
    const char *name;           /* such as "reduce" */
    const char *label;          /* prefix of case names, such as "reduce:host"; NULL for `name` */
    const char *input, *output; /* names of the pointer parameters, for messages; n follows the output */
    const char *second; /* name of a second input, which follows the first and has the same number of elements; the
                           kernel reduces the products of both. Not allowed with FINISH_LEVELS; with FINISH_LAUNCH
                           only if one_block */
    bool halves;    /* whether the input's elements are 16-bit floats (half), while value_t, the type of sums, is float.
                       Only for a float variant with finite elements and without a second input */
    bool in_place;  /* whether the kernel may overwrite its input; otherwise the input is read-only */
    bool one_block; /* whether one block accepts any n, so that one launch suffices */
    unsigned elements;           /* elements per thread: a block takes elements * M elements. With one_block or
                                    grid_stride, this holds only for a measured launch */
    unsigned shared_values;      /* dynamic shared memory per thread: shared_values * M values per block */
    unsigned shared_warp_values; /* dynamic shared memory per warp: shared_warp_values * M / 32 additional values per
                                    block */
    bool ordered; /* whether the kernel keeps operands in order; only such kernels are tested with operators that do not
                     commute. With grid_stride, each block takes a contiguous chunk of ceil(n / blocks) elements */
    uint32_t max_n;   /* maximum number of elements in the contract; 0 for 2^31 */
    bool grid_stride; /* whether the kernel accepts any n with any number of blocks, which the case sets */
    bool shares; /* whether blocks may choose their elements, although there is one block per segment. The kernel then
                    accepts any n with any number of blocks */
    unsigned cluster; /* maximum blocks per cluster, or 0 for no clusters. A grid consists of whole clusters */
    enum lab_finish finish;
    unsigned leaves; /* number of values that each block writes for FINISH_LAUNCH, unless it is the only block; passed
                        as the fourth parameter. 0 for one value and no fourth parameter */
    const struct lab_arrays *arrays; /* FINISH_ARRAYS */
    bool helper;         /* whether only launches of FINISH_ARRAYS use the kernel, so that no case is named after it */
    const char *scratch; /* parameter before the output, for FINISH_ITSELF: a buffer with one value per block */
    uint32_t only_block; /* the only M that the kernel supports; 0 for all */
    uint32_t variants;   /* the variants of the lab that the kernel supports; 0 for all */
    unsigned technique;  /* bits of enum lab_technique, for check_technique */
    bool tuned;          /* whether the file chooses the kernel's launch configuration (judge/tuning.c) */
    bool any_start;      /* whether the input may begin at any element; cases then have offsets 0 to 31 */
    bool serial; /* whether one thread combines all elements, so that the error bound of float sums grows with n */
};

/* Sets of cases. Each check runs one of them (case_rows.c). */
enum case_set {
    CASES_NONE,
    CASES_ONE_BLOCK,
    CASES_MANY_BLOCKS,
    CASES_ROUNDED,
    CASES_MEASURED, /* a sample of CASES_ONE_BLOCK, CASES_MANY_BLOCKS and CASES_UNALIGNED, with few large cases */
    CASES_UNALIGNED,
    CASES_ANY_N /* CASES_MEASURED plus cases of other rows, most of which are large or have special values */
};
/* A check's function, and properties that other parts of a grade need. */
struct check_kind {
    void (*run)(struct judge *j, json_t *result); /* fills in `result` by calling the functions of judge.h */
    enum case_set cases; /* cases that the check judges, or CASES_NONE; a replay of such a case runs this check */
    bool gate;           /* whether checks that need this one are blocked whenever it has no points */
    bool ratio;          /* whether points depend on the lab's speed_full and speed_none */
    bool observes; /* whether the check examines observed launches (observed.h); one process runs them once for all such
                      checks */
};
/* A graded check. Its kind is one of the shared kinds below or the lab's own. */
struct lab_check {
    const char *id, *title;
    unsigned points;
    const char *needs; /* ids of the earlier checks that this one needs, separated by spaces, or NULL; points that they
                          lose reduce the points of this check */
    const struct check_kind *kind;
    bool explains; /* whether the check also runs if a check that it needs blocks it. It then explains the failure and
                      gets no points */
    const char *kernel;         /* the only kernel whose cases the check runs; NULL for all kernels */
    enum visibility visibility; /* when servers show the check to students; set by the course */
};
/* What the kernel must or must not do, according to the instructions that it executed. */
enum lab_technique {
    USES_SHARED = 1,
    NO_ATOMICS = 2,
    USES_BARRIERS = 4,
    IN_PLACE_GLOBAL = 8,
    ONE_ATOMIC_A_BLOCK = 16,
    WARP_SYNC = 32,    /* __syncwarp */
    FEW_BARRIERS = 64, /* blocks of any size execute at most 3 barriers on average */
    SHUFFLES = 128,    /* warps that have elements execute at least 5 shuffles on average */
    REGISTERS = 256,   /* shared memory receives at most one value per warp, one per block, and a flag of 4 bytes per
                          block; the block that finishes a launch may store as many values again */
    ANY_STEPS =
        512, /* any number of tree steps is allowed, because values may stay in registers between reading and writing.
                Only divergence in memory accesses and shuffles is counted, because combine may branch */
    VECTOR_LOADS = 1024, /* loads are 16 bytes wide per lane: at least 15 on average over all loads of a launch, except
                            for a few */
    CLUSTER_MEMORY = 8192, /* the blocks in a cluster exchange their results in shared memory */
    ONE_ATOMIC_A_CLUSTER = 16384,
    TENSOR_CORES = 32768, /* matrix products add all elements of a launch except fewer than TENSOR_REST */
    ANY_LANES = 4096 /* additional steps may diverge, up to a quarter of the reference's tree steps, because divergence
                        has not been taught yet */
};

enum { TENSOR_REST = 256 /* number of elements that one product adds */ };

/* Whether a lab supports a student's own operator (`--op FILE`). */
enum lab_own {
    OWN_REFUSED,
    OWN_COMMUTES, /* supported if the operator commutes, because kernels reorder operands */
    OWN_IN_ORDER  /* supported, because kernels keep operands in order */
};

/* Thresholds and factors for points (docs/grading.md). Ratios are relative to the reference. */
enum lab_mark {
    MARK_WORK,      /* checks of results and findings: share of the points that a kernel gets for using its input */
    MARK_WRONG,     /* weight of the passing classes if others fail */
    MARK_TECHNIQUE, /* factor for points in excess of MARK_WORK if the kernel avoids the lab's technique */
    MARK_WAITING_FULL,
    MARK_WAITING_NONE, /* check_waiting: all points for ratios up to MARK_WAITING_FULL, no points for MARK_WAITING_NONE
                          or more */
    MARK_SECTORS,      /* check_memory: maximum ratio of sectors */
    MARK_WARPS,        /* check_steps: maximum ratio of working warps */
    MARK_UNSEALED,     /* check_predictions: factor for a file that was not sealed before the first grade */
    LAB_MARKS
};
extern const double lab_marks[LAB_MARKS]; /* thresholds of labs that set none */

struct lab {
    const char *id, *name, *title, *learns;
    const struct lab_kernel *kernels;
    unsigned kernel_count;
    uint32_t variants; /* set of variants: bits 1 << variant_index */
    const struct lab_check *checks;
    unsigned check_count;
    unsigned technique; /* enum lab_technique bits */
    const char *const
        *predictions; /* questions in predictions.txt, grouped by kernel and terminated by NULL. A question is a key
                         such as "barriers" or, for a kernel other than the first, "one_level.launches" */
    enum lab_own own; /* whether the lab supports a student's own operator */
    double speed_full,
        speed_none; /* ratios to the reference's time: all points up to speed_full, no points for speed_none or more */
    unsigned arch;  /* compute capability for compiling kernels (80 for 8.0); 0 means 7.5 */
    enum assembly assembly; /* rule for inline assembly in a submission */
    const double *marks;    /* [LAB_MARKS] thresholds; NULL for lab_marks */
    bool speed_measured;    /* whether points depend on measured time where it is available; otherwise, they depend on
                               modeled time */
};
extern const struct lab *const lab_rows[];
extern const unsigned lab_row_count;
const struct lab *lab_find(const char *id);              /* by id or name; NULL if there is none */
double lab_mark(const struct lab *lab, enum lab_mark m); /* the lab's threshold, or the default */
/* Returns whether check `id` is a prerequisite of this check. */
bool lab_check_needs(const struct lab_check *c, const char *id);
/* Returns whether all prerequisites of check k have numbers below `before`. */
bool lab_needs_are_before(const struct lab *lab, unsigned k, unsigned before);

/* ---- kinds of checks that labs share (kinds.c). Each is an array of one element, so that rows can point to it ---- */
extern const struct check_kind check_one_block[1], /* exact data; a single block */
    check_many_blocks[1],                          /* exact data; larger n or several blocks */
    check_any_n[1],                                /* exact data, any n */
    check_unaligned[1],                            /* exact data; input at offsets 0 to 31, every remainder of n */
    check_rounding[1],                             /* arbitrary floats, with Higham's error bound */
    check_findings[1],                             /* races, barrier errors, and invalid or uninitialized accesses */
    check_steps[1],                                /* divergent tree steps and technique vs. reference */
    check_tuning[1],                               /* block size and blocks per SM, for all variants */
    check_technique[1],                            /* technique of each kernel that declares one, on one block */
    check_memory[1],                               /* bank conflicts and sectors vs. reference */
    check_predictions[1],                          /* predictions.txt vs. counts */
    check_waiting[1], /* cycles of a single block vs. reference; they show how many loads it keeps in flight */
    check_speed[1];   /* time vs. reference */

#endif
