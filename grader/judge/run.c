/* Runs one case by the lab's launch plan and compares the result. See judge.h. */
#include "judge/judge.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POISON = 0xA5, ON_ALL_CORES = 1 << 16 /* elements; smaller cases run side by side, one on each core */ };
static const uint64_t launch_budget = UINT64_C(1)
                                      << 22; /* warp-instructions: over fifty times what any graded case needs */

struct runner {
    const struct device *device;
    struct device_session *session;
    struct device_error error;
    const struct grade_case *c;
    struct outcome *o;
    const char *symbol;
    size_t size; /* of an element */
};
/* The device knows a kernel by its name in PTX; the student by that in the source. */
static bool failed(struct runner *r, enum device_status s) {
    if (s == DEVICE_OK) return false;
    const char *at = r->symbol ? strstr(r->error.message, r->symbol) : NULL;
    r->o->kind = s == DEVICE_SUBMISSION ? OUTCOME_STOPPED : OUTCOME_SETUP;
    snprintf(r->o->message, sizeof r->o->message, "%.*s%s%s",
             at ? (int)(at - r->error.message) : (int)sizeof r->error.message, r->error.message,
             at ? r->c->kernel->name : "", at ? at + strlen(r->symbol) : "");
    return true;
}
static uint32_t blocks_for(const struct grade_case *c, uint32_t n) {
    const uint32_t each = c->kernel->elements * c->block;
    return c->kernel->one_block || n <= each ? 1 : (n + each - 1) / each;
}
/* One launch over n elements at `in`; partials go to a fresh buffer. */
static bool launch(struct runner *r, uint64_t in, uint32_t n, uint64_t *out, uint32_t *count) {
    const struct lab_kernel *k = r->c->kernel;
    *count = blocks_for(r->c, n);
    if (failed(r, r->device->alloc(r->session, k->output, *count * r->size, SIM_UNINITIALISED, out, &r->error)))
        return false;
    const struct device_launch l = {.kernel = r->symbol,
                                    .grid = *count,
                                    .block = r->c->block,
                                    .dynamic_shared = (uint32_t)(k->shared_values * r->c->block * r->size),
                                    .params = (const void *const[]){&in, out, &n},
                                    .param_count = 3,
                                    .measurement = r->device->measures ? &r->o->measurement : NULL};
    return !failed(r, r->device->launch(r->session, &l, NULL, &r->error));
}
static bool is_poison(const void *data, size_t bytes) {
    for (size_t k = 0; k < bytes; k++)
        if (((const unsigned char *)data)[k] != POISON) return false;
    return true;
}
/* Launch after launch until one value is left; it is read into o->got. */
static void follow_plan(struct runner *r, const void *data) {
    const struct grade_case *c = r->c;
    uint32_t n = c->n, count = 0;
    uint64_t in = 0, out = 0;
    if (failed(r, r->device->alloc(r->session, c->kernel->input, n * r->size,
                                   SIM_INITIALISED | (c->kernel->in_place ? 0 : SIM_READ_ONLY), &in, &r->error)) ||
        failed(r, r->device->write(r->session, in, data, n * r->size, &r->error)))
        return;
    for (unsigned level = 0;; level++) {
        if (!launch(r, in, n, &out, &count)) return;
        if (count == 1) break;
        n = count, in = out;
    }
    if (failed(r, r->device->read(r->session, out, &r->o->got, r->size, &r->error))) return;
    r->o->unwritten = is_poison(&r->o->got, r->size);
}

/* The longest chain of additions a term may go through: the loop of one block, then twice the trees of all levels. */
static uint64_t depth_of(const struct grade_case *c) {
    uint64_t depth = c->kernel->one_block ? c->n / c->block + 1 : 1;
    for (uint64_t n = c->n; n > 1; n = (n + 1) / 2) depth += 2;
    return depth + 8;
}
static void compare(const struct grade_case *c, const void *data, struct outcome *o) {
    o->expected = reference_reduce(c->variant, data, c->n);
    o->bound = c->data == DATA_ROUNDED ? tolerance_bound(c->variant, data, c->n, depth_of(c)) : 0;
    const bool near = c->data == DATA_ROUNDED && fabs(reference_double(c->variant, o->got) -
                                                      reference_double(c->variant, o->expected)) <= o->bound;
    o->kind =
        !o->unwritten && (near || reference_equal(c->variant, o->got, o->expected)) ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

static void keep_print(void *context, const char *text, size_t length) {
    struct outcome *o = context;
    const size_t used = strlen(o->printed), room = sizeof o->printed - 1 - used;
    memcpy(o->printed + used, text, length < room ? length : room);
}

static unsigned cores(void) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (unsigned)online;
}
void case_run(const struct judge *j, const struct program *program, const struct grade_case *c, unsigned what,
              struct outcome *o) {
    memset(o, 0, sizeof *o);
    measure_begin(&o->measurement, what);
    const unsigned variant = variant_index(c->variant), index = program->text.of_variant[variant];
    struct runner r = {.device = j->options->device,
                       .c = c,
                       .o = o,
                       .symbol = program->symbol[(unsigned)(c->kernel - j->lab->kernels) * VARIANT_COUNT + variant],
                       .size = variant_size(c->variant)};
    void *data = calloc(c->n + 1, r.size);
    const struct device_options options = {.seed = c->seed,
                                           .shuffle = true,
                                           .budget = launch_budget + 64 * (uint64_t)c->n,
                                           .cores = c->n >= ON_ALL_CORES ? cores() : 1,
                                           .print = j->options->only_case ? keep_print : NULL,
                                           .print_context = o};
    o->kind = OUTCOME_SETUP;
    if (!data)
        snprintf(o->message, sizeof o->message, "out of memory");
    else if (!r.symbol) {
        o->kind = OUTCOME_STOPPED;
        snprintf(o->message, sizeof o->message,
                 "the file has no kernel `%s`: keep its name and parameters as the skeleton has them", c->kernel->name);
    } else if (!failed(&r, r.device->open(program->module[index], &options, &r.session, &r.error))) {
        case_data(c, data);
        o->kind = OUTCOME_WRONG;
        follow_plan(&r, data);
        if (o->kind == OUTCOME_WRONG) compare(c, data, o);
    }
    measure_end(&o->measurement);
    if (r.session) r.device->close(r.session);
    free(data);
}
void outcome_free(struct outcome *o) { measure_free(&o->measurement); }
