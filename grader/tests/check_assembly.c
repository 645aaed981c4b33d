/* Tests the rules for inline assembly: single instructions are allowed, but a kernel pasted as PTX is not. */
/* run: sanitized */
/* reads: nothing */
#include "compile/assembly.h"
#include "compile/source.h"
#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* PTX of inline assembly in the submission (file 1) and in a header (file 2). */
#define HEAD ".version 8.0\n.visible .entry k(\n)\n{\n"
#define FILES "\tret;\n}\n\t.file\t1 \"reduce.cu\"\n\t.file\t2 \"/include/cuda_fp16.hpp\"\n"
#define OWN(text) "\t.loc\t1 7 5\n\t// begin inline asm\n\t" text "\n\t// end inline asm\n"
#define ASM "asm(\"\");"
#define AT(line)                                                                                                       \
    "\t.loc\t1 " #line " 5\n\t// begin inline asm\n\tld.global.nc.v4.s32 {a,b,c,d}, [e];\n\t// end inline asm\n"
#define INLINED(text)                                                                                                  \
    "\t.loc\t1 7 5, function_name $L__info_string0, inlined_at 1 9 5\n\t// begin inline asm\n\t" text                  \
    "\n\t// end inline asm\n"
#define HEADER(text) "\t.loc\t2 7 5\n\t// begin inline asm\n\t" text "\n\t// end inline asm\n"
#define EIGHT                                                                                                          \
    "add.s32 a, b, c; add.s32 a, b, c; add.s32 a, b, c; add.s32 a, b, c; ld.shared.u32 a, [b]; mov.u32 c, a; mov.u32 " \
    "d, c; st.shared.u32 [b], c;"
