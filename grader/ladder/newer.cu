// The ladder's kernels that need at least compute capability 8.0 or, in two cases, 9.0. They use inline PTX, because not all
// compilers of the labs have the intrinsics. For the simulator, which runs PTX for any architecture, they are
// compiled for 7.5.
#include "reduce.h"
#include "cluster.h"
#if REDUCE_OP >= REDUCE_AFFINE
#include "own.h" // structs through shuffles
#endif

// ---- parts, as in kernels.cu: each file is compiled alone -------------------------------------------------------------
static __device__ value_t warp_down(value_t x) { // valid in lane 0; reorders operands
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
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
__device__ unsigned ticket; // number of blocks (e3: clusters) that have delivered their partial; 0 between launches
// Returns in all threads of the block whether block (or cluster) `number` of `all` is the last to deliver its
// partial.
static __device__ bool last_of(unsigned number, unsigned all, value_t sum, value_t *partial) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == all - 1;
    }
    __syncthreads();
    __threadfence();
    return last;
}
static __device__ bool last_block(value_t sum, value_t *partial) { return last_of(blockIdx.x, gridDim.x, sum, partial); }
static __device__ void finish(value_t sum, value_t *s, value_t *partial, value_t *out) {
    if (!last_block(sum, partial)) return;
    sum = identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = two_levels(sum, s);
    if (threadIdx.x == 0) out[0] = sum, ticket = 0;
}
// Vectors of 16 bytes, with multiple loads in flight.
enum { WIDTH = 16 / sizeof(value_t), LOADS = 4 };
struct __align__(16) vector {
    value_t x[WIDTH];
};

// ---- E1: the warp's tree is one instruction, for sums, minima and maxima of 32-bit integers ----------------------------
#if (REDUCE_TYPE == REDUCE_I32 || REDUCE_TYPE == REDUCE_U32) && (REDUCE_OP == REDUCE_SUM || REDUCE_OP == REDUCE_MIN || REDUCE_OP == REDUCE_MAX)
static __device__ value_t warp_at_once(value_t x) { // valid in all lanes
    value_t sum;
#define REDUX(operation, type) asm volatile("redux.sync." operation "." type " %0, %1, 0xffffffff;" : "=r"(sum) : "r"(x))
#if REDUCE_OP == REDUCE_SUM
    REDUX("add", "s32"); // modulo 2^32, signed or not
#elif REDUCE_OP == REDUCE_MIN && REDUCE_TYPE == REDUCE_I32
    REDUX("min", "s32");
#elif REDUCE_OP == REDUCE_MIN
    REDUX("min", "u32");
#elif REDUCE_TYPE == REDUCE_I32
    REDUX("max", "s32");
#else
    REDUX("max", "u32");
#endif
    return sum;
}
static __device__ value_t block_at_once(value_t x, value_t *s) { // valid in thread 0
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_at_once(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_at_once(lane < warps ? s[lane] : identity());
    __syncthreads(); // the caller may reuse s
    return x;
}
__global__ void e1(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    value_t sum = block_at_once(grid_stride(in, n), s);
    if (!last_block(sum, partial)) return;
    sum = identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = block_at_once(sum, s);
    if (threadIdx.x == 0) out[0] = sum, ticket = 0;
}
#endif

// ---- E2: a barrier of the whole grid, whose blocks are all resident: grid.sync() of CUDA's <cooperative_groups.h> -------
// Each block adds 1, except the first, which adds 2^31 minus the number of the others. Therefore the top bit flips
// when all blocks have arrived, in every launch.
__device__ unsigned arrived;
static __device__ void sync_grid() {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before, now;
        __threadfence();
        before = atomicAdd(&arrived, blockIdx.x == 0 ? 0x80000000 - (gridDim.x - 1) : 1);
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(&arrived) : "memory");
        while (((before ^ now) & 0x80000000) == 0);
    }
    __syncthreads();
}
__global__ void e2(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    value_t sum = two_levels(grid_stride(in, n), s);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
    sync_grid();
    if (blockIdx.x > 0) return;
    sum = identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = two_levels(sum, s);
    if (threadIdx.x == 0) out[0] = sum;
}

