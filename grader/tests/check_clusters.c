/* Tests clusters of multiple blocks: special registers, distributed shared memory, the cluster barrier, and invalid
 * launches. With GPU=1, the results must also equal those of a GPU of compute capability 9.0, bit for bit. */
/* run: gpu */
/* reads: nothing */
#include "tests/ops/run.h"
#include "tests/suite.h"

#define KERNEL ".visible .entry k(.param .u64 to, .param .u64 from)"
#define BODY                                                                                                           \
    "{\n.reg .pred %p<4>;\n.reg .b32 %x<16>;\n.reg .b64 %to, %y<8>;\n.shared .align 16 .b8 s[256];\n"                  \
    "ld.param.u64 %to, [to];\nmov.u32 %x0, %tid.x;\n"
#define SYNC "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
/* Sets %x1 to the block's index in the grid. Advances %to by `words` words per block and one word per thread. */
#define OWN_PLACE(words)                                                                                               \
    "mov.u32 %x1, %ctaid.z;\nmov.u32 %x2, %nctaid.y;\nmov.u32 %x3, %ctaid.y;\nmad.lo.u32 %x1, %x1, %x2, %x3;\n"        \
    "mov.u32 %x2, %nctaid.x;\nmov.u32 %x3, %ctaid.x;\nmad.lo.u32 %x1, %x1, %x2, %x3;\n"                                \
    "mad.lo.u32 %x2, %x1, " #words ", %x0;\nmul.wide.u32 %y0, %x2, 4;\nadd.u64 %to, %to, %y0;\n"

/* ---- special registers ---------------------------------------------------------------------- */
enum { REGISTERS = 15, OUT_WORDS = 1 << 14 };
static const char *const registers[REGISTERS] = {
    "%clusterid.x",      "%clusterid.y",      "%clusterid.z",     "%nclusterid.x",     "%nclusterid.y",
    "%nclusterid.z",     "%cluster_ctaid.x",  "%cluster_ctaid.y", "%cluster_ctaid.z",  "%cluster_nctaid.x",
    "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_ctarank", "%cluster_nctarank", "%is_explicit_cluster"};
static const uint32_t shapes[][2][3] = {{{4, 1, 1}, {2, 1, 1}}, {{4, 4, 2}, {2, 2, 1}}, {{2, 6, 4}, {1, 2, 4}},
                                        {{3, 3, 3}, {3, 1, 1}}, {{8, 1, 1}, {8, 1, 1}}, {{4, 2, 2}, {0, 0, 0}}};
START_TEST(registers_describe_the_cluster) {
    static struct text t;
    static uint32_t out[OUT_WORDS];
    const uint32_t *g = shapes[_i][0], *c = shapes[_i][1];
    t.length = 0;
    text_add(&t, "%s", HEADER KERNEL BODY OWN_PLACE(16) TESTED);
    for (unsigned k = 0; k < REGISTERS - 1; k++)
        text_add(&t, "mov.u32 %%x4, %s;\nst.global.u32 [%%to+%u], %%x4;\n", registers[k], 4 * k);
    text_add(&t, "mov.pred %%p1, %s;\nselp.u32 %%x4, 1, 0, %%p1;\nst.global.u32 [%%to+%u], %%x4;\nret;\n}\n",
             registers[REGISTERS - 1], 4 * (REGISTERS - 1));
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct run r = {.text = t.data,
                        .isa = instruction_sets[0],
                        .grid = {g[0], g[1], g[2]},
                        .block = {1},
                        .cluster = {c[0], c[1], c[2]},
                        .out = out,
                        .out_bytes = g[0] * g[1] * g[2] * 64,
                        .in = out,
                        .in_bytes = 4,
                        .options = {.seed = seed, .shuffle = seed > 0}};
        memset(out, 0x5a, sizeof out);
        run(&r);
        ck_assert_int_eq(r.status, SIM_DONE);
        const uint32_t one[3] = {1, 1, 1}, *n = c[0] ? c : one;
        for (uint32_t b = 0; b < g[0] * g[1] * g[2]; b++) {
            const uint32_t at[3] = {b % g[0], b / g[0] % g[1], b / g[0] / g[1]};
            const uint32_t rank = at[0] % n[0] + n[0] * (at[1] % n[1] + n[1] * (at[2] % n[2]));
            uint32_t wanted[REGISTERS];
            for (unsigned d = 0; d < 3; d++)
                wanted[d] = at[d] / n[d], wanted[3 + d] = g[d] / n[d], wanted[6 + d] = at[d] % n[d],
                wanted[9 + d] = n[d];
            wanted[12] = rank, wanted[13] = n[0] * n[1] * n[2], wanted[14] = c[0] > 0;
            for (unsigned k = 0; k < REGISTERS; k++)
                ck_assert_msg(out[16 * b + k] == wanted[k], "block %u, %s: %u, not %u", b, registers[k],
                              out[16 * b + k], wanted[k]);
        }
    }
}
END_TEST

