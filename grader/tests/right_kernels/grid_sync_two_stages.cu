// launch: grid=4 block=64 cooperative=1
// arg: i32[256]:ones
// arg: i32[4]:out
// arg: i32[1]:out
// result: 2[0] = 256
#include <cooperative_groups.h>
__global__ void kernel(const int *in, int *partial, int *out) {
    auto grid = cooperative_groups::this_grid();
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = s;
    grid.sync();
    if (grid.thread_rank() == 0) out[0] = partial[0] + partial[1] + partial[2] + partial[3];
}
