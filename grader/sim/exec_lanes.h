/* Defines handlers for each LANE row of ops.def and each of its types: a loop over 32 lanes that computes the row's
 * expression. Included by exec.c. The rows of two operands are identical or disjoint, which permits ivdep. A full warp
 * uses a loop without a mask. */
#define OVER_LANES(mask, statement, masked)                                                                            \
    if ((mask) == SIM_FULL) {                                                                                          \
        _Pragma("GCC ivdep") for (int l = 0; l < SIM_WARP; l++) { statement; }                                         \
    } else {                                                                                                           \
        _Pragma("GCC ivdep") for (int l = 0; l < SIM_WARP; l++) { masked; }                                            \
    }
#define ON(mask) ((mask) >> l & 1)

/* D: C type of the destination. TA: C type of a source row. IN, OUT: conversion of a source and of the result, either
 * AS_IS or a flush to zero. */
#define HANDLER(name, CT, UT, WT, D, TA, IN, OUT, LOADS, expr)                                                         \
    static void name(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                                    \
        typedef CT T;                                                                                                  \
        typedef UT U;                                                                                                  \
        typedef WT W;                                                                                                  \
        typedef TA R;                                                                                                  \
        D *d = sim_row(w, i->d);                                                                                       \
        const TA *row_a = sim_row(w, i->a);                                                                            \
        const void *row_b = sim_row(w, i->b), *row_c = sim_row(w, i->c), *row_e = sim_row(w, i->e);                    \
        (void)row_b, (void)row_c, (void)row_e;                                                                         \
        OVER_LANES(mask, LOADS(IN, T, W) d[l] = (D)OUT(expr), LOADS(IN, T, W) d[l] = ON(mask) ? (D)OUT(expr) : d[l])   \
    }
#define AS_IS(x) (x)
/* For f32, a GPU returns the canonical NaN 0x7fffffff, but the host returns an operand's NaN. */
#define RESULT(x) _Generic((x), float : the_nan(x), default : (x))
#define FLUSHED_RESULT(x) RESULT(ftz_(x))

#define READ_A(IN, T) const T a = IN(row_a[l]);
#define READ(IN, T, x) const T x = IN(((const R *)row_##x)[l]);
#define READ32(x) const uint32_t x = ((const uint32_t *)row_##x)[l];
#define READ_WIDE(W, x) const W x = ((const W *)row_##x)[l];
#define LOADS_D_A(IN, T, W) READ_A(IN, T)
#define LOADS_D_A_B(IN, T, W) READ_A(IN, T) READ(IN, T, b)
#define LOADS_D_A_B_C(IN, T, W) READ_A(IN, T) READ(IN, T, b) READ(IN, T, c)
#define LOADS_D_A_U(IN, T, W) READ_A(IN, T) READ32(b)
#define LOADS_D_A_U_U(IN, T, W) READ_A(IN, T) READ32(b) READ32(c)
#define LOADS_D_A_B_U(IN, T, W) READ_A(IN, T) READ(IN, T, b) READ32(c)
#define LOADS_D_A_B_U_U(IN, T, W) READ_A(IN, T) READ(IN, T, b) READ32(c) READ32(e)
#define LOADS_W_A_B(IN, T, W) READ_A(IN, T) READ(IN, T, b)
#define LOADS_W_A_B_C(IN, T, W) READ_A(IN, T) READ(IN, T, b) READ_WIDE(W, c)
#define LOADS_V_A(IN, T, W) READ_A(IN, T)

/* Destination type of a shape. Only wide shapes use W_type, which other types lack. */
#define DEST_D(type) C_##type
#define DEST_W(type) W_##type
#define DEST_V(type) uint32_t
#define WIDE_D(type) C_##type
#define WIDE_W(type) W_##type
#define WIDE_V(type) C_##type

#define MAKE(type, id, KIND, LOADS, expr) MAKE_OUT(type, id, KIND, LOADS, RESULT, expr)
#define MAKE_OUT(type, id, KIND, LOADS, OUT, expr)                                                                     \
    HANDLER(lane_##id##_##type, C_##type, U_##type, WIDE_##KIND(type), DEST_##KIND(type), C_##type, AS_IS, OUT, LOADS, \
            expr)                                                                                                      \
    MAKE_FTZ_##type(id, LOADS, expr)
