/* Contracts products and sums. If only sums and differences of the same type read a product, each of them becomes a
 * fused multiply-add, which rounds once. A rounding mode, .sat of the product or a different .ftz prevents this, as
 * does a factor that may change before the sum. NVIDIA's assembler contracts in the same way, so results have the same
 * bits. In a sum of two products, the first one is contracted. The multiplication remains, although no instruction
 * reads its result. */
#include "ptx/parser.h"
#include <stdlib.h>

enum { NEVER = 0, SEVERAL = UINT32_MAX };
struct contraction {
    struct ptx_function *f;
    uint32_t *writer; /* indexed by register: 1 + index of the only instruction that writes it, NEVER or SEVERAL */
    bool *product;    /* indexed by register: whether it is a product to contract */
    bool *leader;     /* indexed by instruction: whether a basic block begins there */
};

static bool has(const struct ptx_insn *i, enum ptx_mod_class c) { return ptx_mod_of(i, c) != PTX_MOD_NONE; }
static bool is_product(const struct ptx_insn *i) {
    return (i->op == PTX_OP_mul_flt || i->op == PTX_OP_mul_half) && !has(i, PTX_CLASS_ROUND) &&
           !has(i, PTX_CLASS_SAT) && i->guard == PTX_NO_REG && i->operand[0].kind == PTX_REGISTER;
}
static bool is_difference(const struct ptx_insn *i) { return i->op == PTX_OP_sub_flt || i->op == PTX_OP_sub_half; }
static bool is_sum(const struct ptx_insn *i) {
    return (i->op == PTX_OP_add_flt || i->op == PTX_OP_add_half || is_difference(i)) && !has(i, PTX_CLASS_ROUND);
}
static bool *product_in(const struct contraction *c, const struct ptx_operand *o) {
    const bool reads = (o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG;
    return reads && c->product[o->reg] ? &c->product[o->reg] : NULL;
}
static void note_written(struct contraction *c, const struct ptx_operand *o, uint32_t at) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) note_written(c, &o->elements[k], at);
    if (o->kind == PTX_REGISTER) c->writer[o->reg] = c->writer[o->reg] == NEVER ? at + 1 : SEVERAL;
}
static void keep_product(const struct contraction *c, const struct ptx_operand *o) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) keep_product(c, &o->elements[k]);
    bool *product = product_in(c, o);
    if (product) *product = false;
}
static bool writes(const struct ptx_operand *o, uint32_t reg) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (writes(&o->elements[k], reg)) return true;
    return o->kind == PTX_REGISTER && o->reg == reg;
}
/* Returns whether a factor has the same value at both instructions. */
static bool same_value(const struct contraction *c, const struct ptx_operand *factor, uint32_t from, uint32_t to) {
    if (factor->kind != PTX_REGISTER || c->writer[factor->reg] != SEVERAL) return true;
    for (uint32_t k = from; k < to; k++)
        if (c->leader[k + 1] || (ptx_written(&c->f->code[k]) && writes(&c->f->code[k].operand[0], factor->reg)))
            return false;
    return from < to;
}
static bool can_contract(const struct contraction *c, const struct ptx_operand *o, uint32_t at) {
    const uint32_t from = c->writer[o->reg] - 1;
    const struct ptx_insn *sum = &c->f->code[at], *mul = &c->f->code[from];
    const bool twice = sum->operand[1].kind == PTX_REGISTER && sum->operand[2].kind == PTX_REGISTER &&
                       sum->operand[1].reg == sum->operand[2].reg;
    return !twice && sum->type == mul->type && has(sum, PTX_CLASS_FTZ) == has(mul, PTX_CLASS_FTZ) &&
           same_value(c, &mul->operand[1], from, at) && same_value(c, &mul->operand[2], from, at);
}
static void find_products(struct contraction *c) {
    const struct ptx_function *f = c->f;
    for (unsigned k = 0; k < f->label_count; k++) c->leader[f->labels[k].at] = true;
    for (uint32_t k = 0; k < f->code_count; k++) {
        const struct ptx_insn *i = &f->code[k];
        if (ptx_target_count(i)) c->leader[k + 1] = true;
        if (ptx_written(i)) note_written(c, &i->operand[0], k);
    }
    for (uint32_t k = 0; k < f->code_count; k++)
        if (is_product(&f->code[k]))
            c->product[f->code[k].operand[0].reg] = c->writer[f->code[k].operand[0].reg] == k + 1;
    for (uint32_t k = 0; k < f->code_count; k++)
        for (unsigned n = ptx_written(&f->code[k]); n < f->code[k].count; n++) {
            const struct ptx_operand *o = &f->code[k].operand[n];
            if (!is_sum(&f->code[k]) || (product_in(c, o) && !can_contract(c, o, k))) keep_product(c, o);
        }
    for (uint32_t k = 0; k < f->code_count; k++)
        if (is_sum(&f->code[k]) && product_in(c, &f->code[k].operand[1])) keep_product(c, &f->code[k].operand[2]);
}
static void contract(const struct contraction *c, struct ptx_insn *i) {
    const unsigned n = product_in(c, &i->operand[1]) ? 1 : 2;
    if (!product_in(c, &i->operand[n])) return;
    const struct ptx_insn *mul = &c->f->code[c->writer[i->operand[n].reg] - 1];
    if (is_difference(i)) i->product = n == 1 ? PTX_NEGATES_C : PTX_NEGATES_A;
    i->op = mul->op == PTX_OP_mul_half ? PTX_OP_fma_half : PTX_OP_fma_flt;
    i->operand[3] = i->operand[3 - n], i->operand[1] = mul->operand[1], i->operand[2] = mul->operand[2];
    i->count = 4;
}
void ptx_contract(struct parser *p, struct ptx_function *f) {
    bool any = false;
    for (uint32_t k = 0; k < f->code_count && !any; k++) any = is_product(&f->code[k]);
    if (!any) return;
    struct contraction c = {.f = f};
    c.writer = calloc(f->register_count, sizeof *c.writer);
    c.product = calloc(f->register_count, sizeof *c.product);
    c.leader = calloc(f->code_count + 1, sizeof *c.leader);
    const bool good = c.writer && c.product && c.leader;
    if (good) find_products(&c);
    for (uint32_t k = 0; good && k < f->code_count; k++)
        if (is_sum(&f->code[k])) contract(&c, &f->code[k]);
    free(c.writer), free(c.product), free(c.leader);
    if (!good) ptx_fail(p, p->line, "out of memory");
}
