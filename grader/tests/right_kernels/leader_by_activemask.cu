// launch: grid=1 block=32
// arg: float[32]:iota
// arg: u32[1]:zero
// arg: u32[32]:out
// result: 1[0] = 11
// A leader draws numbers for the active lanes. The mask names the lane that the shuffle reads. There is only one warp, so that
// places do not depend on the order of warps.
__global__ void kernel(const float *in, unsigned *count, unsigned *place) {
    unsigned i = threadIdx.x, first = 0;
    if ((int)in[i] % 3 == 0) {
        unsigned mask = __activemask(), leader = __ffs(mask) - 1, lane = i % 32;
        if (lane == leader) first = atomicAdd(count, __popc(mask));
        place[i] = __shfl_sync(mask, first, leader) + __popc(mask & ((1u << lane) - 1));
    }
}
