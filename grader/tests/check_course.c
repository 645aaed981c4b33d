/* Tests which settings in labs/course.conf are accepted, and the error messages. */
/* run: sanitized */
/* reads: labs grader/tests/golden */
#include "base/random.h"
#include "course/course.h"
#include "report/sink.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct course course;
static char message[700];

static bool read_text(const char *text, size_t length) {
    char path[] = "/tmp/check-course-XXXXXX";
    const int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, length) != (ssize_t)length || close(fd)) ck_abort_msg("%s: not written", path);
    message[0] = 0;
    const bool ok = course_read(path, &course, message, sizeof message);
    unlink(path);
    if (!ok && strncmp(message, path, strlen(path)) != 0) ck_abort_msg("%s", message);
    return ok;
}

/* ---- valid settings -------------------------------------------------------------------------- */
START_TEST(without_course_conf_all_labs_have_equal_weight) {
    ck_assert(course_read("/nowhere/course.conf", &course, message, sizeof message));
    ck_assert_uint_eq(course.count, lab_row_count);
    for (unsigned k = 0; k < course.count; k++) {
        ck_assert_str_eq(course.labs[k].lab.id, lab_rows[k]->id);
        ck_assert_double_eq(course.labs[k].weight, 1);
        ck_assert_uint_eq(course.labs[k].pass, 50);
        ck_assert_str_eq(course.labs[k].deadline, "");
        ck_assert_double_eq(course.labs[k].lab.speed_full, lab_rows[k]->speed_full);
        ck_assert(!course.labs[k].lab.speed_measured);
    }
    ck_assert_str_eq(course.title, "");
}
END_TEST
START_TEST(course_conf_of_the_kit_is_valid) {
    ck_assert_msg(course_read("labs/course.conf", &course, message, sizeof message), "%s", message);
    ck_assert_uint_eq(course.count, lab_row_count);
}
END_TEST
START_TEST(valid_settings_are_read) {
    static const char text[] =
        "\xef\xbb\xbf# a course\r\n\n  title =  Sums = more   # said aloud\nlab3.weight=2.5\nweight = .5\n"
        "labs = lab3, lab1\tlab9\nlab1.deadline = 2027-02-28 23:59\ndeadline = 2028-02-29 00:00\n"
        "pass = 60\nlab9.pass = 0\nlab9.speed_full = 1.5\nlab9.speed_none = 3\nlab0.weight = 7\n"
        "speed_by = measured\nlab3.speed_by = modeled\narch = 80\nlab9.arch = 90\n"
        "penalty = 10/day\nlab9.penalty = .5/hour\nlab3.grace = 15\npenalty_cap = 50\nslip_days = 3\nlab9.attempts = "
        "best\n"
        "lab1.attempts = last";
    ck_assert_msg(read_text(text, strlen(text)), "%s", message);
    ck_assert_str_eq(course.title, "Sums = more");
    ck_assert_uint_eq(course.count, 3);
    ck_assert_str_eq(course.labs[0].lab.id, "lab3");
    ck_assert_str_eq(course.labs[1].lab.id, "lab1");
    ck_assert_ptr_eq(course_find(&course, "bandwidth"), &course.labs[2]);
    ck_assert_ptr_null(course_find(&course, "lab0"));
    ck_assert_double_eq(course.labs[0].weight, 2.5);
    ck_assert_double_eq(course.labs[1].weight, .5);
    ck_assert_str_eq(course.labs[0].deadline, "2028-02-29 00:00");
    ck_assert_str_eq(course.labs[1].deadline, "2027-02-28 23:59");
    ck_assert_uint_eq(course.labs[0].pass, 60);
    ck_assert_uint_eq(course.slip_days, 3);
    ck_assert(course.labs[0].attempts == ATTEMPTS_LAST && !course.labs[0].attempts_set);
    ck_assert(course.labs[1].attempts == ATTEMPTS_LAST && course.labs[1].attempts_set);
    ck_assert(course.labs[2].attempts == ATTEMPTS_BEST && course.labs[2].attempts_set);
    const struct deadline_rules *late = &course.labs[0].late, *of_lab9 = &course.labs[2].late;
    ck_assert(late->penalty == 10 && late->unit == DEADLINE_DAY && late->grace == 15 && late->penalty_cap == 50);
    ck_assert(of_lab9->penalty == .5 && of_lab9->unit == DEADLINE_HOUR && !of_lab9->grace);
    ck_assert_uint_eq(course.labs[2].pass, 0);
    ck_assert_double_eq(course.labs[2].lab.speed_full, 1.5);
    ck_assert_double_eq(course.labs[2].lab.speed_none, 3);
    ck_assert_double_eq(course.labs[0].lab.speed_full, lab_find("lab3")->speed_full);
    ck_assert_uint_eq(course.labs[0].lab.arch, 80);
    ck_assert_uint_eq(course.labs[2].lab.arch, 90);
    ck_assert(!course.labs[0].lab.speed_measured && course.labs[2].lab.speed_measured);
}
END_TEST
START_TEST(points_and_thresholds_are_read) {
    static const char text[] = "lab3.points.findings = 30\nlab3.points.speed = 0\nlab3.points.steps = 10\n"
                               "sectors = 1.3\nlab3.sectors = 2\nlab3.work = 0\nwrong = 0.5\nlab1.technique = 0.9\n"
                               "lab9.waiting_full = 2\nlab9.waiting_none = 2.5\nwarps = 3\n";
    ck_assert_msg(read_text(text, strlen(text)), "%s", message);
    const struct lab *lab3 = &course_find(&course, "lab3")->lab, *lab1 = &course_find(&course, "lab1")->lab,
                     *lab9 = &course_find(&course, "lab9")->lab;
    unsigned sum = 0;
    for (unsigned k = 0; k < lab3->check_count; k++) {
        const struct lab_check *c = &lab3->checks[k];
        sum += c->points;
        if (!strcmp(c->id, "findings")) ck_assert_uint_eq(c->points, 30);
        if (!strcmp(c->id, "speed")) ck_assert_uint_eq(c->points, 0);
        ck_assert_str_eq(c->id, lab_find("lab3")->checks[k].id);
    }
    ck_assert_uint_eq(sum, COURSE_POINTS);
    for (unsigned k = 0; k < lab1->check_count; k++)
        ck_assert_uint_eq(lab1->checks[k].points, lab_find("lab1")->checks[k].points);
    ck_assert_double_eq(lab_mark(lab3, MARK_SECTORS), 2);
    ck_assert_double_eq(lab_mark(lab1, MARK_SECTORS), 1.3);
    ck_assert_double_eq(lab_mark(lab3, MARK_WORK), 0);
    ck_assert_double_eq(lab_mark(lab1, MARK_WORK), lab_marks[MARK_WORK]);
    ck_assert_double_eq(lab_mark(lab1, MARK_WRONG), 0.5);
    ck_assert_double_eq(lab_mark(lab1, MARK_TECHNIQUE), 0.9);
    ck_assert_double_eq(lab_mark(lab9, MARK_WAITING_FULL), 2);
    ck_assert_double_eq(lab_mark(lab9, MARK_WAITING_NONE), 2.5);
    ck_assert_double_eq(lab_mark(lab3, MARK_WARPS), 3);
}
END_TEST
/* Runs for each lab of the kit, with the checks that the lab declares. */
START_TEST(points_come_to_100) {
    for (unsigned k = 0; k < lab_row_count; k++) {
        unsigned sum = 0;
        for (unsigned n = 0; n < lab_rows[k]->check_count; n++) sum += lab_rows[k]->checks[n].points;
        ck_assert_msg(sum == COURSE_POINTS && lab_rows[k]->check_count <= COURSE_MAX_CHECKS, "%s: %u points",
                      lab_rows[k]->id, sum);
    }
}
END_TEST

