/* Parses operands: registers, constants, addresses, vectors, labels, and the operands of a call. */
#include "ptx/parser.h"
#include <string.h>

/* The literals of an operand. Their type depends on the number of operands, so they are converted after the last
 * operand. */
struct pending {
    struct literal of[MAX_VECTOR];
};

static bool special_register(struct parser *p, const struct token *t, struct ptx_operand *o) {
    for (int k = 0; k < PTX_SPECIAL_COUNT; k++)
        if (ptx_spells(t, ptx_special_name((enum ptx_special)k))) {
            o->kind = PTX_SPECIAL, o->special = (enum ptx_special)k;
            p->wants_workspace |= k == PTX_ENVREG1 || k == PTX_ENVREG2;
            return true;
        }
    return false;
}
static _Noreturn void undeclared(struct parser *p, const struct token *t) {
    if (*t->text == '%')
        ptx_refuse(p, t->line, "`%.*s` is neither declared nor a special register that the simulator supports",
                   SHOW(*t));
    ptx_fail(p, t->line, "`%.*s` is not declared", SHOW(*t));
}
/* Parses an optional offset: + 4, - 4 or + -4. It is a signed 32-bit number (PTX ISA, "Addresses as Operands"). */
static void offset(struct parser *p, struct ptx_operand *o) {
    bool minus = false;
    if (ptx_accept(p, "+"))
        minus = ptx_accept(p, "-");
    else if (ptx_accept(p, "-"))
        minus = true;
    else
        return;
    const uint64_t bytes = ptx_integer(p, (uint64_t)INT32_MAX + 1);
    o->imm = minus ? 0 - bytes : bytes;
}
static void memory_operand(struct parser *p, struct ptx_operand *o) {
    const struct token t = p->token;
    o->kind = PTX_MEMORY;
    if (ptx_literal(&t, false).kind)
        o->imm = ptx_integer(p, UINT64_MAX);
    else {
        const struct token base = ptx_word(p, "an address");
        const struct name *n = ptx_lookup(p, &base);
        if (!n) undeclared(p, &base);
        if (n->kind == NAME_REGISTER)
            o->reg = n->index;
        else if (n->kind == NAME_VARIABLE)
            o->symbol = n->object;
        else
            ptx_fail(p, base.line, "`%.*s` is not an address in memory", SHOW(base));
        offset(p, o);
    }
    ptx_expect(p, "]");
}
/* Removes the selector of bytes or halves from a register such as "%r1.b0". Returns the selector. */
static struct ptx_part part_of(struct token *t) {
    struct ptx_part part = {0};
    size_t behind = 1; /* length of the selector, including its dot */
    while (behind < t->length && t->text[t->length - behind] != '.') behind++;
    const char *dot = t->text + t->length - behind;
    if (*dot != '.' || behind < 3 || behind > 6 || (dot[1] != 'b' && dot[1] != 'h')) return part;
    for (size_t k = 2; k < behind; k++)
        if (dot[k] < '0' || dot[k] > '7') return part;
    part.bits = dot[1] == 'b' ? 8 : 16, part.count = (uint8_t)(behind - 2);
    for (unsigned k = 0; k < part.count; k++) part.which[k] = (uint8_t)(dot[behind - 1 - k] - '0');
    t->length = (size_t)(dot - t->text);
    return part;
}
/* Parses a register, special register, constant, address of a variable or function, or the sink `_`. */
static void value(struct parser *p, struct ptx_operand *o, struct literal *l) {
    *o = (struct ptx_operand){.reg = PTX_NO_REG};
    o->negated = ptx_accept(p, "!");
    const bool negative = !o->negated && ptx_accept(p, "-");
    struct token t = p->token;
    if ((*l = ptx_literal(&t, negative)).kind || ptx_spells(&t, "WARP_SZ")) {
        if (!l->kind) *l = (struct literal){LITERAL_INTEGER, false, 32};
        o->kind = PTX_IMMEDIATE;
        ptx_next(p);
        return;
    }
    ptx_word(p, "an operand");
    if (negative) ptx_refuse(p, t.line, "`-` before `%.*s` is not supported by the simulator", SHOW(t));
    if (p->parts) o->part = part_of(&t);
    const struct name *n = ptx_lookup(p, &t);
    if (!n && ptx_spells(&t, "_")) return;
    if (!n && special_register(p, &t, o)) return;
    if (!n) undeclared(p, &t);
    switch (n->kind) {
    case NAME_REGISTER: o->kind = PTX_REGISTER, o->reg = n->index; break;
    case NAME_VARIABLE: o->kind = PTX_SYMBOL, o->symbol = n->object, offset(p, o); break;
    case NAME_FUNCTION: o->kind = PTX_SYMBOL, o->function = n->object; break;
    default: ptx_fail(p, t.line, "`%.*s` is not a value", SHOW(t));
    }
}
/* Converts a .b128 register to a vector of the two registers that hold its halves. */
static void divide(struct parser *p, struct ptx_operand *o) {
    struct ptx_operand *halves = ptx_take(p, 2, sizeof *halves);
    halves[0] = halves[1] = *o;
    halves[1].reg++;
    *o = (struct ptx_operand){.kind = PTX_VECTOR, .reg = PTX_NO_REG, .count = 2, .elements = halves};
}
static void operand(struct parser *p, struct ptx_operand *o, struct pending *pending) {
    if (ptx_accept(p, "[")) {
        *o = (struct ptx_operand){.reg = PTX_NO_REG};
        memory_operand(p, o);
    } else if (ptx_accept(p, "{")) {
        *o = (struct ptx_operand){.kind = PTX_VECTOR, .reg = PTX_NO_REG};
        struct ptx_operand elements[MAX_VECTOR];
        do {
            if (o->count == MAX_VECTOR) ptx_fail(p, p->token.line, "the vector has more than %d elements", MAX_VECTOR);
            value(p, &elements[o->count], &pending->of[o->count]);
            o->count++;
        } while (ptx_accept(p, ","));
        ptx_expect(p, "}");
        o->elements = ptx_take(p, o->count, sizeof *o->elements);
        memcpy(o->elements, elements, o->count * sizeof *elements);
    } else {
        const struct name *n = ptx_lookup(p, &p->token);
        value(p, o, &pending->of[0]);
        if (o->kind == PTX_REGISTER && n && n->wide) divide(p, o);
    }
}
/* Returns whether the instruction is a mov.b128, whose .b128 operands the parser has replaced with vectors of two
 * registers. */
