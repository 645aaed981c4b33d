/* Runs the lab's checks as a suite of the Check library, and computes their points. See judge.h and
 * docs/architecture.md.
 *
 * The suite has one test case with a single test for each check. Each test runs in a child process (child.h), where
 * Check runs the test case and catches assertions; its result is the verdict. The suite runs with CK_NOFORK, because in
 * its fork mode, Check aborts the whole suite if a child is killed during startup. Check passes only a row number to
 * test functions. They get the grade from the only file-scope variable here, which only the child sets. */
#include "base/cores.h"
#include "judge/child.h"
#include "judge/clean.h"
#include "judge/judge.h"
#include "judge/observed.h"
#include "judge/points.h"
#include "judge/work.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct judge *judge;
    json_t *result;
} running;

/* ---- tests ---------------------------------------------------------------------------------- */
START_TEST(check_of_row) {
    running.judge->check = &running.judge->lab->checks[_i];
    running.judge->check->kind->run(running.judge, running.result);
    const char *message = json_string_value(json_object_get(running.result, "message"));
    ck_assert_msg(check_status_of(running.result) == STATUS_PASS, "%s", message ? message : "no verdict");
}
END_TEST
static Suite *suite_of(const struct lab *lab) {
    Suite *suite = suite_create(lab->id);
    for (unsigned k = 0; k < lab->check_count; k++) {
        TCase *tcase = tcase_create(lab->checks[k].id);
        tcase_add_loop_test(tcase, check_of_row, (int)k, (int)k + 1);
        suite_add_tcase(suite, tcase);
    }
    return suite;
}
/* Uses Check's verdict, for example after a failed assertion, unless the check has already set a verdict other than a
 * pass. */
static void take_verdict(json_t *result, SRunner *runner) {
    TestResult **tests = srunner_results(runner);
    const enum check_status said = check_status_of(result);
    const bool reported = said != STATUS_NONE && said != STATUS_PASS;
    for (int k = 0; k < srunner_ntests_run(runner) && !reported; k++)
        if (tr_rtype(tests[k]) != CK_PASS) result_fail(result, "%s", tr_msg(tests[k]));
    free(tests);
}
/* Ignores settings of the Check library that users make for their own tests: they would skip checks or write logs. */
static void forget_settings(void) {
    static const char *const names[] = {"CK_INCLUDE_TAGS",      "CK_EXCLUDE_TAGS",      "CK_LOG_FILE_NAME",
                                        "CK_XML_LOG_FILE_NAME", "CK_TAP_LOG_FILE_NAME", "CK_MAX_MSG_SIZE"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) unsetenv(names[k]);
}
static json_t *run_test_case(struct judge *j, const void *context) {
    const struct lab_check *check = context;
    forget_settings();
    SRunner *runner = srunner_create(suite_of(j->lab));
    running.judge = j;
    running.result = json_pack("{s:s}", "id", check->id);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run(runner, j->lab->id, check->id, CK_SILENT);
    take_verdict(running.result, runner);
    srunner_free(runner);
    return running.result;
}
/* Returns whether two checks examine the same launches. Such checks run one after another in the same process. */
static bool are_together(const struct lab_check *a, const struct lab_check *b) {
    return a->kind->observes && b->kind->observes && a->needs && b->needs && !strcmp(a->needs, b->needs);
}
static json_t *run_together(struct judge *j, const void *context) {
    const struct lab_check *first = context, *end = j->lab->checks + j->lab->check_count;
    json_t *results = json_object();
    observed_share(j);
    for (const struct lab_check *c = first; c < end; c++)
        if (c == first || are_together(first, c)) json_object_set_new(results, c->id, run_test_case(j, c));
    observed_forget(j);
    return results;
}
static json_t *result_of(const struct lab_check *c) { return json_pack("{s:s}", "id", c->id); }

