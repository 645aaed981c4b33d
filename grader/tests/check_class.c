/* Tests how a class is graded: the roster, which submissions are graded again, how a grade can end, concurrent runs,
 * the summary, and the feedback. The test grades nothing: records come from golden/ or from fake_grade(). `make
 * test-class` grades a class. */
/* run: sanitized, 4 s */
/* reads: grader/class grader/tests/golden labs */
#include "base/random.h"
#include "judge/judge.h"
#include "record/status.h"
#include "tests/class_folder.h"
#include "tests/rows.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- import ---------------------------------------------------------------------------------- */
/* A second import changes only the submissions that differ, and removes their records. */
START_TEST(changed_submissions_are_graded_again) {
    struct stat before, after;
    char path[200];
    begin_class();
    put_file(in, "ada/lab3.cu", "a"), put_file(in, "bob/lab3.cu", "b"), put_file(in, "eve/lab3.cu", "e");
    put_file(in, "eve/lab3.predictions.txt", "p");
    ck_assert_int_eq(import(NULL, NULL), 0);
    put_file(out, "records/ada/lab3.json", "{}"), put_file(out, "records/bob/lab3.json", "{}"),
        put_file(out, "records/eve/lab3.json", "{}");
    put_file(out, "faults/bob/lab3.json", "{}");
    snprintf(path, sizeof path, "%s/submissions/ada/lab3/reduce.cu", out);
    ck_assert_int_eq(stat(path, &before), 0);
    put_file(in, "bob/lab3.cu", "B");
    put_file(in, "eve/lab3.predictions.txt", "q");
    ck_assert_int_eq(import(NULL, NULL), 0);
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_ino == after.st_ino);
    ck_assert(there(out, "records/ada/lab3.json"));
    ck_assert(!there(out, "records/bob/lab3.json") && !there(out, "faults/bob/lab3.json"));
    ck_assert(!there(out, "records/eve/lab3.json"));
    put_file(out, "records/eve/lab3.json", "{}");
    snprintf(path, sizeof path, "%s/eve/lab3.predictions.txt", in);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(import(NULL, NULL), 0);
    ck_assert(!there(out, "records/eve/lab3.json") && !there(out, "submissions/eve/lab3/predictions.txt"));
    end();
}
END_TEST
START_TEST(only_regular_files_are_read) {
    char path[200];
    begin_class();
    put_file(in, "ada/lab3.cu", "a"), put_file(in, "bob/x", ""), put_file(in, "eve/x", "");
    snprintf(path, sizeof path, "%s/bob/lab3.cu", in);
    ck_assert_int_eq(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/eve/lab3.cu", in);
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    snprintf(path, sizeof path, "%s/folder", in);
    ck_assert_int_eq(symlink("ada", path), 0);
    ck_assert_int_eq(import(NULL, NULL), 0);
    char *units = get(out, "units"), *roster = get(out, "roster.json");
    ck_assert_str_eq(units, "ada/lab3\n");
    ck_assert(!there(out, "submissions/bob/lab3/reduce.cu") && !there(out, "submissions/eve/lab3/reduce.cu"));
    ck_assert_msg(strstr(roster, "bob/lab3.cu is not a regular file") &&
                      strstr(roster, "eve/lab3.cu is not a regular file"),
                  "%s", roster);
    free(units);
    free(roster);
    end();
}
END_TEST
START_TEST(seed_is_kept_and_private) {
    struct stat s;
    char path[200], file[200];
    begin_class();
    put_file(in, "ada/lab3.cu", "a");
    ck_assert_int_eq(import(NULL, NULL), 0);
    struct class_options o = {.from = in, .out = out};
    ck_assert_int_eq(class_import(&o, &place), 0);
    char *settings = get(out, "settings.json");
    ck_assert_msg(strstr(settings, "\"seed\": \"7\""), "%s", settings);
    free(settings);
    snprintf(path, sizeof path, "%s/settings.json", out);
    ck_assert(stat(path, &s) == 0 && (s.st_mode & 0777) == 0600);
    ck_assert(stat(out, &s) == 0 && (s.st_mode & 0777) == 0700); /* the records contain the seed */
    snprintf(file, sizeof file, "%s/ada/lab3.cu", in);
    ck_assert_int_eq(class_import(&(struct class_options){.from = "/nowhere/at/all", .out = out}, &place), EXIT_USAGE);
    ck_assert_int_eq(class_import(&(struct class_options){.from = file, .out = out}, &place), EXIT_USAGE);
    o.seed = "seven";
    ck_assert_int_eq(class_import(&o, &place), EXIT_USAGE);
    o.seed = "0x10"; /* ./grade accepts hexadecimal seeds */
    ck_assert_int_eq(class_import(&o, &place), 0);
    settings = get(out, "settings.json");
    ck_assert_msg(strstr(settings, "\"seed\": \"16\""), "%s", settings);
    free(settings), end();
}
END_TEST

/* ---- the roster ------------------------------------------------------------------------------ */
START_TEST(listed_students_are_on_the_roster) {
    char list[200];
    size_t n = 0;
    begin_class();
    put_file(in, "doejane_1_10_lab3.cu", "a");
    put_file(folder, "list.csv",
             "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,lab3 (99)\r\n    Points Possible,,,,,100\r\n"
             "\"Doe, Jane\",1,s1,jane,A,\r\n\"Roe, \"\"Rick\"\"\",2,s2,rick,A,\r\n"
             "\"Student, Test\",3,,0123abc,A,\r\n");
    snprintf(list, sizeof list, "%s/list.csv", folder);
    ck_assert_int_eq(import("lab3", list), 0);
    json_error_t error;
    snprintf(list, sizeof list, "%s/roster.json", out);
    json_t *roster = json_load_file(list, 0, &error), *students = json_object_get(roster, "students");
    n = json_object_size(students);
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(text_of(json_object_get(students, "1"), "name"), "Doe, Jane");
    ck_assert_str_eq(text_of(json_object_get(students, "2"), "name"), "Roe, \"Rick\"");
    ck_assert_str_eq(text_of(json_object_get(students, "2"), "sis_login_id"), "rick");
    json_decref(roster);
    ck_assert_int_eq(import("lab3", NULL), 0); /* an import without a list keeps the names in the roster */
    roster = json_load_file(list, 0, &error);
    ck_assert_str_eq(text_of(json_object_get(json_object_get(roster, "students"), "1"), "name"), "Doe, Jane");
    json_decref(roster);
    put_file(folder, "list.csv", "ID,Student\n1,\"Doe\n2,Roe\n");
    snprintf(list, sizeof list, "%s/list.csv", folder);
    ck_assert_int_eq(import("lab3", list), EXIT_USAGE);
    put_file(folder, "list.csv", "color,size\nred,3\n");
    snprintf(list, sizeof list, "%s/list.csv", folder);
    ck_assert_int_eq(import("lab3", list), EXIT_USAGE);
    end();
}
END_TEST
/* A list of arbitrary bytes is accepted or rejected, and the roster stays valid. */
START_TEST(random_lists_do_no_harm) {
    static const char *const pieces[] = {"ID",
                                         "id",
                                         "Student",
                                         "Email",
                                         ",",
                                         ",",
                                         "\"",
                                         "\n",
                                         "\r\n",
                                         "=1",
                                         "\xff",
                                         "a b",
                                         "\"\"",
                                         "    Points Possible",
                                         "1",
                                         "2",
                                         "submission_1:",
                                         "  :submitters:",
                                         "- :name: ",
                                         "&a",
                                         "*a",
                                         "{",
                                         "["};
    uint64_t state = 1;
    char text[400], path[100], why[PATH_MAX + 200];
    begin_class();
    snprintf(path, sizeof path, "%s/list", folder);
    for (int round = 0; round < 500; round++) {
        size_t n = 0;
        if (round % 2) n = (size_t)sprintf(text, "ID,Student,Email\n");
        while (n < 300) {
            n += (size_t)sprintf(text + n, "%s", pieces[random_next(&state) % (sizeof pieces / sizeof *pieces)]);
        }
        put_file(folder, "list", text);
        json_t *roster = json_pack("{s:{}, s:{}}", "students", "aliases"), *student;
        const char *key;
        roster_add_csv(roster, path, why, sizeof why);
        json_object_foreach(json_object_get(roster, "students"), key, student) ck_assert(*text_of(student, "folder"));
        json_decref(roster);
        json_decref(gradescope_people(path, why, sizeof why));
    }
    end();
}
END_TEST
START_TEST(imports_of_several_labs_are_combined) {
    begin_class();
    put_file(in, "doejane_1_10_lab3.cu", "a");
    ck_assert_int_eq(import("lab3", NULL), 0);
    char command[300];
    snprintf(command, sizeof command, "rm %s/*", in);
    ck_assert_int_eq(system(command), 0);
    put_file(in, "doejane_1_20_lab4.cu", "b"), put_file(in, "roerick_2_21_lab4.cu", "c");
    ck_assert_int_eq(import("lab4", NULL), 0);
    /* No submission has been graded. */
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP);
    char *book = get(out, "gradebook.csv");
    ck_assert_msg(strstr(book, "1,doejane,,,ungraded,,,,ungraded,,"), "%s", book);
    ck_assert_msg(strstr(book, "2,roerick,,,missing,,,,ungraded,,"), "%s", book);
    free(book);
    end();
}
END_TEST

