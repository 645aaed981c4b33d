/* Prints the lines that an edit changes. See edits.h. */
#include "fix/edits.h"
#include <stdlib.h>
#include <string.h>

static void print_lines(FILE *f, char mark, const char *from, const char *to) {
    while (from < to) {
        const char *end = memchr(from, '\n', (size_t)(to - from));
        if (!end) end = to;
        fprintf(f, "%c%.*s\n", mark, (int)(end - from), from);
        from = end + 1;
    }
}
/* ---- diffs that insert or remove only whole statements and lines ------------------------------------------------ */
uint32_t edit_line_begin(const char *text, uint32_t at) {
    while (at > 0 && text[at - 1] != '\n') at--;
    return at;
}
static bool is_blank(const char *text, uint32_t from, uint32_t to) {
    while (from < to && (text[from] == ' ' || text[from] == '\t')) from++;
    return from >= to;
}
/* Returns whether only whitespace or a comment follows on the line. */
static bool ends_line(const char *text, uint32_t at) {
    const char *rest = text + at + strspn(text + at, " \t");
    return !*rest || *rest == '\n' || !strncmp(rest, "//", 2);
}
/* Returns where the nearest earlier line with less indentation begins. */
static uint32_t less_indented(const char *text, uint32_t begin, int indent) {
    uint32_t at = begin;
    while (at > 0 && ((int)strspn(text + at, " \t") >= indent || text[at + strspn(text + at, " \t")] == '\n'))
        at = edit_line_begin(text, at - 1);
    return at;
}
/* Puts an inserted statement on its own line and removes a line that becomes empty or keeps only a comment. `text`
 * needs room for the part's text and a line's indentation. */
static struct edit_part on_own_line(const struct source *s, const struct edit_part *p, char *text, size_t size) {
    const uint32_t begin = edit_line_begin(s->text, p->at), end = p->at + p->removed;
    const int indent = (int)strspn(s->text + begin, " \t");
    const size_t n = strlen(p->text);
    struct edit_part now = {p->at, p->removed, text};
    snprintf(text, size, "%s", p->text);
    if (!p->removed && *p->text == ' ' && p->at && (s->text[p->at - 1] == ';' || s->text[p->at - 1] == '}') &&
        ends_line(s->text, p->at)) {
        const uint32_t line = strcmp(p->text, " }") != 0 ? begin : less_indented(s->text, begin, indent);
        now.at = p->at + (uint32_t)strcspn(s->text + p->at, "\n");
        snprintf(text, size, "\n%.*s%s", (int)strspn(s->text + line, " \t"), s->text + line, p->text + 1);
    } else if (!p->removed && n > 1 && (p->text[n - 1] == ' ' || p->text[n - 1] == ';') &&
               is_blank(s->text, begin, p->at)) {
        snprintf(text, size, "%.*s\n%.*s", (int)(n - (p->text[n - 1] == ' ')), p->text, indent, s->text + begin);
    } else if (p->removed && (!n || !strcmp(p->text, ";")) && is_blank(s->text, begin, p->at) &&
               ends_line(s->text, end) && strchr(s->text + end, '\n')) {
        now.at = begin, now.removed = (uint32_t)(strchr(s->text + end, '\n') + 1 - s->text) - begin;
        *text = 0;
    }
    return now;
}
/* Returns whether the removed text is empty, or exactly one statement of a compound statement. Elsewhere, such as in
 * the body of an `if`, a `;` must stay. */
static bool is_in_block(const struct source *s, const struct edit_part *p) {
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (source_begin(s, st->all) == p->at && source_end(s, st->all) == p->at + p->removed)
            return source_in_block(s, k);
    }
    return !p->removed;
}
static char *applied_neatly(const struct source *s, const struct edit *e) {
    struct edit neat = *e;
    char *room[EDIT_PARTS] = {NULL};
    if (e->parts == 1) {
        neat.part[0] = without_braces(s, &e->part[0], &room[0]);
        if (room[0]) {
            char *outward = edit_apply(s, &neat);
            return free(room[0]), outward;
        }
    }
    for (unsigned k = 0; k < e->parts; k++) {
        const size_t size = strlen(e->part[k].text) + 400;
        if (!is_in_block(s, &e->part[k]) || !(room[k] = malloc(size))) continue;
        neat.part[k] = on_own_line(s, &e->part[k], room[k], size);
        if (k && neat.part[k].at < neat.part[k - 1].at + neat.part[k - 1].removed) neat.part[k] = e->part[k];
    }
    char *now = edit_apply(s, &neat);
    for (unsigned k = 0; k < e->parts; k++) free(room[k]);
    return now;
}
/* The lines of a text, without the newline at the end of the last one. */
enum { DIFF_LINES = 200, FAR = 4 /* number of unchanged lines that separate two parts of a diff */ };
struct lines {
    const char *at[DIFF_LINES + 1]; /* the start of each line, and the end of the text */
    unsigned count;
};
static bool lines_of(const char *from, const char *to, struct lines *out) {
    out->count = 0;
    while (from < to && out->count < DIFF_LINES) {
        const char *end = memchr(from, '\n', (size_t)(to - from));
        out->at[out->count++] = from;
        from = end ? end + 1 : to;
    }
    out->at[out->count] = to;
    return from == to;
}
static bool is_same_line(const struct lines *a, unsigned x, const struct lines *b, unsigned y) {
    const size_t n = (size_t)(a->at[x + 1] - a->at[x]);
    return n == (size_t)(b->at[y + 1] - b->at[y]) && !memcmp(a->at[x], b->at[y], n);
}
/* Finds the next run of at least FAR equal lines at or after *x and *y, and sets these to its beginning. Returns its
 * length, or 0 if there is none. */
