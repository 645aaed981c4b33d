/* Tests properties of generated cases: elements, sizes, which cases are measured, and which cases checks share. */
/* run: 8 s */
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include "judge/case_rows.h"
#include "judge/clean.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For each block, the magnitude of the float product of its factors must be from 2^-120 to 2^120. Data that contain
 * a zero and an infinity are exempt, because their product is NaN in every order. */
START_TEST(products_of_blocks_are_in_range) {
    const struct variant v = {REDUCE_OP_PRODUCT, REDUCE_TYPE_F32};
    const struct grade_case c = {
        .kernel = lab_find("lab9")->kernels, .variant = v, .n = 1838064, .block = 32, .seed = (uint64_t)_i};
    float *data = calloc(c.n, sizeof *data);
    case_data(&c, data);
    bool zero = false, infinity = false;
    for (uint32_t k = 0; k < c.n; k++) zero |= data[k] == 0, infinity |= isinf(data[k]) != 0;
    ck_assert(zero == infinity);
    for (unsigned grid = zero ? 12 : 2; grid <= 11; grid++)
        for (unsigned b = 0; b < grid; b++) {
            double product = 1;
            for (size_t from = (size_t)b * c.block; from < c.n; from += (size_t)grid * c.block)
                for (size_t k = from; k < c.n && k < from + c.block; k++) product *= (double)data[k];
            const bool tiny = fabs((double)data[0]) < 0x1p-126; /* factor 0 is subnormal; the others are 1 or -1 */
            ck_assert_msg(fabs(product) <= 0x1p120 && (tiny || fabs(product) >= 0x1p-120), "block %u of %u: %g", b,
                          grid, product);
        }
    free(data);
}
END_TEST

/* In at least 20 of 400 cases, all elements fit into a narrower type, but their sum may not: the sum of their
 * magnitudes is 1 to 5 times the type's largest value. */
START_TEST(sums_exceed_narrower_types) {
    static const enum reduce_type types[] = {REDUCE_TYPE_I32, REDUCE_TYPE_U32, REDUCE_TYPE_I64};
    const struct variant v = {REDUCE_OP_SUM, types[_i]};
    const unsigned bits = v.type == REDUCE_TYPE_I64 ? 31 : 15;
    unsigned met = 0;
    for (uint32_t n = 2; n < 402; n++) {
        const struct grade_case c = {
            .kernel = lab_find("lab6")->kernels, .variant = v, .n = n, .block = 32, .grid = 1, .seed = 5};
        char *array = calloc(n, variant_size(v));
        uint64_t sum = 0, largest = 0;
        case_data(&c, array);
        for (uint32_t k = 0; k < n; k++) {
            const union value element = reference_load(v, array, k);
            const int64_t x = v.type == REDUCE_TYPE_I64 ? (int64_t)element.bits : element.i32;
            const uint64_t size = (uint64_t)(x < 0 ? -x : x);
            sum += size, largest = size > largest ? size : largest;
        }
        met += largest <= UINT64_C(1) << bits && sum > UINT64_C(1) << bits && sum < UINT64_C(5) << bits;
        free(array);
    }
    ck_assert_uint_ge(met, 20);
}
END_TEST

/* Plain data contain no identity(), which a correct kernel may skip. */
START_TEST(plain_data_contain_no_identity) {
    for (unsigned k = 0; k < SCALAR_VARIANTS; k++)
        for (uint32_t n = 1; n < 3000; n += 100) {
            const struct variant v = variant_at(k);
            const struct grade_case c = {.kernel = lab_find("lab4")->kernels,
                                         .variant = v,
                                         .n = n,
                                         .block = 32,
                                         .data = DATA_PLAIN,
                                         .grid = 2,
                                         .seed = n};
            double data[3000];
            case_data(&c, data);
            for (uint32_t at = 0; at < n; at++)
                if (reference_equal(v, reference_load(v, data, at), reference_identity(v)))
                    ck_abort_msg("%s, n=%u, element %u", variant_name(v), n, at);
        }
}
END_TEST

