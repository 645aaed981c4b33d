/* Finds NVIDIA's tools, runs them, and explains why a tool did not run. */
#include "base/file.h"
#include "hardware/hardware.h"
#include "sandbox/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const tool_names[TOOLS] = {"result", "ncu", "memcheck", "racecheck", "synccheck", "initcheck"};
const char *const tool_status_words[TOOL_STATUSES] = {"ran", "hung", "missing", "forbidden", "not-launched", "failed"};
enum { MAX_WORDS = 2 * RUN_MAX_ARGUMENTS, MAX_LOG = 32 << 20 };

enum hardware_tool tool_of(const json_t *result) {
    const char *name = json_string_value(json_object_get(result, "tool"));
    unsigned k = 0;
    while (k < TOOLS && strcmp(tool_names[k], name ? name : "")) k++;
    return k;
}
enum tool_status tool_status_of(const json_t *result) {
    const char *word = json_string_value(json_object_get(result, "status"));
    for (unsigned k = 0; k < TOOL_STATUSES; k++)
        if (word && !strcmp(tool_status_words[k], word)) return k;
    return TOOL_FAILED;
}

/* ---- finding a tool ------------------------------------------------------------------------ */
static const struct {
    const char *program, *package;
} programs[] = {{"ncu", "cuda-nsight-compute-13-0"}, {"compute-sanitizer", "cuda-sanitizer-13-0"}};
static char *find_tool(unsigned program) {
    char *path = process_find(programs[program].program), *beside = NULL;
    if (path || asprintf(&beside, "/usr/local/cuda/bin/%s", programs[program].program) < 0) return path;
    if (access(beside, X_OK) == 0) return beside;
    free(beside);
    return NULL;
}
/* Extracts the version from the tool's output, such as 2025.3.1.0 from "Version 2025.3.1.0 (build ...)". */
static void version_of(const char *path, char *out, size_t size) {
    const char *const argv[] = {path, "--version", NULL};
    const struct process_limits limits = {.wall_seconds = TOOL_SECONDS};
    const struct process_result r = process_run(argv, &limits);
    const char *at = r.output ? strstr(r.output, "Version ") : NULL;
    snprintf(out, size, "%.*s", at ? (int)strcspn(at + 8, " \n(") : 0, at ? at + 8 : "");
    free(r.output);
}

/* ---- why a tool did not run --------------------------------------------------------------------- */
/* Returns the rest of the line after `words`, or NULL if the text does not contain them. */
static const char *line_with(const char *text, const char *words, char *out, size_t size) {
    const char *at = text ? strstr(text, words) : NULL;
    if (!at) return NULL;
    at += strlen(words);
    snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
    return out;
}
static void tool_says(struct tool_result *r, enum tool_status status, const char *format, const char *a,
                      const char *b) {
    r->status = status;
    snprintf(r->message, sizeof r->message, format, a, b);
}
/* Returns the message of the command or the device (device/cuda.c) for a failed launch. */
static const char *refusal(const char *output, char *out, size_t size) {
    const char *said = line_with(output, "grade run: ", out, size);
    return said ? said : line_with(output, " cannot be launched: ", out, size);
}
static void why_not(struct tool_result *r, const struct process_result *p, const char *log, const char *parser) {
    char line[300];
    const char *output = p->output ? p->output : "";
    if (strstr(log, "ERR_NVGPUCTRPERM") || strstr(output, "ERR_NVGPUCTRPERM"))
        tool_says(r, TOOL_FORBIDDEN,
                  "the driver lets only administrators read the GPU's counters (ERR_NVGPUCTRPERM). Run this command "
                  "as root, or ask an administrator to add `options nvidia NVreg_RestrictProfilingToAdminUsers=0` to a "
                  "file in /etc/modprobe.d and reboot the machine. In a container, start the container with "
                  "--cap-add=SYS_ADMIN%s%s",
                  "", "");
    else if (refusal(output, line, sizeof line))
        tool_says(r, TOOL_NOT_LAUNCHED, "%s%s", line, "");
    else if (line_with(log, "==ERROR== ", line, sizeof line) || line_with(output, "==ERROR== ", line, sizeof line) ||
             line_with(log, "========= Error: ", line, sizeof line) ||
             line_with(output, "========= Error: ", line, sizeof line))
        tool_says(r, TOOL_FAILED, "%s%s", line, "");
    else
        tool_says(r, TOOL_FAILED, "%s%s", *parser ? parser : "the tool ended without printing a summary", "");
}

/* ---- a run ---------------------------------------------------------------------------------- */
static unsigned command_of(enum hardware_tool tool, const char *path, const char *log, const char *const *victim,
                           const char **words) {
    const char *const ncu[] = {
        path,        "--csv",           "--page",     "raw", "--print-units",     "base",
        "--metrics", ncu_metrics(),     "--log-file", log,   "--force-overwrite", "--target-processes",
        "all",       "--clock-control", "none",       NULL};
    const char *const sanitizer[] = {path, "--tool", tool_names[tool], "--log-file", log, NULL};
    const char *const *first = tool == TOOL_NCU ? ncu : sanitizer;
    unsigned n = 0;
    while (first[n]) words[n] = first[n], n++;
    for (unsigned k = 0; victim[k] && n + 1 < MAX_WORDS; k++) words[n++] = victim[k];
    words[n] = NULL;
    return n;
}
void tool_run(enum hardware_tool tool, const char *const *victim, const char *folder, struct tool_result *r) {
    const unsigned program = tool == TOOL_NCU ? 0 : 1;
    const char *words[MAX_WORDS];
    char log[100], line[300], parser[200] = "", *path = find_tool(program);
    memset(r, 0, sizeof *r);
    if (!path) {
        tool_says(r, TOOL_MISSING,
                  "%s is neither in PATH nor in /usr/local/cuda/bin. It comes with the CUDA Toolkit (NVIDIA's "
                  "package %s, or the package for your toolkit's version)",
                  programs[program].program, programs[program].package);
        return;
    }
    version_of(path, r->version, sizeof r->version);
    snprintf(log, sizeof log, "%s/%s.log", folder, tool_names[tool]);
    command_of(tool, path, log, victim, words);
    const struct process_limits limits = {.wall_seconds = TOOL_SECONDS, .temporary = NULL};
    struct process_result p = process_run(words, &limits);
    char *text = file_read(log, 0, MAX_LOG, NULL);
    bool ran = false;
    if (text && tool == TOOL_NCU) ran = ncu_parse(text, &r->counters, parser, sizeof parser);
    if (text && tool != TOOL_NCU) sanitizer_parse(text, &r->reports), ran = r->reports.ended;
    if (p.end == PROCESS_TIMED_OUT && !ran)
        r->status = TOOL_HUNG, snprintf(r->message, sizeof r->message,
                                        "stopped after %d seconds: the kernel probably does not end", TOOL_SECONDS);
    else if (!ran || (!r->reports.count && tool != TOOL_NCU && refusal(p.output, line, sizeof line)))
        why_not(r, &p, text ? text : "", parser);
    free(text);
    free(p.output);
    free(path);
}
