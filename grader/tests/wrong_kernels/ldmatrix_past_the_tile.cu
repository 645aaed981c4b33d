// launch: block=32 arch=75
// arg: u32[64]:iota
// arg: u32[64]:out
// expect: out-of-bounds line 13
// Four matrices are loaded from a tile that holds two.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ __align__(16) unsigned s[64];
    const unsigned t = threadIdx.x;
    unsigned a, b, c, d;
    s[t] = in[t], s[t + 32] = in[t + 32];
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(AT(&s[4 * t])));
    out[t] = a + b, out[t + 32] = c + d;
}
