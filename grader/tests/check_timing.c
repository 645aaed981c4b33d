/* Tests timing on a fake GPU, whose kernels are rows of a table and whose clock is a number. With GPU=1, tests
 * timing on a real GPU, with the kernels in grader/tests/timing_kernels/. */
/* run: 10 s, gpu alone */
/* reads: grader/tests/timing_kernels common labs solutions */
#include "base/narrow.h"
#include "base/random.h"
#include "device/execute.h"
#include "judge/timing.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct compiler *compiler;
static char root[4096];

/* ---- a fake GPU ---------------------------------------------------------------------------------- */
/* The fake GPU uses the host's memory. Inputs have no elements: the kit's kernel that generates an input passes only
 * the total to the other kernels. */
struct device_module {
    enum { KIT, STUDENTS, REFERENCES } kind;
};
struct memory { /* memory of a run */
    const struct device_run *run;
    void *buffers[64];
    unsigned count, launches[3]; /* number of launches of each module in this run */
};
enum way {
    RIGHT,
    KEEPS,   /* returns the total of its first launch again */
    ONCE,    /* writes only in its first launch */
    SKIPS,   /* skips the last element */
    LEFT,    /* mixes its total with the total of the launch before */
    THIRD,   /* returns a wrong result in its third launch */
    FAULTS,  /* causes a fault in its second launch */
    HANGS,   /* does not end in its fourth launch */
    SPILLS,  /* writes outside a buffer */
    FULL,    /* no memory is left during the measurement */
    NO_ROOM, /* no memory is available */
    BROKEN,  /* the reference is wrong */
    UNKNOWN, /* the device's properties are unknown */
};
static struct {
    enum way way;
    double factor, noise, us; /* the student's time divided by the reference's; noise; the reference's time */
    uint64_t in, poisoned[2]; /* address of the last generated input; range overwritten with poison */
    int32_t total, first, before;
    bool arrays; /* whether results are arrays, as in a scan */
    bool started, reset, flushed, hangs;
    unsigned opened[3], runs, moved, student_first;
    enum { NONE, SOMEBODY, STUDENT } last;
    double ns;
    uint64_t random;
} gpu;

