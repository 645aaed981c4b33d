// Correct kernels for lab 11 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"
#include "cluster.h"

__device__ unsigned ticket;


static __device__ value_t warp_reduce(value_t x) {
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x;
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x;
}

#if STYLE == 1
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    __shared__ value_t others[8];
    cluster.barrier_wait();
    if (t == 0) *cluster.map_shared_rank(others + rank, 0) = x;
    cluster.sync();
    if (rank == 0 && t < 32) x = warp_reduce(t < blocks ? others[t] : identity());
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    cluster.barrier_arrive();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 2
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    for (unsigned stride = 4; stride >= 1; stride /= 2) {
        if (t == 0) s[0] = x;
        cluster.sync();
        if (t == 0 && rank < stride && rank + stride < blocks) x = combine(x, *cluster.map_shared_rank(s, rank + stride));
        cluster.sync();
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 3
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 4
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == 0 && t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    __shared__ value_t all[8 * 32];
    __shared__ value_t own;
    unsigned warps = blockDim.x / 32, blocks = cluster.num_blocks();
    sum = warp_reduce(sum);
    cluster.sync();
    if (t % 32 == 0) *cluster.map_shared_rank(&all[cluster.block_rank() * warps + t / 32], 0) = sum;
    cluster.sync();
    if (cluster.block_rank() == 0) {
        sum = identity();
        for (unsigned k = t; k < warps * blocks; k += blockDim.x) sum = combine(sum, all[k]);
        sum = block_reduce(sum, s);
        __syncthreads();
    }
    (void)own;

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 5
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == blocks - 1 && t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() + 1 != cluster.num_blocks()) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 6
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (rank == 0 && t < 32) {
        unsigned long long at;
        asm("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"((unsigned long long)s), "r"(t < blocks ? t : 0u));
        x = warp_reduce(t < blocks ? *(value_t *)at : identity());
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 7
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == 0 && t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    unsigned i = cluster.thread_rank() + number * cluster.num_threads(), step = gridDim.x * blockDim.x;
    for (; i + 3 * step < n && i + 3 * step > i; i += 4 * step) {
        value_t a = in[i], b = in[i + step], c = in[i + 2 * step], d = in[i + 3 * step];
        sum = combine(sum, combine(combine(a, b), combine(c, d)));
    }
    for (; i < n; i += step) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 8
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == 0 && t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() != 0) return;
    if (clusters == 1) {
        if (t == 0) total[0] = sum;
        return;
    }
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 9
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == 0 && t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (t == 0 && cluster.block_rank() == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (cluster.block_rank() != 0 || !last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 10
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    cluster.sync();
    value_t idle = rank == 0 && t == 0 && blocks > 1 ? *cluster.map_shared_rank(s, 1) : x;
    if (idle != idle) x = idle;
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (t == 0) partial[blockIdx.x] = sum;
    __threadfence();
    cluster.sync();
    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < gridDim.x; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 11
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == 0 && t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    const bool alone = blockDim.x != 1024;
    sum = block_reduce(sum, s);
    if (!alone) sum = cluster_reduce(cluster, sum, s);
    if (alone) clusters = gridDim.x, number = blockIdx.x;

    if (!alone && cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    __syncthreads();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 12
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, blocks = cluster.num_blocks(), clusters = gridDim.x / blocks;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        s[0] = partial[blockIdx.x] = sum;
        __threadfence();
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && t < 32) {
        const bool has = t < blocks;
        const value_t shown = has ? *cluster.map_shared_rank(s, t) : identity();
        value_t used = has ? partial[blockIdx.x + t] : identity();
        if (shown != used) used = shown; // never
        sum = warp_reduce(used);
    }
    cluster.sync();

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c * blocks]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif

#if STYLE == 13
static __device__ void await(unsigned bar, unsigned parity) {
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(bar), "r"(parity)
                     : "memory");
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ __align__(16) value_t tile[2][1024], box[8];
    __shared__ unsigned long long full[2], arrived;
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks(), clusters = gridDim.x / blocks,
             of_tile = (unsigned)__cvta_generic_to_shared(full), of_box = (unsigned)__cvta_generic_to_shared(&arrived);
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1; mbarrier.init.shared.b64 [%0 + 8], 1;"
                     "mbarrier.init.shared.b64 [%1], %2; fence.mbarrier_init.release.cluster;" ::"r"(of_tile),
                     "r"(of_box), "r"(blocks)
                     : "memory");
    cluster.sync();
    value_t sum = identity();
    const size_t first = (size_t)blockIdx.x * blockDim.x, threads = (size_t)gridDim.x * blockDim.x;
    size_t i = first, next = first;
    for (unsigned k = 0, loaded = 0; i + blockDim.x <= n; i += threads, k++) { // bulk copies load whole tiles, one tile ahead
        for (; t == 0 && loaded < k + 2 && next + blockDim.x <= n; next += threads, loaded++)
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%3], %2;"
                         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                             (unsigned)__cvta_generic_to_shared(tile[loaded % 2])),
                         "l"(__cvta_generic_to_global(in + next)), "r"(blockDim.x * (unsigned)sizeof(value_t)), "r"(of_tile + 8 * (loaded % 2))
                         : "memory");
        await(of_tile + 8 * (k % 2), k / 2 % 2);
        sum = combine(sum, tile[k % 2][t]);
        __syncthreads();
    }
    if (i + t < n) sum = combine(sum, in[i + t]);
    sum = block_reduce(sum, s);
    if (t == 0) { // each block pushes its result to rank 0 and arrives at a barrier there
        *cluster.map_shared_rank(box + rank, 0) = sum;
        asm volatile("{ .reg .b32 far; mapa.shared::cluster.u32 far, %0, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [far]; }" ::"r"(
                         of_box)
                     : "memory");
    }
    if (rank == 0) await(of_box, 0);
    if (rank == 0 && t < 32) sum = warp_reduce(t < blocks ? box[t] : identity());
    cluster.sync();

    if (rank != 0) return;
    if (t == 0) {
        partial[blockIdx.x / blocks] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
#endif
