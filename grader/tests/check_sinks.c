/* Tests report formats for other programs: golden files of each format, how these programs interpret them, and
 * complete runs of the command, some of which are killed. */
/* run: sanitized, 5 s */
/* reads: grade labs solutions grader/tests */
#include "tests/files.h"
#include "sandbox/process.h"
#include "report/sink.h"
#include "tests/control.h"
#include "tests/schema.h"
#include "tests/suite.h"
#include <stdlib.h>
#include <unistd.h>

static const char *const names[] = {"full", "skeleton", "race", "classes", "build", "setup", "hostile", "all"};
static const struct {
    const char *sink, *file;
} formats[] = {{"junit", "junit.xml"},
               {"tap", "tap"},
               {"gradescope", "gradescope.json"},
               {"prairielearn", "prairielearn.json"},
               {"findings", "findings"},
               {"sarif", "sarif.json"},
               {"github", "github"},
               {"gitlab", "gitlab.json"},
               {"markdown", "md"},
               {"badge", "svg"}};
enum { NAMES = sizeof names / sizeof *names, FORMATS = sizeof formats / sizeof *formats };

/* Returns a golden record. "all" is an array of three of them. */
static json_t *record(const char *name) {
    static const char *const some[] = {"full", "race", "build"};
    char path[200];
    json_error_t error;
    if (!strcmp(name, "all")) {
        json_t *all = json_array();
        for (unsigned k = 0; k < 3; k++) json_array_append_new(all, record(some[k]));
        return all;
    }
    snprintf(path, sizeof path, "grader/tests/golden/%s.json", name);
    json_t *r = json_load_file(path, 0, &error);
    ck_assert_msg(r != NULL, "%s: %s", path, error.text);
    return r;
}
static char *written(const char *sink, const json_t *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(f && sink_write(sink_find(sink), r, f, &(struct sink_options){0}));
    fclose(f);
    return text;
}
static char *path_of(const char *name, const char *file, char *out, size_t size) {
    snprintf(out, size, "grader/tests/golden/%s.%s", name, file);
    return out;
}
START_TEST(reports_match_golden_text) {
    const char *name = names[_i % NAMES], *sink = formats[_i / NAMES].sink;
    char path[200];
    json_t *r = record(name);
    char *text = written(sink, r);
    path_of(name, formats[_i / NAMES].file, path, sizeof path);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *f = fopen(path, "w");
        ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    }
    char *golden = read_file(path);
    ck_assert_msg(!strcmp(text, golden), "%s differs from the current report; see UPDATE_GOLDEN", path);
    ck_assert_msg(!control_character(text), "%.100s", control_character(text));
    free(golden);
    free(text);
    json_decref(r);
}
END_TEST

/* ---- interpretation by other programs ---------------------------------------------------------------------------- */
static int shell_output(const char *script, char *output, size_t size) {
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = size - 1};
    const struct process_result r = process_run(argv, &limits);
    snprintf(output, size, "%s", r.output ? r.output : "");
    free(r.output);
    return r.end == PROCESS_EXITED ? r.status : -1;
}
static bool has_tool(const char *tool, const char *what) {
    char script[100], output[200];
    snprintf(script, sizeof script, "command -v %s", tool);
    if (shell_output(script, output, sizeof output) == 0) return true;
    printf("SKIP check_sinks %s: needs %s\n", what, tool);
    return false;
}
START_TEST(junit_matches_its_schema) {
    char output[8192];
    if (!has_tool("xmllint", "junit_matches_its_schema")) return;
    ck_assert_msg(shell_output("xmllint --noout --schema grader/tests/junit.xsd grader/tests/golden/*.junit.xml 2>&1",
                               output, sizeof output) == 0,
                  "%s", output);
    ck_assert_int_ne(shell_output("sed 's/<testcase /<testcas /' grader/tests/golden/full.junit.xml | "
                                  "xmllint --noout --schema grader/tests/junit.xsd - 2>&1",
                                  output, sizeof output),
                     0);
}
END_TEST
/* Debian 12's prove supports TAP up to version 13. Reports are in version 14, which extends version 13, and prove
 * must accept them. */
