// launch: grid=4 block=64
// arg: float[256]:random
// arg: float[256]:out
// arg: float[64]:out
// expect: race-blocks line 17 and 11
// All threads write partials. Thread 0 executes the fence and draws the ticket without waiting for them.
__device__ unsigned tickets;
__global__ void kernel(const float *in, float *partial, float *out) {
    __shared__ bool last;
    unsigned t = threadIdx.x;
    partial[blockIdx.x * 64 + t] = 2 * in[blockIdx.x * 64 + t];
    if (t == 0) {
        __threadfence();
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) out[t] = partial[t] + partial[64 + t] + partial[128 + t] + partial[192 + t];
}
