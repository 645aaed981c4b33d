/* See reference.h. */
#include "reference.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Types: names in variants (`name`) and in C (`written`), sizes in bytes, and unit roundoff (`unit`). */
#define I32 "int"
#define U32 "unsigned"
#define I64 "long long"
#define F32 "float"
#define F64 "double"
static const struct {
    const char *name, *written;
    size_t size;
    double unit;
} types[] = {{"i32", I32, 4, 0},       {"u32", U32, 4, 0},       {"i64", I64, 8, 0},
             {"f32", F32, 4, 0x1p-24}, {"f64", F64, 8, 0x1p-53}, {"u16", "fields of 16 bits", 2, 0}};

/* Operators with fields, in the order of their variants. Sizes are in bytes. */
static const struct {
    const char *name;
    struct variant v;
    size_t size;
    union value identity;
} structs[STRUCT_VARIANTS] = {
    {"affine_u32", {REDUCE_OP_AFFINE, REDUCE_TYPE_U32}, 8, {.word = {1, 0}}},
    {"matrix_u32", {REDUCE_OP_MATRIX, REDUCE_TYPE_U32}, 16, {.word = {1, 0, 0, 1}}},
    {"argmin_i32", {REDUCE_OP_ARGMIN, REDUCE_TYPE_I32}, 8, {.word = {INT32_MAX, UINT32_MAX}}},
    {"argmin_f32", {REDUCE_OP_ARGMIN, REDUCE_TYPE_F32}, 8, {.word = {0x7f800000, UINT32_MAX}}},
    {"argmin_f64", {REDUCE_OP_ARGMIN, REDUCE_TYPE_F64}, 16, {.word = {0, 0x7ff00000, UINT32_MAX, UINT32_MAX}}},
    {"argmax_i32", {REDUCE_OP_ARGMAX, REDUCE_TYPE_I32}, 8, {.word = {0x80000000, UINT32_MAX}}},
    {"argmax_f32", {REDUCE_OP_ARGMAX, REDUCE_TYPE_F32}, 8, {.word = {0xff800000, UINT32_MAX}}},
    {"argmax_f64", {REDUCE_OP_ARGMAX, REDUCE_TYPE_F64}, 16, {.word = {0, 0xfff00000, UINT32_MAX, UINT32_MAX}}},
    {"affine_u16", {REDUCE_OP_AFFINE, REDUCE_TYPE_U16}, 4, {.word = {1}}},
    {"matrix_u16", {REDUCE_OP_MATRIX, REDUCE_TYPE_U16}, 8, {.word = {1, 1 << 16}}},
    {"own", {REDUCE_OP_OWN, REDUCE_TYPE_U32}, 0, {.word = {0}}},
};

struct variant variant_at(unsigned index) {
    if (index >= SCALAR_VARIANTS) return structs[index - SCALAR_VARIANTS].v;
    return (struct variant){(enum reduce_op)(index / REDUCE_TYPE_COUNT), (enum reduce_type)(index % REDUCE_TYPE_COUNT)};
}
static unsigned struct_row(struct variant v) {
    unsigned k = 0;
    while (k < STRUCT_VARIANTS - 1 && (structs[k].v.op != v.op || structs[k].v.type != v.type)) k++;
    return k;
}
unsigned variant_index(struct variant v) {
    if (variant_is_struct(v)) return SCALAR_VARIANTS + struct_row(v);
    return (unsigned)v.op * REDUCE_TYPE_COUNT + (unsigned)v.type;
}
const char *variant_name(struct variant v) {
    static const char *const names[SCALAR_VARIANTS] = {
#define NAMES(op) op "_i32", op "_u32", op "_i64", op "_f32", op "_f64"
        NAMES("sum"), NAMES("product"), NAMES("min"), NAMES("max")};
#undef NAMES
    return variant_is_struct(v) ? structs[struct_row(v)].name : names[variant_index(v)];
}
const char *variant_words(struct variant v) {
    static const char *const scalars[SCALAR_VARIANTS] = {
#define WORDS(op) op " of " I32, op " of " U32, op " of " I64, op " of " F32, op " of " F64
        WORDS("sum"), WORDS("product"), WORDS("minimum"), WORDS("maximum")};
#undef WORDS
    static const char *const words[STRUCT_VARIANTS] = {"maps x -> a*x + b",
                                                       "product of 2x2 matrices",
                                                       "smallest of pairs with " I32,
                                                       "smallest of pairs with " F32,
                                                       "smallest of pairs with " F64,
                                                       "largest of pairs with " I32,
                                                       "largest of pairs with " F32,
                                                       "largest of pairs with " F64,
                                                       "maps x -> a*x + b",
                                                       "product of 2x2 matrices",
                                                       "your operator"};
    return variant_is_struct(v) ? words[struct_row(v)] : scalars[variant_index(v)];
}
const char *variant_type(struct variant v) { return types[v.type].written; }
bool variant_find(const char *name, size_t length, struct variant *v) {
    for (unsigned k = 0; k < VARIANT_COUNT; k++) {
        *v = variant_at(k);
        if (strlen(variant_name(*v)) == length && !memcmp(variant_name(*v), name, length)) return true;
    }
    return false;
}
size_t variant_size(struct variant v) {
    if (variant_is_own(v)) return v.bytes;
    return variant_is_struct(v) ? structs[struct_row(v)].size : types[v.type].size;
}
bool variant_is_pair(struct variant v) { return v.op == REDUCE_OP_ARGMIN || v.op == REDUCE_OP_ARGMAX; }
bool variant_chooses(struct variant v) { return v.op == REDUCE_OP_MIN || v.op == REDUCE_OP_MAX || variant_is_pair(v); }
bool variant_is_own(struct variant v) { return v.op == REDUCE_OP_OWN; }
bool variant_commutes(struct variant v) {
    return v.op != REDUCE_OP_AFFINE && v.op != REDUCE_OP_MATRIX && !variant_is_own(v);
}

