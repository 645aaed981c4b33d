/* Models how long a block would take alone on an SM. The model is a scoreboard, as in an SM: an instruction starts when
 * its source registers are ready, a load's result is ready when memory has answered, and a barrier releases its warps
 * when the last one has arrived. An SM issues a warp's instructions in order, but the assembler hoists loads: a stalled
 * instruction delays only those that need its result, up to a branch, a store to global memory, or a barrier. Two kinds
 * of branches do not count (both seen in ptxas output for the ladder): the assembler predicates a short forward branch,
 * and unrolls a loop with a constant step. This is latency without contention; the model of a launch (model/time.c)
 * adds the limits of the whole GPU.
 *
 * The first access of a block to a segment of global memory is served by DRAM, or by L2 if an earlier launch of the
 * measurement has accessed the buffer or if only a kernel has filled it. Later accesses are served by L1 until other
 * transfers have filled it, then by L2 until the resident blocks together have filled it. Each transfer takes cycles of
 * the SM.
 *
 * The latencies are in gpus/gpus.def. The probe follows SAMPLE blocks spread over the grid, and the last ones to start,
 * one of which ends the launch. For all others it only counts instructions, so that no block's work is missed. */
#include "model/model.h"
#include "probes/probe.h"

enum {
    TRANSFER = 64, /* bytes per transfer from memory */
    SAMPLE = 12,
    LAST = 4,
    MOST_REGISTERS = 12,
    GUARDED = 8,  /* maximum instructions in a branch that becomes predicated */
    UNROLLED = 4, /* iterations of a loop that are unrolled */
    LONGEST = 64  /* maximum instructions in such a loop */
};

/* The registers that an instruction reads and writes, by numbers unique in the program, and its cost: `weight` machine
 * instructions, and `latency` cycles until its result is ready; `serial`: tenths of a cycle for an atomic; `holds`:
 * nothing of the warp starts before it; `stays`: nothing is moved past it; `unrolled`: a back branch that remains only
 * in the last unrolled iteration; `moves`: it only renames values, for which the assembler needs no instruction;
 * `bulk`: a bulk copy, reported in pieces; `polls`: in a loop that only waits for other threads, which `repeats`
 * closes. Its first iteration counts alone: how many there are depends on the simulator's order of blocks. */
struct use {
    uint16_t latency, weight, serial, sources, dests;
    bool holds, stays, unrolled, moves, polls, repeats, bulk;
    uint32_t source[MOST_REGISTERS], dest[MOST_REGISTERS];
};
struct transfers { /* for each, the index of its latest transfer */
    struct map when;
    uint64_t came;
};
/* A copy into shared memory that lanes of a warp have started: when its data arrive. */
struct pending {
    uint32_t pc, warp, lanes;
    uint64_t ready;
};
struct pace_block {
    bool watched;
    uint64_t work[SIM_MAX_WARPS]; /* instructions of each warp */
    /* per warp: when the next instruction may start; when the last one, and the latest one, started */
    uint64_t clock[SIM_MAX_WARPS], started[SIM_MAX_WARPS], latest[SIM_MAX_WARPS];
    uint8_t turn[SIM_MAX_WARPS]; /* iteration of an unrolled loop */
    bool again[SIM_MAX_WARPS];   /* in a loop that polls, after its first iteration */
    uint64_t first, last;        /* when L2 or DRAM answered loads; 0: never */
    uint64_t since;              /* the last barrier */
    uint32_t came, slowest;      /* transfers since then, and the longest latency among them */
    uint64_t *ready;             /* [warp * registers + register]: the cycle at which it is ready */
    uint64_t ticket;             /* start of the latest atomic on global memory that returns a value; 0: none */
    uint64_t answer;             /* to the latest load from global memory */
    uint64_t received;           /* when the data of all bulk copies so far have come */
    struct pending *pending;     /* in the order of their start */
    uint32_t pending_count;
    struct transfers touched, stored;
};
struct pace_probe {
    struct pace *pace;
    const struct gpu *gpu;
    struct probe_slots slots;
    struct use *use; /* by pc */
    uint32_t registers, started;
    uint32_t l2_transfers; /* per resident block, the number that fills L2 */
    uint64_t atomic_at;    /* the address of the launch's first atomic */
    unsigned first;        /* in parts: number of launches that the whole has seen before */
    uint64_t *seen;        /* addresses of buffers that earlier launches accessed */
    uint32_t seen_count, seen_before;
};

