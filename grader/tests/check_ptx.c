/* Tests the parser: short programs are decoded; for invalid ones, the error has a message and a line. */
/* run: sanitized */
/* reads: nothing */
#include "ptx/ptx.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"

/* The text before and after the body of a kernel. */
static const char before[] = HEAD ".global .align 4 .u32 g[4];\n"
                                  ".const .align 4 .u32 c[4];\n"
                                  ".extern .shared .align 16 .b8 s[];\n"
                                  ".func (.param .b32 ret) f(.param .b32 a, .param .b64 b);\n"
                                  ".func nothing;\n"
                                  ".visible .entry k(.param .u64 p0, .param .u32 p1)\n"
                                  "{\n"
                                  ".reg .pred %p<9>;\n"
                                  ".reg .b16 %rs<9>;\n"
                                  ".reg .b32 %r<9>;\n"
                                  ".reg .b64 %rd<9>;\n"
                                  ".reg .f32 %f<9>;\n"
                                  ".reg .f64 %fd<9>;\n"
                                  ".param .b32 a0;\n"
                                  ".param .b64 a1;\n"
                                  ".param .b32 r0;\n"
                                  ".local .align 8 .b8 depot[16];\n"
                                  "list: .branchtargets here, here;\n",
                  behind[] = "\nhere:\nret;\n}\n";
enum { BODY_LINE = 22 };

static struct ptx_module *parse_module(const char *text, struct ptx_error *e) {
    return ptx_parse(text, strlen(text), "test", e);
}
static struct ptx_module *parsed(const char *text) {
    struct ptx_error e;
    struct ptx_module *m = parse_module(text, &e);
    ck_assert_msg(m != NULL, "line %u: %s in\n%s", e.text_line, e.message, text);
    return m;
}
static const char *with_body(const char *body, char *text, size_t size) {
    ck_assert_int_lt(snprintf(text, size, "%s%s%s", before, body, behind), (int)size);
    return text;
}

