/* Barriers in shared memory. mbarrier.c has the instructions; async.c and bulk.c have the copies that signal
 * barriers. */
#ifndef SIM_MBARRIER_H
#define SIM_MBARRIER_H

#include "sim/report.h"

struct sim_mbarrier {
    uint64_t offset;            /* in the block's shared memory */
    uint32_t expected, pending; /* arrivals per phase; arrivals that this phase lacks */
    int64_t bytes;              /* bytes that copies still have to transfer */
    uint64_t phase;             /* number of completed phases */
};
/* An mbarrier's location. Arrivals that return no state, changes of the byte count, and bulk copies may name an
 * mbarrier of another block in the cluster. Other instructions need one of their own block. */
struct sim_mbarrier_place {
    struct sim_block *block;
    const struct sim_object *object;
    uint64_t offset[SIM_WARP];
};
/* Returns the mbarrier at `offset` in the block's shared memory, or NULL. */
struct sim_mbarrier *sim_mbarrier_at(const struct sim_block *b, uint64_t offset);
/* Returns the mbarrier to which lane `l`'s operand `k` points. If `far`, it may be in another block of the cluster.
 * Reports a fault and returns NULL if there is no valid mbarrier. */
struct sim_mbarrier *sim_mbarrier_of(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p);
/* Same as sim_mbarrier_of(), but for a generic address. */
struct sim_mbarrier *sim_mbarrier_in(struct sim_warp *w, const struct sim_insn *i, uint64_t address, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p);
/* Reports an access to an mbarrier to the listeners. For a strong access, the instruction's modifiers decide the
 * order. */
void sim_mbarrier_report(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, enum sim_access_kind kind,
                         bool strong, const struct sim_mbarrier_place *p);
/* Subtracts `count` from the pending arrivals. Reports a misuse instead if it is 0 or too large. */
void sim_mbarrier_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t l, struct sim_mbarrier *b,
                         uint64_t count);
/* Warp `waits` tests the mbarrier at `offset` in its block's shared memory. If the phase lacks only bytes of bulk
 * copies in flight, completes these copies and thus the phase (bulk.c). */
void sim_bulk_complete(struct sim_warp *waits, uint64_t offset, struct sim_mbarrier *m);
/* Begins the next phase if the current one lacks neither arrivals nor bytes. */
void sim_mbarrier_end_phase(struct sim_warp *w, struct sim_mbarrier *b);

#endif
