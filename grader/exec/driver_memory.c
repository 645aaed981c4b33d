/* Allocation, copies and fills of memory, arrays, and texture and surface objects. */
#include "exec/driver.h"
#include <stdlib.h>
#include <string.h>

/* ---- allocation ------------------------------------------------------------------------------ */
static CUresult allocate(const char *call, void *to, size_t bytes, enum exec_memory kind) {
    void *pointer = NULL;
    DRIVER_ENTER(call);
    DRIVER_NEEDS(call, to && bytes);
    const CUresult error = driver_result(cudart_allocate(call, &pointer, bytes, kind));
    if (!error) memcpy(to, &pointer, sizeof pointer);
    return error;
}
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    return allocate("cuMemAlloc", pointer, bytes, EXEC_ON_DEVICE);
}
CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
    void *p = NULL;
    DRIVER_ENTER("cuMemAllocAsync");
    DRIVER_NEEDS("cuMemAllocAsync", pointer && bytes);
    const CUresult error = driver_result(cudart_allocate_ordered("cuMemAllocAsync", &p, bytes, NULL, stream));
    if (!error) *pointer = (CUdeviceptr)(uintptr_t)p;
    return error;
}
CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned flags) {
    return allocate("cuMemAllocManaged", pointer, bytes, EXEC_MANAGED);
}
CUresult cuMemAllocHost(void **pointer, size_t bytes) {
    return allocate("cuMemAllocHost", pointer, bytes, EXEC_PINNED);
}
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    return allocate("cuMemHostAlloc", pointer, bytes, EXEC_PINNED);
}
CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned element) {
    void *p = NULL;
    DRIVER_ENTER("cuMemAllocPitch");
    DRIVER_NEEDS("cuMemAllocPitch", pointer && pitch && (element == 4 || element == 8 || element == 16));
    const CUresult error = driver_result(cudart_allocate_rows("cuMemAllocPitch", &p, pitch, width, height));
    if (!error) *pointer = (CUdeviceptr)(uintptr_t)p;
    return error;
}
static CUresult release(const char *call, void *pointer, enum exec_free how) {
    DRIVER_ENTER(call);
    return driver_result(cudart_release(call, pointer, how));
}
CUresult cuMemFree(CUdeviceptr p) { return release("cuMemFree", driver_pointer(p), EXEC_FREE_MEMORY); }
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream) {
    DRIVER_ENTER("cuMemFreeAsync");
    return driver_result(cudart_release_ordered("cuMemFreeAsync", driver_pointer(p), stream));
}
CUresult cuMemFreeHost(void *p) { return release("cuMemFreeHost", p, EXEC_FREE_PINNED); }
CUresult cuMemGetInfo(size_t *left, size_t *total) {
    struct ask q = {.call = "cuMemGetInfo", .op = EXEC_INFO};
    DRIVER_ENTER("cuMemGetInfo");
    const CUresult error = driver_result(cudart_ask(&q));
    *left = q.answer[0], *total = q.answer[1];
    return error;
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags) {
    DRIVER_ENTER("cuMemHostGetDevicePointer");
    return driver_result(cudaHostGetDevicePointer((void **)device, host, flags));
}
CUresult cuMemHostGetFlags(unsigned *flags, void *host) {
    DRIVER_ENTER("cuMemHostGetFlags");
    return driver_result(cudaHostGetFlags(flags, host));
}
CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned flags) {
    DRIVER_ENTER("cuMemHostRegister");
    return driver_result(cudaHostRegister(pointer, bytes, flags));
}
CUresult cuMemHostUnregister(void *pointer) {
    DRIVER_ENTER("cuMemHostUnregister");
    return driver_result(cudaHostUnregister(pointer));
}
#if CUDA_VERSION >= 13000
CUresult cuMemAdvise(CUdeviceptr p, size_t bytes, CUmem_advise advice, CUmemLocation location) { return CUDA_SUCCESS; }
CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUmemLocation location, unsigned flags, CUstream stream) {
    return CUDA_SUCCESS;
}
#else
CUresult cuMemAdvise(CUdeviceptr p, size_t bytes, CUmem_advise advice, CUdevice device) { return CUDA_SUCCESS; }
CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUdevice device, CUstream stream) { return CUDA_SUCCESS; }
#endif
static struct ask about(const char *call, CUdeviceptr p) {
    struct ask q = {.call = call, .op = EXEC_POINTER, .a = {p}};
    if (!cudart_is_host(driver_pointer(p))) cudart_ask(&q);
    return q;
}
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p) {
    DRIVER_ENTER("cuMemGetAddressRange");
    const struct ask q = about("cuMemGetAddressRange", p);
    DRIVER_NEEDS("cuMemGetAddressRange", q.answer[2]);
    if (base) *base = q.answer[0];
    if (bytes) *bytes = q.answer[1];
    return CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr p) {
    DRIVER_ENTER("cuPointerGetAttribute");
    const struct ask q = about("cuPointerGetAttribute", p);
    DRIVER_NEEDS("cuPointerGetAttribute", value && q.answer[2]);
    const bool on_device = q.answer[2] != (uint64_t)EXEC_PINNED + 1;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: *(CUdeviceptr *)value = p; break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(int *)value = q.answer[2] == (uint64_t)EXEC_MANAGED + 1; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = 0; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)value = q.answer[0]; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)value = q.answer[1]; break;
    case CU_POINTER_ATTRIBUTE_CONTEXT: return driver_result((cudaError_t)cuCtxGetCurrent(value));
    default: cudart_missing("cuPointerGetAttribute", "attributes of memory that multiple devices or processes use");
    }
    return CUDA_SUCCESS;
}

