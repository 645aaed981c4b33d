/* Executes the launch of `./grade run` and builds its record (docs/run.md). */
#include "base/cores.h"
#include "probes/measured.h"
#include "run/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PRINTED = 64 << 10 };

struct execution {
    struct run *run;
    const struct device *device;
    struct device_module *module;
    struct plan plan;
    struct device_run launched;
    struct measurement measurement;
    double nanoseconds;
    char printed[MAX_PRINTED + 1];
};

/* ---- writes to elements ------------------------------------------------------------------- */
static struct run_argument *buffer_at(struct run *r, const struct sim_object *o) {
    for (unsigned k = 0; (o->kind == SIM_BUFFER || o->kind == SIM_VARIABLE) && k < r->buffers; k++)
        if (r->address[k] == o->address) return r->buffer[k];
    return NULL;
}
static void access_happened(void *self, const struct sim_access *e) {
    struct run_argument *a = e->kind == SIM_LOAD && e->object->kind == SIM_BUFFER ? NULL : buffer_at(self, e->object);
    if (a && e->kind == SIM_LOAD && (!a->unset || __atomic_load_n(&a->read_unset, __ATOMIC_RELAXED))) return;
    for (uint32_t l = 0; a && l < SIM_WARP; l++) {
        if (!(e->mask >> l & 1)) continue;
        const uint64_t first = e->offset[l] / a->type->bytes, last = (e->offset[l] + e->bytes - 1) / a->type->bytes;
        if (e->kind != SIM_LOAD)
            run_buffer_write(a, first, last);
        else if (!run_buffer_is_written(a, first, last))
            __atomic_store_n(&a->read_unset, true, __ATOMIC_RELAXED);
    }
}
static void forget(void *context) {
    struct run *r = context;
    for (unsigned k = 0; k < r->buffers; k++) run_buffer_forget(r->buffer[k]);
}
static const struct sim_probe written_probe = {.name = "written", .access = access_happened};

/* ---- the launch ----------------------------------------------------------------------------- */
/* Returns whether the plan needs a buffer for the variable. On a device that does not report accesses, a variable needs
 * a buffer if --set sets it, or if it is a global variable without relocations that the host can look up by name. */
