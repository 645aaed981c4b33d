/* Declarations that are internal to the judge: the context of a grade, cases and their outcomes, and the parts of the
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
    uint32_t spare;               /* blocks without elements after a kernel's segments */
    uint32_t offset;              /* elements between a multiple of 256 bytes and the input: 0 to MAX_OFFSET */
    struct sim_schedule schedule; /* order of execution; if none is chosen, that of struct judge_options */
    const void *values;           /* the n elements; NULL: generate them according to `data` */
    uint32_t launches; /* number of times that the kernel's whole plan runs in one module; 0: LAB_LAUNCHES for
                          FINISH_ITSELF, otherwise 1 */
    bool moved;        /* this run's input has a different address than that of run 0 (case_again.h) */
    bool same_data;    /* all runs have the same elements, so that their results can be compared */
    uint32_t cluster;  /* maximum number of blocks per cluster; 0: the kernel's. A launch uses the largest size that
                          divides the grid */
    enum sim_products
        products; /* matrix products to compute; technique.c omits some to test whether the result depends on them */
    bool no_exchange; /* a shuffle of a value computed from memory returns each lane's own value, to test whether the
                         result depends on shuffles */
    bool measured;    /* check_findings also runs the case (clean.h) */
    uint32_t wrap;    /* 0, or a code (device/advance.h): launches are skipped until counters in variables are close to
                         targets that the code selects */
    uint32_t special; /* 0, or 1 + index of the pack of special values (special.h) in `values` */
    bool some_levels; /* FINISH_LEVELS: only the first levels may be launched (case_levels(), case_plan.h) */
    const struct immediates *named; /* program_integers(), which select blocks of a sample; NULL: none */
    uint64_t order; /* if not 0: blocks and warps run in a different order and on different SMs, but with the same
                       elements */
};
enum { MAX_OFFSET = 31 };
/* Prints the name of a case, such as "reduce/sum_i32/n=33/block=64". These parts may follow: "/grid=4" (blocks of a
 * grid-stride kernel), "/spare=3" (blocks without elements), "/cluster=2" (a given cluster size), "/launches=9" (a
 * given number of runs), "/wrap=16" (skipped launches), "/offset=1" (unaligned input), "/special=3" (special values),
 * and "/rounded", "/ordinary", "/plain" or "/turns" (data other than DATA_EXACT). */
char *case_name(const struct grade_case *c, char *out, size_t size);
/* Parses the name of a case of this lab. Returns false if it is invalid. */
bool case_parse(const struct lab *lab, const char *text, struct grade_case *c);
const char *case_label(const struct lab_kernel *kernel); /* such as "reduce:host" */
/* Returns whether the lab tests the kernel with this variant. */
bool case_kernel_takes(const struct lab *lab, const struct lab_kernel *kernel, struct variant v);
/* Returns the number of times that the kernel's plan runs. The caller must run it only once if instructions are
 * counted, or if the case is large and c->launches is 0. */
static inline uint32_t case_launches(const struct grade_case *c) {
    return c->launches ? c->launches : c->kernel->finish == FINISH_ITSELF ? LAB_LAUNCHES : 1;
}
/* Returns whether the case is expensive: n exceeds 2^16, or the grid has more than 2^12 blocks. Such cases run only if
 * all other cases are correct. Sampled cases run even if an expensive case that is not sampled is wrong. */
bool case_is_large(const struct grade_case *c);
/* Returns the dynamic shared memory that the kernel's row declares for a block, in bytes. */
uint32_t case_shared_bytes(const struct grade_case *c);
/* Returns the size of an input element in device memory, in bytes. */
uint32_t case_input_size(const struct grade_case *c);
/* Returns the number of blocks per cluster in a launch of `blocks` blocks, or 0 for a kernel without clusters. */
uint32_t case_cluster(const struct grade_case *c, uint32_t blocks);
/* Returns a case of one full block or, for a kernel with clusters, one full cluster. Every thread has elements. A
 * block has `block` threads, unless the kernel supports only one M. */
struct grade_case case_full(const struct lab_kernel *k, struct variant v, uint32_t block, enum data_kind data,
                            uint64_t seed);
