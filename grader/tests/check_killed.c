/* Kills processes of a grade, as the out-of-memory killer or an administrator might. The grade must then report a
 * setup failure, or the same record, byte for byte, as an undisturbed grade. TRIALS=N runs N grades. In each, a
 * process is killed at a random time; it may be a compiler. SEED=N selects the random times. */
/* run: plain, 8 s */
/* reads: grade labs solutions */
#include "tests/files.h"
#include "base/clock.h"
#include "compile/compiler.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX = 64, SETUP = 3 };
static char folder[] = "/tmp/check-killed-XXXXXX";
/* A submission with a race. The check of findings explains the failure of the check of results. */
static const char *const wrong = "#include \"reduce.h\"\n"
                                 "__global__ void reduce(value_t *data, value_t *partial, unsigned n) {\n"
                                 "    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t);\n"
                                 "    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2)\n"
                                 "        if (t % stride == 0 && i + stride < n)\n"
                                 "            data[i] = combine(data[i], data[i + stride]);\n"
                                 "    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();\n"
                                 "}\n";

/* ---- the processes of a grading run ---------------------------------------------------------- */
enum role {
    CHECK,
    BWRAP,
    INSIDE /* the first process in the sandbox */,
    WORKER,
    SERVER /* the process that serves a connection */,
    ANY
};
struct found {
    pid_t pid;
    enum role role;
};
static bool is_bwrap(int pid) {
    char path[40], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    FILE *f = fopen(path, "r");
    const bool read = f && fgets(name, sizeof name, f);
    if (f) fclose(f);
    return read && !strcmp(name, "bwrap\n");
}
static enum role role_of(int pid, enum role parent) {
    switch (parent) {
    case BWRAP: return INSIDE;
    case INSIDE: return WORKER;
    case WORKER: return SERVER;
    default: return is_bwrap(pid) ? BWRAP : CHECK;
    }
}
/* Finds all descendants of process `pid`, and their roles. */
static unsigned find_process(int pid, enum role role, struct found *all, unsigned count) {
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *f = fopen(path, "r");
    while (f && count < MAX && fscanf(f, "%d", &child) == 1) {
        all[count] = (struct found){child, role_of(child, role)};
        count = find_process(child, all[count].role, all, count + 1);
    }
    if (f) fclose(f);
    return count;
}

/* ---- grades ---------------------------------------------------------------------------------- */
/* Starts a grade of the submission, or of the solution if `what` is --solution. */
static pid_t begin_grade(const char *lab, const char *what, const char *option, const char *cache, const char *record) {
    char submission[220];
    const char *program = getenv("GRADE");
    snprintf(submission, sizeof submission, "--submission=%s/reduce.cu", folder);
    const pid_t pid = fork();
    if (pid) return pid;
    const int null = open("/dev/null", O_RDWR);
    dup2(null, 1), dup2(null, 2);
    if (cache) setenv("GRADE_CACHE", cache, 1);
    program = program ? program : "./grade";
    execlp(program, program, lab, what ? what : submission, option, "--seed", "5", "--device", "sim", "--json", record,
           "-q", "--no-pictures", "--no-fix", (char *)NULL);
    _exit(127);
}
static bool has_ended(pid_t pid, int *status) { return waitpid(pid, status, WNOHANG) == pid; }
static char undisturbed[200];
/* Asserts that the record either equals that of an undisturbed grade or reports a setup failure. */
static void expect_verdict(int status, const char *record, const char *what) {
    const int end = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (end == SETUP && access(record, F_OK)) return; /* the process was killed before it wrote a record */
    char *text = read_file(record), *calm = read_file(undisturbed);
    if (end == SETUP)
        ck_assert_msg(strstr(text, "\"end\": \"setup\"") != NULL, "%s: %s", what, text);
    else
        ck_assert_msg(end == 1 && !strcmp(text, calm), "%s: exit %d, a different record:\n%s", what, end, text);
    free(text);
    free(calm);
}
static void prepare_folder(void) {
    char path[200];
    int status;
    snprintf(path, sizeof path, "%s/reduce.cu", folder);
    FILE *f = fopen(path, "w");
    ck_assert(f && fputs(wrong, f) > 0 && !fclose(f));
    snprintf(undisturbed, sizeof undisturbed, "%s/undisturbed.json", folder);
    ck_assert(waitpid(begin_grade("lab1", NULL, "--sandbox", NULL, undisturbed), &status, 0) > 0);
    char *text = read_file(undisturbed);
    ck_assert_msg(WEXITSTATUS(status) == 1 && strstr(text, "data race"), "%s", text);
    free(text);
}
/* Kills processes as soon as they start: the first process with this role, or all of them. */
static const struct {
    const char *option;
    enum role role;
    bool all;
    int status; /* the expected status */
} rows[] = {{"--no-sandbox", CHECK, false, 1}, {"--sandbox", WORKER, false, 1}, {"--sandbox", CHECK, true, SETUP}};
START_TEST(killed_processes_change_no_verdict) {
    char record[200], what[100];
    int status;
    unsigned struck = 0;
    snprintf(record, sizeof record, "%s/row%d.json", folder, _i);
    snprintf(what, sizeof what, "row %d", _i);
    const pid_t grade = begin_grade("lab1", NULL, rows[_i].option, NULL, record);
    for (; !has_ended(grade, &status); usleep(500)) {
        struct found all[MAX];
        const unsigned count = rows[_i].all || !struck ? find_process(grade, ANY, all, 0) : 0;
        for (unsigned k = 0; k < count; k++)
            if (all[k].role == rows[_i].role && (rows[_i].all || !struck)) struck += !kill(all[k].pid, SIGKILL);
    }
    ck_assert_uint_gt(struck, 0);
    expect_verdict(status, record, what);
    ck_assert_msg(WEXITSTATUS(status) == rows[_i].status, "%s: exit %d", what, WEXITSTATUS(status));
}
END_TEST

