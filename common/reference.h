/* Computes on the host what kernels compute: operators, types, identities, and reductions from left to right. */
#ifndef COMMON_REFERENCE_H
#define COMMON_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The next four operate on structs, for some types only. Two of them do not commute: affine maps x -> a*x + b,
 * composed, and products of 2x2 matrices, both modulo 2^32, or modulo 2^16 and packed into one integer
 * (REDUCE_TYPE_U16), which one shuffle can move like a scalar. Argmin and argmax choose one of two pairs (value,
 * index): a NaN before any number, then by value, and among equal values the lower index. */
enum reduce_op {
    REDUCE_OP_SUM,
    REDUCE_OP_PRODUCT,
    REDUCE_OP_MIN,
    REDUCE_OP_MAX,
    REDUCE_OP_AFFINE,
    REDUCE_OP_MATRIX,
    REDUCE_OP_ARGMIN,
    REDUCE_OP_ARGMAX,
    REDUCE_OP_OWN, /* the student's own; only its size is known here */
    REDUCE_OP_COUNT
};
enum reduce_type {
    REDUCE_TYPE_I32,
    REDUCE_TYPE_U32,
    REDUCE_TYPE_I64,
    REDUCE_TYPE_F32,
    REDUCE_TYPE_F64,
    REDUCE_TYPE_COUNT,
    REDUCE_TYPE_U16 = REDUCE_TYPE_COUNT /* fields of a packed value; not a scalar type */
};

/* An operator on a type, as kernels are compiled; the numbers are those in common/reduce.h. */
struct variant {
    enum reduce_op op;
    enum reduce_type type;
    uint32_t bytes; /* for REDUCE_OP_OWN: the size of an element */
};
enum {
    SCALAR_VARIANTS = REDUCE_OP_AFFINE * REDUCE_TYPE_COUNT, /* the first variants are sum to max, on every type */
    STRUCT_VARIANTS = 11,
    VARIANT_COUNT = SCALAR_VARIANTS + STRUCT_VARIANTS,
    OWN_VARIANT = VARIANT_COUNT - 1
};
#define VARIANTS_SCALAR ((1u << SCALAR_VARIANTS) - 1) /* variants as bits, 1 << variant_index */
#define VARIANTS_IN_ORDER (3u << (OWN_VARIANT - 2))   /* affine_u16 and matrix_u16: scalars that do not commute */
#define VARIANTS_SUM_OF_FLOATS (1u << REDUCE_TYPE_F32)
#define VARIANTS_SUM ((1u << REDUCE_TYPE_COUNT) - 1) /* sum is the first operator */
struct variant variant_at(unsigned index);           /* 0 to VARIANT_COUNT - 1, ordered by operator, then type */
unsigned variant_index(struct variant v);
const char *variant_name(struct variant v);  /* "sum_i32" */
const char *variant_words(struct variant v); /* the type as a student writes it: "sum of long long" */
const char *variant_type(struct variant v);  /* "long long" */
bool variant_find(const char *name, size_t length, struct variant *v);
size_t variant_size(struct variant v); /* size of an element in bytes */
bool variant_is_float(struct variant v);
bool variant_is_struct(struct variant v); /* whether it has fields, in a struct or packed */
bool variant_is_own(struct variant v);
bool variant_commutes(struct variant v); /* whether combine(a, b) is combine(b, a) */

union value {
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    float f32;
    double f64;
    uint64_t bits;
    uint32_t word[4]; /* a map's a and b; a matrix row by row, 16 bits each if packed; a pair's value and index */
};

union value reference_identity(struct variant v);
union value reference_combine(struct variant v, union value a, union value b);
union value reference_pack(struct variant v, union value fields); /* makes a value from one word per field */
/* Copies one element. A copy of constant length compiles to no call, which matters: graders spend much of their time
 * here. */
static inline void reference_copy(void *to, const void *from, size_t size) {
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}
union value reference_load(struct variant v, const void *array, uint64_t index);
void reference_store(struct variant v, void *array, uint64_t index, union value x);
/* The result over n elements, from left to right; the identity for n = 0. Floating-point sums and products are
 * accumulated in long double and rounded once, so the error is at most one unit in the last place. */
union value reference_reduce(struct variant v, const void *array, uint64_t n);
/* to[k] = combine(a[k], b[k]) */
void reference_combine_each(struct variant v, union value *to, const union value *a, const union value *b, uint64_t n);
/* Runs DO(v). For a scalar, v is a constant, so that an inlined loop has few instructions per element. */
#define REFERENCE_ONE(op, type, DO)                                                                                    \
    case (op)*REDUCE_TYPE_COUNT + (type):                                                                              \
        DO(((struct variant){op, type, 0}));                                                                           \
        break;
#define REFERENCE_TYPES(op, DO)                                                                                        \
    REFERENCE_ONE(op, REDUCE_TYPE_I32, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_U32, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_I64, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_F32, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_F64, DO)
#define REFERENCE_BY_VARIANT(v, DO)                                                                                    \
    switch (variant_is_struct(v) ? SCALAR_VARIANTS : variant_index(v)) {                                               \
        REFERENCE_TYPES(REDUCE_OP_SUM, DO)                                                                             \
        REFERENCE_TYPES(REDUCE_OP_PRODUCT, DO)                                                                         \
        REFERENCE_TYPES(REDUCE_OP_MIN, DO)                                                                             \
        REFERENCE_TYPES(REDUCE_OP_MAX, DO)                                                                             \
    default: DO(v);                                                                                                    \
    }
bool reference_equal(struct variant v, union value a, union value b); /* -0 equals +0; NaN equals NaN */
/* Whether two results of an operator that does not commute can come from the same operands in different orders. The
 * order does not change the product of slopes of maps (word 0) and of determinants of matrices. */
bool reference_same_operands(struct variant v, union value a, union value b);
uint64_t reference_index(struct variant v, union value x); /* the index of a pair, which is as wide as its value */
double reference_double(struct variant v, union value x);  /* the value of a scalar, or of a pair */
/* Writes the value as text that parses back to the same value. Returns out. */
char *reference_print(struct variant v, union value x, char *out, size_t size);

/* An error bound for a floating-point sum of n terms if no term goes through more than `depth` additions: gamma(depth)
 * * sum|x| with gamma(k) = k*u / (1 - k*u), u the unit roundoff (Higham, "Accuracy and Stability of Numerical
 * Algorithms", 2nd ed., section 4.2). 0 for other operators and for integers. */
double tolerance_bound(struct variant v, const void *array, uint64_t n, uint64_t depth);

#endif
