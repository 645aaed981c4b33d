/* Clusters: groups of blocks that are resident together, access each other's shared memory, and share a barrier.
 *
 * A thread arrives at the cluster barrier, and later waits until all live threads of the cluster have arrived (PTX ISA,
 * "barrier.cluster"). It must not arrive twice without a wait in between. A phase is therefore complete once the last
 * thread has arrived or exited, and two masks of lanes per warp are enough state. */
#include "sim/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t sim_cluster_rank(const struct sim_launch_info *l, uint32_t block, uint32_t *cluster) {
    const uint32_t at[3] = {block % l->grid[0], block / l->grid[0] % l->grid[1], block / l->grid[0] / l->grid[1]};
    uint32_t rank = 0, number = 0;
    for (unsigned k = 3; k-- > 0;) {
        rank = rank * l->cluster[k] + at[k] % l->cluster[k];
        number = number * (l->grid[k] / l->cluster[k]) + at[k] / l->cluster[k];
    }
    *cluster = number;
    return rank;
}

/* ---- launches ------------------------------------------------------------------------------- */
/* Sorts the blocks so that each cluster's blocks are adjacent. Clusters are in the order of their first block in
 * `order`, and blocks keep their order within a cluster. */
bool sim_gather_clusters(const struct sim_launch_info *l, uint32_t *order, uint32_t count) {
    const uint32_t size = l->cluster_blocks, clusters = l->blocks / size;
    uint32_t *block = malloc((size_t)count * sizeof *block), *place = malloc((size_t)clusters * sizeof *place);
    uint32_t *filled = calloc(clusters, sizeof *filled), met = 0, cluster;
    for (uint32_t k = 0; block && place && filled && k < count; k++) {
        sim_cluster_rank(l, order[k], &cluster);
        if (!filled[cluster]) place[cluster] = met++;
        block[(size_t)place[cluster] * size + filled[cluster]++] = order[k];
    }
    const bool ok = block && place && filled;
    if (ok) memcpy(order, block, (size_t)count * sizeof *order);
    free(block), free(place), free(filled);
    return ok;
}
/* Checks the cluster size, which the kernel's compilation or the launch sets. See "Thread Block Clusters" in the CUDA
 * C++ Programming Guide. */
bool sim_check_clusters(struct sim_launch_info *l, const struct ptx_function *f, const struct sim_launch *launch,
                        struct sim_error *error) {
#define REFUSE(...) return snprintf(error->message, sizeof error->message, __VA_ARGS__), false
    const uint32_t *given = launch->cluster[0] ? launch->cluster : f->cluster;
    l->cluster_blocks = 1, l->explicit_cluster = given[0];
    if (f->explicit_cluster && !given[0])
        REFUSE("kernel `%s` is compiled for clusters (__cluster_dims__) whose size is set at launch: use --cluster",
               f->name);
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t n = l->cluster[k] = given[k] ? given[k] : 1;
        if (launch->cluster[0] && f->cluster[0] && launch->cluster[k] != f->cluster[k])
            REFUSE("kernel `%s` is compiled for clusters of %ux%ux%u blocks: a launch cannot change that size", f->name,
                   f->cluster[0], f->cluster[1], f->cluster[2]);
        if (n > SIM_MAX_CLUSTER || (l->cluster_blocks *= n) > SIM_MAX_CLUSTER)
            REFUSE("no GPU supports a cluster of more than %d blocks", SIM_MAX_CLUSTER);
        if (l->grid[k] % n)
            REFUSE("a grid of %ux%ux%u blocks cannot be divided into clusters of %ux%ux%u", l->grid[0], l->grid[1],
                   l->grid[2], given[0], given[1] ? given[1] : 1, given[2] ? given[2] : 1);
    }
    if (f->max_cluster && l->cluster_blocks > f->max_cluster)
        REFUSE("the cluster has %u blocks, but kernel `%s` is compiled for at most %u", l->cluster_blocks, f->name,
               f->max_cluster);
    if (l->cluster_blocks > 1 && launch->sample_count && !launch->idle_params)
        REFUSE("a launch with clusters must run all its blocks: the blocks of a cluster may wait for each other");
    return true;
}
#undef REFUSE

void sim_cluster_clear(struct sim_block *b) {
    b->arrived = 0, b->any_arrived = false;
    for (unsigned k = 0; k < b->warp_count; k++) b->warps[k].arrived = b->warps[k].passing = 0;
}

static void emit(const struct sim_warp *w, uint32_t pc, uint32_t mask, enum sim_cluster_kind kind, bool relaxed,
                 bool aligned) {
    const struct sim_cluster_event e = {&w->where, pc, mask, kind, relaxed, aligned};
    SIM_EMIT(w->block->run, cluster, &e);
}
static void fault(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, const char *text) {
    struct sim_fault f = {
        .kind = SIM_FAULT_CLUSTER, .pc = sim_pc(w, i), .lanes = lanes, .other_pc = SIM_NO_PC, .text = text};
    if (lanes) sim_fault(w, &f);
}

