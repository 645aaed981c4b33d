// Calls the address of data.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile("{ .reg .b64 a; mov.b64 a, %0; call a, (), p; p: .callprototype _ (); }" ::"l"(data));
    partial[0] = data[0];
}
