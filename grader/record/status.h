/* The status of a check, a grade and a timing in a result record (docs/result.schema.json), and the command's exit
 * status. The program uses enums, and JSON has words. */
#ifndef RECORD_STATUS_H
#define RECORD_STATUS_H

#include <jansson.h>

/* Exit status of every command. */
enum exit_status { EXIT_FULL = 0, EXIT_PARTIAL = 1, EXIT_USAGE = 2, EXIT_SETUP = 3, EXIT_BUILD = 4 };

/* "status" of a test. */
enum check_status {
    STATUS_NONE, /* no status, or a word that is not in the schema */
    STATUS_PASS,
    STATUS_FAIL,    /* the submission's fault */
    STATUS_ERROR,   /* the check did not finish, which is also the submission's fault */
    STATUS_BLOCKED, /* another check has to pass first */
    STATUS_SKIPPED, /* not selected */
    STATUS_SETUP,   /* a fault of the setup */
    STATUSES
};
const char *check_status_word(enum check_status s); /* "" for STATUS_NONE */
enum check_status check_status_of(const json_t *test);
void check_status_set(json_t *test, enum check_status s);

/* "visibility" of a test, in Gradescope's terms: when a server or the course's feedback shows the test to students.
 * A test without it is visible. */
enum visibility { VISIBLE, VISIBLE_AFTER_DUE_DATE, VISIBLE_AFTER_PUBLISHED, HIDDEN, VISIBILITIES };
const char *visibility_word(enum visibility v);
enum visibility visibility_of(const json_t *test);    /* VISIBLE for a word that is not in the schema */
enum visibility visibility_of_word(const char *word); /* VISIBILITIES if there is no such word */

/* "end" of a grade. */
enum grade_end {
    END_NONE, /* like STATUS_NONE */
    END_FULL,
    END_PARTIAL,
    END_BUILD, /* the submission does not build */
    END_SETUP,
    ENDS
};
const char *grade_end_word(enum grade_end e);
enum grade_end grade_end_of(const json_t *record);
void grade_end_set(json_t *record, enum grade_end e);
/* The exit status of the command that graded this record; EXIT_SETUP for END_NONE. */
enum exit_status exit_status_of(enum grade_end e);

/* "end" of a run of one kernel (docs/run.schema.json). */
enum run_end {
    RUN_END_CLEAN,
    RUN_END_FINDINGS,
    RUN_END_FAULT, /* the launch did not finish; also the value of a word that is not in the schema */
    RUN_ENDS
};
const char *run_end_word(enum run_end e);
enum run_end run_end_of(const json_t *record);

/* "end" of a test's `timed`. */
enum timing_end {
    TIMING_NONE,    /* no time was measured, but not because of the submission; message says why, or is empty */
    TIMING_QUIET,   /* the confidence interval is narrow: the ratio is reliable */
    TIMING_NOISY,   /* the interval stays wide */
    TIMING_REFUSED, /* the submission's fault: a wrong result when timed, no termination, or a time that memory does not
                       allow; see message */
    TIMING_ENDS
};
const char *timing_end_word(enum timing_end e);
enum timing_end timing_end_of(const json_t *timed); /* TIMING_NONE if missing */

/* Prints one line to standard error after "grade: " and exits. */
_Noreturn void exit_saying(enum exit_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints one line to standard error after "grade COMMAND: ", or "grade: " (NULL), and returns the status. */
int status_saying(int status, const char *command, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
