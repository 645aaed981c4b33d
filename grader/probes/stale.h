/* Old values for loads that are not ordered after a store. Used only in witness runs (sim_schedule.stale); all other
 * runs are sequentially consistent. See stale.c. */
#ifndef PROBES_STALE_H
#define PROBES_STALE_H

#include "probes/shadow.h"

struct stale_page;
/* The old values of one object. All zeros: no stores yet. */
struct stale_memory {
    struct stale_page **pages;
    uint64_t page_count;
};
/* Which warps have met which stores. All zeros: none. */
struct stale_readers {
    struct map met;
};
void stale_free(struct stale_memory *m);
void stale_forget(struct stale_readers *r);
/* Records a store or atomic that has e->before; `serial`: its number, from 1. */
void stale_store(struct stale_memory *m, const struct sim_access *e, uint32_t serial);
/* Gives lanes of a load the value from before a store that is not ordered before the load. `load` and `store` are the
 * numbers of these accesses. Does so only if the store is the last one at its location and the schedule selects the
 * load. The load has e->stale; the lanes read `bytes` bytes at `offset` of the object. */
void stale_load(struct stale_memory *m, struct stale_readers *r, const struct sim_access *e, uint32_t store,
                uint32_t load, uint64_t offset, unsigned bytes, uint32_t lanes);

#endif
