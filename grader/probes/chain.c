/* Tracks the order between threads that fences and atomics establish, within a block and between blocks: chains of
 * release and acquire.
 *
 * A release is an atomic or strong store after a fence. The fence may be of the same thread, or of a thread of the
 * block with which the storing thread has synchronized since. Each location has a log of its releases for each scope. A
 * thread that loads the location with an atomic or a strong access observes all releases in the log so far. At its next
 * device-scope fence, it acquires them. An access with acquire semantics acquires them at once. At a narrower fence,
 * the thread acquires only the releases of its block or cluster; at a barrier or a __syncwarp(), only those of its
 * block. A thread that waits at an mbarrier observes only arrivals of completed phases, though the log may already have
 * some of the next phase.
 *
 * Does an earlier access happen before the current one? A breadth-first search looks for a release that covers it. The
 * search begins with the releases that the current thread has acquired, and continues with those that the releasing
 * threads had acquired. It runs only if two threads have accessed the same location.
 *
 * Source: PTX ISA, "Memory Consistency Model": release and acquire patterns, cumulativity. docs/metrics.md lists the
 * implemented parts of the model, and the cases where this file is more lenient. */
#include "base/arena.h"
#include "base/hash.h"
#include "probes/order.h"

#define NONE UINT32_MAX
#define MAX_BYTES (UINT64_C(256) << 20) /* maximum size of the logs; beyond it, accesses count as ordered */
enum { BLOCK = ORDER_BLOCK, CLUSTER = ORDER_CLUSTER, DEVICE = ORDER_DEVICE, SCOPES = ORDER_SCOPES };
#define CLUSTER_AUDIENCE (1u << 31) /* added to a cluster's index to form log.audience */
/* Added to a cluster's index to form log.object of the cluster's barrier. */
#define CLUSTER_BARRIER (UINT64_C(1) << 62)

struct release {
    uint32_t block, warp, lane;
    uint32_t own;            /* the release covers its own thread's accesses up to this time */
    uint32_t warp_time, all; /* the release covers accesses of its warp, and of its block, up to these times */
    const uint32_t *threads; /* indexed by thread: the time up to which its accesses are covered; may be NULL */
    struct knowledge knows;
    uint64_t phase;    /* completed phases if the location is an mbarrier, otherwise 0 */
    uint32_t previous; /* index of the block's previous release in this log, or NONE */
};
/* A log of the releases at one location. Device, cluster and block scope have separate logs, so a thread that may read
 * a log may acquire all its releases. */
struct log {
    uint64_t object, offset;
    uint32_t audience; /* 0: the device; CLUSTER_AUDIENCE + c: cluster c; b + 1: block b */
    struct release *releases;
    uint32_t count, capacity;
    struct map latest;        /* maps block + 1 to 1 + the index of its last release */
    struct log *next, *alike; /* next: in the list of all logs; alike: in the list of logs with the same hash */
    uint64_t visit;           /* number of the last search that visited the log */
    uint32_t visited;         /* how many of the log's releases that search visited */
    uint64_t union_of;        /* number of the last union of lists with this log */
    uint32_t length;          /* how many of the log's releases that union contains */
};
/* An immutable list of logs, each with its number of known releases. */
struct known {
    struct log *log;
    uint32_t length;
    const struct known *next;
};

/* A fence. It covers its thread's accesses up to `time`, its warp's up to `warp_time`, and its block's up to
 * `barrier_time`. If there are lane or warp clocks, it also covers the accesses that their rows cover. */
struct fence {
    uint32_t time, warp_time, barrier_time;
    const uint32_t *lanes, *warps;
};
struct thread_chain {
    struct fence fence[SCOPES], earlier[SCOPES]; /* the last fence; the last one before the last barrier */
    struct knowledge knows;                      /* acquired releases */
    const struct known *pending;                 /* observed releases that no fence has acquired yet */
    const struct log *released_log;              /* log of the thread's last release, to recognize spin loops */
    uint32_t released_fence;
};

/* The result of a union, or of adding a log to a list. The lanes of a warp mostly know the same list, so that they ask
 * for the same result one after another. */
struct made {
    const struct known *list;
    const void *other; /* the second list, or the log */
    uint32_t length;   /* of the log */
    const struct known *result;
};
enum { KEPT = 4 /* a lane has a list for each scope, and one of pending releases */ };

