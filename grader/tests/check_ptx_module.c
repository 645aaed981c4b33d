/* Tests modules: declarations, functions, scopes, source locations, limits against malicious PTX, the removal of
 * unused definitions, and linking. */
/* run: 3 s */
/* reads: nothing */
#include "base/array.h"
#include "compile/compile.h"
#include "ptx/ptx.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"

static struct ptx_module *parse_text(const char *text, struct ptx_error *e) {
    return ptx_parse(text, strlen(text), "test", e);
}
static struct ptx_module *parsed_module(const char *text) {
    struct ptx_error e;
    struct ptx_module *m = parse_text(text, &e);
    ck_assert_msg(m != NULL, "line %u: %s in\n%.2000s", e.text_line, e.message, text);
    return m;
}
static void refused(const char *text, unsigned line, const char *message) {
    struct ptx_error e;
    struct ptx_module *m = parse_text(text, &e);
    ck_assert_msg(m == NULL, "accepted: %.2000s", text);
    ck_assert_str_eq(e.message, message);
    ck_assert_uint_eq(e.text_line, line);
}

/* ---- the head of a module ---------------------------------------------------------------------------------------- */
START_TEST(head_of_a_module) {
    struct ptx_module *m =
        parsed_module("// a comment\n.version 7.8\n.target sm_90a, debug\n.address_size 64\n"
                      ".file 2 \"dir\" \"b.cu\"\n.file 1 \"a.cu\", 1699, 12\n"
                      ".section .debug_str { $L_x: .b8 97,0 { } .b64 $L_x+4 }\n.pragma \"x\", \"y\";\n");
    ck_assert_str_eq(m->name, "test");
    ck_assert_uint_eq(m->version, 78);
    ck_assert_uint_eq(m->target, 90);
    ck_assert_uint_eq(m->address_size, 64);
    ck_assert_uint_eq(m->file_count, 3);
    ck_assert_str_eq(m->files[1], "a.cu");
    ck_assert_str_eq(m->files[2], "dir/b.cu");
    ptx_free(m);
}
END_TEST
static const struct {
    const char *text;
    unsigned line;
    const char *message;
} heads[] = {
    {"", 1, "PTX must begin with .version"},
    {"int main;", 1, "PTX must begin with .version"},
    {".version nine", 1, "`.version nine`: expected two numbers, such as 9.0"},
    {".version 9.0\n.target sm_75\n", 3, "the module has no .address_size 64"},
    {".version 9.0\n.address_size 64\n", 3, "the module has no .target"},
    {".version 9.0\n.target map_f64\n", 2, "target `map_f64` is not supported by the simulator"},
    {HEAD ".address_size 32\n", 4, "32-bit addresses are not supported by the simulator"},
    {HEAD ".alias a, b;\n", 4, "directive `.alias` is not supported by the simulator"},
    {HEAD ".global .texref t;\n", 4, "`.texref` in the declaration of a variable is not supported by the simulator"},
    {HEAD "nonsense\n", 4, "expected a directive, not `nonsense`"},
    {HEAD "}\n", 4, "expected a directive, not `}`"},
    {HEAD "\n.section .debug_str { .b8 1", 5, "unterminated .section"},
    {HEAD ".file 99999 \"x\"\n", 4, "99999 is too large: the maximum here is 4096"},
    {HEAD ".func f(.reg .u32 a);\n", 4, "parameters in registers are not supported by the simulator"},
    {HEAD ".func (.param .u32 a, .param .u32 b) f;\n", 4,
     "a function with multiple results is not supported by the simulator"},
    {HEAD ".func f;\n.func f(.param .u32 a);\n", 5, "`f` was declared before as something else"},
    {HEAD ".func f { ret; }\n.func f { ret; }\n", 5, "`f` is defined twice"},
    {HEAD ".extern .func f { ret; }\n", 4, "`f` is .extern, but has a body"},
    {HEAD ".entry f() .blocksareclusters { ret; }\n", 4,
     "`.blocksareclusters` before the body of `f` is not supported by the simulator"},
    {HEAD ".global .u32 f;\n.func f;\n", 5, "`f` was declared before as something else"},
    {HEAD ".global .u32 x;\n.global .u32 x;\n", 5, "`x` is declared twice"},
    {HEAD ".extern .global .u32 x[2];\n.global .u32 x[3];\n", 5, "`x` is declared twice"},
    {HEAD ".global .u32 x[];\n", 4, "`x` has no size"},
    {HEAD ".global .u32 x[2][];\n", 4, "only the first dimension of `x` may have no size"},
    {HEAD ".global .pred x;\n", 4, "`.pred` in the declaration of a variable is not supported by the simulator"},
    {HEAD ".global x;\n", 4, "`x` has a type that no variable can have"},
    {HEAD ".global .align 3 .u32 x;\n", 4, "alignment 3 is not a power of two"},
    {HEAD ".global .b8 x[99999999999999];\n", 4,
     "`x` is larger than the 68719476736 bytes that a .global variable may have"},
    {HEAD ".entry f() {\n.local .b8 x[524289];\nret;\n}\n", 5,
     "the local variables of a function take more than the 524288 bytes that a GPU has for a thread"},
    {HEAD ".entry f() {\n.local .b8 x[524288];\n.local .b8 y;\nret;\n}\n", 6,
     "the local variables of a function take more than the 524288 bytes that a GPU has for a thread"},
    {HEAD ".global .b8 x[99999999] = {1};\n", 4,
     "`x` is 99999999 bytes long: an initialized variable may have at most 16777216"},
    {HEAD ".global .u32 x[2] = {1, 2, 3};\n", 4, "too many values for `x`"},
    {HEAD ".global .u32 x[2][2] = {{1, 2, 3}};\n", 4, "too many values in one row of `x`"},
    {HEAD ".global .u32 x[2] = {{1}};\n", 4, "the initializer of `x` is nested too deep"},
    {HEAD ".global .b8 x[2] = {1, 256};\n", 4, "the constant 256 does not fit into type .b8"},
    {HEAD ".global .u32 x[2] = {1, 2;\n", 4, "expected `,` before `;`"},
    {HEAD ".global .u64 x = y;\n", 4, "`y` in the initializer of `x` is not declared"},
    {HEAD ".global .u32 y;\n.global .u32 x = y;\n", 5, "an address does not fit into an element of `x`"},
    {HEAD ".global .u32 x;\n.global .u8 y[2] = {0xFF(generic(x)), 0xFF00(generic(x))};\n", 5,
     "an address given byte by byte, as in the initializer of `y`, is not supported by the simulator"},
};
START_TEST(module_is_refused) { refused(heads[_i].text, heads[_i].line, heads[_i].message); }
END_TEST

