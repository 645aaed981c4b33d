/* Order by fences and atomics: release and acquire chains, between blocks and between threads of a block.
 *
 * A release is an atomic or strong store by a thread that has passed a fence (or whose block has, before its last barrier).
 * Each location has a log of its releases. A thread that accesses the location atomically or strongly has seen the log as long
 * as it is then; that takes effect at its next fence, or, for the threads that meet there, at the next barrier or __syncwarp.
 * "Does that access come before me?" looks for a release that covers it in the logs I know, then in what those who
 * released knew, and so on. Nothing is looked up before two threads really touch one location.
 *
 * Source: PTX ISA, "Memory Consistency Model": release and acquire patterns, cumulativity. What this takes from the model and
 * where it is more lenient stands in docs/metrics.md. */
#include "probes/order.h"

#define NONE UINT32_MAX
#define MOST_BYTES (UINT64_C(256) << 20) /* of logs; past it, accesses of different threads count as ordered once chains are in use */
enum { BLOCK, DEVICE, SCOPES };

struct release {
    uint32_t block, warp, lane;
    bool device_wide;
    uint32_t own;              /* covers what the thread did up to here, ... */
    uint32_t warp_time, all;   /* ... its warp, its block */
    const uint32_t *threads;   /* ... other threads that had a fence of their own; or NULL */
    const struct known *known;
    uint32_t previous;         /* of the same block in this log, or NONE */
};
struct log {
    uint64_t object, offset;
    struct release *releases;
    uint32_t count, capacity;
    uint32_t *latest, *latest_block, latest_capacity, latest_count; /* hash: block -> its last release */
    uint64_t visit;            /* search that has been here, ... */
    uint32_t visited;          /* ... and how far */
};
/* A list of logs and how much of each is known. Never changed once made. */
struct known { struct log *log; uint32_t length; const struct known *next; };

struct fence { uint32_t time, warp_time, barrier_time, before; }; /* before: the fence before the last barrier */
struct thread_chain {
    struct fence fence[SCOPES];
    const struct known *known, *pending; /* acquired; acquired, but no fence since */
    const struct log *last_log;
    uint32_t last_length;
    const struct log *released_log;
    uint32_t released_fence;
};

struct chunk { struct chunk *next; size_t used, size; _Alignas(16) uint8_t data[]; };
struct chain {
    struct log **logs;      /* open addressing */
    uint32_t log_count, log_capacity;
    struct chunk *chunks;
    uint64_t bytes, visit;
    bool in_use;            /* a fence, release or acquire has happened */
    bool full;
    uint32_t threads;
};

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

static void *take(struct chain *c, size_t bytes) {
    bytes = (bytes + 15) / 16 * 16;
    if (!c->chunks || c->chunks->size - c->chunks->used < bytes) {
        size_t size = bytes > 65536 ? bytes : 65536;
        struct chunk *fresh = probe_alloc(1, sizeof *fresh + size);
        fresh->size = size, fresh->next = c->chunks;
        c->chunks = fresh;
        c->bytes += size;
        c->full |= c->bytes > MOST_BYTES;
    }
    void *p = c->chunks->data + c->chunks->used;
    c->chunks->used += bytes;
    return p;
}

struct chain *chain_new(void) { return probe_alloc(1, sizeof(struct chain)); }

static void clear(struct chain *c) {
    for (uint32_t k = 0; k < c->log_capacity; k++) {
        if (!c->logs[k]) continue;
        free(c->logs[k]->releases);
        free(c->logs[k]->latest);
        free(c->logs[k]->latest_block);
        c->logs[k] = NULL;
    }
    while (c->chunks) {
        struct chunk *next = c->chunks->next;
        free(c->chunks);
        c->chunks = next;
    }
    c->log_count = 0, c->bytes = 0;
    c->in_use = c->full = false;
}
void chain_free(struct chain *c) {
    clear(c);
    free(c->logs);
    free(c);
}
void chain_launch_begin(struct chain *c, const struct sim_launch_info *launch) {
    clear(c);
    c->threads = launch->threads;
}
void chain_block_begin(struct block_order *b, struct chain *c) {
    if (b->threads && b->thread_count < c->threads) free(b->threads), b->threads = NULL;
    if (b->threads) memset(b->threads, 0, b->thread_count * sizeof *b->threads);
    b->chained_warps = 0, b->known = NULL;
    memset(b->fence_time, 0, sizeof b->fence_time);
    memset(b->fence_covers, 0, sizeof b->fence_covers);
    memset(b->fenced, 0, sizeof b->fenced);
}
static struct thread_chain *thread_of(struct block_order *b, const struct chain *c, unsigned warp, unsigned lane) {
    if (!b->threads) {
        b->thread_count = (c->threads + SIM_WARP - 1) / SIM_WARP * SIM_WARP;
        b->threads = probe_alloc(b->thread_count, sizeof *b->threads);
    }
    return &b->threads[warp * SIM_WARP + lane];
}

