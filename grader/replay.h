/* Determines the cases of a replay, before anything is compiled. */
#ifndef REPLAY_H
#define REPLAY_H

#include "judge/judge.h"
#include "options.h"

enum { REPLAY_CASE = 200 /* size of a case's name in bytes, including the NUL */ };
/* Writes the name of the case o->only_case to `out`, which has REPLAY_CASE bytes. Replaces n, threads and blocks with
 * --size, --block and --grid if they are given. Returns `out`, or NULL without --case. If the lab has no such case, or
 * --size, --block, --grid, --values or --schedule does not fit, prints the reason to standard error and exits with
 * EXIT_USAGE. */
const char *replay_case(const struct lab *lab, const struct options *o, char *out);
/* If a replay ran no case at all, prints a line to standard error and returns true. */
bool replay_was_empty(const json_t *record, const struct options *o);

#endif
