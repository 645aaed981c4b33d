/* See case_rows.h. */
#include "judge/case_rows.h"

/* Fewer and more than the elements need, no powers of two among them. */
const uint32_t case_grids[CASE_GRIDS] = {2, 3, 5, 8, 13, 40};

/* ---- generators ----------------------------------------------------------------------------- */
#define SIZES(name, ...)                                                                                               \
    static const struct size name##_rows[] = {__VA_ARGS__};                                                            \
    static const struct sizes name = {sizeof name##_rows / sizeof *name##_rows, name##_rows}
SIZES(of_one_block, {0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 31}, {0, 32}, {0, 33}, {1, -1}, {1, 0}, {1, 1}, {2, -1},
      {2, 0});
SIZES(empty, {0, 0});
SIZES(of_many_blocks, {2, 1}, {3, 0}, {4, -1}, {4, 0}, {4, 1}, {5, 7}, {8, 0}, {11, 13});
SIZES(primes, {0, 1009}, {0, 4099}, {0, 10007});
SIZES(of_starts, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 7}, {1, -1}, {1, 0}, {1, 1}, {1, 2}, {1, 7}, {2, -3}, {3, 5});
SIZES(of_chunks, {0, 1}, {1, -1}, {1, 0}, {1, 1}, {2, -1}, {2, 0}, {2, 1}, {3, -1}, {3, 0}, {3, 1}, {4, 0}, {5, 7});
SIZES(crowd, {0, 4099});
SIZES(tuned_sizes, {0, 10007}, {0, 1009}, {0, 40009});
SIZES(past_the_cache, {0, 7500001}); /* for kernels that treat in another way what a GPU's cache does not keep */
SIZES(past_16_bits, {0, 70001});
SIZES(blocks_past_16_bits, {0, 33000});

static bool set_size(const struct sizes *s, unsigned k, uint32_t unit, struct grade_case *c) {
    if (k >= s->count) return false;
    c->n = (uint32_t)(s->row[k].times * (int)unit + s->row[k].plus);
    return true;
}
static uint32_t turning_grid(const struct maker *m, unsigned k) { return case_grids[(k + m->turn) % CASE_GRIDS]; }
static bool one_grid(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = 1;
    return set_size(m->sizes, k, c->block, c);
}
static bool some_grids(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = turning_grid(m, k);
    return set_size(m->sizes, k, c->block, c);
}
/* Around full rounds of `elements` for each thread, from every start: n of every remainder, vectors of every number. */
static bool starts(const struct maker *m, unsigned k, struct grade_case *c) {
    const unsigned size = k / (MOST_OFFSET + 1);
    c->offset = k % (MOST_OFFSET + 1);
    c->grid = size % 3 + 1;
    if (!set_size(m->sizes, size, 0, c)) return false;
    c->n += (uint32_t)m->sizes->row[size].times * c->kernel->elements * c->block * c->grid / 2;
    return true;
}
/* Chunks of every length beside full rounds of a block, the last one whole, short, of one element, or empty. */
static bool chunks(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { LAST_ONES = 5 };
    c->grid = turning_grid(m, k / LAST_ONES);
    if (!set_size(m->sizes, k / LAST_ONES, c->block, c)) return false;
    const uint32_t length = c->n, less[LAST_ONES] = {0, 1, length / 2, length - 1, length};
    c->n = length * c->grid - less[k % LAST_ONES];
    return true;
}
/* More blocks with elements than a block has threads. */
static bool crowded(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = 40;
    return set_size(m->sizes, k, 0, c);
}
/* Launched as the file chooses, on a GPU of few multiprocessors. */
static bool tuned(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { MULTIPROCESSORS = 3 };
    if (!set_size(m->sizes, k, 0, c)) return false;
    c->block = m->tuning->block;
    c->grid = tuning_grid(m->tuning, c->variant, c->n, MULTIPROCESSORS);
    return true;
}
/* So many blocks, each with elements, the last one with a thread too many. */
static bool many_blocks(const struct maker *m, unsigned k, struct grade_case *c) {
    if (!set_size(m->sizes, k, 0, c)) return false;
    c->grid = c->n;
    if (!c->kernel->ordered) c->n = c->block * c->grid - 1;
    return true;
}

