/* See timing.h. */
#include "base/array.h"
#include "base/clock.h"
#include "base/random.h"
#include "judge/case_plan.h"
#include "judge/timing.h"
#include "probes/measured.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    MAX_BYTES = 1 << 30,     /* maximum size of an input; far more than any cache holds */
    LEAST_BYTES = 1 << 22,   /* minimum size of an input */
    ONE_BLOCK_N = 1 << 20,   /* elements for a one-block kernel */
    OTHER_BYTES = 256 << 20, /* bytes read between runs, more than any cache holds */
    SLACK = 16 << 20,        /* the start of an input is drawn from this many bytes */
    ALIGNMENT = CASE_SPACE_ALIGNMENT,
    KIT_BLOCK = 256,
    ROUND = 8, /* pairs of runs before modules are reloaded */
    MAX_WARM = 3,
    LEAST_PAIRS = 24,
    MAX_PAIRS = 256,
    MAX_SECONDS = 15,
};
enum kit { DRAW, FILL, READ, KITS }; /* kernels of common/timing.cu */
static const char *const kit_names[KITS] = {"timing_draw", "timing_fill", "timing_read"};
static const char draw_halves[] = "timing_draw_halves"; /* kernel DRAW for inputs of halves */
enum who { STUDENT, REFERENCE, SIDES, NOBODY = SIDES };
enum { KIT_MODULE = SIDES, MAX_TURNS = SIDES * (ROUND + 1 + MAX_WARM) };

/* A side, the submission or the reference. The sides alternate. */
struct side {
    const char *symbols[LAB_STEPS]; /* PTX names of all its kernels; the first is NULL if one is missing */
    struct device_module *module;
    struct grade_case c;
    unsigned launches; /* since the module was loaded */
    double ns[MAX_PAIRS];
};
/* A run of one side in the plan of a round. first, timed, read: indices of its first launch, its first timed launch,
 * and its first read. Read `read` returns the expected result, and the next read this side's result. With
 * FINISH_ARRAYS, all `reads` reads return output arrays. */
struct turn {
    enum who who;
    unsigned first, timed, read, reads;
    struct case_arrays arrays; /* FINISH_ARRAYS */
    enum { WARMS_UP, OF_PAIR, ENDS_PAIR } part;
};
struct round {
    struct plan plan;
    struct turn turn[MAX_TURNS];
    unsigned turns;
    const void *inputs[MAX_TURNS * LAB_ARRAYS]; /* FINISH_ARRAYS */
    unsigned input_count;
    /* buffers: inputs; partials; data that is read to flush caches, and the output of the kernel that reads it; total
     * of FINISH_ATOMIC */
    unsigned pool, space, other, sum, total;
    char *outputs;
    double ns[MAX_TURNS];
};
struct timer {
    const struct judge *j;
    const struct device *gpu;
    struct timing *t;
    struct device_error error;
    struct device_traits traits;
    struct compiled text; /* kernels of common/timing.cu */
    struct device_module *module;
    char symbol[KITS][256];
    struct side side[SIDES];
    struct round round;
    size_t size, input_size; /* bytes of a result, and of an input element */
    uint32_t n, fill_grid;
    uint64_t space_bytes, random;
    double deadline;
    /* the correct totals of all runs, to recognize a stale result */
    union value totals[2 * MAX_PAIRS * (1 + MAX_WARM)];
    unsigned runs;
};

static bool ends(struct timer *t, enum timing_end end, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool ends(struct timer *t, enum timing_end end, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->t->message, sizeof t->t->message, format, arguments);
    va_end(arguments);
    t->t->end = end;
    return false;
}
/* Returns whether this is a handout without a reference. Then the submission alternates with itself, and only its time
 * is reported. */
