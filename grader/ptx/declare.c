/* Parses variable declarations: type, alignment, dimensions and initializer. */
#include "ptx/parser.h"
#include <string.h>

enum ptx_type ptx_type_named(const char *text, size_t length) {
    for (int k = PTX_NOTYPE + 1; k < PTX_TYPE_COUNT; k++) {
        const char *name = ptx_type_name((enum ptx_type)k);
        if (strlen(name) == length && !memcmp(name, text, length)) return (enum ptx_type)k;
    }
    return PTX_NOTYPE;
}
enum ptx_type ptx_storable(enum ptx_type t) { return ptx_type_bits(t) >= 8 || t == PTX_PRED ? t : PTX_NOTYPE; }

/* Maximum sizes in bytes, by state space. `one` limits a variable; except for .global, no GPU allows a larger one.
 * `all` limits the sum over all variables of a function (.local, .param) or of the module. */
static const struct {
    uint64_t one, all;
} most_bytes[] = {
    [PTX_GLOBAL] = {UINT64_C(1) << 36, UINT64_C(1) << 40},
    [PTX_SHARED] = {1 << 20, 1 << 28},
    [PTX_CONST] = {1 << 16, 1 << 20},
    [PTX_LOCAL] = {1 << 19, 1 << 19},
    [PTX_PARAM] = {1 << 15, 1 << 20},
};
/* Compilers put all local variables of a function into one array, whose name means nothing to a reader. */
static _Noreturn void exceed_local(struct parser *p, uint32_t line) {
    ptx_fail(p, line, "the local variables of a function take more than the %llu bytes that a GPU has for a thread",
             (unsigned long long)most_bytes[PTX_LOCAL].all);
}
static void count_bytes(struct parser *p, const struct ptx_variable *v, uint32_t line) {
    const uint64_t most = most_bytes[v->space].all;
    p->bytes[v->space] += v->size;
    if (p->bytes[v->space] > most && v->space == PTX_LOCAL) exceed_local(p, line);
    if (p->bytes[v->space] > most)
        ptx_fail(p, line, "the .%s variables take more than %llu bytes in total", ptx_space_name(v->space),
                 (unsigned long long)most);
}

/* ---- initializers ---------------------------------------------------------------------------------------------- */
struct shape {
    unsigned dimensions;
    uint64_t extent[MAX_DIMENSIONS];
    bool open;
}; /* open: whether the first dimension is [] */
struct filler {
    struct ptx_variable *variable;
    unsigned element;
    uint64_t at; /* number of bytes filled */
};

/* Parses an address in an initializer: `symbol`, `symbol + 4` or `generic(symbol) + 4`. It is resolved when the module
 * is loaded. */
