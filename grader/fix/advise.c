/* Limits a fix to the level of hints. */
#include "fix/edits.h"
#include "fix/fix.h"
#include "compile/diagnostics.h"
#include "fix/proof.h"
#include <string.h>

/* The members that are removed from the record if the level of hints is lower than `from`. */
static const struct {
    const char *field;
    unsigned from;
} fields[] = {{"meaning", 1}, {"idea", 2}, {"cause", 2}, {"diff", 3}, {"at", 3}, {"second", 1}};

/* Reports an edit that corrects most of the wrong cases, but not all. The report names the edit's line, not a cause. */
static void advise_part(json_t *record, json_t *fix, const char *file, long long right, long long wrong) {
    char text[2000];
    snprintf(text, sizeof text,
             "%s (tried: editing %s:%lld alone corrects %lld of %lld wrong cases; no edit was found that corrects all "
             "of them)",
             fix_text(record, "advice"), file, (long long)json_integer_value(json_object_get(fix, "line")), right,
             wrong);
    json_object_set_new(record, "advice", json_string(text));
    json_object_del(fix, "meaning"), json_object_del(fix, "idea"), json_object_del(fix, "cause");
}
/* Returns the most severe error of the record that the fix leaves, or NULL if there is none. If `all`, also considers
 * those that the fix removes. */
static const json_t *gravest_left(const json_t *record, const json_t *fix, bool all) {
    size_t k, n, g;
    json_t *t, *f, *gone, *worst = NULL;
    json_array_foreach(json_object_get(record, "tests"), k, t)
        json_array_foreach(json_object_get(t, "findings"), n, f) {
        bool removed = false;
        if (strcmp(fix_text(f, "severity"), finding_severity_word(FINDING_ERROR)) != 0) continue;
        json_array_foreach(json_object_get(fix, "findings"), g, gone) removed |=
            json_equal(json_object_get(gone, "kind"), json_object_get(f, "kind")) &&
            json_equal(json_object_get(gone, "line"), json_object_get(json_object_get(f, "at"), "line"));
        if ((all || !removed) && (!worst || json_integer_value(json_object_get(f, "rank")) <
                                                json_integer_value(json_object_get(worst, "rank"))))
            worst = f;
    }
    return worst;
}
/* If the fix only orders threads or memory, it cannot hide another error. In that case, returns the most severe error
 * that it leaves, as "FILE:LINE: title", or NULL if there is none. For any other fix, returns NULL. */
static json_t *other_mistake(const json_t *record, const json_t *fix) {
    const json_t *left = gravest_left(record, fix, false), *at = json_object_get(left, "at");
    bool orders = false;
    for (unsigned c = 0; c < FIX_CAUSES; c++)
        orders |= cause_orders(c) && !strcmp(fix_causes[c].key, fix_text(fix, "cause"));
    return !orders || !left
               ? NULL
               : json_sprintf("%s:%d: %s", fix_text(at, "file"), (int)json_integer_value(json_object_get(at, "line")),
                              fix_text(left, "title"));
}
/* Reports an edit that removes the most severe finding but leaves more than a quarter of the wrong cases wrong. The
 * file then has several mistakes. */
static void advise_first(json_t *record, json_t *fix, const char *file) {
    char text[2000];
    const long long wrong = json_integer_value(json_object_get(fix, "wrong")),
                    left = json_integer_value(json_object_get(fix, "left")),
                    line = json_integer_value(json_object_get(fix, "line"));
    if (4 * (wrong - left) >= wrong)
        snprintf(text, sizeof text,
                 "%s:%lld: %s (tried: an edit here corrects %lld of %lld wrong cases; another mistake remains)", file,
                 line, fix_text(fix, "meaning"), wrong - left, wrong);
    else
        snprintf(text, sizeof text,
                 "%s:%lld: %s (tried: an edit here %s, but leaves %lld of %lld wrong cases wrong: the file has "
                 "another mistake)",
                 file, line, fix_text(fix, "meaning"),
                 gravest_left(record, fix, true) == gravest_left(record, fix, false)
                     ? "corrects results"
                     : "removes the most severe finding",
                 left, wrong);
    json_object_set_new(record, "advice", json_string(text));
    json_object_del(fix, "idea"), json_object_del(fix, "cause");
}
static const json_t *first_error(const json_t *record) {
    return diagnostics_first_error(json_object_get(json_object_get(record, "build"), "errors"));
}
/* Reports the first error of a file that does not compile and for which there is no fix. */
static void advise_error(json_t *record, const char *file) {
    const json_t *error = first_error(record);
    const char *note = fix_text(error, "note");
    if (grade_end_of(record) == END_BUILD && error)
        json_object_set_new(record, "advice",
                            json_sprintf("%s:%d: %s", file, (int)json_integer_value(json_object_get(error, "line")),
                                         *note ? note : fix_text(error, "message")));
}
/* Prints how the edit changes the verdict. */
static void put_tried(const json_t *fix, char *out, size_t size) {
    const long long wrong = json_integer_value(json_object_get(fix, "wrong")),
                    left = json_integer_value(json_object_get(fix, "left"));
    const json_t *second = json_object_get(fix, "second");
    if (second)
        snprintf(out, size, "edits here and on line %lld together correct %lld of %lld wrong cases",
                 json_integer_value(json_object_get(second, "line")), wrong - left, wrong);
    else if (json_is_true(json_object_get(fix, "builds")) && left)
        snprintf(out, size, "an edit corrects this error; %lld more error%s", left,
                 left == 1 ? " remains" : "s remain");
    else if (json_is_true(json_object_get(fix, "builds")))
        snprintf(out, size, "with an edit, the file compiles");
    else if (wrong)
        snprintf(out, size, "one edit at this line corrects %lld of %lld wrong case%s", wrong - left, wrong,
                 wrong == 1 ? "" : "s");
    else
        snprintf(out, size, "one edit at this line removes the warning");
}
/* Writes the meaning of the fix. If it says only that a value or an index is wrong, adds what happened to the elements
 * in the example of the failed test. */
