/* See case_rows.h. */
#include "judge/case_rows.h"
#include "base/hash.h"
#include "device/advance.h"
#include "judge/case_again.h"
#include "judge/case_large.h"
#include "judge/case_makers.h"

/* ---- sizes ---------------------------------------------------------------------------------- */
/* Edge sizes are fixed. All others are drawn from ranges, so that nobody can tailor a kernel to the sizes. */
#define SIZES(name, ...)                                                                                               \
    static const struct size name##_rows[] = {__VA_ARGS__};                                                            \
    static const struct sizes name = {sizeof name##_rows / sizeof *name##_rows, name##_rows}
SIZES(of_one_block, {0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 31}, {0, 32}, {0, 33}, {1, -1}, {1, 0}, {1, 1}, {1, 2, 2, -2},
      {2, -1}, {2, 0});
SIZES(empty, {0, 0});
SIZES(of_many_blocks, {2, 1}, {2, 2, 4, -2}, {4, -1}, {4, 0}, {4, 1}, {4, 2, 7, 0}, {8, 0}, {8, 1, 12, 0});
SIZES(larger, {0, 512, 0, 2047}, {0, 2048, 0, 6143}, {0, 6144, 0, 12287});
SIZES(of_starts, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5, 0, 31}, {1, -1}, {1, 0}, {1, 1}, {1, 2}, {1, 3, 1, 31},
      {2, -31, 2, -1}, {3, 1, 3, 31});
SIZES(of_chunks, {0, 1}, {1, -1}, {1, 0}, {1, 1}, {2, -1}, {2, 0}, {2, 1}, {3, -1}, {3, 0}, {3, 1}, {4, 0},
      {4, 2, 7, 0});
SIZES(a_warp, {0, 32});
SIZES(two_warps, {0, 64});
SIZES(crowd, {0, 3500, 0, 5000});
SIZES(tuned_sizes, {0, 8000, 0, 12000}, {0, 900, 0, 1200}, {0, 35000, 0, 45000});
SIZES(past_the_cache, {0, 7500001, 0, 7500031}); /* 30 MB or more: larger than the L2 cache of many GPUs */
SIZES(elements_past_16_bits, {0, 65537, 0, 131071});
SIZES(blocks_past_16_bits, {0, 66000, 0, 66100});

uint64_t maker_drawn(const struct maker *m, unsigned k, enum use use) {
    const uint64_t of[] = {m->random, k, use};
    return hash_bytes(HASH_START, of, sizeof of) >> 16;
}
uint32_t maker_between(uint64_t random, uint32_t low, uint32_t high) {
    return high <= low ? low : low + (uint32_t)(random % (high - low + 1));
}
static bool set_size(const struct maker *m, unsigned at, unsigned k, uint32_t unit, struct grade_case *c) {
    if (at >= m->sizes->count) return false;
    const struct size *s = &m->sizes->row[at];
    const int low = s->times * (int)unit + s->plus, high = s->to_times * (int)unit + s->to_plus;
    c->n = (uint32_t)low + (high > low ? maker_between(maker_drawn(m, k, FOR_SIZE), 0, (uint32_t)(high - low)) : 0);
    return true;
}
uint32_t case_grid(unsigned k, uint64_t random) {
    static const uint32_t strata[][2] = {{2, 2}, {3, 4}, {5, 7}, {8, 12}, {13, 31}, {32, 47}};
    const uint32_t *s = strata[k % (sizeof strata / sizeof *strata)];
    return maker_between(random, s[0], s[1]);
}
/* Few mistakes need both large blocks and many blocks, and such launches would take most of a grade's time. */
uint32_t maker_turning_grid(const struct maker *m, unsigned k, uint32_t block) {
    enum { MANY_THREADS = 1 << 12, RARELY = 8 };
    const uint64_t random = maker_drawn(m, k, FOR_GRID);
    const uint32_t grid = case_grid((unsigned)(m->random >> 32) % 64 + k, random), most = MANY_THREADS / block;
    return grid <= most || (random >> 40) % RARELY == 0 ? grid : maker_between(random >> 16, 2, most);
}

/* ---- generators ----------------------------------------------------------------------------- */
static bool one_grid(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = 1;
    return set_size(m, k, k, c->block, c);
}
static bool some_grids(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = maker_turning_grid(m, k, c->block);
    return set_size(m, k, k, c->block, c);
}
/* Returns the offset of the first element. For elements of 4 bytes, the offsets within 16 bytes occur in turn. Half
 * of the cases start in the first 16 bytes after a multiple of 128 bytes. The others start anywhere within 128
 * bytes, to test wider vectors and cache lines. */
enum { STARTS = 4 };
static uint32_t start_of(const struct maker *m, unsigned k) {
    const uint64_t r = maker_drawn(m, k, FOR_OFFSET);
    return k % STARTS + (r % 2 ? STARTS * (uint32_t)(r / 2 % ((MAX_OFFSET + 1) / STARTS)) : 0);
}
/* Generates launches with n close to a multiple of half a round, for each offset of the input within 16 bytes. In a
 * round, each thread takes `elements` elements. */
static bool starts(const struct maker *m, unsigned k, struct grade_case *c) {
    const unsigned size = k / STARTS;
    c->offset = start_of(m, k);
    c->grid = size % 3 + 1;
    if (!set_size(m, size, k, 0, c)) return false;
    c->n += (uint32_t)m->sizes->row[size].times * c->kernel->elements * c->block * c->grid / 2;
    return true;
}
/* Generates launches with one chunk per block, whose length is close to a multiple of the block size. The last chunk is
 * complete, lacks one element, is half as long, has one element, or is empty. */
