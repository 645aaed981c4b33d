/* Every row of the instruction table, with edge values, on every instruction set of the host that the handlers were
 * built for.
 *
 * ops/values.def: what one lane computes alone; each is run by whole warps, by warps in which every other lane is
 * switched off, and with the destination the same register as the first source. ops/warps.def: small programs of one
 * warp or block with an expected value a lane. A row without any test fails here by name. */
#include "tests/ops/gpu.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 64, OLD = 0x5a };
static const char *const sets[] = {"baseline", "avx2", "avx512"};
static bool covered[PTX_OP_COUNT];

/* ---- running a piece of PTX ------------------------------------------------------------------ */
/* Runs `text` (a module with kernel k(out, in)) on LANES threads; out holds 8 bytes a thread. False: it was stopped. */
static bool run(const char *text, const char *isa, const uint64_t *in, unsigned words, uint64_t out[LANES]) {
    struct ptx_error parse;
    struct sim_error error;
    struct ptx_module *m = ptx_parse(text, strlen(text), "test", &parse);
    ck_assert_msg(m != NULL, "PTX line %u: %s in\n%.1200s", parse.text_line, parse.message, text);
    for (unsigned f = 0; f < m->function_count; f++)
        for (unsigned k = 0; k < m->functions[f]->code_count; k++) covered[m->functions[f]->code[k].op] = true;
    struct sim_program *p = sim_program_new_isa(m, isa, &error);
    ck_assert_msg(p != NULL, "%s", error.message);
    struct sim *s = sim_new(p, NULL);
    const uint64_t to = sim_alloc(s, "out", 8 * LANES, SIM_INITIALISED),
                   from = sim_alloc(s, "in", 8 * words, SIM_INITIALISED);
    memset(sim_host(s, to), OLD, 8 * LANES);
    sim_write(s, from, in, 8 * words);
    const struct sim_launch l = {.kernel = "k",
                                 .grid = {1, 1, 1},
                                 .block = {LANES, 1, 1},
                                 .dynamic_shared = 4096,
                                 .params = (const void *const[]){&to, &from},
                                 .param_count = 2};
    const enum sim_status status = sim_launch(s, &l, NULL, &error);
    ck_assert_msg(status != SIM_BAD_LAUNCH, "%s", error.message);
    sim_read(s, to, out, 8 * LANES);
    uint64_t before[LANES];
    memset(before, OLD, sizeof before);
    if (status == SIM_DONE && !strcmp(isa, "baseline"))
        gpu_compare(text, &l, in, 8 * words, before, out, sizeof before);
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
    return status == SIM_DONE;
}
static bool host_has(const char *isa) {
    static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
    struct ptx_error parse;
    struct sim_error error;
    struct ptx_module *m = ptx_parse(text, sizeof text - 1, "probe", &parse);
    struct sim_program *p = m ? sim_program_new_isa(m, isa, &error) : NULL;
    sim_program_free(p);
    ptx_free(m);
    return p != NULL;
}

/* ---- one lane ------------------------------------------------------------------------------------ */
#define W(d, a, b, c, e)                                                                                               \
    { d, a, b, c, e }
static const struct value {
    enum ptx_op op;
    const char *text;
    unsigned width[5];
    uint64_t in[4], expected;
} values[] = {
#define VALUE(id, text, widths, a, b, c, e, expected) {PTX_OP_##id, text, widths, {a, b, c, e}, expected},
#include "ops/values.def"
};
enum { VALUES = sizeof values / sizeof *values };
enum way { WHOLE, HALF, SAME_REGISTER, WAYS };

