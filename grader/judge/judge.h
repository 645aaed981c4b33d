/* Internals of the judge: the context of a grade, cases and their outcomes. */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "judge/arrays.h"
#include "judge/compile.h"
#include "judge/immediates.h"
#include "judge/lab.h"
#include "judge/own.h"
#include "record/status.h"
#include "record/terms.h"

/* ---- a case: one variant, size, block and data set of one kernel ---------------------------- */
enum data_kind {
#define DATA(id, word, bounded, scalar, structure) DATA_##id,
#include "judge/case_data.def"
#undef DATA
    DATA_KINDS
};
struct source; /* case_data.c */
struct data_row {
    const char *word;
    bool bounded;
    union value (*scalar)(struct source *s, uint32_t k), (*structure)(struct source *s, uint32_t k);
};
extern const struct data_row data_kinds[DATA_KINDS];
struct grade_case {
    const struct lab_kernel *kernel;
    struct variant variant;
    uint32_t n, block;
    enum data_kind data;
    uint64_t seed;
    uint32_t grid;                /* blocks of a grid-stride kernel; 0 for others */
    uint32_t offset;              /* elements between a multiple of 256 bytes and the input: 0 to MOST_OFFSET */
    struct sim_schedule schedule; /* its order of execution; if none is chosen: the grade's, or by the seed */
    const void *values;           /* its n elements; NULL: drawn according to `data` */
    uint32_t launches;            /* back-to-back runs of the kernel's whole plan, in one module; 0: LAB_LAUNCHES for
                                     FINISH_ITSELF, else one */
    bool same_data;               /* all runs use the same elements: results are compared between runs */
    uint32_t cluster; /* most blocks of a cluster; the launch uses the most that divide the grid; 0: the kernel's */
    enum sim_products products; /* of matrices; whole unless the kernel is probed (technique.c) */
    uint32_t special; /* its elements contain special values (special.h), and are in `values`; 0: they do not */
};
enum { MOST_OFFSET = 31 };
/* "reduce/sum_i32/n=33/block=64"; a grid-stride kernel adds "/grid=4", one with clusters "/cluster=2", a
 * different number of runs "/launches=9", an unaligned input "/offset=1", special values "/special=3", rounded data
 * "/rounded". */
char *case_name(const struct grade_case *c, char *out, size_t size);
/* Parses such a name for a lab; false if invalid. */
bool case_parse(const struct lab *lab, const char *text, struct grade_case *c);
const char *case_label(const struct lab_kernel *kernel); /* "reduce:host" */
bool case_kernel_takes(const struct lab *lab, const struct lab_kernel *kernel, struct variant v);
/* How often the kernel's plan runs, unless it is counted or large. */
static inline uint32_t case_launches(const struct grade_case *c) {
    return c->launches ? c->launches : c->kernel->finish == FINISH_ITSELF ? LAB_LAUNCHES : 1;
}
/* Expensive: run only if the others are correct. */
bool case_is_large(const struct grade_case *c);
/* Dynamic shared memory of a launch, in bytes. */
uint32_t case_shared_bytes(const struct grade_case *c);
/* Bytes of an element of its input in device memory. */
uint32_t case_input_size(const struct grade_case *c);
/* Blocks of a cluster of a launch of that many blocks; 0: there are no clusters. */
uint32_t case_cluster(const struct grade_case *c, uint32_t blocks);
/* A full block of the kernel, alone: elements for each of its threads; where blocks form clusters, a full cluster. */
struct grade_case case_full(const struct lab_kernel *k, struct variant v, uint32_t block, enum data_kind data,
                            uint64_t seed);
/* Blocks of the launch over n elements: the plan's first (level 0) or a later one. */
uint32_t case_blocks(const struct grade_case *c, uint32_t n, unsigned level);
/* Fills an array with c->n elements; or draws the first `count` ones, of which the last is the selected one if the
 * operator selects and the case is large. */
void case_data(const struct grade_case *c, void *array);
void case_draw(const struct grade_case *c, void *array, uint32_t count);
/* Different elements of the same kind, for set 1, 2, ... of the case's runs; false: all are always equal. */
bool case_redraw(const struct grade_case *c, unsigned set, void *array);
/* The best possible value for an operator that selects one of two; a pair keeps x's index. */
union value case_best(struct variant v, union value x);
/* Two factors for each of `count` elements of `data`, whose product is exactly the element, with integer wraparound and
 * float rounding: the inputs of a kernel with a second one. */
