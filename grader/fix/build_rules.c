/* The rules of build.def. See build.h. */
#include "fix/build_spot.h"
#include <stdlib.h>
#include <string.h>

/* ---- tokens ------------------------------------------------------------------------------------------- */
static uint32_t end_of(const struct source *s, int32_t k) { return source_end(s, range_of(k)); }
/* Returns the first token of the line of token k. */
static int32_t line_of(const struct source *s, int32_t k) {
    while (!source_begins_line(s, k)) k--;
    return k;
}
/* Returns whether token k has this text and is on the error's line. */
static bool is_here(const struct spot *p, int32_t k, const char *text) {
    return source_is(p->s, k, text) && p->s->token[k].line == p->line;
}
/* Adds an edit that replaces `removed` bytes at `at`, which are on `line`. Reports quote the bytes from `from` to
 * before `to`. */
static void propose_bytes(const struct spot *p, uint32_t at, uint32_t removed, const char *text, uint32_t line,
                          uint32_t from, uint32_t to) {
    const char *old = p->s->text;
    if (p->out->count == BUILD_EDITS) return;
    struct build_edit *e = &p->out->item[p->out->count];
    if (asprintf(&e->text, "%.*s%s%s", (int)at, old, text, old + at + removed) < 0) return;
    for (unsigned k = 0; k < p->out->count; k++)
        if (!strcmp(p->out->item[k].text, e->text)) return free(e->text);
    e->rule = p->rule, e->line = line;
    snprintf(e->quote, sizeof e->quote, "%.*s", (int)(to - from), old + from);
    p->out->count++;
}
void propose(const struct spot *p, uint32_t at, uint32_t removed, const char *text, int32_t from, int32_t to) {
    const struct source *s = p->s;
    if (from < 0 || to >= s->tokens || from > to) return;
    propose_bytes(p, at, removed, text, s->token[to].line, s->token[from].at, end_of(s, to));
}
static void insert_after(const struct spot *p, int32_t k, const char *text) {
    if (k >= 0) propose(p, end_of(p->s, k), 0, text, line_of(p->s, k), k);
}
static void replace(const struct spot *p, int32_t k, const char *text) {
    propose(p, p->s->token[k].at, p->s->token[k].length, text, k, k);
}

/* ---- brackets and other punctuation --------------------------------------------------------------------------- */
/* Inserts the punctuation that the message expects. One edit inserts it after the previous token, another at the end of
 * the line. */
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
/* Returns whether token k can end an operand, and whether it can begin one. */
static bool ends_operand(const struct source *s, int32_t k) {
    return k >= 0 && k < s->tokens && (s->token[k].kind != TOKEN_SIGN || source_is(s, k, ")") || source_is(s, k, "]"));
}
static bool begins_operand(const struct source *s, int32_t k) {
    return k >= 0 && k < s->tokens && (s->token[k].kind != TOKEN_SIGN || source_is(s, k, "("));
}
/* Returns the first of two adjacent operands at the error, or -1. *call says whether both are arguments of a call,
 * *compared whether they are in a condition. */
