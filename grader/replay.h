/* What of a lab a replay runs, made sure of before anything is compiled. */
#ifndef REPLAY_H
#define REPLAY_H

#include "judge/judge.h"
#include "options.h"

enum { REPLAY_CASE = 200 /* characters of a case's name, with the NUL */ };
/* The case that o->only_case names, with the n, threads and blocks of --size, --block and --grid instead of its own:
 * its name goes into `out`, of REPLAY_CASE characters, which is returned. NULL: no --case. A case or an option that the
 * lab has no case for: one line on standard error with the remedy, and exit with EXIT_USAGE; so for a --values list
 * that is none, or is too short. */
const char *replay_case(const struct lab *lab, const struct options *o, char *out);
/* Did the record of a replay run no case at all? If so, it is said in one line on standard error. */
bool replay_was_empty(const json_t *record, const struct options *o);

#endif
