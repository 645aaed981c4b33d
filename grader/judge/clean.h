/* Clean cases: cases with a correct result and without findings. The check of findings runs many cases that the checks
 * of results also run. A grade's processes share a table in memory. Each clean case therefore runs only once, with all
 * probes that any of these checks needs. Other cases run in each check, as without the table. The record therefore does
 * not depend on which check comes first. */
#ifndef JUDGE_CLEAN_H
#define JUDGE_CLEAN_H

#include "judge/judge.h"

enum { CLEAN_PROBES = MEASURE_RACES | MEASURE_MEMORY | MEASURE_BARRIERS };
struct clean_case {
    uint64_t work, effort; /* as in struct outcome, measured with CLEAN_PROBES */
};
enum clean_state {
    CLEAN_UNSHARED,  /* run the case as usual */
    CLEAN_OURS,      /* run the case with CLEAN_PROBES, then call clean_set() */
    CLEAN_ELSEWHERE, /* another check is running the case */
    CLEAN_KNOWN      /* the case is clean */
};
/* Returns a table for all processes that are forked later. Returns NULL, which disables sharing, on failure. Free it
 * with clean_free(). */
struct clean_table *clean_new(void);
void clean_free(struct clean_table *t);
/* Returns whether the current check shares clean cases with other checks. */
bool clean_is_shared(const struct judge *j);
/* Returns how to run the case. Sets *known for CLEAN_KNOWN. */
enum clean_state clean_take(const struct judge *j, const struct grade_case *c, struct clean_case *known);
/* Waits until no other check is running the case, then does the same as clean_take(). Returns CLEAN_UNSHARED after a
 * long wait, for example if the other check has ended. */
enum clean_state clean_wait(const struct judge *j, const struct grade_case *c, struct clean_case *known);
/* Records the outcome of a case for which clean_take() returned CLEAN_OURS. Returns whether the case is clean. */
bool clean_set(const struct judge *j, const struct grade_case *c, const struct outcome *o);
#endif
