// launch: grid=1 block=64
// arg: i32[64]:iota
// arg: i32[64]:out
// result: 1[0] = 63
// Lanes that must not use the loaded value compare it, too. Their result is discarded by an `and` with a condition
// that does not depend on the value.
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    volatile int *v = s;
    v[t] = in[t];
    for (unsigned stride = 32; stride; stride /= 2) {
        __syncthreads();
        int mine = v[t], other;
        if (t + stride < 64)
            other = v[t + stride];
        else
            other = v[t - stride];
        asm volatile("{ .reg .pred adds, larger, both;\n"
                     "setp.lt.u32 adds, %1, %2;\n"
                     "setp.gt.s32 larger, %3, %4;\n"
                     "and.pred both, larger, adds;\n"
                     "@both st.shared.s32 [%0], %3; }"
                     ::"r"((unsigned)__cvta_generic_to_shared(s + t)), "r"(t), "r"(stride), "r"(other), "r"(mine)
                     : "memory");
    }
    __syncthreads();
    out[t] = v[0];
}
