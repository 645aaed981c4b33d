/* See immediates.h. A reader of lines, no parser: the text has been checked by ptx/, and a number too many does no
 * harm. */
#include "judge/immediates.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void add(struct immediates *out, uint64_t x) {
    unsigned at = 0;
    if (x < LEAST_IMMEDIATE || x > GREATEST_IMMEDIATE || out->count == MOST_IMMEDIATES) return;
    while (at < out->count && out->at[at] < x) at++;
    if (at < out->count && out->at[at] == x) return;
    memmove(&out->at[at + 1], &out->at[at], (out->count - at) * sizeof *out->at);
    out->at[at] = (uint32_t)x;
    out->count++;
}
static bool is_mask(uint64_t x) { return (x & (x + 1)) == 0; }
/* What adds to an address, names a place, or moves between lanes is no size. */
static bool counts(const char *line, size_t length) {
    static const char *const words[] = {"setp.", "set.", "add.", "sub.", "mul.", "mad.", "and.",
                                        "rem.",  "div.", "min.", "max.", "mov.", "selp."};
    const char *end = line + length;
    while (line < end && isspace((unsigned char)*line)) line++;
    if (*line == '@') line += strcspn(line, " \n"); /* a guard */
    while (line < end && isspace((unsigned char)*line)) line++;
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (!strncmp(line, words[k], strlen(words[k]))) return true;
    return false;
}
static void read_line(const char *line, size_t length, struct immediates *out) {
    for (const char *s = line; counts(line, length) && (s = memchr(s, ' ', (size_t)(line + length - s)));) {
        char *end;
        const long long x = strtoll(++s, &end, 10);
        if (end == s || (*end != ',' && *end != ';')) continue;
        const uint64_t size = x < 0 ? -(uint64_t)x : (uint64_t)x;
        add(out, size);
        if (is_mask(size)) add(out, size + 1);
    }
}
/* Of the function whose head begins at `at`. */
static void read_function(const char *at, struct immediates *out) {
    const char *end = strstr(at, "\n}");
    while (end && at < end) {
        const size_t length = strcspn(at, "\n");
        read_line(at, length, out);
        at += length + 1;
    }
}
void immediates_of(const char *ptx, const char *symbol, struct immediates *out) {
    const size_t n = strlen(symbol);
    for (const char *at = ptx; (at = strstr(at, ".entry ")); at += 7)
        if (!strncmp(at + 7, symbol, n) && !isalnum((unsigned char)at[7 + n]) && at[7 + n] != '_')
            read_function(at, out);
    for (const char *at = ptx; (at = strstr(at, ".func ")); at += 6) read_function(at, out);
}
