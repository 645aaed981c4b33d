// launch: grid=4 block=32
// arg: i32[128]:ones
// arg: i32[1]:zero
// expect: race-blocks line 9 and 10
// expect: race-warp line 9 and 10
// Read, compare, write: another block may write in between.
__global__ void kernel(const int *in, int *most) {
    int x = in[blockIdx.x * 32 + threadIdx.x];
    if (x > *most)
        *most = x;
}
