/* Tests `./grade run` with buffers of many GiB and launches of many blocks: the output, the buffers before and after
 * the launch, and error messages. */
/* run: 10 s */
#include "base/random.h"
#include "tests/effort.h"
#include "tests/run_command.h"
#include "tests/suite.h"

/* Kernels. copy: out[i] = in[i], with 64-bit indices. look: the same where in[i] is 7. put: out[at] = v. add:
 * atomically adds *in to *out. narrow: out[(int)at] = 1. */
#define OVER_ALL(name, test)                                                                                           \
    ".visible .entry " name "(.param .u64 in, .param .u64 out, .param .u64 n)\n{\n"                                    \
    ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p;\n"                                                               \
    "ld.param.u64 %d0, [n]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"                       \
    "mul.wide.u32 %d1, %r0, %r1; cvt.u64.u32 %d2, %r2; add.u64 %d1, %d1, %d2;\n"                                       \
    "setp.ge.u64 %p, %d1, %d0; @%p ret;\n"                                                                             \
    "ld.param.u64 %d3, [in]; ld.param.u64 %d4, [out]; shl.b64 %d1, %d1, 2;\n"                                          \
    "add.u64 %d3, %d3, %d1; add.u64 %d4, %d4, %d1; ld.global.u32 %r3, [%d3];\n" test                                   \
    "st.global.u32 [%d4], %r3; ret;\n}\n"
static const char kernels[] = ".version 7.0\n.target sm_75\n.address_size 64\n" OVER_ALL("copy", "") OVER_ALL(
    "look",
    "setp.ne.u32 %p, %r3, 7; @%p ret;\n") ".visible .entry put(.param .u64 out, .param .u64 at, .param .u32 v)\n{\n"
                                          ".reg .b64 %d<4>; .reg .b32 %r;\n"
                                          "ld.param.u64 %d0, [out]; ld.param.u64 %d1, [at]; ld.param.u32 %r, [v]; "
                                          "shl.b64 %d1, %d1, 2;\n"
                                          "add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r; ret;\n}\n"
                                          ".visible .entry narrow(.param .u64 out, .param .u64 at)\n{\n.reg .b64 "
                                          "%d<4>; .reg .b32 %r;\n"
                                          "ld.param.u64 %d0, [out]; ld.param.u64 %d1, [at]; cvt.u32.u64 %r, %d1; "
                                          "mul.wide.s32 %d1, %r, 4;\n"
                                          "add.u64 %d0, %d0, %d1; mov.u32 %r, 1; st.global.u32 [%d0], %r; ret;\n}\n"
                                          ".visible .entry add(.param .u64 out, .param .u64 in)\n{\n.reg .b64 %d<4>; "
                                          ".reg .b32 %r;\n"
                                          "ld.param.u64 %d0, [out]; ld.param.u64 %d1, [in]; ld.global.u32 %r, [%d1]; "
                                          "red.global.add.u32 [%d0], %r; "
                                          "ret;\n}\n";
static char path[] = "/tmp/check-buffers-XXXXXX.ptx";
static struct result run_kernel(const char *words) {
    char all[600];
    snprintf(all, sizeof all, "%s %s", path, words);
    return run(all, "");
}

