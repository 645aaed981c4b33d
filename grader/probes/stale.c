/* Keeps the values of memory before its last store and gives them to loads that may return them.
 *
 * By the PTX memory model, a load that is not ordered after a store may return the older value. races.c finds these
 * loads, and this file has the value. Of each warp's loads that may return the value before a store, only the first
 * gets it. Later loads get the new value, so that a loop that waits for the store ends. */
#include "base/hash.h"
#include "probes/stale.h"

/* By byte: the value before the last store, and the store's number. */
struct stale_page {
    uint32_t serial[SHADOW_PAGE];
    uint8_t before[SHADOW_PAGE];
};

void stale_free(struct stale_memory *m) {
    for (uint64_t k = 0; k < m->page_count; k++) free(m->pages[k]);
    free(m->pages);
    *m = (struct stale_memory){0};
}
void stale_forget(struct stale_readers *r) { map_free(&r->met); }

static struct stale_page *page_of(struct stale_memory *m, uint64_t offset) {
    const uint64_t k = offset / SHADOW_PAGE;
    if (k >= m->page_count) {
        const uint64_t count = 2 * k + 2;
        m->pages = probe_grow(m->pages, count, sizeof *m->pages);
        memset(m->pages + m->page_count, 0, (count - m->page_count) * sizeof *m->pages);
        m->page_count = count;
    }
    if (!m->pages[k]) m->pages[k] = probe_alloc(1, sizeof *m->pages[k]);
    return m->pages[k];
}

void stale_store(struct stale_memory *m, const struct sim_access *e, uint32_t serial) {
    EACH_LANE (l, e->mask)
        for (unsigned k = 0; k < e->bytes; k++) {
            const uint64_t at = e->offset[l] + k;
            struct stale_page *p = page_of(m, at);
            p->serial[at % SHADOW_PAGE] = serial, p->before[at % SHADOW_PAGE] = e->before[l][k];
        }
}

/* Returns whether the warp gets values from before the store in this load. With a seed, a warp gets none with a
 * probability of one half. */
static bool is_given(struct stale_readers *r, const struct sim_access *e, uint32_t store, uint32_t load) {
    const uint64_t key[] = {store, e->where->block, e->where->warp};
    const uint64_t hash = hash_bytes(HASH_START, key, sizeof key) | 1;
    uint64_t *met = probe_map(&r->met, hash);
    if (!*met) {
        const bool drawn = !e->stale->seed || hash_bytes(hash, &e->stale->seed, sizeof e->stale->seed) >> 32 & 1;
        *met = drawn ? load : UINT32_MAX;
    }
    return *met == load;
}
static bool is_meant(const struct sim_access *e) {
    return e->stale->line == SIM_ANY_LINE || finding_site(e->where, e->pc, 0).line == e->stale->line;
}
void stale_load(struct stale_memory *m, struct stale_readers *r, const struct sim_access *e, uint32_t store,
                uint32_t load, uint64_t offset, unsigned bytes, uint32_t lanes) {
    if (!lanes || !is_meant(e) || !is_given(r, e, store, load)) return;
    EACH_LANE (l, lanes)
        for (unsigned k = 0; k < bytes; k++) {
            const uint64_t at = offset + k, in = at - e->offset[l];
            const struct stale_page *p = page_of(m, at);
            if (p->serial[at % SHADOW_PAGE] != store || in >= e->bytes) continue;
            e->stale->value[l][in] = p->before[at % SHADOW_PAGE];
            e->stale->lanes |= 1u << l;
        }
}
