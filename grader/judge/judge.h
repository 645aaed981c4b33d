/* Inside the judge: the context of a grade, cases and their outcomes. */
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
    uint32_t grid;                /* blocks of a grid-stride kernel; 0 for the others */
    uint32_t offset;              /* elements between a multiple of 256 bytes and the input: 0 to MOST_OFFSET */
    struct sim_schedule schedule; /* the order it runs in; where none is chosen: the grade's, or by the seed */
    const void *values;           /* its n elements; NULL: `data` draws them */
    uint32_t launches;            /* runs of the kernel's whole plan back to back, in one module; 0: LAB_LAUNCHES of
                                     FINISH_ITSELF, else one */
    bool same_data;               /* all runs meet the same elements: what came out is compared from run to run */
    uint32_t special; /* its elements hold special values (special.h), and are in `values`; 0: they do not */
};
enum { MOST_OFFSET = 31 };
/* "reduce/sum_i32/n=33/block=64"; a grid-stride kernel adds "/grid=4", another number of runs in a
 * row "/launches=9", an input that begins at an odd place "/offset=1", special values "/special=3", rounded
 * data "/rounded". */
char *case_name(const struct grade_case *c, char *out, size_t size);
/* Reads such a name for a lab; false if it is none. */
bool case_parse(const struct lab *lab, const char *text, struct grade_case *c);
const char *case_label(const struct lab_kernel *kernel); /* "reduce:host" */
bool case_kernel_takes(const struct lab *lab, const struct lab_kernel *kernel, struct variant v);
/* How often the kernel's plan runs, unless it is counted or large. */
static inline uint32_t case_launches(const struct grade_case *c) {
    return c->launches ? c->launches : c->kernel->finish == FINISH_ITSELF ? LAB_LAUNCHES : 1;
}
/* It takes long: it is run when the others are right. */
bool case_is_large(const struct grade_case *c);
/* Dynamic shared memory of a launch, in bytes. */
uint32_t case_shared_bytes(const struct grade_case *c);
/* Blocks of the launch over n elements, which is the plan's first (level 0) or a later one. */
uint32_t case_blocks(const struct grade_case *c, uint32_t n, unsigned level);
/* Fills an array of c->n elements; or draws the first `count` ones, of which the last is the one that is chosen where
 * the operator chooses one and the case is large. */
void case_data(const struct grade_case *c, void *array);
void case_draw(const struct grade_case *c, void *array, uint32_t count);
/* Other elements of the same kind, for set 1, 2, ... of the case's runs; false: all are always the same one. */
bool case_redraw(const struct grade_case *c, unsigned set, void *array);
/* The best value that an operator that chooses one of two knows; a pair keeps x's index. */
union value case_best(struct variant v, union value x);
/* Two factors of each of `count` elements of `data`, whose product is the element exactly, as integers wrap and floats
 * round: the inputs of a kernel that has a second one. */
void case_factors(const struct grade_case *c, uint32_t count, const void *data, void *first, void *second);
/* The c->offset elements before the input: they change every result that they enter. */
union value case_lead(const struct grade_case *c);
/* The cases of a check, chosen by the seed; free() them. */
struct grade_case *case_list(struct judge *j, enum case_set set, unsigned *count);

/* ---- programs ------------------------------------------------------------------------------- */
struct program {
    struct compiled text;
    const struct device *device; /* that measures it */
    struct device_module *module[VARIANT_COUNT], *on_gpu[VARIANT_COUNT];
    char **symbol;        /* PTX name of kernel k in variant v: [k * VARIANT_COUNT + v]; NULL: the file has none */
    struct named *named;  /* the same way: the numbers that it names; of the student's */
    const char *variable; /* PTX name of one of 4 bytes that each case finds at `choice`; NULL: there is none */
    uint32_t choice;
};
/* Compiles and loads `source`, which messages call `shown`, into p, a part of j; not COMPILE_OK: why not. Whatever it
 * returns, program_free() it. (programs.c) */
enum compile_status program_build(const struct judge *j, struct program *p, const char *source, const char *shown,
                                  bool solution, char *message, size_t size);
/* Starts the compiler of j->student; NULL: it cannot be started before the file is there. */
struct compile_ahead *program_build_ahead(const struct judge *j);
void program_free(const struct judge *j, struct program *p);
/* Of a program whose text alone is there: what the next one looks up. False: no memory. */
bool program_find_symbols(const struct judge *j, struct program *p);
/* What the kernels name whose symbols were found, which the above does for the student's; false: no memory. */
bool program_find_named(const struct judge *j, struct program *p);
/* PTX name of the lab's kernel `name` for v; NULL: the file has none. (run.c) */
const char *program_symbol(const struct judge *j, const struct program *p, const char *name, struct variant v);
/* What it names, of the student's program; NULL: the file has no such kernel. */
const struct named *program_named(const struct judge *j, const char *name, struct variant v);

