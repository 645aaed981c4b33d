/* The points of a grade, after all its checks have run: docs/grading.md has the scheme. */
#ifndef JUDGE_POINTS_H
#define JUDGE_POINTS_H

#include "judge/judge.h"

/* Sets `points` and `max_points` of each of `tests`, the lab's checks in order, and removes the inputs of the
 * computation: `share`, its own 0 to 1, `evades`, and `waits`: it has no points, and only explains. `work`: from
 * judge_work(). */
void judge_points(const struct judge *j, const json_t *work, json_t *tests);
/* Whether the kernel of a check has used some of its input; otherwise the check has no points. */
bool judge_has_work(const struct judge *j, const struct lab_check *c, const json_t *work);
/* The thresholds for points, of the lab or set by the course: {name in course.conf: number}. */
json_t *thresholds_of(const struct lab *lab);
/* The first test that the check needs and that has no points; NULL if there is none. */
json_t *judge_open_need(const struct lab_check *c, const json_t *tests);

#endif
