/* Collects the roster and the records of a class in one JSON object. The gradebook, the HTML page and the attention
 * list are computed from this object alone. It contains no time of grading and no absolute path, so it does not depend
 * on when and where the class was graded. */
#include "base/file.h"
#include "class/facts.h"
#include "compile/diagnostics.h"
#include "record/status.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SOURCE = (1 << 20) + 1 };

/* ---- students in order ----------------------------------------------------------------------- */
static int by_name(const void *a, const void *b) {
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    const char *n = text_of(x, "name"), *m = text_of(y, "name");
    const int names = strcasecmp(*n ? n : text_of(x, "id"), *m ? m : text_of(y, "id"));
    return names ? names : strcmp(text_of(x, "folder"), text_of(y, "folder"));
}
static json_t *students_in_order(const json_t *roster) {
    const json_t *students = json_object_get(roster, "students");
    json_t **all = calloc(json_object_size(students) + 1, sizeof *all), *out = json_array(), *s;
    const char *key;
    size_t n = 0;
    json_object_foreach((json_t *)students, key, s) if (all) all[n++] = s;
    if (all) qsort(all, n, sizeof *all, by_name);
    for (size_t k = 0; k < n; k++) json_array_append(out, all[k]);
    free(all);
    return out;
}
/* Returns the units of a lab with the students of each: {"ada/lab3": [student, ...]}. */
static json_t *units_of(const json_t *students, const char *lab) {
    json_t *out = json_object(), *student;
    size_t k;
    json_array_foreach(students, k, student) {
        char name[FOLDER_SIZE + 20];
        const json_t *entry = json_object_get(json_object_get(student, "labs"), lab);
        if (!entry) continue;
        snprintf(name, sizeof name, "%s/%s", text_of(entry, "folder"), lab);
        if (!json_object_get(out, name)) json_object_set_new(out, name, json_array());
        json_array_append(json_object_get(out, name), student);
    }
    return out;
}

/* ---- one unit -------------------------------------------------------------------------------- */
/* Returns the contents of a record or a fault, or NULL if it is missing. Removes a damaged one, for example from a
 * crash of the machine, so that the next run grades the unit again. */
static json_t *load_facts(const char *out, const char *kind, const char *unit) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s/%s.json", out, kind, unit);
    json_error_t error;
    json_t *value = json_load_file(path, 0, &error);
    if (json_is_object(value)) return value;
    if (json_error_code(&error) != json_error_cannot_open_file && json_error_code(&error) != json_error_out_of_memory)
        unlink(path);
    json_decref(value);
    return NULL;
}
json_t *own_words(const json_t *record, const char *text) {
    const char *path = text_of(record, "submission");
    const size_t n = strlen(path);
    char *out = malloc(strlen(text) * sizeof "reduce.cu" + 1), *end = out;
    while (out && *text)
        if (n && !strncmp(text, path, n))
            end = stpcpy(end, "reduce.cu"), text += n;
        else
            *end++ = *text++;
    if (out) *end = 0;
    json_t *words = text_json(out ? out : "");
    free(out);
    return words;
}
static const char *const mark_words[MARKS] = {
    [MARK_FULL] = "full",   [MARK_PARTIAL] = "partial",   [MARK_BUILD] = "build",    [MARK_REFUSED] = "refused",
    [MARK_SETUP] = "setup", [MARK_UNGRADED] = "ungraded", [MARK_MISSING] = "missing"};
