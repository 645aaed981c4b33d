/* Launches a kernel: checks the launch and runs its blocks with their warps.
 *
 * One block runs at a time, until it exits or its turn ends. Then the next resident block continues. Turns are limited
 * because a block may wait for another. Like a GPU, the simulator has a limited number of resident blocks, which also
 * limits a launch's host memory. */
#include "base/hash.h"
#include "base/random.h"
#include "model/gpus/gpu.h"
#include "sim/waits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WARP_QUANTUM = 1 << 11,
    BLOCK_TURN = 1 << 13,
    TURNS_ALONE = 16,         /* turns of each resident block before another block starts */
    WAITERS_POLLED = 64,      /* with more resident blocks, a block may start before all others have had a turn */
    CALL_BYTES = 8 << 10,     /* bytes of local memory per thread for the functions that a kernel calls */
    REGISTERS = 1 << 16,      /* maximum registers per block, on all GPUs from compute capability 5.0 */
    REGISTERS_AT_ONCE = 8,    /* a thread gets a multiple of this number */
    DEFAULT_SHARED = 48 << 10 /* maximum bytes of shared memory per block, unless a program raises it */
};
static const uint64_t default_budget = UINT64_C(1) << 32;

/* ---- blocks --------------------------------------------------------------------------------- */
static bool make_block(struct sim_run *run, uint32_t slot) {
    const struct sim_launch_info *l = &run->info;
    struct sim_block *b = run->blocks[slot] = calloc(1, sizeof *b);
    if (!b) return false;
    b->run = run, b->slot = slot, b->warp_count = l->warps;
    b->shared.data = aligned_alloc(64, (l->shared_bytes / 64 + 1) * 64);
    b->warps = calloc(l->warps, sizeof *b->warps);
    if (!b->shared.data || !b->warps) return false;
    b->shared.object = (struct sim_object){.kind = SIM_SHARED_MEMORY,
                                           .space = PTX_SHARED,
                                           .name = "shared memory",
                                           .address = SIM_SHARED_WINDOW,
                                           .size = l->shared_bytes,
                                           .id = slot};
    b->cluster = &run->ranked[slot - slot % l->cluster_blocks];
    for (uint32_t k = 0; k < l->warps; k++) {
        struct sim_warp *w = &b->warps[k];
        w->block = b;
        w->local_bytes = run->kernel->local_bytes + (run->kernel->calls ? CALL_BYTES : 0);
        w->local = w->local_bytes ? aligned_alloc(64, (size_t)w->local_bytes * SIM_WARP / 64 * 64 + 64) : NULL;
        if ((w->local_bytes && !w->local) || !sim_frame_reserve(w, run->kernel->frame_bytes)) return false;
        w->local_memory.data = w->local;
        w->local_memory.object = (struct sim_object){.kind = SIM_LOCAL_MEMORY,
                                                     .space = PTX_LOCAL,
                                                     .name = "local memory",
                                                     .address = SIM_LOCAL_WINDOW,
                                                     .size = w->local_bytes,
                                                     .id = k};
    }
    return true;
}
static const struct sim_asynchronous *const asynchronous[] = {&sim_async_copies, &sim_block_mbarriers, &sim_bulk_copies,
                                                              &sim_group_products};
