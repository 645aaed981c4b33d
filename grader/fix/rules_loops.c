/* Generates edits to loops: to their headers, to the distribution of their iterations over threads, and to where a loop
 * continues after an earlier one. Also adds missing loops. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <stdlib.h>
#include <string.h>

/* The labs' usual loop headers. They replace headers with more than one error. */
static const struct {
    const char *begin, *condition, *step;
} known[] = {
    {"1", "<= blockDim.x", "*= 2"},     {"1", "< blockDim.x", "*= 2"}, {"blockDim.x", ">= 1", "/= 2"},
    {"blockDim.x / 2", ">= 1", "/= 2"}, {"16", ">= 1", "/= 2"},        {"1", "<= 16", "*= 2"},
};
/* Returns whether the range has this text, ignoring whitespace. */
static bool reads(const struct source *s, struct range r, const char *text) {
    char own[EXPRESSION_SIZE];
    const char *a = source_copy(s, r, own, sizeof own), *b = text;
    for (;; a++, b++) {
        while (*a == ' ') a++;
        while (*b == ' ') b++;
        if (*a != *b || !*a) return *a == *b;
    }
}
/* Returns whether the condition or step only spells the known one differently. For example, `x > 0` and `x = x / 2`
 * mean the same as `x >= 1` and `x /= 2`. */
static bool means(const struct source *s, struct range r, const char *variable, const char *text) {
    static const char *const same[][2] = {
        {">= 1", "%1$s > 0"},         {">= 1", "%1$s != 0"},       {">= 1", "%1$s"},
        {"/= 2", "%1$s = %1$s / 2"},  {"/= 2", "%1$s >>= 1"},      {"/= 2", "%1$s = %1$s >> 1"},
        {"*= 2", "%1$s = %1$s * 2"},  {"*= 2", "%1$s = 2 * %1$s"}, {"*= 2", "%1$s <<= 1"},
        {"*= 2", "%1$s = %1$s << 1"}, {"*= 2", "%1$s += %1$s"}};
    char other[3 * NAME_SIZE];
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        if (strcmp(same[k][0], text) != 0) continue;
        snprintf(other, sizeof other, same[k][1], variable);
        if (reads(s, r, other)) return true;
    }
    return false;
}
/* Replaces the whole header of a loop. The cause is that of the first changed part. */
static void whole_header(struct edit_list *l, const struct loop *loop) {
    const struct source *s = l->source;
    const struct range value = loop_first_value(s, loop), of_part[] = {value, loop->condition, loop->step};
    const struct range quoted[] = {{loop->begin.first, value.last}, loop->condition, loop->step};
    static const enum fix_cause causes[] = {FIX_LOOP_START, FIX_LOOP_BOUND, FIX_LOOP_STEP};
    if (range_is_empty(value) || range_is_empty(loop->step) || loop->step.first < loop->condition.first) return;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char texts[3][EXPRESSION_SIZE];
        struct edit_part parts[3];
        unsigned count = 0, first = 3;
        snprintf(texts[0], EXPRESSION_SIZE, "%s", known[k].begin);
        snprintf(texts[1], EXPRESSION_SIZE, "%s %s", loop->variable, known[k].condition);
        snprintf(texts[2], EXPRESSION_SIZE, "%s %s", loop->variable, known[k].step);
        for (unsigned n = 0; n < 3; n++) {
            const char *const spelled[] = {"", known[k].condition, known[k].step};
            if (reads(s, of_part[n], texts[n]) || means(s, of_part[n], loop->variable, spelled[n])) continue;
            parts[count++] = edit_part_of(s, of_part[n], texts[n]);
            if (first == 3) first = n;
        }
        /* With three wrong parts, the student probably wrote another loop's header. Replacing all three therefore costs
         * less than replacing one or two. */
        if (count) edit_add(l, causes[first], count == 3 ? 1 : 2, quoted[first], parts, count);
    }
}
/* Replaces a loop over halving distances, from half of the elements, with a loop over the distances 1, 2, 4, ... The
 * new loop combines only neighbors. */
static void doubling(struct edit_list *l, const struct loop *loop) {
    static const char *const signs[] = {"/=", "/", ">>=", ">>"};
    const struct source *s = l->source;
    const struct range value = loop_first_value(s, loop);
    char first[EXPRESSION_SIZE], bound[2 * EXPRESSION_SIZE], step[2 * NAME_SIZE];
    bool halves = false;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) halves |= source_has(s, loop->step, signs[k]);
    if (!halves || range_is_empty(value) || loop->step.first < loop->condition.first) return;
    source_copy(s, value, first, sizeof first);
    char *end;
    const unsigned long number = strtoul(first, &end, 0);
    if (*end)
        snprintf(bound, sizeof bound, "%s <= %s", loop->variable, first);
    else
        snprintf(bound, sizeof bound, "%s < %lu", loop->variable, 2 * number);
    snprintf(step, sizeof step, "%s *= 2", loop->variable);
    const struct edit_part parts[] = {edit_part_of(s, value, "1"), edit_part_of(s, loop->condition, bound),
                                      edit_part_of(s, loop->step, step)};
    edit_add(l, FIX_NEIGHBORS, 1, (struct range){loop->begin.first, value.last}, parts, 3);
}
/* Distributes the iterations of a loop that each thread executes in full over the threads of a block or of the grid.
 * Also distributes a block's iterations over the grid. */
