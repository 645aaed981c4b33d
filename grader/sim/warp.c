/* A warp: its lanes, divided into splits, and the loop that executes them.
 *
 * Lanes with the same pc and the same call stack form a split. The split with the deepest call runs first; among these,
 * the one with the lowest pc. Splits that meet are merged, so that lanes reconverge at the end of an `if`. A split that
 * has taken many backward branches yields to the others (`rest`), so that lanes waiting for each other make progress.
 */
#include "base/reserve.h"
#include "model/gpus/gpu.h"
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

enum { BACK_EDGES_BEFORE_REST = 4096, SHORT_REST = 256, BACK_EDGES_BEFORE_LOOK = 64, LONGEST_CYCLE = 4 };

/* ---- frames: the registers of a call --------------------------------------------------------- */
/* Register files of at least this many bytes are only reserved, and get pages at the first access: unoptimized code may
 * declare thousands of registers, but a launch uses few of them. */
enum { LARGE = 1 << 20 };
static uint8_t *new_registers(uint32_t bytes) { return bytes < LARGE ? aligned_alloc(64, bytes) : reserve(bytes); }
static void free_registers(struct sim_warp *w) {
    if (w->register_bytes < LARGE)
        free(w->registers);
    else
        reserve_free(w->registers, w->register_bytes);
    w->registers = NULL, w->register_bytes = 0;
}
bool sim_frame_reserve(struct sim_warp *w, uint32_t bytes) {
    if (bytes <= w->register_bytes) return true;
    const struct sim_run *run = w->block->run;
    const uint32_t more = w->registers ? bytes / 2 : 0; /* no spare room at first: most kernels call no functions */
    uint32_t capacity = (bytes + more + 63) / 64 * 64;
    if (capacity < run->frames_end)
        capacity = run->frames_end; /* the frames that other warps or an earlier launch needed */
    if (capacity < run->frames_before) capacity = run->frames_before;
    uint8_t *grown = new_registers(capacity);
    if (!grown) return false;
    if (w->registers) memcpy(grown, w->registers, w->register_bytes);
    if (capacity < LARGE) memset(grown + w->register_bytes, 0, capacity - w->register_bytes);
    free_registers(w);
    w->registers = grown, w->register_bytes = capacity;
    return true;
}

/* Returns %nsmid. SM numbers need not be contiguous, so it may exceed the number of SMs. */
static uint64_t sm_numbers(const struct sim_run *run) {
    enum { MORE = 256 };
    return run->sim->options.sm_count + run->place % MORE;
}
/* Returns the number of a block's SM. With a shuffled order of execution, the seed, the launch and the block's index
 * decide; otherwise, the block's slot. */
