/* Which labs a command line means. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "course/course.h"
#include "options.h"

/* The id of the lab that `word` names: its id, its name, its folder's name, or a path in its folder of the kit at
 * `root`, such as that of its reduce.cu. `word` itself where it names none. */
const char *choose_name(const struct course *course, const char *root, const char *word);

struct chosen {
    const struct course_lab *lab[COURSE_MOST_LABS];
    unsigned count;
};
/* Those of o->lab, with --changed only those whose reduce.cu or predictions.txt is not as it was handed out
 * (labs/handed-out.sha256, which a handout has). EXIT_FULL, or what was wrong has been said. */
enum exit_status choose_labs(const struct options *o, const struct course *course, const char *root,
                             struct chosen *out);

#endif
