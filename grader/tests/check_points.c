/* Tests how cases determine points: which classes of cases pass (judge/classes.c), and the points for shares
 * (judge/points.c). Random grades test that points never rise if a result gets worse. */
/* run: sanitized */
/* reads: nothing */
#include "base/random.h"
#include "judge/classes.h"
#include "judge/points.h"
#include "tests/suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes -------------------------------------------------------------------------------- */
static const struct lab_kernel plain = {.name = "reduce", .elements = 2},
                               repeated = {
                                   .name = "reduce", .elements = 2, .grid_stride = true, .finish = FINISH_ITSELF};
#define SUM_I32                                                                                                        \
    { REDUCE_OP_SUM, REDUCE_TYPE_I32 }
#define SUM_F32                                                                                                        \
    { REDUCE_OP_SUM, REDUCE_TYPE_F32 }
#define MIN_I32                                                                                                        \
    { REDUCE_OP_MIN, REDUCE_TYPE_I32 }
enum { RIGHT = OUTCOME_RIGHT, WRONG = OUTCOME_WRONG, STOPPED = OUTCOME_STOPPED, SKIPPED = OUTCOME_SKIPPED };
enum { MAX = 6 };
static const struct class_row {
    const char *name;
    const struct lab_kernel *kernel;
    struct {
        struct variant variant;
        uint32_t n, block, grid, offset;
        int kind;
        unsigned launch;
    } cases[MAX]; /* the case after the last has block 0 */
    double share;
    const char *text;
} class_rows[] = {
    {"all right",
     &plain,
     {{SUM_I32, 0, 32, 0, 0, RIGHT, 0}, {SUM_I32, 32, 32, 0, 0, RIGHT, 0}},
     1,
     "all right: n = 0, one full warp"},
    {"each shape",
     &plain,
     {{SUM_I32, 32, 32, 0, 0, RIGHT, 0},
      {SUM_I32, 64, 64, 0, 0, RIGHT, 0},
      {SUM_I32, 256, 64, 0, 0, WRONG, 0},
      {SUM_I32, 33, 32, 0, 0, WRONG, 0},
      {SUM_I32, 64, 32, 0, 3, RIGHT, 0},
      {SUM_I32, 1 << 20, 32, 0, 0, SKIPPED, 0}},
     .5,
     "all right: one full warp, one full block, unaligned input; wrong in: many full blocks, n not a multiple of "
     "blockDim.x; not "
     "run: large n"},
    {"only n = 0 is right",
     &plain,
     {{SUM_I32, 0, 32, 0, 0, RIGHT, 0}, {SUM_I32, 32, 32, 0, 0, WRONG, 0}},
     0,
     "all right: n = 0; wrong in: one full warp"},
    {"nothing",
     &plain,
     {{SUM_I32, 0, 32, 0, 0, STOPPED, 0}, {SUM_I32, 32, 32, 0, 0, SKIPPED, 0}},
     0,
     "wrong in: n = 0; not run: one full warp"},
    {"one operator of two is wrong, in both types",
     &plain,
     {{SUM_I32, 32, 32, 0, 0, RIGHT, 0}, {SUM_F32, 32, 32, 0, 0, RIGHT, 0}, {MIN_I32, 32, 32, 0, 0, WRONG, 0}},
     .5, /* of the four classes sum, min, i32 and f32, two are right: sum and f32 */
     "some wrong in: one full warp (min)"},
    {"one type of two is wrong",
     &plain,
     {{SUM_I32, 32, 32, 0, 0, RIGHT, 0}, {SUM_F32, 32, 32, 0, 0, WRONG, 0}},
     1. / 3,
     "some wrong in: one full warp (float)"},
    {"one case of many is wrong",
     &plain,
     {{SUM_I32, 32, 32, 0, 0, RIGHT, 0}, {SUM_I32, 32, 32, 0, 0, WRONG, 0}, {SUM_I32, 64, 64, 0, 0, RIGHT, 0}},
     .5,
     "all right: one full block; some wrong in: one full warp"},
    {"later launches are a separate class",
     &repeated,
     {{SUM_I32, 64, 32, 2, 0, WRONG, 2}, {SUM_I32, 64, 32, 2, 0, STOPPED, 3}},
     .5,
     "all right: many full blocks; wrong in: launched again"},
    {"a wrong first launch makes both classes wrong",
     &repeated,
     {{SUM_I32, 64, 32, 2, 0, WRONG, 1}, {SUM_I32, 32, 32, 1, 0, RIGHT, 0}},
     1. / 3,
     "all right: one full warp; wrong in: many full blocks; some wrong in: launched again"},
};
static unsigned set_cases(const struct class_row *r, struct grade_case *cases, struct outcome *outcomes) {
    unsigned n = 0;
    for (; n < MAX && r->cases[n].block; n++) {
        cases[n] = (struct grade_case){.kernel = r->kernel,
                                       .variant = r->cases[n].variant,
                                       .n = r->cases[n].n,
                                       .block = r->cases[n].block,
                                       .grid = r->cases[n].grid,
                                       .offset = r->cases[n].offset};
        outcomes[n].kind = (enum outcome_kind)r->cases[n].kind, outcomes[n].launch = r->cases[n].launch;
    }
    return n;
}
START_TEST(classes_hold_or_do_not) {
    const struct class_row *r = &class_rows[_i];
    static struct outcome outcomes[MAX];
    struct grade_case cases[MAX];
    struct classes c;
    classes_of(cases, outcomes, set_cases(r, cases, outcomes), TERMS_ALL, &c);
    ck_assert_msg(fabs(c.share - r->share) < 1e-9, "%s: %g", r->name, c.share);
    ck_assert_msg(!strcmp(c.text, r->text), "%s: %s", r->name, c.text);
    json_decref(c.list);
}
END_TEST
/* If many operators and types fail in each shape, the lists still end with a shape or a closing parenthesis. */
START_TEST(lists_are_not_cut) {
    enum { SHAPES_OF_N = 5, ALL = SHAPES_OF_N * VARIANT_COUNT };
    static const uint32_t n[SHAPES_OF_N] = {0, 32, 64, 256, 33};
    static struct outcome outcomes[ALL];
    static struct grade_case cases[ALL];
    struct classes c;
    for (unsigned k = 0; k < ALL; k++) {
        const struct variant v = variant_at(k % VARIANT_COUNT);
        cases[k] = (struct grade_case){.kernel = &repeated,
                                       .variant = v,
                                       .n = n[k / VARIANT_COUNT],
                                       .block = k / VARIANT_COUNT == 2 ? 64 : 32,
                                       .grid = 2};
        outcomes[k].kind = v.op == REDUCE_OP_SUM ? OUTCOME_RIGHT : OUTCOME_WRONG, outcomes[k].launch = 2;
    }
    classes_of(cases, outcomes, ALL, TERMS_ALL, &c);
    const char *last = strrchr(c.text, '(');
    ck_assert_msg(strlen(c.text) + 1 < sizeof c.text && strstr(c.text, "launched again (") && last &&
                      !strcmp(last + strcspn(last, ")"), ")"),
                  "%s", c.text);
    json_decref(c.list);
}
END_TEST
/* If one more case is wrong, the share of the check never increases. */
START_TEST(wrong_cases_never_raise_the_share) {
    static const struct variant variants[] = {SUM_I32, SUM_F32, MIN_I32};
    static struct outcome outcomes[MAX];
    struct grade_case cases[MAX];
    struct classes before, after;
    uint64_t random = (uint64_t)_i;
    for (unsigned k = 0; k < MAX; k++) {
        const uint64_t r = random_next(&random) >> 16;
        cases[k] = (struct grade_case){.kernel = r & 1 ? &plain : &repeated,
                                       .variant = variants[r / 2 % 3],
                                       .n = (uint32_t)(r / 8 % 5 * 32 + (r / 64 % 4 == 0)),
                                       .block = r / 256 & 1 ? 32 : 64,
                                       .grid = r & 1 ? 0 : (uint32_t)(1 + r / 512 % 3)};
        outcomes[k].kind = r / 4096 % 3 ? OUTCOME_RIGHT : OUTCOME_WRONG, outcomes[k].launch = 1 + r / 16384 % 3;
    }
    classes_of(cases, outcomes, MAX, TERMS_ALL, &before);
    for (unsigned k = 0; k < MAX; k++) {
        const struct outcome was = outcomes[k];
        outcomes[k].kind = OUTCOME_WRONG, outcomes[k].launch = 1;
        classes_of(cases, outcomes, MAX, TERMS_ALL, &after);
        ck_assert_msg(after.share <= before.share, "%s becomes %s", before.text, after.text);
        outcomes[k] = was;
        json_decref(after.list);
    }
    json_decref(before.list);
}
END_TEST

