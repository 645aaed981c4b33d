/* Memory of an object that may be larger than the host's memory: a repeated pattern, and copies of the pages that were
 * written. Reads of other pages return the pattern. Its stored copy is one page longer than the period, so the bytes
 * of any page are contiguous in it.
 *
 * A function, the maker, can replace the pattern. The last MAX_MADE pages that it made are cached. If an evicted page
 * is read again, the maker makes the same bytes again. */
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

/* Sizes of the caches in pages. Each is many times the number of pages that one access of a warp touches. */
enum { MAX_MADE = 1 << 13, MAX_VIEWED = 1 << 10 };
struct sim_sparse {
    uint8_t **page; /* copies of pages; NULL: not written since the last fill, and not cached */
    uint64_t pages, bytes;
    struct sim_period pattern; /* one period and the next SIM_PAGE bytes; empty if there is a maker */
    struct sim_maker maker;
    uint8_t *written;               /* with a maker, for each page: it was written */
    uint64_t *made, next, in_order; /* made: ring buffer of cached pages; next: index of its next page; in_order: number
                                       of cached pages */
    uint64_t most, own;             /* most: capacity of the ring buffer; own: written pages */
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
    free(x->pattern.bytes);
    x->pattern = (struct sim_period){
        bytes, period, period > 1 ? (uint64_t)(((unsigned __int128)1 << 64) / period) : UINT64_MAX, x->bytes};
    return true;
}
static void forget_maker(struct sim_sparse *x) {
    free(x->written);
    free(x->made);
    x->written = NULL, x->made = NULL, x->next = x->in_order = 0;
}
struct sim_sparse *sim_sparse_new(uint64_t bytes, const void *pattern, uint64_t period) {
    struct sim_sparse *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->pages = bytes / SIM_PAGE + 1, x->bytes = bytes;
    x->page = calloc(x->pages, sizeof *x->page);
    if (x->page && set_pattern(x, pattern, period)) return x;
    sim_sparse_free(x);
    return NULL;
}
/* Frees the copies of pages. Returns the size, in bytes, of those that count toward the memory limit. */
static uint64_t drop_pages(struct sim_sparse *x) {
    uint64_t bytes = 0;
    const bool any = x->own || x->in_order; /* a loop over the pages of 8 GiB would be slow */
    for (uint64_t k = 0; any && x->page && k < x->pages; k++) {
        if (!x->page[k]) continue;
        bytes += !x->written || x->written[k] ? SIM_PAGE : 0;
        free(x->page[k]), x->page[k] = NULL;
    }
    x->own = 0;
    return bytes;
}
uint64_t sim_sparse_free(struct sim_sparse *x) {
    if (!x) return 0;
    const uint64_t bytes = drop_pages(x);
    forget_maker(x);
    free(x->page);
    free(x->pattern.bytes);
    free(x);
    return bytes;
}
bool sim_sparse_fill(struct sim *s, struct sim_sparse *x, const void *pattern, uint64_t period) {
    s->used -= drop_pages(x);
    forget_maker(x);
    return set_pattern(x, pattern, period);
}
bool sim_sparse_make(struct sim *s, struct sim_sparse *x, struct sim_maker maker) {
    s->used -= drop_pages(x);
    forget_maker(x);
    free(x->pattern.bytes);
    x->pattern = (struct sim_period){0}, x->maker = maker, x->most = MAX_MADE;
    x->written = calloc(x->pages, 1), x->made = malloc(x->most * sizeof *x->made);
    return x->written && x->made;
}
bool sim_sparse_is_made(const struct sim_sparse *x) { return !x->pattern.bytes; }
struct sim_sparse *sim_sparse_view(const struct sim_sparse *x) {
    struct sim_sparse *view = x->pattern.bytes || x->own ? NULL : calloc(1, sizeof *view);
    if (!view) return NULL;
    *view = (struct sim_sparse){.pages = x->pages, .bytes = x->bytes, .maker = x->maker, .most = MAX_VIEWED};
    view->page = calloc(x->pages, sizeof *view->page);
    view->written = calloc(x->pages, 1), view->made = malloc(view->most * sizeof *view->made);
    if (view->page && view->written && view->made) return view;
    sim_sparse_free(view);
    return NULL;
}

static bool new_page(struct sim_sparse *x, uint64_t k) {
    const uint64_t at = k * SIM_PAGE;
    if (!(x->page[k] = malloc(SIM_PAGE))) return false;
    if (x->pattern.bytes)
        memcpy(x->page[k], x->pattern.bytes + sim_in_period(&x->pattern, at), SIM_PAGE);
    else
        x->maker.make(x->maker.context, at, x->bytes - at < SIM_PAGE ? x->bytes - at : SIM_PAGE, x->page[k]);
    return true;
}
/* Makes a page for reading. A full cache evicts its oldest page. */
static bool make_page(struct sim_sparse *x, uint64_t k) {
    if (x->in_order == x->most) {
        const uint64_t oldest = x->made[x->next];
        if (!x->written[oldest]) free(x->page[oldest]), x->page[oldest] = NULL;
        x->in_order--;
    }
    if (!new_page(x, k)) return false;
    x->made[x->next] = k, x->next = (x->next + 1) % x->most, x->in_order++;
    return true;
}
static bool own_page(struct sim *s, struct sim_sparse *x, uint64_t k) {
    const uint64_t limit = sim_memory_limit(s);
    if (SIM_PAGE > limit || s->used > limit - SIM_PAGE || (!x->page[k] && !new_page(x, k))) return false;
    if (x->written) x->written[k] = 1;
    x->own++;
    if (k * SIM_PAGE < x->pattern.end) x->pattern.end = k * SIM_PAGE;
    s->used += SIM_PAGE;
    return true;
}
uint8_t *sim_sparse_at(struct sim *s, struct sim_sparse *x, uint64_t offset, bool writes) {
    const uint64_t k = offset / SIM_PAGE;
    if (writes && (!x->page[k] || (x->written && !x->written[k]))) {
        if (!own_page(s, x, k)) return NULL;
    } else if (offset < x->pattern.end || (x->pattern.bytes && !x->page[k]))
        return x->pattern.bytes + sim_in_period(&x->pattern, offset);
    else if (!x->page[k]) {
        if (!make_page(x, k)) return NULL;
    }
    return x->page[k] + offset % SIM_PAGE;
}
const struct sim_period *sim_sparse_period(const struct sim_sparse *x) { return &x->pattern; }
