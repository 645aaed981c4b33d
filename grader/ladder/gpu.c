/* Rows on a device, each by its plan of launches. Where time is measured, a run begins with caches full of other data,
 * and while the device still reads those, so that the host's part of a launch does not count. */
#include "judge/compile.h"
#include "judge/judge.h"
#include "ladder/ladder.h"
#include "model/model.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STOP = 64,             /* PLAN_STOP: values a block leaves */
    TIMED = 16,            /* repetitions on a device that measures time, behind one that warms up, */
    LONG_ENOUGH = 1000000, /* or fewer, where they come to so many microseconds */
    MOST_LEVELS = 32,
    OTHER_BYTES = 256 << 20, /* read between runs: more than any cache holds */
    READ_BYTES = 1 << 30,    /* read to see how fast that goes */
    READ_THREADS = 512,
    WHOLE_N = 1 << 22 /* beyond, the simulator counts and models, and looks for no findings */
};

struct runner {
    const struct ladder_program *program;
    const struct ladder_row *row;
    uint32_t n, blocks; /* blocks: of a plan that takes any number */
    size_t size;        /* of an element */
    char symbol[256];
    struct device_session *session, *reader; /* reader: of the kernel that reads, on a device that times */
    struct device_error error;
    struct measurement *measurement; /* NULL: not measured */
    uint64_t other, unused;          /* on a device that times: what fills the caches; a word */
    bool running;                    /* the clock */
    uint32_t runs;
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

/* ---- the clock --------------------------------------------------------------------------------------------------- */
static bool open_reader(struct runner *r) {
    const struct ladder_program *p = r->program->reads;
    return !failed(r, p->device->open(p->module, &(struct device_options){.seed = 0}, &r->reader, &r->error));
}
static bool read_all(struct runner *r, uint64_t at, uint64_t bytes) {
    char symbol[256];
    const uint32_t vectors = (uint32_t)(bytes / 16);
    const struct device_launch l = {.kernel = symbol,
                                    .grid = r->program->gpu->sms * r->program->gpu->max_threads / READ_THREADS,
                                    .block = READ_THREADS,
                                    .params = (const void *const[]){&at, &r->unused, &vectors},
                                    .param_count = 3,
                                    .queued = true};
    return compiled_symbol(r->program->reads->ptx, r->program->reads->v, "read_all", symbol, sizeof symbol) &&
           !failed(r, r->program->device->launch(r->reader, &l, NULL, &r->error));
}
/* None to seven launches that read nothing. A plan of several launches takes 0.7 us longer in two of every four places
 * of the driver's ring of commands (seen on an H200, whatever the kernels): runs must not all begin in the same. */
static bool out_of_step(struct runner *r) {
    for (uint32_t k = r->runs++ * 2654435761u >> 29; k; k--)
        if (!read_all(r, r->other, 0)) return false;
    return true;
}
static bool start_clock(struct runner *r) {
    if (!r->program->device->times || r->running) return true;
    r->running = !failed(r, r->program->device->reset(r->session, &r->error)) && out_of_step(r) &&
                 read_all(r, r->other, OTHER_BYTES) && !failed(r, r->program->device->start(r->session, &r->error));
    return r->running;
}
static bool stop_clock(struct runner *r) {
    if (!r->running) return !r->result->message[0];
    r->running = false;
    return !failed(r, r->program->device->stop(r->session, &r->nanoseconds, &r->error));
}
double ladder_device_bandwidth(const struct ladder_program *p) {
    struct ladder_result result = {.skipped = NULL};
    struct runner r = {.program = p, .result = &result, .size = 1};
    const struct device *d = p->device;
    double best = 0;
    if (!open_reader(&r)) return 0;
    r.session = r.reader;
    r.other = buffer(&r, "other", READ_BYTES), r.unused = buffer(&r, "unused", 4);
    for (unsigned k = 0; k <= TIMED && !result.message[0]; k++) {
        if (!start_clock(&r) || !read_all(&r, r.other, READ_BYTES) || !stop_clock(&r)) break;
        if (READ_BYTES * 1e9 > best * r.nanoseconds) best = READ_BYTES * 1e9 / r.nanoseconds;
    }
    d->close(r.session);
    return best;
}

/* ---- a launch ---------------------------------------------------------------------------------------------------- */
static bool launch(struct runner *r, uint32_t blocks, const void *const *params, unsigned count) {
    const struct ladder_row *row = r->row;
    const struct device_launch l = {
        .kernel = r->symbol,
        .grid = blocks,
        .block = row->threads,
        .dynamic_shared = (row->shared_values * row->threads + row->shared_warp_values * ((row->threads + 31) / 32)) *
                          (uint32_t)r->size,
        .params = params,
        .param_count = count,
        .queued = r->program->device->times,
        .measurement = r->measurement};
    if (r->result->message[0] || !start_clock(r) ||
        failed(r, r->program->device->launch(r->session, &l, NULL, &r->error)))
        return false;
    if (!r->result->launches++) r->result->blocks = blocks;
    return true;
}
static bool total_at(struct runner *r, uint64_t at) {
    return stop_clock(r) && !failed(r, r->program->device->read(r->session, at, &r->result->total, r->size, &r->error));
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
/* Until one block is left, each time on what the blocks before left; `stop`: that many values each (PLAN_STOP), or 0.
 */
static void again(struct runner *r, uint64_t in, uint32_t stop) {
    uint64_t out[MOST_LEVELS];
    unsigned levels = 0;
    for (uint32_t left = r->n, blocks = 0; blocks != 1 && levels < MOST_LEVELS; left = blocks * (stop ? stop : 1))
        blocks = blocks_for(r, left), out[levels++] = buffer(r, "partial", (uint64_t)blocks * (stop ? stop : 1));
    for (uint32_t level = 0, left = r->n; level < levels; level++) {
        const uint32_t blocks = blocks_for(r, left), values = stop && blocks > 1 ? stop : 1;
        if (!launch(r, blocks, (const void *const[]){&in, &out[level], &left, &values}, stop ? 4 : 3)) return;
        left = blocks * values, in = out[level];
    }
    total_at(r, in);
}
static void host_ends(struct runner *r, uint64_t in, uint32_t blocks) {
    const uint64_t out = buffer(r, "partial", blocks);
    void *partials = calloc(blocks, r->size);
    if (launch(r, blocks, (const void *const[]){&in, &out, &r->n}, 3) && stop_clock(r) && partials &&
        !failed(r, r->program->device->read(r->session, out, partials, blocks * r->size, &r->error)))
        r->result->total = ladder_serial(r->program->v, partials, blocks);
    free(partials);
}
static void two_stages(struct runner *r, uint64_t in) {
    const uint64_t partial = buffer(r, "partial", r->blocks), out = buffer(r, "out", 1);
    if (launch(r, r->blocks, (const void *const[]){&in, &partial, &r->n}, 3) &&
        launch(r, 1, (const void *const[]){&partial, &out, &r->blocks}, 3))
        total_at(r, out);
}
static void by_atomics(struct runner *r, uint64_t in) {
    const union value identity = reference_identity(r->program->v);
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
    case PLAN_AGAIN_IN_PLACE: again(r, in, 0); break;
    case PLAN_STOP: again(r, in, STOP); break;
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
static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
/* The mean of the middle half: several launches come in two lengths (out_of_step), and a median would be either. */
static double middle_mean(double *times, unsigned count) {
    const unsigned out = count / 4;
    double sum = 0;
    qsort(times, count, sizeof *times, by_size);
    for (unsigned k = out; k < count - out; k++) sum += times[k];
    return sum / (count - 2 * out);
}
static void write_input(struct runner *r, uint64_t in, const void *data) {
    failed(r, r->program->device->write(r->session, in, data, r->n * r->size, &r->error));
}
static void time_runs(struct runner *r, uint64_t in, const void *data) {
    double times[TIMED], sum = 0;
    unsigned count = 0;
    r->other = buffer(r, "other", OTHER_BYTES / r->size), r->unused = buffer(r, "unused", 1);
    write_input(r, in, data);
    if (!r->result->message[0]) follow_plan(r, in); /* warms up */
    while (count < TIMED && sum < LONG_ENOUGH && !r->result->message[0]) {
        if (in_place(r->row->plan)) write_input(r, in, data);
        r->result->launches = 0;
        if (!r->result->message[0]) follow_plan(r, in);
        sum += times[count++] = r->nanoseconds / 1000;
    }
    if (!r->result->message[0]) r->result->measured_us = middle_mean(times, count);
}
/* In a session of its own: memory and the module's variables are new. */
static void run_row(struct runner *r, const void *data) {
    const struct device *d = r->program->device;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const struct device_options options = {.seed = r->program->seed,
                                           .shuffle = true,
                                           .budget = UINT64_C(1) << 33,
                                           .cores = cores < 1 ? 1 : (unsigned)cores};
    uint64_t in = 0;
    if (failed(r, d->open(r->program->module, &options, &r->session, &r->error))) return;
    if (d->times && !open_reader(r)) return d->close(r->session);
    if (!failed(r, d->alloc(r->session, "in", (r->n ? r->n : 1) * r->size,
                            SIM_INITIALISED | (in_place(r->row->plan) ? 0 : SIM_READ_ONLY), &in, &r->error))) {
        if (d->times)
            time_runs(r, in, data);
        else {
            write_input(r, in, data);
            if (!r->result->message[0]) follow_plan(r, in);
        }
    }
    if (r->reader) d->close(r->reader);
    d->close(r->session);
}
static void take_measurement(struct runner *r, struct measurement *m) {
    struct ladder_result *to = r->result;
    const struct counts *c = counts_of(m);
    to->steps_seen = m->what & MEASURE_STEPS;
    for (unsigned k = 0; k < steps_of(m)->count; k++) {
        to->tree_steps += steps_of(m)->item[k].kind == STEP_TREE;
        to->divergent_steps += steps_of(m)->item[k].kind == STEP_TREE && steps_of(m)->item[k].divergent;
    }
    to->sectors = sectors_of(m)->global_sectors;
    to->simd_efficiency =
        c->warp_instructions ? (double)c->lane_instructions / (32.0 * (double)c->warp_instructions) : 0;
    to->modelled_us = modeled_cycles(pace_of(m), measured_gpu(m)) / measured_gpu(m)->clock_mhz;
    to->findings = m->findings.count;
}
void ladder_gpu(const struct ladder_program *p, const struct ladder_row *row, const void *data, uint32_t n,
                uint32_t blocks, struct ladder_result *result) {
    struct measurement m;
    struct runner r = {.program = p,
                       .row = row,
                       .n = n,
                       .blocks = blocks ? blocks : row->waves * p->gpu->sms,
                       .size = variant_size(p->v),
                       .result = result};
    if (!compiled_symbol(p->ptx, p->v, row->kernel, r.symbol, sizeof r.symbol)) {
        result->skipped = "there is no atomic of this operator on this type";
        return;
    }
    if (!p->device->measures) {
        run_row(&r, data);
        return;
    }
    measure_begin(&m, (n > WHOLE_N ? MEASURE_COUNTS : MEASURE_ALL) | measure_pace_on(p->gpu));
    r.measurement = &m;
    run_row(&r, data);
    measure_end(&m);
    take_measurement(&r, &m);
    measure_free(&m);
}
