// One value a warp, added up in three steps, with a barrier between them or without. `read` keeps what each warp read.
extern "C" __global__ void race(int *read, int *total, int barrier) {
    __shared__ volatile int s[8];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) s[warp] = warp + 1;
    __syncthreads();
    for (int stride = 4; stride > 0; stride /= 2) {
        if (threadIdx.x % 32 == 0 && warp < stride) {
            const int other = s[warp + stride];
            read[stride + warp] = other;
            s[warp] = s[warp] + other;
        }
        if (barrier) __syncthreads();
    }
    if (threadIdx.x == 0) *total = s[0];
}
