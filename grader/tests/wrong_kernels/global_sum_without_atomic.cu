// launch: block=64
// arg: float[64]:random
// arg: float[1]:zero
// expect: race-global line 8
// expect: race-warp line 8
// All threads of the block add to one sum with +=.
__global__ void kernel(const float *in, float *sum) {
    sum[0] += in[threadIdx.x];
}
