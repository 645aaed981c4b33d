/* Shadow memory: a record of the last accesses to each part of memory.
 *
 * Memory is divided into lines of 32 cells. A cell has 4 bytes, or 1 byte in a page with an access of 1 or 2 bytes.
 * Each line has a list of marks. A mark stands for all cells of the line that one warp-wide instruction accessed, with
 * a rule that maps cells to lanes. A coalesced access, the most common one, needs one mark per line.
 *
 * Pages of 4 KiB are allocated at their first access, and emptied at their first access in a later generation. Each
 * launch is a generation. With clusters, each block has its own generation for its shared memory. */
#ifndef PROBES_SHADOW_H
#define PROBES_SHADOW_H

#include "probes/probe.h"

#define SHADOW_PAGE 4096
#define SHADOW_CELLS 32
#define SHADOW_INLINE 3

/* Maps cells to lanes: lane = first + (cell >> shift), or first - (cell >> shift) with RULE_FALLING. With RULE_EVERY,
 * all lanes of the mark accessed each cell. A rule is one integer, so that two rules are compared at once. */
typedef uint32_t lane_rule;
enum { RULE_FALLING = 1 << 16, RULE_EVERY = 1 << 17 };
static inline lane_rule make_rule(int first, unsigned shift, unsigned flags) {
    return (uint8_t)first | shift << 8 | flags;
}
static inline int rule_first(lane_rule r) { return (int8_t)(r & 0xff); }
static inline unsigned rule_shift(lane_rule r) { return r >> 8 & 0xff; }
static inline unsigned rule_lane(lane_rule r, unsigned cell) {
    int step = (int)(cell >> rule_shift(r));
    return (unsigned)(r & RULE_FALLING ? rule_first(r) - step : rule_first(r) + step);
}

/* The cells of a line that an access touched. All members have 32 bits, so that the compiler can keep a new mark in
 * registers. */
enum {
    MARK_WARP = 31,
    MARK_KIND = 8,                /* shift of enum sim_access_kind */
    MARK_DATA = 1 << 10,          /* a strong load of data, ordered like a plain load */
    MARK_FLAG = 1 << 11,          /* volatile access to a flag in shared memory; its stores and loads do not race */
    MARK_CLUSTER_SCOPE = 1 << 12, /* atomic only in its cluster */
    /* An atomic, another strong access without MARK_DATA and MARK_FLAG, or a load whose value only a compare-and-swap
     * uses. Two accesses with this bit do not race. */
    MARK_ATOMIC = 1 << 16,
    MARK_BLOCK_SCOPE = 1 << 17, /* atomic only in its block */
    MARK_CALL = 18,             /* shift of sim_where.call */
};
struct mark {
    uint32_t cells; /* the marked cells; never empty in a line */
    uint32_t lanes;
    lane_rule rule;
    uint32_t time, block, pc, form;
    uint32_t serial; /* the access's number, which tells executions of an instruction apart */
};
static inline unsigned mark_warp(const struct mark *m) { return m->form & MARK_WARP; }
static inline enum sim_access_kind mark_kind(const struct mark *m) {
    return (enum sim_access_kind)(m->form >> MARK_KIND & 3);
}
/* Returns the lanes that accessed the cell. */
static inline uint32_t mark_lanes(const struct mark *m, unsigned cell) {
    return m->rule & RULE_EVERY ? m->lanes : 1u << rule_lane(m->rule, cell);
}

struct shadow_line {
    uint32_t count, capacity;
    struct mark *more; /* array of `capacity` marks; NULL if the marks fit inline */
    struct mark inline_[SHADOW_INLINE];
};
struct shadow_page {
    uint32_t generation;
    uint32_t cell_shift; /* log2 of the bytes per cell: 2 or 0 */
    uint32_t line_count;
    struct shadow_line *lines;
};
struct shadow {
    struct shadow_page **pages;
    uint64_t page_count;
    uint64_t bytes; /* approximate size of the pages, in bytes */
};

static inline struct mark *shadow_marks(struct shadow_line *line) { return line->more ? line->more : line->inline_; }
void shadow_size(struct shadow *s, uint64_t bytes); /* makes room for an object of `bytes` bytes */
void shadow_free(struct shadow *s);
void shadow_grow(struct shadow_line *line); /* doubles the room for marks */
/* Returns space for one more mark. */
static inline struct mark *shadow_add(struct shadow_line *line) {
    if (line->count == (line->more ? line->capacity : SHADOW_INLINE)) shadow_grow(line);
    return &shadow_marks(line)[line->count++];
}

/* Returns the page with byte `offset`. Empties it if it is from an earlier generation, and makes its cells small enough
 * for an access of `bytes` bytes. */
struct shadow_page *shadow_prepare(struct shadow *s, uint64_t offset, unsigned bytes, uint32_t generation);
static inline struct shadow_page *shadow_page(struct shadow *s, uint64_t offset, unsigned bytes, uint32_t generation) {
    struct shadow_page *p = s->pages[offset / SHADOW_PAGE];
    bool ready = p && p->generation == generation && (bytes >= 4 || !p->cell_shift);
    return __builtin_expect(ready, 1) ? p : shadow_prepare(s, offset, bytes, generation);
}

/* The part of a warp-wide access that is in one line and fits one rule. `rest` has the other lanes. */
struct shadow_piece {
    uint32_t cells, lanes;
    lane_rule rule;
    uint32_t rest;
    uint32_t cell_bytes;
    struct shadow_line *line;
    uint64_t offset; /* offset of the line's first byte */
};
/* Returns the piece of the lowest lane of `lanes`. */
struct shadow_piece shadow_any(struct shadow *s, const struct sim_access *e, uint32_t generation, uint32_t lanes);
uint32_t shadow_widen(uint32_t lanes, unsigned shift);

/* The fast path of shadow_any(): adjacent lanes access adjacent cells. Takes as many lanes as fit in the line. */
static inline struct shadow_piece shadow_neighbors(struct shadow *s, const struct sim_access *e, uint32_t generation,
                                                   uint32_t lanes) {
    struct shadow_piece p;
    unsigned lane = lowest_lane(lanes);
    uint64_t offset = e->offset[lane];
    const struct shadow_page *page = shadow_page(s, offset, e->bytes, generation);
    unsigned cell_shift = page->cell_shift, shift = (unsigned)__builtin_ctz(e->bytes) - cell_shift;
    unsigned cell = (unsigned)(offset % SHADOW_PAGE) >> cell_shift, start = cell % SHADOW_CELLS;
    unsigned end = lane + ((SHADOW_CELLS - start) >> shift); /* the first lane in the next line */
    uint32_t here = end >= 32 ? lanes : lanes & ((1u << end) - 1);
    p.cells = (shift ? shadow_widen(here >> lane, shift) : here >> lane) << start;
    p.lanes = here;
    p.rule = make_rule((int)lane - (int)(start >> shift), shift, 0);
    p.rest = lanes & ~here;
    p.cell_bytes = 1u << cell_shift;
    p.line = &page->lines[cell / SHADOW_CELLS];
    p.offset = offset - ((uint64_t)start << cell_shift);
    return p;
}

#endif
