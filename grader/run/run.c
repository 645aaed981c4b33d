/* Implements `./grade run`: parses the command line, compiles the file, launches the kernel, and prints the report. */
#include "base/file.h"
#include "record/status.h"
#include "run/look.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int find_device(const struct run_options *o, const struct device **device) {
    struct device_error e = {""};
    *device = device_find(strcmp(o->device, "auto") ? o->device : "sim");
    if (!*device) return status_saying(RUN_USAGE, "run", "no device `%s`: %s", o->device, device_names);
    if ((o->trace || o->step) && !(*device)->measures)
        return status_saying(RUN_USAGE, "run", "--trace and --step need the simulator, not device %s", o->device);
    if (o->blocks && !(*device)->measures)
        return status_saying(RUN_USAGE, "run", "--blocks needs the simulator: device %s runs all blocks of a launch",
                             o->device);
    if ((*device)->present(&e) != DEVICE_OK) return status_saying(RUN_SETUP, "run", "%s", e.message);
    return RUN_CLEAN;
}
static int find_compiler(const struct run_options *o, const struct run_place *place, const struct compiler **c) {
    char message[500];
    const char *wanted = o->compiler ? o->compiler : place->compiler;
    *c = NULL;
    if (run_is_ptx(o->file))
        return o->flags ? status_saying(RUN_USAGE, "run", "%s is a compiler option, but %s is already PTX",
                                        o->flag[0]->text, o->file)
                        : RUN_CLEAN;
    if (!compiler_known(wanted))
        return status_saying(RUN_USAGE, "run", "no compiler `%s`: use auto, " COMPILER_NAMES, wanted);
    *c = compiler_find(wanted, message, sizeof message);
    for (unsigned k = 0; *c && k < o->flags; k++)
        if (!run_flag_of(o->flag[k], *c) && (*c)->otherwise) *c = (*c)->otherwise;
    for (unsigned k = 0; *c && k < o->flags; k++)
        if (!run_flag_of(o->flag[k], *c))
            return status_saying(RUN_USAGE, "run", "%s is not an option of %s", o->flag[k]->text, compiler_name(*c));
    return *c ? RUN_CLEAN : status_saying(RUN_SETUP, "run", "%s", message);
}

/* ---- arguments ------------------------------------------------------------------------------ */
/* Gives the arguments the names that the kernel's parameters have in the source file of the kernel's first
 * instruction, or in FILE if the instruction has none. */
static void name_arguments(struct run *r) {
    char names[RUN_MAX_ARGUMENTS][RUN_NAME], plain[256];
    const struct ptx_function *f = r->kernel;
    const unsigned number = f->code_count ? f->code[0].loc.file : f->reasons ? f->reasons->loc.file : 0;
    const char *path = number && number < r->module->file_count ? r->module->files[number]
                       : run_is_ptx(r->options->file)           ? NULL
                                                                : r->options->file;
    char *source = path ? file_read(path, 0, 16 << 20, NULL) : NULL;
    finding_source_name(r->kernel->name, plain, sizeof plain);
    run_parameter_names(r->kernel, plain, source, names);
    for (unsigned k = 0; k < r->kernel->param_count; k++) snprintf(r->argument[k].name, RUN_NAME, "%s", names[k]);
    free(source);
}
static int parse_arguments(struct run *r, const struct run_options *o) {
    char message[500], list[RUN_MAX_ARGUMENTS * (RUN_NAME + RUN_TYPE + 5) + 1] = "", plain[256];
    char types[RUN_MAX_ARGUMENTS][RUN_TYPE];
    uint64_t random = o->seed;
    if (r->kernel->param_count > RUN_MAX_ARGUMENTS)
        return status_saying(RUN_USAGE, "run", "`%s` has too many parameters", r->kernel->name);
    name_arguments(r);
    run_parameter_types(r->kernel->name, r->kernel->param_count, types);
    for (unsigned k = 0; k < r->kernel->param_count; k++)
        sprintf(list + strlen(list), *types[k] ? "%s%s (%s)" : "%s%s", k ? ", " : "", r->argument[k].name, types[k]);
    if (o->arguments != r->kernel->param_count) {
        snprintf(message, sizeof message, "`%s` takes %u arguments, but %u were given with --arg",
                 finding_source_name(r->kernel->name, plain, sizeof plain), r->kernel->param_count, o->arguments);
        return status_saying(RUN_USAGE, "run", "%s%s%s", message, *list ? ": " : "", list);
    }
    if (!run_variables(r, &random, message, sizeof message)) return status_saying(RUN_USAGE, "run", "%s", message);
    for (unsigned k = 0; k < o->arguments; k++) {
        if (run_argument_parse(&r->argument[k], o->argument[k], r->kernel->params[k], &random, message,
                               sizeof message) &&
            run_argument_suits(&r->argument[k], types[k], message, sizeof message))
            continue;
        char head[200];
        snprintf(head, sizeof head, "argument %u (%s) `%.100s`", k + 1, r->argument[k].name, o->argument[k]);
        return status_saying(RUN_USAGE, "run", "%s: %s", head, message);
    }
    return RUN_CLEAN;
}

