/* Parses the command line of `./grade run`. */
#include "base/option.h"
#include "model/gpus/gpu.h"
#include "run/run.h"
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_SHARED = 256,
    OPTION_CLUSTER,
    OPTION_SET,
    OPTION_BUDGET,
    OPTION_JSON,
    OPTION_PRINT,
    OPTION_ARCH,
    OPTION_COMPILER,
    OPTION_NO_COLOR,
    OPTION_TRACE,
    OPTION_TRACE_LINES,
    OPTION_STEP,
    OPTION_BARE,
    OPTION_COOPERATIVE,
    OPTION_BLOCKS,
    OPTION_CORES,
    OPTION_SCHEDULE,
    OPTION_HARDWARE
};
const struct argp_option run_option_rows[] = {
    {"grid", 'g', "X[xYxZ]", 0, "Number of blocks, such as 4 or 8x8x1 (default 1)", 1},
    {"block", 'b', "X[xYxZ]", 0, "Threads per block, at most 1024 in total (default 32)", 1},
    {"cluster", OPTION_CLUSTER, "X[xYxZ]", 0,
     "Blocks per cluster, which run together (default: as in __cluster_dims__, else 1)", 1},
    {"arg", 'a', "VALUE", 0, "Value of the kernel's next parameter (see below); repeat this option for each parameter",
     1},
    {"set", OPTION_SET, "NAME=VALUE", 0, "Value of a __device__ or __constant__ variable (see below)", 1},
    {"shared", OPTION_SHARED, "BYTES", 0, "Dynamic shared memory per block (default 0)", 1},
    {"seed", 's', "N", 0,
     "Seed for random data and for the order of blocks and warps (default: seed 0 and ascending order)", 2},
    {"device", 'd', "NAME", 0, device_help, 2},
    {"bare", OPTION_BARE, 0, 0,
     "On a GPU, allocate buffers without guard zones and poison values, which would hide errors from memory checkers",
     2},
    {"hardware", OPTION_HARDWARE, "TOOLS", OPTION_ARG_OPTIONAL,
     "Run the kernel on the simulator, and on a GPU under NVIDIA's tools: "
     "result,ncu,memcheck,racecheck,synccheck,initcheck",
     2},
    {"cooperative", OPTION_COOPERATIVE, 0, 0,
     "Launch cooperatively: all blocks are resident and may wait for each other", 2},
    {"blocks", OPTION_BLOCKS, "LIST", 0,
     "Run only these blocks of the grid, such as 0-3,7,last; for launches that are too large to run in full "
     "(simulator)",
     2},
    {"schedule", OPTION_SCHEDULE, "TEXT", 0,
     "Execution order on the simulator: warp=1, block=2 or lane=3 executes first; stale=LINE makes the loads on that "
     "line return old values",
     2},
    {"budget", OPTION_BUDGET, "N", 0, "Stop the launch after this many warp-instructions (default 2^28)", 2},
    {"cores", OPTION_CORES, "N", 0,
     "Number of CPU cores for the simulator (default: all); it does not affect the report", 2},
    {"compiler", OPTION_COMPILER, "NAME", 0, "Compiler that produces the PTX: auto, " COMPILER_NAMES, 3},
    {"include", 'I', "DIR", 0, "Also search this folder for included files", 3},
    {"define", 'D', "NAME[=VALUE]", 0, "Define a macro; also NAME(X)=VALUE", 3},
    {"arch", OPTION_ARCH, "NN", 0, "Compute capability to compile for (default 75)", 3},
    {"trace", OPTION_TRACE, "[BLOCK.]WARP", OPTION_ARG_OPTIONAL,
     "Show the instructions that each warp executed, with the active lanes; --trace=0.3 shows only warp 3 of block 0",
     4},
    {"trace-lines", OPTION_TRACE_LINES, "N", 0, "Maximum number of instructions to show in the trace (default 1000)",
     4},
    {"step", OPTION_STEP, 0, 0, "Step through the launch with commands from standard input", 4},
    {"print", OPTION_PRINT, "N", 0, "Number of values to print at each end of an array (default 8)", 4},
    {"json", OPTION_JSON, "FILE", 0, "Write the JSON record to FILE (- for standard output)", 4},
    {"no-color", OPTION_NO_COLOR, 0, 0, "Use no color (the default if NO_COLOR is set or the output goes to a file)",
     4},
    {0}};

