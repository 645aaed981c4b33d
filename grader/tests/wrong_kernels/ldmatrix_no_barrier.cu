// launch: block=64 arch=75
// arg: u32[256]:iota
// arg: u32[256]:out
// expect: race-shared line 13 and 12
// expect: race-warp line 13 and 12
// The second warp loads matrices that the first warp stores, with no barrier in between.
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ __align__(16) unsigned s[128];
    const unsigned t = threadIdx.x, lane = t % 32;
    unsigned a, b, c, d;
    for (unsigned k = t; k < 128; k += 64) s[k] = in[k];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(AT(&s[4 * lane])));
    out[4 * t] = a, out[4 * t + 1] = b, out[4 * t + 2] = c, out[4 * t + 3] = d;
}
