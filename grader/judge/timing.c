/* See timing.h. */
#include "base/clock.h"
#include "base/random.h"
#include "judge/timing.h"
#include "judge/measured.h"
#include "model/gpus/gpu.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    MOST_BYTES = 1 << 30,    /* of an input: far more than any cache holds */
    LEAST_BYTES = 1 << 22,   /* less is not worth timing */
    ONE_BLOCK_N = 1 << 20,   /* elements, of a kernel that is one block */
    OTHER_BYTES = 256 << 20, /* read between runs: more than any cache */
    SLACK = 16 << 20,        /* bytes among which an input's start is drawn */
    ALIGNMENT = 256,
    KIT_BLOCK = 256,
    MOST_STAGES = 32,
    ROUND = 8, /* pairs, then the modules are loaded anew */
    MOST_WARM = 3,
    LEAST_PAIRS = 24,
    MOST_PAIRS = 256,
    MOST_SECONDS = 15,
};
enum kit { DRAW, FILL, READ, KITS }; /* kernels of common/timing.cu */
static const char *const kit_names[KITS] = {"timing_draw", "timing_fill", "timing_read"};
enum who { STUDENT, REFERENCE, SIDES, NOBODY = SIDES };

/* One of the two that take turns. */
struct side {
    const char *symbol;
    struct device_module *module;
    struct device_session *session;
    struct grade_case c;
    unsigned launches; /* runs since its module was loaded */
    double ns[MOST_PAIRS];
};
struct timer {
    const struct judge *j;
    const struct device *gpu;
    struct timing *t;
    struct device_error error;
    struct device_traits traits;
    struct compiled text; /* of the kit's kernels */
    struct device_module *module;
    char symbol[KITS][256];
    struct device_session *own; /* holds all memory */
    struct side side[SIDES];
    size_t size; /* of an element */
    uint32_t n, fill_grid;
    uint64_t pool, space, space_bytes, other, out; /* addresses; of inputs, of what launches leave, ... */
    uint64_t random;
    double deadline;
    union value totals[2 * MOST_PAIRS * (1 + MOST_WARM)]; /* of all runs, so that a kept one is known */
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
static bool worked(struct timer *t, enum device_status s, enum who whose) {
    if (s == DEVICE_OK) return true;
    if (s == DEVICE_SUBMISSION && whose == STUDENT)
        return ends(t, TIMING_REFUSED, "when it was timed on %s: %.300s", t->traits.name, t->error.message);
    return ends(t, TIMING_NONE, "not timed on the GPU: %s%.300s", whose == REFERENCE ? "the reference: " : "",
                t->error.message);
}

/* ---- statistics ------------------------------------------------------------------------------ */
/* Whatever the values' distribution, the number of them below its median is binomial: J.-Y. Le Boudec, "Performance
 * Evaluation of Computer and Communication Systems" (2010), theorem 2.1. */
unsigned timing_rank(unsigned n, double confidence) {
    double chance = pow(0.5, n), below = 0; /* that exactly, and that fewer than, k values lie below */
    unsigned k = 0;
    while (k <= n / 2 && 2 * (below + chance) <= 1 - confidence) {
        below += chance;
        chance *= (double)(n - k) / (k + 1);
        k++;
    }
    return k;
}
static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double middle(const double *sorted, unsigned n) { return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2; }
static double median(const double *values, unsigned n) {
    double sorted[MOST_PAIRS];
    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, by_size);
    return middle(sorted, n);
}
static bool quiet(struct timer *t) {
    struct timing *r = t->t;
    double ratio[MOST_PAIRS];
    if (!r->pairs) return false;
    for (unsigned k = 0; k < r->pairs; k++) ratio[k] = t->side[STUDENT].ns[k] / t->side[REFERENCE].ns[k];
    qsort(ratio, r->pairs, sizeof *ratio, by_size);
    const unsigned rank = timing_rank(r->pairs, TIMING_CONFIDENCE), at = rank ? rank - 1 : 0;
    r->ratio = middle(ratio, r->pairs), r->low = ratio[at], r->high = ratio[r->pairs - 1 - at];
    r->ns = median(t->side[STUDENT].ns, r->pairs), r->reference_ns = median(t->side[REFERENCE].ns, r->pairs);
    return rank && r->high - r->low <= TIMING_WIDTH * r->ratio;
}

