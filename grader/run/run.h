/* `./grade run`: runs any kernel of any file with arguments from the command line.
 *
 *   options.c   the command line            build.c      the PTX of FILE
 *   flags.c     compiler options            variables.c  variables of the module, --set
 *   fields.c    struct arguments            extent.c     --blocks, and the budget
 *   kernel.c    finding the kernel          values.c     parsing and checking of arguments
 *   buffers.c   contents of buffers         json.c       values as JSON
 *   execute.c   the launch and its record   page.c       the record on a terminal
 *   trace.c     --trace                     step.c       --step
 *   look.c      registers and memory        place.c      source line and text of an instruction
 *   sources.c   lines of source files       demangle.c   names of template instances
 *   orders.c    order of blocks and warps   suits.c      arguments and the types in the source
 *
 * The record (schema reduction-labs/run/3, docs/run.md) holds all results. page.c reads nothing else. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "device/device.h"
#include "compile/compile.h"
#include "probes/probes.h"
#include "record/status.h"
#include "run/argument.h"
#include <argp.h>
#include <jansson.h>

enum { RUN_CLEAN = 0, RUN_FINDINGS = 1, RUN_USAGE = 2, RUN_SETUP = 3, RUN_BUILD = 4 }; /* exit status */
enum { RUN_MAX_ARGUMENTS = 64, RUN_MAX_VARIABLES = 64, RUN_MAX_BUFFERS = 256, RUN_MAX_FLAGS = 32 };
enum { RUN_MAX_BLOCKS = 4096 /* for --blocks */, RUN_TYPE = 64 /* maximum length of a parameter's type */ };

struct run_place {
    const char *root;     /* folder of the kit */
    const char *compiler; /* "auto", or one of COMPILER_NAMES */
};
/* Runs the command; argv[0] is "run". Returns the exit status. */
int run_command(int argc, char **argv, const struct run_place *place);

/* ---- the command line ----------------------------------------------------------------------- */
struct run_options {
    const char *file, *kernel, *device, *compiler, *json, *tools;
    bool special;                                   /* whether to use architecture-specific instructions, as in 90a */
    unsigned arch;                                  /* compute capability; 0 for the default */
    unsigned cores;                                 /* CPU cores to use; 0 for all */
    uint32_t grid[3], block[3], cluster[3], shared; /* cluster: 0 keeps the compiled size */
    const char *argument[RUN_MAX_ARGUMENTS], *set[RUN_MAX_VARIABLES]; /* NAME=VALUE */
    unsigned arguments, sets;
    const char *include[RUN_MAX_FLAGS], *define[RUN_MAX_FLAGS];
    unsigned includes, defines;
    const struct run_flag *flag[RUN_MAX_FLAGS]; /* compiler options, without duplicates */
    unsigned flags;
    uint64_t seed, budget, trace_lines;
    struct sim_schedule schedule;
    uint32_t print; /* values printed at each end of an array */
    bool seeded, no_color, trace, step, bare, hardware, cooperative;
    bool one_warp; /* whether --trace shows only one warp */
    uint32_t trace_block, trace_warp;
    const char *blocks; /* text of --blocks; if NULL, all blocks run */
    uint32_t block_list[RUN_MAX_BLOCKS], block_count;
};
/* Parses the command line. Exits on --help and on usage errors. */
void run_options_parse(int argc, char **argv, struct run_options *o);
extern const struct argp_option run_option_rows[]; /* all options, terminated by a row without a name */
/* Parses --blocks once the grid's size is known. The resulting numbers increase strictly. On failure, returns false
 * with a message. */
bool run_blocks_parse(struct run_options *o, char *message, size_t size);
/* A compiler option that `./grade run` accepts. */
struct run_flag {
    const char *text, *also; /* name; another spelling, or NULL */
    unsigned group;          /* of several flags in the same nonzero group, only the last one is used */
    const char *nvcc, *clang, *nvrtc;
};
/* Returns the option as the compiler spells it, with words separated by spaces. Returns NULL if the compiler lacks
 * it. */
const char *run_flag_of(const struct run_flag *f, const struct compiler *c);
extern const struct run_flag run_flags[];
extern const unsigned run_flag_count;
/* Prints the accepted compiler options, with a space before each one. */
void run_flags_list(FILE *out);
/* Moves compiler options from argv to `o`. Prints a message and exits if a word looks like a compiler option but is
 * not supported. */
void run_flags_take(int *argc, char **argv, struct run_options *o);
/* Writes the given compiler options as text, such as "-G -std=c++14". Returns `out`. */
char *run_flags_text(const struct run_options *o, char *out, size_t size);
/* Parses a number in C notation. Returns false if it is invalid or greater than `most`. */
bool run_number(const char *text, uint64_t most, uint64_t *value);
/* Parses a compute capability, such as "80" or "90a". */
bool run_arch(struct run_options *o, const char *text);

/* ---- the program ---------------------------------------------------------------------------- */
struct run_build {
    enum compile_status status;
    char *ptx, *log;           /* both are owned by the caller, who must free() them */
    const struct compiler *by; /* the compiler that ran; NULL if none */
    bool stopped;              /* whether the compiler exceeded a limit */
    size_t length;
};
/* Compiles a file with c and, if c fails without exceeding a limit, with c->otherwise. If c is NULL, reads a .ptx
 * file. If KERNEL is a template instance that the file does not use, nvcc generates it. */
