#include "probes/chip.h"

const struct chip chip = {
#define CHIP(type, name, value, unit, source) .name = value,
#include "probes/chip.def"
#undef CHIP
};