/* ---- points --------------------------------------------------------------------------------- */
static const struct check_kind results[1] = {{.cases = CASES_ONE_BLOCK}}, other[1] = {{.cases = CASES_NONE}};
static const struct lab_check checks[] = {
    {"one", "one", 20, NULL, results},          {"many", "many", 15, "one", results},
    {"rounding", "rounding", 5, NULL, results}, {"findings", "findings", 25, "many", results},
    {"steps", "steps", 20, "findings", other},  {"speed", "speed", 15, "findings rounding", other},
};
enum { COUNT = sizeof checks / sizeof *checks };
static const struct lab lab = {
    .id = "lab99", .kernels = &plain, .kernel_count = 1, .checks = checks, .check_count = COUNT};
struct grade {
    /* evades: how far the kernel avoids the lab's technique, from 0 to 1, as check `steps` found */
    double read, share[COUNT], evades;
    bool waits; /* check `findings` only explains the failure of another check */
};
/* Returns the score. If `points` is not NULL, stores the points of each check in it. */
static int score_of(const struct grade *g, int points[COUNT]) {
    const struct judge j = {.lab = &lab};
    json_t *work = json_pack("{s:{s:f}}", "reduce", "read", g->read), *tests = json_array();
    int score = 0;
    for (unsigned k = 0; k < COUNT; k++) {
        json_t *t = json_pack("{s:s, s:s, s:f}", "id", checks[k].id, "message", "", "share", g->share[k]);
        check_status_set(t, g->share[k] >= 1 ? STATUS_PASS : STATUS_FAIL);
        if (g->evades > 0 && k == 4) json_object_set_new(t, "evades", json_real(g->evades));
        if (g->waits && k == 3) json_object_set_new(t, "waits", json_true());
        json_array_append_new(tests, t);
    }
    judge_points(&j, work, tests);
    for (unsigned k = 0; k < COUNT; k++) {
        const json_t *t = json_array_get(tests, k);
        const int p = (int)json_integer_value(json_object_get(t, "points"));
        ck_assert_msg(p >= 0 && p <= (int)checks[k].points, "%s: %d points", checks[k].id, p);
        ck_assert_ptr_null(json_object_get(t, "share"));
        score += p;
        if (points) points[k] = p;
    }
    json_decref(tests), json_decref(work);
    return score;
}
static const struct {
    const char *name;
    struct grade grade;
    int points[COUNT];
} point_rows[] = {
    {"all", {1, {1, 1, 1, 1, 1, 1}, 0, false}, {20, 15, 5, 25, 20, 15}},
    {"reading an eighth of the input is enough", {.125, {1, 1, 1, 1, 1, 1}, 0, false}, {20, 15, 5, 25, 20, 15}},
    {"reading a sixteenth of the input halves the points",
     {.0625, {1, 1, 1, 1, 1, 1}, 0, false},
     {10, 7, 3, 12, 10, 8}},
    {"no input read", {0, {1, 1, 1, 1, 1, 1}, 0, false}, {0, 0, 0, 0, 0, 0}},
    {"all wrong", {1, {0, 0, 0, 0, 0, 0}, 0, false}, {12, 9, 3, 15, 0, 0}},
    {"half of the first check halves the checks that need it",
     {1, {.5, 1, 1, 1, 1, 1}, 0, false},
     {16, 12, 5, 20, 10, 7}},
    {"a finding", {1, {1, 1, 1, .5, 1, 1}, 0, false}, {20, 15, 5, 20, 10, 7}},
    {"the time depends on two checks", {1, {1, 1, 0, .5, 1, 1}, 0, false}, {20, 15, 3, 20, 10, 0}},
    {"a different technique", {1, {1, 1, 1, 1, 0, 1}, 1, false}, {16, 13, 4, 21, 0, 9}},
    {"a partly different technique", {1, {1, 1, 1, 1, 0, 1}, .5, false}, {18, 14, 4, 23, 0, 12}},
    {"the lab's technique, but more steps than the reference",
     {1, {1, 1, 1, 1, 0, 1}, 0, false},
     {20, 15, 5, 25, 0, 15}},
    {"findings that only explain a failure get no points", {1, {1, 1, 1, 0, 0, 0}, 0, true}, {20, 15, 5, 0, 0, 0}},
};
START_TEST(shares_come_to_points) {
    int points[COUNT];
    score_of(&point_rows[_i].grade, points);
    for (unsigned k = 0; k < COUNT; k++)
        ck_assert_msg(points[k] == point_rows[_i].points[k], "%s, %s: %d points, expected %d", point_rows[_i].name,
                      checks[k].id, points[k], point_rows[_i].points[k]);
}
END_TEST
/* Draws a number from 0 to 1; half of the numbers are exactly 0 or 1. */
static double drawn(uint64_t *random) {
    const uint64_t r = random_next(random) >> 32;
    return r % 4 == 0 ? 0 : r % 4 == 1 ? 1 : (double)(r % 1009) / 1009;
}
START_TEST(lower_shares_never_raise_points) {
    uint64_t random = 1000 + (uint64_t)_i;
    struct grade g = {.read = drawn(&random), .evades = _i & 1 ? drawn(&random) : 0, .waits = _i & 2};
    for (unsigned k = 0; k < COUNT; k++) g.share[k] = drawn(&random);
    const int score = score_of(&g, NULL);
    for (unsigned k = 0; k < COUNT + 3; k++) {
        struct grade worse = g;
        if (k < COUNT)
            worse.share[k] *= drawn(&random);
        else if (k == COUNT)
            worse.read *= drawn(&random);
        else if (k == COUNT + 1)
            worse.evades += (1 - g.evades) * drawn(&random);
        else
            worse.waits = true;
        const int less = score_of(&worse, NULL);
        ck_assert_msg(less <= score, "the score rises from %d to %d when input %u gets worse", score, less, k);
    }
}
END_TEST

