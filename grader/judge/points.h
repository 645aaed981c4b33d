/* The points of a grade, when all its checks have run: docs/grading.md has the scheme. */
#ifndef JUDGE_POINTS_H
#define JUDGE_POINTS_H

#include "judge/judge.h"

/* Gives each of `tests`, the lab's checks in their order, its `points` and `max_points`, and takes what they come of
 * from it: `share`, its own 0 to 1, `evades`, and `waits`: it has none, and only explains. `work`: of judge_work(). */
void judge_points(const struct judge *j, const json_t *work, json_t *tests);
/* Has the kernel that a check is about used some of its input? Without that a check has no points. */
bool judge_has_work(const struct judge *j, const struct lab_check *c, const json_t *work);
/* What the lab, or the course for it, gives points by: {name in course.conf: number}. */
json_t *thresholds_of(const struct lab *lab);
/* The first test that the check needs and of which nothing holds; NULL: there is none. */
json_t *judge_open_need(const struct lab_check *c, const json_t *tests);

#endif
