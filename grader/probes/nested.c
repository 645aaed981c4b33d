/* Detects races between the grids of one launch by the host: a grid, the grids that its kernel launches, and theirs.
 *
 * A child starts no earlier than its launch, and its parent never waits for it. The parent's accesses after the launch
 * are therefore concurrent with the child and all its descendants. Two children of a grid are ordered only by a stream,
 * by an event, or because the second is a tail launch. The simulator runs grids one after the other, so each access is
 * compared with other grids' last accesses to the same cells of 4 bytes. */
#include "probes/probe.h"

#include <inttypes.h>
#include <stdio.h>

static const struct finding_kind kinds[] = {
    {.key = "race-grids",
     .title = "data race between kernels that kernels launch",
     .explanation =
         "A kernel that a kernel launches may run at the same time as its launcher, and as other kernels in "
         "other streams. Two of these kernels access the same location, at least one of them writes, and nothing "
         "orders "
         "the accesses. Children in the same stream run in order; each block has its own default stream. "
         "Work that needs the results of all children belongs in a tail launch (cudaStreamTailLaunch), which starts "
         "when the launcher and its children have ended.",
     .rank = 305,
     .is_race = true},
    {.key = "nested-launch",
     .title = "incorrect launch by a kernel",
     .explanation =
         "A launch in a kernel can fail, as on the host: if it has too many threads per block or no blocks, or if too "
         "many launches wait. The kernel then does not run, and only cudaGetLastError() tells. A launched kernel "
         "cannot access variables of its launcher's threads or blocks: pass values, or addresses of global memory.",
     .rank = 25},
    {NULL},
};

enum { CELL = 4, ACCESSES = 4, MAX_CELLS = 1 << 21, MAX_SIGNALS = 16, MAX_REPORTED = 1 << 12 };
struct list {
    uint32_t *item;
    unsigned count, room;
};
struct stream_of { /* a stream or event of a grid */
    uint32_t grid;
    uint64_t key;
    struct list last; /* the grids after which the stream's next grid starts */
};
struct grid {
    uint32_t parent, depth; /* depth: 0 for the host's launch */
    const struct ptx_function *kernel;
    uint32_t launch_pc;
    bool tail;
    unsigned seen;                /* number of the last search that visited the grid */
    struct list after;            /* siblings that end before the grid starts */
    uint64_t signal[MAX_SIGNALS]; /* cells through which grids may synchronize (note_signal()) */
    unsigned signals;
};
struct earlier {              /* a grid's last access of one kind to the cell */
    uint32_t grid, epoch, pc; /* epoch: child launches before the access */
    uint8_t kind;             /* enum sim_access_kind */
    bool used, strong;
};
struct cell {
    struct earlier access[ACCESSES];
    unsigned next;
};
struct nested_probe {
    struct measurement *m;
    struct grid *grid; /* by sim_launch_info.number */
    unsigned count, room, cells, cell_room, streams, stream_room, reported, searches;
    struct stream_of *stream;
    struct map place; /* key: address / CELL; value: 1 + index in `cell` */
    struct cell *cell;
    uint32_t now;       /* the running grid */
    uint32_t launched;  /* number of child launches so far */
    struct map ordered; /* key: a pair of grids; value: 1 + whether the first ends before the second starts */
};

static void *create(struct measurement *m) {
    struct nested_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}
static void forget(struct nested_probe *p) {
    for (unsigned k = 0; k < p->count; k++) free(p->grid[k].after.item);
    for (unsigned k = 0; k < p->streams; k++) free(p->stream[k].last.item);
    map_free(&p->place), map_free(&p->ordered);
    p->count = p->cells = p->streams = p->launched = 0;
}
static void finish(void *self, struct measurement *m) {
    struct nested_probe *p = self;
    (void)m;
    forget(p);
    free(p->grid), free(p->cell), free(p->stream);
    free(p);
}

