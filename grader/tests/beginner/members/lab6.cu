#include "reduce.h"
enum class Direction { Descending, Ascending };
template <Direction D> struct OffsetSequence;
template <> struct OffsetSequence<Direction::Descending> {
    static __device__ unsigned first() { return 16; }
    static __device__ unsigned next(unsigned o) { return o >> 1; }
};
template <> struct OffsetSequence<Direction::Ascending> {
    static __device__ unsigned first() { return 1; }
    static __device__ unsigned next(unsigned o) { return o << 1; }
};
template <Direction D> static __device__ value_t shuffle_tree(value_t x) {
    constexpr unsigned kFullMask = 0xffffffffu;
    constexpr int kSteps = 5;
    unsigned offset = OffsetSequence<D>::first();
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
        x = combine(x, __shfl_down_sync(kFullMask, x, offset));
        offset = OffsetSequence<D>::next(offset);
    }
    return x;
}
static __device__ value_t warp_reduce(value_t x) { return shuffle_tree<Direction::Descending>(x); }
static __device__ value_t warp_reduce_ordered(value_t x) { return shuffle_tree<Direction::Ascending>(x); }
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = warp_reduce(sum);
    if (lane == 0) s[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_reduce(lane < warps ? s[lane] : identity());
        if (lane == 0) partial[blockIdx.x] = sum;
    }
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    sum = warp_reduce_ordered(sum);
    if (lane == 0) out[0] = sum;
}
