// launch: block=32 arch=80
// arg: float[32]:out
// expect: race-warp line 12 and 11
// The stored fragment is read by other lanes, with no __syncwarp() in between.
#include <mma.h>
using namespace nvcuda;
__global__ void kernel(float *out) {
    __shared__ __align__(32) float s[256];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 1.f);
    wmma::store_matrix_sync(s, sum, 16, wmma::mem_row_major);
    out[threadIdx.x] = s[255 - threadIdx.x];
}