/* ---- one grade ------------------------------------------------------------------------------- */
/* In place of `grade`, `grade class` runs this program (fake_grade()). The text of a submission determines what
 * fake_grade() does. */
static const struct grading {
    const char *text;
    int runs;          /* how often the grader runs */
    const char *fault; /* part of the message about a setup failure; NULL if there is a record */
} gradings[] = {{"full", 1, NULL},
                {"build", 1, NULL},
                {"setup", 2, "status 3"},
                {"usage", 2, "status 2"},
                {"killed", 2, "signal 9"},
                {"disk is full", 2, "\"x.json: No space left\""},
                {"half a record", 2, "status 1"},
                {"of another lab", 2, "status 0"},
                {"setup once", 2, NULL},
                {"killed once", 2, NULL}};
static void write_record(const char *path, const char *from, const char *lab) {
    char source[100];
    json_error_t error;
    snprintf(source, sizeof source, "grader/tests/golden/%s.json", from);
    json_t *r = json_load_file(source, 0, &error);
    json_object_set_new(r, "lab", json_pack("{s:s, s:s, s:s}", "id", lab, "name", "", "title", ""));
    json_dump_file(r, path, 0);
    json_decref(r);
}
/* Records a run by appending a byte to a file next to the submission. Returns the number of runs so far. */
static long count_run(const char *submission) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.runs", submission);
    FILE *f = fopen(path, "a");
    fputc('x', f);
    const long runs = ftell(f);
    fclose(f);
    return runs;
}
enum { INHERITED = 9 /* file descriptor of the lock of make gradebook, which grades must not inherit */ };
static int fake_grade(int argc, char **argv) {
    const char *json = "", *submission = "", *seed = "";
    char line[32] = "";
    size_t length;
    for (int k = 1; k + 1 < argc; k++) {
        if (!strcmp(argv[k], "--json")) json = argv[k + 1];
        if (!strcmp(argv[k], "--submission")) submission = argv[k + 1];
        if (!strcmp(argv[k], "--seed")) seed = argv[k + 1];
    }
    if (strcmp(seed, "-") || !fgets(line, sizeof line, stdin) || strcmp(line, "7") || getenv("SEED") ||
        getenv("MAKEFLAGS"))
        return 99; /* the seed must come from standard input, and make's options must have been removed */
    if (fcntl(INHERITED, F_GETFD) >= 0) return 97;
    const long runs = count_run(submission);
    char text[32] = "", *all = file_read(submission, FILE_NO_LINK | FILE_CUT, sizeof text - 1, &length);
    if (all) strcpy(text, all);
    free(all);
    if (!strcmp(text, "full")) return write_record(json, "full", argv[1]), EXIT_FULL;
    if (!strcmp(text, "build")) return write_record(json, "build", argv[1]), EXIT_BUILD;
    if (!strcmp(text, "setup")) return write_record(json, "setup", argv[1]), EXIT_SETUP;
    if (!strcmp(text, "usage")) return EXIT_USAGE;
    if (!strcmp(text, "killed")) raise(SIGKILL);
    if (!strcmp(text, "disk is full")) {
        file_replace(json, "{\"message\": \"" JUDGE_UNFINISHED "\"}", sizeof JUDGE_UNFINISHED + 14, 0644);
        return puts("lab3: 90 of 100"), fputs("x.json: No space left", stderr), EXIT_SETUP;
    }
    if (!strcmp(text, "half a record")) return file_replace(json, "{\"end\"", 6, 0644) ? EXIT_PARTIAL : 98;
    if (!strcmp(text, "of another lab")) return write_record(json, "full", "lab4"), EXIT_FULL;
    if (runs > 1) return write_record(json, "full", argv[1]), EXIT_FULL;
    if (!strcmp(text, "killed once")) raise(SIGKILL);
    return write_record(json, "setup", argv[1]), EXIT_SETUP;
}
START_TEST(grades_end_with_a_record_or_an_error) {
    const struct grading *g = &gradings[_i];
    char folder_of[120];
    begin_class();
    put_file(in, "ada/lab3.cu", g->text);
    ck_assert_int_eq(import(NULL, NULL), 0);
    setenv("SEED", "7", 1), setenv("MAKEFLAGS", " -- SEED=7", 1);
    ck_assert_int_eq(class_begin(&(struct class_options){.out = out, .count = "1"}), 0);
    struct stat st;
    snprintf(folder_of, sizeof folder_of, "%s/settings.json", out);
    /* a later time of settings.json, as if the clock had been set back since */
    const struct timespec later = {.tv_sec = time(NULL) + 7200};
    ck_assert_int_eq(utimensat(AT_FDCWD, folder_of, (struct timespec[]){later, later}, 0), 0);
    /* files of an earlier run */
    if (g->fault) put_file(out, "records/ada/lab3.json", "{}");
    if (!g->fault) put_file(out, "faults/ada/lab3.json", "{}");
    ck_assert_int_eq(dup2(STDERR_FILENO, INHERITED), INHERITED);
    ck_assert_int_eq(class_grade(&(struct class_options){.out = out, .unit = "ada/lab3"}), 0);
    char *record = get(out, "records/ada/lab3.json"), *fault = get(out, "faults/ada/lab3.json"),
         *runs = get(out, "submissions/ada/lab3/reduce.cu.runs"), *progress = get(out, "progress");
    ck_assert_msg(!record == (g->fault != NULL) && !fault == !g->fault, "%s: %s %s", g->text, record, fault);
    if (fault) ck_assert_msg(strstr(fault, g->fault), "%s: %s", g->text, fault);
    ck_assert_msg((int)strlen(runs) == g->runs, "%s: %zu runs", g->text, strlen(runs));
    ck_assert_msg(strstr(progress, "\nada/lab3 "), "%s", progress);
    snprintf(folder_of, sizeof folder_of, "%s/records/ada/lab3.json", out);
    if (record) ck_assert(!stat(folder_of, &st) && (st.st_mode & 077) == 0);
    if (record) ck_assert_int_ge(st.st_mtime, later.tv_sec); /* was graded only once */
    snprintf(folder_of, sizeof folder_of, "%s/tmp", out);
    ck_assert_msg(rmdir(folder_of) == 0, "%s: tmp is not empty", g->text);
    free(record), free(fault), free(runs), free(progress);
    end();
}
END_TEST

