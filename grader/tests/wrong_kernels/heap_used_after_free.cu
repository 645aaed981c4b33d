// launch: block=64
// arg: u32[64]:iota
// arg: u32[64]:out
// expect: use-after-free line 13
// The memory is freed while the other warp still reads it, because the barrier comes before the reads.
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ unsigned *block;
    if (threadIdx.x == 0) block = new unsigned[64];
    __syncthreads();
    block[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) delete[] block;
    out[threadIdx.x] = block[63 - threadIdx.x];
}
