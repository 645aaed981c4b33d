// launch: block=128
// arg: float[128]:random
// arg: float[1]:out
// expect: race-global line 9
// A tree in place in global memory, without a barrier in the loop.
__global__ void kernel(float *data, float *out) {
    unsigned t = threadIdx.x;
    for (unsigned k = 64; k >= 32; k >>= 1)
        if (t < k) data[t] += data[t + k];
    __syncthreads();
    if (t == 0) out[0] = data[0];
}
