/* Blocks that use the shared memory of another block in their cluster, which must have started, and must not exit
 * before they are done. See remote.c. */
#ifndef PROBES_REMOTE_H
#define PROBES_REMOTE_H

#include "probes/order.h"

/* The last access of each warp of another block to a block's shared memory. */
struct visitor {
    struct sim_where where;
    uint32_t pc, lanes, flags;                /* its last access; all lanes that have accessed it; lanes whose last
                                                 access there was a strong store or an atomic, */
    uint64_t flag[SIM_WARP];                  /* and its offset */
    uint32_t time[SIM_WARP], phase[SIM_WARP]; /* of each lane's last access; arrivals at the cluster's barrier before
                                                 it */
    struct sim_object object;
    uint64_t offset;
    unsigned bytes;
    enum sim_access_kind kind;
};
struct visitors {
    struct visitor *item;
    unsigned count, capacity;
    bool ended; /* the block that owns the memory */
};
void visitors_clear(struct visitors *v);
void visitors_free(struct visitors *v);
/* An access to another block's memory, by a block with that order. */
void visitors_note(struct visitors *v, const struct sim_access *e, const struct block_order *own, struct chain *c,
                   struct measurement *m);
/* A strong access by the block itself: it sees the flags that others have set there. */
void visitors_seen(struct visitors *v, const struct sim_access *e);
/* The block exits: reports the accesses that are not ordered before its end. */
void visitors_end(struct visitors *v, const struct block_order *b, struct chain *c,
                  const struct sim_launch_info *launch, struct measurement *m);

#endif
