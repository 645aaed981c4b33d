// Correct files for lab 10 in styles other than the solution's. STYLE selects one.
#include "reduce.h"

#if STYLE == 1
__device__ unsigned ticket;
static __device__ bool comes_first(value_t a, value_t b) {
    bool na = a.value != a.value, nb = b.value != b.value;
    if (na != nb) return na;
    if (!na && a.value != b.value) return before(a.value, b.value);
    return a.index < b.index;
}
static __device__ value_t combine(value_t a, value_t b) { return comes_first(a, b) ? a : b; }
static __device__ value_t shuffle_xor(value_t x, int mask) {
    x.value = __shfl_xor_sync(0xffffffff, x.value, mask);
    x.index = __shfl_xor_sync(0xffffffff, x.index, mask);
    return x;
}
static __device__ value_t warp_reduce(value_t x) {
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) x = combine(x, shuffle_xor(x, mask));
    return x;
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < blockDim.x / 32 ? s[lane] : identity());
    return x;
}
__global__ void reduce(const value_t *__restrict__ in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned t = threadIdx.x, T = gridDim.x * blockDim.x;
    value_t best = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += T) best = combine(best, in[i]);
    best = block_reduce(best, s);
    if (t == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    best = identity();
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) best = combine(best, partial[b]);
    best = block_reduce(best, s);
    if (t == 0) *total = best;
}

#elif STYLE == 2
// four pairs in flight, lab 6's block tree; a key determines the order of NaNs
__device__ unsigned ticket;
static __device__ int rank_of(value_t a) { return a.value == a.value; } // 0 for NaN, which comes first
static __device__ value_t combine(value_t a, value_t b) {
    int ra = rank_of(a), rb = rank_of(b);
    if (ra < rb) return a;
    if (rb < ra) return b;
    if (before(a.value, b.value)) return a;
    if (before(b.value, a.value)) return b;
    if (a.index < b.index) return a;
    return b;
}
template <unsigned D> static __device__ value_t lane_down(value_t x) {
    return {__shfl_down_sync(0xffffffff, x.value, D), __shfl_down_sync(0xffffffff, x.index, D)};
}
static __device__ value_t warp_tree(value_t x) {
    x = combine(x, lane_down<16>(x));
    x = combine(x, lane_down<8>(x));
    x = combine(x, lane_down<4>(x));
    x = combine(x, lane_down<2>(x));
    x = combine(x, lane_down<1>(x));
    return x;
}
static __device__ value_t block_tree(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    x = warp_tree(x);
    if (!lane) s[warp] = x;
    __syncthreads();
    if (!warp) x = warp_tree(lane < blockDim.x / 32 ? s[lane] : identity());
    return x;
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned t = threadIdx.x, T = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
    value_t best = identity();
    for (; i < n && n - i > 3 * T; i += 4 * T) {
        value_t a = in[i], b = in[i + T], c = in[i + 2 * T], d = in[i + 3 * T];
        best = combine(best, combine(combine(a, b), combine(c, d)));
    }
    for (; i < n; i += T) best = combine(best, in[i]);
    best = block_tree(best, s);
    if (t == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        best = identity();
        i = t;
        while (i < gridDim.x) best = combine(best, partial[i]), i += blockDim.x;
        best = block_tree(best, s);
        if (t == 0) total[0] = best, ticket = 0;
    }
}

#elif STYLE == 3
// branches with early return; methods of a struct find the best lane; every warp runs the second level
__device__ unsigned ticket;
struct Pair {
    value_t v;
    __device__ Pair(value_t x) : v(x) {}
    __device__ bool nan() const { return v.value != v.value; }
    __device__ bool operator<(const Pair &o) const { // comes first
        if (nan() && !o.nan()) return true;
        if (!nan() && o.nan()) return false;
        if (!nan()) {
            if (before(v.value, o.v.value)) return true;
            if (before(o.v.value, v.value)) return false;
        }
        return v.index < o.v.index;
    }
    __device__ void take(const Pair &o) { if (o < *this) v = o.v; }
    __device__ Pair below(unsigned offset) const {
        value_t y = {__shfl_down_sync(0xffffffff, v.value, offset), __shfl_down_sync(0xffffffff, v.index, offset)};
        return Pair(y);
    }
    __device__ void warp() {
#pragma unroll
        for (unsigned offset = 16; offset >= 1; offset /= 2) take(below(offset));
    }
    __device__ void block(value_t *s) {
        const unsigned lane = threadIdx.x % 32;
        warp();
        __syncthreads();
        if (lane == 0) s[threadIdx.x / 32] = v;
        __syncthreads();
        v = lane < blockDim.x / 32 ? s[lane] : identity();
        warp();
    }
};
__global__ void __launch_bounds__(1024) reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ unsigned drawn;
    unsigned t = threadIdx.x;
    Pair best(identity());
    for (const value_t *p = in + blockIdx.x * blockDim.x + t; p < in + n; p += gridDim.x * blockDim.x) best.take(*p);
    best.block(s);
    if (t == 0) {
        partial[blockIdx.x] = best.v;
        __threadfence();
        drawn = atomicAdd(&ticket, 1);
    }
    __syncthreads();
    if (drawn != gridDim.x - 1) return;
    __threadfence();
    best = Pair(identity());
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) best.take(partial[b]);
    best.block(s);
    if (t == 0) {
        *total = best.v;
        ticket = 0;
    }
}

#elif STYLE == 4
__device__ unsigned ticket;
static __device__ value_t combine(value_t a, value_t b) {
    return a.value != a.value ? (b.value != b.value && b.index < a.index ? b : a)
           : b.value != b.value ? b
           : before(a.value, b.value) ? a
           : before(b.value, a.value) ? b
           : a.index < b.index ? a : b;
}
static __device__ value_t shuffle_down(value_t x, unsigned offset) {
    value_t y;
    y.value = __shfl_down_sync(~0u, x.value, offset);
    y.index = __shfl_down_sync(~0u, x.index, offset);
    return y;
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    for (unsigned d = 16; d; d /= 2) x = combine(x, shuffle_down(x, d));
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned w = 1; w < blockDim.x / 32; w++) x = combine(x, s[w]);
    return x;
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
    value_t best = identity();
    for (; i + threads < n; i += 2 * threads) best = combine(best, combine(in[i], in[i + threads]));
    if (i < n) best = combine(best, in[i]);
    best = block_reduce(best, s);
    if (t == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    best = identity();
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) best = combine(best, partial[b]);
    best = block_reduce(best, s);
    if (t == 0) {
        total[0] = best;
        ticket = 0;
    }
}

#endif
