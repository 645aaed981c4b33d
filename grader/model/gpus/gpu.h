/* The chip that times are modelled for: every constant, its unit and where it comes from stand in gpus/h200.def. */
#ifndef MODEL_GPUS_GPU_H
#define MODEL_GPUS_GPU_H

#include <stdint.h>

extern const struct chip {
#define CHIP(type, name, value, unit, source) type name;
#include "model/gpus/h200.def"
#undef CHIP
} chip;

#endif
