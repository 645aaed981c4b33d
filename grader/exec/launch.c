/* Launches. An invalid launch is rejected as on a GPU, and reported. A valid launch runs with the probes that --checks
 * selects and, unless checks are off, with a listener that records which memory it accesses. */
#include "base/array.h"
#include "base/clock.h"
#include "base/reserve.h"
#include "exec/serve.h"
#include "model/gpus/gpu.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_LISTENERS = 2 * PROBE_COUNT + 1,
    MAX_GRID_YZ = 65535,
    PORTABLE_CLUSTER = 8 /* blocks */
};
volatile int exec_interrupted;

/* ---- accessed memory ------------------------------------------------------------------------- */
struct touch {
    uint64_t address;
    /* The ranges of offsets that were read, written, and updated by atomics: 1 + the first offset, and the end. Both
     * are 0 if there were no such accesses. */
    _Atomic uint64_t begin[3], end[3];
    uint8_t *cells; /* EXEC_READS and other bits of each cell; NULL if the ranges suffice */
    uint64_t cell_count;
};
struct running {
    struct exec_session *session;
    struct exec_launched *kernel;
    pthread_mutex_t lock;
    struct touch *touch; /* one per object */
    uint32_t *place;     /* indexed by object id: 1 + index in `touch` */
    unsigned count, ids;
    bool listed;
    _Atomic uint64_t ended;
    uint64_t blocks;
    bool overlaps;   /* whether the launch may start before the previous one has ended */
    uint8_t *waited; /* indexed by block: whether a thread has waited for the end of the previous launch */
    bool stopped, endless;
    int error; /* error with which a GPU ends the launch, or ERROR_NONE */
    struct measurement *measured[2];
    struct sim_parts parts[2];
    unsigned measurements;
    struct sim_listener all[MAX_LISTENERS], own;
    struct exec_reply *reply;
    double began;
    pthread_t watcher;
    _Atomic bool over;
};
static void list_objects(struct running *r, const struct sim_launch_info *l) {
    unsigned most = 0;
    for (unsigned k = 0; k < l->object_count; k++)
        if (l->objects[k]->id > most) most = l->objects[k]->id;
    r->touch = calloc(l->object_count + 1, sizeof *r->touch);
    r->place = calloc(most + 1, sizeof *r->place);
    r->listed = true;
    if (!r->touch || !r->place) return;
    r->ids = most + 1, r->count = l->object_count;
    for (unsigned k = 0; k < l->object_count; k++) {
        const struct sim_object *o = l->objects[k];
        const bool shared = o->address >= EXEC_SHARED_BASE && o->address < EXEC_SHARED_END;
        r->touch[k].address = o->address, r->touch[k].cell_count = o->size / EXEC_CELL + 1;
        if (o->space == PTX_GLOBAL && (shared || r->overlaps || exec_several_streams(r->session)))
            r->touch[k].cells = reserve(r->touch[k].cell_count);
        r->place[l->objects[k]->id] = k + 1;
    }
}
static void touched_begin(void *self, const struct sim_launch_info *l) {
    struct running *r = self;
    pthread_mutex_lock(&r->lock);
    if (!r->listed) list_objects(r, l);
    pthread_mutex_unlock(&r->lock);
}
static void widen(struct touch *t, unsigned writes, uint64_t begin, uint64_t end) {
    uint64_t had = atomic_load_explicit(&t->end[writes], memory_order_relaxed);
    if (!had) /* first access, for which `begin` is 0 */
        atomic_compare_exchange_strong(&t->begin[writes], &(uint64_t){0}, begin + 1);
    while (end > had && !atomic_compare_exchange_weak(&t->end[writes], &had, end)) continue;
    uint64_t low = atomic_load_explicit(&t->begin[writes], memory_order_relaxed);
    while (begin + 1 < low && !atomic_compare_exchange_weak(&t->begin[writes], &low, begin + 1)) continue;
}
static void mark_cells(struct touch *t, const struct sim_access *e, unsigned how) {
    for (uint32_t rest = e->mask; rest; rest &= rest - 1) {
        const uint64_t at = e->offset[__builtin_ctz(rest)];
        for (uint64_t c = at / EXEC_CELL; c <= (at + e->bytes - 1) / EXEC_CELL; c++)
            if (!(t->cells[c] & how)) t->cells[c] |= (uint8_t)how;
    }
}
static void touched_access(void *self, const struct sim_access *e) {
    struct running *r = self;
    const struct sim_object *o = e->object;
    if ((o->kind != SIM_BUFFER && o->kind != SIM_VARIABLE) || o->space != PTX_GLOBAL || o->id >= r->ids) return;
    struct touch *t = &r->touch[r->place[o->id] - 1];
    const unsigned low = (unsigned)__builtin_ctz(e->mask), high = 31 - (unsigned)__builtin_clz(e->mask);
    uint64_t begin = e->offset[low], end = e->offset[high] + e->bytes;
    for (unsigned l = low; !e->contiguous && l <= high; l++) {
        if (!(e->mask >> l & 1)) continue;
        if (e->offset[l] < begin) begin = e->offset[l];
        if (e->offset[l] + e->bytes > end) end = e->offset[l] + e->bytes;
    }
    const unsigned writes = e->kind == SIM_LOAD ? 0 : e->kind == SIM_STORE ? 1 : 2;
    const bool early = r->overlaps && r->waited && !r->waited[e->where->block] && !e->where->launch->number;
    if (t->cells) mark_cells(t, e, (1u << writes) * (early ? 1 + (1 << EXEC_EARLY) : 1));
    const uint64_t had = atomic_load_explicit(&t->end[writes], memory_order_relaxed),
                   from = atomic_load_explicit(&t->begin[writes], memory_order_relaxed);
    if (!had || end > had || begin + 1 < from) widen(t, writes, begin, end);
}
static void waited(void *self, const struct sim_fence *e) {
    struct running *r = self;
    if (r->waited && !e->where->launch->number) r->waited[e->where->block] = true;
}
static void ended_block(void *self, const struct sim_block_event *e) {
    struct running *r = self;
    (void)e;
    atomic_fetch_add_explicit(&r->ended, 1, memory_order_relaxed);
}
/* Returns the error with which a GPU ends the launch, or ERROR_NONE if the GPU may not detect the fault. Observed on an
 * H100. */
