/* Draws the cases of a check from the table in case_rows.c.
 *
 * Each row has its own random stream. The stream's seed depends on the grade's seed, on the names of the row, the
 * kernel and the variant, and on the block size. A new row, kernel or variant therefore does not change the cases of
 * the others. */
#include "base/hash.h"
#include "base/random.h"
#include "judge/case_large.h"
#include "judge/case_rows.h"
#include "judge/values.h"
#include <stdlib.h>
#include <string.h>

static const uint32_t blocks[] = {32, 64, 128, 256, 512, 1024};
enum { BLOCKS = sizeof blocks / sizeof *blocks, MAX_CASES = 4096 };

/* ---- drawing -------------------------------------------------------------------------------- */
struct list {
    struct grade_case *item;
    unsigned count;
    const struct judge *judge;
    const void *values; /* elements of the only case; NULL: generate them */
    bool sample;        /* in rows that CASES_MEASURED includes, adds only measured cases */
};
static void add(struct list *l, const struct grade_case *drawn) {
    struct grade_case one = *drawn, *c = &one;
    if (c->n > case_max_n(c->kernel)) c->n = case_max_n(c->kernel);
    const struct judge_options *o = l->judge->options;
    if (l->count == MAX_CASES || (c->kernel->only_block && c->block != c->kernel->only_block)) return;
    if (c->kernel->finish == FINISH_LEVELS && !c->n) return;
    if (l->judge->own && c->n > OWN_ELEMENTS) return;
    if (o->only_size != UINT32_MAX && c->n != o->only_size) return;
    if (o->only_block && c->block != o->only_block) return;
    if (o->only_grid && c->grid != o->only_grid) return;
    for (unsigned k = 0; k < l->count; k++) {
        struct grade_case *i = &l->item[k];
        if (i->kernel == c->kernel && i->n == c->n && i->block == c->block && i->data == c->data &&
            i->grid == c->grid && i->spare == c->spare && i->launches == c->launches && i->wrap == c->wrap &&
            i->offset == c->offset && i->special == c->special && i->cluster == c->cluster &&
            variant_index(i->variant) == variant_index(c->variant)) {
            i->measured |= c->measured;
            return;
        }
    }
    l->item[l->count++] = *c;
}
/* Draws the cluster size, unless it is set. If `grows`, rounds the grid up to whole clusters. Otherwise, reduces the
 * cluster size until it divides the grid. */
static void draw_cluster(struct grade_case *c, bool grows) {
    if (!c->kernel->cluster) return;
    const uint64_t of[] = {c->seed, variant_index(c->variant), c->n, c->block, c->grid, c->launches, c->special};
    if (!c->cluster) c->cluster = 1 + (uint32_t)((hash_bytes(HASH_START, of, sizeof of) >> 16) % c->kernel->cluster);
    if (c->grid > INT16_MAX) c->cluster = 1; /* so that the number of clusters, too, exceeds INT16_MAX */
    if (grows) c->grid = (c->grid + c->cluster - 1) / c->cluster * c->cluster;
    c->cluster = case_cluster(c, c->grid);
}
/* Returns the seed of a row's random stream for a kernel, a variant ("" for all) and a block size (0 for all). */
static uint64_t stream(uint64_t seed, const char *row, const struct lab_kernel *k, const char *variant,
                       uint32_t block) {
    uint64_t h = hash_bytes(HASH_START, &seed, sizeof seed);
    h = hash_byte(hash_text(h, row), '/');
    h = hash_byte(hash_text(h, case_label(k)), '/');
    return hash_bytes(hash_byte(hash_text(h, variant), '/'), &block, sizeof block);
}
static bool is_measured(const struct case_row *row) { return row->sets >> CASES_MEASURED & 1; }
static bool is_drawn(enum case_share share, unsigned k, unsigned surely, uint64_t random) {
    switch (share) {
    case ALL: return true;
    case QUARTER: return random % 4 == 0 || k == surely;
    case EIGHTH: return random % 8 == 0;
    case ONE: break;
    }
    return k == surely;
}
/* The shares of a row's cases that are drawn and measured for a variant. */
struct portion {
    enum case_share drawn, measured;
    bool picked; /* the variant is tested thoroughly */
};
/* Adds a row's cases. Blocks have c.block threads, unless the row's generator chooses their size. If c is measured, the
 * cases in the measured share are measured. */
