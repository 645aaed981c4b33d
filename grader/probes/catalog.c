/* Looks up findings and figures in the rows of all probes. */
#include "probes/catalog.h"
#include "probes/probe.h"
#include "record/terms.h"

/* ---- findings ---------------------------------------------------------------------------------------------- */

const struct finding_kind *catalog_finding(const char *key) {
    for (unsigned k = 0; k < PROBE_COUNT; k++)
        for (const struct finding_kind *f = probe_rows[k]->findings; f && f->key; f++)
            if (!strcmp(f->key, key)) return f;
    return NULL;
}
static const char *choose(unsigned taught, const char *text, const char *plain) {
    return text && plain ? terms_choose(taught, text, plain) : text;
}
struct finding_words catalog_words(const struct finding_kind *kind, unsigned taught) {
    return (struct finding_words){choose(taught, kind->title, kind->plain.title),
                                  choose(taught, kind->explanation, kind->plain.explanation),
                                  choose(taught, kind->between, kind->plain.between)};
}
const char *finding_severity_word(enum finding_severity s) {
    static const char *const words[] = {
        [FINDING_ERROR] = "error", [FINDING_WARNING] = "warning", [FINDING_NOTE] = "note"};
    return words[s];
}
/* Compares two kinds by rank. Kinds of equal rank stay in the order of the table. */
static bool comes_before(const struct finding_kind *a, unsigned at, const struct finding_kind *b, unsigned bt) {
    return a->rank != b->rank ? a->rank < b->rank : at < bt;
}
const struct finding_kind *catalog_finding_at(unsigned wanted) {
    for (unsigned k = 0, at = 0; k < PROBE_COUNT; k++)
        for (const struct finding_kind *f = probe_rows[k]->findings; f && f->key; f++, at++) {
            unsigned before = 0, bt = 0;
            for (unsigned n = 0; n < PROBE_COUNT; n++)
                for (const struct finding_kind *g = probe_rows[n]->findings; g && g->key; g++, bt++)
                    before += comes_before(g, bt, f, at);
            if (before == wanted) return f;
        }
    return NULL;
}
void catalog_document(FILE *out) {
    const struct finding_kind *f;
    fputs("# Findings\n\n"
          "`./grade --findings-doc` prints this page from the probes' tables; `make docs` updates this file. A report "
          "lists findings in\nthis order, beginning with those that explain the most. `./grade labN --explain` prints "
          "the "
          "paragraphs below. An error may make\nthe result wrong and costs points; a warning or a note costs none. "
          "[metrics.md](metrics.md) defines the exact rules.\n\n| key | meaning | severity |\n|---|---|---|\n",
          out);
    for (unsigned k = 0; (f = catalog_finding_at(k)); k++)
        fprintf(out, "| [`%s`](#%s) | %s | %s |\n", f->key, f->key, f->title, finding_severity_word(f->severity));
    for (unsigned k = 0; (f = catalog_finding_at(k)); k++) fprintf(out, "\n## %s\n\n%s\n", f->key, f->explanation);
}
unsigned catalog_number(const struct finding_kind *kind) {
    unsigned at = 0;
    for (unsigned k = 0; k < PROBE_COUNT; k++)
        for (const struct finding_kind *f = probe_rows[k]->findings; f && f->key; f++, at++)
            if (f == kind) return at;
    return UINT32_MAX;
}
const struct finding_kind *catalog_numbered(unsigned number) {
    for (unsigned k = 0; k < PROBE_COUNT; k++)
        for (const struct finding_kind *f = probe_rows[k]->findings; f && f->key; f++)
            if (!number--) return f;
    return NULL;
}

/* ---- figures ----------------------------------------------------------------------------------------------- */

static int position(const struct figure *f, enum catalog_order order) {
    const int at = order == CATALOG_RECORD ? f->place : f->row;
    return at ? at : INT32_MAX;
}
unsigned catalog_figures(enum catalog_order order, const struct figure *all[CATALOG_MAX]) {
    unsigned count = 0;
    for (unsigned k = 0; k < PROBE_COUNT; k++)
        for (const struct figure *f = probe_rows[k]->figures; f && f->key && count < CATALOG_MAX; f++) {
            unsigned n = 0, at;
            while (n < count && strcmp(all[n]->key, f->key) != 0) n++;
            if (n < count) continue; /* another probe has a figure with this key */
            for (at = count++; at > 0 && position(all[at - 1], order) > position(f, order); at--) all[at] = all[at - 1];
            all[at] = f;
        }
    return count;
}

bool figure_is_known(const struct figure *f, unsigned taught) {
    return (!f->label || terms_known(taught, f->label)) && (!f->summary || terms_known(taught, f->summary));
}
bool figure_value(const struct measurement *m, const struct figure *figure, struct figure_value *value) {
    bool measured = false;
    *value = (struct figure_value){0};
    for (unsigned k = 0; k < PROBE_COUNT; k++)
        for (const struct figure *f = probe_rows[k]->figures; f && f->key; f++) {
            if (!m->result[k] || strcmp(f->key, figure->key) != 0) continue;
            measured = true;
            if (f->value)
                value->real += f->value(m->result[k]);
            else
                value->count += *(const uint64_t *)(const void *)((const char *)m->result[k] + f->offset);
        }
    return measured;
}
