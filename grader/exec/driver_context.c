/* Initialization, devices and contexts. All contexts share the device's memory. */
#include "exec/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUctx_st {
    bool primary, alive;
    unsigned flags;
};
enum { MAX_DEPTH = 64, API_VERSION = 3020 };
static bool initialized;
static struct CUctx_st primary = {.primary = true};
static unsigned primary_users, contexts;
static __thread struct CUctx_st *stack[MAX_DEPTH];
static __thread unsigned depth;

static CUresult initialize(const char *call) {
    initialized |= cudart_used();
    return initialized ? CUDA_SUCCESS
                       : driver_refuse(call, CUDA_ERROR_NOT_INITIALIZED, "The driver API is used before cuInit().");
}
static struct CUctx_st *current(void) {
    if (!depth && cudart_used()) primary.alive = true, stack[depth++] = &primary;
    return depth ? stack[depth - 1] : NULL;
}
CUresult driver_enter(const char *call) {
    const CUresult error = initialize(call);
    if (error) return error;
    if (current() && current()->alive) return CUDA_SUCCESS;
    return driver_refuse(call, CUDA_ERROR_INVALID_CONTEXT,
                         "No context is current in this thread: call cuCtxCreate(), or cuDevicePrimaryCtxRetain() "
                         "and then cuCtxSetCurrent().");
}
static CUresult of_device(const char *call, CUdevice device) {
    const CUresult error = initialize(call);
    if (error || !device) return error;
    return driver_refuse(call, CUDA_ERROR_INVALID_DEVICE, "There is one device, number 0.");
}

