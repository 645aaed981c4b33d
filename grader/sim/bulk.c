/* Bulk copies: cp.async.bulk and cp.reduce.async.bulk, with or without .tensor. One thread starts a copy of many bytes.
 * st.async and red.async copy values from registers in the same way. A copy to shared memory signals an mbarrier with
 * the number of its bytes. A copy to global memory belongs to a bulk group of the thread.
 *
 * The simulator delays each copy as long as the PTX memory model allows. A copy to shared memory is performed when a
 * thread waits for a phase of the mbarrier that lacks only bytes, not arrivals. A copy to global memory is performed
 * when the thread waits for the copy's group. Remaining copies are performed when the block ends. */
#include "base/array.h"
#include "sim/mbarrier.h"
#include "sim/tile.h"
#include <stdlib.h>
#include <string.h>

/* GRAIN: alignment of addresses and sizes. MAX_PIECE: maximum size of an event. Both are in bytes. */
enum { GRAIN = SIM_TILE_GRAIN, MAX_PIECE = 128 };

/* A copy in flight. Addresses are generic. */
struct sim_bulk {
    struct sim_warp *by;
    const struct sim_insn *insn;
    uint32_t call, lane, bytes;
    uint32_t group; /* copies to global memory: number of groups that the lane had committed before */
    uint64_t to, from;
    struct sim_mbarrier_place at; /* copies to shared memory: the mbarrier to signal; otherwise .block is NULL */
    struct sim_tile tile;         /* the tile in global memory; valid if tile.map.magic is not 0 */
    enum ptx_type type;           /* element type of a reduction, whose operator is in the instruction */
    uint8_t *data;                /* the source's bytes once they are read; NULL before */
    bool given;                   /* the source is a register (st.async, red.async) */
};
struct sim_bulks {
    struct sim_bulk *item;
    unsigned count, capacity;
    uint32_t closed[SIM_MAX_WARPS][SIM_WARP]; /* number of committed groups, by warp and lane */
};

static void clear_all(struct sim_block *b) {
    if (!b->bulks) return;
    for (unsigned k = 0; k < b->bulks->count; k++) free(b->bulks->item[k].data);
    b->bulks->count = 0;
    memset(b->bulks->closed, 0, sizeof b->bulks->closed);
}
static void free_all(struct sim_block *b) {
    clear_all(b);
    if (b->bulks) free(b->bulks->item);
    free(b->bulks);
}
static struct sim_bulks *bulks_of(struct sim_block *b) {
    if (!b->bulks) b->bulks = calloc(1, sizeof *b->bulks);
    if (!b->bulks) sim_out_of_memory(b->run);
    return b->bulks;
}
static enum ptx_mod operation(const struct sim_bulk *c) { return ptx_mod_of(c->insn->source, PTX_CLASS_OPERATION); }

/* ---- memory ----------------------------------------------------------------------------------------------------- */
/* Returns the live object that contains the address, as seen by the warp, or NULL. */
static struct sim_memory *memory_at(const struct sim_warp *w, uint64_t address) {
    bool inside = false;
    if (address - SIM_SHARED_WINDOW < SIM_CLUSTER_WINDOWS) return sim_shared_at(w->block, address);
    if (address - SIM_PARAM_WINDOW < SIM_WINDOW_SIZE) return w->block->params;
    struct sim_memory *m = sim_find(w->block->run->sim, address, &inside);
    return inside ? m : NULL;
}
/* Checks that one object contains [address, address + bytes), and that the address is a multiple of `grain`. If not,
 * reports a fault and returns false. */
