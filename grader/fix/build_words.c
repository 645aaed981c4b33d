/* Rules of build.def for words from other languages, CUDA host code and the lab's header. See build_spot.h. */
#include "fix/build_spot.h"
#include "fix/names.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void replace(const struct spot *p, struct range old, const char *text) {
    const uint32_t at = source_begin(p->s, old);
    propose(p, at, source_end(p->s, old) - at, text, old.first, old.last);
}
/* Returns the ) of the call of the function whose name is token k, or -1. */
static int32_t end_of_call(const struct source *s, int32_t k) {
    const int32_t close = source_is(s, k + 1, "(") ? s->token[k + 1].match : -1;
    return close > k ? close : -1;
}
/* Turns a call that waits for kernels into __syncthreads(). */
void barrier_for_host(const struct spot *p) {
    for (int32_t k = 0; k + 1 < p->s->tokens; k++) {
        char name[40];
        const int32_t close = end_of_call(p->s, k);
        if (p->s->token[k].line != p->line || close < 0) continue;
        source_copy(p->s, range_of(k), name, sizeof name);
        if (!strncmp(name, "cuda", 4) && strstr(name, "Synchronize"))
            replace(p, (struct range){k, close}, "__syncthreads()");
    }
}
/* Turns `in.length`, `in.size()` or `len(in)` into the last parameter of the function whose first parameter is `in`. */
void length_of_input(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++) {
        const bool dot = source_is(s, k + 1, "."), len = source_is(s, k, "len") && end_of_call(s, k) == k + 3;
        const int32_t pointer = len ? k + 2 : k;
        int32_t last = k + (len ? 3 : 2), open = k;
        char name[40];
        source_copy(s, range_of(k + 2), name, sizeof name);
        if (s->token[k].line != p->line || !(len || (dot && (!strncmp(name, "len", 3) || !strcmp(name, "size")))))
            continue;
        if (!len && end_of_call(s, k + 2) == k + 4) last = k + 4;
        while (open > 0 && !source_is(s, open, "__global__")) open--;
        while (open < k && !source_is(s, open, "(")) open++;
        const int32_t close = s->token[open].match;
        if (close < open + 6 || close >= k || !source_is(s, open + 1, "const") || !source_same(s, open + 4, pointer) ||
            s->token[close - 1].kind != TOKEN_NAME || source_is(s, close - 2, "*"))
            continue;
        replace(p, (struct range){k, last}, source_copy(s, range_of(close - 1), name, sizeof name));
    }
}
/* Turns `for i in range(first, end, step): statement` into a C for loop. The statement must be on the same line. */
void python_loop(const struct spot *p) {
    static const char *const missing[] = {"0", "1"};
    const struct source *s = p->s;
    for (int32_t k = 0; k + 7 < s->tokens; k++) {
        const int32_t close = source_is(s, k + 3, "range") ? end_of_call(s, k + 3) : -1;
        char part[3][80], name[40], text[400];
        unsigned parts = 0;
        int32_t from = k + 5;
        if (s->token[k].line != p->line || !source_is(s, k, "for") || !source_is(s, k + 2, "in") || close <= from)
            continue;
        for (int32_t at = from; at <= close && parts < 3; at++) {
            if (at < close && s->token[at].match > at) at = s->token[at].match;
            if (at < close && !source_is(s, at, ",")) continue;
            if (at > from) source_copy(s, (struct range){from, at - 1}, part[parts++], sizeof part[0]);
            from = at + 1;
        }
        const bool alone = source_is(s, close + 1, ":") && close + 2 < s->tokens && s->token[close + 2].line == p->line;
        if (!parts || from <= close || !alone) continue;
        source_copy(s, range_of(k + 1), name, sizeof name);
        snprintf(text, sizeof text, "for (unsigned %s = %s; %s < %s; %s += %s)", name, parts > 1 ? part[0] : missing[0],
                 name, part[parts > 1], name, parts > 2 ? part[2] : missing[1]);
        replace(p, (struct range){k, close + 1}, text);
    }
}
/* Returns the width of the blanks at the beginning of a line. A tab counts as four. */
static unsigned width_of(const char *line) {
    unsigned width = 0;
    for (; isblank((unsigned char)*line); line++) width += *line == '\t' ? 4 : 1;
    return width;
}
/* Returns the length of the word, such as while, that begins a Python statement at `code`, and sets *in_c to its
 * equivalent in C. Returns 0 for other words. */
static size_t python_head(const char *code, const char **in_c) {
    static const char *const heads[][2] = {{"if", "if"}, {"while", "while"}, {"elif", "else if"}, {"else", "else"}};
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        const size_t n = strlen(heads[k][0]);
        if (!strncmp(code, heads[k][0], n) && !isalnum((unsigned char)code[n]) && code[n] != '_')
            return *in_c = heads[k][1], n;
    }
    return 0;
}
/* Writes all lines from `line` on. Turns lines such as `if x == 0:` into `if (x == 0) {`, and closes each block after
 * its last line, which the indentation shows. */
