/* Creates the record of a session (schema reduction-labs/exec/1, docs/exec.md) and prints its report. */
#include "exec/serve.h"
#include "probes/measured.h"
#include "report/page.h"
#include "run/run.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *const checks_words[] = {"none", "fast", "all"};

/* ---- the record -------------------------------------------------------------------------------- */
static json_t *kernels_json(const struct exec_session *s) {
    json_t *all = json_array();
    char plain[256];
    for (unsigned k = 0; k < s->kernels; k++) {
        const struct exec_launched *l = &s->kernel[k];
        if (!l->launches) continue;
        json_t *o = json_pack("{s:o, s:s, s:I, s:I}", "kernel",
                              measured_text(finding_source_name(l->function->name, plain, sizeof plain)), "symbol",
                              l->function->name, "launches", (json_int_t)l->launches, "warp_instructions",
                              (json_int_t)l->warp_instructions);
        if (l->timed) json_object_set_new(o, "modeled_nanoseconds", json_real(l->nanoseconds));
        json_array_append_new(all, o);
    }
    return all;
}
static const char *launch_of(const struct exec_session *s, const struct finding *f) {
    for (unsigned k = 0; k < s->origin_count; k++) {
        const struct finding *t = &s->origins[k].finding;
        if (t->kind == f->kind && t->at.line == f->at.line && t->at.pc == f->at.pc && !strcmp(t->object, f->object))
            return s->origins[k].where;
    }
    for (unsigned k = 0; k < s->origin_count; k++) /* the list now contains another occurrence of the finding */
        if (s->origins[k].finding.kind == f->kind && s->origins[k].finding.at.line == f->at.line)
            return s->origins[k].where;
    return NULL;
}
static void add_source(const struct exec_session *s, struct run_sources **from, json_t *source, const json_t *site) {
    char key[400];
    const char *file = json_string_value(json_object_get(site, "file"));
    const uint32_t line = (uint32_t)json_integer_value(json_object_get(site, "line"));
    const char *text = NULL;
    for (unsigned k = 0; file && !text && k < s->modules; k++)
        if (from[k]) text = run_source_line(from[k], file, line);
    if (!text) return;
    snprintf(key, sizeof key, "%s:%u", file, line);
    json_object_set_new(source, key, measured_text(text));
}
/* Returns the path of a finding's source file. `name` points to the file's name at the end of the path. */
static const char *path_of(const struct exec_session *s, const char *name) {
    for (unsigned k = 0; name && k < s->modules; k++)
        for (uint32_t n = 0; s->module[k]->ptx && n < s->module[k]->ptx->file_count; n++) {
            const char *path = s->module[k]->ptx->files[n];
            if (path && name >= path && name < path + strlen(path)) return path;
        }
    return name;
}
/* Returns whether to report the finding. Omits three kinds. First, heap memory that was not freed, if the program did
 * not end normally or if it reset the device, which frees the heap. Second, uninitialized variables in headers of CUB
 * and Thrust, which copy the unused elements of incomplete tiles. Third, writes in these headers to data that another
 * block has read: an in-place algorithm overwrites data only after a counter shows that they have been used. */
