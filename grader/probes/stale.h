/* Old values for loads that are not ordered after a store. Used only in runs with sim_schedule.stale. All other runs
 * are sequentially consistent. */
#ifndef PROBES_STALE_H
#define PROBES_STALE_H

#include "probes/shadow.h"

struct stale_page;
/* The old values of an object. All members are zero until the first store. */
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
/* Records the values that a store or atomic overwrites, from e->before. `serial` is the number of the access, from
 * 1. */
void stale_store(struct stale_memory *m, const struct sim_access *e, uint32_t serial);
/* Gives lanes of a load the value from before the store numbered `store`, which is not ordered before the load. `load`
 * is the number of the load, and e->stale receives the values. The lanes read `bytes` bytes at `offset` of the object.
 * Does nothing if the location has been stored to since, if an earlier load of the warp got old values of this store,
 * or if the schedule does not select the load. */
void stale_load(struct stale_memory *m, struct stale_readers *r, const struct sim_access *e, uint32_t store,
                uint32_t load, uint64_t offset, unsigned bytes, uint32_t lanes);

#endif