static bool is_within(struct sim_warp *w, const struct sim_insn *i, uint32_t l, uint64_t address, uint64_t bytes,
                      unsigned grain, enum sim_access_kind kind) {
    uint64_t offset;
    const struct sim_memory *m = sim_locate(w, i, l, address, grain, kind, &offset);
    return m && sim_locate(w, i, l, address + bytes - grain, grain, kind, &offset) == m;
}
/* A part of a copy, from byte `at` of the copy, that is contiguous at its source and at its destination. */
struct span {
    uint64_t to, from;
    uint32_t bytes;
    bool inside; /* the part is inside the tensor; true without a tile */
};
static struct span span_at(const struct sim_bulk *c, uint32_t at, uint32_t most) {
    const bool loads = c->at.block;
    struct span s = {c->to + at, c->from + at, c->bytes - at < most ? c->bytes - at : most, true};
    if (!c->tile.map.magic) return s;
    s.bytes = sim_tile_piece(&c->tile, at, loads ? &s.from : &s.to, &s.inside);
    *(loads ? &s.to : &s.from) = sim_swizzled(loads ? s.to : s.from, c->tile.map.swizzle);
    return s;
}
/* Returns the size, in bytes, of the longest access of one thread at this address: 32 if the address is a multiple of
 * 32 and at least 32 bytes are left, otherwise 16. */
static uint32_t piece(uint64_t address, uint32_t left) {
    return address % SIM_VALUE || left < SIM_VALUE ? GRAIN : SIM_VALUE;
}
static void report_bytes(const struct sim_bulk *c, enum sim_access_kind kind, const struct sim_memory *m,
                         uint64_t address, uint32_t bytes, bool silent, const uint8_t (*before)[SIM_VALUE]) {
    uint64_t offset[SIM_WARP];
    offset[c->lane] = address - m->object.address;
    sim_report_access(c->by, &(struct sim_report){.pc = sim_pc(c->by, c->insn),
                                                  .mask = 1u << c->lane,
                                                  .silent = (uint32_t)silent << c->lane,
                                                  .kind = kind,
                                                  .object = &m->object,
                                                  .bytes = bytes,
                                                  .strong = kind == SIM_ATOMIC,
                                                  .scope = c->at.block ? PTX_MOD_CLUSTER : PTX_MOD_GPU,
                                                  .offset = offset,
                                                  .before = before});
}
/* Reports that the copy begins, that its source is read, or that it is complete. */
static void report_copy(const struct sim_bulk *c, bool begins, bool source, bool destination,
                        const struct sim_warp *waits) {
    struct sim_run *run = c->by->block->run;
    uint64_t offset[SIM_WARP], source_offset[SIM_WARP];
    uint8_t taken[SIM_WARP];
    if (!run->copy.count) return;
    for (uint32_t at = 0, n; at < c->bytes; at += n) {
        const struct span s = span_at(c, at, MAX_PIECE);
        const struct sim_memory *from = source && s.inside && !c->given ? memory_at(c->by, s.from) : NULL,
                                *to = destination ? memory_at(c->by, s.to) : NULL;
        const bool shared = to && to->object.space == PTX_SHARED;
        n = s.bytes;
        offset[c->lane] = shared ? s.to - to->object.address : 0;
        source_offset[c->lane] = from ? s.from - from->object.address : 0;
        taken[c->lane] = from ? (uint8_t)n : 0;
        const struct sim_copy_event e = {.where = &c->by->where,
                                         .pc = sim_pc(c->by, c->insn),
                                         .mask = 1u << c->lane,
                                         .begins = begins,
                                         .bulk = true,
                                         .combines = operation(c) != PTX_MOD_NONE,
                                         .bytes = n,
                                         .waits = waits ? waits->where.warp : c->by->where.warp,
                                         .shared = shared ? &to->object : NULL,
                                         .source = from ? &from->object : NULL,
                                         .offset = offset,
                                         .from = source_offset,
                                         .taken = taken};
        SIM_EMIT(run, copy, &e);
    }
}
static void read_bytes(const struct sim_bulk *c, uint32_t at, const struct span *s, uint8_t *value) {
    const struct sim_memory *m = s->inside && !c->data ? memory_at(c->by, s->from) : NULL;
    memset(value, 0, s->bytes);
    if (c->data)
        memcpy(value, c->data + at, s->bytes);
    else if (m && m->object.space == PTX_SHARED)
        memcpy(value, m->data + (s->from - m->object.address), s->bytes);
    else if (m)
        memcpy(value, sim_byte_at(c->by->block->run, m, s->from - m->object.address), s->bytes);
}
/* Adds two numbers without flushing subnormal numbers to zero. Unlike atomics, bulk reductions keep them (measured on
 * an H100). */
