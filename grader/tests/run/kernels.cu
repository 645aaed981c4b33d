// Kernels for the tests of `./grade run`, each small enough to follow by hand. kernels.ptx was compiled from this
// file by the following command, and the folders in its .file lines were removed.
//   nvcc -ptx -arch=compute_75 -lineinfo -Igrader/tests/run/include grader/tests/run/kernels.cu
// It is kept, so that the tests need no compiler.
#include "scale.h"
#include <stdio.h>

#ifndef FACTOR
#define FACTOR 2
#endif

__device__ int counter, factor = 3;
__constant__ float weights[4] = {0.5f, 1, 2, 4};
extern __shared__ int dynamic[];

// A correct tree in shared memory, with one element per thread.
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
// The tree without its first barrier.
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
// Each thread writes its index, in three dimensions.
__global__ void places(unsigned *out) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = 1000 * block + thread;
}
__global__ void widths(char *c, unsigned char *u, short *s, long long *l, unsigned long long *w) {
    int t = threadIdx.x;
    c[t] = -t, u[t] = 255 - t, s[t] = -300 * t, l[t] = -1LL << t, w[t] = ~0ULL >> t;
}
__global__ void numbers(signed char c, unsigned short u, int i, unsigned long long w, float f, double d, double *out) {
    out[0] = c, out[1] = u, out[2] = i, out[3] = w, out[4] = f, out[5] = d;
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
__global__ void say(const char *unused, float x) {
    if (threadIdx.x < 2) printf("x is %g\n", x);
}
}
// Calls, dynamic shared memory, module variables, an atomic.
static __noinline__ __device__ int deeper(int x) {
    return x * factor;
}
__global__ void calls(int *out) {
    int t = threadIdx.x;
    dynamic[t] = t;
    __syncwarp();
    if (t < 4) out[t] = deeper(dynamic[t ^ 1]) + (int)weights[t];
    if (t > 29) atomicAdd(&counter, 1);
}
