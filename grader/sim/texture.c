/* Texture and surface objects: the texels that a fetch reads, their weights, and their formats.
 *
 * Linear filtering rounds the coordinate minus 0.5 to 8 fraction bits. Its integer part selects the first texel, and
 * its fraction is the weight of the second. Weights are integers with the sum 256. Seamless cubes follow an H100
 * (find_seamless_taps()).
 *
 * In a mipmapped array, a fetch reads the nearest level, unless filtering between levels is linear. Then the level's
 * integer part selects the first level. Its fraction, truncated to 8 bits, is the weight of the next one. Each level's
 * weight is divided among its texels.
 *
 * The CUDA C++ Programming Guide leaves some details open. There, the simulator follows an H100: missing channels are
 * 0, and weights and sums are rounded as in part_of_weight() and sim_filter(). If a direction points to the edge of two
 * faces of a cube, z goes before y, and y before x, as in graphics APIs. */
#include "base/array.h"
#include "sim/view.h"
#include <math.h>
#include <string.h>

#include "sim/exec_half.h" /* depends on the headers above */

enum { FARTHEST = 1 << 30, NORMALIZED_BITS = 21, EXTRA_BITS = 4, LEVEL_ALIGN = 512, HALF_BITS = 11, ALPHA = 3 };

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
    if (!v.texels.levels) v.texels.levels = 1;
    for (unsigned d = 0; d < 3; d++) {
        enum sim_outside *o = &v.sampling.outside[d];
        if (!sampling->normalized && *o != SIM_BORDER) *o = SIM_CLAMP;
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

/* ---- levels --------------------------------------------------------------------------------------------------- */

static uint64_t level_bytes(const struct sim_texels *t) { return t->slice * t->depth * t->layers; }
static uint32_t halved(uint32_t size) { return size > 1 ? size / 2 : 1; }
struct sim_texels sim_level(const struct sim_texels *t, unsigned level) {
    struct sim_texels of = *t;
    for (unsigned k = 0; k < level; k++) {
        of.address += (level_bytes(&of) + LEVEL_ALIGN - 1) / LEVEL_ALIGN * LEVEL_ALIGN;
        of.width = halved(of.width), of.height = halved(of.height), of.depth = halved(of.depth);
        of.pitch = (uint64_t)of.width * sim_texel_bytes(&of), of.slice = of.pitch * of.height;
    }
    if (level) of.levels = 1;
    return of;
}
uint64_t sim_texels_extent(const struct sim_texels *t) {
    const struct sim_texels last = sim_level(t, t->levels - 1);
    return last.address - t->address + level_bytes(&last);
}
/* Returns a vector's length in texels, as an H100 approximates it. The resulting level is within 1/256 of the
 * H100's. */
static double rough_length(const struct sim_texels *t, const double d[3]) {
    double x = fabs(d[0]) * t->width, y = fabs(d[1]) * t->height, z = fabs(d[2]) * t->depth;
    const double longest = fmax(x, fmax(y, z)), others = x + y + z - longest;
    return longest + others * 11 / 32;
}
double sim_level_of(const struct sim_view *v, const double dx[3], const double dy[3]) {
    return log2(fmax(rough_length(&v->texels, dx), rough_length(&v->texels, dy)));
}
/* Returns the level that a fetch reads. *share is the next level's weight, in units of 1 / SIM_WHOLE. */
static unsigned find_level(const struct sim_view *v, double given, unsigned *share) {
    const struct sim_sampling *s = &v->sampling;
    const double least = fmax(0, (double)s->least_level), most = fmin((double)s->most_level, v->texels.levels - 1.0);
    const double level = fmin(fmax(given, least), most);
    *share = 0;
    if (v->texels.levels <= 1 || isnan(level) || level <= 0) return 0;
    const unsigned fixed = (unsigned)(level * SIM_WHOLE);
    if (!s->between_levels) return (fixed + SIM_WHOLE / 2) / SIM_WHOLE;
    *share = fixed % SIM_WHOLE;
    return fixed / SIM_WHOLE;
}

/* ---- coordinates ---------------------------------------------------------------------------------------------- */

/* Returns the texel for index `i` in a dimension, or -1 for the border. */
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
/* Converts a coordinate to units of texels. NaN becomes 0. */
static double in_texels(const struct sim_view *v, const struct sim_point *p, unsigned d, uint32_t size) {
    double x = p->at[d];
    if (isnan(x)) return 0;
    const bool cube = v->texels.shape == SIM_CUBE || v->texels.shape == SIM_CUBE_LAYERED;
    if (v->sampling.normalized && !p->whole)
        x = (cube ? x : ldexp(floor(ldexp(x, NORMALIZED_BITS)), -NORMALIZED_BITS)) * size;
    return fmin(fmax(x, -FARTHEST), FARTHEST);
}
/* One dimension of a fetch: two texels, and the weight of the second, which is 0 without linear filtering. */
struct side {
    int64_t index[2];
    unsigned share; /* weight, in units of 1 / SIM_WHOLE */
};
/* Returns the two texels that linear filtering combines at x. They may be outside the texture. */
static struct side unlimited(double x) {
    const int64_t fixed = (int64_t)floor((x - 0.5) * SIM_WHOLE + 0.5), fraction = fixed & (SIM_WHOLE - 1);
    const int64_t first = (fixed - fraction) / SIM_WHOLE;
    return (struct side){{first, first + 1}, (unsigned)fraction};
}
static struct side find_side(const struct sim_view *v, const struct sim_point *p, unsigned d, uint32_t size,
                             bool linear) {
    const double x = in_texels(v, p, d, size);
    const enum sim_outside outside = v->sampling.outside[d];
    if (!linear) return (struct side){{texel_index(outside, (int64_t)floor(x), size)}, 0};
    const struct side whole = unlimited(x);
    const int64_t first = whole.index[0], second = whole.index[1];
    /* SIM_CLAMP clamps the coordinate before it becomes an index and a weight. */
    const bool clamped = outside == SIM_CLAMP && (first < 0 || second >= size);
    return (struct side){{texel_index(outside, first, size), texel_index(outside, second, size)},
                         clamped ? 0 : whole.share};
}
static unsigned part_of_weight(unsigned weight, unsigned share) { return (weight * share + SIM_WHOLE / 2) / SIM_WHOLE; }
/* Divides a slice's weight among its four texels: to[y][x]. */
static void divide_weight(unsigned weight, const struct side *x, const struct side *y, unsigned to[2][2]) {
    const unsigned right = part_of_weight(weight, x->share), left = weight - right;
    to[1][1] = part_of_weight(right, y->share), to[0][1] = right - to[1][1];
    to[0][0] = part_of_weight(left, SIM_WHOLE - y->share), to[1][0] = left - to[0][0];
}
/* Returns the face of a cube that a direction hits. Sets `on` to the position on the face, 0 to 1. */
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
static bool is_within(int64_t i, int64_t size) { return i >= 0 && i < size; }
static uint32_t clamped_layer(const struct sim_view *v, uint32_t layer, uint32_t each) {
    const uint32_t layers = v->texels.layers / each;
    return (layer < layers ? layer : layers - 1) * each;
}
/* Returns the point where a direction from the center of a cube map hits a face. */
static struct sim_point on_face(const struct sim_view *v, const struct sim_point *p, uint32_t *z) {
    struct sim_point q = {.layer = p->layer};
    *z = clamped_layer(v, p->layer, 6) + find_face(p->at, q.at);
    if (!v->sampling.normalized) q.at[0] *= v->texels.width, q.at[1] *= v->texels.height;
    return q;
}
/* Moves a tap one texel outside its face to the adjacent face's texel. */
static void cross_edge(struct sim_tap *tap, int64_t i, int64_t j, int64_t size) {
    const uint32_t face = tap->z % 6;
    const double s = (double)(2 * i + 1) / (double)size - 1, t = (double)(2 * j + 1) / (double)size - 1;
    const double at[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
    double on[2];
    tap->z += find_face(at[face], on) - face;
    tap->x = (uint32_t)(on[0] * (double)size), tap->y = (uint32_t)(on[1] * (double)size);
}
/* Finds the taps of a seamless cube's linear filter, which also combines texels of adjacent faces. At a corner of the
 * cube, only three faces meet, which share the weight of the missing texel. */
static unsigned find_seamless_taps(const struct sim_view *v, const struct sim_point *at, uint32_t z, unsigned level,
                                   unsigned whole, struct sim_tap tap[SIM_MAX_TAPS / 2]) {
    const uint32_t size = sim_level(&v->texels, level).width;
    const struct side x = unlimited(in_texels(v, at, 0, size)), y = unlimited(in_texels(v, at, 1, size));
    unsigned shares[2][2], weight[4], count = 0;
    divide_weight(whole, &x, &y, shares);
    for (unsigned n = 0; n < 4; n++) weight[n] = shares[n / 2][n % 2];
    for (unsigned n = 0; n < 4; n++) {
        const unsigned missing = weight[n], third = (2 * missing + 3) / 6;
        if (is_within(x.index[n % 2], size) || is_within(y.index[n / 2], size)) continue;
        weight[n ^ 1] += third, weight[n ^ 2] += third, weight[n ^ 3] += missing - 2 * third;
        weight[n] = 0;
    }
    for (unsigned n = 0; n < 4; n++) {
        const int64_t i = x.index[n % 2], j = y.index[n / 2];
        if (!weight[n]) continue;
        tap[count] = (struct sim_tap){false, (uint32_t)i, (uint32_t)j, z, level, weight[n]};
        if (!is_within(i, size) || !is_within(j, size)) cross_edge(&tap[count], i, j, size);
        count++;
    }
    return count;
}
/* Finds the texels that a fetch reads in one level, and divides the weight `whole` among them. Returns their number. */
static unsigned find_taps(const struct sim_view *v, const struct sim_point *p, unsigned level, unsigned whole,
                          struct sim_tap tap[SIM_MAX_TAPS / 2]) {
    const struct sim_texels of = sim_level(&v->texels, level), *t = &of;
    const bool linear = v->sampling.linear && !p->whole && t->shape != SIM_LINEAR;
    const bool has_y = t->shape != SIM_LINEAR && t->shape != SIM_1D && t->shape != SIM_1D_LAYERED;
    struct sim_point at = *p;
    uint32_t layer = 0;
    if (is_cube(v)) {
        at = on_face(v, p, &layer);
        if (linear && v->sampling.seamless) return find_seamless_taps(v, &at, layer, level, whole, tap);
    } else if (t->shape == SIM_1D_LAYERED || t->shape == SIM_2D_LAYERED)
        layer = clamped_layer(v, p->layer, 1);
    struct side x, y = {{0}, 0}, z = {{layer}, 0};
    if (t->shape == SIM_LINEAR) {
        const double index = p->at[0];
        x = (struct side){{index >= 0 && index < t->width ? (int64_t)index : -1}, 0};
    } else
        x = find_side(v, &at, 0, t->width, linear);
    if (has_y)
        y = find_side(v, &at, 1, t->height, linear);
    else if (linear && v->sampling.outside[1] == SIM_BORDER) /* y is 0, the edge of the only row */
        y = (struct side){{-1, 0}, SIM_WHOLE / 2};
    if (t->shape == SIM_3D) z = find_side(v, &at, 2, t->depth, linear);
    unsigned count = 0;
    for (unsigned k = 0; k < 2; k++) {
        unsigned weight[2][2];
        const unsigned behind = part_of_weight(whole, z.share);
        divide_weight(k ? behind : whole - behind, &x, &y, weight);
        for (unsigned n = 0; n < 4; n++) {
            const int64_t i = x.index[n % 2], j = y.index[n / 2], l = z.index[k];
            if (weight[n / 2][n % 2])
                tap[count++] = (struct sim_tap){i < 0 || j < 0 || l < 0, (uint32_t)i, (uint32_t)j, (uint32_t)l, level,
                                                weight[n / 2][n % 2]};
        }
    }
    return count;
}
unsigned sim_find_taps(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[SIM_MAX_TAPS]) {
    unsigned share;
    const unsigned level = find_level(v, p->level, &share);
    const unsigned count = find_taps(v, p, level, SIM_WHOLE - share, tap);
    return share ? count + find_taps(v, p, level + 1, share, tap + count) : count;
}
void sim_find_gathered(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[4]) {
    /* tld4's order: counterclockwise from the lower left. */
    static const uint8_t across[] = {0, 1, 1, 0}, down[] = {1, 1, 0, 0};
    const struct side x = find_side(v, p, 0, v->texels.width, true), y = find_side(v, p, 1, v->texels.height, true);
    const uint32_t z = v->texels.shape == SIM_2D_LAYERED ? clamped_layer(v, p->layer, 1) : 0;
    for (unsigned k = 0; k < 4; k++) {
        const int64_t i = x.index[across[k]], j = y.index[down[k]];
        tap[k] = (struct sim_tap){i < 0 || j < 0, (uint32_t)i, (uint32_t)j, z, 0, SIM_WHOLE};
    }
}

/* ---- texels --------------------------------------------------------------------------------------------------- */

static uint32_t float_bits(double x) {
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
/* Truncates x to `bits` significand bits. */
static double cut(double x, int bits) {
    if (x == 0 || !isfinite(x)) return x;
    const int last = ilogb(x) - (bits - 1);
    return ldexp(trunc(ldexp(x, -last)), last);
}
static uint32_t channel_of(const struct sim_view *v, uint32_t raw, bool filtered) {
    const unsigned bits = v->texels.bits;
    const int32_t number = bits == 32 ? (int32_t)raw : (int32_t)(raw << (32 - bits)) >> (32 - bits);
    const double most = (double)((UINT64_C(1) << (v->texels.numbers == SIM_SIGNED ? bits - 1 : bits)) - 1);
    switch (v->texels.numbers) {
    case SIM_FLOATS: return bits == 16 ? float_bits(widened_f16((uint16_t)raw)) : raw;
    case SIM_SIGNED: /* sim_filter() clamps the sum instead */
        return !v->sampling.as_floats ? (uint32_t)number
               : filtered             ? float_bits(number / most)
                                      : float_bits(fmax(-1, number / most));
    default: return v->sampling.as_floats ? float_bits(raw / most) : raw;
    }
}
/* Linear values of sRGB bytes, times 2^14, with an H100's rounding. */
static const uint16_t linear_of_srgb[] = {
#include "sim/srgb.def"
};
static bool is_srgb(const struct sim_view *v, unsigned c) { return v->sampling.srgb && c != ALPHA; }
void sim_decode_texel(const struct sim_view *v, const uint8_t *bytes, bool filtered, uint32_t channel[4]) {
    const unsigned size = v->texels.bits / 8u;
    memset(channel, 0, 4 * sizeof *channel);
    for (unsigned c = 0; c < v->texels.channels; c++) {
        uint32_t raw = 0;
        memcpy(&raw, bytes + c * size, size);
        channel[c] = is_srgb(v, c) ? float_bits(ldexp(linear_of_srgb[raw], -14)) : channel_of(v, raw, filtered);
    }
}
/* Gets the texel that a fetch outside the texture returns; it is 0 for linear memory. */
void sim_border_texel(const struct sim_view *v, uint32_t channel[4]) {
    memset(channel, 0, 4 * sizeof *channel);
    if (v->texels.shape == SIM_LINEAR) return;
    for (unsigned c = 0; c < v->texels.channels; c++) {
        const double f = (double)v->sampling.border[c];
        channel[c] = !sim_gives_floats(v)                                      ? (uint32_t)(int64_t)f
                     : v->texels.numbers == SIM_FLOATS && v->texels.bits == 16 ? float_bits(cut(f, 11))
                                                                               : float_bits(f);
    }
}

/* ---- filters -------------------------------------------------------------------------------------------------- */

static double as_number(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}
/* Returns the weighted sum of floats. Truncates each texel four bits below the last place of the largest, adds exactly,
 * and rounds to `bits` significand bits (ties away from zero). */
static double sum_of_floats(const struct sim_tap tap[], const uint32_t value[], unsigned count, int bits) {
    double largest = 0, sum = 0;
    for (unsigned k = 0; k < count; k++) {
        const double x = as_number(value[k]);
        sum += x * tap[k].weight / SIM_WHOLE;
        if (isgreater(fabs(x), largest)) largest = fabs(x);
    }
    if (!isfinite(sum) || largest == 0) return sum;
    const int unit = ilogb(largest) - (bits - 1) - EXTRA_BITS;
    int64_t total = 0; /* each term is below 2^(24 + 4 + 8) */
    for (unsigned k = 0; k < count; k++) total += (int64_t)ldexp(as_number(value[k]), -unit) * tap[k].weight;
    sum = ldexp((double)total, unit) / SIM_WHOLE;
    if (sum == 0) return 0;
    const int last = ilogb(sum) - (bits - 1);
    return ldexp(round(ldexp(sum, -last)), last);
}
/* Returns the weighted sum of normalized integers, rounded to a 16-bit integer (ties up). */
static double sum_of_integers(const struct sim_view *v, const struct sim_tap tap[], const uint32_t value[],
                              unsigned count) {
    const bool negative = v->texels.numbers == SIM_SIGNED;
    const double most = negative ? 32767 : 65535, own = negative && v->texels.bits == 8 ? 127 : most;
    double total = 0;
    for (unsigned k = 0; k < count; k++) total += floor(as_number(value[k]) * own + 0.5) * tap[k].weight;
    return fmax(-1, floor(total * (most / own) / SIM_WHOLE + 0.5) / most);
}
uint32_t sim_filter(const struct sim_view *v, unsigned c, const struct sim_tap tap[], const uint32_t value[],
                    unsigned count) {
    const bool half = v->texels.bits == 16 || is_srgb(v, c);
    return float_bits(v->texels.numbers == SIM_FLOATS || is_srgb(v, c)
                          ? sum_of_floats(tap, value, count, half ? HALF_BITS : 24)
                          : sum_of_integers(v, tap, value, count));
}
uint32_t sim_gathered(const struct sim_view *v, uint32_t value) {
    const bool narrow = v->texels.numbers == SIM_SIGNED && v->texels.bits == 8 && v->sampling.as_floats;
    return narrow ? float_bits(sum_of_integers(v, &(struct sim_tap){.weight = SIM_WHOLE}, &value, 1)) : value;
}
