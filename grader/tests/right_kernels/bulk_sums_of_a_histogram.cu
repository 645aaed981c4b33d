// launch: grid=3 block=64 arch=90
// arg: u32[64]:zero
// result: 0[0] = 3
// result: 0[63] = 192
// Each block adds its counts to those of the other blocks with one bulk copy.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(unsigned *out) {
    __shared__ __align__(16) unsigned s[64];
    const unsigned t = threadIdx.x;
    s[t] = t + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 256;" ::"l"(out), "r"(AT(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