static uint64_t sm_of(const struct sim_block *b) {
    const struct sim_run *run = b->run;
    const uint32_t count = run->sim->options.sm_count;
    return run->place ? (run->place % UINT32_MAX + b->index % count) % sm_numbers(run) : b->slot % count;
}
static uint64_t special_value(const struct sim_warp *w, enum ptx_special s, uint32_t lane) {
    const struct sim_block *b = w->block;
    const struct sim_launch_info *l = &b->run->info;
    const uint32_t thread = w->where.warp * SIM_WARP + lane;
    switch (s) {
    case PTX_TID_X: return thread % l->block[0];
    case PTX_TID_Y: return thread / l->block[0] % l->block[1];
    case PTX_TID_Z: return thread / l->block[0] / l->block[1];
    case PTX_NTID_X:
    case PTX_NTID_Y:
    case PTX_NTID_Z: return l->block[s - PTX_NTID_X];
    case PTX_CTAID_X:
    case PTX_CTAID_Y:
    case PTX_CTAID_Z: return b->ctaid[s - PTX_CTAID_X];
    case PTX_NCTAID_X:
    case PTX_NCTAID_Y:
    case PTX_NCTAID_Z: return l->grid[s - PTX_NCTAID_X];
    case PTX_CLUSTERID_X:
    case PTX_CLUSTERID_Y:
    case PTX_CLUSTERID_Z: return b->ctaid[s - PTX_CLUSTERID_X] / l->cluster[s - PTX_CLUSTERID_X];
    case PTX_NCLUSTERID_X:
    case PTX_NCLUSTERID_Y:
    case PTX_NCLUSTERID_Z: return l->grid[s - PTX_NCLUSTERID_X] / l->cluster[s - PTX_NCLUSTERID_X];
    case PTX_CLUSTER_CTAID_X:
    case PTX_CLUSTER_CTAID_Y:
    case PTX_CLUSTER_CTAID_Z: return b->ctaid[s - PTX_CLUSTER_CTAID_X] % l->cluster[s - PTX_CLUSTER_CTAID_X];
    case PTX_CLUSTER_NCTAID_X:
    case PTX_CLUSTER_NCTAID_Y:
    case PTX_CLUSTER_NCTAID_Z: return l->cluster[s - PTX_CLUSTER_NCTAID_X];
    case PTX_CLUSTER_CTARANK: return b->rank;
    case PTX_CLUSTER_NCTARANK: return l->cluster_blocks;
    case PTX_IS_EXPLICIT_CLUSTER: return l->explicit_cluster ? UINT64_MAX : 0; /* a mask of lanes */
    case PTX_LANEID: return lane;
    case PTX_WARPID:
        return (w->where.warp + b->run->place) %
               (gpu_default->max_threads / SIM_WARP); /* not limited to the warps of the block */
    case PTX_NWARPID: return gpu_default->max_threads / SIM_WARP;
    case PTX_SMID: return sm_of(b);
    case PTX_NSMID: return sm_numbers(b->run);
    case PTX_LANEMASK_EQ: return 1u << lane;
    case PTX_LANEMASK_LT: return (1u << lane) - 1;
    case PTX_LANEMASK_LE: return (1u << lane) | ((1u << lane) - 1);
    case PTX_LANEMASK_GT: return ~((1u << lane) | ((1u << lane) - 1));
    case PTX_LANEMASK_GE: return ~((1u << lane) - 1);
    case PTX_TOTAL_SMEM_SIZE: return l->shared_bytes - b->run->kernel->reserved_bytes;
    case PTX_DYNAMIC_SMEM_SIZE: return l->shared_bytes - b->run->kernel->shared_bytes;
    case PTX_RESERVED_SMEM_BEGIN:
    case PTX_RESERVED_SMEM_0: return b->run->kernel->reserved_offset;
    case PTX_RESERVED_SMEM_1: return b->run->kernel->reserved_offset + gpu_default->reserved_shared_bytes / 2;
    case PTX_RESERVED_SMEM_END: return b->run->kernel->reserved_offset + gpu_default->reserved_shared_bytes;
    case PTX_AGGR_SMEM_SIZE: return l->shared_bytes;
    case PTX_ENVREG1: return b->run->program->grid_workspace >> 32;
    case PTX_ENVREG2: return b->run->program->grid_workspace & UINT32_MAX;
    case PTX_RESERVED_SMEM_CAP: return gpu_default->reserved_shared_bytes;
    default: return 0;
    }
}
static void put_lane(uint8_t *row, unsigned bits, uint32_t lane, uint64_t v) {
    memcpy(row + lane * (bits / 8), &v, bits / 8);
}
static void put_row(uint8_t *row, unsigned bits, uint32_t mask, uint64_t v) {
    uint32_t *row32 = (uint32_t *)(void *)row;
    uint64_t *row64 = (uint64_t *)(void *)row;
    if (mask != SIM_FULL || bits == 16)
        SIM_EACH_LANE (l, mask) put_lane(row, bits, l, v);
    else if (bits == 32)
        for (int k = 0; k < SIM_WARP; k++) row32[k] = (uint32_t)v;
    else
        for (int k = 0; k < SIM_WARP; k++) row64[k] = v;
}
static void clear_lanes(uint8_t *row, enum ptx_type type, uint32_t mask) {
    const unsigned bits = ptx_type_bits(type) < 16 ? 16 : ptx_type_bits(type);
    if (type == PTX_PRED)
        *(uint32_t *)(void *)row &= ~mask;
    else
        SIM_EACH_LANE (l, mask) memset(row + l * (bits / 8), 0, bits / 8);
}
static bool differs_by_lane(enum ptx_special s) {
    return s <= PTX_TID_Z || s == PTX_LANEID || (s >= PTX_LANEMASK_EQ && s <= PTX_LANEMASK_GT);
}

