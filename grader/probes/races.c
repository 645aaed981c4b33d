/* Do two threads touch one location, at least one of them writing, with nothing to order them?
 *
 * shadow.c remembers who touched what, order.c and chain.c say what is ordered; this file puts the question for each
 * access and words the answer. The rules stand in docs/metrics.md, "Races". */
#include "probes/order.h"
#include "probes/shadow.h"

#include <inttypes.h>
#include <stdio.h>

#define MOST_PAIRS 256                 /* of instructions that race, told apart */
#define MOST_MARKS 96                  /* in a line; past it the oldest is forgotten */
#define MOST_RACING 8                  /* of them that an access races with; the others are forgotten */
#define MOST_BYTES (UINT64_C(1) << 30) /* of marks beyond those that lie in the lines; past it lines do not grow */

/* ---- what it tells -------------------------------------------------------------------------------------------- */

enum { RACE_SHARED, RACE_GLOBAL, RACE_WARP, RACE_BLOCKS };
static const struct finding_kind kinds[] = {
    [RACE_SHARED] = {.key = "race-shared",
                     .title = "data race in shared memory",
                     .cure = "put __syncthreads() between the two accesses",
                     .explanation = "Two warps touch one place of shared memory, at least one of them writes, and "
                                    "nothing says which comes first. Warps run at their own pace: what you saw "
                                    "work was one order among many. __syncthreads() between the two accesses says "
                                    "that everything before it, of all threads of the block, has happened. In a "
                                    "tree that is once each step: before reading what others wrote in the step "
                                    "before, and, where places are used again, before overwriting what others "
                                    "still read.",
                     .rank = 14,
                     .drawing = DRAW_ACCESSES,
                     .between = "no __syncthreads() between",
                     .is_race = true},
    [RACE_GLOBAL] = {.key = "race-global",
                     .title = "data race in global memory",
                     .cure = "put __syncthreads() between the two accesses",
                     .explanation = "Two warps of one block touch one place of global memory, at least one of them "
                                    "writes, and no barrier lies between. __syncthreads() orders global memory "
                                    "too, for the threads of one block.",
                     .rank = 15,
                     .drawing = DRAW_ACCESSES,
                     .between = "no __syncthreads() between",
                     .is_race = true},
    [RACE_WARP] = {.key = "race-warp",
                   .title = "data race inside a warp",
                   .cure = "put __syncwarp() between the two accesses: lanes of a warp need not run in lockstep",
                   .explanation = "Two lanes of one warp touch one place, at least one of them writes, and "
                                  "nothing orders them. Since compute capability 7.0 the lanes of a warp need "
                                  "not move in lockstep, so code that relied on it (and on volatile) is wrong "
                                  "today. __syncwarp() orders what comes before it and after it, for the lanes "
                                  "of its mask; a shuffle orders registers only, not memory.",
                   .rank = 16,
                   .drawing = DRAW_ACCESSES,
                   .between = "no __syncwarp() between",
                   .is_race = true},
    [RACE_BLOCKS] = {.key = "race-blocks",
                     .title = "data race between blocks",
                     .cure = "let an atomic do the update, or order the blocks: __threadfence() before the atomic "
                             "ticket and behind it, or a second launch",
                     .explanation = "Two blocks touch one place, at least one of them writes, and nothing orders "
                                    "them: blocks run in any order, and at once. An atomic makes one update "
                                    "indivisible. To hand over more than that, a block writes, passes "
                                    "__threadfence(), and only then draws its ticket by an atomic; who finds by "
                                    "the ticket that all have written passes a __threadfence() too, and reads. Or "
                                    "let a second launch read: it begins when the first has ended.",
                     .rank = 17,
                     .drawing = DRAW_ACCESSES,
                     .between = "blocks are not ordered",
                     .is_race = true},
    [RACE_BLOCKS + 1] = {NULL},
};

/* One side of a race, and which cells of which line. */
struct side {
    struct sim_where where;
    uint32_t pc, lanes;
    uint8_t kind;
    bool strong; /* a strong load of data */
};
struct race {
    const struct finding_kind *kind;
    struct side at, other;
    bool same_instruction;
    uint32_t told; /* the block, + 1, that learned by an atomic that it may, but has no fence behind it; or 0 */
    struct sim_object object;
    uint64_t first, last; /* bytes of the object: first cell, end of the last cell */
    uint32_t bytes;       /* how many of them */
    uint64_t count;
    struct finding finding; /* worded at the end of the launch */
};
struct object_shadow {
    uint64_t address, size;
    struct shadow shadow;
};
struct slot_races {
    struct block_order order;
    struct shadow shared;
};
struct races_probe {
    struct measurement *m;
    struct chain *chain;
    struct probe_slots slots;
    struct object_shadow *global;
    uint32_t global_count; /* by object id */
    uint32_t generation, serial;
    uint64_t grown; /* bytes of marks beyond those in the lines, about */
    struct race *races;
    unsigned race_count;
    uint64_t dropped;
};

