// Defines a variable instead of the kernel.
#include "reduce.h"
__device__ int reduce;