const char *class_mark_word(enum class_mark m) { return mark_words[m]; }
static enum class_mark mark_word_of(const char *word) {
    unsigned k = 0;
    while (k < MARK_MISSING && strcmp(mark_words[k], word)) k++;
    return k;
}
enum class_mark class_mark_of(const struct class_unit *u) {
    static const enum class_mark ends[ENDS] = {[END_NONE] = MARK_SETUP,
                                               [END_FULL] = MARK_FULL,
                                               [END_PARTIAL] = MARK_PARTIAL,
                                               [END_BUILD] = MARK_BUILD,
                                               [END_SETUP] = MARK_SETUP};
    if (json_is_true(json_object_get(u->entry, "refused"))) return MARK_REFUSED;
    return u->record ? ends[grade_end_of(u->record)] : u->fault ? MARK_SETUP : MARK_UNGRADED;
}
size_t class_mark_count(const json_t *lab, enum class_mark m) {
    return (size_t)json_integer_value(json_object_get(json_object_get(lab, "ends"), mark_words[m]));
}
/* Returns the compiler's first error, or its first message if none is an error, or NULL. */
static const json_t *first_error(const json_t *build) {
    const json_t *all = json_object_get(build, "errors"), *error = diagnostics_first_error(all);
    return error ? error : json_array_get(all, 0);
}
json_t *advice_of(const json_t *record) {
    const json_t *build = json_object_get(record, "build"), *error = first_error(build);
    const char *advice = text_of(record, "advice"), *log = text_of(build, "log"), *note = text_of(error, "note");
    if (*advice) return own_words(record, advice);
    json_t *first = error ? json_sprintf("%s:%lld: %s%s%s", text_of(error, "file"),
                                         (long long)json_integer_value(json_object_get(error, "line")),
                                         text_of(error, "message"), *note ? ": " : "", note)
                          : json_sprintf("%.*s", (int)strcspn(log, "\n"), log);
    json_t *words = own_words(record, json_string_value(first) ? json_string_value(first) : "");
    json_decref(first);
    return words;
}
static json_t *mark_of(const struct class_unit *u) {
    json_t *mark = json_object();
    json_object_set_new(mark, "status", json_string(class_mark_word(class_mark_of(u))));
    if (u->record) {
        json_object_set(mark, "score", json_object_get(u->record, "score"));
        json_object_set(mark, "max", json_object_get(u->record, "max_score"));
        json_object_set_new(mark, "advice", advice_of(u->record));
        json_object_set_new(mark, "report", json_sprintf("reports/%s.html", u->name));
        if (u->cause) json_object_set(mark, "cause", u->cause);
    }
    if (json_is_true(json_object_get(u->entry, "late"))) json_object_set_new(mark, "late", json_true());
    if (*text_of(u->entry, "attempt")) {
        json_object_set(mark, "attempt", json_object_get(u->entry, "attempt"));
        json_object_set(mark, "unit", json_object_get(u->entry, "folder"));
    }
    return mark;
}
static void add_unit(struct class_lab *l, const char *out, const char *name, json_t *students, json_t *marks) {
    char path[PATH_MAX];
    size_t length, k;
    json_t *student, *entry = json_object_get(json_object_get(json_array_get(students, 0), "labs"), l->lab->lab.id);
    snprintf(path, sizeof path, "%s/submissions/%s/reduce.cu", out, name);
    const bool refused = json_is_true(json_object_get(entry, "refused"));
    struct class_unit u = {.name = name,
                           .folder = text_of(entry, "folder"),
                           .students = students,
                           .entry = entry,
                           .record = refused ? NULL : load_facts(out, "records", name),
                           .fault = refused ? NULL : load_facts(out, "faults", name),
                           .text = refused ? NULL : file_read(path, FILE_NO_LINK | FILE_CUT, MAX_SOURCE, &length)};
    u.length = u.text ? length : 0;
    class_lab_add(l, &u);
    json_t *mark = mark_of(&u);
    json_array_foreach(students, k, student) {
        json_t *all = json_object_get(marks, text_of(student, "folder"));
        if (!all) json_object_set_new(marks, text_of(student, "folder"), all = json_object());
        json_object_set(all, l->lab->lab.id, mark);
    }
    json_decref(mark);
    json_decref(u.cause);
    json_decref(u.record);
    json_decref(u.fault);
    free(u.text);
}
static bool has_roster(const json_t *students) {
    size_t k;
    json_t *s;
    json_array_foreach((json_t *)students, k, s) if (json_object_get(s, "listed")) return true;
    return false;
}
static json_t *sum_lab(const struct class_place *place, const char *out, const struct course_lab *lab, json_t *students,
                       json_t *attention, json_t *marks) {
    struct class_lab l = class_lab_new(place, lab, attention);
    json_t *units = units_of(students, lab->lab.id), *whose, *student;
    const char *name;
    size_t k;
    const bool listed = has_roster(students);
    json_object_foreach(units, name, whose) add_unit(&l, out, name, whose, marks);
    json_array_foreach(students, k, student) {
        const char *other = text_of(json_object_get(student, "other_labs"), lab->lab.id);
        char text[NAME_MAX + 40];
        if (json_object_get(json_object_get(student, "labs"), lab->lab.id)) {
            if (listed && !json_object_get(student, "listed"))
                attend(attention, ATTENTION_UNLISTED, lab->lab.id, student, "");
            continue;
        }
        snprintf(text, sizeof text, *other ? "only files of other labs, such as %.*s" : "", NAME_MAX, other);
        attend(attention, ATTENTION_MISSING, lab->lab.id, student, text);
    }
    json_object_set_new(l.out, "submissions", json_integer((json_int_t)json_object_size(units)));
    json_decref(units);
    return class_lab_end(&l);
}