/* Sets constants, special registers, and zeros for registers that may be read before they are written. Sets only the
 * columns of `mask`, because other lanes may be in a call of the same function; constants are the same for all lanes.
 * `again`: the rows still have an earlier block's values. */
void sim_frame_enter(struct sim_warp *w, const struct sim_function *f, uint32_t base, uint32_t mask, bool again) {
    uint8_t *frame = w->registers + base;
    for (unsigned k = 0; k < f->fill_count; k++) {
        const struct sim_fill *fill = &f->fills[k];
        if (again && !fill->varies) continue;
        if (!fill->is_special)
            put_row(frame + fill->offset, fill->bits, SIM_FULL, fill->value); /* a predicate's row is a single mask */
        else if (!differs_by_lane(fill->special))
            put_row(frame + fill->offset, fill->bits, mask, special_value(w, fill->special, 0));
        else
            SIM_EACH_LANE (l, mask) put_lane(frame + fill->offset, fill->bits, l, special_value(w, fill->special, l));
    }
    for (unsigned k = 0; f->undefined && k < f->zero_count; k++) *(uint32_t *)(void *)(frame + f->undefined[k]) |= mask;
    if (mask == SIM_FULL) memset(frame + f->zero_begin, 0, f->zero_end - f->zero_begin);
    for (unsigned k = 0; mask != SIM_FULL && k < f->zero_count; k++)
        clear_lanes(frame + f->register_offset[f->zero[k]], f->source->registers[f->zero[k]].type, mask);
}
void sim_frame_release(struct sim_frame *f) {
    while (f && --f->references == 0) {
        struct sim_frame *caller = f->caller;
        free(f);
        f = caller;
    }
}
static bool same_frame(const struct sim_frame *a, const struct sim_frame *b) {
    while (a != b) {
        if (!a || !b || a->return_pc != b->return_pc || a->base != b->base || a->depth != b->depth) return false;
        a = a->caller, b = b->caller;
    }
    return true;
}

/* ---- splits --------------------------------------------------------------------------------- */
static void remove_split(struct sim_warp *w, unsigned k) {
    sim_frame_release(w->split[k].frame);
    w->split[k] = w->split[--w->splits];
    if (w->current == w->splits) w->current = k;
}
struct sim_split *sim_split_off(struct sim_warp *w, uint32_t leave, uint32_t pc) {
    struct sim_split *from = sim_current(w), *s = &w->split[w->splits++];
    *s = *from;
    s->mask = leave, s->pc = pc, s->hold = SIM_NO_PC;
    s->frame->references++;
    from->mask &= ~leave;
    w->changed = true;
    return s;
}
/* Merges splits that have the same pc, call stack and state. */
static void merge_splits(struct sim_warp *w) {
    for (unsigned a = 0; a < w->splits; a++)
        for (unsigned b = a + 1; b < w->splits;) {
            struct sim_split *x = &w->split[a], *y = &w->split[b];
            if (x->pc != y->pc || x->state != y->state || x->order != y->order ||
                (x->state == SPLIT_SYNC && x->members != y->members) ||
                (x->state == SPLIT_BARRIER && x->barrier != y->barrier) || !same_frame(x->frame, y->frame)) {
                b++;
                continue;
            }
            x->mask |= y->mask;
            if (y->rest < x->rest) x->rest = y->rest;
            x->hold = SIM_NO_PC, x->parked = false;
            remove_split(w, b);
        }
}
/* Returns whether a split can run. A parked split can run only if memory has changed since it was parked. */
static bool is_ready(const struct sim_warp *w, struct sim_split *s) {
    if (s->state != SPLIT_READY) return false;
    if (!s->parked) return true;
    if (s->seen_at == w->block->run->changes) return false;
    s->parked = false, s->back_edges = BACK_EDGES_BEFORE_LOOK - 1;
    return true;
}
bool sim_waits_for_memory(const struct sim_block *b) {
    for (uint32_t k = 0; k < b->warp_count; k++)
        for (unsigned n = 0; n < b->warps[k].splits; n++)
            if (b->warps[k].split[n].state == SPLIT_READY && b->warps[k].split[n].parked) return true;
    return false;
}
/* Returns whether split `a` runs before split `b`. */
static bool goes_first(const struct sim_split *a, const struct sim_split *b) {
    if (a->order != b->order && a->rest == b->rest) return a->order < b->order;
    if ((a->hold != SIM_NO_PC) != (b->hold != SIM_NO_PC)) return a->hold != SIM_NO_PC;
    if (a->rest != b->rest) return a->rest < b->rest;
    if (a->frame->depth != b->frame->depth) return a->frame->depth > b->frame->depth;
    return a->pc < b->pc;
}
/* Makes the next ready split the current one. Sets *limit to the pc before which it must stop, because it may merge
 * with another split there. Returns false if no split is ready. */
