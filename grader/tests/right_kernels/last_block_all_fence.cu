// launch: grid=70 block=64 times=2
// arg: float[4480]:ones
// arg: float[70]:out
// arg: float[1]:out
// result: 2[0] = 4480
// Every thread executes a fence. After a barrier, thread 0 draws the ticket.
__device__ unsigned tickets;
__global__ void kernel(const float *in, float *partial, float *out) {
    __shared__ float s[64];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (unsigned k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        float v = 0;
        for (unsigned i = t; i < gridDim.x; i += blockDim.x) v += partial[i];
        s[t] = v;
        __syncthreads();
        if (t == 0) {
            for (unsigned i = 1; i < blockDim.x; i++) v += s[i];
            out[0] = v;
            tickets = 0;
        }
    }
}
