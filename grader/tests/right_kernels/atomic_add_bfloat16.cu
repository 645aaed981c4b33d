// launch: grid=2 block=32
// arg: u16[1]:zero
// arg: float[64]:ones
// result: 0[0] = 17024
// Before sm_90, the header implements this as a compare-and-swap loop. 17024 is 0x4280: 64 as bfloat16.
#include <cuda_bf16.h>
__global__ void kernel(__nv_bfloat16 *out, const float *in) {
    atomicAdd(out, __float2bfloat16(in[blockIdx.x * 32 + threadIdx.x]));
}
