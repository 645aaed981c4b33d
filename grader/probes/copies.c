/* Checks asynchronous copies (cp.async, cp.async.bulk) and matrix products (wgmma). Before a wait, reports accesses to
 * the destination and changes to the source. Also reports bulk copies and products that may miss threads' stores, and
 * misuse of mbarrier objects (barriers in shared memory), bulk copies, tensor maps and wgmma.
 *
 * races.c checks the order of a copy's stores and accesses after the wait. */
#include "probes/probe.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

enum { EARLY, SOURCE, PROXY, MBARRIER };
static const struct finding_kind kinds[] = {
    [EARLY] = {.key = "copy-in-flight",
               .title = "copy still in flight",
               .explanation =
                   "The line of an asynchronous copy (cp.async, __pipeline_memcpy_async, cuda::memcpy_async) only "
                   "starts the copy. The content of the destination is undefined until the thread that started the "
                   "copy has waited for it; a block-wide barrier does not wait for copies. First wait "
                   "(cp.async.wait_group, __pipeline_wait_prior, a barrier that the copy arrives at), then synchronize "
                   "the block, so that other threads see the data, too. wait_group N leaves the N newest groups in "
                   "flight, so check N in the last iterations of a loop, which start no more copies.",
               .rank = 210,
               .drawing = DRAW_ACCESSES,
               .between = "the copy is in flight"},
    [SOURCE] = {.key = "copy-source",
                .title = "source changed while its copy is in flight",
                .explanation =
                    "An asynchronous copy or a product of matrices (wgmma) may read its source until the thread that "
                    "started the operation has waited for it. If the source changes in the meantime, the result "
                    "may contain old values, new values, or both. Wait before any thread writes to the source.",
                .rank = 240,
                .drawing = DRAW_ACCESSES,
                .between = "the copy is in flight"},
    [PROXY] = {.key = "proxy-fence",
               .title = "bulk copy that might not see a store",
               .explanation =
                   "A bulk copy (cp.async.bulk) accesses memory through the async proxy. This proxy might "
                   "not see a thread's stores, even after a block-wide barrier. Each thread that stores must execute "
                   "fence.proxy.async (cuda::ptx::fence_proxy_async) after its stores. Then the block synchronizes, "
                   "and one thread starts the copy.",
               .rank = 250,
               .drawing = DRAW_ACCESSES,
               .between = "no fence between the proxies"},
    [MBARRIER] = {.key = "mbarrier",
                  .title = "incorrect use of an mbarrier, a bulk copy or wgmma",
                  .explanation =
                      "An mbarrier is an object in shared memory that counts arrivals. One thread initializes it "
                      "once, with the number of arrivals of a phase. The other threads may use it after a "
                      "block-wide barrier. Before its memory is used for anything else, the mbarrier must be "
                      "invalidated. Each phase has exactly the given number of arrivals. A thread that arrives must "
                      "wait for that phase, not for an earlier one; other threads may wait, too. Ordinary loads and "
                      "stores must not access the mbarrier's eight bytes. A bulk copy moves a multiple of 16 bytes "
                      "and must complete before its block exits. If it copies to shared memory, its mbarrier is in "
                      "the same block's shared memory. Exactly 128 threads start a wgmma product together, and each "
                      "of them must wait for it.",
                  .rank = 170},
    [MBARRIER + 1] = {NULL},
};

/* The thread whose copy from or to a word is in flight. A word is 4 bytes long, the size of the smallest copy. */
struct copier {
    uint32_t pc, call; /* pc: the copy's pc + 1, or 0 if no copy is in flight */
    uint32_t block;
    uint8_t warp, lane;
    bool product; /* a matrix product reads the word, not a copy */
    /* Number of reducing copies in flight to the word, which may complete in any order. 0 if the copy in flight
     * overwrites the word, or if a copy or matrix product reads it. */
    uint32_t combine;
};
enum { WORD = 4 };
/* The last store to a word of shared memory. The time is the launch's number of warp-wide stores to shared memory and
 * of proxy fences so far. */
