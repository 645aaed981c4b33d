/* The table of probes, and the life cycle of a measurement. */
#include "probes/probe.h"

#include <stddef.h>
#include <stdio.h>

const struct probe_row *const probe_rows[PROBE_COUNT] = {
#define PROBE(name) &probe_##name,
#include "probes/probes.def"
};

_Noreturn void probe_no_memory(size_t bytes) {
    fprintf(stderr, "probes: out of memory (%zu bytes)\n", bytes);
    abort();
}
void *probe_alloc(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) probe_no_memory(count * size);
    return p;
}
void *probe_grow(void *array, size_t count, size_t size) {
    void *p = realloc(array, (count ? count : 1) * size);
    if (!p) probe_no_memory(count * size);
    return p;
}

void *probe_slot_make(struct probe_slots *slots, uint32_t slot, size_t size) {
    if (slot >= slots->count) {
        uint32_t count = slots->count ? slots->count : 16;
        while (count <= slot) count *= 2;
        slots->state = probe_grow(slots->state, count, sizeof *slots->state);
        memset(slots->state + slots->count, 0, (count - slots->count) * sizeof *slots->state);
        slots->count = count;
    }
    if (!slots->state[slot]) slots->state[slot] = probe_alloc(1, size);
    return slots->state[slot];
}
void probe_slots_free(struct probe_slots *slots) {
    for (uint32_t k = 0; k < slots->count; k++) free(slots->state[k]);
    free(slots->state);
    *slots = (struct probe_slots){0};
}

/* ---- per-line counters, sorted by file and line ----------------------------------------------------- */

static struct line_counts *line_named(struct measurement *m, const char *file, uint32_t line) {
    if (!file || !line) return NULL;
    unsigned low = 0, high = m->line_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = strcmp(m->lines[middle].file, file);
        if (order == 0 && m->lines[middle].line == line) return &m->lines[middle];
        if (order < 0 || (order == 0 && m->lines[middle].line < line))
            low = middle + 1;
        else
            high = middle;
    }
    m->lines = probe_grow(m->lines, m->line_count + 1, sizeof *m->lines);
    memmove(m->lines + low + 1, m->lines + low, (m->line_count - low) * sizeof *m->lines);
    m->line_count++;
    m->lines[low] = (struct line_counts){.file = file, .line = line};
    return &m->lines[low];
}

struct line_counts *probe_line(struct measurement *m, const struct sim_launch_info *launch, uint32_t pc) {
    struct sim_where where = {.launch = launch};
    struct finding_site site = finding_site(&where, pc, 0);
    return line_named(m, site.file, site.line);
}

/* ---- a measurement --------------------------------------------------------------------------------------- */

enum {
    TAUGHT_SHIFT = 12,
    /* The bits of terms are between the MEASURE_... bits and those of the cost model. */
    TAUGHT_BITS = 8
};
unsigned measure_in_words_of(unsigned taught) { return ((taught + 1) & TERMS_ALL) << TAUGHT_SHIFT; }
unsigned measure_taught(const struct measurement *m) {
    return ((m->what >> TAUGHT_SHIFT) - 1) & ((1u << TAUGHT_BITS) - 1);
}
void measure_begin(struct measurement *m, unsigned what) {
    *m = (struct measurement){.what = what};
    for (unsigned k = 0; k < PROBE_COUNT; k++) {
        const struct probe_row *row = probe_rows[k];
        if (!(row->part_of & what)) continue;
        if (row->bytes) m->result[k] = probe_alloc(1, row->bytes);
        m->listening[m->listener_count] = (enum probe_id)k;
        m->listeners[m->listener_count++] = (struct sim_listener){.probe = row->callbacks, .self = row->create(m)};
    }
}
const void *measure_result(const struct measurement *m, enum probe_id probe) {
    static const union {
        char bytes[1 << 14]; /* upper bound of the size of a result */
        max_align_t align;
    } none;
    return m->result[probe] ? m->result[probe] : &none;
}
static const struct probe_row *row_of(const struct measurement *m, unsigned listener) {
    return probe_rows[m->listening[listener]];
}

/* Returns whether a race explains the finding. A read that races with the write of its data may run first and read
 * uninitialized memory; then only the race is reported. */
static bool explained_by_race(const struct finding_list *list, const struct finding *f) {
    if (!f->kind->yields_to_races) return false;
    for (unsigned k = 0; k < list->count; k++) {
        const struct finding *race = &list->item[k];
        if (!race->kind->is_race) continue;
        if (strcmp(race->object, f->object) != 0) continue;
        if (race->at.line == f->at.line || race->other.line == f->at.line) return true;
    }
    return false;
}

static int by_rank(const void *a, const void *b) {
    const struct finding *x = a, *y = b;
    if (x->kind->rank != y->kind->rank) return x->kind->rank < y->kind->rank ? -1 : 1;
    if (x->at.pc != y->at.pc) return x->at.pc < y->at.pc ? -1 : 1;
    if (x->other.pc != y->other.pc) return x->other.pc < y->other.pc ? -1 : 1;
    return strcmp(x->object, y->object);
}

