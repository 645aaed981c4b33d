// Kernels for the tests of `./grade run`: each is small enough to be followed by eye.
#include "scale.h"

#ifndef FACTOR
#define FACTOR 2
#endif

// A tree in shared memory, 2 elements a thread; right.
__global__ void sum(const float *in, float *partial, int n) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}
// The same without its barrier.
__global__ void racing(const float *in, float *partial, int n) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}
__global__ void scaled(double *data, unsigned n, double by) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = scale(data[i], by) * FACTOR;
}
// Every index once, in three dimensions.
__global__ void places(unsigned *out) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = 1000 * block + thread;
}
__global__ void bytes(char *c, unsigned char *u, short *s, long long *l, unsigned long long *w) {
    int t = threadIdx.x;
    c[t] = -t, u[t] = 255 - t, s[t] = -300 * t, l[t] = -1LL << t, w[t] = ~0ULL >> t;
}
__global__ void endless(int *flag) {
    while (*(volatile int *)flag == 0) continue;
}
struct pair {
    int a, b;
};
__global__ void by_value(pair p, int *out) { out[threadIdx.x] = p.a * 100 + p.b; }
__global__ void nothing() {}
template <typename T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }
template __global__ void twice<int>(int *);
template __global__ void twice<float>(float *);
namespace here {
__global__ void say(const char *unused, float x) { printf("x is %g\n", x); }
}
