// Causes a compiler message that contains HTML.
#include "reduce.h"
#error "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
