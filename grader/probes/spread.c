/* Measures how evenly the work is distributed over threads and blocks (struct spread). In a tree, a block's threads
 * load about the same number of bytes, but a thread that works alone loads all of the block's input. In the same way, a
 * block that works alone loads the whole input. */
#include "probes/probe.h"

struct loaded {
    uint64_t global, moved;
    uint32_t parted; /* mask of the warps whose `bytes` are in use; those of other warps are not cleared */
    uint64_t whole[SIM_MAX_WARPS];           /* bytes that each thread loaded together with its whole warp */
    uint64_t bytes[SIM_MAX_WARPS][SIM_WARP]; /* bytes that it loaded otherwise */
};
struct spread_probe {
    struct spread *spread;
    struct probe_slots slots;
};

static void *create(struct measurement *m) {
    struct spread_probe *p = probe_alloc(1, sizeof *p);
    p->spread = m->result[PROBE_spread];
    return p;
}
static void block_begin(void *self, const struct sim_block_event *e) {
    struct spread_probe *p = self;
    struct loaded *l = probe_slot_make(&p->slots, e->where->slot, sizeof *l);
    memset(l, 0, offsetof(struct loaded, bytes));
}
static __attribute__((noinline)) void add_part(struct loaded *l, uint32_t warp, uint32_t lanes, unsigned bytes) {
    if (!(l->parted >> warp & 1)) memset(l->bytes[warp], 0, sizeof l->bytes[warp]);
    l->parted |= 1u << warp;
    EACH_LANE (lane, lanes) l->bytes[warp][lane] += bytes;
}
static __attribute__((noinline)) void note_farthest(struct spread *s, const struct sim_access *e) {
    EACH_LANE (lane, e->mask)
        if (e->offset[lane] + e->bytes > s->farthest) s->farthest = e->offset[lane] + e->bytes;
}
static void access(void *self, const struct sim_access *e) {
    struct spread_probe *p = self;
    const bool data = e->object->space == PTX_GLOBAL || e->object->space == PTX_SHARED;
    if (e->kind == SIM_ATOMIC || !data || probe_polls(e)) return;
    struct loaded *l = p->slots.state[e->where->slot];
    l->moved += lanes_in(e->mask) * (uint64_t)e->bytes;
    if (e->kind != SIM_LOAD) return;
    const uint32_t lanes = e->mask & ~e->dropped;
    if (e->object->size > UINT32_MAX) note_farthest(p->spread, e);
    if (e->object->space == PTX_GLOBAL) l->global += lanes_in(lanes) * (uint64_t)e->bytes;
    if (probe_is_of_bulk_copy(e)) return;
    if (lanes == UINT32_MAX)
        l->whole[e->where->warp] += e->bytes;
    else if (lanes)
        add_part(l, e->where->warp, lanes, e->bytes);
}
static void block_end(void *self, const struct sim_block_event *e) {
    struct spread_probe *p = self;
    const struct loaded *l = p->slots.state[e->where->slot];
    uint64_t most = 0, of_warp = 0;
    for (unsigned w = 0; w < e->where->launch->warps; w++) {
        uint64_t lanes = 0, most_of_lanes = 0;
        for (unsigned lane = 0; l->parted >> w & 1 && lane < SIM_WARP; lane++) {
            lanes += l->bytes[w][lane];
            if (l->bytes[w][lane] > most_of_lanes) most_of_lanes = l->bytes[w][lane];
        }
        const uint64_t bytes = SIM_WARP * l->whole[w] + lanes;
        if (l->whole[w] + most_of_lanes > most) most = l->whole[w] + most_of_lanes, of_warp = bytes;
    }
    p->spread->busiest_bytes += most;
    if (most > p->spread->busiest_thread) p->spread->busiest_thread = most;
    p->spread->busiest_warp += of_warp;
    p->spread->moved_bytes += l->moved;
    if (l->global > p->spread->busiest_block) p->spread->busiest_block = l->global;
}
static void finish(void *self, struct measurement *m) {
    struct spread_probe *p = self;
    (void)m;
    probe_slots_free(&p->slots);
    free(p);
}

static const struct field fields[] = {NUMBERS(struct spread, busiest_bytes),
                                      NUMBERS_MAX(struct spread, busiest_thread),
                                      NUMBERS_MAX(struct spread, busiest_block),
                                      NUMBERS(struct spread, busiest_warp),
                                      NUMBERS(struct spread, moved_bytes),
                                      NUMBERS_MAX(struct spread, farthest),
                                      END_OF_FIELDS};
static const struct sim_probe callbacks = {
    .name = "spread", .block_begin = block_begin, .block_end = block_end, .access = access, .drops = true};
const struct probe_row probe_spread = {
    .name = "spread",
    .question = "is the work spread over the threads of a block, and over the blocks?",
    .part_of = MEASURE_STEPS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct spread),
    .fields = fields,
};