/* Fewer than a quarter of the ordinary elements may be 0, because a sum does not show the loss of a 0. */
START_TEST(ordinary_data_show_lost_elements) {
    for (unsigned type = 0; type < REDUCE_TYPE_COUNT; type++)
        for (uint32_t n = 100; n < 3000; n += 100) {
            const struct variant v = {REDUCE_OP_SUM, type};
            const struct grade_case c = {.kernel = lab_find("lab9")->kernels,
                                         .variant = v,
                                         .n = n,
                                         .block = 256,
                                         .data = DATA_ORDINARY,
                                         .grid = 1,
                                         .seed = n};
            double data[3000];
            unsigned zeros = 0;
            case_data(&c, data);
            for (uint32_t at = 0; at < n; at++)
                zeros += reference_equal(v, reference_load(v, data, at), reference_identity(v));
            ck_assert_msg(zeros < n / 4, "%s, n=%u: %u zeros", variant_name(v), n, zeros);
        }
}
END_TEST
/* A kernel may wrongly use 0 as the identity of min or max. For at least 5 of the seeds 0 to 19, this changes the
 * result. For the maximum of u32, 0 is the identity. */
static const struct variant choices[] = {
    {REDUCE_OP_MIN, REDUCE_TYPE_I32}, {REDUCE_OP_MIN, REDUCE_TYPE_U32}, {REDUCE_OP_MIN, REDUCE_TYPE_I64},
    {REDUCE_OP_MIN, REDUCE_TYPE_F32}, {REDUCE_OP_MIN, REDUCE_TYPE_F64}, {REDUCE_OP_MAX, REDUCE_TYPE_I32},
    {REDUCE_OP_MAX, REDUCE_TYPE_I64}, {REDUCE_OP_MAX, REDUCE_TYPE_F32}, {REDUCE_OP_MAX, REDUCE_TYPE_F64}};
START_TEST(zero_as_identity_changes_results) {
    const struct variant v = choices[_i];
    unsigned shown = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        long long data[500];
        const struct grade_case c = {.variant = v, .n = 500, .block = 256, .seed = seed};
        case_data(&c, data);
        const union value right = reference_reduce(v, data, c.n);
        shown += !reference_equal(v, right, reference_combine(v, right, (union value){.bits = 0}));
    }
    ck_assert_uint_gt(shown, 4);
}
END_TEST
/* In at least a quarter of the cases, the last element is the only minimum. */
START_TEST(the_last_element_often_wins) {
    const struct variant v = {REDUCE_OP_MIN, REDUCE_TYPE_U32};
    unsigned met = 0;
    for (uint32_t n = 100; n < 500; n++) {
        const struct grade_case c = {
            .kernel = lab_find("lab7")->kernels, .variant = v, .n = n, .block = 512, .grid = 1, .seed = 5};
        uint32_t data[500];
        case_data(&c, data);
        met += !reference_equal(v, reference_reduce(v, data, n), reference_reduce(v, data, n - 1));
    }
    ck_assert_uint_ge(met, 100);
}
END_TEST

/* At least 2 of 400 float sums are above 2^24, where a float does not represent all integers, and are nevertheless
 * exact. */
START_TEST(some_exact_totals_are_large) {
    const struct variant v = {REDUCE_OP_SUM, REDUCE_TYPE_F32};
    unsigned met = 0;
    for (uint32_t n = 4000; n < 4400; n++) {
        const struct grade_case c = {
            .kernel = lab_find("lab12")->kernels, .variant = v, .n = n, .block = 32, .grid = 1, .seed = 5};
        float data[4400];
        double sum = 0;
        case_data(&c, data);
        for (uint32_t k = 0; k < n; k++) sum += (double)data[k];
        met += fabs(sum) > 0x1p24 && sum == (double)(float)sum;
    }
    ck_assert_uint_ge(met, 2);
}
END_TEST

/* In some float sums and products, all but two elements equal identity(). At least a quarter of their results are
 * rounded away from zero, which a kernel that truncates gets wrong. */