static double unit(void) { /* 0 to 1 */
    return (double)(random_next(&gpu.random) >> 11) * 0x1p-53;
}
static enum device_status says(struct device_error *e, enum device_status status, const char *text) {
    snprintf(e->message, sizeof e->message, "%s", text);
    return status;
}
static enum device_status fake_describe(struct device_traits *t, struct device_error *e) {
    if (gpu.way == UNKNOWN) return says(e, DEVICE_ABSENT, "no driver found");
    *t = (struct device_traits){"a made-up GPU", 4, 1536, gpu.way == NO_ROOM ? 1 << 20 : UINT64_C(640) << 20, 100};
    return DEVICE_OK;
}
static enum device_status fake_load(const char *ptx, size_t length, const char *name, struct device_module **m,
                                    struct device_error *e) {
    static struct device_module kit = {KIT};
    (void)ptx, (void)length, (void)name, (void)e;
    return *m = &kit, DEVICE_OK;
}
static void fake_unload(struct device_module *m) { (void)m; }
static enum device_status fake_alloc(void *self, const char *name, uint64_t bytes, unsigned flags, uint64_t *address,
                                     struct device_error *e) {
    struct memory *m = self;
    (void)name, (void)flags, (void)e;
    ck_assert(m->count < 64);
    void *new = m->buffers[m->count++] = malloc(bytes);
    *address = (uint64_t)(uintptr_t) new;
    if (bytes < 1 << 20) memset(new, DEVICE_POISON, bytes); /* in a large buffer, this would allocate many pages */
    return DEVICE_OK;
}
static void *at(uint64_t address) { return (void *)(uintptr_t)address; }
static enum device_status fake_write(void *self, uint64_t address, const void *from, uint64_t bytes,
                                     struct device_error *e) {
    (void)self, (void)e;
    memcpy(at(address), from, bytes);
    return DEVICE_OK;
}
static enum device_status fake_read(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e) {
    (void)self, (void)e;
    ck_assert(!gpu.started);
    memcpy(to, at(address), bytes);
    return DEVICE_OK;
}
static void kit_kernel(const struct device_launch *l) {
    const uint64_t first = *(const uint64_t *)l->params[0];
    if (strstr(l->kernel, "timing_draw")) {
        int32_t *partial = at(*(const uint64_t *)l->params[1]);
        ck_assert(!l->queued);
        gpu.moved += first != gpu.in;
        gpu.in = first, gpu.total = 0, gpu.flushed = gpu.reset = false;
        gpu.poisoned[0] = gpu.poisoned[1] = 0;
        for (uint32_t k = 0; k < l->grid[0]; k++) /* any values: nothing uses the elements */
            gpu.total += partial[k] = (int32_t)(unit() * 1e9);
    } else if (strstr(l->kernel, "timing_fill")) {
        ck_assert_uint_eq(*(const uint32_t *)l->params[2], 0xa5a5a5a5);
        gpu.poisoned[0] = first, gpu.poisoned[1] = first + 4 * (uint64_t) * (const uint32_t *)l->params[1];
    } else if (!l->queued) { /* the kernel reads an array, which puts it into device memory */
        ck_assert(gpu.arrays && strstr(l->kernel, "timing_read") && *(const uint32_t *)l->params[2] == 0);
        gpu.flushed = gpu.reset = false;
    } else {
        ck_assert(strstr(l->kernel, "timing_read") && *(const uint32_t *)l->params[2] == 16 << 20);
        gpu.flushed = true;
    }
}
/* Runs scan(in, out, n). The student's version fails as gpu.way says. */
static enum device_status scan(const struct device_launch *l, bool student, unsigned launch, struct device_error *e) {
    const uint32_t *in = at(*(const uint64_t *)l->params[0]);
    uint32_t *out = at(*(const uint64_t *)l->params[1]), n = *(const uint32_t *)l->params[2], sum = 0;
    if (student && gpu.way == FAULTS && launch == 2)
        return says(e, DEVICE_SUBMISSION, "the kernel used an illegal address");
    if (student && gpu.way == ONCE && launch > 1) return DEVICE_OK;
    for (uint32_t k = 0; k < n; k++) out[k] = sum += in[k];
    if (student && (gpu.way == SKIPS || (gpu.way == THIRD && launch == 3))) out[n - 1]--;
    if (!student && gpu.way == BROKEN) out[0]++;
    return DEVICE_OK;
}
static enum device_status students(unsigned launch, int32_t *out, struct device_error *e) {
    const int32_t before = gpu.before;
    gpu.before = gpu.total;
    if (launch == 1) gpu.first = gpu.total;
    gpu.hangs = gpu.way == HANGS && launch == 4;
    if (gpu.way == FAULTS && launch == 2) return says(e, DEVICE_SUBMISSION, "the kernel used an illegal address");
    if (gpu.way == FULL && launch == 4) return says(e, DEVICE_SETUP, "not enough memory on the GPU for the launch");
    if (gpu.way == ONCE && launch > 1) return DEVICE_OK;
    *out = gpu.way == KEEPS                ? gpu.first
           : gpu.way == LEFT && launch > 1 ? gpu.total ^ ((before & 0xff) | 1)
                                           : gpu.total - (gpu.way == SKIPS || (gpu.way == THIRD && launch == 3));
    return DEVICE_OK;
}
static enum device_status fake_launch(void *self, const struct device_launch *l, struct device_error *e) {
    struct memory *m = self;
    const int kind = m->run->module[l->module]->kind;
    m->launches[kind]++;
    if (kind == KIT) return kit_kernel(l), DEVICE_OK;
    const bool student = kind == STUDENTS;
    ck_assert(l->queued && gpu.started && gpu.flushed && gpu.reset);
    gpu.ns = 1000 * gpu.us * (student ? gpu.factor : 1) * (1 + gpu.noise * (2 * unit() - 1));
    if (gpu.arrays) return scan(l, student, m->launches[kind], e);
    const uint64_t out = *(const uint64_t *)l->params[2];
    int32_t *total = at(out);
    ck_assert_uint_eq(*(const uint64_t *)l->params[0], gpu.in);
    /* the result's location was overwritten after the input was generated, so no cache holds the total */
    ck_assert(out >= gpu.poisoned[0] && out + 4 <= gpu.poisoned[1]);
    memset(total, DEVICE_POISON, sizeof *total);
    gpu.student_first += student && gpu.last == SOMEBODY; /* a pair may begin with either of its two runs */
    gpu.last = student ? STUDENT : SOMEBODY;
    gpu.runs++;
    if (student) return students(m->launches[kind], total, e);
    *total = gpu.total + (gpu.way == BROKEN);
    return DEVICE_OK;
}
static enum device_status fake_reset(void *self, struct device_error *e) {
    (void)self, (void)e;
    gpu.reset = true;
    return DEVICE_OK;
}
static enum device_status fake_start(void *self, struct device_error *e) {
    (void)self, (void)e;
    gpu.started = true;
    return DEVICE_OK;
}
static enum device_status fake_stop(void *self, double *nanoseconds, struct device_error *e) {
    (void)self;
    ck_assert(gpu.started);
    gpu.started = false;
    *nanoseconds = gpu.ns;
    if (gpu.hangs) return says(e, DEVICE_SUBMISSION, "the kernel does not end: it was still running after 10 seconds");
    if (gpu.way == SPILLS) return says(e, DEVICE_SUBMISSION, "the kernel wrote past the end of buffer `out`");
    return DEVICE_OK;
}
static void fake_run(struct device_run *runs, unsigned count) {
    static const struct device_hands hands = {.alloc = fake_alloc,
                                              .write = fake_write,
                                              .read = fake_read,
                                              .launch = fake_launch,
                                              .reset = fake_reset,
                                              .start = fake_start,
                                              .stop = fake_stop};
    struct memory m = {.run = runs};
    ck_assert_uint_eq(count, 1);
    for (unsigned k = 0; k < 3; k++) gpu.opened[runs->module[k]->kind]++;
    device_execute(runs, &hands, &m);
    for (unsigned k = 0; k < m.count; k++) free(m.buffers[k]);
}
static const struct device fake = {.name = "fake",
                                   .times = true,
                                   .load = fake_load,
                                   .unload = fake_unload,
                                   .run = fake_run,
                                   .describe = fake_describe};

