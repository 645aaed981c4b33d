/* Captures of streams. Each call in a captured stream adds a node to a graph. The node follows the last node of its
 * stream and the last nodes of all events that the stream waits for. */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The nodes that the next work in a stream, or work that waits for an event, must follow. */
struct line {
    cudaStream_t stream; /* or NULL */
    cudaEvent_t event;
    cudaGraphNode_t *last;
    size_t count;
    struct line *next;
};
struct capture {
    struct graph *graph;
    cudaStream_t origin;
    unsigned long long id;
    enum cudaStreamCaptureMode mode;
    pthread_t thread; /* the thread that began the capture */
    struct line *line;
    bool invalid; /* whether the program has made a call that is not permitted */
    struct capture *next;
};
static struct capture *list;
static atomic_uint open_captures;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

static struct line *line_of(struct capture *c, cudaStream_t stream, cudaEvent_t event) {
    struct line *l = c->line;
    while (l && (l->stream != stream || l->event != event)) l = l->next;
    return l;
}
static struct line *find(cudaStream_t stream, cudaEvent_t event, struct capture **of) {
    struct line *l = NULL;
    if (!atomic_load(&open_captures)) return NULL;
    pthread_mutex_lock(&lock);
    for (struct capture *c = list; c && !l; c = c->next)
        if ((l = line_of(c, stream, event)) && of) *of = c;
    pthread_mutex_unlock(&lock);
    return l;
}
static struct line *add_line(struct capture *c, cudaStream_t stream, cudaEvent_t event) {
    struct line *l = cudart_room(1, sizeof *l);
    l->stream = stream, l->event = event, l->next = c->line;
    return c->line = l;
}
static void set(struct line *l, const cudaGraphNode_t *nodes, size_t count) {
    cudaGraphNode_t *copy = cudart_room(count, sizeof *copy);
    if (count) memcpy(copy, nodes, count * sizeof *copy);
    free(l->last);
    l->last = copy, l->count = count;
}
static void join(struct line *to, const struct line *from) {
    for (size_t k = 0; k < from->count; k++) {
        bool has = false;
        for (size_t n = 0; n < to->count; n++) has |= to->last[n] == from->last[k];
        if (has) continue;
        if (!(to->last = realloc(to->last, (to->count + 1) * sizeof *to->last))) abort();
        to->last[to->count++] = from->last[k];
    }
}

/* ---- calls in a captured stream ---------------------------------------------------------------- */
bool cudart_capturing(cudaStream_t stream) { return find(stream, NULL, NULL) != NULL; }
static cudaError_t invalidated(const char *call) {
    return cudart_refuse(call, cudaErrorStreamCaptureInvalidated,
                         "An earlier call was not permitted during the "
                         "capture.");
}
cudaError_t cudart_capture_refuse(const char *call, cudaStream_t stream, const char *why) {
    struct capture *c = NULL;
    if (find(stream, NULL, &c)) c->invalid = true;
    return cudart_refuse(call, cudaErrorStreamCaptureUnsupported, why);
}
/* Invalidates the captures of all streams, or only of the streams that the default stream waits for. Returns whether
 * there are any. */
