// Makes an assembler read a file from within a kernel.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile(".incbin \"/etc/passwd\"");
    partial[0] = data[0];
}