static struct pace_launch *current_launch(const struct pace_probe *p) { return &p->pace->launch[p->pace->count - 1]; }

/* ---- what instructions cost ------------------------------------------------------------------------------------- */

static const struct {
    enum gpu_constant latency;
    uint16_t weight;
    bool holds;
} prices[PTX_PRICE_COUNT] = {
    [PTX_PRICE_ARITHMETIC] = {GPU_arithmetic_latency, 1, false},
    [PTX_PRICE_BRANCH] = {GPU_branch_latency, 1, true},
    [PTX_PRICE_FENCE] = {GPU_fence_latency, 1, true},
    [PTX_PRICE_SHUFFLE] = {GPU_shuffle_latency, 1, false},
    [PTX_PRICE_DIVISION] = {GPU_division_latency, 24, false},
    [PTX_PRICE_FLOAT_DIVISION] = {GPU_division_latency, 12, false},
};
static void set_cost(struct use *u, const struct ptx_insn *i, const struct gpu *gpu) {
    const struct ptx_traits *t = ptx_traits_of(i);
    const bool stores = t->memory == PTX_MEMORY_STORE, atomic = t->memory == PTX_MEMORY_ATOMIC,
               warp_barrier = t->memory == PTX_MEMORY_BARRIER && t->crosses == PTX_CROSSES_LANES;
    u->latency = (uint16_t)gpu->value[prices[t->price].latency].value, u->weight = prices[t->price].weight,
    u->holds = prices[t->price].holds;
    if (t->memory == PTX_MEMORY_LOAD && i->space == PTX_SHARED) u->latency = gpu->shared_latency;
    u->moves = i->op == PTX_OP_mov, u->bulk = ptx_copies_bulk(i);
    u->stays = u->holds || (stores && i->space != PTX_SHARED) || atomic || warp_barrier;
    const enum ptx_mod order = ptx_mod_of(i, PTX_CLASS_SEM);
    const bool fenced = order == PTX_MOD_RELEASE || order == PTX_MOD_ACQ_REL;
    if (atomic && ptx_written(i))
        u->latency = (uint16_t)(i->space == PTX_SHARED ? gpu->shared_latency
                                                       : (fenced ? gpu->fence_latency : 0) + gpu->atomic_latency);
    u->serial = i->type == PTX_F32 || i->type == PTX_F64 ? gpu->float_atomic : gpu->integer_atomic;
}
static void add_register(uint16_t *count, uint32_t *list, uint32_t reg, uint32_t base) {
    if (reg != PTX_NO_REG && *count < MOST_REGISTERS) list[(*count)++] = base + reg;
}
static void add_operand(uint16_t *count, uint32_t *list, const struct ptx_operand *o, uint32_t base) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) add_operand(count, list, &o->elements[k], base);
    if (o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) add_register(count, list, o->reg, base);
}
static void set_registers(struct use *u, const struct ptx_insn *i, uint32_t base) {
    const unsigned written = ptx_written(i);
    if (written) add_operand(&u->dests, u->dest, &i->operand[0], base);
    add_operand(&u->dests, u->dest, &i->pred_dest, base);
    for (unsigned k = written; k < i->count; k++) add_operand(&u->sources, u->source, &i->operand[k], base);
    add_register(&u->sources, u->source, i->guard, base);
}
/* ---- what branches become ---------------------------------------------------------------------------------------- */

