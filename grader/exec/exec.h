/* `./grade exec`: runs whole programs, including their host code, with a CUDA runtime library on top of the
 * simulator.
 *
 *   command.c    compiles and runs the program
 *   options.c    the command line
 *   needs.c      libraries and calls that the program requires
 *   serve.c      answers requests of the program; wire.h: their format
 *   fatbin.c     PTX in fat binaries
 *   module.c     modules and kernels
 *   memory.c     device memory and copies
 *   virtual.c    virtual memory: reserved addresses and mappings
 *   array.c      arrays, textures, surfaces
 *   launch.c     launches
 *   order.c      order of streams, events and the host
 *   site.c       source lines of host code
 *   host.c       findings in host code, which host.def lists
 *   report.c     the record and its page
 *   cudart_*.c   the runtime library in the program, built separately (exec.mk); calls.def lists its calls
 *   driver_*.c   the driver library on top of it; driver.def lists its calls
 *
 * The command is for users' own programs on their own machines. No grade depends on it. */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Exit statuses. */
enum {
    EXEC_CLEAN = 0,
    EXEC_FINDINGS = 1,
    EXEC_USAGE = 2,
    EXEC_SETUP = 3,
    EXEC_BUILD = 4,
    EXEC_ABSENT = 5,   /* the program used a feature that is not supported */
    EXEC_PROGRAM = 6,  /* no errors, but the program failed */
    EXEC_STOPPED = 130 /* interrupted by Ctrl-C */
};
enum exec_checks { EXEC_CHECKS_NONE, EXEC_CHECKS_FAST, EXEC_CHECKS_ALL };
enum { EXEC_MAX_FLAGS = 64 };
struct exec_options {
    const char *program, *json, *report;
    char **arguments; /* NULL-terminated; the first one is the program's name */
    const char *flag[EXEC_MAX_FLAGS], *write[4];
    unsigned flags, writes, cores, arch;
    enum exec_checks checks;
    uint64_t budget, seed;
    bool seeded, no_sandbox, no_color, quiet;
};
extern const struct argp_option exec_option_rows[]; /* terminated by a row without a name */
void exec_options_parse(int argc, char **argv, struct exec_options *o);
/* Runs the command; argv[0] is "exec", and `root` is the kit's folder. Returns the exit status. */
int exec_command(int argc, char **argv, const char *root);

#endif
