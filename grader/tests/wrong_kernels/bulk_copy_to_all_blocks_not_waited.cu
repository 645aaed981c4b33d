// launch: grid=4 block=32 cluster=4 arch=90
// arg: float[32]:iota
// arg: float[128]:out
// expect: copy-in-flight line 29 and 27
// expect: cluster-left line 27
// Only the block that began the copy waits for it.
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
static __device__ void meet() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }
__global__ void kernel(const float *in, float *out) {
    __shared__ __align__(16) float s[32];
    __shared__ unsigned long long full;
    const unsigned t = threadIdx.x;
    if (t == 0) begin(&full), expect(&full, 128);
    meet();
    if (blockIdx.x == 0 && t == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, [%2], %3;" ::"r"(AT(s)), "l"(in), "r"(AT(&full)), "h"((short)15) : "memory");
    meet(); if (blockIdx.x == 0) wait(&full, 0);
    out[blockIdx.x * 32 + t] = s[t];
    meet();
}
