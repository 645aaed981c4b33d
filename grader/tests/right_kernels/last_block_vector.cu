// launch: grid=8 block=64
// arg: float[512]:ones
// arg: float[512]:out
// arg: float[64]:out
// result: 2[5] = 16
// All threads write. After a barrier, a single fence by thread 0 covers the writes of all threads.
__device__ unsigned tickets;
__global__ void kernel(const float *in, float *partial, float *out) {
    __shared__ bool last;
    unsigned t = threadIdx.x;
    partial[blockIdx.x * 64 + t] = 2 * in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
        if (last) __threadfence();
    }
    __syncthreads();
    if (last) {
        float v = 0;
        for (unsigned b = 0; b < gridDim.x; b++) v += partial[b * 64 + t];
        out[t] = v;
    }
}
