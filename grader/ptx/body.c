/* A function's body: registers, variables, labels, locations, instructions and their operands. */
#include "ptx/parser.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW(t) (int)((t).length > 60 ? 60 : (t).length), (t).text

/* ---- declarations --------------------------------------------------------------------------- */
static void add_register(struct parser *p, char *name, enum ptx_type type) {
    struct ptx_function *f = p->function;
    if (f->register_count >= MAX_REGISTERS)
        ptx_fail(p, p->line, "function `%s` has more than %d registers", f->name, MAX_REGISTERS);
    f->registers = ptx_grow(p, f->registers, f->register_count, &p->register_capacity, sizeof *f->registers);
    f->registers[f->register_count] = (struct ptx_register){name, type};
    ptx_declare(p, name, strlen(name), NAME_REGISTER, NULL, f->register_count++);
}
/* .reg .b32 %r<5>, %a; */
static void registers(struct parser *p) {
    enum ptx_type type = PTX_NOTYPE;
    ptx_next(p);
    for (int k = 1; k < PTX_TYPE_COUNT; k++)
        if (p->token.length == strlen(ptx_type_name((enum ptx_type)k)) + 1 &&
            !memcmp(p->token.text + 1, ptx_type_name((enum ptx_type)k), p->token.length - 1))
            type = (enum ptx_type)k;
    if (!type)
        ptx_fail(p, p->token.line, "registers of type `%.*s` are outside what the simulator runs", SHOW(p->token));
    ptx_next(p);
    do {
        if (p->token.kind != TOKEN_WORD) ptx_fail(p, p->token.line, "name of a register expected");
        const struct token name = p->token;
        ptx_next(p);
        if (!ptx_accept(p, "<")) {
            add_register(p, ptx_copy(p, name.text, name.length), type);
            continue;
        }
        uint64_t count = ptx_integer(p);
        ptx_expect(p, ">");
        if (count > MAX_REGISTERS) ptx_fail(p, name.line, "more than %d registers", MAX_REGISTERS);
        for (uint64_t k = 0; k < count; k++) {
            char text[96];
            if (name.length > 64) ptx_fail(p, name.line, "name of a register is too long");
            int n = snprintf(text, sizeof text, "%.*s%llu", (int)name.length, name.text, (unsigned long long)k);
            add_register(p, ptx_copy(p, text, (size_t)n), type);
        }
    } while (ptx_accept(p, ","));
    ptx_expect(p, ";");
}

/* .loc file line column [, function_name label, inlined_at file line column]. The outermost call site is the line the
 * user wrote; an inner chain is not spelled out by compilers beyond one level, except as nested inlined_at, of which
 * the last is outermost. */
static void location(struct parser *p) {
    struct ptx_loc old = p->loc, loc = {0};
    ptx_next(p);
    loc.file = loc.inner_file = (uint16_t)ptx_integer(p);
    loc.line = loc.inner_line = (uint32_t)ptx_integer(p);
    loc.column = (uint32_t)ptx_integer(p);
    while (ptx_accept(p, ",")) {
        if (ptx_accept(p, "function_name")) {
            ptx_next(p);
            if (ptx_accept(p, "+")) ptx_integer(p);
        } else if (ptx_accept(p, "inlined_at")) {
            loc.file = (uint16_t)ptx_integer(p);
            loc.line = (uint32_t)ptx_integer(p);
            loc.column = (uint32_t)ptx_integer(p);
        } else
            ptx_fail(p, p->token.line, "`%.*s` in a .loc", SHOW(p->token));
    }
    while (p->token.kind == TOKEN_WORD && (ptx_is(p, "prologue_end") || ptx_is(p, "is_stmt"))) ptx_next(p);
    if (!loc.line && old.line) loc.line = old.line, loc.file = old.file, loc.column = old.column;
    p->loc = loc;
}

/* ---- labels --------------------------------------------------------------------------------- */
static uint32_t label_index(struct parser *p, const struct token *t) {
    struct name *n = ptx_lookup(p, t->text, t->length);
    if (n && n->kind == NAME_LABEL) return n->index;
    p->labels = ptx_grow(p, p->labels, p->label_count, &p->label_capacity, sizeof *p->labels);
    p->labels[p->label_count] = (struct label){t->text, t->length, PTX_NO_REG, t->line};
    ptx_declare(p, t->text, t->length, NAME_LABEL, NULL, p->label_count);
    return p->label_count++;
}

