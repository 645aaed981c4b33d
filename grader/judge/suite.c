/* The whole grade: compile, load, run the lab's checks as a Check suite, and assemble the result record.
 *
 * Each test runs in a process of its own, so a crash or an endless loop costs that test alone. The child leaves
 * its result in a file in memory; a test counts only if that result is there, whatever the child's exit status says.
 * Where a process was ended from outside (sandbox/ended.h), the test is run once more, and then counts as a set-up
 * that failed.
 * Check's test functions take no argument, so the context of the running grade is the one file-scope variable here; it
 * is set before the suite runs and only read by the children. */
#include "base/clock.h"
#include "device/worker.h"
#include "judge/judge.h"
#include "judge/measured.h"
#include "judge/ready.h"
#include "sandbox/ended.h"
#include "sandbox/sandbox.h"
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHECK_SECONDS = 60, MOST_SHOWN = 128 << 10 };

static struct {
    struct judge *judge;
    const struct lab_check *check;
    int results;
} running;

/* ---- programs ------------------------------------------------------------------------------- */
static void free_program(const struct judge *j, struct program *p) {
    for (unsigned k = 0; k < p->text.count; k++) {
        if (p->module[k]) p->device->unload(p->module[k]);
        if (p->on_gpu[k]) j->options->gpu->unload(p->on_gpu[k]);
    }
    for (unsigned k = 0; p->symbol && k < j->lab->kernel_count * VARIANT_COUNT; k++) free(p->symbol[k]);
    free(p->symbol);
    compiled_free(&p->text);
}
/* Looked up once: the text is long and the cases are many. */
static bool find_symbols(const struct judge *j, struct program *p) {
    char symbol[256];
    p->symbol = calloc(j->lab->kernel_count * VARIANT_COUNT, sizeof *p->symbol);
    for (unsigned k = 0; p->symbol && k < j->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++)
            if (case_kernel_takes(j->lab, &j->lab->kernels[k], variant_at(v)) &&
                compiled_symbol(p->text.ptx[p->text.of_variant[v]], variant_at(v), j->lab->kernels[k].name, symbol,
                                sizeof symbol))
                p->symbol[k * VARIANT_COUNT + v] = strdup(symbol);
    return p->symbol;
}
/* Names as the student wrote them: `_ZN7sum_i326oracleEj` is `oracle`. */
static void plain_names(const char *message, char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (const char *s = message; *s && used + 1 < size;) {
        char name[300], plain[300];
        const size_t n = strspn(s, "_$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        if (n && n < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)n, s);
            used += (size_t)snprintf(out + used, size - used, "%s", finding_source_name(name, plain, sizeof plain));
        } else
            used += (size_t)snprintf(out + used, size - used, "%.*s", (int)(n ? n : 1), s);
        s += n ? n : 1;
    }
}
static enum device_status load(const struct judge *j, struct program *p, unsigned k, const char *shown,
                               struct device_error *e) {
    enum device_status s = p->device->load(p->text.ptx[k], p->text.length[k], shown, &p->module[k], e);
    if (s == DEVICE_SETUP && p->device == &device_worker) /* once more */
        s = p->device->load(p->text.ptx[k], p->text.length[k], shown, &p->module[k], e);
    const struct device *gpu = j->options->gpu;
    return s == DEVICE_OK && gpu ? gpu->load(p->text.ptx[k], p->text.length[k], shown, &p->on_gpu[k], e) : s;
}
/* With one case selected its variant is enough of a submission. */
static uint32_t needed(const struct judge *j) {
    struct grade_case c;
    const char *only = j->options->only_case;
    return only && case_parse(j->lab, only, &c) ? 1u << variant_index(c.variant) : 0;
}
static enum compile_status build(const struct judge *j, struct program *p, const char *source, const char *shown,
                                 bool solution, char *message, size_t size) {
    const struct judge_options *o = j->options;
    const struct compile_request r = {.source = source,
                                      .shown = shown,
                                      .root = o->root,
                                      .cache = o->cache,
                                      .variants = j->lab->variants,
                                      .needed = needed(j),
                                      .solution = solution,
                                      .own = j->own ? j->own->text : NULL,
                                      .own_shown = o->own_shown,
                                      .sandbox = o->sandbox && p == &j->student};
    struct device_error error;
    p->device = r.sandbox ? &device_worker : o->device;
    if (!solution || !compiled_ready(o->compiler, &r, &p->text)) p->text = compile(o->compiler, &r);
    if (p->text.status != COMPILE_OK) {
        snprintf(message, size, "%s", p->text.log ? p->text.log : "");
        return p->text.status;
    }
    for (unsigned k = 0; k < p->text.count; k++) {
        const enum device_status s = load(j, p, k, shown, &error);
        if (s == DEVICE_OK) continue;
        const bool own = !strncmp(error.message, "reduce.cu:", 10);
        char said[sizeof error.message];
        plain_names(error.message + (own ? 9 : 0), said, sizeof said);
        snprintf(message, size, "%s%s\n", own ? shown : "", said);
        return s == DEVICE_SUBMISSION ? COMPILE_SUBMISSION : COMPILE_SETUP;
    }
    if (!find_symbols(j, p)) return snprintf(message, size, "out of memory"), COMPILE_SETUP;
    return COMPILE_OK;
}

