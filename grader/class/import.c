/* Creates the class's folder: the roster, the list of units, and a copy of each submission. Rewrites a copy only if the
 * submission has changed, and first deletes its record, which is out of date. */
#include "base/file.h"
#include "class/class.h"
#include "course/course.h"
#include "record/status.h"
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_OTHERS = 3,
    WHY = 200,                 /* size in bytes of the text that says why a file is not graded */
    MAX_SOURCE = (1 << 20) + 1 /* one byte more than the grader accepts, so that the grader reports the excess */
};

/* ---- units: the files found for a student's lab ------------------------------------------------ */
struct import {
    const struct class_options *options;
    const struct class_place *place;
    struct listing listing;
    const struct course *course;
    const struct class_shape *shape;
    json_t *roster, *old;
    json_t *units;  /* {"FOLDER/lab3": {"folder", "notes", "attempts": {VERSION: {"from", "predictions", "late", "rank",
                       ...}}} */
    json_t *labs;   /* labs of this import: {"lab3": true} */
    json_t *people; /* list from Gradescope, or NULL */
    char prefix[NAME_MAX + 1];
    unsigned other_labs; /* number of files of labs that the import does not include */
    unsigned gone;       /* number of submissions of the previous import that this import lacks */
    char first_gone[FOLDER_SIZE];
};
/* Returns the email address, student number or name that identifies a person in Gradescope's list, or "". */
static const char *person_key(const json_t *person) {
    static const char *const members[] = {"email", "sid", "name"};
    const char *key = "";
    for (unsigned k = 0; !*key && k < sizeof members / sizeof *members; k++) key = text_of(person, members[k]);
    return key;
}
/* Returns the students of a submission as an array of roster entries. A submission on Gradescope may have several. */
static json_t *students_of(struct import *i, const struct class_file *f) {
    char name[NAME_MAX + 20];
    json_t *out = json_array(), *person, *student;
    size_t k;
    snprintf(name, sizeof name, "submission_%s", f->student);
    json_array_foreach(json_object_get(i->people, name), k, person) {
        const char *key = person_key(person);
        student = roster_student(i->roster, *key ? key : f->student, true);
        json_object_update(student, person);
        json_array_append(out, student);
    }
    if (!json_array_size(out)) {
        student = roster_student(i->roster, f->student, true);
        if (f->name[0] && !*text_of(student, "name")) json_object_set_new(student, "name", text_json(f->name));
        json_array_append(out, student);
    }
    return out;
}
/* Returns the unit of the students' submission. Its folder is the folder of the first student whose folder no other
 * submission uses. If there is no such student, it is the folder of the first student. */
static json_t *unit_in(struct import *i, const json_t *students, const struct class_file *f) {
    char name[FOLDER_SIZE + 20];
    json_t *student, *unit = NULL;
    size_t k;
    json_array_foreach((json_t *)students, k, student) {
        snprintf(name, sizeof name, "%s/%s", text_of(student, "folder"), f->lab);
        unit = json_object_get(i->units, name);
        if (!unit) {
            unit = json_pack("{s:O, s:[], s:o}", "folder", json_object_get(student, "folder"), "notes", "submission",
                             text_json(f->student));
            json_object_set_new(i->units, name, unit);
        }
        if (!strcmp(text_of(unit, "submission"), f->student)) return unit;
    }
    snprintf(name, sizeof name, "%s/%s", text_of(json_array_get(students, 0), "folder"), f->lab);
    return json_object_get(i->units, name);
}
/* Returns whether the unit's submission on Gradescope is newer than the other unit's. Submissions are numbered in the
 * order of their creation. */
