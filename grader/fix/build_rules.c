/* The rules of build.def. See build.h. */
#include "fix/build.h"
#include <stdlib.h>
#include <string.h>

/* An error: its message, its explanation, and its location. */
struct spot {
    const struct source *s;
    const char *message, *note;
    uint32_t line;
    int32_t token; /* the first token at or after the error */
    enum build_rule rule;
    struct build_edits *out;
};
/* ---- tokens ------------------------------------------------------------------------------------------- */
static uint32_t end_of(const struct source *s, int32_t k) { return source_end(s, range_of(k)); }
static bool begins_line(const struct source *s, int32_t k) { return !k || s->token[k - 1].line < s->token[k].line; }
/* Returns the first token of the line of token k. */
static int32_t line_of(const struct source *s, int32_t k) {
    while (!begins_line(s, k)) k--;
    return k;
}
/* Returns the number of blanks at the beginning of the token's line. A tab counts as four. */
static uint32_t indentation(const struct source *s, int32_t k) {
    uint32_t width = 0;
    for (uint32_t at = edit_line_begin(s->text, s->token[k].at); s->text[at] == ' ' || s->text[at] == '\t'; at++)
        width += s->text[at] == '\t' ? 4 : 1;
    return width;
}
/* Returns whether token k has this text and is on the error's line. */
static bool is_here(const struct spot *p, int32_t k, const char *text) {
    return source_is(p->s, k, text) && p->s->token[k].line == p->line;
}
/* Adds an edit that replaces `removed` bytes. Reports quote the tokens from `from` to `to`. */
static void propose(const struct spot *p, uint32_t at, uint32_t removed, const char *text, int32_t from, int32_t to) {
    const struct source *s = p->s;
    if (p->out->count == BUILD_EDITS || from < 0 || to >= s->tokens || from > to) return;
    struct build_edit *e = &p->out->item[p->out->count];
    if (asprintf(&e->text, "%.*s%s%s", (int)at, s->text, text, s->text + at + removed) < 0) return;
    for (unsigned k = 0; k < p->out->count; k++)
        if (!strcmp(p->out->item[k].text, e->text)) return free(e->text);
    e->rule = p->rule, e->line = s->token[to].line;
    snprintf(e->quote, sizeof e->quote, "%.*s", (int)(end_of(s, to) - s->token[from].at), s->text + s->token[from].at);
    p->out->count++;
}
static void insert_after(const struct spot *p, int32_t k, const char *text) {
    if (k >= 0) propose(p, end_of(p->s, k), 0, text, line_of(p->s, k), k);
}
static void replace(const struct spot *p, int32_t k, const char *text) {
    propose(p, p->s->token[k].at, p->s->token[k].length, text, k, k);
}

