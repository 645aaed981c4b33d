/* Edits of loops: where they begin, when they end, how they go on; a loop where there is none. */
#include "fix/names.h"
#include <string.h>

/* The loops of this course, so that a header which is wrong in two places can be set right at once. %s: the variable.
 */
static const struct {
    const char *begin, *condition, *step;
} known[] = {
    {"1", "<= blockDim.x", "*= 2"},     {"1", "< blockDim.x", "*= 2"}, {"blockDim.x", ">= 1", "/= 2"},
    {"blockDim.x / 2", ">= 1", "/= 2"}, {"16", ">= 1", "/= 2"},        {"1", "<= 16", "*= 2"},
};
static void whole_header(struct edit_list *l, const struct statement *f, const char *variable) {
    const struct range all = {f->begin.first, f->step.last};
    if (source_has(l->source, f->begin, ",")) return;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        edit_replace(l, FIX_LOOP_START, 3, all, "unsigned %s = %s; %s %s; %s %s", variable, known[k].begin, variable,
                     known[k].condition, variable, known[k].step);
}
static void begin(struct edit_list *l, const struct names *names, const struct statement *f, int32_t function) {
    const struct source *s = l->source;
    for (int32_t k = f->begin.first; k < f->begin.last; k++) {
        if (!source_is(s, k, "=")) continue;
        const struct range r = operand_behind(s, k);
        const char *const others[] = {"0",           "1",           "2",        "16", "blockDim.x", "blockDim.x / 2",
                                      "threadIdx.x", names->thread, names->lane};
        char own[EXPRESSION_SIZE];
        source_copy(s, r, own, sizeof own);
        for (size_t n = 0; n < sizeof others / sizeof *others; n++)
            if (*others[n]) edit_replace(l, FIX_LOOP_START, 1 + (n > 1), r, "%s", others[n]);
        if (!source_has(s, r, "blockIdx") && knows_of_the_grid(s, names, function))
            edit_replace(l, FIX_BLOCK_INDEX, 2, r, "blockIdx.x * blockDim.x + %s", own);
        edit_replace(l, FIX_LOOP_START, 2, r, "%s + 1", own);
        edit_replace(l, FIX_LOOP_START, 2, r, "(%s) / 2", own);
        edit_replace(l, FIX_LOOP_START, 2, r, "2 * (%s)", own);
        for (unsigned n = 0; n < names->counts.count; n++) /* begin + m */
            edit_replace(l, FIX_LOOP_START, 2, r, "%s + %s", own, names->counts.item[n]);
    }
}
static void condition(struct edit_list *l, const struct names *names, const struct statement *f, const char *variable) {
    static const char *const others[] = {"< blockDim.x", "<= blockDim.x", ">= 1", "> 1", "<= 16", "< gridDim.x"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        edit_replace(l, FIX_LOOP_BOUND, 3, f->condition, "%s %s", variable, others[k]);
    for (unsigned k = 0; k < names->counts.count; k++)
        edit_replace(l, FIX_LOOP_BOUND, 3, f->condition, "%s < %s", variable, names->counts.item[k]);
}
static void step(struct edit_list *l, const struct names *names, const struct statement *f, const char *variable) {
    static const char *const others[] = {
        "*= 2", "/= 2", "++", "+= blockDim.x", "+= gridDim.x * blockDim.x", "+= 32", "+= 2 * gridDim.x * blockDim.x"};
    char own[EXPRESSION_SIZE];
    const unsigned cost = source_has(l->source, f->step, "++") ? 2 : 1; /* a plain count is seldom wrong */
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        edit_replace(l, FIX_LOOP_STEP, cost, f->step, "%s%s%s", variable,
                     others[k][0] == '+' && others[k][1] == '+' ? "" : " ", others[k]);
    for (int32_t k = f->step.first; k < f->step.last; k++) {
        if (!source_is(l->source, k, "+=") && !source_is(l->source, k, "=")) continue;
        const struct range r = {k + 1, f->step.last};
        source_copy(l->source, r, own, sizeof own);
        edit_replace(l, FIX_LOOP_STEP, 2, r, "2 * (%s)", own);
        for (unsigned c = 0; c < names->constants.count; c++)
            edit_replace(l, FIX_LOOP_STEP, 1, r, "%s * (%s)", names->constants.item[c], own);
    }
}
/* `if (i < n) S` becomes `for (; i < n; i += step) S`. */
static void make_loop(struct edit_list *l, int32_t at) {
    static const char *const steps[] = {"blockDim.x", "gridDim.x * blockDim.x"};
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    char text[EXPRESSION_SIZE], variable[EXPRESSION_SIZE];
    for (int32_t k = f->condition.first; k <= f->condition.last; k++) {
        if (!is_comparison(s, k)) continue;
        const struct range left = operand_before(s, k);
        source_copy(s, (struct range){left.first, left.first}, variable, sizeof variable);
        if (s->token[left.first].kind != TOKEN_NAME || source_is(s, left.first + 1, ".")) continue;
        if (!source_is(s, k, "<") && !source_is(s, k, "<=")) continue;
        source_copy(s, f->condition, text, sizeof text);
        for (unsigned n = 0; n < 2; n++)
            edit_replace(l, FIX_LOOP, 1, (struct range){f->all.first, f->condition.last + 1}, "for (; %s; %s += %s)",
                         text, variable, steps[n]);
    }
}
/* The loop's own `stride = count / 2` and the like stand in statements: rules_expressions has those. */
void rules_loops(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *f = &s->statement[k];
        char variable[NAME_SIZE];
        if (f->function != function) continue;
        if (f->kind == STATEMENT_IF) make_loop(l, k);
        if (f->kind != STATEMENT_FOR || !*loop_variable(s, k, variable)) continue;
        if (f->begin.last >= f->begin.first) begin(l, &names, f, function);
        if (f->condition.last >= f->condition.first) condition(l, &names, f, variable);
        if (f->step.last >= f->step.first) step(l, &names, f, variable);
        if (f->begin.last >= f->begin.first && f->step.last >= f->step.first) whole_header(l, f, variable);
    }
}