/* Instructions that assemblers neither predicate nor repeat: branches, fences, barriers, atomics with a result. */
static bool keeps_its_place(const struct ptx_insn *i) {
    const struct ptx_traits *t = ptx_traits_of(i);
    return (t->flow != PTX_FLOW_NEXT && t->flow != PTX_FLOW_ABORT) || t->memory == PTX_MEMORY_FENCE ||
           t->memory == PTX_MEMORY_BARRIER || (t->memory == PTX_MEMORY_ATOMIC && ptx_written(i));
}
static bool is_straight(const struct ptx_function *f, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++)
        if (keeps_its_place(&f->code[at])) return false;
    return true;
}
static bool becomes_guard(const struct ptx_function *f, const struct ptx_insn *i) {
    const uint32_t at = (uint32_t)(i - f->code), to = i->operand[0].target;
    return to > at && to - at - 1 <= GUARDED && is_straight(f, at + 1, to);
}
/* The last instruction in from..to-1 that sets `reg` from a register and a constant; NULL if there is none. */
static const struct ptx_insn *counts(const struct ptx_function *f, uint32_t from, uint32_t to, uint32_t reg) {
    for (uint32_t at = to; at-- > from;) {
        const struct ptx_operand *o = f->code[at].operand;
        if (f->code[at].count != 3 || o[0].kind != PTX_REGISTER || o[0].reg != reg) continue;
        return o[1].kind == PTX_REGISTER && o[2].kind != PTX_REGISTER ? &f->code[at] : NULL;
    }
    return NULL;
}
/* A loop of straight-line code without stores, whose guard compares a counter with a constant step to a constant. */
static bool becomes_unrolled(const struct ptx_function *f, const struct ptx_insn *i) {
    const uint32_t at = (uint32_t)(i - f->code), to = i->operand[0].target;
    if (to >= at || at - to > LONGEST || !is_straight(f, to, at)) return false;
    for (uint32_t k = to; k < at; k++)
        if (ptx_traits_of(&f->code[k])->memory == PTX_MEMORY_STORE) return false;
    const struct ptx_insn *test = counts(f, to, at, i->guard);
    return test && counts(f, to, at, test->operand[1].reg);
}
static void set_branch(struct use *u, const struct ptx_function *f, const struct ptx_insn *i, const struct gpu *gpu) {
    if (ptx_traits_of(i)->flow != PTX_FLOW_BRANCH || i->guard == PTX_NO_REG) return;
    if (becomes_guard(f, i)) u->holds = u->stays = false, u->latency = gpu->arithmetic_latency;
    u->unrolled = becomes_unrolled(f, i);
}
static bool is_written(const struct ptx_function *f, uint32_t from, uint32_t to, uint32_t reg) {
    for (uint32_t k = from; k <= to; k++) {
        const struct ptx_operand *o = f->code[k].operand;
        for (unsigned n = 0; ptx_written(&f->code[k]) && o->kind == PTX_VECTOR && n < o->count; n++)
            if (o->elements[n].reg == reg) return true;
        if (ptx_written(&f->code[k]) && o->kind == PTX_REGISTER && o->reg == reg) return true;
    }
    return false;
}
/* A loop that stores nothing, and loads from a place that stays the same and that other threads may have changed. */
static bool becomes_poll(const struct ptx_function *f, const struct ptx_insn *i) {
    const uint32_t at = (uint32_t)(i - f->code), to = i->operand[0].target;
    bool polls = false;
    for (uint32_t k = to; k <= at; k++) {
        const struct ptx_insn *in = &f->code[k];
        const struct ptx_traits *t = ptx_traits_of(in);
        const enum ptx_mod order = ptx_mod_of(in, PTX_CLASS_SEM);
        if (t->memory != PTX_MEMORY_NONE && t->memory != PTX_MEMORY_LOAD && t->memory != PTX_MEMORY_FENCE) return false;
        if (t->flow != PTX_FLOW_NEXT && t->flow != PTX_FLOW_BRANCH) return false;
        if (t->memory != PTX_MEMORY_LOAD || in->space == PTX_PARAM) continue;
        if (order == PTX_MOD_NONE || order == PTX_MOD_WEAK || is_written(f, to, at, in->operand[1].reg)) return false;
        polls = true;
    }
    return polls;
}
static bool is_part(const struct ptx_function *f, const struct ptx_insn *i) {
    return f && f->code_count && i >= f->code && i < f->code + f->code_count;
}
static void read_program(struct pace_probe *p, const struct sim_launch_info *launch) {
    const struct ptx_function *f = NULL;
    uint32_t base = 0;
    p->use = probe_alloc(launch->code_count, sizeof *p->use);
    p->registers = 0;
    for (uint32_t pc = 0; pc < launch->code_count; pc++) {
        const struct ptx_insn *i = launch->code[pc];
        if (!i) continue;
        if (!is_part(f, i)) {
            for (unsigned k = 0; k < launch->module->function_count && !is_part(f, i); k++)
                f = launch->module->functions[k];
            base = p->registers, p->registers += f->register_count;
        }
        set_cost(&p->use[pc], i, p->gpu);
        if (f) set_branch(&p->use[pc], f, i, p->gpu);
        set_registers(&p->use[pc], i, base);
        if (!f || ptx_traits_of(i)->flow != PTX_FLOW_BRANCH) continue;
        const uint32_t back = (uint32_t)(i - f->code) - i->operand[0].target;
        if (i->operand[0].target > (uint32_t)(i - f->code) || !becomes_poll(f, i)) continue;
        for (uint32_t k = 0; k <= back; k++) p->use[pc - k].polls = true;
        p->use[pc].repeats = true;
    }
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

enum touched { FIRST, OUT_OF_L2, OUT_OF_L1, IN_L1 };
static enum touched touch(const struct pace_probe *p, struct transfers *t, uint64_t transfer) {
    uint64_t *when = probe_map(&t->when, transfer);
    const uint64_t since = t->came - *when;
    if (*when && since <= p->gpu->l1_transfers) return IN_L1;
    const enum touched how = !*when ? FIRST : since > p->l2_transfers ? OUT_OF_L2 : OUT_OF_L1;
    *when = ++t->came;
    return how;
}
static void forget(struct transfers *t) {
    map_clear(&t->when);
    t->came = 0;
}
static bool seen_before(struct pace_probe *p, uint64_t buffer) {
    for (uint32_t k = 0; k < p->seen_count; k++)
        if (p->seen[k] == buffer) return k < p->seen_before;
    p->seen = probe_grow(p->seen, p->seen_count + 1, sizeof *p->seen);
    p->seen[p->seen_count++] = buffer;
    return false;
}
/* Whether this is the only piece of a bulk copy in that line, or the first one. */
static bool begins_line(const struct sim_access *e) {
    enum { LINE = 128 };
    return e->offset[__builtin_ctz(e->mask)] % LINE < e->bytes;
}
/* The latency of a global memory access; looks each line up in L1. */
static uint32_t answer_time(struct pace_probe *p, struct pace_block *b, const struct sim_access *e) {
    const struct gpu *gpu = p->gpu;
    struct pace_launch *l = current_launch(p);
    const bool in_l2 = !e->object->initialized || seen_before(p, e->object->address);
    uint32_t latency = gpu->l1_latency, lines = 0;
    uint64_t before = 0;
    EACH_LANE (lane, e->mask) {
        const uint64_t first = e->object->address + e->offset[lane], last = first + e->bytes - 1;
        for (uint64_t transfer = first / TRANSFER; transfer <= last / TRANSFER; transfer++) {
            if (transfer / 2 + 1 != before) lines++, before = transfer / 2 + 1;
            if (e->kind == SIM_STORE && e->object->initialized && touch(p, &b->stored, transfer + 1) == FIRST)
                l->stored_bytes += TRANSFER;
            const enum touched how = touch(p, &b->touched, transfer + 1);
            if (how == IN_L1) {
                if (e->kind == SIM_LOAD && e->strong && latency < gpu->l2_latency) latency = gpu->l2_latency;
                continue; /* a strong load asks L2 again */
            }
            const bool from_dram = how == OUT_OF_L2 || (how == FIRST && !in_l2);
            if (latency < gpu->dram_latency) latency = from_dram ? gpu->dram_latency : gpu->l2_latency;
            b->came++;
            *(from_dram ? &l->dram_bytes : &l->l2_bytes) += TRANSFER;
        }
    }
    if (!p->use[e->pc].bulk || begins_line(e)) l->lines += lines;
    b->clock[e->where->warp] += (lines - 1) / gpu->access_lines;
    return latency;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct pace_probe *p = self;
    const struct gpu *gpu = p->gpu;
    struct pace *all = p->pace;
    read_program(p, launch);
    p->started = 0, p->atomic_at = 0;
    p->seen_before = p->seen_count;
    const uint32_t resident = gpu->max_threads / 256 * gpu->sms; /* of 256 threads each */
    p->l2_transfers = gpu->l2_bytes / TRANSFER / (launch->blocks < resident ? launch->blocks : resident);
    all->launch = probe_grow(all->launch, all->count + 1, sizeof *all->launch);
    all->launch[all->count++] = (struct pace_launch){.blocks = launch->blocks,
                                                     .threads = launch->threads,
                                                     .shared_bytes = launch->shared_bytes,
                                                     .cluster = launch->cluster_blocks};
}
/* Of this many clusters (of one block each, if there are none), one is watched. */
static uint32_t watched_step(const struct sim_launch_info *l) {
    return (l->blocks / l->cluster_blocks + SAMPLE - 1) / SAMPLE;
}
static void block_begin(void *self, const struct sim_block_event *e) {
    struct pace_probe *p = self;
    struct pace_block *b = probe_slot_make(&p->slots, e->where->slot, sizeof *b);
    const uint32_t blocks = e->where->launch->blocks;
    const size_t size = (size_t)SIM_MAX_WARPS * p->registers;
    memset(b->work, 0, sizeof b->work);
    const uint32_t each = e->where->launch->cluster_blocks, clusters = blocks / each; /* all blocks of a cluster */
    b->watched = cluster_number(e->where->launch, e->where->block) % watched_step(e->where->launch) == 0 ||
                 p->started / each + LAST >= clusters;
    p->started++;
    if (!b->watched) {
        *e->watched = false;
        return;
    }
    if (!b->ready) b->ready = probe_alloc(size, sizeof *b->ready);
    memset(b->ready, 0, size * sizeof *b->ready);
    memset(b->clock, 0, sizeof b->clock);
    memset(b->latest, 0, sizeof b->latest);
    memset(b->turn, 0, sizeof b->turn);
    memset(b->again, 0, sizeof b->again);
    b->received = b->ticket = b->first = b->last = b->since = b->came = b->slowest = b->pending_count = 0;
    forget(&b->touched), forget(&b->stored);
}
/* The earliest cycle at which all of the block's loads since its last barrier can have arrived. */
static uint64_t taken_in(const struct pace_probe *p, struct pace_block *b) {
    const uint64_t in = b->came ? b->since + b->slowest + p->gpu->transfer_cycles * b->came : 0;
    /* loads issued after the first answer: streaming until all data has arrived */
    if (b->slowest && b->last - b->first >= b->slowest && in > b->last) b->last = in;
    b->came = b->slowest = 0;
    return in;
}
/* Instructions that were hoisted or are waiting have started. */
static void settle(struct pace_block *b, unsigned warp) {
    if (b->latest[warp] > b->clock[warp]) b->clock[warp] = b->latest[warp];
}
static void span(void *self, const struct sim_span *e) {
    struct pace_block *b = probe_slot(&((struct pace_probe *)self)->slots, e->where->slot);
    if (b) b->work[e->where->warp] += e->end - e->begin;
}
static void add_work(struct pace_launch *l, const struct pace_block *b) {
    uint64_t all = 0, most = 0;
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) {
        all += b->work[w];
        if (b->work[w] > most) most = b->work[w];
    }
    l->work += all;
    if (most > l->most_work) l->most_work = most;
    if (!b->watched) return;
    l->watched_work += all;
    if (most > l->watched_most_work) l->watched_most_work = most;
}
/* Cycles by which a block starts before the last watched one of those resident at first: an SM starts them one after
 * the other. */