/* ---- copies ---------------------------------------------------------------------------------- */
static CUresult copy(const char *call, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                     CUstream stream, bool async) {
    DRIVER_ENTER(call);
    return driver_result(cudart_copy_bytes(call, dst, src, bytes, kind, stream, async));
}
#define TO(p) driver_pointer(p)
CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n) {
    return copy("cuMemcpy", TO(dst), TO(src), n, cudaMemcpyDefault, 0, false);
}
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
    return copy("cuMemcpyAsync", TO(dst), TO(src), n, cudaMemcpyDefault, stream, true);
}
CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t n) {
    return copy("cuMemcpyHtoD", TO(dst), src, n, cudaMemcpyHostToDevice, 0, false);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream stream) {
    return copy("cuMemcpyHtoDAsync", TO(dst), src, n, cudaMemcpyHostToDevice, stream, true);
}
CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t n) {
    return copy("cuMemcpyDtoH", dst, TO(src), n, cudaMemcpyDeviceToHost, 0, false);
}
CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream stream) {
    return copy("cuMemcpyDtoHAsync", dst, TO(src), n, cudaMemcpyDeviceToHost, stream, true);
}
CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t n) {
    return copy("cuMemcpyDtoD", TO(dst), TO(src), n, cudaMemcpyDeviceToDevice, 0, false);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
    return copy("cuMemcpyDtoDAsync", TO(dst), TO(src), n, cudaMemcpyDeviceToDevice, stream, true);
}
/* Converts one side of a CUDA_MEMCPY3D. */
static struct cudart_side side(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array, size_t pitch,
                               size_t height, const size_t at[3]) {
    return (struct cudart_side){.memory = type == CU_MEMORYTYPE_HOST ? host : driver_pointer(device),
                                .array = type == CU_MEMORYTYPE_ARRAY ? array : NULL,
                                .pitch = pitch,
                                .slice = pitch * height,
                                .x = at[0],
                                .y = at[1],
                                .z = at[2]};
}
/* Returns the direction of a copy. For unified memory, the runtime infers it from the pointers. */
static enum cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
    if (to == CU_MEMORYTYPE_HOST) return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}
