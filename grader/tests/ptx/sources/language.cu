/* Calls, recursion, function pointers, switch, arrays, state spaces, initializers, printf, assert. */
#ifndef __clang__
#include <assert.h>
#include <stdio.h>
#endif

struct pair { double weight; int count; short tag; };
__constant__ int powers[8] = {1, 3, 9, 27, 81, 243, 729, 2187};
__constant__ float weights[4] = {0.5f, -1.25f, 1e-30f, 3e38f};
__device__ double table[3] = {1.5, -0.0, 1e300};
__device__ int counter = 7, zeroed[5];
__device__ int *counter_pointer = &counter;
#ifdef __clang__ /* clang 14 cannot write addresses of array elements as initializers */
__device__ int *inside;
#define words(k) ((k) ? "product" : "sum")
#else
__device__ int *inside = &zeroed[2];
__device__ const char *word_list[2] = {"sum", "product"};
#define words(k) word_list[k]
#endif
__device__ struct pair pairs[2] = {{1.0, 2, 3}, {-4.0, -5, -6}};
__device__ unsigned char bytes[6] = {1, 2, 3, 250, 255, 0};

__device__ __noinline__ int twice(int x) { return 2 * x + powers[x & 7]; }
__device__ __noinline__ int thrice(int x) { return 3 * x - zeroed[x & 3]; }
__device__ __noinline__ int depth(int n) { return n <= 1 ? n : depth(n - 1) + depth(n - 2); }
#ifdef BY_POINTER
#define PAIR(p) &(p)
__device__ __noinline__ struct pair weigh(const struct pair *from, int n) {
    struct pair p = *from;
#else
#define PAIR(p) p
__device__ __noinline__ struct pair weigh(struct pair p, int n) {
#endif
    p.weight *= n, p.count += n, p.tag = (short)(p.tag - n);
    return p;
}
typedef int (*unary)(int);
__device__ unary functions[2] = {twice, thrice};

__global__ void calls(int *data, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    struct pair p = weigh(PAIR(pairs[i & 1]), (int)i);
    data[i] = functions[data[i] & 1](data[i]) + depth(data[i] & 7) + p.count + p.tag + (int)p.weight;
    if (data[i] < 0) printf("%d %f %s\n", data[i], p.weight, words(i & 1));
    assert(data[i] != 12345);
}
__global__ void jump(int *data, const float *scale) {
    int x = data[threadIdx.x], y = 0;
    switch (x) {
    case 0: y = twice(x); break;
    case 1: y = x * x; data[1] = y; break;
    case 2: y = x - 9; /* falls through */
    case 3: y ^= 0x55; break;
    case 4: data[0] = 4; break;
    case 5: y = (int)scale[x]; break;
    case 6: y = x / 7 + x % 5; break;
    case 7: return;
    case 8: y = -x; data[2] = 1; break;
    default: y = ~x;
    }
    data[threadIdx.x] = y;
}
__global__ void arrays(int *data, int n) {
    int local[16];
    __shared__ int fixed[64];
    __shared__ struct pair structs[4];
    extern __shared__ double dynamic[];
    for (int k = 0; k < 16; k++) local[k] = data[k] * k;
    fixed[threadIdx.x & 63] = local[n & 15];
    dynamic[threadIdx.x] = table[threadIdx.x % 3] * weights[n & 3];
    structs[threadIdx.x & 3].count = (int)threadIdx.x;
    __syncthreads();
    for (int k = n; k > 0; k /= 2) {
        if (k == 5) continue;
        if (k == 3) break;
        local[k & 15] += fixed[k & 63] + structs[k & 3].count;
    }
    data[threadIdx.x] = local[(n + 1) & 15] + (int)dynamic[n & 31] + bytes[n % 6] + *counter_pointer + *inside;
}
__global__ void wide(float4 *to, const float4 *from, const double2 *doubles, volatile int *flag, long long *big) {
    float4 v = from[threadIdx.x];
    double2 d = doubles[threadIdx.x];
    while (!*flag) {}
    v.x += v.y * v.z - v.w;
    v.z = v.x > 2.0f ? v.y / 3.0f : (float)d.x;
    v.w = fmaf(v.x, v.y, v.z) + (float)(unsigned char)v.x;
    big[threadIdx.x] = big[threadIdx.x + 1] * 3 + (long long)d.y % 11 + ((unsigned long long)big[0] >> (threadIdx.x & 63));
    to[threadIdx.x] = v;
    *flag = (int)v.w;
}
