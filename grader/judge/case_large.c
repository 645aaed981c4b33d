/* Cases with many elements: their data are periodic, or only a sample of their blocks runs. See case_large.h. */
#include "judge/case_large.h"
#include "judge/case_again.h"
#include "base/hash.h"
#include "judge/case_plan.h"
#include <stdlib.h>
#include <string.h>

/* The period is a prime number, so that an index that is off by a power of two selects a different element of the
 * period. */
enum {
    PERIOD = 65521,
    /* inputs with more elements are periodic, because generating them would take longer than the launch */
    WHOLE = 1 << 18,
    WHOLE_PRODUCTS = 1 << 23, /* the same for products of floats, which are exact only if each element is generated, and
                                 for data whose sums are rounded */
    WIDEST = 256              /* a thread takes at most this many neighboring elements in an iteration */
};

bool case_is_exact(const struct lab_kernel *k, struct variant v) {
    return k->halves || !variant_is_float(v) || v.op >= REDUCE_OP_MIN;
}
uint32_t case_max_n(const struct lab_kernel *k) { return k->max_n ? k->max_n : CASE_MAX_N; }
bool case_repeats(const struct grade_case *c) {
    if (c->n <= WHOLE) return false;
    const bool whole = data_kinds[c->data].bounded ||
                       (c->variant.op == REDUCE_OP_PRODUCT && !case_is_exact(c->kernel, c->variant)),
               many = !whole || c->n > WHOLE_PRODUCTS;
    return many && !c->values && !c->offset && (c->launches < 2 || c->wrap == CASE_SHRINKS) &&
           c->kernel->finish != FINISH_ARRAYS && !variant_is_own(c->variant);
}
bool case_kernel_is_sampled(const struct lab_kernel *k) {
    if (k->one_block) return false;
    switch (k->finish) {
    case FINISH_LAUNCH:
    case FINISH_HOST:
    case FINISH_ATOMIC:
    case FINISH_ITSELF:
    case FINISH_LEVELS: return true;
    default: return false;
    }
}
bool case_has_segments(const struct lab_kernel *k) {
    const bool ends = k->finish == FINISH_LAUNCH || k->finish == FINISH_HOST;
    return ends && !k->one_block && !k->grid_stride && !k->shares;
}
bool case_may_be_sampled(const struct grade_case *c) {
    return case_kernel_is_sampled(c->kernel) && case_repeats(c) && !data_kinds[c->data].bounded &&
           case_is_exact(c->kernel, c->variant);
}
bool case_is_sampled(const struct grade_case *c) {
    const uint32_t most = c->kernel->grid_stride && !case_runs_sample_alone(c) ? 1 << 25 : 1 << 20;
    return c->n > CASE_MAX_WHOLE || (c->n > most && case_may_be_sampled(c));
}
uint32_t case_period(const struct grade_case *c) { return case_repeats(c) ? PERIOD : 0; }
uint32_t case_given(const struct grade_case *c) { return case_repeats(c) ? PERIOD + c->n % PERIOD : c->n; }

/* ---- the sample ----------------------------------------------------------------------------- */
static void add_block(uint32_t blocks[CASE_SAMPLE], unsigned *count, uint64_t block, uint32_t of) {
    if (block >= of) block = of - 1;
    for (unsigned k = 0; k < *count; k++)
        if (blocks[k] == block) return;
    if (*count < CASE_SAMPLE) blocks[(*count)++] = (uint32_t)block;
}
static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}
static uint64_t drawn(const struct grade_case *c, unsigned k) {
    const uint64_t of[] = {c->seed, c->n, c->block, c->grid, k};
    return hash_bytes(HASH_START, of, sizeof of) >> 8;
}
bool case_samples_neighbors(const struct grade_case *c) {
    enum { FEW_ROUNDS = 1000 };
    const uint64_t each = c->kernel->grid_stride ? c->n / c->grid / c->block : c->kernel->elements;
    return c->block == SIM_WARP && each <= FEW_ROUNDS && c->kernel->finish != FINISH_LEVELS &&
           !c->kernel->halves; /* matrix products take long */
}
/* Returns a number that is a multiple of q plus x, from the upper half of the numbers below `of`. If there is none,
 * returns `of`. */