/* ---- variables --------------------------------------------------------------------------------------------------- */
START_TEST(variables_of_a_module) {
    struct ptx_module *m = parsed_module(HEAD ".visible .global .align 8 .b8 a[2][3] = {{1}, {2, 3}};\n"
                                              ".const .f32 b[3] = {0f3F800000, -1.5, 0f40000000};\n"
                                              ".extern .shared .align 16 .b8 dynamic[];\n"
                                              ".global .attribute(.managed) .align 4 .u32 d;\n"
                                              ".global .v2 .f32 e[2];\n"
                                              ".global .s16 f[] = {-1, 2};\n"
                                              ".func g(.param .b32 x);\n"
                                              ".global .u64 h[3] = {generic(a) + 4, g, 7};\n"
                                              ".extern .global .u32 later[4];\n"
                                              ".global .u32 later[4] = {9};\n");
    const struct ptx_variable *a = ptx_find_variable(m, "a"), *b = ptx_find_variable(m, "b"),
                              *f = ptx_find_variable(m, "f");
    const struct ptx_variable *h = ptx_find_variable(m, "h"), *later = ptx_find_variable(m, "later");
    ck_assert(a->space == PTX_GLOBAL && a->align == 8 && a->size == 6 && !a->external && !a->owner);
    ck_assert_mem_eq(a->init, "\1\0\0\2\3\0", 6);
    ck_assert(b->space == PTX_CONST && b->size == 12 && b->align == 4);
    ck_assert_mem_eq(b->init, ((const float[]){1, -1.5f, 2}), 12);
    ck_assert(ptx_find_variable(m, "dynamic")->external && !ptx_find_variable(m, "dynamic")->size);
    ck_assert_uint_eq(ptx_find_variable(m, "d")->size, 4);
    ck_assert(ptx_find_variable(m, "e")->size == 16 && ptx_find_variable(m, "e")->align == 8);
    ck_assert_uint_eq(f->size, 4);
    ck_assert_mem_eq(f->init, ((const int16_t[]){-1, 2}), 4);
    ck_assert_uint_eq(h->relocation_count, 2);
    ck_assert(h->relocations[0].target == a && h->relocations[0].generic && h->relocations[0].addend == 4);
    ck_assert(h->relocations[1].function == ptx_find_function(m, "g") && h->relocations[1].offset == 8);
    ck_assert_uint_eq(h->init[16], 7);
    ck_assert(!later->external && later->init && later->init[0] == 9);
    ck_assert_uint_eq(m->variable_count, 8);
    for (unsigned k = 0; k < m->variable_count; k++) ck_assert_uint_eq(m->variables[k]->index, k);
    ck_assert_ptr_null(ptx_find_variable(m, "nothing"));
    ptx_free(m);
}
END_TEST

