/* Determines the labs that a command line names. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "course/course.h"
#include "options.h"

/* The id of the lab that `word` names: its id, its name, its folder's name, or a path in its folder of the kit at
 * `root`, such as that of its reduce.cu. Returns `word` itself if it names no lab. */
const char *choose_name(const struct course *course, const char *root, const char *word);

struct chosen {
    const struct course_lab *lab[COURSE_MOST_LABS];
    unsigned count;
};
/* The labs named by o->lab; with --changed, only those whose reduce.cu or predictions.txt differs from the handout
 * (labs/handed-out.sha256, which a handout contains). Returns EXIT_FULL, or another status after printing what is
 * wrong. */
enum exit_status choose_labs(const struct options *o, const struct course *course, const char *root,
                             struct chosen *out);

#endif
