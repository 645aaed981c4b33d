/* Reports accesses to the shared memory of another block in the cluster before that block has started or after it has
 * exited.
 *
 * The memory exists while any thread of its block runs. Another block's access is therefore valid if the cluster's
 * barrier, or something else, orders it before an action of a thread of the owning block. Only the order of execution
 * matters, not that of memory accesses, so relaxed arrivals are enough. A flag that the accessing block sets and the
 * owning block then reads is enough, too. */
#include "probes/race.h"
#include "probes/remote.h"

void visitors_clear(struct visitors *v) { v->count = 0, v->ended = false; }
void visitors_free(struct visitors *v) { free(v->item); }

static struct visitor *visitor_of(struct visitors *v, const struct sim_where *where) {
    for (unsigned k = 0; k < v->count; k++)
        if (v->item[k].where.block == where->block && v->item[k].where.warp == where->warp) return &v->item[k];
    v->item = probe_room(v->item, v->count + 1, &v->capacity, sizeof *v->item);
    v->item[v->count] = (struct visitor){0};
    return &v->item[v->count++];
}
/* Returns whether the access comes after the owning block's start: after a phase of the cluster's barrier, or after any
 * action of a thread of that block. */
static bool has_begun(const struct sim_access *e, unsigned lane, const struct block_order *own, struct chain *c) {
    if (own->arrivals && own->arrivals->passed) return true;
    for (uint32_t t = 0; t < e->where->launch->threads; t++) {
        const struct stamp first = {e->object->block, t / SIM_WARP, t % SIM_WARP, 1};
        if (order_before(own, c, e->where->warp, lane, &first)) return true;
    }
    return false;
}
void visitors_note(struct visitors *v, const struct sim_access *e, const struct block_order *own, struct chain *c,
                   struct measurement *m) {
    struct visitor *x = visitor_of(v, e->where);
    x->where = *e->where, x->pc = e->pc, x->lanes |= e->mask;
    x->object = *e->object, x->offset = e->offset[lowest_lane(e->mask)], x->bytes = e->bytes, x->kind = e->kind;
    x->flags = e->strong && e->kind != SIM_LOAD ? x->flags | e->mask : x->flags & ~e->mask;
    EACH_LANE (l, e->mask) {
        x->time[l] = own->now, x->flag[l] = e->offset[l];
        x->phase[l] = own->arrivals ? own->arrivals->count[e->where->warp * SIM_WARP + l] : 0;
    }
    if (v->ended) race_report_visit(RACE_LEFT, x, e->mask, m);
    if (!has_begun(e, lowest_lane(e->mask), own, c)) race_report_visit(RACE_EARLY, x, e->mask, m);
}

void visitors_seen(struct visitors *v, const struct sim_access *e) {
    if (e->kind == SIM_STORE || e->result_unused) return;
    for (unsigned k = 0; k < v->count; k++) {
        struct visitor *x = &v->item[k];
        EACH_LANE (flag, x->flags) {
            const uint64_t at = x->flag[flag];
            bool seen = false;
            for (unsigned l = 0; l < SIM_WARP; l++)
                seen |= e->mask >> l & 1 && at >= e->offset[l] && at < e->offset[l] + e->bytes;
            if (seen) x->lanes &= ~(1u << flag), x->flags &= ~(1u << flag);
        }
    }
}

void visitors_end(struct visitors *v, struct block_order *b, struct chain *c, struct measurement *m) {
    const struct knowledge known = v->count ? chain_at_end(b, c) : (struct knowledge){0};
    for (unsigned k = 0; k < v->count; k++) {
        const struct visitor *x = &v->item[k];
        uint32_t late = 0;
        EACH_LANE (l, x->lanes) {
            const struct stamp stamp = {x->where.block, x->where.warp, l, x->time[l]};
            const bool passed = b->arrivals && b->arrivals->passed > x->phase[l];
            if (!passed && !chain_before_end(b, c, &known, &stamp)) late |= 1u << l;
        }
        if (late) race_report_visit(RACE_LEFT, x, late, m);
    }
    v->count = 0, v->ended = true;
}
