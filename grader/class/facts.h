/* The facts about a unit while the class is summarized, shared by facts.c, summary.c and alike.c. */
#ifndef CLASS_FACTS_H
#define CLASS_FACTS_H

#include "class/class.h"
#include "course/course.h"
#include "record/status.h"

struct class_unit {
    const char *name, *folder; /* "ada/lab3", "ada" */
    json_t *students;          /* the unit's students, as roster entries */
    json_t *entry;             /* in the roster */
    json_t *record, *fault;    /* or NULL */
    json_t *cause;             /* why it loses points, or NULL; set by class_lab_add() */
    char *text;                /* the submission, or NULL */
    size_t length;             /* the text's length; the text may contain any bytes */
};
/* A lab with its units and their summary. */
struct class_lab {
    const struct course_lab *lab;
    char *skeleton, *solution; /* their texts, or NULL */
    json_t *out;               /* its object in the facts */
    json_t *attention;         /* in the facts */
    json_t *cases, *kinds;     /* while units are added: by case, by kind of finding, */
    json_t *causes;            /* by cause, */
    json_t *fixes;             /* by the kind of edit that fixes them; */
    unsigned searched, mended; /* submissions for which a fix was searched for, and found */
    struct alike *alike;       /* their texts */
    json_t *tests, *points;
};
struct class_lab class_lab_new(const struct class_place *place, const struct course_lab *lab, json_t *attention);
void class_lab_add(struct class_lab *l, struct class_unit *u); /* summary.c */
json_t *class_lab_end(struct class_lab *l); /* frees the lab, except for its object, which it returns */
/* alike.c: finds submissions that are identical, or that share passages which few others wrote. */
void alike_add(struct class_lab *l, const struct class_unit *u);
void alike_end(struct class_lab *l);
/* The record's texts without the path of the graded copy (facts.c). */
json_t *own_words(const json_t *record, const char *text);
/* The "status" of a student's mark in a lab. A lab's `ends` counts submissions by it. */
enum class_mark {
    MARK_FULL, /* these three are graded */
    MARK_PARTIAL,
    MARK_BUILD,
    MARK_REFUSED,  /* something was submitted, but no file that can be graded */
    MARK_SETUP,    /* the setup failed; units with this status or the next are still to be graded */
    MARK_UNGRADED, /* not yet */
    MARK_MISSING,  /* no submission */
    MARKS
};
enum class_mark class_mark_of(const struct class_unit *u);
const char *class_mark_word(enum class_mark m);
/* The number of a lab's submissions with that mark. */
size_t class_mark_count(const json_t *lab, enum class_mark m);
/* overrides.c: puts the points and comments of OUT/overrides.csv (student,lab,points,comment), if it exists, into
 * `marks`: {FOLDER: {"lab3": {"score", "graded": the grader's score, "override": true, "comment"}}}. On failure
 * returns false with a message that names file and line; then no output is written. */
bool overrides_apply(const char *out, const json_t *students, const json_t *labs, json_t *marks, char *message,
                     size_t size);
/* The student's own copy of a mark that a group may share (overrides.c). */
json_t *mark_to_change(json_t *marks, const json_t *student, const char *lab);
/* Reads OUT/extensions.csv, with the columns student, lab and deadline, into {FOLDER: {"lab3": a time}}
 * (lateness.c). Returns NULL on failure, with a message as above. */
json_t *extensions_read(const char *out, const json_t *students, const json_t *labs, char *message, size_t size);
/* If the import kept several attempts, replaces a student's newest one by the one with the most points after late
 * penalties. Its mark gets "attempt": "2 of 3". */
void attempts_choose(const char *out, const struct course *course, json_t *students, const json_t *extensions);
/* Subtracts late penalties: a mark gets "late", "lateness" (a sentence), "slip_days", "penalty" and, if it loses
 * points, "graded". */
void lateness_apply(const struct course *course, const json_t *students, const json_t *extensions, json_t *marks,
                    json_t *attention);
/* Kinds of entries in the instructor's attention list. */
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
