/* See watch.h. A single event loop waits for saves, signals, the end of a grade, and browsers. */
#include "watch/watch.h"
#include "base/clock.h"
#include "record/status.h"
#include "watch/saves.h"
#include "watch/serve.h"
#include "watch/turn.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SETTLE = 50,      /* milliseconds without a change after which a save is complete */
    LOOK_AGAIN = 500, /* milliseconds between searches for a missing folder */
    PATIENCE = 3600 * 1000
};
struct loop {
    const struct watch *w;
    struct saves saves;
    struct serve *server;
    struct turn turn;
    int signals;
    unsigned number; /* number of turns so far */
    bool clears;     /* whether the screen is a terminal that can be cleared */
    bool ends;
    double saved;  /* time of the first save that is not graded yet; 0 for none */
    double settle; /* time at which to grade the file unless it is saved again */
    int status;
};

/* ---- the screen --------------------------------------------------------------------------------- */
static bool can_be_cleared(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}
static void erase_progress(void) {
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}
/* Shows a turn's output and, below it, the time and how to go on. */
static void show(struct loop *l, const char *said, const char *when) {
    const char *const faint = l->w->color ? "\033[2m" : "", *const plain = l->w->color ? "\033[0m" : "";
    char now[20];
    const time_t t = time(NULL);
    struct tm local;
    erase_progress();
    if (l->clears) fputs("\033[H\033[2J", stdout);
    fputs(said, stdout);
    strftime(now, sizeof now, "%H:%M:%S", localtime_r(&t, &local));
    printf("%s%s%s. Each save of %s is graded; Ctrl-C ends the watch.%s\n", faint, now, when, l->w->shown, plain);
    if (l->server) printf("%slive page: %s%s\n", faint, serve_address(l->server), plain);
    if (!l->clears) putchar('\n');
    if (!fflush(stdout)) return;
    fputs("grade: cannot write to standard output\n", stderr);
    l->status = EXIT_SETUP, l->ends = true;
}

