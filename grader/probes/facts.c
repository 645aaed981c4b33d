/* Finds out how a function's code uses each register's value. The result depends only on the PTX. It is computed when a
 * probe first needs it, and stored in the module.
 *
 * Carried values: a loaded value is either used, or only carried from memory to memory. A copy of a struct also copies
 * the padding between its members. A compiler may keep the padding in registers, which it loads, moves, selects and
 * stores with the members. These copies do not use an uninitialized value. A register is used if anything is computed
 * from it, if it is an address, a condition or a parameter, or if a scalar store writes it to memory other than shared
 * and local memory. All others are only carried.
 *
 * Unoptimized code keeps objects in local memory. It copies them through generic addresses and as parameters, even if
 * they are uninitialized, and sets bit-fields in words that were never written. These operations
 * therefore only carry values that were loaded from local memory. Values loaded as floats are an exception: compilers
 * do not copy parts of objects as floats.
 *
 * Combined values: a step that combines a loaded value with another one is a tree step. The program may store the
 * result at once, or keep it in a register for several barriers. A value that is only loaded, moved, selected and
 * stored is not combined. */
#include "probes/probe.h"
#include <stdatomic.h>

/* Facts about a register's value. */
enum {
    USED = 1 << 0,
    USED_FROM_LOCAL = 1 << 1, /* used, if it was loaded from local memory */
    LOADED = 1 << 2,          /* computed from loaded data or a function's result, not only from kernel parameters */
    ATOMIC = 1 << 3,          /* computed from the result of an atomic */
    COMBINED = 1 << 4
};

/* ---- operands --------------------------------------------------------------------------------- */
static uint8_t facts_in(const struct ptx_operand *o, const uint8_t *facts) {
    uint8_t all = o->kind == PTX_REGISTER ? facts[o->reg] : 0;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) all |= facts_in(&o->elements[k], facts);
    return all;
}
static bool add_to_register(uint32_t reg, uint8_t add, uint8_t *facts) {
    const uint8_t before = facts[reg];
    facts[reg] |= add;
    return facts[reg] != before;
}
/* Adds facts about the operand's registers. Returns whether any is new. */
static bool add_facts(const struct ptx_operand *o, uint8_t add, uint8_t *facts) {
    bool more = o->kind == PTX_REGISTER && add_to_register(o->reg, add, facts);
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) more |= add_facts(&o->elements[k], add, facts);
    return more;
}
static bool set_used(const struct ptx_operand *o, uint8_t used, uint8_t *facts) {
    bool more = false;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) more |= set_used(&o->elements[k], used, facts);
    if ((o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG)
        more |= add_to_register(o->reg, used, facts);
    return more;
}

/* ---- carried values --------------------------------------------------------------------------- */
static bool is_whole(enum ptx_type t) { return ptx_type_name(t)[0] == 'u' || ptx_type_name(t)[0] == 's'; }
/* Returns whether the instruction only passes on the operand's register, perhaps in a larger word. */
static bool carries(const struct ptx_insn *i, unsigned operand, bool local) {
    switch (ptx_traits_of(i)->carries) {
    case PTX_CARRIES_FIRST: return operand == 1;
    case PTX_CARRIES_BOTH: return operand == 1 || operand == 2;
    case PTX_CARRIES_WHOLE: return operand == 1 && is_whole(i->type) && is_whole(i->type2);
    case PTX_CARRIES_MASKED:
        return local && operand == 1 && i->operand[2].kind == PTX_IMMEDIATE; /* clears a bit-field before setting it */
    default: return false;
    }
}
static bool stores(const struct ptx_insn *i, unsigned operand, bool local) {
    if (ptx_traits_of(i)->memory != PTX_MEMORY_STORE || operand != 1) return false;
    if (local) return i->space != PTX_GLOBAL;
    return i->operand[1].kind == PTX_VECTOR || i->space == PTX_SHARED || i->space == PTX_LOCAL;
}
/* Passes over the function once, from its last instruction to its first. Returns whether anything changed. */
static bool spread_use(const struct ptx_function *f, uint8_t *facts, uint8_t used) {
    const bool local = used == USED_FROM_LOCAL;
    bool more = false;
    for (unsigned n = f->code_count; n-- > 0;) {
        const struct ptx_insn *i = &f->code[n];
        const bool to_used = facts_in(&i->operand[0], facts) & used;
        if (i->guard != PTX_NO_REG) more |= add_to_register(i->guard, used, facts);
        if (i->call) more |= set_used(&i->call->pointer, used, facts);
        for (unsigned k = ptx_written(i); k < i->count; k++)
            if (!stores(i, k, local) && (!carries(i, k, local) || to_used))
                more |= set_used(&i->operand[k], used, facts);
    }
    return more;
}

