// launch: cooperative=1 grid=4 block=32
// arg: float[4]:out
// arg: i32[1]:zero
// arg: float[4]:out
// expect: race-blocks line 12 and 9
// Blocks wait for each other with a counter, but nothing makes their data visible.
__global__ void kernel(float *data, int *arrived, float *out) {
    if (threadIdx.x) return;
    data[blockIdx.x] = blockIdx.x;
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < (int)gridDim.x) {}
    out[blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];
}
