/* For the rules: a function's names, and which part of a statement contains a token. */
#ifndef FIX_NAMES_H
#define FIX_NAMES_H

#include "fix/edits.h"

enum { NAME_SIZE = 48, EXPRESSION_SIZE = 200, MOST_NAMES = 12 };
struct name_list {
    char item[MOST_NAMES][NAME_SIZE];
    unsigned count;
};
struct names {
    char thread[NAME_SIZE], lane[NAME_SIZE], warp[NAME_SIZE],
        global[NAME_SIZE];    /* the expressions as written; "" if there is none */
    char shared[NAME_SIZE];   /* an array in shared memory, also as a parameter of a device function */
    struct name_list counts;  /* unsigned parameters, and unsigned locals that have no known meaning: n, warps, start */
    struct name_list values;  /* value_t locals and parameters */
    struct name_list outputs; /* a kernel's writable pointers */
    struct name_list inputs;  /* read-only pointers, including locals */
    struct name_list constants; /* enumerators of the file: WIDTH, LOADS */
};
void name_add(struct name_list *l, const char *name); /* adds a name once; drops it if there is no room */
void names_of(const struct source *s, int32_t function, struct names *out);
/* Returns whether the function may work on the whole input: it is a kernel, has the input as a parameter, or uses the
 * grid's variables. */
bool knows_of_the_grid(const struct source *s, const struct names *names, int32_t function);
/* Returns whether the token is the name that a declaration declares: it follows a type's name, or is in a list of
 * names. */
bool is_declared(const struct source *s, int32_t token);
bool is_integer_type(const struct source *s, int32_t token);
bool is_integer(const struct source *s, int32_t name); /* a declared name with an integer type; not a pointer */
bool depends_on_the_thread(const struct source *s, struct range condition);
bool is_a_chunk(const struct source *s, struct range r);
/* The cause if a change of this token helps. */
enum fix_cause cause_at(const struct source *s, int32_t token);
/* The operands of the binary operator at `op`. A comparison's operands extend to && || ? : , ; = and brackets. */
struct range operand_before(const struct source *s, int32_t op), operand_behind(const struct source *s, int32_t op);
bool is_comparison(const struct source *s, int32_t token);
/* Gets the arguments of the call whose name is at `token`, at most `most`. Returns their number; 0: not a call. */
unsigned call_arguments(const struct source *s, int32_t token, struct range *arguments, unsigned most);
/* The range between the brackets around the token; if there are none, {open, close}. */
bool is_array_access(const struct source *s, int32_t open); /* `open` is the [ of name[...] */
struct range body_of(const struct source *s, int32_t function);

#endif