/* ---- brackets and other punctuation --------------------------------------------------------------------------- */
/* Proposes to insert the punctuation that the message expects: after the previous token, and at the end of the line. */
static void missing_sign(const struct spot *p) {
    const struct source *s = p->s;
    const char *at = strstr(p->message, "expected "), *quote = at ? strpbrk(at, "\"'") : NULL;
    int32_t last = p->token;
    if (!quote || !ispunct((unsigned char)quote[1]) || quote[2] != quote[0]) return;
    const char sign[] = {quote[1], 0};
    insert_after(p, p->token - 1, sign);
    while (last < s->tokens && s->token[last].line == p->line) last++;
    insert_after(p, last - 1, sign);
    if (last - 2 > p->token) insert_after(p, last - 2, sign); /* before the semicolon or brace that ends the line */
}
/* Inserts a ] before the = after an index, or where the message expects it. */
static void missing_bracket(const struct spot *p) {
    int32_t depth = 0; /* of brackets after the index */
    for (int32_t k = p->token - 1; k > 0 && (depth || !source_is(p->s, k, "[")); k--) {
        depth += source_is(p->s, k, "]") - source_is(p->s, k, "[");
        if (!depth && source_is(p->s, k, "=")) insert_after(p, k - 1, "]");
    }
    missing_sign(p);
}
/* Inserts a = between a declared name and its value. */
static void missing_equals(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t k = p->token;
    const bool declares = k > 1 && k < s->tokens && s->token[k - 2].kind == TOKEN_NAME &&
                          s->token[k - 1].kind == TOKEN_NAME && s->token[k - 2].line == s->token[k].line;
    if (declares && s->token[k].kind != TOKEN_SIGN) insert_after(p, k - 1, " =");
}
/* Inserts a } where a line is indented no more than the line with the innermost open {. */
static void missing_brace(const struct spot *p) {
    const struct source *s = p->s;
    int32_t open[64], depth = 0, k;
    for (k = 0; k < s->tokens; k++) {
        const bool closes = source_is(s, k, "}");
        const int32_t around = depth ? open[depth - 1] : -1;
        if (around >= 0 && begins_line(s, k) && s->token[k].line > s->token[around].line && !source_is(s, k, "{")) {
            const uint32_t width = indentation(s, k), of = indentation(s, around);
            if (closes ? width < of : width <= of) break;
        }
        if (source_is(s, k, "{") && depth < 64) open[depth++] = k;
        if (closes && depth) depth--;
    }
    if (!depth) return;
    const int32_t around = open[depth - 1], last = k < s->tokens ? k - 1 : s->tokens - 1;
    char text[80];
    snprintf(text, sizeof text, "\n%*s}", (int)(indentation(s, around) % 64), "");
    propose(p, end_of(s, last), 0, text, line_of(s, around), around);
}
/* Removes a } above the error, first one that is not indented like the line with its {. */
static void extra_brace(const struct spot *p) {
    const struct source *s = p->s;
    int32_t open[64], depth = 0, odd = -1;
    for (int32_t k = 0; k < p->token && k < s->tokens; k++) {
        if (source_is(s, k, "{") && depth < 64) open[depth++] = k;
        if (!source_is(s, k, "}") || !depth) continue;
        depth--;
        if (begins_line(s, k) && indentation(s, k) != indentation(s, open[depth]) && odd < 0) odd = k;
    }
    for (int32_t k = odd >= 0 ? odd : p->token, left = 6; k > 0 && left; k--) {
        if (!source_is(s, k, "}")) continue;
        replace(p, k, "");
        left--;
    }
}
/* Removes the token at the error, or the token before it, if it is punctuation. */
static void extra_sign(const struct spot *p) {
    for (int32_t k = p->token; k >= p->token - 1; k--)
        if (source_is(p->s, k, ";") || source_is(p->s, k, ",") || source_is(p->s, k, ")") || source_is(p->s, k, "]"))
            replace(p, k, "");
}

/* Removes the semicolon after `if (...)` on the line of an else or above it. */
static void empty_if(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = p->token - 1, left = 40; k > 1 && left; k--, left--) {
        int32_t open = k - 1, depth = 0;
        if (!source_is(s, k, ";") || !source_is(s, k - 1, ")")) continue;
        for (; open > 0; open--) {
            depth += source_is(s, open, ")") - source_is(s, open, "(");
            if (!depth) break;
        }
        if (source_is(s, open - 1, "if")) propose(p, s->token[k].at, 1, "", open - 1, k);
    }
}
/* Replaces a comma in the header of a for by a semicolon. */
static void comma_in_for(const struct spot *p) {
    const struct source *s = p->s;
    bool in_for = false;
    for (int32_t k = 0; k < s->tokens; k++) {
        in_for |= is_here(p, k, "for");
        if (in_for && is_here(p, k, ",")) propose(p, s->token[k].at, 1, ";", line_of(s, k), k);
    }
}