static uint64_t with_remainder(uint32_t q, uint32_t x, uint32_t of, uint64_t random) {
    const uint32_t multiples = of > x ? (of - x - 1) / q : 0;
    return of > x ? x + (uint64_t)q * (multiples - random % (multiples / 2 + 1)) : of;
}
/* Adds at most CASE_NAMED blocks b that conditions such as b % q == x, b / q == x or b == x select, where q and x are
 * integers in the kernel. Remainders come first. Neighbors already have all remainders of a small q. */
static void add_named(const struct grade_case *c, uint32_t blocks[CASE_SAMPLE], unsigned *count, uint32_t of) {
    const unsigned integers = c->named ? c->named->count : 0, pairs = integers * integers, most = *count + CASE_NAMED;
    for (unsigned k = 0; k < 2 * pairs && *count < most; k++) {
        const unsigned at = (unsigned)((drawn(c, 3) + k) % pairs);
        const uint32_t q = c->named->at[at / integers], x = c->named->at[at % integers];
        const uint64_t random = drawn(c, 4 + at);
        uint64_t b = of;
        if (k < pairs && x < q && q > CASE_NEIGHBORS) b = with_remainder(q, x, of, random);
        if (k >= pairs && x >= q) b = x == q ? x : (uint64_t)q * x + random % q;
        if (b < of) add_block(blocks, count, b, of);
    }
}
/* Selects the blocks of the sample:
 *
 * - the first block, because it takes the elements after whole rounds
 * - the last block or cluster, because it takes the end of the last chunk; if the kernel keeps operands in order,
 *   also the block before it
 * - for a grid-stride kernel and min or max, the block of the last element
 * - without a grid-stride loop, a random block, and the blocks of elements 2^24 (the index no longer fits a float's
 *   significand), 2^29 and 2^30 (the byte offset, or twice the index, no longer fits 31 or 32 bits)
 * - if blocks of one warp have few elements: CASE_NEIGHBORS neighbors, because a kernel may treat block numbers with a
 *   certain remainder differently, the block of the last element, and blocks that integers in the kernel select */
unsigned case_sample(const struct grade_case *c, uint32_t blocks[CASE_SAMPLE]) {
    const uint32_t of = c->kernel->finish == FINISH_LEVELS ? case_level(c).blocks : case_blocks(c, c->n, 0);
    const uint64_t segment = (uint64_t)c->kernel->elements * c->block;
    unsigned count = 0;
    add_block(blocks, &count, 0, of);
    add_block(blocks, &count, of - 1, of);
    for (uint32_t k = 1; k < case_cluster(c, of); k++) add_block(blocks, &count, of - 1 - k, of);
    if (c->kernel->ordered) add_block(blocks, &count, of - 2, of); /* its chunk has a neighbor on both sides */
    const bool neighbors = case_samples_neighbors(c);
    if (c->kernel->grid_stride && (neighbors || variant_chooses(c->variant)))
        add_block(blocks, &count, (c->n - 1) / c->block % of, of);
    if (!c->kernel->grid_stride) add_block(blocks, &count, drawn(c, 0) % of, of);
    for (unsigned bits = 24; !c->kernel->grid_stride && bits < 31; bits++)
        if (bits == 24 || bits > 28) add_block(blocks, &count, (UINT64_C(1) << bits) / segment, of);
    const uint32_t first = drawn(c, 2) % of;
    for (unsigned k = 0; neighbors && k < CASE_NEIGHBORS; k++) add_block(blocks, &count, (first + k) % of, of);
    if (neighbors) add_named(c, blocks, &count, of);
    qsort(blocks, count, sizeof *blocks, by_number);
    return count;
}

