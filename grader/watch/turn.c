/* See turn.h. */
#include "watch/turn.h"
#include "watch/watch.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 5000 /* time in milliseconds for a turn to complete its files after the verdict */ };
enum { GO = STDERR_FILENO + 1, PAGE, SCREEN, EARLY, NEWS, OTHERS }; /* file descriptors of the child process */

/* ---- in the child process ---------------------------------------------------------------------------- */
void turn_wait(void) {
    char byte;
    ssize_t n;
    while ((n = read(GO, &byte, 1)) < 0 && errno == EINTR) continue;
    if (n != 1) _exit(0); /* the watcher has exited */
}
void turn_keep(void) {
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL);
}
FILE *turn_screen(void) { return fdopen(SCREEN, "w"); }
FILE *turn_page(void) { return fdopen(PAGE, "w"); }
FILE *turn_early(void) { return fdopen(EARLY, "w"); }
void turn_show(FILE *early) {
    if (!fclose(early)) (void)!write(NEWS, "", 1);
}
/* Restores the default handling of signals. SIGTTOU is ignored, so that a process in the background of a terminal can
 * print its progress. */
static void reset_signals(void) {
    static const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    sigset_t none;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) signal(all[k], SIG_DFL);
    signal(SIGTTOU, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
/* Moves the turn's descriptors to their places, and closes those of the watcher, such as connections to browsers. */
static void take_descriptors(const struct turn *t, int go, int news) {
    const int own[] = {[GO - GO] = go,
                       [PAGE - GO] = t->page,
                       [SCREEN - GO] = STDERR_FILENO,
                       [EARLY - GO] = t->early,
                       [NEWS - GO] = news};
    int high[sizeof own / sizeof *own];
    for (int k = 0; k < OTHERS - GO; k++) high[k] = fcntl(own[k], F_DUPFD, 2 * OTHERS);
    dup2(t->said, STDOUT_FILENO), dup2(t->said, STDERR_FILENO);
    for (int k = 0; k < OTHERS - GO; k++) dup3(high[k], GO + k, O_CLOEXEC);
    close_range(OTHERS, ~0U, 0);
}
static _Noreturn void run(struct turn *t, const struct watch *w, int go, int news) {
    setpgid(0, 0); /* Ctrl-C must reach the watcher only */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    reset_signals();
    take_descriptors(t, go, news);
    file_temporaries(t->folder);
    exit(w->grade(w->context, t->number));
}

/* ---- in the watcher --------------------------------------------------------------------------- */
/* Makes this process adopt orphaned processes of a turn. */
void turn_prepare(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }
/* Opens the files of a turn. The child process uses go[0] and news[1]. */
static bool open_files(struct turn *t, int go[2], int news[2]) {
    go[0] = news[1] = t->go = t->ended = t->news = -1;
    t->said = memfd_create("said", MFD_CLOEXEC);
    t->page = memfd_create("page", MFD_CLOEXEC);
    t->early = memfd_create("early", MFD_CLOEXEC);
    if (t->said < 0 || t->page < 0 || t->early < 0 || pipe2(go, O_CLOEXEC)) return false;
    t->go = go[1];
    if (pipe2(news, O_CLOEXEC | O_NONBLOCK)) return false;
    t->news = news[0];
    return file_temporary(t->folder);
}
bool turn_start(struct turn *t, const struct watch *w, unsigned number) {
    int go[2], news[2];
    pid_t pid = -1;
    *t = (struct turn){.number = number};
    fflush(NULL);
    if (open_files(t, go, news)) pid = fork();
    if (pid == 0) run(t, w, go[0], news[1]);
    const int why = errno;
    if (go[0] >= 0) close(go[0]);
    if (news[1] >= 0) close(news[1]);
    if (pid > 0) t->pid = pid, t->ended = (int)syscall(SYS_pidfd_open, pid, 0);
    if (t->ended >= 0) return true;
    turn_cancel(t);
    return errno = why, false;
}
void turn_go(struct turn *t) {
    t->begun = write(t->go, "", 1) == 1 ||
               errno == EPIPE; /* EPIPE means that the child has exited, which its status reports */
}
bool turn_news(struct turn *t) {
    char byte;
    const bool told = read(t->news, &byte, 1) == 1;
    close(t->news); /* a turn has at most one preliminary verdict */
    t->news = -1;
    return told;
}
/* Kills all remaining processes of a turn. Repeats, because this process then adopts the children of the killed
 * processes. */
static void end_children(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (int left = 1; left;) {
        FILE *f = fopen(path, "re");
        int child[64];
        for (left = 0; f && left < 64 && fscanf(f, "%d", &child[left]) == 1;) left++;
        if (f) fclose(f);
        for (int k = 0; k < left; k++) kill(-child[k], SIGKILL), kill(child[k], SIGKILL);
        for (int k = 0; k < left; k++)
            while (waitpid(child[k], NULL, 0) < 0 && errno == EINTR) continue;
    }
}
int turn_status(struct turn *t) {
    int status = 0;
    while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR) continue;
    t->pid = 0;
    end_children();
    return status;
}
void turn_cancel(struct turn *t) {
    if (t->pid > 0) {
        struct pollfd ended = {t->ended, POLLIN, 0};
        kill(t->pid, SIGTERM);
        if (t->ended >= 0) poll(&ended, 1, PATIENCE);
        kill(t->pid, SIGKILL);
        turn_status(t);
    }
    turn_free(t);
}
char *turn_read(int file, size_t *length) {
    struct stat s;
    *length = fstat(file, &s) ? 0 : (size_t)s.st_size;
    char *text = malloc(*length + 1);
    const ssize_t n = text ? pread(file, text, *length, 0) : 0;
    *length = n > 0 ? (size_t)n : 0;
    if (text) text[*length] = 0;
    return text;
}
void turn_free(struct turn *t) {
    const int all[] = {t->go, t->said, t->page, t->early, t->news, t->ended};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] >= 0) close(all[k]);
    if (t->folder[0]) file_remove_folder(t->folder);
    *t = (struct turn){.go = -1, .said = -1, .page = -1, .early = -1, .news = -1, .ended = -1};
}
