// Declares variables in the middle of a kernel.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile(".global .u32 hidden; .extern .global .u32 expected;");
    partial[0] = data[0];
}
