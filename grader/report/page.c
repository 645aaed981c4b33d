/* See page.h. */
#include "report/page.h"
#include <stdlib.h>
#include <string.h>

/* ---- words and color ----------------------------------------------------------------------- */
const char *page_begin(const struct page *p, enum color c) {
    static const char *const codes[] = {"", "\033[31m", "\033[32m", "\033[33m", "\033[1m", "\033[2m"};
    return p->color ? codes[c] : "";
}
const char *page_end(const struct page *p) { return p->color ? "\033[0m" : ""; }

const char *page_string(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}
long long page_integer(const json_t *o, const char *key) {
    return (long long)json_integer_value(json_object_get(o, key));
}

void page_hanging(const struct page *p, int indent, const char *text) {
    bool first = true;
    for (const char *s = text; *s;) {
        size_t room = (size_t)(PAGE_WIDTH - indent), n = strcspn(s, "\n");
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

void page_wrapped(const struct page *p, int indent, const char *text) {
    if (*text) fprintf(p->out, "%*s", indent, "");
    page_hanging(p, indent, text);
}

/* ---- control characters ----------------------------------------------------------- */
/* Copies s (UTF-8) with each control character that is not in `stay` replaced by '?'. Control characters are C0, DEL,
 * C1, U+2028 and U+2029 (which end a line), and U+202A to U+202E and U+2066 to U+2069 (which change the direction). */
static json_t *safe_string(const char *s, const char *stay) {
    char *copy = strdup(s), *end_of_copy = copy;
    for (const unsigned char *c = (const unsigned char *)s; copy && *c; c++) {
        const bool c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        const bool turns = c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) ||
                                            (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
        const bool kept = !c1 && !turns && ((*c >= ' ' && *c != 127) || strchr(stay, *c));
        *end_of_copy++ = kept ? (char)*c : '?';
        c += c1 ? 1 : turns ? 2 : 0;
    }
    if (copy) *end_of_copy = 0;
    json_t *safe = json_string(copy ? copy : "");
    free(copy);
    return safe;
}
static json_t *safe_copy(const json_t *value, const char *stay) {
    const char *key;
    size_t k;
    json_t *item, *out;
    if (json_is_string(value)) return safe_string(json_string_value(value), stay);
    if (json_is_array(value)) {
        out = json_array();
        json_array_foreach(value, k, item) json_array_append_new(out, safe_copy(item, ""));
        return out;
    }
    if (!json_is_object(value)) return json_deep_copy(value);
    out = json_object();
    json_object_foreach((json_t *)value, key, item) {
        json_t *name = safe_string(key, "");
        const bool text = !strcmp(key, "log") || !strcmp(key, "printed"), source = !strcmp(key, "source");
        json_object_set_new(out, json_string_value(name), safe_copy(item, text ? "\n" : source ? "\t" : stay));
        json_decref(name);
    }
    return out;
}
json_t *page_safe_copy(const json_t *value) { return safe_copy(value, ""); }

/* ---- findings ------------------------------------------------------------------------------- */
/* Copies as much of a source line as fits, with tabs expanded to spaces. Returns the position in the copy of character
 * `column`. Positions count from 1. */
static long long expand_tabs(const char *text, long long column, char *out, size_t size) {
    enum { STOP = 4 };
    long long stands = column;
    size_t n = 0;
    for (const char *c = text; *c && n + 1 < size; c++) {
        if (c - text == column - 1) stands = (long long)n + 1;
        if (*c != '\t') out[n++] = *c;
        for (bool first = true; *c == '\t' && n + 1 < size && (first || n % STOP); first = false) out[n++] = ' ';
    }
    out[n] = 0;
    return stands;
}
static void quote(const struct page *p, const json_t *source, const json_t *site) {
    char key[300];
    snprintf(key, sizeof key, "%s:%lld", page_string(site, "file"), page_integer(site, "line"));
    const char *text = json_string_value(json_object_get(source, key));
    if (!text) return;
    long long column = page_integer(site, "column");
    char line[PAGE_WIDTH - 15 + 1];
    const size_t skip = strspn(text, " \t"), length = strlen(text);
    if (column < (long long)skip + 1 || column > (long long)length) column = (long long)skip + 1;
    column = expand_tabs(text, column, line, sizeof line);
    fprintf(p->out, "      %s%6lld |%s %s\n", page_begin(p, FAINT), page_integer(site, "line"), page_end(p), line);
    if (column < PAGE_WIDTH - 15)
        fprintf(p->out, "             |%*s%s^%s\n", (int)column, "", page_begin(p, RED), page_end(p));
}
/* Returns whether f names the line and kind of g as its root. */
static bool is_root_of(const json_t *g, const json_t *f) {
    const json_t *root = json_object_get(f, "root");
    return root && json_equal(json_object_get(root, "kind"), json_object_get(g, "kind")) &&
           json_equal(json_object_get(root, "line"), json_object_get(json_object_get(g, "at"), "line"));
}
bool page_is_listed(const json_t *tests, const json_t *f) {
    size_t k, n;
    const json_t *t, *g;
    json_array_foreach((json_t *)tests, k, t)
        json_array_foreach(json_object_get(t, "findings"), n, g) if (is_root_of(g, f)) return true;
    return false;
}
bool page_shown_before(const json_t *tests, size_t test, const json_t *f) {
    size_t k, n;
    json_t *t, *g;
    json_array_foreach((json_t *)tests, k, t) {
        if (k == test) return false;
        json_array_foreach(json_object_get(t, "findings"), n,
                           g) if (json_equal(json_object_get(f, "kind"), json_object_get(g, "kind")) &&
                                  json_equal(json_object_get(json_object_get(f, "at"), "line"),
                                             json_object_get(json_object_get(g, "at"), "line"))) return true;
    }
    return false;
}
static void followers(const struct page *p, const json_t *root, const json_t *tests) {
    json_t *said = json_object();
    size_t k, n;
    const json_t *t, *f;
    json_array_foreach((json_t *)tests, k, t) json_array_foreach(json_object_get(t, "findings"), n, f) {
        char line[400];
        const json_t *at = json_object_get(f, "at");
        snprintf(line, sizeof line, "%s:%lld: %s", page_string(at, "file"), page_integer(at, "line"),
                 page_string(f, "title"));
        if (!is_root_of(root, f) || json_object_get(said, line)) continue;
        if (!json_object_size(said)) fprintf(p->out, "      likely the same cause:\n");
        fprintf(p->out, "        %s\n", line);
        json_object_set_new(said, line, json_true());
    }
    json_decref(said);
}
/* Prints the block and warp of the finding, and how many times it occurred. A finding in host code has no block. */
static void occurrence(const struct page *p, const json_t *f, const json_t *at) {
    const long long count = page_integer(f, "count");
    const bool device = json_object_get(at, "block");
    if (device) fprintf(p->out, "      block %lld", page_integer(at, "block"));
    if (device && terms_known(p->taught, "warp")) fprintf(p->out, ", warp %lld", page_integer(at, "warp"));
    if (count > 1) fprintf(p->out, "%s%lld times", device ? "; " : "      ", count);
    if (device || count > 1) fputc('\n', p->out);
    if (json_object_get(f, "launch")) fprintf(p->out, "      of "), page_hanging(p, 9, page_string(f, "launch"));
}
void page_finding(const struct page *p, const json_t *f, const json_t *tests, const json_t *source) {
    char head[600], where[320] = "";
    const json_t *at = json_object_get(f, "at"), *other = json_object_get(f, "other");
    const char *severity = page_string(f, "severity");
    const bool error = !*severity || !strcmp(severity, "error");
    if (page_integer(at, "line"))
        snprintf(where, sizeof where, "%s:%lld: ", page_string(at, "file"), page_integer(at, "line"));
    snprintf(head, sizeof head, "%s%s%s%s", where, error ? "" : severity, error ? "" : ": ", page_string(f, "title"));
    fprintf(p->out, "\n    %s", page_begin(p, error ? RED : YELLOW));
    fprintf(p->out, "%s%s\n", head, page_end(p));
    quote(p, source, at);
    if (other && (page_integer(other, "line") != page_integer(at, "line") ||
                  strcmp(page_string(other, "file"), page_string(at, "file"))))
        quote(p, source, other);
    page_wrapped(p, 6, page_string(f, "message"));
    occurrence(p, f, at);
    const json_t *witness = json_object_get(f, "witness");
    if (witness) fprintf(p->out, "      shown:  "), page_hanging(p, 14, page_string(witness, "message"));
    if (json_object_get(f, "replay")) fprintf(p->out, "      replay: %s\n", page_string(f, "replay"));
    followers(p, f, tests);
}

/* ---- warnings ------------------------------------------------------------------------------- */
void page_warnings(const struct page *p, const json_t *record) {
    size_t k;
    json_t *w;
    json_array_foreach(json_object_get(json_object_get(record, "build"), "warnings"), k, w) {
        char head[300], code[PAGE_WIDTH - 15 + 1];
        snprintf(head, sizeof head, "line %lld: the compiler warns: %s", page_integer(w, "line"),
                 page_string(w, "message"));
        fprintf(p->out, "\n    %s", page_begin(p, YELLOW));
        page_hanging(p, 6, head);
        expand_tabs(page_string(w, "code"), 1, code, sizeof code);
        fprintf(p->out, "%s      %s%6lld |%s %s\n", page_end(p), page_begin(p, FAINT), page_integer(w, "line"),
                page_end(p), code);
        page_wrapped(p, 6, page_string(w, "note"));
    }
}

/* ---- tables --------------------------------------------------------------------------------- */
static void bar(const struct page *p, long long busy, long long threads, bool divergent) {
    enum { COLUMNS = 32 };
    long long filled = threads ? (busy * COLUMNS + threads - 1) / threads : 0;
    if (filled > COLUMNS) filled = COLUMNS;
    fprintf(p->out, "%s", page_begin(p, divergent ? RED : GREEN));
    for (long long k = 0; k < COLUMNS; k++) fputc(k < filled ? (divergent ? '#' : '=') : '.', p->out);
    fprintf(p->out, "%s", page_end(p));
}
void page_steps(const struct page *p, const json_t *steps, long long threads) {
    size_t k;
    json_t *s;
    const bool lanes = terms_known(p->taught, "lanes of a warp that diverges");
    fputs(lanes ? "    step  kind   active lanes                            warps  diverges at\n"
                : "    step  kind   active threads\n",
          p->out);
    json_array_foreach(steps, k, s) {
        const bool divergent = lanes && json_is_true(json_object_get(s, "divergent"));
        if (k == 40) {
            fprintf(p->out, "    ... %zu more steps\n", json_array_size(steps) - k);
            break;
        }
        fprintf(p->out, "    %4zu  %-5s  %4lld ", k, page_string(s, "kind"), page_integer(s, "active_lanes"));
        bar(p, page_integer(s, "active_lanes"), threads, divergent);
        if (lanes) fprintf(p->out, "  %5lld", page_integer(s, "active_warps"));
        if (divergent && page_integer(s, "line")) fprintf(p->out, "  line %lld", page_integer(s, "line"));
        fputc('\n', p->out);
    }
    if (lanes) fputs("    = all lanes of a warp   # only some lanes of a warp\n", p->out);
}

/* Columns of the table of lines. A report shows the columns whose terms have been taught. */
static void of_instructions(const json_t *l, char *out, size_t size) {
    snprintf(out, size, "%lld", page_integer(l, "warp_instructions"));
}
static void of_lanes(const json_t *l, char *out, size_t size) {
    snprintf(out, size, "%.0f%%", 100 * json_real_value(json_object_get(l, "simd_efficiency")));
}
static void of_splits(const json_t *l, char *out, size_t size) {
    snprintf(out, size, "%lld", page_integer(l, "divergent_steps"));
}
static void of_sectors(const json_t *l, char *out, size_t size) {
    if (page_integer(l, "global_sectors"))
        snprintf(out, size, "%lld/%lld", page_integer(l, "global_sectors"), page_integer(l, "global_ideal_sectors"));
}
static void of_passes(const json_t *l, char *out, size_t size) {
    if (page_integer(l, "shared_wavefronts"))
        snprintf(out, size, "%lld/%lld", page_integer(l, "shared_wavefronts"),
                 page_integer(l, "shared_ideal_wavefronts"));
}
static const struct {
    const char *head, *says;
    int width;
    void (*text)(const json_t *line, char *out, size_t size);
} columns[] = {{"instr", "warp-instructions", 7, of_instructions},
               {"lanes", "share of active lanes", 6, of_lanes},
               {"diverge", "steps in which it diverges", 7, of_splits},
               {"sectors", "sectors moved / needed", 11, of_sectors},
               {"wavefronts", "shared-memory wavefronts / needed", 11, of_passes}};
enum { COLUMNS = sizeof columns / sizeof *columns };
void page_lines(const struct page *p, const json_t *all, const json_t *source, const char *file) {
    size_t k;
    json_t *l;
    char says[200] = "Lines: ";
    unsigned shown = 0;
    for (unsigned c = 0; c < COLUMNS; c++)
        if (terms_known(p->taught, columns[c].says))
            snprintf(says + strlen(says), sizeof says - strlen(says), "%s%s", shown++ ? ", " : "", columns[c].says);
    if (!json_array_size(all) || !shown) return;
    fputc('\n', p->out);
    page_wrapped(p, 2, says);
    fputs("\n    line", p->out);
    for (unsigned c = 0; c < COLUMNS; c++)
        if (terms_known(p->taught, columns[c].says)) fprintf(p->out, " %*s", columns[c].width, columns[c].head);
    fputc('\n', p->out);
    json_array_foreach(all, k, l) {
        char key[300], line[22 + 1];
        snprintf(key, sizeof key, "%s:%lld", file, page_integer(l, "line"));
        const char *text = json_string_value(json_object_get(source, key));
        expand_tabs(text ? text + strspn(text, " \t") : "", 1, line, sizeof line);
        fprintf(p->out, "    %4lld", page_integer(l, "line"));
        for (unsigned c = 0; c < COLUMNS; c++) {
            char value[48] = "";
            if (!terms_known(p->taught, columns[c].says)) continue;
            columns[c].text(l, value, sizeof value);
            fprintf(p->out, " %*s", columns[c].width, value);
        }
        fprintf(p->out, "  %s%s%s\n", page_begin(p, FAINT), line, page_end(p));
    }
}
