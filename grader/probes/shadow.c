/* Shadow memory: pages, lines, and how a warp-wide access is cut into lines. */
#include "probes/shadow.h"

void shadow_size(struct shadow *s, uint64_t bytes) {
    uint64_t pages = (bytes + SHADOW_PAGE - 1) / SHADOW_PAGE;
    if (pages <= s->page_count) return;
    s->pages = probe_grow(s->pages, pages, sizeof *s->pages);
    memset(s->pages + s->page_count, 0, (pages - s->page_count) * sizeof *s->pages);
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

/* Cells of 4 bytes become cells of one byte: each line becomes four, each mark up to four. */
static void split_cells(struct shadow_page *p) {
    struct shadow_page old = *p;
    make_lines(p, 0);
    for (uint32_t k = 0; k < old.line_count; k++) {
        const struct mark *marks = shadow_marks(&old.lines[k]);
        for (uint32_t n = 0; n < old.lines[k].count; n++)
            for (unsigned quarter = 0; quarter < 4; quarter++) {
                struct mark m = marks[n];
                uint32_t cells = m.cells >> 8 * quarter & 0xff;
                int passed = (int)(8 * quarter >> m.rule.shift); /* lanes that the earlier quarters hold */
                m.cells = 0;
                for (unsigned c = 0; c < 8; c++)
                    if (cells >> c & 1) m.cells |= 0xfu << 4 * c;
                if (!m.cells) continue;
                m.rule.first = (int8_t)(m.rule.falling ? m.rule.first - passed : m.rule.first + passed);
                m.rule.shift = m.rule.shift + 2 > 5 ? 5 : (uint8_t)(m.rule.shift + 2);
                shadow_add(&p->lines[4 * k + quarter], &m);
            }
    }
    free_lines(&old);
}

static struct shadow_page *make_page(struct shadow *s, uint64_t at, uint32_t generation) {
    struct shadow_page *p = s->pages[at];
    if (!p) {
        p = s->pages[at] = probe_alloc(1, sizeof *p);
        make_lines(p, 2);
    }
    for (uint32_t k = 0; k < p->line_count; k++) p->lines[k].count = 0;
    p->generation = generation;
    return p;
}

struct shadow_page *shadow_prepare(struct shadow *s, uint64_t offset, unsigned bytes, uint32_t generation) {
    uint64_t at = offset / SHADOW_PAGE;
    struct shadow_page *p = s->pages[at];
    if (!p || p->generation != generation) p = make_page(s, at, generation);
    if (bytes < 4 && p->cell_shift) split_cells(p);
    return p;
}

void shadow_grow(struct shadow_line *line) {
    uint32_t room = line->more ? line->capacity : SHADOW_INLINE;
    struct mark *more = probe_grow(line->more, 2 * room, sizeof *more);
    if (!line->more) memcpy(more, line->inline_, sizeof line->inline_);
    line->more = more, line->capacity = 2 * room;
}

/* ---- an access, line by line -------------------------------------------------------------------------------------------------- */

/* Each bit becomes 2^shift bits: the cells of the lanes. Only as many lanes as fit are asked for. */
uint32_t shadow_widen(uint32_t lanes, unsigned shift) {
    if (lanes == UINT32_MAX >> (32 - (32u >> shift))) return UINT32_MAX;
    uint32_t out = 0, ones = (1u << (1u << shift)) - 1;
    for (; lanes; lanes &= lanes - 1) out |= ones << (lowest_lane(lanes) << shift);
    return out;
}

/* What lanes do in the line of the first one, as far as one rule can say it. Returns the lanes left. */
static uint32_t take_run(const struct sim_access *e, uint32_t lanes, uint64_t line_bytes, unsigned cell_shift, unsigned shift, struct mark *m) {
    unsigned l0 = lowest_lane(lanes);
    uint64_t line = e->offset[l0] / line_bytes;
    unsigned c0 = (unsigned)(e->offset[l0] % line_bytes) >> cell_shift;
    uint32_t cells_of_one = shift == 5 ? UINT32_MAX : (1u << (1u << shift)) - 1;
    m->cells = cells_of_one << c0;
    m->lanes = 1u << l0;
    m->rule = (struct lane_rule){.first = (int8_t)l0, .shift = 5};
    lanes &= lanes - 1;
    bool first = true;
    for (; lanes; lanes &= lanes - 1) {
        unsigned l = lowest_lane(lanes);
        if (e->offset[l] / line_bytes != line) break;
        unsigned c = (unsigned)(e->offset[l] % line_bytes) >> cell_shift;
        if (first) { /* two lanes make the rule */
            unsigned apart = c > c0 ? c - c0 : c0 - c, step = apart / (l - l0);
            if (!apart) m->rule = (struct lane_rule){.every = true};
            else if (apart % (l - l0) || step & (step - 1) || step < 1u << shift) break;
            else {
                unsigned by = (unsigned)__builtin_ctz(step);
                bool falling = c < c0;
                m->rule = (struct lane_rule){.first = (int8_t)(falling ? (int)l0 + (int)(c0 >> by) : (int)l0 - (int)(c0 >> by)),
                                             .shift = (uint8_t)by, .falling = falling};
            }
            first = false;
        }
        if (m->rule.every ? c != c0 : mark_lane(m, c) != l) break;
        m->cells |= cells_of_one << c;
        m->lanes |= 1u << l;
    }
    return lanes;
}

void shadow_next_any(struct shadow_cut *c, struct mark *m) {
    const struct sim_access *e = c->access;
    uint64_t offset = e->offset[lowest_lane(c->lanes)];
    const struct shadow_page *page = shadow_page(c->shadow, offset, e->bytes, c->generation);
    unsigned cell_shift = page->cell_shift, shift = (unsigned)__builtin_ctz(e->bytes) - cell_shift;
    uint64_t line_bytes = SHADOW_CELLS << cell_shift;
    c->lanes = take_run(e, c->lanes, line_bytes, cell_shift, shift, m);
    c->line = &page->lines[offset % SHADOW_PAGE / line_bytes];
    c->offset = offset / line_bytes * line_bytes;
    c->cell_bytes = 1u << cell_shift;
}
