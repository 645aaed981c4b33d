/* Detects races: two threads access a location without synchronization, and at least one writes.
 *
 * This file compares each access with earlier ones, which shadow.c records. order.c and chain.c decide their order, and
 * race.c writes the message. docs/metrics.md, "Races", has the rules. */
#include "probes/order.h"
#include "probes/race.h"
#include "probes/remote.h"
#include "probes/shadow.h"
#include "probes/stale.h"

#define MAX_PAIRS 256 /* maximum pairs of racing instructions; further ones are dropped */
#define MAX_MARKS 96  /* maximum marks per line; a further one replaces the oldest */
#define MAX_RACING 8  /* maximum marks per line that are kept although they may race with a new access */
#define MAX_BYTES (UINT64_C(1) << 30) /* maximum size of marks outside lines; then lines stop growing */
enum {
    PLACES = 64, /* size of a block's table of race counts, by the low bits of the pc */
    /* Maximum count in the table. Further races of the instructions are dropped: they are costly, and nearly all repeat
     * earlier ones. */
    MAX_REPORTED = 1024,
    PAIR_LOOKS = 8 /* cost of comparing two threads; reading a mark costs 1 */
};

struct object_shadow {
    uint64_t address, size;
    struct shadow shadow;
    struct stale_memory stale;
};
struct slot_races {
    struct block_order order;
    struct shadow shared;
    struct stale_memory stale;
    uint32_t generation;    /* generation of the shared memory's shadow */
    struct visitors remote; /* other blocks' accesses to the block's shared memory */
    uint32_t reported[PLACES];
};
struct races_probe {
    struct measurement *m;
    struct chain *chain;
    struct probe_slots slots;
    struct object_shadow *global;
    uint32_t global_count;                 /* size of the table, which is indexed by object id */
    uint32_t generation, clusters, serial; /* clusters: blocks started in launches with clusters */
    uint64_t grown;                        /* approximate size of the marks outside lines, in bytes */
    struct race *races;
    unsigned race_count;
    uint64_t dropped;
    struct stale_readers readers;
};

#define MAX_PENDING 4
/* The checked access. If it races with one earlier access in several lines of the shadow memory, `pending` joins them
 * to one race. */
struct visit {
    struct races_probe *probe;
    struct block_order *order;
    const struct sim_access *access;
    bool reported;              /* the instruction's count of races has reached MAX_REPORTED */
    struct stale_memory *stale; /* old values of the accessed object */
    bool shared, alone;         /* the object is in shared memory; only its own block can access it */
    /* The part of the access in this line of the shadow memory (shadow.h); only set for slow checks. */
    struct mark mark;
    uint64_t line_offset;
    uint32_t cell_bytes;
    const struct mark *later; /* the line's marks after the compared one */
    uint32_t later_count;
    unsigned pending_count;
    struct race pending[MAX_PENDING];
};

static void *create(struct measurement *m) {
    struct races_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    p->chain = chain_new(&m->looks);
    return p;
}

static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct races_probe *p = self;
    p->generation++;
    chain_launch_begin(p->chain, launch);
}

static void block_begin(void *self, const struct sim_block_event *e) {
    struct races_probe *p = self;
    struct slot_races *s = probe_slot_make(&p->slots, e->where->slot, sizeof *s);
    order_block_begin(&s->order, e->where);
    chain_block_begin(&s->order, p->chain);
    shadow_size(&s->shared, e->where->launch->shared_bytes);
    /* With clusters, each block has its own generation. Other blocks access its shared memory, and their numbers do not
     * show whether they meant this block or an earlier one in the slot. */
    s->generation = e->where->launch->cluster_blocks > 1 ? 1u << 31 | ++p->clusters : p->generation;
    visitors_clear(&s->remote);
    memset(s->reported, 0, sizeof s->reported);
}

/* ---- reports --------------------------------------------------------------------------------------------- */

