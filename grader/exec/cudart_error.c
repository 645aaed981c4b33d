/* The last error of each thread, and the names and descriptions of errors. */
#include "exec/cudart.h"

static __thread cudaError_t last;

cudaError_t cudart_keep(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last = error;
    return error;
}
cudaError_t cudaGetLastError(void) {
    const cudaError_t error = last;
    last = cudaSuccess;
    cudart_asked();
    return error;
}
cudaError_t cudaPeekAtLastError(void) {
    cudart_asked();
    return last;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define RUNTIME(number, name, text) {name, #name, text},
#define BOTH(number, name, driver, text) RUNTIME(number, name, text)
#include "exec/errors.def"
};
#define RUNTIME(number, name, text) _Static_assert(name == number, "errors.def");
#define BOTH(number, name, driver, text) RUNTIME(number, name, text)
#include "exec/errors.def"
const char *cudaGetErrorName(cudaError_t error) {
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].error == error) return errors[k].name;
    return "unrecognized error code";
}
const char *cudaGetErrorString(cudaError_t error) {
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].error == error) return errors[k].text;
    return "unrecognized error code";
}
