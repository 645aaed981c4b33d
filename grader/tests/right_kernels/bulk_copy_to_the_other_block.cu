// launch: grid=2 block=32 cluster=2 arch=90
// arg: float[64]:out
// result: 0[0] = 100
// result: 0[63] = 31
// Each block copies its values to the other block in the cluster, and waits for those of the other block.
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
__global__ void kernel(float *out) {
    __shared__ __align__(16) float s[32], from_other[32];
    __shared__ unsigned long long full;
    const unsigned t = threadIdx.x;
    unsigned rank, to, at;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0) begin(&full), expect(&full, 128);
    s[t] = 100 * blockIdx.x + t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (t == 0) {
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(AT(from_other)), "r"(rank ^ 1));
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(AT(&full)), "r"(rank ^ 1));
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(to), "r"(AT(s)), "r"(at) : "memory");
    }
    wait(&full, 0);
    out[blockIdx.x * 32 + t] = from_other[t];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