/* Returns whether to report occurrence `a` of a race, not `b`: the lower block, warp and offset is reported. */
static bool reported_before(const struct race *a, const struct race *b) {
#define BY(field)                                                                                                      \
    if (a->field != b->field) return a->field < b->field
    BY(at.where.block);
    BY(at.where.warp);
    BY(other.where.block);
    BY(other.where.warp);
    BY(first);
    BY(at.lanes);
#undef BY
    return false;
}

static void swap_sides(struct race *r) {
    struct side t = r->at;
    r->at = r->other, r->other = t;
}

/* Moves the access where the race is reported to r->at, whatever the order of execution. A load is reported before a
 * store, and a store before an atomic. Of two accesses of one kind, the later instruction is reported. Of two
 * executions of one instruction, that of the lower block or warp is. */
static void order_sides(struct race *r) {
    static const uint8_t rank[] = {[SIM_LOAD] = 0, [SIM_STORE] = 1, [SIM_ATOMIC] = 2};
    if (r->at.kind != r->other.kind) {
        if (rank[r->at.kind] > rank[r->other.kind]) swap_sides(r);
    } else if (r->at.pc != r->other.pc) {
        if (r->at.pc < r->other.pc) swap_sides(r);
    } else if (r->at.where.block != r->other.where.block) {
        if (r->at.where.block > r->other.where.block) swap_sides(r);
    } else if (r->at.where.warp > r->other.where.warp)
        swap_sides(r);
}

static void add_race(struct races_probe *p, struct race *r) {
    order_sides(r);
    for (unsigned k = 0; k < p->race_count; k++) {
        struct race *have = &p->races[k];
        if (have->kind != r->kind || have->at.pc != r->at.pc || have->other.pc != r->other.pc ||
            have->at.where.call != r->at.where.call || have->other.where.call != r->other.where.call ||
            have->object.kind != r->object.kind ||
            (r->object.kind != SIM_SHARED_MEMORY && have->object.id != r->object.id))
            continue;
        r->count = have->count + 1;
        r->read_first = have->read_first = have->read_first && r->read_first;
        if (reported_before(r, have)) *have = *r;
        have->count = r->count;
        return;
    }
    if (p->race_count == MAX_PAIRS) {
        p->dropped++;
        return;
    }
    if ((p->race_count & (p->race_count - 1)) == 0)
        p->races = probe_grow(p->races, p->race_count ? 2 * p->race_count : 1, sizeof *p->races);
    r->count = 1;
    p->races[p->race_count++] = *r;
}

static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct races_probe *p = self;
    for (unsigned k = 0; k < p->race_count; k++) {
        const struct finding f = race_word(&p->races[k], launch, measure_taught(p->m));
        finding_add(&p->m->findings, &f);
    }
    p->m->findings.dropped += p->dropped;
    p->race_count = 0, p->dropped = 0;
}

/* ---- checks ---------------------------------------------------------------------------------------------- */

/* Returns whether a quick check proves that the accesses are ordered in all cells. */
static inline bool plainly_ordered(const struct block_order *b, const struct mark *old, const struct mark *fresh) {
    if (old->block != b->block) return false;
    if (old->time <= b->barrier_time) return true;
    return mark_warp(old) == mark_warp(fresh) &&
           ((old->rule == fresh->rule && !(fresh->rule & RULE_EVERY)) || old->time <= b->sync_time[mark_warp(old)]);
}

/* Returns whether lane `a`'s access in the new mark is ordered after lane `o`'s in the old one. */
static bool is_ordered(const struct visit *v, const struct mark *old, const struct mark *fresh, uint32_t a,
                       uint32_t o) {
    const struct stamp stamp = {old->block, mark_warp(old), lowest_lane(o), old->time};
    if (order_before(v->order, v->probe->chain, mark_warp(fresh), lowest_lane(a), &stamp)) return true;
    /* A strong load reads at the point of coherence, so the atomic and the load need no fence between them. */
    return v->access->data &&
           chain_before_but_for_fence(v->order, v->probe->chain, mark_warp(fresh), lowest_lane(a), &stamp);
}
/* Checks the cells `both` thread by thread. Returns those where all accesses are ordered. Unless `at` is NULL, adds the
 * new access's racing lanes to *at, and the old one's to *other. */
