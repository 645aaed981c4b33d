/* See scaled.h. */
#include "judge/scaled.h"
#include "base/hash.h"
#include "base/random.h"
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include "judge/observed.h"
#include <math.h>

/* LEAST_N, MAX_N: bounds for n in the launches that every kernel gets. MAX_ROUNDED: sums of at most this many floats
 * are exact. LEAST_NAMED: the least integer in the PTX that is used as n. MAX_TOGETHER: maximum sum of n over all
 * launches of add(). */
enum { LEAST_N = 1 << 17, MAX_N = 1 << 19, MAX_ROUNDED = 1 << 22, LEAST_NAMED = 1 << 12, MAX_TOGETHER = 1 << 26 };
enum { TREE_EACH = 8 /* a tree over all elements takes about this many times as long as a loop over them */ };
/* Bounds for an integer in the PTX that is used as a number of blocks. */
enum { FEW_ROUNDS = 4, LEAST_GRID = 9, MAX_GRID = 4096 };
enum { MAX_INTEGERS = 4 /* at most this many integers are used as n; if there are more, some are drawn */ };
/* Ranges of M. With BY_GRID, larger grids have smaller blocks, because a launch's trees take time in proportion to its
 * threads. */
enum size { SMALL, LARGE, ANY, BY_GRID };
struct range {
    uint32_t least, most;
};
static struct range threads_of(enum size size, uint32_t grid) {
    enum { MAX_THREADS = 1 << 16 };
    static const struct range ranges[] = {
        [SMALL] = {32, 64}, [LARGE] = {256, 1024}, [ANY] = {32, 1024}, [BY_GRID] = {128, 128}};
    struct range m = ranges[size];
    if (size == BY_GRID && MAX_THREADS / grid > m.most) m.most = MAX_THREADS / grid;
    return m;
}

static uint32_t between(uint64_t *random, uint32_t low, uint32_t high) {
    return low + random_below(random, high - low + 1);
}
/* ---- figures ---------------------------------------------------------------------------------- */
static double blocks_of(const struct grade_case *c) { return case_blocks(c, c->n, 0); }
/* Returns whether only the sampled blocks run. */
static bool runs_only_sample(const struct grade_case *c) {
    return case_is_sampled(c) &&
           (case_has_segments(c->kernel) || case_runs_sample_alone(c) || case_has_many_threads(c));
}
/* Returns the size of the last block's tree as a share of a whole tree. A tree in place has no steps for missing
 * elements. */
static double last_tree(const struct grade_case *c, uint32_t n, uint32_t blocks) {
    const double whole = (double)c->kernel->elements * c->block, has = n - (blocks - 1) * whole;
    return c->kernel->in_place ? log2(fmax(1, has)) / log2(whole) : 1;
}
/* Returns the number of trees: one for each block of each launch, and one for the partials if the last block adds
 * them. */
static double trees_of(const struct grade_case *c) {
    if (runs_only_sample(c)) return case_blocks_with_elements(c);
    double trees = c->kernel->finish == FINISH_ITSELF;
    uint32_t n = c->n, blocks = 0;
    for (unsigned level = 0; blocks != 1; n = blocks, level++) {
        blocks = case_blocks(c, n, level);
        trees += blocks - 1 + last_tree(c, n, blocks);
        if (c->kernel->finish != FINISH_LAUNCH) break;
    }
    return trees;
}
/* Returns the number of elements per thread if all threads take equally many. */
static double rounds_of(const struct grade_case *c) {
    const uint64_t threads = (uint64_t)blocks_of(c) * c->block;
    return (double)((c->n + threads - 1) / threads);
}
/* Returns the number of elements of the blocks that have elements. */
static double elements_of(const struct grade_case *c) {
    return case_is_sampled(c) ? case_blocks_with_elements(c) * rounds_of(c) * c->block : c->n;
}
/* Returns how many bytes are loaded by the block that combines all partials: the last block, which has loaded `own`
 * bytes, or the only block of the second launch. Returns 0 if there is no such block. */
static double last_block(const struct grade_case *c, double own) {
    const double partials = blocks_of(c) * (double)variant_size(c->variant);
    if (runs_only_sample(c) || !c->kernel->grid_stride) return 0;
    return c->kernel->finish == FINISH_ITSELF ? own + partials : c->kernel->finish == FINISH_LAUNCH ? partials : 0;
}
/* Scales a figure that has two parts: `input`, for loading the input, and a remainder that is the same for each
 * block. */
