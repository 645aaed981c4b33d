// launch: block=32 arch=75
// arg: u32[128]:iota
// arg: u32[32]:out
// expect: sync-missing-lane line 14
// Half of the warp executes ldmatrix, which needs all lanes.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ __align__(16) unsigned s[128];
    const unsigned t = threadIdx.x;
    unsigned a = 0;
    for (unsigned k = t; k < 128; k += 32) s[k] = in[k];
    __syncthreads();
    if (t < 16)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(AT(&s[4 * (t % 8)])));
    out[t] = a;
}