static bool is_alone(const struct timer *t) { return t->j->recorded; }
static bool is_students(const struct timer *t, enum who who) {
    return who == STUDENT || (who == REFERENCE && is_alone(t));
}
static bool worked(struct timer *t, enum device_status s, enum who whose) {
    if (s == DEVICE_OK) return true;
    if (s == DEVICE_SUBMISSION && is_students(t, whose))
        return ends(t, TIMING_REFUSED, "timing on %s: %.300s", t->traits.name, t->error.message);
    return ends(t, TIMING_NONE, "not timed on the GPU: %s%.300s", whose == REFERENCE ? "the reference: " : "",
                t->error.message);
}

/* ---- statistics ------------------------------------------------------------------------------ */
/* For any distribution of the values, the number of values below the median is binomially distributed. Source: J.-Y. Le
 * Boudec, "Performance Evaluation of Computer and Communication Systems" (2010), theorem 2.1. */
unsigned timing_rank(unsigned n, double confidence) {
    double chance = pow(0.5, n),
           below = 0; /* probability that exactly k values, and that fewer than k values, are below the median */
    unsigned k = 0;
    while (k <= n / 2 && 2 * (below + chance) <= 1 - confidence) {
        below += chance;
        chance *= (double)(n - k) / (k + 1);
        k++;
    }
    return k;
}
static double middle(const double *sorted, unsigned n) { return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2; }
static double median(const double *values, unsigned n) {
    double sorted[MAX_PAIRS];
    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, array_by_double);
    return middle(sorted, n);
}
static bool quiet(struct timer *t) {
    struct timing *r = t->t;
    double ratio[MAX_PAIRS];
    if (!r->pairs) return false;
    for (unsigned k = 0; k < r->pairs; k++) ratio[k] = t->side[STUDENT].ns[k] / t->side[REFERENCE].ns[k];
    qsort(ratio, r->pairs, sizeof *ratio, array_by_double);
    const unsigned rank = timing_rank(r->pairs, TIMING_CONFIDENCE), at = rank ? rank - 1 : 0;
    r->ratio = middle(ratio, r->pairs), r->low = ratio[at], r->high = ratio[r->pairs - 1 - at];
    r->ns = median(t->side[STUDENT].ns, r->pairs), r->reference_ns = median(t->side[REFERENCE].ns, r->pairs);
    return rank && r->high - r->low <= TIMING_WIDTH * r->ratio;
}

/* ---- the plan of a round ---------------------------------------------------------------------- */
static void kit_launch(struct timer *t, enum kit kernel, enum plan_mode mode) {
    struct plan *p = &t->round.plan;
    plan_add_launch(p, KIT_MODULE, t->symbol[kernel], t->fill_grid, KIT_BLOCK);
    if (plan_last(p)) plan_last(p)->mode = mode;
}
static unsigned add_buffer(struct timer *t, const char *name, uint64_t bytes) {
    struct plan_buffer b = {.element = (uint32_t)t->size, .length = (bytes + t->size - 1) / t->size};
    snprintf(b.name, sizeof b.name, "%s", name);
    return plan_add_buffer(&t->round.plan, b);
}
static void add_buffers(struct timer *t) {
    struct round *r = &t->round;
    const union value identity = reference_identity(t->side[STUDENT].c.variant);
    r->pool = add_buffer(t, "in", t->n * t->input_size + SLACK), r->space = add_buffer(t, "out", t->space_bytes);
    r->other = add_buffer(t, "other", OTHER_BYTES), r->sum = add_buffer(t, "sum", ALIGNMENT);
    r->total = add_buffer(t, "out", t->size);
    if (r->plan.failed) return;
    r->plan.buffer[r->total].fill = PLAN_REPEAT;
    memcpy(r->plan.buffer[r->total].value, &identity, t->size);
}
/* Flushes caches by reading other data. Launches that follow are queued during this read, which hides their overhead on
 * the host. */
static void add_flush(struct timer *t) {
    struct round *r = &t->round;
    struct plan *p = &r->plan;
    kit_launch(t, READ, PLAN_QUEUED);
    plan_pass_address(p, r->other, 0), plan_pass_address(p, r->sum, 0), plan_pass_u32(p, OTHER_BYTES / 16);
    if (plan_last(p)) plan_last(p)->refill = UINT64_C(1) << r->total;
}
/* Generates a new input, and one result per block in `space`, from which the host computes the expected total. The
 * results are then copied to the host, and `space` is overwritten with the poison pattern. Later, it holds the kernel's
 * outputs. */
