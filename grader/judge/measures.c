/* Checks that compare times with the reference's: cycles of a single block, modeled time, and time measured on a
 * GPU. */
#include "judge/judge.h"
#include "judge/observed.h"
#include "judge/timing.h"
#include "model/gpus/gpu.h"
#include "model/model.h"

void judge_waiting(struct judge *j, json_t *result) {
    const double full = lab_mark(j->lab, MARK_WAITING_FULL), none = lab_mark(j->lab, MARK_WAITING_NONE);
    double worst = 0, reference = 0;
    for (unsigned n = 0; n < OBSERVED_ALONE; n++) {
        const struct grade_case c = observed_alone(j, &j->lab->kernels[0], n);
        struct outcome s;
        char more[200], name[160];
        const bool ok = observed_measure(j, &j->student, &c, MEASURE_BLOCK_TIME, &s, result, "submission") &&
                        figures_alone(j, &c, &reference, result);
        const double ratio = ok ? observed_longest(&s) / reference : 0;
        snprintf(more, sizeof more, n ? " (%s)" : "", case_name(&c, name, sizeof name));
        if (ok && ratio > worst) result_ratio(result, "time of a single block", worst = ratio, full, none, more);
        outcome_free(&s);
        if (!ok) return;
    }
}
/* The modeled cycles of the large case on a GPU. */
struct modeled {
    struct grade_case student_case;
    double student, reference;
};
static bool model_on(const struct judge *j, const struct gpu *gpu, struct modeled *m, json_t *result) {
    const unsigned what = measure_block_time_on(gpu);
    struct judge limited = *j;
    struct outcome student;
    if (!observed_large(j, &j->student, gpu, &m->student_case, result) || !figures_large(j, gpu, &m->reference, result))
        return false;
    /* all SMs together can issue this many instructions in the time for which there are no points */
    limited.most = (uint64_t)(j->lab->speed_none * m->reference) * gpu->schedulers * gpu->sms;
    const bool ok = observed_measure(&limited, &j->student, &m->student_case, what, &student, result, "submission");
    if (ok) m->student = modeled_cycles(block_time_of(&student.measurement), gpu);
    outcome_free(&student);
    return ok;
}
/* Adds the ratio for the GPU of --gpu. It is information and does not affect points. */
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
/* If the student's blocks leave most of an SM empty, too few loads are in flight. Then appends the launch configuration
 * to the message. */
static void add_residency(const struct judge *j, const struct grade_case *c, json_t *result) {
    struct tuning t;
    char why[400];
    if (!c->kernel->tuned || !tuning_read(j, &j->student, c->kernel, c->variant, &t, why, sizeof why)) return;
    const unsigned resident = t.block * t.blocks;
    if (4 * resident < gpu_default->max_threads)
        json_object_set_new(result, "message",
                            json_sprintf("%s; with block_size %u and blocks_per_multiprocessor %u, only %u threads are "
                                         "resident on an SM, which can hold %u",
                                         json_string_value(json_object_get(result, "message")), t.block, t.blocks,
                                         resident, gpu_default->max_threads));
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
    if (check_status_of(result) == STATUS_FAIL) add_residency(j, &m.student_case, result);
}
