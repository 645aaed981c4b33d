/* Determines whether a loaded value is combined with another one, which is the mark of a tree step. The program may
 * store the result immediately, or keep it in a register for several barriers. A value that is only loaded, moved,
 * selected and stored is not combined. */
#include "probes/probe.h"

static bool any_of(const struct ptx_operand *o, const uint8_t *set) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (any_of(&o->elements[k], set)) return true;
    return o->kind == PTX_REGISTER && set[o->reg];
}
static bool add(const struct ptx_operand *o, uint8_t *set) {
    bool more = false;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) more |= add(&o->elements[k], set);
    if (o->kind == PTX_REGISTER && !set[o->reg]) set[o->reg] = 1, more = true;
    return more;
}
/* Returns whether at least two operands are registers. A flag is compared with a constant, an element with another
 * element. */
static bool takes_two(const struct ptx_insn *i) {
    unsigned registers = 0;
    for (unsigned k = ptx_written(i); k < i->count; k++) registers += i->operand[k].kind == PTX_REGISTER;
    return registers > 1;
}
static bool hands_on(const struct ptx_insn *i) {
    const struct ptx_traits *t = ptx_traits_of(i);
    return t->carries != PTX_CARRIES_NONE || t->crosses != PTX_CROSSES_NOTHING;
}
static bool look(const struct ptx_function *f, const struct ptx_insn *load, uint8_t *from_load) {
    add(&load->operand[0], from_load);
    for (bool more = true; more;) {
        more = false;
        for (const struct ptx_insn *i = f->code; i < f->code + f->code_count; i++) {
            bool reads = false;
            for (unsigned k = ptx_written(i); k < i->count; k++) reads |= any_of(&i->operand[k], from_load);
            if (!reads) continue;
            if (ptx_accesses_memory(ptx_traits_of(i))) {
                if (i->space == PTX_PARAM) return true; /* the value is an argument of a function that is not inlined */
            } else if (hands_on(i))
                more |= ptx_written(i) && add(&i->operand[0], from_load);
            else if (takes_two(i))
                return true;
            /* Follow a negated or converted value, but not a predicate, because a flag only controls a branch. */
            else if (ptx_ops[i->op].operands[0] != 'p')
                more |= ptx_written(i) && add(&i->operand[0], from_load);
        }
    }
    return false;
}

bool probe_combines(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *load = pc < launch->code_count ? launch->code[pc] : NULL;
    const struct ptx_function *f = load ? probe_function_of(launch, load) : NULL;
    if (!f) return false;
    uint8_t *from_load = probe_alloc(f->register_count + 1, 1);
    const bool combines = look(f, load, from_load);
    free(from_load);
    return combines;
}

/* What the value of an operand is computed from. A kernel's parameters are not data. An atomic's result is the value of
 * a counter, or a value that another atomic has stored. */
struct sources {
    bool load, atomic;
};
static struct sources sources_of(const struct ptx_function *f, uint8_t *set) {
    struct sources s = {false, false};
    for (bool more = true; more;) {
        more = false;
        for (const struct ptx_insn *i = f->code; i < f->code + f->code_count; i++) {
            const enum ptx_memory memory = ptx_traits_of(i)->memory;
            if (!ptx_written(i) || !any_of(&i->operand[0], set)) continue;
            s.load |= memory == PTX_MEMORY_TEXTURE || i->call ||
                      (memory == PTX_MEMORY_LOAD && (i->space != PTX_PARAM || !f->entry));
            s.atomic |= memory == PTX_MEMORY_ATOMIC;
            for (unsigned k = 1; memory != PTX_MEMORY_ATOMIC && k < i->count; k++) more |= add(&i->operand[k], set);
        }
    }
    return s;
}
/* Returns the sources of the values that the instruction at `pc` takes. An address is not such a value. */
static struct sources taken(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    const struct ptx_function *f = i ? probe_function_of(launch, i) : NULL;
    if (!f) return (struct sources){true, true};
    uint8_t *set = probe_alloc(f->register_count + 1, 1);
    for (unsigned k = ptx_written(i); k < i->count; k++) add(&i->operand[k], set);
    const struct sources s = sources_of(f, set);
    free(set);
    return s;
}
bool probe_counts_threads(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    return i && ptx_traits_of(i)->memory == PTX_MEMORY_ATOMIC && ptx_mod_of(i, PTX_CLASS_OPERATION) == PTX_MOD_ADD &&
           (ptx_mod_of(i, PTX_CLASS_SCOPE) == PTX_MOD_CTA || i->space == PTX_SHARED) && !taken(launch, pc).load;
}
bool probe_hands_on_count(const struct sim_launch_info *launch, uint32_t pc) {
    const struct sources s = taken(launch, pc);
    return s.atomic && !s.load;
}