/* ---- the context ---------------------------------------------------------------------------- */
struct judge;
struct arena;
struct judge_options {
    const struct lab *lab;
    const struct device *device;   /* measures: what counts and explains */
    const struct device *gpu;      /* where correct results are checked once more, or NULL; used in children alone */
    const struct gpu *modeled_gpu; /* time is modeled for it, too; NULL: for the default one alone */
    const struct compiler *compiler;
    const char *root; /* the kit's folder */
    const char *cache;
    const char *submission;      /* path of the file graded */
    const char *shown;           /* its name in messages */
    const char *own, *own_shown; /* path of an operator of the student's own, and its name in messages; or NULL */
    const char *predictions;     /* path of predictions.txt */
    const char *student;         /* whose M are asked in it: drawn by student_draw; NULL: by the seed */
    uint64_t student_draw;
    const char *replay_options;                       /* "--solution" or "--submission FILE", for replay commands; "" */
    bool no_pictures;                                 /* the record has neither pictures nor the last lab's counts */
    void (*explain)(struct judge *j, json_t *record); /* called when the checks are done, if any is not full; or NULL */
    bool solution;
    bool sandbox; /* the submission is untrusted: compiled and run in a sandbox */
    uint64_t seed;
    struct sim_schedule schedule;              /* that cases run in; none chosen: by the seed */
    const char *only_case;                     /* one case, or NULL */
    const char *values;                        /* its elements (judge/values.h), or NULL: as the seed has them */
    uint32_t only_size, only_block, only_grid; /* UINT32_MAX, 0, 0: all */
    uint64_t case_work; /* warp-instructions of all cases of a check, at most; 0: as a grade has it */
    void (*progress)(void *context, const char *what, unsigned done, unsigned of);
    void *progress_context;
    /* Called when all is there that does not depend on the submission: it is read when this returns. Or NULL. */
    void (*ready)(void *context);
    void *ready_context;
};
struct judge {
    const struct judge_options *options;
    const struct lab *lab;
    struct program student, reference;
    json_t *recorded;              /* the reference's figures, where it is not here (figures.h); else NULL */
    struct own *own;               /* with --op, else NULL; the reference runs its first variant then */
    const struct lab_check *check; /* that runs */
    uint64_t endless;              /* bit k: checks have found that kernel k of the lab does not end: it runs no more */
    void *values;                  /* of options->values, as soon as the case is known; free() them */
    struct arena *drawn;           /* elements of cases of special values; NULL: there are no such cases */
    uint64_t budget;               /* warp-instructions of a launch; 0: as a grade has it */
    bool late;                     /* a check took too long by the clock, twice: no other one is begun */
    struct compile_ahead *ahead;   /* a compiler that waits for the submission, or NULL */
};
/* Has a check found that the kernel does not end? */
static inline bool judge_is_endless(const struct judge *j, const struct lab_kernel *k) {
    return j->endless >> (k - j->lab->kernels) & 1;
}

/* The terms that its texts may use: record/terms.h. */
static inline unsigned judge_taught(const struct judge *j) { return terms_taught(j->lab->id); }

/* What came of a case. */
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
    double bound;                           /* rounded data: how far off it may be */
    char got_text[100], expected_text[100]; /* of an operator of the student's own, if the result is wrong */
    struct array_fault fault;               /* FINISH_ARRAYS: of the first array that is wrong */
    bool unwritten;                         /* the output still holds its poison */
    uint32_t unwritten_at;                  /* PLAN_ONE_A_BLOCK: of which block, the first */
    unsigned launch;                        /* FINISH_ITSELF: which launch it was, 1 or more; else 0 */
    uint64_t work, effort;                  /* warp-instructions that it took (struct device_run) */
    uint64_t place;                         /* of a sample of segments or pairs: the output's element; else 0 */
    char message[512];
    char printed[4096]; /* the kernel's printf, its beginning; only where one case is run */
    struct measurement measurement;
};
/* Runs c on `program` with everything in `what` (MEASURE_...) measured; outcome_free() it. */
void case_run(const struct judge *j, const struct program *program, const struct grade_case *c, unsigned what,
              struct outcome *o);
/* The same with `count` of them, at most DEVICE_AT_ONCE, handed to the device together. */
void cases_run(const struct judge *j, const struct program *program, const struct grade_case *const cases[],
               unsigned count, unsigned what, struct outcome *const outcomes[]);
/* The submission's case; of its steps and moves those of a block of a launch of the plan, numbers from 0. */
void case_observe(const struct judge *j, const struct grade_case *c, unsigned what, uint32_t launch, uint32_t block,
                  struct outcome *o);
/* A case that is sampled (case_large.h), as a whole, of at most that many warp-instructions, with nothing measured:
 * takes seconds. */
void case_run_whole(const struct judge *j, const struct grade_case *c, uint64_t most, struct outcome *o);
/* The same case of the submission on the GPU, with nothing measured: result and guard zones. A launch that fails there
 * may leave this process without a GPU. */