START_TEST(two_elements_round_once) {
    const struct variant v = {_i ? REDUCE_OP_PRODUCT : REDUCE_OP_SUM, REDUCE_TYPE_F32};
    unsigned met = 0, rounded = 0;
    for (uint32_t n = 100; n < 500; n++) {
        const struct grade_case c = {
            .kernel = lab_find("lab6")->kernels, .variant = v, .n = n, .block = 32, .grid = 2, .seed = 5};
        float data[500], of[2] = {0, 0};
        unsigned others = 0;
        case_data(&c, data);
        for (uint32_t k = 0; k < n; k++)
            if (data[k] < (float)_i || data[k] > (float)_i) of[others++ % 2] = data[k];
        if (others != 2) continue;
        const double exact = _i ? (double)of[0] * (double)of[1] : (double)of[0] + (double)of[1];
        met++, rounded += fabs((double)(float)exact) > fabs(exact);
    }
    ck_assert_uint_ge(met, 20);
    ck_assert_uint_ge(rounded, met / 4);
}
END_TEST
/* In at least 30 of 100 sums of more than 8000 halves, the result is above 2^27, so that the partial sums of a warp
 * exceed 2^24. */
START_TEST(some_sums_of_halves_are_large) {
    unsigned large = 0;
    for (uint32_t n = 8192; n < 8292; n++) {
        const struct grade_case c = {.kernel = lab_find("lab12")->kernels,
                                     .variant = {REDUCE_OP_SUM, REDUCE_TYPE_F32},
                                     .n = n,
                                     .block = 32,
                                     .grid = 1,
                                     .seed = 5};
        float data[8292];
        case_data(&c, data);
        large += fabs(reference_double(c.variant, reference_reduce(c.variant, data, n))) > 0x1p27;
    }
    ck_assert_uint_ge(large, 30);
}
END_TEST
/* Some large integers differ only in their last bits. They occur in every magnitude above the range in which a float
 * or double represents all integers. */
START_TEST(close_integers_have_any_size) {
    static const enum reduce_type types[] = {REDUCE_TYPE_I32, REDUCE_TYPE_U32, REDUCE_TYPE_I64};
    const struct variant v = {REDUCE_OP_MIN, types[_i]};
    const unsigned exact = v.type == REDUCE_TYPE_I64 ? 53 : 24, most = v.type == REDUCE_TYPE_I64 ? 63 : 31;
    uint64_t sizes = 0;
    for (uint32_t n = 33; n < 1033; n++) {
        const struct grade_case c = {
            .kernel = lab_find("lab6")->kernels, .variant = v, .n = n, .block = 32, .grid = 1, .seed = 5};
        char *array = calloc(n, variant_size(v));
        uint64_t all = 0, same = ~UINT64_C(0);
        case_data(&c, array);
        for (uint32_t k = 0; k < n; k++) {
            const union value element = reference_load(v, array, k);
            const int64_t x = v.type == REDUCE_TYPE_I64   ? (int64_t)element.bits
                              : v.type == REDUCE_TYPE_U32 ? (int64_t)element.word[0]
                                                          : element.i32;
            const uint64_t size = (uint64_t)(x < 0 ? -x : x);
            all |= size, same &= size;
        }
        if (all >> exact && same >> (63 - __builtin_clzll(all))) sizes |= UINT64_C(1) << (63 - __builtin_clzll(all));
        free(array);
    }
    for (unsigned bit = exact; bit < most; bit++)
        ck_assert_msg(sizes >> bit & 1, "row %u: no data whose integers all have %u bits", _i, bit + 1);
}
END_TEST

/* A kernel for any n gets random sizes from 2^16 to 2^17 on one block. Some of these sizes leave a remainder of more
 * than half a block. A grid-stride kernel also gets random sizes on multiple blocks. If it keeps operands in order, it
 * gets launches of more than 2^16 blocks with an operator that is not commutative. */
START_TEST(sizes_past_16_bits_are_drawn) {
    enum { SEEDS = 40 };
    for (unsigned k = 0; k < lab_rows[_i]->kernel_count; k++) {
        const struct lab_kernel *kernel = &lab_rows[_i]->kernels[k];
        unsigned one = 0, several = 0, long_rests = 0, in_order = 0;
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            const struct judge_options o = {.lab = lab_rows[_i], .seed = seed, .only_size = UINT32_MAX};
            struct judge j = {.options = &o, .lab = o.lab};
            unsigned count;
            struct grade_case *c = case_list(&j, CASES_MANY_BLOCKS, &count);
            for (unsigned n = 0; n < count; n++) {
                if (c[n].kernel != kernel || c[n].n <= 1 << 16 || c[n].n >= 1 << 17) continue;
                *(c[n].grid > 1 && c[n].grid > c[n].cluster ? &several : &one) += 1;
                long_rests += c[n].n % c[n].block > c[n].block / 2;
                in_order += c[n].grid > 1 << 16 && !variant_commutes(c[n].variant);
            }
            free(c);
        }
        const bool any_n = case_traits(kernel) & ANY_N_IN_A_BLOCK && !kernel->helper && kernel->finish != FINISH_HOST;
        ck_assert_msg(!any_n || one >= SEEDS, "%s, %s: %u", lab_rows[_i]->id, kernel->name, one);
        ck_assert_msg(!any_n || long_rests >= SEEDS / 4, "%s, %s: %u", lab_rows[_i]->id, kernel->name, long_rests);
        ck_assert(!any_n || !kernel->grid_stride || several >= SEEDS);
        ck_assert(!kernel->ordered || !kernel->grid_stride || in_order == SEEDS);
    }
}
END_TEST

