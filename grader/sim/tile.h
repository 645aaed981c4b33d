/* Tiles of tensors, for bulk copies. NVIDIA does not document a tensor map's format, so cuTensorMapEncodeTiled() of
 * ./grade exec writes the 128 bytes in the format below. The library that programs load includes this header, so it
 * must not include other headers of the simulator. */
#ifndef SIM_TILE_H
#define SIM_TILE_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_TENSOR_RANK = 5, SIM_TENSOR_MAP = 128, SIM_TILE_GRAIN = 16 };
#define SIM_TENSOR_MAGIC UINT64_C(0x746e65736f72216d)

struct sim_tensor_map {
    uint64_t magic, address;
    uint64_t size[SIM_TENSOR_RANK];   /* elements */
    uint64_t stride[SIM_TENSOR_RANK]; /* bytes from one element to the next; [0]: bytes per element */
    uint16_t box[SIM_TENSOR_RANK];    /* extent of a tile, of which a copy transfers every step-th element */
    uint8_t step[SIM_TENSOR_RANK], rank;
    uint8_t type;    /* enum CUtensorMapDataType */
    uint8_t swizzle; /* enum CUtensorMapSwizzle: log2 of the number of permuted 16-byte pieces */
    uint8_t padding[10];
};
_Static_assert(sizeof(struct sim_tensor_map) == SIM_TENSOR_MAP, "the size of a CUtensorMap");

struct sim_tile {
    struct sim_tensor_map map;
    int32_t at[SIM_TENSOR_RANK]; /* coordinates of the tile's first element */
    bool stores; /* the copy writes to the tensor; a GPU then writes the last 16 bytes of a row as a whole */
};
/* Returns the bytes per element of a type in enum CUtensorMapDataType, or 0 for a type that the simulator lacks. */
static inline uint8_t sim_element_bytes(uint64_t type) {
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4};
    return type < sizeof bytes ? bytes[type] : 0;
}
/* Returns the number of bytes that a tile occupies in shared memory, including elements outside the tensor. */
uint32_t sim_tile_bytes(const struct sim_tensor_map *m);
/* Returns the bytes from the tensor's first element to the end of its last. */
uint64_t sim_tensor_extent(const struct sim_tensor_map *m);
/* Finds the piece at byte `at` of the tile, where an element begins: 16 bytes if they are aligned and contiguous in the
 * tensor, otherwise one element. Returns its length in bytes. Sets *inside if the piece is in the tensor, and then
 * *address to its address. */
uint32_t sim_tile_piece(const struct sim_tile *t, uint32_t at, uint64_t *address, bool *inside);
/* Returns the address in shared memory to which swizzling moves the byte at `address`, in a tile or in an operand of
 * wgmma. The index of its 128-byte line decides where a 16-byte piece moves. */
static inline uint64_t sim_swizzled(uint64_t address, unsigned swizzle) {
    return address ^ (address >> 7 & ((1u << swizzle) - 1)) << 4;
}

#endif