static uint32_t ordered_cells(struct visit *v, const struct mark *old, const struct mark *fresh, uint32_t both,
                              uint32_t *at, uint32_t *other) {
    uint32_t ordered = 0;
    EACH_LANE (cell, both) {
        bool good = true;
        uint32_t mine = mark_lanes(fresh, cell), theirs = mark_lanes(old, cell);
        for (uint32_t a = mine; a && (good || at); a &= a - 1)
            for (uint32_t o = theirs; o && (good || at); o &= o - 1) {
                const bool tells = good || !(*at & a & -a) || !(*other & o & -o);
                v->probe->m->looks += tells ? PAIR_LOOKS : 1;
                if (!tells || is_ordered(v, old, fresh, a, o)) continue;
                good = false;
                if (at) *at |= a & -a, *other |= o & -o;
            }
        if (good) ordered |= 1u << cell;
    }
    return ordered;
}

static struct race race_of(const struct visit *v, uint32_t cells) {
    unsigned low = lowest_lane(cells), high = 31 - (unsigned)__builtin_clz(cells);
    struct race r = {.object = *v->access->object,
                     .first = v->line_offset + low * v->cell_bytes,
                     .last = v->line_offset + (high + 1) * v->cell_bytes,
                     .bytes = lanes_in(cells) * v->cell_bytes};
    r.at = (struct side){*v->access->where, v->access->pc, 0, v->access->kind, v->access->data};
    r.other.where = *v->access->where;
    return r;
}

static void put_off(struct visit *v, struct race *r) {
    for (unsigned k = 0; k < v->pending_count; k++) {
        struct race *have = &v->pending[k];
        if (have->other.pc != r->other.pc || have->other.kind != r->other.kind ||
            have->other.where.warp != r->other.where.warp || have->other.where.block != r->other.where.block ||
            have->other.where.call != r->other.where.call || have->same_instruction != r->same_instruction ||
            have->kind != r->kind)
            continue;
        if (r->first < have->first) have->first = r->first;
        if (r->last > have->last) have->last = r->last;
        have->bytes += r->bytes, have->at.lanes |= r->at.lanes, have->other.lanes |= r->other.lanes;
        return;
    }
    if (v->pending_count == MAX_PENDING) add_race(v->probe, &v->pending[--v->pending_count]);
    v->pending[v->pending_count++] = *r;
}

static void conflict(struct visit *v, const struct mark *old, uint32_t cells, uint32_t at, uint32_t other) {
    struct race r = race_of(v, cells);
    bool same_block = old->block == v->order->block;
    r.same_instruction = old->serial == v->mark.serial;
    r.read_first = mark_kind(old) == SIM_LOAD;
    const bool stores = mark_kind(old) == SIM_STORE && r.at.kind == SIM_STORE,
               agree = r.same_instruction ? !((at | other) & ~v->access->agreeing) : !(at & ~v->access->silent);
    r.kind = stores && agree                     ? &race_kinds[RACE_SAME_VALUE]
             : !same_block && v->shared          ? &race_kinds[RACE_CLUSTER]
             : !same_block                       ? &race_kinds[RACE_BLOCKS]
             : mark_warp(old) == r.at.where.warp ? &race_kinds[RACE_WARP]
             : v->shared                         ? &race_kinds[RACE_SHARED]
                                                 : &race_kinds[RACE_GLOBAL];
    r.at.lanes = at;
    r.other.lanes = other, r.other.pc = old->pc, r.other.kind = (uint8_t)mark_kind(old);
    r.other.strong = old->form & MARK_DATA;
    r.other.where.block = old->block, r.other.where.warp = mark_warp(old), r.other.where.call = old->form >> MARK_CALL;
    uint32_t threads = r.at.where.launch->threads, rest = threads - mark_warp(old) * SIM_WARP;
    r.other.where.launched = rest >= SIM_WARP ? UINT32_MAX : (1u << rest) - 1;
    const struct stamp stamp = {old->block, mark_warp(old), lowest_lane(other), old->time};
    if (!same_block && at &&
        chain_before_but_for_fence(v->order, v->probe->chain, r.at.where.warp, lowest_lane(at), &stamp))
        r.unfenced = v->order->block + 1;
    put_off(v, &r);
}