/* ---- instructions ------------------------------------------------------------------------------ */
/* printed: output of ptx_print(); NULL if it equals the text. */
static const struct {
    const char *text, *id, *printed;
} decodes[] = {
    {"add.s32 %r1, %r2, -5", "add_int", NULL},
    {"add.sat.s32 %r1, %r2, %r3", "add_int", NULL},
    {"add.u32 %r1, %r2, 0x10", "add_int", "add.u32 %r1, %r2, 16"},
    {"add.u32 %r1, %r2, -1", "add_int", "add.u32 %r1, %r2, 0xFFFFFFFF"},
    {"add.s64 %rd1, %rd2, 017", "add_int", "add.s64 %rd1, %rd2, 15"},
    {"add.s16 %rs1, %rs2, 0b101", "add_int", "add.s16 %rs1, %rs2, 5"},
    {"add.u64 %rd1, %rd2, 18446744073709551615U", "add_int", "add.u64 %rd1, %rd2, 0xFFFFFFFFFFFFFFFF"},
    {"add.f32 %f1, %f2, 0f3F800000", "add_flt", NULL},
    {"add.rz.ftz.f32 %f1, %f2, %f3", "add_flt", NULL},
    {"add.ftz.f32 %r1, %r2, %r3", "add_flt", NULL}, /* nvcc does this for sm_100: floats are in .b32 registers */
    {"add.f32 %f1, %f2, 1.5", "add_flt", "add.f32 %f1, %f2, 0f3FC00000"},
    {"add.f32 %f1, %f2, -0f3F800000", "add_flt", "add.f32 %f1, %f2, 0fBF800000"},
    {"add.f64 %fd1, %fd2, 1e-3", "add_flt", "add.f64 %fd1, %fd2, 0d3F50624DD2F1A9FC"},
    {"add.f64 %fd1, %fd2, 0f40000000", "add_flt", "add.f64 %fd1, %fd2, 0d4000000000000000"},
    {"mul.lo.s32 %r1, %r2, %r3", "mul_lo", NULL},
    {"mul.wide.u16 %r1, %rs2, 3", "mul_wide", NULL},
    {"mad.wide.s32 %rd1, %r2, %r3, %rd4", "mad_wide", NULL},
    {"mad.lo.cc.u32 %r1, %r2, %r3, %r4", "madc_lo", NULL},
    {"addc.cc.u32 %r1, %r2, %r3", "addc_in", NULL},
    {"fma.rn.f64 %fd1, %fd2, %fd3, %fd4", "fma_flt", NULL},
    {"min.NaN.f32 %f1, %f2, %f3", "min_nan", NULL},
    {"div.full.ftz.f32 %f1, %f2, %f3", "div_flt", NULL},
    {"rcp.approx.ftz.f64 %fd1, %fd2", "rcp", NULL},
    {"and.pred %p1, %p2, !%p3", "and_pred", NULL},
    {"and.b32 %r1, %r2, %r3", "and", NULL},
    {"shl.b16 %rs1, %rs2, 3", "shl", NULL},
    {"shr.s16 %rs1, %rs2, %r3", "shr", NULL},
    {"shf.l.wrap.b32 %r1, %r2, %r3, %r4", "shf_l_wrap", NULL},
    {"lop3.b32 %r1, %r2, %r3, %r4, 232", "lop3", NULL},
    {"prmt.b32.f4e %r1, %r2, %r3, %r4", "prmt", "prmt.f4e.b32 %r1, %r2, %r3, %r4"},
    {"bfind.shiftamt.u32 %r1, %r2", "bfind_shiftamt", NULL},
    {"popc.b64 %r1, %rd2", "popc", NULL},
    {"setp.lt.u32 %p1, %r1, %tid.x", "setp", NULL},
    {"setp.lo.u32 %p1, %r1, %r2", "setp", NULL},
    {"setp.geu.ftz.f32 %p1, %f1, %f2", "setp", NULL},
    {"setp.eq.and.s32 %p1|%p2, %r1, 0, !%p3", "setp", NULL},
    {"setp.eq.s32 _|%p2, %r1, 0", "setp", NULL},
    {"set.lt.or.f32.s32 %f1, %r1, %r2, %p1", "set", NULL},
    {"selp.f32 %f1, %f2, 0f00000000, %p1", "selp", NULL},
    {"slct.f32.s32 %f1, %f2, %f3, %r1", "slct", NULL},
    {"mov.u32 %r1, %laneid", "mov", NULL},
    {"mov.u64 %rd1, %globaltimer", "mov", NULL},
    {"mov.u32 %r1, WARP_SZ", "mov", "mov.u32 %r1, 32"},
    {"mov.b32 %r1, 0f3F800000", "mov", "mov.b32 %r1, 0x3F800000"},
    {"mov.pred %p1, -1", "mov", "mov.pred %p1, 1"},
    {"mov.b64 {%r1, _}, %rd1", "mov", NULL},
    {"mov.b64 %rd1, {%r1, 7}", "mov", NULL},
    {"mov.b64 %fd1, {%r1,%r2}", "mov", "mov.b64 %fd1, {%r1, %r2}"},
    {"mov.b32 {%rs1, %rs2}, %r1", "mov", NULL},
    {"mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1", "mov", NULL},
    {"mov.u64 %rd1, g", "mov", NULL},
    {"mov.u64 %rd1, g+8", "mov", NULL},
    {"mov.u64 %rd1, f", "mov", NULL},
    {"mov.u32 %r1, s", "mov", NULL},
    {"mov.b64 %rd1, p0", "mov", NULL},
    {"cvt.rn.f32.s32 %f1, %r1", "cvt", NULL},
    {"cvt.rzi.ftz.s32.f32 %r1, %f1", "cvt", NULL},
    {"cvt.u16.u8 %rs1, %r1", "cvt", NULL},
    {"cvt.sat.u8.s32 %r1, %r2", "cvt", NULL},
    {"cvt.rn.f16.f32 %rs1, %f1", "cvt", NULL},
    {"cvt.u64.u32 %rd1, %tid.x", "cvt", NULL},
    {"cvta.to.global.u64 %rd1, %rd2", "cvta", NULL},
    {"cvta.shared.u64 %rd1, s", "cvta", NULL},
    {"isspacep.shared %p1, %rd1", "isspacep", NULL},
    {"ld.param.u64 %rd1, [p0]", "ld", NULL},
    {"ld.param.u16 %r1, [p0+6]", "ld", NULL},
    {"ld.global.f32 %f1, [%rd1+-4]", "ld", "ld.global.f32 %f1, [%rd1-4]"},
    {"ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1, %f2, _, %f4}, [%rd1]", "ld",
     "ld.global.nc.L2::128B.v4.f32 {%f1, %f2, _, %f4}, [%rd1]"},
    {"ld.volatile.shared.u32 %r1, [%r2+4]", "ld", NULL},
    {"ld.shared::cta.u32 %r1, [s+4]", "ld", "ld.shared.u32 %r1, [s+4]"},
    {"ld.relaxed.gpu.global.u32 %r1, [g]", "ld", NULL},
    {"ld.acquire.sys.u32 %r1, [%rd1]", "ld", NULL},
    {"ld.s8 %rs1, [%rd1]", "ld", NULL},
    {"ld.u8 %rd1, [%rd1]", "ld", NULL},
    {"ld.global.u32 %r1, [4096]", "ld", NULL},
    {"ld.local.v2.u64 {%rd1, %rd2}, [depot]", "ld", NULL},
    {"ld.const.u32 %r1, [c+12]", "ld", NULL},
    {"st.global.v2.f32 [%rd1], {%f1, 0f00000000}", "st", NULL},
    {"st.u8 [%rd1], 255", "st", NULL},
    {"st.shared.u64 [s+8], -1", "st", "st.shared.u64 [s+8], 0xFFFFFFFFFFFFFFFF"},
    {"st.param.b32 [a0+0], %f1", "st", "st.param.b32 [a0], %f1"},
    {"st.release.gpu.global.u32 [%rd1], %r1", "st", NULL},
    {"atom.global.add.u32 %r1, [%rd1], 1", "atom", NULL},
    {"atom.add.f64 %fd1, [%rd1], %fd2", "atom", NULL},
    {"atom.shared.cas.b32 %r1, [%r2], %r3, 0", "atom", NULL},
    {"atom.acq_rel.gpu.global.inc.u32 _, [%rd1], 7", "atom", NULL},
    {"red.global.add.f32 [%rd1], %f1", "red", NULL},
    {"atom.global.add.noftz.f16 %rs1, [%rd1], %rs2", "atom", NULL},
    {"ld.global.L2::cache_hint.v2.u32 {%r1, %r2}, [%rd1], %rd2", "ld", NULL},
    {"red.global.add.noftz.L2::cache_hint.v2.f16 [%rd1], {%rs1, %rs2}, %rd2", "red_vector", NULL},
    {"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [%rd1, {%r1, %r2}], [%r3], %rd2",
     "tensor_store",
     "cp.async.bulk.tensor.shared::cta.bulk_group.global.L2::cache_hint.2d.tile [%rd1, {%r1, %r2}], [%r3], %rd2"},
    {"prefetch.global.L2 [%rd1]", "prefetch", NULL},
    {"membar.gl", "membar", "membar.gl"},
    {"fence.sc.sys", "fence", NULL},
    {"bra.uni here", "bra", NULL},
    {"@!%p1 bra here", "bra", NULL},
    {"brx.idx %r1, list", "brx_idx", NULL},
    {"call.uni (r0), f, (a0, a1)", "call", NULL},
    {"call nothing", "call", NULL},
    {"@%p1 ret", "ret", NULL},
    {"nanosleep.u32 100", "nanosleep", NULL},
    {"bar.sync 0", "bar_sync", NULL},
    {"bar.sync %r1, 64", "bar_sync", NULL},
    {"barrier.cta.sync.aligned 1", "barrier_sync", "barrier.sync.cta.aligned 1"},
    {"bar.arrive 1, 64", "bar_arrive", NULL},
    {"bar.red.popc.u32 %r1, 0, %p1", "bar_red_popc", NULL},
    {"bar.red.popc.u32 %r1, 0, 64, %p1", "bar_red_popc", NULL},
    {"bar.red.or.pred %p1, 0, !%p2", "bar_red_pred", NULL},
    {"bar.warp.sync -1", "bar_warp_sync", "bar.warp.sync 0xFFFFFFFF"},
    {"shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1", "shfl", "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, 0xFFFFFFFF"},
    {"shfl.sync.idx.b32 %f1, %f2, %r1, %r2, %r3", "shfl", NULL},
    {"vote.sync.ballot.b32 %r1, !%p1, -1", "vote_ballot", "vote.sync.ballot.b32 %r1, !%p1, 0xFFFFFFFF"},
    {"vote.sync.uni.pred %p1, %p2, %r1", "vote", NULL},
    {"match.all.sync.b64 %r1|%p1, %rd1, %r2", "match_all", NULL},
    {"activemask.b32 %r1", "activemask", NULL},
    {"redux.sync.min.s32 %r1, %r2, %r3", "redux", NULL},
    {"elect.sync _|%p1, %r1", "elect", NULL},
};
START_TEST(instruction_decodes) {
    char text[2048], printed[256], again[256];
    snprintf(printed, sizeof printed, "%s;", decodes[_i].text);
    struct ptx_module *m = parsed(with_body(printed, text, sizeof text));
    const struct ptx_function *f = ptx_find_function(m, "k");
    ck_assert_uint_eq(f->code_count, 2);
    ck_assert_str_eq(ptx_ops[f->code[0].op].id, decodes[_i].id);
    ptx_print(m, f, &f->code[0], printed, sizeof printed - 1);
    ck_assert_str_eq(printed, decodes[_i].printed ? decodes[_i].printed : decodes[_i].text);
    ptx_free(m);
    m = parsed(with_body(strcat(printed, ";"), text, sizeof text));
    f = ptx_find_function(m, "k");
    ptx_print(m, f, &f->code[0], again, sizeof again - 1);
    ck_assert_str_eq(strcat(again, ";"), printed);
    ptx_free(m);
}
END_TEST