bool ptx_moves_halves(const struct ptx_insn *i) {
    const struct ptx_operand *a = &i->operand[0], *b = &i->operand[1];
    return i->op == PTX_OP_mov && i->type == PTX_B64 && i->count == 2 && a->kind == PTX_VECTOR && a->count == 2 &&
           b->kind == PTX_VECTOR && b->count == 2;
}
/* Parses [object, {coordinates}], which is two operands, or [object], which is one operand. */
static void object(struct parser *p, struct ptx_insn *i, struct pending pending[PTX_MAX_OPERANDS]) {
    unsigned k = i->count - 1;
    ptx_expect(p, "[");
    value(p, &i->operand[k], &pending[k].of[0]);
    if (ptx_accept(p, ",")) {
        k = i->count++;
        operand(p, &i->operand[k], &pending[k]);
        if (ptx_is(p, ","))
            ptx_refuse(p, i->text_line, "`%.*s`: a separate sampler is not supported by the simulator",
                       SHOW(p->mnemonic));
    }
    ptx_expect(p, "]");
}
static void label(struct parser *p, struct ptx_operand *o) {
    const struct token t = ptx_word(p, "a label");
    *o = (struct ptx_operand){.kind = PTX_LABEL, .reg = PTX_NO_REG};
    ptx_refer(p, &t, p->code.count - 1, NULL);
}

