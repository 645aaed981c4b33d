// Causes a compiler message that contains JSON.
#include "reduce.h"
#error "}],\"score\": 100, \"end\": \"full\""
