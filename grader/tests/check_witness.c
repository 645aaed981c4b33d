/* Tests how races are demonstrated. A grade names two orders of execution with different results. Replaying each
 * order must give the reported result. The rows are solutions with one mistake. `make test` grades one row in five,
 * and EVERY=1 all. */
/* run: plain, 12 s */
#include "tests/effort.h"
#include "tests/files.h"
#include "compile/compiler.h"
#include "sandbox/process.h"
#include "sim/sim.h"
#include "tests/quick.h"
#include "tests/suite.h"
#include <check.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/check-witness-XXXXXX";
static const struct process_limits limits = {.wall_seconds = 120, .output_bytes = 1 << 22};

/* ---- schedules as text ----------------------------------------------------------------------- */
static const struct {
    const char *text, *again; /* the schedule as it is printed; NULL if `text` is invalid */
} texts[] = {
    {"rising", "rising"},
    {"falling", "falling"},
    {"warp=1", "warp=1"},
    {"stale=17,block=2", "block=2,stale=17"},
    {"falling,lane=31", "falling,lane=31"},
    {"block=0,warp=31,lane=0,stale=1", "block=0,warp=31,lane=0,stale=1"},
    {"warp=32", NULL},
    {"lane=-1", NULL},
    {"stale=0", NULL},
    {"warp=", NULL},
    {"warp=1,", NULL},
    {",warp=1", NULL},
    {"warp", NULL},
    {"rising,warp=1", NULL},
    {"block=99999999999", NULL},
    {"warp=1x", NULL},
};
START_TEST(schedules_are_parsed_and_printed) {
    struct sim_schedule s;
    char out[SIM_SCHEDULE_TEXT];
    const bool is_one = sim_schedule_parse(&s, texts[_i].text);
    ck_assert_msg(is_one == (texts[_i].again != NULL), "`%s`", texts[_i].text);
    if (is_one) ck_assert_str_eq(sim_schedule_print(&s, out, sizeof out), texts[_i].again);
}
END_TEST
START_TEST(empty_schedules_select_nothing) {
    struct sim_schedule s = {.chosen = true};
    ck_assert(sim_schedule_parse(&s, NULL) && !s.chosen);
    s.chosen = true;
    ck_assert(sim_schedule_parse(&s, "") && !s.chosen);
}
END_TEST