/* ---- the whole class ------------------------------------------------------------------------------- */
static bool has_submissions(const json_t *students, const char *lab) {
    size_t k;
    json_t *s;
    json_array_foreach((json_t *)students, k, s) if (json_object_get(json_object_get(s, "labs"), lab)) return true;
    return false;
}
/* Returns the labs that have submissions, in the order of the course: [{"id"}]. */
static json_t *labs_of(const struct course *course, const json_t *students) {
    json_t *out = json_array();
    for (unsigned k = 0; k < course->count; k++)
        if (has_submissions(students, course->labs[k].lab.id))
            json_array_append_new(out, json_pack("{s:s}", "id", course->labs[k].lab.id));
    return out;
}
/* Returns the weighted percentage over all labs, or NULL while a submission without an override is ungraded. */
static json_t *total_of(const json_t *labs, const json_t *marks) {
    double sum = 0, weights = 0;
    size_t k;
    json_t *lab;
    json_array_foreach((json_t *)labs, k, lab) {
        const json_t *mark = json_object_get(marks, text_of(lab, "id"));
        const double weight = json_number_value(json_object_get(lab, "weight")),
                     of = json_number_value(json_object_get(mark, "max"));
        const enum class_mark of_lab = mark_word_of(text_of(mark, "status"));
        if ((of_lab == MARK_SETUP || of_lab == MARK_UNGRADED) && !json_object_get(mark, "override")) return NULL;
        weights += weight;
        if (of > 0) sum += weight * json_number_value(json_object_get(mark, "score")) / of;
    }
    return weights > 0 ? json_real(round(1000 * sum / weights) / 10) : NULL;
}
static json_t *people(const json_t *students, const json_t *labs, const json_t *marks) {
    static const char *const members[] = {"id",         "folder",    "name",    "email",       "sid",         "login",
                                          "first_name", "last_name", "section", "sis_user_id", "sis_login_id"};
    json_t *out = json_array(), *student;
    size_t n;
    json_array_foreach((json_t *)students, n, student) {
        json_t *one = json_object(), *own = json_object_get(marks, text_of(student, "folder"));
        for (unsigned k = 0; k < sizeof members / sizeof *members; k++)
            if (*text_of(student, members[k])) json_object_set(one, members[k], json_object_get(student, members[k]));
        json_object_set_new(one, "labs", own ? json_incref(own) : json_object());
        json_t *total = total_of(labs, own);
        if (total) json_object_set_new(one, "total", total);
        json_array_append_new(out, one);
    }
    return out;
}
json_t *class_facts(const char *out, const json_t *roster, const struct class_place *place, char *message,
                    size_t size) {
    char path[PATH_MAX];
    struct course *course = calloc(1, sizeof *course);
    snprintf(path, sizeof path, "%s/labs/course.conf", place->root);
    if (!course) snprintf(message, size, "out of memory");
    if (!course || !course_read(path, course, message, size)) return free(course), NULL;
    json_t *students = students_in_order(roster), *labs = labs_of(course, students), *attention = json_array(),
           *marks = json_object(), *extensions = extensions_read(out, students, labs, message, size), *lab, *loose;
    const char *name;
    size_t n;
    if (extensions) attempts_choose(out, course, students, extensions);
    json_array_foreach(labs, n, lab) json_array_set_new(
        labs, n, sum_lab(place, out, course_find(course, text_of(lab, "id")), students, attention, marks));
    if (extensions) lateness_apply(course, students, extensions, marks);
    json_object_foreach(json_object_get(roster, "loose"), name, loose) loose_attend(loose, name, attention);
    const bool ok = extensions && overrides_apply(out, students, labs, marks, message, size);
    lateness_attend(students, marks, attention);
    json_array_foreach(labs, n, lab) class_lab_points(lab, marks);
    json_t *facts = json_pack("{s:s, s:s, s:o, s:o, s:o}", "schema", "reduction-labs/class/2", "title", course->title,
                              "labs", labs, "students", people(students, labs, marks), "attention", attention);
    if (!ok) json_decref(facts), facts = NULL;
    json_decref(students);
    json_decref(marks);
    json_decref(extensions);
    free(course);
    return facts;
}
