// Contains a fault on a line that does not exist.
#include "reduce.h"
#line 2147483000
__global__ void reduce(value_t *data, value_t *partial, unsigned n) { partial[0] = data[n + 100]; }
