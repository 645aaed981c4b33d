/* Runs the page's simulator (grader/live/) in node, for comparison with the native one. web/live.mjs answers the
 * requests. Without node, the tests are skipped.
 *
 *   if (!live_start()) skip;
 *   char *answer = live_asks_run(job); ... free(answer);
 *   live_stop(); */
#ifndef TESTS_LIVE_H
#define TESTS_LIVE_H

#include "sandbox/process.h"
#include "tests/ops/gpu.h"
#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct live_page {
    pid_t pid;
    FILE *to, *from;
};
static struct live_page live_page;

/* Starts node. Returns false if node is not installed. */
static inline bool live_start(void) {
    int to[2], from[2];
    char *node = process_find("node");
    if (!node) return false;
    signal(SIGPIPE, SIG_IGN);
    if (pipe(to) || pipe(from)) ck_abort_msg("no pipe");
    if (!(live_page.pid = fork())) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(to[0], STDIN_FILENO), dup2(from[1], STDOUT_FILENO);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execl(node, node, "grader/tests/web/live.mjs", "grader/live/module.js", "grader/live/module.b64", (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]), free(node);
    live_page.to = fdopen(to[1], "w"), live_page.from = fdopen(from[0], "r");
    return true;
}
static inline void live_stop(void) {
    fclose(live_page.to), fclose(live_page.from);
    waitpid(live_page.pid, NULL, 0);
}
static inline char *live_answer(void) {
    char line[32];
    fflush(live_page.to);
    if (!fgets(line, sizeof line, live_page.from)) ck_abort_msg("node exited");
    const size_t length = strtoul(line, NULL, 10);
    char *answer = calloc(1, length + 1);
    if (fread(answer, 1, length, live_page.from) != length) ck_abort_msg("node exited");
    return answer;
}
/* Returns the result of live_run() in the page's simulator; free() it. */
static inline char *live_asks_run(const char *job) {
    fprintf(live_page.to, "run %zu\n%s", strlen(job), job);
    return live_answer();
}
/* Launches k(out, in) with live_launch() in the page's simulator. Returns "" on success, otherwise the reason for the
 * failure; free() it. */
static inline char *live_asks_launch(const char *ptx, uint32_t grid, uint32_t block, uint32_t shared, const void *in,
                                     size_t in_bytes, void *out, size_t out_bytes) {
    fprintf(live_page.to, "launch %u %u %u %zu %zu %zu\n%s", grid, block, shared, strlen(ptx), in_bytes, out_bytes,
            ptx);
    fwrite(in, 1, in_bytes, live_page.to), fwrite(out, 1, out_bytes, live_page.to);
    char *answer = live_answer();
    if (fread(out, 1, out_bytes, live_page.from) != out_bytes) ck_abort_msg("node exited");
    return answer;
}

/* With LIVE=1, the instruction tests repeat their launches of kernels named k in the page's simulator. They exclude
 * launches with faults, with clusters, or with a second dimension. The results must be the same bit for bit, except for
 * the payloads of NaNs. The page's simulator supports only rounding to nearest, and must reject other modes. */
struct live_counts {
    unsigned equal, rounded;
};
static inline struct live_counts *live_counts(void) {
    static struct live_counts counts;
    return &counts;
}
static inline void live_print_counts(void) {
    printf("page: %u kernels with identical bits, %u rejected because they do not round to nearest\n",
           live_counts()->equal, live_counts()->rounded);
}
static inline bool live_is_wanted(void) {
    static int wanted = -1;
    if (wanted < 0 && (wanted = getenv("LIVE") && atoi(getenv("LIVE")))) {
        if (!live_start()) ck_abort_msg("LIVE=1 needs node");
        atexit(live_print_counts);
    }
    return wanted;
}
static inline void live_compare(const char *text, const struct sim_launch *l, const void *in, size_t in_bytes,
                                const void *before, const void *sim, size_t out_bytes) {
    if (!live_is_wanted() || strcmp(l->kernel, "k") != 0 || l->grid[1] * l->grid[2] * l->block[1] * l->block[2] > 1 ||
        l->cluster[0])
        return;
    unsigned char *out = malloc(out_bytes + 1);
    const unsigned char *ours = sim;
    memcpy(out, before, out_bytes);
    char *why = live_asks_launch(text, l->grid[0], l->block[0], l->dynamic_shared, in, in_bytes, out, out_bytes);
    if (strstr(why, "supports only rounding to nearest"))
        live_counts()->rounded++;
    else {
        ck_assert_msg(!*why, "page: %s in\n%.3000s", why, text);
        for (size_t k = 0; k < out_bytes; k++)
            ck_assert_msg(out[k] == ours[k] || both_nan(text, out, ours, k, out_bytes),
                          "byte %zu: page %02x, simulator %02x in\n%.3000s", k, out[k], ours[k], text);
        live_counts()->equal++;
    }
    free(out), free(why);
}

#endif
