/* A GPU that is accessed through the CUDA driver API. The driver library is opened on first use, in the process
 * that uses it, because CUDA does not survive a fork. The kit does not link with CUDA, so it starts on any machine.
 *
 * A module is compiled for the GPU once. Each run loads the compiled code again, which resets the module's
 * variables. Buffers lie between guard zones, which are checked after each synchronous launch and after each timed
 * group. If a launch does not finish within LAUNCH_SECONDS, it is abandoned, and the process can no longer use the GPU.
 * The launch ends when the process exits. */
#include "base/clock.h"
#include "device/cuda_driver.h"
#include "device/execute.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, LAUNCH_SECONDS = 10, LOG_BYTES = 2048 };

/* ---- the driver ------------------------------------------------------------------------------------------------ */
static struct driver the_driver; /* written once, by open_driver() */
static pthread_once_t driver_once = PTHREAD_ONCE_INIT;

static bool load_functions(struct driver *d, void *library) {
#define LOAD(name, symbol, ...)                                                                                        \
    *(void **)&d->name = dlsym(library, symbol);                                                                       \
    if (!d->name) return snprintf(d->message, sizeof d->message, "the NVIDIA driver is too old: no %s", symbol), false;
#define LOAD_IF_THERE(name, symbol, ...) *(void **)&d->name = dlsym(library, symbol);
    GRAPH_FUNCTIONS(LOAD_IF_THERE)
    FUNCTIONS(LOAD)
    return true;
}
static const char *words(const struct driver *d, result r) {
    const char *text = NULL;
    return d->error_string && d->error_string(r, &text) == SUCCESS && text ? text : "unknown error";
}
static void open_driver(void) {
    struct driver *d = &the_driver;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    d->status = DEVICE_ABSENT;
    snprintf(d->message, sizeof d->message,
             "there is no NVIDIA driver on this machine (libcuda.so.1); --device sim needs no driver");
    if (!library || !load_functions(d, library)) return;
    *(void **)&d->launch_extended = dlsym(library, "cuLaunchKernelEx");
    *(void **)&d->clusters = dlsym(library, "cuOccupancyMaxActiveClusters");
    result r = d->init(0);
    if (r == NO_DEVICE) {
        snprintf(d->message, sizeof d->message, "the NVIDIA driver finds no GPU on this machine");
        return;
    }
    d->status = DEVICE_SETUP;
    if (r == SUCCESS) r = d->device_get(&d->device, 0);
    if (r == SUCCESS) r = d->context_retain(&d->context, d->device);
    if (r == SUCCESS)
        d->status = DEVICE_OK;
    else
        snprintf(d->message, sizeof d->message, "cannot use the GPU: %s", words(d, r));
}
static enum device_status driver(struct driver **d, struct device_error *e) {
    pthread_once(&driver_once, open_driver);
    *d = &the_driver;
    if ((*d)->status == DEVICE_OK && !(*d)->lost && (*d)->context_set((*d)->context) == SUCCESS) return DEVICE_OK;
    snprintf(e->message, sizeof e->message, "%s",
             (*d)->status != DEVICE_OK ? (*d)->message : "the previous launch left the GPU unusable");
    return (*d)->status != DEVICE_OK ? (*d)->status : DEVICE_SUBMISSION;
}

/* ---- errors of kernels and of the setup -------------------------------------------------------------------------- */
static const struct {
    result code;
    const char *text;
} faults_of_kernels[] = {
    {700, "the kernel used an illegal address"},      {701, "a block of this size needs more registers than an SM has"},
    {702, "the kernel was stopped: it ran too long"}, {710, "an assertion of the kernel failed"},
    {714, "the kernel overflowed its stack"},         {715, "the kernel executed an illegal instruction"},
    {716, "the kernel used a misaligned address"},    {717, "the kernel used an address in the wrong space"},
    {718, "the kernel jumped to an illegal address"}, {719, "the kernel failed"},
};
static bool is_fault(result r) {
    for (size_t k = 0; k < sizeof faults_of_kernels / sizeof *faults_of_kernels; k++)
        if (faults_of_kernels[k].code == r && r != 701) return true;
    return false;
}
static enum device_status failed(struct driver *d, result r, const char *doing, struct device_error *e) {
    for (size_t k = 0; k < sizeof faults_of_kernels / sizeof *faults_of_kernels; k++)
        if (faults_of_kernels[k].code == r) {
            d->lost = r != 701;
            snprintf(e->message, sizeof e->message, "%s (%s)", faults_of_kernels[k].text, words(d, r));
            return DEVICE_SUBMISSION;
        }
    snprintf(e->message, sizeof e->message, "%s: %s", doing, words(d, r));
    return DEVICE_SETUP;
}
#define TRY(call, doing)                                                                                               \
    do {                                                                                                               \
        const result r_ = (call);                                                                                      \
        if (r_ != SUCCESS) return failed(d, r_, doing, e);                                                             \
    } while (0)

