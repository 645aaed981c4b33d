/* Textures and surfaces: memory that kernels access by coordinates, through objects of the host. Fetches follow the
 * CUDA C++ Programming Guide, "Texture Fetching". */
#ifndef SIM_TEXTURE_H
#define SIM_TEXTURE_H

#include "sim/sim.h"

enum sim_shape {
    SIM_LINEAR, /* linear memory, accessed by an integer index */
    SIM_1D,
    SIM_2D,
    SIM_3D,
    SIM_1D_LAYERED,
    SIM_2D_LAYERED,
    SIM_CUBE,
    SIM_CUBE_LAYERED
};
enum sim_numbers { SIM_UNSIGNED, SIM_SIGNED, SIM_FLOATS };
/* What happens to coordinates out of range, as in cudaTextureAddressMode. */
enum sim_outside { SIM_WRAP, SIM_CLAMP, SIM_MIRROR, SIM_BORDER };

/* Texels in memory, in row-major order. */
struct sim_texels {
    enum sim_shape shape;
    enum sim_numbers numbers;
    uint8_t bits, channels;        /* bits per channel: 8, 16 or 32; channels: 1, 2 or 4 */
    uint32_t width, height, depth; /* size in texels; 1 for unused dimensions */
    uint32_t layers;               /* number of layers, 6 per cube; 1: not layered */
    /* pitch: bytes from one row to the next; slice: bytes from one slice or layer to the next. */
    uint64_t address, pitch, slice;
    uint32_t levels; /* mipmap levels; 1: not mipmapped. Each level is half as wide, high and deep as the one before,
                        rounded down, but at least 1 */
};
/* Returns the texels of a mipmap level. Levels follow each other in memory. */
struct sim_texels sim_level(const struct sim_texels *t, unsigned level);
/* Returns the bytes from the start of the first level to the end of the last one. */
uint64_t sim_texels_extent(const struct sim_texels *t);
struct sim_sampling {
    enum sim_outside outside[3];
    bool linear;     /* linear filtering; otherwise, a fetch returns the nearest texel */
    bool normalized; /* whether coordinates range from 0 to 1 */
    bool as_floats;  /* 8- and 16-bit integers become floats in [0, 1] or [-1, 1] */
    float border[4];
    bool between_levels; /* linear filtering between levels; otherwise, a fetch uses the nearest level */
    float level_bias, least_level, most_level; /* the bias is added to a level before it is clamped */
    bool seamless;                             /* a cube's linear filter combines texels of adjacent faces */
    bool srgb; /* red, green and blue are sRGB bytes, which a fetch turns into linear floats */
};
/* Create an object. Return its handle, or 0 if out of memory. Handles are never reused. */
uint64_t sim_texture_new(struct sim *s, const struct sim_texels *texels, const struct sim_sampling *sampling);
uint64_t sim_surface_new(struct sim *s, const struct sim_texels *texels);
/* Destroys an object. Returns false if the handle is invalid. */
bool sim_texture_end(struct sim *s, uint64_t handle, bool surface);

#endif
