/* See options.h. */
#include "options.h"
#include "model/gpus/gpu.h"
#include "report/sink.h"
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "grade 1.0 (result schema reduction-labs/result/1)";

enum {
    OPTION_CASE = 256,
    OPTION_COMPILER,
    OPTION_ARCH,
    OPTION_SUBMISSION,
    OPTION_SOLUTION,
    OPTION_OWN,
    OPTION_SANDBOX,
    OPTION_NO_SANDBOX,
    OPTION_NO_COLOR,
    OPTION_COMPILE_ONLY,
    OPTION_NO_PICTURES,
    OPTION_PTX_DOC,
    OPTION_LANES,
    OPTION_EXPLAIN,
    OPTION_BESIDE,
    OPTION_HARDWARE,
    OPTION_GPU,
    OPTION_GPUS_DOC,
    OPTION_SINK /* the first one's; the others follow */
};
static const struct argp_option rows[] = {
    {"list", 'l', 0, 0, "List the labs", 1},
    {"device", 'd', "NAME", 0, "Where kernels run: auto, sim (the simulator) or cuda (a GPU)", 1},
    {"compiler", OPTION_COMPILER, "NAME", 0,
     "Who makes PTX: auto, nvcc or clang (default: the variable CUDA, or what make was told)", 1},
    {"arch", OPTION_ARCH, "NN", 0,
     "Compute capability to compile for, 75 to 90 (default: what the course sets for the lab, else 75)", 1},
    {"seed", 's', "N", 0, "Seed of data and of the order of execution (default: fresh); - reads it from standard input",
     2},
    {"case", OPTION_CASE, "NAME", 0, "Run this one case, as a failure names it", 2},
    {"size", 'n', "N", 0, "Only cases with N elements", 2},
    {"block", 'b', "M", 0, "Only cases with M threads a block", 2},
    {"grid", 'g', "G", 0, "Only cases with G blocks, of kernels that take any number of blocks", 2},
    {"submission", OPTION_SUBMISSION, "FILE", 0, "Grade FILE as the lab's reduce.cu, in a sandbox", 3},
    {"solution", OPTION_SOLUTION, 0, 0, "Grade the reference solution", 3},
    {"op", OPTION_OWN, "FILE", 0,
     "Grade with the type and operator of FILE instead of the lab's (docs/own-operator.md)", 3},
    {"sandbox", OPTION_SANDBOX, 0, 0, "Compile and run in a sandbox whatever is graded", 3},
    {"no-sandbox", OPTION_NO_SANDBOX, 0, 0, "Grade FILE without one: it is trusted", 3},
    {"compile-only", OPTION_COMPILE_ONLY, 0, 0, "Only compile, and show the compiler's messages", 3},
    {"no-pictures", OPTION_NO_PICTURES, 0, 0, "Leave out of the record what only pictures need: a sixth of its size",
     4},
    {"lanes", OPTION_LANES, 0, 0, "Draw the lane map of a block: which lanes of each warp are busy in each step", 4},
    {"explain", OPTION_EXPLAIN, 0, 0, "Add a paragraph on each kind of finding and each failed check", 4},
    {"diff-solution", OPTION_BESIDE, 0, 0, "Set all counts beside the reference's", 4},
    {"hardware", OPTION_HARDWARE, "TOOLS", OPTION_ARG_OPTIONAL,
     "Run a case under ncu and compute-sanitizer, and show what they say beside the simulator (docs/hardware.md)", 4},
    {"gpu", OPTION_GPU, "NAME", 0,
     "Show time modeled for this GPU, too; points stay by the default one (help lists them; docs/gpus.md)", 4},
    {"quiet", 'q', 0, 0, "Print the score and the first thing to do, no more", 4},
    {"no-color", OPTION_NO_COLOR, 0, 0, "No colour (nor with NO_COLOR set, nor into a file)", 4},
    {"ptx-doc", OPTION_PTX_DOC, 0, 0, "Print the table of PTX instructions as Markdown", 5},
    {"gpus-doc", OPTION_GPUS_DOC, 0, 0, "Print the constants of the cost model's GPUs as Markdown", 5},
};
enum { ROWS = sizeof rows / sizeof *rows };
/* The rows above, and one for each report format. */
static void all_rows(struct argp_option all[ROWS + OPTIONS_MOST_SINKS + 1]) {
    memcpy(all, rows, sizeof rows);
    for (unsigned k = 0; k < sink_row_count && k < OPTIONS_MOST_SINKS; k++)
        all[ROWS + k] =
            (struct argp_option){sink_rows[k]->name, OPTION_SINK + (int)k, "FILE", 0, sink_rows[k]->option, 4};
}