static bool chunks(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { LAST_ONES = 5 };
    c->grid = maker_turning_grid(m, k / LAST_ONES, c->block);
    if (!set_size(m, k / LAST_ONES, k, c->block, c)) return false;
    const uint32_t length = c->n, less[LAST_ONES] = {0, 1, length / 2, length - 1, length};
    c->n = length * c->grid - less[k % LAST_ONES];
    return true;
}
/* Generates launches with more blocks than threads per block. All blocks have elements. */
static bool crowded(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), c->block + 1, 48);
    return set_size(m, k, k, 0, c);
}
/* Does the same as crowded(), except that one of five cases has more than 12 blocks of several warps, with up to 4
 * rounds. */
static bool any_crowd(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { LEAST_GRID = 13, MAX_GRID = 320, MAX_THREADS = 1 << 14, SELDOM = 5 };
    const uint64_t random = maker_drawn(m, k, FOR_BLOCK);
    if (!crowded(m, k, c)) return false;
    if (random % SELDOM || c->kernel->only_block) return true;
    c->block = 64u << random / SELDOM % 5;
    const uint32_t most = MAX_THREADS / c->block;
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), LEAST_GRID, most < MAX_GRID ? most : MAX_GRID);
    const uint32_t threads = c->grid * c->block;
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), threads / 2, 4 * threads);
    return true;
}
/* Generates launches of 49 to 320 blocks. */
static bool throng(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), 49, 320);
    return set_size(m, k, k, 0, c);
}
/* Generates a launch of 49 to 320 blocks with fewer elements than blocks. */
static bool sparse(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), 49, 320);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), c->grid / 2, c->grid - 1);
    return k == 0;
}
/* Draws a number from `bit` to 2 * bit - 1 with many 1 bits. `bit` is a power of two. */
static uint32_t dense(uint64_t random, uint32_t bit) {
    return bit | ((random | random >> 16 | random >> 32) & (bit - 1));
}
/* Generates launches of 64 to 255 blocks, for each offset of the input within 16 bytes. */
static bool unaligned_throng(const struct maker *m, unsigned k, struct grade_case *c) {
    c->offset = start_of(m, k);
    c->grid = dense(maker_drawn(m, k, FOR_GRID), k < STARTS ? 64 : 128);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), c->grid / 2, 2 * c->block * c->grid);
    return k < 2 * STARTS;
}
/* Generates a launch of 8 to 31 clusters for each cluster size. */
static bool many_clusters(const struct maker *m, unsigned k, struct grade_case *c) {
    if (k >= c->kernel->cluster) return false;
    c->cluster = k + 1;
    c->grid = c->cluster * dense(maker_drawn(m, k, FOR_GRID), k % 2 ? 8 : 16);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), c->block * c->grid, 2 * c->block * c->grid);
    return true;
}
/* Generates launches in which one block adds so many halves that a lane's sum may exceed 2^24. */
static bool many_halves(const struct maker *m, unsigned k, struct grade_case *c) {
    c->grid = 1;
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), 6144, 16383);
    return c->kernel->halves && k < 6;
}
/* Generates one launch with 1 to 5 blocks without elements after those with elements, and one with 65 to 200. */
static bool spare_blocks(const struct maker *m, unsigned k, struct grade_case *c) {
    const uint64_t random = maker_drawn(m, k, FOR_GRID);
    c->spare = k ? maker_between(random, 65, 200) : maker_between(random, 1, 5);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), 1, 5 * c->kernel->elements * c->block);
    return k < 2;
}
/* Generates launches with n >= 33 and each remainder of n modulo 32 in turn. M is random. With one block, n is at most
 * 2M or, in one of four cases of a grid-stride kernel, 2 to 64 rounds; with several blocks, n is larger. */
enum { REMAINDERS = 32 };
static void draw_block(const struct maker *m, unsigned k, struct grade_case *c) {
    static const uint32_t blocks[] = {32, 32, 32, 32, 64, 64, 128, 512};
    c->block = c->kernel->only_block ? c->kernel->only_block : blocks[maker_drawn(m, k, FOR_BLOCK) % 8];
}
static bool remainders_on_one(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { MAX_N = 1 << 13 };
    draw_block(m, k, c);
    c->grid = 1;
    const bool several = k % 4 == 3 && c->kernel->grid_stride;
    const uint64_t random = maker_drawn(m, k, FOR_SIZE);
    const uint32_t rounds = several ? 4u << (random >> 32) % 5 : 2; /* for M > 128, at most 8192 elements */
    const uint32_t all = rounds * c->block, most = (all < MAX_N || !several ? all : MAX_N) / REMAINDERS,
                   first = k ? 1 : 2;
    c->n = k + REMAINDERS * maker_between(random, several ? most / 2 : first, k ? most - 1 : most);
    return k < REMAINDERS;
}
static bool remainders_on_many(const struct maker *m, unsigned k, struct grade_case *c) {
    draw_block(m, k, c);
    c->grid = maker_turning_grid(m, k, c->block);
    const uint32_t first = 2 * c->block / REMAINDERS + !k;
    c->n = k + REMAINDERS * maker_between(maker_drawn(m, k, FOR_SIZE), first, 2 * first);
    return k < REMAINDERS;
}
static bool remainders_anywhere(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { SELDOM = 8, LEAST_OF_MANY = 24, MAX_OF_MANY = 64 };
    const bool more = remainders_on_many(m, k, c);
    const uint64_t random = maker_drawn(m, k, FOR_GRID);
    c->grid =
        random >> 32 & (SELDOM - 1) ? case_grid(k, random) / 2 : maker_between(random, LEAST_OF_MANY, MAX_OF_MANY);
    c->offset = (uint32_t)(maker_drawn(m, k, FOR_OFFSET) % (MAX_OFFSET + 1));
    if (k % 4 == 3 && !c->kernel->only_block) c->block = 256; /* programs may have a special kernel for this size */
    if (k % 8 == 3) c->grid = 1;
    return more;
}
/* Generates launches with n one less or one more than a multiple of a length: that of a segment or, for a grid-stride
 * kernel, the number of elements that the grid or a block loads in an iteration. */
