/* Writes the page of a solution: the report page of the reference, the notes, and the class's results. put_html()
 * escapes all text from the class. The notes are already HTML. */
#include "base/file.h"
#include "release/release.h"
#include "report/sink.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Style of the solution's notes and the class's results, which follow the report and look like its sections. */
static const char style[] =
    "<style>\n.behind { max-width: 84rem; margin: 0 auto; padding: 0 clamp(0.75rem, 3vw, 2rem) 1.5rem; display: grid;"
    " gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }\n"
    ".behind h3 { margin-top: 1.1rem; }\n.behind p, .behind li { max-width: 52rem; margin: 0.4rem 0; }\n"
    ".behind td, .behind th { padding: 0.15rem 1rem 0.15rem 0; text-align: left; }\n.behind pre { overflow-x: auto; "
    "}\n</style>\n";
enum { MAX_FINDINGS = 12, MAX_LINES = 3 };
static void put_html(FILE *out, const char *text) {
    for (const unsigned char *s = (const unsigned char *)text; *s; s++)
        if (strchr("&<>\"'", *s))
            fprintf(out, "&#%u;", *s);
        else
            fputc(*s < ' ' || *s == 127 ? ' ' : *s, out);
}
static const char *string(const json_t *object, const char *key) {
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}
static long long integer(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

/* ---- the class's results -------------------------------------------------------------------- */
static void put_scores(FILE *out, const json_t *lab) {
    const json_t *bins = json_object_get(lab, "scores");
    const size_t count = json_array_size(bins);
    fprintf(
        out,
        "<p>%lld submissions; final points: mean %.1f, median %.1f.</p>\n<table><tr><th scope=\"col\">points</th><th "
        "scope=\"col\">students</th></tr>\n",
        integer(lab, "submissions"), json_number_value(json_object_get(lab, "mean")),
        json_number_value(json_object_get(lab, "median")));
    for (size_t k = 0; k < count; k++) {
        const long long n = json_integer_value(json_array_get(bins, k));
        if (k + 1 < count)
            fprintf(out, "<tr><td>%zu to %zu</td><td>%lld</td></tr>\n", 10 * k, 10 * k + 9, n);
        else
            fprintf(out, "<tr><td>100</td><td>%lld</td></tr>\n", n);
    }
    fputs("</table>\n", out);
}
static void put_findings(FILE *out, const json_t *lab) {
    const json_t *findings = json_object_get(lab, "findings");
    size_t k, n;
    json_t *f, *line;
    if (!json_array_size(findings)) return;
    fputs("<h3>Most frequent findings</h3>\n<ol>\n", out);
    json_array_foreach(findings, k, f) {
        if (k >= MAX_FINDINGS) break;
        fputs("<li>", out);
        put_html(out, string(f, "title"));
        fprintf(out, " (students: %lld)<ul>\n", integer(f, "students"));
        json_array_foreach(json_object_get(f, "lines"), n, line) {
            if (n >= MAX_LINES) break;
            fprintf(out, "<li>line %lld of the skeleton (students: %lld): <code>", integer(line, "line"),
                    integer(line, "students"));
            put_html(out, string(line, "text"));
            fputs("</code></li>\n", out);
        }
        fputs("</ul></li>\n", out);
    }
    fputs("</ol>\n", out);
}
static void put_class(FILE *out, const json_t *class, const struct lab *lab) {
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(class, "labs"), k, one) {
        if (strcmp(string(one, "id"), lab->id) != 0 || !integer(one, "submissions")) continue;
        fputs("<section id=\"class\" aria-labelledby=\"class-title\"><header><h2 id=\"class-title\">How the class "
              "did</h2></header>\n",
              out);
        put_scores(out, one);
        put_findings(out, one);
        fputs("</section>\n", out);
    }
}

/* ---- the page ------------------------------------------------------------------------------- */
static bool write_page(const char *report, const char *notes, const json_t *class, const struct lab *lab, FILE *out) {
    const char *end = strstr(report, "<footer>");
    if (!end) return false;
    fwrite(report, 1, (size_t)(end - report), out);
    fputs(style, out);
    fputs("<div class=\"behind\">\n<section id=\"notes\" aria-labelledby=\"notes-title\"><header><h2 "
          "id=\"notes-title\">Notes</h2></header>\n",
          out);
    fputs(notes, out);
    fputs("</section>\n", out);
    if (class) put_class(out, class, lab);
    fputs("</div>\n", out);
    fputs(end, out);
    return !fflush(out) && !ferror(out);
}
static int fault(const char *path, const char *what) {
    return fprintf(stderr, "grade: %s: %s\n", path, what), RELEASE_SETUP;
}
int release_page(const struct lab *lab, const char *record_path, const char *notes_path, const char *out_path,
                 const char *gradebook) {
    const struct sink_options options = {0};
    char path[PATH_MAX], *report = NULL;
    size_t size = 0;
    json_error_t error;
    json_t *record = json_load_file(record_path, 0, &error), *class = NULL;
    if (!record) return fault(record_path, error.text);
    if (gradebook) {
        snprintf(path, sizeof path, "%s/class.json", gradebook);
        class = json_load_file(path, 0, &error);
        if (!class || strcmp(string(class, "schema"), "reduction-labs/class/2") != 0) {
            json_decref(record), json_decref(class);
            return fault(path, "is not the folder of a class: name the folder that `make gradebook` wrote to (OUT)");
        }
    }
    char *notes = file_read(notes_path, 0, RELEASE_TEXT, NULL);
    FILE *memory = open_memstream(&report, &size), *out = NULL;
    bool ok = memory && sink_write(sink_find("html"), record, memory, &options);
    if (memory) ok &= !fclose(memory);
    ok = ok && notes && (out = fopen(out_path, "we")) && write_page(report, notes, class, lab, out);
    const int why = errno;
    if (out) ok &= !fclose(out);
    free(report), free(notes);
    json_decref(record), json_decref(class);
    return ok ? RELEASE_GOOD : fault(out_path, notes ? strerror(why) : "the notes cannot be read");
}
