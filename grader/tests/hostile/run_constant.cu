// Always returns the same value.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    if (threadIdx.x == 0) partial[blockIdx.x] = identity();
}
