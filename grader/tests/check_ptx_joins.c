/* Tests the joins of branches on handmade flow graphs. On random graphs, compares the joins with the
 * definition of a post-dominator. */
/* run: sanitized */
/* reads: nothing */
#include "base/random.h"
#include "ptx/ptx.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT = 99, MAX = 40 };

static struct ptx_module *parsed(const char *body) {
    char text[8192];
    struct ptx_error e;
    ck_assert_int_lt(
        snprintf(
            text, sizeof text,
            ".version 9.0\n.target sm_75\n.address_size 64\n.entry k()\n{\n.reg .pred %%p;\n.reg .b32 %%r;\n%s\n}\n",
            body),
        (int)sizeof text);
    struct ptx_module *m = ptx_parse(text, strlen(text), "test", &e);
    ck_assert_msg(m != NULL, "line %u: %s in\n%s", e.text_line, e.message, text);
    return m;
}

/* ---- handmade graphs -------------------------------------------------------------------------------------------- */
/* joins: pairs of a branch, return or exit, and its join. In `body`, "nop" stands for any instruction. */
static const struct {
    const char *what, *body;
    struct {
        uint32_t insn, join;
    } joins[10];
    unsigned count;
} graphs[] = {
    {"if", "@%p bra A; nop; A: nop; ret;", {{0, 2}, {3, EXIT}}, 2},
    {"if and else", "@%p bra A; nop; bra B; A: nop; B: nop; ret;", {{0, 4}, {2, 4}, {5, EXIT}}, 3},
    {"loop", "A: nop; @%p bra A; nop; ret;", {{1, 2}, {3, EXIT}}, 2},
    {"loop with its test at the top", "A: @!%p bra B; nop; bra A; B: ret;", {{0, 3}, {2, 0}, {3, EXIT}}, 3},
    {"nested ifs", "@%p bra A; @%p bra B; nop; B: nop; A: nop; ret;", {{0, 4}, {1, 3}, {5, EXIT}}, 3},
    {"nested loops", "A: nop; B: nop; @%p bra B; @%p bra A; ret;", {{2, 3}, {3, 4}, {4, EXIT}}, 3},
    {"if in a loop", "A: @%p bra B; nop; B: @%p bra A; ret;", {{0, 2}, {2, 3}, {3, EXIT}}, 3},
    {"break", "A: @%p bra C; @%p bra B; nop; bra A; B: nop; C: ret;", {{0, 5}, {1, 5}, {3, 0}, {5, EXIT}}, 4},
    {"several exits",
     "@%p bra A; ret; A: @%p bra B; exit; B: trap;",
     {{0, EXIT}, {1, EXIT}, {2, EXIT}, {3, EXIT}, {4, EXIT}},
     5},
    {"early return", "@%p ret; nop; ret;", {{0, EXIT}, {2, EXIT}}, 2},
    {"early exit in an if", "@%p bra A; @%p exit; nop; A: nop; ret;", {{0, EXIT}, {1, EXIT}, {4, EXIT}}, 3},
    {"irreducible", "@%p bra B; A: nop; B: nop; @%p bra A; @%p bra B; ret;", {{0, 2}, {3, 4}, {4, 5}, {5, EXIT}}, 4},
    {"a loop with two entries", "@%p bra B; A: nop; B: @%p bra A; ret;", {{0, 2}, {2, 3}, {3, EXIT}}, 3},
    {"switch",
     "T: .branchtargets A, B, C; brx.idx %r, T; A: nop; bra C; B: nop; C: ret;",
     {{0, 4}, {2, 4}, {4, EXIT}},
     3},
    {"switch that falls through",
     "T: .branchtargets A, B, C; brx.idx %r, T; A: nop; B: nop; C: ret;",
     {{0, 3}, {3, EXIT}},
     2},
    {"endless loop", "A: nop; bra A;", {{1, EXIT}}, 1},
    {"endless loop in an if",
     "@%p bra B; A: nop; @%p bra A; bra A; B: ret;",
     {{0, EXIT}, {2, 3}, {3, EXIT}, {4, EXIT}},
     4},
    {"branch to the end", "@%p bra A; nop; A:", {{0, 2}, {2, EXIT}}, 2},
    {"branch to itself", "A: @%p bra A; ret;", {{0, 1}, {1, EXIT}}, 2},
    {"unreachable code", "ret; A: nop; @%p bra A; nop; ret;", {{0, EXIT}, {2, 3}, {4, EXIT}}, 3},
};
START_TEST(joins_of_known_graphs) {
    char body[1024] = "";
    for (const char *at = graphs[_i].body; *at; at++)
        if (!strncmp(at, "nop", 3))
            strcat(body, "membar.cta"), at += 2;
        else
            strncat(body, at, 1);
    struct ptx_module *m = parsed(body);
    const struct ptx_function *f = m->functions[0];
    unsigned found = 0;
    for (uint32_t k = 0; k < f->code_count; k++) {
        uint32_t want = PTX_NO_REG;
        for (unsigned n = 0; n < graphs[_i].count; n++)
            if (graphs[_i].joins[n].insn == k)
                want = graphs[_i].joins[n].join == EXIT ? f->code_count : graphs[_i].joins[n].join, found++;
        ck_assert_msg(f->join[k] == want, "%s: instruction %u joins at %d, not %d", graphs[_i].what, k, (int)f->join[k],
                      (int)want);
    }
    ck_assert_uint_eq(found, graphs[_i].count);
    ptx_free(m);
}
END_TEST