static uint32_t sum_of_floats(uint32_t a, uint32_t b) {
    float x, y;
    memcpy(&x, &a, sizeof x), memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}
static void combine(const struct sim_bulk *c, const uint8_t *old, uint8_t *value, uint32_t bytes) {
    const unsigned each = ptx_type_bits(c->type) / 8;
    for (uint32_t k = 0; k < bytes; k += each) {
        uint64_t a = 0, x = 0;
        memcpy(&a, old + k, each), memcpy(&x, value + k, each);
        x = c->type == PTX_F32 && operation(c) == PTX_MOD_ADD
                ? sum_of_floats((uint32_t)a, (uint32_t)x)
                : c->by->block->run->program->combine(operation(c), c->type, a, x);
        memcpy(value + k, &x, each);
    }
}
static void write_bytes(const struct sim_bulk *c) {
    struct sim_run *run = c->by->block->run;
    const bool sums = operation(c) != PTX_MOD_NONE;
    uint8_t value[SIM_VALUE], before[SIM_WARP][SIM_VALUE];
    for (uint32_t at = 0, n; at < c->bytes; at += n) {
        const struct span s = span_at(c, at, piece(c->to + at, c->bytes - at));
        struct sim_memory *m = c->at.block || s.inside ? memory_at(c->by, s.to) : NULL;
        n = s.bytes;
        if (!m) continue;
        uint8_t *to = m->data + (s.to - m->object.address);
        read_bytes(c, at, &s, value);
        memcpy(before[c->lane], to, n);
        if (sums) combine(c, to, value, n);
        memcpy(to, value, n);
        report_bytes(c, sums ? SIM_ATOMIC : SIM_STORE, m, s.to, n, !memcmp(before[c->lane], value, n),
                     run->weak ? before : NULL);
    }
    run->changes++;
}
/* Performs the copy. `waits` is the warp whose wait completes it. */
static void carry_out(struct sim_bulk *c, const struct sim_warp *waits) {
    struct sim_where *where = &c->by->where;
    const uint32_t call = where->call;
    where->call = c->call;
    report_copy(c, false, !c->data, true, waits);
    write_bytes(c);
    where->call = call;
    free(c->data), c->data = NULL;
}
/* Reads the source of a copy to global memory early, because the program may change it after this point. */
static void read_source(struct sim_bulk *c) {
    uint8_t *data = c->data ? NULL : malloc(c->bytes);
    if (!data) return;
    for (uint32_t at = 0, n; at < c->bytes; at += n) {
        const struct span s = span_at(c, at, GRAIN);
        n = s.bytes;
        read_bytes(c, at, &s, data + at);
    }
    report_copy(c, false, true, false, NULL);
    c->data = data;
}

/* ---- start of a copy --------------------------------------------------------------------------------------------- */
/* Records a copy and reports its start. `reads` is false for all copies of a multicast but the first, so that the
 * source's loads are reported once. */
