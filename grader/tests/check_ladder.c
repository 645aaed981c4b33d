/* Tests `./grade ladder` by running the command and reading its JSON. For many sizes, every row must be correct and
 * without findings. The numbers of launches and steps must match the theory, and the record its schema. Also tests
 * the options. `make test` tests a few sizes; EVERY=1 tests all. */
/* run: plain, 12 s */
/* reads: grade docs/ladder.schema.json */
#include "tests/effort.h"
#include "tests/files.h"
#include "sandbox/process.h"
#include "tests/quick.h"
#include "tests/schema.h"
#include "judge/judge.h"
#include "tests/suite.h"
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static int run_ladder(const char *arguments, char *output, size_t size) {
    char script[600];
    snprintf(script, sizeof script, "\"$GRADE\" ladder %s", arguments);
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = size - 1};
    const struct process_result r = process_run(argv, &limits);
    snprintf(output, size, "%s", r.output ? r.output : "");
    free(r.output);
    return r.end == PROCESS_EXITED ? r.status : -1;
}
static json_t *ladder(const char *arguments, int wanted) {
    static char output[1 << 17];
    char with[400];
    json_error_t error;
    snprintf(with, sizeof with, "%s --json -", arguments);
    ck_assert_int_eq(run_ladder(with, output, sizeof output), wanted);
    json_t *record = json_loads(output, 0, &error);
    ck_assert_msg(record != NULL, "%s: %s in %.300s", arguments, error.text, output);
    struct state s = {.root = json_load_file("docs/ladder.schema.json", 0, NULL)};
    ck_assert(s.root != NULL);
    validate(&s, s.root, record, "record");
    ck_assert_msg(!s.wrong[0], "%s: %s", arguments, s.wrong);
    json_decref((json_t *)s.root);
    return record;
}
static const json_t *ladder_row(const json_t *record, const char *id) {
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(record, "rows"), k,
                       row) if (!strcmp(json_string_value(json_object_get(row, "id")), id)) return row;
    ck_abort_msg("no row %s", id);
}
static long long integer_of(const json_t *row, const char *key) {
    return (long long)json_integer_value(json_object_get(row, key));
}

/* Expected numbers for n = 2^16. */
static const struct {
    const char *id;
    long long launches, steps, divergent; /* -1 if there is no theoretical number */
} theory[] = {
    {"A4", 1, 0, 0},   {"A5", 16, -1, -1}, {"A6", 1, 16, 5},  {"A7", 1, 8, 5},   {"B1", 2, 9, 8},   {"B1'", 2, 8, 8},
    {"B2", 2, 9, 5},   {"B3", 2, 9, 5},    {"B4", 1, 10, 5},  {"B6", 2, 10, 5},  {"B7", 4, 3, 0},   {"C1", 1, 9, 5},
    {"C2", 2, -1, -1}, {"C3", 2, 8, 5},    {"C4", 1, 8, 5},   {"C5", 1, -1, -1}, {"C6", 1, -1, -1}, {"D1", 2, 5, 5},
    {"D2", 2, -1, -1}, {"D7", 2, 5, 0},    {"D8", 2, -1, -1}, {"E1", 1, 2, 1},   {"E8", 2, -1, -1},
};
static void launches_and_steps_are_those_of_theory(const json_t *record) {
    for (size_t k = 0; k < sizeof theory / sizeof *theory; k++) {
        const json_t *row = ladder_row(record, theory[k].id);
        ck_assert_msg(integer_of(row, "launches") == theory[k].launches, "%s: %lld launches", theory[k].id,
                      integer_of(row, "launches"));
        if (theory[k].steps < 0) continue;
        ck_assert_msg(integer_of(row, "tree_steps") == theory[k].steps &&
                          integer_of(row, "divergent_steps") == theory[k].divergent,
                      "%s: %lld of %lld steps diverge", theory[k].id, integer_of(row, "divergent_steps"),
                      integer_of(row, "tree_steps"));
    }
}
static double error_of(const json_t *record, const char *id) {
    return json_number_value(json_object_get(ladder_row(record, id), "error"));
}
/* For 8,000 terms near 1000, a sequential float sum has a far larger error than a tree. A format with fewer bits
 * also increases the error: each element is off by up to 1/4 (tf32, f16) or 2 (bf16), but most of these errors
 * cancel. */