/* ---- order ----------------------------------------------------------------------------------------------------- */
static void add(struct list *l, uint32_t grid) {
    for (unsigned k = 0; k < l->count; k++)
        if (l->item[k] == grid) return;
    l->item = probe_room(l->item, l->count + 1, &l->room, sizeof *l->item);
    l->item[l->count++] = grid;
}
static void add_all(struct list *to, const struct list *from) {
    for (unsigned k = 0; k < from->count; k++) add(to, from->item[k]);
}
static struct list *last_of(struct nested_probe *p, uint64_t key) {
    for (unsigned k = p->streams; k-- > 0;)
        if (p->stream[k].key == key && p->stream[k].grid == p->now) return &p->stream[k].last;
    p->stream = probe_room(p->stream, p->streams + 1, &p->stream_room, sizeof *p->stream);
    p->stream[p->streams] = (struct stream_of){.grid = p->now, .key = key};
    return &p->stream[p->streams++].last;
}
/* The default stream is a separate stream for each block. */
static uint64_t stream_key(const struct sim_nested_event *e) {
    return e->stream >= SIM_STREAM_NAMED ? e->stream : UINT64_MAX - e->where->block;
}
static void launched(struct nested_probe *p, const struct sim_nested_event *e) {
    p->grid = probe_room(p->grid, e->number + 1, &p->room, sizeof *p->grid);
    for (; p->count <= e->number; p->count++) p->grid[p->count] = (struct grid){0};
    struct grid *g = &p->grid[e->number];
    *g = (struct grid){
        .parent = p->now, .depth = p->grid[p->now].depth + 1, .launch_pc = e->pc, .tail = e->stream == SIM_STREAM_TAIL};
    p->launched++;
    if (e->stream == SIM_STREAM_TAIL || e->stream == SIM_STREAM_FORGET) return;
    struct list *last = last_of(p, stream_key(e));
    add_all(&g->after, last);
    last->count = 0;
    add(last, e->number);
}
static void nested(void *self, const struct sim_nested_event *e) {
    struct nested_probe *p = self;
    if (e->kind == SIM_NESTED_LAUNCH) return launched(p, e);
    /* last_of() may move the array, so look both up before using either */
    last_of(p, stream_key(e)), last_of(p, e->event);
    struct list *stream = last_of(p, stream_key(e)), *event = last_of(p, e->event);
    if (e->kind == SIM_NESTED_RECORD) event->count = 0, add_all(event, stream);
    if (e->kind == SIM_NESTED_WAIT) add_all(stream, event);
}
/* Returns whether sibling `a` ends before sibling `b` starts. */
static bool is_after(struct nested_probe *p, uint32_t a, uint32_t b) {
    struct grid *y = &p->grid[b];
    if (a >= b || y->seen == p->searches) return false;
    y->seen = p->searches;
    for (unsigned k = 0; k < y->after.count; k++)
        if (y->after.item[k] == a || is_after(p, a, y->after.item[k])) return true;
    return false;
}
static bool sibling_before(struct nested_probe *p, uint32_t a, uint32_t b) {
    const struct grid *x = &p->grid[a], *y = &p->grid[b];
    if (y->tail) return !x->tail || a < b;
    p->searches++;
    return !x->tail && is_after(p, a, b);
}
/* Returns whether grid `a`'s access in this epoch happens before all accesses of grid `b`. */
static bool before(struct nested_probe *p, uint32_t a, uint32_t epoch, uint32_t b) {
    const uint32_t of = b;
    uint32_t x = a;
    while (p->grid[b].depth > p->grid[x].depth + 1) b = p->grid[b].parent;
    if (p->grid[b].depth == p->grid[x].depth + 1) {
        if (p->grid[b].parent == x) return p->grid[b].tail || epoch < b; /* an ancestor of the grid */
        b = p->grid[b].parent;
    }
    while (p->grid[x].depth > p->grid[b].depth) x = p->grid[x].parent;
    if (x == b) return false; /* a descendant of the grid */
    while (p->grid[x].parent != p->grid[b].parent) x = p->grid[x].parent, b = p->grid[b].parent;
    uint64_t *known = probe_map(&p->ordered, (uint64_t)a << 32 | of);
    if (!*known) *known = 1 + sibling_before(p, x, b);
    return *known - 1;
}
/* Returns whether two grids may have synchronized: both access a location with atomics or strong accesses. */
static bool may_synchronize(const struct nested_probe *p, uint32_t a, uint32_t b) {
    for (unsigned i = 0; i < p->grid[a].signals; i++)
        for (unsigned j = 0; j < p->grid[b].signals; j++)
            if (p->grid[a].signal[i] == p->grid[b].signal[j]) return true;
    return false;
}

