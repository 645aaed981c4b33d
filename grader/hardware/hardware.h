/* Compares NVIDIA's tools with the simulator: `./grade run FILE KERNEL ... --hardware` and `./grade lab3
 * --hardware`.
 *
 *   command.c    takes the launch from the command line
 *   lab.c        takes the launch from a case of a lab
 *   tools.c      finds and runs the tools, explains why one did not run
 *   ncu.c        parses the output of ncu
 *   sanitizer.c  parses the output of compute-sanitizer
 *   record.c     combines all results in a record
 *   page.c       prints the record on a terminal, and explains why figures differ
 *
 * `./grade run` performs the same launch each time: first on the simulator, then on the GPU under each tool. The
 * record (schema reduction-labs/hardware/3, docs/hardware.md) holds all results. page.c reads nothing else. */
#ifndef HARDWARE_HARDWARE_H
#define HARDWARE_HARDWARE_H

#include "run/run.h"

/* ---- ncu.c ---------------------------------------------------------------------------------- */
/* Metrics of the first kernel that was profiled. */
enum counter {
    COUNTER_INSTRUCTIONS, /* warp-instructions */
    COUNTER_LANES,        /* thread-instructions with a true predicate */
    COUNTER_LOAD_REQUESTS,
    COUNTER_STORE_REQUESTS,
    COUNTER_ATOMIC_REQUESTS,
    COUNTER_LOAD_SECTORS,
    COUNTER_STORE_SECTORS,
    COUNTER_ATOMIC_SECTORS,
    COUNTER_SHARED_REQUESTS,
    COUNTER_SHARED_WAVEFRONTS,
    COUNTER_SHARED_CONFLICTS,
    COUNTER_BRANCHES,
    COUNTER_DIVERGENT_BRANCHES,
    COUNTER_OCCUPANCY_PERCENT,
    COUNTERS
};
struct counters {
    double value[COUNTERS];
    bool known[COUNTERS]; /* whether this version of ncu and this GPU have the counter */
    char gpu[64], compute_capability[16];
    unsigned kernels; /* number of profiled kernels */
};
/* Returns the counters to request, in the format of ncu's option --metrics. */
const char *ncu_metrics(void);
/* Parses the output of `ncu --csv --page raw`. Returns false with a message if it contains no complete profile. */
bool ncu_parse(const char *text, struct counters *c, char *message, size_t size);

/* ---- sanitizer.c ---------------------------------------------------------------------------- */
enum { MAX_REPORTS = 32 };
struct sanitizer_report {
    char title[120]; /* the tool's title, without places */
    char file[80];   /* file name without folders; "" if the tool reports none */
    unsigned line;
    unsigned other; /* line of the second access of a race, or 0 */
    uint64_t count; /* number of occurrences: threads, or hazards of a race */
};
struct sanitizer_reports {
    struct sanitizer_report item[MAX_REPORTS];
    unsigned count;
    uint64_t dropped; /* total number of occurrences in reports beyond the list's capacity */
    bool ended;       /* whether the tool printed its summary, so that the output is complete */
};
/* Parses the output of any tool of compute-sanitizer. Ignores reports about the host's driver API calls, except a
 * rejected launch. */
void sanitizer_parse(const char *text, struct sanitizer_reports *r);

/* ---- tools.c -------------------------------------------------------------------------------- */
enum hardware_tool {
    TOOL_RESULT /* run on the GPU without a tool */,
    TOOL_NCU,
    TOOL_MEMCHECK,
    TOOL_RACECHECK,
    TOOL_SYNCCHECK,
    TOOL_INITCHECK,
    TOOLS
};
extern const char *const tool_names[TOOLS];
/* Parses the member "tool" of a tool's record. Returns TOOLS for an unknown name. */
enum hardware_tool tool_of(const json_t *result);
enum tool_status {
    TOOL_RAN,
    TOOL_HUNG,         /* the tool was stopped after TOOL_SECONDS, or the kernel does not end */
    TOOL_MISSING,      /* the tool is not installed */
    TOOL_FORBIDDEN,    /* the user may not read performance counters */
    TOOL_NOT_LAUNCHED, /* the launch failed: no GPU, no driver, ... */
    TOOL_FAILED,
    TOOL_STATUSES
};
extern const char *const tool_status_words[TOOL_STATUSES];
/* Parses the member "status". Returns TOOL_FAILED for an unknown word. */
enum tool_status tool_status_of(const json_t *result);
enum { TOOL_SECONDS = 20 };
struct tool_result {
    enum tool_status status;
    char message[500]; /* the error and what to do about it, or "" */
    char version[40];
    struct counters counters; /* TOOL_NCU only */
    /* reports of the tools that check the kernel; for TOOL_RESULT, the GPU's error, or one report per buffer that
     * differs */
    struct sanitizer_reports reports;
};
/* Runs a tool other than TOOL_RESULT on `victim`, a NULL-terminated argument vector. The command must launch a
 * kernel, or print a line that begins with "grade run: " if it cannot. Logs are written to `folder`. */
void tool_run(enum hardware_tool tool, const char *const *victim, const char *folder, struct tool_result *r);

/* ---- record.c, page.c ----------------------------------------------------------------------- */
/* A launch, and the tools to run on it. */
struct hardware_job {
    const struct run_options *options; /* the launch: kernel, grid, arguments, seed and budget */
    const char *shown;                 /* name of the file in the record */
    const char *what;                  /* description of the launch; "" if the options suffice */
    const char *ptx;                   /* PTX of the kernel */
    size_t length;
    unsigned tools; /* set of tools, bits 1 << hardware_tool */
};
/* Runs a job and returns its record. On failure, prints a message to standard error, sets *status and returns NULL. */
json_t *hardware_record(const struct hardware_job *job, const char *folder, int *status);
/* Returns 3 if a tool did not run, else 1 if a tool or the simulator has a finding or the kernel did not end, else 0.
 */
int hardware_status(const json_t *record);
/* Prints the record on `out`. Returns false if it cannot be written. */
bool hardware_page(const json_t *record, FILE *out, bool color);

/* ---- command.c ------------------------------------------------------------------------------ */
/* Parses a list of tools such as "result,ncu"; NULL selects all. Returns 0 if a name is unknown. */
unsigned hardware_tools(const char *names);
/* Runs the job's tools, prints the results, and writes options->json. Returns the exit status. */
int hardware_report(const struct hardware_job *job, const char *folder);
/* Implements `./grade run ... --hardware`; argv[0] is "run". */
int hardware_run(int argc, char **argv, const struct run_place *place);

/* ---- lab.c ---------------------------------------------------------------------------------- */
struct judge_options;
/* Implements `./grade LAB --hardware`: runs the first launch of the case options->only_case. If that is NULL, runs the
 * first launch of a case with the given size, block and grid. Returns the exit status. */
int hardware_lab(const struct judge_options *options, const char *tools, const char *json, bool color);

#endif
