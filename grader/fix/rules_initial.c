/* Generates edits to the initial values of integers and pointers: an index, or the length and bounds of a chunk. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <string.h>

/* Finds the name of the number of elements per block, such as `each` in `from = each * blockIdx.x`. Returns false if
 * nothing is multiplied by the block's index. */
static bool chunk_of(const struct source *s, int32_t function, char out[NAME_SIZE]) {
    const struct range body = body_of(s, function);
    for (int32_t k = body.first + 2; k < body.last; k++) {
        if (!source_is(s, k, "*")) continue;
        const bool behind = roles_in(s, range_of(source_is(s, k - 2, ".") ? k - 3 : k - 1)) & ROLE_BLOCK,
                   before = roles_in(s, range_of(k + 1)) & ROLE_BLOCK;
        const int32_t name = behind ? k + 1 : k - 1;
        if (behind == before || s->token[name].kind != TOKEN_NAME || source_is(s, name + 1, ".") ||
            source_is(s, name - 1, "."))
            continue;
        return source_copy(s, range_of(name), out, NAME_SIZE), true;
    }
    return false;
}
/* Rounds up a chunk's length, and limits the end in `end = begin + chunk` to the end of the input. */
static void chunks_that_end(struct edit_list *l, struct range r, int32_t name) {
    const struct source *s = l->source;
    const struct range body = body_of(s, s->statement[s->token[name].statement].function);
    static const char rounded[] = "(n + gridDim.x - 1) / gridDim.x";
    char end[EXPRESSION_SIZE], limited[EXPRESSION_SIZE + 12];
    const bool is_rounded = !strcmp(source_copy(s, r, end, sizeof end), rounded);
    for (int32_t k = r.last; k < body.last; k++) {
        const struct range value = operand_behind(s, k);
        if (!source_is(s, k, "=") || !source_same(s, value.last, name) || !source_is(s, value.last - 1, "+")) continue;
        snprintf(limited, sizeof limited, "min(%s, n)", source_copy(s, value, end, sizeof end));
        const struct edit_part part[] = {edit_part_of(s, r, rounded), edit_part_of(s, value, limited)};
        edit_add(l, FIX_CHUNK, 1, is_rounded ? value : r, part + is_rounded, 2 - is_rounded);
    }
}
/* Changes the length of contiguous chunks, and the beginning and end of a block's chunk. */
static void chunks(struct edit_list *l, const struct names *names, struct range r, int32_t name) {
    const struct source *s = l->source;
    const int32_t function = s->statement[s->token[name].statement].function;
    char chunk[NAME_SIZE];
    const bool known = chunk_of(s, function, chunk);
    if (((known && source_is(s, name, chunk)) || cause_at(s, r.first) == FIX_CHUNK) && !source_has(s, r, "32"))
        edit_replace(l, FIX_CHUNK, 1, r, "(n + gridDim.x - 1) / gridDim.x");
    if (is_a_chunk(s, r) && source_has(s, r, "gridDim")) chunks_that_end(l, r, name);
    const bool same_for_all = !known && !(roles_in(s, r) & ROLE_BLOCK);
    for (int32_t k = 0; k < s->tokens && same_for_all; k++) { /* `begin = 0` */
        if (s->token[k].statement < 0 || s->statement[s->token[k].statement].function != function) continue;
        if (is_set(s, k) && source_is(s, k + 1, "=") && k != name && is_a_chunk(s, operand_behind(s, k + 1)))
            edit_replace(l, FIX_BLOCK_MISSING, 1, r, "blockIdx.x * %s",
                         source_copy(s, range_of(k), chunk, sizeof chunk));
    }
    for (unsigned k = 0; k < names->counts.count && known && r.first == r.last; k++) /* `end = n` */
        if (!source_is(s, name, names->counts.item[k]) && strcmp(chunk, names->counts.item[k]) != 0)
            edit_replace(l, FIX_CHUNK, 2, r, "min(%s + %s, n)", names->counts.item[k], chunk);
    for (int32_t at = r.first; at <= r.last && known && r.first < r.last; at++) { /* `end = min(chunk, n)` */
        const bool alone = (source_is(s, at - 1, "(") || source_is(s, at - 1, ",")) &&
                           (source_is(s, at + 1, ")") || source_is(s, at + 1, ","));
        for (unsigned k = 0; k < names->counts.count && alone && source_is(s, at, chunk); k++)
            if (!source_is(s, name, names->counts.item[k]) && strcmp(chunk, names->counts.item[k]) != 0)
                edit_replace(l, FIX_CHUNK, 2, range_of(at), "%s + %s", names->counts.item[k], chunk);
    }
}
/* Replaces `n / gridDim.x` in the start of a chunk, `blockIdx.x * n / gridDim.x`, with a variable that holds this
 * quotient, perhaps rounded up. */