/* ---- what is known ----------------------------------------------------------------------------------------------------------- */

/* The list with `length` of the log known: shares its tail with the old one. */
static const struct known *know(struct chain *c, const struct known *list, struct log *log, uint32_t length) {
    const struct known *have = list;
    while (have && have->log != log) have = have->next;
    if (have && have->length >= length) return list;
    struct known *first = take(c, sizeof *first), *to = first;
    *first = (struct known){log, length, list};
    if (!have) return first;
    for (const struct known *k = list; k != have; k = k->next) { /* copies of those before it */
        struct known *copy = take(c, sizeof *copy);
        *copy = *k;
        to->next = copy, to = copy;
    }
    to->next = have->next;
    return first;
}
static const struct known *know_all(struct chain *c, const struct known *list, const struct known *more) {
    if (!list) return more;
    for (; more && more != list; more = more->next) list = know(c, list, more->log, more->length);
    return list;
}

void chain_give(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes, const struct known **to) {
    EACH_LANE(l, lanes) {
        struct thread_chain *t = thread_of(b, c, warp, l);
        *to = know_all(c, know_all(c, *to, t->known), t->pending);
    }
}
void chain_take(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes, const struct known *from) {
    EACH_LANE(l, lanes) {
        struct thread_chain *t = thread_of(b, c, warp, l);
        t->known = know_all(c, from, t->known);
        t->pending = NULL;
    }
    if (from) b->chained_warps |= 1u << warp;
}
void chain_join_lanes(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes) {
    const struct known *all = NULL;
    chain_give(b, c, warp, lanes, &all);
    chain_take(b, c, warp, lanes, all);
}
void chain_join_block(struct block_order *b, struct chain *c) {
    for (uint32_t warps = b->chained_warps; warps; warps &= warps - 1) {
        unsigned warp = lowest_lane(warps);
        for (unsigned l = 0; l < SIM_WARP; l++) {
            struct thread_chain *t = thread_of(b, c, warp, l);
            b->known = know_all(c, know_all(c, b->known, t->known), t->pending);
            t->known = t->pending = NULL;
        }
    }
    b->chained_warps = 0;
    memcpy(b->fenced, b->fence_covers, sizeof b->fenced);
}

/* ---- logs ------------------------------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b + UINT64_C(0x7f4a7c159e3779b9) + (a << 6));
    h ^= h >> 32;
    return h * UINT64_C(0xd6e8feb86659fd93) >> 16;
}

static struct log *find_log(struct chain *c, uint64_t object, uint64_t offset, bool make) {
    if (2 * (c->log_count + 1) > c->log_capacity) {
        if (!make && !c->log_capacity) return NULL;
        uint32_t old = c->log_capacity, capacity = old ? 2 * old : 64;
        struct log **from = c->logs, **to = probe_alloc(capacity, sizeof *to);
        for (uint32_t k = 0; k < old; k++) {
            if (!from[k]) continue;
            uint32_t at = (uint32_t)mix(from[k]->object, from[k]->offset) & (capacity - 1);
            while (to[at]) at = (at + 1) & (capacity - 1);
            to[at] = from[k];
        }
        free(from);
        c->logs = to, c->log_capacity = capacity;
    }
    uint32_t at = (uint32_t)mix(object, offset) & (c->log_capacity - 1);
    for (; c->logs[at]; at = (at + 1) & (c->log_capacity - 1))
        if (c->logs[at]->object == object && c->logs[at]->offset == offset) return c->logs[at];
    if (!make) return NULL;
    struct log *log = take(c, sizeof *log);
    *log = (struct log){.object = object, .offset = offset};
    c->log_count++;
    return c->logs[at] = log;
}

/* The slot of a block in the log's table of last releases. */
static uint32_t *latest_of(struct log *log, uint32_t block, bool make) {
    if (make && 2 * (log->latest_count + 1) > log->latest_capacity) {
        uint32_t old = log->latest_capacity, capacity = old ? 2 * old : 8;
        uint32_t *latest = log->latest, *blocks = log->latest_block;
        log->latest = probe_alloc(capacity, sizeof *latest), log->latest_block = probe_alloc(capacity, sizeof *blocks);
        memset(log->latest, 0xff, capacity * sizeof *latest);
        log->latest_capacity = capacity, log->latest_count = 0;
        for (uint32_t k = 0; k < old; k++)
            if (latest[k] != NONE) *latest_of(log, blocks[k], true) = latest[k];
        free(latest);
        free(blocks);
    }
    if (!log->latest_capacity) return NULL;
    uint32_t mask = log->latest_capacity - 1, at = (uint32_t)mix(block, 1) & mask;
    for (; log->latest[at] != NONE; at = (at + 1) & mask)
        if (log->latest_block[at] == block) return &log->latest[at];
    if (!make) return NULL;
    log->latest_block[at] = block;
    log->latest_count++;
    return &log->latest[at];
}

