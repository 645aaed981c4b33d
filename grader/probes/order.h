/* Tracks a launch's happens-before relation for the race probe.
 *
 * Each resident block has a logical clock, which advances at every event that may order accesses. Each access is
 * stamped with the clock's time. An earlier access happens before the current one if its stamp does not exceed a bound
 * for the two threads. Bounds have these forms:
 *
 *   barrier of the whole block   one time for the block
 *   __syncwarp of a whole warp   one time for each warp
 *   __syncwarp of some lanes     a matrix of times, lane by lane, allocated on demand
 *   other barriers               a matrix of times, warp by warp, allocated on demand
 *   fence and atomic             logs: see chain.c
 *
 * Lamport 1978 describes logical clocks. Flanagan and Freund, "FastTrack", PLDI 2009, describe how to keep only the
 * last accesses to a location. */
#ifndef PROBES_ORDER_H
#define PROBES_ORDER_H

#include "probes/probe.h"

struct chain;        /* the fences, releases and acquires of a launch */
struct thread_chain; /* the fences, releases and acquires of a thread */
struct known;        /* the releases that a thread or block has acquired */

/* clock[v][u]: accesses of lane u up to this time happen before the current action of lane v. */
struct lane_clocks {
    uint32_t clock[SIM_WARP][SIM_WARP];
};
/* The scopes of fences, atomics and acquires: the block, its cluster, the device. */
enum { ORDER_BLOCK, ORDER_CLUSTER, ORDER_DEVICE, ORDER_SCOPES };
static inline unsigned order_scope(enum ptx_mod scope) {
    return scope == PTX_MOD_CTA ? ORDER_BLOCK : scope == PTX_MOD_CLUSTER ? ORDER_CLUSTER : ORDER_DEVICE;
}
/* The releases that a thread or block has acquired, by scope. */
struct knowledge {
    const struct known *of[ORDER_SCOPES];
};
/* The arrivals since a barrier last completed. Only some are recorded (order_arrival()). */
struct meeting {
    uint32_t arrived, clock[SIM_MAX_WARPS], waits[SIM_MAX_WARPS];
    struct knowledge given;
    bool without_wait;
};
struct warp_clocks {
    uint32_t clock[SIM_MAX_WARPS][SIM_MAX_WARPS];
    struct meeting meeting[16];
};

struct block_order {
    uint32_t block, slot;
    uint32_t now; /* starts at 1 */
    /* The block's accesses up to this time happen before every thread's current action. */
    uint32_t barrier_time;
    uint32_t sync_time[SIM_MAX_WARPS];
    struct lane_clocks *lanes[SIM_MAX_WARPS];
    struct warp_clocks *warps;
    /* For chain.c only: */
    struct thread_chain *threads; /* array of `thread_count` entries, allocated on demand */
    uint32_t thread_count;
    uint32_t used, used_end; /* entries of `threads` in use; all others are zero */
    uint32_t chained_warps;  /* warps with a lane that has acquired a release since the last barrier */
    uint32_t fence_time[ORDER_SCOPES][SIM_MAX_WARPS]; /* time of the last fence by a lane of each warp, by scope */
    /* By scope: the block's accesses up to this time happen before a fence of the block. */
    uint32_t fence_covers[ORDER_SCOPES];
    uint32_t fenced[ORDER_SCOPES]; /* the value of fence_covers at the last barrier */
    struct knowledge all;          /* releases that all threads of the block have acquired */
    struct arrivals *arrivals;     /* arrivals at the cluster's barrier; allocated on demand */
};
/* A block's arrivals at its cluster's barrier: the time of each thread's arrival, and the releases that the threads had
 * acquired. */
enum { ARRIVED_NOT, ARRIVED_RELAXED = UINT32_MAX };
struct arrivals {
    /* By thread: time of the arrival in this phase, and arrivals in all phases. */
    uint32_t when[SIM_MAX_THREADS], count[SIM_MAX_THREADS];
    struct knowledge given;
    uint32_t passed; /* phases for whose completion a thread has waited */
    /* In this phase, there were: arrivals; relaxed arrivals; accesses by threads that had arrived. */
    bool any, relaxed, touched;
};

