/* Generates edits to whole statements: adds or removes conditions, removes, moves or reorders statements, and assigns
 * results that are discarded. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <string.h>

static bool is_simple(const struct source *s, int32_t at) {
    const struct statement *st = &s->statement[at];
    return st->kind == STATEMENT_PLAIN &&
           (source_has(s, st->all, "=") || source_has(s, st->all, "+=") || source_has(s, st->all, "("));
}
static bool declares(const struct source *s, int32_t at) {
    const int32_t first = s->statement[at].all.first;
    return source_is(s, first, "enum") ||
           (s->token[first].kind == TOKEN_NAME && s->token[first + 1].kind == TOKEN_NAME);
}
static bool is_sync(const struct source *s, int32_t at) {
    const int32_t first = s->statement[at].all.first;
    return s->statement[at].kind == STATEMENT_PLAIN &&
           (source_is(s, first, "__syncthreads") || source_is(s, first, "__syncwarp"));
}
/* Returns the part of a statement to quote in reports. */
static struct range head_of(const struct source *s, int32_t at) {
    const struct statement *st = &s->statement[at];
    if (st->kind == STATEMENT_BLOCK)
        return (struct range){st->all.first + 1, at + 1 < s->statements && s->statement[at + 1].parent == at
                                                     ? s->statement[at + 1].all.last
                                                     : st->all.last};
    if (st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN) return st->all;
    return (struct range){st->all.first, st->condition.last + 1};
}
/* Returns whether the range stores to memory that other threads can read: to an array, through a pointer, with an
 * atomic, or to a variable of the module. */
static bool is_shared_store(const struct source *s, int32_t function, struct range r) {
    const struct range body = body_of(s, function), parameters = s->function[function].parameters;
    for (int32_t k = r.first; k <= r.last; k++) {
        if (source_is(s, k, "]") && (source_is(s, k + 1, "=") || source_is(s, k + 1, "+="))) return true;
        if (source_is_atomic(s, k)) return true;
        if (!is_set(s, k)) continue;
        bool own = false;
        for (int32_t n = parameters.first; n < body.last && !own; n++)
            own = source_same(s, n, k) && (n <= parameters.last || is_declared(s, n));
        if (!own || (source_is(s, k - 1, "*") && !is_declared(s, k))) return true;
    }
    return false;
}
/* Adds conditions that select one thread, or the threads with an index in the range of a loop variable. */
static void conditions(struct edit_list *l, const struct names *names, int32_t at, struct range r, const char *format,
                       bool wraps) {
    const struct source *s = l->source;
    const char *t = *names->thread ? names->thread : "threadIdx.x";
    char text[EXPRESSION_SIZE], loop[NAME_SIZE];
    const struct {
        const char *name;
        enum fix_cause cause;
    } ones[] = {{t, FIX_ONE_THREAD}, {names->lane, FIX_ONE_THREAD}, {names->warp, FIX_ALL_THREADS}};
    const enum fix_cause is = wraps ? FIX_ALL_THREADS : cause_at(s, r.first),
                         some = is == FIX_RESET || is == FIX_TICKET || wraps ? is : FIX_WHICH_THREADS;
    const struct range quoted = wraps ? head_of(s, at) : r;
    const uint32_t from = source_begin(s, r), length = source_end(s, r) - from;
    const bool stores = is_shared_store(s, s->statement[at].function, r);
    char own[2 * EXPRESSION_SIZE], now[3 * EXPRESSION_SIZE];
    if (length >= sizeof own) return;
    source_copy(s, r, own, sizeof own);
#define WITH(cause, cost, ...)                                                                                         \
    (snprintf(text, sizeof text, __VA_ARGS__), snprintf(now, sizeof now, format, text, own),                           \
     edit_add(l, cause, cost, quoted, &(struct edit_part){from, length, now}, 1))
    for (unsigned k = 0; k < 3; k++)
        if (*ones[k].name && (!wraps || ones[k].cause != FIX_ONE_THREAD || stores))
            WITH(wraps ? ones[k].cause : some, 1, "%s == 0", ones[k].name);
    const int32_t around = loop_variable_around(s, s->statement[at].parent, loop);
    struct loop of;
    const bool scales = around >= 0 && loop_of(s, around, &of) && loop_scales(s, &of);
    if (!*loop) return;
    const char *const who[] = {t, names->lane};
    for (unsigned k = 0; k < 2; k++) {
        if (!*who[k]) continue;
        WITH(some, 2, "%s < %s", who[k], loop);
        if (!scales) continue; /* the variable may be 0 */
        /* These conditions may hide a wrong index, so edits of the index are tried first. */
        WITH(some, wraps ? 3 : 2, "%s %% %s == 0", who[k], loop);
        WITH(some, wraps ? 3 : 2, "%s %% (2 * %s) == 0", who[k], loop);
    }
#undef WITH
}
static bool is_of_memory(const struct source *s, const struct names *names, int32_t name) {
    return source_is(s, name, names->shared) || is_listed(s, name, &names->inputs) ||
           is_listed(s, name, &names->vectors) || is_listed(s, name, &names->outputs) ||
           is_listed(s, name, &names->pointers);
}
/* Returns whether a condition around the statement, or an earlier `if (...) return`, compares a variable of the index
 * with a size. The error is then in that condition. */
