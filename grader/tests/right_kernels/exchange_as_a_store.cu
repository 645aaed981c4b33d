// launch: grid=3 block=64 debug=0
// arg: u32[192]:iota
// arg: u32[3]:out
// arg: u32[1]:out
// result: 1[2] = 10208
// result: 2[0] = 18336
// Exchanges write locations for the first time. Nobody uses the old values.
__device__ unsigned ticket;

__global__ void kernel(const unsigned *in, unsigned *partial, unsigned *total) {
    __shared__ unsigned s, last;
    unsigned t = threadIdx.x;
    if (t == 0) atomicExch(&s, 0);
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * 64 + t]);
    __syncthreads();
    if (t == 0) {
        atomicExch(&partial[blockIdx.x], s);
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || t > 0) return;
    __threadfence();
    unsigned sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++) sum += partial[b];
    *total = sum;
    ticket = 0;
}
