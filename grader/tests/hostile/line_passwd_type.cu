// Makes the compiler quote a line of another file in a type error.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
#line 1 "/etc/passwd"
    *data = "text";
}
