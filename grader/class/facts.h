/* Facts about units and labs, which the files of class/ share to summarize the class. */
#ifndef CLASS_FACTS_H
#define CLASS_FACTS_H

#include "class/class.h"
#include "course/course.h"

struct class_unit {
    const char *name, *folder; /* "ada/lab3", "ada" */
    json_t *students;          /* roster entries of the unit's students */
    json_t *entry;             /* the unit's entry in the roster */
    json_t *record, *fault;    /* NULL if missing */
    json_t *cause;             /* reason for lost points, or NULL; class_lab_add() sets it */
    char *text;                /* text of the submission, or NULL */
    size_t length;             /* number of bytes in the text, which may contain NUL */
};
/* A lab of the class, with the statistics of its units. */
struct class_lab {
    const struct course_lab *lab;
    char *skeleton, *solution; /* their texts, or NULL */
    json_t *out;               /* the lab's object in the facts */
    json_t *attention;         /* the attention list in the facts */
    json_t *cases, *kinds;     /* counts by case and by kind of finding */
    json_t *causes;            /* counts by cause of lost points */
    json_t *fixes;             /* counts by kind of the edit that fixes a submission */
    unsigned searched, mended; /* numbers of failing submissions with a search for a fix, and of those with a fix */
    struct alike *alike;       /* files to compare with each other */
    json_t *tests;
};
struct class_lab class_lab_new(const struct class_place *place, const struct course_lab *lab, json_t *attention);
/* Adds a unit to the statistics (summary.c). */
void class_lab_add(struct class_lab *l, struct class_unit *u);
/* Returns the lab's object and frees the rest of the lab. */
json_t *class_lab_end(struct class_lab *l);
/* Adds the scores, mean and median of the students' final points, after lateness and overrides, to the lab's object
 * (summary.c). */
void class_lab_points(json_t *lab, const json_t *marks);
/* Finds submissions that are identical or suspiciously similar (alike.c). */
void alike_add(struct class_lab *l, const struct class_unit *u);
void alike_end(struct class_lab *l);
/* Returns a text of a record with the path of the graded copy replaced by "reduce.cu" (facts.c). */
json_t *own_words(const json_t *record, const char *text);
/* Returns what to do first: the record's advice or, if the submission does not build, the compiler's first error
 * (facts.c). */
json_t *advice_of(const json_t *record);
/* Status of a student's mark in a lab. A lab's `ends` counts its submissions by status. */
enum class_mark {
    MARK_FULL, /* MARK_FULL, MARK_PARTIAL and MARK_BUILD are graded */
    MARK_PARTIAL,
    MARK_BUILD,
    MARK_REFUSED,  /* submitted, but without a file that can be graded */
    MARK_SETUP,    /* the setup failed; submissions with MARK_SETUP or MARK_UNGRADED are still to be graded */
    MARK_UNGRADED, /* not graded yet */
    MARK_MISSING,  /* not submitted */
    MARKS
};
enum class_mark class_mark_of(const struct class_unit *u);
const char *class_mark_word(enum class_mark m);
/* Returns the number of a lab's submissions with that mark. */
size_t class_mark_count(const json_t *lab, enum class_mark m);
/* Applies OUT/overrides.csv (student,lab,points,comment), if it exists, to `marks`: {FOLDER: {"lab3": {"score",
 * "graded": the grader's score, "override": true, "comment"}}}. On an error, returns false with a message that names
 * the file and line; the caller must not write any output (overrides.c). */
bool overrides_apply(const char *out, const json_t *students, const json_t *labs, json_t *marks, char *message,
                     size_t size);
/* Replaces the student's mark with a copy, because all members of a group share a mark, and returns the copy. Creates
 * the mark of a missing submission if there is none (overrides.c). */
json_t *mark_to_change(json_t *marks, const json_t *student, const char *lab);
/* Reads OUT/extensions.csv, which has the columns student, lab and deadline, into {FOLDER: {"lab3": time}}. On an
 * error, returns NULL with a message that names the file and line (lateness.c). */
json_t *extensions_read(const char *out, const json_t *students, const json_t *labs, char *message, size_t size);
/* If the import kept multiple attempts, replaces a student's newest attempt with the one with the most points after
 * late penalties. Adds "attempt": "2 of 3" to its roster entry. */
void attempts_choose(const char *out, const struct course *course, json_t *students, const json_t *extensions);
/* Subtracts late penalties. Adds "late" and "lateness" (a sentence) to the mark of a late submission, "slip_days" if
 * it uses some, "penalty" and "graded" if it loses points, and "doubtful" if its time is uncertain and matters. Adds
 * "due" to a mark with an extension. */
void lateness_apply(const struct course *course, const json_t *students, const json_t *extensions, json_t *marks);
/* Removes "doubtful" from all marks and lists those marks, unless the instructor has set their points. */
void lateness_attend(const json_t *students, json_t *marks, json_t *attention);
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
    ATTENTION_UNLISTED,
    ATTENTION_LOOSE,
    ATTENTION_MISSING,
    ATTENTIONS
};
void attend(json_t *attention, enum attention what, const char *lab, const json_t *student, const char *text);

#endif