enum { ASYNCHRONOUS = sizeof asynchronous / sizeof *asynchronous };
static void free_block(struct sim_block *b) {
    for (unsigned k = 0; k < ASYNCHRONOUS; k++) asynchronous[k]->free(b);
    for (uint32_t k = 0; b->warps && k < b->warp_count; k++) sim_warp_free(&b->warps[k]);
    free(b->warps);
    free(b->shared.data);
    free(b);
}
static bool is_in_sample(const struct sim_run *run, uint32_t index) {
    for (uint32_t k = 0; k < run->sample_count; k++)
        if (run->sample[k] == index) return true;
    return !run->sample_count;
}
static void start_block(struct sim_block *b, uint32_t index) {
    struct sim_run *run = b->run;
    const struct sim_launch_info *l = &run->info;
    b->params = is_in_sample(run, index) ? &run->params : &run->idle;
    b->index = index, b->active = true, b->waits = false, b->live = l->threads;
    b->ctaid[0] = index % l->grid[0], b->ctaid[1] = index / l->grid[0] % l->grid[1],
    b->ctaid[2] = index / l->grid[0] / l->grid[1];
    b->rank = sim_cluster_rank(l, index, &(uint32_t){0});
    b->cluster[b->rank] = b;
    b->shared.object.block = index;
    b->shared_by_rank = b->shared;
    b->shared_by_rank.object.address += (b->rank + 1) * SIM_WINDOW_SIZE;
    sim_cluster_clear(b);
    b->random = run->sim->options.seed ^ (UINT64_C(0x51ed2701) * (index + 1));
    if (b->pending) memset(b->barrier, 0, sizeof b->barrier); /* arrivals of a stopped block */
    b->pending = 0;
    for (unsigned k = 0; k < ASYNCHRONOUS; k++) asynchronous[k]->clear(b);
    memset(b->shared.data, 0xA5, l->shared_bytes);
    for (uint32_t k = 0; k < l->warps; k++) {
        uint32_t rest = l->threads - k * SIM_WARP;
        struct sim_warp *w = &b->warps[k];
        w->where = (struct sim_where){l, index, b->slot, k, rest >= SIM_WARP ? SIM_FULL : (1u << rest) - 1, 0};
        sim_warp_start(w);
    }
    b->watched = run->watch.count > 0, b->spans = run->spans;
    struct sim_block_event e = {&b->warps[0].where, false, &b->watched, &b->spans};
    SIM_EMIT(run, block_begin, &e);
}
static void end_block(struct sim_block *b) {
    for (unsigned k = 0; k < ASYNCHRONOUS; k++)
        if (!b->live && asynchronous[k]->end) asynchronous[k]->end(b);
    struct sim_block_event e = {&b->warps[0].where, b->live == 0, NULL, NULL};
    SIM_EMIT(b->run, block_end, &e);
    for (uint32_t k = 0; k < b->warp_count; k++) {
        struct sim_warp *w = &b->warps[k];
        while (w->splits) sim_frame_release(w->split[--w->splits].frame);
    }
    b->active = false;
}

static void shuffle_order(uint32_t *order, uint32_t n, uint64_t *random) {
    for (uint32_t k = n; k > 1; k--) {
        uint32_t other = (uint32_t)(random_next(random) % k), t = order[k - 1];
        order[k - 1] = order[other], order[other] = t;
    }
}

/* Lets each warp run for a while, in the given order. If the schedule prefers a warp, it runs whenever it can. While it
 * waits, the others take short turns, so that none passes a barrier ahead of it. Its own turn is limited, too, because
 * it may spin. */
static void run_warps(struct sim_block *b, const uint32_t *order) {
    const struct sim_run *run = b->run;
    const struct sim_schedule *schedule = &run->sim->options.schedule;
    const uint32_t ahead = schedule->chosen && schedule->warp < b->warp_count ? schedule->warp : SIM_NONE;
    for (uint32_t k = 0; k < b->warp_count && !run->stopped; k++) {
        uint64_t quantum = run->fixed_order ? 1 : schedule->turn ? schedule->turn : WARP_QUANTUM;
        const uint64_t before = run->executed;
        if (ahead != SIM_NONE) sim_warp_run(&b->warps[ahead], BLOCK_TURN);
        if (ahead != SIM_NONE && run->executed - before < BLOCK_TURN) quantum = 1;
        if (order[k] != ahead && !run->stopped) sim_warp_run(&b->warps[order[k]], quantum);
    }
}
/* Runs a block until it exits, waits for another block, or has executed about BLOCK_TURN instructions. */
static void run_block(struct sim_block *b) {
    struct sim_run *run = b->run;
    uint32_t order[SIM_MAX_WARPS];
    const struct sim_schedule *schedule = &run->sim->options.schedule;
    for (uint32_t k = 0; k < b->warp_count; k++) order[k] = schedule->falling ? b->warp_count - 1 - k : k;
    b->waits = false;
    const uint64_t turn = run->fixed_order ? 1 : schedule->turn ? schedule->turn : BLOCK_TURN;
    for (b->turn = 0; b->live && !run->stopped && b->turn < turn;) {
        if (sim_is_random(run)) shuffle_order(order, b->warp_count, &b->random);
        b->progress = false;
        run_warps(b, order);
        if (b->progress || !b->live || run->stopped) continue;
        /* Another block may write the memory for which this block waits, or arrive at the cluster barrier. */
        if (sim_waits_for_memory(b) || sim_waits_for_cluster(b)) {
            b->waits = true, b->waits_since = run->changes;
            if (!sim_cluster_stuck(b)) return;
            sim_resolve_cluster(b);
            continue;
        }
        if (!sim_resolve_stuck(b)) sim_report_deadlock(b);
    }
}