/* Returns the number of blocks of a launch over n elements. `level` is 0 for the plan's first launch. */
uint32_t case_blocks(const struct grade_case *c, uint32_t n, unsigned level);
/* case_data() generates c->n elements. case_draw() generates `count` elements: c->n, or case_given() (case_large.h). */
void case_data(const struct grade_case *c, void *array);
void case_draw(const struct grade_case *c, void *array, uint32_t count);
/* Generates the elements of run `set` (1, 2, ...) of a case that runs repeatedly. Returns false if all of them, except
 * perhaps the last, have the value of identity(). */
bool case_redraw(const struct grade_case *c, unsigned set, void *array);
/* Returns the best value of x's type for min and max. A pair keeps the index of x. */
union value case_best(struct variant v, union value x);
/* Generates the inputs of a kernel with two inputs: for each of the `count` elements of `data`, two factors whose
 * product is the element. */
void case_factors(const struct grade_case *c, uint32_t count, const void *data, void *first, void *second);
/* Returns the value of the c->offset elements before the input. A result that includes one of them is wrong, unless an
 * element of the input, such as NaN, has the same effect. */
union value case_lead(const struct grade_case *c);
/* Returns the cases of a set that the seed selects; free() them. Returns NULL if out of memory. */
struct grade_case *case_list(struct judge *j, enum case_set set, unsigned *count);

/* ---- programs ------------------------------------------------------------------------------- */
struct program {
    struct compiled text;
    const struct device *device; /* measures the program */
    struct device_module *module[VARIANT_COUNT], *on_gpu[VARIANT_COUNT];
    char **symbol;        /* PTX name of kernel k in variant v, at [k * VARIANT_COUNT + v]; NULL if the file lacks it */
    struct named *named;  /* constants in each kernel, indexed like `symbol`; only for the student's program */
    const char *variable; /* PTX name of a 4-byte variable that `choice` sets before each case; NULL: none */
    uint32_t choice;
};
/* Compiles `source` (with -DSOLUTION if `solution`) and loads it into p, a member of j. Messages call the file `shown`.
 * Returns COMPILE_OK or the kind of failure. Call program_free() in either case. (programs.c) */
enum compile_status program_build(const struct judge *j, struct program *p, const char *source, const char *shown,
                                  bool solution, char *message, size_t size);
/* Load and unload a compiled program. program_build() also loads it, with one exception: without a GPU, it does not
 * load a reference whose figures are in the cache. If figures.c needs other figures, it loads the reference. */
enum compile_status program_load(const struct judge *j, struct program *p, const char *shown, char *message,
                                 size_t size);
void program_unload(const struct judge *j, struct program *p);
/* Starts the compiler for j->student before the file exists. Returns NULL if this compiler cannot. */
struct compile_ahead *program_build_ahead(const struct judge *j);
void program_free(const struct judge *j, struct program *p);
/* Finds the symbols for program_symbol() in a program that is compiled, but not loaded. Returns false if out of
 * memory. */
bool program_find_symbols(const struct judge *j, struct program *p);
/* Finds the constants in the kernels whose symbols have been found; program_find_symbols() does this for the student's
 * program. Returns false if out of memory. */
bool program_find_named(const struct judge *j, struct program *p);
/* Returns the PTX name of the lab's kernel `name` in variant v, or NULL if the file lacks it. (run.c) */
const char *program_symbol(const struct judge *j, const struct program *p, const char *name, struct variant v);
/* Returns the constants in the student's kernel `name`, or NULL if the file lacks it. (run.c) */
const struct named *program_named(const struct judge *j, const char *name, struct variant v);
/* Returns the integers among these constants. Also returns NULL for a student's own operator, which needs small
 * cases. */
const struct immediates *program_integers(const struct judge *j, const struct lab_kernel *k, struct variant v);

