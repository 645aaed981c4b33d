/* Old values for loads that are not ordered after a store. Used only in witness runs (sim_schedule.stale); all other
 * runs are sequentially consistent. See stale.c. */
#ifndef PROBES_STALE_H
#define PROBES_STALE_H

#include "probes/shadow.h"

struct stale_page;
/* For one object. Zeroed: it has had no stores. */
struct stale_memory {
    struct stale_page **pages;
    uint64_t page_count;
};
/* Which warps have encountered which stores. Zeroed: none. */
struct stale_readers {
    struct map met;
};
void stale_free(struct stale_memory *m);
void stale_forget(struct stale_readers *r);
/* A store or atomic with e->before; `serial`: its number, from 1. */
void stale_store(struct stale_memory *m, const struct sim_access *e, uint32_t serial);
/* Gives lanes of load number `load`, which has e->stale, the value from before store number `store`, which nothing
 * orders before the load, if it is the last store there and the load is selected. They read `bytes` bytes at `offset`
 * of the object. */
void stale_load(struct stale_memory *m, struct stale_readers *r, const struct sim_access *e, uint32_t store,
                uint32_t load, uint64_t offset, unsigned bytes, uint32_t lanes);

#endif
