// launch: block=64 arch=90
// arg: float[1280]:iota
// arg: float[64]:out
// arg: u32 5
// expect: mbarrier line 11
// expect: copy-in-flight line 11
// expect: copy-in-flight line 35 and 11
// The first phase expects no bytes, so it completes before the copy does.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
static __device__ void load(float *to, const float *from, unsigned bytes, unsigned long long *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)), "l"(from), "r"(bytes), "r"(AT(barrier)) : "memory");
}
static __device__ void expect(unsigned long long *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(barrier)), "r"(bytes) : "memory");
}
static __device__ void wait(unsigned long long *barrier, unsigned parity) {
    unsigned over = 0;
    while (!over) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory");
}
static __device__ void begin(unsigned long long *barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__global__ void kernel(const float *in, float *out, unsigned tiles) {
    __shared__ __align__(128) float s[2][256];
    __shared__ unsigned long long full[2];
    const unsigned t = threadIdx.x;
    if (t == 0) begin(&full[0]), begin(&full[1]);
    __syncthreads();
    float sum = 0;
    if (t == 0) expect(&full[0], 0), load(s[0], in, 1024, &full[0]);
    for (unsigned k = 0; k < tiles; k++) {
        if (t == 0 && k + 1 < tiles) expect(&full[(k + 1) % 2], 1024), load(s[(k + 1) % 2], in + 256 * (k + 1), 1024, &full[(k + 1) % 2]);
        wait(&full[k % 2], k / 2 % 2);
        for (unsigned i = t; i < 256; i += blockDim.x) sum += s[k % 2][i];
        __syncthreads();
    }
    out[t] = sum;
}