static bool pick(struct sim_warp *w, uint32_t *limit) {
    struct sim_split *best = NULL;
    if (w->splits == 1) {
        if (!is_ready(w, &w->split[0])) return false;
        sim_set_current(w, &w->split[0]);
        w->split[0].hold = *limit = SIM_NO_PC;
        return true;
    }
    merge_splits(w);
    for (unsigned k = 0; k < w->splits; k++) {
        struct sim_split *s = &w->split[k];
        if (is_ready(w, s) && (!best || goes_first(s, best))) best = s;
    }
    if (!best) return false;
    *limit = SIM_NO_PC;
    for (unsigned k = 0; k < w->splits; k++) {
        const struct sim_split *s = &w->split[k];
        if (s != best && s->state == SPLIT_READY && !s->parked && s->pc > best->pc && s->pc < *limit) *limit = s->pc;
    }
    if (best->hold != SIM_NO_PC && best->hold > best->pc && best->hold < *limit) *limit = best->hold;
    sim_set_current(w, best);
    return true;
}

/* ---- the execution loop ---------------------------------------------------------------------- */
static __attribute__((noinline)) void report_span(struct sim_warp *w, uint32_t begin, uint32_t end, uint32_t mask) {
    if (begin == end) return;
    struct sim_span e = {&w->where, begin, end, mask};
    SIM_EMIT(w->block->run, span, &e);
}
/* Counts a span in `whole` or, if NULL, reports it to the listeners. */
static inline void record_span(struct sim_warp *w, uint64_t *whole, uint32_t begin, uint32_t end, uint32_t mask) {
    if (whole)
        whole[begin]++, whole[end]--;
    else
        report_span(w, begin, end, mask);
}

/* Returns a hash of a frame's rows: eight interleaved products, which the host can compute in parallel. */
static __attribute__((noinline)) uint64_t hash_of(const uint8_t *rows, uint32_t bytes, uint64_t start) {
    enum { SUMS = 8 };
    uint64_t hash[SUMS] = {start, 1, 2, 3, 4, 5, 6, 7}, all = 0;
    for (uint32_t k = 0; k + SUMS * sizeof(uint64_t) <= bytes; k += SUMS * sizeof(uint64_t))
#pragma GCC unroll 8
        for (unsigned n = 0; n < SUMS; n++)
            hash[n] = (hash[n] ^ ((const uint64_t *)(const void *)(rows + k))[n]) * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned n = 0; n < SUMS; n++) all = (all ^ hash[n]) * UINT64_C(0x9e3779b97f4a7c15), all ^= all >> 29;
    return all;
}
/* Detects a loop that changes no register while memory does not change. It spins until another thread writes what it
 * reads. The registers are hashed when the iteration count is a power of two, and compared in the next LONGEST_CYCLE
 * iterations. */
static __attribute__((noinline)) bool repeats(const struct sim_warp *w, struct sim_split *s, uint32_t target) {
    const struct sim_run *run = w->block->run;
    const uint32_t n = s->back_edges, since = n & (n - 1) ? n & ~(UINT32_C(1) << (31 - __builtin_clz(n))) : 0;
    if (since > LONGEST_CYCLE || (since && (s->seen_pc != target || s->seen_at != run->changes))) return false;
    const struct sim_function *f = &run->program->functions[run->program->function_of[target]];
    const uint64_t hash = hash_of(w->r, f->frame_bytes, target);
    if (since) return hash == s->seen;
    s->seen = hash, s->seen_pc = target, s->seen_at = run->changes;
    return false;
}
/* A split has taken a backward branch. Returns whether it should yield: it spins, waits for other threads of the block,
 * or has taken too many backward branches. */
