/* Grades one unit in a child process for Make, and reports the progress of the class. Writes the record atomically.
 * If the setup fails, writes a fault instead of a record, so that Make tries again in the next run. */
#include "base/file.h"
#include "base/clock.h"
#include "class/class.h"
#include "judge/judge.h"
#include "record/status.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STALE_SECONDS = 3600 /* longer than any grade takes */, MAX_LOG = 4000 };

/* ---- files of grades in progress: OUT/tmp/HOST-PID.json --------------------------------------- */
static void own_host(char host[65]) {
    host[0] = 0;
    gethostname(host, 64);
    host[64] = 0;
}
/* Returns whether the grade that wrote the file has ended. If it ran on this machine, its process must have ended; the
 * file's time does not matter. If it ran on another machine, the file must be older than STALE_SECONDS. */
static bool is_left_over(const char *name, time_t modified) {
    char host[65];
    own_host(host);
    const char *dash = strrchr(name, '-');
    const pid_t pid = dash ? (pid_t)atoi(dash + 1) : 0;
    const bool here = dash && strlen(host) == (size_t)(dash - name) && !strncmp(name, host, strlen(host));
    return here && pid > 0 ? kill(pid, 0) && errno == ESRCH : time(NULL) - modified > STALE_SECONDS;
}

/* ---- the beginning: the number of units ------------------------------------------------------ */
int class_begin(const struct class_options *o) {
    char path[PATH_MAX], one[2 * PATH_MAX], line[160], host[65];
    struct stat s;
    own_host(host);
    snprintf(path, sizeof path, "%s/tmp", o->out);
    mkdir(path, 0700);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(one, sizeof one, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.' && !stat(one, &s) && is_left_over(e->d_name, s.st_mtime)) unlink(one);
    }
    if (!d) return status_saying(EXIT_SETUP, "class", "%s: %s", path, strerror(errno));
    closedir(d);
    const int n = snprintf(line, sizeof line, "%lu %.3f %s\n", strtoul(o->count ? o->count : "0", NULL, 10),
                           clock_seconds(), host);
    snprintf(path, sizeof path, "%s/progress", o->out);
    unlink(path);
    return file_replace(path, line, (size_t)n, 0600)
               ? 0
               : status_saying(EXIT_SETUP, "class", "%s: %s", path, strerror(errno));
}

/* ---- progress -------------------------------------------------------------------------------- */
struct progress {
    unsigned long done, of;
    double seconds; /* seconds since the start; negative if unknown */
};
/* Reads the progress file. Its first line contains the total, a machine's name, and the start time on the monotonic
 * clock of that machine (clock.h). Each grade appends a line. */
static struct progress progress_read(const char *out) {
    char path[PATH_MAX], host[65], here[65];
    size_t length;
    double start;
    struct progress p = {.seconds = -1};
    own_host(here);
    snprintf(path, sizeof path, "%s/progress", out);
    char *text = file_read(path, FILE_NO_LINK | FILE_CUT, 64 << 20, &length);
    if (text) {
        if (sscanf(text, "%lu %lf %64s", &p.of, &start, host) == 3 && !strcmp(host, here))
            p.seconds = fmax(clock_seconds() - start, 0); /* the start is rounded */
        for (const char *s = strchr(text, '\n'); s && s[1]; s = strchr(s + 1, '\n')) p.done++;
    }
    free(text);
    return p;
}
static void progress_add(const char *out, const char *line) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/progress", out);
    const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0) return; /* a grade outside of make gradebook has no progress file */
    if (write(fd, line, strlen(line)) < 0) fprintf(stderr, "%s: %s\n", path, strerror(errno));
    close(fd);
}
static void time_text(double seconds, char *out, size_t size) {
    if (seconds < 90)
        snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, size, "%.0f min", seconds / 60);
    else
        snprintf(out, size, "%.1f h", seconds / 3600);
}
/* Shows the progress. On a terminal, overwrites a single line. Elsewhere, prints only some of the lines, and a line for
 * each fault. */
static void progress_show(const struct progress *p, const char *what, bool fault) {
    char left[32], speed[80] = "", line[1000];
    const bool terminal = isatty(STDERR_FILENO);
    const double rate = p->done / (p->seconds > 1 ? p->seconds : 1);
    const unsigned long of = p->of > p->done ? p->of : p->done, step = of / 20 ? of / 20 : 1;
    time_text(p->done >= of ? p->seconds : (double)(of - p->done) / rate, left, sizeof left);
    if (!p->done) snprintf(left, sizeof left, "?");
    if (p->seconds >= 0) snprintf(speed, sizeof speed, " %.1f/s, %s %s", rate, left, p->done < of ? "left" : "total");
    if (!terminal && !fault && p->done % step && p->done != of) return;
    const int n = snprintf(line, sizeof line, "%s[%lu/%lu]%s  %.700s%s", terminal ? "\r\033[K" : "", p->done, of, speed,
                           what, terminal && !fault && p->done < of ? "" : "\n");
    if (write(STDERR_FILENO, line, (size_t)n) < 0) return; /* standard error is closed */
}