/* ---- the grid ------------------------------------------------------------------------------- */
/* Rotates the order of blocks so that a sampled block or, with clusters, a cluster of sampled blocks is last. The last
 * block usually finishes a reduction, so it needs the sampled blocks' parameters. */
static void end_with_a_sampled_block(const struct sim_run *run, uint32_t *order, uint32_t blocks) {
    const uint32_t each = run->info.cluster_blocks;
    uint32_t first = blocks, sampled = 0;
    for (; first && sampled < each; first -= each) {
        sampled = 0;
        for (uint32_t k = 1; k <= each; k++) sampled += is_in_sample(run, order[first - k]);
    }
    if (sampled < each) return;
    first += each;
    uint32_t *ended = malloc((size_t)(blocks - first + 1) * sizeof *ended);
    if (!ended) return;
    memcpy(ended, order + first, (blocks - first) * sizeof *order);
    memmove(order + blocks - first, order, first * sizeof *order);
    memcpy(order, ended, (blocks - first) * sizeof *order);
    free(ended);
}
/* Returns the indices of the blocks to run, and sets *count to their number. The order is ascending, descending,
 * shuffled by the seed, or as in the sample; a chosen block comes first. Blocks of a cluster follow each other.
 * The caller frees the array. Returns NULL if out of memory. */
static uint32_t *order_of_blocks(const struct sim_run *run, const struct sim_launch *launch, uint32_t *count) {
    const struct sim_schedule *schedule = &run->sim->options.schedule;
    const bool sampled = launch->sample_count && !launch->idle_params;
    const uint32_t blocks = *count = sampled ? launch->sample_count : run->info.blocks;
    uint32_t *order = malloc((size_t)blocks * sizeof *order);
    uint64_t random = run->sim->options.seed ^ UINT64_C(0xb10c);
    for (uint32_t k = 0; order && k < blocks; k++)
        order[k] = sampled ? launch->sample[k] : schedule->falling ? blocks - 1 - k : k;
    if (order && run->sim->options.shuffle) shuffle_order(order, blocks, &random);
    if (order && !sampled && schedule->chosen && schedule->block < blocks) {
        const uint32_t at = schedule->falling ? blocks - 1 - schedule->block : schedule->block;
        memmove(order + 1, order, at * sizeof *order);
        order[0] = schedule->block;
    }
    if (order && run->info.cluster_blocks > 1 && !sim_gather_clusters(&run->info, order, blocks))
        free(order), order = NULL;
    if (order && launch->idle_params) end_with_a_sampled_block(run, order, blocks);
    return order;
}
/* All resident blocks wait. Releases one warp-level synchronization that cannot complete; otherwise, reports the
 * deadlock and ends the launch. */
static void give_up(const struct sim_run *run, uint32_t opened, bool others_wait_to_start) {
    for (uint32_t k = 0; k < opened; k++)
        if (run->blocks[k]->active && sim_resolve_stuck(run->blocks[k])) return;
    sim_report_wait(run, opened, others_wait_to_start);
}
/* Returns whether the block waits and nothing has changed that it may wait for. */
static bool is_waiting(const struct sim_block *b) { return b->active && b->waits && b->waits_since == b->run->changes; }
/* Returns whether the next block (or cluster) may start.
 *
 * All blocks that fit start together if the launch is cooperative, some with short turns, or if the running blocks
 * never end without the others (cycle.c). Otherwise, the next block starts if all resident blocks wait for it, which is
 * recorded. It also starts after they have run for a long time, because some waits are not detected.
 *
 * Thousands of blocks may wait for a counter that each new block increments. A turn for each of them after every start
 * would take most of the time. With more than WAITERS_POLLED resident blocks, the next one also starts if the newest
 * one waits, unless the number of resident blocks is a power of two. */
