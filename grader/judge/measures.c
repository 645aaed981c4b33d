/* Checks that measure one run and set it beside the reference's: steps, memory, modelled time. */
#include "judge/judge.h"
#include "judge/measured.h"
#include "judge/timing.h"
#include "model/gpus/gpu.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBSERVED_BLOCK = 1024, LARGE_BLOCK = 256, LARGE_N = 1 << 20, LARGE_N_ONE_BLOCK = 1 << 14 };

static struct variant first_variant(const struct judge *j) {
    return judge_variant(j, (unsigned)__builtin_ctz(j->lab->variants));
}
/* With an operator of the student's own the reference keeps the lab's, where there is no solution to compile. */
static struct grade_case of_reference(const struct judge *j, struct grade_case c) {
    const bool has = j->reference.symbol[OWN_VARIANT]; /* of the first kernel */
    if (j->own && !has) c.variant = variant_at((unsigned)__builtin_ctz(lab_find(j->lab->id)->variants));
    return c;
}

/* One full block of M = 1024 (K2 and K3 of the course), all that can be measured. */
static struct grade_case case_of(const struct judge *j, const struct lab_kernel *k, uint32_t block) {
    const uint32_t m = k->only_block ? k->only_block : block;
    return (struct grade_case){
        k, first_variant(j), (k->elements ? k->elements : 2) * m, m, DATA_EXACT, j->options->seed, k->grid_stride};
}
static struct grade_case observed_case(const struct judge *j, uint32_t block) {
    return case_of(j, &j->lab->kernels[0], block);
}
static bool measure(const struct judge *j, const struct program *p, const struct grade_case *c, unsigned what,
                    struct outcome *o, json_t *result, const char *whose) {
    case_run(j, p, c, what, o);
    if (o->kind == OUTCOME_RIGHT) return true;
    if (o->kind == OUTCOME_SETUP || p == &j->reference)
        result_setup(result, "the %s could not be measured: %s", whose, o->message);
    else
        result_fail(result, "not measured: the result on one block of %u threads is wrong", c->block);
    return false;
}

/* ---- JSON of what was measured -------------------------------------------------------------- */
static json_t *measured_json(const struct grade_case *c, const struct measurement *m, bool lines) {
    json_t *o = json_pack("{s:i, s:i, s:o, s:o}", "block", (int)c->block, "elements", (int)c->n, "counts",
                          measured_counts(m), "steps", measured_steps(steps_of(m)));
    if (lines) json_object_set_new(o, "lines", measured_lines(m, "reduce.cu"));
    return o;
}

/* ---- technique ------------------------------------------------------------------------------ */
static uint64_t warps(const struct measurement *m) { return (counts_of(m)->threads + 31) / 32; }
static uint64_t shared_requests(const struct measurement *m) { return banks_of(m)->shared_requests; }
static bool uses_shared(const struct measurement *m) { return shared_requests(m) > 0; }
static bool no_atomics(const struct measurement *m) {
    return sectors_of(m)->atomics_global + banks_of(m)->atomics_shared == 0;
}
static bool uses_barriers(const struct measurement *m) { return counts_of(m)->barriers > 0; }
static bool no_shared(const struct measurement *m) { return shared_requests(m) == 0; }
static bool one_atomic_a_block(const struct measurement *m) {
    return sectors_of(m)->atomics_global == counts_of(m)->blocks;
}
static bool warp_sync(const struct measurement *m) { return counts_of(m)->warp_syncs > 0; }
static bool few_barriers(const struct measurement *m) { return counts_of(m)->barriers <= 3 * counts_of(m)->blocks; }
static bool shuffles(const struct measurement *m) { return counts_of(m)->shuffles >= 5 * warps(m); }
static bool registers(const struct measurement *m) { return shared_requests(m) <= warps(m) + counts_of(m)->blocks; }
static bool vector_loads(const struct measurement *m) {
    return sectors_of(m)->global_load_bytes >= 15 * 32 * sectors_of(m)->global_requests;
}
static const struct {
    unsigned bit;
    bool (*holds)(const struct measurement *);
    const char *missing;
} techniques[] = {
    {USES_SHARED, uses_shared, "the kernel does not use shared memory, which this lab is about"},
    {NO_ATOMICS, no_atomics, "the kernel uses atomics, which this lab does without"},
    {USES_BARRIERS, uses_barriers, "the kernel has no __syncthreads(): its steps are not ordered"},
    {IN_PLACE_GLOBAL, no_shared, "the kernel uses shared memory: this lab works in place in global memory"},
    {ONE_ATOMIC_A_BLOCK, one_atomic_a_block, "a block does not end in one atomic: one thread adds the block's result"},
    {WARP_SYNC, warp_sync, "the kernel has no __syncwarp(), which this lab is about"},
    {FEW_BARRIERS, few_barriers, "more than 3 barriers a block: warps reduce by themselves, then wait once"},
    {SHUFFLES, shuffles, "fewer than 5 shuffles a warp: the values of a warp go through registers in this lab"},
    {VECTOR_LOADS, vector_loads, "fewer than 15 bytes a lane and load: a thread loads 16 bytes at once in this lab"},
    {REGISTERS, registers, "a warp shares more than its one result: its own part stays in registers"},
};
static const char *technique_missing(unsigned wanted, const struct measurement *m) {
    for (unsigned k = 0; k < sizeof techniques / sizeof *techniques; k++)
        if (wanted & techniques[k].bit && !techniques[k].holds(m)) return techniques[k].missing;
    return NULL;
}
void judge_technique(struct judge *j, json_t *result) {
    result_pass(result, "proven from the executed instructions");
    for (unsigned k = 0; k < j->lab->kernel_count; k++) {
        const struct lab_kernel *kernel = &j->lab->kernels[k];
        const struct grade_case c = case_of(j, kernel, OBSERVED_BLOCK);
        struct outcome o;
        if (!kernel->technique) continue;
        const bool ok = measure(j, &j->student, &c, MEASURE_COUNTS | MEASURE_STEPS, &o, result, "submission");
        const char *missing = ok ? technique_missing(kernel->technique, &o.measurement) : NULL;
        outcome_free(&o);
        if (missing) result_fail(result, "%s: %s", kernel->name, missing);
        if (!ok || missing) return;
    }
}

