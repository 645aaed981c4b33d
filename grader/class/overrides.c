/* Applies the instructor's changes to individual marks (OUT/overrides.csv). The kit never writes or deletes this file.
 */
#include "class/facts.h"
#include "class/sheet.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 2, COMMENT = 3 };

json_t *mark_to_change(json_t *marks, const json_t *student, const char *lab) {
    const char *folder = text_of(student, "folder");
    json_t *all = json_object_get(marks, folder), *shared, *mark;
    if (!all) json_object_set_new(marks, folder, all = json_object());
    shared = json_object_get(all, lab);
    mark = shared ? json_copy(shared) : json_pack("{s:s}", "status", class_mark_word(MARK_MISSING));
    json_object_set_new(all, lab, mark);
    return mark;
}
/* Removes the penalty, which is not part of the instructor's points. The slip days remain used. */
static void keep_lateness(json_t *mark) {
    const int days = (int)json_integer_value(json_object_get(mark, "slip_days"));
    json_object_del(mark, "penalty");
    if (!json_object_get(mark, "lateness")) return;
    json_object_set_new(mark, "lateness",
                        days ? json_sprintf("late, %d slip day%s", days, days == 1 ? "" : "s") : json_string("late"));
}
static bool take(struct sheet *s, const json_t *student, const char *lab, const char *const *cells) {
    char *end = NULL;
    errno = 0;
    const long points = strtol(cells[POINTS], &end, 10);
    if ((!*cells[POINTS] && !*cells[COMMENT]) || *end || errno || *cells[POINTS] == '+' || points < 0 ||
        points > COURSE_POINTS) /* +5 could mean 5 points more */
        return sheet_wrong(s, "points must be a whole number from 0 to 100, not `%s`", cells[POINTS]);
    json_t *mark = mark_to_change(s->context, student, lab);
    if (json_object_get(mark, "override") || json_object_get(mark, "comment"))
        return sheet_wrong(s, "%s has two lines for %s: keep one", cells[SHEET_STUDENT], lab);
    if (*cells[COMMENT]) json_object_set_new(mark, "comment", text_json(cells[COMMENT]));
    if (!*cells[POINTS]) return true; /* only a comment: the points stay */
    if (json_object_get(mark, "score") && !json_object_get(mark, "graded"))
        json_object_set(mark, "graded", json_object_get(mark, "score"));
    json_object_set_new(mark, "score", json_integer(points));
    json_object_set_new(mark, "max", json_integer(COURSE_POINTS));
    json_object_set_new(mark, "override", json_true());
    keep_lateness(mark);
    return true;
}
bool overrides_apply(const char *out, const json_t *students, const json_t *labs, json_t *marks, char *message,
                     size_t size) {
    struct sheet s = {.name = "overrides.csv",
                      .headers = {"student", "lab", "points", "comment"},
                      .needed = 3,
                      .students = students,
                      .labs = labs,
                      .context = marks,
                      .take = take,
                      .message = message,
                      .size = size};
    return sheet_read(&s, out);
}
