/* Handles multiple attempts by a student at a lab. Canvas numbers them in the file names, and Blackboard dates them. */
#include "class/class.h"
#include <stdlib.h>
#include <string.h>

/* Precedes the attempt's number in a folder's name. It cannot occur in an encoded name, in which _ is followed by
 * two hexadecimal digits or h. */
#define ATTEMPT "_v"

void unit_note(json_t *unit, const char *format, const char *a, const char *b) {
    char text[2 * NAME_MAX + 100];
    json_t *notes = json_object_get(unit, "notes");
    snprintf(text, sizeof text, format, a, b);
    json_t *note = text_json(text), *other;
    size_t k;
    bool known = false;
    json_array_foreach(notes, k, other) known |= json_equal(note, other);
    if (!known) json_array_append(notes, note);
    json_decref(note);
}
json_t *attempt_of(json_t *unit, const struct class_file *f) {
    char key[32];
    json_t *all = json_object_get(unit, "attempts");
    if (!all) json_object_set_new(unit, "attempts", all = json_object());
    snprintf(key, sizeof key, "%lu", f->version);
    json_t *attempt = json_object_get(all, key);
    if (!attempt) json_object_set_new(all, key, attempt = json_pack("{s:I}", "version", (json_int_t)f->version));
    return attempt;
}
void attempt_student(char *folder) {
    char *mark = strstr(folder, ATTEMPT);
    if (mark) *mark = 0;
}

static json_int_t version_of(const json_t *attempt) { return json_integer_value(json_object_get(attempt, "version")); }
static int by_version(const void *a, const void *b) {
    const json_int_t x = version_of(*(json_t *const *)a), y = version_of(*(json_t *const *)b);
    return (x > y) - (x < y);
}
/* Returns the attempts in order, in an array that owns them. */
static json_t *in_order(json_t *attempts) {
    json_t **all = calloc(json_object_size(attempts) + 1, sizeof *all), *out = json_array(), *attempt;
    const char *key;
    size_t n = 0;
    json_object_foreach(attempts, key, attempt) if (all) all[n++] = attempt;
    if (all) qsort(all, n, sizeof *all, by_version);
    for (size_t k = 0; k < n; k++) json_array_append(out, all[k]);
    free(all);
    return out;
}
/* Returns whether neither the name of the attempt's file nor its path identifies it as an attempt: the name is not the
 * requested one, and the path has no attempt number. */
static bool is_loose(const json_t *attempt) {
    return json_integer_value(json_object_get(attempt, "rank")) > RANK_DEEP &&
           !json_is_true(json_object_get(attempt, "numbered"));
}
/* Removes attempts that have no file to grade, and loose attempts unless all are loose. */
static void take_out(json_t *unit, json_t *attempts) {
    const char *named = NULL;
    size_t k;
    json_t *a;
    json_array_foreach(attempts, k, a) if (*text_of(a, "from") && !is_loose(a)) named = text_of(a, "from");
    for (k = json_array_size(attempts); k--;) {
        a = json_array_get(attempts, k);
        const bool out = named && is_loose(a) && *text_of(a, "from");
        if (out) unit_note(unit, "%s is ignored in favor of %s", text_of(a, "from"), named);
        if (out || !*text_of(a, "from")) json_array_remove(attempts, k);
    }
}
static void copy_members(json_t *to, const json_t *from, const char *const members[]) {
    for (; *members; members++)
        if (json_object_get(from, *members)) json_object_set(to, *members, json_object_get(from, *members));
}
/* Completes attempts that lack one of the two files, because students may resubmit only one. Takes the file from the
 * newest earlier attempt that has it. Takes a loose source file only if no earlier attempt has one that is not loose.
 */
static void complete(json_t *attempts) {
    static const char *const of_source[] = {"from", "from_at", "rank", "several", "refused", "numbered", "time", NULL},
                             *const of_predictions[] = {"predictions", "predictions_at", "predictions_time", NULL};
    const json_t *source = NULL, *predictions = NULL;
    size_t k;
    json_t *a;
    json_array_foreach(attempts, k, a) {
        if (json_object_get(a, "predictions_at"))
            predictions = a;
        else if (predictions)
            copy_members(a, predictions, of_predictions);
        if (!*text_of(a, "from"))
            copy_members(a, source, of_source);
        else if (!source || !is_loose(a) || is_loose(source))
            source = a;
    }
}
static void put(json_t *units, json_t *unit, const char *lab) {
    char name[FOLDER_SIZE + 20];
    snprintf(name, sizeof name, "%s/%s", text_of(unit, "folder"), lab);
    json_object_set(units, name, unit);
}
/* Names the attempt's folder. An attempt without a number, such as Canvas's first one, uses the student's own folder,
 * so that the attempt's record stays valid when other attempts follow. */
static void name_folder(json_t *attempt, const char *folder) {
    char name[FOLDER_SIZE + 32];
    snprintf(name, sizeof name, "%s" ATTEMPT "%lld", folder, (long long)version_of(attempt));
    json_object_set_new(attempt, "folder", version_of(attempt) ? json_string(name) : json_string(folder));
}
void attempts_settle(json_t *unit, const char *lab, bool all, json_t *units) {
    json_t *every = in_order(json_object_get(unit, "attempts")), *graded = json_copy(every), *others = json_array(), *a;
    const char *folder = text_of(unit, "folder");
    size_t k;
    json_object_del(unit, "attempts");
    complete(every);
    take_out(unit, graded);
    const size_t count = json_array_size(graded);
    const char *newest = text_of(json_array_get(graded, count - 1), "from");
    json_array_foreach(graded, k, a) {
        if (all) name_folder(a, folder);
        if (k + 1 == count) {
            if (all && count > 1) json_object_set_new(unit, "attempts", json_incref(others));
            json_object_update(unit, a);
        } else if (all) {
            json_object_set_new(a, "notes", json_array());
            json_array_append(others, a);
            put(units, a, lab);
        } else if (strcmp(text_of(a, "from"), newest) != 0)
            unit_note(unit, "%s is ignored in favor of %s", text_of(a, "from"), newest);
    }
    put(units, unit, lab);
    json_decref(every), json_decref(graded), json_decref(others);
}