void judge_steps(struct judge *j, json_t *result) {
    const struct grade_case c = observed_case(j, OBSERVED_BLOCK);
    const struct grade_case own = of_reference(j, c);
    struct outcome student, reference;
    const bool ok = measure(j, &j->student, &c, MEASURE_COUNTS | MEASURE_STEPS, &student, result, "submission");
    if (ok && measure(j, &j->reference, &own, MEASURE_COUNTS | MEASURE_STEPS, &reference, result, "reference")) {
        const struct steps *s = steps_of(&student.measurement), *r = steps_of(&reference.measurement);
        const char *missing = technique_missing(j->lab->technique, &student.measurement);
        const uint64_t free_steps = j->lab->technique & OWN_COMBINE ? r->tree_steps / 10 : 0;
        json_object_set_new(result, "student", measured_json(&c, &student.measurement, true));
        json_object_set_new(result, "reference", measured_json(&c, &reference.measurement, false));
        if (missing)
            result_fail(result, "%s", missing);
        else if (s->divergent_tree_steps > r->divergent_tree_steps + free_steps)
            result_fail(result, "%llu of %llu tree steps diverge; the reference has %llu of %llu",
                        (unsigned long long)s->divergent_tree_steps, (unsigned long long)s->tree_steps,
                        (unsigned long long)r->divergent_tree_steps, (unsigned long long)r->tree_steps);
        else if (!(j->lab->technique & ANY_STEPS) &&
                 (s->tree_steps > 2 * r->tree_steps || s->tree_steps * 2 < r->tree_steps))
            result_fail(result,
                        "%llu tree steps, where the reference needs %llu: this is another algorithm than the lab's",
                        (unsigned long long)s->tree_steps, (unsigned long long)r->tree_steps);
        else
            result_pass(result, "%llu of %llu tree steps diverge, as in the reference or fewer",
                        (unsigned long long)s->divergent_tree_steps, (unsigned long long)s->tree_steps);
        outcome_free(&reference);
    } else if (ok)
        outcome_free(&reference);
    outcome_free(&student);
}

/* By bank conflicts. */
static uint64_t lost_passes(const struct measurement *m) {
    return banks_of(m)->shared_passes - banks_of(m)->shared_ideal_passes;
}
void judge_memory(struct judge *j, json_t *result) {
    const struct grade_case c = observed_case(j, OBSERVED_BLOCK);
    struct outcome student, reference;
    const bool ok = measure(j, &j->student, &c, MEASURE_COUNTS | MEASURE_STEPS, &student, result, "submission");
    if (ok && measure(j, &j->reference, &c, MEASURE_COUNTS | MEASURE_STEPS, &reference, result, "reference")) {
        const struct sectors *s = sectors_of(&student.measurement), *r = sectors_of(&reference.measurement);
        const uint64_t passes = banks_of(&reference.measurement)->shared_passes,
                       s_lost = lost_passes(&student.measurement), r_lost = lost_passes(&reference.measurement);
        if (10 * s->global_sectors > 11 * r->global_sectors)
            result_fail(result, "%llu sectors of global memory moved; the reference moves %llu",
                        (unsigned long long)s->global_sectors, (unsigned long long)r->global_sectors);
        else if (s_lost > r_lost + passes / 10)
            result_fail(result, "%llu extra passes by bank conflicts; the reference has %llu",
                        (unsigned long long)s_lost, (unsigned long long)r_lost);
        else
            result_pass(result, "%llu sectors, %llu passes lost to bank conflicts",
                        (unsigned long long)s->global_sectors, (unsigned long long)s_lost);
        outcome_free(&reference);
    } else if (ok)
        outcome_free(&reference);
    outcome_free(&student);
}

