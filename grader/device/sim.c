/* The simulator as a device. */
#include "device/advance.h"
#include "device/execute.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VARIABLE_BYTES = 64 << 20, MAX_LISTENERS = PROBE_COUNT + DEVICE_LISTENERS };

struct device_module {
    struct ptx_module *ptx;
    struct sim_program *program;
};
static enum device_status sim_present(struct device_error *e) { return e->message[0] = 0, DEVICE_OK; }

/* Computes the total size of the module's variables, which is limited because each run has a copy of them. If `copied`
 * is set, omits large variables that are 0 at the beginning, because a run copies only the parts that it writes. */
static uint64_t bytes_of_variables(const struct ptx_module *m, bool copied) {
    uint64_t total = 0;
    for (unsigned k = 0; k < m->variable_count && total <= MAX_VARIABLE_BYTES; k++) {
        const struct ptx_variable *v = m->variables[k];
        if (v->space != PTX_GLOBAL && v->space != PTX_CONST) continue;
        if (copied && !v->init && v->size >= SIM_LARGE_ZEROED) continue;
        total += v->size <= MAX_VARIABLE_BYTES ? v->size : MAX_VARIABLE_BYTES + 1;
    }
    return total;
}
static enum device_status load(struct ptx_module *parse_as(const char *, size_t, const char *, struct ptx_error *),
                               const char *ptx, size_t length, const char *name, struct device_module **m,
                               struct device_error *e) {
    struct ptx_error parse;
    struct sim_error decode;
    *m = calloc(1, sizeof **m);
    if (!*m) return snprintf(e->message, sizeof e->message, "out of memory"), DEVICE_SETUP;
    (*m)->ptx = parse_as(ptx, length, name, &parse);
    if (!(*m)->ptx) {
        if (parse.source_line)
            snprintf(e->message, sizeof e->message, "%s:%u: %s", parse.source_file, parse.source_line, parse.message);
        else
            snprintf(e->message, sizeof e->message, "%s, PTX line %u: %s", name, parse.text_line, parse.message);
    } else if (bytes_of_variables((*m)->ptx, false) > MAX_VARIABLE_BYTES)
        snprintf(
            e->message, sizeof e->message,
            "%s: its __device__ and __constant__ variables need more than the %d MiB that the simulator allows; a lab "
            "has a copy of them for each operator and type, and all copies count",
            name, MAX_VARIABLE_BYTES >> 20);
    else if (!((*m)->program = sim_program_new((*m)->ptx, &decode)))
        snprintf(e->message, sizeof e->message, "%s", decode.message);
    else
        return DEVICE_OK;
    ptx_free((*m)->ptx);
    free(*m);
    *m = NULL;
    return DEVICE_SUBMISSION;
}
static enum device_status sim_load(const char *ptx, size_t length, const char *name, struct device_module **m,
                                   struct device_error *e) {
    return load(ptx_parse, ptx, length, name, m, e);
}
static enum device_status sim_load_usable(const char *ptx, size_t length, const char *name, struct device_module **m,
                                          struct device_error *e) {
    return load(ptx_parse_usable, ptx, length, name, m, e);
}
static void sim_unload(struct device_module *m) {
    if (!m) return;
    sim_program_free(m->program);
    ptx_free(m->ptx);
    free(m);
}

/* ---- a run ---------------------------------------------------------------------------------- */
struct memory {
    struct sim *sim;
    struct device_run *run;
    size_t printed;
    struct advance advance;
};
static void keep_print(void *context, const char *text, size_t length) {
    struct memory *m = context;
    const size_t room = m->run->printed_room - 1 - m->printed, n = length < room ? length : room;
    memcpy(m->run->printed + m->printed, text, n);
    m->printed += n;
    m->run->printed[m->printed] = 0;
}
static enum device_status sim_allocate(void *self, const char *name, uint64_t bytes, unsigned flags, uint64_t *address,
                                       struct device_error *e) {
    const struct memory *m = self;
    *address = sim_alloc(m->sim, name, bytes, flags);
    if (*address) return DEVICE_OK;
    return snprintf(e->message, sizeof e->message, "the simulator has too little memory for buffer `%s` of %llu bytes",
                    name, (unsigned long long)bytes),
           DEVICE_SETUP;
}
static enum device_status outside(struct device_error *e) {
    return snprintf(e->message, sizeof e->message, "host access outside a buffer, or out of memory"), DEVICE_SETUP;
}
static enum device_status sim_put(void *self, uint64_t address, const void *from, uint64_t bytes,
                                  struct device_error *e) {
    const struct memory *m = self;
    return sim_write(m->sim, address, from, bytes) ? DEVICE_OK : outside(e);
}
static enum device_status sim_repeat(void *self, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period,
                                     struct device_error *e) {
    const struct memory *m = self;
    return sim_fill(m->sim, address, bytes, pattern, period) ? DEVICE_OK : outside(e);
}
static enum device_status sim_put_made(void *self, uint64_t address, struct sim_maker maker, struct device_error *e) {
    const struct memory *m = self;
    return sim_make(m->sim, address, maker) ? DEVICE_OK : outside(e);
}
static enum device_status sim_get(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e) {
    const struct memory *m = self;
    return sim_read(m->sim, address, to, bytes) ? DEVICE_OK : outside(e);
}
static enum device_status no_variable(const char *name, struct device_error *e) {
    return snprintf(e->message, sizeof e->message, "the module has no variable `%s`", name), DEVICE_SUBMISSION;
}
static enum device_status sim_find_variable(void *self, const char *name, uint64_t *address, uint64_t *bytes,
                                            struct device_error *e) {
    const struct memory *m = self;
    *address = sim_variable(m->sim, name, bytes);
    return *address ? DEVICE_OK : no_variable(name, e);
}
/* Listeners of a launch that runs in parts. Each part has separate listeners for the measurement. All parts share the
 * listeners of the run. */
