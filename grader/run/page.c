/* Prints the record of a run as a page of at most 80 columns that is readable without color. */
#include "report/page.h"
#include "run/run.h"
#include <stdlib.h>
#include <string.h>

static long long dimension(const json_t *o, const char *key, size_t k) {
    return (long long)json_integer_value(json_array_get(json_object_get(o, key), k));
}
static void shape(const struct page *p, const json_t *record, const char *key) {
    fprintf(p->out, "%s %lld", key, dimension(record, key, 0));
    if (dimension(record, key, 1) > 1 || dimension(record, key, 2) > 1)
        fprintf(p->out, "x%lld", dimension(record, key, 1));
    if (dimension(record, key, 2) > 1) fprintf(p->out, "x%lld", dimension(record, key, 2));
}
static void head(const struct page *p, const json_t *record) {
    fprintf(p->out, "%s%s: %s%s, ", page_begin(p, BOLD), page_string(record, "file"), page_string(record, "kernel"),
            page_end(p));
    shape(p, record, "grid");
    fputs(", ", p->out);
    shape(p, record, "block");
    if (json_object_get(record, "cluster")) fputs(", ", p->out), shape(p, record, "cluster");
    const json_t *blocks = json_object_get(record, "blocks");
    if (blocks)
        fprintf(p->out, ", of which block%s %s", page_integer(blocks, "count") == 1 ? "" : "s",
                page_string(blocks, "list"));
    if (page_integer(record, "dynamic_shared"))
        fprintf(p->out, ", %lld bytes of dynamic shared memory", page_integer(record, "dynamic_shared"));
    fputc('\n', p->out);
    if (*page_string(record, "compiler")) {
        const char *options = page_string(record, "options");
        fprintf(p->out, "compiled by %s%s%s, ", page_string(record, "compiler"), *options ? " " : "", options);
    }
    const bool ordered = json_object_get(record, "counts") && !json_is_true(json_object_get(record, "shuffled"));
    fprintf(p->out, "run on %s, seed %s%s\n", page_string(record, "device"), page_string(record, "seed"),
            ordered ? ", blocks and warps in ascending order" : "");
}

/* ---- arguments and results ------------------------------------------------------------------ */
static const struct run_type *type_of(const json_t *argument) {
    for (unsigned k = 0; k < run_type_count; k++)
        if (!strcmp(run_types[k].name, page_string(argument, "type"))) return &run_types[k];
    return NULL;
}
static const char *value_text(const struct run_type *t, const json_t *v, char *out, size_t size) {
    uint8_t value[8];
    const json_int_t i = json_integer_value(v);
    if (json_is_null(v)) return "?";
    if (json_is_string(v)) return json_string_value(v);
    memcpy(value, &i, sizeof value);
    if (t->kind == RUN_FLOAT) run_store_float(t, json_number_value(v), value);
    return run_value_text(t, value, out, size);
}
/* Prints values in lines of at most PAGE_WIDTH columns. Each line begins with the index of its first value. Returns
 * whether any value is unknown. */
static bool values(const struct page *p, const struct run_type *t, const json_t *all, long long first) {
    size_t k;
    json_t *v;
    int column = 0;
    bool open = false;
    json_array_foreach(all, k, v) {
        char number[48];
        const char *text = value_text(t, v, number, sizeof number);
        if (!column || column + 1 + (int)strlen(text) > PAGE_WIDTH) {
            if (column) fputc('\n', p->out);
            column = fprintf(p->out, "      %s[%lld]%s", page_begin(p, FAINT), first + (long long)k, page_end(p));
            if (p->color) column -= (int)(strlen(page_begin(p, FAINT)) + strlen(page_end(p)));
        }
        column += fprintf(p->out, " %s", text);
        open = open || json_is_null(v);
    }
    if (column) fputc('\n', p->out);
    return open;
}
static int width_of(const json_t *all) {
    size_t k;
    json_t *a;
    int width = 4;
    json_array_foreach(all, k, a) {
        const int own = (int)strlen(page_string(a, "name")), inner = width_of(json_object_get(a, "fields"));
        if (own > width) width = own;
        if (inner > width) width = inner;
    }
    return width;
}
/* Prints the written elements of a large buffer as runs of adjacent elements, each with the index of its first element.
 * Returns whether any value is unknown. */
static bool spans(const struct page *p, const struct run_type *t, const json_t *all) {
    size_t k;
    json_t *s;
    bool open = false;
    json_array_foreach(all, k, s) open = values(p, t, json_object_get(s, "values"), page_integer(s, "at")) || open;
    return open;
}
/* Prints a list of arguments or variables with their values. Returns whether any value is unknown, which prints as
 * `?`. */
