/* NVIDIA's own tools beside the simulator: `./grade run FILE KERNEL ... --hardware`, `./grade lab3 --hardware`.
 *
 *   command.c  what is launched: a kernel from the command line, or a case of a lab (lab.c)
 *   tools.c    the tools: where they are, how they are called, why one did not run
 *   ncu.c      what ncu prints, to counters        sanitizer.c  what compute-sanitizer prints, to findings
 *   record.c   everything as a record              page.c       the record on a terminal, and why figures differ
 *
 * One launch is run by `./grade run`, with the same arguments each time: on the simulator, then on the GPU under each
 * tool. The record (schema reduction-labs/hardware/2, docs/hardware.md) holds all that was seen; page.c is a pure
 * function of it. */
#ifndef HARDWARE_HARDWARE_H
#define HARDWARE_HARDWARE_H

#include "run/run.h"

/* ---- ncu.c ---------------------------------------------------------------------------------- */
/* Of the first kernel profiled; units are in the names. */
enum counter {
    COUNTER_INSTRUCTIONS, /* of warps */
    COUNTER_LANES,        /* of lanes, less those whose predicate was false */
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
    bool known[COUNTERS]; /* else this ncu or this GPU has no such counter */
    char gpu[64], compute_capability[16];
    unsigned kernels; /* profiled */
};
/* The counters that ncu is asked for, as its option wants them. */
const char *ncu_metrics(void);
/* Reads what `ncu --csv --page raw` wrote. False and why if there is no profile of a kernel in it. */
bool ncu_parse(const char *text, struct counters *c, char *message, size_t size);

/* ---- sanitizer.c ---------------------------------------------------------------------------- */
enum { MOST_REPORTS = 32 };
struct sanitizer_report {
    char title[120]; /* as the tool says it */
    char file[80];   /* last part of its path, "" where the tool does not know */
    unsigned line;
    unsigned other; /* line of the other access of a race, or 0 */
    uint64_t count; /* occurrences: threads, or hazards of a race */
};
struct sanitizer_reports {
    struct sanitizer_report item[MOST_REPORTS];
    unsigned count;
    uint64_t dropped; /* occurrences of others */
    bool ended;       /* the tool came to its summary */
};
/* Reads what compute-sanitizer wrote, whichever tool of it. Reports on the host's use of the driver are left out. */
void sanitizer_parse(const char *text, struct sanitizer_reports *r);

/* ---- tools.c -------------------------------------------------------------------------------- */
enum hardware_tool {
    TOOL_RESULT /* the GPU alone */,
    TOOL_NCU,
    TOOL_MEMCHECK,
    TOOL_RACECHECK,
    TOOL_SYNCCHECK,
    TOOL_INITCHECK,
    TOOLS
};
extern const char *const tool_names[TOOLS];
enum hardware_tool tool_of(const json_t *result); /* by "tool" of a record's tool; TOOLS if it is none */
enum tool_status {
    TOOL_RAN,
    TOOL_HUNG,         /* the kernel did not end */
    TOOL_MISSING,      /* not installed */
    TOOL_FORBIDDEN,    /* no permission to read counters */
    TOOL_NOT_LAUNCHED, /* by `./grade run`: no GPU, no driver, ... */
    TOOL_FAILED,
    TOOL_STATUSES
};
extern const char *const tool_status_words[TOOL_STATUSES];
enum tool_status tool_status_of(const json_t *result); /* by its "status"; TOOL_FAILED for another word */
enum { TOOL_SECONDS = 20 };
struct tool_result {
    enum tool_status status;
    char message[500]; /* what is wrong and what to do about it, or "" */
    char version[40];
    struct counters counters;         /* of TOOL_NCU */
    struct sanitizer_reports reports; /* of the others; of TOOL_RESULT a title for each buffer that differs */
};
/* Runs one tool, not TOOL_RESULT, on `victim`, the words of a command up to NULL, which launches a kernel and, where it
 * cannot, says so in a line that begins with "grade run: ". `folder` takes the log. */
void tool_run(enum hardware_tool tool, const char *const *victim, const char *folder, struct tool_result *r);

/* ---- record.c, page.c ----------------------------------------------------------------------- */
/* One launch, and with what to look at it. */
struct hardware_job {
    const struct run_options *options; /* the launch: kernel, shape, arguments, seed, budget */
    const char *shown;                 /* the file's name in the record */
    const char *what;                  /* which launch it is, "" where the options say all */
    const char *ptx;                   /* what is launched */
    size_t length;
    unsigned tools; /* bits (1 << hardware_tool) */
};
/* NULL: *status is the exit status, and a message is on standard error. */
json_t *hardware_record(const struct hardware_job *job, const char *folder, int *status);
/* 0: all tools ran and nothing was found; 1: findings; 3: a tool did not run. */
int hardware_status(const json_t *record);
bool hardware_page(const json_t *record, FILE *out, bool color);

/* ---- command.c ------------------------------------------------------------------------------ */
/* "result,ncu", or NULL for all; 0: an unknown name. */
unsigned hardware_tools(const char *names);
/* Looks, prints, writes options->json; returns the exit status. */
int hardware_report(const struct hardware_job *job, const char *folder);
/* `./grade run ... --hardware`: argv[0] is "run". */
int hardware_run(int argc, char **argv, const struct run_place *place);

/* ---- lab.c ---------------------------------------------------------------------------------- */
struct judge_options;
/* `./grade LAB --hardware`: the first launch of options->only_case, or of a case that fits size, block and grid. */
int hardware_lab(const struct judge_options *options, const char *tools, const char *json, bool color);

/* A folder for what is handed to the tools; file_remove_folder() it. */
bool hardware_folder(char path[64]);

#endif