static int error_of(const struct sim_fault *e) {
    switch (e->kind) {
    case SIM_FAULT_NULL: return ERROR_ADDRESS;
    case SIM_FAULT_BOUNDS: return e->object ? ERROR_NONE : ERROR_ADDRESS;
    case SIM_FAULT_MISALIGNED: return ERROR_MISALIGNED;
    case SIM_FAULT_CALL: return ERROR_PC;
    case SIM_FAULT_BUDGET:
    case SIM_FAULT_DEADLOCK: return ERROR_TIMEOUT;
    /* The text of an assertion is its condition. */
    case SIM_FAULT_TRAP: return e->text && strcmp(e->text, "trap") != 0 ? ERROR_ASSERT : ERROR_LAUNCH;
    case SIM_FAULT_HEAP: return ERROR_LAUNCH;
    default: return e->fatal ? ERROR_LAUNCH : ERROR_NONE;
    }
}
static void faulted(void *self, const struct sim_fault *e) {
    struct running *r = self;
    const int error = error_of(e);
    if (error) r->error = error;
    if (e->fatal) r->stopped = true, r->endless = e->kind == SIM_FAULT_BUDGET;
}
static const struct sim_probe listener = {.name = "exec",
                                          .launch_begin = touched_begin,
                                          .access = touched_access,
                                          .grid_wait = waited,
                                          .block_end = ended_block,
                                          .fault = faulted};
static const struct sim_probe quiet_listener = {.name = "exec", .block_end = ended_block, .fault = faulted};

/* ---- measuring, whole or in parts ------------------------------------------------------------- */
unsigned exec_measured(enum exec_checks checks) {
    switch (checks) {
    case EXEC_CHECKS_NONE: return MEASURE_FAULTS;
    case EXEC_CHECKS_FAST: return MEASURE_MEMORY | MEASURE_BARRIERS;
    default: return MEASURE_MEMORY | MEASURE_BARRIERS | MEASURE_RACES | MEASURE_COUNTS;
    }
}
static bool parts_begin(void *context, unsigned parts) {
    struct running *r = context;
    bool good = true;
    for (unsigned k = 0; k < r->measurements; k++) good &= r->parts[k].begin(r->parts[k].context, parts);
    return good;
}
static void parts_listeners(void *context, unsigned part, const struct sim_listener **listeners, unsigned *count) {
    struct running *r = context;
    unsigned n = 0;
    r->all[n++] = r->own;
    for (unsigned k = 0; k < r->measurements; k++) {
        const struct sim_listener *some;
        unsigned more;
        r->parts[k].listeners(r->parts[k].context, part, &some, &more);
        for (unsigned m = 0; m < more && n < MAX_LISTENERS; m++) r->all[n++] = some[m];
    }
    *listeners = r->all, *count = n;
}
static void parts_end(void *context, bool keep) {
    struct running *r = context;
    for (unsigned k = 0; k < r->measurements; k++) r->parts[k].end(r->parts[k].context, keep);
    if (!keep) r->stopped = false, r->error = ERROR_NONE, atomic_store(&r->ended, 0);
}
static void measure(struct running *r, struct measurement *m) {
    r->measured[r->measurements] = m;
    r->parts[r->measurements++] = measure_parts(m);
}