static inline __attribute__((always_inline)) bool should_yield(struct sim_warp *w, struct sim_split *s,
                                                               uint32_t target) {
    w->waits = w->polls, w->polls = false;
    if (++s->back_edges >= BACK_EDGES_BEFORE_LOOK && repeats(w, s, target)) return s->parked = true;
    if (s->back_edges < (w->block->run->fixed_order ? SHORT_REST : BACK_EDGES_BEFORE_REST)) return w->waits;
    s->back_edges = 0, s->rest++, s->hold = SIM_NO_PC;
    return true;
}

/* Returns whether the split must yield after `done` instructions. */
static bool must_yield(const struct sim_run *run, uint64_t done, uint64_t quantum) {
    return run->stopped || done >= quantum || sim_spent(run) + done > run->budget;
}
/* Returns the array that counts spans with this mask, or NULL if they are reported. */
static uint64_t *counts_of(const struct sim_warp *w, uint32_t mask) {
    return mask == SIM_FULL && !w->block->spans ? w->block->run->whole_spans : NULL;
}

/* Executes the current split until it must yield: a control instruction has changed the splits, the split reaches
 * `limit`, or its turn is over (checked at branches). Returns the number of executed instructions. */
static inline __attribute__((always_inline)) uint64_t run_split(struct sim_warp *w, uint32_t limit, uint64_t quantum,
                                                                bool traced) {
    const struct sim_insn *const code = w->block->run->program->code;
    struct sim_split *s = sim_current(w);
    uint32_t mask = s->mask, joins = 0, end = limit; /* joins: the mask at `end`, if other lanes skip the code before */
    uint64_t done = 0, *whole = traced ? counts_of(w, mask) : NULL;
    uint32_t pc = s->pc, start = pc, begin = pc; /* instructions are counted from `start`, and reported from `begin` */
    w->changed = false;
    for (;;) {
        const struct sim_insn *i = &code[pc];
        while (pc < end && !i->flags) i->exec(w, i, mask), i++, pc++;
        if (pc >= end) {
            if (traced) record_span(w, whole, begin, pc, mask);
            done += pc - start;
            s->pc = start = begin = pc;
            if (!joins) return done;
            s->mask = mask = joins, joins = 0, end = limit;
            if (traced) whole = counts_of(w, mask);
            if (must_yield(w->block->run, done, quantum)) return done;
            continue;
        }
        uint32_t active = mask;
        pc++;
        if (i->flags & SIM_BRANCH) { /* executes uniform branches; exec_bra() executes divergent ones */
            const uint32_t p = i->branch.condition == SIM_NO_ROW ? SIM_FULL : *sim_predicate(w, i->branch.condition);
            const uint32_t taken = mask & (i->guard_negated ? ~p : p);
            if (!taken) continue;
            if (taken == mask) {
                if (traced) record_span(w, whole, begin, pc, mask);
                done += pc - start;
                const bool yields = i->branch.target < pc && should_yield(w, s, i->branch.target);
                pc = start = begin = i->branch.target;
                if (w->splits == 1 && done < quantum && !yields) continue;
                s->pc = pc; /* another split may have a lower pc now */
                return done;
            }
            if (i->flags & SIM_SKIPS && w->splits == 1 && i->branch.target <= limit &&
                !must_yield(w->block->run, done + (pc - start), quantum)) {
                if (traced) record_span(w, whole, begin, pc, mask);
                done += pc - start;
                s->pc = start = begin = pc;
                sim_skip_code(w, i, mask, taken);
                joins = mask, s->mask = mask &= ~taken, end = i->branch.target, whole = NULL;
                continue;
            }
        }
        if (i->flags & SIM_GUARDED) {
            uint32_t p = *sim_predicate(w, i->guard);
            active &= i->guard_negated ? ~p : p;
            if (traced && active != mask) { /* its own span, with the active lanes */
                record_span(w, whole, begin, pc - 1, mask);
                if (active) report_span(w, pc - 1, pc, active);
                begin = pc;
            }
        }
        if (!(i->flags & SIM_CONTROL)) {
            if (active) i->exec(w, i, active);
            continue;
        }
        if (traced) record_span(w, whole, begin, pc, mask);
        done += pc - start;
        s->pc = start = begin = pc;
        if (active) i->exec(w, i, active);
        if (w->changed || w->block->run->stopped || done >= quantum)
            /* Return at once: the instruction may have freed s. */
            return done;
    }
}
static uint64_t run_plain(struct sim_warp *w, uint32_t limit, uint64_t quantum) {
    return run_split(w, limit, quantum, false);
}
static uint64_t run_traced(struct sim_warp *w, uint32_t limit, uint64_t quantum) {
    return run_split(w, limit, quantum, true);
}

