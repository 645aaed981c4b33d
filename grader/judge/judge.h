/* Internal declarations of the judge: the context of a grade, cases with their outcomes, and the parts of the
 * record. */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "judge/arrays.h"
#include "compile/compile.h"
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
    uint32_t grid;                /* number of blocks of a grid-stride kernel; 0 for other kernels */
    uint32_t spare;               /* number of additional blocks, which have no elements, of a kernel with segments */
    uint32_t offset;              /* distance of the input from a multiple of 256 bytes, in elements: 0 to MAX_OFFSET */
    struct sim_schedule schedule; /* order of execution; if none is chosen, the one in struct judge_options */
    const void *values;           /* the n elements; NULL to generate them according to `data` */
    uint32_t launches; /* number of times that the kernel's whole plan runs, back to back in one module; 0 means
                          LAB_LAUNCHES for FINISH_ITSELF and 1 otherwise */
    bool moved;        /* whether the input of this run is at another address than that of run 0 (case_again.h) */
    bool same_data;    /* whether all runs use the same elements, so that their results can be compared */
    uint32_t cluster;  /* maximum number of blocks per cluster; 0 for that of the kernel. A launch uses the largest size
                          that divides the grid */
    enum sim_products
        products; /* matrix products to compute; technique.c omits some to test whether the result depends on them */
    bool no_exchange; /* whether shuffles of values that were computed from memory give each lane its own value, to test
                         whether the result depends on them */
    bool measured;    /* whether check_findings runs the case, too (clean.h) */
    uint32_t wrap; /* 0, or: launches are skipped until counters in variables nearly reach targets that `wrap` selects
                      (code in device/advance.h) */
    uint32_t special; /* 1 + index of the pack of special values (special.h) in `values`; 0 for none */
    uint64_t order;   /* if not 0, blocks and warps run in another order and on other SMs, but on the same elements */
};
enum { MAX_OFFSET = 31 };
/* Prints the name of a case, such as "reduce/sum_i32/n=33/block=64". A grid-stride kernel adds "/grid=4", blocks
 * without elements "/spare=3", a given cluster size "/cluster=2", a given number of runs "/launches=9", skipped
 * launches "/wrap=16", an unaligned input "/offset=1", special values "/special=3", and other data than DATA_EXACT
 * "/rounded", "/ordinary" or "/plain". */
char *case_name(const struct grade_case *c, char *out, size_t size);
/* Parses the name of a case of this lab. Returns false if it is invalid. */
bool case_parse(const struct lab *lab, const char *text, struct grade_case *c);
const char *case_label(const struct lab_kernel *kernel); /* such as "reduce:host" */
/* Returns whether the lab tests the kernel with this variant. */
bool case_kernel_takes(const struct lab *lab, const struct lab_kernel *kernel, struct variant v);
/* Returns the number of times that the kernel's plan runs. The caller runs the plan only once if instructions are
 * counted, or if the case is large and c->launches is 0. */
static inline uint32_t case_launches(const struct grade_case *c) {
    return c->launches ? c->launches : c->kernel->finish == FINISH_ITSELF ? LAB_LAUNCHES : 1;
}
/* Returns whether the case is expensive: n exceeds 2^16, or the grid has more than 2^12 blocks. Such cases run only if
 * all other cases are correct; sampled ones also run if a whole one is wrong. */
bool case_is_large(const struct grade_case *c);
/* Returns the size of a launch's dynamic shared memory in bytes. */
uint32_t case_shared_bytes(const struct grade_case *c);
/* Returns the size in bytes of an input element in device memory. */
uint32_t case_input_size(const struct grade_case *c);
/* Returns the number of blocks per cluster in a launch of `blocks` blocks, or 0 for a kernel without clusters. */
uint32_t case_cluster(const struct grade_case *c, uint32_t blocks);
/* Returns a case of one full block or, for a kernel with clusters, one full cluster, in which every thread has
 * elements. */
struct grade_case case_full(const struct lab_kernel *k, struct variant v, uint32_t block, enum data_kind data,
                            uint64_t seed);
/* Returns the number of blocks of a launch over n elements. `level` is 0 for the plan's first launch. */
uint32_t case_blocks(const struct grade_case *c, uint32_t n, unsigned level);
/* case_data() generates c->n elements. case_draw() generates only the first `count` of them. For an operator that
 * selects an operand (min, max, argmin, argmax), the result of a large case is the last element drawn. */
