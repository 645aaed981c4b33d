/* Tests what the judge reports about a wrong result: what happened to each element, the smallest failing case, and
 * lists of elements. The kernels contain planted errors, and the judge must name these. */
/* run: plain, 7 s */
/* reads: common */
#include "judge/example.h"
#include "judge/fate_words.h"
#include "judge/play.h"
#include "judge/values.h"
#include "tests/quick.h"
#include "tests/suite.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- wrong kernels ----------------------------------------------------------------- */
enum { SEEDS = 10, MAX_N = 97 };
static unsigned mixed(unsigned x) {
    x ^= x >> 16, x *= 0x7feb352dU, x ^= x >> 15, x *= 0x846ca68bU;
    return x ^ x >> 16;
}
/* The kernel in namespace mK combines each element i planted(K, i) times: usually once, otherwise 0, 2 or 3 times. */
static int planted(unsigned seed, unsigned i) {
    const unsigned r = mixed(i * 32 + seed) % 16;
    return r < 11 ? 1 : r < 14 ? 0 : r == 14 ? 2 : 3;
}
#define MIX                                                                                                            \
    "static __device__ unsigned mixed(unsigned x) {\n"                                                                 \
    "    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;\n"                                            \
    "    return x ^ x >> 16;\n"                                                                                        \
    "}\n"
static const char counted[] =
    MIX "__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {\n"
        "    value_t sum = identity();\n"
        "    for (unsigned i = 0; i < n && threadIdx.x == 0; i++) {\n"
        "        unsigned r = mixed(i * 32 + %u) %% 16, times = r < 11 ? 1 : r < 14 ? 0 : r == 14 ? 2 : 3;\n"
        "        for (unsigned k = 0; k < times; k++) sum = combine(sum, in[i]);\n"
        "    }\n"
        "    if (threadIdx.x == 0) out[0] = sum;\n"
        "}\n";
/* If n exceeds the second limit, the last element is missing. If n exceeds the first limit, 0 replaces identity(). */
static const char limited[] = "__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {\n"
                              "    value_t sum = n > %u ? value_t(0) : identity();\n"
                              "    unsigned end = n > %u ? n - 1 : n;\n"
                              "    for (unsigned i = 0; i < end && threadIdx.x == 0; i++) sum = combine(sum, in[i]);\n"
                              "    if (threadIdx.x == 0) out[0] = sum;\n"
                              "}\n";
/* Combines element (k * step + first) % n as operand k. */
static const char permuted[] =
    "__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {\n"
    "    value_t x = identity();\n"
    "    for (unsigned k = 0; k < n && threadIdx.x == 0; k++) x = combine(x, in[(k * %u + %u) %% n]);\n"
    "    if (threadIdx.x == 0) out[0] = x;\n"
    "}\n";
/* Correct only for blocks of 32 threads. In a case whose later launches have other block sizes, one of these is the
 * first wrong launch. */
static const char for_a_warp[] = "__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {\n"
                                 "    value_t sum = identity();\n"
                                 "    for (unsigned i = 0; i < n && blockDim.x == 32; i++) sum = combine(sum, in[i]);\n"
                                 "    if (threadIdx.x == 0) out[0] = sum;\n"
                                 "}\n";
static const struct limit {
    unsigned zero_above, short_above; /* limits in the text `limited` */
    uint32_t n;                       /* number of elements of the smallest failing case */
    const char *variant, *fate;
} limits[] = {
    {9999, 0, 1, "sum_i64", "no element is counted"},         {9999, 1, 2, "sum_i64", "in[1] is missing"},
    {9999, 32, 33, "sum_i64", "in[32] is missing"},           {9999, 37, 38, "sum_i64", "in[37] is missing"},
    {9999, 64, 65, "sum_i64", "in[64] is missing"},           {9999, 100, 101, "sum_i64", "in[100] is missing"},
    {0, 9999, 1, "product_i64", "the result includes a 0"},   {4, 9999, 5, "min_i32", "the result includes a 0"},
    {40, 9999, 41, "product_i64", "the result includes a 0"},
};
enum { LIMITS = sizeof limits / sizeof *limits };

