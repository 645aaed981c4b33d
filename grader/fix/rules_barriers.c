/* Generates edits to synchronization: barriers, __syncwarp() and fences. In code for clusters, also edits to cluster
 * ranks and to accesses to other blocks' shared memory. */
#include "fix/loops.h"
#include <stdlib.h>
#include <string.h>

static bool inside_if(const struct source *s, int32_t at) {
    return source_around(s, s->statement[at].parent, STATEMENT_IF) >= 0;
}
/* Inserts `word` after a statement. If the statement is the body of a branch or loop, encloses both in braces. */
static void behind(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t at, const char *word) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range quoted = st->kind == STATEMENT_IF && st->body >= 0
                                    ? (struct range){st->all.first, s->statement[st->body].all.last}
                                : st->kind == STATEMENT_PLAIN ? st->all
                                                              : (struct range){st->all.first, st->condition.last + 1};
    const bool in_block = source_in_block(s, at);
    const struct edit_part parts[] = {{source_begin(s, st->all), 0, (char *)(in_block ? "" : "{ ")},
                                      {source_end(s, st->all), 0, NULL}};
    char text[80];
    snprintf(text, sizeof text, " %s%s", word, in_block ? "" : " }");
    struct edit_part own[2] = {parts[0], parts[1]};
    own[1].text = text;
    if (quoted.last >= quoted.first) edit_add(l, cause, cost, quoted, own, 2);
}
/* Returns whether the line above the statement is a directive, such as #pragma unroll. */
static bool is_under_pragma(const struct source *s, int32_t at) {
    const char *line = s->text + s->token[s->statement[at].all.first].at;
    while (line > s->text && line[-1] != '\n') line--;
    if (line == s->text) return false;
    for (line--; line > s->text && line[-1] != '\n';) line--;
    return line[strspn(line, " \t")] == '#';
}
static void before(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t at, const char *word) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const bool plain = st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN;
    const struct range quoted = plain ? st->all : (struct range){st->all.first, st->condition.last + 1};
    if (source_in_block(s, at) && !is_under_pragma(s, at) && quoted.last >= quoted.first)
        edit_insert(l, cause, cost, st->all.first, quoted, "%s ", word);
}
/* Writes the mask of the lanes that execute the statement. It is the mask of a __syncwarp(mask) in the same block, or
 * has the lanes that a condition such as `lane < 16` selects. Returns false if the mask is unknown. */
