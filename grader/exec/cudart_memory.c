/* Allocation, copies and fills of memory, queries about it, and symbols. */
#include "exec/cudart_graph.h"
#include <string.h>

/* ---- allocation ------------------------------------------------------------------------------- */
/* stream: the stream of a stream-ordered allocation (cudaMallocAsync), otherwise NULL */
static cudaError_t allocate(const char *call, void **pointer, size_t bytes, enum exec_memory kind,
                            const cudaStream_t *stream) {
    if (!pointer) return cudart_refuse(call, cudaErrorInvalidValue, NULL);
    struct ask q = {
        .call = call, .op = EXEC_ALLOCATE, .a = {bytes, kind, stream != NULL, stream ? (uintptr_t)*stream : 0}};
    const cudaError_t error = cudart_ask(&q);
    if (error) return error;
    if (q.descriptor >= 0 && !cudart_map(q.answer[0], q.answer[1], q.descriptor))
        return cudart_refuse(call, cudaErrorMemoryAllocation, NULL);
    *pointer = (void *)q.answer[0];
    return cudaSuccess;
}
cudaError_t cudart_allocate(const char *call, void **pointer, size_t bytes, enum exec_memory kind) {
    const cudaError_t error = cudart_capture_unsafe(call);
    return error ? error : allocate(call, pointer, bytes, kind, NULL);
}
static cudaError_t release(const char *call, void *pointer, enum exec_free how, const cudaStream_t *stream) {
    cudaError_t error = cudart_capture_unsafe(call);
    if (error) return error;
    struct ask about = {.call = call, .op = EXEC_POINTER, .a = {(uintptr_t)pointer}};
    if (cudart_is_shared(pointer)) cudart_ask(&about);
    struct ask q = {
        .call = call, .op = EXEC_FREE, .a = {(uintptr_t)pointer, how, stream != NULL, stream ? (uintptr_t)*stream : 0}};
    error = cudart_ask(&q);
    if (!error) cudart_pool_return(pointer);
    if (!error && cudart_is_shared(pointer)) cudart_forget_advice((uintptr_t)pointer, about.answer[1]);
    if (!error && cudart_is_shared(pointer)) cudart_unmap((uintptr_t)pointer, about.answer[1]);
    return error;
}
cudaError_t cudart_release(const char *call, void *pointer, enum exec_free how) {
    return release(call, pointer, how, NULL);
}
cudaError_t cudart_release_ordered(const char *call, void *pointer, cudaStream_t stream) {
    return release(call, pointer, EXEC_FREE_MEMORY, &stream);
}
cudaError_t cudart_lend(const char *call, void *pointer) {
    struct ask q = {.call = call, .op = EXEC_LEND, .a = {(uintptr_t)pointer}};
    return cudart_ask(&q);
}
cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    return cudart_allocate("cudaMalloc", pointer, bytes, EXEC_ON_DEVICE);
}
cudaError_t cudart_allocate_ordered(const char *call, void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    const bool captured = cudart_capturing(stream);
    cudaError_t error = captured ? cudaSuccess : cudart_capture_unsafe(call);
    if (!error) error = allocate(call, pointer, bytes, EXEC_ON_DEVICE, captured ? NULL : &stream);
    if (!error) cudart_pool_take(pool, *pointer, bytes);
    if (error || !captured) return error;
    struct node *n = cudart_node_new(cudaGraphNodeTypeMemAlloc);
    n->memory.dptr = *pointer, n->memory.bytesize = bytes;
    return cudart_capture(stream, n);
}
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
    return cudart_allocate_ordered("cudaMallocAsync", pointer, bytes, NULL, stream);
}
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudart_allocate_ordered("cudaMallocFromPoolAsync", pointer, bytes, pool, stream);
}
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudart_invalid("cudaMallocManaged");
    return cudart_allocate("cudaMallocManaged", pointer, bytes, EXEC_MANAGED);
}
cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudart_allocate("cudaMallocHost", pointer, bytes, EXEC_PINNED);
}
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    if (flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return cudart_invalid("cudaHostAlloc");
    return cudart_allocate("cudaHostAlloc", pointer, bytes, EXEC_PINNED);
}
enum { PITCH = 512 };
cudaError_t cudart_allocate_rows(const char *call, void **pointer, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return cudart_allocate(call, pointer, *pitch * height, EXEC_ON_DEVICE);
}
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (!pitch) return cudart_invalid("cudaMallocPitch");
    return cudart_allocate_rows("cudaMallocPitch", pointer, pitch, width, height);
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent e) {
    if (!p) return cudart_invalid("cudaMalloc3D");
    p->pitch = (e.width + PITCH - 1) / PITCH * PITCH, p->xsize = e.width, p->ysize = e.height;
    return cudart_allocate("cudaMalloc3D", &p->ptr, p->pitch * e.height * e.depth, EXEC_ON_DEVICE);
}
cudaError_t cudaFree(void *pointer) { return cudart_release("cudaFree", pointer, EXEC_FREE_MEMORY); }
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    if (!cudart_capturing(stream)) return cudart_release_ordered("cudaFreeAsync", pointer, stream);
    struct node *n = cudart_node_new(cudaGraphNodeTypeMemFree);
    n->memory.dptr = pointer;
    cudart_lend("cudaFreeAsync", pointer);
    return cudart_capture(stream, n);
}
cudaError_t cudaFreeHost(void *pointer) { return cudart_release("cudaFreeHost", pointer, EXEC_FREE_PINNED); }
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    if (!device) return cudart_invalid("cudaHostGetDevicePointer");
    *device = cudart_is_shared(host) ? host : cudart_registered(host);
    if (*device) return cudaSuccess;
    return cudart_refuse("cudaHostGetDevicePointer", cudaErrorInvalidValue,
                         "Kernels can access host memory only if cudaHostAlloc(), cudaMallocHost() or "
                         "cudaMallocManaged() allocated it, or if cudaHostRegister() registered it. Registered memory "
                         "must not be on the stack or share a page with other registered memory.");
}
cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
    if (!cudart_is_shared(host) && !cudart_registered(host))
        return cudart_refuse("cudaHostGetFlags", cudaErrorInvalidValue, NULL);
    *flags = cudaHostAllocMapped | cudaHostAllocPortable;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *left, size_t *total) {
    if (!left || !total) return cudart_invalid("cudaMemGetInfo");
    struct ask q = {.call = "cudaMemGetInfo", .op = EXEC_INFO};
    const cudaError_t error = cudart_ask(&q);
    *left = q.answer[0], *total = q.answer[1];
    return error;
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *pointer) {
    if (!a) return cudart_invalid("cudaPointerGetAttributes");
    static const enum cudaMemoryType types[] = {cudaMemoryTypeUnregistered, cudaMemoryTypeDevice, cudaMemoryTypeManaged,
                                                cudaMemoryTypeHost};
    struct ask q = {.call = "cudaPointerGetAttributes", .op = EXEC_POINTER, .a = {(uintptr_t)pointer}};
    const cudaError_t error = cudart_is_host(pointer) ? cudaSuccess : cudart_ask(&q);
    memset(a, 0, sizeof *a);
    if ((a->devicePointer = cudart_registered(pointer))) {
        a->type = cudaMemoryTypeHost, a->hostPointer = (void *)(uintptr_t)pointer;
        return error;
    }
    a->type = types[q.answer[2] & 3];
    if (a->type == cudaMemoryTypeUnregistered) {
        a->device = -2; /* cudaInvalidDeviceId */
        return error;
    }
    a->devicePointer = (void *)(uintptr_t)pointer;
    if (a->type != cudaMemoryTypeDevice) a->hostPointer = (void *)(uintptr_t)pointer;
    return error;
}
/* ---- copies ------------------------------------------------------------------------------------- */
/* Sends the copy as one request. Without `rows`, the request does not contain the host's data. */
static cudaError_t send_copy(const struct cudart_copy *c, bool from_host, bool to_host, bool rows) {
    struct ask q = {.call = c->call, .op = EXEC_COPY, .width = c->width, .height = c->height};
    q.a[EXEC_DST] = (uintptr_t)c->dst, q.a[EXEC_SRC] = (uintptr_t)c->src;
    q.a[EXEC_DPITCH] = c->dpitch, q.a[EXEC_SPITCH] = c->spitch, q.a[EXEC_WIDTH] = c->width,
    q.a[EXEC_HEIGHT] = c->height;
    q.a[EXEC_KIND] = (unsigned)c->kind | (to_host ? EXEC_DST_HOST : 0u) | (from_host ? EXEC_SRC_HOST : 0u) |
                     (c->to_array ? EXEC_DST_ARRAY : 0u) | (c->from_array ? EXEC_SRC_ARRAY : 0u);
    q.a[EXEC_COPY_STREAM] = (uintptr_t)c->stream, q.a[EXEC_ASYNC] = c->async;
    if (from_host && !to_host && rows) q.rows = c->src, q.pitch = c->spitch;
    if (to_host && !from_host) q.to = c->dst, q.to_pitch = c->dpitch ? c->dpitch : c->width;
    return cudart_ask(&q);
}
cudaError_t cudart_copy(const struct cudart_copy *c) {
    static const size_t most = (size_t)512 << 20; /* maximum number of bytes in a request */
    const bool from_host = cudart_is_host(c->src), to_host = cudart_is_host(c->dst);
    cudaError_t error;
    if (!c->width || !c->height) return cudaSuccess;
    if ((unsigned)c->kind > cudaMemcpyDefault)
        return cudart_refuse(c->call, cudaErrorInvalidMemcpyDirection,
                             "The kind of the copy is not a value of "
                             "cudaMemcpyKind.");
    if (!c->src || !c->dst)
        return cudart_refuse(c->call, cudaErrorInvalidValue,
                             c->src ? "The destination is NULL." : "The source is NULL.");
    if (cudart_capturing(c->stream)) return cudart_capture_copy(c);
    if (cudart_capture_implicit(c->call, c->stream, &error)) return error;
    if (from_host && to_host && (c->kind == cudaMemcpyHostToHost || c->kind == cudaMemcpyDefault)) {
        for (size_t row = 0; row < c->height; row++)
            memmove((char *)c->dst + row * c->dpitch, (const char *)c->src + row * c->spitch, c->width);
        return cudaSuccess;
    }
    if (c->height > 1 && (c->dpitch < c->width || c->spitch < c->width))
        return send_copy(c, from_host, to_host, false); /* which is rejected */
    const size_t width = c->width < most ? c->width : most, height = most / width;
    struct cudart_copy part = *c;
    for (size_t row = 0; row < c->height; row += part.height) {
        part.height = height < c->height - row ? height : c->height - row;
        for (size_t column = 0; column < c->width; column += part.width) {
            part.width = width < c->width - column ? width : c->width - column;
            part.dst = (char *)c->dst + row * c->dpitch + column;
            part.src = (const char *)c->src + row * c->spitch + column;
            if ((error = send_copy(&part, from_host, to_host, true))) return error;
        }
    }
    return cudaSuccess;
}
cudaError_t cudart_copy_bytes(const char *call, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                              cudaStream_t stream, bool async) {
    return cudart_copy(&(struct cudart_copy){call, dst, src, bytes, bytes, bytes, 1, kind, stream, async});
}
cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
    return cudart_copy_bytes("cudaMemcpy", dst, src, bytes, kind, 0, false);
}
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return cudart_copy_bytes("cudaMemcpyAsync", dst, src, bytes, kind, stream, true);
}
cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t bytes) {
    return cudart_copy_bytes("cudaMemcpyPeer", dst, src, bytes, cudaMemcpyDefault, 0, false);
}
cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t bytes, cudaStream_t stream) {
    return cudart_copy_bytes("cudaMemcpyPeerAsync", dst, src, bytes, cudaMemcpyDefault, stream, true);
}
#if CUDART_VERSION >= 13000
cudaError_t cudaMemcpyBatchAsync(void *const *dst, const void *const *src, const size_t *bytes, size_t count,
                                 struct cudaMemcpyAttributes *attributes, size_t *first, size_t kinds,
                                 cudaStream_t stream) {
    static const char call[] = "cudaMemcpyBatchAsync";
    cudaError_t error = cudaSuccess;
    if (!dst || !src || !bytes || !count || !attributes || !first || !kinds || kinds > count)
        return cudart_invalid(call);
    if (!stream)
        return cudart_refuse(call, cudaErrorInvalidValue, "A batch needs a stream other than the default stream.");
    for (size_t k = 0; k < count && !error; k++)
        error = cudart_copy_bytes(call, dst[k], src[k], bytes[k], cudaMemcpyDefault, stream, true);
    return error;
}
#endif
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
    return cudart_copy(&(struct cudart_copy){"cudaMemcpy2D", dst, src, dpitch, spitch, width, height, kind, 0, false});
}
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
    return cudart_copy(
        &(struct cudart_copy){"cudaMemcpy2DAsync", dst, src, dpitch, spitch, width, height, kind, stream, true});
}
/* ---- symbols -------------------------------------------------------------------------------------- */
/* Symbols are on the device. */
static cudaError_t check_direction(const char *call, enum cudaMemcpyKind kind, enum cudaMemcpyKind host) {
    if (kind == host || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault) return cudaSuccess;
    return cudart_refuse(call, cudaErrorInvalidMemcpyDirection, "The symbol is in device memory.");
}
static cudaError_t to_symbol(const char *call, const void *symbol, const void *src, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    uint64_t address, size;
    cudaError_t error = check_direction(call, kind, cudaMemcpyHostToDevice);
    if (!error) error = cudart_symbol(call, symbol, &address, &size);
    return error ? error : cudart_copy_bytes(call, (void *)(address + offset), src, bytes, kind, stream, async);
}
static cudaError_t from_symbol(const char *call, void *dst, const void *symbol, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    uint64_t address, size;
    cudaError_t error = check_direction(call, kind, cudaMemcpyDeviceToHost);
    if (!error) error = cudart_symbol(call, symbol, &address, &size);
    return error ? error : cudart_copy_bytes(call, dst, (const void *)(address + offset), bytes, kind, stream, async);
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
    return to_symbol("cudaMemcpyToSymbol", symbol, src, bytes, offset, kind, 0, false);
}
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
    return from_symbol("cudaMemcpyFromSymbol", dst, symbol, bytes, offset, kind, 0, false);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
    return to_symbol("cudaMemcpyToSymbolAsync", symbol, src, bytes, offset, kind, stream, true);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    return from_symbol("cudaMemcpyFromSymbolAsync", dst, symbol, bytes, offset, kind, stream, true);
}
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    if (!pointer) return cudart_invalid("cudaGetSymbolAddress");
    uint64_t address = 0, bytes;
    const cudaError_t error = cudart_symbol("cudaGetSymbolAddress", symbol, &address, &bytes);
    *pointer = (void *)address;
    return error;
}
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
    if (!size) return cudart_invalid("cudaGetSymbolSize");
    uint64_t address, bytes = 0;
    const cudaError_t error = cudart_symbol("cudaGetSymbolSize", symbol, &address, &bytes);
    *size = bytes;
    return error;
}

