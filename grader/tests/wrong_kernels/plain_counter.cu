// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[1]:out
// expect: race-shared line 11
// expect: race-warp line 11
// Threads count with ++ instead of atomicAdd.
__global__ void kernel(const float *in, float *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 8) count++;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = count;
}
