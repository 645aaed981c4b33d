/* Barriers of a block, and synchronization within a warp: bar.warp.sync, shfl, vote, match, redux and elect. Also
 * activemask, which does not synchronize, and the synchronization of lanes before other instructions (sim_meet()).
 *
 * A .sync instruction parks its lanes until all live lanes of its mask have arrived. Lanes may arrive at different
 * bar.warp.sync instructions, but all lanes of an exchange must execute the same instruction. A barrier of the whole
 * block waits for all live threads (PTX ISA, "bar"), so a thread's exit may complete it. */
#include "sim/machine.h"
#include <string.h>

/* ---- synchronization of lanes --------------------------------------------------------------- */
static const struct sim_insn *insn_at(const struct sim_warp *w, uint32_t pc) {
    return &w->block->run->program->code[pc];
}

/* Returns whether the instruction exchanges values. All lanes of an exchange must execute the same instruction.
 * bar.warp.sync exchanges nothing. */
static bool is_exchange(const struct sim_insn *i) { return i->inner; }

/* ---- exchanges; `present`: the participating lanes, whose frame is w->r ------------------------- */
static bool same_in_all(const uint32_t row[SIM_WARP]) {
    const uint64_t *pair = (const uint64_t *)(const void *)row, first = row[0] | (uint64_t)row[0] << 32;
    uint64_t differs = 0;
#pragma GCC unroll 16
    for (unsigned k = 0; k < SIM_WARP / 2; k++) differs |= pair[k] ^ first;
    return !differs;
}
/* Executes the most common shuffle: a full warp, one offset for all lanes, no segments. Returns false for other
 * shuffles. */
