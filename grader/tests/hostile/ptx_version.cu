// Changes the PTX version in the middle of a kernel.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile(".version 99.9\n.target sm_999\n.address_size 32");
    partial[0] = data[0];
}
