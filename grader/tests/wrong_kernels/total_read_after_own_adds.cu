// launch: grid=3 block=64 debug=0
// arg: i32[192]:random
// arg: i32[1]:zero
// arg: i32[1]:out
// expect: race-blocks line 11 and 9
// A block's barrier orders the block's own adds, but not those of other blocks.
__global__ void kernel(const int *in, int *sum, int *out) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    atomicAdd(sum, in[i]);
    __syncthreads();
    if (i == 64) *out = *sum;
}
