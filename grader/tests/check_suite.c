/* Tests how the checks of a lab run in a Check suite: the result for each way in which a check can end, skipped
 * checks, parallel checks, the points, and the advice. */
/* run: sanitized, 5 s */
#include "base/cores.h"
#include "judge/judge.h"
#include "tests/suite.h"
#include <check.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- checks, one for each way to end ------------------------------------------------------------ */
static void passes(struct judge *j, json_t *result) { (void)j, result_pass(result, "right"); }
static void fails(struct judge *j, json_t *result) { (void)j, result_fail(result, "wrong"); }
static void half(struct judge *j, json_t *result) { fails(j, result), result_share(result, 0.5); }
static void skips(struct judge *j, json_t *result) { (void)j, result_skip(result, "nothing selected"); }
static void has_no_setup(struct judge *j, json_t *result) { (void)j, result_setup(result, "no GPU"); }
static void asserts(struct judge *j, json_t *result) {
    passes(j, result);
    ck_assert_int_eq(1 + 1, 3);
}
static void says_nothing(struct judge *j, json_t *result) { (void)j, (void)result; }
static void leaves(struct judge *j, json_t *result) { passes(j, result), exit(0); }
static void crashes(struct judge *j, json_t *result) { passes(j, result), raise(SIGILL); }
static void spends(struct judge *j, json_t *result) { passes(j, result), raise(SIGXCPU); }
static void waits(struct judge *j, json_t *result) { passes(j, result), sleep(60); }
static void finds(struct judge *j, json_t *result) {
    fails(j, result);
    json_object_set_new(result, "findings",
                        json_pack("[{s:s, s:s, s:s, s:s, s:i, s:{s:s, s:i}}]", "kind", "race", "severity", "error",
                                  "title", "race", "message", "a race", "rank", 1, "at", "file", "x", "line", 1));
}
static const struct check_kind of_passes[1] = {{passes}}, of_fails[1] = {{fails}}, of_half[1] = {{half}},
                               of_skips[1] = {{skips}}, of_has_no_setup[1] = {{has_no_setup}},
                               of_asserts[1] = {{asserts}}, of_says_nothing[1] = {{says_nothing}},
                               of_leaves[1] = {{leaves}}, of_crashes[1] = {{crashes}}, of_finds[1] = {{finds}},
                               of_spends[1] = {{spends}}, of_waits[1] = {{waits}},
                               of_cases[1] = {{passes, .cases = CASES_ONE_BLOCK}};

static const struct lab_check checks[] = {
    {"passes", "passes", 10, NULL, of_passes},
    {"fails", "fails: so it does", 10, NULL, of_fails},
    {"half", "half", 9, NULL, of_half},
    {"skips", "skips", 10, NULL, of_skips},
    {"setup", "setup", 10, NULL, of_has_no_setup},
    {"asserts", "asserts", 10, NULL, of_asserts},
    {"nothing", "nothing", 10, NULL, of_says_nothing},
    {"leaves", "leaves", 10, NULL, of_leaves},
    {"crashes", "crashes", 10, NULL, of_crashes},
    {"after-pass", "after", 10, "passes", of_passes},
    {"after-skip", "after", 10, "skips", of_passes},
    {"after-fail", "after", 10, "fails", of_passes},
    {"explains", "explains", 10, "fails", of_finds, .explains = true},
    {"explains-not", "explains not", 10, "fails", of_fails, .explains = true},
    {"cases", "cases", 10, NULL, of_cases},
    {"spends", "spends", 10, NULL, of_spends},
};
enum { COUNT = sizeof checks / sizeof *checks };
static const struct expected {
    enum check_status status;
    int points;
    const char *message; /* beginning of the message */
} expected[COUNT] = {
    {STATUS_PASS, 10, "right"},
    {STATUS_FAIL, 0, "wrong"},
    {STATUS_FAIL, 4, "wrong"},
    {STATUS_SKIPPED, 0, "nothing selected"},
    {STATUS_SETUP, 0, "no GPU"},
    {STATUS_FAIL, 0, "Assertion '1 + 1 == 3' failed"},
    {STATUS_FAIL, 0, "no verdict"},
    {STATUS_ERROR, 0, "the check did not finish: its process exited with status 0"},
    {STATUS_ERROR, 0, "the check did not finish: signal 4 "},
    {STATUS_PASS, 10, "right"},
    {STATUS_PASS, 10, "right"},
    {STATUS_PASS, 0, "right; fewer points, because an earlier check lost points"},
    {STATUS_FAIL, 0, "wrong"},
    {STATUS_FAIL, 0, "wrong"},
    {STATUS_PASS, 10, "right"},
    {STATUS_ERROR, 0, "the check did not finish: signal 24 "},
};
static const struct lab lab = {.id = "lab99", .name = "ends", .title = "Ends", .checks = checks, .check_count = COUNT};

