/* The report for a terminal: at most 80 columns, readable without colour. */
#include "report/sink.h"
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80 };

/* ---- words and colour ----------------------------------------------------------------------- */
struct page {
    FILE *out;
    bool colour;
};
enum colour { PLAIN, RED, GREEN, YELLOW, BOLD, FAINT };
static const char *begin(const struct page *p, enum colour c) {
    static const char *const codes[] = {"", "\033[31m", "\033[32m", "\033[33m", "\033[1m", "\033[2m"};
    return p->colour ? codes[c] : "";
}
static const char *end(const struct page *p) { return p->colour ? "\033[0m" : ""; }

static const char *string(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}
static long long integer(const json_t *o, const char *key) {
    return (long long)json_integer_value(json_object_get(o, key));
}

/* Breaks text into lines of at most WIDTH columns, each indented but the first, which goes on behind what stands there
 * already. */
static void hanging(const struct page *p, int indent, const char *text) {
    bool first = true;
    for (const char *s = text; *s;) {
        size_t room = (size_t)(WIDTH - indent), n = strcspn(s, "\n");
        const size_t whole = n;
        if (n > room) {
            n = room;
            while (n > room / 2 && s[n] != ' ') n--;
            if (s[n] != ' ') n = room;
        }
        if (!first) fprintf(p->out, "%*s", indent, "");
        first = false;
        fwrite(s, 1, n, p->out);
        fputc('\n', p->out);
        s += n;
        if (n < whole)
            s += *s == ' ';
        else
            s += *s == '\n';
    }
}

static void wrapped(const struct page *p, int indent, const char *text) {
    if (*text) fprintf(p->out, "%*s", indent, "");
    hanging(p, indent, text);
}

/* ---- what a terminal must not see ----------------------------------------------------------- */
/* A copy of s (UTF-8) without control characters: C0 and C1, and those that turn the direction of text. Line ends stay
 * if asked. */
static json_t *safe_string(const char *s, bool lines) {
    char *copy = strdup(s), *end_of_copy = copy;
    for (const unsigned char *c = (const unsigned char *)s; copy && *c; c++) {
        const bool c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        const bool turns = c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) ||
                                            (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
        const bool kept = !c1 && !turns && ((*c >= ' ' && *c != 127) || (*c == '\n' && lines));
        *end_of_copy++ = kept ? (char)*c : '?';
        c += c1 ? 1 : turns ? 2 : 0;
    }
    if (copy) *end_of_copy = 0;
    json_t *safe = json_string(copy ? copy : "");
    free(copy);
    return safe;
}
static json_t *safe_copy(const json_t *value, bool lines) {
    const char *key;
    size_t k;
    json_t *item, *out;
    if (json_is_string(value)) return safe_string(json_string_value(value), lines);
    if (json_is_array(value)) {
        out = json_array();
        json_array_foreach(value, k, item) json_array_append_new(out, safe_copy(item, false));
        return out;
    }
    if (!json_is_object(value)) return json_deep_copy(value);
    out = json_object();
    json_object_foreach((json_t *)value, key, item) {
        json_t *name = safe_string(key, false);
        json_object_set_new(out, json_string_value(name),
                            safe_copy(item, !strcmp(key, "log") || !strcmp(key, "printed")));
        json_decref(name);
    }
    return out;
}