/* Reports that several lanes of a plain store wrote one cell. */
static __attribute__((noinline)) void report_own_lanes(struct visit *v) {
    struct race r = race_of(v, v->mark.cells);
    const bool agree = !(v->mark.lanes & ~v->access->agreeing);
    r.kind = &race_kinds[agree ? RACE_SAME_VALUE : RACE_WARP], r.same_instruction = true;
    r.at.lanes = v->mark.lanes;
    r.other = r.at;
    put_off(v, &r);
}

/* Returns whether both accesses are atomic, each in the other's scope. They then do not race. */
static bool both_atomic(const struct visit *v, const struct mark *old, const struct mark *fresh) {
    const uint32_t form = old->form | fresh->form;
    if (!(old->form & fresh->form & MARK_ATOMIC)) return false;
    if (old->block == fresh->block || !(form & (MARK_BLOCK_SCOPE | MARK_CLUSTER_SCOPE))) return true;
    const struct sim_launch_info *launch = v->access->where->launch;
    return !(form & MARK_BLOCK_SCOPE) && cluster_number(launch, old->block) == cluster_number(launch, fresh->block);
}

/* Returns whether `fresh` invalidates an mbarrier after its use `old`: by the same warp, or by another warp with a lane
 * that is ordered before `fresh`. In cuda::pipeline, one lane of each warp acts for all lanes after match.sync, which
 * does not order memory accesses. A lane that uses the mbarrier later causes its own finding. */
static bool ends_mbarrier(const struct visit *v, const struct mark *old, const struct mark *fresh) {
    if (!v->access->mbarrier || mark_kind(fresh) != SIM_STORE || !(old->form & MARK_ATOMIC) ||
        old->block != fresh->block)
        return false;
    bool ordered = mark_warp(old) == mark_warp(fresh);
    for (unsigned l = 0; l < SIM_WARP && !ordered; l++)
        ordered = order_before(v->order, v->probe->chain, mark_warp(fresh), lowest_lane(fresh->lanes),
                               &(struct stamp){old->block, mark_warp(old), l, old->time});
    return ordered;
}

/* Returns whether one access sets a flag or count in shared memory, and the other polls it. A flag is set by a volatile
 * store or an atomic. It is polled by a volatile load whose value controls a branch or is unused. */
static bool passes_flag(const struct mark *old, const struct mark *fresh) {
    const bool old_loads = mark_kind(old) == SIM_LOAD;
    const struct mark *load = old_loads ? old : fresh, *other = old_loads ? fresh : old;
    return mark_kind(load) == SIM_LOAD && mark_kind(other) != SIM_LOAD && load->form & MARK_FLAG &&
           (other->form & MARK_FLAG || mark_kind(other) == SIM_ATOMIC);
}

/* Returns whether the atomic mark `fresh` can replace `old`: every access that races with `old` also races with
 * `fresh`, or is ordered after `fresh`. */
static inline bool stands_for(const struct mark *fresh, const struct mark *old) {
    const uint32_t narrow = MARK_BLOCK_SCOPE | MARK_CLUSTER_SCOPE, wide = fresh->form & MARK_BLOCK_SCOPE ? narrow
                                                                          : fresh->form & MARK_CLUSTER_SCOPE
                                                                              ? MARK_CLUSTER_SCOPE
                                                                              : 0;
    return old->form & MARK_ATOMIC && !(old->form & narrow & ~wide);
}

