// Writes to address 0.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    *(volatile value_t *)nullptr = identity();
    partial[0] = data[0];
}
