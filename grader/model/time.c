/* Modelled time: how long launches would take on a chip, from what the simulator saw; the same on every machine.
 * docs/metrics.md explains it and says how near it comes to an H200.
 *
 * A launch has `blocks` blocks, of which a multiprocessor holds `resident` at a time. Six things bound it, each alone:
 *
 *     waiting   blocks one after the other in each of the places, at the pace of a block that is alone (model/pace.c);
 *               a multiprocessor takes up a new block every so many cycles, whatever it does
 *     issue     machine instructions / (schedulers * multiprocessors): each scheduler starts one a cycle
 *     shared    passes / multiprocessors: shared memory serves one a cycle
 *     barriers  cycles in which warps come to barriers / multiprocessors
 *     lines     of 128 bytes that accesses of warps touch / (lines a cycle * multiprocessors)
 *     memory    bytes / bytes a cycle of the chip's memory
 *
 * They overlap, but not wholly: where two are equal, the launch takes longer than either. A norm says so simply: the
 * higher its exponent, the better things overlap, as memory does with the other five, which share the multiprocessor.
 * What a block does until its first answer and behind its last overlaps with nothing, once. At the end, the slowest
 * block is waited for, and atomics on one address, but for a tenth of the time, over which the blocks' ends are spread.
 * What the chip can do stands in model/gpus/h200.def.
 */
#include "model/model.h"
#include "model/gpus/gpu.h"
#include <math.h>

static double resident_blocks(const struct pace_launch *l) {
    const double by_threads = floor(chip.threads / fmax(l->threads, 32)),
                 by_shared = floor(chip.shared_bytes / (l->shared_bytes + chip.reserved_bytes));
    return fmax(1, fmin(fmin(by_threads, by_shared), chip.blocks));
}
static double norm(double exponent, const double *x, unsigned count) {
    double sum = 0;
    for (unsigned k = 0; k < count; k++) sum += pow(x[k], exponent);
    return pow(sum, 1 / exponent);
}
/* Of what all blocks together ask of the multiprocessors, each alone in cycles. */
static double multiprocessors_cycles(const struct pace_launch *l, double all, double active, double waiting) {
    const double issue = all * (double)l->issued / (chip.schedulers * active);
    const double shared = all * (double)l->shared_passes / active;
    const double barriers = all * (double)l->barrier_cycles / active;
    const double lines = all * (double)l->lines / (chip.lines * active);
    return norm(chip.inside, (const double[]){waiting, issue, shared, barriers, lines}, 5);
}
static double memory_cycles(const struct pace_launch *l, double all) {
    const double cached = all * (double)l->cached_bytes, far = cached > chip.cache_bytes ? cached : 0;
    const double stored = all * (double)l->stored_bytes, back = stored > chip.cache_bytes ? stored : 0;
    return (all * (double)l->memory_bytes + far + chip.stored * back) / chip.memory_rate +
           (cached - far) / chip.cache_rate;
}
/* The blocks that are resident first begin one after the other; then each place has its rounds. */
static double waiting_cycles(const struct pace_launch *l, double active, double pace) {
    const double resident = resident_blocks(l), rounds = fmax(1, l->blocks / (chip.multiprocessors * resident));
    return (l->blocks > active ? chip.dispatch * fmin(l->blocks / active, resident) : 0) + rounds * pace;
}
static double launch_cycles(const struct pace_launch *l) {
    if (!l->watched) return chip.launch;
    const double all = (double)l->blocks / l->watched; /* the watched blocks stand for all */
    const double active = fmin(l->blocks, chip.multiprocessors);
    const double pace = (double)l->cycles / l->watched, exposed = (double)(l->cycles - l->streamed) / l->watched;
    const double core = multiprocessors_cycles(l, all, active, waiting_cycles(l, active, pace) - exposed);
    const double busy = exposed + norm(chip.beside, (const double[]){core, memory_cycles(l, all)}, 2);
    const double crowd = l->memory_bytes ? chip.crowd * active / chip.multiprocessors : 0;
    const double atomics = fmax(0, all * (double)l->atomic_tenths / 10 - busy / 10);
    return chip.launch + fmax(busy, chip.dispatch * l->blocks / active) + crowd + ((double)l->longest - pace) + atomics;
}
double modelled_cycles(const struct pace *pace) {
    double sum = pace->count ? chip.first : 0;
    for (unsigned k = 0; k < pace->count; k++) sum += launch_cycles(&pace->launch[k]);
    return sum;
}