/* ---- commands ------------------------------------------------------------------------------- */
#define COPY "copy --grid 8388609 --block 256 --arg int[2147483655]:"
#define COPIED " --arg int[2147483655]:out --arg 2147483655"
static const struct {
    const char *words;
    int status;
    /* A text that the output must contain, and one that must not occur in the output before the counts. If status >=
     * 2, the output is standard error. */
    const char *there, *missing;
} commands[] = {
    /* indices above 2^31 and 2^32, with every fill */
    {COPY "iota" COPIED " --blocks 8388608", 0,
     "  arg1  int[2147483655]:iota\n  arg2  int[2147483655]:out   7 of 2147483655 written\n"
     "      [2147483648] -2147483648 -2147483647 -2147483646 -2147483645 -2147483644\n"
     "      [2147483653] -2147483643 -2147483642\n",
     "..."},
    {COPY "5" COPIED " --blocks last", 0, "grid 8388609, block 256, of which block last\n", "?"},
    {COPY "5" COPIED " --blocks last", 0, "      [2147483648] 5 5 5 5 5 5 5\n", NULL},
    {COPY "zero" COPIED " --blocks 0-1,8388608,last,1 --print 2", 0, "of which blocks 0-1,8388608,last,1\n", NULL},
    {COPY "zero" COPIED " --blocks 0-1,8388608,last,1 --print 2", 0,
     "519 of 2147483655 written\n      [0] 0 0\n      ...\n      [2147483653] 0 0\n", NULL},
    {COPY "small" COPIED " --blocks 3 --print 2", 0, "  Steps of block 3\n", NULL},
    {COPY "random" COPIED " --blocks 3,last --print 4", 0, "263 of 2147483655 written\n      [768] ", NULL},
    {"put --block 1 --arg u32[4294967303]:iota --arg 4294967302 --arg 9", 0,
     "1 of 4294967303 written\n      [4294967302] 9\n", "?"},
    {"put --block 1 --arg u32[4294967303]:out --arg 4294967303 --arg 9", 1, "arg1[4294967303], ", NULL},
    {"narrow --block 1 --arg int[4294967303]:out --arg 2147483647", 0, "      [2147483647] 1\n", NULL},
    {"narrow --block 1 --arg int[4294967303]:out --arg 2147483648", 1,
     "arg1[-2147483648], 8589934592 bytes before the start of", "written"},
    {"narrow --block 1 --arg int[4294967303]:out --arg 4294967296", 0, "      [0] 1\n", NULL},
    {"put --block 1 --arg f64[8589934592]:1 --arg 17179869183 --arg 0", 0, "1 of 8589934592 written\n", NULL},
    /* larger than allowed */
    {"put --block 1 --arg f64[8589934593]:1 --arg 0 --arg 0", 2,
     "a buffer has at most 64 GiB, which is 8589934592 elements of f64: give it fewer", NULL},
    {"put --block 1 --arg i8[300000000]:@/dev/null --arg 0 --arg 0", 2,
     "a buffer filled from a file can hold at most 256 MiB: use another fill", NULL},
    {COPY "zero" COPIED, 2,
     "8388609 blocks of 8 warps: at least 603979848 warp-instructions, more than the budget of 268435456; the "
     "simulator takes about 1 minute for that.\nRun only some of the blocks, for example with --blocks 0,last; "
     "or use a smaller grid, if each thread takes several elements; or give a --budget above 603979848",
     NULL},
    {COPY "zero" COPIED " --blocks 0 --budget 71", 2, "1 block of 8 warps: at least 72 ", NULL},
    {"copy --grid 4 --block 32 --arg int[128]:0 --arg int[128]:out --arg 128 --budget 40", 1,
     "of block 2 still executed this line when the instruction\n      budget was used up; 2 of 4 blocks had ended",
     NULL},
    {COPY "zero" COPIED " --blocks 0 --budget 200", 0, "256 of 2147483655 written", NULL},
    /* --blocks */
    {COPY "zero" COPIED " --blocks 8388609", 2,
     "--blocks takes a list of blocks of the grid from 0 to 8388608, such as 0-3,7,last, not `8388609`", NULL},
    {COPY "zero" COPIED " --blocks 3-1", 2, "--blocks takes a list of blocks", NULL},
    {COPY "zero" COPIED " --blocks 3,", 2, "--blocks takes a list of blocks", NULL},
    {COPY "zero" COPIED " --blocks -1", 2, "--blocks takes a list of blocks", NULL},
    {COPY "zero" COPIED " --blocks first", 2, "--blocks takes a list of blocks", NULL},
    {COPY "zero" COPIED " --blocks 0-4096", 2, "--blocks takes at most 4096 blocks", NULL},
    {COPY "zero" COPIED " --blocks 0-4095,7", 2, "--blocks takes at most 4096 blocks", NULL},
    {COPY "zero" COPIED " --blocks 1-last", 2, "--blocks takes at most 4096 blocks", NULL},
    {COPY "zero" COPIED " --blocks 0 --cooperative", 2, "--blocks and --cooperative cannot be combined", NULL},
    {COPY "zero" COPIED " --blocks 0 --hardware", 2, "--blocks and --hardware cannot be combined", NULL},
    {COPY "zero" COPIED " --blocks 0 --device cuda", 2, "--blocks needs the simulator: device cuda runs all", NULL},
    {"put --grid 65536x32768 --blocks 0 --arg null --arg 0 --arg 0", 2, "--blocks needs a grid of less than 2^31",
     NULL},
};
START_TEST(commands_have_expected_output) {
    struct result r = run_kernel(commands[_i].words);
    const char *text = commands[_i].status < 2 ? r.out : r.err, *arguments = strstr(text, "Counts of the launch");
    ck_assert_msg(r.status == commands[_i].status, "%s: status %d\n%s%s", commands[_i].words, r.status, r.out, r.err);
    ck_assert_msg(strstr(text, commands[_i].there) != NULL, "%s: no `%s` in\n%s", commands[_i].words,
                  commands[_i].there, text);
    const char *wrong = commands[_i].missing ? strstr(text, commands[_i].missing) : NULL;
    ck_assert_msg(!wrong || (arguments && wrong > arguments), "%s: `%s` in\n%s", commands[_i].words,
                  commands[_i].missing, text);
    release(&r);
}
END_TEST