static const struct {
    const char *name, *says;
    bool passes;
} proved[] = {{"full", "Result: PASS", true},
              {"skeleton", "Failed", false},
              {"race", "Failed 2/8 subtests", false},
              {"classes", "Failed 5/8 subtests", false},
              {"build", "Failed 1/1 subtests", false},
              {"setup", "Bailout called.  Further testing stopped:", false},
              {"hostile", "Failed 2/8 subtests", false},
              {"all", "Failed 2/3 subtests", false}};
START_TEST(tap_harness_reads_reports) {
    char script[300], output[8192];
    if (!has_tool("prove", "tap_harness_reads_reports")) return;
    snprintf(script, sizeof script,
             "t=$(mktemp) && sed 's/^TAP version 14$/TAP version 13/' grader/tests/golden/%s.tap >$t && "
             "prove --exec cat $t 2>&1; s=$?; rm $t; exit $s",
             proved[_i].name);
    const int status = shell_output(script, output, sizeof output);
    ck_assert_msg((status == 0) == proved[_i].passes && strstr(output, proved[_i].says), "%d: %s", status, output);
    ck_assert_msg(!strcmp(proved[_i].name, "setup") || !strstr(output, "Parse errors"), "%s", output);
}
END_TEST
static void check_json(const char *sink, const json_t *of, const char *name) {
    char path[100];
    json_error_t error;
    snprintf(path, sizeof path, "grader/tests/%s.schema.json", sink);
    json_t *schema = json_load_file(path, 0, &error);
    char *text = written(sink, of);
    json_t *report = json_loads(text, 0, &error);
    ck_assert_msg(schema && report, "%s", error.text);
    struct state s = {.root = schema};
    validate(&s, schema, report, sink);
    ck_assert_msg(!s.wrong[0], "%s: %s", name, s.wrong);
    json_decref(report);
    json_decref(schema);
    free(text);
}
START_TEST(json_matches_its_schema) {
    json_t *r = record(names[_i]);
    check_json("gradescope", r, names[_i]);
    check_json("prairielearn", r, names[_i]);
    check_json("sarif", r, names[_i]);
    check_json("gitlab", r, names[_i]);
    json_decref(r);
}
END_TEST

/* A setup failure has no score, so that a student does not get 0 points. A submission that does not build is not
 * gradable, so that the student may try again. */
static const struct {
    const char *name;
    int gradescope; /* score for Gradescope; -1 if the report has none */
    double prairielearn;
    bool gradable;
} scores[] = {{"full", 100, 1, true},      {"race", 0, 0, true},   {"classes", 44, 44 / 100., true},
              {"skeleton", 0, 0, true},    {"build", 0, 0, false}, {"setup", -1, 0, false},
              {"all", 100, 1.0 / 3, false}};
START_TEST(scores_distinguish_setup_failures) {
    json_t *r = record(scores[_i].name);
    char *a = written("gradescope", r), *b = written("prairielearn", r);
    json_t *g = json_loads(a, 0, NULL), *p = json_loads(b, 0, NULL), *score = json_object_get(g, "score");
    if (scores[_i].gradescope < 0)
        ck_assert(score == NULL && json_array_size(json_object_get(g, "tests")) == 0);
    else
        ck_assert_int_eq(json_integer_value(score), scores[_i].gradescope);
    ck_assert_double_eq_tol(json_number_value(json_object_get(p, "score")), scores[_i].prairielearn, 1e-6);
    ck_assert_int_eq(json_is_true(json_object_get(p, "gradable")), scores[_i].gradable);
    json_decref(g);
    json_decref(p);
    json_decref(r);
    free(a);
    free(b);
}
END_TEST
/* Replaces each field with an array with control characters, and then removes the field. Each time, there must be a
 * report, with valid JSON and without control characters. */