/* ---- tests ---------------------------------------------------------------------------------- */
START_TEST(run_check) {
    const struct lab_check *c = running.check;
    json_t *result = json_pack("{s:s}", "id", c->id);
    char message[600] = "no verdict";
    const unsigned before = worker_interruptions();
    running.judge->check = c;
    c->kind->run(running.judge, result);
    json_object_set_new(result, "ended", json_boolean(worker_interruptions() == before));
    char *line = json_dumps(result, JSON_COMPACT);
    const char *status = json_string_value(json_object_get(result, "status"));
    const bool written = line && dprintf(running.results, "%s\n", line) > 0, passed = status && !strcmp(status, "pass");
    if (status) snprintf(message, sizeof message, "%s", json_string_value(json_object_get(result, "message")));
    free(line);
    json_decref(result);
    ck_assert_msg(written, "the result could not be kept");
    ck_assert_msg(passed, "%s", message);
}
END_TEST

static _Noreturn void run_suite(const struct judge *j, const struct lab_check *check) {
    setpgid(0, 0); /* what it starts ends with it */
    Suite *suite = suite_create(j->lab->id);
    TCase *tcase = tcase_create(check->id);
    tcase_add_test(tcase, run_check);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* Check's own fork gives up where a child is killed as it begins */
    srunner_run_all(runner, CK_SILENT);
    srunner_free(runner);
    exit(0);
}
struct end {
    int status;
    struct rusage used;
    bool late;
};
static bool has_ended(pid_t pid) {
    siginfo_t i = {0};
    return waitid(P_PID, (id_t)pid, &i, WEXITED | WNOHANG | WNOWAIT) || i.si_pid == pid;
}
static struct end wait_for(pid_t pid) {
    const char *multiplier = getenv("CK_TIMEOUT_MULTIPLIER"); /* as Check has it */
    const double limit = clock_seconds() + CHECK_SECONDS * (multiplier ? atoi(multiplier) : 1);
    struct end e = {0};
    struct pollfd ended = {sandbox_watch(pid), POLLIN, 0};
    while (!has_ended(pid) && !(e.late = clock_seconds() > limit)) poll(&ended, 1, ended.fd < 0 ? 5 : 1000);
    kill(pid, SIGKILL);
    kill(-pid, SIGKILL);
    while (wait4(pid, &e.status, 0, &e.used) < 0 && errno == EINTR) continue;
    if (ended.fd >= 0) close(ended.fd);
    return e;
}
/* Of a check that leaves none itself. */
static json_t *empty_result(const struct lab_check *c) { return json_pack("{s:s, s:b}", "id", c->id, "ended", 1); }
/* Runs a check in its own process; its result, or NULL and how that ended. `outside`: it, or a worker that it used, was
 * ended from outside. */
