/* Generates edits to types and initial values: values of a type other than value_t, and values that start from 0. */
#include "fix/names.h"
#include <string.h>

/* Returns whether the expression after the = at `op` may be an input value: a call, an element or a number. */
static bool holds_a_value(const struct source *s, int32_t op) {
    const struct range r = operand_behind(s, op);
    if (s->statement[s->token[op].statement].kind == STATEMENT_FOR || r.last < r.first) return false;
    if (source_has(s, r, "threadIdx") || source_has(s, r, "blockIdx") || source_has(s, r, "blockDim") ||
        source_has(s, r, "gridDim") || source_has(s, r, "warpSize"))
        return false;
    return source_has(s, r, "(") || source_has(s, r, "[") ||
           (r.first == r.last && s->token[r.first].kind == TOKEN_NUMBER);
}
/* Returns whether the function later assigns an input value to the name at this token. */
static bool gets_a_value(const struct source *s, int32_t name) {
    for (int32_t k = name + 1; k < body_of(s, s->statement[s->token[name].statement].function).last; k++)
        if (source_same(s, k, name) && source_is(s, k + 1, "=") && holds_a_value(s, k + 1)) return true;
    return false;
}
static void types(struct edit_list *l, int32_t at) {
    static const char *const wrong[] = {"int", "float", "double", "unsigned"};
    const struct source *s = l->source;
    for (unsigned k = 0; k < 4; k++) {
        if (!source_is(s, at, wrong[k])) continue;
        if (source_is(s, at - 1, "(") && source_is(s, at + 1, ")"))
            edit_add(
                l, FIX_TYPE, 1, range_of(at + 2),
                &(struct edit_part){s->token[at - 1].at, s->token[at + 1].at + 1 - s->token[at - 1].at, (char *)""}, 1);
        else if (source_is(s, at + 2, ";") && s->token[at + 1].statement >= 0 && gets_a_value(s, at + 1))
            edit_replace(l, FIX_TYPE, 1, range_of(at), "value_t");
        else if (source_is(s, at + 2, "=") && holds_a_value(s, at + 2))
            edit_replace(l, FIX_TYPE, 1, range_of(at), "value_t"), edit_replace(l, FIX_TYPE, 2, range_of(at), "auto");
    }
    if (!source_is(s, at, "value_t") || s->token[at].statement < 0) return;
    const struct statement *st = &s->statement[s->token[at].statement]; /* `value_t a = 0, b = 0;` */
    struct edit_part parts[EDIT_PARTS];
    unsigned count = 0;
    for (int32_t k = at; k < st->all.last && st->kind == STATEMENT_PLAIN && count < EDIT_PARTS; k++)
        if (source_is(s, k, "=") && s->token[k + 1].kind == TOKEN_NUMBER)
            parts[count++] = (struct edit_part){s->token[k + 1].at, s->token[k + 1].length, (char *)"identity()"};
    if (count > 1) edit_add(l, FIX_IDENTITY, 1, st->all, parts, count);
    if (source_is(s, at + 2, ";"))
        edit_replace(l, FIX_UNSET, 1, range_of(at + 1), "%.*s = identity()", (int)s->token[at + 1].length,
                     s->text + s->token[at + 1].at);
    if (source_is(s, at + 1, "(") || source_is(s, at + 1, "{"))
        edit_replace(l, FIX_IDENTITY, 1, (struct range){at, s->token[at + 1].match}, "identity()");
}
/* Returns whether the file uses pairs of a value and an index: their type, or the call that compares them. */
static bool has_pairs(const struct source *s) {
    for (int32_t k = 0; k + 1 < s->tokens; k++)
        if (source_is(s, k, "scalar_t") || (source_is(s, k, "before") && source_is(s, k + 1, "("))) return true;
    return false;
}
/* Changes parameters of other types to value_t, because they convert the passed values. */
static void parameter_types(struct edit_list *l, int32_t function) {
    static const char *const wrong[] = {"int", "float", "double", "unsigned"};
    const struct source *s = l->source;
    const struct range p = s->function[function].parameters;
    char own[NAME_SIZE];
    const int32_t type = s->function[function].name.first - 1; /* the function's return type */
    for (unsigned n = 0; n < 4 && !s->function[function].is_kernel; n++)
        if (source_is(s, type, wrong[n])) edit_replace(l, FIX_TYPE, 2, range_of(type), "value_t");
    for (int32_t k = p.first; k <= p.last && !s->function[function].is_kernel; k++)
        for (unsigned n = 0; n < 4; n++)
            if (source_is(s, k, wrong[n]) && !source_is(s, k + 1, "*")) {
                const struct range parameter = {k, k + 1};
                source_copy(s, range_of(k + 1), own, sizeof own);
                edit_replace(l, FIX_TYPE, 1, parameter, "value_t %s", own);
                if (has_pairs(s)) /* the parameter may be a pair's member */
                    edit_replace(l, FIX_TYPE, 1, parameter, "scalar_t %s", own);
            }
}
/* Changes another type to value_t in the function's result, parameters and variables. */
static void all_types(struct edit_list *l, int32_t function) {
    static const char *const wrong[] = {"int", "float", "double", "unsigned"};
    const struct source *s = l->source;
    const struct function *f = &s->function[function];
    const int32_t type = f->name.first - 1;
    for (unsigned n = 0; n < 4 && !f->is_kernel; n++) {
        struct edit_part parts[EDIT_PARTS];
        unsigned count = 0;
        for (int32_t k = type; k < body_of(s, function).last && count < EDIT_PARTS; k++)
            if (source_is(s, k, wrong[n]) && !source_is(s, k + 1, "*"))
                parts[count++] = edit_part_of(s, range_of(k), "value_t");
        if (source_is(s, type, wrong[n]) && count > 1)
            edit_add(l, FIX_TYPE, 1, (struct range){type, f->parameters.last + 1}, parts, count);
    }
}
/* Gives all copies of a pair's members the types of the members, as in `float x = a.value; unsigned k = a.index;`. */
static void types_of_members(struct edit_list *l, int32_t function) {
    static const char *const wrong[] = {"int", "float", "double", "unsigned"};
    const struct source *s = l->source;
    struct edit_part parts[EDIT_PARTS];
    unsigned count = 0;
    int32_t first = -1;
    for (int32_t k = body_of(s, function).first + 1; k < body_of(s, function).last && count < EDIT_PARTS; k++) {
        const struct range value = source_is(s, k + 2, "=") ? operand_behind(s, k + 2) : (struct range){0, -1};
        bool copies = false;
        for (unsigned n = 0; n < 4; n++) copies |= source_is(s, k, wrong[n]);
        if (!copies || range_is_empty(value)) continue;
        if (!source_has(s, value, "value") && !source_has(s, value, "index")) continue;
        if (first < 0) first = k;
        parts[count++] = edit_part_of(s, range_of(k), "auto");
    }
    if (count > 1) edit_add(l, FIX_TYPE, 1, s->statement[s->token[first].statement].all, parts, count);
}
void rules_types(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    parameter_types(l, function), all_types(l, function), types_of_members(l, function);
    for (int32_t k = body.first + 1; k < body.last; k++)
        if (s->token[k].kind == TOKEN_NAME) types(l, k);
}
