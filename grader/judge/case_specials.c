/* Generators of cases with special values. See case_makers.h. */
#include "judge/case_makers.h"

/* Returns the minimum number of elements for pack k of special values, with one block or several. */
static uint32_t least_of(const struct maker *m, unsigned k) { return 2 * m->specials->pack[k].count + 2; }
/* Returns whether pack k needs several rounds of elements per thread. */
static bool needs_rounds(const struct maker *m, unsigned k) { return m->specials->pack[k].way != SPECIAL_ANYWHERE; }
/* Returns a number of rounds in which each thread takes several groups of elements, so that a loop over groups has a
 * second iteration. */
static uint32_t rounds_of(const struct grade_case *c) { return c->kernel->elements < 6 ? 6 : 2 * c->kernel->elements; }
bool special_on_one(const struct maker *m, unsigned k, struct grade_case *c) {
    const bool any_n = c->kernel->one_block || c->kernel->grid_stride;
    if (k >= m->specials->packs) return false;
    const bool several = any_n && needs_rounds(m, k);
    uint32_t least = least_of(m, k);
    c->special = k + 1, c->grid = 1;
    c->block = maker_any_block(m, k, c);
    while (!any_n && c->kernel->elements * c->block < least && c->block < 1024) c->block *= 2;
    if (several && !c->kernel->only_block) c->block = 32;
    if (several) least += 2 * c->block;
    const uint32_t rounds = several                         ? rounds_of(c)
                            : any_n && c->kernel->one_block ? 6 /* several rounds for a one-block kernel, too */
                                                            : c->kernel->elements,
                   most = rounds * c->block;
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), least, most < SPECIAL_MAX_N ? most : SPECIAL_MAX_N);
    return true;
}
bool special_on_many(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { FEW_BLOCKS = 3, SOME_BLOCKS = 12 };
    if (k >= m->specials->packs || c->kernel->one_block) return false;
    const struct special_pack *p = &m->specials->pack[k];
    const bool several = needs_rounds(m, k);
    c->special = k + 1, c->block = several && !c->kernel->only_block ? 32 : maker_any_block(m, k, c);
    if (!c->kernel->grid_stride && c->block > 256) c->block = 256;
    c->grid = several ? maker_between(maker_drawn(m, k, FOR_GRID), 2, p->way < SPECIAL_APART ? SOME_BLOCKS : FEW_BLOCKS)
                      : maker_turning_grid(m, k, c->block);
    /* before the trees begin, each thread of a grid-stride kernel combines two or three elements */
    const uint32_t loaded = c->kernel->grid_stride ? several ? 3 : 2 : 0, room = SPECIAL_MAX_N - least_of(m, k);
    while (loaded * c->block * c->grid > room && c->block > 32 && !c->kernel->only_block) c->block /= 2;
    if (loaded * c->block * c->grid > room) c->grid = room / loaded / c->block;
    const uint32_t segment = c->kernel->grid_stride ? 0 : c->kernel->elements * c->block,
                   before = loaded ? loaded * c->block * c->grid : segment, least = before + least_of(m, k),
                   rounds = p->way >= SPECIAL_APART ? rounds_of(c)
                            : p->count > 1          ? 6
                                                    : 2,
                   most = least + (segment ? 4 * segment : rounds * c->block * c->grid);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), least, most < SPECIAL_MAX_N ? most : SPECIAL_MAX_N);
    return true;
}