static json_t *run_once(struct judge *j, const struct lab_check *check, char *how, size_t size, bool *outside) {
    json_t *result = NULL;
    running.judge = j;
    running.check = check;
    running.results = memfd_create("results", MFD_CLOEXEC);
    *outside = true;
    const pid_t pid = running.results < 0 ? -1 : fork();
    if (pid == 0) run_suite(j, check);
    if (pid > 0) {
        const struct end e = wait_for(pid);
        const int signal = WIFSIGNALED(e.status) ? WTERMSIG(e.status) : 0;
        char *text = calloc(1, (4 << 20) + 1);
        const ssize_t n = text ? pread(running.results, text, 4 << 20, 0) : -1;
        if (n > 0) result = json_loadb(text, (size_t)n, JSON_DISABLE_EOF_CHECK, NULL);
        free(text);
        if (e.late)
            snprintf(how, size, "it took more than %d seconds", CHECK_SECONDS);
        else if (signal)
            snprintf(how, size, "signal %d (%s)", signal, strsignal(signal));
        else
            snprintf(how, size, "it left with status %d", WEXITSTATUS(e.status));
        const bool ended = json_is_true(json_object_get(result, "ended"));
        *outside = result ? !ended : !e.late && ended_by(signal, (size_t)e.used.ru_maxrss << 10) == ENDED_OUTSIDE;
        if (signal && !ended && !e.late && !*outside && j->options->gpu) {
            json_decref(result);
            result = empty_result(check);
            result_setup(result,
                         "signal %d (%s) ended the check while a GPU was in use, whose driver compiles the file in "
                         "this process and may have failed; --device sim grades without it",
                         signal, strsignal(signal));
        }
    }
    if (running.results >= 0) close(running.results);
    return result;
}
/* New workers in place of those that may be gone. */
static void renew_workers(struct judge *j) {
    struct device_error e;
    struct program *p = &j->student;
    for (unsigned k = 0; p->device == &device_worker && k < p->text.count; k++) {
        p->device->unload(p->module[k]);
        p->module[k] = NULL;
        p->device->load(p->text.ptx[k], p->text.length[k], j->options->shown, &p->module[k], &e); /* opening tells */
    }
    if (j->own && j->options->sandbox) own_renew((struct own *)j->own);
}
static json_t *run_one(struct judge *j, const struct lab_check *check, char *how, size_t size) {
    bool outside;
    json_t *result = run_once(j, check, how, size, &outside);
    if (!outside) return result;
    json_decref(result);
    renew_workers(j);
    result = run_once(j, check, how, size, &outside);
    if (!outside) return result;
    json_decref(result);
    result = empty_result(check);
    result_setup(result,
                 "a process of the grader was ended from outside, twice: by the machine, short of memory, or by "
                 "somebody");
    return result;
}

/* ---- points --------------------------------------------------------------------------------- */
static json_t *find_test(json_t *tests, const char *id) {
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) if (!strcmp(json_string_value(json_object_get(t, "id")), id)) return t;
    return NULL;
}
/* With only some cases selected it is a replay: no grade, but it fails if one of them does. */
static bool is_replay(const struct judge *j) {
    return j->options->only_case || j->options->only_size != UINT32_MAX || j->options->only_block ||
           j->options->only_grid;
}
static bool by_cases(const struct judge *j, unsigned k) { return j->lab->checks[k].kind->cases != CASES_NONE; }
/* What a check says that would have to wait, if it found anything. */
static json_t *explanation(struct judge *j, const struct lab_check *c, char *how, size_t size) {
    json_t *result = run_one(j, c, how, size);
    const char *status = json_string_value(json_object_get(result, "status"));
    const bool found = json_array_size(json_object_get(result, "findings"));
    if (status && ((!strcmp(status, "fail") && found) || !strcmp(status, "setup")))
        return json_object_set_new(result, "share", json_real(0)), result;
    json_decref(result);
    return NULL;
}
/* The check of row k: blocked if what it needs has not passed, else run. */
static json_t *graded(struct judge *j, unsigned k, json_t *tests) {
    const struct lab_check *c = &j->lab->checks[k];
    json_t *need = c->needs ? find_test(tests, c->needs) : NULL, *result = NULL;
    char how[256] = "";
    const char *needed = need ? json_string_value(json_object_get(need, "status")) : "pass";
    if (is_replay(j) && !by_cases(j, k)) {
        result = empty_result(c);
        result_skip(result, "not part of a replay");
    }
    const bool waits = !needed || (strcmp(needed, "pass") && strcmp(needed, "skipped"));
    if (waits && !result && c->explains) result = explanation(j, c, how, sizeof how);
    if (waits && !result) {
        result = json_pack("{s:s, s:s, s:f}", "id", c->id, "status", "blocked", "share", 0.0);
        const char *title = json_string_value(json_object_get(need, "title"));
        snprintf(how, sizeof how, "not judged before this is: %.*s", (int)strcspn(title, ":"), title);
        json_object_set_new(result, "message", json_string(how));
    } else if ((!result && !(result = run_one(j, c, how, sizeof how))) ||
               !json_is_true(json_object_get(result, "ended"))) {
        json_decref(result);
        result = json_pack("{s:s, s:s, s:f}", "id", c->id, "status", "error", "share", 0.0);
        char message[400];
        snprintf(message, sizeof message, "the check did not come to its end: %s", how);
        json_object_set_new(result, "message", json_string(message));
    }
    const double share = json_real_value(json_object_get(result, "share"));
    json_object_del(result, "share");
    json_object_del(result, "ended");
    json_object_set_new(result, "title", json_string(c->title));
    json_object_set_new(result, "max_points", json_integer(c->points));
    json_object_set_new(result, "points", json_integer((json_int_t)(share * c->points + 1e-9)));
    return result;
}

