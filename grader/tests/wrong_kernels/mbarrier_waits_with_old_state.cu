// launch: block=32 arch=90
// arg: u32[32]:out
// expect: mbarrier line 17
// The state of the first phase is used to wait two phases later.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(unsigned *out) {
    __shared__ unsigned long long barrier;
    unsigned long long first, other;
    const unsigned t = threadIdx.x;
    unsigned over;
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(AT(&barrier)) : "memory");
    __syncthreads();
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(first) : "r"(AT(&barrier)) : "memory");
    __syncthreads();
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(other) : "r"(AT(&barrier)) : "memory");
    __syncthreads();
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(AT(&barrier)), "l"(first) : "memory");
    out[t] = over;
}