static json_t *judged(const struct lab *l, const struct judge_options *o) {
    char source[] = "";
    struct judge j = {.options = o, .lab = l, .student.text.source_text = source};
    json_t *record = json_object();
    judge_checks(&j, record);
    return record;
}
static const struct judge_options plain = {
    .lab = &lab, .shown = "x", .replay_options = "", .solution = true, .only_size = UINT32_MAX};

/* ---- tests ---------------------------------------------------------------------------------- */
START_TEST(every_end_of_a_check_is_reported) {
    json_t *record = judged(&lab, &plain), *tests = json_object_get(record, "tests");
    int points = 0;
    ck_assert_uint_eq(json_array_size(tests), COUNT);
    for (unsigned k = 0; k < COUNT; k++) {
        const json_t *t = json_array_get(tests, k);
        const char *message = json_string_value(json_object_get(t, "message"));
        ck_assert_str_eq(json_string_value(json_object_get(t, "id")), checks[k].id);
        ck_assert_msg(check_status_of(t) == expected[k].status, "%s: %s", checks[k].id, message);
        ck_assert_msg(message && !strncmp(message, expected[k].message, strlen(expected[k].message)), "%s: %s",
                      checks[k].id, message);
        ck_assert_int_eq(json_integer_value(json_object_get(t, "points")), expected[k].points);
        points += expected[k].points;
    }
    ck_assert_int_eq(json_integer_value(json_object_get(record, "score")), points);
    ck_assert_int_eq(grade_end_of(record), END_SETUP);
    json_decref(record);
}
END_TEST
static enum grade_end end_with(const struct lab_check *rows, unsigned count, const struct judge_options *o) {
    struct lab few = lab;
    few.checks = rows, few.check_count = count;
    json_t *record = judged(&few, o);
    const enum grade_end end = grade_end_of(record);
    json_decref(record);
    return end;
}
START_TEST(points_determine_the_end_of_a_grade) {
    ck_assert_int_eq(end_with(checks, 1, &plain), END_FULL);
    ck_assert_int_eq(end_with(checks, 2, &plain), END_PARTIAL);
    ck_assert_int_eq(end_with(checks, 5, &plain), END_SETUP);
}
END_TEST
/* With more than one core, a check may start before the checks that it needs have ended. In this test, `hears` waits
 * for a later check, which needs `hears`. */
static int channel[2];
static void hears(struct judge *j, json_t *result) {
    struct pollfd heard = {.fd = channel[0], .events = POLLIN};
    (void)j;
    if (poll(&heard, 1, 10000) == 1)
        result_pass(result, "heard");
    else
        result_fail(result, "nothing heard");
}
static void speaks(struct judge *j, json_t *result) {
    passes(j, result);
    if (write(channel[1], "", 1) != 1) result_fail(result, "not said");
}
START_TEST(checks_start_before_prerequisites_end) {
    static const struct check_kind of_hears[1] = {{hears}}, of_speaks[1] = {{speaks}};
    static const struct lab_check rows[] = {{"first", "first", 10, NULL, of_passes},
                                            {"hears", "hears", 10, "first", of_hears},
                                            {"speaks", "speaks", 10, "hears", of_speaks}};
    if (cores_allowed() < 2) return;
    ck_assert_int_eq(pipe(channel), 0);
    ck_assert_int_eq(end_with(rows, 3, &plain), END_FULL);
    close(channel[0]), close(channel[1]);
}
END_TEST
/* A timeout by wall-clock time proves nothing about the submission. The grade is therefore a setup failure, and no
 * further check starts. */