/* ---- grades --------------------------------------------------------------------------------------- */
static void prepare(struct loop *l) {
    char said[200];
    if (turn_start(&l->turn, l->w, ++l->number)) return;
    snprintf(said, sizeof said, "cannot start a process for the next grade: %s\n", strerror(errno));
    show(l, said, "");
}
static void begin(struct loop *l) {
    struct stat s;
    char said[300];
    l->settle = 0;
    if (lstat(l->w->files[0], &s) && (errno == ENOENT || errno == ENOTDIR)) {
        snprintf(said, sizeof said, "%.200s does not exist; it will be graded when it is saved again\n", l->w->shown);
        show(l, said, "");
        return;
    }
    if (!l->turn.pid) prepare(l);
    if (!l->turn.pid) return;
    if (l->server) serve_grading(l->server, true);
    turn_go(&l->turn);
}
static void take_verdict(struct loop *l, int status) {
    size_t length;
    char when[60], *said = turn_read(l->turn.said, &length), crash[200];
    snprintf(when, sizeof when, l->saved > 0 ? ", %.2f s after the save" : "", clock_seconds() - l->saved);
    snprintf(crash, sizeof crash, "the grader was killed by signal %d (%s): save the file again to grade it\n",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
    l->saved = 0;
    l->status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SETUP;
    l->ends = l->status == EXIT_USAGE; /* the next turn would fail in the same way */
    show(l, WIFSIGNALED(status) ? crash : said ? said : "", when);
    free(said);
}
/* Shows the preliminary verdict while the turn searches for a fix. */
static void take_early_word(struct loop *l) {
    size_t length;
    if (!turn_news(&l->turn) || !l->clears) return;
    char *said = turn_read(l->turn.early, &length);
    erase_progress();
    printf("\033[H\033[2J%s", said ? said : "");
    if (l->saved > 0) printf("%.2f s after the save; ", clock_seconds() - l->saved);
    printf("looking for a fix ...\n");
    fflush(stdout);
    free(said);
}
static void take_page(struct loop *l) {
    size_t length;
    char *page = turn_read(l->turn.page, &length);
    if (length)
        serve_page(l->server, page, length, l->turn.number);
    else
        free(page);
    serve_grading(l->server, false);
}
/* Handles the end of a turn. If a turn ends before a save, it has failed, and the next turn reports the reason. */
static void finish(struct loop *l) {
    const int status = turn_status(&l->turn);
    const bool begun = l->turn.begun;
    if (begun) take_verdict(l, status);
    if (begun && l->server) take_page(l);
    turn_free(&l->turn);
    if (begun && !l->ends) prepare(l);
}
/* Handles a save. Cancels the current turn if it already grades the old contents of the file. */
static void notice_save(struct loop *l) {
    const double now = clock_seconds();
    if (!l->settle) l->saved = now;
    l->settle = now + 1e-3 * SETTLE;
    if (!l->turn.begun) return;
    turn_cancel(&l->turn);
    erase_progress();
    prepare(l);
}

/* ---- the loop --------------------------------------------------------------------------------------- */
static int shorter(int a, int b) { return a < b ? a : b; }
static int patience(const struct loop *l) {
    int left = PATIENCE;
    if (l->settle) {
        const double ms = 1e3 * (l->settle - clock_seconds());
        left = ms > 0 ? (int)ms + 1 : 0;
    }
    if (l->server) left = shorter(left, serve_timeout(l->server));
    return saves_lost(&l->saves) ? shorter(left, LOOK_AGAIN) : left;
}
static void step(struct loop *l) {
    enum { SIGNALS, SAVES, NEWS, TURN, BROWSERS, ALL };
    struct pollfd p[ALL] = {[SIGNALS] = {l->signals, POLLIN, 0},
                            [SAVES] = {l->saves.fd, POLLIN, 0},
                            [NEWS] = {l->turn.pid ? l->turn.news : -1, POLLIN, 0},
                            [TURN] = {l->turn.pid ? l->turn.ended : -1, POLLIN, 0},
                            [BROWSERS] = {l->server ? serve_descriptor(l->server) : -1, POLLIN, 0}};
    if (poll(p, ALL, patience(l)) < 0 && errno != EINTR) l->status = EXIT_SETUP, l->ends = true;
    if (p[SIGNALS].revents) l->ends = true;
    if (l->ends) return;
    if (l->server) serve_run(l->server);
    if (p[NEWS].revents && !p[TURN].revents) take_early_word(l);
    if (p[TURN].revents) finish(l);
    if (p[SAVES].revents && saves_read(&l->saves)) notice_save(l);
    if (saves_lost(&l->saves) && saves_again(&l->saves)) notice_save(l);
    if (!l->ends && l->settle && clock_seconds() >= l->settle) begin(l);
}
/* Blocks signals and opens a descriptor from which they are read. Ignores SIGPIPE, so that a closed browser
 * connection or pipe does not end the watch. */
static int take_signals(void) {
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGINT), sigaddset(&all, SIGTERM), sigaddset(&all, SIGHUP);
    sigprocmask(SIG_BLOCK, &all, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &all, SFD_CLOEXEC);
}
int watch_run(const struct watch *w) {
    char message[400];
    struct loop l = {.w = w, .status = EXIT_PARTIAL, .clears = can_be_cleared()};
    if (!saves_open(&l.saves, w->files, w->file_count, message, sizeof message)) exit_saying(EXIT_SETUP, "%s", message);
    if (w->page && !(l.server = serve_open(w->port, message, sizeof message)) && (serve_built() || w->port))
        exit_saying(EXIT_SETUP, "%s", message);
    if (w->page && !l.server) fprintf(stderr, "grade: %s; the report file is still written on every save\n", message);
    l.signals = take_signals();
    turn_prepare();
    prepare(&l);
    l.settle = clock_seconds(); /* grades the file immediately */
    while (!l.ends) step(&l);
    if (l.turn.pid) turn_cancel(&l.turn);
    erase_progress();
    serve_close(l.server);
    saves_close(&l.saves);
    close(l.signals);
    return l.status;
}