/* ---- the kit's kernels ----------------------------------------------------------------------- */
static bool kit_launch(struct timer *t, enum kit kernel, bool queued, const void *const *params, unsigned count) {
    const struct device_launch l = {.kernel = t->symbol[kernel],
                                    .grid = t->fill_grid,
                                    .block = KIT_BLOCK,
                                    .params = params,
                                    .param_count = count,
                                    .queued = queued};
    return worked(t, t->gpu->launch(t->own, &l, NULL, &t->error), NOBODY);
}
static bool fill(struct timer *t, uint64_t address, uint64_t bytes) {
    const uint32_t words = (uint32_t)(bytes / 4), pattern = DEVICE_POISON * 0x01010101u;
    return kit_launch(t, FILL, false, (const void *const[]){&address, &words, &pattern}, 3);
}
/* A new input at `in`; `total`: what it comes to, which the GPU forgets. */
static bool draw(struct timer *t, uint64_t in, union value *total) {
    const struct variant v = t->side[STUDENT].c.variant;
    const uint64_t seed = random_next(&t->random);
    const uint32_t count = t->fill_grid;
    void *partials = calloc(count, t->size);
    bool ok = partials && kit_launch(t, DRAW, false, (const void *const[]){&in, &t->space, &t->n, &seed}, 4) &&
              worked(t, t->gpu->read(t->own, t->space, partials, count * t->size, &t->error), NOBODY);
    *total = reference_identity(v);
    for (uint32_t k = 0; ok && k < count; k++) *total = reference_combine(v, *total, reference_load(v, partials, k));
    free(partials);
    return ok && fill(t, t->space, t->space_bytes);
}
/* Nothing of the input is in a cache any more; the device is still reading when this returns, so that the host's part
 * of the launches behind it does not count. */
static bool empty_caches(struct timer *t) {
    const uint32_t vectors = OTHER_BYTES / 16;
    return worked(t, t->gpu->reset(t->own, &t->error), NOBODY) &&
           kit_launch(t, READ, true, (const void *const[]){&t->other, &t->out, &vectors}, 3);
}

/* ---- plans of launches ----------------------------------------------------------------------- */
struct stage {
    uint64_t in, scratch, out; /* scratch 0: the kernel has none; out 0: it is one of levels */
    uint32_t n, grid, stride;
};
struct plan {
    struct stage stage[MOST_STAGES];
    unsigned count;
    uint64_t result, end; /* where the result is; behind all that the launches leave */
    uint32_t results;     /* values that the host combines */
};
static uint64_t take(uint64_t *from, uint64_t bytes) {
    const uint64_t at = *from;
    *from += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}
/* What run.c does with one case, with all memory from `space` on. */
static void plan_launches(const struct grade_case *c, uint64_t in, uint64_t space, struct plan *p) {
    const struct lab_kernel *k = c->kernel;
    const size_t size = variant_size(c->variant);
    uint32_t left = c->n, grid = 0;
    *p = (struct plan){.end = space, .results = 1};
    if (k->finish == FINISH_LEVELS) {
        for (uint32_t stride = 1; stride < c->n && p->count < MOST_STAGES; stride *= 2) {
            const uint32_t pairs = (c->n - stride + 2 * stride - 1) / (2 * stride);
            p->stage[p->count++] =
                (struct stage){.in = in, .n = c->n, .stride = stride, .grid = (pairs + c->block - 1) / c->block};
        }
        p->result = in;
        return;
    }
    for (unsigned level = 0; grid != 1 && p->count < MOST_STAGES; level++) {
        grid = case_blocks(c, left, level);
        const uint64_t scratch = k->scratch ? take(&p->end, grid * size) : 0;
        const uint32_t values = k->finish == FINISH_LAUNCH || k->finish == FINISH_HOST ? grid : 1;
        p->result = take(&p->end, values * size);
        p->stage[p->count++] = (struct stage){in, scratch, p->result, left, grid, 0};
        p->results = k->finish == FINISH_HOST ? grid : 1;
        if (k->finish != FINISH_LAUNCH) return;
        in = p->result, left = grid;
    }
}
static bool queue(struct timer *t, enum who who, const struct stage *s) {
    const struct side *side = &t->side[who];
    const void *params[5] = {&s->in};
    unsigned count = 1;
    if (s->scratch) params[count++] = &s->scratch;
    if (s->out) params[count++] = &s->out;
    params[count++] = &s->n;
    if (!s->out) params[count++] = &s->stride;
    const struct device_launch l = {.kernel = side->symbol,
                                    .grid = s->grid,
                                    .block = side->c.block,
                                    .dynamic_shared = case_shared_bytes(&side->c),
                                    .params = params,
                                    .param_count = count,
                                    .queued = true};
    return worked(t, t->gpu->launch(side->session, &l, NULL, &t->error), who);
}