/* Tests fields that ptx_print() does not show, or shows in a different form from the one that the simulator uses. */
START_TEST(operands_in_detail) {
    char text[2048];
    struct ptx_module *m = parsed(with_body("@!%p3 atom.acquire.gpu.shared.cas.b32 %r1, [%r2-8], -1, %r4;\n"
                                            "ld.param.v2.f32 {%f1, _}, [p0];\n"
                                            "brx.idx %r1, list;\n"
                                            "call.uni (r0), f, (a0, a1);\n"
                                            "setp.ne.u64 %p1|%p2, %rd1, 0;\n",
                                            text, sizeof text));
    const struct ptx_function *f = ptx_find_function(m, "k");
    const struct ptx_insn *i = f->code;
    ck_assert_str_eq(f->registers[i[0].guard].name, "%p3");
    ck_assert(i[0].guard_negated && i[0].space == PTX_SHARED && i[0].type == PTX_B32);
    ck_assert_int_eq(ptx_mod_of(&i[0], PTX_CLASS_SEM), PTX_MOD_ACQUIRE);
    ck_assert_int_eq(ptx_mod_of(&i[0], PTX_CLASS_SCOPE), PTX_MOD_GPU);
    ck_assert_int_eq(ptx_mod_of(&i[0], PTX_CLASS_OPERATION), PTX_MOD_CAS);
    ck_assert_int_eq((int64_t)i[0].operand[1].imm, -8);
    ck_assert_uint_eq(i[0].operand[2].imm, UINT32_MAX);
    ck_assert_uint_eq(i[0].text_line, BODY_LINE);
    ck_assert_uint_eq(i[1].vec, 2);
    ck_assert(i[1].operand[0].kind == PTX_VECTOR && i[1].operand[0].count == 2);
    ck_assert_int_eq(i[1].operand[0].elements[1].kind, PTX_NONE);
    ck_assert_ptr_eq(i[1].operand[1].symbol, f->params[0]);
    ck_assert_uint_eq(i[2].target_count, 2);
    ck_assert(i[2].targets[0] == 5 && i[2].targets[1] == 5);
    ck_assert_ptr_eq(i[3].call->callee, ptx_find_function(m, "f"));
    ck_assert_str_eq(i[3].call->result->name, "r0");
    ck_assert_str_eq(i[3].call->arguments[1]->name, "a1");
    ck_assert_str_eq(f->registers[i[4].pred_dest.reg].name, "%p2");
    ck_assert_uint_eq(f->label_count, 1);
    ck_assert_uint_eq(f->labels[0].at, 5);
    /* %r7 is declared, but never used */
    for (unsigned k = 0; k < f->register_count; k++) ck_assert_str_ne(f->registers[k].name, "%r7");
    ptx_free(m);
}
END_TEST

