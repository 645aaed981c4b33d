/* What a lab declares, and the interface of its checks. A lab is a folder labs/labN_name with a grader.c that defines
 * `const struct lab labN`; the Makefile finds it. */
#ifndef JUDGE_LAB_H
#define JUDGE_LAB_H

#include "judge/assembly.h"
#include "device/device.h"
#include "record/status.h"
#include "reference.h"
#include <jansson.h>

struct judge;

/* How the launches of a kernel reduce to one value. */
enum lab_finish {
    FINISH_LAUNCH, /* launches again on the partials until one is left; a grid-stride kernel once, as one block */
    FINISH_HOST,   /* the host combines the partials */
    FINISH_ATOMIC, /* a single output, initialized to identity() */
    FINISH_ITSELF, /* one launch writes the total. Launched LAB_LAUNCHES times, or as often as the case says, without a
                      reset by the host in between */
    FINISH_LEVELS, /* one launch per level of the tree, of NAME(data, n, stride): strides 1, 2, 4, ... below n, with at
                      least one thread per pair of elements. The total is in data[0]; there is no case with n = 0 */
    FINISH_ARRAYS  /* arrays, with the launches that `arrays` declares; an oracle computes the expected results */
};
enum { LAB_LAUNCHES = 3 };

/* ---- results that are arrays ------------------------------------------------------------------ */
/* times * COUNT / per, rounded up; for times and per, 0 means 1. */
struct lab_extent {
    enum {
        COUNT_1,
        COUNT_N,     /* elements of the case */
        COUNT_SIDE,  /* of the largest square of at most n elements */
        COUNT_AREA,  /* elements of that square */
        COUNT_M,     /* threads per block in the case */
        COUNT_BLOCKS /* grid_stride: the case's; else n / (elements * M) rounded up, and at least 1 */
    } of;
    uint32_t times, per;
};
struct lab_array {
    const char *name; /* of the kernel's parameter */
    enum {
        ARRAY_IN,     /* drawn; read only */
        ARRAY_OUT,    /* compared with the oracle's */
        ARRAY_ZEROED, /* the same, initialized to zeros before the first launch */
        ARRAY_SCRATCH /* used only by the launches */
    } role;
    struct lab_extent length;
    bool is_unsigned; /* elements are `unsigned`; else value_t */
};
struct lab_launch {
    const char *parameters;     /* "in sums n": names of arrays, or `n`, `side`, separated by blanks */
    const char *kernel;         /* NULL: the row's own; else the name of a helper row */
    struct lab_extent grid[3];  /* 0: 1; at least 1 */
    struct lab_extent block[3]; /* {0}: M x 1 x 1; else 0: 1 */
    struct lab_extent shared;   /* elements of value_t in dynamic shared memory */
    bool no_shared;             /* none; otherwise, if `shared` is {0}, what the row says */
};
/* The oracle's arguments: sizes of the case, inputs in the order of their declaration. It fills in outputs,
 * likewise. */
struct lab_question {
    struct variant variant;
    uint32_t n, side;
    const void *const *inputs;
    void *const *outputs;
};
enum { LAB_ARRAYS = 8, LAB_STEPS = 8 };
struct lab_arrays {
    struct lab_array array[LAB_ARRAYS];  /* terminated by a NULL name */
    struct lab_launch launch[LAB_STEPS]; /* in order; terminated by NULL parameters */
    void (*oracle)(const struct lab_question *q);
    uint32_t large_n; /* elements of the timed case; 0: 2^20 */
};

