/* Runs `./grade run` in a child process of the test. */
#ifndef TESTS_RUN_COMMAND_H
#define TESTS_RUN_COMMAND_H

#include "run/run.h"
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct result {
    int status;
    char *out, *err; /* standard output and standard error; free() them */
};
static int unnamed_file(const char *text) {
    char path[] = "/tmp/check-run-XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    unlink(path);
    const size_t n = text ? strlen(text) : 0;
    ck_assert_int_eq(write(fd, text, n), (ssize_t)n);
    lseek(fd, 0, SEEK_SET);
    return fd;
}
static char *contents(int fd) {
    const off_t size = lseek(fd, 0, SEEK_END);
    char *text = calloc((size_t)size + 1, 1);
    lseek(fd, 0, SEEK_SET);
    ck_assert_int_eq(read(fd, text, (size_t)size), size);
    close(fd);
    return text;
}
/* Runs a command, whose words are separated by single spaces, with `input` as standard input. */
static struct result run(const char *words, const char *input) {
    char *copy = strdup(words), *argv[80] = {"run"};
    int argc = 1, status = 0;
    for (char *save = NULL, *w = strtok_r(copy, " ", &save); w && argc < 79; w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    const int in = unnamed_file(input), out = unnamed_file(NULL), err = unnamed_file(NULL);
    fflush(NULL);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        dup2(in, 0), dup2(out, 1), dup2(err, 2);
        const int code = run_command(argc, argv, &(struct run_place){.root = ".", .compiler = "auto"});
        free(copy);
        exit(code);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    close(in);
    free(copy);
    struct result r = {-1, contents(out), contents(err)};
    ck_assert_msg(WIFEXITED(status), "%s: ended by signal %d: %s", words, WTERMSIG(status), r.err);
    r.status = WEXITSTATUS(status);
    return r;
}
static void release(struct result *r) { free(r->out), free(r->err); }

#endif
