/* Reports memory that a launch both writes and reads through the read-only data cache (__ldg, const __restrict__). No
 * barrier or fence makes this cache coherent with stores, so the data must not change while the kernel runs. Data for
 * textures and surfaces may change, but must not be read later in the same launch. The probe is active only for
 * programs with such reads. */
#include "probes/probe.h"

#include <inttypes.h>
#include <stdio.h>

enum { READ_ONLY_PATH, TEXTURE_AFTER_WRITE };
static const struct finding_kind kinds[] = {
    {.key = "read-only-path",
     .title = "read-only load of memory that the launch also writes",
     .explanation =
         "With __ldg() or a const __restrict__ pointer, you promise the compiler that nothing writes that "
         "memory while the kernel runs. The compiler then loads with ld.global.nc, possibly from a cache that does "
         "not see stores. Neither __syncthreads() nor __threadfence() makes the stores visible to such loads. Use "
         "such loads only for memory that no thread writes during the launch.",
     .plain =
         {.explanation =
              "__ldg(), or a const __restrict__ pointer, promises the compiler that nothing writes "
              "that memory while the kernel runs. Such a load may get an old value, even after a __syncthreads(). Use "
              "such loads only for memory that no thread writes during the launch.",
          .between = "const and __restrict__ promise that nothing writes"},
     .rank = 340,
     .drawing = DRAW_ACCESSES,
     .between = "no fence covers the read-only data path"},
    {.key = "texture-after-write",
     .title = "texture or surface read after a write in the same launch",
     .explanation = "Reads of textures and surfaces might not see writes of the same launch, even writes by the "
                    "same thread. The value is undefined, even after a __syncthreads(). Write to a second buffer, and "
                    "swap the two "
                    "buffers between launches: reads see the writes of earlier launches and copies.",
     .rank = 360,
     .yields_to_races = true,
     .drawing = DRAW_ACCESSES,
     .between = "texture reads might not see writes of the same launch"},
    {NULL},
};

enum { WORD = 4, MAX_SITES = 15, READ = 0x0f, WRITTEN = 0xf0, WRITTEN_SHIFT = 4 };
struct readonly_probe {
    struct measurement *m;
    bool active;
    unsigned grain; /* bytes per word; 1 for programs with textures */
    /* By object id, then by word of the object. The bits READ have 1 + the index of a load that read the word, or 0.
     * The bits WRITTEN have 1 + the index of a store that wrote it, or 0. */
    uint8_t **words;
    uint32_t object_count;
    struct {
        uint32_t pc, call;
    } site[2][MAX_SITES]; /* the load instructions; the store instructions */
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
    for (uint32_t k = 0; k < p->object_count; k++) free(p->words[k]), p->words[k] = NULL;
    p->site_count[0] = p->site_count[1] = 0;
}
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct readonly_probe *p = self;
    forget(p);
    p->active = launch->module->has_mod[PTX_MOD_NC], p->grain = WORD;
    for (unsigned op = 0; op < PTX_OP_COUNT; op++)
        if (launch->module->has[op] && ptx_ops[op].traits.memory == PTX_MEMORY_TEXTURE) p->active = true, p->grain = 1;
}
static uint8_t *words_of(struct readonly_probe *p, const struct sim_object *o) {
    if (o->id >= p->object_count) {
        p->words = probe_grow(p->words, o->id + 1, sizeof *p->words);
        memset(p->words + p->object_count, 0, (o->id + 1 - p->object_count) * sizeof *p->words);
        p->object_count = o->id + 1;
    }
    if (!p->words[o->id]) p->words[o->id] = probe_alloc(o->size / p->grain + 1, 1);
    return p->words[o->id];
}
/* Returns 1 + the access's index among the loads or the stores. Beyond the limit, all share the last index. */
static uint8_t site_number(struct readonly_probe *p, bool writes, const struct sim_access *e) {
    unsigned *count = &p->site_count[writes];
    for (unsigned k = 0; k < *count; k++)
        if (p->site[writes][k].pc == e->pc && p->site[writes][k].call == e->where->call) return (uint8_t)(k + 1);
    if (*count < MAX_SITES) p->site[writes][*count].pc = e->pc, p->site[writes][*count].call = e->where->call, ++*count;
    return (uint8_t)*count;
}
/* Reports that `e` conflicts with the store (or, if `e` is a store, the load) at index `number`. */
static void report(struct readonly_probe *p, const struct sim_access *e, uint64_t offset, unsigned number) {
    const bool writes = e->kind != SIM_LOAD, texture = e->texture && !writes;
    struct sim_where other = *e->where;
    const uint32_t pc = p->site[!writes][number].pc, load = writes ? pc : e->pc;
    other.call = p->site[!writes][number].call;
    const struct finding_site here = finding_site(e->where, e->pc, 0), there = finding_site(&other, pc, 0);
    const struct finding_place place = finding_place(e->where->launch, e->object, offset);
    const unsigned element = place.element ? place.element : finding_element_bytes(e->where->launch, load, e->bytes);
    struct finding f = {.kind = &kinds[texture ? TEXTURE_AFTER_WRITE : READ_ONLY_PATH],
                        .at = writes ? there : here,
                        .other = writes ? here : there,
                        .bytes = element,
                        .read_first = writes,
                        .offset = (int64_t)(offset - place.start)};
    char line[16] = "this launch";
    finding_object(e->object, &place, f.object, sizeof f.object);
    if (f.other.line) snprintf(line, sizeof line, "line %u", f.other.line);
    snprintf(f.message, sizeof f.message, "%s[%" PRIu64 "] is read %s %s %s it%s", place.name,
             (offset - place.start) / (element ? element : WORD),
             texture ? "through a texture or surface object after" : "through the read-only data path, but", line,
             texture ? "wrote" : "writes", f.other.line ? " in the same launch" : "");
    finding_add(&p->m->findings, &f);
}
static void access(void *self, const struct sim_access *e) {
    struct readonly_probe *p = self;
    if (!p->active || e->object->space != PTX_GLOBAL || e->object->read_only) return;
    const bool writes = e->kind != SIM_LOAD, fetches = !writes && e->texture;
    if (!writes && !fetches && !is_read_only_load(e->where->launch->code[e->pc])) return;
    uint8_t *words = words_of(p, e->object);
    const uint8_t number = fetches ? 0 : site_number(p, writes, e),
                  mine = writes ? (uint8_t)(number << WRITTEN_SHIFT) : number;
    EACH_LANE (l, e->mask & ~e->dropped) {
        for (uint64_t w = e->offset[l] / p->grain; w <= (e->offset[l] + e->bytes - 1) / p->grain; w++) {
            const uint8_t have = words[w];
            if (!(have & (writes ? WRITTEN : READ))) words[w] |= mine;
            const unsigned other = writes ? have & READ : have >> WRITTEN_SHIFT;
            if (!other) continue;
            report(p, e, w * p->grain, other - 1);
        }
    }
}
static void finish(void *self, struct measurement *m) {
    struct readonly_probe *p = self;
    (void)m;
    forget(p);
    free(p->words);
    free(p);
}

static const struct sim_probe callbacks = {
    .name = "readonly", .launch_begin = launch_begin, .access = access, .drops = true, .global_only = true};
const struct probe_row probe_readonly = {
    .name = "readonly",
    .question = "is memory that the launch writes also read through the read-only data path?",
    .part_of = MEASURE_RACES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