static uint64_t head_start(const struct gpu *gpu, const struct sim_launch_info *l, uint32_t block) {
    const uint32_t most = gpu_resident(gpu, l->threads, l->shared_bytes, l->cluster_blocks);
    const uint32_t step = l->cluster_blocks * watched_step(l),
                   last = ((l->blocks < most ? l->blocks : most) - 1) / step * step;
    return block < last ? (uint64_t)(gpu->block_dispatch * (last - block) / gpu->sms) : 0;
}
static void block_end(void *self, const struct sim_block_event *e) {
    struct pace_probe *p = self;
    struct pace_block *b = probe_slot(&p->slots, e->where->slot);
    struct pace_launch *l = current_launch(p);
    if (b) add_work(l, b);
    if (!b || !b->watched) return;
    uint64_t end = taken_in(p, b);
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) {
        settle(b, w);
        if (b->clock[w] > end) end = b->clock[w];
    }
    l->watched++, l->cycles += end, l->streamed += b->last - b->first;
    const uint64_t early = head_start(p->gpu, e->where->launch, e->where->block);
    if (end > l->longest + early) l->longest = end - early;
    if (b->ticket > l->ticket + early) l->ticket = b->ticket - early;
    if (b->ticket && end - b->ticket > l->tail) l->tail = end - b->ticket;
}
static void watch(void *self, const struct sim_watch *e) {
    struct pace_probe *p = self;
    struct pace_block *b = probe_slot(&p->slots, e->where->slot);
    const struct use *u = &p->use[e->pc];
    if (!b || !b->watched) return;
    const uint32_t warp = e->where->warp;
    if (!u->polls) b->again[warp] = false;
    if (b->again[warp]) return;
    b->again[warp] = u->repeats;
    const bool stays = u->stays && !(u->unrolled && ++b->turn[warp] % UNROLLED);
    if (stays) settle(b, warp);
    uint64_t *ready = b->ready + (size_t)warp * p->registers, t = b->clock[warp] += u->weight;
    for (unsigned k = 0; k < u->sources; k++)
        if (ready[u->source[k]] > t) t = ready[u->source[k]];
    for (unsigned k = 0; e->active && k < u->dests; k++) ready[u->dest[k]] = t + u->latency;
    b->started[warp] = t;
    if (t > b->latest[warp] && !u->moves) b->latest[warp] = t;
    if (stays) b->clock[warp] = b->latest[warp] = u->holds ? t + u->latency : t;
    current_launch(p)->issued += u->weight;
}
/* Counts atomics on the address of the launch's first one. */
static void count_atomics(struct pace_probe *p, const struct sim_access *e) {
    EACH_LANE (lane, e->mask) {
        const uint64_t at = e->object->address + e->offset[lane];
        if (!p->atomic_at) p->atomic_at = at;
        if (at == p->atomic_at) current_launch(p)->atomic_tenths += p->use[e->pc].serial;
    }
}
/* The access goes over the network between SMs, then to the banks of the target block's shared memory. */
static void answer_from_cluster(struct pace_probe *p, struct pace_block *b, const struct sim_access *e) {
    const struct use *u = &p->use[e->pc];
    uint64_t *ready = b->ready + (size_t)e->where->warp * p->registers;
    for (unsigned k = 0; k < u->dests; k++) ready[u->dest[k]] = b->started[e->where->warp] + p->gpu->cluster_latency;
}
static void access(void *self, const struct sim_access *e) {
    struct pace_probe *p = self;
    struct pace_block *b = probe_slot(&p->slots, e->where->slot);
    if (!b || !b->watched || b->again[e->where->warp]) return;
    if (e->object->space == PTX_SHARED) {
        current_launch(p)->shared_passes += p->use[e->pc].bulk ? begins_line(e) : probe_passes(e).passes;
        if (e->object->block != e->where->block) answer_from_cluster(p, b, e);
    }
    if (e->object->space != PTX_GLOBAL) return;
    if (e->kind == SIM_ATOMIC) count_atomics(p, e);
    if (e->kind == SIM_ATOMIC && p->use[e->pc].dests) b->ticket = b->started[e->where->warp];
    const uint32_t came = b->came, latency = answer_time(p, b, e);
    const struct use *u = &p->use[e->pc];
    if (e->kind != SIM_LOAD) return;
    uint64_t *ready = b->ready + (size_t)e->where->warp * p->registers;
    const bool fence = e->acquire && e->scope != PTX_MOD_CTA; /* what follows waits for it, as for a fence */
    uint64_t answer = b->started[e->where->warp] + latency + (fence ? p->gpu->fence_latency : 0);
    if (u->bulk) { /* block-wide barriers do not wait for it */
        answer = b->received =
            (answer > b->received ? answer : b->received) + p->gpu->transfer_cycles * (b->came - came);
        b->came = came;
    }
    for (unsigned k = 0; k < u->dests; k++) ready[u->dest[k]] = answer;
    b->answer = answer;
    if (latency == p->gpu->l1_latency) return;
    if (latency > b->slowest && !u->bulk) b->slowest = latency;
    if (!b->first || answer < b->first) b->first = answer;
    if (answer > b->last) b->last = answer;
}
/* Asynchronous copies: the load was reported before; a thread that waits for one continues when its data have arrived.
 */
