/* Streams, events and captured graphs. Their handles are numbers that the simulator's process assigns. */
#include "exec/cudart.h"
#include <string.h>

cudaError_t cudart_order(const char *call, enum exec_op op, uint64_t a, uint64_t b, uint64_t *answer) {
    struct ask q = {.call = call, .op = op, .a = {a, b}, .prints = true};
    const cudaError_t error = cudart_ask(&q);
    if (answer) *answer = q.answer[0];
    return error;
}

/* ---- streams --------------------------------------------------------------------------------------- */
static cudaError_t make_stream(const char *call, cudaStream_t *stream, unsigned flags) {
    uint64_t handle = 0;
    const cudaError_t error = cudart_order(call, EXEC_STREAM, flags, 0, &handle);
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
    return cudart_order("cudaStreamDestroy", EXEC_FORGET, (uintptr_t)stream, 0, NULL);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return cudart_order("cudaStreamSynchronize", EXEC_FINISH, (uintptr_t)stream, 0, NULL);
}
/* The simulator completes all work before it answers, so a stream is always ready. */
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cudart_order("cudaStreamQuery", EXEC_FINISH, (uintptr_t)stream, 0, NULL);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return cudart_order("cudaStreamWaitEvent", EXEC_WAIT, (uintptr_t)event, (uintptr_t)stream, NULL);
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
/* Calls the host function directly, because all earlier work in the stream is complete. */
cudaError_t cudart_host_call(const char *call, cudaStream_t stream, cudaHostFn_t function, void *data) {
    uint64_t captured;
    const cudaError_t error = cudart_order(call, EXEC_STATE, (uintptr_t)stream, 0, &captured);
    if (error) return error;
    if (captured) cudart_missing("cudaLaunchHostFunc in a stream that is captured: cudaGraphAddHostNode");
    cudart_order(call, EXEC_FINISH, (uintptr_t)stream, 0, NULL);
    function(data);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    return cudart_host_call("cudaLaunchHostFunc", stream, function, data);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags) {
    const cudaError_t error = cudart_order("cudaStreamAddCallback", EXEC_FINISH, (uintptr_t)stream, 0, NULL);
    function(stream, error, data);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
    return cudart_order("cudaDeviceSynchronize", EXEC_FINISH, EXEC_ALL, 0, NULL);
}

/* ---- events ----------------------------------------------------------------------------------------- */
static cudaError_t make_event(const char *call, cudaEvent_t *event, unsigned flags) {
    uint64_t handle = 0;
    const cudaError_t error = cudart_order(call, EXEC_EVENT, flags, 0, &handle);
    *event = (cudaEvent_t)handle;
    return error;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return make_event("cudaEventCreate", event, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    return make_event("cudaEventCreateWithFlags", event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return cudart_order("cudaEventDestroy", EXEC_FORGET, (uintptr_t)event, 0, NULL);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudart_order("cudaEventRecord", EXEC_RECORD, (uintptr_t)event, (uintptr_t)stream, NULL);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return cudart_order("cudaEventRecordWithFlags", EXEC_RECORD, (uintptr_t)event, (uintptr_t)stream, NULL);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return cudart_order("cudaEventSynchronize", EXEC_FINISH, (uintptr_t)event, 0, NULL);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudart_order("cudaEventQuery", EXEC_FINISH, (uintptr_t)event, 0, NULL);
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    uint64_t nanoseconds = 0;
    const cudaError_t error =
        cudart_order("cudaEventElapsedTime", EXEC_ELAPSED, (uintptr_t)start, (uintptr_t)end, &nanoseconds);
    *milliseconds = (float)((double)nanoseconds / 1e6);
    return error;
}

/* ---- capture, for cudart_graph.c ------------------------------------------------------------------------------ */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    return cudart_order("cudaStreamBeginCapture", EXEC_CAPTURE, (uintptr_t)stream, 0, NULL);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    uint64_t handle = 0;
    const cudaError_t error = cudart_order("cudaStreamEndCapture", EXEC_CAPTURED, (uintptr_t)stream, 0, &handle);
    *graph = (cudaGraph_t)handle;
    return error;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    uint64_t captured = 0;
    const cudaError_t error = cudart_order("cudaStreamIsCapturing", EXEC_STATE, (uintptr_t)stream, 0, &captured);
    *status = captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return error;
}