/* Reports that the current split is about to execute one instruction. Returns false if a listener stops the launch. */
static bool report_watch(struct sim_warp *w) {
    struct sim_run *run = w->block->run;
    const struct sim_split *s = sim_current(w);
    const struct sim_insn *i = &run->program->code[s->pc];
    struct sim_watch e = {&w->where, w, s->pc, s->mask, s->mask, &run->stopped};
    if (i->flags & SIM_GUARDED) {
        const uint32_t p = *sim_predicate(w, i->guard);
        e.active &= i->guard_negated ? ~p : p;
    }
    SIM_EMIT(run, watch, &e);
    return !run->stopped;
}

void sim_warp_run(struct sim_warp *w, uint64_t quantum) {
    struct sim_run *run = w->block->run;
    uint32_t limit;
    while (quantum && !run->stopped && pick(w, &limit)) {
        if (sim_current(w)->hold == sim_current(w)->pc) {
            sim_current(w)->hold = SIM_NO_PC;
            continue;
        }
        uint64_t done;
        const uint64_t end = sim_current(w)->pc + quantum; /* short turns end between any two instructions */
        if (run->sim->options.schedule.turn && end < limit) limit = (uint32_t)end;
        if (!w->block->watched)
            done = run->traced ? run_traced(w, limit, quantum) : run_plain(w, limit, quantum);
        else if (report_watch(w)) /* execute one instruction: up to the next pc, or one jump */
            done = run_traced(w, sim_current(w)->pc + 1, 1);
        else
            return;
        quantum -= done < quantum && !w->waits ? done : quantum;
        w->waits = false;
        run->executed += done;
        w->block->turn += done;
        w->block->progress = true;
        if (sim_spent(run) > run->budget) {
            struct sim_split *s = w->splits ? sim_current(w) : NULL;
            if (s) w->where.call = s->frame->chain;
            char text[120];
            snprintf(text, sizeof text,
                     "still executed this line when the instruction budget was used up; %u of %u blocks had ended",
                     run->ended, run->info.blocks);
            struct sim_fault f = {.kind = SIM_FAULT_BUDGET,
                                  .fatal = true,
                                  .text = run->ended ? text : NULL,
                                  .pc = s ? s->pc : 0,
                                  .lanes = s ? s->mask : 0,
                                  .other_pc = SIM_NO_PC};
            sim_fault(w, &f);
        }
    }
}

void sim_warp_start(struct sim_warp *w) {
    const struct sim_function *f = w->block->run->kernel;
    w->root = (struct sim_frame){.return_pc = SIM_NO_PC,
                                 .local_end = f->local_bytes,
                                 /* One more than the number of splits, so that the frame is never freed. */
                                 .references = 2};
    w->splits = 1, w->current = 0, w->carry = 0, w->failed_looks = 0;
    w->changed = w->polls = w->waits = false, w->unsent_lanes = 0;
    w->r = w->registers;
    w->where.live = w->where.launched;
    w->split[0] = (struct sim_split){
        .pc = f->entry, .mask = w->where.launched, .frame = &w->root, .state = SPLIT_READY, .hold = SIM_NO_PC};
    sim_frame_enter(w, f, 0, SIM_FULL, w->prepared);
    w->prepared = true;
    const struct sim_schedule *schedule = &w->block->run->sim->options.schedule;
    const uint32_t ahead = schedule->chosen && schedule->lane < SIM_WARP ? 1u << schedule->lane : 0;
    if (w->where.launched & ahead && w->where.launched != ahead)
        sim_split_off(w, w->where.launched & ~ahead, f->entry)->order = 1;
}
void sim_warp_free(struct sim_warp *w) {
    for (unsigned k = 0; k < w->splits; k++) sim_frame_release(w->split[k].frame);
    w->splits = 0;
    free_registers(w);
    free(w->local);
    w->local = NULL;
}
