// The same by an error of types.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
#line 1 "/etc/passwd"
    *data = "text";
}
