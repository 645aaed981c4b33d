/* The module: directives, variables, functions. Bodies are read by body.c. */
#include "ptx/parser.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum ptx_type type_of(const struct token *t) {
    for (int k = 1; t->length > 1 && t->text[0] == '.' && k < PTX_TYPE_COUNT; k++)
        if (strlen(ptx_type_name((enum ptx_type)k)) == t->length - 1 &&
            !memcmp(t->text + 1, ptx_type_name((enum ptx_type)k), t->length - 1))
            return (enum ptx_type)k;
    return PTX_NOTYPE;
}

/* ---- variables ------------------------------------------------------------------------------ */
static const struct ptx_variable *referenced_variable(struct parser *p, const struct ptx_function **function) {
    struct name *n = p->token.kind == TOKEN_WORD ? ptx_lookup(p, p->token.text, p->token.length) : NULL;
    *function = n && n->kind == NAME_FUNCTION ? n->object : NULL;
    if (!n || (n->kind != NAME_VARIABLE && n->kind != NAME_FUNCTION))
        ptx_fail(p, p->token.line, "`%.*s` in an initialiser is not declared",
                 (int)(p->token.length > 60 ? 60 : p->token.length), p->token.text);
    ptx_next(p);
    return n->kind == NAME_VARIABLE ? n->object : NULL;
}
struct filler {
    struct ptx_variable *variable;
    uint64_t at;
    unsigned bytes, relocations;
};

static void put_value(struct parser *p, struct filler *f) {
    const uint32_t line = p->token.line;
    uint64_t v;
    if (f->at + f->bytes > f->variable->size) ptx_fail(p, line, "too many values for variable `%s`", f->variable->name);
    const bool negative = ptx_accept(p, "-");
    const bool is_float = f->variable->type == PTX_F32 || f->variable->type == PTX_F64;
    if (ptx_number(&p->token, negative, 8 * f->bytes, is_float, &v))
        ptx_next(p);
    else { /* an address: symbol, generic(symbol), with + or - offset */
        struct ptx_variable *owner = f->variable;
        struct ptx_relocation r = {.offset = f->at, .generic = ptx_accept(p, "generic")};
        if (f->bytes != 8) ptx_fail(p, line, "an address does not fit into an element of `%s`", owner->name);
        if (r.generic) ptx_expect(p, "(");
        r.target = referenced_variable(p, &r.function);
        if (r.generic) ptx_expect(p, ")");
        if (ptx_accept(p, "+"))
            r.addend = ptx_integer(p);
        else if (ptx_is(p, "-"))
            r.addend = ptx_integer(p);
        owner->relocations = ptx_grow(p, owner->relocations, owner->relocation_count, &f->relocations, sizeof r);
        owner->relocations[owner->relocation_count++] = r;
        v = 0;
    }
    memcpy(f->variable->init + f->at, &v, f->bytes);
    f->at += f->bytes;
}
static void initialiser(struct parser *p, struct ptx_variable *v) {
    struct filler f = {.variable = v, .bytes = ptx_type_bits(v->type) / 8};
    unsigned depth = 0;
    v->init = ptx_take(p, v->size ? v->size : 1, 1);
    if (!ptx_is(p, "{")) {
        put_value(p, &f);
        return;
    }
    do {
        if (ptx_accept(p, "{"))
            depth++;
        else if (ptx_accept(p, "}"))
            depth--;
        else if (!ptx_accept(p, ","))
            put_value(p, &f);
        if (depth > 8 || p->token.kind == TOKEN_END)
            ptx_fail(p, p->token.line, "initialiser of `%s` does not end", v->name);
    } while (depth);
}

