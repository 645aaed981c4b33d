/* Tests that loading rejects PTX that the simulator does not support: instructions, directives, registers and
 * operands. The message contains the unsupported text and its lines in the PTX and in the CUDA source. */
/* run: sanitized */
/* reads: nothing */
#include "ptx/ptx.h"
#include "sim/sim.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

#define OUTSIDE "is not supported by the simulator"
static const struct {
    const char *text;   /* a statement for the kernel's body */
    const char *wanted; /* part of the message; NULL for the name of the instruction and OUTSIDE */
} statements[] = {
    /* matrices */
    {"mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f2};",
     "invalid combination of types and shape"},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f32 {%r1, %r1}, {%r1, %r1}, {%r2}, {%f2, %f2, %f2, %f2};",
     "invalid combination of types and shape"},
    {"mma.sync.aligned.m8n8k32.row.col.s32.s8.s8.s32 {%r1, %r1}, {%r1}, {%r2}, {%r2, %r2};",
     "invalid combination of types and shape"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s4.s8.s32 {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r2}, {%r2, %r2, %r2, %r2};",
     "invalid combination of types and shape"},
    {"mma.sync.aligned.m8n8k128.row.col.or.popc.s32.b1.b1.s32 {%r1, %r1}, {%r1}, {%r2}, {%r2, %r2};",
     "`.or` is not allowed with .s32 here"},
    {".reg .s4 %q;", "registers of type `.s4` are not supported by the simulator"},
    {"wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r1}, [%rd1], %r2;", "`.col` is not allowed with .s4 here"},
    {"wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r1}, [%rd1], %r2;", "`.m16n16k8` is not allowed with .f16 here"},
    {"mma.sp.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2}, %r3, 0;",
     "invalid combination of types and shape"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.e4m3.e4m3.f32 {%f1}, {%r1}, {%r2}, {%f2};",
     "invalid combination of types and shape"},
    {"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f1}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
     "invalid combination of types and shape"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, 1;",
     "takes 4 constants"},
    {"wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {%r1, %r2, %r3, %r4}, %rd1, %rd2, %p1;", NULL},
    {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %r1, 0, %p1, 1, 1, 0, 0;",
     "not supported by the simulator with `.sp`"},
    {"wgmma.wait_group.sync.aligned %r1;", "a constant: how many groups may stay in flight"},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], 32;", NULL},
    /* textures and surfaces */
    {"tex.1d.v2.f16x2.f32 {%r1, %r2}, [%rd1, {%f1}];", NULL},
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd2, {%f1}];", "a separate sampler"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];", "must hold 2 coordinates"},
    {"tex.2d.f32.f32 %f1, [%rd1, {%f1, %f2}];", "a modifier such as `.v4` is missing"},
    {"tex.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];", "a modifier such as `.1d` is missing"},
    {"tex.cube.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r1, %r1}];", "a cube's coordinates are .f32"},
    {"tld4.r.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f1, %f1}];", "`.3d` is not allowed with .f32 here"},
    {"txq.filter_mode.b32 %r1, [%rd1];", NULL},
    {"suld.b.1d.b32 {%r1}, [%rd1, {%r2}];", "a modifier such as `.trap` is missing"},
    {"suld.b.1d.v4.b64.trap {%rd1, %rd2, %rd1, %rd2}, [%rd1, {%r2}];", "the vector exceeds 16 bytes"},
    {"suld.b.cube.b32.trap {%r1}, [%rd1, {%r2, %r1, %r2, %r1}];", "`.cube` is not allowed with .b32 here"},
    {"sust.p.1d.b32.trap [%rd1, {%r2}], {%r1};", NULL},
    {"sust.b.1d.b32.trap [%rd1, {%r2}], %tid.x;", "must be of registers and constants"},
    {"sured.b.add.1d.u32.trap [%rd1, {%r2}], %r1;", NULL},
    {"istypep.texref %p1, %rd1;", NULL},
    /* asynchronous copies, and instructions that wait for them */
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 24, [%r2];",
     "a multiple of 16 bytes"},
    {"cp.async.bulk.wait_group %r1;", "a constant: how many groups may stay in flight"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%r2], 16, "
     "[%r3], "
     "%h1;",
     "not supported by the simulator with `.multicast::cluster`"},
    {"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r2}], "
     "[%r3];",
     "must hold 1 coordinate"},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r2, "
     "%r2}], "
     "[%r3], {%rs1};",
     "not supported by the simulator with `.im2col`"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%rd1], [%r1], 16;",
     "`.add` is not allowed with .s64"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 24;", "a multiple of 16 bytes"},
    {"tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%rd1], 1;", NULL},
    {"tensormap.replace.tile.rank.global.b1024.b64 [%rd1], 1;", "`.rank` is not allowed with .b64"},
    /* other unsupported instructions and registers */
    {"multimem.ld_reduce.global.add.f32 %f1, [%rd1];", NULL},
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %rd1;", NULL},
    {"mov.u32 %r1, %pm0;", "`%pm0` is neither declared nor a special register"},
    /* invalid operands, modifiers and declarations */
    {"vadd.s32.u32.s32 %r1, -%r2, %r3;", "`-` before `%r2`"},
    {"vset2.s32.s32.num %r1, %r2, %r3, %r4;", "`.num` is not allowed with .s32 here"},
    {"createpolicy.fractional.b64 %rd1, 1.0;", "`createpolicy"},
    {"ld.global.L2::cache_hint.u32 %r1, [%rd1];", "the last operand of `ld.global.L2::cache_hint.u32` must be"},
    {"ld.global.u32 %r1, [%rd1], %rd2;", "takes 2 operands, not 3"},
    {"ld.shared.L2::cache_hint.u32 %r1, [%rd1], %rd2;", "a cache policy requires .global"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%r2], 16, [%r3], "
     "%rd1;",
     NULL},
    {"atom.shared.add.v2.f32 {%f1, %f2}, [%r1], {%f1, %f2};", "vector atomics do not work on shared memory"},
    {"atom.global.add.v8.f32 {%f1, %f2}, [%rd1], {%f1, %f2};", "`.v8` is not allowed with .f32 here"},
    {"cvt.rna.relu.tf32.f32 %r1, %f1;", "`.relu` requires .rn or .rz, and `.satfinite` requires .rna"},
    {"cvt.rn.e4m3x2.f32 %rs1, %f1, %f2;", "a modifier such as `.satfinite` is missing"},
    {"fence.proxy.alias.global;", "a state space requires .async"},
    {"add.f32.f16 %f1, %rs1, %f2;", NULL},
    {"min.xorsign.abs.f32 %f1, %f2, %f3;", NULL},
    {"rcp.rn.ftz.f64 %rd1, %rd2;", "`.ftz` for .f64 requires .approx"},
    {"div.rn.full.f32 %f1, %f2, %f3;", "`.approx` excludes a rounding mode"},
    {"slct.ftz.u32.s32 %r1, %r2, %r3, %r4;", "`.ftz` requires a third operand of .f32"},
    {"vote.all.pred %p1, %p2;", "has no lane mask: use the intrinsics whose names end in _sync"},
    {"match.any.b32 %r1, %r2;", "has no lane mask: use the intrinsics whose names end in _sync"},
    {".reg .b256 %q;", "registers of type `.b256` are not supported by the simulator"},
    {".reg .b128 %q; atom.global.add.b128 %q, [%rd1], %q;", "`.add` is not allowed with .b64 here"},
    {".shared .texref t;", "`.texref` in the declaration of a variable is not supported by the simulator"},
    {".maxnreg 4;", "`.maxnreg` in a function is not supported by the simulator"},
    {"call.uni (r), malloc, (r);", "`malloc` is not a function"},
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
    /* The rest of the module is usable: the kernel after the unsupported function runs, and the module has a reason
     * only for this function. */
    char longer[sizeof text + 200], why[600];
    snprintf(longer, sizeof longer,
             "%s.visible .entry next(.param .u64 a)\n{\n.reg .b32 %%r<5>;\nmov.u32 %%r1, 7;\nret;\n}\n", text);
    m = ptx_parse_usable(longer, strlen(longer), "kernel.ptx", &e);
    if (!m) { /* an undeclared function is the only reason to reject the whole text */
        ck_assert_msg(strstr(statements[_i].text, "malloc"), "%s: %s", statement, e.message);
        return;
    }
    const struct ptx_function *k = ptx_find_function(m, "k"), *next = ptx_find_function(m, "next");
    ck_assert(!k->defined && !k->code_count && k->reasons && next->defined && next->code_count == 2 && !next->reasons);
    ck_assert_msg(strstr(k->reasons->message, words) != NULL, "%s", k->reasons->message);
    ck_assert(!strncmp(ptx_why(m, k->reasons, why, sizeof why), "kernel.cu:41: ", 14));
    ptx_free(m);
}
END_TEST

