// launch: block=64 arch=80
// arg: float[256]:out
// expect: race-global line 10
// Both warps store a fragment to the same location.
#include <mma.h>
using namespace nvcuda;
__global__ void kernel(float *out) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 1.f + threadIdx.x / 32);
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
