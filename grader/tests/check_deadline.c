/* Tests the penalties for late submissions, the sources of submission times, and the resulting marks. */
/* run: sanitized */
#include "class/facts.h"
#include "course/deadline.h"
#include "tests/files.h"
#include "tests/rows.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { H = DEADLINE_HOUR, D = DEADLINE_DAY };

/* ---- one submission ---------------------------------------------------------------------------- */
static const struct judged {
    struct deadline_rules rules; /* penalty, unit, grace, cap */
    long by;                     /* seconds after the deadline; 0 if `marked`, because then the time is unknown */
    bool marked;
    unsigned left, slip, penalty;
    const char *text;
    unsigned missing; /* points that were lost before the penalty, of 100 */
} judged[] = {
    {{10, D, 0, 100}, -5, false, 0, 0, 0, ""},
    {{10, D, 0, 100}, 0, false, 3, 0, 0, ""},
    {{10, D, 0, 100}, 1, false, 0, 0, 10, "1 min late, 10 points off"},
    {{10, D, 0, 100}, D, false, 0, 0, 10, "1 d 0 h late, 10 points off"},
    {{10, D, 0, 100}, D + 1, false, 0, 0, 20, "1 d 0 h late, 20 points off"},
    {{1, H, 0, 100}, 16 * H + 120, false, 0, 0, 17, "16 h 2 min late, 17 points off"},
    {{0.5, H, 0, 100}, H, false, 0, 0, 1, "1 h 0 min late, 1 point off"},
    {{10, D, 15, 100}, 15 * 60, false, 0, 0, 0, ""},
    {{10, D, 15, 100}, 15 * 60 + 1, false, 0, 0, 10, "16 min late, 10 points off"},
    {{10, D, 0, 25}, 9 * D, false, 0, 0, 25, "9 d 0 h late, 25 points off"},
    {{10, D, 0, 100}, 400L * D, false, 0, 0, 100, "400 d 0 h late, 100 points off"},
    {{10, D, 0, 100}, 2 * H, false, 3, 1, 0, "2 h 0 min late, 1 slip day, 0 points off"},
    {{10, D, 0, 100}, 3 * D - 1, false, 2, 2, 10, "3 d 0 h late, 2 slip days, 10 points off"},
    {{1, H, 0, 100}, D + 2 * H, false, 1, 1, 2, "1 d 2 h late, 1 slip day, 2 points off"},
    {{0, D, 0, 100}, 2 * H, false, 3, 0, 0, "2 h 0 min late"},
    /* slip days that would save no points are not used */
    {{10, D, 0, 25}, 9 * D, false, 2, 0, 25, "9 d 0 h late, 25 points off"},
    {{10, D, 0, 25}, 4 * D, false, 3, 3, 10, "4 d 0 h late, 3 slip days, 10 points off"},
    {{10, D, 0, 100}, 2 * D, false, 3, 0, 20, "2 d 0 h late, 20 points off", 100},
    {{10, D, 0, 100}, 5 * D, false, 3, 3, 20, "5 d 0 h late, 3 slip days, 20 points off", 70},
    {{10, D, 0, 100}, 5 * D, false, 1, 0, 50, "5 d 0 h late, 50 points off", 70},
    {{1, H, 0, 100}, 9 * D, false, 3, 0, 100, "9 d 0 h late, 100 points off"},
    {{10, D, 0, 100}, 0, true, 0, 0, 10, "late by an unknown time, 10 points off"},
    {{2, H, 0, 100}, 0, true, 0, 0, 2, "late by an unknown time, 2 points off"},
    {{10, D, 30, 100}, 0, true, 1, 1, 0, "late by an unknown time, 1 slip day, 0 points off"},
};
START_TEST(late_penalties_follow_the_course) {
    const struct judged *j = &judged[_i];
    const bool unknown = j->marked && !j->by;
    const struct handed_in h = {.deadline = 1800000000,
                                .at = unknown ? 0 : 1800000000 + j->by,
                                .marked = j->marked,
                                .points = 100 - j->missing};
    const struct deadline_verdict v = deadline_judge(&j->rules, &h, j->left);
    ck_assert_str_eq(v.text, j->text);
    ck_assert(v.slip_days == j->slip && v.penalty == j->penalty && v.late == (*j->text != 0));
}
END_TEST

