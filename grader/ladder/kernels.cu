// The ladder's kernels that run on any GPU: the reductions of the course, written as plainly as possible. rows.def
// states the block size and the launches of each row. M = blockDim.x is a power of two. Kernels accept any n from 1.
#include "reduce.h"
#if REDUCE_OP >= REDUCE_AFFINE
#include "own.h" // structs through shuffles
#endif

// ---- parts that multiple kernels use ----------------------------------------------------------------------------------------
// Reduces the values x, one per thread, in s[0 .. M). Returns the result in thread 0. Operands may be reordered.
static __device__ value_t tree(value_t x, value_t *s) {
    unsigned t = threadIdx.x;
    s[t] = x;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    return s[0];
}
static __device__ value_t warp_down(value_t x) { // valid in lane 0; reorders operands
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x;
}
static __device__ value_t warp_up(value_t x) { // valid in lane 0; keeps the order
    for (unsigned offset = 1; offset <= 16; offset *= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x;
}
static __device__ value_t two_levels(value_t x, value_t *s) { // valid in thread 0: reduces each warp, then the warps' results
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_down(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_down(lane < warps ? s[lane] : identity());
    __syncthreads(); // the caller may reuse s
    return x;
}
static __device__ value_t grid_stride(const value_t *in, unsigned n) {
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    return sum;
}
// Returns true in all threads of the block that delivers its partial last.
static __device__ bool last_block(value_t sum, value_t *partial, unsigned *ticket) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    __threadfence();
    return last;
}

// ---- A: baselines --------------------------------------------------------------------------------------------------
__global__ void a4(const value_t *in, value_t *out, unsigned n) {
    value_t sum = identity();
    for (unsigned i = 0; i < n; i++) sum = combine(sum, in[i]);
    out[0] = sum;
}
__global__ void a5(value_t *data, unsigned n, unsigned stride) {
    size_t k = 2 * (size_t)stride * (blockIdx.x * blockDim.x + threadIdx.x);
    if (k + stride < n) data[k] = combine(data[k], data[k + stride]);
}
__global__ void a6(value_t *data, value_t *out, unsigned n) {
    for (unsigned count = n, stride; count > 1; count = stride) {
        stride = (count + 1) / 2;
        for (unsigned i = threadIdx.x; i + stride < count; i += blockDim.x) data[i] = combine(data[i], data[i + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = data[0];
}

// ---- B: a tree per block. A block that reduces a segment of the input writes its result to out[blockIdx.x] -----------
__global__ void b1(value_t *data, value_t *out, unsigned n) {
    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t);
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (t % stride == 0 && i + stride < n) data[i] = combine(data[i], data[i + stride]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = data[i];
}
__global__ void b1_mask(value_t *data, value_t *out, unsigned n) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
        if ((t & (2 * offset - 1)) == 0 && i + offset < n) data[i] = combine(data[i], data[i + offset]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = data[i];
}
__global__ void b2(value_t *data, value_t *out, unsigned n) {
    unsigned t = threadIdx.x, i = 2 * blockDim.x * blockIdx.x + t;
    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        if (t < stride && i + stride < n) data[i] = combine(data[i], data[i + stride]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = data[i];
}
__global__ void b3(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    unsigned t = threadIdx.x, i = 2 * blockDim.x * blockIdx.x + t;
    s[t] = i < n ? in[i] : identity();
    s[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : identity();
    __syncthreads();
    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void b4(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M values
    value_t sum = identity();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum = combine(sum, in[i]);
    sum = tree(sum, s);
    if (threadIdx.x == 0) out[0] = sum;
}
// Reduces in[first .. end) in order, in s[0 .. 2*M). Repeatedly combines adjacent elements into the lower half and
// loads the upper half again. A tree reduces the M remaining elements. Thread 0 returns the result.
static __device__ value_t ordered(const value_t *in, unsigned first, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    s[t] = first + t < end ? in[first + t] : identity();
    for (unsigned next = first + m; next < end; next += m) {
        s[m + t] = next + t < end ? in[next + t] : identity();
        __syncthreads();
        value_t both = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads(); // all threads have read the words that are overwritten next
        s[t] = both;
    }
    __syncthreads();
    for (unsigned stride = 1; stride < m; stride *= 2) {
        if (2 * stride * t < m) s[2 * stride * t] = combine(s[2 * stride * t], s[2 * stride * t + stride]);
        __syncthreads();
    }
    return s[0];
}
__global__ void b5(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    value_t sum = ordered(in, 0, n, s);
    if (threadIdx.x == 0) out[0] = sum;
}
enum { K = 6 }; // elements per thread, the same number as in rows.def
__global__ void b6(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M values
    unsigned i = K * blockDim.x * blockIdx.x + threadIdx.x;
    value_t x[K], sum = identity();
#pragma unroll
    for (unsigned k = 0; k < K; k++) x[k] = i + k * blockDim.x < n ? in[i + k * blockDim.x] : identity();
#pragma unroll
    for (unsigned k = 0; k < K; k++) sum = combine(sum, x[k]);
    sum = tree(sum, s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// Stops the tree at `stop` values. Block b stores them in out[stop * b .. stop * (b + 1)) for the next launch.
__global__ void b7(const value_t *in, value_t *out, unsigned n, unsigned stop) {
    extern __shared__ value_t s[]; // 2*M values
    unsigned t = threadIdx.x, i = 2 * blockDim.x * blockIdx.x + t;
    s[t] = i < n ? in[i] : identity();
    s[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : identity();
    __syncthreads();
    for (unsigned stride = blockDim.x; stride >= stop; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    if (t < stop) out[stop * blockIdx.x + t] = s[t];
}

// ---- C: many blocks ------------------------------------------------------------------------------------------------
__global__ void c2(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    unsigned i = 2 * blockDim.x * blockIdx.x + threadIdx.x;
    value_t sum = combine(i < n ? in[i] : identity(), i + blockDim.x < n ? in[i + blockDim.x] : identity());
    sum = two_levels(sum, s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void c3(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M values
    value_t sum = tree(grid_stride(in, n), s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
#if REDUCE_HAS_ATOMIC
__global__ void c4(const value_t *in, value_t *out, unsigned n) { // out[0] holds identity() before the launch
    extern __shared__ value_t s[];                                // M values
    value_t sum = tree(grid_stride(in, n), s);
    if (threadIdx.x == 0) atomic_combine(out, sum);
}
#endif
__device__ unsigned ticket; // number of blocks that have delivered their partial; 0 between launches
static __device__ void finish(value_t sum, value_t *s, value_t *partial, value_t *out) {
    if (!last_block(sum, partial, &ticket)) return;
    sum = identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = two_levels(sum, s);
    if (threadIdx.x == 0) out[0] = sum, ticket = 0;
}
__global__ void c5(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    finish(two_levels(grid_stride(in, n), s), s, partial, out);
}
__global__ void c6(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    unsigned each = (n + gridDim.x - 1) / gridDim.x, first = each * blockIdx.x;
    unsigned end = first + each < n ? first + each : n;
    value_t sum = ordered(in, first < n ? first : n, end, s);
    if (!last_block(sum, partial, &ticket)) return;
    sum = ordered(partial, 0, gridDim.x, s);
    if (threadIdx.x == 0) out[0] = sum, ticket = 0;
}
enum { WIDTH = 16 / sizeof(value_t), LOADS = 4 };
struct __align__(16) vector {
    value_t x[WIDTH];
};
__global__ void c8(const value_t *in, value_t *partial, value_t *out, unsigned n) { // `in` is aligned to 16 bytes
    extern __shared__ value_t s[];                                                  // M/32 values
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, vectors = n / WIDTH;
    const vector *body = (const vector *)in;
    value_t sum = vectors * WIDTH + i < n ? in[vectors * WIDTH + i] : identity(); // elements after the last vector
    vector a[LOADS];
    for (; i < vectors; i += LOADS * threads) {
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) { // all loads are in flight before the first value is used
            if (i + k * threads < vectors)
                a[k] = body[i + k * threads];
            else
                for (unsigned j = 0; j < WIDTH; j++) a[k].x[j] = identity();
        }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            for (unsigned j = 0; j < WIDTH; j++) sum = combine(sum, a[k].x[j]);
    }
    finish(two_levels(sum, s), s, partial, out);
}

// ---- D: warps. Each block is one warp (d6, d8: several warps). A second launch combines the results of the blocks ---------
__global__ void d1(const value_t *in, value_t *out, unsigned n) {
    __shared__ value_t s[32];
    unsigned lane = threadIdx.x;
    s[lane] = grid_stride(in, n);
    __syncwarp();
    for (unsigned offset = 16; offset >= 1; offset /= 2) {
        if (lane < offset) s[lane] = combine(s[lane], s[lane + offset]);
        __syncwarp();
    }
    if (lane == 0) out[blockIdx.x] = s[0];
}
__global__ void d2(const value_t *in, value_t *out, unsigned n) {
    __shared__ value_t s[32];
    unsigned lane = threadIdx.x;
    s[lane] = grid_stride(in, n);
    __syncwarp();
    if (lane < 16)
        for (unsigned offset = 16; offset >= 1; offset /= 2) {
            value_t both = combine(s[lane], s[lane + offset]);
            __syncwarp(0x0000ffff);
            s[lane] = both;
            __syncwarp(0x0000ffff);
        }
    if (lane == 0) out[blockIdx.x] = s[0];
}
__global__ void d3(const value_t *in, value_t *out, unsigned n) {
    __shared__ value_t s[48];
    unsigned lane = threadIdx.x;
    s[lane] = grid_stride(in, n);
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned offset = 16; offset >= 1; offset /= 2) {
        value_t both = combine(s[lane], s[lane + offset]);
        __syncwarp();
        s[lane] = both;
        __syncwarp();
    }
    if (lane == 0) out[blockIdx.x] = s[0];
}
// d4, d5 and d7 keep the order: each warp reduces a contiguous chunk of the input, and each lane a piece of the chunk.
static __device__ value_t piece(const value_t *in, unsigned n) {
    unsigned pieces = gridDim.x * blockDim.x, each = (n + pieces - 1) / pieces, i = each * (blockIdx.x * blockDim.x + threadIdx.x);
    value_t sum = identity();
    for (unsigned k = 0; k < each && i + k < n; k++) sum = combine(sum, in[i + k]);
    return sum;
}
__global__ void d4(const value_t *in, value_t *out, unsigned n) {
    __shared__ value_t s[32];
    unsigned lane = threadIdx.x;
    s[lane] = piece(in, n);
    __syncwarp();
    for (unsigned offset = 1; offset <= 16; offset *= 2) {
        if (lane % (2 * offset) == 0) s[lane] = combine(s[lane], s[lane + offset]);
        __syncwarp();
    }
    if (lane == 0) out[blockIdx.x] = s[0];
}
__global__ void d5(const value_t *in, value_t *out, unsigned n) {
    __shared__ value_t s[48];
    unsigned lane = threadIdx.x;
    s[lane] = piece(in, n);
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned offset = 1; offset <= 16; offset *= 2) {
        value_t both = combine(s[lane], s[lane + offset]);
        __syncwarp();
        s[lane] = both;
        __syncwarp();
    }
    if (lane == 0) out[blockIdx.x] = s[0];
}
__global__ void d6(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M values, then M/32
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    value_t *own = s + 32 * warp;
    own[lane] = grid_stride(in, n);
    __syncwarp();
    for (unsigned offset = 16; offset >= 1; offset /= 2) {
        if (lane < offset) own[lane] = combine(own[lane], own[lane + offset]);
        __syncwarp();
    }
    if (lane == 0) s[blockDim.x + warp] = own[0];
    __syncthreads();
    if (warp > 0) return;
    s[lane] = lane < warps ? s[blockDim.x + lane] : identity();
    __syncwarp();
    for (unsigned offset = 16; offset >= 1; offset /= 2) {
        if (lane < offset) s[lane] = combine(s[lane], s[lane + offset]);
        __syncwarp();
    }
    if (lane == 0) out[blockIdx.x] = s[0];
}
__global__ void d7(const value_t *in, value_t *out, unsigned n) {
    value_t sum = warp_up(piece(in, n));
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void d8(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    value_t sum = two_levels(grid_stride(in, n), s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Reads n 16-byte vectors with 512 threads per block, either to fill the caches or to measure the read
// bandwidth.
__global__ void read_all(const uint4 *in, unsigned *out, unsigned n) {
    unsigned long long step = gridDim.x * 512ull, k = blockIdx.x * 512ull + threadIdx.x;
    unsigned x = 0;
    for (; k + 3 * step < n; k += 4 * step) {
        uint4 a = in[k], b = in[k + step], c = in[k + 2 * step], d = in[k + 3 * step];
        x ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
    }
    for (; k < n; k += step) x ^= in[k].x ^ in[k].y ^ in[k].z ^ in[k].w;
    if (x == 0x5eed5eed) *out = x; // keeps the compiler from removing the loads
}
