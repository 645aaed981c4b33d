// launch: grid=2 block=64 arch=90
// arg: u32[64]:zero
// expect: race-blocks line 13 and 17
// One block adds with a bulk reduction, and the other stores to the same elements, without synchronization.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(unsigned *out) {
    __shared__ __align__(16) unsigned s[64];
    const unsigned t = threadIdx.x;
    s[t] = t + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (blockIdx.x == 1) {
        out[t] = 7;
        return;
    }
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 256;" ::"l"(out), "r"(AT(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