static bool rows(const struct page *p, const json_t *all, int width) {
    size_t k;
    json_t *a;
    bool open = false;
    json_array_foreach(all, k, a) {
        const struct run_type *t = type_of(a);
        const json_t *first = json_object_get(a, "first"), *last = json_object_get(a, "last"),
                     *first_spans = json_object_get(a, "first_spans"), *last_spans = json_object_get(a, "last_spans");
        fprintf(p->out, "  %-*s  ", width, page_string(a, "name"));
        if (*page_string(a, "text"))
            fprintf(p->out, "%s", page_string(a, "text"));
        else
            fprintf(p->out, "%s[%lld]", page_string(a, "type"), page_integer(a, "count"));
        if (json_is_true(json_object_get(a, "unset")))
            fprintf(p->out, "   not set, so the kernel read 0 (--set %s=VALUE)", page_string(a, "name"));
        if (first || first_spans)
            fprintf(p->out, "   %lld of %lld written", page_integer(a, "written"), page_integer(a, "count"));
        fputc('\n', p->out);
        open = rows(p, json_object_get(a, "fields"), width) || open;
        if (!t) continue;
        if (values(p, t, first, 0) || spans(p, t, first_spans)) open = true;
        if (last || last_spans) fprintf(p->out, "      ...\n");
        if (spans(p, t, last_spans)) open = true;
        if (last && values(p, t, last, page_integer(a, "count") - (long long)json_array_size(last))) open = true;
    }
    return open;
}
/* Prints the section on the kernel's arguments or on the module's variables. */
static void arguments(const struct page *p, const json_t *all) {
    if (json_array_size(all)) fputc('\n', p->out);
    if (rows(p, all, width_of(all))) fprintf(p->out, "    ? was never written\n");
}

/* ---- counts --------------------------------------------------------------------------------- */
static void counts(const struct page *p, const json_t *record) {
    static const struct {
        const char *key, *text;
    } rows[] = {{"warp_instructions", "warp-instructions"},
                {"barriers", "barriers"},
                {"global_sectors", "sectors of global memory"},
                {"global_ideal_sectors", "  of which needed for the bytes"},
                {"shared_wavefronts", "shared-memory wavefronts"},
                {"shared_ideal_wavefronts", "  of which needed without bank conflicts"}};
    const json_t *c = json_object_get(record, "counts");
    if (json_object_get(record, "nanoseconds"))
        fprintf(p->out, "\n  %.1f microseconds\n", 1e-3 * json_real_value(json_object_get(record, "nanoseconds")));
    if (!page_integer(c, "launches")) return; /* the launch was rejected, or the device does not count */
    fprintf(p->out, "\n  Counts of the launch\n");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        fprintf(p->out, "    %-40s %12lld\n", rows[k].text, page_integer(c, rows[k].key));
    fprintf(p->out, "    %-40s %11.0f%%\n", "SIMD efficiency",
            100 * json_real_value(json_object_get(c, "simd_efficiency")));
}
static void steps(const struct page *p, const json_t *record) {
    const json_t *all = json_object_get(record, "steps");
    const long long threads =
        dimension(record, "block", 0) * dimension(record, "block", 1) * dimension(record, "block", 2);
    if (!json_array_size(all)) return;
    fprintf(p->out, "\n  Steps of block %lld\n\n", page_integer(json_object_get(record, "blocks"), "observed"));
    page_steps(p, all, threads);
}
/* Prints a table of source lines for each file. */
static void lines(const struct page *p, const json_t *record) {
    const json_t *rest = json_object_get(record, "lines"), *source = json_object_get(record, "source");
    while (json_array_size(rest)) {
        const char *file = page_string(json_array_get(rest, 0), "file");
        json_t *own = json_array(), *others = json_array(), *l;
        size_t k;
        json_array_foreach(rest, k, l) json_array_append(strcmp(page_string(l, "file"), file) ? others : own, l);
        fprintf(p->out, "\n  %s%s%s", page_begin(p, BOLD), file, page_end(p));
        page_lines(p, own, source, file);
        json_decref(own);
        if (rest != json_object_get(record, "lines")) json_decref((json_t *)rest);
        rest = others;
    }
    if (rest != json_object_get(record, "lines")) json_decref((json_t *)rest);
}

bool run_page(const json_t *original, FILE *out, bool color) {
    const struct page p = {out, color, TERMS_ALL};
    json_t *record = page_safe_copy(original), *f;
    const json_t *findings = json_object_get(record, "findings"), *source = json_object_get(record, "source");
    const size_t count = json_array_size(findings);
    size_t k;
    head(&p, record);
    arguments(&p, json_object_get(record, "arguments"));
    arguments(&p, json_object_get(record, "variables"));
    if (*page_string(record, "printed")) {
        fprintf(out, "\n  The kernel printed\n");
        page_wrapped(&p, 4, page_string(record, "printed"));
    }
    json_array_foreach(findings, k, f) page_finding(&p, f, NULL, source);
    counts(&p, record);
    steps(&p, record);
    lines(&p, record);
    fputc('\n', out);
    if (*page_string(record, "message")) page_wrapped(&p, 0, page_string(record, "message"));
    if (count)
        fprintf(out, "%s%zu finding%s%s\n", page_begin(&p, RED), count, count == 1 ? "" : "s", page_end(&p));
    else if (run_end_of(record) == RUN_END_CLEAN)
        fprintf(out, "%s%s%s\n", page_begin(&p, GREEN),
                json_object_get(record, "counts") ? "no findings" : "ran to its end", page_end(&p));
    json_decref(record);
    return fflush(out) == 0;
}