static unsigned next_run(const struct lines *old, const struct lines *now, unsigned *x, unsigned *y) {
    for (unsigned both = *x + *y; both < old->count + now->count; both++)
        for (unsigned k = *x; k <= both - *y && k < old->count; k++) {
            const unsigned m = both - k;
            unsigned n = 0;
            while (k + n < old->count && m + n < now->count && is_same_line(old, k + n, now, m + n)) n++;
            if (n < FAR) continue;
            *x = k, *y = m;
            return n;
        }
    return 0;
}
/* Prints the changed lines. A line `@@ line N @@` separates changes with FAR or more unchanged lines between them.
 * `first` is the number of the first line of `old`. */
static void print_changes(FILE *f, const struct lines *old, const struct lines *now, unsigned first) {
    for (unsigned from = 0, other = 0;;) {
        unsigned x = from, y = other;
        const unsigned run = next_run(old, now, &x, &y);
        if (!run) x = old->count, y = now->count;
        print_lines(f, '-', old->at[from], old->at[x]);
        print_lines(f, '+', now->at[other], now->at[y]);
        from = x + run, other = y + run;
        if (!run) return;
        fprintf(f, "@@ line %u @@\n", first + from);
    }
}
char *edit_diff(const struct source *s, const struct edit *e) {
    char *out = NULL, *now = applied_neatly(s, e);
    size_t size, before = 0, behind = 0;
    unsigned line = 1;
    FILE *f = now ? open_memstream(&out, &size) : NULL;
    if (!f) return free(now), NULL;
    const size_t old = strlen(s->text), fresh = strlen(now);
    for (size_t k = 0; s->text[k] && s->text[k] == now[k]; k++)
        if (s->text[k] == '\n') before = k + 1, line++;
    size_t alike = 0;
    for (; alike < old - before && alike < fresh - before && s->text[old - 1 - alike] == now[fresh - 1 - alike];
         alike++)
        if (s->text[old - 1 - alike] == '\n') behind = alike;
    /* A diff that only removes lines shows no line as added. A diff that only inserts lines keeps an adjacent line for
     * context. */
    if (alike == fresh - before && alike < old - before && s->text[old - 1 - alike] == '\n') behind = alike;
    struct lines was, is;
    if (lines_of(s->text + before, s->text + old - behind, &was) && lines_of(now + before, now + fresh - behind, &is)) {
        print_changes(f, &was, &is, line);
    } else {
        print_lines(f, '-', s->text + before, s->text + old - behind);
        print_lines(f, '+', now + before, now + fresh - behind);
    }
    fclose(f);
    free(now);
    return out;
}
json_t *edit_diff_lines(const struct source *s, const struct edit *e) {
    json_t *lines = json_array();
    char *diff = edit_diff(s, e);
    for (const char *line = diff; line && *line;) {
        const size_t n = strcspn(line, "\n");
        json_t *one = json_stringn(line, n); /* NULL if it is not UTF-8 */
        json_array_append_new(lines, one ? one : json_string("?"));
        line += n + (line[n] == '\n');
    }
    free(diff);
    return lines;
}
int edit_first_line(const struct source *s, const struct edit *e) {
    uint32_t first = UINT32_MAX;
    for (unsigned k = 0; k < e->parts; k++) {
        const struct edit_part *p = &e->part[k];
        uint32_t same = 0; /* number of bytes that stay as they are */
        if (!p->removed && !*p->text) continue;
        while (same < p->removed && s->text[p->at + same] == p->text[same]) same++;
        if (p->at + same < first) first = p->at + same;
    }
    return (int)source_line_at(s->text, first);
}