/* ---- modules --------------------------------------------------------------------------------------------------- */
struct device_module {
    char *ptx, *name;
    size_t length;
    pthread_mutex_t lock;
    void *code[4]; /* GPU code for each combination of options (form_of), which is compiled when a run first needs it */
};
/* Numbers the options that affect the compilation. */
static unsigned form_of(const struct device_options *o) { return (o->bare ? 1 : 0) + (o->not_optimized ? 2 : 0); }
static enum device_status cuda_present(struct device_error *e) {
    struct driver *d;
    return driver(&d, e);
}
static unsigned cuda_arch(void) {
    struct driver *d;
    struct device_error e;
    int major = 0, minor = 0;
    if (driver(&d, &e) != DEVICE_OK || d->device_attribute(&major, CAPABILITY_MAJOR, d->device) != SUCCESS ||
        d->device_attribute(&minor, CAPABILITY_MINOR, d->device) != SUCCESS)
        return 0;
    return (unsigned)(10 * major + minor);
}
static enum device_status cuda_load(const char *ptx, size_t length, const char *name, struct device_module **m,
                                    struct device_error *e) {
    struct device_module *new = calloc(1, sizeof *new);
    if (new) new->ptx = malloc(length + 1), new->name = strdup(name), new->length = length;
    if (!new || !new->ptx || !new->name) return snprintf(e->message, sizeof e->message, "out of memory"), DEVICE_SETUP;
    memcpy(new->ptx, ptx, length);
    new->ptx[length] = 0;
    pthread_mutex_init(&new->lock, NULL);
    *m = new;
    return DEVICE_OK;
}
static void cuda_unload(struct device_module *m) {
    if (!m) return;
    free(m->ptx);
    free(m->name);
    for (unsigned k = 0; k < sizeof m->code / sizeof *m->code; k++) free(m->code[k]);
    pthread_mutex_destroy(&m->lock);
    free(m);
}
/* Returns whether the setup, not the PTX, is the reason for the failure: the driver does not support the PTX version or
 * the target, or cannot compile PTX. Older drivers report an unsupported version or target only in the log. */
static bool set_up_wrongly(result r, const char *log) {
    return r == NO_BINARY || r == NO_JIT_COMPILER || r == NEWER_PTX || r == NO_JIT ||
           strstr(log, "Unsupported .version") || strstr(log, ".target is higher");
}
/* Compiles the PTX to GPU code. */
static enum device_status translate(struct driver *d, struct device_module *m, const struct device_options *o,
                                    struct device_error *e) {
    void **made = &m->code[form_of(o)];
    char log[LOG_BYTES] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES, JIT_LEVEL, JIT_LINES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)(o->not_optimized ? 0 : 4),
                      (void *)(uintptr_t)1},
         *link = NULL, *code = NULL;
    size_t size = 0;
    TRY(d->link_create(o->bare ? 4 : 3, options, values, &link), "cannot start the driver's compiler");
    result r = d->link_add(link, INPUT_PTX, m->ptx, m->length + 1, m->name, 0, NULL, NULL);
    if (r == SUCCESS) r = d->link_complete(link, &code, &size);
    if (r == SUCCESS && (*made = malloc(size))) memcpy(*made, code, size);
    d->link_destroy(link);
    if (r == SUCCESS && *made) return DEVICE_OK;
    if (set_up_wrongly(r, log)) {
        snprintf(e->message, sizeof e->message,
                 "the NVIDIA driver or the GPU is too old for this PTX (%s): update the driver, or compile with an "
                 "older toolkit or for an older GPU",
                 words(d, r));
        return DEVICE_SETUP;
    }
    snprintf(e->message, sizeof e->message, "%s: the driver rejects this PTX: %s: %.380s", m->name, words(d, r), log);
    return r == SUCCESS || r == OUT_OF_MEMORY ? DEVICE_SETUP : DEVICE_SUBMISSION;
}