/* ---- progress --------------------------------------------------------------------------------- */
/* Shows the progress of a launch on a terminal, starting after two seconds. */
static void *watch(void *context) {
    struct running *r = context;
    char plain[128];
    finding_source_name(r->kernel->function->name, plain, sizeof plain);
    for (bool shown = false;; usleep(200000)) {
        const double since = clock_seconds() - r->began;
        if (atomic_load(&r->over)) {
            if (shown) fputs("\r\033[K", stderr);
            return NULL;
        }
        if (since < 2) continue;
        const uint64_t ended = atomic_load(&r->ended);
        fprintf(stderr, "\r\033[Kgrade exec: launch %" PRIu64 ", %s: %" PRIu64 " of %" PRIu64 " blocks, %.0f s",
                r->session->launches, plain, ended < r->blocks ? ended : r->blocks, r->blocks, since);
        fflush(stderr);
        shown = true;
    }
}

/* ---- launches that a GPU rejects --------------------------------------------------------------- */
#define REFUSE(error, ...) return exec_add_finding(s, HOST_LAUNCH, NULL, __VA_ARGS__), error
static int check_shape(struct exec_session *s, const struct exec_launch *l, const struct exec_launched *k,
                       const char *name) {
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    const int wrong_shape = s->version >= 13000 ? ERROR_VALUE : ERROR_CONFIGURATION; /* depends on the runtime */
    for (unsigned d = 0; d < 3; d++) {
        if (!l->grid[d] || !l->block[d])
            REFUSE(wrong_shape,
                   "`%s` is launched with a grid of %ux%ux%u blocks of %ux%ux%u threads: each number must be at least "
                   "1. If there are no elements, do not launch the kernel.",
                   name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2]);
        if (d && l->grid[d] > MAX_GRID_YZ)
            REFUSE(wrong_shape,
                   "`%s` is launched with %u blocks in %c: a grid may have at most 2147483647 in x, and %d in y and z.",
                   name, l->grid[d], "xyz"[d], MAX_GRID_YZ);
    }
    if (threads > SIM_MAX_THREADS || l->block[2] > 64)
        REFUSE(wrong_shape,
               "`%s` is launched with blocks of %ux%ux%u threads: a block has at most 1024 in total, and 64 in z.",
               name, l->block[0], l->block[1], l->block[2]);
    if (k->function->max_threads && threads > k->function->max_threads)
        REFUSE(ERROR_VALUE,
               "`%s` is launched with blocks of %" PRIu64 " threads, but its __launch_bounds__ allow at most %u.", name,
               threads, k->function->max_threads);
    if (l->shared > k->most_dynamic)
        REFUSE(ERROR_VALUE,
               "`%s` is launched with %" PRIu64 " bytes of dynamic shared memory, but may have at most %" PRIu64
               ". For more than 48 KiB, call cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, "
               "bytes) first.",
               name, l->shared, k->most_dynamic, name);
    const uint32_t *compiled = k->function->cluster, *given = l->cluster[0] ? l->cluster : compiled;
    const uint64_t cluster = (uint64_t)given[0] * given[1] * given[2];
    if (cluster > PORTABLE_CLUSTER && !k->large_clusters)
        REFUSE(ERROR_CLUSTER,
               "`%s` is launched with clusters of %" PRIu64 " blocks. For more than 8, call cudaFuncSetAttribute(%s, "
               "cudaFuncAttributeNonPortableClusterSizeAllowed, 1) first.",
               name, cluster, name);
    if (!exec_stream_known(s, l->stream)) {
        exec_add_finding(s, HOST_HANDLE, NULL,
                         "`%s` is launched into a stream that was never created, or was destroyed.", name);
        return ERROR_HANDLE;
    }
    return ERROR_NONE;
}
#undef REFUSE
/* Reports parameters that point to freed device memory. Checks the 8 bytes at each multiple of 8 of a parameter, so it
 * also finds pointers in structs. `params` holds the parameters without padding. */
