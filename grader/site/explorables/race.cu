// Adds up one value per warp in three steps, with or without a barrier between them. `read` records the values that
// each warp read.
extern "C" __global__ void race(volatile int *value, int *read, int *total, int barrier) {
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) value[warp] = warp + 1;
    __syncthreads();
    for (int stride = 4; stride > 0; stride /= 2) {
        if (threadIdx.x % 32 == 0 && warp < stride) {
            const int other = value[warp + stride];
            read[stride + warp] = other;
            value[warp] = value[warp] + other;
        }
        if (barrier) __syncthreads();
    }
    if (threadIdx.x == 0) *total = value[0];
}