/* ---- errors: the line and the message ------------------------------------------------------- */
#define LONG "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
static const struct {
    const char *text;
    unsigned line;
    const char *said;
} faults[] = {
    {"weight 3", 1, "no `=` in `weight 3`"},
    {"\n\nweight =", 3, "`weight` has no value"},
    {"weight = # 3", 1, "`weight` has no value"},
    {"= 3", 1, "there is no setting ``"},
    {"wieght = 3", 1, "there is no setting `wieght`"},
    {"Weight = 3", 1, "there is no setting `Weight`"},
    {"lab3.wieght = 3", 1, "there is no setting `lab3.wieght`"},
    {"lab3. = 3", 1, "there is no setting `lab3.`"},
    {".weight = 3", 1, "there is no lab ``"},
    {"lab99.weight = 3", 1, "there is no lab `lab99`"},
    {"lab3.weight.more = 3", 1, "there is no setting `lab3.weight.more`"},
    {"lab3.title = 3", 1, "`title` is a setting of the whole course: write it without `lab3.`"},
    {"weight = 1\nlab3.weight = 2\nlab3.weight = 2", 3, "`lab3.weight` is already set on line 2"},
    {"weight = 1\nweight = 1", 2, "`weight` is already set on line 1"},
    {"title = a\ntitle = b", 2, "`title` is already set on line 1"},
    {"labs = lab1\nlabs = lab2", 2, "`labs` is already set on line 1"},
    {"title = " LONG, 1, "the title is longer than 99 bytes"},
    {"title = \xff\xfe", 1, "not UTF-8"},
    {"labs = lab1 lab99", 1, "there is no lab `lab99`"},
    {"labs = lab1 lab2 lab1", 1, "`lab1` is named twice"},
    {"labs = ,", 1, "there is no lab ``"},
    {"labs = all", 1, "there is no lab `all`"},
    {"labs = " LONG, 1, "there is no lab `xxx"},
    {"weight = -1", 1, "a number from 0 to 1000"},
    {"weight = 1001", 1, "a number from 0 to 1000"},
    {"weight = 1e400", 1, "a number from 0 to 1000"},
    {"weight = nan", 1, "a number from 0 to 1000"},
    {"weight = inf", 1, "a number from 0 to 1000"},
    {"weight = 0x10", 1, "a number from 0 to 1000"},
    {"weight = 1,5", 1, "a number from 0 to 1000"},
    {"weight = 1 2", 1, "a number from 0 to 1000"},
    {"weight = .", 1, "a number from 0 to 1000"},
    {"weight = 1.00000000000000000000000000", 1, "a number from 0 to 1000"},
    {"pass = 101", 1, "a whole number of points from 0 to 100"},
    {"pass = 59.9", 1, "a whole number of points from 0 to 100"},
    {"arch = 80.9", 1, "a compute capability from 75 to 90"},
    {"penalty = 10", 1, "points from 0 to 100 per day or hour, or part of one, such as 10/day or 2/hour"},
    {"penalty = 10/week", 1, "such as 10/day"},
    {"lab2.penalty = -1/day", 1, "such as 10/day or 2/hour, not `-1/day`"},
    {"penalty = 101/day", 1, "such as 10/day"},
    {"penalty = /day", 1, "such as 10/day"},
    {"penalty = 1.2.3/day", 1, "such as 10/day"},
    {"penalty_cap = 101", 1, "a whole number of points from 0 to 100"},
    {"penalty_cap = 1.5", 1, "a whole number of points"},
    {"grace = 10081", 1, "a whole number of minutes from 0 to 10080"},
    {"attempts = all", 1, "`attempts` must be best or last, not `all`"},
    {"slip_days = 2.5", 1, "`slip_days` must be a whole number of days from 0 to 365, not `2.5`"},
    {"slip_days = 1\nslip_days = 2", 2, "`slip_days` is already set on line 1"},
    {"lab3.slip_days = 1", 1, "`slip_days` is a setting of the whole course: write it without `lab3.`"},
    {"lab3.labs = lab1", 1, "`labs` is a setting of the whole course"},
    {"lab2.deadline = 2027-02-19 18:00\nlab3.penalty = 1/day", 2,
     "`lab3.penalty` has no effect without a deadline: set `lab3.deadline`, or remove this line"},
    {"lab3.grace = 5", 1, "`lab3.grace` has no effect without a deadline"},
    {"lab2.deadline = tomorrow", 1, "a date and a time, such as 2027-02-19 18:00"},
    {"lab2.deadline = 2027-02-29 18:00", 1, "a date and a time"},
    {"lab2.deadline = 2027-13-01 18:00", 1, "a date and a time"},
    {"lab2.deadline = 2027-02-19", 1, "a date and a time"},
    {"lab2.deadline = 2027-02-19 24:00", 1, "a date and a time"},
    {"lab2.deadline = 2027-2-9 8:00", 1, "a date and a time"},
    {"lab2.deadline = 27-02-19 18:00", 1, "a date and a time"},
    {"lab2.deadline = 2027-02-19 18:00:00", 1, "a date and a time"},
    {"speed_full = 0", 1, "a ratio from 0.01 to 1000"},
    {"speed_by = GPU", 1, "`speed_by` must be modeled or measured, not `GPU`"},
    {"lab2.speed_by = 1", 1, "must be modeled or measured"},
    {"arch = 8.0", 1, "a compute capability from 75 to 90, such as 80 for 8.0"},
    {"lab2.arch = 100", 1, "a compute capability from 75 to 90, such as 80 for 8.0"},
    {"lab9.speed_full = 3\nlab9.speed_none = 2", 2, "lab9: speed_full (3) must be smaller than speed_none (2)"},
    {"\nspeed_none = 0.5", 2, "must be smaller than speed_none (0.5)"},
    {"lab3.points.findings = 30", 1, "the points of lab3's checks sum to 105, but must sum to 100"},
    {"lab3.points.findings = 30\n\nlab3.points.steps = 1", 3, "the points of lab3's checks sum to 101"},
    {"points.findings = 30", 1, "checks sum to 110, but must sum to 100"},
    {"lab3.points.finding = 30", 1, "there is no check `finding`: the checks of lab3 are one-block, "},
    {"lab3.points.technique = 30", 1, "there is no check `technique`: the checks of lab3 are "},
    {"points.nothing = 30", 1, "no lab has a check `nothing`"},
    {"lab3.points. = 30", 1, "there is no check ``"},
    {"lab99.points.steps = 30", 1, "there is no lab `lab99`"},
    {"lab3.points.steps = 2.5", 1, "`lab3.points.steps` must be a whole number from 0 to 100, not `2.5`"},
    {"lab3.points.steps = -1", 1, "a whole number from 0 to 100"},
    {"lab3.points.steps = 101", 1, "a whole number from 0 to 100"},
    {"lab3.points.steps = ", 1, "`lab3.points.steps` has no value"},
    {"lab3.points.steps = 1\nlab3.points.steps = 5", 2, "`lab3.points.steps` is already set on line 1"},
    {"column = Trees", 1, "`column` is a setting of one lab: write `lab0.column = Trees`"},
    {"lab3.column = "
     "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
     1, "a title of at most 99 bytes in UTF-8, or a number"},
    {"lab3.column = \xff", 1, "a title of at most 99 bytes in UTF-8"},
    {"lab3.column = 1\nlab3.column = 2", 2, "`lab3.column` is already set on line 1"},
    {"lab9.column = 12\n\nlab3.column = 12", 3, "`lab3.column` and `lab9.column` name the same column"},
    {"lab3.visible.findings = later", 1,
     "`lab3.visible.findings` must be yes, no, after_due_date or after_published, not `later`"},
    {"lab3.visible.nothing = no", 1, "there is no check `nothing`"},
    {"visible.findings = no\nvisible.findings = yes", 2, "`visible.findings` is already set on line 1"},
    {"work = 1", 1, "a share from 0 to 0.9, such as 0.6"},
    {"lab1.wrong = 1", 1, "a share from 0 to 0.95"},
    {"technique = most", 1, "a share from 0 to 0.95"},
    {"waiting_full = 0", 1, "a ratio from 0.01 to 1000, such as 1.5"},
    {"waiting_none = -3", 1, "a ratio from 0.01 to 1000, such as 3"},
    {"waiting_full = 5", 1, "waiting_full (5) must be smaller than waiting_none (4)"},
    {"sectors = 0.9", 1, "a ratio from 1 to 1000, such as 1.1"},
    {"lab2.warps = 0", 1, "a ratio from 1 to 1000, such as 2.5"},
    {"unsealed = 50", 1, "`unsealed` must be a share from 0 to 1, such as 0.5, not `50`"},
    {"lab1.weight = 2\ntitle = a\ab", 2, "a control character"},
    {LONG LONG LONG LONG LONG LONG LONG LONG LONG LONG LONG, 1, "longer than 1000 bytes"},
};
START_TEST(errors_name_their_line) {
    char where[40];
    ck_assert_msg(!read_text(faults[_i].text, strlen(faults[_i].text)), "%s: taken", faults[_i].text);
    snprintf(where, sizeof where, ":%u: ", faults[_i].line);
    ck_assert_msg(strstr(message, where) && strstr(message, faults[_i].said), "%.80s: %s", faults[_i].text, message);
}
END_TEST
START_TEST(binary_files_are_rejected) {
    static const char nul[] = "weight = 1\nweight\0 = 2";
    ck_assert(!read_text(nul, sizeof nul - 1));
    ck_assert_msg(strstr(message, ":2: the line contains a NUL byte"), "%s", message);
    ck_assert(!course_read("/tmp", &course, message, sizeof message));
    ck_assert_msg(strstr(message, "/tmp: is not a regular file") == message, "%s", message);
    ck_assert(!course_read("/dev/zero", &course, message, sizeof message));
    ck_assert_msg(strstr(message, "/dev/zero: is not a regular file") == message, "%s", message);
}
END_TEST

