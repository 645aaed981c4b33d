/* Tests `./grade LAB --watch` as students use it: in a (pseudo-)terminal, with files saved in several ways, until a
 * key or a signal ends it. Most tests grade a single case. Requests of the page use the loopback address;
 * check_web.c tests the page in a browser. */
/* run: plain, 7 s */
/* reads: grade labs solutions */
#include "base/clock.h"
#include "compile/compiler.h"
#include "tests/files.h"
#include "tests/suite.h"
#include "watch/serve.h"
#include <arpa/inet.h>
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 120 /* seconds, enough for a busy machine */, QUIET = 400 /* ms without output */ };
static char folder[] = "/tmp/check-watch-XXXXXX";

/* ---- saving files ---------------------------------------------------------------------------- */
#define HEAD "#include \"reduce.h\"\n__global__ void reduce(value_t *data, value_t *partial, unsigned n) {\n"
#define BODY                                                                                                           \
    "    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t), x = t;\n"                                    \
    "    for (unsigned k = 0; k < DELAY; k++) x = x * 5 + 3 ^ x >> 7;\n"                                               \
    "    if (x == 12345) data[0] = combine(data[0], data[0]);\n"                                                       \
    "    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {\n"                                             \
    "        if (t % stride == 0 && i + stride < n) data[i] = combine(data[i], data[i + stride]);\n"                   \
    "        __syncthreads();\n    }\n"                                                                                \
    "    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();\n}\n"
static const char right[] = "#define DELAY 0\n" HEAD BODY;
/* A file whose grade takes seconds. */
static const char slow[] = "#define DELAY 3000\n" HEAD BODY;
static const char wrong[] = HEAD "    if (threadIdx.x == 0) partial[blockIdx.x] = data[0];\n}\n";
#define HERE "hand in"
static const char *in_folder(const char *name) {
    static char path[4][200];
    static unsigned turn;
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}
#define place(name) in_folder(HERE "/" name)
static void save_as(const char *path, const char *text) { write_file(path, text, strlen(text)); }
#define save(name, text) save_as(place(name), text)
/* Saves like many editors: writes a new file and renames it. */
static void save_by_renaming(const char *text) {
    save("4913~", text);
    ck_assert(!rename(place("4913~"), place("reduce.cu")));
}

/* ---- a terminal running a watch -------------------------------------------------------------------- */
struct terminal {
    pid_t pid;
    int fd;
    char text[1 << 16]; /* output that terminal_expect() has not returned yet */
    size_t length;
};
static struct terminal terminal;
#define CASE "--case", "reduce/sum_i32/n=33/block=64"
/* Starts a watch, as the leader of a session, as in a terminal window. */
static void terminal_start(const char *const more[]) {
    const char *argv[40] = {getenv("GRADE") ? getenv("GRADE") : "./grade",
                            "lab1",
                            "--watch",
                            "--no-sandbox",
                            "--device",
                            "sim",
                            "--submission",
                            place("reduce.cu")};
    unsigned n = 8;
    for (; more && *more; more++) argv[n++] = *more;
    terminal = (struct terminal){0};
    terminal.pid = forkpty(&terminal.fd, NULL, NULL, NULL);
    ck_assert(terminal.pid >= 0);
    if (terminal.pid) return;
    setenv("TERM", "xterm", 1);
    execvp(argv[0], (char *const *)argv);
    _exit(127);
}
static bool terminal_read(int milliseconds) {
    struct pollfd p = {terminal.fd, POLLIN, 0};
    if (poll(&p, 1, milliseconds) <= 0) return false;
    if (terminal.length > sizeof terminal.text / 2) terminal.length = 0;
    const ssize_t n = read(terminal.fd, terminal.text + terminal.length, sizeof terminal.text - 1 - terminal.length);
    if (n <= 0) return false;
    terminal.length += (size_t)n, terminal.text[terminal.length] = 0;
    return true;
}
/* Waits for `what` and then for "Ctrl-C ends", which follows each report. Returns the output up to there, which must
 * not contain `never`. */