void case_data(const struct grade_case *c, void *array);
void case_draw(const struct grade_case *c, void *array, uint32_t count);
/* Generates the elements of run `set` (1, 2, ...) of a case that runs repeatedly. All sets are drawn from the same kind
 * of data. Returns false if the elements of all sets are identity(). */
bool case_redraw(const struct grade_case *c, unsigned set, void *array);
/* Returns the best value of x's type for an operator that selects an operand. A pair keeps the index of x. */
union value case_best(struct variant v, union value x);
/* Generates the inputs of a kernel with two inputs: two factors for each of the `count` elements of `data`. The product
 * of the factors is exactly this element, with integer wraparound and float rounding. */
void case_factors(const struct grade_case *c, uint32_t count, const void *data, void *first, void *second);
/* Returns the value of the c->offset elements that precede the input. A result that includes one of them is wrong,
 * unless an element of the input has the same effect, such as NaN. */
union value case_lead(const struct grade_case *c);
/* Returns the cases of a set that the seed selects; free() them. Returns NULL if out of memory. */
struct grade_case *case_list(struct judge *j, enum case_set set, unsigned *count);

/* ---- programs ------------------------------------------------------------------------------- */
struct program {
    struct compiled text;
    const struct device *device; /* the device that measures the program */
    struct device_module *module[VARIANT_COUNT], *on_gpu[VARIANT_COUNT];
    char **symbol;        /* PTX name of kernel k in variant v, at [k * VARIANT_COUNT + v]; NULL if the file lacks it */
    struct named *named;  /* the constants in each kernel, indexed like `symbol`; only for the student's program */
    const char *variable; /* PTX name of a 4-byte variable that is set to `choice` for each case; NULL if none */
    uint32_t choice;
};
/* Compiles `source`, with -DSOLUTION if `solution`, and loads it into p, a member of j. Messages call the file `shown`.
 * Returns COMPILE_OK or the kind of failure. Call program_free() in either case. (programs.c) */
enum compile_status program_build(const struct judge *j, struct program *p, const char *source, const char *shown,
                                  bool solution, char *message, size_t size);
/* program_load() loads a compiled program, and program_unload() unloads it. program_build() also loads the program,
 * unless there is no GPU and the program is a reference whose figures are in the cache. figures.c then loads it when it
 * needs other figures. */
enum compile_status program_load(const struct judge *j, struct program *p, const char *shown, char *message,
                                 size_t size);
void program_unload(const struct judge *j, struct program *p);
/* Starts the compiler for j->student ahead of time. Returns NULL if it cannot start before the file exists. */
struct compile_ahead *program_build_ahead(const struct judge *j);
void program_free(const struct judge *j, struct program *p);
/* Finds the symbols that program_symbol() returns, for a program that is compiled but not loaded. Returns false if out
 * of memory. */
bool program_find_symbols(const struct judge *j, struct program *p);
/* Finds the constants in the kernels whose symbols were found. For the student's program, program_find_symbols()
 * already does so. Returns false if out of memory. */
bool program_find_named(const struct judge *j, struct program *p);
/* Returns the PTX name of the lab's kernel `name` in variant v, or NULL if the file lacks it. (run.c) */
const char *program_symbol(const struct judge *j, const struct program *p, const char *name, struct variant v);
/* Returns the constants in the student's kernel `name`, or NULL if the file lacks it. */
const struct named *program_named(const struct judge *j, const char *name, struct variant v);

