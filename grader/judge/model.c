/* Modelled time: an estimate in cycles from counted work, the same on every machine. docs/metrics.md explains it.
 *
 * A launch keeps `active` multiprocessors busy, each with `resident` blocks at a time. Its time is
 *
 *     start + max(issue, shared, memory) + waves * latency
 *
 *     issue   = warp-instructions / (schedulers * active)          each scheduler starts one warp-instruction a cycle
 *     shared  = shared passes / active                             one pass a cycle
 *     memory  = sectors * 32 bytes / bytes a cycle of the chip
 *     latency = per block: barriers * barrier cost + what its longest chain of loads waits for
 *
 * The constants are those of a chip like the H200, from its data sheet, and round figures for latencies. */
#include "judge/judge.h"
#include <math.h>

static const struct {
    double multiprocessors, schedulers, threads, blocks, shared_bytes; /* a multiprocessor's */
    double bytes_a_cycle;                                              /* 4.8 TB/s at 1.755 GHz */
    double start, barrier, load, step;                                 /* cycles */
} chip = {132, 4, 2048, 32, 227 << 10, 2735, 3000, 25, 600, 30};

double modelled_cycles(const struct counts *c, uint32_t block_threads, uint32_t shared_bytes) {
    if (!c->blocks || !c->launches) return 0;
    double resident = floor(chip.threads / block_threads);
    if (resident > chip.blocks) resident = chip.blocks;
    if (shared_bytes && resident > floor(chip.shared_bytes / shared_bytes))
        resident = floor(chip.shared_bytes / shared_bytes);
    if (resident < 1) resident = 1;
    const double blocks = (double)c->blocks / (double)c->launches; /* of a launch */
    const double active = blocks < chip.multiprocessors ? blocks : chip.multiprocessors;
    const double waves = ceil(blocks / (chip.multiprocessors * resident));
    const double issue = (double)c->warp_instructions / (chip.schedulers * active);
    const double shared = (double)c->shared_passes / active;
    const double memory = 32 * (double)c->global_sectors / chip.bytes_a_cycle;
    const double busiest = fmax(issue, fmax(shared, memory));
    /* Steps that go to global memory wait for it, the others for shared memory or a shuffle: shared out over the steps
     * by requests. */
    const double requests = (double)(c->global_requests + c->shared_requests + c->shuffles),
                 global_share = requests > 0 ? (double)c->global_requests / requests : 0;
    const double steps = (double)c->steps / (double)c->blocks;
    const double latency = (double)c->barriers / (double)c->blocks * chip.barrier +
                           steps * (global_share * chip.load + (1 - global_share) * chip.step);
    return (double)c->launches * (chip.start + waves * latency) + busiest;
}
