/* See diagnostics.h. */
#include "compile/compile.h"
#include "compile/diagnostics.h"
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_WARNINGS = 20, MAX_NAME = 40 };

/* ---- our explanations ------------------------------------------------------------------------- */
static const struct row {
    const char *text[2], *sentence;
} rows[] = {
#define ROW(nvcc, clang, sentence) {{nvcc, clang}, sentence},
#define NAME(name)
#include "compile/diagnostics.def"
#undef NAME
};
static const char *const names[] = {
#define ROW(nvcc, clang, sentence)
#define NAME(name) #name,
#include "compile/diagnostics.def"
#undef NAME
};
/* Returns whether `text` contains all parts of `pattern` in this order. In `pattern`, `+` separates the parts. */
static bool occurs(const char *pattern, const char *text) {
    for (;;) {
        char part[80];
        const size_t n = strcspn(pattern, "+");
        snprintf(part, sizeof part, "%.*s", (int)n, pattern);
        const char *hit = strstr(text, part);
        if (!hit) return false;
        if (!pattern[n]) return true;
        text = hit + n, pattern += n + 1;
    }
}
static bool is_same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }
static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
/* Returns the edit distance of two names, in which two swapped letters count as one edit. Ignores case. */
static unsigned distance(const char *a, const char *b) {
    unsigned row[3][MAX_NAME + 1]; /* the rows of the last letters of `a`, the newest first */
    const size_t length = strlen(b);
    for (unsigned k = 0; k <= length; k++) row[0][k] = k;
    for (unsigned i = 0; a[i]; i++) {
        memmove(row[1], row[0], sizeof row[0] * 2);
        row[0][0] = i + 1;
        for (unsigned k = 0; k < length; k++) {
            row[0][k + 1] = least(row[1][k] + !is_same_letter(a[i], b[k]), least(row[0][k], row[1][k + 1]) + 1);
            if (i && k && is_same_letter(a[i], b[k - 1]) && is_same_letter(a[i - 1], b[k]))
                row[0][k + 1] = least(row[0][k + 1], row[2][k - 1] + 1);
        }
    }
    return row[0][length];
}
/* Copies a name without the underscores at its ends. */
static void without_underscores(const char *name, char out[MAX_NAME]) {
    name += strspn(name, "_");
    size_t n = strlen(name);
    while (n && name[n - 1] == '_') n--;
    snprintf(out, MAX_NAME, "%.*s", (int)n, name);
}
/* Returns whether an unknown name is probably a mistyped `name`: up to two letters are wrong or missing, the case of
 * letters differs, or _sync or __ is missing. */
static bool is_nearly(const char *unknown, const char *name) {
    const size_t n = strlen(unknown), length = strlen(name);
    char bare[2][MAX_NAME];
    if (n < 5 || n >= MAX_NAME || !strcmp(unknown, name)) return false;
    without_underscores(unknown, bare[0]), without_underscores(name, bare[1]);
    return distance(unknown, name) <= 2 || distance(bare[0], bare[1]) <= 1 ||
           (length <= n + 5 && !strncmp(unknown, name, n));
}
/* Returns the known name that is most similar to the unknown one, or NULL if none is similar. */
static const char *nearest(const char *unknown) {
    const char *best = NULL;
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (is_nearly(unknown, names[k]) && (!best || distance(unknown, names[k]) < distance(unknown, best)))
            best = names[k];
    return best;
}
/* Returns the member of `name` that the unknown name means, such as ".x" for `blockDimx`, or "". */
static const char *member_of(const char *name, const char *unknown) {
    static const char *const members[] = {".x", ".y", ".z"};
    const size_t n = strlen(name);
    const bool indexed = !strcmp(name + n - 3, "Idx") || !strcmp(name + n - 3, "Dim");
    if (!indexed || strncmp(unknown, name, n) != 0 || unknown[n] < 'x' || unknown[n] > 'z' || unknown[n + 1]) return "";
    return members[unknown[n] - 'x'];
}
/* Finds the unknown name in a message. Returns false if the message is not about an unknown name. */
static bool unknown_name(const char *message, char out[MAX_NAME]) {
    static const char *const before[] = {"error: identifier \"", "use of undeclared identifier '",
                                         "unknown type name '"};
    for (unsigned k = 0; k < sizeof before / sizeof *before; k++) {
        const char *hit = strstr(message, before[k]);
        if (!hit) continue;
        hit += strlen(before[k]);
        const size_t n = strcspn(hit, "\"'");
        if (k == 0 && strncmp(hit + n, "\" is undefined", 14) != 0) continue;
        if (strstr(hit, "is undefined in device code")) return false; /* a function of the CPU */
        snprintf(out, MAX_NAME, "%.*s", (int)n, hit);
        return n < MAX_NAME;
    }
    return false;
}
static bool is_of_the_header(const char *name) {
    return !strcmp(name, "value_t") || !strcmp(name, "combine") || !strcmp(name, "identity");
}
/* Returns the expression that a letter such as M, G or T stands for in the handouts, or NULL. */
static const char *meaning_of(const char *name) {
    return !strcmp(name, "M")   ? "blockDim.x"
           : !strcmp(name, "G") ? "gridDim.x"
           : !strcmp(name, "T") ? "gridDim.x * blockDim.x"
                                : NULL;
}
/* Returns whether the error is at the word `for`, so that the line above lacks the semicolon. */
static bool is_at_for(const char *message) {
    const char *line = strchr(message, '\n'), *mark = line ? strchr(line + 1, '\n') : NULL;
    const size_t column = mark ? strspn(mark + 1, " ") : 0;
    return mark && mark[1 + column] == '^' && line + 1 + column < mark && !strncmp(line + 1 + column, "for", 3);
}
static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
/* Returns the place of nvcc's or clang's mark in the message's quoted line, or NULL. *line is the beginning of that
 * line. */
