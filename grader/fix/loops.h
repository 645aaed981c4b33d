/* Loops in any form: for `i = t; while (i < n) { ...; i += m; }` the same parts as in a for's header. */
#ifndef FIX_LOOPS_H
#define FIX_LOOPS_H

#include "fix/names.h"

struct loop {
    char variable[NAME_SIZE]; /* changed in each iteration, and used in the condition; "" if unknown */
    struct range begin;       /* `i = t`, in the header or before the loop; a list of these in a for's header */
    struct range condition;
    struct range step; /* `i += m`, in the header or a statement of the body, without its semicolon */
};
/* False if the statement is not a loop. Unknown parts are empty ranges. */
bool loop_of(const struct source *s, int32_t statement, struct loop *out);
/* The innermost loop around a statement, or the statement itself; -1: none. */
int32_t loop_around(const struct source *s, int32_t statement);
/* The same; `out` is its variable, "" if there is none. */
int32_t loop_variable_around(const struct source *s, int32_t statement, char out[NAME_SIZE]);
/* The loops of the token's function that use it as initial value, step or bound; FIX_CAUSES: none does. */
enum fix_cause cause_of_loop(const struct source *s, int32_t token);
/* The same for an integer argument of a call of the file's function, by its use in loops there. */
enum fix_cause cause_of_argument(const struct source *s, int32_t call, int32_t token);
/* The name is assigned at this token: `i = `, `i += `, `i++`, `++i`. */
bool is_set(const struct source *s, int32_t token);
static inline bool range_is_empty(struct range r) { return r.last < r.first; }
static inline bool range_holds(struct range r, int32_t token) { return token >= r.first && token <= r.last; }

#endif
