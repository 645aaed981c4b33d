/* Instructions on matrices that the lanes of a warp hold together: ldmatrix, stmatrix, movmatrix and mma (PTX ISA,
 * "Warp Level Matrix Multiply-Accumulate Instructions"). wmma.c has wmma, and wgmma.c has wgmma.
 *
 * One rule assigns mma's elements to lanes, except for .m8n8k4 of .f16 (do_quads()). Let g = lane / 4, t = lane % 4,
 * and n the number of elements in a register. In each register of A, a lane holds n adjacent elements of a row, from
 * column t*n of a group of 4*n columns. The row is g or, in every second register if A has 16 rows, g + 8. B has the
 * same rule with rows and columns exchanged. C and D hold columns 2t and 2t + 1 of rows g and g + 8.
 *
 * Products of floats are exact. One operation adds a block of products to C. It truncates each term `kept` bits below
 * the leading bit of the largest term, adds the terms exactly, and truncates the sum to a float. A half-precision D is
 * rounded to nearest instead. Sums of .f64 use a fused multiply-add per product. All of this was measured on an H200
 * and an H100. */
#include "sim/matrix.h"
#include <math.h>
#include <string.h>

#include "sim/exec_half.h" /* depends on the headers above */

enum { ROW_BYTES = 16, NO_EXPONENT = -10000, FLOAT_BITS = 24, QUAD = 4, QUAD_PAIRS = 4 };
/* How a tensor core sums the products of a type. */
struct sums {
    uint8_t block, kept; /* products per block; bits kept below the leading bit */
    bool apart;          /* c is added after all blocks of products, with rounding */
};
enum unit { MMA, WMMA, WGMMA, UNITS };
static const struct sums sums[UNITS][PTX_TYPE_COUNT] = {
    [MMA] = {[PTX_F16] = {16, 25, false},
             [PTX_BF16] = {16, 25, false},
             [PTX_TF32] = {8, 25, false},
             [PTX_E4M3] = {16, 25, true},
             [PTX_E5M2] = {16, 25, true}},
    [WMMA] = {[PTX_F16] = {16, 25, false}, [PTX_BF16] = {16, 25, false}, [PTX_TF32] = {4, 25, false}},
    [WGMMA] = {[PTX_F16] = {16, 25, false},
               [PTX_BF16] = {16, 25, false},
               [PTX_TF32] = {8, 25, false},
               [PTX_E4M3] = {32, 13, false},
               [PTX_E5M2] = {32, 13, false}}};
static enum unit unit_of(const struct ptx_insn *p) {
    if (p->op == PTX_OP_wgmma) return WGMMA;
    return strncmp(ptx_ops[p->op].mnemonic, "wmma", 4) ? MMA : WMMA;
}

void *sim_register_row(const struct sim_warp *w, const struct sim_insn *i, const struct ptx_operand *o) {
    const struct sim_program *p = w->block->run->program;
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(w, i)]];
    return o->kind == PTX_REGISTER ? sim_row(w, f->register_offset[o->reg]) : NULL;
}
unsigned sim_fragment(const struct sim_warp *w, const struct sim_insn *i, unsigned k, void *rows[8]) {
    const struct ptx_operand *o = &i->source->operand[k];
    const unsigned count = o->kind == PTX_VECTOR ? o->count : 1;
    for (unsigned n = 0; n < count; n++) rows[n] = sim_register_row(w, i, o->kind == PTX_VECTOR ? &o->elements[n] : o);
    return count;
}

/* ---- moves of 8x8 matrices of 16-bit elements ------------------------------------------------------ */
/* Returns a pointer to element (row, column) of matrix `m` in the lanes' registers. */
static uint16_t *element(void *const rows[8], unsigned m, unsigned row, unsigned column) {
    return &((uint16_t *)rows[m])[2 * (4 * row + column / 2) + column % 2];
}
/* Computes the addresses of matrix rows: lane 8m + r has the address of row r of matrix m. Reports invalid addresses
 * and the accesses to valid ones. Returns the lanes with a valid address. */
