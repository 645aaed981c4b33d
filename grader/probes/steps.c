/* Divides a block's work into steps. Records each step's kind, its divergent warps, and the lane map.
 *
 * A step's key has two numbers: the block-wide barriers passed, and the warp's other synchronizations since (those of
 * its lanes, and barriers for only some threads). Between two block-wide barriers, warps go through their sub-steps
 * independently. When the barrier completes or the block exits, the interval ends and its steps are counted.
 * docs/metrics.md defines the terms. */
#include "probes/probe.h"

#define MAX_SUBSTEPS 4096 /* maximum per barrier interval; further ones join the last */
#define MAX_STEPS 4096    /* maximum steps that are kept for the observed block */
#define MAX_OBJECTS 12    /* maximum variables and buffers of a step */
#define MAX_SPLIT_LINES 6
#define NO_PC UINT32_MAX

enum {
    LOADED = 1,
    STORED = 2,
    SEVERAL = 4, /* the shared variable has more than 16 bytes, so several elements */
    IN_SHARED = 8,
    UPDATED = 16, /* by atomics */
    COMBINED = 32 /* the loaded value is combined with another one */
};

/* A buffer, a module variable, or a variable in shared memory. */
struct used_object {
    uint32_t key;
    uint8_t flags;
};

/* A step of any block. Each step of the observed block also has a struct seen_step. */
struct open_step {
    uint32_t divergent; /* mask of warps */
    uint32_t active;    /* mask of warps */
    uint32_t in_memory; /* mask of active warps that accessed data in memory */
    uint32_t partial;   /* mask of warps that exchanged values between only some lanes */
    bool exchange;      /* an exchange of values between a warp's lanes ended the step */
    uint8_t object_count;
    struct used_object objects[MAX_OBJECTS];
};
struct seen_step {
    uint64_t warp_instructions, lane_instructions;
    uint32_t present; /* mask of warps */
    uint32_t split_warp, split_pc, split_count;
    uint32_t splits[MAX_SPLIT_LINES]; /* pcs of divergent branches */
    uint32_t active[SIM_MAX_WARPS], instructions[SIM_MAX_WARPS], split_instructions[SIM_MAX_WARPS];
};
struct warp_state {
    uint32_t sync;     /* other synchronizations since the block-wide barrier */
    uint32_t split_pc; /* the branch where the lanes last diverged; NO_PC if all have reconverged */
    /* After a shuffle: the first shuffle of its exchange. After another synchronization: NO_PC. */
    uint32_t shuffle_pc;
};
struct slot_steps {
    struct open_step *open;
    struct seen_step *seen; /* `capacity` steps in the observed block, otherwise NULL */
    uint32_t open_count, capacity;
    uint32_t barriers;
    uint32_t written[8], written_count; /* variables and buffers written in the block's completed steps */
    struct warp_state warp[SIM_MAX_WARPS];
};
/* Where the variables in shared memory end, in ascending order. */
struct shared_map {
    uint64_t end[16];
    bool array[16];
    unsigned count;
};

struct steps_probe {
    struct measurement *m;
    struct steps *list;
    const struct sim_launch_info *launch;
    struct probe_slots slots;
    struct shared_map shared;
    uint32_t observed_slot; /* the observed block's slot; NO_PC if it does not run */
    bool done;              /* the observed block has run, in this launch or before */
    bool watching;          /* the observed block may run in this launch */
    uint32_t launches;      /* number of launches so far */
    uint64_t steps, divergent, tree, divergent_tree, divergent_in_memory, tree_warps, tree_warps_in_memory;
    uint8_t *known; /* by pc: result of cached_test(): 2: true; 1: false; 0: unknown */
    uint32_t capacity;
    struct probe_exchanges exchanges;
};

static void *create(struct measurement *m) {
    struct steps_probe *p = probe_alloc(1, sizeof *p);
    p->m = m, p->list = m->result[PROBE_steps];
    p->observed_slot = NO_PC;
    return p;
}

