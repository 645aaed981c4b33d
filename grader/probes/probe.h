/* Internals of the probes. Only files in probes/ and model/, and tests, include this header. */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include "base/array.h"
#include "base/map.h"
#include "probes/fields.h"
#include "probes/probes.h"

#include <stdlib.h>
#include <string.h>

/* A probe's row in the table of probes (probes.def), through which all other code uses it. `create` returns the probe's
 * private state. `finish` moves the results into the measurement and frees the state. */
struct probe_row {
    const char *name, *question; /* question: what the probe finds out */
    unsigned part_of;            /* the MEASURE_... bits that select the probe */
    const struct sim_probe *callbacks;
    void *(*create)(struct measurement *m);
    void (*finish)(void *self, struct measurement *m);
    /* Only for probes whose results contain lists or depend on earlier launches; otherwise NULL. `learn` copies the
     * state of earlier launches to a part of a launch. `join` copies the part's state back, and merges the lists. */
    void (*learn)(void *part, const void *whole);
    void (*join)(void *whole, void *part);
    /* Only for probes that may need a second run of the same launches; otherwise NULL. Returns whether the probe needs
     * one, and copies the state that the second run needs from the first run. */
    bool (*again)(void *second, const void *first);
    /* Bytes of the result m->result[PROBE_name], which is zero at first; 0 if the probe has only findings. `valid` may
     * be NULL. It checks an untrusted result, whose fields are already known to be within their bounds, for
     * consistency. */
    size_t bytes;
    const struct field *fields;
    bool (*valid)(const void *result);
    /* The probe's figures in the record's `counts`, or NULL. A row without a key ends the array. */
    const struct figure *figures;
    /* The kinds of findings that the probe reports, or NULL. A row without a key ends the array. */
    const struct finding_kind *findings;
};
extern const struct probe_row *const probe_rows[PROBE_COUNT];
#define PROBE(name) extern const struct probe_row probe_##name;
#include "probes/probes.def"
/* The fields of a finding, and those of a source line's counts. */
extern const struct field finding_fields[], line_fields[];
/* Convert a kind to its number in a serialized measurement, and back. catalog_number() returns UINT32_MAX for an
 * unknown kind, catalog_numbered() NULL for an unknown number. */
unsigned catalog_number(const struct finding_kind *kind);
const struct finding_kind *catalog_numbered(unsigned number);

/* Allocation for probes, which cannot continue without host memory: prints a message and aborts on failure. */
void *probe_alloc(size_t count, size_t size); /* returns zeroed memory */
void *probe_grow(void *array, size_t count, size_t size);
_Noreturn void probe_no_memory(size_t bytes);
/* Like map_make(), but aborts if out of memory. */
static inline uint64_t *probe_map(struct map *m, uint64_t key) {
    uint64_t *value = map_make(m, key);
    if (!value) probe_no_memory(2 * m->room * sizeof *m->item);
    return value;
}
/* Like array_room(), but aborts if out of memory. */
static inline void *probe_room(void *array, size_t least, unsigned *room, size_t size) {
    void *p = array_room(array, least, room, size);
    if (!p) probe_no_memory(least * size);
    return p;
}
/* Does the same as probe_room(), and zeroes the first `count` items. */
static inline void *probe_zeroed(void *array, size_t count, unsigned *room, size_t size) {
    return memset(probe_room(array, count, room, size), 0, count * size);
}

/* Does the same as probe_room() for an array indexed by pc. Zeroes the items of the instructions that the launch can
 * execute, and the next item. These are few, because a module has many kernels. */
static inline void *probe_by_pc(void *array, const struct sim_launch_info *l, unsigned *room, size_t size) {
    char *p = probe_room(array, l->code_count + 1, room, size);
    memset(p + l->code_begin * size, 0, (l->code_end + 1 - l->code_begin) * size);
    return p;
}

/* Returns the counts for the source line of `pc`, created on first use, or NULL if the line is unknown. The pointer is
 * valid until the next call. */
struct line_counts *probe_line(struct measurement *m, const struct sim_launch_info *launch, uint32_t pc);

/* A probe's state for each slot (struct sim_where). probe_slot_make() returns a slot's state, which begins as `size`
 * zeroed bytes. probe_slot() returns NULL for an unused slot. */
struct probe_slots {
    void **state;
    uint32_t count;
};
void *probe_slot_make(struct probe_slots *slots, uint32_t slot, size_t size);
static inline void *probe_slot(const struct probe_slots *slots, uint32_t slot) {
    return slot < slots->count ? slots->state[slot] : NULL;
}
void probe_slots_free(struct probe_slots *slots);