/* ---- functions --------------------------------------------------------------------------------------------------- */
START_TEST(functions_of_a_module) {
    struct ptx_module *m = parsed_module(
        HEAD ".extern .func (.param .b32 r) vprintf\n(\n.param .b64 a,\n.param .b64 b\n)\n;\n"
             ".visible .entry k(.param .u64 .ptr .global .align 4 in, .param .align 8 .b8 s[24], .param .u32 n)\n"
             ".maxntid 16, 8, 2\n.minnctapersm 2\n.maxnreg 64\n{\nret;\n}\n"
             ".weak .func (.param .align 4 .b8 r[12]) f() .noreturn;\n"
             ".func (.param .align 4 .b8 result[12]) f()\n{\n.local .align 8 .b8 depot[16];\n}\n");
    const struct ptx_function *k = ptx_find_function(m, "k"), *f = ptx_find_function(m, "f"),
                              *v = ptx_find_function(m, "vprintf");
    ck_assert(k->entry && k->defined && k->max_threads == 256 && k->param_count == 3);
    ck_assert(k->params[1]->size == 24 && k->params[1]->align == 8 && k->params[1]->space == PTX_PARAM &&
              k->params[1]->owner == k);
    ck_assert_uint_eq(k->params[2]->index, 2);
    ck_assert(!v->defined && !v->entry && v->param_count == 2 && v->result->size == 4 && !v->code_count);
    ck_assert(f->defined && f->index == 2 && m->function_count == 3);
    ck_assert_str_eq(f->result->name, "result"); /* the names of parameters are those in the definition */
    ck_assert(f->local_count == 1 && f->locals[0]->space == PTX_LOCAL && f->locals[0]->size == 16);
    ck_assert(f->code_count == 1 && f->code[0].op == PTX_OP_ret); /* the parser appends a `ret` to the body */
    ck_assert_ptr_null(ptx_find_function(m, "nothing"));
    ptx_free(m);
}
END_TEST
START_TEST(indirect_calls) {
    struct ptx_module *m =
        parsed_module(HEAD ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
                           ".entry k()\n{\n.reg .b64 %rd<3>;\n.param .b32 a0;\n.param .b32 r0;\n"
                           "mov.u64 %rd1, f;\n"
                           "prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                           "targets: .calltargets f;\n"
                           "call (r0),\n%rd1,\n(a0), prototype_0;\ncall (r0), %rd1, (a0), targets;\nret;\n}\n");
    const struct ptx_function *k = ptx_find_function(m, "k");
    char text[80];
    ck_assert(!k->code[1].call->callee && k->registers[k->code[1].call->pointer.reg].type == PTX_B64);
    ck_assert_str_eq(ptx_print(m, k, &k->code[1], text, sizeof text), "call (r0), %rd1, (a0), prototype_0");
    ck_assert_str_eq(ptx_print(m, k, &k->code[2], text, sizeof text), "call (r0), %rd1, (a0), targets");
    ck_assert_str_eq(ptx_print(m, k, &k->code[2], text, 12), "call (r0), "); /* cut to the size of the buffer */
    ptx_free(m);
    refused(HEAD ".entry k()\n{\n.reg .b64 %rd<3>;\nproto: .callprototype _ (.param .b32 _);\ncall %rd1, proto;\n}\n",
            8, "the call does not match the parameters of `proto`");
}
END_TEST