/* ---- one run --------------------------------------------------------------------------------- */
static bool wrong(struct timer *t, enum who who, union value got, union value expected, bool unwritten) {
    const struct variant v = t->side[who].c.variant;
    const unsigned launch = t->side[who].launches;
    char a[100], b[100];
    if (who != STUDENT) return ends(t, TIMING_NONE, "not timed on the GPU: the reference came out wrong there");
    const char *right = launch > 1 ? "; launch 1 was right: what may it have left behind?" : "";
    if (unwritten)
        return ends(t, TIMING_REFUSED, "when it was timed on %s, launch %u wrote nothing%s", t->traits.name, launch,
                    right);
    for (unsigned k = 0; k + 1 < t->runs; k++) /* the last one is its own */
        if (reference_equal(v, t->totals[k], got))
            return ends(t, TIMING_REFUSED,
                        "when it was timed on %s, launch %u gave the result of an earlier one: each has other data, "
                        "and a result must not be kept",
                        t->traits.name, launch);
    return ends(t, TIMING_REFUSED, "when it was timed on %s, launch %u was wrong on %u elements: got %s, expected %s%s",
                t->traits.name, launch, t->n, reference_print(v, got, a, sizeof a),
                reference_print(v, expected, b, sizeof b), right);
}
static bool verify(struct timer *t, enum who who, const struct plan *p, union value expected) {
    const struct variant v = t->side[who].c.variant;
    union value got = reference_identity(v);
    char *results = calloc(p->results, t->size);
    bool unwritten = false,
         ok = results && worked(t, t->gpu->read(t->own, p->result, results, p->results * t->size, &t->error), who);
    for (uint32_t k = 0; ok && k < p->results; k++) {
        unwritten |= device_is_poison(results + k * t->size, t->size);
        got =
            p->results == 1 ? reference_load(v, results, 0) : reference_combine(v, got, reference_load(v, results, k));
    }
    free(results);
    return ok && (!unwritten && reference_equal(v, got, expected) ? true : wrong(t, who, got, expected, unwritten));
}
/* Draws an input, empties the caches, runs all launches between start and stop, and looks at what came out. */
static bool run(struct timer *t, enum who who, double *ns) {
    struct side *side = &t->side[who];
    const uint64_t in = t->pool + random_next(&t->random) % (SLACK / ALIGNMENT) * ALIGNMENT;
    const union value identity = reference_identity(side->c.variant);
    union value *total = &t->totals[t->runs];
    struct plan p;
    if (!draw(t, in, total)) return false;
    t->runs++, side->launches++;
    plan_launches(&side->c, in, t->space + random_next(&t->random) % (SLACK / ALIGNMENT) * ALIGNMENT, &p);
    if (side->c.kernel->finish == FINISH_ATOMIC &&
        !worked(t, t->gpu->write(t->own, p.result, &identity, t->size, &t->error), NOBODY))
        return false;
    if (!empty_caches(t) || !worked(t, t->gpu->start(t->own, &t->error), NOBODY)) return false;
    for (unsigned k = 0; k < p.count; k++)
        if (!queue(t, who, &p.stage[k])) return false;
    return worked(t, t->gpu->stop(t->own, ns, &t->error), who) && verify(t, who, &p, *total);
}
/* What is read from memory cannot be there sooner. */
static bool possible(struct timer *t, enum who who, double ns) {
    const double least = t->traits.peak > 0 ? (double)t->n * (double)t->size / t->traits.peak : 0;
    if (ns > 0 && ns >= least) return true;
    if (who == REFERENCE)
        return ends(t, TIMING_NONE, "not timed on the GPU: the reference took %.1f us there, which cannot be",
                    ns / 1000);
    return ends(t, TIMING_REFUSED,
                "a run on %s took %.1f us: faster than memory can be read (%.1f us at %.0f GB/s), so not all of the "
                "input was, and the time does not count",
                t->traits.name, ns / 1000, least / 1000, t->traits.peak);
}