static bool nearly_whole(const struct maker *m, unsigned k, struct grade_case *c) {
    draw_block(m, k, c);
    c->grid = maker_turning_grid(m, k, c->block);
    const uint64_t random = maker_drawn(m, k, FOR_SIZE);
    if (!c->kernel->grid_stride)
        c->n = (c->kernel->elements ? c->kernel->elements : 2) * c->block * maker_between(random, 5, 16);
    else
        c->n = c->block * (k < 2 ? c->grid * maker_between(random, 2, 4) : maker_between(random, 2, c->grid));
    c->n += k % 2 ? 1 : -1u;
    return k < 4;
}
/* Generates the launch that the file would choose on a GPU with few SMs. */
static bool tuned(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { MULTIPROCESSORS = 3 };
    if (!set_size(m, k, k, 0, c)) return false;
    tuning_launch(m->tuning, c->variant, c->n, MULTIPROCESSORS, &c->block, &c->grid);
    return true;
}
/* Generates launches of a given number of blocks. Each block has one element per thread, but the last block has one
 * fewer. If the kernel keeps operands in order, each block has one element. If a thread may load several neighbors at
 * once, n is so large that more than 2^15 blocks have elements: otherwise, most partials would be identity(), and a
 * kernel could ignore them. */
static bool many_blocks(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { BLOCKS_WITH_ELEMENTS = (1 << 15) + 300, VECTOR_BYTES = 16 };
    if (!set_size(m, k, k, 0, c)) return false;
    c->grid = c->n;
    if (c->kernel->ordered) return true;
    const uint32_t width = c->kernel->halves      ? c->kernel->elements
                           : c->kernel->any_start ? VECTOR_BYTES / variant_size(c->variant)
                                                  : 1,
                   loaded = width * BLOCKS_WITH_ELEMENTS;
    c->n = c->block * (c->grid > loaded ? c->grid : loaded) - 1;
    return true;
}

/* Generates a launch in which one block adds `least` to `least` + `more` elements per thread. */
static bool sums_of_a_warp(const struct maker *m, unsigned k, uint32_t least, uint32_t more, struct grade_case *c) {
    c->grid = c->cluster = 1;
    c->n = c->block * maker_between(maker_drawn(m, k, FOR_SIZE), least, least + more);
    return k == 0 && !c->kernel->serial && !c->kernel->in_place && c->kernel->finish != FINISH_ARRAYS &&
           c->kernel->finish != FINISH_LEVELS;
}
/* 64-bit integers: if a thread keeps its sum in parts of 16 or 32 bits, a part gets more than 2^16 carries, because
 * about every second addition causes one. The sum of 16-bit parts exceeds 2^32. */
static bool long_sums(const struct maker *m, unsigned k, struct grade_case *c) {
    return sums_of_a_warp(m, k, 5 << 15, 1 << 15, c);
}
/* 32-bit integers: a thread's sum may exceed 2^53, beyond which a double cannot hold every integer. */
static bool longer_sums(const struct maker *m, unsigned k, struct grade_case *c) {
    return sums_of_a_warp(m, k, 5 << 20, 1 << 20, c);
}
/* Generates launches with more than 2^16 elements, because a kernel may treat a large n as a special case. The grid has
 * one block; for a grid-stride kernel, further cases have several. */
static bool past_16_bits(const struct maker *m, unsigned k, struct grade_case *c) {
    const unsigned grids = c->kernel->grid_stride ? 2 : 1;
    if (c->kernel->serial && k) return false;
    c->block = c->kernel->only_block ? c->kernel->only_block : 32u << maker_drawn(m, k, FOR_BLOCK) % 6;
    c->grid = k % grids ? maker_turning_grid(m, k, c->block) : 1;
    return set_size(m, k / grids, k, 0, c);
}
/* Generates a launch with n one more than a multiple of the block size, above 2^bits. */
static bool past_bits(const struct maker *m, unsigned k, unsigned bits, struct grade_case *c) {
    c->n = (1 << bits) + c->block * maker_between(maker_drawn(m, k, FOR_SIZE), 8, 39) + 1;
    return k == 0;
}
/* As a float, n is rounded down by one, so that the last element is lost. */
static bool past_24_bits(const struct maker *m, unsigned k, struct grade_case *c) { return past_bits(m, k, 24, c); }
/* In blocks of 1024 threads, n exceeds 2^22: a thread's number times n exceeds 32 bits. In blocks of one warp, threads
 * take more than 2^16 rounds. */
static bool past_22_bits(const struct maker *m, unsigned k, struct grade_case *c) {
    return past_bits(m, k, c->kernel->only_block ? 21 : 22, c);
}
static bool past_16_bits_of_rounds(const struct maker *m, unsigned k, struct grade_case *c) {
    return !c->kernel->only_block && past_bits(m, k, 21, c);
}
/* Generates three launches: 2^24 + 1 elements, which a float rounds to the number of threads; two chunks of slightly
 * more than 2^24 elements; and, for a kernel that finishes by itself, at least as many blocks as 2^24 + 1 elements
 * need. A kernel that keeps operands in order gets fewer blocks, because its chunks do not depend on the number of
 * threads. */
