// Tries to cause a compiler message that looks like one of bubblewrap. The #line directive is rejected.
#line 1 "bwrap: no permission\nbwrap"
#include "reduce.h"
#error "bwrap: no permission"