/* ---- checks in parallel ----------------------------------------------------------------------- */
/* Checks run in parallel, because most of them do not keep all cores busy. A check may start before the checks that it
 * needs have results; it is stopped if it turns out to be blocked. Results are collected in the lab's order, and equal
 * those of checks that run one after another. */
struct turn {
    struct child child;
    uint64_t endless; /* j->endless when the check started */
    json_t *results;  /* results of the checks in this process, by id */
    bool alone;       /* a common process left no result, so each check runs in a process of its own */
};
struct turns {
    struct judge *judge;
    json_t *tests, *work; /* results so far; result of judge_work() */
    struct turn *of;      /* one turn per check */
};
static void stop_all(const struct turns *all) {
    for (unsigned k = 0; k < all->judge->lab->check_count; k++) child_stop(&all->of[k].child);
}
/* Returns the child's result. If the child was disturbed, stops all others, runs the work again, and returns the new
 * result. */
static json_t *finish(const struct turns *all, struct child *c, child_work *work, const void *context,
                      enum child_end *end, char *how, size_t size) {
    json_t *result = child_finish(all->judge, c, end, how, size);
    if (!child_was_disturbed(*end)) return result;
    stop_all(all);
    return child_again(all->judge, work, context, end, how, size);
}
/* Returns the check whose process runs check k: the first one that runs together with k. */
static unsigned turn_of(const struct turns *all, unsigned k) {
    const struct lab_check *checks = all->judge->lab->checks;
    for (unsigned first = 0; first < k; first++)
        if (are_together(&checks[first], &checks[k]) && !all->of[first].alone) return first;
    return k;
}
static child_work *task_of(const struct turns *all, unsigned turn) {
    return all->judge->lab->checks[turn].kind->observes && !all->of[turn].alone ? run_together : run_test_case;
}
static void start(const struct turns *all, unsigned check) {
    struct judge *j = all->judge;
    const unsigned k = turn_of(all, check);
    if (all->of[k].child.pid || all->of[k].results) return;
    all->of[k].endless = j->endless;
    child_start(j, &all->of[k].child, task_of(all, k), &j->lab->checks[k]);
}
/* Returns the results of checks that run together. Returns NULL if their process left none; then each runs in a process
 * of its own. */
static json_t *results_together(const struct turns *all, unsigned turn) {
    struct judge *j = all->judge;
    struct turn *t = &all->of[turn];
    char how[256];
    enum child_end end = CHILD_DONE;
    if (t->results) return t->results;
    if (t->endless != j->endless) child_stop(&t->child);
    start(all, turn);
    t->results = finish(all, &t->child, run_together, &j->lab->checks[turn], &end, how, sizeof how);
    if (end == CHILD_LATE) j->late = true;
    for (unsigned k = turn; !t->results && k < j->lab->check_count; k++)
        if (k == turn || are_together(&j->lab->checks[turn], &j->lab->checks[k])) all->of[k].alone = true;
    return t->results;
}
/* Returns the check's result. If its process left none, the result explains why. */
static json_t *run_check(const struct turns *all, unsigned k) {
    struct judge *j = all->judge;
    const struct lab_check *c = &j->lab->checks[k];
    char how[256] = "";
    enum child_end end;
    const unsigned turn = turn_of(all, k);
    if (!j->late && task_of(all, turn) == run_together) {
        json_t *together = json_object_get(results_together(all, turn), c->id);
        if (together) return json_incref(together);
    }
    if (j->late || all->of[k].endless != j->endless) child_stop(&all->of[k].child);
    if (!j->late) start(all, k);
    json_t *result = j->late ? NULL : finish(all, &all->of[k].child, run_test_case, c, &end, how, sizeof how);
    if (result) return result;
    result = result_of(c);
    if (j->late) return result_setup(result, "not run: the machine is too busy"), result;
    switch (end) {
    case CHILD_KILLED:
        result_setup(
            result,
            "a grader process did not start, or was killed by the out-of-memory killer or a user, in both attempts");
        break;
    case CHILD_LATE:
        j->late = true;
        result_setup(
            result, "the check %s of wall-clock time in both attempts; its work is limited, so the machine is too busy",
            how);
        break;
    case CHILD_NO_FILE:
        result_setup(result,
                     "a check could not write a file to /tmp, or to the folder that TEMP names: the disk may be full");
        break;
    case CHILD_GPU_FAILED:
        result_setup(result,
                     "%s ended the check while it used a GPU. The GPU's driver, which compiles the file in the same "
                     "process, may have failed; --device sim grades without the GPU",
                     how);
        break;
    default: result_without_points(result, STATUS_ERROR, "the check did not finish: %s", how);
    }
    return result;
}

