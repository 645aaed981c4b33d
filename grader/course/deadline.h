/* Deadlines: what a late submission loses by the settings of course.conf. Arithmetic alone; class/lateness.c knows the
 * class. */
#ifndef COURSE_DEADLINE_H
#define COURSE_DEADLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { DEADLINE_HOUR = 3600, DEADLINE_DAY = 86400 };
struct deadline_rules {
    double penalty;       /* points for each `unit` that has begun; 0: lateness costs nothing */
    unsigned unit;        /* seconds: DEADLINE_HOUR, DEADLINE_DAY */
    unsigned grace;       /* minutes after the deadline that are not late; of more, all is */
    unsigned penalty_cap; /* points that lateness costs at most */
};
/* "2027-02-19 18:00", local time; false: it is none, such as 2027-02-30 10:00. */
bool deadline_read(const char *text, time_t *out);
/* "10/day", "2.5/hour". */
bool deadline_read_penalty(const char *text, struct deadline_rules *out);

/* "later 10 points off for each day that has begun, at most 50"; "" where lateness costs nothing. */
char *deadline_rules_text(const struct deadline_rules *rules, char *out, size_t size);

struct handed_in {
    time_t deadline, at; /* at 0: not known */
    bool marked;         /* the server says late, whatever `at` is */
};
struct deadline_verdict {
    bool late;
    unsigned slip_days, penalty; /* days taken of those that are left; points */
    char text[160];              /* "16 h 2 min late: 1 slip day, no points off"; "" if in time */
};
/* A submission of a student who has that many slip days left. One that is late by nobody knows how much is a unit late.
 */
struct deadline_verdict deadline_judge(const struct deadline_rules *rules, const struct handed_in *h,
                                       unsigned slip_days_left);

#endif
