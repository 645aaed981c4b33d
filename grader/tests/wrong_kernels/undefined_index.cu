// launch: grid=1 block=32
// arg: i32[32]:iota
// arg: i32[32]:out
// arg: u32 16
// expect: uninitialized-local line 13
// Uses an index that only some lanes have computed.
__global__ void kernel(const int *in, int *out, unsigned n) {
    int i;
    if (threadIdx.x < n)
        i = 31 - threadIdx.x;
    else if (in[threadIdx.x] & 1)
        i = in[threadIdx.x] / 2;
    out[threadIdx.x] = in[i];
}
