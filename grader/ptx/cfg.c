/* Finds the instruction at which the sides of a branch reconverge: the branch's immediate post-dominator. It is
 * computed as the immediate dominator in the reversed graph of basic blocks, whose root is the function's exit. Uses
 * the simple version, with path compression, of Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a
 * Flowgraph" (1979): O(m log n), without recursion.
 *
 * Blocks of an infinite loop have no path to the exit. As long as such blocks exist, the last one in the text gets
 * an edge to the exit. */
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Except for block_of and from, the arrays up to `endless` are indexed by block, and block `count` is the exit. The
 * arrays from `block` onward are indexed by depth-first number, and number 0 is the exit. */
struct graph {
    const struct ptx_function *f;
    uint32_t count;
    uint32_t *first, *last, *block_of; /* first and last instruction of each block; block of each instruction */
    uint32_t *begin, *from;            /* predecessors of block b: from[begin[b]] to from[begin[b + 1] - 1] */
    uint32_t *number, *endless;        /* endless: whether the block has been given an edge to the exit */
    uint32_t *block, *parent, *semi, *ancestor, *best, *same, *dominator, *bucket, *next_in_bucket, *path;
};

/* ---- the graph ------------------------------------------------------------------------------------------------- */
/* Returns successor k of a block, or NONE if it has at most k successors. */
static uint32_t successor(const struct graph *g, uint32_t b, uint32_t k) {
    const struct ptx_insn *i = &g->f->code[g->last[b]];
    const uint32_t next = b + 1; /* the exit, if this is the last block */
    const bool conditional = i->guard != PTX_NO_REG;
    const uint32_t targets = ptx_target_count(i);
    if (ptx_leaves(i)) return k == 0 ? g->count : k == 1 && conditional ? next : NONE;
    if (!targets) return k == 0 ? next : NONE;
    if (k < targets) return g->block_of[ptx_target(i, k)];
    return k == targets && conditional ? next : NONE;
}
static void find_blocks(struct graph *g) {
    const struct ptx_function *f = g->f;
    uint32_t *leader = g->block_of; /* 1 for the first instruction of each block, until the blocks are numbered */
    leader[0] = 1;
    for (uint32_t k = 0; k < f->code_count; k++) {
        const struct ptx_insn *i = &f->code[k];
        const unsigned targets = ptx_target_count(i);
        if (targets || ptx_leaves(i)) leader[k + 1] = 1;
        for (unsigned n = 0; n < targets; n++) leader[ptx_target(i, n)] = 1;
    }
    for (uint32_t k = 0; k < f->code_count; k++) {
        if (leader[k]) g->first[g->count++] = k;
        g->last[g->count - 1] = k;
        g->block_of[k] = g->count - 1;
    }
}
static void find_predecessors(struct graph *g) {
    for (uint32_t b = 0; b < g->count; b++)
        for (uint32_t k = 0, s; (s = successor(g, b, k)) != NONE; k++) g->begin[s + 2]++;
    for (uint32_t b = 2; b < g->count + 3; b++) g->begin[b] += g->begin[b - 1];
    for (uint32_t b = 0; b < g->count; b++) /* begin[s + 1] advances from the start to the end of s's list */
        for (uint32_t k = 0, s; (s = successor(g, b, k)) != NONE; k++) g->from[g->begin[s + 1]++] = b;
}
static uint32_t most_edges(const struct ptx_function *f) {
    uint32_t edges = 0;
    for (uint32_t k = 0; k < f->code_count; k++) edges += 2 + f->code[k].target_count;
    return edges;
}

/* ---- depth-first search from the exit, against the direction of edges -------------------------------------------- */
static uint32_t visit(struct graph *g, uint32_t b, uint32_t parent, uint32_t numbered) {
    g->number[b] = numbered;
    g->block[numbered] = b;
    g->parent[numbered] = parent;
    return numbered + 1;
}
static uint32_t walk(struct graph *g, uint32_t from, uint32_t parent, uint32_t numbered) {
    /* borrows two arrays that are unused during the search */
    uint32_t *stack = g->path, *next = g->bucket, depth = 1;
    numbered = visit(g, from, parent, numbered);
    stack[0] = from, next[from] = g->begin[from];
    while (depth) {
        const uint32_t b = stack[depth - 1];
        if (next[b] == g->begin[b + 1]) {
            depth--;
            continue;
        }
        const uint32_t p = g->from[next[b]++];
        if (g->number[p] != NONE) continue;
        numbered = visit(g, p, g->number[b], numbered);
        stack[depth++] = p, next[p] = g->begin[p];
    }
    return numbered;
}
static void number_blocks(struct graph *g) {
    for (uint32_t b = 0; b <= g->count; b++) g->number[b] = NONE;
    uint32_t numbered = walk(g, g->count, NONE, 0);
    for (uint32_t b = g->count; b-- > 0;)
        if (g->number[b] == NONE) g->endless[b] = 1, numbered = walk(g, b, 0, numbered);
}

