/* Streams and events, whose handles are those of the runtime. */
#include "exec/driver.h"

static CUresult order(const char *call, enum exec_op op, const void *a, const void *b, uint64_t *answer) {
    DRIVER_ENTER(call);
    return driver_result(cudart_order(call, op, (uintptr_t)a, (uintptr_t)b, answer));
}
static CUresult make(const char *call, enum exec_op op, unsigned flags, void *to) {
    uint64_t handle = 0;
    const CUresult error = order(call, op, (const void *)(uintptr_t)flags, NULL, &handle);
    if (!error) *(uint64_t *)to = handle;
    return error;
}

/* ---- streams --------------------------------------------------------------------------------- */
CUresult cuStreamCreate(CUstream *stream, unsigned flags) { return make("cuStreamCreate", EXEC_STREAM, flags, stream); }
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    return make("cuStreamCreateWithPriority", EXEC_STREAM, flags, stream);
}
CUresult cuStreamDestroy(CUstream stream) { return order("cuStreamDestroy", EXEC_FORGET, stream, NULL, NULL); }
CUresult cuStreamSynchronize(CUstream stream) { return order("cuStreamSynchronize", EXEC_FINISH, stream, NULL, NULL); }
CUresult cuStreamQuery(CUstream stream) { return order("cuStreamQuery", EXEC_FINISH, stream, NULL, NULL); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    return order("cuStreamWaitEvent", EXEC_WAIT, event, stream, NULL);
}
CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
    DRIVER_ENTER("cuStreamGetFlags");
    *flags = 0;
    return CUDA_SUCCESS;
}
CUresult cuStreamGetPriority(CUstream stream, int *priority) {
    DRIVER_ENTER("cuStreamGetPriority");
    *priority = 0;
    return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) { return cuCtxGetCurrent(context); }
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes, unsigned flags) { return CUDA_SUCCESS; }
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void *data, unsigned flags) {
    const CUresult error = order("cuStreamAddCallback", EXEC_FINISH, stream, NULL, NULL);
    function(stream, error, data);
    return CUDA_SUCCESS;
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
    DRIVER_ENTER("cuLaunchHostFunc");
    return driver_result(cudart_host_call("cuLaunchHostFunc", stream, function, data));
}

/* ---- events ---------------------------------------------------------------------------------- */
CUresult cuEventCreate(CUevent *event, unsigned flags) { return make("cuEventCreate", EXEC_EVENT, flags, event); }
CUresult cuEventDestroy(CUevent event) { return order("cuEventDestroy", EXEC_FORGET, event, NULL, NULL); }
CUresult cuEventRecord(CUevent event, CUstream stream) {
    return order("cuEventRecord", EXEC_RECORD, event, stream, NULL);
}
CUresult cuEventSynchronize(CUevent event) { return order("cuEventSynchronize", EXEC_FINISH, event, NULL, NULL); }
CUresult cuEventQuery(CUevent event) { return order("cuEventQuery", EXEC_FINISH, event, NULL, NULL); }
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    uint64_t nanoseconds = 0;
    const CUresult error = order("cuEventElapsedTime", EXEC_ELAPSED, start, end, &nanoseconds);
    *milliseconds = (float)((double)nanoseconds / 1e6);
    return error;
}

/* ---- the profiler, which has no effect in the simulator -------------------------------------- */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