static bool past_24_bits_on_many(const struct maker *m, unsigned k, struct grade_case *c) {
    const uint32_t few = maker_between(maker_drawn(m, k, FOR_GRID), 1, 31), most = 1 << 24,
                   all = most / c->block / (c->kernel->ordered ? 32 : 1), grid[] = {all, 2, all + few};
    if (k >= (c->kernel->finish == FINISH_ITSELF ? 3 : 2)) return false;
    c->grid = grid[k];
    c->n = k == 1 ? 2 * most + few * c->block : most + 1;
    return true;
}
/* A grid-stride kernel gets so few blocks that a thread takes more than 2^14 rounds if n > 2^29. */
uint32_t maker_shape_of_sample(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { WIDEST_ROUND = 256 };
    draw_block(m, k, c);
    if (c->kernel->finish == FINISH_LEVELS && c->block < 64)
        c->block = 64; /* with one warp, a block would run all its pairs in one step */
    if (!c->kernel->grid_stride) return c->block;
    c->block = 32, c->grid = maker_between(maker_drawn(m, k, FOR_GRID), 850, 1000);
    return WIDEST_ROUND * c->block * c->grid;
}
/* Generates two or, for a grid-stride kernel or FINISH_LEVELS, three cases near the largest n for a 31-bit index. In
 * case 0, n is the largest, and the number of blocks is a power of two, which exceeds 2^20 if blocks can run alone. The
 * last block, which is in every sample, then takes the last element. In case 1, n is slightly larger than a
 * multiple of any usual round. In case 2, it is slightly smaller and, for a grid-stride kernel, about half of the
 * largest n. In cases 1 and 2, a thread of a grid-stride kernel takes more than 2^15 rounds. In rounded arithmetic, a
 * kernel gets one round too few in one of them, and one too many in the other. */
static bool past_31_bits(const struct maker *m, unsigned k, struct grade_case *c) {
    const uint32_t round = maker_shape_of_sample(m, k, c), few = maker_between(maker_drawn(m, k, FOR_SIZE), 1, 31);
    c->n = CASE_MAX_N;
    if (!k && c->kernel->grid_stride) c->grid = case_runs_sample_alone(c) ? 1 << 21 : 1 << 10;
    if (!k && case_has_segments(c->kernel) && !c->kernel->only_block) c->block = 32; /* more than 2^24 blocks */
    if (k == 2 && c->kernel->grid_stride) c->n /= 2;
    if (k) c->n = (c->n / round - 1) * round + (k == 1 ? few : -few);
    if (k == 2 && c->kernel->finish == FINISH_LEVELS) c->block = 32; /* more than 2^24 blocks */
    return k < (c->kernel->grid_stride || c->kernel->finish == FINISH_LEVELS ? 3 : 2);
}
/* Generates a launch with more than 2^29 elements. Their byte offsets exceed 32 bits if an element is at least 8 bytes
 * long. */
static bool past_32_bits_of_bytes(const struct maker *m, unsigned k, struct grade_case *c) {
    const uint32_t round = maker_shape_of_sample(m, k, c), few = maker_between(maker_drawn(m, k, FOR_SIZE), 1, 31);
    c->n = ((1u << 29) / round + 4) * round + few;
    return k == 0;
}
/* Draws n and a number of blocks for which floats overshoot: (n / blocks) * (blocks - 1), the start of the last
 * chunk, exceeds n. */
static void overshoot(const struct maker *m, struct grade_case *c) {
    enum { TRIES = 64 };
    if (!c->kernel->only_block) c->block = 32;
    for (unsigned k = 0; k < TRIES; k++) {
        c->grid = maker_between(maker_drawn(m, 2 * k, FOR_GRID), (1 << 23) + 1, 1 << 24);
        c->n = maker_between(maker_drawn(m, 2 * k + 1, FOR_SIZE), CASE_MAX_N / 2, CASE_MAX_N);
        const float share = (float)c->n / (float)c->grid;
        if ((double)(share * (float)(c->grid - 1)) > c->n + 1.0) return;
    }
}
/* Generates launches with n = r * threads + 1 for which floats give r rounds instead of r + 1. In half of the cases,
 * the error comes from a division of floats. In the other half, it comes from multiplying by the reciprocal of the
 * number of threads and adding one. Block 0 takes the last element. */
static bool float_rounds(const struct maker *m, unsigned k, struct grade_case *c) {
    static const uint32_t least[] = {1u << 25, 1u << 28, 1u << 30};
    enum { TRIES = 1 << 12, MIN_GRID = 851, MAX_GRID = 999 };
    if (!c->kernel->only_block) c->block = 32;
    for (unsigned try = 0; k < 6 && try < TRIES; try++) {
        const uint64_t random = maker_drawn(m, TRIES * k + try, FOR_SIZE);
        const uint32_t threads = (maker_between(random, MIN_GRID, MAX_GRID) | 1) * c->block,
                       low = least[k / 2] / threads, rounds = maker_between(random >> 24, low + 1, 2 * low - 1);
        c->grid = threads / c->block, c->n = rounds * threads + 1;
        const float quotient = (float)c->n / (float)threads, product = (float)c->n * (1.0F / (float)threads);
        if (k % 2 ? product < (float)rounds : quotient <= (float)rounds) return true;
    }
    return false;
}
/* Sets n and the number of blocks for threads with `loads` loads in flight, at least 5. Such a thread tests the index
 * i + (loads - 1) * threads. This index is less than n in block 0's first round, and wraps around in its second. */
static void wrap_around(const struct maker *m, unsigned k, uint32_t loads, struct grade_case *c) {
    const uint32_t least = (uint32_t)((UINT64_C(1) << 32) / (2 * loads - 1)), most = CASE_MAX_N / (loads - 1) - 1;
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), least / c->block + 1, most / c->block - 1);
    c->n = (loads - 1) * c->grid * c->block + maker_between(maker_drawn(m, k, FOR_SIZE), 1, c->block);
}
/* Generates launches with n close to the largest, and with CASE_MAX_THREADS / 4 to CASE_MAX_THREADS threads. Case 2 has
 * CASE_MAX_THREADS threads in blocks of 32, so that the number of blocks exceeds 24 bits; case 3 has any number of
 * threads. In the other cases, indices of a thread with 5 to 16 loads in flight wrap around. With fewer loads, no index
 * wraps around. */