/* The token stands behind the state space: .align N .v2 .b8 name[4][2] = {...}. Ends before `;`, `,` or `)`. */
void ptx_variable_declaration(struct parser *p, enum ptx_space space, bool external) {
    struct ptx_variable *v = ptx_take(p, 1, sizeof *v);
    unsigned vector = 1;
    v->space = space, v->external = external, v->owner = p->function;
    while (p->token.kind == TOKEN_WORD && p->token.text[0] == '.') {
        enum ptx_type t = type_of(&p->token);
        if (t)
            v->type = t;
        else if (ptx_is(p, ".align")) {
            ptx_next(p);
            uint64_t align = ptx_integer(p);
            if (!align || align > 256 || (align & (align - 1)))
                ptx_fail(p, p->line, "alignment %llu", (unsigned long long)align);
            v->align = (uint32_t)align;
            continue;
        } else if (ptx_is(p, ".v2"))
            vector = 2;
        else if (ptx_is(p, ".v4"))
            vector = 4;
        else if (ptx_is(p, ".ptr")) { /* .ptr .global .align 4: what a kernel's pointer points to */
            ptx_next(p);
            while (ptx_is(p, ".global") || ptx_is(p, ".shared") || ptx_is(p, ".local") || ptx_is(p, ".const"))
                ptx_next(p);
            if (ptx_accept(p, ".align")) ptx_integer(p);
            continue;
        } else if (!ptx_is(p, ".noalias"))
            ptx_fail(p, p->token.line, "`%.*s` in the declaration of a variable",
                     (int)(p->token.length > 40 ? 40 : p->token.length), p->token.text);
        ptx_next(p);
    }
    if (!v->type || v->type == PTX_PRED) ptx_fail(p, p->token.line, "variable without a type that memory can hold");
    if (p->token.kind != TOKEN_WORD) ptx_fail(p, p->token.line, "name of a variable expected");
    const struct token name = p->token;
    v->name = ptx_copy(p, name.text, name.length);
    v->size = (uint64_t)ptx_type_bits(v->type) / 8 * vector;
    if (!v->align) v->align = (uint32_t)v->size;
    ptx_next(p);
    while (ptx_accept(p, "[")) {
        uint64_t n = ptx_is(p, "]") ? 0 : ptx_integer(p);
        if (n > UINT32_MAX / (v->size ? v->size : 1)) ptx_fail(p, name.line, "variable `%s` is too large", v->name);
        v->size *= n;
        ptx_expect(p, "]");
    }
    if (space != PTX_GLOBAL && space != PTX_CONST && v->size > 1 << 24)
        ptx_fail(p, name.line, "variable `%s` is too large", v->name);
    if (ptx_accept(p, "=")) initialiser(p, v);
    if (p->function) {
        struct ptx_function *f = p->function;
        v->index = f->local_count;
        f->locals = ptx_grow(p, f->locals, f->local_count, &p->local_capacity, sizeof *f->locals);
        f->locals[f->local_count++] = v;
    } else {
        struct ptx_module *m = p->module;
        struct name *old = ptx_lookup(p, name.text, name.length);
        if (old && old->kind == NAME_VARIABLE && !((struct ptx_variable *)old->object)->external && !external)
            ptx_fail(p, name.line, "variable `%s` is declared twice", v->name);
        v->index = m->variable_count;
        m->variables = ptx_grow(p, m->variables, m->variable_count, &p->variable_capacity, sizeof *m->variables);
        m->variables[m->variable_count++] = v;
    }
    ptx_declare(p, v->name, name.length, NAME_VARIABLE, v, v->index);
}

