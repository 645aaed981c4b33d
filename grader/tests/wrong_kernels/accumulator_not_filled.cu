// launch: block=32 arch=80
// arg: u16[256]:zero
// arg: float[256]:out
// release: uninitialized-local line 16
// debug: uninitialized-local line 15
// The accumulator fragment is never filled.
#include <mma.h>
using namespace nvcuda;
__global__ void kernel(const half *in, float *out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::load_matrix_sync(a, in, 16);
    wmma::load_matrix_sync(b, in, 16);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
