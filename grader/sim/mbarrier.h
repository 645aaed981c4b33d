/* Barriers in shared memory. mbarrier.c has the instructions; async.c and bulk.c have the copies that arrive at them.
 */
#ifndef SIM_MBARRIER_H
#define SIM_MBARRIER_H

#include "sim/told.h"

struct sim_mbarrier {
    uint64_t offset;            /* offset in the block's shared memory */
    uint32_t expected, pending; /* arrivals per phase; arrivals that are still missing */
    int64_t bytes;              /* bytes that copies still have to transfer */
    uint64_t phase;
};
/* The location of an mbarrier. Arrivals, expected byte counts and bulk copies may use one in another block of the
 * cluster. */
struct sim_mbarrier_place {
    struct sim_block *block;
    const struct sim_object *object;
    uint64_t offset[SIM_WARP];
};
/* The barrier at that offset of the block's shared memory; NULL: none. */
struct sim_mbarrier *sim_mbarrier_at(const struct sim_block *b, uint64_t offset);
/* The mbarrier at operand `k` of the lane; if `far`, it may be in another block. If there is none, reports that and
 * returns NULL. */
struct sim_mbarrier *sim_mbarrier_of(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p);
/* The same for a generic address. */
struct sim_mbarrier *sim_mbarrier_in(struct sim_warp *w, const struct sim_insn *i, uint64_t address, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p);
/* Reports an access to the barrier. If it is strong, the instruction's modifiers say what it orders. */
void sim_mbarrier_tell(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, enum sim_access_kind kind,
                       bool strong, const struct sim_mbarrier_place *p);
void sim_mbarrier_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t l, struct sim_mbarrier *b,
                         uint64_t count);
/* bulk.c: the warp waits for the phase of the block's barrier at that offset. Completes the phase if only bytes of bulk
 * copies that have begun are missing. */
void sim_bulk_complete(struct sim_warp *waits, uint64_t offset, struct sim_mbarrier *m);
/* Begins the next phase if nothing is missing in this one. */
void sim_mbarrier_end_phase(struct sim_warp *w, struct sim_mbarrier *b);

#endif