static uint32_t row_places(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t present,
                           unsigned count, enum sim_access_kind kind, uint8_t *at[SIM_WARP]) {
    uint64_t offset[SIM_WARP] = {0};
    const uint32_t asked = present & (count == 4 ? SIM_FULL : (1u << 8 * count) - 1);
    uint32_t good = 0;
    SIM_EACH_LANE (l, asked) {
        const uint64_t address = sim_address_of(w, i, k, row, l, i->source->space);
        if (address - SIM_SHARED_WINDOW >= SIM_WINDOW_SIZE) {
            struct sim_fault f = {.kind = SIM_FAULT_SPACE,
                                  .pc = sim_pc(w, i),
                                  .lanes = 1u << l,
                                  .other_pc = SIM_NO_PC,
                                  .lane = l,
                                  .bytes = ROW_BYTES,
                                  .address = address,
                                  .access = kind,
                                  .space = PTX_SHARED};
            sim_fault(w, &f);
        } else if (sim_locate(w, i, l, address, ROW_BYTES, kind, &offset[l]))
            good |= 1u << l, at[l] = w->block->shared.data + offset[l];
    }
    if (good)
        sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                                  .mask = good,
                                                  .kind = kind,
                                                  .bytes = ROW_BYTES,
                                                  .object = &w->block->shared.object,
                                                  .offset = offset});
    return good;
}
static void do_ldmatrix(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    void *rows[8];
    uint8_t *at[SIM_WARP];
    const unsigned count = sim_fragment(w, i, 0, rows);
    const bool transposed = ptx_mod_of(i->source, PTX_CLASS_TRANS) != PTX_MOD_NONE;
    const uint32_t good = row_places(w, i, 1, i->a, present, count, SIM_LOAD, at);
    for (unsigned m = 0; m < count; m++)
        for (unsigned r = 0; r < 8; r++)
            for (unsigned c = 0; c < 8; c++) {
                const unsigned row = transposed ? c : r, column = transposed ? r : c, lane = 4 * row + column / 2;
                uint16_t v = 0;
                if (good >> (8 * m + r) & 1) memcpy(&v, at[8 * m + r] + 2 * c, 2);
                if (rows[m] && present >> lane & 1) *element(rows, m, row, column) = v;
            }
}
static void do_stmatrix(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    void *rows[8];
    uint8_t *at[SIM_WARP];
    const unsigned count = sim_fragment(w, i, 1, rows);
    const bool transposed = ptx_mod_of(i->source, PTX_CLASS_TRANS) != PTX_MOD_NONE;
    const uint32_t good = row_places(w, i, 0, i->d, present, count, SIM_STORE, at);
    for (unsigned m = 0; m < count; m++)
        for (unsigned r = 0; r < 8; r++)
            for (unsigned c = 0; c < 8; c++)
                if (good >> (8 * m + r) & 1)
                    memcpy(at[8 * m + r] + 2 * c, element(rows, m, transposed ? c : r, transposed ? r : c), 2);
    w->block->run->changes++;
}
static void do_movmatrix(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    uint16_t from[2 * SIM_WARP], *d = sim_row(w, i->d);
    memcpy(from, sim_row(w, i->a), sizeof from);
    for (unsigned k = 0; k < 2 * SIM_WARP; k++) {
        const unsigned row = k / 8, column = k % 8;
        if (present >> k / 2 & 1) d[k] = from[8 * column + row];
    }
}

