/* See case_makers.h. */
#include "judge/case_makers.h"
#include "device/advance.h"
#include "judge/case_large.h"

enum {
    MAX_NAMED = 1 << 17 /* a larger integer gets at most three cases, because they take longer */
};
/* Returns how often a row repeats its `count` cases with other data. For min and max, a missing element seldom
 * changes the result, so a row with few cases repeats them. */
static unsigned times(const struct grade_case *c, unsigned count) {
    enum { TOGETHER = 24, MAX_TIMES = 6 };
    if (!variant_chooses(c->variant) || 2 * count > TOGETHER) return 1;
    return TOGETHER < MAX_TIMES * count ? TOGETHER / count : MAX_TIMES;
}
/* Changes n to one element more than x rounds of all threads, or x + 1 rounds if x is large (in the PTX, x may stand
 * for "more than x" or for "at least x + 1"), if n then is at most MAX. */
static void exceed_rounds(uint32_t x, struct grade_case *c) {
    enum { MAX = (1 << 16) + 1, FEW_BLOCKS = 2, LARGE = 100 };
    if ((uint64_t)x * c->grid * c->block >= MAX && !c->kernel->only_block) c->grid = FEW_BLOCKS, c->block = 32;
    const uint64_t n = ((uint64_t)x + (x > LARGE)) * c->grid * c->block + 1;
    if (n <= MAX) c->n = (uint32_t)n;
}
/* Returns the position of the first integer in the kernel's PTX that is at least `least`, or their number if there is
 * none. */
static unsigned first_named(const struct maker *m, uint32_t least) {
    unsigned at = 0;
    while (at < m->named->count && m->named->at[at] < least) at++;
    return at;
}
/* Generates launches with n equal to an integer x in the kernel's PTX, one less, and one more: each with one block and
 * with several. If one thread does all the work, omits the cases with one block, which would take long. With several
 * blocks of a grid-stride kernel, exceed_rounds() replaces n = x - 1. */
bool named_sizes(const struct maker *m, unsigned k, struct grade_case *c) {
    const unsigned count = first_named(m, MAX_NAMED + 1);
    if (c->kernel->serial) k *= 2;
    if (k >= 6 * count * times(c, 3 * count)) return false;
    c->block = maker_any_block(m, k, c);
    c->grid = k % 2 ? 1 : maker_turning_grid(m, k, c->block);
    const uint32_t x = m->named->at[k / 6 % count];
    c->n = x - 1 + k / 2 % 3;
    if (k % 6 == 0 && c->kernel->grid_stride) exceed_rounds(x, c);
    return true;
}
/* Returns the k-th power of two b from 32 to 1024 for which b or b - 1 is an integer in the kernel's PTX. Returns
 * `other` if there are not so many. */
static uint32_t named_block(const struct maker *m, unsigned k, uint32_t other) {
    uint32_t last = 0;
    for (unsigned at = 0; at < m->named->count; at++) {
        const uint32_t x = m->named->at[at], block = x & 1 ? x + 1 : x;
        if (block < 32 || block > 1024 || block & (block - 1) || block == last) continue;
        last = block;
        if (!k--) return block;
    }
    return other;
}
/* Generates launches with n above a large integer in the kernel's PTX by 1 to FURTHER, because a kernel may treat such
 * an n as a special case. Also generates n equal to the integer if it is at most MAX_EQUAL. In a kernel with only one
 * block size, an integer up to MAX_ROUNDS may be a number of rounds, so one more launch has more rounds than that. */
bool named_large_sizes(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { FURTHER = 1 << 13, MAX_EQUAL = 1 << 21, MAX_ROUNDS = 1 << 20 };
    const unsigned each = c->kernel->only_block ? 3 : 2;
    unsigned at = first_named(m, MAX_NAMED + 1);
    at += k / each;
    if (at >= m->named->count || m->named->at[at] > LARGE_IMMEDIATE || c->kernel->serial) return false;
    c->block = c->kernel->only_block ? c->kernel->only_block : named_block(m, k / each, 256);
    c->grid = maker_turning_grid(m, k / each, c->block);
    c->n = m->named->at[at] + maker_between(maker_drawn(m, k / each, FOR_SIZE), 1, FURTHER);
    if (k % each == 1 && m->named->at[at] <= MAX_EQUAL) c->n = m->named->at[at];
    if (k % each == 2 && m->named->at[at] <= MAX_ROUNDS) c->n = m->named->at[at] * c->block + FURTHER;
    return maker_follow(c), true;
}
/* Sets M and the number of blocks so that the last block of a grid-stride kernel takes the last element. The last
 * block is in every sample (case_large.h). Returns whether such numbers exist. */