static void finish_probes(struct measurement *m) {
    for (unsigned k = 0; k < m->listener_count; k++) row_of(m, k)->finish(m->listeners[k].self, m);
    m->listener_count = 0;
}
void measure_end(struct measurement *m) {
    finish_probes(m);
    unsigned kept = 0;
    for (unsigned k = 0; k < m->findings.count; k++)
        if (!explained_by_race(&m->findings, &m->findings.item[k])) m->findings.item[kept++] = m->findings.item[k];
    m->findings.count = kept;
    if (kept) qsort(m->findings.item, kept, sizeof *m->findings.item, by_rank);
}

/* ---- a second run --------------------------------------------------------------------------------------------- */

static unsigned bits_of_rows(bool again) {
    unsigned bits = 0;
    for (unsigned k = 0; k < PROBE_COUNT; k++)
        if (!again || probe_rows[k]->again) bits |= probe_rows[k]->part_of;
    return bits;
}
bool measure_again(struct measurement *second, const struct measurement *first) {
    bool needed = false;
    if (!(first->what & bits_of_rows(true))) return false;
    measure_begin(second, first->what & (~bits_of_rows(false) | bits_of_rows(true)));
    for (unsigned k = 0; k < first->listener_count; k++)
        for (unsigned n = 0; n < second->listener_count; n++)
            if (second->listening[n] == first->listening[k])
                needed |= row_of(second, n)->again(second->listeners[n].self, first->listeners[k].self);
    if (!needed) measure_free(second);
    return needed;
}

/* ---- a launch in parts ----------------------------------------------------------------------------------- */

static bool parts_begin(void *context, unsigned parts) {
    struct measurement *m = context;
    m->part = probe_alloc(parts, sizeof *m->part);
    m->parts = parts;
    for (unsigned k = 0; k < parts; k++) {
        measure_begin(&m->part[k], m->what);
        m->part[k].observed_block = m->observed_block;
        for (unsigned n = 0; n < m->listener_count; n++)
            if (row_of(m, n)->learn) row_of(m, n)->learn(m->part[k].listeners[n].self, m->listeners[n].self);
    }
    return true;
}
static void parts_listeners(void *context, unsigned part, const struct sim_listener **listeners, unsigned *count) {
    const struct measurement *m = context;
    *listeners = m->part[part].listeners, *count = m->part[part].listener_count;
}

static void join_lines(struct measurement *m, const struct measurement *part) {
    for (unsigned k = 0; k < part->line_count; k++) {
        const struct line_counts *from = &part->lines[k];
        struct line_counts *to = line_named(m, from->file, from->line);
        if (to) fields_join(line_fields, to, from, true);
    }
}
static void join_part(struct measurement *m, struct measurement *part, bool first) {
    for (unsigned k = 0; k < PROBE_COUNT; k++)
        if (m->result[k]) fields_join(probe_rows[k]->fields, m->result[k], part->result[k], first);
    join_lines(m, part);
    for (unsigned k = 0; k < part->findings.count; k++) finding_add(&m->findings, &part->findings.item[k]);
    m->findings.dropped += part->findings.dropped;
    m->looks += part->looks;
}
static void parts_end(void *context, bool keep) {
    struct measurement *m = context;
    for (unsigned k = 0; k < m->parts; k++) {
        struct measurement *part = &m->part[k];
        for (unsigned n = 0; keep && n < m->listener_count; n++)
            if (row_of(m, n)->join) row_of(m, n)->join(m->listeners[n].self, part->listeners[n].self);
        finish_probes(part);
        if (keep) join_part(m, part, k == 0);
        measure_free(part);
    }
    free(m->part);
    m->part = NULL, m->parts = 0;
}
struct sim_parts measure_parts(struct measurement *m) {
    /* The cost model times the atomics at the address that the launch's first atomic accesses. The parts do not know
     * this address. */
    return (struct sim_parts){m, parts_begin, parts_listeners, parts_end, .no_atomics = m->what & MEASURE_BLOCK_TIME};
}

void measure_replace(struct measurement *first, struct measurement *second) {
    measure_end(first), measure_end(second); /* probes write results when they finish */
    for (unsigned k = 0; k < PROBE_COUNT; k++) {
        if (!second->result[k]) continue;
        void *replaced = first->result[k];
        first->result[k] = second->result[k], second->result[k] = replaced;
    }
    measure_free(second);
}

void measure_free(struct measurement *m) {
    if (m->listener_count) measure_end(m);
    finding_list_free(&m->findings);
    for (unsigned k = 0; k < PROBE_COUNT; k++) {
        if (m->result[k]) fields_free(probe_rows[k]->fields, m->result[k]);
        free(m->result[k]);
    }
    free(m->lines);
    free(m->names);
    *m = (struct measurement){0};
}
