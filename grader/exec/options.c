/* Parses the command line of `./grade exec`. */
#include "base/option.h"
#include "exec/exec.h"
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_CHECKS = 256,
    OPTION_WRITE,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_REPORT,
    OPTION_CORES,
    OPTION_BUDGET,
    OPTION_NO_COLOR,
    OPTION_FLAG,
    OPTION_ARCH
};
const struct argp_option exec_option_rows[] = {
    {"checks", OPTION_CHECKS, "HOW", 0,
     "Checks to perform: all (default), fast (all except races and counts) or none (only faults such as "
     "out-of-bounds accesses)",
     1},
    {"cores", OPTION_CORES, "N", 0, "Number of CPU cores to use (default: all); it does not affect the results", 1},
    {"seed", 's', "N", 0, "Run blocks and warps in a random order drawn from this seed (default: ascending)", 1},
    {"budget", OPTION_BUDGET, "N", 0, "Stop a launch after this many warp-instructions (default 2^32)", 1},
    {"write", OPTION_WRITE, "FOLDER", 0,
     "Let the program write to FOLDER; by default, it may write only to a temporary /tmp", 2},
    {"no-sandbox", OPTION_NO_SANDBOX, 0, 0, "Run the program without a sandbox, with your permissions", 2},
    {"flag", OPTION_FLAG, "WORD", 0, "Pass this option to nvcc, if the program is a .cu file", 3},
    {"arch", OPTION_ARCH, "NN", 0, "Compute capability to compile for (default: the compiler's default)", 3},
    {"report", OPTION_REPORT, "FILE", 0, "Write the report to FILE instead of to standard error", 4},
    {"json", OPTION_JSON, "FILE", 0, "Write the record to FILE", 4},
    {"quiet", 'q', 0, 0, "Show no progress of long launches", 4},
    {"no-color", OPTION_NO_COLOR, 0, 0, "Use no color (the default if NO_COLOR is set or the output goes to a file)",
     4},
    {0}};
static const char text[] =
    "Run a whole CUDA program without a GPU. PROGRAM is an executable that nvcc linked with -cudart shared, or a .cu "
    "file, which the command compiles. The report at the end lists the findings in kernels and in the host's use "
    "of CUDA.\vArguments after PROGRAM are passed to it. Findings have line numbers if the program was compiled with "
    "-g -lineinfo, which the command uses for .cu files.\nExit status 0: no findings, or only warnings and notes; 1: "
    "errors; 2: usage error; "
    "3: setup failure; 4: the file does not build; 5: unsupported feature; 6: the program itself failed; 130: "
    "Ctrl-C.\ndocs/exec.md describes this command.";

static error_t parse(int key, char *word, struct argp_state *state) {
    struct exec_options *o = state->input;
    switch (key) {
    case OPTION_CHECKS:
        if (!strcmp(word, "all"))
            o->checks = EXEC_CHECKS_ALL;
        else if (!strcmp(word, "fast"))
            o->checks = EXEC_CHECKS_FAST;
        else if (!strcmp(word, "none"))
            o->checks = EXEC_CHECKS_NONE;
        else
            argp_error(state, "--checks takes none, fast or all, not `%s`", word);
        return 0;
    case OPTION_CORES: o->cores = (unsigned)option_number(state, word, "--cores", 1, 1024); return 0;
    case OPTION_ARCH: o->arch = (unsigned)option_number(state, word, "--arch", 50, 129); return 0;
    case OPTION_BUDGET: o->budget = option_number(state, word, "--budget", 1, UINT64_C(1) << 62); return 0;
    case 's': o->seed = option_number(state, word, "--seed", 0, UINT64_MAX), o->seeded = true; return 0;
    case OPTION_WRITE:
        if (o->writes == sizeof o->write / sizeof *o->write) argp_error(state, "--write may be given at most 4 times");
        o->write[o->writes++] = word;
        return 0;
    case OPTION_FLAG:
        if (o->flags == EXEC_MAX_FLAGS) argp_error(state, "--flag may be given at most %d times", EXEC_MAX_FLAGS);
        o->flag[o->flags++] = word;
        return 0;
    case OPTION_NO_SANDBOX: o->no_sandbox = true; return 0;
    case OPTION_REPORT: o->report = word; return 0;
    case OPTION_JSON: o->json = word; return 0;
    case OPTION_NO_COLOR: o->no_color = true; return 0;
    case 'q': o->quiet = true; return 0;
    case ARGP_KEY_ARG:
        o->program = word, o->arguments = &state->argv[state->next - 1];
        state->next = state->argc; /* the remaining words are the program's arguments */
        return 0;
    case ARGP_KEY_END:
        option_outputs(state, (struct option_output[]){{"json", o->json}, {"report", o->report}}, 2,
                       (const char *const[]){o->program, NULL});
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}
void exec_options_parse(int argc, char **argv, struct exec_options *o) {
    static char name[] = "grade exec";
    *o = (struct exec_options){.checks = EXEC_CHECKS_ALL};
    argv[0] = name;
    argp_err_exit_status = EXEC_USAGE;
    const struct argp argp = {exec_option_rows, parse, "PROGRAM [ARGUMENT...]", text, NULL, NULL, NULL};
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, o);
}