struct writer {
    uint64_t when; /* time of the store; 0: no thread of the block has stored to the word */
    uint32_t pc, call;
    uint8_t warp, lane;
};
struct slot_copies {
    struct copier *word; /* by word of shared memory */
    uint64_t words, in_flight;
    uint64_t *barrier; /* one bit per word: it belongs to an mbarrier */
    unsigned barriers;
    struct writer *writer;              /* indexed by word; NULL if `reads_shared` is false */
    uint64_t fenced[SIM_MAX_WARPS][32]; /* time of each thread's last fence.proxy.async */
};
struct source {
    struct copier copier;
    uint32_t count; /* number of copies in flight */
};
struct copies_probe {
    struct measurement *m;
    struct probe_slots slots;
    struct map sources; /* maps object and word to 1 + the index in `source` */
    struct source *source;
    unsigned source_count, source_room, in_flight;
    bool reads_shared; /* the module has bulk copies from shared memory, or wgmma */
    uint64_t now;
};

static void *create(struct measurement *m) {
    struct copies_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}
/* Forgets the copies of the previous launch: all copies complete before a launch ends. */
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct copies_probe *p = self;
    map_clear(&p->sources);
    p->source_count = p->in_flight = 0;
    p->reads_shared = launch->module->has[PTX_OP_wgmma], p->now = 0;
    for (unsigned op = 0; op < PTX_OP_COUNT; op++) {
        const enum ptx_bulk bulk = ptx_ops[op].traits.bulk;
        p->reads_shared |= launch->module->has[op] && (bulk == PTX_BULK_STORE || bulk == PTX_BULK_PASS);
    }
}
static void block_begin(void *self, const struct sim_block_event *e) {
    struct copies_probe *p = self;
    struct slot_copies *s = probe_slot(&p->slots, e->where->slot);
    if (!s || !s->words) return;
    memset(s->word, 0, s->words * sizeof *s->word);
    memset(s->barrier, 0, (s->words / 64 + 1) * sizeof *s->barrier);
    if (s->writer) memset(s->writer, 0, s->words * sizeof *s->writer);
    memset(s->fenced, 0, sizeof s->fenced);
    s->in_flight = s->barriers = 0;
}
/* Returns a slot's state. Allocates it at the first call, and enlarges it for a launch with more shared memory. */
static struct slot_copies *slot_of(struct copies_probe *p, uint32_t slot, const struct sim_where *where) {
    struct slot_copies *s = probe_slot_make(&p->slots, slot, sizeof *s);
    const uint64_t words = where->launch->shared_bytes / WORD + 4;
    if (p->reads_shared && !s->writer) s->writer = probe_alloc(words > s->words ? words : s->words, sizeof *s->writer);
    if (s->words >= words) return s;
    if (s->writer) {
        s->writer = probe_grow(s->writer, words, sizeof *s->writer);
        memset(s->writer, 0, words * sizeof *s->writer);
    }
    s->word = probe_grow(s->word, words, sizeof *s->word);
    s->barrier = probe_grow(s->barrier, words / 64 + 1, sizeof *s->barrier);
    memset(s->word, 0, words * sizeof *s->word);
    memset(s->barrier, 0, (words / 64 + 1) * sizeof *s->barrier);
    s->words = words, s->in_flight = s->barriers = 0;
    return s;
}

/* ---- reports -------------------------------------------------------------------------------------------------- */

