/* Runs a program as a child with limits, and keeps what it prints. No shell is involved. */
#ifndef JUDGE_PROCESS_H
#define JUDGE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_limits {
    unsigned wall_seconds, cpu_seconds; /* the latter end a process by SIGXCPU */
    size_t memory_bytes, file_bytes, output_bytes, processes, files;
    const char *temporary; /* "TMPDIR=folder": where it may leave its own files; NULL: as here */
    bool waits;            /* it reads its standard input before it begins: process_go(); else there is none */
};                         /* 0: none */
enum process_end { PROCESS_EXITED, PROCESS_KILLED, PROCESS_TIMED_OUT, PROCESS_NOT_STARTED };
struct process_result {
    enum process_end end;
    int status;            /* exit status, or the signal */
    size_t resident_bytes; /* the most that it or one of its own children had at a time */
    double cpu_seconds;    /* processor time of it and of its own children that have ended */
    char *output;          /* standard output and error together, NUL at its end; free() it */
    size_t length;
    bool cut; /* it printed more than output_bytes */
};
/* argv[0] is a path or a name looked up in PATH. */
struct process_result process_run(const char *const argv[], const struct process_limits *limits);

/* The same in parts, so that it may start before it is needed. The time of the clock counts from process_finish(),
 * which takes limits.wall_seconds as it is then. */
struct process {
    pid_t pid; /* -1: not started */
    int output, input;
    char *text; /* room for what it prints */
    struct process_limits limits;
};
/* False where it cannot be; process_finish() tells of that, too. */
bool process_start(struct process *p, const char *const argv[], const struct process_limits *limits);
/* Hands a byte to one that waits. */
void process_go(struct process *p);
/* Waits for its end; of one that waits and was not told to go: ends it. */
struct process_result process_finish(struct process *p);
/* Path of a program in PATH, or NULL; free() it. */
char *process_find(const char *name);

#endif