static void add_input(struct timer *t, uint64_t in) {
    struct round *r = &t->round;
    struct plan *p = &r->plan;
    kit_launch(t, DRAW, PLAN_WAITS);
    plan_pass_address(p, r->pool, in), plan_pass_address(p, r->space, 0);
    plan_pass_u32(p, t->n), plan_pass_u64(p, random_next(&t->random));
    plan_add_read(p, r->space, 0, t->fill_grid, PLAN_ONE_A_BLOCK);
    kit_launch(t, FILL, PLAN_WAITS);
    plan_pass_address(p, r->space, 0);
    plan_pass_u32(p, (uint32_t)(t->space_bytes / 4)), plan_pass_u32(p, DEVICE_POISON * 0x01010101u);
}
/* Adds new arrays for this turn, which the host generates. Before the timed launch, a launch for each array gets its
 * address but reads nothing. Thus the array is in the device's memory by then. */
static void add_arrays(struct timer *t, struct turn *turn, struct case_launches *l) {
    struct round *r = &t->round;
    struct plan *p = &r->plan;
    struct grade_case drawn = *l->c;
    const uint32_t first = p->buffers;
    drawn.seed = random_next(&t->random);
    if (!case_arrays_draw(&turn->arrays, &drawn)) p->failed = true;
    const unsigned inputs = plan_add_arrays(p, l, r->input_count);
    for (unsigned k = 0; k < inputs; k++) r->inputs[r->input_count++] = turn->arrays.inputs[k];
    for (uint32_t k = first, end = p->buffers; k < end; k++) {
        kit_launch(t, READ, PLAN_WAITS);
        plan_pass_address(p, k, 0), plan_pass_address(p, r->sum, 0), plan_pass_u32(p, 0);
    }
}
static void add_turn(struct timer *t, enum who who, unsigned part) {
    struct round *r = &t->round;
    const uint64_t in = random_next(&t->random) % (SLACK / ALIGNMENT) * ALIGNMENT,
                   out = random_next(&t->random) % (SLACK / ALIGNMENT) * ALIGNMENT;
    struct turn *turn = &r->turn[r->turns++];
    struct case_launches l = {.c = &t->side[who].c,
                              .symbols = t->side[who].symbols,
                              .module = who,
                              .in = {r->pool, in},
                              .space = {r->space, out},
                              .total = r->total,
                              .repeats = 1,
                              .mode = PLAN_TIMED};
    *turn = (struct turn){.who = who, .first = r->plan.launches, .read = r->plan.reads, .part = part};
    if (l.c->kernel->finish == FINISH_ARRAYS)
        add_arrays(t, turn, &l);
    else
        add_input(t, in);
    add_flush(t);
    turn->timed = r->plan.launches;
    plan_add_case(&r->plan, &l);
    turn->reads = r->plan.reads - turn->read;
}
/* Adds 1 to MAX_WARM warm-up runs of each side, then the pairs of measured runs. A kernel cannot distinguish a warm-up
 * run from a measured one. */
static void add_turns(struct timer *t) {
    for (enum who who = 0; who < SIDES; who++)
        for (uint64_t more = 1 + random_next(&t->random) % MAX_WARM; more; more--) add_turn(t, who, WARMS_UP);
    for (unsigned k = 0; k < ROUND; k++) {
        const enum who first = random_next(&t->random) & 1 ? STUDENT : REFERENCE;
        add_turn(t, first, OF_PAIR), add_turn(t, !first, ENDS_PAIR);
    }
}