/* An earlier access by one thread. */
struct stamp {
    uint32_t block, warp, lane, time;
};

/* Records accesses by threads that have arrived: their arrivals do not cover them. */
static inline void order_touch(struct arrivals *a, const struct sim_access *e) {
    for (unsigned l = 0; a->any && !a->touched && l < SIM_WARP; l++)
        a->touched |= e->mask >> l & 1 && a->when[e->where->warp * SIM_WARP + l] != ARRIVED_NOT;
}
void order_block_begin(struct block_order *b, const struct sim_where *where);
void order_block_free(struct block_order *b);
void order_sync(struct block_order *b, struct chain *c, const struct sim_sync *e);
void order_note_arrival(struct block_order *b, struct chain *c, const struct sim_arrival *e);
/* Records an arrival. Arrivals that wait at barrier 0, such as __syncthreads(), need no record: their threads block
 * until the barrier completes. A thread that arrives without waiting continues at once, and the barrier does not cover
 * its later accesses. */
static inline void order_arrival(struct block_order *b, struct chain *c, const struct sim_arrival *e) {
    if (e->id != 0 || !e->waits || b->warps) order_note_arrival(b, c, e);
}
void order_barrier(struct block_order *b, struct chain *c, const struct sim_barrier *e);
/* Returns whether the earlier access happens before the current action of thread (warp, lane) of block `b`. */
bool order_before(const struct block_order *b, struct chain *c, unsigned warp, unsigned lane,
                  const struct stamp *earlier);

/* ---- chain.c --------------------------------------------------------------------------------------------- */

/* Searches in the chain add their cost to *looks, a member of struct measurement. */
struct chain *chain_new(uint64_t *looks);
void chain_free(struct chain *c);
void chain_launch_begin(struct chain *c, const struct sim_launch_info *launch); /* forgets all earlier launches */
void chain_block_begin(struct block_order *b, struct chain *c);
/* A fence by lanes of a warp. It also acquires the releases that they observed before. */
void chain_fence(struct block_order *b, struct chain *c, const struct sim_where *where, uint32_t lanes, unsigned scope);
/* Handles an atomic, or a strong load or store, with one location per lane. */
void chain_access(struct block_order *b, struct chain *c, const struct sim_access *e);
/* Synchronizes lanes: each lane acquires the releases that any of them had acquired. */
void chain_join_lanes(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes);
void chain_join_block(struct block_order *b, struct chain *c); /* the same for all threads of the block */
/* Adds to *to the releases that the lanes have acquired and, for their own block, observed. */
void chain_give(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes, struct knowledge *to);
/* Makes the lanes acquire all releases in *from. */
void chain_take(struct block_order *b, struct chain *c, unsigned warp, uint32_t lanes, const struct knowledge *from);
/* Events of a cluster's barrier: lanes arrive, all threads have arrived (called for each block), and lanes continue
 * after their wait. */
void chain_cluster_arrive(struct block_order *b, struct chain *c, const struct sim_cluster_event *e);
void chain_cluster_complete(struct block_order *b, struct chain *c);
void chain_cluster_pass(struct block_order *b, struct chain *c, const struct sim_cluster_event *e);
/* Returns whether a chain of releases and acquires orders the earlier access before the thread's current action. */
bool chain_before(const struct block_order *b, struct chain *c, unsigned warp, unsigned lane,
                  const struct stamp *earlier);
/* Returns the releases that any thread of the block has acquired. */
struct knowledge chain_at_end(struct block_order *b, struct chain *c);
/* Returns whether another block's access comes before an action of any thread of the block. known: chain_at_end() */
bool chain_before_end(const struct block_order *b, struct chain *c, const struct knowledge *known,
                      const struct stamp *earlier);
/* Returns what chain_before() would return if a device-scope fence followed every access that observes a release. */
bool chain_before_but_for_fence(const struct block_order *b, struct chain *c, unsigned warp, unsigned lane,
                                const struct stamp *earlier);

#endif