static struct bed {
    const struct lab *lab;
    struct compiled text;
    struct device_module *module;
} beds[3]; /* kernels of labs 3, 8 and 10 */
static void open_bed(struct bed *bed, const struct compiler *compiler, const char *lab, uint32_t variants,
                     void (*write)(FILE *f)) {
    char path[] = "/tmp/check-fate-XXXXXX";
    const int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    struct device_error e;
    const char *cache = getenv("GRADE_CACHE");
    if (!f) perror(path), exit(1);
    write(f);
    fclose(f);
    const struct compile_request r = {.source = path,
                                      .shown = "reduce.cu",
                                      .root = ".",
                                      .cache = cache ? cache : "build/cache",
                                      .variants = variants};
    bed->lab = lab_find(lab), bed->text = compile(compiler, &r);
    unlink(path);
    if (bed->text.status != COMPILE_OK || bed->text.count != 1 ||
        device_find("sim")->load(bed->text.ptx[0], bed->text.length[0], "reduce.cu", &bed->module, &e) != DEVICE_OK)
        fprintf(stderr, "%s\n", bed->text.log ? bed->text.log : "it does not load"), exit(1);
}
static void write_sums(FILE *f) {
    fprintf(f, "#include \"reduce.h\"\n");
    for (unsigned k = 0; k < SEEDS; k++) fprintf(f, "namespace m%u {\n", k), fprintf(f, counted, k), fprintf(f, "}\n");
    for (unsigned k = 0; k < LIMITS; k++)
        fprintf(f, "namespace l%u {\n", k), fprintf(f, limited, limits[k].zero_above, limits[k].short_above),
            fprintf(f, "}\n");
    fprintf(f, "namespace warp {\n%s}\n", for_a_warp);
}
static void write_orders(FILE *f) {
    fprintf(f, "#include \"reduce.h\"\n");
    for (unsigned k = 0; k < SEEDS; k++)
        fprintf(f, "namespace m%u {\n", k), fprintf(f, permuted, 2 + 3 * k, 5 * k), fprintf(f, "}\n");
}
/* A warp reduces pairs: `exchange` gets pair y from another lane, and `wins` says whether x wins against y. */
#define VALUE "y.value = __shfl_down_sync(~0u, x.value, d); "
#define INDEX "y.index = __shfl_down_sync(~0u, x.index, d); "
#define LOWER "before(x.value, y.value) || (!before(y.value, x.value) && x.index < y.index)"
static const struct {
    const char *exchange, *wins, *start; /* start: the initial value of lanes without an element */
} pairs[] = {
    {VALUE INDEX, LOWER, "identity()"},           {INDEX VALUE, LOWER, "identity()"},
    {VALUE "y.index = 0; ", LOWER, "identity()"}, {VALUE INDEX, "!(" LOWER ")", "identity()"},
    {VALUE INDEX, "!(" LOWER ")", "in[0]"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };
static void write_pairs(FILE *f) {
    fprintf(f, "#include \"reduce.h\"\n");
    for (unsigned k = 0; k < PAIRS; k++)
        fprintf(f,
                "namespace m%u {\n"
                "__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {\n"
                "    value_t x = threadIdx.x < n ? in[threadIdx.x] : %s, y;\n"
                "    for (unsigned d = 16; d; d /= 2) { %s x = %s ? x : y; }\n"
                "    if (threadIdx.x == 0) total[0] = x;\n"
                "}\n}\n",
                k, pairs[k].start, pairs[k].exchange, pairs[k].wins);
}
/* A judge for one kernel of one lab, and a case. */
struct setup {
    struct judge_options options;
    struct judge judge;
    struct grade_case c;
};
static void set_up(struct setup *s, const struct bed *bed, const char *space, const char *kernel, const char *variant,
                   uint32_t n) {
    memset(s, 0, sizeof *s);
    s->options = (struct judge_options){.lab = bed->lab, .replay_options = "", .shown = "reduce.cu", .seed = 5};
    s->judge = (struct judge){.options = &s->options, .lab = bed->lab};
    struct program *p = &s->judge.student;
    *p = (struct program){.text = bed->text,
                          .device = device_find("sim"),
                          .symbol = calloc(bed->lab->kernel_count * VARIANT_COUNT, sizeof(char *))};
    for (unsigned k = 0; k < bed->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            char prefix[200];
            const char *of = variant_name(variant_at(v)), *name = bed->lab->kernels[k].name;
            snprintf(prefix, sizeof prefix, ".entry _ZN%zu%s%zu%s%zu%sE", strlen(of), of, strlen(space), space,
                     strlen(name), name);
            const char *at = strstr(bed->text.ptx[0], prefix);
            p->module[v] = bed->module;
            if (at) p->symbol[k * VARIANT_COUNT + v] = strndup(at + 7, strcspn(at + 7, "( \t\n"));
            if (!strcmp(name, kernel)) s->c.kernel = &bed->lab->kernels[k];
        }
    s->c.n = n, s->c.block = 32, s->c.seed = 5;
    ck_assert(s->c.kernel && variant_find(variant, strlen(variant), &s->c.variant));
}
static void tear_down(struct setup *s) {
    for (unsigned k = 0; k < s->judge.lab->kernel_count * VARIANT_COUNT; k++) free(s->judge.student.symbol[k]);
    free(s->judge.student.symbol);
}

/* ---- the diagnosis matches the planted error -------------------------------------------------- */
START_TEST(counts_are_found) {
    static const char *const variants[] = {"sum_i64", "sum_f32", "product_i64", "min_i32"};
    static const uint32_t sizes[] = {1, 2, 7, 8, 9, 33, MAX_N};
    char space[16];
    snprintf(space, sizeof space, "m%d", _i);
    for (unsigned v = 0; v < 4; v++)
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct setup s;
            struct fate f;
            bool all = true;
            set_up(&s, &beds[0], space, "reduce_one_block", variants[v], sizes[k]);
            fate_find(&s.judge, &s.c, 0, &f);
            ck_assert_msg(f.counted && !f.extra, "seed %d, %s, n=%u", _i, variants[v], sizes[k]);
            for (unsigned n = 0; n < sizes[k]; n++) {
                ck_assert_int_eq(f.count[n], planted((unsigned)_i, n));
                all &= f.count[n] == 1;
            }
            ck_assert_int_eq(fate_is_known(&f), !all);
            fate_free(&f);
            tear_down(&s);
        }
}
END_TEST
START_TEST(orders_are_found) {
    static const uint32_t sizes[] = {2, 3, 31, 61, MAX_N}; /* prime numbers, so that each position occurs once */
    char space[16];
    snprintf(space, sizeof space, "m%d", _i);
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint32_t n = sizes[k], step = 2 + 3 * (unsigned)_i, first = 5 * (unsigned)_i;
        struct setup s;
        struct fate f;
        if (step % n == 0) continue;
        set_up(&s, &beds[1], space, "reduce_one_warp", "matrix_u32", n);
        fate_find(&s.judge, &s.c, 0, &f);
        ck_assert_msg(f.counted && f.order, "seed %d, n=%u", _i, n);
        for (uint32_t m = 0; m < n; m++) ck_assert_uint_eq(f.order[m], (m * step + first) % n);
        fate_free(&f);
        tear_down(&s);
    }
}
END_TEST
/* The judge runs the first launch of a case alone to see whether it is already wrong. This must not change the
 * outcome of the case. */
