/* `./grade run`: any kernel of any file, with arguments from the command line.
 *
 *   options.c  the command line             build.c   FILE to PTX
 *   flags.c    options of the compiler           variables.c --set: variables of the module
 *   fields.c   structs as arguments         extent.c  --blocks, and the budget
 *   kernel.c   the kernel, by its name      values.c  arguments: types, values, checks
 *   buffers.c  contents before and after         json.c    the same as JSON
 *   execute.c  the launch and its record    page.c    the record on a terminal
 *   trace.c    --trace                      step.c    --step
 *   demangle.c names of template instances
 *
 * The record (schema reduction-labs/run/2, docs/run.md) holds all results; page.c is a pure function of it. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "device/device.h"
#include "judge/compile.h"
#include "probes/probes.h"
#include "record/status.h"
#include "run/argument.h"
#include <argp.h>
#include <jansson.h>

enum { RUN_CLEAN = 0, RUN_FINDINGS = 1, RUN_USAGE = 2, RUN_SETUP = 3, RUN_BUILD = 4 }; /* exit status */
enum { RUN_MOST_ARGUMENTS = 64, RUN_MOST_VARIABLES = 64, RUN_MOST_BUFFERS = 256, RUN_MOST_FLAGS = 32 };
enum { RUN_MOST_BLOCKS = 4096 /* of --blocks */ };

/* The command's folder, and defaults for the command line. */
struct run_place {
    const char *root;     /* the kit's folder */
    const char *compiler; /* auto, or one of COMPILER_NAMES */
};
/* argv[0] is "run". Returns the exit status. */
int run_command(int argc, char **argv, const struct run_place *place);

/* ---- the command line ----------------------------------------------------------------------- */
struct run_options {
    const char *file, *kernel, *device, *compiler, *json, *tools;
    bool special;                                                       /* ... with its own instructions: 90a */
    unsigned arch;                                                      /* compute capability; 0: the default */
    unsigned cores;                                                     /* CPU cores to use; 0: all */
    uint32_t grid[3], block[3], cluster[3], shared;                     /* cluster is 0 if the compiled one holds */
    const char *argument[RUN_MOST_ARGUMENTS], *set[RUN_MOST_VARIABLES]; /* NAME=VALUE */
    unsigned arguments, sets;
    const char *include[RUN_MOST_FLAGS], *define[RUN_MOST_FLAGS];
    unsigned includes, defines;
    const struct run_flag *flag[RUN_MOST_FLAGS]; /* compiler options, each once */
    unsigned flags;
    uint64_t seed, budget, trace_lines;
    struct sim_schedule schedule;
    uint32_t print; /* values printed at each end of an array */
    bool seeded, no_color, trace, step, bare, hardware, cooperative;
    bool one_warp; /* for --trace: only this warp */
    uint32_t trace_block, trace_warp;
    const char *blocks; /* --blocks; NULL: all blocks run */
    uint32_t block_list[RUN_MOST_BLOCKS], block_count;
};
/* Exits on --help and on usage errors. */
void run_options_parse(int argc, char **argv, struct run_options *o);
extern const struct argp_option run_option_rows[]; /* all options; a row without a name terminates them */
/* Parses --blocks once the grid is known, into increasing numbers without duplicates. On failure returns false with
 * a message. */
bool run_blocks_parse(struct run_options *o, char *message, size_t size);
uint64_t run_blocks(const struct run_options *o); /* the number of blocks in the grid */
/* A compiler option that `./grade run` accepts. */
struct run_flag {
    const char *text, *also; /* its name; another spelling, or NULL */
    unsigned group;          /* the last flag of a nonzero group counts */
    const char *nvcc, *clang, *nvrtc;
};
/* The compiler's spelling of the option, with words separated by blanks; NULL: this compiler has no such option. */
const char *run_flag_of(const struct run_flag *f, const struct compiler *c);
extern const struct run_flag run_flags[];
extern const unsigned run_flag_count;
/* Removes compiler options from *argc and argv. On an unsupported word that looks like a compiler option, prints a
 * message and exits. */