/* The queue of a breadth-first search, which visits each release once. */
struct queue {
    const struct known **item;
    uint32_t count, capacity;
};

struct chain {
    struct map by_hash; /* hash -> log */
    struct log *logs;
    struct map released;    /* maps block + 1 to a time after all accesses that its releases may cover */
    struct queue queue;     /* the queue of the current search */
    struct made made[KEPT]; /* the last results */
    unsigned next_made;
    struct arena arena;
    uint64_t release_bytes; /* size of the releases, which are not in the arena */
    uint64_t visit, unions; /* searches and unions of lists so far */
    bool in_use;            /* there has been a fence, release or acquire */
    bool full;
    uint32_t threads;
    uint64_t *looks;
    const struct sim_launch_info *launch;
};
/* Returns the narrowest scope that contains both blocks. */
static unsigned scope_of(const struct chain *c, uint32_t a, uint32_t b) {
    return a == b                                                                                          ? BLOCK
           : c->launch->cluster_blocks > 1 && cluster_number(c->launch, a) == cluster_number(c->launch, b) ? CLUSTER
                                                                                                           : DEVICE;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static void *take(struct chain *c, size_t bytes) {
    void *p = arena_take(&c->arena, bytes);
    if (!p) probe_no_memory(bytes);
    c->full |= c->arena.bytes + c->release_bytes > MAX_BYTES;
    return p;
}

struct chain *chain_new(uint64_t *looks) {
    struct chain *c = probe_alloc(1, sizeof *c);
    c->looks = looks;
    return c;
}

static void clear(struct chain *c) {
    for (struct log *log = c->logs; log; log = log->next) free(log->releases), map_free(&log->latest);
    map_clear(&c->by_hash), map_clear(&c->released);
    c->logs = NULL;
    arena_free(&c->arena);
    c->release_bytes = 0;
    c->in_use = c->full = false;
    memset(c->made, 0, sizeof c->made);
}
void chain_free(struct chain *c) {
    clear(c);
    map_free(&c->by_hash), map_free(&c->released);
    free(c->queue.item);
    free(c);
}
void chain_launch_begin(struct chain *c, const struct sim_launch_info *launch) {
    clear(c);
    c->threads = launch->threads, c->launch = launch;
}
void chain_block_begin(struct block_order *b, struct chain *c) {
    if (b->threads && b->thread_count < c->threads) free(b->threads), b->threads = NULL;
    if (b->threads && b->used < b->used_end)
        memset(b->threads + b->used, 0, (b->used_end - b->used) * sizeof *b->threads);
    b->used = UINT32_MAX, b->used_end = 0;
    b->chained_warps = 0, b->all = (struct knowledge){0};
    if (b->arrivals) memset(b->arrivals, 0, sizeof *b->arrivals);
    memset(b->fence_time, 0, sizeof b->fence_time);
    memset(b->fence_covers, 0, sizeof b->fence_covers);
    memset(b->fenced, 0, sizeof b->fenced);
}
static struct thread_chain *thread_of(struct block_order *b, const struct chain *c, unsigned warp, unsigned lane) {
    if (!b->threads) {
        b->thread_count = (c->threads + SIM_WARP - 1) / SIM_WARP * SIM_WARP;
        b->threads = probe_alloc(b->thread_count, sizeof *b->threads);
    }
    const uint32_t at = warp * SIM_WARP + lane;
    if (at < b->used) b->used = at;
    if (at >= b->used_end) b->used_end = at + 1;
    return &b->threads[at];
}

/* ---- known releases --------------------------------------------------------------------------------------- */

/* Returns the kept result for the same arguments, or NULL. */
static const struct known *find_made(const struct chain *c, const struct known *list, const void *other,
                                     uint32_t length) {
    for (unsigned k = 0; k < KEPT; k++)
        if (c->made[k].list == list && c->made[k].other == other && c->made[k].length == length)
            return c->made[k].result;
    return NULL;
}
static const struct known *keep_made(struct chain *c, const struct known *list, const void *other, uint32_t length,
                                     const struct known *result) {
    c->made[c->next_made++ % KEPT] = (struct made){list, other, length, result};
    return result;
}
static const struct known *know_first(struct chain *c, const struct known *list, struct log *log, uint32_t length) {
    struct known *first = take(c, sizeof *first);
    *first = (struct known){log, length, list};
    return first;
}
/* Returns a list that has all releases of `list` and the first `length` releases of `log`. `list` does not change; the
 * two lists may share their tails. */
static const struct known *know(struct chain *c, const struct known *list, struct log *log, uint32_t length) {
    const struct known *have = list, *made = find_made(c, list, log, length);
    if (made) return made;
    while (have && have->log != log) have = have->next;
    if (have && have->length >= length) return list;
    struct known *first = take(c, sizeof *first), *to = first;
    *first = (struct known){log, length, have ? NULL : list};
    for (const struct known *k = list; have && k != have; k = k->next) { /* copy the entries before the replaced one */
        struct known *copy = take(c, sizeof *copy);
        *copy = *k;
        to->next = copy, to = copy;
    }
    if (have) to->next = have->next;
    return keep_made(c, list, log, length, first);
}
/* Returns the union of two lists. It takes linear time, because a lane's list may be long, and each __syncwarp() merges
 * all lanes' lists. */
static const struct known *know_all(struct chain *c, const struct known *list, const struct known *more) {
    if (!list) return more;
    if (!more || more == list) return list;
    const struct known *shared = list, *made = find_made(c, list, more, 0);
    if (made) return made;
    uint32_t longer = 0;
    const uint64_t now = ++c->unions;
    for (const struct known *k = list; k; k = k->next) k->log->union_of = now, k->log->length = k->length;
    for (const struct known *k = more; k && k != list; k = k->next) {
        if (k->log->union_of == now && k->log->length >= k->length) continue;
        if (k->log->union_of != now)
            shared = know_first(c, shared, k->log, k->length);
        else
            longer++;
        k->log->union_of = now, k->log->length = k->length;
    }
    if (!longer) return keep_made(c, list, more, 0, shared);
    struct known *first = NULL, **to = &first;
    for (const struct known *k = shared; k; k = k->next) {
        struct known *copy = take(c, sizeof *copy);
        *copy = (struct known){k->log, k->log->length, NULL};
        *to = copy, to = (struct known **)&copy->next;
    }
    return keep_made(c, list, more, 0, first);
}

void chain_give(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes, struct knowledge *to) {
    EACH_LANE (l, lanes) {
        struct thread_chain *t = thread_of(b, c, warp, l);
        for (unsigned s = 0; s < SCOPES; s++) to->of[s] = know_all(c, to->of[s], t->knows.of[s]);
        to->of[BLOCK] = know_all(c, to->of[BLOCK], t->pending);
    }
}
static bool knows_any(const struct knowledge *k) { return k->of[BLOCK] || k->of[CLUSTER] || k->of[DEVICE]; }
void chain_take(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes, const struct knowledge *from) {
    if (!knows_any(from)) return;
    EACH_LANE (l, lanes) {
        struct thread_chain *t = thread_of(b, c, warp, l);
        for (unsigned s = 0; s < SCOPES; s++) t->knows.of[s] = know_all(c, from->of[s], t->knows.of[s]);
        t->pending = NULL;
    }
    b->chained_warps |= 1u << warp;
}
void chain_join_lanes(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes) {
    struct knowledge all = {0};
    chain_give(b, c, warp, lanes, &all);
    chain_take(b, c, warp, lanes, &all);
}
void chain_join_block(struct block_order *b, struct chain *c) {
    for (uint32_t warps = b->chained_warps; warps; warps &= warps - 1) {
        unsigned warp = lowest_lane(warps);
        for (unsigned l = 0; l < SIM_WARP; l++) {
            struct thread_chain *t = thread_of(b, c, warp, l);
            for (unsigned s = 0; s < SCOPES; s++) b->all.of[s] = know_all(c, b->all.of[s], t->knows.of[s]);
            b->all.of[BLOCK] = know_all(c, b->all.of[BLOCK], t->pending);
            t->knows = (struct knowledge){0}, t->pending = NULL;
        }
    }
    b->chained_warps = 0;
    memcpy(b->fenced, b->fence_covers, sizeof b->fenced);
}

/* ---- logs ------------------------------------------------------------------------------------------------ */

static uint64_t log_hash(uint64_t object, uint64_t offset, uint32_t audience) {
    const uint64_t of[] = {object, offset, audience};
    return hash_bytes(HASH_START, of, sizeof of) | 1;
}
static struct log *find_log(struct chain *c, uint64_t object, uint64_t offset, uint32_t audience, bool make) {
    const uint64_t hash = log_hash(object, offset, audience);
    uint64_t *first = make ? probe_map(&c->by_hash, hash) : map_find(&c->by_hash, hash);
    struct log *alike = first ? (struct log *)(uintptr_t)*first : NULL;
    for (struct log *log = alike; log; log = log->alike)
        if (log->object == object && log->offset == offset && log->audience == audience) return log;
    if (!make) return NULL;
    struct log *log = take(c, sizeof *log);
    *log = (struct log){.object = object, .offset = offset, .audience = audience, .next = c->logs, .alike = alike};
    *first = (uintptr_t)log;
    return c->logs = log;
}

/* ---- fences, releases, acquisitions ---------------------------------------------------------------------- */

static const uint32_t *copy_row(struct chain *c, const uint32_t row[SIM_WARP]) {
    return memcpy(take(c, SIM_WARP * sizeof *row), row, SIM_WARP * sizeof *row);
}

void chain_fence(struct block_order *b, struct chain *c, const struct sim_where *where, uint32_t lanes,
                 unsigned widest) {
    unsigned warp = where->warp;
    c->in_use = true;
    struct fence fence = {.time = b->now, .warp_time = b->sync_time[warp], .barrier_time = b->barrier_time};
    if (b->warps) fence.warps = copy_row(c, b->warps->clock[warp]);
    EACH_LANE (l, lanes) {
        struct thread_chain *t = thread_of(b, c, warp, l);
        if (b->lanes[warp]) fence.lanes = copy_row(c, b->lanes[warp]->clock[l]);
        for (unsigned scope = 0; scope <= widest; scope++) {
            if (t->fence[scope].time <= b->barrier_time) t->earlier[scope] = t->fence[scope];
            t->fence[scope] = fence;
            b->fence_time[scope][warp] = b->now;
            b->fence_covers[scope] = b->barrier_time;
        }
        t->knows.of[BLOCK] = know_all(c, t->knows.of[BLOCK], t->pending);
        t->pending = NULL;
        for (unsigned s = BLOCK; s < widest; s++) {
            if (!(t->knows.of[s] || b->all.of[s])) continue;
            t->knows.of[s + 1] = know_all(c, know_all(c, t->knows.of[s + 1], t->knows.of[s]), b->all.of[s]);
            b->chained_warps |= 1u << warp;
        }
    }
    b->now++;
}

static void at_least(uint32_t *have, uint32_t time) {
    if (*have < time) *have = time;
}
enum { FENCE_LOOKS = 32 };
/* Extends *r by the accesses that a fence of thread (w, l) covers. *threads is the release's table of times, by thread,
 * and allocated on demand. */
static void add_fence(struct chain *c, struct release *r, uint32_t **threads, unsigned w, unsigned l,
                      const struct fence *f) {
    bool own = w == r->warp && l == r->lane;
    if (!f->time) return;
    at_least(&r->all, f->barrier_time);
    if (own) at_least(&r->own, f->time);
    if (w == r->warp) at_least(&r->warp_time, f->warp_time);
    if (own && !f->lanes && !f->warps) return;
    if (!*threads) *threads = take(c, (c->threads + SIM_WARP) * sizeof **threads);
    at_least(&(*threads)[w * SIM_WARP + l], f->time);
    *c->looks += FENCE_LOOKS;
    for (unsigned k = 0; k < SIM_WARP; k++) {
        at_least(&(*threads)[w * SIM_WARP + k], f->lanes && f->lanes[k] > f->warp_time ? f->lanes[k] : f->warp_time);
        for (unsigned other = 0; f->warps && other * SIM_WARP < c->threads; other++)
            at_least(&(*threads)[other * SIM_WARP + k], f->warps[other]);
    }
}

/* Extends *r by the accesses that earlier fences cover: those of the releasing thread, and of threads with which it has
 * synchronized since. */
static void add_fences(const struct block_order *b, struct chain *c, unsigned scope, struct release *r) {
    uint32_t *threads = NULL;
    r->all = b->fenced[scope];
    add_fence(c, r, &threads, r->warp, r->lane, &b->threads[r->warp * SIM_WARP + r->lane].fence[scope]);
    for (unsigned w = 0; w * SIM_WARP < c->threads; w++) {
        if (b->fence_time[scope][w] <= r->all) continue; /* adds nothing to r->all */
        uint32_t met = b->barrier_time;
        if (w == r->warp)
            at_least(&met, b->sync_time[w]);
        else if (b->warps)
            at_least(&met, b->warps->clock[r->warp][w]);
        for (unsigned l = 0; l < SIM_WARP && w * SIM_WARP + l < c->threads; l++) {
            if (w == r->warp && l == r->lane) continue;
            ++*c->looks;
            const struct thread_chain *t = &b->threads[w * SIM_WARP + l];
            uint32_t known = w == r->warp && b->lanes[w] && b->lanes[w]->clock[r->lane][l] > met
                                 ? b->lanes[w]->clock[r->lane][l]
                                 : met;
            add_fence(c, r, &threads, w, l, t->fence[scope].time <= known ? &t->fence[scope] : &t->earlier[scope]);
        }
    }
    r->threads = threads;
}

static void append(struct chain *c, struct log *log, struct release r) {
    const uint32_t before = log->capacity;
    log->releases = probe_room(log->releases, log->count + 1, &log->capacity, sizeof *log->releases);
    c->release_bytes += (log->capacity - before) * sizeof *log->releases;
    c->full |= c->arena.bytes + c->release_bytes > MAX_BYTES;
    uint64_t *latest = probe_map(&log->latest, (uint64_t)r.block + 1);
    r.previous = *latest ? (uint32_t)*latest - 1 : NONE;
    log->releases[log->count++] = r;
    *latest = log->count;
}

static uint32_t audience_of(const struct block_order *b, const struct chain *c, unsigned scope) {
    return scope == DEVICE    ? 0
           : scope == CLUSTER ? CLUSTER_AUDIENCE | cluster_number(c->launch, b->block)
                              : b->block + 1;
}
static void release(struct block_order *b, struct chain *c, unsigned warp, unsigned lane, uint64_t object,
                    uint64_t offset, uint64_t phase) {
    struct thread_chain *t = thread_of(b, c, warp, lane);
    uint32_t newest = t->fence[BLOCK].time > b->barrier_time ? t->fence[BLOCK].time : b->barrier_time, released = 0;
    for (int scope = DEVICE; scope >= BLOCK; scope--) {
        struct release r = {.block = b->block, .warp = warp, .lane = lane, .phase = phase, .previous = NONE};
        if (scope != DEVICE && t->fence[scope].time <= released && b->fence_time[scope][warp] <= released)
            continue; /* a wider fence covers these accesses */
        add_fences(b, c, (unsigned)scope, &r);
        if (!r.own && !r.all && !r.threads) continue;
        struct log *log = find_log(c, object, offset, audience_of(b, c, (unsigned)scope), true);
        if (t->released_log == log && t->released_fence == newest && !r.threads)
            break; /* the thread has released these accesses before, so it spins */
        for (unsigned s = 0; s < SCOPES; s++) r.knows.of[s] = know_all(c, b->all.of[s], t->knows.of[s]);
        append(c, log, r);
        *probe_map(&c->released, (uint64_t)r.block + 1) = b->now;
        t->released_log = log, t->released_fence = newest;
        released = r.own;
    }
}

static bool knows(const struct known *list, const struct log *log, uint32_t length) {
    while (list && list->log != log) list = list->next;
    return list && list->length >= length;
}
static void acquire(struct block_order *b, struct chain *c, unsigned warp, unsigned lane, struct log *log,
                    uint32_t length, bool at_once) {
    if (!length) return;
    struct thread_chain *t = thread_of(b, c, warp, lane);
    if (knows(t->knows.of[DEVICE], log, length) || (!at_once && knows(t->pending, log, length))) return;
    const struct known **to = at_once ? &t->knows.of[DEVICE] : &t->pending;
    *to = know(c, *to, log, length);
    b->chained_warps |= 1u << warp;
}

/* Returns how many releases in the log the access observes. */
static uint32_t observed(const struct log *log, const struct sim_access *e) {
    uint32_t length = log ? log->count : 0;
    while (e->mbarrier && length && log->releases[length - 1].phase >= e->phase) length--;
    return length;
}
void chain_access(struct block_order *b, struct chain *c, const struct sim_access *e) {
    unsigned warp = e->where->warp;
    if (!c->in_use && !e->release && !e->acquire) return;
    if (c->full) return;
    bool shared = e->object->space == PTX_SHARED;
    uint64_t object = shared ? UINT64_C(1) << 63 | (uint64_t)e->object->block : e->object->id;
    c->in_use = true;
    /* The fence precedes the acquire: atom.release orders accesses before it, but none after it. */
    if (e->release && e->kind != SIM_LOAD) chain_fence(b, c, e->where, e->mask, order_scope(e->scope));
    EACH_LANE (l, e->kind == SIM_STORE || (e->mbarrier && e->kind == SIM_ATOMIC) ? 0 : e->mask) {
        for (unsigned s = BLOCK; s < SCOPES; s++) {
            if (s == CLUSTER && c->launch->cluster_blocks < 2) continue;
            struct log *log = find_log(c, object, e->offset[l], audience_of(b, c, s), false);
            acquire(b, c, warp, l, log, observed(log, e), e->acquire);
        }
    }
    if (e->kind == SIM_LOAD) return;
    EACH_LANE (k, e->mask) release(b, c, warp, k, object, e->offset[k], e->phase);
}

/* ---- the barrier of a cluster ---------------------------------------------------------------------------- */

/* A cluster's barrier is modeled as a location with a log. An arrival releases its thread's earlier accesses; a relaxed
 * one, only those that the thread's fences cover. A wait acquires all these releases. */
static struct log *barrier_log(const struct block_order *b, struct chain *c) {
    return find_log(c, CLUSTER_BARRIER | cluster_number(c->launch, b->block), 0, 0, true);
}
void chain_cluster_arrive(struct block_order *b, struct chain *c, const struct sim_cluster_event *e) {
    const unsigned warp = e->where->warp;
    if (!b->arrivals) b->arrivals = probe_alloc(1, sizeof *b->arrivals);
    struct arrivals *a = b->arrivals;
    c->in_use = true;
    if (!a->any) a->touched = false;
    a->any = true, a->relaxed |= e->relaxed;
    EACH_LANE (l, e->mask) {
        const uint32_t at = warp * SIM_WARP + l;
        a->when[at] = e->relaxed ? ARRIVED_RELAXED : b->now, a->count[at]++;
    }
    if (e->relaxed) {
        EACH_LANE (l, e->mask) {
            struct release r = {.block = b->block, .warp = warp, .lane = l, .previous = NONE};
            thread_of(b, c, warp, l);
            add_fences(b, c, CLUSTER, &r);
            if (r.own || r.all || r.threads) append(c, barrier_log(b, c), r);
        }
    } else if (b->chained_warps >> warp & 1)
        chain_give(b, c, warp, e->mask, &a->given);
    b->now++;
}
/* Completes a phase of the barrier. Threads that have not arrived have exited. */
void chain_cluster_complete(struct block_order *b, struct chain *c) {
    struct arrivals *a = b->arrivals;
    struct release r = {.block = b->block, .previous = NONE, .all = b->now, .knows = b->all};
    if (a && (a->touched || a->relaxed)) {
        uint32_t *threads = take(c, (c->threads + SIM_WARP) * sizeof *threads);
        r.all = 0, r.threads = threads;
        for (uint32_t k = 0; k < c->threads; k++)
            threads[k] = a->when[k] == ARRIVED_NOT ? b->now : a->when[k] == ARRIVED_RELAXED ? 0 : a->when[k];
    }
    for (unsigned s = 0; a && s < SCOPES; s++) r.knows.of[s] = know_all(c, r.knows.of[s], a->given.of[s]);
    append(c, barrier_log(b, c), r);
    *probe_map(&c->released, (uint64_t)b->block + 1) = ++b->now;
    if (!a) return;
    memset(a->when, 0, sizeof a->when);
    a->given = (struct knowledge){0}, a->any = a->relaxed = false;
}
void chain_cluster_pass(struct block_order *b, struct chain *c, const struct sim_cluster_event *e) {
    struct log *log = barrier_log(b, c);
    EACH_LANE (l, e->mask) {
        acquire(b, c, e->where->warp, l, log, log->count, true);
        const uint32_t phases = b->arrivals ? b->arrivals->count[e->where->warp * SIM_WARP + l] : 0;
        if (b->arrivals && phases > b->arrivals->passed) b->arrivals->passed = phases;
    }
    b->now++;
}

/* ---- queries --------------------------------------------------------------------------------------------- */

static bool covers(const struct release *r, const struct stamp *s) {
    if (r->block != s->block) return false;
    if (s->time <= r->all) return true;
    if (r->warp == s->warp && (s->time <= r->warp_time || (r->lane == s->lane && s->time <= r->own))) return true;
    return r->threads && s->time <= r->threads[s->warp * SIM_WARP + s->lane];
}

/* Returns whether one of the log's first `length` releases covers the stamp's access. */
static bool log_covers(struct log *log, uint32_t length, const struct stamp *s) {
    const uint64_t *latest = map_find(&log->latest, (uint64_t)s->block + 1);
    for (uint32_t k = latest ? (uint32_t)*latest - 1 : NONE; k != NONE; k = log->releases[k].previous)
        if (k < length && covers(&log->releases[k], s)) return true;
    return false;
}

static void enqueue(struct queue *q, const struct known *list) {
    if (!list) return;
    q->item = probe_room(q->item, q->count + 1, &q->capacity, sizeof *q->item);
    q->item[q->count++] = list;
}

static bool search(struct chain *c, const struct block_order *b, const struct knowledge *mine,
                   const struct known *pending, unsigned narrowest, const struct stamp *s) {
    struct queue *q = &c->queue;
    bool found = false;
    c->visit++, q->count = 0;
    enqueue(q, pending);
    for (unsigned k = narrowest; k < SCOPES; k++) enqueue(q, mine->of[k]), enqueue(q, b->all.of[k]);
    for (uint32_t next = 0; next < q->count && !found; next++) {
        for (const struct known *k = q->item[next]; k && !found; k = k->next) {
            struct log *log = k->log;
            uint32_t from = log->visit == c->visit ? log->visited : 0;
            if (from >= k->length) continue;
            log->visit = c->visit, log->visited = k->length;
            found = log_covers(log, k->length, s);
            for (uint32_t n = from; n < k->length; n++) {
                const struct release *r = &log->releases[n];
                enqueue(q, r->knows.of[DEVICE]);
                if (narrowest == DEVICE) continue;
                const unsigned between = scope_of(c, r->block, b->block);
                for (unsigned m = between > narrowest ? between : narrowest; m < DEVICE; m++)
                    enqueue(q, r->knows.of[m]);
            }
        }
    }
    return found;
}

static bool list_covers(const struct known *list, const struct stamp *s) {
    for (; list; list = list->next)
        if (log_covers(list->log, list->length, s)) return true;
    return false;
}
/* Returns false if the access is too recent for any release of its block. A polling thread repeats its query until the
 * other thread executes a fence; this shortcut makes it fast. */
static bool is_released(const struct chain *c, const struct stamp *s) {
    const uint64_t *last = map_find(&c->released, (uint64_t)s->block + 1);
    return last && s->time < *last;
}
/* Returns whether the releases in *mine, those that all threads of the block have acquired, or those in `pending` order
 * the access before an action of the block. */
static bool before(const struct block_order *b, struct chain *c, const struct knowledge *mine,
                   const struct known *pending, unsigned narrowest, const struct stamp *s) {
    bool some = pending;
    if (!c->in_use) return false;
    if (c->full) return true;
    if (!is_released(c, s)) return false;
    for (unsigned k = SCOPES; k-- > narrowest;) {
        if (list_covers(mine->of[k], s) || list_covers(b->all.of[k], s)) return true;
        some |= mine->of[k] || b->all.of[k];
    }
    return list_covers(pending, s) || (some && search(c, b, mine, pending, narrowest, s));
}
static const struct thread_chain *chain_of(const struct block_order *b, unsigned warp, unsigned lane) {
    static const struct thread_chain none;
    return b->threads ? &b->threads[warp * SIM_WARP + lane] : &none;
}
bool chain_before(const struct block_order *b, struct chain *c, unsigned warp, unsigned lane, const struct stamp *s) {
    return before(b, c, &chain_of(b, warp, lane)->knows, NULL, scope_of(c, s->block, b->block), s);
}
struct knowledge chain_at_end(struct block_order *b, struct chain *c) {
    struct knowledge known = b->all;
    for (uint32_t warps = b->chained_warps; warps; warps &= warps - 1)
        chain_give(b, c, lowest_lane(warps), UINT32_MAX, &known);
    return known;
}
bool chain_before_end(const struct block_order *b, struct chain *c, const struct knowledge *known,
                      const struct stamp *s) {
    return before(b, c, known, NULL, scope_of(c, s->block, b->block), s);
}
bool chain_before_but_for_fence(const struct block_order *b, struct chain *c, unsigned warp, unsigned lane,
                                const struct stamp *s) {
    const struct thread_chain *t = chain_of(b, warp, lane);
    return before(b, c, &t->knows, t->pending, BLOCK, s);
}