/* ---- findings ------------------------------------------------------------------------------- */
static void quote(const struct page *p, const json_t *source, const json_t *site) {
    char key[300];
    snprintf(key, sizeof key, "%s:%lld", string(site, "file"), integer(site, "line"));
    const char *text = json_string_value(json_object_get(source, key));
    if (!text) return;
    long long column = integer(site, "column");
    const size_t skip = strspn(text, " "), length = strlen(text);
    if (column < (long long)skip + 1 || column > (long long)length) column = (long long)skip + 1;
    fprintf(p->out, "      %s%6lld |%s %.*s\n", begin(p, FAINT), integer(site, "line"), end(p), WIDTH - 15, text);
    if (column < WIDTH - 15) fprintf(p->out, "             |%*s%s^%s\n", (int)column, "", begin(p, RED), end(p));
}
static void finding(const struct page *p, const json_t *f, const json_t *source) {
    char head[400];
    const json_t *at = json_object_get(f, "at"), *other = json_object_get(f, "other");
    snprintf(head, sizeof head, "%s:%lld: %s", string(at, "file"), integer(at, "line"), string(f, "title"));
    fprintf(p->out, "\n    %s", begin(p, RED));
    fprintf(p->out, "%s%s\n", head, end(p));
    quote(p, source, at);
    if (other && (integer(other, "line") != integer(at, "line") || strcmp(string(other, "file"), string(at, "file"))))
        quote(p, source, other);
    wrapped(p, 6, string(f, "message"));
    fprintf(p->out, "      block %lld, warp %lld", integer(at, "block"), integer(at, "warp"));
    if (integer(f, "count") > 1) fprintf(p->out, "; %lld times", integer(f, "count"));
    fputc('\n', p->out);
    fprintf(p->out, "      cure:   ");
    hanging(p, 14, string(f, "cure"));
    fprintf(p->out, "      replay: %s\n", string(f, "replay"));
}

