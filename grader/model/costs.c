/* See costs.h. */
#include "model/costs.h"
#include "probes/probe.h"

enum {
    GUARDED = 8, /* maximum number of instructions that the assembler predicates to avoid a branch */
    LONGEST = 64 /* maximum number of instructions in a loop that is unrolled, without its branch */
};

/* ---- costs of instructions --------------------------------------------------------------------------------------- */

static const struct {
    enum gpu_constant latency;
    uint16_t weight;
    bool holds;
} prices[PTX_PRICE_COUNT] = {
    [PTX_PRICE_ARITHMETIC] = {GPU_arithmetic_latency, 1, false},
    [PTX_PRICE_BRANCH] = {GPU_branch_latency, 1, true},
    [PTX_PRICE_FENCE] = {GPU_fence_latency, 1, true},
    [PTX_PRICE_SHUFFLE] = {GPU_shuffle_latency, 1, false},
    [PTX_PRICE_DIVISION] = {GPU_division_latency, 24, false},
    [PTX_PRICE_FLOAT_DIVISION] = {GPU_division_latency, 12, false},
};
static void set_cost(struct use *u, const struct ptx_insn *i, const struct gpu *gpu) {
    const struct ptx_traits *t = ptx_traits_of(i);
    const bool stores = t->memory == PTX_MEMORY_STORE, atomic = t->memory == PTX_MEMORY_ATOMIC,
               warp_barrier = t->memory == PTX_MEMORY_BARRIER && t->crosses == PTX_CROSSES_LANES;
    u->latency = (uint16_t)gpu->value[prices[t->price].latency].value, u->weight = prices[t->price].weight,
    u->holds = prices[t->price].holds;
    if (t->memory == PTX_MEMORY_LOAD && i->space == PTX_SHARED) u->latency = gpu->shared_latency;
    u->moves = i->op == PTX_OP_mov, u->bulk = ptx_copies_bulk(i);
    u->stays = u->holds || (stores && i->space != PTX_SHARED) || atomic || warp_barrier;
    const enum ptx_mod order = ptx_mod_of(i, PTX_CLASS_SEM);
    const bool fenced = order == PTX_MOD_RELEASE || order == PTX_MOD_ACQ_REL;
    if (atomic && ptx_written(i))
        u->latency = (uint16_t)(i->space == PTX_SHARED ? gpu->shared_latency
                                                       : (fenced ? gpu->fence_latency : 0) + gpu->atomic_latency);
    if (i->op == PTX_OP_nanosleep) u->sleep = &i->operand[0], u->holds = u->stays = true;
    u->serial = i->type == PTX_F32 || i->type == PTX_F64 ? gpu->float_atomic : gpu->integer_atomic;
}
static void add_register(uint16_t *count, uint32_t *list, uint32_t reg, uint32_t base) {
    if (reg != PTX_NO_REG && *count < MAX_REGISTERS) list[(*count)++] = base + reg;
}
static void add_operand(uint16_t *count, uint32_t *list, const struct ptx_operand *o, uint32_t base) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) add_operand(count, list, &o->elements[k], base);
    if (o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) add_register(count, list, o->reg, base);
}
static void set_registers(struct use *u, const struct ptx_insn *i, uint32_t base) {
    const unsigned written = ptx_written(i);
    if (written) add_operand(&u->dests, u->dest, &i->operand[0], base);
    add_operand(&u->dests, u->dest, &i->pred_dest, base);
    for (unsigned k = written; k < i->count; k++) add_operand(&u->sources, u->source, &i->operand[k], base);
    add_register(&u->sources, u->source, i->guard, base);
}
/* ---- translation of branches ------------------------------------------------------------------------------------- */

/* Returns whether the assembler never predicates or repeats the instruction: a fence, a barrier, an atomic that returns
 * a value, or control flow other than a trap. */
static bool keeps_its_place(const struct ptx_insn *i) {
    const struct ptx_traits *t = ptx_traits_of(i);
    return (t->flow != PTX_FLOW_NEXT && t->flow != PTX_FLOW_ABORT) || t->memory == PTX_MEMORY_FENCE ||
           t->memory == PTX_MEMORY_BARRIER || (t->memory == PTX_MEMORY_ATOMIC && ptx_written(i));
}
static bool is_straight(const struct ptx_function *f, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++)
        if (keeps_its_place(&f->code[at])) return false;
    return true;
}
static bool becomes_guard(const struct ptx_function *f, const struct ptx_insn *i) {
    const uint32_t at = (uint32_t)(i - f->code), to = i->operand[0].target;
    return to > at && to - at - 1 <= GUARDED && is_straight(f, at + 1, to);
}
static bool is_written(const struct ptx_function *f, uint32_t from, uint32_t to, uint32_t reg) {
    for (uint32_t k = from; k <= to; k++) {
        const struct ptx_operand *o = f->code[k].operand;
        for (unsigned n = 0; ptx_written(&f->code[k]) && o->kind == PTX_VECTOR && n < o->count; n++)
            if (o->elements[n].reg == reg) return true;
        if (ptx_written(&f->code[k]) && o->kind == PTX_REGISTER && o->reg == reg) return true;
    }
    return false;
}
/* Returns the last instruction in from..to-1 that computes `reg` from two operands. Returns NULL if there is none, or
 * if the first operand is not a register. */
