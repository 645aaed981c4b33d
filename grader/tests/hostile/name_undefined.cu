// Calls a function that is not defined.
#include "reduce.h"
__device__ value_t oracle(unsigned n);
__global__ void reduce(value_t *data, value_t *partial, unsigned n) { partial[0] = oracle(n); }
