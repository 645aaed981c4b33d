// A variable in place of the kernel.
#include "reduce.h"
__device__ int reduce;
