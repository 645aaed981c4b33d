/* Reference implementation of the reductions on the host: operators, types, identities, and left-to-right results. */
#ifndef COMMON_REFERENCE_H
#define COMMON_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* AFFINE to ARGMAX operate on structs, and exist only for some types. AFFINE composes maps x -> a*x + b, and MATRIX
 * multiplies 2x2 matrices; neither commutes. Both compute modulo 2^32 or, for REDUCE_TYPE_U16, modulo 2^16 with the
 * fields packed into one integer, which a shuffle can move like a scalar. ARGMIN and ARGMAX choose one of two pairs
 * (value, index): a NaN wins over a number, then the value decides, then the lower index. */
enum reduce_op {
    REDUCE_OP_SUM,
    REDUCE_OP_PRODUCT,
    REDUCE_OP_MIN,
    REDUCE_OP_MAX,
    REDUCE_OP_AFFINE,
    REDUCE_OP_MATRIX,
    REDUCE_OP_ARGMIN,
    REDUCE_OP_ARGMAX,
    REDUCE_OP_OWN, /* a student's operator; this module knows only the size of its elements */
    REDUCE_OP_COUNT
};
enum reduce_type {
    REDUCE_TYPE_I32,
    REDUCE_TYPE_U32,
    REDUCE_TYPE_I64,
    REDUCE_TYPE_F32,
    REDUCE_TYPE_F64,
    REDUCE_TYPE_COUNT,
    REDUCE_TYPE_U16 = REDUCE_TYPE_COUNT /* type of a packed value's fields, not a scalar type */
};

/* An operator on a type. Kernels are compiled once per variant. The enumerators have the values in common/reduce.h. */
struct variant {
    enum reduce_op op;
    enum reduce_type type;
    uint32_t bytes; /* size of an element, for REDUCE_OP_OWN */
};
enum {
    SCALAR_VARIANTS = REDUCE_OP_AFFINE * REDUCE_TYPE_COUNT, /* the first variants: sum to max, for every type */
    STRUCT_VARIANTS = 11,
    VARIANT_COUNT = SCALAR_VARIANTS + STRUCT_VARIANTS,
    OWN_VARIANT = VARIANT_COUNT - 1
};
#define VARIANTS_SCALAR ((1u << SCALAR_VARIANTS) - 1) /* sets of variants; variant v is bit variant_index(v) */
#define VARIANTS_IN_ORDER (3u << (OWN_VARIANT - 2))   /* affine_u16 and matrix_u16, which do not commute */
#define VARIANTS_SUM_OF_FLOATS (1u << REDUCE_TYPE_F32)
#define VARIANTS_SUM ((1u << REDUCE_TYPE_COUNT) - 1) /* sum is the first operator */
/* Returns variant `index`, 0 to VARIANT_COUNT - 1: first the scalars by operator and type, then the others. */
struct variant variant_at(unsigned index);
unsigned variant_index(struct variant v);
const char *variant_name(struct variant v);  /* such as "sum_i32" */
const char *variant_words(struct variant v); /* name of the variant in words, such as "sum of long long" */
const char *variant_type(struct variant v);  /* type of an element or its fields, such as "long long" */
bool variant_find(const char *name, size_t length, struct variant *v);
size_t variant_size(struct variant v); /* size of an element in bytes */
static inline bool variant_is_float(struct variant v) { return v.type == REDUCE_TYPE_F32 || v.type == REDUCE_TYPE_F64; }
/* Returns whether elements have fields, in a struct or packed. */
static inline bool variant_is_struct(struct variant v) { return v.op >= REDUCE_OP_AFFINE; }
bool variant_is_pair(struct variant v); /* whether elements are {value, index}, of argmin or argmax */
bool variant_chooses(struct variant v); /* whether combine(a, b) is always a or b */
bool variant_is_own(struct variant v);
bool variant_commutes(struct variant v); /* whether combine(a, b) always equals combine(b, a) */

union value {
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    float f32;
    double f64;
    uint64_t bits;
    uint32_t word[4]; /* fields of an element: a and b of a map, the rows of a matrix (16 bits each if packed), or a
                         pair */
};