/* Instructions that docs/ptx.md lists as not supported. */
static const char *const absent[] = {
#define ABSENT(what, example, origin, reason) example,
#include "ptx/absent.def"
};
START_TEST(listed_example_is_refused) {
    char text[2048];
    struct ptx_error e;
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .pred %%p<5>;\n"
             ".reg .b16 %%rs<5>;\n.reg .b32 %%r<5>, %%f<5>;\n.reg .b64 %%rd<5>;\n%s\nret;\n}\n",
             absent[_i]);
    struct ptx_module *m = ptx_parse(text, strlen(text), "kernel.ptx", &e);
    ck_assert_msg(m == NULL, "accepted: %s", absent[_i]);
    /* the text has no syntax error, because it can be loaded */
    m = ptx_parse_usable(text, strlen(text), "kernel.ptx", &e);
    ck_assert_msg(m != NULL, "%s: %s", absent[_i], e.message);
    ptx_free(m);
}
END_TEST

/* A GPU's driver would reject an unknown instruction. Loading must therefore fail, even if no launch needs the
 * function. */
START_TEST(unknown_instruction_fails_the_module) {
    static const char text[] =
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nfrobnicate.u32 %r1;\n"
        "ret;\n}\n.visible .entry next()\n{\nret;\n}\n";
    struct ptx_error e;
    ck_assert(!ptx_parse_usable(text, strlen(text), "kernel.ptx", &e));
    ck_assert_str_eq(e.message, "`frobnicate.u32` is not an instruction of the PTX ISA");
    ck_assert_uint_eq(e.text_line, 6);
}
END_TEST

