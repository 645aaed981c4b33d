/* The CUDA runtime library that programs use on the simulator (cudart_*.c). This shared library has the same soname and
 * symbols as NVIDIA's library, and forwards all device operations to the simulator's process. It is compiled with the
 * headers of the programs' toolkit, so that the structs match. The driver library (driver_*.c) calls the functions
 * declared here and passes the name of the program's call. */
#ifndef EXEC_CUDART_H
#define EXEC_CUDART_H

#include "exec/wire.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- cudart_wire.c: requests ---- */
struct ask {
    const char *call; /* name of the program's call */
    enum exec_op op;
    uint64_t a[EXEC_ARGUMENTS];
    const void *payload, *more; /* data to send: first `payload`, then `more` */
    size_t bytes, more_bytes;
    const void *rows; /* data to send instead: rows of a host matrix */
    size_t pitch, width, height;
    void *to; /* where to store the data in the answer; rows of `width` bytes if to_pitch is not 0 */
    size_t room, to_pitch;
    bool prints;    /* whether to print the data to standard output */
    int descriptor; /* file descriptor that came with the answer, or -1 */
    uint64_t answer[4];
};
/* Sends a request with the stack of the program's call, waits for the answer, and processes it. If the answer contains
 * an error, stores it as the last error, unless the call belongs to the driver API. */
cudaError_t cudart_ask(struct ask *q);
/* A location in the program: a call stack, innermost frame first, as offsets into the executable. */
struct cudart_site {
    uint64_t frame[EXEC_FRAMES];
    uint32_t frames;
};
void cudart_site(struct cudart_site *s); /* stores the current location */
/* Sets the location that findings from this thread's requests name. NULL means the current location. Returns the
 * previous value. */
const struct cudart_site *cudart_site_use(const struct cudart_site *s);
/* Records that the library itself rejects a call. `why` is the text of a finding, or NULL for none. Returns `error` or,
 * for a call of the driver API, the corresponding error of that API. */
cudaError_t cudart_refuse(const char *call, cudaError_t error, const char *why);
/* Ends the program. `about` describes the purpose of the call, such as "multiple devices", or is NULL. */
_Noreturn void cudart_missing(const char *call, const char *about);
const struct exec_device *cudart_device(void);
/* Returns whether the program has called the runtime, whose first call makes the primary context current. */
bool cudart_used(void);
/* Records that the program has read the last error, so that it is not reported as unchecked. */
void cudart_asked(void);
#define CUDART_LAUNCH "<<<>>>" /* name of the call for a launch, whose result nvcc's code ignores */
/* Maps the memory of a file descriptor at the address and closes the descriptor. Returns whether this succeeded. */
bool cudart_map(uint64_t address, uint64_t bytes, int descriptor);
void cudart_unmap(uint64_t address, uint64_t bytes);