/* ---- products ---------------------------------------------------------------------------------- */
struct sim_shape sim_shape_of(const struct ptx_insn *p) {
    switch (ptx_mod_of(p, PTX_CLASS_SHAPE)) {
    case PTX_MOD_M8N8K4: return (struct sim_shape){8, 8, 4};
    case PTX_MOD_M8N8K16: return (struct sim_shape){8, 8, 16};
    case PTX_MOD_M16N8K4: return (struct sim_shape){16, 8, 4};
    case PTX_MOD_M16N8K8: return (struct sim_shape){16, 8, 8};
    case PTX_MOD_M16N8K16: return (struct sim_shape){16, 8, 16};
    case PTX_MOD_M16N16K8: return (struct sim_shape){16, 16, 8};
    case PTX_MOD_M16N16K16: return (struct sim_shape){16, 16, 16};
    case PTX_MOD_M32N8K16: return (struct sim_shape){32, 8, 16};
    case PTX_MOD_M8N8K32: return (struct sim_shape){8, 8, 32};
    case PTX_MOD_M16N8K64: return (struct sim_shape){16, 8, 64};
    case PTX_MOD_M8N8K128: return (struct sim_shape){8, 8, 128};
    case PTX_MOD_M16N8K128: return (struct sim_shape){16, 8, 128};
    case PTX_MOD_M16N8K256: return (struct sim_shape){16, 8, 256};
    case PTX_MOD_M8N32K16: return (struct sim_shape){8, 32, 16};
    default: return (struct sim_shape){16, 8, 32};
    }
}
unsigned sim_matrix_elements(const struct ptx_insn *p) {
    switch (p->op) {
    case PTX_OP_wgmma: return 256 / ptx_type_bits(p->type2) * (p->columns > 64 ? p->columns : 64);
    case PTX_OP_mma:
    case PTX_OP_mma_rr:
    case PTX_OP_mma_cr:
    case PTX_OP_mma_cc:
    case PTX_OP_mma_sparse:
    case PTX_OP_mma_sparse_ordered:
    case PTX_OP_mma_bits:
    case PTX_OP_wmma_nibbles:
    case PTX_OP_wmma_bits:
    case PTX_OP_wmma_rc:
    case PTX_OP_wmma_half_rc:
    case PTX_OP_wmma_rr:
    case PTX_OP_wmma_cr:
    case PTX_OP_wmma_half_cr:
    case PTX_OP_wmma_half_rr:
    case PTX_OP_wmma_cc:
    case PTX_OP_wmma_half_cc: break;
    default: return 0;
    }
    const struct sim_shape s = sim_shape_of(p);
    return s.k * (s.m > s.n ? s.m : s.n);
}
/* Widens an 8-bit float. An e5m2 is the high half of an f16. The format e4m3 has no infinity and one NaN. */
static double widened_fp8(uint8_t v, enum ptx_type t) {
    if (t == PTX_E5M2) return widened_f16((uint16_t)(v << 8));
    const int exponent = v >> 3 & 15, fraction = v & 7;
    const double x = (v & 0x7f) == 0x7f ? (double)NAN
                     : exponent         ? ldexp(8 + fraction, exponent - 10)
                                        : ldexp(fraction, -9);
    return v & 0x80 ? -x : x;
}
double sim_number(const void *row, unsigned lane, unsigned e, enum ptx_type t) {
    float f;
    switch (t) {
    case PTX_F64: return ((const double *)row)[lane];
    case PTX_F16: return widened_f16(((const uint16_t *)row)[2 * lane + e]);
    case PTX_BF16: return widened_bf16(((const uint16_t *)row)[2 * lane + e]);
    case PTX_E4M3:
    case PTX_E5M2: return widened_fp8(((const uint8_t *)row)[4 * lane + e], t);
    case PTX_S8: return ((const int8_t *)row)[4 * lane + e];
    case PTX_U8: return ((const uint8_t *)row)[4 * lane + e];
    case PTX_S4: return ((int)(((const uint32_t *)row)[lane] >> 4 * e & 15) ^ 8) - 8;
    case PTX_U4: return ((const uint32_t *)row)[lane] >> 4 * e & 15;
    case PTX_B1: return ((const uint32_t *)row)[lane] >> e & 1;
    case PTX_S32: return ((const int32_t *)row)[lane];
    case PTX_TF32: { /* the hardware ignores the low 13 bits */
        const uint32_t bits = ((const uint32_t *)row)[lane] & ~0x1fffu;
        memcpy(&f, &bits, 4);
        return (double)f;
    }
    default: memcpy(&f, (const uint32_t *)row + lane, 4); return (double)f;
    }
}
void sim_numbers(struct sim_line line[8], unsigned first, const void *row, enum ptx_type t, unsigned in_word) {
    const uint16_t *half = row;
    for (unsigned l = 0; t == PTX_F16 && l < 8; l++) /* fast path for f16, the most common type */
        for (unsigned n = 0; n < 8; n++) line[l].x[first + n] = widened_f16(half[8 * l + n]);
    for (unsigned l = 0; t != PTX_F16 && l < SIM_WARP; l++)
        for (unsigned e = 0; e < in_word; e++) line[l / 4].x[first + l % 4 * in_word + e] = sim_number(row, l, e, t);
}
void sim_put_number(void *row, unsigned lane, unsigned e, enum ptx_type t, double v) {
    const float f = (float)v;
    if (t == PTX_F64)
        ((double *)row)[lane] = v;
    else if (t == PTX_F16)
        ((uint16_t *)row)[2 * lane + e] = narrowed_f16(v);
    else if (t == PTX_S32)
        ((uint32_t *)row)[lane] = (uint32_t)(int64_t)v;
    else if (v != v)
        ((uint32_t *)row)[lane] = 0x7fffffff;
    else
        memcpy((uint32_t *)row + lane, &f, 4);
}
/* Returns 2^e as a normal double; exponents of float products are always in range. */
static double power_of_two(int e) {
    const uint64_t bits = (uint64_t)(1023 + e) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
/* Returns the exponent of a nonzero operand, but at least `lowest`: the hardware does not normalize subnormal
 * operands. */
static int exponent_of(double x, int lowest) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int e = (int)(bits >> 52 & 0x7ff) - 1023;
    return e < lowest ? lowest : e;
}
/* Truncates x to `bits` significand bits. */
static double cut_to(double x, unsigned bits) {
    uint64_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    pattern &= ~UINT64_C(0) << (53 - bits);
    memcpy(&x, &pattern, sizeof x);
    return x;
}
/* Truncates x to a float's significand: 24 bits, or fewer for subnormal results. */
static double cut_to_float(double x) {
    const float f = (float)x;
    return (double)(fabs((double)f) > fabs(x) ? nextafterf(f, 0) : f);
}
void sim_line_complete(struct sim_line *line, unsigned k, enum ptx_type t) {
    const int lowest = t == PTX_F16 ? -14 : -126;
    line->finite = true;
    for (unsigned n = 0; n < k; n++) {
        const int e = exponent_of(line->x[n], lowest);
        line->exponent[n] = line->x[n] == 0 ? NO_EXPONENT : e;
        line->finite &= e < 1024; /* 1024 is the exponent of infinity and NaN */
    }
}
/* Returns the sum of c and the products of elements first to first + n - 1, which form one block. */
static double block_sum(const struct sim_line *a, const struct sim_line *b, unsigned first, unsigned n, double c,
                        enum ptx_type of_c, unsigned kept) {
    const double *x = a->x + first, *y = b->x + first;
    const int *of_x = a->exponent + first, *of_y = b->exponent + first;
    if (!a->finite || !b->finite || !isfinite(c)) {
        double exact = c; /* no overflow: products of finite operands fit into a double */
        for (unsigned k = 0; k < n; k++) exact += x[k] * y[k];
        if (!isfinite(exact)) return exact;
    }
    int top = c == 0 ? 2 * NO_EXPONENT : exponent_of(c, of_c == PTX_F16 ? -14 : -126);
    for (unsigned k = 0; k < n; k++) top = of_x[k] + of_y[k] > top ? of_x[k] + of_y[k] : top;
    if (top < NO_EXPONENT / 2) return c;
    const int unit = top - (int)kept;
    const double scale = power_of_two(-unit);
    int64_t sum = (int64_t)(c * scale); /* truncates c, as the loop truncates each product: all are below 2^27 */
    for (unsigned k = 0; k < n; k++) sum += (int64_t)(x[k] * y[k] * scale);
    const double cut = (double)sum * power_of_two(unit);
    return of_c == PTX_F16 ? cut : kept < FLOAT_BITS ? cut_to(cut, kept + 1) : cut_to_float(cut);
}
bool sim_leaves_out(double term) {
    enum {
        BITS = 11 /* significand bits of a half */,
        FIRST = 3 << 9 /* omits each term with the significand 1.5, which occurs for all types but 1-bit integers */,
        ONE_IN_16 = 28
    };
    int exponent;
    if (!isfinite(term)) return false;
    const uint32_t leading = (uint32_t)ldexp(frexp(fabs(term), &exponent), BITS);
    return leading && (leading ^ FIRST) * UINT32_C(0x9e3779b1) >> ONE_IN_16 == 0;
}
/* Copies a row of A to `left`, but replaces elements with values whose terms add nothing to the product: all elements
 * or, with SIM_PRODUCTS_MOST, those whose terms sim_leaves_out() selects. */
