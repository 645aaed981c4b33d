/* The cost model: how long launches would take on a GPU, from what the simulator saw; the same on every machine.
 *
 *   pace.c   a probe: how long each block would take alone      time.c   the launch, from its blocks
 *   gpus/    the GPUs' constants, which no other file repeats
 *
 * docs/metrics.md explains it. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/gpus/gpu.h"
#include "probes/probes.h"

/* A measurement is for one GPU: MEASURE_PACE, beside other bits of `what`, is for the default one; this is for `gpu`.
 */
unsigned measure_pace_on(const struct gpu *gpu);
/* The GPU that m was begun for. */
const struct gpu *measured_gpu(const struct measurement *m);

/* Clock cycles of all launches in a measurement that was begun for `gpu`; 0 for none. A block that needs more shared
 * memory than an SM of that GPU has counts as if it were resident alone. */
double modeled_cycles(const struct pace *pace, const struct gpu *gpu);

#endif