static void shared_out(struct edit_list *l, const struct names *names, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range value = loop_first_value(s, loop), start = {loop->begin.first, value.last};
    char own[EXPRESSION_SIZE], first[2 * EXPRESSION_SIZE], step[NAME_SIZE + 40];
    if (range_is_empty(value) || range_is_empty(loop->step) || loop->step.first < value.last) return;
    const bool grid = uses_grid(s, names, st->function), zero = source_is(s, value.first, "0"),
               threads = depends_on_the_thread(s, value), blocks = roles_in(s, value) & ROLE_BLOCK;
    source_copy(s, value, own, sizeof own);
    for (unsigned k = 0; k < 1u + grid; k++) {
        snprintf(step, sizeof step, "%s += %sblockDim.x", loop->variable, k ? "gridDim.x * " : "");
        const char *block = k && !blocks ? "blockIdx.x * blockDim.x" : "", *thread = threads ? "" : "threadIdx.x";
        snprintf(first, sizeof first, "%s%s%s%s%s", zero ? "" : own, *block && !zero ? " + " : "", block,
                 *thread && (*block || !zero) ? " + " : "", thread);
        const struct edit_part parts[] = {edit_part_of(s, value, first), edit_part_of(s, loop->step, step)};
        if (*thread) edit_add(l, FIX_REPEATED, 2, (struct range){st->all.first, st->condition.last + 1}, parts, 2);
        if (*block && !*thread) edit_add(l, FIX_BLOCK_MISSING, 2, start, parts, 2);
    }
}
/* Undoes the distribution of a loop's iterations over the threads, so that thread 0 executes them all. If the threads
 * of the block also wait for each other, they should share the iterations. */
static void by_thread_0(struct edit_list *l, const struct names *names, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range value = loop_first_value(s, loop);
    char step[NAME_SIZE + 3], only[NAME_SIZE + 12];
    if (st->kind == STATEMENT_DO || range_is_empty(value) || range_is_empty(loop->step)) return;
    if (source_waits(s, body_of(s, st->function))) return;
    if (!depends_on_the_thread(s, value) || !source_has(s, loop->step, "blockDim")) return;
    snprintf(step, sizeof step, "%s++", loop->variable);
    const bool named = *names->thread && strcmp(names->thread, loop->variable) != 0;
    snprintf(only, sizeof only, "if (%s == 0) ", named ? names->thread : "threadIdx.x");
    const struct edit_part alone = {source_begin(s, st->all), 0, only}, first = edit_part_of(s, value, "0"),
                           next = edit_part_of(s, loop->step, step);
    if (st->kind == STATEMENT_FOR)
        edit_add(l, FIX_ONE_THREAD, 2, (struct range){st->all.first, loop->step.last + 1},
                 (struct edit_part[]){alone, first, next}, 3);
    else if (value.last < st->all.first)
        edit_add(l, FIX_ONE_THREAD, 2, (struct range){st->all.first, st->condition.last + 1},
                 (struct edit_part[]){first, alone, next}, 3);
}
static void begin(struct edit_list *l, const struct names *names, const struct loop *loop, int32_t function) {
    const struct source *s = l->source;
    const struct range r = loop_first_value(s, loop);
    if (range_is_empty(r)) return;
    const char *const others[] = {"0",           "1",           "2",        "16", "blockDim.x", "blockDim.x / 2",
                                  "threadIdx.x", names->thread, names->lane};
    char own[EXPRESSION_SIZE], twice[EXPRESSION_SIZE];
    source_copy(s, r, own, sizeof own);
    if (loop_counts_to_constant(s, names,
                                s->token[r.first].statement)) { /* with another start, the loop may never run */
        edit_replace(l, FIX_LOOP_START, 1, r, "1");
        return;
    }
    for (size_t n = 0; n < sizeof others / sizeof *others; n++)
        if (*others[n]) edit_replace(l, FIX_LOOP_START, 1 + (n > 1), r, "%s", others[n]);
    if (!(roles_in(s, r) & ROLE_BLOCK) && uses_grid(s, names, function))
        edit_replace(l, FIX_BLOCK_MISSING, 2, r, "blockIdx.x * blockDim.x + %s", own);
    if (uses_grid(s, names, function)) edit_replace(l, FIX_LOOP_START, 2, r, "blockIdx.x * blockDim.x + threadIdx.x");
    edit_replace(l, FIX_LOOP_START, 2, r, "%s + 1", own);
    if (r.last > r.first + 1 && source_is(s, r.last - 1, "/") && source_is(s, r.last, "2")) /* halved too early */
        edit_replace(l, FIX_LOOP_START, 1, r, "%s",
                     source_copy(s, (struct range){r.first, r.last - 2}, twice, sizeof twice));
    char *end;
    const unsigned long number = strtoul(own, &end, 0);
    if (*end || end == own)
        edit_replace(l, FIX_LOOP_START, 1, r, r.first == r.last ? "%s / 2" : "(%s) / 2", own);
    else
        edit_replace(l, FIX_LOOP_START, 1, r, "%lu", number / 2),
            edit_replace(l, FIX_LOOP_START, 1, r, "%lu", 2 * number);
    edit_replace(l, FIX_LOOP_START, 2, r, "2 * (%s)", own);
    for (unsigned n = 0; n < names->counts.count; n++) /* begin + m */
        edit_replace(l, FIX_LOOP_START, 2, r, "%s + %s", own, names->counts.item[n]);
}
/* Declares the variable of two for loops before the first one, so that the second one continues where the first one
 * ends. */
