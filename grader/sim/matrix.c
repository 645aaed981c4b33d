/* Matrices distributed over the lanes of a warp: ldmatrix, stmatrix, movmatrix, mma, wmma (PTX ISA, "Warp Level Matrix
 * Instructions").
 *
 * For mma, one rule gives the elements of a lane for all shapes. Let g = lane / 4, t = lane % 4, and n the number of
 * elements in 32 bits. A register of A holds row g (if A has 16 rows, every other register holds row g + 8), and the n
 * columns from t*n on in a group of 4*n columns. B is the same with rows and columns exchanged. C and D hold rows g and
 * g + 8, columns 2t and 2t + 1.
 *
 * Sums of floats have exact products, and add a block of them to C in one operation. All terms are truncated two bits
 * below the last place of the largest term and added exactly. The sum is truncated to a float, or rounded to nearest
 * for half precision. A block has 16 products, but for .tf32 only 8 in mma and 4 in wmma. Sums of .f64 use fused
 * multiply-adds, one product after the other. Measured on an H200. */
#include "sim/matrix.h"
#include <math.h>
#include <string.h>

#include "sim/exec_half.h" /* needs the headers above */

enum { ROW_BYTES = 16, MOST_PLACES = 32 * 16, EXTRA_BITS = 2, NO_EXPONENT = -10000 };

void *sim_register_row(const struct sim_warp *w, const struct sim_insn *i, const struct ptx_operand *o) {
    const struct sim_program *p = w->block->run->program;
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(w, i)]];
    return o->kind == PTX_REGISTER ? sim_row(w, f->register_offset[o->reg]) : NULL;
}
/* Gets the rows of a fragment's registers; returns their number. */
static unsigned fragment(const struct sim_warp *w, const struct sim_insn *i, unsigned k, void *rows[8]) {
    const struct ptx_operand *o = &i->source->operand[k];
    const unsigned count = o->kind == PTX_VECTOR ? o->count : 1;
    for (unsigned n = 0; n < count; n++) rows[n] = sim_register_row(w, i, o->kind == PTX_VECTOR ? &o->elements[n] : o);
    return count;
}

/* ---- moves of 8x8 matrices of 16-bit elements
   ---------------------------------------------------------------------- */
