// Correct files for lab 8 in styles other than the solution's. STYLE selects one.
#include "reduce.h"

#if STYLE == 1
// the handout's method, with the pair in a register, atomicInc, and while loops
__device__ unsigned ticket;
static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    const unsigned t = threadIdx.x, m = blockDim.x;
    value_t *low = s, *high = s + m;
    low[t] = begin + t < end ? in[begin + t] : identity();
    unsigned next = begin + m;
    while (next < end) {
        high[t] = next + t < end ? in[next + t] : identity();
        __syncthreads();
        value_t pair = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        low[t] = pair;
        next += m;
    }
    __syncthreads();
    unsigned left = m;
    while (left > 1) {
        left >>= 1;
        value_t pair = identity();
        if (t < left) pair = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        if (t < left) s[t] = pair;
        __syncthreads();
    }
    return *s;
}
static __device__ unsigned ceil_div(unsigned a, unsigned b) { return a / b + (a % b ? 1 : 0); }
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ unsigned drawn;
    unsigned chunk = ceil_div(n, gridDim.x), begin = min(n, chunk * blockIdx.x), end = min(n, begin + chunk);
    value_t sum = block_reduce(in, begin, end, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        drawn = atomicInc(&ticket, gridDim.x - 1);
        __threadfence();
    }
    __syncthreads();
    if (drawn + 1 < gridDim.x) return;
    __threadfence();
    sum = block_reduce(partial, 0, gridDim.x, s);
    if (threadIdx.x == 0) *total = sum;
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = ceil_div(n, 32);
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 5; k++) {
        x = combine(s[lane], s[lane + (1 << k)]);
        __syncwarp();
        s[lane] = x;
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}

