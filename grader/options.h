/* The command line of ./grade: each option is a row of options.def. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "record/status.h"
#include "sim/sim.h"
#include <stdbool.h>
#include <stdint.h>

enum { OPTIONS_MOST_SINKS = 16 };
struct options {
    const char *lab; /* "lab3", "all", or NULL */
#define FLAG(field, ...) bool field;
#define TEXT(field, ...) const char *field;
#define READ(...)
#include "options.def"
    bool seeded, hardware;
    const struct gpu *gpu;                                        /* the GPU of --gpu; NULL: only the default one */
    const char *tools;                                            /* the tools of --hardware; NULL: all */
    enum { SANDBOX_AUTO, SANDBOX_ALWAYS, SANDBOX_NEVER } sandbox; /* SANDBOX_AUTO: only for an untrusted file */
    uint64_t seed;
    struct sim_schedule schedule;
    unsigned arch;                        /* compute capability, 75 to 90; 0: the lab's */
    unsigned port;                        /* the port of --watch; 0: a free one */
    uint32_t size, block, grid;           /* UINT32_MAX, 0 and 0 if not given: all cases */
    const char *file[OPTIONS_MOST_SINKS]; /* where the report of row k of sink_rows[] goes; "-": standard output; NULL:
                                             nowhere */
};
/* Parses argv; exits on --help, --version and usage errors (EXIT_USAGE). */
void options_parse(int argc, char **argv, struct options *o);
/* All options, including those of the report formats. A row without a name terminates them. */
struct argp_option;
const struct argp_option *options_rows(void);

#endif