uint32_t case_blocks_with_elements(const struct grade_case *c) {
    uint32_t blocks[CASE_SAMPLE];
    return case_is_sampled(c) ? case_sample(c, blocks) : case_blocks(c, c->n, 0);
}
bool case_runs_sample_alone(const struct grade_case *c) {
    const enum lab_finish f = c->kernel->finish;
    return c->kernel->grid_stride && !c->kernel->leaves &&
           (f == FINISH_LAUNCH || f == FINISH_HOST || f == FINISH_ATOMIC);
}
bool case_has_many_threads(const struct grade_case *c) {
    enum { MANY = 1 << 27 };
    return (uint64_t)c->grid * c->block > MANY;
}
bool case_shows_partials(const struct grade_case *c) {
    return case_is_sampled(c) && case_has_many_threads(c) && c->kernel->grid_stride && !case_runs_sample_alone(c);
}
struct case_level case_level(const struct grade_case *c) {
    enum { FIRST = 6, LAST = 4 };
    struct case_level l = {.stride = 1u << drawn(c, 1) % FIRST};
    if (c->block == 32) l.stride = 1; /* the only level with more than 2^24 blocks */
    if (c->n == CASE_MAX_N) l.stride = CASE_MAX_N / 2 >> drawn(c, 1) % LAST;
    l.pairs = (uint32_t)(((uint64_t)c->n + l.stride - 1) / (2 * (uint64_t)l.stride));
    l.blocks = (l.pairs + c->block - 1) / c->block;
    return l;
}
uint64_t case_sampled_pair(const struct grade_case *c, unsigned k) {
    const struct case_level l = case_level(c);
    uint32_t blocks[CASE_SAMPLE];
    case_sample(c, blocks);
    const uint64_t first = (uint64_t)blocks[k / CASE_PAIRS] * c->block,
                   pairs = l.pairs - first < c->block ? l.pairs - first : c->block;
    return first + k % CASE_PAIRS * (pairs - 1) / (CASE_PAIRS - 1);
}

/* ---- reductions of periodic data ------------------------------------------------------------- */
/* Returns the combination of `times` copies of x. */
static union value power(struct variant v, union value x, uint64_t times) {
    union value result = reference_identity(v);
    for (; times; times /= 2, x = reference_combine(v, x, x))
        if (times % 2) result = reference_combine(v, result, x);
    return result;
}
union value case_range(const struct grade_case *c, const void *data, uint64_t from, uint64_t to) {
    const struct variant v = c->variant;
    const size_t size = variant_size(v);
    const uint64_t body = case_repeats(c) ? c->n - c->n % PERIOD : 0, end = to < body ? to : body;
    union value x = reference_identity(v);
    while (from < end) {
        const uint64_t at = from % PERIOD, periods = at ? 0 : (end - from) / PERIOD,
                       left = PERIOD - at < end - from ? PERIOD - at : end - from;
        const union value part = reference_reduce(v, (const char *)data + at * size, left);
        x = reference_combine(v, x, periods ? power(v, part, periods) : part);
        from += periods ? periods * PERIOD : left;
    }
    if (from >= to) return x;
    const uint64_t rest = (body ? PERIOD : 0) + from - body;
    return reference_combine(v, x, reference_reduce(v, (const char *)data + rest * size, to - from));
}

static bool pair_fits(const struct grade_case *c, const void *data, unsigned k, union value got, union value *expected,
                      uint64_t *place) {
    const uint32_t stride = case_level(c).stride;
    const uint64_t at = *place = 2 * stride * case_sampled_pair(c, k), with = at + stride;
    *expected = reference_combine(c->variant, case_range(c, data, at, at + 1), case_range(c, data, with, with + 1));
    return reference_equal(c->variant, got, *expected);
}
static uint64_t below(const struct grade_case *c, uint64_t k) { return k < c->n ? k : c->n; }
/* ---- how a grid-stride kernel distributes its input ---------------------------------------------- */
/* The elements that the sampled blocks take. All blocks take `unit` neighboring elements in turn, from the start or
 * from the end of the input. If `units` is not NULL, it has, for each position in the period, the result of the
 * `unit` elements from there on. */
