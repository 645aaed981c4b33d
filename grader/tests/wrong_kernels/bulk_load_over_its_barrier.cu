// launch: block=64 arch=90
// arg: float[260]:iota
// arg: float[64]:out
// expect: mbarrier line 18
// expect: race-shared line 22 and 18
// expect: race-warp line 22 and 18
// A tile has 256 elements, but the copy transfers four more and overwrites the barrier.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
struct tile {
    float x[256];
    unsigned long long full, unused;
};
__global__ void kernel(const float *in, float *out) {
    __shared__ __align__(128) tile s;
    const unsigned t = threadIdx.x, full = AT(&s.full), bytes = 1040;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(&s)), "l"(in), "r"(bytes), "r"(full) : "memory");
    }
    __syncthreads();
    unsigned over = 0;
    while (!over) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(full) : "memory");
    out[t] = s.x[t] + s.x[t + 64] + s.x[t + 128] + s.x[t + 192];
}
