/* The chip that times are modelled for: every constant, its unit and where it comes from stand in chip.def. */
#ifndef PROBES_CHIP_H
#define PROBES_CHIP_H

#include <stdint.h>

extern const struct chip {
#define CHIP(type, name, value, unit, source) type name;
#include "probes/chip.def"
#undef CHIP
} chip;

#endif