static const char *marked(const char *message, const char **line) {
    const char *quoted = strchr(message, '\n'), *mark = quoted ? strchr(quoted + 1, '\n') : NULL;
    const size_t column = mark ? strcspn(mark + 1, "^~\n") : 0;
    if (!mark || !mark[1 + column] || mark[1 + column] == '\n' || quoted + 1 + column >= mark) return NULL;
    *line = quoted + 1;
    return quoted + 1 + column;
}
/* Returns whether the mark is at the first word of a statement. */
static bool begins_statement(const char *message) {
    const char *line, *at = marked(message, &line);
    if (!at) return false;
    while (at > line && isblank((unsigned char)at[-1])) at--;
    return at == line || strchr(";{})", at[-1]) || (at >= line + 4 && !strncmp(at - 4, "else", 4));
}
/* Returns whether `source` declares the name in a declaration that contains const. */
static bool is_declared_const(const char *source, const char *name, size_t n) {
    for (const char *at = strstr(source, name); at; at = strstr(at + 1, name)) {
        const char *begin = at;
        if (is_word(at[n]) || at == source || (!isblank((unsigned char)at[-1]) && at[-1] != '*')) continue;
        while (begin > source && !strchr("(,;{}\n", begin[-1])) begin--;
        const char *word = strstr(begin, "const ");
        if (word && word < at) return true;
    }
    return false;
}
/* If the message says that the kernel cannot assign to an element of a const array, copies the array's name. */
static bool const_array(const char *message, const char *source, char name[MAX_NAME]) {
    const char *line, *at = marked(message, &line);
    if (!at || !source ||
        (!strstr(message, "must be a modifiable lvalue") && !strstr(message, "read-only variable is not assignable")))
        return false;
    size_t n = 0;
    while (is_word(at[n])) n++;
    snprintf(name, MAX_NAME, "%.*s", (int)n, at);
    return n && n < MAX_NAME && at[n] == '[' && is_declared_const(source, name, n);
}
/* Prints the explanation of a message about `source`, which may be NULL. Returns false if there is none. */
static bool sentence_for(const char *message, const char *source, char *out, size_t size) {
    char unknown[MAX_NAME];
    if (const_array(message, source, unknown))
        return snprintf(out, size,
                        "the declaration of `%s` contains const, so the kernel can only read its elements: store the "
                        "value in "
                        "a variable or in another array",
                        unknown),
               true;
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if ((occurs(rows[k].text[0], message) || occurs(rows[k].text[1], message)) &&
            !(is_at_for(message) && strstr(rows[k].sentence, "header of a for")) &&
            !(begins_statement(message) && strstr(rows[k].sentence, "To compare")))
            return snprintf(out, size, "%s", rows[k].sentence), true;
    if (unknown_name(message, unknown)) {
        const char *near = nearest(unknown), *letter = meaning_of(unknown);
        if (letter)
            snprintf(out, size, "in the handouts, %s stands for %s: write %s", unknown, letter, letter);
        else if (is_of_the_header(unknown))
            snprintf(out, size, "%s comes from #include \"reduce.h\", which must precede its first use", unknown);
        else if (near)
            snprintf(out, size, "did you mean `%s%s`?%s", near, member_of(near, unknown),
                     strncasecmp(near, unknown, strlen(near)) ? "" : " Names are case-sensitive");
        else
            snprintf(
                out, size,
                "no declaration of `%s` is visible here: check the spelling, and whether the declaration is above, "
                "in the same or an enclosing block",
                unknown);
        return true;
    }
    return false;
}