/* ---- fences, releases, acquisitions ------------------------------------------------------------------------------------------------ */

void chain_fence(struct block_order *b, struct chain *c, const struct sim_where *where, uint32_t lanes, bool device_wide) {
    unsigned warp = where->warp;
    c->in_use = true;
    for (unsigned scope = 0; scope <= (device_wide ? DEVICE : BLOCK); scope++) {
        EACH_LANE(l, lanes) {
            struct fence *f = &thread_of(b, c, warp, l)->fence[scope];
            if (f->time <= b->barrier_time) f->before = f->time;
            f->time = b->now, f->warp_time = b->sync_time[warp], f->barrier_time = b->barrier_time;
        }
        b->fence_time[scope][warp] = b->now;
        b->fence_covers[scope] = b->barrier_time;
    }
    EACH_LANE(l, lanes) {
        struct thread_chain *t = thread_of(b, c, warp, l);
        if (!t->pending) continue;
        t->known = know_all(c, t->known, t->pending);
        t->pending = NULL;
    }
    b->now++;
}

/* The last fence of thread (w, l) that comes before what (warp, lane) does now, if there is one later than `after`; and, where
 * only some warps or lanes have met, what the releasing thread knows of the other one. */
static uint32_t fence_seen(const struct block_order *b, unsigned scope, unsigned warp, unsigned lane, unsigned w, unsigned l, uint32_t own) {
    const struct fence *f = &b->threads[w * SIM_WARP + l].fence[scope];
    uint32_t met = b->barrier_time, seen, direct = 0;
    if (w == warp) {
        if (b->sync_time[w] > met) met = b->sync_time[w];
        if (b->lanes[w]) direct = b->lanes[w]->clock[lane][l];
    } else if (b->warps) direct = b->warps->clock[warp][w];
    if (direct > met) met = direct;
    seen = f->time <= met ? f->time : f->before;
    if (direct > own) direct = own; /* ordered before the releasing thread's own fence */
    return seen > direct ? seen : direct;
}

static const uint32_t *fences_of_others(const struct block_order *b, struct chain *c, unsigned scope, unsigned warp, unsigned lane,
                                        uint32_t own, uint32_t all) {
    uint32_t *threads = NULL;
    for (unsigned w = 0; w * SIM_WARP < c->threads; w++) {
        bool matrix = b->warps || (w == warp && b->lanes[w]);
        if (b->fence_time[scope][w] <= all && !matrix) continue;
        for (unsigned l = 0; l < SIM_WARP && w * SIM_WARP + l < c->threads; l++) {
            if (w == warp && l == lane) continue;
            uint32_t seen = fence_seen(b, scope, warp, lane, w, l, own);
            if (seen <= all) continue;
            if (!threads) threads = take(c, c->threads * sizeof *threads);
            threads[w * SIM_WARP + l] = seen;
        }
    }
    return threads;
}

static void append(struct chain *c, struct log *log, struct release r) {
    if (log->count == log->capacity) {
        log->capacity = log->capacity ? 2 * log->capacity : 4;
        log->releases = probe_grow(log->releases, log->capacity, sizeof *log->releases);
        c->bytes += log->capacity / 2 * sizeof *log->releases;
        c->full |= c->bytes > MOST_BYTES;
    }
    uint32_t *latest = latest_of(log, r.block, true);
    r.previous = *latest;
    *latest = log->count;
    log->releases[log->count++] = r;
}

static void release(struct block_order *b, struct chain *c, unsigned warp, unsigned lane, uint64_t object, uint64_t offset) {
    struct thread_chain *t = thread_of(b, c, warp, lane);
    uint32_t newest = t->fence[BLOCK].time > b->fenced[BLOCK] ? t->fence[BLOCK].time : b->fenced[BLOCK];
    uint32_t told = NONE;
    struct log *log = NULL;
    for (int scope = DEVICE; scope >= BLOCK; scope--) {
        const struct fence *f = &t->fence[scope];
        struct release r = {.block = b->block, .warp = warp, .lane = lane, .device_wide = scope == DEVICE, .own = f->time,
                            .warp_time = f->time ? f->warp_time : 0, .all = b->fenced[scope], .previous = NONE};
        if (f->time && f->barrier_time > r.all) r.all = f->barrier_time;
        if (told != NONE && r.own <= told && r.all <= told) break; /* the wider fence has said it */
        r.threads = fences_of_others(b, c, (unsigned)scope, warp, lane, r.own, r.all);
        if (!r.own && !r.all && !r.threads) continue;
        if (!log) log = find_log(c, object, offset, true);
        if (t->released_log == log && t->released_fence == newest && !r.threads && scope == DEVICE) break; /* told already: a spin loop */
        r.known = know_all(c, b->known, t->known);
        append(c, log, r);
        told = r.own > r.all ? r.own : r.all;
    }
    if (log) t->released_log = log, t->released_fence = newest;
}