/* ---- the context ---------------------------------------------------------------------------- */
struct judge;
struct arena;
struct judge_options {
    const struct lab *lab;
    const struct device *device; /* the device that runs and measures cases */
    const struct device *gpu; /* device that runs correct cases again, only in child processes; NULL if there is none */
    const struct gpu *modeled_gpu; /* GPU whose modeled time is also reported; NULL for only the default GPU */
    const struct compiler *compiler;
    const char *root; /* the kit's folder */
    const char *cache;
    const char *submission;      /* path of the graded file */
    const char *shown;           /* name of the file in messages */
    const char *own, *own_shown; /* path of the student's own operator, and its name in messages; NULL if none */
    const char *predictions;     /* path of predictions.txt */
    const char *student; /* together with student_draw, selects the block size M of the predictions; if NULL, the seed
                            selects M */
    uint64_t student_draw;
    const char *replay_options; /* options of replay commands: "--solution", "--submission FILE" or "" */
    bool no_pictures;           /* whether to omit pictures and the counts of the previous lab */
    /* Called after the checks, or if the submission does not compile, but not for a replay; may be NULL. */
    void (*explain)(struct judge *j, json_t *record);
    bool solution;
    bool sandbox; /* whether the submission is untrusted and therefore compiled and run in a sandbox */
    uint64_t seed;
    struct sim_schedule schedule; /* order of execution of all cases; if none is chosen, the seed selects one */
    const char *only_case;        /* name of the only case to run; NULL for all */
    const char *values;           /* elements of `only_case` as a list (judge/values.h); NULL to generate them */
    uint32_t only_size, only_block, only_grid; /* the only n, block size and grid to run; UINT32_MAX, 0 and 0 for all */
    uint64_t case_work; /* limit of warp-instructions for all cases of a check together; 0 for the default */
    void (*progress)(void *context, const char *what, unsigned done, unsigned of);
    void *progress_context;
    /* Called when everything that does not depend on the submission is ready; may be NULL. The submission is read only
     * after this function has returned. */
    void (*ready)(void *context);
    void *ready_context;
};
struct judge {
    const struct judge_options *options;
    const struct lab *lab;
    struct program student, reference;
    json_t *recorded; /* figures of the reference that a handout contains instead of the reference (figures.h);
                         otherwise NULL */
    struct own *own;  /* the student's own operator (--op); otherwise NULL */
    const struct lab_check *check; /* the check that is running */
    uint64_t endless; /* bit k is set if a check found that kernel k of the lab does not terminate; the kernel is not
                         run again */
    void *values;     /* elements parsed from options->values when the case is known; free() them */
    struct observed
        *observed; /* launches of each kernel whose outcomes multiple checks share; NULL if there are none */
    struct clean_table *clean; /* cases that checks share (clean.h); NULL if they share none */
    struct arena *drawn; /* memory for the elements of cases with special values; NULL if there are no such cases */
    uint64_t budget;     /* limit of warp-instructions per launch, which is higher for large cases; 0 for the default */
    uint64_t most;       /* limit of warp-instructions per launch, regardless of the size of the case; 0 for none */
    bool late;           /* whether a check exceeded the wall-clock limit twice, so that no further check starts */
    struct compile_ahead *ahead; /* a compiler that waits for the submission, or NULL */
};
/* Returns whether a check has found that the kernel does not terminate. */
static inline bool judge_is_endless(const struct judge *j, const struct lab_kernel *k) {
    return j->endless >> (k - j->lab->kernels) & 1;
}

/* Returns the terms that the lab's texts may use (record/terms.h). */
static inline unsigned judge_taught(const struct judge *j) { return terms_taught(j->lab->id); }

/* The outcome of a case. */
enum outcome_kind {
    OUTCOME_RIGHT,
    OUTCOME_WRONG,
    OUTCOME_STOPPED /* no result: a fatal fault, an invalid launch, or no such kernel */,
    OUTCOME_SETUP,
    OUTCOME_SKIPPED, /* the case did not run, for the reason in `message` */
    OUTCOME_NOT_RUN
};
enum { OUTCOME_PRINTED = 4096 };
struct outcome {
    enum outcome_kind kind;
    union value got, expected;
    double bound; /* error bound of rounded data */
    char got_text[100],
        expected_text[100];   /* the values as a student's own operator prints them, if the result is wrong */
    struct array_fault fault; /* FINISH_ARRAYS: the first wrong array */
    bool unwritten;           /* whether the output still holds the poison pattern */
    bool may_be_old;          /* whether loads may return old values, so that the kernel may have copied the pattern */
    uint32_t unwritten_at;    /* the first block whose output still holds the poison pattern, for PLAN_ONE_A_BLOCK */
    unsigned launch; /* number of the launch or run whose result was compared last, from 1, for FINISH_ITSELF or if the
                        plan runs repeatedly; otherwise 0 */
    uint64_t work, effort; /* numbers of warp-instructions executed (struct device_run) */
    bool exhausted; /* whether the launches together executed at least as many warp-instructions as the limit of one
                       launch allows */
    uint64_t place; /* index of a sampled segment or pair, or of a spare block, in the output; otherwise 0 */
    char message[512];
    char *printed; /* start of the kernel's printf output, at most OUTCOME_PRINTED - 1 bytes, if only one case is run;
                      otherwise NULL. Checks keep thousands of outcomes, so the text is not a member of the outcome. */
    struct measurement measurement;
};
/* Runs c on `program`, and measures everything in `what` (MEASURE_...). Call outcome_free() afterward. */
void case_run(const struct judge *j, const struct program *program, const struct grade_case *c, unsigned what,
              struct outcome *o);