/* ---- steps ---------------------------------------------------------------------------------- */
static void bar(const struct page *p, long long busy, long long threads, bool divergent) {
    enum { COLUMNS = 32 };
    long long filled = threads ? (busy * COLUMNS + threads - 1) / threads : 0;
    if (filled > COLUMNS) filled = COLUMNS;
    fprintf(p->out, "%s", begin(p, divergent ? RED : GREEN));
    for (long long k = 0; k < COLUMNS; k++) fputc(k < filled ? (divergent ? '#' : '=') : '.', p->out);
    fprintf(p->out, "%s", end(p));
}
static void steps(const struct page *p, const json_t *test) {
    const json_t *student = json_object_get(test, "student"), *counts = json_object_get(student, "counts");
    const json_t *reference = json_object_get(json_object_get(test, "reference"), "counts");
    size_t k;
    json_t *s;
    if (!student) return;
    const long long threads = integer(student, "block");
    fprintf(p->out, "\n  Steps of one block of M = %lld threads on %lld elements:\n", threads,
            integer(student, "elements"));
    fprintf(p->out, "  %s%lld of %lld tree steps diverge%s (the reference: %lld of %lld)\n\n", begin(p, BOLD),
            integer(counts, "divergent_tree_steps"), integer(counts, "tree_steps"), end(p),
            integer(reference, "divergent_tree_steps"), integer(reference, "tree_steps"));
    fprintf(p->out, "    step  kind   busy lanes                              warps  splits at\n");
    json_array_foreach(json_object_get(student, "steps"), k, s) {
        const bool divergent = json_is_true(json_object_get(s, "divergent"));
        if (k == 40) {
            fprintf(p->out, "    ... %zu more steps\n", json_array_size(json_object_get(student, "steps")) - k);
            break;
        }
        fprintf(p->out, "    %4zu  %-5s  %4lld ", k, string(s, "kind"), integer(s, "busy_lanes"));
        bar(p, integer(s, "busy_lanes"), threads, divergent);
        fprintf(p->out, "  %5lld", integer(s, "busy_warps"));
        if (divergent && integer(s, "line")) fprintf(p->out, "  line %lld", integer(s, "line"));
        fputc('\n', p->out);
    }
    fprintf(p->out, "    = all lanes of a warp together   # some lanes of a warp without the others\n");
}
static void lines(const struct page *p, const json_t *test, const json_t *source, const char *file) {
    const json_t *all = json_object_get(json_object_get(test, "student"), "lines");
    size_t k;
    json_t *l;
    if (!json_array_size(all)) return;
    fprintf(p->out, "\n  Lines: warp-instructions, share of lanes that work, steps it splits a warp in,\n  sectors "
                    "moved / needed, passes over shared memory / needed\n\n");
    fprintf(p->out, "    line   instr  lanes  splits     sectors      passes\n");
    json_array_foreach(all, k, l) {
        char key[300], sectors[32] = "", passes[32] = "";
        if (integer(l, "global_sectors"))
            snprintf(sectors, sizeof sectors, "%lld/%lld", integer(l, "global_sectors"),
                     integer(l, "global_ideal_sectors"));
        if (integer(l, "shared_passes"))
            snprintf(passes, sizeof passes, "%lld/%lld", integer(l, "shared_passes"),
                     integer(l, "shared_ideal_passes"));
        snprintf(key, sizeof key, "%s:%lld", file, integer(l, "line"));
        const char *text = json_string_value(json_object_get(source, key));
        text = text ? text + strspn(text, " ") : "";
        fprintf(p->out, "    %4lld  %6lld   %3.0f%%  %6lld  %10s  %10s  %s%.22s%s\n", integer(l, "line"),
                integer(l, "warp_instructions"), 100 * json_real_value(json_object_get(l, "simd_efficiency")),
                integer(l, "divergent_steps"), sectors, passes, begin(p, FAINT), text, end(p));
    }
}
static void beside(const struct page *p, const json_t *test) {
    static const struct {
        const char *key, *text;
    } rows[] = {{"warp_instructions", "warp-instructions"},
                {"barriers", "barriers"},
                {"global_sectors", "sectors of global memory"},
                {"shared_passes", "passes over shared memory"},
                {"shared_ideal_passes", "  of which needed without bank conflicts"}};
    const json_t *s = json_object_get(json_object_get(test, "student"), "counts"),
                 *r = json_object_get(json_object_get(test, "reference"), "counts");
    if (!s) return;
    fprintf(p->out, "\n  %-42s %12s %12s\n", "Counts of that block", "yours", "reference");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        fprintf(p->out, "    %-40s %12lld %12lld\n", rows[k].text, integer(s, rows[k].key), integer(r, rows[k].key));
    fprintf(p->out, "    %-40s %11.0f%% %11.0f%%\n", "SIMD efficiency",
            100 * json_real_value(json_object_get(s, "simd_efficiency")),
            100 * json_real_value(json_object_get(r, "simd_efficiency")));
}
static void modelled(const struct page *p, const json_t *test) {
    const json_t *m = json_object_get(test, "modelled");
    if (!m) return;
    fprintf(p->out,
            "\n  Modelled time for %lld elements, %lld threads a block: %.0f cycles, the\n  reference %.0f: ratio %.2f "
            "(counted work, not a measurement)\n",
            integer(m, "elements"), integer(m, "block"), json_real_value(json_object_get(m, "cycles")),
            json_real_value(json_object_get(m, "reference_cycles")), json_real_value(json_object_get(m, "ratio")));
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
        snprintf(name, sizeof name, "%s@%lld", string(row, "name"), integer(row, "block"));
        if (predicted)
            fprintf(p->out, "    %-32s %12.10g %12.10g  %s\n", name, json_real_value(predicted),
                    json_real_value(json_object_get(row, "counted")),
                    json_is_true(json_object_get(row, "right")) ? "right" : "wrong");
        else
            fprintf(p->out, "    %-32s %12s\n", name, "?");
    }
}

