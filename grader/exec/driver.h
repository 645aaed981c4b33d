/* The CUDA driver library that programs use on the simulator (driver_*.c). It is a shared library separate from the
 * runtime. It makes the same requests as the runtime, but with the names of driver calls. It implements what the
 * runtime lacks, such as contexts, modules, virtual memory and tensor maps. Errors that exist in both APIs have the
 * same numbers in both (errors.def); cudart_wire.c converts the others. */
#ifndef EXEC_DRIVER_H
#define EXEC_DRIVER_H

#include "exec/cudart.h"
#include <cuda.h>

/* Checks that the driver is initialized and that a context is current. If not, reports the error and returns it. */
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

#endif