static bool shuffle_whole(struct sim_warp *w, const struct sim_insn *i) {
    const uint32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = sim_row(w, i->c), offset = b[0] & 31;
    const enum ptx_mod mode = ptx_mod_of(i->source, PTX_CLASS_MODE);
    if (!same_in_all(b) || !same_in_all(c) || c[0] != (mode == PTX_MOD_UP ? 0 : 31)) return false;
    uint32_t *d = sim_row(w, i->d), copy[SIM_WARP], in_range = SIM_FULL;
    const size_t moved = (SIM_WARP - offset) * sizeof *d, kept = offset * sizeof *d;
    switch (mode) { /* a lane with a source out of range keeps its value; d and a may be the same row */
    case PTX_MOD_DOWN:
        in_range = SIM_FULL >> offset;
        memmove(d, a + offset, moved);
        if (d != a) memcpy(d + SIM_WARP - offset, a + SIM_WARP - offset, kept);
        break;
    case PTX_MOD_UP:
        in_range = SIM_FULL << offset;
        memmove(d + offset, a, moved);
        if (d != a) memcpy(d, a, kept);
        break;
    case PTX_MOD_BFLY:
        memcpy(copy, a, sizeof copy);
        for (unsigned l = 0; l < SIM_WARP; l++) d[l] = copy[l ^ offset];
        break;
    default:
        for (unsigned l = 0, x = a[offset]; l < SIM_WARP; l++) d[l] = x;
        break;
    }
    if (i->exchange.p != SIM_NO_ROW) sim_set_predicate(w, i->exchange.p, in_range, SIM_FULL);
    return true;
}
/* Computes each lane's source lane for a shuffle that shuffle_whole() executed. */
static void sources_whole(const struct sim_insn *i, uint32_t offset, uint8_t from[SIM_WARP]) {
    const enum ptx_mod mode = ptx_mod_of(i->source, PTX_CLASS_MODE);
    const uint8_t own = mode == PTX_MOD_IDX ? 0 : SIM_WARP - 1, flip = mode == PTX_MOD_BFLY ? (uint8_t)offset : 0;
    const uint8_t add = (uint8_t)(mode == PTX_MOD_UP ? -offset : mode == PTX_MOD_BFLY ? 0 : offset);
    for (unsigned l = 0; l < SIM_WARP; l++) {
        const uint8_t j = (uint8_t)(((l & own) ^ flip) + add);
        from[l] = j < SIM_WARP ? j : (uint8_t)l;
    }
}
/* Returns whether the exchange executes as if the lanes had sent nothing. */
static bool is_cut_off(const struct sim_warp *w, const struct sim_insn *i) {
    return w->block->run->sim->options.no_exchange && i->flags & SIM_CARRIES;
}
static void keep_own(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    uint32_t *d = sim_row(w, i->d);
    const uint32_t *a = sim_row(w, i->a);
    SIM_EACH_LANE (l, present) d[l] = a[l];
    if (i->flags & SIM_TRACKED) sim_track_exchange(w, i, present, NULL);
}
static void do_shuffle(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    if (is_cut_off(w, i)) {
        keep_own(w, i, present);
        if (i->exchange.p != SIM_NO_ROW) sim_set_predicate(w, i->exchange.p, present, present);
        return;
    }
    const uint32_t by = *(const uint32_t *)sim_row(w, i->b) & 31; /* the shuffle may overwrite b */
    if (present == SIM_FULL && shuffle_whole(w, i)) {
        uint8_t from[SIM_WARP];
        if (!(i->flags & SIM_TRACKED)) return;
        const bool sends = sim_sends_undefined(w, i, present);
        if (sends) sources_whole(i, by, from);
        sim_track_exchange(w, i, present, sends ? from : NULL);
        return;
    }
    uint32_t *d = sim_row(w, i->d), result[SIM_WARP], in_range = 0, absent = 0, from_absent = 0;
    uint8_t from[SIM_WARP];
    const uint32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = sim_row(w, i->c);
    const enum ptx_mod mode = ptx_mod_of(i->source, PTX_CLASS_MODE);
    SIM_EACH_LANE (l, present) { /* c has the clamp value and the segment mask (PTX ISA, shfl) */
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
    SIM_EACH_LANE (k, present) d[k] = result[k];
    if (i->flags & SIM_TRACKED) sim_track_exchange(w, i, present, from);
    if (i->exchange.p != SIM_NO_ROW) sim_set_predicate(w, i->exchange.p, in_range, present);
    if (!from_absent || sim_track_absent(w, i, from_absent, absent)) return;
    struct sim_fault f = {.kind = SIM_FAULT_SHUFFLE_LANE,
                          .pc = sim_pc(w, i),
                          .lanes = from_absent,
                          .other_pc = SIM_NO_PC,
                          .other_lanes = absent};
    sim_fault(w, &f);
}
static uint32_t votes_for(const struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const uint32_t p = *sim_predicate(w, i->a);
    return (i->negated & SIM_NOT_A ? ~p : p) & present;
}
static void do_ballot(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const uint32_t yes = votes_for(w, i, present);
    SIM_EACH_LANE (l, present) ((uint32_t *)sim_row(w, i->d))[l] = yes;
}
static void do_vote(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const uint32_t yes = votes_for(w, i, present);
    const enum ptx_mod mode = ptx_mod_of(i->source, PTX_CLASS_MODE);
    const bool all = yes == present, any = yes != 0;
    const bool holds = mode == PTX_MOD_ALL ? all : mode == PTX_MOD_ANY ? any : all || !any;
    sim_set_predicate(w, i->d, holds ? SIM_FULL : 0, present);
}
static uint64_t value_at(const struct sim_warp *w, const struct sim_insn *i, uint32_t l) {
    return ptx_type_bits(i->source->type) == 64 ? ((const uint64_t *)sim_row(w, i->a))[l]
                                                : ((const uint32_t *)sim_row(w, i->a))[l];
}
/* Computes, for each lane, the mask of lanes that have the same value. */
static void match(const struct sim_warp *w, const struct sim_insn *i, uint32_t present, uint32_t same[SIM_WARP]) {
    SIM_EACH_LANE (l, present) {
        same[l] = 0;
        SIM_EACH_LANE (k, present)
            if (value_at(w, i, k) == value_at(w, i, l)) same[l] |= 1u << k;
    }
}
static void do_match_any(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    uint32_t same[SIM_WARP], *d = sim_row(w, i->d);
    match(w, i, present, same);
    SIM_EACH_LANE (l, present) d[l] = same[l];
}
static void do_match_all(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    uint32_t same[SIM_WARP], *d = sim_row(w, i->d);
    match(w, i, present, same);
    const bool all = same[__builtin_ctz(present)] == present;
    SIM_EACH_LANE (l, present) d[l] = all ? present : 0;
    if (i->exchange.p != SIM_NO_ROW) sim_set_predicate(w, i->exchange.p, all ? SIM_FULL : 0, present);
}
static void do_redux(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    if (is_cut_off(w, i)) {
        keep_own(w, i, present);
        return;
    }
    const uint32_t *a = sim_row(w, i->a);
    const bool is_signed = i->source->type == PTX_S32;
    const enum ptx_mod op = ptx_mod_of(i->source, PTX_CLASS_OPERATION);
    uint32_t r = a[__builtin_ctz(present)];
    SIM_EACH_LANE (l, present & (present - 1)) {
        const uint32_t x = a[l];
        const bool less = is_signed ? (int32_t)x < (int32_t)r : x < r;
        r = op == PTX_MOD_ADD             ? r + x
            : op == PTX_MOD_AND           ? r & x
            : op == PTX_MOD_OR            ? r | x
            : op == PTX_MOD_XOR           ? r ^ x
            : (op == PTX_MOD_MIN) == less ? x
                                          : r;
    }
    SIM_EACH_LANE (k, present) ((uint32_t *)sim_row(w, i->d))[k] = r;
    if (i->flags & SIM_TRACKED) sim_track_exchange(w, i, present, NULL);
}
static void do_elect(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const uint32_t leader = (uint32_t)__builtin_ctz(present);
    if (i->source->operand[0].kind == PTX_REGISTER)
        SIM_EACH_LANE (l, present) ((uint32_t *)sim_row(w, i->d))[l] = leader;
    if (i->exchange.p != SIM_NO_ROW) sim_set_predicate(w, i->exchange.p, 1u << leader, present);
}
/* Reports a matrix instruction if lanes of its warp have exited: all lanes hold elements. */
static void check_matrix(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    if (i->exchange.kind != SIM_MATRIX || w->where.live == SIM_FULL) return;
    struct sim_fault f = {.kind = SIM_FAULT_SYNC_MISSING,
                          .pc = sim_pc(w, i),
                          .lanes = present,
                          .other_pc = SIM_NO_PC,
                          .other_lanes = ~w->where.live,
                          .text = "a matrix instruction needs all 32 lanes"};
    sim_fault(w, &f);
}
static void complete_exchange(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    check_matrix(w, i, present);
    if (i->inner) i->inner(w, i, present);
    struct sim_sync e = {&w->where, sim_pc(w, i), present, (enum sim_sync_kind)i->exchange.kind};
    SIM_EMIT(w->block->run, sync, &e);
}

/* Returns whether a parked split waits with the lanes at instruction `i`. A parked split's pc is one past the
 * instruction at which it waits. */
static bool waits_with(const struct sim_warp *w, const struct sim_split *s, const struct sim_insn *i,
                       uint32_t members) {
    if (s->state != SPLIT_SYNC || s->members != members) return false;
    const struct sim_insn *at = insn_at(w, s->pc - 1);
    return is_exchange(i) ? at == i : !is_exchange(at);
}
/* Releases all splits that wait at `i` with the mask `members`, and executes the exchange. */
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

/* Returns whether the lanes of `mask` are divided into groups, such as tiles of 8 lanes: each lane's row names the live
 * lanes of its group, all of which are in `mask`. */
static bool form_groups(const struct sim_warp *w, const uint32_t row[SIM_WARP], uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const uint32_t group = row[l] & w->where.live;
        if (!(group >> l & 1) || group & ~mask) return false;
        SIM_EACH_LANE (k, group)
            if (row[k] != row[l]) return false;
    }
    return true;
}
/* Executes an exchange within each group. The lanes stay together, because none of them has to wait. */
static void exchange_in_groups(struct sim_warp *w, const struct sim_insn *i, const uint32_t row[SIM_WARP],
                               uint32_t mask) {
    for (uint32_t left = mask, group; left; left &= ~group)
        group = row[__builtin_ctz(left)] & mask, i->inner(w, i, group);
    struct sim_sync e = {&w->where, sim_pc(w, i), mask, (enum sim_sync_kind)i->exchange.kind};
    SIM_EMIT(w->block->run, sync, &e);
}