static const struct {
    const char *space;
    unsigned n, block, launches;
    enum outcome_kind kind;
    bool later; /* whether only a later launch is wrong */
} doubts[] = {{"l1", 700, 32, 8, OUTCOME_WRONG, false},
              {"l1", 1, 32, 1, OUTCOME_RIGHT, false},
              {"warp", 700, 64, 8, OUTCOME_WRONG, false},
              {"warp", 700, 32, 8, OUTCOME_WRONG, true},
              {"warp", 700, 32, 1, OUTCOME_RIGHT, false}};
START_TEST(running_the_first_launch_alone_keeps_the_outcome) {
    struct setup s;
    struct outcome usual, doubted;
    set_up(&s, &beds[0], doubts[_i].space, "reduce_one_block", "sum_i64", doubts[_i].n);
    s.c.block = doubts[_i].block, s.c.launches = doubts[_i].launches;
    case_run(&s.judge, &s.judge.student, &s.c, MEASURE_MEMORY, &usual);
    cases_run(&s.judge, &s.judge.student, (const struct grade_case *[]){&s.c}, 1, MEASURE_MEMORY, true,
              (struct outcome *[]){&doubted});
    ck_assert_int_eq(usual.kind, doubts[_i].kind);
    ck_assert_int_eq(usual.launch > 1, doubts[_i].later);
    ck_assert_int_eq(doubted.kind, usual.kind);
    ck_assert_uint_eq(doubted.launch, usual.launch);
    ck_assert_int_eq(doubted.got.bits, usual.got.bits);
    ck_assert_int_eq(doubted.expected.bits, usual.expected.bits);
    ck_assert_uint_eq(doubted.effort, usual.effort);
    outcome_free(&usual), outcome_free(&doubted);
    tear_down(&s);
}
END_TEST
START_TEST(the_smallest_case_is_found) {
    const struct limit *l = &limits[_i];
    struct setup s;
    struct example e;
    struct outcome o;
    struct fate f;
    char space[16], text[300];
    snprintf(space, sizeof space, "l%d", _i);
    set_up(&s, &beds[0], space, "reduce_one_block", l->variant, 700);
    case_run(&s.judge, &s.judge.student, &s.c, 0, &o);
    ck_assert_int_eq(o.kind, OUTCOME_WRONG);
    ck_assert(example_find(&s.judge, &s.c, &o, &e));
    ck_assert_uint_eq(e.c.n, l->n);
    ck_assert_uint_eq(e.c.block, 32);
    fate_find(&s.judge, &e.c, 0, &f);
    ck_assert_msg(strstr(fate_print(&f, &e.c, text, sizeof text), l->fate) != NULL, "row %d: `%s`", _i, text);
    fate_free(&f);
    outcome_free(&o);
    example_free(&e);
    tear_down(&s);
}
END_TEST

