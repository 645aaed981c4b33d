/* What the simulator does not run is refused when it is loaded, by its name, with the line of the PTX and that of the
 * CUDA source: instructions of the PTX ISA that the table leaves out, and directives, registers and operands. */
/* run: sanitized */
/* reads: nothing */
#include "ptx/ptx.h"
#include "sim/sim.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

#define OUTSIDE "is outside what the simulator runs"
static const struct {
    const char *text;   /* one statement of a body */
    const char *wanted; /* of the message; NULL: the instruction's name and OUTSIDE */
} statements[] = {
    /* matrices */
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1], %r2;", NULL},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f2};", NULL},
    {"wmma.store.d.sync.aligned.row.m16n16k16.f32 [%rd1], {%f1}, %r1;", NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2};", NULL},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2}, %r3, 0;", NULL},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%rd1];", NULL},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%rd1], {%r1};", NULL},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;", NULL},
    {"wgmma.fence.sync.aligned;", NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2;", NULL},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], 32;", NULL},
    {"setmaxnreg.inc.sync.aligned.u32 240;", NULL},
    /* textures and surfaces */
    {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];", NULL},
    {"tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];", NULL},
    {"txq.width.b32 %r1, [%rd1];", NULL},
    {"suld.b.1d.b32.trap %r1, [%rd1, {%r2}];", NULL},
    {"sust.b.1d.b32.trap [%rd1, {%r2}], %r1;", NULL},
    {"sured.b.add.1d.u32.trap [%rd1, {%r2}], %r1;", NULL},
    {"suq.width.b32 %r1, [%rd1];", NULL},
    {"istypep.texref %p1, %rd1;", NULL},
    /* copies that go on by themselves, and what waits for them */
    {"cp.async.ca.shared.global [%r1], [%rd1], 4;", NULL},
    {"cp.async.commit_group;", NULL},
    {"cp.async.wait_all;", NULL},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];", NULL},
    {"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r3];",
     NULL},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;", NULL},
    {"mbarrier.init.shared.b64 [%r1], 1;", NULL},
    {"mbarrier.arrive.shared.b64 %rd1, [%r1];", NULL},
    {"mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", NULL},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];", NULL},
    {"red.async.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r3];", NULL},
    {"tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 1;", NULL},
    /* clusters and several GPUs */
    {"barrier.cluster.arrive.aligned;", NULL},
    {"barrier.cluster.wait.aligned;", NULL},
    {"mapa.u64 %rd1, %rd2, 1;", NULL},
    {"getctarank.u64 %r1, %rd1;", NULL},
    {"fence.sc.cluster;", NULL},
    {"fence.proxy.async;", NULL},
    {"ld.shared::cluster.u32 %r1, [%r2];", NULL},
    {"multimem.ld_reduce.global.add.f32 %f1, [%rd1];", NULL},
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %rd1;", NULL},
    {"mov.u32 %r1, %cluster_ctarank;", "`%cluster_ctarank` is neither declared nor a special register"},
    {"mov.u32 %r1, %clusterid.x;", "`%clusterid.x` is neither declared nor a special register"},
    {"mov.u32 %r1, %pm0;", "`%pm0` is neither declared nor a special register"},
    /* the rest of the ISA */
    {"vadd.s32.u32.s32 %r1, %r2, %r3;", NULL},
    {"vset2.s32.s32.lt %r1, %r2, %r3, %r4;", NULL},
    {"szext.wrap.s32 %r1, %r2, %r3;", NULL},
    {"bmsk.clamp.b32 %r1, %r2, %r3;", NULL},
    {"alloca.u64 %rd1, %rd2, 16;", NULL},
    {"stacksave.u64 %rd1;", NULL},
    {"stackrestore.u64 %rd1;", NULL},
    {"createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;", NULL},
    {"ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2;", NULL},
    {"atom.global.add.v2.f32 {%f1, %f2}, [%rd1], {%f1, %f2};", NULL},
    {"atom.global.b128.exch %rd1, [%rd2], %rd3;", NULL},
    {"cvt.rna.tf32.f32 %r1, %f1;", NULL},
    {"cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;", NULL},
    {"add.f32.f16 %f1, %rs1, %f2;", NULL},
    {"min.xorsign.abs.f32 %f1, %f2, %f3;", NULL},
    {"rcp.rn.ftz.f64 %rd1, %rd2;", "`.ftz` of .f64 goes with .approx only"},
    {"div.rn.full.f32 %f1, %f2, %f3;", "what is approximate names no rounding"},
    {"slct.ftz.u32.s32 %r1, %r2, %r3, %r4;", "`.ftz` goes with a third operand of .f32"},
    {"vote.all.pred %p1, %p2;", "names no lanes: use the intrinsics whose names end in _sync"},
    {"match.any.b32 %r1, %r2;", "names no lanes: use the intrinsics whose names end in _sync"},
    {".reg .b128 %q;", "registers of type `.b128` are outside what the simulator runs"},
    {".shared .texref t;", "`.texref` in the declaration of a variable is outside what the simulator runs"},
    {".maxnreg 4;", "`.maxnreg` in a function is outside what the simulator runs"},
    {"call.uni (r), malloc, (r);", "`malloc` is no function"},
};
enum { SOURCE_LINE = 41, STATEMENT_LINE = 13 };
START_TEST(statement_is_refused) {
    char text[2048], wanted[256];
    struct ptx_error e;
    const char *statement = statements[_i].text;
    snprintf(
        text, sizeof text,
        ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n.visible .entry k(.param .u64 a)\n{\n"
        ".reg .pred %%p<5>;\n.reg .b16 %%rs<5>;\n.reg .b32 %%r<5>, %%f<5>;\n.reg .b64 %%rd<5>;\n.param .b32 r;\n"
        ".loc 1 %d 3\n%s\nret;\n}\n",
        SOURCE_LINE, statement);
    struct ptx_module *m = ptx_parse(text, strlen(text), "kernel.ptx", &e);
    ck_assert_msg(m == NULL, "accepted: %s", statement);
    snprintf(wanted, sizeof wanted, "instruction `%.*s` " OUTSIDE,
             (int)(strcspn(statement, " ;") > 60 ? 60 : strcspn(statement, " ;")), statement);
    const char *words = statements[_i].wanted ? statements[_i].wanted : wanted;
    ck_assert_msg(strstr(e.message, words) != NULL, "%s\nsays   %s\nwanted %s", statement, e.message, words);
    ck_assert_uint_eq(e.text_line, STATEMENT_LINE);
    ck_assert_uint_eq(e.source_line, SOURCE_LINE);
    ck_assert_str_eq(e.source_file, "kernel.cu");
}
END_TEST

/* ---- directives ---------------------------------------------------------------------------------------------------
 */
static const struct {
    const char *text, *wanted;
} directives[] = {
    {".alias f, g;", "directive `.alias` is outside what the simulator runs"},
    {".tex .u64 t;", "directive `.tex` is outside what the simulator runs"},
    {".global .texref t;", "`.texref` in the declaration of a variable is outside what the simulator runs"},
    {".global .samplerref t;", "`.samplerref` in the declaration of a variable is outside what the simulator runs"},
    {".global .surfref t;", "`.surfref` in the declaration of a variable is outside what the simulator runs"},
    {".visible .entry k() .reqnctapercluster 2 { ret; }", "`.reqnctapercluster` before the body of `k`"},
    {".visible .entry k() .explicitcluster { ret; }", "`.explicitcluster` before the body of `k`"},
    {".visible .entry k() .blocksareclusters { ret; }", "`.blocksareclusters` before the body of `k`"},
    {".func f(.reg .b32 a) { ret; }", "parameters in registers are outside what the simulator runs"},
    {".func (.param .b32 a, .param .b32 b) f() { ret; }", "a function with several results"},
    {".global .u32 a, b;", "one variable a declaration: several are outside what the simulator runs"},
    {".address_size 32", "addresses of 32 bits are outside what the simulator runs"},
    {".target texmode_independent", "target `texmode_independent` is outside what the simulator runs"},
};
START_TEST(directive_is_refused) {
    char text[512];
    struct ptx_error e;
    snprintf(text, sizeof text, ".version 9.0\n.target sm_90\n.address_size 64\n%s\n", directives[_i].text);
    struct ptx_module *m = ptx_parse(text, strlen(text), "kernel.ptx", &e);
    ck_assert_msg(m == NULL, "accepted: %s", directives[_i].text);
    ck_assert_msg(strstr(e.message, directives[_i].wanted) != NULL, "%s\nsays   %s\nwanted %s", directives[_i].text,
                  e.message, directives[_i].wanted);
    ck_assert_uint_eq(e.text_line, 4);
}
END_TEST

/* A function that only the driver or a library has. */
START_TEST(call_without_a_body_is_refused) {
    static const char text[] =
        ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n"
        ".extern .func (.param .b64 out) malloc(.param .b64 bytes);\n.visible .entry k()\n{\n.loc 1 41 3\n"
        "{ .param .b64 p; .param .b64 r; st.param.b64 [p], 8; call.uni (r), malloc, (p); }\nret;\n}\n";
    struct ptx_error e;
    struct sim_error s;
    struct ptx_module *m = ptx_parse(text, sizeof text - 1, "kernel.ptx", &e);
    ck_assert_msg(m != NULL, "%s", e.message);
    ck_assert_ptr_null(sim_program_new(m, &s));
    ck_assert_str_eq(s.message, "kernel.cu:41: call.uni (r), malloc, (p): calls a function that has no body here");
    ptx_free(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx refused");
    TCase *t = tcase_create("refused");
    tcase_add_loop_test(t, statement_is_refused, 0, sizeof statements / sizeof *statements);
    tcase_add_loop_test(t, directive_is_refused, 0, sizeof directives / sizeof *directives);
    tcase_add_test(t, call_without_a_body_is_refused);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