/* ---- programs of four blocks of 64 threads, two in each cluster ----------------------------- */
/* Each program leaves its result in %x15. Registers: %x1 is the block; %x5 is the rank of the other block in the
 * cluster; %x6 is the thread's own address, s + 4 * thread; %x7 is the corresponding address in the other block; %y6
 * and %y7 are the same two addresses as generic addresses. */
#define SETUP                                                                                                          \
    "mov.u32 %x5, %cluster_ctarank;\nxor.b32 %x5, %x5, 1;\nmov.u32 %x6, s;\nmad.lo.u32 %x6, %x0, 4, %x6;\n"            \
    "mapa.shared::cluster.u32 %x7, %x6, %x5;\ncvt.u64.u32 %y6, %x6;\ncvta.shared.u64 %y6, %y6;\nmapa.u64 %y7, %y6, "   \
    "%x5;\nmad.lo.u32 %x8, %x1, 1000, %x0;\nst.shared.u32 [%x6], %x8;\nmov.u32 %x15, 0;\n" SYNC
static uint32_t other(uint32_t b) { return b ^ 1; }
#define THEIRS (1000 * other(b) + t)
#define PROGRAMS(P)                                                                                                    \
    P(load, "ld.shared::cluster.u32 %x15, [%x7];", THEIRS)                                                             \
    P(load_by_64_bits, "cvt.u64.u32 %y1, %x7; ld.shared::cluster.u32 %x15, [%y1];", THEIRS)                            \
    P(load_generic, "ld.u32 %x15, [%y7];", THEIRS)                                                                     \
    P(load_vector,                                                                                                     \
      "and.b32 %x9, %x0, 60; mov.u32 %x10, s; mad.lo.u32 %x10, %x9, 4, %x10; mapa.shared::cluster.u32 %x10, %x10, "    \
      "%x5; ld.shared::cluster.v4.u32 {%x11, %x12, %x13, %x14}, [%x10]; add.u32 %x15, %x11, %x14;",                    \
      2000 * other(b) + 2 * (t & 60) + 3)                                                                              \
    P(own_by_rank, "xor.b32 %x9, %x5, 1; mapa.shared::cluster.u32 %x9, %x6, %x9; ld.shared::cluster.u32 %x15, [%x9];", \
      1000 * b + t)                                                                                                    \
    P(own_as_cluster, "ld.shared::cluster.u32 %x15, [%x6];", 1000 * b + t)                                             \
    P(store, "st.shared::cluster.u32 [%x7], %x8;\n" SYNC "ld.shared.u32 %x15, [%x6];", THEIRS)                         \
    P(store_generic, "st.u32 [%y7], %x8;\n" SYNC "ld.shared.u32 %x15, [%x6];", THEIRS)                                 \
    P(atomic,                                                                                                          \
      "atom.shared::cluster.add.u32 %x9, [%x7], 5;\n" SYNC "ld.shared.u32 %x15, [%x6]; add.u32 %x15, %x15, "           \
      "%x9;",                                                                                                          \
      1000 * b + t + 5 + THEIRS)                                                                                       \
    P(atomic_generic, "atom.cluster.add.u32 %x9, [%y7], 7;\n" SYNC "ld.shared.u32 %x15, [%x6];", 1000 * b + t + 7)     \
    P(red, "red.relaxed.cluster.shared::cluster.max.u32 [%x7], 4000;\n" SYNC "ld.shared.u32 %x15, [%x6];", 4000)       \
    P(rank, "getctarank.u64 %x9, %y7; getctarank.shared::cluster.u32 %x10, %x6; mad.lo.u32 %x15, %x9, 10, %x10;",      \
      10 * (other(b) & 1) + (b & 1))                                                                                   \
    P(spaces,                                                                                                          \
      "isspacep.shared::cluster %p1, %y7; selp.u32 %x15, 1, 0, %p1; isspacep.shared::cta %p1, %y7; @%p1 add.u32 "      \
      "%x15, "                                                                                                         \
      "%x15, 10; isspacep.shared::cta %p1, %y6; @%p1 add.u32 %x15, %x15, 100;",                                        \
      101)                                                                                                             \
    P(split_barrier,                                                                                                   \
      "st.shared::cluster.u32 [%x7], %x0; barrier.cluster.arrive.release; mov.u32 %x15, 3; "                           \
      "barrier.cluster.wait.acquire; "                                                                                 \
      "ld.shared.u32 %x9, [%x6]; mad.lo.u32 %x15, %x15, 100, %x9;",                                                    \
      300 + t)                                                                                                         \
    P(half_warps_in_turn,                                                                                              \
      "and.b32 %x9, %x0, 16; setp.eq.u32 %p1, %x9, 0; @%p1 bra LOW; barrier.cluster.arrive; mov.u32 %x15, 1; "         \
      "barrier.cluster.wait; bra OUT; LOW: barrier.cluster.arrive; mov.u32 %x15, 2; barrier.cluster.wait; OUT: ",      \
      t & 16 ? 1 : 2)                                                                                                  \
    P(mbarriers_of_others,                                                                                             \
      "mov.u32 %x9, s; setp.eq.u32 %p1, %x0, 0; @%p1 mbarrier.init.shared::cta.b64 [%x9], 65;\n" SYNC                  \
      "mapa.shared::cluster.u32 %x10, %x9, %x5; @%p1 mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 "   \
      "_, "                                                                                                            \
      "[%x10], 8; @%p1 mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%x10], 8; "                           \
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%x10]; WAIT: "                                          \
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%x9], 0; @!%p2 bra WAIT; mov.u32 %x15, 77;",     \
      77)                                                                                                              \
    P(exits_count, "setp.gt.u32 %p1, %x0, 31; mov.u32 %x15, 9; @%p1 bra OUT;\n" SYNC "OUT:", 9)
