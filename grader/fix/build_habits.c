/* Rules of build.def for habits from other languages, headers and lessons. See build_spot.h. */
#include "fix/build_spot.h"
#include <ctype.h>
#include <string.h>

/* Replaces a word that other CUDA files or headers define. */
void foreign_word(const struct spot *p) {
    static const char *const words[][2] = {{"WARP_SIZE", "warpSize"},
                                           {"WARPSIZE", "warpSize"},
                                           {"warp_size", "warpSize"},
                                           {"__half2float", "half_to_float"},
                                           {"__float2half", "float_to_half"},
                                           {"half", "half_t"},
                                           {"__half", "half_t"}};
    static const char *const spaces[] = {"std", "wmma", "nvcuda", "cg", "cooperative_groups"};
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++) {
        if (s->token[k].line != p->line) continue;
        for (size_t n = 0; n < sizeof words / sizeof *words; n++)
            if (source_is(s, k, words[n][0])) propose(p, s->token[k].at, s->token[k].length, words[n][1], k, k);
        for (size_t n = 0; n < sizeof spaces / sizeof *spaces; n++)
            if (source_is(s, k, spaces[n]) && source_is(s, k + 1, "::"))
                propose(p, s->token[k].at, s->token[k + 2].at - s->token[k].at, "", k, k + 2);
    }
}
/* Turns `half x = 1.0;` into `half_t x = float_to_half(1.0);`: a half_t holds bits, so a number would be converted to
 * an integer. */