static const char *terminal_expect(const char *what, const char *never) {
    static char seen[sizeof terminal.text];
    const double end = clock_seconds() + PATIENCE;
    const char *found = NULL;
    while (!(found = strstr(terminal.text, what)) || !(found = strstr(found, "Ctrl-C ends"))) {
        ck_assert_msg(clock_seconds() < end, "no `%s`: %s", what, terminal.text);
        terminal_read(100);
    }
    snprintf(seen, sizeof seen, "%.*s", (int)(found - terminal.text), terminal.text);
    ck_assert_msg(!never || !strstr(seen, never), "`%s` before `%s`: %s", never, what, seen);
    memmove(terminal.text, found, strlen(found) + 1);
    terminal.length = strlen(terminal.text);
    return seen;
}
static void terminal_expect_nothing(void) {
    while (terminal_read(50)) continue; /* the rest of the line */
    terminal.length = 0, terminal.text[0] = 0;
    ck_assert_msg(!terminal_read(QUIET), "%s", terminal.text);
}
/* Waits until the watch exits by itself. Returns the exit status. */
static int terminal_end(void) {
    const double end = clock_seconds() + PATIENCE;
    int status = -1;
    while (waitpid(terminal.pid, &status, WNOHANG) != terminal.pid) {
        ck_assert_msg(clock_seconds() < end, "the watch does not exit: %s", terminal.text);
        terminal_read(20);
    }
    close(terminal.fd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* ---- leftovers ---------------------------------------------------------------------------------- */
enum { MAX = 64 };
static unsigned processes_below(int pid, int *all, unsigned count) {
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *f = fopen(path, "r");
    while (f && count < MAX && fscanf(f, "%d", &child) == 1)
        all[count] = child, count = processes_below(child, all, count + 1);
    if (f) fclose(f);
    return count;
}
/* Finds the temporary folder of the compiler process that waits for the next save. `out` becomes "" if there is
 * none. */
static void find_temporary(char out[200]) {
    int all[MAX];
    *out = 0;
    for (double end = clock_seconds() + 10; !*out && clock_seconds() < end; usleep(10000))
        for (unsigned k = 0, count = processes_below(terminal.pid, all, 0); k < count && !*out; k++) {
            char path[64], environment[1 << 14];
            snprintf(path, sizeof path, "/proc/%d/environ", all[k]);
            FILE *f = fopen(path, "r");
            const size_t n = f ? fread(environment, 1, sizeof environment - 1, f) : 0;
            if (f) fclose(f);
            environment[n] = 0;
            for (const char *s = environment; s < environment + n; s += strlen(s) + 1)
                if (!strncmp(s, "TMPDIR=/tmp/grade-", 18))
                    snprintf(out, 200, "/tmp/%.*s", (int)strcspn(s + 12, "/"), s + 12);
        }
}
/* Asserts that the watch has left no process. This process adopts orphans, so it would find them. */
static void expect_nothing_left(void) {
    int all[MAX];
    const unsigned count = processes_below(getpid(), all, 0);
    ck_assert_msg(count == 0, "process %d is still running", count ? all[0] : 0);
}
static void begin(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    mkdir(in_folder(HERE), 0777);
    save("reduce.cu", right);
}

/* ---- tests -------------------------------------------------------------------------------------------- */
#define RIGHT "the selected cases are correct"
#define WRONG "the selected cases are not all correct"
START_TEST(each_save_is_graded) {
    char temporary[200];
    begin();
    terminal_start((const char *const[]){CASE, NULL});
    terminal_expect("\033[2J\033[1mlab1: " RIGHT, WRONG); /* the first report clears the screen */
    save("reduce.cu", wrong);
    const char *seen = terminal_expect("\033[2J", RIGHT);
    ck_assert_msg(strstr(seen, WRONG) && strstr(seen, " s after the save"), "%s", seen);
    save_by_renaming(right);
    terminal_expect("lab1: " RIGHT, WRONG);
    save("notes.txt", "x"), save("reduce.cu~", wrong), save("reduce.cu.swp", wrong);
    terminal_expect_nothing();
    save("predictions.txt", "divergent_steps@32: ?\n");
    terminal_expect("lab1: " RIGHT, WRONG);
    /* an editor may write the file in two parts */
    save("reduce.cu", "__global__ void reduce(\n"), save("reduce.cu", wrong);
    terminal_expect(WRONG, "does not build");
    terminal_expect_nothing();
    save("reduce.cu", "this is no program\n");
    terminal_expect("does not build", NULL);
    ck_assert(!unlink(place("reduce.cu")));
    terminal_expect("reduce.cu does not exist; it will be graded when it is saved again", NULL);
    save("reduce.cu", right);
    terminal_expect("lab1: " RIGHT, NULL);
    ck_assert(!rename(in_folder(HERE), in_folder("elsewhere")));
    terminal_expect("does not exist", NULL);
    ck_assert(!rename(in_folder("elsewhere"), in_folder(HERE)));
    terminal_expect("lab1: " RIGHT, NULL);
    find_temporary(temporary);
    ck_assert(!*temporary || !access(temporary, F_OK));
    ck_assert_int_eq(write(terminal.fd, "\003", 1), 1); /* Ctrl-C */
    ck_assert_int_eq(terminal_end(), 0);
    expect_nothing_left();
    ck_assert_msg(!*temporary || access(temporary, F_OK), "%s is left", temporary);
}
END_TEST
/* A save during a grade must kill the grade's processes. There is no report of that grade. */
START_TEST(saves_cancel_running_grades) {
    begin();
    save("reduce.cu", slow);
    terminal_start((const char *const[]){NULL}); /* no case is selected, so the grade takes seconds */
    for (double end = clock_seconds() + PATIENCE; !strstr(terminal.text, "[1/"); terminal_read(100))
        ck_assert_msg(clock_seconds() < end, "no progress: %s", terminal.text);
    save("reduce.cu", "this is no program\n");
    terminal_expect("does not build", "lab1: ");
    save("reduce.cu", wrong);
    const char *seen = terminal_expect("looking for a fix", NULL), *fix = strstr(seen, "looking for a fix");
    /* one verdict before the search for a fix and one after it */
    ck_assert_msg(strstr(seen, "lab1: ") < fix && strstr(fix, "lab1: "), "%s", seen);
    save("reduce.cu", slow);
    terminal.length = 0, terminal.text[0] = 0;
    for (double end = clock_seconds() + PATIENCE; !strstr(terminal.text, "[1/"); terminal_read(100))
        ck_assert_msg(clock_seconds() < end, "no progress: %s", terminal.text);
    kill(terminal.pid, SIGTERM);
    ck_assert_int_eq(terminal_end(), 1); /* the status of the last verdict */
    expect_nothing_left();
}
END_TEST

/* ---- the page ------------------------------------------------------------------------------------------- */
/* Connects to an IPv4 address and sends the request. Returns the socket, or -1 if the connection is refused. */
static int ask(const char *address, unsigned port, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int ask(const char *address, unsigned port, const char *format, ...) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    char *text;
    va_list args;
    inet_pton(AF_INET, address, &a.sin_addr);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (const struct sockaddr *)&a, sizeof a)) return close(fd), -1;
    va_start(args, format);
    ck_assert(vasprintf(&text, format, args) > 0);
    va_end(args);
    ck_assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    free(text);
    return fd;
}
/* Returns the answer up to `what` or, if `what` does not occur, the whole answer. */
static const char *answer(int fd, const char *what) {
    static char text[1 << 20];
    size_t length = 0;
    struct pollfd p = {fd, POLLIN, 0};
    text[0] = 0;
    while (!strstr(text, what) && length < sizeof text - 1 && poll(&p, 1, PATIENCE * 1000) > 0) {
        const ssize_t n = read(fd, text + length, sizeof text - 1 - length);
        if (n <= 0) break;
        length += (size_t)n, text[length] = 0;
    }
    return text;
}
static const struct {
    const char *method, *path /* path after the secret; NULL requests / */, *host, *header, *status;
} requests[] = {{"GET", "", "127.0.0.1", "", "200 OK"},
                {"HEAD", "", "localhost", "", "200 OK"},
                {"GET", "", "localhost", "Origin: http://localhost:%u\r\n", "200 OK"},
                {"GET", "", "evil.example", "", "421 "},
                {"GET", "", "127.0.0.1.evil.example", "", "421 "},
                {"GET", "", "localhost.", "", "421 "},
                {"GET", "", "10.0.0.1", "", "421 "},
                {"GET", "events", "evil.example", "", "421 "},
                {"GET", "", "127.0.0.1", "Origin: http://evil.example:%u\r\n", "403 "},
                {"GET", "", "127.0.0.1", "Origin: null\r\nX: %u\r\n", "403 "},
                {"POST", "", "127.0.0.1", "", "405 "},
                {"GET", NULL, "127.0.0.1", "", "404 "},
                {"GET", "../reduce.cu", "127.0.0.1", "", "404 "}};