bool run_number(const char *text, uint64_t most, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return !errno && !*end && isdigit((unsigned char)*text) && *value <= most;
}
/* Parses "4", "8x8" or "8x8x1" into three dimensions. */
static void dimensions(struct argp_state *state, const char *text, const char *what, uint32_t out[3]) {
    char copy[64];
    out[0] = out[1] = out[2] = 1;
    snprintf(copy, sizeof copy, "%s", text);
    bool ok = strlen(text) < sizeof copy;
    unsigned n = 0;
    for (char *part = copy, *next; ok && part; part = next) {
        uint64_t v = 0;
        next = strchr(part, 'x');
        if (n == 0 && !strncmp(part, "0x", 2)) next = NULL; /* 0x10 is one hexadecimal number */
        if (next) *next++ = 0;
        ok = n < 3 && run_number(part, INT32_MAX, &v) && v;
        if (ok) out[n++] = (uint32_t)v;
    }
    if (!ok)
        argp_error(state, "%s takes one to three numbers from 1 to 2147483647, such as 4 or 8x8x1, not `%s`", what,
                   text);
}
static void keep(struct argp_state *state, const char *what, const char **list, unsigned *count, const char *text) {
    if (*count == RUN_MAX_FLAGS) argp_error(state, "%s is given more than %d times", what, RUN_MAX_FLAGS);
    list[(*count)++] = text;
}
/* Checks that a -D value is a macro name, optionally with parameters and a value, so that it cannot inject another
 * compiler option. */