START_TEST(invalid_records_still_give_reports) {
    json_t *r = record(names[_i]), *first = json_is_array(r) ? json_array_get(r, 0) : r;
    for (const char *key; (key = json_object_iter_key(json_object_iter(first)));) {
        json_object_set_new(first, key, json_pack("[i, {}, s, n]", 7, "\033]0;x\007%n"));
        for (unsigned f = 0; f < FORMATS; f++) {
            char *text = written(formats[f].sink, r);
            ck_assert_msg(!control_character(text), "%.100s", control_character(text));
            if (strstr(formats[f].file, "json")) {
                json_t *again = json_loads(text, 0, NULL);
                ck_assert_msg(again != NULL, "%s", text);
                json_decref(again);
            }
            free(text);
        }
        json_object_del(first, key);
    }
    json_decref(r);
}
END_TEST
START_TEST(write_errors_are_reported) {
    json_t *r = record("race");
    FILE *full = fopen("/dev/full", "w");
    ck_assert(full && !sink_write(sink_find(formats[_i].sink), r, full, &(struct sink_options){0}));
    fclose(full);
    json_decref(r);
}
END_TEST

/* ---- whole runs -------------------------------------------------------------------------------------------------- */
#ifndef __SANITIZE_ADDRESS__ /* too slow under sanitizers */
#define BEGIN "T=$(mktemp -d) || exit 9; trap 'rm -rf \"$T\"' EXIT; "
#define ONE_CASE " --size 33 --block 64 "
/* With a compiler that rejects every file, all labs are graded in a second. */
#define REFUSING                                                                                                       \
    "mkdir $T/bin && printf '#!/bin/sh\nsleep 0.03; echo no; exit 1\n' >$T/bin/nvcc && chmod +x $T/bin/nvcc && "