/* ---- advice: the first thing to do ---------------------------------------------------------- */
/* The first TODO that is left in the file, with its line. */
static bool first_todo(const char *source, char *out, size_t size) {
    unsigned line = 1;
    for (const char *s = source; *s; line++) {
        const size_t n = strcspn(s, "\n");
        const char *todo = memmem(s, n, "TODO ", 5);
        if (todo) {
            const int length = (int)(s + n - todo);
            snprintf(out, size, "line %u: %.*s", line, length > 160 ? 160 : length, todo);
            return true;
        }
        s += n + (s[n] == '\n');
    }
    return false;
}
/* The gravest finding of all tests. */
static json_t *gravest(json_t *tests) {
    json_t *best = NULL, *t, *f;
    size_t k, n;
    json_array_foreach(tests, k, t)
        json_array_foreach(json_object_get(t, "findings"), n,
                           f) if (!best || json_integer_value(json_object_get(f, "rank")) <
                                               json_integer_value(json_object_get(best, "rank"))) best = f;
    return best;
}
static json_t *first_failure(json_t *tests) {
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) {
        const char *status = json_string_value(json_object_get(t, "status"));
        if (strcmp(status, "pass") && strcmp(status, "skipped")) return t;
    }
    return NULL;
}
static void advise(json_t *record, const struct judge *j, json_t *tests) {
    char text[700] = "", todo[200];
    json_t *t = first_failure(tests), *f = gravest(tests), *at = json_object_get(f, "at");
    if (t && !j->options->solution && first_todo(j->student.text.source_text, todo, sizeof todo))
        snprintf(text, sizeof text, "%s, %s", j->options->shown, todo);
    else if (f)
        snprintf(text, sizeof text, "%s:%lld: %s: %s", json_string_value(json_object_get(at, "file")),
                 (long long)json_integer_value(json_object_get(at, "line")),
                 json_string_value(json_object_get(f, "title")), json_string_value(json_object_get(f, "cure")));
    else if (t)
        snprintf(text, sizeof text, "%s", json_string_value(json_object_get(t, "message")));
    json_object_set_new(record, "advice", json_string(text));
}

/* Source lines that findings point to, so that a report needs no file: {"reduce.cu:21": "text"}. */
static void quote_line(json_t *quotes, const struct judge *j, json_t *site) {
    const char *file = json_string_value(json_object_get(site, "file"));
    const json_int_t line = json_integer_value(json_object_get(site, "line"));
    char key[300], text[200];
    if (!file || strcmp(file, j->options->shown) || line < 1) return;
    const char *s = j->student.text.source_text;
    for (json_int_t k = 1; k < line && *s; k++) s += strcspn(s, "\n"), s += *s == '\n';
    size_t n = strcspn(s, "\r\n"), out = 0;
    for (size_t k = 0; k < n && out + 1 < sizeof text; k++)
        text[out++] = s[k] == '\t' ? ' ' : (unsigned char)s[k] < ' ' || (unsigned char)s[k] > 126 ? '?' : s[k];
    text[out] = 0;
    snprintf(key, sizeof key, "%s:%lld", file, (long long)line);
    json_object_set_new(quotes, key, json_string(text));
}
static void add_quotes(json_t *record, const struct judge *j, json_t *tests) {
    json_t *quotes = json_object(), *t, *f, *l;
    size_t k, n;
    json_array_foreach(tests, k, t) {
        json_array_foreach(json_object_get(t, "findings"), n, f) {
            quote_line(quotes, j, json_object_get(f, "at"));
            quote_line(quotes, j, json_object_get(f, "other"));
        }
        json_array_foreach(json_object_get(json_object_get(t, "student"), "lines"), n, l) {
            json_t *site = json_pack("{s:s, s:O}", "file", j->options->shown, "line", json_object_get(l, "line"));
            quote_line(quotes, j, site);
            json_decref(site);
        }
    }
    json_object_set_new(record, "source", quotes);
}