/* Deadlines near daylight-saving changes: local times that are skipped, occur twice, or occur once. */
static const struct {
    const char *zone, *deadline;
    bool skipped;
    const char *utc; /* the time in UTC */
} clock_changes[] = {
    {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 02:30", true, "2026-03-29 01:30"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 01:59", false, "2026-03-29 00:59"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 03:00", false, "2026-03-29 01:00"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25 02:30", false, "2026-10-25 01:30"},
    {"EST5EDT,M3.2.0,M11.1.0", "2027-03-14 02:00", true, "2027-03-14 07:00"},
    {"EST5EDT,M3.2.0,M11.1.0", "2027-11-07 01:00", false, "2027-11-07 06:00"},
    {"<-03>3<-02>,M10.3.0/0,M2.3.0/0", "2027-10-17 00:15", true, "2027-10-17 03:15"},
    {"IST-1GMT0,M10.5.0,M3.5.0/1", "2026-03-29 01:30", true, "2026-03-29 01:30"},
    {"IST-1GMT0,M10.5.0,M3.5.0/1", "2026-10-25 01:30", false, "2026-10-25 01:30"},
    {"UTC", "2026-03-29 02:30", false, "2026-03-29 02:30"},
};
START_TEST(clocks_skip_and_repeat_times) {
    static struct course course = {.count = 2};
    const char *deadline = clock_changes[_i].deadline;
    char utc[20] = "", message[200] = "";
    time_t at;
    struct tm t;
    snprintf(course.labs[1].deadline, sizeof course.labs[1].deadline, "%s", deadline);
    course.labs[1].lab.id = "lab4";
    setenv("TZ", clock_changes[_i].zone, 1), tzset();
    ck_assert(deadline_read(deadline, &at) && gmtime_r(&at, &t) && strftime(utc, sizeof utc, "%Y-%m-%d %H:%M", &t));
    ck_assert_str_eq(utc, clock_changes[_i].utc);
    ck_assert_int_eq(deadline_is_skipped(deadline), clock_changes[_i].skipped);
    ck_assert_int_eq(course_deadlines_exist(&course, message, sizeof message), !clock_changes[_i].skipped);
    ck_assert_msg(!clock_changes[_i].skipped || (strstr(message, "lab4") && strstr(message, deadline)), "%s", message);
    setenv("TZ", "UTC", 1), tzset();
}
END_TEST
/* Each day of lateness ends at the deadline's time of day, even if daylight-saving time begins or ends on that day.
 * In Berlin, 2026-03-29 has 23 hours and 2026-10-25 has 25. */
static const struct clock_row {
    const char *deadline, *at;
    unsigned slip_days, penalty;
} clock_rows[] = {
    {"2026-10-24 18:00", "2026-10-25 18:00", 0, 10}, {"2026-10-24 18:00", "2026-10-25 18:01", 0, 20},
    {"2026-03-28 18:00", "2026-03-29 18:00", 0, 10}, {"2026-03-28 18:00", "2026-03-29 18:01", 0, 20},
    {"2026-10-24 18:00", "2026-10-26 18:00", 1, 10}, {"2026-03-28 18:00", "2026-03-30 18:01", 1, 20},
    {"2026-03-28 02:30", "2026-03-29 03:30", 0, 10}, {"2026-10-20 18:00", "2026-10-30 18:00", 3, 70},
};
START_TEST(days_have_23_to_25_hours) {
    const struct clock_row *r = &clock_rows[_i];
    struct handed_in h = {.points = 100};
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1), tzset();
    ck_assert(deadline_read(r->deadline, &h.deadline) && deadline_read(r->at, &h.at));
    const struct deadline_rules rules = {10, D, 0, 100};
    const struct deadline_verdict v = deadline_judge(&rules, &h, r->slip_days);
    ck_assert_msg(v.penalty == r->penalty, "%s: %u", r->at, v.penalty);
    setenv("TZ", "UTC", 1), tzset();
}
END_TEST

/* ---- now --------------------------------------------------------------------------------------- */
static const struct {
    const char *deadline;
    bool is_past;
} deadlines[] = {{"2026-01-01 00:00", true}, {"9999-12-31 23:59", false}, {"", false}};
START_TEST(a_deadline_passes) { ck_assert_int_eq(deadline_is_past(deadlines[_i].deadline), deadlines[_i].is_past); }
END_TEST

/* ---- times ------------------------------------------------------------------------------------- */
static const struct {
    const char *text;
    long long at;
} times[] = {
    {"2026-11-22 10:11:12.123456789 -08:00", 1795371072},
    {"2026-11-22 18:11:12.5 Z", 1795371072},
    {"2026-11-22 18:11:12 UTC", 1795371072},
    {"2026-11-22T18:11:12Z", 1795371072},
    {"2026-11-22 23:41:12 +0530", 1795371072},
    {"2026-11-22 18:11:12", 1795371072},
    {"Sunday, 22 November 2026, 6:11 PM", 1795371060},
    {"Sunday, 22 November 2026, 6:11 PM or so", 0},
    {"-", 0},
    {"yesterday", 0},
    {"2026-11-22", 0},
    {"2026-11-22 18:11:12 PST", 0},
    {"", 0},
};
START_TEST(server_times_are_parsed) { ck_assert_int_eq(time_of_zone(times[_i].text), times[_i].at); }
END_TEST