/* ---- names ---------------------------------------------------------------------------------------------- */
/* Returns whether two names differ only in case and underscores or, if they are long enough, in a single character. */
static bool is_slip(const char *a, size_t n, const char *b, size_t m) {
    size_t before = 0, behind = 0, x = 0, y = 0;
    for (; x < n || y < m; x++, y++) {
        while (x < n && a[x] == '_') x++;
        while (y < m && b[y] == '_') y++;
        if (x >= n || y >= m || tolower((unsigned char)a[x]) != tolower((unsigned char)b[y])) break;
    }
    if (x >= n && y >= m) return true;
    if (n < 4 || m < 4 || n > m + 1 || m > n + 1) return false;
    while (before < n && before < m && a[before] == b[before]) before++;
    while (behind < n - before && behind < m - before && a[n - 1 - behind] == b[m - 1 - behind]) behind++;
    x = n - before - behind, y = m - before - behind;
    const bool swapped = x == 2 && y == 2 && a[before] == b[before + 1] && a[before + 1] == b[before];
    return (x <= 1 && y <= 1) || swapped;
}
/* Returns whether token k is the name that the message quotes, as in `identifier "x"` or `function("f(int)")`. */
static bool is_quoted(const struct spot *p, int32_t k) {
    const char *quote = strpbrk(p->message, "\"'");
    const size_t n = quote ? strcspn(quote + 1, "(\"'") : 0;
    return n && p->s->token[k].length == n && !memcmp(p->s->text + p->s->token[k].at, quote + 1, n);
}
/* Returns the token of the quoted name on the error's line, or -1. */
static int32_t named(const struct spot *p) {
    for (int32_t k = 0; k < p->s->tokens; k++)
        if (p->s->token[k].line == p->line && is_quoted(p, k)) return k;
    return -1;
}
/* Replaces an unknown name with the one that the explanation suggests, or with a similar name in the file. */
static void other_name(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    const char *said = strstr(p->note, "did you mean `"), *letter = strstr(p->note, " stands for ");
    if (at < 0) return;
    const struct token *t = &s->token[at];
    char name[80] = "";
    if (said) snprintf(name, sizeof name, "%.*s", (int)strcspn(said + 14, "`"), said + 14);
    if (letter) snprintf(name, sizeof name, "%.*s", (int)strcspn(letter + 12, ",:"), letter + 12);
    if (*name) replace(p, at, name);
    for (int32_t k = 0; k < s->tokens; k++) {
        const struct token *o = &s->token[k];
        if (o->kind != TOKEN_NAME || source_same(s, k, at) ||
            !is_slip(s->text + o->at, o->length, s->text + t->at, t->length))
            continue;
        source_copy(s, range_of(k), name, sizeof name);
        replace(p, at, name);
    }
}
/* Declares the variable of `for (k = ...`. */
static void loop_variable(const struct spot *p) {
    const int32_t at = named(p);
    if (at > 1 && source_is(p->s, at + 1, "=") && source_is(p->s, at - 2, "for"))
        propose(p, p->s->token[at].at, 0, "unsigned ", at, at);
}
/* Declares the variable of `x = ...;` as a value or, if the right side has no value, as a number. */
static void declaration(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    bool value = false;
    if (at < 1 || !source_is(s, at + 1, "=") || (!source_is(s, at - 1, ";") && !source_is(s, at - 1, "{"))) return;
    for (int32_t k = at + 2; k < s->tokens && !source_is(s, k, ";"); k++)
        value |= source_is(s, k, "identity") || source_is(s, k, "combine") || source_is(s, k, "[");
    propose(p, s->token[at].at, 0, value ? "value_t " : "unsigned ", at, at);
}
/* Replaces a shuffle without a mask by the one with a mask. */
static void old_shuffle(const struct spot *p) {
    const int32_t at = named(p);
    char name[40], text[80];
    if (at < 0 || strncmp(p->s->text + p->s->token[at].at, "__shfl", 6) != 0 || !source_is(p->s, at + 1, "(")) return;
    snprintf(text, sizeof text, "%s_sync(0xffffffff, ", source_copy(p->s, range_of(at), name, sizeof name));
    propose(p, p->s->token[at].at, p->s->token[at].length + 1, text, at, at);
}
static void missing_mask(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 1 < s->tokens; k++) {
        const struct token *t = &s->token[k];
        const bool syncs = t->length > 5 && !memcmp(s->text + end_of(s, k) - 5, "_sync", 5);
        if (t->line == p->line && syncs && source_is(s, k + 1, "("))
            propose(p, s->token[k + 1].at + 1, 0, "0xffffffff, ", k, k);
    }
}
/* Appends .x to all structs of the line, such as threadIdx. */
static void member_x(const struct spot *p) {
    static const char *const structs[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct source *s = p->s;
    int32_t first = -1, last = -1;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int32_t k = 0; f && k < s->tokens; k++) {
        const struct token *t = &s->token[k];
        if (t->line != p->line || source_is(s, k + 1, ".")) continue;
        for (unsigned n = 0; n < sizeof structs / sizeof *structs; n++) {
            if (!source_is(s, k, structs[n])) continue;
            if (first >= 0) fwrite(s->text + end_of(s, last), 1, t->at - end_of(s, last), f);
            fprintf(f, "%s.x", structs[n]);
            first = first < 0 ? k : first, last = k;
        }
    }
    if (f) fclose(f);
    if (first >= 0) propose(p, s->token[first].at, end_of(s, last) - s->token[first].at, text, first, last);
    free(text);
}
/* Appends () to a name of a function. */
static void empty_call(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k < s->tokens; k++)
        if (is_here(p, k, "identity") && !source_is(s, k + 1, "(")) replace(p, k, "identity()");
}

