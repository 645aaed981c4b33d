/* Checks that measure time vs. the reference's: of one block alone, modeled, and on a GPU. */
#include "judge/judge.h"
#include "judge/observed.h"
#include "judge/timing.h"
#include "model/gpus/gpu.h"
#include "model/model.h"

enum { LARGE_BLOCK = 256, LARGE_N = 1 << 20, LARGE_N_ONE_BLOCK = 1 << 14 };

/* Cycles that the block of a launch of one block takes on an idle chip (model/pace.c). */
static double alone(const struct outcome *o) {
    return pace_of(&o->measurement)->count ? (double)pace_of(&o->measurement)->launch[0].longest : 0;
}
void judge_waiting(struct judge *j, json_t *result) {
    const double full = lab_mark(j->lab, MARK_WAITING_FULL), none = lab_mark(j->lab, MARK_WAITING_NONE);
    double worst = 0;
    for (int drawn = 0; drawn <= 1; drawn++) {
        const struct grade_case c = observed_alone(j, &j->lab->kernels[0], drawn);
        struct outcome s, r;
        char more[200], name[160];
        bool ok = observed_measure(j, &j->student, &c, MEASURE_COUNTS | MEASURE_PACE, &s, result, "submission"),
             both =
                 ok && observed_measure(j, &j->reference, &c, MEASURE_COUNTS | MEASURE_PACE, &r, result, "reference");
        const double ratio = both ? alone(&s) / alone(&r) : 0;
        snprintf(more, sizeof more, drawn ? " (%s)" : "", case_name(&c, name, sizeof name));
        if (both && ratio > worst) result_ratio(result, "a block alone takes", worst = ratio, full, none, more);
        if (ok) outcome_free(&r);
        outcome_free(&s);
        if (!both) return;
    }
}
/* A large case that fills the GPU, launched as the program chooses where that is its choice. */
static bool large_case(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                       json_t *result) {
    char message[400];
    struct tuning t;
    *c = observed_case(j, &j->lab->kernels[0], LARGE_BLOCK);
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
    const bool ran = observed_measure(j, &j->student, &m->student_case, what, &student, result, "submission");
    const bool both =
        ran && observed_measure(j, &j->reference, &m->reference_case, what, &reference, result, "reference");
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
    json_object_set_new(result, "modeled",
                        json_pack("{s:f, s:f, s:f, s:i, s:i}", "cycles", m.student, "reference_cycles", m.reference,
                                  "ratio", ratio, "elements", (int)m.student_case.n, "block",
                                  (int)m.student_case.block));
    add_named_gpu(j, result);
    if (j->options->gpu) {
        const struct grade_case plain = observed_case(j, &j->lab->kernels[0], 256);
        timing_run(j, &plain, &t);
        json_object_set_new(result, "timed", timing_json(&t));
    }
    timing_verdict(j->lab, ratio, &t, result);
}
