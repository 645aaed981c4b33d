/* Reports are pure functions of the record: for each golden/NAME.json the text report must be golden/NAME.txt, and the
 * JSON report the record again. UPDATE_GOLDEN=1 writes the files anew: look at the difference before committing it. */
#include "report/sink.h"
#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"full", "skeleton", "race", "build", "setup", "hostile"};

static json_t *record(const char *name) {
    char path[200];
    json_error_t error;
    snprintf(path, sizeof path, "grader/tests/golden/%s.json", name);
    json_t *r = json_load_file(path, 0, &error);
    ck_assert_msg(r != NULL, "%s: %s", path, error.text);
    return r;
}
static char *written(const char *sink, const json_t *r, struct sink_options options) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(f && sink_find(sink)->write(r, f, &options));
    fclose(f);
    return text;
}
static char *read_file(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    char *text = calloc(1, 1 << 20);
    ck_assert(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

START_TEST(text_is_golden) {
    char path[200];
    json_t *r = record(names[_i]);
    char *text = written("text", r, (struct sink_options){0});
    snprintf(path, sizeof path, "grader/tests/golden/%s.txt", names[_i]);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *f = fopen(path, "w");
        ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    }
    char *golden = read_file(path);
    ck_assert_msg(golden && !strcmp(text, golden), "%s is not what the report says now; see UPDATE_GOLDEN", path);
    free(golden);
    free(text);
    json_decref(r);
}
END_TEST

/* No control character but the end of a line, whatever the record holds; at most 80 columns, but for commands to be
 * copied, the compiler's own words, and names of files, which must stay whole. */
START_TEST(text_is_safe_and_narrow) {
    json_t *r = record(names[_i]);
    char *text = written("text", r, (struct sink_options){0});
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        for (size_t k = 0; k < n; k++)
            ck_assert_msg(!iscntrl((unsigned char)line[k]), "control character %d in: %.*s", line[k], (int)n, line);
        const bool whole =
            memmem(line, n, "replay: ", 8) || !strcmp(names[_i], "build") || !strcmp(names[_i], "hostile");
        ck_assert_msg(whole || n <= 80, "%zu columns: %.*s", n, (int)n, line);
        line += n + (line[n] == '\n');
    }
    free(text);
    json_decref(r);
}
END_TEST

START_TEST(json_is_the_record) {
    json_t *r = record(names[_i]);
    char *text = written("json", r, (struct sink_options){0});
    json_t *again = json_loads(text, 0, NULL);
    ck_assert(again && json_equal(r, again));
    json_decref(again);
    free(text);
    json_decref(r);
}
END_TEST

START_TEST(colour_and_quiet_are_options) {
    json_t *r = record("race");
    char *colour = written("text", r, (struct sink_options){.colour = true}),
         *quiet = written("text", r, (struct sink_options){.quiet = true});
    ck_assert(strstr(colour, "\033[31m") && strstr(colour, "\033[0m"));
    ck_assert(!strncmp(quiet, "lab3: ", 6));
    free(colour);
    free(quiet);
    json_decref(r);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("report");
    TCase *tcase = tcase_create("report");
    const int n = sizeof names / sizeof *names;
    tcase_add_loop_test(tcase, text_is_golden, 0, n);
    tcase_add_loop_test(tcase, text_is_safe_and_narrow, 0, n);
    tcase_add_loop_test(tcase, json_is_the_record, 0, n);
    tcase_add_test(tcase, colour_and_quiet_are_options);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