static void begin(struct sim_warp *w, struct sim_bulk *c, bool reads) {
    struct sim_bulks *all = bulks_of(w->block);
    struct sim_bulk *grown = all ? array_room(all->item, all->count + 1, &all->capacity, sizeof *grown) : NULL;
    if (!grown) {
        sim_out_of_memory(w->block->run);
        return;
    }
    c->group = all->closed[w->where.warp][c->lane];
    all->item = grown;
    all->item[all->count++] = *c;
    for (uint32_t at = 0, n; reads && at < c->bytes; at += n) {
        const struct span s = span_at(c, at, piece(c->from + at, c->bytes - at));
        n = s.bytes;
        if (s.inside) report_bytes(c, SIM_LOAD, memory_at(w, s.from), s.from, n, false, NULL);
    }
    report_copy(c, true, true, true, NULL);
    w->block->run->changes++; /* makes threads that spin on memory read it again */
}
static bool misuse(const struct sim_bulk *c, const char *text) {
    sim_misuse(c->by, c->insn, 1u << c->lane, text);
    return false;
}
/* Returns a lane's value of an operand or vector element to which the decoder has given no row. */
static uint64_t late_value(const struct sim_bulk *c, const struct ptx_operand *o) {
    const struct sim_program *p = c->by->block->run->program;
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(c->by, c->insn)]];
    uint64_t v = 0;
    if (o->kind != PTX_REGISTER) return o->imm;
    const unsigned bytes = ptx_type_bits(f->source->registers[o->reg].type) / 8;
    memcpy(&v, (const uint8_t *)sim_row(c->by, f->register_offset[o->reg]) + bytes * c->lane, bytes);
    return v;
}
/* Returns the element type of a tensor map, whose `type` is an enum CUtensorMapDataType. */
static enum ptx_type type_of(const struct sim_tensor_map *m) {
    static const uint8_t types[] = {PTX_U8,  PTX_U16, PTX_U32, PTX_S32, PTX_U64,
                                    PTX_S64, PTX_F16, PTX_F32, PTX_F64, PTX_BF16};
    return m->type < sizeof types ? types[m->type] : PTX_U8;
}
static bool sums_exist(enum ptx_mod op, enum ptx_type t) {
    if (op == PTX_MOD_INC || op == PTX_MOD_DEC) return t == PTX_U32;
    if (op == PTX_MOD_ADD) return t != PTX_U8 && t != PTX_U16 && t != PTX_S64;
    if (op == PTX_MOD_MIN || op == PTX_MOD_MAX) return t != PTX_U8 && t != PTX_U16 && t != PTX_F32 && t != PTX_F64;
    return t == PTX_U32 || t == PTX_S32 || t == PTX_U64 || t == PTX_S64;
}
/* Fills in the tile of operands k (a tensor map) and k + 1 (coordinates). `stores` says whether the copy writes to the
 * tensor. Reports a misuse and returns false if the tile is invalid. */
static bool find_tile(struct sim_bulk *c, unsigned k, uint64_t map, bool stores) {
    const struct ptx_operand *at = &c->insn->source->operand[k + 1];
    const unsigned rank = at->kind == PTX_VECTOR ? at->count : 1;
    struct sim_tensor_map *m = &c->tile.map;
    struct sim_memory *held = memory_at(c->by, map);
    if (held && held->object.space == PTX_SHARED) held = NULL;
    const uint8_t *bytes = sim_map_bytes(c->by, c->insn, c->lane, held, map, false);
    if (!bytes || !sim_map_read(c->by, c->insn, c->lane, bytes, m)) return false;
    if (m->rank != rank)
        return misuse(c, "used a tensor map whose number of dimensions differs from the number of coordinates");
    for (unsigned d = 0; d < rank; d++)
        c->tile.at[d] = (int32_t)late_value(c, at->kind == PTX_VECTOR ? &at->elements[d] : at);
    c->tile.stores = stores;
    for (unsigned d = 0; stores && d < rank; d++)
        if (c->tile.at[d] < 0)
            return misuse(
                c, "stored a tile at a negative coordinate: a GPU stops the launch with an illegal-instruction error");
    if (c->tile.at[0] * (int64_t)m->stride[0] % GRAIN)
        return misuse(c, "used a tile whose first coordinate is not a multiple of 16 bytes: a GPU stops the launch "
                         "with an illegal-instruction error");
    c->bytes = sim_tile_bytes(m), c->type = type_of(m);
    if (operation(c) && !sums_exist(operation(c), c->type))
        return misuse(c, "combined elements of a tensor with an operation that is not defined for their type");
    return true;
}
static bool places_are_good(struct sim_bulk *c, unsigned grain) {
    const bool loads = c->at.block, tile = c->tile.map.magic;
    const uint64_t far = c->tile.map.address, near = loads ? c->to : c->from;
    const enum sim_access_kind far_kind = loads ? SIM_LOAD : SIM_STORE, near_kind = loads ? SIM_STORE : SIM_LOAD;
    if (tile && near % MAX_PIECE)
        return misuse(c, "started a copy of a tile to or from shared memory that is not aligned to 128 bytes");
    if (tile)
        return is_within(c->by, c->insn, c->lane, near, c->bytes, GRAIN, near_kind) &&
               is_within(c->by, c->insn, c->lane, far, sim_tensor_extent(&c->tile.map), 1, far_kind);
    return is_within(c->by, c->insn, c->lane, c->to, c->bytes, grain, SIM_STORE) &&
           (c->given || is_within(c->by, c->insn, c->lane, c->from, c->bytes, grain, SIM_LOAD));
}
/* Checks that the mbarrier and the destination are in the same block's shared memory. If not, reports a misuse and
 * returns false. */
