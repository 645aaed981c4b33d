/* Which cases a check runs. See judge.h. */
#include "base/random.h"
#include "judge/judge.h"
#include <stdlib.h>
#include <string.h>

/* ---- sizes ---------------------------------------------------------------------------------- */
/* n as a function of M, the block size: a*M + b. */
struct size_row {
    int times, plus;
};
static const struct size_row one_block_sizes[] = {{0, 0},  {0, 1},  {0, 2}, {0, 3}, {0, 31}, {0, 32},
                                                  {0, 33}, {1, -1}, {1, 0}, {1, 1}, {2, -1}, {2, 0}};
static const struct size_row many_block_sizes[] = {{2, 1}, {3, 0}, {4, -1}, {4, 0}, {4, 1}, {5, 7}, {8, 0}, {11, 13}};
static const uint32_t many_block_primes[] = {1009, 4099, 10007};
static const uint32_t blocks[] = {32, 64, 128, 256, 512, 1024};
/* Blocks of a grid-stride kernel: fewer and more than the elements need, no powers of two among them. */
static const uint32_t grids[] = {2, 3, 5, 8, 13, 40};
enum {
    ONE_BLOCK_SIZES = sizeof one_block_sizes / sizeof *one_block_sizes,
    MANY_BLOCK_SIZES = sizeof many_block_sizes / sizeof *many_block_sizes,
    BLOCKS = sizeof blocks / sizeof *blocks,
    GRIDS = sizeof grids / sizeof *grids,
    MOST_CASES = 4096
};

struct list {
    struct grade_case *item;
    unsigned count;
    const struct judge_options *options;
};
static void add(struct list *l, const struct grade_case *c) {
    if (l->count == MOST_CASES || (c->kernel->only_block && c->block != c->kernel->only_block)) return;
    if (c->kernel->finish == FINISH_LEVELS && !c->n) return;
    if (l->options->only_size != UINT32_MAX && c->n != l->options->only_size) return;
    if (l->options->only_block && c->block != l->options->only_block) return;
    if (l->options->only_grid && c->grid != l->options->only_grid) return;
    for (unsigned k = 0; k < l->count; k++) {
        const struct grade_case *o = &l->item[k];
        if (o->kernel == c->kernel && variant_index(o->variant) == variant_index(c->variant) && o->n == c->n &&
            o->block == c->block && o->data == c->data && o->grid == c->grid && o->offset == c->offset)
            return;
    }
    l->item[l->count++] = *c;
}
/* One block, or a number that goes round the table with the size and the seed. */
static uint32_t grid_for(const struct list *l, bool one, unsigned size) {
    const uint32_t drawn = grids[(size + l->options->seed % GRIDS) % GRIDS];
    return l->options->only_grid ? l->options->only_grid : one ? 1 : drawn;
}
/* `pick`: a sample of the sizes, at least one; NULL: all. */
static void add_sizes(struct list *l, struct grade_case c, const struct size_row *rows, unsigned count, bool one,
                      uint64_t *pick) {
    const unsigned surely = pick ? (unsigned)(random_next(pick) % count) : 0;
    for (unsigned k = 0; k < count; k++) {
        if (pick && k != surely && random_next(pick) % 4) continue;
        c.n = (uint32_t)(rows[k].times * (int)c.block + rows[k].plus);
        if (c.kernel->grid_stride) c.grid = grid_for(l, one, k);
        add(l, &c);
    }
}
/* Around full rounds of `elements` for each thread, from every start: n of every remainder, vectors of every number. */
static void add_starts(struct list *l, struct grade_case c, uint64_t *pick) {
    static const struct size_row units[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 7},  {1, -1},
                                            {1, 0}, {1, 1}, {1, 2}, {1, 7}, {2, -3}, {3, 5}};
    for (unsigned k = 0; k < sizeof units / sizeof *units; k++)
        for (c.offset = 0; c.offset <= MOST_OFFSET; c.offset++) {
            if (pick && random_next(pick) % 8) continue;
            c.grid = k % 3 + 1;
            c.n = (uint32_t)(units[k].times * (int)(c.kernel->elements * c.block * c.grid) / 2 + units[k].plus);
            add(l, &c);
        }
}
/* Chunks of every length beside full rounds of a block, the last one whole, short, of one element, or empty. */
static void add_chunks(struct list *l, struct grade_case c, uint64_t *pick) {
    static const struct size_row lengths[] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}, {2, -1}, {2, 0},
                                              {2, 1}, {3, -1}, {3, 0}, {3, 1}, {4, 0},  {5, 7}};
    for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const uint32_t length = (uint32_t)(lengths[k].times * (int)c.block + lengths[k].plus);
        const uint32_t less[] = {0, 1, length / 2, length - 1, length};
        c.grid = grid_for(l, false, k);
        for (unsigned e = 0; e < sizeof less / sizeof *less; e++) {
            if (pick && random_next(pick) % 8) continue;
            c.n = length * c.grid - less[e];
            add(l, &c);
        }
    }
}
/* Launched as the file chooses, on a chip of few multiprocessors: the first `count` of these sizes. The last one is
 * more than a chip's cache should keep, for kernels that treat it in another way. */
