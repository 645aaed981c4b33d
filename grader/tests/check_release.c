/* Tests `./grade release`: the checks of a course, each of which must report a planted error and nothing else; the
 * checks of links; and the page of a solution. */
/* run: 13 s */
#include "base/file.h"
#include "sandbox/process.h"
#include "release/release.h"
#include "tests/suite.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__ /* too slow under sanitizers */
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif
static char folder[] = "/tmp/check-release-XXXXXX";

static void write_note(const char *name, const char *text) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_msg(f && fputs(text, f) >= 0 && !fclose(f), "%s", path);
}
static char *shell_text(int wanted, const char *script) {
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 1 << 20};
    const struct process_result p = process_run(argv, &limits);
    ck_assert_msg(p.end == PROCESS_EXITED && p.status == wanted, "%s: status %d\n%s", script, p.status, p.output);
    return p.output;
}
/* Asserts that there is exactly one error, and that it contains `text`. If `text` is NULL, asserts that there is no
 * error. */
static void one_fault(json_t *faults, const char *text) {
    char *all = json_dumps(faults, JSON_INDENT(1));
    ck_assert_msg(json_array_size(faults) == (text ? 1 : 0), "%s: %s", text ? text : "no fault", all);
    if (text) ck_assert_msg(strstr(all, text), "%s: %s", text, all);
    free(all);
    json_decref(faults);
}

/* ---- declarations --------------------------------------------------------------------------- */
static const struct lab_check right[] = {{"one", "one", 40, NULL, check_one_block},
                                         {"two", "two", 50, "one", check_findings},
                                         {"speed", "speed", 10, "two", check_speed}};
static const struct lab_check too_many[] = {{"one", "one", 60, NULL, check_one_block},
                                            {"two", "two", 41, "one", check_findings}};
static const struct lab_check twice[] = {{"one", "one", 50, NULL, check_one_block},
                                         {"one", "two", 50, "one", check_findings}};
static const struct lab_check unknown[] = {{"one", "one", 50, NULL, check_one_block},
                                           {"two", "two", 50, "zero", check_findings}};
static const struct lab_check later[] = {{"one", "one", 50, "two", check_one_block},
                                         {"two", "two", 50, NULL, check_findings}};
static const struct lab_kernel kernels[] = {{.name = "reduce"}, {.name = "reduce", .label = "reduce:host"}};
static const struct lab_kernel two[] = {{.name = "dot", .second = "y", .finish = FINISH_HOST},
                                        {.name = "again", .second = "y"}};
static const struct lab_kernel same[] = {{.name = "reduce"}, {.name = "other", .label = "reduce"}};
#define CHECKS(of) .checks = of, .check_count = sizeof of / sizeof *of, .kernels = kernels, .kernel_count = 2
static const struct {
    struct lab lab;
    const char *fault;
} declared[] = {
    {{CHECKS(right), .speed_full = 1.1, .speed_none = 2}, NULL},
    {{CHECKS(right), .speed_full = 2, .speed_none = 2}, "speed_full must be more than 0 and less than speed_none"},
    {{CHECKS(right)}, "speed_full must be more than 0"},
    {{CHECKS(too_many)}, "the points sum to 101: make them sum to 100"},
    {{CHECKS(twice)}, "two checks are named `one`"},
    {{CHECKS(unknown)}, "`two` needs `zero`, which is not an earlier check"},
    {{CHECKS(later)}, "`one` needs `two`, which is not an earlier check"},
    {{.checks = right, .check_count = 3, .kernels = same, .kernel_count = 2, .speed_full = 1, .speed_none = 2},
     "two kernels are named `reduce`"},
    {{.checks = right, .check_count = 3, .kernels = two, .kernel_count = 2, .speed_full = 1, .speed_none = 2},
     "`again` has two inputs, so it cannot be launched again on its partials"},
};
START_TEST(declarations_are_checked) {
    struct lab lab = declared[_i].lab;
    lab.id = "lab1", lab.name = "made_up";
    json_t *faults = json_array();
    release_check_declared(&lab, faults);
    one_fault(faults, declared[_i].fault);
}
END_TEST

