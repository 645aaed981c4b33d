/* Texture and surface objects: the texels that a fetch reads, their weights, and their formats.
 *
 * A linear filter's weights have 8 fraction bits. The coordinate minus 0.5 is rounded to such a number: the integer
 * part is the first texel, the fraction is the weight of the second. Details that the guide leaves open follow graphics
 * APIs. Missing channels are 0, except for the fourth, which is 1. A direction between two faces of a cube belongs to z
 * before y before x. The sum is rounded once. */
#include "base/array.h"
#include "sim/view.h"
#include <math.h>
#include <string.h>

#include "sim/exec_half.h" /* needs the headers above */

enum { FRACTION = 256, FARTHEST = 1 << 30 };

/* ---- objects -------------------------------------------------------------------------------------------------- */

static uint64_t add_view(struct sim *s, const struct sim_view *v) {
    struct sim_view *views = array_room(s->views, s->view_count + 1, &s->view_capacity, sizeof *views);
    if (!views) return 0;
    s->views = views;
    s->views[s->view_count++] = *v;
    return s->view_count;
}
uint64_t sim_texture_new(struct sim *s, const struct sim_texels *texels, const struct sim_sampling *sampling) {
    struct sim_view v = {.texels = *texels, .sampling = *sampling};
    const bool cube = texels->shape == SIM_CUBE || texels->shape == SIM_CUBE_LAYERED;
    for (unsigned d = 0; d < 3; d++) {
        enum sim_outside *o = &v.sampling.outside[d];
        if (cube || (!sampling->normalized && *o != SIM_BORDER)) *o = SIM_CLAMP;
    }
    return add_view(s, &v);
}
uint64_t sim_surface_new(struct sim *s, const struct sim_texels *texels) {
    return add_view(s, &(struct sim_view){.texels = *texels, .surface = true});
}
bool sim_texture_end(struct sim *s, uint64_t handle, bool surface) {
    struct sim_view *v = handle && handle <= s->view_count ? &s->views[handle - 1] : NULL;
    if (!v || v->ended || v->surface != surface) return false;
    return v->ended = true;
}

/* ---- coordinates ---------------------------------------------------------------------------------------------- */

