/* Runs a launch on the simulator and then under each tool, and creates a record (docs/hardware.md). */
#include "base/program.h"
#include "hardware/hardware.h"
#include "probes/measured.h"
#include "sandbox/process.h"
#include "record/status.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = RUN_MAX_ARGUMENTS + 24, SIMULATOR_SECONDS = 120, MAX_RECORD = 64 << 20 };

/* ---- the launch, as an argument vector ------------------------------------------------------ */
struct victim {
    char *word[MAX_WORDS + 1];
    unsigned count;
};
static void victim_word(struct victim *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void victim_word(struct victim *v, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (v->count < MAX_WORDS && vasprintf(&v->word[v->count], format, arguments) >= 0) v->count++;
    va_end(arguments);
}
static void victim_free(struct victim *v) {
    for (unsigned k = 0; k < v->count; k++) free(v->word[k]);
    *v = (struct victim){.count = 0};
}
static void add_shape(struct victim *v, const char *option, const uint32_t d[3]) {
    victim_word(v, "--%s=%ux%ux%u", option, d[0], d[1], d[2]);
}
/* Builds the command line of the launch, without --device. */
static struct victim launch_of(const struct run_options *o, const char *ptx) {
    char self[PATH_MAX];
    struct victim v = {.count = 0};
    if (!program_file(self)) program_path(self, sizeof self);
    victim_word(&v, "%s", self), victim_word(&v, "run"), victim_word(&v, "%s", ptx);
    if (o->kernel) victim_word(&v, "%s", o->kernel);
    add_shape(&v, "grid", o->grid), add_shape(&v, "block", o->block);
    if (o->cluster[0]) add_shape(&v, "cluster", o->cluster);
    victim_word(&v, "--shared=%u", o->shared), victim_word(&v, "--budget=%llu", (unsigned long long)o->budget);
    if (o->seeded) victim_word(&v, "--seed=%llu", (unsigned long long)o->seed);
    if (o->cooperative) victim_word(&v, "--cooperative");
    for (unsigned k = 0; k < o->arguments; k++) victim_word(&v, "--arg=%s", o->argument[k]);
    for (unsigned k = 0; k < o->sets; k++) victim_word(&v, "--set=%s", o->set[k]);
    victim_word(&v, "--print=0"), victim_word(&v, "--no-color");
    return v;
}

/* ---- results -------------------------------------------------------------------------- */
/* Returns the record of `./grade run` on the simulator and sets *status to the exit status. If the command wrote no
 * record, prints a message to standard error and returns NULL; *status is then neither RUN_CLEAN nor RUN_FINDINGS. */
static json_t *simulate(struct victim v, const char *folder, int *status) {
    char path[100];
    const struct process_limits limits = {.wall_seconds = SIMULATOR_SECONDS};
    snprintf(path, sizeof path, "%s/sim.json", folder);
    victim_word(&v, "--device=sim"), victim_word(&v, "--json=%s", path);
    struct process_result r = process_run((const char *const *)v.word, &limits);
    json_t *record = json_load_file(path, 0, NULL);
    *status = r.end == PROCESS_EXITED ? r.status : RUN_SETUP;
    if (!record) {
        if (*status == RUN_CLEAN || *status == RUN_FINDINGS) *status = RUN_SETUP;
        fputs(r.length ? r.output : "grade run: the simulator did not finish\n", stderr);
    }
    free(r.output);
    free(v.word[v.count - 2]), free(v.word[v.count - 1]);
    return record;
}
static void add_report(struct sanitizer_reports *r, const char *format, const char *a) {
    if (r->count == MAX_REPORTS) return;
    struct sanitizer_report *new = &r->item[r->count++];
    *new = (struct sanitizer_report){.count = 1};
    snprintf(new->title, sizeof new->title, format, a);
}
/* Runs the launch on the GPU without a tool and compares the bits of each buffer with the simulator's. */
static void run_alone(struct victim v, const char *folder, const json_t *simulated, struct tool_result *r) {
    char path[100];
    const struct process_limits limits = {.wall_seconds = TOOL_SECONDS};
    size_t k;
    json_t *a;
    snprintf(path, sizeof path, "%s/gpu.json", folder);
    victim_word(&v, "--device=cuda"), victim_word(&v, "--json=%s", path);
    struct process_result p = process_run((const char *const *)v.word, &limits);
    json_t *record = json_load_file(path, 0, NULL);
    const char *message = json_string_value(json_object_get(record, "message"));
    *r = (struct tool_result){.status = TOOL_RAN};
    if (p.end == PROCESS_TIMED_OUT || (message && strstr(message, "does not end")))
        r->status = TOOL_HUNG, snprintf(r->message, sizeof r->message, "the kernel does not end");
    else if (!record) {
        const char *why = p.output ? strstr(p.output, "grade run: ") : NULL;
        r->status = TOOL_NOT_LAUNCHED;
        if (why)
            snprintf(r->message, sizeof r->message, "%.*s", (int)strcspn(why + 11, "\n"), why + 11);
        else
            snprintf(r->message, sizeof r->message, "the command wrote no record");
    } else if (message && *message)
        add_report(&r->reports, "%.100s", message);
    else
        json_array_foreach(json_object_get(record, "arguments"), k, a) {
            const json_t *ours = json_array_get(json_object_get(simulated, "arguments"), k);
            const json_t *digest = json_object_get(a, "digest");
            if (digest && !json_equal(digest, json_object_get(ours, "digest")))
                add_report(&r->reports, "buffer `%.60s` differs from the simulator's",
                           json_string_value(json_object_get(a, "name")));
        }
    json_decref(record);
    free(p.output);
    free(v.word[v.count - 2]), free(v.word[v.count - 1]);
}
static json_t *counters_json(const struct counters *c) {
    static const char *const names[COUNTERS] = {
        [COUNTER_INSTRUCTIONS] = "warp_instructions",        [COUNTER_LANES] = "lane_instructions",
        [COUNTER_LOAD_REQUESTS] = "load_requests",           [COUNTER_STORE_REQUESTS] = "store_requests",
        [COUNTER_ATOMIC_REQUESTS] = "atomic_requests",       [COUNTER_LOAD_SECTORS] = "load_sectors",
        [COUNTER_STORE_SECTORS] = "store_sectors",           [COUNTER_ATOMIC_SECTORS] = "atomic_sectors",
        [COUNTER_SHARED_REQUESTS] = "shared_requests",       [COUNTER_SHARED_WAVEFRONTS] = "shared_wavefronts",
        [COUNTER_SHARED_CONFLICTS] = "shared_conflicts",     [COUNTER_BRANCHES] = "branches",
        [COUNTER_DIVERGENT_BRANCHES] = "divergent_branches", [COUNTER_OCCUPANCY_PERCENT] = "occupancy_percent"};
    json_t *o = json_object();
    for (unsigned k = 0; k < COUNTERS; k++)
        if (c->known[k]) json_object_set_new(o, names[k], json_real(c->value[k]));
    return o;
}
static json_t *reports_json(const struct sanitizer_reports *r) {
    json_t *all = json_array();
    for (unsigned k = 0; k < r->count; k++) {
        const struct sanitizer_report *i = &r->item[k];
        json_t *o = json_pack("{s:o, s:o, s:i, s:I}", "title", measured_text(i->title), "file", measured_text(i->file),
                              "line", (int)i->line, "count", (json_int_t)i->count);
        if (i->other) json_object_set_new(o, "other", json_integer(i->other));
        json_array_append_new(all, o);
    }
    return all;
}
static json_t *tool_json(enum hardware_tool tool, const struct tool_result *r) {
    json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "tool", tool_names[tool], "status", tool_status_words[r->status],
                          "version", measured_text(r->version), "message", measured_text(r->message));
    if (r->status != TOOL_RAN) return o;
    if (tool == TOOL_NCU)
        json_object_set_new(o, "counters", counters_json(&r->counters));
    else
        json_object_set_new(o, "findings", reports_json(&r->reports));
    return o;
}
/* Returns the number of divergent branches over all lines. */
static json_int_t splits(const json_t *simulated) {
    size_t k;
    json_t *line;
    json_int_t sum = 0;
    json_array_foreach(json_object_get(simulated, "lines"), k, line) sum +=
        json_integer_value(json_object_get(line, "splits"));
    return sum;
}
static json_t *simulated_json(const json_t *r) {
    return json_pack("{s:O, s:O, s:O, s:O, s:O, s:I}", "end", json_object_get(r, "end"), "message",
                     json_object_get(r, "message"), "findings", json_object_get(r, "findings"), "counts",
                     json_object_get(r, "counts"), "steps", json_object_get(r, "steps"), "splits", splits(r));
}
static bool write_ptx(const struct hardware_job *job, const char *path) {
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(job->ptx, 1, job->length, f) == job->length;
    if (f && fclose(f)) ok = false;
    return ok;
}
json_t *hardware_record(const struct hardware_job *job, const char *folder, int *status) {
    char ptx[100];
    struct tool_result *r = malloc(sizeof *r);
    json_t *tools = json_array();
    snprintf(ptx, sizeof ptx, "%s/kernel.ptx", folder);
    *status = RUN_SETUP;
    if (!r || !write_ptx(job, ptx))
        return fprintf(stderr, "grade: cannot write %s\n", ptx), free(r), json_decref(tools), NULL;
    struct victim v = launch_of(job->options, ptx);
    json_t *simulated = simulate(v, folder, status), *record = NULL;
    if (simulated)
        record = json_pack("{s:s, s:o, s:O, s:o, s:O, s:O, s:o, s:O}", "schema", "reduction-labs/hardware/3", "file",
                           measured_text(job->shown), "kernel", json_object_get(simulated, "kernel"), "what",
                           measured_text(job->what), "grid", json_object_get(simulated, "grid"), "block",
                           json_object_get(simulated, "block"), "simulator", simulated_json(simulated), "tools", tools);
    if (record && job->tools >> TOOL_RESULT & 1) {
        run_alone(v, folder, simulated, r);
        json_array_append_new(tools, tool_json(TOOL_RESULT, r));
    }
    victim_word(&v, "--device=cuda"), victim_word(&v, "--bare");
    for (unsigned t = TOOL_NCU; record && t < TOOLS; t++) {
        if (!(job->tools >> t & 1)) continue;
        tool_run(t, (const char *const *)v.word, folder, r);
        json_array_append_new(tools, tool_json(t, r));
        if (t != TOOL_NCU || r->status != TOOL_RAN) continue;
        json_object_set_new(record, "gpu", measured_text(r->counters.gpu));
        json_object_set_new(record, "compute_capability", measured_text(r->counters.compute_capability));
    }
    if (simulated && !record) *status = RUN_SETUP;
    json_decref(tools);
    json_decref(simulated);
    victim_free(&v);
    free(r);
    return record;
}
int hardware_status(const json_t *record) {
    size_t k;
    json_t *tool;
    bool found = run_end_of(json_object_get(record, "simulator")) != RUN_END_CLEAN;
    json_array_foreach(json_object_get(record, "tools"), k, tool) {
        const enum tool_status status = tool_status_of(tool);
        if (status != TOOL_RAN && status != TOOL_HUNG) return EXIT_SETUP;
        found |= status == TOOL_HUNG || json_array_size(json_object_get(tool, "findings"));
    }
    return found ? EXIT_PARTIAL : EXIT_FULL;
}
