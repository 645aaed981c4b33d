// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[1]:zero
// expect: race-blocks line 8 and 9
// Block 0 clears the sum while other blocks already add to it.
__global__ void kernel(const float *in, float *sum) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) sum[0] = 0;
    atomicAdd(sum, in[blockIdx.x * 32]);
}
