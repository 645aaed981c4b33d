// Makes the compiler quote a line of another file in its messages.
#include "reduce.h"
#line 1 "/etc/passwd"
#error SEEN
