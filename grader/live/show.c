/* See live.h: parses a launch from lines of text, and reports its results. */
#include "live/live.h"
#include "live/tell.h"
#include "device/device.h"
#include "model/model.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct device device_sim;

enum { MOST_ARGUMENTS = 12, MOST_ELEMENTS = 1 << 16, BUDGET = 1 << 24 };
struct argument {
    const char *name;
    bool buffer, is_float;
    uint32_t count, value; /* of a scalar: its 4 bytes */
    uint32_t *data;        /* of a buffer, before and after */
};
struct launch {
    char *text; /* storage for the other strings */
    const char *kernel, *ptx;
    uint32_t grid, block, observed;
    struct sim_schedule schedule;
    struct argument argument[MOST_ARGUMENTS];
    unsigned arguments;
};

/* ---- the lines ------------------------------------------------------------------------------ */
static uint32_t bits_of(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
/* "int[64]:iota" or "const float[8]:0.5": its elements; else an integer. */
static const char *read_argument(struct argument *a, const char *text) {
    if (!strncmp(text, "const ", 6)) text += 6;
    a->is_float = !strncmp(text, "float[", 6);
    a->buffer = a->is_float || !strncmp(text, "int[", 4);
    a->value = (uint32_t)strtol(text, NULL, 10);
    if (!a->buffer) return NULL;
    a->count = (uint32_t)strtoul(strchr(text, '[') + 1, NULL, 10);
    const char *fill = strchr(text, ':');
    if (!fill || !a->count || a->count > MOST_ELEMENTS) return "a buffer without a fill, or too long";
    a->data = malloc(a->count * sizeof *a->data);
    if (!a->data) return "out of memory";
    const bool iota = !strcmp(++fill, "iota");
    for (uint32_t k = 0; k < a->count; k++)
        a->data[k] = a->is_float ? bits_of(iota ? (float)k : strtof(fill, NULL)) : iota ? k : (uint32_t)atoi(fill);
    return NULL;
}
static const char *read_line(struct launch *l, const char *key, char *value) {
    struct argument *a = &l->argument[l->arguments];
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
    else if (!strcmp(key, "arg") && l->arguments < MOST_ARGUMENTS && (space = strchr(value, ' '))) {
        *space = 0, a->name = value, l->arguments++;
        return read_argument(a, space + 1);
    } else
        return "an unknown line";
    return NULL;
}
/* NULL, or an error message. */
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
    for (unsigned k = 0; k < l->arguments; k++) free(l->argument[k].data);
    free(l->text);
}

/* ---- the launch ----------------------------------------------------------------------------- */
static void plan_of(struct plan *p, const struct launch *l, const void *inputs[]) {
    unsigned place[MOST_ARGUMENTS] = {0};
    for (unsigned k = 0; k < l->arguments; k++) {
        const struct argument *a = &l->argument[k];
        struct plan_buffer b = {.element = 4, .length = a->count, .fill = PLAN_INPUT, .input = p->buffers};
        if (!a->buffer) continue;
        snprintf(b.name, sizeof b.name, "%s", a->name);
        inputs[p->buffers] = a->data;
        place[k] = plan_add_buffer(p, b);
    }
    plan_add_launch(p, 0, l->kernel, l->grid, l->block);
    for (unsigned k = 0; k < l->arguments; k++)
        if (l->argument[k].buffer)
            plan_pass_address(p, place[k], 0);
        else
            plan_pass_u32(p, l->argument[k].value);
    for (unsigned k = 0; k < l->arguments; k++)
        if (l->argument[k].buffer) plan_add_read(p, place[k], 0, l->argument[k].count, PLAN_ARRAY);
}
/* The shortest text that round-trips. */
static void put_float(FILE *out, uint32_t bits) {
    char text[32];
    float f;
    memcpy(&f, &bits, sizeof f);
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)f);
        if (strtof(text, NULL) == f) break;
    }
    fputs(text, out);
}
/* The buffers that were read are stored one after the other, in order. */
static void put_buffers(FILE *out, const struct launch *l, const uint32_t *read) {
    const char *between = "";
    fputs(",\"buffers\":{", out);
    for (unsigned k = 0; k < l->arguments; k++) {
        const struct argument *a = &l->argument[k];
        if (!a->buffer) continue;
        fprintf(out, "%s\"%s\":[", between, a->name), between = ",";
        for (uint32_t n = 0; n < a->count; n++, read++) {
            if (n) fputc(',', out);
            if (a->is_float)
                put_float(out, *read);
            else
                fprintf(out, "%" PRId32, (int32_t)*read);
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
        fputs(k ? ",{" : "{", out), tell_text(out, "object", a->object), fputc(',', out);
        tell_text(out, "kind", kinds[a->kind]);
        fprintf(out, ",\"line\":%" PRIu32 ",\"warp\":%" PRIu32 ",\"bytes\":%u", a->line, a->warp, a->bytes);
        fprintf(out, ",\"sectors\":%u,\"passes\":%u,\"ideal\":%u,\"addresses\":[", a->sectors, a->passes, a->ideal);
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
    tell_text(out, "message", run->status == DEVICE_OK ? "" : run->error.message);
    put_buffers(out, l, run->outputs);
    fprintf(out, ",\"cycles\":%.17g,\"mhz\":%.17g", modeled_cycles(pace_of(m), gpu_default), gpu_default->clock_mhz);
    fprintf(out, ",\"gpu\":{\"sms\":%" PRIu32 ",\"bytes\":%.17g}", gpu_default->sms, gpu_default->dram_throughput);
    tell_counts(out, m);
    tell_steps(out, steps_of(m), true);
    tell_findings(out, &m->findings, TERMS_ALL);
    put_accesses(out, accesses_of(m));
    fputc('}', out);
}
static void show(const struct launch *l, FILE *out) {
    struct device_module *module;
    struct measurement m = {0};
    struct plan p = {0};
    const void *inputs[MOST_ARGUMENTS];
    struct device_run run = {.plan = &p,
                             .inputs = inputs,
                             .what = MEASURE_ALL | MEASURE_PACE | MEASURE_ACCESSES,
                             .observed_block = l->observed,
                             .measured = &m,
                             .options = {.schedule = l->schedule, .budget = BUDGET},
                             .status = DEVICE_SETUP,
                             .error = {"out of memory"}};
    if (device_sim.load(l->ptx, strlen(l->ptx), "kernel.ptx", &module, &run.error) != DEVICE_OK) {
        tell_fault(out, run.error.message);
        return;
    }
    plan_of(&p, l, inputs);
    run.module[0] = module;
    run.outputs = p.failed ? NULL : calloc(plan_read_at(&p, p.reads) + 1, 1);
    if (run.outputs) device_sim.run(&run, 1);
    if (run.begun)
        put_seen(out, l, &run);
    else
        tell_fault(out, run.error.message);
    free(run.outputs);
    measure_free(&m);
    plan_free(&p);
    device_sim.unload(module);
}
char *live_show(const char *text) {
    struct launch l;
    char *answer = NULL;
    size_t size;
    FILE *out = open_memstream(&answer, &size);
    if (!out) return NULL;
    const char *why = read_launch(&l, text);
    if (why)
        tell_fault(out, why);
    else
        show(&l, out);
    free_launch(&l);
    return fclose(out) ? free(answer), NULL : answer;
}