/* The report shows the lab's deadline, if it has one. */
START_TEST(report_shows_the_deadline) {
    json_t *record = json_load_file("grader/tests/golden/full.json", 0, NULL);
    const struct sink_options options = {0};
    for (unsigned due = 0; due < 2; due++) {
        char *page = NULL;
        size_t size = 0;
        static const struct deadline_rules rules = {10, DEADLINE_DAY, 15, 50, 3};
        char late[160];
        if (due)
            json_object_set_new(record, "course",
                                json_pack("{s:s, s:s}", "deadline", "2027-02-19 18:00", "late",
                                          deadline_rules_text(&rules, late, sizeof late)));
        FILE *out = open_memstream(&page, &size);
        ck_assert(out && sink_write(sink_find("text"), record, out, &options) && !fclose(out));
        ck_assert_int_eq(strstr(page,
                                "due 2027-02-19 18:00; if late by more than 15 min, 10 points off per day or part\n"
                                "of a day, at most 50; 3 slip days for all labs\n") != NULL,
                         due);
        free(page);
    }
    json_decref(record);
}
END_TEST

/* Arbitrary bytes are accepted, or rejected with a message. Accepted values are in their ranges. */
START_TEST(random_bytes_do_no_harm) {
    static const char *const pieces[] = {
        "weight", "lab3",  ".",        "=",     " ",          "\n",       "#",
        "labs",   "1",     "99999999", "title", "speed_full", "deadline", "2027-02-19 18:00",
        "\xff",   "\t",    ",",        "%s%n",  "-",          "lab10",    "pass",
        "e9",     "lab1\n"};
    uint64_t state = 1;
    unsigned taken = 0;
    for (unsigned round = 0; round < 3000; round++) {
        char text[400] = "";
        for (unsigned k = 0; k < 1 + round % 14; k++) {
            strcat(text, pieces[random_next(&state) % (sizeof pieces / sizeof *pieces)]);
        }
        const bool ok = read_text(text, strlen(text));
        taken += ok;
        if (!ok && strlen(message) <= 20) ck_abort_msg("`%s` is refused: `%s`", text, message);
        for (unsigned k = 0; ok && k < course.count; k++)
            if (!(course.labs[k].weight >= 0 && course.labs[k].weight <= 1000 && course.labs[k].pass <= 100))
                ck_abort_msg("`%s`: weight %g, pass %u", text, course.labs[k].weight, course.labs[k].pass);
    }
    ck_assert_uint_gt(taken, 30);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("course");
    TCase *tcase = tcase_create("course");
    tcase_add_test(tcase, without_course_conf_all_labs_have_equal_weight);
    tcase_add_test(tcase, course_conf_of_the_kit_is_valid);
    tcase_add_test(tcase, valid_settings_are_read);
    tcase_add_test(tcase, points_and_thresholds_are_read);
    tcase_add_test(tcase, points_come_to_100);
    tcase_add_loop_test(tcase, errors_name_their_line, 0, sizeof faults / sizeof *faults);
    tcase_add_test(tcase, binary_files_are_rejected);
    tcase_add_test(tcase, report_shows_the_deadline);
    tcase_add_test(tcase, random_bytes_do_no_harm);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