/* The tests' clock: time() returns the real time plus `clock_ahead` seconds. */
static time_t clock_ahead;
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec += clock_ahead;
    return at ? *at = now.tv_sec : now.tv_sec;
}
/* Setting the clock does not change the estimate of the remaining time. */
START_TEST(the_clock_is_set_during_a_run) {
    static const time_t ahead[] = {0, 5 * 86400, -5 * 86400};
    const struct class_options o = {.out = out, .count = "9"};
    FILE *said = tmpfile();
    char text[1000] = "", *all;
    begin_class();
    mkdir(out, 0700);
    ck_assert_int_eq(class_begin(&o), 0);
    ck_assert((all = get(out, "progress")));
    put_file(out, "progress", strcat(strcpy(text, all), "s/lab3 0\n"));
    const int before = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    for (unsigned k = 0; k < 3; k++) clock_ahead = ahead[k], class_progress(&o);
    clock_ahead = 0;
    dup2(before, STDERR_FILENO), close(before);
    const ssize_t n = pread(fileno(said), text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    ck_assert_str_eq(text, "[1/9] 1.0/s, 8 s left  on the cluster\n[1/9] 1.0/s, 8 s left  on the cluster\n"
                           "[1/9] 1.0/s, 8 s left  on the cluster\n");
    fclose(said), free(all);
    end();
}
END_TEST

/* A run removes the files of earlier grades that were killed, but not the files of running grades. */
START_TEST(leftovers_are_removed) {
    char host[65] = "", name[3][120];
    begin_class();
    gethostname(host, sizeof host - 1);
    const pid_t gone = fork();
    if (!gone) _exit(0);
    ck_assert_int_eq(waitpid(gone, NULL, 0), gone);
    snprintf(name[0], sizeof name[0], "tmp/%s-%d.json", host, (int)gone);
    snprintf(name[1], sizeof name[1], "tmp/%s-%d.json", host, (int)getpid());
    snprintf(name[2], sizeof name[2], "tmp/%s2-%d.log", host, (int)gone); /* log of a grade on another machine */
    for (unsigned k = 0; k < 3; k++) put_file(out, name[k], "{}");
    char path[300];
    snprintf(path, sizeof path, "%s/%s", out, name[1]);
    const struct timespec old[2] = {{0}, {0}}; /* an old time, as if the clock had been set forward during the grade */
    ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
    ck_assert_int_eq(class_begin(&(struct class_options){.out = out, .count = "1"}), 0);
    for (unsigned k = 0; k < 3; k++) ck_assert_msg(there(out, name[k]) == (k > 0), "%s", name[k]);
    end();
}
END_TEST
/* This test takes the lock, as a first run would. A second run on the same folder must report that it waits. */
START_TEST(concurrent_runs_wait_for_each_other) {
    char command[1000], path[200];
    begin_class();
    put_file(in, "ada/lab3.cu", "no CUDA"), put_file(out, "lock", "");
    snprintf(path, sizeof path, "%s/lock", out);
    const int lock = open(path, O_RDWR | O_CLOEXEC);
    ck_assert(lock >= 0 && !flock(lock, LOCK_EX));
    snprintf(command, sizeof command,
             "SUBMISSIONS=%s OUT=%s sh grader/class/gradebook.sh build >%s/said 2>&1 & p=$!; for k in $(seq 300); do "
             "test -s %s/said && "
             "break; sleep 0.1; done; pkill -P $p flock; kill $p 2>/dev/null; wait $p",
             in, out, folder, folder);
    ck_assert(system(command) != 0);
    char *said = get(folder, "said");
    ck_assert_msg(said && strstr(said, "another make gradebook is running in"), "%s", said);
    ck_assert(!there(out, "roster.json"));
    free(said), close(lock);
    end();
}
END_TEST

/* ---- results --------------------------------------------------------------------------------- */
/* Returns the member that --keep-fix adds to a record. It is for the instructor, so students must not see it. */
static json_t *found_fix(const char *cause, int left) {
    return json_pack("{s:s, s:s, s:[s, s], s:i}", "cause", cause, "idea", "all threads must wait", "diff", "-s[t] = 1;",
                     "+s[t] = 1; /* the edit */", "left", left);
}
/* Adds a student with a record from golden/, or without one. The fix of full.json (GUARD) is for a warning. */
static void with_record(const char *student, const char *text, const char *record) {
    char path[200];
    snprintf(path, sizeof path, "%s/lab3.cu", student);
    put_file(in, path, text);
    if (!record) return;
    json_t *r = golden(record);
    json_object_set_new(r, "lab", json_pack("{s:s, s:s, s:s}", "id", "lab3", "name", "shared_block", "title", "t"));
    const int left = strcmp(record, "build.json") ? 0 : 3; /* errors that remain after the fix */
    json_object_set_new(r, "fix_found", found_fix(strcmp(record, "full.json") ? "BARRIER" : "GUARD", left));
    char *json = json_dumps(r, 0);
    snprintf(path, sizeof path, "records/%s/lab3.json", student);
    put_file(out, path, json);
    free(json);
    json_decref(r);
}
START_TEST(every_end_is_summarized) {
    begin_class();
    for (int pass = 0; pass < 2; pass++) { /* pass 0 imports the submissions; pass 1 adds the records, which an import
                                              of new submissions would remove */
        with_record("ada", "kernel one", pass ? "full.json" : NULL);
        with_record("bob", "kernel one", pass ? "race.json" : NULL);
        with_record("cyd", "kernel  one // mine", pass ? "race.json" : NULL);
        with_record("dan", "nothing", pass ? "build.json" : NULL);
        with_record("eve", "something", NULL);
        with_record("fay", "else", NULL), with_record("ida", "kernel one", NULL);
        put_file(in, "gus/.notes", ""), put_file(in, "hal/lab3.cu", "%PDF-1.7\n");
        put_file(in, "jan.cu", "of nobody"), put_file(in, "kim.cu", "of nobody"), put_file(in, ".lea/lab3.cu", "mine"),
            put_file(in, "bob/lab77.cu", "of no lab");
        if (!pass) ck_assert_int_eq(import(NULL, NULL), 0);
    }
    put_file(out, "faults/eve/lab3.json",
             "{\"how\": \"the grader ended with status 3\", \"message\": \"no nvcc\", \"status\": 3}");
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP);
    char *list = get(out, "attention.txt"), *book = get(out, "gradebook.csv");
    static const char *const said[] = {"eve: the grader ended with status 3: no nvcc",
                                       "Not graded yet",
                                       "lab3   fay",
                                       "dan: ",
                                       "ada: as bob, ida\n",
                                       "bob: as ada (3 in total)\n",
                                       "ida: as ada (3 in total)\n",
                                       "lab3   gus",
                                       "  jan.cu belongs to no student\n         kim.cu belongs to no student\n",
                                       "  .lea is hidden",
                                       "  bob/lab77.cu belongs to no lab"};
    for (unsigned k = 0; k < sizeof said / sizeof *said; k++)
        ck_assert_msg(strstr(list, said[k]), "%s: %s", said[k], list);
    static const char *const rows[] = {"ada,,100,100,full,,100.0", "dan,,0,100,build,,0.0", "eve,,,,setup,,,,,,,\r",
                                       "fay,,,,ungraded,,,,,,,\r", "gus,,,,missing,,0.0"};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        ck_assert_msg(strstr(book, rows[k]), "%s: %s", rows[k], book);
    /* class.json names the cause of each loss of points, and each graded submission has a page */
    char *facts = get(out, "class.json"), *page = get(out, "reports/bob/lab3.html");
    static const char *const causes[] = {"\"cause\": \"data race in shared memory\",\n     \"students\": 2",
                                         "\"cause\": \"build error\",\n     \"students\": 1",
                                         "\"advice\": \"reduce.cu:15: expected a \\\")\\\"\"",
                                         "\"report\": \"reports/bob/lab3.html\""};
    for (unsigned k = 0; k < ROWS(causes); k++) ck_assert_msg(strstr(facts, causes[k]), "%s: %s", causes[k], facts);
    /* fixes.csv lists, for each cause, the number of submissions that an edit would have fixed */
    char *fixes = get(out, "fixes.csv"), *class = get(out, "class.html");
    ck_assert_msg(
        strstr(facts, "\"searched\": 3,\n    \"mended\": 2") &&
            strstr(fixes, "lab3,BARRIER,2,3,all threads must wait,\"'-s[t] = 1; | +s[t] = 1; /* the edit */\"") &&
            strstr(class, "+s[t] = 1; /* the edit */"),
        "%s", fixes);
    free(fixes), free(class);
    ck_assert(page && strstr(page, "data race in shared memory") && !there(out, "reports/eve/lab3.html"));
    free(facts), free(page);
    free(list);
    free(book);
    end();
}
END_TEST