static void check_define(struct argp_state *state, const char *text) {
    const char *s = text;
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    const bool named = s != text && !isdigit((unsigned char)*text);
    if (*s == '(') {
        s += 1 + strspn(s + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_, .");
        s = *s == ')' ? s + 1 : "(";
    }
    if (!named || (*s && *s != '='))
        argp_error(state, "--define takes NAME, NAME=VALUE or NAME(X)=VALUE, not `%s`", text);
}
/* Parses the value of --trace: "3", "0.3" or "warp 0.3". */
static void trace(struct argp_state *state, struct run_options *o, const char *text) {
    uint64_t block = 0, warp = 0;
    char copy[40];
    o->trace = true;
    if (!text) return;
    o->one_warp = true;
    snprintf(copy, sizeof copy, "%s", !strncmp(text, "warp ", 5) ? text + 5 : text);
    char *dot = strchr(copy, '.');
    if (dot) *dot = 0;
    if ((dot && !run_number(copy, INT32_MAX, &block)) || !run_number(dot ? dot + 1 : copy, 31, &warp))
        argp_error(state, "--trace takes a warp as WARP or BLOCK.WARP, such as 0.3, not `%s`", text);
    o->trace_block = (uint32_t)block, o->trace_warp = (uint32_t)warp;
}
static void positional(struct argp_state *state, struct run_options *o, const char *text) {
    if (!o->file)
        o->file = text;
    else if (!o->kernel)
        o->kernel = text;
    else
        argp_error(state, "unexpected `%s` after the file and the kernel: pass each argument of the kernel with --arg",
                   text);
}
static void check(struct argp_state *state, struct run_options *o) {
    char message[300];
    const uint64_t threads = (uint64_t)o->block[0] * o->block[1];
    if (!o->file) argp_error(state, "no file is given: `./grade run FILE.cu KERNEL`");
    if (o->trace && o->step) argp_error(state, "--trace and --step cannot be combined");
    if (o->hardware && (o->trace || o->step)) argp_error(state, "--hardware cannot be combined with --trace or --step");
    if (o->blocks && (o->hardware || o->cooperative))
        argp_error(state, "--blocks and %s cannot be combined, because the latter runs all blocks",
                   o->hardware ? "--hardware" : "--cooperative");
    if (o->blocks && !run_blocks_parse(o, message, sizeof message)) argp_error(state, "%s", message);
    if ((o->trace || o->step) && o->json && !strcmp(o->json, "-"))
        argp_error(state, "--json - and %s would both write to standard output: give --json a file",
                   o->trace ? "--trace" : "--step");
    option_outputs(state, &(struct option_output){"json", o->json}, 1, (const char *const[]){o->file, NULL});
    if (threads > 1024 || threads * o->block[2] > 1024)
        argp_error(state, "a block of %ux%ux%u threads is too large: the maximum is 1024 in total", o->block[0],
                   o->block[1], o->block[2]);
}
static error_t parse(int key, char *arg, struct argp_state *state) {
    struct run_options *o = state->input;
    switch (key) {
    case 'g': dimensions(state, arg, "--grid", o->grid); break;
    case 'b': dimensions(state, arg, "--block", o->block); break;
    case OPTION_CLUSTER: dimensions(state, arg, "--cluster", o->cluster); break;
    case 'a':
        if (o->arguments == RUN_MAX_ARGUMENTS) argp_error(state, "there are more than %d arguments", RUN_MAX_ARGUMENTS);
        o->argument[o->arguments++] = arg;
        break;
    case OPTION_SET:
        if (o->sets == RUN_MAX_VARIABLES) argp_error(state, "more than %d variables are set", RUN_MAX_VARIABLES);
        if (!strchr(arg, '=') || *arg == '=') argp_error(state, "--set takes NAME=VALUE, not `%s`", arg);
        o->set[o->sets++] = arg;
        break;
    case OPTION_SHARED:
        o->shared = (uint32_t)option_number(state, arg, "--shared", 0, gpu_default->shared_bytes);
        break;
    case 's': o->seed = option_number(state, arg, "--seed", 0, UINT64_MAX), o->seeded = true; break;
    case 'd': o->device = arg; break;
    case OPTION_BUDGET: o->budget = option_number(state, arg, "--budget", 1, UINT64_C(1) << 40); break;
    case OPTION_COMPILER: o->compiler = arg; break;
    case 'I': keep(state, "--include", o->include, &o->includes, arg); break;
    case 'D':
        check_define(state, arg);
        keep(state, "--define", o->define, &o->defines, arg);
        break;
    case OPTION_ARCH:
        if (!run_arch(o, arg))
            argp_error(state,
                       "--arch must be a number from 30 to 999, optionally followed by `a` (such as 90a), not `%s`",
                       arg);
        break;
    case OPTION_TRACE: trace(state, o, arg); break;
    case OPTION_TRACE_LINES: o->trace_lines = option_number(state, arg, "--trace-lines", 1, UINT32_MAX); break;
    case OPTION_STEP: o->step = true; break;
    case OPTION_BARE: o->bare = true; break;
    case OPTION_COOPERATIVE: o->cooperative = true; break;
    case OPTION_CORES: o->cores = (unsigned)option_number(state, arg, "--cores", 1, 1024); break;
    case OPTION_BLOCKS: o->blocks = arg; break;
    case OPTION_SCHEDULE:
        if (!sim_schedule_parse(&o->schedule, arg))
            argp_error(state, "--schedule takes " SIM_SCHEDULE_FORM ", not `%s`", arg);
        break;
    case OPTION_HARDWARE: o->hardware = true, o->tools = arg; break;
    case OPTION_PRINT: o->print = (uint32_t)option_number(state, arg, "--print", 0, 1 << 20); break;
    case OPTION_JSON: o->json = arg; break;
    case OPTION_NO_COLOR: o->no_color = true; break;
    case ARGP_KEY_ARG: positional(state, o, arg); break;
    case ARGP_KEY_END: check(state, o); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}
/* Ends --help with the accepted compiler options. */
static char *with_flags(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_EXTRA) return (char *)text;
    char *all = NULL;
    size_t size;
    FILE *f = open_memstream(&all, &size);
    fputs("These compiler options are accepted:", f);
    run_flags_list(f);
    fputs(". -G and -O0 keep accesses that the optimizer deletes.", f);
    fclose(f);
    return all;
}
void run_options_parse(int argc, char **argv, struct run_options *o) {
    static const struct argp argp = {
        run_option_rows,
        parse,
        "FILE KERNEL",
        "Run a kernel of FILE (CUDA C, or PTX if its name ends in .ptx) and print its results, its costs line by "
        "line, and its errors.\vVALUE is\n  a number        1024  -3  1.5  u32:7  f64:0.5\n  null            a null "
        "pointer\n  {FIELD, ...}    a struct by value: numbers, pointers as TYPE[N]:FILL, structs in braces\n  "
        "@FILE           a struct by value: the bytes of FILE\n  TYPE[N]:FILL    a buffer of N elements; "
        "TYPE[N]+4:FILL passes a pointer 4 bytes into it;\n                  'const TYPE[N]:FILL' makes each "
        "write to it a finding\nFor --set: a number, TYPE[N]:FILL, or @FILE, for the whole variable.\nTYPE is i8 "
        "u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64, or int unsigned half float double.\nFILL is random, small "
        "(0 to 16), iota (0 1 2 ...), zero, a number, out (uninitialized: the kernel must write it), or @FILE "
        "(its bytes). Elements that the kernel has written are printed afterward.\n\n  ./grade run sum.cu sum "
        "--grid 4 --block 256 --arg 'float[1024]:random' \\\n              --arg 'float[4]:out' --arg "
        "1024\n\nWithout KERNEL, the command lists the kernels of FILE. docs/run.md shows a "
        "session.\nExit status 0: no findings, or only warnings and notes; 1: errors or a fault; 2: usage error; 3: "
        "setup failure; 4: the file "
        "does not build.",
        0,
        with_flags,
        0};
    *o = (struct run_options){.grid = {1, 1, 1},
                              .block = {32, 1, 1},
                              .device = "auto",
                              .print = 8,
                              .budget = UINT64_C(1) << 28,
                              .trace_lines = 1000};
    argp_err_exit_status = RUN_USAGE;
    argv[0] = "grade run"; /* the name that argp prints in its messages */
    run_flags_take(&argc, argv, o);
    argp_parse(&argp, argc, argv, 0, 0, o);
}