/* ---- launches and blocks --------------------------------------------------------------------------------- */

/* Fills in the map. Bytes between variables are entries of their own. */
static void map_shared(struct shared_map *map, const struct sim_launch_info *launch) {
    map->count = 0;
    for (uint64_t at = 0; at < launch->shared_bytes && map->count < 16;) {
        const struct sim_symbol *symbol = sim_shared_symbol(launch, at);
        uint64_t end = at + 1;
        if (symbol)
            end = symbol->size < launch->shared_bytes - symbol->offset ? symbol->offset + symbol->size
                                                                       : launch->shared_bytes;
        else
            while (end < launch->shared_bytes && !sim_shared_symbol(launch, end)) end++;
        if (end <= at) end = at + 1;
        map->array[map->count] = end - at > 16;
        map->end[map->count++] = at = end;
    }
}

static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct steps_probe *p = self;
    p->launch = launch;
    p->done |= p->list->count > 0;
    p->watching = !p->done && p->launches++ >= p->m->observed_launch;
    if (p->watching) p->list->warps = launch->warps;
    map_shared(&p->shared, launch);
    p->known = probe_by_pc(p->known, launch, &p->capacity, 1);
}

static void reset_interval(const struct steps_probe *p, struct slot_steps *s) {
    s->open_count = 0;
    for (unsigned w = 0; w < p->launch->warps; w++) s->warp[w].sync = 0, s->warp[w].shuffle_pc = NO_PC;
}

static void block_begin(void *self, const struct sim_block_event *e) {
    struct steps_probe *p = self;
    struct slot_steps *s = probe_slot_make(&p->slots, e->where->slot, sizeof *s);
    s->barriers = 0;
    s->written_count = 0;
    if (p->watching && !p->done && e->where->block == p->m->observed_block) {
        p->observed_slot = e->where->slot, *e->spans = true;
        s->seen = probe_alloc(s->capacity, sizeof *s->seen);
    }
    reset_interval(p, s);
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) s->warp[w].split_pc = NO_PC;
}

static struct open_step *open_steps(struct slot_steps *s, uint32_t k) {
    const uint32_t before = s->capacity;
    s->open = probe_room(s->open, k + 1, &s->capacity, sizeof *s->open);
    if (s->seen && s->capacity > before) s->seen = probe_grow(s->seen, s->capacity, sizeof *s->seen);
    for (; s->open_count <= k; s->open_count++) {
        struct open_step *step = &s->open[s->open_count];
        step->divergent = 0, step->active = 0, step->in_memory = 0, step->partial = 0, step->exchange = false,
        step->object_count = 0;
        if (!s->seen) continue;
        s->seen[s->open_count] = (struct seen_step){.split_warp = NO_PC, .split_pc = NO_PC};
    }
    return &s->open[k];
}
static inline struct open_step *step_of(struct slot_steps *s, uint32_t warp) {
    uint32_t k = s->warp[warp].sync;
    return __builtin_expect(k < s->open_count, 1) ? &s->open[k] : open_steps(s, k);
}
/* Returns the additional record of the warp's current step, or NULL outside the observed block. */
static inline struct seen_step *seen_of(const struct steps_probe *p, struct slot_steps *s,
                                        const struct sim_where *where) {
    if (where->slot != p->observed_slot) return NULL;
    return &s->seen[s->warp[where->warp].sync];
}

/* ---- events in a step ------------------------------------------------------------------------------------ */

static void see_span(struct steps_probe *p, struct slot_steps *s, const struct sim_span *e,
                     const struct open_step *step) {
    struct seen_step *seen = seen_of(p, s, e->where);
    struct warp_state *w = &s->warp[e->where->warp];
    uint32_t n = e->end - e->begin, warp = e->where->warp;
    seen->warp_instructions += n;
    seen->lane_instructions += (uint64_t)n * lanes_in(e->mask);
    seen->present |= 1u << warp;
    seen->instructions[warp] += n;
    if (e->mask != e->where->launched) seen->split_instructions[warp] += n;
    if (e->mask == e->where->launched)
        w->split_pc = NO_PC;
    else if (!(step->divergent >> warp & 1) && warp < seen->split_warp) {
        seen->split_warp = warp; /* the lowest warp, whatever the order of execution */
        seen->split_pc = w->split_pc != NO_PC ? w->split_pc : e->begin;
    }
}