/* ---- accesses -------------------------------------------------------------------------------------------------- */
static void launch_begin(void *self, const struct sim_launch_info *l) {
    struct nested_probe *p = self;
    if (!l->number) {
        forget(p);
        p->grid = probe_room(p->grid, 1, &p->room, sizeof *p->grid);
        p->grid[0] = (struct grid){0}, p->count = 1;
    }
    p->now = l->number;
    p->grid[p->now].kernel = l->kernel;
}
static void tell(struct nested_probe *p, const struct sim_access *e, unsigned lane, const struct earlier *a) {
    static const char *const verbs[] = {[SIM_LOAD] = "reads", [SIM_STORE] = "writes", [SIM_ATOMIC] = "updates"};
    const struct sim_launch_info *launch = e->where->launch;
    const struct sim_where there = {.launch = launch};
    const struct finding_place place = finding_place(launch, e->object, e->offset[lane]);
    const unsigned element = finding_element_bytes(launch, e->pc, e->bytes);
    uint32_t child = p->now;
    while (p->grid[child].depth > p->grid[a->grid].depth + 1) child = p->grid[child].parent;
    const bool parent = p->grid[child].depth && p->grid[child].parent == a->grid;
    struct finding f = {.kind = &kinds[0],
                        .at = finding_site(e->where, e->pc, 1u << lane),
                        .other = finding_site(&there, a->pc, 0),
                        .bytes = element,
                        .offset = (int64_t)(e->offset[lane] - place.start)};
    char line[32] = "", launch_line[48] = "", what[160], mine[96], other[96];
    finding_object(e->object, &place, f.object, sizeof f.object);
    finding_source_name(p->grid[p->now].kernel->name, mine, sizeof mine);
    finding_source_name(p->grid[a->grid].kernel->name, other, sizeof other);
    snprintf(what, sizeof what, "%s[%" PRIu64 "]", place.name,
             (e->offset[lane] - place.start) / (element ? element : CELL));
    const struct finding_site from = finding_site(&there, p->grid[p->now].launch_pc, 0);
    if (f.other.line) snprintf(line, sizeof line, " at line %u", f.other.line);
    if (from.line) snprintf(launch_line, sizeof launch_line, " (launched at line %u)", from.line);
    if (parent)
        snprintf(
            f.message, sizeof f.message,
            "`%.60s`%s %s %s, which `%.60s` %s%s after it has launched the grid: a grid does not wait for the grids "
            "that it launches",
            mine, launch_line, verbs[e->kind], what, other, verbs[a->kind], line);
    else
        snprintf(f.message, sizeof f.message,
                 "`%.60s`%s %s %s, which another grid of `%.60s` %s%s: they are in different streams, and nothing "
                 "orders them",
                 mine, launch_line, verbs[e->kind], what, other, verbs[a->kind], line);
    finding_add(&p->m->findings, &f);
    p->reported++;
}
static bool conflicts(const struct nested_probe *p, const struct sim_access *e, unsigned lane,
                      const struct earlier *a) {
    if (a->grid == p->now || (a->kind == SIM_LOAD && e->kind == SIM_LOAD)) return false;
    if (a->kind == SIM_ATOMIC && e->kind == SIM_ATOMIC) return false;
    if (a->kind == SIM_STORE && e->kind == SIM_STORE && e->silent >> lane & 1) return false;
    return !(a->strong && e->strong);
}
static struct cell *cell_at(struct nested_probe *p, uint64_t number) {
    uint64_t *place = probe_map(&p->place, number);
    if (!*place) {
        if (p->cells == MAX_CELLS) return NULL;
        p->cell = probe_room(p->cell, p->cells + 1, &p->cell_room, sizeof *p->cell);
        p->cell[p->cells] = (struct cell){.next = 0};
        *place = ++p->cells;
    }
    return &p->cell[*place - 1];
}
static void note(struct nested_probe *p, struct cell *c, const struct sim_access *e) {
    const struct earlier now = {
        .grid = p->now, .epoch = p->launched, .pc = e->pc, .kind = (uint8_t)e->kind, .used = true, .strong = e->strong};
    for (unsigned k = 0; k < ACCESSES; k++)
        if (c->access[k].used && c->access[k].grid == now.grid && c->access[k].kind == now.kind) {
            c->access[k] = now;
            return;
        }
    c->access[c->next] = now, c->next = (c->next + 1) % ACCESSES;
}
/* Records a cell that the grid accesses with a strong load or store, or with an atomic whose result is used. */
static void note_signal(struct grid *g, uint64_t number) {
    for (unsigned k = 0; k < g->signals; k++)
        if (g->signal[k] == number) return;
    if (g->signals < MAX_SIGNALS) g->signal[g->signals++] = number;
}
static void access(void *self, const struct sim_access *e) {
    struct nested_probe *p = self;
    /* A kernel's copy or fill is reported when it is queued, so its order is unknown. */
    if (e->object->space != PTX_GLOBAL || !e->where->launch->code[e->pc] || e->where->launch->code[e->pc]->call) return;
    EACH_LANE (l, e->mask) {
        const uint64_t first = (e->object->address + e->offset[l]) / CELL,
                       last = (e->object->address + e->offset[l] + e->bytes - 1) / CELL;
        for (uint64_t number = first; number <= last; number++) {
            struct cell *c = cell_at(p, number);
            if (!c) return;
            if (e->strong && !(e->kind == SIM_ATOMIC && e->result_unused)) note_signal(&p->grid[p->now], number);
            for (unsigned k = 0; k < ACCESSES && p->reported < MAX_REPORTED; k++)
                if (c->access[k].used && conflicts(p, e, l, &c->access[k]) &&
                    !before(p, c->access[k].grid, c->access[k].epoch, p->now) &&
                    !may_synchronize(p, c->access[k].grid, p->now))
                    tell(p, e, l, &c->access[k]);
            note(p, c, e);
        }
    }
}

static void fault(void *self, const struct sim_fault *e) {
    struct nested_probe *p = self;
    struct finding f = {.kind = &kinds[1], .at = finding_site(e->where, e->pc, e->lanes), .other.pc = UINT32_MAX};
    char who[96];
    if (e->kind != SIM_FAULT_NESTED || finding_recurs(&p->m->findings, &f)) return;
    finding_who(measure_taught(p->m), e->where->warp, e->lanes, e->where->launched, who, sizeof who);
    snprintf(f.message, sizeof f.message, "%s %s", who, e->text);
    finding_add(&p->m->findings, &f);
}

static const struct sim_probe callbacks = {.name = "nested",
                                           .launch_begin = launch_begin,
                                           .access = access,
                                           .nested = nested,
                                           .fault = fault,
                                           .global_only = true,
                                           .nested_only = true,
                                           .values = true};
const struct probe_row probe_nested = {
    .name = "nested",
    .question = "is there a data race between grids that kernels launch?",
    .part_of = MEASURE_RACES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
