/* Name lookup. One table contains the names of all scopes; the innermost declaration of a name wins.
 *
 * `.reg .b32 %r<1000>` declares a range, which is one entry. A register of a range is created when it is first used, so
 * that a function has only the registers that it uses. A label may be used before it is declared. Such uses are
 * recorded as references, and resolved when the scope that declares the label ends. */
#include "base/hash.h"
#include "ptx/parser.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash(const char *text, size_t length) { return hash_bytes(HASH_START, text, length) | 1; }
static struct name *first_of(const uint64_t *value) { return value ? (struct name *)(uintptr_t)*value : NULL; }
enum { NO_RANGE = -1 };
/* Returns the innermost declaration of the name, or NULL. A range is only found if it contains register `number`. */
static struct name *find_name(const struct parser *p, const char *text, size_t length, int64_t number) {
    const uint64_t h = hash(text, length);
    struct name *best = NULL;
    for (struct name *n = first_of(map_find(&p->names, h)); n; n = n->alike) {
        const bool wanted = number == NO_RANGE ? n->kind != NAME_RANGE : n->kind == NAME_RANGE && number < n->index;
        if (wanted && n->length == length && !memcmp(n->text, text, length) && (!best || n->depth > best->depth))
            best = n;
    }
    return best;
}
/* Returns the innermost range that declares the register in a scope deeper than `depth`, or NULL. %r12 may be register
 * 12 of %r<N> or register 2 of %r1<N>. */
static struct name *find_range(const struct parser *p, const char *text, size_t length, unsigned depth) {
    struct name *best = NULL;
    int64_t number = 0, unit = 1;
    for (size_t k = length; k > 1 && length - k < 7 && isdigit((unsigned char)text[k - 1]); k--, unit *= 10) {
        number += unit * (text[k - 1] - '0');
        if (text[k - 1] == '0' && k < length) continue; /* a leading zero: %r05 is not a register of %r<N> */
        struct name *n = find_name(p, text, k - 1, number);
        if (n && n->depth > depth && (!best || n->depth > best->depth)) best = n;
    }
    return best;
}
static struct name *add_name(struct parser *p, const char *text, size_t length, enum name_kind kind, unsigned depth) {
    struct name *n = ptx_take(p, 1, sizeof *n);
    *n = (struct name){.text = text, .length = length, .kind = kind, .depth = depth, .hash = hash(text, length)};
    uint64_t *first = map_make(&p->names, n->hash);
    if (!first) ptx_fail(p, p->line, "out of memory");
    n->alike = first_of(first);
    *first = (uintptr_t)n;
    n->in_scope = p->scopes[depth].names;
    p->scopes[depth].names = n;
    return n;
}
static uint32_t new_register(struct parser *p, char *name, enum ptx_type type) {
    struct ptx_register *r = ptx_push(p, &p->registers, sizeof *r);
    *r = (struct ptx_register){name, type};
    return p->registers.count - 1;
}

/* Returns the name of the register that holds the high half of a .b128 register. */
static char *high_half(struct parser *p, const struct token *t) {
    char *name = ptx_take(p, t->length + sizeof "_high", 1);
    memcpy(name, t->text, t->length);
    strcpy(name + t->length, "_high");
    return name;
}

struct name *ptx_declare(struct parser *p, const char *text, size_t length, enum name_kind kind, void *object) {
    struct name *n = find_name(p, text, length, kind == NAME_RANGE ? 0 : NO_RANGE);
    if (n && n->depth == p->depth)
        ptx_fail(p, p->token.line, "`%.*s` is declared twice", (int)(length > 60 ? 60 : length), text);
    n = add_name(p, text, length, kind, p->depth);
    n->object = object;
    if (kind == NAME_RANGE) p->scopes[p->depth].deepest_range = p->depth;
    return n;
}
struct name *ptx_lookup(struct parser *p, const struct token *t) {
    if (t->kind != TOKEN_WORD) return NULL;
    struct name *n = find_name(p, t->text, t->length, NO_RANGE);
    const unsigned depth = n ? n->depth : 0;
    struct name *range = p->scopes[p->depth].deepest_range > depth ? find_range(p, t->text, t->length, depth) : NULL;
    if (range) {
        n = add_name(p, t->text, t->length, NAME_REGISTER, range->depth);
        n->type = range->type, n->wide = range->wide;
        n->index = PTX_NO_REG;
    }
    if (n && n->kind == NAME_REGISTER && n->index == PTX_NO_REG) {
        n->index = new_register(p, ptx_copy(p, t->text, t->length), n->type);
        if (n->wide) new_register(p, high_half(p, t), n->type);
    }
    return n;
}