/* ---- the memory of a run --------------------------------------------------------------------------------------- */
struct buffer {
    address at; /* address after the leading guard zone */
    uint64_t bytes;
    char name[64];
};
struct memory {
    struct driver *driver;
    void *module[PLAN_MODULES];
    unsigned guard; /* bytes of the guard zone on each side of a buffer, or 0 for no guard zones and no poison */
    bool cooperative, as_graph;
    struct buffer *buffers;
    unsigned buffer_count;
    void *begin, *end; /* events that time the launches */
    void *captures;    /* stream whose launches become the graph, or NULL (the default stream) without options.graph */
    bool timing;       /* whether a measurement between cuda_start() and cuda_stop() is in progress */
    /* `graph` is captured from the first timed group. `ready` is its executable form, which each group launches. */
    void *graph, *ready;
};
static void close_memory(struct memory *s) {
    struct driver *d = s->driver;
    if (d && !d->lost) {
        d->context_set(d->context);
        for (unsigned k = 0; k < s->buffer_count; k++) d->release(s->buffers[k].at - s->guard);
        for (unsigned k = 0; k < PLAN_MODULES; k++)
            if (s->module[k]) d->module_unload(s->module[k]);
        if (s->ready) d->prepared_destroy(s->ready);
        if (s->graph) d->graph_destroy(s->graph);
        if (s->captures) d->stream_destroy(s->captures);
        if (s->begin) d->event_destroy(s->begin);
        if (s->end) d->event_destroy(s->end);
    }
    free(s->buffers);
}
/* Loads module k, with fresh variables. */
static enum device_status load_module(struct memory *s, unsigned k, struct device_module *m,
                                      const struct device_options *o, struct device_error *e) {
    struct driver *d = s->driver;
    enum device_status status = DEVICE_OK;
    pthread_mutex_lock(&m->lock);
    if (!m->code[form_of(o)]) status = translate(d, m, o, e);
    pthread_mutex_unlock(&m->lock);
    if (status != DEVICE_OK) return status;
    const result r = d->module_load(&s->module[k], m->code[form_of(o)]);
    if (r == SUCCESS) return DEVICE_OK;
    s->module[k] = NULL; /* undefined after a failure */
    return failed(d, r, "cannot load the module", e);
}
static enum device_status open_memory(struct memory *s, const struct device_run *r, struct device_error *e) {
    struct driver *d;
    enum device_status status = driver(&d, e);
    if (status != DEVICE_OK) return status;
    s->driver = d;
    /* The seed and the schedule are ignored, because the GPU decides the order. */
    s->guard = r->options.bare ? 0 : GUARD;
    s->cooperative = r->options.cooperative, s->as_graph = r->options.graph;
    for (unsigned k = 0; status == DEVICE_OK && k < PLAN_MODULES; k++)
        if (r->module[k]) status = load_module(s, k, r->module[k], &r->options, e);
    if (status != DEVICE_OK) return status;
    TRY(d->event_create(&s->begin, 0), "cannot create a CUDA event");
    TRY(d->event_create(&s->end, 0), "cannot create a CUDA event");
    if (s->as_graph && !d->graph_prepare)
        return snprintf(e->message, sizeof e->message, "the NVIDIA driver is too old for graphs"), DEVICE_SETUP;
    if (s->as_graph) TRY(d->stream_create(&s->captures, APART_FROM_DEFAULT_STREAM), "cannot create a CUDA stream");
    return DEVICE_OK;
}
static enum device_status say_no_room(struct driver *d, const char *name, uint64_t bytes, struct device_error *e) {
    size_t left = 0, all;
    if (d->memory(&left, &all) != SUCCESS) left = 0;
    snprintf(e->message, sizeof e->message,
             "not enough memory on the GPU for buffer `%s` of %llu MiB: %zu MiB are free. Use fewer elements, or "
             "--device sim, which needs memory only for the elements that are written",
             name, (unsigned long long)(bytes >> 20), left >> 20);
    return DEVICE_SETUP;
}
static enum device_status cuda_alloc(void *self, const char *name, uint64_t bytes, unsigned flags, uint64_t *to,
                                     struct device_error *e) {
    struct memory *s = self;
    struct driver *d = s->driver;
    address at;
    (void)flags; /* only the simulator checks access permissions */
    struct buffer *grown = realloc(s->buffers, (s->buffer_count + 1) * sizeof *grown);
    if (!grown) return snprintf(e->message, sizeof e->message, "out of memory"), DEVICE_SETUP;
    s->buffers = grown;
    const result r = d->allocate(&at, bytes || s->guard ? bytes + 2 * s->guard : 1);
    if (r == OUT_OF_MEMORY) return say_no_room(d, name, bytes, e);
    TRY(r, "cannot allocate a buffer on the GPU");
    struct buffer *b = &s->buffers[s->buffer_count++];
    *b = (struct buffer){at + s->guard, bytes, ""};
    snprintf(b->name, sizeof b->name, "%s", name);
    if (s->guard) TRY(d->fill(at, DEVICE_POISON, bytes + 2 * GUARD), "cannot fill a buffer");
    *to = b->at;
    return DEVICE_OK;
}
static enum device_status cuda_write(void *self, uint64_t at, const void *from, uint64_t bytes,
                                     struct device_error *e) {
    struct driver *d = ((struct memory *)self)->driver;
    if (bytes) TRY(d->to_device(at, from, bytes), "cannot write a buffer");
    return DEVICE_OK;
}
/* Fills memory by copying the pattern once, and then doubling the filled range. */
static enum device_status cuda_fill(void *self, uint64_t at, uint64_t bytes, const void *pattern, uint64_t period,
                                    struct device_error *e) {
    struct driver *d = ((struct memory *)self)->driver;
    uint64_t done = bytes < period ? bytes : period;
    if (bytes) TRY(d->to_device(at, pattern, done), "cannot write a buffer");
    for (uint64_t n; done < bytes; done += n) {
        n = bytes - done < done ? bytes - done : done;
        TRY(d->on_device(at + done, at, n), "cannot fill a buffer");
    }
    return DEVICE_OK;
}
static enum device_status cuda_read(void *self, uint64_t at, void *to, uint64_t bytes, struct device_error *e) {
    struct driver *d = ((struct memory *)self)->driver;
    if (d->lost) /* otherwise, the copy could wait forever for a kernel that did not finish */
        return snprintf(e->message, sizeof e->message, "the previous launch left the GPU unusable"), DEVICE_SUBMISSION;
    if (bytes) TRY(d->from_device(to, at, bytes), "cannot read a buffer");
    return DEVICE_OK;
}
static enum device_status cuda_find_variable(void *self, const char *name, uint64_t *to, uint64_t *bytes,
                                             struct device_error *e) {
    struct memory *s = self;
    address at;
    size_t size;
    if (s->driver->module_variable(&at, &size, s->module[0], name) != SUCCESS)
        return snprintf(e->message, sizeof e->message, "the module has no variable `%s`", name), DEVICE_SUBMISSION;
    *to = at, *bytes = size;
    return DEVICE_OK;
}

