/* How submissions come: one table of shapes, each with patterns of the paths it knows. */
#include "class/class.h"
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* Which group of the pattern is what; 0: it is not in the path. A pattern that ends in .txt is of predictions. */
struct pattern {
    const char *regex;
    unsigned student, name, lab, late, version;
    bool loose;
};
enum { MOST_PATTERNS = 8, MOST_GROUPS = 10 };
struct row {
    const char *name;
    bool folders_are_students; /* each folder at the top is a student, even with nothing in it */
    bool prefixed;             /* its name is ASSIGNMENT-student */
    struct pattern patterns[MOST_PATTERNS];
};
#define CANVAS "^([^/_]*)_(LATE_)?([0-9]+)_([0-9]+)_"
#define GRADESCOPE "^submission_([0-9]+)/(.*/)?"
static const struct row rows[] = {
    {.name = "gradescope",
     .patterns = {{GRADESCOPE "(lab[0-9]+)(_[^/]*)?/reduce\\.cu$", .student = 1, .lab = 3},
                  {GRADESCOPE "(lab[0-9]+)(_[^/]*)?/predictions\\.txt$", .student = 1, .lab = 3},
                  {GRADESCOPE "(lab[0-9]+)\\.cu$", .student = 1, .lab = 3},
                  {GRADESCOPE "(lab[0-9]+)\\.predictions\\.txt$", .student = 1, .lab = 3},
                  {GRADESCOPE "reduce\\.cu$", .student = 1},
                  {GRADESCOPE "predictions\\.txt$", .student = 1},
                  {GRADESCOPE "[^/]*\\.cu$", .student = 1, .loose = true}}},
    {.name = "canvas",
     .patterns = {{CANVAS "(lab[0-9]+)(-([0-9]+))?\\.cu$", 3, 1, 5, 2, 7},
                  {CANVAS "(lab[0-9]+)[._-]predictions(-([0-9]+))?\\.txt$", 3, 1, 5, 2, 7},
                  {CANVAS "reduce(-([0-9]+))?\\.cu$", 3, 1, 0, 2, 6},
                  {CANVAS "predictions(-([0-9]+))?\\.txt$", 3, 1, 0, 2, 6},
                  {CANVAS "[^/]*\\.cu$", 3, 1, 0, 2, 0, .loose = true}}},
    {.name = "github",
     .folders_are_students = true,
     .prefixed = true,
     .patterns = {{"^([^/]+)/labs/(lab[0-9]+)_[^/]*/reduce\\.cu$", .student = 1, .lab = 2},
                  {"^([^/]+)/labs/(lab[0-9]+)_[^/]*/predictions\\.txt$", .student = 1, .lab = 2}}},
    {.name = "plain",
     .folders_are_students = true,
     .patterns = {{"^([^/]+)/(lab[0-9]+)\\.cu$", .student = 1, .lab = 2},
                  {"^([^/]+)/(lab[0-9]+)\\.predictions\\.txt$", .student = 1, .lab = 2},
                  {"^([^/]+)/(lab[0-9]+)(_[^/]*)?/reduce\\.cu$", .student = 1, .lab = 2},
                  {"^([^/]+)/(lab[0-9]+)(_[^/]*)?/predictions\\.txt$", .student = 1, .lab = 2},
                  {"^([^/]+)/reduce\\.cu$", .student = 1},
                  {"^([^/]+)/predictions\\.txt$", .student = 1}}},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct class_shape {
    const struct row *row;
    unsigned count;
    regex_t compiled[MOST_PATTERNS];
};
static struct class_shape *compile_row(const struct row *row) {
    struct class_shape *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->row = row;
    while (s->count < MOST_PATTERNS && row->patterns[s->count].regex &&
           !regcomp(&s->compiled[s->count], row->patterns[s->count].regex, REG_EXTENDED))
        s->count++;
    return s;
}
void shape_free(struct class_shape *s) {
    for (unsigned k = 0; s && k < s->count; k++) regfree(&s->compiled[k]);
    free(s);
}
static bool knows(const struct class_shape *s, const char *path) {
    for (unsigned k = 0; k < s->count; k++)
        if (!regexec(&s->compiled[k], path, 0, NULL, 0)) return true;
    return false;
}
struct class_shape *shape_new(const char *name, const char *const *paths, size_t count) {
    for (unsigned k = 0; k < ROWS; k++) {
        if (name && strcmp(name, rows[k].name) != 0) continue;
        struct class_shape *s = compile_row(&rows[k]);
        bool known = name;
        for (size_t n = 0; s && !known && n < count; n++) known = knows(s, paths[n]);
        if (known) return s;
        shape_free(s);
    }
    return NULL;
}
const char *shape_name(const struct class_shape *s) { return s->row->name; }
const char *shape_names(void) { return "gradescope, canvas, github or plain"; }
bool shape_folders_are_students(const struct class_shape *s) { return s->row->folders_are_students; }

/* Group k of a match, "" if it is not part of it. */
static void group(const char *path, const regmatch_t *m, unsigned k, char *out, size_t size) {
    const size_t n = k && m[k].rm_so >= 0 ? (size_t)(m[k].rm_eo - m[k].rm_so) : 0;
    snprintf(out, size, "%.*s", (int)n, n ? path + m[k].rm_so : "");
}
void shape_student(const struct class_shape *s, const char *prefix, char *folder) {
    size_t n = strlen(prefix);
    if (!s->row->prefixed) return;
    if (strncmp(folder, prefix, n) != 0) n = 0;
    if (!n && !strncmp(folder, "lab", 3) && (n = strspn(folder + 3, "0123456789")))
        n = folder[3 + n] == '-' ? n + 4 : 0;
    if (folder[n]) memmove(folder, folder + n, strlen(folder + n) + 1);
}
bool shape_file(const struct class_shape *s, const char *path, const char *prefix, const char *lab,
                struct class_file *out) {
    regmatch_t m[MOST_GROUPS];
    char word[32];
    for (unsigned k = 0; k < s->count; k++) {
        const struct pattern *p = &s->row->patterns[k];
        if (regexec(&s->compiled[k], path, MOST_GROUPS, m, 0)) continue;
        *out = (struct class_file){.loose = p->loose};
        group(path, m, p->student, out->student, sizeof out->student);
        group(path, m, p->name, out->name, sizeof out->name);
        group(path, m, p->lab, out->lab, sizeof out->lab);
        group(path, m, p->late, word, sizeof word);
        out->late = word[0];
        group(path, m, p->version, word, sizeof word);
        out->version = strtoul(word, NULL, 10);
        out->predictions = strcmp(path + strlen(path) - 4, ".txt") == 0;
        if (!p->lab) snprintf(out->lab, sizeof out->lab, "%s", lab);
        shape_student(s, prefix, out->student);
        return true;
    }
    return false;
}
