/* See observed.h. */
#include "judge/observed.h"
#include "base/hash.h"
#include "base/random.h"
#include "judge/case_large.h"
#include "judge/own.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALONE_BLOCK = 256, ALONE_ROUNDS = 8 };
/* Elements for modeled times. A grid-stride kernel gets so many that throughput matters more than the fixed costs of
 * the launch and of the last block, as in measurements on a GPU (timing.c). */
enum { LARGE_BLOCK = 256, LARGE_N = 1 << 20, LARGE_N_GRID = 1 << 24, LARGE_N_ONE_BLOCK = 1 << 14 };
/* Maximum number of threads in a drawn launch, so that a measurement takes milliseconds; long_case() has more.
 * FEW_THREADS is for the launches that cover every variant and the smallest blocks. */
enum { MAX_THREADS = 8192, FEW_THREADS = 2048 };
/* Limit on warp-instructions for all launches of one call of observed_run_all(); correct kernels execute a fraction of
 * it. */
enum { MAX_EFFORT = 1 << 24 };

static uint32_t elements_of(const struct lab_kernel *k) { return k->elements ? k->elements : 2; }

struct grade_case observed_case(const struct judge *j, const struct lab_kernel *k, uint32_t block) {
    const struct variant first = judge_variant(j, (unsigned)__builtin_ctz(j->lab->variants));
    return case_full(k, first, block, DATA_EXACT, j->options->seed);
}

/* ---- random launches -------------------------------------------------------------------------- */
static struct variant drawn_variant(const struct judge *j, const struct lab_kernel *k, uint64_t *random) {
    unsigned has[VARIANT_COUNT], count = 0;
    for (unsigned v = 0; v < VARIANT_COUNT; v++)
        if (case_kernel_takes(j->lab, k, judge_variant(j, v))) has[count++] = v;
    return count ? judge_variant(j, has[random_below(random, count)]) : observed_case(j, k, OBSERVED_BLOCK).variant;
}
/* Draws the block size of a launch. The first two drawn launches have large blocks, which show a tree across many
 * warps. */
static uint32_t drawn_block(const struct lab_kernel *k, unsigned launch, uint64_t *random) {
    const uint32_t wide = 256u << random_below(random, 3), any = 32u << random_below(random, 6);
    return k->only_block ? k->only_block : launch <= 2 ? wide : any;
}
static struct grade_case drawn_case(const struct judge *j, const struct lab_kernel *k, struct variant v, uint32_t block,
                                    uint32_t most_threads, bool full, uint64_t *random) {
    struct grade_case c = observed_case(j, k, block);
    c.variant = v;
    const uint32_t most = most_threads / c.block < 12 ? most_threads / c.block : 12;
    uint32_t blocks = k->one_block ? 1 : 2 + random_below(random, most - 1);
    const uint32_t rounds = 1 + random_below(random, 2);
    if (k->cluster) { /* at least two blocks per cluster, because these checks examine how blocks of a cluster cooperate
                       */
        c.cluster = 2 + random_below(random, k->cluster - 1);
        blocks = (blocks + c.cluster - 1) / c.cluster * c.cluster;
    }
    if (j->own && elements_of(k) * c.block * blocks > OWN_ELEMENTS) blocks = k->cluster ? c.cluster : 1;
    const uint32_t unit = elements_of(k) * c.block * blocks;
    if (k->grid_stride) c.grid = blocks;
    c.n = k->grid_stride || k->one_block ? rounds * unit : unit;
    /* A kernel may treat an incomplete segment as a special case, which is visible only if the launch has no other
     * segment. If the kernel has segments, half of the launches that are not full therefore have only one. */
    const bool alone = !full && case_has_segments(k) && random_below(random, 2);
    if (!full) c.n = (alone ? elements_of(k) * c.block : unit) / 2 + 1;
    if (!full) c.n += random_below(random, alone ? c.n - 1 : unit);
    if (j->own && c.n > OWN_ELEMENTS) c.n = full ? unit : OWN_ELEMENTS - 1;
    if (!full && k->any_start) c.offset = 1 + random_below(random, MAX_OFFSET);
    return c;
}
/* Returns whether partial products of millions of elements may overflow: one may be infinite, and another 0. */
static bool overflows(struct variant v) { return v.op == REDUCE_OP_PRODUCT && variant_is_float(v); }
/* Draws a launch of many blocks, because a kernel may treat many blocks differently from few. A one-block kernel gets
 * many rounds instead. */
