// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[1]:zero
// expect: race-blocks line 7
// atomicAdd_block is atomic among the threads of the same block.
__global__ void kernel(const float *in, float *sum) {
    if (threadIdx.x == 0) atomicAdd_block(sum, in[blockIdx.x * 32]);
}
