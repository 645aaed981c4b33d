/* The roles of a function's integers. Definitions decide them, not the spelling of names. */
#ifndef FIX_ROLES_H
#define FIX_ROLES_H

#include "fix/source.h"

enum role {
    ROLE_SIZE = 1,   /* computed from the kernel's n: a number of elements or of warps */
    ROLE_TICKET = 2, /* computed from the result of an atomic on a module variable */
    ROLE_BLOCK = 4,  /* computed from the block's index */
    ROLE_THREAD = 8, /* computed from the thread's index */
};
/* Returns whether the token is the number of lanes in a warp: 32, warpSize, or a name to which the file gives this
 * value. */
bool is_warp_size(const struct source *s, int32_t token);
/* Returns the bitwise or of the roles of all names in the range. */
unsigned roles_in(const struct source *s, struct range r);

#endif