/* ---- launches ---------------------------------------------------------------------------------- */
/* Checks whether the launch wrote outside of a buffer. */
static enum device_status check_guards(struct memory *s, struct device_error *e) {
    struct driver *d = s->driver;
    for (unsigned k = 0; s->guard && k < s->buffer_count; k++) {
        const struct buffer *b = &s->buffers[k];
        unsigned char before[GUARD], behind[GUARD];
        TRY(d->from_device(before, b->at - GUARD, GUARD), "cannot read a guard zone");
        TRY(d->from_device(behind, b->at + b->bytes, GUARD), "cannot read a guard zone");
        for (unsigned n = 0; n < GUARD; n++)
            if (before[n] != DEVICE_POISON || behind[n] != DEVICE_POISON) {
                snprintf(e->message, sizeof e->message, "the kernel wrote %s buffer `%s`",
                         behind[n] != DEVICE_POISON ? "past the end of" : "before the start of", b->name);
                return DEVICE_SUBMISSION;
            }
    }
    return DEVICE_OK;
}
/* Waits for the event that follows the launch, up to LAUNCH_SECONDS. */
static enum device_status wait_for(struct driver *d, void *event, struct device_error *e) {
    const double deadline = clock_seconds() + LAUNCH_SECONDS;
    for (result r; (r = d->event_query(event)) != SUCCESS;) {
        if (r != NOT_READY) return failed(d, r, "the launch failed", e);
        if (clock_seconds() < deadline) continue;
        d->lost = true;
        snprintf(e->message, sizeof e->message, "the kernel does not end: it was still running after %d seconds",
                 LAUNCH_SECONDS);
        return DEVICE_SUBMISSION;
    }
    return DEVICE_OK;
}
/* Launches cooperatively. Fails if not all blocks can be resident, because they may wait for each other. */
static enum device_status launch_together(struct driver *d, const struct device_launch *l, void *function, void *stream,
                                          result *r, struct device_error *e) {
    const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    int able = 0, multiprocessors = 0, each = 0;
    TRY(d->device_attribute(&able, COOPERATIVE, d->device), "cannot read the GPU's attributes");
    if (!able)
        return snprintf(e->message, sizeof e->message,
                        "this GPU does not support cooperative launches; --device sim does"),
               DEVICE_SETUP;
    TRY(d->device_attribute(&multiprocessors, MULTIPROCESSORS, d->device), "cannot read the number of SMs");
    *r = threads > INT_MAX ? SUCCESS : d->resident(&each, function, (int)threads, l->dynamic_shared);
    if (*r != SUCCESS) return DEVICE_OK;
    const uint64_t most = (uint64_t)each * (uint64_t)multiprocessors;
    if (each && blocks > most) /* if not even one block fits, the launch reports the reason */
        *r = TOO_MANY_BLOCKS;
    else
        *r = d->launch_together(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                                l->dynamic_shared, stream, (void **)(uintptr_t)l->params);
    if (*r != TOO_MANY_BLOCKS) return DEVICE_OK;
    snprintf(
        e->message, sizeof e->message,
        "the cooperative launch has %llu blocks of %llu threads, but at most %llu of them can be resident at once on "
        "this GPU (%d on each of %d SMs)",
        (unsigned long long)blocks, (unsigned long long)threads, (unsigned long long)most, each, multiprocessors);
    return DEVICE_SUBMISSION;
}
/* Launches with the cluster size of the plan. */
static result launch_clusters(struct driver *d, const struct device_launch *l, void *function, void *stream) {
    struct launch_attribute size = {.id = CLUSTER_DIMENSION, .value = {l->cluster[0], l->cluster[1], l->cluster[2]}};
    const struct launch_config c = {{l->grid[0], l->grid[1], l->grid[2]},
                                    {l->block[0], l->block[1], l->block[2]},
                                    l->dynamic_shared,
                                    stream,
                                    &size,
                                    1};
    if (!d->launch_extended) return NOT_SUPPORTED;
    const bool large = l->cluster[0] * l->cluster[1] * l->cluster[2] > PORTABLE_CLUSTER;
    const result r = large ? d->function_set(function, LARGE_CLUSTERS, 1) : SUCCESS;
    return r == SUCCESS ? d->launch_extended(&c, function, (void **)(uintptr_t)l->params, NULL) : r;
}
/* Launches asynchronously in the order of the calls, or adds the launch to the graph that is being captured. */
static enum device_status enqueue(struct memory *s, const struct device_launch *l, struct device_error *e) {
    struct driver *d = s->driver;
    void *function, *stream = s->timing ? s->captures : NULL;
    if (l->sample_count)
        return snprintf(e->message, sizeof e->message, "a GPU cannot run only a sample of a launch's blocks"),
               DEVICE_SETUP;
    if (!s->module[l->module] || d->module_function(&function, s->module[l->module], l->kernel) != SUCCESS)
        return snprintf(e->message, sizeof e->message, "no kernel `%s`", l->kernel), DEVICE_SUBMISSION;
    result r = SUCCESS;
    if (l->dynamic_shared > 48 << 10) r = d->function_set(function, DYNAMIC_SHARED, (int)l->dynamic_shared);
    if (r == SUCCESS && s->cooperative) {
        const enum device_status status = launch_together(d, l, function, stream, &r, e);
        if (status != DEVICE_OK) return status;
    } else if (r == SUCCESS && l->cluster[0])
        r = launch_clusters(d, l, function, stream);
    else if (r == SUCCESS)
        r = d->launch(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                      l->dynamic_shared, stream, (void **)(uintptr_t)l->params, NULL);
    if (r == SUCCESS) return DEVICE_OK;
    if (r == OUT_OF_MEMORY || is_fault(r)) return failed(d, r, "not enough memory on the GPU for the launch", e);
    snprintf(e->message, sizeof e->message, "kernel `%s` cannot be launched: %s", l->kernel, words(d, r));
    return DEVICE_SUBMISSION;
}
static enum device_status cuda_launch(void *self, const struct device_launch *l, struct device_error *e) {
    struct memory *s = self;
    struct driver *d = s->driver;
    if (s->timing && s->ready) return DEVICE_OK; /* the graph contains this launch */
    enum device_status status = enqueue(s, l, e);
    if (l->queued || status != DEVICE_OK) return status;
    TRY(d->event_record(s->end, NULL), "cannot record a CUDA event");
    status = wait_for(d, s->end, e);
    return status == DEVICE_OK ? check_guards(s, e) : status;
}