void half_value(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 4 < s->tokens; k++) {
        char text[120], name[40], value[40];
        const bool half = source_is(s, k, "half") || source_is(s, k, "__half");
        if (s->token[k].line != p->line || !half || !source_is(s, k + 2, "=") || s->token[k + 3].kind != TOKEN_NUMBER ||
            !source_is(s, k + 4, ";"))
            continue;
        snprintf(text, sizeof text, "half_t %s = float_to_half(%s)", source_copy(s, range_of(k + 1), name, sizeof name),
                 source_copy(s, range_of(k + 3), value, sizeof value));
        propose(p, s->token[k].at, source_end(s, range_of(k + 3)) - s->token[k].at, text, k, k + 3);
    }
}
/* Turns f(a + b) into f(a, b). */
void joined_arguments(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++) {
        const int32_t close = source_is(s, k + 1, "(") ? s->token[k + 1].match : -1;
        if (s->token[k].line != p->line || s->token[k].kind != TOKEN_NAME || close < 0) continue;
        for (int32_t sign = k + 3; sign + 1 < close; sign++) {
            if (s->token[sign].match > sign) sign = s->token[sign].match;
            const uint32_t from = source_end(s, range_of(sign - 1));
            if (source_is(s, sign, "+") || source_is(s, sign, "*"))
                propose(p, from, s->token[sign + 1].at - from, ", ", k, close);
        }
    }
}
/* Turns a kernel's `return x;` into a store of x in its output. */
void returned_result(const struct spot *p) {
    const struct source *s = p->s;
    int32_t kernel = -1, output = -1, word = 0, end;
    while (word < s->tokens && !(s->token[word].line == p->line && source_is(s, word, "return"))) word++;
    for (int32_t k = 0; k < word && word < s->tokens; k++) {
        if (source_is(s, k, "__device__")) kernel = -1;
        if (source_is(s, k, "__global__")) kernel = k, output = -1;
        const bool parameter = kernel >= 0 && source_is(s, k, "*") && source_is(s, k - 1, "value_t") &&
                               (source_is(s, k + 2, ",") || source_is(s, k + 2, ")"));
        if (parameter && !source_is(s, k - 2, "const")) output = k + 1;
    }
    for (end = word + 1; end < s->tokens && !source_is(s, end, ";");) end++;
    if (output < 0 || end >= s->tokens || end < word + 2) return;
    char name[64], value[300], text[400];
    source_copy(s, range_of(output), name, sizeof name);
    source_copy(s, (struct range){word + 1, end - 1}, value, sizeof value);
    snprintf(text, sizeof text, "%s[%s] = %s", name, strcmp(name, "partial") != 0 ? "0" : "blockIdx.x", value);
    propose(p, s->token[word].at, s->token[end].at - s->token[word].at, text, word, end - 1);
}
/* Turns `x = f(x);`, where f returns nothing, into `f(x);`. */
void void_result(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 1; k + 2 < s->tokens; k++) {
        int32_t first = k;
        if (s->token[k].line != p->line || !source_is(s, k, "=") || !source_is(s, k + 2, "(")) continue;
        while (first > 0 && !source_is(s, first - 1, ";") && !source_is(s, first - 1, "{") &&
               !source_is(s, first - 1, "}") && !source_is(s, first - 1, ")"))
            first--;
        propose(p, s->token[first].at, s->token[k + 1].at - s->token[first].at, "", k + 1, k + 1);
    }
}
/* Turns a kernel that the file calls like a function into a __device__ function. */
void called_kernel(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 3 < s->tokens; k++) {
        int32_t name = k;
        if (s->token[k].line != p->line || !source_is(s, k, "__global__")) continue;
        while (name + 1 < s->tokens && !source_is(s, name + 1, "(")) name++;
        for (int32_t use = name + 1; use + 1 < s->tokens; use++)
            if (source_same(s, use, name) && source_is(s, use + 1, "("))
                return propose(p, s->token[k].at, s->token[k].length, "__device__", k, name);
    }
}
/* Closes the block before an else. */
void brace_before_else(const struct spot *p) {
    for (int32_t k = 1; k < p->s->tokens; k++)
        if (p->s->token[k].line == p->line && source_is(p->s, k, "else") && !source_is(p->s, k - 1, "}"))
            propose(p, p->s->token[k].at, 0, "} ", k, k);
}
/* Turns `T x = new T();` into `T x;`. */
void new_object(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 1; k + 2 < s->tokens; k++) {
        int32_t end = k + 1;
        if (s->token[k].line != p->line || !source_is(s, k, "=") || !source_is(s, k + 1, "new")) continue;
        while (end + 1 < s->tokens && !source_is(s, end + 1, ";")) end++;
        const uint32_t from = source_end(s, range_of(k - 1));
        propose(p, from, source_end(s, range_of(end)) - from, "", k + 1, end);
    }
}
/* Turns isnan(x) into (x != x). */
void not_a_number(const struct spot *p) {
    const struct source *s = p->s;
    char argument[80], text[180];
    for (int32_t k = 0; k + 2 < s->tokens; k++) {
        const int32_t close = source_is(s, k + 1, "(") ? s->token[k + 1].match : -1;
        if (s->token[k].line != p->line || !source_is(s, k, "isnan") || close < k + 3) continue;
        const int32_t first = source_is(s, k - 1, "::") ? k - 2 : k;
        const struct range inner = {k + 2, close - 1};
        if (source_end(s, inner) - source_begin(s, inner) >= sizeof argument) continue;
        source_copy(s, inner, argument, sizeof argument);
        snprintf(text, sizeof text, "(%s != %s)", argument, argument);
        propose(p, s->token[first].at, source_end(s, range_of(close)) - s->token[first].at, text, first, close);
    }
}
/* Turns 2t into 2 * t. */
void written_product(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k < s->tokens; k++) {
        const char *text = s->text + s->token[k].at;
        const size_t digits = strspn(text, "0123456789");
        if (s->token[k].line == p->line && s->token[k].kind == TOKEN_NUMBER && digits < s->token[k].length &&
            isalpha((unsigned char)text[digits]) && text[digits] != 'x')
            propose(p, s->token[k].at + (uint32_t)digits, 0, " * ", k, k);
    }
}
/* Removes the initializer of a __shared__ variable. */
void shared_value(const struct spot *p) {
    const struct source *s = p->s;
    bool shared = false;
    for (int32_t k = 1; k + 1 < s->tokens; k++) {
        int32_t end = k;
        if (s->token[k].line != p->line) continue;
        shared |= source_is(s, k, "__shared__");
        if (!shared || !source_is(s, k, "=")) continue;
        while (end + 1 < s->tokens && !source_is(s, end + 1, ";") && !source_is(s, end + 1, ",")) end++;
        const uint32_t from = source_end(s, range_of(k - 1));
        propose(p, from, source_end(s, range_of(end)) - from, "", k - 1, end);
    }
}
/* Turns T(a, b) into T{a, b}, where T is a struct without a constructor. */
void list_of_members(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++) {
        const int32_t close = source_is(s, k + 1, "(") ? s->token[k + 1].match : -1;
        char inner[120], text[124];
        if (s->token[k].line != p->line || !source_is(s, k, "value_t") || close < k + 3) continue;
        const struct range members = {k + 2, close - 1};
        if (source_end(s, members) - source_begin(s, members) >= sizeof inner) continue;
        snprintf(text, sizeof text, "{%s}", source_copy(s, members, inner, sizeof inner));
        propose(p, s->token[k + 1].at, source_end(s, range_of(close)) - s->token[k + 1].at, text, k, close);
    }
}
/* Removes the last argument of a call. */
void extra_argument(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++) {
        const int32_t close = source_is(s, k + 1, "(") ? s->token[k + 1].match : -1;
        int32_t comma = close - 1;
        if (s->token[k].line != p->line || s->token[k].kind != TOKEN_NAME || close < 0) continue;
        while (comma > k + 1 && !source_is(s, comma, ","))
            comma = s->token[comma].match >= 0 ? s->token[comma].match - 1 : comma - 1;
        const uint32_t from = comma > k + 1 ? source_end(s, range_of(comma - 1)) : 0;
        if (comma > k + 1) propose(p, from, s->token[close].at - from, "", k, close);
    }
}
/* Replaces an atomic function with atomic_combine(), which takes a value_t of any type. */
void atomic_of_values(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 2 < s->tokens; k++)
        if (s->token[k].line == p->line && source_is_atomic(s, k) && source_is(s, k + 1, "("))
            propose(p, s->token[k].at, s->token[k].length, "atomic_combine", k, k);
}
/* Turns cudaMemset(&x, 0, ...) into x = 0. */
void assigned_zero(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 0; k + 4 < s->tokens; k++) {
        const int32_t close = source_is(s, k + 1, "(") ? s->token[k + 1].match : -1;
        char name[60], text[66];
        if (s->token[k].line != p->line || !source_is(s, k, "cudaMemset") || !source_is(s, k + 2, "&") || close < 0)
            continue;
        snprintf(text, sizeof text, "%s = 0", source_copy(s, range_of(k + 3), name, sizeof name));
        propose(p, s->token[k].at, source_end(s, range_of(close)) - s->token[k].at, text, k, close);
    }
}
/* Turns a == b, which compares structs, into a.value == b.value. */
void compared_values(const struct spot *p) {
    const struct source *s = p->s;
    for (int32_t k = 1; k + 2 < s->tokens; k++) {
        char text[120], sides[2][40];
        const bool compares =
            source_is(s, k, "==") || source_is(s, k, "!=") || source_is(s, k, "<") || source_is(s, k, ">");
        if (s->token[k].line != p->line || !compares || s->token[k - 1].kind != TOKEN_NAME ||
            s->token[k + 1].kind != TOKEN_NAME || source_is(s, k - 2, ".") || source_is(s, k + 2, "."))
            continue;
        snprintf(text, sizeof text, "%s.value %.*s %s.value",
                 source_copy(s, range_of(k - 1), sides[0], sizeof sides[0]), (int)s->token[k].length,
                 s->text + s->token[k].at, source_copy(s, range_of(k + 1), sides[1], sizeof sides[1]));
        propose(p, s->token[k - 1].at, source_end(s, range_of(k + 1)) - s->token[k - 1].at, text, k - 1, k + 1);
    }
}
/* Turns `(vector)(in + 1)` into `(vector *)(in + 1)`, if the value is a pointer. */
void struct_pointer(const struct spot *p) {
    const struct source *s = p->s;
    const char *from = strstr(p->message, "from "), *to = from ? strstr(from, " to ") : NULL;
    if (!to || !memchr(from, '*', (size_t)(to - from))) return;
    for (int32_t k = 1; k + 2 < s->tokens; k++) {
        const bool cast = source_is(s, k - 1, "(") && source_is(s, k + 1, ")") && s->token[k].kind == TOKEN_NAME;
        const size_t length = s->token[k].length;
        if (s->token[k].line != p->line || !cast || strncmp(to + 5, s->text + s->token[k].at, length) != 0) continue;
        propose(p, source_end(s, range_of(k)), 0, " *", k - 1, k + 1);
    }
}
/* Turns `value_t x = s + n;` into `value_t *x = s + n;`, if the value is a pointer and x is indexed later. */
void pointer_variable(const struct spot *p) {
    const struct source *s = p->s;
    const char *from = strstr(p->message, "value of type "), *to = strstr(p->message, "entity of type "),
               *variable = strstr(p->message, "variable of type ");
    if (!to) to = variable, from = strstr(p->message, "lvalue of type ") ? strstr(p->message, "lvalue of type ") : from;
    if (!from || !to) return;
    const size_t value = strcspn(from + 15, "\"'"), entity = strcspn(strpbrk(to, "\"'") + 1, "\"'");
    if (!memchr(from, '*', value + 15) || memchr(strpbrk(to, "\"'") + 1, '*', entity)) return;
    for (int32_t k = 1; k + 1 < s->tokens; k++) {
        bool indexed = false;
        if (s->token[k].line != p->line || !source_is(s, k + 1, "=") || s->token[k - 1].kind != TOKEN_NAME) continue;
        for (int32_t n = k + 2; n + 1 < s->tokens; n++) indexed |= source_same(s, n, k) && source_is(s, n + 1, "[");
        if (indexed) propose(p, s->token[k].at, 0, "*", k - 1, k);
    }
}