static const struct {
    enum way way;
    double factor, noise, us;
    enum timing_end end;
    const char *text; /* part of the message */
} rows[] = {
    {RIGHT, 1, .005, 700, TIMING_QUIET, "measured on a made-up GPU: "},
    {RIGHT, 1.5, .01, 800, TIMING_QUIET, "measured on a made-up GPU: 1."},
    {RIGHT, 1, .05, 900, TIMING_QUIET, "times the reference's time ("},
    {RIGHT, 1, .3, 2000, TIMING_NOISY, "too noisy on a made-up GPU to be graded by time: "},
    {KEEPS, 1, .01, 700, TIMING_REFUSED, "launch 2 returned a stale result"},
    {ONCE, 1, .01, 700, TIMING_REFUSED, "launch 2 wrote nothing; launch 1 was right"},
    {SKIPS, 1, .01, 700, TIMING_REFUSED, "wrong result in launch 1 (16777216 elements): got "},
    {LEFT, 1, .01, 700, TIMING_REFUSED, "launch 1 was right: look for state that launch 1 leaves behind"},
    {THIRD, 1, .01, 700, TIMING_REFUSED, "timing on a made-up GPU: wrong result in launch 3 "},
    {FAULTS, 1, .01, 700, TIMING_REFUSED, "timing on a made-up GPU: the kernel used an illegal address"},
    {HANGS, 1, .01, 700, TIMING_REFUSED, "the kernel does not end: it was still running after 10 seconds"},
    {SPILLS, 1, .01, 700, TIMING_REFUSED, "the kernel wrote past the end of buffer `out`"},
    {RIGHT, .9, .01, 700, TIMING_REFUSED, "reading the input takes at least 671.1 us at 100 GB/s"},
    {RIGHT, 1.2, 0, 600, TIMING_NONE, "not timed on the GPU: the reference took 600.0 us, which is impossibly short"},
    {FULL, 1, .01, 700, TIMING_NONE, "not timed on the GPU: not enough memory on the GPU for the launch"},
    {NO_ROOM, 1, .01, 700, TIMING_NONE, "not timed on the GPU: only 1 MiB of its memory is free"},
    {BROKEN, 1, .01, 700, TIMING_NONE, "not timed on the GPU: the reference's result is wrong on the GPU"},
    {UNKNOWN, 1, .01, 700, TIMING_NONE, "not timed on the GPU: no driver found"},
};
/* ---- both kinds of GPU ----------------------------------------------------------------------- */
static struct judge_options options_for(const struct lab *lab, const struct device *on) {
    const char *cache = getenv("GRADE_CACHE");
    return (struct judge_options){.lab = lab,
                                  .device = device_find("sim"),
                                  .gpu = on,
                                  .compiler = compiler,
                                  .root = root,
                                  .cache = cache ? cache : "build/cache",
                                  .seed = 3};
}
static struct grade_case case_for(const struct lab *lab) {
    const struct variant v = variant_at((unsigned)__builtin_ctz(lab->variants));
    return (struct grade_case){.kernel = &lab->kernels[0], .variant = v, .block = 256};
}
START_TEST(every_end_of_a_timing_is_reported) {
    if (_i % (int)effort(1, 3)) return; /* each row has 2^24 elements */
    const struct lab *lab = lab_find("lab7");
    const struct judge_options o = options_for(lab, &fake);
    char *symbols[8 * VARIANT_COUNT] = {"reduce"};
    struct device_module student = {STUDENTS}, reference = {REFERENCES};
    const struct judge j = {.options = &o,
                            .lab = lab,
                            .student = {.on_gpu = {&student}, .symbol = symbols},
                            .reference = {.on_gpu = {&reference}, .symbol = symbols}};
    const struct grade_case c = case_for(lab);
    struct timing t;
    memset(&gpu, 0, sizeof gpu);
    gpu.way = rows[_i].way, gpu.factor = rows[_i].factor, gpu.noise = rows[_i].noise, gpu.us = rows[_i].us;
    timing_run(&j, &c, &t);
    ck_assert_msg(t.end == rows[_i].end && strstr(t.message, rows[_i].text), "%d: `%s`, not `%s`", t.end, t.message,
                  rows[_i].text);
    if (t.end == TIMING_QUIET) {
        ck_assert_msg(fabs(t.ratio - gpu.factor) < .03 && t.low <= t.ratio && t.ratio <= t.high, "%s", t.message);
        ck_assert_double_le(t.high - t.low, TIMING_WIDTH * t.ratio);
        ck_assert(fabs(t.ns / t.reference_ns - gpu.factor) < .03 && t.elements == 1 << 24 && t.peak == 100);
        ck_assert_uint_ge(t.pairs, 24);
        ck_assert_uint_eq(gpu.opened[STUDENTS], (t.pairs + 7) / 8);
        ck_assert_uint_eq(gpu.opened[REFERENCES], (t.pairs + 7) / 8);
        ck_assert_msg(gpu.moved > gpu.runs * 9 / 10, "%u of %u inputs moved", gpu.moved, gpu.runs);
        ck_assert_msg(gpu.student_first > t.pairs / 8 && gpu.student_first < t.pairs, "%u", gpu.student_first);
    }
}
END_TEST
/* Without a reference, as in a handout, the report has only the submission's time and errors. */
static const struct {
    enum way way;
    enum timing_end end;
    const char *text;
} alone_rows[] = {
    {RIGHT, TIMING_NONE, "GB/s; a handout has no reference to compare with, so points depend on the modeled ratio"},
    {SKIPS, TIMING_REFUSED, "(16777216 elements): got "},
    {FAULTS, TIMING_REFUSED, "timing on a made-up GPU: the kernel used an illegal address"},
    {UNKNOWN, TIMING_NONE, "not timed on the GPU: no driver found"},
};
START_TEST(missing_reference_times_are_reported) {
    const struct lab *lab = lab_find("lab7");
    const struct judge_options o = options_for(lab, &fake);
    char *symbols[8 * VARIANT_COUNT] = {"reduce"};
    struct device_module student = {STUDENTS};
    json_t *figures = json_object();
    const struct judge j = {
        .options = &o, .lab = lab, .student = {.on_gpu = {&student}, .symbol = symbols}, .recorded = figures};
    const struct grade_case c = case_for(lab);
    struct timing t;
    memset(&gpu, 0, sizeof gpu);
    gpu.way = alone_rows[_i].way, gpu.factor = 1, gpu.noise = .01, gpu.us = 900;
    timing_run(&j, &c, &t);
    ck_assert_msg(t.end == alone_rows[_i].end && strstr(t.message, alone_rows[_i].text), "%d: `%s`", t.end, t.message);
    json_t *told = timing_json(&t);
    ck_assert(!json_object_get(told, "ratio") && !json_object_get(told, "reference_ns"));
    if (alone_rows[_i].way == RIGHT) ck_assert(fabs(json_number_value(json_object_get(told, "ns")) / 9e5 - 1) < .05);
    json_decref(told), json_decref(figures);
}
END_TEST
/* ---- results that are arrays ------------------------------------------------------------------ */
static void scan_oracle(const struct lab_question *q) {
    const uint32_t *in = q->inputs[0];
    uint32_t *out = q->outputs[0], sum = 0;
    for (uint32_t k = 0; k < q->n; k++) out[k] = sum += in[k];
}
static const struct lab_arrays scan_arrays = {
    .array = {{.name = "in", .role = ARRAY_IN, .length = {COUNT_N}},
              {.name = "out", .role = ARRAY_OUT, .length = {COUNT_N}}},
    .launch = {{.parameters = "in out n", .grid = {{COUNT_BLOCKS}}}},
    .oracle = scan_oracle,
    .large_n = 1 << 16,
};
static const struct lab_kernel scan_kernels[] = {
    {.name = "scan", .elements = 1, .finish = FINISH_ARRAYS, .arrays = &scan_arrays}};
