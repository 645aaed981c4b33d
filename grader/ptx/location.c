/* .file and .loc: the CUDA source lines of instructions.
 *
 * For inlined calls, nvcc writes one .loc per level, the outermost level first:
 *     .loc 1 13 3
 *     .loc 1 8 10, function_name $L__info_string0, inlined_at 1 13 3
 *     .loc 2 440 9, function_name $L__info_string1, inlined_at 1 8 10
 * This file therefore remembers recent call sites and follows them from the innermost level outward. clang 14 writes
 * only the innermost location. If that location is in another file than the function (such as a header), the
 * instruction keeps the function's most recent line. */
#include "ptx/parser.h"
#include <string.h>

void ptx_file(struct parser *p) {
    const unsigned number = (unsigned)ptx_integer(p, MAX_FILES);
    char directory[512] = "";
    while (p->files.count <= number) ptx_push(p, &p->files, sizeof(char *));
    if (p->token.kind != TOKEN_STRING) ptx_fail(p, p->token.line, "expected the name of file %u", number);
    struct token name = p->token;
    ptx_next(p);
    if (p->token.kind == TOKEN_STRING) { /* the form .file 1 "directory" "name" */
        const size_t n = name.length - 2 < sizeof directory - 1 ? name.length - 2 : sizeof directory - 2;
        memcpy(directory, name.text + 1, n);
        directory[n] = '/';
        name = p->token;
        ptx_next(p);
    }
    const size_t before = strlen(directory);
    char *whole = ptx_take(p, before + name.length, 1);
    memcpy(whole, directory, before);
    memcpy(whole + before, name.text + 1, name.length - 2);
    ((char **)p->files.items)[number] = whole;
    for (int k = 0; k < 2 && ptx_accept(p, ","); k++) ptx_integer(p, UINT64_MAX); /* time and size of the file */
}

static struct position position(struct parser *p) {
    struct position q;
    q.file = (uint16_t)ptx_integer(p, MAX_FILES);
    q.line = (uint32_t)ptx_integer(p, UINT32_MAX);
    q.column = (uint32_t)ptx_integer(p, UINT32_MAX);
    return q;
}
static bool same_position(const struct position *a, const struct position *b) {
    return a->file == b->file && a->line == b->line && a->column == b->column;
}
/* Returns the call site at which the code at `at` was inlined, or NULL if the code was not inlined or if the call site
 * is not remembered. */
static const struct position *call_site(const struct parser *p, const struct position *at) {
    const unsigned oldest = p->inlined_count > MAX_INLINED ? p->inlined_count - MAX_INLINED : 0;
    for (unsigned k = p->inlined_count; k > oldest; k--) {
        const struct inlined *i = &p->inlined[(k - 1) % MAX_INLINED];
        if (same_position(&i->at, at)) return i->from.file ? &i->from : NULL;
    }
    return NULL;
}
static void remember(struct parser *p, const struct position *at, const struct position *from) {
    const struct inlined *last = &p->inlined[(p->inlined_count + MAX_INLINED - 1) % MAX_INLINED];
    if (p->inlined_count && same_position(&last->at, at) && same_position(&last->from, from)) return;
    p->inlined[p->inlined_count++ % MAX_INLINED] = (struct inlined){*at, *from};
}

/* Follows the call sites from the innermost position outward. Skips positions without a line, which belong to
 * rematerialized code. */
static void follow(struct parser *p, const struct position *inner) {
    const struct position *chain[MAX_INLINED], *at = inner;
    unsigned depth = 0;
    for (; at && depth < MAX_INLINED; at = call_site(p, at))
        if (at->line) chain[depth++] = at;
    if (!depth) return; /* .loc 1 0 0 leaves the previous line valid */
    const struct position *outer = chain[depth - 1], *own = chain[0];
    for (unsigned k = 0; own->file != outer->file; own = chain[++k]) {}
    const bool header = depth == 1 && p->located && outer->file != p->own_file;
    if (!p->located) p->own_file = outer->file;
    p->located = true;
    p->loc.inner_file = chain[0]->file;
    p->loc.inner_line = chain[0]->line;
    if (header) return;
    p->loc.file = outer->file;
    p->loc.line = own->line;
    p->loc.column = own->column;
    p->loc.outer_line = outer->line;
}
/* Parses .loc file line column [, function_name label [+ offset], inlined_at file line column]. */
void ptx_location(struct parser *p) {
    const struct position at = position(p);
    struct position from = {0};
    while (ptx_accept(p, ",")) {
        if (ptx_accept(p, "function_name")) {
            ptx_word(p, "a label");
            if (ptx_accept(p, "+")) ptx_integer(p, UINT64_MAX);
        } else if (ptx_accept(p, "inlined_at"))
            from = position(p);
        else
            ptx_fail(p, p->token.line, "`%.*s` in a .loc", SHOW(p->token));
    }
    if (from.file || call_site(p, &at)) remember(p, &at, &from);
    follow(p, &at);
}
