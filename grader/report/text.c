/* Writes the report for a terminal, at most 80 columns wide and readable without color. */
#include "probes/catalog.h"
#include "report/page.h"
#include "report/sink.h"
#include "report/views.h"
#include <string.h>

/* ---- steps ---------------------------------------------------------------------------------- */
static void steps(const struct page *p, const json_t *test) {
    const json_t *student = json_object_get(test, "student"), *counts = json_object_get(student, "counts");
    const json_t *reference = json_object_get(json_object_get(test, "reference"), "counts");
    if (!student) return;
    const long long threads = page_integer(student, "block");
    const long long cluster = page_integer(student, "cluster");
    fprintf(p->out, "\n  Steps of one block of M = %lld threads", threads);
    if (cluster) fprintf(p->out, ", the first of a cluster of %lld,", cluster);
    fprintf(p->out, " on %lld elements:\n", page_integer(student, "elements"));
    if (terms_known(p->taught, "diverge"))
        fprintf(p->out, "  %s%lld of %lld tree steps diverge%s%s (the reference: %lld of %lld)\n", page_begin(p, BOLD),
                page_integer(counts, "divergent_tree_steps"), page_integer(counts, "tree_steps"),
                page_integer(counts, "divergent_tree_steps") == 1 ? "s" : "", page_end(p),
                page_integer(reference, "divergent_tree_steps"), page_integer(reference, "tree_steps"));
    fputc('\n', p->out);
    page_steps(p, json_object_get(student, "steps"), threads);
}
static void lines(const struct page *p, const json_t *test, const json_t *source, const char *file) {
    page_lines(p, json_object_get(json_object_get(test, "student"), "lines"), source, file);
}
static void beside(const struct page *p, const json_t *test) {
    const json_t *s = json_object_get(json_object_get(test, "student"), "counts"),
                 *r = json_object_get(json_object_get(test, "reference"), "counts");
    if (!s) return;
    fprintf(p->out, "\n  %-42s %12s %12s\n",
            page_integer(json_object_get(test, "student"), "cluster") ? "Counts of that block's cluster"
                                                                      : "Counts of that block",
            "yours", "reference");
    const struct figure *figures[CATALOG_MAX];
    const unsigned count = catalog_figures(CATALOG_TABLES, figures);
    for (unsigned k = 0; k < count; k++) {
        const struct figure *f = figures[k];
        const double yours = json_number_value(json_object_get(s, f->key)),
                     theirs = json_number_value(json_object_get(r, f->key));
        if (!f->summary || !json_object_get(s, f->key) || !figure_is_known(f, p->taught)) continue;
        if (f->unit == FIGURE_SHARE)
            fprintf(p->out, "    %-40s %11.0f%% %11.0f%%\n", f->summary, 100 * yours, 100 * theirs);
        else
            fprintf(p->out, "    %-40s %12.*f %12.*f\n", f->summary, f->unit == FIGURE_COUNT ? 0 : 2, yours,
                    f->unit == FIGURE_COUNT ? 0 : 2, theirs);
    }
}
static void modeled(const struct page *p, const json_t *test) {
    const json_t *m = json_object_get(test, "modeled");
    if (!m) return;
    fprintf(
        p->out,
        "\n  Modeled time for %lld elements, %lld threads per block: %.0f cycles, the\n  reference %.0f: ratio %.2f "
        "(from operation counts, not measured)\n",
        page_integer(m, "elements"), page_integer(m, "block"), json_real_value(json_object_get(m, "cycles")),
        json_real_value(json_object_get(m, "reference_cycles")), json_real_value(json_object_get(m, "ratio")));
}
/* Prints the modeled time for the GPU of --gpu. */
static void modeled_on(const struct page *p, const json_t *test) {
    const json_t *m = json_object_get(test, "modeled_on");
    char text[400];
    if (!m) return;
    snprintf(text, sizeof text,
             "Modeled for %.90s: %.2f us, the reference %.2f us: ratio %.2f (no points depend on it)",
             page_string(m, "gpu"), json_number_value(json_object_get(m, "us")),
             json_number_value(json_object_get(m, "reference_us")), json_number_value(json_object_get(m, "ratio")));
    page_wrapped(p, 2, text);
}
static void timed(const struct page *p, const json_t *test) {
    const json_t *t = json_object_get(test, "timed");
    char text[700];
    if (!json_object_get(t, "ratio")) return;
    snprintf(
        text, sizeof text,
        "Measured on %.90s with %lld elements and %lld threads per block: %.1f us (%.0f GB/s); the reference takes "
        "%.1f us. The ratio is %.2f (99%% confidence interval: %.2f to %.2f, from %lld pairs of runs%s)",
        page_string(t, "device"), page_integer(t, "elements"), page_integer(t, "block"),
        json_number_value(json_object_get(t, "ns")) / 1000, json_number_value(json_object_get(t, "gbs")),
        json_number_value(json_object_get(t, "reference_ns")) / 1000, json_number_value(json_object_get(t, "ratio")),
        json_number_value(json_object_get(t, "low")), json_number_value(json_object_get(t, "high")),
        page_integer(t, "pairs"), timing_end_of(t) == TIMING_NOISY ? "; too noisy to be graded" : "");
    fputc('\n', p->out);
    page_wrapped(p, 2, text);
}
static void predictions(const struct page *p, const json_t *test) {
    size_t k;
    json_t *row;
    const json_t *all = json_object_get(test, "predictions");
    if (!json_array_size(all)) return;
    fprintf(p->out, "\n  %-34s %12s %12s\n", "Predictions", "predicted", "counted");
    json_array_foreach(all, k, row) {
        const json_t *predicted = json_object_get(row, "predicted");
        char name[80];
        snprintf(name, sizeof name, "%s@%lld", page_string(row, "name"), page_integer(row, "block"));
        if (predicted && !json_object_get(row, "counted"))
            fprintf(p->out, "    %-32s %12.10g %12s  wrong\n", name, json_real_value(predicted), "-");
        else if (predicted)
            fprintf(p->out, "    %-32s %12.10g %12.10g  %s\n", name, json_real_value(predicted),
                    json_real_value(json_object_get(row, "counted")),
                    json_is_true(json_object_get(row, "right")) ? "right" : "wrong");
        else
            fprintf(p->out, "    %-32s %12s\n", name, "?");
    }
    const json_t *seal = json_object_get(test, "seal");
    if (seal) fprintf(p->out, "    %s, digest %s\n", page_string(seal, "words"), page_string(seal, "digest"));
}

