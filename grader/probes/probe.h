/* What the files of probes/ and the model's probe (model/pace.c) share. Nobody else includes this. */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include "base/array.h"
#include "base/map.h"
#include "probes/fields.h"
#include "probes/probes.h"

#include <stdlib.h>
#include <string.h>

/* A row of the table of probes (probes.def). `create` gives the probe's private state; `finish` moves what it found
 * into the measurement and frees the state. All that others do with a probe they do by its row: nobody else names it.
 */
struct probe_row {
    const char *name, *question; /* "races", "do two threads access a location with nothing to order them?" */
    unsigned part_of;            /* MEASURE_... bits */
    const struct sim_probe *callbacks;
    void *(*create)(struct measurement *m);
    void (*finish)(void *self, struct measurement *m);
    /* Where a launch must know what earlier ones did: a part's state learns it, and tells what it has seen. NULL: it
     * need not. `join` also joins the lists of the result. */
    void (*learn)(void *part, const void *whole);
    void (*join)(void *whole, void *part);
    /* The result: m->result[PROBE_name], zeroed bytes when the measurement begins; 0: none, the probe has findings
     * alone. `valid` says what the bounds of the fields cannot: NULL, or whether a stranger's result holds together. */
    size_t bytes;
    const struct field *fields;
    bool (*valid)(const void *result);
    const struct figure *figures;        /* in the record's counts; the last has no key. NULL: none */
    const struct finding_kind *findings; /* that it can tell; the last has no key. NULL: none */
};
extern const struct probe_row *const probe_rows[PROBE_COUNT];
#define PROBE(name) extern const struct probe_row probe_##name;
#include "probes/probes.def"
/* What all results have in common: findings and lines. */
extern const struct field finding_fields[], line_fields[];
/* A kind's number, for the wire, and back; UINT32_MAX and NULL if there is none. */
unsigned catalog_number(const struct finding_kind *kind);
const struct finding_kind *catalog_numbered(unsigned number);

/* Memory of the host is not a thing a probe can do without: ends the process with one line where there is none. */
void *probe_alloc(size_t count, size_t size); /* zeroed */
void *probe_grow(void *array, size_t count, size_t size);
_Noreturn void probe_no_memory(size_t bytes);
/* map_make() that does not fail. */
static inline uint64_t *probe_map(struct map *m, uint64_t key) {
    uint64_t *value = map_make(m, key);
    if (!value) probe_no_memory(2 * m->room * sizeof *m->item);
    return value;
}
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
/* A run of neighboring lanes, none missing in between. */
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
/* The function that an instruction of a launch is in; NULL: none. */
const struct ptx_function *probe_function_of(const struct sim_launch_info *launch, const struct ptx_insn *i);

/* combined.c: is what the load at `pc` brings computed with, together with another value, and not only handed on? */
bool probe_combines(const struct sim_launch_info *launch, uint32_t pc);

static inline uint32_t cluster_number(const struct sim_launch_info *launch, uint32_t block) {
    uint32_t cluster = block;
    if (launch->cluster_blocks > 1) sim_cluster_rank(launch, block, &cluster);
    return cluster;
}

/* banks.c: passes of an access to shared memory, and the fewest that its bytes need. */
struct probe_passes {
    unsigned passes, ideal;
};
struct probe_passes probe_passes(const struct sim_access *e);

/* sectors.c: 32-byte sectors that an access to global memory accesses, and the fewest that its bytes need. */
void probe_sectors_of(const struct sim_access *e, unsigned *sectors, unsigned *ideal);
/* exchange.c: does the shuffle at `pc` pass another part of the value of which the one at `first` (UINT32_MAX: none)
 * passed the first? Free `begin`. */
struct probe_exchanges {
    const struct ptx_insn *const *code; /* of the launch asked about last */
    uint32_t *begin, capacity;          /* by pc of a shuffle: where its exchange may begin, + 1; 0: not asked yet */
};
bool probe_same_exchange(struct probe_exchanges *x, const struct sim_launch_info *launch, uint32_t first, uint32_t pc);

#endif