void run_flags_take(int *argc, char **argv, struct run_options *o);
/* The given options as text: "-G -std=c++14". Returns `out`. */
char *run_flags_text(const struct run_options *o, char *out, size_t size);
/* Parses a number in C notation, at most `most`; false if invalid. */
bool run_number(const char *text, uint64_t most, uint64_t *value);
/* A compute capability: "80"; "90a". */
bool run_arch(struct run_options *o, const char *text);

/* ---- the program ---------------------------------------------------------------------------- */
struct run_build {
    enum compile_status status;
    char *ptx, *log;           /* free() them */
    const struct compiler *by; /* the compiler used; NULL: none */
    bool stopped;              /* the compiler exceeded a limit */
    size_t length;
};
/* Compiles a .cu file (the compiler is NULL if the file is PTX), or reads a .ptx file. */
struct run_build run_build(const struct run_options *o, const struct run_place *place, const struct compiler *c);
bool run_is_ptx(const char *file);

/* Finds the kernel of that name in the source (optionally with template arguments and namespaces) or in PTX. If
 * there is none, returns NULL, and *message lists the kernels and says which ones cannot run, and why (free() it). */
const struct ptx_function *run_find_kernel(const struct ptx_module *m, const char *name, char **message);
/* Demangles a name in PTX to "space::name<4, int>"; copies a name that cannot be demangled. Returns `out`. */
char *run_demangle(const char *symbol, char *out, size_t size);
/* Writes the parameters' names in the source, else "arg1", "arg2" ... */
void run_parameter_names(const struct ptx_function *f, const char *kernel, const char *source, char names[][RUN_NAME]);

/* ---- results as JSON (json.c) ----------------------------------------------------------------- */
json_t *run_buffer_value(const struct run_argument *a, uint64_t k); /* null if the element was never written */
/* Ranges of written elements, with at most `most` elements after the first `skip`: [{"at": 7, "values": [...]},
 * ...]. */
json_t *run_buffer_spans(const struct run_argument *a, uint64_t skip, uint64_t most);
/* Converts a value to JSON: a number, or a string if JSON cannot represent it (nan, inf, over 2^63). */
json_t *run_value_json(const struct run_type *t, const void *value);

/* Whether a name from the command line matches `whole`, with or without its namespaces; blanks are ignored. */
bool run_is_called(const char *whole, const char *name);

/* ---- the run -------------------------------------------------------------------------------- */
struct run {
    const struct run_options *options;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    struct run_argument argument[RUN_MOST_ARGUMENTS];
    struct run_argument variable[RUN_MOST_VARIABLES]; /* variables of the module that can be reported */
    unsigned variables;
    struct run_argument *buffer[RUN_MOST_BUFFERS]; /* indexed by place: arguments, fields of arguments, variables */
    unsigned buffers;
    uint64_t address[RUN_MOST_BUFFERS]; /* addresses of the buffers, by place; 0: not allocated yet */
    const char *compiler;               /* its name, or "" */
    struct sim_listener listener;       /* the listener of --trace or --step; probe is NULL if there is none */
};
/* Finds the module's variables, with contents for those of --set. On failure returns false with *message. */
bool run_variables(struct run *r, uint64_t *random, char *message, size_t size);
/* Whether the launch may fit the budget. If even its shortest path exceeds the budget, *message says by how much,
 * and what to do. */
bool run_fits(const struct run *r, char *message, size_t size);
/* Launches and returns the record; on failure NULL, with *status and a message on standard error. */
json_t *run_execute(struct run *r, const struct device *device, const char *ptx, size_t length, int *status);
/* Prints the record as a page. */
bool run_page(const json_t *record, FILE *out, bool color);

/* The lines of a module's source files, which are read on demand. */
struct run_sources;
struct run_sources *run_sources_new(const struct ptx_module *m);
void run_sources_free(struct run_sources *s);
/* The element type that a variable's declaration names in the source: "__device__ float s[64]"; NULL if unknown. */
const struct run_type *run_declared_type(const struct ptx_module *m, struct run_sources *s, const char *name);
/* Returns a line of the file with that name, without folders; NULL if missing. */
const char *run_source_line(struct run_sources *s, const char *file, uint32_t line);

#endif