static void length_of_chunk(struct edit_list *l, const struct names *names, struct range body, struct range r) {
    const struct source *s = l->source;
    char length[EXPRESSION_SIZE], own[EXPRESSION_SIZE];
    int32_t over = r.first + 2;
    while (over <= r.last && !source_is(s, over, "/")) over++;
    if (over >= r.last || !source_is(s, over - 2, "*") || !(roles_in(s, r) & ROLE_BLOCK)) return;
    source_copy(s, (struct range){over - 1, r.last}, own, sizeof own);
    for (int32_t k = body.first; k < r.first; k++) {
        if (!source_is(s, k + 1, "=") || !is_listed(s, k, &names->counts)) continue;
        const struct range value = operand_behind(s, k + 1);
        if (!source_has(s, value, "/") || value.last >= r.first || !source_same(s, value.last, r.last)) continue;
        source_copy(s, range_of(k), length, sizeof length);
        edit_replace(l, FIX_CHUNK, 1, (struct range){over - 1, r.last}, "%s", length);
    }
}
/* Divides the thread's index by 32 instead of blockDim.x: `t / blockDim.x` is 0, and `t % blockDim.x` is t. */
static void lanes_of_warp(struct edit_list *l, struct range r) {
    const struct source *s = l->source;
    for (int32_t k = r.first + 1; k + 3 <= r.last; k++) {
        const bool divides = source_is(s, k, "/") || source_is(s, k, "%"),
                   block = source_is(s, k + 1, "blockDim") && source_is(s, k + 3, "x");
        if (divides && block && roles_in(s, operand_before(s, k)) == ROLE_THREAD)
            edit_replace(l, FIX_INDEX, 1, (struct range){k + 1, k + 3}, "32");
    }
}
/* Changes the initial value of an integer, or parts of it. */
static void initializer(struct edit_list *l, const struct names *names, struct range r, int32_t name_token) {
    const struct source *s = l->source;
    const enum fix_cause cause = cause_at(s, r.first);
    char own[EXPRESSION_SIZE], loop[NAME_SIZE];
    const char *thread = *names->thread && !source_is(s, name_token, names->thread) ? names->thread : "threadIdx.x";
    source_copy(s, r, own, sizeof own);
    if (has_draw(s, r)) return; /* a ticket is not an index */
    const struct range body = body_of(s, s->statement[s->token[name_token].statement].function);
    if (source_is(s, r.last - 1, "/") && is_warp_size(s, r.last) && roles_in(s, r) == ROLE_THREAD &&
        source_has(s, body, "gridDim")) /* the warp's index in the grid */
        edit_replace(l, FIX_BLOCK_MISSING, 2, (struct range){r.first, r.last - 2}, "(blockIdx.x * blockDim.x + %s)",
                     thread);
    if ((source_is(s, name_token, names->lane) || source_is(s, name_token, names->warp)) &&
        roles_in(s, r) & ROLE_THREAD)
        return; /* `lane = t % 32` is right; the error is where the name is used */
    edit_replace(l, cause, 2, r, "2 * (%s)", own);
    edit_replace(l, cause, 2, r, "(%s) / 2", own);
    /* A number of warps, also written as `blockDim.x & 31` or `blockDim.x / 16`. */
    const bool size = source_is(s, r.first, "blockDim"),
               other = size && r.last == r.first + 4 && s->token[r.last].kind == TOKEN_NUMBER;
    if ((size && r.last == r.first + 2 && (*names->lane || *names->warp)) || other)
        edit_replace(l, cause, other ? 1 : 2, r, "blockDim.x / 32");
    if (uses_grid(s, names, s->statement[s->token[name_token].statement].function)) {
        const bool has_block = roles_in(s, r) & ROLE_BLOCK;
        const bool new = !has_block && (cause == FIX_INDEX || cause == FIX_LOOP_START);
        const enum fix_cause block = new ? FIX_BLOCK_MISSING : cause;
        const bool alone = !strcmp(own, "threadIdx.x") || (*names->thread && !strcmp(own, names->thread));
        edit_replace(l, block, has_block ? 3 : alone ? 1 : 2, r, "blockIdx.x * blockDim.x + %s", own);
        edit_replace(l, block, 3, r, "2 * blockIdx.x * blockDim.x + %s", own);
        const unsigned cost = has_block ? 3 : 2; /* prefer to keep a nearly correct expression */
        edit_replace(l, block, cost, r, "blockIdx.x * blockDim.x + %s", thread);
        edit_replace(l, block, cost, r, "2 * (blockIdx.x * blockDim.x + %s)", thread);
        edit_replace(l, block, cost, r, "2 * blockIdx.x * blockDim.x");
        const enum fix_cause of_loop = cause_of_loop(s, r.first);
        if (!strcmp(own, "blockDim.x"))
            edit_replace(l, of_loop == FIX_CAUSES ? FIX_BLOCK_INDEX : of_loop, 2, r, "gridDim.x * blockDim.x");
        chunks(l, names, r, name_token);
    }
    char chunk[NAME_SIZE];
    const bool ends = chunk_of(s, s->statement[s->token[name_token].statement].function, chunk) &&
                      source_is(s, r.last, chunk) && source_is(s, r.last - 1, "+");
    if (roles_in(s, r) & ROLE_SIZE) /* the last chunk ends at the end of the input */
        edit_replace(l, ends ? FIX_CHUNK : FIX_NO_LIMIT, ends ? 1 : 2, r, "min(%s, n)", own);
    loop_variable_around(s, s->token[name_token].statement, loop);
    if (*loop)
        edit_replace(l, cause, 2, r, "2 * %s * %s", loop, thread), edit_replace(l, cause, 2, r, "%s * (%s)", loop, own);
    for (unsigned k = 0; k < names->counts.count; k++)
        if (!source_is(s, name_token, names->counts.item[k]) && !source_has(s, r, names->counts.item[k])) {
            edit_replace(l, cause, roles_in(s, r) & ROLE_SIZE ? 2 : 3, r, "%s + %s", names->counts.item[k], own);
            edit_replace(l, cause, 3, r, "%s - %s", names->counts.item[k], own);
            if (roles_in(s, r) & ROLE_SIZE) edit_replace(l, cause, 2, r, "%s - %s", own, names->counts.item[k]);
            edit_replace(l, cause, 3, r, "%s * (%s)", names->counts.item[k], own);
        }
}
/* Rounds up `each`, the number of elements per thread, in `from = t * each` and where the function adds it, as in `to =
 * from + each`. */