static bool may_start(struct sim_run *run, uint32_t opened, uint32_t active, uint32_t waiting, uint64_t executed,
                      bool newest_waits) {
    if (!active || run->cooperative || run->fills || (run->sim->options.schedule.turn && active < WAITERS_POLLED))
        return true;
    if (newest_waits && active > WAITERS_POLLED && active & (active - 1)) return true;
    if (waiting < active) return executed >= (uint64_t)TURNS_ALONE * BLOCK_TURN * active;
    for (uint32_t k = 0; k < opened; k++)
        if (run->blocks[k]->active) sim_note_waiters(run, run->blocks[k]);
    return true;
}
/* Returns the first of enough adjacent free slots for a cluster, or `opened` if the open slots have no room for it.
 * `taken` slots are not free. */
static uint32_t free_slot(const struct sim_run *run, uint32_t opened, uint32_t taken) {
    const uint32_t size = run->info.cluster_blocks;
    if (taken == opened) return opened;
    for (uint32_t first = 0; first < opened; first += size) {
        uint32_t k = 0;
        while (k < size && !run->blocks[first + k]->active) k++;
        if (k == size) return first;
    }
    return opened;
}
/* Starts a cluster's blocks, or one block, in slots from `slot` on. Returns false if out of memory. */
static bool start_blocks(struct sim_run *run, uint32_t slot, uint32_t *opened, const uint32_t *order) {
    const uint32_t size = run->info.cluster_blocks;
    for (uint32_t k = slot; k < slot + size; k++)
        if (k == *opened && ((*opened)++, !make_block(run, k))) return false;
    for (uint32_t k = 0; k < size; k++) start_block(run->blocks[slot + k], order[k]);
    return true;
}
/* Returns whether any block of the block's cluster still runs. */
static bool is_busy(const struct sim_block *b) {
    for (uint32_t r = 0; r < b->run->info.cluster_blocks; r++)
        if (b->cluster[r]->active) return true;
    return false;
}
/* Runs all blocks. They start in the given order in free slots, and resident blocks take turns, round robin. A slot
 * gets its memory on first use: a GPU has thousands of slots, and most launches need one. */
bool sim_run_blocks(struct sim_run *run, const uint32_t *order, uint32_t blocks) {
    const uint32_t size = run->info.cluster_blocks;
    /* idle: consecutive turns that executed no instruction; waiting: blocks for which is_waiting() holds */
    uint32_t next = 0, active = 0, taken = 0, slot = 0, opened = 0, idle = 0, waiting = 0;
    uint64_t alone = 0; /* run->executed when a block last started */
    run->blocks = calloc(run->slots, sizeof *run->blocks), run->ranked = calloc(run->slots, sizeof *run->ranked);
    bool ok = run->blocks && run->ranked, start = blocks > 0;
    sim_watch_for_cycles(run);
    while (ok && (start || active) && !run->stopped) {
        if (start) {
            slot = free_slot(run, opened, taken);
            if (!(ok = start_blocks(run, slot, &opened, order + next))) break;
            next += size, active += size, taken += size, alone = run->executed;
        }
        struct sim_block *b = run->blocks[slot];
        if (run->sim->options.interrupt && *run->sim->options.interrupt) run->stopped = true;
        if (b->active) {
            const uint64_t before = run->executed, changes = run->changes;
            waiting -= is_waiting(b);
            run_block(b);
            waiting = (run->changes == changes ? waiting : 0) + is_waiting(b);
            idle = run->executed == before ? idle + 1 : 0;
            if (!b->live)
                waiting -= is_waiting(b), end_block(b), active--, run->ended++, taken -= is_busy(b) ? 0 : size;
            if (idle > active && (next == blocks || taken == run->slots) && !run->stopped) {
                idle = 0;
                give_up(run, opened, next < blocks);
            }
        }
        const bool fits = next < blocks && taken < run->slots;
        start =
            fits && may_start(run, opened, active, waiting, run->executed - alone, start && size == 1 && is_waiting(b));
        if (!start) slot = (slot + 1) % opened;
        const bool round = !start && !slot && !run->stopped;
        if (round && run->executed >= run->cycle_at && sim_find_cycle(run, opened) && !(run->fills = fits))
            sim_report_cycle(run, opened, next < blocks);
    }
    sim_forget_cycle(run);
    if (ok && !run->stopped) sim_report_waiters(run), sim_report_unseen(run);
    for (uint32_t k = 0; run->blocks && k < opened && run->blocks[k]; k++) {
        if (run->blocks[k]->active) end_block(run->blocks[k]);
        free_block(run->blocks[k]);
    }
    free(run->blocks), free(run->ranked);
    run->blocks = run->ranked = NULL;
    return ok;
}