/* ---- predictions ---------------------------------------------------------------------------- */
#define SKELETON "# a@128: 1 is no line\na@128: ?\na@256: ?\na@512: ?\n"
#define ANSWERS "a@128: 1\na@256: 2.5\na@512: 3 # because\n"
static const struct {
    const char *skeleton, *solution, *fault;
} predicted[] = {
    {SKELETON, ANSWERS, NULL},
    {"a@128: ?\na@256: 7\na@512: ?\n", ANSWERS, "labs/lab1_made_up/predictions.txt: a@256: must be `?`"},
    {"a@128: ?\na@256: ?\n", ANSWERS, "a@512: the line is missing"},
    {SKELETON "b@128: ?\n", ANSWERS, "4 lines with questions, but the lab declares 3"},
    {SKELETON, "a@128: 1\na@256: ?\na@512: 3\n", "solutions/lab1_made_up/predictions.txt: a@256: must be a number"},
    {SKELETON, "a@128: 1\na@256: two\na@512: 3\n", "a@256: must be a number"},
};
START_TEST(predictions_fit_the_lab) {
    static const char *const asked[] = {"a", NULL};
    const struct lab lab = {.id = "lab1", .name = "made_up", .predictions = asked},
                     none = {.id = "lab1", .name = "made_up"};
    json_t *faults = json_array();
    write_note("labs/lab1_made_up/predictions.txt", predicted[_i].skeleton);
    write_note("solutions/lab1_made_up/predictions.txt", predicted[_i].solution);
    release_check_predictions(&none, folder, faults);
    release_check_predictions(&lab, folder, faults);
    one_fault(faults, predicted[_i].fault);
}
END_TEST

/* ---- links ---------------------------------------------------------------------------------- */
static const struct {
    const char *text, *fault;
    unsigned links;
} linked[] = {
    {"[a](../README.md) ![b](../docs/picture.svg) [c](https://example.org/x) [d](mailto:a@b)\n", NULL, 2},
    {"# One\n\n[a](#two-and-more_3) [b](../README.md#the-kits-name)\n\n## Two, and `more_3`!\n", NULL, 2},
    {"`s[t](x)` and\n```\n[a](b)\n```\n", NULL, 0},
    {"```\n[a](b)\n```\n[a](none.md)\n", "docs/page.md:4: the link to none.md: there is no such file", 1},
    {"one\n\n[a](../READTHIS.md)\n", "docs/page.md:3: the link to ../READTHIS.md: there is no such file", 1},
    {"![a](picture.png)\n", "docs/page.md:1: the link to picture.png: there is no such file", 1},
    {"[a](../README.md#the-kit)\n", "the link to ../README.md#the-kit: there is no such heading", 1},
    {"[a](#nothing)\n", "docs/page.md:1: the link to #nothing: there is no such heading", 1},
    {"[a](../README.md#not-a-heading)\n", "there is no such heading", 1},
    {"[a](page.md\n", NULL, 1},
    {"[a](", NULL, 0},
};
START_TEST(links_are_followed) {
    json_t *faults = json_array();
    write_note("README.md", "# The kit's name\n\n```\n# Not a heading\n```\n");
    write_note("docs/picture.svg", "<svg/>");
    write_note("docs/page.md", linked[_i].text);
    ck_assert_uint_eq(release_check_links(folder, "docs/page.md", faults), linked[_i].links);
    one_fault(faults, linked[_i].fault);
}
END_TEST
START_TEST(missing_documents_are_errors) {
    json_t *faults = json_array();
    release_check_links(folder, "docs/none.md", faults);
    one_fault(faults, "docs/none.md: cannot be read");
}
END_TEST

/* `./grade release links` prints the number of links in all documents, followed by the broken ones. */
static const struct {
    const char *text, *said;
    int status;
} link_lines[] = {
    {"[a](../README.md)\n[b](../README.md#the-kits-name)\n", "2 links: all valid\n", RELEASE_GOOD},
    {"[a](../README.md)\n[b](none.md)\n",
     "2 links: some are broken\n\ndocs/page.md:2: the link to none.md: there is no such file", RELEASE_FAULTS},
};
START_TEST(links_are_counted) {
    const struct course course = {0};
    char *said = NULL;
    size_t size;
    FILE *const terminal = stdout;
    write_note("README.md", "# The kit's name\n");
    write_note("docs/page.md", link_lines[_i].text);
    stdout = open_memstream(&said, &size);
    const int status = release_links(&(struct release_place){.root = folder, .course = &course});
    fclose(stdout);
    stdout = terminal;
    ck_assert_int_eq(status, link_lines[_i].status);
    ck_assert_msg(!strncmp(said, link_lines[_i].said, strlen(link_lines[_i].said)), "%s", said);
    free(said);
}
END_TEST