static bool mask_here(const struct source *s, int32_t at, char mask[NAME_SIZE]) {
    for (int32_t k = 0; k < s->statements; k++) {
        const struct range all = s->statement[k].all;
        if (s->statement[k].parent != s->statement[at].parent || !source_is(s, all.first, "__syncwarp")) continue;
        if (all.last < all.first + 4) continue;
        return source_copy(s, (struct range){all.first + 2, all.last - 2}, mask, NAME_SIZE), true;
    }
    for (int32_t k = s->statement[at].parent; k >= 0; k = s->statement[k].parent) {
        const struct range c = s->statement[k].condition;
        const bool selects =
            s->statement[k].kind == STATEMENT_IF && c.last == c.first + 2 && source_is(s, c.first + 1, "<");
        const unsigned long lanes = selects ? strtoul(s->text + s->token[c.last].at, NULL, 0) : 0;
        if (!lanes || lanes >= 32 || !depends_on_the_thread(s, c)) continue;
        return snprintf(mask, NAME_SIZE, "0x%lx", (1ul << lanes) - 1), true;
    }
    return false;
}
/* Moves a barrier after a loop without barriers to the end of the loop body. */
static void into_the_loop(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    for (int32_t k = 0; k < at; k++) {
        const struct statement *f = &s->statement[k];
        if (f->parent != s->statement[at].parent || f->all.last + 1 != all.first || loop_around(s, k) != k) continue;
        const struct range body = s->statement[f->body].all;
        const struct edit_part parts[] = {
            {source_end(s, body) - 1, 0, (char *)"__syncthreads(); "},
            {source_begin(s, all), source_end(s, all) - source_begin(s, all), (char *)""}};
        if (s->statement[f->body].kind == STATEMENT_BLOCK && !source_waits(s, body))
            edit_add(l, FIX_BARRIER_AFTER_LOOP, 0, all, parts, 2);
    }
}
/* Removes a branch's condition if the branch contains only this statement. */
static void without_condition(struct edit_list *l, enum fix_cause cause, struct range all, struct range branch) {
    const struct source *s = l->source;
    const uint32_t at = source_begin(s, branch);
    if (source_end(s, branch) != source_end(s, all)) return;
    edit_add(l, cause, 1, all, &(struct edit_part){at, source_begin(s, all) - at, (char *)""}, 1);
}
/* Moves a synchronization out of a branch or loop: to before it or after it. */
static void out_of_branch(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const bool warp = source_is(s, all.first, "__syncwarp");
    const int32_t branch_of_it = source_around(s, s->statement[at].parent, STATEMENT_IF);
    const bool together = branch_of_it >= 0 && loop_around(s, s->statement[at].parent) < branch_of_it &&
                          !depends_on_the_thread(s, s->statement[branch_of_it].condition);
    const enum fix_cause cause = warp       ? FIX_WARP_SYNC_IN_BRANCH
                                 : together ? FIX_BARRIER_SKIPPED
                                            : FIX_BARRIER_IN_BRANCH;
    const char *word = warp ? "__syncwarp();" : "__syncthreads();";
    const bool otherwise = source_is(s, all.first - 1, "else"); /* without a statement, the else goes, too */
    const uint32_t from = otherwise ? source_end(s, range_of(all.first - 2)) : source_begin(s, all);
    char text[120], above[40];
    snprintf(text, sizeof text, " %s", word), snprintf(above, sizeof above, "%s ", word);
    if (otherwise) snprintf(text, sizeof text, "\n%*s%s", (int)(source_indentation(s, all.first - 1) % 64), "", word);
    const struct edit_part gone = {from, source_end(s, all) - from, (char *)(otherwise ? "" : ";")};
    for (int32_t k = s->statement[at].parent; k >= 0; k = s->statement[k].parent) {
        if (s->statement[k].kind != STATEMENT_IF && loop_around(s, k) != k) continue;
        const struct range branch = s->statement[k].all;
        const struct edit_part after[] = {gone, {source_end(s, branch), 0, text}};
        const struct edit_part first[] = {{source_begin(s, branch), 0, above}, gone};
        edit_add(l, cause, 1, all, after, 2);
        if (!otherwise) edit_add(l, cause, 1, all, first, 2);
        if (k == s->statement[at].parent && s->statement[k].kind == STATEMENT_IF)
            without_condition(l, cause, all, branch);
    }
}
static void other_word(struct edit_list *l, int32_t at, bool called_in_branch) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    if (source_is(s, all.first, "__syncwarp")) {
        if (!called_in_branch) edit_replace(l, FIX_BARRIER, 1, all, "__syncthreads();");
        if (!is_of_half_a_warp(s, at)) edit_replace(l, FIX_MASK, 1, all, "__syncwarp();");
        edit_replace(l, FIX_MASK, 1, all, "__syncwarp(0x0000ffff);");
        edit_replace(l, FIX_FENCE, 1, all, "__threadfence();");
    }
    if (source_is(s, all.first, "__threadfence") || source_is(s, all.first, "__threadfence_block"))
        edit_replace(l, FIX_BARRIER, 1, all, "__syncthreads();"),
            edit_replace(l, FIX_FENCE, 1, all, "__threadfence();");
    if (source_is(s, all.first, "__syncthreads")) {
        edit_replace(l, FIX_BARRIER, 1, all, "__syncthreads();");
        edit_replace(l, FIX_FENCE, 2, all, "__threadfence();");
    }
}
/* Splits `s[a] = combine(s[b], s[c]);` into a read, a wait and a write. */
static void read_wait_write(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const bool alone = source_in_block(s, at);
    const char *line = s->text + edit_line_begin(s->text, source_begin(s, all));
    const int indent = (int)strspn(line, " \t");
    char target[EXPRESSION_SIZE], value[EXPRESSION_SIZE], mask[NAME_SIZE] = "";
    const bool some = mask_here(s, at, mask);
    for (int32_t k = all.first; k < all.last; k++) {
        if (!source_is(s, k, "=") || !source_is(s, k - 1, "]") || !source_has(s, (struct range){k, all.last}, "["))
            continue;
        source_copy(s, (struct range){all.first, k - 1}, target, sizeof target);
        source_copy(s, (struct range){k + 1, all.last - 1}, value, sizeof value);
        const char *waits[] = {"__syncwarp()", "__syncthreads()"};
        for (unsigned w = 0; w < (inside_if(s, at) ? 1 : 2); w++) {
            const enum fix_cause cause = w ? FIX_BARRIER : FIX_WARP_SYNC;
            char wait[NAME_SIZE + 20];
            snprintf(wait, sizeof wait, "%s", waits[w]);
            if (!w && some) snprintf(wait, sizeof wait, "__syncwarp(%s)", mask);
            if (alone)
                edit_replace(l, cause, 2, all, "value_t all_read = %s;\n%.*s%s;\n%.*s%s = all_read;", value, indent,
                             line, wait, indent, line, target);
            else
                edit_replace(l, cause, 2, all, "{ value_t all_read = %s; %s; %s = all_read; }", value, wait, target);
        }
    }
}
/* ---- the barrier of a cluster ---- */
/* Returns a token that names the function's cluster object, or -1. Its members identify the object. */
static int32_t cluster_name(const struct source *s, int32_t function) {
    static const char *const members[] = {"sync",           "block_rank",   "num_blocks",  "map_shared_rank",
                                          "barrier_arrive", "barrier_wait", "thread_rank", "num_threads"};
    const struct range all = s->statement[s->function[function].body].all;
    for (int32_t k = all.first + 2; k <= all.last; k++)
        for (size_t m = 0; source_is(s, k - 1, ".") && m < sizeof members / sizeof *members; m++)
            if (source_is(s, k, members[m]) && s->token[k - 2].kind == TOKEN_NAME) return k - 2;
    return -1;
}
/* Returns whether the statement is a barrier of the cluster or of the block, or one half of a cluster's barrier. */
static bool waits_here(const struct source *s, const struct statement *st) {
    const int32_t first = st->all.first;
    return st->kind == STATEMENT_PLAIN &&
           (source_is(s, first, "__syncthreads") || (source_is(s, first + 1, ".") && source_is(s, first + 2, "sync")) ||
            source_has(s, st->all, "barrier_wait") || source_has(s, st->all, "barrier_arrive"));
}
static void sync_clusters(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const int32_t name = cluster_name(s, function);
    char sync[80], text[90];
    if (name < 0) return;
    source_copy(s, range_of(name), text, 64);
    snprintf(sync, sizeof sync, "%.60s.sync();", text);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->function != function || st->parent < 0 || st->kind == STATEMENT_BLOCK) continue;
        const bool waits = waits_here(s, st);
        if (waits) edit_replace(l, FIX_CLUSTER_BARRIER, 1, st->all, "%s", sync);
        for (int32_t p = st->parent; waits && p >= 0; p = s->statement[p].parent) {
            if (s->statement[p].kind != STATEMENT_IF) continue;
            snprintf(text, sizeof text, " %s", sync);
            const struct edit_part after[] = {
                {source_begin(s, st->all), source_end(s, st->all) - source_begin(s, st->all), (char *)";"},
                {source_end(s, s->statement[p].all), 0, text}};
            /* A block's barrier that the edit replaces with a cluster's may already be at the right place. */
            const enum fix_cause cause =
                source_has(s, st->all, "__syncthreads") ? FIX_CLUSTER_BARRIER : FIX_CLUSTER_BARRIER_IN_BRANCH;
            edit_add(l, cause, 1, st->all, after, 2);
            if (p == st->parent) without_condition(l, FIX_CLUSTER_BARRIER_IN_BRANCH, st->all, s->statement[p].all);
        }
        if (!source_in_block(s, k) || inside_if(s, k)) continue;
        if (st->kind != STATEMENT_RETURN) behind(l, FIX_CLUSTER_BARRIER, 1, k, sync);
        before(l, FIX_CLUSTER_BARRIER, 1, k, sync);
    }
}
/* Returns a name that gets the value `gridDim.x / c.num_blocks()`, or the same with blockIdx, before token `at`, which
 * is gridDim or blockIdx. Returns -1 if there is none. */