/* ---- the launch ----------------------------------------------------------------------------- */
void sim_listen(struct sim_run *run, const struct sim_listener *listeners, unsigned count) {
#define LISTEN(event)                                                                                                  \
    if (p->event)                                                                                                      \
    run->event.to[run->event.count].call = (void (*)(void))p->event, run->event.to[run->event.count++].self = self
    for (unsigned k = 0; k < count && k < SIM_MAX_LISTENERS; k++) {
        const struct sim_probe *p = listeners[k].probe;
        void *self = listeners[k].self;
        if (p->nested_only && !run->program->launches) continue;
        const bool accesses = p->access && (!p->async_only || run->program->asynchronous);
        LISTEN(launch_begin);
        LISTEN(launch_end);
        LISTEN(block_begin);
        LISTEN(block_end);
        LISTEN(span);
        LISTEN(branch);
        LISTEN(access);
        LISTEN(dropped);
        LISTEN(sync);
        LISTEN(arrival);
        LISTEN(barrier);
        LISTEN(cluster);
        LISTEN(fence);
        LISTEN(copy);
        LISTEN(proxy_fence);
        LISTEN(grid_wait);
        LISTEN(mbarrier);
        LISTEN(heap);
        LISTEN(nested);
        LISTEN(exit);
        LISTEN(fault);
        LISTEN(watch);
        run->values |= p->values, run->drops |= p->drops;
        run->spans |= p->span && !p->counts_whole;
        for (unsigned to = 0; accesses && to < SIM_ACCESSES; to++) {
            struct sim_channel *c = &run->accesses[to];
            const bool shared = to == SIM_TO_SHARED, filled = to == SIM_TO_FILLED_GLOBAL || to == SIM_TO_FILLED,
                       global = to == SIM_TO_GLOBAL || to == SIM_TO_FILLED_GLOBAL;
            if ((p->unfilled_only && filled) || (p->global_only && !global) || (p->shared_only && !shared)) continue;
            c->to[c->count].call = (void (*)(void))p->access, c->to[c->count++].self = self;
        }
    }
    run->traced = run->span.count > 0;
    if (run->traced && !run->spans) run->whole_spans = calloc(run->program->code_count + 1, sizeof *run->whole_spans);
    run->info.whole_spans = run->whole_spans;
    run->heard = run->access.count > 0;
    run->weak = run->heard && run->sim->options.schedule.stale;
}

