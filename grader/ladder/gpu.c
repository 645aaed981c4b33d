/* Runs rows on a device, with plans like those of a lab's cases. A timed run starts with cold caches, because the
 * device reads other data first. The run is queued while the device still reads these data, so the launch overhead of
 * the host is hidden. */
#include "base/array.h"
#include "base/cores.h"
#include "judge/case_plan.h"
#include "ladder/ladder.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TIMED = 16,              /* maximum number of timed runs, after one warm-up */
    LONG_ENOUGH = 1,         /* time in seconds after which no further timed runs start */
    OTHER_BYTES = 256 << 20, /* bytes read between runs, more than any cache holds */
    READ_BYTES = 1 << 30,    /* bytes read to measure the bandwidth */
    READ_THREADS = 512,
    WHOLE_N = 1 << 22 /* maximum number of elements for which the simulator checks for errors in addition to counting */
};
enum { ROW, READER }; /* modules of a run: the row's, and that of read_all */

struct runner {
    const struct ladder_program *program;
    const struct ladder_row *row;
    struct grade_case c; /* case that runs the row's kernel on all elements */
    size_t size;         /* bytes per element */
    char symbol[256], reader[256];
    struct plan plan;
    unsigned in, space, total, other, unused; /* buffers, which exist only on a device that measures times */
    struct ladder_result *result;
};
static bool fails(struct runner *r, const char *message) {
    snprintf(r->result->message, sizeof r->result->message, "%.390s", message);
    return false;
}
/* Runs the plan. *outputs receives the results of its reads; free() it. */
static bool run_plan(struct runner *r, const void *data, struct measurement *m, double *nanoseconds, unsigned *times,
                     char **outputs) {
    const struct ladder_program *p = r->program;
    struct device_run run = {.plan = &r->plan,
                             .module = {p->module, p->device->times ? p->reads->module : NULL},
                             .options = {.seed = p->seed,
                                         .shuffle = true,
                                         .budget = UINT64_C(1) << 33,
                                         .cooperative = r->row && r->row->how.cooperative,
                                         .graph = r->row && r->row->how.graph,
                                         .cores = cores_allowed()},
                             .inputs = &data,
                             .what = (r->c.n > WHOLE_N ? MEASURE_COUNTS : MEASURE_ALL) | measure_block_time_on(p->gpu),
                             .measured = m,
                             .nanoseconds = nanoseconds,
                             .seconds = LONG_ENOUGH};
    *outputs = r->plan.failed ? NULL : calloc(1, plan_read_at(&r->plan, r->plan.reads) + 1);
    if (!*outputs) return fails(r, "out of memory");
    run.outputs = *outputs;
    p->device->run(&run, 1);
    *times = run.times;
    return run.status == DEVICE_OK || fails(r, run.error.message);
}

/* ---- the clock --------------------------------------------------------------------------------------------------- */
static unsigned add_buffer(struct runner *r, const char *name, uint64_t bytes) {
    struct plan_buffer b = {.element = (uint32_t)r->size, .length = bytes / r->size};
    snprintf(b.name, sizeof b.name, "%s", name);
    return plan_add_buffer(&r->plan, b);
}
static bool find_reader(struct runner *r) {
    const struct ladder_program *reads = r->program->reads;
    return compiled_symbol(reads->ptx, reads->v, "read_all", r->reader, sizeof r->reader) ||
           fails(r, "the kernel read_all is missing");
}
static void read_all(struct runner *r, uint64_t bytes, enum plan_mode mode, uint64_t refill) {
    plan_add_launch(&r->plan, READER, r->reader, r->program->gpu->sms * r->program->gpu->max_threads / READ_THREADS,
                    READ_THREADS);
    plan_pass_address(&r->plan, r->other, 0), plan_pass_address(&r->plan, r->unused, 0);
    plan_pass_u32(&r->plan, (uint32_t)(bytes / 16));
    if (plan_last(&r->plan)) plan_last(&r->plan)->mode = mode, plan_last(&r->plan)->refill = refill;
}
/* Before timed run k, queues zero to seven launches that read nothing, and then a launch that fills the caches. On an
 * H200, a plan of several launches takes 0.7 us longer at two of every four positions in the driver's command ring,
 * regardless of the kernel. Therefore the runs must start at different positions. `refill` is the set of buffers to
 * reset to their initial contents. */