/* ---- devices --------------------------------------------------------------------------------- */
CUresult cuInit(unsigned flags) {
    DRIVER_NEEDS("cuInit", !flags);
    initialized = true;
    return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) {
    DRIVER_NEEDS("cuDriverGetVersion", version);
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
    const CUresult error = initialize("cuDeviceGetCount");
    if (!error) *count = 1;
    return error;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    const CUresult error = of_device("cuDeviceGet", ordinal);
    if (!error) *device = 0;
    return error;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    const CUresult error = of_device("cuDeviceGetName", device);
    if (!error && length > 0) snprintf(name, (size_t)length, "%s", cudart_device()->name);
    return error;
}
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    const CUresult error = of_device("cuDeviceGetUuid", device);
    if (!error) memset(uuid, 0, sizeof *uuid);
    return error;
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    const CUresult error = of_device("cuDeviceTotalMem", device);
    if (!error) *bytes = cudart_device()->memory;
    return error;
}
/* Device attributes have the same numbers in both APIs. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    const CUresult error = of_device("cuDeviceGetAttribute", device);
    return error ? error : driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    const CUresult error = of_device("cuDeviceComputeCapability", device);
    if (!error) *major = (int)cudart_device()->major, *minor = (int)cudart_device()->minor;
    return error;
}
CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice device) {
    const CUresult error = of_device("cuDeviceGetPCIBusId", device);
    return error ? error : driver_result(cudaDeviceGetPCIBusId(text, size, device));
}
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    const CUresult error = of_device("cuDeviceCanAccessPeer", device);
    if (!error) *can = 0;
    return error;
}

/* ---- contexts -------------------------------------------------------------------------------- */
static CUresult push(const char *call, CUcontext context) {
    if (!context || depth == MAX_DEPTH) return driver_refuse(call, CUDA_ERROR_INVALID_CONTEXT, NULL);
    stack[depth++] = context;
    return CUDA_SUCCESS;
}
static CUresult create(CUcontext *context, unsigned flags, CUdevice device) {
    static const char call[] = "cuCtxCreate";
    const CUresult error = of_device(call, device);
    if (error) return error;
    struct CUctx_st *c = calloc(1, sizeof *c);
    if (!c) return driver_refuse(call, CUDA_ERROR_OUT_OF_MEMORY, NULL);
    c->alive = true, c->flags = flags, contexts++;
    *context = c;
    return push(call, c);
}
#if CUDA_VERSION >= 13000
CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device) {
    return create(context, flags, device);
}
#else
CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) { return create(context, flags, device); }
#endif
/* Resets the device, which frees its memory, if no context is left. */
static CUresult end(const char *call) {
    struct ask q = {.call = call, .op = EXEC_RESET};
    return contexts + primary_users ? CUDA_SUCCESS : driver_result(cudart_ask(&q));
}
CUresult cuCtxDestroy(CUcontext context) {
    static const char call[] = "cuCtxDestroy";
    if (!context || context->primary || !context->alive) return driver_refuse(call, CUDA_ERROR_INVALID_CONTEXT, NULL);
    context->alive = false, contexts--;
    if (depth && stack[depth - 1] == context) depth--;
    return end(call);
}
CUresult cuCtxPushCurrent(CUcontext context) { return push("cuCtxPushCurrent", context); }
CUresult cuCtxPopCurrent(CUcontext *context) {
    if (!current()) return driver_refuse("cuCtxPopCurrent", CUDA_ERROR_INVALID_CONTEXT, NULL);
    depth--;
    if (context) *context = stack[depth];
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
    if (depth) depth--;
    return context ? push("cuCtxSetCurrent", context) : CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *context) {
    const CUresult error = initialize("cuCtxGetCurrent");
    if (!error) *context = current();
    return error;
}
CUresult cuCtxGetDevice(CUdevice *device) {
    DRIVER_ENTER("cuCtxGetDevice");
    *device = 0;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned *flags) {
    DRIVER_ENTER("cuCtxGetFlags");
    *flags = current()->flags;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
    *version = API_VERSION;
    return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(void) {
    DRIVER_ENTER("cuCtxSynchronize");
    return driver_result(cudart_finish("cuCtxSynchronize"));
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    DRIVER_ENTER("cuCtxSetLimit");
    return CUDA_SUCCESS;
}
CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
    DRIVER_ENTER("cuCtxGetLimit");
    return driver_result(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}
CUresult cuCtxSetCacheConfig(CUfunc_cache c) {
    DRIVER_ENTER("cuCtxSetCacheConfig");
    return CUDA_SUCCESS;
}
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    DRIVER_ENTER("cuCtxGetStreamPriorityRange");
    return driver_result(cudaDeviceGetStreamPriorityRange(least, greatest));
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    const CUresult error = of_device("cuDevicePrimaryCtxRetain", device);
    if (error) return error;
    primary.alive = true, primary_users++;
    *context = &primary;
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    static const char call[] = "cuDevicePrimaryCtxRelease";
    if (!primary_users) return driver_refuse(call, CUDA_ERROR_INVALID_CONTEXT, NULL);
    if (--primary_users || cudart_used()) return CUDA_SUCCESS;
    primary.alive = false;
    return end(call);
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    struct ask q = {.call = "cuDevicePrimaryCtxReset", .op = EXEC_RESET};
    return driver_result(cudart_ask(&q));
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    primary.flags = flags;
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    *flags = primary.flags, *active = primary.alive;
    return CUDA_SUCCESS;
}

/* ---- errors ---------------------------------------------------------------------------------- */
static const struct {
    CUresult error;
    const char *name, *text;
} errors[] = {
#define RUNTIME(number, name, text)
#define BOTH(number, runtime, name, text) {name, #name, text},
#include "exec/errors.def"
};
#define RUNTIME(number, name, text)
#define BOTH(number, runtime, name, text) _Static_assert(name == number, "driver.h: errors have the same numbers");
#include "exec/errors.def"
static CUresult find_error(CUresult error, const char **name, const char **text) {
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].error == error) return *name = errors[k].name, *text = errors[k].text, CUDA_SUCCESS;
    return *name = *text = NULL, CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorName(CUresult error, const char **name) {
    const char *text;
    return find_error(error, name, &text);
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    const char *name;
    return find_error(error, &name, text);
}
