/* Shadow memory: who touched each piece of memory last.
 *
 * Memory is cut into lines of 32 cells; a cell is 4 bytes, or 1 byte in a page that has seen an access of 1 or 2 bytes. A line
 * holds marks: one mark stands for all cells of the line that one warp-wide instruction touched, with the rule that says which
 * lane touched which cell. So the usual access, 32 neighbours, is one mark in one line, whatever it costs to look at it.
 *
 * Pages of 4 KiB are made when they are first touched, and emptied when they are first touched in a later launch. */
#ifndef PROBES_SHADOW_H
#define PROBES_SHADOW_H

#include "probes/probe.h"

#define SHADOW_PAGE 4096
#define SHADOW_CELLS 32
#define SHADOW_INLINE 3

/* Which lane touched which cell: lane = first + (cell >> shift), or first - (cell >> shift) where `falling`; all lanes of
 * `lanes` touched every cell where `every`. */
struct lane_rule { int8_t first; uint8_t shift; bool falling, every; };

/* Also what a new access does in one line. */
struct mark {
    uint32_t time, block, pc;
    uint32_t cells;      /* empty: the mark is void */
    uint32_t lanes;
    struct lane_rule rule;
    uint8_t warp;
    uint8_t kind : 2;    /* enum sim_access_kind */
    uint8_t atomic : 1;  /* atomic, or strong in global memory: no race with another such */
    uint8_t block_scope : 1; /* atomic towards its own block only */
};
struct shadow_line {
    uint32_t count, capacity;
    struct mark *more;   /* [capacity] once there are more than fit inline */
    struct mark inline_[SHADOW_INLINE];
};
struct shadow_page {
    uint32_t generation;
    uint32_t cell_shift;        /* 2, or 0: bytes */
    uint32_t line_count;
    struct shadow_line *lines;
};
struct shadow {
    struct shadow_page **pages;
    uint64_t page_count;
};

static inline struct mark *shadow_marks(struct shadow_line *line) { return line->more ? line->more : line->inline_; }
static inline unsigned mark_lane(const struct mark *m, unsigned cell) {
    int step = (int)(cell >> m->rule.shift);
    return (unsigned)(m->rule.falling ? m->rule.first - step : m->rule.first + step);
}
/* Lanes that touched the cell. */
static inline uint32_t mark_lanes(const struct mark *m, unsigned cell) { return m->rule.every ? m->lanes : 1u << mark_lane(m, cell); }

void shadow_size(struct shadow *s, uint64_t bytes);
void shadow_free(struct shadow *s);
void shadow_grow(struct shadow_line *line);
static inline void shadow_add(struct shadow_line *line, const struct mark *m) {
    if (line->count == (line->more ? line->capacity : SHADOW_INLINE)) shadow_grow(line);
    shadow_marks(line)[line->count++] = *m;
}

/* The page of a byte offset, ready for accesses of `bytes` bytes in this generation. */
struct shadow_page *shadow_prepare(struct shadow *s, uint64_t offset, unsigned bytes, uint32_t generation);
static inline struct shadow_page *shadow_page(struct shadow *s, uint64_t offset, unsigned bytes, uint32_t generation) {
    struct shadow_page *p = s->pages[offset / SHADOW_PAGE];
    bool ready = p && p->generation == generation && (bytes >= 4 || !p->cell_shift);
    return __builtin_expect(ready, 1) ? p : shadow_prepare(s, offset, bytes, generation);
}

/* What a warp-wide access does, cut into lines: shadow_next() fills in cells, lanes and rule of the mark for the next line,
 * until no lanes are left. */
struct shadow_cut {
    struct shadow *shadow;
    const struct sim_access *access;
    uint32_t generation;
    uint32_t lanes;             /* still to come */
    struct shadow_line *line;   /* the line, ... */
    uint64_t offset;            /* ... its first byte, ... */
    unsigned cell_bytes;        /* ... and the size of its cells */
};
void shadow_next_any(struct shadow_cut *c, struct mark *m);
uint32_t shadow_widen(uint32_t lanes, unsigned shift);

/* Neighbouring lanes touch neighbouring cells: as many lanes as the line has room for. */
static inline void shadow_next_neighbours(struct shadow_cut *c, struct mark *m) {
    unsigned bytes = c->access->bytes, lane = lowest_lane(c->lanes);
    uint64_t offset = c->access->offset[lane];
    const struct shadow_page *page = shadow_page(c->shadow, offset, bytes, c->generation);
    unsigned cell_shift = page->cell_shift, shift = (unsigned)__builtin_ctz(bytes) - cell_shift;
    unsigned cell = (unsigned)(offset % SHADOW_PAGE) >> cell_shift, start = cell % SHADOW_CELLS;
    unsigned end = lane + ((SHADOW_CELLS - start) >> shift); /* lanes from here on are in the next line */
    uint32_t here = end >= 32 ? c->lanes : c->lanes & ((1u << end) - 1);
    m->cells = (shift ? shadow_widen(here >> lane, shift) : here >> lane) << start;
    m->lanes = here;
    m->rule = (struct lane_rule){.first = (int8_t)(lane - (start >> shift)), .shift = (uint8_t)shift};
    c->lanes &= ~here;
    c->line = &page->lines[cell / SHADOW_CELLS];
    c->offset = offset - ((uint64_t)start << cell_shift);
    c->cell_bytes = 1u << cell_shift;
}
static inline void shadow_next(struct shadow_cut *c, struct mark *m) {
    if (c->access->contiguous) shadow_next_neighbours(c, m);
    else shadow_next_any(c, m);
}

#endif
