/* Grades one lab as the command line specifies. */
#ifndef GRADING_H
#define GRADING_H

#include "judge/judge.h"
#include "replay.h"
#include "session.h"

/* The judge's options for grading one lab. Pointers in `options` refer to the other members, so the struct must not be
 * copied. */
struct grading {
    struct judge_options options;
    char submission[PATH_MAX + 128], shown[PATH_MAX + 128], predictions[PATH_MAX + 128], replay[2 * PATH_MAX + 64];
    char history[PATH_MAX + 32]; /* folder of the student's earlier runs */
    char only_case[REPLAY_CASE];
    struct lab with;
    struct compiler compiler;
};
/* Fills in *g. If the options do not fit the lab, prints the reason and exits. */
void grading_of(const struct session *s, const struct course_lab *of, struct grading *g);

typedef json_t *judging(const struct judge_options *options); /* judges a lab and returns its record */
/* Runs `judge` and completes its record. Adds, where they apply, the course's settings, the part of the fix that the
 * course reveals, the history, and the machine's latest ladder. */
json_t *grading_run(const struct session *s, const struct course_lab *of, judging *judge);

/* Shows "[done + 1/of] what" on the FILE `screen`, or clears the line if `what` is NULL. */
void grading_progress(void *screen, const char *what, unsigned done, unsigned of);

#endif
