/* Rules of build.def for habits from other languages, headers and lessons. See build_spot.h. */
#include "fix/build_spot.h"
#include <string.h>

/* Replaces a word that other CUDA files or headers define. */
void foreign_word(const struct spot *p) {
    static const char *const words[][2] = {{"WARP_SIZE", "warpSize"},
                                           {"WARPSIZE", "warpSize"},
                                           {"warp_size", "warpSize"},
                                           {"__half2float", "half_to_float"}};
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
/* Marks a function that the file calls, and that is a kernel by mistake, as one for the GPU. */
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
