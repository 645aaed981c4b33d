/* The simulator as a device. */
#include "device/worker.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST_VARIABLE_BYTES = 64 << 20, MOST_LISTENERS = 16 };

struct device_module {
    struct ptx_module *ptx;
    struct sim_program *program;
};
struct device_session {
    struct sim *sim;
};

static enum device_status sim_present(struct device_error *e) { return e->message[0] = 0, DEVICE_OK; }

/* Each session has its own copy of the module's variables: there must not be too much of them. */
static uint64_t bytes_of_variables(const struct ptx_module *m) {
    uint64_t total = 0;
    for (unsigned k = 0; k < m->variable_count && total <= MOST_VARIABLE_BYTES; k++) {
        const struct ptx_variable *v = m->variables[k];
        if (v->space != PTX_GLOBAL && v->space != PTX_CONST) continue;
        total += v->size <= MOST_VARIABLE_BYTES ? v->size : MOST_VARIABLE_BYTES + 1;
    }
    return total;
}
uint64_t sim_variable_bytes(const struct device_module *m) { return bytes_of_variables(m->ptx); }
static enum device_status sim_load(const char *ptx, size_t length, const char *name, struct device_module **m,
                                   struct device_error *e) {
    struct ptx_error parse;
    struct sim_error decode;
    *m = calloc(1, sizeof **m);
    if (!*m) return snprintf(e->message, sizeof e->message, "out of memory"), DEVICE_SETUP;
    (*m)->ptx = ptx_parse(ptx, length, name, &parse);
    if (!(*m)->ptx) {
        if (parse.source_line)
            snprintf(e->message, sizeof e->message, "%s:%u: %s", parse.source_file, parse.source_line, parse.message);
        else
            snprintf(e->message, sizeof e->message, "%s, PTX line %u: %s", name, parse.text_line, parse.message);
    } else if (bytes_of_variables((*m)->ptx) > MOST_VARIABLE_BYTES)
        snprintf(
            e->message, sizeof e->message,
            "%s: its __device__ and __constant__ variables need more than the %d MiB that the simulator gives them",
            name, MOST_VARIABLE_BYTES >> 20);
    else if (!((*m)->program = sim_program_new((*m)->ptx, &decode)))
        snprintf(e->message, sizeof e->message, "%s", decode.message);
    else
        return DEVICE_OK;
    ptx_free((*m)->ptx);
    free(*m);
    *m = NULL;
    return DEVICE_SUBMISSION;
}
static void sim_unload(struct device_module *m) {
    if (!m) return;
    sim_program_free(m->program);
    ptx_free(m->ptx);
    free(m);
}
static enum device_status sim_open(struct device_module *m, const struct device_options *o, struct device_session **s,
                                   struct device_error *e) {
    const struct sim_options options = {.seed = o->seed,
                                        .shuffle = o->shuffle,
                                        .budget = o->budget,
                                        .cores = o->cores,
                                        .print = o->print,
                                        .print_context = o->print_context};
    *s = calloc(1, sizeof **s);
    if (*s && ((*s)->sim = sim_new(m->program, &options))) return DEVICE_OK;
    free(*s);
    *s = NULL;
    return snprintf(e->message, sizeof e->message, "out of memory"), DEVICE_SETUP;
}
static void sim_close(struct device_session *s) {
    if (!s) return;
    sim_free(s->sim);
    free(s);
}
static enum device_status sim_allocate(struct device_session *s, const char *name, uint64_t bytes, unsigned flags,
                                       uint64_t *address, struct device_error *e) {
    *address = sim_alloc(s->sim, name, bytes, flags);
    if (*address) return DEVICE_OK;
    return snprintf(e->message, sizeof e->message, "the simulator has no room for %llu bytes",
                    (unsigned long long)bytes),
           DEVICE_SETUP;
}
static enum device_status outside(struct device_error *e) {
    return snprintf(e->message, sizeof e->message, "host access outside of a buffer"), DEVICE_SETUP;
}
static enum device_status sim_put(struct device_session *s, uint64_t address, const void *from, uint64_t bytes,
                                  struct device_error *e) {
    return sim_write(s->sim, address, from, bytes) ? DEVICE_OK : outside(e);
}
static enum device_status sim_get(struct device_session *s, uint64_t address, void *to, uint64_t bytes,
                                  struct device_error *e) {
    return sim_read(s->sim, address, to, bytes) ? DEVICE_OK : outside(e);
}
static enum device_status sim_find_variable(struct device_session *s, const char *name, uint64_t *address,
                                            uint64_t *bytes, struct device_error *e) {
    *address = sim_variable(s->sim, name, bytes);
    return *address
               ? DEVICE_OK
               : (snprintf(e->message, sizeof e->message, "the module has no variable `%s`", name), DEVICE_SUBMISSION);
}
static uint32_t or_1(uint32_t n) { return n ? n : 1; }
/* The probes of the measurement and who else listens, together in `all`. */
static unsigned listeners_of(const struct device_launch *l, struct sim_listener all[MOST_LISTENERS]) {
    unsigned n = 0;
    for (unsigned k = 0; l->measurement && k < l->measurement->listener_count && n < MOST_LISTENERS; k++)
        all[n++] = l->measurement->listeners[k];
    for (unsigned k = 0; k < l->listener_count && n < MOST_LISTENERS; k++) all[n++] = l->listeners[k];
    return n;
}
static enum device_status sim_run(struct device_session *s, const struct device_launch *l, double *nanoseconds,
                                  struct device_error *e) {
    struct sim_launch launch = {.kernel = l->kernel,
                                .grid = {l->grid, or_1(l->grid_yz[0]), or_1(l->grid_yz[1])},
                                .block = {l->block, or_1(l->block_yz[0]), or_1(l->block_yz[1])},
                                .dynamic_shared = l->dynamic_shared,
                                .params = l->params,
                                .param_count = l->param_count,
                                .param_bytes = l->param_bytes};
    struct sim_error error;
    struct sim_parts parts;
    if (l->measurement) {
        parts = measure_parts(l->measurement);
        launch.listeners = l->measurement->listeners, launch.listener_count = l->measurement->listener_count;
        launch.parts = &parts;
    }
    struct sim_listener all[MOST_LISTENERS];
    if (l->listener_count) /* they hear all blocks: one core */
        launch.listeners = all, launch.listener_count = listeners_of(l, all), launch.parts = NULL;
    if (nanoseconds) *nanoseconds = 0;
    switch (sim_launch(s->sim, &launch, NULL, &error)) {
    case SIM_DONE: return DEVICE_OK;
    case SIM_STOPPED: snprintf(e->message, sizeof e->message, "the kernel was stopped"); return DEVICE_SUBMISSION;
    default: snprintf(e->message, sizeof e->message, "%s", error.message); return DEVICE_SUBMISSION;
    }
}
static enum device_status sim_give_back(struct device_session *s, uint64_t address, struct device_error *e) {
    (void)e;
    sim_release(s->sim, address);
    return DEVICE_OK;
}

extern const struct device device_sim;
const struct device device_sim = {.name = "sim",
                                  .summary = "the kit's own SIMT simulator",
                                  .measures = true,
                                  .present = sim_present,
                                  .load = sim_load,
                                  .unload = sim_unload,
                                  .open = sim_open,
                                  .close = sim_close,
                                  .alloc = sim_allocate,
                                  .write = sim_put,
                                  .read = sim_get,
                                  .variable = sim_find_variable,
                                  .launch = sim_run,
                                  .release = sim_give_back};
