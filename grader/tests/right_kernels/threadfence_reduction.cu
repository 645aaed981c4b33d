// launch: grid=8 block=64 times=3
// arg: float[1024]:ones
// arg: float[8]:out
// arg: float[1]:out
// result: 2[0] = 1024
// threadFenceReduction of the CUDA samples.
__device__ unsigned retired;
__device__ float block_sum(float x, float *s) {
    unsigned t = threadIdx.x;
    s[t] = x;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    float sum = s[0];
    __syncthreads();
    return sum;
}
__global__ void kernel(const float *in, volatile float *partial, float *out) {
    __shared__ float s[64];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    float x = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < 1024; i += gridDim.x * blockDim.x) x += in[i];
    float sum = block_sum(x, s);
    if (t == 0) partial[blockIdx.x] = sum;
    if (gridDim.x > 1) {
        __threadfence();
        if (t == 0) last = atomicInc(&retired, gridDim.x) == gridDim.x - 1;
        __syncthreads();
        if (last) {
            __threadfence();
            x = 0;
            for (unsigned i = t; i < gridDim.x; i += blockDim.x) x += partial[i];
            sum = block_sum(x, s);
            if (t == 0) {
                out[0] = sum;
                retired = 0;
            }
        }
    }
}
