// The ladder's kernel for clusters of blocks, which need compute capability 9.0: a file of its own, as other GPUs do not take it.
#include "reduce.h"

static __device__ unsigned rank() {
    unsigned r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}
static __device__ unsigned blocks() {
    unsigned n;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    return n;
}
static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
// The same place in the shared memory of the cluster's block of that rank.
static __device__ value_t *of_block(value_t *p, unsigned r) {
    value_t *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(r));
    return there;
}
static __device__ value_t warp(value_t x) { // lane 0's
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x;
}
static __device__ value_t block(value_t x, value_t *s) { // thread 0's: each warp, then the warps' results
    unsigned lane = threadIdx.x % 32, first = threadIdx.x < 32;
    x = warp(x);
    if (lane == 0) s[threadIdx.x / 32] = x;
    __syncthreads();
    if (first) x = warp(lane < blockDim.x / 32 ? s[lane] : identity());
    __syncthreads(); // s may be used again
    return x;
}

__device__ unsigned ticket; // clusters that have come; 0 between launches
__global__ void e3(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;
    unsigned t = threadIdx.x, clusters = gridDim.x / blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = block(sum, s);
    if (t == 0) s[0] = sum;
    sync_cluster(); // each block's result is in its s[0]
    if (rank() == 0 && t < 32) sum = warp(t < blocks() ? *of_block(s, t) : identity());
    sync_cluster(); // and has been read: the blocks may end
    if (rank() != 0) return;

    if (t == 0) {
        partial[blockIdx.x / blocks()] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block(sum, s);
    if (t == 0) out[0] = sum, ticket = 0;
}