static void check_pointers(struct exec_session *s, const struct ptx_function *f, const uint8_t *params,
                           const char *name) {
    char at[320];
    for (unsigned p = 0; p < f->param_count; params += f->params[p++]->size)
        for (size_t k = 0; k + 8 <= f->params[p]->size; k += 8) {
            uint64_t value;
            memcpy(&value, params + k, sizeof value);
            const struct exec_object *o = value >= EXEC_DEVICE_BASE ? exec_find(s, value) : NULL;
            if (o && !o->live && value < o->address + o->bytes)
                exec_add_finding(s, HOST_FREED, NULL, "`%s` was passed `%s`, which was freed%s.", name, o->name,
                                 exec_at(&o->freed, at, sizeof at));
        }
}

/* ---- the launch --------------------------------------------------------------------------------- */
static void tell_where(struct exec_session *s, unsigned had, const char *name) {
    char at[320];
    for (unsigned k = had; k < s->found.findings.count; k++) {
        __typeof__(s->origins) all = array_room(s->origins, s->origin_count + 1, &s->origin_room, sizeof *all);
        if (!all) return;
        s->origins = all;
        s->origins[s->origin_count].finding = s->found.findings.item[k];
        snprintf(s->origins[s->origin_count++].where, sizeof s->origins->where, "`%.100s`, launch %" PRIu64 "%s", name,
                 s->launches, exec_at(exec_here(s), at, 160));
    }
}
static void note_touched(struct running *r, const struct exec_launch *l, const char *name, double nanoseconds) {
    struct exec_session *s = r->session;
    struct exec_access *all = calloc(3 * r->count + 1, sizeof *all);
    unsigned n = 0;
    char what[128];
    for (unsigned k = 0; all && k < r->count; k++)
        for (unsigned writes = 0; writes < 3; writes++) {
            struct touch *t = &r->touch[k];
            if (!t->end[writes]) continue;
            const bool owns = t->cells && (!n || all[n - 1].cells != t->cells);
            all[n++] = (struct exec_access){.begin = t->address + t->begin[writes] - 1,
                                            .end = t->address + t->end[writes],
                                            .how = 1u << writes,
                                            .cells = t->cells,
                                            .base = t->address,
                                            .cell_count = t->cell_count,
                                            .owns = owns};
            struct exec_object *o = writes ? exec_find(s, t->address) : NULL;
            if (o) o->written = true;
        }
    snprintf(what, sizeof what, "`%.120s`", name);
    for (unsigned k = 0; all && k < r->count; k++) {
        struct touch *t = &r->touch[k];
        const bool touched = t->end[0] || t->end[1] || t->end[2];
        if (!touched) reserve_free(t->cells, t->cell_count);
        t->cells = NULL;
    }
    if (all) exec_work(s, l->stream, what, all, n, nanoseconds, r->overlaps);
    free(all);
}
static int ended_with(struct running *r, enum sim_status status, const char *name, const char *message) {
    struct exec_session *s = r->session;
    if (status == SIM_DONE && !r->error) return ERROR_NONE;
    if (status == SIM_NO_MEMORY) {
        exec_add_finding(s, HOST_STOPPED, NULL, "`%s` was stopped: %s.", name, message);
        return s->sticky = ERROR_LAUNCH;
    }
    if (exec_interrupted) return s->sticky = ERROR_LAUNCH;
    s->sticky = r->error ? r->error : ERROR_LAUNCH;
    exec_add_finding(
        s, HOST_STOPPED, NULL,
        "`%s` %s stopped%s. As on a GPU, every later call returns %s. The findings in the kernel give the cause.", name,
        r->stopped ? "was" : "would be", r->endless ? ": it does not end, or does more work than --budget allows" : "",
        exec_error_name(s->sticky));
    return ERROR_NONE; /* launches are asynchronous, so the next call returns the error */
}
static void print(void *context, const char *text, size_t length) {
    struct running *r = *(struct running **)context;
    if (r) exec_reply_add(r->reply, text, length);
}
static struct running *current;
void exec_print(void *context, const char *text, size_t length) {
    (void)context;
    print(&current, text, length);
}
static int run(struct running *r, const struct exec_launch *l, const uint8_t *params, const char *name) {
    struct exec_session *s = r->session;
    const struct ptx_function *f = r->kernel->function;
    const void *pointer[EXEC_PARAMETERS];
    struct measurement timed;
    struct sim_error error = {""};
    struct sim_stats stats = {0};
    for (unsigned k = 0; k < f->param_count; params += f->params[k++]->size) pointer[k] = params;
    const unsigned had = s->found.findings.count;
    measure(r, &s->found);
    if (s->timed) measure_begin(&timed, measure_block_time_on(gpu_default)), measure(r, &timed);
    r->own = (struct sim_listener){s->options->checks == EXEC_CHECKS_NONE ? &quiet_listener : &listener, r};
    struct sim_listener all[MAX_LISTENERS] = {r->own};
    unsigned n = 1;
    for (unsigned k = 0; k < r->measurements; k++)
        for (unsigned m = 0; m < r->measured[k]->listener_count && n < MAX_LISTENERS; m++)
            all[n++] = r->measured[k]->listeners[m];
    bool no_atomics = false;
    for (unsigned k = 0; k < r->measurements; k++) no_atomics |= r->parts[k].no_atomics;
    const struct sim_parts parts = {r, parts_begin, parts_listeners, parts_end, no_atomics};
    const struct sim_launch launch = {.program = r->kernel->module->program,
                                      .kernel = f->name,
                                      .grid = {l->grid[0], l->grid[1], l->grid[2]},
                                      .block = {l->block[0], l->block[1], l->block[2]},
                                      .cluster = {l->cluster[0], l->cluster[1], l->cluster[2]},
                                      .dynamic_shared = (uint32_t)l->shared,
                                      .params = pointer,
                                      .param_count = f->param_count,
                                      .cooperative = l->cooperative,
                                      .listeners = all,
                                      .listener_count = n,
                                      .parts = &parts};
    current = r;
    const enum sim_status status = sim_launch(s->sim, &launch, &stats, &error);
    current = NULL;
    double nanoseconds = 0;
    if (s->timed) {
        measure_end(&timed);
        const double cycles =
            modeled_cycles(block_time_of(&timed), gpu_default) - (s->launches > 1 ? gpu_default->first_launch : 0);
        nanoseconds = cycles * 1000 / gpu_default->clock_mhz;
        measure_free(&timed);
        r->kernel->timed = true;
    }
    if (status == SIM_BAD_LAUNCH) {
        const bool code = strstr(error.message, "cannot run here") != NULL, size = strstr(error.message, "cluster");
        exec_add_finding(s, code ? HOST_NO_CODE : HOST_LAUNCH, NULL, "%s.", error.message);
        s->launches--;
        return code ? ERROR_IMAGE : size ? ERROR_CLUSTER : l->cooperative ? ERROR_COOPERATIVE : ERROR_VALUE;
    }
    r->kernel->launches++, r->kernel->warp_instructions += stats.warp_instructions;
    s->by_kernels += stats.launches - 1;
    r->kernel->nanoseconds += nanoseconds;
    tell_where(s, had, name);
    note_touched(r, l, name, nanoseconds);
    return ended_with(r, status, name, error.message);
}
int exec_launch(struct exec_session *s, const struct exec_launch *l, const uint8_t *params, size_t bytes,
                struct exec_reply *reply) {
    char name[128];
    struct exec_launched *k = l->kernel < s->kernels ? &s->kernel[l->kernel] : NULL;
    size_t needed = 0;
    if (!k) return ERROR_DEVICE_FUNCTION;
    for (unsigned p = 0; p < k->function->param_count; p++) needed += k->function->params[p]->size;
    if (bytes != needed) return ERROR_VALUE;
    finding_source_name(k->function->name, name, sizeof name);
    int error = check_shape(s, l, k, name);
    if (error) return error;
    check_pointers(s, k->function, params, name);
    struct running *r = calloc(1, sizeof *r);
    if (!r) return ERROR_MEMORY;
    r->session = s, r->kernel = k, r->reply = reply, r->began = clock_seconds();
    r->blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    r->overlaps = l->overlaps && (r->waited = calloc(r->blocks, 1));
    pthread_mutex_init(&r->lock, NULL);
    s->launches++;
    const bool watched = isatty(STDERR_FILENO) && !s->options->quiet && !pthread_create(&r->watcher, NULL, watch, r);
    error = run(r, l, params, name);
    atomic_store(&r->over, true);
    if (watched) pthread_join(r->watcher, NULL);
    exec_pending(s, reply, false);
    for (unsigned n = 0; n < r->count; n++) reserve_free(r->touch[n].cells, r->touch[n].cell_count);
    free(r->touch);
    free(r->place);
    free(r->waited);
    free(r);
    return error;
}