static const struct {
    const char *what, *script;
} runs[] = {
    {"several report files and the terminal report",
     BEGIN "\"$GRADE\" lab3 --solution -q --junit $T/j --tap $T/t --gradescope $T/g --prairielearn $T/p --text $T/x "
           "--json $T/r | grep -q '^lab3: 100 of 100' && cd $T && grep -q '<testsuite name=\"lab3\"' j && "
           "grep -q '^TAP version 14' t && grep -q '\"score\": 100' g && grep -q '\"score\": 1.0' p && "
           "grep -q '100 of 100 points' x && grep -q '\"end\": \"full\"' r && test $(ls | wc -l) = 6"},
    {"standard output contains one report and nothing else",
     "\"$GRADE\" lab3 --solution" ONE_CASE "--tap - | { read -r first; test \"$first\" = 'TAP version 14' && "
     "! grep -vE '^(1\\.\\.[0-9]|ok |not ok |#|pragma| )'; }"},
    {"two reports on standard output are rejected",
     "\"$GRADE\" lab2 --tap - --junit - 2>&1 >/dev/null | grep -q 'cannot both go to standard output'; "
     "\"$GRADE\" lab2 --tap - --junit - >/dev/null 2>&1; test $? = 2"},
    {"a report overwrites neither input, nor another report, and devices take several", BEGIN
     "echo x >$T/mine.txt && cp common/reduce.h $T/a.h && ln -s a.h $T/link && "
     "no() { \"$GRADE\" \"$@\" >$T/said 2>&1; test $? = 2 && grep -qE 'is input|would both write' $T/said; } && "
     "no lab3 --html labs/lab3_shared_block/reduce.cu && no lab3 --json $T/predictions.txt && "
     "no lab3 --submission $T/mine.txt --text $T/../${T##*/}/mine.txt && no lab6 --op $T/mine.txt --tap $T/mine.txt && "
     "no lab3 --json $T/link && no lab3 --watch --html $T/new.cu && no lab3 --json $T/r --tap $T/r && "
     "grep -qx x $T/mine.txt && cmp -s common/reduce.h $T/a.h && ! ls $T/r $T/predictions.txt 2>/dev/null && "
     "\"$GRADE\" lab3 --solution" ONE_CASE "-q --json /dev/null --tap /dev/null >/dev/null"},
    {"an unwritable file is reported before grading",
     "\"$GRADE\" lab2 --solution --junit /nowhere/j 2>&1 | grep -qx 'grade: /nowhere/j: cannot be written: No such "
     "file "
     "or directory' && { \"$GRADE\" lab2 --solution --junit /nowhere/j >/dev/null 2>&1; test $? = 3; }"},
    {"all labs in one report",
     BEGIN REFUSING "PATH=$T/bin:$PATH \"$GRADE\" all --solution --compiler nvcc --junit $T/j --gradescope $T/g "
                    ">/dev/null; test $? = 4 && labs=$(ls -d labs/lab* | wc -l) && "
                    "test $(grep -c '<testsuite ' $T/j) = $labs && grep -q '\"score\": 0' $T/g"},
    {"an old report remains until the new one is complete, and symbolic links remain links",
     BEGIN "echo old >$T/a && ln -s a $T/b && \"$GRADE\" lab3 --solution" ONE_CASE "-q --json $T/b >/dev/null && "
           "test -L $T/b && grep -q '\"schema\"' $T/a"},
    {"reports are well-formed after a kill at any time", BEGIN REFUSING
     "PATH=$T/bin:$PATH; for s in 0.02 0.1 0.3 0.6; do \"$GRADE\" all --solution --compiler nvcc --json $T/r "
     "--junit $T/j --tap $T/t >/dev/null 2>&1 & sleep $s; kill -9 $! 2>/dev/null; wait $! 2>/dev/null; "
     "[ ! -e $T/r ] || tail -1 $T/r | grep -qx ']' || exit 1; "
     "[ ! -e $T/j ] || tail -1 $T/j | grep -qx '</testsuites>' || exit 1; "
     "[ ! -e $T/t ] || head -1 $T/t | grep -q '^TAP' || exit 1; done; test -e $T/r"},
    {"a file name that is not UTF-8",
     BEGIN "d=$T/$(printf 'a\\377b') && mkdir \"$d\" && "
           "(echo '#define SOLUTION'; cat solutions/lab3_*/reduce.cu) >\"$d/reduce.cu\" && "
           "\"$GRADE\" lab3 --submission \"$d/reduce.cu\"" ONE_CASE "--json $T/r "
           "--junit $T/j >/dev/null; grep -q 'a?b/reduce.cu' $T/r && tail -1 $T/j | grep -qx '</testsuites>'"},
};
START_TEST(complete_runs_work) {
    char output[4096];
    const int status = shell_output(runs[_i].script, output, sizeof output);
    ck_assert_msg(status == 0, "%s: exit %d, %s", runs[_i].what, status, output);
}
END_TEST
#endif

int main(void) {
    Suite *suite = suite_create("sinks");
    TCase *t = tcase_create("sinks");
    suite_add_tcase(suite, t);
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, reports_match_golden_text, 0, NAMES * FORMATS);
    tcase_add_test(t, junit_matches_its_schema);
    tcase_add_loop_test(t, tap_harness_reads_reports, 0, sizeof proved / sizeof *proved);
    tcase_add_loop_test(t, json_matches_its_schema, 0, NAMES);
    tcase_add_loop_test(t, scores_distinguish_setup_failures, 0, sizeof scores / sizeof *scores);
    tcase_add_loop_test(t, invalid_records_still_give_reports, 0, NAMES);
    tcase_add_loop_test(t, write_errors_are_reported, 0, FORMATS);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_loop_test(t, complete_runs_work, 0, sizeof runs / sizeof *runs);
#endif
    return suite_failures(suite) != 0;
}
