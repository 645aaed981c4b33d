/* See live.h. Parses a launch from lines of text, runs it, and reports its results. */
#include "live/live.h"
#include "live/put.h"
#include "device/device.h"
#include "model/model.h"
#include "run/argument.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct device device_sim;

enum { MAX_ARGUMENTS = 12, MAX_ELEMENTS = 1 << 16, BUDGET = 1 << 24 };
struct launch {
    char *text; /* storage of the other strings */
    const char *kernel, *ptx;
    uint32_t grid, block, observed;
    struct sim_schedule schedule;
    struct run_argument argument[MAX_ARGUMENTS]; /* initially only names and strings */
    unsigned arguments;
};

/* ---- the lines ------------------------------------------------------------------------------ */
static const char *read_line(struct launch *l, const char *key, char *value) {
    struct run_argument *a = &l->argument[l->arguments];
    char *space;
    if (!strcmp(key, "kernel"))
        l->kernel = value;
    else if (!strcmp(key, "grid"))
        l->grid = (uint32_t)atoi(value);
    else if (!strcmp(key, "block"))
        l->block = (uint32_t)atoi(value);
    else if (!strcmp(key, "observe"))
        l->observed = (uint32_t)atoi(value);
    else if (!strcmp(key, "schedule"))
        return sim_schedule_parse(&l->schedule, value) ? NULL : "an unknown schedule";
    else if (!strcmp(key, "arg") && l->arguments < MAX_ARGUMENTS && (space = strchr(value, ' '))) {
        *space = 0, a->text = space + 1, l->arguments++;
        snprintf(a->name, sizeof a->name, "%s", value);
    } else
        return "an unknown line";
    return NULL;
}
/* Parses the lines before the PTX. Returns NULL, or an error message. */
static const char *read_launch(struct launch *l, const char *text) {
    *l = (struct launch){.text = strdup(text), .grid = 1, .block = SIM_WARP};
    if (!l->text) return "out of memory";
    char *line = l->text;
    while (*line && *line != '\n') {
        char *end = line + strcspn(line, "\n"), *space = strchr(line, ' ');
        if (!*end || !space || space > end) return "a line without a value";
        *space = 0, *end = 0;
        const char *why = read_line(l, line, space + 1);
        if (why) return why;
        line = end + 1;
    }
    l->ptx = line;
    return l->kernel ? NULL : "a line is missing";
}
static void free_launch(struct launch *l) {
    for (unsigned k = 0; k < l->arguments; k++) run_argument_free(&l->argument[k]);
    free(l->text);
}