/* Handlers for float types come in two versions. The second one flushes subnormal numbers to zero. */
#define MAKE_FTZ_F32(id, LOADS, expr)                                                                                  \
    HANDLER(lane_##id##_F32_ftz, float, uint32_t, float, float, float, ftz_, FLUSHED_RESULT, LOADS, expr)
#define FTZ_NAME_F32(id) lane_##id##_F32_ftz
/* The only f64 instructions with .ftz are approximations. They use the upper words of operand and result. */
#define MAKE_FTZ_F64(id, LOADS, expr)                                                                                  \
    HANDLER(lane_##id##_F64_ftz, double, uint64_t, double, double, double, upper_word, upper_result, LOADS, expr)
#define FTZ_NAME_F64(id) lane_##id##_F64_ftz
#define NO_FTZ(...)
#define MAKE_FTZ_U16 NO_FTZ
#define MAKE_FTZ_S16 NO_FTZ
#define MAKE_FTZ_U32 NO_FTZ
#define MAKE_FTZ_S32 NO_FTZ
#define MAKE_FTZ_U64 NO_FTZ
#define MAKE_FTZ_S64 NO_FTZ
#define MAKE_FTZ_B16 NO_FTZ
#define MAKE_FTZ_B32 NO_FTZ
#define MAKE_FTZ_B64 NO_FTZ
#define NO_HANDLER(id) 0
#define FTZ_NAME_U16 NO_HANDLER
#define FTZ_NAME_S16 NO_HANDLER
#define FTZ_NAME_U32 NO_HANDLER
#define FTZ_NAME_S32 NO_HANDLER
#define FTZ_NAME_U64 NO_HANDLER
#define FTZ_NAME_S64 NO_HANDLER
#define FTZ_NAME_B16 NO_HANDLER
#define FTZ_NAME_B32 NO_HANDLER
#define FTZ_NAME_B64 NO_HANDLER

#define MAKE_D_A(type, id, expr) MAKE(type, id, D, LOADS_D_A, expr)
#define MAKE_D_A_B(type, id, expr) MAKE(type, id, D, LOADS_D_A_B, expr)
#define MAKE_COPY(type, id, expr) MAKE_OUT(type, id, D, LOADS_D_A_B, AS_IS, expr)
#define MAKE_D_A_B_C(type, id, expr) MAKE(type, id, D, LOADS_D_A_B_C, expr)
#define MAKE_D_A_U(type, id, expr) MAKE(type, id, D, LOADS_D_A_U, expr)
#define MAKE_D_A_U_U(type, id, expr) MAKE(type, id, D, LOADS_D_A_U_U, expr)
#define MAKE_D_A_B_U(type, id, expr) MAKE(type, id, D, LOADS_D_A_B_U, expr)
#define MAKE_D_A_B_U_U(type, id, expr) MAKE(type, id, D, LOADS_D_A_B_U_U, expr)
#define MAKE_W_A_B(type, id, expr) MAKE(type, id, W, LOADS_W_A_B, expr)
#define MAKE_W_A_B_C(type, id, expr) MAKE(type, id, W, LOADS_W_A_B_C, expr)
#define MAKE_V_A(type, id, expr) MAKE(type, id, V, LOADS_V_A, expr)

/* Handlers for packed pairs of 16-bit integers. */
#define MAKE_P_A_B(type, id, expr) PAIR_HANDLER(lane_##id##_##type, P_##type, expr)
#define P_U16X2 uint16_t
#define P_S16X2 int16_t
#define FTZ_NAME_U16X2 NO_HANDLER
#define FTZ_NAME_S16X2 NO_HANDLER
#define PAIR_HANDLER(name, CT, expr)                                                                                   \
    static void name(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                                    \
        typedef CT T;                                                                                                  \
        T *d = sim_row(w, i->d);                                                                                       \
        const T *row_a = sim_row(w, i->a), *row_b = sim_row(w, i->b);                                                  \
        for (int l = 0; l < 2 * SIM_WARP; l++) {                                                                       \
            const T a = row_a[l], b = row_b[l];                                                                        \
            d[l] = mask >> l / 2 & 1 ? (expr) : d[l];                                                                  \
        }                                                                                                              \
    }
/* Handlers for 16-bit floats, one or two per lane, which are computed as doubles. gcc optimizes them little: they are
 * rare, and full optimization would take half of the file's compile time. */
#ifdef __clang__
#define SCALAR
#else
#define SCALAR __attribute__((optimize("O1", "no-tree-vectorize")))
#endif
#define HALF_HANDLER(name, A_LANE, IN, OUT, LOADS, expr)                                                               \
    SCALAR static void name(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                             \
        typedef double T;                                                                                              \
        typedef uint16_t R;                                                                                            \
        R *d = sim_row(w, i->d);                                                                                       \
        const R *row_a = sim_row(w, i->a);                                                                             \
        const void *row_b = sim_row(w, i->b), *row_c = sim_row(w, i->c);                                               \
        (void)row_b, (void)row_c;                                                                                      \
        for (int l = 0; l < SIM_WARP * A_LANE; l++) {                                                                  \
            LOADS(IN, T, T)                                                                                            \
            const R out = OUT(expr);                                                                                   \
            d[l] = mask >> l / A_LANE & 1 ? out : d[l];                                                                \
        }                                                                                                              \
    }
#define MAKE_HALF(type, id, LOADS, expr)                                                                               \
    HALF_HANDLER(lane_##id##_##type, A_LANE_##type, widened_##type, narrowed_##type, LOADS, expr)                      \
    HALF_HANDLER(lane_##id##_##type##_ftz, A_LANE_##type, ftz_widened_##type, ftz_narrowed_##type, LOADS, expr)
#define FTZ_NAME_F16(id) lane_##id##_F16_ftz
#define FTZ_NAME_BF16(id) lane_##id##_BF16_ftz
#define FTZ_NAME_F16X2(id) lane_##id##_F16X2_ftz
#define FTZ_NAME_BF16X2(id) lane_##id##_BF16X2_ftz
#define MAKE_H_A(type, id, expr) MAKE_HALF(type, id, LOADS_D_A, expr)
#define MAKE_H_A_B(type, id, expr) MAKE_HALF(type, id, LOADS_D_A_B, expr)
#define MAKE_H_A_B_C(type, id, expr) MAKE_HALF(type, id, LOADS_D_A_B_C, expr)

#define LANE(id, mnemonic, shape, types, allow, expr, summary, ...) EACH_##types(MAKE_##shape, id, expr)
#include "ptx/ops.def"

/* Differences of a product and a third operand, in either order. ptx_contract() turns them into fused multiply-adds. */
EACH_FLT(MAKE_D_A_B_C, minus_product, fused(negated(a), b, c))
EACH_FLT(MAKE_D_A_B_C, product_minus, fused(a, b, negated(c)))
EACH_HALF(MAKE_H_A_B_C, minus_product, fused_to_odd(-(a), b, c))
EACH_HALF(MAKE_H_A_B_C, product_minus, fused_to_odd(a, b, -(c)))
