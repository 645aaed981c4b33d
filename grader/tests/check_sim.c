/* Tests the simulator's interface: host memory, printf in kernels, invalid launches, faults that end a run, large
 * objects, pointers that leave their buffer, registers that share rows, and atomics that only read. */
/* reads: nothing */
#include "sim/inspect.h"
#include "sim/sim.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                                           \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                                                                  \
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                                           \
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"

struct loaded {
    struct ptx_module *module;
    struct sim_program *program;
};
static struct loaded load_text(const char *text) {
    struct ptx_error ptx_error;
    struct sim_error error;
    struct loaded l = {.module = ptx_parse(text, strlen(text), "k.ptx", &ptx_error)};
    ck_assert_msg(l.module != NULL, "%s\n%s", ptx_error.message, text);
    l.program = sim_program_new(l.module, &error);
    ck_assert_msg(l.program != NULL, "%s\n%s", error.message, text);
    ck_assert_ptr_eq(sim_program_module(l.program), l.module);
    return l;
}
static void unload(struct loaded *l) {
    sim_program_free(l->program);
    ptx_free(l->module);
}

/* ---- device printf -------------------------------------------------------------------------- */
struct printed {
    char text[4000];
    size_t length;
};
static void print(void *context, const char *text, size_t length) {
    struct printed *p = context;
    ck_assert_uint_lt(p->length + length, sizeof p->text);
    memcpy(p->text + p->length, text, length);
    p->length += length;
}
/* Each macro stores an argument of printf at a+`at`: an int, a 64-bit integer, a double, or a string. */
#define I(at, v) "mov.u32 %x, " #v "; st.local.u32 [a+" #at "], %x;\n"
#define L(at, v) "mov.u64 %y, " #v "; st.local.u64 [a+" #at "], %y;\n"
#define D(at, v) "mov.f64 %d, " #v "; st.local.f64 [a+" #at "], %d;\n"
#define S(at) "mov.u64 %y, word; cvta.global.u64 %y, %y; st.local.u64 [a+" #at "], %y;\n"
static const struct {
    const char *format, *arguments, *text;
} prints[] = {
    {"plain\n", "", "plain\n"},
    {"%d|%5d|%-5d|%05d|%+d", I(0, -7) I(4, 42) I(8, 42) I(12, 42) I(16, 42), "-7|   42|42   |00042|+42"},
    {"%u %x %X %o %#x", I(0, 4294967295) I(4, 255) I(8, 255) I(12, 8) I(16, 255), "4294967295 ff FF 10 0xff"},
    {"%d %lld %ld %llu", I(0, 1) L(8, -9000000000) L(16, -1) L(24, -1), "1 -9000000000 -1 18446744073709551615"},
    {"%zu %hd", L(0, 5000000000) I(8, 70000), "5000000000 4464"},
    {"%f %.2f %e %g %10.3f|", D(0, 1.5) D(8, 2.345) D(16, 1000.0) D(24, 0.25) D(32, 3.14159),
     "1.500000 2.35 1.000000e+03 0.25      3.142|"},
    {"%d %f", I(0, 3) D(8, 0.5), "3 0.500000"},
    {"%c%c", I(0, 72) I(4, 105), "Hi"},
    {"[%s] [%8s] [%.3s]", S(0) S(8) S(16), "[barrier] [ barrier] [bar]"},
    {"%p", L(0, 4096), "0x1000"},
    {"%*d|%-*d|%.*f", I(0, 6) I(4, 42) I(8, 6) I(12, 42) I(16, 1) D(24, 2.25), "    42|42    |2.2"},
    {"100%%", "", "100%"},
    {"%", "", "%"},
    {"%y %d", I(0, 5), "%y 5"},
    {"%Lf", "", "%Lf"},
    {"%hhd %hhu %hd", I(0, 300) I(4, 300) I(8, 40000), "44 44 -25536"},
    {"%.*d|%*d|", I(0, -1) I(4, 7) I(8, -3) I(12, 7), "7|7  |"},
    {"%s", L(0, 16), ""},
    {"%n", L(0, 16), "%n"},
};
START_TEST(device_printf) {
    char text[6000], format[1000] = "";
    struct printed p = {.length = 0};
    for (const char *s = prints[_i].format; *s; s++)
        snprintf(format + strlen(format), sizeof format - strlen(format), "%d, ", *s);
    snprintf(
        text, sizeof text,
        "%s.global .align 1 .b8 fmt[] = {%s0};\n.global .align 1 .b8 word[8] = {98, 97, 114, 114, 105, 101, 114, 0};\n"
        ".visible .entry k() {\n.reg .b32 %%x; .reg .b64 %%y, %%f, %%l; .reg .f64 %%d; .local .align 8 .b8 a[64];\n%s"
        "mov.u64 %%f, fmt; cvta.global.u64 %%f, %%f; mov.u64 %%l, a; cvta.local.u64 %%l, %%l;\n"
        "{ .param .b64 pf; .param .b64 pa; .param .b32 r; st.param.b64 [pf], %%f; st.param.b64 [pa], %%l;\n"
        "call.uni (r), vprintf, (pf, pa); ld.param.b32 %%x, [r]; }\nret;\n}\n",
        HEAD, format, prints[_i].arguments);
    struct loaded l = load_text(text);
    const struct sim_options options = {.print = print, .print_context = &p, .print_limit = 3000};
    struct sim *s = sim_new(l.program, &options);
    const struct sim_launch one = {.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}},
                            many = {.kernel = "k", .grid = {100, 1, 1}, .block = {100, 1, 1}};
    struct sim_error error;
    ck_assert_int_eq(sim_launch(s, &one, NULL, &error), SIM_DONE);
    ck_assert_str_eq(p.text, prints[_i].text);
    p = (struct printed){.length = 0}; /* the output of many threads is truncated */
    ck_assert_int_eq(sim_launch(s, &many, NULL, &error), SIM_DONE);
    const size_t all = 10000 * strlen(prints[_i].text);
    ck_assert_msg((strstr(p.text, "truncated here") != NULL) == (all > 3000), "%zu bytes", p.length);
    sim_free(s);
    unload(&l);
}
END_TEST
/* A huge field width must not make the host write as many characters. */
START_TEST(huge_field_widths_are_limited) {
    static const char *const formats[] = {"%2000000000d", "%-99999999999999999999d", "%.2000000000f", "%*d", "%.*s"};
    char text[4000], format[200] = "";
    struct printed p = {.length = 0};
    for (const char *s = formats[_i]; *s; s++)
        snprintf(format + strlen(format), sizeof format - strlen(format), "%d, ", *s);
    snprintf(text, sizeof text,
             "%s.global .align 1 .b8 fmt[] = {%s0};\n"
             ".visible .entry k() {\n.reg .b32 %%x; .reg .b64 %%f, %%l; .local .align 8 .b8 a[64];\n"
             "mov.u32 %%x, %s; st.local.u32 [a], %%x; st.local.u32 [a+4], %%x; st.local.u32 [a+8], %%x; "
             "st.local.u32 [a+12], %%x;\n"
             "mov.u64 %%f, fmt; cvta.global.u64 %%f, %%f; mov.u64 %%l, a; cvta.local.u64 %%l, %%l;\n"
             "{ .param .b64 pf; .param .b64 pa; .param .b32 r; st.param.b64 [pf], %%f; st.param.b64 [pa], %%l;\n"
             "call.uni (r), vprintf, (pf, pa); }\nret;\n}\n",
             HEAD, format, _i % 2 ? "-2147483648" : "2147483647");
    struct loaded l = load_text(text);
    const struct sim_options options = {.print = print, .print_context = &p};
    struct sim *s = sim_new(l.program, &options);
    const struct sim_launch one = {.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    ck_assert_int_eq(sim_launch(s, &one, NULL, NULL), SIM_DONE);
    ck_assert_uint_lt(p.length, 600);
    sim_free(s);
    unload(&l);
}
END_TEST

/* ---- memory as seen by the host ------------------------------------------------------------- */
START_TEST(host_memory) {
    struct loaded l =
        load_text(HEAD ".global .align 4 .u32 count = 5;\n.const .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
                       ".global .align 8 .u64 to_count = generic(count);\n.visible .entry k() { ret; }\n");
    const struct sim_options options = {.memory_limit = 1 << 20};
    struct sim *s = sim_new(l.program, &options);
    unsigned char bytes[8] = {0};
    uint64_t size = 0, pointer = 0;
    const uint64_t count = sim_variable(s, "count", &size), table = sim_variable(s, "table", NULL);
    ck_assert(count && size == 4 && table && !sim_variable(s, "nothing", &size));
    ck_assert(sim_read(s, count, bytes, 4) && bytes[0] == 5);
    ck_assert(sim_read(s, table + 4, bytes, 4) && bytes[3] == 8);
    ck_assert(sim_read(s, sim_variable(s, "to_count", NULL), &pointer, 8) && pointer == count);
    const uint64_t a = sim_alloc(s, "a", 100, SIM_UNINITIALIZED), none = sim_alloc(s, "none", 0, SIM_INITIALIZED);
    ck_assert(a && none && a % 256 == 0);
    ck_assert(sim_read(s, a + 99, bytes, 1) && bytes[0] == 0xA5);
    ck_assert(!sim_read(s, a + 99, bytes, 2) && !sim_write(s, a + 100, bytes, 1) && !sim_write(s, 0, bytes, 1));
    ck_assert(sim_write(s, a + 50, "xyz", 3) && sim_read(s, a + 51, bytes, 1) && bytes[0] == 'y');
    ck_assert(sim_host(s, a) && !sim_host(s, a + 1) && !sim_host(s, 12345));
    ck_assert(!sim_alloc(s, "too much", 1 << 20, 0));
    for (unsigned k = 0; k < 100; k++) { /* released memory is reused */
        const uint64_t big = sim_alloc(s, "big", 1 << 19, 0);
        ck_assert(big != 0);
        sim_release(s, big);
        ck_assert(!sim_read(s, big, bytes, 1));
    }
    sim_release(s, count); /* has no effect on a module variable */
    ck_assert(sim_read(s, count, bytes, 4));
    sim_free(s);
    unload(&l);
    struct sim_error error;
    ck_assert_ptr_null(sim_program_new_isa(l.module, "mmx", &error));
    ck_assert_str_eq(error.message, "no handlers for the instruction set `mmx` on this host");
}
END_TEST

/* ---- invalid launches ---------------------------------------------------------------------- */
static const struct {
    const char *kernel;
    uint32_t grid[3], block[3], shared;
    unsigned params;
    const char *text;
} launches[] = {
    {"k", {1, 1, 1}, {32, 1, 1}, 0, 1, NULL},
    {"k", {2, 3, 4}, {4, 8, 32}, 0, 1, NULL},
    {"none", {1, 1, 1}, {32, 1, 1}, 0, 1, "no kernel `none` in k.ptx"},
    {"f", {1, 1, 1}, {32, 1, 1}, 0, 1, "no kernel `f` in k.ptx"},
    {"k", {1, 1, 1}, {32, 1, 1}, 0, 2, "kernel `k` takes 1 parameter, but 2 were given"},
    {"k", {0, 1, 1}, {32, 1, 1}, 0, 1, "must be at least 1"},
    {"k", {1, 1, 1}, {32, 0, 1}, 0, 1, "must be at least 1"},
    {"k", {1, 1, 1}, {1025, 1, 1}, 0, 1, "at most 1024"},
    {"k", {1, 1, 1}, {64, 32, 1}, 0, 1, "the block has 2048 threads, but the maximum is 1024"},
    {"k", {1u << 31, 2, 1}, {32, 1, 1}, 0, 1, "more than 2^31 - 1 blocks"},
    {"k", {1, 1, 1}, {32, 1, 1}, 228 << 10, 1, "bytes that a block may have"},
    {"small", {1, 1, 1}, {65, 1, 1}, 0, 0, "compiled for at most 64"},
    {"large", {1, 1, 1}, {32, 1, 1}, 0, 0, "bytes of __shared__ memory, but the maximum is 49152 bytes"},
};
START_TEST(launches_are_validated) {
    struct loaded l = load_text(HEAD ".func f(.param .b32 a) { ret; }\n.visible .entry k(.param .u32 a) { ret; }\n"
                                     ".visible .entry small() .maxntid 64, 1, 1 { ret; }\n"
                                     ".visible .entry large() { .shared .align 4 .b8 s[49156]; .reg .b32 %x; "
                                     "ld.shared.u32 %x, [s]; ret; }\n");
    struct sim *s = sim_new(l.program, NULL);
    struct sim_error error;
    const uint32_t a = 0;
    struct sim_launch launch = {.kernel = launches[_i].kernel,
                                .dynamic_shared = launches[_i].shared,
                                .params = (const void *const[]){&a, &a},
                                .param_count = launches[_i].params};
    memcpy(launch.grid, launches[_i].grid, sizeof launch.grid);
    memcpy(launch.block, launches[_i].block, sizeof launch.block);
    const enum sim_status status = sim_launch(s, &launch, NULL, &error);
    ck_assert_int_eq(status, launches[_i].text ? SIM_BAD_LAUNCH : SIM_DONE);
    ck_assert_msg(strstr(error.message, launches[_i].text ? launches[_i].text : ""), "%s", error.message);
    sim_free(s);
    unload(&l);
}
END_TEST

/* ---- faults that end a run ------------------------------------------------------------------ */
struct fault {
    unsigned count;
    struct sim_fault first;
    char text[200];
};
static void note(void *self, const struct sim_fault *f) {
    struct fault *seen = self;
    if (seen->count++) return;
    seen->first = *f;
    snprintf(seen->text, sizeof seen->text, "%s", f->text ? f->text : "");
}
static const struct {
    const char *body;
    enum sim_fault_kind kind;
    uint32_t lanes;
    const char *text;
} faults[] = {
    {"setp.lt.u32 %p, %t, 4; @%p trap;", SIM_FAULT_TRAP, 15, "trap"},
    {"brkpt;", SIM_FAULT_TRAP, UINT32_MAX, "trap"},
    {"mov.u64 %f, message; cvta.global.u64 %f, %f; { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; "
     ".param .b64 s; st.param.b64 [m], %f; call __assertfail, (m, f, l, n, s); }",
     SIM_FAULT_TRAP, UINT32_MAX, "n > 0"},
    {"mov.u64 %f, 0; { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s; st.param.b64 [m], "
     "%f; "
     "call __assertfail, (m, f, l, n, s); }",
     SIM_FAULT_TRAP, UINT32_MAX, ""},
    {"targets: .branchtargets A, B; brx.idx %t, targets; A: B:", SIM_FAULT_CALL, 4, ""},
    {"mov.u64 %f, 0; proto: .callprototype _ (); call %f, (), proto;", SIM_FAULT_CALL, UINT32_MAX, ""},
    {"mov.u64 %f, 12345; proto: .callprototype _ (); call %f, (), proto;", SIM_FAULT_CALL, UINT32_MAX, ""},
    {"call deep, ();", SIM_FAULT_STACK, UINT32_MAX, ""},
    {"L: bra L;", SIM_FAULT_BUDGET, UINT32_MAX,
     "looped here without changing anything, and no other thread can end the loop: all have exited or are waiting"},
    {"mov.u32 %x, 0; L: add.u32 %x, %x, 1; bra L;", SIM_FAULT_BUDGET, UINT32_MAX, ""},
    {"L: mov.u64 %f, %globaltimer; nanosleep.u32 20; bra L;", SIM_FAULT_BUDGET, UINT32_MAX,
     "looped here without changing anything, and no other thread can end the loop: all have exited or are waiting"},
    {"mov.u32 %x, 17; barrier.sync %x;", SIM_FAULT_BARRIER_COUNT, UINT32_MAX, ""},
    {"mov.u32 %x, 33; bar.sync 0, %x;", SIM_FAULT_BARRIER_COUNT, UINT32_MAX, ""},
    {"mov.u32 %x, 128; bar.sync 0, %x;", SIM_FAULT_BARRIER_COUNT, UINT32_MAX, ""},
    {"mov.u32 %x, 64; bar.sync 1, %x;", SIM_FAULT_BARRIER_COUNT, UINT32_MAX, ""},
};
START_TEST(a_fault_ends_the_run) {
    char text[4000];
    snprintf(text, sizeof text,
             "%s.global .align 1 .b8 message[6] = {110, 32, 62, 32, 48, 0};\n.func deep() { call deep, (); ret; }\n"
             ".visible .entry k() {\n.reg .pred %%p; .reg .b32 %%t, %%x; .reg .b64 %%f;\nmov.u32 %%t, "
             "%%tid.x;\n%s\nret;\n}\n",
             HEAD, faults[_i].body);
    struct loaded l = load_text(text);
    static const struct sim_probe probe = {.name = "note", .fault = note};
    struct fault seen = {.count = 0};
    const struct sim_listener listener = {&probe, &seen};
    const struct sim_options options = {.budget = 1 << 21};
    struct sim *s = sim_new(l.program, &options);
    const struct sim_launch launch = {
        .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .listeners = &listener, .listener_count = 1};
    ck_assert_msg(sim_launch(s, &launch, NULL, NULL) == SIM_STOPPED, "%s", faults[_i].body);
    ck_assert_msg(seen.first.kind == faults[_i].kind, "%s: kind %d", faults[_i].body, seen.first.kind);
    ck_assert_msg(faults[_i].lanes == 4 ? !(seen.first.lanes & 3) : seen.first.lanes == faults[_i].lanes,
                  "%s: lanes %x", faults[_i].body, seen.first.lanes);
    ck_assert(seen.first.fatal && !strcmp(seen.text, faults[_i].text));
    sim_free(s);
    unload(&l);
}
END_TEST

/* A loop that polls a clock until a given time must end: the simulator advances the clock when nothing else can run. */
START_TEST(a_time_limit_ends_a_loop) {
    static const char *const clocks[] = {"%globaltimer", "%clock64", "%clock"};
    for (unsigned k = 0; k < sizeof clocks / sizeof *clocks; k++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            char text[2000];
            const bool wide = k < 2;
            snprintf(text, sizeof text,
                     HEAD ".visible .entry k() {\n.reg .pred %%p; .reg .b%s %%from, %%now;\nmov.u%s %%from, %s;\n"
                          "L: mov.u%s %%now, %s; sub.u%s %%now, %%now, %%from; setp.lt.u%s %%p, %%now, 2000000000; "
                          "@%%p bra L;\nret;\n}\n",
                     wide ? "64" : "32", wide ? "64" : "32", clocks[k], wide ? "64" : "32", clocks[k],
                     wide ? "64" : "32", wide ? "64" : "32");
            struct loaded l = load_text(text);
            struct sim *s =
                sim_new(l.program, &(struct sim_options){.budget = 1 << 21, .shuffle = seed > 0, .seed = seed});
            const struct sim_launch launch = {.kernel = "k", .grid = {2, 1, 1}, .block = {64, 1, 1}};
            ck_assert_msg(sim_launch(s, &launch, NULL, NULL) == SIM_DONE, "%s, seed %d", clocks[k], (int)seed);
            sim_free(s);
            unload(&l);
        }
}
END_TEST

/* ---- large objects, samples of blocks -------------------------------------------------------- */
/* Block b uses memory from 2^30 * b bytes after the buffers' start. Each lane copies a word, adds 1 to the copy, and
 * copies a pair of words in reverse order. The lanes' pairs are in different pages. */
static const char far_kernel[] =
    HEAD ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n) {\n"
         ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p;\n"
         "ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; ld.param.u32 %r0, [n];\n"
         "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n"
         "setp.eq.u32 %p, %r0, 0; @%p ret;\n"
         "mul.wide.u32 %d2, %r1, 1073741824; mul.wide.u32 %d3, %r2, 4; add.u64 %d2, %d2, %d3;\n"
         "add.u64 %d4, %d0, %d2; add.u64 %d5, %d1, %d2;\n"
         "ld.global.u32 %r3, [%d4]; st.global.u32 [%d5], %r3; atom.global.add.u32 %r4, [%d5], 1;\n"
         "mul.wide.u32 %d6, %r2, 65532; add.u64 %d4, %d4, %d6; add.u64 %d5, %d5, %d6;\n" /* pages are 64 KiB apart */
         "ld.global.v2.u32 {%r5, %r6}, [%d4+16]; st.global.v2.u32 [%d5+16], {%r6, %r5};\n"
         "ret; }\n";
START_TEST(large_objects_use_little_memory) {
    struct loaded l = load_text(far_kernel);
    enum { BLOCKS = 5, PERIOD = 4099 };
    const uint64_t bytes = (UINT64_C(1) << 30) * BLOCKS;
    static uint32_t pattern[PERIOD];
    for (uint32_t k = 0; k < PERIOD; k++) pattern[k] = 1000 + k;
    struct sim *s = sim_new(l.program, &(struct sim_options){.memory_limit = 8 << 20, .shuffle = true});
    const uint64_t in = sim_alloc(s, "in", bytes, SIM_READ_ONLY), out = sim_alloc(s, "out", bytes, 0);
    ck_assert(in && out && !sim_host(s, in) && sim_fill(s, in, bytes, pattern, sizeof pattern));
    uint32_t n = 7, zero = 0, got[4];
    const uint32_t sample[] = {3, 1};
    const void *params[] = {&in, &out, &n}, *idle[] = {&in, &out, &zero};
    for (unsigned others = 0; others < 2; others++) {
        struct sim_stats stats;
        ck_assert(sim_fill(s, out, bytes, "\xa5", 1));
        const struct sim_launch launch = {.kernel = "k",
                                          .grid = {BLOCKS, 1, 1},
                                          .block = {32, 1, 1},
                                          .params = params,
                                          .param_count = 3,
                                          .sample = sample,
                                          .sample_count = 2,
                                          .idle_params = others ? idle : NULL};
        ck_assert_int_eq(sim_launch(s, &launch, &stats, NULL), SIM_DONE);
        for (uint64_t b = 0; b < BLOCKS; b++)
            for (uint64_t t = 0; t < 32; t++) {
                const uint64_t at = (b << 30) + 4 * t, page = at + 65532 * t + 16;
                const bool ran = b == 1 || b == 3;
                ck_assert(sim_read(s, out + at, got, 4) && sim_read(s, out + page, got + 1, 8));
                const uint32_t first = ran ? 1000 + (uint32_t)(at / 4 % PERIOD) + 1 : 0xa5a5a5a5;
                ck_assert_msg(got[0] == first || t / 2 == 2 /* lane 0's pair is at this address */,
                              "block %u lane %u: %u, not %u", (unsigned)b, (unsigned)t, got[0], first);
                ck_assert_uint_eq(got[2], ran ? 1000 + (uint32_t)(page / 4 % PERIOD) : 0xa5a5a5a5);
                ck_assert_uint_eq(got[1], ran ? 1000 + (uint32_t)((page / 4 + 1) % PERIOD) : 0xa5a5a5a5);
            }
        ck_assert_uint_eq(stats.warp_instructions > 2 * 25, others);
    }
    sim_release(s, out);
    sim_free(s);
    unload(&l);
}
END_TEST
START_TEST(pages_count_toward_the_limit) {
    struct loaded l = load_text(far_kernel);
    struct sim *s = sim_new(l.program, &(struct sim_options){.memory_limit = 256 << 10});
    const uint64_t bytes = UINT64_C(1) << 31, in = sim_alloc(s, "in", bytes, 0), out = sim_alloc(s, "out", bytes, 0);
    uint32_t n = 7;
    struct sim_error error;
    const struct sim_launch launch = {.kernel = "k",
                                      .grid = {1, 1, 1},
                                      .block = {32, 1, 1},
                                      .params = (const void *const[]){&in, &out, &n},
                                      .param_count = 3};
    ck_assert(in && out && sim_launch(s, &launch, NULL, &error) == SIM_NO_MEMORY);
    ck_assert_ptr_nonnull(strstr(error.message, "memory"));
    ck_assert(!sim_fill(s, in, 1 << 20, "x", 1)); /* a part of an object: 1 MiB exceeds the limit */
    sim_free(s);
    unload(&l);
}
END_TEST

#define LOOP(test, rows) tcase_add_loop_test(tcase, test, 0, sizeof rows / sizeof *rows)
/* ---- which buffer an address may reach ------------------------------------------------------- */
/* %a and %b are two buffers, and %far is the distance between them. Each row computes the address %p of a load. */
static const struct {
    const char *what, *code;
    bool seen; /* whether the load is out of bounds, although its address is in the other buffer */
} reaches[] = {
    {"an index", "add.s64 %p, %a, %far;", true},
    {"an index that is scaled", "shr.u64 %i, %far, 2; mad.lo.s64 %p, %i, 4, %a;", true},
    {"a pointer that a loop advances", "mov.u64 %p, %a;\nL: add.s64 %p, %p, %far; setp.lo.u64 %c, %p, %b; @%c bra L;",
     true},
    {"a generic address", "cvta.global.u64 %i, %a; add.s64 %i, %i, %far; cvta.to.global.u64 %p, %i;", true},
    {"a call",
     "{ .param .b64 o; .param .b64 x; st.param.b64 [x], %a; call (o), f, (x); ld.param.b64 %p, [o]; }\n"
     "add.s64 %p, %p, %far;",
     true},
    {"the second buffer's own pointer", "mov.u64 %p, %b;", false},
    {"the distance between two pointers", "sub.s64 %i, %b, %a; add.s64 %p, %a, %i;", false},
    {"a selection between two pointers", "setp.ne.u32 %c, %tid.y, 0; selp.u64 %i, %b, %a, %c; add.s64 %p, %i, %far;",
     false},
    {"a pointer loaded from memory", "ld.global.u64 %i, [%b+8]; add.s64 %p, %i, %far;", false},
    {"a masked pointer", "and.b64 %i, %a, -16; add.s64 %p, %i, %far;", false},
};
static void note_fault(void *self, const struct sim_fault *e) {
    ck_assert_int_eq(e->kind, SIM_FAULT_BOUNDS);
    ck_assert_str_eq(e->object->name, "first");
    ck_assert(e->meant);
    ++*(unsigned *)self;
}
START_TEST(addresses_stay_in_their_buffer) {
    char text[3000];
    const uint64_t bytes = 256;
    snprintf(
        text, sizeof text,
        HEAD
        ".func (.param .b64 o) f(.param .b64 x) { .reg .b64 %%v; ld.param.b64 %%v, [x]; st.param.b64 [o], %%v; ret; }\n"
        ".entry k(.param .u64 first, .param .u64 second) {\n"
        ".reg .b64 %%a, %%b, %%far, %%i, %%p; .reg .b32 %%x; .reg .pred %%c;\n"
        "ld.param.u64 %%a, [first]; cvta.to.global.u64 %%a, %%a; ld.param.u64 %%b, [second]; mov.u64 %%far, %llu;\n"
        "%s\nld.global.u32 %%x, [%%p]; st.global.u32 [%%b], %%x; ret; }\n",
        (unsigned long long)(sim_after(0, bytes)), reaches[_i].code);
    struct loaded l = load_text(text);
    struct sim *s = sim_new(l.program, NULL);
    const uint64_t first = sim_alloc(s, "first", bytes, SIM_INITIALIZED),
                   second = sim_alloc(s, "second", bytes, SIM_INITIALIZED);
    ck_assert_uint_eq(second - first, sim_after(0, bytes));
    memcpy((char *)sim_host(s, second) + 8, &first, sizeof first);
    const struct sim_probe probe = {.name = "faults", .fault = note_fault};
    unsigned seen = 0;
    const struct sim_listener listener = {&probe, &seen};
    const void *params[] = {&first, &second};
    const struct sim_launch launch = {.kernel = "k",
                                      .grid = {1, 1, 1},
                                      .block = {1, 1, 1},
                                      .params = params,
                                      .param_count = 2,
                                      .listeners = &listener,
                                      .listener_count = 1};
    struct sim_error error;
    ck_assert_msg(sim_launch(s, &launch, NULL, &error) == SIM_DONE, "%s: %s", reaches[_i].what, error.message);
    ck_assert_msg(seen == reaches[_i].seen, "%s: %u faults", reaches[_i].what, seen);
    sim_free(s);
    unload(&l);
}
END_TEST

/* ---- a function with so many registers that they share rows ------------------------------------------- */
/* A loop with a chain of registers. Each register is computed from the one before: by a call, in some lanes, or in
 * all lanes. The loop reads `kept` only at its start, so `kept` is live through the whole loop. */
enum { CHAIN = 600, TURNS = 3, CALL_EACH = 25, BRANCH_EACH = 7 };
static void write_chain(FILE *f) {
    fprintf(f,
            "%s.func (.param .b32 o) twice(.param .b32 i) { .reg .b32 %%v; ld.param.b32 %%v, [i]; add.u32 %%v, %%v, "
            "%%v; st.param.b32 [o], %%v; ret; }\n"
            ".visible .entry k(.param .u64 out) {\n.reg .b32 %%t, %%kept, %%sum, %%turn, %%bit, %%r<%d>; .reg .b64 "
            "%%a, %%b; .reg .pred %%p;\nmov.u32 %%t, %%tid.x; mad.lo.u32 %%kept, %%t, 7, 1; mov.u32 %%sum, 0; "
            "mov.u32 %%turn, 0;\nagain:\nadd.u32 %%r0, %%kept, %%turn;\n",
            HEAD, CHAIN);
    for (unsigned k = 1; k < CHAIN; k++) {
        if (k % CALL_EACH == 0)
            fprintf(f,
                    "{ .param .b32 i%u; .param .b32 o%u; st.param.b32 [i%u], %%r%u; call.uni (o%u), twice, (i%u); "
                    "ld.param.b32 %%r%u, [o%u]; }\n",
                    k, k, k, k - 1, k, k, k, k);
        else
            fprintf(f, "mad.lo.u32 %%r%u, %%r%u, 3, %u;\n", k, k - 1, k);
        if (k % BRANCH_EACH == 0)
            fprintf(f,
                    "shr.u32 %%bit, %%t, %u; and.b32 %%bit, %%bit, 1; setp.eq.u32 %%p, %%bit, 0; @%%p bra skip%u;\n"
                    "xor.b32 %%r%u, %%r%u, %u;\nskip%u:\n",
                    k % 5, k, k, k, k, k);
    }
    fprintf(f,
            "add.u32 %%sum, %%sum, %%r%d; add.u32 %%turn, %%turn, 1; setp.lt.u32 %%p, %%turn, %d; @%%p bra again;\n"
            "ld.param.u64 %%a, [out]; mul.wide.u32 %%b, %%t, 4; add.u64 %%a, %%a, "
            "%%b;\nst.global.u32 [%%a], %%sum; ret; }\n",
            CHAIN - 1, TURNS);
}
static uint32_t chain_of(uint32_t t) {
    const uint32_t kept = 7 * t + 1;
    uint32_t sum = 0;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t x = kept + turn;
        for (unsigned k = 1; k < CHAIN; k++) {
            x = k % CALL_EACH == 0 ? 2 * x : 3 * x + k;
            if (k % BRANCH_EACH == 0 && t >> k % 5 & 1) x ^= k;
        }
        sum += x;
    }
    return sum;
}
/* At each instruction, look() counts the registers of the chain that it can read. Only those whose values are still
 * needed may be readable. */
