// Helper kernels for timing a student's kernel on a GPU (grader/judge/timing.c). They generate fresh inputs and their
// expected results, fill outputs with a pattern, and fill caches with other data. Blocks have 256 threads.
#include "reduce.h"

static __device__ unsigned long long timing_random(unsigned long long seed, unsigned k) { // splitmix64: Steele, Lea, Flood 2014
    unsigned long long z = seed + (k + 1ull) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Generates element k so that the result does not depend on the order of operands: integers wrap around, elements of
// float sums are small integers, and elements of float products are 1 or -1.
static __device__ value_t timing_element(unsigned long long seed, unsigned k) {
    const unsigned long long r = timing_random(seed, k);
#if REDUCE_IS_ARG
    value_t x;
    x.value = (scalar_t)(int)(r >> 32);
    x.index = k * 0x9e3779b1u + (unsigned)seed; // unique
    return x;
#elif REDUCE_TYPE < REDUCE_F32
    return (value_t)(REDUCE_OP == REDUCE_PRODUCT ? r | 1 : r);
#elif REDUCE_OP == REDUCE_PRODUCT
    return (value_t)(r >> 63 ? -1 : 1);
#elif REDUCE_OP == REDUCE_SUM
    return (value_t)((int)(r >> 59) - 16);
#else
    return (value_t)(int)(r >> 32);
#endif
}
static __device__ value_t timing_combine(value_t a, value_t b) {
#if REDUCE_IS_ARG
    return before(b.value, a.value) || (b.value == a.value && b.index < a.index) ? b : a;
#else
    return combine(a, b);
#endif
}

// Fills in[0 .. n) with the elements of `seed` and stores each block's result in partial[blockIdx.x].
__global__ void timing_draw(value_t *in, value_t *partial, unsigned n, unsigned long long seed) {
    __shared__ value_t s[256];
    value_t sum = identity();
    for (unsigned long long k = blockIdx.x * 256ull + threadIdx.x; k < n; k += gridDim.x * 256ull) {
        const value_t x = timing_element(seed, (unsigned)k);
        in[k] = x;
        sum = timing_combine(sum, x);
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x) return; // a serial loop instead of a tree, because this kernel is not timed and students can read this file
    for (unsigned k = 1; k < 256; k++) sum = timing_combine(sum, s[k]);
    partial[blockIdx.x] = sum;
}

#if REDUCE_OP == REDUCE_SUM && REDUCE_TYPE == REDUCE_F32
// Draws elements of type half: odd integers from -31 to 31, so that float sums are exact.
__global__ void timing_draw_halves(unsigned short *in, value_t *partial, unsigned n, unsigned long long seed) {
    __shared__ value_t s[256];
    value_t sum = identity();
    for (unsigned long long k = blockIdx.x * 256ull + threadIdx.x; k < n; k += gridDim.x * 256ull) {
        const float x = (float)((int)(timing_random(seed, (unsigned)k) >> 59) * 2 - 31);
        unsigned short half;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
        in[k] = half;
        sum += x;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (unsigned k = 1; k < 256; k++) sum += s[k];
    partial[blockIdx.x] = sum;
}
#endif

__global__ void timing_fill(unsigned *words, unsigned n, unsigned pattern) {
    for (unsigned long long k = blockIdx.x * 256ull + threadIdx.x; k < n; k += gridDim.x * 256ull) words[k] = pattern;
}

// Fills caches with lines of `in`. Clean lines are evicted without a write-back, so this kernel does not slow down the next launch.
__global__ void timing_read(const uint4 *in, unsigned *out, unsigned n) {
    unsigned x = 0;
    for (unsigned long long k = blockIdx.x * 256ull + threadIdx.x; k < n; k += gridDim.x * 256ull) x ^= in[k].x ^ in[k].y ^ in[k].z ^ in[k].w;
    if (x == 0x5eed5eed) *out = x; // keeps the compiler from removing the loop
}
