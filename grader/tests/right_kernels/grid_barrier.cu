// launch: cooperative=1 grid=6 block=64
// arg: float[6]:out
// arg: i32[1]:zero
// arg: float[6]:out
// result: 2[0] = 3
// In each of three rounds, resident blocks synchronize twice through a counter; each reads its neighbor's value.
__device__ void meet(int *arrived, int goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < goal) {}
        __threadfence();
    }
    __syncthreads();
}
__global__ void kernel(float *data, int *arrived, float *out) {
    unsigned b = blockIdx.x, g = gridDim.x;
    if (threadIdx.x == 40) data[b] = b;
    for (int round = 1; round <= 3; round++) {
        meet(arrived, (2 * round - 1) * g);
        float v = data[(b + 1) % g];
        meet(arrived, 2 * round * g);
        if (threadIdx.x == 40) data[b] = v;
    }
    if (threadIdx.x == 40) out[b] = data[b];
}