void case_factors(const struct grade_case *c, uint32_t count, const void *data, void *first, void *second);
/* The value of the c->offset elements before the input: they change every result that they enter. */
union value case_lead(const struct grade_case *c);
/* The cases of a check, selected by the seed; free() them. */
struct grade_case *case_list(struct judge *j, enum case_set set, unsigned *count);

/* ---- programs ------------------------------------------------------------------------------- */
struct program {
    struct compiled text;
    const struct device *device; /* that measures it */
    struct device_module *module[VARIANT_COUNT], *on_gpu[VARIANT_COUNT];
    char **symbol;        /* PTX name of kernel k in variant v: [k * VARIANT_COUNT + v]; NULL: missing in the file */
    struct named *named;  /* likewise: the numbers in each kernel; only for the student's program */
    const char *variable; /* PTX name of a 4-byte variable that each case sets to `choice`; NULL: none */
    uint32_t choice;
};
/* Compiles and loads `source`, named `shown` in messages, into p, a part of j; returns COMPILE_OK or the reason. Call
 * program_free() in any case. (programs.c) */
enum compile_status program_build(const struct judge *j, struct program *p, const char *source, const char *shown,
                                  bool solution, char *message, size_t size);
/* Starts the compiler of j->student; NULL if it cannot start before the file exists. */
struct compile_ahead *program_build_ahead(const struct judge *j);
void program_free(const struct judge *j, struct program *p);
/* For a program that is only compiled: fills in what program_symbol() looks up. False: out of memory. */
bool program_find_symbols(const struct judge *j, struct program *p);
/* The numbers in the kernels whose symbols were found, which the above does for the student's; false: out of memory. */
bool program_find_named(const struct judge *j, struct program *p);
/* PTX name of the lab's kernel `name` for v; NULL if the file has none. (run.c) */
const char *program_symbol(const struct judge *j, const struct program *p, const char *name, struct variant v);
/* The numbers in it, for the student's program; NULL if the file has no such kernel. */
const struct named *program_named(const struct judge *j, const char *name, struct variant v);

/* ---- the context ---------------------------------------------------------------------------- */
struct judge;
struct arena;
struct judge_options {
    const struct lab *lab;
    const struct device *device;   /* measures: counts and explains */
    const struct device *gpu;      /* checks correct results again, or NULL; used only in children */
    const struct gpu *modeled_gpu; /* time is also modeled for it; NULL: only for the default */
    const struct compiler *compiler;
    const char *root; /* the kit's folder */
    const char *cache;
    const char *submission;      /* path of the graded file */
    const char *shown;           /* its name in messages */
    const char *own, *own_shown; /* path of a student's own operator, and its name in messages; or NULL */
    const char *predictions;     /* path of predictions.txt */
    const char *student;         /* selects, with student_draw, the M of predictions; NULL: the seed does */
    uint64_t student_draw;
    const char *replay_options;                       /* "--solution" or "--submission FILE", for replay commands; "" */
    bool no_pictures;                                 /* omits pictures and the previous lab's counts from the record */
    void (*explain)(struct judge *j, json_t *record); /* called after the checks if any lacks points; or NULL */
    bool solution;
    bool sandbox; /* the submission is untrusted: compiled and run in a sandbox */
    uint64_t seed;
    struct sim_schedule schedule;              /* of cases; none chosen: by the seed */
    const char *only_case;                     /* one case, or NULL */
    const char *values;                        /* its elements (judge/values.h), or NULL: drawn */
    uint32_t only_size, only_block, only_grid; /* UINT32_MAX, 0, 0: all */
    uint64_t case_work;                        /* limit of warp-instructions for all cases of a check; 0: the default */
    void (*progress)(void *context, const char *what, unsigned done, unsigned of);
    void *progress_context;
    /* Called when everything that does not depend on the submission is ready: the submission is read after it returns.
     * Or NULL. */
    void (*ready)(void *context);
    void *ready_context;
};
struct judge {
    const struct judge_options *options;
    const struct lab *lab;
    struct program student, reference;
    json_t *recorded;              /* the reference's figures if it is not available (figures.h); else NULL */
    struct own *own;               /* with --op, else NULL; the reference then runs its first variant */
    const struct lab_check *check; /* that runs */
    uint64_t endless;              /* bit k: kernel k of the lab does not terminate according to a check, and is not run
                                      again */
    void *values;                  /* of options->values, when the case is known; free() them */
    struct arena *drawn;           /* elements of cases with special values; NULL: no such cases */
    uint64_t budget;               /* warp-instructions per launch; 0: the default */
    uint64_t most;                 /* the same, whatever the launch's size; 0: no such limit */
    bool late;                     /* a check exceeded the wall clock twice: no other one is started */
    struct compile_ahead *ahead;   /* a compiler that waits for the submission, or NULL */
};
/* Whether a check has found that the kernel does not terminate. */
static inline bool judge_is_endless(const struct judge *j, const struct lab_kernel *k) {
    return j->endless >> (k - j->lab->kernels) & 1;
}