static bool many_threads(const struct maker *m, unsigned k, struct grade_case *c) {
    static const uint32_t loads[] = {8, 16, 0, 0, 5, 6, 7, 9, 10, 12}, least[] = {0, 0, CASE_MAX_THREADS, 3u << 27};
    if (k >= sizeof loads / sizeof *loads) return false;
    c->cluster = c->kernel->cluster ? 1 : 0; /* sampled blocks run alone */
    if (loads[k]) return wrap_around(m, k, loads[k], c), true;
    if (least[k] == CASE_MAX_THREADS && !c->kernel->only_block) c->block = 32;
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), (least[k] - 1) / c->block + 1, CASE_MAX_THREADS / c->block);
    c->n = CASE_MAX_N / (c->grid * c->block) * (c->grid * c->block); /* the last block takes the last element */
    if (k == 3 && c->kernel->ordered) overshoot(m, c);
    return true;
}
/* Generates launches of a single block, with one or two warps and at least 256 elements per thread, because a kernel
 * may treat long inputs as a special case. Each case has three launches. */
static bool long_inputs(const struct maker *m, unsigned k, struct grade_case *c) {
    if (k == 3 || (k && c->kernel->serial) || c->kernel->finish == FINISH_ARRAYS) return false;
    const unsigned bits = c->kernel->serial ? 13 : 14 + k;
    c->block = c->kernel->only_block ? c->kernel->only_block : k == 1 ? 64 : 32;
    c->grid = 1, c->cluster = c->kernel->cluster ? 1 : 0, c->launches = 3;
    c->n = (1u << bits) + maker_between(maker_drawn(m, k, FOR_SIZE), 1, 1u << (bits - 3));
    return true;
}
static bool long_input(const struct maker *m, unsigned k, struct grade_case *c) { return !k && long_inputs(m, k, c); }
/* Generates a launch of more than 64 * M blocks, followed by a small one. With so many partials, the last block may
 * take a different path. */
static bool many_partials(const struct maker *m, unsigned k, struct grade_case *c) {
    const uint32_t block = (uint32_t)m->sizes->row[0].plus,
                   blocks = block * maker_between(maker_drawn(m, k, FOR_GRID), 67, 69) + 1;
    if (k || c->kernel->only_block) return false;
    c->block = block, c->launches = 2;
    c->cluster = c->kernel->cluster ? 2 : 0, c->grid = c->cluster ? 2 * blocks : blocks;
    c->n = block * (block + maker_between(maker_drawn(m, k, FOR_SIZE), 1, block)) + 1;
    if (c->kernel->ordered) c->n = 2 * blocks - 1; /* all chunks have elements */
    return true;
}
/* Generates launches in which two numbers are equal, or one is about a multiple of the other: blocks and threads per
 * block, elements and blocks, elements and threads, or clusters and blocks per cluster. Also generates a launch whose n
 * has many 1 bits. */
static bool coincident(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { DENSE_GRID = 512, CLUSTERS = 11 };
    const uint32_t some = maker_between(maker_drawn(m, k, FOR_GRID), 5, 12),
                   rounds = maker_between(maker_drawn(m, k, FOR_SIZE), 3, 8);
    const uint32_t b = c->block, grid[] = {b, DENSE_GRID, some, 2 * b + 1, 2 * b, b + 1, b - 1, 2 * b - 1};
    c->grid = k < sizeof grid / sizeof *grid ? grid[k] : some;
    const uint32_t threads = c->grid * c->block, all = rounds * threads, each = c->kernel->elements, g = c->grid,
                   wide = 2 * each * threads / (variant_size(c->variant) < 8 ? 2 : 4), odd = (2 * some + 1) * c->block,
                   n[] = {all + 1, all, g, threads, all, g * g, wide, wide / 2 + 7, odd, odd + 1, 16383, all};
    if (k >= sizeof n / sizeof *n || (k == CLUSTERS && !c->kernel->cluster)) return false;
    if (k == CLUSTERS) c->cluster = 2 + some % (c->kernel->cluster - 1), c->grid = c->cluster * c->cluster;
    c->n = n[k];
    return true;
}
/* Generates cases with few elements and many launches, so that state that launches leave behind accumulates. */
static bool launched_again(const struct maker *m, unsigned k, struct grade_case *c) {
    static const uint32_t least[] = {4, 9, 25}, most[] = {8, 24, 40};
    if (k >= 3) return false;
    c->launches = maker_between(maker_drawn(m, k, FOR_LAUNCHES), least[k], most[k]);
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), 2, 5);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), 1, 3 * c->block * c->grid);
    return true;
}

/* Generates two launches of many elements that differ in a single element. A kernel that recognizes an earlier input
 * by a few of its elements returns the earlier result. */
static bool launched_again_large(const struct maker *m, unsigned k, struct grade_case *c) {
    c->launches = 2;
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), 2, 31);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), 1 << 19, 1 << 20);
    return k == 0 && !c->kernel->serial && c->kernel->finish != FINISH_LEVELS;
}

void maker_follow(struct grade_case *c) {
    if (c->kernel->finish == FINISH_ITSELF && case_is_large(c)) c->launches = 2, c->wrap = CASE_SHRINKS;
}
/* Generates launches with n of each magnitude from 2^14 to 2^31 that no other row has. A kernel may, for example, treat
 * every n with a certain number of leading zeros as a special case. If only a sample of blocks runs for an n, this n is
 * slightly larger than a multiple of any usual round. If no sample can run, n is omitted, unless it is below 2^21. */