static void a_sum_is_as_exact_as_its_format_and_order(const json_t *record) {
    static const struct {
        const char *id;
        double most;
    } rounded[] = {{"E4", 0.25e-3}, {"E7", 0.25e-3}, {"E7'", 2e-3}};
    const double serial = error_of(record, "A1");
    ck_assert_double_eq(serial, error_of(record, "A4"));
    ck_assert_double_gt(serial, 4 * error_of(record, "B1"));
    ck_assert_double_gt(serial, 4 * error_of(record, "B2"));
    for (size_t k = 0; k < sizeof rounded / sizeof *rounded; k++) {
        ck_assert_double_gt(error_of(record, rounded[k].id), 4 * error_of(record, "E5"));
        ck_assert_double_lt(error_of(record, rounded[k].id), rounded[k].most);
    }
}
/* Grids that fill the GPU take long for any n, so their rows run only for some sizes. */
#define FEW_BLOCKS "--rows \"A1,A2,A3,A4,A5,A6,B1,B1',B2,B3,B4,B5,B6,B7,C1,C2,C4,C8,D7,D8\""
static const struct {
    const char *arguments;
    unsigned rows, left_out; /* left_out: rows that have no kernel for the operator and type */
    void (*further)(const json_t *record);
    const char *of_labs; /* instead of `rows`: name of an operator and type; there must be a row for each lab that
                            supports it */
} sizes[] = {
    {"-n 1 --op sum_i32 " FEW_BLOCKS, 20},
    {"-n 2 --op min_f32 " FEW_BLOCKS, 20, 1},
    {"-n 31 --op sum_i32 " FEW_BLOCKS, 20},
    {"-n 33 --op sum_f32", 40, 1},
    {"-n 255 --op min_f32 " FEW_BLOCKS, 20, 1},
    {"-n 1000 --op product_f64", 40, 5},
    {"-n 4097 --op min_f32", 40, 5},
    {"-n 40001 --op sum_i32", 40, 3},
    {"-n 8000 --near-1000", 40, 1, a_sum_is_as_exact_as_its_format_and_order},
    {"-n 2 --op max_u32 --rows E1,E5,E6", 3},
    {"-n 65536 --op sum_i32 --rows \"A4,A5,A6,A7,B1,B1',B2,B3,B4,B6,B7,C1,C2,C3,C4,C5,C6,D1,D2,D7,D8,E1,E8\"", 23, 0,
     launches_and_steps_are_those_of_theory},
    {"-n 40001 --op sum_i32 --solutions", .of_labs = "sum_i32"},
    {"-n 40001 --op sum_f32 --solutions --rows lab9,lab11,lab12", 3},
    {"-n 1 --solutions", .of_labs = "sum_f32"},
    {"-n 5000 --op argmin_f64 --solutions", .of_labs = "argmin_f64"},
    {"-n 5000 --op argmax_f32 --solutions --rows lab10,lab3", 1},
    {"-n 3000 --op affine_u32 --solutions", .of_labs = "affine_u32"},
};
static const char *given; /* value of CUDA for rows with `further`; other rows use a faster compiler */
static unsigned labs_with(const char *name) {
    unsigned count = 0;
    struct variant v;
    ck_assert(variant_find(name, strlen(name), &v));
    for (unsigned k = 0; k < lab_row_count; k++) {
        const struct lab_kernel *kernel = lab_rows[k]->kernels;
        count += !kernel->second && !kernel->arrays && case_kernel_takes(lab_rows[k], kernel, v);
    }
    ck_assert_uint_gt(count, 0);
    return count;
}
START_TEST(every_row_is_right) {
    if (sizes[_i].further) setenv("CUDA", given, 1);
    const char *arguments = sizes[_i].arguments;
    json_t *record = ladder(arguments, 0), *row;
    size_t k, run = 0;
    json_array_foreach(json_object_get(record, "rows"), k, row) {
        const char *id = json_string_value(json_object_get(row, "id"));
        ck_assert_msg(integer_of(row, "findings") == 0, "%s: %s has findings", arguments, id);
        run += !json_object_get(row, "skipped");
    }
    const unsigned rows = sizes[_i].of_labs ? labs_with(sizes[_i].of_labs) : sizes[_i].rows;
    ck_assert_uint_eq(json_array_size(json_object_get(record, "rows")), rows);
    ck_assert_uint_eq(run, rows - sizes[_i].left_out);
    if (sizes[_i].further) sizes[_i].further(record);
    json_decref(record);
}
END_TEST

