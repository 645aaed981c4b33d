// Contains a fault that is attributed to the solution.
#include "reduce.h"
#line 1 "solution.cu"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) { partial[0] = data[n + 100]; }