static struct grade_case long_case(const struct judge *j, const struct lab_kernel *k, uint64_t *random) {
    enum { ONE_BLOCK = 512, ONE_BLOCK_ROUNDS = 128, LEAST_BLOCKS = 65, MAX_BLOCKS = 1100, ROUNDS = 2, TRIES = 32 };
    struct grade_case c = observed_case(j, k, k->one_block ? ONE_BLOCK : 32u << random_below(random, 2));
    const uint32_t drawn = LEAST_BLOCKS + random_below(random, MAX_BLOCKS - LEAST_BLOCKS),
                   blocks = k->cluster ? (drawn + k->cluster - 1) / k->cluster * k->cluster : drawn;
    for (unsigned tries = 0; tries < TRIES; tries++) {
        c.variant = drawn_variant(j, k, random);
        if (!overflows(c.variant)) break;
    }
    if (k->grid_stride) c.grid = blocks;
    c.n = elements_of(k) * c.block * (k->one_block ? ONE_BLOCK_ROUNDS : k->grid_stride ? ROUNDS * blocks : blocks);
    return c;
}
/* Returns the random state for the set of launches that the seed selects. */
static uint64_t random_of_set(const struct judge *j, const char *what) {
    const uint64_t set = j->options->seed % OBSERVED_SETS;
    return hash_text(hash_bytes(HASH_START, &set, sizeof set), what);
}
unsigned observed_launches(const struct judge *j, const struct lab_kernel *k, struct grade_case launch[OBSERVED_MAX]) {
    uint64_t random = hash_text(random_of_set(j, "observed"), case_label(k));
    unsigned count = 0;
    launch[count++] = observed_case(j, k, OBSERVED_BLOCK);
    for (; count <= OBSERVED_DRAWN; count++) {
        const struct variant v = drawn_variant(j, k, &random);
        const uint32_t block = drawn_block(k, count, &random);
        launch[count] = drawn_case(j, k, v, block, MAX_THREADS, count % 2, &random);
    }
    const unsigned turn = random_below(&random, 4);
    for (unsigned v = 0; v < VARIANT_COUNT; v++) {
        if (!case_kernel_takes(j->lab, k, judge_variant(j, v))) continue;
        /* at least 128 threads, because trees in smaller blocks hardly differ */
        const uint32_t block = k->only_block ? k->only_block : 128u << (turn + count) % (elements_of(k) > 4 ? 2 : 4);
        launch[count] = drawn_case(j, k, judge_variant(j, v), block, FEW_THREADS, count % 2, &random);
        count++;
    }
    for (uint32_t block = 32; block <= 64 && !k->only_block; block *= 2, count++)
        launch[count] = drawn_case(j, k, drawn_variant(j, k, &random), block, FEW_THREADS, true, &random);
    /* Not for in-place kernels with one block, or with one launch per level: their tree covers all elements, so the
     * number of steps depends on n. */
    if (!j->own && !(k->in_place && (k->one_block || k->finish == FINISH_LEVELS)))
        launch[count++] = long_case(j, k, &random);
    for (unsigned n = 0; n < count; n++) launch[n].data = DATA_PLAIN; /* a correct kernel may skip identity() */
    return count;
}
bool observed_is_full(const struct grade_case *c) {
    return c->n % (elements_of(c->kernel) * c->block * (c->grid ? c->grid : 1)) == 0;
}