static const uint32_t tuned[] = {10007, 1009, 40009, 7500001};
enum { TUNED_FEW = 1, TUNED_SMALL = 3, TUNED_ALL = sizeof tuned / sizeof *tuned };
static void add_tuned(struct list *l, const struct judge *j, const struct lab_kernel *kernel, struct variant v,
                      unsigned count) {
    struct tuning t;
    char message[400];
    if (!kernel->tuned || !tuning_read(j, &j->student, kernel, v, &t, message, sizeof message)) return;
    for (unsigned k = 0; k < count; k++)
        add(l, &(struct grade_case){kernel, v, tuned[k], t.block, DATA_EXACT, j->options->seed,
                                    tuning_grid(&t, v, tuned[k], 3)});
}
/* Past what 16 bits hold: elements of one block, blocks of a grid. Once each, on the lab's first variant. */
static void add_large(struct list *l, const struct judge *j, const struct lab_kernel *kernel, struct variant v) {
    static const uint32_t elements = 70001, blocks_most = 33000;
    struct grade_case c = {kernel,          v, elements, kernel->only_block ? kernel->only_block : 1024, DATA_EXACT,
                           j->options->seed};
    if (kernel->grid_stride) c.grid = 1;
    if (kernel->one_block || kernel->grid_stride) add(l, &c);
    if (kernel->finish != FINISH_ITSELF) return;
    c.block = 32, c.grid = blocks_most, c.n = kernel->ordered ? blocks_most : c.block * blocks_most - 1;
    add(l, &c);
}
/* The first variant of the lab and one that the seed picks meet every size on three block sizes, and so do results
 * where the order counts; the others a sample of the sizes. */
