/* Tests that reports on a server and feedback do not reveal checks that the course hides. */
/* run: sanitized */
/* reads: labs grader/tests/golden */
#include "record/status.h"
#include "report/sink.h"
#include "tests/class_folder.h"
#include "tests/rows.h"

/* Returns golden/race.json with the check's visibility set to `visibility`. */
static json_t *record_with(const char *check, const char *visibility) {
    json_t *record = json_load_file("grader/tests/golden/race.json", 0, NULL), *test;
    size_t k;
    ck_assert(record);
    json_array_foreach(json_object_get(record, "tests"), k, test) if (!strcmp(text_of(test, "id"), check))
        json_object_set_new(test, "visibility", json_string(visibility));
    return record;
}
static char *report(const json_t *record, const char *sink) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    ck_assert(sink_write(sink_find(sink), record, f, &(struct sink_options){.quiet = true}) && !fclose(f));
    return text;
}
static const json_t *row_of(const json_t *report, const char *title) {
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(report, "tests"), k, row) if (strstr(text_of(row, "name"), title)) return row;
    return NULL;
}
/* Whether a check passes, its visibility, its visibility for Gradescope, and the expected reports. */
static const struct hidden_row {
    bool passes;
    const char *visibility, *gradescope;
    bool shown, quiet; /* shown: the report for PrairieLearn, which has no hidden tests, contains the check; quiet: the
                          report omits the advice */
} hidden_rows[] = {
    {false, "visible", "visible", true, false},
    {false, "hidden", "hidden", false, true},
    {false, "after_due_date", "after_due_date", false, true},
    {false, "after_published", "after_published", false, true},
    {false, "a word of later", "visible", true, false},
    {true, "hidden", "hidden", false, false},
};
START_TEST(servers_hide_what_the_course_hides) {
    const struct hidden_row *r = &hidden_rows[_i];
    json_t *record = record_with("findings", r->visibility), *test;
    const char *title = "";
    size_t k;
    json_array_foreach(json_object_get(record, "tests"), k, test) {
        if (strcmp(text_of(test, "id"), "findings") != 0) continue;
        title = text_of(test, "title");
        check_status_set(test, r->passes ? STATUS_PASS : STATUS_FAIL);
    }
    char *gradescope = report(record, "gradescope"), *prairielearn = report(record, "prairielearn");
    json_t *g = json_loads(gradescope, 0, NULL), *p = json_loads(prairielearn, 0, NULL);
    ck_assert_str_eq(text_of(row_of(g, title), "visibility"), r->gradescope);
    ck_assert_int_eq(row_of(p, title) != NULL, r->shown);
    ck_assert_int_eq(json_integer_value(json_object_get(g, "score")),
                     json_integer_value(json_object_get(record, "score")));
    ck_assert_msg(!strstr(text_of(g, "output"), "First: ") == r->quiet, "%s", text_of(g, "output"));
    ck_assert_msg(!strstr(text_of(p, "message"), "First: ") == r->quiet, "%s", text_of(p, "message"));
    free(gradescope), free(prairielearn);
    json_decref(g), json_decref(p), json_decref(record);
}
END_TEST

/* After the deadline, the feedback includes checks that were hidden until the deadline. */
static const struct feedback_row {
    const char *visibility, *deadline;
    bool shown;
} feedback_rows[] = {
    {"visible", "2999-01-01 00:00", true},          {"after_due_date", "2999-01-01 00:00", false},
    {"after_published", "2999-01-01 00:00", false}, {"hidden", "2999-01-01 00:00", false},
    {"after_due_date", "2001-01-01 00:00", true},   {"after_published", "2001-01-01 00:00", true},
    {"hidden", "2001-01-01 00:00", false},          {"after_due_date", "", true},
};
START_TEST(feedback_waits_for_the_deadline) {
    const struct feedback_row *r = &feedback_rows[_i];
    char kit[100], conf[100] = "";
    begin_class();
    if (*r->deadline) snprintf(conf, sizeof conf, "lab3.deadline = %s\n", r->deadline);
    put_file(folder, "kit/labs/course.conf", conf), put_file(in, "ada/lab3.cu", "kernel");
    snprintf(kit, sizeof kit, "%s/kit", folder);
    const struct class_place place_of = {.root = kit};
    ck_assert_int_eq(
        class_import(&(struct class_options){.from = in, .out = out, .lab = "lab3", .seed = "7"}, &place_of), 0);
    json_t *record = record_with("findings", r->visibility);
    json_object_set_new(record, "lab",
                        json_pack("{s:s, s:s, s:s}", "id", "lab3", "name", "shared_block", "title", "t"));
    char *json = json_dumps(record, 0);
    put_file(out, "records/ada/lab3.json", json);
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place_of), 0);
    ck_assert_int_eq(class_feedback(&(struct class_options){.out = out}), 0);
    char *text = get(out, "feedback/ada/lab3.txt"), *mails = get(out, "feedback.csv");
    ck_assert_msg((strstr(text, "data race") != NULL) == r->shown, "%s", text);
    ck_assert_msg(!strstr(text, "1 check is hidden; you see only its points") == r->shown, "%s", text);
    ck_assert_msg((strstr(mails, "nothing makes the threads") != NULL) == r->shown, "%s", mails);
    free(text), free(mails), free(json);
    json_decref(record);
    end();
}
END_TEST

int main(void) {
    const struct test_row tests[] = {
        {"servers", servers_hide_what_the_course_hides, ROWS(hidden_rows)},
        {"feedback", feedback_waits_for_the_deadline, ROWS(feedback_rows)},
    };
    return run_rows("hidden", tests, ROWS(tests));
}