/* ---- the clock ------------------------------------------------------------------------------------------------- */
static enum device_status cuda_describe(struct device_traits *t, struct device_error *e) {
    struct driver *d;
    int multiprocessors = 0, threads = 0, kilohertz = 0, bits = 0;
    size_t free_bytes = 0, all;
    const enum device_status status = driver(&d, e);
    if (status != DEVICE_OK) return status;
    *t = (struct device_traits){.name = ""};
    TRY(d->device_name(t->name, sizeof t->name, d->device), "cannot read the GPU's name");
    TRY(d->device_attribute(&multiprocessors, MULTIPROCESSORS, d->device), "cannot read the number of SMs");
    TRY(d->device_attribute(&threads, MULTIPROCESSOR_THREADS, d->device), "cannot read the number of threads per SM");
    TRY(d->memory(&free_bytes, &all), "cannot read the GPU's memory size");
    if (d->device_attribute(&kilohertz, MEMORY_KILOHERTZ, d->device) != SUCCESS) kilohertz = 0;
    if (d->device_attribute(&bits, MEMORY_BUS_BITS, d->device) != SUCCESS) bits = 0;
    t->multiprocessors = (uint32_t)multiprocessors;
    t->threads = (uint32_t)threads;
    t->free_bytes = free_bytes;
    t->peak = 2e-6 * kilohertz * bits / 8; /* DDR memory makes two transfers per cycle */
    return DEVICE_OK;
}
static enum device_status cuda_reset(void *self, struct device_error *e) {
    struct driver *d = ((struct memory *)self)->driver;
    const result lines = d->context_reset(), limit = d->context_limit(PERSISTING_BYTES, 0);
    if (lines != NOT_SUPPORTED) TRY(lines, "cannot reset the L2 cache");
    if (limit != NOT_SUPPORTED && limit != UNSUPPORTED_LIMIT) TRY(limit, "cannot reset the L2 cache");
    return DEVICE_OK;
}
static enum device_status cuda_start(void *self, struct device_error *e) {
    struct memory *s = self;
    struct driver *d = s->driver;
    s->timing = true;
    TRY(d->event_record(s->begin, NULL), "cannot record a CUDA event");
    if (s->as_graph && !s->ready) TRY(d->capture_begin(s->captures, CAPTURE_RELAXED), "cannot capture a CUDA graph");
    return DEVICE_OK;
}
/* Launches the graph, which the first call instantiates. Instantiation on the host takes longer than the queued work
 * on the device, so the first measured time is too long. */
