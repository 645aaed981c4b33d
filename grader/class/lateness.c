/* Applies late penalties (course/deadline.h) and the instructor's extensions (OUT/extensions.csv, which sets a
 * deadline for a student and lab), and then selects the attempt that counts. */
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
        return sheet_wrong(s, "the deadline must be a date and a time, such as 2027-02-19 18:00, not `%s`",
                           cells[DEADLINE]);
    if (deadline_is_skipped(cells[DEADLINE])) return sheet_wrong(s, DEADLINE_SKIPPED, cells[DEADLINE]);
    if (!all) json_object_set_new(s->context, text_of(student, "folder"), all = json_object());
    if (json_object_get(all, lab))
        return sheet_wrong(s, "%s has two lines for %s: keep one", cells[SHEET_STUDENT], lab);
    json_object_set_new(all, lab, json_integer((json_int_t)when));
    return true;
}

json_t *extensions_read(const char *out, const json_t *students, const json_t *labs, char *message, size_t size) {
    json_t *extensions = json_object();
    struct sheet s = {.name = "extensions.csv",
                      .headers = {"student", "lab", "deadline"},
                      .needed = 3,
                      .students = students,
                      .labs = labs,
                      .context = extensions,
                      .take = take,
                      .message = message,
                      .size = size};
    if (sheet_read(&s, out)) return extensions;
    json_decref(extensions);
    return NULL;
}

/* ---- one attempt ------------------------------------------------------------------------------- */
struct student {
    json_t *who;       /* roster entry */
    const json_t *own; /* extended deadlines, or NULL */
    json_t *marks;
    unsigned slip_days; /* number of slip days left */
};
/* Determines how late a submission is. Sets *doubtful if its time is unknown, or if only the time of the file is known,
 * which copying may have changed. */
static struct deadline_verdict judge(const struct student *s, const struct course_lab *lab, const json_t *entry,
                                     json_int_t points, bool *doubtful) {
    const json_t *extension = json_object_get(s->own, lab->lab.id);
    struct handed_in h = {.at = (time_t)json_integer_value(json_object_get(entry, "handed_in")),
                          .marked = json_is_true(json_object_get(entry, "late")) && !extension,
                          .points = points > 0 ? (unsigned)points : 0};
    const bool by_file = !strcmp(text_of(entry, "time_of"), "file");
    *doubtful = !h.at || by_file;
    if ((!lab->late.penalty && by_file) || !deadline_read(lab->deadline, &h.deadline))
        return (struct deadline_verdict){.late = false};
    if (extension) h.deadline = (time_t)json_integer_value(extension);
    return deadline_judge(&lab->late, &h, s->slip_days);
}

/* ---- the attempt that counts ------------------------------------------------------------------- */
/* Returns the points of an attempt, 0 if it cannot be graded, or -1 if it is not graded yet. */
static json_int_t points_of(const char *out, const json_t *entry, const char *lab) {
    char path[PATH_MAX];
    if (json_is_true(json_object_get(entry, "refused"))) return 0;
    snprintf(path, sizeof path, "%s/records/%s/%s.json", out, text_of(entry, "folder"), lab);
    json_t *record = json_load_file(path, 0, NULL);
    const json_int_t points = record ? json_integer_value(json_object_get(record, "score")) : -1;
    json_decref(record);
    return points;
}
/* Replaces the newest attempt with the one with the most points after late penalties. Breaks ties by the fewest slip
 * days, then by the newest attempt. If an attempt is not graded yet, stops there and uses it, because the best attempt
 * is still unknown. */
static void choose(struct student *s, const struct course_lab *lab, const char *out) {
    json_t *labs = json_object_get(s->who, "labs"), *newest = json_object_get(labs, lab->lab.id),
           *others = json_object_get(newest, "attempts"), *best = newest;
    json_int_t most = -1;
    unsigned slip_days = 0;
    size_t number = 0;
    const size_t count = json_array_size(others) + 1;
    bool doubtful;
    for (size_t k = count; newest && k--;) {
        json_t *one = k == count - 1 ? newest : json_array_get(others, k);
        const json_int_t raw = points_of(out, one, lab->lab.id);
        const struct deadline_verdict v = judge(s, lab, one, raw, &doubtful);
        const json_int_t left = raw < (json_int_t)v.penalty ? 0 : raw - (json_int_t)v.penalty;
        if (raw >= 0 && (left < most || (left == most && v.slip_days >= slip_days))) continue;
        best = one, most = left, slip_days = raw < 0 ? 0 : v.slip_days, number = k + 1;
        if (raw < 0) break;
    }
    s->slip_days -= slip_days;
    if (count == 1) return;
    json_object_set_new(best, "attempt", json_sprintf("%zu of %zu", number, count));
    if (best == newest) return;
    json_t *notes = json_object_get(newest, "notes");
    json_array_extend(json_object_get(best, "notes"), notes);
    json_object_set(labs, lab->lab.id, best); /* frees the newest attempt */
}

