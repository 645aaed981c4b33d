// Contains terminal control sequences in a line that a finding quotes.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) { partial[0] = data[n + 100]; /* [2J [32m */ }
