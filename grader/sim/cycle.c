/* Proves that a launch never ends although its threads change memory: the state of all threads, and the memory that
 * they write, return to earlier values. From then on, everything repeats.
 *
 * The search runs in windows: the first one opens FIRST_WINDOW instructions after the start of the launch, and each
 * later one when the number of executed instructions has doubled. In a window, run->fixed_order is set: the order of
 * warps and of the sides of branches is not random, and each turn ends at the next branch back or synchronization, so
 * that the turns of a loop repeat soon. A listener collects the places that stores and atomics write. After each round
 * of turns, a hash of the registers and of these places is compared with that of an earlier round. This reference is
 * replaced at growing distances (Brent, "An Improved Monte Carlo Factorization Algorithm", 1980).
 *
 * The hash omits what only decides when turns end, so that the state of a loop recurs soon. It also omits memory that
 * nothing has written in the window, because that memory has not changed. */
#include "base/map.h"
#include "sim/waits.h"
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_WINDOW = 1 << 22, /* warp-instructions */
    SHARE = 8,              /* a window lasts for 1/SHARE of the instructions before it, */
    COMPARISONS = 64,       /* and at least until COMPARISONS comparisons */
    MOST_PLACES = 1 << 15,
    /* maximum number of words that a comparison reads, per instruction executed since the last comparison */
    WORDS_PER_INSTRUCTION = 4
};
struct sim_cycle {
    struct sim_run *run;
    struct map places;         /* host address of the written memory, and number of bytes there */
    bool open, lost;           /* the window is open; it cannot prove anything: too many places, or memory was freed */
    bool heard;                /* run->heard before the window */
    uint64_t end, compared_at; /* run->executed at the window's end, and at the last comparison */
    uint64_t reference;        /* the earlier hash */
    uint32_t known;            /* number of places in `reference` */
    uint32_t tried, most;      /* comparisons with this reference; their number when it is replaced */
    uint32_t compared;         /* comparisons in this window */
};

/* ---- the places that the launch writes -------------------------------------------------------------------------- */
static void add_place(struct sim_cycle *c, const uint8_t *at, uint64_t bytes) {
    uint64_t *known = c->places.count < MOST_PLACES ? map_make(&c->places, (uintptr_t)at) : NULL;
    if (!known)
        c->lost = true;
    else if (*known < bytes)
        *known = bytes;
}
static void access(void *self, const struct sim_access *e) {
    struct sim_cycle *c = self;
    const struct sim_memory *m = (const struct sim_memory *)(const void *)e->object;
    if (e->kind == SIM_LOAD || e->object->kind == SIM_LOCAL_MEMORY || c->lost) return;
    if (e->contiguous && m->data) {
        const unsigned first = (unsigned)__builtin_ctz(e->mask), last = 31 - (unsigned)__builtin_clz(e->mask);
        add_place(c, m->data + e->offset[first], (last - first + 1) * e->bytes);
        return;
    }
    SIM_EACH_LANE (l, e->mask) {
        const uint8_t *at = sim_byte_at(c->run, m, e->offset[l]);
        if (at) add_place(c, at, e->bytes);
    }
}
static void heap(void *self, const struct sim_heap_event *e) {
    (void)e;
    ((struct sim_cycle *)self)->lost = true;
}

/* ---- the window ------------------------------------------------------------------------------------------------- */
static void add_listener(struct sim_channel *to, void (*call)(void), struct sim_cycle *c) {
    if (to->count == SIM_MAX_LISTENERS)
        c->lost = true;
    else
        to->to[to->count].call = call, to->to[to->count++].self = c;
}
static void drop_listener(struct sim_channel *from, const struct sim_cycle *c) {
    if (from->count && from->to[from->count - 1].self == c) from->count--;
}
static void open_window(struct sim_cycle *c) {
    struct sim_run *run = c->run;
    for (unsigned k = 0; k < SIM_ACCESSES; k++) add_listener(&run->accesses[k], (void (*)(void))access, c);
    add_listener(&run->heap, (void (*)(void))heap, c);
    c->heard = run->heard;
    run->heard = run->fixed_order = c->open = true;
    c->end = run->executed + run->executed / SHARE;
    c->compared_at = run->executed;
    c->tried = c->most = c->known = c->compared = 0;
}
static void close_window(struct sim_cycle *c) {
    struct sim_run *run = c->run;
    for (unsigned k = 0; k < SIM_ACCESSES; k++) drop_listener(&run->accesses[k], c);
    drop_listener(&run->heap, c);
    run->heard = c->heard;
    run->fixed_order = c->open = c->lost = false;
    run->cycle_at = 2 * run->executed;
    map_clear(&c->places);
}

/* ---- the state ----------------------------------------------------------------------------------------------------
 */