/* ---- one run --------------------------------------------------------------------------------- */
static bool result_wrong(struct timer *t, enum who who, union value got, union value expected, bool unwritten) {
    const struct variant v = t->side[who].c.variant;
    const unsigned launch = t->side[who].launches;
    char a[100], b[100];
    if (!is_students(t, who))
        return ends(t, TIMING_NONE,
                    "not timed on the GPU: the reference's result is wrong on "
                    "the GPU");
    const char *right = launch > 1 ? "; launch 1 was right: look for state that launch 1 leaves behind" : "";
    if (unwritten)
        return ends(t, TIMING_REFUSED, "timing on %s: launch %u wrote nothing%s", t->traits.name, launch, right);
    for (unsigned k = 0; k + 1 < t->runs; k++) /* without the last total, which is that of the current launch */
        if (reference_equal(v, t->totals[k], got))
            return ends(t, TIMING_REFUSED,
                        "timing on %s: launch %u returned a stale result, although each launch "
                        "has new data",
                        t->traits.name, launch);
    return ends(t, TIMING_REFUSED, "timing on %s: wrong result in launch %u (%u elements): got %s, expected %s%s",
                t->traits.name, launch, t->n, reference_print(v, got, a, sizeof a),
                reference_print(v, expected, b, sizeof b), right);
}
/* Combines the values of a read. Sets *unwritten if one of them still holds the poison pattern. */
static union value combined(const struct timer *t, unsigned read, bool *unwritten) {
    const struct variant v = t->side[STUDENT].c.variant;
    const struct plan *p = &t->round.plan;
    const char *values = t->round.outputs + plan_read_at(p, read);
    union value got = reference_identity(v);
    const uint64_t count = plan_read_results(p, read);
    for (uint64_t k = 0; k < count; k++) {
        *unwritten |= device_is_poison(values + k * t->size, t->size);
        got = count == 1 ? reference_load(v, values, 0) : reference_combine(v, got, reference_load(v, values, k));
    }
    return got;
}
static bool arrays_are_right(struct timer *t, const struct turn *turn) {
    const struct plan *p = &t->round.plan;
    struct array_fault f;
    char where[300];
    for (unsigned k = 0; k < turn->reads; k++) {
        const char *got = t->round.outputs + plan_read_at(p, turn->read + k);
        if (case_arrays_compare(&turn->arrays, &t->side[turn->who].c, k, got, &f)) continue;
        if (!is_students(t, turn->who))
            return ends(t, TIMING_NONE, "not timed on the GPU: the reference's result is wrong on the GPU");
        return ends(t, TIMING_REFUSED, "timing on %s: launch %u was wrong: %s", t->traits.name,
                    t->side[turn->who].launches, array_fault_text(&f, where, sizeof where));
    }
    return true;
}
/* Compares a turn's result with the expected one. */
static bool verify(struct timer *t, const struct turn *turn) {
    bool unwritten = false;
    t->side[turn->who].launches++;
    if (turn->arrays.memory) return arrays_are_right(t, turn);
    const union value expected = t->totals[t->runs++] = combined(t, turn->read, &(bool){false}),
                      got = combined(t, turn->read + 1, &unwritten);
    const bool right = !unwritten && reference_equal(t->side[turn->who].c.variant, got, expected);
    return right || result_wrong(t, turn->who, got, expected, unwritten);
}
/* Returns whether the time is possible: reading cannot be faster than peak bandwidth. */
static bool possible(struct timer *t, enum who who, double ns) {
    const double least = t->traits.peak > 0 ? (double)t->n * (double)t->input_size / t->traits.peak : 0;
    if (ns > 0 && ns >= least) return true;
    if (!is_students(t, who))
        return ends(t, TIMING_NONE, "not timed on the GPU: the reference took %.1f us, which is impossibly short",
                    ns / 1000);
    return ends(
        t, TIMING_REFUSED,
        "a run on %s took %.1f us, but reading the input takes at least %.1f us at %.0f GB/s: part of the input "
        "was not read, so the time is rejected",
        t->traits.name, ns / 1000, least / 1000, t->traits.peak);
}

