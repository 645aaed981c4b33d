/* Runs a program as a child process with limits and captures its output. No shell is involved. */
#ifndef SANDBOX_PROCESS_H
#define SANDBOX_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_limits {
    unsigned wall_seconds, cpu_seconds; /* a process that exceeds cpu_seconds gets SIGXCPU, and SIGKILL 5 s later */
    size_t memory_bytes, file_bytes, output_bytes, processes, files;
    const char *temporary; /* folder for the program's temporary files, as "TMPDIR=folder"; NULL to inherit it */
    bool waits; /* whether the program waits for a byte on standard input (process_go()); otherwise, standard input is
                   empty */
};              /* a limit of 0 means no limit, except for output_bytes, where it means 1 MiB */
enum process_end { PROCESS_EXITED, PROCESS_KILLED, PROCESS_TIMED_OUT, PROCESS_NOT_STARTED };
struct process_result {
    enum process_end end;
    int status;            /* exit status, or number of the signal that killed the process */
    size_t resident_bytes; /* peak resident memory of the process or one of its children; the memory limit of the
                              control group if the group exceeded it */
    double cpu_seconds;    /* CPU time of the process and its exited children */
    char *output;          /* standard output and error combined, NUL-terminated; NULL if out of memory; free() it */
    size_t length;
    bool cut; /* whether the output was longer than output_bytes, so that its end is missing */
};
/* Runs a program and waits for it. argv[0] is a path, or a name to look up in PATH. */
struct process_result process_run(const char *const argv[], const struct process_limits *limits);

/* A program that is started and finished by separate calls, so that it can start before its result is needed. The
 * wall-clock limit starts at process_finish() and has the value that limits.wall_seconds has at that time. */
struct process {
    pid_t pid; /* process id; -1 if the program was not started */
    int output, input;
    char *text; /* buffer for the output */
    struct process_limits limits;
};
/* Starts a program. Returns false on failure; the output of process_finish() is then the reason. */
bool process_start(struct process *p, const char *const argv[], const struct process_limits *limits);
/* Sends the byte that resumes a waiting program. */
void process_go(struct process *p);
/* Waits for the program to exit, and kills the processes that it leaves behind. Kills a waiting program that was not
 * resumed. */
struct process_result process_finish(struct process *p);
/* Returns a resource whose hard limit is below that of `least`, such as "address space (ulimit -v)", or NULL if there
 * is none. Considers CPU time, memory, file size and open files. */
const char *process_lacks(const struct process_limits *least);
/* Returns the path of a program in PATH, or NULL if it is not found. free() the path. */
char *process_find(const char *name);

#endif
