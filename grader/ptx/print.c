/* An instruction as text again, for messages and traces. */
#include "ptx/ptx.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct out {
    char *at;
    size_t left;
};
static void add(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct out *o, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(o->at, o->left, format, arguments);
    va_end(arguments);
    if (n < 0) return;
    size_t used = (size_t)n < o->left ? (size_t)n : o->left ? o->left - 1 : 0;
    o->at += used, o->left -= used;
}
static const char *const mod_text[PTX_MOD_COUNT] = {
#define CLASS(name, doc)
#define MOD(class, name, text) [PTX_MOD_##name] = text,
#include "ptx/mods.def"
};

static void operand(struct out *o, const struct ptx_function *f, const struct ptx_operand *x) {
    if (x->negated) add(o, "!");
    switch (x->kind) {
    case PTX_NONE: add(o, "_"); break;
    case PTX_REGISTER: add(o, "%s", f->registers[x->reg].name); break;
    case PTX_IMMEDIATE:
        if ((int64_t)x->imm < 0 || x->imm < 1 << 16)
            add(o, "%lld", (long long)x->imm);
        else
            add(o, "0x%llx", (unsigned long long)x->imm);
        break;
    case PTX_SPECIAL: add(o, "%s", ptx_special_name(x->special)); break;
    case PTX_LABEL: add(o, "@%u", x->target); break;
    case PTX_SYMBOL:
    case PTX_MEMORY:
        if (x->kind == PTX_MEMORY) add(o, "[");
        if (x->function)
            add(o, "%s", x->function->name);
        else if (x->symbol)
            add(o, "%s", x->symbol->name);
        else if (x->reg != PTX_NO_REG)
            add(o, "%s", f->registers[x->reg].name);
        if (x->imm) add(o, x->symbol || x->reg != PTX_NO_REG ? "%+lld" : "%lld", (long long)x->imm);
        if (x->kind == PTX_MEMORY) add(o, "]");
        break;
    case PTX_VECTOR:
        for (unsigned k = 0; k < x->count; k++) add(o, k ? ", " : "{"), operand(o, f, &x->elements[k]);
        add(o, "}");
        break;
    }
}
/* The words of the row's name, then modifiers that are not among them, space, types. */
static void mnemonic(struct out *o, const struct ptx_insn *i) {
    const char *name = ptx_ops[i->op].mnemonic;
    char dotted[80];
    add(o, "%s", name);
    for (unsigned c = 0; c < PTX_CLASS_COUNT; c++) {
        if (!i->mod[c]) continue;
        snprintf(dotted, sizeof dotted, ".%s", mod_text[i->mod[c]]);
        const char *in = strstr(name, dotted);
        if (!in || (in[strlen(dotted)] && in[strlen(dotted)] != '.')) add(o, "%s", dotted);
    }
    if (i->space != PTX_GENERIC) add(o, ".%s", ptx_space_name(i->space));
    if (i->type) add(o, ".%s", ptx_type_name(i->type));
    if (i->type2) add(o, ".%s", ptx_type_name(i->type2));
}
char *ptx_print(const struct ptx_module *module, const struct ptx_function *f, const struct ptx_insn *i, char *out,
                size_t size) {
    (void)module;
    struct out o = {out, size};
    if (size) *out = 0;
    if (i->guard != PTX_NO_REG) add(&o, "@%s%s ", i->guard_negated ? "!" : "", f->registers[i->guard].name);
    mnemonic(&o, i);
    for (unsigned k = 0; k < i->count; k++) {
        add(&o, k ? ", " : " ");
        operand(&o, f, &i->operand[k]);
        if (!k && i->pred_dest.kind == PTX_REGISTER) add(&o, "|%s", f->registers[i->pred_dest.reg].name);
    }
    if (i->call) add(&o, " %s", i->call->callee ? i->call->callee->name : "through a register");
    return out;
}
