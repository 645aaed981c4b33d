/* The CUDA runtime library as a program sees it (the files cudart_*.c): a shared library with the same names, which
 * forwards all device operations to the simulator's process. It is compiled with the headers of the programs' toolkit,
 * so that the structs match, and shares no file with the grader except wire.h. */
#ifndef EXEC_CUDART_H
#define EXEC_CUDART_H

#include "exec/wire.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- cudart_wire.c: requests ---- */
struct ask {
    const char *call; /* the function's name */
    enum exec_op op;
    uint64_t a[EXEC_ARGUMENTS];
    const void *payload, *more; /* one after the other */
    size_t bytes, more_bytes;
    const void *rows; /* or rows of a host matrix: */
    size_t pitch, width, height;
    void *to; /* destination for data after the answer: rows of `width` bytes if there is a pitch */
    size_t room, to_pitch;
    bool prints;    /* the data is text for standard output */
    int descriptor; /* answer: the file descriptor received with it, or -1 */
    uint64_t answer[4];
};
/* Sends the request with its caller's stack, waits, and processes the answer. Its error becomes the last one. */
cudaError_t cudart_ask(struct ask *q);
/* The library itself rejects the call. `why` is for the report, or NULL. Returns `error`. */
cudaError_t cudart_refuse(const char *call, cudaError_t error, const char *why);
_Noreturn void cudart_missing(const char *call);
const struct exec_device *cudart_device(void);
void cudart_asked(void);       /* the program has read the last error: none is unchecked */
#define CUDART_LAUNCH "<<<>>>" /* the name of a launch, whose result nvcc's code ignores */
/* Maps the file descriptor's memory at that address. */
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
cudaError_t cudart_keep(cudaError_t error); /* sets the last error; success does not change it. Returns it */

/* ---- cudart_seen.c ---- */
/* Whether a call's result is used, at the first of these return addresses. */
bool cudart_seen(const uint64_t *back, unsigned frames);

/* ---- cudart_register.c ---- */
/* The kernel of a host function; NULL and *error if there is none. */
const struct exec_kernel *cudart_kernel(const char *call, const void *function, cudaError_t *error);
/* A variable of the module, from its host symbol. */
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
