/* Tests the properties of instructions in ops.def (struct ptx_traits), and the analyses that use them. */
/* reads: nothing */
#include "probes/probe.h"
#include "ptx/parser.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- consistency of the table ------------------------------------------------------------------------------------ */
START_TEST(rows_are_consistent) {
    const struct ptx_op_row *row = &ptx_ops[_i];
    const struct ptx_traits *t = &row->traits;
    const char *letters[PTX_MAX_OPERANDS];
    const unsigned count = ptx_signature((enum ptx_op)_i, PTX_MAX_OPERANDS, letters);
    bool memory = false, label = false;
    for (unsigned k = 0; k < count; k++) {
        ck_assert_msg(strchr(k ? "acsuqmlfrAxtokehg" : "dwpvDTacsuqmlfAxo", *letters[k]), "%s: operand %u is `%c`",
                      row->id, k, *letters[k]);
        memory |= *letters[k] == 'm', label |= *letters[k] == 'l';
    }
    const bool writes = count && strchr("dwpvDT", *letters[0]);
    ck_assert_msg(!ptx_accesses_memory(t) || memory, "%s accesses memory without an address", row->id);
    ck_assert_msg((t->flow == PTX_FLOW_BRANCH || t->flow == PTX_FLOW_TABLE) == label, "%s: labels", row->id);
    ck_assert_msg(t->memory != PTX_MEMORY_BARRIER || t->crosses, "%s: a barrier that no other thread takes part in",
                  row->id);
    ck_assert_msg(!t->carries || writes, "%s copies a source, but has no destination", row->id);
    ck_assert_msg(!t->address || writes, "%s computes an address, but has no destination", row->id);
    const unsigned used[] = {0, 1, 1, 2, 2, 2, 3}; /* index of the last operand that each address rule uses */
    ck_assert_msg(!t->address || count > used[t->address],
                  "%s: its address rule needs more operands than the instruction has", row->id);
    ck_assert_msg(t->undefined != PTX_UNDEFINED_EXCHANGED || t->crosses == PTX_CROSSES_LANES, "%s: exchange", row->id);
    ck_assert_msg(!t->names_space || !memory, "%s has a memory operand", row->id);
    if (t->undefined == PTX_UNDEFINED_CHOICE || t->undefined == PTX_UNDEFINED_COMPARISON)
        ck_assert_msg(count == 4 && *letters[3] == 'q', "%s: operand 3 is not a predicate", row->id);
}
END_TEST

/* ---- values that are only carried -------------------------------------------------------------------------------- */
/* Kernels that load %r1 first. carried: %r1 is not used, but only copied to shared memory. */
static const struct {
    const char *name, *code;
    bool carried;
} values[] = {
    {"stored unchanged", "", true},
    {"moved", "mov.u32 %r2, %r1; st.shared.u32 [s+4], %r2;", true},
    {"ORed with another value", "or.b32 %r2, %r1, %r3; st.shared.u32 [s+4], %r2;", true},
    {"selected", "selp.u32 %r2, %r1, %r3, %p1; st.shared.u32 [s+4], %r2;", true},
    {"passed to another lane", "shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; st.shared.u32 [s+4], %r2;", true},
    {"added", "add.u32 %r2, %r1, 1;", false},
    {"counted", "popc.b32 %r2, %r1;", false},
    {"compared", "setp.eq.u32 %p1, %r1, 0;", false},
    {"the number of a barrier", "bar.sync %r1;", false},
    {"the threads of a barrier", "bar.sync 0, %r1;", false},
    {"the number of a barrier at which the warp only arrives", "barrier.arrive %r1, 64;", false},
    {"the mask of bar.warp.sync", "bar.warp.sync %r1;", false},
    {"the mask of a shuffle", "shfl.sync.idx.b32 %r2, %r3, 0, 31, %r1;", false},
    {"the index of a switch", "T: .branchtargets A, B; brx.idx %r1, T; A: B:", false},
    {"a performance event", "pmevent 1;", true},
    {"an address", "st.shared.u32 [%r1], %r3;", false},
};
START_TEST(value_is_carried_or_used) {
    char text[1024];
    snprintf(
        text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .b32 %%r<9>; .reg .pred %%p<3>;\n"
        ".shared .align 4 .b8 s[8];\nld.shared.u32 %%r1, [s];\nmov.u32 %%r3, 1; setp.eq.u32 %%p1, %%r3, 1;\n%s\n"
        "st.shared.u32 [s], %%r1;\nret;\n}\n",
        values[_i].code);
    struct ptx_error error;
    struct ptx_module *m = ptx_parse(text, strlen(text), "test", &error);
    ck_assert_msg(m != NULL, "%s: %s", values[_i].name, error.message);
    const struct ptx_function *f = m->functions[0];
    const struct ptx_insn *code[64];
    ck_assert_uint_le(f->code_count, 64);
    for (unsigned k = 0; k < f->code_count; k++) code[k] = &f->code[k];
    const struct sim_launch_info launch = {.module = m, .code = code, .code_count = f->code_count};
    ck_assert_msg(probe_only_carried(&launch, 0, 0, false) == values[_i].carried, "%s: reported as %s", values[_i].name,
                  values[_i].carried ? "used" : "carried");
    ptx_free(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ops: traits");
    TCase *tc = tcase_create("traits");
    tcase_add_loop_test(tc, rows_are_consistent, 0, PTX_OP_COUNT);
    tcase_add_loop_test(tc, value_is_carried_or_used, 0, sizeof values / sizeof *values);
    suite_add_tcase(suite, tc);
    return suite_failures(suite) != 0;
}
