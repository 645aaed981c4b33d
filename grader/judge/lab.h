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
    FINISH_LAUNCH, /* the kernel runs again on the partials until one is left. A grid-stride kernel runs only once more,
                      as a single block */
    FINISH_HOST,   /* the host combines the partials */
    FINISH_ATOMIC, /* all blocks update a single output, which is identity() before the launch */
    FINISH_ITSELF, /* one launch writes the total. It runs LAB_LAUNCHES times, or as often as the case requires. The
                      host does not reset the module's variables or `scratch` between launches */
    FINISH_LEVELS, /* one launch NAME(data, n, stride) per level of the tree, for strides 1, 2, 4, ... below n, with at
                      least one thread per pair. The total is in data[0]. n is at least 1 */
    FINISH_ARRAYS  /* the launches in `arrays` compute arrays, and an oracle computes the expected ones */
};
enum { LAB_LAUNCHES = 3 };

/* ---- results that are arrays ------------------------------------------------------------------ */
/* A number of elements or blocks: times * COUNT / per, rounded up. 0 for `times` or `per` means 1. */
struct lab_extent {
    enum {
        COUNT_1,
        COUNT_N,     /* n of the case */
        COUNT_SIDE,  /* side of the largest square with at most n elements */
        COUNT_AREA,  /* COUNT_SIDE squared */
        COUNT_M,     /* M, threads per block of the case */
        COUNT_BLOCKS /* blocks: those of the case for grid_stride; 1 for one_block; otherwise n / (elements * M),
                        rounded up, at least 1 */
    } of;
    uint32_t times, per;
};
struct lab_array {
    const char *name; /* name of the kernel's parameter */
    enum {
        ARRAY_IN,     /* an input, which the launches must not change */
        ARRAY_OUT,    /* an output, compared with the oracle's */
        ARRAY_ZEROED, /* an output, whose elements are 0 before the first launch */
        ARRAY_SCRATCH /* memory that only the launches use */
    } role;
    struct lab_extent length;
    bool is_unsigned; /* elements are of type `unsigned` instead of value_t */
};
struct lab_launch {
    const char *parameters;     /* names of arrays, `n` or `side`, separated by spaces, such as "in sums n" */
    const char *kernel;         /* name of a helper row whose kernel is launched; NULL: the row's own kernel */
    struct lab_extent grid[3];  /* blocks per dimension, at least 1 */
    struct lab_extent block[3]; /* threads per dimension, at least 1; {0}: M x 1 x 1 */
    struct lab_extent shared;   /* dynamic shared memory, in elements of value_t */
    bool no_shared;             /* no dynamic shared memory; otherwise, {0} in `shared` means the row's amount */
};
/* The arguments of the oracle, which computes the outputs: sizes of the case; inputs and outputs, in the order in which
 * they are declared. */
struct lab_question {
    struct variant variant;
    uint32_t n, side;
    const void *const *inputs;
    void *const *outputs;
};
enum { LAB_ARRAYS = 8, LAB_STEPS = 8 };
struct lab_arrays {
    struct lab_array array[LAB_ARRAYS];  /* ends with an array whose name is NULL */
    struct lab_launch launch[LAB_STEPS]; /* in order; ends with a launch whose parameters are NULL */
    void (*oracle)(const struct lab_question *q);
    uint32_t large_n; /* elements of the large case, which is modeled or timed; 0: 2^20 */
};

