/* Determines whether a loaded value is used, or only carried from memory to memory. Copying a struct also copies the
 * padding between its members. A compiler may keep that padding in separate registers, which it loads, moves, selects
 * and stores along with the members. Such copies do not use an uninitialized value. A register is used if anything is
 * computed from it, if it serves as an address, a condition or a parameter, or if it is stored separately to memory
 * that other threads can see. All other registers are only carried.
 *
 * Unoptimized code keeps objects in local memory. It copies them through generic addresses and as parameters, even if
 * they are uninitialized, and it sets bit-fields in words that were never written. For values loaded from local memory,
 * these operations are also treated as carrying. Values loaded as floats are an exception, because compilers do not
 * copy parts of objects as floats. */
#include "probes/probe.h"

static bool is_whole(enum ptx_type t) { return ptx_type_name(t)[0] == 'u' || ptx_type_name(t)[0] == 's'; }
/* Returns whether the instruction only passes on the operand's register, possibly as part of a larger word. */
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

static bool set_used(uint8_t *used, const struct ptx_operand *o) {
    bool fresh = false;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) fresh |= set_used(used, &o->elements[k]);
    if ((o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG)
        fresh |= !used[o->reg], used[o->reg] = 1;
    return fresh;
}
static bool is_used(const uint8_t *used, const struct ptx_operand *o) {
    bool any = o->kind == PTX_REGISTER && used[o->reg];
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) any |= is_used(used, &o->elements[k]);
    return any;
}
/* Makes one pass over the function, from its last instruction to its first. Returns whether anything changed. */
static bool spread(const struct ptx_function *f, uint8_t *used, bool local) {
    bool more = false;
    for (unsigned n = f->code_count; n-- > 0;) {
        const struct ptx_insn *i = &f->code[n];
        const bool to_used = is_used(used, &i->operand[0]);
        if (i->guard != PTX_NO_REG) more |= !used[i->guard], used[i->guard] = 1;
        if (i->call) more |= set_used(used, &i->call->pointer);
        for (unsigned k = ptx_written(i); k < i->count; k++)
            if (!stores(i, k, local) && (!carries(i, k, local) || to_used)) more |= set_used(used, &i->operand[k]);
    }
    return more;
}

const struct ptx_function *probe_function_of(const struct sim_launch_info *launch, const struct ptx_insn *i) {
    for (unsigned k = 0; k < launch->module->function_count; k++) {
        const struct ptx_function *f = launch->module->functions[k];
        if (i >= f->code && i < f->code + f->code_count) return f;
    }
    return NULL;
}
bool probe_only_carried(struct probe_carried *c, const struct sim_launch_info *launch, uint32_t pc, unsigned element) {
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    if (!i || ptx_traits_of(i)->memory != PTX_MEMORY_LOAD || (c->local && (i->type == PTX_F32 || i->type == PTX_F64)))
        return false;
    const struct ptx_operand *to = &i->operand[0];
    if (to->kind == PTX_VECTOR) to = element < to->count ? &to->elements[element] : to;
    if (to->kind != PTX_REGISTER) return false;
    if (!c->function || i < c->function->code || i >= c->function->code + c->function->code_count) {
        if (!(c->function = probe_function_of(launch, i))) return false;
        free(c->used);
        c->used = probe_alloc(c->function->register_count, 1);
        for (unsigned pass = 0; pass < 100 && spread(c->function, c->used, c->local); pass++) {}
    }
    return !c->used[to->reg];
}