static void add_block(struct list *l, const struct case_row *row, struct grade_case c, struct portion share,
                      const struct tuning *tuning, const struct immediates *named) {
    uint64_t random = stream(c.seed, row->name, c.kernel, variant_name(c.variant), c.block);
    const struct maker m = {row->sizes, random_next(&random), tuning, named, NULL};
    const uint32_t only_grid = l->judge->options->only_grid;
    unsigned count = 0;
    for (struct grade_case none = c; row->make(&m, count, &none);) count++;
    if (!count) return;
    const unsigned surely = (unsigned)(random_next(&random) % count);
    for (unsigned k = 0; k < count; k++) {
        struct grade_case one = c;
        one.some_levels = true;
        const uint64_t turn = random_next(&random);
        if (!is_drawn(share.drawn, k, surely, turn)) continue;
        one.measured &= is_drawn(share.measured, k, surely, turn);
        if (l->sample && is_measured(row) && !one.measured) continue;
        row->make(&m, k, &one);
        if (row->blocks == DRAWN && only_grid) one.grid = only_grid;
        if (!c.kernel->grid_stride) one.grid = 0;
        draw_cluster(&one, row->blocks != NAMED && !only_grid);
        add(l, &one);
    }
}
/* Adds cases with random block sizes: one size is always drawn, and each other size with probability 1/3. Variants that
 * are tested thoroughly always get blocks of 32 and of 256 threads, too, as do rows whose cases are all drawn. */
static void add_drawn_blocks(struct list *l, const struct case_row *row, struct grade_case c, struct portion share) {
    uint64_t random = stream(c.seed, row->name, c.kernel, variant_name(c.variant), 0);
    const unsigned surely = (unsigned)(random_next(&random) % BLOCKS);
    for (unsigned b = 0; b < BLOCKS; b++) {
        const bool sometimes = random_next(&random) % 3 == 0, often = blocks[b] == 32 || blocks[b] == 256,
                   only = c.kernel->only_block == blocks[b] || l->judge->options->only_block,
                   always = sometimes || b == surely || only;
        c.block = blocks[b];
        c.measured = is_measured(row) && (always || (often && (share.measured == ALL || share.picked)));
        if (always || (often && (share.drawn == ALL || share.picked))) add_block(l, row, c, share, NULL, NULL);
    }
}
/* Returns the integers in the kernel's PTX for this variant. Unless `thorough`, omits those that are also in the PTX
 * for the lab's first variant. */
static struct immediates named(const struct judge *j, const struct grade_case *c, bool thorough) {
    const struct variant first = judge_variant(j, (unsigned)__builtin_ctz(j->lab->variants));
    const struct named *other = thorough ? NULL : program_named(j, c->kernel->name, first);
    const struct immediates *own = c->named, *common = other ? &other->integers : &(struct immediates){0};
    struct immediates out = {0};
    if (!own || c->kernel->finish == FINISH_ARRAYS) return out; /* the work on arrays may grow faster than n */
    for (unsigned k = 0, at = 0; k < own->count; k++) {
        while (at < common->count && common->at[at] < own->at[k]) at++;
        if (at == common->count || common->at[at] != own->at[k]) out.at[out.count++] = own->at[k];
    }
    return out;
}
/* Adds cases with special values: fixed ones for every kernel, and ones from the kernel's PTX for this variant.
 * Unless the variant is `picked`, omits single values that are also in the PTX for the lab's first variant. A
 * one-block kernel gets all other cases. Other kernels get all packs of several values that may be anywhere, and a
 * share of the others. */