/* ---- constants ------------------------------------------------------------------------------------------------- */
enum ptx_type ptx_widened(enum ptx_type t) {
    switch (t) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    case PTX_S32: return PTX_S64;
    default: return t;
    }
}
/* Returns the type of a constant for an operand with this signature, or PTX_NOTYPE if constants are not allowed. */
static enum ptx_type constant_type(const struct ptx_insn *i, char letter) {
    switch (letter) {
    case 'a':
    case 'A':
    case 'x': return i->type ? i->type : PTX_B64;
    case 'c': return ptx_widened(i->type);
    case 's': return i->type2;
    case 'v':
    case 'u':
    case 'e': return PTX_B32;
    case 'q': return PTX_PRED;
    case 'r': return PTX_F32;
    case 'k': return PTX_B32;
    case 'h': return PTX_B16;
    default: return PTX_NOTYPE;
    }
}
static void settle_constants(struct parser *p, struct ptx_insn *i, const struct pending *pending) {
    const char *letters[PTX_MAX_OPERANDS];
    const unsigned expected = ptx_signature(i->op, i->count, letters);
    if (expected != i->count)
        ptx_refuse(p, i->text_line, "`%.*s` takes %u operand%s, not %u", SHOW(p->mnemonic), expected,
                   expected == 1 ? "" : "s", i->count);
    for (unsigned k = 0; k < i->count; k++) {
        struct ptx_operand *o = &i->operand[k];
        const bool vector = o->kind == PTX_VECTOR;
        enum ptx_type type = constant_type(i, *letters[k]);
        if (vector && i->op == PTX_OP_mov) { /* in a packing mov, an element is a part of the other operand */
            const unsigned bits = ptx_type_bits(i->type) / o->count;
            type = bits == 8 ? PTX_B8 : bits == 16 ? PTX_B16 : bits == 32 ? PTX_B32 : PTX_NOTYPE;
            if (ptx_moves_halves(i)) type = PTX_B64;
        }
        for (unsigned n = 0; n < (vector ? o->count : 1); n++) {
            struct ptx_operand *e = vector ? &o->elements[n] : o;
            if (e->kind != PTX_IMMEDIATE) continue;
            if (!type) ptx_fail(p, i->text_line, "operand %u of `%.*s` cannot be a constant", k + 1, SHOW(p->mnemonic));
            e->imm = ptx_value(p, i->text_line, &pending[k].of[n], type);
        }
    }
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */
/* Skips the .loc directives that nvcc -O1 writes within a call. The call keeps its current location. */
static void skip_locations(struct parser *p) {
    const struct ptx_loc here = p->loc;
    while (ptx_accept(p, ".loc")) ptx_location(p);
    p->loc = here;
}
static bool call_accept(struct parser *p, const char *text) {
    skip_locations(p);
    const bool yes = ptx_accept(p, text);
    skip_locations(p);
    return yes;
}
static const struct ptx_variable *call_parameter(struct parser *p) {
    const struct token t = ptx_word(p, "the name of a .param variable");
    const struct name *n = ptx_lookup(p, &t);
    const struct ptx_variable *v = n && n->kind == NAME_VARIABLE ? n->object : NULL;
    if (!v || v->space != PTX_PARAM || !v->owner || n->depth < BODY_DEPTH)
        ptx_fail(p, t.line, "`%.*s` is not a .param variable of this body", SHOW(t));
    return v;
}
static void check_call(struct parser *p, const struct ptx_insn *i, const struct ptx_function *f, const char *name) {
    const struct ptx_call *c = i->call;
    bool fits = c->argument_count == f->param_count && !c->result == !f->result &&
                (!f->result || c->result->size == f->result->size);
    for (unsigned k = 0; fits && k < f->param_count; k++) fits = c->arguments[k]->size == f->params[k]->size;
    if (f->entry) ptx_fail(p, i->text_line, "`%s` is a kernel, which cannot be called", name);
    if (!fits) ptx_fail(p, i->text_line, "the call does not match the parameters of `%s`", name);
}
/* Parses a call: (result), function, (arguments), prototype. All parts except the function are optional. */
static void call(struct parser *p, struct ptx_insn *i) {
    struct ptx_call *c = ptx_take(p, 1, sizeof *c);
    struct vector_of *gathered = &p->locals; /* collects the arguments after the function's local variables */
    const unsigned locals = gathered->count;
    i->call = c;
    c->pointer.reg = PTX_NO_REG;
    if (call_accept(p, "(")) {
        c->result = call_parameter(p);
        skip_locations(p);
        ptx_expect(p, ")");
        ptx_expect(p, ",");
        skip_locations(p);
    }
    const struct token t = ptx_word(p, "the name of a function");
    const struct name *n = ptx_lookup(p, &t);
    if (n && n->kind == NAME_FUNCTION)
        c->callee = n->object;
    else if (n && n->kind == NAME_REGISTER)
        c->pointer = (struct ptx_operand){.kind = PTX_REGISTER, .reg = n->index};
    else
        ptx_fail(p, t.line, "`%.*s` is not a function", SHOW(t));
    const bool address = n->kind == NAME_REGISTER && (n->type == PTX_B64 || n->type == PTX_U64 || n->type == PTX_S64);
    if (!c->callee && !address) ptx_fail(p, t.line, "register `%.*s` does not hold the address of a function", SHOW(t));
    bool more = call_accept(p, ",");
    if (more && call_accept(p, "(")) {
        while (!ptx_is(p, ")")) {
            const struct ptx_variable *v = call_parameter(p);
            *(const struct ptx_variable **)ptx_push(p, gathered, sizeof v) = v;
            if (!call_accept(p, ",")) break;
        }
        ptx_expect(p, ")");
        more = call_accept(p, ",");
    }
    c->argument_count = gathered->count - locals;
    c->arguments = ptx_take(p, c->argument_count + 1, sizeof *c->arguments);
    if (c->argument_count)
        memcpy(c->arguments, (struct ptx_variable **)gathered->items + locals,
               c->argument_count * sizeof *c->arguments);
    gathered->count = locals;
    if (c->callee) check_call(p, i, c->callee, c->callee->name);
    if (!more && !c->callee) ptx_fail(p, i->text_line, "the call through `%.*s` does not name a prototype", SHOW(t));
    skip_locations(p);
    if (!more) return;
    const struct token shape = ptx_word(p, "the label of a prototype");
    n = ptx_lookup(p, &shape);
    if (!n || n->kind != NAME_PROTOTYPE) ptx_fail(p, shape.line, "`%.*s` is not a prototype", SHOW(shape));
    const struct prototype *prototype = n->object;
    c->prototype = prototype->name;
    check_call(p, i, prototype->shape, c->prototype);
}

/* Parses the constants that follow the predicate of wgmma. For floats, two constants of 1 or -1 multiply A and B. For
 * 16-bit elements, two further constants of 0 or 1 state whether A and B are transposed; if A is in registers, its
 * constant is absent. Also repeats the accumulators as the last operand, because the instruction reads them. */
static void product_constants(struct parser *p, struct ptx_insn *i, bool more) {
    static const uint8_t meaning[] = {PTX_NEGATES_A, PTX_NEGATES_B, PTX_TURNS_A, PTX_TURNS_B};
    const bool integers = i->type == PTX_S32, turns = ptx_type_bits(i->type2) == 16;
    const bool in_registers = i->operand[1].kind == PTX_VECTOR;
    unsigned taken = 0;
    const unsigned wanted = integers ? 0 : !turns ? 2 : in_registers ? 3 : 4;
    for (; more && taken < wanted; taken++, more = ptx_accept(p, ",")) {
        const uint8_t means = meaning[taken == 2 && in_registers ? 3 : taken];
        const bool minus = ptx_accept(p, "-");
        const uint64_t given = ptx_integer(p, 1);
        if (taken < 2 ? given != 1 : minus)
            ptx_refuse(p, i->text_line, "`%.*s`: a scale factor must be 1 or -1, and a transpose flag 0 or 1",
                       SHOW(p->mnemonic));
        if (taken < 2 ? minus : given) i->product |= means;
    }
    if (more || taken != wanted) ptx_refuse(p, i->text_line, "`%.*s` takes %u constants", SHOW(p->mnemonic), wanted);
    i->operand[i->count++] = i->operand[0];
}

/* libcu++ omits the state space of cp.async.mbarrier.arrive. Its address has 32 bits, so it must be in shared memory.
 */
static void take_short_address(const struct parser *p, struct ptx_insn *i) {
    const struct ptx_register *registers = p->registers.items;
    const struct ptx_operand *o = &i->operand[0];
    if (i->space == PTX_GENERIC && o->kind == PTX_MEMORY && o->reg != PTX_NO_REG &&
        ptx_type_bits(registers[o->reg].type) == 32)
        i->space = PTX_SHARED;
}
void ptx_operands(struct parser *p, struct ptx_insn *i) {
    struct pending pending[PTX_MAX_OPERANDS];
    struct literal none;
    const char *letters[PTX_MAX_OPERANDS];
    if (i->op == PTX_OP_call) {
        call(p, i);
        return;
    }
    const unsigned most = ptx_signature(i->op, PTX_MAX_OPERANDS, letters);
    p->parts = strchr(ptx_ops[i->op].operands, 'e');
    bool more = !ptx_is(p, ";");
    while (more) {
        if (i->count == PTX_MAX_OPERANDS)
            ptx_refuse(p, i->text_line, "`%.*s` has too many operands", SHOW(p->mnemonic));
        const unsigned k = i->count++;
        if (k < most && *letters[k] == 'l')
            label(p, &i->operand[k]);
        else if (k + 1 < PTX_MAX_OPERANDS && k < most && *letters[k] == 'o')
            object(p, i, pending);
        else
            operand(p, &i->operand[k], &pending[k]);
        if (k == 0 && ptx_accept(p, "|")) {
            value(p, &i->pred_dest, &none);
            if (i->pred_dest.kind != PTX_REGISTER && i->pred_dest.kind != PTX_NONE)
                ptx_fail(p, i->text_line, "the operand after `|` must be a predicate register");
        }
        more = ptx_accept(p, ",");
        if (i->op != PTX_OP_wgmma || i->count < 4) continue;
        product_constants(p, i, more);
        break;
    }
    if (!ptx_is(p, ";")) ptx_expect(p, ";");
    if (ptx_mod_of(i, PTX_CLASS_POLICY)) ptx_take_policy(p, i);
    if (i->op == PTX_OP_cp_arrive || i->op == PTX_OP_cp_arrive_noinc) take_short_address(p, i);
    settle_constants(p, i, pending);
}