struct part_listeners {
    struct sim_parts measured;
    const struct device_run *run;
    struct sim_listener all[MAX_LISTENERS];
};
static bool parts_begin(void *context, unsigned parts) {
    struct part_listeners *h = context;
    return h->measured.begin(h->measured.context, parts);
}
static void parts_listeners(void *context, unsigned part, const struct sim_listener **listeners, unsigned *count) {
    struct part_listeners *h = context;
    h->measured.listeners(h->measured.context, part, listeners, count);
    memcpy(h->all, *listeners, *count * sizeof *h->all);
    for (unsigned k = 0; k < h->run->listener_count && *count < MAX_LISTENERS; k++)
        h->all[(*count)++] = h->run->listeners[k];
    *listeners = h->all;
}
static void parts_end(void *context, bool keep) {
    const struct part_listeners *h = context;
    h->measured.end(h->measured.context, keep);
    if (!keep && h->run->forget) h->run->forget(h->run->forget_context);
}
/* Collects the probes of the measurement and the other listeners. */
static unsigned listeners_of(const struct device_run *r, struct sim_listener all[MAX_LISTENERS]) {
    unsigned n = 0;
    for (unsigned k = 0; r->measured && k < r->measured->listener_count && n < MAX_LISTENERS; k++)
        all[n++] = r->measured->listeners[k];
    for (unsigned k = 0; k < r->listener_count && n < MAX_LISTENERS; k++) all[n++] = r->listeners[k];
    return n;
}
/* Additional cost of a matrix product in warp-instructions. The rest of its cost is in stats.spent. */
enum { PRODUCT_EFFORT = 224 };
enum { DEFAULT_DYNAMIC = 48 << 10 };
static enum device_status launch_here(void *self, const struct device_launch *l, struct device_error *e) {
    struct memory *m = self;
    struct device_run *r = m->run;
    struct sim_listener all[MAX_LISTENERS];
    struct sim_launch launch = {.kernel = l->kernel,
                                .grid = {l->grid[0], l->grid[1], l->grid[2]},
                                .block = {l->block[0], l->block[1], l->block[2]},
                                .cluster = {l->cluster[0], l->cluster[1], l->cluster[2]},
                                .dynamic_shared = l->dynamic_shared,
                                .default_shared = l->dynamic_shared <= DEFAULT_DYNAMIC, /* as in device/cuda.c */
                                .params = l->params,
                                .param_count = l->param_count,
                                .param_bytes = l->param_bytes,
                                .sample = l->sample,
                                .sample_count = l->sample_count,
                                .idle_params = l->idle_params,
                                .cooperative = r->options.cooperative,
                                .listeners = all,
                                .listener_count = listeners_of(r, all)};
    struct sim_error error;
    struct sim_stats stats = {0};
    struct part_listeners joint = {.run = r};
    if (r->measured) joint.measured = measure_parts(r->measured);
    const struct sim_parts parts = {&joint, parts_begin, parts_listeners, parts_end, joint.measured.no_atomics};
    if (r->measured && (!r->listener_count || r->forget)) launch.parts = &parts;
    const enum sim_status status = sim_launch(m->sim, &launch, &stats, &error);
    if (r->measured) finding_set_launch(&r->measured->findings, r->launch + 1);
    r->work += stats.warp_instructions, r->effort += stats.spent + PRODUCT_EFFORT * stats.products;
    if (status == SIM_DONE && r->options.advance &&
        !advance_after_launch(&m->advance, m->sim, r->module[0]->ptx, r->options.advance))
        return snprintf(e->message, sizeof e->message, "out of memory"), DEVICE_SETUP;
    switch (status) {
    case SIM_DONE: return DEVICE_OK;
    case SIM_NO_MEMORY: snprintf(e->message, sizeof e->message, "%s", error.message); return DEVICE_SETUP;
    case SIM_STOPPED: snprintf(e->message, sizeof e->message, "the kernel was stopped"); return DEVICE_SUBMISSION;
    default: snprintf(e->message, sizeof e->message, "%s", error.message); return DEVICE_SUBMISSION;
    }
}
static const struct device_hands hands = {.alloc = sim_allocate,
                                          .write = sim_put,
                                          .read = sim_get,
                                          .fill = sim_repeat,
                                          .make = sim_put_made,
                                          .launch = launch_here,
                                          .variable = sim_find_variable};

