/* Reports wrong uses of the device heap: use after free, invalid calls of free(), and memory that is never freed. Also
 * reports accesses to buffers that the host has freed. */
#include "probes/probe.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

enum { AFTER_FREE, MISUSE, KEPT };
static const struct finding_kind kinds[] = {
    [AFTER_FREE] =
        {.key = "use-after-free",
         .title = "memory used after it was freed",
         .explanation =
             "free() and delete release memory immediately and for all threads: the next malloc() of any thread may "
             "return it. A pointer that another thread still holds then dangles. Free the memory only after a "
             "barrier that all threads reach after their last access to it. Memory that the host has freed is "
             "also invalid.",
         .rank = 60},
    [MISUSE] =
        {.key = "bad-free",
         .title = "wrong address passed to free()",
         .explanation =
             "free() and delete accept only an address that malloc() or new returned in a kernel, and accept it only "
             "once. Memory from cudaMalloc() belongs to the host, and an address inside an allocation is not the "
             "address that malloc() returned. If threads share an allocation, exactly one of them must free it.",
         .rank = 70},
    [KEPT] = {.key = "heap-leak",
              .title = "heap memory that is not freed",
              .explanation =
                  "The device heap lasts as long as the program and holds 8 MB unless the host requests more. Memory "
                  "that no launch frees is lost, and eventually malloc() returns a null pointer.",
              .rank = 400,
              .severity = FINDING_WARNING},
    [KEPT + 1] = {NULL},
};

struct allocation {
    uint64_t address, bytes;
    struct sim_where where;
    uint32_t pc, lane;
};
struct kept_allocation { /* an allocation that its launch did not free */
    uint64_t address;
    struct finding finding;
};
struct heap_probe {
    struct measurement *m;
    struct allocation *taken;
    struct kept_allocation *kept; /* empty unless the heap lasts */
    unsigned count, room, kept_count, kept_room;
};

static void *create(struct measurement *m) {
    struct heap_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}
static void heap(void *self, const struct sim_heap_event *e) {
    struct heap_probe *p = self;
    if (e->begins) {
        p->taken = probe_room(p->taken, p->count + 1, &p->room, sizeof *p->taken);
        p->taken[p->count++] =
            (struct allocation){e->object->address, e->object->size, *e->where, e->pc, lowest_lane(e->mask)};
        return;
    }
    for (unsigned k = p->count; k-- > 0;) /* from the end, because most objects are freed soon */
        if (p->taken[k].address == e->object->address) {
            p->taken[k] = p->taken[--p->count];
            return;
        }
    for (unsigned k = p->kept_count; k-- > 0;)
        if (p->kept[k].address == e->object->address) {
            p->kept[k] = p->kept[--p->kept_count];
            return;
        }
}
static void keep(struct heap_probe *p, uint64_t address, const struct finding *f) {
    p->kept = probe_room(p->kept, p->kept_count + 1, &p->kept_room, sizeof *p->kept);
    p->kept[p->kept_count++] = (struct kept_allocation){address, *f};
}
static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct heap_probe *p = self;
    (void)launch;
    for (unsigned k = 0; k < p->count; k++) {
        const struct allocation *t = &p->taken[k];
        struct finding f = {
            .kind = &kinds[KEPT], .at = finding_site(&t->where, t->pc, 1u << t->lane), .other.pc = UINT32_MAX};
        char who[96];
        finding_who(measure_taught(p->m), t->where.warp, 1u << t->lane, t->where.launched, who, sizeof who);
        snprintf(f.message, sizeof f.message, "%s allocated %" PRIu64 " byte%s here that no thread%s freed", who,
                 t->bytes, t->bytes == 1 ? "" : "s", p->m->heap_lasts ? "" : " of the launch");
        if (p->m->heap_lasts)
            keep(p, t->address, &f);
        else
            finding_add(&p->m->findings, &f);
    }
    p->count = 0;
}
static void fault(void *self, const struct sim_fault *e) {
    struct heap_probe *p = self;
    const bool after = (e->kind == SIM_FAULT_BOUNDS || e->kind == SIM_FAULT_MISALIGNED) && finding_is_freed(e);
    if (!after && e->kind != SIM_FAULT_HEAP) return;
    struct finding f = {.kind = &kinds[after ? AFTER_FREE : MISUSE],
                        .at = finding_site(e->where, e->pc, e->lanes),
                        .other.pc = UINT32_MAX,
                        .bytes = e->bytes,
                        .offset = e->offset};
    static const char *const verbs[] = {[SIM_LOAD] = "read", [SIM_STORE] = "wrote", [SIM_ATOMIC] = "updated"};
    char who[96];
    finding_who(measure_taught(p->m), e->where->warp, e->lanes, e->where->launched, who, sizeof who);
    const bool heap = after && e->object->kind == SIM_HEAP;
    if (heap)
        snprintf(f.message, sizeof f.message, "%s %s byte %" PRId64 " of a freed allocation of %" PRIu64 " byte%s", who,
                 verbs[e->access], e->offset, e->object->freed, e->object->freed == 1 ? "" : "s");
    else if (after)
        snprintf(f.message, sizeof f.message, "%s %s byte %" PRId64 " of buffer `%s`, which the host has freed", who,
                 verbs[e->access], e->offset, e->object->name);
    else
        snprintf(f.message, sizeof f.message, "%s %s", who, e->text);
    finding_add(&p->m->findings, &f);
}
static void finish(void *self, struct measurement *m) {
    struct heap_probe *p = self;
    for (unsigned k = 0; k < p->kept_count; k++) finding_add(&m->findings, &p->kept[k].finding);
    free(p->taken);
    free(p->kept);
    free(p);
}

static const struct sim_probe callbacks = {.name = "heap", .launch_end = launch_end, .heap = heap, .fault = fault};
const struct probe_row probe_heap = {
    .name = "heap",
    .question = "is memory of the device heap used after it was freed, freed twice, or never freed?",
    .part_of = MEASURE_MEMORY | MEASURE_FAULTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
