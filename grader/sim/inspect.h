/* Inspection of a running warp, for callbacks of `watch` events. */
#ifndef SIM_INSPECT_H
#define SIM_INSPECT_H

#include "sim/events.h"

/* Lanes of a warp with the same pc and call stack. Ready lanes are about to execute the instruction at pc; waiting
 * lanes have executed the one before. */
enum sim_group_state {
    SIM_GROUP_READY,
    SIM_GROUP_BARRIER,
    SIM_GROUP_SYNC /* waits for other lanes of the warp, or at the cluster barrier */
};
struct sim_group {
    uint32_t pc, mask, barrier;
    enum sim_group_state state;
    unsigned depth; /* call depth */
};
/* Stores the warp's groups in ascending order of pc. Returns their number. Lanes outside all groups have exited. */
unsigned sim_groups(const struct sim_warp *w, struct sim_group group[SIM_WARP]);
const struct sim_where *sim_warp_where(const struct sim_warp *w);
/* Returns the warp with this index in the same block, or NULL. */
const struct sim_warp *sim_warp_of_block(const struct sim_warp *w, uint32_t index);

/* Gets the value of a register of the lane's current function; a predicate is 0 or 1. Returns false if the lane has
 * exited, if the function has no such register, or if another register uses the row now (registers.c). */
bool sim_lane_register(const struct sim_warp *w, unsigned lane, uint32_t reg, uint64_t *value);
/* Returns the lane's current function, or NULL if the lane has exited. */
const struct ptx_function *sim_lane_function(const struct sim_warp *w, unsigned lane);
/* Reads shared, local, global or const memory at a generic address, like a load by this lane. Returns false if no
 * object contains the bytes. */
bool sim_lane_read(const struct sim_warp *w, unsigned lane, uint64_t address, void *to, unsigned bytes);
/* Returns the generic address of an offset in shared memory. */
uint64_t sim_shared_address(uint64_t offset);

#endif
