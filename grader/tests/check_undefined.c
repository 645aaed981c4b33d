/* Tests where the use of an uninitialized PTX variable is reported, and for which lanes. In each kernel, only lanes
 * 0-15, where %p1 is true, assign %r2. No lane assigns %r9. %r1 is the lane, %rd1 the buffer, and %rd2 the lane's 8
 * bytes of the buffer. */
/* run: sanitized */
/* reads: nothing */
#include "sim/sim.h"
#include "tests/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGH 0xffff0000u
#define LOW 0x0000ffffu
#define ALL 0xffffffffu

static const struct {
    /* told: what each report says, such as "stored", "used as an address", or "branched on" */
    const char *name, *code, *told;
    uint32_t lanes; /* lanes that each report names */
    unsigned times;
} rows[] = {
    {"stored", "st.global.u32 [%rd2], %r2;", "stored", HIGH, 1},
    {"stored by an atomic", "atom.global.add.u32 %r3, [%rd1], %r2; st.global.u32 [%rd2], %r3;", "stored", HIGH, 1},
    {"stored by a reduction", "red.global.add.u32 [%rd1], %r2;", "stored", HIGH, 1},
    {"stored in shared memory", "st.shared.u32 [s], %r2;", "stored", HIGH, 1},
    {"stored in a vector", "st.global.v2.u32 [%rd2], {%r1, %r2};", "stored", HIGH, 1},
    {"a computed value", "add.u32 %r3, %r2, 1; mul.lo.u32 %r4, %r1, %r3; st.global.u32 [%rd2], %r4;", "stored", HIGH,
     1},
    {"halves of a pair", "mov.b64 %rd3, {%r1, %r2}; mov.b64 {%r3, %r4}, %rd3; st.global.u32 [%rd2], %r4;", "stored",
     HIGH, 1},
    {"never assigned", "st.global.u32 [%rd2], %r9;", "stored", ALL, 1},
    {"assigned in the remaining lanes before its use", "@!%p1 mov.u32 %r2, 1; st.global.u32 [%rd2], %r2;", "", 0, 0},
    {"read from memory", "ld.global.u32 %r2, [%rd2]; st.global.u32 [%rd2], %r2;", "", 0, 0},
    {"the operand that is not selected", "selp.u32 %r3, %r2, %r1, %p1; st.global.u32 [%rd2], %r3;", "", 0, 0},
    {"the operand that is selected", "selp.u32 %r3, %r1, %r2, %p1; st.global.u32 [%rd2], %r3;", "stored", HIGH, 1},
    {"the condition of a selection", "setp.gt.u32 %p2, %r2, 3; selp.u32 %r3, %r1, 7, %p2; st.global.u32 [%rd2], %r3;",
     "stored", HIGH, 1},
    {"the predicate of an instruction",
     "setp.gt.u32 %p2, %r9, 3; mov.u32 %r3, 1; @!%p2 mov.u32 %r3, 2; st.global.u32 "
     "[%rd2], %r3;",
     "stored", ALL, 1},
    {"bits that are masked off", "selp.b32 %r3, -1, 0, %p1; and.b32 %r4, %r2, %r3; st.global.u32 [%rd2], %r4;", "", 0,
     0},
    {"bits that are not masked off", "and.b32 %r4, %r2, 255; st.global.u32 [%rd2], %r4;", "stored", HIGH, 1},
    {"and: the other operand determines the result", "setp.gt.u32 %p2, %r2, 3; and.pred %p3, %p1, %p2; @%p3 bra END;",
     "", 0, 0},
    {"and: the other operand does not determine the result",
     "setp.gt.u32 %p2, %r2, 3; and.pred %p3, %p2, !%p1; @%p3 bra END;", "branched on", HIGH, 1},
    {"or: the other operand determines the result", "setp.gt.u32 %p2, %r2, 3; or.pred %p3, %p2, !%p1; @%p3 bra END;",
     "", 0, 0},
    {"or: the other operand does not determine the result",
     "setp.gt.u32 %p2, %r2, 3; or.pred %p3, %p1, %p2; @%p3 bra END;", "branched on", HIGH, 1},
    {"setp.and: the predicate determines the result", "setp.gt.and.u32 %p2, %r2, 3, %p1; @%p2 bra END;", "", 0, 0},
    {"setp.or: the predicate does not determine the result", "setp.gt.or.u32 %p2, %r2, 3, %p1; @%p2 bra END;",
     "branched on", HIGH, 1},
    {"setp.or: the predicate determines the result", "setp.gt.or.u32 %p2, %r2, 3, !%p1; @%p2 bra END;", "", 0, 0},
    {"setp.xor", "setp.gt.xor.u32 %p2, %r2, 3, %p1; @%p2 bra END;", "branched on", HIGH, 1},
    {"a branch that all lanes take", "setp.eq.u32 %p2, %r9, 0; @%p2 bra END;", "branched on", ALL, 1},
    {"a branch that no lane takes", "setp.ne.u32 %p2, %r9, 0; @%p2 bra END;", "branched on", ALL, 1},
    {"a loop", "L: add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 3; @%p2 bra L;", "branched on", ALL, 3},
    {"a switch", "and.b32 %r3, %r9, 1; T: .branchtargets A, B; brx.idx %r3, T; A: bra END; B: bra END;", "branched on",
     ALL, 1},
    {"an address",
     "and.b32 %r3, %r2, 4; cvt.u64.u32 %rd3, %r3; add.u64 %rd3, %rd1, %rd3; ld.global.u32 %r4, [%rd3]; "
     "st.global.u32 [%rd2], %r4;",
     "used as an address", HIGH, 1},
    {"the address of a store",
     "and.b32 %r3, %r2, 4; cvt.u64.u32 %rd3, %r3; add.u64 %rd3, %rd2, %rd3; st.global.u32 [%rd3], %r1;",
     "used as an address", HIGH, 1},
    {"a shuffle from a lane that assigned the variable",
     "shfl.sync.idx.b32 %r3, %r2, 3, 31, -1; st.global.u32 [%rd2], %r3;", "", 0, 0},
    {"a shuffle from a lane that did not assign the variable",
     "shfl.sync.idx.b32 %r3, %r2, 20, 31, -1; st.global.u32 [%rd2], %r3;", "stored", ALL, 1},
    {"a butterfly shuffle", "shfl.sync.bfly.b32 %r3|%p2, %r2, 16, 31, -1; st.global.u32 [%rd2], %r3;", "stored", LOW,
     1},
    {"a reduction over all lanes", "redux.sync.add.u32 %r3, %r2, -1; st.global.u32 [%rd2], %r3;", "stored", ALL, 1},
    {"a reduction over the lanes that assigned the variable",
     "@!%p1 bra END; redux.sync.add.u32 %r3, %r2, 65535; st.global.u32 [%rd2], %r3;", "", 0, 0},
    {"a vote", "setp.gt.u32 %p2, %r2, 3; vote.sync.any.pred %p2, %p2, -1; @%p2 bra END;", "", 0, 0},
    {"copied through local memory", "st.local.u32 [depot], %r2; ld.local.u32 %r3, [depot]; st.global.u32 [%rd2], %r3;",
     "", 0, 0},
    {"passed to a function that does not use it", "{ .param .u32 x; st.param.u32 [x], %r2; call keep, (x); }", "", 0,
     0},
    {"an unassigned variable of a called function", "call own, ();", "stored", ALL, 1},
};