/* Returns a finding for these lanes at instruction `pc`, and writes their description to `who`. */
static struct finding found(const struct copies_probe *p, unsigned kind, const struct sim_where *where, uint32_t pc,
                            uint32_t lanes, char who[96]) {
    finding_who(measure_taught(p->m), where->warp, lanes, where->launched, who, 96);
    return (struct finding){.kind = &kinds[kind], .at = finding_site(where, pc, lanes), .other.pc = UINT32_MAX};
}
/* Writes the name of the variable at `offset` to f->object. Returns the offset in this variable. */
static uint64_t found_in(struct finding *f, const struct sim_where *where, const struct sim_object *o,
                         uint64_t offset) {
    const struct finding_place place = finding_place(where->launch, o, offset);
    finding_object(o, &place, f->object, sizeof f->object);
    f->offset = (int64_t)offset, f->bytes = WORD;
    return offset - place.start;
}
static void report(struct copies_probe *p, const struct sim_where *where, uint32_t pc, uint32_t lanes, const char *verb,
                   const struct sim_object *object, uint64_t offset, const struct copier *by, unsigned kind) {
    char who[96];
    struct finding f = found(p, kind, where, pc, lanes, who);
    const uint64_t byte = found_in(&f, where, object, offset);
    const bool own = by->block == where->block && by->warp == where->warp && lanes == 1u << by->lane;
    struct sim_where there = *where;
    there.warp = by->warp, there.block = by->block, there.call = by->call;
    f.other = finding_site(&there, by->pc - 1, 1u << by->lane);
    if (by->product)
        snprintf(f.message, sizeof f.message,
                 "%s %s byte %" PRIu64 " of %s, which a product of matrices (wgmma) may still be reading: no "
                 "wait_group was executed since the product started",
                 who, verb, byte, f.object);
    else
        snprintf(f.message, sizeof f.message,
                 "%s %s byte %" PRIu64 " of %s, %s a copy that %s began is still in flight", who, verb, byte, f.object,
                 kind == SOURCE ? "from which" : "to which", own ? "it" : "another thread");
    finding_add(&p->m->findings, &f);
}
static void report_misuse(struct copies_probe *p, const struct sim_where *where, uint32_t pc, uint32_t lanes,
                          const char *text) {
    char who[96];
    struct finding f = found(p, MBARRIER, where, pc, lanes, who);
    snprintf(f.message, sizeof f.message, "%s %s", who, text);
    finding_add(&p->m->findings, &f);
}
/* Reports a copy from a word that a thread of the block has stored without a later fence. */
static void report_unfenced(struct copies_probe *p, const struct sim_copy_event *e, uint32_t l, uint64_t word,
                            const struct writer *w) {
    struct sim_where there = *e->where;
    char who[96];
    there.warp = w->warp, there.call = w->call;
    struct finding f = found(p, PROXY, &there, w->pc, 1u << w->lane, who);
    f.other = f.at, f.at = finding_site(e->where, e->pc, 1u << l);
    const uint64_t byte = found_in(&f, e->where, e->source, word * WORD);
    snprintf(f.message, sizeof f.message,
             "%s wrote byte %" PRIu64 " of %s without fence.proxy.async before a %s read it", who, byte, f.object,
             e->product ? "product of matrices (wgmma)" : "bulk copy");
    finding_add(&p->m->findings, &f);
}

/* ---- copies start and complete -------------------------------------------------------------------------------- */

static uint64_t source_key(const struct sim_object *o, uint64_t word) {
    return (uint64_t)(o->id + 1) << 41 | (uint64_t)(o->space == PTX_SHARED) << 40 | word;
}
static void note_source(struct copies_probe *p, const struct sim_copy_event *e, uint32_t l) {
    for (uint64_t word = e->from[l] / WORD; e->source && word * WORD < e->from[l] + e->taken[l]; word++) {
        uint64_t *at = probe_map(&p->sources, source_key(e->source, word));
        if (!*at) {
            p->source = probe_room(p->source, p->source_count + 1, &p->source_room, sizeof *p->source);
            p->source[p->source_count++] = (struct source){.count = 0};
            *at = p->source_count;
        }
        struct source *s = &p->source[*at - 1];
        if (!e->begins) {
            if (s->count) s->count--, p->in_flight--;
            continue;
        }
        s->copier = (struct copier){
            e->pc + 1, e->where->call, e->where->block, (uint8_t)e->where->warp, (uint8_t)l, e->product, 0};
        s->count++, p->in_flight++;
    }
}
/* Checks the words that a bulk copy or matrix product reads from shared memory. After the last store to a word,
 * fence.proxy.async must follow: in the storing thread, or in the one that starts the copy or product. */