static const struct lab scan_lab = {.id = "scan", .kernels = scan_kernels, .kernel_count = 1, .variants = 1};
static const struct {
    enum way way;
    enum timing_end end;
    const char *text;
} array_rows[] = {
    {RIGHT, TIMING_QUIET, "measured on a made-up GPU: 1.2"},
    {SKIPS, TIMING_REFUSED, "launch 1 was wrong: out[65535]: got "},
    {THIRD, TIMING_REFUSED, "launch 3 was wrong: out[65535]: got "},
    {ONCE, TIMING_REFUSED, "launch 2 was wrong: out[0]: never written, expected "},
    {FAULTS, TIMING_REFUSED, "timing on a made-up GPU: the kernel used an illegal address"},
    {BROKEN, TIMING_NONE, "not timed on the GPU: the reference's result is wrong on the GPU"},
};
START_TEST(arrays_are_timed) {
    const struct judge_options o = options_for(&scan_lab, &fake);
    char *symbols[VARIANT_COUNT] = {"scan"};
    struct device_module student = {STUDENTS}, reference = {REFERENCES};
    const struct judge j = {.options = &o,
                            .lab = &scan_lab,
                            .student = {.on_gpu = {&student}, .symbol = symbols},
                            .reference = {.on_gpu = {&reference}, .symbol = symbols}};
    const struct grade_case c = case_for(&scan_lab);
    struct timing t;
    memset(&gpu, 0, sizeof gpu);
    gpu.arrays = true, gpu.way = array_rows[_i].way, gpu.factor = 1.2, gpu.noise = .005, gpu.us = 100;
    timing_run(&j, &c, &t);
    ck_assert_msg(t.end == array_rows[_i].end && strstr(t.message, array_rows[_i].text), "%d: `%s`, not `%s`", t.end,
                  t.message, array_rows[_i].text);
    ck_assert(t.end != TIMING_QUIET || (t.pairs >= 24 && t.elements == 1 << 16));
}
END_TEST

