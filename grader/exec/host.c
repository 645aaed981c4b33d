/* Findings in host code. Each kind is recorded once per site. */
#include "base/array.h"
#include "exec/serve.h"
#include "probes/measured.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *key, *title;
    enum finding_severity severity;
} kinds[] = {
#define HOST(id, key, severity, title) [HOST_##id] = {key, title, severity},
#include "exec/host.def"
};
enum { MAX_FINDINGS = 200 };

bool exec_is_error(enum exec_finding kind) { return kinds[kind].severity == FINDING_ERROR; }
const struct exec_site *exec_here(struct exec_session *s) {
    return exec_place(s->places, s->request->frame, s->request->frames);
}
const char *exec_at(const struct exec_site *s, char *out, size_t size) {
    out[0] = 0;
    if (s->file[0])
        snprintf(out, size, " at %s:%u", s->file, s->line);
    else if (s->function[0])
        snprintf(out, size, " in %s()", s->function);
    return out;
}
void exec_add_finding(struct exec_session *s, enum exec_finding kind, const struct exec_site *at, const char *format,
                      ...) {
    struct exec_host_finding f = {.kind = kind, .at = at ? *at : *exec_here(s), .count = 1};
    va_list values;
    va_start(values, format);
    vsnprintf(f.message, sizeof f.message, format, values);
    va_end(values);
    for (unsigned k = 0; k < s->hosts; k++) {
        struct exec_host_finding *have = &s->host[k];
        const bool same = f.at.line ? have->at.line == f.at.line && !strcmp(have->at.file, f.at.file)
                                    : !strcmp(have->message, f.message);
        if (have->kind == kind && same) {
            have->count++;
            return;
        }
    }
    struct exec_host_finding *all =
        s->hosts < MAX_FINDINGS ? array_room(s->host, s->hosts + 1, &s->hosts_room, sizeof *all) : NULL;
    if (!all) return;
    s->host = all;
    s->host[s->hosts++] = f;
}
json_t *exec_host_json(const struct exec_host_finding *f) {
    json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:I}", "kind", kinds[f->kind].key, "severity",
                          finding_severity_word(kinds[f->kind].severity), "title", kinds[f->kind].title, "message",
                          measured_text(f->message), "count", (json_int_t)f->count);
    if (f->at.file[0])
        json_object_set_new(o, "at",
                            json_pack("{s:o, s:i}", "file", measured_text(f->at.file), "line", (int)f->at.line));
    return o;
}

static const struct {
    int error;
    const char *name;
} errors[] = {
#define RUNTIME(number, name, text) {number, #name},
#define BOTH(number, name, driver, text) RUNTIME(number, name, text)
#include "exec/errors.def"
};
const char *exec_error_name(int error) {
    static char other[40];
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].error == error) return errors[k].name;
    snprintf(other, sizeof other, "error %d", error);
    return other;
}
