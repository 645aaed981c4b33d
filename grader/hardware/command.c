/* `./grade run FILE KERNEL ... --hardware`: runs the launch of the command line under NVIDIA's tools. */
#include "base/file.h"
#include "record/status.h"
#include "hardware/hardware.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned hardware_tools(const char *names) {
    unsigned all = 0;
    if (!names) return (1u << TOOLS) - 1;
    for (size_t n; *names; names += n + (names[n] == ',')) {
        unsigned t = 0;
        n = strcspn(names, ",");
        while (t < TOOLS && (strlen(tool_names[t]) != n || strncmp(names, tool_names[t], n))) t++;
        if (t == TOOLS) return 0;
        all |= 1u << t;
    }
    return all;
}
int hardware_report(const struct hardware_job *job, const char *folder) {
    const char *no_color = getenv("NO_COLOR"), *path = job->options->json;
    const bool color = isatty(STDOUT_FILENO) && !job->options->no_color && !(no_color && *no_color);
    const bool to_stdout = path && !strcmp(path, "-");
    int status;
    json_t *record = hardware_record(job, folder, &status);
    if (!record) return status;
    status = hardware_status(record);
    if (!to_stdout && !hardware_page(record, stdout, color))
        status = status_saying(RUN_SETUP, NULL, "cannot write to standard output");
    FILE *f = !path ? NULL : to_stdout ? stdout : fopen(path, "w");
    bool ok = !path || (f && !json_dumpf(record, f, JSON_INDENT(2) | JSON_PRESERVE_ORDER) && fputc('\n', f) != EOF &&
                        !fflush(f));
    if (f && !to_stdout && fclose(f)) ok = false;
    if (!ok) status = status_saying(RUN_SETUP, NULL, "%s: cannot be written", path);
    json_decref(record);
    return status;
}
int hardware_run(int argc, char **argv, const struct run_place *place) {
    struct run_options o;
    char folder[FILE_TEMPORARY], message[500];
    const struct compiler *compiler = NULL;
    run_options_parse(argc, argv, &o);
    const unsigned tools = hardware_tools(o.tools);
    if (!tools)
        return status_saying(RUN_USAGE, NULL,
                             "no tool `%s`: the tools are result, ncu, memcheck, racecheck, synccheck, initcheck",
                             o.tools);
    const char *wanted = o.compiler ? o.compiler : place->compiler;
    if (!run_is_ptx(o.file) && !(compiler = compiler_find(wanted, message, sizeof message)))
        return status_saying(RUN_SETUP, NULL, "%s", message);
    struct run_build b = run_build(&o, place, compiler);
    if (b.log) fputs(b.log, stderr);
    int status = b.status == COMPILE_SUBMISSION ? RUN_BUILD : RUN_SETUP;
    if (b.status == COMPILE_OK && !file_temporary(folder))
        status = status_saying(RUN_SETUP, NULL, "cannot create a folder in /tmp");
    else if (b.status == COMPILE_OK) {
        status = hardware_report(
            &(struct hardware_job){
                .options = &o, .shown = o.file, .what = "", .ptx = b.ptx, .length = b.length, .tools = tools},
            folder);
        file_remove_folder(folder);
    }
    free(b.ptx);
    free(b.log);
    return status;
}
