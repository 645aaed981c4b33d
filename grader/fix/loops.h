/* The parts of a loop of any kind. For example, `i = t; while (i < n) { ...; i += m; }` has the same parts as a for. */
#ifndef FIX_LOOPS_H
#define FIX_LOOPS_H

#include "fix/names.h"

struct loop {
    char variable[NAME_SIZE]; /* the name that each iteration changes, if possible one in the condition; "" if
                                 unknown */
    struct range begin;       /* `i = t`, in the header or before the loop; may be a list in the header of a for loop */
    struct range condition;
    struct range step; /* `i += m` without the semicolon, in the header or as a statement of the body */
};
/* Finds the parts of a loop. Unknown parts are empty ranges. Returns false if the statement is not a loop. */
bool loop_of(const struct source *s, int32_t statement, struct loop *out);
/* Returns the initial value of the loop variable, or an empty range if it is unknown. */
struct range loop_first_value(const struct source *s, const struct loop *loop);
/* Returns whether the loop multiplies, divides or shifts its variable, as a tree does: `d *= 2`, `d = d / 2`, `d >>=
 * 1`.
 */
bool loop_scales(const struct source *s, const struct loop *loop);
/* Returns whether the statement is a loop that counts from 0 to a literal or a constant of the file, such as `for (k =
 * 0; k < 4; k++)`. */
bool loop_counts_to_constant(const struct source *s, const struct names *names, int32_t statement);
/* Returns the statement itself if it is a loop, otherwise the innermost loop around it, or -1. */
int32_t loop_around(const struct source *s, int32_t statement);
/* Does the same as loop_around(), and copies the name of the loop variable, or "". */
int32_t loop_variable_around(const struct source *s, int32_t statement, char out[NAME_SIZE]);
/* Returns the cause to report if a loop of the token's function uses the token in its initial value, step or bound.
 * Returns FIX_CAUSES if no loop does. */
enum fix_cause cause_of_loop(const struct source *s, int32_t token);
/* Returns the cause to report for the argument at `token` of a call. The file must define the called function, and one
 * of its loops must use the parameter. Returns FIX_CAUSES otherwise. */
enum fix_cause cause_of_argument(const struct source *s, int32_t call, int32_t token);
/* Returns whether the name at this token is assigned, as in `i = `, `i += `, `i++` or `++i`. */
bool is_set(const struct source *s, int32_t token);
/* Collects the integer variables of the function and of the loops around a statement. Some may be out of scope there;
 * edit_add() ignores edits that use them. */
void integers_at(const struct source *s, const struct names *names, int32_t statement, struct name_list *out);
static inline bool range_holds(struct range r, int32_t token) { return token >= r.first && token <= r.last; }

#endif