static void span(void *self, const struct sim_span *e) {
    struct steps_probe *p = self;
    const struct sim_where *where = e->where;
    bool whole = e->mask == where->launched, observed = where->slot == p->observed_slot;
    if (whole && !observed) return;
    struct slot_steps *s = p->slots.state[where->slot];
    struct open_step *step = step_of(s, where->warp);
    if (observed) see_span(p, s, e, step);
    if (!whole) step->divergent |= 1u << where->warp;
}

static void branch(void *self, const struct sim_branch *e) {
    struct steps_probe *p = self;
    if (e->where->slot != p->observed_slot) return;
    struct slot_steps *s = p->slots.state[e->where->slot];
    step_of(s, e->where->warp);
    struct seen_step *seen = seen_of(p, s, e->where);
    s->warp[e->where->warp].split_pc = e->pc;
    if (seen->split_count == MAX_SPLIT_LINES) return;
    for (unsigned k = 0; k < seen->split_count; k++)
        if (seen->splits[k] == e->pc) return;
    seen->splits[seen->split_count++] = e->pc;
}

/* Returns the key of the accessed variable or buffer: below 16 for a shared variable, otherwise 16 plus the object's
 * id. For a shared variable, adds IN_SHARED to *flags, and perhaps SEVERAL. */
static uint32_t object_key(const struct steps_probe *p, const struct sim_access *e, uint8_t *flags) {
    if (e->object->space != PTX_SHARED) return 16 + e->object->id;
    uint64_t offset = e->offset[lowest_lane(e->mask)];
    unsigned k = 0;
    while (k + 1 < p->shared.count && offset >= p->shared.end[k]) k++;
    *flags |= IN_SHARED | (p->shared.count && p->shared.array[k] ? SEVERAL : 0);
    return k;
}

/* Returns test() for the instruction at `pc`. Calls test() only once per instruction. */
static bool cached_test(struct steps_probe *p, bool test(const struct sim_launch_info *, uint32_t), uint32_t pc) {
    uint8_t *known = &p->known[pc];
    if (!*known) *known = test(p->launch, pc) ? 2 : 1;
    return *known == 2;
}
static uint8_t how_loaded(struct steps_probe *p, const struct sim_access *e) {
    return cached_test(p, probe_combines, e->pc) ? LOADED | COMBINED : LOADED;
}
/* Returns whether the block's threads count their arrivals with this access, or wait for that count, as in
 * cuda::barrier. */
static bool only_waits(struct steps_probe *p, const struct sim_access *e) {
    return probe_polls(e) ||
           (e->kind == SIM_ATOMIC && e->object->space == PTX_SHARED && cached_test(p, probe_counts_threads, e->pc));
}
static void access(void *self, const struct sim_access *e) {
    struct steps_probe *p = self;
    if (e->object->space != PTX_GLOBAL && e->object->space != PTX_SHARED) return;
    if (only_waits(p, e) || probe_is_of_bulk_copy(e)) return;
    if (e->dropped == e->mask) return;
    struct slot_steps *s = p->slots.state[e->where->slot];
    struct open_step *step = step_of(s, e->where->warp);
    uint8_t flags = e->kind == SIM_LOAD ? how_loaded(p, e) : e->kind == SIM_STORE ? STORED : UPDATED;
    uint32_t key = object_key(p, e, &flags);
    struct seen_step *seen = seen_of(p, s, e->where);
    step->active |= 1u << e->where->warp, step->in_memory |= 1u << e->where->warp;
    if (seen) seen->active[e->where->warp] |= e->mask & ~e->dropped;
    for (unsigned k = 0; k < step->object_count; k++)
        if (step->objects[k].key == key) {
            step->objects[k].flags |= flags;
            return;
        }
    if (step->object_count < MAX_OBJECTS) step->objects[step->object_count++] = (struct used_object){key, flags};
}