/* ---- the record ----------------------------------------------------------------------------- */
static bool write_json(const json_t *record, FILE *f) {
    return json_dumpf(record, f, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)) == 0 &&
           fputc('\n', f) != EOF && fflush(f) == 0;
}
static int report(const json_t *record, const struct run_options *o, int status) {
    const char *no_color = getenv("NO_COLOR");
    const bool color = isatty(STDOUT_FILENO) && !o->no_color && !(no_color && *no_color);
    const bool to_stdout = o->json && !strcmp(o->json, "-");
    if (!to_stdout && !run_page(record, stdout, color))
        return status_saying(RUN_SETUP, "run", "cannot write to standard output");
    if (!o->json) return status;
    FILE *f = to_stdout ? stdout : fopen(o->json, "w");
    bool ok = f && write_json(record, f);
    if (f && !to_stdout && fclose(f)) ok = false;
    return ok ? status : status_saying(RUN_SETUP, "run", "%s: cannot be written", o->json);
}

/* Runs the launch with the output of --trace or --step, then prints the report, unless the user quit. */
static int listen_and_run(struct run *r, const struct device *device, const struct run_build *b) {
    const struct run_options *o = r->options;
    int status;
    struct run_trace trace = {.options = o, .out = stdout, .file = ""};
    struct run_step *step = o->step ? run_step_new(r, stdin, stdout) : NULL;
    if (o->step && !step) return status_saying(RUN_SETUP, "run", "out of memory");
    if (o->trace)
        trace.sources = run_sources_new(r->module), r->listener = (struct sim_listener){&run_trace_probe, &trace};
    if (o->step) r->listener = (struct sim_listener){&run_step_probe, step};
    json_t *record = run_execute(r, device, b->ptx, b->length, &status);
    const bool quit = step && run_step_quit(step);
    if (o->trace && record) run_trace_end(&trace);
    if (o->step && record && !quit) printf("The kernel has ended.\n\n");
    if (quit)
        status = RUN_CLEAN;
    else if (record)
        status = report(record, o, status);
    json_decref(record);
    run_sources_free(trace.sources);
    run_step_free(step);
    return status;
}
static int run_kernel(struct run *r, const struct device *device, const struct run_build *b) {
    const struct run_options *o = r->options;
    struct ptx_error error;
    struct ptx_module *module = ptx_parse_usable(b->ptx, b->length, o->file, &error);
    char *message = NULL, text[600];
    int status = RUN_BUILD;
    if (!module) {
        fprintf(stderr, "grade run: %s:%u: %s\n", error.source_line ? error.source_file : o->file,
                error.source_line ? error.source_line : error.text_line, error.message);
        return status;
    }
    r->module = module;
    r->kernel = run_find_kernel(module, o->kernel, &message);
    if (!r->kernel)
        status = status_saying(RUN_USAGE, "run", "%s", message ? message : "out of memory");
    else if (device->measures && r->kernel->reasons) {
        message = run_why_not(module, r->kernel);
        status = status_saying(RUN_BUILD, "run", "%s", message ? message : "out of memory");
    } else if (device->measures && (!run_fits(r, text, sizeof text) || !run_schedule_exists(r, text, sizeof text)))
        status = status_saying(RUN_USAGE, "run", "%s", text);
    else if ((status = parse_arguments(r, o)) == RUN_CLEAN)
        status = listen_and_run(r, device, b);
    for (unsigned k = 0; k < RUN_MAX_ARGUMENTS; k++) run_argument_free(&r->argument[k]);
    for (unsigned k = 0; k < RUN_MAX_VARIABLES; k++) run_argument_free(&r->variable[k]);
    free(message);
    ptx_free(module);
    return status;
}
int run_command(int argc, char **argv, const struct run_place *place) {
    struct run_options o;
    const struct device *device;
    const struct compiler *compiler;
    run_options_parse(argc, argv, &o);
    int status = find_device(&o, &device);
    if (status == RUN_CLEAN) status = find_compiler(&o, place, &compiler);
    if (status != RUN_CLEAN) return status;
    struct run_build b = run_build(&o, place, compiler);
    if (b.log) fputs(b.log, stderr);
    struct run *r = calloc(1, sizeof *r);
    if (b.status != COMPILE_OK)
        status = b.status == COMPILE_SUBMISSION ? RUN_BUILD : RUN_SETUP;
    else if (!r)
        status = status_saying(RUN_SETUP, "run", "out of memory");
    else {
        r->options = &o, r->compiler = b.by ? compiler_name(b.by) : "";
        status = run_kernel(r, device, &b);
    }
    free(r);
    free(b.ptx);
    free(b.log);
    return status;
}