/* A kernel of the lab with a plan of its launches. A kernel with several plans has several rows, with labels. */
struct lab_kernel {
    const char *name;           /* such as "reduce" */
    const char *label;          /* prefix of case names, such as "reduce:host"; NULL: `name` */
    const char *input, *output; /* names of the pointer parameters, for messages; parameter n follows the output */
    /* name of a second input, which follows the first and has as many elements. The kernel reduces the products of
     * both. Not allowed with FINISH_LEVELS; with FINISH_LAUNCH, only if one_block */
    const char *second;
    bool halves;    /* the input's elements are 16-bit floats (half), while sums (value_t) are floats. Only for a float
                       variant with finite elements, and without a second input */
    bool in_place;  /* the kernel may overwrite its input, which is otherwise read-only */
    bool one_block; /* one block accepts any n, so one launch suffices */
    unsigned elements; /* elements per thread: a block takes elements * M. With one_block or grid_stride, this holds
                          only for a measured launch */
    unsigned shared_values;      /* dynamic shared memory per block: shared_values * M values */
    unsigned shared_warp_values; /* additional shared_warp_values * M / 32 values per block */
    bool ordered;     /* the kernel keeps operands in order. Only such kernels get operators that do not commute. With
                         grid_stride, each block takes a contiguous chunk of ceil(n / blocks) elements */
    uint32_t max_n;   /* maximum n in the contract; 0: 2^31 */
    bool grid_stride; /* the kernel accepts any n with any number of blocks, which the case sets */
    bool shares; /* blocks may choose their elements, although there is one block per segment. The kernel then accepts
                    any n with any number of blocks */
    unsigned cluster; /* maximum number of blocks per cluster; 0: no clusters. A grid consists of whole clusters */
    enum lab_finish finish;
    unsigned leaves; /* FINISH_LAUNCH: number of values that each block writes, passed as the fourth parameter; if there
                        is only one block, it writes one. 0: one value, and no fourth parameter */
    const struct lab_arrays *arrays; /* FINISH_ARRAYS */
    bool helper;                     /* only launches of FINISH_ARRAYS use the kernel, so no case is named after it */
    const char *scratch;             /* FINISH_ITSELF: parameter before the output, a buffer with one value per block */
    uint32_t only_block;             /* the only M that the kernel supports; 0: all */
    uint32_t variants;               /* the lab's variants that the kernel supports; 0: all */
    unsigned technique;              /* bits of enum lab_technique, for check_technique */
    bool tuned;                      /* the file chooses the kernel's launch configuration (judge/tuning.c) */
    bool any_start;                  /* the input may begin at any element; cases have offsets 0 to 31 */
    bool serial; /* one thread combines all elements, so the error bound of float sums grows with n */
};

/* Sets of cases. Each check runs one of them (case_rows.c). */
enum case_set {
    CASES_NONE,
    CASES_ONE_BLOCK,
    CASES_MANY_BLOCKS,
    CASES_ROUNDED,
    CASES_MEASURED, /* a sample of CASES_ONE_BLOCK, CASES_MANY_BLOCKS and CASES_UNALIGNED, with few large cases */
    CASES_UNALIGNED,
    CASES_ANY_N /* CASES_MEASURED and cases of other rows, most of which are large or have special values */
};
/* A check's function, and properties that other parts of a grade need. */
struct check_kind {
    void (*run)(struct judge *j, json_t *result); /* fills in `result` by calling the functions of judge.h */
    enum case_set cases; /* cases that the check judges; CASES_NONE: none. A replay of such a case runs this check */
    bool gate;           /* checks that need this one are blocked while it has no points */
    bool ratio;          /* points depend on the lab's speed_full and speed_none */
    bool observes; /* the check examines observed launches (observed.h); one process runs them for all such checks with
                      the same prerequisites */
};
/* A graded check. Its kind is one of those below, or the lab's own. */
struct lab_check {
    const char *id, *title;
    unsigned points;
    const char *needs; /* ids of the earlier checks that this one needs, separated by spaces; NULL: none. Points that
                          they lose reduce this check's points */
    const struct check_kind *kind;
    bool explains; /* the check also runs if a needed check blocks it; it then explains the failure, without points */
    const char *kernel;         /* the check runs only this kernel's cases; NULL: those of all kernels */
    enum visibility visibility; /* when servers show the check to students; the course sets this */
};
/* What the kernel must or must not do. The instructions that it executed decide. */
enum lab_technique {
    USES_SHARED = 1,
    NO_ATOMICS = 2,
    USES_BARRIERS = 4,
    IN_PLACE_GLOBAL = 8,
    ONE_ATOMIC_A_BLOCK = 16,
    WARP_SYNC = 32,     /* __syncwarp */
    FEW_BARRIERS = 64,  /* a block executes at most 3 barriers on average, whatever its size */
    SHUFFLES = 128,     /* warps with elements execute at least 5 shuffles on average */
    REGISTERS = 256,    /* shared memory receives at most one value per warp, one per block, and a flag of 4 bytes per
                           block. The block that finishes a launch may store as many values again */
    ANY_STEPS = 512,    /* any number of tree steps is allowed, because values may stay in registers between reading and
                           writing. Only divergence in memory accesses and shuffles counts, because combine may branch */
    NO_BARRIERS = 2048, /* no block-wide barriers */
    VECTOR_LOADS = 1024,   /* all loads of a launch, except for a few, are at least 15 bytes wide per lane on average
                              (16-byte loads) */
    CLUSTER_MEMORY = 8192, /* the blocks of a cluster exchange results in shared memory */
    ONE_ATOMIC_A_CLUSTER = 16384,
    TENSOR_CORES = 32768, /* matrix products add all elements of a launch, except for fewer than TENSOR_REST */
    ANY_LANES = 4096      /* additional steps may diverge, at most a quarter of the reference's tree steps, because
                             divergence has not been taught */
};