static void declared_once(struct edit_list *l, const struct loop *before, const struct loop *loop, int32_t first,
                          int32_t second) {
    const struct source *s = l->source;
    const struct range begin = s->statement[first].begin, again = s->statement[second].begin;
    char own[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 2];
    if (strcmp(before->variable, loop->variable) != 0 || !is_same_text(s, begin, again)) return;
    if (!is_declared(s, begin.first + 1) || source_has(s, begin, ",")) return;
    snprintf(text, sizeof text, "%s; ", source_copy(s, begin, own, sizeof own));
    edit_add(l, FIX_LOOP_START, 1, again,
             (struct edit_part[]){{source_begin(s, s->statement[first].all), 0, text},
                                  edit_part_of(s, begin, ""),
                                  edit_part_of(s, again, "")},
             3);
}
/* Makes a loop start where an earlier loop ends: at that loop's variable or, if its condition is `r < rounds`, at an
 * expression from its body, such as `r * step + i`, with `rounds` in place of r. */
static void continues(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct range first = loop_first_value(s, loop);
    for (int32_t k = 0; k < at && !range_is_empty(first); k++) {
        struct loop before;
        char bound[EXPRESSION_SIZE], value[EXPRESSION_SIZE];
        if (s->statement[k].parent != s->statement[at].parent || !loop_of(s, k, &before) || s->statement[k].body < 0)
            continue;
        if (*before.variable) edit_replace(l, FIX_LOOP_START, 1, first, "%s", before.variable);
        declared_once(l, &before, loop, k, at);
        const struct range body = s->statement[s->statement[k].body].all, name = range_of(before.condition.first),
                           end = {name.first + 2, before.condition.last};
        if (!source_is(s, name.first, before.variable) || !source_is(s, name.first + 1, "<")) continue;
        source_copy(s, end, bound, sizeof bound);
        for (int32_t n = body.first; n < body.last; n++)
            if (source_is(s, n, "=") && is_integer(s, n - 1) &&
                renamed(s, operand_behind(s, n), name, bound, value, sizeof value))
                edit_replace(l, FIX_LOOP_START, 1, first, "%s", value);
    }
}
/* Rounds up the number of iterations and guards the last one, in `each = n / threads; for (k = 0; k < each; k++) sum =
 * combine(sum, in[i]);`. */
static void last_iteration(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const int32_t bound = loop->condition.last;
    if (s->token[bound].kind != TOKEN_NAME || loop->condition.first != bound - 2) return;
    for (int32_t k = body_of(s, s->statement[at].function).first; k < s->statement[at].all.first; k++) {
        const struct range value = source_is(s, k + 1, "=") ? operand_behind(s, k + 1) : range_of(k);
        int32_t op = value.first;
        while (op < value.last && !source_is(s, op, "/")) op = s->token[op].match > op ? s->token[op].match : op + 1;
        if (!source_same(s, k, bound) || !is_set(s, k) || op == value.first || op >= value.last) continue;
        if (s->token[op + 1].kind == TOKEN_NUMBER) continue; /* such as half of the elements */
        char n[EXPRESSION_SIZE], count[EXPRESSION_SIZE], index[EXPRESSION_SIZE], up[3 * EXPRESSION_SIZE];
        char guard[3 * EXPRESSION_SIZE];
        source_copy(s, (struct range){value.first, op - 1}, n, sizeof n);
        source_copy(s, (struct range){op + 1, value.last}, count, sizeof count);
        snprintf(up, sizeof up, "(%s + %s - 1) / %s", n, count, count);
        for (int32_t open = s->statement[at].condition.last; open < s->statement[at].all.last; open++) {
            const int32_t self = s->token[open].statement;
            if (!is_array_access(s, open) || s->statement[self].kind != STATEMENT_PLAIN) continue;
            source_copy(s, (struct range){open + 1, s->token[open].match - 1}, index, sizeof index);
            snprintf(guard, sizeof guard, "if (%s < %s) ", index, n);
            edit_add(
                l, FIX_ROUND_UP, 1, value,
                (struct edit_part[]){edit_part_of(s, value, up), {source_begin(s, s->statement[self].all), 0, guard}},
                2);
        }
    }
}
/* Rounds up the length of a chunk and ends the last chunk at n, in `each = n / threads; for (i = t * each; i < (t + 1)
 * * each; i++)`. */
