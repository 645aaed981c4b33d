/* Blocks that use the shared memory of another block of their cluster: it must not end before they are done. See
 * remote.c. */
#ifndef PROBES_REMOTE_H
#define PROBES_REMOTE_H

#include "probes/order.h"

/* What each warp of another block did last in a block's shared memory. */
struct visitor {
    struct sim_where where;
    uint32_t pc, lanes, flags;                /* its last access; all lanes that have been there; whose last access
                                                 there was a strong store or an atomic, */
    uint64_t flag[SIM_WARP];                  /* and its offset */
    uint32_t time[SIM_WARP], phase[SIM_WARP]; /* of the last access of each; arrivals at the cluster's barrier before */
    struct sim_object object;
    uint64_t offset;
    unsigned bytes;
    enum sim_access_kind kind;
};
struct visitors {
    struct visitor *item;
    unsigned count, capacity;
    bool ended; /* the block whose memory it is */
};
void visitors_clear(struct visitors *v);
void visitors_free(struct visitors *v);
/* An access to the memory of another block, by a block of that order. */
void visitors_note(struct visitors *v, const struct sim_access *e, const struct block_order *own,
                   struct measurement *m);
/* A strong access of the block itself: it sees the flags that others have set at its places. */
void visitors_seen(struct visitors *v, const struct sim_access *e);
/* The block ends: tells of those that nothing orders before. */
void visitors_end(struct visitors *v, const struct block_order *b, struct chain *c,
                  const struct sim_launch_info *launch, struct measurement *m);

#endif