static CUresult copy_box(const char *call, const CUDA_MEMCPY3D *c, CUstream stream, bool async) {
    DRIVER_ENTER(call);
    const size_t row = c->WidthInBytes;
    const struct cudart_side to = side(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray,
                                       c->dstPitch ? c->dstPitch : row, c->dstHeight ? c->dstHeight : c->Height,
                                       (const size_t[]){c->dstXInBytes, c->dstY, c->dstZ}),
                             from = side(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray,
                                         c->srcPitch ? c->srcPitch : row, c->srcHeight ? c->srcHeight : c->Height,
                                         (const size_t[]){c->srcXInBytes, c->srcY, c->srcZ});
    const struct cudart_box b = {call,   row,  c->Height, c->Depth, kind_of(c->dstMemoryType, c->srcMemoryType),
                                 stream, async};
    return driver_result(cudart_copy_box(&b, &to, &from));
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c) { return copy_box("cuMemcpy3D", c, 0, false); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream) {
    return copy_box("cuMemcpy3DAsync", c, stream, true);
}
static CUresult copy_rows(const char *call, const CUDA_MEMCPY2D *c, CUstream stream, bool async) {
    const CUDA_MEMCPY3D all = {.srcXInBytes = c->srcXInBytes,
                               .srcY = c->srcY,
                               .srcMemoryType = c->srcMemoryType,
                               .srcHost = c->srcHost,
                               .srcDevice = c->srcDevice,
                               .srcArray = c->srcArray,
                               .srcPitch = c->srcPitch,
                               .dstXInBytes = c->dstXInBytes,
                               .dstY = c->dstY,
                               .dstMemoryType = c->dstMemoryType,
                               .dstHost = c->dstHost,
                               .dstDevice = c->dstDevice,
                               .dstArray = c->dstArray,
                               .dstPitch = c->dstPitch,
                               .WidthInBytes = c->WidthInBytes,
                               .Height = c->Height,
                               .Depth = 1};
    return copy_box(call, &all, stream, async);
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c) { return copy_rows("cuMemcpy2D", c, 0, false); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c) { return copy_rows("cuMemcpy2DUnaligned", c, 0, false); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream) {
    return copy_rows("cuMemcpy2DAsync", c, stream, true);
}
static CUresult copy_array(const char *call, CUarray array, size_t at, void *memory, size_t bytes, bool into) {
    CUDA_MEMCPY3D c = {.WidthInBytes = bytes, .Height = 1, .Depth = 1};
    const CUmemorytype other = cudart_is_host(memory) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.dstMemoryType = into ? CU_MEMORYTYPE_ARRAY : other, c.srcMemoryType = into ? other : CU_MEMORYTYPE_ARRAY;
    c.dstArray = c.srcArray = array, c.dstHost = memory, c.srcHost = memory;
    c.dstDevice = c.srcDevice = (CUdeviceptr)(uintptr_t)memory;
    c.dstXInBytes = into ? at : 0, c.srcXInBytes = into ? 0 : at;
    return copy_box(call, &c, 0, false);
}
CUresult cuMemcpyHtoA(CUarray dst, size_t at, const void *src, size_t n) {
    return copy_array("cuMemcpyHtoA", dst, at, (void *)(uintptr_t)src, n, true);
}
CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t at, size_t n) {
    return copy_array("cuMemcpyAtoH", src, at, dst, n, false);
}
CUresult cuMemcpyDtoA(CUarray dst, size_t at, CUdeviceptr src, size_t n) {
    return copy_array("cuMemcpyDtoA", dst, at, driver_pointer(src), n, true);
}
CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t at, size_t n) {
    return copy_array("cuMemcpyAtoD", src, at, driver_pointer(dst), n, false);
}

/* ---- filling --------------------------------------------------------------------------------- */
static CUresult fill(const struct cudart_fill *f) {
    DRIVER_ENTER(f->call);
    return driver_result(cudart_fill(f));
}
#define FILL(bits, type)                                                                                               \
    CUresult cuMemsetD##bits(CUdeviceptr p, type v, size_t n) {                                                        \
        return fill(                                                                                                   \
            &(struct cudart_fill){"cuMemsetD" #bits, TO(p), n * sizeof v, n, 1, (uint32_t)v, sizeof v, 0, false});     \
    }                                                                                                                  \
    CUresult cuMemsetD##bits##Async(CUdeviceptr p, type v, size_t n, CUstream s) {                                     \
        return fill(&(struct cudart_fill){"cuMemsetD" #bits "Async", TO(p), n * sizeof v, n, 1, (uint32_t)v, sizeof v, \
                                          s, true});                                                                   \
    }                                                                                                                  \
    CUresult cuMemsetD2D##bits(CUdeviceptr p, size_t pitch, type v, size_t width, size_t height) {                     \
        return fill(                                                                                                   \
            &(struct cudart_fill){"cuMemsetD2D" #bits, TO(p), pitch, width, height, (uint32_t)v, sizeof v, 0, false}); \
    }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

/* ---- arrays and objects ---------------------------------------------------------------------- */
static bool format_of(CUarray_format format, unsigned channels, struct exec_format *out) {
    static const struct {
        CUarray_format format;
        uint32_t bits, kind;
    } rows[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].format != format) continue;
        for (unsigned c = 0; c < channels && c < 4; c++) out->bits[c] = rows[k].bits;
        return out->kind = rows[k].kind, true;
    }
    return false;
}
static CUresult new_array(const char *call, CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
    struct exec_array a = {.width = d->Width, .height = d->Height, .depth = d->Depth, .flags = d->Flags};
    cudaArray_t made = NULL;
    DRIVER_ENTER(call);
    if (!format_of(d->Format, d->NumChannels, &a.format))
        return driver_refuse(call, CUDA_ERROR_NOT_SUPPORTED, "This array format is not supported by the simulator.");
    const CUresult error = driver_result(cudart_array_new(call, &a, &made));
    *array = (CUarray)made;
    return error;
}
CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d) {
    return new_array("cuArrayCreate", array,
                     &(CUDA_ARRAY3D_DESCRIPTOR){
                         .Width = d->Width, .Height = d->Height, .Format = d->Format, .NumChannels = d->NumChannels});
}
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
    return new_array("cuArray3DCreate", array, d);
}
CUresult cuArrayDestroy(CUarray array) { return release("cuArrayDestroy", array, EXEC_FREE_ARRAY); }