static bool magnitudes(const struct maker *m, unsigned k, struct grade_case *c) {
    static const unsigned char bits[] = {14, 15, 17, 18, 20, 25, 26, 27, 28, 21, 22, 23};
    enum { WHOLE = 5, HUGE = 9, WIDEST_ROUND = 256 };
    const bool alone = case_has_segments(c->kernel) || case_runs_sample_alone(c);
    if (c->kernel->serial || c->kernel->shares || k >= (c->kernel->one_block ? WHOLE : alone ? sizeof bits : HUGE))
        return false;
    const uint32_t low = UINT32_C(1) << bits[k], drawn = maker_between(maker_drawn(m, k, FOR_SIZE), 1, low / 8);
    if (k < WHOLE) {
        c->block = c->kernel->only_block ? c->kernel->only_block : 64u << maker_drawn(m, k, FOR_BLOCK) % 5;
        c->grid = maker_turning_grid(m, k, c->block);
        c->n = low + drawn;
        return maker_follow(c), true;
    }
    uint32_t round = maker_shape_of_sample(m, k, c);
    if (c->kernel->grid_stride && alone)
        c->grid = (low - drawn) / (2 * WIDEST_ROUND * c->block), round = WIDEST_ROUND * c->block * c->grid;
    c->n = ((low + drawn) / round + 1) * round + drawn % 31 + 1;
    return maker_follow(c), true;
}
static bool magnitudes_on_one(const struct maker *m, unsigned k, struct grade_case *c) {
    return c->kernel->one_block && magnitudes(m, k, c);
}

/* If the number of blocks divided 2^32 or 2^32 - 1, a counter that grows by it could overflow without effect. */
bool maker_counting(const struct maker *m, unsigned k, uint32_t wrap, uint32_t stops, struct grade_case *c) {
    c->wrap = wrap, c->launches = ADVANCE_AFTER + stops * ADVANCE_BETWEEN;
    c->block = c->kernel->only_block ? c->kernel->only_block : 32;
    c->grid = c->kernel->finish == FINISH_LAUNCH ? 1 : maker_between(maker_drawn(m, k, FOR_GRID), 6, 7);
    const bool alone = c->kernel->finish == FINISH_LAUNCH || c->kernel->finish == FINISH_LEVELS;
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), 1, alone ? 2 : 3 * c->block * c->grid);
    if (c->kernel->finish == FINISH_LEVELS) c->n = 2;
    return true;
}
static bool wrapping(const struct maker *m, unsigned k, struct grade_case *c) {
    if (k == 3 && c->kernel->finish == FINISH_ITSELF) {
        maker_counting(m, k, CASE_SHRINKS, ADVANCE_STOPS, c);
        return c->n = c->block * c->grid, true; /* all blocks have elements */
    }
    return k < 3 && maker_counting(m, k, ADVANCE_RANGE * (k + 1), ADVANCE_STOPS, c);
}

uint32_t maker_any_block(const struct maker *m, unsigned k, const struct grade_case *c) {
    const uint64_t r = maker_drawn(m, k, FOR_BLOCK);
    return c->kernel->only_block ? c->kernel->only_block : r % 2 ? 32 : 32u << r / 2 % 6;
}

