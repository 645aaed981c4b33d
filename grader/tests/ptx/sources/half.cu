/* Arithmetic in half precision. nvcc only. */
#include <cuda_fp16.h>

__global__ void half_sum(const __half *in, __half *out, const float *scale) {
    __half v = in[threadIdx.x];
    v = __hadd(v, in[threadIdx.x + 1]);
    v = __hfma(v, v, __float2half(scale[0]));
    out[threadIdx.x] = __hlt(v, in[0]) ? v : __hmul(v, in[2]);
}
