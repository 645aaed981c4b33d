/* Determines the labs that a command line names. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "course/course.h"
#include "options.h"

/* Converts `word` to an argument for course_find(). `word` may be the name or path of a lab's folder in the kit at
 * `root`, or the path of a file in that folder, such as reduce.cu. In these cases, returns the lab's id. Returns any
 * other word, such as a lab's id or name, unchanged. */
const char *choose_name(const struct course *course, const char *root, const char *word);

struct chosen {
    const struct course_lab *lab[COURSE_MAX_LABS];
    unsigned count;
};
/* Selects the labs that o->lab names. With --changed, selects only those whose reduce.cu or predictions.txt differs
 * from the handout (labs/handed-out.sha256, which handouts contain). Returns EXIT_FULL, or another status after
 * printing the error. */
enum exit_status choose_labs(const struct options *o, const struct course *course, const char *root,
                             struct chosen *out);

#endif
