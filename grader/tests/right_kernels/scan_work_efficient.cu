// launch: block=64
// arg: i32[128]:ones
// arg: i32[128]:out
// result: 1[0] = 0
// result: 1[127] = 127
// Blelloch's scan: an upward pass and a downward pass.
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[128];
    unsigned t = threadIdx.x, offset = 1;
    s[2 * t] = in[2 * t], s[2 * t + 1] = in[2 * t + 1];
    for (unsigned d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[127] = 0;
    for (unsigned d = 1; d < 128; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            unsigned a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int x = s[a];
            s[a] = s[b], s[b] += x;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t], out[2 * t + 1] = s[2 * t + 1];
}
