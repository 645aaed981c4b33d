/* The class as one page for a browser: written out, with no script, in the style of the report's page. All words come
 * through put(), which makes text of them, whatever they hold. */
#include "class/class.h"
#include <stdlib.h>
#include <string.h>

/* The style sheets lie in the program; the Makefile says that this object depends on them. */
#define ASSET(name, file)                                                                                              \
    __asm__(".section .rodata\nclass_" #name ":\n.incbin \"grader/" file "\"\n.byte 0\n.previous\n");                  \
    extern const char class_##name[];
ASSET(report_style, "report/html/page.css")
ASSET(own_style, "class/class.css")

/* ---- text ------------------------------------------------------------------------------------ */
static void put(FILE *out, const char *text) {
    for (const unsigned char *s = (const unsigned char *)text; *s; s++)
        if (strchr("&<>\"'`", *s))
            fprintf(out, "&#%u;", *s);
        else
            fputc(*s < ' ' || *s == 127 ? ' ' : *s, out);
}
/* Text that came from outside, held together whatever its direction. */
static void put_name(FILE *out, const char *text) {
    fputs("<bdi>", out);
    put(out, text);
    fputs("</bdi>", out);
}
static long long integer(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

/* ---- scores as bars -------------------------------------------------------------------------- */
enum { BIN_WIDTH = 30, CHART_WIDTH = 350, CHART_HEIGHT = 170, BASE = 140, TALLEST = 110, LEFT = 10 };
static void put_scores(FILE *out, const json_t *lab) {
    const json_t *bins = json_object_get(lab, "scores");
    const size_t count = json_array_size(bins);
    const long long pass = integer(lab, "pass");
    long long most = 1;
    for (size_t k = 0; k < count; k++)
        if (json_integer_value(json_array_get(bins, k)) > most) most = json_integer_value(json_array_get(bins, k));
    fprintf(
        out,
        "<figure class=\"marks\"><figcaption class=\"muted small\">Submissions by points; the last bar is full marks, "
        "the broken line is where it counts as passed.</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" "
        "aria-label=\"Submissions by points:",
        CHART_WIDTH, CHART_HEIGHT);
    for (size_t k = 0; k < count; k++)
        fprintf(out, " %zu%s: %lld%s", 10 * k, k + 1 < count ? " or more" : "",
                (long long)json_integer_value(json_array_get(bins, k)), k + 1 < count ? "," : "");
    fputs("\">\n", out);
    for (size_t k = 0; k < count; k++) {
        const long long n = json_integer_value(json_array_get(bins, k));
        const double height = (double)n * TALLEST / (double)most;
        const int x = LEFT + (int)k * BIN_WIDTH;
        if (n)
            fprintf(out,
                    "<rect class=\"bar%s\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/><text x=\"%d\" "
                    "y=\"%.1f\">%lld</text>\n",
                    (long long)(10 * k) < pass ? " below" : "", x + 2, BASE - height, BIN_WIDTH - 4, height,
                    x + BIN_WIDTH / 2, BASE - height - 4, n);
        fprintf(out, "<text class=\"quiet\" x=\"%d\" y=\"%d\">%zu</text>\n", x + BIN_WIDTH / 2, BASE + 16, 10 * k);
    }
    const double at = LEFT + (double)pass / 10 * BIN_WIDTH;
    fprintf(out, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", LEFT, BASE, CHART_WIDTH - LEFT,
            BASE);
    fprintf(out, "<line class=\"pass\" x1=\"%.1f\" y1=\"8\" x2=\"%.1f\" y2=\"%d\"/></svg></figure>\n", at, at, BASE);
}

/* ---- one lab --------------------------------------------------------------------------------- */
/* What became of submissions: a row each. */
static const struct end {
    const char *status, *text, *pill;
} ends[] = {{"full", "full marks", "good"},     {"partial", "some points", "wait"},
            {"build", "does not build", "bad"}, {"refused", "not a text file", "bad"},
            {"setup", "set-up failed", "bad"},  {"ungraded", "not graded", "bad"},
            {"missing", "no submission", ""}};
static const struct end *end_of(const char *status) {
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (!strcmp(ends[k].status, status)) return &ends[k];
    return &ends[sizeof ends / sizeof *ends - 1];
}
static void put_ends(FILE *out, const json_t *lab) {
    fputs("<ul class=\"ends\">", out);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const long long n = integer(json_object_get(lab, "ends"), ends[k].status);
        if (n) fprintf(out, "<li class=\"pill %s\">%lld %s</li>", ends[k].pill, n, ends[k].text);
    }
    fputs("</ul>\n", out);
}
static void put_tests(FILE *out, const json_t *lab) {
    size_t k;
    json_t *test;
    if (!json_array_size(json_object_get(lab, "tests"))) return;
    fputs("<h3>Checks</h3><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Checks\"><table><thead><tr>"
          "<th scope=\"col\">check</th><th scope=\"col\" class=\"number\">have it</th><th scope=\"col\" "
          "class=\"number\">waited</th>"
          "<th scope=\"col\" class=\"number\">points of all</th></tr></thead><tbody>\n",
          out);
    json_array_foreach(json_object_get(lab, "tests"), k, test) {
        const json_t *status = json_object_get(test, "status");
        long long n = 0;
        const char *key;
        json_t *v;
        json_object_foreach((json_t *)status, key, v) n += (long long)json_integer_value(v);
        const double most = (double)(n * integer(test, "max_points"));
        const double share = most > 0 ? 100.0 * (double)integer(test, "points") / most : 0;
        fputs("<tr><th scope=\"row\">", out);
        put(out, text_of(test, "title"));
        fprintf(out,
                "</th><td class=\"number\">%lld of %lld</td><td class=\"number\">%lld</td><td class=\"number\">%.0f %%"
                "<span class=\"share\"><i style=\"width:%.0f%%\"></i></span></td></tr>\n",
                integer(status, "pass"), n, integer(status, "blocked"), share, share);
    }
    fputs("</tbody></table></div>\n", out);
}
enum { MOST_ROWS = 12, MOST_LINES = 4 };
static void put_findings(FILE *out, const json_t *lab) {
    size_t k, n;
    json_t *f, *line;
    if (!json_array_size(json_object_get(lab, "findings"))) return;
    fputs("<h3>What was found most often</h3><p class=\"muted small\">A submission counts once for each kind. Lines "
          "are those "
          "of the skeleton that the student's stand for.</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Findings\"><table><thead><tr><th scope=\"col\" class=\"number\">submissions</th><th "
          "scope=\"col\">finding</th></tr></thead><tbody>\n",
          out);
    json_array_foreach(json_object_get(lab, "findings"), k, f) {
        if (k >= MOST_ROWS) break;
        fprintf(out, "<tr><td class=\"number\">%lld</td><td><b>", integer(f, "students"));
        put(out, text_of(f, "title"));
        fputs("</b><br><span class=\"muted\">", out);
        put(out, text_of(f, "cure"));
        fputs("</span><ul class=\"where\">", out);
        json_array_foreach(json_object_get(f, "lines"), n, line) {
            if (n >= MOST_LINES) break;
            fprintf(out, "<li><span>line %lld: %lld</span><code>", integer(line, "line"), integer(line, "students"));
            put(out, text_of(line, "text"));
            fputs("</code></li>", out);
        }
        fputs("</ul></td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}
static void put_lab(FILE *out, const json_t *lab) {
    fputs("<section class=\"lab\" id=\"", out);
    put(out, text_of(lab, "id"));
    fputs("\" aria-labelledby=\"", out);
    put(out, text_of(lab, "id"));
    fputs("-title\"><h2 id=\"", out);
    put(out, text_of(lab, "id"));
    fputs("-title\">", out);
    put(out, text_of(lab, "id"));
    fputs(" ", out);
    put(out, text_of(lab, "title"));
    fprintf(out, "</h2><p class=\"muted\">%lld submissions, mean %.1f, median %.1f points%s",
            integer(lab, "submissions"), json_number_value(json_object_get(lab, "mean")),
            json_number_value(json_object_get(lab, "median")), *text_of(lab, "deadline") ? ", due " : "");
    put(out, text_of(lab, "deadline"));
    fputs("</p>\n", out);
    put_ends(out, lab);
    put_scores(out, lab);
    put_findings(out, lab);
    const json_t *hardest = json_array_get(json_object_get(lab, "cases"), 0);
    if (hardest) {
        fprintf(out, "<h3>The hardest case</h3><p>First wrong in %lld checks: <code>", integer(hardest, "students"));
        put(out, text_of(hardest, "case"));
        fputs("</code></p>\n", out);
    }
    put_tests(out, lab);
    fputs("</section>\n", out);
}

/* ---- what to look at, and all students ------------------------------------------------------- */
static void put_attention(FILE *out, const json_t *facts) {
    const json_t *all = json_object_get(facts, "attention");
    size_t n;
    json_t *a;
    fputs("<section class=\"look\" id=\"look\" aria-labelledby=\"look-title\"><h2 id=\"look-title\">To look at</h2>\n",
          out);
    if (!json_array_size(all)) fputs("<p>Nothing.</p>", out);
    for (unsigned k = 0; attention_title(k); k++) {
        size_t count = 0;
        json_array_foreach((json_t *)all, n, a) count += !strcmp(text_of(a, "what"), attention_what(k));
        if (!count) continue;
        fprintf(out, "<details%s><summary>%s (%zu)</summary><p class=\"muted small\">%s</p><ul>", k < 5 ? " open" : "",
                attention_title(k), count, attention_remedy(k));
        json_array_foreach((json_t *)all, n, a) {
            if (strcmp(text_of(a, "what"), attention_what(k)) != 0) continue;
            fputs("<li>", out);
            put(out, text_of(a, "lab"));
            fputs(" ", out);
            put_name(out, text_of(a, "id"));
            if (*text_of(a, "name")) fputs(" (", out), put_name(out, text_of(a, "name")), fputs(")", out);
            if (*text_of(a, "text")) fputs(": ", out), put_name(out, text_of(a, "text"));
            fputs("</li>\n", out);
        }
        fputs("</ul></details>\n", out);
    }
    fputs("</section>\n", out);
}
static void put_mark(FILE *out, const json_t *mark) {
    const char *status = *text_of(mark, "status") ? text_of(mark, "status") : "missing";
    const struct end *e = end_of(status);
    if (json_object_get(mark, "score"))
        fprintf(out, "<td class=\"number\"><span class=\"pill %s\">%lld</span>%s", e->pill, integer(mark, "score"),
                strcmp(status, "build") ? "" : " does not build");
    else
        fprintf(out, "<td class=\"number muted\">%s", e->text);
    fputs(json_is_true(json_object_get(mark, "late")) ? " late</td>" : "</td>", out);
}
static void put_students(FILE *out, const json_t *facts) {
    const json_t *labs = json_object_get(facts, "labs"), *students = json_object_get(facts, "students");
    size_t k, n;
    json_t *lab, *s;
    const bool one = json_array_size(labs) == 1; /* then there is room for what to do first */
    fprintf(out,
            "<section class=\"students\" id=\"students\" aria-labelledby=\"students-title\"><h2 "
            "id=\"students-title\">%zu students</h2><div class=\"scroll\" tabindex=\"0\" "
            "role=\"region\" aria-label=\"Students\"><table><thead><tr><th scope=\"col\">student</th>",
            json_array_size(students));
    json_array_foreach((json_t *)labs, n, lab) {
        fputs("<th scope=\"col\" class=\"number\">", out);
        put(out, text_of(lab, "id"));
        fputs("</th>", out);
    }
    fprintf(out, "<th scope=\"col\" class=\"number\">in all</th>%s</tr></thead><tbody>\n",
            one ? "<th scope=\"col\" class=\"first\">what to do first</th>" : "");
    json_array_foreach((json_t *)students, k, s) {
        fputs("<tr><th scope=\"row\">", out);
        put_name(out, *text_of(s, "name") ? text_of(s, "name") : text_of(s, "id"));
        if (*text_of(s, "name"))
            fputs(" <span class=\"muted\">", out), put_name(out, text_of(s, "id")), fputs("</span>", out);
        fputs("</th>", out);
        json_array_foreach((json_t *)labs, n, lab)
            put_mark(out, json_object_get(json_object_get(s, "labs"), text_of(lab, "id")));
        const json_t *total = json_object_get(s, "total");
        if (total)
            fprintf(out, "<td class=\"number\">%.1f %%</td>", json_number_value(total));
        else
            fputs("<td></td>", out);
        if (one) {
            fputs("<td class=\"first\">", out);
            put_name(out, text_of(json_object_get(json_object_get(s, "labs"), text_of(json_array_get(labs, 0), "id")),
                                  "advice"));
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></section>\n", out);
}

/* ---- the page -------------------------------------------------------------------------------- */
void class_page(const json_t *facts, FILE *out) {
    const char *title = *text_of(facts, "title") ? text_of(facts, "title") : "Class";
    size_t k;
    json_t *lab;
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta "
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
        "data:\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>",
        out);
    put(out, title);
    fprintf(
        out,
        "</title>\n<style>\n%s\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the class</a>\n",
        class_report_style, class_own_style);
    fputs("<header id=\"top\"><div class=\"bar\"><span class=\"brand\">", out);
    put(out, title);
    fputs("</span><nav aria-label=\"Parts\"><ul>", out);
    json_array_foreach(json_object_get(facts, "labs"), k, lab) {
        fputs("<li><a href=\"#", out);
        put(out, text_of(lab, "id"));
        fputs("\">", out);
        put(out, text_of(lab, "id"));
        fputs("</a></li>", out);
    }
    fputs("<li><a href=\"#look\">to look at</a></li><li><a "
          "href=\"#students\">students</a></li></ul></nav></div></header>\n"
          "<main id=\"main\" tabindex=\"-1\"><h1 class=\"hidden\">The class</h1>\n",
          out);
    json_array_foreach(json_object_get(facts, "labs"), k, lab) put_lab(out, lab);
    put_attention(out, facts);
    put_students(out, facts);
    fputs("</main>\n<footer><p>All submissions were graded on the same cases. The findings are the "
          "simulator's.</p></footer>\n"
          "</body>\n</html>\n",
          out);
}
