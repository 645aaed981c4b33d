/* CUDA's run-time library, as a program sees it (the files cudart_*.c): a shared library with its names, which asks the
 * simulator's process for all that a device does. It is compiled with the headers of the toolkit whose programs it is
 * for, so that structs are theirs, and shares no file with the grader but wire.h. */
#ifndef EXEC_CUDART_H
#define EXEC_CUDART_H

#include "exec/wire.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- cudart_wire.c: asking ---- */
struct ask {
    const char *call; /* the function's name */
    enum exec_op op;
    uint64_t a[EXEC_ARGUMENTS];
    const void *payload, *more; /* one behind the other */
    size_t bytes, more_bytes;
    const void *rows; /* or rows of a host's matrix: */
    size_t pitch, width, height;
    void *to; /* for what follows the answer: rows of `width` bytes, if there is a pitch */
    size_t room, to_pitch;
    bool prints;    /* what follows is text for standard output */
    int descriptor; /* answer: what came with it, or -1 */
    uint64_t answer[4];
};
/* Sends the request with the stack of its caller, waits, and does what the answer says. Its error becomes the last one.
 */
cudaError_t cudart_ask(struct ask *q);
/* The library itself refuses the call. `why` is for the report, or NULL. Returns `error`. */
cudaError_t cudart_refuse(const char *call, cudaError_t error, const char *why);
_Noreturn void cudart_missing(const char *call);
const struct exec_device *cudart_device(void);
void cudart_asked(void);       /* the program has asked for the last error: there is none that it has not seen */
#define CUDART_LAUNCH "<<<>>>" /* the call of a launch whose result nvcc's code drops */
/* The memory at that address of the process is that which the descriptor names. */
bool cudart_map(uint64_t address, uint64_t bytes, int descriptor);
void cudart_unmap(uint64_t address, uint64_t bytes);

/* ---- cudart_memory.c: rows from one place to another ---- */
struct cudart_copy {
    const char *call;
    void *dst;
    const void *src;
    size_t dpitch, spitch, width, height;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
    bool async, to_array, from_array;
};
cudaError_t cudart_copy(const struct cudart_copy *c);

/* ---- cudart_error.c ---- */
cudaError_t cudart_keep(cudaError_t error); /* as the last one; success changes nothing. Returns it */

/* ---- cudart_seen.c ---- */
/* Is what a call returns used, at the first of these places that it returns to? */
bool cudart_seen(const uint64_t *back, unsigned frames);

/* ---- cudart_register.c ---- */
/* The kernel of a host function; NULL and *error: there is none. */
const struct exec_kernel *cudart_kernel(const char *call, const void *function, cudaError_t *error);
/* A variable of the module by its host's side. */
cudaError_t cudart_symbol(const char *call, const void *symbol, uint64_t *address, uint64_t *bytes);
const char *cudart_kernel_name(const void *function);

/* ---- pointers ---- */
static inline bool cudart_is_shared(const void *p) {
    return (uintptr_t)p >= EXEC_SHARED_BASE && (uintptr_t)p < EXEC_SHARED_END;
}
static inline bool cudart_is_device(const void *p) {
    return ((uintptr_t)p >= EXEC_DEVICE_BASE && (uintptr_t)p < EXEC_SHARED_BASE) || (uintptr_t)p >= EXEC_FAR_BASE;
}
static inline bool cudart_is_host(const void *p) { return !cudart_is_shared(p) && !cudart_is_device(p); }

#endif