/* ---- the record ----------------------------------------------------------------------------- */
json_t *judge_unfinished(const struct judge_options *o) {
    char seed[32];
    json_t *shown = json_string(o->shown); /* NULL if it is not UTF-8 */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->seed);
    return json_pack("{s:s, s:{s:s, s:s, s:s}, s:o, s:s, s:s, s:s, s:b, s:i, s:i, s:[], s:{s:b, s:s, s:s}, s:s, s:s}",
                     "schema", "reduction-labs/result/1", "lab", "id", o->lab->id, "name", o->lab->name, "title",
                     o->lab->title, "submission", shown ? shown : measured_text(o->shown), "device",
                     o->gpu ? "sim and cuda" : o->device->name, "compiler",
                     compiler_name(o->compiler), /* a string: JSON numbers lose bits past 2^53 */
                     "seed", seed, "solution", o->solution, "score", 0, "max_score", 100, "tests", "build", "ok", 0,
                     "log", "", "variant", "", "end", "setup", "message", "the grade did not come to its end");
}
/* The submission's text, for reports that show all of it; not of a file so long that nobody reads it. */
static void add_text(json_t *record, const struct judge *j) {
    const char *source = j->student.text.source_text;
    if (!source || strlen(source) > MOST_SHOWN) return;
    json_t *text = json_string(source); /* NULL if it is not UTF-8 */
    json_object_set_new(record, "text", text ? text : measured_text(source));
}
static void set_end(json_t *record, const char *end, const char *message) {
    json_object_set_new(record, "end", json_string(end));
    json_object_set_new(record, "message", json_string(message));
}
static void set_build(json_t *record, enum compile_status s, const char *log, const char *variant) {
    json_t *safe = json_string(log);
    json_object_set_new(record, "build",
                        json_pack("{s:b, s:o, s:s}", "ok", s == COMPILE_OK, "log",
                                  safe ? safe : json_string("(the compiler's messages are not text)"), "variant",
                                  variant));
    if (s == COMPILE_SUBMISSION) set_end(record, "build", "the submission does not build");
    if (s == COMPILE_SETUP) set_end(record, "setup", log);
}
void judge_checks(struct judge *j, json_t *record) {
    json_t *tests = json_array();
    json_int_t points = 0, most = 0;
    bool setup = false, failed = false;
    for (unsigned k = 0; k < j->lab->check_count; k++) {
        if (j->options->progress)
            j->options->progress(j->options->progress_context, j->lab->checks[k].title, k, j->lab->check_count);
        json_t *t = graded(j, k, tests);
        points += json_integer_value(json_object_get(t, "points"));
        most += json_integer_value(json_object_get(t, "max_points"));
        const char *status = json_string_value(json_object_get(t, "status"));
        setup |= !strcmp(status, "setup");
        failed |= by_cases(j, k) && (!strcmp(status, "fail") || !strcmp(status, "error"));
        json_array_append_new(tests, t);
    }
    if (j->options->progress)
        j->options->progress(j->options->progress_context, NULL, j->lab->check_count, j->lab->check_count);
    json_object_set_new(record, "tests", tests);
    json_object_set_new(record, "score", json_integer(points));
    json_object_set_new(record, "max_score", json_integer(most));
    advise(record, j, tests);
    add_quotes(record, j, tests);
    const bool replay = is_replay(j);
    json_object_set_new(record, "replay", json_boolean(replay));
    const bool good = replay ? !failed : points == most;
    set_end(record, setup ? "setup" : good ? "full" : "partial", setup ? "the set-up is at fault: see the tests" : "");
}

/* Nothing is drawn of a kernel whose pictures do not come to their end. */
static void add_pictures(json_t *record, struct judge *j) {
    static const struct check_kind draw = {.run = pictures};
    static const struct lab_check drawing = {.id = "pictures", .title = "pictures", .kind = &draw};
    char how[256];
    json_t *drawn = run_one(j, &drawing, how, sizeof how);
    if (json_is_true(json_object_get(drawn, "ended")) && !json_object_get(drawn, "status")) {
        json_object_del(drawn, "ended");
        json_object_del(drawn, "id");
        json_object_set(record, "pictures", drawn);
    }
    json_decref(drawn);
}