struct shown {
    uint32_t first; /* %r0 */
    unsigned looks; /* number of instructions */
    unsigned most;  /* largest number of registers that were readable at an instruction */
    unsigned kept;  /* number of instructions at which %kept had the correct value */
};
static void look(void *context, const struct sim_watch *e) {
    struct shown *s = context;
    uint64_t value;
    unsigned shown = 0;
    if (e->mask != UINT32_MAX || sim_lane_function(e->warp, 0)->register_count < CHAIN) return;
    for (uint32_t k = 0; k < CHAIN; k++) shown += sim_lane_register(e->warp, 0, s->first + k, &value);
    if (shown > s->most) s->most = shown;
    s->looks++, s->kept += sim_lane_register(e->warp, 1, 1, &value) && value == 7 * (32 * e->where->warp + 1) + 1;
}
START_TEST(registers_share_rows) {
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    write_chain(f);
    fclose(f);
    struct loaded l = load_text(text);
    struct sim *s = sim_new(l.program, NULL);
    const uint64_t out = sim_alloc(s, "out", 64 * sizeof(uint32_t), SIM_INITIALIZED);
    static const struct sim_probe probe = {.name = "look", .watch = look};
    const struct ptx_function *k = l.module->functions[l.module->function_count - 1];
    struct shown shown = {.first = 4};
    ck_assert_str_eq(k->registers[1].name, "%kept");
    ck_assert_str_eq(k->registers[shown.first].name, "%r0");
    const struct sim_listener listener = {&probe, &shown};
    const void *params[] = {&out};
    const struct sim_launch launch = {.kernel = "k",
                                      .grid = {1, 1, 1},
                                      .block = {64, 1, 1},
                                      .params = params,
                                      .param_count = 1,
                                      .listeners = &listener,
                                      .listener_count = _i};
    struct sim_error error;
    ck_assert_msg(sim_launch(s, &launch, NULL, &error) == SIM_DONE, "%s", error.message);
    for (uint32_t t = 0; t < 64; t++) ck_assert_uint_eq(((const uint32_t *)sim_host(s, out))[t], chain_of(t));
    if (_i)
        ck_assert_msg(shown.looks && shown.most <= 6 && shown.kept + 40 > shown.looks,
                      "%u of %u show kept; at most %u registers", shown.kept, shown.looks, shown.most);
    sim_free(s);
    unload(&l);
    free(text);
}
END_TEST

