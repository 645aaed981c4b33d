// launch: grid=1 block=64
// arg: i32[64]:random
// arg: i32[64]:out
// expect: race-shared line 12 and 11
// expect: race-warp line 12 and 11
// The count is read before all threads have counted.
__global__ void kernel(const int *in, int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 8) atomicAdd(&count, 1);
    out[threadIdx.x] = count;
}
