/* Tests predictions: which M the questions ask about, the seal of the file, and that no report reveals an answer
 * that can still earn points. */
/* run: plain, 15 s */
/* reads: grade labs solutions common */
#include "base/file.h"
#include "judge/judge.h"
#include "judge/seal.h"
#include "course/secret.h"
#include "tests/effort.h"
#include "tests/files.h"
#include "tests/quick.h"
#include "tests/shell.h"
#include <check.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the seal --------------------------------------------------------------------------------- */
static const char unsealed[] = "# mine\n\nsteps@128: 7\nsteps@256: 8\n";
static char *sealed(const char *text, unsigned grades) {
    char *out = NULL;
    size_t size;
    struct seal s = {SEAL_NONE, "2027-02-01 18:00:00 UTC", grades, ""};
    FILE *f = open_memstream(&out, &size);
    ck_assert(f != NULL);
    seal_write(f, text, &s);
    ck_assert_int_eq(fclose(f), 0);
    return out;
}
/* Replaces the first `from` in the text with `to`. If `from` is "", returns the text unchanged. */
static char *edited(char *text, const char *from, const char *to) {
    char *at = *from ? strstr(text, from) : NULL, *out = NULL;
    ck_assert_msg(at || !*from, "no `%s` in %s", from, text);
    ck_assert(!at || asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    if (at) free(text);
    return at ? out : text;
}
static const struct {
    unsigned grades;
    const char *from, *to;
    enum seal_state state;
} seals[] = {
    {0, "", "", SEAL_FIRST},
    {3, "", "", SEAL_LATE},
    {0, "7\n", "7  \r\n", SEAL_FIRST}, /* servers and editors may change line endings */
    {0, "8\n", "8\r\n\r\n", SEAL_FIRST},
    {0, "@128: 7", "@128: 8", SEAL_CHANGED},
    {0, "mine", "yours", SEAL_CHANGED},
    {0, "\n\n", "\n", SEAL_CHANGED},
    {0, "18:00", "17:00", SEAL_CHANGED},
    {3, "after 3 grades", "before the first grade", SEAL_CHANGED},
    {3, "after 3 grades", "after 0 grades", SEAL_CHANGED},
    {0, "2027-02-01 18:00:00 UTC before", "yesterday, before", SEAL_CHANGED},
    {0, "grade: ", "grade: x", SEAL_CHANGED},
    {0, "# sealed", "#sealed", SEAL_NONE},
};
START_TEST(seals_cover_the_text) {
    char *text = edited(sealed(unsealed, seals[_i].grades), seals[_i].from, seals[_i].to);
    const struct seal s = seal_of(text);
    ck_assert_msg(s.state == seals[_i].state, "%s: %d", text, (int)s.state);
    ck_assert(seals[_i].state == SEAL_CHANGED || s.grades == seals[_i].grades);
    free(text);
}
END_TEST
START_TEST(new_seals_replace_old_ones) {
    char *once = sealed(unsealed, 0), *twice = sealed(once, 1), *again = edited(sealed(twice, 0), "", "");
    ck_assert_str_eq(once, again);
    ck_assert_int_eq(seal_of(twice).state, SEAL_LATE);
    ck_assert_int_eq(seal_of(unsealed).state, SEAL_NONE);
    free(once), free(twice), free(again);
    char *cut = sealed("steps@128: 7", 0); /* no trailing newline */
    ck_assert(strstr(cut, "7\n# sealed ") && seal_of(cut).state == SEAL_FIRST);
    free(cut);
}
END_TEST

/* ---- which M the questions ask about ---------------------------------------------------------- */
START_TEST(every_m_is_drawn_and_students_keep_theirs) {
    const struct secret one = {"the first secret"}, other = {"another secret"};
    unsigned times[PREDICTION_BLOCKS] = {0}, moved = 0;
    char id[20];
    for (unsigned k = 0; k < 60; k++) {
        snprintf(id, sizeof id, "student%u", k);
        const uint32_t block = prediction_block(secret_of_student(&one, "lab3", id));
        ck_assert_uint_eq(block, prediction_block(secret_of_student(&one, "lab3", id)));
        moved += block != prediction_block(secret_of_student(&other, "lab3", id));
        for (unsigned b = 0; b < PREDICTION_BLOCKS; b++) times[b] += block == prediction_blocks[b];
    }
    for (unsigned b = 0; b < PREDICTION_BLOCKS; b++) ck_assert_uint_ge(times[b], 10);
    ck_assert_uint_ge(moved, 20);
    ck_assert_uint_ne(secret_of_student(&one, "lab3", "ada"), secret_of_student(&one, "lab4", "ada"));
}
END_TEST

/* ---- the command, on a copy of the kit: $T/kit ------------------------------------------------ */
static char folder[] = "/tmp/check-predictions-XXXXXX";
/* Asserts that the command's output contains these words. Line breaks and repeated spaces do not matter. */
static void says(const char *script, int status, const char *words) {
    char *out = shell(status, "%s", script), *to = out;
    for (const char *s = out; *s; s++)
        if (!strchr(" \n", *s) || (to > out && to[-1] != ' ')) *to++ = (char)(*s == '\n' ? ' ' : *s);
    *to = 0;
    ck_assert_msg(strstr(out, words), "%s: no `%s` in\n%.2000s", script, words, out);
    free(out);
}
static char *whole(const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/kit/%s", folder, name);
    return read_file(path);
}
#define SEAL "cd $T/kit && ./grade lab2 --seal 2>&1"
#define GRADE "cd $T/kit && ./grade lab2 --seed 5 --device sim --no-fix --no-color "
/* Asserts that no report contains the number, which is the right answer for the selected M. In lab 2, the graded
 * kernel is lab 1's: its results are correct, the lab is incomplete, and all guesses are wrong. */
static void no_report_has(const char *number) {
    static const char *const files[] = {"out", "r.json", "r.xml", "r.tap", "r.gs", "r.pl", "r.html"};
    for (unsigned k = 0; k < sizeof files / sizeof *files; k++) {
        char *text = whole(files[k]);
        const size_t n = strlen(number);
        for (const char *at = text; (at = strstr(at, number)); at += n) {
            /* whether the digits are part of a longer number, or of base64 data in the page */
            const bool longer = (at > text && (strchr("+/.", at[-1]) || isalnum((unsigned char)at[-1]))) ||
                                at[n] == '+' || at[n] == '/' || isalnum((unsigned char)at[n]);
            ck_assert_msg(longer, "%s: %.*s", files[k], 160, at > text + 80 ? at - 80 : text);
        }
        free(text);
    }
}
/* Checks the predictions in r.json, which are all wrong. `told`: the record must contain their counts; otherwise, it
 * must not. */
static json_t *rows_of(bool told) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/kit/r.json", folder);
    json_t *record = json_load_file(path, 0, NULL), *rows = NULL, *test, *row;
    size_t k;
    json_array_foreach(json_object_get(record, "tests"), k, test) {
        if (!rows) rows = json_incref(json_object_get(test, "predictions"));
        const json_t *seal = json_object_get(test, "seal");
        ck_assert(!seal || !strcmp(json_string_value(json_object_get(seal, "state")), "first"));
    }
    ck_assert_uint_eq(json_array_size(rows), 2);
    json_array_foreach(rows, k, row) ck_assert_int_eq(json_object_get(row, "counted") != NULL, told);
    json_decref(record);
    return rows;
}
/* Without a secret and a seed, every run asks a student about the same M. */
START_TEST(students_keep_their_m) {
    free(shell(0, "cd $T/kit && (echo '#define SOLUTION'; cat solutions/lab1_*/reduce.cu) >own.cu && for k in 1 2 3; "
                  "do ./grade lab1 --submission own.cu --no-sandbox --device sim --no-fix --no-color --student eve | "
                  "grep -o 'right for M = [0-9]*'; done | sort -u | wc -l | grep -x 1"));
}
END_TEST
/* Any blank hides the counts, even after the deadline, and even if the student was not asked about the blank's M. */
START_TEST(blank_predictions_hide_counts) {
    static const char *const blocks[] = {"256", "512"};
    free(shell(0, "cd $T/kit && cp labs/lab2_*/predictions.txt asked && cp labs/course.conf course && echo "
                  "'lab2.deadline = 2020-01-01 00:00' >>labs/course.conf && cp labs/lab2_*/reduce.cu kernel && (echo "
                  "'#define SOLUTION'; cat solutions/lab1_*/reduce.cu) >$(echo labs/lab2_*/reduce.cu)"));
    for (unsigned k = 0; k < 2; k++) {
        free(shell(1,
                   "cd $T/kit && sed 's/: ?/: 7/; s/global_requests@%s: 7/global_requests@%s: ?/' asked >$(echo "
                   "labs/lab2_*/predictions.txt) && " GRADE "--student ada --json r.json",
                   blocks[k], blocks[k]));
        json_decref(rows_of(false));
    }
    free(shell(0, "cd $T/kit && mv asked $(echo labs/lab2_*/predictions.txt) && mv course labs/course.conf && mv "
                  "kernel $(echo labs/lab2_*/reduce.cu) && rm -r $T/cache/history"));
}
END_TEST
START_TEST(sealed_predictions_are_graded_without_answers) {
    char number[30];
    size_t k;
    json_t *row;
    says(SEAL, 2, "global_requests@128 is not a number yet, so nothing was sealed: fill it in first");
    says("cd $T/kit; sed -i 's/: ?/: 7/' labs/lab2_*/predictions.txt; cp solutions/lab1_*/reduce.cu labs/lab2_*/; sed "
         "-i "
         "'1i #define SOLUTION' labs/lab2_*/reduce.cu; " SEAL,
         0, ", before the first grade. Its digest is ");
    says(SEAL, 0, "already. Its digest is ");
    free(shell(1, "echo 'lab2.deadline = 2020-01-01 00:00' >>$T/kit/labs/course.conf; " GRADE
                  "--student ada --json r.json"));
    json_t *told = rows_of(true);
    free(shell(
        1, "sed -i '$d' $T/kit/labs/course.conf; " GRADE
           "--student ada --explain --diff-solution --lanes --json r.json --junit r.xml --tap r.tap --gradescope r.gs "
           "--prairielearn r.pl --html r.html >out"));
    json_decref(rows_of(false));
    char *out = whole("out");
    ck_assert_msg(strstr(out, "0 of 2 predictions right for M = ") && strstr(out, "; sealed 20") &&
                      strstr(out, ", digest "),
                  "%s", out);
    free(out);
    json_array_foreach(told, k, row) {
        snprintf(number, sizeof number, "%.0f", json_number_value(json_object_get(row, "counted")));
        no_report_has(number);
    }
    json_decref(told);
}
END_TEST
START_TEST(changed_and_late_seals_are_reported) {
    says("sed -i 's/@256: 7/@256: 8/' $T/kit/labs/lab2_*/predictions.txt; " GRADE, 1, "changed after the seal of 20");
    says(SEAL, 0, ", after 3 grades. Its digest is ");
    says("cp solutions/lab2_*/* $T/kit/labs/lab2_*/; sed -i '1i #define SOLUTION' $T/kit/labs/lab2_*/reduce.cu; echo "
         "'lab2.unsealed = 0.5' >>$T/kit/labs/course.conf; " GRADE,
         1, "2 of 2 predictions right for M = ");
    says(GRADE, 1,
         "not sealed before the first grading run, so predictions get 50% of the points (./grade lab2 --seal)");
    says(GRADE "--quiet", 1, "lab2: 95 of 100 points");
    says("rm -r $T/cache/history; " SEAL, 0, ", before the first grade. Its digest is ");
    says(GRADE "--quiet", 0, "lab2: 100 of 100 points");
}
END_TEST

