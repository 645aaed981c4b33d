/* `./grade run`: any kernel of any file, with arguments from the command line.
 *
 *   options.c  the command line             build.c   FILE to PTX
 *   flags.c    options of the compiler           variables.c --set: variables of the module
 *   fields.c   structs as arguments         extent.c  --blocks, and what is too much
 *   kernel.c   the kernel, by its name      values.c  arguments: types, values, checks
 *   buffers.c  what buffers hold, and held
 *   execute.c  the launch and its record    page.c    the record on a terminal
 *   trace.c    --trace                      step.c    --step
 *   demangle.c names of template instances
 *
 * The record (schema reduction-labs/run/2, docs/run.md) holds all that was seen; page.c is a pure function of it. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "device/device.h"
#include "judge/compile.h"
#include "probes/probes.h"
#include "record/status.h"
#include <argp.h>
#include <jansson.h>

enum { RUN_CLEAN = 0, RUN_FINDINGS = 1, RUN_USAGE = 2, RUN_SETUP = 3, RUN_BUILD = 4 }; /* exit status */
enum { RUN_MOST_ARGUMENTS = 64, RUN_MOST_VARIABLES = 64, RUN_MOST_BUFFERS = 256, RUN_MOST_FLAGS = 32 };
enum { RUN_MOST_BLOCKS = 4096 /* of --blocks */ };

/* Where the command stands, and what it takes when the command line does not say. */
struct run_place {
    const char *root;     /* the kit's folder */
    const char *compiler; /* auto, or one of COMPILER_NAMES */
};
/* argv[0] is "run". Prints; returns the exit status. */
int run_command(int argc, char **argv, const struct run_place *place);

/* ---- the command line ----------------------------------------------------------------------- */
struct run_options {
    const char *file, *kernel, *device, *compiler, *json, *tools;
    unsigned arch;                                                      /* compute capability; 0: the compiler's own */
    unsigned cores;                                                     /* of this machine; 0: all */
    uint32_t grid[3], block[3], cluster[3], shared;                     /* cluster: 0: as the kernel was compiled */
    const char *argument[RUN_MOST_ARGUMENTS], *set[RUN_MOST_VARIABLES]; /* NAME=VALUE */
    unsigned arguments, sets;
    const char *include[RUN_MOST_FLAGS], *define[RUN_MOST_FLAGS];
    unsigned includes, defines;
    const struct run_flag *flag[RUN_MOST_FLAGS]; /* options of the compiler, each once */
    unsigned flags;
    uint64_t seed, budget, trace_lines;
    struct sim_schedule schedule;
    uint32_t print; /* values at each end of an array */
    bool seeded, no_color, trace, step, bare, hardware, cooperative;
    bool one_warp; /* of --trace: only this one */
    uint32_t trace_block, trace_warp;
    const char *blocks; /* --blocks; NULL: all blocks run */
    uint32_t block_list[RUN_MOST_BLOCKS], block_count;
};
/* Prints and exits by itself on --help and a wrong use. */
void run_options_parse(int argc, char **argv, struct run_options *o);
extern const struct argp_option run_option_rows[]; /* all of them; the last has no name */
/* What --blocks says, once the grid is known: rising, each once. False: *message says why not. */
bool run_blocks_parse(struct run_options *o, char *message, size_t size);
uint64_t run_blocks(const struct run_options *o); /* of the grid */
/* An option of the compiler that may be given to `./grade run`. */
struct run_flag {
    const char *text, *also; /* as it is given; another spelling, or NULL */
    unsigned group;          /* of flags in one group but 0, the last counts */
    const char *nvcc, *clang, *nvrtc;
};
/* What it becomes, words parted by blanks; NULL: that compiler has none. */
const char *run_flag_of(const struct run_flag *f, const struct compiler *c);
extern const struct run_flag run_flags[];
extern const unsigned run_flag_count;
/* Takes options of the compiler out of the command line: *argc and argv are what is left. Prints, and exits by itself
 * on one that looks like such an option and is none. */