START_TEST(wall_clock_timeouts_give_no_verdict) {
    static const struct lab_check rows[] = {{"passes", "passes", 10, NULL, of_passes},
                                            {"waits", "waits", 10, NULL, of_waits},
                                            {"after", "after", 10, NULL, of_waits}};
    static const char *const said[] = {"right", "seconds of wall-clock time", "not run: the machine is too busy"};
    struct lab few = lab;
    few.checks = rows, few.check_count = 3;
    setenv("CK_TIMEOUT_MULTIPLIER", "0.003", 1);
    json_t *record = judged(&few, &plain);
    unsetenv("CK_TIMEOUT_MULTIPLIER");
    for (unsigned k = 0; k < 3; k++) {
        const json_t *t = json_array_get(json_object_get(record, "tests"), k);
        const char *message = json_string_value(json_object_get(t, "message"));
        ck_assert_int_eq(check_status_of(t), k ? STATUS_SETUP : STATUS_PASS);
        ck_assert_msg(strstr(message, said[k]), "%s", message);
    }
    ck_assert_int_eq(grade_end_of(record), END_SETUP);
    json_decref(record);
}
END_TEST
/* A replay runs cases and skips all other checks. The record's end says whether the cases are correct. */
START_TEST(replays_run_only_cases) {
    struct judge_options replay = plain;
    replay.only_block = 64;
    json_t *record = judged(&lab, &replay);
    for (unsigned k = 0; k < COUNT; k++)
        ck_assert_int_eq(check_status_of(json_array_get(json_object_get(record, "tests"), k)),
                         checks[k].kind == of_cases ? STATUS_PASS : STATUS_SKIPPED);
    ck_assert(json_is_true(json_object_get(record, "replay")));
    ck_assert_int_eq(grade_end_of(record), END_FULL);
    json_decref(record);
}
END_TEST
/* Check writes its messages to a file. If it cannot write the file, there is no verdict. */
START_TEST(full_disks_are_setup_failures) {
    setenv("TEMP", "/no/such/folder", 1);
    json_t *record = judged(&lab, &plain);
    unsetenv("TEMP");
    const json_t *t = json_array_get(json_object_get(record, "tests"), 0);
    const char *message = json_string_value(json_object_get(t, "message"));
    ck_assert_int_eq(check_status_of(t), STATUS_SETUP);
    ck_assert_msg(!strncmp(message, "a check could not write a file to /tmp", 38), "%s", message);
    ck_assert_int_eq(grade_end_of(record), END_SETUP);
    json_decref(record);
}
END_TEST
/* Independent checks run in parallel. In this test, the first check waits for a later one. */
static int note[2];
static void waits_for_note(struct judge *j, json_t *result) {
    char byte;
    alarm(20);
    if (read(note[0], &byte, 1) == 1) passes(j, result);
}
static void writes_note(struct judge *j, json_t *result) {
    if (write(note[1], "", 1) == 1) passes(j, result);
}
START_TEST(independent_checks_run_at_once) {
    static const struct check_kind of_waits_for_note[1] = {{waits_for_note}}, of_writes_note[1] = {{writes_note}};
    static const struct lab_check rows[] = {{"waits", "waits", 10, NULL, of_waits_for_note},
                                            {"writes", "writes", 10, NULL, of_writes_note}};
    ck_assert(!pipe(note));
    ck_assert_int_eq(end_with(rows, 2, &plain), END_FULL);
    close(note[0]), close(note[1]);
}
END_TEST
static void finds_an_endless_kernel(struct judge *j, json_t *result) {
    usleep(100000);
    passes(j, result), json_object_set_new(result, "endless", json_integer(2));
}
static void knows_of_it(struct judge *j, json_t *result) {
    if (j->endless == 2) passes(j, result);
}
/* A check may find that a kernel does not terminate. Later checks must know this, even if they have already started. */
START_TEST(later_checks_learn_of_endless_kernels) {
    static const struct check_kind of_finds_it[1] = {{finds_an_endless_kernel}}, of_knows[1] = {{knows_of_it}};
    static const struct lab_check rows[] = {{"finds", "finds", 10, NULL, of_finds_it},
                                            {"knows", "knows", 10, NULL, of_knows}};
    ck_assert_int_eq(end_with(rows, 2, &plain), END_FULL);
}
END_TEST
static void names_its_process(struct judge *j, json_t *result) {
    (void)j, result_pass(result, "process %d", (int)getpid());
}
static bool same_process(const json_t *tests, unsigned a, unsigned b) {
    return json_equal(json_object_get(json_array_get(tests, a), "message"),
                      json_object_get(json_array_get(tests, b), "message"));
}
/* Checks of the same launches share a process. If this process leaves no result, each check runs in a process of its
 * own. */