/* The lab before this one, by number, with its first variant alone; false: there is none. */
static bool lab_before(const struct lab *lab, struct lab *out) {
    for (unsigned k = 0; k < lab_row_count; k++) {
        if (atoi(lab_rows[k]->id + 3) != atoi(lab->id + 3) - 1) continue;
        *out = *lab_rows[k];
        out->variants &= -out->variants;
        return true;
    }
    return false;
}
/* What the last lab's reference costs, to set beside; without it nothing is lost. */
static void add_previous(json_t *record, const struct judge_options *o) {
    static const struct check_kind measure = {.run = previous_counts};
    static const struct lab_check measuring = {.id = "previous", .title = "previous", .kind = &measure};
    struct lab before;
    char path[4096], message[1024];
    if (!lab_before(o->lab, &before)) return;
    struct judge_options options = *o;
    options.lab = &before;
    struct judge j = {.options = &options, .lab = &before};
    snprintf(path, sizeof path, "%s/solutions/%s_%s/reduce.cu", o->root, before.id, before.name);
    if (build(&j, &j.reference, path, "the reference", true, message, sizeof message) == COMPILE_OK) {
        json_t *counts = run_one(&j, &measuring, message, sizeof message), *of = json_object_get(counts, "counts");
        if (json_is_true(json_object_get(counts, "ended")) && of)
            json_object_set_new(record, "previous",
                                json_pack("{s:s, s:O, s:O, s:O}", "lab", before.id, "block",
                                          json_object_get(counts, "block"), "elements",
                                          json_object_get(counts, "elements"), "counts", of));
        json_decref(counts);
    }
    free_program(&j, &j.reference);
}

/* With an operator of the student's own it is compiled with that, too, if there is a solution to compile. */
static enum compile_status build_reference(struct judge *j, char *message, size_t size) {
    char path[4096];
    struct judge_options options = *j->options;
    options.lab = lab_find(j->lab->id);
    struct judge as_declared = {.options = &options, .lab = options.lab};
    snprintf(path, sizeof path, "%s/solutions/%s_%s/reduce.cu", options.root, j->lab->id, j->lab->name);
    if (!j->own || !access(path, R_OK)) return build(j, &j->reference, path, "the reference", true, message, size);
    const enum compile_status s =
        build(&as_declared, &as_declared.reference, path, "the reference", true, message, size);
    j->reference = as_declared.reference;
    return s;
}
static enum compile_status open_own(struct judge *j, struct own *own, char *message, size_t size) {
    const struct judge_options *o = j->options;
    const struct own_request r = {.path = o->own,
                                  .shown = o->own_shown,
                                  .root = o->root,
                                  .cache = o->cache,
                                  .compiler = o->compiler,
                                  .sim = o->sandbox ? &device_worker : device_find("sim"),
                                  .seed = o->seed,
                                  .sandbox = o->sandbox};
    j->own = own;
    for (unsigned trial = 1;; trial++) {
        const unsigned before = worker_interruptions();
        const enum compile_status s = own_open(own, &r, message, size);
        if (worker_interruptions() == before) return s;
        if (trial == 2) break;
        own_close(own);
    }
    snprintf(message, size, "a process of the simulator was ended from outside, twice");
    return COMPILE_SETUP;
}
static void add_operator(json_t *record, const struct own *own) {
    json_t *shown = json_string(own->shown); /* NULL if it is not UTF-8 */
    json_object_set_new(record, "operator",
                        json_pack("{s:o, s:i, s:b}", "file", shown ? shown : measured_text(own->shown), "bytes",
                                  (int)own->bytes, "commutes", own->commutes));
}
static json_t *grade(const struct judge_options *o, bool only_build) {
    struct judge j = {.options = o, .lab = o->lab};
    struct own own = {0};
    json_t *record = judge_unfinished(o);
    char message[64 << 10] = "";
    enum compile_status s = o->own ? open_own(&j, &own, message, sizeof message) : COMPILE_OK;
    if (s == COMPILE_OK) s = build(&j, &j.student, o->submission, o->shown, o->solution, message, sizeof message);
    set_build(record, s, message, o->own ? "" : j.student.text.variant);
    add_text(record, &j);
    if (o->own && own.text) add_operator(record, &own);
    if (s == COMPILE_OK && !only_build) {
        if (!is_replay(&j)) s = build_reference(&j, message, sizeof message); /* else nothing is set beside it */
        if (s != COMPILE_OK)
            set_end(record, "setup", message);
        else {
            judge_checks(&j, record);
            if (!is_replay(&j) && !o->own && !o->no_pictures) add_pictures(record, &j), add_previous(record, o);
        }
    } else if (s == COMPILE_OK)
        set_end(record, "full", "");
    free_program(&j, &j.student);
    free_program(&j, &j.reference);
    own_close(&own);
    return record;
}
json_t *judge_grade(const struct judge_options *o) { return grade(o, false); }
json_t *judge_build(const struct judge_options *o) { return grade(o, true); }
