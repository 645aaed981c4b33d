/* Barriers of the block, and the instructions by which lanes of a warp meet: bar.warp.sync, shfl, vote, match, redux.
 *
 * A .sync instruction parks its lanes until every lane of its mask that has not exited has arrived at it; bar.warp.sync
 * may be reached at different places, an exchange only at one. Barriers count threads: one of the whole block waits for
 * those that have not exited (PTX ISA, "bar"), so an exit may complete it. */
#include "sim/machine.h"
#include <string.h>

/* ---- meeting of lanes ----------------------------------------------------------------------- */
static const struct sim_insn *insn_at(const struct sim_warp *w, uint32_t pc) {
    return &w->block->run->program->code[pc];
}

/* The member mask operand of a .sync instruction: its row. */
static const uint32_t *member_row(const struct sim_warp *w, const struct sim_insn *i, const uint8_t *frame) {
    (void)w;
    switch (i->source->op) {
    case PTX_OP_bar_warp_sync: return (const uint32_t *)(const void *)(frame + i->d);
    case PTX_OP_shfl: return (const uint32_t *)(const void *)(frame + i->e);
    case PTX_OP_elect: return (const uint32_t *)(const void *)(frame + i->a);
    default: return (const uint32_t *)(const void *)(frame + i->b);
    }
}
static bool is_exchange(const struct ptx_insn *p) { return p->op != PTX_OP_bar_warp_sync; }

static enum sim_sync_kind kind_of(enum ptx_op op) {
    switch (op) {
    case PTX_OP_bar_warp_sync: return SIM_SYNCWARP;
    case PTX_OP_shfl: return SIM_SHUFFLE;
    case PTX_OP_match_any:
    case PTX_OP_match_all: return SIM_MATCH;
    case PTX_OP_redux: return SIM_REDUX;
    default: return SIM_VOTE;
    }
}

