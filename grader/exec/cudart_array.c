/* Arrays, copies to and from arrays, and texture and surface objects. An array's address identifies it. */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <string.h>

/* ---- arrays ------------------------------------------------------------------------------------- */
static struct exec_format format_of(const struct cudaChannelFormatDesc *d) {
    return (struct exec_format){{(uint32_t)d->x, (uint32_t)d->y, (uint32_t)d->z, (uint32_t)d->w}, (uint32_t)d->f};
}
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
cudaError_t cudart_array_new(const char *call, const struct exec_array *a, cudaArray_t *array) {
    struct ask q = {.call = call, .op = EXEC_ARRAY, .payload = a, .bytes = sizeof *a};
    cudaError_t error = cudart_capture_unsafe(call);
    if (!error) error = cudart_ask(&q);
    if (!error) *array = (cudaArray_t)q.answer[0];
    return error;
}
static cudaError_t make_array(const char *call, cudaArray_t *array, const struct cudaChannelFormatDesc *d,
                              struct cudaExtent e, unsigned levels, unsigned flags) {
    if (!array || !d) return cudart_refuse(call, cudaErrorInvalidValue, NULL);
    return cudart_array_new(call, &(struct exec_array){e.width, e.height, e.depth, format_of(d), flags, levels}, array);
}
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *d, size_t width, size_t height,
                            unsigned flags) {
    return make_array("cudaMallocArray", array, d, (struct cudaExtent){width, height, 0}, 1, flags);
}
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *d, struct cudaExtent e,
                              unsigned flags) {
    return make_array("cudaMalloc3DArray", array, d, e, 1, flags);
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *d,
                                     struct cudaExtent e, unsigned levels, unsigned flags) {
    return make_array("cudaMallocMipmappedArray", (cudaArray_t *)array, d, e, levels, flags);
}
static cudaError_t free_array(const char *call, void *array) {
    struct ask q = {.call = call, .op = EXEC_FREE, .a = {(uintptr_t)array, EXEC_FREE_ARRAY}};
    const cudaError_t error = cudart_capture_unsafe(call);
    return error ? error : cudart_ask(&q);
}
cudaError_t cudaFreeArray(cudaArray_t array) { return free_array("cudaFreeArray", array); }
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) { return free_array("cudaFreeMipmappedArray", array); }
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t array, unsigned number) {
    static const char call[] = "cudaGetMipmappedArrayLevel";
    struct exec_layout l;
    struct ask q = {.call = call, .op = EXEC_LAYOUT, .a = {(uintptr_t)array, number}, .to = &l, .room = sizeof l};
    if (!level) return cudart_refuse(call, cudaErrorInvalidValue, NULL);
    const cudaError_t error = cudart_ask(&q);
    if (!error) *level = (cudaArray_t)q.answer[0];
    return error;
}
cudaError_t cudart_array_about(const char *call, const void *array, struct exec_layout *l) {
    struct ask q = {.call = call, .op = EXEC_LAYOUT, .a = {(uintptr_t)array}, .to = l, .room = sizeof *l};
    return cudart_ask(&q);
}
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *d, struct cudaExtent *e, unsigned *flags,
                             cudaArray_t array) {
    struct exec_layout l;
    const cudaError_t error = cudart_array_about("cudaArrayGetInfo", array, &l);
    if (error) return error;
    const struct exec_format *f = &l.of.format;
    if (d)
        *d = cudaCreateChannelDesc((int)f->bits[0], (int)f->bits[1], (int)f->bits[2], (int)f->bits[3],
                                   (enum cudaChannelFormatKind)f->kind);
    if (e) *e = (struct cudaExtent){l.of.width, l.of.height, l.of.depth};
    if (flags) *flags = l.of.flags;
    return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *d, cudaArray_const_t array) {
    return cudaArrayGetInfo(d, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

/* ---- copies ------------------------------------------------------------------------------------- */
/* Location of slices of rows: memory, or the part of an array that begins at x, y, z. */
struct side {
    char *at;
    size_t pitch, slice;
    bool array;
    size_t row, rows, slices; /* size of the part of an array */
};
static cudaError_t in_array(const char *call, const void *array, size_t x, size_t y, size_t z, bool texels,
                            struct side *s, size_t *texel) {
    struct exec_layout l;
    const cudaError_t error = cudart_array_about(call, array, &l);
    if (error) return error;
    if (texels) x *= l.texel;
    const size_t row = l.width * l.texel;
    *s = (struct side){.at = (char *)(uintptr_t)array + x + y * l.pitch + z * l.slice,
                       .pitch = l.pitch,
                       .slice = l.slice,
                       .array = true,
                       .row = x < row ? row - x : 0,
                       .rows = y < l.height ? l.height - y : 0,
                       .slices = z < l.slices ? l.slices - z : 0};
    if (texel) *texel = l.texel;
    return cudaSuccess;
}
static struct side in_memory(const void *p, size_t pitch, size_t slice) {
    return (struct side){.at = (char *)(uintptr_t)p, .pitch = pitch, .slice = slice};
}
static bool holds(const struct side *s, size_t width, size_t height, size_t depth) {
    return !s->array || (width <= s->row && height <= s->rows && depth <= s->slices);
}
static cudaError_t copy_box(const struct cudart_box *b, const struct side *to, const struct side *from) {
    if (!holds(to, b->width, b->height, b->depth) || !holds(from, b->width, b->height, b->depth))
        return cudart_refuse(b->call, cudaErrorInvalidValue,
                             "The copy extends past the end of an array. The width is in bytes for "
                             "cudaMemcpy2DToArray() and similar calls, but in array elements for cudaMemcpy3D().");
    for (size_t z = 0; z < b->depth; z++) {
        const struct cudart_copy c = {.call = b->call,
                                      .dst = to->at + z * to->slice,
                                      .src = from->at + z * from->slice,
                                      .dpitch = to->pitch,
                                      .spitch = from->pitch,
                                      .width = b->width,
                                      .height = b->height,
                                      .kind = b->kind,
                                      .stream = b->stream,
                                      .async = b->async,
                                      .to_array = to->array,
                                      .from_array = from->array};
        const cudaError_t error = cudart_copy(&c);
        if (error) return error;
    }
    return cudaSuccess;
}
static cudaError_t side_of(const char *call, const struct cudart_side *given, struct side *s) {
    if (given->array) return in_array(call, given->array, given->x, given->y, given->z, false, s, NULL);
    *s = in_memory((const char *)given->memory + given->x + given->y * given->pitch + given->z * given->slice,
                   given->pitch, given->slice);
    return cudaSuccess;
}
cudaError_t cudart_copy_box(const struct cudart_box *b, const struct cudart_side *to, const struct cudart_side *from) {
    struct side d, s;
    cudaError_t error = side_of(b->call, to, &d);
    if (!error) error = side_of(b->call, from, &s);
    return error ? error : copy_box(b, &d, &s);
}
static cudaError_t copy3d(const char *call, const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool async) {
    if (!p) return cudart_invalid(call);
    const struct cudaPitchedPtr *d = &p->dstPtr, *s = &p->srcPtr;
    struct side to =
                    in_memory((char *)d->ptr + p->dstPos.x + p->dstPos.y * d->pitch + p->dstPos.z * d->pitch * d->ysize,
                              d->pitch, d->pitch * d->ysize),
                from =
                    in_memory((char *)s->ptr + p->srcPos.x + p->srcPos.y * s->pitch + p->srcPos.z * s->pitch * s->ysize,
                              s->pitch, s->pitch * s->ysize);
    size_t texel = 1;
    cudaError_t error = cudaSuccess;
    if (cudart_capturing(stream)) {
        struct node *n = cudart_node_new(cudaGraphNodeTypeMemcpy);
        n->copy.is_box = true, n->copy.box = *p;
        return cudart_capture(stream, n);
    }
    if (p->srcArray) error = in_array(call, p->srcArray, p->srcPos.x, p->srcPos.y, p->srcPos.z, true, &from, &texel);
    if (p->dstArray && !error)
        error = in_array(call, p->dstArray, p->dstPos.x, p->dstPos.y, p->dstPos.z, true, &to, &texel);
    if (error) return error;
    return copy_box(
        &(struct cudart_box){call, p->extent.width * texel, p->extent.height, p->extent.depth, p->kind, stream, async},
        &to, &from);
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) { return copy3d("cudaMemcpy3D", p, 0, false); }
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
    return copy3d("cudaMemcpy3DAsync", p, stream, true);
}
static cudaError_t to_array(const struct cudart_box *b, cudaArray_t dst, size_t x, size_t y, const void *src,
                            size_t pitch) {
    struct side to, from = in_memory(src, pitch, 0);
    const cudaError_t error = in_array(b->call, dst, x, y, 0, false, &to, NULL);
    return error ? error : copy_box(b, &to, &from);
}
static cudaError_t from_array(const struct cudart_box *b, void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                              size_t y) {
    struct side from, to = in_memory(dst, pitch, 0);
    const cudaError_t error = in_array(b->call, src, x, y, 0, false, &from, NULL);
    return error ? error : copy_box(b, &to, &from);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
    return to_array(&(struct cudart_box){"cudaMemcpy2DToArray", width, height, 1, kind, 0, false}, dst, x, y, src,
                    pitch);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return to_array(&(struct cudart_box){"cudaMemcpy2DToArrayAsync", width, height, 1, kind, stream, true}, dst, x, y,
                    src, pitch);
}
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind) {
    return from_array(&(struct cudart_box){"cudaMemcpy2DFromArray", width, height, 1, kind, 0, false}, dst, pitch, src,
                      x, y);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return from_array(&(struct cudart_box){"cudaMemcpy2DFromArrayAsync", width, height, 1, kind, stream, true}, dst,
                      pitch, src, x, y);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src, size_t sx, size_t sy,
                                     size_t width, size_t height, enum cudaMemcpyKind kind) {
    static const char call[] = "cudaMemcpy2DArrayToArray";
    struct side to, from;
    cudaError_t error = in_array(call, dst, dx, dy, 0, false, &to, NULL);
    if (!error) error = in_array(call, src, sx, sy, 0, false, &from, NULL);
    return error ? error : copy_box(&(struct cudart_box){call, width, height, 1, kind, 0, false}, &to, &from);
}
/* A range of bytes that may span rows. It is copied as the rest of the first row, whole rows, and the start of the last
 * row. */