static bool is_newer(const struct import *i, const json_t *unit, const json_t *other) {
    const json_t *const units[] = {unit, other};
    long long at[2], number[2];
    for (unsigned k = 0; k < 2; k++) {
        char name[NAME_MAX + 20];
        snprintf(name, sizeof name, "submission_%s", text_of(units[k], "submission"));
        at[k] = json_integer_value(json_object_get(json_object_get(i->people, "times"), name));
        number[k] = atoll(text_of(units[k], "submission"));
    }
    return at[0] > at[1] || (at[0] == at[1] && number[0] > number[1]);
}
/* Assigns the unit to the student. If the student is in two submissions, for example alone and in a group, the newer
 * one counts, and a note names both. */
static void take_unit(const struct import *i, json_t *student, const char *lab, json_t *unit) {
    json_t *labs = json_object_get(student, "labs"), *old = json_object_get(labs, lab);
    if (old && old != unit) {
        const bool newer = is_newer(i, unit, old);
        json_t *counts = newer ? unit : old, *other = newer ? old : unit;
        char text[2 * NAME_MAX + 100];
        snprintf(text, sizeof text, "%s is also in submission_%s, which is ignored in favor of submission_",
                 text_of(student, "id"), text_of(other, "submission"));
        unit_note(counts, "%s%s", text, text_of(counts, "submission"));
        if (!newer) return;
    }
    if (old != unit) json_object_set(labs, lab, unit);
}
static json_t *unit_of(struct import *i, const struct class_file *f) {
    json_t *students = students_of(i, f), *student, *unit = unit_in(i, students, f);
    size_t k;
    json_array_foreach(students, k, student) take_unit(i, student, f->lab, unit);
    json_decref(students);
    return unit;
}
/* Returns whether the names of the file and of the attempt's current file are equally likely to be the submission's. */
static bool are_equals(const json_t *attempt, const struct class_file *f) {
    return json_integer_value(json_object_get(attempt, "rank")) == (json_int_t)f->rank;
}
/* Returns when a file was submitted, {"handed_in", "time_of", "late"}. Omits the time for labs without a deadline, and
 * for Canvas, which reports only whether a submission is late. */
static json_t *time_of_file(const struct import *i, const char *path, const struct class_file *f) {
    char name[NAME_MAX + 20], place[PATH_MAX];
    const struct course_lab *lab = course_find(i->course, f->lab);
    const bool canvas = !strncmp(shape_name(i->shape), "canvas", 6);
    snprintf(name, sizeof name, "submission_%s", f->student);
    time_t at = f->handed_in ? f->handed_in
                             : (time_t)json_integer_value(json_object_get(json_object_get(i->people, "times"), name));
    if (!at) at = time_of_zone(text_of(roster_student(i->roster, f->student, false), "modified"));
    listing_origin(&i->listing, path, place);
    json_t *time = lab && lab->deadline[0] && !canvas ? file_time(at, place, i->options->trusted) : json_object();
    if (f->late) json_object_set_new(time, "late", json_true());
    return time;
}
/* Returns whether file k of the listing has the same bytes as the attempt's current file. */
static bool same_bytes(const struct import *i, const json_t *attempt, size_t k) {
    char place[2][PATH_MAX], *data[2];
    size_t length[2] = {0};
    listing_place(&i->listing, i->listing.path[k], place[0]);
    listing_place(&i->listing, i->listing.path[json_integer_value(json_object_get(attempt, "from_at"))], place[1]);
    for (unsigned n = 0; n < 2; n++) data[n] = file_read(place[n], FILE_NO_LINK | FILE_CUT, MAX_SOURCE, &length[n]);
    const bool same = data[0] && data[1] && length[0] == length[1] && !memcmp(data[0], data[1], length[0]);
    free(data[0]), free(data[1]);
    return same;
}
/* Returns whether file k of the listing is the lab's skeleton as it was handed out. */
static bool is_skeleton(const struct import *i, const char *lab, size_t k) {
    char path[PATH_MAX], why[WHY];
    size_t length;
    const struct course_lab *l = course_find(i->course, lab);
    listing_place(&i->listing, i->listing.path[k], path);
    char *skeleton = l ? skeleton_text(i->place, "labs", &l->lab) : NULL,
         *text = skeleton ? submitted_text(path, MAX_SOURCE, &length, why, WHY) : NULL;
    const bool same = text && skeleton_unchanged(skeleton, text);
    free(skeleton), free(text);
    return same;
}
enum choice { CHOICE_OLD, CHOICE_NEW, CHOICE_UNCLEAR };
/* Chooses between the attempt's current file and file k, and adds a note. Any file takes precedence over an unchanged
 * skeleton, wherever the skeleton is, because a copy of the handout contains unchanged skeletons. */
