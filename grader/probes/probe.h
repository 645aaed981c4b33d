/* What the files of probes/ and the model's probe (model/pace.c) share. Nobody else includes this. */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include "base/array.h"
#include "probes/probes.h"

#include <stdlib.h>
#include <string.h>

/* Memory of the host is not a thing a probe can do without: ends the process with one line where there is none. */
void *probe_alloc(size_t count, size_t size); /* zeroed */
void *probe_grow(void *array, size_t count, size_t size);
_Noreturn void probe_no_memory(size_t bytes);
/* array_room() that does not fail. */
static inline void *probe_room(void *array, size_t least, unsigned *room, size_t size) {
    void *p = array_room(array, least, room, size);
    if (!p) probe_no_memory(least * size);
    return p;
}

/* The figures of the source line of `pc`, made when they are first asked for; NULL where the line is not known. Valid
 * until the next call. */
struct line_counts *probe_line(struct measurement *m, const struct sim_launch_info *launch, uint32_t pc);
struct line_counts *probe_line_named(struct measurement *m, const char *file, uint32_t line);

/* One state a slot: grows an array of pointers to zeroed states of `size` bytes as slots appear. */
struct probe_slots {
    void **state;
    uint32_t count;
};
void *probe_slot_make(struct probe_slots *slots, uint32_t slot, size_t size);
static inline void *probe_slot(const struct probe_slots *slots, uint32_t slot) {
    return slot < slots->count ? slots->state[slot] : NULL;
}
void probe_slots_free(struct probe_slots *slots);

/* Bits set. Most masks are full; without the popcnt instruction the builtin is a call. */
static inline unsigned lanes_in(uint32_t mask) {
    if (mask == UINT32_MAX) return SIM_WARP;
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
static inline unsigned lowest_lane(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }
/* A run of neighbouring lanes, none missing in between. */
static inline bool is_run(uint32_t mask) {
    uint32_t low = mask >> lowest_lane(mask);
    return (low & (low + 1)) == 0;
}
#define EACH_LANE(l, mask) for (uint32_t rest_ = (mask), l; rest_ && (l = lowest_lane(rest_), 1); rest_ &= rest_ - 1)

/* carried.c: is what element `element` of the load at `pc` brings only carried from memory to memory? Free `used`. */
struct probe_carried {
    bool local;                          /* of loads from local memory */
    const struct ptx_function *function; /* the one asked about last */
    uint8_t *used;                       /* its registers */
};
bool probe_only_carried(struct probe_carried *c, const struct sim_launch_info *launch, uint32_t pc, unsigned element);

/* banks.c: passes of an access to shared memory, and the fewest that its bytes need. */
struct probe_passes {
    unsigned passes, ideal;
};
struct probe_passes probe_passes(const struct sim_access *e);

/* sectors.c: 32-byte sectors that an access to global memory touches, and the fewest that its bytes need. */
void probe_sectors_of(const struct sim_access *e, unsigned *sectors, unsigned *ideal);
/* steps.c: two shuffles with nothing but moves between them pass the parts of one value: one exchange. */
bool probe_same_exchange(const struct sim_launch_info *launch, uint32_t from, uint32_t to);

extern const struct probe_row probe_counts, probe_steps, probe_banks, probe_sectors, probe_races, probe_uninitialised,
    probe_bounds, probe_barriers, probe_pace, probe_moves, probe_accesses;

#endif