/* ---- atomics that only read ------------------------------------------------------------------- */
static void take_reads(void *self, const struct sim_access *e) {
    if (e->kind == SIM_ATOMIC) *(uint32_t *)self = e->atomic_reads;
}
/* Memory contains 0. The first two instructions compare it with %t, which is 1 in odd lanes. Adding 0 is a mere read
 * if the 0 is a constant, but not if it is in a register. */
static const uint32_t reading_lanes[] = {0xa, 0xa, 0xf, 0};
static const char *const reads[] = {
    "atom.global.cas.b32 %x, [%a], %t, 7;",
    "cvt.u64.u32 %b, %t; mov.b128 %q, {%b, %c}; atom.relaxed.gpu.global.cas.b128 %q, [%a], %q, %q;",
    "atom.global.add.u32 %x, [%a], 0;",
    "atom.global.add.u32 %x, [%a], %t;",
};
START_TEST(atomics_that_only_read_are_reported) {
    char text[1000];
    snprintf(
        text, sizeof text,
        ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 to) {\n.reg .b32 %%t, %%x;\n"
        ".reg .b64 %%a, %%b, %%c;\n.reg .b128 %%q;\nmov.u64 %%c, 0;\nld.param.u64 %%a, [to]; mov.u32 %%t, %%tid.x;\n"
        "mul.wide.u32 %%b, %%t, 16; add.u64 %%a, %%a, %%b; and.b32 %%t, %%t, 1;\n%s\nret; }\n",
        reads[_i]);
    struct loaded l = load_text(text);
    struct sim *s = sim_new(l.program, NULL);
    const uint64_t to = sim_alloc(s, "to", 64, SIM_INITIALIZED);
    uint32_t lanes = 0;
    const struct sim_listener listener = {&(const struct sim_probe){.name = "reads", .access = take_reads}, &lanes};
    const struct sim_launch launch = {.kernel = "k",
                                      .grid = {1, 1, 1},
                                      .block = {4, 1, 1},
                                      .params = (const void *[]){&to},
                                      .param_count = 1,
                                      .listeners = &listener,
                                      .listener_count = 1};
    struct sim_error error;
    memset(sim_host(s, to), 0, 64);
    ck_assert_msg(sim_launch(s, &launch, NULL, &error) == SIM_DONE, "%s", error.message);
    ck_assert_uint_eq(lanes, reading_lanes[_i]);
    sim_free(s);
    unload(&l);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim");
    TCase *tcase = tcase_create("sim");
    tcase_set_timeout(tcase, 300);
    LOOP(device_printf, prints);
    tcase_add_loop_test(tcase, huge_field_widths_are_limited, 0, 5);
    tcase_add_test(tcase, host_memory);
    tcase_add_loop_test(tcase, registers_share_rows, 0, 2);
    tcase_add_test(tcase, large_objects_use_little_memory);
    tcase_add_test(tcase, pages_count_toward_the_limit);
    LOOP(launches_are_validated, launches);
    LOOP(atomics_that_only_read_are_reported, reads);
    LOOP(a_fault_ends_the_run, faults);
    tcase_add_test(tcase, a_time_limit_ends_a_loop);
    LOOP(addresses_stay_in_their_buffer, reaches);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