/* ---- filling -------------------------------------------------------------------------------------- */
cudaError_t cudart_fill(const struct cudart_fill *f) {
    cudaError_t error;
    if (f->height > 1 && f->pitch < f->width * f->element) return cudart_invalid(f->call);
    if (cudart_capturing(f->stream)) return cudart_capture_fill(f);
    if (cudart_capture_implicit(f->call, f->stream, &error)) return error;
    struct ask q = {.call = f->call,
                    .op = EXEC_FILL,
                    .a = {(uintptr_t)f->pointer, f->pitch, f->width * f->element, f->height, f->value,
                          (uintptr_t)f->stream, f->async, f->element}};
    return cudart_ask(&q);
}
static cudaError_t fill(const char *call, void *pointer, size_t pitch, int value, size_t width, size_t height,
                        cudaStream_t stream, bool async) {
    return cudart_fill(
        &(struct cudart_fill){call, pointer, pitch, width, height, (unsigned char)value, 1, stream, async});
}
cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
    return fill("cudaMemset", pointer, bytes, value, bytes, 1, 0, false);
}
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
    return fill("cudaMemsetAsync", pointer, bytes, value, bytes, 1, stream, true);
}
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    return fill("cudaMemset2D", pointer, pitch, value, width, height, 0, false);
}
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return fill("cudaMemset2DAsync", pointer, pitch, value, width, height, stream, true);
}
static cudaError_t fill3d(const char *call, struct cudaPitchedPtr p, int value, struct cudaExtent e,
                          cudaStream_t stream, bool async) {
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < e.depth && !error; z++)
        error = fill(call, (char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, e.width, e.height, stream, async);
    return error;
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent e) {
    return fill3d("cudaMemset3D", p, value, e, 0, false);
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent e, cudaStream_t stream) {
    return fill3d("cudaMemset3DAsync", p, value, e, stream, true);
}
