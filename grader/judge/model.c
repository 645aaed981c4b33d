/* Modelled time: how long launches would take on a chip, from what the simulator saw; the same on every machine.
 * docs/metrics.md explains it and says how near it comes to an H200.
 *
 * A launch has `blocks` blocks, of which a multiprocessor holds `resident` at a time. Five things bound it, each alone:
 *
 *     waiting   blocks one after the other in each of the places, at the pace of a block that is alone (probes/pace.c)
 *     issue     machine instructions / (schedulers * multiprocessors): each scheduler starts one a cycle
 *     shared    passes / multiprocessors: shared memory serves one a cycle
 *     lines     of 128 bytes that accesses of warps touch / (lines a cycle * multiprocessors)
 *     memory    bytes / bytes a cycle of the chip's memory
 *
 * They overlap, but not wholly: where two are equal, the launch takes longer than either. Their Euclidean norm says so
 * simply. A multiprocessor takes up a new block every so many cycles, whatever it does. At the end, the slowest block
 * is waited for. */
#include "judge/judge.h"
#include <math.h>

enum { MEMORY = 2326 /* bytes a cycle */ };
/* Measured on an NVIDIA H200 at 1980 MHz: empty launches one after the other, empty grids, reading loops. */
static const struct {
    double multiprocessors, schedulers, threads, blocks, shared_bytes,
        reserved_bytes;             /* a multiprocessor's; a block's */
    double cache_bytes;             /* of the whole chip */
    double memory, cache;           /* bytes a cycle */
    double stored;                  /* what is written back to memory counts so many times, beside what is read */
    double lines;                   /* a cycle of a multiprocessor's own cache */
    double dispatch, launch, first; /* cycles */
} chip = {132, 4, 2048, 32, 227 << 10, 1 << 10, 40 << 20, MEMORY, 3600, 1.7, 2.4, 158, 3800, 5950};
const double modelled_cycles_a_microsecond = 1980, modelled_bytes_a_cycle = MEMORY;

static double resident_blocks(const struct pace_launch *l) {
    const double by_threads = floor(chip.threads / fmax(l->threads, 32)),
                 by_shared = floor(chip.shared_bytes / (l->shared_bytes + chip.reserved_bytes));
    return fmax(1, fmin(fmin(by_threads, by_shared), chip.blocks));
}
static double launch_cycles(const struct pace_launch *l) {
    if (!l->watched) return chip.launch;
    const double all = (double)l->blocks / l->watched; /* the watched blocks stand for all */
    const double active = fmin(l->blocks, chip.multiprocessors);
    const double rounds = fmax(1, l->blocks / (chip.multiprocessors * resident_blocks(l)));
    const double pace = (double)l->cycles / l->watched;
    const double waiting = rounds * pace;
    const double issue = all * (double)l->issued / (chip.schedulers * active);
    const double shared = all * (double)l->shared_passes / active;
    const double lines = all * (double)l->lines / (chip.lines * active);
    const double cached = all * (double)l->cached_bytes, far = cached > chip.cache_bytes ? cached : 0;
    const double stored = all * (double)l->stored_bytes, back = stored > chip.cache_bytes ? stored : 0;
    const double memory =
        (all * (double)l->memory_bytes + far + chip.stored * back) / chip.memory + (cached - far) / chip.cache;
    const double together = sqrt(waiting * waiting + issue * issue + shared * shared + lines * lines + memory * memory);
    return chip.launch + fmax(together, l->blocks / active * chip.dispatch) + ((double)l->longest - pace);
}
double modelled_cycles(const struct pace *pace) {
    double sum = pace->count ? chip.first : 0;
    for (unsigned k = 0; k < pace->count; k++) sum += launch_cycles(&pace->launch[k]);
    return sum;
}