static void copy(void *self, const struct sim_copy_event *e) {
    struct pace_probe *p = self;
    struct pace_block *b = probe_slot(&p->slots, e->where->slot);
    const uint32_t warp = e->where->warp;
    if (!b || !b->watched) return;
    if (e->begins) {
        b->pending = probe_grow(b->pending, b->pending_count + 1, sizeof *b->pending);
        b->pending[b->pending_count++] =
            (struct pending){e->pc, warp, e->mask, e->source ? b->answer : b->started[warp]};
        return;
    }
    uint32_t left = 0, lanes = e->mask;
    for (uint32_t k = 0; k < b->pending_count; k++) {
        struct pending *c = &b->pending[k];
        const uint32_t done = c->pc == e->pc && c->warp == warp ? c->lanes & lanes : 0;
        if (done && c->ready > b->clock[e->waits]) b->clock[e->waits] = c->ready;
        lanes &= ~done, c->lanes &= ~done;
        if (c->lanes) b->pending[left++] = *c;
    }
    b->pending_count = left;
}
static void barrier(void *self, const struct sim_barrier *e) {
    struct pace_probe *p = self;
    struct pace_block *b = probe_slot(&p->slots, e->where->slot);
    if (!b || !b->watched) return;
    uint64_t last = taken_in(p, b);
    uint32_t warps = 0;
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) {
        if (!e->arrived[w]) continue;
        settle(b, w);
        warps++;
        if (b->clock[w] > last) last = b->clock[w];
    }
    current_launch(p)->barrier_cycles += p->gpu->barrier_arrival * warps;
    b->since = last + p->gpu->barrier_latency + p->gpu->barrier_arrival * warps;
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++)
        if (e->arrived[w]) b->clock[w] = b->since;
}
/* All blocks of a cluster start at the same time and share a clock: they continue when the last one has arrived and all
 * have been notified. Work between a thread's arrive and its wait counts as done before. */