/* Each row is the text of a file that the instructor writes, with the expected gradebook line or error message. */
static const struct override_row {
    const char *text, *said;
} override_rows[] = {
    {"student,lab,points,comment\nada,lab3,70,\"late, by leave\"\n", "ada,,70,100,full,,70.0,100,\"late, by leave\""},
    {"student,lab,points\r\nada,lab3,0\r\n\r\n,,\r\nbob,lab3,100\r\n",
     "bob,\"Builder, Bob\",100,100,partial,,100.0,0,"},
    {"student,lab,points\nbob builder,lab3,100\n", "bob,\"Builder, Bob\",100,100,partial,,100.0,0,"},
    {"student,lab,points,comment\nada,lab3,,well done\n", "ada,,100,100,full,,100.0,,well done"},
    {"student,lab,points,comment\nada,lab3,,a\nada,lab3,,b\n", "overrides.csv:3: ada has two lines for lab3"},
    {"student,lab,points,comment\nada,lab3,,\n",
     "overrides.csv:2: points must be a whole number from 0 to 100, not ``"},
    {"comment,points,lab,student\nwas ill,55,lab3,gus\n", "gus,,55,100,missing,,55.0,,was ill"},
    {"\xef\xbb\xbfstudent,lab,points\neve,lab3,60", "eve,,60,100,ungraded,,60.0,,"},
    {"student,lab,points,comment\nada,lab3,70,=1+1\n", "70.0,100,\"'=1+1\""},
    {" Student,\xef\xbb\xbflab ,points\nADA\xc2\xa0, Lab3 , 70\t\n", "ada,,70,100,full,,70.0,100,"},
    {"student,lab,points\rada,lab3,70\r", "ada,,70,100,full,,70.0,100,"},
    {"student;lab;points;comment\r\nada;lab3;70;\"a, b\"\r\n", "ada,,70,100,full,,70.0,100,\"a, b\""},
    {"student,lab,points,comment\nada,lab3,70,\"ill\nbob,lab3,100,\n",
     "overrides.csv:2: a quotation mark is not closed"},
    {"student,lab,points,comment\nada,lab3,70,\"two\nlines\"\nzoe,lab3,70\n", "overrides.csv:4: no student"},
    {"student,lab,points\nzoe,lab3,70\n", "overrides.csv:2: no student has the id, e-mail, SID, login or name `zoe`"},
    {"student,lab,points\nada,lab9,70\n", "overrides.csv:2: there are no submissions for `lab9`, only for lab3"},
    {"student,lab,points\nada,lab3,101\n", "overrides.csv:2: points must be a whole number from 0 to 100, not `101`"},
    {"student,lab,points\nada,lab3,7e1\n", "overrides.csv:2: points must be a whole number from 0 to 100, not `7e1`"},
    {"student,lab,points\nada,lab3,+5\n", "overrides.csv:2: points must be a whole number from 0 to 100, not `+5`"},
    {"student,lab,points\n'ada,lab3,70\n", "ada,,70,100,full,,70.0,100,"},
    {"student,lab,points\nada,lab3,1\nada,lab3,2\n", "overrides.csv:3: ada has two lines for lab3"},
    {"student,lab,points\n,lab3,1\n", "overrides.csv:2: no student has the id, e-mail, SID, login or name ``"},
    {"ada,lab3,70\n", "overrides.csv:1: there is no column `student`"},
    {"student,lab,points,comment\nada,lab3,70,\xe9t\xe9\n", "overrides.csv:2: the line is not UTF-8"},
    {"student,lab,points,Points\nada,lab3,70,80\n", "overrides.csv:1: two columns are named `points`: keep one"},
    {"sep=;\r\n\r\nstudent;lab;points\r\nzoe;lab3;70\r\n", "overrides.csv:4: no student"},
    {"student,lab,points\nal99,lab3,70\n", "ada,,70,100,full,,70.0,100,"},
    {"", "gus,,,,missing,,0.0,,"},
};
START_TEST(overrides_replace_points) {
    char message[600] = "";
    begin_class();
    for (int pass = 0; pass < 2; pass++) {
        with_record("ada", "kernel one", pass ? "full.json" : NULL);
        with_record("bob", "kernel two", pass ? "race.json" : NULL);
        with_record("eve", "kernel three", NULL);
        put_file(in, "gus/.notes", ""), put_file(in, "hal/lab3.cu", "%PDF-1.7\n");
        if (!pass) ck_assert_int_eq(import(NULL, NULL), 0);
    }
    put_file(out, "overrides.csv", override_rows[_i].text);
    json_t *roster = json_load_file((snprintf(message, sizeof message, "%s/roster.json", out), message), 0, NULL);
    json_object_set_new(json_object_get(json_object_get(roster, "students"), "ada"), "sis_login_id",
                        json_string("al99"));
    json_object_set_new(json_object_get(json_object_get(roster, "students"), "bob"), "name",
                        json_string("Builder, Bob"));
    json_t *facts = class_facts(out, roster, &place, message, sizeof message);
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (facts)
        class_csv(facts, CSV_OWN, f);
    else
        fputs(message, f);
    fclose(f);
    if (!facts) ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_USAGE);
    ck_assert_msg(strstr(text, override_rows[_i].said), "%s: %s", override_rows[_i].text, text);
    free(text);
    json_decref(roster), json_decref(facts);
    end();
}
END_TEST

