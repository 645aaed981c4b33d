/* See live.h. */
#include "live/live.h"
#include "judge/job.h"
#include "model/model.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct device device_sim;

/* ---- JSON ----------------------------------------------------------------------------------- */
/* What is no plain character becomes a question mark, as in records. */
static void put_text(FILE *out, const char *key, const char *text) {
    fprintf(out, "\"%s\":\"", key);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            fputc(*text < ' ' || *text > '~' ? '?' : *text, out);
    fputc('"', out);
}
static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}
static void put_site(FILE *out, const char *key, const struct finding_site *s) {
    fprintf(out, ",\"%s\":{", key);
    put_text(out, "file", base_name(s->file));
    fprintf(out, ",\"line\":%" PRIu32 ",\"block\":%" PRIu32 ",\"warp\":%" PRIu32 ",\"lanes\":%" PRIu32 "}", s->line,
            s->block, s->warp, s->lanes);
}
static void put_findings(FILE *out, const struct finding_list *list, unsigned taught) {
    fputs(",\"findings\":[", out);
    for (unsigned k = 0; k < list->count; k++) {
        const struct finding *f = &list->item[k];
        fprintf(out, k ? ",{" : "{");
        put_text(out, "kind", f->kind->key), fputc(',', out);
        put_text(out, "severity", finding_severity_word(f->kind->severity)), fputc(',', out);
        put_text(out, "title", catalog_words(f->kind, taught).title), fputc(',', out);
        put_text(out, "message", f->message);
        put_site(out, "at", &f->at);
        if (f->other.pc != UINT32_MAX) put_site(out, "other", &f->other);
        fprintf(out, ",\"count\":%" PRIu64 "}", f->count);
    }
    fputc(']', out);
}
static void put_counts(FILE *out, const struct measurement *m) {
    const struct figure *figures[CATALOG_MOST];
    const unsigned count = catalog_figures(CATALOG_RECORD, figures);
    const char *between = "";
    fputs(",\"counts\":{", out);
    for (unsigned k = 0; k < count; k++) {
        struct figure_value v;
        if (!figure_value(m, figures[k], &v)) continue;
        fprintf(out, "%s\"%s\":", between, figures[k]->key), between = ",";
        if (figures[k]->unit == FIGURE_COUNT)
            fprintf(out, "%" PRIu64, v.count);
        else
            fprintf(out, "%.17g", v.real);
    }
    fputc('}', out);
}
static void put_steps(FILE *out, const struct steps *all) {
    fputs(",\"steps\":[", out);
    for (unsigned k = 0; k < all->count; k++) {
        const struct step *s = &all->item[k];
        fprintf(out, "%s{", k ? "," : "");
        put_text(out, "kind", step_kind_names[s->kind]);
        fprintf(out, ",\"divergent\":%s,\"busy_lanes\":%u,\"busy_warps\":%u,\"divergent_warps\":%u,\"line\":%u}",
                s->divergent ? "true" : "false", (unsigned)s->busy_lanes, (unsigned)s->busy_warps,
                (unsigned)s->divergent_warps, (unsigned)s->split_line);
    }
    fputc(']', out);
}
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
    fprintf(out, ",\"cycles\":%.17g,\"mhz\":%.17g", modeled_cycles(pace_of(&o->measurement), gpu_default),
            gpu_default->clock_mhz);
    put_counts(out, &o->measurement);
    put_steps(out, steps_of(&o->measurement));
    put_findings(out, &o->measurement.findings, judge_taught(j));
    fputc('}', out);
}
static void put_fault(FILE *out, const char *why) {
    fputc('{', out);
    put_text(out, "fault", why);
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
    case_run(&j, &j.student, &job->c, MEASURE_ALL | MEASURE_PACE, &o);
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
