/* See options.h. */
#include "options.h"
#include "base/option.h"
#include "describe.h"
#include "device/device.h"
#include "judge/case_large.h"
#include "model/gpus/gpu.h"
#include "report/sink.h"
#include <argp.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "grade 1.0 (result schema reduction-labs/result/3)";

/* ---- READ rows --------------------------------------------------------------------------------------------- */
static void read_arch(struct argp_state *state, struct options *o, const char *arg) {
    o->arch = (unsigned)option_number(state, arg, "--arch", 75, 90);
}
/* Reads the seed. For "-", reads it from standard input, so that a secret seed does not appear in process lists. */
static void read_seed(struct argp_state *state, struct options *o, const char *arg) {
    char line[32] = "";
    if (!strcmp(arg, "-") && !fgets(line, sizeof line, stdin))
        argp_error(state, "--seed -: standard input contains no seed");
    line[strcspn(line, "\n")] = 0;
    o->seed = option_number(state, strcmp(arg, "-") ? arg : line, "--seed", 0, UINT64_MAX), o->seeded = true;
}
static void read_size(struct argp_state *state, struct options *o, const char *arg) {
    o->size = (uint32_t)option_number(state, arg, "--size", 0, CASE_MAX_N);
}
static void read_block(struct argp_state *state, struct options *o, const char *arg) {
    uint64_t m;
    if (!option_read(arg, &m) || m < 32 || m > 1024 || (m & (m - 1)))
        argp_error(state, "--block must be a power of two from 32 to 1024, not `%s`", arg);
    o->block = (uint32_t)m;
}
static void read_grid(struct argp_state *state, struct options *o, const char *arg) {
    o->grid = (uint32_t)option_number(state, arg, "--grid", 1, 4096);
}
static void read_schedule(struct argp_state *state, struct options *o, const char *arg) {
    if (!sim_schedule_parse(&o->schedule, arg))
        argp_error(state, "--schedule takes " SIM_SCHEDULE_FORM ", not `%s`", arg);
}
static void read_sandbox(struct argp_state *state, struct options *o, const char *arg) {
    (void)state, (void)arg, o->sandbox = SANDBOX_ALWAYS;
}
static void read_no_sandbox(struct argp_state *state, struct options *o, const char *arg) {
    (void)state, (void)arg, o->sandbox = SANDBOX_NEVER;
}
static void read_hint(struct argp_state *state, struct options *o, const char *arg) {
    (void)state, (void)arg, o->hint++;
}
static void read_port(struct argp_state *state, struct options *o, const char *arg) {
    o->port = (unsigned)option_number(state, arg, "--port", 1, 65535);
}
static void read_hardware(struct argp_state *state, struct options *o, const char *arg) {
    (void)state, o->hardware = true, o->tools = arg;
}
static void read_gpu(struct argp_state *state, struct options *o, const char *arg) {
    (void)state, o->gpu = gpu_argument(arg, EXIT_USAGE);
}

