// Calls itself endlessly.
#include "reduce.h"
__device__ __noinline__ int deeper(int n) {
    volatile int a[64];
    a[n & 63] = n;
    return deeper(n + 1) + a[n & 31];
}
__global__ void reduce(value_t *data, value_t *partial, unsigned n) { partial[0] = deeper(n); }