/* An access while it is looked at. Races with one and the same other access, in several lines, are told as one. */
#define MOST_PENDING 4
struct visit {
    struct races_probe *probe;
    struct block_order *order;
    const struct sim_access *access;
    bool shared;
    /* the part of it in one line, put here when a closer look is needed */
    struct mark mark;
    uint64_t line_offset;
    uint32_t cell_bytes;
    unsigned pending_count;
    struct race pending[MOST_PENDING];
};

static void *create(struct measurement *m) {
    struct races_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    p->chain = chain_new();
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
}

/* ---- telling --------------------------------------------------------------------------------------------- */

/* Which of two occurrences of a race is told: the one with the lowest block, warp, place. */
static bool told_before(const struct race *a, const struct race *b) {
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

/* The reader is told of, and the plain access rather than the atomic one; else the later place in the program, the
 * lower block and warp: whichever of the two came first in this run. */
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
        if (told_before(r, have)) *have = *r;
        have->count = r->count;
        return;
    }
    if (p->race_count == MOST_PAIRS) {
        p->dropped++;
        return;
    }
    if ((p->race_count & (p->race_count - 1)) == 0)
        p->races = probe_grow(p->races, p->race_count ? 2 * p->race_count : 1, sizeof *p->races);
    r->count = 1;
    p->races[p->race_count++] = *r;
}

/* "s[16..31]", "s[0], s[2], ... s[62]" is "s[0] to s[62]", "s[3]" */
static void name_elements(char *out, size_t size, const struct race *r, const struct finding_place *place,
                          unsigned element) {
    uint64_t low = (r->first - place->start) / element, high = (r->last - 1 - place->start) / element;
    bool gaps = (high - low + 1) * element > (uint64_t)r->bytes;
    if (place->size == element && low == 0)
        snprintf(out, size, "%s", place->name);
    else if (low == high)
        snprintf(out, size, "%s[%" PRIu64 "]", place->name, low);
    else if (gaps)
        snprintf(out, size, "elements of %s[%" PRIu64 "..%" PRIu64 "]", place->name, low, high);
    else
        snprintf(out, size, "%s[%" PRIu64 "..%" PRIu64 "]", place->name, low, high);
}

static void word(struct race *r, const struct sim_launch_info *launch) {
    static const char *const verbs[] = {
        [SIM_LOAD] = "read", [SIM_STORE] = "wrote", [SIM_ATOMIC] = "updated atomically"};
    static const char *const missing[] = {[RACE_SHARED] = "no __syncthreads() between",
                                          [RACE_GLOBAL] = "no __syncthreads() between",
                                          [RACE_WARP] = "no __syncwarp() between",
                                          [RACE_BLOCKS] = "nothing orders the two blocks"};
    struct finding *f = &r->finding;
    char who[96], whose[96], what[96], line[48], why[96];
    unsigned bytes = launch->code[r->at.pc] ? finding_element_bytes(launch, r->at.pc, 16) : 4;
    struct finding_place place = finding_place(launch, &r->object, r->first);
    *f = (struct finding){.kind = r->kind,
                          .bytes = bytes,
                          .count = r->count,
                          .offset = (int64_t)(r->first - place.start),
                          .at = finding_site(&r->at.where, r->at.pc, r->at.lanes),
                          .other = finding_site(&r->other.where, r->other.pc, r->other.lanes)};
    finding_object(&r->object, &place, f->object, sizeof f->object);
    name_elements(what, sizeof what, r, &place, bytes ? bytes : 4);
    bool in_warp = r->kind == &kinds[RACE_WARP]; /* lanes are what matters then */
    finding_who(r->at.where.warp, r->at.lanes, in_warp ? 0 : r->at.where.launched, who, sizeof who);
    finding_who(r->other.where.warp, r->other.lanes, in_warp ? 0 : r->other.where.launched, whose, sizeof whose);
    if (f->other.line)
        snprintf(line, sizeof line, " at line %u", f->other.line);
    else
        line[0] = 0;
    if (r->same_instruction) {
        finding_who(r->at.where.warp, r->at.lanes | r->other.lanes, 0, who, sizeof who);
        snprintf(f->message, sizeof f->message, "%s wrote %s in one instruction: which value stays is not defined", who,
                 what);
        return;
    }
    const char *verb = verbs[r->at.kind], *other_verb = verbs[r->other.kind];
    if (r->at.strong || r->other.strong)
        snprintf(why, sizeof why, "%s, and a volatile or relaxed access orders nothing", missing[r->kind - kinds]);
    else
        snprintf(why, sizeof why, "%s", missing[r->kind - kinds]);
    if (r->kind == &kinds[RACE_BLOCKS] && r->told)
        snprintf(f->message, sizeof f->message,
                 "%s of block %u %s %s that %s of block %u %s%s: block %u has no __threadfence() after the atomic that "
                 "told it",
                 who, r->at.where.block, verb, what, whose, r->other.where.block, other_verb, line, r->told - 1);
    else if (r->kind == &kinds[RACE_BLOCKS])
        snprintf(f->message, sizeof f->message, "%s of block %u %s %s that %s of block %u %s%s: %s", who,
                 r->at.where.block, verb, what, whose, r->other.where.block, other_verb, line, why);
    else
        snprintf(f->message, sizeof f->message, "%s %s %s that %s %s%s: %s", who, verb, what, whose, other_verb, line,
                 why);
}