/* ---- cudart_memory.c ---- */
cudaError_t cudart_allocate(const char *call, void **pointer, size_t bytes, enum exec_memory kind);
cudaError_t cudart_allocate_rows(const char *call, void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudart_release(const char *call, void *pointer, enum exec_free how);
/* Stream-ordered allocation and free; `pool` is NULL for the current pool. */
cudaError_t cudart_allocate_ordered(const char *call, void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudart_release_ordered(const char *call, void *pointer, cudaStream_t stream);
/* Marks memory as owned by a graph, so that the program need not free it. */
cudaError_t cudart_lend(const char *call, void *pointer);
cudaError_t cudart_copy_bytes(const char *call, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                              cudaStream_t stream, bool async);
struct cudart_fill { /* a fill of rows, whose elements have 1, 2 or 4 bytes; width: elements per row; pitch: bytes */
    const char *call;
    void *pointer;
    size_t pitch, width, height;
    uint32_t value, element;
    cudaStream_t stream;
    bool async;
};
cudaError_t cudart_fill(const struct cudart_fill *f);
/* A copy of the rows of a matrix. */
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

/* ---- cudart_pool.c: the memory that pools have in use; `pool` is NULL for the current pool ---- */
void cudart_pool_take(cudaMemPool_t pool, const void *pointer, size_t bytes);
void cudart_pool_return(const void *pointer);

/* ---- cudart_array.c ---- */
cudaError_t cudart_array_new(const char *call, const struct exec_array *a, cudaArray_t *array);
cudaError_t cudart_array_about(const char *call, const void *array, struct exec_layout *l);
cudaError_t cudart_texture_new(const char *call, const struct exec_texture *x, unsigned long long *object);
cudaError_t cudart_texture_end(const char *call, unsigned long long object, bool surface);
/* The source or destination of a copy, which has slices that consist of rows: memory, or the part of an array that
 * begins at x (in bytes), y and z. */
struct cudart_side {
    const void *memory, *array;
    size_t pitch, slice, x, y, z;
};
struct cudart_box {
    const char *call;
    size_t width, height, depth; /* size in bytes, rows and slices */
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
    bool async;
};
cudaError_t cudart_copy_box(const struct cudart_box *b, const struct cudart_side *to, const struct cudart_side *from);

/* ---- cudart_stream.c: requests about streams and events; *answer, if not NULL, gets the answer ---- */
/* Returns whether the default stream and the stream wait for each other. */
bool cudart_stream_blocks(cudaStream_t stream);
cudaError_t cudart_order(const char *call, enum exec_op op, uint64_t a, uint64_t b, uint64_t *answer);
/* Waits for the whole device. */
cudaError_t cudart_finish(const char *call);
cudaError_t cudart_host_call(const char *call, cudaStream_t stream, cudaHostFn_t function, void *data);

/* ---- cudart_device.c ---- */
/* Returns the number of blocks of `threads` threads and `dynamic` bytes of dynamic shared memory that an SM can
 * hold. */
size_t cudart_resident(const struct exec_kernel *k, size_t threads, size_t dynamic);
/* Sets a limit of a kernel's launches. */
cudaError_t cudart_limit(const char *call, struct exec_kernel *k, enum exec_limit limit, int value);

/* ---- cudart_error.c ---- */
/* Stores `error` as the last error, unless it is cudaSuccess or cudaErrorNotReady. Returns `error`. */
cudaError_t cudart_keep(cudaError_t error);

/* ---- cudart_seen.c ---- */
/* Returns whether the program uses the result of a call. `back` contains the call's return addresses, innermost
 * first. */
bool cudart_seen(const uint64_t *back, unsigned frames);

/* ---- cudart_register.c ---- */
/* Returns the kernel that a host function stands for. If there is none, returns NULL and sets *error. */
struct exec_kernel *cudart_kernel(const char *call, const void *function, cudaError_t *error);
/* Finds the module variable that belongs to a host symbol. */
cudaError_t cudart_symbol(const char *call, const void *symbol, uint64_t *address, uint64_t *bytes);
const char *cudart_kernel_name(const void *function);
/* Registers the images of a module. Loads them immediately if `call` is not "", otherwise at the first use. */
cudaError_t cudart_module_new(const char *call, const void *const *image, const size_t *bytes, unsigned count,
                              uint64_t *module);
/* Registers `host` as the handle of the kernel or variable with this name. */
void cudart_register(uint64_t module, const void *host, const char *name, bool variable);
struct cudart_launch {
    const char *call;
    const void *function; /* host function of the kernel; NULL for a function of the driver API */
    const struct exec_kernel *kernel;
    dim3 grid, block, cluster; /* cluster: 0 keeps the compiled size */
    void **arguments;
    size_t shared;
    cudaStream_t stream;
    bool cooperative, overlaps; /* overlaps: programmaticStreamSerializationAllowed */
};
cudaError_t cudart_launch(const struct cudart_launch *l);
void cudart_launch_attribute(struct cudart_launch *l, cudaLaunchAttributeID name, const cudaLaunchAttributeValue *v);

/* ---- cudart_library.c ---- */
/* The target of handles of functions and kernels in the driver API, and of cudaFunction_t. */
struct driver_function {
    struct exec_kernel kernel;
    struct CUmod_st *module;
    struct driver_function *next;
    char name[];
};
/* Returns the size of an image of device code, or 0 if it is machine code. If *image is a wrapper that nvcc created,
 * replaces it with the fat binary in the wrapper. */
size_t cudart_image_bytes(const void **image);
/* Returns the NUL-terminated contents of a file, or NULL. The caller frees them. */
char *cudart_file_text(const char *path, size_t *bytes);

/* ---- pointers ---- */
static inline bool cudart_is_shared(const void *p) {
    return (uintptr_t)p >= EXEC_SHARED_BASE && (uintptr_t)p < EXEC_SHARED_END;
}
static inline bool cudart_is_device(const void *p) {
    return ((uintptr_t)p >= EXEC_DEVICE_BASE && (uintptr_t)p < EXEC_SHARED_BASE) || (uintptr_t)p >= EXEC_FAR_BASE;
}
static inline bool cudart_is_host(const void *p) { return !cudart_is_shared(p) && !cudart_is_device(p); }
/* Returns the address at which kernels access memory that the program registered, or NULL if they cannot access it. */
void *cudart_registered(const void *p);

#endif