#elif STYLE == 2
// shuffles a value word by word; two levels as in lab 6, offsets 1 2 4 8 16
__device__ unsigned ticket;
static __device__ value_t down(value_t x, unsigned d) {
    union { value_t v; unsigned w[sizeof(value_t) / 4]; } u;
    u.v = x;
#pragma unroll
    for (unsigned k = 0; k < sizeof(value_t) / 4; k++) u.w[k] = __shfl_down_sync(0xffffffff, u.w[k], d);
    return u.v;
}
static __device__ value_t warp_ordered(value_t x) {
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) x = combine(x, down(x, d));
    return x;
}
static __device__ value_t block_ordered(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    x = warp_ordered(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_ordered(lane < blockDim.x / 32 ? s[lane] : identity());
    __syncthreads();
    return x;
}
// in rounds of M neighbors; thread 0 keeps the result so far
static __device__ value_t range(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    value_t sum = identity();
    for (unsigned at = begin; at < end; at += blockDim.x) {
        unsigned i = at + threadIdx.x;
        value_t x = block_ordered(i < end ? in[i] : identity(), s);
        sum = combine(sum, x);
    }
    return sum;
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned chunk = (n + gridDim.x - 1) / gridDim.x, begin = min(blockIdx.x * chunk, n), end = min(begin + chunk, n);
    value_t x = range(in, begin, end, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x;
        __threadfence();
        last = atomicAdd(&ticket, 1) + 1 == gridDim.x;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    x = range(partial, 0, gridDim.x, s);
    if (threadIdx.x == 0) {
        total[0] = x;
        atomicExch(&ticket, 0);
    }
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        x = combine(x, s[lane + d]);
        __syncwarp();
        s[lane] = x;
        __syncwarp();
    }
    if (lane == 0) out[0] = x;
}

#elif STYLE == 3
// the handout's method; a function gets the barrier as an argument, and one warp uses lab 5's guarded, compacted form
__device__ unsigned ticket;
template <typename Sync> static __device__ void neighbors(value_t *s, unsigned t, unsigned m, Sync sync) {
    for (unsigned stride = 1; stride < m; stride <<= 1) {
        value_t *p = s + 2 * stride * t;
        if (t < m / (2 * stride)) p[0] = combine(p[0], p[stride]);
        sync();
    }
}
struct Range {
    const value_t *in;
    unsigned at, end;
    __device__ value_t next() {
        unsigned i = at + threadIdx.x;
        at = end - at > blockDim.x ? at + blockDim.x : end;
        return i < end ? in[i] : identity();
    }
    __device__ bool more() const { return at < end; }
};
static __device__ value_t block_reduce(Range r, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    s[t] = r.next();
    while (r.more()) {
        s[m + t] = r.next();
        __syncthreads();
        value_t x = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        s[t] = x;
    }
    __syncthreads();
    neighbors(s, t, m, [] { __syncthreads(); });
    return s[0];
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ int is_last;
    unsigned chunk = (n + gridDim.x - 1) / gridDim.x;
    unsigned begin = min(n, chunk * blockIdx.x), end = min(n, begin + chunk);
    value_t x = block_reduce(Range{in, begin, end}, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x;
        __threadfence();
        is_last = atomicAdd(&ticket, 1) == gridDim.x - 1;
        if (is_last) ticket = 0;
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        __threadfence();
        x = block_reduce(Range{partial, 0, gridDim.x}, s);
        if (threadIdx.x == 0) *total = x;
    }
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    __syncwarp();
    neighbors(s, lane, 32, [] { __syncwarp(); });
    if (lane == 0) out[0] = s[0];
}

#elif STYLE == 4
// each thread takes a contiguous piece of the chunk, then a tree of neighbors
__device__ unsigned ticket;
static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    unsigned count = end > begin ? end - begin : 0, each = (count + m - 1) / m;
    unsigned lo = begin + min(count, t * each), hi = begin + min(count, (t + 1) * each);
    value_t x = identity();
    for (unsigned i = lo; i < hi; i++) x = combine(x, in[i]);
    __syncthreads();
    s[t] = x;
    for (unsigned stride = 1; stride < m; stride *= 2) {
        __syncthreads();
        unsigned k = 2 * stride * t;
        if (k + stride < m) s[k] = combine(s[k], s[k + stride]);
    }
    return s[0]; // thread 0 wrote it itself
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned chunk = n / gridDim.x + (n % gridDim.x != 0);
    unsigned long long first = (unsigned long long)chunk * blockIdx.x;
    unsigned begin = first < n ? (unsigned)first : n, end = n - begin < chunk ? n : begin + chunk;
    value_t x = block_reduce(in, begin, end, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    x = block_reduce(partial, 0, gridDim.x, s);
    if (threadIdx.x == 0) {
        total[0] = x;
        ticket = 0;
    }
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        value_t y = s[lane + d];
        __syncwarp();
        s[lane] = x = combine(x, y);
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}

#elif STYLE == 5
// blocks draw their numbers and add their chunks to the total in turn; a block waits by an atomic that adds 0
__device__ unsigned drawn, turn;
// the handout's method
static __device__ value_t fold(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    value_t ahead[4];
    s[t] = begin + t < end ? in[begin + t] : identity();
    for (unsigned next = begin + m; next < end; next += 4 * m) {
#pragma unroll
        for (unsigned k = 0; k < 4; k++) ahead[k] = next + k * m + t < end ? in[next + k * m + t] : identity();
#pragma unroll
        for (unsigned k = 0; k < 4; k++) {
            if (next + k * m >= end) break;
            s[m + t] = ahead[k];
            __syncthreads();
            value_t pair = combine(s[2 * t], s[2 * t + 1]);
            __syncthreads();
            s[t] = pair;
        }
    }
    __syncthreads();
    for (unsigned stride = 1; stride < m; stride *= 2) {
        unsigned k = 2 * stride * t;
        if (k < m) s[k] = combine(s[k], s[k + stride]);
        __syncthreads();
    }
    return s[0];
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ unsigned number;
    unsigned t = threadIdx.x;
    if (t == 0) number = atomicAdd(&drawn, 1);
    __syncthreads();
    unsigned chunk = n / gridDim.x + (n % gridDim.x != 0), begin = number * chunk, end = min(begin + chunk, n);
    value_t sum = fold(in, begin, end, s);
    if (t > 0) return;
    while (atomicAdd(&turn, 0) != number) continue;
    __threadfence();
    *total = number ? combine(*total, sum) : sum;
    __threadfence();
    if (number + 1 == gridDim.x) drawn = 0;
    atomicExch(&turn, number + 1 == gridDim.x ? 0 : number + 1);
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    __syncwarp();
    for (unsigned o = 1; o < 32; o *= 2) {
        if (lane % (2 * o) == 0) s[lane] = x = combine(x, s[lane + o]);
        __syncwarp();
    }
    if (lane == 0) out[0] = x;
}
#endif