static uint64_t with(uint64_t h, uint64_t x) {
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}
static uint64_t with_bytes(uint64_t h, const void *bytes, uint64_t count) {
    const uint8_t *at = bytes;
    for (; count >= sizeof(uint64_t); at += sizeof(uint64_t), count -= sizeof(uint64_t)) {
        uint64_t x;
        memcpy(&x, at, sizeof x);
        h = with(h, x);
    }
    for (; count; count--) h = with(h, *at++);
    return h;
}
static uint64_t with_split(uint64_t h, const struct sim_run *run, const struct sim_split *s, uint64_t turn) {
    const bool asleep = s->parked && s->seen_at == run->changes;
    h = with(with(h, (uint64_t)s->pc << 32 | s->mask), (uint64_t)s->state << 32 | s->order);
    h = with(with(h, (uint64_t)s->hold << 2 | (uint64_t)s->parked << 1 | asleep), turn);
    if (s->state == SPLIT_SYNC) h = with(h, s->members);
    if (s->state == SPLIT_BARRIER) h = with(h, s->barrier);
    for (const struct sim_frame *f = s->frame; f; f = f->caller)
        h = with(with(h, (uint64_t)f->base << 32 | f->return_pc), (uint64_t)f->local_base << 32 | f->local_end);
    return h;
}
static uint64_t with_warp(uint64_t h, const struct sim_run *run, const struct sim_warp *w) {
    uint32_t ready = 0, least = UINT32_MAX, local_end = 0;
    for (unsigned k = 0; k < w->splits; k++) {
        const struct sim_split *s = &w->split[k];
        if (s->state == SPLIT_READY) ready++;
        if (s->state == SPLIT_READY && s->rest < least) least = s->rest;
        if (s->frame->local_end > local_end) local_end = s->frame->local_end;
    }
    h = with(with(h, w->where.live), (uint64_t)w->carry << 1 | w->polls);
    for (unsigned k = 0; k < w->splits; k++) {
        const struct sim_split *s = &w->split[k];
        const bool takes_turns = s->state == SPLIT_READY && ready > 1;
        h = with_split(h, run, s, takes_turns ? (uint64_t)(s->rest - least) << 32 | s->back_edges : 0);
    }
    if (!w->splits) return h;
    const uint32_t used = run->frames_end ? run->frames_end : run->kernel->frame_bytes;
    h = with_bytes(h, w->registers, used < w->register_bytes ? used : w->register_bytes);
    for (unsigned l = 0; local_end && l < SIM_WARP; l++)
        h = with_bytes(h, w->local + (size_t)l * w->local_bytes, local_end);
    return h;
}
static uint64_t with_block(uint64_t h, const struct sim_run *run, const struct sim_block *b) {
    h = with(with(h, (uint64_t)b->index << 32 | b->live), b->random);
    h = with(h, (uint64_t)b->pending << 1 | (b->waits && b->waits_since == run->changes));
    for (unsigned k = 0; k < b->warp_count; k++) h = with_warp(h, run, &b->warps[k]);
    for (uint32_t left = b->pending; left; left &= left - 1) {
        const struct sim_barrier_state *s = &b->barrier[__builtin_ctz(left)];
        h = with(with(h, (uint64_t)s->count << 32 | s->arrived), (uint64_t)s->votes << 1 | s->red);
        h = with_bytes(h, s->lanes, b->warp_count * sizeof *s->lanes);
    }
    return h;
}
static uint64_t state_of(const struct sim_cycle *c, uint32_t opened) {
    const struct sim_run *run = c->run;
    uint64_t h = with(with(run->ended, run->clock.now), run->clock.skipped);
    for (uint32_t k = 0; k < opened; k++)
        if (run->blocks[k]->active) h = with_block(h, run, run->blocks[k]);
    for (uint32_t k = 0; k < c->places.room; k++)
        if (c->places.item[k].key)
            h = with_bytes(h, (const void *)(uintptr_t)c->places.item[k].key, c->places.item[k].value);
    return h;
}
/* Returns about how many 8-byte words state_of() reads. */
static uint64_t size_of(const struct sim_cycle *c, uint32_t opened) {
    const struct sim_block *b = c->run->blocks[0];
    return c->places.room +
           opened * (uint64_t)b->warp_count * (b->warps[0].register_bytes / 8 + 4 * b->warps[0].local_bytes);
}
/* Returns whether the state is that of an earlier round. */
static bool recurs(struct sim_cycle *c, uint32_t opened) {
    const uint64_t state = state_of(c, opened);
    const bool complete = c->most && c->known == c->places.count; /* the reference has all places */
    c->compared++, c->compared_at = c->run->executed;
    if (complete && c->reference == state) return c->most = c->compared = 0, true;
    if (complete && ++c->tried < c->most) return false;
    c->reference = state, c->known = c->places.count;
    c->tried = 0, c->most = complete ? 2 * c->most : 1;
    return false;
}

void sim_watch_for_cycles(struct sim_run *run) {
    const bool hidden = run->weak || run->program->asynchronous || run->program->launches; /* state that has no hash */
    run->cycle_at = hidden || run->info.cluster_blocks > 1 ? UINT64_MAX : FIRST_WINDOW;
}
bool sim_find_cycle(struct sim_run *run, uint32_t opened) {
    if (!run->cycle) run->cycle = calloc(1, sizeof *run->cycle);
    struct sim_cycle *c = run->cycle;
    if (!c) return run->cycle_at = UINT64_MAX, false;
    c->run = run;
    if (!c->open)
        open_window(c);
    else if (c->lost || (run->executed >= c->end && c->compared >= COMPARISONS))
        close_window(c);
    else if (run->executed - c->compared_at >= size_of(c, opened) / WORDS_PER_INSTRUCTION)
        return recurs(c, opened);
    return false;
}
void sim_forget_cycle(struct sim_run *run) {
    if (!run->cycle) return;
    if (run->cycle->open) close_window(run->cycle);
    map_free(&run->cycle->places);
    free(run->cycle);
    run->cycle = NULL;
}
