/* Tests matrix products. Every form of mma runs twice. First, with small integers, whose sums are exact, which
 * verifies the position of each element. Second, with arbitrary numbers, for which the results must be within an
 * error bound. Each lane has the elements that the PTX ISA specifies for the shape ("Matrix Fragments for mma"). */
#ifndef TESTS_OPS_MATRICES_H
#define TESTS_OPS_MATRICES_H

#include "tests/ops/edges.h"
#include <math.h>

static const struct product {
    const char *shape, *words;
    unsigned m, k;
    enum ptx_type d, a, b;
} products[] = {
    {"m16n8k8", "", 16, 8, PTX_F32, PTX_F16, PTX_F16},
    {"m16n8k16", "", 16, 16, PTX_F32, PTX_F16, PTX_F16},
    {"m16n8k8", "", 16, 8, PTX_F16, PTX_F16, PTX_F16},
    {"m16n8k16", "", 16, 16, PTX_F16, PTX_F16, PTX_F16},
    {"m16n8k8", "", 16, 8, PTX_F32, PTX_BF16, PTX_BF16},
    {"m16n8k16", "", 16, 16, PTX_F32, PTX_BF16, PTX_BF16},
    {"m16n8k4", "", 16, 4, PTX_F32, PTX_TF32, PTX_TF32},
    {"m16n8k8", "", 16, 8, PTX_F32, PTX_TF32, PTX_TF32},
    {"m16n8k32", "", 16, 32, PTX_F32, PTX_E4M3, PTX_E4M3},
    {"m16n8k32", "", 16, 32, PTX_F32, PTX_E5M2, PTX_E4M3},
    {"m16n8k32", "", 16, 32, PTX_F16, PTX_E4M3, PTX_E5M2},
    {"m16n8k16", "", 16, 16, PTX_F32, PTX_E5M2, PTX_E5M2},
    {"m8n8k4", "", 8, 4, PTX_F64, PTX_F64, PTX_F64},
    {"m16n8k4", ".rn", 16, 4, PTX_F64, PTX_F64, PTX_F64},
    {"m16n8k8", "", 16, 8, PTX_F64, PTX_F64, PTX_F64},
    {"m16n8k16", "", 16, 16, PTX_F64, PTX_F64, PTX_F64},
    {"m8n8k16", "", 8, 16, PTX_S32, PTX_S8, PTX_S8},
    {"m16n8k16", "", 16, 16, PTX_S32, PTX_U8, PTX_U8},
    {"m16n8k32", "", 16, 32, PTX_S32, PTX_S8, PTX_U8},
    {"m16n8k32", ".satfinite", 16, 32, PTX_S32, PTX_U8, PTX_S8},
    {"m8n8k32", "", 8, 32, PTX_S32, PTX_S4, PTX_U4},
    {"m16n8k32", ".satfinite", 16, 32, PTX_S32, PTX_U4, PTX_S4},
    {"m16n8k64", "", 16, 64, PTX_S32, PTX_S4, PTX_S4},
    {"m16n8k64", "", 16, 64, PTX_S32, PTX_U4, PTX_U4},
    {"m8n8k128", ".xor.popc", 8, 128, PTX_S32, PTX_B1, PTX_B1},
    {"m16n8k128", ".and.popc", 16, 128, PTX_S32, PTX_B1, PTX_B1},
    {"m16n8k256", ".xor.popc", 16, 256, PTX_S32, PTX_B1, PTX_B1},
    {"m16n8k256", ".and.popc", 16, 256, PTX_S32, PTX_B1, PTX_B1},
};
enum { PRODUCTS = sizeof products / sizeof *products, FRAGMENT = 16 /* total number of registers for a, b and c */ };
static const unsigned base_of[] = {0, 8, 12}; /* first register of a, b and c */

