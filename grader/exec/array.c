/* Arrays, and the texture and surface objects through which kernels access arrays and other memory. */
#include "exec/serve.h"
#include "sim/texture.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Values of CUDA's cudaChannelFormatKind and cudaArrayFlags. CUDA's address modes are in the order of enum sim_outside.
 */
enum { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT };
enum { LAYERED = 1, SURFACE = 2, CUBE = 4 };
enum { MAX_1D = 131072, MAX_2D = 65536, MAX_3D = 16384, MAX_LAYERS = 2048, ADDRESS_ALIGN = 512, PITCH_ALIGN = 32 };

#define REFUSE(...) return exec_add_finding(s, HOST_FAILED, NULL, __VA_ARGS__), ERROR_VALUE

/* ---- formats ---------------------------------------------------------------------------------- */
static int set_format(struct exec_session *s, const struct exec_format *f, struct sim_texels *t) {
    unsigned channels = 0;
    for (unsigned k = 0; k < 4; k++) {
        if (f->bits[k] && (k != channels || f->bits[k] != f->bits[0]))
            REFUSE("%s() was passed channels of different sizes: all channels must have the same size.",
                   s->request->call);
        channels += f->bits[k] > 0;
    }
    if (channels == 3)
        REFUSE("%s() was passed 3 channels: a texel has 1, 2 or 4, so use float4 instead of float3.", s->request->call);
    const bool size = f->bits[0] == 8 || f->bits[0] == 16 || f->bits[0] == 32;
    if (!channels || !size || f->kind > KIND_FLOAT || (f->kind == KIND_FLOAT && f->bits[0] == 8))
        REFUSE("%s() was passed channels that a texture cannot have: integers have 8, 16 or 32 bits, floats 16 or 32.",
               s->request->call);
    t->bits = (uint8_t)f->bits[0], t->channels = (uint8_t)channels;
    t->numbers = f->kind == KIND_FLOAT ? SIM_FLOATS : f->kind == KIND_SIGNED ? SIM_SIGNED : SIM_UNSIGNED;
    return ERROR_NONE;
}
static unsigned texel_bytes(const struct sim_texels *t) { return t->bits / 8u * t->channels; }

