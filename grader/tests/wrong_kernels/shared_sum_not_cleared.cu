// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[1]:out
// expect: uninitialized-shared line 8
// Shared memory is not zero when a block starts.
__global__ void kernel(const float *in, float *out) {
    __shared__ float sum;
    if (in[threadIdx.x] > 4) atomicAdd(&sum, 1.0f);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum;
}
