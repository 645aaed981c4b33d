/* See ended.h. */
#include "sandbox/ended.h"
#include <signal.h>

static const struct {
    int signal;
    enum ended ended;
} rows[] = {{0, ENDED_CRASH},       {SIGXCPU, ENDED_TIME}, {SIGPROF, ENDED_TIME},  {SIGSEGV, ENDED_CRASH},
            {SIGBUS, ENDED_CRASH},  {SIGFPE, ENDED_CRASH}, {SIGILL, ENDED_CRASH},  {SIGABRT, ENDED_CRASH},
            {SIGTRAP, ENDED_CRASH}, {SIGSYS, ENDED_CRASH}, {SIGXFSZ, ENDED_CRASH}, {SIGPIPE, ENDED_CRASH}};
enum ended ended_by(int signal, size_t resident_bytes) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].signal == signal) return rows[k].ended;
    return signal != SIGALRM && resident_bytes >= ENDED_LARGE ? ENDED_MEMORY : ENDED_OUTSIDE;
}
