// launch: block=32 arch=80
// arg: float[160]:iota
// arg: float[128]:out
// expect: misaligned line 11
// expect: uninitialized-shared line 14
// cp.async of 16 bytes into rows of 5 floats.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const float *in, float *out) {
    __shared__ __align__(16) float s[160];
    const unsigned t = threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(AT(&s[5 * t])), "l"(in + 4 * t) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (unsigned k = t; k < 128; k += 32) out[k] = s[k / 4 * 5 + k % 4];
}