/* The terms that its texts may use: record/terms.h. */
static inline unsigned judge_taught(const struct judge *j) { return terms_taught(j->lab->id); }

/* The outcome of a case. */
enum outcome_kind {
    OUTCOME_RIGHT,
    OUTCOME_WRONG,
    OUTCOME_STOPPED /* fatal fault, bad launch */,
    OUTCOME_SETUP,
    OUTCOME_SKIPPED, /* for a reason */
    OUTCOME_NOT_RUN
};
struct outcome {
    enum outcome_kind kind;
    union value got, expected;
    double bound;                           /* rounded data: the error bound */
    char got_text[100], expected_text[100]; /* for a student's own operator, if the result is wrong */
    struct array_fault fault;               /* FINISH_ARRAYS: for the first wrong array */
    bool unwritten;                         /* the output still holds its poison */
    uint32_t unwritten_at;                  /* PLAN_ONE_A_BLOCK: the first such block */
    unsigned launch;                        /* FINISH_ITSELF: the launch, 1 or more; else 0 */
    uint64_t work, effort;                  /* warp-instructions executed (struct device_run) */
    uint64_t place;                         /* for a sample of segments or pairs: the output's element; else 0 */
    char message[512];
    char printed[4096]; /* the start of the kernel's printf output; only if a single case is run */
    struct measurement measurement;
};
/* Runs c on `program` with everything in `what` (MEASURE_...) measured; outcome_free() it. */
void case_run(const struct judge *j, const struct program *program, const struct grade_case *c, unsigned what,
              struct outcome *o);
/* The same for `count` cases, at most DEVICE_AT_ONCE, submitted to the device together. */
void cases_run(const struct judge *j, const struct program *program, const struct grade_case *const cases[],
               unsigned count, unsigned what, struct outcome *const outcomes[]);
/* Runs the submission's case; steps and moves are those of one block in one launch of the plan, counted from 0. */
void case_observe(const struct judge *j, const struct grade_case *c, unsigned what, uint32_t launch, uint32_t block,
                  struct outcome *o);
/* Runs all of a sampled case (case_large.h), with at most that many warp-instructions and without measuring: takes
 * seconds. */
void case_run_whole(const struct judge *j, const struct grade_case *c, uint64_t most, struct outcome *o);
/* Runs the submission's case on the GPU, without measuring: result and guard zones. A failing launch may make the GPU
 * unusable for this process. */
