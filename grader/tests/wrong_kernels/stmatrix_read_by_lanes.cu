// launch: block=32 arch=90
// arg: u32[32]:iota
// arg: u32[32]:out
// expect: race-warp line 11 and 10
// stmatrix does not order memory accesses: the lanes read what other lanes stored with it.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ __align__(16) unsigned s[32];
    const unsigned t = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(AT(&s[4 * (t % 8)])), "r"(in[t]) : "memory");
    out[t] = s[31 - t];
}
