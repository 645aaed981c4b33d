/* Checks the use of a cluster's barrier: each warp must arrive as a whole, and each thread must arrive and wait in
 * turn. */
#include "probes/probe.h"

#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

enum { CLUSTER_BARRIER, CLUSTER_DIVERGENCE };
static const struct finding_kind kinds[] = {
    [CLUSTER_BARRIER] = {.key = "cluster-barrier",
                         .title = "incorrect use of the cluster barrier",
                         .explanation =
                             "Each thread of the cluster must alternate between arriving at the barrier and waiting "
                             "for it: barrier_arrive(), barrier_wait(), barrier_arrive() ... or cluster.sync(), which "
                             "does both. Two arrivals without a wait in between, or a wait without an arrival, have "
                             "undefined results: GPUs have hung, or let threads continue too early.",
                         .rank = 180},
    [CLUSTER_DIVERGENCE] =
        {.key = "cluster-divergence",
         .title = "cluster barrier that only some threads reach",
         .explanation =
             "Threads took different branches, and only some of them reached cluster.sync(). Every thread in the "
             "cluster must call it, including those without an element, so end the if statement before the call.",
         .rank = 140,
         .drawing = DRAW_BARRIER},
    [CLUSTER_DIVERGENCE + 1] = {NULL},
};

/* The lanes of a warp that have arrived in this phase, and where they last arrived. */
struct arrived {
    uint32_t pc, call, lanes;
};
struct slot_cluster {
    uint32_t block;
    struct arrived warp[SIM_MAX_WARPS];
};
struct cluster_probe {
    struct measurement *m;
    struct probe_slots slots;
};

static void *create(struct measurement *m) {
    struct cluster_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}
static void block_begin(void *self, const struct sim_block_event *e) {
    struct slot_cluster *s = probe_slot_make(&((struct cluster_probe *)self)->slots, e->where->slot, sizeof *s);
    *s = (struct slot_cluster){.block = e->where->block};
}

/* ---- the barrier ---------------------------------------------------------------------------------------------- */

static void report_parts(struct cluster_probe *p, const struct sim_cluster_event *e, const struct slot_cluster *s,
                         unsigned warp, uint32_t launched) {
    struct sim_where where = *e->where;
    char here[96], missing[96];
    where.block = s->block, where.warp = warp, where.call = s->warp[warp].call;
    const uint32_t lanes = s->warp[warp].lanes, others = launched & ~lanes;
    struct finding f = {.kind = &kinds[CLUSTER_DIVERGENCE],
                        .at = finding_site(&where, s->warp[warp].pc, lanes),
                        .other.pc = UINT32_MAX};
    finding_lanes(lanes, here, sizeof here), finding_lanes(others, missing, sizeof missing);
    snprintf(f.message, sizeof f.message,
             "lane%s %s of warp %u of block %u arrive%s here, but lane%s %s exited the kernel without arriving",
             lanes & (lanes - 1) ? "s" : "", here, warp, s->block, lanes & (lanes - 1) ? "" : "s",
             others & (others - 1) ? "s" : "", missing);
    finding_add(&p->m->findings, &f);
}
static void cluster(void *self, const struct sim_cluster_event *e) {
    struct cluster_probe *p = self;
    const struct sim_launch_info *launch = e->where->launch;
    const uint32_t blocks = launch->cluster_blocks, first = e->where->slot - e->where->slot % blocks;
    if (e->kind == SIM_CLUSTER_ARRIVES) {
        struct slot_cluster *s = p->slots.state[e->where->slot];
        struct arrived *a = &s->warp[e->where->warp];
        *a = (struct arrived){e->pc, e->where->call, a->lanes | e->mask};
    }
    if (e->kind != SIM_CLUSTER_COMPLETE) return;
    for (uint32_t k = first; k < first + blocks; k++) {
        struct slot_cluster *s = p->slots.state[k];
        for (unsigned w = 0; w < launch->warps; w++) {
            const uint32_t rest = launch->threads - w * SIM_WARP, all = rest < SIM_WARP ? (1u << rest) - 1 : UINT32_MAX;
            if (s->warp[w].lanes && s->warp[w].lanes != all) report_parts(p, e, s, w, all);
        }
        memset(s->warp, 0, sizeof s->warp);
    }
}
static void fault(void *self, const struct sim_fault *e) {
    struct cluster_probe *p = self;
    if (e->kind != SIM_FAULT_CLUSTER) return;
    struct finding f = {
        .kind = &kinds[CLUSTER_BARRIER], .at = finding_site(e->where, e->pc, e->lanes), .other.pc = UINT32_MAX};
    if (finding_recurs(&p->m->findings, &f)) return;
    char who[96];
    finding_who(measure_taught(p->m), e->where->warp, e->lanes, e->where->launched, who, sizeof who);
    snprintf(f.message, sizeof f.message, "%s of block %u %s", who, e->where->block, e->text);
    finding_add(&p->m->findings, &f);
}

/* ---- the probe ------------------------------------------------------------------------------------------------ */

static void finish(void *self, struct measurement *m) {
    struct cluster_probe *p = self;
    (void)m;
    probe_slots_free(&p->slots);
    free(p);
}
static const struct sim_probe callbacks = {
    .name = "cluster", .block_begin = block_begin, .cluster = cluster, .fault = fault};
const struct probe_row probe_cluster = {
    .name = "cluster",
    .question = "do the threads of a cluster reach its barrier correctly?",
    .part_of = MEASURE_BARRIERS | MEASURE_FAULTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