static bool last_takes_last(struct grade_case *c) {
    enum { LEAST_GRID = 256, MAX_GRID = 1024, MAX_BLOCK = 1024 };
    const uint32_t only = c->kernel->only_block;
    for (c->block = only ? only : 32; c->block <= MAX_BLOCK; c->block *= 2)
        for (c->grid = MAX_GRID; c->grid >= LEAST_GRID; c->grid--)
            if (((c->n - 1) / c->block + 1) % c->grid == 0) return true;
    return false;
}
/* Returns one more than an integer in the kernel's PTX, drawn from those that may be a number of blocks in a sample
 * with neighbors. Returns 0 if there is none. */
static uint32_t many_named_blocks(const struct maker *m, unsigned k) {
    enum { LEAST = 1 << 10, MAX = 1 << 13 };
    const unsigned first = first_named(m, LEAST), end = first_named(m, MAX + 1);
    return end > first ? m->named->at[first + maker_drawn(m, k, FOR_GRID) % (end - first)] + 1 : 0;
}
/* Generates launches with n equal to an integer above LARGE_IMMEDIATE in the kernel's PTX, one more, and two more. The
 * index of the last element is thus one less than the integer, equal to it, or one more. In the last of these cases,
 * the number of blocks exceeds another integer. */
bool named_huge_sizes(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { SIZES = 3, MAX_INTEGERS = 3 };
    unsigned first = first_named(m, LARGE_IMMEDIATE + 1);
    const unsigned count = m->named->count - first, turn = (unsigned)(m->random >> 32);
    if (k / SIZES >= count || k / SIZES >= MAX_INTEGERS || !case_is_exact(c->kernel, c->variant)) return false;
    c->n = m->named->at[first + (turn % count + k / SIZES) % count] + k % SIZES;
    if (c->n > CASE_MAX_N) c->n = CASE_MAX_N;
    const uint32_t grid = k % SIZES == 2 && c->kernel->grid_stride ? many_named_blocks(m, k) : 0;
    if (grid && !c->kernel->cluster)
        c->block = 32, c->grid = grid;
    else if (!c->kernel->grid_stride || !last_takes_last(c))
        maker_shape_of_sample(m, k, c);
    return maker_follow(c), true;
}
enum { MAX_GRID = 4096 };
/* Generates launches in which the grid is an integer in the kernel's PTX, and the block size another. Each block
 * gets ROUNDS rounds of elements, or ROUNDS_OF_MANY if the grid has many threads. Generates all such pairs if there
 * are at most FEW, otherwise one for each grid. */
bool named_launch_shapes(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { ROUNDS = 4, ROUNDS_OF_MANY = 2, MANY_THREADS = 1 << 17, LEAST_GRID = 65, MAX_N = 5 << 18, FEW = 6 };
    const unsigned first = first_named(m, LEAST_GRID), grids = first_named(m, MAX_GRID) - first;
    unsigned blocks = 0;
    while (named_block(m, blocks, 0)) blocks++;
    const bool all = blocks && grids * blocks <= FEW;
    if (k >= (all ? grids * blocks : grids)) return false;
    c->grid = m->named->at[first + (all ? k / blocks : k)];
    c->block = c->kernel->only_block
                   ? c->kernel->only_block
                   : named_block(m, all ? k % blocks : (unsigned)(maker_drawn(m, k, FOR_BLOCK) % (blocks + 1)), 32);
    while (c->block > 32 && ROUNDS * c->block * c->grid > MAX_N && !c->kernel->only_block) c->block /= 2;
    c->n = (c->block * c->grid > MANY_THREADS ? ROUNDS_OF_MANY : ROUNDS) * c->block * c->grid - c->block / 2;
    return true;
}
/* Generates launches of few blocks. The number of blocks is an integer in the kernel's PTX, and the block size
 * another. Each launch gets two sizes for which the last element is alone in its round. */