/* ---- rounds ------------------------------------------------------------------------------------ */
/* Returns the side of a launch, or NOBODY for the kit's launches. */
static enum who whose(const struct round *r, unsigned launch) {
    enum who who = NOBODY;
    for (unsigned k = 0; k < r->turns; k++)
        if (launch >= r->turn[k].first) who = launch >= r->turn[k].timed ? r->turn[k].who : NOBODY;
    return who;
}
/* Stores the times of all finished turns except warm-ups. The two turns of a pair have the same index. Returns false if
 * a result or a time is wrong. */
static bool take_times(struct timer *t, const struct device_run *run) {
    const struct round *r = &t->round;
    for (unsigned k = 0; k < run->times && r->turn[k].read + r->turn[k].reads <= run->reads; k++) {
        const struct turn *turn = &r->turn[k];
        if (!verify(t, turn) || !possible(t, turn->who, r->ns[k])) return false;
        if (turn->part != WARMS_UP) t->side[turn->who].ns[t->t->pairs] = r->ns[k];
        t->t->pairs += turn->part == ENDS_PAIR;
    }
    return run->status == DEVICE_OK || worked(t, run->status, whose(r, run->launch));
}
/* Reloads both modules and runs the turns of a round. */
static bool run_round(struct timer *t) {
    struct round *r = &t->round;
    *r = (struct round){.turns = 0};
    for (unsigned who = 0; who < SIDES; who++) t->side[who].launches = 0;
    add_buffers(t);
    add_turns(t);
    r->outputs = r->plan.failed ? NULL : calloc(1, plan_read_at(&r->plan, r->plan.reads) + 1);
    struct device_run run = {.plan = &r->plan,
                             .module = {t->side[STUDENT].module, t->side[REFERENCE].module, t->module},
                             .inputs = r->inputs,
                             .outputs = r->outputs,
                             .nanoseconds = r->ns,
                             .seconds = t->deadline - clock_seconds()};
    bool ok = r->outputs;
    if (ok) {
        t->gpu->run(&run, 1);
        t->error = run.error;
        ok = take_times(t, &run);
    } else
        ends(t, TIMING_NONE, "not timed on the GPU: out of memory");
    for (unsigned k = 0; k < r->turns; k++) case_arrays_free(&r->turn[k].arrays);
    free(r->outputs);
    plan_free(&r->plan);
    return ok;
}
static bool end_alone(struct timer *t) {
    const struct timing *r = t->t;
    return ends(t, TIMING_NONE,
                "timed on %s: %.1f us, %.0f GB/s; a handout has no reference to compare with, so points depend on the "
                "modeled ratio",
                t->traits.name, r->ns / 1000, (double)t->n * (double)t->input_size / r->ns);
}
static void take_turns(struct timer *t) {
    struct timing *r = t->t;
    bool ok = true, done = false;
    t->deadline = clock_seconds() + MAX_SECONDS;
    while (ok && !done && r->pairs < MAX_PAIRS && clock_seconds() < t->deadline) {
        ok = run_round(t);
        done = quiet(t) && r->pairs >= LEAST_PAIRS;
    }
    if (!ok) return;
    if (!done && r->pairs < LEAST_PAIRS)
        ends(t, TIMING_NOISY, "too slow to be timed on %s: only %u of the required pairs of runs ended in %d s",
             t->traits.name, r->pairs, MAX_SECONDS);
    else if (is_alone(t))
        end_alone(t);
    else if (!done)
        ends(t, TIMING_NOISY,
             "too noisy on %s to be graded by time: %.2f to %.2f times the reference's time after %u pairs of runs",
             t->traits.name, r->low, r->high, r->pairs);
    else
        ends(t, TIMING_QUIET, "measured on %s: %.2f times the reference's time (%.2f to %.2f), %.0f GB/s",
             t->traits.name, r->ratio, r->low, r->high, (double)t->n * (double)t->input_size / r->ns);
}