static const char head[] =
    ".version 9.0\n.target sm_80\n.address_size 64\n.global .u32 g;\n.shared .align 4 .u32 s;\n"
    ".func keep(.param .u32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; st.global.u32 [g], %r1; ret; }\n"
    ".func own() { .reg .b32 %r<3>; st.global.u32 [g], %r1; ret; }\n"
    ".visible .entry k(.param .u64 out) {\n.reg .pred %p<5>; .reg .b32 %r<12>; .reg .b64 %rd<5>;\n"
    ".local .align 4 .b8 depot[4];\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %laneid; mul.wide.u32 %rd2, %r1, 8; add.u64 %rd2, %rd1, %rd2;\n"
    "setp.lt.u32 %p1, %r1, 16; @%p1 mov.u32 %r2, 5;\n";
static const char tail[] = "\nEND: ret;\n}\n";

struct told {
    char words[200];
    uint32_t lanes;
    unsigned times;
};
static void fault(void *self, const struct sim_fault *e) {
    struct told *t = self;
    if (e->kind != SIM_FAULT_UNDEFINED) return;
    if (!t->times++)
        snprintf(t->words, sizeof t->words, "%s", e->text), t->lanes = e->lanes;
    else if (strcmp(t->words, e->text) || t->lanes != e->lanes)
        snprintf(t->words, sizeof t->words, "different things");
}

START_TEST(uses_of_uninitialized_values_are_reported) {
    char text[4000];
    struct ptx_error ptx_error;
    struct sim_error error;
    const int length = snprintf(text, sizeof text, "%s%s%s", head, rows[_i].code, tail);
    struct ptx_module *m = ptx_parse(text, (size_t)length, "k", &ptx_error);
    ck_assert_msg(m, "%s: %s", rows[_i].name, m ? "" : ptx_error.message);
    struct sim_program *p = sim_program_new(m, &error);
    ck_assert_msg(p, "%s: %s", rows[_i].name, error.message);
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct sim_options options = {.seed = seed, .shuffle = seed > 0, .budget = 10000};
        struct sim *s = sim_new(p, &options);
        const uint64_t out = sim_alloc(s, "out", 1024, SIM_INITIALIZED);
        memset(sim_host(s, out), 0, 1024);
        struct told told = {.words = ""};
        const struct sim_probe probe = {.name = "told", .fault = fault};
        const struct sim_listener listener = {&probe, &told};
        const struct sim_launch launch = {.kernel = "k",
                                          .grid = {2, 1, 1},
                                          .block = {32, 1, 1},
                                          .params = (const void *const[]){&out},
                                          .param_count = 1,
                                          .listeners = &listener,
                                          .listener_count = 1};
        ck_assert_msg(sim_launch(s, &launch, NULL, &error) == SIM_DONE, "%s: %s", rows[_i].name, error.message);
        ck_assert_msg(!strcmp(told.words, rows[_i].told) && told.lanes == rows[_i].lanes &&
                          told.times == 2 * rows[_i].times,
                      "%s, seed %d: \"%s\" in lanes %08x, %u times", rows[_i].name, (int)seed, told.words, told.lanes,
                      told.times);
        sim_free(s);
    }
    sim_program_free(p);
    ptx_free(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("undefined");
    TCase *tests = tcase_create("rows");
    tcase_add_loop_test(tests, uses_of_uninitialized_values_are_reported, 0, sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tests);
    return suite_failures(suite) != 0;
}
