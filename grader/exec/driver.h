/* The CUDA driver library as a program sees it (the files driver_*.c, a shared library beside the runtime's): it turns
 * calls of the driver API into the requests that the runtime makes, with its own names, and keeps what the runtime does
 * not have: contexts, modules and functions. An error has the same number in both APIs. */
#ifndef EXEC_DRIVER_H
#define EXEC_DRIVER_H

#include "exec/cudart.h"
#include <cuda.h>

/* Whether the driver is initialized and a context is current: reports what is missing, and returns its error. */
CUresult driver_enter(const char *call);
static inline CUresult driver_result(cudaError_t error) { return (CUresult)error; }
static inline CUresult driver_refuse(const char *call, CUresult error, const char *why) {
    return driver_result(cudart_refuse(call, (cudaError_t)error, why));
}
static inline void *driver_pointer(CUdeviceptr p) { return (void *)(uintptr_t)p; }
/* Returns from a function of the API unless it may go on. */
#define DRIVER_ENTER(call)                                                                                             \
    do {                                                                                                               \
        const CUresult entered = driver_enter(call);                                                                   \
        if (entered) return entered;                                                                                   \
    } while (0)
/* The same if a pointer through which it answers is NULL. */
#define DRIVER_NEEDS(call, condition)                                                                                  \
    do {                                                                                                               \
        if (!(condition)) return driver_refuse(call, CUDA_ERROR_INVALID_VALUE, NULL);                                  \
    } while (0)

/* What the handles of functions and kernels point to. */
struct driver_function {
    struct exec_kernel kernel;
    CUmodule module;
    struct driver_function *next;
    size_t dynamic; /* the most dynamic shared memory that was asked for; 0: the usual one */
    char name[];
};

#endif