/* Element (row, column) of matrix `m` in the lanes' registers. */
static uint16_t *element(void *const rows[8], unsigned m, unsigned row, unsigned column) {
    return &((uint16_t *)rows[m])[2 * (4 * row + column / 2) + column % 2];
}
/* Gets the addresses of the matrix rows: lane 8m + r has the address of row r of matrix m. Returns the lanes with a
 * valid address. */
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
        sim_tell(w, &(struct told){.pc = sim_pc(w, i),
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
    const unsigned count = fragment(w, i, 0, rows);
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
    const unsigned count = fragment(w, i, 1, rows);
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

/* ---- products ------------------------------------------------------------------------------------------------------
 */
struct shape {
    unsigned m, n, k;
};
static struct shape shape_of(const struct ptx_insn *p) {
    switch (ptx_mod_of(p, PTX_CLASS_SHAPE)) {
    case PTX_MOD_M8N8K4: return (struct shape){8, 8, 4};
    case PTX_MOD_M8N8K16: return (struct shape){8, 8, 16};
    case PTX_MOD_M16N8K4: return (struct shape){16, 8, 4};
    case PTX_MOD_M16N8K8: return (struct shape){16, 8, 8};
    case PTX_MOD_M16N8K16: return (struct shape){16, 8, 16};
    case PTX_MOD_M16N16K8: return (struct shape){16, 16, 8};
    case PTX_MOD_M16N16K16: return (struct shape){16, 16, 16};
    case PTX_MOD_M32N8K16: return (struct shape){32, 8, 16};
    case PTX_MOD_M8N8K32: return (struct shape){8, 8, 32};
    case PTX_MOD_M16N8K64: return (struct shape){16, 8, 64};
    case PTX_MOD_M8N8K128: return (struct shape){8, 8, 128};
    case PTX_MOD_M16N8K128: return (struct shape){16, 8, 128};
    case PTX_MOD_M16N8K256: return (struct shape){16, 8, 256};
    case PTX_MOD_M8N32K16: return (struct shape){8, 32, 16};
    default: return (struct shape){16, 8, 32};
    }
}
unsigned sim_matrix_elements(const struct ptx_insn *p) {
    switch (p->op) {
    case PTX_OP_wgmma: return 256 / ptx_type_bits(p->type2) * (p->columns > 64 ? p->columns : 64);
    case PTX_OP_mma:
    case PTX_OP_mma_bits:
    case PTX_OP_wmma_rc:
    case PTX_OP_wmma_half_rc:
    case PTX_OP_wmma_rr:
    case PTX_OP_wmma_half_rr:
    case PTX_OP_wmma_cc:
    case PTX_OP_wmma_half_cc: break;
    default: return 0;
    }
    const struct shape s = shape_of(p);
    return s.k * (s.m > s.n ? s.m : s.n);
}
/* Widens an 8-bit float. An e5m2 is the high half of an f16; e4m3 has no infinity and one NaN. */
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
    case PTX_TF32: { /* the low 13 bits are ignored */
        const uint32_t bits = ((const uint32_t *)row)[lane] & ~0x1fffu;
        memcpy(&f, &bits, 4);
        return (double)f;
    }
    default: memcpy(&f, (const uint32_t *)row + lane, 4); return (double)f;
    }
}
void sim_numbers(struct sim_line line[8], unsigned first, const void *row, enum ptx_type t, unsigned in_word) {
#define READ(type)                                                                                                     \
    case type:                                                                                                         \
        for (unsigned l = 0; l < SIM_WARP; l++)                                                                        \
            for (unsigned e = 0; e < in_word; e++)                                                                     \
                line[l / 4].x[first + l % 4 * in_word + e] = sim_number(row, l, e, type);                              \
        break;
    switch (t) {
        READ(PTX_F64)
        READ(PTX_F16)
        READ(PTX_BF16)
        READ(PTX_S8)
        READ(PTX_U8)
        READ(PTX_S4)
        READ(PTX_U4)
        READ(PTX_B1)
        READ(PTX_TF32)
        READ(PTX_E4M3)
        READ(PTX_E5M2)
    default: break;
    }
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
/* 2^e, for exponents of products of floats. */
static double power_of_two(int e) {
    const uint64_t bits = (uint64_t)(1023 + e) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
/* The exponent of a nonzero operand of a product. Subnormal numbers are not normalized. */
static int exponent_of(double x, int lowest) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int e = (int)(bits >> 52 & 0x7ff) - 1023;
    return e < lowest ? lowest : e;
}
/* Truncates x to the 24 significand bits of a float. Subnormal results have fewer bits. */
static double cut_to_float(double x) {
    const float f = (float)x;
    return (double)(fabs((double)f) > fabs(x) ? nextafterf(f, 0) : f);
}
void sim_line_complete(struct sim_line *line, unsigned k, enum ptx_type t) {
    const int lowest = t == PTX_F16 ? -14 : -126;
    line->finite = true;
    for (unsigned n = 0; n < k; n++) {
        line->exponent[n] = line->x[n] == 0 ? NO_EXPONENT : exponent_of(line->x[n], lowest);
        line->finite &= isfinite(line->x[n]) != 0;
    }
}
/* The sum of c and the products of elements [first, first + n). */
static double block_sum(const struct sim_line *a, const struct sim_line *b, unsigned first, unsigned n, double c,
                        enum ptx_type of_c) {
    const double *x = a->x + first, *y = b->x + first;
    const int *of_x = a->exponent + first, *of_y = b->exponent + first;
    if (!a->finite || !b->finite || !isfinite(c)) {
        double exact = c; /* finite products stay in the range of a double */
        for (unsigned k = 0; k < n; k++) exact += x[k] * y[k];
        if (!isfinite(exact)) return exact;
    }
    int top = c == 0 ? 2 * NO_EXPONENT : exponent_of(c, of_c == PTX_F16 ? -14 : -126);
    for (unsigned k = 0; k < n; k++) top = of_x[k] + of_y[k] > top ? of_x[k] + of_y[k] : top;
    if (top < NO_EXPONENT / 2) return c;
    const int unit = top - 23 - EXTRA_BITS;
    const double scale = power_of_two(-unit);
    int64_t sum = (int64_t)(c * scale); /* below 2^26 each: truncated */
    for (unsigned k = 0; k < n; k++) sum += (int64_t)(x[k] * y[k] * scale);
    const double cut = (double)sum * power_of_two(unit);
    return of_c == PTX_F16 ? cut : cut_to_float(cut);
}
/* A row of A without all or half of its elements. The accumulator's bits decide which half is left out, so the half
 * differs between products but is the same in every run. */
static void leave_out(struct sim_line *left, const struct sim_line *a, const struct sim_line *b, unsigned k, double c,
                      const struct ptx_insn *p, enum sim_products products) {
    const bool differs = ptx_mod_of(p, PTX_CLASS_OPERATION) == PTX_MOD_XOR;
    uint64_t bits;
    memcpy(&bits, &c, sizeof bits);
    for (unsigned n = 0; n < k; n++) {
        const uint64_t hash = (bits + (n + 1) * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
        left->x[n] = products == SIM_PRODUCTS_HALF && hash >> 63 ? a->x[n] : differs ? b->x[n] : 0;
    }
}
/* The type of A's elements. */
static enum ptx_type multiplied(const struct ptx_insn *p) { return ptx_traits_of(p)->more_types ? p->type2 : PTX_F16; }
double sim_product(const struct sim_warp *w, const struct sim_line *a, const struct sim_line *b, unsigned k, double c,
                   const struct ptx_insn *p) {
    const enum sim_products products = w->block->run->sim->options.products;
    const enum ptx_type t = multiplied(p);
    struct sim_line left;
    if (products != SIM_PRODUCTS_WHOLE)
        leave_out(&left, a, b, k, c, p, products), sim_line_complete(&left, k, t), a = &left;
    const bool wmma = p->op != PTX_OP_mma && p->op != PTX_OP_wgmma;
    const unsigned block = t == PTX_TF32 ? (wmma ? 4 : 8) : 16;
    if (p->type == PTX_S32) {
        const bool differs = ptx_mod_of(p, PTX_CLASS_OPERATION) == PTX_MOD_XOR; /* of bits */
        int64_t sum = (int64_t)c;
        for (unsigned n = 0; n < k; n++) sum += differs ? a->x[n] != b->x[n] : (int64_t)(a->x[n] * b->x[n]);
        if (ptx_mod_of(p, PTX_CLASS_SATFINITE) == PTX_MOD_NONE) return (double)(int32_t)(uint32_t)sum;
        return (double)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    }
    if (p->op == PTX_OP_mma &&
        (t == PTX_E4M3 || t == PTX_E5M2)) { /* an H100 adds the accumulator separately, and rounds this sum */
        double sum = 0;
        for (unsigned n = 0; n < k; n += block) sum = block_sum(a, b, n, block, sum, PTX_F32);
        return p->type == PTX_F16 ? c + sum : (double)((float)c + (float)sum);
    }
    for (unsigned n = 0; t == PTX_F64 && n < k; n++) c = fma(a->x[n], b->x[n], c);
    for (unsigned n = 0; t != PTX_F64 && n < k; n += block)
        c = block_sum(a, b, n, k - n < block ? k - n : block, c, p->type);
    return c;
}
static void do_mma(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct ptx_insn *p = i->source;
    const struct shape s = shape_of(p);
    const enum ptx_type type_b = p->more[0];
    const unsigned in_word = p->type2 == PTX_F64 ? 1 : 32 / ptx_type_bits(p->type2), halves = s.m / 8;
    void *rd[8], *ra[8], *rb[8], *rc[8];
    struct sim_line a[16], b[8];
    double c[16][8], d[16][8];
    fragment(w, i, 0, rd);
    const unsigned of_a = fragment(w, i, 1, ra), of_b = fragment(w, i, 2, rb);
    fragment(w, i, 3, rc);
    for (unsigned r = 0; r < of_a; r++)
        sim_numbers(a + 8 * (r % halves), r / halves * 4 * in_word, ra[r], p->type2, in_word);
    for (unsigned r = 0; r < of_b; r++) sim_numbers(b, r * 4 * in_word, rb[r], type_b, in_word);
    for (unsigned n = 0; n < s.m; n++) sim_line_complete(&a[n], s.k, p->type2);
    for (unsigned n = 0; n < 8; n++) sim_line_complete(&b[n], s.k, type_b);
    const bool narrow = p->type == PTX_F16;
    w->block->run->extra += SIM_PRODUCT_COST;
    for (unsigned l = 0; l < SIM_WARP; l++)
        for (unsigned k = 0; k < 2 * halves; k++)
            c[l / 4 + 8 * (k / 2)][2 * (l % 4) + k % 2] =
                sim_number(rc[narrow ? k / 2 : k], l, narrow ? k % 2 : 0, p->type);
    for (unsigned column = 0; column < 8; column++) {
        const unsigned left = column ? column - 1 : 0;
        const bool same = column && !memcmp(b[column].x, b[left].x, s.k * sizeof *b->x);
        for (unsigned row = 0; row < s.m; row++)
            d[row][column] = same && !memcmp(&c[row][column], &c[row][left], sizeof **c)
                                 ? d[row][left] /* a matrix of ones has equal columns */
                                 : sim_product(w, &a[row], &b[column], s.k, c[row][column], p);
    }
    SIM_EACH_LANE (l, present)
        for (unsigned k = 0; k < 2 * halves; k++)
            sim_put_number(rd[narrow ? k / 2 : k], l, narrow ? k % 2 : 0, p->type,
                           d[l / 4 + 8 * (k / 2)][2 * (l % 4) + k % 2]);
}

/* ---- wmma ----------------------------------------------------------------------------------------------------------
 */
/* PTX ISA, wmma, does not specify the distribution of elements over lanes. Here the matrix is distributed row by row.
 * Surplus registers of .f16 hold copies. */
struct share {
    enum ptx_type type;
    unsigned rows, columns, count; /* of the matrix; elements per lane */
    unsigned in_word, registers;
    void *row[8];
};
static struct share share_of(const struct sim_warp *w, const struct sim_insn *i, unsigned k, char matrix,
                             enum ptx_type t) {
    const struct shape s = shape_of(i->source);
    struct share f = {.type = t, .rows = matrix == 'b' ? s.k : s.m, .columns = matrix == 'a' ? s.k : s.n};
    f.count = f.rows * f.columns / SIM_WARP, f.in_word = t == PTX_F64 ? 1 : 32 / ptx_type_bits(t);
    f.registers = fragment(w, i, k, f.row);
    return f;
}
/* Element `e` of the lane. */
static double share_get(const struct share *f, unsigned lane, unsigned e) {
    return sim_number(f->row[e / f->in_word], lane, e % f->in_word, f->type);
}
static unsigned place_in(const struct share *f, unsigned lane, unsigned e) { return lane * f->count + e; }
static char matrix_moved(const struct ptx_insn *p) {
    return p->op == PTX_OP_wmma_load_a ? 'a' : p->op == PTX_OP_wmma_load_b ? 'b' : 'c';
}
/* Where the elements of a matrix are in memory, by place_in(). NULL: invalid, or not needed. */
struct places {
    uint8_t *at[MOST_PLACES];
    uint64_t offset[MOST_PLACES];
    const struct sim_object *object[MOST_PLACES];
};
static bool by_rows(const struct ptx_insn *p) { return ptx_mod_of(p, PTX_CLASS_LAYOUT) == PTX_MOD_ROWS; }
/* All lanes pass the same address, and the first one's is used. */
static void find_places(struct sim_warp *w, const struct sim_insn *i, const struct share *f, uint32_t present,
                        enum sim_access_kind kind, struct places *to) {
    const struct ptx_insn *p = i->source;
    const bool load = kind == SIM_LOAD;
    const unsigned bytes = ptx_type_bits(f->type) / 8, first = (unsigned)__builtin_ctz(present);
    const uint64_t base = sim_address_of(w, i, load, load ? i->a : i->d, first, p->space);
    const uint64_t apart = p->count > 2 ? ((const uint32_t *)sim_row(w, i->b))[first]
                           : by_rows(p) ? f->columns
                                        : f->rows;
    memset(to->at, 0, sizeof to->at);
    for (unsigned e = 0; e < f->count; e++)
        SIM_EACH_LANE (l, present) {
            const unsigned n = place_in(f, l, e), row = n / f->columns, column = n % f->columns;
            const uint64_t address = base + bytes * (by_rows(p) ? row * apart + column : column * apart + row);
            struct sim_memory *m = sim_locate(w, i, l, address, bytes, kind, &to->offset[n]);
            if (!m || (!load && m->object.read_only)) continue;
            to->object[n] = &m->object;
            to->at[n] = sim_at(w->block->run->sim, m, to->offset[n], !load);
            w->block->run->stopped |= !to->at[n];
        }
}
/* How many neighboring elements in memory a lane accesses at once, up to 16 bytes. It is not documented which lane has
 * which elements. */
static unsigned at_once(const struct share *f, unsigned line, unsigned bytes) {
    unsigned count = f->count;
    while (count > 1 && (count * bytes > ROW_BYTES || line % count)) count /= 2;
    return count;
}
/* Reports the accesses: the lanes access the elements in the order of memory. */
static void tell_places(struct sim_warp *w, const struct sim_insn *i, const struct share *f, uint32_t present,
                        enum sim_access_kind kind, const struct places *p) {
    const bool rows = by_rows(i->source);
    const unsigned line = rows ? f->columns : f->rows, bytes = ptx_type_bits(f->type) / 8,
                   count = at_once(f, line, bytes);
    for (unsigned e = 0; e < f->count; e += count) {
        uint64_t offset[SIM_WARP] = {0};
        const struct sim_object *object[SIM_WARP] = {NULL};
        uint32_t todo = 0;
        SIM_EACH_LANE (l, present) {
            bool good = true;
            for (unsigned k = 0; k < count; k++) {
                const unsigned m = e * SIM_WARP + l * count + k,
                               n = rows ? m : m % line * f->columns + m / line; /* m: in memory */
                good &= p->at[n] && (!k || (p->object[n] == object[l] && p->offset[n] == offset[l] + k * bytes));
                if (!k) object[l] = p->object[n], offset[l] = p->offset[n];
            }
            if (good) todo |= 1u << l;
        }
        while (todo) {
            uint32_t same = 0;
            SIM_EACH_LANE (l, todo)
                if (object[l] == object[__builtin_ctz(todo)]) same |= 1u << l;
            sim_tell(w, &(struct told){.pc = sim_pc(w, i),
                                       .mask = same,
                                       .kind = kind,
                                       .bytes = count * bytes,
                                       .offset = offset,
                                       .object = object[__builtin_ctz(todo)]});
            todo &= ~same;
        }
    }
}
static void do_wmma_load(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct share f = share_of(w, i, 0, matrix_moved(i->source), i->source->type);
    const unsigned bytes = ptx_type_bits(f.type) / 8, in_register = f.type == PTX_F64 ? 8 : 4;
    struct places p;
    find_places(w, i, &f, present, SIM_LOAD, &p);
    if (w->block->run->stopped) return;
    tell_places(w, i, &f, present, SIM_LOAD, &p);
    for (unsigned e = 0; e < f.registers * f.in_word; e++) /* in some shapes, elements of A and B occur twice */
        SIM_EACH_LANE (l, present) {
            const uint8_t *at = p.at[place_in(&f, l, e % f.count)];
            if (at) memcpy((uint8_t *)f.row[e / f.in_word] + l * in_register + e % f.in_word * bytes, at, bytes);
        }
}
static void do_wmma_store(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct share f = share_of(w, i, 1, 'c', i->source->type);
    const unsigned bytes = ptx_type_bits(f.type) / 8, in_register = f.type == PTX_F64 ? 8 : 4;
    struct places p;
    find_places(w, i, &f, present, SIM_STORE, &p);
    if (w->block->run->stopped) return;
    tell_places(w, i, &f, present, SIM_STORE, &p);
    for (unsigned e = 0; e < f.count; e++)
        SIM_EACH_LANE (l, present) {
            uint8_t *at = p.at[place_in(&f, l, e)];
            if (at) memcpy(at, (const uint8_t *)f.row[e / f.in_word] + l * in_register + e % f.in_word * bytes, bytes);
        }
    w->block->run->changes++;
}
static void do_wmma(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct ptx_insn *p = i->source;
    const bool named = (ptx_traits_of(p)->more_types == 2);
    const struct share d = share_of(w, i, 0, 'c', p->type), a = share_of(w, i, 1, 'a', named ? p->type2 : PTX_F16),
                       b = share_of(w, i, 2, 'b', named ? p->more[0] : PTX_F16),
                       c = share_of(w, i, 3, 'c', named ? p->type : p->type2);
    struct sim_line rows[32], columns[32];
    double sums[32 * 32];
    w->block->run->extra += SIM_PRODUCT_COST;
    for (unsigned l = 0; l < SIM_WARP; l++) {
        for (unsigned e = 0; e < a.count; e++)
            rows[place_in(&a, l, e) / a.columns].x[place_in(&a, l, e) % a.columns] = share_get(&a, l, e);
        for (unsigned e = 0; e < b.count; e++)
            columns[place_in(&b, l, e) % b.columns].x[place_in(&b, l, e) / b.columns] = share_get(&b, l, e);
    }
    for (unsigned n = 0; n < a.rows; n++) sim_line_complete(&rows[n], a.columns, a.type);
    for (unsigned n = 0; n < b.columns; n++) sim_line_complete(&columns[n], a.columns, b.type);
    for (unsigned l = 0; l < SIM_WARP; l++)
        for (unsigned e = 0; e < d.count; e++) {
            const unsigned n = place_in(&d, l, e);
            sums[n] = sim_product(w, &rows[n / d.columns], &columns[n % d.columns], a.columns, share_get(&c, l, e), p);
        }
    SIM_EACH_LANE (l, present)
        for (unsigned e = 0; e < d.count; e++)
            sim_put_number(d.row[e / d.in_word], l, e % d.in_word, d.type, sums[place_in(&d, l, e)]);
}

void sim_form_ldmatrix(struct sim_insn *i) { sim_meet(i, do_ldmatrix, SIM_MATRIX); }
void sim_form_stmatrix(struct sim_insn *i) { sim_meet(i, do_stmatrix, SIM_MATRIX); }
void sim_form_movmatrix(struct sim_insn *i) { sim_meet(i, do_movmatrix, SIM_MATRIX); }
void sim_form_mma(struct sim_insn *i) { sim_meet(i, do_mma, SIM_MATRIX); }
void sim_form_wmma_load(struct sim_insn *i) { sim_meet(i, do_wmma_load, SIM_MATRIX); }
void sim_form_wmma_store(struct sim_insn *i) { sim_meet(i, do_wmma_store, SIM_MATRIX); }
void sim_form_wmma(struct sim_insn *i) { sim_meet(i, do_wmma, SIM_MATRIX); }
