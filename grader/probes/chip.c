#include "probes/chip.h"

const struct chip chip = {
#define CHIP(name, value, unit, source) .name = value,
#include "probes/chip.def"
#undef CHIP
};