static bool is_wanted(const struct execution *x, const struct run_argument *a) {
    const struct ptx_variable *v = a->variable;
    const bool named = strncmp(v->name, "_ZL", 3) && !strstr(v->name, "_INTERNAL_") && !strstr(v->name, "_GLOBAL__N_");
    return a->text || x->device->measures || (named && v->space == PTX_GLOBAL && !v->relocation_count);
}
/* Adds the buffer of an argument, field or variable to the plan, if it has one. */
static void plan_buffer_of(struct execution *x, struct run_argument *a, const void *inputs[],
                           struct sim_maker makers[]) {
    struct run *r = x->run;
    struct plan_buffer b = {.element = a->type ? a->type->bytes : 1,
                            .length = a->count,
                            .fill = a->initialized && (a->text || !a->variable) ? PLAN_INPUT : PLAN_UNWRITTEN,
                            .input = x->plan.buffers,
                            .read_only = a->read_only};
    a->buffer = a->buffer && (!a->variable || is_wanted(x, a));
    if (!a->buffer) return;
    if (r->buffers == RUN_MAX_BUFFERS) {
        x->plan.failed = true;
        return;
    }
    snprintf(b.name, sizeof b.name, "%s", a->name);
    if (run_buffer_is_large(a) && a->fill == RUN_FILL_SAME)
        b.fill = PLAN_REPEAT, memcpy(b.value, a->value, sizeof a->value);
    else if (run_buffer_is_large(a) && a->initialized)
        b.fill = PLAN_MADE, makers[x->plan.buffers] = run_buffer_maker(a);
    inputs[x->plan.buffers] = a->data, a->place = x->plan.buffers;
    r->buffer[r->buffers++] = a;
    if (a->variable)
        plan_add_variable(&x->plan, a->variable->name, b);
    else
        plan_add_buffer(&x->plan, b);
}
static void pass_one(struct plan *p, const struct run_argument *a, uint32_t bytes) {
    if (a->buffer)
        plan_pass_address(p, a->place, a->shift);
    else
        plan_pass_scalar(p, a->data, bytes);
}
/* Passes the fields of a struct to the kernel, with zeros for the padding that C inserts. */
static void pass_fields(struct plan *p, const struct run_argument *a, uint64_t size) {
    static const uint8_t zeros[16];
    uint64_t at = 0;
    for (unsigned k = 0; k <= a->fields; k++) {
        const uint64_t next = k < a->fields ? a->field[k].offset : size;
        for (uint64_t gap; at < next; at += gap) {
            gap = next - at < sizeof zeros ? next - at : sizeof zeros;
            plan_pass_scalar(p, zeros, (uint32_t)gap);
            if (at) plan_join(p);
        }
        if (k == a->fields) break;
        const uint32_t bytes = a->field[k].buffer ? 8 : a->field[k].type->bytes;
        pass_one(p, &a->field[k], bytes);
        if (at) plan_join(p);
        at += bytes;
    }
}
/* Plans the buffers and the launch. */
static void plan_launch_of(struct execution *x, const void *inputs[], struct sim_maker makers[]) {
    struct run *r = x->run;
    const struct run_options *o = r->options;
    struct plan *p = &x->plan;
    for (unsigned k = 0; k < r->kernel->param_count; k++) {
        struct run_argument *a = &r->argument[k];
        plan_buffer_of(x, a, inputs, makers);
        for (unsigned f = 0; f < a->fields; f++) plan_buffer_of(x, &a->field[f], inputs, makers);
    }
    for (unsigned k = 0; k < r->variables; k++) plan_buffer_of(x, &r->variable[k], inputs, makers);
    plan_add_launch(p, 0, r->kernel->name, o->grid[0], o->block[0]);
    struct plan_launch *l = plan_last(p);
    if (!l) return;
    memcpy(l->grid, o->grid, sizeof l->grid), memcpy(l->block, o->block, sizeof l->block);
    memcpy(l->cluster, o->cluster, sizeof l->cluster);
    l->dynamic_shared = o->shared, l->mode = x->device->times ? PLAN_TIMED : PLAN_WAITS;
    if (o->block_count) plan_sample(p, 0, o->block_list, o->block_count, PLAN_NO_ARGUMENT);
    for (unsigned k = 0; k < r->kernel->param_count; k++)
        if (r->argument[k].fields)
            pass_fields(p, &r->argument[k], r->kernel->params[k]->size);
        else
            pass_one(p, &r->argument[k], (uint32_t)r->kernel->params[k]->size);
}
static void take_buffers(void *context, const struct device_memory *memory) {
    const struct execution *x = context;
    struct run *r = x->run;
    for (unsigned k = 0; k < r->buffers; k++) run_buffer_take(r->buffer[k], r->address[k], x->device->measures, memory);
}
/* Runs the start of the planned launch in another order, and only measures races and faults. */
static void run_in_order(const struct execution *x, enum run_order order, struct measurement *m) {
    struct device_run d = x->launched;
    sim_schedule_parse(&d.options.schedule, run_orders[order]);
    d.options.shuffle = false;
    if (d.options.budget > RUN_ORDER_BUDGET) d.options.budget = RUN_ORDER_BUDGET;
    d.what = MEASURE_FAULTS | (order == RUN_TURNS ? MEASURE_RACES : 0), d.measured = m;
    d.printed = NULL, d.address = NULL, d.look = NULL, d.listener_count = 0;
    x->device->run(&d, 1);
}
static enum device_status launch(struct execution *x) {
    struct run *r = x->run;
    const struct run_options *o = r->options;
    const struct sim_listener listeners[] = {{&written_probe, r}, r->listener};
    const void *inputs[RUN_MAX_BUFFERS];
    struct sim_maker makers[RUN_MAX_BUFFERS];
    plan_launch_of(x, inputs, makers);
    x->launched = (struct device_run){.plan = &x->plan,
                                      .module = {x->module},
                                      .options = {.seed = o->seed,
                                                  .shuffle = o->seeded,
                                                  .schedule = o->schedule,
                                                  .budget = o->budget,
                                                  .cores = o->cores ? o->cores : cores_allowed(),
                                                  .bare = o->bare,
                                                  .cooperative = o->cooperative},
                                      .inputs = inputs,
                                      .makers = makers,
                                      .what = MEASURE_ALL,
                                      .observed_block = o->block_list[0],
                                      .measured = x->device->measures ? &x->measurement : NULL,
                                      .printed = x->printed,
                                      .printed_room = sizeof x->printed,
                                      .nanoseconds = &x->nanoseconds,
                                      .address = r->address,
                                      .look = take_buffers,
                                      .look_context = x,
                                      .listeners = listeners,
                                      .listener_count = r->listener.probe ? 2 : 1,
                                      .forget = r->listener.probe ? NULL : forget,
                                      .forget_context = r,
                                      .status = DEVICE_SETUP,
                                      .error = {"out of memory"}};
    struct measurement others[RUN_ORDERS] = {0};
    const bool several = !x->plan.failed && x->device->measures;
    for (unsigned k = 0; k < RUN_ORDERS && several; k++)
        if (run_order_matters(r, k)) run_in_order(x, k, &others[k]);
    if (!x->plan.failed) x->device->run(&x->launched, 1);
    for (unsigned k = 0; k < RUN_ORDERS; k++) {
        run_add_findings(&x->measurement.findings, &others[k].findings, k);
        measure_free(&others[k]);
    }
    return x->launched.status;
}