static int32_t quotient_named(const struct source *s, struct range body, int32_t at) {
    for (int32_t k = body.first; k + 6 < at; k++)
        if (source_is(s, k + 1, "=") && source_same(s, k + 2, at) && source_is(s, k + 5, "/") &&
            source_is(s, k + 8, "num_blocks"))
            return k;
    return -1;
}
/* In code for clusters, exchanges indices of blocks, ranks and numbers of blocks. Also changes which element of which
 * block is accessed, and lets only the block of rank 0 continue. */
static void number_in_cluster(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const int32_t name = cluster_name(s, function);
    const struct range all = s->statement[s->function[function].body].all;
    char cluster[64], of_grid[NAME_SIZE];
    if (name < 0) return;
    source_copy(s, range_of(name), cluster, sizeof cluster);
    for (int32_t k = all.first; k + 2 <= all.last; k++) {
        const struct range member = {k, k + 2}, call = {k, k + 4};
        const enum fix_cause cause = cause_at(s, k) == FIX_TICKET ? FIX_TICKET : FIX_CLUSTER_RANK;
        if (source_is(s, k, "blockIdx") || source_is(s, k, "gridDim")) {
            edit_replace(l, cause, 1, member, "%s.block_rank()", cluster);
            edit_replace(l, cause, 1, member, "%s.num_blocks()", cluster);
            const int32_t named = quotient_named(s, all, k);
            if (named >= 0)
                edit_replace(l, FIX_CLUSTER_RANK, 1, member, "%s",
                             source_copy(s, range_of(named), of_grid, sizeof of_grid));
            else
                edit_replace(l, FIX_CLUSTER_RANK, 1, member, "(%s.x / %s.num_blocks())",
                             source_is(s, k, "blockIdx") ? "blockIdx" : "gridDim", cluster);
            /* The quotient is the cluster's index, and the remainder is the rank. */
            const bool quotient = source_is(s, k + 3, "/"), remainder = source_is(s, k + 3, "%");
            if (quotient || remainder) edit_replace(l, cause, 1, range_of(k + 3), quotient ? "%%" : "/");
        }
        if (k + 4 > all.last || !source_is(s, k + 1, ".") || !source_is(s, k + 3, "(") || !source_is(s, k + 4, ")"))
            continue;
        if (source_is(s, k + 2, "num_blocks")) {
            edit_replace(l, cause, 2, call, "%s.block_rank()", cluster);
            if (!source_is(s, k - 1, "/")) edit_replace(l, cause, 1, call, "(gridDim.x / %s.num_blocks())", cluster);
        }
        if (source_is(s, k + 2, "block_rank")) edit_replace(l, FIX_CLUSTER_RANK, 2, call, "%s.num_blocks()", cluster);
    }
    for (int32_t k = all.first; k < all.last; k++) { /* map_shared_rank(p, rank) */
        const int32_t end = source_is(s, k, "map_shared_rank") ? s->token[k + 1].match : -1;
        int32_t comma = end;
        while (comma > k && !source_is(s, comma, ",")) comma--;
        if (end < 0 || comma <= k) continue;
        const struct range rank = {comma + 1, end - 1};
        edit_replace(l, FIX_MAPPED, 1, rank, "0");
        edit_replace(l, FIX_MAPPED, 1, rank, "threadIdx.x");
        edit_replace(l, FIX_MAPPED, 2, rank, "%s.block_rank()", cluster);
        if (source_is(s, k + 3, "+") && comma > k + 4) { /* map_shared_rank(p + t, rank) */
            char array[64], index[64];
            const struct range place = {k + 2, comma - 1};
            source_copy(s, range_of(k + 2), array, sizeof array);
            source_copy(s, (struct range){k + 4, comma - 1}, index, sizeof index);
            edit_add(l, FIX_MAPPED, 1, (struct range){k, end},
                     (struct edit_part[]){edit_part_of(s, place, array), edit_part_of(s, rank, index)}, 2);
        }
        if (source_is(s, end + 1, "[")) { /* map_shared_rank(p, 0)[t] */
            char own[64], index[64];
            const struct range element = {end + 2, s->token[end + 1].match - 1};
            source_copy(s, rank, own, sizeof own), source_copy(s, element, index, sizeof index);
            edit_add(l, FIX_MAPPED, 1, (struct range){k, element.last + 1},
                     (struct edit_part[]){edit_part_of(s, rank, index), edit_part_of(s, element, own)}, 2);
        }
        char number[64], read[160];
        if (k < 3 || !source_is(s, k - 3, "*")) continue;
        if (k > 3 && source_is(s, k - 4, "?")) continue; /* the read has a guard */
        const struct range all_of_it = {k - 3, end};
        source_copy(s, rank, number, sizeof number), source_copy(s, all_of_it, read, sizeof read);
        edit_replace(l, FIX_NO_GUARD, 1, all_of_it, "(%s < %s.num_blocks() ? %s : identity())", number, cluster, read);
    }
    for (int32_t k = all.first + 1; k < all.last; k++) { /* `s[rank]`: an element of another block */
        char array[64], index[64];
        if (!is_array_access(s, k) || source_is(s, s->token[k].match + 1, "=")) continue;
        source_copy(s, range_of(k - 1), array, sizeof array);
        source_copy(s, (struct range){k + 1, s->token[k].match - 1}, index, sizeof index);
        edit_replace(l, FIX_ARRAY, 2, (struct range){k - 1, s->token[k].match}, "*%s.map_shared_rank(%s, %s)", cluster,
                     array, index);
    }
    for (int32_t k = all.first + 1; k + 2 < all.last; k++) { /* `T *p = s + rank;` */
        char array[64], index[64];
        const bool points = source_is(s, k, "=") && source_is(s, k - 2, "*") && is_declared(s, k - 1);
        const struct range value = operand_behind(s, k);
        if (!points || !source_is(s, value.first + 1, "+") || s->token[value.first].kind != TOKEN_NAME) continue;
        source_copy(s, range_of(value.first), array, sizeof array);
        source_copy(s, (struct range){value.first + 2, value.last}, index, sizeof index);
        edit_replace(l, FIX_ARRAY, 2, value, "%s.map_shared_rank(%s, %s)", cluster, array, index);
    }
    for (int32_t k = 0; k < s->statements; k++) { /* let only one block of the cluster continue */
        const struct statement *st = &s->statement[k];
        if (st->function == function && st->kind == STATEMENT_IF && source_has(s, st->all, "partial") &&
            s->function[function].is_kernel && source_in_block(s, k))
            edit_insert(l, FIX_CLUSTER_RETURN, 1, st->all.first, st->condition, "if (%s.block_rank() != 0) return; ",
                        cluster);
    }
    for (int32_t k = all.first; k < all.last; k++) /* replace a constant with the number of blocks */
        if (s->token[k].kind == TOKEN_NUMBER && (source_is(s, k - 1, "<") || source_is(s, k - 1, "/")) &&
            !source_is(s, k, "32"))
            edit_replace(l, FIX_CLUSTER_RANK, 1, range_of(k), "%s.num_blocks()", cluster);
}
/* Returns the array if the statement sets one of its elements in another block, as in `*cluster.map_shared_rank(s, 0) =
 * x;`. With a pointer set to map_shared_rank(s, 0), `p[rank] = x;` counts, too. Returns -1 otherwise. */
