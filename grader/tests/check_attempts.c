/* Tests which attempts at a lab are graded and which one counts, and error messages of imports and of `make
 * gradebook`. The test writes the records itself instead of grading. */
/* run: sanitized */
/* reads: labs grader/class grader/tests/golden/race.json */
#include "record/status.h"
#include "tests/class_folder.h"
#include "tests/rows.h"
#include <sys/wait.h>
#include <unistd.h>

/* File names from Blackboard, which contain the time of the attempt. The deadline is 2027-02-19 18:00, and each day
 * costs 10 points. */
#define ON_TIME "L_ada_attempt_2027-02-19-10-00-00_"
#define A_DAY_LATE "L_ada_attempt_2027-02-20-10-00-00_"
#define TWO_DAYS_LATE "L_ada_attempt_2027-02-21-10-00-00_"
#define V1 "ada_v20270219100000/lab3\n"
#define V2 "ada_v20270220100000/lab3\n"
#define V3 "ada_v20270221100000/lab3\n"
enum { MAX = 4 };
static const struct attempts_row {
    const char *settings;
    const char *files[MAX][2]; /* names and contents of the files */
    const char *units;         /* the units to grade */
    int points[MAX];           /* points of the units, in the same order; -1 if the grade failed */
    int status;                /* the report's exit status */
    const char *line, *said;   /* strings that gradebook.csv and roster.json must contain; `said` may be NULL */
} rows[] = {
    /* by default, the newest attempt counts */
    {"",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     "ada/lab3\n",
     {40},
     0,
     "ada,,30,100,partial,late",
     "lab3.cu is ignored in favor of " A_DAY_LATE "lab3.cu"},
    {"attempts = last\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "final.cu", "b"}},
     "ada/lab3\n",
     {40},
     0,
     "ada,,30,100,partial,late",
     "ignored in favor of " A_DAY_LATE "final.cu"},
    /* the best attempt after late penalties counts */
    {"attempts = best\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     V1 V2,
     {50, 55},
     0,
     "ada,,50,100,partial,,50.0,,,,,1 of 2",
     NULL},
    {"attempts = best\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     V1 V2,
     {50, 61},
     0,
     "ada,,51,100,partial,late,51.0,61,,10,\"16 h 0 min late, 10 points off\",2 of 2",
     NULL},
    {"attempts = best\nslip_days = 1\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}, {TWO_DAYS_LATE "lab3.cu", "c"}},
     V1 V2 V3,
     {50, 55, 64},
     0,
     "ada,,55,100,partial,late,55.0,,,,\"16 h 0 min late, 1 slip day, 0 points off\",2 of 3",
     NULL},
    /* of two attempts with equal points, the one that uses no slip day counts */
    {"attempts = best\nslip_days = 1\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     V1 V2,
     {50, 50},
     0,
     "ada,,50,100,partial,,50.0,,,,,1 of 2",
     NULL},
    {"attempts = best\n", {{ON_TIME "lab3.cu", "a"}}, V1, {50}, 0, "ada,,50,100,partial,,50.0,,,,,\r", NULL},
    /* predictions that are submitted later start a new attempt */
    {"",
     {{ON_TIME "lab3.cu", "a"}, {TWO_DAYS_LATE "predictions.txt", "7"}},
     "ada/lab3\n",
     {75},
     0,
     "ada,,55,100,partial,late,55.0,75,,20,\"1 d 16 h late, 20 points off\"",
     "\"notes\": []"},
    {"attempts = best\n",
     {{ON_TIME "lab3.cu", "a"}, {TWO_DAYS_LATE "predictions.txt", "7"}},
     V1 V3,
     {60, 75},
     0,
     "ada,,60,100,partial,,60.0,,,,,1 of 2",
     NULL},
    {"attempts = best\n",
     {{ON_TIME "my.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     V1 V2,
     {50, 10},
     0,
     "ada,,50,100,partial,,50.0,,,,,1 of 2",
     NULL},
    {"attempts = best\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "one.cu", "b"}, {A_DAY_LATE "two.cu", "c"}},
     V1,
     {50},
     0,
     "ada,,50,100,partial,,50.0,,,,,1 of 2",
     "cannot tell which of "},
    /* there is no mark until all attempts are graded */
    {"attempts = best\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     V1 V2,
     {50, -1},
     EXIT_SETUP,
     "ada,,,,ungraded",
     NULL},
    {"attempts = best\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     V1 V2,
     {-1, 50},
     EXIT_SETUP,
     "ada,,,,ungraded",
     NULL},
    {"lab4.attempts = best\n",
     {{ON_TIME "lab3.cu", "a"}, {A_DAY_LATE "lab3.cu", "b"}},
     "ada/lab3\n",
     {50},
     0,
     "ada,,40,100,partial,late",
     "is ignored in favor of"},
    {"attempts = best\n",
     {{"doe_1_10_lab3.cu", "a"}, {"doe_LATE_1_11_lab3-1.cu", "b"}, {"doe_LATE_1_12_lab3-2.cu", "c"}},
     "1/lab3\n1_v1/lab3\n1_v2/lab3\n",
     {50, 70, 60},
     0,
     "1,doe,60,100,partial,late,60.0,70,,10,\"late by an unknown time, 10 points off\",2 of 3",
     NULL},
    {"attempts = best\n",
     {{"doe_1_10_lab3.cu", "a"}, {"doe_1_9_notes.cu", "b"}},
     "1/lab3\n",
     {50},
     0,
     "1,doe,50,100,partial,",
     "notes.cu is ignored in favor of doe_1_10_lab3.cu"},
    /* folder layouts in which a student has only one attempt */
    {"attempts = best\n",
     {{"ada/lab3.cu", "a"}, {"ada/old.cu", "b"}},
     "ada/lab3\n",
     {50},
     0,
     "ada,,",
     "old.cu is ignored in favor of ada/lab3.cu"},
};
static struct class_place kit;
static char kit_root[100];
static void begin_course(const char *settings) {
    char conf[300];
    begin_class();
    snprintf(conf, sizeof conf, "labs = lab3\nlab3.deadline = 2027-02-19 18:00\npenalty = 10/day\n%s", settings);
    put_file(folder, "kit/labs/course.conf", conf);
    snprintf(kit_root, sizeof kit_root, "%s/kit", folder);
    kit.root = kit_root;
}
static int lay_out(void) {
    return class_import(&(struct class_options){.from = in, .out = out, .lab = "lab3", .seed = "7"}, &kit);
}
static void write_record(const char *unit, int points) {
    char path[PATH_MAX];
    json_error_t error;
    json_t *r = json_load_file("grader/tests/golden/race.json", 0, &error);
    ck_assert_msg(r, "%s", error.text);
    json_object_set_new(r, "score", json_integer(points)), json_object_set_new(r, "max_score", json_integer(100));
    char *text = json_dumps(r, 0);
    snprintf(path, sizeof path, "records/%s.json", unit);
    put_file(out, path, text);
    free(text), json_decref(r);
}
static void write_records(const struct attempts_row *r) {
    char units[300];
    unsigned k = 0;
    snprintf(units, sizeof units, "%s", r->units);
    for (char *save = NULL, *u = strtok_r(units, "\n", &save); u; u = strtok_r(NULL, "\n", &save), k++)
        if (r->points[k] >= 0) write_record(u, r->points[k]);
}
static bool has_lines(const char *all, const char *lines) {
    char copy[300];
    snprintf(copy, sizeof copy, "%s", lines);
    for (char *save = NULL, *l = strtok_r(copy, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
        char line[100];
        snprintf(line, sizeof line, "%s\n", l);
        if (!strstr(all, line)) return false;
    }
    return strlen(all) == strlen(lines);
}
START_TEST(the_attempt_that_counts) {
    const struct attempts_row *r = &rows[_i];
    begin_course(r->settings);
    for (unsigned k = 0; k < MAX && r->files[k][0]; k++) put_file(in, r->files[k][0], r->files[k][1]);
    ck_assert_int_eq(lay_out(), 0);
    char *units = get(out, "units"), *roster = get(out, "roster.json");
    ck_assert_msg(has_lines(units, r->units), "%s", units);
    ck_assert_msg(!r->said ? !strstr(roster, "ignored") : strstr(roster, r->said) != NULL, "%s", roster);
    write_records(r);
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &kit), r->status);
    char *book = get(out, "gradebook.csv");
    ck_assert_msg(strstr(book, r->line), "%s", book);
    free(units), free(roster), free(book);
    end();
}
END_TEST

/* A new attempt leaves the records of earlier attempts unchanged. The student gets the report of the attempt that
 * counts. The report is named after the file that the student submitted in this attempt. */
START_TEST(feedback_is_on_the_attempt_that_counts) {
    begin_course("attempts = best\n");
    put_file(in, "doe_1_10_lab3.cu", "a"), put_file(in, "doe_1_11_lab3-1.cu", "b");
    ck_assert_int_eq(lay_out(), 0);
    write_record("1/lab3", 60), write_record("1_v1/lab3", 50);
    put_file(in, "doe_LATE_1_12_lab3-2.cu", "c");
    ck_assert_int_eq(lay_out(), 0);
    ck_assert(there(out, "records/1/lab3.json") && there(out, "records/1_v1/lab3.json"));
    write_record("1_v2/lab3", 65);
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &kit), 0);
    ck_assert_int_eq(class_feedback(&(struct class_options){.out = out}), 0);
    char *text = get(out, "feedback/1/lab3.txt");
    ck_assert_msg(strstr(text, "60 points count, of attempt 1 of 3"), "%s", text);
    ck_assert(there(out, "feedback-upload/doe_1_10_lab3.html") && !there(out, "feedback-upload/doe_1_11_lab3-1.html"));
    ck_assert(there(out, "reports/1/lab3.html"));
    free(text);
    end();
}
END_TEST
/* An attempt without predictions inherits the predictions of the previous attempt. */
START_TEST(predictions_belong_to_an_attempt) {
    static const char *const wanted[][2] = {
        {"ada_v20270219100000", "first"}, {"ada_v20270220100000", "first"}, {"ada_v20270221100000", "third"}};
    begin_course("attempts = best\n");
    put_file(in, ON_TIME "lab3.cu", "a"), put_file(in, ON_TIME "predictions.txt", "first");
    put_file(in, A_DAY_LATE "lab3.cu", "b");
    put_file(in, TWO_DAYS_LATE "lab3.cu", "c"), put_file(in, TWO_DAYS_LATE "predictions.txt", "third");
    ck_assert_int_eq(lay_out(), 0);
    for (unsigned k = 0; k < 3; k++) {
        char path[100];
        snprintf(path, sizeof path, "submissions/%s/lab3/predictions.txt", wanted[k][0]);
        char *text = get(out, path);
        ck_assert_msg(text && !strcmp(text, wanted[k][1]), "%s: %s", path, text ? text : "missing");
        free(text);
    }
    end();
}
END_TEST
START_TEST(attempts_belong_to_their_student) {
    char name[FOLDER_SIZE] = "ada_40x_v20270219100000";
    json_t *roster = json_pack("{s:{}}", "students");
    attempt_student(name);
    ck_assert_str_eq(name, "ada_40x");
    ck_assert(!strstr(text_of(roster_student(roster, "ada_v2", true), "folder"), "_v")); /* another student */
    json_decref(roster);
}
END_TEST

