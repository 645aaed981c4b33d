/* Tensor cores, which need compute capability 8.0 or later: the 32 lanes of a warp multiply two matrices with one
 * instruction. CUDA's <mma.h> and <cuda_fp16.h> offer similar functions, but not with every compiler that the labs
 * support.
 *
 * half_t                     the bits of a half-precision number: 1 sign bit, 5 exponent bits, 10 fraction bits
 * half_to_float(h)           returns the value of h
 * float_to_half(x)           returns the half nearest to x; infinity if |x| is at least 65520
 * pack_halves(low, high)     returns a word with `low` in its lower 16 bits and `high` in its upper 16 bits
 * load_fragment(p)           loads the 8 halves at p, which must be aligned to 16 bytes, with one instruction and
 *                            returns them as a lane's fragment of A, in .word
 * matrix_multiply(c, a, b)   computes C = A * B + C for A with 16 rows of 16 halves, B with 16 rows of 8 halves and C
 *                            with 16 rows of 8 floats. All 32 lanes of the warp must call it together, each with its
 *                            fragments of A, B and C.
 *
 * For g = l / 4 and t = l % 4, lane l holds
 *
 *     a[0]         row g,     columns 2t, 2t + 1
 *     a[1]         row g + 8, columns 2t, 2t + 1
 *     a[2]         row g,     columns 2t + 8, 2t + 9
 *     a[3]         row g + 8, columns 2t + 8, 2t + 9
 *     b[0]         rows 2t, 2t + 1,     column g
 *     b[1]         rows 2t + 8, 2t + 9, column g
 *     c[0], c[1]   row g,     columns 2t, 2t + 1
 *     c[2], c[3]   row g + 8, columns 2t, 2t + 1
 *
 * This file deliberately has no include guard: the grader includes it once per variant, each time in a different
 * namespace. */
#define TENSOR_FN_ static __device__ __forceinline__
typedef unsigned short half_t;
TENSOR_FN_ float half_to_float(half_t h) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}
TENSOR_FN_ half_t float_to_half(float x) {
    half_t h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}
TENSOR_FN_ unsigned pack_halves(half_t low, half_t high) { return low | (unsigned)high << 16; }
struct fragment {
    unsigned word[4];
};
TENSOR_FN_ fragment load_fragment(const half_t *p) {
    const uint4 x = __ldg((const uint4 *)p);
    return {{x.x, x.y, x.z, x.w}};
}
TENSOR_FN_ void matrix_multiply(float c[4], const unsigned a[4], const unsigned b[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, "
                 "%1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#undef TENSOR_FN_