/* ---- which time determines the points -------------------------------------------------------- */
static const struct {
    bool measured; /* whether the course grades by measured time */
    double modeled;
    enum timing_end end;
    double ratio;
    const char *status;
    double share;
    const char *text;
} verdicts[] = {
    {false, 1, TIMING_QUIET, 3, "pass", 1, "modeled time 1.00 times the reference's; said"},
    {false, 1.55, TIMING_QUIET, 1, "fail", .5, "modeled time 1.55 times the reference's; full credit up to 1.10"},
    {false, 1, TIMING_NOISY, 3, "pass", 1, "; said"},
    {false, 1, TIMING_NONE, 0, "pass", 1, "; said"},
    {false, 1, TIMING_REFUSED, 1, "fail", 0, "said"},
    {true, 1, TIMING_QUIET, 1.55, "fail", .5, "measured time 1.55 times the reference's"},
    {true, 3, TIMING_QUIET, 1, "pass", 1, "measured time 1.00 times the reference's; modeled 3.00; said"},
    {true, 1, TIMING_NOISY, 3, "pass", 1, "modeled time 1.00 times the reference's; said"},
    {true, 3, TIMING_NONE, 1, "fail", 0, "modeled time 3.00 times"},
    {true, 1, TIMING_REFUSED, 1, "fail", 0, "said"},
};
START_TEST(course_settings_determine_points) {
    const struct lab lab = {.speed_full = 1.1, .speed_none = 2, .speed_measured = verdicts[_i].measured};
    const struct timing t = {.end = verdicts[_i].end, .ratio = verdicts[_i].ratio, .message = "said"};
    json_t *result = json_object();
    timing_verdict(&lab, verdicts[_i].modeled, &t, result);
    ck_assert_str_eq(json_string_value(json_object_get(result, "status")), verdicts[_i].status);
    ck_assert(fabs(json_real_value(json_object_get(result, "share")) - verdicts[_i].share) < 1e-9);
    const char *message = json_string_value(json_object_get(result, "message"));
    ck_assert_msg(strstr(message, verdicts[_i].text), "%s", message);
    json_decref(result);
}
END_TEST
/* Compares ranks with printed tables of 99% confidence intervals for the median. Of the simulated intervals, at least
 * 98.5%, but not all, must contain a known median: half a percent is left to chance. */
