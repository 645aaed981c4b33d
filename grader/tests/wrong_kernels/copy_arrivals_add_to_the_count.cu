// launch: block=32 arch=80 budget=200000
// arg: float[32]:iota
// arg: float[32]:out
// expect: runaway line 17
// The copies' arrivals raise the number that the phase waits for, so without .noinc it never ends.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    __shared__ unsigned long long full;
    const unsigned t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(AT(&full)) : "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(AT(&s[t])), "l"(in + t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(AT(&full)) : "memory");
    unsigned over = 0;
    unsigned long long state = 0;
    while (!over) asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(AT(&full)), "l"(state) : "memory");
    out[t] = s[31 - t];
}