static bool invalidate(bool all) {
    bool any = false;
    if (!atomic_load(&open_captures)) return false;
    pthread_mutex_lock(&lock);
    for (struct capture *c = list; c; c = c->next)
        for (const struct line *l = c->line; l; l = l->next)
            if (l->stream && (all || cudart_stream_blocks(l->stream))) any = c->invalid = true;
    pthread_mutex_unlock(&lock);
    return any;
}
bool cudart_capture_implicit(const char *call, cudaStream_t stream, cudaError_t *error) {
    if (stream > cudaStreamLegacy || !invalidate(false)) return false;
    *error = cudart_refuse(call, cudaErrorStreamCaptureImplicit,
                           "The default stream would have to wait for a stream that is being captured.");
    return true;
}
cudaError_t cudart_capture_finish(const char *call) {
    return invalidate(true) ? cudart_refuse(call, cudaErrorStreamCaptureUnsupported,
                                            "A stream is being captured, so its work has not started.")
                            : cudaSuccess;
}
/* A global capture forbids the call in all threads, and a thread-local capture only in the capturing thread. */
static bool forbids(const struct capture *c) {
    if (c->mode == cudaStreamCaptureModeRelaxed) return false;
    return pthread_equal(c->thread, pthread_self()) ||
           (c->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal);
}
cudaError_t cudart_capture_unsafe(const char *call) {
    bool any = false;
    if (!atomic_load(&open_captures) || thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
    pthread_mutex_lock(&lock);
    for (struct capture *c = list; c; c = c->next)
        if (forbids(c)) any = c->invalid = true;
    pthread_mutex_unlock(&lock);
    return !any ? cudaSuccess
                : cudart_refuse(call, cudaErrorStreamCaptureUnsupported,
                                "A capture forbids this call, which may wait for the device: make the call before the "
                                "capture, or begin the capture with cudaStreamCaptureModeRelaxed.");
}
cudaError_t cudart_capture(cudaStream_t stream, struct node *n) {
    struct capture *c;
    struct line *l = find(stream, NULL, &c);
    cudaGraphNode_t handle;
    if (c->invalid) return invalidated("capture");
    const cudaError_t error = cudart_node_add("capture", &handle, c->graph, l->last, l->count, n);
    if (!error) set(l, &handle, 1);
    return error;
}
cudaError_t cudart_capture_launch(const struct cudart_launch *launch) {
    struct node *n = cudart_node_new(cudaGraphNodeTypeKernel);
    cudart_keep_launch(n, launch);
    return cudart_capture(launch->stream, n);
}
cudaError_t cudart_capture_copy(const struct cudart_copy *c) {
    struct node *n = cudart_node_new(cudaGraphNodeTypeMemcpy);
    n->copy.rows = *c;
    return cudart_capture(c->stream, n);
}
cudaError_t cudart_capture_fill(const struct cudart_fill *f) {
    struct node *n = cudart_node_new(cudaGraphNodeTypeMemset);
    n->fill = (struct cudaMemsetParams){.dst = f->pointer,
                                        .pitch = f->pitch,
                                        .value = f->value,
                                        .elementSize = f->element,
                                        .width = f->width,
                                        .height = f->height};
    return cudart_capture(f->stream, n);
}
bool cudart_capture_record(cudaEvent_t event, cudaStream_t stream) {
    struct capture *c;
    const struct line *from = find(stream, NULL, &c);
    if (!from) return false;
    struct line *to = line_of(c, NULL, event);
    if (!to) to = add_line(c, NULL, event);
    set(to, from->last, from->count);
    return true;
}
bool cudart_capture_holds(cudaEvent_t event, bool invalidate) {
    struct capture *c;
    if (!find(NULL, event, &c)) return false;
    c->invalid |= invalidate;
    return true;
}
bool cudart_capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error) {
    struct capture *c;
    const struct line *from = find(NULL, event, &c);
    if (!from) {
        if (!find(stream, NULL, &c)) return false;
        c->invalid = true;
        *error = cudart_refuse("cudaStreamWaitEvent", *error ? *error : cudaErrorInvalidValue,
                               "The captured stream would have to wait for work that is not part of the capture: the "
                               "event was not recorded during the capture.");
        return true;
    }
    *error = cudaSuccess;
    struct line *to = line_of(c, stream, NULL);
    if (!to) to = add_line(c, stream, NULL);
    join(to, from);
    return true;
}