static void cluster(void *self, const struct sim_cluster_event *e) {
    struct pace_probe *p = self;
    const uint32_t blocks = e->where->launch->cluster_blocks, first = e->where->slot - e->where->slot % blocks;
    uint64_t last = 0;
    if (e->kind != SIM_CLUSTER_COMPLETE) return;
    for (uint32_t k = first; k < first + blocks; k++) {
        struct pace_block *b = probe_slot(&p->slots, k);
        if (!b || !b->watched) return;
        const uint64_t in = taken_in(p, b);
        if (in > last) last = in;
        for (unsigned w = 0; w < e->where->launch->warps; w++) {
            settle(b, w);
            if (b->clock[w] > last) last = b->clock[w];
        }
    }
    const uint32_t arrivals = p->gpu->barrier_arrival * e->where->launch->warps;
    for (uint32_t k = first; k < first + blocks; k++) {
        struct pace_block *b = probe_slot(&p->slots, k);
        current_launch(p)->barrier_cycles += arrivals;
        b->since = last + p->gpu->cluster_barrier_latency + p->gpu->cluster_barrier_arrival * e->where->launch->warps;
        for (unsigned w = 0; w < e->where->launch->warps; w++) b->clock[w] = b->since;
    }
}
static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct pace_probe *p = self;
    (void)launch;
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct pace_block *b = p->slots.state[k];
        if (b) free(b->ready), b->ready = NULL; /* the next kernel has other registers */
    }
    free(p->use);
    p->use = NULL;
}

