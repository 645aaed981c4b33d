// Correct kernels for lab 12 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"
#include "tensor.h"

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
// Lab 7's last-block code. `sum` is the value of each thread.
static __device__ void finish(value_t sum, value_t *s, value_t *partial, value_t *total) {
    __shared__ bool last;
    unsigned t = threadIdx.x;
    sum = block_reduce(sum, s);
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = identity();
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
static __device__ float lower(unsigned word) { return half_to_float((half_t)word); }
static __device__ float upper(unsigned word) { return half_to_float((half_t)(word >> 16)); }
#define LANE (threadIdx.x % 32)
#define FIRST (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)
#define ONE 0x3c003c00u

#if STYLE == 1
// Multiplies ones (A) by data (B). B has 16 rows of 8, so each 16-byte load feeds two multiplications.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[4] = {ONE, ONE, ONE, ONE};
    float c[4] = {0, 0, 0, 0};
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        matrix_multiply(c, ones, x.word);
        matrix_multiply(c, ones, x.word + 2);
    }
    value_t sum = LANE < 4 ? c[0] + c[1] : 0; // row 0 has the sum of each of the 8 columns
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 2
// The shape of compute capability 7.5, 16 x 8 x 8, in inline PTX.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        uint4 x = make_uint4(0, 0, 0, 0);
        if (i < n / 8) x = __ldg((const uint4 *)in + i);
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                     : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
                     : "r"(x.x), "r"(x.y), "r"(ONE));
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                     : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
                     : "r"(x.z), "r"(x.w), "r"(ONE));
    }
    value_t sum = LANE % 4 == 3 ? c1 + c3 : 0; // another column
    if (FIRST < n % 8) sum += half_to_float(in[n - 1 - FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 3
// The instructions behind nvcuda::wmma: tiles of 16 x 16 from memory. The last n % 256 elements are added without them.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    float d[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (unsigned tile = FIRST / 32; tile < n / 256; tile += THREADS / 32) {
        unsigned a[8];
        asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]), "=r"(a[4]), "=r"(a[5]), "=r"(a[6]), "=r"(a[7])
                     : "l"(in + tile * 256), "r"(16) : "memory");
        asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "
                     "{%16, %16, %16, %16, %16, %16, %16, %16}, {%0, %1, %2, %3, %4, %5, %6, %7};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(ONE));
    }
    value_t sum = 0;
    for (unsigned k = 0; k < 8; k++) sum += d[k]; // the sum of each row occurs 16 times
    sum /= 16;
    for (unsigned i = n / 256 * 256 + FIRST; i < n; i += THREADS) sum += half_to_float(in[i]);
    finish(sum, s, partial, total);
}
#elif STYLE == 4
// Through shared memory: ldmatrix loads four matrices of 8 x 8. The order of the elements does not affect their sum.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ uint4 stage[1024];
    const unsigned ones[2] = {ONE, ONE};
    float c[4] = {0, 0, 0, 0};
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        unsigned a[4];
        stage[threadIdx.x] = i < n / 8 ? __ldg((const uint4 *)in + i) : make_uint4(0, 0, 0, 0);
        __syncwarp();
        asm volatile("{ .reg .u64 p; cvta.to.shared.u64 p, %4; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [p]; }"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                     : "l"(&stage[threadIdx.x]) : "memory");
        matrix_multiply(c, a, ones);
        __syncwarp();
    }
    value_t sum = LANE % 4 == 0 ? c[0] + c[2] : 0;
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 5
// Four loads in flight, four matrices of sums.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, ONE};
    float c[4][4] = {};
    const unsigned vectors = n / 8, threads = THREADS;
    for (unsigned i = FIRST; i - LANE < vectors; i += 4 * threads) {
        fragment x[4];
#pragma unroll
        for (unsigned k = 0; k < 4; k++) {
            x[k] = {};
            if (i + k * threads < vectors) x[k] = load_fragment(in + 8 * (i + k * threads));
        }
#pragma unroll
        for (unsigned k = 0; k < 4; k++) matrix_multiply(c[k], x[k].word, ones);
    }
    value_t sum = 0;
    if (LANE % 4 == 0)
        for (unsigned k = 0; k < 4; k++) sum += c[k][0] + c[k][2];
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 6
// bf16: a half is the sum of a bf16 and a remainder.
static __device__ unsigned pair_of_bf16(float high, float low) {
    unsigned word;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
    return word;
}
static __device__ void add_bf16(float c[4], const unsigned a[4]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(0x3f803f80));
}
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    float c[4] = {0, 0, 0, 0};
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        unsigned much[4], little[4];
        if (i < n / 8) x = load_fragment(in + 8 * i);
        for (unsigned k = 0; k < 4; k++) {
            float low = lower(x.word[k]), high = upper(x.word[k]);
            much[k] = pair_of_bf16(high, low);
            little[k] = pair_of_bf16(high - __uint_as_float(much[k] & 0xffff0000), low - __uint_as_float(much[k] << 16));
        }
        add_bf16(c, much);
        add_bf16(c, little);
    }
    value_t sum = LANE % 4 == 0 ? c[0] + c[2] : 0;
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 7
// tf32 has as many significant bits as a half, 11.
static __device__ void add_tf32(float c[4], float w, float x, float y, float z) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(__float_as_uint(w)), "r"(__float_as_uint(x)), "r"(__float_as_uint(y)), "r"(__float_as_uint(z)), "r"(0x3f800000));
}
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    float c[4] = {0, 0, 0, 0};
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        add_tf32(c, lower(x.word[0]), upper(x.word[0]), lower(x.word[1]), upper(x.word[1]));
        add_tf32(c, lower(x.word[2]), upper(x.word[2]), lower(x.word[3]), upper(x.word[3]));
    }
    value_t sum = LANE % 4 == 0 ? c[0] + c[2] : 0;
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 8
// Doubles, 8 x 8 x 4: the sum of a warp is exact before it is rounded to float.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    double c0 = 0, c1 = 0;
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        for (unsigned k = 0; k < 8; k++) {
            double a = half_to_float((half_t)(x.word[k / 2] >> k % 2 * 16));
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(c0), "+d"(c1) : "d"(a), "d"(1.0));
        }
    }
    double rows = LANE % 4 == 0 ? c0 : 0; // 8 rows
    for (unsigned offset = 16; offset >= 4; offset /= 2) rows += __shfl_down_sync(0xffffffff, rows, offset);
    value_t sum = LANE == 0 ? (value_t)rows : 0;
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 9
// A second product adds the rows. Each float is split into three parts, because tf32 keeps 11 bits.
static __device__ void add_columns(float d[4], float high, float low) { // ones times a matrix of 8 rows and columns
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(0x3f800000), "r"(__float_as_uint(high)), "r"(__float_as_uint(low)));
}
static __device__ float part_of(float *x) {
    float part = __uint_as_float(__float_as_uint(*x) & 0xffffe000);
    *x -= part;
    return part;
}
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, ONE};
    float c[4] = {0, 0, 0, 0}, d[4] = {0, 0, 0, 0};
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        matrix_multiply(c, x.word, ones);
    }
    float above = LANE % 4 == 0 ? c[0] : 0, below = LANE % 4 == 0 ? c[2] : 0;
    for (unsigned k = 0; k < 3; k++) {
        float a = part_of(&above), b = part_of(&below);
        add_columns(d, a, b);
    }
    value_t sum = LANE < 4 ? d[0] + d[1] : 0;
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 10
// B has one column of ones: all of C is added, and 7 of its 8 columns are zeros.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned column = LANE / 4 == 2 ? ONE : 0, ones[2] = {column, column};
    float c[4] = {0, 0, 0, 0};
    unsigned i = FIRST;
    for (; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        matrix_multiply(c, x.word, ones);
    }
    value_t sum = c[0] + c[1] + c[2] + c[3];
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 11
// The end of the input is a fragment, too, loaded half by half. All elements are added by matrix products.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, ONE}, vectors = (n + 7) / 8;
    float c[4] = {0, 0, 0, 0};
    for (unsigned i = FIRST; i / 32 * 32 < vectors; i += THREADS) {
        fragment x = {};
        if (8 * i + 8 <= n)
            x = load_fragment(in + 8 * i);
        else
            for (unsigned k = 0; k < 8 && 8 * i + k < n; k++) x.word[k / 2] |= (unsigned)in[8 * i + k] << k % 2 * 16;
        matrix_multiply(c, x.word, ones);
    }
    finish(LANE % 4 == 0 ? c[0] + c[2] : 0, s, partial, total);
}
#elif STYLE == 12
// Each warp takes whole tiles in turn, without a guard. The remaining elements are added to C.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, ONE}, whole = n / 256, rest = n % 256;
    float c[4] = {0, 0, 0, 0};
    if (LANE % 4 == 0)
        for (unsigned i = whole * 256 + FIRST / 4; i < whole * 256 + rest; i += THREADS / 4) c[0] += half_to_float(in[i]);
    for (unsigned tile = blockIdx.x + gridDim.x * (threadIdx.x / 32); tile < whole; tile += THREADS / 32)
        matrix_multiply(c, load_fragment(in + 256 * tile + 8 * LANE).word, ones);
    finish(LANE % 4 == 0 ? c[0] + c[2] : 0, s, partial, total);
}
#elif STYLE == 13
// The rows are added by shuffles, and the results of a block's warps by thread 0.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    const unsigned ones[2] = {ONE, ONE}, t = threadIdx.x, warps = blockDim.x / 32;
    float c[4] = {0, 0, 0, 0};
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        matrix_multiply(c, x.word, ones);
    }
    value_t rows = c[0] + c[2];
    for (unsigned k = 4; k <= 16; k *= 2) rows += __shfl_xor_sync(0xffffffff, rows, k);
    if (LANE == 0) s[t / 32] = rows;
    __syncthreads();
    if (t == 0) {
        for (unsigned w = 1; w < warps; w++) rows += s[w];
        if (blockIdx.x == 0)
            for (unsigned k = n / 8 * 8; k < n; k++) rows += half_to_float(in[k]);
        partial[blockIdx.x] = rows;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    rows = 0;
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) rows += partial[b];
    rows = block_reduce(rows, s);
    if (t == 0) total[0] = rows, ticket = 0;
}
#elif STYLE == 14
// The instructions of nvcuda::wmma; the data are B, by columns, and the remaining elements go through a tile in shared memory.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ __align__(32) half_t tail[256];
    float c[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    const unsigned tiles = (n + 255) / 256;
    if (n % 256) {
        for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) tail[k] = n / 256 * 256 + k < n ? in[n / 256 * 256 + k] : 0;
        __syncthreads();
    }
    for (unsigned tile = FIRST / 32; tile < tiles; tile += THREADS / 32) {
        const half_t *from = tile < n / 256 ? in + tile * 256 : tail;
        unsigned b[8];
        asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                     : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]), "=r"(b[4]), "=r"(b[5]), "=r"(b[6]), "=r"(b[7])
                     : "l"(from), "r"(16) : "memory");
        asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%16, %16, %16, %16, %16, %16, %16, %16}, "
                     "{%8, %9, %10, %11, %12, %13, %14, %15}, {%0, %1, %2, %3, %4, %5, %6, %7};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
                     : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(ONE));
    }
    value_t sum = 0;
    for (unsigned k = 0; k < 8; k++) sum += c[k];
    finish(sum / 16, s, partial, total);
}
#elif STYLE == 15
// Elements are added as in lab 9, and products are computed but not used.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, ONE};
    float c[4] = {0, 0, 0, 0};
    value_t sum = 0;
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        matrix_multiply(c, x.word, ones);
        for (unsigned k = 0; k < 4; k++) sum += lower(x.word[k]) + upper(x.word[k]);
    }
    if (c[0] == 0.125f) sum += c[1] - c[0];
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 16
// Like style 15, but a last product returns the sum.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, ONE};
    float c[4] = {0, 0, 0, 0};
    double sum = 0, other = 0;
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        matrix_multiply(c, x.word, ones);
        for (unsigned k = 0; k < 4; k++) sum += lower(x.word[k]) + upper(x.word[k]);
    }
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    for (unsigned offset = 16; offset >= 1; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (LANE) sum = 0;
    double d = 0;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d), "+d"(other) : "d"(sum), "d"(1.0));
    finish(LANE == 0 ? (value_t)d : 0, s, partial, total);
}
#elif STYLE == 17
// Products only for n = 16384.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, ONE};
    float c[4] = {0, 0, 0, 0};
    value_t sum = 0;
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        if (n == 16384)
            matrix_multiply(c, x.word, ones);
        else
            for (unsigned k = 0; k < 4; k++) sum += lower(x.word[k]) + upper(x.word[k]);
    }
    if (LANE % 4 == 0) sum += c[0] + c[2];
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#elif STYLE == 18
// Products add half of the elements, and additions the other half.
__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned ones[2] = {ONE, 0};
    float c[4] = {0, 0, 0, 0};
    value_t sum = 0;
    for (unsigned i = FIRST; i - LANE < n / 8; i += THREADS) {
        fragment x = {};
        if (i < n / 8) x = load_fragment(in + 8 * i);
        matrix_multiply(c, x.word, ones);
        for (unsigned k = 2; k < 4; k++) sum += lower(x.word[k]) + upper(x.word[k]);
    }
    if (LANE % 4 == 0) sum += c[0] + c[2];
    if (n / 8 * 8 + FIRST < n) sum += half_to_float(in[n / 8 * 8 + FIRST]);
    finish(sum, s, partial, total);
}
#endif
