/* Maps lines of a submission to lines of its skeleton, by the longest common subsequence of lines. Lines are compared
 * without whitespace. Dynamic programming is fast enough for files of a few hundred lines. */
#include "base/file.h"
#include "class/class.h"
#include "judge/lab.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 4000, MAX_TEXT = 1 << 20 };

char *skeleton_text(const struct class_place *place, const char *folder, const struct lab *lab) {
    char path[PATH_MAX];
    size_t length;
    snprintf(path, sizeof path, "%s/%s/%s_%s/reduce.cu", place->root, folder, lab->id, lab->name);
    return file_read(path, FILE_NO_LINK | FILE_CUT, MAX_TEXT, &length);
}

struct lines {
    const char **start;
    unsigned count;
};
static struct lines split(const char *text) {
    struct lines l = {.start = calloc(MAX_LINES + 1, sizeof *l.start)};
    for (const char *s = text; l.start && *s && l.count <= MAX_LINES; s += strcspn(s, "\n"), s += *s == '\n')
        l.start[l.count++] = s;
    if (l.count > MAX_LINES) free(l.start), l.start = NULL;
    return l;
}
/* Returns whether two lines are equal except for whitespace. A blank line equals no line, because it would match
 * everywhere. */
static bool equal(const char *a, const char *b) {
    bool some = false;
    for (;; a++, b++) {
        while (*a && *a != '\n' && isspace((unsigned char)*a)) a++;
        while (*b && *b != '\n' && isspace((unsigned char)*b)) b++;
        const bool end_a = !*a || *a == '\n', end_b = !*b || *b == '\n';
        if (end_a || end_b) return end_a && end_b && some;
        if (*a != *b) return false;
        some = true;
    }
}
/* Computes length[i * columns + j], the length of the longest common subsequence of `a` from line i onward and `b` from
 * line j onward. */
static uint16_t *lengths(const struct lines *a, const struct lines *b) {
    const size_t columns = b->count + 1;
    uint16_t *length = calloc((a->count + 1) * columns, sizeof *length);
    for (size_t i = a->count; length && i-- > 0;)
        for (size_t j = b->count; j-- > 0;) {
            const uint16_t down = length[(i + 1) * columns + j], right = length[i * columns + j + 1];
            length[i * columns + j] = equal(a->start[i], b->start[j])
                                          ? (uint16_t)(length[(i + 1) * columns + j + 1] + 1)
                                      : down > right ? down
                                                     : right;
        }
    return length;
}
static bool blank(const char *line) { return line[strspn(line, " \t\r")] == '\n' || !line[strspn(line, " \t\r")]; }
/* Lines [from, to) of the text replace lines [first, end) of the skeleton. Maps them to the first of these skeleton
 * lines that is not blank or, if there is none, to the line before them. */
static void stand_in(const struct lines *skeleton, size_t first, size_t end, unsigned *out, size_t from, size_t to) {
    size_t at = first;
    while (at < end && blank(skeleton->start[at])) at++;
    const size_t line = at < end ? at + 1 : first ? first : 1;
    for (size_t j = from; j < to; j++) out[j + 1] = (unsigned)line;
}
unsigned *skeleton_lines(const char *skeleton, const char *text, unsigned *count) {
    struct lines a = split(skeleton), b = split(text);
    uint16_t *length = a.start && b.start ? lengths(&a, &b) : NULL;
    unsigned *out = length ? calloc(b.count + 1, sizeof *out) : NULL;
    const size_t columns = b.count + 1;
    /* `first` and `from`: the start of the unmatched lines in the skeleton and in the text. */
    size_t i = 0, j = 0, first = 0, from = 0;
    while (out && i < a.count && j < b.count) {
        if (equal(a.start[i], b.start[j])) {
            stand_in(&a, first, i, out, from, j);
            out[j + 1] = (unsigned)i + 1;
            first = ++i, from = ++j;
        } else if (length[(i + 1) * columns + j] >= length[i * columns + j + 1])
            i++;
        else
            j++;
    }
    if (out) stand_in(&a, first, a.count, out, from, b.count);
    *count = out ? b.count : 0;
    free(length);
    free(a.start);
    free(b.start);
    return out;
}
bool skeleton_unchanged(const char *skeleton, const char *text) {
    for (;; skeleton++, text++) {
        while (isspace((unsigned char)*skeleton)) skeleton++;
        while (isspace((unsigned char)*text)) text++;
        if (*skeleton != *text || !*text) return *skeleton == *text;
    }
}
