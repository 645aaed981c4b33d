/* Finds the shuffles that transfer parts of one value. A double, a pair or a struct takes several shuffles, and
 * compiled code may compute with the first part before it shuffles the next. Shuffles form an exchange if there is only
 * computation between them, and none sends a value that depends on another's result. */
#include "probes/probe.h"

static bool writes_needed(const struct ptx_operand *o, const uint8_t *needed) {
    bool any = o->kind == PTX_REGISTER && needed[o->reg];
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) any |= writes_needed(&o->elements[k], needed);
    return any;
}
static void need(const struct ptx_operand *o, uint8_t *needed) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) need(&o->elements[k], needed);
    if (o->kind == PTX_REGISTER && o->reg != PTX_NO_REG) needed[o->reg] = 1;
}
static void need_sources(const struct ptx_insn *i, uint8_t *needed) {
    if (i->guard != PTX_NO_REG) needed[i->guard] = 1;
    for (unsigned k = ptx_written(i); k < i->count; k++) need(&i->operand[k], needed);
}
static bool only_computes(const struct ptx_insn *i) {
    const struct ptx_traits *t = ptx_traits_of(i);
    return i->op == PTX_OP_shfl ||
           (t->flow == PTX_FLOW_NEXT && t->memory == PTX_MEMORY_NONE && t->crosses == PTX_CROSSES_NOTHING);
}
/* Returns the pc of the first instruction of the exchange to which the shuffle at `pc` may belong. Traces the value
 * that the shuffle sends to the instructions that compute it. */
static uint32_t begin_of(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_function *f = probe_function_of(launch, launch->code[pc]);
    if (!f) return pc;
    uint8_t *needed = probe_alloc(f->register_count + 1, 1);
    uint32_t begin = pc;
    need_sources(launch->code[pc], needed);
    for (; begin > 0; begin--) {
        const struct ptx_insn *i = launch->code[begin - 1];
        if (!i || i < f->code || i >= f->code + f->code_count || !only_computes(i)) break;
        if (!ptx_written(i) || !writes_needed(&i->operand[0], needed)) continue;
        if (i->op == PTX_OP_shfl) break;
        need_sources(i, needed);
    }
    free(needed);
    return begin;
}

bool probe_same_exchange(struct probe_exchanges *x, const struct sim_launch_info *launch, uint32_t first, uint32_t pc) {
    if (first == UINT32_MAX || pc <= first) return false;
    if (x->code != launch->code) {
        x->begin = probe_zeroed(x->begin, launch->code_count, &x->capacity, sizeof *x->begin);
        x->code = launch->code;
    }
    if (!x->begin[pc]) x->begin[pc] = begin_of(launch, pc) + 1;
    return first + 1 >= x->begin[pc];
}