/* ---- the barrier ---------------------------------------------------------------------------- */
/* Completes the phase: releases the threads that wait, and marks the others, whose wait will return at once. */
static void complete(struct sim_warp *last, uint32_t pc) {
    struct sim_run *run = last->block->run;
    emit(last, pc, 0, SIM_CLUSTER_COMPLETE, false, false);
    for (uint32_t r = 0; r < run->info.cluster_blocks; r++) {
        struct sim_block *b = last->block->cluster[r];
        b->arrived = 0, b->any_arrived = false, b->progress = true;
        for (unsigned k = 0; k < b->warp_count; k++) {
            struct sim_warp *w = &b->warps[k];
            w->passing |= w->arrived, w->arrived = 0;
            for (unsigned n = 0; n < w->splits; n++) {
                struct sim_split *s = &w->split[n];
                if (s->state != SPLIT_CLUSTER) continue;
                s->state = SPLIT_READY, w->changed = true, w->passing &= ~s->mask;
                w->where.call = s->frame->chain;
                emit(w, s->pc - 1, s->mask, SIM_CLUSTER_PASSES, false, false);
            }
            if (w->splits) w->where.call = w->split[w->current].frame->chain;
        }
    }
    run->changes++;
}
static void complete_if_all(struct sim_warp *w, uint32_t pc) {
    const struct sim_block *b = w->block;
    bool any = false, all = true;
    for (uint32_t r = 0; r < b->run->info.cluster_blocks; r++)
        any |= b->cluster[r]->any_arrived, all &= b->cluster[r]->arrived == b->cluster[r]->live;
    if (any && all) complete(w, pc);
}
static void exec_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const bool relaxed = ptx_mod_of(i->source, PTX_CLASS_SEM) == PTX_MOD_RELAXED,
               aligned = ptx_mod_of(i->source, PTX_CLASS_ALIGNED) != PTX_MOD_NONE;
    fault(w, i, mask & (w->arrived | w->passing), "arrived at the cluster barrier again without waiting in between");
    w->passing &= ~mask; /* these lanes continue as if they had waited */
    mask &= ~w->arrived;
    if (!mask) return;
    emit(w, sim_pc(w, i), mask, SIM_CLUSTER_ARRIVES, relaxed, aligned);
    w->arrived |= mask;
    w->block->arrived += sim_count(mask), w->block->any_arrived = true;
    complete_if_all(w, sim_pc(w, i));
}
static void exec_wait(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t never = mask & ~(w->arrived | w->passing), waits = mask & w->arrived;
    fault(w, i, never, "waited at the cluster barrier without having arrived at it");
    if (mask & w->passing) emit(w, sim_pc(w, i), mask & w->passing, SIM_CLUSTER_PASSES, false, false);
    w->passing &= ~mask;
    if (!waits) return;
    struct sim_split *s = sim_current(w);
    if (waits != s->mask) sim_split_off(w, s->mask & ~waits, s->pc);
    sim_current(w)->state = SPLIT_CLUSTER;
    w->changed = true;
}
void sim_cluster_exits(struct sim_warp *w, uint32_t pc, uint32_t lanes) {
    w->block->arrived -= (uint32_t)__builtin_popcount(w->arrived & lanes);
    complete_if_all(w, pc);
}

/* ---- no thread can run ---------------------------------------------------------------------- */
bool sim_waits_for_cluster(const struct sim_block *b) {
    for (uint32_t k = 0; k < b->warp_count; k++)
        for (unsigned n = 0; n < b->warps[k].splits; n++)
            if (b->warps[k].split[n].state == SPLIT_CLUSTER) return true;
    return false;
}
bool sim_cluster_stuck(const struct sim_block *b) {
    for (uint32_t r = 0; r < b->run->info.cluster_blocks; r++) {
        const struct sim_block *o = b->cluster[r];
        if (o->live && (!o->waits || o->waits_since != b->run->changes || sim_waits_for_memory(o))) return false;
    }
    return sim_waits_for_cluster(b);
}
void sim_resolve_cluster(struct sim_block *b) {
    for (uint32_t r = 0; r < b->run->info.cluster_blocks; r++)
        if (b->cluster[r]->live && sim_resolve_stuck(b->cluster[r])) return;
    for (uint32_t r = 0; r < b->run->info.cluster_blocks; r++)
        if (b->cluster[r]->live) sim_report_deadlock(b->cluster[r]);
}

void sim_form_cluster_arrive(struct sim_insn *i) { i->exec = exec_arrive; }
void sim_form_cluster_wait(struct sim_insn *i) { i->exec = exec_wait; }