static void put_python(FILE *f, const char *line) {
    unsigned open[16], depth = 0;
    for (const char *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        const unsigned width = width_of(line);
        const char *code = line + strspn(line, " \t"), *colon = end, *comment = strstr(code, "//"), *head;
        for (; code < end && depth && width <= open[depth - 1]; depth--) fprintf(f, "%*s}\n", (int)open[depth - 1], "");
        if (comment && comment < end) colon = comment;
        while (colon > code && isblank((unsigned char)colon[-1])) colon--;
        const size_t n = python_head(code, &head);
        const char *condition = code + n + strspn(code + n, " \t");
        if (!n || depth == 16 || colon[-1] != ':') {
            fprintf(f, "%.*s%s", (int)(end - line), line, *end ? "\n" : "");
            continue;
        }
        const int length = (int)(colon - 1 > condition ? colon - 1 - condition : 0);
        fprintf(f, length ? "%.*s%s (%.*s) {%.*s\n" : "%.*s%s%.*s {%.*s\n", (int)(code - line), line, head, length,
                condition, (int)(end - colon), colon);
        open[depth++] = width;
    }
    while (depth--) fprintf(f, "%*s}\n", (int)open[depth], "");
}
/* Turns `if x == 0:` and the indented lines below it, and all such statements of the file, into C. */
void python_blocks(const struct spot *p) {
    const struct source *s = p->s;
    char *text = NULL;
    size_t size;
    int32_t first = 0, last;
    while (first < s->tokens && s->token[first].line < p->line) first++;
    for (last = first; last + 1 < s->tokens && s->token[last + 1].line == p->line;) last++;
    if (last >= s->tokens || !(source_is(s, first, "if") || source_is(s, first, "while")) || !source_is(s, last, ":"))
        return;
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    put_python(f, s->text);
    fclose(f);
    propose(p, 0, (uint32_t)strlen(s->text), text, first, last);
    free(text);
}
/* Turns `return x.value, x.index;` into `return x;`, and a list of other values into a list in braces. */
void returned_members(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 4 < s->tokens; k++) {
        int32_t end = k + 1, commas = 0;
        char list[120], text[132];
        if (s->token[k].line != p->line || !source_is(s, k, "return")) continue;
        for (; end < s->tokens && !source_is(s, end, ";"); end++) {
            if (s->token[end].match > end) end = s->token[end].match;
            commas += source_is(s, end, ",");
        }
        const struct range all = {k + 1, end - 1};
        if (!commas || end >= s->tokens || source_end(s, all) - source_begin(s, all) >= sizeof list) continue;
        const bool whole =
            end == k + 8 && source_same(s, k + 1, k + 5) && source_is(s, k + 2, ".") && source_is(s, k + 6, ".");
        snprintf(text, sizeof text, whole ? "return %s" : "return {%s}",
                 source_copy(s, whole ? range_of(k + 1) : all, list, sizeof list));
        replace(p, (struct range){k, end - 1}, text);
    }
}
/* Includes the lab's header. */
void included_header(const struct spot *p) {
    const int32_t at = named(p);
    if (at >= 0 && strstr(p->note, "comes from #include")) propose(p, 0, 0, "#include \"reduce.h\"\n", at, at);
}
/* Replaces a name that is nearly a keyword with the keyword. */
void keyword(const struct spot *p) {
    static const char *const words[] = {"if",       "for",   "else",   "while",  "return",   "break",
                                        "continue", "const", "void",   "float",  "unsigned", "bool",
                                        "true",     "false", "extern", "static", "int"};
    const struct source *s = p->s;
    const int32_t at = named(p);
    if (at < 0) return;
    const struct token *t = &s->token[at];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_slip(s->text + t->at, t->length, words[k], strlen(words[k]))) replace(p, range_of(at), words[k]);
}
/* Returns whether the part uses the value of the variable (a token), other than to increment it. */
static bool uses_value(const struct source *s, struct range part, int32_t variable) {
    for (int32_t k = part.first; k <= part.last; k++) {
        const bool counts = source_is(s, k + 1, "++") || source_is(s, k + 1, "+=") || source_is(s, k - 1, "++");
        if (source_same(s, k, variable) && !counts) return true;
    }
    return false;
}
/* Replaces an unknown name in the body of a loop with the loop variable, if the body does not use this variable. */
void unused_counter(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    for (int32_t k = at - 1; k >= 0; k--) {
        char name[40];
        const bool heads = source_is(s, k, "for") || source_is(s, k, "while");
        const int32_t close = heads ? end_of_call(s, k) : -1;
        int32_t end = close + 1, variable = k + 2;
        if (close < 0 || close >= at) continue;
        while (end < s->tokens && !source_is(s, end, ";") && !source_is(s, end, "{")) end++;
        if (source_is(s, end, "{")) end = s->token[end].match;
        while (variable < close && (s->token[variable].kind != TOKEN_NAME || s->token[variable + 1].kind != TOKEN_SIGN))
            variable++;
        if (end < at || variable == close || s->token[variable].length >= sizeof name) continue;
        if (!uses_value(s, (struct range){close + 1, end}, variable))
            replace(p, range_of(at), source_copy(s, range_of(variable), name, sizeof name));
        return;
    }
}
/* Replaces an index with 0 if it is the variable of an earlier loop that counts down to 0. */
void ended_at_zero(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    if (at < 1 || !source_is(s, at - 1, "[") || !source_is(s, at + 1, "]")) return;
    for (int32_t k = at - 1; k > 1 && !source_is(s, k, "__global__"); k--) {
        const bool ends = source_same(s, k, at) && (source_is(s, k + 1, ">") || source_is(s, k + 1, ">=")) &&
                          (source_is(s, k + 2, "0") || source_is(s, k + 2, "1"));
        if (ends && source_is(s, k - 1, ";")) return replace(p, range_of(at), "0");
    }
}
/* Stores the value of `out = x;` in the first element, or in the block's element of `partial`. */
void stored_in_pointer(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 1; k + 2 < s->tokens; k++) {
        const bool begins = source_is(s, k - 1, ";") || source_is(s, k - 1, "{") || source_is(s, k - 1, ")") ||
                            source_is(s, k - 1, "}") || source_is(s, k - 1, "else");
        if (s->token[k].line != p->line || !begins || s->token[k].kind != TOKEN_NAME || !source_is(s, k + 1, "="))
            continue;
        int32_t end = k + 2;
        while (end + 1 < s->tokens && !source_is(s, end, ";")) end++;
        propose(p, source_end(s, range_of(k)), 0, source_is(s, k, "partial") ? "[blockIdx.x]" : "[0]", k, end - 1);
    }
}
/* Turns `return a.index < b.index;` in a function that returns one of its two parameters into a choice. */
void returned_comparison(const struct spot *p) {
    static const char *const signs[] = {"<", ">", "<=", ">=", "==", "!=", "before", "&&", "||"};
    const struct source *s = p->s;
    for (int32_t f = 0; f < s->functions; f++) {
        const struct range body = s->statement[s->function[f].body].all, of = s->function[f].parameters;
        int32_t comma = of.first;
        char first[40], second[40], text[96];
        while (comma < of.last && !source_is(s, comma, ",")) comma++;
        if (comma < of.first + 1 || comma >= of.last) continue;
        source_copy(s, range_of(comma - 1), first, sizeof first);
        source_copy(s, range_of(of.last), second, sizeof second);
        for (int32_t k = body.first; k < body.last; k++) {
            int32_t end = k + 1;
            bool compares = false;
            if (s->token[k].line != p->line || !source_is(s, k, "return")) continue;
            for (; end < body.last && !source_is(s, end, ";"); end++)
                for (size_t n = 0; n < sizeof signs / sizeof *signs; n++) compares |= source_is(s, end, signs[n]);
            if (!compares || source_has(s, (struct range){k, end}, "?")) continue;
            snprintf(text, sizeof text, " ? %s : %s", first, second);
            propose(p, source_end(s, range_of(end - 1)), 0, text, k, end - 1);
        }
    }
}
/* Converts one argument of min or max to the other's type. */
void different_types(const struct spot *p) {
    static const char *const types[] = {"(size_t)", "(unsigned)"};
    const struct source *s = p->s;
    for (int32_t k = 0; k + 1 < s->tokens; k++) {
        struct range r[2];
        char own[100], text[128];
        if (s->token[k].line != p->line || !(source_is(s, k, "min") || source_is(s, k, "max"))) continue;
        if (call_arguments(s, k, r, 2) != 2) continue;
        const int32_t close = s->token[k + 1].match;
        for (unsigned type = 0; type < 2; type++)
            for (unsigned n = 2; n-- > 0;) {
                const char *format = r[n].first < r[n].last ? "%s(%s)" : "%s%s";
                if (source_is(s, r[n].first, "(") || source_end(s, r[n]) - source_begin(s, r[n]) >= sizeof own)
                    continue;
                snprintf(text, sizeof text, format, types[type], source_copy(s, r[n], own, sizeof own));
                propose(p, source_begin(s, r[n]), source_end(s, r[n]) - source_begin(s, r[n]), text, k, close);
            }
    }
}