/* ---- arrays ----------------------------------------------------------------------------------- */
static enum sim_shape shape_of(const struct exec_array *a) {
    const bool layered = a->flags & LAYERED;
    if (a->flags & CUBE) return layered ? SIM_CUBE_LAYERED : SIM_CUBE;
    if (layered) return a->height ? SIM_2D_LAYERED : SIM_1D_LAYERED;
    return a->depth ? SIM_3D : a->height ? SIM_2D : SIM_1D;
}
static int check_extent(struct exec_session *s, const struct exec_array *a, enum sim_shape shape) {
    const bool cube = a->flags & CUBE, layers = a->flags & (LAYERED | CUBE);
    const uint64_t most[3] = {shape == SIM_3D ? MAX_3D : MAX_1D, shape == SIM_3D ? MAX_3D : MAX_2D,
                              layers ? MAX_LAYERS : MAX_3D};
    if (!a->width || a->width > most[0] || a->height > most[1] || a->depth > most[2] || (layers && !a->depth))
        REFUSE("%s() requests %" PRIu64 " x %" PRIu64 " x %" PRIu64
               " texels, but the limits for such an array are %" PRIu64 " x %" PRIu64 " x %" PRIu64
               ". The width must be at least 1, and so must the depth of a layered array or a cube.",
               s->request->call, a->width, a->height, a->depth, most[0], most[1], most[2]);
    if (cube && (a->width != a->height || a->depth % 6 || (!(a->flags & LAYERED) && a->depth != 6)))
        REFUSE("%s() requests a cube of %" PRIu64 " x %" PRIu64 " texels and a depth of %" PRIu64
               ": the faces of a cube must be square, and the depth must be 6 for each cube.",
               s->request->call, a->width, a->height, a->depth);
    return ERROR_NONE;
}
static uint32_t at_least_1(uint64_t n) { return n ? (uint32_t)n : 1; }
/* Returns the number of levels. CUDA creates no levels beyond the one that has a single texel. */
static uint32_t levels_of(const struct exec_array *a, const struct sim_texels *t) {
    const uint32_t largest = t->width | t->height | t->depth;
    uint32_t most = 1;
    while (largest >> most) most++;
    return a->levels < 1 ? 1 : a->levels < most ? a->levels : most;
}
int exec_array_new(struct exec_session *s, const struct exec_array *a, struct exec_reply *r) {
    const enum sim_shape shape = shape_of(a);
    struct sim_texels t = {.shape = shape, .width = (uint32_t)a->width, .height = at_least_1(a->height)};
    int error = set_format(s, &a->format, &t);
    if (!error) error = check_extent(s, a, shape);
    if (error) return error;
    t.depth = shape == SIM_3D ? (uint32_t)a->depth : 1, t.layers = shape == SIM_3D ? 1 : at_least_1(a->depth);
    t.pitch = (uint64_t)t.width * texel_bytes(&t), t.slice = t.pitch * t.height, t.levels = levels_of(a, &t);
    if ((error = exec_allocate(s, sim_texels_extent(&t), EXEC_ON_DEVICE, r))) return error;
    struct exec_object *o = exec_find(s, r->head.a[0]);
    t.address = o->address;
    o->array = true, o->texels = t, o->extent = *a;
    return ERROR_NONE;
}
/* Returns the level that begins at the address, or the number of levels if there is none. */
static unsigned level_at(const struct exec_object *o, uint64_t address) {
    unsigned level = 0;
    while (level < o->texels.levels && sim_level(&o->texels, level).address != address) level++;
    return level;
}
static struct exec_object *array_at(struct exec_session *s, uint64_t address) {
    struct exec_object *o = address ? exec_find(s, address) : NULL;
    char at[320];
    if (o && o->array && !o->live)
        exec_add_finding(s, HOST_FREED, NULL, "%s() was passed array `%s`, which was freed%s.", s->request->call,
                         o->name, exec_at(&o->freed, at, sizeof at));
    else if (!o || !o->array || level_at(o, address) == o->texels.levels)
        exec_add_finding(s, HOST_ARRAY, NULL,
                         "%s() was passed %s instead of an array from cudaMallocArray() or cudaMalloc3DArray().",
                         s->request->call, o ? "linear memory" : "a pointer that does not point to device memory");
    else
        return o;
    return NULL;
}
int exec_array_about(struct exec_session *s, uint64_t address, uint64_t below, struct exec_reply *r) {
    const struct exec_object *o = array_at(s, address);
    if (!o) return ERROR_HANDLE;
    const uint64_t level = level_at(o, address) + below;
    if (level >= o->texels.levels)
        REFUSE("%s() requests level %" PRIu64 " of `%s`, but its number of levels is %u.", s->request->call, below,
               o->name, o->texels.levels);
    const struct sim_texels of = sim_level(&o->texels, (unsigned)level), *t = &of;
    struct exec_array extent = o->extent;
    extent.width = t->width, extent.levels = t->levels;
    if (extent.height) extent.height = t->height;
    if (extent.depth && t->shape == SIM_3D) extent.depth = t->depth;
    r->head.a[0] = t->address;
    const struct exec_layout layout = {.of = extent,
                                       .pitch = t->pitch,
                                       .slice = t->slice,
                                       .texel = texel_bytes(t),
                                       .width = t->width,
                                       .height = t->height,
                                       .slices = (uint64_t)t->depth * t->layers};
    return exec_reply_add(r, &layout, sizeof layout) ? ERROR_NONE : ERROR_MEMORY;
}