struct grade_case observed_alone(const struct judge *j, const struct lab_kernel *k, unsigned launch) {
    uint64_t random = random_of_set(j, launch == 1 ? "alone, fewer threads" : "alone, more threads");
    struct grade_case c = observed_case(j, k, ALONE_BLOCK);
    if (launch) {
        c = observed_case(j, k, (launch == 1 ? ALONE_BLOCK / 4 : 2 * ALONE_BLOCK) << random_below(&random, 2));
        c.variant = drawn_variant(j, k, &random);
    }
    c.n *= ALONE_ROUNDS;
    return c;
}

const char *observed_where(const struct observed *o, unsigned launch, char *out, size_t size) {
    char name[160];
    out[0] = 0;
    if (launch || o->of_other) snprintf(out, size, " (%s)", case_name(&o->launch[launch], name, sizeof name));
    return out;
}
double observed_longest(const struct outcome *o) {
    return block_time_of(&o->measurement)->count ? (double)block_time_of(&o->measurement)->launch[0].longest : 0;
}
bool observed_large(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                    json_t *result) {
    char message[400];
    struct tuning t;
    *c = observed_case(j, &j->lab->kernels[0], LARGE_BLOCK);
    c->n = c->kernel->one_block                           ? LARGE_N_ONE_BLOCK
           : c->kernel->grid_stride && !c->kernel->arrays ? LARGE_N_GRID
                                                          : LARGE_N;
    if (c->kernel->arrays && c->kernel->arrays->large_n) c->n = c->kernel->arrays->large_n;
    if (c->kernel->grid_stride) c->grid = gpu_resident(gpu, LARGE_BLOCK, 0, c->kernel->cluster); /* fills the GPU */
    if (!c->kernel->tuned) return true;
    if (!tuning_read(j, p, c->kernel, c->variant, &t, message, sizeof message))
        return (p == &j->reference ? result_setup : result_fail)(result, "not measured: %s", message), false;
    tuning_launch(&t, c->variant, c->n, gpu->sms, &c->block, &c->grid);
    return true;
}