void case_run_on_gpu(const struct judge *j, const struct grade_case *c, struct outcome *o);
void outcome_free(struct outcome *o);
bool outcome_is_endless(const struct outcome *o); /* a launch ran out of its budget */
/* What came out, and what should have; returns out. */
const char *outcome_got(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
const char *outcome_expected(const struct grade_case *c, const struct outcome *o, char *out, size_t size);
/* variant_at(), with the size of an own operator's elements. */
struct variant judge_variant(const struct judge *j, unsigned index);
/* ---- what the kinds of checks in kinds.c run: lab.h says what each is about ------------------ */
void judge_results(struct judge *j, json_t *result);  /* checks.c: of the cases of j->check */
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
void result_evades(json_t *result);              /* it fails, and does without what the lab is about */
/* Of `what` ("modeled time") over the reference's: all points at or below `full`, none from `none` on, between them a
 * share. `more` is reported behind it. */
void result_ratio(json_t *result, const char *what, double ratio, double full, double none, const char *more);
json_t *finding_json(const struct judge *j, const struct finding *f, const struct grade_case *c);
/* Adds findings that are not in the array yet (by kind and line). */
void findings_merge(json_t *into, json_t *from);
enum { REPLAY_VALUES = 256 /* characters of its --values, at most */ };
char *replay_command(const struct judge *j, const struct grade_case *c, char *out, size_t size);

/* Shows the races among the findings of these cases: two orders of execution of a case whose results differ, or how
 * many were tried. A finding gets `witness`; where there is one, its case and its replay are those that show it
 * (witness.c).
 */
struct witness_cases {
    const struct grade_case *cases;
    const struct outcome *outcomes;
    unsigned count;
};
void judge_witness(const struct judge *j, const struct witness_cases *all, json_t *findings);

/* A word as a shell reads it back: quoted where it has to be. */
char *shell_word(const char *word, char *out, size_t size);

/* ---- predictions.txt (predictions.c) -------------------------------------------------------- */
enum { PREDICTION_BLOCKS = 3 };
extern const uint32_t prediction_blocks[PREDICTION_BLOCKS]; /* the M that may be asked */
uint32_t prediction_block(uint64_t draw);                   /* one of them */
/* Takes the counted value of each wrong prediction out of a record, unless all are answered and either the deadline is
 * past or every other check has all its points. */
void predictions_conceal(json_t *record, bool past_deadline);
enum prediction { PREDICTION_MISSING, PREDICTION_OPEN /* a question mark */, PREDICTION_GIVEN, PREDICTION_BAD };
/* Finds the line `name@block: number` in the text of the file. */
enum prediction prediction_find(const char *text, const char *name, uint32_t block, double *value);

/* ---- what the file chooses (tuning.c) ------------------------------------------------------- */
struct tuning {
    uint32_t block, blocks; /* threads of a block; blocks of a multiprocessor */
};
/* Reads it from the module of variant v. If it is missing or invalid: false, and a message for the student. */
bool tuning_read(const struct judge *j, const struct program *p, const struct lab_kernel *k, struct variant v,
                 struct tuning *t, char *message, size_t size);
/* The same beside the kernel of that name and PTX name (NULL: the module has none). */
bool tuning_beside(const struct device *d, struct device_module *module, const char *kernel_symbol, const char *kernel,
                   struct tuning *t, char *message, size_t size);
/* How many blocks are launched on n elements: a thread for each 16 bytes, at least one block, at most `blocks` on each
 * multiprocessor. */
uint32_t tuning_grid(const struct tuning *t, struct variant v, uint32_t n, uint32_t multiprocessors);

/* ---- what reports draw (pictures.c): fills the record's `pictures` -------------------------- */
void pictures(struct judge *j, const json_t *tests, json_t *result);

/* ---- parts of the record -------------------------------------------------------------------- */
/* The checks of j->lab on programs that are loaded: tests, score, advice and the end go into the record (suite.c). */
void judge_checks(struct judge *j, json_t *record);
/* Some cases alone are selected: no grade, but it fails if one of them does. */
bool judge_is_replay(const struct judge *j);
/* advice.c: the first thing to do, and the source lines that `tests` point to, so that a report needs no file. */
void judge_advise(json_t *record, const struct judge *j, json_t *tests);
/* The first test that neither holds nor is left out of a replay; NULL: there is none. */
json_t *judge_first_failure(json_t *tests);
void judge_quote(json_t *record, const struct judge *j, json_t *tests);
/* roots.c: how many of these findings are errors (warnings and notes cost no points), and how many causes they have. */
size_t judge_count_errors(const json_t *findings);
unsigned judge_count_causes(const json_t *findings);
/* Each error of the record but the gravest of its cause gets that as its `root`: {"kind", "line"}. What a fix takes
 * away has one cause. */
void judge_group(json_t *record);

/* ---- the whole grade (grade.c): the result record, schema reduction-labs/result/2 ----------- */
json_t *judge_grade(const struct judge_options *options);
/* The record of a grade that has only begun: it stands for one that never comes to its end. */
json_t *judge_unfinished(const struct judge_options *options);
/* Only compiles: the record with the build in it. */
json_t *judge_build(const struct judge_options *options);

#endif