/* A kernel that runs on many blocks and supports sum_i64 gets an input of more than 2^32 bytes. */
START_TEST(inputs_of_wide_elements_exceed_4_gib) {
    const struct judge_options o = {.lab = lab_rows[_i], .seed = 5, .only_size = UINT32_MAX};
    struct judge j = {.options = &o, .lab = o.lab};
    for (unsigned k = 0; k < o.lab->kernel_count; k++) {
        const struct lab_kernel *kernel = &o.lab->kernels[k];
        const struct variant wide = {REDUCE_OP_SUM, REDUCE_TYPE_I64};
        unsigned count, met = 0;
        struct grade_case *c = case_list(&j, CASES_ANY_N, &count);
        for (unsigned n = 0; n < count; n++)
            met += c[n].kernel == kernel && c[n].n > 1 << 29 && variant_size(c[n].variant) >= 8;
        free(c);
        const bool takes = case_traits(kernel) & MANY_BLOCKS && case_kernel_takes(o.lab, kernel, wide) &&
                           !kernel->helper && kernel->finish != FINISH_HOST;
        ck_assert_msg(!takes || met > 0, "%s, %s", o.lab->id, kernel->name);
    }
}
END_TEST

/* At a level of a tree in global memory, the sampled pairs include the first and the last pair of each sampled
 * block. */
START_TEST(pairs_of_a_level_are_in_its_blocks) {
    const struct lab_kernel kernel = {.name = "k", .elements = 2, .in_place = true, .finish = FINISH_LEVELS};
    const struct grade_case all = {.kernel = &kernel, .n = CASE_MAX_N, .block = 64, .seed = (uint64_t)_i},
                            early = {.kernel = &kernel, .n = CASE_MAX_N - 777, .block = 64, .seed = (uint64_t)_i};
    ck_assert(case_level(&all).stride >= 1u << 27 && case_level(&all).pairs == (1u << 30) / case_level(&all).stride);
    const struct case_level l = case_level(&early);
    uint32_t blocks[CASE_SAMPLE];
    const unsigned count = case_sample(&early, blocks);
    ck_assert(l.stride <= 32 && l.blocks == (l.pairs + 63) / 64 && blocks[count - 1] == l.blocks - 1);
    for (unsigned k = 0; k < count; k++) {
        const uint64_t first = 64ull * blocks[k], past = k + 1 == count ? l.pairs : first + 64;
        ck_assert(case_sampled_pair(&early, k * CASE_PAIRS) == first);
        ck_assert(case_sampled_pair(&early, k * CASE_PAIRS + CASE_PAIRS - 1) == past - 1);
    }
}
END_TEST
/* A sample of blocks with few elements includes neighboring blocks, and blocks with every remainder modulo 64. With
 * clusters, the sample includes every block of the last cluster. */
START_TEST(samples_have_neighbors_and_clusters) {
    const struct lab_kernel kernel = {.name = "k", .elements = 2, .grid_stride = true, .cluster = 8};
    const uint32_t n = 1u << 30;
    const struct grade_case few = {.kernel = &kernel, .n = n, .block = 32, .grid = 1 << 20, .seed = (uint64_t)_i},
                            many = {.kernel = &kernel, .n = n, .block = 32, .grid = 1 << 10, .seed = (uint64_t)_i};
    uint32_t blocks[CASE_SAMPLE];
    uint64_t remainders = 0;
    for (unsigned k = case_sample(&few, blocks); k--;) remainders |= UINT64_C(1) << blocks[k] % 64;
    ck_assert_uint_eq(remainders, UINT64_MAX);
    const unsigned count = case_sample(&many, blocks);
    ck_assert(count < 16 && blocks[count - 8] == many.grid - 8 && blocks[count - 1] == many.grid - 1);
}
END_TEST
/* Such a sample also includes blocks that conditions with the kernel's integers select: b % 1021 == 77, b / 77 == 1021,
 * and b == 1021. */