/* ---- scopes ------------------------------------------------------------------------------------------------------ */
START_TEST(inner_scopes_shadow_outer_ones) {
    struct ptx_module *m = parsed_module(
        HEAD ".entry k()\n{\n.reg .b32 %r<20>, %r1x;\n.reg .f32 %q1<2>;\nadd.s32 %r1, %r12, 0;\n"
             "{\n.reg .pred %r1;\n.reg .b64 %r<5>;\nmov.pred %r1, 1;\nadd.s64 %r2, %r4, 0;\nadd.s32 %r12, %r5, 0;\n"
             "{\n.reg .f32 %r2;\nmov.f32 %r2, 0f00000000;\n}\nadd.s64 %r2, %r2, 0;\n}\n"
             "add.s32 %r1, %r2, 0;\nmov.f32 %q11, 0f00000000;\nret;\n}\n");
    const struct ptx_function *k = ptx_find_function(m, "k");
    static const struct {
        unsigned insn;
        enum ptx_type type;
    } firsts[] = {{0, PTX_B32}, {1, PTX_PRED}, {2, PTX_B64}, {3, PTX_B32},
                  {4, PTX_F32}, {5, PTX_B64},  {6, PTX_B32}, {7, PTX_F32}};
    for (unsigned n = 0; n < sizeof firsts / sizeof *firsts; n++)
        ck_assert_int_eq(k->registers[k->code[firsts[n].insn].operand[0].reg].type, firsts[n].type);
    ck_assert_uint_eq(k->code[0].operand[0].reg, k->code[6].operand[0].reg);
    ck_assert_uint_eq(k->code[2].operand[0].reg, k->code[5].operand[0].reg);
    ck_assert_uint_ne(k->code[2].operand[0].reg, k->code[6].operand[1].reg);
    ck_assert_uint_eq(k->code[0].operand[1].reg, k->code[3].operand[0].reg);
    ptx_free(m);
}
END_TEST
/* Two scopes contain the same label, and their branches refer to the label of their own scope. A branch in an inner
 * scope may refer to an outer label that is declared later. */
START_TEST(labels_belong_to_scopes) {
    struct ptx_module *m =
        parsed_module(HEAD ".entry k()\n{\n.reg .pred %p;\n{\nagain:\n@%p bra again;\n@%p bra done;\n}\n"
                           "{\n@%p bra again;\n@%p bra done;\nagain: ret;\n}\ndone: ret;\n}\n");
    const struct ptx_function *k = ptx_find_function(m, "k");
    static const uint32_t targets[] = {0, 5, 4, 5};
    for (unsigned n = 0; n < 4; n++) ck_assert_uint_eq(k->code[n].operand[0].target, targets[n]);
    ptx_free(m);
    refused(HEAD ".entry k()\n{\n{\ninner:\nret;\n}\nbra inner;\n}\n", 10, "label `inner` is not declared");
    refused(HEAD ".entry k()\n{\nbra inner;\n{\ninner:\nret;\n}\n}\n", 6, "label `inner` is not declared");
    refused(HEAD ".global .u32 g;\n.entry k()\n{\nbra g;\n}\n", 7, "label `g` is not declared");
}
END_TEST

