/* Shadow memory: pages and lines, and the division of a warp-wide access into lines. */
#include "probes/shadow.h"

void shadow_size(struct shadow *s, uint64_t bytes) {
    uint64_t pages = (bytes + SHADOW_PAGE - 1) / SHADOW_PAGE;
    if (pages <= s->page_count) return;
    if (s->pages) {
        s->pages = probe_grow(s->pages, pages, sizeof *s->pages);
        memset(s->pages + s->page_count, 0, (pages - s->page_count) * sizeof *s->pages);
    } else
        s->pages = probe_alloc(pages, sizeof *s->pages); /* the host commits no memory that is never touched */
    s->page_count = pages;
}

static void free_lines(struct shadow_page *p) {
    for (uint32_t k = 0; k < p->line_count; k++) free(p->lines[k].more);
    free(p->lines);
}

void shadow_free(struct shadow *s) {
    for (uint64_t k = 0; k < s->page_count; k++) {
        if (!s->pages[k]) continue;
        free_lines(s->pages[k]);
        free(s->pages[k]);
    }
    free(s->pages);
    *s = (struct shadow){0};
}

static void make_lines(struct shadow_page *p, uint32_t cell_shift) {
    p->cell_shift = cell_shift;
    p->line_count = SHADOW_PAGE / SHADOW_CELLS >> cell_shift;
    p->lines = probe_alloc(p->line_count, sizeof *p->lines);
}

/* Splits 4-byte cells into 1-byte cells. A line becomes four lines, and a mark up to four marks. */
static void split_cells(struct shadow_page *p) {
    struct shadow_page old = *p;
    make_lines(p, 0);
    for (uint32_t k = 0; k < old.line_count; k++) {
        const struct mark *marks = shadow_marks(&old.lines[k]);
        for (uint32_t n = 0; n < old.lines[k].count; n++)
            for (unsigned quarter = 0; quarter < 4; quarter++) {
                struct mark m = marks[n];
                uint32_t cells = m.cells >> 8 * quarter & 0xff;
                unsigned shift = rule_shift(m.rule);
                int passed = (int)(8 * quarter >> shift); /* lanes in the quarters before this one */
                m.cells = 0;
                for (unsigned c = 0; c < 8; c++)
                    if (cells >> c & 1) m.cells |= 0xfu << 4 * c;
                if (!m.cells) continue;
                m.rule = make_rule(rule_first(m.rule) + (m.rule & RULE_FALLING ? -passed : passed),
                                   shift + 2 > 5 ? 5 : shift + 2, m.rule & (RULE_FALLING | RULE_EVERY));
                *shadow_add(&p->lines[4 * k + quarter]) = m;
            }
    }
    free_lines(&old);
}

static struct shadow_page *make_page(struct shadow *s, uint64_t at, uint32_t generation) {
    struct shadow_page *p = s->pages[at];
    if (!p) {
        p = s->pages[at] = probe_alloc(1, sizeof *p);
        make_lines(p, 2);
        s->bytes += sizeof *p + p->line_count * sizeof *p->lines;
    }
    for (uint32_t k = 0; k < p->line_count; k++) p->lines[k].count = 0;
    p->generation = generation;
    return p;
}

struct shadow_page *shadow_prepare(struct shadow *s, uint64_t offset, unsigned bytes, uint32_t generation) {
    uint64_t at = offset / SHADOW_PAGE;
    struct shadow_page *p = s->pages[at];
    if (!p || p->generation != generation) p = make_page(s, at, generation);
    if (bytes < 4 && p->cell_shift) split_cells(p), s->bytes += p->line_count * sizeof *p->lines;
    return p;
}

void shadow_grow(struct shadow_line *line) {
    uint32_t room = line->more ? line->capacity : SHADOW_INLINE;
    struct mark *more = probe_grow(line->more, 2 * room, sizeof *more);
    if (!line->more) memcpy(more, line->inline_, sizeof line->inline_);
    line->more = more, line->capacity = 2 * room;
}

/* ---- division of an access into lines -------------------------------------------------------------------- */

/* Inserts 2^by - 1 zeros after each bit. Most masks of lanes are a run from bit 0, whose result is part of a table. */
static uint32_t spread(uint32_t bits, unsigned by) {
    static const uint32_t of_all[] = {UINT32_MAX, 0x55555555, 0x11111111, 0x01010101, 0x00010001, 1};
    if (!(bits & (bits + 1))) {
        const unsigned end = bits == UINT32_MAX ? 32 : (unsigned)__builtin_ctz(~bits) << by;
        return end < 32 ? of_all[by] & ((1u << end) - 1) : of_all[by];
    }
    for (unsigned k = 0; k < by; k++) { /* insert one zero after each bit */
        bits = (bits | bits << 8) & 0x00ff00ff, bits = (bits | bits << 4) & 0x0f0f0f0f;
        bits = (bits | bits << 2) & 0x33333333, bits = (bits | bits << 1) & 0x55555555;
    }
    return bits;
}
/* Converts lanes to cells: each bit becomes 2^shift bits. The result must have room for all lanes. */
uint32_t shadow_widen(uint32_t lanes, unsigned shift) {
    if (lanes == UINT32_MAX >> (32 - (32u >> shift))) return UINT32_MAX;
    return spread(lanes, shift) * ((1u << (1u << shift)) - 1);
}