/* ---- running ---------------------------------------------------------------------------------- */
static bool measured(const struct judge *j, const struct program *p, const struct grade_case *c,
                     const struct outcome *o, json_t *result, const char *whose) {
    char name[160];
    if (o->kind == OUTCOME_RIGHT) return true;
    if (j->most && o->work >= j->most)
        result_fail(result, "not measured: the kernel executes more than %llu %s, too many to earn points for its time",
                    (unsigned long long)j->most,
                    terms_choose(judge_taught(j), "warp-instructions", "instructions, each for 32 threads"));
    else if (o->kind == OUTCOME_SETUP || p == &j->reference)
        result_setup(result, "the %s could not be measured: %s", whose, o->message);
    else
        result_fail(result, "not measured: the result is wrong (%s)", case_name(c, name, sizeof name)),
            result_wrong_case(result, c, o);
    return false;
}
/* Returns whether the kernel terminates. Otherwise, it would exhaust its budget in each launch. */
static bool ends(const struct judge *j, const struct lab_kernel *k, json_t *result) {
    if (!judge_is_endless(j, k)) return true;
    result_fail(result, "not measured: the kernel does not end");
    return false;
}
bool observed_measure(const struct judge *j, const struct program *p, const struct grade_case *c, unsigned what,
                      struct outcome *o, json_t *result, const char *whose) {
    memset(o, 0, sizeof *o);
    if (p != &j->reference && !ends(j, c->kernel, result)) return false;
    case_run(j, p, c, what, o);
    return measured(j, p, c, o, result, whose);
}
unsigned observed_run_all(const struct judge *j, const struct program *p, const struct grade_case launch[],
                          unsigned count, struct outcome outcome[]) {
    uint64_t spent = 0;
    unsigned k = 0;
    for (; k < count && spent <= MAX_EFFORT; k++) {
        case_run(j, p, &launch[k], MEASURE_COUNTS | MEASURE_STEPS, &outcome[k]);
        spent += outcome[k].effort;
    }
    return k;
}
/* Fails a kernel that reached the limit before all recorded launches had run: the other launches were not examined. */
static bool reaches_all(const struct judge *j, const struct observed *o, json_t *result) {
    bool wrong = false;
    for (unsigned n = 0; n < o->count; n++) wrong |= o->student[n].kind != OUTCOME_RIGHT;
    if (o->count >= o->recorded || wrong) return true;
    result_fail(result, "not measured: by the end of launch %u, the kernel had executed more than %d %s", o->count,
                MAX_EFFORT, terms_choose(judge_taught(j), "warp-instructions", "instructions, each for 32 threads"));
    return false;
}
void observed_share(struct judge *j) { j->observed = calloc(j->lab->kernel_count, sizeof *j->observed); }
void observed_forget(struct judge *j) {
    for (unsigned k = 0; j->observed && k < j->lab->kernel_count; k++)
        j->observed[k].shared = false, observed_free(&j->observed[k]);
    free(j->observed), j->observed = NULL;
}
/* Sets all launches of a kernel. Returns their number. */
static unsigned all_launches(const struct judge *j, const struct lab_kernel *k, struct observed *o) {
    struct scaled scaled[SCALED_MAX];
    o->recorded = observed_launches(j, k, o->launch);
    const unsigned more = scaled_launches(j, o->launch, o->recorded, scaled);
    for (unsigned n = 0; n < more; n++) o->launch[o->recorded + n] = scaled[n].launch, o->from[n] = scaled[n].from;
    return o->recorded + more;
}
/* Gets the reference's figures for the launches that ran. */
static bool have_figures(const struct judge *j, struct observed *o, json_t *result) {
    const unsigned recorded = o->count < o->recorded ? o->count : o->recorded;
    if (!figures_of_launches(j, o->launch, recorded, o->reference, result)) return false;
    for (unsigned n = recorded; n < o->count; n++) {
        const unsigned from = o->from[n - recorded];
        o->reference[n] = scaled_figures(&o->reference[from], &o->launch[from], &o->launch[n]);
    }
    return true;
}
/* Runs a kernel's launches, or takes their outcomes from an earlier check. Returns false if out of memory. The larger
 * launches have their own limit. A kernel that exceeds it in one of them has failed there. */
static bool have_launches(const struct judge *j, const struct lab_kernel *k, struct observed *o) {
    struct observed *kept = j->observed ? &j->observed[k - j->lab->kernels] : NULL;
    const unsigned launches = all_launches(j, k, o);
    if (kept && kept->student) return *o = *kept, true;
    o->student = calloc(OBSERVED_ALL, sizeof *o->student);
    if (!o->student) return false;
    o->count = observed_run_all(j, &j->student, o->launch, o->recorded, o->student);
    if (o->count == o->recorded)
        o->count += observed_run_all(j, &j->student, &o->launch[o->count], launches - o->count, &o->student[o->count]);
    o->shared = kept;
    if (kept) *kept = *o;
    return true;
}
bool observed_run(const struct judge *j, const struct lab_kernel *k, bool both, struct observed *o, json_t *result) {
    memset(o, 0, sizeof *o);
    o->of_other = k != j->lab->kernels;
    if (!ends(j, k, result)) return false;
    if (!have_launches(j, k, o)) return result_setup(result, "out of memory"), false;
    if (o->student[0].kind != OUTCOME_WRONG &&
        !measured(j, &j->student, &o->launch[0], &o->student[0], result, "submission"))
        return false;
    for (unsigned n = 0; n < o->count; n++)
        if (o->student[n].kind == OUTCOME_SETUP)
            return measured(j, &j->student, &o->launch[n], &o->student[n], result, "submission");
    if (!reaches_all(j, o, result)) return false;
    return !both || have_figures(j, o, result);
}
void observed_free(struct observed *o) {
    for (unsigned n = 0; o->student && !o->shared && n < o->count; n++) outcome_free(&o->student[n]);
    if (!o->shared) free(o->student);
}
