/* Models how long launches would take on a GPU, from the simulator's counts, so that the result is the same on every
 * machine. docs/metrics.md explains the model, and docs/performance.md compares it with an H200.
 *
 * A launch has `blocks` blocks, some of which are resident at a time. There are six lower bounds for its time:
 *
 *     waiting   the waves of blocks in each resident slot, each for the time of a block alone (block_time.c);
 *               plus the time that an SM takes to start its blocks
 *     issue     machine instructions / (schedulers * SMs): each scheduler issues one per cycle
 *     shared    wavefronts / SMs: shared memory serves one per cycle
 *     barriers  cycles in which warps arrive at barriers / SMs
 *     lines     128-byte lines that warps access / (lines per cycle * SMs)
 *     memory    bytes / throughput of DRAM or L2
 *
 * The work behind these bounds overlaps, but not completely: if two bounds are equal, the launch takes longer than
 * either. A p-norm models this. The larger its exponent, the better the overlap. The exponent is larger for memory than
 * for the other five bounds, which share the SM. The latency before a block's first answer and after its last one does
 * not overlap and is added once. At the end, the launch waits for the slowest block and for atomics on the same
 * address. A tenth of the blocks' time is subtracted from the time of the atomics, because the blocks do not all end at
 * once. The GPU's constants are in gpus/gpus.def. */
#include "model/model.h"
#include <math.h>

enum { GPU_SHIFT = 24 }; /* first of the bits in a measurement's `what` that hold the index in gpu_rows[] */

unsigned measure_block_time_on(const struct gpu *gpu) { return MEASURE_BLOCK_TIME | gpu_index(gpu) << GPU_SHIFT; }
const struct gpu *measured_gpu(const struct measurement *m) {
    const unsigned k = m->what >> GPU_SHIFT;
    return k < gpu_count ? gpu_rows[k] : gpu_default;
}

static double norm(double exponent, const double *x, unsigned count) {
    double sum = 0;
    for (unsigned k = 0; k < count; k++) sum += pow(x[k], exponent);
    return pow(sum, 1 / exponent);
}
/* Returns the number of evenly loaded SMs that would take as long for the same work as the busiest SM takes. Ignores
 * slight differences between SMs, because the time of the slowest block already includes them. */
static double evenly_loaded(const struct block_time_launch *l, double active) {
    enum { SLIGHTLY = 5 /* percent */ };
    if (!l->busiest_sm) return active;
    return fmin(active, (100 + SLIGHTLY) / 100.0 * (double)l->together / (double)l->busiest_sm);
}
/* Returns the cycles that all blocks together take on the SMs: the norm of five bounds. */
static double sm_cycles(const struct gpu *gpu, const struct block_time_launch *l, double all, double active,
                        double waiting) {
    const double issue = all * (double)l->issued / (gpu->schedulers * active);
    const double shared = all * (double)l->shared_wavefronts / active;
    const double barriers = all * (double)l->barrier_cycles / active;
    const double lines = all * (double)l->lines / (gpu->l1_lines * active);
    return norm(gpu->sm_overlap, (const double[]){waiting, issue, shared, barriers, lines}, 5);
}
/* Returns the cycles that memory takes. Data that does not fit into L2 is read from DRAM again and written back to it.
 */
static double memory_cycles(const struct gpu *gpu, const struct block_time_launch *l, double all) {
    const double touched = all * (double)l->l2_bytes, out_of_l2 = touched > gpu->l2_bytes ? touched : 0;
    const double stored = all * (double)l->stored_bytes, written_back = stored > gpu->l2_bytes ? stored : 0;
    return (all * (double)l->dram_bytes + out_of_l2 + gpu->write_back * written_back) / gpu->dram_throughput +
           (touched - out_of_l2) / gpu->l2_throughput;
}
/* Returns the cycles of all waves. The first resident blocks of an SM start one after another. Each slot then runs one
 * block in each wave. With clusters, the number of waves is rounded up, because there are few clusters and the last
 * ones run alone. */
static double waiting_cycles(const struct gpu *gpu, const struct block_time_launch *l, double active,
                             double block_time) {
    const double most = gpu_resident(gpu, l->threads, l->shared_bytes, l->cluster), waves = l->blocks / most;
    const double rounds = fmax(1, l->cluster > 1 ? ceil(waves) : waves);
    return (l->blocks > active ? gpu->block_dispatch * fmin(l->blocks / active, most / gpu->sms) : 0) +
           rounds * block_time;
}
/* Returns `all` / `part`, but at least 1. */
static double times(uint64_t all, uint64_t part) { return part ? fmax(1, (double)all / (double)part) : 1; }
static double launch_cycles(const struct gpu *gpu, const struct block_time_launch *l) {
    if (!l->watched) return gpu->launch_overhead;
    /* The watched blocks represent all blocks, either in proportion to the number of blocks or, if the other blocks
     * have more work, to the work. */
    const double by_number = (double)l->blocks / l->watched, all = fmax(by_number, times(l->work, l->watched_work));
    /* the slowest block draws the last ticket, at cycle `ticket`, and then executes the tail */
    const uint64_t last = l->ticket + l->tail > l->longest ? l->ticket + l->tail : l->longest;
    const double longest = (double)last * times(l->most_work, l->watched_most_work);
    const double active = fmin(l->blocks, gpu->sms);
    const double block_time = (double)l->cycles / l->watched, exposed = (double)(l->cycles - l->streamed) / l->watched;
    /* at least 0, because the norm needs nonnegative numbers. A single round without loads leaves only a rounding
     * error, which may be negative */
    const double waiting = fmax(0, waiting_cycles(gpu, l, active, block_time * all / by_number) - exposed);
    const double core = sm_cycles(gpu, l, all, evenly_loaded(l, active), waiting);
    const double busy = exposed + norm(gpu->dram_overlap, (const double[]){core, memory_cycles(gpu, l, all)}, 2);
    const double contention = l->dram_bytes ? gpu->contention * active / gpu->sms : 0;
    const double atomics = fmax(0, all * (double)l->atomic_tenths / 10 - busy / 10);
    return gpu->launch_overhead + fmax(busy, gpu->block_dispatch * l->blocks / active) + contention +
           (longest - block_time) + atomics;
}
double modeled_cycles(const struct block_time *times, const struct gpu *gpu) {
    double sum = times->count ? gpu->first_launch : 0;
    for (unsigned k = 0; k < times->count; k++) sum += launch_cycles(gpu, &times->launch[k]);
    return sum;
}
double modeled_graph_cycles(const struct block_time *times, const struct gpu *gpu) {
    const unsigned later = times->count ? times->count - 1 : 0;
    return modeled_cycles(times, gpu) - later * (gpu->launch_overhead - gpu->graph_launch);
}
