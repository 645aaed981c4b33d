/* Which cases a check runs, and on which data. See judge.h. */
#include "base/random.h"
#include "judge/judge.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GRID = 65535 /* blocks that a case may ask for */ };

/* ---- names ---------------------------------------------------------------------------------- */
static const char *label_of(const struct lab_kernel *k) { return k->label ? k->label : k->name; }
bool case_kernel_takes(const struct lab *lab, const struct lab_kernel *kernel, struct variant v) {
    return (lab->variants & (kernel->variants ? kernel->variants : UINT32_MAX)) >> variant_index(v) & 1;
}
char *case_name(const struct grade_case *c, char *out, size_t size) {
    char grid[24] = "", offset[24] = "";
    if (c->kernel->grid_stride) snprintf(grid, sizeof grid, "/grid=%u", c->grid);
    if (c->offset) snprintf(offset, sizeof offset, "/offset=%u", c->offset);
    snprintf(out, size, "%s/%s/n=%u/block=%u%s%s%s", label_of(c->kernel), variant_name(c->variant), c->n, c->block,
             grid, offset, c->data == DATA_ROUNDED ? "/rounded" : "");
    return out;
}
bool case_is_large(const struct grade_case *c) { return c->n > 1 << 16 || c->grid > 1 << 12; }
bool case_parse(const struct lab *lab, const char *text, struct grade_case *c) {
    const char *slash = strchr(text, '/'), *second = slash ? strchr(slash + 1, '/') : NULL;
    int end = 0, more = 0;
    *c = (struct grade_case){0};
    if (!second || !variant_find(slash + 1, (size_t)(second - slash - 1), &c->variant)) return false;
    for (unsigned k = 0; k < lab->kernel_count; k++) {
        const char *label = label_of(&lab->kernels[k]);
        if (strlen(label) == (size_t)(slash - text) && !strncmp(label, text, strlen(label)))
            c->kernel = &lab->kernels[k];
    }
    if (!c->kernel || !case_kernel_takes(lab, c->kernel, c->variant)) return false;
    if (sscanf(second, "/n=%9u/block=%4u%n", &c->n, &c->block, &end) < 2) return false;
    if (c->block < 32 || c->block > 1024 || (c->block & (c->block - 1)) || c->n > 1u << 26) return false;
    if (c->kernel->only_block && c->block != c->kernel->only_block) return false;
    if (c->kernel->finish == FINISH_LEVELS && !c->n) return false;
    const char *rest = second + end;
    if (c->kernel->grid_stride) {
        if (sscanf(rest, "/grid=%5u%n", &c->grid, &more) < 1 || !c->grid || c->grid > MOST_GRID) return false;
        rest += more;
    }
    if (c->kernel->any_start && sscanf(rest, "/offset=%1u%n", &c->offset, &more) == 1) {
        if (!c->offset || c->offset > MOST_OFFSET) return false;
        rest += more;
    }
    c->data = !strcmp(rest, "/rounded") ? DATA_ROUNDED : DATA_EXACT;
    return !rest[0] || c->data == DATA_ROUNDED;
}

/* ---- data ----------------------------------------------------------------------------------- */
/* Pairs: few different values, so that there are ties; a NaN now and then; indices that differ from each other, and do
 * not rise with the place. */
static union value pair_element(struct variant v, uint64_t r, uint32_t k, bool nan) {
    const int small = (int)(r >> 8 & 0xff) % 41 - 20;
    const bool spike = r % 61 == 0;
    union value x = {.word = {0}};
    if (v.type == REDUCE_TYPE_I32) x.i32 = spike ? small * 1000003 : small;
    const double value = nan && spike ? (double)NAN : (double)small / 4;
    if (v.type == REDUCE_TYPE_F32) x.f32 = (float)value;
    if (v.type == REDUCE_TYPE_F64) x.f64 = value;
    x.word[variant_size(v) / 8] = (k * UINT32_C(0x1e3779b1) + 12345) & 0x7fffffff;
    return x;
}
/* Maps and matrices: any words, but an odd slope or determinant, so that no operand is lost in the product. */
static union value struct_element(struct variant v, uint64_t *state, uint32_t k, bool nan) {
    if (variant_commutes(v)) return pair_element(v, random_next(state), k, nan);
    const uint64_t p = random_next(state), q = random_next(state);
    union value x = {.word = {(uint32_t)p | 1, (uint32_t)(p >> 32), (uint32_t)q, (uint32_t)(q >> 32)}};
    if (v.op == REDUCE_OP_MATRIX) x.word[3] = (x.word[3] & ~1u) | (~(x.word[1] * x.word[2]) & 1);
    return x;
}
/* Sums of floats: whole numbers whose sum of magnitudes stays far below 2^24, so that every order gives the exact sum.
 * Products: mostly 1, with factors that keep the product a power of two within range (floats) or odd (integers, so that
 * none is lost). Minima and maxima, where `one_sided`: all elements on the far side of 0, so that a 0 combined in by
 * mistake shows, with infinities that do no harm; else of both signs, with rare spikes. No NaN, and no -0 beside +0. */
