#include "fix/loops.h"
#include <string.h>

enum { MAX_ARGUMENTS = 6 };
static const struct range nothing = {0, -1};

bool is_set(const struct source *s, int32_t token) {
    static const char *const signs[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    if (token < 0 || s->token[token].kind != TOKEN_NAME || source_is(s, token - 1, ".")) return false;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (source_is(s, token + 1, signs[k])) return true;
    return source_is(s, token - 1, "++") || source_is(s, token - 1, "--");
}
static bool is_loop(const struct source *s, int32_t at) {
    const enum statement_kind kind = s->statement[at].kind;
    return kind == STATEMENT_FOR || kind == STATEMENT_WHILE || kind == STATEMENT_DO;
}
static bool sets(const struct source *s, struct range r, int32_t name) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (source_same(s, k, name) && is_set(s, k)) return true;
    return false;
}
/* Returns the loop variable, or -1: a name in the condition that an iteration changes or, if there is none, a name
 * that the header of a for loop initializes or changes. */
static int32_t variable_of(const struct source *s, const struct statement *f) {
    const struct range body = f->body < 0 ? nothing : s->statement[f->body].all;
    for (int32_t k = f->condition.first; k <= f->condition.last; k++)
        if (s->token[k].kind == TOKEN_NAME && (sets(s, f->step, k) || sets(s, body, k))) return k;
    for (int32_t k = f->begin.first; k < f->begin.last; k++)
        if (source_is(s, k + 1, "=")) return k;
    for (int32_t k = f->step.first; k <= f->step.last; k++)
        if (s->token[k].kind == TOKEN_NAME) return k;
    return -1;
}
/* Returns the range of `NAME = value`, up to a comma, semicolon or closing bracket. */
static struct range setting(const struct source *s, int32_t name) {
    int32_t end = name + 1;
    while (end + 1 < s->tokens && !source_is(s, end + 1, ",") && !source_is(s, end + 1, ";") &&
           !source_is(s, end + 1, ")") && !source_is(s, end + 1, "}"))
        end = s->token[end + 1].match > end ? s->token[end + 1].match : end + 1;
    return (struct range){name, end};
}
/* Returns the last assignment to the variable before the loop. */
static struct range set_before(const struct source *s, const struct statement *f, int32_t name) {
    const int32_t first = body_of(s, f->function).first;
    for (int32_t k = f->all.first - 1; k > first; k--)
        if (source_same(s, k, name) && is_set(s, k) && source_is(s, k + 1, "=")) return setting(s, k);
    return nothing;
}
/* Returns the last statement of the body that only changes the variable. The range excludes the semicolon. */
static struct range step_of(const struct source *s, const struct statement *f, int32_t name) {
    const struct range body = s->statement[f->body].all;
    for (int32_t k = body.last; k >= body.first; k--) {
        const int32_t self = s->token[k].statement;
        if (!source_same(s, k, name) || !is_set(s, k) || self < 0) continue;
        const struct statement *st = &s->statement[self];
        const bool alone = st->kind == STATEMENT_PLAIN && (st->all.first == k || st->all.first == k - 1) &&
                           !source_has(s, st->all, ",");
        if (alone && s->token[st->all.first].kind != TOKEN_NAME && !source_is(s, st->all.first, "++") &&
            !source_is(s, st->all.first, "--"))
            continue;
        if (alone) return (struct range){st->all.first, st->all.last - 1};
    }
    return nothing;
}
bool loop_of(const struct source *s, int32_t statement, struct loop *out) {
    const struct statement *f = &s->statement[statement];
    *out = (struct loop){"", f->begin, f->condition, f->step};
    if (!is_loop(s, statement)) return false;
    const int32_t name = variable_of(s, f);
    if (name < 0) return true;
    source_copy(s, range_of(name), out->variable, NAME_SIZE);
    if (range_is_empty(out->begin)) out->begin = set_before(s, f, name);
    if (range_is_empty(out->step) && f->body >= 0) out->step = step_of(s, f, name);
    return true;
}
bool loop_scales(const struct source *s, const struct loop *loop) {
    static const char *const signs[] = {"*", "*=", "/", "/=", "<<", "<<=", ">>", ">>="};
    const struct range value = {loop->step.first + 1, loop->step.last};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (source_has(s, value, signs[k]) && !source_has(s, value, "+") && !source_has(s, value, "+=")) return true;
    return false;
}
bool loop_counts_to_constant(const struct source *s, const struct names *names, int32_t statement) {
    struct loop loop;
    if (statement < 0 || !loop_of(s, statement, &loop)) return false;
    const int32_t bound = loop.condition.last;
    return source_is(s, loop_first_value(s, &loop).first, "0") && loop.condition.last == loop.condition.first + 2 &&
           (s->token[bound].kind == TOKEN_NUMBER || is_listed(s, bound, &names->constants));
}
int32_t loop_around(const struct source *s, int32_t statement) {
    while (statement >= 0 && !is_loop(s, statement)) statement = s->statement[statement].parent;
    return statement;
}
int32_t loop_variable_around(const struct source *s, int32_t statement, char out[NAME_SIZE]) {
    const int32_t at = loop_around(s, statement);
    struct loop loop;
    out[0] = 0;
    if (at >= 0 && loop_of(s, at, &loop)) strcpy(out, loop.variable);
    return at;
}
/* Returns whether the statement sets the name that bounds a loop variable, such as `vectors` in `i < vectors`. */
static bool is_a_bound(const struct source *s, const struct loop *loop, struct range own, int32_t token) {
    int32_t name = token;
    while (name > own.first && !(is_set(s, name) && source_is(s, name + 1, "="))) name--;
    if (!is_set(s, name) || name >= token) return false;
    for (int32_t k = loop->condition.first; k <= loop->condition.last; k++) {
        const bool whole = (k == loop->condition.first || is_comparison(s, k - 1) || source_is(s, k - 1, "&&")) &&
                           (k == loop->condition.last || is_comparison(s, k + 1) || source_is(s, k + 1, "&&"));
        if (whole && source_same(s, k, name) && !source_is(s, k, loop->variable)) return true;
    }
    return false;
}
/* Returns whether the statement sets a name that is the loop's whole step, such as `threads` in `i += threads`. */
static bool is_a_step(const struct source *s, const struct loop *loop, struct range own, int32_t token) {
    int32_t name = token;
    while (name > own.first && !(is_set(s, name) && source_is(s, name + 1, "="))) name--;
    const struct range r = loop->step;
    return is_set(s, name) && name < token && r.last - r.first == 2 &&
           (source_is(s, r.first + 1, "+=") || source_is(s, r.first + 1, "=")) && source_same(s, r.last, name);
}
/* Returns the cause to report if function `f` uses the parameter in the initial value or bound of a loop. Returns
 * FIX_CAUSES otherwise. */
