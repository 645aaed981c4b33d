#include "model/gpus/gpu.h"

const struct chip chip = {
#define CHIP(type, name, value, unit, source) .name = value,
#include "model/gpus/h200.def"
#undef CHIP
};