static void relocation(struct parser *p, struct filler *f) {
    const struct token t = p->token;
    const struct ptx_variable *v = f->variable;
    struct ptx_relocation r = {.offset = f->at, .generic = ptx_accept(p, "generic")};
    if (r.generic) ptx_expect(p, "(");
    const struct token symbol = ptx_word(p, "a constant or the name of a variable or function");
    const struct name *n = ptx_lookup(p, &symbol);
    if (!n || (n->kind != NAME_VARIABLE && n->kind != NAME_FUNCTION))
        ptx_fail(p, symbol.line, "`%.*s` in the initializer of `%s` is not declared", SHOW(symbol), v->name);
    if (n->kind == NAME_VARIABLE)
        r.target = n->object;
    else
        r.function = n->object;
    if (r.generic) ptx_expect(p, ")");
    const bool minus = ptx_is(p, "-");
    if (minus || ptx_is(p, "+")) {
        ptx_next(p);
        r.addend = ptx_integer(p, INT32_MAX);
        if (minus) r.addend = 0 - r.addend;
    }
    if (f->element != 8 || v->type == PTX_F64)
        ptx_fail(p, t.line, "an address does not fit into an element of `%s`", v->name);
    *(struct ptx_relocation *)ptx_push(p, &p->relocations, sizeof r) = r;
}
static void put_element(struct parser *p, struct filler *f) {
    const struct token t = p->token;
    if (f->at + f->element > f->variable->size) ptx_fail(p, t.line, "too many values for `%s`", f->variable->name);
    const bool negative = ptx_accept(p, "-");
    const struct literal l = ptx_literal(&p->token, negative);
    uint64_t value = 0;
    if (l.kind) {
        ptx_next(p);
        value = ptx_value(p, t.line, &l, f->variable->type);
        if (ptx_is(p, "(")) /* 0xFF00(generic(symbol)), which is one byte of an address in a packed structure */
            ptx_fail(p, t.line,
                     "an address given byte by byte, as in the initializer of `%s`, is not supported by the simulator",
                     f->variable->name);
    } else
        relocation(p, f);
    memcpy(f->variable->init + f->at, &value, f->element); /* valid because host and device are little-endian */
    f->at += f->element;
}
/* Returns the size in bytes of a list at nesting depth `depth`. The list at depth 1 is the whole variable. */
static uint64_t row_bytes(const struct shape *s, unsigned depth, unsigned element) {
    uint64_t bytes = element;
    for (unsigned k = depth - 1; k < s->dimensions; k++) bytes *= s->extent[k];
    return bytes;
}
/* Parses a list, such as {1, 2} or {{1, 2}, {3}}. An inner list initializes one row; omitted elements are zero. */
static void list(struct parser *p, struct filler *f, const struct shape *s) {
    unsigned depth = 0;
    uint64_t begin[MAX_DIMENSIONS + 1] = {0};
    do {
        if (ptx_accept(p, "{")) {
            if (++depth > s->dimensions)
                ptx_fail(p, p->token.line, "the initializer of `%s` is nested too deep", f->variable->name);
            begin[depth] = f->at;
            if (ptx_is(p, "}") || ptx_is(p, "{")) continue;
        } else if (ptx_accept(p, "}")) {
            const uint64_t end = begin[depth] + row_bytes(s, depth, f->element);
            if (f->at > end) ptx_fail(p, p->token.line, "too many values in one row of `%s`", f->variable->name);
            f->at = end;
            if (--depth && !ptx_is(p, "}")) ptx_expect(p, ",");
            continue;
        }
        put_element(p, f);
        if (!ptx_is(p, "}")) ptx_expect(p, ",");
    } while (depth);
}
/* Counts the values in the initializer of x[], which determine the number of elements. Does not advance. */
static uint64_t count_values(struct parser *p) {
    const char *at = p->at;
    const uint32_t line = p->line;
    const struct token t = p->token;
    uint64_t count = 0;
    unsigned depth = 0;
    bool value = false;
    do {
        if (ptx_is(p, "{"))
            depth++;
        else if (p->token.kind == TOKEN_END || depth > 1 || !depth)
            break;
        else if (ptx_is(p, "}") || ptx_is(p, ",")) {
            count += value, value = false;
            if (ptx_is(p, "}")) depth--;
        } else
            value = true;
        ptx_next(p);
    } while (depth);
    p->at = at, p->line = line, p->token = t;
    return count;
}
static void initializer(struct parser *p, struct ptx_variable *v, struct shape *s) {
    struct filler f = {.variable = v, .element = ptx_type_bits(v->type) / 8};
    const uint32_t line = p->token.line;
    if (v->space != PTX_GLOBAL && v->space != PTX_CONST)
        ptx_fail(p, line, "`%s` is in .%s memory, which cannot be initialized", v->name, ptx_space_name(v->space));
    if (s->open) {
        if (s->dimensions > 1)
            ptx_fail(
                p, line,
                "`%s` has a dimension without a size: an initialized variable of several dimensions needs all sizes",
                v->name);
        s->extent[0] = count_values(p);
        v->size = s->extent[0] * f.element;
    }
    if (v->size > MAX_INIT)
        ptx_fail(p, line, "`%s` is %llu bytes long: an initialized variable may have at most %d", v->name,
                 (unsigned long long)v->size, MAX_INIT);
    v->init = ptx_take(p, v->size + 1, 1);
    if (ptx_is(p, "{") && s->dimensions)
        list(p, &f, s);
    else
        put_element(p, &f);
    v->relocations = ptx_keep(p, &p->relocations, sizeof *v->relocations, &v->relocation_count);
}

/* ---- declarations ---------------------------------------------------------------------------------------------- */
/* Skips the rest of an attribute such as .ptr .global .align 4, which describes the memory that a parameter points
 * to. */
