/* Writes the report as a single HTML page: html/page.html with its style and scripts, the record, and the catalog of
 * figures. */
#include "probes/catalog.h"
#include "report/sink.h"
#include "record/terms.h"
#include "report/template.h"
#include <string.h>

/* The files of the page: the template first, then the style sheets and scripts, in the order in which they are
 * concatenated, and then the simulator. */
#define FILES(FILE)                                                                                                    \
    FILE(html_page, "grader/report/html/page.html")                                                                    \
    FILE(html_style, "grader/report/html/page.css")                                                                    \
    FILE(html_base, "grader/report/html/base.js")                                                                      \
    FILE(html_terms, "grader/report/html/terms.js")                                                                    \
    FILE(html_score, "grader/report/html/score.js")                                                                    \
    FILE(html_findings, "grader/report/html/findings.js")                                                              \
    FILE(html_lanes, "grader/report/html/lanes.js")                                                                    \
    FILE(html_player, "grader/report/html/player.js")                                                                  \
    FILE(html_stage, "grader/report/html/stage.js")                                                                    \
    FILE(html_module_js, "grader/live/module.js")                                                                      \
    FILE(html_try_css, "grader/live/try.css")                                                                          \
    FILE(html_ask, "grader/live/ask.js")                                                                               \
    FILE(html_try, "grader/live/try.js")                                                                               \
    FILE(html_lanemap, "grader/report/html/lanemap.js")                                                                \
    FILE(html_source, "grader/report/html/source.js")                                                                  \
    FILE(html_memory, "grader/report/html/memory.js")                                                                  \
    FILE(html_compare, "grader/report/html/compare.js")                                                                \
    FILE(html_time, "grader/report/html/time.js")                                                                      \
    FILE(html_ladder, "grader/report/html/ladder.js")                                                                  \
    FILE(html_history, "grader/report/html/history.js")                                                                \
    FILE(html_main, "grader/report/html/main.js")                                                                      \
    FILE(html_live, "grader/report/html/live.js")                                                                      \
    FILE(html_module, "grader/live/module.b64")
FILES(TEMPLATE_FILE)
static const struct template_file files[] = {FILES(TEMPLATE_ROW)};

/* Returns an array of the figures: key, label, unit, `better`, `rare`, and a text whose terms a lab must have taught
 * before a page shows the figure. */
static json_t *figures_json(void) {
    static const char *const units[] = {[FIGURE_COUNT] = "count", [FIGURE_SHARE] = "share", [FIGURE_RATIO] = "ratio"};
    static const char *const better[] = {[BETTER_NEITHER] = "", [BETTER_LESS] = "less", [BETTER_MORE] = "more"};
    const struct figure *figures[CATALOG_MAX];
    const unsigned count = catalog_figures(CATALOG_TABLES, figures);
    json_t *all = json_array();
    for (unsigned k = 0; k < count; k++) {
        const struct figure *f = figures[k];
        const char *label = f->summary ? f->summary : f->label; /* the more detailed label, if there is one */
        if (label)
            json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:b, s:s++}", "key", f->key, "label",
                                                 label + strspn(label, " "), "unit", units[f->unit], "better",
                                                 better[f->better], "rare", f->rare, "terms", f->label ? f->label : "",
                                                 ", ", f->summary ? f->summary : ""));
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
                            json_pack("{s:s, s:s, s:s}", "drawing", drawings[kind->drawing], "between",
                                      kind->between ? kind->between : "nothing orders these", "plain",
                                      kind->plain.between ? kind->plain.between : ""));
    return all;
}
static json_t *terms_json(void) {
    json_t *all = json_array();
    for (const struct term *t = terms; t->word; t++)
        json_array_append_new(all, json_pack("[s, i]", t->word, (int)t->lab));
    return all;
}
/* Returns the page's content security policy, a JSON string. Its quotation marks also delimit the attribute in
 * page.html. The page may use only what it contains; a served page may also ask its server for updates. */
static json_t *policy_json(bool live) {
    return json_pack("s++",
                     "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; "
                     "worker-src blob:; img-src data:",
                     live ? "; connect-src 'self'" : "", "");
}
/* Returns whether a record contains kernels that the page can run. */
static bool has_kernels(const json_t *record) {
    const json_t *one;
    size_t k;
    json_array_foreach(record, k, one) if (has_kernels(one)) return true;
    return json_array_size(json_object_get(json_object_get(record, "pictures"), "live")) > 0;
}
static bool write_html(const json_t *record, FILE *out, const struct sink_options *options) {
    json_t *catalog = json_pack("{s:o, s:o, s:o, s:i}", "figures", figures_json(), "findings", findings_json(), "terms",
                                terms_json(), "live", (int)options->live),
           *policy = policy_json(options->live);
    const struct template_data data[] = {{"@data@", record}, {"@catalog@", catalog}, {"@policy@", policy}};
    /* The simulator, the last file, is omitted if there are no kernels to run. */
    const size_t count = sizeof files / sizeof *files - !has_kernels(record);
    const bool ok = catalog && policy && template_write(files, count, data, 3, out);
    json_decref(catalog);
    json_decref(policy);
    return ok;
}
extern const struct sink sink_html;
const struct sink sink_html = {"html", "Write the report as a self-contained HTML page", write_html, .exact = true};