START_TEST(checks_of_the_same_launches_share_a_process) {
    static const struct check_kind of_names[1] = {{names_its_process, .observes = true}},
                                   of_crashing[1] = {{crashes, .observes = true}};
    static const struct lab_check rows[] = {{"first", "first", 10, NULL, of_passes},
                                            {"steps", "steps", 10, "first", of_names},
                                            {"memory", "memory", 10, "first", of_names},
                                            {"after", "after", 10, "memory", of_names},
                                            {"crashes", "crashes", 10, "first", of_crashing}};
    struct lab few = lab;
    few.checks = rows;
    for (few.check_count = 4; few.check_count <= 5; few.check_count++) {
        json_t *record = judged(&few, &plain), *tests = json_object_get(record, "tests");
        for (unsigned k = 0; k < few.check_count; k++)
            ck_assert_int_eq(check_status_of(json_array_get(tests, k)), k < 4 ? STATUS_PASS : STATUS_ERROR);
        ck_assert_int_eq(same_process(tests, 1, 2), few.check_count == 4);
        ck_assert(!same_process(tests, 2, 3));
        json_decref(record);
    }
}
END_TEST
/* Environment variables of the Check library must not select a lab's checks. */
START_TEST(check_variables_select_nothing) {
    setenv("CK_RUN_CASE", "other", 1), setenv("CK_RUN_SUITE", "other", 1);
    ck_assert_int_eq(end_with(checks, 1, &plain), END_FULL);
}
END_TEST

/* ---- advice ------------------------------------------------------------------------------------------------------ */
/* Records with a test, a finding and a warning of the compiler, and how the advice begins. */
static const struct advice_row {
    const char *status, *warning, *advice;
    int wrong, points; /* wrong cases (-1: the test has no cases) and the test's points */
    bool race;
} advice_rows[] = {
    {"fail", "missing return statement at end of non-void function \"f\"", "reduce.cu:7: missing return", 3, 5, true},
    {"fail", "non-void function does not return a value", "reduce.cu:7: non-void function", 3, 5, false},
    {"fail", "missing return statement at end of non-void function \"f\"", "its message", -1, 5, false},
    {"fail", "variable \"x\" is used before its value is set", "reduce.cu:9: race: a race", 3, 5, true},
    {"fail", NULL, "reduce.cu:9: race: a race", 3, 5, true},
    {"pass", "missing return statement at end of non-void function \"f\"", "", -1, 9, false},
};
START_TEST(advice_names_the_first_thing_to_do) {
    const struct advice_row *row = &advice_rows[_i];
    const struct judge_options options = {.shown = "reduce.cu"};
    const struct lab none = {.id = "lab"};
    struct judge j = {.lab = &none, .options = &options};
    j.student.text.source_text = (char *)"__global__ void reduce() {}\n";
    json_t *record = json_object(), *test = json_pack("{s:s, s:s, s:s, s:i}", "id", "one-block", "status", row->status,
                                                      "message", "its message", "points", row->points);
    if (row->warning)
        json_object_set_new(
            record, "build",
            json_pack("{s:[{s:i, s:s, s:s}]}", "warnings", "line", 7, "message", row->warning, "note", "a note"));
    if (row->wrong >= 0) json_object_set_new(test, "wrong", json_integer(row->wrong));
    if (row->race)
        json_object_set_new(test, "findings",
                            json_pack("[{s:s, s:s, s:s, s:s, s:i, s:{s:s, s:i}}]", "kind", "race", "severity", "error",
                                      "title", "race", "message", "a race", "rank", 1, "at", "file", "reduce.cu",
                                      "line", 9));
    json_t *tests = json_pack("[o]", test);
    judge_advise(record, &j, tests);
    const char *advice = json_string_value(json_object_get(record, "advice"));
    ck_assert_msg(row->advice[0] ? !strncmp(advice, row->advice, strlen(row->advice)) : !advice[0], "%s", advice);
    json_decref(record), json_decref(tests);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("suite");
    TCase *tcase = tcase_create("suite");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, every_end_of_a_check_is_reported);
    tcase_add_test(tcase, points_determine_the_end_of_a_grade);
    tcase_add_test(tcase, checks_start_before_prerequisites_end);
    tcase_add_test(tcase, wall_clock_timeouts_give_no_verdict);
    tcase_add_test(tcase, full_disks_are_setup_failures);
    tcase_add_test(tcase, replays_run_only_cases);
    tcase_add_test(tcase, check_variables_select_nothing);
    tcase_add_test(tcase, independent_checks_run_at_once);
    tcase_add_test(tcase, later_checks_learn_of_endless_kernels);
    tcase_add_test(tcase, checks_of_the_same_launches_share_a_process);
    tcase_add_loop_test(tcase, advice_names_the_first_thing_to_do, 0, sizeof advice_rows / sizeof *advice_rows);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