static void add_specials(struct list *l, const struct case_row *row, struct grade_case c, enum case_share share,
                         bool picked) {
    struct specials *s = malloc(sizeof *s);
    uint64_t random = stream(c.seed, row->name, c.kernel, variant_name(c.variant), 0);
    if (!s) return;
    specials_of(l->judge, c.kernel, c.variant, s);
    const struct maker m = {.random = random_next(&random), .specials = s};
    for (unsigned k = 0; k < s->packs; k++) {
        struct grade_case one = c;
        const bool always = c.kernel->one_block || (s->pack[k].count > 1 && s->pack[k].way == SPECIAL_ANYWHERE);
        if (!always && !is_drawn(share, k, s->packs, random_next(&random))) continue;
        if (s->pack[k].named && !s->pack[k].own && s->pack[k].count == 1 && !picked) continue;
        if (!row->make(&m, k, &one)) continue;
        if (!c.kernel->grid_stride) one.grid = 0;
        draw_cluster(&one, !l->judge->options->only_grid);
        if (special_fill(l->judge, s, &one)) add(l, &one);
    }
    free(s);
}
static void add_row(struct list *l, const struct case_row *row, struct grade_case c, bool picked) {
    struct portion share = {row->others, row->measured_others, picked};
    if (picked)
        share.drawn = row->thorough, share.measured = row->measured_thorough;
    else if (!variant_commutes(c.variant))
        share.drawn = row->in_order, share.measured = row->measured_in_order;
    struct tuning t = {0};
    char message[400];
    c.data = row->data, c.measured = is_measured(row);
    switch (row->blocks) {
    case DRAWN: add_drawn_blocks(l, row, c, share); break;
    case ANY: add_block(l, row, c, share, NULL, NULL); break;
    case SPECIAL: add_specials(l, row, c, share.drawn, picked); break;
    case WARP: c.block = 32, add_block(l, row, c, share, NULL, NULL); break;
    case WIDEST:
        c.block = c.kernel->only_block ? c.kernel->only_block : 1024;
        add_block(l, row, c, share, NULL, NULL);
        break;
    case NAMED: {
        const struct immediates integers = named(l->judge, &c, picked);
        if (integers.count) add_block(l, row, c, share, NULL, &integers);
        break;
    }
    case CHOSEN:
        if (tuning_read(l->judge, &l->judge->student, c.kernel, c.variant, &t, message, sizeof message))
            add_block(l, row, c, share, &t, NULL);
    }
}
/* Returns the first variant whose results are exact for any number of elements, or VARIANT_COUNT. For a kernel that
 * keeps operands in order, prefers a variant that does not commute. */
static unsigned first_exact(const struct lab *lab, const struct lab_kernel *kernel) {
    unsigned first = VARIANT_COUNT;
    for (unsigned v = 0; v < VARIANT_COUNT; v++) {
        if (!case_kernel_takes(lab, kernel, variant_at(v)) || !case_is_exact(kernel, variant_at(v))) continue;
        if (kernel->ordered && !variant_commutes(variant_at(v))) return v;
        if (first == VARIANT_COUNT) first = v;
    }
    return first;
}
/* Returns a random exact variant of integers with more bytes than `first`, or VARIANT_COUNT if there is none. It
 * selects an operand if and only if `first` does. */