static void share_of_thread(struct edit_list *l, const struct names *names, struct range body, struct range r) {
    const struct source *s = l->source;
    int32_t times = r.first;
    while (times < r.last && !source_is(s, times, "*")) times++;
    const struct range thread = {r.first, times - 1}, each = {times + 1, r.last};
    if (range_is_empty(each) || !(roles_in(s, thread) & ROLE_THREAD) || roles_in(s, r) & (ROLE_SIZE | ROLE_BLOCK))
        return;
    const bool lane = *names->lane && source_is(s, thread.first, names->lane);
    char text[EXPRESSION_SIZE];
    snprintf(text, sizeof text, lane ? "((n + 31) / 32)" : "((n + blockDim.x - 1) / blockDim.x)");
    for (int32_t k = r.last; k < body.last; k++) {
        const struct range other = {k + 1, k + 1 + each.last - each.first};
        if (!source_is(s, k, "+") || !is_same_text(s, each, other)) continue;
        edit_add(l, FIX_CHUNK, 2, r, (struct edit_part[]){edit_part_of(s, each, text), edit_part_of(s, other, text)},
                 2);
    }
}
/* Limits `to` to a number of elements or blocks, after `to = from + share;`. */
static void limited(struct edit_list *l, const struct names *names, struct range r, int32_t name) {
    const struct source *s = l->source;
    const struct range all = s->statement[s->token[name].statement].all;
    char own[NAME_SIZE], text[2 * EXPRESSION_SIZE];
    source_copy(s, range_of(name), own, sizeof own);
    for (unsigned k = 0; k <= names->counts.count && source_has(s, r, "+"); k++) {
        const char *most = k ? names->counts.item[k - 1] : "gridDim.x";
        if (!strcmp(own, most) || source_has(s, r, most)) continue;
        snprintf(text, sizeof text, " if (%s > %s) %s = %s;", own, most, own, most);
        edit_add(l, FIX_NO_GUARD, 3, all, &(struct edit_part){source_end(s, all), 0, text}, 1);
    }
}
/* Adds the number of elements in whole chunks or vectors to an index. If `full = n / 8`, this number is `8 * full`. */
static void behind_whole_ones(struct edit_list *l, struct range body, struct range r, int32_t name) {
    const struct source *s = l->source;
    char own[EXPRESSION_SIZE], width[NAME_SIZE], count[NAME_SIZE];
    source_copy(s, r, own, sizeof own);
    for (int32_t k = body.first; k < name; k++) {
        if (!is_set(s, k) || !source_is(s, k + 1, "=")) continue;
        const struct range value = operand_behind(s, k + 1);
        if (value.last <= value.first || !source_is(s, value.last - 1, "/")) continue;
        source_copy(s, range_of(k), count, sizeof count), source_copy(s, range_of(value.last), width, sizeof width);
        if (!source_has(s, r, count)) edit_replace(l, FIX_INDEX, 2, r, "%s * %s + %s", width, count, own);
    }
}
/* Lets a pointer, as in `T *p = in + start`, point to another element. */
static void pointer(struct edit_list *l, const struct names *names, struct range r) {
    const char *const own[] = {names->thread, names->global, names->lane, "blockDim.x"};
    char text[EXPRESSION_SIZE];
    source_copy(l->source, r, text, sizeof text);
    for (unsigned k = 0; k < 4; k++)
        if (*own[k]) edit_replace(l, cause_at(l->source, r.first), 2, r, "%s + %s", text, own[k]);
    for (unsigned k = 0; k < 4 && source_is(l->source, r.first + 1, "+"); k++) /* try another offset */
        if (*own[k]) edit_replace(l, FIX_INDEX, 2, (struct range){r.first + 2, r.last}, "%s", own[k]);
    for (unsigned k = 0; k < names->counts.count; k++)
        edit_replace(l, cause_at(l->source, r.first), 2, r, "%s + %s", text, names->counts.item[k]);
    for (unsigned k = 0; k < names->constants.count && source_is(l->source, r.first + 1, "+"); k++) { /* try a vector */
        const struct range offset = {r.first + 2, r.last};
        edit_replace(l, FIX_INDEX, 1, offset, "%s * (%s)", names->constants.item[k],
                     source_copy(l->source, offset, text, sizeof text));
    }
}
/* Returns the value of the integer declared at `token` if it is a quotient (a remainder) of the thread's index and a
 * constant, such as `t / 32` and `t >> 5` (`t % 32` and `t & 31`). Otherwise returns an empty range. */
