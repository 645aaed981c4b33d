// launch: grid=1 block=128 debug=0
// arg: i32[128]:random
// arg: i32[1]:zero
// expect: race-shared line 15 and 13
// expect: race-warp line 15 and 13
// All threads but one add with an atomic, in shared memory.
__global__ void kernel(const int *in, int *sum) {
    __shared__ int s;
    unsigned i = threadIdx.x;
    if (i == 0) s = 0;
    __syncthreads();
    if (i != 37)
        atomicAdd(&s, in[i]);
    else
        s += in[i];
    __syncthreads();
    if (i == 0) *sum = s;
}