static enum choice choose(const struct import *i, json_t *unit, const json_t *attempt, size_t k,
                          const struct class_file *f) {
    const char *path = i->listing.path[k], *before = text_of(attempt, "from");
    const size_t at = (size_t)json_integer_value(json_object_get(attempt, "from_at"));
    const bool given = is_skeleton(i, f->lab, k), given_before = is_skeleton(i, f->lab, at),
               worse = json_integer_value(json_object_get(attempt, "rank")) < (json_int_t)f->rank;
    const enum choice choice = given != given_before                ? (given ? CHOICE_OLD : CHOICE_NEW)
                               : !are_equals(attempt, f)            ? (worse ? CHOICE_OLD : CHOICE_NEW)
                               : given || same_bytes(i, attempt, k) ? CHOICE_OLD
                                                                    : CHOICE_UNCLEAR;
    const bool stays = choice == CHOICE_OLD;
    unit_note(unit,
              choice == CHOICE_UNCLEAR ? "cannot tell which of %s and %s should be graded"
              : given != given_before  ? "%s is the unchanged skeleton and is ignored in favor of %s"
                                       : "%s is ignored in favor of %s",
              stays ? path : before, stays ? before : path);
    return choice;
}
/* Adds file k of the listing to its attempt, unless the attempt has a better file. Stores both the path, for display,
 * and k, because JSON cannot store a path that is not UTF-8. */
static void add_file(struct import *i, size_t k, const struct class_file *f) {
    json_t *unit = unit_of(i, f), *attempt = attempt_of(unit, f);
    const char *path = i->listing.path[k], *member = f->predictions ? "predictions" : "from",
               *before = text_of(attempt, member);
    const bool plain = i->listing.kind[k] == FTS_F;
    if (!plain) unit_note(unit, "%s is not a regular file%s", path, "");
    if (!plain && (*before || f->predictions)) return;
    if (*before && !f->predictions && !json_is_true(json_object_get(attempt, "refused"))) {
        const enum choice choice = choose(i, unit, attempt, k, f);
        if (choice == CHOICE_OLD) return;
        json_object_set_new(attempt, "several", json_boolean(choice == CHOICE_UNCLEAR));
    }
    if (f->predictions) {
        if (*before && json_integer_value(json_object_get(attempt, "predictions_rank")) < (json_int_t)f->rank) return;
        json_object_set_new(attempt, "predictions_rank", json_integer(f->rank));
    }
    json_object_set_new(attempt, member, text_json(path));
    json_object_set_new(attempt, f->predictions ? "predictions_at" : "from_at", json_integer((json_int_t)k));
    json_object_set_new(attempt, f->predictions ? "predictions_time" : "time", time_of_file(i, path, f));
    if (!plain) json_object_set_new(attempt, "refused", json_true());
    if (!plain || f->predictions) return;
    json_object_del(attempt, "refused");
    json_object_set_new(attempt, "numbered", json_boolean(f->numbered));
    json_object_set_new(attempt, "rank", json_integer(f->rank));
}
/* Selects which attempts of each unit are graded. Refuses units in which multiple files are equally likely to be the
 * submission. */