/* Handles the most common patterns without looking at each lane: the lanes access every cell of a line, every second,
 * every fourth and so on. Returns false for other patterns and for a single lane. */
static bool take_steps(const struct sim_access *e, uint32_t lanes, unsigned cell_shift, unsigned shift,
                       struct shadow_piece *p) {
    const unsigned l0 = lowest_lane(lanes), c0 = (unsigned)(e->offset[l0] >> cell_shift) % SHADOW_CELLS;
    const uint64_t step = (uint64_t)e->step >> cell_shift;
    if (step < 1u << shift || step >= SHADOW_CELLS || step & (step - 1) || step << cell_shift != (uint64_t)e->step)
        return false;
    const unsigned by = (unsigned)__builtin_ctz((unsigned)step),
                   end = l0 + ((SHADOW_CELLS - c0 + (unsigned)step - 1) >> by);
    const uint32_t here = end >= SIM_WARP ? lanes : lanes & ((1u << end) - 1);
    if (!(here & (here - 1))) return false;
    p->cells = spread(here >> l0, by) * ((1u << (1u << shift)) - 1) << c0, p->lanes = here;
    p->rule = make_rule((int)l0 - (int)(c0 >> by), by, 0);
    return true;
}
/* Returns the 2^shift lowest cells. */
static inline uint32_t cells_of_one(unsigned shift) { return shift == 5 ? UINT32_MAX : (1u << (1u << shift)) - 1; }
/* Takes a single lane. */
static inline void take_one(const struct sim_access *e, unsigned lane, unsigned cell_shift, unsigned shift,
                            struct shadow_piece *p) {
    p->cells = cells_of_one(shift) << (unsigned)(e->offset[lane] >> cell_shift) % SHADOW_CELLS;
    p->lanes = 1u << lane;
    p->rule = make_rule((int)lane, 5, 0);
}
/* Takes the lanes that access the first lane's line and fit one rule. Returns the others. */
static uint32_t take_run(const struct sim_access *e, uint32_t lanes, unsigned line_shift, unsigned cell_shift,
                         unsigned shift, struct shadow_piece *p) {
    unsigned l0 = lowest_lane(lanes);
    uint64_t line = e->offset[l0] >> line_shift;
    unsigned c0 = (unsigned)(e->offset[l0] >> cell_shift) % SHADOW_CELLS;
    take_one(e, l0, cell_shift, shift, p);
    lanes &= lanes - 1;
    for (bool second = true; lanes; lanes &= lanes - 1, second = false) {
        unsigned l = lowest_lane(lanes);
        if (e->offset[l] >> line_shift != line) break;
        unsigned c = (unsigned)(e->offset[l] >> cell_shift) % SHADOW_CELLS;
        if (second) { /* the first two lanes determine the rule */
            unsigned apart = c > c0 ? c - c0 : c0 - c, step = l == l0 + 1 ? apart : apart / (l - l0);
            if (!apart)
                p->rule = RULE_EVERY;
            else if (step * (l - l0) != apart || step & (step - 1) || step < 1u << shift)
                break;
            else {
                unsigned by = (unsigned)__builtin_ctz(step);
                int passed = (int)(c0 >> by);
                p->rule = c < c0 ? make_rule((int)l0 + passed, by, RULE_FALLING) : make_rule((int)l0 - passed, by, 0);
            }
        }
        if (p->rule & RULE_EVERY ? c != c0 : rule_lane(p->rule, c) != l) break;
        p->cells |= cells_of_one(shift) << c;
        p->lanes |= 1u << l;
    }
    return lanes;
}

struct shadow_piece shadow_any(struct shadow *s, const struct sim_access *e, uint32_t generation, uint32_t lanes) {
    uint64_t offset = e->offset[lowest_lane(lanes)];
    const struct shadow_page *page = shadow_page(s, offset, e->bytes, generation);
    unsigned cell_shift = page->cell_shift, shift = (unsigned)__builtin_ctz(e->bytes) - cell_shift;
    const unsigned line_shift = cell_shift + (unsigned)__builtin_ctz(SHADOW_CELLS);
    struct shadow_piece p = {.cell_bytes = 1u << cell_shift,
                             .offset = offset >> line_shift << line_shift,
                             .line = &page->lines[offset % SHADOW_PAGE >> line_shift]};
    const uint32_t others = lanes & (lanes - 1);
    if (!others || e->offset[lowest_lane(others)] >> line_shift != offset >> line_shift)
        take_one(e, lowest_lane(lanes), cell_shift, shift, &p), p.rest = others;
    else
        p.rest = take_steps(e, lanes, cell_shift, shift, &p) ? lanes & ~p.lanes
                                                             : take_run(e, lanes, line_shift, cell_shift, shift, &p);
    return p;
}