/* ---- source locations -------------------------------------------------------------------------- */
struct place {
    unsigned file, line, outer, inner_file, inner;
};
static const struct {
    const char *text; /* `nop` stands for an instruction */
    struct place places[6];
} locations[] = {
    {"nop .loc 1 7 0 nop .loc 1 8 3 nop", {{0, 0, 0, 0, 0}, {1, 7, 7, 1, 7}, {1, 8, 8, 1, 8}}},
    /* line 0 means the line before, if there is one */
    {".loc 1 0 0 nop .loc 1 5 1 nop .loc 1 0 3 nop", {{0, 0, 0, 0, 0}, {1, 5, 5, 1, 5}, {1, 5, 5, 1, 5}}},
    /* code from a header is attributed to the line that calls it */
    {".loc 1 12 3 nop .loc 2 440 9, function_name $L0, inlined_at 1 12 3 nop .loc 1 13 1 nop",
     {{1, 12, 12, 1, 12}, {1, 12, 12, 2, 440}, {1, 13, 13, 1, 13}}},
    /* code of a function that is called twice in the same file has its own line and the line of the call */
    {".loc 1 12 3 .loc 1 4 9, function_name $L0+16, inlined_at 1 12 3 nop .loc 1 13 3 .loc 1 4 9, function_name $L0, "
     "inlined_at 1 13 3 nop",
     {{1, 4, 12, 1, 4}, {1, 4, 13, 1, 4}}},
    /* three levels: the kernel calls a helper, which calls a header's function; then another call of the helper */
    {".loc 1 20 3 .loc 1 6 5, function_name $A, inlined_at 1 20 3 .loc 2 99 1, function_name $B, inlined_at 1 6 5 nop "
     ".loc 1 30 3 .loc 1 6 5, function_name $A, inlined_at 1 30 3 .loc 2 99 1, function_name $B, inlined_at 1 6 5 nop",
     {{1, 6, 20, 2, 99}, {1, 6, 30, 2, 99}}},
    /* code with line 0 in an inlined call is attributed to the line of the call */
    {".loc 1 5 1 nop .loc 2 0 0, function_name $A, inlined_at 1 9 1 nop", {{1, 5, 5, 1, 5}, {1, 9, 9, 1, 9}}},
    /* clang writes only the innermost location, so code from a header is attributed to the line of the function */
    {".loc 1 12 0 nop .loc 2 53 3 nop .loc 1 8 13 nop", {{1, 12, 12, 1, 12}, {1, 12, 12, 2, 53}, {1, 8, 8, 1, 8}}},
    /* a cycle of call sites is cut */
    {".loc 1 1 1, function_name $A, inlined_at 1 2 1 .loc 1 2 1, function_name $B, inlined_at 1 1 1 nop",
     {{1, 2, 1, 1, 2}}},
};
START_TEST(source_locations) {
    char text[2048] = HEAD ".entry k() {\n";
    unsigned count = 0;
    for (const char *at = locations[_i].text; *at; at++)
        if (!strncmp(at, "nop", 3))
            strcat(text, "membar.gl;\n"), at += 2, count++;
        else
            strncat(text, at, 1);
    struct ptx_module *m = parsed_module(strcat(text, "\nret;\n}\n"));
    const struct ptx_insn *code = m->functions[0]->code;
    for (unsigned k = 0; k < count; k++) {
        const struct place *want = &locations[_i].places[k];
        const struct ptx_loc got = code[k].loc;
        ck_assert_msg(got.file == want->file && got.line == want->line && got.outer_line == want->outer &&
                          got.inner_file == want->inner_file && got.inner_line == want->inner,
                      "instruction %u: file %u line %u outer %u inner %u:%u", k, got.file, got.line, got.outer_line,
                      got.inner_file, got.inner_line);
    }
    ptx_free(m);
}
END_TEST

/* ---- limits ------------------------------------------------------------------------------------------------------ */
struct buffer {
    char *text;
    size_t length;
    unsigned room;
};
static void append(struct buffer *b, const char *format, ...) {
    va_list arguments;
    ck_assert_ptr_nonnull(b->text = array_room(b->text, b->length + 256, &b->room, 1));
    va_start(arguments, format);
    b->length += (size_t)vsnprintf(b->text + b->length, 256, format, arguments);
    va_end(arguments);
}
static void refused_with(struct buffer *b, const char *message) {
    struct ptx_error e;
    ck_assert_ptr_null(ptx_parse(b->text, b->length, "test", &e));
    ck_assert_str_eq(e.message, message);
    free(b->text);
}
START_TEST(limits_hold) {
    struct buffer scopes = {0}, code = {0}, vector = {0}, words = {0}, operands = {0}, dimensions = {0}, name = {0},
                  bytes = {0};
    append(&scopes, HEAD ".entry k()\n");
    for (int k = 0; k < 100000; k++) append(&scopes, "{");
    refused_with(&scopes, "scopes nested deeper than 62");
    append(&code, HEAD ".entry k() {\n");
    for (unsigned k = 0; k < effort(3 << 16, 0) + 1; k++) append(&code, "ret;ret;ret;ret;");
    refused_with(&code,
                 effort(1, 0) ? "the module has more than 786432 instructions" : "the text ends inside function `k`");
    append(&vector, HEAD ".entry k() { .reg .b32 %%r; mov.b64 {");
    for (int k = 0; k < 200; k++) append(&vector, "%%r, ");
    refused_with(&vector, "the vector has more than 128 elements");
    append(&words, HEAD ".entry k() { add");
    for (int k = 0; k < 100; k++) append(&words, ".s32");
    append(&words, " %%r;");
    refused_with(&words,
                 "instruction `add.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.` has too many modifiers");
    append(&operands, HEAD ".entry k() { .reg .b32 %%r; add.s32 %%r");
    for (int k = 0; k < 100; k++) append(&operands, ", %%r");
    refused_with(&operands, "`add.s32` has too many operands");
    append(&dimensions, HEAD ".global .u32 x");
    for (int k = 0; k < 100; k++) append(&dimensions, "[1]");
    refused_with(&dimensions, "`x` has more than 8 dimensions");
    append(&name, HEAD ".global .u32 ");
    for (int k = 0; k < 100000; k++) append(&name, "x");
    refused_with(&name, "expected `;`, but the text ends here");
    append(&bytes, HEAD ".entry k() {\n");
    for (int k = 0; k < 1000; k++) append(&bytes, ".param .b8 x%d[32768];", k);
    refused_with(&bytes, "the .param variables take more than 1048576 bytes in total");
}
END_TEST
/* The parser's time must be linear in the length of the text. Of 100,000 instructions here, one in five is a branch,
 * and branches are nested 10,000 deep. */
