// Prints with a format that does not match its arguments.
#include <cstdio>
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    printf("%s %n %s %s %999999999d %*d\n", (const char *)data, (const char *)0x41414141);
    partial[0] = data[0];
}