/* ---- replacing names of the translation unit and the preprocessor ------------------------------ */
static void put_replaced(FILE *out, const char *text, const char *const (*pairs)[2], unsigned count) {
    while (*text) {
        unsigned k = 0;
        while (k < count && (!*pairs[k][0] || strncmp(text, pairs[k][0], strlen(pairs[k][0])) != 0)) k++;
        if (k < count)
            fputs(pairs[k][1], out), text += strlen(pairs[k][0]);
        else
            fputc(*text++, out);
    }
}
/* Returns a line of the compiler's output in which the student's names replace those of the translation unit; free()
 * it. */
static char *in_their_words(const char *line, const struct diagnosed *d) {
    static const char *const attributes[] = {"global", "shared", "device", "host", "constant", "managed"};
    enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };
    char path[3][PATH_MAX + 16], from[ATTRIBUTES][40], to[ATTRIBUTES][20], space[VARIANT_COUNT][40], *out = NULL;
    const char *pairs[4 + ATTRIBUTES + VARIANT_COUNT][2];
    unsigned n = 0;
    size_t size;
    snprintf(path[0], sizeof path[0], "%s/reduce.cu", d->folder);
    snprintf(path[1], sizeof path[1], "%s/" COMPILE_OWN, d->folder);
    snprintf(path[2], sizeof path[2], "%s/", d->root);
    pairs[n][0] = path[0], pairs[n++][1] = d->shown;
    pairs[n][0] = path[1], pairs[n++][1] = d->own_shown ? d->own_shown : COMPILE_OWN;
    pairs[n][0] = path[2], pairs[n++][1] = "";
    /* Students cannot set the option that nvcc proposes. */
    pairs[n][0] = " The experimental flag '--expt-relaxed-constexpr' can be used to allow this.", pairs[n++][1] = "";
    for (unsigned k = 0; k < ATTRIBUTES; k++) {
        snprintf(from[k], sizeof from[k], "__attribute__((%s))", attributes[k]);
        snprintf(to[k], sizeof to[k], "__%s__", attributes[k]);
        pairs[n][0] = from[k], pairs[n++][1] = to[k];
    }
    for (unsigned k = 0; k < VARIANT_COUNT; k++) {
        snprintf(space[k], sizeof space[k], "%s::", variant_name(variant_at(k)));
        pairs[n][0] = space[k], pairs[n++][1] = "";
    }
    FILE *f = open_memstream(&out, &size);
    if (!f) abort();
    put_replaced(f, line, (const char *const(*)[2])pairs, n);
    if (fclose(f)) abort();
    return out;
}

/* ---- lines of output --------------------------------------------------------------------------- */
/* Returns line `number` of a text, counted from 1, and stores its length. */
static const char *source_line(const char *text, unsigned number, size_t *length) {
    while (--number && text)
        if ((text = strchr(text, '\n'))) text++;
    if (!text) text = "";
    *length = strcspn(text, "\r\n");
    return text;
}
/* The head of a message about the submission, as nvcc or as clang and gcc print it: a line number, followed by the
 * message. */
struct head {
    unsigned line;
    const char *message;
    bool nvcc;
};
static bool head_of(const char *line, const struct diagnosed *d, struct head *h) {
    const size_t n = strlen(d->folder);
    static const char name[] = "/reduce.cu";
    if (strncmp(line, d->folder, n) != 0 || strncmp(line + n, name, sizeof name - 1) != 0) return false;
    const char *s = line + n + sizeof name - 1;
    char *end;
    if (*s != '(' && *s != ':') return false;
    h->nvcc = *s == '(';
    h->line = (unsigned)strtoul(s + 1, &end, 10);
    if (!h->line) return false;
    if (h->nvcc && *end == ')') end++;
    if (!h->nvcc && *end == ':' && isdigit((unsigned char)end[1])) strtoul(end + 1, &end, 10); /* the column */
    if (*end != ':') return false;
    h->message = end + 1 + strspn(end + 1, " ");
    return true;
}
/* Converts a token's column in the preprocessed line to its column in the original line. Returns -1 if the original
 * line does not contain the token. */
