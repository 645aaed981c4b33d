/* Parses functions: their heads, directives and bodies. */
#include "ptx/parser.h"
#include <stdio.h>
#include <string.h>

/* ---- registers ------------------------------------------------------------------------------------------------- */
/* Parses .reg .b32 %r<5>, %a; */
static void registers(struct parser *p) {
    const struct token word = p->token;
    const bool wide = ptx_is(p, ".b128");
    const enum ptx_type type = wide ? PTX_B64
                               : word.length > 1 && *word.text == '.'
                                   ? ptx_storable(ptx_type_named(word.text + 1, word.length - 1))
                                   : PTX_NOTYPE;
    if (!type) ptx_refuse(p, word.line, "registers of type `%.*s` are not supported by the simulator", SHOW(word));
    ptx_next(p);
    do {
        const struct token name = ptx_word(p, "the name of a register");
        if (ptx_accept(p, "<")) {
            struct name *n = ptx_declare(p, name.text, name.length, NAME_RANGE, NULL);
            n->index = (uint32_t)ptx_integer(p, MAX_REGISTERS);
            n->type = type, n->wide = wide;
            ptx_expect(p, ">");
        } else {
            struct name *n = ptx_declare(p, name.text, name.length, NAME_REGISTER, NULL);
            n->index = PTX_NO_REG;
            n->type = type, n->wide = wide;
        }
    } while (ptx_accept(p, ","));
    ptx_expect(p, ";");
}

/* ---- labels and labeled directives ----------------------------------------------------------------------------- */
/* Parses NAME: .branchtargets a, b, c; */
static void branch_targets(struct parser *p, const struct token *name) {
    struct targets *t = ptx_take(p, 1, sizeof *t);
    struct vector_of labels = {0};
    const unsigned first = p->references.count;
    do {
        const struct token label = ptx_word(p, "a label");
        ptx_refer(p, &label, PTX_NO_REG, NULL);
    } while (ptx_accept(p, ","));
    ptx_expect(p, ";");
    labels.count = p->references.count - first;
    t->labels = ptx_take(p, labels.count, sizeof *t->labels);
    t->count = labels.count;
    t->name = ptx_copy(p, name->text, name->length);
    for (unsigned k = 0; k < t->count; k++) ((struct reference *)p->references.items)[first + k].slot = &t->labels[k];
    ptx_declare(p, name->text, name->length, NAME_TARGETS, t);
}
/* Parses NAME: .callprototype (.param .b32 _) _ (.param .b64 _); */
static void call_prototype(struct parser *p, const struct token *name) {
    struct prototype *t = ptx_take(p, 1, sizeof *t);
    struct ptx_function *shape = ptx_take(p, 1, sizeof *shape);
    struct ptx_variable **result = NULL;
    unsigned results = 0;
    const uint32_t line = p->token.line;
    if (ptx_is(p, "(")) ptx_parameters(p, &result, &results);
    ptx_expect(p, "_");
    if (ptx_is(p, "(")) ptx_parameters(p, &shape->params, &shape->param_count);
    ptx_accept(p, ".noreturn");
    ptx_expect(p, ";");
    if (results > 1) ptx_refuse(p, line, "a prototype with multiple results is not supported by the simulator");
    shape->result = results ? result[0] : NULL;
    t->shape = shape;
    t->name = ptx_copy(p, name->text, name->length);
    ptx_declare(p, name->text, name->length, NAME_PROTOTYPE, t);
}
/* Parses NAME: .calltargets f, g; The functions of the list have the same parameters, so any of them is the
 * prototype. */