static void settle(struct import *i) {
    const char *name;
    json_t *unit, *units = json_object();
    json_object_foreach(i->units, name, unit) {
        const struct course_lab *lab = course_find(i->course, strrchr(name, '/') + 1);
        attempts_settle(unit, strrchr(name, '/') + 1, lab && lab->attempts == ATTEMPTS_BEST, units);
    }
    json_decref(i->units);
    i->units = units;
    json_object_foreach(units, name, unit) {
        const char *from = text_of(unit, "from");
        submission_time(unit);
        if (json_is_true(json_object_get(unit, "several")))
            json_object_set_new(unit, "refused", json_true());
        else if (json_integer_value(json_object_get(unit, "rank")) > RANK_DEEP)
            json_object_set_new(unit, "named", text_json(from));
    }
}
/* Records file `at` of the listing, which is not part of a submission. It is reported if it could not be read, or if
 * the student has no file to grade. */
static void add_other(struct import *i, size_t at, const struct class_file *f) {
    json_t *students = students_of(i, f), *student, *others;
    const char *path = i->listing.path[at], *reason = text_of(i->listing.reasons, path),
               *member = *reason ? "unread" : "others";
    char text[PATH_MAX + 300];
    size_t k;
    const size_t n = strlen(path);
    const bool source = n > 3 && !strcmp(path + n - 3, ".cu");
    snprintf(text, sizeof text, "%s %s", path,
             *reason                                 ? reason
             : i->listing.kind[at] == LISTING_HIDDEN ? "is hidden, because its name begins with a dot"
             : i->listing.kind[at] != FTS_F          ? "is not a regular file"
             : source                                ? "is not the lab's file"
                                                     : "is not a .cu file");
    json_array_foreach(students, k, student) {
        if (!(others = json_object_get(student, member))) json_object_set_new(student, member, others = json_array());
        if (json_array_size(others) < MAX_OTHERS) json_array_append_new(others, text_json(text));
    }
    json_decref(students);
}
/* Records a file of another lab in its student's folder, which may contain all labs. It is reported if the student has
 * no file of the requested lab. */
static void add_other_lab(struct import *i, const char *path, const struct class_file *f) {
    json_t *students = students_of(i, f), *student;
    size_t k;
    json_array_foreach(students, k, student) if (!json_object_get(student, "other_labs"))
        json_object_set_new(student, "other_labs", json_pack("{s:o}", i->options->lab, text_json(path)));
    json_decref(students);
    i->other_labs++;
}
/* Adds notes about files that name no lab to the student's unit of `lab`. The notes name the files that could not be
 * read. If the student has no such unit, creates one without a file to grade, with notes about all these files. */
static void tell_others_of(struct import *i, json_t *student, const char *lab) {
    json_t *labs = json_object_get(student, "labs"), *unit = json_object_get(labs, lab),
           *others = json_object_get(student, "others"), *unread = json_object_get(student, "unread");
    char name[FOLDER_SIZE + 20];
    if (!others && !unread) return;
    if (!unit) {
        unit = json_pack("{s:O, s:[], s:b}", "folder", json_object_get(student, "folder"), "notes", "refused", 1);
        snprintf(name, sizeof name, "%s/%s", text_of(student, "folder"), lab);
        json_object_set_new(i->units, name, unit);
        json_object_set(labs, lab, unit);
        json_array_extend(json_object_get(unit, "notes"), others);
        json_object_set_new(i->labs, lab, json_true());
    }
    if (!json_object_get(unit, "told")) json_array_extend(json_object_get(unit, "notes"), unread); /* once per group */
    json_object_set_new(unit, "told", json_true());
}
/* Adds notes about the files that name no lab, to each student's unit of the requested lab. If no lab was requested,
 * adds them to all labs of the student or, if there are none, to all labs of the import. */
static void tell_others(struct import *i) {
    const char *key, *lab, *wanted = i->options->lab;
    json_t *student, *value, *labs = json_deep_copy(i->labs);
    void *next;
    if (wanted) json_object_set_new(labs, wanted, json_true());
    json_object_foreach(json_object_get(i->roster, "students"), key, student) {
        const bool none = !json_object_size(json_object_get(student, "labs"));
        json_object_foreach_safe(labs, next, lab,
                                 value) if (wanted || none || json_object_get(json_object_get(student, "labs"), lab))
            tell_others_of(i, student, lab);
        json_object_del(student, "others"), json_object_del(student, "unread");
    }
    json_decref(labs);
}
/* Adds all students whom Gradescope's list names, including those without files. A submission whose folder is missing
 * or empty is noted for its students. */