/* ---- rejected PTX ---------------------------------------------------------------------------- */
static const struct {
    const char *body, *message;
    unsigned line; /* line of the body, counted from 1 */
} refusals[] = {
    {"tcgen05.mma.cta_group::1.kind::f16 {%f1}, %rd1, %rd2;",
     "instruction `tcgen05.mma.cta_group::1.kind::f16` is not supported by the simulator", 1},
    {"\n\ncp.async.bulk.wait_all;",
     "instruction `cp.async.bulk.wait_all` is not supported by the simulator with `.bulk`", 3},
    {"cp.async.cg.shared.global [%r1], [%rd1], 8;",
     "operand 3 of `cp.async.cg.shared.global` must be 16 bytes, which .cg copies", 1},
    {"cp.async.ca.shared.global [%r1], [%rd1], 12;",
     "operand 3 of `cp.async.ca.shared.global` must be 4, 8 or 16 bytes", 1},
    {"cp.async.ca.global [%rd1], [%rd1], 4;",
     "`cp.async.ca.global` is incomplete: a modifier such as `.global` is missing", 1},
    {"cp.async.wait_group %r1;",
     "operand 1 of `cp.async.wait_group` must be a constant: how many groups may stay in flight", 1},
    {"sured.b.add.1d.u32.trap [g, {%r1}], %r1;",
     "instruction `sured.b.add.1d.u32.trap` is not supported by the simulator", 1},
    {"shfl.down.b32 %r1, %r2, 1, 31;",
     "`shfl.down.b32` has no lane mask: use the intrinsics whose names end in _sync, such as __shfl_down_sync()", 1},
    {"vote.ballot.b32 %r1, %p1;",
     "`vote.ballot.b32` has no lane mask: use the intrinsics whose names end in _sync, such as "
     "__shfl_down_sync()",
     1},
    {"add.rz.f16 %rs1, %rs2, %rs3;", "`add.rz.f16`: `.rz` is not allowed with .f16 here", 1},
    {"add.foo.f32 %f1, %f2, %f3;", "instruction `add.foo.f32` is not supported by the simulator with `.foo`", 1},
    {"add %r1, %r2, %r3;", "instruction `add` is not supported by the simulator without its type", 1},
    {"mul.s32 %r1, %r2, %r3;", "instruction `mul.s32` is not supported by the simulator with `.s32`", 1},
    {"add.rn.rn.f32 %f1, %f2, %f3;", "instruction `add.rn.rn.f32` is not supported by the simulator with `.rn`", 1},
    {"add.ftz.f64 %fd1, %fd2, %fd3;", "`add.ftz.f64`: `.ftz` is not allowed with .f64 here", 1},
    {"add.sat.u32 %r1, %r2, %r3;", "`add.sat.u32`: `.sat` is not allowed with .u32 here", 1},
    {"atom.global.and.u32 %r1, [%rd1], 1;", "`atom.global.and.u32`: `.and` is not allowed with .u32 here", 1},
    {"atom.global.u32 %r1, [%rd1], 1;", "`atom.global.u32` is incomplete: a modifier such as `.add` is missing", 1},
    {"setp.equ.s32 %p1, %r1, 0;", "`setp.equ.s32`: `.equ` is not allowed with .s32 here", 1},
    {"setp.s32 %p1, %r1, 0;", "`setp.s32` is incomplete: a modifier such as `.eq` is missing", 1},
    {"setp.eq.and.s32 %p1, %r1, 0;", "`setp.eq.and.s32`: a fourth operand requires .and, .or or .xor, and vice versa",
     1},
    {"shfl.sync.finite.b32 %r1, %r2, 1, 31, -1;", "`shfl.sync.finite.b32`: `.finite` is not allowed with .b32 here", 1},
    {"cvt.s32.f32 %r1, %f1;", "`cvt.s32.f32`: a conversion from float to integer requires .rni, .rzi, .rmi or .rpi", 1},
    {"cvt.f32.s32 %f1, %r1;", "`cvt.f32.s32`: a conversion from integer to float requires .rn, .rz, .rm or .rp", 1},
    {"cvt.f32.f64 %f1, %fd1;",
     "`cvt.f32.f64`: a conversion to a narrower float, or between .f16 and .bf16, requires .rn, .rz, .rm or .rp", 1},
    {"ld.relaxed.u32 %r1, [%rd1];", "`ld.relaxed.u32`: the scope is missing: .cta, .cluster, .gpu or .sys", 1},
    {"membar.cluster;", "`membar.cluster`: `.cluster` is not supported by the simulator", 1},
    {"st.const.u32 [c], 1;", "`st.const.u32`: constant memory cannot be written", 1},
    {"cvta.u64 %rd1, %rd2;", "`cvta.u64`: the state space is missing", 1},
    {"add.s32 %r1, %r2;", "`add.s32` takes 3 operands, not 2", 1},
    {"add.s32 %r1, %r2, %r3, %r4;", "`add.s32` takes 3 operands, not 4", 1},
    {"bar.sync;", "`bar.sync` takes 1 operand, not 0", 1},
    {"add.s32 %r1, %r2, %rd3;", "operand 3 of `add.s32`: register %rd3 is .b64 where .s32 is expected", 1},
    {"add.s32 %f1, %r2, %r3;", "operand 1 of `add.s32`: register %f1 is .f32 where .s32 is expected", 1},
    {"add.f32 %f1, %f2, %fd3;", "operand 3 of `add.f32`: register %fd3 is .f64 where .f32 is expected", 1},
    {"mov.u32 %r1, %p1;", "operand 2 of `mov.u32`: register %p1 is .pred where .u32 is expected", 1},
    {"mov.u32 %r1, %clock64;", "operand 2 of `mov.u32`: %clock64 has 64 bits, not 32", 1},
    {"mov.u32 %r1, g;", "operand 2 of `mov.u32` must be a constant or a register: an address has 64 bits", 1},
    {"ld.global.v2.u8 {%rd1, %rs1}, [%rd2];",
     "operand 1 of `ld.global.v2.u8` must be a vector of registers of one width", 1},
    {"st.global.v2.u8 [%rd2], {%rs1, %r1};",
     "operand 2 of `st.global.v2.u8` must be a vector of registers of one width", 1},
    {"mov.b64 {%r1, %r2, %r3}, %rd1;",
     "operand 1 of `mov.b64` must be a vector of 8-, 16- or 32-bit elements of the same total size", 1},
    {"add.s64 %rd1, %rd2, g;", "operand 3 of `add.s64` must be a register or a constant: use mov for an address", 1},
    {"mov.b64 %rd1, a0;", "the simulator does not support taking the address of `a0`, an argument or result of a call",
     1},
    {"add.s32 5, %r2, %r3;", "operand 1 of `add.s32` cannot be a constant", 1},
    {"add.s32 %r1, %r2, !%p1;", "operand 3 of `add.s32` must be without `!`", 1},
    {"add.s32 %r1, %r2, 4294967296;", "the constant 4294967296 does not fit into type .s32", 1},
    {"add.s16 %rs1, %rs2, -32769;", "the constant -32769 does not fit into type .s16", 1},
    {"add.s32 %r1, %r2, 1.5;", "expected a constant of type .s32, not a float", 1},
    {"add.f32 %f1, %f2, 1;", "expected a constant of type .f32, not an integer", 1},
    {"add.s32 %r1, %r2, 'a';", "expected an operand, not `'`", 1},
    {"add.s32 %r1, %r2, 12x;", "expected an operand, not `12x`", 1},
    {"add.s32 %r1, %r2, 08;", "expected an operand, not `08`", 1},
    {"add.s32 %r1, %r2, 99999999999999999999;", "expected an operand, not `99999999999999999999`", 1},
    {"add.s32 %r1, %r2, %r9;", "`%r9` is neither declared nor a special register that the simulator supports", 1},
    {"add.s32 %r1, %r2, %r01;", "`%r01` is neither declared nor a special register that the simulator supports", 1},
    {"mov.u32 %r1, %pm0;", "`%pm0` is neither declared nor a special register that the simulator supports", 1},
    {"mov.u64 %rd1, nowhere;", "`nowhere` is not declared", 1},
    {"bra nowhere;", "label `nowhere` is not declared", 1},
    {"bra %r1;", "label `%r1` is not declared", 1},
    {"bra list;", "`list` is not a label", 1},
    {"brx.idx %r1, here;", "`here` is not a .branchtargets list", 1},
    {"@%r1 bra here;", "`%r1` is not a predicate register", 1},
    {"setp.eq.s32 %r1, %r2, 0;", "operand 1 of `setp.eq.s32` must be a predicate register", 1},
    {"add.s32 %r1|%p1, %r2, %r3;", "`add.s32` has one destination", 1},
    {"ld.global.u32 %r1, %rd1;", "operand 2 of `ld.global.u32` must be an address in [ ]", 1},
    {"ld.global.u32 %r1, [%r2];", "operand 2 of `ld.global.u32` must be addressed by a 64-bit integer register", 1},
    {"ld.shared.u32 %r1, [%f2];",
     "operand 2 of `ld.shared.u32` must be addressed by a 32-bit or 64-bit integer register", 1},
    {"ld.global.u32 %r1, [s];", "`ld.global.u32`: `s` is in .shared memory", 1},
    {"ld.u32 %r1, [p1];", "`ld.u32`: `p1` is in .param memory", 1},
    {"ld.param.u64 %rd1, [p1];", "`ld.param.u64` accesses memory past the 4 bytes of `p1`", 1},
    {"ld.param.u32 %r1, [p1-4];", "`ld.param.u32` accesses memory past the 4 bytes of `p1`", 1},
    {"st.param.u32 [p1], 1;", "`p1`, a parameter of the kernel, cannot be written", 1},
    {"ld.global.v2.f32 %f1, [%rd1];", "operand 1 of `ld.global.v2.f32` must hold 2 elements in { }", 1},
    {"ld.global.f32 {%f1, %f2}, [%rd1];", "operand 1 of `ld.global.f32` must hold 1 element", 1},
    {"ld.shared.v4.u64 {%rd1, %rd2, %rd3, %rd4}, [%r1];",
     "`ld.shared.v4.u64`: the vector exceeds 16 bytes, or 32 bytes with .global", 1},
    {"createpolicy.fractional.L2::evict_last.b64 %rd1, %rd2;",
     "operand 2 of `createpolicy.fractional.L2::evict_last.b64`: register %rd2 is .b64 where .f32 is expected", 1},
    {"ld.global.L2::cache_hint.u32 %r1, [%rd1], %r2;",
     "operand 3 of `ld.global.L2::cache_hint.u32`: register %r2 is .b32 where .b64 is expected", 1},
    {"ld.global.u32 %rs1, [%rd1];", "operand 1 of `ld.global.u32`: register %rs1 is .b16 where .u32 is expected", 1},
    {"ld.global.u32 %r1, [here];", "`here` is not declared", 1},
    {"atom.global.cas.b32 %r1, [%rd1], 1;", "`atom.global.cas.b32`: .cas takes two values, the other operations one",
     1},
    {"atom.local.add.u32 %r1, [%rd1], 1;", "`atom.local.add.u32`: atomics work on global and shared memory", 1},
    {"lop3.b32 %r1, %r2, %r3, %r4, 256;", "operand 5 of `lop3.b32` must be a constant from 0 to 255", 1},
    {"bar.sync 16;", "operand 1 of `bar.sync` must be a barrier from 0 to 15", 1},
    {"bar.arrive 0, 33;", "operand 2 of `bar.arrive` must be a multiple of 32, because whole warps arrive", 1},
    {"call g;", "`g` is not a function", 1},
    {"call k;", "`k` is a kernel, which cannot be called", 1},
    {"call (r0), f, (a1, a0);", "the call does not match the parameters of `f`", 1},
    {"call (r0), f, (a0);", "the call does not match the parameters of `f`", 1},
    {"call f, (a0, a1);", "the call does not match the parameters of `f`", 1},
    {"call (r0), f, (a0, p0);", "`p0` is not a .param variable of this body", 1},
    {"call %rd1;", "the call through `%rd1` does not name a prototype", 1},
    {"call %r1;", "register `%r1` does not hold the address of a function", 1},
    {".reg .b32 %r<3>;", "`%r` is declared twice", 1},
    {".reg .b256 %q;", "registers of type `.b256` are not supported by the simulator", 1},
    {".reg .b32 %q<99999999>;", "99999999 is too large: the maximum here is 1048576", 1},
    {".global .u32 x;", "`.global` in a function is not supported by the simulator", 1},
    {".shared .b8 x[2000000];", "`x` is larger than the 1048576 bytes that a .shared variable may have", 1},
    {".shared .u32 x = 5;", "`x` is in .shared memory, which cannot be initialized", 1},
    {"here:", "`here` is declared twice", 3},
    {"add.s32 %r1, %r2, %r3", "expected `;` before `here`", 2},
    {"/* no end", "unterminated comment", 1},
    {".pragma \"no end;", "unterminated string", 1},
    {"}", "label `here` is not declared", 0},
    {"{", "the text ends inside function `k`", 5},
};
START_TEST(instruction_is_refused) {
    char text[2048];
    struct ptx_error e;
    struct ptx_module *m = parse_module(with_body(refusals[_i].body, text, sizeof text), &e);
    ck_assert_msg(m == NULL, "accepted: %s", refusals[_i].body);
    ck_assert_str_eq(e.message, refusals[_i].message);
    ck_assert_uint_eq(e.text_line - BODY_LINE + 1, refusals[_i].line);
}
END_TEST

