// launch: block=32
// arg: u32[32]:iota
// arg: u32[32]:out
// expect: bad-free line 8
// says: that malloc() or new did not return
__global__ void kernel(unsigned *in, unsigned *out) {
    out[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0) free(in);
}
