/* `./grade labN --seal`: the student's word that predictions.txt was written before the first grade (judge/seal.h). */
#ifndef COURSE_SEALING_H
#define COURSE_SEALING_H

#include "judge/lab.h"

/* Seals the file at `path`, after that many grades of the lab, and says so; `shown` is its name in messages. A file
 * with blanks is not sealed, nor one that is sealed and unchanged. Returns the exit status. */
int seal_predictions(const struct lab *lab, const char *path, const char *shown, unsigned grades);

#endif
