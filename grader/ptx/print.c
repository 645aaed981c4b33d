/* Prints an instruction for messages and traces. Given the same declarations, ptx_parse() would parse the text as the
 * same instruction. An exception is wgmma, whose constants are omitted. */
#include "ptx/parser.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct out {
    char *at;
    size_t left;
};
static void print_text(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print_text(struct out *o, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(o->at, o->left, format, arguments);
    va_end(arguments);
    const size_t used = n < 0 || !o->left ? 0 : (size_t)n < o->left ? (size_t)n : o->left - 1;
    o->at += used, o->left -= used;
}

static void constant(struct out *o, uint64_t bits, enum ptx_type t) {
    const unsigned width = ptx_type_bits(t);
    if (t == PTX_F32)
        print_text(o, "0f%08" PRIX64, bits & UINT32_MAX);
    else if (t == PTX_F64)
        print_text(o, "0d%016" PRIX64, bits);
    else if (t == PTX_PRED)
        print_text(o, "%d", bits != 0);
    else if (width && width < 64 && t >= PTX_S8 && t <= PTX_S64)
        print_text(o, "%" PRId64, (int64_t)(bits << (64 - width)) >> (64 - width));
    else if (t == PTX_S64)
        print_text(o, "%" PRId64, (int64_t)bits);
    else if (bits < 1 << 16)
        print_text(o, "%" PRIu64, bits);
    else
        print_text(o, "0x%" PRIX64, bits);
}
static const char *label_at(const struct ptx_function *f, uint32_t at) {
    for (unsigned k = 0; k < f->label_count && f->labels[k].at <= at; k++)
        if (f->labels[k].at == at) return f->labels[k].name;
    return "?";
}
static void operand(struct out *o, const struct ptx_function *f, const struct ptx_operand *x, enum ptx_type t) {
    if (x->negated) print_text(o, "!");
    switch (x->kind) {
    case PTX_NONE: print_text(o, "_"); break;
    case PTX_REGISTER:
        print_text(o, "%s", f->registers[x->reg].name);
        if (x->part.count) print_text(o, ".%c", x->part.bits == 8 ? 'b' : 'h');
        for (unsigned k = x->part.count; k-- > 0;) print_text(o, "%u", x->part.which[k]);
        break;
    case PTX_IMMEDIATE: constant(o, x->imm, t); break;
    case PTX_SPECIAL: print_text(o, "%s", ptx_special_name(x->special)); break;
    case PTX_LABEL: print_text(o, "%s", label_at(f, x->target)); break;
    case PTX_SYMBOL:
    case PTX_MEMORY:
        if (x->kind == PTX_MEMORY) print_text(o, "[");
        if (x->function)
            print_text(o, "%s", x->function->name);
        else if (x->symbol)
            print_text(o, "%s", x->symbol->name);
        else if (x->reg != PTX_NO_REG)
            print_text(o, "%s", f->registers[x->reg].name);
        else
            print_text(o, "%" PRIu64, x->imm);
        if (x->imm && (x->symbol || x->reg != PTX_NO_REG)) print_text(o, "%+" PRId64, (int64_t)x->imm);
        if (x->kind == PTX_MEMORY) print_text(o, "]");
        break;
    case PTX_VECTOR:
        for (unsigned k = 0; k < x->count; k++) print_text(o, k ? ", " : "{"), operand(o, f, &x->elements[k], t);
        print_text(o, "}");
        break;
    }
}
/* Prints the mnemonic, with its modifiers in the order of the PTX ISA: `ld.volatile.global.v2.f32`,
 * `setp.lt.and.ftz.f32`, `cvta.to.global.u64`. */
static void mnemonic(struct out *o, const struct ptx_insn *i) {
    static const uint8_t before_space[] = {PTX_CLASS_SCOPEWORD, PTX_CLASS_TO, PTX_CLASS_SEM, PTX_CLASS_SCOPE};
    static const uint8_t behind_space[] = {
        PTX_CLASS_CMP,       PTX_CLASS_OPERATION, PTX_CLASS_MODE,  PTX_CLASS_ALIGNED,    PTX_CLASS_UNI,
        PTX_CLASS_CARRY,     PTX_CLASS_APPROX,    PTX_CLASS_ROUND, PTX_CLASS_FTZ,        PTX_CLASS_NOFTZ,
        PTX_CLASS_SATFINITE, PTX_CLASS_RELU,      PTX_CLASS_PROXY, PTX_CLASS_FROM,       PTX_CLASS_LAYOUT,
        PTX_CLASS_SHAPE,     PTX_CLASS_MATRICES,  PTX_CLASS_TRANS, PTX_CLASS_PROXYSPACE, PTX_CLASS_SAT,
        PTX_CLASS_CACHE,     PTX_CLASS_NC,        PTX_CLASS_HINT,  PTX_CLASS_POLICY,     PTX_CLASS_GEOMETRY,
        PTX_CLASS_TILE,      PTX_CLASS_VEC};
    print_text(o, "%s", ptx_ops[i->op].mnemonic);
    for (unsigned k = 0; k < sizeof before_space; k++)
        if (i->mod[before_space[k]]) print_text(o, ".%s", ptx_mod_text(i->mod[before_space[k]]));
    if (i->space != PTX_GENERIC) print_text(o, ".%s%s", ptx_space_name(i->space), i->cluster ? "::cluster" : "");
    for (unsigned k = 0; k < sizeof behind_space; k++)
        if (i->mod[behind_space[k]]) print_text(o, ".%s", ptx_mod_text(i->mod[behind_space[k]]));
    if (i->columns) print_text(o, ".m64n%uk%u", i->columns, i->depth);
    if (i->type) print_text(o, ".%s", ptx_type_name(i->type));
    if (i->type2) print_text(o, ".%s", ptx_type_name(i->type2));
    for (unsigned k = 0; k < 2; k++)
        if (i->more[k]) print_text(o, ".%s", ptx_type_name(i->more[k]));
}
/* Prints a call's operands: (result), function, (arguments), prototype. */
static void call(struct out *o, const struct ptx_function *f, const struct ptx_call *c) {
    if (c->result) print_text(o, "(%s), ", c->result->name);
    print_text(o, "%s", c->callee ? c->callee->name : f->registers[c->pointer.reg].name);
    for (unsigned k = 0; k < c->argument_count; k++) print_text(o, "%s%s", k ? ", " : ", (", c->arguments[k]->name);
    if (c->argument_count) print_text(o, ")");
    if (c->prototype) print_text(o, ", %s", c->prototype);
}
static enum ptx_type constant_type(const struct ptx_insn *i, const char *const *letters, unsigned count, unsigned k) {
    return k >= count           ? PTX_NOTYPE
           : *letters[k] == 's' ? i->type2
           : *letters[k] == 'u' ? PTX_B32
           : *letters[k] == 'k' ? PTX_B32
           : *letters[k] == 'e' ? PTX_B32
           : *letters[k] == 'r' ? PTX_F32
           : *letters[k] == 'q' ? PTX_PRED
                                : i->type;
}
char *ptx_print(const struct ptx_module *module, const struct ptx_function *f, const struct ptx_insn *i, char *out,
                size_t size) {
    (void)module; /* unused, because `f` refers to all names */
    struct out o = {out, size};
    if (size) *out = 0;
    if (i->guard != PTX_NO_REG) print_text(&o, "@%s%s ", i->guard_negated ? "!" : "", f->registers[i->guard].name);
    mnemonic(&o, i);
    const char *letters[PTX_MAX_OPERANDS];
    const unsigned count = ptx_signature(i->op, i->count, letters);
    for (unsigned k = 0; k < i->count; k++) {
        print_text(&o, k ? ", " : " ");
        /* An object is printed with its coordinates, if it has any, as [object, coordinates]. */
        const bool object = k < count && *letters[k] == 'o', coordinates = k && k < count && *letters[k - 1] == 'o';
        if (object) print_text(&o, "[");
        if (i->op == PTX_OP_brx_idx && k == 1)
            print_text(&o, "%s", i->target_list);
        else
            operand(&o, f, &i->operand[k], constant_type(i, letters, count, k));
        if (coordinates || (object && i->count == k + 1)) print_text(&o, "]");
        if (!k && i->pred_dest.kind == PTX_REGISTER) print_text(&o, "|%s", f->registers[i->pred_dest.reg].name);
    }
    if (i->policy.kind == PTX_REGISTER) print_text(&o, ", %s", f->registers[i->policy.reg].name);
    if (i->call) print_text(&o, " "), call(&o, f, i->call);
    return out;
}
