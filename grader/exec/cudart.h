/* The CUDA runtime library as a program sees it (the files cudart_*.c): a shared library with the same names, which
 * forwards all device operations to the simulator's process. It is compiled with the headers of the programs' toolkit,
 * so that the structs match, and shares no file with the grader except wire.h. The driver library (driver_*.c) calls
 * the functions declared here, each with the name of the program's call. */
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
    const void *payload, *more; /* data to send, one after the other */
    size_t bytes, more_bytes;
    const void *rows; /* or, in their place, rows of a host matrix */
    size_t pitch, width, height;
    void *to; /* destination for the data after the answer; rows of `width` bytes if there is a pitch */
    size_t room, to_pitch;
    bool prints;    /* the data is text for standard output */
    int descriptor; /* answer: the file descriptor received with it, or -1 */
    uint64_t answer[4];
};
/* Sends the request with its caller's stack, waits, and processes the answer. The answer's error becomes the last
 * error. */
cudaError_t cudart_ask(struct ask *q);
/* Reports that the library itself rejects the call, and returns `error`. `why` is for the report, or NULL. */
cudaError_t cudart_refuse(const char *call, cudaError_t error, const char *why);
_Noreturn void cudart_missing(const char *call);
const struct exec_device *cudart_device(void);
bool cudart_used(void);        /* whether the program has called the runtime, which makes the primary context current */
void cudart_asked(void);       /* records that the program has read the last error, so none is unchecked */
#define CUDART_LAUNCH "<<<>>>" /* the name of a launch, whose result nvcc's code ignores */
/* Maps the file descriptor's memory at that address. */
bool cudart_map(uint64_t address, uint64_t bytes, int descriptor);
void cudart_unmap(uint64_t address, uint64_t bytes);

/* ---- cudart_memory.c ---- */
cudaError_t cudart_allocate(const char *call, void **pointer, size_t bytes, enum exec_memory kind);
cudaError_t cudart_allocate_rows(const char *call, void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudart_release(const char *call, void *pointer, enum exec_free how);
cudaError_t cudart_copy_bytes(const char *call, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                              cudaStream_t stream, bool async);
struct cudart_fill { /* fills rows of elements of 1, 2 or 4 bytes; width in elements, pitch in bytes */
    const char *call;
    void *pointer;
    size_t pitch, width, height;
    uint32_t value, element;
    cudaStream_t stream;
    bool async;
};
cudaError_t cudart_fill(const struct cudart_fill *f);
/* A copy of rows from one place to another. */
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

/* ---- cudart_array.c ---- */
cudaError_t cudart_array_new(const char *call, const struct exec_array *a, cudaArray_t *array);
cudaError_t cudart_array_about(const char *call, const void *array, struct exec_layout *l);
cudaError_t cudart_texture_new(const char *call, const struct exec_texture *x, unsigned long long *object);
cudaError_t cudart_texture_end(const char *call, unsigned long long object, bool surface);
/* One side of a copy: slices of rows, in memory, or in an array at x (bytes), y, z. */
struct cudart_side {
    const void *memory, *array;
    size_t pitch, slice, x, y, z;
};
struct cudart_box {
    const char *call;
    size_t width, height, depth; /* bytes, rows, slices */
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
    bool async;
};
cudaError_t cudart_copy_box(const struct cudart_box *b, const struct cudart_side *to, const struct cudart_side *from);

/* ---- cudart_stream.c: requests about streams and events; *answer, if not NULL, gets the answer ---- */
cudaError_t cudart_order(const char *call, enum exec_op op, uint64_t a, uint64_t b, uint64_t *answer);
cudaError_t cudart_host_call(const char *call, cudaStream_t stream, cudaHostFn_t function, void *data);

/* ---- cudart_device.c ---- */
size_t cudart_resident(const struct exec_kernel *k, size_t threads,
                       size_t dynamic); /* number of blocks that an SM holds */

/* ---- cudart_error.c ---- */
cudaError_t cudart_keep(cudaError_t error); /* sets the last error, unless `error` is success; returns `error` */

/* ---- cudart_seen.c ---- */
/* Whether the code at the first of these return addresses uses a call's result. */
bool cudart_seen(const uint64_t *back, unsigned frames);

/* ---- cudart_register.c ---- */
/* The kernel of a host function. If there is none, returns NULL and sets *error. */
const struct exec_kernel *cudart_kernel(const char *call, const void *function, cudaError_t *error);
/* Finds a module variable by its host symbol. */
cudaError_t cudart_symbol(const char *call, const void *symbol, uint64_t *address, uint64_t *bytes);
const char *cudart_kernel_name(const void *function);
uint64_t cudart_module_new(const void *const *image, const size_t *bytes, unsigned count);
struct cudart_launch {
    const char *call;
    const struct exec_kernel *kernel;
    dim3 grid, block, cluster; /* cluster 0: as the kernel was compiled */
    void **arguments;
    size_t shared;
    cudaStream_t stream;
    bool cooperative;
};
cudaError_t cudart_launch(const struct cudart_launch *l);

/* ---- pointers ---- */
static inline bool cudart_is_shared(const void *p) {
    return (uintptr_t)p >= EXEC_SHARED_BASE && (uintptr_t)p < EXEC_SHARED_END;
}
static inline bool cudart_is_device(const void *p) {
    return ((uintptr_t)p >= EXEC_DEVICE_BASE && (uintptr_t)p < EXEC_SHARED_BASE) || (uintptr_t)p >= EXEC_FAR_BASE;
}
static inline bool cudart_is_host(const void *p) { return !cudart_is_shared(p) && !cudart_is_device(p); }
/* Where kernels access memory that the program registered; NULL if they cannot. */
void *cudart_registered(const void *p);

#endif