static uint64_t scale(uint64_t figure, double input, double scaled_input, double blocks) {
    const double rest = (double)figure > input ? (double)figure - input : 0;
    return (uint64_t)round(scaled_input + rest * blocks);
}
struct figures scaled_figures(const struct figures *f, const struct grade_case *from, const struct grade_case *to) {
    enum { SECTOR = 32 };
    const double bytes = (double)case_input_size(from), blocks = trees_of(to) / trees_of(from);
    const double thread = blocks_of(from) * rounds_of(from) * bytes,
                 to_thread = case_blocks_with_elements(to) * rounds_of(to) * bytes;
    const double block = rounds_of(from) * bytes * from->block, to_block = rounds_of(to) * bytes * to->block;
    const double all = (double)from->n * bytes, to_all = elements_of(to) * bytes;
    /* two instructions that load the members of a pair transfer each sector twice */
    const double times = fmax(1, floor((double)f->global_sectors * SECTOR / all)) / SECTOR;
    /* a kernel that keeps operands in order may combine in shared memory after each round */
    const double steps = from->kernel->ordered ? blocks * fmax(1, rounds_of(to) / rounds_of(from)) : blocks;
    return (struct figures){.blocks = scale(f->blocks, 0, 0, blocks),
                            .launches = f->launches,
                            .tree_steps = scale(f->tree_steps, 0, 0, steps),
                            .divergent_tree_steps = scale(f->divergent_tree_steps, 0, 0, steps),
                            .divergent_in_memory = scale(f->divergent_in_memory, 0, 0, steps),
                            .tree_warps = scale(f->tree_warps, 0, 0, steps),
                            .busiest_bytes = scale(f->busiest_bytes, thread, to_thread, steps),
                            .busiest_block = (uint64_t)fmax((double)scale(f->busiest_block, block, to_block, blocks),
                                                            last_block(to, to_block)),
                            .moved_bytes = scale(f->moved_bytes, all, to_all, steps),
                            .global_sectors = scale(f->global_sectors, all * times, to_all * times, blocks),
                            .shared_wavefronts = scale(f->shared_wavefronts, 0, 0, steps),
                            .shared_ideal_wavefronts = scale(f->shared_ideal_wavefronts, 0, 0, steps)};
}

/* ---- launches --------------------------------------------------------------------------------- */
struct drawing {
    const struct grade_case *launch; /* launches whose figures may be scaled */
    unsigned launches;
    uint64_t random, n; /* n: elements of all launches of add() */
    struct scaled *out;
    unsigned count;
};
/* Returns whether the launch's figures can be scaled to n elements: M is in the range, the result is exact, and there
 * are several blocks, except for a one-block kernel. */
static bool is_usable(const struct grade_case *c, uint32_t n, struct range m) {
    const bool overflows = c->variant.op == REDUCE_OP_PRODUCT && variant_is_float(c->variant);
    return c->block >= m.least && c->block <= m.most && !overflows && (c->kernel->one_block || blocks_of(c) > 1) &&
           (n <= MAX_ROUNDED || case_is_exact(c->kernel, c->variant));
}
/* Begins the next launch as a copy of a random launch whose figures can be scaled to n elements. Returns NULL if there
 * is none. */
static struct grade_case *begin(struct drawing *d, uint32_t n, struct range m) {
    unsigned usable[OBSERVED_MAX], count = 0;
    for (unsigned k = 0; k < d->launches; k++)
        if (is_usable(&d->launch[k], n, m)) usable[count++] = k;
    if (!count || d->count == SCALED_MAX) return NULL;
    struct scaled *s = &d->out[d->count];
    s->from = usable[between(&d->random, 0, count - 1)], s->launch = d->launch[s->from];
    return &s->launch;
}
/* Adds a launch of about `grid` blocks. If n is 0, the launch has a few elements per thread. */
static void add(struct drawing *d, uint32_t n, uint32_t grid, enum size size) {
    struct grade_case *c = begin(d, n, threads_of(size, grid));
    if (!c) return;
    if (c->kernel->grid_stride) c->grid = grid;
    if (c->cluster) c->grid = (grid + c->cluster - 1) / c->cluster * c->cluster;
    if (n > case_max_n(c->kernel)) n = case_max_n(c->kernel);
    c->n = n ? n : (c->kernel->grid_stride ? FEW_ROUNDS : c->kernel->elements) * c->block * grid;
    struct grade_case aligned = *c;
    aligned.offset = 0;
    if (case_repeats(&aligned)) *c = aligned; /* with an offset, all elements would have to be generated */
    if (d->n + c->n > MAX_TOGETHER) return;
    d->n += c->n, d->count++;
}
/* Launches with n = rounds * threads. Most of them run only a sample of their blocks. The first row has the largest
 * numbers in the contract; in the others, the number of threads has a random magnitude. If blocks depend on each other,
 * all of them run in the other rows. The first row then shows only what a block does before it meets the others. */
enum dependence { EITHER, INDEPENDENT, DEPENDENT };
static const struct far {
    struct range threads, m;
    uint32_t rounds;
    enum dependence blocks;
} far[] = {{{1 << 29, 1 << 29}, {32, 1024}, 4, EITHER},
           {{1 << 17, 1 << 28}, {32, 1024}, 4, INDEPENDENT},
           {{1 << 21, 1 << 22}, {64, 256}, 512, INDEPENDENT},
           {{1 << 16, 1 << 17}, {32, 32}, 4, DEPENDENT}, /* more than 64 * M blocks */
           {{1 << 14, 1 << 15}, {32, 128}, 1 << 11, DEPENDENT}};