/* ---- points --------------------------------------------------------------------------------- */
bool judge_is_replay(const struct judge *j) {
    return j->options->only_case || j->options->only_size != UINT32_MAX || j->options->only_block ||
           j->options->only_grid || j->options->schedule.chosen;
}
static bool by_cases(const struct lab_check *c) { return c->kind->cases != CASES_NONE; }
/* Runs a blocked check. Returns its result if it explains why another check failed, or if the setup failed; otherwise
 * NULL. */
static json_t *explanation(const struct turns *all, unsigned k) {
    json_t *result = run_check(all, k);
    const enum check_status status = check_status_of(result);
    const bool found = json_array_size(json_object_get(result, "findings"));
    if ((status == STATUS_FAIL && found) || status == STATUS_SETUP)
        return json_object_set_new(result, "waits", json_true()), result;
    json_decref(result);
    return NULL;
}
static json_t *blocked(const struct lab_check *c, const json_t *need) {
    const char *title = json_string_value(json_object_get(need, "title"));
    json_t *result = result_of(c);
    result_without_points(result, STATUS_BLOCKED, "skipped until this passes: %.*s", (int)strcspn(title, ":"), title);
    return result;
}
static const struct lab_check *check_of(const struct lab *lab, const json_t *test) {
    const char *id = json_string_value(json_object_get(test, "id"));
    for (unsigned k = 0; k < lab->check_count; k++)
        if (!strcmp(lab->checks[k].id, id)) return &lab->checks[k];
    return NULL;
}
/* Returns whether a check must not run because check `need` has no points. */
static bool has_to_wait(const struct judge *j, const struct lab_check *c, const json_t *need, const json_t *work) {
    return judge_is_replay(j) || check_of(j->lab, need)->kind->gate || check_status_of(need) == STATUS_BLOCKED ||
           !judge_has_work(j, c, work);
}
/* Returns whether a check runs. A replay runs only checks that judge cases. A check is blocked if another check that it
 * needs has no points, and if one of these is true: the kernel has not used its input, the other check is a gate or was
 * itself blocked, or this is a replay. Then sets *need to the other check's test. A blocked check runs only if it
 * explains the failure. */
static bool runs(const struct turns *all, const struct lab_check *c, json_t **need) {
    *need = NULL;
    if (judge_is_replay(all->judge) && !by_cases(c)) return false;
    json_t *open = judge_open_need(c, all->tests);
    if (open && has_to_wait(all->judge, c, open, all->work)) *need = open;
    return !*need || c->explains;
}
static json_t *judged(const struct turns *all, unsigned k) {
    const struct lab_check *c = &all->judge->lab->checks[k];
    json_t *need, *result = NULL;
    const bool run = runs(all, c, &need);
    if (!need && !run) {
        result = result_of(c);
        result_skip(result, "not part of a replay");
    } else if (!need)
        result = run_check(all, k);
    else if (run)
        result = explanation(all, k);
    if (!result && turn_of(all, k) == k) child_stop(&all->of[k].child);
    return result ? result : blocked(c, need);
}
static bool needs_gate(const struct lab *lab, unsigned k, unsigned from) {
    for (unsigned n = from; n < k; n++)
        if (lab->checks[n].kind->gate && lab_check_needs(&lab->checks[k], lab->checks[n].id)) return true;
    return false;
}
/* Returns whether a check may start before the checks that it needs have ended. None may while the first check runs:
 * that check detects most kernels that do not terminate, which would keep the others busy for a long
 * time. */