/* ---- functions ------------------------------------------------------------------------------ */
/* ( .param .u64 a, .param .align 4 .b8 b[8] ): read as locals of the function, then taken over. */
static unsigned parameter_list(struct parser *p, struct ptx_function *f, struct ptx_variable ***list) {
    struct ptx_variable **locals = f->locals;
    unsigned count = 0, saved = f->local_count, capacity = p->local_capacity;
    f->locals = NULL, f->local_count = p->local_capacity = 0;
    ptx_expect(p, "(");
    while (!ptx_is(p, ")")) {
        if (ptx_accept(p, ".reg"))
            ptx_fail(p, p->token.line, "parameters in registers are outside what the simulator runs");
        ptx_expect(p, ".param");
        ptx_variable_declaration(p, PTX_PARAM, false);
        if (!ptx_accept(p, ",")) break;
    }
    ptx_expect(p, ")");
    *list = f->locals, count = f->local_count;
    f->locals = locals, f->local_count = saved, p->local_capacity = capacity;
    return count;
}
static struct ptx_function *function_named(struct parser *p, const struct token *name, bool entry) {
    struct ptx_module *m = p->module;
    struct name *n = ptx_lookup(p, name->text, name->length);
    if (n && n->kind == NAME_FUNCTION) return n->object;
    struct ptx_function *f = ptx_take(p, 1, sizeof *f);
    f->name = ptx_copy(p, name->text, name->length);
    f->entry = entry;
    f->index = m->function_count;
    m->functions = ptx_grow(p, m->functions, m->function_count, &p->function_capacity, sizeof *m->functions);
    m->functions[m->function_count++] = f;
    ptx_declare(p, f->name, name->length, NAME_FUNCTION, f, f->index);
    return f;
}
static void performance_directives(struct parser *p, struct ptx_function *f) {
    for (;;) {
        if (ptx_is(p, ".maxntid") || ptx_is(p, ".reqntid")) {
            uint64_t product = 1;
            do {
                ptx_next(p);
                product *= ptx_integer(p);
                if (product > 1 << 20) product = 1 << 20;
            } while (ptx_is(p, ","));
            f->max_threads = (uint32_t)product;
        } else if (ptx_is(p, ".minnctapersm") || ptx_is(p, ".maxnreg") || ptx_is(p, ".maxnctapersm"))
            ptx_next(p), ptx_integer(p);
        else if (!ptx_accept(p, ".noreturn"))
            return;
    }
}
static void function(struct parser *p, bool entry) {
    struct ptx_function scratch = {0}, *f;
    struct ptx_variable **result = NULL, **params = NULL;
    unsigned results = 0, count = 0;
    struct name *outer = p->newest;
    ptx_next(p);
    p->function = &scratch;
    if (!entry && ptx_is(p, "(")) results = parameter_list(p, &scratch, &result);
    if (p->token.kind != TOKEN_WORD) ptx_fail(p, p->token.line, "name of a function expected");
    const struct token name = p->token;
    ptx_next(p);
    if (ptx_is(p, "(")) count = parameter_list(p, &scratch, &params);
    ptx_leave(p, outer); /* the function's own name must outlive its parameters */
    p->function = NULL;
    f = function_named(p, &name, entry);
    if (f->defined) ptx_fail(p, name.line, "function `%s` is defined twice", f->name);
    performance_directives(p, f);
    f->params = params, f->param_count = count, f->result = results ? result[0] : NULL;
    if (results > 1) ptx_fail(p, name.line, "function `%s` has several results", f->name);
    outer = p->newest;
    for (unsigned k = 0; k < count + results; k++) {
        struct ptx_variable *v = k < count ? params[k] : result[k - count];
        v->owner = f;
        ptx_declare(p, v->name, strlen(v->name), NAME_VARIABLE, v, v->index);
    }
    if (!ptx_accept(p, ";")) {
        f->defined = true;
        p->function = f;
        p->local_capacity = p->register_capacity = p->code_capacity = 0;
        p->label_count = 0;
        p->loc = (struct ptx_loc){0};
        ptx_body(p);
        p->function = NULL;
    }
    ptx_leave(p, outer);
}

