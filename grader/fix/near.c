#include "fix/near.h"
#include "fix/names.h"
#include <stdlib.h>
#include <string.h>

static void set(struct nearness *n, uint32_t line, unsigned distance) {
    if (n->of_line && line >= 1 && line <= n->lines && n->of_line[line] > distance)
        n->of_line[line] = (unsigned char)distance;
}
/* Returns whether the token declares an array, such as `__shared__ value_t s[64];`. */
static bool is_array_here(const struct source *s, int32_t token) {
    return source_is(s, token + 1, "[") && is_declared(s, token);
}
static bool is_set_here(const struct source *s, int32_t token) {
    static const char *const signs[] = {"=", "+=", "-=", "*=", "/=", "++", "--", ">>=", "<<="};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (source_is(s, token + 1, signs[k])) return true;
    return false;
}
/* Assigns this distance to the lines that set the name at `token`, or declare it as an array. */
static void names_set(struct nearness *n, const struct source *s, int32_t token, unsigned distance) {
    if (s->token[token].kind != TOKEN_NAME) return;
    for (int32_t k = 0; k < s->tokens; k++)
        if (s->token[k].kind == TOKEN_NAME && source_same(s, k, token) && (is_set_here(s, k) || is_array_here(s, k)))
            set(n, s->token[k].line, distance);
}
static void follow(struct nearness *n, const struct source *s, uint32_t line, unsigned distance) {
    for (int32_t k = 0; k < s->tokens; k++) {
        if (s->token[k].line != line) continue;
        names_set(n, s, k, distance);
        for (int32_t at = s->token[k].statement; at >= 0; at = s->statement[at].parent)
            for (int32_t h = s->statement[at].condition.first; h <= s->statement[at].condition.last; h++)
                names_set(n, s, h, distance);
    }
}
void nearness_begin(struct nearness *n, const struct source *s, const struct finding_list *findings) {
    n->lines = s->tokens ? s->token[s->tokens - 1].line : 0;
    n->of_line = malloc(n->lines + 1);
    if (n->of_line) memset(n->of_line, NEARNESS_FAR, n->lines + 1);
    for (unsigned k = 0; k < findings->count; k++) {
        const uint32_t lines[] = {findings->item[k].at.line, findings->item[k].other.line};
        for (unsigned w = 0; w < 2; w++) {
            for (uint32_t line = lines[w] > 2 ? lines[w] - 2 : 1; lines[w] && line <= lines[w] + 2; line++)
                set(n, line, 0);
            if (lines[w]) follow(n, s, lines[w], 1);
        }
    }
    for (uint32_t line = 1; n->of_line && line <= n->lines; line++)
        if (n->of_line[line] == 1) follow(n, s, line, 2);
}
unsigned nearness_of(const struct nearness *n, uint32_t line) {
    return n->of_line && line >= 1 && line <= n->lines ? n->of_line[line] : NEARNESS_FAR;
}
void nearness_end(struct nearness *n) { free(n->of_line); }
