/* Computes penalties for late submissions from the settings in course.conf. These functions only compute;
 * class/lateness.c applies the penalties to a class. */
#ifndef COURSE_DEADLINE_H
#define COURSE_DEADLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define DEADLINE_SKIPPED "clocks skip the deadline %s: choose an earlier or a later time"

enum { DEADLINE_HOUR = 3600, DEADLINE_DAY = 86400 };
struct deadline_rules {
    double penalty; /* points off for each started `unit`, or 0 for no penalty */
    unsigned unit;  /* DEADLINE_HOUR or DEADLINE_DAY, in seconds */
    /* Number of minutes after the deadline during which a submission is still on time. A later submission is late by
     * the whole time since the deadline. */
    unsigned grace;
    unsigned penalty_cap; /* maximum penalty in points */
    unsigned slip_days;   /* slip days of each student for all labs together; only for deadline_rules_text() */
};
/* Parses a local time such as "2027-02-19 18:00". Returns false if it is invalid, such as 2027-02-30 10:00. If clocks
 * show the time twice, *out is the second occurrence. If they skip an hour from 02:00, 02:30 is read as 03:30. */
bool deadline_read(const char *text, time_t *out);
/* Returns whether the clocks of this machine's time zone skip this time, for example 02:30 on the day on which summer
 * time begins. */
bool deadline_is_skipped(const char *text);
/* Returns whether this time has passed. Returns false for "", which means that there is no deadline. */
bool deadline_is_past(const char *text);
/* Parses a penalty such as "10/day" or "2.5/hour" into out->penalty and out->unit. Returns false if it is invalid. */
bool deadline_read_penalty(const char *text, struct deadline_rules *out);

/* Describes the rules for a report, such as "if late, 10 points off per day or part of a day, at most 50; 3 slip
 * days for all labs". Writes "" if there is no penalty. Returns `out`. */
char *deadline_rules_text(const struct deadline_rules *rules, char *out, size_t size);

struct handed_in {
    time_t deadline, at; /* at: 0 if unknown */
    bool marked;     /* whether the server marked the submission as late; used if `at` is 0 or not after the deadline */
    unsigned points; /* points before the penalty */
};
struct deadline_verdict {
    bool late;
    unsigned slip_days, penalty; /* slip days used; points off */
    char text[160];              /* description, such as "16 h 2 min late, 1 slip day, 0 points off"; "" if on time */
};
/* Judges a submission of a student who has `slip_days_left` slip days, and uses only slip days that save points. A late
 * submission of unknown time costs one unit. */
struct deadline_verdict deadline_judge(const struct deadline_rules *rules, const struct handed_in *h,
                                       unsigned slip_days_left);

#endif
