// Always returns the first element.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    if (threadIdx.x == 0) partial[blockIdx.x] = data[0];
}