/* ---- the page ------------------------------------------------------------------------------- */
static void test_line(const struct page *p, const json_t *t, bool message) {
    static const struct {
        const char *status, *word;
        enum colour colour;
    } words[] = {{"pass", "ok", GREEN},   {"fail", "FAIL", RED},      {"blocked", "waits", YELLOW},
                 {"error", "ERROR", RED}, {"setup", "SETUP", YELLOW}, {"skipped", "-", FAINT}};
    const char *status = string(t, "status"), *word = status;
    enum colour colour = PLAIN;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(words[k].status, status)) word = words[k].word, colour = words[k].colour;
    fprintf(p->out, "  %s%-5s%s  %3lld/%-3lld  %s\n", begin(p, colour), word, end(p), integer(t, "points"),
            integer(t, "max_points"), string(t, "title"));
    if (message) wrapped(p, 18, string(t, "message"));
}
/* Each finding is shown once, at the first test that has it. */
static bool shown_before(const json_t *tests, size_t test, const json_t *f) {
    size_t k, n;
    json_t *t, *g;
    json_array_foreach(tests, k, t) {
        if (k == test) return false;
        json_array_foreach(json_object_get(t, "findings"), n,
                           g) if (json_equal(json_object_get(f, "kind"), json_object_get(g, "kind")) &&
                                  json_equal(json_object_get(json_object_get(f, "at"), "line"),
                                             json_object_get(json_object_get(g, "at"), "line"))) return true;
    }
    return false;
}
static bool write_page(const json_t *record, FILE *out, const struct sink_options *options) {
    const struct page p = {out, options->colour};
    const json_t *lab = json_object_get(record, "lab"), *tests = json_object_get(record, "tests"),
                 *build = json_object_get(record, "build");
    const json_t *source = json_object_get(record, "source");
    size_t k, n;
    json_t *t, *f;
    const char *finish = string(record, "end");
    if (!options->quiet) {
        fprintf(out, "%s%s  %s%s\n", begin(&p, BOLD), string(lab, "id"), string(lab, "title"), end(&p));
        fprintf(out, "%s, compiled by %s, run on %s, seed %s\n\n", string(record, "submission"),
                string(record, "compiler"), string(record, "device"), string(record, "seed"));
    }
    if (!strcmp(finish, "build")) {
        fprintf(out, "%s", string(build, "log"));
        if (*string(build, "variant"))
            fprintf(out, "(value_t and the operator as in the variant %s)\n", string(build, "variant"));
        fprintf(out, "\n%s does not build: 0 of %lld points\n", string(record, "submission"),
                integer(record, "max_score"));
        return fflush(out) == 0;
    }
    if (!options->quiet) {
        const char *last = "";
        json_array_foreach(tests, k, t) { /* what several tests wait for is said once */
            test_line(&p, t, strcmp(string(t, "status"), "blocked") || strcmp(string(t, "message"), last));
            if (!strcmp(string(t, "status"), "blocked")) last = string(t, "message");
        }
        json_array_foreach(tests, k, t) json_array_foreach(json_object_get(t, "findings"), n,
                                                           f) if (!shown_before(tests, k, f)) finding(&p, f, source);
        json_array_foreach(tests, k, t) if (*string(t, "printed")) {
            fprintf(out, "\n  The kernel printed\n");
            wrapped(&p, 4, string(t, "printed"));
        }
        json_array_foreach(tests, k, t) {
            if (!strcmp(string(t, "status"), "fail") && !json_array_size(json_object_get(t, "findings")) &&
                json_object_get(t, "replay"))
                fprintf(out, "\n    %s\n      replay: %s\n", string(t, "title"), string(t, "replay"));
        }
        json_array_foreach(tests, k, t) steps(&p, t), lines(&p, t, source, string(record, "submission")), beside(&p, t);
        json_array_foreach(tests, k, t) modelled(&p, t), predictions(&p, t);
        fputc('\n', out);
    }
    if (!strcmp(finish, "setup"))
        fprintf(out, "%sThe set-up is at fault, not the submission:%s\n", begin(&p, YELLOW), end(&p)),
            wrapped(&p, 2, string(record, "message"));
    if (json_is_true(json_object_get(record, "replay")))
        fprintf(out, "%s%s: the selected cases are %s; no grade, since only they were run%s\n", begin(&p, BOLD),
                string(lab, "id"), strcmp(finish, "full") ? "not all right" : "right", end(&p));
    else
        fprintf(out, "%s%s: %lld of %lld points%s\n", begin(&p, BOLD), string(lab, "id"), integer(record, "score"),
                integer(record, "max_score"), end(&p));
    if (*string(record, "advice")) fprintf(out, "First: "), hanging(&p, 7, string(record, "advice"));
    return fflush(out) == 0;
}
static bool write_text(const json_t *record, FILE *out, const struct sink_options *options) {
    json_t *safe = safe_copy(record, false);
    const bool ok = write_page(safe, out, options);
    json_decref(safe);
    return ok;
}
extern const struct sink sink_text;
const struct sink sink_text = {"text", "the report for a terminal", write_text};
