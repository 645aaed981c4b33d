// launch: grid=1 block=64
// arg: i32[64]:random
// arg: i32[1]:out
// expect: race-shared line 9 and 10
// expect: race-warp line 9 and 10
// Thread 0 clears the counter while other threads already count.
__global__ void kernel(const int *in, int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    if (in[threadIdx.x] > 8) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}
