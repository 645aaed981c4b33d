/* What the rules need to know of a function: its names, and which part of a statement a token is in. */
#ifndef FIX_NAMES_H
#define FIX_NAMES_H

#include "fix/edits.h"

enum { NAME_SIZE = 48, EXPRESSION_SIZE = 200, MOST_NAMES = 12 };
struct name_list {
    char item[MOST_NAMES][NAME_SIZE];
    unsigned count;
};
struct names {
    char thread[NAME_SIZE], lane[NAME_SIZE], warp[NAME_SIZE], global[NAME_SIZE]; /* as written; "" if there is none */
    char shared[NAME_SIZE];   /* an array in shared memory, also one that is a parameter of a device function */
    struct name_list counts;  /* unsigned parameters, and unsigned locals of which nothing is known: n, warps, start */
    struct name_list values;  /* value_t locals and parameters */
    struct name_list outputs; /* a kernel's pointers that it may write to */
    struct name_list inputs;  /* pointers that it may not write to, also its own */
    struct name_list constants; /* enumerators of the file: WIDTH, LOADS */
};
void name_add(struct name_list *l, const char *name); /* once; what does not fit is left out */
void names_of(const struct source *s, int32_t function, struct names *out);
/* Is it about more than one block: a kernel, or does it take the input, or name the grid? */
bool knows_of_the_grid(const struct source *s, const struct names *names, int32_t function);
/* The token is the name that a declaration declares: a type's name is before it, or the declaration lists it. */
bool is_declared(const struct source *s, int32_t token);
bool is_integer_type(const struct source *s, int32_t token);
bool is_integer(const struct source *s, int32_t name); /* a declared name of an integer type; no pointer */
bool is_a_chunk(const struct source *s, struct range r);
/* What is wrong if a change of this token helps. */
enum fix_cause cause_at(const struct source *s, int32_t token);
/* The operands of the binary operator at `op`; a comparison's reach as far as && || ? : , ; = and brackets. */
struct range operand_before(const struct source *s, int32_t op), operand_behind(const struct source *s, int32_t op);
bool is_comparison(const struct source *s, int32_t token);
/* The arguments of the call whose name is at `token`, at most `most`; how many. 0: it is no call. */
unsigned call_arguments(const struct source *s, int32_t token, struct range *arguments, unsigned most);
/* Between the brackets that hold the token; the range before the first is {open, close}. */
bool is_array_access(const struct source *s, int32_t open); /* `open` is the [ of name[...] */
struct range body_of(const struct source *s, int32_t function);

#endif
