// launch: block=32 arch=80
// arg: float[100]:iota
// arg: float[128]:out
// expect: out-of-bounds line 11
// expect: uninitialized-shared line 14
// The last copies read past the end, because they do not limit the bytes of their source.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const float *in, float *out) {
    __shared__ __align__(16) float s[128];
    const unsigned t = threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(AT(&s[4 * t])), "l"(in + 4 * t) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (unsigned k = t; k < 128; k += 32) out[k] = s[127 - k];
}
