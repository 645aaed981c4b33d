/* Defines the elements and the operator of a reduction:
 *
 * value_t         type of an element
 * combine(a, b)   the operator. It is associative; REDUCE_AFFINE and REDUCE_MATRIX do not commute. Integers wrap modulo 2^n
 * identity()      the value with combine(identity(), x) == x. Use it where there is no element
 *
 * If the hardware has an atomic for the operator and the type (sum, min and max of integers, sum of floats), REDUCE_HAS_ATOMIC is 1, and
 * there is also
 *
 * atomic_combine(address, x)   performs *address = combine(*address, x) atomically
 *
 * Otherwise REDUCE_HAS_ATOMIC is 0. The grader compiles reduce.cu once for each operator and type of the lab, which it passes as REDUCE_OP
 * and REDUCE_TYPE:
 *
 *     REDUCE_OP    REDUCE_SUM  REDUCE_PRODUCT  REDUCE_MIN  REDUCE_MAX
 *     REDUCE_TYPE  REDUCE_I32  REDUCE_U32      REDUCE_I64  REDUCE_F32  REDUCE_F64
 *
 * Labs that must keep operands in order are also compiled with two operators on structs of unsigned:
 *
 *     REDUCE_AFFINE  value_t is {a, b}, the map x -> a*x + b; combine(f, g) applies f first, then g
 *     REDUCE_MATRIX  value_t is {m[4]}, a 2x2 matrix in row-major order; combine(a, b) is the product a*b
 *
 * In most of these labs, REDUCE_TYPE is REDUCE_U16: the fields are computed modulo 2^16 and packed into one integer, which a shuffle can move
 * (unsigned for a map, unsigned long long for a matrix), with the first field in the lowest bits.
 *
 * The buffers that a kernel gets begin at multiples of 256 bytes, except for `in` in the bandwidth lab.
 *
 * In the argmax lab, you write combine yourself. REDUCE_TYPE is REDUCE_I32, REDUCE_F32 or REDUCE_F64:
 *
 *     REDUCE_ARGMIN, REDUCE_ARGMAX  value_t is {value, index}; before(x, y) is true if x is smaller (argmin) or larger (argmax) than y
 *
 * You can also grade a reduction with your own operator and type: see docs/own-operator.md.
 *
 * This file deliberately has no include guard: the grader includes it once per variant, each time in a different namespace. */
#undef REDUCE_SUM
#undef REDUCE_PRODUCT
#undef REDUCE_MIN
#undef REDUCE_MAX
#undef REDUCE_AFFINE
#undef REDUCE_MATRIX
#undef REDUCE_ARGMIN
#undef REDUCE_ARGMAX
#undef REDUCE_OWN
#undef REDUCE_IS_ARG
#undef REDUCE_I32
#undef REDUCE_U32
#undef REDUCE_I64
#undef REDUCE_F32
#undef REDUCE_F64
#undef REDUCE_U16
#undef REDUCE_HAS_ATOMIC
#define REDUCE_SUM 0
#define REDUCE_PRODUCT 1
#define REDUCE_MIN 2
#define REDUCE_MAX 3
#define REDUCE_AFFINE 4
#define REDUCE_MATRIX 5
#define REDUCE_ARGMIN 6
#define REDUCE_ARGMAX 7
#define REDUCE_OWN 8 // the file given with --op defines value_t, combine and identity
#define REDUCE_I32 0
#define REDUCE_U32 1
#define REDUCE_I64 2
#define REDUCE_F32 3
#define REDUCE_F64 4
#define REDUCE_U16 5 // for REDUCE_AFFINE and REDUCE_MATRIX only

#ifndef REDUCE_OP
#define REDUCE_OP REDUCE_SUM
#endif
#ifndef REDUCE_TYPE
#define REDUCE_TYPE REDUCE_F32
#endif

#if REDUCE_OP == REDUCE_OWN
#elif REDUCE_OP == REDUCE_AFFINE && REDUCE_TYPE == REDUCE_U16
typedef unsigned value_t;
#elif REDUCE_OP == REDUCE_MATRIX && REDUCE_TYPE == REDUCE_U16
typedef unsigned long long value_t;
#elif REDUCE_OP == REDUCE_AFFINE
struct __align__(8) value_t {
    unsigned a, b;
};
#elif REDUCE_OP == REDUCE_MATRIX
struct __align__(16) value_t {
    unsigned m[4];
};
#elif REDUCE_OP == REDUCE_ARGMIN || REDUCE_OP == REDUCE_ARGMAX
#if REDUCE_TYPE == REDUCE_I32
typedef int scalar_t;
typedef unsigned index_t;
#elif REDUCE_TYPE == REDUCE_F32
typedef float scalar_t;
typedef unsigned index_t;
#elif REDUCE_TYPE == REDUCE_F64
typedef double scalar_t;
typedef unsigned long long index_t; // as wide as the value, so that a pair has no padding
#else
#error "REDUCE_TYPE must be one of REDUCE_I32, REDUCE_F32, REDUCE_F64 for pairs"
#endif
struct __align__(8) value_t {
    scalar_t value;
    index_t index;
};
#elif REDUCE_TYPE == REDUCE_I32
typedef int value_t;
#elif REDUCE_TYPE == REDUCE_U32
typedef unsigned value_t;
#elif REDUCE_TYPE == REDUCE_I64
typedef long long value_t;
#elif REDUCE_TYPE == REDUCE_F32
typedef float value_t;
#elif REDUCE_TYPE == REDUCE_F64
typedef double value_t;
#else
#error "REDUCE_TYPE must be one of REDUCE_I32, REDUCE_U32, REDUCE_I64, REDUCE_F32, REDUCE_F64"
#endif

