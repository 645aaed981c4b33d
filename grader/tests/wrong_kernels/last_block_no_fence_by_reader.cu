// launch: grid=70 block=64 times=2
// arg: float[4480]:ones
// arg: float[70]:out
// arg: float[1]:out
// expect: race-blocks line 26 and 19
// The ticket tells the last block that all partials are written, but nothing orders its reads after the ticket.
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
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
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
