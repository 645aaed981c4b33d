// launch: block=32
// arg: float[48]:random
// arg: float[48]:out
// expect: barrier-divergence line 9
// Some lanes go through the loop once more than others, with a barrier in it.
__global__ void kernel(const float *in, float *out) {
    for (unsigned i = threadIdx.x; i < 48; i += 32) {
        out[i] = in[i];
        __syncthreads();
    }
}