START_TEST(samples_have_blocks_of_integers) {
    static const struct immediates named = {.count = 3, .at = {32, 77, 1021}};
    const struct lab_kernel kernel = {.name = "k", .elements = 2, .grid_stride = true};
    const struct grade_case c = {
        .kernel = &kernel, .n = 1u << 30, .block = 32, .grid = 1 << 20, .named = &named, .seed = (uint64_t)_i};
    uint32_t blocks[CASE_SAMPLE];
    bool remainder = false, quotient = false, equal = false;
    for (unsigned k = case_sample(&c, blocks); k--;) {
        remainder |= blocks[k] > c.grid / 3 && blocks[k] % 1021 == 77;
        quotient |= blocks[k] / 77 == 1021, equal |= blocks[k] == 1021;
    }
    ck_assert(remainder && quotient && equal);
}
END_TEST
/* The elements form rows of blockDim.x. If the last row has a single element, this element decides every minimum and
 * maximum. */
START_TEST(lone_last_elements_decide) {
    const struct variant v = variant_at((unsigned)_i);
    for (unsigned seed = 0; variant_chooses(v) && seed < 40; seed++) {
        const struct lab_kernel kernel = {.name = "k", .grid_stride = true};
        const struct grade_case c = {
            .kernel = &kernel, .variant = v, .n = 32 * 7 + 1, .block = 32, .grid = 3, .seed = seed};
        char *data = calloc(c.n, variant_size(v));
        case_data(&c, data);
        ck_assert_msg(!reference_equal(v, reference_reduce(v, data, c.n - 1), reference_reduce(v, data, c.n)),
                      "%s, seed %u", variant_name(v), seed);
        free(data);
    }
}
END_TEST

/* ---- cases that checks share ------------------------------------------------------------------ */
static bool is_same(const struct grade_case *a, const struct grade_case *b) {
    return a->kernel == b->kernel && variant_index(a->variant) == variant_index(b->variant) && a->n == b->n &&
           a->block == b->block && a->grid == b->grid && a->data == b->data && a->launches == b->launches &&
           a->offset == b->offset && a->spare == b->spare && a->cluster == b->cluster;
}
/* The check of findings runs the cases of CASES_MEASURED. Every measured case of another set is one of them. Each of
 * CASES_MEASURED is also in a set of results (one block, many blocks, or unaligned), and at least half are also in
 * CASES_ANY_N. */