static void next_substep(struct warp_state *w) {
    if (w->sync + 1 < MAX_SUBSTEPS) w->sync++;
}
static void sync(void *self, const struct sim_sync *e) {
    struct steps_probe *p = self;
    struct slot_steps *s = p->slots.state[e->where->slot];
    struct warp_state *w = &s->warp[e->where->warp];
    bool exchange = (e->kind == SIM_SHUFFLE || e->kind == SIM_REDUX) && !cached_test(p, probe_hands_on_count, e->pc);
    if (e->kind == SIM_SHUFFLE && probe_same_exchange(&p->exchanges, e->where->launch, w->shuffle_pc, e->pc)) return;
    w->shuffle_pc = e->kind == SIM_SHUFFLE ? e->pc : NO_PC;
    struct open_step *step = step_of(s, e->where->warp);
    struct seen_step *seen = seen_of(p, s, e->where);
    if (exchange) step->exchange = true, step->active |= 1u << e->where->warp;
    if (exchange && e->mask != e->where->launched) step->partial |= 1u << e->where->warp;
    if (exchange && seen) seen->active[e->where->warp] |= e->mask;
    next_substep(w);
}

/* ---- the end of an interval ------------------------------------------------------------------------------ */

static bool wrote_before(const struct slot_steps *s, uint32_t key) {
    for (uint32_t k = 0; k < s->written_count; k++)
        if (s->written[k] == key) return true;
    return false;
}

/* Applies the rules of docs/metrics.md, "Kinds of steps", in their order. */
static enum step_kind kind_of(const struct slot_steps *s, const struct open_step *step) {
    bool input = false, loaded = false, stored = false, loaded_shared = false, stored_shared = false,
         loaded_global = false;
    bool stored_array = false, both = step->exchange, combined = false;
    for (unsigned k = 0; k < step->object_count; k++) {
        const struct used_object *t = &step->objects[k];
        bool shared = t->flags & IN_SHARED, reads = t->flags & LOADED, writes = t->flags & (STORED | UPDATED);
        both |= (reads && t->flags & STORED) || (shared && t->flags & UPDATED && t->flags & SEVERAL);
        input |= reads && !shared && !wrote_before(s, t->key);
        loaded |= reads, stored |= writes;
        loaded_shared |= reads && shared, stored_shared |= writes && shared;
        loaded_global |= reads && !shared;
        stored_array |= writes && shared && t->flags & SEVERAL;
        combined |= t->flags & COMBINED && (shared ? t->flags & SEVERAL : wrote_before(s, t->key));
    }
    if (both) return STEP_TREE;
    if (loaded_shared && stored_array && !loaded_global) return STEP_TREE; /* between two working arrays */
    if (combined && !input) return STEP_TREE;                              /* into registers */
    if (input || (loaded_global && stored_shared)) return STEP_LOAD;
    if (stored) return STEP_WRITE;
    return loaded ? STEP_LOAD : STEP_OTHER;
}

