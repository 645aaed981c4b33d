/* Models how long a block would take alone on an SM, with a scoreboard like that of an SM. An instruction starts when
 * its source registers are ready. The result of a load is ready when memory has answered. A barrier releases its warps
 * when the last one has arrived. An SM issues the instructions of a warp in order, but the assembler hoists loads. A
 * stalled instruction therefore delays only the instructions that need its result, up to a branch, a fence, a store
 * to global memory, an atomic, or a barrier. Two kinds of branches delay nothing, as ptxas output for the ladder shows:
 * the assembler predicates short forward branches, and unrolls loops with a constant step. The result is the latency
 * without contention; the model of a launch (model/time.c) adds the limits of the whole GPU.
 *
 * DRAM serves a block's first access to a segment of global memory. L2 serves it instead if an earlier launch of the
 * measurement has accessed the buffer, or if the host has not filled the buffer. Later accesses, except strong loads,
 * are served by L1 until other transfers have filled L1, and then by L2 until the resident blocks together have filled
 * L2. Each transfer takes cycles of the SM.
 *
 * The latencies are in gpus/gpus.def. The probe follows up to SAMPLE blocks spread over the grid, and the LAST blocks
 * that start last, one of which ends the launch. With clusters, it follows as many clusters. It counts the work of all
 * other blocks. If the sample does not represent them, a second run follows other blocks (balance.h). */
#include "model/balance.h"
#include "model/costs.h"
#include "model/model.h"
#include "probes/probe.h"
#include "sim/inspect.h"

enum {
    TRANSFER = 64, /* bytes per transfer from memory */
    LINE = 128,
    SAMPLE = 12,
    LAST = 4,
    UNROLLED = 4 /* number of iterations for which a loop is unrolled */
};

struct transfers {
    struct map when; /* maps the number of a segment of TRANSFER bytes to the index of its latest transfer */
    uint64_t came;
};
/* A copy to shared memory that lanes of a warp have started, and the time when its data arrive. */
struct pending {
    uint32_t pc, warp, lanes;
    uint64_t ready;
};
struct timed_block {
    bool watched;
    uint64_t work[SIM_MAX_WARPS]; /* of each warp (balance.h) */
    uint64_t work_at_ticket;      /* of all warps, up to the latest atomic that sets `ticket`; 0 if none */
    /* Indexed by warp. clock: when the next instruction may start; started: when the last instruction in program order
     * started; latest: the latest start of any instruction. */
    uint64_t clock[SIM_MAX_WARPS], started[SIM_MAX_WARPS], latest[SIM_MAX_WARPS];
    uint8_t turn[SIM_MAX_WARPS];     /* iteration of an unrolled loop */
    bool again[SIM_MAX_WARPS];       /* whether the warp is in a loop that polls, after its first iteration */
    uint64_t first, last;            /* times of the first and last answer of L2 or DRAM to a load; 0 if none */
    uint64_t since;                  /* time of the last barrier */
    uint64_t arrived[SIM_MAX_WARPS]; /* time when the warp arrived at the cluster barrier */
    uint64_t released;               /* time when the cluster barrier released its warps */
    bool splits;             /* whether threads work between their arrival at the cluster barrier and their wait */
    uint32_t came, slowest;  /* number of transfers since the last barrier, and their longest latency */
    uint64_t *ready;         /* cycle at which a register is ready, at [warp * registers + register] */
    uint64_t ticket;         /* start of the latest atomic on global memory that returns a value; 0 if none */
    uint64_t answer;         /* time when the latest load from global memory was answered */
    uint64_t received;       /* time at which the data of all bulk copies started so far have arrived */
    struct pending *pending; /* copies, in the order of their start */
    uint32_t pending_count;
    struct transfers touched, stored;
};
struct block_time_probe {
    struct block_time *times;
    const struct gpu *gpu;
    struct probe_slots slots;
    struct use *use;          /* indexed by pc */
    uint64_t *weight;         /* indexed by pc: sum of the weights of all earlier instructions */
    struct launch_work *work; /* by launch */
    unsigned work_count;
    struct launch_choice *choice;     /* indexed by launch, in a second run; otherwise NULL. Parts share it */
    unsigned choices;                 /* number of choices that this probe owns */
    uint32_t registers, started;      /* started: number of blocks that have started, in all parts */
    uint32_t l2_transfers;            /* number of transfers per resident block that together fill L2 */
    uint64_t atomic_at;               /* address of the launch's first atomic */
    unsigned first;                   /* number of launches before the launch that this part measures */
    uint64_t *seen;                   /* addresses of the buffers that launches have accessed */
    uint32_t seen_count, seen_before; /* number of these buffers; number that earlier launches accessed */
};

