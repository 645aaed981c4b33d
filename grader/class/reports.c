/* Writes an HTML page for each graded submission, and rewrites it when the record is newer. The class's page links
 * to these pages. */
#include "base/file.h"
#include "class/facts.h"
#include "report/sink.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MAX_REPORTS = 2000 /* maximum number of pages; a larger class gets no pages and no links */
};

static bool is_newer(const char *path, const char *than) {
    struct stat a, b;
    if (stat(path, &a) || stat(than, &b)) return false;
    return a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
           (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec >= b.st_mtim.tv_nsec);
}
static bool write_page(const char *out, const char *report) {
    static const struct sink_options options = {.explain = true};
    char page[PATH_MAX], record[PATH_MAX], *text = NULL;
    size_t length = 0;
    const char *unit = report + strlen("reports/");
    snprintf(page, sizeof page, "%s/%s", out, report);
    snprintf(record, sizeof record, "%s/records/%.*s.json", out, (int)(strlen(unit) - strlen(".html")), unit);
    if (is_newer(page, record)) return true;
    json_t *r = json_load_file(record, 0, NULL);
    if (!r) return true; /* another process removed the record; the next run of the report will handle that */
    FILE *f = open_memstream(&text, &length);
    bool ok = f && sink_write(sink_find("html"), r, f, &options);
    if (f) ok &= fclose(f) == 0;
    ok = ok && file_replace(page, text, length, 0600);
    free(text);
    json_decref(r);
    return ok;
}
/* Writes each page once, although the members of a group share a page. If `out` is NULL, only adds the pages to
 * `seen`. */
static bool for_each(const json_t *facts, const char *out, json_t *seen) {
    json_t *student, *mark;
    const char *lab;
    size_t k;
    bool ok = true;
    json_array_foreach(json_object_get(facts, "students"), k, student)
        json_object_foreach(json_object_get(student, "labs"), lab, mark) {
        const char *report = text_of(mark, "report");
        if (!*report || json_object_get(seen, report)) continue;
        json_object_set_new(seen, report, json_true());
        ok = ok && (!out || write_page(out, report));
    }
    return ok;
}
static void take_links(json_t *facts) {
    json_t *student, *mark;
    const char *lab;
    size_t k;
    json_array_foreach(json_object_get(facts, "students"), k, student)
        json_object_foreach(json_object_get(student, "labs"), lab, mark) json_object_del(mark, "report");
}
bool class_reports(const char *out, json_t *facts) {
    json_t *all = json_object(), *made = json_object();
    for_each(facts, NULL, all);
    const bool few = json_object_size(all) <= MAX_REPORTS, ok = !few || for_each(facts, out, made);
    if (!few) take_links(facts);
    json_decref(all), json_decref(made);
    return ok;
}