static void keep_step(struct steps_probe *p, const struct slot_steps *s, uint32_t sync_key, enum step_kind kind) {
    const struct open_step *open = &s->open[sync_key];
    const struct seen_step *from = &s->seen[sync_key];
    struct steps *list = p->list;
    if (list->count == MAX_STEPS) {
        list->truncated = true;
        return;
    }
    if ((list->count & (list->count - 1)) == 0)
        list->item = probe_grow(list->item, list->count ? 2 * list->count : 1, sizeof *list->item);
    struct step *to = &list->item[list->count++];
    *to = (struct step){.barrier = s->barriers,
                        .sync = sync_key,
                        .kind = kind,
                        .divergent = open->divergent != 0,
                        .divergent_warps = lanes_in(open->divergent),
                        .warp_instructions = from->warp_instructions,
                        .lane_instructions = from->lane_instructions,
                        .present = from->present,
                        .split = open->divergent};
    for (unsigned w = 0; w < list->warps; w++) {
        to->active[w] = from->active[w], to->instructions[w] = from->instructions[w];
        to->split_instructions[w] = from->split_instructions[w];
        to->active_lanes += lanes_in(from->active[w]);
        to->active_warps += from->active[w] != 0;
    }
    struct sim_where where = {.launch = p->launch};
    if (to->divergent) {
        struct finding_site site = finding_site(&where, from->split_pc, 0);
        to->split_file = site.file, to->split_line = site.line;
    }
    const struct line_counts *counted[MAX_SPLIT_LINES];
    unsigned counted_count = 0;
    for (unsigned k = 0; (p->m->what & MEASURE_COUNTS) && k < from->split_count; k++) {
        struct line_counts *line = probe_line(p->m, p->launch, from->splits[k]);
        bool known = false;
        for (unsigned n = 0; n < counted_count; n++) known |= counted[n] == line;
        if (line && !known) line->divergent_steps++, counted[counted_count++] = line;
    }
}

/* Returns the last sub-step that any warp has reached. It contains at least the barrier or exit that ends the
 * interval. */
static uint32_t last_sync(const struct steps_probe *p, const struct slot_steps *s) {
    uint32_t last = 0;
    for (unsigned w = 0; w < p->launch->warps; w++)
        if (s->warp[w].sync > last) last = s->warp[w].sync;
    return last;
}

static void close_interval(struct steps_probe *p, struct slot_steps *s, uint32_t slot) {
    bool observed = slot == p->observed_slot;
    open_steps(s, last_sync(p, s));
    for (uint32_t k = 0; k < s->open_count; k++) {
        const struct open_step *step = &s->open[k];
        enum step_kind kind = kind_of(s, step);
        bool divergent = step->divergent != 0;
        p->steps++, p->divergent += divergent;
        if (kind == STEP_TREE) {
            p->tree++, p->divergent_tree += divergent;
            p->divergent_in_memory += (step->divergent & (step->in_memory | step->partial)) != 0;
            p->tree_warps += lanes_in(step->active), p->tree_warps_in_memory += lanes_in(step->in_memory);
        }
        if (observed) keep_step(p, s, k, kind);
        for (unsigned n = 0; n < step->object_count; n++)
            if (step->objects[n].flags & (STORED | UPDATED) && !wrote_before(s, step->objects[n].key) &&
                s->written_count < 8)
                s->written[s->written_count++] = step->objects[n].key;
    }
    reset_interval(p, s);
}

static void barrier(void *self, const struct sim_barrier *e) {
    struct steps_probe *p = self;
    struct slot_steps *s = p->slots.state[e->where->slot];
    if (e->whole_block) {
        close_interval(p, s, e->where->slot);
        s->barriers++;
        return;
    }
    for (unsigned k = 0; k < p->launch->warps; k++)
        if (e->arrived[k]) next_substep(&s->warp[k]), s->warp[k].shuffle_pc = NO_PC;
}

/* Treats a cluster barrier as a barrier of each block. */
static void cluster(void *self, const struct sim_cluster_event *e) {
    struct steps_probe *p = self;
    const uint32_t blocks = e->where->launch->cluster_blocks, first = e->where->slot - e->where->slot % blocks;
    for (uint32_t k = first; e->kind == SIM_CLUSTER_COMPLETE && k < first + blocks; k++) {
        struct slot_steps *s = p->slots.state[k];
        close_interval(p, s, k);
        s->barriers++;
    }
}
static void block_end(void *self, const struct sim_block_event *e) {
    struct steps_probe *p = self;
    struct slot_steps *s = p->slots.state[e->where->slot];
    close_interval(p, s, e->where->slot);
    if (e->where->slot != p->observed_slot) return;
    p->done = true;
    p->observed_slot = NO_PC;
    free(s->seen);
    s->seen = NULL;
}