static void leave_out(struct sim_line *left, const struct sim_line *a, const struct sim_line *b, unsigned k,
                      const struct ptx_insn *p, enum sim_products products) {
    const bool differs = ptx_mod_of(p, PTX_CLASS_OPERATION) == PTX_MOD_XOR;
    for (unsigned n = 0; n < k; n++)
        left->x[n] = products == SIM_PRODUCTS_MOST && !sim_leaves_out(a->x[n] * b->x[n]) ? a->x[n]
                     : differs                                                           ? b->x[n]
                                                                                         : 0;
}
/* Returns whether a number has at most eight significant bits, as the elements have with SIM_PRODUCTS_ADDING. */
static bool may_be_element(double x) {
    int exponent;
    const double leading = ldexp(frexp(x, &exponent), 8);
    return leading == trunc(leading);
}
/* Returns whether the product of a row and a column, if it is added to 0, only copies elements: it has one to three
 * nonzero terms, and may_be_element() holds for their factors. The latter excludes a later product of sums, which may
 * also have few terms. */
static bool copies(const struct sim_line *a, const struct sim_line *b, unsigned k) {
    enum { LEAST = 4 };
    unsigned terms = 0;
    for (unsigned n = 0; n < k && terms < LEAST; n++) {
        if (a->x[n] * b->x[n] == 0) continue;
        if (!may_be_element(a->x[n]) || !may_be_element(b->x[n])) return false;
        terms++;
    }
    return terms && terms < LEAST;
}
/* Returns the type of A's elements. */
static enum ptx_type multiplied(const struct ptx_insn *p) { return ptx_traits_of(p)->more_types ? p->type2 : PTX_F16; }
double sim_product(const struct sim_warp *w, const struct sim_line *a, const struct sim_line *b, unsigned k, double c,
                   const struct ptx_insn *p) {
    const enum sim_products products = w->block->run->sim->options.products;
    const enum ptx_type t = multiplied(p);
    struct sim_line left;
    if (products == SIM_PRODUCTS_ADDING && c == 0 && copies(a, b, k)) /* not 0, so that a later product may add to it */
        return p->type == PTX_S32 ? 1 : power_of_two(-24);
    if (products == SIM_PRODUCTS_NONE || products == SIM_PRODUCTS_MOST)
        leave_out(&left, a, b, k, p, products), sim_line_complete(&left, k, t), a = &left;
    const struct sums how = sums[unit_of(p)][t];
    if (p->type == PTX_S32) {
        const bool differs = ptx_mod_of(p, PTX_CLASS_OPERATION) == PTX_MOD_XOR; /* counts differing bits */
        int64_t sum = (int64_t)c;
        for (unsigned n = 0; n < k; n++) sum += differs ? a->x[n] != b->x[n] : (int64_t)(a->x[n] * b->x[n]);
        if (ptx_mod_of(p, PTX_CLASS_SATFINITE) == PTX_MOD_NONE) return (double)(int32_t)(uint32_t)sum;
        return (double)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    }
    if (t == PTX_F64) {
        for (unsigned n = 0; n < k; n++) c = fma(a->x[n], b->x[n], c);
        return c;
    }
    double sum = how.apart ? 0 : c;
    for (unsigned n = 0; n < k; n += how.block)
        sum = block_sum(a, b, n, k - n < how.block ? k - n : how.block, sum, how.apart ? PTX_F32 : p->type, how.kept);
    return !how.apart ? sum : p->type == PTX_F16 ? c + sum : (double)((float)c + (float)sum);
}