static long written_column(const char *preprocessed, size_t column, const char *written, size_t length) {
    size_t begin = column, end = column + 1, before = 0;
    if (column >= strlen(preprocessed)) return -1;
    if (is_word(preprocessed[column])) {
        while (begin && is_word(preprocessed[begin - 1])) begin--;
        while (is_word(preprocessed[end])) end++;
    }
    const size_t n = end - begin;
    for (size_t k = 0; k < begin; k++) before += !strncmp(preprocessed + k, preprocessed + begin, n);
    for (size_t k = 0; k + n <= length; k++)
        if (!strncmp(written + k, preprocessed + begin, n) && !before--) return (long)(k + column - begin);
    return -1;
}
/* Prints the student's own line and a caret. nvcc quotes the preprocessed line, which may differ. */
static void put_quote(FILE *out, const char *quoted, const char *caret, const struct head *h,
                      const struct diagnosed *d) {
    size_t length;
    const char *written = source_line(d->source, h->line, &length);
    const long column = written_column(quoted, strspn(caret, " "), written, length);
    fprintf(out, "  %.*s\n", (int)length, written);
    if (column < 0) return;
    fputs("  ", out);
    for (long k = 0; k < column; k++) fputc(written[k] == '\t' ? '\t' : ' ', out);
    fputs("^\n", out);
}
static bool is_caret(const char *line) { return strchr(line, '^') && !line[strspn(line, " ^")]; }

/* Returns whether the message only results from an earlier error or says how to suppress warnings. */
static bool is_noise(const char *line) {
    static const char *const noise[] = {"Remark: The warnings can be suppressed", "#12-D: parsing restarts here",
                                        "#1835-D: attribute \"__global__\" does not apply"};
    for (unsigned k = 0; k < sizeof noise / sizeof *noise; k++)
        if (strstr(line, noise[k])) return true;
    return false;
}
/* Returns the next line of the output without its newline, or NULL at the end of the output; free() it. */
static char *next_line(const char **output) {
    if (!**output) return NULL;
    const size_t n = strcspn(*output, "\n");
    char *line = strndup(*output, n);
    if (!line) abort();
    *output += n + ((*output)[n] == '\n');
    return line;
}

/* ---- errors ------------------------------------------------------------------------------------ */
/* A message: its head, and all lines before the next blank line or head. */
struct message {
    char *line[64];
    unsigned count;
    bool apart; /* whether a blank line precedes the message */
};
/* Returns whether the line begins a message, or a note that belongs to one. */
static bool begins_note(const char *line) {
    return strstr(line, ": note: ") || strstr(line, ": note #") || strstr(line, ": error: ") ||
           strstr(line, ": warning");
}
/* Returns whether the line begins a note about a function of CUDA's headers or about a built-in operator. Such notes
 * list all functions that a call does not fit. */