/* ---- what the exchanges compute. `present`: the lanes that have met; w->r is their frame ---- */
static bool same_in_all(const uint32_t row[SIM_WARP]) {
    uint32_t differs = 0;
    for (unsigned l = 0; l < SIM_WARP; l++) differs |= row[l] ^ row[0];
    return !differs;
}
/* The usual shuffle: a whole warp, one offset for all, no segments. False: it is another one. */
static bool shuffle_whole(struct sim_warp *w, const struct sim_insn *i) {
    const uint32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = sim_row(w, i->c), offset = b[0] & 31;
    const enum ptx_mod mode = ptx_mod_of(i->source, PTX_CLASS_MODE);
    if (!same_in_all(b) || !same_in_all(c) || c[0] != (mode == PTX_MOD_UP ? 0 : 31)) return false;
    uint32_t *d = sim_row(w, i->d), result[SIM_WARP], in_range = SIM_FULL;
    memcpy(result, a, sizeof result); /* out of range a lane keeps its own */
    switch (mode) {
    case PTX_MOD_DOWN:
        memcpy(result, a + offset, (SIM_WARP - offset) * sizeof *a);
        in_range = SIM_FULL >> offset;
        break;
    case PTX_MOD_UP:
        memcpy(result + offset, a, (SIM_WARP - offset) * sizeof *a);
        in_range = SIM_FULL << offset;
        break;
    case PTX_MOD_BFLY:
        for (unsigned l = 0; l < SIM_WARP; l++) result[l] = a[l ^ offset];
        break;
    default:
        for (unsigned l = 0; l < SIM_WARP; l++) result[l] = a[offset];
        break;
    }
    memcpy(d, result, sizeof result);
    if (i->target != SIM_NO_GUARD) sim_set_predicate(w, i->target, in_range, SIM_FULL);
    return true;
}
static void do_shuffle(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    if (present == SIM_FULL && !(i->flags & SIM_TRACKED) && shuffle_whole(w, i)) return;
    uint32_t *d = sim_row(w, i->d), result[SIM_WARP], in_range = 0, absent = 0, from_absent = 0;
    uint8_t from[SIM_WARP];
    const uint32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = sim_row(w, i->c);
    const enum ptx_mod mode = ptx_mod_of(i->source, PTX_CLASS_MODE);
    SIM_EACH_LANE(l, present) { /* PTX ISA, shfl: c packs the clamp value and the segment mask */
        const uint32_t segment = c[l] >> 8 & 31, clamp = c[l] & 31, offset = b[l] & 31;
        const int32_t low = (int32_t)(l & segment), high = (int32_t)((l & segment) | (clamp & ~segment));
        int32_t j = (int32_t)l;
        bool ok = false;
        switch (mode) {
        case PTX_MOD_UP: j -= (int32_t)offset, ok = j >= high; break;
        case PTX_MOD_DOWN: j += (int32_t)offset, ok = j <= high; break;
        case PTX_MOD_BFLY: j ^= (int32_t)offset, ok = j <= high; break;
        default: j = low | ((int32_t)offset & ~(int32_t)segment), ok = j <= high; break;
        }
        if (!ok)
            j = (int32_t)l;
        else
            in_range |= 1u << l;
        if (!(present >> j & 1)) absent |= 1u << j, from_absent |= 1u << l;
        result[l] = a[j];
        from[l] = (uint8_t)j;
    }
    SIM_EACH_LANE(k, present) d[k] = result[k];
    if (i->flags & SIM_TRACKED) sim_track_exchange(w, i, present, from);
    if (i->target != SIM_NO_GUARD) sim_set_predicate(w, i->target, in_range, present);
    if (!from_absent) return;
    struct sim_fault f = {.kind = SIM_FAULT_SHUFFLE_LANE,
                          .pc = sim_pc(w, i),
                          .lanes = from_absent,
                          .other_pc = SIM_NO_PC,
                          .other_lanes = absent};
    sim_fault(w, &f);
}
static void do_vote(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    uint32_t p = *sim_predicate(w, i->a);
    const uint32_t yes = (i->imm & 1 ? ~p : p) & present;
    if (i->source->op == PTX_OP_vote_ballot) {
        SIM_EACH_LANE(l, present)((uint32_t *)sim_row(w, i->d))[l] = yes;
        return;
    }
    const enum ptx_mod mode = ptx_mod_of(i->source, PTX_CLASS_MODE);
    const bool all = yes == present, any = yes != 0;
    const bool holds = mode == PTX_MOD_ALL ? all : mode == PTX_MOD_ANY ? any : all || !any;
    sim_set_predicate(w, i->d, holds ? SIM_FULL : 0, present);
}
static uint64_t value_at(const struct sim_warp *w, const struct sim_insn *i, uint32_t l) {
    return ptx_type_bits(i->source->type) == 64 ? ((const uint64_t *)sim_row(w, i->a))[l]
                                                : ((const uint32_t *)sim_row(w, i->a))[l];
}
static void do_match(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    uint32_t *d = sim_row(w, i->d), result[SIM_WARP];
    SIM_EACH_LANE(l, present) {
        uint32_t same = 0;
        SIM_EACH_LANE(k, present) if (value_at(w, i, k) == value_at(w, i, l)) same |= 1u << k;
        result[l] = i->source->op == PTX_OP_match_any || same == present ? same : 0;
    }
    const uint32_t all = result[__builtin_ctz(present)] == present ? SIM_FULL : 0;
    SIM_EACH_LANE(m, present) d[m] = result[m];
    if (i->source->op == PTX_OP_match_all && i->target != SIM_NO_GUARD) sim_set_predicate(w, i->target, all, present);
}
static void do_redux(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const uint32_t *a = sim_row(w, i->a);
    const bool is_signed = i->source->type == PTX_S32;
    const enum ptx_mod op = ptx_mod_of(i->source, PTX_CLASS_OPERATION);
    uint32_t r = a[__builtin_ctz(present)];
    SIM_EACH_LANE(l, present & (present - 1)) {
        const uint32_t x = a[l];
        const bool less = is_signed ? (int32_t)x < (int32_t)r : x < r;
        r = op == PTX_MOD_ADD             ? r + x
            : op == PTX_MOD_AND           ? r & x
            : op == PTX_MOD_OR            ? r | x
            : op == PTX_MOD_XOR           ? r ^ x
            : (op == PTX_MOD_MIN) == less ? x
                                          : r;
    }
    SIM_EACH_LANE(k, present)((uint32_t *)sim_row(w, i->d))[k] = r;
    if (i->flags & SIM_TRACKED) sim_track_exchange(w, i, present, NULL);
}
static void do_elect(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const uint32_t leader = (uint32_t)__builtin_ctz(present);
    if (i->source->operand[0].kind == PTX_REGISTER) SIM_EACH_LANE(l, present)((uint32_t *)sim_row(w, i->d))[l] = leader;
    if (i->target != SIM_NO_GUARD) sim_set_predicate(w, i->target, 1u << leader, present);
}
static void complete_exchange(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    switch (i->source->op) {
    case PTX_OP_shfl: do_shuffle(w, i, present); break;
    case PTX_OP_vote:
    case PTX_OP_vote_ballot: do_vote(w, i, present); break;
    case PTX_OP_match_any:
    case PTX_OP_match_all: do_match(w, i, present); break;
    case PTX_OP_redux: do_redux(w, i, present); break;
    case PTX_OP_elect: do_elect(w, i, present); break;
    default: break;
    }
    struct sim_sync e = {&w->where, sim_pc(w, i), present, kind_of(i->source->op)};
    SIM_EMIT(w->block->run, sync, &e);
}

