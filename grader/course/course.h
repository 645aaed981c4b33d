/* Reads the settings of a course from labs/course.conf, which has one `name = value` per line and documents the
 * settings. */
#ifndef COURSE_COURSE_H
#define COURSE_COURSE_H

#include "course/deadline.h"
#include "judge/lab.h"

enum { COURSE_MOST_LABS = 64, COURSE_MOST_CHECKS = 16, COURSE_POINTS = 100 /* the sum over a lab's checks */ };
/* The attempt in an export that counts. */
enum attempts { ATTEMPTS_LAST, ATTEMPTS_BEST };
struct course_lab {
    struct lab
        lab; /* the lab as declared, with the course's thresholds; its checks and marks are the next two members */
    struct lab_check checks[COURSE_MOST_CHECKS];
    double marks[LAB_MARKS];
    double weight;     /* weight in the total, relative to the other labs, 0 to 1000 */
    char column[100];  /* the title or number of its assignment on a course server; "": derived from its id and title */
    char deadline[20]; /* "2027-02-19 18:00", local time; "" for none */
    struct deadline_rules late;
    enum attempts attempts;
    bool attempts_set; /* whether the file sets it; then reports show it */
    unsigned pass;     /* points needed to pass, 0 to 100 */
    unsigned hints;    /* how much of a fix is shown: 0 to 3 (fix/fix.h) */
};
struct course {
    char title[100]; /* "" for none */
    struct course_lab labs[COURSE_MOST_LABS];
    unsigned count;     /* the number of labs, which are in the order of the course */
    unsigned slip_days; /* per student, over all labs */
};
/* Reads `path` into *out, which contains pointers into itself and must not be moved. Without such a file, *out gets
 * all labs and the defaults. On failure returns false with a message, `path:line: error and remedy`. */
bool course_read(const char *path, struct course *out, char *message, size_t size);
/* The lab of that id or name; NULL if the course does not have it. */
const struct course_lab *course_find(const struct course *course, const char *id);

#endif
