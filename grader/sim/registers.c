/* Which registers may be read before they are written: only these are cleared when a frame is created. By backward
 * liveness analysis; a register that is live at a function's entry has a path to a read without a write. */
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

struct liveness {
    const struct ptx_function *source;
    size_t words;   /* in a set of registers */
    uint32_t *slot; /* by instruction: the index of its live set, if it is a branch target */
    uint64_t *at;   /* the sets */
    uint64_t *live; /* the current set of the walk */
};
static bool holds(const uint64_t *set, uint32_t reg) { return set[reg / 64] >> reg % 64 & 1; }

static void add_uses(const struct ptx_operand *o, uint64_t *live) {
    if ((o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG)
        live[o->reg / 64] |= UINT64_C(1) << o->reg % 64;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) add_uses(&o->elements[k], live);
}
static void step_back(const struct ptx_insn *i, uint64_t *live) {
    const unsigned written = ptx_written(i);
    if (i->guard == PTX_NO_REG && written) { /* a guarded write keeps the old value in some lanes */
        const struct ptx_operand *o = &i->operand[0];
        unsigned n = o->kind == PTX_VECTOR ? o->count : 1;
        for (unsigned k = 0; k < n; k++) {
            const struct ptx_operand *e = o->kind == PTX_VECTOR ? &o->elements[k] : o;
            if (e->kind == PTX_REGISTER) live[e->reg / 64] &= ~(UINT64_C(1) << e->reg % 64);
        }
        if (i->pred_dest.kind == PTX_REGISTER) live[i->pred_dest.reg / 64] &= ~(UINT64_C(1) << i->pred_dest.reg % 64);
    }
    if (i->guard != PTX_NO_REG) live[i->guard / 64] |= UINT64_C(1) << i->guard % 64;
    for (unsigned k = written; k < i->count; k++) add_uses(&i->operand[k], live);
    if (i->call) add_uses(&i->call->pointer, live);
}

static bool make_sets(struct liveness *l) {
    const struct ptx_function *s = l->source;
    uint32_t slots = 0;
    l->words = s->register_count / 64 + 1;
    l->live = calloc(l->words, sizeof *l->live);
    l->slot = malloc((s->code_count + 1) * sizeof *l->slot);
    if (!l->live || !l->slot) return false;
    for (uint32_t k = 0; k <= s->code_count; k++) l->slot[k] = UINT32_MAX;
    for (uint32_t k = 0; k < s->code_count; k++)
        for (unsigned t = 0; t < ptx_target_count(&s->code[k]); t++)
            if (l->slot[ptx_target(&s->code[k], t)] == UINT32_MAX) l->slot[ptx_target(&s->code[k], t)] = slots++;
    l->at = calloc(slots * l->words + 1, sizeof *l->at);
    return l->at != NULL;
}
/* Iterates backward over the code until the sets at branch targets no longer grow; then l->live is the set at the
 * entry. */
static void flow(struct liveness *l) {
    const struct ptx_function *s = l->source;
    for (bool changed = true; changed;) {
        changed = false;
        memset(l->live, 0, l->words * sizeof *l->live);
        for (uint32_t k = s->code_count; k-- > 0;) {
            const struct ptx_insn *i = &s->code[k];
            if ((ptx_target_count(i) || ptx_leaves(i)) && i->guard == PTX_NO_REG)
                memset(l->live, 0, l->words * sizeof *l->live);
            for (unsigned t = 0; t < ptx_target_count(i); t++)
                for (size_t n = 0; n < l->words; n++) l->live[n] |= l->at[l->slot[ptx_target(i, t)] * l->words + n];
            step_back(i, l->live);
            uint64_t *set = l->slot[k] == UINT32_MAX ? NULL : &l->at[l->slot[k] * l->words];
            if (set && memcmp(set, l->live, l->words * sizeof *l->live))
                memcpy(set, l->live, l->words * sizeof *l->live), changed = true;
        }
    }
}

bool sim_find_uninitialized(struct sim_function *f) {
    const struct ptx_function *s = f->source;
    struct liveness l = {.source = s};
    f->zero = malloc((s->register_count + 1) * sizeof *f->zero);
    const bool ok = f->zero && make_sets(&l);
    if (ok) flow(&l);
    for (uint32_t r = 0; ok && r < s->register_count; r++)
        if (holds(l.live, r)) f->zero[f->zero_count++] = r;
    free(l.live);
    free(l.slot);
    free(l.at);
    return ok;
}

static bool is_read(const struct ptx_operand *o, const uint64_t *read) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (is_read(&o->elements[k], read)) return true;
    return o->kind == PTX_REGISTER && holds(read, o->reg);
}
/* An atomic whose result register is never read tells its thread nothing about the others. */
bool sim_find_unused_results(struct sim_program *p, const struct sim_function *f) {
    const struct ptx_function *s = f->source;
    uint64_t *read = calloc(s->register_count / 64 + 1, sizeof *read);
    if (!read) return false;
    for (uint32_t k = 0; k < s->code_count; k++) {
        const struct ptx_insn *i = &s->code[k];
        for (unsigned n = ptx_written(i); n < i->count; n++) add_uses(&i->operand[n], read);
        if (i->guard != PTX_NO_REG) read[i->guard / 64] |= UINT64_C(1) << i->guard % 64;
        if (i->call) add_uses(&i->call->pointer, read);
    }
    for (uint32_t k = 0; k < s->code_count; k++) {
        const struct ptx_insn *i = &s->code[k];
        if (ptx_traits_of(i)->memory == PTX_MEMORY_ATOMIC)
            p->code[f->entry + k].memory.result_unused = !ptx_written(i) || !is_read(&i->operand[0], read);
    }
    free(read);
    return true;
}