/* Gives each lane whose load is not ordered after the store `old` the value before the store. */
static __attribute__((noinline)) void give_old_values(struct visit *v, const struct mark *old, uint32_t cells) {
    struct races_probe *p = v->probe;
    EACH_LANE (cell, cells) {
        uint32_t lanes = mark_lanes(&v->mark, cell), behind = 0;
        for (uint32_t a = lanes; a; a &= a - 1)
            for (uint32_t o = mark_lanes(old, cell); o; o &= o - 1) {
                const struct stamp stamp = {old->block, mark_warp(old), lowest_lane(o), old->time};
                const bool own =
                    stamp.block == v->order->block && stamp.warp == mark_warp(&v->mark) && stamp.lane == lowest_lane(a);
                if (own || order_before(v->order, p->chain, mark_warp(&v->mark), lowest_lane(a), &stamp))
                    behind |= a & -a;
            }
        stale_load(v->stale, &p->readers, v->access, old->serial, v->mark.serial, v->line_offset + cell * v->cell_bytes,
                   v->cell_bytes, lanes & ~behind);
    }
}

/* Returns the cells that each lane has read with a strong load since the atomic or strong store `old`. Coherence orders
 * the lane's new store after `old` there. In shared memory, a strong load polls a flag, and the new access may be any
 * strong one. v->later has these loads' marks. */
static __attribute__((noinline)) uint32_t seen_before(const struct visit *v, const struct mark *old, uint32_t cells) {
    const struct mark *fresh = &v->mark;
    const uint32_t strong = (mark_kind(fresh) == SIM_STORE ? MARK_ATOMIC : 0) |
                            (fresh->form & (MARK_FLAG | MARK_ATOMIC | MARK_DATA) ? MARK_FLAG : 0);
    uint32_t seen = 0;
    if (mark_kind(old) == SIM_LOAD || !(old->form & strong)) return 0;
    EACH_LANE (cell, cells) {
        uint32_t readers = 0;
        for (uint32_t k = 0; k < v->later_count; k++) {
            const struct mark *m = &v->later[k];
            if (m->cells >> cell & 1 && m->block == fresh->block && mark_warp(m) == mark_warp(fresh) &&
                mark_kind(m) == SIM_LOAD && m->form & strong)
                readers |= mark_lanes(m, cell);
        }
        if (!(mark_lanes(fresh, cell) & ~readers)) seen |= 1u << cell;
    }
    return seen;
}

/* Looks closely at an earlier mark that plainly_ordered() could not order before v->mark. Returns the ordered cells of
 * `both` and reports races in the others. */
static __attribute__((noinline)) uint32_t look_closer(struct visit *v, const struct mark *old, uint32_t both) {
    const struct mark *fresh = &v->mark;
    const struct block_order *b = v->order;
    bool harmless = (mark_kind(fresh) == SIM_LOAD && mark_kind(old) == SIM_LOAD) || both_atomic(v, old, fresh) ||
                    passes_flag(old, fresh) || ends_mbarrier(v, old, fresh);
    uint32_t at = 0, other = 0;
    if (harmless && old->form & fresh->form & MARK_ATOMIC && mark_kind(fresh) != SIM_LOAD)
        return both; /* atomic accesses to one location are ordered */
    if (harmless && !b->warps && !b->lanes[mark_warp(fresh)]) return 0;
    if (!harmless && v->reported) return both;
    if (harmless) return ordered_cells(v, old, fresh, both, NULL, NULL);
    const uint32_t seen = seen_before(v, old, both);
    const uint32_t ordered = seen | ordered_cells(v, old, fresh, both & ~seen, &at, &other);
    if (both & ~ordered) conflict(v, old, both & ~ordered, at, other);
    if (v->access->stale && both & ~ordered) give_old_values(v, old, both & ~ordered);
    return ordered;
}

