/* The cost model: how long launches would take on a GPU, computed from the simulator's counts, so it is the same on
 * every machine.
 *
 *   pace.c      a probe: how long each block would take alone      time.c   the launch, from its blocks
 *   balance.c   the work of all blocks, and whom pace.c follows    gpus/    the GPUs' constants, written nowhere else
 *
 * docs/metrics.md explains it. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/gpus/gpu.h"
#include "probes/probes.h"

/* The pace of a launch: sums over the watched blocks, which represent all. */
struct pace_launch {
    uint32_t blocks, threads, shared_bytes; /* in the grid; per block; per block */
    uint32_t cluster;                       /* blocks of a cluster; 0 or 1: none */
    uint32_t watched;                       /* blocks */
    uint64_t cycles, longest; /* that a block would take alone: the sum, and the maximum, less its head start */
    uint64_t ticket, tail;    /* maximum cycles up to a block's last atomic that returns a value, less its head start,
                                 and after it */
    uint64_t work, watched_work;           /* of all blocks, and of the watched ones (balance.h) */
    uint64_t most_work, watched_most_work; /* of the busiest warp among all blocks, and among the watched ones */
    uint64_t together, busiest_sm; /* the work of all blocks before their tickets; of the SM that has the most; 0:
                                      unknown */
    uint64_t streamed;             /* the part of those cycles from the first answer to a load until all data
                                      has arrived */
    uint64_t issued;               /* machine instructions of warps */
    uint64_t shared_passes;
    uint64_t barrier_cycles;       /* in which an SM handles warps arriving at barriers */
    uint64_t lines;                /* of 128 bytes in global memory that warps accessed */
    uint64_t dram_bytes, l2_bytes; /* first accessed by a block, in transfers of 64: from DRAM; from what an earlier
                                      launch has accessed */
    uint64_t atomic_tenths;        /* of cycles that L2 takes for atomics on one address, the launch's first */
    uint64_t stored_bytes;         /* of inputs, counted in the same way: written back eventually */
};
struct pace {
    struct pace_launch *launch;
    unsigned count;
};

/* Selects the GPU of a measurement: MEASURE_PACE, combined with other bits of `what`, selects the default GPU; this
   selects `gpu`. */
unsigned measure_pace_on(const struct gpu *gpu);
/* The GPU that m was started for. */
const struct gpu *measured_gpu(const struct measurement *m);

/* Clock cycles of all launches in a measurement started for `gpu`; 0 for none. A block that needs more shared memory
 * than an SM of that GPU has counts as the only resident block. */
double modeled_cycles(const struct pace *pace, const struct gpu *gpu);
/* The same, if they are launched as one graph. */
double modeled_graph_cycles(const struct pace *pace, const struct gpu *gpu);

#endif
