// launch: block=64
// arg: u32[64]:iota
// arg: u32[1]:zero
// result: 1[0] = 22
// coalesced_threads(): one atomic counts all active threads.
#include <cooperative_groups.h>
__global__ void kernel(const unsigned *in, unsigned *count) {
    if (in[threadIdx.x] % 3 == 0) {
        auto here = cooperative_groups::coalesced_threads();
        if (here.thread_rank() == 0) atomicAdd(count, here.size());
    }
}