static const struct {
    const char *name, *body;
} programs[] = {
#define P(name, body, expected) {#name, body},
    PROGRAMS(P)
#undef P
};
static uint32_t expected(int program, uint32_t b, uint32_t t) {
    int k = 0;
#define P(name, body, value)                                                                                           \
    if (k++ == program) return (uint32_t)(value);
    PROGRAMS(P)
#undef P
    return 0;
}
START_TEST(blocks_share_memory) {
    static struct text t;
    uint32_t out[256];
    t.length = 0;
    text_add(&t, "%s", HEADER KERNEL BODY OWN_PLACE(64) SETUP TESTED);
    text_add(&t, "%s\n" UNTESTED SYNC "st.global.u32 [%%to], %%x15;\nret;\n}\n", programs[_i].body);
    for (uint64_t seed = 0; seed < 6; seed++)
        for (unsigned isa = 0; isa < SETS; isa++) {
            struct run r = {.text = t.data,
                            .isa = instruction_sets[isa],
                            .grid = {4},
                            .block = {64},
                            .cluster = {2, 1, 1},
                            .out = out,
                            .out_bytes = sizeof out,
                            .in = out,
                            .in_bytes = 4,
                            .options = {.seed = seed, .shuffle = seed > 0}};
            if (!host_has(r.isa)) continue;
            memset(out, 0x5a, sizeof out);
            run(&r);
            ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s: stopped, or %u faults", programs[_i].name, r.faults);
            for (uint32_t k = 0; k < 256; k++)
                ck_assert_msg(out[k] == expected(_i, k / 64, k % 64), "%s, seed %u, block %u, thread %u: %u, not %u",
                              programs[_i].name, (unsigned)seed, k / 64, k % 64, out[k], expected(_i, k / 64, k % 64));
        }
}
END_TEST

