/* The table of labs. $(BUILD)/labs.inc contains a line LAB(labN) for each labs/labN_name/grader.c. */
#include "judge/lab.h"
#include <string.h>

#define LAB(id) extern const struct lab id;
#include "labs.inc"
#undef LAB
const struct lab *const lab_rows[] = {
#define LAB(id) &id,
#include "labs.inc"
};
const unsigned lab_row_count = sizeof lab_rows / sizeof *lab_rows;

const struct lab *lab_find(const char *id) {
    for (unsigned k = 0; k < lab_row_count; k++)
        if (!strcmp(lab_rows[k]->id, id) || !strcmp(lab_rows[k]->name, id)) return lab_rows[k];
    return NULL;
}

const double lab_marks[LAB_MARKS] = {
    [MARK_WORK] = 0.6,         [MARK_WRONG] = 0.6,    [MARK_TECHNIQUE] = 0.6, [MARK_WAITING_FULL] = 2.0,
    [MARK_WAITING_NONE] = 4.0, [MARK_SECTORS] = 1.15, [MARK_WARPS] = 2.5,     [MARK_UNSEALED] = 1};
double lab_mark(const struct lab *lab, enum lab_mark m) { return (lab->marks ? lab->marks : lab_marks)[m]; }

bool lab_check_needs(const struct lab_check *c, const char *id) {
    const size_t n = strlen(id);
    for (const char *s = c->needs; s && (s = strstr(s, id)); s += n)
        if ((s == c->needs || s[-1] == ' ') && (!s[n] || s[n] == ' ')) return true;
    return false;
}
bool lab_needs_are_before(const struct lab *lab, unsigned k, unsigned before) {
    unsigned words = 0, known = 0;
    for (const char *s = lab->checks[k].needs; s; s = strchr(s, ' '), s = s ? s + 1 : NULL) words++;
    for (unsigned n = 0; n < before; n++) known += lab_check_needs(&lab->checks[k], lab->checks[n].id);
    return words == known;
}
