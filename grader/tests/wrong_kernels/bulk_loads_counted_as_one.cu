// launch: block=32 arch=90
// arg: float[256]:iota
// arg: float[32]:out
// expect: copy-in-flight line 29 and 14
// expect: mbarrier line 14
// expect: race-warp line 29 and 14
// Two 512-byte loads signal the mbarrier, but its phase expects the bytes of only one load.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
static __device__ void wait(unsigned long long *barrier, unsigned parity) {
    unsigned over = 0;
    while (!over) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory");
}
static __device__ void load(float *to, const float *from, unsigned bytes, unsigned long long *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)), "l"(from), "r"(bytes), "r"(AT(barrier)) : "memory");
}
__global__ void kernel(const float *in, float *out) {
    __shared__ __align__(128) float s[256];
    __shared__ unsigned long long full;
    const unsigned t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(AT(&full)) : "memory");
        load(s, in, 512, &full);
        load(s + 128, in + 128, 512, &full);
    }
    __syncthreads();
    wait(&full, 0);
    out[t] = s[t] + s[128 + t];
}