static int32_t operands(const struct spot *p, bool *call, bool *compared) {
    const struct source *s = p->s;
    int32_t k = p->token - 1, open, depth = 0;
    while (k > p->token - 3 && !(ends_operand(s, k) && begins_operand(s, k + 1))) k--;
    if (k <= p->token - 3 || k < 0 || s->token[k].line != p->line) return -1;
    for (open = k; open > 0; open--) {
        depth += source_is(s, open, ")") - source_is(s, open, "(");
        if (depth < 0) break;
    }
    *compared =
        open > 0 && (source_is(s, open - 1, "if") || source_is(s, open - 1, "while") || source_is(s, open - 1, "for"));
    *call = depth < 0 && !*compared && s->token[open - 1].kind == TOKEN_NAME;
    for (int32_t after = k + 1; after < s->tokens && s->token[after].line == p->line; after++)
        *compared |= source_is(s, after, "?");
    return k;
}
/* Inserts a comma between two arguments. */
static void missing_comma(const struct spot *p) {
    bool call, compared;
    const int32_t k = operands(p, &call, &compared);
    if (k >= 0 && call) propose(p, end_of(p->s, k), 0, ",", k, k + 1);
}
/* Inserts an operator between two operands: a comparison in a condition, otherwise * after a number, or +. */
static void missing_operator(const struct spot *p) {
    bool call, compared;
    const int32_t k = operands(p, &call, &compared);
    const bool number = k >= 0 && p->s->token[k].kind == TOKEN_NUMBER;
    if (k >= 0) propose(p, end_of(p->s, k), 0, compared ? " <" : number ? " *" : " +", k, k + 1);
}
/* Encloses the condition of an if or while statement in parentheses. The condition ends where two operands meet. */
static void condition(const struct spot *p) {
    const struct source *s = p->s;
    int32_t k = p->token + 1;
    char text[200], own[190];
    if (!source_is(s, p->token - 1, "if") && !source_is(s, p->token - 1, "while")) return;
    while (k < s->tokens && s->token[k].line == p->line &&
           (s->token[k].kind == TOKEN_SIGN || s->token[k - 1].kind == TOKEN_SIGN))
        k++;
    if (k == s->tokens || s->token[k].line != p->line) return;
    snprintf(text, sizeof text, "(%s)", source_copy(s, (struct range){p->token, k - 1}, own, sizeof own));
    propose(p, s->token[p->token].at, end_of(s, k - 1) - s->token[p->token].at, text, p->token - 1, k - 1);
}
/* Replaces the comma that ends the line above with a semicolon. */
static void comma_in_declaration(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = p->token; k > 0 && k >= p->token - 3 && k < s->tokens; k--)
        if (source_is(s, k - 1, ",") && source_begins_line(s, k))
            propose(p, s->token[k - 1].at, 1, ";", line_of(s, k - 1), k - 1);
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
/* Inserts a } before a line that is indented no more than the line with the innermost open {. */
static void missing_brace(const struct spot *p) {
    const struct source *s = p->s;
    int32_t open[64], depth = 0, k;
    for (k = 0; k < s->tokens; k++) {
        const bool closes = source_is(s, k, "}");
        const int32_t around = depth ? open[depth - 1] : -1;
        if (around >= 0 && source_begins_line(s, k) && s->token[k].line > s->token[around].line &&
            !source_is(s, k, "{")) {
            const uint32_t width = source_indentation(s, k), of = source_indentation(s, around);
            if (closes ? width < of : width <= of) break;
        }
        if (source_is(s, k, "{") && depth < 64) open[depth++] = k;
        if (closes && depth) depth--;
    }
    if (!depth) return;
    const int32_t around = open[depth - 1], last = k < s->tokens ? k - 1 : s->tokens - 1;
    char text[80];
    snprintf(text, sizeof text, "\n%*s}", (int)(source_indentation(s, around) % 64), "");
    propose(p, end_of(s, last), 0, text, line_of(s, around), around);
}
/* Removes a } above the error. Tries one first that is not indented like the line with its {. */
static void extra_brace(const struct spot *p) {
    const struct source *s = p->s;
    int32_t open[64], depth = 0, odd = -1;
    for (int32_t k = 0; k < p->token && k < s->tokens; k++) {
        if (source_is(s, k, "{") && depth < 64) open[depth++] = k;
        if (!source_is(s, k, "}") || !depth) continue;
        depth--;
        if (source_begins_line(s, k) && source_indentation(s, k) != source_indentation(s, open[depth]) && odd < 0)
            odd = k;
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

/* Closes a comment at the end of its first line. */
static void unclosed_comment(const struct spot *p) {
    const uint32_t end = p->at + (uint32_t)strcspn(p->s->text + p->at, "\r\n");
    if (end > p->at) propose_bytes(p, end, 0, " */", p->line, p->at, end);
}
/* Closes a quoted text before a comma or a closing parenthesis, or at the end of its line. */
static void unclosed_text(const struct spot *p) {
    const char *text = p->s->text;
    const uint32_t end = p->at + (uint32_t)strcspn(text + p->at, "\r\n");
    for (uint32_t at = p->at; at < end; at++)
        if (text[at] == ',' || text[at] == ')') propose_bytes(p, at, 0, "\"", p->line, p->at, end);
    if (end > p->at) propose_bytes(p, end, 0, "\"", p->line, p->at, end);
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
/* Replaces a comma in the header of a for loop with a semicolon. */
static void comma_in_for(const struct spot *p) {
    const struct source *s = p->s;
    bool in_for = false;
    for (int32_t k = 0; k < s->tokens; k++) {
        in_for |= is_here(p, k, "for");
        if (in_for && is_here(p, k, ",")) propose(p, s->token[k].at, 1, ";", line_of(s, k), k);
    }
}

/* ---- names ---------------------------------------------------------------------------------------------- */
bool is_slip(const char *a, size_t n, const char *b, size_t m) {
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
/* Returns whether one name abbreviates the other: both begin with the same letter, and the longer name has the letters
 * of the shorter one in the same order. A single letter abbreviates only names of up to three letters. */
static bool is_abbreviated(const char *a, size_t n, const char *b, size_t m) {
    if (n > m) return is_abbreviated(b, m, a, n);
    size_t k = 0;
    for (size_t at = 0; at < m && k < n; at++) k += a[k] == b[at];
    return (n > 1 || m <= 3) && k == n && *a == *b;
}
/* Returns whether one name is a slip of the other (is_slip()) or abbreviates it. */
static bool is_short(const char *a, size_t n, const char *b, size_t m) {
    return is_slip(a, n, b, m) || is_abbreviated(a, n, b, m);
}
/* Returns whether token k is the name that the message quotes, as in `identifier "x"` or `function("f(int)")`. */
static bool is_quoted(const struct spot *p, int32_t k) {
    const char *quote = strpbrk(p->message, "\"'");
    const size_t n = quote ? strcspn(quote + 1, "(\"'") : 0;
    return n && p->s->token[k].length == n && !memcmp(p->s->text + p->s->token[k].at, quote + 1, n);
}
int32_t named(const struct spot *p) {
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
    if (letter) {
        const bool divides = source_is(s, at - 1, "/") || source_is(s, at - 1, "%");
        const int length = (int)strcspn(letter + 12, ",:");
        const bool group = divides && memchr(letter + 12, '*', (size_t)length);
        snprintf(name, sizeof name, group ? "(%.*s)" : "%.*s", length, letter + 12);
    }
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
/* Replaces an unknown name with one that abbreviates it or that it abbreviates. Replaces an unknown array with the
 * __shared__ array that the file declares last before the error. */
static void renamed(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    char name[80];
    int32_t array = at - 1;
    for (int32_t k = 1; k < at; k++) {
        const struct token *o = &s->token[k], *t = &s->token[at];
        const bool declared = o->kind == TOKEN_NAME && s->token[k - 1].kind == TOKEN_NAME && !source_same(s, k, at);
        if (declared && o->length < sizeof name &&
            is_abbreviated(s->text + o->at, o->length, s->text + t->at, t->length))
            replace(p, at, source_copy(s, range_of(k), name, sizeof name));
    }
    if (at < 1 || !source_is(s, at + 1, "[")) return;
    while (array > 0 && !source_is(s, array, "__shared__")) array--;
    while (array > 0 && array < at && !source_is(s, array + 1, "[") && !source_is(s, array, ";")) array++;
    if (array > 0 && source_is(s, array + 1, "[") && s->token[array].length < sizeof name)
        replace(p, at, source_copy(s, range_of(array), name, sizeof name));
}
/* Replaces an unknown name such as `group_sync` with a member of a variable, as in `group.sync`. */
static void dotted(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    char name[80];
    if (at < 0 || s->token[at].length >= sizeof name) return;
    source_copy(s, range_of(at), name, sizeof name);
    for (char *line = strchr(name + 1, '_'); line; line = strchr(line + 1, '_')) {
        const size_t n = (size_t)(line - name);
        bool declared = false;
        for (int32_t k = 0; k < at && line[1]; k++)
            declared |=
                s->token[k].kind == TOKEN_NAME && s->token[k].length == n && !memcmp(s->text + s->token[k].at, name, n);
        if (declared) *line = '.', replace(p, at, name), *line = '_';
    }
}
/* Replaces an unknown member with a known one whose name is similar or contains it. After variables such as threadIdx,
 * replaces it with x. */
static void other_member(const struct spot *p) {
    static const char *const members[] = {"value",      "index",           "word", "x",           "block_rank",
                                          "num_blocks", "map_shared_rank", "sync", "thread_rank", "num_threads"};
    const struct source *s = p->s;
    const bool built_in = strstr(p->message, "uint3") || strstr(p->message, "dim3") || strstr(p->message, "builtin");
    for (int32_t k = 1; k < s->tokens; k++) {
        char quoted[80], name[76];
        if (s->token[k].line != p->line || s->token[k].kind != TOKEN_NAME || s->token[k].length >= sizeof name ||
            (!source_is(s, k - 1, ".") && !source_is(s, k - 1, "->")))
            continue;
        source_copy(s, range_of(k), name, sizeof name);
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        const bool says = strstr(p->message, quoted);
        snprintf(quoted, sizeof quoted, "'%s'", name);
        if (!says && !strstr(p->message, quoted)) continue;
        if (built_in) return replace(p, k, "x");
        for (unsigned m = 0; m < sizeof members / sizeof *members; m++)
            if (strcmp(members[m], name) != 0 &&
                (is_short(name, strlen(name), members[m], strlen(members[m])) || strstr(members[m], name)))
                replace(p, k, members[m]);
        for (int32_t o = 1; o < s->tokens; o++)
            if (source_is(s, o - 1, ".") && !source_same(s, o, k) &&
                is_short(name, strlen(name), s->text + s->token[o].at, s->token[o].length))
                replace(p, k, source_copy(s, range_of(o), quoted, sizeof quoted));
        if (strstr(name, "size")) replace(p, k, "num_blocks");
    }
}
/* Appends a member of the struct that the message names first. The file or a header of the labs defines the struct. */
static void a_member(const struct spot *p) {
    static const char *const of_headers[] = {".word", ".value"};
    const struct source *s = p->s;
    const char *quote = strpbrk(p->message, "\"'");
    if (quote && !strncmp(quote + 1, "const ", 6)) quote += 6;
    const size_t n = quote ? strcspn(quote + 1, "\"' ") : 0;
    if (!n || p->token >= s->tokens || s->token[p->token].kind != TOKEN_NAME || source_is(s, p->token + 1, ".")) return;
    for (int32_t k = 0; k + 1 < s->tokens; k++) {
        if (!source_is(s, k + 1, "{") || s->token[k].length != n || memcmp(s->text + s->token[k].at, quote + 1, n) != 0)
            continue;
        for (int32_t m = k + 2; m + 1 < s->tokens && !source_is(s, m, "}"); m++) {
            char text[80], name[76];
            if (s->token[m].kind != TOKEN_NAME || !(source_is(s, m + 1, ";") || source_is(s, m + 1, "["))) continue;
            snprintf(text, sizeof text, ".%s", source_copy(s, range_of(m), name, sizeof name));
            propose(p, end_of(s, p->token), 0, text, p->token, p->token);
        }
    }
    for (unsigned k = 0; k < sizeof of_headers / sizeof *of_headers; k++)
        propose(p, end_of(s, p->token), 0, of_headers[k], p->token, p->token);
}
/* Moves a declaration to before the branch or loop that contains it, because the variable is used after the branch or
 * loop. */
static void wider_scope(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t use = named(p);
    int32_t open[64], depth = 0, declared = -1, around = -1;
    for (int32_t k = 0; k < use; k++) {
        const bool names =
            k > 0 && source_same(s, k, use) && s->token[k - 1].kind == TOKEN_NAME && source_is(s, k + 1, "=");
        if (source_is(s, k, "{") && depth < 64) open[depth++] = k;
        if (source_is(s, k, "}") && depth) depth--;
        if (names) declared = k, around = source_is(s, k - 2, "(") ? k - 3 : depth ? open[depth - 1] : -1;
    }
    while (depth && declared > 0 && source_is(s, around, "{")) { /* the outermost block without the use */
        int32_t outer = around - 1, closed = 0;
        for (; outer > 0 && (closed || !source_is(s, outer, "{")); outer--)
            closed += source_is(s, outer, "}") - source_is(s, outer, "{");
        if (outer <= open[depth - 1]) break;
        around = outer;
    }
    if (around < 1 || source_is(s, declared - 1, "return")) return;
    const bool loop = source_is(s, around, "for");
    const int32_t first = line_of(s, around);
    int32_t end = declared;
    while (loop && end < use && !source_is(s, end, ";") && !source_is(s, end, ",")) end++;
    char type[40], *text;
    source_copy(s, range_of(declared - 1), type, sizeof type);
    const uint32_t at = s->token[first].at, to = s->token[declared - 1].at, rest = s->token[loop ? end : declared].at;
    const char *zero = strcmp(type, "value_t") != 0 ? "0" : "identity()";
    const uint32_t value = s->token[declared + 2].at;
    const int made =
        asprintf(&text, "%s %.*s = %.*s;\n%*s%.*s", type, (int)s->token[use].length, s->text + s->token[use].at,
                 loop ? (int)(end_of(s, end - 1) - value) : (int)strlen(zero), loop ? s->text + value : zero,
                 (int)(at - edit_line_begin(s->text, at)), "", (int)(to - at), s->text + at);
    if (made >= 0) propose(p, at, rest - at, text, use, use), free(text);
}
/* Replaces a shuffle function without a mask with the corresponding function that takes a mask. */
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
/* Appends () to `identity`. */
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
/* Returns whether the = at token k is not the first one of a statement, so that a value is expected there. */
static bool is_in_value(const struct source *s, int32_t k) {
    int32_t open = 0;
    for (k--; k >= 0 && !source_is(s, k, ";") && !source_is(s, k, "{") && !source_is(s, k, "}"); k--) {
        open += source_is(s, k, "(") - source_is(s, k, ")");
        if (open > 0 || source_is(s, k, "=")) return true;
    }
    return false;
}
static void equals(const struct spot *p) {
    for (int32_t k = 0; k < p->s->tokens; k++)
        if (is_here(p, k, "=") && is_in_value(p->s, k)) propose(p, p->s->token[k].at, 1, "==", line_of(p->s, k), k);
}
static void arrow(const struct spot *p) {
    for (int32_t k = 1; k < p->s->tokens; k++)
        if (is_here(p, k, "->")) propose(p, p->s->token[k].at, 2, ".", k - 1, k + 1);
}
/* Changes `__shared__ T s[size]` to `extern __shared__ T s[]`. If the array is extern, only removes its size. */
static void dynamic_array(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k < s->tokens; k++) {
        int32_t open = k, close;
        if (!is_here(p, k, "__shared__")) continue;
        while (open < s->tokens && !source_is(s, open, "[") && !source_is(s, open, ";")) open++;
        for (close = open; close < s->tokens && !source_is(s, close, "]");) close++;
        char text[200], head[160];
        if (close == s->tokens || !source_is(s, open, "[")) return;
        const bool is_extern = source_is(s, k - 1, "extern");
        if (is_extern && close == open + 1) return;
        snprintf(text, sizeof text, "%s%s]", is_extern ? "" : "extern ",
                 source_copy(s, (struct range){k, open}, head, sizeof head));
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
/* Copies the quoted type that follows `before` in the message, without const. Returns whether it is a pointer. */
static bool pointer_type(const char *message, const char *before, char *type, size_t size) {
    const char *at = strstr(message, before);
    if (!at) return false;
    at += strlen(before);
    if (!strncmp(at, "const ", 6)) at += 6;
    snprintf(type, size, "%.*s", (int)strcspn(at, "\"'"), at);
    return *type && type[strlen(type) - 1] == '*';
}
/* If the message names two pointer types, converts the value after = to the second type. */
static void cast_pointer(const struct spot *p) {
    const struct source *s = p->s;
    char from[80], to[80], value[160], text[280];
    const bool pointers = (pointer_type(p->message, "value of type \"", from, sizeof from) &&
                           pointer_type(p->message, "entity of type \"", to, sizeof to)) ||
                          (pointer_type(p->message, "value of type '", from, sizeof from) &&
                           pointer_type(p->message, "variable of type '", to, sizeof to));
    int32_t first = p->token, end;
    if (!pointers || !strcmp(from, to)) return;
    for (int32_t k = p->token; k < s->tokens && s->token[k].line == p->line && !source_is(s, k, ";"); k++)
        if (source_is(s, k, "=")) first = k + 1;
    for (end = first; end < s->tokens && !source_is(s, end, ";") && !source_is(s, end, ",");) end++;
    if (end >= s->tokens || end <= first || end - first > 20) return;
    source_copy(s, (struct range){first, end - 1}, value, sizeof value);
    snprintf(text, sizeof text, end - first > 1 ? "(const %s)(%s)" : "(const %s)%s", to, value);
    propose(p, s->token[first].at, end_of(s, end - 1) - s->token[first].at, text, first, end - 1);
}
/* Passes the address of an atomic's first argument, or of the argument that must be a pointer. */
static void address_of(const struct spot *p) {
    const struct source *s = p->s;
    char type[80];
    if (p->token < s->tokens && pointer_type(p->message, "parameter of type \"", type, sizeof type)) {
        const int32_t index = source_is(s, p->token + 1, "[") ? s->token[p->token + 1].match : -1;
        propose(p, s->token[p->token].at, 0, "&", p->token, index > p->token ? index : p->token);
    }
    for (int32_t k = 0; k + 2 < s->tokens; k++)
        if (s->token[k].line == p->line && source_is_atomic(s, k) && source_is(s, k + 1, "(") &&
            !source_is(s, k + 2, "&"))
            propose(p, s->token[k + 2].at, 0, "&", k, s->token[k + 1].match > k ? s->token[k + 1].match : k + 2);
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
/* Returns whether the message contains one of the texts; `|` separates them. */
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
    const char *begin = s->text;
    for (uint32_t k = 1; k < line && strchr(begin, '\n'); k++) begin = strchr(begin, '\n') + 1;
    const size_t length = strcspn(begin, "\n");
    p.at = (uint32_t)(begin - s->text) + (column && column <= length ? column - 1 : 0);
    for (unsigned k = 0; k < BUILD_RULES; k++)
        if (says(p.message, rules[k].messages)) p.rule = k, rules[k].make(&p);
}
void build_edits_free(struct build_edits *l) {
    for (unsigned k = 0; k < l->count; k++) free(l->item[k].text);
    l->count = 0;
}