static void last_chunk(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct range c = loop->condition;
    if (range_is_empty(c) || !source_is(s, c.first, loop->variable) || !source_has(s, c, "*")) return;
    if (source_has(s, c, "&&")) return;
    for (int32_t k = body_of(s, s->statement[at].function).first; k < s->statement[at].all.first; k++) {
        const struct range value = source_is(s, k + 1, "=") ? operand_behind(s, k + 1) : range_of(k);
        bool used = false;
        for (int32_t n = c.first + 2; n <= c.last; n++) used |= source_same(s, n, k);
        if (!used || !is_set(s, k) || !source_is(s, value.first + 1, "/")) continue;
        if (s->token[value.first + 2].kind == TOKEN_NUMBER) continue;
        char n[NAME_SIZE], count[EXPRESSION_SIZE], up[3 * EXPRESSION_SIZE], end[2 * NAME_SIZE + 8];
        source_copy(s, range_of(value.first), n, sizeof n);
        source_copy(s, (struct range){value.first + 2, value.last}, count, sizeof count);
        snprintf(up, sizeof up, "(%s + %s - 1) / %s", n, count, count);
        snprintf(end, sizeof end, " && %s < %s", loop->variable, n);
        edit_add(l, FIX_ROUND_UP, 1, value,
                 (struct edit_part[]){edit_part_of(s, value, up), {source_end(s, c), 0, end}}, 2);
    }
}
/* Removes `i = start;` after a loop over i, so that later code continues where the loop ended. */
static void set_again(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    for (int32_t k = source_next(s, at); k >= 0; k = source_next(s, k)) {
        const struct statement *st = &s->statement[k];
        if (st->kind == STATEMENT_PLAIN && source_is(s, st->all.first, loop->variable) && is_set(s, st->all.first))
            edit_replace(l, FIX_SURPLUS, 1, st->all, ";");
    }
}
static void condition(struct edit_list *l, const struct names *names, const struct loop *loop) {
    static const char *const others[] = {"< blockDim.x", "<= blockDim.x", ">= 1", "> 1", "<= 16", "< gridDim.x"};
    char own[EXPRESSION_SIZE];
    if (range_is_empty(loop->condition)) return;
    /* `for (k = t; k < blockDim.x; k += blockDim.x)` never executes a second iteration. */
    const struct range bound = {loop->condition.first + 2, loop->condition.last},
                       by = {loop->step.first + 2, loop->step.last};
    if (source_is(l->source, bound.first - 1, "<") && source_is(l->source, by.first - 1, "+=") &&
        is_same_text(l->source, bound, by))
        edit_replace(l, FIX_LOOP_BOUND, 1, bound, "2 * %s", source_copy(l->source, bound, own, sizeof own));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        edit_replace(l, FIX_LOOP_BOUND, 3, loop->condition, "%s %s", loop->variable, others[k]);
    for (unsigned k = 0; k < names->counts.count; k++)
        edit_replace(l, FIX_LOOP_BOUND, 3, loop->condition, "%s < %s", loop->variable, names->counts.item[k]);
}
static void step(struct edit_list *l, const struct names *names, const struct loop *loop) {
    static const char *const others[] = {
        "*= 2", "/= 2", "++", "+= blockDim.x", "+= gridDim.x * blockDim.x", "+= 32", "+= 2 * gridDim.x * blockDim.x"};
    char own[EXPRESSION_SIZE];
    if (range_is_empty(loop->step)) return;
    const struct range from = loop_first_value(l->source, loop);
    const bool counts = source_has(l->source, loop->step, "++") && source_is(l->source, from.first, "0");
    /* If the step is a single name, the error is probably where the name is set. */
    const bool named = loop->step.last - loop->step.first == 2 && l->source->token[loop->step.last].kind == TOKEN_NAME;
    const unsigned cost = counts || named ? 2 : 1; /* a loop from 0 with step 1 is rarely wrong */
    /* A loop from the thread's own index with step 1 repeats the work of other threads. */
    const bool own_start = !range_is_empty(from) && (source_has(l->source, from, "threadIdx") ||
                                                     (*names->thread && source_has(l->source, from, names->thread)) ||
                                                     (*names->lane && source_has(l->source, from, names->lane)));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        edit_replace(l, FIX_LOOP_STEP,
                     own_start && others[k][0] == '+' && others[k][1] == '+' ? 3 : cost + !strcmp(others[k], "+= 32"),
                     loop->step, "%s%s%s", loop->variable, others[k][0] == '+' && others[k][1] == '+' ? "" : " ",
                     others[k]);
    for (int32_t k = loop->step.first; k < loop->step.last; k++) {
        if (!source_is(l->source, k, "+=") && !source_is(l->source, k, "=")) continue;
        const struct range r = {k + 1, loop->step.last};
        source_copy(l->source, r, own, sizeof own);
        edit_replace(l, FIX_LOOP_STEP, 2, r, "2 * (%s)", own);
        for (unsigned c = 0; c < names->constants.count; c++)
            edit_replace(l, FIX_LOOP_STEP, 1, r, "%s * (%s)", names->constants.item[c], own);
        for (unsigned c = 0; c < names->counts.count; c++) {
            edit_replace(l, FIX_LOOP_STEP, 2, r, "%s", names->counts.item[c]);
            edit_replace(l, FIX_LOOP_STEP, 2, r, "%s * %s", own, names->counts.item[c]);
        }
    }
}
/* Adds a step to a loop that does not change the first name of its condition. */
static void no_step(struct edit_list *l, const struct names *names, int32_t at) {
    static const char *const steps[] = {"++", " += blockDim.x", " += gridDim.x * blockDim.x", " *= 2", " /= 2"};
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t name = st->condition.first;
    if (st->kind != STATEMENT_WHILE || st->body < 0 || !is_listed(s, name, &names->counts)) return;
    for (int32_t k = st->all.first; k <= st->all.last; k++)
        if (source_same(s, k, name) && is_set(s, k)) return;
    const struct range head = {st->all.first, st->condition.last + 1}, body = s->statement[st->body].all;
    const bool block = s->statement[st->body].kind == STATEMENT_BLOCK;
    char own[NAME_SIZE], text[4 * EXPRESSION_SIZE];
    source_copy(s, range_of(name), own, sizeof own), source_copy(s, body, text, sizeof text);
    const unsigned known_steps = sizeof steps / sizeof *steps;
    for (unsigned k = 0; k < known_steps + 2 * names->counts.count; k++) {
        const bool listed = k < known_steps, assigned = (k - known_steps) % 2;
        const char *step = listed ? steps[k] : names->counts.item[(k - known_steps) / 2],
                   *sign = listed     ? ""
                           : assigned ? " = " /* `half`, rounded up, elements are left */
                                      : " += ";
        if (block)
            edit_insert(l, FIX_NO_STEP, 1, body.last, head, "%s%s%s; ", own, sign, step);
        else
            edit_replace(l, FIX_NO_STEP, 1, body, "{ %s %s%s%s; }", text, own, sign, step);
    }
}
/* Turns `for (unsigned j = i; j < n; j += step) S`, where each thread visits all elements, into `if (i < n) S`. */
static void once(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    const struct range value = loop_first_value(s, loop), name = {value.first - 2, value.first - 2};
    char first[EXPRESSION_SIZE], condition[2 * EXPRESSION_SIZE], body[4 * EXPRESSION_SIZE];
    if (f->kind != STATEMENT_FOR || range_is_empty(value) || !range_holds(f->begin, value.first)) return;
    source_copy(s, value, first, sizeof first);
    if (value.last > value.first || s->token[value.first].kind != TOKEN_NAME) return;
    if (renamed(s, loop->condition, name, first, condition, sizeof condition) &&
        renamed(s, s->statement[f->body].all, name, first, body, sizeof body))
        edit_replace(l, FIX_ONCE, 2, f->all, "if (%s) %s", condition, body);
}
/* Turns `for (; stride < n; stride *= 2) S` into `if (stride < n) S`, if the variable is a parameter of the kernel: the
 * host launches the kernel once for each of its values. */