union value reference_identity(struct variant v) {
    union value x = {.word = {0}};
    if (variant_is_struct(v)) return structs[struct_row(v)].identity;
    const bool lowest = v.op == REDUCE_OP_MAX;
    switch (v.type) {
    case REDUCE_TYPE_I32:
        x.i32 = v.op < REDUCE_OP_MIN ? v.op == REDUCE_OP_PRODUCT : lowest ? INT32_MIN : INT32_MAX;
        break;
    case REDUCE_TYPE_U32: x.u32 = v.op < REDUCE_OP_MIN ? v.op == REDUCE_OP_PRODUCT : lowest ? 0 : UINT32_MAX; break;
    case REDUCE_TYPE_I64:
        x.i64 = v.op < REDUCE_OP_MIN ? v.op == REDUCE_OP_PRODUCT : lowest ? INT64_MIN : INT64_MAX;
        break;
    case REDUCE_TYPE_F32:
        x.f32 = v.op < REDUCE_OP_MIN ? (float)(v.op == REDUCE_OP_PRODUCT) : lowest ? -INFINITY : INFINITY;
        break;
    default:
        x.f64 = v.op < REDUCE_OP_MIN ? (double)(v.op == REDUCE_OP_PRODUCT)
                : lowest             ? -(double)INFINITY
                                     : (double)INFINITY;
        break;
    }
    return x;
}

/* Returns the fields of a map or a matrix, one per word. */
static union value unpacked(struct variant v, union value x) {
    if (v.type != REDUCE_TYPE_U16) return x;
    return (union value){.word = {x.word[0] & 0xffff, x.word[0] >> 16, x.word[1] & 0xffff, x.word[1] >> 16}};
}
static union value matrix_product(union value a, union value b) {
    const uint32_t *l = a.word, *r = b.word;
    return (union value){.word = {l[0] * r[0] + l[1] * r[2], l[0] * r[1] + l[1] * r[3], l[2] * r[0] + l[3] * r[2],
                                  l[2] * r[1] + l[3] * r[3]}};
}
/* Returns the map x -> b(a(x)). */
static union value affine_then(union value a, union value b) {
    return (union value){.word = {a.word[0] * b.word[0], a.word[1] * b.word[0] + b.word[1]}};
}

/* Returns whether argmin or argmax prefers pair a to pair b. */
static bool comes_first(struct variant v, union value a, union value b) {
    const double x = reference_double(v, a), y = reference_double(v, b);
    if (isnan(x) != isnan(y)) return isnan(x);
    if (isnan(x) || x == y) return reference_index(v, a) < reference_index(v, b);
    return v.op == REDUCE_OP_ARGMIN ? x < y : y < x;
}

#define PICK(field)                                                                                                    \
    (v.op == REDUCE_OP_MIN ? (b.field < a.field ? b.field : a.field) : (a.field < b.field ? b.field : a.field))
