// launch: block=64
// arg: float[64]:random
// arg: float[64]:out
// expect: race-shared line 14 and 16
// expect: race-warp line 14 and 16
// says: no __syncthreads() between them at run time: a branch bypasses the barrier at line 15, or the accesses are in different iterations
// A barrier separates the read and the write, but none separates the write and the read of the next iteration.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (unsigned d = 1; d < 64; d *= 2) {
        float x = s[(t + d) % 64];
        __syncthreads();
        s[t] += x;
    }
    out[t] = s[t];
}