/* Returns the cells of the atomic `old` that can be dropped after the atomic `fresh` with an unused result. `fresh`
 * does not synchronize its thread with those of earlier atomics, so later accesses of its thread may still race with
 * them. Each cell therefore keeps an earlier atomic of another block, and one of another warp. `stay` has the cells
 * that already keep them. */
static __attribute__((noinline)) uint32_t spare(const struct mark *old, const struct mark *fresh, uint32_t cells,
                                                uint32_t stay[2]) {
    bool other_block = old->block != fresh->block;
    if (!other_block && mark_warp(old) == mark_warp(fresh)) return cells;
    uint32_t taken = stay[other_block] & cells;
    stay[other_block] |= cells;
    return taken;
}

/* Returns the cells of the read `old` where all its lanes poll again. seen_before() needs their last polls. */
static __attribute__((noinline)) uint32_t polled_again(const struct mark *old, const struct mark *fresh,
                                                       uint32_t both) {
    if (old->block != fresh->block || mark_warp(old) != mark_warp(fresh)) return 0;
    EACH_LANE (cell, both)
        if (mark_lanes(old, cell) & ~mark_lanes(fresh, cell)) both &= ~(1u << cell);
    return both;
}

/* Compares the new mark with a line's marks, removes cells of old marks that are not needed any more, and adds the new
 * mark. An old access that is ordered before the new one is not needed: later accesses that are ordered after the new
 * one are then ordered after the old one, too. But a read replaces only reads, and an atomic only marks with
 * stands_for(). */
static inline __attribute__((always_inline)) void visit_line(struct visit *v, struct shadow_piece piece,
                                                             struct mark fresh) {
    const struct block_order *b = v->order;
    struct mark *marks = shadow_marks(piece.line);
    uint32_t kept = 0, racing = 0, read_once = 0, read_twice = 0, count = piece.line->count, stay[2] = {0};
    bool reads = mark_kind(&fresh) == SIM_LOAD, atomic = (fresh.form & MARK_ATOMIC) != 0;
    bool polls = reads && fresh.form & MARK_FLAG;
    v->probe->m->looks += count;
    for (uint32_t k = 0; k < count; k++) {
        struct mark *old = &marks[k];
        if (v->alone && (old->block != b->block || old->time <= b->barrier_time))
            continue; /* no later access can race with the mark */
        uint32_t both = old->cells & fresh.cells;
        if (both) {
            bool was_read = mark_kind(old) == SIM_LOAD;
            uint32_t done = both, gone = both;
            if (!plainly_ordered(b, old, &fresh)) {
                v->mark = fresh, v->line_offset = piece.offset, v->cell_bytes = piece.cell_bytes;
                v->later = old + 1, v->later_count = count - k - 1;
                done = look_closer(v, old, both);
                if (both & ~done && !(reads && was_read) && ++racing > MAX_RACING) done = both, old->cells &= ~both;
                gone = v->access->result_unused && old->form & MARK_ATOMIC ? spare(old, &fresh, done, stay) : done;
            }
            const uint32_t evidence = reads && !polls ? MARK_FLAG : v->access->result_unused ? MARK_ATOMIC : 0;
            if (was_read && old->form & evidence) gone = 0;
            if (was_read && polls) gone = polled_again(old, &fresh, both);
            if ((!reads || was_read) && (!atomic || stands_for(&fresh, old))) old->cells &= ~gone;
            if (was_read && old->pc == fresh.pc) read_twice |= read_once & both & ~done, read_once |= both & ~done;
        }
        if (!old->cells) continue;
        if (kept != k) marks[kept] = *old;
        kept++;
    }
    piece.line->count = kept;
    if ((fresh.rule & RULE_EVERY) && mark_kind(&fresh) == SIM_STORE && !atomic && !v->reported) {
        v->mark = fresh, v->line_offset = piece.offset, v->cell_bytes = piece.cell_bytes;
        report_own_lanes(v);
    }
    /* Two readers per instruction are enough to detect a race with any writer. */
    if (reads && !polls) fresh.cells &= ~read_twice;
    if (!fresh.cells) return;
    if (kept >= (v->probe->grown < MAX_BYTES ? MAX_MARKS : SHADOW_INLINE)) {
        memmove(marks, marks + 1, (kept - 1) * sizeof *marks);
        piece.line->count--;
    } else if (kept >= SHADOW_INLINE)
        v->probe->grown += sizeof fresh;
    *shadow_add(piece.line) = fresh;
}