static bool is_guarded(const struct source *s, int32_t at, struct range index) {
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        const bool around = st->kind != STATEMENT_BLOCK && st->all.first <= s->statement[at].all.first &&
                            st->all.last >= s->statement[at].all.last;
        const bool before = st->kind == STATEMENT_IF && s->statement[st->body].kind == STATEMENT_RETURN &&
                            st->function == s->statement[at].function && st->all.last < s->statement[at].all.first;
        if (!(around || before) || st->condition.last < st->condition.first ||
            !(roles_in(s, st->condition) & ROLE_SIZE))
            continue;
        for (int32_t n = index.first; n <= index.last; n++)
            for (int32_t c = st->condition.first; c <= st->condition.last; c++)
                if (s->token[n].kind == TOKEN_NAME && source_same(s, n, c)) return true;
    }
    return false;
}
/* Makes thread 0 store identity() if i >= n, in `if (t == 0 && i < n) x = y;`. */
static void otherwise_identity(struct edit_list *l, const struct statement *st, const char *target, const char *value) {
    const struct source *s = l->source;
    const struct range c = st->condition;
    char who[EXPRESSION_SIZE], exists[EXPRESSION_SIZE];
    for (int32_t k = c.first + 1; k < c.last; k++) {
        if (!source_is(s, k, "&&")) continue;
        const struct range a = {c.first, k - 1}, b = {k + 1, c.last};
        const bool first = roles_in(s, a) & ROLE_SIZE;
        source_copy(s, first ? b : a, who, sizeof who), source_copy(s, first ? a : b, exists, sizeof exists);
        edit_replace(l, FIX_IDENTITY, 1, st->all, "if (%s) %s = %s ? %s : identity();", who, target, exists, value);
    }
}
/* Returns whether the function sets the integer to a number that depends on the thread's index. */
static bool is_of_each_thread(const struct source *s, int32_t at, const char *name) {
    const struct range body = body_of(s, s->statement[at].function);
    for (int32_t k = body.first; k < body.last; k++)
        if (source_is(s, k, name)) return roles_in(s, range_of(k)) & ROLE_THREAD;
    return false;
}
/* Guards the access at `open`, which may be out of bounds, or replaces it with identity(). */
static void guard_access(struct edit_list *l, const struct names *names, int32_t at, int32_t open) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, access = {open - 1, s->token[open].match},
                       subscript = {open, access.last}, inside = {open + 1, access.last - 1};
    char index[EXPRESSION_SIZE], written[EXPRESSION_SIZE], element[EXPRESSION_SIZE], own[2 * EXPRESSION_SIZE],
        loop[NAME_SIZE];
    source_copy(s, inside, index, sizeof index), source_copy(s, inside, written, sizeof written);
    const bool through_pointer = index_in_array(s, open, index, sizeof index);
    source_copy(s, access, element, sizeof element);
    source_copy(s, all, own, sizeof own);
    loop_variable_around(s, at, loop);
    /* The loop's condition is the guard. */
    const bool looped = source_is(s, inside.first, loop) && inside.first == inside.last;
    bool chosen = false; /* a comparison in the statement guards the access, so its bound is wrong */
    for (int32_t k = all.first + 1; k < open; k++)
        chosen |= is_comparison(s, k) && is_same_text(s, operand_before(s, k), inside);
    const unsigned cost = 1 + looped + (chosen || is_guarded(s, at, inside));
    const bool is_read = !source_is(s, access.last + 1, "=") && !is_listed(s, open - 1, &names->vectors);
    /* A kernel's output, such as the partials, may have one element per block. */
    const unsigned sizes = names->counts.count + is_listed(s, open - 1, &names->outputs);
    /* Each warp has one result, which follows the values of the block's threads in shared memory. */
    const char *who = *names->lane ? names->lane : names->thread;
    const int32_t branch = source_around(s, at, STATEMENT_IF);
    const bool asks = branch >= 0 && source_has(s, s->statement[branch].condition, who);
    if (is_read && *who && !asks && source_is(s, inside.last, who) && strstr(index, "blockDim"))
        edit_replace(l, FIX_NO_GUARD, 1, access, "(%s < blockDim.x / 32 ? %s : identity())", who, element);
    for (unsigned n = 0; n < sizes; n++) {
        const char *count = n < names->counts.count ? names->counts.item[n] : "gridDim.x";
        char known[2 * EXPRESSION_SIZE];
        if (!strcmp(count, loop)) continue; /* a comparison with `loop` selects threads, not elements */
        snprintf(known, sizeof known, "%s < %s", index, count);
        if (source_has(s, subscript, count) || strstr(own, known)) continue;
        if (is_of_each_thread(s, at, count) && !depends_on_the_thread(s, inside))
            continue; /* the bound does not depend on the number of elements */
        if (!declares(s, at)) edit_replace(l, FIX_NO_GUARD, cost, all, "if (%s < %s) %s", index, count, own);
        if (is_read) edit_replace(l, FIX_NO_GUARD, cost, access, "(%s < %s ? %s : identity())", index, count, element);
        if (is_read && through_pointer) /* the elements may be counted from the pointer */
            edit_replace(l, FIX_NO_GUARD, cost, access, "(%s < %s ? %s : identity())", written, count, element);
        const bool one_of_many = *names->lane && source_has(s, subscript, names->lane) && source_has(s, subscript, "+");
        if (one_of_many && is_read) /* only some lanes have an element `s[m + lane]` */
            edit_replace(l, FIX_NO_GUARD, 2, access, "(%s < %s ? %s : identity())", names->lane, count, element);
    }
}
/* Guards a store to `s[32 + lane]`: only some lanes have the element. Also corrects the index of a stored identity().
 */