static void once_per_launch(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct function *f = &s->function[st->function];
    const bool begins = st->kind == STATEMENT_FOR && !range_is_empty(st->begin);
    if (!f->is_kernel || st->kind == STATEMENT_DO || begins || range_is_empty(loop->condition)) return;
    bool given = false;
    for (int32_t k = f->parameters.first; k <= f->parameters.last; k++) given |= source_is(s, k, loop->variable);
    char condition[EXPRESSION_SIZE];
    source_copy(s, loop->condition, condition, sizeof condition);
    const struct range head = {st->all.first, s->token[st->all.first + 1].match};
    if (given && *loop->variable) edit_replace(l, FIX_ONCE, 1, head, "if (%s)", condition);
}
/* Writes by how much the index at `name` grows if the thread's index grows by blockDim.x, such as 2 * d * blockDim.x
 * for `i = 2 * d * t`. Returns false if the index is no product with the thread's index. */
static bool step_of_product(const struct source *s, int32_t at, int32_t name, char out[2 * EXPRESSION_SIZE]) {
    const struct range body = body_of(s, s->statement[at].function);
    for (int32_t k = body.first; k < s->statement[at].all.first; k++) {
        const struct range none = {0, -1}, value = source_is(s, k + 1, "=") ? operand_behind(s, k + 1) : none;
        if (range_is_empty(value) || !source_same(s, k, name) || !is_declared(s, k)) continue;
        if (!source_has(s, value, "*") || source_has(s, value, "+") || roles_in(s, value) != ROLE_THREAD) return false;
        for (int32_t n = value.first; n <= value.last; n++)
            if (s->token[n].kind == TOKEN_NAME && roles_in(s, range_of(n)) == ROLE_THREAD && !source_is(s, n + 1, "."))
                return renamed(s, value, range_of(n), "blockDim.x", out, 2 * EXPRESSION_SIZE);
    }
    return false;
}
/* Returns whether code after the statement, or the header of a loop around it, uses the name's value. */
static bool is_used_behind(const struct source *s, int32_t at, int32_t name) {
    for (int32_t above = s->statement[at].parent; above >= 0; above = s->statement[above].parent)
        for (int32_t k = s->statement[above].all.first; k <= s->statement[above].step.last; k++)
            if (source_same(s, k, name)) return true;
    for (int32_t k = s->statement[at].all.last + 1; k <= body_of(s, s->statement[at].function).last; k++)
        if (source_same(s, k, name)) return !source_is(s, k + 1, "=");
    return false;
}
/* Turns `if (i < n) S` into `for (; i < n; i += step) S`, or into `while (i < n) S` if S changes i. */
static void make_loop(struct edit_list *l, int32_t at) {
    static const char *const steps[] = {"blockDim.x", "gridDim.x * blockDim.x"};
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    /* More iterations could hide a wrong index, so edits of the index are tried first. */
    const unsigned cost = loop_around(s, at) >= 0 ? 3 : 2;
    char text[EXPRESSION_SIZE], variable[EXPRESSION_SIZE], product[2 * EXPRESSION_SIZE];
    bool goes_on = false;
    for (int32_t k = f->condition.first; k <= f->condition.last; k++)
        for (int32_t n = s->statement[f->body].all.first; n < s->statement[f->body].all.last; n++)
            goes_on |= source_same(s, k, n) && is_set(s, n);
    if (goes_on)
        edit_add(l, FIX_LOOP, 1, (struct range){f->all.first, f->condition.last + 1},
                 &(struct edit_part){s->token[f->all.first].at, 2, (char *)"while"}, 1);
    for (int32_t k = f->condition.first; k <= f->condition.last; k++) {
        if (!is_comparison(s, k)) continue;
        const struct range left = operand_before(s, k);
        source_copy(s, range_of(left.first), variable, sizeof variable);
        if (s->token[left.first].kind != TOKEN_NAME || source_is(s, left.first + 1, ".")) continue;
        if (!source_is(s, k, "<") && !source_is(s, k, "<=")) continue;
        if (is_used_behind(s, at, left.first)) continue; /* the loop would also change what later code does */
        source_copy(s, f->condition, text, sizeof text);
        if (step_of_product(s, at, left.first, product))
            edit_replace(l, FIX_LOOP, 1, (struct range){f->all.first, f->condition.last + 1}, "for (; %s; %s += %s)",
                         text, variable, product);
        for (unsigned n = 0; n < 2; n++)
            edit_replace(l, FIX_LOOP, cost, (struct range){f->all.first, f->condition.last + 1}, "for (; %s; %s += %s)",
                         text, variable, steps[n]);
    }
}
/* Returns whether the range is a number of blocks or clusters, or a name for one. */
static bool is_number_of_blocks(const struct source *s, int32_t at, struct range r) {
    const struct range body = body_of(s, s->statement[at].function);
    for (int32_t k = body.first; k < r.first && r.first == r.last; k++)
        if (source_same(s, k, r.first) && is_declared(s, k) && source_is(s, k + 1, "="))
            return is_number_of_blocks(s, at, (struct range){k + 2, operand_behind(s, k + 1).last});
    return source_has(s, r, "gridDim") && !source_has(s, r, "blockDim");
}
/* Turns `if (t < n) S` into a loop with a new variable, because t must keep its value. If S is `x = a[t];`, the loop
 * combines all elements instead of keeping one. */
