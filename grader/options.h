/* Parses the command line of `./grade LAB`. Each option is a row of options.def or a report format of report/sinks.def.
 * The commands of commands.def (run, exec, ...) parse their own options. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "record/status.h"
#include "sim/sim.h"
#include <stdbool.h>
#include <stdint.h>

enum { OPTIONS_MAX_SINKS = 16 };
struct options {
    const char *lab; /* "lab3", "all", or NULL */
#define FLAG(field, ...) bool field;
#define TEXT(field, ...) const char *field;
#define READ(...)
#include "options.def"
    bool seeded, hardware;
    const struct gpu *gpu;                                        /* GPU of --gpu; NULL for the default */
    const char *tools;                                            /* tools of --hardware; NULL for all */
    enum { SANDBOX_AUTO, SANDBOX_ALWAYS, SANDBOX_NEVER } sandbox; /* SANDBOX_AUTO: for untrusted files only */
    uint64_t seed;
    struct sim_schedule schedule;
    unsigned arch;              /* compute capability, 75 to 90, or 0 for that of the lab */
    unsigned hint;              /* number of --hint */
    unsigned port;              /* port of --watch; 0 for any free port */
    uint32_t size, block, grid; /* UINT32_MAX, 0 and 0 if not given, which select all cases */
    /* The output file of the report format sink_rows[k]: "-" for standard output, NULL for none. */
    const char *file[OPTIONS_MAX_SINKS];
};
/* Parses argv. Exits on --help, --version and usage errors (EXIT_USAGE). */
void options_parse(int argc, char **argv, struct options *o);
/* Returns all options, including those of the report formats, terminated by a row without a name. */
struct argp_option;
const struct argp_option *options_rows(void);

#endif