/* The text of a step of the example in which lanes exchange pairs. If the kernel exchanges only the values, the step
 * shows only values. */
static const struct {
    unsigned kernel;
    const char *variant, *shown;
} exchanges[] = {
    {0, "argmin_i32", "thread 0: has 7 at index 0, gets 3 at index 1 from thread 1"},
    {1, "argmin_i32", "thread 0: has 7 at index 0, gets 3 at index 1 from thread 1"},
    {0, "argmax_f64", "thread 0: has 7 at index 0, gets 3 at index 1 from thread 1"},
    {1, "argmax_f64", "thread 0: has 7 at index 0, gets 3 at index 1 from thread 1"},
    {2, "argmin_i32", "thread 0: has 7, gets 3 from thread 1"},
    {2, "argmax_f64", "thread 0: has 7, gets 3 from thread 1"},
};
START_TEST(exchanged_pairs_are_shown) {
    struct setup s;
    char space[16], message[200];
    uint32_t count;
    size_t k;
    json_t *line;
    bool shown = false;
    snprintf(space, sizeof space, "m%u", exchanges[_i].kernel);
    set_up(&s, &beds[2], space, "reduce", exchanges[_i].variant, 2);
    void *values = values_parse(s.c.variant, "7:0,3:1", &count, message, sizeof message);
    s.c.grid = 1, s.c.launches = 1, s.c.values = values;
    json_t *player = play_case(&s.judge, &s.c, 1), *lines = play_lines(player, 40);
    json_array_foreach(lines, k, line) shown |= strstr(json_string_value(line), exchanges[_i].shown) != NULL;
    char *all = json_dumps(lines, 0);
    ck_assert_msg(shown, "row %d: %s", _i, all);
    free(all), free(values);
    json_decref(player), json_decref(lines);
    tear_down(&s);
}
END_TEST
/* If the comparison is reversed, identity() or the worst element wins. */
START_TEST(reversed_comparisons_are_reported) {
    static const char *const texts[] = {"the result is identity(), although every element should win against it",
                                        "the result is the element that should lose to all others"};
    struct setup s;
    struct fate f;
    char space[16], text[300];
    snprintf(space, sizeof space, "m%d", 3 + _i);
    set_up(&s, &beds[2], space, "reduce", "argmin_i32", 5);
    s.c.grid = 1, s.c.launches = 1;
    fate_find(&s.judge, &s.c, 1, &f);
    ck_assert_str_eq(fate_print(&f, &s.c, text, sizeof text), texts[_i]);
    fate_free(&f);
    tear_down(&s);
}
END_TEST

/* ---- words ---------------------------------------------------------------------------------- */
/* Functions that return how many times element k of n is counted. Blocks have 32 threads. Kernel 0 of lab 3 has
 * segments of 64 elements; kernel 1 is a single block with a loop. */
