/* Libraries of the Toolkit, and instructions of later architectures. For nvcc only. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out, unsigned n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int sum = 0;
    for (unsigned k = block.thread_rank(); k < n; k += block.size()) sum += in[k];
    sum = cg::reduce(tile, sum, cg::plus<int>());
    block.sync();
    if (tile.thread_rank() == 0) atomicAdd(out, sum);
}
__global__ void block_reduce(const float *in, float *out) {
    typedef cub::BlockReduce<float, 128> reduce;
    __shared__ typename reduce::TempStorage storage;
    const float sum = reduce(storage).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void warp_reduce(const int *in, int *out) {
    typedef cub::WarpReduce<int> reduce;
    __shared__ typename reduce::TempStorage storage[4];
    const int sum = reduce(storage[threadIdx.x / 32]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}
#if __CUDA_ARCH__ >= 800
__global__ void redux(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = __reduce_add_sync(~0u, in[threadIdx.x]) + __reduce_max_sync(~0u, in[threadIdx.x]) + __reduce_xor_sync(~0u, in[threadIdx.x]);
}
#endif