/* ---- contents of a buffer ------------------------------------------------------------------- */
static struct run_argument parsed(const char *text) {
    static const struct ptx_variable pointer = {.type = PTX_U64, .size = 8};
    struct run_argument a = {.text = NULL};
    uint64_t random = 77;
    char message[300];
    ck_assert_msg(run_argument_parse(&a, text, &pointer, &random, message, sizeof message), "%s: %s", text, message);
    return a;
}
/* Computes element k of a buffer with this fill, as docs/run.md specifies. */
static double value_of(const char *fill, const char *type, uint64_t k) {
    uint64_t state = 77;
    const bool is_float = *type == 'f';
    if (!strcmp(fill, "iota")) return is_float ? (float)k : (double)(int32_t)(uint32_t)k;
    if (!strcmp(fill, "small")) return (double)((k * 2654435761u >> 13) % 17);
    if (strcmp(fill, "random") != 0) return 3;
    state += k * UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t r = random_next(&state);
    return is_float ? (float)((double)(int64_t)(r >> 40) / (1 << 23) - 1) : (double)((int64_t)(r % 201) - 100);
}
static const char *const fills[] = {"iota", "small", "random", "3"}, *const types[] = {"i32", "f32"};
static const uint64_t places[] = {0, 1, 4095, 4096, UINT64_C(0x7fffffff), UINT64_C(0x80000001), UINT64_C(0x100000006)};
START_TEST(large_and_small_buffers_have_the_same_contents) {
    const char *fill = fills[_i / 2], *type = types[_i % 2];
    char text[80];
    for (unsigned large = 0; large < 2; large++) {
        snprintf(text, sizeof text, "%s[%s]:%s", type, large ? "4294967303" : "5000", fill);
        struct run_argument a = parsed(text);
        ck_assert(run_buffer_is_large(&a) == large);
        for (unsigned k = 0; k < sizeof places / sizeof *places && places[k] < a.count; k++) {
            json_t *v = run_buffer_value(&a, places[k]);
            ck_assert_msg(json_number_value(v) == value_of(fill, type, places[k]), "%s: [%llu] is %g", text,
                          (unsigned long long)places[k], json_number_value(v));
            json_decref(v);
        }
        uint8_t two[8];
        const struct sim_maker m = run_buffer_maker(&a);
        m.make(m.context, 4 * 4095, 8, two);
        int32_t got;
        memcpy(&got, two + 4, 4);
        ck_assert(*type == 'f' || got == (int32_t)value_of(fill, type, 4096));
        run_argument_free(&a);
    }
}
END_TEST

/* ---- contents after the launch --------------------------------------------------------------- */
enum { ADDRESS = 4096 };
/* Device memory with a buffer's initial contents, but `count` elements at the indices at[] have changed. */
struct changed {
    struct run_argument *was;
    uint64_t at[3];
    unsigned count, reads;
};
static enum device_status reads(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e) {
    struct changed *c = self;
    const struct sim_maker m = run_buffer_maker(c->was);
    (void)e;
    m.make(m.context, address - ADDRESS, bytes, to);
    for (unsigned k = 0; k < c->count; k++)
        if (ADDRESS + 4 * c->at[k] >= address && ADDRESS + 4 * c->at[k] < address + bytes)
            memcpy((char *)to + ADDRESS + 4 * c->at[k] - address, &(int32_t){-1 - (int32_t)k}, 4);
    c->reads++;
    return DEVICE_OK;
}
/* Tests a device that reports which elements were written, so that only these are read back (_i = 1), and a device
 * that does not (_i = 0). */