/* Writes all reasons why the kernel cannot run into the error message. */
static void say_reasons(const struct ptx_module *m, const struct ptx_function *f, struct sim_error *error) {
    size_t used = (size_t)snprintf(error->message, sizeof error->message, "kernel `%.100s` cannot run here", f->name);
    for (const struct ptx_reason *r = f->reasons; r && used < sizeof error->message; r = r->next) {
        char why[400];
        used += (size_t)snprintf(error->message + used, sizeof error->message - used, "%s%s",
                                 r == f->reasons ? ": " : "; ", ptx_why(m, r, why, sizeof why));
    }
}
/* The functions below return false, with a message in *error, if the launch is invalid. */
#define REFUSE(...) return snprintf(error->message, sizeof error->message, __VA_ARGS__), false
static bool check_parameters(const struct sim_launch *launch, const struct ptx_function *f, struct sim_error *error) {
    if (launch->param_count != f->param_count)
        REFUSE("kernel `%s` takes %u parameter%s, but %u were given", f->name, f->param_count,
               f->param_count == 1 ? "" : "s", launch->param_count);
    for (unsigned k = 0; launch->param_bytes && k < f->param_count; k++)
        if (f->params[k]->size != launch->param_bytes[k])
            REFUSE("parameter %u of kernel `%s` is %llu bytes long, but the launch passes %u", k + 1, f->name,
                   (unsigned long long)f->params[k]->size, launch->param_bytes[k]);
    return true;
}
static bool check_grid(struct sim_launch_info *l, const struct sim_launch *launch, const struct ptx_function *f,
                       struct sim_error *error) {
    uint64_t threads = 1, blocks = 1;
    for (unsigned k = 0; k < 3; k++) {
        l->grid[k] = launch->grid[k], l->block[k] = launch->block[k];
        if (!l->grid[k] || !l->block[k] || l->block[k] > SIM_MAX_THREADS)
            REFUSE("grid and block dimensions must be at least 1, and a block can have at most 1024 threads");
        threads *= l->block[k], blocks *= l->grid[k];
        if (threads > SIM_MAX_THREADS)
            REFUSE("the block has %llu threads, but the maximum is 1024", (unsigned long long)threads);
        if (blocks > INT32_MAX) REFUSE("the grid has more than 2^31 - 1 blocks, the maximum");
    }
    if (f->max_threads && threads > f->max_threads)
        REFUSE("the block has %llu threads, but kernel `%s` is compiled for at most %u", (unsigned long long)threads,
               f->name, f->max_threads);
    l->blocks = (uint32_t)blocks, l->threads = (uint32_t)threads;
    l->warps = (l->threads + SIM_WARP - 1) / SIM_WARP;
    const uint32_t room = REGISTERS / (l->warps * SIM_WARP) / REGISTERS_AT_ONCE * REGISTERS_AT_ONCE;
    if (f->needs > room)
        REFUSE("kernel `%s` needs %u registers per thread on a GPU of compute capability %s, but each of the %u "
               "threads of a "
               "block can have at most %u, so the launch fails: keep fewer values per thread, or limit the registers "
               "with __launch_bounds__(1024)",
               f->name, f->needs, gpu_default->compute_capability, l->threads, room);
    return true;
}
static bool check_shared(struct sim_launch_info *l, const struct sim_launch *launch, const struct sim_function *own,
                         struct sim_error *error) {
    const char *name = own->source->name;
    const uint32_t fixed = own->shared_bytes - own->reserved_bytes, most = gpu_default->shared_bytes;
    const uint64_t shared = (uint64_t)own->shared_bytes + launch->dynamic_shared;
    if (fixed > DEFAULT_SHARED)
        REFUSE("kernel `%s` declares %u bytes of __shared__ memory, but the maximum is %d bytes: if you need more, use "
               "extern "
               "__shared__ and set the size at launch",
               name, fixed, DEFAULT_SHARED);
    if (launch->default_shared && shared - own->reserved_bytes > DEFAULT_SHARED)
        REFUSE(
            "kernel `%s`: %u bytes of __shared__ memory and %u set at launch exceed %d bytes, so the launch fails on "
            "a GPU: declare less, because only cudaFuncSetAttribute() raises this maximum",
            name, fixed, launch->dynamic_shared, DEFAULT_SHARED);
    if (shared - own->reserved_bytes > most)
        REFUSE(
            "kernel `%s`: %u bytes of __shared__ memory and %u set at launch exceed the %u bytes that a block may have",
            name, fixed, launch->dynamic_shared, most);
    l->shared_bytes = (uint32_t)shared;
    l->reserved_offset = own->reserved_offset, l->reserved_bytes = own->reserved_bytes;
    return true;
}
/* Determines how many blocks are resident at once. */
static bool check_residency(struct sim_launch_info *l, const struct sim_launch *launch, const struct sim *sim,
                            struct sim_error *error) {
    uint32_t each = gpu_default->max_threads / (l->warps * SIM_WARP);
    if (each > gpu_default->max_blocks) each = gpu_default->max_blocks;
    if (l->shared_bytes && each > gpu_default->shared_bytes / l->shared_bytes)
        each = gpu_default->shared_bytes / l->shared_bytes;
    uint64_t slots = (uint64_t)sim->options.sm_count * (each ? each : 1);
    slots = slots < l->cluster_blocks ? l->cluster_blocks : slots - slots % l->cluster_blocks;
    l->slots = slots < l->blocks ? (uint32_t)slots : l->blocks;
    if (launch->cooperative && slots < l->blocks)
        REFUSE("the cooperative launch has %u blocks, but at most %llu of them can be resident at once", l->blocks,
               (unsigned long long)slots);
    return true;
}
/* Checks the launch and fills in run->info and run->kernel. */
static bool check_launch(struct sim_run *run, const struct sim_launch *launch, struct sim_error *error) {
    struct sim_launch_info *l = &run->info;
    const struct sim_program *p = run->program;
    const struct ptx_function *f = ptx_find_function(p->module, launch->kernel);
    if (!f || !f->entry) REFUSE("no kernel `%s` in %s", launch->kernel, p->module->name);
    if (f->reasons) return say_reasons(p->module, f, error), false;
    run->kernel = &p->functions[f->index];
    l->module = p->module, l->kernel = f, l->code = p->source, l->code_count = p->code_count;
    l->code_begin = run->kernel->calls ? 0 : run->kernel->entry;
    l->code_end = run->kernel->calls ? p->code_count : run->kernel->end;
    l->symbols = run->kernel->symbols, l->symbol_count = run->kernel->symbol_count;
    return check_parameters(launch, f, error) && check_grid(l, launch, f, error) &&
           sim_check_clusters(l, f, launch, error) && check_shared(l, launch, run->kernel, error) &&
           check_residency(l, launch, run->sim, error);
}
#undef REFUSE