/* Returns whether each lane's mask has all 32 lanes. */
static bool name_all(const uint32_t row[SIM_WARP]) { return row[0] == SIM_FULL && same_in_all(row); }
static void exec_meet(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t *row = sim_row(w, i->exchange.members);
    if (mask == SIM_FULL && w->where.live == SIM_FULL && name_all(row)) { /* fast path: no lane has to wait */
        complete_exchange(w, i, mask);
        return;
    }
    const uint32_t members = row[__builtin_ctz(mask)];
    uint32_t same = 0, strangers = 0;
    SIM_EACH_LANE (l, mask) {
        if (row[l] == members) same |= 1u << l;
        if (!(row[l] >> l & 1)) strangers |= 1u << l;
    }
    if (strangers) { /* add the lanes to their own masks, so that the run can continue */
        struct sim_fault f = {
            .kind = SIM_FAULT_SYNC_MASK, .pc = sim_pc(w, i), .lanes = strangers, .other_pc = SIM_NO_PC};
        sim_fault(w, &f);
    }
    const uint32_t split_mask = sim_current(w)->mask, wanted = (members | (strangers & same)) & w->where.live;
    if (same == mask && mask == split_mask && wanted == mask) { /* fast path: all lanes have arrived */
        complete_exchange(w, i, mask);
        return;
    }
    if (is_exchange(i) && same != mask && mask == split_mask && form_groups(w, row, mask)) {
        exchange_in_groups(w, i, row, mask);
        return;
    }
    if (split_mask != mask)
        sim_split_off(w, split_mask & ~mask, sim_current(w)->pc); /* lanes with a false guard continue */
    if (same != mask) { /* lanes with other masks execute the instruction again, separately */
        sim_split_off(w, mask & ~same, sim_pc(w, i));
    }
    park(w, same, members | (strangers & same));
    const uint32_t waited = members | (strangers & same);
    uint32_t present = 0;
    for (unsigned k = 0; k < w->splits; k++)
        if (waits_with(w, &w->split[k], i, waited)) present |= w->split[k].mask;
    if ((waited & w->where.live & ~present) == 0) complete(w, i, waited, present);
}

