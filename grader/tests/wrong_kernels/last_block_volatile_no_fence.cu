// launch: grid=70 block=64
// arg: float[4480]:ones
// arg: float[70]:out
// arg: float[1]:out
// expect: race-blocks line 28 and 21
// The partials are volatile, but there is no fence between a partial and the ticket: volatile does not order accesses.
__device__ unsigned tickets;
__global__ void kernel(const float *in, volatile float *partial, float *out) {
    __shared__ float s[64];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (unsigned k = 32; k > 0; k >>= 1) {
        float v = 0;
        if (t < k) v = s[t] + s[t + k];
        if (t < k) s[t] = v;
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        float v = 0;
        for (unsigned i = t; i < gridDim.x; i += blockDim.x)
            v += partial[i];
        s[t] = v;
        __syncthreads();
        if (t == 0) {
            for (unsigned i = 1; i < blockDim.x; i++) v += s[i];
            out[0] = v;
            tickets = 0;
        }
    }
}
