// launch: grid=2 block=64
// arg: i32[128]:random
// arg: i32[1]:zero
// expect: race-blocks line 11 and 9
// One block adds with atomics, the other with a plain +=.
__global__ void kernel(const int *in, int *sum) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x == 0)
        atomicAdd(sum, in[i]);
    else if (threadIdx.x == 0)
        *sum += in[i];
}