/* ---- the context ---------------------------------------------------------------------------- */
struct judge;
struct arena;
struct judge_options {
    const struct lab *lab;
    const struct device *device; /* runs and measures cases */
    const struct device *gpu;    /* runs correct cases again, only in child processes; NULL: none */
    /* the record also contains the modeled time on this GPU; NULL: only on the default GPU */
    const struct gpu *modeled_gpu;
    const struct compiler *compiler;
    const char *root; /* the kit's folder */
    const char *cache;
    const char *submission;      /* path of the graded file */
    const char *shown;           /* name of the file in messages */
    const char *own, *own_shown; /* path of the student's own operator, and its name in messages; NULL: none */
    const char *predictions;     /* path of predictions.txt */
    const char *student; /* the student's id; student_draw then selects M of the predictions. NULL: the seed does */
    uint64_t student_draw;
    const char *replay_options; /* options in replay commands: "--solution", "--submission FILE" or "" */
    bool no_pictures;           /* omits pictures and the counts of the previous lab */
    /* Called after the checks, or if the submission does not compile; not called for a replay. May be NULL. */
    void (*explain)(struct judge *j, json_t *record);
    bool solution;
    bool sandbox; /* the submission is untrusted: compile and run it in a sandbox */
    uint64_t seed;
    struct sim_schedule schedule; /* order of execution of all cases; if none is chosen, the seed selects one */
    const char *only_case;        /* name of the only case to run; NULL: all cases */
    const char *values;           /* elements of `only_case` as a list (judge/values.h); NULL: generate them */
    uint32_t only_size, only_block, only_grid; /* the only n, block size and grid to run; UINT32_MAX, 0 and 0: all */
    uint64_t case_work; /* limit on warp-instructions for all cases of a check together; 0: the default */
    void (*progress)(void *context, const char *what, unsigned done, unsigned of);
    void *progress_context;
    /* Called when everything that does not depend on the submission is ready; may be NULL. The submission is read after
     * this function has returned. */
    void (*ready)(void *context);
    void *ready_context;
};
struct judge {
    const struct judge_options *options;
    const struct lab *lab;
    struct program student, reference;
    json_t *recorded;              /* a handout's figures (figures.h), in place of the reference; otherwise NULL */
    struct own *own;               /* the student's own operator (--op), or NULL */
    const struct lab_check *check; /* the check that is running */
    uint64_t endless; /* bit k: a check found that kernel k of the lab does not terminate, so it does not run again */
    void *values;     /* elements of options->values, parsed when the case is known; free() them */
    struct observed *observed; /* launches of each kernel whose outcomes several checks share; NULL: none */
    struct clean_table *clean; /* cases that checks share (clean.h); NULL: none */
    struct arena *drawn;       /* memory for the elements of cases with special values; NULL: there are no such cases */
    uint64_t budget; /* limit on warp-instructions per launch, which is higher for large cases; 0: the default */
    uint64_t most;   /* limit on warp-instructions per launch that applies to cases of every size; 0: none */
    bool late;       /* a check exceeded the wall-clock limit twice, so no further check starts */
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
    double bound; /* error bound, for data whose sums are rounded */
    char got_text[100],
        expected_text[100];   /* if the result is wrong: the values as a student's own operator prints them */
    struct array_fault fault; /* FINISH_ARRAYS: the first wrong array */
    bool unwritten;           /* the output still holds the poison pattern */
    bool may_be_old;          /* loads may return old values, so the kernel may have copied the pattern */
    uint32_t unwritten_at;    /* if each block has its own output: the first block whose output still holds the poison
                                 pattern */
    unsigned launch; /* number of the last launch or run that was judged, counted from 1, for FINISH_ITSELF or if the
                        plan runs repeatedly; otherwise 0 */
    uint64_t work, effort; /* warp-instructions executed (struct device_run) */
    bool exhausted;        /* all launches together executed at least as many warp-instructions as one launch may */
    uint64_t place;        /* index in the output of a sampled segment or pair, of a spare block or, with FINISH_LEVELS,
                              of a wrong element; otherwise 0 */
    char message[512];
    char *printed; /* start of the kernel's printf output (at most OUTCOME_PRINTED - 1 bytes) if only one case is run;
                      otherwise NULL. Not an array, because checks keep thousands of outcomes */
    struct measurement measurement;
};
/* Runs c on `program` and measures `what` (MEASURE_...). Call outcome_free() afterward. */
void case_run(const struct judge *j, const struct program *program, const struct grade_case *c, unsigned what,
              struct outcome *o);
