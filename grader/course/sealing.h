/* Implements `./grade labN --seal`, which records that predictions.txt was written before the first grade
 * (judge/seal.h). */
#ifndef COURSE_SEALING_H
#define COURSE_SEALING_H

#include "judge/lab.h"

/* Seals the predictions at `path` of a lab that was graded `grades` times, and prints the seal. Messages call the file
 * `shown`. Rejects a file with unanswered questions. Does not change a file with a valid seal. Returns the exit
 * status. */
int seal_predictions(const struct lab *lab, const char *path, const char *shown, unsigned grades);

#endif
