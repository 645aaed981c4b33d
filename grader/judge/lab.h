/* What a lab declares, and the interface of its checks. A lab is a folder labs/labN_name with a grader.c that defines
 * `const struct lab labN`. The Makefile finds these folders. */
#ifndef JUDGE_LAB_H
#define JUDGE_LAB_H

#include "judge/assembly.h"
#include "device/device.h"
#include "record/status.h"
#include "reference.h"
#include <jansson.h>

struct judge;

/* How the launches of a kernel reduce the input to one value. */
enum lab_finish {
    FINISH_LAUNCH, /* the kernel is launched again on the partials until one is left; a grid-stride kernel only once, as
                      one block */
    FINISH_HOST,   /* the host combines the partials */
    FINISH_ATOMIC, /* all blocks update a single output, which is identity() at first */
    FINISH_ITSELF, /* one launch writes the total. It is launched LAB_LAUNCHES times, or as often as the case says, and
                      the host resets nothing in between */
    FINISH_LEVELS, /* one launch NAME(data, n, stride) per level of the tree, for strides 1, 2, 4, ... below n, with at
                      least one thread per pair of elements. The total is in data[0]. No case has n = 0 */
    FINISH_ARRAYS  /* results are arrays, computed by the launches that `arrays` declares; an oracle computes the
                      expected results */
};
enum { LAB_LAUNCHES = 3 };