static enum device_status launch_graph(struct memory *s, struct device_error *e) {
    struct driver *d = s->driver;
    if (!s->ready) {
        TRY(d->capture_end(s->captures, &s->graph), "cannot capture a CUDA graph");
        TRY(d->graph_prepare(&s->ready, s->graph, 0), "cannot instantiate the CUDA graph");
        TRY(d->graph_upload(s->ready, NULL), "cannot upload the CUDA graph");
    }
    TRY(d->graph_launch(s->ready, NULL), "cannot launch the CUDA graph");
    return DEVICE_OK;
}
/* Ends the measured time with an event in the default stream, which waits for all other streams of the context.
 * Since a kernel completes only after all work that it launched, none of the timed work can still be running after
 * the event. */
static enum device_status cuda_stop(void *self, double *nanoseconds, struct device_error *e) {
    struct memory *s = self;
    struct driver *d = s->driver;
    float milliseconds = 0;
    const enum device_status launched = s->as_graph ? launch_graph(s, e) : DEVICE_OK;
    s->timing = false;
    if (launched != DEVICE_OK) return launched;
    TRY(d->event_record(s->end, NULL), "cannot record a CUDA event");
    const enum device_status status = wait_for(d, s->end, e);
    if (status != DEVICE_OK) return status;
    TRY(d->context_wait(), "the launch failed");
    TRY(d->event_elapsed(&milliseconds, s->begin, s->end), "cannot read the elapsed time");
    *nanoseconds = 1e6 * (double)milliseconds;
    return check_guards(s, e);
}

