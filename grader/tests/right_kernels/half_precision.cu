// launch: grid=4 block=64
// arg: u32[512]:iota
// arg: u32[1]:zero
// arg: u32[1]:zero
// arg: float[1]:zero
// result: 1[0] = 1006656504
// result: 2[0] = 16256
// result: 3[0] = 6
// A tree over half2 and bfloat16: sums of ones in pairs, an atomic on pairs, a maximum.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void kernel(const unsigned *in, __half2 *sum, __nv_bfloat16 *largest, float *mixed) {
    __shared__ __half2 pairs[64];
    __shared__ __nv_bfloat162 brains[64];
    const unsigned t = threadIdx.x, at = 128 * blockIdx.x + t;
    const __half one = __float2half((float)in[at] / (float)(in[at] > 0 ? in[at] : 1)); // 1, and 0 for the first
    pairs[t] = __halves2half2(one, __hsub(__float2half(1.0f), one));
    pairs[t] = __hfma2(pairs[t], __float2half2_rn(2.0f), __hneg2(pairs[t]));
    brains[t] = __floats2bfloat162_rn((float)(in[at] & 1), 0.5f);
    __syncthreads();
    for (unsigned half = 32; half; half /= 2) {
        if (t < half) {
            pairs[t] = __hadd2(pairs[t], pairs[t + half]);
            brains[t] = __hmax2(brains[t], brains[t + half]);
        }
        __syncthreads();
    }
    if (t) return;
    atomicAdd(sum, pairs[0]);
    if (blockIdx.x == 0) {
        *largest = __hgt(__low2bfloat16(brains[0]), __high2bfloat16(brains[0])) ? __low2bfloat16(brains[0]) : __float2bfloat16(0.0f);
        *mixed = __half2float(hexp2(__float2half(2.0f))) + __bfloat162float(__hmul(__float2bfloat16(0.5f), __float2bfloat16(4.0f)));
    }
}