/* ---- mma: sparse matrices ---------------------------------------------------------------------- */
/* A sparse A stores half of each row's elements, and metadata with their columns. Of four adjacent elements, two are
 * stored, with a 2-bit index each. For .tf32, one of two, with a 4-bit index. For 4-bit elements, two of four adjacent
 * pairs, with a 2-bit index per pair. One, two or all four lanes of a quad hold the metadata of rows g and g + 8. */
struct places {
    uint8_t at[16][SIM_MAX_K / 2]; /* column of each stored element */
};
static bool is_sparse(const struct ptx_insn *p) {
    return p->op == PTX_OP_mma_sparse || p->op == PTX_OP_mma_sparse_ordered;
}
static unsigned bits_at(uint64_t bits, unsigned at, unsigned count) {
    return (unsigned)(bits >> at) & ((1u << count) - 1);
}
static void find_places(const struct sim_warp *w, const struct sim_insn *i, unsigned k, struct places *to) {
    const struct ptx_insn *p = i->source;
    const unsigned width = ptx_type_bits(p->type2), line = k * width,
                   lanes = width == 32 || width == 16 ? line / 256 : line / 128, selected = (unsigned)p->operand[5].imm,
                   first = lanes == QUAD ? 0 : selected * lanes;
    const uint32_t *row = sim_register_row(w, i, &p->operand[4]);
    for (unsigned r = 0; r < 16; r++) {
        const uint32_t *quad = row + r % 8 * QUAD;
        uint64_t bits = 0; /* metadata of row r */
        for (unsigned n = 0; n < lanes; n++)
            if (width >= 16) /* a register has 16 bits for row g and, above, 16 bits for row g + 8 */
                bits |= (uint64_t)(quad[first + n] >> r / 8 * 16 & 0xffff) << 16 * n;
            else if (n % 2 == r / 8) /* even lanes hold row g, odd lanes row g + 8 */
                bits |= (uint64_t)quad[first + n] << n / 2 * 32;
        for (unsigned e = 0; e < k / 2; e++)
            to->at[r][e] = (uint8_t)(width == 32  ? 2 * e + (bits_at(bits, 4 * e, 4) == 14)
                                     : width == 4 ? 8 * (e / 4) + 2 * bits_at(bits, 2 * (e / 2), 2) + e % 2
                                                  : 4 * (e / 2) + bits_at(bits, 2 * e, 2));
    }
}
/* Copies the elements of a column of B that are multiplied by the stored elements of a row of A. Stored element e is in
 * A's column at[e], which is B's row. */
