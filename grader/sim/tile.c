#include "sim/tile.h"

static uint32_t count_of(const struct sim_tensor_map *m, unsigned d) {
    return (m->box[d] + m->step[d] - 1u) / m->step[d];
}
uint32_t sim_tile_bytes(const struct sim_tensor_map *m) {
    uint32_t bytes = (uint32_t)m->stride[0];
    for (unsigned d = 0; d < m->rank; d++) bytes *= count_of(m, d);
    return bytes;
}
uint64_t sim_tensor_extent(const struct sim_tensor_map *m) {
    uint64_t bytes = m->stride[0];
    for (unsigned d = 0; d < m->rank; d++) bytes += (m->size[d] - 1) * m->stride[d];
    return bytes;
}
/* Returns how many elements of dimension `d` a copy may access. A store writes whole 16-byte pieces, even past the
 * tensor (measured on an H100). */
static uint64_t size_of(const struct sim_tile *t, unsigned d) {
    const uint64_t grain = SIM_TILE_GRAIN / t->map.stride[0];
    return d == 0 && t->stores ? (t->map.size[0] + grain - 1) / grain * grain : t->map.size[d];
}
static bool place(const struct sim_tile *t, uint32_t element, uint64_t *address) {
    bool inside = true;
    *address = t->map.address;
    for (unsigned d = 0; d < t->map.rank; d++) {
        const uint32_t count = count_of(&t->map, d);
        const int64_t at = t->at[d] + (int64_t)(element % count) * t->map.step[d];
        inside = inside && at >= 0 && (uint64_t)at < size_of(t, d);
        *address += (uint64_t)at * t->map.stride[d];
        element /= count;
    }
    return inside;
}
uint32_t sim_tile_piece(const struct sim_tile *t, uint32_t at, uint64_t *address, bool *inside) {
    const uint32_t bytes = (uint32_t)t->map.stride[0], first = at / bytes, last = first + SIM_TILE_GRAIN / bytes - 1;
    const uint32_t row = count_of(&t->map, 0);
    uint64_t end;
    *inside = place(t, first, address);
    const bool whole = at % SIM_TILE_GRAIN == 0 && first / row == last / row && t->map.step[0] == 1;
    return whole && *inside && *address % SIM_TILE_GRAIN == 0 && place(t, last, &end) ? SIM_TILE_GRAIN : bytes;
}