static void guard_store(struct edit_list *l, const struct names *names, struct range all) {
    const struct source *s = l->source;
    const char *who = *names->lane ? names->lane : names->thread;
    const struct range to = {all.first, source_is(s, all.first + 1, "[") ? s->token[all.first + 1].match : -1};
    char store[2 * EXPRESSION_SIZE];
    if (!source_is(s, all.first, names->shared) || !source_has(s, to, who) || !source_has(s, to, "+")) return;
    edit_replace(l, FIX_NO_GUARD, 2, all, "if (%s < 16) %s", who, source_copy(s, all, store, sizeof store));
    if (!source_is(s, to.last + 2, "identity") || source_has(s, to, "32")) return;
    if (is_of_half_a_warp(s, s->token[all.first].statement)) /* a guard is there */
        edit_replace(l, FIX_INDEX, 1, (struct range){to.first + 2, to.last - 1}, "32 + %s", who);
    else
        edit_replace(l, FIX_INDEX, 1, all, "if (%s < 16) %s[32 + %s] = identity();", who, names->shared, who);
}
/* Guards a load `*p` of a first element that may not exist. Also guards `x = *p` if the pointer may be past the end. */
static void guard_pointer(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    char own[2 * EXPRESSION_SIZE], name[NAME_SIZE];
    source_copy(s, all, own, sizeof own);
    for (int32_t k = all.first + 1; k + 1 < all.last; k++) {
        const bool first = source_is(s, k, "*") && s->token[k - 1].kind == TOKEN_SIGN && !source_is(s, k - 1, ")") &&
                           (is_listed(s, k + 1, &names->inputs) || is_listed(s, k + 1, &names->outputs)) &&
                           !source_is(s, k + 2, "=") && !source_is(s, k + 2, "+=");
        for (unsigned n = 0; n < names->counts.count && first; n++)
            edit_replace(l, FIX_NO_GUARD, 1, (struct range){k, k + 1}, "(0 < %s ? *%s : identity())",
                         names->counts.item[n], source_copy(s, range_of(k + 1), name, sizeof name));
    }
    for (int32_t k = all.first; k + 2 < all.last && !declares(s, at); k++) {
        if (!source_is(s, k, "=") || !source_is(s, k + 1, "*")) continue;
        for (unsigned i = 0; i < names->counts.count; i++)
            for (unsigned n = 0; n < names->counts.count; n++)
                if (i != n)
                    edit_replace(l, FIX_NO_GUARD, 2, all, "if (%s < %s) %s", names->counts.item[i],
                                 names->counts.item[n], own);
    }
}
/* Makes the other threads store identity() in `if (i < n)`. The store at `equals` is to s[t]. */
static void store_identity(struct edit_list *l, const struct statement *above, struct range all, int32_t equals) {
    const struct source *s = l->source;
    char target[EXPRESSION_SIZE], value[EXPRESSION_SIZE], condition[EXPRESSION_SIZE], text[4 * EXPRESSION_SIZE];
    const struct range stored = {equals + 1, all.last - 1};
    source_copy(s, (struct range){all.first, equals - 1}, target, sizeof target);
    source_copy(s, stored, value, sizeof value);
    source_copy(s, above->condition, condition, sizeof condition);
    edit_replace(l, FIX_IDENTITY, 1, above->all, "%s = %s ? %s : identity();", target, condition, value);
    otherwise_identity(l, above, target, value);
    struct range argument[2];
    if (call_arguments(s, equals + 1, argument, 2) == 1) { /* all lanes must execute this call */
        source_copy(s, argument[0], value, sizeof value);
        edit_replace(l, FIX_SHUFFLE_IN_BRANCH, 1, above->all, "%s = %.*s(%s ? %s : identity());", target,
                     (int)s->token[equals + 1].length, s->text + s->token[equals + 1].at, condition, value);
    }
    source_copy(s, stored, value, sizeof value);
    const bool alone = source_in_block(s, (int32_t)(above - s->statement));
    const char *line = s->text + source_begin(s, above->all);
    while (line > s->text && line[-1] != '\n') line--;
    const int indent = (int)strspn(line, " \t");
    if (alone)
        snprintf(text, sizeof text, "value_t all_kept = %s;\n%.*sif (%s) %s = all_kept;", value, indent, line,
                 condition, target);
    else
        snprintf(text, sizeof text, "{ value_t all_kept = %s; if (%s) %s = all_kept; }", value, condition, target);
    const struct edit_part part = edit_part_of(s, above->all, text);
    edit_add(l, FIX_BARRIER_IN_BRANCH, 2, stored, &part, 1);
}
/* Returns the `if` whose body consists of this statement, with or without braces, or -1. */
static int32_t branch_of(const struct source *s, int32_t at) {
    const struct range all = s->statement[at].all;
    int32_t parent = s->statement[at].parent;
    const struct range block = parent < 0 ? all : s->statement[parent].all;
    if (source_in_block(s, at) && block.first == all.first - 1 && block.last == all.last + 1)
        parent = s->statement[parent].parent;
    return parent >= 0 && s->statement[parent].kind == STATEMENT_IF ? parent : -1;
}
/* Guards the accesses of a statement. */
static void guard(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    for (int32_t k = all.first; k <= all.last; k++)
        if (is_array_access(s, k) && is_of_memory(s, names, k - 1) && !source_is(s, k - 2, "&"))
            guard_access(l, names, at, k);
    guard_store(l, names, all);
    guard_pointer(l, names, at);
    const int32_t branch = branch_of(s, at);
    for (int32_t k = all.first; branch >= 0 && k <= all.last; k++)
        if (source_is(s, k, "=")) store_identity(l, &s->statement[branch], all, k);
}
/* Lets only one thread execute two consecutive statements. */
static void both_by_one(struct edit_list *l, const char *t, struct range a, struct range b) {
    const struct source *s = l->source;
    const struct range both = {a.first, b.last};
    const char *line = s->text + edit_line_begin(s->text, source_begin(s, both));
    const int indent = (int)strspn(line, " \t");
    char own[8 * EXPRESSION_SIZE], text[10 * EXPRESSION_SIZE];
    if (source_end(s, both) - source_begin(s, both) >= sizeof own) return;
    int used = snprintf(text, sizeof text, "if (%s == 0) {\n%.*s    ", t, indent, line);
    for (const char *c = source_copy(s, both, own, sizeof own); *c && used + 8 < (int)sizeof text; c++)
        used += snprintf(text + used, sizeof text - (size_t)used, *c == '\n' ? "\n    " : "%c", *c);
    if (used + indent + 8 >= (int)sizeof text) return;
    snprintf(text + used, sizeof text - (size_t)used, "\n%.*s}", indent, line);
    const struct edit_part part = edit_part_of(s, both, text);
    edit_add(l, FIX_ONE_THREAD, 1, a, &part, 1);
}
/* Lets only one thread execute an `if` with else that only stores to an output. */
static void choice_by_one(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    bool stores = st->kind == STATEMENT_IF && st->body >= 0 && st->all.last > s->statement[st->body].all.last;
    for (int32_t k = at + 1; stores && k < s->statements && s->statement[k].all.first <= st->all.last; k++) {
        const bool plain = s->statement[k].kind == STATEMENT_PLAIN;
        stores = !plain || is_listed(s, s->statement[k].all.first, &names->outputs);
    }
    if (stores) both_by_one(l, *names->thread ? names->thread : "threadIdx.x", st->all, st->all);
}
/* Lets only one thread execute `unsigned mine = atomicAdd(...); last = mine == ...;`, or the atomicAdd and the `if`
 * that follows it. */