void run_flags_take(int *argc, char **argv, struct run_options *o);
/* "-G -std=c++14": those that were given. Returns `out`. */
char *run_flags_text(const struct run_options *o, char *out, size_t size);
/* A number as C writes it, at most `most`; false if it is none. */
bool run_number(const char *text, uint64_t most, uint64_t *value);

/* ---- the program ---------------------------------------------------------------------------- */
struct run_build {
    enum compile_status status;
    char *ptx, *log;           /* free() them */
    const struct compiler *by; /* the one that compiled it; NULL: none */
    bool stopped;              /* it ran into a limit */
    size_t length;
};
/* A .cu file goes through the compiler (NULL where the file is PTX already), a .ptx file is read. */
struct run_build run_build(const struct run_options *o, const struct run_place *place, const struct compiler *c);
bool run_is_ptx(const char *file);

/* The kernel of that name in the source (its template arguments and namespaces may be given) or in PTX. NULL: *message
 * names those that there are, and says which of them cannot run and why (free() it). */
const struct ptx_function *run_find_kernel(const struct ptx_module *m, const char *name, char **message);
/* "space::name<4, int>" of its name in PTX; that itself where it is not understood. Returns `out`. */
char *run_demangle(const char *symbol, char *out, size_t size);
/* Names of its parameters as the source has them, else "arg1", "arg2" ... */
enum { RUN_NAME = 48 };
void run_parameter_names(const struct ptx_function *f, const char *kernel, const char *source, char names[][RUN_NAME]);

/* ---- arguments ------------------------------------------------------------------------------ */
enum run_kind { RUN_SIGNED, RUN_UNSIGNED, RUN_FLOAT };
struct run_type {
    const char *name, *alias;
    enum run_kind kind;
    unsigned bytes;
    bool brain; /* of 2 bytes: bfloat16, the upper half of a float */
};
extern const struct run_type run_types[];
extern const unsigned run_type_count;

/* What a buffer holds before the launch: docs/run.md. */
enum run_fill { RUN_FILL_OUT, RUN_FILL_SAME, RUN_FILL_SMALL, RUN_FILL_IOTA, RUN_FILL_RANDOM, RUN_FILL_FILE };
struct run_argument {
    const char *text;
    char name[RUN_NAME];
    const struct run_type *type;
    bool buffer;
    uint64_t count;             /* elements of a buffer */
    uint8_t *data;              /* a scalar's bytes; what a buffer holds, of a large one where it was written */
    enum run_fill fill;         /* of a buffer: what it held before, */
    uint8_t value[8];           /* in each element, */
    uint64_t random;            /* or from which random numbers on */
    uint8_t *written, *touched; /* by element, and by chunk of elements: the kernel has written there */
    bool reserved;              /* these three are a buffer's */
    bool initialized;           /* a buffer that is not `out` */
    bool read_only;             /* writing to it is a finding */
    const struct ptx_variable *variable; /* it is this one of the module; NULL: an argument */
    bool unset;                          /* of a variable: neither --set nor the module gives it a value, */
    bool read_unset;                     /* and the kernel has read it before it wrote it */
    unsigned place; /* of a buffer: run.address[place] is its address. The kernel gets one `shift` bytes behind it */
    uint64_t shift;
    struct run_argument *field; /* of a struct: pointers and numbers, in their order */
    unsigned fields;
    uint64_t offset; /* of a field: in the parameter; */
    char *own_text;  /* its text */
};
/* Reads the text for a parameter; false: *message says what is wrong and what would be right. `random` is the state of
 * the generator of random data. */
bool run_argument_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter,
                        uint64_t *random, char *message, size_t size);
/* The same of a variable of the module, whose element type is `type` if the text does not tell. */
bool run_variable_parse(struct run_argument *a, const char *text, const struct ptx_variable *v,
                        const struct run_type *type, uint64_t *random, char *message, size_t size);
void run_argument_free(struct run_argument *a);