void case_run_on_gpu(const struct judge *j, const struct grade_case *c, struct outcome *o);
void outcome_free(struct outcome *o);
bool outcome_is_endless(const struct outcome *o); /* a launch exceeded its budget */
/* The actual and the expected result; returns out. */
const char *outcome_got(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
const char *outcome_expected(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
/* variant_at(), with the element size of an own operator. */
struct variant judge_variant(const struct judge *j, unsigned index);
/* ---- functions of the kinds of checks in kinds.c: lab.h describes each ---------------------- */
void judge_results(struct judge *j, json_t *result);  /* checks.c: for the cases of j->check */
void judge_findings(struct judge *j, json_t *result); /* checks.c */
void judge_steps(struct judge *j, json_t *result);    /* measures.c */
void judge_technique(struct judge *j, json_t *result);
void judge_memory(struct judge *j, json_t *result);
void judge_waiting(struct judge *j, json_t *result);
void judge_speed(struct judge *j, json_t *result);
void judge_predictions(struct judge *j, json_t *result); /* predictions.c */
void judge_tuning(struct judge *j, json_t *result);      /* tuning.c */

/* ---- results: JSON objects, see docs/grading.md --------------------------------------------- */
void result_pass(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_fail(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_skip(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_setup(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_without_points(json_t *result, enum check_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void result_share(json_t *result, double share); /* of the points, 0 to 1; pass and fail set 1 and 0 */
void result_evades(json_t *result);              /* it fails, and avoids the lab's technique */
/* The ratio of `what` ("modeled time") to the reference's: all points up to `full`, none from `none` on, linear in
 * between. `more` is appended to the message. */
void result_ratio(json_t *result, const char *what, double ratio, double full, double none, const char *more);
json_t *finding_json(const struct judge *j, const struct finding *f, const struct grade_case *c);
/* Adds findings that are not in the array yet (by kind and line). */
void findings_merge(json_t *into, json_t *from);
enum { REPLAY_VALUES = 256 /* maximum length of its --values */ };
char *replay_command(const struct judge *j, const struct grade_case *c, char *out, size_t size);

/* Demonstrates the races among the findings of these cases: two orders of execution of a case with different results,
   or the number tried. A finding gets `witness`; if one was found, also its case and replay (witness.c). */
struct witness_cases {
    const struct grade_case *cases;
    const struct outcome *outcomes;
    unsigned count;
};
void judge_witness(const struct judge *j, const struct witness_cases *all, json_t *findings);

/* Quotes a word for a shell if necessary. */
char *shell_word(const char *word, char *out, size_t size);

/* ---- predictions.txt (predictions.c) -------------------------------------------------------- */
enum { PREDICTION_BLOCKS = 3 };
extern const uint32_t prediction_blocks[PREDICTION_BLOCKS]; /* the M that may be asked */
uint32_t prediction_block(uint64_t draw);                   /* one of them */
/* Removes the counted value of each wrong prediction from a record, unless all are answered and either the deadline is
 * past or every other check has all its points. */
void predictions_conceal(json_t *record, bool past_deadline);
enum prediction { PREDICTION_MISSING, PREDICTION_OPEN /* a question mark */, PREDICTION_GIVEN, PREDICTION_BAD };
/* Finds the line `name@block: number` in the text of the file. */
enum prediction prediction_find(const char *text, const char *name, uint32_t block, double *value);

/* ---- the file's tuning choices (tuning.c) ---------------------------------------------------- */
struct tuning {
    uint32_t block, blocks; /* threads per block; blocks per SM */
};
/* Reads them from the module of variant v. If missing or invalid: false, with a message for the student. */
bool tuning_read(const struct judge *j, const struct program *p, const struct lab_kernel *k, struct variant v,
                 struct tuning *t, char *message, size_t size);
/* The same for the kernel of that name and PTX name (NULL: the module has none). */
bool tuning_beside(const struct device *d, struct device_module *module, const char *kernel_symbol, const char *kernel,
                   struct tuning *t, char *message, size_t size);
/* The number of blocks for n elements: one thread per 16 bytes, at least one block, at most `blocks` per SM. */
uint32_t tuning_grid(const struct tuning *t, struct variant v, uint32_t n, uint32_t multiprocessors);

/* ---- data for pictures (pictures.c): fills in the record's `pictures` ------------------------ */
void pictures(struct judge *j, const json_t *tests, json_t *result);

/* ---- parts of the record -------------------------------------------------------------------- */
/* Runs the checks of j->lab on loaded programs, and writes tests, score, advice and the end into the record
 * (suite.c). */
void judge_checks(struct judge *j, json_t *record);
/* Only some cases are selected: no grade, but it fails if one of them does. */
bool judge_is_replay(const struct judge *j);
/* advice.c: what to do first, and the source lines that `tests` point to, so that a report needs no file. */
void judge_advise(json_t *record, const struct judge *j, json_t *tests);
/* The first test that neither passes nor is skipped in a replay; NULL if there is none. */
json_t *judge_first_failure(json_t *tests);
void judge_quote(json_t *record, const struct judge *j, json_t *tests);
/* roots.c: how many of these findings are errors (warnings and notes cost no points), and how many causes they have. */
size_t judge_count_errors(const json_t *findings);
unsigned judge_count_causes(const json_t *findings);
/* Sets `root`, {"kind", "line"}, of each error in the record to the most severe error with the same cause. Errors
 * removed by the same fix have one cause. */
void judge_group(json_t *record);

/* ---- the whole grade (grade.c): the result record, schema reduction-labs/result/2 ----------- */
json_t *judge_grade(const struct judge_options *options);
/* The record of a grade that has just begun, with this message; it remains if the grade never finishes. */
#define JUDGE_UNFINISHED "the grade did not finish"
json_t *judge_unfinished(const struct judge_options *options);
/* Only compiles: the record with its build. */
json_t *judge_build(const struct judge_options *options);

#endif