/* ---- a solution's page ---------------------------------------------------------------------- */
START_TEST(pages_contain_report_notes_and_class) {
    static const char class[] =
        "{\"schema\": \"reduction-labs/class/2\", \"labs\": [{\"id\": \"lab1\", \"submissions\": 9, \"scores\": [9]},"
        "{\"id\": \"lab3\", \"submissions\": 40, \"mean\": 61.25, \"median\": 75, \"scores\": [4, 6, 30], "
        "\"findings\": [{\"title\": "
        "\"a <b>race</b> & more\", \"students\": 7, \"lines\": [{\"line\": 12, \"students\": 5, \"text\": "
        "\"</code><script>\"}]}]}]}";
    char record[400], notes[400], out[400], gradebook[400];
    snprintf(record, sizeof record, "grader/tests/golden/full.json");
    snprintf(notes, sizeof notes, "%s/notes.html", folder);
    snprintf(out, sizeof out, "%s/page.html", folder);
    snprintf(gradebook, sizeof gradebook, "%s/docs", folder);
    write_note("notes.html", "<h3>What to watch for</h3>");
    write_note("docs/class.json", class);
    ck_assert_int_eq(release_page(lab_find("lab3"), record, notes, out, NULL), RELEASE_GOOD);
    char *page = file_read(out, 0, RELEASE_TEXT, NULL);
    ck_assert(strstr(page, "<h3>What to watch for</h3>") && strstr(page, "id=\"data\"") &&
              !strstr(page, "How the class did"));
    free(page);
    ck_assert_int_eq(release_page(lab_find("lab3"), record, notes, out, gradebook), RELEASE_GOOD);
    page = file_read(out, 0, RELEASE_TEXT, NULL);
    static const char *const said[] = {"40 submissions; final points: mean 61.2", "<td>0 to 9</td><td>4</td>",
                                       "<td>100</td><td>30</td>",
                                       "a &#60;b&#62;race&#60;/b&#62; &#38; more (students: 7)",
                                       "line 12 of the skeleton (students: 5): <code>&#60;/code&#62;"};
    for (unsigned k = 0; k < sizeof said / sizeof *said; k++) ck_assert_msg(strstr(page, said[k]), "no `%s`", said[k]);
    ck_assert(!strstr(page, "src=") && !strstr(page, "<b>race"));
    free(page);
    write_note("docs/class.json", "{\"schema\": \"something else\"}");
    ck_assert_int_eq(release_page(lab_find("lab3"), record, notes, out, gradebook), RELEASE_SETUP);
    ck_assert_int_eq(release_page(lab_find("lab3"), "/nowhere", notes, out, NULL), RELEASE_SETUP);
    ck_assert_int_eq(release_page(lab_find("lab3"), record, "/nowhere", out, NULL), RELEASE_SETUP);
    ck_assert_int_eq(release_page(lab_find("lab3"), record, notes, "/nowhere/page.html", NULL), RELEASE_SETUP);
}
END_TEST

/* ---- the command ---------------------------------------------------------------------------- */
#define COPY                                                                                                           \
    "K=$(mktemp -d /tmp/check-release-XXXXXX); trap 'rm -rf $K' EXIT; cp -r labs solutions README.md $K; "             \
    "ln -s $PWD/common $PWD/grader $PWD/docs $PWD/LICENSE $K; cp \"$GRADE\" $K/grade; cd $K; "                         \
    "L=lab2_compacted_tree; echo 'labs = lab2' >labs/course.conf; "
