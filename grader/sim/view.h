/* Internals of the simulator: texture and surface objects, and the texels that a fetch reads. */
#ifndef SIM_VIEW_H
#define SIM_VIEW_H

#include "sim/machine.h"
#include "sim/texture.h"

struct sim_view {
    struct sim_texels texels;
    struct sim_sampling sampling;
    bool surface, ended;
};
enum { SIM_MAX_TAPS = 16 };
/* A texel that a fetch reads, with its weight. */
struct sim_tap {
    bool outside; /* the fetch returns the border color for this tap */
    uint32_t x, y, z, level;
    unsigned weight; /* in units of 1 / SIM_WHOLE */
};
enum { SIM_WHOLE = 256 };
static inline unsigned sim_texel_bytes(const struct sim_texels *t) { return t->bits / 8u * t->channels; }
static inline uint64_t sim_texel_at(const struct sim_texels *t, uint32_t x, uint32_t y, uint32_t z) {
    return t->address + z * t->slice + y * t->pitch + (uint64_t)x * sim_texel_bytes(t);
}
/* A lane's coordinates: x, y and z, or a direction in a cube. If `whole`, they are integers. */
struct sim_point {
    double at[3];
    bool whole;
    uint32_t layer;
    double level;
};
/* Finds the texels that a fetch at the point reads. Returns their number. */
unsigned sim_find_taps(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[SIM_MAX_TAPS]);
/* Finds the four texels that tld4 reads, in the order of its results. */
void sim_find_gathered(const struct sim_view *v, const struct sim_point *p, struct sim_tap tap[4]);
/* Decode a texel to four 32-bit channels: as a fetch returns them or, if `filtered`, as sim_filter() takes them. */
void sim_decode_texel(const struct sim_view *v, const uint8_t *bytes, bool filtered, uint32_t channel[4]);
void sim_border_texel(const struct sim_view *v, uint32_t channel[4]);
/* Returns the weighted sum of channel `c` of `count` texels. `value` has the channel as sim_decode_texel() decodes
 * it. */
uint32_t sim_filter(const struct sim_view *v, unsigned c, const struct sim_tap tap[], const uint32_t value[],
                    unsigned count);
/* Returns the level for these differences of normalized coordinates between neighboring lanes. */
double sim_level_of(const struct sim_view *v, const double dx[3], const double dy[3]);
/* Returns a texel's channel as tld4 returns it. Signed bytes that become floats have 16-bit precision. */
uint32_t sim_gathered(const struct sim_view *v, uint32_t value);
/* Returns whether a fetch returns floats. */
static inline bool sim_gives_floats(const struct sim_view *v) {
    return v->texels.numbers == SIM_FLOATS || v->sampling.as_floats;
}

#endif
