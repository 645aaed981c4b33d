// solutions/lab23_matmul/reduce.cu
//
// Lab 23: the product of two square matrices, by tiles. c = a * b; each matrix has `side` rows of `side` elements, in row-major order.
//
// Contract. Each block has 16 x 16 threads and computes a tile of c. `side` may be 0. The launch provides dynamic shared memory for 2 * 256 values.
#include "reduce.h"

enum { TILE = 16 };

__global__ void matmul(const value_t *a, const value_t *b, value_t *c, unsigned side) {
    extern __shared__ value_t tiles[];
    value_t *s = tiles, *u = tiles + TILE * TILE; // a tile of a and a tile of b
    unsigned x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    value_t sum = 0;
#ifdef SOLUTION
    for (unsigned first = 0; first < side; first += TILE) {
        s[y * TILE + x] = row < side && first + x < side ? a[row * side + first + x] : 0;
        u[y * TILE + x] = first + y < side && column < side ? b[(first + y) * side + column] : 0;
        __syncthreads();
        for (unsigned k = 0; k < TILE; k++) sum += s[y * TILE + k] * u[k * TILE + x];
        __syncthreads();
    }
#else

    // TODO 1: loop over the tiles: load a tile of a and a tile of b, wait, add their product to sum, wait
#endif
    if (row < side && column < side) c[row * side + column] = sum;
}
