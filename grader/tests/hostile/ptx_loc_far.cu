// Attributes its code to a line number that is too large.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile(".loc 1 4294967295 4294967295");
    partial[0] = data[n + 100];
}
