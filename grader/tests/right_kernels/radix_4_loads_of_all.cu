// launch: grid=1 block=256
// arg: i32[256]:ones
// arg: i32[1]:out
// result: 1[0] = 256
// Four elements per level, unrolled. Every lane loads, and a selection keeps only the sums of active lanes.
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[1024];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    s[t + 256] = s[t + 512] = s[t + 768] = 0;
    #pragma unroll
    for (unsigned k = 1; k < 256; k *= 4) {
        __syncthreads();
        int a = ((volatile int *)s)[t + k], b = ((volatile int *)s)[t + 2 * k], c = ((volatile int *)s)[t + 3 * k];
        int sum = t % (4 * k) ? 0 : a + b + c;
        if (t % (4 * k) == 0) s[t] += sum;
    }
    if (t == 0) out[0] = s[0];
}
