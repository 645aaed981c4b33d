// launch: block=32 arch=80
// arg: u32[1]:out
// expect: mbarrier line 14
// says: with an ordinary access
// The barrier's bytes are reused for a count before it is invalidated.
__global__ void kernel(unsigned *out) {
    __shared__ unsigned long long barrier;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(32) : "memory");
    __syncthreads();
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        barrier = 32;
        *out = 1;
    }
}