#define INLINED static inline __attribute__((always_inline)) /* specializes loops for a constant variant */
INLINED union value combined(struct variant v, union value a, union value b) {
    union value x = {.word = {0}};
    if (v.op == REDUCE_OP_AFFINE) return reference_pack(v, affine_then(unpacked(v, a), unpacked(v, b)));
    if (v.op == REDUCE_OP_MATRIX) return reference_pack(v, matrix_product(unpacked(v, a), unpacked(v, b)));
    if (variant_is_struct(v)) return comes_first(v, b, a) ? b : a;
    const bool sum = v.op == REDUCE_OP_SUM, order = v.op >= REDUCE_OP_MIN;
    switch (v.type) { /* integers are computed as unsigned, because signed overflow is undefined */
    case REDUCE_TYPE_I32:
        if (order)
            x.i32 = PICK(i32);
        else
            x.u32 = sum ? a.u32 + b.u32 : a.u32 * b.u32;
        break;
    case REDUCE_TYPE_U32: x.u32 = order ? PICK(u32) : sum ? a.u32 + b.u32 : a.u32 * b.u32; break;
    case REDUCE_TYPE_I64:
        if (order)
            x.i64 = PICK(i64);
        else
            x.bits = sum ? a.bits + b.bits : a.bits * b.bits;
        break;
    case REDUCE_TYPE_F32: x.f32 = order ? PICK(f32) : sum ? a.f32 + b.f32 : a.f32 * b.f32; break;
    default: x.f64 = order ? PICK(f64) : sum ? a.f64 + b.f64 : a.f64 * b.f64; break;
    }
    return x;
}
union value reference_combine(struct variant v, union value a, union value b) {
    return combined(v, a, b);
}
static inline union value load(const void *array, uint64_t index, size_t size) {
    union value x = {.word = {0}};
    reference_copy(&x, (const char *)array + index * size, size);
    return x;
}
union value reference_load(struct variant v, const void *array, uint64_t index) {
    return load(array, index, variant_size(v));
}
void reference_store(struct variant v, void *array, uint64_t index, union value x) {
    const size_t size = variant_size(v);
    reference_copy((char *)array + index * size, &x, size);
}
double reference_double(struct variant v, union value x) {
    switch (v.type) {
    case REDUCE_TYPE_I32: return x.i32;
    case REDUCE_TYPE_U32: return x.u32;
    case REDUCE_TYPE_I64: return (double)x.i64;
    case REDUCE_TYPE_F32: return (double)x.f32;
    default: return x.f64;
    }
}
/* The loops below are specialized for each scalar variant, so that an element costs only a few instructions. A minimum
 * is computed in the element's own type, because the compiler would move unions through memory. */
#define BEST(T, field)                                                                                                 \
    {                                                                                                                  \
        T best = x.field;                                                                                              \
        for (const T *e = array, *end = e + n; e < end; e++)                                                           \
            best = (v.op == REDUCE_OP_MIN ? *e < best : best < *e) ? *e : best;                                        \
        x.field = best;                                                                                                \
    }
INLINED union value best_of(struct variant v, const void *array, uint64_t n) {
    union value x = reference_identity(v);
    switch (v.type) {
    case REDUCE_TYPE_I32: BEST(int32_t, i32) break;
    case REDUCE_TYPE_U32: BEST(uint32_t, u32) break;
    case REDUCE_TYPE_I64: BEST(int64_t, i64) break;
    case REDUCE_TYPE_F32: BEST(float, f32) break;
    default: BEST(double, f64)
    }
    return x;
}
/* Adds integers with four sums, which do not wait for each other. */
#define SUM(T, field)                                                                                                  \
    {                                                                                                                  \
        const T *e = array;                                                                                            \
        T part[4] = {0};                                                                                               \
        for (; k + 4 <= n; k += 4)                                                                                     \
            for (unsigned j = 0; j < 4; j++) part[j] += e[k + j];                                                      \
        for (; k < n; k++) part[0] += e[k];                                                                            \
        x.field = part[0] + part[1] + part[2] + part[3];                                                               \
    }
