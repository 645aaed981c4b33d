// launch: block=64 arch=90
// arg: float[64]:out
// expect: race-shared line 13 and 10
// expect: race-warp line 13 and 10
// One thread copies elements that other threads, in its own warp and in the other one, may not have stored yet.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(float *out) {
    __shared__ __align__(16) float s[64];
    const unsigned t = threadIdx.x;
    s[t] = t * t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out), "r"(AT(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
    s[t] = 0;
}