/* A parked split waits at the instruction before its pc. */
static bool waits_with(const struct sim_warp *w, const struct sim_split *s, const struct sim_insn *i,
                       uint32_t members) {
    if (s->state != SPLIT_SYNC || s->members != members) return false;
    const struct sim_insn *at = insn_at(w, s->pc - 1);
    return is_exchange(i->source) ? at == i : !is_exchange(at->source);
}
/* Lets go of all splits that wait with `members` at i (or at any bar.warp.sync). */
static void complete(struct sim_warp *w, const struct sim_insn *i, uint32_t members, uint32_t present) {
    for (unsigned k = 0; k < w->splits; k++) {
        struct sim_split *s = &w->split[k];
        if (!waits_with(w, s, i, members)) continue;
        s->state = SPLIT_READY;
        w->r = w->registers + s->frame->base;
        w->where.call = s->frame->chain;
    }
    complete_exchange(w, i, present);
    w->changed = true;
}

static void park(struct sim_warp *w, uint32_t lanes, uint32_t members) {
    struct sim_split *s = sim_current(w);
    if (lanes != s->mask) {
        s = sim_split_off(w, lanes, s->pc);
        s->members = members;
    }
    s->state = SPLIT_SYNC;
    s->members = members;
    w->changed = true;
}

/* Do all 32 lanes name all 32? */
static bool name_all(const uint32_t row[SIM_WARP]) {
    uint32_t all = SIM_FULL;
    for (unsigned l = 0; l < SIM_WARP; l++) all &= row[l];
    return all == SIM_FULL;
}
static void exec_meet(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t *row = member_row(w, i, w->r);
    if (mask == SIM_FULL && w->where.live == SIM_FULL && name_all(row)) { /* a whole warp: nobody to wait for */
        complete_exchange(w, i, mask);
        return;
    }
    const uint32_t members = row[__builtin_ctz(mask)];
    uint32_t same = 0, strangers = 0;
    SIM_EACH_LANE(l, mask) {
        if (row[l] == members) same |= 1u << l;
        if (!(row[l] >> l & 1)) strangers |= 1u << l;
    }
    if (strangers) { /* counted as if they had named themselves, so that the run can go on */
        struct sim_fault f = {
            .kind = SIM_FAULT_SYNC_MASK, .pc = sim_pc(w, i), .lanes = strangers, .other_pc = SIM_NO_PC};
        sim_fault(w, &f);
    }
    const uint32_t split_mask = sim_current(w)->mask, wanted = (members | (strangers & same)) & w->where.live;
    if (same == mask && mask == split_mask && wanted == mask) { /* the common case: all are here */
        complete_exchange(w, i, mask);
        return;
    }
    if (split_mask != mask) sim_split_off(w, split_mask & ~mask, sim_current(w)->pc); /* guarded off: they go on */
    if (same != mask) { /* several masks at once: the others execute it again on their own */
        sim_split_off(w, mask & ~same, sim_pc(w, i));
    }
    park(w, same, members | (strangers & same));
    const uint32_t waited = members | (strangers & same);
    uint32_t present = 0;
    for (unsigned k = 0; k < w->splits; k++)
        if (waits_with(w, &w->split[k], i, waited)) present |= w->split[k].mask;
    if ((waited & w->where.live & ~present) == 0) complete(w, i, waited, present);
}