/* ---- root causes ---------------------------------------------------------------------------- */
static const struct {
    const char *objects[3], *cases[3]; /* object and case of each error; all errors are of the same kind */
    unsigned causes;
} root_rows[] = {
    {{"buffer `in`"}, {"reduce/a"}, 1},
    {{"buffer `(in-1)`", "buffer `(in-13)`", "buffer `in`"}, {"reduce/a", "reduce/b", "reduce/c"}, 1},
    {{"buffer `(in-1)`", "buffer `partial`"}, {"reduce/a", "reduce/b"}, 2},
    {{"buffer `(in-1)`", "buffer `(in-1)`"}, {"reduce/a", "other/a"}, 2},
    {{"buffer `in`", NULL}, {"reduce/a", "reduce/a"}, 2},
    {{NULL, NULL}, {"reduce/a", "reduce/b"}, 1},
};
/* In one kernel, errors of the same kind in the same array have one cause, whichever cases show them. */
START_TEST(errors_in_one_array_are_one_cause) {
    json_t *all = json_array();
    for (unsigned k = 0; k < 3 && root_rows[_i].cases[k]; k++) {
        json_t *f = json_pack("{s:s, s:s}", "kind", "misaligned", "case", root_rows[_i].cases[k]);
        if (root_rows[_i].objects[k]) json_object_set_new(f, "object", json_string(root_rows[_i].objects[k]));
        json_array_append_new(all, f);
    }
    ck_assert_uint_eq(judge_count_causes(all), root_rows[_i].causes);
    json_decref(all);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("points");
    TCase *tcase = tcase_create("points");
    tcase_add_loop_test(tcase, classes_hold_or_do_not, 0, sizeof class_rows / sizeof *class_rows);
    tcase_add_test(tcase, lists_are_not_cut);
    tcase_add_loop_test(tcase, wrong_cases_never_raise_the_share, 0, 200);
    tcase_add_loop_test(tcase, shares_come_to_points, 0, sizeof point_rows / sizeof *point_rows);
    tcase_add_loop_test(tcase, lower_shares_never_raise_points, 0, 500);
    tcase_add_loop_test(tcase, errors_in_one_array_are_one_cause, 0, sizeof root_rows / sizeof *root_rows);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
