// Doubles the number of templates at each level.
#include "reduce.h"
template <int N, int M> struct wide {
    static const int value = wide<N - 1, 2 * M>::value + wide<N - 1, 2 * M + 1>::value;
};
template <int M> struct wide<0, M> {
    static const int value = 1;
};
__global__ void reduce(value_t *data, value_t *partial, unsigned n) { partial[0] = wide<30, 1>::value; }