static void one_draws(struct edit_list *l, const struct names *names, int32_t at, int32_t next) {
    const struct source *s = l->source;
    const struct range a = s->statement[at].all, b = s->statement[next].all;
    const char *t = *names->thread ? names->thread : "threadIdx.x";
    char call[EXPRESSION_SIZE], text[4 * EXPRESSION_SIZE];
    int32_t name = a.first;
    while (name < a.last && !source_is(s, name + 1, "=")) name++;
    if (!is_declared(s, name) || !draws_ticket(s, name + 2)) return;
    if (s->statement[next].kind == STATEMENT_IF) both_by_one(l, t, a, b);
    if (s->statement[next].kind != STATEMENT_PLAIN) return;
    source_copy(s, (struct range){name + 2, a.last - 1}, call, sizeof call);
    for (int32_t k = b.first + 1; k < b.last; k++) {
        if (!source_same(s, k, name) || declares(s, next)) continue;
        const uint32_t behind = s->token[k].at + s->token[k].length;
        snprintf(text, sizeof text, "if (%s == 0) %.*s%s%.*s", t, (int)(s->token[k].at - source_begin(s, b)),
                 s->text + source_begin(s, b), call, (int)(source_end(s, b) - behind), s->text + behind);
        edit_add(l, FIX_ONE_THREAD, 1, a,
                 (struct edit_part[]){{source_begin(s, a), source_end(s, a) - source_begin(s, a), (char *)""},
                                      {source_begin(s, b), source_end(s, b) - source_begin(s, b), text}},
                 2);
    }
}
static void order(struct edit_list *l, int32_t at, int32_t next) {
    const struct source *s = l->source;
    const struct range a = s->statement[at].all, b = s->statement[next].all, both = {a.first, b.last};
    char first[2 * EXPRESSION_SIZE], second[2 * EXPRESSION_SIZE];
    if (loop_around(s, at) == at && loop_around(s, next) == next) return; /* the second loop would have no elements */
    if (source_end(s, a) - source_begin(s, a) >= sizeof first || source_end(s, b) - source_begin(s, b) >= sizeof second)
        return;
    source_copy(s, a, first, sizeof first), source_copy(s, b, second, sizeof second);
    const bool fence = source_has(s, both, "__threadfence") || has_draw(s, both);
    const enum fix_cause cause = fence ? FIX_FENCE : is_sync(s, at) || is_sync(s, next) ? FIX_BARRIER : FIX_SEQUENCE;
    edit_add(l, cause, fence || cause == FIX_BARRIER ? 2 : 3, both,
             (struct edit_part[]){edit_part_of(s, a, second), edit_part_of(s, b, first)}, 2);
}
/* Moves a shuffle with the mask __activemask() out of its branch. The new mask has all lanes. */
static void unwrap_active(struct edit_list *l, struct range head, struct range body) {
    const struct source *s = l->source;
    for (int32_t k = body.first; k < body.last; k++) {
        if (!source_is(s, k, "__activemask")) continue;
        const struct range mask = {k, s->token[k + 1].match};
        const uint32_t at = source_begin(s, mask), from = source_begin(s, head);
        edit_add(l, FIX_SHUFFLE_IN_BRANCH, 2, s->statement[s->token[k].statement].all,
                 (struct edit_part[]){{from, source_begin(s, body) - from, (char *)""},
                                      {at, source_end(s, mask) - at, (char *)"0xffffffff"}},
                 2);
    }
}
/* Writes the negated condition, if possible with the opposite comparison instead of `!`. */
static void negate(const struct source *s, struct range r, char out[EXPRESSION_SIZE]) {
    static const char *const signs[][2] = {{"<", ">="}, {"<=", ">"}, {"==", "!="}};
    char text[EXPRESSION_SIZE];
    source_copy(s, r, text, sizeof text);
    if (source_is(s, r.first, "!") && r.last == r.first + 1) {
        snprintf(out, EXPRESSION_SIZE, "%.190s", text + 1);
        return;
    }
    snprintf(out, EXPRESSION_SIZE, r.first == r.last ? "!%.190s" : "!(%.190s)", text);
    if (source_has(s, r, "&&") || source_has(s, r, "||")) return;
    for (int32_t k = r.first; k <= r.last; k++)
        for (unsigned n = 0; n < 6; n++)
            if (source_is(s, k, signs[n / 2][n % 2])) {
                const uint32_t at = s->token[k].at - source_begin(s, r);
                snprintf(out, EXPRESSION_SIZE, "%.*s%s%s", (int)at, text, signs[n / 2][1 - n % 2],
                         text + at + s->token[k].length);
                return;
            }
}
/* Returns whether other threads need the threads that execute the function: it is a kernel, or its threads wait or
 * shuffle. */