#define REDUCE_IS_ARG (REDUCE_OP == REDUCE_ARGMIN || REDUCE_OP == REDUCE_ARGMAX)
#if REDUCE_IS_ARG
static __device__ __forceinline__ bool before(scalar_t x, scalar_t y) { return REDUCE_OP == REDUCE_ARGMIN ? x < y : y < x; }
#elif REDUCE_OP != REDUCE_OWN
static __device__ __forceinline__ value_t combine(value_t a, value_t b) {
#if REDUCE_OP == REDUCE_SUM
#if REDUCE_TYPE == REDUCE_I32
    return (value_t)((unsigned)a + (unsigned)b);
#elif REDUCE_TYPE == REDUCE_I64
    return (value_t)((unsigned long long)a + (unsigned long long)b);
#else
    return a + b;
#endif
#elif REDUCE_OP == REDUCE_PRODUCT
#if REDUCE_TYPE == REDUCE_I32
    return (value_t)((unsigned)a * (unsigned)b);
#elif REDUCE_TYPE == REDUCE_I64
    return (value_t)((unsigned long long)a * (unsigned long long)b);
#else
    return a * b;
#endif
#elif REDUCE_OP == REDUCE_MIN
    return b < a ? b : a;
#elif REDUCE_OP == REDUCE_MAX
    return a < b ? b : a;
#elif REDUCE_OP == REDUCE_AFFINE && REDUCE_TYPE == REDUCE_U16
    return ((a & 0xffff) * (b & 0xffff) & 0xffff) | (((b & 0xffff) * (a >> 16) + (b >> 16)) << 16);
#elif REDUCE_OP == REDUCE_MATRIX && REDUCE_TYPE == REDUCE_U16
    unsigned a0 = (unsigned)a & 0xffff, a1 = (unsigned)a >> 16, a2 = (unsigned)(a >> 32) & 0xffff, a3 = (unsigned)(a >> 48);
    unsigned b0 = (unsigned)b & 0xffff, b1 = (unsigned)b >> 16, b2 = (unsigned)(b >> 32) & 0xffff, b3 = (unsigned)(b >> 48);
    unsigned above = ((a0 * b0 + a1 * b2) & 0xffff) | (a0 * b1 + a1 * b3) << 16, below = ((a2 * b0 + a3 * b2) & 0xffff) | (a2 * b1 + a3 * b3) << 16;
    return above | (value_t)below << 32;
#elif REDUCE_OP == REDUCE_AFFINE
    return {a.a * b.a, b.a * a.b + b.b};
#elif REDUCE_OP == REDUCE_MATRIX
    return {{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3], //
             a.m[2] * b.m[0] + a.m[3] * b.m[2], a.m[2] * b.m[1] + a.m[3] * b.m[3]}};
#else
#error "REDUCE_OP must be one of REDUCE_SUM, REDUCE_PRODUCT, REDUCE_MIN, REDUCE_MAX, REDUCE_AFFINE, REDUCE_MATRIX"
#endif
}
#endif

#if REDUCE_OP != REDUCE_OWN
static __device__ __forceinline__ value_t identity() {
#if REDUCE_OP == REDUCE_SUM
    return 0;
#elif REDUCE_OP == REDUCE_PRODUCT
    return 1;
#elif REDUCE_OP == REDUCE_AFFINE && REDUCE_TYPE == REDUCE_U16
    return 1;
#elif REDUCE_OP == REDUCE_MATRIX && REDUCE_TYPE == REDUCE_U16
    return 1 | 1ull << 48;
#elif REDUCE_OP == REDUCE_AFFINE
    return {1, 0};
#elif REDUCE_OP == REDUCE_MATRIX
    return {{1, 0, 0, 1}};
#elif REDUCE_IS_ARG && REDUCE_TYPE == REDUCE_I32
    return {REDUCE_OP == REDUCE_ARGMIN ? 0x7fffffff : -0x7fffffff - 1, ~(index_t)0};
#elif REDUCE_IS_ARG
    return {(scalar_t)(REDUCE_OP == REDUCE_ARGMIN ? __builtin_huge_val() : -__builtin_huge_val()), ~(index_t)0};
#elif REDUCE_TYPE == REDUCE_I32
    return REDUCE_OP == REDUCE_MIN ? 0x7fffffff : -0x7fffffff - 1;
#elif REDUCE_TYPE == REDUCE_U32
    return REDUCE_OP == REDUCE_MIN ? 0xffffffffu : 0u;
#elif REDUCE_TYPE == REDUCE_I64
    return REDUCE_OP == REDUCE_MIN ? 0x7fffffffffffffffll : -0x7fffffffffffffffll - 1;
#elif REDUCE_TYPE == REDUCE_F32
    return REDUCE_OP == REDUCE_MIN ? __builtin_huge_valf() : -__builtin_huge_valf();
#else
    return REDUCE_OP == REDUCE_MIN ? __builtin_huge_val() : -__builtin_huge_val();
#endif
}
#endif

#if REDUCE_OP == REDUCE_SUM || ((REDUCE_OP == REDUCE_MIN || REDUCE_OP == REDUCE_MAX) && REDUCE_TYPE <= REDUCE_I64)
#define REDUCE_HAS_ATOMIC 1
static __device__ __forceinline__ void atomic_combine(value_t *address, value_t x) {
#if REDUCE_OP == REDUCE_MIN
    atomicMin(address, x);
#elif REDUCE_OP == REDUCE_MAX
    atomicMax(address, x);
#elif REDUCE_TYPE == REDUCE_I64
    atomicAdd((unsigned long long *)address, (unsigned long long)x); // atomicAdd has no long long overload; the unsigned sum has the same bits
#else
    atomicAdd(address, x);
#endif
}
#else
#define REDUCE_HAS_ATOMIC 0
#endif
