/* Statuses of checks, grades, runs and timings in result records (docs/result.schema.json, docs/run.schema.json), the
 * visibility of checks, and the exit statuses of the command. The program uses enums; the record uses words. */
#ifndef RECORD_STATUS_H
#define RECORD_STATUS_H

#include <jansson.h>

/* Exit statuses that commands share. */
enum exit_status { EXIT_FULL = 0, EXIT_PARTIAL = 1, EXIT_USAGE = 2, EXIT_SETUP = 3, EXIT_BUILD = 4 };

/* "status" of a test. */
enum check_status {
    STATUS_NONE, /* no status, or a word that is not in the schema */
    STATUS_PASS,
    STATUS_FAIL,    /* the submission's fault */
    STATUS_ERROR,   /* the check did not finish; like STATUS_FAIL, this is the submission's fault */
    STATUS_BLOCKED, /* not run, because a prerequisite has no points */
    STATUS_SKIPPED, /* the check was not selected */
    STATUS_SETUP,   /* the check failed because of the setup */
    STATUSES
};
enum check_status check_status_of(const json_t *test);
void check_status_set(json_t *test, enum check_status s);

/* "visibility" of a test, in Gradescope's terms: when a server or the course's feedback shows the test to students. The
 * default is VISIBLE. */
enum visibility { VISIBLE, VISIBLE_AFTER_DUE_DATE, VISIBLE_AFTER_PUBLISHED, HIDDEN, VISIBILITIES };
const char *visibility_word(enum visibility v);
enum visibility visibility_of(const json_t *test);    /* VISIBLE for a word that is not in the schema */
enum visibility visibility_of_word(const char *word); /* VISIBILITIES if there is no such word */

/* "end" of a grade. */
enum grade_end {
    END_NONE, /* no end, or a word that is not in the schema */
    END_FULL,
    END_PARTIAL,
    END_BUILD, /* the submission does not build */
    END_SETUP,
    ENDS
};
const char *grade_end_word(enum grade_end e);
enum grade_end grade_end_of(const json_t *record);
void grade_end_set(json_t *record, enum grade_end e);
/* Returns the exit status for a grade that ends in this way; EXIT_SETUP for END_NONE. */
enum exit_status exit_status_of(enum grade_end e);

/* "end" of a run of one kernel (docs/run.schema.json). */
enum run_end {
    RUN_END_CLEAN,
    RUN_END_FINDINGS,
    RUN_END_FAULT, /* the launch did not finish; also used for a word that is not in the schema */
    RUN_ENDS
};
const char *run_end_word(enum run_end e);
enum run_end run_end_of(const json_t *record);

/* "end" of a test's `timed`. */
enum timing_end {
    TIMING_NONE,    /* no time was measured, for a reason other than the submission; `message` gives the reason, or is
                       empty */
    TIMING_QUIET,   /* the confidence interval is narrow: the ratio is reliable */
    TIMING_NOISY,   /* the confidence interval remains wide */
    TIMING_REFUSED, /* timing was rejected because of the submission: a wrong result when timed, no termination, or a
                       time shorter than memory allows; see `message` */
    TIMING_ENDS
};
const char *timing_end_word(enum timing_end e);
enum timing_end timing_end_of(const json_t *timed); /* TIMING_NONE if missing */

/* Prints "grade: " and a message as one line to standard error, and exits. */
_Noreturn void exit_saying(enum exit_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "grade COMMAND: ", or "grade: " if `command` is NULL, and a message as one line to standard error. Returns
 * `status`. */
int status_saying(int status, const char *command, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
