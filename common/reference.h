/* What the kernels compute, computed on the host: operators, types, identities, and reductions left to right. */
#ifndef COMMON_REFERENCE_H
#define COMMON_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The four after them are on structs, for some types only. Of two of them the order of operands counts: affine maps
 * x -> a*x + b, done one after the other, and products of 2x2 matrices, both modulo 2^32, or modulo 2^16 and packed
 * into one integer (REDUCE_TYPE_U16): they go through a shuffle like a scalar. Argmin and argmax choose one of two
 * pairs (value, index): a NaN before any number, then by value, of equal ones the lower index. */
enum reduce_op {
    REDUCE_OP_SUM,
    REDUCE_OP_PRODUCT,
    REDUCE_OP_MIN,
    REDUCE_OP_MAX,
    REDUCE_OP_AFFINE,
    REDUCE_OP_MATRIX,
    REDUCE_OP_ARGMIN,
    REDUCE_OP_ARGMAX,
    REDUCE_OP_OWN, /* the student's own: nothing of it is known here but its size */
    REDUCE_OP_COUNT
};
enum reduce_type {
    REDUCE_TYPE_I32,
    REDUCE_TYPE_U32,
    REDUCE_TYPE_I64,
    REDUCE_TYPE_F32,
    REDUCE_TYPE_F64,
    REDUCE_TYPE_COUNT,
    REDUCE_TYPE_U16 = REDUCE_TYPE_COUNT /* fields of a packed value: no scalar is of it */
};

/* An operator on a type, as the kernels are compiled for it; numbers as in common/reduce.h. */
struct variant {
    enum reduce_op op;
    enum reduce_type type;
    uint32_t bytes; /* REDUCE_OP_OWN: of an element */
};
enum {
    SCALAR_VARIANTS = REDUCE_OP_AFFINE * REDUCE_TYPE_COUNT, /* the first ones: sum to max on every type */
    STRUCT_VARIANTS = 11,
    VARIANT_COUNT = SCALAR_VARIANTS + STRUCT_VARIANTS,
    OWN_VARIANT = VARIANT_COUNT - 1
};
#define VARIANTS_SCALAR ((1u << SCALAR_VARIANTS) - 1) /* as bits (1 << variant_index) */
#define VARIANTS_IN_ORDER (3u << (OWN_VARIANT - 2))   /* affine_u16 and matrix_u16: scalars that do not commute */
#define VARIANTS_SUM ((1u << REDUCE_TYPE_COUNT) - 1)  /* the operator comes first in the index, and sum first of all */
struct variant variant_at(unsigned index);            /* 0 .. VARIANT_COUNT-1, operator first */
unsigned variant_index(struct variant v);
const char *variant_name(struct variant v);  /* "sum_i32" */
const char *variant_words(struct variant v); /* as a student writes the type: "sum of long long" */
const char *variant_type(struct variant v);  /* "long long" */
bool variant_find(const char *name, size_t length, struct variant *v);
size_t variant_size(struct variant v); /* bytes of an element */
bool variant_is_float(struct variant v);
bool variant_is_struct(struct variant v); /* it has fields, in a struct or packed */
bool variant_is_own(struct variant v);
bool variant_commutes(struct variant v); /* combine(a, b) is combine(b, a) */

union value {
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    float f32;
    double f64;
    uint64_t bits;
    uint32_t word[4]; /* affine: a, b; matrix: row by row, 16 bits each if packed; pairs: the value, then the index */
};

union value reference_identity(struct variant v);
union value reference_combine(struct variant v, union value a, union value b);
union value reference_pack(struct variant v, union value fields); /* a word each, as a value of the variant */
union value reference_load(struct variant v, const void *array, uint64_t index);
void reference_store(struct variant v, void *array, uint64_t index, union value x);
/* Left to right over n elements; identity for n = 0. Floating-point sums and products are carried in long double and
 * rounded once, so the result is the exact one to within the last bit. */
union value reference_reduce(struct variant v, const void *array, uint64_t n);
bool reference_equal(struct variant v, union value a, union value b); /* by value: -0 equals +0; NaN equals NaN */
/* Where operands do not commute: two results that can be of the same operands in another order. The slopes of maps
 * (word 0) and the determinants of matrices multiply, whatever the order. */
bool reference_same_operands(struct variant v, union value a, union value b);
uint64_t reference_index(struct variant v, union value x); /* of a pair; as wide as its value */
double reference_double(struct variant v, union value x);  /* of a scalar, and a pair's value */
/* As text that reads back as the same value. Returns out. */
char *reference_print(struct variant v, union value x, char *out, size_t size);

/* How far a floating-point sum of n terms may lie from the exact one when no term goes through more than `depth`
 * additions: gamma(depth) * sum|x| with gamma(k) = k*u / (1 - k*u), u the unit round-off (Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2nd ed., section 4.2). 0 for other operators and for integers. */
double tolerance_bound(struct variant v, const void *array, uint64_t n, uint64_t depth);

#endif
