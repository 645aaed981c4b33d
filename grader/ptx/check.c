/* Does an instruction keep to its row: number, kind and width of operands? The simulator relies on it. */
#include "ptx/parser.h"
#include <string.h>

/* Start of operand k in a signature such as "d|p, a, u?"; NULL past its end. */
static const char *operand_signature(enum ptx_op op, unsigned k) {
    const char *s = ptx_ops[op].operands;
    while (k-- && s) {
        s = strchr(s, ',');
        if (s) s += 2;
    }
    return s && *s ? s : NULL;
}
char ptx_letter(enum ptx_op op, unsigned operand) {
    const char *s = operand_signature(op, operand);
    return s ? *s : 0;
}
static bool optional(enum ptx_op op, unsigned k) {
    const char *s = operand_signature(op, k);
    return !s || s[1] == '?';
}
/* bar.red's predicate is the last operand, whether the count before it is there or not; so for all: a missing operand
 * in the middle shifts those behind it. */
static char letter_of(const struct ptx_insn *i, unsigned k) {
    unsigned all = 0;
    while (operand_signature(i->op, all)) all++;
    if (i->count == all || k == 0) return ptx_letter(i->op, k);
    for (unsigned n = 0; n + 1 < all; n++)
        if (optional(i->op, n) && k >= n) return ptx_letter(i->op, k + (all - i->count));
    return ptx_letter(i->op, k);
}

static const char *name_of(const struct parser *p, const struct ptx_operand *o) {
    return o->kind == PTX_REGISTER ? p->function->registers[o->reg].name : o->kind == PTX_VECTOR ? "a vector" : "it";
}
static unsigned stored_bits(enum ptx_type t) {
    unsigned bits = ptx_type_bits(t);
    return bits == 8 ? 16 : bits;
}
static _Noreturn void wrong(struct parser *p, const struct ptx_insn *i, unsigned k, const char *wanted) {
    ptx_fail(p, i->text_line, "operand %u of `%s` must be %s", k + 1, ptx_ops[i->op].mnemonic, wanted);
}

