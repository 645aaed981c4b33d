#include "fix/expressions.h"
#include "fix/names.h"
#include <string.h>

struct parser {
    const struct source *source;
    struct expressions *out;
    int32_t at, last; /* the next token, and the last one of the expression */
    int32_t depth;    /* of nested expressions */
};
enum { MAX_DEPTH = 200 };
static const struct {
    const char *sign;
    int32_t level;
} binary[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {"<=", 7},
              {">", 7},  {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static bool is_one_of(const struct source *s, int32_t token, const char *const *signs) {
    for (; *signs; signs++)
        if (source_is(s, token, *signs)) return true;
    return false;
}
static bool next_is(const struct parser *p, const char *text) {
    return p->at <= p->last && source_is(p->source, p->at, text);
}
static int32_t level_of_next(const struct parser *p) {
    for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
        if (next_is(p, binary[k].sign)) return binary[k].level;
    return 0;
}
static int32_t add(struct parser *p, struct expression e) {
    if (p->out->count == MAX_EXPRESSIONS) return -1;
    if (e.left >= 0) p->out->item[e.left].around = p->out->count;
    if (e.right >= 0) p->out->item[e.right].around = p->out->count;
    p->out->item[p->out->count] = e;
    return p->out->count++;
}
static int32_t parse_choice(struct parser *p);
/* Parses the expressions between the bracket at p->at and its match; commas separate them. Returns the last
 * expression. */
static int32_t parse_bracket(struct parser *p) {
    struct parser inner = {p->source, p->out, p->at + 1, p->source->token[p->at].match - 1, p->depth};
    int32_t e = -1;
    while (inner.at <= inner.last) {
        e = parse_choice(&inner);
        inner.at++; /* the comma */
    }
    p->at = inner.last + 2;
    return e;
}
/* Returns whether the parentheses at p->at form a cast: they contain only names and *, and an operand follows. */
static bool is_cast(const struct parser *p) {
    const struct source *s = p->source;
    const int32_t end = s->token[p->at].match;
    for (int32_t k = p->at + 1; k < end; k++)
        if (s->token[k].kind != TOKEN_NAME && !source_is(s, k, "*")) return false;
    if (end + 1 > p->last || end == p->at + 1) return false;
    return s->token[end + 1].kind == TOKEN_NAME || s->token[end + 1].kind == TOKEN_NUMBER ||
           source_is(s, end + 1, "(") || source_is(s, end - 1, "*");
}
static int32_t parse_operand(struct parser *p) {
    static const char *const prefixes[] = {"!", "-", "~", "*", "&", "+", "++", "--", NULL};
    const struct source *s = p->source;
    const int32_t first = p->at;
    struct expression e = {EXPRESSION_NAME, {first, first}, -1, 0, -1, -1, -1};
    if (first > p->last) return -1;
    if (p->depth == MAX_DEPTH) return p->at = p->last + 1, -1; /* skips the rest */
    p->depth++;
    if (is_one_of(s, first, prefixes) || (source_is(s, first, "(") && is_cast(p))) {
        e.kind = EXPRESSION_PREFIX, p->at = source_is(s, first, "(") ? s->token[first].match + 1 : first + 1;
        e.left = parse_operand(p), e.all.last = p->at - 1, p->depth--;
        return add(p, e);
    }
    if (source_is(s, first, "(")) {
        e.kind = EXPRESSION_GROUP, e.left = parse_bracket(p);
    } else {
        if (s->token[first].kind == TOKEN_NUMBER) e.kind = EXPRESSION_NUMBER;
        p->at++;
    }
    while (p->at <= p->last && s->token[first].kind != TOKEN_NUMBER) {
        if (next_is(p, ".") || next_is(p, "::") || next_is(p, "->"))
            p->at += 2;
        else if (next_is(p, "++") || next_is(p, "--"))
            p->at++, e.kind = EXPRESSION_CALL; /* it has an effect */
        else if (next_is(p, "(") || next_is(p, "["))
            e.kind = next_is(p, "(") ? EXPRESSION_CALL : EXPRESSION_ELEMENT, parse_bracket(p);
        else if (next_is(p, "<") && !is_comparison(s, p->at)) /* template arguments */
            while (p->at <= p->last && !next_is(p, "(")) p->at++;
        else
            break;
    }
    e.all.last = p->at - 1, p->depth--;
    return add(p, e);
}
static int32_t parse_binary(struct parser *p, int32_t least) {
    const int32_t first = p->at;
    int32_t left = parse_operand(p), level;
    while ((level = level_of_next(p)) >= least && level) {
        const int32_t sign = p->at++, right = parse_binary(p, level + 1);
        left = add(p, (struct expression){EXPRESSION_BINARY, {first, p->at - 1}, sign, level, left, right, -1});
    }
    return left;
}
static int32_t parse_choice(struct parser *p) {
    static const char *const sets[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
    const int32_t first = p->at, left = parse_binary(p, 1), sign = p->at;
    int32_t right = -1;
    enum expression_kind kind = EXPRESSION_ASSIGNMENT;
    if (p->depth == MAX_DEPTH) return left;
    p->depth++;
    if (next_is(p, "?")) {
        kind = EXPRESSION_CHOICE, p->at++, parse_choice(p);
        if (next_is(p, ":"))
            p->at++, right = parse_choice(p);
        else
            kind = EXPRESSION_NAME;
    } else if (p->at <= p->last && is_one_of(p->source, p->at, sets)) {
        p->at++, right = parse_choice(p);
    } else {
        kind = EXPRESSION_NAME;
    }
    p->depth--;
    if (kind == EXPRESSION_NAME) return left;
    return add(p, (struct expression){kind, {first, p->at - 1}, sign, 0, left, right, -1});
}
/* Parses the expressions of a list such as `i = 0, k = 1`. In a declaration, an expression follows each `=`. */
static void parse_list(struct parser *p, struct range r) {
    const struct source *s = p->source;
    p->at = r.first, p->last = r.last;
    bool declares = false;
    for (int32_t k = r.first; k <= r.last; k++) {
        declares |= is_declared(s, k);
        if (s->token[k].match > k) k = s->token[k].match;
    }
    while (p->at <= p->last) {
        while (declares && p->at <= p->last && !source_is(s, p->at, "="))
            p->at = s->token[p->at].match > p->at ? s->token[p->at].match + 1 : p->at + 1;
        if (declares) p->at++;
        if (next_is(p, "{")) p->at = s->token[p->at].match + 1;
        const int32_t before = p->at;
        if (p->at <= p->last) parse_choice(p);
        if (next_is(p, ",")) p->at++;
        if (p->at == before) p->at++; /* unknown syntax */
    }
}
void expressions_of(const struct source *s, int32_t function, struct expressions *out) {
    struct parser p = {s, out, 0, -1, 0};
    out->count = 0;
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->function != function || st->kind == STATEMENT_BLOCK) continue;
        if (st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN) {
            parse_list(&p, (struct range){st->all.first + (st->kind == STATEMENT_RETURN), st->all.last - 1});
            continue;
        }
        parse_list(&p, st->begin), parse_list(&p, st->condition), parse_list(&p, st->step);
    }
}