static bool collect_params(struct sim_memory *m, const struct sim_function *f, const void *const *params,
                           unsigned count) {
    m->data = calloc(1, f->param_bytes + 8);
    if (!m->data) return false;
    m->object = (struct sim_object){.kind = SIM_PARAMETERS,
                                    .space = PTX_PARAM,
                                    .name = "parameters",
                                    .address = SIM_PARAM_WINDOW,
                                    .size = f->param_bytes,
                                    .initialized = true,
                                    .read_only = true};
    for (unsigned k = 0; k < count; k++) memcpy(m->data + f->param_offset[k], params[k], f->source->params[k]->size);
    return true;
}
/* Finds the object that each 8-byte word of the parameters points to. A pointer to the byte after an object's end
 * counts as a pointer to the object. */
static bool find_pointed(struct sim_run *run, uint32_t words) {
    run->pointed = calloc(words + 1, sizeof *run->pointed);
    for (uint32_t k = 0; run->pointed && k < words; k++) {
        uint64_t address;
        bool inside;
        memcpy(&address, run->params.data + 8 * (size_t)k, 8);
        struct sim_memory *m = sim_find(run->sim, address, &inside);
        if (m && address - m->object.address <= m->object.size) run->pointed[k] = m;
    }
    return run->pointed;
}
static bool prepare(struct sim_run *run, const struct sim_launch *launch) {
    const struct sim_function *f = run->kernel;
    run->slots = run->info.slots;
    run->cooperative = launch->cooperative;
    run->sample = launch->sample, run->sample_count = launch->sample_count;
    const struct sim_object **objects = calloc(run->sim->object_count + 1, sizeof *objects);
    run->info.objects = objects;
    if (!objects || !collect_params(&run->params, f, launch->params, launch->param_count)) return false;
    if (launch->idle_params && !collect_params(&run->idle, f, launch->idle_params, launch->param_count)) return false;
    for (unsigned k = 0; k < run->sim->object_count; k++) objects[k] = &run->sim->objects[k]->object;
    run->info.object_count = run->sim->object_count;
    return find_pointed(run, f->param_bytes / 8);
}

void sim_forget_calls(struct sim_run *run) {
    free(run->chains);
    for (unsigned k = 0; run->bases && k < run->program->module->function_count; k++) free(run->bases[k].at);
    free(run->bases);
}
void sim_charge(const struct sim_launch_info *launch, uint64_t bytes) {
    struct sim_run *run = launch->run;
    if (!run || (run->kept += bytes) <= run->may_keep) return;
    run->kept_too_much = run->stopped = true;
}
static void say_no_memory(const struct sim_run *run, struct sim_error *error) {
    const struct sim *s = run->sim;
    if (run->kept_too_much)
        snprintf(error->message, sizeof error->message,
                 "recording the accesses of this launch to writable buffers takes more than %llu MiB: add const to "
                 "buffers that the kernel only reads, or run fewer blocks",
                 (unsigned long long)(run->may_keep >> 20));
    else
        snprintf(error->message, sizeof error->message,
                 "the launch writes more than the %llu MiB of memory that the simulator may use (large buffers use "
                 "memory only where they are written)",
                 (unsigned long long)(sim_memory_limit(s) >> 20));
}
/* Returns a number that decides values on which no program may rely: the SMs of blocks, warp ids, clocks. With a
 * shuffled order, the number is drawn from the seed and the launch, which exposes kernels that rely on them. Otherwise,
 * it is 0. */