/* ---- grades ---------------------------------------------------------------------------------- */
static const struct {
    const char *lab, *from, *to, *kind;
    /* the schedule in the finding's replay begins with this; NULL if no order changes the result */
    const char *schedule;
} rows[] = {
    {"lab3", "        __syncthreads();\n", "", "race-shared", ""},
    {"lab2", "        __syncthreads();\n", "", "race-warp", ""},
    {"lab7", "        __threadfence(); // a block that draws a later ticket also sees the partial\n", "", "race-blocks",
     "stale="},
    {"lab7", "\n    __threadfence(); // orders the ticket before the loads of the partials\n", "\n", "race-blocks",
     "stale="},
    {"lab5", "        __syncwarp();\n", "", "race-warp", "lane="},
    {"lab1", "2 * (blockIdx.x * blockDim.x + t)", "2 * t + blockIdx.x * blockDim.x", "race-blocks", ""},
    {"lab3", "    if (t == 0) partial[blockIdx.x] = s[0]", /* all threads write the element, and none reads it */
     "    s[2 * blockDim.x - 1] = value_t(t);\n    if (t == 0) partial[blockIdx.x] = s[0]", "race-shared", NULL},
};
static struct process_result shell(const char *script) {
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct process_result p = process_run(argv, &limits);
    ck_assert_msg(p.end == PROCESS_EXITED, "%s: did not exit", script);
    return p;
}
static void hand_in(int k, char *path, size_t size) {
    char pattern[100], *whole = NULL;
    glob_t found;
    snprintf(pattern, sizeof pattern, "solutions/%s_*/reduce.cu", rows[k].lab);
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    char *text = read_file(found.gl_pathv[0]), *at = strstr(text, rows[k].from);
    globfree(&found);
    ck_assert_msg(at != NULL, "%s: no `%s` in the solution", rows[k].lab, rows[k].from);
    const int length =
        asprintf(&whole, "#define SOLUTION\n%.*s%s%s", (int)(at - text), text, rows[k].to, at + strlen(rows[k].from));
    snprintf(path, size, "%s/%d.cu", folder, k);
    write_file(path, whole, (size_t)length);
    free(text);
    free(whole);
}
static const char *string(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}
static json_t *find_finding(const json_t *record, const char *kind) {
    size_t k, n;
    json_t *t, *f;
    json_array_foreach(json_object_get(record, "tests"), k, t)
        json_array_foreach(json_object_get(t, "findings"), n, f) if (!strcmp(string(f, "kind"), kind)) return f;
    return NULL;
}
/* Asserts that a run's command reproduces the run's result. */
static void replay(const json_t *run) {
    char script[1000];
    const char *command = string(run, "replay");
    ck_assert_msg(!strncmp(command, "./grade ", 8), "%s", command);
    snprintf(script, sizeof script, "\"$GRADE\" %s --device sim --no-sandbox --json -", command + 8);
    const struct process_result p = shell(script);
    if (json_is_true(json_object_get(run, "right"))) {
        ck_assert_msg(strstr(p.output, "the case is right"), "%s\n%.3000s", script, p.output);
    } else {
        char said[200];
        const bool unwritten = strstr(string(run, "result"), "never written");
        snprintf(said, sizeof said, "%s%s", unwritten ? "" : "got ",
                 unwritten ? "never written" : string(run, "result"));
        ck_assert_msg(strstr(p.output, said), "%s: no `%s` in\n%.3000s", script, said, p.output);
    }
    free(p.output);
}
/* Asserts that the page plays a run that fails: a case that failed, or the order that demonstrates the race. */
static void expect_played(const json_t *record, const json_t *wrong) {
    const json_t *player = json_object_get(json_object_get(record, "pictures"), "player");
    const char *order = string(player, "order");
    ck_assert_str_ne(string(player, "result"), string(player, "expected"));
    if (*order) ck_assert_str_eq(order, string(wrong, "order"));
}
START_TEST(races_are_demonstrated) {
    char path[200], script[600];
    hand_in(_i, path, sizeof path);
    snprintf(script, sizeof script,
             "\"$GRADE\" %s --submission %s --device sim --no-sandbox --no-fix --seed 7 --json -", rows[_i].lab, path);
    const struct process_result p = shell(script);
    json_t *record = json_loads(p.output, 0, NULL);
    ck_assert_msg(record != NULL, "%s\n%.2000s", script, p.output);
    const json_t *f = find_finding(record, rows[_i].kind), *w = json_object_get(f, "witness"),
                 *runs = json_object_get(w, "runs");
    ck_assert_msg(f && w, "%s: no demonstrated %s in %.2000s", script, rows[_i].kind, p.output);
    ck_assert_int_gt(json_integer_value(json_object_get(w, "tried")), 1);
    if (!rows[_i].schedule) {
        ck_assert_uint_eq(json_array_size(runs), 0);
        ck_assert_ptr_nonnull(strstr(string(w, "message"), "execution orders changed the result"));
    } else {
        const json_t *a = json_array_get(runs, 0), *b = json_array_get(runs, 1);
        ck_assert_uint_eq(json_array_size(runs), 2);
        ck_assert_str_ne(string(a, "result"), string(b, "result"));
        ck_assert_msg(!strncmp(string(b, "schedule"), rows[_i].schedule, strlen(rows[_i].schedule)), "%s",
                      string(b, "schedule"));
        ck_assert_str_eq(string(f, "replay"), string(b, "replay"));
        ck_assert_ptr_nonnull(strstr(string(w, "message"), string(b, "result")));
        if (!strcmp(rows[_i].schedule, "stale=")) /* the message names the thread that read the stale value and the
                                                     thread that wrote the new one */
            ck_assert_msg(strstr(string(w, "message"), ", because block ") &&
                              strstr(string(w, "message"), " read partial[") &&
                              strstr(string(w, "message"), "] as it was before block ") &&
                              strstr(string(w, "message"), " wrote it at line "),
                          "%s", string(w, "message"));
        replay(a), replay(b);
        expect_played(record, b);
    }
    json_decref(record);
    free(p.output);
}
END_TEST
/* ./grade run also accepts a schedule. With stale=23, the last block reads partials that have not arrived. */
START_TEST(run_accepts_schedules) {
    const char *const launch =
        "\"$GRADE\" run grader/tests/wrong_kernels/last_block_no_fence.cu kernel --grid 4 --block 32 --arg "
        "'float[128]:iota' --arg 'float[4]:out' --arg 'float[1]:out' --device sim --schedule %s";
    char script[600];
    const struct {
        const char *schedule, *text;
        bool has;
    } runs[] = {{"rising", "[0] 8128", true}, {"stale=23", "[0] 8128", false}, {"warp=99", "--schedule takes", true}};
    for (unsigned k = 0; k < sizeof runs / sizeof *runs; k++) {
        snprintf(script, sizeof script, launch, runs[k].schedule);
        const struct process_result p = shell(script);
        ck_assert_msg(!strstr(p.output, runs[k].text) == !runs[k].has, "%s\n%.2000s", script, p.output);
        free(p.output);
    }
}
END_TEST

int main(void) {
    char why[200];
    if (!compiler_find("auto", why, sizeof why)) {
        puts("SKIP check_witness: grades of wrong solutions: neither nvcc nor clang");
        return 0;
    }
    if (!mkdtemp(folder) || setenv("GRADE", "./grade", 0) || setenv("CUDA", quick_compiler(), 1)) return 1;
    Suite *suite = suite_create("witness");
    TCase *tests = tcase_create("witness");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, schedules_are_parsed_and_printed, 0, sizeof texts / sizeof *texts);
    tcase_add_test(tests, empty_schedules_select_nothing);
    add_rows(tests, races_are_demonstrated, sizeof rows / sizeof *rows, 5);
    tcase_add_test(tests, run_accepts_schedules);
    suite_add_tcase(suite, tests);
    const int failed = suite_failures(suite);
    char script[100];
    snprintf(script, sizeof script, "rm -r %s", folder);
    free(process_run((const char *const[]){"sh", "-c", script, NULL}, &limits).output);
    return failed ? 1 : 0;
}