static bool barrier_matches(struct sim_bulk *c) {
    const struct sim_memory *m = sim_shared_at(c->by->block, c->to);
    if (m && m->object.id == c->at.object->id) return true;
    return misuse(c, "started a bulk copy to the shared memory of one block, but its mbarrier is in the shared memory "
                     "of another block");
}
/* Copies to shared memory. Operands: [to], [from], bytes, [mbarrier]{, block mask}; or [to], [map, coordinates],
 * [mbarrier]{, block mask}. */
static void exec_load(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const bool passes = ptx_traits_of(p)->bulk == PTX_BULK_PASS, tensor = ptx_traits_of(p)->tensor, many = p->count > 4;
    SIM_EACH_LANE (l, mask) {
        struct sim_bulk c = {.by = w, .insn = i, .call = w->where.call, .lane = l, .type = p->type};
        const uint64_t to = sim_address_of(w, i, 0, i->d, l, PTX_SHARED),
                       at = sim_address_of(w, i, 3, i->c, l, PTX_SHARED);
        const uint64_t blocks = many ? late_value(&c, &p->operand[4]) : 1;
        c.to = to;
        if (tensor) {
            if (!find_tile(&c, 1, sim_value_of(w, i->a, 64, l), false)) continue;
        } else {
            c.bytes = (uint32_t)sim_value_of(w, i->b, 32, l);
            c.from = sim_address_of(w, i, 1, i->a, l, passes ? PTX_SHARED : PTX_GLOBAL);
        }
        if (c.bytes % GRAIN) {
            misuse(&c, "started a bulk copy whose size is not a multiple of 16 bytes");
            continue;
        }
        if ((passes || many) && !w->block->run->info.explicit_cluster) {
            misuse(&c, "started a bulk copy between blocks in a launch without clusters; an H200 stops such a launch "
                       "with an illegal-instruction error");
            continue;
        }
        bool reads = true;
        for (unsigned r = 0; r < (many ? 16 : 1); r++) {
            const uint64_t window = SIM_SHARED_WINDOW + (r + 1) * SIM_WINDOW_SIZE;
            if (!(blocks >> r & 1)) continue;
            if (many && r >= w->block->run->info.cluster_blocks) {
                misuse(&c, "started a copy to a block that does not exist in its cluster");
                break;
            }
            if (many) c.to = window + to % SIM_WINDOW_SIZE;
            if (!sim_mbarrier_in(w, i, many ? window + at % SIM_WINDOW_SIZE : at, l, true, &c.at)) break;
            if (!c.bytes || !places_are_good(&c, GRAIN) || !barrier_matches(&c)) break;
            begin(w, &c, reads);
            reads = false;
        }
    }
}
/* Copies to global memory. Operands: [to], [from], bytes; or [map, coordinates], [from]. */
static void exec_store(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const bool tensor = ptx_traits_of(i->source)->tensor;
    SIM_EACH_LANE (l, mask) {
        struct sim_bulk c = {.by = w, .insn = i, .call = w->where.call, .lane = l, .type = i->source->type};
        if (tensor) {
            c.from = sim_address_of(w, i, 2, i->b, l, PTX_SHARED);
            if (!find_tile(&c, 0, sim_value_of(w, i->d, 64, l), true)) continue;
        } else {
            c.bytes = (uint32_t)sim_value_of(w, i->b, 32, l);
            c.to = sim_address_of(w, i, 0, i->d, l, PTX_GLOBAL), c.from = sim_address_of(w, i, 1, i->a, l, PTX_SHARED);
        }
        if (c.bytes % GRAIN)
            misuse(&c, "started a bulk copy whose size is not a multiple of 16 bytes");
        else if (c.bytes && places_are_good(&c, GRAIN))
            begin(w, &c, true);
    }
}
/* st.async, red.async. Operands: [to], value, [mbarrier]. */
static void exec_send(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const struct ptx_operand *value = &p->operand[1];
    const unsigned each = ptx_type_bits(p->type) / 8;
    SIM_EACH_LANE (l, mask) {
        struct sim_bulk c = {.by = w, .insn = i, .call = w->where.call, .lane = l, .type = p->type, .given = true};
        c.bytes = p->vec * each, c.to = sim_address_of(w, i, 0, i->d, l, PTX_SHARED);
        if (!sim_mbarrier_of(w, i, 2, i->b, l, true, &c.at) || !places_are_good(&c, c.bytes) || !barrier_matches(&c))
            continue;
        if (!(c.data = calloc(1, c.bytes))) return sim_out_of_memory(w->block->run);
        for (unsigned k = 0; k < p->vec; k++) {
            const uint64_t v = late_value(&c, value->kind == PTX_VECTOR ? &value->elements[k] : value);
            memcpy(c.data + k * each, &v, each);
        }
        begin(w, &c, false);
    }
}