/* ---- the table ------------------------------------------------------------------------------ */
unsigned case_traits(const struct lab_kernel *k) {
    return (k->ordered ? ORDERED : 0) | (k->grid_stride ? GRID_STRIDE : 0) | (k->any_start ? ANY_START : 0) |
           (k->tuned ? TUNED : 0) | (k->one_block || k->grid_stride ? ANY_N_IN_A_BLOCK : 0) |
           (k->finish == FINISH_ITSELF ? ONE_LAUNCH : 0);
}
enum { FIRST_VARIANT = true };
#define IN(set) (1u << CASES_##set)
const struct case_row case_rows[] = {
    {"one-block", IN(ONE_BLOCK), 0, DRAWN, one_grid, &of_one_block, DATA_EXACT, ALL, ALL, QUARTER},
    /* an empty input in every variant: it is identity() that comes out */
    {"empty", IN(ONE_BLOCK) | IN(MEASURED) | IN(ANY_N), 0, WARP, one_grid, &empty, DATA_EXACT, ALL, ALL, ALL},
    {"one-block-chunk", IN(ONE_BLOCK), ORDERED, DRAWN, one_grid, &of_many_blocks, DATA_EXACT, ALL, ALL, QUARTER},

    {"many-blocks", IN(MANY_BLOCKS), 0, DRAWN, some_grids, &of_many_blocks, DATA_EXACT, ALL, ALL, QUARTER},
    {"many-blocks-prime", IN(MANY_BLOCKS), 0, DRAWN, some_grids, &primes, DATA_EXACT, ONE, ONE, ONE},
    {"many-blocks-few", IN(MANY_BLOCKS), ORDERED, DRAWN, some_grids, &of_one_block, DATA_EXACT, QUARTER, QUARTER,
     QUARTER},
    {"many-blocks-chunks", IN(MANY_BLOCKS), ORDERED, WARP, chunks, &of_chunks, DATA_EXACT, ALL, ALL, EIGHTH},
    {"many-blocks-crowd", IN(MANY_BLOCKS), GRID_STRIDE, WARP, crowded, &crowd, DATA_EXACT, ALL, ALL, ALL},
    {"many-blocks-tuned", IN(MANY_BLOCKS), TUNED, CHOSEN, tuned, &tuned_sizes, DATA_EXACT, ALL, ALL, ONE},
    {"past-the-cache", IN(MANY_BLOCKS), TUNED, CHOSEN, tuned, &past_the_cache, DATA_EXACT, ALL, ALL, ALL,
     FIRST_VARIANT},
    {"large-elements", IN(MANY_BLOCKS) | IN(ANY_N), ANY_N_IN_A_BLOCK, WIDEST, one_grid, &past_16_bits, DATA_EXACT, ALL,
     ALL, ALL, FIRST_VARIANT},
    {"large-grid", IN(MANY_BLOCKS) | IN(ANY_N), ONE_LAUNCH, WARP, many_blocks, &blocks_past_16_bits, DATA_EXACT, ALL,
     ALL, ALL, FIRST_VARIANT},

    {"rounded", IN(ROUNDED), 0, DRAWN, some_grids, &of_many_blocks, DATA_ROUNDED, ALL, ALL, ALL},
    {"rounded-prime", IN(ROUNDED), 0, DRAWN, some_grids, &primes, DATA_ROUNDED, ONE, ONE, ONE},
    {"rounded-few", IN(ROUNDED), ORDERED, DRAWN, some_grids, &of_one_block, DATA_ROUNDED, QUARTER, QUARTER, QUARTER},
    {"rounded-chunks", IN(ROUNDED), ORDERED, WARP, chunks, &of_chunks, DATA_ROUNDED, ALL, ALL, ALL},
    {"rounded-crowd", IN(ROUNDED), GRID_STRIDE, WARP, crowded, &crowd, DATA_ROUNDED, ALL, ALL, ALL},

#define MEASURED (IN(MEASURED) | IN(ANY_N))
    {"measured-one-block", MEASURED, 0, DRAWN, one_grid, &of_one_block, DATA_EXACT, ALL, QUARTER, QUARTER},
    {"measured-many", MEASURED, 0, DRAWN, some_grids, &of_many_blocks, DATA_EXACT, ALL, QUARTER, QUARTER},
    {"measured-prime", MEASURED, 0, DRAWN, some_grids, &primes, DATA_EXACT, ONE, ONE, ONE},
    {"measured-few", MEASURED, ORDERED, DRAWN, some_grids, &of_one_block, DATA_EXACT, QUARTER, QUARTER, QUARTER},
    {"measured-chunks", MEASURED, ORDERED, WARP, chunks, &of_chunks, DATA_EXACT, EIGHTH, EIGHTH, EIGHTH},
    {"measured-crowd", MEASURED, GRID_STRIDE, WARP, crowded, &crowd, DATA_EXACT, ALL, ALL, ALL},
    {"measured-tuned", MEASURED, TUNED, CHOSEN, tuned, &tuned_sizes, DATA_EXACT, ALL, ONE, ONE},
    {"measured-starts", MEASURED, ANY_START, WARP, starts, &of_starts, DATA_EXACT, EIGHTH, EIGHTH, EIGHTH},

    {"unaligned", IN(UNALIGNED), ANY_START, WARP, starts, &of_starts, DATA_EXACT, ALL, ALL, EIGHTH},
};
const unsigned case_row_count = sizeof case_rows / sizeof *case_rows;
