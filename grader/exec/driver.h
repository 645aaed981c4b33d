/* The CUDA driver library as a program sees it (the files driver_*.c): a shared library in addition to the runtime's.
 * It turns calls of the driver API into the requests that the runtime makes, but with its own names of calls. It keeps
 * what the runtime does not have: contexts, modules and functions. An error has the same number in both APIs. */
#ifndef EXEC_DRIVER_H
#define EXEC_DRIVER_H

#include "exec/cudart.h"
#include <cuda.h>

/* Checks that the driver is initialized and a context is current. If not, reports what is missing and returns the
 * error. */
CUresult driver_enter(const char *call);
static inline CUresult driver_result(cudaError_t error) { return (CUresult)error; }
static inline CUresult driver_refuse(const char *call, CUresult error, const char *why) {
    return driver_result(cudart_refuse(call, (cudaError_t)error, why));
}
static inline void *driver_pointer(CUdeviceptr p) { return (void *)(uintptr_t)p; }
/* Returns from a function of the API unless driver_enter() succeeds. */
#define DRIVER_ENTER(call)                                                                                             \
    do {                                                                                                               \
        const CUresult entered = driver_enter(call);                                                                   \
        if (entered) return entered;                                                                                   \
    } while (0)
/* Returns from a function of the API unless its arguments are valid. */
#define DRIVER_NEEDS(call, condition)                                                                                  \
    do {                                                                                                               \
        if (!(condition)) return driver_refuse(call, CUDA_ERROR_INVALID_VALUE, NULL);                                  \
    } while (0)

/* The handles of functions and kernels point to this. */
struct driver_function {
    struct exec_kernel kernel;
    CUmodule module;
    struct driver_function *next;
    size_t dynamic; /* the maximum dynamic shared memory that the program has set; 0: the default */
    char name[];
};

#endif