bool named_small_shapes(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { LEAST_GRID = 3, MAX_GRID_OF_FEW = 64, MAX = 24 };
    const unsigned first = first_named(m, LEAST_GRID), grids = first_named(m, MAX_GRID_OF_FEW + 1) - first;
    unsigned blocks = 0;
    while (named_block(m, blocks, 0)) blocks++;
    if (!blocks || c->kernel->only_block || k >= 2 * grids * blocks || k >= MAX) return false;
    c->grid = m->named->at[first + k / 2 / blocks];
    c->block = named_block(m, k / 2 % blocks, 0);
    c->n = (1 + 2 * (k % 2) + maker_drawn(m, k, FOR_SIZE) % 2) * c->grid * c->block + 1;
    return true;
}
/* Generates launches of one block. The block size is an integer in the kernel's PTX. n is another integer in the PTX,
 * one less, or less by at most the block size. */
bool named_one_block(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { LEAST = 64, EACH = 3, MAX = 18 };
    const unsigned first = first_named(m, LEAST), sizes = first_named(m, MAX_NAMED + 1);
    unsigned blocks = 0;
    while (named_block(m, blocks, 0)) blocks++;
    if (!blocks || c->kernel->only_block || k >= EACH * (sizes - first) * blocks || k >= MAX) return false;
    c->grid = 1;
    c->block = named_block(m, k / EACH % blocks, 0);
    c->n = m->named->at[sizes - 1 - k / EACH / blocks];
    if (k % EACH == 1) c->n -= 1 + maker_drawn(m, k, FOR_SIZE) % (c->block < c->n ? c->block : c->n - 1);
    if (k % EACH == 2) c->n--;
    return true;
}
/* Generates launches whose number of blocks equals an integer in the kernel's PTX, or exceeds it by one or two. Every
 * block has elements. In the second of these three cases, the last block has a single element. In the third, if the
 * integer is at most MAX_WIDE, blocks have several warps, and each thread of a grid-stride kernel has `elements` / 2
 * elements. If the integer is less than 32, the third case has, with probability 1/2, one block more than 32 times the
 * integer instead. */
bool named_grids(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { MAX_WIDE = 512, MAX_N = 1 << 17 };
    const unsigned at = k / 3;
    if (!c->kernel->elements || c->kernel->one_block || at >= m->named->count || m->named->at[at] >= MAX_GRID)
        return false;
    const bool times = k % 3 == 2 && m->named->at[at] < SIM_WARP && maker_drawn(m, k, FOR_GRID) % 2,
               wide = k % 3 == 2 && m->named->at[at] <= MAX_WIDE && !times;
    c->grid = times ? SIM_WARP * m->named->at[at] + 1 : m->named->at[at] + k % 3;
    c->block = c->kernel->only_block ? c->kernel->only_block : 32u << (wide ? 1 + maker_drawn(m, k, FOR_BLOCK) % 3 : 0);
    uint32_t each = c->kernel->elements;
    if (c->kernel->grid_stride) {
        each = wide ? each / 2 : 1;
        while (c->block > 64 && each * c->block * c->grid > MAX_N && !c->kernel->only_block) c->block /= 2;
    }
    c->n = each * c->block * c->grid - (k % 3 == 1 ? each * c->block - 1 : c->block / 2);
    return true;
}
/* Generates launches that take seconds. One has two blocks more than the largest integer in the kernel's PTX that is at
 * most MAX, if this integer is too large for the other rows of grids. The others treat each integer in the PTX
 * that is a power of two from LEAST_CHUNK to LEAST as the length of a block's chunk: the start of the last chunk then
 * exceeds 32 bits. */