START_TEST(changed_elements_are_found) {
    struct run_argument a = parsed("int[20000007]:iota");
    struct changed c = {&a, {7, 12345678, 20000006}, 3, 0};
    const struct device_memory memory = {&c, reads};
    for (unsigned k = 0; _i && k < 3; k++) run_buffer_write(&a, c.at[k], c.at[k]);
    run_buffer_take(&a, ADDRESS, _i, &memory);
    ck_assert_uint_eq(run_buffer_written(&a), 3);
    if (_i) ck_assert_uint_eq(c.reads, 3);
    json_t *spans = run_buffer_spans(&a, 1, 5);
    char *text = json_dumps(spans, JSON_COMPACT);
    ck_assert_str_eq(text, "[{\"at\":12345678,\"values\":[-2]},{\"at\":20000006,\"values\":[-3]}]");
    free(text);
    json_decref(spans);
    const uint64_t digest = run_buffer_digest(&a);
    run_buffer_forget(&a);
    ck_assert_uint_eq(run_buffer_written(&a), 0);
    const uint64_t before = run_buffer_digest(&a);
    ck_assert(digest != before);
    run_buffer_write(&a, 8, 9); /* the old value restores the old digest */
    c.count = 0, run_buffer_take(&a, ADDRESS, true, &memory);
    ck_assert_uint_eq(run_buffer_digest(&a), before);
    run_argument_free(&a);
}
END_TEST

/* ---- host memory ------------------------------------------------------------------------------ */
static void numbers(void *context, uint64_t offset, uint64_t bytes, void *to) {
    ++*(unsigned *)context;
    for (uint64_t k = 0; k < bytes; k += 8) memcpy((char *)to + k, &(uint64_t){(offset + k) * 3}, 8);
}
/* Pages with computed contents are computed again after the simulator has evicted them. Written pages are kept and
 * count toward the limit. */
START_TEST(evicted_pages_are_computed_again) {
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(kernels, strlen(kernels), "kernels", &e);
    struct sim_error error;
    struct sim_program *p = sim_program_new(m, &error);
    const uint64_t pages = 20000, page = 16384, bytes = pages * page - 8;
    struct sim *s = sim_new(p, &(struct sim_options){.memory_limit = 3 * page});
    const uint64_t at = sim_alloc(s, "in", bytes, 0);
    unsigned made = 0;
    uint64_t value;
    ck_assert(at && sim_make(s, at, (struct sim_maker){numbers, &made}) && !made);
    for (unsigned k = 0; k < 3; k++) ck_assert(sim_write(s, at + k * 9000 * page + 64, &(uint64_t){k}, 8));
    ck_assert(!sim_write(s, at + 5 * page, "x", 1)); /* the page limit is three */
    for (unsigned round = 0; round < 2; round++)
        for (uint64_t k = 0; k < pages; k++) {
            const uint64_t of = k * page + 64;
            ck_assert(sim_read(s, at + of, &value, 8) && value == (k % 9000 ? of * 3 : k / 9000));
            ck_assert(sim_read(s, at + of + 8, &value, 8) && value == (of + 8) * 3);
        }
    ck_assert(sim_read(s, at + bytes - 8, &value, 8) && value == (bytes - 8) * 3 && made > pages);
    const uint64_t small = sim_alloc(s, "small", 64, 0);
    ck_assert(!small); /* the limit has been reached */
    ck_assert(sim_fill(s, at, bytes, "\0\0\0\0\0\0\0\1", 8) && (at & 7) == 0);
    ck_assert(sim_read(s, at + 9000 * page + 64, &value, 8) && value == UINT64_C(1) << 56);
    ck_assert(sim_alloc(s, "small", 64, 0)); /* pages that a fill replaces no longer count toward the limit */
    ck_assert(!sim_alloc(s, "copied", 8 * page, SIM_READ_ONLY));
    const uint64_t repeats = sim_alloc(s, "repeats", 8 * page, SIM_READ_ONLY | SIM_REPEATS);
    ck_assert(repeats && sim_fill(s, repeats, 8 * page, "abc", 3)); /* stored once, so it fits */
    ck_assert(sim_read(s, repeats + 7 * page, &value, 3) && !memcmp(&value, &"abcabc"[7 * page % 3], 3));
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
}
END_TEST
/* Lanes read elements of a large buffer that are far apart. The buffer's contents repeat with one of several
 * periods. Before each launch, the test overwrites an element that a lane reads. */