/* A student's folder contains only this student's reports, which do not contain the seed. */
START_TEST(students_get_only_their_own_report) {
    static const char seed[] = "918273645";
    char list[PATH_MAX];
    begin_class();
    put_file(folder, "list.csv", "id,SIS Login ID\nbob,bob@example.edu\n");
    snprintf(list, sizeof list, "%s/list.csv", folder);
    for (int pass = 0; pass < 2; pass++) {
        with_record("ada", "kernel one", pass ? "full.json" : NULL);
        with_record("bob", "kernel two", pass ? "race.json" : NULL);
        put_file(in, "gus/.notes", ""), put_file(in, "hal/lab3.cu", "%PDF-1.7\n");
        struct class_options o = {.from = in, .out = out, .seed = seed, .roster = list};
        if (!pass) ck_assert_int_eq(class_import(&o, &place), 0);
    }
    ck_assert_int_eq(class_feedback(&(struct class_options){.out = out}), EXIT_USAGE); /* there is no gradebook yet */
    json_t *record = json_load_file("grader/tests/golden/race.json", 0, NULL);
    json_object_set_new(record, "seed", json_string(seed));
    json_object_set_new(record, "advice", json_string("see ./grade lab3 --case x --seed 918273645, or 918273645"));
    json_object_set_new(record, "fix_found", found_fix("BARRIER", 0));
    json_object_set_new(record, "course", json_pack("{s:s}", "deadline", "2001-01-01 18:00")); /* an old setting */
    char *text = json_dumps(record, 0), path[PATH_MAX];
    put_file(out, "records/bob/lab3.json", text);
    free(text), json_decref(record);
    put_file(out, "overrides.csv", "student,lab,points,comment\nada,lab3,70,seen in class\nbob,lab3,,try again\n");
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), 0);
    put_file(out, "feedback/zoe/lab3.txt", ""); /* left over from an earlier run */
    ck_assert_int_eq(class_feedback(&(struct class_options){.out = out}), 0);
    ck_assert(!there(out, "feedback/zoe/lab3.txt") && !there(out, "feedback/gus/lab3.txt"));
    char *ada = get(out, "feedback/ada/lab3.txt"), *bob = get(out, "feedback/bob/lab3.txt"),
         *page = get(out, "feedback/bob/lab3.html"), *mails = get(out, "feedback.csv"),
         *server = get(out, "feedback-upload/bob_lab3.html");
    ck_assert_msg(ada && strstr(ada, "\n70 points count instead of 100, set by the instructor; seen in class\n"),
                  "%.200s", ada);
    ck_assert(bob && page && server && !strcmp(page, server) && strstr(bob, "\ncomment: try again\n"));
    ck_assert(!strstr(bob, "2001-01-01") && !strstr(page, "2001-01-01"));
    char *final = get(out, "feedback/ada/lab3.html"); /* check_web tests that the page shows course.points */
    ck_assert(final && strstr(final, "70 points count instead of 100, set by the instructor; seen"));
    free(final);
    ck_assert_msg(
        strstr(mails, "bob@example.edu,,bob,lab3,0,partial,,try again,") && strstr(mails, "bob/lab3.html") &&
            strstr(mails, ",ada,lab3,70,") && strstr(mails, ",gus,lab3,,missing,") &&
            strstr(mails, ",hal,lab3,,refused,,,\"not graded: hal/lab3.cu is a PDF document, not a text file\","),
        "%s", mails);
    const char *const all[] = {ada, bob, page, mails}; /* the page's script may contain --seed */
    for (unsigned k = 0; k < ROWS(all); k++)
        ck_assert_msg(!strstr(all[k], seed) &&
                          (all[k] == page || (!strstr(all[k], "--seed ") && !strstr(all[k], "replay:"))) &&
                          !strstr(all[k], "/* the edit */"),
                      "%u", k);
    ck_assert(!strstr(ada, "bob") && !strstr(page, "ada/"));
    snprintf(path, sizeof path, "%s/feedback.csv", out);
    struct stat st;
    ck_assert(!stat(path, &st) && (st.st_mode & 077) == 0);
    free(ada), free(bob), free(page), free(mails), free(server);
    end();
}
END_TEST
int main(int argc, char **argv) {
    if (!strcmp(argv[0], "grade")) return fake_grade(argc, argv);
    const struct test_row tests[] = {
        {"changes", changed_submissions_are_graded_again, 1},
        {"plain files", only_regular_files_are_read, 1},
        {"seed", seed_is_kept_and_private, 1},
        {"roster", listed_students_are_on_the_roster, 1},
        {"lists", random_lists_do_no_harm, 1},
        {"labs", imports_of_several_labs_are_combined, 1},
        {"grades", grades_end_with_a_record_or_an_error, ROWS(gradings)},
        {"leftovers", leftovers_are_removed, 1},
        {"clock", the_clock_is_set_during_a_run, 1},
        {"two runs", concurrent_runs_wait_for_each_other, 1},
        {"ends", every_end_is_summarized, 1},
        {"feedback", students_get_only_their_own_report, 1},
        {"overrides", overrides_replace_points, ROWS(override_rows)},
    };
    return run_rows("class", tests, ROWS(tests));
}