// ---- E3: clusters, which need 9.0; their blocks combine through distributed shared memory -------------------------------
#if __CUDA_ARCH__ != 800
__global__ void e3(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, blocks = cluster.num_blocks(), clusters = gridDim.x / blocks;
    value_t sum = two_levels(grid_stride(in, n), s);
    if (t == 0) s[0] = sum;
    cluster.sync(); // each block's result is in its s[0]
    if (cluster.block_rank() == 0 && t < 32) sum = warp_down(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync(); // s[0] has been read, so the blocks may exit
    if (cluster.block_rank() != 0 || !last_of(blockIdx.x / blocks, clusters, sum, partial)) return;
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = two_levels(sum, s);
    if (t == 0) out[0] = sum, ticket = 0;
}
#endif

// ---- E4: data times ones, on tensor cores ----------------------------------------------------------------------------
#if REDUCE_OP == REDUCE_SUM && REDUCE_TYPE == REDUCE_F32
// Computes c += a * ones, where c has 16 rows of 8 columns. Each column receives the sums of a's rows. This lane
// supplies four words of a. Their positions in a do not affect the total. tf32 keeps 10 fraction bits.
static __device__ void add_rows(float c[4], vector x) {
    unsigned a[4], one = 0x3f800000;
    for (unsigned k = 0; k < 4; k++) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a[k]) : "f"(x.x[k]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(one));
}
__global__ void e4(const value_t *in, value_t *partial, value_t *out, unsigned n) { // `in` is aligned to 16 bytes
    extern __shared__ value_t s[];                                                  // M/32 values
    unsigned lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, vectors = n / WIDTH;
    const vector *body = (const vector *)in;
    float c[4] = {0, 0, 0, 0};
    vector a[LOADS];
    for (unsigned i = first; i - lane < vectors; i += LOADS * threads) { // whole warps iterate, because all lanes of a warp must multiply together
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            if (i + k * threads < vectors)
                a[k] = body[i + k * threads];
            else
                for (unsigned j = 0; j < WIDTH; j++) a[k].x[j] = 0;
        }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) add_rows(c, a[k]);
    }
    value_t sum = lane % 4 == 0 ? c[0] + c[2] : 0; // column 0: rows lane / 4 and lane / 4 + 8
    if (vectors * WIDTH + first < n) sum += in[vectors * WIDTH + first]; // elements after the last vector
    finish(two_levels(sum, s), s, partial, out);
}
#endif

