/* Late penalties (course/deadline.h), and the instructor's extensions: OUT/extensions.csv, an individual deadline for a
 * student and a lab. */
#include "class/facts.h"
#include "class/sheet.h"
#include "course/deadline.h"
#include <stdlib.h>
#include <string.h>

enum { DEADLINE = 2 };

/* ---- extensions: {FOLDER: {"lab3": a time}} ---------------------------------------------------- */
static bool take(struct sheet *s, const json_t *student, const char *lab, const char *const *cells) {
    json_t *all = json_object_get(s->context, text_of(student, "folder"));
    time_t when;
    if (!deadline_read(cells[DEADLINE], &when))
        return sheet_wrong(s, "`%s` is no deadline: it must be a day and a time, such as 2027-02-19 18:00",
                           cells[DEADLINE]);
    if (!all) json_object_set_new(s->context, text_of(student, "folder"), all = json_object());
    if (json_object_get(all, lab)) return sheet_wrong(s, "%s has two lines for %s", cells[SHEET_STUDENT], lab);
    json_object_set_new(all, lab, json_integer((json_int_t)when));
    return true;
}

/* ---- one mark ---------------------------------------------------------------------------------- */
struct student {
    const json_t *who, *own; /* from the roster; individual deadlines, or NULL */
    json_t *marks, *attention;
    unsigned slip_days; /* left */
};
static void apply(struct student *s, const struct course_lab *lab) {
    const json_t *entry = json_object_get(json_object_get(s->who, "labs"), lab->lab.id),
                 *extension = json_object_get(s->own, lab->lab.id);
    struct handed_in h = {.at = (time_t)json_integer_value(json_object_get(entry, "handed_in")),
                          .marked = json_is_true(json_object_get(entry, "late")) && !extension};
    const json_t *score =
        json_object_get(json_object_get(json_object_get(s->marks, text_of(s->who, "folder")), lab->lab.id), "score");
    const char *by = text_of(entry, "time_of");
    if (!lab->late.penalty && !strcmp(by, "file")) return; /* a weak source, and without consequence */
    if (!score || !deadline_read(lab->deadline, &h.deadline)) return;
    if (extension) h.deadline = (time_t)json_integer_value(extension);
    const struct deadline_verdict v = deadline_judge(&lab->late, &h, s->slip_days);
    if (!v.late) return;
    s->slip_days -= v.slip_days;
    json_t *mark = mark_to_change(s->marks, s->who, lab->lab.id);
    json_object_set_new(mark, "late", json_true());
    json_object_set_new(mark, "lateness", json_string(v.text));
    if (v.slip_days) json_object_set_new(mark, "slip_days", json_integer(v.slip_days));
    if (v.slip_days + v.penalty && (!h.at || !strcmp(by, "file")))
        attend(s->attention, ATTENTION_TIME, lab->lab.id, s->who, v.text);
    if (!v.penalty) return;
    const json_int_t raw = json_integer_value(score), left = raw - (json_int_t)v.penalty;
    json_object_set_new(mark, "graded", json_integer(raw));
    json_object_set_new(mark, "penalty", json_integer(v.penalty));
    json_object_set_new(mark, "score", json_integer(left > 0 ? left : 0));
}

/* ---- the class --------------------------------------------------------------------------------- */
static int by_deadline(const void *a, const void *b) {
    const struct course_lab *x = *(const struct course_lab *const *)a, *y = *(const struct course_lab *const *)b;
    const int order = strcmp(x->deadline, y->deadline); /* comparing texts of the same format compares times */
    return order ? order : (x > y) - (x < y);
}
bool lateness_apply(const char *out, const struct course *course, const json_t *students, const json_t *labs,
                    json_t *marks, json_t *attention, char *message, size_t size) {
    const struct course_lab *order[COURSE_MOST_LABS];
    json_t *extensions = json_object(), *who;
    size_t n;
    struct sheet s = {.name = "extensions.csv",
                      .headers = {"student", "lab", "deadline"},
                      .needed = 3,
                      .students = students,
                      .labs = labs,
                      .context = extensions,
                      .take = take,
                      .message = message,
                      .size = size};
    const bool ok = sheet_read(&s, out);
    for (unsigned k = 0; k < course->count; k++) order[k] = &course->labs[k];
    qsort(order, course->count, sizeof *order, by_deadline);
    json_array_foreach((json_t *)students, n, who) {
        struct student one = {.who = who,
                              .own = json_object_get(extensions, text_of(who, "folder")),
                              .marks = marks,
                              .attention = attention,
                              .slip_days = course->slip_days};
        for (unsigned k = 0; ok && k < course->count; k++) apply(&one, order[k]);
    }
    json_decref(extensions);
    return ok;
}
