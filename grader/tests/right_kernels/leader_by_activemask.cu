// launch: grid=2 block=64
// arg: float[128]:iota
// arg: u32[1]:zero
// arg: u32[128]:out
// result: 1[0] = 43
// A leader of whoever is here draws for all; the lane that the shuffle reads is computed from the mask.
__global__ void kernel(const float *in, unsigned *count, unsigned *place) {
    unsigned i = blockIdx.x * 64 + threadIdx.x, first = 0;
    if ((int)in[i] % 3 == 0) {
        unsigned mask = __activemask(), leader = __ffs(mask) - 1, lane = threadIdx.x % 32;
        if (lane == leader) first = atomicAdd(count, __popc(mask));
        place[i] = __shfl_sync(mask, first, leader) + __popc(mask & ((1u << lane) - 1));
    }
}