/* If the operator does not commute, rows that do not keep operands in order are wrong. */
static const struct {
    const char *arguments;
    unsigned lost; /* minimum number of wrong rows */
} not_commuting[] = {{"-n 2100 --op affine_u32 --rows A1,A4,A6,B1,B2,B5,C5,C6,D6,D7", 4},
                     {"-n 2100 --op matrix_u32", 15}};
START_TEST(rows_keep_or_lose_order_as_declared) {
    json_t *record = ladder(not_commuting[_i].arguments, 0), *row;
    size_t k, lost = 0;
    json_array_foreach(json_object_get(record, "rows"), k, row) {
        const bool ordered = json_is_true(json_object_get(row, "ordered")),
                   other = json_is_true(json_object_get(row, "order_lost"));
        if (json_object_get(row, "skipped")) continue;
        ck_assert_msg(ordered != other, "%s: %s", not_commuting[_i].arguments,
                      json_string_value(json_object_get(row, "id")));
        ck_assert_int_eq(integer_of(row, "findings"), 0);
        lost += other;
    }
    ck_assert_uint_ge(lost, not_commuting[_i].lost);
    json_decref(record);
}
END_TEST

static void expect_xml(const char *text) {
    char script[200], path[] = "/tmp/check-ladder-XXXXXX";
    const int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && !close(fd));
    snprintf(script, sizeof script, "command -v xmllint >/dev/null || { echo none; exit 0; }; xmllint --noout %s",
             path);
    const struct process_result r = process_run((const char *const[]){"sh", "-c", script, NULL},
                                                &(struct process_limits){.wall_seconds = 60, .output_bytes = 4000});
    unlink(path);
    ck_assert_msg(r.status == 0, "%s", r.output);
    if (strstr(r.output, "none")) printf("SKIP check_ladder expect_xml: xmllint not found\n");
    free(r.output);
}
START_TEST(the_picture_is_well_formed) {
    static char output[1 << 17];
    ck_assert_int_eq(run_ladder("-n 2000 --rows A1,A2,B1,C4,C8,D7 --svg -", output, sizeof output), 0);
    /* bars would need a baseline, which a logarithmic scale lacks */
    ck_assert(strstr(output, "<circle") && !strstr(output, "<rect"));
    expect_xml(output);
}
END_TEST
/* Too few blocks leave the GPU partly idle, and too many increase overhead. The picture's axis must begin at 0. */
START_TEST(sweep_has_a_minimum) {
    char path[] = "/tmp/check-ladder-XXXXXX", arguments[100];
    const int fd = mkstemp(path);
    ck_assert(fd >= 0 && !close(fd));
    snprintf(arguments, sizeof arguments, "--sweep -n 300000 --svg %s", path);
    json_t *record = ladder(arguments, 0), *row;
    double least = HUGE_VAL, first = 0, last = 0;
    size_t k;
    json_array_foreach(json_object_get(record, "rows"), k, row) {
        last = json_number_value(json_object_get(row, "modeled_us"));
        if (!k) first = last;
        if (last < least) least = last;
    }
    ck_assert_double_gt(first, 1.3 * least);
    ck_assert_double_gt(last, 1.3 * least);
    json_decref(record);
    char *picture = read_file(path);
    ck_assert(strstr(picture, "<svg") && strstr(picture, ">0 us<"));
    unlink(path);
    expect_xml(picture);
    free(picture);
}
END_TEST