static void look_for_fence(struct copies_probe *p, const struct sim_copy_event *e, uint32_t l) {
    const struct slot_copies *s =
        e->source && e->source->space == PTX_SHARED && p->reads_shared ? slot_of(p, e->source->id, e->where) : NULL;
    for (uint64_t word = s ? e->from[l] / WORD : 0; s && word * WORD < e->from[l] + e->taken[l]; word++) {
        const struct writer *w = &s->writer[word];
        if (!w->when || w->when < s->fenced[w->warp][w->lane] || w->when < s->fenced[e->where->warp][l]) continue;
        report_unfenced(p, e, l, word, w);
        return;
    }
}
static void copy(void *self, const struct sim_copy_event *e) {
    struct copies_probe *p = self;
    struct slot_copies *s = slot_of(p, e->shared ? e->shared->id : e->where->slot, e->where);
    EACH_LANE (l, e->mask) {
        if (e->begins && e->bulk) look_for_fence(p, e, l);
        for (uint64_t word = e->offset[l] / WORD; e->shared && word * WORD < e->offset[l] + e->bytes; word++) {
            struct copier *c = &s->word[word];
            if (e->begins && c->pc && e->combines && c->combine) {
                c->combine++;
                continue;
            }
            if (!e->begins && c->combine > 1) {
                c->combine--;
                continue;
            }
            if (e->begins && c->pc) report(p, e->where, e->pc, 1u << l, "copied to", e->shared, word * WORD, c, EARLY);
            s->in_flight += e->begins ? !c->pc : -(uint64_t)(c->pc != 0);
            *c = (struct copier){e->begins ? e->pc + 1 : 0, e->where->call, e->where->block,
                                 (uint8_t)e->where->warp,   (uint8_t)l,     false,
                                 e->begins && e->combines};
        }
        note_source(p, e, l);
    }
}

/* ---- accesses ------------------------------------------------------------------------------------------------- */

static const char *const verbs[] = {[SIM_LOAD] = "read", [SIM_STORE] = "wrote", [SIM_ATOMIC] = "updated"};

