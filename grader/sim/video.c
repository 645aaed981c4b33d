/* Video instructions (PTX ISA, "Video Instructions"): arithmetic on a part of a register, or on all its bytes or
 * halves. Intermediate results are wider than the parts, and .sat saturates them. Then the secondary operation combines
 * them with the third source. */
#include "sim/machine.h"

enum work { ADD, SUBTRACT, DIFFERENCE, LOWER, HIGHER, AVERAGE, COMPARE, LEFT, RIGHT, PRODUCT };
static const struct {
    uint16_t op;
    uint8_t work, lanes;
} works[] = {
    {PTX_OP_vadd, ADD, 1},
    {PTX_OP_vadd2, ADD, 2},
    {PTX_OP_vadd4, ADD, 4},
    {PTX_OP_vsub, SUBTRACT, 1},
    {PTX_OP_vsub2, SUBTRACT, 2},
    {PTX_OP_vsub4, SUBTRACT, 4},
    {PTX_OP_vmin, LOWER, 1},
    {PTX_OP_vmin2, LOWER, 2},
    {PTX_OP_vmin4, LOWER, 4},
    {PTX_OP_vmax, HIGHER, 1},
    {PTX_OP_vmax2, HIGHER, 2},
    {PTX_OP_vmax4, HIGHER, 4},
    {PTX_OP_vset, COMPARE, 1},
    {PTX_OP_vset2, COMPARE, 2},
    {PTX_OP_vset4, COMPARE, 4},
    {PTX_OP_vshl, LEFT, 1},
    {PTX_OP_vavrg2, AVERAGE, 2},
    {PTX_OP_vavrg4, AVERAGE, 4},
    {PTX_OP_vshr, RIGHT, 1},
    {PTX_OP_vmad, PRODUCT, 1},
    {PTX_OP_vmad_po, PRODUCT, 1},
    {PTX_OP_vabsdiff, DIFFERENCE, 1},
    {PTX_OP_vabsdiff2, DIFFERENCE, 2},
    {PTX_OP_vabsdiff4, DIFFERENCE, 4},
};
typedef __int128 wide;

/* A decoded instruction. */
struct video {
    enum work work;
    unsigned lanes;
    bool a_signed, b_signed, d_signed, saturates;
    /* then: the secondary operation with c; mode: of shifts and products; compare: of vset. */
    enum ptx_mod then, mode, compare;
    const struct ptx_part *to, *of_a, *of_b;
    bool one_more;
};
static struct video video_of(const struct ptx_insn *p) {
    unsigned k = 0;
    while (works[k].op != p->op) k++;
    const bool sets = works[k].work == COMPARE;
    return (struct video){.work = works[k].work,
                          .lanes = works[k].lanes,
                          .a_signed = (sets ? p->type : p->type2) == PTX_S32,
                          .b_signed = (sets ? p->type2 : p->more[0]) == PTX_S32,
                          .d_signed = !sets && p->type == PTX_S32,
                          .saturates = ptx_mod_of(p, PTX_CLASS_SAT) != PTX_MOD_NONE,
                          .then = ptx_mod_of(p, PTX_CLASS_OPERATION),
                          .mode = ptx_mod_of(p, PTX_CLASS_MODE),
                          .compare = ptx_mod_of(p, PTX_CLASS_CMP),
                          .to = &p->operand[0].part,
                          .of_a = &p->operand[1].part,
                          .of_b = &p->operand[2].part,
                          .one_more = p->op == PTX_OP_vmad_po};
}

/* ---- one part of each source ------------------------------------------------------------------ */

