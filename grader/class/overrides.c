/* The instructor's word on single marks: OUT/overrides.csv, which no run of the kit writes or removes. */
#include "base/file.h"
#include "class/facts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STUDENT, LAB, POINTS, COMMENT, COLUMNS };
static const char *const headers[COLUMNS] = {"student", "lab", "points", "comment"};
enum { MOST_CELLS = 64, MOST_FILE = 1 << 24 };
struct overrides {
    const char *path;
    unsigned line;
    int column[COLUMNS]; /* -1: not there */
    const json_t *students;
    const json_t *labs;
    json_t *marks;
    char *message;
    size_t size;
};
static bool complain(const struct overrides *o, const char *format, const char *a, const char *b) {
    const int n = snprintf(o->message, o->size, "%s:%u: ", o->path, o->line);
    if (n > 0 && (size_t)n < o->size) snprintf(o->message + n, o->size - (size_t)n, format, a, b);
    return false;
}
/* The one student of whom some member is that word; NULL, and a complaint: nobody, or several. */
static const json_t *student_named(const struct overrides *o, const char *word) {
    static const char *const members[] = {"id", "email", "sid", "login", "folder", "name"};
    const json_t *found = NULL;
    json_t *s;
    size_t k;
    bool several = false;
    json_array_foreach((json_t *)o->students, k, s) {
        bool is = false;
        for (unsigned m = 0; m < sizeof members / sizeof *members; m++) is |= !strcmp(text_of(s, members[m]), word);
        several |= is && found;
        if (is) found = s;
    }
    if (!found || !*word) return complain(o, "no student `%s` in the class%s", word, ""), NULL;
    return several ? (complain(o, "several students are called `%s`: give the id%s", word, ""), NULL) : found;
}
static bool is_lab(const struct overrides *o, const char *word) {
    size_t k;
    json_t *lab;
    json_array_foreach((json_t *)o->labs, k, lab) if (!strcmp(text_of(lab, "id"), word)) return true;
    return complain(o, "no submissions of a lab `%s`%s", word, "");
}
/* A mark of the student's own: those of a group share theirs. */
static json_t *own_mark(const struct overrides *o, const json_t *student, const char *lab) {
    const char *folder = text_of(student, "folder");
    json_t *all = json_object_get(o->marks, folder), *shared, *mark;
    if (!all) json_object_set_new(o->marks, folder, all = json_object());
    shared = json_object_get(all, lab);
    mark = shared ? json_copy(shared) : json_pack("{s:s}", "status", class_mark_word(MARK_MISSING));
    json_object_set_new(all, lab, mark);
    return mark;
}
static bool apply(const struct overrides *o, char **cells, unsigned count) {
    const char *cell[COLUMNS];
    char *end = NULL;
    for (unsigned k = 0; k < COLUMNS; k++)
        cell[k] = o->column[k] >= 0 && o->column[k] < (int)count ? cells[o->column[k]] : "";
    if (count == 1 && !*cells[0]) return true; /* an empty line */
    const json_t *student = student_named(o, cell[STUDENT]);
    if (!student || !is_lab(o, cell[LAB])) return false;
    errno = 0;
    const long points = strtol(cell[POINTS], &end, 10);
    if (!*cell[POINTS] || *end || errno || points < 0 || points > COURSE_POINTS)
        return complain(o, "points `%s` are no whole number from 0 to 100%s", cell[POINTS], "");
    json_t *mark = own_mark(o, student, cell[LAB]);
    if (json_object_get(mark, "override")) return complain(o, "%s has two lines for %s", cell[STUDENT], cell[LAB]);
    if (json_object_get(mark, "score")) json_object_set(mark, "graded", json_object_get(mark, "score"));
    json_object_set_new(mark, "score", json_integer(points));
    json_object_set_new(mark, "max", json_integer(COURSE_POINTS));
    json_object_set_new(mark, "override", json_true());
    if (*cell[COMMENT]) json_object_set_new(mark, "comment", text_json(cell[COMMENT]));
    return true;
}
static bool take_header(struct overrides *o, char **cells, unsigned count) {
    for (unsigned k = 0; k < COLUMNS; k++) {
        o->column[k] = -1;
        for (unsigned n = 0; n < count; n++)
            if (!strcmp(cells[n], headers[k])) o->column[k] = (int)n;
        if (o->column[k] < 0 && k != COMMENT)
            return complain(o, "no column `%s`: the first line is student,lab,points,comment%s", headers[k], "");
    }
    return true;
}
bool overrides_apply(const char *out, const json_t *students, const json_t *labs, json_t *marks, char *message,
                     size_t size) {
    char path[PATH_MAX], *cells[MOST_CELLS];
    snprintf(path, sizeof path, "%s/overrides.csv", out);
    struct overrides o = {
        .path = path, .line = 1, .students = students, .labs = labs, .marks = marks, .message = message, .size = size};
    errno = 0;
    char *text = file_read(path, 0, MOST_FILE, NULL), *at = text;
    if (!text) return errno == ENOENT || complain(&o, "%s%s", file_why(errno), "");
    if (!strncmp(at, "\xef\xbb\xbf", 3)) at += 3;
    bool ok = true;
    for (; ok && *at; o.line++) { /* a cell with a line break in it counts as one line */
        const unsigned count = csv_split(&at, cells, MOST_CELLS), most = count < MOST_CELLS ? count : MOST_CELLS;
        ok = o.line == 1 ? take_header(&o, cells, most) : apply(&o, cells, most);
    }
    free(text);
    return ok;
}