static bool is_long_note(const char *line, const struct diagnosed *d) {
    const bool kit = !strncmp(line, d->folder, strlen(d->folder)) || !strncmp(line, d->root, strlen(d->root));
    return (strstr(line, ": note: ") || strstr(line, ": note #")) &&
           ((*line == '/' && !kit) || strstr(line, "built-in operator"));
}
static void put_message(FILE *out, const struct message *m, const struct diagnosed *d, json_t *said) {
    if (!m->count || is_noise(m->line[0])) return;
    if (m->apart && ftell(out) > 0) fputc('\n', out);
    char wrapper[PATH_MAX], sentence[300], *all = NULL;
    struct head h = {0};
    size_t size;
    bool hidden = false;
    const bool own = head_of(m->line[0], d, &h);
    FILE *f = open_memstream(&all, &size);
    if (!f) abort();
    snprintf(wrapper, sizeof wrapper, "%s/unit.cu", d->folder);
    for (unsigned k = 0; k < m->count; k++) {
        fprintf(f, "%s\n", m->line[k]);
        if (begins_note(m->line[k])) hidden = is_long_note(m->line[k], d);
        if (hidden || strstr(m->line[k], wrapper)) continue;
        if (own && h.nvcc && k && k + 1 < m->count && is_caret(m->line[k + 1])) {
            fprintf(f, "%s\n", m->line[k + 1]);
            put_quote(out, m->line[k] + (strncmp(m->line[k], "  ", 2) ? 0 : 2), m->line[k + 1] + 2, &h, d), k++;
            continue;
        }
        char *shown = in_their_words(m->line[k], d);
        fprintf(out, "%s\n", shown);
        free(shown);
    }
    if (fclose(f)) abort();
    if (sentence_for(all, d->source, sentence, sizeof sentence) && !json_object_get(said, sentence)) {
        json_object_set_new(said, sentence, json_true());
        fprintf(out, "  = %s\n", sentence);
    }
    free(all);
}
static bool begins_message(const char *line, const struct diagnosed *d) {
    struct head h;
    return head_of(line, d, &h) || strstr(line, ": error: ");
}
char *diagnostics_errors(const char *output, const struct diagnosed *d) {
    char *out = NULL;
    size_t size;
    json_t *said = json_object();
    struct message m = {.count = 0};
    FILE *f = open_memstream(&out, &size);
    if (!f) abort();
    for (char *line = next_line(&output);; line = next_line(&output)) {
        if (!line || m.count == sizeof m.line / sizeof *m.line || !*line || begins_message(line, d)) {
            put_message(f, &m, d, said);
            while (m.count) free(m.line[--m.count]);
            m.apart = line && !*line;
        }
        if (!line) break;
        if (*line)
            m.line[m.count++] = line;
        else
            free(line);
    }
    if (fclose(f)) abort();
    json_decref(said);
    return out;
}

/* ---- warnings ---------------------------------------------------------------------------------- */
/* Prints the kind of a warning, preceded by its line. The kind is a number such as #174-D, a flag such as
 * [-Wparentheses], or the whole text if there is neither. */
static void kind_of(const struct head *h, char *out, size_t size) {
    const char *flag = strrchr(h->message, '['), *number = strchr(h->message, '#');
    const char *kind = flag && !h->nvcc ? flag : number && h->nvcc ? number : h->message;
    snprintf(out, size, "%u %.*s", h->line, h->nvcc && kind == number ? (int)strcspn(kind, ":") : (int)strlen(kind),
             kind);
}
char *diagnostics_warnings(const char *output, const struct diagnosed *d) {
    char *out = NULL;
    size_t size;
    json_t *reported = json_object();
    FILE *f = open_memstream(&out, &size);
    if (!f) abort();
    for (char *line; (line = next_line(&output)); free(line)) {
        struct head h;
        char kind[200];
        if (!head_of(line, d, &h) || strncmp(h.message, "warning", 7) != 0 || is_noise(line)) continue;
        kind_of(&h, kind, sizeof kind);
        if (json_object_get(reported, kind) || json_object_size(reported) == MAX_WARNINGS) continue;
        if (json_object_set_new(reported, kind, json_true())) continue; /* not UTF-8 */
        char *words = in_their_words(h.message, d);
        fprintf(f, "%u: %s\n", h.line, words);
        free(words);
    }
    if (fclose(f)) abort();
    json_decref(reported);
    return out;
}
json_t *diagnostics_json(const char *warnings, const char *source) {
    json_t *all = json_array();
    for (char *line; warnings && (line = next_line(&warnings)); free(line)) {
        char *text, sentence[300];
        size_t length;
        const unsigned number = (unsigned)strtoul(line, &text, 10);
        if (!number || strncmp(text, ": ", 2) != 0) continue;
        const char *code = source_line(source ? source : "", number, &length);
        while (length && isblank((unsigned char)*code)) code++, length--;
        const char *message = strstr(text + 2, ": "); /* the text after "warning #174-D" */
        json_t *warning = json_pack("{s:i, s:s, s:s%}", "line", (int)number, "message",
                                    message ? message + 2 : text + 2, "code", code, length);
        if (warning && sentence_for(text + 2, source, sentence, sizeof sentence))
            json_object_set_new(warning, "note", json_string(sentence));
        bool reported = !warning;
        for (size_t k = 0; !reported && k < json_array_size(all); k++)
            reported = json_equal(json_array_get(all, k), warning);
        if (reported)
            json_decref(warning);
        else
            json_array_append_new(all, warning);
    }
    return all;
}

