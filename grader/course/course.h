/* The settings of a course: labs/course.conf, `name = value` a line, which says itself what there is to set. */
#ifndef COURSE_COURSE_H
#define COURSE_COURSE_H

#include "course/deadline.h"
#include "judge/lab.h"

enum { COURSE_MOST_LABS = 64, COURSE_MOST_CHECKS = 16, COURSE_POINTS = 100 /* of a lab, over its checks */ };
struct course_lab {
    struct lab lab; /* as declared, with the course's thresholds in it, and its own checks and marks: */
    struct lab_check checks[COURSE_MOST_CHECKS];
    double marks[LAB_MARKS];
    double weight;     /* beside the other labs, 0 to 1000 */
    char column[100];  /* the title or number of its assignment on a course server; "" for what its id and title tell */
    char deadline[20]; /* "2027-02-19 18:00", local time; "" for none */
    struct deadline_rules late;
    unsigned pass;  /* points from which it counts as passed, 0 to 100 */
    unsigned hints; /* how much is reported of a fix: 0 to 3 (fix/fix.h) */
};
struct course {
    char title[100]; /* "" for none */
    struct course_lab labs[COURSE_MOST_LABS];
    unsigned count;     /* of labs, in the course's order */
    unsigned slip_days; /* of a student, over all labs */
};
/* Reads `path` into *out, which holds pointers into itself: it is not to be moved; where there is no such file, all
 * labs and defaults. false and a message, `path:line: what, and the remedy`, where it is wrong. */
bool course_read(const char *path, struct course *out, char *message, size_t size);
/* The lab of that id or name; NULL if it is none of the course's. */
const struct course_lab *course_find(const struct course *course, const char *id);

#endif
