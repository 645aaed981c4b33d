/* The parser's entry points, and the module: its directives and header. */
#include "ptx/parser.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses the number in .version 9.0. */
static void version(struct parser *p) {
    const struct token t = p->token;
    unsigned major = 0, digits = 0;
    size_t k = 0;
    for (; k < t.length && t.text[k] >= '0' && t.text[k] <= '9' && digits < 3; k++, digits++)
        major = 10 * major + (unsigned)(t.text[k] - '0');
    if (!digits || t.length != k + 2 || t.text[k] != '.' || t.text[k + 1] < '0' || t.text[k + 1] > '9')
        ptx_fail(p, t.line, "`.version %.*s`: expected two numbers, such as 9.0", SHOW(t));
    p->module->version = 10 * major + (unsigned)(t.text[k + 1] - '0');
    ptx_next(p);
}
/* Parses the operands of .target sm_75, debug. */
static void target(struct parser *p) {
    const struct token t = ptx_word(p, "a target such as sm_75");
    unsigned number = 0;
    size_t k = 3;
    if (t.length > 3 && !memcmp(t.text, "sm_", 3))
        for (; k < t.length && t.text[k] >= '0' && t.text[k] <= '9' && k < 7; k++)
            number = 10 * number + (unsigned)(t.text[k] - '0');
    if (number < 10) ptx_fail(p, t.line, "target `%.*s` is not supported by the simulator", SHOW(t));
    p->module->target = number;
    while (ptx_accept(p, ",")) ptx_word(p, "a property of the target");
}
static void address_size(struct parser *p) {
    const uint32_t line = p->token.line;
    p->module->address_size = (unsigned)ptx_integer(p, 64);
    if (p->module->address_size != 64)
        ptx_fail(p, line, "%u-bit addresses are not supported by the simulator", p->module->address_size);
}
/* Skips a debug section: .section .debug_info { ... }. */
static void skip_section(struct parser *p) {
    const uint32_t line = p->token.line;
    unsigned depth = 0;
    while (p->token.kind != TOKEN_END && !ptx_is(p, "{")) ptx_next(p);
    do {
        if (ptx_is(p, "{"))
            depth++;
        else if (ptx_is(p, "}"))
            depth--;
        else if (p->token.kind == TOKEN_END)
            ptx_fail(p, line, "unterminated .section");
        ptx_next(p);
    } while (depth);
}
static void directive(struct parser *p) {
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{".global", PTX_GLOBAL}, {".shared", PTX_SHARED}, {".const", PTX_CONST}};
    bool external = false;
    while (ptx_is(p, ".extern") || ptx_is(p, ".visible") || ptx_is(p, ".weak") || ptx_is(p, ".common")) { /* linkage */
        external |= ptx_is(p, ".extern");
        ptx_next(p);
    }
    const struct token t = p->token;
    ptx_next(p);
    for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (ptx_spells(&t, spaces[k].word)) {
            ptx_variables(p, spaces[k].space, external);
            return;
        }
    if (ptx_spells(&t, ".entry"))
        ptx_function(p, true, external);
    else if (ptx_spells(&t, ".func"))
        ptx_function(p, false, external);
    else if (ptx_spells(&t, ".file"))
        ptx_file(p);
    else if (ptx_spells(&t, ".section"))
        skip_section(p);
    else if (ptx_spells(&t, ".pragma"))
        ptx_pragma(p);
    else if (ptx_spells(&t, ".version"))
        version(p);
    else if (ptx_spells(&t, ".target"))
        target(p);
    else if (ptx_spells(&t, ".address_size"))
        address_size(p);
    else if (t.kind == TOKEN_WORD && *t.text == '.')
        ptx_fail(p, t.line, "directive `%.*s` is not supported by the simulator", SHOW(t));
    else if (!ptx_spells(&t, ";"))
        ptx_fail(p, t.line, "expected a directive, not `%.*s`", SHOW(t));
}
/* Adds the memory that the driver provides for grid-wide synchronization. The name of this variable cannot occur in PTX
 * text. */
static void add_grid_workspace(struct parser *p) {
    struct ptx_variable *v = ptx_take(p, 1, sizeof *v);
    *v = (struct ptx_variable){.name = ptx_copy(p, PTX_GRID_WORKSPACE, strlen(PTX_GRID_WORKSPACE)),
                               .space = PTX_GLOBAL,
                               .type = PTX_B32,
                               .align = 16,
                               .size = 32,
                               .index = p->variables.count};
    *(struct ptx_variable **)ptx_push(p, &p->variables, sizeof v) = v;
}
static void read_module(struct parser *p, const char *name) {
    struct ptx_module *m = p->module;
    m->name = ptx_copy(p, name, strlen(name));
    ptx_next(p);
    if (!ptx_is(p, ".version")) ptx_fail(p, p->token.line, "PTX must begin with .version");
    while (p->token.kind != TOKEN_END) directive(p);
    if (!m->target) ptx_fail(p, p->line, "the module has no .target");
    if (!m->address_size) ptx_fail(p, p->line, "the module has no .address_size 64");
    if (p->wants_workspace) add_grid_workspace(p);
    m->variables = ptx_keep(p, &p->variables, sizeof *m->variables, &m->variable_count);
    m->functions = ptx_keep(p, &p->functions, sizeof *m->functions, &m->function_count);
    m->files = ptx_keep(p, &p->files, sizeof *m->files, &m->file_count);
    if (p->usable) ptx_spread_reasons(p);
    for (unsigned k = 0; k < m->function_count; k++)
        if (m->functions[k]->defined) ptx_contract(p, m->functions[k]), ptx_cfg(p, m->functions[k]);
}

static void free_parser(struct parser *p) {
    struct vector_of *const arrays[] = {&p->code,      &p->registers, &p->labels, &p->references, &p->variables,
                                        &p->functions, &p->files,     &p->locals, &p->relocations};
    for (unsigned k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]->items);
    map_free(&p->names);
    free(p);
}
static struct ptx_module *parse(const char *text, size_t length, const char *name, bool usable,
                                struct ptx_error *error) {
    struct parser *p = calloc(1, sizeof *p);
    struct ptx_module *made = p ? ptx_new_module() : NULL;
    *error = (struct ptx_error){.message = "out of memory"};
    if (!made) {
        free(p);
        return NULL;
    }
    p->module = made;
    p->text = p->at = text, p->end = text + length;
    p->line = 1;
    p->error = error;
    p->usable = usable;
    if (setjmp(p->failed)) { /* `p` has not changed since setjmp(), so its value is defined here */
        ptx_free(p->module);
        free_parser(p);
        return NULL;
    }
    read_module(p, name);
    made = p->module;
    free_parser(p);
    error->message[0] = 0;
    return made;
}
struct ptx_module *ptx_parse(const char *text, size_t length, const char *name, struct ptx_error *error) {
    return parse(text, length, name, false, error);
}
struct ptx_module *ptx_parse_usable(const char *text, size_t length, const char *name, struct ptx_error *error) {
    return parse(text, length, name, true, error);
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