static void add_people(struct import *i) {
    const char *name;
    char place[PATH_MAX], text[NAME_MAX + 100];
    json_t *people, *person, *student;
    size_t k;
    json_object_foreach(i->people, name, people) json_array_foreach(people, k, person) {
        if (!*person_key(person)) continue;
        json_object_update(student = roster_student(i->roster, person_key(person), true), person);
        if (json_object_size(json_object_get(student, "labs")) || json_object_get(student, "others") ||
            json_object_get(student, "unread"))
            continue;
        listing_place(&i->listing, name, place);
        snprintf(text, sizeof text, "%.*s/ is %s", NAME_MAX, name,
                 access(place, F_OK) ? "named in " LIST_OF_GRADESCOPE ", but missing from the export" : "empty");
        json_object_set_new(student, "others", json_pack("[o]", text_json(text)));
    }
}
/* Adds the student of a top-level folder, which may be empty. */
static void add_folder(struct import *i, const char *folder) {
    struct class_file f;
    char path[NAME_MAX + 2];
    snprintf(f.student, sizeof f.student, "%s", folder);
    snprintf(path, sizeof path, "%s/", folder);
    shape_student(i->shape, i->prefix, f.student);
    if (shape_folders_are_students(i->shape))
        roster_student(i->roster, f.student, true);
    else if (shape_file(i->shape, path, i->prefix, "", &f))
        json_decref(students_of(i, &f));
}
static void add_all(struct import *i) {
    const struct listing *l = &i->listing;
    const char *wanted = i->options->lab ? i->options->lab : "";
    struct class_file f;
    for (size_t k = 0; k < l->count; k++) {
        if (l->kind[k] == FTS_D) add_folder(i, l->path[k]);
        if (l->kind[k] == FTS_D || l->kind[k] == LISTING_UNPACKED) continue;
        if (!shape_file(i->shape, l->path[k], i->prefix, wanted, &f)) {
            if (listing_likely(l->path[k]) || l->kind[k] != FTS_F) loose_add(l->loose, LOOSE_STUDENT, l->path[k]);
        } else if (f.rank == RANK_OTHER || l->kind[k] == LISTING_HIDDEN)
            add_other(i, k, &f);
        else if (!course_find(i->course, f.lab)) {
            loose_add(l->loose, LOOSE_LAB, l->path[k]);
            add_other(i, k, &f);
        } else if (!*wanted || !strcmp(wanted, f.lab)) {
            json_object_set_new(i->labs, f.lab, json_true());
            add_file(i, k, &f);
        } else if (shape_folders_are_students(i->shape))
            add_other_lab(i, l->path[k], &f);
        else /* the export contains a single assignment, so the file was submitted to that assignment */
            add_other(i, k, &f);
    }
    add_people(i);
}

/* ---- copies ---------------------------------------------------------------------------------- */
static void forget_unit(const char *out, const char *unit) {
    static const char *const kinds[] = {"records", "faults"};
    char path[PATH_MAX];
    for (unsigned k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s/%s.json", out, kinds[k], unit);
        unlink(path);
    }
}
/* Copies file `from` of the listing to the unit. Removes the copy if `from` is NULL, or if the file is not a text;
 * `why` is then the reason. Returns false if the class's folder cannot be written. */
