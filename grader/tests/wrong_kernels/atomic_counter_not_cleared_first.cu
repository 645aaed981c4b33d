// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[1]:out
// expect: race-shared line 8 and 9
// Thread 32 clears the counter while warp 0 already counts.
__global__ void kernel(const float *in, float *out) {
    __shared__ int count;
    if (threadIdx.x == 32) count = 0;
    if (in[threadIdx.x] >= 0 && threadIdx.x < 32) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = count;
}
