/* Tests that golden records and records of grades match docs/result.schema.json, and that records of `grade run`
 * match docs/run.schema.json. */
/* run: sanitized, 6 s */
/* reads: grade docs solutions grader/tests/golden grader/tests/run grader/tests/beginner */
#include "compile/compiler.h"
#include "sandbox/process.h"
#include "tests/effort.h"
#include "tests/files.h"
#include "tests/schema.h"
#include "tests/suite.h"
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *load_json(const char *path) {
    json_error_t error;
    json_t *j = json_load_file(path, 0, &error);
    ck_assert_msg(j != NULL, "%s: %s", path, error.text);
    return j;
}

static void expect_valid(const json_t *record, bool valid, const char *name) {
    const char *title = json_string_value(json_object_get(record, "schema"));
    const bool run = title && !strncmp(title, "reduction-labs/run/", 19);
    json_t *schema = load_json(run ? "docs/run.schema.json" : "docs/result.schema.json");
    struct state s = {.root = schema};
    validate(&s, schema, record, "record");
    ck_assert_msg((s.wrong[0] == 0) == valid, "%s: %s", name, valid ? s.wrong : "valid, but should not be");
    json_decref(schema);
}

/* ---- records -------------------------------------------------------------------------------- */
static const char *const golden[] = {"full", "skeleton", "race", "classes", "build", "setup", "hostile"};
START_TEST(golden_records_are_valid) {
    char path[100];
    snprintf(path, sizeof path, "grader/tests/golden/%s.json", golden[_i]);
    json_t *r = load_json(path);
    expect_valid(r, true, golden[_i]);
    json_decref(r);
}
END_TEST
/* Changes of a valid record. Each makes the record invalid. */
static const struct {
    const char *field, *json;
} changes[] = {{"schema", "\"reduction-labs/result/1\""},
               {"schema", NULL},
               {"seed", "7"},
               {"seed", "\"x\""},
               {"score", "-1"},
               {"score", "0.5"},
               {"end", "\"done\""},
               {"tests", "[{}]"},
               {"tests", "{}"},
               {"lab", "{}"},
               {"build", NULL},
               {"tests",
                "[{\"id\":\"a\",\"title\":\"a\",\"status\":\"pass\",\"message\":\"\",\"points\":1,\"max_points\":1,"
                "\"timed\":{\"end\":\"fast\",\"message\":\"\"}}]"},
               {"source", "{\"a\":1}"},
               {"text", "1"},
               {"pictures", "{\"player\":{}}"},
               {"pictures", "{\"accesses\":[{\"line\":1}]}"}};
START_TEST(changed_records_are_invalid) {
    json_t *r = load_json("grader/tests/golden/race.json");
    if (changes[_i].json)
        json_object_set_new(r, changes[_i].field, json_loads(changes[_i].json, JSON_DECODE_ANY, NULL));
    else
        json_object_del(r, changes[_i].field);
    expect_valid(r, false, changes[_i].field);
    json_decref(r);
}
END_TEST
static const char *const runs[] = {"lab2",
                                   "lab3 --submission labs/none.cu",
                                   "lab1 --solution",
                                   "lab7 --solution",
                                   "lab3 --solution",
                                   "lab3 --submission README.md",
                                   "lab1 --solution --size 100"};
/* Asserts that the player of a correct kernel ends with the kernel's result, and that the lane map and the counts
 * agree on the number of active lanes. */
static void expect_pictures(const json_t *record, const char *words) {
    const json_t *pictures = json_object_get(record, "pictures"), *player = json_object_get(pictures, "player"),
                 *played = json_object_get(player, "steps"), *map = json_object_get(pictures, "lane_map");
    const json_t *last = json_array_get(played, json_array_size(played) - 1), *counted = NULL;
    bool arrived = false;
    size_t k, n;
    json_t *item, *mask;
    ck_assert_msg(json_equal(json_object_get(player, "result"), json_object_get(player, "expected")), "%s", words);
    json_array_foreach(json_object_get(last, "moves"), k, item) arrived |=
        json_object_get(item, "write") && json_equal(json_object_get(item, "value"), json_object_get(player, "result"));
    ck_assert_msg(arrived, "%s: no move of the last step writes the result", words);
    json_array_foreach(json_object_get(record, "tests"), k, item) if (json_object_get(item, "student")) counted =
        json_object_get(json_object_get(item, "student"), "steps");
    ck_assert_uint_eq(json_array_size(json_object_get(map, "steps")), json_array_size(counted));
    json_array_foreach(json_object_get(map, "steps"), k, item) {
        json_int_t active = 0;
        json_array_foreach(json_object_get(item, "active"), n, mask) active +=
            __builtin_popcountll((unsigned long long)json_integer_value(mask));
        ck_assert_int_eq(active, json_integer_value(json_object_get(json_array_get(counted, k), "active_lanes")));
    }
}
static const char *const kernel_runs[] = {
    "sum --grid 2 --block 64 --arg float[128]:iota --arg float[2]:out --arg 128",
    "racing --block 64 --arg float[70]:1 --arg float[2]:out --arg 64",
    "widths --block 7 --arg i8[9]:0 --arg u8[9]:3 --arg i16[7]:out --arg i64[7]:out --arg u64[90]:out",
    "say --arg null --arg nan", "sum --shared 232448 --arg null --arg null --arg 0"};