static uint64_t number(struct argp_state *state, const char *text, const char *what, uint64_t most) {
    char *end;
    errno = 0;
    const unsigned long long v = strtoull(text, &end, 0);
    if (errno || *end || end == text || *text == '-' || v > most)
        argp_error(state, "%s must be a number from 0 to %llu, not `%s`", what, (unsigned long long)most, text);
    return v;
}
/* A secret seed comes through standard input, where no list of processes shows it. */
static uint64_t seed_of(struct argp_state *state, const char *arg) {
    char line[32] = "";
    if (!strcmp(arg, "-") && !fgets(line, sizeof line, stdin)) argp_error(state, "--seed -: nothing on standard input");
    line[strcspn(line, "\n")] = 0;
    return number(state, strcmp(arg, "-") ? arg : line, "--seed", UINT64_MAX);
}
static void one_standard_output(struct argp_state *state, const struct options *o) {
    const char *first = NULL;
    for (unsigned k = 0; k < sink_row_count; k++) {
        if (!o->file[k] || strcmp(o->file[k], "-") != 0) continue;
        if (first)
            argp_error(state, "--%s and --%s cannot both go to standard output: give one of them a file", first,
                       sink_rows[k]->name);
        first = sink_rows[k]->name;
    }
}
static error_t parse(int key, char *arg, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case 'l': o->list = true; break;
    case 'd': o->device = arg; break;
    case OPTION_COMPILER: o->compiler = arg; break;
    case OPTION_ARCH:
        o->arch = (unsigned)number(state, arg, "--arch", 90);
        if (o->arch < 75) argp_error(state, "--arch must be a number from 75 to 90, such as 80, not `%s`", arg);
        break;
    case 's': o->seed = seed_of(state, arg), o->seeded = true; break;
    case OPTION_CASE: o->only_case = arg; break;
    case 'n': o->size = (uint32_t)number(state, arg, "--size", 1u << 26); break;
    case 'b':
        o->block = (uint32_t)number(state, arg, "--block", 1024);
        if (o->block < 32 || (o->block & (o->block - 1)))
            argp_error(state, "--block must be a power of two from 32 to 1024, not `%s`", arg);
        break;
    case 'g': o->grid = (uint32_t)number(state, arg, "--grid", 4096); break;
    case OPTION_SUBMISSION: o->submission = arg; break;
    case OPTION_SOLUTION: o->solution = true; break;
    case OPTION_OWN: o->own = arg; break;
    case OPTION_SANDBOX: o->sandbox = SANDBOX_ALWAYS; break;
    case OPTION_NO_SANDBOX: o->sandbox = SANDBOX_NEVER; break;
    case OPTION_NO_PICTURES: o->no_pictures = true; break;
    case OPTION_COMPILE_ONLY: o->compile_only = true; break;
    case 'q': o->quiet = true; break;
    case OPTION_NO_COLOR: o->no_color = true; break;
    case OPTION_LANES: o->lanes = true; break;
    case OPTION_EXPLAIN: o->explain = true; break;
    case OPTION_BESIDE: o->beside = true; break;
    case OPTION_HARDWARE: o->hardware = true, o->tools = arg; break;
    case OPTION_PTX_DOC: o->ptx_doc = true; break;
    case OPTION_GPUS_DOC: o->gpus_doc = true; break;
    case OPTION_GPU: o->gpu = gpu_argument(arg, EXIT_USAGE); break;
    case ARGP_KEY_ARG:
        if (o->lab) argp_error(state, "one lab at a time, or `all`: `%s` is one too many", arg);
        o->lab = arg;
        break;
    case ARGP_KEY_END:
        if (!o->lab && !o->list && !o->ptx_doc && !o->gpus_doc)
            argp_error(state, "which lab? `./grade lab1`, or `./grade --list`");
        one_standard_output(state, o);
        if (o->solution && o->submission) argp_error(state, "--solution and --submission exclude each other");
        if (o->own && o->lab && !strcmp(o->lab, "all")) argp_error(state, "--op goes with one lab");
        if (o->hardware && (o->own || (o->lab && !strcmp(o->lab, "all"))))
            argp_error(state, "--hardware goes with one lab, and not with --op");
        for (unsigned k = 0; o->hardware && k < sink_row_count; k++)
            if (o->file[k] && strcmp(sink_rows[k]->name, "json"))
                argp_error(state, "--hardware writes its record with --json alone");
        break;
    default:
        if (key < OPTION_SINK || key >= OPTION_SINK + (int)sink_row_count) return ARGP_ERR_UNKNOWN;
        o->file[key - OPTION_SINK] = arg;
    }
    return 0;
}
void options_parse(int argc, char **argv, struct options *o) {
    struct argp_option all[ROWS + OPTIONS_MOST_SINKS + 1] = {{0}};
    const struct argp argp = {
        all,
        parse,
        "LAB",
        "Grade a lab's reduce.cu: is it right, which steps diverge and on which line, what to do first."
        "\vLAB is lab1, lab2, ... or all. `grade run --help` tells how to run any other kernel.\n"
        "Exit status: 0 full marks, 1 not full, 2 wrong use, 3 the set-up is at fault, 4 the submission does not "
        "build.",
        0,
        0,
        0};
    const char *compiler = getenv("CUDA");
    all_rows(all);
    *o = (struct options){.device = "auto", .compiler = compiler && *compiler ? compiler : NULL, .size = UINT32_MAX};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, o);
}