static int64_t field(uint64_t value, unsigned bits, unsigned which, bool is_signed) {
    const uint64_t raw = value >> (bits * which) & ((UINT64_C(1) << bits) - 1);
    return is_signed && raw >> (bits - 1) ? (int64_t)raw - (INT64_C(1) << bits) : (int64_t)raw;
}
static int64_t chosen(uint32_t value, const struct ptx_part *p, bool is_signed) {
    return p->count ? field(value, p->bits, p->which[0], is_signed) : field(value, 32, 0, is_signed);
}
static bool compares(enum ptx_mod how, int64_t a, int64_t b) {
    switch (how) {
    case PTX_MOD_EQ: return a == b;
    case PTX_MOD_NE: return a != b;
    case PTX_MOD_LT: return a < b;
    case PTX_MOD_LE: return a <= b;
    case PTX_MOD_GT: return a > b;
    default: return a >= b;
    }
}
static wide result_of(const struct video *v, int64_t a, int64_t b) {
    const int64_t count = v->mode == PTX_MOD_WRAP ? b & 31 : b > 32 ? 32 : b, sum = a + b;
    switch (v->work) {
    case ADD: return sum;
    case SUBTRACT: return a - b;
    case DIFFERENCE: return a < b ? b - a : a - b;
    case LOWER: return a < b ? a : b;
    case HIGHER: return a > b ? a : b;
    case AVERAGE: return (sum + (sum >= 0)) >> 1;
    case COMPARE: return compares(v->compare, a, b);
    case LEFT: return (wide)a * ((wide)1 << count);
    case RIGHT: return a >> count;
    default: return (wide)a * b;
    }
}
static wide clamped(wide x, unsigned bits, bool is_signed) {
    const wide most = ((wide)1 << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    return x < least ? least : x > most ? most : x;
}
/* Returns c with part `which` replaced by x. */
static uint32_t put_in(uint32_t c, uint64_t x, unsigned bits, unsigned which) {
    const uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1) << (bits * which);
    return (c & ~mask) | ((uint32_t)(x << (bits * which)) & mask);
}

/* ---- instructions ----------------------------------------------------------------------------- */

static uint32_t product(const struct video *v, uint32_t a, uint32_t b, uint32_t c) {
    const unsigned shift = v->mode == PTX_MOD_SHR7 ? 7 : v->mode == PTX_MOD_SHR15 ? 15 : 0;
    const bool is_signed = v->a_signed || v->b_signed;
    const int64_t x = chosen(a, v->of_a, v->a_signed), y = chosen(b, v->of_b, v->b_signed);
    const wide sum = ((wide)x * y + field(c, 32, 0, is_signed) + v->one_more) >> shift;
    return (uint32_t)(v->saturates ? clamped(sum, 32, is_signed) : sum);
}
static uint32_t scalar(const struct video *v, uint32_t a, uint32_t b, uint32_t c) {
    const unsigned to = v->to->count ? v->to->bits : 32;
    const int64_t x = chosen(a, v->of_a, v->a_signed), y = chosen(b, v->of_b, v->b_signed);
    wide r = result_of(v, x, y);
    if (v->saturates) r = clamped(r, to, v->d_signed);
    const uint32_t bits = (uint32_t)r;
    const bool lower = v->d_signed ? (int32_t)bits < (int32_t)c : bits < c;
    switch (v->then) {
    case PTX_MOD_ADD: return bits + c;
    case PTX_MOD_MIN: return lower ? bits : c;
    case PTX_MOD_MAX: return lower ? c : bits;
    default: return v->to->count ? put_in(c, bits, to, v->to->which[0]) : bits;
    }
}
/* Computes all parts of a result. Selectors number the parts of `a` first, then those of `b`. */
static uint32_t packed(const struct video *v, uint32_t a, uint32_t b, uint32_t c) {
    const unsigned bits = 32 / v->lanes;
    const uint64_t both = (uint64_t)b << 32 | a;
    uint32_t d = c, written = 0;
    for (unsigned k = 0; k < v->to->count; k++) written |= 1u << v->to->which[k];
    for (unsigned k = 0; k < v->lanes; k++) {
        if (v->to->count && !(written >> k & 1)) continue;
        const int64_t x = field(both, bits, v->of_a->count ? v->of_a->which[k] : k, v->a_signed),
                      y = field(both, bits, v->of_b->count ? v->of_b->which[k] : v->lanes + k, v->b_signed);
        wide r = result_of(v, x, y);
        if (v->saturates) r = clamped(r, bits, v->d_signed);
        d = v->then ? d + (uint32_t)r : put_in(d, (uint64_t)r, bits, k);
    }
    return d;
}
void sim_exec_video(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct video v = video_of(i->source);
    const uint32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = i->source->count > 3 ? sim_row(w, i->c) : a;
    uint32_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask)
        d[l] = v.work == PRODUCT ? product(&v, a[l], b[l], c[l])
               : v.lanes == 1    ? scalar(&v, a[l], b[l], c[l])
                                 : packed(&v, a[l], b[l], c[l]);
}
