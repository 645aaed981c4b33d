/* Accesses to the shared memory of another block in the cluster. The block must have started and must not have
 * exited. */
#ifndef PROBES_REMOTE_H
#define PROBES_REMOTE_H

#include "probes/order.h"

/* A warp of another block, with its accesses to this block's shared memory. */
struct visitor {
    struct sim_where where;
    /* pc: instruction of the last access; lanes: those that have accessed the memory; flags: those whose last access
     * was a strong store or atomic. When the owner reads a lane's flag, the lane leaves both masks. */
    uint32_t pc, lanes, flags;
    uint64_t flag[SIM_WARP]; /* by lane: offset of its last access */
    /* Each lane's last access: its time, and the lane's arrivals at the cluster's barrier before it. */
    uint32_t time[SIM_WARP], phase[SIM_WARP];
    struct sim_object object;
    uint64_t offset;
    unsigned bytes;
    enum sim_access_kind kind;
};
struct visitors {
    struct visitor *item;
    unsigned count, capacity;
    bool ended; /* the memory's block has exited */
};
void visitors_clear(struct visitors *v);
void visitors_free(struct visitors *v);
/* Records an access to another block's shared memory. Reports it if the block has exited or may not have started. `own`
 * is the accessing block's order. */
void visitors_note(struct visitors *v, const struct sim_access *e, const struct block_order *own, struct chain *c,
                   struct measurement *m);
/* Records a strong access of the owning block, which may read flags that other blocks have set. */
void visitors_seen(struct visitors *v, const struct sim_access *e);
/* The block exits. Reports accesses that are not ordered before its exit. */
void visitors_end(struct visitors *v, struct block_order *b, struct chain *c, struct measurement *m);

#endif