#define LOOP(test, rows) tcase_add_loop_test(tcase, test, 0, sizeof rows / sizeof *rows)
int main(void) {
    char path[PATH_MAX], why[500];
    const char *given = getenv("GRADE") ? getenv("GRADE") : "./grade";
    Suite *suite = suite_create("predictions");
    TCase *tcase = tcase_create("parts"), *command = tcase_create("command");
    LOOP(seals_cover_the_text, seals);
    tcase_add_test(tcase, new_seals_replace_old_ones);
    tcase_add_test(tcase, every_m_is_drawn_and_students_keep_theirs);
    suite_add_tcase(suite, tcase);
    if (!realpath(given, path)) return printf("check_predictions: no command %s: set GRADE\n", given), 1;
    if (!mkdtemp(folder) || setenv("GRADE", path, 1) || setenv("T", folder, 1)) return 1;
    setenv("CUDA", quick_compiler(), 1);
    snprintf(path, sizeof path, "%s/cache", folder);
    setenv("GRADE_CACHE", path, 1);
    if (compiler_find(quick_compiler(), why, sizeof why)) {
        if (system("mkdir $T/kit && cp -rL labs common solutions $T/kit && cp \"$GRADE\" $T/kit/grade")) return 1;
        tcase_set_timeout(command, 300);
        if (in_turn(0, 2)) tcase_add_test(command, students_keep_their_m);
        if (in_turn(1, 2)) tcase_add_test(command, blank_predictions_hide_counts);
        if (in_turn(1, 2)) { /* the second test continues with the files of the first */
            tcase_add_test(command, sealed_predictions_are_graded_without_answers);
            tcase_add_test(command, changed_and_late_seals_are_reported);
        }
        suite_add_tcase(suite, command);
    } else
        printf("SKIP check_predictions: the command: %s\n", why);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    file_remove_folder(folder);
    return failed != 0;
}