struct run_build run_build(const struct run_options *o, const struct run_place *place, const struct compiler *c);
bool run_is_ptx(const char *file);

/* Finds a kernel by its name in the source, with or without template arguments and namespaces, or by its name in PTX.
 * If no kernel or more than one kernel matches, returns NULL and sets *message to a list of the kernels and of the
 * reasons why some cannot run. free() the message. */
const struct ptx_function *run_find_kernel(const struct ptx_module *m, const char *name, char **message);
/* Returns the reasons why the simulator cannot run the kernel (ptx_function.reasons). free() the text. */
char *run_why_not(const struct ptx_module *m, const struct ptx_function *kernel);
/* Demangles a PTX name to "space::name<4, int>". Copies a name that it cannot demangle. Returns `out`. */
char *run_demangle(const char *symbol, char *out, size_t size);
/* Writes the types of the kernel's parameters, such as "float const*", as its symbol gives them; "" for unknown ones.
 */
void run_parameter_types(const char *symbol, unsigned count, char types[][RUN_TYPE]);
/* Writes the names of the parameters in the source, or "arg1", "arg2", ... if the source does not give them. */
void run_parameter_names(const struct ptx_function *f, const char *kernel, const char *source, char names[][RUN_NAME]);

/* ---- results as JSON (json.c) ----------------------------------------------------------------- */
json_t *run_buffer_value(const struct run_argument *a, uint64_t k); /* null: no value */
/* Returns the ranges of written elements, [{"at": 7, "values": [...]}, ...]. Skips `skip` elements and includes at
 * most `most`. */
json_t *run_buffer_spans(const struct run_argument *a, uint64_t skip, uint64_t most);
/* Converts a value to a JSON number, or to a string if it is nan, inf, or an integer of 2^63 or more. */
json_t *run_value_json(const struct run_type *t, const void *value);

/* Returns whether a name from the command line matches `whole`, with or without namespaces. Ignores whitespace and the
 * suffixes of integers. */
bool run_is_called(const char *whole, const char *name);

/* ---- the run -------------------------------------------------------------------------------- */
struct run {
    const struct run_options *options;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    struct run_argument argument[RUN_MAX_ARGUMENTS];
    struct run_argument variable[RUN_MAX_VARIABLES]; /* the module's variables, which the record can list */
    unsigned variables;
    /* Indexed by place: arguments, then fields of arguments, then variables. */
    struct run_argument *buffer[RUN_MAX_BUFFERS];
    unsigned buffers;
    uint64_t address[RUN_MAX_BUFFERS]; /* device addresses, indexed by place; 0 if not allocated yet */
    const char *compiler;              /* compiler's name, or "" */
    struct sim_listener listener;      /* --trace or --step; probe is NULL if neither is given */
};
/* Finds the module's variables and applies --set. On failure, returns false and sets *message. */
bool run_variables(struct run *r, uint64_t *random, char *message, size_t size);
/* Returns whether the launch may stay within the budget. If even the shortest path through the kernel exceeds the
 * budget, returns false and sets *message to the excess and the options that help. */
bool run_fits(const struct run *r, char *message, size_t size);
/* orders.c: whether a block waits for another one, and what threads do with work that they take from a queue, may
 * depend on the order of execution. A launch that may poll memory in a loop therefore first runs in these orders, too,
 * for at most this many warp-instructions each. */
enum run_order { RUN_FALLING /* finds waits for blocks */, RUN_TURNS /* finds other errors */, RUN_ORDERS };
enum { RUN_ORDER_BUDGET = 1 << 21 };
extern const char *const run_orders[RUN_ORDERS];                   /* schedules (sim/sim.h) */
bool run_order_matters(const struct run *r, enum run_order order); /* whether this order may find something */
/* Adds the findings of a run in this order to those of the launch: waits for blocks, if it has none, or all errors, if
 * it has none. */
void run_add_findings(struct finding_list *to, const struct finding_list *from, enum run_order order);
/* Returns whether the launch has the block, warp, lane and line of --schedule. If not, sets *message. */
bool run_schedule_exists(const struct run *r, char *message, size_t size);
/* Launches the kernel, sets *status to the exit status, and returns the record. On failure, prints a message to
 * standard error and returns NULL. */
json_t *run_execute(struct run *r, const struct device *device, const char *ptx, size_t length, int *status);
/* Prints the record as a page. Returns false on a write error. */
bool run_page(const json_t *record, FILE *out, bool color);

/* Lines of the module's source files, read on demand. */
struct run_sources;
struct run_sources *run_sources_new(const struct ptx_module *m);
void run_sources_free(struct run_sources *s);
/* Returns the element type in the variable's declaration in the source, such as "__device__ float s[64]", or NULL if
 * it is unknown. */
const struct run_type *run_declared_type(const struct ptx_module *m, struct run_sources *s, const char *name);
/* Returns a line of the file with that name (without folders), or NULL if there is none. */
const char *run_source_line(struct run_sources *s, const char *file, uint32_t line);

#endif
