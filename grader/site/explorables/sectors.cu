// A warp reads every stride-th word of global memory, beginning at word `offset`.
extern "C" __global__ void sectors(const int *in, int *out, int stride, int offset) {
    out[threadIdx.x] = in[offset + threadIdx.x * stride];
}
