/* Where do the two sides of a branch meet again? The immediate post-dominator of each branch, by the iterative
 * algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) on the reversed graph of basic
 * blocks. */
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

struct block {
    uint32_t first, last;
    uint32_t order, ipdom;
};
struct graph {
    struct block *blocks;
    uint32_t count, *block_of;
};
#define NONE UINT32_MAX

static bool branches(const struct ptx_insn *i) { return i->op == PTX_OP_bra || i->op == PTX_OP_brx_idx; }
static bool leaves(const struct ptx_insn *i) {
    return i->op == PTX_OP_ret || i->op == PTX_OP_exit || i->op == PTX_OP_trap;
}

/* Successor k of a block, or NONE when there is no k-th; graph->count stands for the exit. */
static uint32_t successor(const struct graph *g, const struct ptx_function *f, uint32_t b, uint32_t k) {
    const struct ptx_insn *i = &f->code[g->blocks[b].last];
    const uint32_t next = g->blocks[b].last + 1 < f->code_count ? b + 1 : g->count;
    const bool conditional = i->guard != PTX_NO_REG;
    if (leaves(i)) return k == 0 ? g->count : k == 1 && conditional ? next : NONE;
    if (!branches(i)) return k == 0 ? next : NONE;
    const uint32_t targets = i->op == PTX_OP_bra ? 1 : i->target_count;
    if (k < targets) {
        uint32_t t = i->op == PTX_OP_bra ? i->operand[0].target : i->targets[k];
        return t < f->code_count ? g->block_of[t] : g->count;
    }
    return k == targets && conditional ? next : NONE;
}

static void find_blocks(struct parser *p, struct graph *g, const struct ptx_function *f) {
    uint8_t *leader = ptx_take(p, f->code_count + 1, 1);
    leader[0] = 1;
    for (uint32_t k = 0; k < f->code_count; k++) {
        const struct ptx_insn *i = &f->code[k];
        if (branches(i) || leaves(i)) leader[k + 1] = 1;
        if (i->op == PTX_OP_bra) leader[i->operand[0].target] = 1;
        for (uint32_t n = 0; n < i->target_count; n++) leader[i->targets[n]] = 1;
    }
    g->block_of = ptx_take(p, f->code_count + 1, sizeof *g->block_of);
    for (uint32_t k = 0; k < f->code_count; k++) g->count += leader[k];
    g->blocks = ptx_take(p, g->count + 1, sizeof *g->blocks);
    for (uint32_t k = 0, b = 0; k < f->code_count; k++) {
        if (leader[k] && k) b++;
        if (leader[k]) g->blocks[b].first = k;
        g->blocks[b].last = k;
        g->block_of[k] = b;
    }
}

/* Predecessor lists, so that the reversed graph can be walked: edges[begin[b]..begin[b+1]). */
struct edges {
    uint32_t *begin, *from;
};
static struct edges reversed(struct parser *p, const struct graph *g, const struct ptx_function *f) {
    struct edges e = {ptx_take(p, g->count + 3, sizeof *e.begin), NULL};
    for (uint32_t b = 0; b < g->count; b++)
        for (uint32_t k = 0, s; (s = successor(g, f, b, k)) != NONE; k++) e.begin[s + 2]++;
    for (uint32_t b = 1; b < g->count + 3; b++) e.begin[b] += e.begin[b - 1];
    e.from = ptx_take(p, e.begin[g->count + 2] + 1, sizeof *e.from);
    for (uint32_t b = 0; b < g->count; b++)
        for (uint32_t k = 0, s; (s = successor(g, f, b, k)) != NONE; k++) e.from[e.begin[s + 1]++] = b;
    return e;
}
/* Post-order numbers of a walk from the exit against the edges; blocks that cannot reach the exit keep order NONE. */
static uint32_t *number(struct parser *p, struct graph *g, const struct edges *e, uint32_t *reached) {
    uint32_t *stack = ptx_take(p, g->count + 2, sizeof *stack), *next = ptx_take(p, g->count + 2, sizeof *next);
    uint32_t *by_order = ptx_take(p, g->count + 2, sizeof *by_order), depth = 1, count = 0;
    uint8_t *seen = ptx_take(p, g->count + 1, 1);
    for (uint32_t b = 0; b <= g->count; b++) g->blocks[b].order = g->blocks[b].ipdom = NONE, next[b] = e->begin[b];
    stack[0] = g->count;
    seen[g->count] = 1;
    while (depth) {
        const uint32_t b = stack[depth - 1];
        if (next[b] < e->begin[b + 1]) {
            const uint32_t from = e->from[next[b]++];
            if (!seen[from]) seen[from] = 1, stack[depth++] = from;
        } else
            by_order[count] = b, g->blocks[b].order = count++, depth--;
    }
    *reached = count;
    return by_order;
}
static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b) {
    while (a != b) {
        while (g->blocks[a].order < g->blocks[b].order) a = g->blocks[a].ipdom;
        while (g->blocks[b].order < g->blocks[a].order) b = g->blocks[b].ipdom;
    }
    return a;
}
void ptx_cfg(struct parser *p, struct ptx_function *f) {
    struct graph g = {0};
    f->join = ptx_take(p, f->code_count + 1, sizeof *f->join);
    for (uint32_t k = 0; k < f->code_count; k++) f->join[k] = PTX_NO_REG;
    if (!f->code_count) return;
    find_blocks(p, &g, f);
    struct edges e = reversed(p, &g, f);
    uint32_t reached, *by_order;
    /* reversed() moved begin[s + 1] to the end of s's list, so begin[s] is where it starts */
    by_order = number(p, &g, &e, &reached);
    g.blocks[g.count].ipdom = g.count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = reached; n-- > 0;) {
            const uint32_t b = by_order[n];
            uint32_t join = NONE;
            if (b == g.count) continue;
            for (uint32_t k = 0, s; (s = successor(&g, f, b, k)) != NONE; k++)
                if (g.blocks[s].ipdom != NONE) join = join == NONE ? s : meet(&g, join, s);
            if (join != g.blocks[b].ipdom) g.blocks[b].ipdom = join, changed = true;
        }
    }
    for (uint32_t b = 0; b < g.count; b++) {
        const uint32_t join = g.blocks[b].ipdom, last = g.blocks[b].last;
        if (!branches(&f->code[last]) && !leaves(&f->code[last])) continue;
        f->join[last] = join == NONE || join == g.count ? f->code_count : g.blocks[join].first;
    }
}