START_TEST(an_interval_holds_the_median) {
    static const unsigned table[][2] = {{5, 0}, {7, 0}, {8, 1}, {11, 1}, {12, 2}, {14, 2}, {15, 3}, {18, 4}, {20, 4}};
    unsigned held = 0;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        ck_assert_uint_eq(timing_rank(table[k][0], .99), table[k][1]);
    gpu.random = 5;
    enum { N = 40, TRIALS = 4000 };
    const unsigned rank = timing_rank(N, .99);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        unsigned below = 0;
        for (unsigned k = 0; k < N; k++) below += unit() < .5;
        held += below >= rank && N - below >= rank;
    }
    ck_assert_msg(held >= .985 * TRIALS && held < TRIALS, "%u of %d", held, TRIALS);
}
END_TEST

/* ---- the kit's kernels ----------------------------------------------------------------------- */
/* On the simulator, generated data must match their total, depend on the seed, and cause no findings. The last row
 * generates halves. */
static const char *const drawn[] = {"sum_i32",     "product_u32", "min_i64",    "sum_f32", "max_f32",
                                    "product_f64", "argmin_i32",  "argmax_f64", "sum_f32"};
static void launch_kit(struct plan *p, const struct compiled *text, struct variant v, const char *kernel) {
    char symbol[256];
    ck_assert(compiled_symbol(text->ptx[0], v, kernel, symbol, sizeof symbol));
    plan_add_launch(p, 0, symbol, 2, 256);
}
START_TEST(generated_data_match_their_total) {
    enum { N = 1500, SEEDS = 2 };
    const struct device *sim = device_find("sim");
    const struct judge_options o = options_for(lab_find("lab7"), NULL);
    struct device_module *m;
    struct device_error e = {""};
    char path[4200];
    struct variant v;
    struct measurement measured;
    ck_assert(variant_find(drawn[_i], strlen(drawn[_i]), &v));
    snprintf(path, sizeof path, "%s/common/timing.cu", root);
    const struct compile_request request = {path, "timing.cu", root, .cache = o.cache,
                                            .variants = 1u << variant_index(v)};
    struct compiled text = compile(compiler, &request);
    ck_assert_msg(text.status == COMPILE_OK, "%s", text.log);
    ck_assert_msg(sim->load(text.ptx[0], text.length[0], "timing.cu", &m, &e) == DEVICE_OK, "%s", e.message);
    const bool halves = _i + 1 == sizeof drawn / sizeof *drawn;
    const uint32_t size = (uint32_t)variant_size(v), element = halves ? 2 : size, bytes = N * element;
    struct plan p = {0};
    const unsigned in = plan_add_buffer(&p, (struct plan_buffer){.name = "in", .element = element, .length = N}),
                   partial = plan_add_buffer(&p, (struct plan_buffer){.name = "partial", .element = size, .length = 2});
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        launch_kit(&p, &text, v, halves ? "timing_draw_halves" : "timing_draw");
        plan_pass_address(&p, in, 0), plan_pass_address(&p, partial, 0), plan_pass_u32(&p, N), plan_pass_u64(&p, seed);
        plan_add_read(&p, in, 0, N, PLAN_ARRAY), plan_add_read(&p, partial, 0, 2, PLAN_ONE_A_BLOCK);
    }
    launch_kit(&p, &text, v, "timing_fill");
    plan_pass_address(&p, in, 0), plan_pass_u32(&p, bytes / 4), plan_pass_u32(&p, 0xa5a5a5a5);
    plan_add_read(&p, in, 0, N, PLAN_ARRAY);
    launch_kit(&p, &text, v, "timing_read");
    plan_pass_address(&p, in, 0), plan_pass_address(&p, partial, 0), plan_pass_u32(&p, bytes / 16);
    char *outputs = malloc(plan_read_at(&p, p.reads));
    struct device_run r = {.plan = &p,
                           .module = {m},
                           .options = {.budget = 1 << 22},
                           .what = MEASURE_MEMORY | MEASURE_RACES | MEASURE_BARRIERS,
                           .measured = &measured,
                           .outputs = outputs};
    sim->run(&r, 1);
    ck_assert_msg(r.status == DEVICE_OK && r.reads == p.reads, "%s", r.error.message);
    ck_assert_msg(!measured.findings.count, "%s", measured.findings.item[0].message);
    for (unsigned k = 0; k < SEEDS; k++) {
        const void *in_drawn = outputs + plan_read_at(&p, 2 * k);
        float wide[N];
        for (unsigned n = 0; halves && n < N; n++) wide[n] = (float)widened_f16(((const uint16_t *)in_drawn)[n]);
        ck_assert(reference_equal(v, reference_reduce(v, halves ? wide : in_drawn, N),
                                  reference_reduce(v, outputs + plan_read_at(&p, 2 * k + 1), 2)));
    }
    ck_assert(memcmp(outputs, outputs + plan_read_at(&p, 2), bytes) != 0);
    ck_assert(device_is_poison(outputs + plan_read_at(&p, 2 * SEEDS), bytes) && !device_is_poison(outputs, bytes));
    measure_free(&measured);
    free(outputs);
    plan_free(&p);
    sim->unload(m);
    compiled_free(&text);
}
END_TEST