static struct range part_of_thread(const struct source *s, int32_t token, bool quotient) {
    const struct range none = {0, -1}, r = source_is(s, token + 1, "=") ? operand_behind(s, token + 1) : none;
    const int32_t op = r.last - 1;
    if (r.last < r.first + 2 || !is_declared(s, token) || !is_integer(s, token)) return none;
    const bool fits =
        quotient ? source_is(s, op, "/") || source_is(s, op, ">>") : source_is(s, op, "%") || source_is(s, op, "&");
    return fits && roles_in(s, (struct range){r.first, op - 1}) == ROLE_THREAD ? r : none;
}
/* Exchanges the values in `lane = t / 32, warp = t % 32`. */
static void lane_for_warp(struct edit_list *l, struct range body) {
    const struct source *s = l->source;
    struct range quotient = {0, -1}, remainder = {0, -1};
    for (int32_t k = body.first; k < body.last; k++) {
        if (range_is_empty(quotient)) quotient = part_of_thread(s, k, true);
        if (range_is_empty(remainder)) remainder = part_of_thread(s, k, false);
    }
    if (range_is_empty(quotient) || range_is_empty(remainder)) return;
    const bool before = quotient.first < remainder.first;
    const struct range first = before ? quotient : remainder, second = before ? remainder : quotient;
    char one[EXPRESSION_SIZE], other[EXPRESSION_SIZE];
    source_copy(s, first, one, sizeof one), source_copy(s, second, other, sizeof other);
    edit_add(l, FIX_LANE_FOR_WARP, 1, (struct range){first.first - 2, first.last},
             (struct edit_part[]){edit_part_of(s, first, other), edit_part_of(s, second, one)}, 2);
}
/* Turns `head = off`, where `off` is the distance from the last 16-byte boundary, into the distance to the next one. */
static void to_next_boundary(struct edit_list *l, const struct names *names, struct range body, struct range r) {
    const struct source *s = l->source;
    char own[NAME_SIZE];
    if (r.first != r.last || s->token[r.first].kind != TOKEN_NAME) return;
    for (int32_t k = body.first; k < r.first; k++) {
        const bool declared = source_same(s, k, r.first) && is_declared(s, k) && source_is(s, k + 1, "=");
        const struct range value = declared ? operand_behind(s, k + 1) : range_of(k);
        if (!declared || !source_has(s, value, "%") || !source_has(s, value, "sizeof")) continue;
        for (int32_t c = 1; c + 4 < body.first; c++) /* WIDTH = 16 / sizeof(value_t) */
            if (is_listed(s, c, &names->constants) && source_is(s, c + 1, "=") && source_is(s, c + 4, "sizeof"))
                edit_replace(l, FIX_ALIGNMENT, 0, r, "%.*s - %s", (int)s->token[c].length, s->text + s->token[c].at,
                             source_copy(s, r, own, sizeof own));
    }
}
/* Does so in `head = off;` and in `head = off == 0 ? 0 : off;`. */
static void boundaries(struct edit_list *l, const struct names *names, struct range body, int32_t equals) {
    const struct source *s = l->source;
    for (int32_t k = equals; k < body.last && !source_is(s, k, ";"); k++) {
        const struct range r = operand_behind(s, k);
        const bool value = k == equals || source_is(s, k, "?") || source_is(s, k, ":");
        if (value && (source_is(s, r.last + 1, ";") || source_is(s, r.last + 1, ",") || source_is(s, r.last + 1, ":")))
            to_next_boundary(l, names, body, r);
    }
}
/* Divides an address by 16, not by the number of elements, as in `(size_t)in % WIDTH` for a number of bytes. */
static void bytes_of_address(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    const bool address = source_is(s, op - 2, ")") && source_is(s, op - 3, "size_t") && source_is(s, op - 4, "(");
    if (source_is(s, op, "%") && address && is_listed(s, op + 1, &names->constants))
        edit_replace(l, FIX_ALIGNMENT, 0, (struct range){op - 4, op + 1}, "(size_t)%.*s %% 16",
                     (int)s->token[op - 1].length, s->text + s->token[op - 1].at);
}
/* Caps at n a difference that is assigned to an integer, as in `if (off != 0) head = 4 - off;`. */
static void limited_difference(struct edit_list *l, const struct names *names, struct range r, int32_t name) {
    char own[EXPRESSION_SIZE];
    if (!is_listed(l->source, name, &names->counts) || !source_has(l->source, r, "-")) return;
    edit_replace(l, FIX_NO_LIMIT, 2, r, "min(%s, n)", source_copy(l->source, r, own, sizeof own));
}
/* If only the last block's chunk is limited to the end of the input, limits every chunk: an earlier chunk may be the
 * first one that is too long. The forms are `end = last ? n : begin + chunk` and `if (last) end = n;`. */