/* Options or folders with which an import of ada/reduce.cu must fail. */
static const struct {
    struct class_options of;
    const char *said;
} nothing[] = {
    {{.device = "tpu"}, "the device must be one of auto, sim, cuda, not `tpu`\n"},
    {{.compiler = "icc"}, "the compiler must be auto, nvrtc, nvcc or clang, not `icc`\n"},
    {{.seed = "-1"}, "the seed must be a whole number from 0 to 2^64-1, not `-1`\n"},
    {{.shape = "canvass", .lab = "lab3"},
     "SHAPE=canvass: there is no such layout; the layouts are gradescope, moodle, blackboard, "},
    {{.shape = "canvas", .lab = "lab3"}, "/in contains no submissions of lab3 in the canvas layout\n"},
    {{.shape = "canvas"}, "/in contains no submissions in the canvas layout\n"},
    {{.lab = NULL}, "/in: ada/reduce.cu does not name its lab: add LAB=lab3\n"},
};
START_TEST(rejected_imports_have_reasons) {
    struct class_options options = nothing[_i].of;
    char *said = NULL;
    size_t size;
    FILE *const terminal = stderr;
    begin_class();
    put_file(in, "ada/reduce.cu", "a");
    stderr = open_memstream(&said, &size);
    options.from = in, options.out = out;
    const int status = class_import(&options, &place);
    fclose(stderr);
    stderr = terminal;
    ck_assert_msg(status == EXIT_USAGE && strstr(said, nothing[_i].said), "%d: %s", status, said);
    free(said);
    end();
}
END_TEST
/* A second import of a lab replaces the first. It names students who have a submission only in the first. */
START_TEST(lost_submissions_are_reported) {
    char *said = NULL, path[200];
    size_t size;
    FILE *const terminal = stdout;
    begin_class();
    put_file(in, "ada/lab3.cu", "a"), put_file(in, "bob/lab3.cu", "b"), put_file(in, "bob/lab4.cu", "b");
    ck_assert_int_eq(import(NULL, NULL), 0);
    snprintf(path, sizeof path, "%s/bob/lab3.cu", in);
    ck_assert(!unlink(path));
    stdout = open_memstream(&said, &size);
    const int status = import("lab3", NULL);
    fclose(stdout);
    stdout = terminal;
    ck_assert_msg(!status &&
                      strstr(said, "1 submission of the previous import is not in this one, such as that of bob,"),
                  "%s", said);
    free(said);
    end();
}
END_TEST

