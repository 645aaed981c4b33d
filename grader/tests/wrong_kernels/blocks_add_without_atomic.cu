// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[1]:zero
// expect: race-blocks line 7
// Each block adds its partial with +=.
__global__ void kernel(const float *in, float *sum) {
    if (threadIdx.x == 0) sum[0] += in[blockIdx.x * 32];
}
