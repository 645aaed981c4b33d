/* See status.h. The tables give the word of each enumerator. */
#include "record/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_words[STATUSES] = {
    [STATUS_NONE] = "",           [STATUS_PASS] = "pass",       [STATUS_FAIL] = "fail",  [STATUS_ERROR] = "error",
    [STATUS_BLOCKED] = "blocked", [STATUS_SKIPPED] = "skipped", [STATUS_SETUP] = "setup"};
static const struct {
    const char *word;
    enum exit_status exit;
} ends[ENDS] = {[END_NONE] = {"", EXIT_SETUP},
                [END_FULL] = {"full", EXIT_FULL},
                [END_PARTIAL] = {"partial", EXIT_PARTIAL},
                [END_BUILD] = {"build", EXIT_BUILD},
                [END_SETUP] = {"setup", EXIT_SETUP}};
static const char *const run_words[RUN_ENDS] = {
    [RUN_END_CLEAN] = "clean", [RUN_END_FINDINGS] = "findings", [RUN_END_FAULT] = "fault"};
static const char *const timing_words[TIMING_ENDS] = {
    [TIMING_NONE] = "none", [TIMING_QUIET] = "quiet", [TIMING_NOISY] = "noisy", [TIMING_REFUSED] = "refused"};

static const char *const visibility_words[VISIBILITIES] = {[VISIBLE] = "visible",
                                                           [VISIBLE_AFTER_DUE_DATE] = "after_due_date",
                                                           [VISIBLE_AFTER_PUBLISHED] = "after_published",
                                                           [HIDDEN] = "hidden"};

static const char *member(const json_t *object, const char *key) {
    const char *word = json_string_value(json_object_get(object, key));
    return word ? word : "";
}
enum check_status check_status_of(const json_t *test) {
    const char *word = member(test, "status");
    for (unsigned k = 0; k < STATUSES; k++)
        if (!strcmp(status_words[k], word)) return k;
    return STATUS_NONE;
}
void check_status_set(json_t *test, enum check_status s) {
    json_object_set_new(test, "status", json_string(status_words[s]));
}

const char *visibility_word(enum visibility v) { return visibility_words[v]; }
enum visibility visibility_of_word(const char *word) {
    unsigned k = 0;
    while (k < VISIBILITIES && strcmp(visibility_words[k], word)) k++;
    return k;
}
enum visibility visibility_of(const json_t *test) {
    const enum visibility v = visibility_of_word(member(test, "visibility"));
    return v < VISIBILITIES ? v : VISIBLE;
}

const char *grade_end_word(enum grade_end e) { return ends[e].word; }
enum grade_end grade_end_of(const json_t *record) {
    const char *word = member(record, "end");
    for (unsigned k = 0; k < ENDS; k++)
        if (!strcmp(ends[k].word, word)) return k;
    return END_NONE;
}
void grade_end_set(json_t *record, enum grade_end e) { json_object_set_new(record, "end", json_string(ends[e].word)); }
enum exit_status exit_status_of(enum grade_end e) { return ends[e].exit; }

const char *run_end_word(enum run_end e) { return run_words[e]; }
enum run_end run_end_of(const json_t *record) {
    const char *word = member(record, "end");
    for (unsigned k = 0; k < RUN_ENDS; k++)
        if (!strcmp(run_words[k], word)) return k;
    return RUN_END_FAULT;
}

const char *timing_end_word(enum timing_end e) { return timing_words[e]; }
enum timing_end timing_end_of(const json_t *timed) {
    const char *word = member(timed, "end");
    for (unsigned k = 0; k < TIMING_ENDS; k++)
        if (!strcmp(timing_words[k], word)) return k;
    return TIMING_NONE;
}
_Noreturn void exit_saying(enum exit_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("grade: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit((int)status);
}
int status_saying(int status, const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "grade%s%s: ", command ? " " : "", command ? command : "");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}