/* ---- pairs ----------------------------------------------------------------------------------- */
static void close_sides(struct timer *t) {
    for (unsigned who = 0; who < SIDES; who++) {
        if (t->side[who].session) t->gpu->close(t->side[who].session);
        t->side[who].session = NULL;
    }
}
/* Both modules, loaded anew, and a few runs of each that no kernel can tell from those that count. */
static bool open_sides(struct timer *t) {
    const struct device_options options = {.seed = 0};
    double ns;
    for (enum who who = 0; who < SIDES; who++) {
        struct side *s = &t->side[who];
        if (!worked(t, t->gpu->open(s->module, &options, &s->session, &t->error), who)) return false;
        s->launches = 0;
    }
    for (enum who who = 0; who < SIDES; who++)
        for (uint64_t more = 1 + random_next(&t->random) % MOST_WARM; more; more--)
            if (!run(t, who, &ns) || !possible(t, who, ns)) return false;
    return true;
}
static bool pair(struct timer *t) {
    const enum who first = random_next(&t->random) & 1 ? STUDENT : REFERENCE, order[SIDES] = {first, !first};
    for (unsigned k = 0; k < SIDES; k++) {
        double *ns = &t->side[order[k]].ns[t->t->pairs];
        if (!run(t, order[k], ns) || !possible(t, order[k], *ns)) return false;
    }
    t->t->pairs++;
    return true;
}
static void take_turns(struct timer *t) {
    struct timing *r = t->t;
    bool ok = true, done = false;
    t->deadline = clock_seconds() + MOST_SECONDS;
    while (ok && !done && r->pairs < MOST_PAIRS && clock_seconds() < t->deadline) {
        ok = open_sides(t);
        for (unsigned k = 0; ok && k < ROUND && clock_seconds() < t->deadline; k++) ok = pair(t);
        close_sides(t);
        done = quiet(t) && r->pairs >= LEAST_PAIRS;
    }
    if (!ok) return;
    if (!done && r->pairs < LEAST_PAIRS)
        ends(t, TIMING_NOISY, "too slow to be timed on %s: %u pairs of runs in %d s", t->traits.name, r->pairs,
             MOST_SECONDS);
    else if (!done)
        ends(t, TIMING_NOISY,
             "too noisy on %s to be graded by time: %.2f to %.2f times the reference's time after %u pairs of runs",
             t->traits.name, r->low, r->high, r->pairs);
    else
        ends(t, TIMING_QUIET, "measured on %s: %.2f times the reference's time (%.2f to %.2f), %.0f GB/s",
             t->traits.name, r->ratio, r->low, r->high, (double)t->n * (double)t->size / r->ns);
}

