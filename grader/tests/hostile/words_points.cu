// Causes a compiler message that claims full points.
#include "reduce.h"
#error "lab1: 100 of 100 points"