/* ---- operands ------------------------------------------------------------------------------- */
static bool special_register(const struct token *t, struct ptx_operand *o) {
    for (int k = 0; k < PTX_SPECIAL_COUNT; k++) {
        const char *name = ptx_special_name((enum ptx_special)k);
        if (strlen(name) != t->length || memcmp(name, t->text, t->length)) continue;
        o->kind = PTX_SPECIAL, o->special = (enum ptx_special)k;
        return true;
    }
    return false;
}
static void offset(struct parser *p, struct ptx_operand *o) {
    if (ptx_accept(p, "+"))
        o->imm = ptx_integer(p);
    else if (ptx_is(p, "-"))
        o->imm = ptx_integer(p);
}
static void memory_operand(struct parser *p, struct ptx_operand *o) {
    uint64_t v;
    ptx_next(p);
    o->kind = PTX_MEMORY;
    if (ptx_number(&p->token, false, 64, false, &v)) {
        o->imm = v;
        ptx_next(p);
    } else {
        struct name *n = p->token.kind == TOKEN_WORD ? ptx_lookup(p, p->token.text, p->token.length) : NULL;
        if (n && n->kind == NAME_REGISTER)
            o->reg = n->index;
        else if (n && n->kind == NAME_VARIABLE)
            o->symbol = n->object;
        else
            ptx_fail(p, p->token.line, "`%.*s` is not declared", SHOW(p->token));
        ptx_next(p);
        offset(p, o);
    }
    ptx_expect(p, "]");
}
static void vector_operand(struct parser *p, struct ptx_operand *o, unsigned bits, bool is_float) {
    ptx_next(p);
    o->kind = PTX_VECTOR;
    o->elements = ptx_take(p, MAX_VECTOR, sizeof *o->elements);
    do {
        if (o->count == MAX_VECTOR) ptx_fail(p, p->token.line, "a vector of more than %d elements", MAX_VECTOR);
        if (ptx_is(p, "{") || ptx_is(p, "[")) ptx_fail(p, p->token.line, "a vector holds registers and constants only");
        ptx_operand(p, &o->elements[o->count++], bits, is_float);
    } while (ptx_accept(p, ","));
    ptx_expect(p, "}");
}
/* Reads one operand. `bits` and `is_float` say how a literal is meant. */
void ptx_operand(struct parser *p, struct ptx_operand *o, unsigned bits, bool is_float) {
    *o = (struct ptx_operand){.reg = PTX_NO_REG};
    o->negated = ptx_accept(p, "!");
    if (ptx_is(p, "[")) {
        memory_operand(p, o);
        return;
    }
    if (ptx_is(p, "{")) {
        vector_operand(p, o, bits, is_float);
        return;
    }
    const bool negative = ptx_accept(p, "-");
    const struct token t = p->token;
    if (t.kind != TOKEN_WORD) ptx_fail(p, t.line, "operand expected, `%.*s` found", SHOW(t));
    ptx_next(p);
    if (ptx_number(&t, negative, bits, is_float, &o->imm)) {
        o->kind = PTX_IMMEDIATE;
        return;
    }
    if (t.length == 1 && *t.text == '_') return; /* the sink: PTX_NONE */
    if (t.length == 7 && !memcmp(t.text, "WARP_SZ", 7)) {
        o->kind = PTX_IMMEDIATE, o->imm = 32;
        return;
    }
    struct name *n = ptx_lookup(p, t.text, t.length);
    if (n && n->kind == NAME_REGISTER)
        o->kind = PTX_REGISTER, o->reg = n->index;
    else if (n && n->kind == NAME_VARIABLE)
        o->kind = PTX_SYMBOL, o->symbol = n->object, offset(p, o);
    else if (n && n->kind == NAME_FUNCTION)
        o->kind = PTX_SYMBOL, o->function = n->object;
    else if (*t.text != '%')
        o->kind = PTX_LABEL, o->target = label_index(p, &t); /* perhaps a label further on */
    else if (!special_register(&t, o))
        ptx_fail(p, t.line, "`%.*s` is not declared, nor a special register that the simulator knows", SHOW(t));
}

