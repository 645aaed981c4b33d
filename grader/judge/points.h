/* Computes the points of a grade from the results of its checks, by the rules in docs/grading.md. */
#ifndef JUDGE_POINTS_H
#define JUDGE_POINTS_H

#include "judge/judge.h"

/* Sets `points`, `max_points` and `visibility` of each of `tests`, which are the lab's checks in order. A `wrong_case`
 * (result_wrong_case()) may fail a check of results. Removes the members that only this computation needs:
 * `wrong_case`, `share` and `evades` (0 to 1), and `waits` (the check only explains a failure, so it gets no points).
 * `work` is the result of judge_work(). */
void judge_points(const struct judge *j, const json_t *work, json_t *tests);
/* Returns whether the check's kernel (for a check of all kernels, the lab's first one) has used any of its input. If it
 * has not, the check gets no points. Returns true if the lab has no kernels. */
bool judge_has_work(const struct judge *j, const struct lab_check *c, const json_t *work);
/* Returns the lab's thresholds for points as {name in course.conf: number}. */
json_t *thresholds_of(const struct lab *lab);
/* Of the checks that this check needs, returns the first that neither passed nor was skipped and has a share of 0.
 * Returns NULL if there is none. */
json_t *judge_open_need(const struct lab_check *c, const json_t *tests);

#endif
