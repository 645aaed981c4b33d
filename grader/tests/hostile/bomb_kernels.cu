// Defines thousands of kernels.
#include "reduce.h"
#define K1(n) __global__ void k##n(int *x) { *x = __LINE__; }
#define K10(n) K1(n##0) K1(n##1) K1(n##2) K1(n##3) K1(n##4) K1(n##5) K1(n##6) K1(n##7) K1(n##8) K1(n##9)
#define K100(n) K10(n##0) K10(n##1) K10(n##2) K10(n##3) K10(n##4) K10(n##5) K10(n##6) K10(n##7) K10(n##8) K10(n##9)
#define K1000(n) K100(n##0) K100(n##1) K100(n##2) K100(n##3) K100(n##4) K100(n##5) K100(n##6) K100(n##7) K100(n##8) K100(n##9)
K1000(1) K1000(2) K1000(3)
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t);
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (t % stride == 0 && i + stride < n) data[i] = combine(data[i], data[i + stride]);
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();
}