#define CHECK_IT "./grade release check 2>&1"
static const struct {
    const char *plant; /* a script that plants an error in the copy */
    int status;
    const char *said;
} courses[] = {
    {"", 0, "1 lab: no errors in the course"},
    {"mkdir bin; printf '#!/bin/sh\\nexit 127\\n' >bin/bwrap; chmod 755 bin/bwrap; PATH=$PWD/bin:$PATH", 0,
     "without a sandbox\nsystem-call filter: "},
    {"(echo '#define SOLUTION'; cat solutions/$L/reduce.cu) >labs/$L/reduce.cu", 1,
     "labs/lab2_compacted_tree/reduce.cu: the skeleton gets "},
    {"sed -i 's/combine(/identity(); (/' solutions/$L/reduce.cu", 1, "solutions/lab2_compacted_tree/reduce.cu"},
    {"echo '}' >>labs/$L/reduce.cu; echo '[x](y.md)' >labs/$L/README.md; echo 'a@256: 1' >>labs/$L/predictions.txt", 1,
     "labs/lab2_compacted_tree/reduce.cu: the submission does not build"},
    {"printf 'lab2.speed_full = 0.01\nlab2.speed_none = 0.9\n' >>labs/course.conf", 1,
     "solutions/lab2_compacted_tree/reduce.cu: the solution gets only 90 points"},
    {"echo 'lab2.weight = many' >>labs/course.conf", 3,
     "labs/course.conf:2: `lab2.weight` must be a number from 0 to 1000, such as 1.5, not `many`"},
};
START_TEST(a_course_is_checked) {
    char *script = NULL;
    ck_assert(asprintf(&script, COPY "%s\n" CHECK_IT, courses[_i].plant) > 0);
    char *out = shell_text(courses[_i].status, script);
    ck_assert_msg(strstr(out, courses[_i].said), "%s\n%s", courses[_i].plant, out);
    free(out);
    free(script);
}
END_TEST
/* The scripts in docs/ci must be valid shell scripts, and info.json valid JSON. `make test-ci` runs the scripts. */
START_TEST(files_for_course_servers_are_well_formed) {
    free(shell_text(0,
                    "for f in docs/ci/*.sh docs/ci/*/*.sh docs/ci/gradescope/run_autograder grader/release/*.sh; do sh "
                    "-n $f || exit 1; done"));
    json_t *info = json_load_file("docs/ci/prairielearn/info.json", 0, NULL);
    ck_assert(json_is_true(json_object_get(json_object_get(info, "externalGradingOptions"), "enabled")));
    json_decref(info);
}
END_TEST
START_TEST(invalid_uses_are_reported) {
    free(shell_text(2, "\"$GRADE\" release"));
    free(shell_text(2, "\"$GRADE\" release nothing"));
    free(shell_text(2, "\"$GRADE\" release check twice"));
    char *help = shell_text(0, "\"$GRADE\" release --help");
    ck_assert_msg(strstr(help, "./grade release check"), "%s", help);
    free(help);
}
END_TEST

int main(void) {
    if (!mkdtemp(folder)) return perror(folder), 1;
    char script[500];
    snprintf(script, sizeof script, "cd %s && mkdir -p docs labs/lab1_made_up solutions/lab1_made_up", folder);
    if (system(script)) return 1;
    Suite *suite = suite_create("release");
    TCase *tcase = tcase_create("release");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, declarations_are_checked, 0, sizeof declared / sizeof *declared);
    tcase_add_loop_test(tcase, predictions_fit_the_lab, 0, sizeof predicted / sizeof *predicted);
    tcase_add_loop_test(tcase, links_are_followed, 0, sizeof linked / sizeof *linked);
    tcase_add_loop_test(tcase, links_are_counted, 0, sizeof link_lines / sizeof *link_lines);
    tcase_add_test(tcase, missing_documents_are_errors);
    tcase_add_test(tcase, pages_contain_report_notes_and_class);
    tcase_add_test(tcase, files_for_course_servers_are_well_formed);
    if (getenv("GRADE") && !sanitized) {
        tcase_add_loop_test(tcase, a_course_is_checked, 0, sizeof courses / sizeof *courses);
        tcase_add_test(tcase, invalid_uses_are_reported);
    }
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    snprintf(script, sizeof script, "rm -rf %s", folder);
    return system(script) || failed;
}