/* ---- setup ----------------------------------------------------------------------------------- */
static bool open_kit(struct timer *t, struct variant v) {
    const struct judge_options *o = t->j->options;
    char path[4096];
    snprintf(path, sizeof path, "%s/common/timing.cu", o->root);
    t->text = compile(o->compiler, &(struct compile_request){.source = path,
                                                             .shown = "common/timing.cu",
                                                             .root = o->root,
                                                             .cache = o->cache,
                                                             .variants = 1u << variant_index(v)});
    if (t->text.status != COMPILE_OK)
        return ends(t, TIMING_NONE, "not timed on the GPU: common/timing.cu does not build: %.250s",
                    t->text.log ? t->text.log : "");
    for (enum kit k = 0; k < KITS; k++) {
        const char *name = k == DRAW && t->side[STUDENT].c.kernel->halves ? draw_halves : kit_names[k];
        if (!compiled_symbol(t->text.ptx[0], v, name, t->symbol[k], sizeof t->symbol[k]))
            return ends(t, TIMING_NONE, "not timed on the GPU: common/timing.cu has no kernel %s", name);
    }
    return worked(t, t->gpu->load(t->text.ptx[0], t->text.length[0], "timing.cu", &t->module, &t->error), NOBODY);
}
/* Limits the grid to the clusters that are resident at once. More clusters would start a second wave. */
static bool limit_clusters(struct timer *t, enum who who) {
    struct grade_case *c = &t->side[who].c;
    const struct device_shape shape = {t->side[who].symbols[0], c->block, case_shared_bytes(c), c->kernel->cluster};
    uint32_t most = 0;
    if (!c->kernel->cluster) return true;
    if (!worked(t, t->gpu->resident(t->side[who].module, &shape, &most, &t->error), who)) return false;
    if (most && c->grid > most) c->grid = most;
    return true;
}
/* Sets the launch configurations of both sides for n elements. Returns false if one is invalid. */
static bool choose_launches(struct timer *t) {
    const struct program *programs[SIDES] = {&t->j->student, is_alone(t) ? &t->j->student : &t->j->reference};
    for (enum who who = 0; who < SIDES; who++) {
        struct grade_case *c = &t->side[who].c;
        struct tuning tuning;
        const uint32_t most = t->traits.threads;
        c->n = t->n;
        if (c->kernel->grid_stride) c->grid = t->traits.multiprocessors * (c->block < most ? most / c->block : 1);
        if (!limit_clusters(t, who)) return false;
        if (!c->kernel->tuned) continue;
        if (!tuning_read(t->j, programs[who], c->kernel, c->variant, &tuning, t->error.message,
                         sizeof t->error.message))
            return worked(t, DEVICE_SUBMISSION, who);
        tuning_launch(&tuning, c->variant, t->n, t->traits.multiprocessors, &c->block, &c->grid);
    }
    return true;
}
static uint64_t space_for(const struct timer *t) {
    uint64_t most = t->fill_grid * t->size;
    for (unsigned who = 0; who < SIDES; who++) {
        const uint64_t bytes = case_space(&t->side[who].c);
        if (bytes > most) most = bytes;
    }
    return most + SLACK;
}
/* Chooses the number of elements: as many as are useful and fit into half of the free memory. */
static bool choose_size(struct timer *t) {
    uint64_t bytes = MAX_BYTES;
    while (bytes >= LEAST_BYTES && 2 * (bytes + OTHER_BYTES) > t->traits.free_bytes) bytes /= 2;
    if (bytes < LEAST_BYTES)
        return ends(t, TIMING_NONE, "not timed on the GPU: only %llu MiB of its memory is free",
                    (unsigned long long)(t->traits.free_bytes >> 20));
    t->n = (uint32_t)(bytes / t->input_size);
    const struct lab_kernel *k = t->side[STUDENT].c.kernel;
    if ((k->one_block || k->arrays) && t->n > ONE_BLOCK_N) t->n = ONE_BLOCK_N;
    if (k->arrays && k->arrays->large_n) t->n = k->arrays->large_n;
    t->fill_grid = 8 * t->traits.multiprocessors;
    if (!choose_launches(t)) return false;
    t->space_bytes = space_for(t);
    return true;
}
static void take_side(struct timer *t, enum who who, const struct program *p, const struct grade_case *c) {
    const unsigned variant = variant_index(c->variant);
    t->side[who].c = *c;
    const char *names[LAB_STEPS];
    const unsigned count = case_kernels(c->kernel, names);
    for (unsigned k = 0; k < count; k++) {
        const char *symbol = program_symbol(t->j, p, names[k], c->variant);
        if (k && (!symbol || !t->side[who].symbols[0])) symbol = t->side[who].symbols[0] = NULL;
        t->side[who].symbols[k] = symbol;
    }
    t->side[who].module = p->on_gpu[p->text.of_variant[variant]];
}
void timing_run(const struct judge *j, const struct grade_case *c, struct timing *result) {
    struct timer *t = calloc(1, sizeof *t);
    *result = (struct timing){.end = TIMING_NONE, .message = "not timed on the GPU: out of memory"};
    if (!t) return;
    t->j = j, t->gpu = j->options->gpu, t->t = result;
    t->size = variant_size(c->variant), t->input_size = case_input_size(c);
    take_side(t, STUDENT, &j->student, c);
    take_side(t, REFERENCE, is_alone(t) ? &j->student : &j->reference, c);
    if (getrandom(&t->random, sizeof t->random, 0) != sizeof t->random) t->random = j->options->seed;
    if (j->own || c->kernel->second || !variant_commutes(c->variant))
        ends(t, TIMING_NONE, "not timed on the GPU: cannot generate the inputs on the GPU");
    else if (!t->side[STUDENT].symbols[0] || !t->side[REFERENCE].symbols[0])
        ends(t, TIMING_NONE, "not timed on the GPU: the file has no kernel `%s`", c->kernel->name);
    else if (worked(t, t->gpu->describe(&t->traits, &t->error), NOBODY) && open_kit(t, c->variant) && choose_size(t))
        take_turns(t);
    snprintf(result->device, sizeof result->device, "%s", t->traits.name);
    result->elements = t->n, result->element_bytes = t->input_size, result->peak = t->traits.peak;
    result->block = t->side[STUDENT].c.block;
    result->grid = t->n ? case_blocks(&t->side[STUDENT].c, t->n, 0) : 0;
    result->alone = is_alone(t);
    if (t->module) t->gpu->unload(t->module);
    compiled_free(&t->text);
    free(t);
}

