// launch: block=64 arch=90
// arg: float[64]:iota
// arg: float[64]:out
// expect: race-shared line 24 and 21
// expect: runaway line 10
// The threads wait for parity 1, the parity of the phase before the first. That phase is complete by definition.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
static __device__ void wait(unsigned long long *barrier, unsigned parity) {
    unsigned over = 0;
    while (!over) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory");
}
static __device__ void arrive(unsigned long long *barrier) {
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0];}" ::"r"(AT(barrier)) : "memory");
}
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    __shared__ unsigned long long barrier;
    const unsigned t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(AT(&barrier)) : "memory");
    __syncthreads();
    s[t] = in[t];
    arrive(&barrier);
    wait(&barrier, 1);
    out[t] = s[63 - t];
}