/* Returns the number of set bits. A full mask is the most common, so it is tested first. The compiler's builtin would
 * be a function call on hosts without the popcnt instruction. */
static inline unsigned lanes_in(uint32_t mask) {
    if (mask == UINT32_MAX) return SIM_WARP;
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
static inline unsigned lowest_lane(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }
/* Returns whether the lanes of a mask, which must not be 0, are contiguous. */
static inline bool is_run(uint32_t mask) {
    uint32_t low = mask >> lowest_lane(mask);
    return (low & (low + 1)) == 0;
}
#define EACH_LANE(l, mask) for (uint32_t rest_ = (mask), l; rest_ && (l = lowest_lane(rest_), 1); rest_ &= rest_ - 1)

/* ---- facts.c --------------------------------------------------------------------------------------------- */

/* Returns whether element `element` of the value loaded at `pc` is only copied from memory to memory (facts.c).
 * `local`: the load is from local memory. */
bool probe_only_carried(const struct sim_launch_info *launch, uint32_t pc, unsigned element, bool local);
/* Returns the function that contains instruction `i` of a launch, or NULL. */
const struct ptx_function *probe_function_of(const struct sim_launch_info *launch, const struct ptx_insn *i);

/* Returns whether the value loaded at `pc` is combined with another value. */
bool probe_combines(const struct sim_launch_info *launch, uint32_t pc);
/* Returns whether the instruction at `pc` is an atomic, in shared memory or with block scope, that adds a number
 * independent of loaded data. An arrival at a cuda::barrier is one. */
bool probe_counts_threads(const struct sim_launch_info *launch, uint32_t pc);
/* Returns whether the shuffle at `pc` passes on an atomic's result, such as a barrier's token, and no data. */
bool probe_hands_on_count(const struct sim_launch_info *launch, uint32_t pc);
/* Returns whether the access is a load of shared memory that only waits for other threads of the block or for copies,
 * for example of a count of arrivals, or of an mbarrier. */
static inline bool probe_polls(const struct sim_access *e) {
    return e->kind == SIM_LOAD && !e->data && e->object->space == PTX_SHARED &&
           (e->is_volatile || e->mbarrier || (e->acquire && e->scope == PTX_MOD_CTA));
}

/* Returns whether the access belongs to a bulk copy. One thread starts the copy, but the hardware moves the bytes. */
static inline bool probe_is_of_bulk_copy(const struct sim_access *e) {
    const struct sim_launch_info *launch = e->where->launch;
    return e->pc < launch->code_count && ptx_copies_bulk(launch->code[e->pc]);
}
/* Returns how many lanes execute an atomic that only reads, or only writes because no instruction uses its result. */
static inline unsigned probe_plain_lanes(const struct sim_access *e) {
    return lanes_in(e->overwrites ? e->mask : e->atomic_reads);
}

static inline uint32_t cluster_number(const struct sim_launch_info *launch, uint32_t block) {
    uint32_t cluster = block;
    if (launch->grid[1] == 1 && launch->grid[2] == 1) return block / launch->cluster_blocks; /* adjacent blocks */
    if (launch->cluster_blocks > 1) sim_cluster_rank(launch, block, &cluster);
    return cluster;
}

/* An access's wavefronts in shared memory, and the fewest for its bytes (banks.c). */
struct probe_wavefronts {
    unsigned wavefronts, ideal;
};
struct probe_wavefronts probe_wavefronts(const struct sim_access *e);

/* Computes how many 32-byte sectors an access to global memory touches, and the fewest for its bytes. Returns whether
 * the bytes are contiguous (sectors.c). */
bool probe_sectors_of(const struct sim_access *e, unsigned *sectors, unsigned *ideal);
/* The cache of probe_same_exchange(); zero at first. The caller frees `begin`. */
struct probe_exchanges {
    const struct ptx_insn *const *code; /* the code of the cached results */
    uint32_t *begin;                    /* by pc of a shuffle: 1 + the pc where its exchange may begin; 0: unknown */
    uint32_t capacity;
};
/* Returns whether the shuffles at `first` and `pc` transfer parts of one value. `first` is the shuffle of the first
 * part, or UINT32_MAX (exchange.c). */
bool probe_same_exchange(struct probe_exchanges *x, const struct sim_launch_info *launch, uint32_t first, uint32_t pc);

#endif