// ---- E5: asynchronous copies into shared memory, several in flight --------------------------------------------------
enum { COPIERS = 256, STAGES = 4 }; // threads per block of E5; copies in flight, per thread (E5) or per block (E6)
static __device__ void start_copy(vector *to, const vector *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}
__global__ void e5(const value_t *in, value_t *partial, value_t *out, unsigned n) { // `in` is aligned to 16 bytes
    extern __shared__ value_t s[];                                                  // M/32 values
    __shared__ vector stage[STAGES][COPIERS];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, threads = gridDim.x * blockDim.x, vectors = n / WIDTH;
    const vector *body = (const vector *)in;
    value_t sum = vectors * WIDTH + i < n ? in[vectors * WIDTH + i] : identity(); // elements after the last vector
    for (unsigned k = 0; k < STAGES - 1; k++) {
        if (i + k * threads < vectors) start_copy(&stage[k][t], &body[i + k * threads]);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    for (unsigned k = 0; i < vectors; i += threads, k = (k + 1) % STAGES) {
        if (i + (STAGES - 1) * threads < vectors) start_copy(&stage[(k + STAGES - 1) % STAGES][t], &body[i + (STAGES - 1) * threads]);
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory"); // wait for the oldest copy
        for (unsigned j = 0; j < WIDTH; j++) sum = combine(sum, stage[k][t].x[j]);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    finish(two_levels(sum, s), s, partial, out);
}

// ---- E6: bulk copies, which need 9.0: one thread starts the copy of a tile; its bytes complete a barrier in shared memory ------
#if __CUDA_ARCH__ != 800
enum { TILE = 256 }; // vectors
static __device__ unsigned address_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ void start_tile(vector *to, const vector *from, unsigned vectors, unsigned long long *full) {
    unsigned bytes = vectors * sizeof(vector);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address_of(full)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address_of(to)), "l"(from),
                 "r"(bytes), "r"(address_of(full))
                 : "memory");
}
static __device__ void wait_for_tile(unsigned long long *full, unsigned parity) { // parity: number of earlier fills of the stage, modulo 2
    unsigned ended;
    do asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                    : "=r"(ended)
                    : "r"(address_of(full)), "r"(parity)
                    : "memory");
    while (!ended);
}
__global__ void e6(const value_t *in, value_t *partial, value_t *out, unsigned n) { // `in` is aligned to 16 bytes
    extern __shared__ value_t s[];                                                  // M/32 values
    __shared__ __align__(128) vector stage[STAGES][TILE];
    __shared__ unsigned long long full[STAGES];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, vectors = n / WIDTH, tiles = (vectors + TILE - 1) / TILE;
    const vector *body = (const vector *)in;
    value_t sum = vectors * WIDTH + i < n ? in[vectors * WIDTH + i] : identity(); // elements after the last vector
    if (t == 0) {
        for (unsigned k = 0; k < STAGES; k++) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address_of(&full[k])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); // make the barriers visible to the copies
        for (unsigned k = 0, tile = blockIdx.x; k < STAGES && tile < tiles; k++, tile += gridDim.x)
            start_tile(stage[k], &body[tile * TILE], min(TILE, vectors - tile * TILE), &full[k]);
    }
    __syncthreads(); // the barriers are initialized
    for (unsigned k = 0, tile = blockIdx.x; tile < tiles; k++, tile += gridDim.x) {
        unsigned now = k % STAGES, next = tile + STAGES * gridDim.x, size = min(TILE, vectors - tile * TILE);
        wait_for_tile(&full[now], k / STAGES % 2);
        for (unsigned v = t; v < size; v += blockDim.x)
            for (unsigned j = 0; j < WIDTH; j++) sum = combine(sum, stage[now][v].x[j]);
        __syncthreads(); // all threads have read this stage
        if (t == 0 && next < tiles) start_tile(stage[now], &body[next * TILE], min(TILE, vectors - next * TILE), &full[now]);
    }
    finish(two_levels(sum, s), s, partial, out);
}
#endif

// ---- E7: words of two 16-bit floats, which are added as 32-bit floats --------------------------------------------------------------
#if REDUCE_OP == REDUCE_SUM && REDUCE_TYPE == REDUCE_F32
struct __align__(16) words {
    unsigned x[4];
};
static __device__ float of_half(unsigned bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((unsigned short)bits));
    return x;
}
static __device__ float of_bf16(unsigned bits) { return __uint_as_float(bits << 16); } // the bits are a float's upper half
static __device__ float both_halves(unsigned word) { return of_half(word & 0xffff) + of_half(word >> 16); }
static __device__ float both_bf16(unsigned word) { return of_bf16(word & 0xffff) + __uint_as_float(word & 0xffff0000); }
// Reduces n words; `in` is aligned to 16 bytes.
template <float both(unsigned)> static __device__ void packed(const unsigned *in, value_t *s, value_t *partial, value_t *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, vectors = n / 4;
    const words *body = (const words *)in;
    value_t sum = 4 * vectors + i < n ? both(in[4 * vectors + i]) : 0; // words after the last vector
    words a[LOADS];
    for (; i < vectors; i += LOADS * threads) {
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) a[k] = i + k * threads < vectors ? body[i + k * threads] : words{{0, 0, 0, 0}};
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            for (unsigned j = 0; j < 4; j++) sum += both(a[k].x[j]);
    }
    finish(two_levels(sum, s), s, partial, out);
}
__global__ void e7(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    packed<both_halves>((const unsigned *)in, s, partial, out, n);
}
__global__ void e7_bf16(const value_t *in, value_t *partial, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    packed<both_bf16>((const unsigned *)in, s, partial, out, n);
}
#endif
