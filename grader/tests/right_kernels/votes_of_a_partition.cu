// launch: block=64
// arg: u32[64]:iota
// arg: u32[4]:zero
// result: 1[0] = 21
// labeled_partition() of coalesced_threads() numbers the new groups with a vote, but no thread reads the numbers.
#include <cooperative_groups.h>
namespace groups = cooperative_groups;
__global__ void kernel(const unsigned *in, unsigned *count) {
    if (in[threadIdx.x] < 63) {
        auto same = groups::labeled_partition(groups::coalesced_threads(), (int)(in[threadIdx.x] % 3));
        if (same.thread_rank() == 0) atomicAdd(&count[in[threadIdx.x] % 3], same.size());
    }
}