/* ---- time, modelled and measured -------------------------------------------------------------------------- */
/* Cycles that the block of a launch of one block takes on an idle chip (model/pace.c). */
static double alone(const struct outcome *o) {
    return pace_of(&o->measurement)->count ? (double)pace_of(&o->measurement)->launch[0].longest : 0;
}
void judge_waiting(struct judge *j, json_t *result) {
    static const double full = 1.5, none = 3;
    const struct grade_case c = observed_case(j, 256);
    struct outcome student, reference;
    const bool ok = measure(j, &j->student, &c, MEASURE_COUNTS | MEASURE_PACE, &student, result, "submission");
    if (ok && measure(j, &j->reference, &c, MEASURE_COUNTS | MEASURE_PACE, &reference, result, "reference"))
        result_ratio(result, "a block alone takes", alone(&student) / alone(&reference), full, none, "");
    if (ok) outcome_free(&reference);
    outcome_free(&student);
}
/* A large case that fills the GPU, launched as the program chooses where that is its choice. */
static bool large_case(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                       json_t *result) {
    char message[400];
    struct tuning t;
    *c = observed_case(j, LARGE_BLOCK);
    c->n = c->kernel->one_block ? LARGE_N_ONE_BLOCK : LARGE_N;
    if (c->kernel->arrays && c->kernel->arrays->large_n) c->n = c->kernel->arrays->large_n;
    if (c->kernel->grid_stride) c->grid = gpu->max_threads / LARGE_BLOCK * gpu->sms; /* fills the GPU */
    if (!c->kernel->tuned) return true;
    if (!tuning_read(j, p, c->kernel, c->variant, &t, message, sizeof message))
        return (p == &j->reference ? result_setup : result_fail)(result, "not measured: %s", message), false;
    c->block = t.block, c->grid = tuning_grid(&t, c->variant, c->n, gpu->sms);
    return true;
}
/* Modeled cycles of the large case on a GPU; false: the result says why there are none. */
struct modeled {
    struct grade_case student_case, reference_case;
    double student, reference;
};
static bool model_on(const struct judge *j, const struct gpu *gpu, struct modeled *m, json_t *result) {
    const unsigned what = MEASURE_COUNTS | measure_pace_on(gpu);
    struct outcome student, reference;
    if (!large_case(j, &j->student, gpu, &m->student_case, result) ||
        !large_case(j, &j->reference, gpu, &m->reference_case, result))
        return false;
    const bool ran = measure(j, &j->student, &m->student_case, what, &student, result, "submission");
    const bool both = ran && measure(j, &j->reference, &m->reference_case, what, &reference, result, "reference");
    if (both) m->student = modeled_cycles(pace_of(&student.measurement), gpu);
    if (both) m->reference = modeled_cycles(pace_of(&reference.measurement), gpu);
    if (ran) outcome_free(&reference);
    outcome_free(&student);
    return both;
}
/* On the GPU that --gpu names, for eyes: no points depend on it. */
static void add_named_gpu(const struct judge *j, json_t *result) {
    const struct gpu *gpu = j->options->modeled_gpu;
    struct modeled m;
    json_t *ignored = json_object();
    if (gpu && model_on(j, gpu, &m, ignored))
        json_object_set_new(result, "modeled_on",
                            json_pack("{s:s, s:f, s:f, s:f, s:i, s:i}", "gpu", gpu->title, "us",
                                      m.student / gpu->clock_mhz, "reference_us", m.reference / gpu->clock_mhz, "ratio",
                                      m.student / m.reference, "elements", (int)m.student_case.n, "block",
                                      (int)m.student_case.block));
    json_decref(ignored);
}
void judge_speed(struct judge *j, json_t *result) {
    struct modeled m;
    struct timing t = {.end = TIMING_NONE};
    if (!model_on(j, gpu_default, &m, result)) return;
    const double ratio = m.student / m.reference;
    json_object_set_new(result, "modelled",
                        json_pack("{s:f, s:f, s:f, s:i, s:i}", "cycles", m.student, "reference_cycles", m.reference,
                                  "ratio", ratio, "elements", (int)m.student_case.n, "block",
                                  (int)m.student_case.block));
    add_named_gpu(j, result);
    if (j->options->gpu) {
        const struct grade_case plain = observed_case(j, 256);
        timing_run(j, &plain, &t);
        json_object_set_new(result, "timed", timing_json(&t));
    }
    timing_verdict(j->lab, ratio, &t, result);
}