static void expect_answers(unsigned port, const char *secret) {
    for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) {
        char header[100], status[40];
        snprintf(header, sizeof header, requests[k].header, port);
        const int fd = ask("127.0.0.1", port, "%s /%s%s%s HTTP/1.1\r\nHost: %s:%u\r\n%sConnection: close\r\n\r\n",
                           requests[k].method, requests[k].path ? secret : "", requests[k].path ? "/" : "",
                           requests[k].path ? requests[k].path : "", requests[k].host, port, header);
        const char *text = answer(fd, "never");
        snprintf(status, sizeof status, "HTTP/1.1 %s", requests[k].status);
        ck_assert_msg(!strncmp(text, status, strlen(status)), "row %zu: %.300s", k, text);
        ck_assert_msg(!strstr(text, "Access-Control"), "row %zu: %.300s", k, text);
        ck_assert_msg((!strcmp(requests[k].method, "GET") && !strncmp(requests[k].status, "200", 3)) ==
                          (strstr(text, "\"live\":") != NULL),
                      "row %zu: %.600s", k, text);
        close(fd);
    }
}
START_TEST(the_page_is_served_only_to_this_machine) {
    char file[200], secret[64], event[40], *page;
    unsigned port;
    if (!serve_built()) return;
    begin();
    snprintf(file, sizeof file, "%s/page.html", folder);
    terminal_start((const char *const[]){CASE, "--html", file, NULL});
    terminal_expect("lab1: " RIGHT, NULL);
    while (!strstr(terminal.text, "/\033[0m")) ck_assert(terminal_read(PATIENCE * 1000));
    const char *address = strstr(terminal.text, "http://127.0.0.1:");
    ck_assert_msg(address && sscanf(address, "http://127.0.0.1:%u/%32[0-9a-f]/", &port, secret) == 2 &&
                      strlen(secret) == 32,
                  "%s", terminal.text);
    expect_answers(port, secret);
    ck_assert_msg(ask("127.0.0.2", port, "GET / HTTP/1.1\r\n\r\n") < 0, "the server also listens on other addresses");
    const int events = ask("127.0.0.1", port, "GET /%s/events HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", secret, port);
    const char *text = answer(events, "\"grading\": false}\n\n");
    ck_assert_msg(strstr(text, "Content-Type: text/event-stream") && strstr(text, "data: {\"page\": 1, "), "%s", text);
    save("reduce.cu", wrong);
    text = answer(events, "\"grading\": true}\n\n");
    ck_assert_msg(strstr(text, "{\"page\": 1, \"grading\": true}"), "%s", text);
    text = answer(events, "\"page\": 2, \"grading\": false}\n\n");
    ck_assert_msg(strstr(text, "{\"page\": 2, "), "%s", text);
    const int again =
        ask("127.0.0.1", port, "GET /%s/ HTTP/1.1\r\nHost: localhost:%u\r\nConnection: close\r\n\r\n", secret, port);
    ck_assert(strstr(answer(again, "never"), "\"live\":2"));
    close(again);
    page = read_file(file); /* a standalone page makes no requests */
    ck_assert(strstr(page, "\"live\":0") && !strstr(page, "connect-src"));
    free(page);
    snprintf(event, sizeof event, "%u", port);
    int status;
    const pid_t other = fork(); /* a second watch on the same port */
    if (!other) {
        const int out = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(out, 1), dup2(out, 2);
        const char *grade = getenv("GRADE") ? getenv("GRADE") : "./grade";
        execlp(grade, grade, "lab1", "--watch", "--html", "/dev/null", "--port", event, (char *)NULL);
        _exit(127);
    }
    ck_assert(waitpid(other, &status, 0) == other && WIFEXITED(status));
    page = read_file(file);
    ck_assert_msg(WEXITSTATUS(status) == 3 && strstr(page, "Address already in use: stop the program that uses it"),
                  "%s", page);
    free(page);
    kill(terminal.pid, SIGINT);
    ck_assert_int_eq(terminal_end(), 1);
    ck_assert_str_eq(answer(events, "never"), "0\r\n\r\n"); /* the stream of events has ended */
    close(events);
    expect_nothing_left();
}
END_TEST

int main(void) {
    char why[500];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_watch: %s\n", why), 0;
    if (!serve_built()) printf("SKIP check_watch: the page: built without libmicrohttpd\n");
    if (!mkdtemp(folder)) return 1;
    Suite *suite = suite_create("watch");
    TCase *tcase = tcase_create("watch");
    tcase_set_timeout(tcase, 2 * PATIENCE);
    tcase_add_test(tcase, each_save_is_graded);
    tcase_add_test(tcase, saves_cancel_running_grades);
    tcase_add_test(tcase, the_page_is_served_only_to_this_machine);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    file_remove_folder(folder);
    return failed != 0;
}