/* ---- random graphs ----------------------------------------------------------------------------------------------- */
static uint32_t drawn_below(uint64_t *state, uint32_t n) { return (uint32_t)(random_next(state) % n); }
/* A flow graph. Node k is instruction k: a conditional branch, a branch, a return, or another instruction. Node
 * `count` is the exit. */
struct flow {
    uint32_t count, to[MAX][2], edges[MAX];
};
static void random_flow(struct flow *g, uint64_t *state, char *body) {
    g->count = 2 + drawn_below(state, MAX - 3);
    for (uint32_t k = 0; k < g->count; k++) {
        const uint32_t target = drawn_below(state, g->count), kind = k + 1 == g->count ? 3 : drawn_below(state, 6);
        body += sprintf(body, "L%u: ", k);
        g->edges[k] = 1, g->to[k][0] = k + 1;
        if (kind <= 1) {
            body += sprintf(body, "@%%p bra L%u;\n", target);
            g->to[k][1] = target, g->edges[k] = 2;
        } else if (kind == 2) {
            body += sprintf(body, "bra L%u;\n", target);
            g->to[k][0] = target;
        } else if (kind == 3) {
            body += sprintf(body, "ret;\n");
            g->to[k][0] = g->count;
        } else
            body += sprintf(body, "membar.cta;\n");
    }
}
/* Returns the nodes that have a path to the exit without node `without`. */
static uint64_t reaching(const struct flow *g, uint32_t without) {
    uint64_t seen = UINT64_C(1) << g->count;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < g->count; k++)
            for (uint32_t e = 0; e < g->edges[k]; e++)
                if (k != without && !(seen >> k & 1) && seen >> g->to[k][e] & 1) seen |= UINT64_C(1) << k, more = true;
    }
    return seen;
}
/* Returns the immediate post-dominator of k: among the nodes on every path from k to the exit, the first after k. */
static uint32_t definition(const struct flow *g, uint32_t k) {
    uint32_t best = g->count;
    for (uint32_t d = 0; d < g->count; d++)
        if (d != k && !(reaching(g, d) >> k & 1) && (best == g->count || !(reaching(g, best) >> d & 1))) best = d;
    return best;
}
START_TEST(joins_of_random_graphs) {
    uint64_t state = 0x2545f4914f6cdd1d;
    unsigned compared = 0;
    for (unsigned round = 0; round < 400; round++) {
        struct flow g;
        char body[4096];
        random_flow(&g, &state, body);
        struct ptx_module *m = parsed(body);
        const struct ptx_function *f = m->functions[0];
        ck_assert_uint_eq(f->code_count, g.count);
        const uint64_t ends = reaching(&g, PTX_NO_REG);
        /* otherwise there is an endless loop, for which the parser adds edges */
        const bool all_end = ends == (UINT64_C(2) << g.count) - 1;
        for (uint32_t k = 0; k < g.count && all_end; k++) {
            if (f->join[k] == PTX_NO_REG) continue;
            ck_assert_msg(f->join[k] == definition(&g, k), "round %u, instruction %u joins at %u, not %u in\n%s", round,
                          k, f->join[k], definition(&g, k), body);
            compared++;
        }
        for (uint32_t k = 0; k < g.count; k++) ck_assert(f->join[k] == PTX_NO_REG || f->join[k] <= g.count);
        ptx_free(m);
    }
    ck_assert_uint_gt(compared, 500);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx: joins");
    TCase *joins = tcase_create("joins");
    tcase_set_timeout(joins, 300);
    tcase_add_loop_test(joins, joins_of_known_graphs, 0, sizeof graphs / sizeof *graphs);
    tcase_add_test(joins, joins_of_random_graphs);
    suite_add_tcase(suite, joins);
    const int failed = suite_failures(suite);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
