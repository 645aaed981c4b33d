/* Compiles the programs of a grade, loads them onto devices, and finds their kernels. See judge.h. */
#include "device/worker.h"
#include "judge/figures.h"
#include "judge/judge.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void program_unload(const struct judge *j, struct program *p) {
    for (unsigned k = 0; k < p->text.count; k++) {
        if (p->module[k]) p->device->unload(p->module[k]);
        if (p->on_gpu[k]) j->options->gpu->unload(p->on_gpu[k]);
        p->module[k] = p->on_gpu[k] = NULL;
    }
}
void program_free(const struct judge *j, struct program *p) {
    program_unload(j, p);
    for (unsigned k = 0; p->symbol && k < j->lab->kernel_count * VARIANT_COUNT; k++) free(p->symbol[k]);
    free(p->symbol);
    free(p->named);
    compiled_free(&p->text);
}
bool program_find_named(const struct judge *j, struct program *p) {
    const unsigned all = j->lab->kernel_count * VARIANT_COUNT;
    p->named = calloc(all, sizeof *p->named);
    for (unsigned t = 0; p->named && t < p->text.count; t++) {
        struct outline *o = outline_of(p->text.ptx[t]);
        if (!o) return false;
        for (unsigned k = 0; k < all; k++)
            if (p->symbol[k] && p->text.of_variant[k % VARIANT_COUNT] == t) named_of(o, p->symbol[k], &p->named[k]);
        free(o);
    }
    return p->named;
}
/* Searches for each symbol once, because the PTX is long, and the cases of several checks need the symbols. */
bool program_find_symbols(const struct judge *j, struct program *p) {
    char symbol[256];
    p->symbol = calloc(j->lab->kernel_count * VARIANT_COUNT, sizeof *p->symbol);
    for (unsigned k = 0; p->symbol && k < j->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++)
            if (case_kernel_takes(j->lab, &j->lab->kernels[k], variant_at(v)) &&
                compiled_symbol(p->text.ptx[p->text.of_variant[v]], variant_at(v), j->lab->kernels[k].name, symbol,
                                sizeof symbol))
                p->symbol[k * VARIANT_COUNT + v] = strdup(symbol);
    return p->symbol && (p != &j->student || program_find_named(j, p));
}
const struct immediates *program_integers(const struct judge *j, const struct lab_kernel *k, struct variant v) {
    const struct named *named = j->own ? NULL : program_named(j, k->name, v);
    return named ? &named->integers : NULL;
}
/* Replaces PTX names in a message with names of the source: `_ZN7sum_i326oracleEj` becomes `oracle`. */
static void plain_names(const char *message, char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (const char *s = message; *s && used + 1 < size;) {
        char name[300], plain[300];
        const size_t n = strspn(s, "_$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        if (n && n < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)n, s);
            used += (size_t)snprintf(out + used, size - used, "%s", finding_source_name(name, plain, sizeof plain));
        } else
            used += (size_t)snprintf(out + used, size - used, "%.*s", (int)(n ? n : 1), s);
        s += n ? n : 1;
    }
}
static enum device_status load_program(const struct judge *j, struct program *p, unsigned k, const char *shown,
                                       struct device_error *e) {
    enum device_status s = p->device->load(p->text.ptx[k], p->text.length[k], shown, &p->module[k], e);
    if (s == DEVICE_SETUP && p->device == &device_worker) /* try once more */
        s = p->device->load(p->text.ptx[k], p->text.length[k], shown, &p->module[k], e);
    const struct device *gpu = j->options->gpu;
    return s == DEVICE_OK && gpu ? gpu->load(p->text.ptx[k], p->text.length[k], shown, &p->on_gpu[k], e) : s;
}
/* The PTX texts of a program, which several threads load. */
struct loading {
    const struct judge *j;
    struct program *p;
    const char *shown;
    enum device_status status[VARIANT_COUNT];
    struct device_error error[VARIANT_COUNT];
};
static void load_from(struct loading *l, unsigned first, unsigned end) {
    for (unsigned k = first; k < end; k++) l->status[k] = load_program(l->j, l->p, k, l->shown, &l->error[k]);
}
static void *load_first(void *context) { return load_from(context, 0, 1), NULL; }
enum compile_status program_load(const struct judge *j, struct program *p, const char *shown, char *message,
                                 size_t size) {
    struct loading *l = calloc(1, sizeof *l);
    enum compile_status status = COMPILE_OK;
    pthread_t other;
    if (!l) return snprintf(message, size, "out of memory"), COMPILE_SETUP;
    *l = (struct loading){.j = j, .p = p, .shown = shown};
    const bool two = p->text.count > 1 && p->device != &device_worker && !j->options->gpu &&
                     !pthread_create(&other, NULL, load_first, l);
    load_from(l, two, p->text.count);
    if (two) pthread_join(other, NULL);
    for (unsigned k = 0; k < p->text.count && status == COMPILE_OK; k++) {
        if (l->status[k] == DEVICE_OK) continue;
        const char *said = l->error[k].message;
        const bool own = !strncmp(said, "reduce.cu:", 10);
        char plain[sizeof l->error[k].message];
        plain_names(said + (own ? 9 : 0), plain, sizeof plain);
        snprintf(message, size, "%s%s\n", own ? shown : "", plain);
        status = l->status[k] == DEVICE_SUBMISSION ? COMPILE_SUBMISSION : COMPILE_SETUP;
    }
    free(l);
    return status;
}
/* Returns the variants to compile: that of the selected case, or 0 for all. */
static uint32_t needed(const struct judge *j) {
    struct grade_case c;
    const char *only = j->options->only_case;
    return only && case_parse(j->lab, only, &c) ? 1u << variant_index(c.variant) : 0;
}
static struct compile_request request_of(const struct judge *j, const char *source, const char *shown, bool solution,
                                         bool student) {
    const struct judge_options *o = j->options;
    return (struct compile_request){.source = source,
                                    .shown = shown,
                                    .root = o->root,
                                    .cache = o->cache,
                                    .variants = j->lab->variants,
                                    .needed = needed(j),
                                    .solution = solution,
                                    .own = j->own ? j->own->text : NULL,
                                    .own_shown = o->own_shown,
                                    .sandbox = o->sandbox && student,
                                    .ahead = student ? j->ahead : NULL};
}
struct compile_ahead *program_build_ahead(const struct judge *j) {
    const struct judge_options *o = j->options;
    const struct compile_request r = request_of(j, o->submission, o->shown, o->solution, true);
    return compile_start(o->compiler, &r);
}
enum compile_status program_build(const struct judge *j, struct program *p, const char *source, const char *shown,
                                  bool solution, char *message, size_t size) {
    const struct judge_options *o = j->options;
    const struct compile_request r = request_of(j, source, shown, solution, p == &j->student);
    p->device = r.sandbox ? &device_worker : o->device;
    p->text = compile(o->compiler, &r);
    if (p->text.status != COMPILE_OK) {
        snprintf(message, size, "%s", p->text.log ? p->text.log : "");
        return p->text.status;
    }
    for (unsigned k = 0; k < p->text.count && !solution; k++) {
        char said[400];
        if (assembly_allowed(j->lab->assembly, p->text.source_text, p->text.ptx[k], said, sizeof said)) continue;
        snprintf(message, size, "%s:%s\n", shown, said);
        return COMPILE_SUBMISSION;
    }
    if (!program_find_symbols(j, p)) return snprintf(message, size, "out of memory"), COMPILE_SETUP;
    const bool later = p == &j->reference && !o->gpu && figures_are_kept(j);
    return later ? COMPILE_OK : program_load(j, p, shown, message, size);
}
