// launch: block=64
// arg: u32[64]:iota
// arg: u32[64]:out
// result: 1[0] = 63
// result: 1[63] = 0
// One thread allocates memory for the block and frees it after a barrier. A request that is far too large returns a null pointer.
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ unsigned *block;
    if (threadIdx.x == 0) {
        block = (unsigned *)malloc(64 * sizeof *block);
        if (malloc((size_t)1 << 40)) block = nullptr;
    }
    __syncthreads();
    block[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = block[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) free(block);
}
