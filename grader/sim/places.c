#include "sim/places.h"

enum { LONGEST_CHAIN = 1000 };

const struct ptx_operand *sim_memory_operand(const struct ptx_insn *i) {
    for (unsigned k = 0; k < i->count; k++)
        if (i->operand[k].kind == PTX_MEMORY) return &i->operand[k];
    return NULL;
}
void sim_find_definitions(const struct ptx_function *f, uint32_t *definition) {
    for (uint32_t r = 0; r < f->register_count; r++) definition[r] = f->code_count;
    for (uint32_t n = 0; n < f->code_count; n++) {
        const struct ptx_insn *i = &f->code[n];
        const struct ptx_operand *to[] = {ptx_written(i) ? &i->operand[0] : NULL, &i->pred_dest};
        for (unsigned k = 0; k < 2; k++)
            for (unsigned e = 0; to[k] && e < (to[k]->kind == PTX_VECTOR ? to[k]->count : 1); e++) {
                const struct ptx_operand *o = to[k]->kind == PTX_VECTOR ? &to[k]->elements[e] : to[k];
                if (o->kind != PTX_REGISTER) continue;
                definition[o->reg] = definition[o->reg] == f->code_count ? n : PTX_NO_REG;
            }
    }
}
struct sim_place sim_place_of(const struct ptx_function *f, const uint32_t *definition, const struct ptx_operand *m) {
    struct sim_place p = {m->symbol, m->symbol ? PTX_NO_REG : m->reg, m->imm};
    for (unsigned k = 0; k < LONGEST_CHAIN && p.reg != PTX_NO_REG && definition[p.reg] < f->code_count; k++) {
        const struct ptx_insn *d = &f->code[definition[p.reg]];
        const struct ptx_operand *from = &d->operand[1];
        const enum ptx_address address = ptx_traits_of(d)->address;
        if (d->guard != PTX_NO_REG || (address != PTX_ADDRESS_SAME && address != PTX_ADDRESS_SUM)) break;
        if (address == PTX_ADDRESS_SUM) {
            if (d->operand[2].kind != PTX_IMMEDIATE) break;
            p.offset += d->operand[2].imm;
        }
        if (from->kind == PTX_SYMBOL && from->symbol)
            return (struct sim_place){from->symbol, PTX_NO_REG, p.offset + from->imm};
        if (from->kind != PTX_REGISTER) break;
        p.reg = from->reg;
    }
    return p;
}

bool sim_any_register(const struct ptx_operand *o, const uint8_t *set) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (sim_any_register(&o->elements[k], set)) return true;
    return o->kind == PTX_REGISTER && set[o->reg];
}
static bool add_registers(const struct ptx_operand *o, uint8_t *set) {
    bool more = false;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) more |= add_registers(&o->elements[k], set);
    if (o->kind == PTX_REGISTER && !set[o->reg]) set[o->reg] = 1, more = true;
    return more;
}
bool sim_add_written(const struct ptx_insn *i, uint8_t *set) {
    const bool more = ptx_written(i) && add_registers(&i->operand[0], set);
    return add_registers(&i->pred_dest, set) || more;
}
bool sim_reads(const struct ptx_insn *i, const uint8_t *set) {
    for (unsigned k = ptx_written(i); k < i->count; k++)
        if (sim_any_register(&i->operand[k], set)) return true;
    return false;
}
