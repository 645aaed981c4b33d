/* Tests how short texts are decoded, field by field: operands and constants of instructions, names that shadow
 * others, lines of inlined calls, variables and their initializers, points at which branches reconverge, and
 * rejected modules. check_ptx.c and check_ptx_refused.c test rejected instructions, and check_ptx_corpus.c the
 * output of compilers. */
/* run: sanitized */
/* reads: nothing */
#include "ptx/ptx.h"
#include "tests/suite.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* ---- a module around a body -------------------------------------------------------------------------------------- */
static const char before[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                             ".global .align 4 .u32 g[4] = {1, -2, 0x10};\n.const .f32 c = 0f3F800000;\n"
                             ".extern .shared .align 16 .b8 dynamic[];\n"
                             ".func (.param .b32 out) twice(.param .b32 in) { ret; }\n.func nothing() { ret; }\n"
                             ".visible .entry k(.param .u64 k_0, .param .u32 k_1, .param .align 8 .b8 k_2[24])\n{\n"
                             ".reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
                             ".reg .f32 %f<4>; .reg .f64 %fd<4>; .shared .align 4 .b32 s[8]; .local .b8 stack[16];\n";
static const char after[] = "\n}\n.file 1 \"a.cu\"\n.file 2 \"b.h\"\n";
enum { BODY_LINE = 13 }; /* line of the first instruction of a body */

static struct ptx_module *parse_body(const char *body, struct ptx_error *e) {
    char text[8192];
    const int n = snprintf(text, sizeof text, "%s%s%s", before, body, after);
    ck_assert_int_lt(n, (int)sizeof text);
    return ptx_parse(text, (size_t)n, "test", e);
}
static struct ptx_module *parsed_body(const char *body) {
    struct ptx_error e;
    struct ptx_module *m = parse_body(body, &e);
    ck_assert_msg(m != NULL, "`%s`: line %u: %s", body, e.text_line, e.message);
    return m;
}

/* ---- decoded fields, printed by the test instead of ptx_print() -------------------------------------------------- */
static char *append(char *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *append(char *at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    at += vsprintf(at, format, arguments);
    va_end(arguments);
    return at;
}
static char *show(char *at, const struct ptx_function *f, const struct ptx_operand *o) {
    if (o->negated) *at++ = '!';
    switch (o->kind) {
    case PTX_NONE: return append(at, "_");
    case PTX_REGISTER: return append(at, "%s", f->registers[o->reg].name);
    case PTX_IMMEDIATE: return append(at, "#%llx", (unsigned long long)o->imm);
    case PTX_SPECIAL: return append(at, "$%s", ptx_special_name(o->special));
    case PTX_LABEL: return append(at, "@%u", o->target);
    case PTX_SYMBOL:
        return append(at, "&%s+%lld", o->function ? o->function->name : o->symbol->name, (long long)o->imm);
    case PTX_MEMORY:
        return append(at, "[%s%+lld]",
                      o->symbol              ? o->symbol->name
                      : o->reg != PTX_NO_REG ? f->registers[o->reg].name
                                             : "",
                      (long long)o->imm);
    case PTX_VECTOR:
        for (unsigned k = 0; k < o->count; k++) at = show(append(at, k ? "," : "{"), f, &o->elements[k]);
        return append(at, "}");
    }
    return at;
}
/* Writes an instruction's guard, row, space, vector length, types and operands, such as "@!%p1 ld global v2 f32:
 * {%f1,%f2} [%rd1+8]". */
static void dump(char *at, const struct ptx_function *f, const struct ptx_insn *i) {
    if (i->guard != PTX_NO_REG) at = append(at, "@%s%s ", i->guard_negated ? "!" : "", f->registers[i->guard].name);
    at = append(at, "%s", ptx_ops[i->op].id);
    if (i->space != PTX_GENERIC) at = append(at, " %s", ptx_space_name(i->space));
    if (i->vec != 1) at = append(at, " v%u", i->vec);
    if (i->type) at = append(at, " %s", ptx_type_name(i->type));
    if (i->type2) at = append(at, " %s", ptx_type_name(i->type2));
    at = append(at, ":");
    for (unsigned k = 0; k < i->count; k++) {
        at = show(append(at, " "), f, &i->operand[k]);
        if (!k && i->pred_dest.kind == PTX_REGISTER) at = show(append(at, "|"), f, &i->pred_dest);
    }
    if (i->call) {
        at = append(at, " %s = %s(", i->call->result ? i->call->result->name : "",
                    i->call->callee ? i->call->callee->name : f->registers[i->call->pointer.reg].name);
        for (unsigned k = 0; k < i->call->argument_count; k++) at = append(at, "%s", i->call->arguments[k]->name);
        at = append(at, ")");
    }
    for (unsigned k = 0; k < i->target_count; k++) at = append(at, " %u", i->targets[k]);
}

/* Tests the last instruction before `ret;`. printed: output of ptx_print(); NULL if it equals `text`. */
static const struct {
    const char *text, *decoded, *printed;
} decodes[] = {
    {"add.s32 %r0, %r1, 5;", "add_int s32: %r0 %r1 #5", NULL},
    {"add.s32 %r0, %r1, -5;", "add_int s32: %r0 %r1 #fffffffb", NULL},
    {"add.s64 %rd0, %rd1, -1;", "add_int s64: %rd0 %rd1 #ffffffffffffffff", NULL},
    {"and.b32 %r0, %r1, 0xFF00FF00;", "and b32: %r0 %r1 #ff00ff00", NULL},
    {"and.b32 %r0, %r1, 017;", "and b32: %r0 %r1 #f", "and.b32 %r0, %r1, 15"},
    {"and.b32 %r0, %r1, 0b1011U;", "and b32: %r0 %r1 #b", "and.b32 %r0, %r1, 11"},
    {"and.b64 %rd0, %rd1, 0xFFFFFFFFFFFFFFFF;", "and b64: %rd0 %rd1 #ffffffffffffffff", NULL},
    {"mov.u16 %rs0, -1;", "mov u16: %rs0 #ffff", "mov.u16 %rs0, 65535"},
    {"mov.f32 %f0, 0f3F800000;", "mov f32: %f0 #3f800000", NULL},
    {"mov.f32 %f0, 1.5;", "mov f32: %f0 #3fc00000", "mov.f32 %f0, 0f3FC00000"},
    {"mov.f32 %f0, 0d3FF8000000000000;", "mov f32: %f0 #3fc00000", "mov.f32 %f0, 0f3FC00000"},
    {"mov.f32 %f0, -1.5e2;", "mov f32: %f0 #c3160000", "mov.f32 %f0, 0fC3160000"},
    {"mov.f32 %f0, 2e-3;", "mov f32: %f0 #3b03126f", "mov.f32 %f0, 0f3B03126F"},
    {"mov.f64 %fd0, 0dBFF0000000000000;", "mov f64: %fd0 #bff0000000000000", NULL},
    {"mov.f64 %fd0, 0f40000000;", "mov f64: %fd0 #4000000000000000", "mov.f64 %fd0, 0d4000000000000000"},
    {"mov.b32 %f0, 0f7F800000;", "mov b32: %f0 #7f800000", "mov.b32 %f0, 0x7F800000"},
    {"mov.u32 %r0, WARP_SZ;", "mov u32: %r0 #20", "mov.u32 %r0, 32"},
    {"mov.u32 %r0, %tid.x;", "mov u32: %r0 $%tid.x", NULL},
    {"mov.u64 %rd0, %clock64;", "mov u64: %rd0 $%clock64", NULL},
    {"mov.u64 %rd0, g;", "mov u64: %rd0 &g+0", NULL},
    {"mov.u64 %rd0, g+8;", "mov u64: %rd0 &g+8", NULL},
    {"mov.u32 %r0, s;", "mov u32: %r0 &s+0", NULL},
    {"mov.u64 %rd0, twice;", "mov u64: %rd0 &twice+0", NULL},
    {"mov.b64 %rd0, {%r1, %r2};", "mov b64: %rd0 {%r1,%r2}", NULL},
    {"mov.b64 {%r1, _}, %rd0;", "mov b64: {%r1,_} %rd0", NULL},
    {"mov.b32 {%rs1, %rs2}, %r0;", "mov b32: {%rs1,%rs2} %r0", NULL},
    {"mul.wide.s32 %rd0, %r1, -4;", "mul_wide s32: %rd0 %r1 #fffffffc", NULL},
    {"mul.hi.u64 %rd0, %rd1, %rd2;", "mul_hi u64: %rd0 %rd1 %rd2", NULL},
    {"mad.lo.s32 %r0, %r1, %r2, %r3;", "mad_lo s32: %r0 %r1 %r2 %r3", NULL},
    {"fma.rn.f32 %f0, %f1, %f2, 0f00000000;", "fma_flt f32: %f0 %f1 %f2 #0", NULL},
    {"add.rn.ftz.f32 %f0, %f1, %f2;", "add_flt f32: %f0 %f1 %f2", NULL},
    {"min.NaN.f32 %f0, %f1, %f2;", "min_nan f32: %f0 %f1 %f2", NULL},
    {"add.cc.u32 %r0, %r1, %r2;", "addc u32: %r0 %r1 %r2", NULL},
    {"setp.ge.u32 %p0, %r1, 3;", "setp u32: %p0 %r1 #3", NULL},
    {"setp.lt.and.f32 %p0|%p1, %f1, %f2, !%p2;", "setp f32: %p0|%p1 %f1 %f2 !%p2", NULL},
    {"and.pred %p0, !%p1, %p2;", "and_pred pred: %p0 !%p1 %p2", NULL},
    {"mov.pred %p0, 1;", "mov pred: %p0 #ffffffffffffffff", NULL},
    {"selp.b32 %r0, %r1, -1, %p0;", "selp b32: %r0 %r1 #ffffffff %p0", "selp.b32 %r0, %r1, 0xFFFFFFFF, %p0"},
    {"cvt.rzi.s32.f32 %r0, %f1;", "cvt s32 f32: %r0 %f1", NULL},
    {"cvt.u64.u32 %rd0, %r1;", "cvt u64 u32: %rd0 %r1", NULL},
    {"cvt.s8.s32 %r0, %r1;", "cvt s8 s32: %r0 %r1", NULL},
    {"cvta.to.global.u64 %rd0, %rd1;", "cvta global u64: %rd0 %rd1", NULL},
    {"cvta.global.u64 %rd0, g;", "cvta global u64: %rd0 &g+0", NULL},
    {"ld.param.u64 %rd0, [k_0];", "ld param u64: %rd0 [k_0+0]", NULL},
    {"ld.param.f64 %fd0, [k_2+16];", "ld param f64: %fd0 [k_2+16]", NULL},
    {"ld.global.u32 %r0, [%rd1+4];", "ld global u32: %r0 [%rd1+4]", NULL},
    {"ld.global.u32 %r0, [%rd1+-4];", "ld global u32: %r0 [%rd1-4]", "ld.global.u32 %r0, [%rd1-4]"},
    {"ld.global.nc.v4.f32 {%f0, _, %f2, %f3}, [%rd1];", "ld global v4 f32: {%f0,_,%f2,%f3} [%rd1+0]", NULL},
    {"ld.volatile.shared.u8 %rs0, [s+3];", "ld shared u8: %rs0 [s+3]", NULL},
    {"ld.acquire.gpu.global.u32 %r0, [%rd1];", "ld global u32: %r0 [%rd1+0]", NULL},
    {"ld.global.L1::evict_last.u32 %r0, [%rd1];", "ld global u32: %r0 [%rd1+0]", NULL},
    {"st.global.v2.u64 [%rd0+16], {%rd1, %rd2};", "st global v2 u64: [%rd0+16] {%rd1,%rd2}", NULL},
    {"st.shared.b32 [%r0], 7;", "st shared b32: [%r0+0] #7", NULL},
    {"st.shared::cta.b32 [%r0], 7;", "st shared b32: [%r0+0] #7", "st.shared.b32 [%r0], 7"},
    {"st.local.b32 [stack+12], %r1;", "st local b32: [stack+12] %r1", NULL},
    {"atom.global.add.u32 %r0, [%rd1], 1;", "atom global u32: %r0 [%rd1+0] #1", NULL},
    {"atom.shared.cas.b32 %r0, [s+4], %r1, %r2;", "atom shared b32: %r0 [s+4] %r1 %r2", NULL},
    {"red.relaxed.gpu.global.add.f32 [%rd1], %f0;", "red global f32: [%rd1+0] %f0", NULL},
    {"@%p1 bar.sync 0;", "@%p1 bar_sync: #0", NULL},
    {"bar.red.popc.u32 %r0, 1, %p0;", "bar_red_popc u32: %r0 #1 %p0", NULL},
    {"barrier.sync.aligned 2, 64;", "barrier_sync: #2 #40", NULL},
    {"shfl.sync.down.b32 %r0|%p0, %r1, 16, 31, -1;", "shfl b32: %r0|%p0 %r1 #10 #1f #ffffffff",
     "shfl.sync.down.b32 %r0|%p0, %r1, 16, 31, 0xFFFFFFFF"},
    {"vote.sync.ballot.b32 %r0, !%p0, %r1;", "vote_ballot b32: %r0 !%p0 %r1", NULL},
    {"match.any.sync.b64 %r0, %rd1, %r2;", "match_any b64: %r0 %rd1 %r2", NULL},
    {"bfind.shiftamt.u32 %r0, %r1;", "bfind_shiftamt u32: %r0 %r1", NULL},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x96;", "lop3 b32: %r0 %r1 %r2 %r3 #96", "lop3.b32 %r0, %r1, %r2, %r3, 150"},
    {"membar.gl;", "membar:", NULL},
    {"L: @!%p0 bra L;", "@!%p0 bra: @0", "@!%p0 bra L"},
    {"L: ret; T: .branchtargets L, M, L; M: brx.idx %r0, T;", "brx_idx: %r0 _ 0 1 0", "brx.idx %r0, T"},
    {".param .b32 a; .param .b32 b; call.uni (b), twice, (a);", "call: b = twice(a)", "call.uni (b), twice, (a)"},
    {"call nothing;", "call:  = nothing()", "call nothing"},
    {".param .b32 a; .param .b32 b;\ncall.uni\n.loc 1 1 0\n(b),\n.loc 1 1 0\ntwice,\n.loc 1 1 0\n(\n.loc 1 1 "
     "0\na\n.loc 1 1 "
     "0\n)\n.loc 1 1 0\n;",
     "call: b = twice(a)", "call.uni (b), twice, (a)"},
    {".param .b32 a; .param .b32 b; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (b), %rd0, (a), P;",
     "call: b = %rd0(a)", "call (b), %rd0, (a), P"},
    /* until its scope ends, an inner declaration hides an outer one of the same name */
    {"{ .reg .b64 %r1; mov.u64 %r1, 1; } mov.u32 %r1, 2;", "mov u32: %r1 #2", "mov.u32 %r1, 2"},
    {"{ .reg .b64 %r1; mov.u64 %r1, 1; }", "mov u64: %r1 #1", "mov.u64 %r1, 1"},
    {"{ .param .b32 p; st.param.b32 [p], 1; } { .param .b64 p; st.param.b64 [p], 2; }", "st param b64: [p+0] #2",
     "st.param.b64 [p], 2"},
    {"{ L: ret; } L: bra L;", "bra: @1", "bra L"},
    {"/* a\n comment */ mov.u32 %r0, // to the end\n 1;", "mov u32: %r0 #1", "mov.u32 %r0, 1"},
};
START_TEST(decodes_to) {
    char body[400], found[400], printed[400], wanted[400];
    snprintf(body, sizeof body, "%s\nret;", decodes[_i].text);
    struct ptx_module *m = parsed_body(body);
    const struct ptx_function *f = ptx_find_function(m, "k");
    ck_assert_uint_ge(f->code_count, 2);
    const struct ptx_insn *i = &f->code[f->code_count - 2];
    dump(found, f, i);
    ck_assert_str_eq(found, decodes[_i].decoded);
    snprintf(wanted, sizeof wanted, "%s", decodes[_i].printed ? decodes[_i].printed : decodes[_i].text);
    if (!decodes[_i].printed) wanted[strlen(wanted) - 1] = 0; /* without the semicolon */
    ck_assert_str_eq(ptx_print(m, f, i, printed, sizeof printed), wanted);
    char small[12];
    ptx_print(m, f, i, small, sizeof small);
    ck_assert(!strncmp(small, wanted, strlen(small)) && strlen(small) < sizeof small);
    ptx_free(m);
}
END_TEST

START_TEST(modifiers) {
    struct ptx_module *m =
        parsed_body("setp.ltu.or.ftz.f32 %p0, %f0, %f1, %p1;\ncvt.rn.sat.f32.f64 %f0, %fd0;\n"
                    "ld.relaxed.sys.global.u32 %r0, [%rd0];\natom.acq_rel.cta.shared.max.s32 %r0, [s], %r1;\nret;");
    const struct ptx_insn *i = ptx_find_function(m, "k")->code;
    ck_assert_int_eq(ptx_mod_of(&i[0], PTX_CLASS_CMP), PTX_MOD_LTU);
    ck_assert_int_eq(ptx_mod_of(&i[0], PTX_CLASS_OPERATION), PTX_MOD_OR);
    ck_assert_int_eq(ptx_mod_of(&i[0], PTX_CLASS_FTZ), PTX_MOD_FTZ);
    ck_assert_int_eq(ptx_mod_of(&i[1], PTX_CLASS_ROUND), PTX_MOD_RN);
    ck_assert_int_eq(ptx_mod_of(&i[1], PTX_CLASS_SAT), PTX_MOD_SAT);
    ck_assert_int_eq(ptx_mod_of(&i[1], PTX_CLASS_FTZ), PTX_MOD_NONE);
    ck_assert_int_eq(ptx_mod_of(&i[2], PTX_CLASS_SEM), PTX_MOD_RELAXED);
    ck_assert_int_eq(ptx_mod_of(&i[2], PTX_CLASS_SCOPE), PTX_MOD_SYS);
    ck_assert_int_eq(ptx_mod_of(&i[3], PTX_CLASS_SEM), PTX_MOD_ACQ_REL);
    ck_assert_int_eq(ptx_mod_of(&i[3], PTX_CLASS_OPERATION), PTX_MOD_MAX);
    ptx_free(m);
}
END_TEST

/* ---- lines of the source ----------------------------------------------------------------------------------------- */
START_TEST(locations) {
    struct ptx_module *m =
        parsed_body("mov.u32 %r0, 1;\n"
                    ".loc 1 10 3\nmov.u32 %r0, 2;\n"
                    ".loc 2 7 5, function_name $L__info_string0, inlined_at 1 12 9\nmov.u32 %r0, 3;\n"
                    ".loc 1 5 1, function_name $L__info_string1+4, inlined_at 1 14 2\nmov.u32 %r0, 4;\n"
                    ".loc 2 9 1, function_name $L__info_string0, inlined_at 1 5 1\nmov.u32 %r0, 5;\n"
                    ".loc 1 0 0\nmov.u32 %r0, 6;\n"
                    ".loc 1 20 1\nret;");
    static const struct {
        unsigned file, line, inner_file, inner_line, outer_line;
    } wanted[] = {{0, 0, 0, 0, 0},  {1, 10, 1, 10, 10}, {1, 12, 2, 7, 12}, {1, 5, 1, 5, 14},
                  {1, 5, 2, 9, 14}, {1, 5, 2, 9, 14},   {1, 20, 1, 20, 20}};
    const struct ptx_function *f = ptx_find_function(m, "k");
    ck_assert_int_eq((int)f->code_count, COUNT(wanted));
    for (int k = 0; k < COUNT(wanted); k++) {
        const struct ptx_loc *l = &f->code[k].loc;
        ck_assert_msg(l->file == wanted[k].file && l->line == wanted[k].line && l->inner_file == wanted[k].inner_file &&
                          l->inner_line == wanted[k].inner_line && l->outer_line == wanted[k].outer_line,
                      "instruction %d: file %u line %u, inner %u %u, outer %u", k, l->file, l->line, l->inner_file,
                      l->inner_line, l->outer_line);
    }
    ck_assert_uint_eq(f->code[0].text_line, BODY_LINE);
    ck_assert_uint_eq(f->code[6].text_line, BODY_LINE + 12);
    ck_assert_uint_eq(m->file_count, 3);
    ck_assert_str_eq(m->files[1], "a.cu");
    ptx_free(m);
}
END_TEST

/* ---- declarations ------------------------------------------------------------------------------------------------ */
START_TEST(variables) {
    static const char text[] =
        ".version 8.5\n.target sm_90, debug\n.address_size 64\n.func f(.param .b32 a);\n"
        ".visible .global .align 8 .b8 pair[16] = {1, 0xFF, 0, 0, 2};\n"
        ".global .u64 pointers[3] = {generic(pair)+4, pair, f};\n"
        ".const .align 4 .f32 grid[2][2] = {{1.0, 0f40000000}, {-1.0}};\n"
        ".extern .shared .align 16 .b8 dynamic[];\n.global .align 16 .v4 .f32 vector;\n"
        ".section .debug_str { .b8 1,2,3\n.b32 text\n}\n"
        ".entry k(.param .u32 a, .param .u64 .ptr .global .align 4 b) .maxntid 32, 4, 1 .minnctapersm 2 { ret; }\n";
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(text, sizeof text - 1, "variables", &e);
    ck_assert_msg(m != NULL, "line %u: %s", e.text_line, e.message);
    ck_assert_uint_eq(m->version, 85);
    ck_assert_uint_eq(m->target, 90);
    const struct ptx_variable *pair = ptx_find_variable(m, "pair"), *pointers = ptx_find_variable(m, "pointers");
    ck_assert_uint_eq(pair->size, 16);
    ck_assert_uint_eq(pair->align, 8);
    ck_assert_mem_eq(pair->init, "\1\377\0\0\2\0\0\0", 8);
    ck_assert_uint_eq(pointers->relocation_count, 3);
    ck_assert_ptr_eq(pointers->relocations[0].target, pair);
    ck_assert(pointers->relocations[0].generic && !pointers->relocations[1].generic);
    ck_assert_uint_eq(pointers->relocations[0].addend, 4);
    ck_assert_uint_eq(pointers->relocations[1].offset, 8);
    ck_assert_ptr_eq(pointers->relocations[2].function, ptx_find_function(m, "f"));
    const struct ptx_variable *grid = ptx_find_variable(m, "grid");
    static const float wanted[4] = {1, 2, -1, 0};
    ck_assert_mem_eq(grid->init, wanted, sizeof wanted);
    ck_assert_int_eq(grid->space, PTX_CONST);
    const struct ptx_variable *dynamic = ptx_find_variable(m, "dynamic");
    ck_assert(dynamic->external && dynamic->size == 0 && dynamic->align == 16);
    ck_assert_uint_eq(ptx_find_variable(m, "vector")->size, 16);
    const struct ptx_function *k = ptx_find_function(m, "k");
    ck_assert(k->entry && k->defined && k->param_count == 2 && k->max_threads == 128);
    ck_assert_uint_eq(k->params[1]->index, 1);
    ck_assert(!ptx_find_function(m, "f")->defined);
    ck_assert_ptr_null(ptx_find_function(m, "K"));
    ck_assert_ptr_null(ptx_find_variable(m, "pai"));
    ptx_free(m);
}
END_TEST

/* ---- joins ------------------------------------------------------------------------------------------------------- */
/* joins: one character for each instruction: the index of its join, `x` if it joins at the exit, or `-` if it is no
 * branch, return or exit. */
static const struct {
    const char *name, *text, *joins;
} graphs[] = {
    {"if", "@%p0 bra E; mov.u32 %r0, 1; E: mov.u32 %r0, 2; ret;", "2--x"},
    {"if else", "@%p0 bra T; mov.u32 %r0, 1; bra E; T: mov.u32 %r0, 2; E: ret;", "4-4-x"},
    {"loop", "L: mov.u32 %r0, 1; @%p0 bra L; mov.u32 %r0, 2; ret;", "-2-x"},
    {"nested loops", "O: mov.u32 %r0, 1; I: mov.u32 %r0, 2; @%p0 bra I; @%p1 bra O; ret;", "--34x"},
    {"loop with break", "L: @%p0 bra E; mov.u32 %r0, 1; @%p1 bra L; mov.u32 %r0, 2; E: ret;", "4-4-x"},
    {"if in a loop", "L: @%p0 bra C; mov.u32 %r0, 1; C: mov.u32 %r0, 2; @%p1 bra L; ret;", "2--4x"},
    {"irreducible", "@%p0 bra B; A: mov.u32 %r0, 1; B: mov.u32 %r0, 2; @%p1 bra A; ret;", "2--4x"},
    {"several exits", "@%p0 bra A; @%p1 bra B; ret; A: exit; B: ret;", "xxxxx"},
    {"guarded exit", "@%p0 ret; mov.u32 %r0, 1; ret;", "x-x"},
    {"exit on one side", "@%p0 bra A; mov.u32 %r0, 1; ret; A: mov.u32 %r0, 2; ret;", "x-x-x"},
    {"table",
     "T: .branchtargets A, B, C; brx.idx %r0, T; A: mov.u32 %r0, 1; bra D; B: mov.u32 %r0, 2; C: mov.u32 %r0, 3; "
     "D: ret;",
     "5-5--x"},
    {"branch to the next instruction", "@%p0 bra N; N: ret;", "1x"},
    {"body without ret", "@%p0 bra E; mov.u32 %r0, 1; E:", "2-x"},
    {"dead code", "bra E; mov.u32 %r0, 1; @%p0 bra E; mov.u32 %r0, 2; E: ret;", "4-4-x"},
    {"endless loop on one side", "@%p0 bra E; L: bra L; E: ret;", "xxx"},
};
START_TEST(branches_join) {
    struct ptx_module *m = parsed_body(graphs[_i].text);
    const struct ptx_function *f = ptx_find_function(m, "k");
    char found[64] = "";
    for (unsigned k = 0; k < f->code_count; k++)
        found[k] = (char)(f->join[k] == PTX_NO_REG ? '-' : f->join[k] == f->code_count ? 'x' : '0' + (int)f->join[k]);
    ck_assert_msg(!strcmp(found, graphs[_i].joins), "%s: %s, not %s", graphs[_i].name, found, graphs[_i].joins);
    ptx_free(m);
}
END_TEST

/* ---- rejected modules -------------------------------------------------------------------------------------------- */
#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"
static const struct {
    const char *text;
    unsigned line;
    const char *message;
} refusals[] = {
    {"", 1, "PTX must begin with .version"},
    {"add.u32 %r0, %r1, %r2;", 1, "PTX must begin with .version"},
    {".version 9.0", 1, "the module has no .target"},
    {".version nine", 1, "`.version nine`: expected two numbers, such as 9.0"},
    {".version 9.0\n.target sm_75\n", 3, "the module has no .address_size 64"},
    {".version 9.0\n.target compute_75\n", 2, "target `compute_75` is not supported by the simulator"},
    {".version 9.0\n.target sm_75\n.address_size 32\n", 3, "32-bit addresses are not supported by the simulator"},
    {HEAD "add.u32 %r0;", 4, "expected a directive, not `add.u32`"},
    {HEAD ".texref t;", 4, "directive `.texref` is not supported by the simulator"},
    {HEAD ".global .u32 x[2] = {1, 2, 3};", 4, "too many values for `x`"},
    {HEAD ".global .u32 x = y;", 4, "`y` in the initializer of `x` is not declared"},
    {HEAD ".global .u32 x;\n.global .u32 x;", 5, "`x` is declared twice"},
    {HEAD ".global .u8 x = g;", 4, "`g` in the initializer of `x` is not declared"},
    {HEAD ".global .u8 x = 256;", 4, "the constant 256 does not fit into type .u8"},
    {HEAD ".global .align 3 .u8 x;", 4, "alignment 3 is not a power of two"},
    {HEAD ".shared .u32 x = 1;", 4, "`x` is in .shared memory, which cannot be initialized"},
    {HEAD ".shared .u32 x[4000000000];", 4, "`x` is larger than the 1048576 bytes that a .shared variable may have"},
    {HEAD ".global .pred x;", 4, "`.pred` in the declaration of a variable is not supported by the simulator"},
    {HEAD ".global .u32 x[];", 4, "`x` has no size"},
    {HEAD ".global .u32 x[2] = {1,", 4,
     "expected a constant or the name of a variable or function, but the text ends here"},
    {HEAD ".entry k() { ret; }\n.entry k() { ret; }", 5, "`k` is defined twice"},
    {HEAD ".entry k() {\nret;", 5, "the text ends inside function `k`"},
    {HEAD ".func f(.reg .b32 %r) { ret; }", 4, "parameters in registers are not supported by the simulator"},
    {HEAD ".func (.param .b32 a, .param .b32 b) f() { ret; }", 4,
     "a function with multiple results is not supported by the simulator"},
    {HEAD ".func f();\n.func f(.param .b32 a) { ret; }", 5, "`f` was declared before as something else"},
    {HEAD ".file 5000 \"a.cu\"", 4, "5000 is too large: the maximum here is 4096"},
    {HEAD ".section .debug_info {", 4, "unterminated .section"},
    {HEAD ".entry k() .frob { ret; }", 4, "`.frob` before the body of `k` is not supported by the simulator"},
    {HEAD ".entry 5() { ret; }", 4, "expected the name of a function, not `5`"},
    {HEAD ".entry k(.param .u32 x, .param .u32 x) { ret; }", 4, "`x` is declared twice"},
};
START_TEST(module_is_refused) {
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(refusals[_i].text, strlen(refusals[_i].text), "test", &e);
    ck_assert_msg(m == NULL, "`%s` was taken", refusals[_i].text);
    ck_assert_str_eq(e.message, refusals[_i].message);
    ck_assert_uint_eq(e.text_line, refusals[_i].line);
}
END_TEST

/* An error in inlined code names the line that the kernel's author wrote. */
START_TEST(refusal_in_inlined_code) {
    struct ptx_error e;
    ck_assert_ptr_null(
        parse_body(".loc 1 42 3\n.loc 2 7 1, function_name $L__info_string0, inlined_at 1 50 2\nfrobnicate;", &e));
    ck_assert_str_eq(e.message, "`frobnicate` is not an instruction of the PTX ISA");
    ck_assert_uint_eq(e.text_line, BODY_LINE + 2);
    ck_assert_uint_eq(e.source_line, 50);
    ck_assert_str_eq(e.source_file, "a.cu");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx decode");
    TCase *decode = tcase_create("decode");
    tcase_add_loop_test(decode, decodes_to, 0, COUNT(decodes));
    tcase_add_test(decode, modifiers);
    suite_add_tcase(suite, decode);
    TCase *whole = tcase_create("module");
    tcase_add_test(whole, locations);
    tcase_add_test(whole, variables);
    tcase_add_loop_test(whole, branches_join, 0, COUNT(graphs));
    tcase_add_loop_test(whole, module_is_refused, 0, COUNT(refusals));
    tcase_add_test(whole, refusal_in_inlined_code);
    suite_add_tcase(suite, whole);
    const int failed = suite_failures(suite);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