static void add_variants(struct list *l, const struct judge *j, const struct lab_kernel *kernel, enum case_set set) {
    const bool large = set == CASES_MANY_BLOCKS || set == CASES_ANY_N;
    if (set == CASES_ANY_N) set = CASES_MEASURED;
    const struct lab *lab = j->lab;
    const uint64_t seed = j->options->seed;
    uint64_t random = seed ^ (uint64_t)(set - 1) * 7919 ^ (uint64_t)(kernel - lab->kernels) << 32;
    const unsigned thorough[2] = {(unsigned)__builtin_ctz(lab->variants),
                                  (unsigned)(random_next(&random) % SCALAR_VARIANTS)};
    for (unsigned v = 0; v < VARIANT_COUNT; v++) {
        const struct variant variant = judge_variant(j, v);
        if (!case_kernel_takes(lab, kernel, variant)) continue;
        if (set == CASES_ROUNDED && (!variant_is_float(variant) || variant.op != REDUCE_OP_SUM)) continue;
        const bool all = v == thorough[0] || v == thorough[1] ||
                         (!variant_commutes(variant) && set != CASES_MEASURED) || set == CASES_ROUNDED;
        if (kernel->any_start && (set == CASES_UNALIGNED || set == CASES_MEASURED))
            add_starts(l, (struct grade_case){kernel, variant, 0, 32, DATA_EXACT, seed},
                       all && set == CASES_UNALIGNED ? NULL : &random);
        if (set == CASES_UNALIGNED) continue;
        if (v == thorough[0] && !j->own && large) add_large(l, j, kernel, variant);
        if (set == CASES_MANY_BLOCKS || set == CASES_MEASURED)
            add_tuned(l, j, kernel, variant,
                      !all                                           ? TUNED_FEW
                      : v == thorough[0] && set == CASES_MANY_BLOCKS ? TUNED_ALL
                                                                     : TUNED_SMALL);
        const unsigned surely = (unsigned)(random_next(&random) % BLOCKS);
        for (unsigned b = 0; b < BLOCKS; b++) {
            struct grade_case c = {kernel, variant, 0, blocks[b], set == CASES_ROUNDED ? DATA_ROUNDED : DATA_EXACT,
                                   seed};
            const bool chosen = (all && (b == 0 || b == 3)) || b == surely || kernel->only_block == blocks[b] ||
                                random_next(&random) % 3 == 0;
            if (!chosen && !l->options->only_block) continue;
            uint64_t *pick = all ? NULL : &random;
            if (set == CASES_ONE_BLOCK || set == CASES_MEASURED)
                add_sizes(l, c, one_block_sizes, ONE_BLOCK_SIZES, true, pick);
            if (kernel->ordered && set == CASES_ONE_BLOCK)
                add_sizes(l, c, many_block_sizes, MANY_BLOCK_SIZES, true, pick);
            if (set == CASES_ONE_BLOCK) continue;
            if (kernel->ordered) add_sizes(l, c, one_block_sizes, ONE_BLOCK_SIZES, false, &random);
            if (kernel->ordered && blocks[b] == 32) add_chunks(l, c, set == CASES_MEASURED ? &random : pick);
            add_sizes(l, c, many_block_sizes, MANY_BLOCK_SIZES, false, pick);
            const unsigned prime = (unsigned)(random_next(&random) % 3);
            c.n = many_block_primes[prime];
            if (kernel->grid_stride) c.grid = grid_for(l, false, prime);
            add(l, &c);
        }
        if (kernel->grid_stride && set != CASES_ONE_BLOCK) { /* more blocks with elements than a block has threads */
            const bool rounded = set == CASES_ROUNDED;
            add(l, &(struct grade_case){kernel, variant, 4099, 32, rounded ? DATA_ROUNDED : DATA_EXACT, seed, 40});
        }
    }
}
struct variant judge_variant(const struct judge *j, unsigned index) {
    struct variant v = variant_at(index);
    if (variant_is_own(v)) v.bytes = j->own ? j->own->bytes : 0;
    return v;
}
/* By the check that runs. */
static bool is_graded(const struct judge *j, const struct lab_kernel *k) {
    return !k->helper && (!j->check || !j->check->kernel || !strcmp(j->check->kernel, k->name));
}
struct grade_case *case_list(struct judge *j, enum case_set set, unsigned *count) {
    struct list l = {.item = calloc(MOST_CASES, sizeof *l.item), .options = j->options};
    *count = 0;
    if (!l.item) return NULL;
    if (j->options->only_case) {
        struct grade_case c;
        if (case_parse(j->lab, j->options->only_case, &c)) {
            c.seed = j->options->seed;
            c.variant = judge_variant(j, variant_index(c.variant));
            const bool small = c.kernel->grid_stride
                                   ? c.grid == 1
                                   : c.n <= (uint32_t)(c.kernel->elements ? c.kernel->elements : 2) * c.block;
            const enum case_set home = c.data == DATA_ROUNDED ? CASES_ROUNDED
                                       : c.offset             ? CASES_UNALIGNED
                                       : small                ? CASES_ONE_BLOCK
                                                              : CASES_MANY_BLOCKS;
            if ((set == home || set == CASES_MEASURED || set == CASES_ANY_N) && is_graded(j, c.kernel))
                l.item[l.count++] = c;
        }
    } else
        for (unsigned k = 0; k < j->lab->kernel_count; k++)
            if (is_graded(j, &j->lab->kernels[k])) add_variants(&l, j, &j->lab->kernels[k], set);
    if (!l.count &&
        l.options->only_size != UINT32_MAX) { /* a size that is in no list: it is still run, on the first variant */
        const uint32_t n = l.options->only_size, block = l.options->only_block ? l.options->only_block : 256;
        const bool small = n <= 2 * block, rounded = set == CASES_ROUNDED;
        const struct lab_kernel *k = j->lab->kernels;
        while (!is_graded(j, k)) k++;
        struct grade_case c = {
            k, judge_variant(j, (unsigned)__builtin_ctz(j->lab->variants)), n, block, DATA_EXACT, j->options->seed};
        if (c.kernel->grid_stride) c.grid = grid_for(&l, small, 0);
        if (!rounded && (set == CASES_MEASURED || set == CASES_ANY_N || small == (set == CASES_ONE_BLOCK))) add(&l, &c);
    }
    *count = l.count;
    return l.item;
}