static int32_t doubled(uint32_t k, uint32_t n) { return (void)k, (void)n, 2; }
static int32_t first_segment(uint32_t k, uint32_t n) { return (void)n, k < 64; }
static int32_t first_m(uint32_t k, uint32_t n) { return (void)n, k < 32; }
static int32_t not_first_segment(uint32_t k, uint32_t n) { return (void)n, k >= 64; }
static int32_t last_segment(uint32_t k, uint32_t n) { return k >= (n - 1) / 64 * 64; }
static int32_t not_last_segment(uint32_t k, uint32_t n) { return k < (n - 1) / 64 * 64; }
static int32_t whole_segments(uint32_t k, uint32_t n) { return k < n / 64 * 64; }
static int32_t whole_blocks(uint32_t k, uint32_t n) { return k < n / 32 * 32; }
static int32_t lower_halves(uint32_t k, uint32_t n) { return (void)n, k % 64 < 32; }
static int32_t overlap(uint32_t k, uint32_t n) {
    int32_t count = 0;
    for (uint32_t b = 0; b < (n + 63) / 64; b++) count += k >= b * 32 && k < b * 32 + 64;
    return count;
}
static int32_t not_last(uint32_t k, uint32_t n) { return k + 1 < n; }
static int32_t not_first(uint32_t k, uint32_t n) { return (void)n, k > 0; }
static int32_t only_first(uint32_t k, uint32_t n) { return (void)n, k == 0; }
static int32_t only_last(uint32_t k, uint32_t n) { return k == n - 1; }
static int32_t even(uint32_t k, uint32_t n) { return (void)n, k % 2 == 0; }
static int32_t none(uint32_t k, uint32_t n) { return (void)k, (void)n, 0; }
static int32_t once(uint32_t k, uint32_t n) { return (void)k, (void)n, 1; }
static int32_t fives(uint32_t k, uint32_t n) { return (void)n, k % 5 == 3 ? 7 : 1; }
static int32_t some(uint32_t k, uint32_t n) { return (void)n, k == 5 ? 2 : k != 6 && k != 7; }
static int32_t twos(uint32_t k, uint32_t n) { return (void)n, k % 6 == 0 || k % 6 == 1 ? 0 : 1; }
static int32_t rising(uint32_t k, uint32_t n) { return (void)n, (int32_t)k + 1; }
static int32_t minus(uint32_t k, uint32_t n) { return (void)n, k == 2 ? -1 : 1; }
static const struct {
    int32_t (*count)(uint32_t k, uint32_t n);
    unsigned kernel;
    uint32_t n;
    const char *statement; /* statement about all elements; NULL for none */
    const char *text;      /* description of each element */
} told[] = {
    {doubled, 0, 200, "every element is counted twice", "every element is counted twice"},
    {first_segment, 0, 200, "only block 0's segment is counted", "in[64..199] are missing"},
    {first_m, 1, 200, "only the first blockDim.x elements are counted", "in[32..199] are missing"},
    {not_first_segment, 0, 200, "block 0's segment is missing", "in[0..63] are missing"},
    {last_segment, 0, 200, "only the last block's segment is counted", "in[0..191] are missing"},
    {whole_segments, 0, 200, "the last, incomplete segment is missing", "in[192..199] are missing"},
    {whole_blocks, 1, 200, "the elements after the last whole multiple of blockDim.x are missing",
     "in[192..199] are missing"},
    {not_last_segment, 0, 256, "the last block's segment is missing", "in[192..255] are missing"},
    {overlap, 0, 200, "as if block b began at blockDim.x*b", "in[32..127] are counted twice; in[160..199] are missing"},
    {lower_halves, 0, 200, "the upper half of each segment is missing",
     "in[32..63], in[96..127] and in[160..191] are missing"},
    {first_m, 0, 50, "the upper half of the segment is missing", "in[32..49] are missing"},
    {not_last, 0, 200, "the last element is missing", "in[199] is missing"},
    {not_first, 0, 200, "the first element is missing", "in[0] is missing"},
    {only_first, 0, 200, "only the first element is counted", "in[1..199] are missing"},
    {only_last, 0, 200, "only the last element is counted", "in[0..198] are missing"},
    {even, 0, 60, "the elements with an odd index are missing", "in[1], in[3], ..., in[59] are missing"},
    {none, 0, 200, "no element is counted", "no element is counted"},
    {once, 0, 200, NULL, ""},
    {fives, 0, 20, NULL, "in[3], in[8], ..., in[18] are counted 7 times"},
    {some, 0, 9, NULL, "in[5] is counted twice; in[6..7] are missing"},
    {twos, 0, 40, NULL, "in[0..1], in[6..7], in[12..13], in[18..19] and 6 more are missing"},
    {rising, 0, 6, NULL, "5 of 6 elements are counted 2 to 6 times"},
    {minus, 0, 6, NULL, "in[2] is subtracted"},
};
static bool has_statement(const struct fate_statements *s, const char *text) {
    for (unsigned k = 0; k < s->count; k++)
        if (strstr(s->text[k], text)) return true;
    return false;
}
START_TEST(counts_in_words) {
    const struct lab *lab = lab_find("lab3");
    const uint32_t n = told[_i].n;
    const struct grade_case c = {.kernel = &lab->kernels[told[_i].kernel], .n = n, .block = 32};
    int32_t count[256];
    char text[300];
    struct fate f = {.variant = c.variant, .n = n, .counted = true, .count = count};
    struct fate_statements s;
    for (uint32_t k = 0; k < n; k++) count[k] = told[_i].count(k, n);
    fate_state(&f, &c, 0, &s);
    ck_assert_msg(told[_i].statement ? has_statement(&s, told[_i].statement) : !s.count, "row %d: `%s`", _i, s.text[0]);
    ck_assert_str_eq(fate_print(&f, &c, text, sizeof text), told[_i].text);
    f.counted = false;
    fate_state(&f, &c, 0, &s);
    ck_assert(!s.count && !*fate_print(&f, &c, text, sizeof text));
}
END_TEST
/* The report states what two wrong results have in common. It omits statements that hold for only one of them. */
START_TEST(common_causes_are_reported) {
    const struct lab *lab = lab_find("lab3");
    struct fate_statements all, other;
    int32_t count[256];
    for (unsigned k = 0; k < 2; k++) { /* 65 elements without the last; 200 elements without the last 8 */
        const uint32_t n = k ? 200 : 65;
        const struct grade_case c = {.kernel = lab->kernels, .n = n, .block = 32};
        const struct fate f = {.variant = c.variant, .n = n, .counted = true, .count = count};
        for (uint32_t m = 0; m < n; m++) count[m] = whole_segments(m, n);
        fate_state(&f, &c, 0, k ? &other : &all);
    }
    ck_assert(has_statement(&all, "the last element is missing"));
    fate_common(&all, &other);
    ck_assert(!has_statement(&all, "the last element") && has_statement(&all, "the last, incomplete segment"));
}
END_TEST
/* Orders in which 4 blocks combine 10 elements. Their chunks have 3, 3, 3 and 1 elements. */
static const struct {
    const char *order, *statement, *text;
} orders[] = {
    {"9876543210", "in reverse order", "in[9] was combined before in[0]"},
    {"9678345012", "the blocks' partials are combined in reverse order", "in[9] was combined before in[0]"},
    {"0123465789", "all operands are present, but not in order", "in[6] was combined before in[5]"},
    {"1032547698", "each pair of neighbors", "in[1] was combined before in[0]"},
    {"0123456789", NULL, ""},
};
START_TEST(orders_are_described) {
    const struct grade_case c = {.kernel = lab_find("lab8")->kernels, .n = 10, .block = 32, .grid = 4};
    uint32_t order[10];
    char text[300];
    struct fate f = {.variant = variant_at(SCALAR_VARIANTS), .n = 10, .order = order};
    struct fate_statements s;
    for (unsigned k = 0; k < 10; k++) order[k] = (uint32_t)(orders[_i].order[k] - '0');
    fate_state(&f, &c, 0, &s);
    ck_assert_msg(orders[_i].statement ? has_statement(&s, orders[_i].statement) : !s.count, "`%s`", s.text[0]);
    ck_assert_str_eq(fate_print(&f, &c, text, sizeof text), orders[_i].text);
}
END_TEST
static const struct {
    const char *variant;
    uint32_t offset;
    union value rest;
    const char *statement;
    bool faulty, other, disturbed;
} extras[] = {
    {"product_i32", 0, {.bits = 0}, "the result includes a 0 that is not an element", .disturbed = true},
    {"product_i32",
     0,
     {.bits = 0},
     "the result includes a 0 that is not an element: in the simulator, an access that fails reads 0",
     true,
     false},
    {"product_i32", 0, {.bits = 2}, "if all elements are identity(), the result is 2", false, true},
    {"product_i32", 0, {.bits = 0}, "the result includes a 0 that is not an element: identity() is not 0"},
    {"min_u32", 0, {.bits = 0}, "the result includes a 0 that is not an element: identity() is not 0"},
    {"max_f64", 0, {.bits = 0}, "the result includes a 0 that is not an element: identity() is not 0"},
    {"sum_i64", 0, {.bits = 7}, "the result includes 7, which is not an element"},
    {"sum_i32", 2, {.i32 = 2 * 1000003}, "elements before the input are counted"},
    {"sum_i32", 2, {.i32 = 1000004}, "the result includes 1000004, which is not an element"},
    {"sum_i32", 0, {.u32 = 0xa5a5a5a5}, "the result includes memory that was never written"},
    {"sum_i32", 0, {.u32 = 3 * 0xa5a5a5a5u}, "the result includes memory that was never written"},
    {"sum_f32", 0, {.f32 = -9.19525839e-15f}, "the result includes memory that was never written"},
    {"min_i32", 0, {.u32 = 0xa5a5a5a5}, "the result includes memory that was never written"},
    {"sum_f32", 0, {.f32 = NAN}, "the result includes a NaN that is not an element"},
};
START_TEST(values_that_are_not_elements_are_reported) {
    struct grade_case c = {.kernel = lab_find("lab9")->kernels, .n = 4, .block = 32, .grid = 1};
    struct fate_statements s;
    ck_assert(variant_find(extras[_i].variant, strlen(extras[_i].variant), &c.variant));
    c.offset = extras[_i].offset;
    const struct fate f = {.variant = c.variant,
                           .n = 4,
                           .extra = true,
                           .shifted = extras[_i].offset > 0,
                           .combined = !extras[_i].other,
                           .faulty = extras[_i].faulty,
                           .disturbed = extras[_i].disturbed,
                           .rest = extras[_i].rest};
    fate_state(&f, &c, 0, &s);
    ck_assert_msg(s.count == 1 && strstr(s.text[0], extras[_i].statement), "`%s`", s.text[0]);
    ck_assert(!extras[_i].disturbed || !strstr(s.text[0], ": "));
}
END_TEST

