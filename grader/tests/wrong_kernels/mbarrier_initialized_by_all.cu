// launch: block=32 arch=80
// arg: u32[1]:out
// expect: mbarrier line 9
// says: initialized an mbarrier that is in use
// Every thread initializes the barrier, but exactly one thread must.
__global__ void kernel(unsigned *out) {
    __shared__ unsigned long long barrier;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(32) : "memory");
    __syncthreads();
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at) : "memory");
    if (threadIdx.x == 0) *out = 1;
}
