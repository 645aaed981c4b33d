/* The cost model: from the simulator's counts, computes how long launches would take on a GPU. The result is the same
 * on every machine.
 *
 *   block_time.c      a probe that models how long a block would take alone
 *   time.c      the time of a launch, from its blocks
 *   costs.c     the costs of each instruction, for block_time.c
 *   balance.c   the work of all blocks; selects the blocks for block_time.c
 *   gpus/       the only folder with the GPUs' constants
 *
 * docs/metrics.md explains the model. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/gpus/gpu.h"
#include "probes/probes.h"

/* A launch, as the probe block_time measures it. Unless stated otherwise, the counts are sums over the watched blocks,
 * a sample of all blocks.
 */
struct block_time_launch {
    uint32_t blocks, threads, shared_bytes; /* blocks of the grid; threads and bytes per block */
    uint32_t cluster;                       /* blocks per cluster; 1 without clusters */
    uint32_t watched;                       /* number of watched blocks */
    uint64_t cycles, longest; /* number of cycles that a block takes alone: sum over the blocks; maximum, less the
                                 block's head start */
    uint64_t ticket, tail; /* maximum number of cycles of a block before its last atomic on global memory that returns a
                              value, less its head start; maximum number after this atomic */
    uint64_t work, watched_work; /* work of all blocks, and of the watched blocks (balance.h) */
    uint64_t most_work,
        watched_most_work; /* work of the busiest warp: among all blocks, and among the watched blocks */
    uint64_t together,
        busiest_sm;    /* work before the blocks' tickets: of all blocks, and of the busiest SM; 0 if unknown */
    uint64_t streamed; /* the part of `cycles` from the first answer to a load until all data has arrived */
    uint64_t issued;   /* machine instructions that warps issue */
    uint64_t shared_wavefronts;    /* wavefronts of shared memory */
    uint64_t barrier_cycles;       /* cycles in which an SM handles warps that arrive at barriers */
    uint64_t lines;                /* lines of 128 bytes in global memory that warps accessed */
    uint64_t dram_bytes, l2_bytes; /* bytes that L1 does not serve, in transfers of 64 bytes: from DRAM, and from L2 */
    uint64_t
        atomic_tenths;     /* tenths of a cycle that L2 takes for atomics on the address of the launch's first atomic */
    uint64_t stored_bytes; /* bytes stored to inputs, in transfers of 64 bytes; they are written back to DRAM later */
};
struct block_time {
    struct block_time_launch *launch;
    unsigned count;
};

/* Returns the bits of a measurement's `what` that measure the time of blocks on `gpu`. MEASURE_BLOCK_TIME alone selects
 * the default GPU. */
unsigned measure_block_time_on(const struct gpu *gpu);
/* Returns the GPU for which m measures the time of blocks. */
const struct gpu *measured_gpu(const struct measurement *m);

/* Returns the clock cycles of all launches in a measurement that was made for `gpu`, or 0 if there are none. A block
 * that needs more shared memory than an SM of that GPU has is modeled as the only resident block of its SM. */
double modeled_cycles(const struct block_time *times, const struct gpu *gpu);
/* Like modeled_cycles(), if all launches are launched as one graph. */
double modeled_graph_cycles(const struct block_time *times, const struct gpu *gpu);

#endif
