// launch: block=32 arch=80
// arg: u64[1]:out
// expect: mbarrier line 8
// says: was not initialized
// The barrier was never initialized with a number of arrivals.
__global__ void kernel(unsigned long long *out) {
    __shared__ unsigned long long barrier;
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"((unsigned)__cvta_generic_to_shared(&barrier)) : "memory");
    if (threadIdx.x == 0) *out = 1;
}