static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct races_probe *p = self;
    for (unsigned k = 0; k < p->race_count; k++) {
        word(&p->races[k], launch);
        finding_add(&p->m->findings, &p->races[k].finding);
    }
    p->m->findings.dropped += p->dropped;
    p->race_count = 0, p->dropped = 0;
}

/* ---- looking --------------------------------------------------------------------------------------------- */

/* Ordered for every pair of threads that share a cell, by what one look can tell. */
static inline bool plainly_ordered(const struct block_order *b, const struct mark *old, const struct mark *fresh) {
    if (old->block != b->block) return false;
    if (old->time <= b->barrier_time) return true;
    return mark_warp(old) == mark_warp(fresh) &&
           ((old->rule == fresh->rule && !(fresh->rule & RULE_EVERY)) || old->time <= b->sync_time[mark_warp(old)]);
}

/* Thread by thread. Returns the cells of `both` where all is in order; the lanes that are not are put in *at and
 * *other. */
static uint32_t ordered_cells(struct visit *v, const struct mark *old, const struct mark *fresh, uint32_t both,
                              uint32_t *at, uint32_t *other) {
    uint32_t ordered = 0;
    EACH_LANE(cell, both) {
        bool good = true;
        uint32_t mine = mark_lanes(fresh, cell), theirs = mark_lanes(old, cell);
        for (uint32_t a = mine; a; a &= a - 1)
            for (uint32_t o = theirs; o; o &= o - 1) {
                struct stamp stamp = {old->block, mark_warp(old), lowest_lane(o), old->time};
                if (order_before(v->order, v->probe->chain, mark_warp(fresh), lowest_lane(a), &stamp)) continue;
                /* a strong load comes from where the blocks meet: it needs no fence of its own behind the atomic */
                if (v->access->data &&
                    chain_before_but_for_fence(v->order, v->probe->chain, mark_warp(fresh), lowest_lane(a), &stamp))
                    continue;
                good = false;
                *at |= a & -a, *other |= o & -o;
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
            have->other.where.call != r->other.where.call || have->same_instruction != r->same_instruction)
            continue;
        if (r->first < have->first) have->first = r->first;
        if (r->last > have->last) have->last = r->last;
        have->bytes += r->bytes, have->at.lanes |= r->at.lanes, have->other.lanes |= r->other.lanes;
        return;
    }
    if (v->pending_count == MOST_PENDING) add_race(v->probe, &v->pending[--v->pending_count]);
    v->pending[v->pending_count++] = *r;
}

static void conflict(struct visit *v, const struct mark *old, uint32_t cells, uint32_t at, uint32_t other) {
    struct race r = race_of(v, cells);
    bool same_block = old->block == v->order->block;
    r.kind = !same_block                         ? &kinds[RACE_BLOCKS]
             : mark_warp(old) == r.at.where.warp ? &kinds[RACE_WARP]
             : v->shared                         ? &kinds[RACE_SHARED]
                                                 : &kinds[RACE_GLOBAL];
    r.same_instruction = old->serial == v->mark.serial;
    r.at.lanes = at;
    r.other.lanes = other, r.other.pc = old->pc, r.other.kind = (uint8_t)mark_kind(old);
    r.other.strong = old->form & MARK_DATA;
    r.other.where.block = old->block, r.other.where.warp = mark_warp(old), r.other.where.call = old->form >> MARK_CALL;
    uint32_t threads = r.at.where.launch->threads, rest = threads - mark_warp(old) * SIM_WARP;
    r.other.where.launched = rest >= SIM_WARP ? UINT32_MAX : (1u << rest) - 1;
    const struct stamp stamp = {old->block, mark_warp(old), lowest_lane(other), old->time};
    if (!same_block && at &&
        chain_before_but_for_fence(v->order, v->probe->chain, r.at.where.warp, lowest_lane(at), &stamp))
        r.told = v->order->block + 1;
    put_off(v, &r);
}