bool named_huge_grids(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { LEAST = 1 << 16, MAX = 1 << 20, LEAST_CHUNK = 1 << 12 };
    uint32_t grid[MAX_IMMEDIATES + 1], grids = 0, largest = 0;
    for (unsigned at = 0; at < m->named->count && m->named->at[at] <= MAX; at++) {
        const uint32_t x = largest = m->named->at[at];
        if (x >= LEAST_CHUNK && x <= LEAST && !(x & (x - 1)) && !c->kernel->cluster)
            grid[grids++] = (uint32_t)((UINT64_C(1) << 32) / x) + 1;
    }
    if (largest > LEAST) grid[grids++] = largest + 2;
    if (k >= grids) return false;
    c->block = 32, c->grid = grid[k];
    return c->n = maker_between(maker_drawn(m, k, FOR_SIZE), 1, 1 << 10), true;
}
/* Generates launches for findings, because a kernel may synchronize differently in large ones: slightly more elements
 * than each large integer in the kernel's PTX, or slightly more blocks than it. */
bool named_large_launches(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { MAX_BLOCKS = 1 << 15, MAX = 1 << 23, MAX_INTEGERS = 4, FURTHER = 1 << 10 };
    const unsigned of_blocks = k % 2;
    unsigned at = first_named(m, MAX_GRID);
    at += k / 2;
    if (c->kernel->serial || k / 2 >= MAX_INTEGERS || at >= m->named->count || m->named->at[at] > MAX) return false;
    const uint32_t x = m->named->at[at], more = maker_between(maker_drawn(m, k, FOR_SIZE), 2, FURTHER);
    const bool fits = of_blocks && x <= MAX_BLOCKS && !c->kernel->one_block;
    c->block = fits ? 32 : 256, c->grid = fits ? x + 2 : maker_turning_grid(m, k, c->block);
    if (c->kernel->only_block) c->block = c->kernel->only_block;
    c->n = (fits && !c->kernel->grid_stride ? c->kernel->elements * c->block * x : x) + more;
    return c->n <= case_max_n(c->kernel);
}
/* Generates launches with clusters of each size, and with block sizes from the kernel's PTX. The grid has more blocks
 * than the largest integer in the PTX below SMALL. */
bool named_clusters(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { SMALL = 33, MAX_SHAPES = 3 };
    const unsigned sizes = c->kernel->cluster, shape = sizes ? k / sizes : 0, small = first_named(m, SMALL);
    const uint32_t past = small ? m->named->at[small - 1] : 0;
    c->block = named_block(m, shape, 0);
    if (!sizes || shape >= MAX_SHAPES || !c->block) return false;
    c->cluster = 1 + k % sizes;
    c->grid = (past / c->cluster + 1) * c->cluster;
    c->n = c->block * c->grid + 1;
    return true;
}
/* Generates cases whose number of launches is two more than an integer in the kernel's PTX. */
bool named_launches(const struct maker *m, unsigned k, struct grade_case *c) {
    const uint32_t most = c->kernel->finish == FINISH_ITSELF ? 3900 : c->kernel->finish == FINISH_LEVELS ? 200 : 1100;
    if (k >= m->named->count || m->named->at[k] > most) return false;
    c->block = c->kernel->only_block ? c->kernel->only_block : 32;
    c->grid = maker_between(maker_drawn(m, k, FOR_GRID), 1, 2);
    c->n = maker_between(maker_drawn(m, k, FOR_SIZE), 1, c->block * c->grid);
    c->launches = m->named->at[k] + 2;
    return true;
}
/* Generates launches in which a counter reaches an integer in the kernel's PTX. */
bool named_counts(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { STOPS = 4, MAX = 24 };
    unsigned first = first_named(m, ADVANCE_MAX_BITS + 1);
    const unsigned at = m->named->count - 1 - k; /* smaller integers are also numbers of launches */
    return k < MAX && first + k < m->named->count && maker_counting(m, k, m->named->at[at], STOPS, c);
}
/* Sets the number of blocks of a grid-stride kernel to b or b + a, if that number is small, otherwise to any number. */
enum { SMALL_GRID = 64 };
static void set_grid(const struct maker *m, unsigned k, uint32_t a, uint32_t b, struct grade_case *c) {
    const uint32_t grid = b + a * (maker_drawn(m, k, FOR_GRID) % 2);
    c->grid = maker_turning_grid(m, k, c->block);
    if (!c->kernel->grid_stride || grid > SMALL_GRID) return;
    c->grid = grid;
    if (!c->kernel->only_block) c->block = 32;
}
/* Generates at most MAX launches with n = b (mod a) for pairs of integers a > b in the kernel's PTX. If `above`, these
 * n exceed the largest integer from MEDIUM to MAX_NAMED. If one thread does all the work, a is at most MAX_N, because
 * larger cases would take long. */