/* ---- positions of errors ------------------------------------------------------------------------- */
/* The position at the start of an error or warning. nvcc prints `FILE(LINE): error: `; clang prints `FILE:LINE:COLUMN:
 * error: `. Instead of a line, nvcc may print words such as "At end of source". */
struct place {
    const char *severity, *message;
    size_t file; /* length of the file name at the start of the line; 0 if there is none */
    unsigned long line, column;
};
/* Returns the number that ends at *end, and moves *end to before the number and the mark that precedes it. Returns 0 if
 * there is no number. */
static unsigned long number_before(const char *line, size_t *end, char mark) {
    size_t begin = *end;
    while (begin && isdigit((unsigned char)line[begin - 1])) begin--;
    if (begin == *end || begin < 2 || line[begin - 1] != mark) return 0;
    *end = begin - 1;
    return strtoul(line + begin, NULL, 10);
}
static bool place_of(const char *line, const char *shown, struct place *out) {
    static const char *const words[][2] = {
        {": error", "error"}, {": fatal error", "error"}, {": catastrophic error", "error"}, {": warning", "warning"}};
    const size_t named = strncmp(line, shown, strlen(shown))
                             ? 0
                             : strlen(shown); /* the search skips the file name, which may look like a message */
    const char *first = NULL;
    *out = (struct place){0};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) {
        const char *hit = strstr(line + named, words[k][0]), *behind = hit ? hit + strlen(words[k][0]) : NULL;
        if (!hit || (*behind != ':' && *behind != ' ') || (first && hit > first)) continue;
        const char *message = strstr(behind, ": "); /* the text after "warning #174-D" */
        if (!message) continue;
        first = hit, out->severity = words[k][1], out->message = message + 2;
    }
    if (!first) return false;
    size_t end = (size_t)(first - line);
    if (end && line[end - 1] == ')') {
        end--;
        out->line = number_before(line, &end, '(');
    } else {
        out->line = number_before(line, &end, ':');
        size_t before = end;
        const unsigned long row = out->line ? number_before(line, &before, ':') : 0;
        if (row) out->column = out->line, out->line = row, end = before;
    }
    out->file = out->line ? end : 0;
    return true;
}
static unsigned last_line(const char *source) {
    unsigned lines = 1;
    for (const char *s = source; *s; s++) lines += *s == '\n' && s[1];
    return lines;
}
static json_t *place_json(const struct place *p, const char *line, const char *shown, const char *source) {
    json_t *file = p->file ? json_stringn(line, p->file) : json_string(shown);
    const unsigned long at = p->line ? p->line : last_line(source);
    return json_pack("{s:o, s:i, s:i, s:s, s:s}", "file", file ? file : json_string("?"), "line", (int)at, "column",
                     (int)p->column, "severity", p->severity, "message", p->message);
}
json_t *diagnostics_places(const char *errors, const char *shown, const char *source) {
    enum { HEAD, QUOTE, CARET }; /* lines that follow a head */
    json_t *all = json_array(), *last = NULL;
    unsigned behind = 0;
    const char *rest = errors;
    for (char *line; (line = next_line(&rest)); free(line), behind++) {
        struct place p;
        if (place_of(line, shown, &p)) {
            last = place_json(&p, line, shown, source), behind = HEAD;
            if (last && json_array_append_new(all, last)) last = NULL;
        } else if (!strncmp(line, "  = ", 4))
            json_object_set_new(last, "note", json_string(line + 4));
        else if (behind == CARET && line[strspn(line, " \t")] == '^' &&
                 !json_integer_value(json_object_get(last, "column")))
            json_object_set_new(
                last, "column",
                json_integer(strchr(line, '^') - line - 1)); /* nvcc indents quoted lines by two spaces */
    }
    if (!json_array_size(all)) {
        const size_t named = strlen(shown), length = strcspn(errors, "\n");
        const bool own = !strncmp(errors, shown, named);
        const size_t skip = own ? named + strspn(errors + named, ": ") : 0;
        json_array_append_new(all, json_pack("{s:s, s:i, s:i, s:s, s:s%}", "file", shown, "line", 1, "column", 0,
                                             "severity", "error", "message", errors + skip, length - skip));
    }
    return all;
}
const json_t *diagnostics_first_error(const json_t *places) {
    size_t k;
    json_t *place;
    json_array_foreach((json_t *)places, k, place) {
        const char *severity = json_string_value(json_object_get(place, "severity"));
        if (!severity || strcmp(severity, "warning") != 0) return place;
    }
    return NULL;
}
