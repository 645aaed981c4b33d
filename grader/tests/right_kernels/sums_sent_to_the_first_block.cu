// launch: grid=4 block=32 cluster=4 arch=90
// arg: u32[4]:zero
// result: 0[0] = 138
// result: 0[1] = 1984
// Each block sends a value to the first block, and its threads add their values to a sum there.
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
__global__ void kernel(unsigned *out) {
    __shared__ unsigned value[4], sum;
    __shared__ unsigned long long full;
    const unsigned t = threadIdx.x, rank = blockIdx.x;
    unsigned to, at, total;
    if (t == 0) sum = 0, begin(&full), expect(&full, 4 * 4 + 4 * 32 * 4);
    meet();
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(AT(&full)));
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to) : "r"(AT(&value[rank])));
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(total) : "r"(AT(&sum)));
    if (t == 0) asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(rank + 33), "r"(at) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(total), "r"(t), "r"(at) : "memory");
    if (rank == 0) {
        wait(&full, 0);
        if (t == 0) out[0] = value[0] + value[1] + value[2] + value[3], out[1] = sum;
    }
    meet();
}
