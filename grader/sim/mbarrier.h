/* Barriers in shared memory, for what arrives at them: mbarrier.c has the instructions, async.c and bulk.c the copies.
 */
#ifndef SIM_MBARRIER_H
#define SIM_MBARRIER_H

#include "sim/told.h"

struct sim_mbarrier {
    uint64_t offset;            /* in the block's shared memory */
    uint32_t expected, pending; /* arrivals per phase; those still missing */
    int64_t bytes;              /* that copies still have to transfer */
    uint64_t phase;
};
/* Location of an mbarrier. Arrivals, expected byte counts and bulk copies may target another block of the cluster. */
struct sim_mbarrier_place {
    struct sim_block *block;
    const struct sim_object *object;
    uint64_t offset[SIM_WARP];
};
/* The barrier at that offset of the block's shared memory; NULL: none. */
struct sim_mbarrier *sim_mbarrier_at(const struct sim_block *b, uint64_t offset);
/* The mbarrier at operand `k` of the lane, which may be another block's if `far`. NULL if there is none, which is
 * reported. */
struct sim_mbarrier *sim_mbarrier_of(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p);
/* The same for a generic address. */
struct sim_mbarrier *sim_mbarrier_in(struct sim_warp *w, const struct sim_insn *i, uint64_t address, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p);
/* Reports an access to the barrier; a strong one orders others, as the instruction's words say. */
void sim_mbarrier_tell(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, enum sim_access_kind kind,
                       bool strong, const struct sim_mbarrier_place *p);
void sim_mbarrier_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t l, struct sim_mbarrier *b,
                         uint64_t count);
/* bulk.c: completes the phase of the block's barrier at that offset, for which the warp waits, if nothing is missing
 * but bytes of bulk copies that have begun. */
void sim_bulk_complete(struct sim_warp *waits, uint64_t offset, struct sim_mbarrier *m);
/* The next phase begins if nothing is missing in this one. */
void sim_mbarrier_end_phase(struct sim_warp *w, struct sim_mbarrier *b);

#endif