/* ---- on a real GPU --------------------------------------------------------------------------- */
static void build(const struct judge *j, const char *path, bool solution, struct program *p) {
    const struct judge_options *o = j->options;
    const struct grade_case c = case_for(j->lab);
    const unsigned variant = variant_index(c.variant);
    struct device_error e = {""};
    char symbol[256];
    *p = (struct program){.device = o->device};
    p->text = compile(compiler, &(struct compile_request){.source = path,
                                                          .shown = "reduce.cu",
                                                          .root = root,
                                                          .cache = o->cache,
                                                          .variants = 1u << variant,
                                                          .solution = solution});
    ck_assert_msg(p->text.status == COMPILE_OK, "%s: %s", path, p->text.log);
    const char *ptx = p->text.ptx[0];
    const size_t length = p->text.length[0];
    ck_assert_msg(o->device->load(ptx, length, path, &p->module[0], &e) == DEVICE_OK, "%s", e.message);
    ck_assert_msg(o->gpu->load(ptx, length, path, &p->on_gpu[0], &e) == DEVICE_OK, "%s", e.message);
    ck_assert(compiled_symbol(ptx, c.variant, c.kernel->name, symbol, sizeof symbol));
    p->symbol = calloc(j->lab->kernel_count * VARIANT_COUNT, sizeof *p->symbol);
    p->symbol[variant] = strdup(symbol);
}
/* Times a file as a submission to the lab. NULL stands for the solution. */
static struct timing time_file(const char *id, const char *file) {
    const struct lab *lab = lab_find(id);
    const struct judge_options o = options_for(lab, device_find("cuda"));
    struct judge j = {.options = &o, .lab = lab};
    const struct grade_case c = case_for(lab);
    struct timing t;
    char path[4400];
    snprintf(path, sizeof path, "%s/solutions/%s_%s/reduce.cu", root, lab->id, lab->name);
    build(&j, path, true, &j.reference);
    if (file) snprintf(path, sizeof path, "%s/grader/tests/timing_kernels/%s", root, file);
    build(&j, path, true, &j.student);
    timing_run(&j, &c, &t);
    return t;
}
static char files[32][100];
static int file_count;
static void find_files(void) {
    DIR *d = opendir("grader/tests/timing_kernels");
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (strstr(entry->d_name, ".cu") && file_count < 32)
            snprintf(files[file_count++], sizeof files[0], "%.99s", entry->d_name);
    if (d) closedir(d);
}
/* Line 1 of each file has the form "// lab7, quiet: part of the message". */
START_TEST(kernels_end_as_declared) {
    static const char *const names[TIMING_ENDS] = {"none", "quiet", "noisy", "refused"};
    char path[300], lab[10], end[10], text[200];
    snprintf(path, sizeof path, "grader/tests/timing_kernels/%s", files[_i]);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f && fscanf(f, "// %9[^,], %9[^:]: %199[^\n]", lab, end, text) == 3, "%s", path);
    fclose(f);
    const struct timing t = time_file(lab, files[_i]);
    printf("  %-20s %s\n", files[_i], t.message);
    fflush(stdout);
    ck_assert_msg(!strcmp(names[t.end], end) && strstr(t.message, text), "%s: %s: %s", files[_i], names[t.end],
                  t.message);
}
END_TEST
/* Each timing runs in a process of its own, as in a grade. */
START_TEST(repeated_times_agree) {
    static const struct { const char *lab, *file; } what[] = {{"lab9", NULL}, {"lab7", "neighbors.cu"}, {"lab1", NULL}};
    const unsigned times = (unsigned)atoi(getenv("REPEATS"));
    double low = INFINITY, high = 0;
    for (unsigned k = 0; k < times; k++) {
        int ends[2], status;
        struct timing t;
        ck_assert_int_eq(pipe(ends), 0);
        const pid_t pid = fork();
        if (pid == 0) {
            t = time_file(what[_i].lab, what[_i].file);
            _exit(write(ends[1], &t, sizeof t) != sizeof t);
        }
        close(ends[1]);
        ck_assert(pid > 0 && read(ends[0], &t, sizeof t) == sizeof t);
        close(ends[0]);
        waitpid(pid, &status, 0);
        printf("  %s %s: %u pairs, %s; reference %.1f us\n", what[_i].lab, what[_i].file ? what[_i].file : "solution",
               t.pairs, t.message, t.reference_ns / 1000);
        fflush(stdout);
        ck_assert_int_eq(t.end, TIMING_QUIET);
        low = fmin(low, t.ratio), high = fmax(high, t.ratio);
    }
    printf("  %u times: %.4f to %.4f, %.2f%% apart\n", times, low, high, 100 * (high / low - 1));
    ck_assert_double_le(high / low, 1.03);
}
END_TEST