START_TEST(long_functions_are_read_quickly) {
    struct buffer b = {0};
    append(&b, HEAD ".entry k()\n{\n.reg .pred %%p<3>;\n.reg .b32 %%r<100001>;\n");
    for (int k = 0; k < 10000; k++) append(&b, "A%d:\n@%%p1 bra B%d;\n", k, k);
    for (int k = 0; k < 80000; k++) append(&b, "add.s32 %%r%d, %%r%d, 1;\n", k + 1, k);
    for (int k = 10000; k-- > 0;) append(&b, "B%d:\n@%%p2 bra A%d;\n", k, k);
    append(&b, "ret;\n}\n");
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(b.text, b.length, "test", &e);
    ck_assert_msg(m != NULL, "%s", e.message);
    const struct ptx_function *f = m->functions[0];
    ck_assert_uint_eq(f->code_count, 100001);
    ck_assert_uint_eq(f->join[9999], 90000);  /* the innermost if */
    ck_assert_uint_eq(f->join[90000], 90001); /* the innermost loop */
    ck_assert_uint_eq(f->join[0], 99999);     /* the outermost if; its label B0 precedes the last backward branch */
    ptx_free(m);
    free(b.text);
}
END_TEST

/* ---- text ------------------------------------------------------------------------------------- */
START_TEST(unused_definitions_are_removed) {
    char *cut = ptx_cut(HEAD ".global .u32 used;\n.global .u32 other;\n.section .debug_str\n{\n.b8 1,2\n}\n"
                             ".entry k()\n{\nst.global.u32 [used], 1;\nret;\n}\n// l\n.entry l()\n{\nret;\n}\n",
                        "k");
    ck_assert_str_eq(cut, HEAD ".global .u32 used;\n.entry k()\n{\nst.global.u32 [used], 1;\nret;\n}\n");
    free(cut);
    /* a function that returns a struct is removed if nothing calls it; otherwise, everything that it refers to is
     * also kept */
#define RETURNS(name) ".func (.param .b8 r[16]) " name "(.param .b8 p[16])\n"
    cut = ptx_cut(HEAD
                  ".shared .u32 s[2];\n.shared .u32 t[2];\n" RETURNS("f") "{\nst.shared.u32 [s], 1;\nret;\n}\n" RETURNS(
                      "g") "{\nst.shared.u32 [t], 1;\nret;\n}\n.entry k()\n{\ncall (r), f, (p);\n}\n",
                  "k");
    ck_assert_str_eq(cut, HEAD ".shared .u32 s[2];\n" RETURNS("f") "{\nst.shared.u32 [s], 1;\nret;\n}\n.entry "
                                                                   "k()\n{\ncall (r), f, (p);\n}\n");
    free(cut);
    ck_assert_ptr_null(ptx_cut(HEAD, "k"));
}
END_TEST
/* In three linked files, private names and source files stay separate. Of repeated .weak definitions, such as
 * instances of templates, one is kept. */
