// launch: block=32 arch=75
// arg: u32[128]:iota
// arg: u32[32]:out
// expect: misaligned line 13
// The rows of the matrix begin at multiples of 4 bytes, but ldmatrix needs multiples of 16.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ __align__(16) unsigned s[128];
    const unsigned t = threadIdx.x;
    unsigned a;
    for (unsigned k = t; k < 128; k += 32) s[k] = in[k];
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(AT(&s[5 * (t % 8)])));
    out[t] = a;
}