/* Returns whether the process exists and is not a zombie. */
static bool is_alive(int pid) {
    char path[40], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1) state = 'Z';
    if (f) fclose(f);
    return state != 'Z';
}
/* A grade may be killed by the time limit of a batch queue. Its checks, which would run for seconds, must then end,
 * too. */
START_TEST(nothing_outlives_a_grade) {
    struct found all[MAX];
    char record[200];
    unsigned count = 0, checks = 0, left = 1;
    snprintf(record, sizeof record, "%s/ended%d.json", folder, _i);
    const pid_t grade = begin_grade("lab9", "--solution", _i ? "--sandbox" : "--no-sandbox", NULL, record);
    for (unsigned seen = 0; seen < 20; usleep(10000)) { /* for 0.2 s */
        count = find_process(grade, ANY, all, 0), checks = 0;
        for (unsigned k = 0; k < count; k++) checks += all[k].role == CHECK;
        seen = checks ? seen + 1 : 0;
    }
    ck_assert(!kill(grade, SIGKILL) && waitpid(grade, NULL, 0) == grade);
    for (unsigned n = 0; left && n < 30; n++, usleep(10000)) {
        left = 0;
        for (unsigned k = 0; k < count; k++) left += is_alive(all[k].pid);
    }
    for (unsigned k = 0; left && k < count; k++) kill(all[k].pid, SIGKILL);
    ck_assert_msg(!left, "%u of %u processes are left", left, count);
}
END_TEST

/* ---- at random times ------------------------------------------------------------------------- */
enum { PART = 50 /* grades per test; more would exceed 35 minutes, which is too long for Check */ };
static int trials_given(void) { return getenv("TRIALS") ? atoi(getenv("TRIALS")) : 0; }
START_TEST(random_kills_change_no_verdict) {
    static const char *const names[] = {"check", "bwrap", "inside", "worker or compiler", "server or compiler"};
    const int left = trials_given() - _i * PART, trials = left < PART ? left : PART;
    unsigned same = 0, setup = 0, killed[ANY] = {0}, late = 0;
    double longest[2] = {0};
    int status;
    srand((getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : (unsigned)getpid()) + (unsigned)_i);
    for (int k = -2; k < trials; k++) { /* the first two grades run undisturbed, to measure the duration */
        char record[200], cache[200], what[100];
        struct found all[MAX];
        const bool compiles = k & 1;
        snprintf(record, sizeof record, "%s/trial%d-%d.json", folder, _i, k + 2);
        snprintf(cache, sizeof cache, "%s/cache%d-%d", folder, _i, k + 2);
        const double start = clock_seconds(), until = start + longest[compiles] * rand() / RAND_MAX;
        const pid_t grade = begin_grade("lab1", NULL, "--sandbox", compiles ? cache : NULL, record);
        while (k >= 0 && clock_seconds() < until) usleep(200);
        const unsigned count = k >= 0 ? find_process(grade, ANY, all, 0) : 0;
        const struct found victim = all[count ? (unsigned)rand() % count : 0];
        if (count && !kill(victim.pid, SIGKILL)) killed[victim.role]++;
        late += k >= 0 && !count;
        ck_assert(waitpid(grade, &status, 0) == grade);
        if (k < 0) longest[compiles] = clock_seconds() - start;
        snprintf(what, sizeof what, "trial %d, killed: %s", k, count ? names[victim.role] : "none");
        expect_verdict(status, record, what);
        same += k >= 0 && WEXITSTATUS(status) == 1, setup += WEXITSTATUS(status) == SETUP;
    }
    printf("%d grades: %u correct verdicts, %u setup failures. Killed:", trials, same, setup);
    for (unsigned k = 0; k < ANY; k++) printf(" %s %u,", names[k], killed[k]);
    printf(" none %u\n", late);
}
END_TEST

int main(void) {
    char why[500];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_killed: %s\n", why), 0;
    if (!sandbox_present(why, sizeof why)) return printf("SKIP check_killed: %s\n", why), 0;
    if (!mkdtemp(folder)) return 1;
    Suite *suite = suite_create("killed");
    TCase *tcase = tcase_create("killed");
    tcase_set_timeout(tcase, 3600);
    tcase_add_unchecked_fixture(tcase, prepare_folder, NULL);
    if (getenv("TRIALS"))
        tcase_add_loop_test(tcase, random_kills_change_no_verdict, 0, (trials_given() + PART - 1) / PART);
    else {
        tcase_add_loop_test(tcase, nothing_outlives_a_grade, 0, 2);
        add_rows(tcase, killed_processes_change_no_verdict, sizeof rows / sizeof *rows, 2);
    }
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    const char *const clean[] = {"rm", "-rf", folder, NULL};
    free(process_run(clean, &(struct process_limits){0}).output);
    return failed != 0;
}