static struct block_time_launch *current_launch(const struct block_time_probe *p) {
    return &p->times->launch[p->times->count - 1];
}
static struct launch_work *current_work(const struct block_time_probe *p) { return &p->work[p->work_count - 1]; }
/* Returns the blocks to follow in this launch, or NULL to follow the sample. */
static const struct launch_choice *choice_of(const struct block_time_probe *p) {
    const struct launch_choice *c = p->choice ? &p->choice[p->first + p->times->count - 1] : NULL;
    return c && c->chosen ? c : NULL;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

enum touched { FIRST, OUT_OF_L2, OUT_OF_L1, IN_L1 };
static enum touched touch(const struct block_time_probe *p, struct transfers *t, uint64_t transfer) {
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
static bool seen_before(struct block_time_probe *p, uint64_t buffer) {
    for (uint32_t k = 0; k < p->seen_count; k++)
        if (p->seen[k] == buffer) return k < p->seen_before;
    p->seen = probe_grow(p->seen, p->seen_count + 1, sizeof *p->seen);
    p->seen[p->seen_count++] = buffer;
    return false;
}
/* Returns whether this piece of a bulk copy starts at the beginning of a line. */
static bool begins_line(const struct sim_access *e) { return e->offset[__builtin_ctz(e->mask)] % LINE < e->bytes; }
/* Returns the latency of a global memory access. Counts its transfers and lines, and delays the warp if there are many
 * lines. */
static uint32_t answer_time(struct block_time_probe *p, struct timed_block *b, const struct sim_access *e) {
    const struct gpu *gpu = p->gpu;
    struct block_time_launch *l = current_launch(p);
    const bool in_l2 = !e->object->initialized || seen_before(p, e->object->address);
    uint32_t latency = gpu->l1_latency, lines = 0;
    uint64_t before = 0, latest = UINT64_MAX;
    EACH_LANE (lane, e->mask) {
        const uint64_t first = e->object->address + e->offset[lane], last = first + e->bytes - 1;
        for (uint64_t transfer = first / TRANSFER; transfer <= last / TRANSFER; transfer++) {
            if (transfer == latest) continue; /* the previous lane has already caused this transfer */
            latest = transfer;
            if (transfer / 2 + 1 != before) lines++, before = transfer / 2 + 1;
            if (e->kind == SIM_STORE && e->object->initialized && touch(p, &b->stored, transfer + 1) == FIRST)
                l->stored_bytes += TRANSFER;
            const enum touched how = touch(p, &b->touched, transfer + 1);
            const bool past_l1 = e->kind == SIM_LOAD && e->strong; /* a strong load always queries L2 */
            if (how == IN_L1 && !past_l1) continue;
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

static void begin_work(struct block_time_probe *p, unsigned code_count) {
    p->work = probe_grow(p->work, p->work_count + 1, sizeof *p->work);
    struct launch_work *w = &p->work[p->work_count++];
    *w = (struct launch_work){.code_count = code_count};
    for (unsigned k = 0; k < 2; k++) w->ran[k] = probe_alloc(code_count + 1, sizeof *w->ran[k]);
}
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct block_time_probe *p = self;
    const struct gpu *gpu = p->gpu;
    struct block_time *all = p->times;
    p->use = costs_of(launch, gpu, &p->registers);
    p->weight = probe_alloc(launch->code_count + 1, sizeof *p->weight);
    for (uint32_t pc = launch->code_begin; pc < launch->code_end; pc++)
        p->weight[pc + 1] = p->weight[pc] + (p->use[pc].polls ? 0 : p->use[pc].weight);
    p->started = launch->earlier, p->atomic_at = 0;
    p->seen_before = p->seen_count;
    const uint32_t resident = gpu->max_threads / 256 * gpu->sms; /* resident blocks of 256 threads each */
    p->l2_transfers = gpu->l2_bytes / TRANSFER / (launch->blocks < resident ? launch->blocks : resident);
    all->launch = probe_grow(all->launch, all->count + 1, sizeof *all->launch);
    all->launch[all->count++] = (struct block_time_launch){.blocks = launch->blocks,
                                                           .threads = launch->threads,
                                                           .shared_bytes = launch->shared_bytes,
                                                           .cluster = launch->cluster_blocks};
    begin_work(p, launch->code_count);
}
/* Returns n such that every n-th cluster is watched. Without clusters, each block is a cluster. */
static uint32_t watched_step(const struct sim_launch_info *l) {
    return (l->blocks / l->cluster_blocks + SAMPLE - 1) / SAMPLE;
}
static void block_begin(void *self, const struct sim_block_event *e) {
    struct block_time_probe *p = self;
    struct timed_block *b = probe_slot_make(&p->slots, e->where->slot, sizeof *b);
    const uint32_t blocks = e->where->launch->blocks;
    const size_t size = (size_t)SIM_MAX_WARPS * p->registers;
    memset(b->work, 0, sizeof b->work), b->work_at_ticket = 0;
    const uint32_t each = e->where->launch->cluster_blocks,
                   clusters = blocks / each, /* all blocks in a cluster are watched */
        unit = cluster_number(e->where->launch, e->where->block);
    const struct launch_choice *choice = choice_of(p);
    b->watched = choice ? is_chosen(choice, unit)
                        : unit % watched_step(e->where->launch) == 0 || p->started / each + LAST >= clusters;
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
/* Returns the earliest cycle at which all of the block's loads since its last barrier can have arrived. */
static uint64_t taken_in(const struct block_time_probe *p, struct timed_block *b) {
    const uint64_t in = b->came ? b->since + b->slowest + p->gpu->transfer_cycles * b->came : 0;
    /* loads were issued after the first data arrived, so the time until all data has arrived is streaming */
    if (b->slowest && b->last - b->first >= b->slowest && in > b->last) b->last = in;
    b->came = b->slowest = 0;
    return in;
}
/* Advances the clock of a warp to the time at which all instructions must have started, including those that were
 * delayed. */
static void settle(struct timed_block *b, unsigned warp) {
    if (b->latest[warp] > b->clock[warp]) b->clock[warp] = b->latest[warp];
}
static void span(void *self, const struct sim_span *e) {
    struct block_time_probe *p = self;
    struct timed_block *b = probe_slot(&p->slots, e->where->slot);
    if (!b) return;
    b->work[e->where->warp] += p->weight[e->end] - p->weight[e->begin];
    struct launch_work *w = current_work(p); /* ran[][] holds differences, which launch_end() adds up */
    for (unsigned k = 0; k <= b->watched; k++) w->ran[k][e->begin]++, w->ran[k][e->end]--;
}
static void add_work(struct block_time_probe *p, const struct timed_block *b, const struct sim_where *at) {
    struct launch_work *list = current_work(p);
    struct block_work w = {.block = at->block, .unit = cluster_number(at->launch, at->block), .followed = b->watched};
    for (unsigned k = 0; k < SIM_MAX_WARPS; k++) {
        w.all += b->work[k];
        if (b->work[k] > w.most) w.most = b->work[k];
    }
    w.together = b->work_at_ticket ? b->work_at_ticket : w.all;
    list->block = probe_room(list->block, list->count + 1, &list->room, sizeof w);
    list->block[list->count++] = w;
}
/* Returns the head start of a block in cycles. An SM starts its first resident blocks one after another. The last
 * watched block among these has a head start of 0. */
static uint64_t head_start(const struct gpu *gpu, const struct sim_launch_info *l, uint32_t block) {
    const uint32_t most = gpu_resident(gpu, l->threads, l->shared_bytes, l->cluster_blocks);
    const uint32_t step = l->cluster_blocks * watched_step(l),
                   last = ((l->blocks < most ? l->blocks : most) - 1) / step * step;
    return block < last ? (uint64_t)(gpu->block_dispatch * (last - block) / gpu->sms) : 0;
}
static void block_end(void *self, const struct sim_block_event *e) {
    struct block_time_probe *p = self;
    struct timed_block *b = probe_slot(&p->slots, e->where->slot);
    struct block_time_launch *l = current_launch(p);
    if (b) add_work(p, b, e->where);
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
/* Returns how many cycles a warp sleeps: as long as the lane that sleeps longest, but at most 1 ms. */
static uint64_t asleep(const struct gpu *gpu, const struct ptx_operand *duration, const struct sim_watch *e) {
    enum { LONGEST = 1000000 /* ns */ };
    uint64_t longest = duration->kind == PTX_IMMEDIATE ? duration->imm : 0, ns;
    EACH_LANE (lane, e->active)
        if (duration->kind == PTX_REGISTER && sim_lane_register(e->warp, lane, duration->reg, &ns) && ns > longest)
            longest = ns;
    return (uint64_t)((double)(longest < LONGEST ? longest : LONGEST) * gpu->clock_mhz / 1000);
}
static void watch(void *self, const struct sim_watch *e) {
    struct block_time_probe *p = self;
    struct timed_block *b = probe_slot(&p->slots, e->where->slot);
    const struct use *u = &p->use[e->pc];
    if (!b || !b->watched) return;
    const uint32_t warp = e->where->warp;
    if (!u->polls) b->again[warp] = false;
    if (b->again[warp]) return;
    b->again[warp] = u->repeats;
    const bool stays = u->stays && !(u->unrolled && ++b->turn[warp] % UNROLLED);
    if (stays) settle(b, warp);
    const uint64_t latency = u->sleep && e->active ? asleep(p->gpu, u->sleep, e) : u->latency;
    uint64_t *ready = b->ready + (size_t)warp * p->registers, t = b->clock[warp] += u->weight;
    for (unsigned k = 0; k < u->sources; k++)
        if (ready[u->source[k]] > t) t = ready[u->source[k]];
    for (unsigned k = 0; e->active && k < u->dests; k++) ready[u->dest[k]] = t + latency;
    b->started[warp] = t;
    if (t > b->latest[warp] && !u->moves) b->latest[warp] = t;
    if (stays) b->clock[warp] = b->latest[warp] = u->holds ? t + latency : t;
    current_launch(p)->issued += u->weight;
}
/* Returns how many lines of global memory, or wavefronts of shared memory, an access takes after the first one. */
static uint64_t further(const struct sim_access *e) {
    if (e->object->space == PTX_SHARED) return probe_wavefronts(e).wavefronts - 1;
    if (e->object->space != PTX_GLOBAL) return 0;
    uint64_t lines = 0, before = UINT64_MAX;
    if (e->contiguous) {
        const uint64_t first = e->offset[lowest_lane(e->mask)];
        return (first + (uint64_t)lanes_in(e->mask) * e->bytes - 1) / LINE - first / LINE;
    }
    EACH_LANE (lane, e->mask) {
        const uint64_t line = e->offset[lane] / LINE;
        lines += line != before, before = line;
    }
    return lines - 1;
}
static void count_access(const struct block_time_probe *p, struct timed_block *b, const struct sim_access *e) {
    if (!p->use[e->pc].polls) b->work[e->where->warp] += further(e);
    if (e->kind != SIM_ATOMIC || e->object->space != PTX_GLOBAL || !p->use[e->pc].dests) return;
    b->work_at_ticket = 0;
    for (unsigned w = 0; w < e->where->launch->warps; w++) b->work_at_ticket += b->work[w];
}
/* Adds the time of atomics on the same address as the launch's first atomic. */
static void count_atomics(struct block_time_probe *p, const struct sim_access *e) {
    EACH_LANE (lane, e->mask) {
        const uint64_t at = e->object->address + e->offset[lane];
        if (!p->atomic_at) p->atomic_at = at;
        if (at == p->atomic_at) current_launch(p)->atomic_tenths += p->use[e->pc].serial;
    }
}
/* Models an access to another block's shared memory, which goes through the network between SMs and then to the banks
 * of that memory. */
static void answer_from_cluster(struct block_time_probe *p, struct timed_block *b, const struct sim_access *e) {
    const struct use *u = &p->use[e->pc];
    uint64_t *ready = b->ready + (size_t)e->where->warp * p->registers;
    for (unsigned k = 0; k < u->dests; k++) ready[u->dest[k]] = b->started[e->where->warp] + p->gpu->cluster_latency;
}
static void access(void *self, const struct sim_access *e) {
    struct block_time_probe *p = self;
    struct timed_block *b = probe_slot(&p->slots, e->where->slot);
    if (b) count_access(p, b, e);
    if (!b || !b->watched || b->again[e->where->warp]) return;
    if (e->object->space == PTX_SHARED) {
        current_launch(p)->shared_wavefronts += p->use[e->pc].bulk ? begins_line(e) : probe_wavefronts(e).wavefronts;
        if (e->object->block != e->where->block) answer_from_cluster(p, b, e);
    }
    if (e->object->space != PTX_GLOBAL) return;
    if (e->kind == SIM_ATOMIC) count_atomics(p, e);
    if (e->kind == SIM_ATOMIC && p->use[e->pc].dests) b->ticket = b->started[e->where->warp];
    const uint32_t came = b->came, latency = answer_time(p, b, e);
    const struct use *u = &p->use[e->pc];
    if (e->kind != SIM_LOAD) return;
    uint64_t *ready = b->ready + (size_t)e->where->warp * p->registers;
    const bool fence =
        e->acquire && e->scope != PTX_MOD_CTA; /* later instructions wait for this access, as for a fence */
    uint64_t answer = b->started[e->where->warp] + latency + (fence ? p->gpu->fence_latency : 0);
    if (u->bulk) { /* block-wide barriers do not wait for bulk copies */
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
/* Handles asynchronous copies, whose loads were reported before. A thread that waits for a copy continues when the data
 * have arrived. */
static void copy(void *self, const struct sim_copy_event *e) {
    struct block_time_probe *p = self;
    struct timed_block *b = probe_slot(&p->slots, e->where->slot);
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
    struct block_time_probe *p = self;
    struct timed_block *b = probe_slot(&p->slots, e->where->slot);
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
/* Returns whether threads work between their arrival at the cluster barrier and their wait. */
static bool is_split(const struct sim_launch_info *l, uint32_t arrival) {
    return arrival + 1 < l->code_count && l->code[arrival + 1]->op != PTX_OP_cluster_wait;
}
/* Returns when the last warp of a block arrived at the cluster barrier. If the barrier is not split, the block then
 * also waits for its loads. */
static uint64_t arrival_of(const struct block_time_probe *p, struct timed_block *b, unsigned warps) {
    uint64_t last = b->splits ? 0 : taken_in(p, b);
    for (unsigned w = 0; w < warps; w++) {
        if (!b->splits) settle(b, w), b->arrived[w] = b->clock[w];
        if (b->arrived[w] > last) last = b->arrived[w];
    }
    return last;
}
/* Handles the cluster barrier. All blocks in a cluster start at the same time and share a clock. They continue when the
 * last one has arrived and all have been notified. If the barrier is split, a warp first does the work before its
 * wait. */
static void cluster(void *self, const struct sim_cluster_event *e) {
    struct block_time_probe *p = self;
    const struct sim_launch_info *launch = e->where->launch;
    const uint32_t blocks = launch->cluster_blocks, first = e->where->slot - e->where->slot % blocks;
    const unsigned warp = e->where->warp;
    struct timed_block *own = probe_slot(&p->slots, e->where->slot);
    uint64_t last = 0;
    if (!own || !own->watched) return;
    if (e->kind == SIM_CLUSTER_ARRIVES) {
        own->splits = is_split(launch, e->pc);
        if (own->splits) settle(own, warp), own->arrived[warp] = own->clock[warp];
    }
    if (e->kind == SIM_CLUSTER_PASSES && own->splits && own->released > own->clock[warp])
        own->clock[warp] = own->released;
    if (e->kind != SIM_CLUSTER_COMPLETE) return;
    for (uint32_t k = first; k < first + blocks; k++) {
        struct timed_block *b = probe_slot(&p->slots, k);
        if (!b || !b->watched) return;
        const uint64_t arrived = arrival_of(p, b, launch->warps);
        if (arrived > last) last = arrived;
    }
    const uint32_t arrivals = p->gpu->barrier_arrival * launch->warps;
    for (uint32_t k = first; k < first + blocks; k++) {
        struct timed_block *b = probe_slot(&p->slots, k);
        current_launch(p)->barrier_cycles += arrivals;
        b->released = last + p->gpu->cluster_barrier_latency + p->gpu->cluster_barrier_arrival * launch->warps;
        /* split barrier: the warps may still be working, with loads in flight, so keep their clocks and `since` */
        if (b->splits) continue;
        b->since = b->released;
        for (unsigned w = 0; w < launch->warps; w++) b->clock[w] = b->since;
    }
}
static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct block_time_probe *p = self;
    /* Does not count loops that poll, because their number of iterations depends on the simulator's order. */
    for (unsigned k = 0; k < 2; k++) {
        uint64_t *ran = current_work(p)->ran[k], sum = 0;
        for (uint32_t pc = launch->code_begin; pc < launch->code_end; pc++)
            sum += ran[pc], ran[pc] = p->use[pc].polls ? 0 : sum;
    }
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct timed_block *b = p->slots.state[k];
        if (b) free(b->ready), b->ready = NULL; /* the next kernel has different registers */
    }
    free(p->use), free(p->weight);
    p->use = NULL, p->weight = NULL;
}

/* ---- the probe -------------------------------------------------------------------------------------------------- */

static void *create(struct measurement *m) {
    struct block_time_probe *p = probe_alloc(1, sizeof *p);
    p->times = m->result[PROBE_block_time], p->gpu = measured_gpu(m);
    return p;
}
static void finish(void *self, struct measurement *m) {
    struct block_time_probe *p = self;
    (void)m;
    for (unsigned k = 0; k < p->work_count; k++) {
        struct block_time_launch *l = &p->times->launch[k];
        const struct work_sums all = work_sum(&p->work[k], false), watched = work_sum(&p->work[k], true);
        l->work = all.work, l->most_work = all.most_of_warp;
        l->watched_work = watched.work, l->watched_most_work = watched.most_of_warp;
        const uint32_t resident = gpu_resident(p->gpu, l->threads, l->shared_bytes, l->cluster);
        if (l->cluster < 2) l->busiest_sm = work_of_busiest_sm(&p->work[k], resident, p->gpu->sms, &l->together);
    }
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct timed_block *b = p->slots.state[k];
        if (b) map_free(&b->touched.when), map_free(&b->stored.when), free(b->ready), free(b->pending);
    }
    for (unsigned k = 0; k < p->work_count; k++)
        free(p->work[k].block), free(p->work[k].ran[0]), free(p->work[k].ran[1]);
    for (unsigned k = 0; k < p->choices; k++) free(p->choice[k].chosen);
    if (p->choices) free(p->choice);
    probe_slots_free(&p->slots);
    free(p->seen), free(p->use), free(p->weight), free(p->work), free(p);
}
static void learn(void *part, const void *whole) {
    struct block_time_probe *to = part;
    const struct block_time_probe *from = whole;
    to->first = from->times->count, to->choice = from->choice;
    to->seen_count = from->seen_count;
    to->seen = probe_alloc(from->seen_count, sizeof *to->seen);
    if (from->seen_count) memcpy(to->seen, from->seen, from->seen_count * sizeof *to->seen);
}
static void join_work(struct block_time_probe *to, const struct block_time_probe *part) {
    const struct launch_work *from = &part->work[0];
    if (to->work_count == part->first) begin_work(to, from->code_count);
    struct launch_work *w = &to->work[part->first];
    w->block = probe_room(w->block, w->count + from->count, &w->room, sizeof *w->block);
    memcpy(w->block + w->count, from->block, from->count * sizeof *w->block);
    w->count += from->count;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned pc = 0; pc < w->code_count; pc++) w->ran[k][pc] += from->ran[k][pc];
}
/* Adds a part's only launch to the whole. The launch of the first part becomes a launch of the whole, and the launches
 * of the other parts are added to this launch. */
static void join(void *whole, void *part) {
    struct block_time_probe *to = whole;
    const struct block_time_probe *from = part;
    struct block_time *all = to->times;
    const struct block_time_launch *l = from->times->launch;
    for (uint32_t k = 0; k < from->seen_count; k++) seen_before(to, from->seen[k]);
    if (!from->times->count) return;
    join_work(to, from);
    if (all->count == from->first) {
        all->launch = probe_grow(all->launch, all->count + 1, sizeof *all->launch);
        all->launch[all->count++] = *l;
        return;
    }
    struct block_time_launch *sum = &all->launch[from->first];
    sum->watched += l->watched, sum->cycles += l->cycles, sum->streamed += l->streamed, sum->issued += l->issued;
    sum->shared_wavefronts += l->shared_wavefronts, sum->barrier_cycles += l->barrier_cycles;
    sum->dram_bytes += l->dram_bytes, sum->l2_bytes += l->l2_bytes, sum->stored_bytes += l->stored_bytes;
    sum->lines += l->lines, sum->atomic_tenths += l->atomic_tenths;
    if (l->longest > sum->longest) sum->longest = l->longest;
    if (l->ticket > sum->ticket) sum->ticket = l->ticket;
    if (l->tail > sum->tail) sum->tail = l->tail;
}

/* Prepares a second run. In launches that the first run's sample represents, the second run follows the same sample. In
 * other launches, it follows the chosen blocks. */
static bool again(void *second, const void *first) {
    struct block_time_probe *to = second;
    const struct block_time_probe *from = first;
    bool needed = false;
    to->choice = probe_alloc(from->work_count, sizeof *to->choice);
    to->choices = from->work_count;
    for (unsigned k = 0; k < from->work_count; k++) {
        const struct block_time_launch *l = &from->times->launch[k];
        if (work_is_represented(&from->work[k])) continue;
        to->choice[k] = work_choose(&from->work[k], l->blocks / l->cluster);
        needed = true;
    }
    return needed;
}

static const struct field launch_fields[] = {
    WORDS(struct block_time_launch, blocks, UINT32_MAX),
    WORDS(struct block_time_launch, threads, UINT32_MAX),
    WORDS(struct block_time_launch, shared_bytes, UINT32_MAX),
    WORDS(struct block_time_launch, cluster, UINT32_MAX),
    WORDS(struct block_time_launch, watched, UINT32_MAX),
    NUMBERS_TO(struct block_time_launch, cycles, stored_bytes),
    END_OF_FIELDS,
};
static const struct field fields[] = {LIST(struct block_time, launch, count, 4096, launch_fields), END_OF_FIELDS};

static const struct sim_probe callbacks = {.name = "block_time",
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
const struct probe_row probe_block_time = {
    .name = "block_time",
    .question = "how long would a block take alone?",
    .part_of = MEASURE_BLOCK_TIME,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .learn = learn,
    .again = again,
    .join = join,
    .bytes = sizeof(struct block_time),
    .fields = fields,
};