#ifdef __SANITIZE_ADDRESS__
enum { RUNS = 2 }; /* under sanitizers, a grade of a correct kernel takes seconds */
#else
enum { RUNS = sizeof runs / sizeof *runs };
#endif
static void check_run(const char *words_of_run) {
    char words[250];
    const char *grade = getenv("GRADE"), *argv[24] = {grade ? grade : "./grade"};
    unsigned n = 1;
    snprintf(words, sizeof words, "%s --json -", words_of_run);
    for (char *save = NULL, *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) argv[n++] = w;
    struct process_result p = process_run(argv, &(struct process_limits){.wall_seconds = 300});
    ck_assert_int_eq(p.end, PROCESS_EXITED);
    json_t *record = json_loads(p.output, 0, NULL);
    if (record)
        expect_valid(record, true, words_of_run);
    else /* after a failed setup, there may be no record, but there must be a message */
        ck_assert_msg(p.status == 3 && !strncmp(p.output, "grade: ", 7), "%s: exit %d: %.200s", words_of_run, p.status,
                      p.output);
    if (strstr(words_of_run, "--solution") && !strstr(words_of_run, "--size")) expect_pictures(record, words_of_run);
    json_decref(record);
    free(p.output);
}
/* A change of a correct file makes a case fail. The steps in the replay of this case must contain `shown`. */
static const struct {
    const char *file, *from, *to, *words, *shown;
} told[] = {
    /* two shuffles move a double; the step must show the double, not one of its halves */
    {"grader/tests/beginner/written/lab6.cu", "d >>= 1", "d >>= 5",
     "lab6 --case reduce/sum_f64/n=2/block=32/grid=1 --values 3,5", "thread 0: has 3, gets 0"},
    /* the step must show the operands in the order in which combine() got them */
    {"solutions/lab8_ordered/reduce.cu", "combine(s[k], s[k + stride])", "combine(s[k + stride], s[k])",
     "lab8 --case reduce/affine_u32/n=2/block=32/grid=1 --values 2:1,2:2",
     "s[1] = x -> 2*x + 2, s[0] = x -> 2*x + 1 -> s[0] = x -> 4*x + 5"},
    /* the step must show the value that the load returned, although memory now holds a different value; a flag is not
     * an operand */
    {"solutions/lab7_last_block/reduce.cu", "__threadfence(); // a block that", "// a block that",
     "lab7 --explain --case reduce/sum_i32/n=1/block=32/grid=2 --values 1 --schedule stale=49",
     "thread 0: partial[0] = -1515870811; line 16, thread 0: has -1515870811"},
    /* in the second launch of a cluster of 8 blocks, steps must use the names of arrays, and the last step must
     * write the total */
    {"solutions/lab11_cluster/reduce.cu", "cluster.sync(); // now", "// now",
     "lab11 --explain --case reduce/sum_i32/n=1/block=32/grid=1/cluster=1 --values 1", "writes total[0] = "},
};
/* Replaces each run of spaces and newlines with one space. Removes leading ones. */
static void squeeze(char *text) {
    char *to = text;
    for (const char *c = text; *c; c++)
        if (!strchr(" \n", *c))
            *to++ = *c;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = 0;
}
START_TEST(replays_show_what_happened) {
    char path[] = "/tmp/check-schema-XXXXXX.cu", words[300], *right = read_file(told[_i].file),
         *at = strstr(right, told[_i].from);
    const char *grade = getenv("GRADE"), *argv[24] = {grade ? grade : "./grade"};
    const int file = mkstemps(path, 3);
    unsigned n = 1;
    ck_assert_msg(file >= 0 && at, "row %d: no `%s`", _i, told[_i].from);
    dprintf(file, "#define SOLUTION\n%.*s%s%s", (int)(at - right), right, told[_i].to, at + strlen(told[_i].from));
    snprintf(words, sizeof words, "%s --submission %s --no-sandbox --no-fix --seed 7", told[_i].words, path);
    for (char *save = NULL, *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) argv[n++] = w;
    struct process_result p = process_run(argv, &(struct process_limits){.wall_seconds = 300});
    ck_assert(p.end == PROCESS_EXITED && p.output);
    squeeze(p.output);
    ck_assert_msg(strstr(p.output, told[_i].shown) != NULL, "no `%s` in %.3000s", told[_i].shown, p.output);
    close(file), unlink(path), free(right), free(p.output);
}
END_TEST
START_TEST(records_of_runs_are_valid) { check_run(runs[_i]); }
END_TEST
START_TEST(records_of_kernels_are_valid) {
    char words[200];
    snprintf(words, sizeof words, "run grader/tests/run/kernels.ptx %s", kernel_runs[_i]);
    check_run(words);
}
END_TEST

#define LOOP(test, rows) tcase_add_loop_test(tcase, test, 0, sizeof rows / sizeof *rows)
int main(void) {
    Suite *suite = suite_create("schema");
    TCase *tcase = tcase_create("schema");
    tcase_set_timeout(tcase, 300);
    LOOP(golden_records_are_valid, golden);
    LOOP(changed_records_are_invalid, changes);
    add_rows(tcase, records_of_kernels_are_valid, sizeof kernel_runs / sizeof *kernel_runs, 2);
    char why[300];
    const bool compiles = compiler_find("auto", why, sizeof why);
    if (compiles) add_rows(tcase, records_of_runs_are_valid, RUNS, effort(3, 2));
    if (compiles) add_rows(tcase, replays_show_what_happened, sizeof told / sizeof *told, 2);
    if (!compiles) printf("SKIP check_schema records_of_runs_are_valid: %s\n", why);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
