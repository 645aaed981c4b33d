/* The chip that times are modelled for: every constant, its unit and where it comes from stand in chip.def. */
#ifndef PROBES_CHIP_H
#define PROBES_CHIP_H

extern const struct chip {
#define CHIP(name, value, unit, source) double name;
#include "probes/chip.def"
#undef CHIP
} chip;

#endif
