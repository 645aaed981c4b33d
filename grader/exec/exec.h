/* `./grade exec`: runs whole programs, including host code, with a CUDA runtime library on
 * top of the simulator.
 *
 *   command.c  from the command line to the exit status      options.c  the command line
 *   serve.c    the program's requests, one after the other    wire.h     their format
 *   needs.c    required libraries
 *   fatbin.c, module.c  device code and kernels               memory.c   device memory, copies
 *   array.c    arrays, textures, surfaces
 *   launch.c   launches                                       order.c    streams, events, the host
 *   graph.c    recorded work
 *   site.c     lines of the host's code                       host.c     findings in host code: host.def
 *   report.c   the record and its page
 *   cudart_*.c the library in the program, built separately: exec.mk; calls.def lists its calls
 *   driver_*.c the driver's library on top of it; driver.def lists its calls
 *
 * It is for users' own programs on their own machines; no grade depends on it. */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include <stdbool.h>
#include <stdint.h>

/* Exit status. */
enum {
    EXEC_CLEAN = 0,
    EXEC_FINDINGS = 1,
    EXEC_USAGE = 2,
    EXEC_SETUP = 3,
    EXEC_BUILD = 4,
    EXEC_ABSENT = 5,   /* the program uses an unsupported feature */
    EXEC_PROGRAM = 6,  /* no findings, but the program itself failed */
    EXEC_STOPPED = 130 /* ctrl-C */
};
enum exec_checks { EXEC_CHECKS_NONE, EXEC_CHECKS_FAST, EXEC_CHECKS_ALL };
enum { EXEC_MOST_FLAGS = 64 };
struct exec_options {
    const char *program, *json, *report;
    char **arguments; /* NULL-terminated; the first one is the program's name */
    const char *flag[EXEC_MOST_FLAGS], *write[4];
    unsigned flags, writes, cores, arch;
    enum exec_checks checks;
    uint64_t budget, seed;
    bool seeded, no_sandbox, no_color, quiet;
};
void exec_options_parse(int argc, char **argv, struct exec_options *o);
/* Runs the command and returns the exit status. argv[0] is "exec"; `root` is the kit's folder. */
int exec_command(int argc, char **argv, const char *root);

#endif
