// launch: block=64 arch=80
// arg: float[256]:iota
// arg: float[64]:out
// expect: race-shared line 25 and 26
// Threads wait until a stage is full, but overwrite it without waiting until the others have read it. The arrivals
// after these reads belong to the next phase.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
static __device__ void begin(unsigned long long *barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(barrier)), "r"(count) : "memory");
}
static __device__ void arrive(unsigned long long *barrier) {
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(AT(barrier)) : "memory");
}
static __device__ void wait(unsigned long long *barrier, unsigned parity) {
    unsigned over = 0;
    while (!over) asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory");
}
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[2][64], sum[64];
    __shared__ unsigned long long full[2];
    const unsigned t = threadIdx.x;
    if (t == 0) begin(&full[0], 64), begin(&full[1], 64);
    __syncthreads();
    for (unsigned k = 0; k < 6; k++) {
        if (k >= 2) wait(&full[k % 2], k / 2 - 1), sum[t] = (k > 2 ? sum[t] : 0) + s[k % 2][63 - t];
        if (k < 4) s[k % 2][t] = in[64 * k + t], arrive(&full[k % 2]);
    }
    out[t] = sum[t];
}