/* Does the same for `count` <= DEVICE_AT_ONCE cases, which are submitted to the device together. If `doubted`, first
 * runs only the first launch of each case. If that launch is not wrong, runs the case with all launches. The outcomes
 * are the same, but wrong cases end sooner. */
void cases_run(const struct judge *j, const struct program *program, const struct grade_case *const cases[],
               unsigned count, unsigned what, bool doubted, struct outcome *const outcomes[]);
/* Runs the submission's case and observes the steps and moves of one block in one launch. Launches and blocks are
 * counted from 0. */
void case_observe(const struct judge *j, const struct grade_case *c, unsigned what, uint32_t launch, uint32_t block,
                  struct outcome *o);
/* Runs all blocks of a case for which normally only a sample of the blocks runs (case_large.h). This takes seconds.
 * Measures nothing and stops after `most` warp-instructions. */
void case_run_whole(const struct judge *j, const struct grade_case *c, uint64_t most, struct outcome *o);
/* Runs the submission's case on the GPU. Checks the result and guard zones, and measures nothing. After a launch that
 * fails, this process may be unable to use the GPU. */
void case_run_on_gpu(const struct judge *j, const struct grade_case *c, struct outcome *o);
void outcome_free(struct outcome *o);
bool outcome_is_endless(const struct outcome *o); /* whether a launch exceeded its budget */
/* The result of an `unwritten` outcome with `may_be_old`, in the words of messages. */
#define OUTCOME_OLD "the value that memory held before the launch"
/* Returns whether the kernel may have copied the pattern of an `unwritten` outcome, because it read memory before
 * writing it. */