/* ---- begin and end ----------------------------------------------------------------------------- */
static cudaError_t begin(const char *call, cudaStream_t stream, struct graph *g, const cudaGraphNode_t *after,
                         size_t afters, enum cudaStreamCaptureMode mode) {
    static unsigned long long ids;
    if (!stream || stream == cudaStreamLegacy)
        return cudart_refuse(call, cudaErrorStreamCaptureUnsupported, "The default stream cannot be captured.");
    const cudaError_t error = cudart_order(call, EXEC_KNOWN, (uintptr_t)stream, 0, NULL);
    if (error) return error;
    if (cudart_capturing(stream))
        return cudart_refuse(call, cudaErrorIllegalState, "The stream is already being captured.");
    struct capture *c = cudart_room(1, sizeof *c);
    c->graph = g ? g : cudart_graph_new(), c->origin = stream, c->mode = mode, c->thread = pthread_self();
    set(add_line(c, stream, NULL), after, afters);
    pthread_mutex_lock(&lock);
    c->id = ++ids, c->next = list, list = c;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&open_captures, 1);
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    return begin("cudaStreamBeginCapture", stream, NULL, NULL, 0, mode);
}
#if CUDART_VERSION >= 12030
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t afters,
                                          enum cudaStreamCaptureMode mode) {
    struct graph *g = cudart_graph(graph);
    if (!g) return cudart_invalid("cudaStreamBeginCaptureToGraph");
    return begin("cudaStreamBeginCaptureToGraph", stream, g, after, afters, mode);
}
#endif
/* Marks the node and all nodes that it follows. */
static void mark(struct node *n) {
    if (n->done) return;
    n->done = true;
    for (unsigned k = 0; k < n->afters; k++) mark(n->after[k]);
}
/* Returns whether the origin stream follows all work of the capture. */
static bool joined(struct capture *c) {
    bool all = true;
    const struct line *origin = line_of(c, c->origin, NULL);
    for (size_t k = 0; k < origin->count; k++) mark(cudart_node(origin->last[k]));
    for (const struct line *l = c->line; l; l = l->next)
        for (size_t k = 0; l->stream && k < l->count; k++) all &= cudart_node(l->last[k])->done;
    for (unsigned k = 0; k < c->graph->count; k++) c->graph->node[k]->done = false;
    return all;
}
static void forget(struct capture *c) {
    for (struct line *l = c->line, *next; l; l = next) next = l->next, free(l->last), free(l);
    free(c);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    static const char call[] = "cudaStreamEndCapture";
    struct capture *c = NULL, **at = &list;
    if (!graph || !find(stream, NULL, &c) || c->origin != stream)
        return cudart_refuse(
            call, cudaErrorIllegalState,
            "No capture began in this stream, or the pointer to the graph is NULL: end a capture in the stream in "
            "which it began.");
    const bool invalid = c->invalid, whole = !invalid && joined(c);
    *graph = whole ? (cudaGraph_t)(void *)c->graph : NULL;
    pthread_mutex_lock(&lock);
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    pthread_mutex_unlock(&lock);
    atomic_fetch_sub(&open_captures, 1);
    forget(c);
    if (invalid) return invalidated(call);
    return whole ? cudaSuccess
                 : cudart_refuse(call, cudaErrorStreamCaptureUnjoined,
                                 "Work in another stream belongs to the capture, but the captured stream does not "
                                 "wait for that work: record an event after the work, and pass the event to "
                                 "cudaStreamWaitEvent().");
}
static enum cudaStreamCaptureStatus status_of(const struct capture *c) {
    if (!c) return cudaStreamCaptureStatusNone;
    return c->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    struct capture *c = NULL;
    if (!status) return cudart_invalid("cudaStreamIsCapturing");
    find(stream, NULL, &c);
    *status = status_of(c);
    return cudaSuccess;
}
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **after, const cudaGraphEdgeData **edges,
                                     size_t *afters) {
    struct capture *c = NULL;
    const struct line *l = find(stream, NULL, &c);
    if (!status) return cudart_invalid("cudaStreamGetCaptureInfo");
    *status = status_of(c);
    if (id) *id = l ? c->id : 0;
    if (graph) *graph = l ? (cudaGraph_t)(void *)c->graph : NULL;
    if (after) *after = l ? l->last : NULL;
    if (edges) *edges = NULL;
    if (afters) *afters = l ? l->count : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count, unsigned flags) {
    struct line given = {.last = nodes, .count = count}, *l = find(stream, NULL, NULL);
    if (!l || (count && !nodes)) return cudart_invalid("cudaStreamUpdateCaptureDependencies");
    if (flags == cudaStreamSetCaptureDependencies)
        set(l, nodes, count);
    else
        join(l, &given);
    return cudaSuccess;
}
#endif
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    if (!mode) return cudart_invalid("cudaThreadExchangeStreamCaptureMode");
    const enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode, *mode = before;
    return cudaSuccess;
}
