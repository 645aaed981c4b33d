// Correct files for lab 5 in styles other than the solution's. STYLE selects one.
#include "reduce.h"

#if STYLE == 1
// in each kernel, a lane keeps its value in a register
static __device__ value_t warp_reduce(value_t *w, unsigned lane) {
    value_t x = w[lane];
    for (unsigned d = 16; d; d >>= 1) {
        __syncwarp();
        if (lane < d) w[lane] = x = combine(x, w[lane + d]);
    }
    __syncwarp();
    return x;
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x, lane = t & 31, warp = t >> 5, warps = blockDim.x >> 5;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    s[t] = sum;
    sum = warp_reduce(s + 32 * warp, lane);
    if (lane == 0) s[blockDim.x + warp] = sum;
    __syncthreads();
    if (warp) return;
    s[lane] = lane < warps ? s[blockDim.x + lane] : identity();
    sum = warp_reduce(s, lane);
    if (lane == 0) partial[blockIdx.x] = sum;
}
__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    if (lane < 16) {
#pragma unroll
        for (int d = 16; d > 0; d /= 2) {
            sum = combine(sum, s[lane + d]);
            __syncwarp(0xffff);
            s[lane] = sum;
            __syncwarp(0xffff);
        }
    }
    if (lane == 0) out[0] = sum;
}
__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    if (lane >= 16) s[lane + 16] = identity();
    __syncwarp();
    for (unsigned d = 16; d; d /= 2) {
        value_t y = s[lane + d];
        __syncwarp();
        s[lane] = sum = combine(sum, y);
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        if (lane % (2 * d) == 0) s[lane] = sum = combine(sum, s[lane + d]);
        __syncwarp();
    }
    if (lane == 0) out[0] = sum;
}

#elif STYLE == 2
// unrolled by macros; thread 0 adds up the warps' results by itself
#define GUARDED(d) if (lane < d) w[lane] = combine(w[lane], w[lane + d]); __syncwarp();
static __device__ value_t warp_reduce(value_t *w, unsigned lane) {
    GUARDED(16) GUARDED(8) GUARDED(4) GUARDED(2) GUARDED(1)
    return w[0];
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    s[t] = sum;
    __syncwarp();
    sum = warp_reduce(s + warp * 32, lane);
    if (lane == 0) s[blockDim.x + warp] = sum;
    __syncthreads();
    if (t == 0) {
        for (unsigned k = 1; k < warps; k++) sum = combine(sum, s[blockDim.x + k]);
        partial[blockIdx.x] = sum;
    }
}
#define HALVES(d, mask) { value_t x = combine(s[lane], s[lane + d]); __syncwarp(mask); s[lane] = x; __syncwarp(mask); }
__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    if (lane < 16) { HALVES(16, 0xffff) HALVES(8, 0xffff) HALVES(4, 0xffff) HALVES(2, 0xffff) HALVES(1, 0xffff) }
    if (lane == 0) out[0] = s[0];
}
__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    HALVES(16, ~0u) HALVES(8, ~0u) HALVES(4, ~0u) HALVES(2, ~0u) HALVES(1, ~0u)
    if (lane == 0) out[0] = s[0];
}
__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    for (unsigned k = 1; k <= 5; k++) {
        unsigned mask = (1u << k) - 1;
        if (!(lane & mask)) s[lane] = combine(s[lane], s[lane + (mask + 1) / 2]);
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}

#elif STYLE == 3
// one template for all kernels except reduce_ordered; the guard selects the working lanes
template <class Guard> static __device__ void steps(value_t *w, unsigned lane, unsigned mask, Guard guard) {
#pragma unroll
    for (unsigned d = 16; d >= 1; d /= 2) {
        value_t x = identity();
        bool works = guard(lane, d);
        if (works) x = combine(w[lane], w[lane + d]);
        __syncwarp(mask);
        if (works) w[lane] = x;
        __syncwarp(mask);
    }
}
static __device__ value_t grid_stride(const value_t *in, unsigned n) {
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    return sum;
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, m = blockDim.x;
    s[t] = grid_stride(in, n);
    __syncwarp();
    auto below = [](unsigned lane, unsigned d) { return lane < d; };
    steps(s + warp * 32, lane, 0xffffffffu, below);
    if (lane == 0) s[m + warp] = s[warp * 32];
    __syncthreads();
    if (warp > 0) return;
    s[lane] = lane < m / 32 ? s[m + lane] : identity();
    __syncwarp();
    steps(s, lane, 0xffffffffu, below);
    if (lane == 0) partial[blockIdx.x] = s[0];
}
__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    s[lane] = grid_stride(in, n);
    __syncwarp();
    if (lane >= 16) return;
    steps(s, lane, 0xffffu, [](unsigned, unsigned) { return true; });
    if (lane == 0) out[0] = s[0];
}
__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    s[lane] = grid_stride(in, n);
    if (lane < 16) s[lane + 32] = identity();
    __syncwarp();
    steps(s, lane, 0xffffffffu, [](unsigned, unsigned) { return true; });
    if (lane == 0) *out = *s;
}
__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = n / 32 + (n % 32 != 0);
    value_t sum = identity();
    for (unsigned k = 0, i = lane * each; k < each && i < n; k++, i++) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    for (unsigned d = 1; d <= 16; d += d) {
        if ((lane & (2 * d - 1)) == 0) s[lane] = combine(s[lane], s[lane + d]);
        __syncwarp();
    }
    if (lane == 0) *out = *s;
}