/* ---- buffers -------------------------------------------------------------------------------- */
bool run_fill_find(const char *name, enum run_fill *fill);
/* Room for a->count elements of a->type, with what a->fill says. Takes memory for what is accessed. */
bool run_buffer_new(struct run_argument *a);
void run_buffer_free(struct run_argument *a);
/* NULL, or why not. */
const char *run_buffer_read_file(struct run_argument *a, const char *path);
bool run_buffer_is_large(const struct run_argument *a); /* so large that a formula makes it */
struct sim_maker run_buffer_maker(struct run_argument *a);
/* The kernel writes, or has written, elements first..last. Threads may tell at once. */
void run_buffer_write(struct run_argument *a, uint64_t first, uint64_t last);
bool run_buffer_is_written(const struct run_argument *a, uint64_t first, uint64_t last);
void run_buffer_forget(struct run_argument *a); /* that it was told of any */
/* What is there after the launch; not told: which elements were written is what changed. */
void run_buffer_take(struct run_argument *a, uint64_t address, bool told, const struct device_memory *memory);
uint64_t run_buffer_written(const struct run_argument *a);          /* elements */
json_t *run_buffer_value(const struct run_argument *a, uint64_t k); /* null: never written */
/* A hash of all bytes; what nobody has written counts as poison, whatever is there. */
uint64_t run_buffer_digest(const struct run_argument *a);
/* Written elements, `most` of them behind the first `skip`, by neighbors: [{"at": 7, "values": [...]}, ...]. */
json_t *run_buffer_spans(const struct run_argument *a, uint64_t skip, uint64_t most);
/* {FIELD, FIELD, ...}: the fields of a parameter that is a struct, laid out as C does. */
bool run_fields_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter, uint64_t *random,
                      char *message, size_t size);
/* A number rounded to a type of kind RUN_FLOAT. */
void run_store_float(const struct run_type *t, double v, void *out);
/* A value as JSON: a number; a string for what is no JSON number (nan, inf, over 2^63). */
json_t *run_value_json(const struct run_type *t, const void *value);
/* The same as text, as short as it reads back. */
char *run_value_text(const struct run_type *t, const void *value, char *out, size_t size);

/* A name from the command line: `whole` itself, or what is behind its namespaces; blanks do not count. */
bool run_is_called(const char *whole, const char *name);

/* ---- the run -------------------------------------------------------------------------------- */
struct run {
    const struct run_options *options;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    struct run_argument argument[RUN_MOST_ARGUMENTS];
    struct run_argument variable[RUN_MOST_VARIABLES]; /* of the module: those that can be told of */
    unsigned variables;
    struct run_argument *buffer[RUN_MOST_BUFFERS]; /* by place: arguments, fields of arguments, variables */
    unsigned buffers;
    uint64_t address[RUN_MOST_BUFFERS]; /* by place; 0: it is not there yet */
    const char *compiler;               /* its name, or "" */
    struct sim_listener listener;       /* to the launch: --trace or --step; probe NULL: none */
};
/* The module's variables, those of --set with their contents; false: *message says what is wrong. */
bool run_variables(struct run *r, uint64_t *random, char *message, size_t size);
/* Is there a way through the launch within the budget? False: *message says how much is too much, and what to do. */
bool run_fits(const struct run *r, char *message, size_t size);
/* Launches and returns the record; NULL: *status and a message on standard error. */
json_t *run_execute(struct run *r, const struct device *device, const char *ptx, size_t length, int *status);
/* The record as a page. */
bool run_page(const json_t *record, FILE *out, bool color);

/* Lines of the source files of a module, read when they are asked for. */
struct run_sources;
struct run_sources *run_sources_new(const struct ptx_module *m);
void run_sources_free(struct run_sources *s);
/* The element type that the declaration of a variable names in the source: "__device__ float s[64]"; NULL: unknown. */
const struct run_type *run_declared_type(const struct ptx_module *m, struct run_sources *s, const char *name);
/* Line of a file by its last name; NULL if it is not there. */
const char *run_source_line(struct run_sources *s, const char *file, uint32_t line);

#endif
