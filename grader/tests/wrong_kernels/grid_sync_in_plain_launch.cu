// launch: grid=4 block=32 debug=0
// arg: i32[4]:out
// arg: i32[1]:out
// expect: residency line 9
#include <cooperative_groups.h>
__global__ void kernel(int *partial, int *out) {
    auto grid = cooperative_groups::this_grid();
    if (threadIdx.x == 0) partial[blockIdx.x] = 1;
    grid.sync();
    if (grid.thread_rank() == 0) out[0] = partial[0] + partial[1] + partial[2] + partial[3];
}
