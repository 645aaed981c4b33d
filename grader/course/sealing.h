/* `./grade labN --seal`: records that predictions.txt was written before the first grade (judge/seal.h). */
#ifndef COURSE_SEALING_H
#define COURSE_SEALING_H

#include "judge/lab.h"

/* Seals the file at `path` after `grades` grades of the lab, and prints the seal; `shown` is the file's name in
 * messages. Refuses a file with unanswered questions. Leaves a file alone that is sealed and unchanged. Returns the
 * exit status. */
int seal_predictions(const struct lab *lab, const char *path, const char *shown, unsigned grades);

#endif
