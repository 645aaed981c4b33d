/* Records accesses of the observed block, for the pictures in reports. For each source line, object and kind of access:
 * the first access of the lowest warp, and the most wasteful access if it wastes more sectors or wavefronts than the
 * first one. */
#include "probes/probe.h"

enum { MAX_ACCESSES = 32 /* maximum number of first accesses, and of most wasteful accesses */ };

struct accesses_probe {
    struct measurement *m;
    bool done;
    unsigned count;
    struct access_row first[MAX_ACCESSES], worst[MAX_ACCESSES];
};

static void *create(struct measurement *m) {
    struct accesses_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}
static struct access_row row_of(const struct sim_access *e) {
    const unsigned lane = lowest_lane(e->mask);
    const struct finding_place place = finding_place(e->where->launch, e->object, e->offset[lane]);
    char name[sizeof place.name];
    snprintf(name, sizeof name, "%s", place.name);
    finding_name_owner(e->object, e->where, name, sizeof name);
    struct access_row row = {.line = finding_site(e->where, e->pc, e->mask).line,
                             .kind = e->kind,
                             .space = e->object->space,
                             .warp = e->where->warp,
                             .mask = e->mask,
                             .bytes = e->bytes};
    memcpy(row.object, name, sizeof row.object);
    EACH_LANE (l, e->mask) row.offset[l] = e->offset[l] - place.start;
    if (e->object->space == PTX_SHARED) {
        const struct probe_wavefronts n = probe_wavefronts(e);
        row.wavefronts = n.wavefronts, row.ideal = n.ideal;
        EACH_LANE (l, e->mask) row.offset[l] = e->offset[l]; /* banks count from the start of shared memory */
    } else
        probe_sectors_of(e, &row.sectors, &row.ideal);
    return row;
}
static unsigned waste(const struct access_row *r) { return r->sectors + r->wavefronts - r->ideal; }

static void access(void *self, const struct sim_access *e) {
    struct accesses_probe *p = self;
    if (p->done || e->where->block != p->m->observed_block) return;
    if (e->object->space != PTX_GLOBAL && e->object->space != PTX_SHARED) return;
    const struct access_row row = row_of(e);
    unsigned k = 0;
    while (k < p->count && (p->first[k].line != row.line || p->first[k].kind != row.kind ||
                            p->first[k].space != row.space || strcmp(p->first[k].object, row.object) != 0))
        k++;
    if (k == MAX_ACCESSES) return;
    if (k == p->count) {
        p->count++;
        p->first[k] = p->worst[k] = row;
        return;
    }
    if (row.warp < p->first[k].warp) p->first[k] = row;
    if (waste(&row) > waste(&p->worst[k]) || (waste(&row) == waste(&p->worst[k]) && row.warp < p->worst[k].warp))
        p->worst[k] = row;
}
static void block_end(void *self, const struct sim_block_event *e) {
    struct accesses_probe *p = self;
    p->done |= e->where->block == p->m->observed_block;
}
static int by_line(const void *a, const void *b) {
    const struct access_row *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return strcmp(x->object, y->object);
}
static void finish(void *self, struct measurement *m) {
    struct accesses_probe *p = self;
    struct accesses *list = m->result[PROBE_accesses];
    list->item = probe_alloc(2 * MAX_ACCESSES, sizeof *list->item);
    for (unsigned k = 0; k < p->count; k++) {
        list->item[list->count++] = p->first[k];
        if (waste(&p->worst[k]) > waste(&p->first[k])) list->item[list->count++] = p->worst[k];
    }
    qsort(list->item, list->count, sizeof *list->item, by_line);
    free(p);
}

static const struct field row_fields[] = {
    WORDS(struct access_row, line, INT32_MAX),
    WORDS(struct access_row, warp, SIM_MAX_WARPS - 1),
    WORDS(struct access_row, mask, UINT32_MAX),
    WORDS(struct access_row, kind, SIM_ATOMIC),
    WORDS(struct access_row, space, PTX_REG),
    TEXT(struct access_row, object),
    WORDS(struct access_row, bytes, INT32_MAX),
    WORDS(struct access_row, sectors, INT32_MAX),
    WORDS(struct access_row, wavefronts, INT32_MAX),
    WORDS(struct access_row, ideal, INT32_MAX),
    NUMBERS(struct access_row, offset),
    END_OF_FIELDS,
};
static const struct field fields[] = {
    LIST(struct accesses, item, count, 2 * MAX_ACCESSES, row_fields),
    END_OF_FIELDS,
};

static const struct sim_probe callbacks = {.name = "accesses", .block_end = block_end, .access = access};
const struct probe_row probe_accesses = {
    .name = "accesses",
    .question = "which addresses does a warp touch?",
    .part_of = MEASURE_ACCESSES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct accesses),
    .fields = fields,
};
