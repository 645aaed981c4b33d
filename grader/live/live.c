/* See live.h. */
#include "live/live.h"
#include "judge/job.h"
#include "live/put.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct device device_sim;

/* ---- the answer ------------------------------------------------------------------------------ */
static void put_outcome(FILE *out, const struct judge *j, const struct grade_case *c, const struct outcome *o) {
    static const char *const ends[] = {
        [OUTCOME_RIGHT] = "right", [OUTCOME_WRONG] = "wrong", [OUTCOME_STOPPED] = "stopped"};
    const bool ended = o->kind <= OUTCOME_WRONG;
    char text[100];
    fputc('{', out);
    put_text(out, "end", o->kind <= OUTCOME_STOPPED ? ends[o->kind] : "stopped"), fputc(',', out);
    put_text(out, "result", ended && !o->unwritten ? outcome_got(c, o, text, sizeof text) : ""), fputc(',', out);
    put_text(out, "expected", ended ? outcome_expected(c, o, text, sizeof text) : ""), fputc(',', out);
    put_text(out, "message", o->message);
    fprintf(out, ",\"cycles\":%.17g,\"mhz\":%.17g", modeled_cycles(block_time_of(&o->measurement), gpu_default),
            gpu_default->clock_mhz);
    put_counts(out, &o->measurement);
    put_steps(out, steps_of(&o->measurement), false);
    put_findings(out, &o->measurement.findings, judge_taught(j));
    fputc('}', out);
}

/* ---- the run -------------------------------------------------------------------------------- */
static void run(const struct job *job, FILE *out) {
    const struct judge_options options = {.lab = &job->lab, .device = &device_sim, .seed = job->c.seed};
    char *symbols[VARIANT_COUNT] = {0};
    struct judge j = {.options = &options, .lab = &job->lab};
    struct device_error e;
    struct outcome o;
    j.student.device = &device_sim, j.student.symbol = symbols;
    symbols[variant_index(job->c.variant)] = (char *)job->symbol;
    if (device_sim.load(job->ptx, strlen(job->ptx), "reduce.cu", &j.student.module[0], &e) != DEVICE_OK) {
        put_fault(out, e.message);
        return;
    }
    case_run(&j, &j.student, &job->c, MEASURE_ALL | MEASURE_BLOCK_TIME, &o);
    put_outcome(out, &j, &job->c, &o);
    outcome_free(&o);
    device_sim.unload(j.student.module[0]);
}
char *live_run(const char *text) {
    struct job job;
    const char *why;
    char *answer = NULL;
    size_t size;
    FILE *out = open_memstream(&answer, &size);
    if (!out) return NULL;
    if (job_read(&job, text, &why))
        run(&job, out);
    else
        put_fault(out, why);
    job_free(&job);
    return fclose(out) ? free(answer), NULL : answer;
}

/* ---- one launch ----------------------------------------------------------------------------- */
char *live_launch(const char *ptx, const struct live_launch *l, const void *in, void *out) {
    struct device_module *module;
    struct device_error e;
    struct plan p = {0};
    if (device_sim.load(ptx, strlen(ptx), "kernel.ptx", &module, &e) != DEVICE_OK) return strdup(e.message);
    const unsigned to = plan_add_buffer(
        &p, (struct plan_buffer){"out", .element = 1, .length = l->out_bytes, .fill = PLAN_INPUT, .input = 1});
    const unsigned from =
        plan_add_buffer(&p, (struct plan_buffer){"in", .element = 1, .length = l->in_bytes, .fill = PLAN_INPUT});
    plan_add_launch(&p, 0, "k", l->grid, l->block);
    plan_pass_address(&p, to, 0), plan_pass_address(&p, from, 0);
    plan_add_read(&p, to, 0, l->out_bytes, PLAN_ARRAY);
    if (plan_last(&p)) plan_last(&p)->dynamic_shared = l->shared;
    struct device_run run = {.plan = &p,
                             .module = {module},
                             .inputs = (const void *const[]){in, out},
                             .outputs = out,
                             .status = DEVICE_SETUP,
                             .error = {"out of memory"}};
    if (!p.failed) device_sim.run(&run, 1);
    device_sim.unload(module);
    plan_free(&p);
    return run.status == DEVICE_OK ? NULL : strdup(run.error.message);
}