/* ---- calls ---------------------------------------------------------------------------------- */
static const struct ptx_variable *call_parameter(struct parser *p) {
    struct name *n = p->token.kind == TOKEN_WORD ? ptx_lookup(p, p->token.text, p->token.length) : NULL;
    if (!n || n->kind != NAME_VARIABLE || ((struct ptx_variable *)n->object)->space != PTX_PARAM)
        ptx_fail(p, p->token.line, "`%.*s` is no parameter variable of this scope", SHOW(p->token));
    ptx_next(p);
    return n->object;
}
/* (result), function, (arguments), prototype; every part but the function may be left out. */
static void call(struct parser *p, struct ptx_insn *i) {
    struct ptx_call *c = ptx_take(p, 1, sizeof *c);
    unsigned capacity = 0;
    if (ptx_accept(p, "(")) {
        c->result = call_parameter(p);
        ptx_expect(p, ")");
        ptx_expect(p, ",");
    }
    struct name *n = p->token.kind == TOKEN_WORD ? ptx_lookup(p, p->token.text, p->token.length) : NULL;
    c->pointer.reg = PTX_NO_REG;
    if (n && n->kind == NAME_FUNCTION)
        c->callee = n->object;
    else if (n && n->kind == NAME_REGISTER)
        c->pointer = (struct ptx_operand){.kind = PTX_REGISTER, .reg = n->index};
    else
        ptx_fail(p, p->token.line, "call of `%.*s`, which is not declared", SHOW(p->token));
    if (!c->callee && ptx_type_bits(p->function->registers[c->pointer.reg].type) != 64)
        ptx_fail(p, p->token.line, "call through a register that holds no address");
    ptx_next(p);
    if (ptx_accept(p, ",")) {
        if (ptx_accept(p, "(")) {
            while (!ptx_is(p, ")")) {
                c->arguments = ptx_grow(p, c->arguments, c->argument_count, &capacity, sizeof *c->arguments);
                c->arguments[c->argument_count++] = call_parameter(p);
                if (!ptx_accept(p, ",")) break;
            }
            ptx_expect(p, ")");
            if (ptx_accept(p, ",")) ptx_next(p); /* prototype or list of targets */
        } else
            ptx_next(p);
    }
    if (c->callee && c->callee->entry) ptx_fail(p, i->text_line, "call of the kernel `%s`", c->callee->name);
    if (c->callee && (c->argument_count != c->callee->param_count || (c->result && !c->callee->result)))
        ptx_fail(p, i->text_line, "call of `%s` does not match its parameters", c->callee->name);
    i->call = c;
}

/* ---- instructions --------------------------------------------------------------------------- */
static struct ptx_insn *new_instruction(struct parser *p) {
    struct ptx_function *f = p->function;
    f->code = ptx_grow(p, f->code, f->code_count, &p->code_capacity, sizeof *f->code);
    struct ptx_insn *i = &f->code[f->code_count++];
    *i = (struct ptx_insn){.guard = PTX_NO_REG, .vec = 1, .loc = p->loc, .text_line = p->token.line};
    return i;
}
static void guard(struct parser *p, struct ptx_insn *i) {
    i->guard_negated = ptx_accept(p, "!");
    struct name *n = p->token.kind == TOKEN_WORD ? ptx_lookup(p, p->token.text, p->token.length) : NULL;
    if (!n || n->kind != NAME_REGISTER || p->function->registers[n->index].type != PTX_PRED)
        ptx_fail(p, p->token.line, "`%.*s` is no predicate register", SHOW(p->token));
    i->guard = n->index;
    ptx_next(p);
}
/* The second operand of brx.idx names a list of labels that stands before it. */
static void branch_targets(struct parser *p, struct ptx_insn *i) {
    if (i->count != 2 || i->operand[1].kind != PTX_LABEL)
        ptx_fail(p, i->text_line, "brx.idx needs an index and a list of labels");
    struct label *l = &p->labels[i->operand[1].target];
    struct name *n = ptx_lookup(p, l->text, l->length);
    while (n && (n->kind != NAME_TARGETS || n->length != l->length || memcmp(n->text, l->text, l->length)))
        n = n->next_in_bucket;
    if (!n) ptx_fail(p, i->text_line, "`%.*s` is no .branchtargets list before this", (int)l->length, l->text);
    const struct target_list *list = n->object;
    i->targets = list->labels, i->target_count = list->count;
    l->at = 0; /* the list's own name is no label of code */
    i->operand[1].kind = PTX_NONE;
}
static void instruction(struct parser *p) {
    struct ptx_insn *i = new_instruction(p);
    if (ptx_accept(p, "@")) guard(p, i);
    if (p->token.kind != TOKEN_WORD) ptx_fail(p, p->token.line, "instruction expected, `%.*s` found", SHOW(p->token));
    const struct token mnemonic = p->token;
    ptx_next(p);
    ptx_select(p, i, &mnemonic);
    if (i->op == PTX_OP_call)
        call(p, i);
    else
        while (!ptx_is(p, ";")) {
            if (i->count == PTX_MAX_OPERANDS) ptx_fail(p, i->text_line, "`%.*s` has too many operands", SHOW(mnemonic));
            const enum ptx_type t = ptx_letter(i->op, i->count) == 's' ? i->type2 : i->type;
            ptx_operand(p, &i->operand[i->count++], ptx_type_bits(t), t == PTX_F32 || t == PTX_F64);
            if (ptx_accept(p, "|")) ptx_operand(p, &i->pred_dest, 1, false);
            if (!ptx_accept(p, ",")) break;
        }
    ptx_expect(p, ";");
    if (i->op == PTX_OP_brx_idx) branch_targets(p, i);
    ptx_check(p, i);
}