/* ---- sources and combined values ---------------------------------------------------------------- */
static bool spread_sources(const struct ptx_function *f, uint8_t *facts) {
    bool more = false;
    for (const struct ptx_insn *i = f->code; i < f->code + f->code_count; i++) {
        const enum ptx_memory memory = ptx_traits_of(i)->memory;
        if (!ptx_written(i)) continue;
        uint8_t from = memory == PTX_MEMORY_ATOMIC ? ATOMIC : 0;
        if (memory == PTX_MEMORY_TEXTURE || i->call ||
            (memory == PTX_MEMORY_LOAD && (i->space != PTX_PARAM || !f->entry)))
            from |= LOADED;
        for (unsigned k = 1; memory != PTX_MEMORY_ATOMIC && k < i->count; k++) from |= facts_in(&i->operand[k], facts);
        more |= add_facts(&i->operand[0], from & (LOADED | ATOMIC), facts);
    }
    return more;
}
/* Returns whether at least two operands are registers. In the test of a flag, the second one is a constant. */
static bool takes_two(const struct ptx_insn *i) {
    unsigned registers = 0;
    for (unsigned k = ptx_written(i); k < i->count; k++) registers += i->operand[k].kind == PTX_REGISTER;
    return registers > 1;
}
/* Returns whether the instruction combines a value that it reads with another one, or passes it on to be combined. */
static bool combines(const struct ptx_insn *i, const uint8_t *facts) {
    const struct ptx_traits *t = ptx_traits_of(i);
    const bool passes_on = ptx_written(i) && facts_in(&i->operand[0], facts) & COMBINED;
    if (ptx_accesses_memory(t)) return i->space == PTX_PARAM; /* an argument of a function that is not inlined */
    if (t->carries != PTX_CARRIES_NONE || t->crosses != PTX_CROSSES_NOTHING) return passes_on;
    /* Follow a negated or converted value, but no predicate: a flag only controls a branch. */
    return takes_two(i) || (passes_on && ptx_ops[i->op].operands[0] != 'p');
}
static bool spread_combined(const struct ptx_function *f, uint8_t *facts) {
    bool more = false;
    for (unsigned n = f->code_count; n-- > 0;) {
        const struct ptx_insn *i = &f->code[n];
        if (!combines(i, facts)) continue;
        for (unsigned k = ptx_written(i); k < i->count; k++) more |= add_facts(&i->operand[k], COMBINED, facts);
    }
    return more;
}

/* ---- queries ------------------------------------------------------------------------------------ */
static struct ptx_function *function_of(const struct sim_launch_info *launch, const struct ptx_insn *i) {
    for (unsigned k = 0; k < launch->module->function_count; k++) {
        struct ptx_function *f = launch->module->functions[k];
        if (i >= f->code && i < f->code + f->code_count) return f;
    }
    return NULL;
}
const struct ptx_function *probe_function_of(const struct sim_launch_info *launch, const struct ptx_insn *i) {
    return function_of(launch, i);
}
/* Returns the facts about the function's registers. Two threads that call it at the same time both compute them. */
static const uint8_t *facts_of(struct ptx_function *f) {
    uint8_t *facts = atomic_load(&f->facts), *none = NULL;
    if (facts) return facts;
    facts = probe_alloc(f->register_count + 1, 1);
    for (unsigned pass = 0; pass < 100 && spread_use(f, facts, USED); pass++) continue;
    for (unsigned pass = 0; pass < 100 && spread_use(f, facts, USED_FROM_LOCAL); pass++) continue;
    while (spread_sources(f, facts)) continue;
    while (spread_combined(f, facts)) continue;
    if (!atomic_compare_exchange_strong(&f->facts, &none, facts)) free(facts), facts = none;
    return facts;
}
bool probe_only_carried(const struct sim_launch_info *launch, uint32_t pc, unsigned element, bool local) {
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    if (!i || ptx_traits_of(i)->memory != PTX_MEMORY_LOAD || (local && (i->type == PTX_F32 || i->type == PTX_F64)))
        return false;
    const struct ptx_operand *to = &i->operand[0];
    if (to->kind == PTX_VECTOR) to = element < to->count ? &to->elements[element] : to;
    struct ptx_function *f = to->kind == PTX_REGISTER ? function_of(launch, i) : NULL;
    return f && !(facts_of(f)[to->reg] & (local ? USED_FROM_LOCAL : USED));
}
bool probe_combines(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *load = pc < launch->code_count ? launch->code[pc] : NULL;
    struct ptx_function *f = load ? function_of(launch, load) : NULL;
    return f && facts_in(&load->operand[0], facts_of(f)) & COMBINED;
}
/* Returns the sources (LOADED, ATOMIC) of the instruction's operands, except addresses. */
static uint8_t sources_of(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    struct ptx_function *f = i ? function_of(launch, i) : NULL;
    uint8_t from = 0;
    for (unsigned k = f ? ptx_written(i) : 0; f && k < i->count; k++) from |= facts_in(&i->operand[k], facts_of(f));
    return f ? from & (LOADED | ATOMIC) : LOADED | ATOMIC;
}
bool probe_counts_threads(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    return i && ptx_traits_of(i)->memory == PTX_MEMORY_ATOMIC && ptx_mod_of(i, PTX_CLASS_OPERATION) == PTX_MOD_ADD &&
           (ptx_mod_of(i, PTX_CLASS_SCOPE) == PTX_MOD_CTA || i->space == PTX_SHARED) &&
           !(sources_of(launch, pc) & LOADED);
}
bool probe_hands_on_count(const struct sim_launch_info *launch, uint32_t pc) {
    return sources_of(launch, pc) == ATOMIC;
}