/* ---- directives -------------------------------------------------------------------------------- */
static const struct {
    const char *text, *wanted;
} directives[] = {
    {".alias f, g;", "directive `.alias` is not supported by the simulator"},
    {".tex .u64 t;", "directive `.tex` is not supported by the simulator"},
    {".global .texref t;", "`.texref` in the declaration of a variable is not supported by the simulator"},
    {".global .samplerref t;", "`.samplerref` in the declaration of a variable is not supported by the simulator"},
    {".global .surfref t;", "`.surfref` in the declaration of a variable is not supported by the simulator"},
    {".visible .entry k() .blocksareclusters { ret; }", "`.blocksareclusters` before the body of `k`"},
    {".func f(.reg .b32 a) { ret; }", "parameters in registers are not supported by the simulator"},
    {".func (.param .b32 a, .param .b32 b) f() { ret; }", "a function with multiple results"},
    {".global .u32 a, b;", "multiple variables in one declaration are not supported by the simulator"},
    {".address_size 32", "32-bit addresses are not supported by the simulator"},
    {".target texmode_independent", "target `texmode_independent` is not supported by the simulator"},
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

/* Only a driver or a library defines the function, so a call of it is rejected. */
START_TEST(call_without_a_body_is_refused) {
    static const char text[] =
        ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n"
        ".extern .func (.param .b64 out) lookup(.param .b64 bytes);\n.visible .entry k()\n{\n.loc 1 41 3\n"
        "{ .param .b64 p; .param .b64 r; st.param.b64 [p], 8; call.uni (r), lookup, (p); }\nret;\n}\n";
    struct ptx_error e;
    struct sim_error s;
    struct ptx_module *m = ptx_parse(text, sizeof text - 1, "kernel.ptx", &e);
    ck_assert_msg(m != NULL, "%s", e.message);
    ck_assert_ptr_null(sim_program_new(m, &s));
    ck_assert_str_eq(s.message, "kernel.cu:41: call.uni (r), lookup, (p): calls a function without a body");
    ptx_free(m);
}
END_TEST

/* ---- the rest of the module ------------------------------------------------------------------------------ */
#define MODULE ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n"
#define KERNEL(name, body) ".visible .entry " name "()\n{\n.reg .b32 %r<9>;\n.reg .pred %p<9>;\n" body "\nret;\n}\n"
static struct ptx_module *usable(const char *text) {
    struct ptx_error e;
    struct ptx_module *m = ptx_parse_usable(text, strlen(text), "kernel.ptx", &e);
    ck_assert_msg(m != NULL, "%s", e.message);
    return m;
}
static void cannot_run(const struct ptx_module *m, const char *name, const char *const reasons[]) {
    const struct ptx_function *f = ptx_find_function(m, name);
    const struct ptx_reason *r = f->reasons;
    char why[600];
    ck_assert(!f->defined);
    for (unsigned k = 0; reasons[k]; k++, r = r->next) {
        ck_assert_msg(r != NULL, "%s: no reason %u", name, k);
        ck_assert_str_eq(ptx_why(m, r, why, sizeof why), reasons[k]);
    }
    ck_assert_ptr_null(r);
}
#define CANNOT_RUN(m, name, ...) cannot_run(m, name, (const char *const[]){__VA_ARGS__, NULL})
START_TEST(all_reasons_are_reported) {
    /* an unsupported instruction in a nested block, one after a label, and one twice; an unsupported directive in a
     * function's header; a declaration with an unsupported type, which leaves its register undefined */
    struct ptx_module *m =
        usable(MODULE KERNEL("k", ".loc 1 3 1\ntcgen05.fence::before_thread_sync;\n{\n.reg .b256 %q;\n.loc 1 4 "
                                  "1\ntcgen05.wait::ld.sync.aligned;\n}\n"
                                  "tcgen05.fence::before_thread_sync;\nL: tcgen05.shift.cta_group::1.down 1;\nbra "
                                  "L;\nmov.b256 %q, %q;\nbra nowhere;")
                   KERNEL("ok", "bra L;\nL: mov.u32 %r1, 1;") ".entry head() .blocksareclusters\n{\nret;\n}\n" KERNEL(
                       "ok2", ""));
    CANNOT_RUN(m, "k", "kernel.cu:3: instruction `tcgen05.fence::before_thread_sync` is not supported by the simulator",
               "kernel.cu:3: registers of type `.b256` are not supported by the simulator",
               "kernel.cu:4: instruction `tcgen05.wait::ld.sync.aligned` is not supported by the simulator",
               "kernel.cu:4: instruction `tcgen05.shift.cta_group::1.down` is not supported by the simulator",
               "kernel.cu:4: instruction `mov.b256` is not supported by the simulator with `.b256`");
    CANNOT_RUN(
        m, "head",
        "kernel.ptx, PTX line 31: `.blocksareclusters` before the body of `head` is not supported by the simulator");
    ck_assert(ptx_find_function(m, "ok")->defined && ptx_find_function(m, "ok2")->defined);
    struct sim_error e;
    struct sim_program *p = sim_program_new(m, &e);
    ck_assert_msg(p != NULL, "%s", e.message);
    struct sim *s = sim_new(p, NULL);
    struct sim_launch launch = {.kernel = "ok", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    ck_assert_int_eq(sim_launch(s, &launch, NULL, &e), SIM_DONE);
    launch.kernel = "head";
    ck_assert_int_eq(sim_launch(s, &launch, NULL, &e), SIM_BAD_LAUNCH);
    ck_assert_str_eq(e.message,
                     "kernel `head` cannot run here: kernel.ptx, PTX line 31: `.blocksareclusters` before the "
                     "body of `head` is not supported by the simulator");
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
}
END_TEST
START_TEST(callers_of_unsupported_functions_cannot_run) {
    struct ptx_module *m = usable(
        MODULE ".extern .func lookup();\n.extern .func vprintf();\n.func later();\n" KERNEL(
            "calls", ".loc 1 7 1\ncall later;") KERNEL("prints", "call vprintf;")
            KERNEL("looks", ".loc 1 8 1\ncall lookup;") ".func bad()\n{\n.loc 1 2 "
                                                        "1\ntcgen05.fence::before_thread_sync;\nret;\n}\n.func "
                                                        "later()\n{\n.loc 1 9 1\ncall bad;\nret;\n}\n"
                                                        ".entry address()\n{\n.reg .b64 %rd<2>;\n.loc 1 5 1\nmov.u64 "
                                                        "%rd1, later;\nret;\n}\n");
    const char *later = "kernel.cu:9: calls `bad`: kernel.cu:2: instruction `tcgen05.fence::before_thread_sync` is not "
                        "supported by the simulator";
    char calls[600], address[600];
    snprintf(calls, sizeof calls, "kernel.cu:7: calls `later`: %s", later);
    snprintf(address, sizeof address, "kernel.cu:5: calls `later`: %s", later);
    CANNOT_RUN(m, "later", later);
    CANNOT_RUN(m, "calls", calls);
    CANNOT_RUN(m, "address", address);
    CANNOT_RUN(m, "looks", "kernel.cu:8: calls `lookup`, which has no body");
    ck_assert(ptx_find_function(m, "prints")->defined);
    ptx_free(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx refused");
    TCase *t = tcase_create("refused");
    tcase_add_loop_test(t, listed_example_is_refused, 0, (int)(sizeof absent / sizeof *absent));
    tcase_add_test(t, unknown_instruction_fails_the_module);
    tcase_add_loop_test(t, statement_is_refused, 0, sizeof statements / sizeof *statements);
    tcase_add_loop_test(t, directive_is_refused, 0, sizeof directives / sizeof *directives);
    tcase_add_test(t, all_reasons_are_reported);
    tcase_add_test(t, callers_of_unsupported_functions_cannot_run);
    tcase_add_test(t, call_without_a_body_is_refused);
    suite_add_tcase(suite, t);
    return suite_failures(suite) != 0;
}
