/* Tests which launches the simulator recognizes as endless although their threads change memory. */
/* reads: nothing */
#include "sim/sim.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

struct fault {
    unsigned count;
    enum sim_fault_kind kind;
    bool explained;
};
static void note(void *self, const struct sim_fault *f) {
    struct fault *seen = self;
    if (!seen->count++) seen->kind = f->kind, seen->explained = f->text != NULL;
}

/* A launch that changes memory forever ends when everything repeats. Launches that end by themselves go on. Each row
 * runs in the usual order and in a random one. */
#define BLINKS "st.volatile.global.u32 [place], 1; st.volatile.global.u32 [place], 2; "
static const struct {
    uint32_t grid, block;
    const char *body;
    bool ends;
    enum sim_fault_kind kind;
} repetitions[] = {
    {1, 32, "L: " BLINKS "ld.volatile.global.u32 %x, [place]; setp.ne.u32 %p, %x, 5; @%p bra L;", false,
     SIM_FAULT_BUDGET},
    {3, 96, "L: " BLINKS "bra L;", false, SIM_FAULT_BUDGET},
    {1, 64, "L: st.shared.u32 [s], %t; bar.sync 0; bra L;", false, SIM_FAULT_BUDGET},
    {2, 1, "L: atom.global.cas.b32 %x, [place], 0, 1; atom.global.exch.b32 %x, [place], 0; bra L;", false,
     SIM_FAULT_BUDGET},
    {1, 64, "mov.u32 %x, 0; L: add.u32 %x, %x, 1; rem.u32 %x, %x, 3; st.local.u32 [own], %x; bra L;", false,
     SIM_FAULT_BUDGET},
    {1, 32, "setp.lt.u32 %p, %t, 9; @%p bra B; A: " BLINKS "bra A; B: st.global.u32 [place+4], 1; bra B;", false,
     SIM_FAULT_BUDGET},
    {1, 64, "setp.lt.u32 %p, %t, 32; @%p bra B; A: " BLINKS "bra A; B: bar.sync 0;", false, SIM_FAULT_BUDGET},
    {300, 1024, "L: st.shared.u32 [s], %t; bar.sync 0; bra L;", false, SIM_FAULT_BUDGET},
    {300, 1024, "L: st.shared.u32 [s], %t; ld.volatile.global.u32 %x, [place]; setp.eq.u32 %p, %x, 0; @%p bra L;",
     false, SIM_FAULT_RESIDENCY},
    {300, 1024,
     "L: setp.eq.u32 %p, %t, 0; @%p ld.volatile.global.u32 %x, [place]; @%p st.shared.u32 [s], %x; bar.sync 0; "
     "ld.shared.u32 %x, [s]; bar.sync 0; setp.eq.u32 %p, %x, 0; @%p bra L;",
     false, SIM_FAULT_RESIDENCY},
    {1, 32, "mov.u32 %x, 0; L: " BLINKS "add.u32 %x, %x, 1; setp.lt.u32 %p, %x, 1500000; @%p bra L;", true, 0},
    {1, 1,
     "L: ld.global.u32 %x, [place]; add.u32 %x, %x, 1; st.global.u32 [place], %x; setp.lt.u32 %p, %x, 1500000; "
     "@%p bra L;",
     true, 0},
    {1, 1,
     "L: ld.local.u32 %x, [own]; add.u32 %x, %x, 1; st.local.u32 [own], %x; setp.lt.u32 %p, %x, 1500000; "
     "@%p bra L;",
     true, 0},
    {1, 32,
     "mov.u64 %f, %clock64; L: " BLINKS "mov.u64 %g, %clock64; sub.u64 %g, %g, %f; setp.lt.u64 %p, %g, 6000000; "
     "@%p bra L;",
     true, 0},
    {2, 32,
     "mov.u32 %x, %ctaid.x; setp.eq.u32 %p, %x, 1; @%p bra B; A: " BLINKS "ld.volatile.global.u32 %x, [place+4]; "
     "setp.eq.u32 %p, %x, 0; @%p bra A; bra E; B: add.u32 %x, %x, 1; setp.lt.u32 %p, %x, 1500000; @%p bra B; "
     "st.volatile.global.u32 [place+4], 1; E:",
     true, 0},
};
START_TEST(repetition_ends_a_launch) {
    char text[4000];
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .b32 place[64];\n.visible .entry k() "
             "{\n.reg .pred %%p; .reg .b32 %%t, %%x; .reg .b64 "
             "%%f, %%g;\n.shared .align 4 .b32 s[4];\n.local .align 4 .b32 own[4];\nmov.u32 %%t, %%tid.x; mov.u32 "
             "%%x, 0; st.local.u32 [own], %%x;\n%s\nret;\n}\n",
             repetitions[_i / 2].body);
    struct ptx_error ptx_error;
    struct sim_error error;
    struct ptx_module *module = ptx_parse(text, strlen(text), "k.ptx", &ptx_error);
    ck_assert_msg(module != NULL, "%s\n%s", ptx_error.message, text);
    struct sim_program *program = sim_program_new(module, &error);
    ck_assert_msg(program != NULL, "%s\n%s", error.message, text);
    static const struct sim_probe probe = {.name = "note", .fault = note};
    struct fault seen = {.count = 0};
    const struct sim_listener listener = {&probe, &seen};
    const struct sim_options options = {.budget = 1 << 25, .shuffle = _i & 1, .seed = (uint64_t)_i};
    struct sim *s = sim_new(program, &options);
    const struct sim_launch launch = {.kernel = "k",
                                      .grid = {repetitions[_i / 2].grid, 1, 1},
                                      .block = {repetitions[_i / 2].block, 1, 1},
                                      .listeners = &listener,
                                      .listener_count = 1};
    const enum sim_status status = sim_launch(s, &launch, NULL, NULL);
    ck_assert_msg(status == (repetitions[_i / 2].ends ? SIM_DONE : SIM_STOPPED), "%s: %d", repetitions[_i / 2].body,
                  status);
    ck_assert_msg(repetitions[_i / 2].ends || (seen.kind == repetitions[_i / 2].kind && seen.explained), "%s: kind %d",
                  repetitions[_i / 2].body, seen.kind);
    sim_free(s);
    sim_program_free(program);
    ptx_free(module);
}
END_TEST

int main(void) {
    Suite *s = suite_create("endless");
    TCase *t = tcase_create("endless");
    tcase_set_timeout(t, 300);
    add_rows(t, repetition_ends_a_launch, 2 * sizeof repetitions / sizeof *repetitions, effort(6, 28));
    suite_add_tcase(s, t);
    return suite_failures(s) ? 1 : 0;
}