struct share {
    const struct grade_case *c;
    const void *data;
    uint32_t block[CASE_SAMPLE];
    unsigned blocks;
    uint64_t unit;
    bool from_end;
    bool rest_to_the_first; /* the elements after the last whole vector of unit / M elements go to the first block */
    const union value *units;
    bool alone;        /* the result contains only elements of the sampled blocks */
    union value whole; /* the result of all elements */
};
static union value piece(const struct share *s, uint64_t from, uint64_t to) {
    const uint64_t body = s->c->n - s->c->n % PERIOD;
    return s->units && to - from == s->unit && to <= body ? s->units[from % PERIOD]
                                                          : case_range(s->c, s->data, from, to);
}
static union value in_turn(const struct share *s) {
    const struct grade_case *c = s->c;
    const uint64_t round = s->unit * c->grid, end = c->n - (s->rest_to_the_first ? c->n % (s->unit / c->block) : 0);
    union value x = reference_identity(c->variant);
    for (unsigned k = 0; k < s->blocks; k++)
        for (uint64_t from = s->block[k] * s->unit; from < end; from += round) {
            const uint64_t to = from + s->unit < end ? from + s->unit : end;
            x = reference_combine(c->variant, x, s->from_end ? piece(s, c->n - to, c->n - from) : piece(s, from, to));
        }
    if (s->rest_to_the_first && s->block[0] == 0)
        x = reference_combine(c->variant, x, case_range(c, s->data, end, c->n));
    return x;
}
/* Ways to divide n elements into chunks of nearly the same length, one for each block or thread. EVENLY: chunk b of G
 * starts at n * b / G. FIRST_LONGER: the first chunks have one more element than the others. REST_TO_THE_LAST: the last
 * chunk also gets the remainder. REST_AROUND: the remainder follows equal chunks and is distributed one element at a
 * time. */
enum way { EVENLY, FIRST_LONGER, REST_TO_THE_LAST, REST_AROUND, WAYS };
static union value balanced(const struct share *s, enum way way, uint64_t threads) {
    const struct grade_case *c = s->c;
    const uint64_t of = c->grid * threads, length = c->n / of, rest = c->n % of;
    union value x = reference_identity(c->variant);
    for (unsigned k = 0; k < s->blocks; k++) {
        uint64_t at[2];
        for (unsigned end = 0; end < 2; end++) {
            const uint64_t b = s->block[k] + end, t = b * threads;
            at[end] = way == EVENLY ? b * c->n / c->grid : t * length;
            if (way == FIRST_LONGER) at[end] += t < rest ? t : rest;
            if (way == REST_TO_THE_LAST && t == of) at[end] = c->n;
        }
        const uint64_t more = of * length + s->block[k] * threads,
                       to = way == REST_AROUND ? below(c, more + threads) : 0;
        x = reference_combine(c->variant, x,
                              s->from_end ? case_range(c, s->data, c->n - at[1], c->n - at[0])
                                          : case_range(c, s->data, at[0], at[1]));
        if (more < to)
            x = reference_combine(c->variant, x,
                                  s->from_end ? case_range(c, s->data, c->n - to, c->n - more)
                                              : case_range(c, s->data, more, to));
    }
    return x;
}
/* Returns whether `got` is the result x of the share. For min and max, the total shows only whether the share
 * contains the best element. */
static bool is_share(const struct share *s, union value x, union value got) {
    const struct variant v = s->c->variant;
    return reference_equal(v, x, got) && (s->alone || !variant_chooses(v) || reference_equal(v, x, s->whole));
}
static bool turns_fit(struct share *s, union value got, union value *expected, bool plainest) {
    const struct variant v = s->c->variant;
    for (unsigned end = 0; end < (variant_commutes(v) ? 2 : 1); end++) {
        s->from_end = end;
        const union value x = in_turn(s);
        if (plainest && !end) *expected = x;
        if (is_share(s, x, got)) return *expected = x, true;
    }
    return false;
}
/* Does the same as turns_fit() for threads that take whole vectors of unit / M elements, where the first block takes
 * the rest. */
static bool vectors_fit(struct share *s, union value got, union value *expected) {
    const uint64_t width = s->unit / s->c->block;
    if (width < 2 || s->c->n % width == 0 || !variant_commutes(s->c->variant)) return false;
    s->from_end = false, s->rest_to_the_first = true;
    const union value x = in_turn(s);
    s->rest_to_the_first = false;
    return is_share(s, x, got) && (*expected = x, true);
}
/* Returns whether the result is possible if threads take 1, 2, 4, ... neighboring elements at a time. If blocks may
 * choose their segments, as few as one thread of a block may take elements. */
