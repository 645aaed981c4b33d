/* Rules of build.def for braces, declarations, arguments, calls and structs. See build_spot.h. */
#include "fix/build_spot.h"
#include "fix/names.h"
#include <stdlib.h>
#include <string.h>

/* Returns the last token of the line of token k. */
static int32_t end_of_line(const struct source *s, int32_t k) {
    while (k + 1 < s->tokens && s->token[k + 1].line == s->token[k].line) k++;
    return k;
}
/* Adds a missing { to a line above the error that begins with if, else, for or while. The next two lines must have the
 * same, deeper indentation, so that both belong to its body. */
void opening_brace(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = p->token < s->tokens ? p->token : s->tokens - 1; k >= 0; k--) {
        const bool heads =
            source_is(s, k, "if") || source_is(s, k, "else") || source_is(s, k, "for") || source_is(s, k, "while");
        const int32_t end = end_of_line(s, k), first = end + 1;
        if (!heads || !source_begins_line(s, k) || first >= s->tokens) continue;
        const int32_t second = end_of_line(s, first) + 1;
        if (!(source_is(s, end, ")") || source_is(s, end, "else")) || second >= s->tokens) continue;
        const uint32_t own = source_indentation(s, k), inner = source_indentation(s, first);
        if (inner > own && source_indentation(s, second) == inner && !source_is(s, first, "{"))
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
/* Sets argument[] to the call's arguments, but to no more than `most`. Returns how many it has set. */
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
/* Adds an argument to a call of a function that the file defines: the argument at this position in another call, or the
 * parameter's own name. The compiler rejects arguments that do not exist here. */
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
/* Writes the type of the function's result, or "" if neither the file nor a header of the labs defines the function. */
static void type_of_result(const struct source *s, int32_t name, char *type, size_t size) {
    *type = 0;
    if (source_is(s, name, "load_fragment")) snprintf(type, size, "fragment");
    for (int32_t k = 1; k + 1 < s->tokens; k++)
        if (k != name && source_same(s, k, name) && source_is(s, k + 1, "(") && s->token[k - 1].kind == TOKEN_NAME &&
            !source_is(s, k - 1, "return"))
            source_copy(s, range_of(k - 1), type, size);
}
/* Declares f in `unsigned f[4]; ... f = load_fragment(...);` as a struct. Its other uses become uses of the struct's
 * array. */
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
/* Replaces the number in `T x = 0;`, where T is a struct, with identity() or {}. */
void struct_value(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 2; k + 2 < s->tokens; k++) {
        const bool declares = s->token[k - 1].kind == TOKEN_NAME && s->token[k - 2].kind == TOKEN_NAME;
        if (s->token[k].line != p->line || !source_is(s, k, "=") || !declares || s->token[k + 1].kind != TOKEN_NUMBER)
            continue;
        propose(p, s->token[k + 1].at, s->token[k + 1].length, source_is(s, k - 2, "value_t") ? "identity()" : "{}",
                k - 2, k + 1);
    }
}
/* Replaces the name of a called function with each function that the file defines above and that has as many
 * parameters. The compiler rejects functions with parameters of other types. */
void other_function(const struct spot *p) {
    enum { MOST = 8 };
    const struct source *s = p->s;
    for (int32_t k = 0; k + 1 < s->tokens; k++) {
        struct range argument[MOST];
        if (s->token[k].line != p->line || s->token[k].kind != TOKEN_NAME || !source_is(s, k + 1, "(")) continue;
        const unsigned count = arguments_of(s, k, argument, MOST);
        for (int32_t f = 1; f + 1 < k && count; f++) {
            const int32_t close = source_is(s, f + 1, "(") ? s->token[f + 1].match : -1;
            char name[80];
            if (close < 0 || s->token[f - 1].kind != TOKEN_NAME || !source_is(s, close + 1, "{")) continue;
            if (source_same(s, f, k) || arguments_of(s, f, argument, MOST) != count) continue;
            propose(p, s->token[k].at, s->token[k].length, source_copy(s, range_of(f), name, sizeof name), k, k);
        }
    }
}
/* Shuffles each member of a struct x, a value and an index, instead of the whole struct. The line is `return
 * __shfl_down_sync(mask, x, d);` or `value_t y = __shfl_down_sync(mask, x, d);`. */