static enum fix_cause cause_of_parameter(const struct source *s, int32_t f, int32_t name) {
    struct loop loop;
    for (int32_t k = 0; k < s->statements; k++) {
        if (s->statement[k].function != f || !loop_of(s, k, &loop)) continue;
        if (source_is(s, name, loop.variable)) return FIX_LOOP_START; /* `while (w > 0) { ...; w /= 2; }` */
        for (int32_t n = loop.begin.first; n <= loop.begin.last; n++)
            if (source_same(s, n, name)) return FIX_LOOP_START;
        for (int32_t n = loop.condition.first; n <= loop.condition.last; n++)
            if (source_same(s, n, name)) return FIX_LOOP_BOUND;
    }
    return FIX_CAUSES;
}
enum fix_cause cause_of_argument(const struct source *s, int32_t call, int32_t token) {
    struct range argument[MAX_ARGUMENTS];
    const unsigned count = call_arguments(s, call, argument, MAX_ARGUMENTS);
    for (int32_t f = 0; f < s->functions && count; f++) {
        const struct range p = s->function[f].parameters;
        if (!source_same(s, s->function[f].name.first, call)) continue;
        for (int32_t k = p.first, at = 0; k <= p.last; k++) {
            if (k < p.last && !source_is(s, k + 1, ",")) continue;
            const bool integer = k > p.first && is_integer_type(s, k - 1);
            if (at < (int32_t)count && range_holds(argument[at], token))
                return integer ? cause_of_parameter(s, f, k) : FIX_CAUSES;
            at++, k += k < p.last;
        }
    }
    return FIX_CAUSES;
}
enum fix_cause cause_of_loop(const struct source *s, int32_t token) {
    const int32_t self = s->token[token].statement;
    struct loop loop;
    bool bound = false, step = false;
    for (int32_t k = s->statements - 1; k >= 0; k--) { /* inner loops first */
        const struct statement *f = &s->statement[k];
        if (f->function != s->statement[self].function || !loop_of(s, k, &loop)) continue;
        if (range_holds(loop.condition, token)) return FIX_LOOP_BOUND;
        if (range_holds(loop.step, token)) return FIX_LOOP_STEP;
        if (range_holds(loop.begin, token)) {
            const bool of_blocks = !range_holds(f->all, token) && source_has(s, loop.begin, "blockIdx");
            return of_blocks ? FIX_BLOCK_INDEX : FIX_LOOP_START;
        }
        const bool other = self != k && s->statement[self].kind == STATEMENT_PLAIN;
        bound |= other && is_a_bound(s, &loop, s->statement[self].all, token);
        step |= other && is_a_step(s, &loop, s->statement[self].all, token);
    }
    return bound ? FIX_LOOP_BOUND : step ? FIX_LOOP_STEP : FIX_CAUSES;
}
void integers_at(const struct source *s, const struct names *names, int32_t statement, struct name_list *out) {
    const char *const known[] = {names->thread, names->lane, names->warp, names->global};
    *out = (struct name_list){.count = 0};
    for (unsigned k = 0; k < names->counts.count; k++) name_add(out, names->counts.item[k]);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (*known[k]) name_add(out, known[k]);
    for (int32_t at = statement; at >= 0; at = s->statement[at].parent) {
        struct loop loop;
        if (loop_of(s, at, &loop) && *loop.variable) name_add(out, loop.variable);
    }
}
/* Returns the last token of the value after `equals`, as in `i = value, j = value`. */
static int32_t end_of_value(const struct source *s, int32_t equals, struct range all) {
    int32_t k = equals + 1;
    while (k < all.last && !source_is(s, k + 1, ",")) k = s->token[k].match > k ? s->token[k].match : k + 1;
    return k > all.last ? all.last : k;
}
struct range loop_first_value(const struct source *s, const struct loop *loop) {
    for (int32_t k = loop->begin.first; k < loop->begin.last; k++)
        if (source_is(s, k, "=") && source_is(s, k - 1, loop->variable))
            return (struct range){k + 1, end_of_value(s, k, loop->begin)};
    return (struct range){0, -1};
}
