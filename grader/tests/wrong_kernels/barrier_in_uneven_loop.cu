// launch: block=32
// arg: float[48]:random
// arg: float[48]:out
// expect: barrier-after-exit line 9
// In a loop with a barrier, some lanes run one more iteration than others.
__global__ void kernel(const float *in, float *out) {
    for (unsigned i = threadIdx.x; i < 48; i += 32) {
        out[i] = in[i];
        __syncthreads();
    }
}