START_TEST(files_are_linked) {
#define SQUARE ".weak .func (.param .b32 r) square(.param .b32 a)\n{\nret;\n}\n"
    static const char *const files[] = {
        HEAD ".extern .func (.param .b32 r) twice(.param .b32 a);\n.extern .global .u32 counter;\n" SQUARE
             ".global .b8 $str[2] = {65};\n.visible .entry k() {\n.reg .b32 %r; .reg .b64 %a;\n.loc 1 4 0\nmov.u64 %a, "
             "$str;\n"
             "bra $L__BB0_1;\n$L__BB0_1:\n.loc 2 5 7, function_name $L__s, inlined_at 1 4 0\nld.global.u32 %r, "
             "[counter];\nret;\n}\n"
             ".file 1 \"a.cu\"\n.file 2 \"both.h\"\n.section .debug_str\n{\n$L__s:\n.b8 1\n}\n",
        HEAD SQUARE ".visible .global .u32 counter = 7;\n.global .b8 $str[2] = {66};\n",
        HEAD ".extern .global .u32 counter;\n.global .b8 $str[2] = {67};\n.visible .func (.param .b32 r) twice(.param "
             ".b32 a)\n{\n"
             ".reg .b64 %a;\n.loc 1 9 0\nmov.u64 %a, $str;\n$L__BB0_1:\nret;\n}\n.visible .entry other() { ret; "
             "}\n.file 1 \"c.cu\"\n"};
    struct ptx_error error;
    char *text = ptx_link(files, sizeof files / sizeof *files);
    struct ptx_module *m = ptx_parse(text, strlen(text), "linked", &error);
    ck_assert_msg(m, "%s\n%s", error.message, text);
    const struct ptx_function *k = ptx_find_function(m, "k"), *twice = ptx_find_function(m, "twice");
    ck_assert_uint_eq(m->function_count, 4);
    ck_assert(twice->defined && ptx_find_function(m, "other"));
    ck_assert_str_eq(m->files[k->code[0].loc.file], "a.cu");
    ck_assert_str_eq(m->files[twice->code[0].loc.file], "c.cu");
    ck_assert_uint_eq(m->variable_count, 4);
    ck_assert_ptr_ne(k->code[0].operand[1].symbol, twice->code[0].operand[1].symbol);
    ck_assert(ptx_is_builtin("__cudaCDP2LaunchDeviceV2") && !ptx_is_builtin("__cudaCDP2GetParameterName"));
    ptx_free(m);
    free(text);
#undef SQUARE
}
END_TEST
START_TEST(hashes_are_cleared) {
    char text[] = "_ZN39_INTERNAL_015520fe_9_reduce_cu_ffbc491341_GLOBAL__N__015520fe_9_reduce_cu_ffbc49135twiceEi "
                  "_INTERNAL_015520fg_ _INTERNAL_0155";
    compile_clear_hashes(text);
    ck_assert_str_eq(text, "_ZN39_INTERNAL_00000000_9_reduce_cu_ffbc491341_GLOBAL__N__00000000_9_reduce_cu_ffbc49135"
                           "twiceEi _INTERNAL_015520fg_ _INTERNAL_0155");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx: modules");
    TCase *modules = tcase_create("modules");
    tcase_add_test(modules, head_of_a_module);
    tcase_add_loop_test(modules, module_is_refused, 0, sizeof heads / sizeof *heads);
    tcase_add_test(modules, variables_of_a_module);
    tcase_add_test(modules, functions_of_a_module);
    tcase_add_test(modules, indirect_calls);
    tcase_add_test(modules, inner_scopes_shadow_outer_ones);
    tcase_add_test(modules, labels_belong_to_scopes);
    tcase_add_loop_test(modules, source_locations, 0, sizeof locations / sizeof *locations);
    tcase_add_test(modules, unused_definitions_are_removed);
    tcase_add_test(modules, files_are_linked);
    tcase_add_test(modules, hashes_are_cleared);
    suite_add_tcase(suite, modules);
    TCase *limits = tcase_create("limits");
    tcase_set_timeout(limits, 300);
    tcase_add_test(limits, limits_hold);
    tcase_add_test(limits, long_functions_are_read_quickly);
    suite_add_tcase(suite, limits);
    const int failed = suite_failures(suite);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