/* After an exit: warp synchronisations that waited for lanes which are gone. */
static void recheck(struct sim_warp *w) {
    for (unsigned k = 0; k < w->splits; k++) {
        struct sim_split *s = &w->split[k];
        if (s->state != SPLIT_SYNC) continue;
        const struct sim_insn *i = insn_at(w, s->pc - 1);
        const uint32_t members = s->members;
        uint32_t present = 0;
        for (unsigned n = 0; n < w->splits; n++)
            if (waits_with(w, &w->split[n], i, members)) present |= w->split[n].mask;
        if ((members & w->where.live & ~present) == 0) complete(w, i, members, present);
    }
}

static void exec_activemask(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE(l, mask)((uint32_t *)sim_row(w, i->d))[l] = mask;
}

/* ---- barriers of the block ------------------------------------------------------------------ */
static bool is_red(enum ptx_op op) {
    return op == PTX_OP_bar_red_popc || op == PTX_OP_bar_red_pred || op == PTX_OP_barrier_red_popc ||
           op == PTX_OP_barrier_red_pred;
}
/* Gives a parked split of a bar.red its result. */
static void deliver(struct sim_warp *w, const struct sim_split *s, const struct sim_barrier_state *b) {
    const struct sim_insn *i = insn_at(w, s->pc - 1);
    if (!is_red(i->source->op)) return;
    uint8_t *running = w->r;
    w->r = w->registers + s->frame->base;
    const enum ptx_mod op = ptx_mod_of(i->source, PTX_CLASS_OPERATION);
    if (i->source->op == PTX_OP_bar_red_popc || i->source->op == PTX_OP_barrier_red_popc)
        SIM_EACH_LANE(l, s->mask)((uint32_t *)sim_row(w, i->d))[l] = b->votes;
    else
        sim_set_predicate(w, i->d, (op == PTX_MOD_AND ? b->votes == b->arrived : b->votes > 0) ? SIM_FULL : 0, s->mask);
    w->r = running;
}
static void complete_barrier(struct sim_block *b, unsigned id, const struct sim_where *where, bool by_exit) {
    struct sim_barrier_state *state = &b->barrier[id];
    if (b->run->barrier.count) {
        struct sim_barrier e = {.where = where, .id = id, .whole_block = state->count == 0, .by_exit = by_exit};
        for (unsigned k = 0; k < SIM_MAX_WARPS; k++) {
            e.arrived[k] = state->lanes[k];
            e.pc[k] = state->lanes[k] ? state->pc[k] : SIM_NO_PC;
            e.call[k] = state->call[k];
        }
        SIM_EMIT(b->run, barrier, &e);
    }
    for (unsigned k = 0; k < b->warp_count; k++) {
        struct sim_warp *w = &b->warps[k];
        for (unsigned n = 0; n < w->splits; n++) {
            struct sim_split *s = &w->split[n];
            if (s->state != SPLIT_BARRIER || s->barrier != id) continue;
            if (state->red) deliver(w, s, state);
            s->state = SPLIT_READY;
            w->changed = true;
        }
    }
    memset(state->lanes, 0, b->warp_count * sizeof *state->lanes);
    state->count = state->arrived = state->votes = state->red = 0;
    b->pending &= ~(1u << id);
    b->progress = true;
}
static bool is_complete(const struct sim_block *b, const struct sim_barrier_state *s) {
    return s->arrived && s->arrived >= (s->count ? s->count : b->live);
}
void sim_barrier_exits(struct sim_warp *w) {
    struct sim_block *b = w->block;
    if (w->splits) recheck(w);
    for (uint32_t left = b->pending; left; left &= left - 1) {
        const unsigned id = (unsigned)__builtin_ctz(left);
        if (!b->barrier[id].count && is_complete(b, &b->barrier[id])) complete_barrier(b, id, &b->warps[0].where, true);
    }
}

