// launch: grid=1 block=128 arch=90
// arg: i32[128]:iota
// arg: i32[128]:out
// result: 1[0] = 33
// result: 1[127] = 96
// Tiles of two warps pass values through the memory that the system reserves for cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(const int *in, int *out) {
    __shared__ cg::block_tile_memory<128> memory;
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    const int value = in[threadIdx.x], far = tile.shfl(value, 33), near = tile.shfl(value, 32);
    out[threadIdx.x] = tile.all(value >= 0) ? tile.meta_group_rank() ? near : far : -1;
}