START_TEST(measured_cases_are_cases_of_findings) {
    const struct judge_options o = {.lab = lab_rows[_i], .seed = 9, .only_size = UINT32_MAX};
    struct judge j = {.options = &o, .lab = o.lab};
    unsigned count, measured, of_results = 0;
    struct grade_case *of = case_list(&j, CASES_MEASURED, &measured);
    bool *seen = calloc(measured + 1, sizeof *seen);
    for (enum case_set set = CASES_ONE_BLOCK; set <= CASES_ANY_N; set++) {
        struct grade_case *c = case_list(&j, set, &count);
        const bool results = set == CASES_ONE_BLOCK || set == CASES_MANY_BLOCKS || set == CASES_UNALIGNED;
        unsigned met = 0;
        for (unsigned k = 0; k < count; k++) {
            unsigned n = 0;
            if (!c[k].measured) continue;
            while (n < measured && !is_same(&c[k], &of[n])) n++;
            ck_assert_msg(n < measured, "%s, set %d: n = %u", o.lab->id, (int)set, c[k].n);
            met++, of_results += results && !seen[n], seen[n] |= results;
        }
        if (set == CASES_ANY_N) ck_assert_uint_ge(met, measured / 2);
        free(c);
    }
    ck_assert_uint_eq(of_results, measured);
    free(seen);
    free(of);
}
END_TEST
/* Only one check runs a shared case. After a case that is not clean, checks share no more cases. */
START_TEST(clean_cases_are_taken_once) {
    const struct judge_options o = {.lab = lab_find("lab3"), .seed = 9, .only_size = UINT32_MAX};
    struct judge j = {.options = &o, .lab = o.lab, .check = o.lab->checks, .student.device = device_find("sim")};
    const struct grade_case a = {.kernel = o.lab->kernels, .n = 33, .block = 64, .measured = true};
    struct grade_case b = a, alone = a;
    struct outcome right = {.work = 5, .effort = 7}, wrong = {.kind = OUTCOME_WRONG};
    struct clean_case known;
    b.block = 32, alone.measured = false;
    ck_assert_int_eq(clean_take(&j, &a, &known), CLEAN_UNSHARED); /* there is no table yet */
    j.clean = clean_new();
    ck_assert_int_eq(clean_take(&j, &alone, &known), CLEAN_UNSHARED);
    ck_assert_int_eq(clean_take(&j, &a, &known), CLEAN_OURS);
    ck_assert_int_eq(clean_take(&j, &a, &known), CLEAN_ELSEWHERE);
    ck_assert(clean_set(&j, &a, &right));
    ck_assert_int_eq(clean_wait(&j, &a, &known), CLEAN_KNOWN);
    ck_assert(known.work == 5 && known.effort == 7);
    ck_assert_int_eq(clean_take(&j, &b, &known), CLEAN_OURS);
    ck_assert(!clean_set(&j, &b, &wrong));
    ck_assert_int_eq(clean_take(&j, &b, &known), CLEAN_UNSHARED);
    clean_free(j.clean);
}
END_TEST

/* ---- expensive cases -------------------------------------------------------------------------- */
static case_maker *maker_of(const char *row) {
    for (unsigned k = 0; k < case_row_count; k++)
        if (!strcmp(case_rows[k].name, row)) return case_rows[k].make;
    ck_abort_msg("no row %s", row);
}
/* In some cases, n has a given remainder modulo a large integer. For a kernel that does all work in one thread,
 * these cases would take too long. It gets cases in which n equals the remainder. */
START_TEST(serial_kernels_get_few_large_remainders) {
    static const struct lab_kernel any = {.name = "k", .one_block = true}, serial = {.one_block = true, .serial = true};
    static const struct immediates named = {.count = 3, .at = {8, 65535, 65536}};
    static const struct {
        const char *row;
        const struct lab_kernel *kernel;
        unsigned cases;
        uint32_t most; /* the largest n of these cases is in (most / 2, most] */
    } rows[] = {{"named-remainders", &any, 3, 1 << 17},
                {"named-remainders", &serial, 0, 0},
                {"named-sizes", &serial, 9, 1 << 17}};
    const struct maker m = {.random = 5, .named = &named};
    unsigned count = 0;
    uint32_t most = 0;
    for (struct grade_case c = {.kernel = rows[_i].kernel, .block = 32}; maker_of(rows[_i].row)(&m, count, &c);
         c.block = 32, count++)
        if (c.n > most) most = c.n;
    ck_assert_msg(count == rows[_i].cases && most <= rows[_i].most && most >= rows[_i].most / 2, "%s: %u cases, n = %u",
                  rows[_i].row, count, most);
}
END_TEST
/* Initial values of the variables that the kernel uses are candidates for n, and so is the bit that a mask clears. */
START_TEST(initial_values_and_holes_in_masks_are_sizes) {
    static const char ptx[] = "\n.const .align 4 .b8 table[12] = {232, 3, 0, 0, 239, 30, 0, 0, 112, 17, 1};\n"
                              ".const .align 4 .u32 unread = 555;\n.global .align 4 .u32 odd = 777;\n"
                              ".global .align 4 .f32 real = 0f41200000;\n.visible .entry k()\n{\n"
                              "\tld.const.u32 \t%r1, [table+4];\n\tld.global.u32 \t%r2, [odd];\n"
                              "\tld.global.f32 \t%f1, [real];\n\tand.b32 \t%r3, %r1, -131073;\n"
                              "\tand.b32 \t%r3, %r1, -65536;\n\tret;\n\n}\n";
    static const uint32_t expected[] = {777, 1000, 7919, 65536, 70000, 131072, 131073};
    struct named n;
    struct outline *o = outline_of(ptx);
    named_of(o, "k", &n);
    ck_assert_uint_eq(n.integers.count, sizeof expected / sizeof *expected);
    ck_assert_mem_eq(n.integers.at, expected, sizeof expected);
    free(o);
}
END_TEST
/* Constants in a kernel are candidates for n. They may be negative or, if the kernel compares with them, above 2^25.
 * The bits of -INFINITY and the largest integer are no candidates if the kernel only moves them to a register. A number
 * that may be compared with a logarithm selects powers of two. A product that is divided asks for large n. */