/* bar.sync of all threads of the block by a whole split, which is nearly every barrier. */
static void wait_for_all(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, uint32_t id) {
    struct sim_block *b = w->block;
    struct sim_barrier_state *state = &b->barrier[id];
    struct sim_split *s = sim_current(w);
    const uint32_t pc = sim_pc(w, i);
    if (b->run->arrival.count) {
        const struct sim_arrival e = {&w->where, pc, mask, id, true, true};
        SIM_EMIT(b->run, arrival, &e);
    }
    b->pending |= 1u << id;
    state->arrived += sim_count(mask), state->count = 0;
    state->lanes[w->where.warp] |= mask, state->pc[w->where.warp] = pc;
    state->call[w->where.warp] = w->where.call;
    s->state = SPLIT_BARRIER, s->barrier = id;
    w->changed = true;
    if (is_complete(b, state)) complete_barrier(b, id, &w->where, false);
}
static void exec_barrier(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    struct sim_block *b = w->block;
    if (p->op == PTX_OP_bar_sync && p->count == 1 && mask == sim_current(w)->mask) {
        const uint32_t plain = ((const uint32_t *)sim_row(w, i->d))[__builtin_ctz(mask)];
        if (plain <= 15) return wait_for_all(w, i, mask, plain);
    }
    const bool red = is_red(p->op), arrive = p->op == PTX_OP_bar_arrive || p->op == PTX_OP_barrier_arrive;
    const unsigned first = (unsigned)__builtin_ctz(mask);
    const uint32_t *ids = sim_row(w, red ? i->a : i->d);
    const bool has_count = red ? p->count == 4 : p->count == 2;
    const uint32_t id = ids[first] & 15,
                   count = has_count ? ((const uint32_t *)sim_row(w, red ? i->b : i->a))[first] : 0;
    const bool aligned = p->op == PTX_OP_bar_sync || p->op == PTX_OP_bar_arrive || p->op == PTX_OP_bar_red_popc ||
                         p->op == PTX_OP_bar_red_pred || ptx_mod_of(p, PTX_CLASS_ALIGNED) != PTX_MOD_NONE;
    if (ids[first] > 15 ||
        (has_count && (count == 0 || count % SIM_WARP || count > (b->run->info.threads + 31) / 32 * 32))) {
        struct sim_fault f = {
            .kind = SIM_FAULT_BARRIER_COUNT, .fatal = true, .pc = sim_pc(w, i), .lanes = mask, .other_pc = SIM_NO_PC};
        sim_fault(w, &f);
        return;
    }
    const struct sim_arrival e = {&w->where, sim_pc(w, i), mask, id, aligned, !arrive};
    SIM_EMIT(b->run, arrival, &e);
    if (mask != sim_current(w)->mask) sim_split_off(w, sim_current(w)->mask & ~mask, sim_current(w)->pc);
    struct sim_barrier_state *state = &b->barrier[id];
    /* A barrier with a count is a matter of whole warps: one arrival stands for 32 threads. */
    b->pending |= 1u << id;
    state->arrived += has_count ? SIM_WARP : sim_count(mask);
    state->count = count;
    state->lanes[w->where.warp] |= mask;
    state->pc[w->where.warp] = sim_pc(w, i);
    state->call[w->where.warp] = w->where.call;
    if (red) {
        state->red = true;
        const struct ptx_operand *q = &p->operand[p->count - 1];
        uint32_t truth = *sim_predicate(w, p->count == 4 ? i->c : i->b);
        state->votes += (uint32_t)__builtin_popcount((q->negated ? ~truth : truth) & mask);
    }
    if (!arrive) {
        sim_current(w)->state = SPLIT_BARRIER;
        sim_current(w)->barrier = id;
        w->changed = true;
    }
    if (is_complete(b, state)) complete_barrier(b, id, &w->where, false);
}