/* Completes a warp's synchronizations whose missing lanes have exited. */
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

/* An exchange among the active lanes, without waiting for others. */
static void exec_active(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { complete_exchange(w, i, mask); }
static void exec_activemask(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) ((uint32_t *)sim_row(w, i->d))[l] = mask;
}

/* ---- block-wide barriers ----------------------------------------------------------------- */
enum barrier_result { BARRIER_NOTHING, BARRIER_COUNT, BARRIER_VOTE };

static void give_count(struct sim_warp *w, const struct sim_insn *i, const struct sim_barrier_state *b, uint32_t mask) {
    SIM_EACH_LANE (l, mask) ((uint32_t *)sim_row(w, i->d))[l] = b->votes;
}
static void give_vote(struct sim_warp *w, const struct sim_insn *i, const struct sim_barrier_state *b, uint32_t mask) {
    const bool all = ptx_mod_of(i->source, PTX_CLASS_OPERATION) == PTX_MOD_AND;
    sim_set_predicate(w, i->d, (all ? b->votes == b->arrived : b->votes > 0) ? SIM_FULL : 0, mask);
}
/* Writes a bar.red's result to the registers of a split that waits for it. */
static void deliver(struct sim_warp *w, const struct sim_split *s, const struct sim_barrier_state *b) {
    const struct sim_insn *i = insn_at(w, s->pc - 1);
    uint8_t *running = w->r;
    w->r = w->registers + s->frame->base;
    if (i->barrier.gives == BARRIER_COUNT) give_count(w, i, b, s->mask);
    if (i->barrier.gives == BARRIER_VOTE) give_vote(w, i, b, s->mask);
    w->r = running;
}
static void complete_barrier(struct sim_block *b, unsigned id, const struct sim_where *where, bool by_exit) {
    struct sim_barrier_state *state = &b->barrier[id];
    if (b->run->barrier.count) {
        struct sim_barrier e;
        e.where = where, e.id = id, e.whole_block = state->count == 0, e.by_exit = by_exit;
        memcpy(e.arrived, state->lanes, sizeof e.arrived);
        memcpy(e.call, state->call, sizeof e.call);
        memset(e.pc, 0xff, sizeof e.pc); /* SIM_NO_PC */
        for (unsigned k = 0; k < b->warp_count; k++)
            if (state->lanes[k]) e.pc[k] = state->pc[k];
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
    b->run->changes++;
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

/* Executes a bar.sync of the whole block for a whole split: the fast path for nearly all barriers. */
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
/* Merges lanes that the schedule keeps apart, because the instruction at `pc` counts whole warps. They execute it
 * again. Returns false if there is nothing to merge. */
static bool join_lanes(struct sim_warp *w, uint32_t pc) {
    uint32_t orders = 0;
    for (unsigned k = 0; k < w->splits; k++) orders |= 1u << w->split[k].order;
    if (!(orders & (orders - 1))) return false;
    for (unsigned k = 0; k < w->splits; k++) w->split[k].order = 0;
    sim_current(w)->pc = pc;
    return w->changed = true;
}
static void exec_barrier(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_block *b = w->block;
    const unsigned first = (unsigned)__builtin_ctz(mask);
    const uint32_t id = ((const uint32_t *)sim_row(w, i->a))[first];
    if (i->barrier.plain && mask == sim_current(w)->mask && id <= 15) return wait_for_all(w, i, mask, id);
    const bool has_count = i->b != SIM_NO_ROW;
    if (has_count && join_lanes(w, sim_pc(w, i))) return;
    const uint32_t count = has_count ? ((const uint32_t *)sim_row(w, i->b))[first] : 0;
    if (id > 15 || (has_count && (count == 0 || count % SIM_WARP || count > (b->run->info.threads + 31) / 32 * 32))) {
        struct sim_fault f = {
            .kind = SIM_FAULT_BARRIER_COUNT, .fatal = true, .pc = sim_pc(w, i), .lanes = mask, .other_pc = SIM_NO_PC};
        sim_fault(w, &f);
        return;
    }
    const struct sim_arrival e = {&w->where, sim_pc(w, i), mask, id, i->barrier.aligned, i->barrier.waits};
    SIM_EMIT(b->run, arrival, &e);
    if (mask != sim_current(w)->mask) sim_split_off(w, sim_current(w)->mask & ~mask, sim_current(w)->pc);
    struct sim_barrier_state *state = &b->barrier[id];
    /* A barrier with a thread count counts whole warps, so each arrival adds 32 threads. */
    b->pending |= 1u << id;
    state->arrived += has_count ? SIM_WARP : sim_count(mask);
    state->count = count;
    state->lanes[w->where.warp] |= mask;
    state->pc[w->where.warp] = sim_pc(w, i);
    state->call[w->where.warp] = w->where.call;
    if (i->c != SIM_NO_ROW) {
        const uint32_t truth = *sim_predicate(w, i->c);
        state->red = true;
        state->votes += (uint32_t)__builtin_popcount((i->negated & SIM_NOT_C ? ~truth : truth) & mask);
    }
    if (i->barrier.waits) {
        sim_current(w)->state = SPLIT_BARRIER;
        sim_current(w)->barrier = id;
        w->changed = true;
    }
    if (is_complete(b, state)) complete_barrier(b, id, &w->where, false);
}

/* ---- when nothing can run ------------------------------------------------------------------- */
/* Releases a synchronization of the warp that cannot complete. If *pc is not SIM_NO_PC, it must be at this instruction,
 * and the missing lanes must wait at *other. Sets *pc and *other. Returns false if there is no such synchronization. */
static bool resolve_warp(struct sim_warp *w, uint32_t *pc, uint32_t *other) {
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
        if (*pc != SIM_NO_PC && (f.pc != *pc || f.other_pc != *other)) continue;
        w->where.call = s->frame->chain;
        *pc = f.pc, *other = f.other_pc;
        sim_fault(w, &f);
        complete(w, i, members, present);
        return true;
    }
    return false;
}
bool sim_resolve_stuck(struct sim_block *b) {
    uint32_t pc = SIM_NO_PC, other = SIM_NO_PC;
    bool any = false;
    for (unsigned k = 0; k < b->warp_count && !b->run->stopped; k++) any |= resolve_warp(&b->warps[k], &pc, &other);
    return any;
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

/* ---- handlers for the rows of ops.def --------------------------------------------------------- */
void sim_meet(struct sim_insn *i, sim_exec *computes, enum sim_sync_kind kind) {
    i->exec = exec_meet, i->inner = computes, i->exchange.kind = (uint8_t)kind;
}
#define EXCHANGE(name, computes, what)                                                                                 \
    void sim_form_##name(struct sim_insn *i) { i->exec = exec_meet, i->inner = computes, i->exchange.kind = what; }
#define AMONG_ACTIVE(name, computes, what)                                                                             \
    void sim_form_##name(struct sim_insn *i) { i->exec = exec_active, i->inner = computes, i->exchange.kind = what; }
EXCHANGE(bar_warp_sync, NULL, SIM_SYNCWARP)
EXCHANGE(shfl, do_shuffle, SIM_SHUFFLE)
EXCHANGE(vote, do_vote, SIM_VOTE)
EXCHANGE(vote_ballot, do_ballot, SIM_VOTE)
EXCHANGE(match_any, do_match_any, SIM_MATCH)
EXCHANGE(match_all, do_match_all, SIM_MATCH)
EXCHANGE(redux, do_redux, SIM_REDUX)
EXCHANGE(elect, do_elect, SIM_VOTE)
AMONG_ACTIVE(shfl_active, do_shuffle, SIM_SHUFFLE)
AMONG_ACTIVE(vote_active, do_vote, SIM_VOTE)
AMONG_ACTIVE(ballot_active, do_ballot, SIM_VOTE)
void sim_form_activemask(struct sim_insn *i) { i->exec = exec_activemask; }

/* Sets the handler of a barrier instruction. In PTX, `bar` is a synonym of barrier.aligned. */
static void form_barrier(struct sim_insn *i, bool waits, enum barrier_result gives) {
    const bool bar = !strncmp(ptx_ops[i->source->op].mnemonic, "bar.", 4),
               aligned = bar || ptx_mod_of(i->source, PTX_CLASS_ALIGNED) != PTX_MOD_NONE;
    i->exec = exec_barrier;
    i->barrier.aligned = aligned, i->barrier.waits = waits, i->barrier.gives = gives;
    i->barrier.plain = aligned && waits && gives == BARRIER_NOTHING && i->b == SIM_NO_ROW;
}
void sim_form_barrier(struct sim_insn *i) { form_barrier(i, true, BARRIER_NOTHING); }
void sim_form_barrier_arrive(struct sim_insn *i) { form_barrier(i, false, BARRIER_NOTHING); }
void sim_form_barrier_count(struct sim_insn *i) { form_barrier(i, true, BARRIER_COUNT); }
void sim_form_barrier_vote(struct sim_insn *i) { form_barrier(i, true, BARRIER_VOTE); }
