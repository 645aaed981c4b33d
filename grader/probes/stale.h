/* Old values for loads that are not ordered after a store, in runs with sim_schedule.stale. Other runs are sequentially
 * consistent. */
#ifndef PROBES_STALE_H
#define PROBES_STALE_H

#include "probes/shadow.h"

struct stale_page;
/* An object's old values. All members are zero until the first store. */
struct stale_memory {
    struct stale_page **pages;
    uint64_t page_count;
};
/* The warps that have read locations after unordered stores. All members are zero until the first such read. */
struct stale_readers {
    struct map met;
};
void stale_free(struct stale_memory *m);
void stale_forget(struct stale_readers *r);
/* Records the values that a store or atomic overwrites, from e->before. `serial` is the access's number, from 1. */
void stale_store(struct stale_memory *m, const struct sim_access *e, uint32_t serial);
/* Gives lanes of a load the value before store number `store`, which is not ordered before the load. `load` is the
 * load's number, and e->stale gets the values. The lanes read `bytes` bytes at `offset` of the object. Does nothing if
 * the schedule does not select the load, or if there was a later store to the location. Also does nothing if an earlier
 * load of the warp got this store's old values. */
void stale_load(struct stale_memory *m, struct stale_readers *r, const struct sim_access *e, uint32_t store,
                uint32_t load, uint64_t offset, unsigned bytes, uint32_t lanes);

#endif