#elif STYLE == 4
// volatile as in old textbooks, but with __syncwarp()
#define WAIT(m) __syncwarp(m)
static __device__ value_t warp_reduce(volatile value_t *w, unsigned lane) {
    if (lane < 16) {
        w[lane] = combine(w[lane], w[lane + 16]);
    }
    WAIT(~0u);
#pragma unroll
    for (unsigned d = 8; d; d /= 2) {
        if (lane < d) w[lane] = combine(w[lane], w[lane + d]);
        WAIT(~0u);
    }
    return w[0];
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    volatile value_t *v = s;
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    v[t] = sum;
    WAIT(~0u);
    sum = warp_reduce(v + 32 * warp, lane);
    if (lane == 0) v[blockDim.x + warp] = sum;
    __syncthreads();
    if (warp == 0) {
        v[lane] = lane < warps ? v[blockDim.x + lane] : identity();
        WAIT(~0u);
        sum = warp_reduce(v, lane);
        if (lane == 0) partial[blockIdx.x] = sum;
    }
}
__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    if (lane < 16)
        for (unsigned d = 16; d; d /= 2) {
            value_t x = combine(s[lane], s[lane + d]);
            WAIT(0x0000ffff);
            s[lane] = x;
            WAIT(0x0000ffff);
        }
    if (lane == 0) out[0] = s[0];
}
__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    if (lane < 16) s[32 + lane] = identity();
    WAIT(~0u);
    for (unsigned d = 16; d; d /= 2) {
        value_t x = combine(s[lane], s[lane + d]);
        WAIT(~0u);
        s[lane] = x;
        WAIT(~0u);
    }
    if (lane == 0) out[0] = s[0];
}
__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    s[lane] = sum;
    WAIT(~0u);
    for (unsigned left = 16, d = 1; left; left /= 2, d *= 2) { // compacted: lane k takes s[2dk]
        if (lane < left) s[2 * d * lane] = combine(s[2 * d * lane], s[2 * d * lane + d]);
        WAIT(~0u);
    }
    if (lane == 0) out[0] = s[0];
}

#elif STYLE == 5
// two loads in flight; a single __syncwarp() per step
static __device__ value_t warp_reduce(value_t *w, unsigned lane) {
    unsigned d = 32;
    while (d >>= 1) {
        if (lane < d) w[lane] = combine(w[lane], w[lane + d]);
        __syncwarp();
    }
    return w[0];
}
__global__ void reduce(const value_t *__restrict__ in, value_t *__restrict__ partial, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned t = threadIdx.x, lane = t % warpSize, warp = t / warpSize, warps = blockDim.x / warpSize;
    const unsigned T = gridDim.x * blockDim.x;
    value_t a = identity(), b = identity();
    unsigned i = blockIdx.x * blockDim.x + t;
    for (; i + T < n; i += 2 * T) a = combine(a, in[i]), b = combine(b, in[i + T]);
    if (i < n) a = combine(a, in[i]);
    s[t] = combine(a, b);
    __syncwarp();
    value_t *results = s + blockDim.x;
    value_t r = warp_reduce(s + (t & ~31u), lane);
    if (lane == 0) results[warp] = r;
    __syncthreads();
    if (warp == 0) {
        // the tree has as many values as there are warps
        for (unsigned d = warps / 2; d; d /= 2) {
            if (lane < d) results[lane] = combine(results[lane], results[lane + d]);
            __syncwarp();
        }
        if (lane == 0) partial[blockIdx.x] = results[0];
    }
}
__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    if (lane < 16) {
        unsigned d = 16;
        do {
            value_t left = s[lane], right = s[lane + d];
            __syncwarp(0x0000ffff);
            s[lane] = combine(left, right);
            __syncwarp(0x0000ffff);
            d /= 2;
        } while (d >= 1);
        if (lane == 0) out[0] = s[0];
    }
}
__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    if (lane >= 16) s[16 + lane] = identity();
    __syncwarp();
    for (unsigned d = 16; d; d /= 2) {
        value_t x = combine(s[lane], s[lane + d]);
        __syncwarp();
        s[lane] = x;
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    unsigned begin = min(lane * each, n), end = min(begin + each, n);
    for (const value_t *p = in + begin; p != in + end; p++) sum = combine(sum, *p);
    s[lane] = sum;
    __syncwarp();
    // compacted: lane k takes pair k; read, sync, write, sync
    for (unsigned left = 16; left; left /= 2) {
        value_t x = identity();
        if (lane < left) x = combine(s[2 * lane], s[2 * lane + 1]);
        __syncwarp();
        if (lane < left) s[lane] = x;
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
#endif