union value reference_identity(struct variant v);
union value reference_combine(struct variant v, union value a, union value b);
/* Packs fields into an element. `fields` has one field per word. Inlined, because it is a hot spot. */
static inline union value reference_pack(struct variant v, union value fields) {
    const uint32_t *w = fields.word;
    if (v.type != REDUCE_TYPE_U16) return fields;
    return (union value){.word = {(w[0] & 0xffff) | w[1] << 16, (w[2] & 0xffff) | w[3] << 16}};
}
/* Copies one element. Common sizes have a constant length, which needs no call, because this is a hot spot. */
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
/* Returns the result of n elements, combined from left to right, or the identity if n is 0. Floating-point sums and
 * products accumulate in long double and are rounded once. */
union value reference_reduce(struct variant v, const void *array, uint64_t n);
/* Sets to[k] = combine(a[k], b[k]) for k in [0, n). */
void reference_combine_each(struct variant v, union value *to, const union value *a, const union value *b, uint64_t n);
/* Expands to DO(v) with a constant v, for each scalar variant and each operator that does not commute. The compiler
 * then specializes an inlined loop. */
#define REFERENCE_CASE(op, type) ((int)(op) * (REDUCE_TYPE_U16 + 1) + (int)(type))
#define REFERENCE_ONE(op, type, DO)                                                                                    \
    case REFERENCE_CASE(op, type):                                                                                     \
        DO(((struct variant){op, type, 0}));                                                                           \
        break;
#define REFERENCE_TYPES(op, DO)                                                                                        \
    REFERENCE_ONE(op, REDUCE_TYPE_I32, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_U32, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_I64, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_F32, DO)                                                                             \
    REFERENCE_ONE(op, REDUCE_TYPE_F64, DO)
#define REFERENCE_IN_ORDER(DO)                                                                                         \
    REFERENCE_ONE(REDUCE_OP_AFFINE, REDUCE_TYPE_U32, DO)                                                               \
    REFERENCE_ONE(REDUCE_OP_AFFINE, REDUCE_TYPE_U16, DO)                                                               \
    REFERENCE_ONE(REDUCE_OP_MATRIX, REDUCE_TYPE_U32, DO)                                                               \
    REFERENCE_ONE(REDUCE_OP_MATRIX, REDUCE_TYPE_U16, DO)
#define REFERENCE_BY_VARIANT(v, DO)                                                                                    \
    switch (REFERENCE_CASE((v).op, (v).type)) {                                                                        \
        REFERENCE_TYPES(REDUCE_OP_SUM, DO)                                                                             \
        REFERENCE_TYPES(REDUCE_OP_PRODUCT, DO)                                                                         \
        REFERENCE_TYPES(REDUCE_OP_MIN, DO)                                                                             \
        REFERENCE_TYPES(REDUCE_OP_MAX, DO)                                                                             \
        REFERENCE_IN_ORDER(DO)                                                                                         \
    default: DO(v);                                                                                                    \
    }
bool reference_equal(struct variant v, union value a, union value b); /* treats -0 and +0 as equal, and NaNs as equal */
/* Returns whether two results of an operator that does not commute may come from the same operands in different orders.
 * Compares what does not depend on the order: the product of the slopes of maps (word 0), or of the determinants of
 * matrices. */
bool reference_same_operands(struct variant v, union value a, union value b);
uint64_t reference_index(struct variant v, union value x); /* the index of a pair */
double reference_double(struct variant v, union value x);  /* the value of a scalar or of a pair */
/* Prints x into out, with enough digits to read back the same value, except for the bits of a NaN. Returns out. */
char *reference_print(struct variant v, union value x, char *out, size_t size);

/* Returns an error bound for a floating-point sum of n terms that each pass through at most `depth` additions. The
 * bound is gamma(depth) * sum|x|, where gamma(k) = k*u / (1 - k*u) and u is the unit roundoff (Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2nd ed., section 4.2). Returns 0 for other operators and for integers. */
double tolerance_bound(struct variant v, const void *array, uint64_t n, uint64_t depth);

#endif
