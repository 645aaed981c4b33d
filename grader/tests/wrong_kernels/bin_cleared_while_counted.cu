// launch: grid=2 block=96 debug=0
// arg: i32[192]:random
// arg: i32[8]:zero
// expect: race-blocks line 11 and 10
// expect: race-global line 11 and 10
// expect: race-warp line 11 and 10
// One thread resets a bin to 0 while others increment it.
__global__ void kernel(const int *in, int *bins) {
    unsigned i = blockIdx.x * 96 + threadIdx.x;
    atomicAdd(&bins[in[i] & 7], 1);
    if (i == 100) bins[in[i] & 7] = 0;
}