static int32_t set_elsewhere(const struct source *s, int32_t at, int32_t equals) {
    const struct statement *st = &s->statement[at];
    const struct range body = s->statement[s->function[st->function].body].all, target = {st->all.first, equals - 1};
    for (int32_t k = body.first; k < body.last; k++) {
        if (!source_is(s, k, "map_shared_rank") || s->token[k + 2].kind != TOKEN_NAME) continue;
        const bool here = range_holds(target, k), by_pointer = source_is(s, k - 3, "=") && is_declared(s, k - 4) &&
                                                               source_same(s, k - 4, target.first);
        if (here || by_pointer) return k + 2;
    }
    return -1;
}
/* Lets each block store its result in its own shared memory, not in that of another block. The reader then reads the
 * shared memory of the other blocks. */
static void store_in_own(struct edit_list *l, int32_t function, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, body = s->statement[s->function[function].body].all;
    const int32_t name = cluster_name(s, function);
    int32_t equals = all.first, end = -1;
    while (equals < all.last && !source_is(s, equals, "=")) equals++;
    const int32_t array = name < 0 || equals == all.last ? -1 : set_elsewhere(s, at, equals);
    if (array < 0 || is_declared(s, equals - 1)) return;
    for (int32_t k = at; k < s->statements; k++)
        if (s->statement[k].kind == STATEMENT_RETURN && s->statement[k].parent == s->function[function].body) end = k;
    char cluster[64], own[64], index[64], place[70], read[200], sync[80];
    source_copy(s, range_of(name), cluster, sizeof cluster), source_copy(s, range_of(array), own, sizeof own);
    snprintf(place, sizeof place, "%s[0]", own), snprintf(sync, sizeof sync, "%s.sync(); ", cluster);
    const struct edit_part store = edit_part_of(s, (struct range){all.first, equals - 1}, place);
    for (int32_t k = all.last; k < body.last; k++) {
        if (!is_array_access(s, k) || !source_same(s, k - 1, array)) continue;
        source_copy(s, (struct range){k + 1, s->token[k].match - 1}, index, sizeof index);
        snprintf(read, sizeof read, "*%s.map_shared_rank(%s, %s)", cluster, own, index);
        const struct edit_part load = edit_part_of(s, (struct range){k - 1, s->token[k].match}, read);
        edit_add(l, FIX_CLUSTER_STORE, 1, all, (struct edit_part[]){store, load}, 2);
        if (end >= 0)
            edit_add(l, FIX_CLUSTER_STORE, 1, all,
                     (struct edit_part[]){store, load, {source_begin(s, s->statement[end].all), 0, sync}}, 3);
    }
}
/* Returns whether the range reads an element of `partial`. A store's target is not read. */
static bool reads_partials(const struct source *s, struct range r) {
    for (int32_t k = r.first; k < r.last; k++)
        if (source_is(s, k, "partial") && source_is(s, k + 1, "[") && !source_is(s, s->token[k + 1].match + 1, "="))
            return true;
    return false;
}
/* Returns whether the function is called in a branch that some threads may skip. */
static bool is_called_in_a_branch(const struct source *s, int32_t function) {
    for (int32_t k = 0; k + 1 < s->tokens; k++) {
        if (s->token[k].statement < 0 || !source_is(s, k + 1, "(") ||
            !source_same(s, k, s->function[function].name.first))
            continue;
        const int32_t branch = source_around(s, s->token[k].statement, STATEMENT_IF);
        if (branch >= 0 && depends_on_the_thread(s, s->statement[branch].condition)) return true;
    }
    return false;
}
/* Lets all threads execute the same iterations of a loop that contains barriers, `for (i = begin + t; i < end; ...)`.
 * The thread's index moves from the loop's start to the index of the loaded element. */