/* ---- the table ------------------------------------------------------------------------------ */
unsigned case_traits(const struct lab_kernel *k) {
    return (k->ordered && k->grid_stride ? ORDERED : 0) | (k->grid_stride ? GRID_STRIDE : 0) |
           (k->any_start ? ANY_START : 0) | (k->tuned ? TUNED : 0) |
           (k->one_block || k->grid_stride ? ANY_N_IN_A_BLOCK : 0) | (k->finish == FINISH_ITSELF ? ONE_LAUNCH : 0) |
           (case_kernel_is_sampled(k) ? MANY_BLOCKS : 0) |
           (k->one_block && !k->serial && !k->in_place ? MANY_LANES : 0) | (case_has_segments(k) ? SEGMENTS : 0);
}
#define IN(set) (1u << CASES_##set)
#define MEASURED (IN(MEASURED) | IN(ANY_N))
#define NAMES (IN(MANY_BLOCKS) | MEASURED)
const struct case_row case_rows[] = {
    {"one-block", IN(ONE_BLOCK) | MEASURED, 0, DRAWN, one_grid, &of_one_block, DATA_EXACT, ALL, ALL, QUARTER,
     EVERY_VARIANT, ALL, QUARTER, EIGHTH},
    /* empty inputs in every variant; the result is identity() */
    {"empty", IN(ONE_BLOCK) | MEASURED, 0, WARP, one_grid, &empty, DATA_EXACT, ALL, ALL, ALL},
    {"one-block-remainders", IN(ONE_BLOCK) | MEASURED, 0, ANY, remainders_on_one, NULL, DATA_EXACT, ALL, EIGHTH, EIGHTH,
     EVERY_VARIANT, QUARTER, EIGHTH, EIGHTH},
    {"one-block-halves", IN(ONE_BLOCK), GRID_STRIDE, WARP, many_halves, NULL, DATA_EXACT, ALL, ALL, ALL},
    {"one-block-long", IN(ONE_BLOCK) | MEASURED, ANY_N_IN_A_BLOCK, ANY, long_input, NULL, DATA_TURNS, ALL, ALL, ALL},
    {"one-block-longer", IN(ONE_BLOCK) | MEASURED, ANY_N_IN_A_BLOCK, ANY, long_inputs, NULL, DATA_TURNS, ALL, ALL, ALL,
     FEW_VARIANTS},
    {"one-block-chunk", IN(ONE_BLOCK), ORDERED, DRAWN, one_grid, &of_many_blocks, DATA_EXACT, ALL, ALL, QUARTER},

    {"many-blocks", IN(MANY_BLOCKS) | MEASURED, 0, DRAWN, some_grids, &of_many_blocks, DATA_EXACT, ALL, ALL, QUARTER,
     EVERY_VARIANT, ALL, QUARTER, EIGHTH},
    {"many-blocks-larger", IN(MANY_BLOCKS) | MEASURED, 0, DRAWN, some_grids, &larger, DATA_EXACT, ONE, ONE, ONE},
    {"many-blocks-remainders", IN(MANY_BLOCKS) | MEASURED, 0, ANY, remainders_on_many, NULL, DATA_EXACT, ALL, EIGHTH,
     EIGHTH, EVERY_VARIANT, QUARTER, EIGHTH, EIGHTH},
    {"many-blocks-nearly-whole", IN(MANY_BLOCKS), 0, ANY, nearly_whole, NULL, DATA_EXACT, ALL, QUARTER, QUARTER},
    {"many-blocks-few", IN(MANY_BLOCKS) | MEASURED, ORDERED, DRAWN, some_grids, &of_one_block, DATA_EXACT, QUARTER,
     QUARTER, QUARTER},
    {"many-blocks-chunks", IN(MANY_BLOCKS) | MEASURED, ORDERED, WARP, chunks, &of_chunks, DATA_EXACT, ALL, ALL, EIGHTH,
     EVERY_VARIANT, EIGHTH, EIGHTH, EIGHTH},
    {"many-blocks-crowd", IN(MANY_BLOCKS) | MEASURED, GRID_STRIDE, WARP, any_crowd, &crowd, DATA_EXACT, ALL, ALL, ALL},
    {"many-blocks-throng", IN(MANY_BLOCKS) | MEASURED, GRID_STRIDE, WARP, throng, &crowd, DATA_EXACT, ALL, ALL, EIGHTH},
    {"many-blocks-clusters", IN(MANY_BLOCKS), GRID_STRIDE, WARP, many_clusters, NULL, DATA_EXACT, ALL, EIGHTH, EIGHTH},
    {"many-blocks-sparse", IN(MANY_BLOCKS), GRID_STRIDE, WARP, sparse, NULL, DATA_EXACT, ALL, ALL, EIGHTH},
    {"many-blocks-coincident", IN(MANY_BLOCKS) | IN(ANY_N), 0, WARP, coincident, NULL, DATA_ORDINARY, ALL, QUARTER,
     EIGHTH},
    {"many-blocks-spare", IN(MANY_BLOCKS), SEGMENTS, WARP, spare_blocks, NULL, DATA_EXACT, ALL, ALL, ALL},
    {"many-blocks-tuned", IN(MANY_BLOCKS) | MEASURED, TUNED, CHOSEN, tuned, &tuned_sizes, DATA_EXACT, ALL, ALL, ONE,
     EVERY_VARIANT, ALL, ONE, ONE},
    {"past-the-cache", IN(MANY_BLOCKS), TUNED, CHOSEN, tuned, &past_the_cache, DATA_EXACT, ALL, ALL, ALL,
     FIRST_VARIANT},
    {"large-elements", IN(MANY_BLOCKS) | IN(ANY_N), ANY_N_IN_A_BLOCK, ANY, past_16_bits, &elements_past_16_bits,
     DATA_EXACT, ALL, ALL, ALL, FEW_VARIANTS},
    {"large-grid", IN(MANY_BLOCKS) | IN(ANY_N), ONE_LAUNCH | SHORT, WARP, many_blocks, &blocks_past_16_bits, DATA_EXACT,
     ALL, ALL, ALL, FIRST_EXACT},
    {"many-partials", IN(MANY_BLOCKS) | MEASURED, ONE_LAUNCH, ANY, many_partials, &a_warp, DATA_TURNS, ALL, ALL, ALL,
     FIRST_VARIANT},
    {"more-partials", IN(MANY_BLOCKS) | MEASURED, ONE_LAUNCH, ANY, many_partials, &two_warps, DATA_TURNS, ALL, ALL, ALL,
     FIRST_EXACT},
    {"past-24-bits", IN(MANY_BLOCKS) | IN(ANY_N), MANY_LANES | NARROW, WIDEST, past_24_bits, NULL, DATA_EXACT, ALL, ALL,
     ALL, FIRST_EXACT},
    {"past-22-bits", IN(MANY_BLOCKS) | IN(ANY_N), MANY_LANES, WIDEST, past_22_bits, NULL, DATA_EXACT, ALL, ALL, ALL,
     FIRST_EXACT},
    {"past-16-bits-of-rounds", IN(MANY_BLOCKS) | IN(ANY_N), MANY_LANES, WARP, past_16_bits_of_rounds, NULL, DATA_EXACT,
     ALL, ALL, ALL, FIRST_EXACT},
    {"past-24-bits-of-threads", IN(MANY_BLOCKS) | IN(ANY_N), GRID_STRIDE | NARROW, WIDEST, past_24_bits_on_many, NULL,
     DATA_ORDINARY, ALL, ALL, ALL, FIRST_EXACT},
    {"float-rounds", IN(MANY_BLOCKS) | IN(ANY_N), GRID_STRIDE | NARROW, ANY, float_rounds, NULL, DATA_EXACT, ALL, ALL,
     ALL, FIRST_EXACT},
    {"long-sums", IN(MANY_BLOCKS) | IN(ANY_N), ANY_N_IN_A_BLOCK, WARP, long_sums, NULL, DATA_EXACT, ALL, ALL, ALL,
     LONG_SUM},
    {"sums-in-doubles", IN(MANY_BLOCKS) | IN(ANY_N), ANY_N_IN_A_BLOCK | DOUBLES, WARP, longer_sums, NULL, DATA_EXACT,
     ALL, ALL, ALL},
    {"past-31-bits", IN(MANY_BLOCKS) | IN(ANY_N), MANY_BLOCKS, ANY, past_31_bits, NULL, DATA_EXACT, ALL, ALL, ALL,
     FIRST_EXACT},
    {"past-32-bits-of-bytes", IN(MANY_BLOCKS) | IN(ANY_N), MANY_BLOCKS, ANY, past_32_bits_of_bytes, NULL, DATA_EXACT,
     ALL, ALL, ALL, WIDER_EXACT},

    {"magnitudes", IN(MANY_BLOCKS) | IN(ANY_N), MANY_BLOCKS, ANY, magnitudes, NULL, DATA_EXACT, ALL, ALL, ALL,
     FIRST_EXACT},
    {"magnitudes-on-one", IN(MANY_BLOCKS) | IN(ANY_N), ANY_N_IN_A_BLOCK, ANY, magnitudes_on_one, NULL, DATA_EXACT, ALL,
     ALL, ALL, FIRST_EXACT},
    {"many-threads", NAMES, MANY_BLOCKS | GRID_STRIDE, WIDEST, many_threads, NULL, DATA_EXACT, ALL, ALL, ALL,
     FIRST_EXACT},

    {"named-sizes", NAMES, 0, NAMED, named_sizes, NULL, DATA_ORDINARY, ALL, ALL, ALL},
    {"named-large-sizes", IN(MANY_BLOCKS) | IN(ANY_N), 0, NAMED, named_large_sizes, NULL, DATA_ORDINARY, ALL, ALL, ALL},
    {"named-huge-sizes", IN(MANY_BLOCKS) | IN(ANY_N), MANY_BLOCKS, NAMED, named_huge_sizes, NULL, DATA_ORDINARY, ALL,
     ALL, ALL},
    {"named-grids", NAMES, 0, NAMED, named_grids, NULL, DATA_ORDINARY, ALL, ALL, ALL},
    {"named-huge-grids", IN(MANY_BLOCKS), ONE_LAUNCH, NAMED, named_huge_grids, NULL, DATA_EXACT, ALL, ALL, ALL,
     FIRST_EXACT},
    {"named-launch-shapes", IN(MANY_BLOCKS), GRID_STRIDE, NAMED, named_launch_shapes, NULL, DATA_ORDINARY, ALL, ONE,
     ALL},
    {"named-small-shapes", IN(MANY_BLOCKS), GRID_STRIDE, NAMED, named_small_shapes, NULL, DATA_ORDINARY, QUARTER, ALL,
     ALL},
    {"named-one-block", IN(ONE_BLOCK) | MEASURED, ANY_N_IN_A_BLOCK, NAMED, named_one_block, NULL, DATA_ORDINARY, ALL,
     ALL, ALL},
    {"named-large-launches", IN(MEASURED), 0, NAMED, named_large_launches, NULL, DATA_ORDINARY, ALL, ALL, ALL,
     FIRST_EXACT},
    {"named-clusters", IN(MANY_BLOCKS), 0, NAMED, named_clusters, NULL, DATA_ORDINARY, ALL, ONE, ONE},
    {"named-launches", NAMES, STATE, NAMED, named_launches, NULL, DATA_ORDINARY, ALL, ALL, ALL},
    {"launched-again", NAMES, STATE, WARP, launched_again, NULL, DATA_EXACT, ALL, ONE, ONE},
    {"launched-again-large", IN(MANY_BLOCKS) | IN(ANY_N), STATE, WIDEST, launched_again_large, NULL, DATA_ORDINARY, ALL,
     ALL, ALL, FIRST_EXACT},
    {"launched-often", IN(MANY_BLOCKS) | IN(ANY_N), STATE, WARP, wrapping, NULL, DATA_EXACT, ALL, ALL, ALL,
     FIRST_EXACT},
    {"named-counts", IN(MANY_BLOCKS) | IN(ANY_N), STATE, NAMED, named_counts, NULL, DATA_EXACT, ALL, ALL, ALL},
    {"named-remainders", NAMES, 0, NAMED, named_remainders, NULL, DATA_ORDINARY, ALL, ALL, ALL},
    {"named-remainders-above", NAMES, 0, NAMED, named_remainders_above, NULL, DATA_ORDINARY, ALL, ALL, ALL},
    {"named-grid-remainders", IN(MANY_BLOCKS), GRID_STRIDE, NAMED, named_grid_remainders, NULL, DATA_ORDINARY, ALL, ALL,
     ALL, FIRST_EXACT},
    {"special", IN(ONE_BLOCK) | IN(ANY_N), 0, SPECIAL, special_on_one, NULL, DATA_EXACT, ALL, QUARTER, QUARTER},
    {"special-many", IN(MANY_BLOCKS) | IN(ANY_N), 0, SPECIAL, special_on_many, NULL, DATA_EXACT, ALL, ALL, ALL},

    {"rounded", IN(ROUNDED), 0, DRAWN, some_grids, &of_many_blocks, DATA_ROUNDED, ALL, ALL, ALL},
    {"rounded-larger", IN(ROUNDED), 0, DRAWN, some_grids, &larger, DATA_ROUNDED, ONE, ONE, ONE},
    {"rounded-few", IN(ROUNDED), ORDERED, DRAWN, some_grids, &of_one_block, DATA_ROUNDED, QUARTER, QUARTER, QUARTER},
    {"rounded-chunks", IN(ROUNDED), ORDERED, WARP, chunks, &of_chunks, DATA_ROUNDED, ALL, ALL, ALL},
    {"rounded-crowd", IN(ROUNDED), GRID_STRIDE, WARP, crowded, &crowd, DATA_ROUNDED, ALL, ALL, ALL},

    {"unaligned", IN(UNALIGNED) | MEASURED, ANY_START, WARP, starts, &of_starts, DATA_EXACT, ALL, ALL, EIGHTH,
     EVERY_VARIANT, EIGHTH, EIGHTH, EIGHTH},
    {"unaligned-throng", IN(UNALIGNED), ANY_START, WARP, unaligned_throng, NULL, DATA_EXACT, ALL, EIGHTH, EIGHTH},
    {"unaligned-large", IN(UNALIGNED), ANY_START, NAMED, unaligned_large, NULL, DATA_EXACT, ALL, ALL, ALL, FIRST_EXACT},
    {"unaligned-remainders", IN(UNALIGNED), ANY_START, ANY, remainders_anywhere, NULL, DATA_EXACT, ALL, ALL, EIGHTH},
};
const unsigned case_row_count = sizeof case_rows / sizeof *case_rows;