static int64_t whole(struct variant v, uint64_t r, bool one_sided) {
    const int64_t small = (int64_t)(r >> 8 & 0xff) - 128;
    if (v.op == REDUCE_OP_PRODUCT) return (int64_t)(r | 1);
    if (v.op == REDUCE_OP_SUM) return r % 61 ? small * 97 + 13 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    if (v.type == REDUCE_TYPE_U32)
        return r % 61 ? (int64_t)(r >> 8 & 0xffff) + 70000 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    if (!one_sided) return r % 61 ? small * 97 + 13 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    const int64_t far = r % 61 ? (small + 129) * 97 : (int64_t)(r >> 34) + 1;
    return v.op == REDUCE_OP_MIN ? far : -far;
}
static double real(struct variant v, uint64_t r, bool one_sided, uint64_t n, double *exponent) {
    const bool spike = r % 61 == 0;
    const double small = (double)((int64_t)(r >> 8 & 0xff) - 128),
                 large = (double)((int64_t)(r >> 16 & 0xfffff) - 0x80000);
    if (v.op == REDUCE_OP_SUM) return floor(spike && n <= 1 << 14 ? large / 128 : small / 4);
    if (v.op >= REDUCE_OP_MIN) {
        const double sign = v.op == REDUCE_OP_MIN ? 1 : -1;
        if (one_sided) return sign * (spike ? (double)INFINITY : (small + 129) / 16);
        return (spike ? large : small + sign * 200) / 16;
    }
    const int step = *exponent > 20 ? -1 : *exponent < -20 ? 1 : (int)(r >> 20 & 1) * 2 - 1;
    const double sign = r >> 30 & 1 ? -1 : 1;
    if (!spike && n >= 8) return sign;
    *exponent += step;
    return sign * (step > 0 ? 2 : 0.5);
}
static union value from_double(struct variant v, double value) {
    union value x = {.bits = 0};
    if (v.type == REDUCE_TYPE_F32)
        x.f32 = (float)value;
    else
        x.f64 = value;
    return x;
}
static union value exact_element(struct variant v, uint64_t r, bool one_sided, uint64_t n, double *exponent) {
    if (variant_is_float(v)) return from_double(v, real(v, r, one_sided, n, exponent));
    const uint64_t bits = (uint64_t)whole(v, r, one_sided);
    return (union value){.bits = variant_size(v) == 4 ? (uint32_t)bits : bits};
}
static union value small_element(struct variant v, uint64_t r) {
    const int small = v.op == REDUCE_OP_PRODUCT ? 1 + (r % 16 == 0) : (int)(r % 9) + 1;
    return variant_is_float(v) ? from_double(v, small) : (union value){.bits = (uint64_t)small};
}
/* Few values, so that there are ties; indices below 64 that differ for k below 64 and do not rise with the place. */
static union value small_pair(struct variant v, uint64_t r, uint32_t k) {
    const int value = (int)(r % 9) + 1;
    union value x = v.type == REDUCE_TYPE_I32 ? (union value){.word = {(uint32_t)value}} : from_double(v, value);
    x.word[variant_size(v) / 8] = (k * 29 + 7) % 64;
    return x;
}
static union value rounded_element(struct variant v, uint64_t r) {
    const double unit = (double)(r >> 11) * 0x1p-53;
    return from_double(v, (r % 61 == 0 ? 1e4 : 1) * (2 * unit - 0.75));
}
/* Of an operator that chooses one of two: the chosen one of all goes to the end, where loops that are too short miss
 * it. */
