/* Textures and surfaces are memory that kernels access by coordinates, through objects that the host creates. Fetches
 * follow the CUDA C++ Programming Guide, "Texture Fetching". */
#ifndef SIM_TEXTURE_H
#define SIM_TEXTURE_H

#include "sim/sim.h"

enum sim_shape {
    SIM_LINEAR, /* elements of linear memory, by index */
    SIM_1D,
    SIM_2D,
    SIM_3D,
    SIM_1D_LAYERED,
    SIM_2D_LAYERED,
    SIM_CUBE,
    SIM_CUBE_LAYERED
};
enum sim_numbers { SIM_UNSIGNED, SIM_SIGNED, SIM_FLOATS };
/* What happens to coordinates that are out of range. */
enum sim_outside { SIM_WRAP, SIM_CLAMP, SIM_MIRROR, SIM_BORDER };

/* Texels in memory, row by row. */
struct sim_texels {
    enum sim_shape shape;
    enum sim_numbers numbers;
    uint8_t bits, channels;        /* bits of a channel: 8, 16 or 32; channels: 1, 2 or 4 */
    uint32_t width, height, depth; /* in texels; 1 for missing dimensions */
    uint32_t layers;               /* layers; six for each cube; otherwise 1 */
    uint64_t address, pitch,
        slice;       /* pitch: bytes from one row to the next; slice: from one slice or layer to the next */
    uint32_t levels; /* of a mipmapped array, each half as wide, high and deep as the one before; otherwise 1 */
};
/* The texels of one level, which follows the level before it in memory. */
struct sim_texels sim_level(const struct sim_texels *t, unsigned level);
/* Bytes from the start of the first level to the end of the last one. */
uint64_t sim_texels_extent(const struct sim_texels *t);
struct sim_sampling {
    enum sim_outside outside[3];
    bool linear;     /* linear filtering; otherwise the nearest texel */
    bool normalized; /* coordinates range from 0 to 1 */
    bool as_floats;  /* 8- and 16-bit integers become floats in [0, 1] or [-1, 1] */
    float border[4];
    bool between_levels;                       /* linear filtering of two levels; otherwise the nearest level */
    float level_bias, least_level, most_level; /* the bias is added to a given level; then it is clamped */
    bool srgb;                                 /* red, green and blue bytes are sRGB, and become linear floats */
};
/* Creates an object and returns its handle; 0: out of memory. Handles are never reused. */
uint64_t sim_texture_new(struct sim *s, const struct sim_texels *texels, const struct sim_sampling *sampling);
uint64_t sim_surface_new(struct sim *s, const struct sim_texels *texels);
/* Destroys an object; false if there is none with that handle. */
bool sim_texture_end(struct sim *s, uint64_t handle, bool surface);

#endif
