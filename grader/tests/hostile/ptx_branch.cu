// Branches to a label that does not exist.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile("bra.uni NOWHERE;");
    partial[0] = data[0];
}