static CUresult set_resource(const char *call, const CUDA_RESOURCE_DESC *r, struct exec_texture *x) {
    bool good = true;
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY: x->resource = EXEC_OF_ARRAY, x->address = (uintptr_t)r->res.array.hArray; break;
    case CU_RESOURCE_TYPE_LINEAR:
        x->resource = EXEC_OF_LINEAR, x->address = r->res.linear.devPtr, x->bytes = r->res.linear.sizeInBytes;
        good = format_of(r->res.linear.format, r->res.linear.numChannels, &x->format);
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        x->resource = EXEC_ROWS, x->address = r->res.pitch2D.devPtr, x->pitch = r->res.pitch2D.pitchInBytes;
        x->width = r->res.pitch2D.width, x->height = r->res.pitch2D.height;
        good = format_of(r->res.pitch2D.format, r->res.pitch2D.numChannels, &x->format);
        break;
    default: good = false; break;
    }
    return good ? CUDA_SUCCESS
                : driver_refuse(call, CUDA_ERROR_NOT_SUPPORTED,
                                "This type of resource is not supported by the "
                                "simulator.");
}
CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *t,
                           const CUDA_RESOURCE_VIEW_DESC *view) {
    static const char call[] = "cuTexObjectCreate";
    struct exec_texture x = {0};
    DRIVER_ENTER(call);
    DRIVER_NEEDS(call, object && r && t);
    if (view || t->maxAnisotropy > 1)
        return driver_refuse(call, CUDA_ERROR_NOT_SUPPORTED,
                             "Resource views and anisotropic filters are not supported by the simulator.");
    const CUresult error = set_resource(call, r, &x);
    if (error) return error;
    for (unsigned d = 0; d < 3; d++) x.outside[d] = (uint32_t)t->addressMode[d];
    x.linear = t->filterMode == CU_TR_FILTER_MODE_LINEAR,
    x.normalized = (t->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    x.as_floats = !(t->flags & CU_TRSF_READ_AS_INTEGER), x.srgb = (t->flags & CU_TRSF_SRGB) != 0;
    x.seamless = (t->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    memcpy(x.border, t->borderColor, sizeof x.border);
    return driver_result(cudart_texture_new(call, &x, object));
}
CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *r) {
    static const char call[] = "cuSurfObjectCreate";
    struct exec_texture x = {.surface = 1};
    DRIVER_ENTER(call);
    DRIVER_NEEDS(call, object && r && r->resType == CU_RESOURCE_TYPE_ARRAY);
    const CUresult error = set_resource(call, r, &x);
    return error ? error : driver_result(cudart_texture_new(call, &x, object));
}
CUresult cuTexObjectDestroy(CUtexObject object) {
    return driver_result(cudart_texture_end("cuTexObjectDestroy", object, false));
}
CUresult cuSurfObjectDestroy(CUsurfObject object) {
    return driver_result(cudart_texture_end("cuSurfObjectDestroy", object, true));
}