/* ---- scopes ---------------------------------------------------------------------------------------------------- */
void ptx_enter_scope(struct parser *p) {
    if (p->depth + 1 == MAX_SCOPES) ptx_fail(p, p->line, "scopes nested deeper than %d", MAX_SCOPES - 2);
    const struct scope *outer = &p->scopes[p->depth++];
    p->scopes[p->depth] = (struct scope){NULL, p->references.count, outer->deepest_range};
}
void ptx_refer(struct parser *p, const struct token *t, uint32_t insn, uint32_t *slot) {
    struct reference *r = ptx_push(p, &p->references, sizeof *r);
    *r = (struct reference){t->text, t->length, t->line, insn, slot};
}
static void settle_reference(struct parser *p, const struct reference *r, const struct name *n) {
    struct ptx_insn *i = r->insn == PTX_NO_REG ? NULL : (struct ptx_insn *)p->code.items + r->insn;
    const enum name_kind wanted = i && ptx_traits_of(i)->flow == PTX_FLOW_TABLE ? NAME_TARGETS : NAME_LABEL;
    const int shown = (int)(r->length > 60 ? 60 : r->length);
    if (n->kind != wanted)
        ptx_fail(p, r->line, "`%.*s` is not a %s", shown, r->text,
                 wanted == NAME_LABEL ? "label" : ".branchtargets list");
    if (wanted == NAME_LABEL && n->index > p->last_target) p->last_target = n->index;
    if (wanted == NAME_TARGETS) {
        const struct targets *t = n->object;
        i->targets = t->labels, i->target_count = t->count, i->target_list = t->name;
        i->operand[1].kind = PTX_NONE;
    } else if (i)
        i->operand[0].target = n->index;
    else
        *r->slot = n->index;
}
static _Noreturn void undeclared(struct parser *p, const struct reference *r) {
    if (r->insn != PTX_NO_REG) p->loc = ((struct ptx_insn *)p->code.items)[r->insn].loc;
    ptx_fail(p, r->line, "label `%.*s` is not declared", (int)(r->length > 60 ? 60 : r->length), r->text);
}
static void forget_name(struct parser *p, const struct name *n) {
    uint64_t *first = map_find(&p->names, n->hash);
    struct name *before = NULL;
    for (struct name *at = first_of(first); at != n; at = at->alike) before = at;
    if (before)
        before->alike = n->alike;
    else
        *first = (uintptr_t)n->alike;
}
/* Leaves a scope. References to names that the scope does not declare are passed to the enclosing scope. */
void ptx_leave_scope(struct parser *p) {
    const struct scope *s = &p->scopes[p->depth];
    struct reference *references = p->references.items;
    unsigned left = s->first_reference;
    for (unsigned k = s->first_reference; k < p->references.count; k++) {
        const struct reference r = references[k];
        const struct name *n = find_name(p, r.text, r.length, NO_RANGE);
        if (n && n->depth == p->depth)
            settle_reference(p, &r, n);
        else if (p->depth > BODY_DEPTH)
            references[left++] = r;
        else
            undeclared(p, &r);
    }
    p->references.count = left;
    ptx_drop_scope(p);
}
void ptx_drop_scope(struct parser *p) {
    for (const struct name *n = p->scopes[p->depth].names; n; n = n->in_scope) forget_name(p, n);
    p->depth--;
}