static void make_own_loop(struct edit_list *l, const struct names *names, int32_t at) {
    static const char *const steps[] = {"blockDim.x", "gridDim.x * blockDim.x"};
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    const struct range who = range_of(f->condition.first), whole = s->statement[f->body].all;
    const bool braces = s->statement[f->body].kind == STATEMENT_BLOCK && f->body + 1 < s->statements &&
                        s->statement[f->body + 1].all.last == whole.last - 1; /* around a single statement */
    const struct range body = braces ? s->statement[f->body + 1].all : whole;
    char own[NAME_SIZE], condition[EXPRESSION_SIZE], text[2 * EXPRESSION_SIZE];
    const bool ahead = source_is(s, who.first + 1, "+") && source_is(s, who.first + 3, "<"), /* t + stride < count */
        compares =
            ahead || source_is(s, who.first + 1, "<") || source_has(s, operand_behind(s, who.first + 1), "blockDim");
    if (s->token[who.first].kind != TOKEN_NAME || !compares || source_has(s, f->all, "each") ||
        source_has(s, f->all, "else") || (loop_around(s, at) >= 0 && !ahead))
        return;
    const unsigned cost = loop_around(s, at) >= 0 ? 3 : 2;
    source_copy(s, who, own, sizeof own);
    if (!renamed(s, f->condition, who, "each", condition, sizeof condition)) return;
    const bool keeps_one = is_listed(s, body.first, &names->values) && source_is(s, body.first + 1, "=") &&
                           is_array_access(s, body.first + 3);
    const struct range value = {body.first + 2, body.last - 1};
    const bool few = f->condition.last == who.first + 2 && s->token[f->condition.last].kind == TOKEN_NUMBER &&
                     has_draw(s, body_of(s, f->function)); /* the last block takes only a fixed number of partials */
    if (few) snprintf(condition, sizeof condition, "each < gridDim.x");
    for (unsigned n = 0; n < 2; n++) {
        if (renamed(s, body, who, "each", text, sizeof text))
            edit_replace(l, FIX_LOOP, cost, f->all, "for (unsigned each = %s; %s; each += %s) %s", own, condition,
                         steps[n], text);
        if (keeps_one && renamed(s, value, who, "each", text, sizeof text))
            edit_replace(l, FIX_LOOP, 2, f->all, "for (unsigned each = %s; %s; each += %s) %.*s = combine(%.*s, %s);",
                         own, condition, steps[n], (int)s->token[body.first].length, s->text + s->token[body.first].at,
                         (int)s->token[body.first].length, s->text + s->token[body.first].at, text);
    }
}
/* Turns `x = t < count ? a[t] : identity();` into a loop that combines each thread's elements, because there may be
 * more elements than threads. Where the choice is the argument of a call, the loop comes before the statement. */
