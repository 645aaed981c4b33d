/* Information about a function for the rules: the roles of its names, and the parts of its statements. */
#ifndef FIX_NAMES_H
#define FIX_NAMES_H

#include "fix/edits.h"

enum { NAME_SIZE = 48, EXPRESSION_SIZE = 200, MAX_NAMES = 12 };
struct name_list {
    char item[MAX_NAMES][NAME_SIZE];
    unsigned count;
};
struct names {
    /* The variables that hold the thread's index, lane, warp, and index in the grid, or "". */
    char thread[NAME_SIZE], lane[NAME_SIZE], warp[NAME_SIZE], global[NAME_SIZE];
    /* An array in shared memory, or a pointer parameter through which a device function writes. */
    char shared[NAME_SIZE];
    /* Integer parameters and locals, except the thread, the lane and the warp. Examples are n, warps and start. */
    struct name_list counts;
    struct name_list values;    /* locals and parameters of type value_t */
    struct name_list outputs;   /* a kernel's writable pointers */
    struct name_list inputs;    /* read-only pointers, including locals, except vectors */
    struct name_list vectors;   /* local read-only pointers to a struct that the file defines */
    struct name_list flags;     /* `__shared__ bool` or int, such as the flag of the last block */
    struct name_list pointers;  /* all pointers to values, and shared-memory arrays of values */
    struct name_list constants; /* enumerators defined in the file, such as WIDTH or LOADS */
};
bool is_listed(const struct source *s, int32_t token, const struct name_list *l);
bool name_is_in(const struct name_list *l, const char *name);
/* Adds a name, unless the list already has it or is full. */
void name_add(struct name_list *l, const char *name);
void names_of(const struct source *s, int32_t function, struct names *out);
/* Returns whether the function may work on the whole input: it is a kernel, has the input as a parameter, or uses the
 * grid's variables. */
bool uses_grid(const struct source *s, const struct names *names, int32_t function);
/* Returns whether this token declares a name: it follows a type's name, or is in a list of declared names. */
bool is_declared(const struct source *s, int32_t token);
bool is_integer_type(const struct source *s, int32_t token);
/* Returns whether this token declares a variable of the module, as in `__device__ unsigned int ticket;`. */
bool declares_module_variable(const struct source *s, int32_t token);
/* Returns whether the name at this token is that of a variable of the module. */
bool is_module_variable(const struct source *s, int32_t name);
/* Returns whether the declared name has an integer type and is not a pointer. */
bool is_integer(const struct source *s, int32_t name);
bool depends_on_the_thread(const struct source *s, struct range condition);
/* Returns whether the branch around the statement seems to select half of a warp. */
bool is_of_half_a_warp(const struct source *s, int32_t statement);
bool is_a_chunk(const struct source *s, struct range r);
/* Returns the cause to report if changing this token corrects the error. */
enum fix_cause cause_at(const struct source *s, int32_t token);
/* Return the tokens before and after the operator at `op`, up to the nearest comparison, assignment, && || ! ? : , ;
 * return or enclosing bracket. They ignore the precedence of arithmetic operators. */
struct range operand_before(const struct source *s, int32_t op), operand_behind(const struct source *s, int32_t op);
/* Returns the operand of && or || in the range r that contains the token. */
struct range conjunct_of(const struct source *s, struct range r, int32_t token);
bool is_comparison(const struct source *s, int32_t token);
/* Stores the first `most` arguments of the call whose name is at `token`. Returns their number, or 0 if the token does
 * not begin a call. */
unsigned call_arguments(const struct source *s, int32_t token, struct range *arguments, unsigned most);
/* Returns the function that the call at this token calls, or -1 if the file does not define it. */
int32_t function_called(const struct source *s, int32_t name);
/* Returns the range of parameter `number` (from 0) with its type, or an empty range if there is none. */
struct range parameter_of(const struct source *s, int32_t function, unsigned number);
bool is_same_text(const struct source *s, struct range a,
                  struct range b); /* whether both ranges have the same tokens; false for empty ranges */
/* Copies the range to `out`, with `other` in place of each `old`. Returns the number of replacements, or 0 if `out` is
 * too small. */
unsigned renamed(const struct source *s, struct range r, struct range old, const char *other, char *out, size_t size);
/* Returns whether the expression is a value: an array element, a result of combine(), or a name of a value. */
bool is_value(const struct source *s, const struct names *names, struct range r);
/* For an access through a local pointer, writes the index in the underlying array. For example, after `T *p = x +
 * begin;`, the access `p[k]` has the index `begin + k`. Returns false if the array is not such a pointer. */
bool index_in_array(const struct source *s, int32_t open, char *out, size_t size);
/* Return whether the token, or a token of the range, is an atomic that may draw a ticket for the block. */
bool draws_ticket(const struct source *s, int32_t token), has_draw(const struct source *s, struct range r);
/* Returns whether the range contains a shuffle, directly or in a function that it calls (rules_together.c). */
bool range_shuffles(const struct source *s, struct range r);
/* Returns whether `open` is the [ of an access to an array, name[...]. */
bool is_array_access(const struct source *s, int32_t open);
/* Returns whether the function stores an element of the array before this token. */
bool is_stored_before(const struct source *s, int32_t array);
struct range body_of(const struct source *s, int32_t function);
/* Returns whether a condition with == restricts the statement to some threads, mostly thread 0. */
bool runs_in_thread_0(const struct source *s, int32_t at);

#endif