static const char *meaning_of(const json_t *fix, const json_t *test, char *out, size_t size) {
    enum { MOST = 120 };
    const char *fate = fix_text(json_object_get(test, "example"), "fate"), *cause = fix_text(fix, "cause");
    const bool vague = !strcmp(cause, fix_causes[FIX_INDEX].key) || !strcmp(cause, fix_causes[FIX_VALUE].key),
               told = vague && *fate && strlen(fate) <= MOST && !strstr(fate, " has "); /* "launch 2 has in = 1,-2" */
    snprintf(out, size, "%s%s%s", fix_text(fix, "meaning"), told ? ": " : "", told ? fate : "");
    return out;
}
/* Findings that the fix removes stay in the report, below the advice, because they have the same cause. */
void fix_advise(json_t *record, unsigned hints) {
    json_t *fix = json_object_get(record, "fix"), *test = judge_first_failure(json_object_get(record, "tests"));
    const unsigned level = hints > FIX_MAX_HINTS ? FIX_MAX_HINTS : hints;
    const json_int_t wrong = json_integer_value(json_object_get(fix, "wrong")),
                     left = json_integer_value(json_object_get(fix, "left")), right = wrong - left;
    const char *file = fix_text(record, "submission");
    char text[2000], tried[160], meaning[1000];
    if (!*file) file = "reduce.cu";
    if (!fix) return advise_error(record, file);
    put_tried(fix, tried, sizeof tried);
    const bool build = json_object_get(fix, "builds");
    const char *fact = build ? fix_text(first_error(record), "message") : fix_text(test, "message");
    snprintf(text, sizeof text, "%s:%lld: %s%s%s (tried: %s)", file,
             (long long)json_integer_value(json_object_get(fix, "line")),
             level >= 1 ? meaning_of(fix, test, meaning, sizeof meaning) : fact, level >= 2 ? ". Idea: " : "",
             level >= 2 ? fix_text(fix, "idea") : "", tried);
    json_t *other = !build && left && left <= wrong / 4 ? other_mistake(record, fix) : NULL;
    if (other) json_object_set(fix, "remains", other);
    const char *remains = fix_text(fix, "remains"), *second = fix_text(json_object_get(fix, "second"), "meaning");
    if (*second && level >= 1)
        snprintf(text + strlen(text) - 1, sizeof text - strlen(text), "; line %lld: %s)",
                 (long long)json_integer_value(json_object_get(json_object_get(fix, "second"), "line")), second);
    if (*remains)
        snprintf(text + strlen(text) - 1, sizeof text - strlen(text), "; another mistake remains: %s)", remains);
    if (build)
        json_object_set_new(record, "advice", json_string(text));
    else if (other)
        json_object_set_new(record, "advice", json_string(text));
    else if (left && left <= wrong / 4)
        advise_part(record, fix, file, (long long)right, (long long)wrong);
    else if (left && level >= 1)
        advise_first(record, fix, file);
    else if (!left && (level >= 1 || test))
        json_object_set_new(record, "advice", json_string(text)); /* at level 0, the advice about a warning stays */
    json_decref(other);
    json_object_set_new(fix, "level", json_integer(level));
    for (unsigned k = 0; k < sizeof fields / sizeof *fields; k++)
        if (level < fields[k].from) json_object_del(fix, fields[k].field);
}
