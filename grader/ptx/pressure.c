/* Estimates how many registers a kernel needs. */
#include "ptx/ptx.h"
#include <stdlib.h>

enum { BITS = 64 };
/* The registers that are live before each instruction, as `words` words of BITS bits at live[index * words]. */
struct liveness {
    const struct ptx_function *f;
    uint32_t words;
    uint64_t *live, *now; /* now: the registers live before the instruction that is being visited */
};

static void read_register(struct liveness *l, uint32_t reg) {
    if (reg != PTX_NO_REG) l->now[reg / BITS] |= UINT64_C(1) << reg % BITS;
}
static void read_operand(struct liveness *l, const struct ptx_operand *o) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) read_operand(l, &o->elements[k]);
    if (o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) read_register(l, o->reg);
}
static void write_operand(struct liveness *l, const struct ptx_operand *o) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) write_operand(l, &o->elements[k]);
    if (o->kind == PTX_REGISTER && !o->part.count) l->now[o->reg / BITS] &= ~(UINT64_C(1) << o->reg % BITS);
}
static void add_live(struct liveness *l, uint32_t at) {
    for (uint32_t w = 0; at < l->f->code_count && w < l->words; w++) l->now[w] |= l->live[(size_t)at * l->words + w];
}
/* Computes the registers that are live before instruction `at`, from the registers that are live before its successors.
 * Returns whether they have changed. */
static bool visit(struct liveness *l, uint32_t at) {
    const struct ptx_insn *i = &l->f->code[at];
    uint64_t *before = &l->live[(size_t)at * l->words];
    const bool guarded = i->guard != PTX_NO_REG;
    bool changed = false;
    for (uint32_t w = 0; w < l->words; w++) l->now[w] = 0;
    for (unsigned k = 0; k < ptx_target_count(i); k++) add_live(l, ptx_target(i, k));
    if (guarded || !(ptx_target_count(i) || ptx_leaves(i))) add_live(l, at + 1);
    if (!guarded && ptx_written(i)) write_operand(l, &i->operand[0]);
    if (!guarded) write_operand(l, &i->pred_dest);
    for (unsigned k = ptx_written(i); k < i->count; k++) read_operand(l, &i->operand[k]);
    read_operand(l, &i->policy), read_register(l, i->guard);
    if (i->call) read_operand(l, &i->call->pointer);
    for (uint32_t w = 0; w < l->words; w++) changed |= before[w] != l->now[w], before[w] = l->now[w];
    return changed;
}
/* Returns the number of 32-bit registers that hold the live registers. Predicates are in separate registers. */
static unsigned size_of(const struct liveness *l, const uint64_t *live) {
    unsigned sum = 0;
    for (uint32_t w = 0; w < l->words; w++)
        for (uint64_t left = live[w]; left; left &= left - 1) {
            const unsigned bits = ptx_type_bits(l->f->registers[w * BITS + (unsigned)__builtin_ctzll(left)].type);
            sum += bits == 1 ? 0 : (bits + 31) / 32;
        }
    return sum;
}
unsigned ptx_pressure(const struct ptx_function *f) {
    struct liveness l = {.f = f, .words = (f->register_count + BITS - 1) / BITS};
    unsigned most = 0;
    l.live = calloc((size_t)f->code_count * l.words + 1, sizeof *l.live), l.now = calloc(l.words + 1, sizeof *l.now);
    for (bool more = l.live && l.now; more;) {
        more = false;
        for (uint32_t at = f->code_count; at--;) more |= visit(&l, at);
    }
    for (uint32_t at = 0; l.live && l.now && at < f->code_count; at++) {
        const unsigned size = size_of(&l, &l.live[(size_t)at * l.words]);
        if (size > most) most = size;
    }
    free(l.live), free(l.now);
    return most;
}
