/* Tests texture fetches: every row, type and modifier, and every shape, format, filter and address mode. The
 * expected values follow the formulas in the CUDA C++ Programming Guide ("Texture Fetching"). This file implements
 * them independently, on real coordinates. Rounding is that of an H100, as recorded in tests/exec/texture_bits.cu. */
/* run: 2 s */
/* reads: nothing */
#include "tests/ops/textures.h"
#include "tests/effort.h"
#include <math.h>

/* ---- expected values ---------------------------------------------------------------------------------- */
static double half_value(uint16_t h) { /* the test has no infinite halves */
    const double m = h & 0x3ff, e = h >> 10 & 31, v = e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
    return h >> 15 ? -v : v;
}
/* Returns channel `c` of a texel. If `whole` is false, the lowest signed integer becomes -1, not a number below -1. */
static double channel_at(const struct image *m, const uint8_t *at, unsigned c, bool whole) {
    const struct sim_texels *t = &m->texels;
    const double wide = ldexp(1, t->bits), lowest = ldexp(1, t->bits - 1) - 1;
    uint32_t raw = 0;
    if (c >= t->channels) return 0;
    memcpy(&raw, at + c * (t->bits / 8u), t->bits / 8u);
    if (t->numbers == SIM_FLOATS) {
        float f;
        memcpy(&f, &raw, 4);
        return t->bits == 16 ? half_value((uint16_t)raw) : (double)f;
    }
    const double number = t->numbers == SIM_SIGNED && raw >= wide / 2 ? raw - wide : raw;
    if (!m->sampling.as_floats) return number;
    if (t->numbers == SIM_UNSIGNED) return (double)(float)(number / (wide - 1));
    return number < -lowest && !whole ? -1 : (double)(float)(number / lowest);
}
static double border(const struct image *m, unsigned c) {
    if (c >= m->texels.channels) return 0;
    const double b = (double)m->sampling.border[c]; /* a half represents this value exactly */
    return b;
}
/* Maps a coordinate to [0, 1], or to a negative number for the border, by the formulas of the guide. */
static double inside(enum sim_outside o, double u, double size) {
    const double last = 1 - 0.5 / size;
    switch (o) {
    case SIM_WRAP: return u - floor(u);
    case SIM_MIRROR: return fmod(floor(u), 2) == 0 ? u - floor(u) : 1 - (u - floor(u));
    case SIM_BORDER: return u < 0 || u > 1 ? -1 : u;
    default: return u < 0 ? 0.5 / size : u > 1 ? last : u;
    }
}
static double texel(const struct image *m, const double index[3], uint32_t layer, unsigned c, bool whole) {
    const struct sim_texels *t = &m->texels;
    const uint32_t size[3] = {t->width, t->height, t->depth};
    uint64_t at[3] = {0};
    for (unsigned d = 0; d < shapes[t->shape].dimensions; d++) {
        enum sim_outside o = m->sampling.outside[d];
        if (!m->sampling.normalized && o != SIM_BORDER) o = SIM_CLAMP;
        if (t->shape == SIM_LINEAR) {
            if (index[d] < 0 || index[d] >= size[d]) return 0;
            at[d] = (uint64_t)index[d];
            continue;
        }
        const double u = inside(o, (index[d] + 0.5) / size[d], size[d]);
        if (u < 0) return border(m, c);
        at[d] = (uint64_t)floor(u * size[d]);
    }
    if (t->shape != SIM_3D) at[2] = layer;
    return channel_at(m, m->bytes + at[2] * t->slice + at[1] * t->pitch + at[0] * texel_bytes(t), c, whole);
}
/* Rounds to the nearest integer; rounds ties up. */
static double nearest(double x) { return floor(x + 0.5); }
/* Returns a sum of texels with weights in 256ths. Floats are truncated four bits below the last place of the largest
 * one, and their sum is rounded to nearest, ties away from 0. 8-bit integers and their sum are extended to 16 bits. */