/* ---- directives ----------------------------------------------------------------------------- */
static void file_directive(struct parser *p) {
    struct ptx_module *m = p->module;
    ptx_next(p);
    uint64_t index = ptx_integer(p);
    if (index > 4096) ptx_fail(p, p->token.line, "file number %llu", (unsigned long long)index);
    while (m->file_count <= index) {
        m->files = ptx_grow(p, m->files, m->file_count, &p->file_capacity, sizeof *m->files);
        m->files[m->file_count++] = NULL;
    }
    if (p->token.kind != TOKEN_STRING) ptx_fail(p, p->token.line, "name of a file expected");
    m->files[index] = ptx_copy(p, p->token.text + 1, p->token.length - 2);
    ptx_next(p);
    while (ptx_accept(p, ",")) ptx_integer(p); /* time and size */
}
/* .section .debug_info { ... }: nothing in it is needed. */
static void skip_section(struct parser *p) {
    while (p->token.kind != TOKEN_END && !ptx_is(p, "{")) ptx_next(p);
    while (p->token.kind != TOKEN_END && !ptx_is(p, "}")) ptx_next(p);
    ptx_expect(p, "}");
}
static void target_directive(struct parser *p) {
    ptx_next(p);
    if (p->token.length > 3 && !memcmp(p->token.text, "sm_", 3)) {
        for (size_t k = 3; k < p->token.length && p->token.text[k] >= '0' && p->token.text[k] <= '9' && k < 7; k++)
            p->module->target = 10 * p->module->target + (unsigned)(p->token.text[k] - '0');
    } else
        ptx_fail(p, p->token.line, ".target sm_N expected");
    ptx_next(p);
    while (ptx_accept(p, ",")) ptx_next(p);
}
static void version_directive(struct parser *p) {
    char text[16] = "";
    ptx_next(p);
    memcpy(text, p->token.text, p->token.length < sizeof text ? p->token.length : sizeof text - 1);
    unsigned major = 0, minor = 0;
    if (sscanf(text, "%2u.%2u", &major, &minor) != 2) ptx_fail(p, p->token.line, ".version MAJOR.MINOR expected");
    p->module->version = 10 * major + minor;
    ptx_next(p);
}
static void directive(struct parser *p) {
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{".global", PTX_GLOBAL}, {".shared", PTX_SHARED}, {".const", PTX_CONST}, {".local", PTX_LOCAL}};
    bool external = false;
    for (;;) { /* linkage */
        if (ptx_is(p, ".extern"))
            external = true;
        else if (!ptx_is(p, ".visible") && !ptx_is(p, ".weak") && !ptx_is(p, ".common"))
            break;
        ptx_next(p);
    }
    for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (ptx_accept(p, spaces[k].word)) {
            do ptx_variable_declaration(p, spaces[k].space, external);
            while (ptx_accept(p, ","));
            ptx_expect(p, ";");
            return;
        }
    if (ptx_is(p, ".entry"))
        function(p, true);
    else if (ptx_is(p, ".func"))
        function(p, false);
    else if (ptx_is(p, ".version"))
        version_directive(p);
    else if (ptx_is(p, ".target"))
        target_directive(p);
    else if (ptx_accept(p, ".address_size"))
        p->module->address_size = (unsigned)ptx_integer(p);
    else if (ptx_is(p, ".file"))
        file_directive(p);
    else if (ptx_is(p, ".section"))
        skip_section(p);
    else if (ptx_accept(p, ".pragma")) {
        while (p->token.kind == TOKEN_STRING || ptx_is(p, ",")) ptx_next(p);
        ptx_expect(p, ";");
    } else if (!ptx_accept(p, ";"))
        ptx_fail(p, p->token.line, "`%.*s` is outside what the simulator runs",
                 (int)(p->token.length > 40 ? 40 : p->token.length), p->token.text);
}

/* .file often stands at the end of the text: locations are looked at when all is read. */
struct ptx_module *ptx_parse(const char *text, size_t length, const char *name, struct ptx_error *error) {
    struct parser *p = calloc(1, sizeof *p);
    memset(error, 0, sizeof *error);
    snprintf(error->message, sizeof error->message, "out of memory");
    struct ptx_module *module = p ? ptx_new_module() : NULL;
    if (!module) {
        free(p);
        return NULL;
    }
    p->module = module;
    p->at = text, p->end = text + length, p->line = 1, p->error = error;
    if (setjmp(p->failed)) {
        ptx_free(p->module);
        free(p);
        return NULL;
    }
    module->name = ptx_copy(p, name, strlen(name));
    module->address_size = 64;
    ptx_next(p);
    while (p->token.kind != TOKEN_END) directive(p);
    if (!module->version) ptx_fail(p, 1, "this is no PTX: it has no .version");
    if (module->address_size != 64) ptx_fail(p, 1, "32-bit addresses are outside what the simulator runs");
    for (unsigned k = 0; k < module->function_count; k++)
        if (module->functions[k]->defined) ptx_cfg(p, module->functions[k]);
    error->message[0] = 0;
    free(p);
    return module;
}

const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name) {
    for (unsigned k = 0; k < module->function_count; k++)
        if (!strcmp(module->functions[k]->name, name)) return module->functions[k];
    return NULL;
}
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name) {
    for (unsigned k = 0; k < module->variable_count; k++)
        if (!strcmp(module->variables[k]->name, name)) return module->variables[k];
    return NULL;
}
