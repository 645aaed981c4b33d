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

/* The pace of a launch: sums over the blocks that were watched, which stand for all. */
struct pace_launch {
    uint32_t blocks, threads, shared_bytes; /* of the grid; of a block; of a block */
    uint32_t watched;                       /* blocks */
    uint64_t cycles, longest;               /* that a block would take alone: the sum, and that of the slowest */
    uint64_t work, watched_work;            /* warp-instructions of all blocks, and of the watched ones */
    uint64_t most_work, watched_most_work;  /* of the busiest warp among all blocks, and among the watched ones */
    uint64_t streamed;                      /* of those cycles: from the first answer to its loads until all is in */
    uint64_t issued;                        /* machine instructions of warps */
    uint64_t shared_passes;
    uint64_t barrier_cycles;       /* in which an SM takes the warps that arrive at barriers */
    uint64_t lines;                /* of 128 bytes that warps' accesses accessed in global memory */
    uint64_t dram_bytes, l2_bytes; /* accessed first by a block, in transfers of 64: from DRAM; from what an earlier
                                      launch has accessed */
    uint64_t atomic_tenths;        /* of cycles that L2 takes for atomics on one address, the launch's first */
    uint64_t stored_bytes;         /* of inputs, in the same way: written back some time */
};
struct pace {
    struct pace_launch *launch;
    unsigned count;
};

/* A measurement is for one GPU: MEASURE_PACE, beside other bits of `what`, is for the default one; this is for `gpu`.
 */
unsigned measure_pace_on(const struct gpu *gpu);
/* The GPU that m was begun for. */
const struct gpu *measured_gpu(const struct measurement *m);

/* Clock cycles of all launches in a measurement that was begun for `gpu`; 0 for none. A block that needs more shared
 * memory than an SM of that GPU has counts as if it were resident alone. */
double modeled_cycles(const struct pace *pace, const struct gpu *gpu);

#endif
