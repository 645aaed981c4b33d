// launch: block=64 arch=90
// arg: float[128]:iota
// arg: float[128]:out
// expect: race-shared line 25 and 22
// expect: runaway line 10
// The second round waits for parity 0 again, but the phase with that parity is already complete.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
static __device__ void wait(unsigned long long *barrier, unsigned parity) {
    unsigned over = 0;
    while (!over) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory");
}
static __device__ void arrive(unsigned long long *barrier) {
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0];}" ::"r"(AT(barrier)) : "memory");
}
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[2][64];
    __shared__ unsigned long long barrier;
    const unsigned t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(AT(&barrier)) : "memory");
    __syncthreads();
    for (unsigned round = 0; round < 2; round++) {
        s[round][t] = in[64 * round + t];
        arrive(&barrier);
        wait(&barrier, 0);
        out[64 * round + t] = s[round][63 - t];
    }
}