struct run {
    const char *call;
    void *array;
    size_t x, y, count;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
    bool async, into;
};
static cudaError_t copy_run(const struct run *r, char *memory) {
    struct exec_layout l;
    cudaError_t error = cudart_array_about(r->call, r->array, &l);
    const size_t row = l.width * l.texel;
    size_t x = r->x, y = r->y;
    for (size_t left = error ? 0 : r->count; left && !error;) {
        const size_t rows = x || left < row ? 1 : left / row,
                     width = x || left < row ? (left < row - x ? left : row - x) : row;
        const struct cudart_box b = {r->call, width, rows, 1, r->kind, r->stream, r->async};
        if (x >= row)
            return cudart_refuse(r->call, cudaErrorInvalidValue, "A copy begins past the end of a row of an array.");
        error = r->into ? to_array(&b, r->array, x, y, memory, width) : from_array(&b, memory, width, r->array, x, y);
        memory += width * rows, left -= width * rows, x = 0, y += rows;
    }
    return error;
}
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                              enum cudaMemcpyKind kind) {
    return copy_run(&(struct run){"cudaMemcpyToArray", dst, x, y, count, kind, 0, false, true}, (char *)(uintptr_t)src);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_run(&(struct run){"cudaMemcpyToArrayAsync", dst, x, y, count, kind, stream, true, true},
                    (char *)(uintptr_t)src);
}
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind) {
    return copy_run(&(struct run){"cudaMemcpyFromArray", (void *)(uintptr_t)src, x, y, count, kind, 0, false, false},
                    dst);
}
cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_run(
        &(struct run){"cudaMemcpyFromArrayAsync", (void *)(uintptr_t)src, x, y, count, kind, stream, true, false}, dst);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src, size_t sx, size_t sy,
                                   size_t count, enum cudaMemcpyKind kind) {
    return cudaMemcpy2DArrayToArray(dst, dx, dy, src, sx, sy, count, 1, kind);
}