static void same_iterations(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    char variable[NAME_SIZE], thread[NAME_SIZE], bound[EXPRESSION_SIZE], own[EXPRESSION_SIZE],
        text[3 * EXPRESSION_SIZE];
    if (st->kind != STATEMENT_FOR || !source_waits(s, st->all)) return;
    const int32_t less = st->condition.first + 1, last = st->begin.last;
    loop_variable_around(s, at, variable);
    if (!source_is(s, less, "<") || !source_is(s, st->condition.first, variable)) return;
    const int32_t t = source_is(s, last, "x") ? last - 2 : last; /* t or threadIdx.x */
    if (!source_is(s, t - 1, "+") || !depends_on_the_thread(s, (struct range){t, last})) return;
    source_copy(s, (struct range){t, last}, thread, sizeof thread);
    source_copy(s, (struct range){less + 1, st->condition.last}, bound, sizeof bound);
    for (int32_t k = st->condition.last; k < st->all.last; k++) {
        const int32_t close = s->token[k].match;
        if (!is_array_access(s, k) || close != k + 2 || !source_is(s, k + 1, variable)) continue;
        const struct range access = {k - 1, close}, array = range_of(k - 1);
        const uint32_t from = s->token[t - 1].at;
        snprintf(text, sizeof text, "(%s + %s < %s ? %s[%s + %s] : identity())", variable, thread, bound,
                 source_copy(s, array, own, sizeof own), variable, thread);
        edit_add(l, FIX_UNEVEN_LOOP, 1,
                 (struct range){st->all.first, st->body < 0 ? last : s->statement[st->body].all.first - 1},
                 (struct edit_part[]){{from, source_end(s, range_of(last)) - from, (char *)""},
                                      edit_part_of(s, access, text)},
                 2);
        return;
    }
}
void rules_barriers(struct edit_list *l, int32_t function) {
    sync_clusters(l, function);
    number_in_cluster(l, function);
    const struct source *s = l->source;
    const bool called_in_branch = is_called_in_a_branch(s, function);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        const struct range first = {st->all.first, st->all.first};
        if (st->function == function && st->kind == STATEMENT_RETURN && has_draw(s, st->all) && source_in_block(s, k))
            before(l, FIX_FENCE, 1, k, "__threadfence();");
        if (st->function != function || st->parent < 0 || st->kind == STATEMENT_BLOCK || st->kind == STATEMENT_RETURN)
            continue;
        same_iterations(l, k);
        if (st->kind == STATEMENT_PLAIN) store_in_own(l, function, k);
        const bool sync = source_has(s, first, "__syncthreads") || source_has(s, first, "__syncwarp"),
                   branch = inside_if(s, k) || called_in_branch, body = !source_in_block(s, k);
        if (sync && (branch || loop_around(s, st->parent) >= 0)) out_of_branch(l, k);
        if (source_has(s, first, "__syncthreads")) into_the_loop(l, k);
        if (st->kind == STATEMENT_PLAIN) other_word(l, k, called_in_branch), read_wait_write(l, k);
        if (s->statement[st->parent].kind == STATEMENT_IF) continue;
        if (sync && !source_has(s, first, "__syncthreads"))
            continue; /* another edit replaces the synchronization itself */
        if (!branch) behind(l, FIX_BARRIER, 1, k, "__syncthreads();");
        char of_some[NAME_SIZE];
        behind(l, FIX_WARP_SYNC, branch && mask_here(s, k, of_some) ? 2 : 1, k, "__syncwarp();");
        if (branch) {
            char mask[NAME_SIZE] = "0x0000ffff", word[NAME_SIZE + 20];
            const bool known = mask_here(s, k, mask);
            snprintf(word, sizeof word, "__syncwarp(%s);", mask);
            behind(l, FIX_WARP_SYNC, known ? 1 : 2, k, word);
        }
        if (!body && !branch)
            before(l, FIX_BARRIER, 1, k, "__syncthreads();"), before(l, FIX_WARP_SYNC, 1, k, "__syncwarp();");
        if (has_draw(s, st->all) || source_has(s, st->all, "partial"))
            before(l, has_draw(s, st->all) || !reads_partials(s, st->all) ? FIX_FENCE : FIX_FENCE_BEFORE_READS, 1, k,
                   "__threadfence();");
        if (st->kind == STATEMENT_IF && s->statement[st->body].kind == STATEMENT_RETURN)
            behind(l, FIX_FENCE_BEFORE_READS, 1, k, "__threadfence();");
    }
}
