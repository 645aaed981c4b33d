/* Computes the penalty for late submissions from the settings of course.conf. This is pure arithmetic;
 * class/lateness.c applies it to the class. */
#ifndef COURSE_DEADLINE_H
#define COURSE_DEADLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { DEADLINE_HOUR = 3600, DEADLINE_DAY = 86400 };
struct deadline_rules {
    double penalty;       /* points for each started `unit`; 0: no penalty */
    unsigned unit;        /* seconds: DEADLINE_HOUR, DEADLINE_DAY */
    unsigned grace;       /* minutes after the deadline that are not late; after these, the whole lateness counts */
    unsigned penalty_cap; /* maximum penalty in points */
};
/* Reads "2027-02-19 18:00" as local time; false if the time is invalid, such as 2027-02-30 10:00. */
bool deadline_read(const char *text, time_t *out);
/* "10/day", "2.5/hour". */
bool deadline_read_penalty(const char *text, struct deadline_rules *out);

/* Writes "later 10 points off for each day that has started, at most 50"; "" without a penalty. */
char *deadline_rules_text(const struct deadline_rules *rules, char *out, size_t size);

struct handed_in {
    time_t deadline, at; /* at 0: unknown */
    bool marked;         /* the server marked it late, regardless of `at` */
};
struct deadline_verdict {
    bool late;
    unsigned slip_days, penalty; /* slip days used; points off */
    char text[160];              /* "16 h 2 min late: 1 slip day, no points off"; "" if on time */
};
/* Judges a submission of a student with that many slip days left. If the lateness is unknown, it counts as one unit. */
struct deadline_verdict deadline_judge(const struct deadline_rules *rules, const struct handed_in *h,
                                       unsigned slip_days_left);

#endif
