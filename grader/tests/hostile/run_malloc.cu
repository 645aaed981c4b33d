// Allocates memory endlessly.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    for (;;) {
        char *p = (char *)malloc(1 << 20);
        if (p) p[threadIdx.x] = 1;
    }
}