/* ---- the page ------------------------------------------------------------------------------- */
/* A replay runs only some of a check's cases, so it has no points. */
static void test_line(const struct page *p, const json_t *t, bool replay) {
    static const struct {
        const char *word;
        enum color color;
    } words[STATUSES] = {
        [STATUS_PASS] = {"ok", GREEN},   [STATUS_FAIL] = {"FAIL", RED},      [STATUS_BLOCKED] = {"skip", YELLOW},
        [STATUS_ERROR] = {"ERROR", RED}, [STATUS_SETUP] = {"SETUP", YELLOW}, [STATUS_SKIPPED] = {"-", FAINT}};
    const enum check_status s = check_status_of(t);
    const char *word = s == STATUS_NONE ? page_string(t, "status") : words[s].word;
    char points[32] = "";
    if (!replay)
        snprintf(points, sizeof points, "%3lld/%-3lld", page_integer(t, "points"), page_integer(t, "max_points"));
    fprintf(p->out, "  %s%-5s%s  %7s  %s\n", page_begin(p, words[s].color), word, page_end(p), points,
            page_string(t, "title"));
    page_wrapped(p, 18, page_string(t, "message"));
}
/* Returns whether an earlier test shows the same example. */
static bool example_before(const json_t *tests, size_t test, const json_t *t) {
    size_t k;
    json_t *u;
    const json_t *e = json_object_get(t, "example");
    json_array_foreach(tests, k, u) {
        const json_t *f = json_object_get(u, "example");
        if (k == test) break;
        if (e && f && json_equal(json_object_get(e, "replay"), json_object_get(f, "replay"))) return true;
    }
    return false;
}
/* Prints the points that count and the rules for submitting, as far as the record contains them. */
static void course_lines(const struct page *p, const json_t *course) {
    const char *deadline = page_string(course, "deadline"), *late = page_string(course, "late"),
               *attempts = page_string(course, "attempts");
    char text[600];
    snprintf(text, sizeof text, "%s%s%s%s%s%s", *deadline ? "due " : "", deadline, *late ? "; " : "", late,
             *deadline && *attempts ? "; " : "", attempts);
    page_wrapped(p, 0, page_string(course, "points"));
    page_wrapped(p, 0, text);
}
static void head(const struct page *p, const json_t *record) {
    const json_t *lab = json_object_get(record, "lab");
    char text[200];
    fprintf(p->out, "%s%s  %s%s\n", page_begin(p, BOLD), page_string(lab, "id"), page_string(lab, "title"),
            page_end(p));
    snprintf(text, sizeof text, "compiled by %s, run on %.60s, seed %s", page_string(record, "compiler"),
             page_string(record, "device"), page_string(record, "seed"));
    const char *file = page_string(record, "submission"); /* a file's name must not be wrapped */
    fprintf(p->out, "%s,%c", file, strlen(file) + strlen(text) + 2 > PAGE_WIDTH ? '\n' : ' ');
    fprintf(p->out, "%s\n", text);
    course_lines(p, json_object_get(record, "course"));
    fputc('\n', p->out);
}
static void findings(const struct page *p, const json_t *record) {
    const json_t *tests = json_object_get(record, "tests"), *source = json_object_get(record, "source");
    size_t k, n;
    json_t *t, *f;
    json_array_foreach(tests, k, t) json_array_foreach(
        json_object_get(t, "findings"), n, f) if (!page_shown_before(tests, k, f) && !page_is_listed(tests, f))
        page_finding(p, f, tests, source);
}
/* Prints the smallest failing case of each failed test. If a test has neither a case nor findings, prints the command
 * that repeats the test. */
