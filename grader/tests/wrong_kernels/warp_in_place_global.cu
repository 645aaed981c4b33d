// launch: block=32
// arg: float[32]:random
// expect: race-warp line 7
// Lanes exchange values through global memory without __syncwarp.
__global__ void kernel(float *data) {
    unsigned t = threadIdx.x;
    data[t] = data[t ^ 1] + 1;
}