/* Does the same as case_run() for `count` <= DEVICE_AT_ONCE cases, which are submitted to the device together. If
 * `doubted` is set, runs only the first launch of each case, and repeats the case with all launches unless that launch
 * was wrong. The outcomes are the same, but wrong cases end sooner. */
void cases_run(const struct judge *j, const struct program *program, const struct grade_case *const cases[],
               unsigned count, unsigned what, bool doubted, struct outcome *const outcomes[]);
/* Runs the submission's case, and observes the steps and moves of one block in one launch of the plan. Launches and
 * blocks are counted from 0. */
void case_observe(const struct judge *j, const struct grade_case *c, unsigned what, uint32_t launch, uint32_t block,
                  struct outcome *o);
/* Runs all blocks of a case that normally runs only a sample (case_large.h), which takes seconds. Measures nothing, and
 * stops after `most` warp-instructions. */
void case_run_whole(const struct judge *j, const struct grade_case *c, uint64_t most, struct outcome *o);
/* Runs the submission's case on the GPU. Checks the result and guard zones, but measures nothing. After a launch that
 * fails, this process may be unable to use the GPU. */
void case_run_on_gpu(const struct judge *j, const struct grade_case *c, struct outcome *o);
void outcome_free(struct outcome *o);
bool outcome_is_endless(const struct outcome *o); /* whether a launch exceeded its budget */
/* How messages describe the result of an `unwritten` outcome whose `may_be_old` is set. */
#define OUTCOME_OLD "the value that memory held before the launch"
/* Returns whether the kernel may have copied the pattern of an `unwritten` outcome: it read memory before writing it.
 */