static void add_far(struct drawing *d, const struct far *row) {
    const struct lab_kernel *k = d->launch->kernel;
    const bool segments = case_has_segments(k), independent = segments || case_runs_sample_alone(d->launch);
    if (row->blocks == (independent ? DEPENDENT : INDEPENDENT)) return;
    if (row->blocks == EITHER && k->cluster) return;          /* all blocks of a cluster must run */
    const unsigned wide = row->blocks == EITHER && k->halves; /* a thread takes at least eight halves at a time */
    uint32_t threads = row->threads.least >> wide, magnitudes = 0;
    while (row->threads.least << magnitudes < row->threads.most) magnitudes++;
    if (magnitudes)
        threads <<= between(&d->random, 0, magnitudes - 1), threads = between(&d->random, threads + 1, 2 * threads);
    const uint32_t rounds = row->rounds << wide;
    struct grade_case *c = begin(d, rounds * threads, row->m);
    if (!c) return;
    const uint32_t unit = (segments ? k->elements : 1) * c->block * (c->cluster ? c->cluster : 1);
    threads = threads / unit * unit;
    if (k->grid_stride) c->grid = threads / c->block;
    c->n = rounds * threads, c->offset = 0;
    if (variant_chooses(c->variant))
        c->data = DATA_EXACT; /* the last element then wins, and its block is in the sample */
    d->count++;
}
/* The possible grids, divided into ranges by the integers that may be numbers of blocks. */
struct grids {
    unsigned count;
    uint32_t low[MAX_IMMEDIATES + 1], high[MAX_IMMEDIATES + 1];
};
static struct grids grids_of(const struct immediates *named) {
    struct grids g = {.count = 0, .low = {2}};
    for (unsigned k = 0; k < named->count; k++) {
        const uint32_t at = named->at[k];
        if (at < LEAST_GRID || at >= MAX_GRID) continue;
        g.high[g.count++] = at - 1, g.low[g.count] = at + 1;
    }
    g.high[g.count] = g.low[g.count] + 62;
    return g;
}
static uint32_t drawn_grid(struct drawing *d, const struct grids *g, unsigned k) {
    return between(&d->random, g->low[k], g->high[k] > g->low[k] ? g->high[k] : g->low[k]);
}
/* Adds launches for the integers in the PTX. For each integer that is used as n, grids are from the lowest and the
 * highest range. For a grid-stride kernel, one is also from a random range. Then adds launches of a few rounds, with
 * grids from the highest range and from a random range. */
static void add_named(struct drawing *d, const struct immediates *named, uint32_t most_n) {
    const struct lab_kernel *kernel = d->launch->kernel;
    const struct grids g = grids_of(named);
    unsigned first = 0, count;
    while (first < named->count && named->at[first] < LEAST_NAMED) first++;
    for (count = named->count - first; count && named->at[first + count - 1] > most_n;) count--;
    const unsigned turn = count ? between(&d->random, 0, count - 1) : 0;
    for (unsigned k = 0; k < count && k < MAX_INTEGERS; k++) {
        const uint32_t n = named->at[first + (turn + k) % count] + between(&d->random, 1, 1 << 13);
        const unsigned at[] = {0, g.count, between(&d->random, 0, g.count)};
        for (unsigned i = 0; i < (kernel->grid_stride ? 3 : 2); i++) {
            const bool is_small = kernel->grid_stride ? between(&d->random, 0, 1) : i;
            add(d, n, drawn_grid(d, &g, at[i]), kernel->only_block ? ANY : is_small ? SMALL : LARGE);
        }
    }
    for (unsigned k = 0; !kernel->one_block && g.count && k < 4; k++) {
        const uint32_t grid = drawn_grid(d, &g, k / 2 ? between(&d->random, 1, g.count) : g.count);
        add(d, 0, grid, k % 2 ? SMALL : BY_GRID);
    }
}
unsigned scaled_launches(const struct judge *j, const struct grade_case launch[], unsigned count,
                         struct scaled out[SCALED_MAX]) {
    const struct lab_kernel *k = launch[0].kernel;
    const struct named *named = program_named(j, k->name, launch[0].variant);
    struct drawing d = {launch, count, hash_text(hash_text(j->options->seed, "scaled"), case_label(k)), 0, out, 0};
    const bool whole_tree = !k->one_block && !k->grid_stride;
    if (j->own || k->arrays || k->serial || k->finish == FINISH_LEVELS || (k->in_place && k->one_block)) return 0;
    const uint32_t each = whole_tree ? TREE_EACH : 1;
    static const struct {
        struct range grid;
        enum size size;
    } drawn[] = {{{2, 5}, SMALL}, {{2, 5}, LARGE}, {{6, 199}, BY_GRID}};
    for (unsigned row = whole_tree || k->only_block ? 2 : 0; row < 3; row++) {
        const uint32_t n = between(&d.random, LEAST_N, MAX_N) / each,
                       grid = between(&d.random, drawn[row].grid.least, drawn[row].grid.most);
        add(&d, n, grid, k->only_block ? ANY : drawn[row].size);
    }
    if (named) add_named(&d, &named->integers, LARGE_IMMEDIATE / each);
    for (const struct far *row = far; case_kernel_is_sampled(k) && row < far + sizeof far / sizeof *far; row++)
        add_far(&d, row);
    return d.count;
}