/* ---- the launch ----------------------------------------------------------------------------- */
/* Parses the values of the arguments for the kernel's parameters. On failure, returns false and sets *message. */
static bool read_arguments(struct launch *l, const struct ptx_function *kernel, char *message, size_t size) {
    uint64_t random = 0;
    if (l->arguments != kernel->param_count)
        return snprintf(message, size, "the kernel has %u parameters, not %u", kernel->param_count, l->arguments),
               false;
    for (unsigned k = 0; k < l->arguments; k++) {
        struct run_argument *a = &l->argument[k];
        if (!run_argument_parse(a, a->text, kernel->params[k], &random, message, size)) return false;
        if (a->fields || (a->buffer && a->count > MAX_ELEMENTS))
            return snprintf(message, size, "a struct or a buffer of more than %d elements is not supported",
                            MAX_ELEMENTS),
                   false;
    }
    return true;
}
static void plan_of(struct plan *p, struct launch *l, const struct ptx_function *kernel, const void *inputs[]) {
    for (unsigned k = 0; k < l->arguments; k++) {
        struct run_argument *a = &l->argument[k];
        if (!a->buffer) continue;
        struct plan_buffer b = {.element = a->type->bytes,
                                .length = a->count,
                                .fill = a->initialized ? PLAN_INPUT : PLAN_UNWRITTEN,
                                .input = p->buffers,
                                .read_only = a->read_only};
        snprintf(b.name, sizeof b.name, "%s", a->name);
        inputs[p->buffers] = a->data;
        a->place = plan_add_buffer(p, b);
    }
    plan_add_launch(p, 0, l->kernel, l->grid, l->block);
    for (unsigned k = 0; k < l->arguments; k++)
        if (l->argument[k].buffer)
            plan_pass_address(p, l->argument[k].place, l->argument[k].shift);
        else
            plan_pass_scalar(p, l->argument[k].data, (uint32_t)kernel->params[k]->size);
    for (unsigned k = 0; k < l->arguments; k++)
        if (l->argument[k].buffer) plan_add_read(p, l->argument[k].place, 0, l->argument[k].count, PLAN_ARRAY);
}
/* Writes a number, or a string if JSON cannot represent the number. */
static void put_value(FILE *out, const struct run_type *t, const void *value) {
    char text[40];
    const bool plain = t->kind != RUN_FLOAT || isfinite(run_value_real(t, value));
    fprintf(out, plain ? "%s" : "\"%s\"", run_value_text(t, value, text, sizeof text));
}
static void put_buffers(FILE *out, const struct launch *l, const struct device_run *run) {
    const char *between = "";
    unsigned read = 0;
    fputs(",\"buffers\":{", out);
    for (unsigned k = 0; k < l->arguments; k++) {
        const struct run_argument *a = &l->argument[k];
        if (!a->buffer) continue;
        const uint8_t *value = (const uint8_t *)run->outputs + plan_read_at(run->plan, read++);
        fprintf(out, "%s\"%s\":[", between, a->name), between = ",";
        for (uint64_t n = 0; n < a->count; n++, value += a->type->bytes) {
            if (n) fputc(',', out);
            put_value(out, a->type, value);
        }
        fputc(']', out);
    }
    fputc('}', out);
}
static void put_accesses(FILE *out, const struct accesses *list) {
    static const char *const kinds[] = {[SIM_LOAD] = "load", [SIM_STORE] = "store", [SIM_ATOMIC] = "atomic"};
    fputs(",\"accesses\":[", out);
    for (unsigned k = 0; k < list->count; k++) {
        const struct access_row *a = &list->item[k];
        fputs(k ? ",{" : "{", out), put_text(out, "object", a->object), fputc(',', out);
        put_text(out, "kind", kinds[a->kind]);
        fprintf(out, ",\"line\":%" PRIu32 ",\"warp\":%" PRIu32 ",\"bytes\":%u", a->line, a->warp, a->bytes);
        fprintf(out, ",\"sectors\":%u,\"wavefronts\":%u,\"ideal\":%u,\"addresses\":[", a->sectors, a->wavefronts,
                a->ideal);
        for (unsigned lane = 0; lane < SIM_WARP; lane++) {
            if (lane) fputc(',', out);
            if (a->mask >> lane & 1)
                fprintf(out, "%" PRIu64, a->offset[lane]);
            else
                fputs("null", out);
        }
        fputs("]}", out);
    }
    fputc(']', out);
}
static void put_seen(FILE *out, const struct launch *l, const struct device_run *run) {
    const struct measurement *m = run->measured;
    fputc('{', out);
    put_text(out, "message", run->status == DEVICE_OK ? "" : run->error.message);
    put_buffers(out, l, run);
    fprintf(out, ",\"cycles\":%.17g,\"mhz\":%.17g", modeled_cycles(block_time_of(m), gpu_default),
            gpu_default->clock_mhz);
    fprintf(out, ",\"gpu\":{\"sms\":%" PRIu32 ",\"bytes\":%.17g}", gpu_default->sms, gpu_default->dram_throughput);
    put_counts(out, m);
    put_steps(out, steps_of(m), true);
    put_findings(out, &m->findings, TERMS_ALL);
    put_accesses(out, accesses_of(m));
    fputc('}', out);
}
static void run_one(struct launch *l, const struct ptx_function *kernel, struct device_module *module, FILE *out) {
    struct measurement m = {0};
    struct plan p = {0};
    const void *inputs[MAX_ARGUMENTS];
    struct device_run run = {.plan = &p,
                             .module = {module},
                             .inputs = inputs,
                             .what = MEASURE_ALL | MEASURE_BLOCK_TIME | MEASURE_ACCESSES,
                             .observed_block = l->observed,
                             .measured = &m,
                             .options = {.schedule = l->schedule, .budget = BUDGET},
                             .status = DEVICE_SETUP,
                             .error = {"out of memory"}};
    plan_of(&p, l, kernel, inputs);
    run.outputs = p.failed ? NULL : calloc(plan_read_at(&p, p.reads) + 1, 1);
    if (run.outputs) device_sim.run(&run, 1);
    if (run.begun)
        put_seen(out, l, &run);
    else
        put_fault(out, run.error.message);
    free(run.outputs);
    measure_free(&m);
    plan_free(&p);
}
static void show(struct launch *l, FILE *out) {
    struct device_module *module;
    struct device_error e;
    struct ptx_error syntax;
    char why[400] = "the PTX has no such kernel";
    struct ptx_module *parsed = ptx_parse(l->ptx, strlen(l->ptx), "kernel.ptx", &syntax);
    const struct ptx_function *kernel = parsed ? ptx_find_function(parsed, l->kernel) : NULL;
    if (device_sim.load(l->ptx, strlen(l->ptx), "kernel.ptx", &module, &e) != DEVICE_OK)
        put_fault(out, e.message);
    else {
        if (kernel && read_arguments(l, kernel, why, sizeof why))
            run_one(l, kernel, module, out);
        else
            put_fault(out, why);
        device_sim.unload(module);
    }
    if (parsed) ptx_free(parsed);
}
char *live_show(const char *text) {
    struct launch l;
    char *answer = NULL;
    size_t size;
    FILE *out = open_memstream(&answer, &size);
    if (!out) return NULL;
    const char *why = read_launch(&l, text);
    if (why)
        put_fault(out, why);
    else
        show(&l, out);
    free_launch(&l);
    return fclose(out) ? free(answer), NULL : answer;
}
