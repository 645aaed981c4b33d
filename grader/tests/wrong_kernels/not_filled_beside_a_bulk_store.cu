// launch: block=32 arch=90
// arg: float[64]:out
// expect: uninitialized-shared line 17
// A bulk copy reads the second half of an array. The first half was never written.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(float *out) {
    __shared__ __align__(16) float s[64];
    const unsigned t = threadIdx.x;
    s[t + 32] = t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out), "r"(AT(s + 32)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    out[t + 32] = s[t];
}