/* The texel for index `i` in a dimension; -1: the border. */
static int64_t texel_index(enum sim_outside outside, int64_t i, int64_t size) {
    if (i >= 0 && i < size) return i;
    int64_t m;
    switch (outside) {
    case SIM_BORDER: return -1;
    case SIM_WRAP: return (i % size + size) % size;
    case SIM_MIRROR: return m = (i % (2 * size) + 2 * size) % (2 * size), m < size ? m : 2 * size - 1 - m;
    default: return i < 0 ? 0 : size - 1;
    }
}
/* The coordinate in texels. NaN becomes 0. */
static double in_texels(const struct sim_view *v, const struct sim_point *p, unsigned d, uint32_t size) {
    double x = p->at[d];
    if (isnan(x)) return 0;
    if (v->sampling.normalized && !p->whole) x *= size;
    return fmin(fmax(x, -FARTHEST), FARTHEST);
}
/* One dimension of a fetch: a texel, or two texels with the weight of the second one. */
struct side {
    int64_t index[2];
    double weight[2];
    unsigned count;
};
static struct side find_side(const struct sim_view *v, const struct sim_point *p, unsigned d, uint32_t size,
                             bool linear) {
    const double x = in_texels(v, p, d, size);
    const enum sim_outside outside = v->sampling.outside[d];
    if (!linear) return (struct side){{texel_index(outside, (int64_t)floor(x), size)}, {1}, 1};
    const int64_t fixed = (int64_t)floor((x - 0.5) * FRACTION + 0.5), fraction = fixed & (FRACTION - 1);
    const int64_t first = (fixed - fraction) / FRACTION;
    return (struct side){{texel_index(outside, first, size), texel_index(outside, first + 1, size)},
                         {(double)(FRACTION - fraction) / FRACTION, (double)fraction / FRACTION},
                         2};
}
/* The face of a cube that a direction hits, and the position on it, from 0 to 1. */
static uint32_t find_face(const double at[3], double on[2]) {
    const double x = at[0], y = at[1], z = at[2], ax = fabs(x), ay = fabs(y), az = fabs(z);
    double s, t, m;
    uint32_t face;
    if (az >= ax && az >= ay)
        face = z < 0 ? 5 : 4, m = az, s = z < 0 ? -x : x, t = -y;
    else if (ay >= ax)
        face = y < 0 ? 3 : 2, m = ay, s = x, t = y < 0 ? -z : z;
    else
        face = x < 0 ? 1 : 0, m = ax, s = x < 0 ? z : -z, t = -y;
    on[0] = m > 0 ? (s / m + 1) / 2 : 0.5, on[1] = m > 0 ? (t / m + 1) / 2 : 0.5;
    return face;
}
static bool is_cube(const struct sim_view *v) {
    return v->texels.shape == SIM_CUBE || v->texels.shape == SIM_CUBE_LAYERED;
}
static uint32_t clamped_layer(const struct sim_view *v, uint32_t layer, uint32_t each) {
    const uint32_t layers = v->texels.layers / each;
    return (layer < layers ? layer : layers - 1) * each;
}
/* Converts a cube's point to one on the face that it hits. */
static struct sim_point on_face(const struct sim_view *v, const struct sim_point *p, uint32_t *z) {
    struct sim_point q = {.layer = p->layer};
    *z = clamped_layer(v, p->layer, 6) + find_face(p->at, q.at);
    if (!v->sampling.normalized) q.at[0] *= v->texels.width, q.at[1] *= v->texels.height;
    return q;
}
unsigned sim_find_taps(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[SIM_MOST_TAPS]) {
    const struct sim_texels *t = &v->texels;
    const bool linear = v->sampling.linear && !p->whole && t->shape != SIM_LINEAR;
    const bool has_y = t->shape != SIM_LINEAR && t->shape != SIM_1D && t->shape != SIM_1D_LAYERED;
    struct sim_point at = *p;
    uint32_t layer = 0;
    if (is_cube(v))
        at = on_face(v, p, &layer);
    else if (t->shape == SIM_1D_LAYERED || t->shape == SIM_2D_LAYERED)
        layer = clamped_layer(v, p->layer, 1);
    struct side x, y = {{0}, {1}, 1}, z = {{layer}, {1}, 1};
    if (t->shape == SIM_LINEAR) {
        const double index = p->at[0];
        x = (struct side){{index >= 0 && index < t->width ? (int64_t)index : -1}, {1}, 1};
    } else
        x = find_side(v, &at, 0, t->width, linear);
    if (has_y) y = find_side(v, &at, 1, t->height, linear);
    if (t->shape == SIM_3D) z = find_side(v, &at, 2, t->depth, linear);
    unsigned count = 0;
    for (unsigned k = 0; k < z.count; k++)
        for (unsigned j = 0; j < y.count; j++)
            for (unsigned i = 0; i < x.count; i++) {
                const double weight = x.weight[i] * y.weight[j] * z.weight[k];
                if (weight > 0)
                    tap[count++] =
                        (struct sim_tap){x.index[i] < 0 || y.index[j] < 0 || z.index[k] < 0, (uint32_t)x.index[i],
                                         (uint32_t)y.index[j], (uint32_t)z.index[k], weight};
            }
    return count;
}
void sim_find_gathered(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[4]) {
    static const uint8_t across[] = {0, 1, 1, 0}, down[] = {1, 1, 0, 0}; /* from the lower left, counterclockwise */
    const struct side x = find_side(v, p, 0, v->texels.width, true), y = find_side(v, p, 1, v->texels.height, true);
    const uint32_t z = v->texels.shape == SIM_2D_LAYERED ? clamped_layer(v, p->layer, 1) : 0;
    for (unsigned k = 0; k < 4; k++) {
        const int64_t i = x.index[across[k]], j = y.index[down[k]];
        tap[k] = (struct sim_tap){i < 0 || j < 0, (uint32_t)i, (uint32_t)j, z, 1};
    }
}

/* ---- texels --------------------------------------------------------------------------------------------------- */

static uint32_t float_bits(double x) {
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
static uint32_t channel_of(const struct sim_view *v, uint32_t raw) {
    const unsigned bits = v->texels.bits;
    const int32_t number = bits == 32 ? (int32_t)raw : (int32_t)(raw << (32 - bits)) >> (32 - bits);
    const double most = (double)((UINT64_C(1) << (v->texels.numbers == SIM_SIGNED ? bits - 1 : bits)) - 1);
    switch (v->texels.numbers) {
    case SIM_FLOATS: return bits == 16 ? float_bits(widened_f16((uint16_t)raw)) : raw;
    case SIM_SIGNED: return v->sampling.as_floats ? float_bits(fmax(-1, number / most)) : (uint32_t)number;
    default: return v->sampling.as_floats ? float_bits(raw / most) : raw;
    }
}
static void fill_missing(const struct sim_view *v, uint32_t channel[4]) {
    for (unsigned c = v->texels.channels; c < 4; c++) channel[c] = c < 3 ? 0 : sim_gives_floats(v) ? float_bits(1) : 1;
}
void sim_decode_texel(const struct sim_view *v, const uint8_t *bytes, uint32_t channel[4]) {
    const unsigned size = v->texels.bits / 8u;
    for (unsigned c = 0; c < v->texels.channels; c++) {
        uint32_t raw = 0;
        memcpy(&raw, bytes + c * size, size);
        channel[c] = channel_of(v, raw);
    }
    fill_missing(v, channel);
}
/* The texel outside of the texture; 0 for linear memory. */
void sim_border_texel(const struct sim_view *v, uint32_t channel[4]) {
    memset(channel, 0, 4 * sizeof *channel);
    if (v->texels.shape == SIM_LINEAR) return;
    for (unsigned c = 0; c < v->texels.channels; c++) {
        const float f = v->sampling.border[c];
        channel[c] = sim_gives_floats(v) ? float_bits((double)f) : (uint32_t)(int64_t)f;
    }
    fill_missing(v, channel);
}
