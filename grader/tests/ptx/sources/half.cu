/* Arithmetic in half precision, of single numbers and pairs. For nvcc only. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void half_sum(const __half *in, __half *out, const float *scale) {
    __half v = in[threadIdx.x];
    v = __hadd(v, in[threadIdx.x + 1]);
    v = __hfma(v, v, __float2half(scale[0]));
    out[threadIdx.x] = __hlt(v, in[0]) ? v : __hmul(v, in[2]);
}
__global__ void pairs(const __half2 *in, __half2 *out, const float *scale) {
    __half2 v = __hfma2_relu(in[threadIdx.x], __floats2half2_rn(scale[0], scale[1]), h2exp2(in[1]));
    v = __hmin2_nan(__hadd2_sat(v, __habs2(in[2])), __hneg2(__hsub2(v, in[3])));
    atomicAdd(out, __hmax2(v, __heq2(v, in[4])));
    out[threadIdx.x + 1] = __halves2half2(__ushort2half_rn(scale[2]), h2rint(v).x);
}
#if __CUDA_ARCH__ >= 800
__global__ void brains(const __nv_bfloat162 *in, __nv_bfloat162 *out, const float *scale) {
    __nv_bfloat162 v = __hfma2(in[threadIdx.x], __floats2bfloat162_rn(scale[0], scale[1]), in[1]);
    v = __hmin2_nan(__hmul2(v, __habs2(in[2])), __hneg2(__hsub2(v, in[3])));
    if (__hbge2(v, in[5])) atomicAdd(out, __hmax2(v, __hlt2(v, in[4])));
    out[threadIdx.x + 1] = __floats2bfloat162_rn(__bfloat162int_rz(v.x), __low2float(v));
}
#endif