/* ---- the device ---------------------------------------------------------------------------------------------- */
static const struct device_hands hands = {.alloc = cuda_alloc,
                                          .write = cuda_write,
                                          .read = cuda_read,
                                          .fill = cuda_fill,
                                          .launch = cuda_launch,
                                          .variable = cuda_find_variable,
                                          .reset = cuda_reset,
                                          .start = cuda_start,
                                          .stop = cuda_stop};
static void run_one(struct device_run *r) {
    struct memory s = {0};
    r->launch = r->reads = r->times = 0, r->begun = false;
    r->status = open_memory(&s, r, &r->error);
    if (r->status == DEVICE_OK) device_execute(r, &hands, &s);
    close_memory(&s);
}
static void cuda_run(struct device_run *runs, unsigned count) {
    for (unsigned k = 0; k < count; k++) run_one(&runs[k]);
}
static enum device_status read_variable(struct memory *s, const char *name, void *to, uint64_t room, uint64_t *bytes,
                                        struct device_error *e) {
    uint64_t at = 0;
    const enum device_status status = cuda_find_variable(s, name, &at, bytes, e);
    return status == DEVICE_OK ? cuda_read(s, at, to, *bytes < room ? *bytes : room, e) : status;
}
static enum device_status cuda_variable(struct device_module *m, const char *name, void *to, uint64_t room,
                                        uint64_t *bytes, struct device_error *e) {
    struct memory s = {0};
    enum device_status status = open_memory(&s, &(struct device_run){.module = {m}}, e);
    if (status == DEVICE_OK) status = read_variable(&s, name, to, room, bytes, e);
    close_memory(&s);
    return status;
}

static enum device_status count_resident(struct memory *s, const struct device_shape *shape, uint32_t *blocks,
                                         struct device_error *e) {
    struct driver *d = s->driver;
    struct launch_attribute size = {.id = CLUSTER_DIMENSION, .value = {shape->cluster, 1, 1}};
    const uint32_t cluster = shape->cluster ? shape->cluster : 1;
    const struct launch_config c = {{cluster, 1, 1}, {shape->block, 1, 1}, shape->dynamic_shared, NULL, &size, 1};
    void *function;
    int count = 0, multiprocessors = 1;
    TRY(d->module_function(&function, s->module[0], shape->kernel), "the kernel is missing");
    if (cluster > 1 && d->clusters) {
        TRY(d->clusters(&count, function, &c), "cannot query the number of resident clusters");
    } else {
        if (shape->dynamic_shared > 48 << 10) /* allowed only after this call */
            TRY(d->function_set(function, DYNAMIC_SHARED, (int)shape->dynamic_shared), "cannot query the occupancy");
        TRY(d->resident(&count, function, (int)shape->block, shape->dynamic_shared), "cannot query the occupancy");
        TRY(d->device_attribute(&multiprocessors, MULTIPROCESSORS, d->device), "cannot read the number of SMs");
    }
    *blocks = (uint32_t)count * (cluster > 1 && d->clusters ? cluster : (uint32_t)multiprocessors);
    return DEVICE_OK;
}
static enum device_status cuda_resident(struct device_module *m, const struct device_shape *shape, uint32_t *blocks,
                                        struct device_error *e) {
    struct memory s = {0};
    enum device_status status = open_memory(&s, &(struct device_run){.module = {m}}, e);
    if (status == DEVICE_OK) status = count_resident(&s, shape, blocks, e);
    close_memory(&s);
    return status;
}

extern const struct device device_cuda;
const struct device device_cuda = {.name = "cuda",
                                   .summary = "a GPU, through the CUDA driver",
                                   .times = true,
                                   .present = cuda_present,
                                   .arch = cuda_arch,
                                   .load = cuda_load,
                                   .unload = cuda_unload,
                                   .run = cuda_run,
                                   .variable = cuda_variable,
                                   .describe = cuda_describe,
                                   .resident = cuda_resident};
