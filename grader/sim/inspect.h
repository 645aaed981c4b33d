/* Inspects a running warp from within the callback of a `watch` event. */
#ifndef SIM_INSPECT_H
#define SIM_INSPECT_H

#include "sim/events.h"

/* Lanes of a warp at the same place. They are about to execute the instruction at pc or, if they wait, are just past
 * it. */
enum sim_group_state { SIM_GROUP_READY, SIM_GROUP_BARRIER, SIM_GROUP_SYNC };
struct sim_group {
    uint32_t pc, mask, barrier;
    enum sim_group_state state;
    unsigned depth; /* of calls */
};
/* Gets the groups, sorted by pc; returns their number. Lanes in no group have exited. */
unsigned sim_groups(const struct sim_warp *w, struct sim_group group[SIM_WARP]);
const struct sim_where *sim_warp_where(const struct sim_warp *w);
/* Another warp of the same block; NULL if there is none with that index. */
const struct sim_warp *sim_warp_of_block(const struct sim_warp *w, uint32_t index);

/* Gets a register of the lane's current function; a predicate is 0 or 1. False if the lane has exited. Also false if
 * the function has so many registers that they share memory (registers.c), and another one uses this register's memory
 * now. */
bool sim_lane_register(const struct sim_warp *w, unsigned lane, uint32_t reg, uint64_t *value);
/* The lane's current function; NULL if it has exited. */
const struct ptx_function *sim_lane_function(const struct sim_warp *w, unsigned lane);
/* Reads memory as the lane sees it, at a generic address; false if it is in no object. */
bool sim_lane_read(const struct sim_warp *w, unsigned lane, uint64_t address, void *to, unsigned bytes);
/* The generic address of an offset in shared memory. */
uint64_t sim_shared_address(uint64_t offset);

#endif