bool outcome_may_be_copied(const struct outcome *o);
/* How messages describe the result of such an outcome. */
#define OUTCOME_COPIED "memory that was never written"
/* Returns whether a kernel whose blocks must use one atomic each used more. The outcome has MEASURE_COUNTS. */
bool judge_has_extra_atomics(const struct grade_case *c, const struct outcome *o);
/* Print the actual and the expected result. Return `out`. */
const char *outcome_got(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
const char *outcome_expected(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
/* Returns variant_at(index). If this is the own operator, sets its element size. */
struct variant judge_variant(const struct judge *j, unsigned index);
/* ---- functions for the kinds of checks in kinds.c (lab.h) ------------------------------------- */
void judge_results(struct judge *j, json_t *result);  /* checks.c: cases of j->check */
void judge_findings(struct judge *j, json_t *result); /* checks.c */
void judge_steps(struct judge *j, json_t *result);    /* measures.c */
void judge_technique(struct judge *j, json_t *result);
void judge_memory(struct judge *j, json_t *result);
void judge_waiting(struct judge *j, json_t *result);
void judge_speed(struct judge *j, json_t *result);
void judge_predictions(struct judge *j, json_t *result); /* predictions.c */
void judge_tuning(struct judge *j, json_t *result);      /* tuning.c */

/* ---- results: JSON objects, see docs/grading.md --------------------------------------------- */
/* Set the status, the message and the share of the points: 1 for result_pass(), otherwise 0. */
void result_pass(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_fail(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_skip(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_setup(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_without_points(json_t *result, enum check_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void result_share(json_t *result, double share); /* sets the share of the points, 0 to 1 */
/* Records, for a failed check, the degree from 0 to 1 to which the kernel avoids the lab's technique. */
void result_evades(json_t *result, double degree);
/* Reports that case `name`, which no check of results runs, has a wrong result. The case then counts like a case of
 * such a check. */
void result_wrong_case(json_t *result, const char *name);
/* Gives points for the ratio of `what`, such as "modeled time", to the reference's: all points for ratios up to `full`,
 * no points for `none` or more, and linearly fewer points in between. Appends `more` to the message. */
void result_ratio(json_t *result, const char *what, double ratio, double full, double none, const char *more);
/* Returns the finding as JSON, with its case and the command that replays it. */
json_t *finding_json(const struct judge *j, const struct finding *f, const struct grade_case *c);
/* Adds the findings of `from` to `into`. If `into` has a finding of the same kind at the same line, only increases its
 * count. */
void findings_merge(json_t *into, json_t *from);
enum { REPLAY_VALUES = 256 /* maximum length of --values in a replay command */ };
/* Writes the `./grade` command that runs this case alone, with the same seed, schedule and, if their list is shorter
 * than REPLAY_VALUES, given elements. Returns `out`. */
char *replay_command(const struct judge *j, const struct grade_case *c, char *out, size_t size);

/* Demonstrates the races among the findings of these cases (witness.c). The finding of each race gets a `witness`: two
 * orders of execution of a case with different results or, if no such pair was found, the number of orders that were
 * tried. If there is such a pair, the finding also gets its case and replay. Without races, does the same for findings
 * that are errors only if a witness shows them (`error_if_shown`). */
struct witness_cases {
    const struct grade_case *cases;
    const struct outcome *outcomes;
    unsigned count;
};
void judge_witness(const struct judge *j, const struct witness_cases *all, json_t *findings);

/* Quotes a word for a shell if necessary. Returns `out`. */
char *shell_word(const char *word, char *out, size_t size);

/* ---- predictions.txt (predictions.c) -------------------------------------------------------- */
enum { PREDICTION_BLOCKS = 3 };
extern const uint32_t prediction_blocks[PREDICTION_BLOCKS]; /* the values of M that predictions may refer to */
uint32_t prediction_block(uint64_t draw);                   /* returns one of prediction_blocks */
/* Removes the counted values of wrong predictions from a record. Keeps them if all predictions are answered and either
 * the deadline has passed or all other checks have all their points. */
void predictions_conceal(json_t *record, bool past_deadline);
enum prediction { PREDICTION_MISSING, PREDICTION_OPEN /* a question mark */, PREDICTION_GIVEN, PREDICTION_BAD };
/* Finds the line `name@block: number` in the text of predictions.txt. */
enum prediction prediction_find(const char *text, const char *name, uint32_t block, double *value);

/* ---- the file's tuning choices (tuning.c) ---------------------------------------------------- */
struct tuning {
    uint32_t block, blocks; /* number of threads per block; number of blocks per SM */
};
/* Reads the choices from the module of variant v. If one is missing or invalid, returns false with a message for the
 * student. */
bool tuning_read(const struct judge *j, const struct program *p, const struct lab_kernel *k, struct variant v,
                 struct tuning *t, char *message, size_t size);
/* Does the same as tuning_read() for a loaded module. `kernel_symbol` is the PTX name of the kernel `kernel`, or NULL
 * if the module lacks the kernel. */
bool tuning_beside(const struct device *d, struct device_module *module, const char *kernel_symbol, const char *kernel,
                   struct tuning *t, char *message, size_t size);
/* Sets the number of blocks for n elements: one thread per 16 bytes, but at least one block, and at most `blocks` per
 * SM. If one block is enough, it has a quarter of the threads, but at least 32. */
void tuning_launch(const struct tuning *t, struct variant v, uint32_t n, uint32_t multiprocessors, uint32_t *block,
                   uint32_t *grid);

/* ---- data for pictures (pictures.c): fills in the record's `pictures` ------------------------ */
void pictures(struct judge *j, const json_t *tests, json_t *result);

/* ---- parts of the record -------------------------------------------------------------------- */
/* Runs the checks of j->lab on the loaded programs. Writes the tests, score, advice and end to the record (suite.c). */
void judge_checks(struct judge *j, json_t *record);
/* Returns whether only some of the cases are selected. Such a replay gives no grade, but fails if one of its cases
 * fails. */
bool judge_is_replay(const struct judge *j);
/* judge_advise() adds the student's next step to the record. judge_quote() adds the source lines that `tests` refer to,
 * because reports do not read the file. (advice.c) */
void judge_advise(json_t *record, const struct judge *j, json_t *tests);
/* Returns the first test that did not pass, or NULL if there is none. Ignores tests that a replay skipped. */
json_t *judge_first_failure(json_t *tests);
void judge_quote(json_t *record, const struct judge *j, json_t *tests);
/* judge_count_errors() returns the number of errors among these findings. Warnings and notes cost no points and are not
 * counted. judge_count_causes() returns the number of causes of these errors (roots.c). */
size_t judge_count_errors(const json_t *findings);
unsigned judge_count_causes(const json_t *findings);
/* Sets `root` of each error in the record to the kind and line of the most severe error with the same cause, if that is
 * another one. Errors have the same cause if judge_count_causes() counts them as one, or if the verified fix removes
 * them. */
void judge_group(json_t *record);

/* ---- the whole grade (grade.c): the result record, schema reduction-labs/result/2 ----------- */
json_t *judge_grade(const struct judge_options *options);
/* Message in the record of an unfinished grade. A record keeps this message if the grade never finishes. */
#define JUDGE_UNFINISHED "grading did not finish"
json_t *judge_unfinished(const struct judge_options *options);
/* Compiles the submission without grading it. Returns the record with the compiler's messages. */
json_t *judge_build(const struct judge_options *options);

#endif