/* ---- results that are arrays ------------------------------------------------------------------ */
/* A number of elements or blocks: times * COUNT / per, rounded up. For times and per, 0 means 1. */
struct lab_extent {
    enum {
        COUNT_1,
        COUNT_N,     /* the case's elements */
        COUNT_SIDE,  /* the side of the largest square of at most n elements */
        COUNT_AREA,  /* the elements of that square */
        COUNT_M,     /* threads per block in the case */
        COUNT_BLOCKS /* blocks: for grid_stride, the case's; else n / (elements * M), rounded up, at least 1 */
    } of;
    uint32_t times, per;
};
struct lab_array {
    const char *name; /* the kernel's parameter */
    enum {
        ARRAY_IN,     /* drawn, and not written */
        ARRAY_OUT,    /* compared with the oracle's output */
        ARRAY_ZEROED, /* an output that holds zeros before the first launch */
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
    bool no_shared;             /* no dynamic shared memory; if false and `shared` is {0}, the row's */
};
/* The oracle's arguments: the sizes of the case, and the inputs and outputs in the order of their declaration. The
 * oracle sets the outputs. */
struct lab_question {
    struct variant variant;
    uint32_t n, side;
    const void *const *inputs;
    void *const *outputs;
};
enum { LAB_ARRAYS = 8, LAB_STEPS = 8 };
struct lab_arrays {
    struct lab_array array[LAB_ARRAYS];  /* terminated by a NULL name */
    struct lab_launch launch[LAB_STEPS]; /* in their order; the last one has NULL parameters */
    void (*oracle)(const struct lab_question *q);
    uint32_t large_n; /* elements of the timed case; 0: 2^20 */
};

/* A kernel of the lab and the plan of its launches. A kernel with several plans has a row for each, with a label. */
struct lab_kernel {
    const char *name;           /* "reduce" */
    const char *label;          /* prefix in names of cases, such as "reduce:host"; NULL: `name` */
    const char *input, *output; /* names of the pointer parameters, for messages; the third parameter is n */
    const char *second; /* name of a second input after the first, with as many elements; the products of both are
                           reduced. Not with FINISH_LEVELS, and with FINISH_LAUNCH only if one_block */
    bool halves; /* the input's elements are 16-bit floats (half), while value_t, the type of sums, is float. Only for a
                    float variant with finite elements and without a second input */
    bool in_place;     /* the kernel may overwrite its input; otherwise the input is read-only */
    bool one_block;    /* one block accepts any n, so one launch suffices */
    unsigned elements; /* per thread: a block has elements * M elements (one_block, grid_stride: a measured block) */
    unsigned shared_values;      /* per thread: dynamic shared memory of shared_values * M values */
    unsigned shared_warp_values; /* per warp: another shared_warp_values * M / 32 values */
    bool ordered;     /* the kernel keeps operands in order. Only such kernels are tested with operators that do not
                         commute. If grid_stride, a block takes a contiguous chunk of ceil(n / blocks) elements */
    bool grid_stride; /* the kernel accepts any n with any number of blocks, which the case sets */
    bool shares; /* launched with one block per segment, but a block may take any elements: the kernel accepts any n
                    with any number of blocks, too */
    unsigned cluster; /* maximum number of blocks per cluster; the grid has whole clusters; 0: no clusters */
    enum lab_finish finish;
    unsigned leaves; /* FINISH_LAUNCH: the number of values that each block leaves, unless it is the only one. It is the
                        fourth parameter. 0: one value, and no fourth parameter */
    const struct lab_arrays *arrays; /* FINISH_ARRAYS */
    bool helper;                     /* used by a launch of FINISH_ARRAYS, without cases of its own */
    const char *scratch; /* FINISH_ITSELF: name of the parameter before the output, a buffer of one value per block */
    uint32_t only_block; /* the only M that the kernel supports; 0: all */
    uint32_t variants;   /* the lab's variants that the kernel supports; 0: all */
    unsigned technique;  /* for check_technique: bits of enum lab_technique */
    bool tuned;          /* the file sets the launch configuration for speed: judge/tuning.c */
    bool any_start;      /* the input may begin at any element, so there are cases with offsets 0 to 31 */
    bool serial;         /* one thread combines everything, so the error bound of float sums grows with n */
};

/* The cases that a check runs (case_rows.c). */
enum case_set {
    CASES_NONE,
    CASES_ONE_BLOCK,
    CASES_MANY_BLOCKS,
    CASES_ROUNDED,
    CASES_MEASURED, /* a sample of the first two sets and of CASES_UNALIGNED, without large cases */
    CASES_UNALIGNED,
    CASES_ANY_N /* CASES_MEASURED and large cases */
};
/* What a check does, and what the rest of the grade must know about it. */
struct check_kind {
    void (*run)(struct judge *j, json_t *result); /* fills in `result` using the functions of judge.h */
    enum case_set cases; /* the cases that it judges one by one, and whose replay runs it; or CASES_NONE */
    bool gate;           /* checks that need it are skipped until it passes */
    bool ratio;          /* points depend on the lab's speed_full and speed_none */
    bool observes;       /* looks at the launches of observed.h, which one process runs for all such checks */
};
/* One graded check. Its kind is the lab's own, or one of the shared kinds below. */
struct lab_check {
    const char *id, *title;
    unsigned points;
    const char *
        needs; /* ids of earlier checks, separated by blanks; the check's points are in proportion to theirs; or NULL */
    const struct check_kind *kind;
    bool explains;      /* runs even if a check that it needs failed, to explain that failure; it then has no points */
    const char *kernel; /* the check runs only this kernel's cases; NULL: those of all kernels */
    enum visibility visibility; /* what servers show to students; the course sets it */
};
/* What the kernel must or must not do. Executed instructions decide. */
enum lab_technique {
    USES_SHARED = 1,
    NO_ATOMICS = 2,
    USES_BARRIERS = 4,
    IN_PLACE_GLOBAL = 8,
    ONE_ATOMIC_A_BLOCK = 16,
    WARP_SYNC = 32,    /* __syncwarp */
    FEW_BARRIERS = 64, /* at most 3 per block of any size */
    SHUFFLES = 128,    /* at least 5 shuffles per warp */
    REGISTERS = 256,   /* shared memory only for one value per warp, written once and read once */
    ANY_STEPS = 512, /* any number of tree steps, because values may stay in registers between reading and writing. Only
                        divergence in memory accesses and shuffles counts, because combine may branch */
    VECTOR_LOADS =
        1024, /* 16 bytes per lane and load: at least 15 on average over all accesses of the measured block */
    CLUSTER_MEMORY = 8192, /* the blocks of a cluster exchange their results in shared memory */
    ONE_ATOMIC_A_CLUSTER = 16384,
    TENSOR_CORES = 32768, /* matrix products add the elements, except for fewer than TENSOR_REST in a launch */
    ANY_LANES = 4096 /* a quarter more of the steps may diverge than in the reference, because divergence has not been
                        taught yet */
};

enum { TENSOR_REST = 256 /* elements of one product */ };

/* Whether a lab supports a student's own operator: `--op FILE`. */
enum lab_own {
    OWN_REFUSED,
    OWN_COMMUTES, /* yes, but kernels reorder operands, so it must commute */
    OWN_IN_ORDER  /* yes, kernels keep operands in order */
};

/* Thresholds for points: docs/grading.md. Ratios are relative to the reference's. */
enum lab_mark {
    MARK_WORK,  /* for a check of results or findings: the share of its points that a kernel gets for using its input */
    MARK_WRONG, /* the weight of the passing classes if other classes fail */
    MARK_TECHNIQUE, /* the factor for points beyond MARK_WORK's share if the kernel avoids the lab's technique */
    MARK_WAITING_FULL,
    MARK_WAITING_NONE, /* check_waiting: full points up to the first ratio, none from the second on */
    MARK_SECTORS,      /* check_memory: maximum ratio of sectors */
    MARK_WARPS,        /* check_steps: maximum ratio of working warps */
    MARK_UNSEALED,     /* check_predictions: the factor for a file that was not sealed before the first grade */
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
    const char *const *predictions; /* the questions in predictions.txt, kernel by kernel: "barriers" or, for a kernel
                                       other than the first, "one_level.launches"; terminated by NULL */
    enum lab_own own;               /* whether the lab supports a student's own operator */
    double speed_full,
        speed_none;         /* ratios to the reference's time: full points up to speed_full, none from speed_none on */
    unsigned arch;          /* compute capability for compiling kernels, 80 is 8.0; 0: 7.5 */
    enum assembly assembly; /* how much inline assembly a submission may contain */
    const double *marks;    /* [LAB_MARKS]; NULL: lab_marks */
    bool speed_measured;    /* measured time counts if available; otherwise modeled time */
};
extern const struct lab *const lab_rows[];
extern const unsigned lab_row_count;
const struct lab *lab_find(const char *id);
double lab_mark(const struct lab *lab, enum lab_mark m);
/* Whether the check needs the check `id`. */
bool lab_check_needs(const struct lab_check *c, const char *id);
/* Whether check k needs only checks before number `before`. */
bool lab_needs_are_before(const struct lab *lab, unsigned k, unsigned before);

/* ---- kinds of checks that labs share (kinds.c); arrays of one, so that a row of lab_check can name a kind
 * ------------ */
extern const struct check_kind check_one_block[1], /* exact data, n up to one block's elements */
    check_many_blocks[1],                          /* exact data, larger n */
    check_any_n[1],                                /* exact data, any n */
    check_unaligned[1],                            /* exact data; input at offsets 0 to 31, n with every remainder */
    check_rounding[1],                             /* arbitrary floats, with Higham's error bound */
    check_findings[1],                             /* races, barriers, invalid and uninitialized accesses */
    check_steps[1],                                /* divergent tree steps and technique vs. reference */
    check_tuning[1],                               /* block size and blocks per SM, for all variants */
    check_technique[1],                            /* the technique of each kernel that declares one, on one block */
    check_memory[1],                               /* bank conflicts and sectors vs. reference */
    check_predictions[1],                          /* predictions.txt vs. counts */
    check_waiting[1], /* cycles of a single block vs. reference, which show its loads in flight */
    check_speed[1];   /* time vs. reference */

#endif