static bool bring(const struct import *i, const char *unit, const json_t *from, const char *to, size_t most,
                  char why[WHY]) {
    char source[PATH_MAX], target[PATH_MAX];
    size_t length = 0, old = 0;
    *why = 0;
    if (from) listing_place(&i->listing, i->listing.path[json_integer_value(from)], source);
    snprintf(target, sizeof target, "%s/submissions/%s/%s", i->options->out, unit, to);
    char *data = from ? submitted_text(source, most, &length, why, WHY) : NULL,
         *now = file_read(target, FILE_NO_LINK | FILE_CUT, most, &old);
    bool ok = data ? now && old == length && !memcmp(data, now, length) : !now;
    if (!ok) {
        forget_unit(i->options->out, unit);
        ok = data ? file_replace(target, data, length, 0600) : !unlink(target);
    }
    free(data);
    free(now);
    return ok;
}
static int copy_units(struct import *i) {
    const char *name;
    json_t *unit;
    json_object_foreach(i->units, name, unit) {
        const bool refused = json_is_true(json_object_get(unit, "refused")) || !*text_of(unit, "from");
        const json_t *from = refused ? NULL : json_object_get(unit, "from_at"),
                     *predictions = refused ? NULL : json_object_get(unit, "predictions_at");
        char why[WHY], second[WHY];
        if (!bring(i, name, predictions, "predictions.txt", 1 << 16, second) ||
            !bring(i, name, from, "reduce.cu", MAX_SOURCE, why))
            return status_saying(EXIT_SETUP, "class", "%s: %s", i->options->out, strerror(errno));
        if (*why) {
            json_object_set_new(unit, "refused", json_true());
            unit_note(unit, "%s %s", text_of(unit, "from"), why);
        } else if (*second && strcmp(second, "is empty") != 0)
            unit_note(unit, "%s %s", text_of(unit, "predictions"), second);
    }
    return 0;
}

/* ---- the roster ------------------------------------------------------------------------------ */
/* Counts the student's submissions of the previous import that this one lacks, for the labs of this import. */
static void count_gone(struct import *i, const char *key, const json_t *student) {
    const json_t *now = json_object_get(json_object_get(i->roster, "students"), key);
    const char *lab;
    json_t *entry;
    json_object_foreach(json_object_get(student, "labs"), lab, entry) {
        if (!json_object_get(i->labs, lab) || json_object_get(json_object_get(now, "labs"), lab)) continue;
        if (!i->gone++) snprintf(i->first_gone, sizeof i->first_gone, "%s", text_of(student, "id"));
    }
}
/* Keeps the results of earlier imports, except for the labs of this import. */
static void carry_over(struct import *i) {
    const char *key, *lab;
    json_t *student, *entry, *now;
    json_object_foreach(json_object_get(i->old, "students"), key, student) {
        bool some = json_is_true(json_object_get(student, "listed"));
        count_gone(i, key, student);
        json_object_foreach(json_object_get(student, "labs"), lab, entry) some |= !json_object_get(i->labs, lab);
        now = json_object_get(json_object_get(i->roster, "students"), key);
        if (!some && !now) continue;
        if (!now) {
            json_object_set(json_object_get(i->roster, "students"), key, now = json_copy(student));
            json_decref(now);
            json_object_set_new(now, "labs", json_object());
        }
        json_object_foreach(json_object_get(student, "labs"), lab, entry) if (!json_object_get(i->labs, lab))
            json_object_set(json_object_get(now, "labs"), lab, entry);
        if (json_is_true(json_object_get(student, "listed")) && *text_of(student, "name") &&
            !json_object_get(now, "listed"))
            json_object_set(now, "name", json_object_get(student, "name")); /* name in the list of an earlier import */
        json_t *others = json_object_get(student, "other_labs");
        if (i->options->lab) json_object_del(others, i->options->lab);
        json_object_update_missing(json_object_get(now, "other_labs"), others);
        json_object_update_missing(now, student);
    }
    json_object_update_missing(json_object_get(i->roster, "aliases"), json_object_get(i->old, "aliases"));
}
/* Stores the list of loose files. An import of one lab replaces the list that earlier imports of that lab left. An
 * import without a lab replaces all lists. */