/* ---- objects ---------------------------------------------------------------------------------- */
/* Describes the texels of linear memory or of pitched memory. */
static int linear_texels(struct exec_session *s, const struct exec_texture *x, struct sim_texels *t) {
    const int error = set_format(s, &x->format, t);
    const bool rows = x->resource == EXEC_ROWS;
    const struct exec_object *o = x->address ? exec_find(s, x->address) : NULL;
    if (error) return error;
    t->shape = rows ? SIM_2D : SIM_LINEAR;
    t->address = x->address, t->depth = t->layers = 1;
    t->width = (uint32_t)(rows ? x->width : x->bytes / texel_bytes(t)), t->height = rows ? (uint32_t)x->height : 1;
    t->pitch = rows ? x->pitch : (uint64_t)t->width * texel_bytes(t);
    const uint64_t end = (uint64_t)(t->height - 1) * t->pitch + (uint64_t)t->width * texel_bytes(t);
    if (!o || !o->live || o->array) {
        exec_add_finding(s, o && !o->array ? HOST_FREED : HOST_HOST_POINTER, NULL,
                         "%s() was passed a pointer to %s: allocate the texture's memory with cudaMalloc() or "
                         "cudaMallocPitch().",
                         s->request->call,
                         !o         ? "memory that is not device memory"
                         : o->array ? "an array"
                                    : "device memory that was freed");
        return ERROR_VALUE;
    }
    if (!t->width || !t->height || end > o->bytes - (x->address - o->address)) {
        exec_add_finding(s, HOST_COPY_SIZE, NULL,
                         "%s() describes %u x %u texels of %u bytes, with a pitch of %" PRIu64
                         " bytes, starting at byte %" PRIu64 " of `%s`, but the buffer is only %" PRIu64 " bytes long.",
                         s->request->call, t->width, t->height, texel_bytes(t), (uint64_t)t->pitch,
                         x->address - o->address, o->name, o->bytes);
        return ERROR_VALUE;
    }
    if (x->address % ADDRESS_ALIGN || (rows && x->pitch % PITCH_ALIGN))
        REFUSE("%s() needs an address that is a multiple of %d bytes (textureAlignment)%s: bind the start of the "
               "buffer, and "
               "add the offset to the coordinates.",
               s->request->call, ADDRESS_ALIGN,
               rows ? ", and a pitch that is a multiple of 32 (texturePitchAlignment)" : "");
    return ERROR_NONE;
}
int exec_texture_new(struct exec_session *s, const struct exec_texture *x, struct exec_reply *r) {
    struct sim_texels t = {0};
    if (x->resource == EXEC_OF_ARRAY || x->resource == EXEC_OF_LEVELS) {
        const struct exec_object *o = array_at(s, x->address);
        if (!o) return ERROR_VALUE;
        t = sim_level(&o->texels, level_at(o, x->address));
        if (x->resource == EXEC_OF_ARRAY) t.levels = 1;
        if (x->resource == EXEC_OF_LEVELS && !x->normalized)
            REFUSE("%s() was passed a mipmapped array without normalizedCoords: set it, because the coordinates of "
                   "all mipmap levels range from 0 to 1.",
                   s->request->call);
        if (x->surface && !(o->extent.flags & SURFACE))
            REFUSE("%s() was passed array `%s`, which was created without cudaArraySurfaceLoadStore: create the "
                   "array with this flag.",
                   s->request->call, o->name);
    } else {
        const int error = linear_texels(s, x, &t);
        if (error) return error;
    }
    struct sim_sampling how = {.linear = x->linear && t.shape != SIM_LINEAR,
                               .normalized = x->normalized,
                               .as_floats = x->as_floats && t.numbers != SIM_FLOATS && t.bits < 32,
                               .between_levels = x->between_levels && t.levels > 1,
                               .level_bias = x->level_bias,
                               .least_level = x->least_level,
                               .most_level = x->most_level};
    how.seamless = x->seamless;
    how.srgb = x->srgb && how.as_floats && t.numbers == SIM_UNSIGNED && t.bits == 8;
    for (unsigned d = 0; d < 3; d++) how.outside[d] = (enum sim_outside)(x->outside[d] & 3);
    memcpy(how.border, x->border, sizeof how.border);
    if ((how.linear || how.between_levels) && t.numbers != SIM_FLOATS && !how.as_floats)
        REFUSE("%s() requests cudaFilterModeLinear for integers, but a filter returns floats. Use texels that "
               "are floats, or integers of 8 or 16 bits with cudaReadModeNormalizedFloat.",
               s->request->call);
    r->head.a[0] = x->surface ? sim_surface_new(s->sim, &t) : sim_texture_new(s->sim, &t, &how);
    return r->head.a[0] ? ERROR_NONE : ERROR_MEMORY;
}
int exec_texture_end(struct exec_session *s, uint64_t handle, bool surface) {
    if (!handle || sim_texture_end(s->sim, handle, surface)) return ERROR_NONE;
    exec_add_finding(s, HOST_HANDLE, NULL,
                     "%s() was passed an object that was never created, or was already destroyed.", s->request->call);
    return ERROR_VALUE;
}