static void call_targets(struct parser *p, const struct token *name) {
    struct prototype *t = ptx_take(p, 1, sizeof *t);
    do {
        const struct token function = ptx_word(p, "the name of a function");
        const struct name *n = ptx_lookup(p, &function);
        if (!n || n->kind != NAME_FUNCTION) ptx_fail(p, function.line, "`%.*s` is not a function", SHOW(function));
        t->shape = n->object;
    } while (ptx_accept(p, ","));
    ptx_expect(p, ";");
    t->name = ptx_copy(p, name->text, name->length);
    ptx_declare(p, name->text, name->length, NAME_PROTOTYPE, t);
}
static void labeled(struct parser *p, const struct token *name) {
    if (ptx_accept(p, ".branchtargets"))
        branch_targets(p, name);
    else if (ptx_accept(p, ".callprototype"))
        call_prototype(p, name);
    else if (ptx_accept(p, ".calltargets"))
        call_targets(p, name);
    else {
        ptx_declare(p, name->text, name->length, NAME_LABEL, NULL)->index = p->code.count;
        struct ptx_label *l = ptx_push(p, &p->labels, sizeof *l);
        *l = (struct ptx_label){ptx_copy(p, name->text, name->length), p->code.count};
    }
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */
static struct ptx_insn *new_instruction(struct parser *p, uint32_t line) {
    if (++p->code_total > MAX_CODE) ptx_fail(p, line, "the module has more than %d instructions", MAX_CODE);
    struct ptx_insn *i = ptx_push(p, &p->code, sizeof *i);
    i->guard = PTX_NO_REG, i->pred_dest.reg = PTX_NO_REG;
    i->vec = 1;
    i->loc = p->loc;
    i->text_line = line;
    return i;
}
static void guard(struct parser *p, struct ptx_insn *i) {
    i->guard_negated = ptx_accept(p, "!");
    const struct token t = p->token;
    const struct name *n = ptx_lookup(p, &t);
    if (!n || n->kind != NAME_REGISTER || n->type != PTX_PRED)
        ptx_fail(p, t.line, "`%.*s` is not a predicate register", SHOW(t));
    i->guard = n->index;
    ptx_next(p);
}
/* Splits a 128-bit move into two 64-bit moves. Returns the second move. */
static struct ptx_insn *move_halves(struct parser *p, const struct ptx_insn *i) {
    struct ptx_insn high = *i;
    struct ptx_insn *low = new_instruction(p, i->text_line) - 1; /* the list may have moved */
    for (unsigned k = 0; k < 2; k++) {
        const struct ptx_operand whole = low->operand[k];
        low->operand[k] = whole.elements[0], high.operand[k] = whole.elements[1];
    }
    if (low->operand[0].kind == PTX_NONE)
        *low = high; /* for the omitted half of {_, %rd1}, the move of the other half is repeated */
    if (high.operand[0].kind == PTX_NONE) high = *low;
    ptx_check(p, low);
    low[1] = high;
    return &low[1];
}
static void instruction(struct parser *p, struct ptx_insn *i, const struct token *mnemonic) {
    p->mnemonic = *mnemonic;
    i->text_line = mnemonic->line;
    ptx_select(p, i);
    ptx_operands(p, i);
    ptx_expect(p, ";");
    if (ptx_moves_halves(i)) i = move_halves(p, i);
    ptx_check_modifiers(p, i);
    ptx_check(p, i);
}

/* ---- statements ------------------------------------------------------------------------------------------------ */
/* Parses the strings of a .pragma that precedes a kernel's body. */
static void head_pragma(struct parser *p, struct ptx_function *f) {
    char text[64];
    unsigned needs;
    snprintf(text, sizeof text, ".pragma %.*s;", (int)p->token.length, p->token.text);
    if (sscanf(text, PTX_NEEDS, &needs) == 1 && needs > f->needs) f->needs = needs;
    ptx_pragma(p);
}
void ptx_pragma(struct parser *p) {
    while (p->token.kind == TOKEN_STRING || ptx_is(p, ",")) ptx_next(p);
    ptx_expect(p, ";");
}
/* Splits a directive such as .reg.b32 before the type. */
static void cut_directive(struct parser *p) {
    const char *dot = p->token.length > 1 ? memchr(p->token.text + 1, '.', p->token.length - 1) : NULL;
    if (!dot) return;
    p->token.length = (size_t)(dot - p->token.text);
    p->at = dot;
}
static void body_directive(struct parser *p) {
    cut_directive(p);
    const struct token t = p->token;
    ptx_next(p);
    if (ptx_spells(&t, ".reg"))
        registers(p);
    else if (ptx_spells(&t, ".loc"))
        ptx_location(p);
    else if (ptx_spells(&t, ".param"))
        ptx_variables(p, PTX_PARAM, false);
    else if (ptx_spells(&t, ".local"))
        ptx_variables(p, PTX_LOCAL, false);
    else if (ptx_spells(&t, ".shared"))
        ptx_variables(p, PTX_SHARED, false);
    else if (ptx_spells(&t, ".file"))
        ptx_file(p);
    else if (ptx_spells(&t, ".pragma"))
        ptx_pragma(p);
    else
        ptx_refuse(p, t.line, "`%.*s` in a function is not supported by the simulator", SHOW(t));
}
/* Parses a label, or an instruction with an optional guard. */
static void statement(struct parser *p) {
    if (ptx_is(p, "@")) {
        struct ptx_insn *i = new_instruction(p, p->token.line);
        ptx_next(p);
        guard(p, i);
        const struct token mnemonic = ptx_word(p, "an instruction");
        instruction(p, i, &mnemonic);
        return;
    }
    const struct token t = ptx_word(p, "an instruction");
    if (ptx_accept(p, ":"))
        labeled(p, &t);
    else
        instruction(p, new_instruction(p, t.line), &t);
}
static bool runs_off(const struct parser *p) {
    const struct ptx_insn *code = p->code.items, *last = p->code.count ? &code[p->code.count - 1] : NULL;
    if (!last || last->guard != PTX_NO_REG || p->last_target == p->code.count) return true;
    const enum ptx_flow flow = ptx_traits_of(last)->flow;
    return flow == PTX_FLOW_NEXT || flow == PTX_FLOW_CALL;
}
static void statements(struct parser *p, const struct ptx_function *f, unsigned outer) {
    while (p->depth > outer) {
        p->statement = ptx_mark(p);
        if (p->token.kind == TOKEN_END) ptx_fail(p, p->line, "the text ends inside function `%s`", f->name);
        if (ptx_is(p, "{"))
            ptx_enter_scope(p), ptx_next(p);
        else if (ptx_is(p, "}")) {
            ptx_leave_scope(p);
            if (p->depth > outer) ptx_next(p);
        } else if (p->token.kind == TOKEN_WORD && *p->token.text == '.')
            body_directive(p);
        else if (!ptx_accept(p, ";"))
            statement(p);
    }
}
/* Parses a body. Skips unsupported statements; each adds a reason why the function cannot run. */
static void usable_statements(struct parser *p, const struct ptx_function *f, unsigned outer) {
    const struct mark begin = ptx_mark(p);
    switch (setjmp(p->leave)) { /* no local variable changes after setjmp() */
    case LEAVE_STATEMENT: ptx_skip_statement(p); break;
    case LEAVE_BODY: ptx_skip_body(p, &begin, outer); return;
    default: p->in_body = true;
    }
    statements(p, f, outer);
    p->in_body = false;
}
static void note_instruction(struct ptx_module *m, const struct ptx_insn *i) {
    m->has[i->op] = true;
    for (unsigned c = 0; c < PTX_CLASS_COUNT; c++) m->has_mod[i->mod[c]] = true;
}
static void body(struct parser *p, struct ptx_function *f) {
    const unsigned outer = p->depth;
    p->loc = (struct ptx_loc){0};
    p->located = false;
    p->inlined_count = 0;
    p->last_target = 0;
    ptx_expect(p, "{");
    ptx_enter_scope(p);
    if (p->usable)
        usable_statements(p, f, outer);
    else
        statements(p, f, outer);
    if (f->reasons) {
        p->code.count = p->registers.count = p->labels.count = p->locals.count = p->relocations.count = 0;
        return;
    }
    if (runs_off(p)) new_instruction(p, p->line)->op = PTX_OP_ret;
    f->code = ptx_keep(p, &p->code, sizeof *f->code, &f->code_count);
    for (uint32_t k = 0; k < f->code_count; k++) note_instruction(p->module, &f->code[k]);
    f->registers = ptx_keep(p, &p->registers, sizeof *f->registers, &f->register_count);
    f->labels = ptx_keep(p, &p->labels, sizeof *f->labels, &f->label_count);
    f->locals = ptx_keep(p, &p->locals, sizeof *f->locals, &f->local_count);
}

/* ---- heads ----------------------------------------------------------------------------------------------------- */
/* Parses a parameter list such as ( .param .u64 a, .param .align 4 .b8 b[8] ). Does not declare the names. Returns
 * false if there is no list. */
bool ptx_parameters(struct parser *p, struct ptx_variable ***list, unsigned *count) {
    struct vector_of v = {0};
    /* The list is collected in p->locals, after the function's local variables. */
    const struct vector_of saved = p->locals;
    if (!ptx_accept(p, "(")) return false;
    while (!ptx_is(p, ")")) {
        if (ptx_is(p, ".reg")) ptx_fail(p, p->token.line, "parameters in registers are not supported by the simulator");
        ptx_expect(p, ".param");
        struct ptx_variable *parameter = ptx_declare_variable(p, PTX_PARAM, false);
        parameter->index = p->locals.count - saved.count;
        *(struct ptx_variable **)ptx_push(p, &p->locals, sizeof parameter) = parameter;
        if (!ptx_accept(p, ",")) break;
    }
    ptx_expect(p, ")");
    v.count = p->locals.count - saved.count;
    *list = ptx_take(p, v.count + 1, sizeof **list);
    *count = v.count;
    if (v.count) memcpy(*list, (struct ptx_variable **)p->locals.items + saved.count, v.count * sizeof **list);
    p->locals.count = saved.count;
    return true;
}
static bool same_shape(const struct ptx_function *f, const struct ptx_function *g) {
    if (f->param_count != g->param_count || !f->result != !g->result) return false;
    for (unsigned k = 0; k < f->param_count; k++)
        if (f->params[k]->size != g->params[k]->size) return false;
    return !f->result || f->result->size == g->result->size;
}
static struct ptx_function *function_named(struct parser *p, const struct token *name,
                                           const struct ptx_function *head) {
    const struct name *n = ptx_lookup(p, name);
    struct ptx_function *f = n && n->kind == NAME_FUNCTION ? n->object : NULL;
    if (n && (!f || f->entry != head->entry || !same_shape(f, head)))
        ptx_fail(p, name->line, "`%.*s` was declared before as something else", SHOW(*name));
    if (f) return f;
    f = ptx_take(p, 1, sizeof *f);
    *f = *head;
    f->name = ptx_copy(p, name->text, name->length);
    f->index = p->functions.count;
    *(struct ptx_function **)ptx_push(p, &p->functions, sizeof f) = f;
    ptx_declare(p, f->name, name->length, NAME_FUNCTION, f);
    return f;
}
static void adopt(struct parser *p, struct ptx_function *f, struct ptx_variable *v) {
    v->owner = f;
    ptx_declare(p, v->name, strlen(v->name), NAME_VARIABLE, v);
}
/* Parses .reqnctapercluster x, y, z; omitted numbers are 1. */
static void cluster_size(struct parser *p, struct ptx_function *f) {
    for (unsigned k = 0; k < 3; k++) f->cluster[k] = 1;
    for (unsigned k = 0; k < 3 && (!k || ptx_is(p, ",")); k++) {
        ptx_next(p);
        f->cluster[k] = (uint32_t)ptx_integer(p, 1 << 16);
        if (!f->cluster[k]) ptx_fail(p, p->token.line, "a cluster of 0 blocks");
    }
}
/* Parses the directives between a function's head and its body. */
static void tuning_directives(struct parser *p, struct ptx_function *f) {
    for (;;) {
        if (ptx_is(p, ".maxntid") || ptx_is(p, ".reqntid")) {
            uint64_t threads = 1;
            do {
                ptx_next(p);
                threads *= ptx_integer(p, 1 << 16);
            } while (ptx_is(p, ",") && threads <= 1 << 16);
            f->max_threads = threads > 1 << 16 ? 1 << 16 : (uint32_t)threads;
        } else if (ptx_is(p, ".reqnctapercluster"))
            cluster_size(p, f);
        else if (ptx_accept(p, ".explicitcluster"))
            f->explicit_cluster = true;
        else if (ptx_accept(p, ".maxclusterrank"))
            f->max_cluster = (uint32_t)ptx_integer(p, UINT32_MAX);
        else if (ptx_accept(p, ".minnctapersm") || ptx_accept(p, ".maxnctapersm") || ptx_accept(p, ".maxnreg"))
            ptx_integer(p, UINT32_MAX);
        else if (ptx_accept(p, ".pragma"))
            head_pragma(p, f);
        else if (!ptx_accept(p, ".noreturn"))
            break;
    }
    if (ptx_is(p, ";") || ptx_is(p, "{")) return;
    ptx_refuse_function(p, f, p->token.line, "`%.*s` before the body of `%s` is not supported by the simulator",
                        SHOW(p->token), f->name);
    while (p->token.kind != TOKEN_END && !ptx_is(p, ";") && !ptx_is(p, "{")) ptx_next(p);
}
void ptx_function(struct parser *p, bool entry, bool external) {
    struct ptx_function head = {.entry = entry};
    struct ptx_variable **result = NULL;
    unsigned results = 0;
    p->bytes[PTX_LOCAL] = p->bytes[PTX_PARAM] = 0;
    if (!entry && ptx_parameters(p, &result, &results) && results > 1)
        ptx_fail(p, p->token.line, "a function with multiple results is not supported by the simulator");
    const struct token name = ptx_word(p, "the name of a function");
    ptx_parameters(p, &head.params, &head.param_count);
    head.result = results ? result[0] : NULL;
    struct ptx_function *f = function_named(p, &name, &head);
    const bool again = f->defined || f->reasons;
    p->reason_count = 0;
    tuning_directives(p, f);
    for (unsigned k = 0; k < head.param_count; k++) head.params[k]->owner = f;
    if (head.result) head.result->owner = f;
    if (!again && !ptx_is(p, ";")) f->params = head.params, f->result = head.result;
    if (ptx_accept(p, ";")) return;
    if (again) ptx_fail(p, name.line, "`%s` is defined twice", f->name);
    if (external) ptx_fail(p, name.line, "`%s` is .extern, but has a body", f->name);
    p->function = f;
    ptx_enter_scope(p);
    for (unsigned k = 0; k < f->param_count; k++) adopt(p, f, f->params[k]);
    if (f->result) adopt(p, f, f->result);
    body(p, f);
    ptx_leave_scope(p);
    p->function = NULL;
    f->defined = !f->reasons;
    ptx_expect(p, "}");
}