/* ---- one mark ---------------------------------------------------------------------------------- */
/* Adds the student's own deadline to the mark, for the report. Canvas's LATE no longer counts. */
static void put_extension(const struct student *s, const struct course_lab *lab) {
    const json_t *extension = json_object_get(s->own, lab->lab.id);
    const time_t when = (time_t)json_integer_value(extension);
    struct tm local;
    char text[20];
    if (!extension || !localtime_r(&when, &local) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local)) return;
    json_t *mark = mark_to_change(s->marks, s->who, lab->lab.id);
    json_object_set_new(mark, "due", json_string(text));
    json_object_del(mark, "late");
}
static void apply(struct student *s, const struct course_lab *lab) {
    const json_t *entry = json_object_get(json_object_get(s->who, "labs"), lab->lab.id);
    const json_t *score =
        json_object_get(json_object_get(json_object_get(s->marks, text_of(s->who, "folder")), lab->lab.id), "score");
    bool doubtful;
    if (!score) return;
    const struct deadline_verdict v = judge(s, lab, entry, json_integer_value(score), &doubtful);
    put_extension(s, lab);
    if (!v.late) return;
    s->slip_days -= v.slip_days;
    json_t *mark = mark_to_change(s->marks, s->who, lab->lab.id);
    json_object_set_new(mark, "late", json_true());
    json_object_set_new(mark, "lateness", json_string(v.text));
    if (v.slip_days) json_object_set_new(mark, "slip_days", json_integer(v.slip_days));
    if (v.slip_days + v.penalty && doubtful) json_object_set_new(mark, "doubtful", json_true());
    if (!v.penalty) return;
    const json_int_t raw = json_integer_value(score), left = raw - (json_int_t)v.penalty;
    json_object_set_new(mark, "graded", json_integer(raw));
    json_object_set_new(mark, "penalty", json_integer(v.penalty));
    json_object_set_new(mark, "score", json_integer(left > 0 ? left : 0));
}

/* ---- the class --------------------------------------------------------------------------------- */
static int by_deadline(const void *a, const void *b) {
    const struct course_lab *x = *(const struct course_lab *const *)a, *y = *(const struct course_lab *const *)b;
    /* Comparing the strings compares the times, because both have the same format. */
    const int order = strcmp(x->deadline, y->deadline);
    return order ? order : (x > y) - (x < y);
}
/* Visits each student's labs in the order of their deadlines, so that slip days are used for the earliest labs. If
 * `out` is not NULL, selects attempts instead of applying penalties. */
static void visit(const struct course *course, const json_t *students, const json_t *extensions, const char *out,
                  json_t *marks) {
    const struct course_lab *order[COURSE_MAX_LABS];
    json_t *who;
    size_t n;
    for (unsigned k = 0; k < course->count; k++) order[k] = &course->labs[k];
    qsort(order, course->count, sizeof *order, by_deadline);
    json_array_foreach((json_t *)students, n, who) {
        struct student one = {.who = who,
                              .own = json_object_get(extensions, text_of(who, "folder")),
                              .marks = marks,
                              .slip_days = course->slip_days};
        for (unsigned k = 0; k < course->count; k++)
            if (out)
                choose(&one, order[k], out);
            else
                apply(&one, order[k]);
    }
}
static bool has_attempts(const json_t *students) {
    const char *lab;
    size_t n;
    json_t *who, *entry;
    json_array_foreach((json_t *)students, n, who) json_object_foreach(
        json_object_get(who, "labs"), lab, entry) if (json_object_get(entry, "attempts")) return true;
    return false;
}
void attempts_choose(const char *out, const struct course *course, json_t *students, const json_t *extensions) {
    if (has_attempts(students)) visit(course, students, extensions, out, NULL);
}
void lateness_apply(const struct course *course, const json_t *students, const json_t *extensions, json_t *marks) {
    visit(course, students, extensions, NULL, marks);
}
void lateness_attend(const json_t *students, json_t *marks, json_t *attention) {
    const char *lab;
    size_t n;
    json_t *who, *mark;
    json_array_foreach((json_t *)students, n, who)
        json_object_foreach(json_object_get(marks, text_of(who, "folder")), lab, mark) {
        if (json_object_get(mark, "doubtful") && !json_object_get(mark, "override"))
            attend(attention, ATTENTION_TIME, lab, who, text_of(mark, "lateness"));
        json_object_del(mark, "doubtful");
    }
}
