// Writes before its buffers, farther and farther away.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    for (long long k = -1; k > -(1ll << 40); k *= 2) partial[k] = identity();
}
