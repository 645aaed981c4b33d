// Correct kernels for lab 9 in styles other than the solution's. STYLE selects one.
#include "reduce.h"

#if STYLE == 1
__constant__ unsigned block_size = 256, blocks_per_multiprocessor = 8;
enum { LOADS = 4 };
#elif STYLE == 2
__constant__ unsigned block_size = 512, blocks_per_multiprocessor = 4;
enum { LOADS = 8 };
#elif STYLE == 3
__constant__ unsigned block_size = sizeof(value_t) == 8 ? 256 : 512, blocks_per_multiprocessor = sizeof(value_t) == 8 ? 8 : 4;
enum { LOADS = 4 };
#elif STYLE == 4
__constant__ unsigned block_size = 1024, blocks_per_multiprocessor = 2;
enum { LOADS = 4 };
#elif STYLE == 5
__constant__ unsigned block_size = 512, blocks_per_multiprocessor = 2;
enum { LOADS = 8 };
#endif

enum { WIDTH = 16 / sizeof(value_t) };
struct __align__(16) vector {
    value_t x[WIDTH];
};
static __device__ value_t combine_vector(value_t sum, vector v) {
#pragma unroll
    for (unsigned k = 0; k < WIDTH; k++) sum = combine(sum, v.x[k]);
    return sum;
}

#if STYLE == 1
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    value_t sum = identity();
    unsigned head = (unsigned)((16 - (size_t)in % 16) % 16 / sizeof(value_t));
    if (head > n) head = n;
    const vector *body = (const vector *)(in + head);
    unsigned vectors = (n - head) / WIDTH;
    unsigned long long v = i;
    for (; v + (LOADS - 1ull) * threads < vectors; v += (unsigned long long)LOADS * threads) {
        vector a[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) a[k] = body[v + (unsigned long long)k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++) sum = combine_vector(sum, a[k]);
    }
    for (; v < vectors; v += threads) sum = combine_vector(sum, body[v]);
    if (i < head) sum = combine(sum, in[i]);
    unsigned tail = head + vectors * WIDTH;
    if (i < n - tail) sum = combine(sum, in[tail + i]);
    return sum;
}
#elif STYLE == 2
// vectors are int4, loaded through __ldg
union bits { int4 raw; vector v; __device__ bits() {} };
static __device__ value_t thread_reduce(const value_t *__restrict__ in, unsigned n) {
    const unsigned me = blockIdx.x * blockDim.x + threadIdx.x, T = gridDim.x * blockDim.x;
    value_t sum = identity();
    unsigned head = 0;
    while (head < n && ((size_t)(in + head) & 15)) head++;
    const unsigned whole = (n - head) / WIDTH;
    const int4 *p = (const int4 *)(in + head);
    unsigned v = me;
    while (v < whole && (whole - v - 1) / T >= LOADS - 1) {
        bits b[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) b[k].raw = __ldg(p + v + k * T);
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) sum = combine_vector(sum, b[k].v);
        v += LOADS * T;
    }
    while (v < whole) {
        bits b;
        b.raw = __ldg(p + v);
        sum = combine_vector(sum, b.v);
        if (whole - v <= T) break;
        v += T;
    }
    if (me < head) sum = combine(sum, in[me]);
    const value_t *rest = in + head + (size_t)whole * WIDTH;
    if (rest + me < in + n) sum = combine(sum, rest[me]);
    return sum;
}
#elif STYLE == 3
// a single loop; missing vectors are identity
static __device__ vector none() {
    vector v;
    for (unsigned k = 0; k < WIDTH; k++) v.x[k] = identity();
    return v;
}
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    unsigned ahead = -(unsigned)(size_t)in / sizeof(value_t) % WIDTH, head = min(ahead, n), vectors = (n - head) / WIDTH;
    const vector *body = reinterpret_cast<const vector *>(in + head);
    value_t sum = i < head ? in[i] : identity();
    for (size_t v = i; v < vectors; v += (size_t)LOADS * threads) {
        vector a[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) a[k] = v + (size_t)k * threads < vectors ? body[v + (size_t)k * threads] : none();
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) sum = combine_vector(sum, a[k]);
    }
    size_t j = head + (size_t)vectors * WIDTH + i;
    if (j < n) sum = combine(sum, in[j]);
    return sum;
}
#elif STYLE == 4
// head by the first threads, tail by the last threads of the grid; four named vectors
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, T = gridDim.x * blockDim.x;
    value_t sum = identity();
    unsigned head = ((16 - ((unsigned long long)in & 15)) & 15) / sizeof(value_t);
    if (n < head) head = n;
    unsigned vectors = (n - head) / WIDTH, tail = (n - head) % WIDTH;
    const vector *v = (const vector *)(in + head), *end = v + vectors;
    v += i;
    while (end - v > 3ll * T) {
        vector a = v[0], b = v[T], c = v[2ull * T], d = v[3ull * T];
        sum = combine_vector(combine_vector(combine_vector(combine_vector(sum, a), b), c), d);
        v += 4ull * T;
    }
    for (; v < end; v += T) sum = combine_vector(sum, *v);
    if (i < head) sum = combine(sum, in[i]);
    if (T - 1 - i < tail) sum = combine(sum, in[n - 1 - (T - 1 - i)]);
    return sum;
}
#elif STYLE == 5
// blocks take tiles of LOADS * M vectors in turn
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, tile = (size_t)LOADS * blockDim.x;
    unsigned head = (0 - (size_t)in) % 16 / sizeof(value_t);
    if (head > n) head = n;
    size_t vectors = (n - head) / WIDTH, tail = head + vectors * WIDTH;
    const vector *body = (const vector *)(in + head);
    value_t sum = combine(i < head ? in[i] : identity(), tail + i < n ? in[tail + i] : identity());
    for (size_t first = blockIdx.x * tile; first < vectors; first += gridDim.x * tile) {
        const vector *v = body + first + threadIdx.x;
        vector a[LOADS];
        if (first + tile <= vectors) {
#pragma unroll
            for (unsigned k = 0; k < LOADS; k++) a[k] = v[k * blockDim.x];
#pragma unroll
            for (unsigned k = 0; k < LOADS; k++) sum = combine_vector(sum, a[k]);
        } else
            for (; v < body + vectors; v += blockDim.x) sum = combine_vector(sum, *v);
    }
    return sum;
}
#endif

static __device__ value_t warp_reduce(value_t x) {
#pragma unroll
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x; // of lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x; // of thread 0
}

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    unsigned t = threadIdx.x, blocks = gridDim.x;
    value_t sum = block_reduce(thread_reduce(in, n), s);
    if (blocks == 1) { // no block to wait for
        if (t == 0) total[0] = sum;
        return;
    }

#if STYLE == 1 // lab 7's last-block code
    __shared__ bool last;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == blocks - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = identity();
    for (unsigned b = t; b < blocks; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
#else // one warp finishes
    unsigned before = 0;
    if (t >= 32) return;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        before = atomicAdd(&ticket, 1);
        __threadfence();
    }
    if (__shfl_sync(0xffffffff, before, 0) != blocks - 1) return;
    __syncwarp();
    sum = identity();
    for (unsigned b = 0; b < blocks; b += 32 * LOADS) {
        const value_t *x = partial + b + t;
        value_t a[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) a[k] = t + 32 * k < blocks - b ? x[32 * k] : identity();
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) sum = combine(sum, a[k]);
    }
    sum = warp_reduce(sum);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
#endif
}
