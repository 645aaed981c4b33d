/* Rows on a device, each by its plan of launches. */
#include "judge/compile.h"
#include "judge/judge.h"
#include "ladder/ladder.h"
#include <stdlib.h>
#include <string.h>

enum { STOP = 64 /* PLAN_STOP: values a block leaves */, TIMED = 7 /* repetitions on a device that measures time */ };

struct runner {
    const struct ladder_program *program;
    const struct ladder_row *row;
    struct variant v;
    uint32_t n, blocks; /* blocks: of a plan that takes any number */
    size_t size;        /* of an element */
    char symbol[256];
    struct device_session *session;
    struct device_error error;
    struct measurement *measurement; /* NULL: not measured */
    double nanoseconds;
    struct ladder_result *result;
};
static bool failed(struct runner *r, enum device_status s) {
    if (s == DEVICE_OK) return false;
    snprintf(r->result->message, sizeof r->result->message, "%.390s", r->error.message);
    return true;
}
static uint64_t buffer(struct runner *r, const char *name, uint64_t values) {
    uint64_t at = 0;
    failed(r, r->program->device->alloc(r->session, name, values * r->size, SIM_UNINITIALISED, &at, &r->error));
    return at;
}
static bool launch(struct runner *r, uint32_t blocks, const void *const *params, unsigned count) {
    const struct ladder_row *row = r->row;
    double nanoseconds = 0;
    const struct device_launch l = {
        .kernel = r->symbol,
        .grid = blocks,
        .block = row->threads,
        .dynamic_shared = (row->shared_values * row->threads + row->shared_warp_values * ((row->threads + 31) / 32)) *
                          (uint32_t)r->size,
        .params = params,
        .param_count = count,
        .measurement = r->measurement};
    if (r->result->message[0] || failed(r, r->program->device->launch(r->session, &l, &nanoseconds, &r->error)))
        return false;
    r->nanoseconds += nanoseconds;
    if (!r->result->launches++) r->result->blocks = blocks;
    return true;
}
static bool total_at(struct runner *r, uint64_t at) {
    return !failed(r, r->program->device->read(r->session, at, &r->result->total, r->size, &r->error));
}
static uint32_t blocks_for(const struct runner *r, uint32_t n) {
    const uint64_t each = (uint64_t)r->row->elements * r->row->threads;
    return n <= each ? 1 : (uint32_t)((n + each - 1) / each);
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */
static void one_block(struct runner *r, uint64_t in) {
    const uint64_t out = buffer(r, "out", 1);
    if (launch(r, 1, (const void *const[]){&in, &out, &r->n}, 3)) total_at(r, out);
}
static void levels(struct runner *r, uint64_t in) {
    for (uint32_t stride = 1; stride < r->n; stride *= 2) {
        const uint32_t pairs = (r->n - stride + 2 * stride - 1) / (2 * stride), m = r->row->threads;
        if (!launch(r, (pairs + m - 1) / m, (const void *const[]){&in, &r->n, &stride}, 3)) return;
    }
    total_at(r, in);
}
static void again(struct runner *r, uint64_t in) {
    uint32_t left = r->n, blocks;
    do {
        blocks = blocks_for(r, left);
        const uint64_t out = buffer(r, "partial", blocks);
        if (!launch(r, blocks, (const void *const[]){&in, &out, &left}, 3)) return;
        left = blocks, in = out;
    } while (blocks > 1);
    total_at(r, in);
}
static void stop_early(struct runner *r, uint64_t in) {
    uint32_t left = r->n, blocks;
    do {
        blocks = blocks_for(r, left);
        const uint32_t stop = blocks > 1 ? STOP : 1;
        const uint64_t out = buffer(r, "partial", (uint64_t)blocks * stop);
        if (!launch(r, blocks, (const void *const[]){&in, &out, &left, &stop}, 4)) return;
        left = blocks * stop, in = out;
    } while (blocks > 1);
    total_at(r, in);
}
static void host_ends(struct runner *r, uint64_t in, uint32_t blocks) {
    const uint64_t out = buffer(r, "partial", blocks);
    void *partials = calloc(blocks, r->size);
    if (launch(r, blocks, (const void *const[]){&in, &out, &r->n}, 3) && partials &&
        !failed(r, r->program->device->read(r->session, out, partials, blocks * r->size, &r->error)))
        r->result->total = ladder_serial(r->v, partials, blocks);
    free(partials);
}
static void two_stages(struct runner *r, uint64_t in) {
    const uint64_t partial = buffer(r, "partial", r->blocks), out = buffer(r, "out", 1);
    if (launch(r, r->blocks, (const void *const[]){&in, &partial, &r->n}, 3) &&
        launch(r, 1, (const void *const[]){&partial, &out, &r->blocks}, 3))
        total_at(r, out);
}
static void by_atomics(struct runner *r, uint64_t in) {
    const union value identity = reference_identity(r->v);
    const uint64_t out = buffer(r, "out", 1);
    if (!failed(r, r->program->device->write(r->session, out, &identity, r->size, &r->error)) &&
        launch(r, r->blocks, (const void *const[]){&in, &out, &r->n}, 3))
        total_at(r, out);
}
static void last_block(struct runner *r, uint64_t in) {
    const uint64_t partial = buffer(r, "partial", r->blocks), out = buffer(r, "out", 1);
    if (launch(r, r->blocks, (const void *const[]){&in, &partial, &out, &r->n}, 4)) total_at(r, out);
}
static void follow_plan(struct runner *r, uint64_t in) {
    switch (r->row->plan) {
    case PLAN_ONE_BLOCK:
    case PLAN_ONE_BLOCK_IN_PLACE: one_block(r, in); break;
    case PLAN_LEVELS: levels(r, in); break;
    case PLAN_AGAIN:
    case PLAN_AGAIN_IN_PLACE: again(r, in); break;
    case PLAN_STOP: stop_early(r, in); break;
    case PLAN_SEGMENTS: host_ends(r, in, blocks_for(r, r->n)); break;
    case PLAN_HOST: host_ends(r, in, r->blocks); break;
    case PLAN_TWO_STAGES: two_stages(r, in); break;
    case PLAN_ATOMIC: by_atomics(r, in); break;
    case PLAN_LAST_BLOCK: last_block(r, in); break;
    case PLAN_CPU: break;
    }
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */
static bool in_place(enum ladder_plan p) {
    return p == PLAN_LEVELS || p == PLAN_ONE_BLOCK_IN_PLACE || p == PLAN_AGAIN_IN_PLACE;
}
/* One run in a session of its own: memory and the module's variables are new. */
static void run_once(struct runner *r, const void *data) {
    const struct device *d = r->program->device;
    const struct device_options options = {.seed = r->program->seed, .shuffle = true, .budget = UINT64_C(1) << 33};
    uint64_t in = 0;
    r->result->launches = 0;
    r->nanoseconds = 0;
    if (failed(r, d->open(r->program->module, &options, &r->session, &r->error))) return;
    if (!failed(r, d->alloc(r->session, "in", (r->n ? r->n : 1) * r->size,
                            SIM_INITIALISED | (in_place(r->row->plan) ? 0 : SIM_READ_ONLY), &in, &r->error)) &&
        !failed(r, d->write(r->session, in, data, r->n * r->size, &r->error)))
        follow_plan(r, in);
    d->close(r->session);
    r->session = NULL;
}
static void take_measurement(struct runner *r, struct measurement *m) {
    struct ladder_result *to = r->result;
    const struct counts *c = &m->counts;
    for (unsigned k = 0; k < m->steps.count; k++) {
        to->tree_steps += m->steps.item[k].kind == STEP_TREE;
        to->divergent_steps += m->steps.item[k].kind == STEP_TREE && m->steps.item[k].divergent;
    }
    to->sectors = c->global_sectors;
    to->simd_efficiency =
        c->warp_instructions ? (double)c->lane_instructions / (32.0 * (double)c->warp_instructions) : 0;
    to->modelled_us = modelled_cycles(&m->pace) / modelled_cycles_a_microsecond;
    to->findings = m->findings.count;
}
static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
void ladder_gpu(const struct ladder_program *p, const struct ladder_row *row, struct variant v, const void *data,
                uint32_t n, uint32_t blocks, struct ladder_result *result) {
    struct measurement m;
    struct runner r = {.program = p,
                       .row = row,
                       .v = v,
                       .n = n,
                       .blocks = blocks ? blocks : row->waves * LADDER_MULTIPROCESSORS,
                       .size = variant_size(v),
                       .result = result};
    if (!compiled_symbol(p->ptx, v, row->kernel, r.symbol, sizeof r.symbol)) {
        result->skipped = "there is no atomic of this operator on this type";
        return;
    }
    if (p->device->measures) {
        measure_begin(&m, MEASURE_ALL | MEASURE_PACE);
        r.measurement = &m;
        run_once(&r, data);
        measure_end(&m);
        take_measurement(&r, &m);
        measure_free(&m);
        return;
    }
    double times[TIMED];
    run_once(&r, data); /* the first one warms up */
    for (unsigned k = 0; k < TIMED && !result->message[0]; k++) run_once(&r, data), times[k] = r.nanoseconds / 1000;
    if (result->message[0]) return;
    qsort(times, TIMED, sizeof *times, by_size);
    result->measured_us = times[TIMED / 2];
}