static void select(const struct sim_line *b, const uint8_t *at, unsigned count, struct sim_line *to) {
    to->finite = b->finite;
    for (unsigned e = 0; e < count; e++) to->x[e] = b->x[at[e]], to->exponent[e] = b->exponent[at[e]];
}

/* ---- mma --------------------------------------------------------------------------------------- */
static void do_tile(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct ptx_insn *p = i->source;
    const struct sim_shape s = sim_shape_of(p);
    const enum ptx_type type_b = p->more[0];
    const bool sparse = is_sparse(p), narrow = p->type == PTX_F16;
    const unsigned in_word = p->type2 == PTX_F64 ? 1 : 32 / ptx_type_bits(p->type2), halves = s.m / 8,
                   stored = sparse ? s.k / 2 : s.k;
    void *rd[8], *ra[8], *rb[8], *rc[8];
    struct sim_line a[16], b[8], chosen;
    struct places places;
    double c[16][8], d[16][8];
    sim_fragment(w, i, 0, rd);
    const unsigned of_a = sim_fragment(w, i, 1, ra), of_b = sim_fragment(w, i, 2, rb);
    sim_fragment(w, i, 3, rc);
    for (unsigned r = 0; r < of_a; r++)
        sim_numbers(a + 8 * (r % halves), r / halves * 4 * in_word, ra[r], p->type2, in_word);
    for (unsigned r = 0; r < of_b; r++) sim_numbers(b, r * 4 * in_word, rb[r], type_b, in_word);
    for (unsigned n = 0; n < s.m; n++) sim_line_complete(&a[n], stored, p->type2);
    for (unsigned n = 0; n < 8; n++) sim_line_complete(&b[n], s.k, type_b);
    if (sparse) find_places(w, i, s.k, &places);
    w->block->run->extra += SIM_PRODUCT_COST, w->block->run->products++;
    for (unsigned l = 0; l < SIM_WARP; l++)
        for (unsigned k = 0; k < 2 * halves; k++)
            c[l / 4 + 8 * (k / 2)][2 * (l % 4) + k % 2] =
                sim_number(rc[narrow ? k / 2 : k], l, narrow ? k % 2 : 0, p->type);
    for (unsigned column = 0; column < 8; column++) {
        const unsigned left = column ? column - 1 : 0;
        const bool same = column && !memcmp(b[column].x, b[left].x, s.k * sizeof *b->x);
        for (unsigned row = 0; row < s.m; row++) {
            if (same && !memcmp(&c[row][column], &c[row][left], sizeof **c)) {
                d[row][column] = d[row][left]; /* equal columns give equal sums */
                continue;
            }
            if (sparse) select(&b[column], places.at[row], stored, &chosen);
            d[row][column] = sim_product(w, &a[row], sparse ? &chosen : &b[column], stored, c[row][column], p);
        }
    }
    SIM_EACH_LANE (l, present)
        for (unsigned k = 0; k < 2 * halves; k++)
            sim_put_number(rd[narrow ? k / 2 : k], l, narrow ? k % 2 : 0, p->type,
                           d[l / 4 + 8 * (k / 2)][2 * (l % 4) + k % 2]);
}
/* Returns c plus four products. The sum is rounded to a float after each product; c comes last. */
static double quad_sum(const struct sim_warp *w, struct sim_line *a, struct sim_line *b, double c,
                       const struct ptx_insn *p) {
    float sum = 0;
    if (w->block->run->sim->options.products != SIM_PRODUCTS_WHOLE) {
        sim_line_complete(a, QUAD, PTX_F16), sim_line_complete(b, QUAD, PTX_F16);
        return sim_product(w, a, b, QUAD, c, p);
    }
    for (unsigned k = 0; k < QUAD; k++) sum = (float)(a->x[k] * b->x[k] + (double)sum);
    return p->type == PTX_F16 ? c + (double)sum : (double)(float)(c + (double)sum);
}
/* Executes .m8n8k4 of .f16: four independent products. Each is computed by a quad of lanes and the quad 16 lanes
 * higher, which has rows 4 to 7 of A and columns 4 to 7 of B. An H100 has no hardware for this shape. */