int class_progress(const struct class_options *o) {
    const struct progress now = progress_read(o->out);
    progress_show(&now, "on the cluster", !isatty(STDERR_FILENO));
    return 0;
}

/* ---- one grade ------------------------------------------------------------------------------- */
struct run {
    int status; /* exit status of the process, or 128 + signal */
    struct rusage used;
};
/* Executes the grader in the child process. The grader reads the seed from standard input, because other users and
 * the submission's compiler could read it from arguments or the environment. */
static void become(char *const argv[], int seed, int log, pid_t parent) {
    static const char *const secret[] = {"SEED", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL"};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    for (unsigned k = 0; k < sizeof secret / sizeof *secret; k++) unsetenv(secret[k]);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (dup2(seed, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0) _exit(127);
    close_range(STDERR_FILENO + 1, ~0U, 0); /* closes the descriptors of make and the lock of gradebook.sh */
    execv("/proc/self/exe", argv);
    _exit(127);
}
/* Runs the grader and collects its standard error in `log`, a file in memory, because the folder's disk may be full. */
static struct run run_grade(char *const argv[], const char *seed, int log) {
    struct run r = {.status = 127};
    int ends[2], status;
    if (log < 0 || ftruncate(log, 0) || lseek(log, 0, SEEK_SET) || pipe2(ends, O_CLOEXEC)) return r;
    /* The write never blocks, because a seed is much shorter than a pipe's capacity. */
    if (write(ends[1], seed, strlen(seed)) < 0) r.status = 127;
    close(ends[1]);
    const pid_t parent = getpid(), child = fork();
    if (!child) become(argv, ends[0], log, parent);
    close(ends[0]);
    if (child < 0) return r;
    while (wait4(child, &status, 0, &r.used) < 0 && errno == EINTR) continue;
    r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return r;
}
/* Returns the record, or NULL if it is incomplete, is for another lab, or reports a fault of the setup. */
static json_t *good_record(const char *path, const char *lab, int status) {
    json_t *r =
        status == EXIT_FULL || status == EXIT_PARTIAL || status == EXIT_BUILD ? json_load_file(path, 0, NULL) : NULL;
    const enum grade_end end = grade_end_of(r);
    if (r && !strcmp(text_of(json_object_get(r, "lab"), "id"), lab) && end != END_NONE && end != END_SETUP) return r;
    json_decref(r);
    return NULL;
}
static json_t *fault_of(int status, int log, const char *record_path) {
    char printed[MAX_LOG + 1], how[80];
    const ssize_t length = pread(log, printed, MAX_LOG, 0);
    printed[length > 0 ? length : 0] = 0;
    json_t *r = json_load_file(record_path, 0, NULL);
    const char *message = text_of(r, "message"), *said = strcmp(message, JUDGE_UNFINISHED) ? message : printed;
    if (status < 128)
        snprintf(how, sizeof how, "the grader ended with status %d", status);
    else
        snprintf(how, sizeof how, "the grader was killed by signal %d", status - 128);
    json_t *fault =
        json_pack("{s:s, s:o, s:i}", "how", how, "message", text_json(*said ? said : printed), "status", status);
    json_decref(r);
    return fault;
}
struct paths {
    char submission[PATH_MAX], settings[PATH_MAX], record[PATH_MAX], fault[PATH_MAX], partial[PATH_MAX];
};
static void find_paths(const char *out, const char *unit, struct paths *p) {
    char host[65];
    own_host(host);
    snprintf(p->submission, sizeof p->submission, "%s/submissions/%s/reduce.cu", out, unit);
    snprintf(p->record, sizeof p->record, "%s/records/%s.json", out, unit);
    snprintf(p->fault, sizeof p->fault, "%s/faults/%s.json", out, unit);
    snprintf(p->partial, sizeof p->partial, "%s/tmp/%s-%d.json", out, host, (int)getpid());
    snprintf(p->settings, sizeof p->settings, "%s/settings.json", out);
}
static void make_folders(const struct paths *p) {
    file_make_folders(p->record, 0700);
    file_make_folders(p->partial, 0700);
}
/* Dates the record no earlier than its inputs, even if the clock was set back during grading. Otherwise, make would
 * grade the unit again. */
static void date_record(const struct paths *p) {
    const char *const inputs[] = {p->submission, p->settings};
    struct stat record, input;
    for (unsigned k = 0; k < 2; k++)
        if (!stat(p->partial, &record) && !stat(inputs[k], &input) && input.st_mtime >= record.st_mtime)
            utimensat(AT_FDCWD, p->partial, (struct timespec[]){input.st_mtim, input.st_mtim}, 0);
}
/* Stores the outcome in the unit's folder and writes the text to display to `what`. If the outcome cannot be
 * stored, returns false and sets errno. */
static bool settle_run(const struct paths *p, const char *lab, const struct run *r, int log, char *what, size_t size,
                       bool *fault) {
    json_t *record = good_record(p->partial, lab, r->status);
    bool ok;
    int why_not = 0;
    *fault = !record;
    if (record) {
        snprintf(what, size, "%lld of %lld", (long long)json_integer_value(json_object_get(record, "score")),
                 (long long)json_integer_value(json_object_get(record, "max_score")));
        if (r->status == EXIT_BUILD) snprintf(what, size, "does not build");
        date_record(p);
        ok = chmod(p->partial, 0600) == 0 && rename(p->partial, p->record) == 0 &&
             (unlink(p->fault) == 0 || errno == ENOENT);
        why_not = errno;
    } else {
        json_t *why = fault_of(r->status, log, p->partial);
        char *text = json_dumps(why, JSON_INDENT(1));
        snprintf(what, size, "not graded: %.100s: %.400s", text_of(why, "how"), text_of(why, "message"));
        what[strcspn(what, "\n")] = 0;
        ok = text && file_replace(p->fault, text, strlen(text), 0600) && (unlink(p->record) == 0 || errno == ENOENT);
        why_not = errno;
        free(text);
        json_decref(why);
    }
    unlink(p->partial);
    json_decref(record);
    errno = why_not;
    return ok;
}
int class_grade(const struct class_options *o) {
    char student[NAME_MAX + 1], what[600], line[NAME_MAX + 100], shown[800];
    struct paths p;
    const char *slash = strrchr(o->unit, '/'), *lab = slash ? slash + 1 : o->unit;
    find_paths(o->out, o->unit, &p);
    json_t *settings = json_load_file(p.settings, 0, NULL);
    if (!slash || !settings)
        return json_decref(settings),
               status_saying(EXIT_USAGE, "class", "cannot read %s: run `grade class import` first", p.settings);
    make_folders(&p);
    snprintf(student, sizeof student, "%.*s", (int)(slash - o->unit), o->unit);
    attempt_student(student);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    char *argv[] = {"grade",
                    (char *)lab,
                    "--submission",
                    p.submission,
                    "--json",
                    p.partial,
                    "--quiet",
                    "--no-color",
                    "--device",
                    (char *)text_of(settings, "device"),
                    "--compiler",
                    (char *)text_of(settings, "compiler"),
                    "--seed",
                    "-",
                    "--student",
                    student,
                    "--for-student",
                    "--no-pictures",
                    json_is_true(json_object_get(settings, "fixes")) ? "--keep-fix" : "--no-fix",
                    json_is_true(json_object_get(settings, "trusted")) ? "--no-sandbox" : NULL,
                    NULL};
    const double start = clock_seconds();
    const int log = memfd_create("log", MFD_CLOEXEC);
    struct run r = run_grade(argv, text_of(settings, "seed"), log);
    json_t *first = good_record(p.partial, lab, r.status);
    if (!first)
        r = run_grade(argv, text_of(settings, "seed"), log); /* retry once: the machine's fault may be temporary */
    json_decref(first);
    const double seconds = clock_seconds() - start;
    bool fault;
    const bool ok = settle_run(&p, lab, &r, log, what, sizeof what, &fault);
    const int why_not = errno;
    json_decref(settings);
    close(log);
    snprintf(line, sizeof line, "%s %d %.2f %ld\n", o->unit, r.status, seconds, r.used.ru_maxrss);
    progress_add(o->out, line);
    const struct progress now = progress_read(o->out);
    snprintf(shown, sizeof shown, "%.180s: %.590s", o->unit, what);
    progress_show(&now, shown, fault);
    return ok ? 0 : status_saying(EXIT_SETUP, "class", "cannot write %s: %s", p.record, strerror(why_not));
}