static const char far_apart[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry far(.param .u64 in, .param .u64 out, .param .u64 "
    "n)\n{\n"
    ".reg .b64 %d<5>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %d0, [n]; ld.param.u64 %d3, [in]; ld.param.u64 %d4, [out]; mov.u32 %r0, %tid.x;\n"
    "cvt.u64.u32 %d1, %r0; mul.lo.u64 %d0, %d0, %d1; add.u64 %d3, %d3, %d0; shl.b64 %d1, %d1, 2; add.u64 %d4, %d4, "
    "%d1;\n"
    "ld.global.u32 %r1, [%d3]; st.global.u32 [%d4], %r1; ret;\n}\n";
static const uint32_t lengths[] = {1, 3, 1023, 1024, 40961}; /* the periods of the contents, in elements */
START_TEST(distant_lanes_read_repeated_contents) {
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(far_apart, strlen(far_apart), "far", &e);
    ck_assert_msg(m, "%s", e.message);
    struct sim_error error;
    struct sim_program *p = sim_program_new(m, &error);
    struct sim *s = sim_new(p, &(struct sim_options){0});
    enum { LANES = 32, STRIDE = (SIM_LARGE / LANES + 4) & ~3, BYTES = LANES * STRIDE, MARKED = 1 << 30 };
    static uint32_t pattern[40961];
    const uint64_t in = sim_alloc(s, "in", BYTES, 0), out = sim_alloc(s, "out", 4 * LANES, 0), stride = STRIDE;
    for (uint32_t k = 0; k < lengths[_i]; k++) pattern[k] = k * 7919;
    ck_assert(in && out && sim_fill(s, in, BYTES, pattern, (uint64_t)lengths[_i] * 4));
    /* lanes whose elements the test overwrites, in this order */
    static const unsigned order[] = {LANES - 1, LANES - 2, 5};
    bool marked[LANES] = {false};
    for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
        uint32_t got[LANES];
        const struct sim_launch launch = {.kernel = "far",
                                          .grid = {1, 1, 1},
                                          .block = {LANES, 1, 1},
                                          .params = (const void *const[]){&in, &out, &stride},
                                          .param_count = 3};
        ck_assert(sim_write(s, in + order[k] * stride, &(uint32_t){MARKED + order[k]}, 4));
        marked[order[k]] = true;
        ck_assert_int_eq(sim_launch(s, &launch, NULL, &error), SIM_DONE);
        ck_assert(sim_read(s, out, got, sizeof got));
        for (unsigned l = 0; l < LANES; l++)
            ck_assert_uint_eq(got[l], marked[l] ? MARKED + l : pattern[l * stride / 4 % lengths[_i]]);
    }
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
}
END_TEST
/* If the accesses that probes record exceed the memory limit, the launch ends with advice. */
START_TEST(probes_keep_no_more_than_the_limit) {
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(kernels, strlen(kernels), "kernels", &e);
    struct sim_error error;
    struct sim_program *p = sim_program_new(m, &error);
    struct sim *s = sim_new(p, &(struct sim_options){.memory_limit = 1 << 20, .cores = _i ? 4 : 1});
    struct measurement measured;
    const uint64_t bytes = 4 << 20;
    const uint64_t in = sim_alloc(s, "in", SIM_LARGE, SIM_INITIALIZED | SIM_READ_ONLY),
                   from = sim_alloc(s, "from", SIM_LARGE, SIM_INITIALIZED), out = sim_alloc(s, "out", bytes / 16, 0);
    ck_assert(in && from && out && sim_fill(s, in, SIM_LARGE, "x", 1) && sim_fill(s, from, SIM_LARGE, "x", 1));
    for (unsigned k = 0; k < 2; k++) {
        measure_begin(&measured, MEASURE_ALL);
        const struct sim_parts parts = measure_parts(&measured);
        const uint64_t source = k ? from : in, n = bytes / 4;
        const void *params[] = {&source, k ? &source : &out, k ? &n : &(uint64_t){bytes / 64}};
        const struct sim_launch launch = {.kernel = "look",
                                          .grid = {bytes / 4 / 256, 1, 1},
                                          .block = {256, 1, 1},
                                          .params = params,
                                          .param_count = 3,
                                          .listeners = measured.listeners,
                                          .listener_count = measured.listener_count,
                                          .parts = &parts};
        const enum sim_status status = sim_launch(s, &launch, NULL, &error);
        ck_assert_int_eq(status, k ? SIM_NO_MEMORY : SIM_DONE);
        ck_assert(!k || strstr(error.message, "more than 1 MiB: add const to buffers that the kernel only reads"));
        measure_free(&measured);
    }
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
}
END_TEST

/* On several cores, parts of a launch read computed contents in parallel. */
START_TEST(parts_read_computed_pages) {
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(kernels, strlen(kernels), "kernels", &e);
    struct sim_error error;
    struct sim_program *p = sim_program_new(m, &error);
    struct sim *s = sim_new(p, &(struct sim_options){.cores = 4});
    struct sim_stats stats;
    enum { N = 1 << 18 };
    static uint32_t got[N];
    unsigned made = 0;
    const uint64_t in = sim_alloc(s, "in", SIM_LARGE, 0), out = sim_alloc(s, "out", sizeof got, 0), n = N;
    ck_assert(in && out && sim_make(s, in, (struct sim_maker){numbers, &made}));
    const struct sim_launch launch = {.kernel = "copy",
                                      .grid = {N / 256, 1, 1},
                                      .block = {256, 1, 1},
                                      .params = (const void *const[]){&in, &out, &n},
                                      .param_count = 3};
    for (unsigned k = 0; k < 2; k++) { /* before the second launch, a page is written */
        ck_assert_int_eq(sim_launch(s, &launch, &stats, &error), SIM_DONE);
        ck_assert_uint_eq(stats.parts, k ? 1 : 4);
        ck_assert(sim_read(s, out, got, sizeof got));
        for (uint32_t w = k ? 2 : 0; w < N; w++) ck_assert_uint_eq(got[w], w % 2 ? 0 : 12 * w);
        ck_assert(!k || got[0] == 5);
        ck_assert(sim_write(s, in, &(uint64_t){5}, 8));
    }
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
}
END_TEST

/* ---- number of cores ------------------------------------------------------------------------ */
/* The report must not depend on the number of cores. The rows have independent blocks, blocks that write the same
 * address, a finding, and atomics. */
static const char *const on_cores[] = {
    "copy --grid 512 --block 256 --arg int[131072]:random --arg int[131072]:out --arg 131072",
    "copy --grid 512 --block 256 --arg int[99999999]:random --arg int[131000]:out --arg 131072",
    "narrow --grid 512 --block 64 --arg int[99]:out --arg 7",
    "put --grid 512 --block 64 --arg int[9]:zero --arg 9 --arg 1",
    "add --grid 512 --block 64 --arg int[1]:zero --arg int[1]:7",
    "add --grid 512 --block 64 --arg int[1]:out --arg int[1]:7",
};
START_TEST(results_do_not_depend_on_cores) {
    char words[400];
    struct result one = {.status = -1};
    for (unsigned cores = 1; cores < 12; cores += 5) {
        snprintf(words, sizeof words, "%s --json - --cores %u", on_cores[_i], cores);
        struct result r = run_kernel(words);
        ck_assert_msg(r.status == 0 || r.status == 1, "%s: %d %s", words, r.status, r.err);
        if (cores == 1) {
            one = r;
            continue;
        }
        ck_assert_int_eq(r.status, one.status);
        ck_assert_str_eq(r.out, one.out);
        release(&r);
    }
    release(&one);
}
END_TEST

int main(void) {
    Suite *s = suite_create("buffers");
    TCase *t = tcase_create("buffers");
    const int fd = mkstemps(path, 4);
    if (write(fd, kernels, strlen(kernels)) != (ssize_t)strlen(kernels)) return 1;
    close(fd);
    tcase_set_timeout(t, 300);
    add_rows(t, commands_have_expected_output, sizeof commands / sizeof *commands, effort(1, 3));
    add_rows(t, large_and_small_buffers_have_the_same_contents, 8, effort(1, 2));
    tcase_add_loop_test(t, changed_elements_are_found, 0, 2);
    tcase_add_test(t, evicted_pages_are_computed_again);
    add_rows(t, distant_lanes_read_repeated_contents, sizeof lengths / sizeof *lengths, effort(1, 2));
    tcase_add_loop_test(t, probes_keep_no_more_than_the_limit, 0, 2);
    tcase_add_test(t, parts_read_computed_pages);
    tcase_add_loop_test(t, results_do_not_depend_on_cores, 0, (int)effort(sizeof on_cores / sizeof *on_cores, 2));
    suite_add_tcase(s, t);
    const int failed = suite_failures(s);
    unlink(path);
    return failed ? 1 : 0;
}
