/* Generates edits to a student's operator on pairs {value, index}: its rules for NaN and for ties. */
#include "fix/names.h"
#include <string.h>

/* Copies the names of the two parameters of an operator on pairs. Returns false if the function is not one. */
static bool pair_of(const struct source *s, int32_t function, char a[NAME_SIZE], char b[NAME_SIZE]) {
    const struct range p = s->function[function].parameters;
    if (p.last != p.first + 4 || !source_is(s, p.first, "value_t") || !source_same(s, p.first, p.first + 3))
        return false;
    source_copy(s, range_of(p.first + 1), a, NAME_SIZE);
    source_copy(s, range_of(p.last), b, NAME_SIZE);
    return true;
}
/* Statements to insert before a return or, if `instead` is set, to replace the return. */
static const struct rule {
    enum fix_cause cause;
    bool instead;
    const char *text; /* A and B stand for the parameters */
} of_bool[] =
    {
        {FIX_TIE, true, "return A.index < B.index;"},
        {FIX_TIE, false, "if (A.value == B.value) return A.index < B.index; "},
        {FIX_NAN, false, "if (A.value != A.value && B.value != B.value) return A.index < B.index; "},
        {FIX_NAN, false, "if ((A.value != A.value) != (B.value != B.value)) return A.value != A.value; "},
        {FIX_NAN, false,
         "if (A.value != A.value || B.value != B.value) return A.value != A.value && (B.value == B.value || A.index < "
         "B.index); "},
        {FIX_COMBINE, true, "return before(A.value, B.value);"},
},
  known[] = {
      {FIX_TIE, true, "return A.index < B.index ? A : B;"},
      {FIX_TIE, false, "if (A.value == B.value) return A.index < B.index ? A : B; "},
      {FIX_NAN, true, "return A.value != A.value ? A : B;"},
      {FIX_NAN, false, "if ((A.value != A.value) != (B.value != B.value)) return A.value != A.value ? A : B; "},
      {FIX_NAN, false, "if (A.value != A.value && B.value != B.value) return A.index < B.index ? A : B; "},
      {FIX_NAN, false,
       "if (A.value != A.value || B.value != B.value) return A.value == A.value || (B.value != B.value && B.index < "
       "A.index) ? B : A; "},
      {FIX_COMBINE, true, "return before(A.value, B.value) ? A : B;"},
      {FIX_COMBINE, true, "return before(B.value, A.value) ? B : A;"},
};
static void write_rule(const char *rule, const char *a, const char *b, char *out, size_t size) {
    size_t n = 0;
    for (const char *c = rule; *c && n + NAME_SIZE < size; c++)
        n += (size_t)snprintf(out + n, size - n, "%s", *c == 'A' ? a : *c == 'B' ? b : (char[2]){*c, 0});
}
/* Replaces `a.value > b.value` with a call of before(), or with the test of a rule for NaN or ties. */
static void comparisons(struct edit_list *l, int32_t op, const char *a, const char *b) {
    const struct source *s = l->source;
    const struct range left = operand_before(s, op), right = operand_behind(s, op);
    char x[EXPRESSION_SIZE], y[EXPRESSION_SIZE];
    if (left.last < left.first || right.last < right.first || !source_has(s, left, "value")) return;
    const struct range all = {left.first, right.last};
    source_copy(s, left, x, sizeof x), source_copy(s, right, y, sizeof y);
    /* First for a maximum, then for a minimum, so that rules_alike() joins the comparisons of `a > b` and `a < b`. */
    const bool less = source_is(s, op, "<") || source_is(s, op, "<=");
    edit_replace(l, FIX_BEFORE, 1, all, "before(%s, %s)", less ? y : x, less ? x : y);
    edit_replace(l, FIX_BEFORE, 1, all, "before(%s, %s)", less ? x : y, less ? y : x);
    edit_replace(l, FIX_NAN, 1, all, "%s.value != %s.value", a, a);
    edit_replace(l, FIX_NAN, 1, all, "%s.value != %s.value", b, b);
    edit_replace(l, FIX_TIE, 1, all, "%s.value == %s.value", a, b);
}
/* In a condition with ||, lets indices decide only if the values are equal. `op` is the comparison of the indices. */
static void tie_behind(struct edit_list *l, int32_t op, const char *a, const char *b) {
    const struct source *s = l->source;
    const struct range left = operand_before(s, op), right = operand_behind(s, op), all = {left.first, right.last};
    char own[EXPRESSION_SIZE];
    if (range_is_empty(left) || range_is_empty(right) || !source_is(s, left.first - 1, "||")) return;
    if (source_has(s, left, "index") && source_has(s, right, "index"))
        edit_replace(l, FIX_TIE, 1, all, "(%s.value == %s.value && %s)", a, b, source_copy(s, all, own, sizeof own));
}
/* Replaces both tests in `bool x = a.value == NAN, y = b.value == NAN;`: nothing is equal to NaN. */
static void both_tests(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    struct edit_part parts[2];
    char texts[2][2 * EXPRESSION_SIZE], value[EXPRESSION_SIZE];
    unsigned count = 0;
    for (int32_t k = all.first; k < all.last; k++) {
        const struct range left = source_is(s, k, "==") ? operand_before(s, k) : (struct range){0, -1};
        if (left.last < left.first || !source_is(s, left.last, "value") || count == 2) continue;
        source_copy(s, left, value, sizeof value);
        snprintf(texts[count], sizeof *texts, "%s != %s", value, value);
        parts[count] = edit_part_of(s, (struct range){left.first, operand_behind(s, k).last}, texts[count]), count++;
    }
    if (count == 2 && s->statement[at].kind == STATEMENT_PLAIN) edit_add(l, FIX_NAN, 1, all, parts, 2);
}
/* Returns the operand in `if (c) return a;` if c contains none of `orders`, so that it tests for NaN. Returns -1 for
 * any other statement. */