/* Several lanes of one plain store wrote one cell. */
static __attribute__((noinline)) void tell_own_lanes(struct visit *v) {
    struct race r = race_of(v, v->mark.cells);
    r.kind = &kinds[RACE_WARP], r.same_instruction = true;
    r.at.lanes = v->mark.lanes;
    r.other = r.at;
    put_off(v, &r);
}

/* Two atomic accesses do not race, unless one is atomic for its own block only and they are of different blocks. */
static bool both_atomic(const struct mark *old, const struct mark *fresh) {
    return old->form & fresh->form & MARK_ATOMIC &&
           (old->block == fresh->block || !((old->form | fresh->form) & MARK_BLOCK_SCOPE));
}

/* Whatever races with `old` races with the atomic access `fresh` too, if it does not come after it. */
static inline bool stands_for(const struct mark *fresh, const struct mark *old) {
    return old->form & MARK_ATOMIC && (fresh->form & MARK_BLOCK_SCOPE || !(old->form & MARK_BLOCK_SCOPE));
}

/* An earlier mark that is not plainly ordered before v->mark: which cells of `both` are in order all the same? What is
 * not is told. */
static __attribute__((noinline)) uint32_t look_closer(struct visit *v, const struct mark *old, uint32_t both) {
    const struct mark *fresh = &v->mark;
    const struct block_order *b = v->order;
    bool harmless = (mark_kind(fresh) == SIM_LOAD && mark_kind(old) == SIM_LOAD) || both_atomic(old, fresh);
    uint32_t at = 0, other = 0;
    if (harmless && old->form & fresh->form & MARK_ATOMIC && mark_kind(fresh) != SIM_LOAD)
        return both; /* atomic accesses of one location come one after the other */
    if (harmless && !b->warps && !b->lanes[mark_warp(fresh)]) return 0;
    uint32_t ordered = ordered_cells(v, old, fresh, both, &at, &other);
    if (!harmless && both & ~ordered) conflict(v, old, both & ~ordered, at, other);
    return ordered;
}

/* An atomic whose result nobody looks at comes after earlier ones of its place, but its thread does not know: what the
 * thread does next may still race with those. So one atomic access by another block stays, and one by another warp, for
 * all there were. Returns the cells of `old` that need not stay; `stay` are those that are taken. */
static __attribute__((noinline)) uint32_t spare(const struct mark *old, const struct mark *fresh, uint32_t cells,
                                                uint32_t stay[2]) {
    bool other_block = old->block != fresh->block;
    if (!other_block && mark_warp(old) == mark_warp(fresh)) return cells;
    uint32_t taken = stay[other_block] & cells;
    stay[other_block] |= cells;
    return taken;
}

/* Compares the new mark with those of the line, takes from them the cells for which the new one stands from now on,
 * adds it. What may go: whatever comes before the new access, as any later one that comes after it comes after both.
 * Of that, a read replaces reads only, and an atomic access replaces only those that race with no more than it does
 * itself. */
