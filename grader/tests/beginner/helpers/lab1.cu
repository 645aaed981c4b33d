#include "reduce.h"

static __device__ void add_to(value_t *dst, const value_t *src) { *dst = combine(*dst, *src); }

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned tid = threadIdx.x;
    unsigned width = 2 * blockDim.x;
    unsigned seg = blockIdx.x * width;
    unsigned have = 0;
    if (seg < n) have = min(n - seg, width);
    value_t *mine = data + seg;
    unsigned a = 2 * tid;
    unsigned gap = 1;
    while (gap < width) {
        if (a % (2 * gap) == 0 && a + gap < have) {
            add_to(&mine[a], &mine[a + gap]);
        }
        __syncthreads();
        gap = gap * 2;
    }
    if (tid == 0) {
        value_t res = identity();
        if (have > 0) res = mine[0];
        partial[blockIdx.x] = res;
    }
}