static void flush(struct runner *r, uint32_t k, uint64_t refill) {
    for (uint32_t more = k * 2654435761u >> 29; more; more--, refill = 0) read_all(r, 0, PLAN_QUEUED, refill);
    read_all(r, OTHER_BYTES, PLAN_QUEUED, refill);
}
double ladder_device_bandwidth(const struct ladder_program *p) {
    struct ladder_result result = {.skipped = NULL};
    struct runner r = {.program = p, .result = &result, .size = 1};
    double nanoseconds[TIMED + 1], best = 0;
    unsigned times = 0;
    char *outputs = NULL;
    if (!find_reader(&r)) return 0;
    r.other = add_buffer(&r, "other", READ_BYTES), r.unused = add_buffer(&r, "unused", 4);
    for (uint32_t k = 0; k <= TIMED; k++) flush(&r, k, 0), read_all(&r, READ_BYTES, PLAN_TIMED, 0);
    run_plan(&r, NULL, NULL, nanoseconds, &times, &outputs);
    for (unsigned k = 0; k < times; k++)
        if (READ_BYTES * 1e9 > best * nanoseconds[k]) best = READ_BYTES * 1e9 / nanoseconds[k];
    free(outputs);
    plan_free(&r.plan);
    return best;
}
/* Returns the interquartile mean. Times of several launches are bimodal (see flush()), and a median would select one
 * of the modes. */
