/* Prints optional parts of the report for a terminal: the lane map, explanations, and counts side by side. See
 * views.h. */
#include "report/views.h"
#include "probes/catalog.h"
#include <stdint.h>
#include <string.h>

/* ---- --lanes: steps across, warps down --------------------------------------------------------------------------- */
enum { BAND = 12 /* number of steps that fit into 80 columns */, GROUP = 8 /* lanes per character */ };

static unsigned ones(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }
static uint32_t mask_at(const json_t *step, const char *key, size_t warp) {
    return (uint32_t)json_integer_value(json_array_get(json_object_get(step, key), warp));
}
static bool diverges(const json_t *step, size_t warp) {
    return json_integer_value(json_array_get(json_object_get(step, "divergent"), warp)) != 0;
}
static void cell(const struct page *p, const json_t *step, size_t warp) {
    const uint32_t active = mask_at(step, "active", warp);
    const bool diverged = diverges(step, warp);
    fprintf(p->out, " %s", page_begin(p, diverged ? RED : active ? GREEN : FAINT));
    for (unsigned group = 0; group < 32; group += GROUP) {
        const unsigned n = ones(active >> group & 0xff);
        fputc(n == GROUP ? '#' : n ? '+' : '.', p->out);
    }
    fprintf(p->out, "%c%s", diverged ? '!' : ' ', page_end(p));
}
static void line_of(const struct page *p, const json_t *step) {
    const long long line = page_integer(step, "line");
    if (line)
        fprintf(p->out, " %-5lld", line);
    else
        fprintf(p->out, " %-5s", "-"); /* no branch diverges in this step */
}
static void headings(const struct page *p, const json_t *steps, size_t first, size_t last) {
    fputs("  step ", p->out);
    for (size_t k = first; k < last; k++) fprintf(p->out, " %-5zu", k);
    fputs("\n       ", p->out);
    for (size_t k = first; k < last; k++) fprintf(p->out, " %-5.5s", page_string(json_array_get(steps, k), "kind"));
    fputs("\n  line ", p->out);
    for (size_t k = first; k < last; k++) line_of(p, json_array_get(steps, k));
    fputc('\n', p->out);
}
void view_lanes(const struct page *p, const json_t *record) {
    const json_t *map = json_object_get(json_object_get(record, "pictures"), "lane_map"),
                 *steps = json_object_get(map, "steps");
    const long long all = page_integer(map, "warps"), warps = all > 32 ? 32 : all;
    const size_t count = json_array_size(steps);
    if (!count) {
        fputs("\n  There is no lane map: no block of this kernel executed a step.\n", p->out);
        return;
    }
    fprintf(p->out, "\n  Lane map of a block, %s\n", page_string(map, "case"));
    fputs("  Steps across, warps down; 8 lanes per character: # all active, + some, . none;\n  ! marks a warp that "
          "diverged.\n",
          p->out);
    for (size_t first = 0; first < count; first += BAND) {
        const size_t last = first + BAND < count ? first + BAND : count;
        fputc('\n', p->out);
        headings(p, steps, first, last);
        for (size_t warp = 0; warp < (size_t)warps; warp++) {
            fprintf(p->out, "warp %-2zu", warp);
            for (size_t k = first; k < last; k++) cell(p, json_array_get(steps, k), warp);
            fputc('\n', p->out);
        }
    }
}

