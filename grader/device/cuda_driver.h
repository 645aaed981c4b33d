/* Declarations of the parts of the CUDA driver API that cuda.c uses, because the toolkit's headers may not be
 * installed. Source: CUDA Driver API reference. */
#ifndef DEVICE_CUDA_DRIVER_H
#define DEVICE_CUDA_DRIVER_H

#include "device/device.h"

typedef int result;
typedef unsigned long long address;
enum { SUCCESS = 0, OUT_OF_MEMORY = 2, NO_DEVICE = 100, NOT_READY = 600 };
enum { UNSUPPORTED_LIMIT = 215, TOO_MANY_BLOCKS = 720, NOT_SUPPORTED = 801, PERSISTING_BYTES = 6 };
enum {
    MULTIPROCESSORS = 16,
    MEMORY_KILOHERTZ = 36,
    MEMORY_BUS_BITS = 37,
    MULTIPROCESSOR_THREADS = 39,
    CAPABILITY_MAJOR = 75,
    CAPABILITY_MINOR = 76,
    COOPERATIVE = 95
};
enum { NO_BINARY = 209, NO_JIT_COMPILER = 221, NEWER_PTX = 222, NO_JIT = 223 };
enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6, JIT_LEVEL = 7, JIT_LINES = 13, INPUT_PTX = 1, DYNAMIC_SHARED = 8 };
enum { LARGE_CLUSTERS = 14, CLUSTER_DIMENSION = 4, PORTABLE_CLUSTER = 8 };
enum { APART_FROM_DEFAULT_STREAM = 1, CAPTURE_RELAXED = 2 };
#define FUNCTIONS(F)                                                                                                   \
    F(init, "cuInit", unsigned)                                                                                        \
    F(device_get, "cuDeviceGet", int *, int)                                                                           \
    F(device_name, "cuDeviceGetName", char *, int, int)                                                                \
    F(device_attribute, "cuDeviceGetAttribute", int *, int, int)                                                       \
    F(context_retain, "cuDevicePrimaryCtxRetain", void **, int)                                                        \
    F(context_set, "cuCtxSetCurrent", void *)                                                                          \
    F(context_wait, "cuCtxSynchronize", void)                                                                          \
    F(context_limit, "cuCtxSetLimit", int, size_t)                                                                     \
    F(context_reset, "cuCtxResetPersistingL2Cache", void)                                                              \
    F(error_string, "cuGetErrorString", result, const char **)                                                         \
    F(link_create, "cuLinkCreate_v2", unsigned, int *, void **, void **)                                               \
    F(link_add, "cuLinkAddData_v2", void *, int, void *, size_t, const char *, unsigned, int *, void **)               \
    F(link_complete, "cuLinkComplete", void *, void **, size_t *)                                                      \
    F(link_destroy, "cuLinkDestroy", void *)                                                                           \
    F(module_load, "cuModuleLoadData", void **, const void *)                                                          \
    F(module_unload, "cuModuleUnload", void *)                                                                         \
    F(module_function, "cuModuleGetFunction", void **, void *, const char *)                                           \
    F(module_variable, "cuModuleGetGlobal_v2", address *, size_t *, void *, const char *)                              \
    F(function_set, "cuFuncSetAttribute", void *, int, int)                                                            \
    F(memory, "cuMemGetInfo_v2", size_t *, size_t *)                                                                   \
    F(allocate, "cuMemAlloc_v2", address *, size_t)                                                                    \
    F(release, "cuMemFree_v2", address)                                                                                \
    F(fill, "cuMemsetD8_v2", address, unsigned char, size_t)                                                           \
    F(to_device, "cuMemcpyHtoD_v2", address, const void *, size_t)                                                     \
    F(on_device, "cuMemcpyDtoD_v2", address, address, size_t)                                                          \
    F(from_device, "cuMemcpyDtoH_v2", void *, address, size_t)                                                         \
    F(launch, "cuLaunchKernel", void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,  \
      void **, void **)                                                                                                \
    F(launch_together, "cuLaunchCooperativeKernel", void *, unsigned, unsigned, unsigned, unsigned, unsigned,          \
      unsigned, unsigned, void *, void **)                                                                             \
    F(resident, "cuOccupancyMaxActiveBlocksPerMultiprocessor", int *, void *, int, size_t)                             \
    F(event_create, "cuEventCreate", void **, unsigned)                                                                \
    F(event_record, "cuEventRecord", void *, void *)                                                                   \
    F(event_query, "cuEventQuery", void *)                                                                             \
    F(event_elapsed, "cuEventElapsedTime", float *, void *, void *)                                                    \
    F(event_destroy, "cuEventDestroy_v2", void *)
/* Functions of driver 11.4 and later; NULL in older drivers. */
#define GRAPH_FUNCTIONS(F)                                                                                             \
    F(stream_create, "cuStreamCreate", void **, unsigned)                                                              \
    F(stream_destroy, "cuStreamDestroy_v2", void *)                                                                    \
    F(capture_begin, "cuStreamBeginCapture_v2", void *, int)                                                           \
    F(capture_end, "cuStreamEndCapture", void *, void **)                                                              \
    F(graph_prepare, "cuGraphInstantiateWithFlags", void **, void *, unsigned long long)                               \
    F(graph_upload, "cuGraphUpload", void *, void *)                                                                   \
    F(graph_launch, "cuGraphLaunch", void *, void *)                                                                   \
    F(graph_destroy, "cuGraphDestroy", void *)                                                                         \
    F(prepared_destroy, "cuGraphExecDestroy", void *)
/* CUlaunchConfig and the only launch attribute that cuda.c uses. */
struct launch_attribute {
    uint32_t id, unused, value[16];
};
struct launch_config {
    uint32_t grid[3], block[3], dynamic_shared;
    void *stream;
    struct launch_attribute *attribute;
    uint32_t attributes;
};
#define DECLARE(name, symbol, ...) result (*name)(__VA_ARGS__);
struct driver {
    FUNCTIONS(DECLARE)
    GRAPH_FUNCTIONS(DECLARE)
    int device;
    void *context;
    /* functions of driver 11.8 and later; NULL in older drivers */
    result (*launch_extended)(const struct launch_config *, void *, void **, void **);
    result (*clusters)(int *, void *, const struct launch_config *);
    bool lost; /* whether a launch did not finish or corrupted the context */
    enum device_status status;
    char message[512]; /* why the driver cannot be used */
};

#endif
