/* Reads the settings of a course from labs/course.conf. The file contains one `name = value` per line and documents
 * the settings in comments. */
#ifndef COURSE_COURSE_H
#define COURSE_COURSE_H

#include "course/deadline.h"
#include "judge/lab.h"
#include <jansson.h>

enum { COURSE_MAX_LABS = 64, COURSE_MAX_CHECKS = 16, COURSE_POINTS = 100 /* total over a lab's checks */ };
/* The attempt that counts if an export contains multiple attempts. */
enum attempts { ATTEMPTS_LAST, ATTEMPTS_BEST };
struct course_lab {
    struct lab lab; /* declared lab, with the course's thresholds; points to `checks` and `marks` below */
    struct lab_check checks[COURSE_MAX_CHECKS];
    double marks[LAB_MARKS];
    double weight;     /* weight in the total relative to other labs, 0 to 1000 */
    char column[100];  /* title or number of the lab's assignment in an LMS; if "", derived from the lab's id
                          and title */
    char deadline[20]; /* local time, such as "2027-02-19 18:00", or "" for none */
    struct deadline_rules late;
    enum attempts attempts;
    bool attempts_set; /* whether the file sets `attempts`; reports then mention the rule */
    unsigned pass;     /* points needed to pass, 0 to 100 */
    unsigned hints;    /* how much of a fix students see, 0 to 3 (fix/fix.h) */
};
struct course {
    char title[100]; /* "" if the course has no title */
    struct course_lab labs[COURSE_MAX_LABS];
    unsigned count;     /* number of labs, in the order of the course */
    unsigned slip_days; /* slip days of each student for all labs together */
};
/* Reads the file at `path`. If it does not exist, *out gets all labs with the default settings. *out contains
 * pointers into itself, so it must not be moved. On failure, returns false with a message that begins with the path
 * and, if a line is wrong, its number. */
bool course_read(const char *path, struct course *out, char *message, size_t size);
/* Returns false, with a message, if the clocks of this machine's time zone skip a deadline. course_read() accepts such
 * deadlines, because students' machines may be in other time zones than the course. */
bool course_deadlines_exist(const struct course *course, char *message, size_t size);
/* Returns the course's lab with this id or name, or NULL if there is none. */
const struct course_lab *course_find(const struct course *course, const char *id);
/* Describes the rules for submitting, for a report: an object with the members "deadline", "late" and "attempts" that
 * apply. */
json_t *course_rules(const struct course_lab *c);

#endif