static unsigned wider_integers(const struct lab *lab, const struct lab_kernel *kernel, unsigned first,
                               uint64_t random) {
    unsigned wider[VARIANT_COUNT], count = 0;
    for (unsigned k = 0; k < VARIANT_COUNT && first < VARIANT_COUNT; k++) {
        const struct variant v = variant_at(k), f = variant_at(first);
        if (case_kernel_takes(lab, kernel, v) && !variant_is_float(v) && variant_size(v) > variant_size(f) &&
            variant_chooses(v) == variant_chooses(f))
            wider[count++] = k;
    }
    return count ? wider[random % count] : VARIANT_COUNT;
}
/* Returns the traits of the kernel and of its code. `code` is NULL for a student's own operator. */
static unsigned traits_of(const struct grade_case *c, const struct named *code) {
    const bool adds = c->variant.op == REDUCE_OP_SUM && !variant_is_float(c->variant) &&
                      variant_size(c->variant) == sizeof(uint32_t),
               keeps = c->kernel->finish != FINISH_ARRAYS && code && code->variables;
    return case_traits(c->kernel) | (keeps || c->kernel->finish == FINISH_ITSELF ? STATE : 0) |
           (code && code->narrow ? NARROW : 0) | (!code || code->shortens ? SHORT : 0) |
           (adds && code && code->doubles ? DOUBLES : 0);
}
/* Returns whether an earlier row of the lab begins with the same launch of the same kernel, and only combines the
 * partials in a different way. Then the large cases of that row suffice. */
static bool begins_as_before(const struct lab *lab, const struct lab_kernel *kernel) {
    for (const struct lab_kernel *k = lab->kernels; k < kernel; k++)
        if (!strcmp(k->name, kernel->name) && k->finish == FINISH_LAUNCH && kernel->finish == FINISH_HOST) return true;
    return false;
}
static void add_kernel(struct list *l, const struct lab_kernel *kernel, enum case_set set) {
    const struct judge *j = l->judge;
    uint64_t random = stream(j->options->seed, "thorough", kernel, "", 0);
    const unsigned first = (unsigned)__builtin_ctz(j->lab->variants),
                   picked = (unsigned)(random_next(&random) % SCALAR_VARIANTS), exact = first_exact(j->lab, kernel),
                   wider = wider_integers(j->lab, kernel, exact, random_next(&random));
    const bool seen = begins_as_before(j->lab, kernel);
    for (unsigned v = 0; v < VARIANT_COUNT; v++) {
        struct grade_case c = {.kernel = kernel, .variant = judge_variant(j, v), .seed = j->options->seed};
        if (!case_kernel_takes(j->lab, kernel, c.variant)) continue;
        const struct named *code = j->own ? NULL : program_named(j, kernel->name, c.variant);
        const unsigned traits = traits_of(&c, code);
        c.named = code ? &code->integers : NULL;
        for (const struct case_row *row = case_rows; row < case_rows + case_row_count; row++) {
            if (!(row->sets >> set & 1) || (row->traits & ~traits)) continue;
            if (data_kinds[row->data].bounded && (!variant_is_float(c.variant) || c.variant.op != REDUCE_OP_SUM))
                continue;
            const bool of[] = {[EVERY_VARIANT] = true,
                               [FIRST_VARIANT] = v == first,
                               [FIRST_EXACT] = v == exact,
                               [FEW_VARIANTS] = v == first || v == exact || v == picked,
                               [WIDER_EXACT] = v == wider,
                               [LONG_SUM] = c.variant.op == REDUCE_OP_SUM && c.variant.type == REDUCE_TYPE_I64};
            if (!of[row->of] || (row->of != EVERY_VARIANT && (j->own || seen))) continue;
            /* Integers in the PTX, such as the number of elements in 16 bytes, may depend on the element size. The
             * wider variant therefore gets as many cases for them as the first variant. */
            const bool other_size = row->blocks == NAMED && v == wider, only = row->of == FIRST_EXACT;
            add_row(l, row, c, v == first || v == picked || other_size || only);
        }
    }
}