/* ---- objects ------------------------------------------------------------------------------------ */
static cudaError_t set_resource(const char *call, const struct cudaResourceDesc *r, struct exec_texture *x) {
    switch (r->resType) {
    case cudaResourceTypeArray: x->resource = EXEC_OF_ARRAY, x->address = (uintptr_t)r->res.array.array; break;
    case cudaResourceTypeMipmappedArray:
        x->resource = EXEC_OF_LEVELS, x->address = (uintptr_t)r->res.mipmap.mipmap;
        break;
    case cudaResourceTypeLinear:
        x->resource = EXEC_OF_LINEAR, x->address = (uintptr_t)r->res.linear.devPtr,
        x->bytes = r->res.linear.sizeInBytes;
        x->format = format_of(&r->res.linear.desc);
        break;
    case cudaResourceTypePitch2D:
        x->resource = EXEC_ROWS, x->address = (uintptr_t)r->res.pitch2D.devPtr, x->pitch = r->res.pitch2D.pitchInBytes;
        x->width = r->res.pitch2D.width, x->height = r->res.pitch2D.height, x->format = format_of(&r->res.pitch2D.desc);
        break;
    default:
        return cudart_refuse(call, cudaErrorInvalidValue,
                             "The resource of a texture must be an array, a mipmapped array, linear memory or pitched "
                             "memory (resType).");
    }
    return cudaSuccess;
}
cudaError_t cudart_texture_new(const char *call, const struct exec_texture *x, unsigned long long *object) {
    struct ask q = {.call = call, .op = EXEC_TEXTURE, .payload = x, .bytes = sizeof *x};
    const cudaError_t error = cudart_ask(&q);
    if (!error) *object = q.answer[0];
    return error;
}
/* The descriptions of objects, which the program may read back. */
struct given {
    unsigned long long object;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    struct given *next;
};
static struct given *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cudaError_t keep_given(cudaError_t error, const unsigned long long *object, const struct cudaResourceDesc *r,
                              const struct cudaTextureDesc *t) {
    if (error) return error;
    struct given *g = cudart_room(1, sizeof *g);
    g->object = *object, g->resource = *r;
    if (t) g->texture = *t;
    pthread_mutex_lock(&lock);
    g->next = list, list = g;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}
