// launch: block=32
// arg: u32[32]:iota
// arg: u32[32]:out
// expect: heap-leak line 7
// Each thread allocates memory, and threads with odd indices do not free it.
__global__ void kernel(const unsigned *in, unsigned *out) {
    unsigned *own = new unsigned[2];
    own[threadIdx.x % 2] = in[threadIdx.x];
    out[threadIdx.x] = own[threadIdx.x % 2];
    if (threadIdx.x % 2 == 0) delete[] own;
}