static int32_t returned_for_nan(const struct source *s, int32_t at, const char *a, const char *b) {
    static const char *const orders[] = {"before", "<", ">", "<=", ">=", "==", "index"};
    const struct statement *st = at < 0 ? NULL : &s->statement[at];
    if (!st || st->kind != STATEMENT_IF || st->body < 0 || s->statement[st->body].kind != STATEMENT_RETURN) return -1;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        if (source_has(s, st->condition, orders[k])) return -1;
    const int32_t operand = s->statement[st->body].all.first + 1;
    return source_is(s, operand + 1, ";") && (source_is(s, operand, a) || source_is(s, operand, b)) ? operand : -1;
}
/* Exchanges the operands in `if (nan_a && !nan_b) return b; if (nan_b && !nan_a) return a;`. */
static void exchanged(struct edit_list *l, int32_t at, const char *a, const char *b) {
    const struct source *s = l->source;
    const int32_t one = returned_for_nan(s, at, a, b), other = returned_for_nan(s, source_next(s, at), a, b);
    if (one < 0 || other < 0 || source_same(s, one, other)) return;
    char x[NAME_SIZE], y[NAME_SIZE];
    source_copy(s, range_of(one), x, sizeof x), source_copy(s, range_of(other), y, sizeof y);
    edit_add(l, FIX_NAN, 1, s->statement[s->token[one].statement].all,
             (struct edit_part[]){edit_part_of(s, range_of(one), y), edit_part_of(s, range_of(other), x)}, 2);
}
/* Takes the same member in `y.index = f(x.value);`, and different ones in `{f(x.value), f(x.value)}`. */
static void same_member(struct edit_list *l, struct range body) {
    static const char *const members[] = {"value", "index"};
    const struct source *s = l->source;
    for (int32_t k = body.first + 1; k < body.last; k++) {
        const struct range all = s->statement[s->token[k].statement].all;
        const bool stored = source_is(s, k - 1, ".") && source_is(s, k + 1, "=") && all.first == k - 2;
        const int32_t close = source_is(s, k, "{") ? s->token[k].match : -1;
        for (unsigned m = 0; m < 2; m++) {
            const struct range value = {k + 2, all.last};
            for (int32_t n = value.first; stored && source_is(s, k, members[m]) && n < value.last; n++)
                if (source_is(s, n - 1, ".") && source_is(s, n, members[!m]))
                    edit_replace(l, FIX_WRONG_MEMBER, 1, range_of(n), "%s", members[m]);
            if (close < 0 || s->statement[s->token[k].statement].all.last < close) continue;
            int32_t comma = k + 1; /* between the two members */
            while (comma < close && !source_is(s, comma, ","))
                comma = s->token[comma].match > comma ? s->token[comma].match + 1 : comma + 1;
            const struct range part = m ? (struct range){comma + 1, close - 1} : (struct range){k + 1, comma - 1};
            for (int32_t n = part.first + 1; n <= part.last; n++)
                if (source_is(s, n - 1, ".") && source_is(s, n, members[!m]))
                    edit_replace(l, FIX_WRONG_MEMBER, 1, range_of(n), "%s", members[m]);
        }
    }
}
void rules_pairs(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    char a[NAME_SIZE], b[NAME_SIZE], text[2 * EXPRESSION_SIZE];
    same_member(l, body);
    if (!pair_of(s, function, a, b) || !(source_has(s, body, "value") || source_has(s, body, "index"))) return;
    for (int32_t k = body.first; k <= body.last; k++)
        if (is_comparison(s, k)) comparisons(l, k, a, b), tie_behind(l, k, a, b);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->function == function) both_tests(l, k), exchanged(l, k, a, b);
        const bool returns = st->kind == STATEMENT_RETURN,
                   may = st->kind == STATEMENT_IF && s->statement[st->body].kind == STATEMENT_RETURN;
        if (st->function != function || !(returns || may)) continue;
        const bool in_block = source_in_block(s, k);
        const struct range quoted = may ? (struct range){st->all.first, st->condition.last + 1} : st->all;
        /* A function that returns bool says whether A wins. */
        const bool chooses = source_is(s, s->function[function].name.first - 1, "bool");
        const struct rule *rules = chooses ? of_bool : known;
        const size_t count = chooses ? sizeof of_bool / sizeof *of_bool : sizeof known / sizeof *known;
        for (size_t r = 0; r < count; r++) {
            write_rule(rules[r].text, a, b, text, sizeof text);
            if (rules[r].instead && returns)
                edit_replace(l, rules[r].cause, rules[r].cause == FIX_COMBINE ? 3 : 1, st->all, "%s", text);
            else if (!rules[r].instead && in_block)
                edit_insert(l, rules[r].cause, 2, st->all.first, quoted, "%s", text);
        }
    }
}
