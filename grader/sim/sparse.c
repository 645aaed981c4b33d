/* Memory of an object that is too large for the host: a pattern that repeats, and copies of the pages that were
 * written. A page that is not copied is read from the pattern, which has a page more behind its period, so that
 * whatever lies within one page is contiguous there as well. */
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

struct sim_sparse {
    uint8_t **page; /* copies; NULL: not written since it was filled */
    uint64_t pages, period;
    uint8_t *pattern; /* period + SIM_PAGE bytes */
};

static bool set_pattern(struct sim_sparse *x, const void *pattern, uint64_t period) {
    uint8_t *bytes = malloc(period + SIM_PAGE);
    if (!bytes) return false;
    memcpy(bytes, pattern, period);
    for (uint64_t done = period; done < period + SIM_PAGE;) {
        const uint64_t left = period + SIM_PAGE - done, n = left < done ? left : done;
        memcpy(bytes + done, bytes, n);
        done += n;
    }
    free(x->pattern);
    x->pattern = bytes, x->period = period;
    return true;
}
struct sim_sparse *sim_sparse_new(uint64_t bytes, const void *pattern, uint64_t period) {
    struct sim_sparse *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->pages = bytes / SIM_PAGE + 1;
    x->page = calloc(x->pages, sizeof *x->page);
    if (x->page && set_pattern(x, pattern, period)) return x;
    sim_sparse_free(x);
    return NULL;
}
/* Returns the bytes that its copies took. */
static uint64_t drop_pages(struct sim_sparse *x) {
    uint64_t bytes = 0;
    for (uint64_t k = 0; x->page && k < x->pages; k++)
        if (x->page[k]) free(x->page[k]), x->page[k] = NULL, bytes += SIM_PAGE;
    return bytes;
}
uint64_t sim_sparse_free(struct sim_sparse *x) {
    if (!x) return 0;
    const uint64_t bytes = drop_pages(x);
    free(x->page);
    free(x->pattern);
    free(x);
    return bytes;
}
bool sim_sparse_fill(struct sim *s, struct sim_sparse *x, const void *pattern, uint64_t period) {
    s->used -= drop_pages(x);
    return set_pattern(x, pattern, period);
}
static bool copy_page(struct sim *s, struct sim_sparse *x, uint64_t k) {
    const uint64_t limit = sim_memory_limit(s);
    if (SIM_PAGE > limit || s->used > limit - SIM_PAGE || !(x->page[k] = malloc(SIM_PAGE))) return false;
    memcpy(x->page[k], x->pattern + k * SIM_PAGE % x->period, SIM_PAGE);
    s->used += SIM_PAGE;
    return true;
}
uint8_t *sim_sparse_at(struct sim *s, struct sim_sparse *x, uint64_t offset, bool writes) {
    const uint64_t k = offset / SIM_PAGE;
    if (!x->page[k]) {
        if (!writes) return x->pattern + offset % x->period;
        if (!copy_page(s, x, k)) return NULL;
    }
    return x->page[k] + offset % SIM_PAGE;
}
