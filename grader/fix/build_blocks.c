/* Rules of build.def for missing braces and arguments, and for an array that should be a struct. See build_spot.h. */
#include "fix/build_spot.h"
#include <stdlib.h>
#include <string.h>

/* Returns the last token of the line of token k. */
static int32_t end_of_line(const struct source *s, int32_t k) {
    while (k + 1 < s->tokens && s->token[k + 1].line == s->token[k].line) k++;
    return k;
}
/* Adds a { to a line above the error that begins with if, else, for or while and ends without one. The next two lines
 * must have the same, deeper indentation, which shows that both belong to the branch or loop. */
void opening_brace(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = p->token < s->tokens ? p->token : s->tokens - 1; k >= 0; k--) {
        const bool heads =
            source_is(s, k, "if") || source_is(s, k, "else") || source_is(s, k, "for") || source_is(s, k, "while");
        const int32_t end = end_of_line(s, k), first = end + 1;
        if (!heads || !begins_line(s, k) || first >= s->tokens) continue;
        const int32_t second = end_of_line(s, first) + 1;
        if (!(source_is(s, end, ")") || source_is(s, end, "else")) || second >= s->tokens) continue;
        const uint32_t own = indentation(s, k), inner = indentation(s, first);
        if (inner > own && indentation(s, second) == inner && !source_is(s, first, "{"))
            propose(p, source_end(s, range_of(end)), 0, " {", k, end);
    }
}
/* Closes the list of `return {a, b;`, or of `x = {a, b;`, before the semicolon. */
void list_brace(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 1; k < s->tokens; k++) {
        if (s->token[k].line != p->line || !source_is(s, k, "{")) continue;
        if (!source_is(s, k - 1, "return") && !source_is(s, k - 1, "=")) continue;
        for (int32_t end = k; end < s->tokens && !source_is(s, end, "}"); end++)
            if (source_is(s, end, ";")) return propose(p, s->token[end].at, 0, "}", k - 1, end - 1);
    }
}
/* Returns the number of the call's arguments. Sets argument[] to the first `most` of them. */
static unsigned arguments_of(const struct source *s, int32_t name, struct range argument[], unsigned most) {
    int32_t depth = 0, from = name + 2;
    unsigned count = 0;
    for (int32_t k = name + 1; k < s->tokens; k++) {
        const bool opens = source_is(s, k, "(") || source_is(s, k, "[") || source_is(s, k, "{"),
                   closes = source_is(s, k, ")") || source_is(s, k, "]") || source_is(s, k, "}");
        depth += opens - closes;
        if (!(depth == 0 || (depth == 1 && source_is(s, k, ",")))) continue;
        if (from < k && count < most) argument[count++] = (struct range){from, k - 1};
        from = k + 1;
        if (!depth) break;
    }
    return count;
}
/* Adds an argument to a call of a function that the file defines: the argument that another call of the function has
 * at this position, or the parameter's own name. The compiler rejects arguments that do not exist in this place. */
void missing_argument(const struct spot *p) {
    enum { MOST = 8 };
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++) {
        struct range here[MOST], there[MOST];
        if (s->token[k].line != p->line || s->token[k].kind != TOKEN_NAME || !source_is(s, k + 1, "(")) continue;
        const unsigned has = arguments_of(s, k, here, MOST);
        for (unsigned at = has + 1; at-- > 0;)
            for (int32_t o = 1; o + 2 < s->tokens; o++) {
                char text[120], own[100];
                if (o == k || !source_same(s, o, k) || !source_is(s, o + 1, "(")) continue;
                if (arguments_of(s, o, there, MOST) != has + 1) continue;
                const bool defines = s->token[o - 1].kind == TOKEN_NAME && !source_is(s, o - 1, "return");
                source_copy(s, defines ? range_of(there[at].last) : there[at], own, sizeof own);
                snprintf(text, sizeof text, at < has ? "%s, " : has ? ", %s" : "%s", own);
                propose(p,
                        at < has ? source_begin(s, here[at])
                        : has    ? source_end(s, here[has - 1])
                                 : s->token[k + 2].at,
                        0, text, k, k);
            }
    }
}
/* Returns the type of the function's result if the file defines the function or a header of the labs declares it. */
static void type_of_result(const struct source *s, int32_t name, char *type, size_t size) {
    *type = 0;
    if (source_is(s, name, "load_fragment")) snprintf(type, size, "fragment");
    for (int32_t k = 1; k + 1 < s->tokens; k++)
        if (k != name && source_same(s, k, name) && source_is(s, k + 1, "(") && s->token[k - 1].kind == TOKEN_NAME &&
            !source_is(s, k - 1, "return"))
            source_copy(s, range_of(k - 1), type, size);
}
/* Turns `unsigned f[4]; ... f = load_fragment(...);` into a struct, and its other uses into uses of its array. */
void struct_for_array(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t use = p->token;
    int32_t declared = use - 1;
    char type[60], *text;
    size_t size;
    if (use < 1 || use + 3 >= s->tokens || !source_is(s, use + 1, "=") || !source_is(s, use + 3, "(")) return;
    type_of_result(s, use + 2, type, sizeof type);
    while (declared > 0 && !(source_same(s, declared, use) && source_is(s, declared + 1, "[") &&
                             s->token[declared - 1].kind == TOKEN_NAME))
        declared--;
    if (!*type || declared < 1 || !source_is(s, declared + 3, "]")) return;
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    const uint32_t from = s->token[declared - 1].at;
    uint32_t at = source_end(s, range_of(declared + 3)), to = at;
    int32_t depth = 0;
    fprintf(f, "%s %.*s", type, (int)s->token[use].length, s->text + s->token[use].at);
    for (int32_t k = declared + 4; k < s->tokens && depth >= 0; k++) {
        depth += source_is(s, k, "{") - source_is(s, k, "}");
        if (!source_same(s, k, use) || source_is(s, k + 1, "=") || depth < 0) continue;
        to = source_end(s, range_of(k));
        fprintf(f, "%.*s.word", (int)(to - at), s->text + at), at = to;
    }
    fclose(f);
    propose(p, from, to - from, text, declared - 1, declared + 3);
    free(text);
}