/* ---- nothing can run ------------------------------------------------------------------------ */
bool sim_resolve_stuck(struct sim_block *b) {
    for (unsigned k = 0; k < b->warp_count; k++) {
        struct sim_warp *w = &b->warps[k];
        for (unsigned n = 0; n < w->splits; n++) {
            const struct sim_split *s = &w->split[n];
            if (s->state != SPLIT_SYNC) continue;
            const struct sim_insn *i = insn_at(w, s->pc - 1);
            const uint32_t members = s->members;
            uint32_t present = 0;
            for (unsigned m = 0; m < w->splits; m++)
                if (waits_with(w, &w->split[m], i, members)) present |= w->split[m].mask;
            struct sim_fault f = {.kind = SIM_FAULT_SYNC_MISSING,
                                  .pc = sim_pc(w, i),
                                  .lanes = present,
                                  .other_pc = SIM_NO_PC,
                                  .other_lanes = members & w->where.live & ~present};
            for (unsigned m = 0; m < w->splits; m++)
                if (w->split[m].mask & f.other_lanes)
                    f.other_pc = w->split[m].pc - 1, f.other_call = w->split[m].frame->chain;
            w->where.call = s->frame->chain;
            sim_fault(w, &f);
            complete(w, i, members, present);
            return true;
        }
    }
    return false;
}
void sim_report_deadlock(struct sim_block *b) {
    for (unsigned k = 0; k < b->warp_count; k++) {
        struct sim_warp *w = &b->warps[k];
        for (unsigned n = 0; n < w->splits; n++) {
            struct sim_fault f = {.kind = SIM_FAULT_DEADLOCK,
                                  .fatal = true,
                                  .pc = w->split[n].pc - 1,
                                  .lanes = w->split[n].mask,
                                  .other_pc = SIM_NO_PC};
            w->where.call = w->split[n].frame->chain;
            sim_fault(w, &f);
        }
    }
}

sim_exec *sim_sync_handler(enum ptx_op op) {
    switch (op) {
    case PTX_OP_bar_warp_sync:
    case PTX_OP_shfl:
    case PTX_OP_vote:
    case PTX_OP_vote_ballot:
    case PTX_OP_match_any:
    case PTX_OP_match_all:
    case PTX_OP_redux:
    case PTX_OP_elect: return exec_meet;
    case PTX_OP_activemask: return exec_activemask;
    case PTX_OP_bar_sync:
    case PTX_OP_bar_arrive:
    case PTX_OP_bar_red_popc:
    case PTX_OP_bar_red_pred:
    case PTX_OP_barrier_sync:
    case PTX_OP_barrier_arrive:
    case PTX_OP_barrier_red_popc:
    case PTX_OP_barrier_red_pred: return exec_barrier;
    default: return NULL;
    }
}
