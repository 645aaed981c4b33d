// launch: grid=2 block=64
// arg: float[128]:iota
// arg: u32[1]:zero
// result: 1[0] = 43
// The lanes that have something to count elect one lane, which counts for all of them.
__global__ void kernel(const float *in, unsigned *count) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if ((int)in[i] % 3 == 0) {
        unsigned mask = __activemask();
        unsigned leader = __ffs(mask) - 1;
        if (threadIdx.x % 32 == leader) atomicAdd(count, __popc(mask));
    }
}