enum { TENSOR_REST = 256 /* elements that one product adds */ };

/* Whether a lab supports a student's own operator (`--op FILE`). */
enum lab_own {
    OWN_REFUSED,
    OWN_COMMUTES, /* if the operator commutes, because kernels reorder operands */
    OWN_IN_ORDER  /* all operators, because kernels keep operands in order */
};

/* Thresholds and factors for points (docs/grading.md). Ratios compare with the reference. */
enum lab_mark {
    MARK_WORK,      /* checks of results and findings: share of the points for using the input */
    MARK_WRONG,     /* weight of the passing classes if others fail */
    MARK_TECHNIQUE, /* factor for points above MARK_WORK if the kernel avoids the lab's technique */
    MARK_WAITING_FULL,
    MARK_WAITING_NONE, /* check_waiting: all points up to a ratio of MARK_WAITING_FULL, none from MARK_WAITING_NONE on
                        */
    MARK_SECTORS,      /* check_memory: maximum ratio of sectors */
    MARK_WARPS,        /* check_steps: maximum ratio of active warps */
    MARK_UNSEALED,     /* check_predictions: factor for a file that was not sealed before the first grade */
    LAB_MARKS
};
extern const double lab_marks[LAB_MARKS]; /* the thresholds of labs that set none */

struct lab {
    const char *id, *name, *title, *learns;
    const struct lab_kernel *kernels;
    unsigned kernel_count;
    uint32_t variants; /* bits 1 << variant_index() */
    const struct lab_check *checks;
    unsigned check_count;
    unsigned technique; /* enum lab_technique bits */
    const char *const
        *predictions; /* questions of predictions.txt, grouped by kernel; ends with NULL. A question is a key such as
                         "barriers" or, for a kernel other than the first, "one_level.launches" */
    enum lab_own own; /* whether the lab supports a student's own operator */
    double speed_full,
        speed_none; /* ratios of time to the reference's: all points up to speed_full, none from speed_none on */
    unsigned arch;  /* compute capability to compile for (80 for 8.0); 0: 7.5 */
    enum assembly assembly; /* rule for inline assembly in a submission */
    const double *marks;    /* [LAB_MARKS] thresholds; NULL: lab_marks */
    bool speed_measured;    /* points depend on measured time if there is one; otherwise, on modeled time */
};
extern const struct lab *const lab_rows[];
extern const unsigned lab_row_count;
const struct lab *lab_find(const char *id);              /* by id or name; NULL if there is none */
double lab_mark(const struct lab *lab, enum lab_mark m); /* the lab's threshold or the default */
/* Returns whether this check needs check `id`. */
bool lab_check_needs(const struct lab_check *c, const char *id);
/* Returns whether all checks that check k needs have numbers below `before`. */
bool lab_needs_are_before(const struct lab *lab, unsigned k, unsigned before);

/* ---- kinds of checks that labs share (kinds.c). Each is an array of one element, so that rows can point to it ---- */
extern const struct check_kind check_one_block[1], /* exact data, one block */
    check_many_blocks[1],                          /* exact data, larger n or several blocks */
    check_any_n[1],                                /* exact data, any n */
    check_unaligned[1],                            /* exact data, input at offsets 0 to 31, every remainder of n */
    check_rounding[1],                             /* arbitrary floats, with Higham's error bound */
    check_findings[1],                             /* races, barrier errors, and invalid or uninitialized accesses */
    check_steps[1],                                /* divergent tree steps and technique, compared with the reference */
    check_tuning[1],                               /* block size and blocks per SM, for all variants */
    check_technique[1],                            /* technique of each kernel that declares one */
    check_memory[1],                               /* bank conflicts and sectors, compared with the reference */
    check_predictions[1],                          /* predictions.txt, compared with counts */
    check_waiting[1], /* cycles of a single block, compared with the reference; they show how many loads it keeps in
                         flight */
    check_speed[1];   /* time, compared with the reference */

#endif
