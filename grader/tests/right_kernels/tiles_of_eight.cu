// launch: block=64
// arg: i32[64]:iota
// arg: i32[8]:out
// result: 1[7] = 476
// Tiles of 8 lanes. Each tile runs its own tree in shared memory, with the tile's sync().
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int *own = s + tile.meta_group_rank() * 8;
    own[tile.thread_rank()] = in[threadIdx.x];
    tile.sync();
    for (unsigned k = 4; k; k /= 2) {
        if (tile.thread_rank() < k) own[tile.thread_rank()] += own[tile.thread_rank() + k];
        tile.sync();
    }
    if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = own[0];
}