static bool others_need_it(const struct source *s, int32_t function) {
    const struct range body = body_of(s, function);
    return s->function[function].is_kernel || source_waits(s, body) || source_has(s, body, "sync") ||
           range_shuffles(s, body);
}
/* Returns the statement of a branch that shuffles or waits, or that calls a function which does. If there is none,
 * returns the branch's head. */
static struct range where_all_must_be(const struct source *s, int32_t at) {
    const struct statement *st = &s->statement[at];
    for (int32_t k = st->body; k < s->statements && s->statement[k].all.first <= st->all.last; k++) {
        const struct range all = s->statement[k].all;
        if (s->statement[k].kind == STATEMENT_PLAIN && (range_shuffles(s, all) || source_waits(s, all))) return all;
    }
    return (struct range){st->all.first, st->condition.last + 1};
}
/* Removes an if but keeps its body. If the body is a return, limits the condition to the next statement instead. */
static void unwrap(struct edit_list *l, int32_t at, int32_t next) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range body = s->statement[st->body].all, head = {st->all.first, st->condition.last + 1};
    const bool shares = range_shuffles(s, body), waits = source_waits(s, body);
    const struct edit_part gone = {source_begin(s, head), source_begin(s, body) - source_begin(s, head), (char *)""};
    const bool of_size = roles_in(s, st->condition) & ROLE_SIZE; /* a small launch then writes nothing */
    const bool likely = of_size || shares || stores_own_element(s, at);
    edit_add(l,
             shares                                   ? FIX_SHUFFLE_IN_BRANCH
             : source_has(s, body, "matrix_multiply") ? FIX_PRODUCT_IN_BRANCH
             : waits && depends_on_the_thread(s, st->condition)
                 ? (source_has(s, body, "__syncthreads") || source_has(s, body, "sync") ? FIX_BARRIER_IN_BRANCH
                                                                                        : FIX_CALL_IN_BRANCH)
             : waits                                                          ? FIX_BARRIER_SKIPPED
             : of_size && is_shared_store(s, s->statement[at].function, body) ? FIX_NOT_WRITTEN
                                                                              : FIX_WHICH_THREADS,
             likely ? 1 : 2, shares || waits ? where_all_must_be(s, at) : head, &gone, 1);
    if (shares) unwrap_active(l, head, body);
    const int32_t around = loop_around(s, at);
    const int32_t word = source_is(s, body.last, "}") ? body.last - 2 : body.first;
    const bool leaves = source_is(s, word, "break") || source_is(s, word, "continue");
    const bool returns = s->statement[st->body].kind == STATEMENT_RETURN && others_need_it(s, st->function),
               leaves_loop = leaves && around >= 0 && source_waits(s, s->statement[around].all);
    const enum fix_cause skips = source_is(s, word, "continue") ? FIX_PASS_SKIPPED : FIX_LOOP_LEFT;
    if (leaves_loop) edit_replace(l, skips, 1, st->all, ";");
    if (s->statement[st->body].kind == STATEMENT_RETURN && around >= 0) /* probably left over from debugging */
        edit_replace(l, FIX_SURPLUS, 1, st->all, ";");
    if (!returns && !leaves_loop) return;
    char condition[EXPRESSION_SIZE];
    source_copy(s, st->condition, condition, sizeof condition);
    char other_way[EXPRESSION_SIZE];
    negate(s, st->condition, other_way);
    /* If the whole block returns, only other blocks of its cluster can still wait for its threads. */
    const bool whole = s->function[st->function].is_kernel && !depends_on_the_thread(s, st->condition) &&
                       !source_has(s, body_of(s, st->function), "sync");
    const enum fix_cause ends = whole ? FIX_RETURNS : FIX_EARLY_END;
    if (next >= 0 && s->statement[next].kind != STATEMENT_RETURN)
        edit_replace(l, returns ? ends : skips, 1, st->all, "if (%s)", other_way);
    if (!returns) return;
    for (int32_t k = next < 0 ? 1 : s->statement[next].all.first; next >= 0 && k < s->statement[next].all.last; k++) {
        if (!source_is(s, k, "=") || source_is(s, k + 1, "identity") || s->statement[next].kind != STATEMENT_PLAIN)
            continue;
        char value[EXPRESSION_SIZE], target[EXPRESSION_SIZE]; /* let the other threads continue with identity() */
        source_copy(s, (struct range){s->statement[next].all.first, k - 1}, target, sizeof target);
        source_copy(s, (struct range){k + 1, s->statement[next].all.last - 1}, value, sizeof value);
        const uint32_t from = source_begin(s, st->all), to = source_end(s, s->statement[next].all);
        char text[3 * EXPRESSION_SIZE];
        snprintf(text, sizeof text, "%s = (%s) ? identity() : %s;", target, condition, value);
        edit_add(l, ends, 1 + whole, st->all, &(struct edit_part){from, to - from, text}, 1);
        break;
    }
    edit_replace(l, ends, whole ? 1 : 2, st->all, "%s", "");
    edit_replace(l, cause_at(s, st->condition.first), 1, st->condition, "%s", other_way);
}
/* Returns whether an outer scope also declares a variable of this name. */
static bool hides_another(const struct source *s, int32_t at, int32_t name) {
    const struct function *f = &s->function[s->statement[at].function];
    for (int32_t k = 0; k < f->name.first; k++) /* a variable of the module */
        if (s->token[k].statement < 0 && source_same(s, k, name) && is_integer_type(s, k - 1)) return true;
    for (int32_t k = f->parameters.first; k < s->statement[at].all.first; k++) {
        if (!source_same(s, k, name) || !is_declared(s, k)) continue;
        if (k <= f->parameters.last) return true;
        const int32_t d = s->token[k].statement,
                      scope = s->statement[d].kind == STATEMENT_FOR ? d : s->statement[d].parent;
        for (int32_t p = s->statement[s->statement[at].parent].parent; p >= 0; p = s->statement[p].parent)
            if (p == scope) return true;
    }
    return false;
}
/* Removes a declaration's line from its block. Replaces the whole block, because a trial selects statements, not
 * declarations. */
