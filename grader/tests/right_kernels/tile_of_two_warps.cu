// launch: grid=1 block=128
// arg: i32[128]:ones
// arg: i32[4]:zero
// result: 1[0] = 64
// result: 1[3] = 1
// Tiles of two warps exchange values in the scratch memory of cooperative groups, between shuffles and votes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void kernel(const int *in, int *out) {
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    const int value = in[block.thread_rank()], sum = cg::reduce(tile, value, cg::plus<int>());
    const int first = tile.shfl(value, 33), all = tile.all(value == 1);
    if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum, out[2 + tile.meta_group_rank()] = first * all;
}