/* A kernel of the lab and the plan of its launches. One kernel may have several plans: one row each, with a label. */
struct lab_kernel {
    const char *name;           /* "reduce" */
    const char *label;          /* prefix in names of cases, "reduce:host"; NULL: its name */
    const char *input, *output; /* names of its pointer parameters, for messages; the third parameter is n */
    const char *second;         /* name of a second input after the first, with as many elements: the products of the
                                   two are reduced. Not with FINISH_LAUNCH unless one_block, nor FINISH_LEVELS */
    bool halves; /* its input's elements are 16-bit floats (half), while value_t, of its sums, is float: a float variant
                    only, with finite elements and without a second input */
    bool in_place;          /* it may overwrite its input; otherwise the input is read-only */
    bool one_block;         /* accepts any n in one block: the launch is final */
    unsigned elements;      /* per thread: a block covers elements * M (one_block, grid_stride: in a measured block) */
    unsigned shared_values; /* per thread: dynamic shared memory of shared_values * M values */
    unsigned shared_warp_values; /* per warp: shared_warp_values * M / 32 more */
    bool ordered;     /* operands stay in order: only such a kernel is tested with operators that do not commute. If
                         grid_stride, a block takes a contiguous chunk, ceil(n / blocks) */
    bool grid_stride; /* accepts any n with any number of blocks: the case sets the latter */
    bool shares;      /* launched with a block for every segment, but a block may take any elements: it accepts any n
                         with any number of blocks, too */
    unsigned cluster; /* most blocks per cluster, with a whole number of clusters in the grid; 0: no clusters */
    enum lab_finish finish;
    unsigned leaves; /* FINISH_LAUNCH: values that each block leaves, unless it is alone: the fourth parameter; 0: one,
                        and there is no fourth parameter */
    const struct lab_arrays *arrays; /* FINISH_ARRAYS */
    bool helper;                     /* used by a launch of FINISH_ARRAYS: it has no cases of its own */
    const char *scratch;             /* FINISH_ITSELF: name of its buffer of one value per block, before the output */
    uint32_t only_block;             /* the only M it supports; 0: all */
    uint32_t variants;               /* of the lab's, those it supports; 0: all */
    unsigned technique;              /* for check_technique: enum lab_technique bits */
    bool tuned;                      /* the file sets its launch configuration for speed: judge/tuning.c */
    bool any_start;                  /* its input may begin at any element: there are cases with offsets 0 to 31 */
    bool serial;                     /* one thread combines everything: the error bound of float sums grows with n */
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
/* What a check does, and its properties for the rest of the grade. */
struct check_kind {
    void (*run)(struct judge *j, json_t *result); /* fills in `result` using the functions of judge.h */
    enum case_set cases; /* cases that it judges individually, so that it is part of their replay; or CASES_NONE */
    bool gate;           /* checks that need it are not judged until it passes */
    bool ratio;          /* its points depend on the lab's speed_full and speed_none */
};
/* One graded check, of its own kind or one of the shared kinds below. */
struct lab_check {
    const char *id, *title;
    unsigned points;
    const char *needs; /* ids of earlier checks, separated by blanks: it counts in proportion to them; or NULL */
    const struct check_kind *kind;
    bool explains;              /* runs even if blocked, because it may say why the other failed; but then has no
                                   points */
    const char *kernel;         /* the name of the only kernel whose cases it runs; NULL: all */
    enum visibility visibility; /* what servers show students; set by the course */
};
/* What the program must or must not do, decided from executed instructions. */
enum lab_technique {
    USES_SHARED = 1,
    NO_ATOMICS = 2,
    USES_BARRIERS = 4,
    IN_PLACE_GLOBAL = 8,
    ONE_ATOMIC_A_BLOCK = 16,
    WARP_SYNC = 32,      /* __syncwarp */
    FEW_BARRIERS = 64,   /* at most 3 per block, whatever its size */
    SHUFFLES = 128,      /* at least 5 per warp */
    REGISTERS = 256,     /* shared memory only for one value per warp, written once and read once */
    ANY_STEPS = 512,     /* any number of tree steps: values may stay in registers between reading and writing. Only
                            divergence in memory accesses and shuffles counts: combine may branch */
    VECTOR_LOADS = 1024, /* 16 bytes per lane and load: averaged over all accesses of the measured block, at least 15 */
    CLUSTER_MEMORY = 8192, /* the blocks of a cluster exchange their results in shared memory */
    ONE_ATOMIC_A_CLUSTER = 16384,
    TENSOR_CORES = 32768, /* products of matrices add the elements, all but fewer than TENSOR_REST of a launch */
    ANY_LANES = 4096      /* a quarter of the steps may diverge beyond the reference: divergence has not been taught
                             yet */
};

enum { TENSOR_REST = 256 /* elements of one product */ };

/* A student's own operators: `--op FILE`. */
enum lab_own {
    OWN_REFUSED,
    OWN_COMMUTES, /* operands are reordered */
    OWN_IN_ORDER  /* operands stay in order */
};

/* Thresholds for points: docs/grading.md. Ratios are relative to the reference's. */
enum lab_mark {
    MARK_WORK,      /* for a check of results or findings: its share of the points if the kernel has used its input */
    MARK_WRONG,     /* what the passing classes count for if others fail */
    MARK_TECHNIQUE, /* if the kernel avoids the lab's technique, the points beyond the work's share are multiplied by
                       this */
    MARK_WAITING_FULL,
    MARK_WAITING_NONE, /* check_waiting: full points up to the first ratio, none from the second */
    MARK_SECTORS,      /* check_memory: maximum sectors */
    MARK_WARPS,        /* check_steps: maximum working warps */
    MARK_UNSEALED,     /* check_predictions: the value of a file that was not sealed before the first grade */
    LAB_MARKS
};
extern const double lab_marks[LAB_MARKS]; /* for labs without their own */

struct lab {
    const char *id, *name, *title, *learns;
    const struct lab_kernel *kernels;
    unsigned kernel_count;
    uint32_t variants; /* bit (1 << variant_index) */
    const struct lab_check *checks;
    unsigned check_count;
    unsigned technique;             /* enum lab_technique bits */
    const char *const *predictions; /* the questions in predictions.txt: "barriers" or, for a kernel other than the
                                       first, "one_level.launches", kernel by kernel; terminated by NULL */
    enum lab_own own;               /* whether it supports a student's own operators */
    double speed_full, speed_none;  /* ratio to the reference's time: full points at or below, none at or above */
    unsigned arch;                  /* compute capability for compiling kernels, 80 is 8.0; 0: 7.5 */
    enum assembly assembly;         /* how much inline assembly a submission may contain */
    const double *marks;            /* [LAB_MARKS]; NULL: lab_marks */
    bool speed_measured;            /* measured time if available; otherwise modeled */
};
extern const struct lab *const lab_rows[];
extern const unsigned lab_row_count;
const struct lab *lab_find(const char *id);
double lab_mark(const struct lab *lab, enum lab_mark m);
/* Whether the check needs `id`. */
bool lab_check_needs(const struct lab_check *c, const char *id);
/* Whether check k only needs checks before number `before`. */
bool lab_needs_are_before(const struct lab *lab, unsigned k, unsigned before);

/* ---- kinds of checks that labs share (kinds.c); arrays of one, so that a row of lab_check can name one directly
   ------ */
extern const struct check_kind check_one_block[1], /* exact data, n up to one block's elements */
    check_many_blocks[1],                          /* exact data, larger n */
    check_any_n[1],                                /* exact data, both together */
    check_unaligned[1],                            /* exact data; input at offsets 0 to 31, n with every remainder */
    check_rounding[1],                             /* arbitrary floats within Higham's bound */
    check_findings[1],                             /* races, barriers, bad and uninitialized accesses */
    check_steps[1],                                /* divergent tree steps and technique vs. reference */
    check_tuning[1],                               /* block size and blocks per SM, for all variants */
    check_technique[1],                            /* each kernel that declares one, on one block */
    check_memory[1],                               /* bank conflicts and sectors vs. reference */
    check_predictions[1],                          /* predictions.txt vs. counts */
    check_waiting[1],                              /* cycles of one block alone vs. reference: loads in flight */
    check_speed[1];                                /* time vs. reference */

#endif