static double sum_of(const struct image *m, const double value[], const double weight[], unsigned count) {
    const struct sim_texels *t = &m->texels;
    const double most = t->numbers == SIM_SIGNED ? 32767 : 65535,
                 own = ldexp(1, t->bits - (t->numbers == SIM_SIGNED)) - 1;
    double sum = 0, largest = 0;
    for (unsigned k = 0; k < count; k++) largest = weight[k] > 0 ? fmax(largest, fabs(value[k])) : largest;
    if (t->numbers != SIM_FLOATS) {
        for (unsigned k = 0; k < count; k++)
            sum += weight[k] * (own == 127 ? nearest(value[k] * 127) * most / 127 : nearest(value[k] * most));
        return fmax(-1, nearest(sum / 256) / most);
    }
    if (largest == 0) return 0;
    const int digits = t->bits == 16 ? 11 : 24, unit = (int)floor(log2(largest)) - digits + 1 - 4;
    for (unsigned k = 0; k < count; k++) sum += weight[k] * trunc(ldexp(value[k], -unit));
    if (sum == 0) return 0;
    sum = ldexp(sum, unit - 8);
    const int last = (int)floor(log2(fabs(sum))) - digits + 1;
    return copysign(ldexp(nearest(ldexp(fabs(sum), -last)), last), sum);
}
/* Computes tex(x) = (1 - a) T[i] + a T[i + 1] in each dimension, where a has 8 fraction bits. Weights are integers:
 * a slice has weight nearest(256 a), which is divided among its columns, and the weight of a column among its rows. */