static bool threads_fit(struct share *s, union value got, union value *expected) {
    const struct grade_case *c = s->c;
    const uint64_t least = c->kernel->shares ? 1 : c->block, most = WIDEST * c->block;
    union value *units = malloc(PERIOD * sizeof *units), *next = malloc(PERIOD * sizeof *next), *other;
    bool fits = false;
    for (uint32_t k = 0; units && k < PERIOD; k++) units[k] = reference_load(c->variant, s->data, k);
    for (s->unit = 1; units && next && !fits && s->unit <= most; s->unit *= 2) {
        s->units = units;
        fits = s->unit >= least && (turns_fit(s, got, expected, s->unit == c->block) || vectors_fit(s, got, expected));
        const uint64_t ahead = s->unit % PERIOD;
        reference_combine_each(c->variant, next, units, units + ahead, PERIOD - ahead);
        reference_combine_each(c->variant, next + PERIOD - ahead, units + PERIOD - ahead, units, ahead);
        other = units, units = next, next = other;
    }
    s->units = NULL;
    free(units);
    free(next);
    return fits;
}
/* Returns whether the result is possible if each block or each thread takes one chunk. The length of a block's chunk
 * may be rounded up. */
static bool chunks_fit(struct share *s, union value got, union value *expected) {
    const struct grade_case *c = s->c;
    const uint64_t chunk = ((uint64_t)c->n + c->grid - 1) / c->grid;
    for (uint64_t of = 1; of <= WIDEST * c->block; of *= 2) {
        s->unit = (chunk + of - 1) / of * of;
        if (turns_fit(s, got, expected, c->kernel->ordered && of == 1)) return true;
    }
    for (unsigned k = 0; k < 2 * 2 * WAYS; k++) {
        s->from_end = k & 1;
        if (s->from_end && !variant_commutes(c->variant)) continue;
        const union value x = balanced(s, k / 4, k & 2 ? c->block : 1);
        if (is_share(s, x, got)) return *expected = x, true;
    }
    return false;
}
/* Returns whether the result depends on the order of the operands. */
static bool keeps_order(const struct grade_case *c) { return c->kernel->ordered && !variant_commutes(c->variant); }
/* Returns whether each thread takes at most FEW elements, one at a time as in most kernels, and the result is
 * what a block then gets. For so few elements, this is much faster than threads_fit(). */
static bool usual_fits(struct share *s, union value got, union value *expected) {
    enum { FEW = 1 << 12 };
    s->unit = s->c->block;
    return s->c->n / s->c->grid / s->c->block <= FEW && turns_fit(s, got, expected, true);
}
static bool share_fits(struct share *s, union value got, union value *expected) {
    if (!keeps_order(s->c) && usual_fits(s, got, expected)) return true;
    return (!keeps_order(s->c) && threads_fit(s, got, expected)) || chunks_fit(s, got, expected);
}
/* Returns whether the result is correct for the block's own segment. If blocks may choose their segments, also accepts
 * what the block would get if the input were divided in a different way, and what the block at the same distance from
 * the other end of the grid would get. */
static bool segment_fits(const struct grade_case *c, const void *data, unsigned k, union value got,
                         union value *expected, uint64_t *place) {
    uint32_t blocks[CASE_SAMPLE];
    const uint64_t segment = (uint64_t)c->kernel->elements * c->block;
    case_sample(c, blocks);
    const uint32_t b = blocks[k];
    *place = b;
    *expected = case_range(c, data, below(c, b * segment), below(c, (b + 1) * segment));
    if (reference_equal(c->variant, got, *expected)) return true;
    struct grade_case of_all = *c;
    of_all.grid = case_blocks(c, c->n, 0);
    union value other;
    for (unsigned end = 0; c->kernel->shares && end < 2; end++) {
        struct share s = {
            .c = &of_all, .data = data, .block = {end ? of_all.grid - 1 - b : b}, .blocks = 1, .alone = true};
        if (share_fits(&s, got, &other)) return true;
    }
    return false;
}
bool case_may_share_otherwise(const struct grade_case *c) {
    const bool levels = c->kernel->finish == FINISH_LEVELS;
    return case_is_sampled(c) && (c->kernel->grid_stride || c->kernel->shares || levels);
}
bool case_sample_fits(const struct grade_case *c, const void *data, unsigned k, union value got, union value *expected,
                      uint64_t *place) {
    if (c->kernel->finish == FINISH_LEVELS) return pair_fits(c, data, k, got, expected, place);
    if (!c->kernel->grid_stride) return segment_fits(c, data, k, got, expected, place);
    struct share s = {.c = c, .data = data, .alone = case_shows_partials(c), .whole = case_range(c, data, 0, c->n)};
    s.blocks = case_sample(c, s.block);
    return share_fits(&s, got, expected);
}