static uint64_t draw_place(const struct sim_run *run) {
    const struct sim_options *o = &run->sim->options;
    const uint32_t of[] = {run->info.grid[0], run->info.block[0]};
    uint64_t h = hash_bytes(HASH_START, &o->seed, sizeof o->seed);
    h = hash_bytes(hash_bytes(h, of, sizeof of), run->params.data, run->kernel->param_bytes);
    return o->shuffle ? random_next(&h) >> 16 : 0;
}
/* Runs one grid and then its child grids. */
static enum sim_status launch_one(struct sim *s, const struct sim_launch *launch, struct sim_nest *nest,
                                  struct sim_error *error) {
    struct sim_run *run = calloc(1, sizeof *run);
    enum sim_status status = SIM_NO_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory");
    if (!run) return status;
    run->sim = s, run->program = launch->program ? launch->program : s->program;
    for (unsigned k = 0; k < s->loaded_count; k++)
        if (s->loaded[k].program == run->program) run->variable = s->loaded[k].variable;
    if (!run->variable) return free(run), status;
    run->info.run = run, run->may_keep = sim_memory_limit(s);
    run->nest = nest, run->info.number = nest->number;
    run->budget = nest->budget > nest->spent ? nest->budget - nest->spent : 1, run->depth = nest->depth;
    uint32_t *order = NULL, blocks = 0;
    if (!check_launch(run, launch, error)) {
        status = SIM_BAD_LAUNCH;
    } else if (prepare(run, launch) && (order = order_of_blocks(run, launch, &blocks))) {
        run->info.run_blocks = blocks;
        run->place = draw_place(run);
        run->frames_before = s->launched == run->kernel ? s->frames_end : 0;
        bool ok = !launch->sample_count && run->info.cluster_blocks == 1 && sim_run_parts(run, launch, order);
        if (!ok) {
            sim_listen(run, launch->listeners, launch->listener_count);
            SIM_EMIT(run, launch_begin, &run->info);
            ok = sim_run_blocks(run, order, blocks);
            SIM_EMIT(run, launch_end, &run->info);
        }
        if (run->no_memory || run->kept_too_much)
            status = SIM_NO_MEMORY, say_no_memory(run, error);
        else if (ok)
            status = run->stopped ? SIM_STOPPED : SIM_DONE, error->message[0] = 0;
        s->launched = run->kernel, s->frames_end = run->frames_end;
        nest->executed += run->executed, nest->spent += sim_spent(run), nest->products += run->products;
        nest->launches++;
        if (!nest->depth) nest->parts = run->parts ? run->parts : 1;
        if (status == SIM_DONE) status = sim_run_children(run, launch, launch_one, nest, error);
    }
    free(order);
    free((void *)run->info.objects);
    free(run->whole_spans);
    sim_forget_calls(run);
    sim_forget_looks(run);
    sim_forget_children(run);
    free(run->params.data);
    free(run->pointed);
    free(run->idle.data);
    free(run);
    return status;
}
enum sim_status sim_launch(struct sim *s, const struct sim_launch *launch, struct sim_stats *stats,
                           struct sim_error *error) {
    struct sim_error ignored;
    struct sim_nest nest = {.budget = s->options.budget ? s->options.budget : default_budget, .parts = 1};
    s->printed = 0;
    const enum sim_status status = launch_one(s, launch, &nest, error ? error : &ignored);
    if (stats && nest.launches)
        *stats = (struct sim_stats){.warp_instructions = nest.executed,
                                    .spent = nest.spent,
                                    .products = nest.products,
                                    .launches = nest.launches,
                                    .parts = nest.parts};
    return status;
}

void sim_fault(struct sim_warp *w, struct sim_fault *f) {
    f->where = &w->where;
    w->block->run->extra += SIM_FAULT_COST;
    if (f->fatal) w->block->run->stopped = true;
    SIM_EMIT(w->block->run, fault, f);
}
