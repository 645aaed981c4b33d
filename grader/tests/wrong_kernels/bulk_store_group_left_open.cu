// launch: block=64 arch=90
// arg: float[64]:out
// expect: mbarrier line 14
// expect: copy-source line 18 and 14
// The copy is in no group, so waiting for groups does not wait for it.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(float *out) {
    __shared__ __align__(16) float s[64];
    const unsigned t = threadIdx.x;
    s[t] = t * t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out), "r"(AT(s)) : "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
    s[t] = 0;
}
