// Expands macros to ten billion statements.
#include "reduce.h"
#define A(x) x x x x x x x x x x
#define B(x) A(A(x))
#define C(x) B(B(x))
#define D(x) C(C(x))
__global__ void reduce(value_t *data, value_t *partial, unsigned n) { D(B(++partial[0];)) }