struct text {
    char data[6000];
    size_t length;
};
static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->data + t->length, sizeof t->data - t->length, format, arguments);
    va_end(arguments);
    ck_assert(t->length < sizeof t->data);
}
static void header(struct text *t) {
    add(t, ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 to, .param .u64 from) {\n");
    add(t, ".reg .pred %%p, %%q, %%on;\n.reg .b32 %%tid, %%bit;\n.reg .b64 %%to, %%from, %%wide, %%at;\n");
    add(t, "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%tid, %%tid.x;\n");
    add(t, "and.b32 %%bit, %%tid, 1;\nsetp.eq.u32 %%on, %%bit, 0;\n");
}
/* Copies the instructions, each behind the guard; `%d` becomes `%a` where the registers are to be the same. */
static void instructions(struct text *t, const char *source, const char *guard, bool same) {
    add(t, "%s", guard);
    for (const char *s = source; *s; s++) {
        if (same && s[0] == '%' && s[1] == 'd')
            add(t, "%%a"), s++;
        else if (*s == ';' && s[1])
            add(t, ";\n%s", guard);
        else
            add(t, "%c", *s);
    }
    add(t, "\n");
}
static void build(struct text *t, const struct value *v, enum way way) {
    static const char names[] = "dabce";
    const char *result = way == SAME_REGISTER ? "a" : "d";
    header(t);
    for (unsigned k = 0; k < 5; k++) {
        if (!v->width[k]) continue;
        add(t, ".reg .b%u %%%c;\nld.global.u64 %%wide, [%%from+%u];\n", v->width[k], names[k], k ? 8 * (k - 1) : 32);
        if (v->width[k] == 64)
            add(t, "mov.b64 %%%c, %%wide;\n", names[k]);
        else
            add(t, "cvt.u%u.u64 %%%c, %%wide;\n", v->width[k], names[k]);
    }
    instructions(t, v->text, way == HALF ? "@%on " : "", way == SAME_REGISTER);
    if (v->width[0] == 64)
        add(t, "mov.b64 %%wide, %%%s;\n", result);
    else
        add(t, "cvt.u64.u%u %%wide, %%%s;\n", v->width[0], result);
    add(t, "mul.wide.u32 %%at, %%tid, 8;\nadd.s64 %%at, %%to, %%at;\nst.global.u64 [%%at], %%wide;\nret;\n}\n");
}
START_TEST(value_is_right) {
    const struct value *v = &values[_i % VALUES];
    const char *isa = sets[_i / VALUES];
    const uint64_t in[5] = {v->in[0], v->in[1], v->in[2], v->in[3], 0x77}; /* the last: what d holds before */
    for (int way = 0; way < WAYS; way++) {
        struct text t = {.length = 0};
        uint64_t out[LANES];
        const bool inner = strchr(v->text, '}') || strchr(v->text, '{');
        if (way == SAME_REGISTER && (v->width[0] != v->width[1] || inner || strchr(strchr(v->text, ';') + 1, ';')))
            continue;
        build(&t, v, (enum way)way);
        ck_assert(run(t.data, isa, in, 5, out));
        for (unsigned l = 0; l < LANES; l++) {
            const uint64_t expected = way == HALF && l % 2 ? 0x77 : v->expected;
            ck_assert_msg(out[l] == expected, "%s, %s, way %d, lane %u: got %llx, expected %llx", v->text, isa, way, l,
                          (unsigned long long)out[l], (unsigned long long)expected);
        }
    }
}
END_TEST

/* ---- warps and blocks ------------------------------------------------------------------------------ */
/* PROGRAM(name, declarations, body, expected value of thread t): the body leaves its result in %r; %t is the thread, %l
 * the lane. */
#define PROGRAM(name, module, body, expression)                                                                        \
    static uint64_t expected_##name(uint32_t t) { return (void)t, (uint32_t)(expression); }
#include "ops/warps.def"
static const struct program {
    const char *name, *module, *body;
    uint64_t (*expected)(uint32_t t);
} programs[] = {
#define PROGRAM(name, module, body, expression) {#name, module, body, expected_##name},
#include "ops/warps.def"
};
enum { PROGRAMS = sizeof programs / sizeof *programs };
START_TEST(program_is_right) {
    const struct program *p = &programs[_i % PROGRAMS];
    struct text t = {.length = 0};
    uint64_t out[LANES], in[LANES];
    for (unsigned k = 0; k < LANES; k++) in[k] = 1000 + k;
    add(&t,
        ".version 7.0\n.target sm_80\n.address_size 64\n%s\n.visible .entry k(.param .u64 to, .param .u64 from) {\n",
        p->module);
    add(&t, ".reg .pred %%p<4>;\n.reg .b16 %%h<4>;\n.reg .b32 %%r, %%t, %%l, %%x<8>;\n.reg .b64 %%to, %%from, %%w, "
            "%%at, %%y<8>;\n");
    add(&t, ".shared .align 8 .b8 buffer[1024];\n.local .align 8 .b8 depot[64];\n");
    add(&t, "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\nand.b32 %%l, %%t, "
            "31;\nmov.u32 %%r, 0;\n");
    add(&t, "%s\n", p->body);
    add(&t, "cvt.u64.u32 %%w, %%r;\nmul.wide.u32 %%at, %%t, 8;\nadd.s64 %%at, %%to, %%at;\nst.global.u64 [%%at], "
            "%%w;\nret;\n}\n");
    ck_assert_msg(run(t.data, sets[_i / PROGRAMS], in, LANES, out), "%s was stopped", p->name);
    for (uint32_t k = 0; k < LANES; k++)
        ck_assert_msg(out[k] == p->expected(k), "%s, %s, thread %u: got %llx, expected %llx", p->name,
                      sets[_i / PROGRAMS], k, (unsigned long long)out[k], (unsigned long long)p->expected(k));
}
END_TEST

/* ---- all rows --------------------------------------------------------------------------------------- */
/* Runs everything once more in this process and looks which rows were in it. `trap`, `brkpt` and what ends a launch
 * stand in a program of their own. */
START_TEST(every_row_has_a_test) {
    static const char ends[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 to, .param .u64 from) {\n%s\n}\n";
    static const char *const bodies[] = {"trap;", "brkpt;", "exit;"};
    uint64_t out[LANES], in[5] = {0};
    for (unsigned k = 0; k < VALUES; k++) covered[values[k].op] = true;
    for (unsigned k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        char text[300];
        snprintf(text, sizeof text, ends, bodies[k]);
        ck_assert_int_eq(run(text, "baseline", in, 5, out), !strcmp(bodies[k], "exit;"));
    }
    for (unsigned k = 0; k < PROGRAMS; k++) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        fprintf(f,
                ".version 7.0\n.target sm_80\n.address_size 64\n%s\n.visible .entry k(.param .u64 to, .param .u64 "
                "from) {\n",
                programs[k].module);
        fprintf(f, ".reg .pred %%p<4>;\n.reg .b16 %%h<4>;\n.reg .b32 %%r, %%t, %%l, %%x<8>;\n.reg .b64 %%to, %%from, "
                   "%%w, %%at, %%y<8>;\n");
        fprintf(f,
                ".shared .align 8 .b8 buffer[1024];\n.local .align 8 .b8 depot[64];\nmov.u64 %%from, 0;\n%s\nret;\n}\n",
                programs[k].body);
        fclose(f);
        struct ptx_error parse;
        struct ptx_module *m = ptx_parse(text, strlen(text), "test", &parse);
        ck_assert_msg(m != NULL, "%s: PTX line %u: %s", programs[k].name, parse.text_line, parse.message);
        for (unsigned n = 0; n < m->function_count; n++)
            for (unsigned i = 0; i < m->functions[n]->code_count; i++) covered[m->functions[n]->code[i].op] = true;
        ptx_free(m);
        free(text);
    }
    for (int op = 0; op < PTX_OP_COUNT; op++)
        ck_assert_msg(covered[op], "row %s (%s) of ops.def has no test", ptx_ops[op].id, ptx_ops[op].mnemonic);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ops");
    TCase *tcase = tcase_create("ops");
    tcase_set_timeout(tcase, 60);
    for (int k = 0; k < 3; k++) {
        if (!host_has(sets[k])) {
            printf("SKIP check_ops %s: this host or build has no such handlers\n", sets[k]);
            continue;
        }
        tcase_add_loop_test(tcase, value_is_right, k * VALUES, (k + 1) * VALUES);
        tcase_add_loop_test(tcase, program_is_right, k * PROGRAMS, (k + 1) * PROGRAMS);
    }
    tcase_add_test(tcase, every_row_has_a_test);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
