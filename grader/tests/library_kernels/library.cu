// Kernels that use cooperative_groups and CUB unmodified, one for each row of cases.def.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/functional>

namespace cg = cooperative_groups;

struct affine { // u -> scale * u + offset
    unsigned scale, offset;
};
struct pair {
    float value;
    int index;
};
struct then { // associative, but not commutative
    __device__ affine operator()(affine a, affine b) const {
        return {a.scale * b.scale, a.offset * b.scale + b.offset};
    }
};
struct better {
    __device__ pair operator()(pair a, pair b) const {
        return a.value < b.value || (a.value == b.value && a.index < b.index) ? a : b;
    }
};

// ---- cooperative_groups --------------------------------------------------------------------------------

template <int WIDTH> __device__ auto tile() { return cg::tiled_partition<WIDTH>(cg::this_thread_block()); }

template <typename T, typename Op> __device__ T tree_of_block(T x, Op op) {
    __shared__ T s[256];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank(), n = block.size();
    s[t] = x;
    block.sync();
    while (n > 1) {
        unsigned half = (n + 1) / 2;
        if (t + half < n) s[t] = op(s[t], s[t + half]);
        block.sync();
        n = half;
    }
    return s[0];
}
template <int WIDTH, typename T, typename Op> __device__ T tree_of_tile(T x, Op op) {
    __shared__ T s[128];
    auto group = tile<WIDTH>();
    T *mine = s + group.meta_group_rank() * WIDTH;
    unsigned t = group.thread_rank();
    mine[t] = x;
    group.sync();
    for (unsigned half = WIDTH / 2; half; half /= 2) {
        if (t < half) mine[t] = op(mine[t], mine[t + half]);
        group.sync();
    }
    return mine[0];
}
template <typename Group, typename T, typename Op> __device__ T shuffle_down(Group group, T x, Op op) {
    for (unsigned d = 1; d < group.size(); d *= 2) {
        T right = group.shfl_down(x, d);
        if (group.thread_rank() + d < group.size()) x = op(x, right);
    }
    return group.shfl(x, 0);
}
template <typename Group, typename T, typename Op> __device__ T shuffle_xor(Group group, T x, Op op) {
    for (unsigned d = group.size() / 2; d; d /= 2) x = op(x, group.shfl_xor(x, d));
    return x;
}
// Sums values below 2^10 with a vote for each bit.
template <typename Group> __device__ int sum_by_ballots(Group group, int x) {
    int total = 0;
    for (int bit = 0; bit < 10; bit++) total += __popc(group.ballot(x >> bit & 1)) << bit;
    return group.any(total > 0) ? total : 0;
}
// Computes the maximum: tests each thread's value with a vote, and keeps the one that no value exceeds.
template <typename Group> __device__ int max_by_matches(Group group, int x) {
    int most = 0;
    for (unsigned r = 0; r < group.size(); r++) {
        int candidate = group.shfl(x, r);
        if (group.all(x <= candidate) && group.match_any(candidate)) most = candidate;
    }
    return most;
}
template <typename Group> __device__ int last_of_scan(Group group, int x) {
    return group.shfl(cg::inclusive_scan(group, x), group.size() - 1);
}
// A tile of multiple warps needs memory to synchronize.
template <int WIDTH, int THREADS, typename T, typename Op> __device__ T reduce_big_tile(T x, Op op) {
    __shared__ cg::block_tile_memory<THREADS> memory;
    return cg::reduce(cg::tiled_partition<WIDTH>(cg::this_thread_block(memory)), x, op);
}

// Since sm_80, the tiles of a block synchronize through memory that the system reserves.
template <int WIDTH, int THREADS, typename T, typename Op> __device__ T reduce_own_tile(T x, Op op) {
#if __CUDA_ARCH__ >= 800
    return cg::reduce(cg::tiled_partition<WIDTH>(cg::this_thread_block()), x, op);
#else
    return reduce_big_tile<WIDTH, THREADS>(x, op);
#endif
}

// ---- CUB -----------------------------------------------------------------------------------------------

static const auto RAKING = cub::BLOCK_REDUCE_RAKING, COMMUTATIVE = cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
                  WARPS = cub::BLOCK_REDUCE_WARP_REDUCTIONS;

template <int WIDTH, int THREADS, typename T, typename Op> __device__ T warp_reduce(T x, Op op, int valid = WIDTH) {
    using Warp = cub::WarpReduce<T, WIDTH>;
    __shared__ typename Warp::TempStorage temporary[(THREADS + WIDTH - 1) / WIDTH];
    Warp warp(temporary[threadIdx.x / WIDTH]);
    return valid == WIDTH ? warp.Reduce(x, op) : warp.Reduce(x, op, valid);
}
template <cub::BlockReduceAlgorithm ALGORITHM, int THREADS, typename T, typename Op>
__device__ T block_reduce(T x, Op op, int valid = THREADS) {
    using Block = cub::BlockReduce<T, THREADS, ALGORITHM>;
    __shared__ typename Block::TempStorage temporary;
    return valid == THREADS ? Block(temporary).Reduce(x, op) : Block(temporary).Reduce(x, op, valid);
}
// Reduces twice in the same memory, with a barrier in between.
template <cub::BlockReduceAlgorithm ALGORITHM, int THREADS, typename T, typename Op>
__device__ T block_reduce_twice(T x, Op op) {
    using Block = cub::BlockReduce<T, THREADS, ALGORITHM>;
    __shared__ typename Block::TempStorage temporary;
    Block(temporary).Reduce(T(2 * x), op);
    __syncthreads();
    return Block(temporary).Reduce(x, op);
}

#define REDUCE(name, type, op, threads, group, valid, ...)                                                             \
    extern "C" __global__ void name(const type *in, type *out) {                                                       \
        using T = type;                                                                                                \
        const unsigned t = threadIdx.x;                                                                                \
        T x = in[t];                                                                                                   \
        out[t] = __VA_ARGS__;                                                                                          \
    }
#include "cases.def"