static void finish(void *self, struct measurement *m) {
    struct steps_probe *p = self;
    (void)m;
    p->list->steps += p->steps;
    p->list->divergent_steps += p->divergent;
    p->list->tree_steps += p->tree;
    p->list->divergent_tree_steps += p->divergent_tree;
    p->list->divergent_in_memory += p->divergent_in_memory;
    p->list->tree_warps += p->tree_warps;
    p->list->tree_warps_in_memory += p->tree_warps_in_memory;
    free(p->known);
    free(p->exchanges.begin);
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct slot_steps *s = p->slots.state[k];
        if (!s) continue;
        free(s->open);
        free(s->seen);
    }
    probe_slots_free(&p->slots);
    free(p);
}

/* Tells a part of a launch whether the observed block has run in an earlier launch. */
static void learn(void *part, const void *whole) {
    struct steps_probe *to = part;
    const struct steps_probe *from = whole;
    to->done = from->done || from->list->count;
}
static void join(void *whole, void *part) {
    struct steps *to = ((struct steps_probe *)whole)->list, *from = ((struct steps_probe *)part)->list;
    if (!from->count) return;
    free(to->item);
    to->item = from->item, to->count = from->count, to->warps = from->warps, to->truncated = from->truncated;
    from->item = NULL, from->count = 0;
}

const char *const step_kind_names[] = {
    [STEP_OTHER] = "other", [STEP_LOAD] = "load", [STEP_TREE] = "tree", [STEP_WRITE] = "write"};
static const struct field step_fields[] = {
    WORDS(struct step, barrier, INT32_MAX),
    WORDS(struct step, sync, INT32_MAX),
    WORDS(struct step, kind, STEP_WRITE),
    BOOLS(struct step, divergent),
    WORDS(struct step, active_lanes, INT32_MAX),
    WORDS(struct step, active_warps, INT32_MAX),
    WORDS(struct step, divergent_warps, INT32_MAX),
    WORDS(struct step, split_line, INT32_MAX),
    NAME(struct step, split_file),
    NUMBERS(struct step, warp_instructions),
    NUMBERS(struct step, lane_instructions),
    WORDS(struct step, present, UINT32_MAX),
    WORDS(struct step, split, UINT32_MAX),
    WORDS(struct step, active, UINT32_MAX),
    WORDS(struct step, instructions, UINT32_MAX),
    WORDS(struct step, split_instructions, UINT32_MAX),
    END_OF_FIELDS,
};
static const struct field fields[] = {
    NUMBERS_TO(struct steps, steps, tree_warps_in_memory),
    LIST(struct steps, item, count, MAX_STEPS, step_fields),
    WORDS(struct steps, warps, SIM_MAX_WARPS),
    BOOLS(struct steps, truncated),
    END_OF_FIELDS,
};
static const struct figure figures[] = {
    {"tree_steps", "tree steps", NULL, FIGURE_COUNT, BETTER_NEITHER, 4, 7, offsetof(struct steps, tree_steps)},
    {"divergent_tree_steps", "  of which diverge", NULL, FIGURE_COUNT, BETTER_LESS, 5, 8,
     offsetof(struct steps, divergent_tree_steps)},
    {NULL},
};

static const struct sim_probe callbacks = {.name = "steps",
                                           .launch_begin = launch_begin,
                                           .block_begin = block_begin,
                                           .block_end = block_end,
                                           .span = span,
                                           .branch = branch,
                                           .access = access,
                                           .sync = sync,
                                           .barrier = barrier,
                                           .cluster = cluster,
                                           .counts_whole = true,
                                           .drops = true};
const struct probe_row probe_steps = {
    .name = "steps",
    .question = "which lanes work in each step, and which warps diverge?",
    .part_of = MEASURE_STEPS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .learn = learn,
    .join = join,
    .bytes = sizeof(struct steps),
    .fields = fields,
    .figures = figures,
};