bool outcome_may_be_copied(const struct outcome *o);
/* The result of such an outcome, in the words of messages. */
#define OUTCOME_COPIED "memory that was never written"
/* Returns whether a kernel whose blocks must use one atomic each used more. The outcome must have MEASURE_COUNTS. */
bool judge_has_extra_atomics(const struct grade_case *c, const struct outcome *o);
/* Print the actual and the expected result. Return `out`. */
const char *outcome_got(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
const char *outcome_expected(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
/* Returns variant_at(index). For a student's own operator, sets the element size. */
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
/* Set the status, the message and the share of points: 1 for result_pass(), otherwise 0. */
void result_pass(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_fail(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_skip(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_setup(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_without_points(json_t *result, enum check_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void result_share(json_t *result, double share); /* sets the share of the points, 0 to 1 */
/* For a failed check: records how far the kernel avoids the lab's technique, 0 to 1. */
void result_evades(json_t *result, double degree);
/* Reports that case `c`, which no check of results runs, has a wrong result. The case then counts as a case of such a
 * check. */
void result_wrong_case(json_t *result, const struct grade_case *c, const struct outcome *o);
/* Awards points for the ratio of `what`, such as "modeled time", to the reference's: all points up to `full`, none from
 * `none` on, and linearly fewer between them. Appends `more` to the message. */
void result_ratio(json_t *result, const char *what, double ratio, double full, double none, const char *more);
/* Returns the finding as JSON, with its case and the command that replays it. */
json_t *finding_json(const struct judge *j, const struct finding *f, const struct grade_case *c);
/* Adds the findings of `from` to `into`. If `into` has a finding of the same kind on the same line, only increases its
 * count. */
void findings_merge(json_t *into, json_t *from);
enum { REPLAY_VALUES = 256 /* a longer --values is not in a replay command */ };
/* Writes the `./grade` command that runs this case alone, with the same seed and schedule. Given elements are included
 * if their list is shorter than REPLAY_VALUES. Returns `out`. */
char *replay_command(const struct judge *j, const struct grade_case *c, char *out, size_t size);

/* Tries to demonstrate the races among the findings of these cases (witness.c): runs a case of each race in several
 * orders. The race's finding gets a `witness` with the number of orders tried. If two orders give different results,
 * `witness` also has these two runs, and the finding gets the case and a replay. If no finding is a race, does the same
 * for findings that are errors only if different results show them (`error_if_shown`). Does nothing if the options
 * choose an order. */
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
extern const uint32_t prediction_blocks[PREDICTION_BLOCKS]; /* values of M that predictions may refer to */
uint32_t prediction_block(uint64_t draw);                   /* returns one of prediction_blocks */
/* Removes the counts for wrong predictions from a record. Keeps them if all predictions are answered, and the deadline
 * has passed or all other checks have all their points. */
void predictions_conceal(json_t *record, bool past_deadline);
enum prediction { PREDICTION_MISSING, PREDICTION_OPEN /* a question mark */, PREDICTION_GIVEN, PREDICTION_BAD };
/* Finds the line `name@block: number` in the text of predictions.txt. */
enum prediction prediction_find(const char *text, const char *name, uint32_t block, double *value);

/* ---- the file's tuning choices (tuning.c) ---------------------------------------------------- */
struct tuning {
    uint32_t block, blocks; /* number of threads per block; number of blocks per SM */
};
/* Reads the choices from the module of variant v. On failure, for example if one is missing or invalid, returns false
 * with a message. */
bool tuning_read(const struct judge *j, const struct program *p, const struct lab_kernel *k, struct variant v,
                 struct tuning *t, char *message, size_t size);
/* Does the same for a loaded module. `kernel_symbol` is the PTX name of `kernel`, or NULL if the module lacks it. */
bool tuning_beside(const struct device *d, struct device_module *module, const char *kernel_symbol, const char *kernel,
                   struct tuning *t, char *message, size_t size);
/* Sets the launch for n elements: one thread per 16 bytes, at least one block, and at most `blocks` per SM. If one
 * block is enough, it gets only a quarter of t->block threads, but at least 32. */
void tuning_launch(const struct tuning *t, struct variant v, uint32_t n, uint32_t multiprocessors, uint32_t *block,
                   uint32_t *grid);

/* ---- data for pictures (pictures.c): fills in the record's `pictures` ------------------------ */
void pictures(struct judge *j, const json_t *tests, json_t *result);

/* ---- parts of the record -------------------------------------------------------------------- */
/* Runs the checks of j->lab on the loaded programs. Adds the tests, score, advice and end to the record (suite.c). */
void judge_checks(struct judge *j, json_t *record);
/* Returns whether the options select cases or an order of execution. Such a replay gives no grade, and fails if one of
 * its cases fails. */
bool judge_is_replay(const struct judge *j);
/* judge_advise() adds the student's next step to the record. judge_quote() adds the source lines that `tests` refer to,
 * so that reports need not read the file. (advice.c) */
void judge_advise(json_t *record, const struct judge *j, json_t *tests);
/* Returns the first test that did not pass, or NULL. Ignores tests that a replay skipped. */
json_t *judge_first_failure(json_t *tests);
void judge_quote(json_t *record, const struct judge *j, json_t *tests);
/* judge_count_errors() returns the number of errors among these findings; warnings and notes cost no points and do not
 * count. judge_count_causes() returns the number of causes of these errors, at least 1; errors must come before other
 * findings (roots.c). */
size_t judge_count_errors(const json_t *findings);
unsigned judge_count_causes(const json_t *findings);
/* Sets `root` of errors in the record: the kind and line of the most severe error with the same cause. That error has
 * no `root`. Errors have the same cause if judge_count_causes() counts them as one, or if the verified fix corrects one
 * mistake and removes both. They do not if the fix removes only one of them. */
void judge_group(json_t *record);

/* ---- the whole grade (grade.c): the result record, schema reduction-labs/result/3 ----------- */
json_t *judge_grade(const struct judge_options *options);
/* The message in a record until the grade finishes. */
#define JUDGE_UNFINISHED "grading did not finish"
json_t *judge_unfinished(const struct judge_options *options);
/* Compiles the submission without grading it. Returns the record with the compiler's messages. */
json_t *judge_build(const struct judge_options *options);

#endif
