/* The parts of loops in any form: `i = t; while (i < n) { ...; i += m; }` has the same parts as a for's header. */
#ifndef FIX_LOOPS_H
#define FIX_LOOPS_H

#include "fix/names.h"

struct loop {
    char variable[NAME_SIZE]; /* the name that each iteration changes and the condition uses; "" if unknown */
    struct range begin;       /* `i = t`, in the header or before the loop; in a for's header, a list of these */
    struct range condition;
    struct range step; /* `i += m`, in the header or as a statement of the body, without its semicolon */
};
/* Finds a loop's parts; unknown ones are empty ranges. False if the statement is not a loop. */
bool loop_of(const struct source *s, int32_t statement, struct loop *out);
/* The innermost loop around a statement, or the statement itself; -1: none. */
int32_t loop_around(const struct source *s, int32_t statement);
/* The same; also gets the loop's variable, "" if there is none. */
int32_t loop_variable_around(const struct source *s, int32_t statement, char out[NAME_SIZE]);
/* The cause if a loop of the token's function uses it as its initial value, step or bound; FIX_CAUSES: no loop does. */
enum fix_cause cause_of_loop(const struct source *s, int32_t token);
/* The same for an integer argument of a call: the called function of the file uses it in a loop. */
enum fix_cause cause_of_argument(const struct source *s, int32_t call, int32_t token);
/* Returns whether the name at this token is assigned: `i = `, `i += `, `i++`, `++i`. */
bool is_set(const struct source *s, int32_t token);
static inline bool range_is_empty(struct range r) { return r.last < r.first; }
static inline bool range_holds(struct range r, int32_t token) { return token >= r.first && token <= r.last; }

#endif