/* ---- the table --------------------------------------------------------------------------------------------- */
enum { KEY_FIRST = 256 }; /* key of row 0; the keys of the report formats follow those of the rows */
static const struct row {
    int letter;
    const char *name, *argument;
    int flags, group;
    const char *help;
    size_t flag, text; /* offset in struct options of the member to set: a flag, or a text if there is an argument */
    void (*read)(struct argp_state *state, struct options *o, const char *arg); /* reads the option instead, or NULL */
    bool alone;                                                                 /* whether the option needs no lab */
} rows[] = {
#define FLAG(field, letter, name, group, help)                                                                         \
    {letter, name, NULL, 0, group, help, .flag = offsetof(struct options, field)},
#define ALONE(field, letter, name, group, help)                                                                        \
    {letter, name, NULL, 0, group, help, .flag = offsetof(struct options, field), .alone = true},
#define ALONE_TEXT(field, letter, name, argument, group, help)                                                         \
    {letter, name, argument, 0, group, help, .text = offsetof(struct options, field), .alone = true},
#define TEXT(field, letter, name, argument, group, help)                                                               \
    {letter, name, argument, 0, group, help, .text = offsetof(struct options, field)},
#define READ(id, letter, name, argument, flags, group, help)                                                           \
    {letter, name, argument, flags, group, help, .read = read_##id},
#include "options.def"
};
enum { ROWS = sizeof rows / sizeof *rows, KEY_SINK = KEY_FIRST + ROWS };
static int key_of(unsigned k) { return rows[k].letter ? rows[k].letter : KEY_FIRST + (int)k; }
/* Collects the rows above and a row for each report format. */
static void all_rows(struct argp_option all[ROWS + OPTIONS_MAX_SINKS + 1]) {
    for (unsigned k = 0; k < ROWS; k++)
        all[k] =
            (struct argp_option){rows[k].name, key_of(k), rows[k].argument, rows[k].flags, rows[k].help, rows[k].group};
    for (unsigned k = 0; k < sink_row_count && k < OPTIONS_MAX_SINKS; k++)
        all[ROWS + k] = (struct argp_option){sink_rows[k]->name, KEY_SINK + (int)k, "FILE", 0, sink_rows[k]->option, 4};
}
const struct argp_option *options_rows(void) {
    static struct argp_option all[ROWS + OPTIONS_MAX_SINKS + 1];
    if (!all[0].name) all_rows(all);
    return all;
}
static bool keep_option(struct argp_state *state, struct options *o, int key, const char *arg) {
    for (unsigned k = 0; k < ROWS; k++) {
        if (key_of(k) != key) continue;
        if (rows[k].read)
            rows[k].read(state, o, arg);
        else if (rows[k].argument)
            *(const char **)(void *)((char *)o + rows[k].text) = arg;
        else
            *(bool *)((char *)o + rows[k].flag) = true;
        return true;
    }
    if (key < KEY_SINK || key >= KEY_SINK + (int)sink_row_count) return false;
    o->file[key - KEY_SINK] = arg;
    return true;
}

/* ---- combinations of options ------------------------------------------------------------------------------------ */
/* Returns whether an option that has no read() was given. */
static bool is_given(const struct options *o, const struct row *r) {
    if (r->argument) return *(const char *const *)(const void *)((const char *)o + r->text) != NULL;
    return *(const bool *)((const char *)o + r->flag);
}
static bool stands_alone(const struct options *o) {
    for (unsigned k = 0; k < ROWS; k++)
        if (rows[k].alone && is_given(o, &rows[k])) return true;
    return false;
}
/* Rejects options that cannot be combined with --watch, which grades the current contents of the lab's file each time
 * and shows the result on the terminal. */
static void check_watch(struct argp_state *state, const struct options *o, bool all) {
    bool page = false;
    for (unsigned k = 0; k < sink_row_count; k++) {
        if (!o->file[k]) continue;
        page |= !strcmp(sink_rows[k]->name, "html");
        if (!strcmp(o->file[k], "-"))
            argp_error(
                state,
                "--watch prints its verdicts on standard output: pass --%s a file, which is then written on every save",
                sink_rows[k]->name);
    }
    if (all || o->hardware) argp_error(state, "--watch takes one lab and cannot be combined with --hardware");
    if (o->hint) argp_error(state, "--hint cannot be combined with --watch, because each use of --hint is counted");
    if (o->port && !page) argp_error(state, "--port requires --html, whose page it serves");
}
static void check_files(struct argp_state *state, const struct options *o) {
    struct option_output files[OPTIONS_MAX_SINKS];
    const char *const inputs[] = {o->submission ? o->submission : o->own, o->submission ? o->own : NULL, NULL};
    for (unsigned k = 0; k < sink_row_count; k++) files[k] = (struct option_output){sink_rows[k]->name, o->file[k]};
    option_outputs(state, files, sink_row_count, inputs);
}
static void check(struct argp_state *state, const struct options *o) {
    const bool all = o->lab && !strcmp(o->lab, "all");
    if (!o->lab && !stands_alone(o))
        argp_error(state, "no lab given: name one, as in `./grade lab1`; `./grade --list` prints the labs");
    check_files(state, o);
    if (o->solution && o->submission) argp_error(state, "--solution and --submission cannot be combined");
    if (o->values && (!o->only_case || o->own))
        argp_error(state, "--values requires --case and cannot be combined with --op");
    if (o->seal && (all || o->solution || o->own || o->watch || o->hardware))
        argp_error(state, "--seal takes one lab and cannot be combined with --solution, --op, --watch or --hardware");
    if (o->own && all) argp_error(state, "--op takes one lab");
    if (o->hardware && (o->own || all)) argp_error(state, "--hardware takes one lab and cannot be combined with --op");
    for (unsigned k = 0; o->hardware && k < sink_row_count; k++)
        if (o->file[k] && strcmp(sink_rows[k]->name, "json"))
            argp_error(state, "--hardware writes its record only with --json");
    if (o->watch) check_watch(state, o, all);
    if (o->port && !o->watch) argp_error(state, "--port requires --watch --html FILE");
}
static error_t parse(int key, char *arg, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (o->lab && strstr(arg, ".cu")) argp_error(state, "to grade your own file, use --submission=%s", arg);
        if (o->lab) argp_error(state, "unexpected `%s`: name one lab, or `all`", arg);
        o->lab = arg;
        return 0;
    case ARGP_KEY_END: check(state, o); return 0;
    default: return keep_option(state, o, key, arg) ? 0 : ARGP_ERR_UNKNOWN;
    }
}
void options_parse(int argc, char **argv, struct options *o) {
    const struct argp argp = {
        options_rows(),
        parse,
        "LAB",
        "Grade a lab's reduce.cu, and show whether it is right, which steps diverge and on which line, and what to do "
        "first."
        "\vLAB is lab0, lab1, ..., a lab's folder, or all. `grade run --help` explains how to run any other kernel.\n"
        "Exit status 0: full credit; 1: less than full credit; 2: usage error; 3: setup failure; 4: the submission "
        "does not build.",
        0,
        0,
        0};
    *o = (struct options){.device = "auto", .size = UINT32_MAX};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, o);
}