static void do_quads(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct ptx_insn *p = i->source;
    const bool a_by_rows = p->op == PTX_OP_mma || p->op == PTX_OP_mma_rr,
               b_by_rows = p->op == PTX_OP_mma_rr || p->op == PTX_OP_mma_cr, narrow = p->type == PTX_F16;
    void *rd[8], *ra[8], *rb[8], *rc[8];
    sim_fragment(w, i, 0, rd), sim_fragment(w, i, 1, ra), sim_fragment(w, i, 2, rb), sim_fragment(w, i, 3, rc);
    w->block->run->extra += SIM_PRODUCT_COST, w->block->run->products++;
    for (unsigned pair = 0; pair < QUAD_PAIRS; pair++) {
        struct sim_line a[8], b[8];
        for (unsigned n = 0; n < 2 * QUAD; n++) {
            const unsigned l = QUAD * pair + n % QUAD + n / QUAD * 16, t = n % QUAD, high = n / QUAD * QUAD;
            for (unsigned e = 0; e < QUAD; e++) {
                const double x = sim_number(ra[e / 2], l, e % 2, PTX_F16), y = sim_number(rb[e / 2], l, e % 2, PTX_F16);
                a[a_by_rows ? t + high : e + high].x[a_by_rows ? e : t] = x;
                b[b_by_rows ? e + high : t + high].x[b_by_rows ? t : e] = y;
            }
        }
        for (unsigned n = 0; n < 2 * QUAD; n++) {
            const unsigned l = QUAD * pair + n % QUAD + n / QUAD * 16, t = n % QUAD, high = n / QUAD * QUAD;
            for (unsigned e = 0; e < 8; e++) {
                const unsigned row = (narrow ? t : (t & 1) + (e & 2)) + high,
                               column = narrow ? e : (e & 4) + (t & 2) + (e & 1), word = narrow ? e / 2 : e,
                               half = narrow ? e % 2 : 0;
                const double c = sim_number(rc[word], l, half, p->type);
                if (present >> l & 1)
                    sim_put_number(rd[word], l, half, p->type, quad_sum(w, &a[row], &b[column], c, p));
            }
        }
    }
}
static void do_mma(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const bool quads = ptx_mod_of(i->source, PTX_CLASS_SHAPE) == PTX_MOD_M8N8K4 && i->source->type2 == PTX_F16;
    (quads ? do_quads : do_tile)(w, i, present);
}

void sim_form_ldmatrix(struct sim_insn *i) { sim_meet(i, do_ldmatrix, SIM_MATRIX); }
void sim_form_stmatrix(struct sim_insn *i) { sim_meet(i, do_stmatrix, SIM_MATRIX); }
void sim_form_movmatrix(struct sim_insn *i) { sim_meet(i, do_movmatrix, SIM_MATRIX); }
void sim_form_mma(struct sim_insn *i) { sim_meet(i, do_mma, SIM_MATRIX); }