static void without_line(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at], *block = &s->statement[st->parent];
    const uint32_t from = source_begin(s, block->all), to = source_end(s, block->all);
    uint32_t begin = source_begin(s, st->all), end = source_end(s, st->all);
    char text[16 * EXPRESSION_SIZE];
    if (block->kind != STATEMENT_BLOCK || to - from >= sizeof text) return;
    while (begin > from && (s->text[begin - 1] == ' ' || s->text[begin - 1] == '\t')) begin--;
    end += (uint32_t)strspn(s->text + end, " \t");
    if (!strncmp(s->text + end, "//", 2)) end += (uint32_t)strcspn(s->text + end, "\n");
    end += s->text[end] == '\n' && s->text[begin - 1] == '\n';
    snprintf(text, sizeof text, "%.*s%.*s", (int)(begin - from), s->text + from, (int)(to - end), s->text + end);
    edit_add(l, FIX_SHADOWED, 0, st->all, &(struct edit_part){from, to - from, text}, 1);
}
/* Removes the type from `value_t sum = ...;`, or the whole statement, if an outer block declares sum. */
static void shadows(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t name = st->all.first + 1;
    if (st->kind != STATEMENT_PLAIN || st->parent < 0 || !declares(s, at) || !is_declared(s, name)) return;
    if (!hides_another(s, at, name)) return;
    edit_add(l, FIX_SHADOWED, 0, st->all,
             &(struct edit_part){s->token[name - 1].at, s->token[name].at - s->token[name - 1].at, (char *)""}, 1);
    without_line(l, at);
}
/* Turns a statement without effect, such as `d * 2;`, into `d *= 2;`. */
static void computed(struct edit_list *l, int32_t at) {
    static const char *const signs[] = {"*", "/", "+", "-", ">>", "<<"};
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    char rest[EXPRESSION_SIZE];
    if (s->token[all.first].kind != TOKEN_NAME || all.last < all.first + 3 || is_declared(s, all.first + 2)) return;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (source_is(s, all.first + 1, signs[k]) && !source_has(s, all, "="))
            edit_replace(l, FIX_NOT_KEPT, 0, (struct range){all.first + 1, all.last - 1}, "%s= %s", signs[k],
                         source_copy(s, (struct range){all.first + 2, all.last - 1}, rest, sizeof rest));
}
static void kept(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    struct range argument[3];
    char first[EXPRESSION_SIZE], own[2 * EXPRESSION_SIZE];
    if (!call_arguments(s, all.first, argument, 3) || s->token[all.first + 1].match != all.last - 1) return;
    if (!strncmp(s->text + s->token[all.first].at, "__", 2) || source_is_atomic(s, all.first)) return;
    source_copy(s, argument[0], first, sizeof first), source_copy(s, all, own, sizeof own);
    edit_replace(l, FIX_NOT_KEPT, 1, all, "%s = %s", first, own);
    for (unsigned k = 0; k < names->values.count; k++)
        edit_replace(l, FIX_NOT_KEPT, 2, all, "%s = %s", names->values.item[k], own);
}
/* Lets only one thread execute a kernel. All other threads return immediately. */
static void one_thread_alone(struct edit_list *l, const struct names *names, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    int32_t at = body.first + 1, stored = body.last;
    for (int32_t k = body.last; k > body.first && s->function[function].is_kernel; k--)
        if (is_listed(s, k, &names->outputs) && is_shared_store(s, function, (struct range){k, body.last})) stored = k;
    if (*names->thread)
        while (at < body.last && !source_is(s, at - 1, ";")) at++;
    if (stored < body.last && s->token[stored].statement >= 0)
        edit_insert(l, FIX_ONE_THREAD, 2, at, s->statement[s->token[stored].statement].all, "if (%s != 0) return; ",
                    *names->thread ? names->thread : "threadIdx.x");
}
/* Moves a shuffle that is a branch's first statement out of the branch, because all lanes must execute it. */
static void shuffle_before_branch(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at], *block = &s->statement[st->parent];
    const struct statement *branch = block->parent < 0 ? NULL : &s->statement[block->parent];
    char text[2 * EXPRESSION_SIZE];
    const uint32_t from = source_begin(s, st->all), length = source_end(s, st->all) - from;
    if (!branch || branch->kind != STATEMENT_IF || block->kind != STATEMENT_BLOCK || !range_shuffles(s, st->all))
        return;
    if (st->all.first != block->all.first + 1 || st->kind != STATEMENT_PLAIN || length + 2 > sizeof text) return;
    if (st->all.last + 1 == block->all.last) return; /* the branch would be empty */
    snprintf(text, sizeof text, "%.*s ", (int)length, s->text + from);
    const struct edit_part parts[] = {{source_begin(s, branch->all), 0, text}, {from, length, (char *)""}};
    edit_add(l, FIX_SHUFFLE_IN_BRANCH, 1, st->all, parts, 2);
}
/* Removes `total[0] = identity();`, and a condition before it, if blocks add to the total with atomics. */
static void erases(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, body = body_of(s, s->statement[at].function);
    const int32_t close = source_is(s, all.first + 1, "[") ? s->token[all.first + 1].match : -1,
                  parent = s->statement[at].parent;
    if (s->statement[at].kind != STATEMENT_PLAIN || !is_listed(s, all.first, &names->outputs) || close < 0) return;
    if (!source_is(s, close + 1, "=") || !(source_is(s, close + 2, "identity") || source_is(s, close + 2, "0"))) return;
    bool added = false;
    for (int32_t k = body.first; k + 3 < body.last; k++)
        added |=
            source_is(s, k, "atomic_combine") && (source_same(s, k + 2, all.first) || source_same(s, k + 3, all.first));
    const bool whole =
        parent >= 0 && s->statement[parent].kind == STATEMENT_IF && s->statement[parent].all.last == all.last;
    const struct edit_part part = edit_part_of(s, whole ? s->statement[parent].all : all, ";");
    if (added) edit_add(l, FIX_ERASES, 0, all, &part, 1);
}
void rules_statements(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    one_thread_alone(l, &names, function);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->function != function || st->parent < 0) continue;
        const int32_t next = source_next(s, k);
        const bool in_block = source_in_block(s, k);
        if (st->kind == STATEMENT_IF) {
            conditions(l, &names, k, st->condition, "%s", false);
            unwrap(l, k, next);
        }
        if ((is_simple(s, k) && !declares(s, k) && !is_sync(s, k)) || (st->kind == STATEMENT_BLOCK && in_block))
            conditions(l, &names, k, st->all, "if (%s) %s", true);
        if (st->kind == STATEMENT_PLAIN && !is_sync(s, k)) guard(l, &names, k), kept(l, &names, k), computed(l, k);
        shadows(l, k), shuffle_before_branch(l, k), leaves_in_else(l, k), kept_otherwise(l, k);
        erases(l, &names, k);
        if (in_block && !declares(s, k)) edit_replace(l, FIX_SURPLUS, 4, st->all, ";");
        if (in_block) choice_by_one(l, &names, k);
        if (in_block && next >= 0 && st->kind == STATEMENT_PLAIN) one_draws(l, &names, k, next);
        if (in_block && st->kind == STATEMENT_IF) call_out_of_branch(l, k);
        if (in_block && next >= 0 && !declares(s, k) && !declares(s, next)) order(l, k, next);
    }
}