static void failing_cases(const struct page *p, const json_t *record, bool all_steps) {
    const json_t *tests = json_object_get(record, "tests");
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) {
        if (check_status_of(t) != STATUS_FAIL || example_before(tests, k, t)) continue;
        if (json_object_get(t, "example"))
            fprintf(p->out, "\n    %s\n", page_string(t, "title")), page_example(p, 6, record, t, all_steps);
        else if (!json_array_size(json_object_get(t, "findings")) && json_object_get(t, "replay"))
            fprintf(p->out, "\n    %s\n      replay: %s\n", page_string(t, "title"), page_string(t, "replay"));
    }
}
/* Prints everything between the head and the score. */
static void details(const struct page *p, const json_t *record, const struct sink_options *options) {
    const json_t *tests = json_object_get(record, "tests"), *source = json_object_get(record, "source");
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) test_line(p, t, json_is_true(json_object_get(record, "replay")));
    page_warnings(p, record);
    findings(p, record);
    json_array_foreach(tests, k, t) if (*page_string(t, "printed")) {
        fprintf(p->out, "\n  The kernel printed\n");
        page_wrapped(p, 4, page_string(t, "printed"));
    }
    failing_cases(p, record, options->explain);
    json_array_foreach(tests, k, t) steps(p, t), lines(p, t, source, page_string(record, "submission")), beside(p, t);
    json_array_foreach(tests, k, t) modeled(p, t), modeled_on(p, t), timed(p, t), predictions(p, t);
    if (options->lanes) view_lanes(p, record);
    if (options->beside) view_beside(p, record);
    if (options->explain) view_explanations(p, record);
    fputc('\n', p->out);
}
static void first(const struct page *p, const json_t *record) {
    if (*page_string(record, "advice")) fprintf(p->out, "First: "), page_hanging(p, 7, page_string(record, "advice"));
    page_fix(p, record);
}
static void score(const struct page *p, const json_t *record) {
    const char *lab = page_string(json_object_get(record, "lab"), "id"), *bold = page_begin(p, BOLD),
               *plain = page_end(p), *file = page_string(json_object_get(record, "operator"), "file");
    const enum grade_end end = grade_end_of(record);
    if (end == END_SETUP) {
        fprintf(p->out, "%sThe machine is at fault, not the submission:%s\n", page_begin(p, YELLOW), plain);
        page_wrapped(p, 2, page_string(record, "message"));
    }
    if (json_is_true(json_object_get(record, "replay")))
        fprintf(p->out, "%s%s: the selected cases are %s; there is no grade, because only these cases were run%s\n",
                bold, lab, end == END_FULL ? "correct" : "not all correct", plain);
    else if (end == END_SETUP)
        fprintf(p->out, "%s%s: not graded%s\n", bold, lab, plain);
    else
        fprintf(p->out, "%s%s%s%s: %lld of %lld points%s%s\n", bold, lab, *file ? " with " : "", file,
                page_integer(record, "score"), page_integer(record, "max_score"),
                *file ? ", which do not count toward the lab" : "", plain);
    first(p, record);
}
/* Prints the compiler's messages. */
static void build_failure(const struct page *p, const json_t *record) {
    const json_t *build = json_object_get(record, "build");
    const char *variant = page_string(build, "variant"),
               *file = page_string(json_object_get(record, "operator"), "file");
    fprintf(p->out, "%s", page_string(build, "log"));
    if (*variant) fprintf(p->out, "(compiled for the %s)\n", variant);
    fprintf(p->out, "\n%s%s%s does not build: 0 of %lld points\n", page_string(record, "submission"),
            *file ? " with " : "", file, page_integer(record, "max_score"));
    first(p, record);
}
static void write_page(const json_t *record, FILE *out, const struct sink_options *options) {
    const struct page p = {out, options->color, terms_taught(page_lab(record))};
    if (!options->quiet) head(&p, record);
    if (grade_end_of(record) == END_BUILD) return build_failure(&p, record);
    if (!options->quiet) details(&p, record, options);
    score(&p, record);
}
static bool write_text(const json_t *record, FILE *out, const struct sink_options *options) {
    for (size_t k = 0; k < page_count(record); k++) {
        if (k && !options->quiet) fputc('\n', out);
        write_page(page_record(record, k), out, options);
    }
    return true;
}
extern const struct sink sink_text;
const struct sink sink_text = {
    "text", "Write the report to FILE as text; here and in the following options, - stands for standard output",
    write_text};