static inline __attribute__((always_inline)) void visit_line(struct visit *v, struct shadow_piece piece,
                                                             struct mark fresh) {
    const struct block_order *b = v->order;
    struct mark *marks = shadow_marks(piece.line);
    uint32_t kept = 0, racing = 0, read_once = 0, read_twice = 0, count = piece.line->count, stay[2] = {0};
    bool reads = mark_kind(&fresh) == SIM_LOAD, atomic = (fresh.form & MARK_ATOMIC) != 0;
    for (uint32_t k = 0; k < count; k++) {
        struct mark *old = &marks[k];
        if (v->shared && (old->block != b->block || old->time <= b->barrier_time))
            continue; /* nobody can race with it any more */
        uint32_t both = old->cells & fresh.cells;
        if (both) {
            bool was_read = mark_kind(old) == SIM_LOAD;
            uint32_t done = both, gone = both;
            if (!plainly_ordered(b, old, &fresh)) {
                v->mark = fresh, v->line_offset = piece.offset, v->cell_bytes = piece.cell_bytes;
                done = look_closer(v, old, both);
                if (both & ~done && !(reads && was_read) && ++racing > MOST_RACING) done = both, old->cells &= ~both;
                gone = v->access->blind && old->form & MARK_ATOMIC ? spare(old, &fresh, done, stay) : done;
            }
            if ((!reads || was_read) && (!atomic || stands_for(&fresh, old))) old->cells &= ~gone;
            if (was_read && old->pc == fresh.pc) read_twice |= read_once & both & ~done, read_once |= both & ~done;
        }
        if (!old->cells) continue;
        if (kept != k) marks[kept] = *old;
        kept++;
    }
    piece.line->count = kept;
    if ((fresh.rule & RULE_EVERY) && mark_kind(&fresh) == SIM_STORE && !atomic) {
        v->mark = fresh, v->line_offset = piece.offset, v->cell_bytes = piece.cell_bytes;
        tell_own_lanes(v);
    }
    if (reads) fresh.cells &= ~read_twice; /* two readers by one instruction are enough to catch any writer */
    if (!fresh.cells) return;
    if (kept >= (v->probe->grown < MOST_BYTES ? MOST_MARKS : SHADOW_INLINE)) {
        memmove(marks, marks + 1, (kept - 1) * sizeof *marks);
        piece.line->count--;
    } else if (kept >= SHADOW_INLINE)
        v->probe->grown += sizeof fresh;
    *shadow_add(piece.line) = fresh;
}

static struct shadow *shadow_of_global(struct races_probe *p, const struct sim_object *o) {
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
        s->address = o->address, s->size = o->size;
        shadow_size(&s->shadow, o->size);
    }
    return &s->shadow;
}

static void access(void *self, const struct sim_access *e) {
    struct races_probe *p = self;
    bool shared = e->object->space == PTX_SHARED;
    if (!shared && (e->object->space != PTX_GLOBAL || e->object->read_only)) return;
    struct slot_races *slot = p->slots.state[e->where->slot];
    struct visit v;
    v.probe = p, v.order = &slot->order, v.access = e, v.shared = shared, v.pending_count = 0;
    bool strong = e->strong && !(shared && e->is_volatile);
    bool atomic = (strong && !e->data) || e->compared;
    struct shadow *shadow = shared ? &slot->shared : shadow_of_global(p, e->object);
    uint32_t form = e->where->warp | (uint32_t)e->kind << MARK_KIND | (atomic ? MARK_ATOMIC : 0) |
                    (e->scope == PTX_MOD_CTA ? MARK_BLOCK_SCOPE : 0) | (e->data ? MARK_DATA : 0) |
                    e->where->call << MARK_CALL;
    p->serial++;
    for (uint32_t lanes = e->mask; lanes;) {
        struct shadow_piece piece = e->contiguous ? shadow_neighbours(shadow, e, p->generation, lanes)
                                                  : shadow_any(shadow, e, p->generation, lanes);
        struct mark m = {piece.cells, piece.lanes, piece.rule, v.order->now, e->where->block, e->pc, form, p->serial};
        visit_line(&v, piece, m);
        lanes = piece.rest;
    }
    while (v.pending_count) add_race(p, &v.pending[--v.pending_count]);
    if (strong) chain_access(v.order, p->chain, e);
}

/* ---- events that order ----------------------------------------------------------------------------------- */

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
    chain_fence(order_of(p, e->where), p->chain, e->where, e->mask, e->scope != PTX_MOD_CTA);
}

static void finish(void *self, struct measurement *m) {
    struct races_probe *p = self;
    (void)m;
    for (uint32_t k = 0; k < p->global_count; k++) shadow_free(&p->global[k].shadow);
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct slot_races *s = p->slots.state[k];
        if (!s) continue;
        order_block_free(&s->order);
        shadow_free(&s->shared);
    }
    probe_slots_free(&p->slots);
    chain_free(p->chain);
    free(p->global);
    free(p->races);
    free(p);
}

static const struct sim_probe callbacks = {.name = "races",
                                           .launch_begin = launch_begin,
                                           .launch_end = launch_end,
                                           .block_begin = block_begin,
                                           .access = access,
                                           .sync = sync,
                                           .arrival = arrival,
                                           .barrier = barrier,
                                           .fence = fence};
const struct probe_row probe_races = {
    .name = "races",
    .question = "do two threads touch a location with nothing to order them?",
    .part_of = MEASURE_RACES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
