/* Parses the command line of ./grade ladder. */
#include "base/option.h"
#include "device/device.h"
#include "compile/compiler.h"
#include "ladder/ladder.h"
#include "record/status.h"
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_OP = 256,
    OPTION_ROWS,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_SVG,
    OPTION_CPU,
    OPTION_SWEEP,
    OPTION_SOLUTIONS,
    OPTION_NEAR,
    OPTION_MODELED,
    OPTION_GPU,
    OPTION_COMPILER
};
const struct argp_option ladder_option_rows[] = {
    {"size", 'n', "N", 0, "Number of elements (default 2^20; with --cpu 2^26)", 1},
    {"op", OPTION_OP, "NAME", 0, "Operator and type, such as min_i32 or affine_u32 (default sum_f32)", 1},
    {"rows", OPTION_ROWS, "IDS", 0, "Run only these rows, such as B1,B2,C5", 1},
    {"solutions", OPTION_SOLUTIONS, 0, 0, "Use the first kernels of the labs' solutions as rows", 1},
    {"near-1000", OPTION_NEAR, 0, 0,
     "Draw all elements near 1000, which shows the rounding error of a long chain of additions", 1},
    {"seed", 's', "N", 0, "Seed for the data and the execution order (default 1)", 1},
    {"device", 'd', "NAME", 0, device_help, 2},
    {"modeled", OPTION_MODELED, 0, 0, "On a GPU, also show the simulator's counts and modeled times", 2},
    {"gpu", OPTION_GPU, "NAME", 0, "Model the times on this GPU (default h200; `help` lists GPUs)", 2},
    {"compiler", OPTION_COMPILER, "NAME", 0, "Compiler that produces the PTX: auto, " COMPILER_NAMES, 2},
    {"cpu", OPTION_CPU, 0, 0,
     "Run only the CPU rows, on more data than the caches hold, and compare with the read bandwidth", 3},
    {"sweep", OPTION_SWEEP, 0, 0, "Run only row C3, with different numbers of blocks", 3},
    {"csv", OPTION_CSV, "FILE", 0,
     "Write the table as CSV to FILE; here and in the following options, - stands for "
     "standard output",
     4},
    {"json", OPTION_JSON, "FILE", 0, "Write the record (schema reduction-labs/ladder/2)", 4},
    {"svg", OPTION_SVG, "FILE", 0, "Write a picture of the table as SVG", 4},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct ladder_options *o = state->input;
    switch (key) {
    case 'n': o->n = (uint32_t)option_number(state, arg, "--size", 1, 1u << 28); break;
    case 's': o->seed = option_number(state, arg, "--seed", 0, UINT64_MAX); break;
    case 'd': o->device = arg; break;
    case OPTION_OP: o->op = arg; break;
    case OPTION_ROWS: o->rows = arg; break;
    case OPTION_CSV: o->csv = arg; break;
    case OPTION_JSON: o->json = arg; break;
    case OPTION_SVG: o->svg = arg; break;
    case OPTION_CPU: o->cpu = true; break;
    case OPTION_SWEEP: o->sweep = true; break;
    case OPTION_SOLUTIONS: o->solutions = true; break;
    case OPTION_NEAR: o->near = true; break;
    case OPTION_MODELED: o->modeled = true; break;
    case OPTION_GPU: o->gpu = gpu_argument(arg, EXIT_USAGE); break;
    case OPTION_COMPILER: o->compiler = arg; break;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument `%s`", arg); break;
    case ARGP_KEY_END:
        option_outputs(state, (struct option_output[]){{"csv", o->csv}, {"json", o->json}, {"svg", o->svg}}, 3,
                       (const char *const[]){NULL});
        if (o->cpu + o->sweep + o->solutions > 1)
            argp_error(state, "--cpu, --sweep and --solutions cannot be combined");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}
void ladder_options_parse(int argc, char **argv, struct ladder_options *o) {
    static const struct argp argp = {
        ladder_option_rows,
        parse,
        "",
        "Run every reduction of the course side by side on one input.\vdocs/ladder.md explains the columns. Exit "
        "status 0: all rows are correct; 1: a row is wrong; 2: usage error; 3: setup failure.",
        0,
        0,
        0};
    *o = (struct ladder_options){.device = "auto", .op = "sum_f32", .seed = 1, .gpu = gpu_default};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, o);
}