static void keep_loose(struct import *i) {
    const char *lab = i->options->lab;
    json_t *old = json_object_get(i->old, "loose"), *all = lab && old ? json_incref(old) : json_object();
    json_object_set(all, lab ? lab : "", i->listing.loose);
    json_object_set_new(i->roster, "loose", all);
}
static void tidy_units(json_t *units) {
    static const char *const own[] = {"version",   "rank",     "several",          "from_at", "predictions_at",
                                      "told",      "numbered", "predictions_rank", "time",    "predictions_time",
                                      "submission"};
    const char *name;
    json_t *unit;
    json_object_foreach(units, name, unit) {
        for (unsigned k = 0; k < sizeof own / sizeof *own; k++) json_object_del(unit, own[k]);
        if (!*text_of(unit, "from")) json_object_set_new(unit, "refused", json_true());
    }
}
static void unit_line(const struct import *i, FILE *f, const json_t *unit, const char *lab, json_t *seen) {
    char name[FOLDER_SIZE + 20];
    snprintf(name, sizeof name, "%s/%s", text_of(unit, "folder"), lab);
    const bool wanted = !i->options->lab || !strcmp(lab, i->options->lab);
    if (!wanted || json_object_get(seen, name) || json_is_true(json_object_get(unit, "refused"))) return;
    json_object_set_new(seen, name, json_true());
    if (f) fprintf(f, "%s\n", name);
}
/* Returns the units to grade, of the requested lab or of all labs, one per line. */
static char *unit_lines(const struct import *i, size_t *length) {
    char *text = NULL;
    const char *key, *lab;
    size_t k;
    json_t *student, *unit, *attempt, *seen = json_object();
    FILE *f = open_memstream(&text, length);
    json_object_foreach(json_object_get(i->roster, "students"), key, student)
        json_object_foreach(json_object_get(student, "labs"), lab, unit) {
        unit_line(i, f, unit, lab, seen);
        json_array_foreach(json_object_get(unit, "attempts"), k, attempt) unit_line(i, f, attempt, lab, seen);
    }
    if (f) fclose(f);
    json_decref(seen);
    return text;
}
static int write_out(struct import *i) {
    char path[PATH_MAX];
    size_t length = 0;
    char *lines = unit_lines(i, &length);
    snprintf(path, sizeof path, "%s/units", i->options->out);
    const bool ok =
        lines && settings_save(i->options->out, "roster.json", i->roster) && file_replace(path, lines, length, 0600);
    free(lines);
    return ok ? 0 : status_saying(EXIT_SETUP, "class", "cannot write %s: %s", i->options->out, strerror(errno));
}

