/* Images of every shape and format, and a kernel with one of them as an object. For check_ops_textures.c and
 * check_ops_surfaces.c. */
#ifndef TESTS_OPS_TEXTURES_H
#define TESTS_OPS_TEXTURES_H

#include "base/random.h"
#include "sim/texture.h"
#include "tests/ops/run.h"

enum { THREADS = 64, WORDS = 4, MAX_TEXELS = 6 * 2 * 8 * 8, MAX_BYTES = MAX_TEXELS * 16 };

/* ---- a texture and its bytes --------------------------------------------------------------------------------- */
struct image {
    struct sim_texels texels;
    struct sim_sampling sampling;
    uint8_t bytes[MAX_BYTES];
};
static const struct {
    enum sim_shape shape;
    const char *geometry;
    unsigned coordinates, dimensions,
        written; /* number of coordinates, of spatial coordinates, and of coordinates in the PTX operand */
    bool layered;
} shapes[] = {
    {SIM_LINEAR, "1d", 1, 1, 1, false},     {SIM_1D, "1d", 1, 1, 1, false},
    {SIM_2D, "2d", 2, 2, 2, false},         {SIM_3D, "3d", 3, 3, 4, false},
    {SIM_1D_LAYERED, "a1d", 1, 1, 2, true}, {SIM_2D_LAYERED, "a2d", 2, 2, 4, true},
    {SIM_CUBE, "cube", 3, 2, 4, false},     {SIM_CUBE_LAYERED, "acube", 3, 2, 4, true},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static inline unsigned texel_bytes(const struct sim_texels *t) { return t->bits / 8u * t->channels; }
static inline void make_image(struct image *m, enum sim_shape shape, enum sim_numbers numbers, unsigned bits,
                              unsigned channels, uint64_t *random) {
    const bool cube = shape == SIM_CUBE || shape == SIM_CUBE_LAYERED, layered = shapes[shape].layered;
    const uint32_t width = shape == SIM_LINEAR ? 60 : 5 + !cube;
    *m = (struct image){.texels = {.shape = shape,
                                   .numbers = numbers,
                                   .bits = (uint8_t)bits,
                                   .channels = (uint8_t)channels,
                                   .width = width,
                                   .height = shapes[shape].dimensions > 1 ? 5 : 1,
                                   .depth = shape == SIM_3D ? 4 : 1,
                                   .layers = (cube ? 6 : 1) * (layered ? 2 : 1)}};
    m->texels.pitch = width * texel_bytes(&m->texels) + 16; /* with padding between rows */
    m->texels.slice = m->texels.pitch * m->texels.height + 32;
    for (unsigned k = 0; k < MAX_BYTES; k++) m->bytes[k] = (uint8_t)(random_next(random) >> 33);
    for (unsigned k = 0; numbers == SIM_FLOATS && k < MAX_BYTES; k += bits / 8) {
        const float f = (float)((int)(random_next(random) >> 40) % 1000 - 500) / 8;
        const uint16_t half = (uint16_t)(0x3000 + (random_next(random) >> 50) % 0x1800);
        memcpy(m->bytes + k, bits == 32 ? (const void *)&f : (const void *)&half, bits / 8);
    }
}

struct coordinates {
    uint32_t layer;
    union {
        float x[3];
        int32_t n[3];
    };
};
/* ---- a run ------------------------------------------------------------------------------------------------------- */
struct launch {
    struct image *image;
    bool surface, ended;
    const void *in;
    size_t in_bytes;
    uint32_t out[THREADS][WORDS];
    uint8_t after[MAX_BYTES]; /* the image after the launch */
    struct run seen;          /* the run with its faults */
};
/* Writes the beginning of kernel k(out, in, object). */
static inline void head(struct text *t) {
    t->length = 0;
    text_add(t,
             HEADER ".visible .entry k(.param .u64 to, .param .u64 from, .param .u64 object) {\n.reg .pred %%p<4>;\n");
    text_add(
        t,
        ".reg .b16 %%h<4>;\n.reg .b32 %%r<8>, %%t;\n.reg .f32 %%f<16>;\n.reg .b64 %%to, %%from, %%o, %%at, %%d<4>;\n");
    text_add(t, UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nld.param.u64 %%o, [object];\n");
    text_add(t,
             "mov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, 16;\nadd.s64 %%from, %%from, %%at;\nadd.s64 %%to, %%to, "
             "%%at;\n");
    text_add(t,
             "ld.global.v4.u32 {%%r0, %%r1, %%r2, %%r3}, [%%from];\nmov.b32 %%f1, %%r1;\nmov.b32 %%f2, %%r2;\nmov.b32 "
             "%%f3, %%r3;\n");
}
static inline void launch(const char *text, struct launch *l) {
    static const struct sim_probe faults = {.name = "faults", .fault = run_fault};
    struct sim_error error;
    struct ptx_module *m = parsed(text);
    struct sim_program *p = sim_program_new(m, &error);
    struct sim *s = p ? sim_new(p, NULL) : NULL;
    ck_assert_msg(s != NULL, "%s in\n%.3000s", error.message, text);
    uint64_t out = sim_alloc(s, "out", sizeof l->out, SIM_INITIALIZED),
             in = sim_alloc(s, "in", l->in_bytes, SIM_INITIALIZED),
             image = sim_alloc(s, "image", sizeof l->image->bytes, SIM_INITIALIZED);
    sim_write(s, in, l->in, l->in_bytes), sim_write(s, image, l->image->bytes, sizeof l->image->bytes);
    sim_write(s, out, l->out, sizeof l->out);
    l->image->texels.address = image;
    const uint64_t object =
        l->surface ? sim_surface_new(s, &l->image->texels) : sim_texture_new(s, &l->image->texels, &l->image->sampling);
    if (l->ended) ck_assert(sim_texture_end(s, object, l->surface) && !sim_texture_end(s, object, l->surface));
    ck_assert(!sim_texture_end(s, object, !l->surface) && !sim_texture_end(s, 0, false));
    const struct sim_listener listener = {&faults, &l->seen};
    l->seen.faults = 0;
    const struct sim_launch launched = {.kernel = "k",
                                        .grid = {1, 1, 1},
                                        .block = {THREADS, 1, 1},
                                        .params = (const void *const[]){&out, &in, &object},
                                        .param_count = 3,
                                        .listeners = &listener,
                                        .listener_count = 1};
    ck_assert_msg(sim_launch(s, &launched, NULL, &error) == SIM_DONE, "%s", error.message);
    sim_read(s, out, l->out, sizeof l->out), sim_read(s, image, l->after, sizeof l->after);
    sim_free(s), sim_program_free(p), ptx_free(m);
}

#endif
