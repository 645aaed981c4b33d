// launch: block=32
// arg: u32[1]:out
// expect: bad-free line 11
// says: already freed
// All threads share one allocation, which each of them frees.
__global__ void kernel(unsigned *out) {
    __shared__ unsigned *block;
    if (threadIdx.x == 0) block = (unsigned *)malloc(128);
    __syncthreads();
    if (threadIdx.x == 0) *out = block != nullptr;
    free(block);
}