START_TEST(equal_values_and_nans_differ) {
    static const struct {
        enum fate_pair pair;
        const char *text;
    } told_pairs[] = {{FATE_TIE, "if in[0] and in[1] hold the same value, "},
                      {FATE_NAN_TIE, "if in[0] and in[1] are both NaN, "}};
    const struct grade_case c = {.kernel = lab_find("lab10")->kernels, .n = 2, .block = 32, .grid = 1};
    char text[300];
    for (unsigned k = 0; k < 2; k++) {
        const struct fate f = {.variant = c.variant, .n = 2, .pair = told_pairs[k].pair, .second = 1};
        ck_assert_msg(strstr(fate_print(&f, &c, text, sizeof text), told_pairs[k].text) != NULL, "`%s`", text);
    }
}
END_TEST

/* ---- lists of elements ---------------------------------------------------------------------- */
static const struct {
    const char *variant, *list, *again; /* the list as the judge prints it; NULL if `list` is invalid */
    uint32_t count;
} lists[] = {
    {"sum_i32", "1,2,3", "1..3", 3},
    {"sum_i32", "1..3", "1..3", 3},
    {"sum_i32", "3..1", "3..1", 3},
    {"sum_i32", "1,2", "1,2", 2},
    {"sum_i32", "-2..2,7", "-2..2,7", 6},
    {"sum_i32", "5", "5", 1},
    {"sum_i32", "", "", 0},
    {"sum_i32", "2147483647,-2147483648", "2147483647,-2147483648", 2},
    {"sum_i32", "2147483648", NULL, 0},
    {"sum_u32", "4294967295", "4294967295", 1},
    {"sum_u32", "-1", NULL, 0},
    {"sum_i64", "9223372036854775807,-9223372036854775808", "9223372036854775807,-9223372036854775808", 2},
    {"sum_i64", "9223372036854775808", NULL, 0},
    {"sum_f32", "0.5,1..4,-0,nan,inf", "0.5,1..4,-0,nan,inf", 8},
    {"sum_f64", "0.1,1e300", "0.10000000000000001,1.0000000000000001e+300", 2},
    {"affine_u32", "2:1,3:0", "2:1,3:0", 2},
    {"affine_u32", "2", NULL, 0},
    {"affine_u32", "2:-1", NULL, 0},
    {"affine_u16", "2:1,65535:0", "2:1,65535:0", 2},
    {"affine_u16", "65536:0", NULL, 0},
    {"matrix_u16", "1:2:3:4", "1:2:3:4", 1},
    {"matrix_u32", "1:2:3:4", "1:2:3:4", 1},
    {"matrix_u32", "1:2:3", NULL, 0},
    {"argmin_i32", "-5:7,3:4294967295", "-5:7,3:4294967295", 2},
    {"argmax_f64", "nan:18446744073709551615", "nan:18446744073709551615", 1},
    {"argmax_f32", "1:4294967296", NULL, 0},
    {"sum_i32", "1,", NULL, 0},
    {"sum_i32", ",1", NULL, 0},
    {"sum_i32", "1 2", NULL, 0},
    {"sum_i32", " 1", NULL, 0},
    {"sum_i32", "x", NULL, 0},
    {"sum_i32", "1..x", NULL, 0},
    {"sum_i32", "1..2..3", NULL, 0},
    {"sum_f32", "0.5..2", NULL, 0},
    {"sum_i32", "1..4096", "1..4096", 4096},
    {"sum_i32", "0..4096", NULL, 0},
    {"sum_i32", "1..4096,5", NULL, 0},
    {"affine_u32", "1:1..3:1", NULL, 0},
};
START_TEST(printed_lists_are_parsed_exactly) {
    struct variant v;
    uint32_t count;
    char message[200] = "", text[200];
    ck_assert(variant_find(lists[_i].variant, strlen(lists[_i].variant), &v));
    void *array = values_parse(v, lists[_i].list, &count, message, sizeof message);
    ck_assert_msg((array != NULL) == (lists[_i].again != NULL), "`%s`: %s", lists[_i].list, message);
    if (!array) {
        ck_assert_msg(strstr(message, variant_words(v)), "%s", message);
        return;
    }
    ck_assert_uint_eq(count, lists[_i].count);
    ck_assert(values_print(v, array, count, text, sizeof text));
    ck_assert_str_eq(text, lists[_i].again);
    ck_assert(!*text || !values_print(v, array, count, text, strlen(text)));
    free(array);
}
END_TEST