static struct object_shadow *shadow_of_global(struct races_probe *p, const struct sim_object *o) {
    if (o->id >= p->global_count) {
        uint32_t count = p->global_count ? p->global_count : 16;
        while (count <= o->id) count *= 2;
        p->global = probe_grow(p->global, count, sizeof *p->global);
        memset(p->global + p->global_count, 0, (count - p->global_count) * sizeof *p->global);
        p->global_count = count;
    }
    struct object_shadow *s = &p->global[o->id];
    if (s->address != o->address || s->size != o->size) {
        shadow_free(&s->shadow);
        stale_free(&s->stale);
        s->address = o->address, s->size = o->size;
        shadow_size(&s->shadow, o->size);
    }
    return s;
}

/* Returns the lanes whose access can race: all but those that discard the loaded value or access reserved shared
 * memory. Only libraries of the CUDA Toolkit can name that memory. They rely on an order that GPUs guarantee and the
 * PTX ISA does not. Their strong accesses still order other memory. */
static inline uint32_t racing_lanes(const struct sim_access *e, bool shared) {
    const struct sim_launch_info *l = e->where->launch;
    uint32_t lanes = e->mask & ~e->dropped;
    if (!shared || !l->reserved_bytes) return lanes;
    EACH_LANE (k, e->mask)
        if (e->offset[k] - l->reserved_offset < l->reserved_bytes) lanes &= ~(1u << k);
    return lanes;
}

static void access(void *self, const struct sim_access *e) {
    struct races_probe *p = self;
    bool shared = e->object->space == PTX_SHARED;
    if (!shared && (e->object->space != PTX_GLOBAL || e->object->read_only)) return;
    struct slot_races *own = p->slots.state[e->where->slot], *slot = own;
    struct visit v;
    v.probe = p, v.order = &own->order, v.access = e, v.shared = shared, v.pending_count = 0;
    v.alone = shared && e->where->launch->cluster_blocks == 1;
    uint32_t *reported = &own->reported[e->pc % PLACES];
    v.reported = *reported >= MAX_REPORTED && !e->stale;
    if (e->object->id != e->where->slot && shared) {
        slot = p->slots.state[e->object->id];
        visitors_note(&slot->remote, e, &own->order, p->chain, p->m);
    }
    if (slot == own && shared && e->strong && own->remote.count) visitors_seen(&own->remote, e);
    if (own->order.arrivals) order_touch(own->order.arrivals, e);
    bool flag = shared && e->is_volatile && !e->data;
    bool atomic = (e->strong && !e->data && !flag) || e->compared;
    struct object_shadow *global = shared ? NULL : shadow_of_global(p, e->object);
    struct shadow *shadow = shared ? &slot->shared : &global->shadow;
    const uint64_t kept = shadow->bytes;
    const uint32_t generation = shared ? slot->generation : p->generation;
    v.stale = shared ? &slot->stale : &global->stale;
    uint32_t form = e->where->warp | (uint32_t)e->kind << MARK_KIND | (atomic ? MARK_ATOMIC : 0) |
                    (e->scope == PTX_MOD_CTA       ? MARK_BLOCK_SCOPE
                     : e->scope == PTX_MOD_CLUSTER ? MARK_CLUSTER_SCOPE
                                                   : 0) |
                    (e->data ? MARK_DATA : 0) | (flag ? MARK_FLAG : 0) | e->where->call << MARK_CALL;
    p->serial++;
    for (uint32_t lanes = racing_lanes(e, shared); lanes;) {
        struct shadow_piece piece =
            e->contiguous ? shadow_neighbors(shadow, e, generation, lanes) : shadow_any(shadow, e, generation, lanes);
        struct mark m = {piece.cells, piece.lanes, piece.rule, v.order->now, e->where->block, e->pc, form, p->serial};
        visit_line(&v, piece, m);
        lanes = piece.rest;
    }
    if (shadow->bytes != kept) sim_charge(e->where->launch, shadow->bytes - kept);
    *reported += v.pending_count;
    while (v.pending_count) add_race(p, &v.pending[--v.pending_count]);
    if (e->before) stale_store(v.stale, e, p->serial);
    if (e->strong) chain_access(v.order, p->chain, e);
}