void timing_verdict(const struct lab *lab, double modeled, const struct timing *t, json_t *result) {
    const bool measured = lab->speed_measured && t->end == TIMING_QUIET;
    char more[sizeof t->message + 40] = "";
    if (t->end == TIMING_REFUSED) {
        result_fail(result, "%s", t->message);
        return;
    }
    if (measured)
        snprintf(more, sizeof more, "; modeled %.2f; %s", modeled, t->message);
    else if (t->message[0])
        snprintf(more, sizeof more, "; %s", t->message);
    const double ratio = measured ? t->ratio : modeled;
    result_ratio(result, measured ? "measured time" : "modeled time", ratio, lab->speed_full, lab->speed_none, more);
    if (ratio >= 2 * lab->speed_none)
        result_evades(result, 1); /* a time this long means that a single block or thread does all the work */
}
json_t *timing_json(const struct timing *t) {
    json_t *o = json_pack("{s:s, s:o}", "end", timing_end_word(t->end), "message", measured_text(t->message));
    if (t->device[0]) json_object_set_new(o, "device", measured_text(t->device));
    if (t->pairs && t->end != TIMING_REFUSED) {
        const double bytes = (double)t->elements * (double)t->element_bytes;
        json_object_update_new(o, json_pack("{s:i, s:i, s:i, s:i, s:f, s:f, s:f}", "elements", (int)t->elements,
                                            "block", (int)t->block, "grid", (int)t->grid, "pairs", (int)t->pairs, "ns",
                                            t->ns, "gbs", bytes / t->ns, "peak_gbs", t->peak));
        if (!t->alone)
            json_object_update_new(o, json_pack("{s:f, s:f, s:f, s:f}", "reference_ns", t->reference_ns, "ratio",
                                                t->ratio, "low", t->low, "high", t->high));
    }
    return o;
}
