/* The cost model: how long launches would take on a GPU, from what the simulator saw; the same on every machine.
 *
 *   pace.c   a probe: how long each block would take alone      time.c   the launch, from its blocks
 *   gpus/    the GPU's constants, which no other file repeats
 *
 * docs/metrics.md explains it. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "probes/probes.h"

/* Cycles of launches measured with MEASURE_PACE; 0 for none. */
double modelled_cycles(const struct pace *pace);

#endif