static void put_chosen_last(const struct grade_case *c, void *array) {
    union value chosen = reference_identity(c->variant);
    uint32_t at = c->n - 1;
    for (uint32_t k = 0; k < c->n; k++) {
        const union value x = reference_load(c->variant, array, k), better = reference_combine(c->variant, chosen, x);
        if (!reference_equal(c->variant, better, chosen)) chosen = x, at = k;
    }
    reference_store(c->variant, array, at, reference_load(c->variant, array, c->n - 1));
    reference_store(c->variant, array, c->n - 1, chosen);
}
void case_data(const struct grade_case *c, void *array) {
    uint64_t state = c->seed ^ ((uint64_t)variant_index(c->variant) << 56) ^ ((uint64_t)c->n << 20) ^ c->block;
    double exponent = 0;
    const bool one_sided = random_next(&state) & 1;
    for (uint32_t k = 0; k < c->n; k++) {
        if (variant_is_struct(c->variant)) {
            const bool small = c->data == DATA_SMALL && variant_commutes(c->variant);
            reference_store(c->variant, array, k,
                            small ? small_pair(c->variant, random_next(&state), k)
                                  : struct_element(c->variant, &state, k, one_sided));
            continue;
        }
        const uint64_t r = random_next(&state);
        reference_store(c->variant, array, k,
                        c->data == DATA_ROUNDED ? rounded_element(c->variant, r)
                        : c->data == DATA_SMALL ? small_element(c->variant, r)
                                                : exact_element(c->variant, r, one_sided, c->n, &exponent));
    }
    if (case_is_large(c) && c->variant.op >= REDUCE_OP_MIN && variant_commutes(c->variant)) put_chosen_last(c, array);
}

/* One of -2, -1, 1, 2 that divides x without rest, and the quotient. Halves of floats are exact: drawn ones are never
 * so small that they lose a bit. */
static union value factor(struct variant v, union value x, uint64_t r, union value *quotient) {
    const int sign = r & 1 ? -1 : 1, twice = r >> 1 & 1 ? 2 : 1;
    if (variant_is_float(v)) {
        *quotient = from_double(v, reference_double(v, x) / (sign * twice));
        return from_double(v, sign * twice);
    }
    const bool small = variant_size(v) == 4;
    const int64_t whole = !small ? (int64_t)x.bits : v.type == REDUCE_TYPE_U32 ? (int64_t)x.word[0] : x.i32;
    const int64_t by = whole % 2 == 0 ? twice : 1;
    const uint64_t part = (uint64_t)(whole / by), mask = small ? UINT32_MAX : UINT64_MAX;
    *quotient = (union value){.bits = (sign < 0 ? -part : part) & mask};
    return (union value){.bits = (uint64_t)(sign * by) & mask};
}
void case_factors(const struct grade_case *c, const void *data, void *first, void *second) {
    uint64_t state = ~c->seed ^ ((uint64_t)c->n << 20) ^ c->block;
    for (uint32_t k = 0; k < c->n; k++) {
        union value quotient;
        const union value by = factor(c->variant, reference_load(c->variant, data, k), random_next(&state), &quotient);
        reference_store(c->variant, first, k, quotient);
        reference_store(c->variant, second, k, by);
    }
}

union value case_lead(const struct grade_case *c) {
    const struct variant v = c->variant;
    if (!variant_commutes(v)) return (union value){.word = {1, 1, 0, 1}};
    if (variant_is_struct(v))
        return v.type == REDUCE_TYPE_I32 ? (union value){.i32 = v.op == REDUCE_OP_ARGMIN ? INT32_MIN : INT32_MAX}
                                         : from_double(v, (double)NAN);
    if (v.op == REDUCE_OP_MIN) return reference_identity((struct variant){REDUCE_OP_MAX, v.type});
    if (v.op == REDUCE_OP_MAX) return reference_identity((struct variant){REDUCE_OP_MIN, v.type});
    const bool product = v.op == REDUCE_OP_PRODUCT;
    return variant_is_float(v) ? from_double(v, product ? -2 : 4096) : (union value){.bits = product ? 3 : 1000003};
}

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