static const struct {
    const char *code;
    unsigned count;
    uint32_t at[3];
    bool narrow;
} constants[] = {
    {"mov.u32 \t%r1, -8388608;\n\tsetp.gt.u32 \t%p1, %r2, 777;\n\tmov.u32 \t%r3, -5000;\n\tmov.u32 \t%r4, 2147483647;",
     2,
     {777, 5000}},
    {"setp.gt.u32 \t%p1, %r2, 8388608;\n\tsetp.ne.s32 \t%p2, %r2, 1000000007;", 2, {8388608, 1000000007}},
    {"clz.b32 \t%r2, %r1;\n\tsetp.eq.s32 \t%p1, %r2, 9;", 3, {9, 1 << 9, 1 << 22}},
    {"mul.lo.s32 \t%r2, %r1, %r3;\n\tshr.u32 \t%r4, %r2, 5;", 1, {1 << 5}, true},
    {"shr.u32 \t%r4, %r1, 5;\n\tmul.lo.s32 \t%r2, %r4, %r3;", 1, {1 << 5}, false},
};
START_TEST(constants_select_sizes) {
    char ptx[400];
    struct named n;
    snprintf(ptx, sizeof ptx, "\n.visible .entry k()\n{\n\t%s\n\tret;\n\n}\n", constants[_i].code);
    struct outline *o = outline_of(ptx);
    named_of(o, "k", &n);
    ck_assert_uint_eq(n.integers.count, constants[_i].count);
    ck_assert_int_eq(n.narrow, constants[_i].narrow);
    ck_assert_mem_eq(n.integers.at, constants[_i].at, n.integers.count * sizeof *n.integers.at);
    free(o);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("case_data");
    TCase *tcase = tcase_create("case_data");
    tcase_add_loop_test(tcase, products_of_blocks_are_in_range, 1, (int)effort(9, 2));
    tcase_add_loop_test(tcase, sums_exceed_narrower_types, 0, 3);
    tcase_add_loop_test(tcase, two_elements_round_once, 0, 2);
    tcase_add_test(tcase, some_sums_of_halves_are_large);
    tcase_add_loop_test(tcase, close_integers_have_any_size, 0, 3);
    tcase_add_test(tcase, plain_data_contain_no_identity);
    tcase_add_loop_test(tcase, samples_have_neighbors_and_clusters, 0, 3);
    tcase_add_loop_test(tcase, samples_have_blocks_of_integers, 0, 3);
    tcase_add_test(tcase, ordinary_data_show_lost_elements);
    add_rows(tcase, zero_as_identity_changes_results, sizeof choices / sizeof *choices, effort(1, 4));
    tcase_add_test(tcase, the_last_element_often_wins);
    tcase_add_test(tcase, some_exact_totals_are_large);
    add_rows(tcase, sizes_past_16_bits_are_drawn, lab_row_count, effort(2, 4));
    add_rows(tcase, inputs_of_wide_elements_exceed_4_gib, lab_row_count, effort(1, 4));
    add_rows(tcase, pairs_of_a_level_are_in_its_blocks, 8, effort(1, 4));
    add_rows(tcase, lone_last_elements_decide, OWN_VARIANT, effort(1, 4));
    add_rows(tcase, measured_cases_are_cases_of_findings, lab_row_count, effort(1, 4));
    tcase_add_test(tcase, clean_cases_are_taken_once);
    tcase_add_test(tcase, initial_values_and_holes_in_masks_are_sizes);
    tcase_add_loop_test(tcase, constants_select_sizes, 0, sizeof constants / sizeof *constants);
    tcase_add_loop_test(tcase, serial_kernels_get_few_large_remainders, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
