/* What a function's integers are made of, followed from where they are set: so a name's spelling says nothing. */
#ifndef FIX_ROLES_H
#define FIX_ROLES_H

#include "fix/source.h"

enum role {
    ROLE_SIZE = 1,   /* of the kernel's n: how many elements there are, or warps */
    ROLE_TICKET = 2, /* of what an atomic on a variable of the module returned */
};
/* The roles of all names in the range, or'ed. */
unsigned roles_in(const struct source *s, struct range r);

#endif