static void loop_of_choice(struct edit_list *l, int32_t at) {
    static const char *const steps[] = {"blockDim.x", "gridDim.x * blockDim.x"};
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range all = st->all;
    char target[EXPRESSION_SIZE], x[NAME_SIZE], t[NAME_SIZE], count[EXPRESSION_SIZE], array[NAME_SIZE],
        text[5 * EXPRESSION_SIZE];
    if (st->kind != STATEMENT_PLAIN || !source_in_block(s, at)) return;
    for (int32_t who = all.first + 2; who + 4 < all.last && loop_around(s, at) < 0; who++) {
        const int32_t choice = operand_behind(s, who + 1).last + 1, open = choice + 2;
        const struct range whole = {who, open + 6};
        if (!source_is(s, who + 1, "<") || !source_is(s, choice, "?") || !is_array_access(s, open)) continue;
        if (s->token[open].match != open + 2 || !source_same(s, open + 1, who) || !source_is(s, open + 4, "identity"))
            continue;
        if (whole.last >= all.last || !(roles_in(s, range_of(who)) & ROLE_THREAD)) continue;
        const bool assigned = source_is(s, who - 1, "=") && whole.last + 1 == all.last,
                   passed = source_is(s, who - 1, "(") || source_is(s, who - 1, ",");
        if (!assigned && !passed) continue;
        source_copy(s, (struct range){all.first, who - 2}, target, sizeof target);
        source_copy(s, range_of(who - 2), x, sizeof x), source_copy(s, range_of(who), t, sizeof t);
        source_copy(s, (struct range){who + 2, choice - 1}, count, sizeof count);
        source_copy(s, range_of(open - 1), array, sizeof array);
        if (passed) snprintf(target, sizeof target, "value_t all_values"), snprintf(x, sizeof x, "all_values");
        const uint32_t begin = source_begin(s, all), end = source_end(s, whole);
        for (unsigned k = 0; k < 2; k++) {
            /* There may always be more blocks than threads in a block. */
            const unsigned cost = !k && is_number_of_blocks(s, at, (struct range){who + 2, choice - 1}) ? 0 : 2;
            snprintf(text, sizeof text,
                     "%s = identity(); for (unsigned each = %s; each < %s; each += %s) %s = combine(%s, %s[each]);",
                     target, t, count, steps[k], x, x, array);
            if (assigned)
                edit_replace(l, FIX_LOOP, cost, all, "%s", text);
            else
                edit_replace(l, FIX_LOOP, cost, all, "%s %.*s%s%.*s", text, (int)(source_begin(s, whole) - begin),
                             s->text + begin, x, (int)(source_end(s, all) - end), s->text + end);
        }
    }
}
/* Removes the semicolon of `for (...);`, so that the next statement becomes the body. */
static void empty_body(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    const struct range body = f->body >= 0 ? s->statement[f->body].all : (struct range){0, -1};
    if (body.first != body.last || !source_is(s, body.first, ";") || f->kind == STATEMENT_DO) return;
    edit_add(l, FIX_NO_BODY, 1, (struct range){f->all.first, body.first - 1},
             &(struct edit_part){s->token[body.first].at, 1, (char *)""}, 1);
}
/* Replaces blockDim.x in a loop's header with an integer computed from gridDim, such as the number of threads in the
 * grid. */