static struct sim *new_sim(const struct device_module *m, const struct device_options *o, struct memory *print) {
    return sim_new(m->program, &(struct sim_options){.seed = o->seed,
                                                     .shuffle = o->shuffle,
                                                     .schedule = o->schedule,
                                                     .products = o->products,
                                                     .no_exchange = o->no_exchange,
                                                     .budget = o->budget,
                                                     .cores = o->cores,
                                                     .print = print ? keep_print : NULL,
                                                     .print_context = print});
}
/* Runs the plan again for probes that need a second run. The run writes the same results again. */
static void run_again(struct device_run *r) {
    struct measurement more;
    struct device_run second = *r;
    if (!measure_again(&more, r->measured)) return;
    second.measured = &more, second.printed = NULL, second.look = NULL, second.listener_count = 0;
    second.launch = second.reads = second.times = 0, second.work = second.effort = 0;
    struct memory m = {.run = &second, .sim = new_sim(r->module[0], &r->options, NULL)};
    if (m.sim) device_execute(&second, &hands, &m);
    advance_free(&m.advance);
    if (m.sim && second.status == DEVICE_OK)
        measure_replace(r->measured, &more);
    else
        measure_free(&more);
    r->effort += second.effort;
    sim_free(m.sim);
}
static void run_one(struct device_run *r) {
    enum { LOOKS = 4 }; /* number of comparisons (`looks`) that take as long as a warp-instruction */
    struct memory m = {.run = r};
    if (r->printed) r->printed[0] = 0;
    if (r->measured) {
        measure_begin(r->measured, r->what);
        r->measured->observed_block = r->observed_block, r->measured->observed_launch = r->observed_launch;
    }
    r->work = r->effort = bytes_of_variables(r->module[0]->ptx, true) / 64;
    m.sim = new_sim(r->module[0], &r->options, r->printed && r->printed_room ? &m : NULL);
    if (m.sim)
        device_execute(r, &hands, &m);
    else
        snprintf(r->error.message, sizeof r->error.message, "out of memory"), r->status = DEVICE_SETUP,
                                                                              r->begun = false;
    advance_free(&m.advance);
    if (r->measured) r->effort += r->measured->looks / LOOKS;
    sim_free(m.sim);
    if (r->measured && m.sim && r->status == DEVICE_OK) run_again(r);
    if (r->measured) measure_end(r->measured);
}
static void sim_run(struct device_run *runs, unsigned count) {
    for (unsigned k = 0; k < count; k++) run_one(&runs[k]);
}
static enum device_status sim_read_variable(struct device_module *m, const char *name, void *to, uint64_t room,
                                            uint64_t *bytes, struct device_error *e) {
    struct sim *s = new_sim(m, &(struct device_options){.seed = 0}, NULL);
    const uint64_t address = s ? sim_variable(s, name, bytes) : 0;
    const bool ok = address && sim_read(s, address, to, *bytes < room ? *bytes : room);
    if (!ok && s) no_variable(name, e);
    if (!s) snprintf(e->message, sizeof e->message, "out of memory");
    sim_free(s);
    return ok ? DEVICE_OK : s ? DEVICE_SUBMISSION : DEVICE_SETUP;
}

extern const struct device device_sim;
const struct device device_sim = {.name = "sim",
                                  .summary = "the kit's own SIMT simulator",
                                  .measures = true,
                                  .present = sim_present,
                                  .load = sim_load,
                                  .load_usable = sim_load_usable,
                                  .unload = sim_unload,
                                  .run = sim_run,
                                  .variable = sim_read_variable};