static const struct ptx_insn *computes(const struct ptx_function *f, uint32_t from, uint32_t to, uint32_t reg) {
    for (uint32_t at = to; at-- > from;) {
        const struct ptx_operand *o = f->code[at].operand;
        if (f->code[at].count != 3 || o[0].kind != PTX_REGISTER || o[0].reg != reg) continue;
        return o[1].kind == PTX_REGISTER ? &f->code[at] : NULL;
    }
    return NULL;
}
/* Returns whether the branch closes a loop that the assembler unrolls. The loop is straight-line code without stores.
 * The branch's guard compares a counter, which has a constant step, with a bound that the loop does not change. */
static bool becomes_unrolled(const struct ptx_function *f, const struct ptx_insn *i) {
    const uint32_t at = (uint32_t)(i - f->code), to = i->operand[0].target;
    if (to >= at || at - to > LONGEST || !is_straight(f, to, at)) return false;
    for (uint32_t k = to; k < at; k++)
        if (ptx_traits_of(&f->code[k])->memory == PTX_MEMORY_STORE) return false;
    const struct ptx_insn *test = computes(f, to, at, i->guard);
    if (!test || (test->operand[2].kind == PTX_REGISTER && is_written(f, to, at, test->operand[2].reg))) return false;
    const struct ptx_insn *step = computes(f, to, at, test->operand[1].reg);
    return step && step->operand[2].kind != PTX_REGISTER;
}
static void set_branch(struct use *u, const struct ptx_function *f, const struct ptx_insn *i, const struct gpu *gpu) {
    if (ptx_traits_of(i)->flow != PTX_FLOW_BRANCH || i->guard == PTX_NO_REG) return;
    if (becomes_guard(f, i)) u->holds = u->stays = false, u->latency = gpu->arithmetic_latency;
    u->unrolled = becomes_unrolled(f, i);
}
/* Returns whether the branch closes a loop that polls. Such a loop has no stores, atomics or barriers. Its loads,
 * except those of parameters, are strong, and the loop does not change their addresses. */
static bool becomes_poll(const struct ptx_function *f, const struct ptx_insn *i) {
    const uint32_t at = (uint32_t)(i - f->code), to = i->operand[0].target;
    bool polls = false;
    for (uint32_t k = to; k <= at; k++) {
        const struct ptx_insn *in = &f->code[k];
        const struct ptx_traits *t = ptx_traits_of(in);
        const enum ptx_mod order = ptx_mod_of(in, PTX_CLASS_SEM);
        if (t->memory != PTX_MEMORY_NONE && t->memory != PTX_MEMORY_LOAD && t->memory != PTX_MEMORY_FENCE) return false;
        if (t->flow != PTX_FLOW_NEXT && t->flow != PTX_FLOW_BRANCH) return false;
        if (t->memory != PTX_MEMORY_LOAD || in->space == PTX_PARAM) continue;
        if (order == PTX_MOD_NONE || order == PTX_MOD_WEAK || is_written(f, to, at, in->operand[1].reg)) return false;
        polls = true;
    }
    return polls;
}
static bool is_part(const struct ptx_function *f, const struct ptx_insn *i) {
    return f && f->code_count && i >= f->code && i < f->code + f->code_count;
}
struct use *costs_of(const struct sim_launch_info *launch, const struct gpu *gpu, uint32_t *registers) {
    const struct ptx_function *f = NULL;
    uint32_t base = 0;
    struct use *use = probe_alloc(launch->code_count, sizeof *use);
    *registers = 0;
    for (uint32_t pc = launch->code_begin; pc < launch->code_end; pc++) {
        const struct ptx_insn *i = launch->code[pc];
        if (!i) continue;
        if (!is_part(f, i)) {
            for (unsigned k = 0; k < launch->module->function_count && !is_part(f, i); k++)
                f = launch->module->functions[k];
            base = *registers, *registers += f->register_count;
        }
        set_cost(&use[pc], i, gpu);
        if (f) set_branch(&use[pc], f, i, gpu);
        set_registers(&use[pc], i, base);
        if (!f || ptx_traits_of(i)->flow != PTX_FLOW_BRANCH) continue;
        const uint32_t back = (uint32_t)(i - f->code) - i->operand[0].target;
        if (i->operand[0].target > (uint32_t)(i - f->code) || !becomes_poll(f, i)) continue;
        for (uint32_t k = 0; k <= back; k++) use[pc - k].polls = true;
        use[pc].repeats = true;
    }
    return use;
}
