/* Compares NVIDIA's tools with the simulator: `./grade run FILE KERNEL ... --hardware`, `./grade lab3 --hardware`.
 *
 *   command.c  what is launched: a kernel from the command line, or a case of a lab (lab.c)
 *   tools.c    finding and invoking the tools; why one did not run
 *   ncu.c      parses ncu's output            sanitizer.c  parses compute-sanitizer's output
 *   record.c   everything as a record              page.c       the record on a terminal, and why figures differ
 *
 * `./grade run` runs one launch, with the same arguments each time: on the simulator, then on the GPU under each tool.
 * The record (schema reduction-labs/hardware/2, docs/hardware.md) holds all results; page.c is a pure function of
 * it. */
#ifndef HARDWARE_HARDWARE_H
#define HARDWARE_HARDWARE_H

#include "run/run.h"

/* ---- ncu.c ---------------------------------------------------------------------------------- */
/* Metrics of the first kernel that was profiled. Units are in the names. */
enum counter {
    COUNTER_INSTRUCTIONS, /* of warps */
    COUNTER_LANES,        /* threads whose predicate was true */
    COUNTER_LOAD_REQUESTS,
    COUNTER_STORE_REQUESTS,
    COUNTER_ATOMIC_REQUESTS,
    COUNTER_LOAD_SECTORS,
    COUNTER_STORE_SECTORS,
    COUNTER_ATOMIC_SECTORS,
    COUNTER_SHARED_REQUESTS,
    COUNTER_SHARED_PASSES,
    COUNTER_SHARED_CONFLICTS,
    COUNTER_BRANCHES,
    COUNTER_DIVERGENT_BRANCHES,
    COUNTER_OCCUPANCY_PERCENT,
    COUNTERS
};
struct counters {
    double value[COUNTERS];
    bool known[COUNTERS]; /* false if this ncu or this GPU has no such counter */
    char gpu[64], compute_capability[16];
    unsigned kernels; /* profiled */
};
/* The counters to request from ncu, in the format of its option. */
const char *ncu_metrics(void);
/* Parses the output of `ncu --csv --page raw`. Returns false with a message if it contains no profile of a kernel. */
bool ncu_parse(const char *text, struct counters *c, char *message, size_t size);

/* ---- sanitizer.c ---------------------------------------------------------------------------- */
enum { MOST_REPORTS = 32 };
struct sanitizer_report {
    char title[120]; /* the tool's own words */
    char file[80];   /* file name without folders; "" if the tool does not report it */
    unsigned line;
    unsigned other; /* line of the other access in a race, or 0 */
    uint64_t count; /* how often it occurred: threads, or hazards in a race */
};
struct sanitizer_reports {
    struct sanitizer_report item[MOST_REPORTS];
    unsigned count;
    uint64_t dropped; /* how often findings that did not fit occurred */
    bool ended;       /* the tool printed its summary */
};
/* Parses the output of any of compute-sanitizer's tools. Reports about the host's driver API calls are left out. */
void sanitizer_parse(const char *text, struct sanitizer_reports *r);

/* ---- tools.c -------------------------------------------------------------------------------- */
enum hardware_tool {
    TOOL_RESULT /* the GPU without a tool */,
    TOOL_NCU,
    TOOL_MEMCHECK,
    TOOL_RACECHECK,
    TOOL_SYNCCHECK,
    TOOL_INITCHECK,
    TOOLS
};
extern const char *const tool_names[TOOLS];
enum hardware_tool tool_of(const json_t *result); /* parses the member "tool" of a tool's record; TOOLS if unknown */
enum tool_status {
    TOOL_RAN,
    TOOL_HUNG,         /* the kernel did not terminate */
    TOOL_MISSING,      /* not installed */
    TOOL_FORBIDDEN,    /* no permission to read counters */
    TOOL_NOT_LAUNCHED, /* `./grade run` failed: no GPU, no driver, ... */
    TOOL_FAILED,
    TOOL_STATUSES
};
extern const char *const tool_status_words[TOOL_STATUSES];
enum tool_status tool_status_of(const json_t *result); /* parses the member "status"; TOOL_FAILED for an unknown word */
enum { TOOL_SECONDS = 20 };
struct tool_result {
    enum tool_status status;
    char message[500]; /* what is wrong and what to do, or "" */
    char version[40];
    struct counters counters;         /* for TOOL_NCU */
    struct sanitizer_reports reports; /* for the other tools; TOOL_RESULT has a title for each buffer that differs */
};
/* Runs one tool, not TOOL_RESULT, on `victim`, a NULL-terminated argument vector. The command launches a kernel; if
 * it cannot, it prints a line that begins with "grade run: ". The log goes to `folder`. */
void tool_run(enum hardware_tool tool, const char *const *victim, const char *folder, struct tool_result *r);

/* ---- record.c, page.c ----------------------------------------------------------------------- */
/* A launch, and the tools to run on it. */
struct hardware_job {
    const struct run_options *options; /* the launch: kernel, shape, arguments, seed, budget */
    const char *shown;                 /* the file's name in the record */
    const char *what;                  /* says which launch it is; "" if the options tell that */
    const char *ptx;                   /* compiled kernel */
    size_t length;
    unsigned tools; /* bits (1 << hardware_tool) */
};
/* On failure returns NULL with the exit status in *status, and a message on standard error. */
json_t *hardware_record(const struct hardware_job *job, const char *folder, int *status);
/* Returns 0 if all tools ran and found nothing, 1 if there are findings, 3 if a tool did not run. */
int hardware_status(const json_t *record);
bool hardware_page(const json_t *record, FILE *out, bool color);

/* ---- command.c ------------------------------------------------------------------------------ */
/* Parses "result,ncu"; NULL means all. Returns 0 for an unknown name. */
unsigned hardware_tools(const char *names);
/* Runs the tools, prints the results, writes options->json, and returns the exit status. */
int hardware_report(const struct hardware_job *job, const char *folder);
/* Runs `./grade run ... --hardware`; argv[0] is "run". */
int hardware_run(int argc, char **argv, const struct run_place *place);

/* ---- lab.c ---------------------------------------------------------------------------------- */
struct judge_options;
/* `./grade LAB --hardware`: runs the first launch of options->only_case, or of a case that fits size, block and
 * grid. */
int hardware_lab(const struct judge_options *options, const char *tools, const char *json, bool color);

#endif