static void threads_of_grid(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range body = body_of(s, s->statement[at].function);
    char text[NAME_SIZE];
    for (int32_t k = s->statement[at].all.first; k < s->statement[s->statement[at].body].all.first; k++)
        for (int32_t n = body.first; n < k && source_is(s, k, "blockDim"); n++)
            if (is_listed(s, n, &names->counts) && is_declared(s, n) && source_is(s, n + 1, "=") &&
                source_has(s, operand_behind(s, n + 1), "gridDim"))
                edit_replace(l, cause_at(s, k), 1, (struct range){k, k + 2}, "%s",
                             source_copy(s, range_of(n), text, sizeof text));
}
/* Lets a loop begin at the thread's index in the grid, with the number of threads in the grid as its step. */
static void over_the_grid(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct range value = loop_first_value(s, loop);
    char step[2 * NAME_SIZE];
    const bool is_for = s->statement[at].kind == STATEMENT_FOR;
    if (s->statement[at].kind == STATEMENT_DO || range_is_empty(value) || range_is_empty(loop->step)) return;
    snprintf(step, sizeof step, "%s += gridDim.x * blockDim.x", loop->variable);
    const struct edit_part parts[] = {edit_part_of(s, value, "blockIdx.x * blockDim.x + threadIdx.x"),
                                      edit_part_of(s, loop->step, step)};
    const struct range head = {s->statement[at].all.first, loop->step.last + 1};
    const bool rank = source_has(s, head, "thread_rank"), threads = source_has(s, head, "num_threads");
    const bool of_block = roles_in(s, value) & ROLE_BLOCK, clusters = rank || threads;
    const bool starts = of_block && source_has(s, value, "threadIdx");
    const struct range body = body_of(s, s->statement[at].function);
    const enum fix_cause cause = rank && threads                                               ? FIX_CLUSTER_SHARE
                                 : clusters || (of_block && source_has(s, body, "num_blocks")) ? FIX_CLUSTER_RANK
                                 : starts                                                      ? FIX_LOOP_STEP
                                 : of_block                                                    ? FIX_BLOCK_INDEX
                                                                                               : FIX_BLOCK_MISSING;
    if (value.last < loop->step.first && !source_has(s, loop->step, "gridDim"))
        edit_add(l, cause, 2, is_for ? head : (struct range){loop->begin.first, value.last}, parts, 2);
}
/* Replaces the loop variable in a statement after the loop with its first value, unless the variable has been set
 * again. */
static void first_value_behind(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    const struct range value = loop_first_value(s, loop);
    char own[EXPRESSION_SIZE], first[EXPRESSION_SIZE + 2], text[4 * EXPRESSION_SIZE];
    if (range_is_empty(value) || value.first < 2 || range_holds(f->all, value.first)) return;
    const bool bare = value.first == value.last;
    snprintf(first, sizeof first, bare ? "%s" : "(%s)", source_copy(s, value, own, sizeof own));
    for (int32_t k = source_next(s, at); k >= 0; k = source_next(s, k)) {
        const struct statement *st = &s->statement[k];
        if (source_same(s, st->all.first, value.first - 2) && source_is(s, st->all.first + 1, "=")) return;
        if ((st->kind == STATEMENT_IF || st->kind == STATEMENT_PLAIN) &&
            renamed(s, st->all, range_of(value.first - 2), first, text, sizeof text))
            edit_replace(l, FIX_ADVANCED, 1, st->all, "%s", text);
    }
}
/* Turns `count -= half;` into `count = half;`: half, rounded up, is the number of elements that are left. */
static void rest_instead(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t loop = loop_around(s, at);
    if (s->statement[at].kind != STATEMENT_PLAIN || loop < 0 || !source_is(s, all.first + 1, "-=")) return;
    for (int32_t k = s->statement[loop].condition.first; k <= s->statement[loop].condition.last; k++)
        if (source_same(s, k, all.first)) edit_replace(l, FIX_LOOP_STEP, 1, range_of(all.first + 1), "=");
}
/* rules_expressions edits updates of a loop variable in its body, such as `stride = count / 2`. */
void rules_loops(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *f = &s->statement[k];
        struct loop loop;
        if (f->function != function) continue;
        if (f->kind == STATEMENT_IF) make_loop(l, k), make_own_loop(l, &names, k);
        loop_of_choice(l, k), rest_instead(l, k);
        empty_body(l, k), no_step(l, &names, k);
        if (!loop_of(s, k, &loop) || !*loop.variable) continue;
        begin(l, &names, &loop, function), shared_out(l, &names, &loop, k), by_thread_0(l, &names, &loop, k);
        once(l, &loop, k), once_per_launch(l, &loop, k), continues(l, &loop, k), set_again(l, &loop, k),
            last_iteration(l, &loop, k), last_chunk(l, &loop, k);
        condition(l, &names, &loop);
        step(l, &names, &loop);
        whole_header(l, &loop), doubling(l, &loop), over_the_grid(l, &loop, k), first_value_behind(l, &loop, k);
        if (f->body >= 0) threads_of_grid(l, &names, k);
    }
}
