// launch: block=64 arch=80
// arg: float[256]:iota
// arg: float[64]:out
// result: 1[0] = 0
// result: 1[32] = 1528
// result: 1[63] = 1404
// One warp copies, the other waits for the phase of an mbarrier; a second mbarrier releases the stage.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
static __device__ void wait(unsigned barrier, unsigned parity) {
    unsigned over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
}
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    __shared__ unsigned long long barriers[2];
    const unsigned t = threadIdx.x, full = (unsigned)__cvta_generic_to_shared(&barriers[0]), empty = full + 8;
    if (!t) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(full) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(empty) : "memory");
    }
    __syncthreads();
    float sum = 0;
    for (unsigned k = 0; k < 4; k++) {
        if (t < 32) {
            if (k) wait(empty, (k - 1) & 1);
            for (unsigned n = t; n < 64; n += 32) COPY(&s[n], &in[64 * k + n]);
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(full) : "memory");
        } else {
            wait(full, k & 1);
            sum += s[63 - t] * 2 + s[t];
            asm volatile("{.reg .b64 d; mbarrier.arrive.shared.b64 d, [%0];}" ::"r"(empty) : "memory");
        }
    }
    out[t] = sum;
}