INLINED union value sum_of_integers(struct variant v, const void *array, uint64_t n) {
    union value x = reference_identity(v);
    uint64_t k = 0;
    if (v.type == REDUCE_TYPE_I64)
        SUM(uint64_t, bits)
    else
        SUM(uint32_t, u32)
    return x;
}
INLINED union value reduce(struct variant v, const void *array, uint64_t n) {
    const size_t size = variant_size(v);
    union value x = reference_identity(v);
    if (v.op == REDUCE_OP_MIN || v.op == REDUCE_OP_MAX) return best_of(v, array, n);
    if (v.op == REDUCE_OP_SUM && !variant_is_float(v)) return sum_of_integers(v, array, n);
    if (!variant_is_float(v) || v.op >= REDUCE_OP_MIN) {
        for (uint64_t k = 0; k < n; k++) x = combined(v, x, load(array, k, size));
        return x;
    }
    long double wide = v.op == REDUCE_OP_PRODUCT;
    for (uint64_t k = 0; k < n; k++) {
        const long double term = (long double)reference_double(v, load(array, k, size));
        wide = v.op == REDUCE_OP_SUM ? wide + term : wide * term;
    }
    if (v.type == REDUCE_TYPE_F32)
        x.f32 = (float)wide;
    else
        x.f64 = (double)wide;
    return x;
}
union value reference_reduce(struct variant v, const void *array, uint64_t n) {
    union value x;
#define REDUCE(constant) x = reduce(constant, array, n)
    REFERENCE_BY_VARIANT(v, REDUCE)
    return x;
}
INLINED void combine(struct variant v, union value *to, const union value *a, const union value *b, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) to[k] = combined(v, a[k], b[k]);
}
void reference_combine_each(struct variant v, union value *to, const union value *a, const union value *b, uint64_t n) {
#define COMBINE(constant) combine(constant, to, a, b, n)
    REFERENCE_BY_VARIANT(v, COMBINE)
}
bool reference_equal(struct variant v, union value a, union value b) {
    if (!variant_commutes(v)) return !memcmp(&a, &b, variant_size(v));
    if (variant_is_struct(v) && reference_index(v, a) != reference_index(v, b)) return false;
    if (!variant_is_float(v)) return types[v.type].size == 4 ? a.u32 == b.u32 : a.bits == b.bits;
    const double x = reference_double(v, a), y = reference_double(v, b);
    return x == y || (x != x && y != y);
}
bool reference_same_operands(struct variant v, union value a, union value b) {
    const union value x = unpacked(v, a), y = unpacked(v, b);
    const uint32_t *s = x.word, *t = y.word, modulo = v.type == REDUCE_TYPE_U16 ? 0xffff : UINT32_MAX;
    if (v.op == REDUCE_OP_AFFINE) return s[0] == t[0];
    return v.op == REDUCE_OP_MATRIX && !((s[0] * s[3] - s[1] * s[2] - (t[0] * t[3] - t[1] * t[2])) & modulo);
}
uint64_t reference_index(struct variant v, union value x) {
    return types[v.type].size == 4 ? x.word[1] : x.word[2] | (uint64_t)x.word[3] << 32;
}
char *reference_print(struct variant v, union value x, char *out, size_t size) {
    const union value fields = variant_commutes(v) ? x : unpacked(v, x);
    const uint32_t *w = fields.word;
    if (v.op == REDUCE_OP_AFFINE) return snprintf(out, size, "x -> %u*x + %u", w[0], w[1]), out;
    if (v.op == REDUCE_OP_MATRIX) return snprintf(out, size, "[%u %u; %u %u]", w[0], w[1], w[2], w[3]), out;
    if (variant_is_struct(v)) {
        const int n = v.type == REDUCE_TYPE_I32
                          ? snprintf(out, size, "%d", x.i32)
                          : snprintf(out, size, "%.*g", v.type == REDUCE_TYPE_F32 ? 9 : 17, reference_double(v, x));
        if (n >= 0 && (size_t)n < size)
            snprintf(out + n, size - (size_t)n, " at index %llu", (unsigned long long)reference_index(v, x));
        return out;
    }
    switch (v.type) {
    case REDUCE_TYPE_I32: snprintf(out, size, "%d", x.i32); break;
    case REDUCE_TYPE_U32: snprintf(out, size, "%u", x.u32); break;
    case REDUCE_TYPE_I64: snprintf(out, size, "%lld", (long long)x.i64); break;
    default: { /* any two NaNs are equal, so a NaN has no sign */
        const double real = reference_double(v, x);
        snprintf(out, size, "%.*g", v.type == REDUCE_TYPE_F32 ? 9 : 17, isnan(real) ? (double)NAN : real);
    }
    }
    return out;
}

double tolerance_bound(struct variant v, const void *array, uint64_t n, uint64_t depth) {
    if (!variant_is_float(v) || v.op != REDUCE_OP_SUM) return 0;
    double total = 0;
    for (uint64_t k = 0; k < n; k++) total += fabs(reference_double(v, reference_load(v, array, k)));
    const double ku = (double)depth * types[v.type].unit;
    return ku / (1 - ku) * total;
}
