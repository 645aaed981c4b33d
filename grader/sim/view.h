/* Internals of the simulator: texture and surface objects, and the texels for given coordinates. */
#ifndef SIM_VIEW_H
#define SIM_VIEW_H

#include "sim/machine.h"
#include "sim/texture.h"

struct sim_view {
    struct sim_texels texels;
    struct sim_sampling sampling;
    bool surface, ended;
};
enum { SIM_MOST_TAPS = 8 };
/* A texel that a fetch reads, with its weight. */
struct sim_tap {
    bool outside; /* the tap is the border color */
    uint32_t x, y, z;
    double weight;
};
static inline unsigned sim_texel_bytes(const struct sim_texels *t) { return t->bits / 8u * t->channels; }
static inline uint64_t sim_texel_at(const struct sim_texels *t, uint32_t x, uint32_t y, uint32_t z) {
    return t->address + z * t->slice + y * t->pitch + (uint64_t)x * sim_texel_bytes(t);
}
/* A lane's coordinates, as floats or as integers: x, y, z, or the direction into a cube. */
struct sim_point {
    double at[3];
    bool whole;
    uint32_t layer;
};
/* Finds the texels that a fetch at the point reads; returns their number. */
unsigned sim_find_taps(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[SIM_MOST_TAPS]);
/* Finds the four texels that tld4 reads, in its order. */
void sim_find_gathered(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[4]);
/* Converts a texel's channels to what a fetch returns: the bits of 32-bit numbers. */
void sim_decode_texel(const struct sim_view *v, const uint8_t *bytes, uint32_t channel[4]);
void sim_border_texel(const struct sim_view *v, uint32_t channel[4]);
/* Whether a fetch returns floats. */
static inline bool sim_gives_floats(const struct sim_view *v) {
    return v->texels.numbers == SIM_FLOATS || v->sampling.as_floats;
}

#endif