/* Computes the row and column of element `i` of a lane's fragment. */
static inline void place_of_a(const struct product *p, unsigned lane, unsigned i, unsigned *row, unsigned *column) {
    const unsigned g = lane / 4, t = lane % 4, bits = ptx_type_bits(p->a);
    if (bits == 1) {
        *row = p->m == 8 || i < 32 || (i >= 64 && i < 96) ? g : g + 8;
        *column = t * 32 + i % 32 + (i >= 64 ? 128 : 0);
    } else if (bits == 4) {
        *row = p->m == 8 || i < 8 || (i >= 16 && i < 24) ? g : g + 8;
        *column = t * 8 + i % 8 + (i >= 16 ? 32 : 0);
    } else if (bits == 8) {
        *row = p->m == 8 || i < 4 || (i >= 8 && i < 12) ? g : g + 8;
        *column = t * 4 + i % 4 + (p->m == 16 && i >= 8 ? 16 : 0);
    } else if (bits == 16) {
        *row = i / 2 % 2 ? g + 8 : g;
        *column = t * 2 + i % 2 + (i >= 4 ? 8 : 0);
    } else {
        *row = p->m == 16 && i % 2 ? g + 8 : g;
        *column = t + (p->m == 16 ? i / 2 * 4 : 0);
    }
}
static inline void place_of_b(const struct product *p, unsigned lane, unsigned i, unsigned *row, unsigned *column) {
    const unsigned in_word = ptx_type_bits(p->b) < 32 ? 32 / ptx_type_bits(p->b) : 1;
    *row = lane % 4 * in_word + i % in_word + i / in_word * 4 * in_word;
    *column = lane / 4;
}
static inline void place_of_c(unsigned lane, unsigned i, unsigned *row, unsigned *column) {
    *row = lane / 4 + (i >= 2 ? 8 : 0), *column = lane % 4 * 2 + i % 2;
}
static inline bool is_fp8(enum ptx_type t) { return t == PTX_E4M3 || t == PTX_E5M2; }
static inline double value_of_fp8(unsigned v, enum ptx_type t) {
    const int places = t == PTX_E5M2 ? 2 : 3, bias = t == PTX_E5M2 ? 15 : 7, e = (int)(v & 127) >> places;
    const double x = ldexp((int)(v & ((1u << places) - 1)) + (e ? 1 << places : 0), (e ? e : 1) - bias - places);
    return v & 128 ? -x : x;
}
static inline uint64_t bits_of_number(double v, enum ptx_type t) {
    uint64_t d = 0;
    for (unsigned k = 1; is_fp8(t) && k < 0x7c; k++) /* find the nearest finite number */
        if (fabs(value_of_fp8(k, t) - fabs(v)) < fabs(value_of_fp8((unsigned)d, t) - fabs(v))) d = k;
    if (is_fp8(t)) return d | (v < 0 ? 128 : 0);
    if (!is_float_type(t) && t != PTX_TF32) return (uint64_t)(int64_t)v & low_bits(ptx_type_bits(t));
    const float f = (float)v;
    if (t == PTX_F64) return memcpy(&d, &v, 8), d;
    memcpy(&d, &f, 4);
    return t == PTX_F32 || t == PTX_TF32 ? d : to_bits(exact_of(d, PTX_F32), t, PTX_MOD_RN);
}
static inline double number_of_bits(uint64_t v, enum ptx_type t) {
    if (is_fp8(t)) return value_of_fp8((unsigned)v, t);
    double d;
    float f;
    if (t == PTX_F64) return memcpy(&d, &v, 8), d;
    if (!is_float_type(t) && t != PTX_TF32)
        return (double)(is_signed_type(t) && v >> (ptx_type_bits(t) - 1) & 1
                            ? (int64_t)v - (INT64_C(1) << ptx_type_bits(t))
                            : (int64_t)v);
    const uint32_t bits = (uint32_t)(t == PTX_F32 || t == PTX_TF32 ? v : to_bits(exact_of(v, t), PTX_F32, PTX_MOD_RN));
    memcpy(&f, &bits, 4);
    return (double)f;
}
/* Draws a small integer if `exact`. Otherwise, draws any integer of the type, or a float with a random exponent. */
static inline double drawn_number(enum ptx_type t, bool exact, uint64_t *random) {
    const bool is_whole = !is_float_type(t) && t != PTX_TF32 && !is_fp8(t);
    if (t == PTX_B1) return (double)(random_next(random) >> 40 & 1);
    const int64_t low = t == PTX_U8 || t == PTX_U4 ? 0 : -6, v = (int64_t)(random_next(random) % 13) + low;
    if (exact) return (double)v;
    if (is_whole)
        return (double)(int64_t)(t == PTX_S32  ? (random_next(random) & 0xffffffff) - 0x80000000
                                 : t == PTX_S4 ? (random_next(random) >> 40 & 15) - 8
                                 : t == PTX_U4 ? random_next(random) >> 40 & 15
                                 : t == PTX_S8 ? (random_next(random) & 255) - 128
                                               : random_next(random) & 255);
    const double x = ldexp((double)(random_next(random) % 4096) / 4096 + 1, (int)(random_next(random) % 9) - 4);
    const double rounded_x = number_of_bits(
        bits_of_number(random_next(random) & 1 ? x : -x, t == PTX_TF32 ? PTX_F16 : t), t == PTX_TF32 ? PTX_F16 : t);
    return rounded_x;
}
struct tiles {
    double a[16][256], b[256][8], c[16][8];
    uint64_t in[32][FRAGMENT], out[32][4];
};
static inline unsigned registers_of(unsigned elements, enum ptx_type t) {
    return elements * ptx_type_bits(t) / (t == PTX_F64 ? 64 : 32) / 32;
}
/* Draws the numbers and distributes them to the lanes' registers. */
static inline void fill_tiles(const struct product *p, struct tiles *s, bool exact) {
    uint64_t random = p->m * 100 + p->k + p->a;
    memset(s, 0, sizeof *s);
    for (unsigned r = 0; r < p->m; r++)
        for (unsigned k = 0; k < p->k; k++) s->a[r][k] = drawn_number(p->a, exact, &random);
    for (unsigned k = 0; k < p->k; k++)
        for (unsigned c = 0; c < 8; c++) s->b[k][c] = drawn_number(p->b, exact, &random);
    for (unsigned r = 0; r < p->m; r++)
        for (unsigned c = 0; c < 8; c++) s->c[r][c] = drawn_number(p->d, exact, &random);
    for (unsigned l = 0; l < 32; l++)
        for (unsigned part = 0; part < 3; part++) {
            const enum ptx_type t = part == 0 ? p->a : part == 1 ? p->b : p->d;
            const unsigned all = (part == 0 ? p->m * p->k : part == 1 ? p->k * 8 : p->m * 8) / 32;
            const unsigned bits = ptx_type_bits(t), in_word = t == PTX_F64 ? 1 : 32 / bits;
            for (unsigned i = 0; i < all; i++) {
                unsigned row, column;
                if (part == 0) place_of_a(p, l, i, &row, &column);
                if (part == 1) place_of_b(p, l, i, &row, &column);
                if (part == 2) place_of_c(l, i, &row, &column);
                const double v = part == 0 ? s->a[row][column] : part == 1 ? s->b[row][column] : s->c[row][column];
                s->in[l][base_of[part] + i / in_word] |= bits_of_number(v, t) << (in_word > 1 ? i % in_word * bits : 0);
            }
        }
}
static inline void registers_text(struct text *t, char name, unsigned count) {
    for (unsigned k = 0; k < count; k++) text_add(t, "%s%%%c%u", k ? ", " : "{", name, k);
    text_add(t, "}");
}
static inline void product_text(struct text *t, const struct product *p) {
    const unsigned bits = p->d == PTX_F64 ? 64 : 32,
                   of[] = {registers_of(p->m * p->k, p->a), registers_of(p->k * 8, p->b), registers_of(p->m * 8, p->d)};
    t->length = 0;
    text_add(t, HEADER
             ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%t;\n.reg .b64 %%to, %%from, %%at;\n");
    text_add(t, ".reg .b%u %%a<8>, %%b<8>, %%c<8>, %%d<8>;\n" UNTESTED, bits);
    text_add(
        t,
        "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, %zu;\n",
        sizeof(uint64_t[FRAGMENT]));
    text_add(t, "add.s64 %%from, %%from, %%at;\nmul.wide.u32 %%at, %%t, 32;\nadd.s64 %%to, %%to, %%at;\n");
    for (unsigned part = 0; part < 3; part++)
        for (unsigned k = 0; k < of[part]; k++)
            text_add(t, "ld.global.b%u %%%c%u, [%%from+%u];\n", bits, "abc"[part], k, 8 * (base_of[part] + k));
    text_add(t, TESTED "mma.sync.aligned.%s.row.col%s.%s.%s.%s.%s ", p->shape, p->words, ptx_type_name(p->d),
             ptx_type_name(p->a), ptx_type_name(p->b), ptx_type_name(p->d));
    registers_text(t, 'd', of[2]), text_add(t, ", ");
    registers_text(t, 'a', of[0]), text_add(t, ", ");
    registers_text(t, 'b', of[1]), text_add(t, ", ");
    registers_text(t, 'c', of[2]), text_add(t, ";\n" UNTESTED);
    for (unsigned k = 0; k < of[2]; k++) text_add(t, "st.global.b%u [%%to+%u], %%d%u;\n", bits, 8 * k, k);
    text_add(t, "ret;\n}\n");
}
/* Returns an error bound for the sum of k products and C. Each term loses less than a unit in the 26th bit of the
 * largest term. The result loses less than a unit in its last bit. */
static inline double bound_of(const struct product *p, double largest) {
    if (p->d == PTX_S32) return 0;
    if (p->d == PTX_F64) return largest * (p->k + 1) * 0x1p-50;
    return largest * (p->d == PTX_F16 ? 0x1p-9 : 0x1p-18);
}
static inline void check_product(const struct product *p, bool exact) {
    static struct tiles s;
    static struct text t;
    static struct run r;
    fill_tiles(p, &s, exact);
    product_text(&t, p);
    r = (struct run){.text = t.data,
                     .isa = instruction_sets[0],
                     .in = s.in,
                     .in_bytes = sizeof s.in,
                     .out = s.out,
                     .out_bytes = sizeof s.out};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s: stopped", p->shape);
    for (unsigned l = 0; l < 32; l++)
        for (unsigned i = 0; i < p->m / 4; i++) {
            unsigned row, column;
            place_of_c(l, i, &row, &column);
            const uint64_t word = s.out[l][p->d == PTX_F16 ? i / 2 : i];
            const double got = number_of_bits(p->d == PTX_F16 ? word >> 16 * (i % 2) & 0xffff : word, p->d);
            double want = s.c[row][column], largest = fabs(want);
            for (unsigned k = 0; k < p->k; k++) {
                const double product =
                    strstr(p->words, "xor") ? s.a[row][k] != s.b[k][column] : s.a[row][k] * s.b[k][column];
                want += product, largest = fmax(largest, fabs(product));
            }
            if (p->d == PTX_S32 && strstr(p->words, "sat")) want = fmax(fmin(want, INT32_MAX), INT32_MIN);
            if (p->d == PTX_S32) want = (double)(int32_t)(uint32_t)(int64_t)want;
            if (exact ? got == want : fabs(got - want) <= bound_of(p, largest * 2)) continue;
            ck_abort_msg("mma %s %s of %s and %s: [%u][%u] is %.17g, expected %.17g", p->shape, ptx_type_name(p->d),
                         ptx_type_name(p->a), ptx_type_name(p->b), row, column, got, want);
        }
}

/* The simulator can leave out terms of a product. Without all terms, the result must be C. Without a part of the terms,
 * it must not be C, and must be the same each time. Unless elements have one bit, it must not be the whole product. */
static inline void check_product_without(const struct product *p) {
    static struct tiles s, whole, most;
    static struct text t;
    static struct run r;
    unsigned as_c = 0, as_whole = 0, same = 0, all = 0;
    fill_tiles(p, &s, true);
    product_text(&t, p);
    for (unsigned k = 0; k < 4; k++) {
        static const enum sim_products left[] = {SIM_PRODUCTS_WHOLE, SIM_PRODUCTS_MOST, SIM_PRODUCTS_MOST,
                                                 SIM_PRODUCTS_NONE};
        r = (struct run){.text = t.data,
                         .isa = instruction_sets[0],
                         .in = s.in,
                         .in_bytes = sizeof s.in,
                         .out = s.out,
                         .out_bytes = sizeof s.out,
                         .options = {.products = left[k]}};
        run(&r);
        ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s: stopped", p->shape);
        if (!k) whole = s;
        if (k == 1) most = s;
        if (k == 2) ck_assert_mem_eq(most.out, s.out, sizeof s.out);
    }
    for (unsigned l = 0; l < 32; l++)
        for (unsigned i = 0; i < p->m / 4; i++) {
            unsigned row, column;
            place_of_c(l, i, &row, &column);
            const unsigned at = p->d == PTX_F16 ? i / 2 : i, shift = p->d == PTX_F16 ? 16 * (i % 2) : 0;
            const uint64_t bits = p->d == PTX_F16 ? 0xffff : UINT64_MAX;
            const double none = number_of_bits(s.out[l][at] >> shift & bits, p->d),
                         some = number_of_bits(most.out[l][at] >> shift & bits, p->d),
                         full = number_of_bits(whole.out[l][at] >> shift & bits, p->d);
            all++, same += none == s.c[row][column], as_c += some == none, as_whole += some == full;
        }
    ck_assert_uint_eq(same, all);
    const bool many = ptx_type_bits(p->a) > 1;
    ck_assert_msg(as_c < all && (as_whole < all || !many), "%s: of %u elements, %u equal C and %u the whole product",
                  p->shape, all, as_c, as_whole);
}

/* ---- wmma: from memory to memory --------------------------------------------------------------- */
static const struct wmma {
    const char *shape, *layout, *words;
    unsigned m, n, k;
    enum ptx_type d, c, a; /* also the type of b */
} wmmas[] = {
    {"m16n16k16", "row.col", "", 16, 16, 16, PTX_F32, PTX_F32, PTX_F16},
    {"m16n16k16", "row.row", "", 16, 16, 16, PTX_F16, PTX_F16, PTX_F16},
    {"m32n8k16", "col.col", "", 32, 8, 16, PTX_F32, PTX_F16, PTX_F16},
    {"m8n32k16", "col.row", "", 8, 32, 16, PTX_F16, PTX_F32, PTX_F16},
    {"m32n8k16", "row.row", "", 32, 8, 16, PTX_F32, PTX_F32, PTX_F16},
    {"m8n32k16", "col.col", "", 8, 32, 16, PTX_F16, PTX_F16, PTX_F16},
    {"m32n8k16", "row.col", "", 32, 8, 16, PTX_F16, PTX_F16, PTX_F16},
    {"m8n32k16", "row.row", "", 8, 32, 16, PTX_F32, PTX_F16, PTX_F16},
    {"m16n16k16", "col.col", "", 16, 16, 16, PTX_F32, PTX_F32, PTX_F16},
    {"m8n32k16", "row.col", "", 8, 32, 16, PTX_F32, PTX_F32, PTX_BF16},
    {"m16n16k16", "row.row", "", 16, 16, 16, PTX_S32, PTX_S32, PTX_S8},
    {"m16n16k16", "col.col", ".satfinite", 16, 16, 16, PTX_S32, PTX_S32, PTX_U8},
    {"m16n16k16", "row.row", "", 16, 16, 16, PTX_F32, PTX_F32, PTX_BF16},
    {"m32n8k16", "row.col", "", 32, 8, 16, PTX_F32, PTX_F32, PTX_BF16},
    {"m8n32k16", "col.col", "", 8, 32, 16, PTX_F32, PTX_F32, PTX_BF16},
    {"m16n16k8", "row.col", "", 16, 16, 8, PTX_F32, PTX_F32, PTX_TF32},
    {"m16n16k8", "row.row", "", 16, 16, 8, PTX_F32, PTX_F32, PTX_TF32},
    {"m16n16k8", "col.col", "", 16, 16, 8, PTX_F32, PTX_F32, PTX_TF32},
    {"m8n8k4", "row.col", ".rn", 8, 8, 4, PTX_F64, PTX_F64, PTX_F64},
    {"m8n8k4", "row.row", ".rn", 8, 8, 4, PTX_F64, PTX_F64, PTX_F64},
    {"m8n8k4", "col.col", ".rn", 8, 8, 4, PTX_F64, PTX_F64, PTX_F64},
    {"m16n16k16", "row.col", "", 16, 16, 16, PTX_S32, PTX_S32, PTX_S8},
    {"m32n8k16", "row.row", ".satfinite", 32, 8, 16, PTX_S32, PTX_S32, PTX_U8},
    {"m8n32k16", "col.col", "", 8, 32, 16, PTX_S32, PTX_S32, PTX_S8},
    {"m16n16k16", "col.row", ".satfinite", 16, 16, 16, PTX_S32, PTX_S32, PTX_U8},
    {"m32n8k16", "col.col", ".satfinite", 32, 8, 16, PTX_S32, PTX_S32, PTX_S8},
    {"m8n32k16", "row.row", "", 8, 32, 16, PTX_S32, PTX_S32, PTX_U8},
    {"m32n8k16", "row.col", ".satfinite", 32, 8, 16, PTX_S32, PTX_S32, PTX_U8},
    {"m8n32k16", "row.col", "", 8, 32, 16, PTX_F16, PTX_F32, PTX_F16},
    {"m16n16k16", "col.row", "", 16, 16, 16, PTX_F32, PTX_F32, PTX_F16},
    {"m32n8k16", "col.row", "", 32, 8, 16, PTX_F32, PTX_F16, PTX_F16},
    {"m32n8k16", "col.row", "", 32, 8, 16, PTX_F32, PTX_F32, PTX_BF16},
    {"m8n32k16", "col.row", "", 8, 32, 16, PTX_S32, PTX_S32, PTX_S8},
    {"m16n16k8", "col.row", "", 16, 16, 8, PTX_F32, PTX_F32, PTX_TF32},
    {"m8n8k4", "col.row", ".rn", 8, 8, 4, PTX_F64, PTX_F64, PTX_F64},
};
enum {
    WMMAS = sizeof wmmas / sizeof *wmmas,
    TILE_BYTES = 16384,
    WIDER = 8 /* padding between rows, in elements */
};
struct wmma_tiles {
    uint8_t a[TILE_BYTES], b[TILE_BYTES], c[TILE_BYTES], d[TILE_BYTES];
};
/* Returns the address of element (row, column) in a matrix of this layout. */
static inline uint8_t *wmma_at(uint8_t *base, bool rows, unsigned apart, unsigned row, unsigned column,
                               enum ptx_type t) {
    return base + ptx_type_bits(t) / 8 * (rows ? row * apart + column : column * apart + row);
}
static inline void wmma_put(uint8_t *at, enum ptx_type t, double v) {
    const uint64_t bits = bits_of_number(v, t);
    memcpy(at, &bits, ptx_type_bits(t) / 8);
}
static inline double wmma_get(const uint8_t *at, enum ptx_type t) {
    uint64_t bits = 0;
    memcpy(&bits, at, ptx_type_bits(t) / 8);
    return number_of_bits(bits, t);
}
static inline unsigned wmma_registers(unsigned elements, enum ptx_type t, bool accumulator) {
    return t == PTX_F16 && !accumulator ? 8 : registers_of(elements, t);
}
static inline const char *wmma_register(enum ptx_type t) { return t == PTX_F64 ? "f64" : t == PTX_F32 ? "f32" : "b32"; }
static inline void wmma_text(struct text *t, const struct wmma *p, const bool rows[3], const unsigned apart[3]) {
    const unsigned of[] = {wmma_registers(p->m * p->k, p->a, false), wmma_registers(p->k * p->n, p->a, false),
                           wmma_registers(p->m * p->n, p->c, true), wmma_registers(p->m * p->n, p->d, true)};
    const enum ptx_type types[] = {p->a, p->a, p->c, p->d};
    t->length = 0;
    text_add(
        t, HEADER
        ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%apart;\n.reg .b64 %%to, %%from, %%at;\n");
    for (unsigned k = 0; k < 4; k++) text_add(t, ".reg .%s %%%c<8>;\n", wmma_register(types[k]), "abcd"[k]);
    text_add(t, UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\n" TESTED);
    for (unsigned k = 0; k < 3; k++) {
        text_add(t, "mov.u32 %%apart, %u;\nadd.s64 %%at, %%from, %u;\nwmma.load.%c.sync.aligned.%s.%s%s.%s ", apart[k],
                 k * TILE_BYTES, "abc"[k], rows[k] ? "row" : "col", p->shape, k ? ".global" : "",
                 ptx_type_name(types[k]));
        registers_text(t, "abc"[k], of[k]), text_add(t, ", [%%at], %%apart;\n");
    }
    text_add(t, "wmma.mma.sync.aligned.%s.%s%s.%s", p->layout, p->shape, p->words, ptx_type_name(p->d));
    if (p->a != PTX_F16) text_add(t, ".%s.%s", ptx_type_name(p->a), ptx_type_name(p->a));
    text_add(t, ".%s ", ptx_type_name(p->c));
    registers_text(t, 'd', of[3]), text_add(t, ", "), registers_text(t, 'a', of[0]), text_add(t, ", ");
    registers_text(t, 'b', of[1]), text_add(t, ", "), registers_text(t, 'c', of[2]);
    text_add(t, ";\nwmma.store.d.sync.aligned.%s.%s.global.%s [%%to], ", rows[2] ? "row" : "col", p->shape,
             ptx_type_name(p->d));
    registers_text(t, 'd', of[3]), text_add(t, ", %%apart;\n" UNTESTED "ret;\n}\n");
}
static inline void check_wmma(const struct wmma *p, bool exact) {
    static struct wmma_tiles s;
    static struct text t;
    static struct run r;
    const bool rows[] = {p->layout[0] == 'r', p->layout[4] == 'r', (p->m + p->k + p->layout[0]) % 2};
    const unsigned apart[] = {(rows[0] ? p->k : p->m) + 2 * WIDER, (rows[1] ? p->n : p->k) + 2 * WIDER,
                              (rows[2] ? p->n : p->m) + WIDER};
    double a[32][32], b[32][32], c[32][32];
    uint64_t random = p->m * 7 + p->n;
    memset(&s, 0, sizeof s);
    for (unsigned y = 0; y < p->m; y++)
        for (unsigned k = 0; k < p->k; k++)
            wmma_put(wmma_at(s.a, rows[0], apart[0], y, k, p->a), p->a, a[y][k] = drawn_number(p->a, exact, &random));
    for (unsigned k = 0; k < p->k; k++)
        for (unsigned x = 0; x < p->n; x++)
            wmma_put(wmma_at(s.b, rows[1], apart[1], k, x, p->a), p->a, b[k][x] = drawn_number(p->a, exact, &random));
    for (unsigned y = 0; y < p->m; y++)
        for (unsigned x = 0; x < p->n; x++)
            wmma_put(wmma_at(s.c, rows[2], apart[2], y, x, p->c), p->c, c[y][x] = drawn_number(p->c, exact, &random));
    wmma_text(&t, p, rows, apart);
    r = (struct run){.text = t.data,
                     .isa = instruction_sets[0],
                     .in = &s,
                     .in_bytes = sizeof s,
                     .out = s.d,
                     .out_bytes = sizeof s.d};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults, "wmma %s: stopped", p->shape);
    for (unsigned y = 0; y < p->m; y++)
        for (unsigned x = 0; x < p->n; x++) {
            const double got = wmma_get(wmma_at(s.d, rows[2], apart[2], y, x, p->d), p->d);
            double want = c[y][x], largest = fabs(want);
            for (unsigned k = 0; k < p->k; k++)
                want += a[y][k] * b[k][x], largest = fmax(largest, fabs(a[y][k] * b[k][x]));
            if (p->d == PTX_S32 && strstr(p->words, "sat")) want = fmax(fmin(want, INT32_MAX), INT32_MIN);
            if (p->d == PTX_S32) want = (double)(int32_t)(uint32_t)(int64_t)want;
            const struct product as = {.k = p->k, .d = p->d};
            if (exact ? got == want : fabs(got - want) <= bound_of(&as, largest * 2)) continue;
            ck_abort_msg("wmma %s.%s %s of %s: [%u][%u] is %.17g, expected %.17g", p->layout, p->shape,
                         ptx_type_name(p->d), ptx_type_name(p->a), y, x, got, want);
        }
}

#endif
