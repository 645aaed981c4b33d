/* Tests a course's secret: where it is read from, that it is erased, and the seeds that are derived from it. */
/* run: sanitized */
/* reads: nothing */
#include "base/file.h"
#include "sandbox/process.h"
#include "course/secret.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/check-secret-XXXXXX";
static char message[300];

static void write_secret(const char *text, size_t length) {
    FILE *f = fopen(path, "w");
    ck_assert(f && fwrite(text, 1, length, f) == length && !fclose(f));
}
static bool take_secret(struct secret *s, const char *value, const char *file) {
    unsetenv("GRADE_SECRET");
    unsetenv("GRADE_SECRET_FILE");
    if (value) setenv("GRADE_SECRET", value, 1);
    if (file) setenv("GRADE_SECRET_FILE", file, 1);
    message[0] = 0;
    const bool ok = secret_take(s, message, sizeof message);
    ck_assert(!getenv("GRADE_SECRET") && !getenv("GRADE_SECRET_FILE"));
    ck_assert(ok || !s->text[0]);
    return ok;
}
START_TEST(secret_is_read) {
    struct secret s;
    ck_assert(take_secret(&s, NULL, NULL));
    ck_assert_str_eq(s.text, "");
    ck_assert(take_secret(&s, "a secret", NULL));
    ck_assert_str_eq(s.text, "a secret");
    write_secret("another one\r\nand more\n", 23);
    ck_assert_msg(take_secret(&s, NULL, path), "%s", message);
    ck_assert_str_eq(s.text, "another one");
    secret_forget(&s);
    ck_assert_str_eq(s.text, "");
}
END_TEST
static const struct {
    const char *value, *file, *said;
} faults[] = {
    {"short", NULL, "GRADE_SECRET: the secret is shorter than 8 bytes"},
    {"", NULL, "shorter than 8 bytes"},
    {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
     NULL, "longer than 200 bytes"},
    {"a secret", "/dev/null", "set only one"},
    {NULL, "/nowhere/secret", "GRADE_SECRET_FILE: /nowhere/secret: No such file"},
    {NULL, "/tmp", "readable regular file"},
    {NULL, "/dev/zero", "readable regular file"},
    {NULL, "", "GRADE_SECRET_FILE: "},
};
START_TEST(invalid_secrets_are_reported) {
    struct secret s;
    ck_assert(!take_secret(&s, faults[_i].value, faults[_i].file));
    ck_assert_msg(strstr(message, faults[_i].said), "%s", message);
}
END_TEST
/* After the program has read the secret, it must not be in the program's environment in /proc, nor in a child's
 * environment. The test runs this program again, with the argument `traces`. */
START_TEST(secret_is_erased_from_the_environment) {
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    ck_assert(n > 0);
    self[n] = 0;
    const char *const words[] = {"sh", "-c", "GRADE_SECRET='very secret indeed' \"$0\" traces", self, NULL};
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 1 << 20};
    struct process_result p = process_run(words, &limits);
    ck_assert_msg(p.end == PROCESS_EXITED && p.status == 0, "status %d: %s", p.status, p.output);
    ck_assert_msg(strstr(p.output, "taken"), "%s", p.output);
    free(p.output);
}
END_TEST
static int traces(void) {
    struct secret s;
    const bool taken = secret_take(&s, message, sizeof message) && !strcmp(s.text, "very secret indeed");
    size_t n;
    char *text = file_read("/proc/self/environ", 0, 1 << 16, &n);
    puts(taken ? "taken" : message);
    const bool found = !text || memmem(text, n, "very secret", 11);
    free(text);
    if (found) return puts("it is in /proc/self/environ"), 1;
    return fflush(stdout), system("! env | grep -E '^GRADE_SECRET|very secret'") ? 1 : 0;
}

/* ---- seeds ---------------------------------------------------------------------------------- */
START_TEST(seeds_depend_on_secret_lab_and_file) {
    const struct secret one = {"the first secret"}, other = {"the first secreu"};
    char text[3000];
    memset(text, 'x', sizeof text);
    write_secret(text, sizeof text);
    const uint64_t seed = secret_seed(&one, "lab3", path);
    ck_assert_uint_lt(seed, 1000000000);
    ck_assert_uint_eq(seed, secret_seed(&one, "lab3", path));
    ck_assert_uint_ne(seed, secret_seed(&other, "lab3", path));
    ck_assert_uint_ne(seed, secret_seed(&one, "lab4", path));
    for (unsigned at = 0; at < sizeof text; at += 499) { /* the seed depends on the whole file */
        text[at] = 'y';
        write_secret(text, sizeof text);
        ck_assert_uint_ne(seed, secret_seed(&one, "lab3", path));
        text[at] = 'x';
    }
    write_secret(text, sizeof text - 1);
    ck_assert_uint_ne(seed, secret_seed(&one, "lab3", path));
    write_secret("", 0);
    ck_assert_uint_eq(secret_seed(&one, "lab3", path), secret_seed(&one, "lab3", "/nowhere"));
}
END_TEST

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) return traces();
    const int fd = mkstemp(path);
    if (fd < 0 || close(fd)) return perror(path), 1;
    Suite *suite = suite_create("secret");
    TCase *tcase = tcase_create("secret");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, secret_is_read);
    tcase_add_loop_test(tcase, invalid_secrets_are_reported, 0, sizeof faults / sizeof *faults);
    tcase_add_test(tcase, secret_is_erased_from_the_environment);
    tcase_add_test(tcase, seeds_depend_on_secret_lab_and_file);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    unlink(path);
    return failed != 0;
}
