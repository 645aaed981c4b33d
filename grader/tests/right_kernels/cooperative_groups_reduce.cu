// launch: grid=2 block=128
// arg: i32[256]:ones
// arg: i32[1]:zero
// result: 1[0] = 256
// reduce() over tiles of 32, one value per tile, and one atomic per block.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[4];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int x = cg::reduce(tile, in[block.group_index().x * 128 + block.thread_rank()], cg::plus<int>());
    if (tile.thread_rank() == 0) s[tile.meta_group_rank()] = x;
    block.sync();
    if (block.thread_rank() == 0) atomicAdd(out, s[0] + s[1] + s[2] + s[3]);
}
