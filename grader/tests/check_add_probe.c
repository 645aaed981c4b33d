/* A probe is a file and a row, and so are its findings and its figures: one that the kit does not have is added to a
 * copy of it, which is built; the record, the text and the page show what it says. */
/* run: plain, 10 s */
#include "sandbox/sandbox.h"
#include "tests/quick.h"
#include "tests/scratch.h"
#include <jansson.h>

static const char *sandboxed; /* the command's option */
static const char submission[] = "$S/reduce.cu";

/* Lab 6's solution; a lane of each block shuffles with itself. */
static void hand_in(void) {
    free(scratch_shell(true, "{ echo '#define SOLUTION'; sed 's/^    sum = warp_reduce(sum);/    if (t == 0) sum = "
                             "__shfl_sync(1u, sum, 0);\\n&/' solutions/lab6_*/reduce.cu; } > $S/reduce.cu; "
                             "grep -q __shfl_sync $S/reduce.cu"));
}
static char *graded(const char *options) {
    return scratch_shell(false, "cd $S && CUDA=%s build/grade lab6 --submission %s %s --seed 7 --device sim %s",
                         quick_compiler(), submission, sandboxed, options);
}
static json_t *test_of(const json_t *record, const char *id) {
    size_t k;
    json_t *t;
    json_array_foreach(json_object_get(record, "tests"), k,
                       t) if (!strcmp(json_string_value(json_object_get(t, "id")), id)) return t;
    ck_abort_msg("no test `%s`", id);
    return NULL;
}
static double rate_of(const json_t *test, const char *whose) {
    return json_number_value(json_object_get(json_object_get(json_object_get(test, whose), "counts"), "shuffle_rate"));
}
static void in_the_record(void) {
    char *text = graded("--quiet --json - 2>&1");
    json_t *record = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_msg(record != NULL, "%.3000s", text);
    const json_t *steps = test_of(record, "steps"), *found = json_object_get(test_of(record, "findings"), "findings"),
                 *first = json_array_get(found, 0);
    /* of 32 warps each has 5 shuffles, the first one 5 more: the block's; and the lonely one */
    ck_assert_double_eq(rate_of(steps, "reference"), (32 * 5 + 5) / 32.0);
    ck_assert_double_eq(rate_of(steps, "student"), (32 * 5 + 5 + 1) / 32.0);
    ck_assert_msg(first && !strcmp(json_string_value(json_object_get(first, "kind")), "lonely-shuffle"), "%.3000s",
                  text);
    ck_assert_str_eq(json_string_value(json_object_get(first, "title")), "shuffle by a single lane");
    json_decref(record);
    free(text);
}
static void expect(const char *text, const char *said) {
    ck_assert_msg(strstr(text, said), "no `%s` in %.3000s", said, text);
}
static void in_the_text(void) {
    char *text = graded("--diff-solution --explain");
    expect(text, "shuffle by a single lane");
    expect(text, "lane 0 of warp 0 shuffles with nobody");
    expect(text, "    A shuffle passes values between the lanes that take part.");
    expect(text, "    shuffles a warp                                  5.19         5.16\n");      /* the short table */
    expect(text, "      shuffles a warp                          5.19         5.16        +0.03"); /* --diff-solution */
    free(text);
}
/* What a browser makes of the page; what it is given, where there is none. */
static void in_the_page(void) {
    char *page = graded("--quiet --html $S/report.html >/dev/null; cat $S/report.html");
    expect(page, "{\"key\":\"shuffle_rate\",\"label\":\"shuffles a warp\",\"unit\":\"ratio\",\"better\":\"less\"}");
    expect(page, "\"lonely-shuffle\":{\"drawing\":\"lanes\"");
    free(page);
    char *browser = process_find("chromium");
    if (browser) {
        char *drawn = scratch_shell(false,
                                    "timeout 60 %s --headless --no-sandbox --disable-gpu --user-data-dir=$S/chromium "
                                    "--dump-dom file://$S/report.html 2>/dev/null",
                                    browser);
        expect(drawn, "Shuffles a warp</th>");
        expect(drawn, "<span class=\"worse\">5.19<");
        expect(drawn, "data-kind=\"lonely-shuffle\"");
        free(drawn);
    } else
        puts("SKIP check_add_probe: the page in a browser: no chromium here");
    free(browser);
}
START_TEST(a_probe_is_a_file_and_a_row) {
    char *probe = read_file("grader/tests/added/shuffle_rate.c");
    scratch_add("grader/probes/shuffle_rate.c", probe);
    scratch_insert("grader/probes/probes.def", NULL, "PROBE(shuffle_rate)\n");
    free(probe);
    scratch_touched("a probe");
    scratch_build("CFLAGS=-O0");
    hand_in();
    in_the_record();
    in_the_text();
    in_the_page();
}
END_TEST

int main(void) {
    char why[300];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_add_probe: neither nvcc nor clang\n"), 0;
    if (access("solutions", R_OK)) return printf("SKIP check_add_probe: no solutions here\n"), 0;
    sandboxed = sandbox_present(why, sizeof why) ? "" : "--no-sandbox";
    Suite *suite = suite_create("add_probe");
    TCase *tcase = tcase_create("add_probe");
    tcase_set_timeout(tcase, 300);
    tcase_add_unchecked_fixture(tcase, scratch_make, scratch_free);
    tcase_add_test(tcase, a_probe_is_a_file_and_a_row);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
