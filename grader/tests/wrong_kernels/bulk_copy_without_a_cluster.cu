// launch: grid=2 block=32 arch=90
// arg: float[64]:out
// expect: mbarrier line 27
// expect: runaway line 12
// Bulk copies between shared memories need a cluster. An H200 ends this launch, which has none, with an illegal instruction.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
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
    __shared__ __align__(16) float s[32], copied[32];
    __shared__ unsigned long long full;
    const unsigned t = threadIdx.x;
    if (t == 0) begin(&full), expect(&full, 128);
    s[t] = 100 * blockIdx.x + t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(AT(copied)), "r"(AT(s)), "r"(AT(&full)) : "memory");
    wait(&full, 0);
    out[blockIdx.x * 32 + t] = copied[t];
}