/* ---- --explain --------------------------------------------------------------------------------------------------- */
static const struct {
    const char *key, *text, *plain;
} explanations[] = {
#define EXPLAIN(key, text) {key, text, text},
#define EXPLAIN_PLAIN(key, text, plain) {key, text, plain},
#include "report/explain.def"
#undef EXPLAIN
#undef EXPLAIN_PLAIN
};
const char *view_explanation(const char *key, unsigned taught) {
    const struct finding_kind *kind = catalog_finding(key);
    if (kind) return catalog_words(kind, taught).explanation;
    for (size_t k = 0; k < sizeof explanations / sizeof *explanations; k++)
        if (!strcmp(explanations[k].key, key)) return terms_choose(taught, explanations[k].text, explanations[k].plain);
    return NULL;
}
static void explain(const struct page *p, const char *key, const char *title, json_t *said) {
    const char *text = view_explanation(key, p->taught);
    if (!text || json_object_get(said, key)) return;
    json_object_set_new(said, key, json_true());
    fprintf(p->out, "\n  %s%s%s\n", page_begin(p, BOLD), title, page_end(p));
    page_wrapped(p, 4, text);
}
/* Explains each kind of finding once, and then the checks that failed without a finding. */
void view_explanations(const struct page *p, const json_t *record) {
    json_t *said = json_object(), *t, *f;
    size_t k, n;
    const json_t *tests = json_object_get(record, "tests");
    json_array_foreach(tests, k, t) json_array_foreach(json_object_get(t, "findings"), n, f)
        explain(p, page_string(f, "kind"), page_string(f, "title"), said);
    json_array_foreach(tests, k,
                       t) if (check_status_of(t) == STATUS_FAIL && !json_array_size(json_object_get(t, "findings")))
        explain(p, page_string(t, "id"), page_string(t, "title"), said);
    json_decref(said);
}

/* ---- --diff-solution --------------------------------------------------------------------------------------------- */
static void row(const struct page *p, const char *text, double yours, double reference, int digits) {
    char difference[32] = "=";
    if (yours != reference) snprintf(difference, sizeof difference, "%+.*f", digits, yours - reference);
    fprintf(p->out, "    %-34s %12.*f %12.*f %s%12s%s\n", text, digits, yours, digits, reference,
            page_begin(p, yours > reference   ? RED
                          : yours < reference ? GREEN
                                              : FAINT),
            difference, page_end(p));
}
static void percent(const struct page *p, const char *text, double yours, double reference) {
    fprintf(p->out, "    %-34s %11.0f%% %11.0f%% %+11.0f%%\n", text, 100 * yours, 100 * reference,
            100 * (yours - reference));
}
static void beside(const struct page *p, const json_t *test) {
    const json_t *student = json_object_get(test, "student"), *s = json_object_get(student, "counts"),
                 *r = json_object_get(json_object_get(test, "reference"), "counts");
    const long long cluster = page_integer(student, "cluster");
    if (cluster) fprintf(p->out, "\n  One cluster of %lld blocks", cluster);
    fprintf(p->out, "%s of %lld threads, %lld elements\n", cluster ? "" : "\n  One block",
            page_integer(student, "block"), page_integer(student, "elements"));
    fprintf(p->out, "    %-34s %12s %12s %12s\n", "", "yours", "reference", "difference");
    const struct figure *figures[CATALOG_MAX];
    const unsigned count = catalog_figures(CATALOG_TABLES, figures);
    for (unsigned k = 0; k < count; k++) {
        const struct figure *f = figures[k];
        const double a = json_number_value(json_object_get(s, f->key)),
                     b = json_number_value(json_object_get(r, f->key));
        if (!f->row || !f->label || !figure_is_known(f, p->taught)) continue;
        if (f->unit == FIGURE_SHARE)
            percent(p, f->label, a, b);
        else if (a || b)
            row(p, f->label, a, b, f->unit == FIGURE_COUNT ? 0 : 2);
    }
}
void view_beside(const struct page *p, const json_t *record) {
    size_t k;
    json_t *t;
    bool any = false;
    json_array_foreach(json_object_get(record, "tests"), k, t) {
        const json_t *m = json_object_get(t, "modeled");
        if (json_object_get(t, "student") && json_object_get(t, "reference")) beside(p, t), any = true;
        if (!m) continue;
        fprintf(p->out, "\n  %lld elements, %lld threads per block\n", page_integer(m, "elements"),
                page_integer(m, "block"));
        row(p, "modeled cycles", json_number_value(json_object_get(m, "cycles")),
            json_number_value(json_object_get(m, "reference_cycles")), 0);
        any = true;
    }
    if (!any) fputs("\n  There is nothing to compare: a wrong kernel is not measured.\n", p->out);
}