static const struct given *given(unsigned long long object) {
    pthread_mutex_lock(&lock);
    const struct given *g = list;
    while (g && g->object != object) g = g->next;
    pthread_mutex_unlock(&lock);
    return g;
}
#define GIVEN(name, type, member)                                                                                      \
    cudaError_t name(type *out, unsigned long long object) {                                                           \
        const struct given *g = given(object);                                                                         \
        if (!g || !out) return cudart_invalid(#name);                                                                  \
        *out = g->member;                                                                                              \
        return cudaSuccess;                                                                                            \
    }
GIVEN(cudaGetTextureObjectResourceDesc, struct cudaResourceDesc, resource)
GIVEN(cudaGetTextureObjectTextureDesc, struct cudaTextureDesc, texture)
GIVEN(cudaGetSurfaceObjectResourceDesc, struct cudaResourceDesc, resource)
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *texels, const struct cudaChannelFormatDesc *d, int device) {
    if (!texels || !d || device) return cudart_invalid("cudaDeviceGetTexture1DLinearMaxWidth");
    *texels = (size_t)1 << 28;
    return cudaSuccess;
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *r,
                                    const struct cudaTextureDesc *t, const struct cudaResourceViewDesc *view) {
    static const char call[] = "cudaCreateTextureObject";
    struct exec_texture x = {0};
    if (!object || !r || !t) return cudart_refuse(call, cudaErrorInvalidValue, NULL);
    if (view || t->maxAnisotropy > 1)
        return cudart_refuse(call, cudaErrorNotSupported,
                             "Resource views and anisotropic filters are not supported by the simulator.");
    const cudaError_t error = set_resource(call, r, &x);
    if (error) return error;
    for (unsigned d = 0; d < 3; d++) x.outside[d] = (uint32_t)t->addressMode[d];
    x.linear = t->filterMode == cudaFilterModeLinear, x.normalized = t->normalizedCoords != 0;
    x.as_floats = t->readMode == cudaReadModeNormalizedFloat;
    x.between_levels = t->mipmapFilterMode == cudaFilterModeLinear, x.srgb = t->sRGB != 0;
    x.seamless = t->seamlessCubemap != 0;
    x.level_bias = t->mipmapLevelBias, x.least_level = t->minMipmapLevelClamp, x.most_level = t->maxMipmapLevelClamp;
    memcpy(x.border, t->borderColor, sizeof x.border);
    return keep_given(cudart_texture_new(call, &x, object), object, r, t);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *r) {
    static const char call[] = "cudaCreateSurfaceObject";
    struct exec_texture x = {.surface = 1};
    if (!object || !r || r->resType != cudaResourceTypeArray)
        return cudart_refuse(call, cudaErrorInvalidValue, r ? "The resource of a surface must be an array." : NULL);
    const cudaError_t error = set_resource(call, r, &x);
    return error ? error : keep_given(cudart_texture_new(call, &x, object), object, r, NULL);
}
cudaError_t cudart_texture_end(const char *call, unsigned long long object, bool surface) {
    struct ask q = {.call = call, .op = EXEC_NO_TEXTURE, .a = {object, surface}};
    return cudart_ask(&q);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return cudart_texture_end("cudaDestroyTextureObject", object, false);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return cudart_texture_end("cudaDestroySurfaceObject", object, true);
}