static const struct {
    const char *arguments;
    int status;
    const char *says;
} uses[] = {
    {"--rows B1,B9", 2, "no row `B9`"},
    {"--op own", 2, "no operator and type `own`"},
    {"--op argmin_i32", 2, "no operator and type `argmin_i32`"},
    {"--op avg_f32", 2, "no operator and type `avg_f32`"},
    {"-n 0", 2, "--size must be a number from 1"},
    {"-n 99999999999", 2, "--size must be a number from 1"},
    {"--cpu -n 4097", 0, "sum_f32 of 4097 elements on cpu; measured read bandwidth "},
    {"--cpu --sweep", 2, "cannot be combined"},
    {"--solutions --sweep", 2, "cannot be combined"},
    {"--solutions --rows lab3,lab99", 2, "no row `lab99`: the rows are lab0 to lab1"},
    {"--solutions --op argmin_u32", 2, "or argmin or argmax"},
    {"--solutions --rows lab2,lab9 -n 64", 0, "lab9 As fast as memory allows"},
    {"lab3", 2, "unexpected argument `lab3`"},
    {"--device nope -n 5", 2, "no device `nope`"},
    {"-n 5 --rows B1 --csv x.cu", 2, "--csv would overwrite `x.cu`, which is input"},
    {"-n 5 --rows B1 --csv - --json -", 2, "cannot both go to standard output"},
    {"-n 5 --rows B1 --csv /nowhere/x", 3, "/nowhere/x: cannot be written"},
    {"-n 64 --rows B1 --csv -", 0, "B1,\"interleaved tree, t % stride == 0\",sum_f32,64,sim,1,1,"},
    {"-n 64 --rows B1 --svg -", 0, "<svg xmlns="},
    {"-n 64 --rows C4 --op product_f64", 0, "left out: the hardware has no atomic"},
    {"-n 64 --rows E1,E2 --op product_i32", 0, "left out: supports only sum, min and max of 32-bit integers"},
    {"-n 64 --rows E2,E4 --op sum_f64", 0, "left out: supports only sums of 32-bit floats"},
    {"-n 64 --rows E7 --op min_f32", 0, "left out: supports only sums of 32-bit floats; the host first rounds the"},
    {"-n 64 --rows A1,C8", 0, "C8  16-byte loads, four in flight"},
};
START_TEST(options_work_as_documented) {
    char output[1 << 14];
    const int status = run_ladder(uses[_i].arguments, output, sizeof output);
    ck_assert_msg(status == uses[_i].status && strstr(output, uses[_i].says), "%s: exit %d, %s", uses[_i].arguments,
                  status, output);
}
END_TEST
int main(void) {
    const char *quick = quick_compiler();
    given = strdup(getenv("CUDA") ? getenv("CUDA") : "auto");
    if (setenv("CUDA", quick, 1)) return 1;
    Suite *suite = suite_create("ladder");
    TCase *t = tcase_create("ladder");
    suite_add_tcase(suite, t);
    tcase_set_timeout(t, 300);
    add_rows(t, every_row_is_right, sizeof sizes / sizeof *sizes, 4);
    add_rows(t, rows_keep_or_lose_order_as_declared, sizeof not_commuting / sizeof *not_commuting, 2);
    tcase_add_test(t, sweep_has_a_minimum);
    add_rows(t, options_work_as_documented, sizeof uses / sizeof *uses, 3);
    tcase_add_test(t, the_picture_is_well_formed);
    return suite_failures(suite) != 0;
}
