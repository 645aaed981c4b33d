// Attributes its lines to another file.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile(".file 77 \"/etc/passwd\"");
    asm volatile(".loc 77 1 1");
    partial[0] = data[n + 100];
}