/* ---- end of a copy ----------------------------------------------------------------------------------------------- */
/* Returns the index of the first copy, from index `first` on, that signals the mbarrier at `offset` in block b. Returns
 * all->count if there is none. */
static unsigned next_load(const struct sim_bulks *all, unsigned first, const struct sim_block *b, uint64_t offset) {
    while (first < all->count &&
           !(all->item[first].at.block == b && all->item[first].at.offset[all->item[first].lane] == offset))
        first++;
    return first;
}
static void drop(struct sim_bulks *all, unsigned k) {
    memmove(&all->item[k], &all->item[k + 1], (--all->count - k) * sizeof *all->item);
}
/* Subtracts a completed copy's bytes from those that its mbarrier still expects. */
static void arrive(const struct sim_bulk *c, struct sim_mbarrier *m) {
    m->bytes -= c->bytes;
    sim_mbarrier_report(c->by, c->insn, 1u << c->lane, SIM_ATOMIC, true, &c->at);
    sim_mbarrier_end_phase(c->by, m);
}
/* Completes the block's copies that signal the mbarrier, until the mbarrier expects no more bytes. */
static void complete_of(struct sim_bulks *all, const struct sim_warp *waits, uint64_t offset, struct sim_mbarrier *m) {
    const struct sim_block *b = waits->block;
    for (unsigned k = 0; m->bytes > 0 && (k = next_load(all, k, b, offset)) < all->count;) {
        struct sim_bulk c = all->item[k];
        drop(all, k);
        carry_out(&c, waits);
        arrive(&c, m);
        if (!m->bytes) return; /* the other copies belong to the next phase */
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
static void end_all(struct sim_block *b) {
    struct sim_bulks *all = b->bulks;
    while (all && all->count && !b->run->stopped) {
        struct sim_bulk c = all->item[0];
        drop(all, 0);
        if ((c.at.block == b && !c.given) || (!c.at.block && !c.data))
            sim_misuse(
                c.by, c.insn, 1u << c.lane,
                "started a bulk copy that was still in flight when its block ended and released its shared memory");
        carry_out(&c, c.by);
        struct sim_mbarrier *m = c.at.block ? sim_mbarrier_at(c.at.block, c.at.offset[c.lane]) : NULL;
        if (m && c.at.block != b) arrive(&c, m);
    }
}
static void exec_fence(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_fence e = {.where = &w->where, .pc = sim_pc(w, i), .mask = mask};
    if (ptx_mod_of(i->source, PTX_CLASS_PROXY) == PTX_MOD_PROXY_ASYNC) SIM_EMIT(w->block->run, proxy_fence, &e);
}

/* ---- handlers for the rows of ops.def ---------------------------------------------------------------------------- */
#define HANDLER(name)                                                                                                  \
    void sim_form_bulk_##name(struct sim_insn *i) { i->exec = exec_##name; }
HANDLER(load)
HANDLER(store)
HANDLER(send)
HANDLER(commit)
HANDLER(wait)
void sim_form_fence_proxy(struct sim_insn *i) { i->exec = exec_fence; }
const struct sim_asynchronous sim_bulk_copies = {clear_all, end_all, free_all};
