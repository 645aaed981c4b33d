/* Finds the functions of a module that the simulator cannot run, so that it can still run the others. Records the
 * reasons, and propagates them to the callers, which cannot run either. */
#include "ptx/parser.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- reasons --------------------------------------------------------------------------------------------------- */
static void add_reason(struct parser *p, struct ptx_function *f, const struct ptx_loc *loc, uint32_t line,
                       const char *message) {
    const struct ptx_reason **last = &f->reasons;
    for (; *last; last = (const struct ptx_reason **)&(*last)->next)
        if (!strcmp((*last)->message, message)) return;
    if (p->reason_count++ == MAX_REASONS) longjmp(p->leave, LEAVE_BODY);
    struct ptx_reason *r = ptx_take(p, 1, sizeof *r);
    *r = (struct ptx_reason){.loc = *loc, .text_line = line, .message = ptx_copy(p, message, strlen(message))};
    *last = r;
}
static char *printable(char *text) {
    for (char *c = text; *c; c++)
        if (!isprint((unsigned char)*c)) *c = '?';
    return text;
}
void ptx_refuse(struct parser *p, uint32_t line, const char *format, ...) {
    char message[sizeof p->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    printable(message);
    va_end(arguments);
    if (!p->in_body) ptx_fail(p, line, "%s", message);
    add_reason(p, p->function, &p->loc, line, message);
    longjmp(p->leave, LEAVE_STATEMENT);
}
void ptx_refuse_function(struct parser *p, struct ptx_function *f, uint32_t line, const char *format, ...) {
    char message[sizeof p->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    printable(message);
    va_end(arguments);
    if (!p->usable) ptx_fail(p, line, "%s", message);
    add_reason(p, f, &(struct ptx_loc){0}, line, message);
}
char *ptx_why(const struct ptx_module *module, const struct ptx_reason *r, char *out, size_t size) {
    const char *file = r->loc.file < module->file_count ? module->files[r->loc.file] : NULL;
    if (r->loc.line && file)
        snprintf(out, size, "%s:%u: %s", file, r->loc.line, r->message);
    else
        snprintf(out, size, "%s, PTX line %u: %s", module->name, r->text_line, r->message);
    return printable(out);
}

/* ---- skipped text ---------------------------------------------------------------------------------------------- */
void ptx_skip_statement(struct parser *p) {
    ptx_go_back(p, &p->statement);
    while (p->token.kind != TOKEN_END && !ptx_is(p, ";")) ptx_next(p);
}
void ptx_skip_body(struct parser *p, const struct mark *begin, unsigned outer) {
    p->in_body = false;
    p->references.count = p->scopes[outer + 1].first_reference;
    while (p->depth > outer) ptx_drop_scope(p);
    ptx_go_back(p, begin);
    for (unsigned depth = 1;; ptx_next(p)) {
        if (p->token.kind == TOKEN_END) ptx_fail(p, p->line, "the text ends inside function `%s`", p->function->name);
        if (ptx_is(p, "{")) depth++;
        if (ptx_is(p, "}") && !--depth) return;
    }
}

/* ---- callers --------------------------------------------------------------------------------------------------- */
bool ptx_is_builtin(const char *name) {
    static const char *const names[] = {
#define BUILTIN(name, handler) #name,
#include "ptx/builtins.def"
#undef BUILTIN
    };
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(name, names[k])) return true;
    return false;
}

/* A use of a function: a call, or its address. */
struct use {
    struct ptx_function *user;
    const struct ptx_insn *where;
    const struct ptx_function *used;
    struct use *next; /* next use of the same function */
};
static const struct ptx_function *used_by(const struct ptx_insn *i, unsigned operand) {
    if (operand == i->count) return i->call ? i->call->callee : NULL;
    return i->operand[operand].kind == PTX_SYMBOL ? i->operand[operand].function : NULL;
}
static void find_uses(struct parser *p, struct ptx_function *f, struct use **first) {
    for (unsigned k = 0; k < f->code_count; k++)
        for (unsigned n = 0; n <= f->code[k].count; n++) {
            const struct ptx_function *used = used_by(&f->code[k], n);
            if (!used) continue;
            struct use *u = ptx_take(p, 1, sizeof *u);
            *u = (struct use){f, &f->code[k], used, first[used->index]};
            first[used->index] = u;
        }
}
static void take_with_it(struct parser *p, const struct use *u) {
    char why[sizeof p->error->message - 100], message[sizeof p->error->message];
    struct ptx_function *f = u->user;
    if (u->used->reasons)
        snprintf(message, sizeof message, "calls `%.60s`: %s", u->used->name,
                 ptx_why(p->module, u->used->reasons, why, sizeof why));
    else
        snprintf(message, sizeof message, "calls `%.60s`, which has no body", u->used->name);
    p->reason_count = 0;
    add_reason(p, f, &u->where->loc, u->where->text_line, message);
    f->defined = false, f->code_count = f->register_count = f->label_count = f->local_count = 0;
}
/* Call only after the module's lists are complete. */
void ptx_spread_reasons(struct parser *p) {
    const struct ptx_module *m = p->module;
    struct use **first = ptx_take(p, m->function_count + 1, sizeof(struct use *));
    struct ptx_function **left = ptx_take(p, m->function_count + 1, sizeof(struct ptx_function *));
    unsigned count = 0;
    for (unsigned k = 0; k < m->function_count; k++) {
        struct ptx_function *f = m->functions[k];
        if (f->defined)
            find_uses(p, f, first);
        else if (f->reasons || !ptx_is_builtin(f->name))
            left[count++] = f;
    }
    while (count) /* the loop ends, because each function is added only once */
        for (const struct use *u = first[left[--count]->index], *next; u; u = next) {
            next = u->next;
            if (!u->user->defined) continue;
            take_with_it(p, u);
            left[count++] = u->user;
        }
}