/* name: .branchtargets a, b, c;  or .callprototype ...; or .calltargets ...; */
static void labelled_directive(struct parser *p, const struct token *name) {
    if (!ptx_accept(p, ".branchtargets")) { /* prototypes say nothing that the call itself does not */
        while (p->token.kind != TOKEN_END && !ptx_is(p, ";")) ptx_next(p);
        ptx_expect(p, ";");
        return;
    }
    struct target_list *list = ptx_take(p, 1, sizeof *list);
    unsigned capacity = 0;
    do {
        list->labels = ptx_grow(p, list->labels, list->count, &capacity, sizeof *list->labels);
        list->labels[list->count++] = label_index(p, &p->token);
        ptx_next(p);
    } while (ptx_accept(p, ","));
    ptx_expect(p, ";");
    ptx_declare(p, name->text, name->length, NAME_TARGETS, list, 0);
}
/* A word that starts a statement: a label if `:` follows, else an instruction. */
static void statement(struct parser *p) {
    const char *at = p->at;
    const uint32_t line = p->line;
    const struct token t = p->token;
    if (t.kind == TOKEN_WORD && *t.text != '.') {
        ptx_next(p);
        if (ptx_accept(p, ":")) {
            if (ptx_is(p, ".branchtargets") || ptx_is(p, ".callprototype") || ptx_is(p, ".calltargets")) {
                labelled_directive(p, &t);
                return;
            }
            const uint32_t k = label_index(p, &t);
            if (p->labels[k].at != PTX_NO_REG) ptx_fail(p, t.line, "label `%.*s` stands twice", SHOW(t));
            p->labels[k].at = p->function->code_count;
            return;
        }
        p->at = at, p->line = line, p->token = t;
    }
    instruction(p);
}

static void body_directive(struct parser *p) {
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{".shared", PTX_SHARED}, {".local", PTX_LOCAL}, {".param", PTX_PARAM}};
    for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (ptx_accept(p, spaces[k].word)) {
            do ptx_variable_declaration(p, spaces[k].space, false);
            while (ptx_accept(p, ","));
            ptx_expect(p, ";");
            return;
        }
    if (ptx_is(p, ".reg"))
        registers(p);
    else if (ptx_is(p, ".loc"))
        location(p);
    else if (ptx_accept(p, ".pragma")) {
        while (p->token.kind == TOKEN_STRING || ptx_is(p, ",")) ptx_next(p);
        ptx_expect(p, ";");
    } else
        ptx_fail(p, p->token.line, "`%.*s` is outside what the simulator runs", SHOW(p->token));
}

/* Label numbers in operands become instruction indices. */
static void resolve_labels(struct parser *p) {
    struct ptx_function *f = p->function;
    for (unsigned k = 0; k < p->label_count; k++)
        if (p->labels[k].at == PTX_NO_REG)
            ptx_fail(p, p->labels[k].line, "`%.*s` is not declared", (int)p->labels[k].length, p->labels[k].text);
    for (unsigned k = 0; k < f->code_count; k++) {
        struct ptx_insn *i = &f->code[k];
        for (unsigned n = 0; n < i->count; n++)
            if (i->operand[n].kind == PTX_LABEL) i->operand[n].target = p->labels[i->operand[n].target].at;
        for (unsigned n = 0; n < i->target_count; n++) i->targets[n] = p->labels[i->targets[n]].at;
    }
}

static bool runs_off(const struct parser *p) {
    const struct ptx_function *f = p->function;
    const struct ptx_insn *last = f->code_count ? &f->code[f->code_count - 1] : NULL;
    for (unsigned k = 0; k < p->label_count; k++)
        if (p->labels[k].at == f->code_count) return true;
    return !last || last->guard != PTX_NO_REG ||
           (last->op != PTX_OP_ret && last->op != PTX_OP_exit && last->op != PTX_OP_trap && last->op != PTX_OP_bra);
}

void ptx_body(struct parser *p) {
    struct name *marks[MAX_SCOPES];
    unsigned depth = 0;
    ptx_expect(p, "{");
    for (;;) {
        if (p->token.kind == TOKEN_END) ptx_fail(p, p->line, "the text ends inside function `%s`", p->function->name);
        if (ptx_accept(p, "{")) {
            if (depth == MAX_SCOPES) ptx_fail(p, p->line, "scopes nested deeper than %d", MAX_SCOPES);
            marks[depth++] = p->newest;
        } else if (ptx_is(p, "}")) {
            if (!depth) break;
            ptx_next(p);
            ptx_leave(p, marks[--depth]);
        } else if (p->token.kind == TOKEN_WORD && *p->token.text == '.')
            body_directive(p);
        else if (!ptx_accept(p, ";"))
            statement(p);
    }
    if (runs_off(p)) new_instruction(p)->op = PTX_OP_ret; /* a body that runs off its end returns */
    ptx_expect(p, "}");
    resolve_labels(p);
}
