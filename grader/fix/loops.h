/* Loops, however they are written: of `i = t; while (i < n) { ...; i += m; }` what a for's header would say. */
#ifndef FIX_LOOPS_H
#define FIX_LOOPS_H

#include "fix/names.h"

struct loop {
    char variable[NAME_SIZE]; /* what its passes change, and its condition looks at; "" if that is not known */
    struct range begin;       /* `i = t`, in the header or before the loop; a list of such in a for's header */
    struct range condition;
    struct range step; /* `i += m`, in the header or a statement of the body, without its semicolon */
};
/* False: the statement is no loop. What is not known of it are empty ranges. */
bool loop_of(const struct source *s, int32_t statement, struct loop *out);
/* The innermost loop around a statement, or that itself; -1: none. */
int32_t loop_around(const struct source *s, int32_t statement);
/* The same; `out` is its variable, "" where there is none. */
int32_t loop_variable_around(const struct source *s, int32_t statement, char out[NAME_SIZE]);
/* The loops of the token's function that begin with it, go on by it, or end by it; FIX_CAUSES: none does. */
enum fix_cause cause_of_loop(const struct source *s, int32_t token);
/* The same of an integer argument of a call of the file's function, by what loops there do with it. */
enum fix_cause cause_of_argument(const struct source *s, int32_t call, int32_t token);
/* The name is set at this token: `i = `, `i += `, `i++`, `++i`. */
bool is_set(const struct source *s, int32_t token);
static inline bool range_is_empty(struct range r) { return r.last < r.first; }
static inline bool range_holds(struct range r, int32_t token) { return token >= r.first && token <= r.last; }

#endif