static void pointer_attribute(struct parser *p) {
    static const char *const spaces[] = {".global", ".shared", ".local", ".const", ".generic"};
    for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (ptx_accept(p, spaces[k])) break;
    if (ptx_accept(p, ".align")) ptx_integer(p, 1 << 16);
}
static void alignment(struct parser *p, struct ptx_variable *v) {
    const struct token t = p->token;
    const uint64_t align = ptx_integer(p, 1 << 16);
    if (!align || (align & (align - 1))) ptx_fail(p, t.line, "alignment %.*s is not a power of two", SHOW(t));
    v->align = (uint32_t)align;
}
/* Parses the attributes that precede the name. Returns the number of elements of the vector type, or 1. */
static unsigned attributes(struct parser *p, struct ptx_variable *v) {
    unsigned vector = 1;
    for (;;) {
        const struct token t = p->token;
        if (t.kind != TOKEN_WORD || *t.text != '.') return vector;
        ptx_next(p);
        const enum ptx_type type = ptx_storable(ptx_type_named(t.text + 1, t.length - 1));
        if (type && type != PTX_PRED && !v->type)
            v->type = type;
        else if (ptx_spells(&t, ".align"))
            alignment(p, v);
        else if (ptx_spells(&t, ".v2"))
            vector = 2;
        else if (ptx_spells(&t, ".v4"))
            vector = 4;
        else if (ptx_spells(&t, ".ptr"))
            pointer_attribute(p);
        else if (ptx_spells(&t, ".attribute")) {
            ptx_expect(p, "(");
            if (!ptx_accept(p, ".managed"))
                ptx_refuse(p, t.line, "attribute `%.*s` is not supported by the simulator", SHOW(p->token));
            ptx_expect(p, ")");
        } else
            ptx_refuse(p, t.line, "`%.*s` in the declaration of a variable is not supported by the simulator", SHOW(t));
    }
}
static void dimensions(struct parser *p, struct ptx_variable *v, struct shape *s) {
    const uint64_t most = most_bytes[v->space].one;
    while (ptx_is(p, "[")) {
        const uint32_t line = p->token.line;
        if (s->dimensions == MAX_DIMENSIONS)
            ptx_fail(p, line, "`%s` has more than %d dimensions", v->name, MAX_DIMENSIONS);
        ptx_next(p);
        uint64_t extent = 0;
        if (!ptx_is(p, "]"))
            extent = ptx_integer(p, UINT64_MAX);
        else if (s->dimensions)
            ptx_fail(p, line, "only the first dimension of `%s` may have no size", v->name);
        else
            s->open = true;
        ptx_expect(p, "]");
        if (extent && v->size > most / extent && v->space == PTX_LOCAL) exceed_local(p, line);
        if (extent && v->size > most / extent)
            ptx_fail(p, line, "`%s` is larger than the %llu bytes that a .%s variable may have", v->name,
                     (unsigned long long)most, ptx_space_name(v->space));
        s->extent[s->dimensions++] = extent;
        v->size *= extent;
    }
}
/* Parses a variable, starting after the state space: .align 4 .v2 .b8 name[4][2] = {...}. Does not declare its name. */
struct ptx_variable *ptx_declare_variable(struct parser *p, enum ptx_space space, bool external) {
    struct ptx_variable *v = ptx_take(p, 1, sizeof *v);
    struct shape s = {0};
    v->space = space, v->external = external, v->owner = p->function;
    const unsigned vector = attributes(p, v);
    const struct token name = ptx_word(p, "the name of a variable");
    v->name = ptx_copy(p, name.text, name.length);
    if (!v->type) ptx_fail(p, name.line, "`%s` has a type that no variable can have", v->name);
    v->size = (uint64_t)ptx_type_bits(v->type) / 8 * vector;
    if (vector > 1) s.extent[s.dimensions++] = vector;
    if (!v->align) v->align = (uint32_t)v->size;
    dimensions(p, v, &s);
    if (vector > 1) { /* the elements of a vector type form the innermost dimension of the variable */
        memmove(s.extent, s.extent + 1, (s.dimensions - 1) * sizeof *s.extent);
        s.extent[s.dimensions - 1] = vector;
    }
    if (ptx_accept(p, "="))
        initializer(p, v, &s);
    else if (!v->size && !(external && space == PTX_SHARED) && !external)
        ptx_fail(p, name.line, "`%s` has no size", v->name);
    count_bytes(p, v, name.line);
    return v;
}

/* Declares a variable of the module. If a declaration is repeated, one of the two must be .extern, and their sizes must
 * agree unless one is 0. */
static void module_variable(struct parser *p, struct ptx_variable *v, uint32_t line) {
    const struct token t = {TOKEN_WORD, v->name, strlen(v->name), line};
    struct name *n = ptx_lookup(p, &t);
    if (!n) {
        v->index = p->variables.count;
        *(struct ptx_variable **)ptx_push(p, &p->variables, sizeof v) = v;
        ptx_declare(p, v->name, t.length, NAME_VARIABLE, v);
        return;
    }
    struct ptx_variable *old = n->kind == NAME_VARIABLE ? n->object : NULL;
    if (!old || old->space != v->space || (!old->external && !v->external) ||
        (old->size && v->size && old->size != v->size))
        ptx_fail(p, line, "`%s` is declared twice", v->name);
    if (!old->external || (v->external && old->size)) return;
    v->index = old->index; /* `old` stays in the list, because references point to it */
    v->name = old->name;
    *old = *v;
}
void ptx_variables(struct parser *p, enum ptx_space space, bool external) {
    const uint32_t line = p->token.line;
    struct ptx_variable *v = ptx_declare_variable(p, space, external);
    if (p->function) {
        v->index = p->locals.count;
        *(struct ptx_variable **)ptx_push(p, &p->locals, sizeof v) = v;
        ptx_declare(p, v->name, strlen(v->name), NAME_VARIABLE, v);
    } else
        module_variable(p, v, line);
    if (ptx_is(p, ","))
        ptx_refuse(p, p->token.line, "multiple variables in one declaration are not supported by the simulator");
    ptx_expect(p, ";");
}