static void acquire(struct block_order *b, struct chain *c, unsigned warp, unsigned lane, uint64_t object, uint64_t offset, bool at_once) {
    struct log *log = find_log(c, object, offset, false);
    if (!log || !log->count) return;
    struct thread_chain *t = thread_of(b, c, warp, lane);
    if (t->last_log == log && t->last_length == log->count) {
        if (at_once && t->pending) t->known = know_all(c, t->known, t->pending), t->pending = NULL;
        return;
    }
    t->last_log = log, t->last_length = log->count;
    const struct known **to = at_once ? &t->known : &t->pending;
    *to = know(c, *to, log, log->count);
    b->chained_warps |= 1u << warp;
}

void chain_access(struct block_order *b, struct chain *c, const struct sim_access *e) {
    unsigned warp = e->where->warp;
    if (!c->in_use && !e->release && !e->acquire) return;
    bool shared = e->object->space == PTX_SHARED, device_wide = e->scope != PTX_MOD_CTA;
    uint64_t object = shared ? UINT64_C(1) << 63 | (uint64_t)b->block : e->object->id;
    c->in_use = true;
    if (e->kind != SIM_STORE)
        EACH_LANE(l, e->mask) acquire(b, c, warp, l, object, e->offset[l], e->acquire);
    if (e->kind == SIM_LOAD) return;
    if (e->release) chain_fence(b, c, e->where, e->mask, device_wide);
    EACH_LANE(k, e->mask) release(b, c, warp, k, object, e->offset[k]);
}

/* ---- the question -------------------------------------------------------------------------------------------------------------------- */

static bool covers(const struct release *r, const struct stamp *s) {
    if (r->block != s->block) return false;
    if (s->time <= r->all) return true;
    if (r->warp == s->warp && (s->time <= r->warp_time || (r->lane == s->lane && s->time <= r->own))) return true;
    return r->threads && s->time <= r->threads[s->warp * SIM_WARP + s->lane];
}

/* A release of the stamp's own block, in the part of the log that is known. */
static bool log_covers(struct log *log, uint32_t length, const struct block_order *b, const struct stamp *s) {
    const uint32_t *latest = latest_of(log, s->block, false);
    for (uint32_t k = latest ? *latest : NONE; k != NONE; k = log->releases[k].previous) {
        const struct release *r = &log->releases[k];
        if (k < length && (r->device_wide || r->block == b->block) && covers(r, s)) return true;
    }
    return false;
}

/* Breadth first through what the releasing threads knew. Each release is looked at once. */
struct queue { const struct known **item; uint32_t count, capacity; };
static void enqueue(struct queue *q, const struct known *list) {
    if (!list) return;
    if (q->count == q->capacity) {
        q->capacity = q->capacity ? 2 * q->capacity : 64;
        q->item = probe_grow(q->item, q->capacity, sizeof *q->item);
    }
    q->item[q->count++] = list;
}

static bool search(struct chain *c, const struct block_order *b, const struct known *mine, const struct stamp *s) {
    struct queue q = {0};
    bool found = false;
    c->visit++;
    enqueue(&q, mine);
    enqueue(&q, b->known);
    for (uint32_t next = 0; next < q.count && !found; next++) {
        for (const struct known *k = q.item[next]; k && !found; k = k->next) {
            struct log *log = k->log;
            uint32_t from = log->visit == c->visit ? log->visited : 0;
            if (from >= k->length) continue;
            log->visit = c->visit, log->visited = k->length;
            found = log_covers(log, k->length, b, s);
            for (uint32_t n = from; n < k->length; n++)
                if (log->releases[n].device_wide || log->releases[n].block == b->block) enqueue(&q, log->releases[n].known);
        }
    }
    free(q.item);
    return found;
}

bool chain_before(const struct block_order *b, struct chain *c, unsigned warp, unsigned lane, const struct stamp *s) {
    if (!c->in_use) return false;
    if (c->full) return true;
    const struct known *mine = b->threads ? b->threads[warp * SIM_WARP + lane].known : NULL;
    for (const struct known *k = mine; k; k = k->next)
        if (log_covers(k->log, k->length, b, s)) return true;
    for (const struct known *k = b->known; k; k = k->next)
        if (log_covers(k->log, k->length, b, s)) return true;
    return (mine || b->known) && search(c, b, mine, s);
}
