// launch: block=32 arch=80
// arg: u32[128]:iota
// arg: u32[1]:out
// arg: u32 101
// result: 1[0] = 5050
// Sixteen bytes per thread. Bytes past n are filled with zeros instead of being read.
__global__ void kernel(const unsigned *in, unsigned *out, unsigned n) {
    __shared__ __align__(16) unsigned s[128];
    const unsigned t = threadIdx.x, first = 4 * t, left = first < n ? n - first : 0, bytes = left > 4 ? 16 : 4 * left;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(&s[first])), "l"(&in[left ? first : 0]),
                 "r"(bytes) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    unsigned sum = 0;
    for (unsigned k = 0; k < 4; k++) sum += s[32 * k + t];
    for (unsigned far = 16; far; far /= 2) sum += __shfl_down_sync(0xffffffff, sum, far);
    if (!t) *out = sum;
}
