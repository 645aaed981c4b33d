/* Streams, events, and calls of host functions in streams. The handles of streams and events are numbers that the
 * simulator's process assigns. */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

cudaError_t cudart_order(const char *call, enum exec_op op, uint64_t a, uint64_t b, uint64_t *answer) {
    struct ask q = {.call = call, .op = op, .a = {a, b}, .prints = true};
    const cudaError_t error = cudart_ask(&q);
    if (answer) *answer = q.answer[0];
    return error;
}

/* ---- streams --------------------------------------------------------------------------------------- */
/* Properties of a stream that the program sets and may read back; or the state of an event. */
struct about {
    cudaStream_t stream;
    unsigned flags;
    int priority;
    cudaLaunchAttributeValue attribute[CUDART_ATTRIBUTES];
    enum { NEVER, RECORDED, CAPTURED } record; /* of an event: whether its last record was in a captured stream */
    struct about *next;
};
enum { GREATEST_PRIORITY = -5 };
static struct about *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct about *about(cudaStream_t stream) {
    pthread_mutex_lock(&lock);
    struct about *a = list;
    while (a && a->stream != stream) a = a->next;
    if (!a) {
        a = cudart_room(1, sizeof *a);
        a->stream = stream, a->next = list, list = a;
    }
    pthread_mutex_unlock(&lock);
    return a;
}
static cudaError_t forget(const char *call, uintptr_t handle) {
    pthread_mutex_lock(&lock);
    struct about **at = &list, *a;
    while (*at && (uintptr_t)(*at)->stream != handle) at = &(*at)->next;
    if ((a = *at)) *at = a->next;
    pthread_mutex_unlock(&lock);
    free(a);
    return cudart_order(call, EXEC_FORGET, handle, 0, NULL);
}
static cudaError_t make_stream(const char *call, cudaStream_t *stream, unsigned flags, int priority) {
    uint64_t handle = 0;
    if (!stream || flags & ~(unsigned)cudaStreamNonBlocking) return cudart_invalid(call);
    const cudaError_t error = cudart_order(call, EXEC_STREAM, flags, 0, &handle);
    *stream = (cudaStream_t)handle;
    if (error) return error;
    struct about *a = about(*stream);
    *a = (struct about){.stream = *stream, .flags = flags, .next = a->next};
    a->priority = priority > 0 ? 0 : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    return cudaSuccess;
}
bool cudart_stream_blocks(cudaStream_t stream) { return !(about(stream)->flags & cudaStreamNonBlocking); }
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return make_stream("cudaStreamCreate", stream, 0, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return make_stream("cudaStreamCreateWithFlags", stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    return make_stream("cudaStreamCreateWithPriority", stream, flags, priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return forget("cudaStreamDestroy", (uintptr_t)stream); }
static cudaError_t finish(const char *call, cudaStream_t stream) {
    if (cudart_capturing(stream))
        return cudart_capture_refuse(call, stream, "The stream is being captured, so its work has not started.");
    return cudart_order(call, EXEC_FINISH, (uintptr_t)stream, 0, NULL);
}
/* The simulator completes all work before it answers, so a stream is always ready. */
static cudaError_t finish_safely(const char *call, cudaStream_t stream) {
    const cudaError_t error = cudart_capturing(stream) ? cudaSuccess : cudart_capture_unsafe(call);
    return error ? error : finish(call, stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return finish_safely("cudaStreamSynchronize", stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return finish_safely("cudaStreamQuery", stream); }
static struct about *about_event(cudaEvent_t event) { return about((cudaStream_t)(uintptr_t)event); }
/* Adds a node that records an event, or waits for one, at each launch of the graph. */
static cudaError_t capture_event(enum cudaGraphNodeType type, cudaEvent_t event, cudaStream_t stream) {
    struct node *n = cudart_node_new(type);
    n->event = event;
    return cudart_capture(stream, n);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    cudaError_t error = cudaSuccess;
    if (cudart_capturing(stream) && flags == cudaEventWaitExternal)
        return capture_event(cudaGraphNodeTypeWaitEvent, event, stream);
    if (cudart_capturing(stream) && about_event(event)->record == NEVER) return cudaSuccess;
    if (about_event(event)->record == RECORDED) error = cudaErrorStreamCaptureIsolation;
    if (cudart_capture_wait(stream, event, &error)) return error;
    return cudart_order("cudaStreamWaitEvent", EXEC_WAIT, (uintptr_t)event, (uintptr_t)stream, NULL);
}
/* Each call below reads or sets a property of a stream that exists. */
#define OF_STREAM(name, valid, body, ...)                                                                              \
    cudaError_t name(cudaStream_t stream, __VA_ARGS__) {                                                               \
        if (!(valid)) return cudart_invalid(#name);                                                                    \
        const cudaError_t error = cudart_order(#name, EXEC_KNOWN, (uintptr_t)stream, 0, NULL);                         \
        if (!error) body;                                                                                              \
        return error;                                                                                                  \
    }
OF_STREAM(cudaStreamGetPriority, priority, *priority = about(stream)->priority, int *priority)
OF_STREAM(cudaStreamGetFlags, flags, *flags = about(stream)->flags, unsigned *flags)
OF_STREAM(cudaStreamGetId, id, *id = (uintptr_t)stream, unsigned long long *id)
OF_STREAM(cudaStreamGetDevice, device, *device = 0, int *device)
OF_STREAM(cudaStreamSetAttribute, value && (unsigned)name < CUDART_ATTRIBUTES, about(stream)->attribute[name] = *value,
          cudaLaunchAttributeID name, const cudaLaunchAttributeValue *value)
OF_STREAM(cudaStreamGetAttribute, value && (unsigned)name < CUDART_ATTRIBUTES, *value = about(stream)->attribute[name],
          cudaLaunchAttributeID name, cudaLaunchAttributeValue *value)
OF_STREAM(cudaStreamCopyAttributes, true,
          memcpy(about(stream)->attribute, about(from)->attribute, sizeof about(stream)->attribute), cudaStream_t from)
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = GREATEST_PRIORITY;
    return cudaSuccess;
}
/* Calls the host function directly, because all earlier work in the stream is complete. */
cudaError_t cudart_host_call(const char *call, cudaStream_t stream, cudaHostFn_t function, void *data) {
    if (!function) return cudart_invalid(call);
    if (cudart_capturing(stream)) {
        struct node *n = cudart_node_new(cudaGraphNodeTypeHost);
        n->host = (struct cudaHostNodeParams){.fn = function, .userData = data};
        return cudart_capture(stream, n);
    }
    const cudaError_t error = finish(call, stream);
    if (!error) function(data);
    return error;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    return cudart_host_call("cudaLaunchHostFunc", stream, function, data);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags) {
    if (!function) return cudart_invalid("cudaStreamAddCallback");
    const cudaError_t error = finish("cudaStreamAddCallback", stream);
    if (error != cudaErrorStreamCaptureUnsupported) function(stream, error, data);
    return error;
}
cudaError_t cudart_finish(const char *call) {
    const cudaError_t error = cudart_capture_finish(call);
    return error ? error : cudart_order(call, EXEC_FINISH, EXEC_ALL, 0, NULL);
}
cudaError_t cudaDeviceSynchronize(void) { return cudart_finish("cudaDeviceSynchronize"); }

/* ---- events ----------------------------------------------------------------------------------------- */
static cudaError_t make_event(const char *call, cudaEvent_t *event, unsigned flags) {
    uint64_t handle = 0;
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!event || flags & ~known) return cudart_invalid(call);
    const cudaError_t error = cudart_order(call, EXEC_EVENT, flags, 0, &handle);
    *event = (cudaEvent_t)handle;
    return error;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return make_event("cudaEventCreate", event, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    return make_event("cudaEventCreateWithFlags", event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return forget("cudaEventDestroy", (uintptr_t)event); }
static cudaError_t record(const char *call, cudaEvent_t event, cudaStream_t stream) {
    const bool captured = cudart_capture_record(event, stream);
    const cudaError_t error =
        captured ? cudaSuccess : cudart_order(call, EXEC_RECORD, (uintptr_t)event, (uintptr_t)stream, NULL);
    if (!error) about_event(event)->record = captured ? CAPTURED : RECORDED;
    return error;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return record("cudaEventRecord", event, stream); }
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    if (flags == cudaEventRecordExternal && cudart_capturing(stream))
        return capture_event(cudaGraphNodeTypeEventRecord, event, stream);
    return record("cudaEventRecordWithFlags", event, stream);
}
/* Rejects an event whose last record was captured, because the work before it has not started. */
static cudaError_t refuse_captured(const char *call, cudaEvent_t event, bool invalidate) {
    if (about_event(event)->record != CAPTURED) return cudaSuccess;
    return cudart_refuse(
        call, cudart_capture_holds(event, invalidate) ? cudaErrorCapturedEvent : cudaErrorInvalidValue,
        "The event was last recorded in a captured stream, so it has no timestamp and never completes. To "
        "record it at each launch of the graph, use cudaEventRecordWithFlags() and "
        "cudaEventRecordExternal.");
}
static cudaError_t finish_event(const char *call, cudaEvent_t event) {
    const cudaError_t error = refuse_captured(call, event, true);
    return error ? error : finish_safely(call, (cudaStream_t)(uintptr_t)event);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return finish_event("cudaEventSynchronize", event); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return finish_event("cudaEventQuery", event); }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    uint64_t nanoseconds = 0;
    if (!milliseconds) return cudart_invalid("cudaEventElapsedTime");
    cudaError_t error = refuse_captured("cudaEventElapsedTime", start, false);
    if (!error) error = refuse_captured("cudaEventElapsedTime", end, false);
    if (error) return error;
    error = cudart_order("cudaEventElapsedTime", EXEC_ELAPSED, (uintptr_t)start, (uintptr_t)end, &nanoseconds);
    *milliseconds = (float)((double)nanoseconds / 1e6);
    return error;
}
