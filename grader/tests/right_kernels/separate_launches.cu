// launch: grid=4 block=32 times=3
// arg: float[128]:ones
// arg: float[1]:zero
// result: 1[0] = 15
// result: 0[3] = 4
// The end of a launch orders all of its accesses before those of the next launch.
__global__ void kernel(float *data, float *sum) {
    unsigned i = blockIdx.x * 32 + threadIdx.x, n = gridDim.x * 32;
    data[(i * 37) % n] += 1;
    if (blockIdx.x == 0 && threadIdx.x == 0) sum[0] += 5;
}
