/* Bulk copies (cp.async.bulk): one thread starts a copy of many bytes. A load into shared memory completes its bytes at
 * an mbarrier; a store from it belongs to a group of the thread.
 *
 * As with other asynchronous copies, each is performed as late as allowed: a load when somebody waits for a phase that
 * lacks nothing but bytes, a store when its thread waits for its group, or at the end of the block. */
#include "base/array.h"
#include "sim/mbarrier.h"
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 16, MOST_PIECE = 128 }; /* bytes: of addresses and sizes; of an event */

/* A copy that has started. Addresses are generic. */
struct sim_bulk {
    struct sim_warp *by;
    const struct sim_insn *insn;
    uint32_t call, lane, bytes;
    uint32_t group; /* of a store: how many groups the lane had committed before */
    uint64_t to, from;
    struct sim_mbarrier_place at; /* of a load: its mbarrier; .block is NULL for a store */
    uint8_t *data;                /* of a store whose source has been read; else NULL */
};
struct sim_bulks {
    struct sim_bulk *item;
    unsigned count, capacity;
    uint32_t closed[SIM_MAX_WARPS][SIM_WARP]; /* committed groups per thread */
};

void sim_bulk_clear(struct sim_block *b) {
    if (!b->bulks) return;
    for (unsigned k = 0; k < b->bulks->count; k++) free(b->bulks->item[k].data);
    b->bulks->count = 0;
    memset(b->bulks->closed, 0, sizeof b->bulks->closed);
}
void sim_bulk_free(struct sim_block *b) {
    sim_bulk_clear(b);
    if (b->bulks) free(b->bulks->item);
    free(b->bulks);
}
static struct sim_bulks *bulks_of(struct sim_block *b) {
    if (!b->bulks) b->bulks = calloc(1, sizeof *b->bulks);
    if (!b->bulks) sim_run_out(b->run);
    return b->bulks;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */
/* The object that holds the address, as the warp sees it; NULL: none, since it was freed. */
static struct sim_memory *memory_at(const struct sim_warp *w, uint64_t address) {
    bool inside = false;
    if (address - SIM_SHARED_WINDOW < SIM_CLUSTER_WINDOWS) return sim_shared_at(w->block, address);
    struct sim_memory *m = sim_find(w->block->run->sim, address, &inside);
    return inside ? m : NULL;
}
/* Whether [address, address + bytes) is within one object, on a multiple of 16; else reports it. */
static bool is_within(struct sim_warp *w, const struct sim_insn *i, uint32_t l, uint64_t address, uint32_t bytes,
                      enum sim_access_kind kind) {
    uint64_t offset;
    const struct sim_memory *m = sim_locate(w, i, l, address, GRAIN, kind, &offset);
    return m && sim_locate(w, i, l, address + bytes - GRAIN, GRAIN, kind, &offset) == m;
}
/* The next piece that is one access of a thread: 32 bytes, or 16 where they are not aligned. */
static uint32_t piece(uint64_t address, uint32_t left) {
    return address % SIM_VALUE || left < SIM_VALUE ? GRAIN : SIM_VALUE;
}
static void tell_bytes(const struct sim_bulk *c, enum sim_access_kind kind, const struct sim_memory *m,
                       uint64_t address, uint32_t bytes, bool silent, const uint8_t (*before)[SIM_VALUE]) {
    uint64_t offset[SIM_WARP];
    offset[c->lane] = address - m->object.address;
    sim_tell(c->by, &(struct told){.pc = sim_pc(c->by, c->insn),
                                   .mask = 1u << c->lane,
                                   .silent = (uint32_t)silent << c->lane,
                                   .kind = kind,
                                   .object = &m->object,
                                   .bytes = bytes,
                                   .offset = offset,
                                   .before = before});
}
/* Reports that the copy begins, that its source has been read, or that it is complete. */
static void tell_copy(const struct sim_bulk *c, bool begins, bool source, bool destination,
                      const struct sim_warp *waits) {
    struct sim_run *run = c->by->block->run;
    const struct sim_memory *from = memory_at(c->by, c->from), *to = memory_at(c->by, c->to);
    const bool shared = destination && to && to->object.space == PTX_SHARED;
    uint64_t offset[SIM_WARP], source_offset[SIM_WARP];
    uint8_t taken[SIM_WARP];
    if (!run->copy.count) return;
    for (uint32_t at = 0; at < c->bytes; at += MOST_PIECE) {
        const uint32_t bytes = c->bytes - at < MOST_PIECE ? c->bytes - at : MOST_PIECE;
        offset[c->lane] = shared ? c->to + at - to->object.address : 0;
        source_offset[c->lane] = source && from ? c->from + at - from->object.address : 0;
        taken[c->lane] = source && from ? (uint8_t)bytes : 0;
        const struct sim_copy_event e = {.where = &c->by->where,
                                         .pc = sim_pc(c->by, c->insn),
                                         .mask = 1u << c->lane,
                                         .begins = begins,
                                         .bulk = true,
                                         .bytes = bytes,
                                         .waits = waits ? waits->where.warp : c->by->where.warp,
                                         .shared = shared ? &to->object : NULL,
                                         .source = source && from ? &from->object : NULL,
                                         .offset = offset,
                                         .from = source_offset,
                                         .taken = taken};
        SIM_EMIT(run, copy, &e);
    }
}
static void read_bytes(const struct sim_bulk *c, uint32_t at, uint8_t *value, uint32_t bytes) {
    const struct sim_memory *m = memory_at(c->by, c->from);
    memset(value, 0, bytes);
    if (c->data)
        memcpy(value, c->data + at, bytes);
    else if (m && m->object.space == PTX_SHARED)
        memcpy(value, m->data + (c->from + at - m->object.address), bytes);
    else if (m)
        memcpy(value, sim_seen(c->by->block->run, m, c->from + at - m->object.address), bytes);
}
static void write_bytes(const struct sim_bulk *c) {
    struct sim_run *run = c->by->block->run;
    struct sim_memory *m = memory_at(c->by, c->to);
    if (!m) return;
    uint8_t value[SIM_VALUE], before[SIM_WARP][SIM_VALUE];
    for (uint32_t at = 0, n; at < c->bytes; at += n) {
        n = piece(c->to + at, c->bytes - at);
        uint8_t *to = m->data + (c->to + at - m->object.address);
        read_bytes(c, at, value, n);
        memcpy(before[c->lane], to, n);
        memcpy(to, value, n);
        tell_bytes(c, SIM_STORE, m, c->to + at, n, !memcmp(before[c->lane], value, n), run->weak ? before : NULL);
    }
    run->changes++;
}
/* Performs the copy, for which `waits` waits. */
static void carry_out(struct sim_bulk *c, const struct sim_warp *waits) {
    struct sim_where *where = &c->by->where;
    const uint32_t call = where->call;
    where->call = c->call;
    tell_copy(c, false, !c->data, true, waits);
    write_bytes(c);
    where->call = call;
    free(c->data), c->data = NULL;
}
/* Reads the source of a store, which may change from now on. */
static void read_source(struct sim_bulk *c) {
    if (c->data || !(c->data = malloc(c->bytes))) return;
    uint8_t *data = c->data;
    c->data = NULL;
    read_bytes(c, 0, data, c->bytes);
    tell_copy(c, false, true, false, NULL);
    c->data = data;
}

/* ---- a copy begins ---------------------------------------------------------------------------------------------- */
static void begin(struct sim_warp *w, struct sim_bulk *c) {
    struct sim_bulks *all = bulks_of(w->block);
    struct sim_bulk *grown = all ? array_room(all->item, all->count + 1, &all->capacity, sizeof *grown) : NULL;
    if (!grown) {
        sim_run_out(w->block->run);
        return;
    }
    c->group = all->closed[w->where.warp][c->lane];
    all->item = grown;
    all->item[all->count++] = *c;
    const struct sim_memory *from = memory_at(w, c->from);
    for (uint32_t at = 0, n; at < c->bytes; at += n) {
        n = piece(c->from + at, c->bytes - at);
        tell_bytes(c, SIM_LOAD, from, c->from + at, n, false, NULL);
    }
    tell_copy(c, true, true, true, NULL);
    w->block->run->changes++; /* who waits for it looks again */
}
/* [to], [from], bytes{, [mbarrier]} */
static void exec_begin(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, bool loads) {
    const enum ptx_space to = loads ? PTX_SHARED : PTX_GLOBAL,
                         from = i->source->op == PTX_OP_bulk_load ? PTX_GLOBAL : PTX_SHARED;
    SIM_EACH_LANE (l, mask) {
        struct sim_bulk c = {.by = w, .insn = i, .call = w->where.call, .lane = l};
        c.bytes = (uint32_t)sim_value_of(w, i->b, 32, l);
        c.to = sim_address_of(w, i, 0, i->d, l, to), c.from = sim_address_of(w, i, 1, i->a, l, from);
        if (c.bytes % GRAIN) {
            sim_misuse(w, i, 1u << l, "started a bulk copy of a size that is not a multiple of 16 bytes");
            continue;
        }
        if (loads && from == PTX_SHARED && !w->block->run->info.explicit_cluster) {
            sim_misuse(w, i, 1u << l,
                       "started a bulk copy between blocks in a launch without clusters, which an H200 ends "
                       "with an illegal instruction");
            continue;
        }
        if (loads && !sim_mbarrier_of(w, i, 3, i->c, l, true, &c.at)) continue;
        if (!c.bytes || !is_within(w, i, l, c.to, c.bytes, SIM_STORE) || !is_within(w, i, l, c.from, c.bytes, SIM_LOAD))
            continue;
        if (loads && sim_shared_at(w->block, c.to)->object.id != c.at.object->id) {
            sim_misuse(w, i, 1u << l, "started a bulk copy to another block's shared memory than its mbarrier's");
            continue;
        }
        begin(w, &c);
    }
}
static void exec_load(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { exec_begin(w, i, mask, true); }
static void exec_store(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { exec_begin(w, i, mask, false); }

/* ---- a copy ends ------------------------------------------------------------------------------------------------ */
/* The first load from `first` on that completes at that barrier. */
static unsigned next_load(const struct sim_bulks *all, unsigned first, const struct sim_block *b, uint64_t offset) {
    while (first < all->count &&
           !(all->item[first].at.block == b && all->item[first].at.offset[all->item[first].lane] == offset))
        first++;
    return first;
}
static void drop(struct sim_bulks *all, unsigned k) {
    memmove(&all->item[k], &all->item[k + 1], (--all->count - k) * sizeof *all->item);
}
/* The bytes of a copy have come. */
static void arrive(const struct sim_bulk *c, struct sim_mbarrier *m) {
    m->bytes -= c->bytes;
    sim_mbarrier_tell(c->by, c->insn, 1u << c->lane, SIM_ATOMIC, true, &c->at);
    sim_mbarrier_end_phase(c->by, m);
}
/* Bulk loads that one block of the cluster has begun. */
static void complete_of(struct sim_bulks *all, const struct sim_warp *waits, uint64_t offset, struct sim_mbarrier *m) {
    const struct sim_block *b = waits->block;
    for (unsigned k = 0; m->bytes > 0 && (k = next_load(all, k, b, offset)) < all->count;) {
        struct sim_bulk c = all->item[k];
        drop(all, k);
        carry_out(&c, waits);
        arrive(&c, m);
        if (!m->bytes) return; /* later ones are of the next phase */
    }
}
void sim_bulk_complete(struct sim_warp *waits, uint64_t offset, struct sim_mbarrier *m) {
    const struct sim_block *b = waits->block;
    if (m->pending) return;
    for (uint32_t r = 0; r < b->run->info.cluster_blocks; r++)
        if (b->cluster[r] && b->cluster[r]->bulks) complete_of(b->cluster[r]->bulks, waits, offset, m);
}
static void exec_commit(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_bulks *all = bulks_of(w->block);
    (void)i;
    if (!all) return;
    SIM_EACH_LANE (l, mask) all->closed[w->where.warp][l]++;
}
static void exec_wait(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const bool reads = i->source->op == PTX_OP_bulk_wait_read;
    const uint32_t left = (uint32_t)i->source->operand[0].imm;
    struct sim_bulks *all = w->block->bulks;
    for (unsigned k = 0; all && k < all->count;) {
        struct sim_bulk *c = &all->item[k];
        const uint32_t closed = all->closed[w->where.warp][c->lane];
        const bool due = c->by == w && !c->at.block && mask >> c->lane & 1 && closed - c->group > left;
        if (!due || reads) {
            if (due) read_source(c);
            k++;
            continue;
        }
        struct sim_bulk done = *c;
        drop(all, k);
        carry_out(&done, w);
    }
}
void sim_bulk_end(struct sim_block *b) {
    struct sim_bulks *all = b->bulks;
    while (all && all->count && !b->run->stopped) {
        struct sim_bulk c = all->item[0];
        drop(all, 0);
        if (c.at.block == b || (!c.at.block && !c.data))
            sim_misuse(c.by, c.insn, 1u << c.lane,
                       "started a bulk copy that was still in flight when its block, and so its shared memory, ended");
        carry_out(&c, c.by);
        struct sim_mbarrier *m = c.at.block ? sim_mbarrier_at(c.at.block, c.at.offset[c.lane]) : NULL;
        if (m && c.at.block != b) arrive(&c, m);
    }
}
static void exec_fence(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_fence e = {.where = &w->where, .pc = sim_pc(w, i), .mask = mask};
    if (ptx_mod_of(i->source, PTX_CLASS_PROXY) == PTX_MOD_PROXY_ASYNC) SIM_EMIT(w->block->run, proxy_fence, &e);
}

/* ---- handlers of the rows of ops.def ---------------------------------------------------------------------------- */
#define HANDLER(name)                                                                                                  \
    void sim_form_bulk_##name(struct sim_insn *i) { i->exec = exec_##name; }
HANDLER(load)
HANDLER(store)
HANDLER(commit)
HANDLER(wait)
void sim_form_fence_proxy(struct sim_insn *i) { i->exec = exec_fence; }
