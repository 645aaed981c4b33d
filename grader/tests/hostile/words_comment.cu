// Causes a compiler message that looks like a message of bubblewrap.
#line 1 "bwrap: no permission\nbwrap"
#include "reduce.h"
#error "bwrap: no permission"