#define LOOP(test, rows) tcase_add_loop_test(tcase, test, 0, sizeof rows / sizeof *rows)
int main(void) {
    char why[300] = "";
    const struct compiler *compiler = compiler_find(quick_compiler(), why, sizeof why);
    Suite *suite = suite_create("fate");
    TCase *tcase = tcase_create("fate");
    tcase_set_timeout(tcase, 60);
    if (compiler) {
        const uint32_t sums = 1u << REDUCE_TYPE_I64 | 1u << REDUCE_TYPE_F32,
                       others = 1u << (REDUCE_TYPE_COUNT + REDUCE_TYPE_I64) | 1u << (2 * REDUCE_TYPE_COUNT);
        open_bed(&beds[0], compiler, "lab3", sums | others, write_sums);
        open_bed(&beds[1], compiler, "lab8", 3u << SCALAR_VARIANTS, write_orders);
        tcase_add_loop_test(tcase, counts_are_found, 0, SEEDS);
        tcase_add_loop_test(tcase, orders_are_found, 0, SEEDS);
        open_bed(&beds[2], compiler, "lab10", 9u << (SCALAR_VARIANTS + 2) | 1u << (SCALAR_VARIANTS + 7), write_pairs);
        LOOP(running_the_first_launch_alone_keeps_the_outcome, doubts);
        LOOP(the_smallest_case_is_found, limits);
        LOOP(exchanged_pairs_are_shown, exchanges);
        tcase_add_loop_test(tcase, reversed_comparisons_are_reported, 0, 2);
    } else
        printf("check_fate: neither nvcc nor clang: tests only descriptions\n");
    LOOP(counts_in_words, told);
    tcase_add_test(tcase, common_causes_are_reported);
    LOOP(orders_are_described, orders);
    LOOP(values_that_are_not_elements_are_reported, extras);
    LOOP(printed_lists_are_parsed_exactly, lists);
    tcase_add_test(tcase, equal_values_and_nans_differ);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    for (unsigned k = 0; k < sizeof beds / sizeof *beds; k++)
        if (beds[k].module) device_find("sim")->unload(beds[k].module), compiled_free(&beds[k].text);
    return failed != 0;
}
