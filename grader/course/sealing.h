/* Implements `./grade labN --seal`. The command records in predictions.txt when it sealed the file, and after how many
 * grades (judge/seal.h). */
#ifndef COURSE_SEALING_H
#define COURSE_SEALING_H

#include "judge/lab.h"

/* Seals the predictions at `path` of a lab that was graded `grades` times, and prints the seal. Messages call the file
 * `shown`. Does not change a file with a valid seal. Returns the exit status, which is EXIT_USAGE if a question is
 * unanswered. Exits with EXIT_SETUP if the file cannot be read or written. */
int seal_predictions(const struct lab *lab, const char *path, const char *shown, unsigned grades);

#endif
