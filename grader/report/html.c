/* The report as one page for a browser: the template html/page.html with the style, the scripts and the record put in.
 * The files of html/ are part of the program, so that the page can be written wherever the program runs. The record
 * becomes one block of JSON; the scripts put all of its text in as text, never as markup. */
#include "probes/catalog.h"
#include "report/sink.h"
#include <stdlib.h>
#include <string.h>

/* ASSET(name, file): a file of html/, in the order in which scripts are joined. */
#define ASSETS                                                                                                         \
    ASSET(page, "page.html")                                                                                           \
    ASSET(style, "page.css")                                                                                           \
    ASSET(base, "base.js")                                                                                             \
    ASSET(score, "score.js")                                                                                           \
    ASSET(findings, "findings.js")                                                                                     \
    ASSET(player, "player.js")                                                                                         \
    ASSET(stage, "stage.js")                                                                                           \
    ASSET(lanemap, "lanemap.js")                                                                                       \
    ASSET(source, "source.js")                                                                                         \
    ASSET(memory, "memory.js")                                                                                         \
    ASSET(compare, "compare.js")                                                                                       \
    ASSET(time, "time.js")                                                                                             \
    ASSET(ladder, "ladder.js")                                                                                         \
    ASSET(history, "history.js")                                                                                       \
    ASSET(main, "main.js")

/* The text of each file between two labels; the Makefile says that this object depends on them. */
#define ASSET(name, file)                                                                                              \
    __asm__(".section .rodata\nhtml_" #name ":\n.incbin \"grader/report/html/" file "\"\nhtml_" #name                  \
            "_end:\n.byte 0\n.previous\n");                                                                            \
    extern const char html_##name[], html_##name##_end[];
ASSETS
#undef ASSET

static const struct asset {
    const char *file, *text, *end;
} assets[] = {
#define ASSET(name, file) {file, html_##name, html_##name##_end},
    ASSETS
#undef ASSET
};
enum { ASSET_COUNT = sizeof assets / sizeof *assets };

static void put(const struct asset *a, FILE *out) { fwrite(a->text, 1, (size_t)(a->end - a->text), out); }
static const struct asset *find(const char *file) {
    for (size_t k = 0; k < ASSET_COUNT; k++)
        if (!strcmp(assets[k].file, file)) return &assets[k];
    return NULL;
}

/* ---- what stands in the template as @name@ ---------------------------------------------------- */
static bool put_style(const json_t *record, FILE *out) {
    (void)record;
    put(find("page.css"), out);
    return true;
}
static bool put_scripts(const json_t *record, FILE *out) {
    (void)record;
    for (size_t k = 0; k < ASSET_COUNT; k++)
        if (strstr(assets[k].file, ".js")) put(&assets[k], out);
    return true;
}
/* ASCII without <, > and &: neither `</script>` nor `<!--` can stand in it, nor a line end that JavaScript alone sees.
 * Outside of strings JSON has none of these characters. */
static bool put_data(const json_t *record, FILE *out) {
    char *text = json_dumps(record, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
    if (!text) return false;
    for (const char *s = text; *s; s++)
        if (strchr("<>&", *s))
            fprintf(out, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, out);
    free(text);
    return true;
}
/* What the record's keys of figures and findings mean: labels, and what is drawn. */
static json_t *figures_json(void) {
    static const char *const units[] = {[FIGURE_COUNT] = "count", [FIGURE_SHARE] = "share", [FIGURE_RATIO] = "ratio"};
    static const char *const better[] = {[BETTER_NEITHER] = "", [BETTER_LESS] = "less", [BETTER_MORE] = "more"};
    const struct figure *figures[CATALOG_MOST];
    const unsigned count = catalog_figures(CATALOG_TABLES, figures);
    json_t *all = json_array();
    for (unsigned k = 0; k < count; k++) {
        const struct figure *f = figures[k];
        const char *label = f->summary ? f->summary : f->label; /* the one that says more */
        if (label)
            json_array_append_new(all,
                                  json_pack("{s:s, s:s, s:s, s:s}", "key", f->key, "label", label + strspn(label, " "),
                                            "unit", units[f->unit], "better", better[f->better]));
    }
    return all;
}
static json_t *findings_json(void) {
    static const char *const drawings[] = {
        [DRAW_LANES] = "lanes", [DRAW_ACCESSES] = "accesses", [DRAW_BARRIER] = "barrier"};
    const struct finding_kind *kind;
    json_t *all = json_object();
    for (unsigned k = 0; (kind = catalog_finding_at(k)); k++)
        json_object_set_new(all, kind->key,
                            json_pack("{s:s, s:s}", "drawing", drawings[kind->drawing], "between",
                                      kind->between ? kind->between : "nothing orders these"));
    return all;
}
static bool put_catalog(const json_t *record, FILE *out) {
    (void)record;
    json_t *catalog = json_pack("{s:o, s:o}", "figures", figures_json(), "findings", findings_json());
    const bool ok = put_data(catalog, out);
    json_decref(catalog);
    return ok;
}
static const struct {
    const char *name;
    bool (*put)(const json_t *record, FILE *out);
} places[] = {{"@style@", put_style}, {"@scripts@", put_scripts}, {"@data@", put_data}, {"@catalog@", put_catalog}};

static bool write_html(const json_t *record, FILE *out, const struct sink_options *options) {
    (void)options;
    const struct asset *page = find("page.html");
    bool ok = true;
    for (const char *s = page->text; ok && s < page->end;) {
        size_t n = 0;
        for (size_t k = 0; !n && k < sizeof places / sizeof *places; k++)
            if (!strncmp(s, places[k].name, strlen(places[k].name)))
                ok = places[k].put(record, out), n = strlen(places[k].name);
        if (!n) fputc(*s, out), n = 1;
        s += n;
    }
    return fflush(out) == 0 && !ferror(out) && ok;
}
extern const struct sink sink_html;
const struct sink sink_html = {"html", "One page for a browser", write_html};