/* ---- lists ---------------------------------------------------------------------------------- */
struct variant judge_variant(const struct judge *j, unsigned index) {
    struct variant v = variant_at(index);
    if (variant_is_own(v)) v.bytes = j->own ? j->own->bytes : 0;
    return v;
}
/* Returns whether the current check runs cases of the kernel. */
static bool is_graded(const struct judge *j, const struct lab_kernel *k) {
    return !k->helper && (!j->check || !j->check->kernel || !strcmp(j->check->kernel, k->name));
}
static bool holds_all(enum case_set set) { return set == CASES_MEASURED || set == CASES_ANY_N; }
/* Returns the set, other than those of holds_all(), that contains the case. */
static enum case_set home_of(const struct grade_case *c) {
    const uint32_t of_a_block = (c->kernel->elements ? c->kernel->elements : 2) * c->block;
    if (c->data == DATA_ROUNDED) return CASES_ROUNDED;
    if (c->offset) return CASES_UNALIGNED;
    return (c->kernel->cluster       ? c->grid == case_cluster(c, c->grid)
            : c->kernel->grid_stride ? c->grid == 1
                                     : c->n <= of_a_block)
               ? CASES_ONE_BLOCK
               : CASES_MANY_BLOCKS;
}
static void add_only_case(struct list *l, enum case_set set) {
    const struct judge *j = l->judge;
    struct grade_case c;
    if (!case_parse(j->lab, j->options->only_case, &c)) return;
    c.seed = j->options->seed;
    c.variant = judge_variant(j, variant_index(c.variant));
    c.values = l->values;
    if (!special_complete(j, &c)) return;
    if ((set == home_of(&c) || holds_all(set)) && is_graded(j, c.kernel)) l->item[l->count++] = c;
}
/* Makes a case of the requested size, which no list contains. Uses the first variant of the first graded kernel that
 * accepts the size. */
static bool make_only_size(const struct judge *j, const struct lab_kernel *k, struct grade_case *c) {
    const struct judge_options *o = j->options;
    const uint32_t block = o->only_block ? o->only_block : k->only_block ? k->only_block : 256;
    *c = (struct grade_case){.kernel = k, .n = o->only_size, .block = block, .seed = o->seed};
    const bool small = c->n <= 2 * block;
    if (!is_graded(j, k) || (k->only_block && block != k->only_block) || (o->only_grid && !k->grid_stride))
        return false;
    if (k->grid_stride) c->grid = o->only_grid ? o->only_grid : small ? 1 : case_grid((unsigned)(o->seed % 6), o->seed);
    for (unsigned v = 0; v < VARIANT_COUNT; v++) {
        c->variant = judge_variant(j, v), c->named = program_integers(j, k, c->variant);
        if (case_kernel_takes(j->lab, k, c->variant) && (!case_is_sampled(c) || case_may_be_sampled(c))) return true;
    }
    return false;
}
static void add_only_size(struct list *l, enum case_set set) {
    const struct judge *j = l->judge;
    struct grade_case c;
    unsigned k = 0;
    while (k < j->lab->kernel_count && !make_only_size(j, &j->lab->kernels[k], &c)) k++;
    if (k < j->lab->kernel_count && (holds_all(set) || set == home_of(&c))) add(l, &c);
}
/* Returns the elements of --values, or NULL. */
static const void *values_of(struct judge *j) {
    struct grade_case c;
    uint32_t count;
    char message[200];
    if (!j->values && j->options->values && case_parse(j->lab, j->options->only_case, &c))
        j->values = values_parse(c.variant, j->options->values, &count, message, sizeof message);
    return j->values;
}
struct grade_case *case_list(struct judge *j, enum case_set set, unsigned *count) {
    struct list l = {.item = calloc(MAX_CASES, sizeof *l.item), .judge = j, .sample = holds_all(set)};
    *count = 0;
    if (!l.item) return NULL;
    l.values = values_of(j);
    for (unsigned k = 0; k < j->lab->kernel_count && !j->options->only_case; k++)
        if (is_graded(j, &j->lab->kernels[k])) add_kernel(&l, &j->lab->kernels[k], set);
    if (j->options->only_case)
        add_only_case(&l, set);
    else if (!l.count && j->options->only_size != UINT32_MAX)
        add_only_size(&l, set);
    *count = l.count;
    return l.item;
}