static double middle_mean(double *times, unsigned count) {
    const unsigned out = count / 4;
    double sum = 0;
    qsort(times, count, sizeof *times, array_by_double);
    for (unsigned k = out; k < count - out; k++) sum += times[k];
    return sum / (count - 2 * out);
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */
static void take_total(struct runner *r, const char *outputs) {
    const uint64_t results = plan_read_results(&r->plan, 0);
    r->result->total =
        results == 1 ? reference_load(r->program->v, outputs, 0) : ladder_serial(r->program->v, outputs, results);
}
static void say_launches(struct runner *r, unsigned first, unsigned count) {
    r->result->launches = count;
    if (!r->plan.failed && count) r->result->blocks = r->plan.launch[first].grid[0];
}
/* Plans a warm-up run and the timed runs, which all use the same memory. */
static void plan_timed_runs(struct runner *r) {
    const union value identity = reference_identity(r->program->v);
    struct plan *p = &r->plan;
    r->in = plan_add_buffer(p, (struct plan_buffer){.name = "in",
                                                    .element = case_input_size(&r->c),
                                                    .halves = r->c.kernel->halves,
                                                    .length = r->c.n,
                                                    .fill = PLAN_INPUT,
                                                    .read_only = !r->c.kernel->in_place});
    r->space = add_buffer(r, "out", case_space(&r->c)), r->total = add_buffer(r, "out", r->size);
    r->other = add_buffer(r, "other", OTHER_BYTES), r->unused = add_buffer(r, "unused", r->size);
    if (p->failed) return;
    p->buffer[r->total].fill = PLAN_REPEAT;
    memcpy(p->buffer[r->total].value, &identity, r->size);
    const uint64_t refill = UINT64_C(1) << r->total | (uint64_t)r->c.kernel->in_place << r->in;
    for (uint32_t k = 0; k <= TIMED; k++) {
        flush(r, k, refill);
        const unsigned first = p->launches;
        plan_add_case(p, &(struct case_launches){.c = &r->c,
                                                 .symbols = (const char *const[]){r->symbol},
                                                 .module = ROW,
                                                 .in = {r->in, 0},
                                                 .space = {r->space, 0},
                                                 .total = r->total,
                                                 .repeats = 1,
                                                 .mode = PLAN_TIMED});
        say_launches(r, first, p->launches - first);
    }
}
static void time_row(struct runner *r, const void *data) {
    double nanoseconds[TIMED + 1];
    unsigned times = 0;
    char *outputs = NULL;
    if (!find_reader(r)) return;
    plan_timed_runs(r);
    if (run_plan(r, data, NULL, nanoseconds, &times, &outputs)) {
        take_total(r, outputs);
        const unsigned warm = times > 1; /* a single long run has no warm-up */
        r->result->measured_us = middle_mean(nanoseconds + warm, times - warm) / 1000;
    }
    free(outputs);
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
    const struct gpu *gpu = measured_gpu(m);
    to->modeled_us =
        (r->row->how.graph ? modeled_graph_cycles : modeled_cycles)(block_time_of(m), gpu) / gpu->clock_mhz;
    to->findings = m->findings.count;
}
static void measure_row(struct runner *r, const void *data) {
    struct measurement m = {0};
    unsigned times = 0;
    char *outputs = NULL;
    plan_of_case(&r->plan, &r->c, (const char *const[]){r->symbol}, 1);
    say_launches(r, 0, r->plan.launches);
    if (run_plan(r, data, &m, NULL, &times, &outputs)) take_total(r, outputs);
    take_measurement(r, &m);
    measure_free(&m);
    free(outputs);
}
/* Chooses the number of blocks of a grid-stride kernel. A kernel with clusters or a grid barrier gets whole clusters,
 * and no more blocks than can be resident at once. An H200 holds 124 clusters of 8 blocks of 256 threads; with 125, it
 * took 1.8 times as long for 2^28 elements. */
static bool choose_grid(struct runner *r) {
    const struct ladder_program *p = r->program;
    const struct ladder_row *row = r->row;
    const uint32_t cluster = row->kernel.cluster, shared = case_shared_bytes(&r->c);
    const struct device_shape shape = {r->symbol, row->threads, shared, cluster};
    struct device_error e = {""};
    uint32_t most = gpu_resident(p->gpu, row->threads, shared, cluster);
    r->c.grid = row->waves * p->gpu->sms;
    if (!cluster && !row->how.cooperative) return true;
    if (p->device->resident && p->device->resident(p->module, &shape, &most, &e) != DEVICE_OK)
        return fails(r, e.message);
    if (!most) return fails(r, "not even one cluster fits");
    if (r->c.grid > most) r->c.grid = most;
    if (cluster) r->c.grid -= r->c.grid % cluster;
    return true;
}
void ladder_gpu(const struct ladder_program *p, const struct ladder_row *row, const void *data, uint32_t n,
                uint32_t blocks, struct ladder_result *result) {
    uint32_t *words = row->how.format >= LADDER_F16 ? ladder_pairs(row->how.format, data, n) : NULL;
    struct runner r = {.program = p,
                       .row = row,
                       .c = {.kernel = &row->kernel,
                             .variant = p->v,
                             .n = words ? (n + 1) / 2 : n,
                             .block = row->threads,
                             .grid = blocks},
                       .size = variant_size(p->v),
                       .result = result};
    if (!compiled_symbol(p->ptx, p->v, row->kernel.name, r.symbol, sizeof r.symbol)) {
        result->skipped = row->how.only ? row->how.only : "the hardware has no atomic for this operator and type";
    } else if (row->how.format >= LADDER_F16 && !words) {
        fails(&r, "out of memory");
    } else if (!blocks && !choose_grid(&r)) {
        result->blocks = 0;
    } else if (p->device->times) {
        time_row(&r, words ? words : data);
    } else {
        measure_row(&r, words ? words : data);
    }
    plan_free(&r.plan);
    free(words);
}
