// Declares a gigabyte of local memory per thread.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    volatile char big[1 << 30];
    big[n] = 1;
    partial[0] = big[n / 2];
}
