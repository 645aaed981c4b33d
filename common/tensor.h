/* Tensor cores, which need compute capability 8.0: one instruction by which the 32 lanes of a warp multiply two matrices. CUDA's <mma.h> and
 * <cuda_fp16.h> have the same for nvcc alone; every compiler of the labs takes this file.
 *
 * half_t                     the 16 bits of a half: 1 bit of sign, 5 of exponent, 10 of fraction
 * half_to_float(h)           its value
 * float_to_half(x)           the half nearest to x, which keeps 11 significant bits; from 65520 on it is infinite
 * pack_halves(low, high)     a word of two halves, the low one first
 * load_fragment(p)           a lane's fragment of A, in .word: the 8 halves from p on, a multiple of 16 bytes, by one load
 * matrix_multiply(c, a, b)   C = A * B + C: A has 16 rows of 16 halves, B 16 rows of 8 halves, C 16 rows of 8 floats. All 32 lanes of the warp call it
 *                            together, each with its fragments of A, B and C. Lane l has, for g = l / 4 and t = l % 4,
 *
 *     a[0]  row g,     columns 2t, 2t + 1        b[0]  rows 2t, 2t + 1, column g          c[0], c[1]  row g,     columns 2t, 2t + 1
 *     a[1]  row g + 8, columns 2t, 2t + 1        b[1]  rows 2t + 8, 2t + 9, column g      c[2], c[3]  row g + 8, columns 2t, 2t + 1
 *     a[2]  row g,     columns 2t + 8, 2t + 9
 *     a[3]  row g + 8, columns 2t + 8, 2t + 9
 *
 * This file has no include guard on purpose: the grader includes it once for each variant, each time in a namespace of its own. */
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
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#undef TENSOR_FN_