void each_member(const struct spot *p) {
    enum { ARGUMENTS = 3 };
    static const char *const members[] = {"value", "index"};
    const struct source *s = p->s;
    for (int32_t k = 3; k + 1 < s->tokens; k++) {
        struct range a[ARGUMENTS];
        const bool shuffles = s->token[k].line == p->line && s->token[k].length > 6 &&
                              !memcmp(s->text + s->token[k].at, "__shfl", 6) && source_is(s, k + 1, "(");
        const int32_t close = shuffles ? s->token[k + 1].match : -1;
        char name[40], own[80], mask[60], x[40], distance[60], text[600];
        if (close < 0 || arguments_of(s, k, a, ARGUMENTS) != ARGUMENTS || !source_is(s, close + 1, ";")) continue;
        const bool returns = source_is(s, k - 1, "return"), sets = source_is(s, k - 1, "="),
                   declares = sets && source_is(s, k - 3, "value_t");
        if ((!returns && !sets) || a[1].first != a[1].last) continue;
        source_copy(s, a[1], x, sizeof x), source_copy(s, range_of(k), name, sizeof name);
        source_copy(s, a[0], mask, sizeof mask), source_copy(s, a[2], distance, sizeof distance);
        source_copy(s, returns ? a[1] : range_of(k - 2), own, sizeof own);
        size_t n = (size_t)snprintf(text, sizeof text, "%s%s%s", declares ? "value_t " : "", declares ? own : "",
                                    declares ? "; " : "");
        for (unsigned m = 0; m < sizeof members / sizeof *members && n < sizeof text; m++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s.%s = %s(%s, %s.%s, %s);", m ? " " : "", own,
                                  members[m], name, mask, x, members[m], distance);
        if (n < sizeof text)
            snprintf(text + n, sizeof text - n, "%s%s%s", returns ? " return " : "", returns ? x : "",
                     returns ? ";" : "");
        const int32_t first = returns ? k - 1 : declares ? k - 3 : k - 2;
        propose(p, s->token[first].at, source_end(s, range_of(close + 1)) - s->token[first].at, text, k, close);
    }
}
/* Turns `c.map_shared_rank(s[0], rank)` into `*c.map_shared_rank(&s[0], rank)`. */
void mapped_address(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 2; k + 2 < s->tokens; k++) {
        char object[60], text[120];
        if (s->token[k].line != p->line || !source_is(s, k, "map_shared_rank") || !source_is(s, k - 1, ".")) continue;
        const uint32_t from = s->token[k - 2].at;
        source_copy(s, range_of(k - 2), object, sizeof object);
        snprintf(text, sizeof text, "*%s.map_shared_rank(&", object);
        propose(p, from, s->token[k + 2].at - from, text, k, s->token[k + 1].match > k ? s->token[k + 1].match : k);
        propose(p, from, s->token[k + 2].at - from, text + 1, k, k);
    }
}
/* Declares the variable of `for (k = ...`. */
void loop_variable(const struct spot *p) {
    const int32_t at = named(p);
    if (at > 1 && source_is(p->s, at + 1, "=") && source_is(p->s, at - 2, "for"))
        propose(p, p->s->token[at].at, 0, "unsigned ", at, at);
}
/* Declares the variable of `x = ...;`: as a value_t if the right side contains a value, otherwise as unsigned. */
void declaration(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t at = named(p);
    bool value = false;
    if (at < 1 || !source_is(s, at + 1, "=") || (!source_is(s, at - 1, ";") && !source_is(s, at - 1, "{"))) return;
    for (int32_t k = at + 2; k < s->tokens && !source_is(s, k, ";"); k++)
        value |= source_is(s, k, "identity") || source_is(s, k, "combine") || source_is(s, k, "[");
    propose(p, s->token[at].at, 0, value ? "value_t " : "unsigned ", at, at);
}
/* Moves a declaration from a loop body to before the loop, because the loop's header uses the variable. */
void before_loop(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t use = named(p);
    int32_t head = use, body, name;
    char type[40], *text;
    while (head > 0 && !source_is(s, head, "for") && !source_is(s, head, "while")) head--;
    if (head < 1 || use > (body = s->token[head + 1].match + 1) || !source_is(s, body, "{")) return;
    for (name = body + 1; name < s->token[body].match; name++)
        if (source_same(s, name, use) && s->token[name - 1].kind == TOKEN_NAME && source_is(s, name + 1, "=")) break;
    if (name >= s->token[body].match) return;
    const uint32_t at = s->token[head].at, to = s->token[name - 1].at, rest = s->token[name].at;
    const int made = asprintf(&text, "%s %.*s;\n%*s%.*s", source_copy(s, range_of(name - 1), type, sizeof type),
                              (int)s->token[use].length, s->text + s->token[use].at,
                              (int)(at - edit_line_begin(s->text, at)), "", (int)(to - at), s->text + at);
    if (made >= 0) propose(p, at, rest - at, text, use, use), free(text);
}
/* Returns whether the initializer that begins at token k contains the name. */
static bool initializer_has(const struct source *s, int32_t k, const char *name) {
    for (; k < s->tokens && !source_is(s, k, ";") && !source_is(s, k, ","); k++)
        if (source_is(s, k, name)) return true;
    return false;
}
/* Declares an unknown index as the sum of two variables: one that holds the index of the block's first element (it
 * depends on blockIdx), and one that holds threadIdx.x. */