static void every_end(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, c = s->statement[at].condition;
    char sum[EXPRESSION_SIZE], most[NAME_SIZE];
    for (int32_t mark = all.first + 2; mark < all.last; mark++) {
        if (!source_is(s, mark, "?") || s->statement[at].kind != STATEMENT_PLAIN) continue;
        const struct range a = operand_behind(s, mark), b = operand_behind(s, a.last + 1);
        int32_t first = mark;
        while (first > all.first && !source_is(s, first - 1, "=")) first--;
        const bool last = roles_in(s, (struct range){first, mark - 1}) & ROLE_BLOCK && first > all.first,
                   a_ends = a.first == a.last;
        const struct range end = a_ends ? a : b, other = a_ends ? b : a;
        if (!last || range_is_empty(b) || end.first != end.last || !(roles_in(s, end) & ROLE_SIZE)) continue;
        source_copy(s, other, sum, sizeof sum), source_copy(s, end, most, sizeof most);
        if (source_has(s, other, "+"))
            edit_replace(l, FIX_CHUNK, 1, (struct range){first, b.last}, "min(%s, %s)", sum, most);
    }
    if (s->statement[at].kind != STATEMENT_IF || !(roles_in(s, c) & ROLE_BLOCK) || !source_has(s, c, "gridDim")) return;
    const struct range body = s->statement[s->statement[at].body].all;
    const int32_t name = body.first + source_is(s, body.first, "{"), value = name + 2;
    if (!is_set(s, name) || !source_is(s, name + 1, "=") || !source_is(s, value + 1, ";")) return;
    if (roles_in(s, range_of(value)) & ROLE_SIZE)
        edit_replace(l, FIX_CHUNK, 1, c, "%s > %s", source_copy(s, range_of(name), sum, sizeof sum),
                     source_copy(s, range_of(value), most, sizeof most));
}
/* Turns `sum = add(identity(), x)` in a loop into `sum = add(sum, x)`. */
static void continued(struct edit_list *l, struct range r, int32_t name) {
    const struct source *s = l->source;
    char own[NAME_SIZE];
    for (int32_t k = r.first + 2; k + 2 < r.last && loop_around(s, s->token[name].statement) >= 0; k++)
        if (source_is(s, k, "identity") && (source_is(s, k - 1, "(") || source_is(s, k - 1, ",")))
            edit_replace(l, FIX_RESTARTS, 1, (struct range){k, k + 2}, "%s",
                         source_copy(s, range_of(name), own, sizeof own));
}
void rules_initial(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    names_of(s, function, &names);
    lane_for_warp(l, body);
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function) every_end(l, k);
    for (int32_t k = body.first + 4; k < body.last; k++) bytes_of_address(l, &names, k);
    for (int32_t k = body.first + 2; k < body.last; k++) {
        if (!source_is(s, k, "=") || s->token[k].kind != TOKEN_SIGN || source_is(s, k - 1, "]")) continue;
        const struct range r = operand_behind(s, k);
        const bool plain = s->statement[s->token[k].statement].kind == STATEMENT_PLAIN;
        if (!plain || r.last < r.first) continue;
        if (is_listed(s, k - 1, &names.counts)) limited(l, &names, r, k - 1), boundaries(l, &names, body, k);
        if (!is_declared(s, k - 1)) {
            limited_difference(l, &names, r, k - 1), continued(l, r, k - 1);
            continue;
        }
        if (is_integer(s, k - 1))
            share_of_thread(l, &names, body, r), length_of_chunk(l, &names, body, r), lanes_of_warp(l, r);
        if (is_integer(s, k - 1)) initializer(l, &names, r, k - 1), behind_whole_ones(l, body, r, k - 1);
        if (source_is(s, k - 2, "*")) pointer(l, &names, r);
        if (is_listed(s, k - 1, &names.values) && source_is(s, r.first, "*") && source_has(s, r, "++"))
            edit_replace(l, FIX_INITIAL_VALUE, 1, r, "identity()"); /* `value_t x = *p++;` */
    }
}