/* ---- the whole import ------------------------------------------------------------------------------- */
/* Returns whether several candidates are equally likely to be a student's submission. */
static bool is_unclear(const struct import *i) {
    const char *name;
    json_t *unit;
    json_object_foreach(i->units, name, unit) if (json_is_true(json_object_get(unit, "several"))) return true;
    return false;
}
static int find_people(struct import *i) {
    char path[PATH_MAX], message[PATH_MAX + 200];
    listing_place(&i->listing, LIST_OF_GRADESCOPE, path);
    i->people = gradescope_people(path, message, sizeof message);
    return i->people ? 0 : status_saying(EXIT_SETUP, "class", "%s", message);
}
static int run_listing(struct import *i) {
    const struct class_options *o = i->options;
    const struct listing *l = &i->listing;
    char message[PATH_MAX + 200];
    layout_prefix(l, i->prefix);
    if (!(i->shape = shape_choose(o->shape, i->prefix, (const char *const *)l->path, l->count)))
        return status_saying(
            EXIT_USAGE, "class",
            o->shape ? "SHAPE=%s: there is no such layout; the layouts are %s"
                     : "%s contains no submission in a known layout: expected STUDENT/lab3.cu or an export (%s)",
            o->shape ? o->shape : o->from, CLASS_SHAPES);
    int status = l->metadata && !strcmp(shape_name(i->shape), "gradescope") ? find_people(i) : 0;
    if (status) return status;
    if (o->roster && (!roster_add_csv(i->roster, o->roster, message, sizeof message) ||
                      !worksheet_keep(o->roster, o->out, o->lab ? o->lab : "", message, sizeof message)))
        return status_saying(EXIT_USAGE, "class", "%s", message);
    if (!*i->prefix) shape_assignment(i->shape, (const char *const *)l->path, l->count, i->prefix);
    if ((status = layout_check(l, i->shape, o, i->course))) return status;
    add_all(i);
    tell_others(i);
    const char *of_no_lab = loose_first(l->loose, LOOSE_LAB);
    if (!json_object_size(i->units) && of_no_lab && !o->lab)
        return status_saying(EXIT_USAGE, "class", "%s: %s does not name its lab: add LAB=lab3", o->from, of_no_lab);
    if (!json_object_size(i->units))
        return status_saying(EXIT_USAGE, "class", "%s contains no submissions%s%s in the %s layout", o->from,
                             o->lab ? " of " : "", o->lab ? o->lab : "", shape_name(i->shape));
    settle(i);
    if (is_unclear(i) && (status = layout_check_depth(l, i->shape, o->from))) return status;
    if ((status = copy_units(i))) return status;
    tidy_units(i->units);
    carry_over(i);
    keep_loose(i);
    if ((status = write_out(i)) || (status = settings_write(o))) return status;
    /* The folder is private, because it contains the records and the seed. */
    if (chmod(o->out, 0700)) return status_saying(EXIT_SETUP, "class", "%s: %s", o->out, strerror(errno));
    const size_t units = json_object_size(i->units),
                 students = json_object_size(json_object_get(i->roster, "students"));
    printf("%s: %zu submission%s of %zu student%s (%s)\n", o->from, units, units == 1 ? "" : "s", students,
           students == 1 ? "" : "s", shape_name(i->shape));
    if (i->other_labs) printf("%u file%s of other labs\n", i->other_labs, i->other_labs == 1 ? "" : "s");
    if (i->gone)
        printf("%u submission%s of the previous import %s not in this one, such as that of %s, and the gradebook omits "
               "%s\n",
               i->gone, i->gone == 1 ? "" : "s", i->gone == 1 ? "is" : "are", i->first_gone,
               i->gone == 1 ? "it" : "them");
    loose_tell(l->loose);
    commit_tell(stdout);
    return 0;
}
int class_import(const struct class_options *o, const struct class_place *place) {
    char path[PATH_MAX], message[600];
    static const char *const empty = "{s:s, s:{}, s:{}}";
    struct course *course = calloc(1, sizeof *course);
    snprintf(path, sizeof path, "%s/labs/course.conf", place->root);
    if (!course || !course_read(path, course, message, sizeof message))
        return free(course),
               status_saying(course ? EXIT_USAGE : EXIT_SETUP, "class", "%s", course ? message : "out of memory");
    if (o->lab && !course_find(course, o->lab))
        return free(course),
               status_saying(EXIT_USAGE, "class", "no lab `%s` in the course; ./grade --list prints the labs", o->lab);
    snprintf(path, sizeof path, "%s/roster.json", o->out);
    struct import i = {.options = o,
                       .place = place,
                       .course = course,
                       .roster = json_pack(empty, "schema", "reduction-labs/roster/1", "students", "aliases"),
                       .old = json_load_file(path, 0, NULL),
                       .units = json_object(),
                       .labs = json_object()};
    future_mend(o->out);
    int status = settings_check(o);
    if (!status && !course_deadlines_exist(course, message, sizeof message))
        status = status_saying(EXIT_USAGE, "class", "%s", message);
    if (!status) status = listing_read(&i.listing, o);
    if (!status) status = run_listing(&i);
    json_t *const values[] = {i.roster, i.old, i.units, i.labs, i.people};
    for (unsigned k = 0; k < sizeof values / sizeof *values; k++) json_decref(values[k]);
    listing_free(&i.listing);
    free(course);
    return status;
}
