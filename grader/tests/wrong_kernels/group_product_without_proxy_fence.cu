// launch: block=128 arch=90a
// arg: float[512]:out
// expect: proxy-fence line 14 and 23
// expect: proxy-fence line 14 and 24
// says: fence.proxy.async
// The block synchronizes, but the product may not see the values that the block stored.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
static __device__ unsigned long long descriptor(const void *p, unsigned lines) {
    return (AT(p) & 0x3ffff) >> 4 | (unsigned long long)lines << 16 | 8ull << 32;
}
static __device__ void multiply(float (&d)[4], const void *a, const void *b) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{.reg .pred p; setp.eq.u32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(descriptor(a, 64)), "l"(descriptor(b, 8)) : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
static __device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
static __device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__global__ void kernel(float *out) {
    __shared__ __align__(128) unsigned short a[64 * 16], b[8 * 16];
    const unsigned t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    for (unsigned k = t; k < 64 * 16; k += 128) a[k] = 0x3c00;
    b[t] = 0x4000;
    __syncthreads();
    multiply(d, a, b);
    wait();
    for (int k = 0; k < 4; k++) out[4 * t + k] = d[k];
}