/* ---- the record ----------------------------------------------------------------------------- */
/* Converts elements first..end-1 of a buffer to JSON. An element without a value becomes null. */
static json_t *values_json(const struct run_argument *a, uint64_t first, uint64_t end) {
    json_t *all = json_array();
    for (uint64_t k = first; k < end; k++) json_array_append_new(all, run_buffer_value(a, k));
    return all;
}
/* Adds the first and last elements of a buffer to its record. For a large buffer, considers only written elements. */
static void add_values(json_t *o, const struct run_argument *a, uint64_t written, uint64_t print) {
    const bool large = run_buffer_is_large(a);
    const uint64_t all = large ? written : a->count;
    const bool whole = all <= 2 * print;
    if (!written && (a->initialized || large)) return;
    if (large) {
        json_object_set_new(o, "first_spans", run_buffer_spans(a, 0, whole ? all : print));
        if (!whole) json_object_set_new(o, "last_spans", run_buffer_spans(a, all - print, print));
    } else {
        json_object_set_new(o, "first", values_json(a, 0, whole ? all : print));
        if (!whole) json_object_set_new(o, "last", values_json(a, all - print, all));
    }
}
static json_t *argument_json(const struct run_argument *a, uint64_t print) {
    json_t *o = json_pack("{s:o, s:o}", "name", measured_text(a->name), "text", measured_text(a->text ? a->text : ""));
    char hash[20];
    if (a->type) json_object_set_new(o, "type", json_string(a->type->name));
    if (!a->buffer && a->type) json_object_set_new(o, "value", run_value_json(a->type, a->data));
    json_t *fields = a->fields ? json_array() : NULL;
    for (unsigned k = 0; k < a->fields; k++) json_array_append_new(fields, argument_json(&a->field[k], print));
    if (fields) json_object_set_new(o, "fields", fields);
    if (!a->buffer) return o;
    const uint64_t written = run_buffer_written(a);
    json_object_set_new(o, "count", json_integer((json_int_t)a->count));
    json_object_set_new(o, "written", json_integer((json_int_t)written));
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)run_buffer_digest(a));
    json_object_set_new(o, "digest", json_string(hash));
    add_values(o, a, written, print);
    return o;
}
/* Reports the variables that --set set, that the kernel wrote, or that it read before they had a value. */
static json_t *variables_json(const struct run *r, uint64_t print) {
    json_t *all = json_array();
    for (unsigned k = 0; k < r->variables; k++) {
        const struct run_argument *a = &r->variable[k];
        json_t *o = a->buffer ? argument_json(a, print) : NULL;
        const bool written = json_integer_value(json_object_get(o, "written")) > 0;
        if (o && a->read_unset) json_object_set_new(o, "unset", json_true());
        if (o && (a->text || written || a->read_unset)) json_array_append(all, o);
        json_decref(o);
    }
    return all;
}
static void add_source(json_t *source, struct run_sources *s, const json_t *site) {
    char key[400];
    const char *file = json_string_value(json_object_get(site, "file"));
    const uint32_t line = (uint32_t)json_integer_value(json_object_get(site, "line"));
    const char *text = file ? run_source_line(s, file, line) : NULL;
    snprintf(key, sizeof key, "%s:%u", file ? file : "", line);
    if (text) json_object_set_new(source, key, measured_text(text));
}
static json_t *sources_json(const struct run *r, const json_t *lines, const json_t *findings) {
    struct run_sources *s = run_sources_new(r->module);
    json_t *source = json_object(), *item;
    size_t k;
    json_array_foreach(lines, k, item) add_source(source, s, item);
    json_array_foreach(findings, k, item) {
        add_source(source, s, json_object_get(item, "at"));
        if (json_object_get(item, "other")) add_source(source, s, json_object_get(item, "other"));
    }
    run_sources_free(s);
    return source;
}
static json_t *dimensions_json(const uint32_t d[3]) { return json_pack("[i, i, i]", (int)d[0], (int)d[1], (int)d[2]); }
/* Copies the device's error message, with the kernel's PTX name replaced by its name in the source. */
static const char *in_source_words(const struct execution *x, char *out, size_t size) {
    char plain[256];
    const char *symbol = x->run->kernel->name, *message = x->launched.error.message, *at = strstr(message, symbol);
    snprintf(out, size, "%.*s%s%s", (int)(at ? at - message : (long)strlen(message)), message,
             at ? finding_source_name(symbol, plain, sizeof plain) : "", at ? at + strlen(symbol) : "");
    return out;
}
static json_t *record(struct execution *x, enum device_status status) {
    const struct run *r = x->run;
    const struct run_options *o = r->options;
    const struct measurement *m = &x->measurement;
    char plain[256], seed[32], message[800];
    json_t *arguments = json_array(), *findings = json_array(), *lines = measured_lines(m, NULL);
    for (unsigned k = 0; k < r->kernel->param_count; k++)
        json_array_append_new(arguments, argument_json(&r->argument[k], o->print));
    for (unsigned k = 0; k < m->findings.count; k++)
        json_array_append_new(findings, measured_finding(&m->findings.item[k], TERMS_ALL, NULL, NULL));
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->seed);
    json_t *source = sources_json(r, lines, findings);
    json_t *record =
        json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:i, s:s, s:o, s:o, s:o, s:o, s:I}", "schema",
                  "reduction-labs/run/3", "file", measured_text(o->file), "kernel",
                  measured_text(finding_source_name(r->kernel->name, plain, sizeof plain)), "symbol", r->kernel->name,
                  "device", x->device->name, "compiler", r->compiler, "seed", seed, "shuffled", o->seeded, "grid",
                  dimensions_json(o->grid), "block", dimensions_json(o->block), "dynamic_shared", (int)o->shared, "end",
                  run_end_word(status != DEVICE_OK                 ? RUN_END_FAULT
                               : finding_first_error(&m->findings) ? RUN_END_FINDINGS
                                                                   : RUN_END_CLEAN),
                  "message", measured_text(status == DEVICE_OK ? "" : in_source_words(x, message, sizeof message)),
                  "arguments", arguments, "printed", measured_text(x->printed), "findings", findings,
                  "findings_dropped", (json_int_t)m->findings.dropped);
    json_t *variables = variables_json(r, o->print);
    if (json_array_size(variables)) json_object_set(record, "variables", variables);
    json_decref(variables);
    if (o->flags) json_object_set_new(record, "options", json_string(run_flags_text(o, message, sizeof message)));
    if (o->cluster[0]) json_object_set_new(record, "cluster", dimensions_json(o->cluster));
    if (o->block_count)
        json_object_set_new(record, "blocks",
                            json_pack("{s:o, s:I, s:I}", "list", measured_text(o->blocks), "count",
                                      (json_int_t)o->block_count, "observed", (json_int_t)o->block_list[0]));
    if (x->device->times) json_object_set_new(record, "nanoseconds", json_real(x->nanoseconds));
    if (x->device->measures) {
        json_object_set_new(record, "counts", measured_counts(m));
        json_object_set_new(record, "steps", measured_steps(steps_of(m)));
        json_object_set_new(record, "lines", lines);
    } else
        json_decref(lines);
    json_object_set_new(record, "source", source);
    return record;
}

json_t *run_execute(struct run *r, const struct device *device, const char *ptx, size_t length, int *status) {
    struct execution *x = calloc(1, sizeof *x);
    json_t *result = NULL;
    *status = RUN_SETUP;
    if (!x) return fprintf(stderr, "grade run: out of memory\n"), NULL;
    x->run = r, x->device = device;
    enum device_status s = (device->load_usable ? device->load_usable : device->load)(ptx, length, r->options->file,
                                                                                      &x->module, &x->launched.error);
    if (s == DEVICE_SUBMISSION) *status = RUN_BUILD;
    if (s == DEVICE_OK) {
        s = launch(x);
        if (x->launched.begun && s != DEVICE_SETUP) {
            result = record(x, s);
            *status = s == DEVICE_OK && !finding_first_error(&x->measurement.findings) ? RUN_CLEAN : RUN_FINDINGS;
        }
    }
    if (!result) fprintf(stderr, "grade run: %s\n", x->launched.error.message);
    measure_free(&x->measurement);
    if (x->module) device->unload(x->module);
    plan_free(&x->plan);
    free(x);
    return result;
}