void missing_index(const struct spot *p) {
    const struct source *s = p->s;
    const int32_t use = named(p);
    int32_t thread = -1, block = -1, k, from = use;
    bool indexes = false;
    for (k = use; k > 0 && k < s->tokens && !source_is(s, k, "__global__"); k++)
        indexes |= source_same(s, k, use) && source_is(s, k - 1, "[");
    while (from > 0 && !source_is(s, from, "__global__")) from--;
    for (k = from + 1; k + 1 < use; k++) {
        if (s->token[k].kind != TOKEN_NAME || !source_is(s, k + 1, "=") || source_is(s, k - 1, ".")) continue;
        const bool of_block = initializer_has(s, k + 2, "blockIdx"), of_thread = initializer_has(s, k + 2, "threadIdx");
        if (of_block && !of_thread) block = k;
        if (of_thread && !of_block && source_is(s, k + 2, "threadIdx") && !source_is(s, k + 5, "%") &&
            !source_is(s, k + 5, "/"))
            thread = k;
    }
    if (!indexes || thread < 0 || block < 0) return;
    int32_t end = thread > block ? thread : block, first;
    while (end < use && !source_is(s, end, ";")) end++;
    for (first = end; !source_begins_line(s, first);) first--;
    char text[200], name[3][40];
    if (end >= use || s->token[use].length >= sizeof name[0]) return;
    source_copy(s, range_of(use), name[0], sizeof name[0]);
    source_copy(s, range_of(block), name[1], sizeof name[1]), source_copy(s, range_of(thread), name[2], sizeof name[2]);
    snprintf(text, sizeof text, "\n%*sunsigned %s = %s + %s;", (int)(source_indentation(s, first) % 64), "", name[0],
             name[1], name[2]);
    propose(p, source_end(s, range_of(end)), 0, text, use, use);
}
/* Inserts, between a struct and its index, a member that is an array. The file or a header of the labs defines it. */
void array_member(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t at = 1; at < s->tokens; at++) {
        if (s->token[at].line != p->line || !source_is(s, at, "[") || s->token[at - 1].kind != TOKEN_NAME ||
            source_is(s, at - 2, "."))
            continue;
        for (int32_t k = 0; k + 2 < s->tokens; k++) {
            if (!source_is(s, k, "struct")) continue;
            while (k < s->tokens && !source_is(s, k, "{") && !source_is(s, k, ";")) k++;
            if (!source_is(s, k, "{")) continue;
            for (; k + 1 < s->tokens && !source_is(s, k, "}"); k++) {
                char text[80], name[76];
                if (s->token[k].kind != TOKEN_NAME || !source_is(s, k + 1, "[")) continue;
                snprintf(text, sizeof text, ".%s", source_copy(s, range_of(k), name, sizeof name));
                propose(p, s->token[at].at, 0, text, at - 1, at - 1);
            }
        }
        propose(p, s->token[at].at, 0, ".word", at - 1, at - 1);
    }
}
/* Stores in the shared array instead of in the input, if the function reads the array but nothing stores in it before
 * the error. */
void stored_input(const struct spot *p) {
    const struct source *s = p->s;
    int32_t at = 0;
    while (at < s->tokens && !(s->token[at].line == p->line && source_is(s, at + 1, "["))) at++;
    const int32_t self = at < s->tokens ? s->token[at].statement : -1;
    if (self < 0 || !source_is(s, s->token[at + 1].match + 1, "=")) return;
    struct names names;
    names_of(s, s->statement[self].function, &names);
    if (!is_listed(s, at, &names.inputs) || !*names.shared) return;
    for (int32_t k = body_of(s, s->statement[self].function).first; k < at; k++)
        if (source_is(s, k, names.shared) && is_array_access(s, k + 1) && source_is(s, s->token[k + 1].match + 1, "="))
            return;
    propose(p, s->token[at].at, s->token[at].length, names.shared, at, s->token[at + 1].match);
}
/* Swaps the two arguments of a call on the line. */
void swapped_arguments(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 1 < s->tokens; k++) {
        struct range a[3];
        char first[80], second[80], text[200];
        if (s->token[k].line != p->line || s->token[k].kind != TOKEN_NAME || call_arguments(s, k, a, 3) != 2) continue;
        const uint32_t from = source_begin(s, a[0]), to = source_end(s, a[1]);
        if (to - from > sizeof first) continue;
        snprintf(text, sizeof text, "%s, %s", source_copy(s, a[1], second, sizeof second),
                 source_copy(s, a[0], first, sizeof first));
        propose(p, from, to - from, text, k, s->token[k + 1].match);
    }
}
