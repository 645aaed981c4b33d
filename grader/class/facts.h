/* Between facts.c, summary.c and alike.c: what is known of a unit while the class is summed up. */
#ifndef CLASS_FACTS_H
#define CLASS_FACTS_H

#include "class/class.h"
#include "course/course.h"
#include "record/status.h"

struct class_unit {
    const char *name, *folder; /* "ada/lab3", "ada" */
    json_t *students;          /* whose it is: roster entries */
    json_t *entry;             /* of the roster */
    json_t *record, *fault;    /* or NULL */
    json_t *cause;             /* what holds it back, or NULL: of class_lab_add() */
    char *text;                /* the submission, or NULL */
    size_t length;             /* of it: it may hold any bytes */
};
/* One lab: its units, and what is made of them. */
struct class_lab {
    const struct course_lab *lab;
    char *skeleton, *solution; /* their texts, or NULL */
    json_t *out;               /* its object in the facts */
    json_t *attention;         /* of the facts */
    json_t *cases, *kinds;     /* while units are added: by case, by kind of finding, */
    json_t *causes;            /* by what holds them back */
    json_t *fixes;             /* by what the edit that mends them does; */
    unsigned searched, mended; /* submissions: one was looked for, was found */
    struct alike *alike;       /* their texts */
    json_t *tests, *points;
};
struct class_lab class_lab_new(const struct class_place *place, const struct course_lab *lab, json_t *attention);
void class_lab_add(struct class_lab *l, struct class_unit *u); /* summary.c */
json_t *class_lab_end(struct class_lab *l);                    /* frees all but its object, which it gives */
/* alike.c: submissions that are the same, or share what few others wrote. */
void alike_add(struct class_lab *l, const struct class_unit *u);
void alike_end(struct class_lab *l);
/* The record's words without the path of the copy that was graded (facts.c). */
json_t *own_words(const json_t *record, const char *text);
/* What a student has of a lab: the "status" of a mark, and what `ends` of a lab counts by. */
enum class_mark {
    MARK_FULL, /* these three are ends of a grade, and graded */
    MARK_PARTIAL,
    MARK_BUILD,
    MARK_REFUSED,  /* handed in, but nothing that can be graded */
    MARK_SETUP,    /* the set-up failed; this and the next are still to be graded */
    MARK_UNGRADED, /* not yet */
    MARK_MISSING,  /* no submission */
    MARKS
};
enum class_mark class_mark_of(const struct class_unit *u);
const char *class_mark_word(enum class_mark m);
/* How many of a lab's submissions have that mark. */
size_t class_mark_count(const json_t *lab, enum class_mark m);
/* overrides.c: puts the points and comments of OUT/overrides.csv (student,lab,points,comment), if there is one, into
 * `marks`: {FOLDER: {"lab3": {"score", "graded": what the grader gave, "override": true, "comment"}}}. False, and a
 * message with file and line: nothing is written then. */
bool overrides_apply(const char *out, const json_t *students, const json_t *labs, json_t *marks, char *message,
                     size_t size);
/* The student's own copy of a mark, of what may be shared by a group (overrides.c). */
json_t *mark_to_change(json_t *marks, const json_t *student, const char *lab);
/* lateness.c: takes off what late submissions lose by course.conf and OUT/extensions.csv (student,lab,deadline): a mark
 * gets "late", "lateness" (a sentence), "slip_days", "penalty" and, where points are off, "graded". False: as above. */
bool lateness_apply(const char *out, const struct course *course, const json_t *students, const json_t *labs,
                    json_t *marks, json_t *attention, char *message, size_t size);
/* Something for the instructor to look at. */
enum attention {
    ATTENTION_SETUP,
    ATTENTION_UNGRADED,
    ATTENTION_REFUSED,
    ATTENTION_BUILD,
    ATTENTION_STOPPED,
    ATTENTION_SAME,
    ATTENTION_ALIKE,
    ATTENTION_REFERENCE,
    ATTENTION_NAMED,
    ATTENTION_LEFT_OUT,
    ATTENTION_TIME,
    ATTENTION_MISSING,
    ATTENTIONS
};
void attend(json_t *attention, enum attention what, const char *lab, const json_t *student, const char *text);

#endif