/* ---- synchronization events ------------------------------------------------------------------------------ */

static struct block_order *order_of(const struct races_probe *p, const struct sim_where *where) {
    return &((struct slot_races *)p->slots.state[where->slot])->order;
}
static void sync(void *self, const struct sim_sync *e) {
    struct races_probe *p = self;
    order_sync(order_of(p, e->where), p->chain, e);
}
static void arrival(void *self, const struct sim_arrival *e) {
    struct races_probe *p = self;
    order_arrival(order_of(p, e->where), p->chain, e);
}
static void barrier(void *self, const struct sim_barrier *e) {
    struct races_probe *p = self;
    order_barrier(order_of(p, e->where), p->chain, e);
}
static void fence(void *self, const struct sim_fence *e) {
    struct races_probe *p = self;
    chain_fence(order_of(p, e->where), p->chain, e->where, e->mask, order_scope(e->scope));
}
static void cluster(void *self, const struct sim_cluster_event *e) {
    struct races_probe *p = self;
    const uint32_t blocks = e->where->launch->cluster_blocks, first = e->where->slot - e->where->slot % blocks;
    if (e->kind == SIM_CLUSTER_ARRIVES) chain_cluster_arrive(order_of(p, e->where), p->chain, e);
    if (e->kind == SIM_CLUSTER_PASSES) chain_cluster_pass(order_of(p, e->where), p->chain, e);
    for (uint32_t k = first; e->kind == SIM_CLUSTER_COMPLETE && k < first + blocks; k++)
        chain_cluster_complete(&((struct slot_races *)p->slots.state[k])->order, p->chain);
}
/* Reports accesses by other blocks of the cluster that are not ordered before this block's end, when its shared memory
 * disappears. */
static void block_end(void *self, const struct sim_block_event *e) {
    struct races_probe *p = self;
    struct slot_races *s = p->slots.state[e->where->slot];
    if (e->completed) visitors_end(&s->remote, &s->order, p->chain, p->m);
}

static void finish(void *self, struct measurement *m) {
    struct races_probe *p = self;
    (void)m;
    for (uint32_t k = 0; k < p->global_count; k++) shadow_free(&p->global[k].shadow), stale_free(&p->global[k].stale);
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct slot_races *s = p->slots.state[k];
        if (!s) continue;
        order_block_free(&s->order);
        shadow_free(&s->shared);
        stale_free(&s->stale);
        visitors_free(&s->remote);
    }
    probe_slots_free(&p->slots);
    chain_free(p->chain);
    stale_forget(&p->readers);
    free(p->global);
    free(p->races);
    free(p);
}

static const struct sim_probe callbacks = {.name = "races",
                                           .launch_begin = launch_begin,
                                           .launch_end = launch_end,
                                           .block_begin = block_begin,
                                           .block_end = block_end,
                                           .access = access,
                                           .dropped = access,
                                           .sync = sync,
                                           .arrival = arrival,
                                           .barrier = barrier,
                                           .cluster = cluster,
                                           .fence = fence,
                                           .values = true,
                                           .drops = true};
const struct probe_row probe_races = {
    .name = "races",
    .question = "is there a data race: two unordered accesses to a location, at least one of which writes?",
    .part_of = MEASURE_RACES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = race_kinds,
};