/* Errors that `make gradebook` reports about its variables. */
static const struct {
    const char *variables, *out, *said;
} refused[] = {
    {"MAKELEVEL=1 GIVEN='SUBMISSIONS ROOSTER'", "out",
     "make gradebook has no variable ROOSTER, only SUBMISSIONS LAB OUT "},
    {"GIVEN=OUT", "in/out", "/in/out: one of these folders contains the other; choose another OUT\n"},
    {"GIVEN=OUT", ".", "one of these folders contains the other"},
    {"CLUSTER=pbs", "out", "no cluster `pbs`: the only one is CLUSTER=slurm\n"},
};
START_TEST(invalid_variables_are_reported) {
    char command[400];
    begin_class();
    snprintf(command, sizeof command, "%s SUBMISSIONS=%s OUT=%s/%s sh grader/class/gradebook.sh build 2>%s/said",
             refused[_i].variables, in, folder, refused[_i].out, folder);
    const int status = system(command);
    char *said = get(folder, "said");
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE && strstr(said, refused[_i].said), "%d: %s",
                  status, said);
    ck_assert(!there(folder, "out/lock") && !there(in, "out/lock"));
    free(said);
    end();
}
END_TEST
/* Runs `make gradebook`. In place of the grader, it calls a command that prints its arguments. */
START_TEST(without_submissions_the_last_import_counts) {
    static const struct {
        const char *import, *variables;
        int status;
        const char *said;
    } runs[] = {
        {NULL, "GIVEN=OUT", EXIT_USAGE, "which submissions? make gradebook SUBMISSIONS=FOLDER"},
        {"", "GIVEN=OUT", 0, "class report "},
        {"", "MAKELEVEL=1 GIVEN='OUT ROSTER SEED'", EXIT_USAGE, "these variables have no effect: ROSTER SEED; add SUB"},
    };
    char command[400], program[100];
    begin_class();
    put_file(folder, "build/grade", "#!/bin/sh\necho \"$@\"\n");
    snprintf(program, sizeof program, "%s/build/grade", folder);
    ck_assert_int_eq(chmod(program, 0755), 0);
    for (unsigned k = 0; k < ROWS(runs); k++) {
        if (runs[k].import) put_file(out, "units", runs[k].import);
        snprintf(command, sizeof command, "SUBMISSIONS= OUT=%s %s sh grader/class/gradebook.sh %s/build >%s/said 2>&1",
                 out, runs[k].variables, folder, folder);
        const int status = system(command);
        char *said = get(folder, "said");
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == runs[k].status && strstr(said, runs[k].said) &&
                          !strstr(said, "class import"),
                      "%d: %s", status, said);
        free(said);
    }
    end();
}
END_TEST
START_TEST(folders_that_cannot_be_written_are_setup_failures) {
    char command[400];
    begin_class();
    snprintf(command, sizeof command,
             "mkdir -p %s; ln -s /nonexistent/lock %s/lock; SUBMISSIONS=%s OUT=%s sh grader/class/gradebook.sh build "
             "2>%s/said",
             out, out, in, out, folder);
    const int status = system(command);
    char *said = get(folder, "said");
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SETUP && strstr(said, "/lock"), "%d: %s", status,
                  said);
    free(said);
    end();
}
END_TEST

int main(void) {
    setenv("TZ", "UTC", 1);
    const struct test_row tests[] = {
        {"counts", the_attempt_that_counts, ROWS(rows)},
        {"feedback", feedback_is_on_the_attempt_that_counts, 1},
        {"predictions", predictions_belong_to_an_attempt, 1},
        {"students", attempts_belong_to_their_student, 1},
        {"reasons", rejected_imports_have_reasons, ROWS(nothing)},
        {"lost", lost_submissions_are_reported, 1},
        {"variables", invalid_variables_are_reported, ROWS(refused)},
        {"last", without_submissions_the_last_import_counts, 1},
        {"setup", folders_that_cannot_be_written_are_setup_failures, 1},
    };
    return run_rows("attempts", tests, ROWS(tests));
}