static bool remainders(const struct maker *m, unsigned k, bool above, struct grade_case *c) {
    enum { MAX = 120, MAX_N = 12287, MEDIUM = 4096 };
    const uint32_t most = c->kernel->serial ? MAX_N : MAX_NAMED;
    const unsigned count = first_named(m, most + 1);
    unsigned a = 1;
    const unsigned pairs = count ? count * (count - 1) / 2 : 0;
    const uint32_t largest = count ? m->named->at[count - 1] : 0, past = above && largest >= MEDIUM ? largest : 0;
    if (above && (!past || c->kernel->serial)) return false;
    if (k >= MAX || k >= pairs * times(c, pairs)) return false;
    unsigned b = k % pairs;
    for (; b >= a; a++) b -= a;
    c->block = maker_any_block(m, k, c);
    set_grid(m, k, m->named->at[a], m->named->at[b], c);
    const uint32_t least = past / m->named->at[a];
    c->n = m->named->at[b] +
           m->named->at[a] * (least + maker_between(maker_drawn(m, k, FOR_SIZE), 1, MAX_N / m->named->at[a]));
    return true;
}
bool named_remainders(const struct maker *m, unsigned k, struct grade_case *c) { return remainders(m, k, false, c); }
bool named_remainders_above(const struct maker *m, unsigned k, struct grade_case *c) {
    return remainders(m, k, true, c);
}
/* Generates launches of b + a or b + 2a blocks for pairs a > b, as above. The number of blocks exceeds SMALL_GRID. Each
 * thread gets one element, except some threads of the last block. */
bool named_grid_remainders(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { MAX = 60 };
    unsigned before = 0;
    for (unsigned a = 1; k < MAX && a < m->named->count && 2 * m->named->at[a] <= MAX_GRID; a++)
        for (unsigned b = 0; b < a; b++) {
            const uint32_t grid = m->named->at[b] + m->named->at[a];
            if (grid <= SMALL_GRID || before++ < k) continue;
            c->grid = grid + m->named->at[a] * (uint32_t)(maker_drawn(m, k, FOR_GRID) % 2);
            c->block = c->kernel->only_block ? c->kernel->only_block : 32;
            c->n = c->grid * c->block - (uint32_t)(maker_drawn(m, k, FOR_SIZE) % c->block);
            return true;
        }
    return false;
}
/* Generates large inputs that begin 1 to STARTS elements after a multiple of 256 bytes: some of random magnitudes, and
 * some slightly larger than a large integer in the kernel's PTX. The elements are not periodic, so a larger input would
 * take too long. */
bool unaligned_large(const struct maker *m, unsigned k, struct grade_case *c) {
    enum { STARTS = 3, LEAST = 1 << 18, MAX = 1 << 21, MAX_INTEGERS = 3, FURTHER = 1 << 13 };
    const uint64_t random = maker_drawn(m, k, FOR_SIZE);
    c->block = maker_any_block(m, k, c), c->grid = maker_turning_grid(m, k, c->block);
    c->offset = 1 + k % STARTS;
    c->n = maker_between(random >> 8, LEAST, 2 * LEAST) << random % 3;
    if (k < STARTS) return true;
    unsigned at = first_named(m, LEAST);
    at += k / STARTS - 1;
    if (k / STARTS > MAX_INTEGERS || at >= m->named->count || m->named->at[at] > MAX) return false;
    c->n = m->named->at[at] + maker_between(random, 1, FURTHER);
    return true;
}