/* ---- functions ------------------------------------------------------------------------------------------ */
static void void_kernel(const struct spot *p) {
    for (int32_t k = 0; k + 1 < p->s->tokens; k++)
        if (is_here(p, k, "__global__")) insert_after(p, k, " void");
}
/* Puts __device__ before the definition of the function that the message names, as in `function("f(int)")`. */
static void device_function(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 1; k + 1 < s->tokens; k++) {
        const int32_t first = line_of(s, k);
        if (!is_quoted(p, k) || s->token[k - 1].kind != TOKEN_NAME || !source_is(s, k + 1, "(")) continue;
        return propose(p, s->token[first].at, 0, "__device__ ", first, k);
    }
}

/* ---- declarations and operators ------------------------------------------------------------------------- */
/* Removes the type before a name that is already declared. */
static void second_type(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    int32_t type = at;
    while (type > 0 && s->token[type - 1].line == p->line && s->token[type - 1].kind == TOKEN_NAME) type--;
    if (type < at) propose(p, s->token[type].at, s->token[at].at - s->token[type].at, "", type, at);
}
static void equals(const struct spot *p) {
    for (int32_t k = 0; k < p->s->tokens; k++)
        if (is_here(p, k, "=")) propose(p, p->s->token[k].at, 1, "==", line_of(p->s, k), k);
}
static void arrow(const struct spot *p) {
    for (int32_t k = 1; k < p->s->tokens; k++)
        if (is_here(p, k, "->")) propose(p, p->s->token[k].at, 2, ".", k - 1, k + 1);
}
/* Changes `__shared__ T s[size]` to `extern __shared__ T s[]`. */
static void dynamic_array(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k < s->tokens; k++) {
        int32_t open = k, close;
        if (!is_here(p, k, "__shared__") || source_is(s, k - 1, "extern")) continue;
        while (open < s->tokens && !source_is(s, open, "[") && !source_is(s, open, ";")) open++;
        for (close = open; close < s->tokens && !source_is(s, close, "]");) close++;
        char text[200], head[160];
        if (close == s->tokens || !source_is(s, open, "[")) return;
        snprintf(text, sizeof text, "extern %s]", source_copy(s, (struct range){k, open}, head, sizeof head));
        propose(p, s->token[k].at, end_of(s, close) - s->token[k].at, text, open - 1, open - 1);
    }
}
/* Adds const to the declaration on the line. */
static void const_pointer(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 1; k < s->tokens; k++)
        if (is_here(p, k, "*") && s->token[k - 1].kind == TOKEN_NAME && s->token[k - 1].line == p->line &&
            k + 1 < s->tokens)
            propose(p, s->token[k - 1].at, 0, "const ", k + 1, k + 1);
}
/* Passes the first argument of an atomic by its address. */
static void address_of(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++)
        if (s->token[k].line == p->line && !strncmp(s->text + s->token[k].at, "atomic", 6) &&
            source_is(s, k + 1, "(") && !source_is(s, k + 2, "&"))
            propose(p, s->token[k + 2].at, 0, "&", k, k + 2);
}

/* ---- all rules ------------------------------------------------------------------------------------------ */
static const struct {
    void (*make)(const struct spot *p);
    const char *messages;
} rules[BUILD_RULES] = {
#define BUILD(id, make, messages, meaning, idea) {make, messages},
#include "fix/build.def"
#undef BUILD
};
/* Returns whether the message contains one of the texts, which `|` separates. */
static bool says(const char *message, const char *texts) {
    for (const char *t = texts; *t; t += *t == '|') {
        const size_t n = strcspn(t, "|");
        if (memmem(message, strlen(message), t, n)) return true;
        t += n;
    }
    return false;
}
void build_propose(struct build_edits *l, const struct source *s, const json_t *error) {
    const uint32_t line = (uint32_t)json_integer_value(json_object_get(error, "line")),
                   column = (uint32_t)json_integer_value(json_object_get(error, "column"));
    struct spot p = {
        .s = s, .message = fix_text(error, "message"), .note = fix_text(error, "note"), .line = line, .out = l};
    for (; p.token < s->tokens; p.token++) {
        const struct token *t = &s->token[p.token];
        if (t->line > line || (t->line == line && t->at - edit_line_begin(s->text, t->at) + 1 >= column)) break;
    }
    for (unsigned k = 0; k < BUILD_RULES; k++)
        if (says(p.message, rules[k].messages)) p.rule = k, rules[k].make(&p);
}
void build_edits_free(struct build_edits *l) {
    for (unsigned k = 0; k < l->count; k++) free(l->item[k].text);
    l->count = 0;
}