/* ---- before and after ------------------------------------------------------------------------ */
static bool open_kit(struct timer *t, struct variant v) {
    const struct judge_options *o = t->j->options;
    const struct device_options options = {.seed = 0};
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
    for (enum kit k = 0; k < KITS; k++)
        if (!compiled_symbol(t->text.ptx[0], v, kit_names[k], t->symbol[k], sizeof t->symbol[k]))
            return ends(t, TIMING_NONE, "not timed on the GPU: common/timing.cu has no kernel %s", kit_names[k]);
    return worked(t, t->gpu->load(t->text.ptx[0], t->text.length[0], "timing.cu", &t->module, &t->error), NOBODY) &&
           worked(t, t->gpu->open(t->module, &options, &t->own, &t->error), NOBODY);
}
/* How both are launched on n elements; false: one chooses what cannot be. */
static bool choose_launches(struct timer *t) {
    const struct program *programs[SIDES] = {&t->j->student, &t->j->reference};
    for (enum who who = 0; who < SIDES; who++) {
        struct grade_case *c = &t->side[who].c;
        struct tuning tuning;
        const uint32_t most = gpu_default->max_threads;
        c->n = t->n;
        if (c->kernel->grid_stride) c->grid = t->traits.multiprocessors * (c->block < most ? most / c->block : 1);
        if (!c->kernel->tuned) continue;
        if (!tuning_read(t->j, programs[who], c->kernel, c->variant, &tuning, t->error.message,
                         sizeof t->error.message))
            return worked(t, DEVICE_SUBMISSION, who);
        c->block = tuning.block, c->grid = tuning_grid(&tuning, c->variant, t->n, t->traits.multiprocessors);
    }
    return true;
}
static uint64_t space_for(const struct timer *t) {
    uint64_t most = t->fill_grid * t->size;
    for (unsigned who = 0; who < SIDES; who++) {
        struct plan p;
        plan_launches(&t->side[who].c, 0, 0, &p);
        if (p.end > most) most = p.end;
    }
    return most + SLACK;
}
static bool allocate(struct timer *t, const char *name, uint64_t bytes, uint64_t *address) {
    return worked(t, t->gpu->alloc(t->own, name, bytes, SIM_UNINITIALISED, address, &t->error), NOBODY);
}
/* As many elements as are worth it and half of the free memory holds. */
static bool choose_size(struct timer *t) {
    uint64_t bytes = MOST_BYTES;
    while (bytes >= LEAST_BYTES && 2 * (bytes + OTHER_BYTES) > t->traits.free_bytes) bytes /= 2;
    if (bytes < LEAST_BYTES)
        return ends(t, TIMING_NONE, "not timed on the GPU: only %llu MiB of its memory are free",
                    (unsigned long long)(t->traits.free_bytes >> 20));
    t->n = (uint32_t)(bytes / t->size);
    if (t->side[STUDENT].c.kernel->one_block && t->n > ONE_BLOCK_N) t->n = ONE_BLOCK_N;
    t->fill_grid = 8 * t->traits.multiprocessors;
    if (!choose_launches(t)) return false;
    t->space_bytes = space_for(t);
    return allocate(t, "in", t->n * t->size + SLACK, &t->pool) && allocate(t, "out", t->space_bytes, &t->space) &&
           allocate(t, "other", OTHER_BYTES, &t->other) && allocate(t, "sum", ALIGNMENT, &t->out);
}
static void take_side(struct timer *t, enum who who, const struct program *p, const struct grade_case *c) {
    const unsigned variant = variant_index(c->variant);
    t->side[who].c = *c;
    t->side[who].symbol = p->symbol[(unsigned)(c->kernel - t->j->lab->kernels) * VARIANT_COUNT + variant];
    t->side[who].module = p->on_gpu[p->text.of_variant[variant]];
}
void timing_run(const struct judge *j, const struct grade_case *c, struct timing *result) {
    struct timer *t = calloc(1, sizeof *t);
    *result = (struct timing){.end = TIMING_NONE, .message = "not timed on the GPU: out of memory"};
    if (!t) return;
    t->j = j, t->gpu = j->options->gpu, t->t = result, t->size = variant_size(c->variant);
    take_side(t, STUDENT, &j->student, c);
    take_side(t, REFERENCE, &j->reference, c);
    if (getrandom(&t->random, sizeof t->random, 0) != sizeof t->random) t->random = j->options->seed;
    if (j->own || c->kernel->second || !variant_commutes(c->variant))
        ends(t, TIMING_NONE, "not timed on the GPU: its inputs are none that can be drawn there");
    else if (!t->side[STUDENT].symbol || !t->side[REFERENCE].symbol)
        ends(t, TIMING_NONE, "not timed on the GPU: there is no kernel `%s`", c->kernel->name);
    else if (worked(t, t->gpu->describe(&t->traits, &t->error), NOBODY) && open_kit(t, c->variant) && choose_size(t))
        take_turns(t);
    snprintf(result->device, sizeof result->device, "%s", t->traits.name);
    result->elements = t->n, result->element_bytes = t->size, result->peak = t->traits.peak;
    result->block = t->side[STUDENT].c.block;
    result->grid = t->n ? case_blocks(&t->side[STUDENT].c, t->n, 0) : 0;
    if (t->own) t->gpu->close(t->own);
    if (t->module) t->gpu->unload(t->module);
    compiled_free(&t->text);
    free(t);
}

void timing_verdict(const struct lab *lab, double modelled, const struct timing *t, json_t *result) {
    const bool measured = lab->speed_measured && t->end == TIMING_QUIET;
    char more[sizeof t->message + 40] = "";
    if (t->end == TIMING_REFUSED) {
        result_fail(result, "%s", t->message);
        return;
    }
    if (measured)
        snprintf(more, sizeof more, "; modelled %.2f; %s", modelled, t->message);
    else if (t->message[0])
        snprintf(more, sizeof more, "; %s", t->message);
    result_ratio(result, measured ? "measured time" : "modelled time", measured ? t->ratio : modelled, lab->speed_full,
                 lab->speed_none, more);
}
json_t *timing_json(const struct timing *t) {
    json_t *o = json_pack("{s:s, s:o}", "end", timing_end_word(t->end), "message", measured_text(t->message));
    if (t->device[0]) json_object_set_new(o, "device", measured_text(t->device));
    if (t->pairs && t->end != TIMING_REFUSED) {
        const double bytes = (double)t->elements * (double)t->element_bytes;
        json_t *figures = json_pack("{s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "elements",
                                    (int)t->elements, "block", (int)t->block, "grid", (int)t->grid, "pairs",
                                    (int)t->pairs, "ns", t->ns, "reference_ns", t->reference_ns, "ratio", t->ratio,
                                    "low", t->low, "high", t->high, "gbs", bytes / t->ns, "peak_gbs", t->peak);
        json_object_update(o, figures);
        json_decref(figures);
    }
    return o;
}
