// A message of the compiler that looks like bubblewrap's.
#line 1 "bwrap: no permission\nbwrap"
#include "reduce.h"
#error "bwrap: no permission"