/* ---- dominators ------------------------------------------------------------------------------------------------ */
/* Returns the node with the smallest semidominator on the path above v. Compresses the path. */
static uint32_t evaluate(struct graph *g, uint32_t v) {
    uint32_t depth = 0;
    for (; g->ancestor[g->ancestor[v]] != NONE; v = g->ancestor[v]) g->path[depth++] = v;
    while (depth) {
        const uint32_t w = g->path[--depth], a = g->ancestor[w];
        if (g->semi[g->best[a]] < g->semi[g->best[w]]) g->best[w] = g->best[a];
        g->ancestor[w] = g->ancestor[a];
        v = w;
    }
    return g->best[v];
}
static uint32_t lowest(struct graph *g, uint32_t v) { return g->ancestor[v] == NONE ? v : evaluate(g, v); }

static void find_dominators(struct graph *g) {
    const uint32_t nodes = g->count + 1;
    for (uint32_t v = 0; v < nodes; v++) g->ancestor[v] = g->bucket[v] = g->same[v] = NONE, g->best[v] = g->semi[v] = v;
    for (uint32_t w = nodes - 1; w > 0; w--) {
        const uint32_t parent = g->parent[w], b = g->block[w];
        uint32_t semi = g->endless[b] ? 0 : parent;
        for (uint32_t k = 0, s; (s = successor(g, b, k)) != NONE; k++) {
            const uint32_t v = g->number[s], u = v <= w ? v : g->semi[lowest(g, v)];
            if (u < semi) semi = u;
        }
        g->semi[w] = semi;
        g->next_in_bucket[w] = g->bucket[semi], g->bucket[semi] = w;
        g->ancestor[w] = parent;
        for (uint32_t v = g->bucket[parent]; v != NONE; v = g->next_in_bucket[v]) {
            const uint32_t u = lowest(g, v);
            if (g->semi[u] == g->semi[v])
                g->dominator[v] = parent;
            else
                g->same[v] = u;
        }
        g->bucket[parent] = NONE;
    }
    for (uint32_t v = 1; v < nodes; v++)
        if (g->same[v] != NONE) g->dominator[v] = g->dominator[g->same[v]];
}

bool ptx_find_joins(const struct ptx_function *f, uint32_t *to) {
    struct graph g = {.f = f};
    uint32_t **const arrays[] = {&g.first,     &g.last,   &g.block_of,       &g.begin,    &g.number, &g.endless,
                                 &g.block,     &g.parent, &g.semi,           &g.ancestor, &g.best,   &g.same,
                                 &g.dominator, &g.bucket, &g.next_in_bucket, &g.path};
    enum { ARRAYS = sizeof arrays / sizeof *arrays };
    const size_t each = (size_t)f->code_count + 3;
    uint32_t *memory = calloc(ARRAYS * each + most_edges(f), sizeof *memory);
    if (!memory) return false;
    for (unsigned k = 0; k < ARRAYS; k++) *arrays[k] = memory + k * each;
    g.from = memory + ARRAYS * each;
    find_blocks(&g);
    find_predecessors(&g);
    number_blocks(&g);
    find_dominators(&g);
    for (uint32_t k = 0; k < f->code_count; k++) to[k] = PTX_NO_REG;
    for (uint32_t b = 0; b < g.count; b++) {
        const struct ptx_insn *last = &f->code[g.last[b]];
        const uint32_t join = g.block[g.dominator[g.number[b]]];
        if (ptx_target_count(last) || ptx_leaves(last)) to[g.last[b]] = join == g.count ? f->code_count : g.first[join];
    }
    free(memory);
    return true;
}
void ptx_cfg(struct parser *p, struct ptx_function *f) {
    f->join = ptx_take(p, f->code_count, sizeof *f->join);
    if (!ptx_find_joins(f, f->join)) ptx_fail(p, p->line, "out of memory");
}
