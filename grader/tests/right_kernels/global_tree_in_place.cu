// launch: grid=3 block=64
// arg: float[384]:iota
// arg: float[3]:out
// result: 1[0] = 8128
// result: 1[2] = 40896
// Row B2 of the ladder in place in global memory, with one segment per block.
__global__ void kernel(float *data, float *partial) {
    float *mine = data + 2 * blockDim.x * blockIdx.x;
    unsigned t = threadIdx.x;
    for (unsigned k = blockDim.x; k > 0; k >>= 1) {
        if (t < k) mine[t] += mine[t + k];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = mine[0];
}