/* ---- errors name the CUDA line ----------------------------------------------------------------------------------- */
START_TEST(error_names_the_source_line) {
    struct ptx_error e; /* the .file directives follow the function, as in nvcc's output */
    ck_assert_ptr_null(
        parse_module(HEAD ".entry k() {\n.loc 2 17 3\n.reg .b32 %r<4>;\nadd.s32 %r1, %r2, 3;\nfoo.bar;\nret;\n}\n"
                          "\t.file\t1 \"/usr/include/x.h\"\n\t.file\t2 \"reduce.cu\"\n",
                     &e));
    ck_assert_uint_eq(e.text_line, 8);
    ck_assert_uint_eq(e.source_line, 17);
    ck_assert_str_eq(e.source_file, "reduce.cu");
    ck_assert_ptr_null(
        parse_module(HEAD ".entry k() {\n.loc 1 5 1\nbra away;\n.loc 1 9 1\nret;\n}\n.file 1 \"a.cu\"\n", &e));
    /* the line of the branch, although the missing label is detected only at the end of the text */
    ck_assert_uint_eq(e.source_line, 5);
    ck_assert_ptr_null(parse_module(HEAD ".entry k() { ret; }\n.entry l() { foo; }\n", &e));
    ck_assert_uint_eq(e.source_line, 0);
    ck_assert_str_eq(e.source_file, "");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx");
    TCase *instructions = tcase_create("instructions");
    tcase_add_loop_test(instructions, instruction_decodes, 0, sizeof decodes / sizeof *decodes);
    tcase_add_loop_test(instructions, instruction_is_refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(instructions, operands_in_detail);
    tcase_add_test(instructions, error_names_the_source_line);
    suite_add_tcase(suite, instructions);
    const int failed = suite_failures(suite);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