/* ---- invalid launches -------------------------------------------------------------------------- */
static const struct {
    const char *directives;
    uint32_t grid[3], cluster[3];
    const char *refused; /* NULL for a valid launch */
} launches[] = {
    {"", {4, 1, 1}, {2, 1, 1}, NULL},
    {"", {4, 1, 1}, {3, 1, 1}, "a grid of 4x1x1 blocks cannot be divided into clusters of 3x1x1"},
    {"", {32, 1, 1}, {32, 1, 1}, "a cluster of more than 16 blocks"},
    {"", {8, 8, 8}, {4, 4, 4}, "a cluster of more than 16 blocks"},
    {".reqnctapercluster 2", {4, 1, 1}, {0}, NULL},
    {".explicitcluster .reqnctapercluster 2, 1, 1", {4, 1, 1}, {2, 1, 1}, NULL},
    {".reqnctapercluster 2",
     {4, 1, 1},
     {4, 1, 1},
     "compiled for clusters of 2x1x1 blocks: a launch cannot change that size"},
    {".reqnctapercluster 2, 2", {4, 1, 1}, {0}, "cannot be divided into clusters of 2x2x1"},
    {".explicitcluster", {4, 1, 1}, {0}, "is compiled for clusters (__cluster_dims__) whose size is set at launch"},
    {".explicitcluster", {4, 1, 1}, {4, 1, 1}, NULL},
    {".maxclusterrank 4", {8, 1, 1}, {8, 1, 1}, "the cluster has 8 blocks, but kernel `k` is compiled for at most 4"},
    {".maxclusterrank 4", {8, 1, 1}, {4, 1, 1}, NULL},
};
START_TEST(launches_are_accepted_or_rejected) {
    static struct text t;
    struct sim_error e;
    t.length = 0;
    text_add(&t, HEADER ".visible .entry k() %s { ret; }\n", launches[_i].directives);
    struct ptx_module *m = parsed(t.data);
    struct sim_program *p = sim_program_new(m, &e);
    struct sim *s = sim_new(p, NULL);
    struct sim_launch l = {.kernel = "k", .block = {32, 1, 1}};
    memcpy(l.grid, launches[_i].grid, sizeof l.grid), memcpy(l.cluster, launches[_i].cluster, sizeof l.cluster);
    const enum sim_status status = sim_launch(s, &l, NULL, &e);
    if (!launches[_i].refused)
        ck_assert_msg(status == SIM_DONE, "%s", e.message);
    else
        ck_assert_msg(status == SIM_BAD_LAUNCH && strstr(e.message, launches[_i].refused), "%s", e.message);
    sim_free(s), sim_program_free(p), ptx_free(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("clusters");
    TCase *tests = tcase_create("clusters");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, registers_describe_the_cluster, 0, sizeof shapes / sizeof *shapes);
    tcase_add_loop_test(tests, blocks_share_memory, 0, sizeof programs / sizeof *programs);
    tcase_add_loop_test(tests, launches_are_accepted_or_rejected, 0, sizeof launches / sizeof *launches);
    suite_add_tcase(suite, tests);
    return suite_failures(suite) != 0;
}
