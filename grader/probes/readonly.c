/* Is memory that the launch writes also read by loads of the read-only data path (__ldg, const __restrict__)? Such a
 * load may come from a cache that knows nothing of stores, whatever barrier or fence is between: what it reads must
 * not change while the kernel runs. Asked only of programs that have such loads. */
#include "probes/probe.h"

#include <inttypes.h>
#include <stdio.h>

static const struct finding_kind kinds[] = {
    {.key = "read-only-path",
     .title = "read-only load of memory that this launch writes",
     .explanation = "__ldg(), and a const __restrict__ pointer, promise the compiler that nothing writes "
                    "that memory while the kernel runs. It then loads by ld.global.nc, possibly from a cache "
                    "that does not see stores. Neither __syncthreads() nor __threadfence() helps: the "
                    "promise is broken. Memory that an earlier launch has written may be loaded this way.",
     .plain = {.explanation = "__ldg(), and a const __restrict__ pointer, promise the compiler that nothing writes "
                              "that memory while the kernel runs. It may then load an old value. __syncthreads() does "
                              "not help: the promise is broken. Memory that an earlier launch has written may be "
                              "loaded this way.",
               .between = "const and __restrict__ promise that nobody writes"},
     .rank = 30,
     .drawing = DRAW_ACCESSES,
     .between = "no fence reaches the read-only cache"},
    {NULL},
};

enum { WORD = 4, MOST_SITES = 15, READ = 0x0f, WRITTEN = 0xf0, WRITTEN_SHIFT = 4 };
/* By word of an object: 1 + the number of a load that read it, 1 + the number of a store that wrote it; 0: none. */
struct object_words {
    uint64_t address, size;
    uint8_t *words;
};
struct readonly_probe {
    struct measurement *m;
    bool active;
    struct object_words *objects; /* by id */
    uint32_t object_count;
    uint32_t site[2][MOST_SITES]; /* pcs of loads and of stores */
    unsigned site_count[2];
};

static void *create(struct measurement *m) {
    struct readonly_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}
static bool is_read_only_load(const struct ptx_insn *i) {
    return i && ptx_traits_of(i)->memory == PTX_MEMORY_LOAD && ptx_mod_of(i, PTX_CLASS_NC) != PTX_MOD_NONE;
}
static void forget(struct readonly_probe *p) {
    for (uint32_t k = 0; k < p->object_count; k++) free(p->objects[k].words), p->objects[k].words = NULL;
    p->site_count[0] = p->site_count[1] = 0;
}
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct readonly_probe *p = self;
    forget(p);
    p->active = launch->module->has_mod[PTX_MOD_NC];
}
static uint8_t *words_of(struct readonly_probe *p, const struct sim_object *o) {
    if (o->id >= p->object_count) {
        p->objects = probe_grow(p->objects, o->id + 1, sizeof *p->objects);
        memset(p->objects + p->object_count, 0, (o->id + 1 - p->object_count) * sizeof *p->objects);
        p->object_count = o->id + 1;
    }
    struct object_words *w = &p->objects[o->id];
    if (!w->words) w->words = probe_alloc(o->size / WORD + 1, 1);
    return w->words;
}
/* 1 + the number of the pc among the loads or the stores; those past the last share its number. */
static uint8_t site_number(struct readonly_probe *p, bool writes, uint32_t pc) {
    uint32_t *site = p->site[writes];
    unsigned *count = &p->site_count[writes];
    for (unsigned k = 0; k < *count; k++)
        if (site[k] == pc) return (uint8_t)(k + 1);
    if (*count < MOST_SITES) site[(*count)++] = pc;
    return (uint8_t)*count;
}
static void tell(struct readonly_probe *p, const struct sim_access *e, uint64_t offset, uint32_t load, uint32_t store) {
    const struct finding_place place = finding_place(e->where->launch, e->object, offset);
    const unsigned element = finding_element_bytes(e->where->launch, load, e->bytes);
    struct finding f = {.kind = &kinds[0],
                        .at = finding_site(e->where, load, 0),
                        .other = finding_site(e->where, store, 0),
                        .bytes = element,
                        .offset = (int64_t)(offset - place.start)};
    char line[48] = "this launch";
    finding_object(e->object, &place, f.object, sizeof f.object);
    if (f.other.line) snprintf(line, sizeof line, "line %u of the same launch", f.other.line);
    snprintf(f.message, sizeof f.message,
             "%s[%" PRIu64 "] is read by a load of the read-only data path, but %s writes it", place.name,
             (offset - place.start) / (element ? element : WORD), line);
    finding_add(&p->m->findings, &f);
}
static void access(void *self, const struct sim_access *e) {
    struct readonly_probe *p = self;
    if (!p->active || e->object->space != PTX_GLOBAL || e->object->read_only) return;
    const bool writes = e->kind != SIM_LOAD;
    if (!writes && !is_read_only_load(e->where->launch->code[e->pc])) return;
    uint8_t *words = words_of(p, e->object);
    const uint8_t number = site_number(p, writes, e->pc), mine = writes ? (uint8_t)(number << WRITTEN_SHIFT) : number;
    EACH_LANE (l, e->mask & ~e->dropped) {
        for (uint64_t w = e->offset[l] / WORD; w <= (e->offset[l] + e->bytes - 1) / WORD; w++) {
            const uint8_t have = words[w];
            if (!(have & (writes ? WRITTEN : READ))) words[w] |= mine;
            const unsigned other = writes ? have & READ : have >> WRITTEN_SHIFT;
            if (!other) continue;
            const uint32_t pc = p->site[!writes][other - 1];
            tell(p, e, w * WORD, writes ? pc : e->pc, writes ? e->pc : pc);
        }
    }
}
static void finish(void *self, struct measurement *m) {
    struct readonly_probe *p = self;
    (void)m;
    forget(p);
    free(p->objects);
    free(p);
}

static const struct sim_probe callbacks = {.name = "readonly", .launch_begin = launch_begin, .access = access};
const struct probe_row probe_readonly = {
    .name = "readonly",
    .question = "is memory that the launch writes read through the read-only data path?",
    .part_of = MEASURE_RACES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
