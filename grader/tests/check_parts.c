/* Checks that a launch on multiple cores gives the same memory, counts, lines, steps and findings as on one core.
 * Each row is a kernel with the parameters (data, out, n). It is launched twice. */
/* run: 4 s */
/* reads: nothing */
#include "probes/wire.h"
#include "sim/sim.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 100, BLOCK = 64, N = BLOCKS * BLOCK };
#define HEAD                                                                                                           \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                                                                  \
    ".func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, %x; "            \
    "st.param.b32 [r], %x; ret; }\n"
static const struct {
    const char *name, *body;
    bool in_parts; /* whether the launch may run in parts */
    enum sim_status status;
    unsigned findings; /* minimum number of findings */
} rows[] = {
    {"segments", "ld.global.u32 %x, [%mine]; add.u32 %x, %x, 1; st.global.u32 [%mine], %x; st.global.u32 [%res], %x;",
     true, SIM_DONE, 0},
    {"shared memory and branches",
     "st.shared.u32 [%sh], %t; bar.sync 0; setp.lt.u32 %p, %t, 20; @%p bra A; ld.shared.u32 %x, [s]; "
     "st.global.u32 [%res], %x; A: bar.sync 0;",
     true, SIM_DONE, 0},
    {"atomics in shared memory",
     "mov.u32 %x, 1; st.shared.u32 [%sh], %x; bar.sync 0; atom.shared.add.u32 %x, [s], 1; "
     "st.global.u32 [%mine], %t;",
     true, SIM_DONE, 0},
    {"calls of a function",
     "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %t; call (r), twice, (a); ld.param.b32 %x, [r]; } "
     "st.global.u32 [%mine], %x;",
     true, SIM_DONE, 0},
    {"a race in shared memory", "st.shared.u32 [%sh], %t; ld.shared.u32 %x, [s]; st.global.u32 [%mine], %x;", true,
     SIM_DONE, 1},
    {"out of bounds in some blocks",
     "setp.gt.u32 %p, %b, 70; @%p ld.global.u32 %x, [%mine+25600]; st.global.u32 [%mine], %t;", true, SIM_DONE, 1},
    {"uninitialized in one block",
     "setp.eq.u32 %p, %b, 81; @%p ld.global.u32 %x, [%res]; add.u32 %x, %x, %t; st.global.u32 [%res], %x;", true,
     SIM_DONE, 1},
    {"the next thread's element", "ld.global.u32 %x, [%mine+256]; st.global.u32 [%mine], %x;", false, SIM_DONE, 1},
    {"all threads write the same element", "st.global.u32 [%data], %b;", false, SIM_DONE, 1},
    {"bytes of the same word", "cvt.u64.u32 %a, %b; add.s64 %a, %a, %data; st.global.u8 [%a+1], %b;", false, SIM_DONE,
     1},
    {"addresses with unknown bounds", "xor.b64 %a, %mine, %data; xor.b64 %a, %a, %data; st.global.u32 [%a], %t;", true,
     SIM_DONE, 0},
    {"one address with unknown bounds", "xor.b64 %a, %data, %mine; xor.b64 %a, %a, %mine; st.global.u32 [%a], %b;",
     false, SIM_DONE, 1},
    /* a launch with atomics may run in parts if the order of the atomics has no visible effect */
    {"a sum whose old value is not used", "atom.global.add.u32 %y, [%data], %t;", true, SIM_DONE, 0},
    {"a signed and an unsigned sum", "red.global.add.u32 [%data], %b; red.global.add.s32 [%data], -3;", true, SIM_DONE,
     0},
    {"64 bits", "cvt.u64.u32 %a, %t; red.global.add.u64 [%data+8], %a;", true, SIM_DONE, 0},
    {"a minimum and a maximum of different elements",
     "red.global.min.s32 [%data], %b; red.global.max.s32 [%data+4], %b;", true, SIM_DONE, 0},
    {"bits", "red.global.xor.b32 [%data], %i; red.global.or.b32 [%data+4], %i; red.global.and.b32 [%data+8], %i;", true,
     SIM_DONE, 0},
    {"a histogram", "and.b32 %x, %i, 7; mul.wide.u32 %a, %x, 4; add.s64 %a, %a, %data; red.global.add.u32 [%a], 1;",
     true, SIM_DONE, 0},
    {"sums of each thread's own element, read before and after",
     "ld.global.u32 %x, [%mine]; red.global.add.u32 [%mine], %x; ld.global.u32 %x, [%mine]; st.global.u32 [%res], %x;",
     true, SIM_DONE, 0},
    {"a ticket", "atom.global.add.u32 %x, [%data], 1; st.global.u32 [%res], %x;", false, SIM_DONE, 0},
    {"a minimum and a maximum of the same element", "red.global.min.u32 [%data], %b; red.global.max.u32 [%data], %b;",
     false, SIM_DONE, 0},
    {"a signed and an unsigned maximum", "red.global.max.s32 [%data], %b; red.global.max.u32 [%data], %b;", false,
     SIM_DONE, 0},
    {"a 64-bit sum and a 32-bit sum of its upper half",
     "cvt.u64.u32 %a, %t; red.global.add.u64 [%data], %a; red.global.add.u32 [%data+4], %t;", false, SIM_DONE, 0},
    {"a sum that one block reads",
     "red.global.add.u32 [%data], %t; setp.eq.u32 %p, %b, 70; @%p ld.global.u32 %x, [%data]; st.global.u32 [%res], %x;",
     false, SIM_DONE, 1},
    {"a sum that one block sets to 0",
     "setp.eq.u32 %p, %b, 0; @%p st.global.u32 [%data], 0; red.global.add.u32 [%data], 1;", false, SIM_DONE, 1},
    {"a sum in uninitialized memory", "red.global.add.u32 [%out], 1;", false, SIM_DONE, 1},
    {"a sum of floats", "red.global.add.f32 [%data], 0f3F800000;", false, SIM_DONE, 0},
    {"an exchange", "atom.global.exch.b32 %x, [%data], %b;", false, SIM_DONE, 0},
    {"a compare-and-swap", "atom.global.cas.b32 %x, [%data], 0, %b;", false, SIM_DONE, 0},
    {"a counter that wraps", "red.global.inc.u32 [%data], 5000;", false, SIM_DONE, 0},
    {"a release", "red.release.gpu.global.add.u32 [%data], 1;", false, SIM_DONE, 0},
    {"a sum after a fence", "membar.gl; red.global.add.u32 [%data], 1;", false, SIM_DONE, 0},
    {"volatile", "ld.volatile.global.u32 %x, [%mine];", false, SIM_DONE, 0},
    {"a fence", "st.global.u32 [%mine], %t; membar.gl;", false, SIM_DONE, 0},
    {"a clock", "mov.u32 %x, %clock; st.global.u32 [%mine], %x;", false, SIM_DONE, 0},
    {"the index of the SM", "mov.u32 %x, %smid; st.global.u32 [%mine], %x;", false, SIM_DONE, 0},
    {"a trap in one block", "st.global.u32 [%mine], %b; setp.eq.u32 %p, %b, 60; @%p trap;", false, SIM_STOPPED, 1},
    {"an endless block", "st.global.u32 [%mine], %b; setp.eq.u32 %p, %b, 60; L: @%p bra L;", false, SIM_STOPPED, 1},
    {"a budget that only all blocks together exceed",
     "mov.u32 %x, 0; L: add.u32 %x, %x, 1; setp.ne.u32 %p, %x, 200; @%p bra L;", false, SIM_STOPPED, 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct seen {
    enum sim_status status;
    struct sim_stats stats;
    uint32_t data[N], out[N];
    struct measurement m;
};
static void launch_twice(unsigned row, unsigned cores, uint64_t seed, const struct sim_program *p, struct seen *seen) {
    const struct sim_options options = {.cores = cores, .seed = seed, .shuffle = seed > 0, .budget = 100000};
    struct sim *s = sim_new(p, &options);
    uint64_t data = sim_alloc(s, "data", sizeof seen->data, SIM_INITIALIZED),
             out = sim_alloc(s, "out", sizeof seen->out, SIM_UNINITIALIZED);
    const uint32_t n = N;
    uint32_t *x = sim_host(s, data);
    for (unsigned k = 0; k < N; k++) x[k] = k * 7;
    measure_begin(&seen->m, MEASURE_ALL);
    seen->m.observed_block = 57;
    const struct sim_parts parts = measure_parts(&seen->m);
    const struct sim_launch l = {.kernel = "k",
                                 .grid = {BLOCKS, 1, 1},
                                 .block = {BLOCK, 1, 1},
                                 .params = (const void *const[]){&data, &out, &n},
                                 .param_count = 3,
                                 .listeners = seen->m.listeners,
                                 .listener_count = seen->m.listener_count,
                                 .parts = &parts};
    struct sim_error error;
    for (unsigned k = 0; k < 2; k++) seen->status = sim_launch(s, &l, &seen->stats, &error);
    ck_assert_msg(seen->status == rows[row].status, "%s: %s", rows[row].name, error.message);
    measure_end(&seen->m);
    sim_read(s, data, seen->data, sizeof seen->data);
    sim_read(s, out, seen->out, sizeof seen->out);
    sim_free(s);
}
static void same_counts(const char *name, const struct seen *a, const struct seen *b) {
    ck_assert_uint_eq(a->stats.warp_instructions, b->stats.warp_instructions);
    ck_assert_msg(!memcmp(a->data, b->data, sizeof a->data) && !memcmp(a->out, b->out, sizeof a->out), "%s: memory",
                  name);
    ck_assert_msg(a->m.findings.count == b->m.findings.count, "%s: findings", name);
    for (unsigned k = 0; k < a->m.findings.count; k++) {
        const struct finding *x = &a->m.findings.item[k], *y = &b->m.findings.item[k];
        ck_assert_msg(x->kind == y->kind && x->count == y->count && !strcmp(x->message, y->message) &&
                          x->at.block == y->at.block && x->at.line == y->at.line && x->other.block == y->other.block,
                      "%s: `%s` (%llu) and `%s` (%llu)", name, x->message, (unsigned long long)x->count, y->message,
                      (unsigned long long)y->count);
    }
    size_t of_a, of_b; /* sizes in bytes of the results of all probes */
    uint8_t *bytes_a = wire_pack(&a->m, &of_a), *bytes_b = wire_pack(&b->m, &of_b);
    ck_assert_msg(of_a == of_b && !memcmp(bytes_a, bytes_b, of_a), "%s: a probe's result", name);
    free(bytes_a);
    free(bytes_b);
    ck_assert_msg(steps_of(&a->m)->count > 0 || a->status != SIM_DONE, "%s: no steps", name);
}
START_TEST(results_do_not_depend_on_cores) {
    static struct seen one, many;
    char text[4000];
    struct ptx_error error;
    struct sim_error sim_error;
    snprintf(
        text, sizeof text,
        "%s"
        ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 d, .param .u64 o, .param .u32 n) {\n"
        ".reg .pred %%p; .reg .b32 %%t, %%b, %%i, %%x, %%y, %%sh; .reg .b64 %%data, %%out, %%mine, %%res, %%a;\n"
        ".shared .align 4 .b8 s[256];\n.loc 1 1 0\n"
        "ld.param.u64 %%data, [d]; ld.param.u64 %%out, [o]; mov.u32 %%t, %%tid.x; mov.u32 %%b, %%ctaid.x;\n"
        "mad.lo.u32 %%i, %%b, 64, %%t; mul.wide.u32 %%a, %%i, 4; add.s64 %%mine, %%data, %%a;\n"
        "add.s64 %%res, %%out, %%a; shl.b32 %%sh, %%t, 2; mov.u32 %%x, s; add.u32 %%sh, %%sh, %%x; mov.u32 %%x, 0;\n"
        ".loc 1 2 0\n%s\n.loc 1 3 0\nret;\n}\n",
        HEAD, rows[_i].body);
    struct ptx_module *m = ptx_parse(text, strlen(text), "k.ptx", &error);
    ck_assert_msg(m != NULL, "%s: %s", rows[_i].name, error.message);
    struct sim_program *p = sim_program_new(m, &sim_error);
    ck_assert_msg(p != NULL, "%s: %s", rows[_i].name, sim_error.message);
    for (uint64_t seed = 0; seed < effort(3, 1); seed++) {
        launch_twice((unsigned)_i, 1, seed, p, &one);
        ck_assert_uint_eq(one.stats.parts, 1);
        ck_assert_msg(one.m.findings.count >= rows[_i].findings, "%s: no finding", rows[_i].name);
        for (unsigned cores = 2; cores < 9; cores += 3) {
            launch_twice((unsigned)_i, cores, seed, p, &many);
            const unsigned parts = cores < BLOCKS / 16 ? cores : BLOCKS / 16;
            ck_assert_msg(many.stats.parts == (rows[_i].in_parts ? parts : 1), "%s: ran in %u parts", rows[_i].name,
                          many.stats.parts);
            same_counts(rows[_i].name, &one, &many);
            measure_free(&many.m);
        }
        measure_free(&one.m);
    }
    sim_program_free(p);
    ptx_free(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("parts");
    TCase *tcase = tcase_create("parts");
    tcase_set_timeout(tcase, 300);
    add_rows(tcase, results_do_not_depend_on_cores, ROWS, effort(1, 3));
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
