/* Determines which cases a replay runs, before anything is compiled. */
#ifndef REPLAY_H
#define REPLAY_H

#include "judge/judge.h"
#include "options.h"

enum { REPLAY_CASE = 200 /* characters in a case's name, including the NUL */ };
/* Writes into `out`, of REPLAY_CASE characters, the name of the case that o->only_case names, with n, threads and
 * blocks replaced by --size, --block and --grid if given. Returns `out`, or NULL without --case. If the lab has no
 * such case, or a --values list is invalid or too short, prints one line with the remedy to standard error and exits
 * with EXIT_USAGE. */
const char *replay_case(const struct lab *lab, const struct options *o, char *out);
/* Returns whether a replay ran no case at all. If so, prints a line to standard error. */
bool replay_was_empty(const json_t *record, const struct options *o);

#endif