/* A register must be as wide as what is read or written through it; `wider`: or wider. */
static void check_width(struct parser *p, const struct ptx_insn *i, unsigned k, const struct ptx_operand *o,
                        unsigned bits, bool wider) {
    if (o->kind != PTX_REGISTER) return;
    const enum ptx_type t = p->function->registers[o->reg].type;
    const unsigned have = t == PTX_PRED ? 1 : stored_bits(t), want = bits == 8 ? 16 : bits;
    if ((want == 1) != (have == 1) || (wider ? have < want : have != want))
        ptx_fail(p, i->text_line, "operand %u of `%s`: register %s has %u bits, %u are needed", k + 1,
                 ptx_ops[i->op].mnemonic, name_of(p, o), have, want);
}
static void check_vector(struct parser *p, const struct ptx_insn *i, unsigned k, const struct ptx_operand *o,
                         unsigned bits, bool wider) {
    for (unsigned n = 0; n < o->count; n++) {
        const enum ptx_operand_kind kind = o->elements[n].kind;
        if (kind != PTX_REGISTER && kind != PTX_NONE &&
            (kind != PTX_IMMEDIATE || (k == 0 && *ptx_ops[i->op].operands == 'D')))
            wrong(p, i, k, "a vector of registers");
        check_width(p, i, k, &o->elements[n], bits, wider);
    }
}
static bool is_value(const struct ptx_operand *o) {
    return o->kind == PTX_REGISTER || o->kind == PTX_IMMEDIATE || o->kind == PTX_SPECIAL || o->kind == PTX_SYMBOL;
}
static void check_mov(struct parser *p, const struct ptx_insn *i) {
    const unsigned bits = ptx_type_bits(i->type);
    for (unsigned k = 0; k < 2; k++) {
        const struct ptx_operand *o = &i->operand[k];
        if (o->kind == PTX_VECTOR) {
            if (bits % o->count || bits / o->count < 16) wrong(p, i, k, "a vector whose elements make up the whole");
            check_vector(p, i, k, o, bits / o->count, false);
        } else if (k ? !is_value(o) : o->kind != PTX_REGISTER)
            wrong(p, i, k, k ? "a register, a constant or an address" : "a register");
        else
            check_width(p, i, k, o, bits, false);
    }
    if (i->operand[0].kind == PTX_VECTOR && i->operand[1].kind != PTX_REGISTER) wrong(p, i, 1, "a register");
}
static void check_operand(struct parser *p, const struct ptx_insn *i, unsigned k, char letter) {
    const struct ptx_operand *o = &i->operand[k];
    const unsigned bits = ptx_type_bits(i->type), bits2 = ptx_type_bits(i->type2);
    const bool first = k == 0;
    const unsigned some = bits ? bits : 64;
    if (o->negated && letter != 'q') wrong(p, i, k, "without `!`");
    switch (letter) {
    case 'd':
    case 'w':
        if (o->kind == PTX_NONE && (i->op == PTX_OP_atom || i->op == PTX_OP_elect)) break; /* the sink */
        if (o->kind != PTX_REGISTER) wrong(p, i, k, "a register");
        check_width(p, i, k, o, letter == 'w' ? 2 * bits : bits ? bits : 32, i->op == PTX_OP_cvt);
        break;
    case 'D':
        if (o->kind == PTX_VECTOR)
            check_vector(p, i, k, o, bits, true);
        else if (o->kind != PTX_REGISTER)
            wrong(p, i, k, "a register");
        else
            check_width(p, i, k, o, bits, true);
        if ((o->kind == PTX_VECTOR ? o->count : 1) != i->vec)
            wrong(p, i, k, "a vector of as many registers as the instruction says");
        break;
    case 'A':
        if (o->kind == PTX_VECTOR)
            check_vector(p, i, k, o, bits, true);
        else if (!is_value(o))
            wrong(p, i, k, "a register or a constant");
        else
            check_width(p, i, k, o, bits, true);
        if ((o->kind == PTX_VECTOR ? o->count : 1) != i->vec)
            wrong(p, i, k, "a vector of as many registers as the instruction says");
        break;
    case 'a':
    case 'c':
    case 's':
    case 'u':
        if (first && letter == 'u' && i->op != PTX_OP_brx_idx && i->type) {
            if (o->kind != PTX_REGISTER) wrong(p, i, k, "a register");
        } else if (!is_value(o))
            wrong(p, i, k, "a register or a constant");
        check_width(p, i, k, o,
                    letter == 'u'   ? 32
                    : letter == 's' ? bits2
                    : letter == 'c' ? 2 * bits
                                    : some,
                    i->op == PTX_OP_cvt);
        break;
    case 'p':
        if (o->kind == PTX_NONE) break;
        if (o->kind != PTX_REGISTER) wrong(p, i, k, "a predicate register");
        check_width(p, i, k, o, 1, false);
        break;
    case 'q':
        if (o->kind != PTX_REGISTER) wrong(p, i, k, "a predicate register");
        check_width(p, i, k, o, 1, false);
        break;
    case 'm':
        if (o->kind != PTX_MEMORY) wrong(p, i, k, "an address in brackets");
        if (o->reg != PTX_NO_REG && ptx_type_bits(p->function->registers[o->reg].type) < 32)
            wrong(p, i, k, "addressed by a register of 32 or 64 bits");
        if (o->reg != PTX_NO_REG && ptx_type_bits(p->function->registers[o->reg].type) == 32 &&
            i->space != PTX_SHARED && i->space != PTX_LOCAL)
            wrong(p, i, k, "addressed by a register of 64 bits");
        break;
    case 'l':
        if (o->kind != PTX_LABEL && i->op != PTX_OP_brx_idx) wrong(p, i, k, "a label");
        break;
    default: break;
    }
}
void ptx_check(struct parser *p, const struct ptx_insn *i) {
    unsigned all = 0, least = 0;
    while (operand_signature(i->op, all)) all++;
    for (unsigned k = 0; k < all; k++) least += !optional(i->op, k);
    if (i->op == PTX_OP_call) return;
    if (i->count < least || i->count > all)
        ptx_fail(p, i->text_line, "`%s` has %u operands, %u were expected", ptx_ops[i->op].mnemonic, i->count, least);
    if (i->op == PTX_OP_mov) {
        check_mov(p, i);
        return;
    }
    for (unsigned k = 0; k < i->count; k++) check_operand(p, i, k, letter_of(i, k));
    if (i->op == PTX_OP_cvta || i->op == PTX_OP_isspacep) {
        const unsigned k = 1;
        if (!is_value(&i->operand[k])) wrong(p, i, k, "an address");
        check_width(p, i, k, &i->operand[k], 64, false);
        if (i->op == PTX_OP_cvta) check_width(p, i, 0, &i->operand[0], 64, false);
        if (i->space == PTX_GENERIC) ptx_fail(p, i->text_line, "`%s` names no state space", ptx_ops[i->op].mnemonic);
    }
    const char *letters = ptx_ops[i->op].operands;
    if (i->pred_dest.kind == PTX_REGISTER) {
        if (letters[0] == 0 || letters[1] != '|')
            ptx_fail(p, i->text_line, "`%s` has one destination", ptx_ops[i->op].mnemonic);
        check_width(p, i, 0, &i->pred_dest, 1, false);
    }
    if (i->op == PTX_OP_setp && !ptx_mod_of(i, PTX_CLASS_CMP)) ptx_fail(p, i->text_line, "`setp` without a comparison");
    if (i->op == PTX_OP_lop3 && i->operand[4].kind != PTX_IMMEDIATE) wrong(p, i, 4, "a constant");
    if ((i->op == PTX_OP_atom || i->op == PTX_OP_red) &&
        (!ptx_mod_of(i, PTX_CLASS_OPERATION) || (ptx_mod_of(i, PTX_CLASS_OPERATION) == PTX_MOD_CAS) != (i->count == 4)))
        ptx_fail(p, i->text_line, "`%s` without an operation, or with the wrong number of operands for it",
                 ptx_ops[i->op].mnemonic);
}
