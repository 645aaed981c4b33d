/* See immediates.h. A reader of lines, no parser: the text has been checked by ptx/, and a number too many does no
 * harm. */
#include "judge/immediates.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_mask(uint64_t x) { return (x & (x + 1)) == 0; }
static void add(struct immediates *out, uint64_t x) {
    unsigned at = 0;
    if (x < LEAST_IMMEDIATE || x > GREATEST_IMMEDIATE || out->count == MOST_IMMEDIATES) return;
    while (at < out->count && out->at[at] < x) at++;
    if (at < out->count && out->at[at] == x) return;
    memmove(&out->at[at + 1], &out->at[at], (out->count - at) * sizeof *out->at);
    out->at[at] = (uint32_t)x;
    out->count++;
}
/* What adds to an address, names a place, or moves between lanes is no number of the kernel's own. */
static const struct {
    const char *word;
    bool sized;
} takers[] = {{"setp.", true}, {"set.", true},  {"add.", true}, {"sub.", true}, {"mul.", true}, {"mad.", true},
              {"and.", true},  {"rem.", true},  {"div.", true}, {"min.", true}, {"max.", true}, {"mov.", true},
              {"selp.", true}, {"xor.", false}, {"or.", false}, {"fma.", false}};
typedef void take(void *to, const struct literal *l);

static bool read_number(const char *s, const char **end, struct literal *l) {
    const bool single = !strncmp(s, "0f", 2), real = single || !strncmp(s, "0d", 2);
    char *stop;
    l->bits = real ? strtoull(s + 2, &stop, 16) : (uint64_t)strtoll(s, &stop, 10);
    l->kind = single ? LITERAL_F32 : real ? LITERAL_F64 : LITERAL_WHOLE;
    *end = stop;
    return stop != s && (*stop == ',' || *stop == ';');
}
static void read_line(const char *line, size_t length, take *t, void *to) {
    const char *end = line + length, *s;
    unsigned k = 0;
    while (line < end && isspace((unsigned char)*line)) line++;
    if (*line == '@') line += strcspn(line, " \n"); /* a guard */
    while (line < end && isspace((unsigned char)*line)) line++;
    while (k < sizeof takers / sizeof *takers && strncmp(line, takers[k].word, strlen(takers[k].word)) != 0) k++;
    if (k == sizeof takers / sizeof *takers) return;
    struct literal l = {.sized = takers[k].sized};
    l.compared = !strncmp(line, "set", 3), l.added = !strncmp(line, "add.", 4) && strncmp(line, "add.s64", 7) != 0;
    for (s = line; s < end && (s = memchr(s, ' ', (size_t)(end - s)));)
        if (read_number(++s, &s, &l)) t(to, &l);
}
/* The bracket that closes, alone in its line, the first body behind `at`. */
static const char *end_of_body(const char *at) {
    while ((at = strchr(at + 1, '}')) && at[-1] != '\n') continue;
    return at;
}
/* The next `.func` or `.entry` behind the line of `at`, or NULL. Passes over bodies, which are nearly all of a text
 * that has every variant and is looked at hundreds of times a grade. */
static const char *next_head(const char *at) {
    while (at && (at = strchr(at, '\n'))) {
        const char *word = ++at;
        for (; *word == '.'; word += strcspn(word, " \n"), word += *word == ' ')
            if (!strncmp(word, ".func ", 6) || !strncmp(word, ".entry ", 7)) return word;
        if (*at == '{') at = end_of_body(at);
    }
    return NULL;
}
/* Of the function whose head begins at `at`. */
static void read_function(const char *at, take *t, void *to) {
    const char *end = end_of_body(at);
    while (end && at < end) {
        const size_t length = strcspn(at, "\n");
        read_line(at, length, t, to);
        at += length + 1;
    }
}
/* Where the next one of the kernel and the functions behind `at` begins; NULL: there is none. */
static const char *next_function(const char *at, const char *symbol) {
    const size_t n = strlen(symbol);
    while ((at = next_head(at))) {
        const char *name = at + 7;
        if (!strncmp(at, ".func ", 6)) return at;
        if (!strncmp(name, symbol, n) && !isalnum((unsigned char)name[n]) && name[n] != '_') return at;
    }
    return NULL;
}
static void read_all(const char *ptx, const char *symbol, take *t, void *to) {
    for (const char *at = ptx; (at = next_function(at, symbol));) read_function(at, t, to);
}
/* Between the characters of a name. */
static bool stands_at(const char *text, const char *end, const char *name, size_t n) {
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), name, n)); at++)
        if (!strchr("_$", at[n]) && !isalnum((unsigned char)at[n]) && !isalnum((unsigned char)at[-1]) && at[-1] != '_')
            return true;
    return false;
}
bool uses_variables(const char *ptx, const char *symbol) {
    for (const char *at = ptx; (at = strstr(at, ".global .align ")); at++) {
        const size_t line = strcspn(at, ";=\n"), end = memchr(at, '[', line) ? strcspn(at, "[") : line;
        const char *name = at + end;
        while (name > at && isspace((unsigned char)name[-1])) name--;
        const char *behind = name;
        while (name > at && !isspace((unsigned char)name[-1])) name--;
        if (*name == '$' || name == behind) continue;
        for (const char *f = ptx; (f = next_function(f, symbol));) {
            const char *close = end_of_body(f);
            if (close && stands_at(f, close, name, (size_t)(behind - name))) return true;
        }
    }
    return false;
}
static void take_size(void *to, const struct literal *l) {
    const uint64_t size = l->bits >> 63 ? -l->bits : l->bits;
    if (l->kind != LITERAL_WHOLE || !l->sized) return;
    add(to, size);
    if (is_mask(size)) add(to, size + 1);
}
void immediates_of(const char *ptx, const char *symbol, struct immediates *out) {
    read_all(ptx, symbol, take_size, out);
}
static void take_literal(void *to, const struct literal *l) {
    struct literals *all = to;
    unsigned k = 0;
    while (k < all->count && (all->at[k].bits != l->bits || all->at[k].kind != l->kind)) k++;
    if (k == MOST_LITERALS) return;
    if (k == all->count)
        all->at[all->count++] = *l;
    else
        all->at[k].compared |= l->compared, all->at[k].added |= l->added;
}
void literals_of(const char *ptx, const char *symbol, struct literals *out) {
    read_all(ptx, symbol, take_literal, out);
}
