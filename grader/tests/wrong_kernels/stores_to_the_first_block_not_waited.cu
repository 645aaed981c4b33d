// launch: grid=2 block=32 cluster=2 arch=90
// arg: u32[4]:zero
// expect: copy-in-flight line 31 and 28
// expect: race-cluster line 31 and 28
// The first block reads the value that the other block sends without waiting for its own mbarrier.
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
    __shared__ unsigned value;
    __shared__ unsigned long long full;
    const unsigned t = threadIdx.x;
    unsigned to, at;
    if (t == 0) begin(&full), expect(&full, 4), value = 0;
    meet();
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(AT(&full)));
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to) : "r"(AT(&value)));
    if (blockIdx.x == 1 && t == 0) asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(t + 33), "r"(at) : "memory");
    meet();
    if (blockIdx.x == 0 && t == 0) {
        out[0] = value;
        wait(&full, 0);
    }
    meet();
}