/* ---- the probe -------------------------------------------------------------------------------------------------- */

static void *create(struct measurement *m) {
    struct pace_probe *p = probe_alloc(1, sizeof *p);
    p->pace = m->result[PROBE_pace], p->gpu = measured_gpu(m);
    return p;
}
static void finish(void *self, struct measurement *m) {
    struct pace_probe *p = self;
    (void)m;
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct pace_block *b = p->slots.state[k];
        if (b) map_free(&b->touched.when), map_free(&b->stored.when), free(b->ready), free(b->pending);
    }
    probe_slots_free(&p->slots);
    free(p->seen), free(p->use), free(p);
}
static void learn(void *part, const void *whole) {
    struct pace_probe *to = part;
    const struct pace_probe *from = whole;
    to->first = from->pace->count;
    to->seen_count = from->seen_count;
    to->seen = probe_alloc(from->seen_count, sizeof *to->seen);
    if (from->seen_count) memcpy(to->seen, from->seen, from->seen_count * sizeof *to->seen);
}
/* A part has one launch: the first part's becomes a launch of the whole, the others' are added to it. */
static void join(void *whole, void *part) {
    struct pace_probe *to = whole;
    const struct pace_probe *from = part;
    struct pace *all = to->pace;
    const struct pace_launch *l = from->pace->launch;
    for (uint32_t k = 0; k < from->seen_count; k++) seen_before(to, from->seen[k]);
    if (!from->pace->count) return;
    if (all->count == from->first) {
        all->launch = probe_grow(all->launch, all->count + 1, sizeof *all->launch);
        all->launch[all->count++] = *l;
        return;
    }
    struct pace_launch *sum = &all->launch[from->first];
    sum->watched += l->watched, sum->cycles += l->cycles, sum->streamed += l->streamed, sum->issued += l->issued;
    sum->shared_passes += l->shared_passes, sum->barrier_cycles += l->barrier_cycles;
    sum->dram_bytes += l->dram_bytes, sum->l2_bytes += l->l2_bytes, sum->stored_bytes += l->stored_bytes;
    sum->lines += l->lines, sum->atomic_tenths += l->atomic_tenths;
    if (l->longest > sum->longest) sum->longest = l->longest;
    if (l->ticket > sum->ticket) sum->ticket = l->ticket;
    if (l->tail > sum->tail) sum->tail = l->tail;
    sum->work += l->work, sum->watched_work += l->watched_work;
    if (l->most_work > sum->most_work) sum->most_work = l->most_work;
    if (l->watched_most_work > sum->watched_most_work) sum->watched_most_work = l->watched_most_work;
}

static const struct field launch_fields[] = {
    WORDS(struct pace_launch, blocks, UINT32_MAX),
    WORDS(struct pace_launch, threads, UINT32_MAX),
    WORDS(struct pace_launch, shared_bytes, UINT32_MAX),
    WORDS(struct pace_launch, cluster, UINT32_MAX),
    WORDS(struct pace_launch, watched, UINT32_MAX),
    NUMBERS_TO(struct pace_launch, cycles, stored_bytes),
    END_OF_FIELDS,
};
static const struct field fields[] = {LIST(struct pace, launch, count, 4096, launch_fields), END_OF_FIELDS};

static const struct sim_probe callbacks = {.name = "pace",
                                           .launch_begin = launch_begin,
                                           .launch_end = launch_end,
                                           .block_begin = block_begin,
                                           .block_end = block_end,
                                           .span = span,
                                           .watch = watch,
                                           .access = access,
                                           .copy = copy,
                                           .barrier = barrier,
                                           .cluster = cluster};
const struct probe_row probe_pace = {
    .name = "pace",
    .question = "how long would a block take on its own?",
    .part_of = MEASURE_PACE,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .learn = learn,
    .join = join,
    .bytes = sizeof(struct pace),
    .fields = fields,
};
