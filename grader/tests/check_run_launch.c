/* Tests how `./grade run` launches a kernel: the order of its blocks, and what it says about the arguments. */
/* reads: grader/tests/run */
#include "tests/effort.h"
#include "tests/run_command.h"
#include "tests/suite.h"

#define CU "grader/tests/run/launches.cu"

static const struct {
    const char *words;
    int status;
    const char *there, *missing; /* parts of the output: one that it has, and one that it lacks (NULL: none) */
} rows[] = {
    /* A wait for an earlier block shows only in descending order. */
    {CU " chain --grid 4 --arg int[4]:out", 1, "launches.cu:8: block waits for another block", NULL},
    {CU " chain --grid 4 --arg int[4]:out", 1, "[0] 1 2 3 4", "data race"},
    {CU " chain --grid 4 --arg int[4]:out --seed 3", 1, "launches.cu:8: block waits", NULL},
    {CU " chain --grid 4 --arg int[4]:out --schedule rising", 0, "[0] 1 2 3 4", "waits"},
    {CU " chain --grid 4 --arg int[4]:out --cooperative", 0, "[0] 1 2 3 4", "waits"},
    {CU " chain --grid 1 --arg int[4]:out", 0, "no findings", NULL},
    {CU " turns --grid 5 --arg int[1]:0", 1, "launches.cu:32: block waits for another block", NULL},
    {CU " turns --grid 5 --arg int[1]:0", 1, "blocks in descending order)", NULL},
    {CU " tickets --grid 4 --arg int[4]:out", 0, "[0] 1 2 3 4", NULL},
    {CU " locked --grid 8 --arg int[1]:0 --arg f32[1]:0", 0, "[0] 8\n", NULL},
};
static bool says(const struct result *r, const char *text) { return strstr(r->out, text) || strstr(r->err, text); }
START_TEST(launch_is_judged) {
    struct result r = run(rows[_i].words, "");
    ck_assert_msg(r.status == rows[_i].status && says(&r, rows[_i].there), "%s: status %d, no `%s` in:\n%s%s",
                  rows[_i].words, r.status, rows[_i].there, r.out, r.err);
    ck_assert_msg(!rows[_i].missing || !says(&r, rows[_i].missing), "%s: `%s` in:\n%s%s", rows[_i].words,
                  rows[_i].missing, r.out, r.err);
    release(&r);
}
END_TEST

int main(void) {
    Suite *s = suite_create("run: launches");
    TCase *t = tcase_create("run: launches");
    tcase_set_timeout(t, 300);
    add_rows(t, launch_is_judged, sizeof rows / sizeof *rows, effort(1, 3));
    suite_add_tcase(s, t);
    return suite_failures(s) ? 1 : 0;
}