static const struct {
    enum assembly rule;
    const char *source, *ptx;
    const char *said; /* NULL if allowed */
} rows[] = {
    {ASSEMBLY_SOME, ASM, HEAD FILES, NULL},
    {ASSEMBLY_SOME, ASM, HEAD OWN("mov.u32 %r1, %laneid;") FILES, NULL},
    {ASSEMBLY_SOME, ASM,
     HEAD OWN("{ .reg .u64 at; cvta.to.global.u64 at, %rd1; atom.global.acq_rel.gpu.add.u32 %r1, [at], 1; }") FILES,
     NULL},
    {ASSEMBLY_SOME, ASM, HEAD OWN("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];") FILES,
     NULL},
    {ASSEMBLY_SOME, ASM, HEAD OWN("@%p1 st.shared::cta.u32 [%r1], 1;") FILES, NULL},
    {ASSEMBLY_SOME, ASM, HEAD OWN("") FILES, NULL},
    {ASSEMBLY_SOME, ASM, HEAD OWN(EIGHT) OWN(EIGHT) OWN(EIGHT) FILES, NULL}, /* a line of an unrolled loop */
    {ASSEMBLY_SOME, ASM, HEAD OWN(EIGHT EIGHT) HEAD OWN(EIGHT EIGHT) FILES, NULL},
    {ASSEMBLY_SOME, ASM,
     HEAD OWN("{ ld.shared.v4.u32 {a,b,c,d}, [e]; st.shared.v4.u32 [e], {a,b,c,d}; " EIGHT "}") FILES, NULL},
    {ASSEMBLY_SOME, ASM, HEAD OWN(EIGHT "{ ld.shared.v2.u32 {a,b}, [e]; }" EIGHT) FILES, "more than 16"},
    {ASSEMBLY_SOME, ASM, HEAD OWN("{ mov.b64 {a,b}, c; L: }") FILES, "with `L:`"},
    {ASSEMBLY_SOME, ASM, HEAD OWN(EIGHT EIGHT " add.s32 a, b, c;") FILES,
     "7: more than 16 instructions of inline assembly"},
    {ASSEMBLY_SOME, ASM, HEAD HEADER(EIGHT EIGHT "L: bra L;") OWN("bar.sync 0;") FILES, NULL},
    {ASSEMBLY_SOME, ASM, HEAD OWN("L1: add.s32 a, b, c;\n @p bra L1;") FILES, "7: inline assembly with `L1:`"},
    {ASSEMBLY_SOME, ASM, HEAD OWN("@p bra.uni DONE;") FILES, "with `bra.uni`"},
    {ASSEMBLY_SOME, ASM, HEAD OWN("@p ret;") FILES, "with `ret`"},
    {ASSEMBLY_SOME, ASM, HEAD OWN("mov.u32 a, b; exit;") FILES, "with `exit`"},
    {ASSEMBLY_SOME, ASM, HEAD OWN(".shared .b32 s[4];") FILES, "with `.shared`"},
    {ASSEMBLY_SOME, ASM, HEAD OWN(".pragma \"nounroll\";") FILES, "with `.pragma`"},
    {ASSEMBLY_SOME, ASM, HEAD INLINED("@p bra.uni DONE;") FILES, "7: inline assembly with `bra.uni`"},
    {ASSEMBLY_NO, ASM, HEAD HEADER("bra L;") FILES, NULL},
    {ASSEMBLY_NO, ASM, HEAD OWN("mov.u32 %r1, %laneid;") FILES, "7: this lab does not allow inline assembly"},
    {ASSEMBLY_YES, ASM, HEAD OWN("L1: bra L1;") FILES, NULL},
    /* functions that the compiler provides; their code is attributed to the line of the call */
    {ASSEMBLY_SOME, "__ldg(p); int plasma, asm_;", HEAD OWN(EIGHT EIGHT EIGHT) FILES, NULL},
    {ASSEMBLY_NO, "__ldg(p);", HEAD OWN("ld.global.nc.u32 %r1, [%rd1];") FILES, NULL},
    {ASSEMBLY_NO, "__asm__(\"\");", HEAD OWN("ld.global.nc.u32 %r1, [%rd1];") FILES,
     "7: this lab does not allow inline assembly"},
    {ASSEMBLY_NO, "as\\\nm(\"\");", HEAD OWN("ld.global.nc.u32 %r1, [%rd1];") FILES,
     "7: this lab does not allow inline assembly"},
    {ASSEMBLY_NO, "#define A(x) a ## x\nA(sm)(\"\");", HEAD OWN("mov.u32 a, b;") FILES,
     "7: this lab does not allow inline assembly"},
    {ASSEMBLY_SOME, ASM, HEAD AT(1) AT(2) AT(3) AT(4) AT(5) AT(6) AT(7) AT(8) OWN(EIGHT EIGHT) FILES, NULL},
    {ASSEMBLY_SOME, ASM, HEAD AT(1) OWN(EIGHT EIGHT "ld.global.u32 a, [b];") FILES,
     "7: more than 16 instructions of inline assembly"},
    /* attempts to hide where inline assembly ends, or which file contains it */
    {ASSEMBLY_SOME, "asm(\"// end inline asm\");", HEAD OWN("mov.u32 a, b;") FILES,
     "1: in a file with inline assembly, a string"},
    {ASSEMBLY_SOME, "\n\nasm(\"/\" \"/ end\");", HEAD OWN("mov.u32 a, b;") FILES,
     "3: in a file with inline assembly, a string"},
    {ASSEMBLY_SOME, "asm(\"\\x2f\\57\");", HEAD OWN("mov.u32 a, b;") FILES,
     "1: in a file with inline assembly, a string"},
    {ASSEMBLY_SOME, "asm(R\"(mov)\");", HEAD OWN("mov.u32 a, b;") FILES, "1: in a file with inline assembly, a string"},
    {ASSEMBLY_SOME, "asm(\"mov;\\n\\tadd;\"); // it's \"/\" here\n/* \"/\" */ char c = '\"', d = '\\'';",
     HEAD OWN("mov.u32 a, b;") FILES, NULL},
    {ASSEMBLY_SOME, "#define T(x) #x\n", HEAD OWN("mov.u32 a, b;") FILES,
     "1: in a file with inline assembly, a macro must"},
    {ASSEMBLY_SOME, "#define T(x) a ## b %:%: #x\n", HEAD OWN("mov.u32 a, b;") FILES,
     "1: in a file with inline assembly, a macro must"},
    {ASSEMBLY_SOME, "asm(\"%0\" :: \"\" \"C\"(end));", HEAD OWN("mov.u32 a, b;") FILES,
     "1: in a file with inline assembly, a string"},
    {ASSEMBLY_SOME, "#define A \\\n as ## m\n%:define B a %:%: b\n", HEAD OWN("mov.u32 a, b;") FILES, NULL},
    {ASSEMBLY_SOME, "char s[] = \"a/b\";\n#define T(x) #x\n", HEAD FILES, NULL},
};
START_TEST(assembly_rules_hold) {
    char said[400] = "";
    const bool allowed = assembly_allowed(rows[_i].rule, rows[_i].source, rows[_i].ptx, said, sizeof said);
    ck_assert_msg(allowed == !rows[_i].said && (allowed || strstr(said, rows[_i].said)), "row %d: `%s`\n%s\n%s", _i,
                  said, rows[_i].source, rows[_i].ptx);
}
END_TEST

static const struct {
    const char *source;
    unsigned line; /* first directive that changes line numbers; 0 if there is none */
} directives[] = {
    {"", 0},
    {"a\n  #line 3 \"x\"\n", 2},
    {"a\n# 3 \"x\"\n", 2},
    {"%: li\\\nne 3\n", 1},
    {"\n\n#\tline 3", 3},
    {"#lines 3\n#define line 3\n#include \"reduce.h\"\n", 0},
};
START_TEST(lines_keep_their_numbers) {
    ck_assert_msg(source_renumbered(directives[_i].source) == directives[_i].line, "%s", directives[_i].source);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("assembly");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, assembly_rules_hold, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(all, lines_keep_their_numbers, 0, sizeof directives / sizeof *directives);
    suite_add_tcase(suite, all);
    return suite_failures(suite) != 0;
}