int main(void) {
    char why[300];
    const char *wanted = getenv("CUDA");
    const bool has_gpu = getenv("GPU") && atoi(getenv("GPU"));
    compiler = compiler_find(wanted && *wanted ? wanted : "auto", why, sizeof why);
    if (!compiler) return printf("SKIP check_timing: neither nvcc nor clang\n"), 0;
    if (!getcwd(root, sizeof root)) return 1;
    Suite *suite = suite_create("timing");
    TCase *tcase = tcase_create("timing");
    tcase_set_timeout(tcase, getenv("REPEATS") ? 600 : 60);
    if (has_gpu && getenv("REPEATS"))
        tcase_add_loop_test(tcase, repeated_times_agree, 0, 3);
    else if (has_gpu) {
        find_files();
        tcase_add_loop_test(tcase, kernels_end_as_declared, 0, file_count);
    } else {
        printf("SKIP check_timing on a GPU: set GPU=1 on a machine with a GPU (make test-gpu)\n");
        fflush(stdout);
        add_rows(tcase, every_end_of_a_timing_is_reported, sizeof rows / sizeof *rows, effort(1, 3));
        tcase_add_loop_test(tcase, missing_reference_times_are_reported, 0, sizeof alone_rows / sizeof *alone_rows);
        add_rows(tcase, arrays_are_timed, sizeof array_rows / sizeof *array_rows, effort(1, 6));
        add_rows(tcase, course_settings_determine_points, sizeof verdicts / sizeof *verdicts, effort(1, 3));
        tcase_add_test(tcase, an_interval_holds_the_median);
        tcase_add_loop_test(tcase, generated_data_match_their_total, 0, sizeof drawn / sizeof *drawn);
    }
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