static bool is_barrier_word(const struct slot_copies *s, uint64_t word) {
    return s->barrier[word / 64] >> word % 64 & 1;
}
static void touch_barrier(struct copies_probe *p, const struct sim_access *e, uint32_t lanes) {
    char text[64];
    snprintf(text, sizeof text, "%s the bytes of an mbarrier with an ordinary access", verbs[e->kind]);
    report_misuse(p, e->where, e->pc, lanes, text);
}
static void access_shared(struct copies_probe *p, const struct sim_access *e, struct slot_copies *s) {
    const bool own = s->barriers && e->mbarrier;
    uint32_t touched = 0;
    EACH_LANE (l, e->mask & ~e->dropped) {
        for (uint64_t word = e->offset[l] / WORD; word * WORD < e->offset[l] + e->bytes; word++) {
            if (s->barriers && !own && is_barrier_word(s, word)) touched |= 1u << l;
            if (!s->word[word].pc || (s->word[word].combine && probe_is_of_bulk_copy(e))) continue;
            report(p, e->where, e->pc, 1u << l, verbs[e->kind], e->object, word * WORD, &s->word[word], EARLY);
            break;
        }
    }
    if (touched) touch_barrier(p, e, touched);
}
/* Records threads' stores. A bulk copy is sure to see them only after a fence. */
static void note_writer(struct copies_probe *p, const struct sim_access *e) {
    struct slot_copies *s = slot_of(p, e->object->id, e->where);
    p->now++;
    EACH_LANE (l, e->mask & ~e->dropped)
        for (uint64_t word = e->offset[l] / WORD; word * WORD < e->offset[l] + e->bytes; word++)
            s->writer[word] = (struct writer){p->now, e->pc, e->where->call, (uint8_t)e->where->warp, (uint8_t)l};
}
static void proxy_fence(void *self, const struct sim_fence *e) {
    struct copies_probe *p = self;
    if (!p->reads_shared) return;
    struct slot_copies *s = slot_of(p, e->where->slot, e->where);
    p->now++;
    EACH_LANE (l, e->mask) s->fenced[e->where->warp][l] = p->now;
}
static void access(void *self, const struct sim_access *e) {
    struct copies_probe *p = self;
    if (e->object->space == PTX_SHARED) {
        struct slot_copies *s = probe_slot(&p->slots, e->object->id);
        if (s && (s->in_flight || s->barriers)) access_shared(p, e, s);
        if (p->reads_shared && e->kind != SIM_LOAD && !e->mbarrier && !probe_is_of_bulk_copy(e)) note_writer(p, e);
    }
    if (e->kind == SIM_LOAD || !p->in_flight || (e->object->space != PTX_GLOBAL && e->object->space != PTX_SHARED))
        return;
    EACH_LANE (l, e->mask) {
        for (uint64_t word = e->offset[l] / WORD; word * WORD < e->offset[l] + e->bytes; word++) {
            const uint64_t *at = map_find(&p->sources, source_key(e->object, word));
            if (!at || !*at || !p->source[*at - 1].count) continue;
            report(p, e->where, e->pc, 1u << l, verbs[e->kind], e->object, word * WORD, &p->source[*at - 1].copier,
                   SOURCE);
            break;
        }
    }
}

/* ---- barriers ------------------------------------------------------------------------------------------------- */

static void mbarrier(void *self, const struct sim_mbarrier_event *e) {
    struct copies_probe *p = self;
    struct slot_copies *s = slot_of(p, e->where->slot, e->where);
    for (uint64_t word = e->offset / WORD; word < e->offset / WORD + 2; word++) {
        const uint64_t bit = UINT64_C(1) << word % 64;
        s->barrier[word / 64] = e->begins ? s->barrier[word / 64] | bit : s->barrier[word / 64] & ~bit;
    }
    s->barriers += e->begins ? 1 : -1u;
}
static void fault(void *self, const struct sim_fault *e) {
    struct copies_probe *p = self;
    if (e->kind != SIM_FAULT_MBARRIER) return;
    const struct finding same = {
        .kind = &kinds[MBARRIER], .at = finding_site(e->where, e->pc, e->lanes), .other.pc = UINT32_MAX};
    if (!finding_recurs(&p->m->findings, &same)) report_misuse(p, e->where, e->pc, e->lanes, e->text);
}

static void finish(void *self, struct measurement *m) {
    struct copies_probe *p = self;
    (void)m;
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct slot_copies *s = p->slots.state[k];
        if (s) free(s->word), free(s->barrier), free(s->writer);
    }
    probe_slots_free(&p->slots);
    map_free(&p->sources);
    free(p->source);
    free(p);
}

static const struct sim_probe callbacks = {.name = "copies",
                                           .launch_begin = launch_begin,
                                           .block_begin = block_begin,
                                           .access = access,
                                           .proxy_fence = proxy_fence,
                                           .copy = copy,
                                           .mbarrier = mbarrier,
                                           .fault = fault,
                                           .drops = true,
                                           .async_only = true};
const struct probe_row probe_copies = {
    .name = "copies",
    .question = "does the kernel wait for an asynchronous copy before it reads the destination or changes the source?",
    .part_of = MEASURE_RACES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
