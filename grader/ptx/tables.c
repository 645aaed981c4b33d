/* The tables of ptx.h and ops.def as C arrays, and functions that look up their entries. */
#include "ptx/ptx.h"
#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
} types[PTX_TYPE_COUNT] = {{"", 0},
#define X(name, text, bits) {text, bits},
                           PTX_TYPES(X)
#undef X
};
unsigned ptx_type_bits(enum ptx_type t) { return types[t].bits; }
const char *ptx_type_name(enum ptx_type t) { return types[t].name; }

#define TYPE_BIT(type, ...) | (1u << PTX_##type)
const struct ptx_op_row ptx_ops[PTX_OP_COUNT] = {
#define OP(id, mnemonic, operands, types, types2, allow, summary, ...)                                                 \
    [PTX_OP_##id] = {#id,   mnemonic, operands,     0 EACH_##types(TYPE_BIT), 0 EACH_##types2(TYPE_BIT),               \
                     allow, summary,  {__VA_ARGS__}},
#include "ptx/ops.def"
};
unsigned ptx_written(const struct ptx_insn *i) {
    const char first = *ptx_ops[i->op].operands;
    return i->count && first && strchr("dwpvDT", first);
}
unsigned ptx_target_count(const struct ptx_insn *i) {
    const enum ptx_flow flow = ptx_traits_of(i)->flow;
    return flow == PTX_FLOW_BRANCH ? 1 : flow == PTX_FLOW_TABLE ? i->target_count : 0;
}
uint32_t ptx_target(const struct ptx_insn *i, unsigned k) {
    return ptx_traits_of(i)->flow == PTX_FLOW_BRANCH ? i->operand[0].target : i->targets[k];
}

const char *ptx_space_name(enum ptx_space s) {
    static const char *const names[] = {"generic", "global", "shared", "local", "const", "param", "reg"};
    return names[s];
}
static const struct {
    const char *name;
    unsigned bits;
    enum ptx_special_kind kind;
} specials[PTX_SPECIAL_COUNT] = {
#define X(name, text, bits, kind) [PTX_##name] = {text, bits, PTX_SPECIAL_##kind},
    PTX_SPECIALS(X)
#undef X
};
const char *ptx_special_name(enum ptx_special s) { return specials[s].name; }
unsigned ptx_special_bits(enum ptx_special s) { return specials[s].bits; }
enum ptx_special_kind ptx_special_kind(enum ptx_special s) { return specials[s].kind; }
