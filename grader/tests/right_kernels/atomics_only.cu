// launch: grid=5 block=64
// arg: u32[320]:iota
// arg: u32[1]:zero
// result: 1[0] = 51040
// Row C4 of the ladder: each block adds its partial with an atomic.
__global__ void kernel(const unsigned *in, unsigned *sum) {
    __shared__ unsigned s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, s);
}
