/* Tiles of tensors, for bulk copies. A tensor map is 128 bytes: cuTensorMapEncodeTiled() of ./grade exec writes it in
 * this form (a GPU's own is not documented). No other header is needed, as the library that programs see includes this
 * one. */
#ifndef SIM_TILE_H
#define SIM_TILE_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_TENSOR_RANK = 5, SIM_TENSOR_MAP = 128, SIM_TILE_GRAIN = 16 };
#define SIM_TENSOR_MAGIC UINT64_C(0x746e65736f72216d)

struct sim_tensor_map {
    uint64_t magic, address;
    uint64_t size[SIM_TENSOR_RANK];   /* elements */
    uint64_t stride[SIM_TENSOR_RANK]; /* bytes from one element to the next; [0]: of an element */
    uint16_t box[SIM_TENSOR_RANK];    /* of which every step-th element is copied */
    uint8_t step[SIM_TENSOR_RANK], rank;
    uint8_t type;    /* enum CUtensorMapDataType */
    uint8_t swizzle; /* enum CUtensorMapSwizzle: log2 of the 16-byte pieces that change places */
    uint8_t padding[10];
};
_Static_assert(sizeof(struct sim_tensor_map) == SIM_TENSOR_MAP, "the size of a CUtensorMap");

struct sim_tile {
    struct sim_tensor_map map;
    int32_t at[SIM_TENSOR_RANK]; /* coordinates of its first element */
};
/* Bytes that the tile occupies in shared memory, including elements outside the tensor. */
uint32_t sim_tile_bytes(const struct sim_tensor_map *m);
/* Bytes from the tensor's first to past its last element. */
uint64_t sim_tensor_extent(const struct sim_tensor_map *m);
/* The longest piece, of at most 16 bytes, that begins at byte `at` of the tile and is contiguous in the tensor, where
 * it is at *address unless it is outside. Returns its length. */
uint32_t sim_tile_piece(const struct sim_tile *t, uint32_t at, uint64_t *address, bool *inside);
/* The shared memory address at which a tile, or an operand of wgmma, holds what it would hold at `address` without
 * swizzling: 16-byte pieces change places by the 128-byte line that they are in. */
static inline uint64_t sim_swizzled(uint64_t address, unsigned swizzle) {
    return address ^ (address >> 7 & ((1u << swizzle) - 1)) << 4;
}

#endif