static bool starts_early(const struct turns *all, unsigned k, unsigned from) {
    const struct judge *j = all->judge;
    return from && cores_allowed() > 1 && !j->endless && !judge_is_replay(j) && !needs_gate(j->lab, k, from) &&
           judge_has_work(j, &j->lab->checks[k], all->work);
}
/* Starts later checks, except on a GPU, where parallel checks would disturb measured times. */
static void start_others(const struct turns *all) {
    const struct judge *j = all->judge;
    json_t *need;
    const unsigned from = (unsigned)json_array_size(all->tests);
    for (unsigned k = from; k < j->lab->check_count && !j->options->gpu && !j->late; k++)
        if ((lab_needs_are_before(j->lab, k, from) || starts_early(all, k, from)) &&
            runs(all, &j->lab->checks[k], &need))
            start(all, k);
}
static void find_work(struct turns *all) {
    char how[256];
    enum child_end end;
    struct child working;
    json_t *work = NULL;
    if (!judge_is_replay(all->judge)) {
        child_start(all->judge, &working, judge_work, NULL);
        start_others(all); /* starts the checks that need no other */
        work = finish(all, &working, judge_work, NULL, &end, how, sizeof how);
    }
    all->work = work ? work : json_object();
}
void judge_checks(struct judge *j, json_t *record) {
    const struct judge_options *o = j->options;
    const unsigned count = j->lab->check_count;
    json_t *tests = json_array();
    struct turns all = {j, tests, NULL, calloc(count + 1, sizeof *all.of)};
    json_int_t points = 0, most = 0;
    bool setup = false, failed = false;
    if (!all.of) return json_decref(tests); /* the record's initial state reports a setup failure */
    if (!judge_is_replay(j)) j->clean = clean_new();
    find_work(&all);
    for (unsigned k = 0; k < count; k++) {
        const struct lab_check *c = &j->lab->checks[k];
        if (o->progress) o->progress(o->progress_context, c->title, k, count);
        start_others(&all);
        json_t *t = judged(&all, k);
        j->endless |= (uint64_t)json_integer_value(json_object_get(t, "endless"));
        json_object_del(t, "endless");
        const enum check_status status = check_status_of(t);
        json_object_set_new(t, "title", json_string(c->title));
        setup |= status == STATUS_SETUP;
        failed |= by_cases(c) && (status == STATUS_FAIL || status == STATUS_ERROR);
        json_array_append_new(tests, t);
    }
    if (o->progress) o->progress(o->progress_context, NULL, count, count);
    stop_all(&all);
    for (unsigned k = 0; k < count; k++) json_decref(all.of[k].results);
    free(all.of);
    clean_free(j->clean), j->clean = NULL;
    judge_points(j, all.work, tests);
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) {
        points += json_integer_value(json_object_get(t, "points"));
        most += json_integer_value(json_object_get(t, "max_points"));
    }
    json_object_set_new(record, "work", all.work);
    json_object_set_new(record, "thresholds", thresholds_of(j->lab));
    json_object_set_new(record, "tests", tests);
    json_object_set_new(record, "score", json_integer(points));
    json_object_set_new(record, "max_score", json_integer(most));
    judge_advise(record, j, tests);
    judge_quote(record, j, tests);
    const bool replay = judge_is_replay(j), good = replay ? !failed : points == most;
    json_object_set_new(record, "replay", json_boolean(replay));
    grade_end_set(record, setup ? END_SETUP : good ? END_FULL : END_PARTIAL);
    json_object_set_new(record, "message", json_string(setup ? "the setup failed: see the tests" : ""));
}
