// launch: grid=2 block=64
// arg: float[2]:out
// arg: i32[1]:zero
// arg: float[2]:out
// expect: residency line 14
// Two blocks wait for each other at a counter, but nothing guarantees that the second starts before the first ends.
__global__ void kernel(float *data, int *arrived, float *out) {
    unsigned b = blockIdx.x;
    if (threadIdx.x == 0) data[b] = b;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 33) out[b] = data[(b + 1) % gridDim.x];
}