/* ---- the class: lab3 is due on 2027-02-19 at 18:00, lab4 a week later ----------------------- */
static char out[] = "/tmp/check-deadline-XXXXXX";
static const struct late_row {
    long by3, by4;  /* when ada submitted lab3 and lab4, in seconds after each deadline; 0 if `marked` and the time is
                       unknown */
    const char *of; /* source of the submission time */
    bool marked;
    unsigned slip_days;
    const char *extensions;
    int score3, score4; /* points in each lab, which has 80 before the penalty; -1 if the table is rejected */
    const char *said;   /* the lateness in lab4, or the error message */
} late_rows[] = {
    {-H, -H, "server", false, 0, NULL, 80, 80, ""},
    {H, -H, "server", false, 0, NULL, 70, 80, ""},
    {9 * D, 2 * D, "commit", false, 0, NULL, 0, 60, "2 d 0 h late, 20 points off"},
    {H, 2 * D, "server", false, 2, NULL, 80, 70, "2 d 0 h late, 1 slip day, 10 points off"},
    {20 * D, 2 * D, "server", false, 2, NULL, 0, 80, "2 d 0 h late, 2 slip days, 0 points off"},
    {0, H, "server", true, 1, NULL, 80, 70, "1 h 0 min late, 10 points off"},
    {H, H, "server", false, 0, "student,lab,deadline\nada,lab4,2027-03-01 18:00\n", 70, 80, ""},
    {H, 5 * D, "server", false, 0, "student,lab,deadline\nada@x,lab4,2027-03-01 18:00\n", 70, 60,
     "2 d 0 h late, 20 points off"},
    {0, 0, "server", true, 0, "lab,deadline,student\nlab4,2027-03-01 18:00,ada\nlab3,2027-03-01 18:00,ada\n", 80, 80,
     ""},
    {H, H, "file", false, 0, NULL, 70, 70, "1 h 0 min late, 10 points off"},
    {0, 0, "", false, 0, "student,lab,deadline\nada,lab4,monday\n", -1, 0,
     "extensions.csv:2: the deadline must be a date and a time, such as 2027-02-19 18:00, not `monday`"},
    {0, 0, "", false, 0, "student,lab,deadline\nzoe,lab4,2027-03-01 18:00\n", -1, 0,
     "extensions.csv:2: no student has the id, e-mail, SID, login or name `zoe`"},
    {0, 0, "", false, 0, "student,lab,deadline\nada,lab5,2027-03-01 18:00\n", -1, 0,
     "extensions.csv:2: there are no submissions for `lab5`, only for lab3, lab4"},
    {0, 0, "", false, 0, "student,lab\n", -1, 0,
     "extensions.csv:1: there is no column `deadline`: the first line must name the columns student,lab,deadline"},
    {0, 0, "", false, 0, "student,lab,deadline\nada,lab4,2027-03-01 18:00\nada,lab4,2027-03-02 18:00\n", -1, 0,
     "extensions.csv:3: ada has two lines for lab4"},
};
static json_t *entry_of(const struct late_row *r, time_t deadline, long by, bool marked) {
    json_t *entry = json_pack("{s:s, s:s}", "folder", "ada", "time_of", r->of);
    if (!marked || by) json_object_set_new(entry, "handed_in", json_integer((json_int_t)deadline + by));
    if (marked) json_object_set_new(entry, "late", json_true());
    return entry;
}
START_TEST(marks_include_late_penalties) {
    const struct late_row *r = &late_rows[_i];
    struct course *course = calloc(1, sizeof *course);
    static const char *const due[2] = {"2027-02-26 18:00", "2027-02-19 18:00"}; /* deadlines of lab4 and lab3 */
    time_t at[2];
    course->count = 2, course->slip_days = r->slip_days;
    for (unsigned k = 0; k < 2; k++) {
        course->labs[k].lab = *lab_find(k ? "lab3" : "lab4");
        snprintf(course->labs[k].deadline, sizeof course->labs[k].deadline, "%s", due[k]);
        course->labs[k].late = (struct deadline_rules){10, D, 0, 100};
        ck_assert(deadline_read(due[k], &at[k]));
    }
    json_t *students =
               json_pack("[{s:s, s:s, s:s, s:{s:o, s:o}}]", "id", "ada", "folder", "ada", "email", "ada@x", "labs",
                         "lab3", entry_of(r, at[1], r->by3, r->marked), "lab4", entry_of(r, at[0], r->by4, r->marked)),
           *labs = json_pack("[{s:s}, {s:s}]", "id", "lab3", "id", "lab4"), *attention = json_array(),
           *marks = json_pack("{s:{s:{s:s, s:i}, s:{s:s, s:i}}}", "ada", "lab3", "status", "partial", "score", 80,
                              "lab4", "status", "partial", "score", 80);
    json_t *listed, *mark;
    const char *lab;
    size_t k;
    if (r->marked)
        json_object_foreach(json_object_get(marks, "ada"), lab, mark) json_object_set_new(mark, "late", json_true());
    char path[100], message[600] = "";
    snprintf(path, sizeof path, "%s/extensions.csv", out);
    unlink(path);
    if (r->extensions) write_file(path, r->extensions, strlen(r->extensions));
    json_t *extensions = extensions_read(out, students, labs, message, sizeof message);
    const bool ok = extensions;
    if (ok) lateness_apply(course, students, extensions, marks);
    const json_t *ada = json_object_get(marks, "ada"), *lab3 = json_object_get(ada, "lab3"),
                 *lab4 = json_object_get(ada, "lab4");
    ck_assert_msg(ok == (r->score3 >= 0), "%s", message);
    if (ok) {
        ck_assert_int_eq(json_integer_value(json_object_get(lab3, "score")), r->score3);
        ck_assert_int_eq(json_integer_value(json_object_get(lab4, "score")), r->score4);
        ck_assert_str_eq(text_of(lab4, "lateness"), r->said);
        ck_assert_int_eq(json_is_true(json_object_get(lab4, "late")), *r->said != 0);
        ck_assert_int_eq(*text_of(lab4, "due") != 0, r->extensions && strstr(r->extensions, "lab4,"));
        const bool off = r->score4 < 80;
        ck_assert_int_eq(json_integer_value(json_object_get(lab4, "graded")), off ? 80 : 0);
        const bool doubtful = !strcmp(r->of, "file") || (r->marked && !r->by3 && !r->extensions);
        json_t *copy = json_deep_copy(marks);
        lateness_attend(students, copy, attention);
        ck_assert_msg((json_array_size(attention) > 0) == doubtful, "%zu", json_array_size(attention));
        json_decref(copy);
        /* No penalty applies to points that the instructor sets. */
        snprintf(path, sizeof path, "%s/overrides.csv", out);
        static const char points[] = "student,lab,points\nada,lab4,79\n";
        write_file(path, points, strlen(points));
        ck_assert_msg(overrides_apply(out, students, labs, marks, message, sizeof message), "%s", message);
        unlink(path);
        json_array_clear(attention);
        lateness_attend(students, marks, attention);
        json_array_foreach(attention, k, listed) ck_assert_str_eq(text_of(listed, "lab"), "lab3");
        lab4 = json_object_get(ada, "lab4");
        ck_assert_int_eq(json_integer_value(json_object_get(lab4, "score")), 79);
        ck_assert(!json_object_get(lab4, "penalty") && !strstr(text_of(lab4, "lateness"), "off"));
        ck_assert_int_eq(!strncmp(text_of(lab4, "lateness"), "late", 4), *r->said != 0);
        /* The class's statistics use the final points. */
        json_t *all = json_array_get(labs, 1);
        class_lab_points(all, marks);
        ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(all, "scores"), 7)), 1);
        ck_assert_double_eq(json_real_value(json_object_get(all, "mean")), 79);
        ck_assert_double_eq(json_real_value(json_object_get(all, "median")), 79);
    } else
        ck_assert_msg(strstr(message, r->said), "%s", message);
    json_decref(students), json_decref(labs), json_decref(attention), json_decref(marks), json_decref(extensions);
    free(course);
}
END_TEST

int main(void) {
    const struct test_row tests[] = {
        {"judged", late_penalties_follow_the_course, ROWS(judged)},
        {"clocks", days_have_23_to_25_hours, ROWS(clock_rows)},
        {"clock changes", clocks_skip_and_repeat_times, ROWS(clock_changes)},
        {"now", a_deadline_passes, ROWS(deadlines)},
        {"times", server_times_are_parsed, ROWS(times)},
        {"marks", marks_include_late_penalties, ROWS(late_rows)},
    };
    if (!mkdtemp(out)) return perror(out), 1;
    const int status = run_rows("deadline", tests, ROWS(tests));
    char path[100];
    snprintf(path, sizeof path, "%s/extensions.csv", out);
    unlink(path), rmdir(out);
    return status;
}
