/* docs/ci/classroom50/autograder.py writes a result.json for each record. This test validates it against
 * classroom50's published schema. In place of the grader, a script prints a record from golden/. */
/* run: plain, 8 s */
/* reads: docs/ci grader/tests/golden grader/tests/classroom50.schema.json */
#include "tests/rows.h"
#include <check.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "tests/schema.h"

static const struct row {
    const char *record, *edit; /* record: name in golden/, or NULL if grade.sh writes no report; edit: Python code that
                                  changes the record */
    int status;                /* exit status of the autograder; not 0 if the machine caused the failure */
    long long score, most;
    const char *test;
} rows[] = {
    {"full", "", 0, 100, 100, "correct on one block"},
    {"race", "", 0, -1, 100, "correct on one block"},
    {"race", "r['tests'][0]['visibility'] = 'after_due_date'", 0, -1, 100, "checks that are not shown"},
    {"build", "", 0, 0, 100, "it builds"},
    {"setup", "", 1, 0, 0, ""},
    {NULL, "", 0, 0, 100, "one .cu file is handed in"}, /* the row's message is the reason that grade.sh prints */
};
static void run_shell(const char *command, int status) {
    const int got = system(command);
    ck_assert_msg(WIFEXITED(got) && WEXITSTATUS(got) == status, "status %d: %s", got, command);
}
START_TEST(result_matches_the_schema) {
    const struct row *r = &rows[_i];
    char folder[] = "/tmp/check-classroom50-XXXXXX", command[3000], path[200], here[PATH_MAX];
    ck_assert(mkdtemp(folder) && realpath(".", here));
    snprintf(command, sizeof command,
             "cd %s && mkdir -p kit work/labs/lab3_x && touch work/labs/lab3_x/reduce.cu && python3 -c \"import json\n"
             "r = json.load(open('%s/grader/tests/golden/%s.json'))\n%s\njson.dump(r, open('record.json', 'w'))\" && "
             "printf 'case $3 in */labs/lab3_x) ;; *) exit 9 ;; esac\n[ $1 = lab3 ] && %s' >kit/grade.sh",
             folder, here, r->record ? r->record : "full", *r->edit ? r->edit : "pass",
             r->record ? "cp ../record.json $4" : "echo Several files. >&2");
    run_shell(command, 0);
    snprintf(
        command, sizeof command,
        "cd %s/work && KIT=../kit CLASSROOM=cs101 ASSIGNMENT=Lab-03 USERNAME=ada SUBMISSION_TAG=submit/2026-11-22T10 "
        "COMMIT_URL=https://x/c RELEASE_URL=https://x/r python3 %s/docs/ci/classroom50/autograder.py 2>../said",
        folder, here);
    run_shell(command, r->status);
    snprintf(path, sizeof path, "%s/work/result.json", folder);
    json_t *result = json_load_file(path, 0, NULL), *test;
    ck_assert_msg(!result == (r->status != 0), "%s", r->record);
    if (result) {
        json_t *schema = json_load_file("grader/tests/classroom50.schema.json", 0, NULL);
        struct state s = {.root = schema};
        validate(&s, schema, result, "result");
        ck_assert_msg(schema && !s.wrong[0], "%s: %s", r->record, s.wrong);
        const long long score = json_integer_value(json_object_get(result, "score"));
        size_t k;
        bool named = false;
        json_array_foreach(json_object_get(result, "tests"), k, test) named |=
            strstr(json_string_value(json_object_get(test, "test-name")), r->test) != NULL &&
            (r->record || !strcmp(json_string_value(json_object_get(test, "message")), "Several files."));
        ck_assert_msg(named, "%s: no test `%s`", r->record, r->test);
        ck_assert(r->score < 0 ? score < r->most : score == r->score);
        ck_assert_int_eq(json_integer_value(json_object_get(result, "max-score")), r->most);
        ck_assert_str_eq(json_string_value(json_object_get(result, "owner")), "ada");
        json_decref(schema);
    }
    json_decref(result);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    run_shell(command, 0);
}
END_TEST

int main(void) {
    if (system("command -v python3 >/dev/null")) return puts("SKIP check_classroom50: no python3"), 0;
    setenv("CK_DEFAULT_TIMEOUT", "60", 0);
    const struct test_row tests[] = {{"result", result_matches_the_schema, ROWS(rows)}};
    return run_rows("classroom50", tests, ROWS(tests));
}