static bool is_told(const struct exec_session *s, const struct finding *f) {
    if (!strcmp(f->kind->key, "heap-leak")) return s->said_bye && !s->sticky && !s->was_reset;
    if (!exec_of_toolkit(path_of(s, f->at.file))) return true;
    if (f->read_first && f->other.file && exec_of_toolkit(path_of(s, f->other.file))) return false;
    return strcmp(f->kind->key, "uninitialized-local") != 0;
}
static json_t *findings_json(const struct exec_session *s, json_t *source) {
    json_t *all = json_array();
    struct run_sources **from = calloc(s->modules + 1, sizeof *from);
    for (unsigned k = 0; from && k < s->modules; k++)
        if (s->module[k]->ptx) from[k] = run_sources_new(s->module[k]->ptx);
    for (unsigned k = 0; k < s->found.findings.count; k++) {
        const struct finding *f = &s->found.findings.item[k];
        if (!is_told(s, f)) continue;
        json_t *o = measured_finding(f, TERMS_ALL, NULL, NULL);
        const char *launch = launch_of(s, f);
        if (launch) json_object_set_new(o, "launch", measured_text(launch));
        if (from) add_source(s, from, source, json_object_get(o, "at"));
        if (from && json_object_get(o, "other")) add_source(s, from, source, json_object_get(o, "other"));
        json_array_append_new(all, o);
    }
    for (unsigned k = 0; from && k < s->modules; k++) run_sources_free(from[k]);
    free(from);
    return all;
}
static json_t *hosts_json(const struct exec_session *s, json_t *source) {
    json_t *all = json_array();
    for (unsigned k = 0; k < s->hosts; k++) {
        const struct exec_host_finding *f = &s->host[k];
        char key[300], *text = exec_source_line(f->at.path, f->at.line);
        snprintf(key, sizeof key, "%s:%u", f->at.file, f->at.line);
        if (text) json_object_set_new(source, key, measured_text(text));
        free(text);
        json_array_append_new(all, exec_host_json(f));
    }
    return all;
}
static unsigned errors_of(const struct exec_session *s) {
    unsigned n = 0;
    for (unsigned k = 0; k < s->found.findings.count; k++)
        n += is_told(s, &s->found.findings.item[k]) && s->found.findings.item[k].kind->severity == FINDING_ERROR;
    for (unsigned k = 0; k < s->hosts; k++) n += exec_is_error(s->host[k].kind);
    return n;
}
static void end_text(const struct exec_session *s, int status, char *out, size_t size) {
    out[0] = 0;
    if (exec_interrupted)
        snprintf(out, size, "The program was stopped by Ctrl-C. The report covers the work done so far.");
    else if (s->missing[0])
        snprintf(out, size,
                 "The program calls %s(), which the simulator's library does not provide%s%s. docs/exec.md lists the "
                 "supported calls.",
                 s->missing, s->missing_about[0] ? ": it is for " : "", s->missing_about);
    else if (WIFSIGNALED(status))
        snprintf(out, size, "The program was killed by signal %d (%s)%s.", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), s->crash);
    else if (WEXITSTATUS(status) > 128 && WEXITSTATUS(status) < 128 + 65)
        snprintf(out, size, "The program was killed by signal %d (%s)%s.", WEXITSTATUS(status) - 128,
                 strsignal(WEXITSTATUS(status) - 128), s->crash);
    else if (WEXITSTATUS(status))
        snprintf(out, size, "The program exited with status %d.", WEXITSTATUS(status));
}
json_t *exec_record_of(struct exec_session *s, const char *program, int status) {
    char text[500];
    json_t *source = json_object();
    measure_end(&s->found);
    json_t *findings = findings_json(s, source), *host = hosts_json(s, source);
    end_text(s, status, text, sizeof text);
    const int end = exec_interrupted ? EXEC_STOPPED
                    : s->missing[0]  ? EXEC_ABSENT
                    : errors_of(s)   ? EXEC_FINDINGS
                    : status         ? EXEC_PROGRAM
                                     : EXEC_CLEAN;
    return json_pack("{s:s, s:o, s:s, s:i, s:s, s:I, s:I, s:o, s:o, s:o, s:I, s:o}", "schema", "reduction-labs/exec/1",
                     "program", measured_text(program), "checks", checks_words[s->options->checks], "status", end,
                     "message", text, "launches", (json_int_t)s->launches, "launches_by_kernels",
                     (json_int_t)s->by_kernels, "kernels", kernels_json(s), "findings", findings, "host", host,
                     "findings_dropped", (json_int_t)s->found.findings.dropped, "source", source);
}

/* ---- the page ----------------------------------------------------------------------------------- */
static void number(FILE *out, long long n, int width) {
    char digits[32], spaced[48];
    int at = 0;
    snprintf(digits, sizeof digits, "%lld", n);
    for (size_t k = 0, length = strlen(digits); k < length; k++) {
        if (k && (length - k) % 3 == 0) spaced[at++] = ' ';
        spaced[at++] = digits[k];
    }
    spaced[at] = 0;
    fprintf(out, "%*s", width, spaced);
}
static void kernels(const struct page *p, const json_t *all) {
    size_t k;
    json_t *o;
    if (!json_array_size(all)) return;
    fprintf(p->out, "\n  %-32s %9s %18s %14s\n", "kernel", "launches", "warp-instructions", "modeled time");
    json_array_foreach(all, k, o) {
        const json_t *time = json_object_get(o, "modeled_nanoseconds");
        fprintf(p->out, "  %-32.32s %9lld ", page_string(o, "kernel"), page_integer(o, "launches"));
        number(p->out, page_integer(o, "warp_instructions"), 18);
        if (time) fprintf(p->out, " %11.1f us", json_real_value(time) / 1000);
        fputc('\n', p->out);
    }
}
void exec_page(const json_t *original, FILE *out, bool color) {
    const struct page p = {out, color, TERMS_ALL};
    json_t *record = page_safe_copy(original), *f;
    const json_t *findings = json_object_get(record, "findings"), *host = json_object_get(record, "host"),
                 *source = json_object_get(record, "source");
    const size_t count = json_array_size(findings) + json_array_size(host);
    const long long launches = page_integer(record, "launches"), more = page_integer(record, "launches_by_kernels");
    char made[60] = "";
    size_t k;
    if (more) snprintf(made, sizeof made, " and %lld by kernels", more);
    fprintf(out, "\n%s%s%s: %lld launch%s%s, checks: %s\n", page_begin(&p, BOLD), page_string(record, "program"),
            page_end(&p), launches, launches == 1 ? "" : "es", made, page_string(record, "checks"));
    kernels(&p, json_object_get(record, "kernels"));
    json_array_foreach(findings, k, f) page_finding(&p, f, NULL, source);
    json_array_foreach(host, k, f) page_finding(&p, f, NULL, source);
    fputc('\n', out);
    page_wrapped(&p, 0, page_string(record, "message"));
    if (count)
        fprintf(out, "%s%zu finding%s%s\n", page_begin(&p, RED), count, count == 1 ? "" : "s", page_end(&p));
    else
        fprintf(out, "%sno findings%s\n", page_begin(&p, GREEN), page_end(&p));
    if (page_integer(record, "findings_dropped")) fprintf(out, "and more at other locations, not listed here\n");
    json_decref(record);
    fflush(out);
}
