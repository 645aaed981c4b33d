/* Tracks the order that barriers, named barriers and __syncwarp() establish within a block. */
#include "probes/order.h"

void order_block_begin(struct block_order *b, const struct sim_where *where) {
    b->block = where->block, b->slot = where->slot;
    b->now = 1, b->barrier_time = 0;
    memset(b->sync_time, 0, sizeof b->sync_time);
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++)
        if (b->lanes[w]) memset(b->lanes[w], 0, sizeof *b->lanes[w]);
    if (b->warps) memset(b->warps, 0, sizeof *b->warps);
}

void order_block_free(struct block_order *b) {
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) free(b->lanes[w]);
    free(b->warps);
    free(b->threads);
    free(b->arrivals);
}

/* Synchronizes the lanes of `mask`, or the whole warp if `mask` is UINT32_MAX. Their accesses up to `time`, and all
 * accesses ordered before, then happen before each lane's next access. */
static void join_lanes(struct block_order *b, unsigned warp, uint32_t mask, uint32_t time) {
    if (mask == UINT32_MAX) {
        b->sync_time[warp] = time;
        return;
    }
    if (!b->lanes[warp]) b->lanes[warp] = probe_alloc(1, sizeof *b->lanes[warp]);
    uint32_t(*clock)[SIM_WARP] = b->lanes[warp]->clock, joined[SIM_WARP] = {0};
    EACH_LANE (v, mask) {
        for (unsigned u = 0; u < SIM_WARP; u++)
            if (clock[v][u] > joined[u]) joined[u] = clock[v][u];
    }
    EACH_LANE (u, mask) joined[u] = time;
    EACH_LANE (w, mask) memcpy(clock[w], joined, sizeof joined);
}

void order_sync(struct block_order *b, struct chain *c, const struct sim_sync *e) {
    if (e->kind != SIM_SYNCWARP) return;
    unsigned warp = e->where->warp;
    join_lanes(b, warp, e->mask == e->where->launched ? UINT32_MAX : e->mask, b->now);
    if (b->chained_warps >> warp & 1) chain_join_lanes(b, c, warp, e->mask);
    b->now++;
}

/* ---- barriers -------------------------------------------------------------------------------------------- */

static struct warp_clocks *warp_clocks(struct block_order *b) {
    if (!b->warps) b->warps = probe_alloc(1, sizeof *b->warps);
    return b->warps;
}

static void arrive(struct block_order *b, struct chain *c, struct meeting *m, unsigned warp, uint32_t lanes,
                   bool waits) {
    for (unsigned k = 0; k < SIM_MAX_WARPS; k++)
        if (b->warps->clock[warp][k] > m->clock[k]) m->clock[k] = b->warps->clock[warp][k];
    m->clock[warp] = b->now;
    m->arrived |= 1u << warp;
    if (waits)
        m->waits[warp] |= lanes;
    else
        m->without_wait = true;
    if (b->chained_warps >> warp & 1) chain_give(b, c, warp, lanes, &m->given);
}

void order_note_arrival(struct block_order *b, struct chain *c, const struct sim_arrival *e) {
    arrive(b, c, &warp_clocks(b)->meeting[e->id], e->where->warp, e->mask, e->waits);
    b->now++;
}

static void complete_meeting(struct block_order *b, struct chain *c, struct meeting *m, uint32_t time) {
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) {
        if (!m->waits[w]) continue;
        for (unsigned k = 0; k < SIM_MAX_WARPS; k++)
            if (m->clock[k] > b->warps->clock[w][k]) b->warps->clock[w][k] = m->clock[k];
        join_lanes(b, w, m->waits[w], time);
        chain_take(b, c, w, m->waits[w], &m->given);
    }
}

void order_barrier(struct block_order *b, struct chain *c, const struct sim_barrier *e) {
    struct meeting *m = b->warps ? &b->warps->meeting[e->id] : NULL;
    if (e->whole_block && !(m && m->without_wait)) {
        b->barrier_time = b->now;
        chain_join_block(b, c);
    } else {
        m = &warp_clocks(b)->meeting[e->id];
        for (unsigned w = 0; w < SIM_MAX_WARPS; w++)
            if (e->arrived[w] && !(m->arrived >> w & 1)) arrive(b, c, m, w, e->arrived[w], true);
        complete_meeting(b, c, m, b->now);
    }
    if (m) memset(m, 0, sizeof *m);
    b->now++;
}

bool order_before(const struct block_order *b, struct chain *c, unsigned warp, unsigned lane,
                  const struct stamp *earlier) {
    if (earlier->block == b->block) {
        if (earlier->time <= b->barrier_time) return true;
        if (earlier->warp == warp) {
            if (earlier->lane == lane || earlier->time <= b->sync_time[warp]) return true;
            if (b->lanes[warp] && earlier->time <= b->lanes[warp]->clock[lane][earlier->lane]) return true;
        } else if (b->warps && earlier->time <= b->warps->clock[warp][earlier->warp])
            return true;
    }
    return chain_before(b, c, warp, lane, earlier);
}
