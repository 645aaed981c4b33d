// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[4]:out
// arg: float[1]:out
// expect: race-blocks line 24 and 17
// __threadfence_block() orders accesses only for threads of its own block.
__device__ unsigned tickets;
__global__ void kernel(const float *in, float *partial, float *out) {
    __shared__ float s[32];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int k = 0; k < 32; k++) sum += s[k];
        partial[blockIdx.x] = sum;
        __threadfence_block();
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned k = 0; k < gridDim.x; k++) sum += partial[k];
        out[0] = sum;
        tickets = 0;
    }
}