static double filtered(const struct image *m, const double x[3], uint32_t layer, unsigned c) {
    const unsigned dimensions = shapes[m->texels.shape].dimensions;
    const uint32_t size[3] = {m->texels.width, m->texels.height, m->texels.depth};
    double first[3] = {0}, share[3] = {0}, value[8], weight[8];
    for (unsigned d = 0; d < dimensions; d++) {
        const enum sim_outside o = m->sampling.outside[d];
        const double fixed = nearest((x[d] - 0.5) * 256);
        first[d] = floor(fixed / 256), share[d] = fixed - 256 * first[d];
        const bool clamps = o == SIM_CLAMP || (o != SIM_BORDER && !m->sampling.normalized);
        if (clamps && (first[d] < 0 || first[d] + 1 >= size[d])) share[d] = 0;
    }
    /* the texture has one row, and half of the filtered area lies above it */
    const bool edge = dimensions == 1 && m->sampling.outside[1] == SIM_BORDER;
    if (edge) share[1] = 128;
    for (unsigned corner = 0; corner < 8; corner++) {
        const unsigned i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const double index[3] = {first[0] + i, first[1] + j, first[2] + k}, slice = k ? share[2] : 256 - share[2],
                     right = nearest(slice * share[0] / 256), column = i ? right : slice - right,
                     own = nearest(column * (i ? share[1] : 256 - share[1]) / 256);
        weight[corner] = i == j ? own : column - own;
        value[corner] = weight[corner] == 0 ? 0 : edge && !j ? border(m, c) : texel(m, index, layer, c, true);
    }
    return sum_of(m, value, weight, 8);
}
/* Returns the face whose normal is nearest to the direction. Sets `on` to the coordinates on the face's two axes. */
static uint32_t cube_face(const double p[3], double on[2]) {
    static const int8_t faces[6][3][3] = {/* the directions of the normal, of s, and of t */
                                          {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                          {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
                                          {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};
    uint32_t best = 0;
    double most = -1, dot[3];
    for (uint32_t f = 0; f < 6; f++) {
        const double d = p[0] * faces[f][0][0] + p[1] * faces[f][0][1] + p[2] * faces[f][0][2];
        if (d >= most) most = d, best = f;
    }
    for (unsigned k = 0; k < 3; k++)
        dot[k] = p[0] * faces[best][k][0] + p[1] * faces[best][k][1] + p[2] * faces[best][k][2];
    on[0] = (dot[1] / dot[0] + 1) / 2, on[1] = (dot[2] / dot[0] + 1) / 2;
    return best;
}
/* Computes coordinates in texels. Returns the slice: the layer, or the face of a cube. */
static uint32_t place(const struct image *m, const struct coordinates *q, bool whole, double x[3]) {
    const struct sim_texels *t = &m->texels;
    const uint32_t size[3] = {t->width, t->height, t->depth};
    const bool cube = t->shape == SIM_CUBE || t->shape == SIM_CUBE_LAYERED;
    const uint32_t layers = t->layers / (cube ? 6 : 1);
    uint32_t slice = !shapes[t->shape].layered ? 0 : q->layer < layers ? q->layer : layers - 1;
    double p[3], on[2];
    for (unsigned d = 0; d < 3; d++) p[d] = whole ? q->n[d] : (double)q->x[d];
    if (cube) slice = 6 * slice + cube_face(p, on);
    for (unsigned d = 0; d < 3; d++)
        x[d] = cube && d < 2 ? on[d] * size[d] : !cube && m->sampling.normalized && !whole ? p[d] * size[d] : p[d];
    return slice;
}
static uint32_t bits_of(double value, bool floats) {
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return floats ? bits : (uint32_t)(int64_t)value;
}
static bool gives_floats(const struct image *m) { return m->texels.numbers == SIM_FLOATS || m->sampling.as_floats; }
static void expected(const struct image *m, const struct coordinates *q, bool whole, uint32_t out[WORDS]) {
    double x[3];
    const uint32_t slice = place(m, q, whole, x);
    const bool linear = m->sampling.linear && !whole;
    const double at[3] = {floor(x[0]), floor(x[1]), floor(x[2])};
    const bool beyond = m->texels.shape == SIM_LINEAR && (at[0] < 0 || at[0] >= m->texels.width);
    for (unsigned c = 0; c < WORDS; c++)
        out[c] =
            beyond ? 0 : bits_of(linear ? filtered(m, x, slice, c) : texel(m, at, slice, c, false), gives_floats(m));
}

/* ---- fetches ----------------------------------------------------------------------------------------------------- */
static void write_coordinates(struct text *t, enum sim_shape shape, bool whole) {
    const unsigned written = shapes[shape].written;
    const char *name = whole ? "r" : "f";
    text_add(t, "{");
    for (unsigned k = 0, at = 0; k < written; k++) {
        if (shapes[shape].layered && !k)
            text_add(t, "%%r0");
        else
            text_add(t, "%s%%%s%u", k ? ", " : "", name, at < shapes[shape].coordinates ? ++at : at);
    }
    text_add(t, "}");
}
static const enum ptx_op ways[] = {PTX_OP_tex, PTX_OP_tex_base, PTX_OP_tex_level, PTX_OP_tex_grad};
static void fetch_text(struct text *t, enum sim_shape shape, const char *type, bool whole, unsigned way, bool tells) {
    const unsigned dimensions = shapes[shape].coordinates;
    head(t);
    text_add(t, TESTED "%s.%s.v4.%s.%s {%%f4, %%f5, %%f6, %%f7}", ptx_ops[ways[way]].mnemonic, shapes[shape].geometry,
             strcmp(type, "f32") ? type : "f32", whole ? "s32" : "f32");
    if (strcmp(type, "f32")) { /* all other results are in untyped registers */
        t->length -= strlen("{%f4, %f5, %f6, %f7}");
        text_add(t, "{%%r4, %%r5, %%r6, %%r7}");
    }
    text_add(t, "%s, [%%o, ", tells ? "|%p1" : "");
    write_coordinates(t, shape, whole);
    text_add(t, "]");
    if (way == 2) text_add(t, whole ? ", %%r3" : ", %%f3");
    const char *const difference[] = {"", "{%f1}", "{%f1, %f2}", "{%f1, %f2, %f3, %f3}"}, *const steps[] = {
                                                                                              "", "{%r1}", "{%r1, %r2}",
                                                                                              "{%r1, %r2, %r3, %r3}"};
    if (way == 3)
        for (unsigned k = 0; k < 2; k++) text_add(t, ", %s", (whole ? steps : difference)[dimensions]);
    text_add(t, ";\n" UNTESTED);
    if (strcmp(type, "f32"))
        text_add(t, "st.global.v4.u32 [%%to], {%%r4, %%r5, %%r6, %%r7};\n");
    else
        text_add(t, "st.global.v4.f32 [%%to], {%%f4, %%f5, %%f6, %%f7};\n");
    if (tells) text_add(t, "@!%%p1 trap;\n");
    text_add(t, "ret;\n}\n");
}
/* Draws coordinates inside the texture, outside it, and on borders between texels. */
static void draw_coordinates(const struct image *m, bool whole, struct coordinates q[THREADS], uint64_t *random) {
    const uint32_t size[3] = {m->texels.width, m->texels.height, m->texels.depth};
    const bool cube = m->texels.shape == SIM_CUBE || m->texels.shape == SIM_CUBE_LAYERED;
    for (unsigned k = 0; k < THREADS; k++) {
        q[k].layer = (uint32_t)(random_next(random) >> 40) % 4;
        for (unsigned d = 0; d < 3; d++) {
            const int64_t step = (int64_t)(random_next(random) >> 40) % (4 * 64 * size[d]) - 64 * (int64_t)size[d];
            const double x =
                (double)(k % 4 ? step : step / 64 * 64) / 64 + 1.0 / 1024; /* avoids ties between weights */
            if (whole)
                q[k].n[d] = (int32_t)floor(x);
            else
                q[k].x[d] = (float)(cube || m->sampling.normalized ? x / size[d] : x);
        }
    }
}
static void check_fetches(struct image *m, const char *type, bool whole, unsigned way, uint64_t *random) {
    static struct text t;
    static struct launch l;
    static struct coordinates q[THREADS];
    const enum sim_shape shape = m->texels.shape;
    uint32_t wanted[WORDS];
    draw_coordinates(m, whole, q, random);
    fetch_text(&t, shape, type, whole, way, way == 0 && whole);
    l = (struct launch){.image = m, .in = q, .in_bytes = sizeof q};
    launch(t.data, &l);
    ck_assert_msg(!l.seen.faults, "%s in\n%s", l.seen.fault[0].text, t.data);
    for (unsigned k = 0; k < THREADS; k++) {
        expected(m, &q[k], whole, wanted);
        if (memcmp(wanted, l.out[k], sizeof wanted) != 0)
            ck_abort_msg(
                "%s.%s.%s, %u channels of %u bits, kind %d, linear %d, normalized %d, as floats %d, outside %d "
                "%d: thread %u at layer %u (%g, %g, %g): got %x %x %x %x, expected %x %x %x %x",
                ptx_ops[ways[way]].mnemonic, shapes[shape].geometry, type, m->texels.channels, m->texels.bits,
                m->texels.numbers, m->sampling.linear, m->sampling.normalized, m->sampling.as_floats,
                m->sampling.outside[0], m->sampling.outside[1], k, q[k].layer, (double)q[k].x[0], (double)q[k].x[1],
                (double)q[k].x[2], l.out[k][0], l.out[k][1], l.out[k][2], l.out[k][3], wanted[0], wanted[1], wanted[2],
                wanted[3]);
    }
}
static const struct {
    enum sim_numbers numbers;
    uint8_t bits;
    bool as_floats;
    const char *type;
} formats[] = {{SIM_FLOATS, 32, false, "f32"},   {SIM_FLOATS, 16, false, "f32"},   {SIM_UNSIGNED, 8, false, "u32"},
               {SIM_UNSIGNED, 16, false, "u32"}, {SIM_UNSIGNED, 32, false, "u32"}, {SIM_SIGNED, 8, false, "s32"},
               {SIM_SIGNED, 16, false, "s32"},   {SIM_SIGNED, 32, false, "s32"},   {SIM_UNSIGNED, 8, true, "f32"},
               {SIM_UNSIGNED, 16, true, "f32"},  {SIM_SIGNED, 8, true, "f32"},     {SIM_SIGNED, 16, true, "f32"},
               {SIM_FLOATS, 32, false, "u32"} /* an unsigned fetch returns the bits of floats */};
enum { FORMATS = sizeof formats / sizeof *formats };
START_TEST(fetches_match_the_guide) {
    static struct image m;
    const enum sim_shape shape = (enum sim_shape)(_i % SHAPES);
    const unsigned f = (unsigned)_i / SHAPES;
    uint64_t random = (uint64_t)_i + 1;
    const bool cube = shape == SIM_CUBE || shape == SIM_CUBE_LAYERED, raw = f == FORMATS - 1;
    const bool floats = (formats[f].numbers == SIM_FLOATS || formats[f].as_floats) && !raw;
    for (unsigned channels = 1; channels <= 4; channels *= 2)
        for (unsigned mode = 0; mode < 16; mode++) {
            const bool linear = mode & 4, normalized = mode & 8;
            if ((linear && !floats) || (cube && !normalized)) continue;
            make_image(&m, shape, formats[f].numbers, formats[f].bits, channels, &random);
            for (unsigned d = 0; d < 3; d++)
                m.sampling.outside[d] = (enum sim_outside)((mode + d * (channels - 1)) % 4);
            m.sampling.linear = linear, m.sampling.normalized = normalized, m.sampling.as_floats = formats[f].as_floats;
            for (unsigned c = 0; c < 4; c++) m.sampling.border[c] = (float)(c + 2);
            if (!cube && (!normalized || shape == SIM_LINEAR))
                check_fetches(&m, formats[f].type, true, mode % 4, &random);
            if (shape != SIM_LINEAR) check_fetches(&m, formats[f].type, false, mode % 4, &random);
        }
}
END_TEST
START_TEST(every_fetch_is_a_row) {
    static struct image m;
    const unsigned way = (unsigned)_i % 4;
    uint64_t random = 7;
    for (unsigned shape = 0; shape < SHAPES; shape++)
        for (unsigned f = 0; f < 3; f++)
            for (int whole = shape >= SIM_CUBE ? 1 : 0; whole < 2; whole++) {
                const bool cube = shape >= SIM_CUBE, fetched = whole && !cube;
                if (shape == SIM_LINEAR && !fetched) continue;
                make_image(&m, (enum sim_shape)shape, (enum sim_numbers)f, 32, 4, &random);
                m.sampling.normalized = cube;
                const char *const types[] = {"u32", "s32", "f32"};
                check_fetches(&m, types[f], fetched, way, &random);
            }
}
END_TEST
START_TEST(gather_gives_a_channel_of_four_texels) {
    static struct image m;
    static struct text t;
    static struct launch l;
    static struct coordinates q[THREADS];
    static const char *const types[] = {"u32", "s32", "f32"};
    static const int8_t across[] = {0, 1, 1, 0}, down[] = {1, 1, 0, 0};
    const enum sim_shape shape = _i & 1 ? SIM_2D_LAYERED : SIM_2D;
    const unsigned component = (unsigned)_i / 2 % 4, numbers = (unsigned)_i / 8;
    uint64_t random = (uint64_t)_i + 99;
    make_image(&m, shape, (enum sim_numbers)numbers, 32, 4, &random);
    m.sampling.outside[0] = m.sampling.outside[1] = SIM_CLAMP;
    draw_coordinates(&m, false, q, &random);
    head(&t);
    const char *registers = numbers == SIM_FLOATS ? "{%f4, %f5, %f6, %f7}" : "{%r4, %r5, %r6, %r7}";
    text_add(&t, TESTED "tld4.%c.%s.v4.%s.f32 %s, [%%o, ", "rgba"[component], shapes[shape].geometry, types[numbers],
             registers);
    write_coordinates(&t, shape, false);
    text_add(&t, "];\n" UNTESTED "st.global.v4.%s [%%to], %s;\nret;\n}\n", types[numbers], registers);
    l = (struct launch){.image = &m, .in = q, .in_bytes = sizeof q};
    launch(t.data, &l);
    for (unsigned k = 0; k < THREADS; k++)
        for (unsigned n = 0; n < 4; n++) {
            double x[3];
            const uint32_t slice = place(&m, &q[k], false, x);
            const double index[3] = {floor(x[0] - 0.5) + across[n], floor(x[1] - 0.5) + down[n]};
            const uint32_t wanted = bits_of(texel(&m, index, slice, component, false), numbers == SIM_FLOATS);
            ck_assert_msg(l.out[k][n] == wanted, "thread %u, texel %u of (%g, %g): got %x, expected %x", k, n, x[0],
                          x[1], l.out[k][n], wanted);
        }
}
END_TEST

START_TEST(every_row_was_run) {
    if (effort(1, 0)) coverage_check(TESTED_BY_TEXTURES);
}
END_TEST

int main(void) {
    coverage_begin();
    TCase *t = tcase_create("textures");
    add_rows(t, fetches_match_the_guide, SHAPES * FORMATS, effort(1, 4));
    tcase_add_loop_test(t, every_fetch_is_a_row, 0, 4);
    add_rows(t, gather_gives_a_channel_of_four_texels, 24, effort(1, 4));
    tcase_add_test(t, every_row_was_run);
    return run_suite("ops: textures", t);
}
