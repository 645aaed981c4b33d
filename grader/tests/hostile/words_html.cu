// The same for a browser.
#include "reduce.h"
#error "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
