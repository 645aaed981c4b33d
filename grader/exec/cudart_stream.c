/* Streams, events and graphs. Their handles are numbers of the simulator's process. */
#include "exec/cudart.h"
#include <string.h>

static cudaError_t ask(const char *call, enum exec_op op, uint64_t a, uint64_t b, uint64_t *answer) {
    struct ask q = {.call = call, .op = op, .a = {a, b}, .prints = true};
    const cudaError_t error = cudart_ask(&q);
    if (answer) *answer = q.answer[0];
    return error;
}

/* ---- streams --------------------------------------------------------------------------------------- */
static cudaError_t make_stream(const char *call, cudaStream_t *stream, unsigned flags) {
    uint64_t handle = 0;
    const cudaError_t error = ask(call, EXEC_STREAM, flags, 0, &handle);
    *stream = (cudaStream_t)handle;
    return error;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return make_stream("cudaStreamCreate", stream, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return make_stream("cudaStreamCreateWithFlags", stream, flags);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    return make_stream("cudaStreamCreateWithPriority", stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return ask("cudaStreamDestroy", EXEC_FORGET, (uintptr_t)stream, 0, NULL);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return ask("cudaStreamSynchronize", EXEC_FINISH, (uintptr_t)stream, 0, NULL);
}
/* The simulator has finished all work by now: the stream is always ready. */
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return ask("cudaStreamQuery", EXEC_FINISH, (uintptr_t)stream, 0, NULL);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return ask("cudaStreamWaitEvent", EXEC_WAIT, (uintptr_t)event, (uintptr_t)stream, NULL);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    *priority = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    *flags = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
}
/* All earlier work in the stream is done: the host function is called directly. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    uint64_t captured;
    const cudaError_t error = ask("cudaLaunchHostFunc", EXEC_STATE, (uintptr_t)stream, 0, &captured);
    if (error) return error;
    if (captured) cudart_missing("cudaLaunchHostFunc in a stream that is captured: cudaGraphAddHostNode");
    ask("cudaLaunchHostFunc", EXEC_FINISH, (uintptr_t)stream, 0, NULL);
    function(data);
    return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags) {
    const cudaError_t error = ask("cudaStreamAddCallback", EXEC_FINISH, (uintptr_t)stream, 0, NULL);
    function(stream, error, data);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return ask("cudaDeviceSynchronize", EXEC_FINISH, EXEC_ALL, 0, NULL); }

/* ---- events ----------------------------------------------------------------------------------------- */
static cudaError_t make_event(const char *call, cudaEvent_t *event, unsigned flags) {
    uint64_t handle = 0;
    const cudaError_t error = ask(call, EXEC_EVENT, flags, 0, &handle);
    *event = (cudaEvent_t)handle;
    return error;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return make_event("cudaEventCreate", event, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    return make_event("cudaEventCreateWithFlags", event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return ask("cudaEventDestroy", EXEC_FORGET, (uintptr_t)event, 0, NULL);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return ask("cudaEventRecord", EXEC_RECORD, (uintptr_t)event, (uintptr_t)stream, NULL);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return ask("cudaEventRecordWithFlags", EXEC_RECORD, (uintptr_t)event, (uintptr_t)stream, NULL);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return ask("cudaEventSynchronize", EXEC_FINISH, (uintptr_t)event, 0, NULL);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return ask("cudaEventQuery", EXEC_FINISH, (uintptr_t)event, 0, NULL); }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    uint64_t nanoseconds = 0;
    const cudaError_t error = ask("cudaEventElapsedTime", EXEC_ELAPSED, (uintptr_t)start, (uintptr_t)end, &nanoseconds);
    *milliseconds = (float)((double)nanoseconds / 1e6);
    return error;
}

/* ---- capture, for cudart_graph.c ------------------------------------------------------------------------------ */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    return ask("cudaStreamBeginCapture", EXEC_CAPTURE, (uintptr_t)stream, 0, NULL);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    uint64_t handle = 0;
    const cudaError_t error = ask("cudaStreamEndCapture", EXEC_CAPTURED, (uintptr_t)stream, 0, &handle);
    *graph = (cudaGraph_t)handle;
    return error;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    uint64_t captured = 0;
    const cudaError_t error = ask("cudaStreamIsCapturing", EXEC_STATE, (uintptr_t)stream, 0, &captured);
    *status = captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return error;
}
