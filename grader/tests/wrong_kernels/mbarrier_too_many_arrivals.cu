// launch: block=64 arch=90
// arg: u32[1]:out
// expect: mbarrier line 14
// says: more times than its count
// A thread arrives with a count of 34, but a phase takes 33.
__global__ void kernel(unsigned *out) {
    __shared__ unsigned long long barrier;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(33) : "memory");
        *out = 1;
    }
    __syncthreads();
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0], 34;}" ::"r"(at) : "memory");
}
