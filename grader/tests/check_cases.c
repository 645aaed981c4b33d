/* Tests which cases are drawn, their elements, and the error bound of float sums. */
/* run: 7 s */
/* reads: nothing */
#include "judge/case_again.h"
#include "base/narrow.h"
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include "judge/observed.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct judge_options options(const char *lab, uint64_t seed) {
    return (struct judge_options){
        .lab = lab_find(lab), .seed = seed, .only_size = UINT32_MAX, .replay_options = "", .submission = "reduce.cu"};
}

/* A grid-stride kernel gets cases with one block, with several, and with an idle last block. It also gets cases with
 * more working blocks than threads per block. */
START_TEST(grids_vary) {
    const struct judge_options o = options("lab7", (uint64_t)_i);
    struct judge j = {.options = &o, .lab = o.lab};
    unsigned count, idle = 0, crowded = 0;
    struct grade_case *one = case_list(&j, CASES_ONE_BLOCK, &count);
    for (unsigned k = 0; k < count; k++) ck_assert_uint_eq(one[k].grid, 1);
    free(one);
    struct grade_case *many = case_list(&j, CASES_MANY_BLOCKS, &count);
    for (unsigned k = 0; k < count; k++) {
        ck_assert(many[k].grid > 1 || case_is_large(&many[k]));
        idle += many[k].n <= (many[k].grid - 1) * many[k].block; /* the last block is idle */
        crowded += many[k].grid > many[k].block && many[k].n > many[k].block * many[k].block;
    }
    ck_assert(idle > 10 && crowded >= 20);
    free(many);
}
END_TEST

/* No observed launch of more than 64 blocks computes a product of floats, because the product could overflow. */
START_TEST(long_launches_do_not_overflow) {
    enum { LONG = 64 /* blocks */ };
    unsigned seen = 0;
    for (unsigned l = 0; l < lab_row_count; l++) {
        const struct judge_options o = options(lab_rows[l]->id, (uint64_t)_i);
        struct judge j = {.options = &o, .lab = o.lab};
        for (unsigned k = 0; k < o.lab->kernel_count; k++) {
            struct grade_case launch[OBSERVED_MAX];
            const unsigned count = observed_launches(&j, &o.lab->kernels[k], launch);
            for (unsigned n = 0; n < count; n++) {
                const struct variant v = launch[n].variant;
                if (case_blocks(&launch[n], launch[n].n, 0) <= LONG) continue;
                seen++;
                ck_assert_msg(v.op != REDUCE_OP_PRODUCT || !variant_is_float(v), "%s: n = %u", o.lab->id, launch[n].n);
            }
        }
    }
    ck_assert_uint_ge(seen, 8);
}
END_TEST
/* For each set and seed, the sizes above 33 have every remainder modulo 32. In sets with multiple blocks, some grid
 * has more than 48 blocks. */
START_TEST(sizes_have_every_remainder) {
    static const enum case_set sets[] = {CASES_ONE_BLOCK, CASES_MANY_BLOCKS, CASES_MEASURED};
    const struct judge_options o = options("lab7", (uint64_t)_i * 77);
    struct judge j = {.options = &o, .lab = o.lab};
    for (unsigned s = 0; s < 3; s++) {
        unsigned count;
        uint32_t met = 0, widest = 0;
        struct grade_case *c = case_list(&j, sets[s], &count);
        for (unsigned k = 0; k < count; k++) {
            if (c[k].n > 33 && !case_is_large(&c[k])) met |= 1u << c[k].n % 32;
            if (!case_is_large(&c[k]) && c[k].grid > widest) widest = c[k].grid;
        }
        ck_assert_uint_eq(met, UINT32_MAX);
        if (sets[s] != CASES_ONE_BLOCK) ck_assert_uint_gt(widest, 48);
        free(c);
    }
}
END_TEST

/* ---- lists of cases ------------------------------------------------------------------------- */
static bool same_case(const struct grade_case *a, const struct grade_case *b) {
    return a->kernel == b->kernel && variant_index(a->variant) == variant_index(b->variant) && a->n == b->n &&
           a->block == b->block && a->spare == b->spare && a->data == b->data;
}
START_TEST(cases_are_reproducible) {
    static const uint32_t wanted[] = {0, 1, 2, 3, 31, 32, 33};
    const struct judge_options o = options("lab3", (uint64_t)_i * 12345);
    struct judge j = {.options = &o, .lab = o.lab};
    for (enum case_set set = CASES_ONE_BLOCK; set <= CASES_MEASURED; set++) {
        unsigned count, again;
        struct grade_case *a = case_list(&j, set, &count), *b = case_list(&j, set, &again);
        ck_assert(count > 50 && count < 1500 && count == again);
        uint32_t variants = 0;
        for (unsigned k = 0; k < count; k++) {
            bool right = same_case(&a[k], &b[k]) && a[k].block >= 32 && a[k].block <= 1024 &&
                         !(a[k].block & (a[k].block - 1)) &&
                         (set != CASES_ONE_BLOCK || a[k].n <= 2 * a[k].block || a[k].data == DATA_TURNS);
            for (unsigned n = 0; n < k; n++) right &= !same_case(&a[k], &a[n]);
            if (!right) ck_abort_msg("set %d, case %u: n=%u, block=%u", (int)set, k, a[k].n, a[k].block);
            variants |= 1u << variant_index(a[k].variant);
        }
        if (set != CASES_ROUNDED) ck_assert_uint_eq(variants, o.lab->variants);
        for (unsigned w = 0; set == CASES_ONE_BLOCK && w < sizeof wanted / sizeof *wanted; w++) {
            bool found = false;
            for (unsigned k = 0; k < count; k++) found |= a[k].n == wanted[w] && !variant_index(a[k].variant);
            ck_assert_msg(found, "no case of %u elements", wanted[w]);
        }
        free(a);
        free(b);
    }
}
END_TEST
/* The cases for a kernel, a variant and a set do not depend on other kernels, variants or sets of the lab. */
START_TEST(cases_are_independent_of_other_kernels) {
    const struct judge_options o = options("lab4", (uint64_t)_i * 12345);
    struct lab few = *o.lab;
    few.kernels = &o.lab->kernels[1], few.kernel_count = 1, few.variants &= 0x3ff;
    struct judge all = {.options = &o, .lab = o.lab}, one = {.options = &o, .lab = &few};
    for (enum case_set set = CASES_ONE_BLOCK; set <= CASES_ANY_N; set++) {
        unsigned count, of_all, k = 0;
        struct grade_case *few_cases = case_list(&one, set, &count), *all_cases = case_list(&all, set, &of_all);
        for (unsigned n = 0; n < of_all; n++)
            if (all_cases[n].kernel == few.kernels && few.variants >> variant_index(all_cases[n].variant) & 1) {
                ck_assert(k < count && same_case(&all_cases[n], &few_cases[k]));
                k++;
            }
        ck_assert_uint_eq(k, count);
        free(few_cases);
        free(all_cases);
    }
}
END_TEST
/* Every variant gets a case with an empty input. */
START_TEST(every_variant_gets_an_empty_input) {
    const struct judge_options o = options("lab3", (uint64_t)_i);
    struct judge j = {.options = &o, .lab = o.lab};
    unsigned count;
    uint32_t met = 0;
    struct grade_case *c = case_list(&j, CASES_ONE_BLOCK, &count);
    for (unsigned k = 0; k < count; k++)
        if (!c[k].n) met |= 1u << variant_index(c[k].variant);
    ck_assert_uint_eq(met, o.lab->variants);
    free(c);
}
END_TEST
START_TEST(cases_can_be_selected) {
    struct judge_options o = options("lab3", 7);
    struct judge j = {.options = &o, .lab = o.lab};
    unsigned count;
    o.only_block = 64, o.only_size = 777;
    struct grade_case *c = case_list(&j, CASES_MANY_BLOCKS, &count);
    ck_assert(count == 1 && c[0].n == 777 && c[0].block == 64);
    free(c);
    o = options("lab3", 7), o.only_case = "reduce/sum_f32/n=100/block=32/rounded";
    c = case_list(&j, CASES_ROUNDED, &count);
    ck_assert(count == 1 && c[0].n == 100 && c[0].seed == 7);
    free(c);
    free(case_list(&j, CASES_ONE_BLOCK, &count));
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* ---- operators and data --------------------------------------------------------------------- */
START_TEST(identity_is_neutral) {
    const struct variant v = variant_at((unsigned)_i);
    const union value samples[] = {
        {.word = {0}}, {.word = {5, 0, 7}}, {.bits = variant_is_float(v) ? 0x3ff0000000000000 : UINT64_MAX}};
    for (unsigned k = 0; k < 3; k++) {
        ck_assert(reference_equal(v, reference_combine(v, samples[k], reference_identity(v)), samples[k]));
        ck_assert(reference_equal(v, reference_combine(v, reference_identity(v), samples[k]), samples[k]));
    }
    struct variant found;
    ck_assert_str_ne(variant_words(v), "your operator");
    ck_assert(variant_find(variant_name(v), strlen(variant_name(v)), &found) && variant_index(found) == (unsigned)_i);
    ck_assert(reference_equal(v, reference_reduce(v, NULL, 0), reference_identity(v)));
}
END_TEST
static union value tree(struct variant v, const void *data, uint32_t from, uint32_t to) {
    if (to == from) return reference_identity(v);
    if (to - from == 1) return reference_load(v, data, from);
    return reference_combine(v, tree(v, data, from, from + (to - from) / 2), tree(v, data, from + (to - from) / 2, to));
}
/* A sum from left to right, a sum from right to left, and a tree must give the same result in the kernel's type.
 * Otherwise, an exact comparison would reject a correct order. */
static void expect_exact(struct variant v, const void *data, uint32_t n, uint64_t seed) {
    union value forward = reference_identity(v), backward = forward;
    for (uint32_t k = 0; k < n; k++) {
        forward = reference_combine(v, forward, reference_load(v, data, k));
        backward = reference_combine(v, reference_load(v, data, n - 1 - k), backward);
    }
    const union value expected = reference_reduce(v, data, n);
    if (!reference_equal(v, forward, expected) || !reference_equal(v, backward, expected) ||
        !reference_equal(v, tree(v, data, 0, n), expected) ||
        (v.op == REDUCE_OP_PRODUCT && reference_double(v, expected) == 0))
        ck_abort_msg("%s, %u elements, seed %llu", variant_name(v), n, (unsigned long long)seed);
}
START_TEST(exact_data_sum_exactly_in_any_order) {
    static const uint32_t sizes[] = {1, 7, 61, 2048, 10007, 100000};
    const unsigned seeds = effort(20, 2);
    const struct variant v = variant_at((unsigned)_i);
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint64_t seed = 0; seed < (sizes[k] < 10000 ? seeds : seeds / 10 + 1); seed++) {
            const struct grade_case c = {.variant = v, .n = sizes[k], .block = 64, .seed = seed};
            void *data = calloc(c.n, variant_size(v));
            case_data(&c, data);
            expect_exact(v, data, c.n, seed);
            free(data);
        }
}
END_TEST
/* Elements for kernels with halves include subnormals and values above 2048. All are finite, and halves represent
 * them exactly. */
START_TEST(half_data_survive_conversion) {
    static const struct lab_kernel kernel = {.name = "k", .halves = true, .grid_stride = true, .finish = FINISH_ITSELF};
    static const uint32_t sizes[] = {1, 7, 61, 300, 2048, 10007, 70001};
    const struct variant v = {REDUCE_OP_SUM, REDUCE_TYPE_F32, 0};
    unsigned subnormal = 0, large = 0, rounded = 0;
    for (uint64_t seed = 0; seed < effort(21, 7); seed++) { /* 21 seeds cover all sizes with all kinds of data */
        struct grade_case c = {
            .kernel = &kernel, .variant = v, .n = sizes[seed % 7], .block = 64, .grid = 2, .seed = seed};
        c.data = seed % 3 ? DATA_EXACT : DATA_ROUNDED;
        float *data = calloc(c.n, sizeof *data);
        for (unsigned set = 0; set < 2; set++) {
            if (!set) case_data(&c, data);
            if (set) case_redraw(&c, set, data);
            for (uint32_t k = 0; k < c.n; k++) {
                const uint16_t half = narrowed_f16((double)data[k]);
                ck_assert(isfinite(data[k]) && (float)widened_f16(half) == data[k]);
                subnormal += half & 0x3ff && !(half & 0x7c00), large += fabsf(data[k]) > 2048;
                rounded += c.data == DATA_ROUNDED && floorf(data[k]) != data[k];
            }
            if (c.data == DATA_EXACT) expect_exact(v, data, c.n, seed);
        }
        free(data);
    }
    ck_assert_msg(subnormal > 100 && large > 100 && rounded > 100, "%u %u %u", subnormal, large, rounded);
    float given[] = {1.0001f, 1e-9f}; /* elements that the user gives are rounded to halves */
    case_data(&(struct grade_case){.kernel = &kernel, .variant = v, .n = 2, .block = 64, .values = given}, given);
    ck_assert(given[0] == 1 && given[1] == 0);
}
END_TEST
/* Consecutive runs often have the same sizes. More than two thirds of these runs have a result that differs from that
 * of the run before, in many cases because of a single element at a random position. A kernel therefore cannot decide
 * from the sizes, or from a fixed set of elements, to return a cached result. */
START_TEST(cached_results_are_wrong) {
    enum { N = 97, RUNS = 24 };
    static const struct lab_kernel kernel = {.name = "k", .grid_stride = true, .finish = FINISH_ITSELF};
    const struct variant v = variant_at((unsigned)_i);
    const size_t size = variant_size(v);
    unsigned alike = 0, changed = 0, by_one = 0, ends_stay = 0;
    char before[N * 16], now[N * 16], drawn[N * 16];
    if (_i % (int)effort(1, 5)) return;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct grade_case c = {
            .kernel = &kernel, .variant = v, .n = N, .block = 64, .seed = seed, .grid = 5, .launches = RUNS};
        ck_assert_uint_eq(case_sets(&c, RUNS), RUNS);
        case_data(&c, before);
        for (unsigned k = 1; k < RUNS; k++, memcpy(before, now, sizeof before)) {
            const struct grade_case x = case_launch(&c, k - 1), y = case_launch(&c, k);
            case_renew(&c, k, before, now);
            expect_exact(v, now, N, seed);
            case_set(&c, k, drawn);
            ck_assert_mem_eq(drawn, now, N * size);
            ck_assert_uint_le(y.n, c.n);
            if (x.n != y.n || x.grid != y.grid || x.block != y.block || !y.n) continue;
            unsigned apart = 0;
            for (uint32_t e = 0; e < y.n; e++) apart += memcmp(before + e * size, now + e * size, size) != 0;
            const bool other = !reference_equal(v, reference_reduce(v, before, y.n), reference_reduce(v, now, y.n));
            alike++, changed += other, by_one += other && apart == 1;
            ends_stay +=
                other && !memcmp(before, now, size) && !memcmp(before + (y.n - 1) * size, now + (y.n - 1) * size, size);
        }
        c.same_data = true;
        case_set(&c, 7, now), case_data(&c, before);
        ck_assert_mem_eq(before, now, N * size);
    }
    ck_assert_msg(alike > 100 && changed > alike * 2 / 3 && by_one > alike / 4 && ends_stay > alike / 4,
                  "%s: of %u pairs of runs, %u differ in their results, %u in one element, %u not at the ends",
                  variant_name(v), alike, changed, by_one, ends_stay);
}
END_TEST
/* If the user gives the elements, only one of them changes between runs. If no change can affect the result, as for
 * a sum of zeros, none changes. */
START_TEST(one_given_value_changes_between_runs) {
    static const struct lab_kernel kernel = {.name = "k", .finish = FINISH_ITSELF};
    const int32_t values[] = {1, 2, 3}, zeros[3] = {0};
    int32_t now[3];
    struct grade_case c = {.kernel = &kernel, .n = 3, .block = 64, .values = values};
    for (unsigned k = 1; k < 3; k++) {
        case_renew(&c, k, values, now);
        unsigned apart = 0;
        for (unsigned e = 0; e < case_launch(&c, k).n; e++) apart += now[e] == -values[e];
        ck_assert_uint_eq(apart, case_launch(&c, k).n > 0);
        c.values = zeros, case_renew(&c, k, zeros, now), c.values = values;
        ck_assert_mem_eq(now, zeros, sizeof now);
    }
}
END_TEST

/* ---- tolerance ------------------------------------------------------------------------------ */
START_TEST(bound_is_highams) {
    const struct variant f32 = {REDUCE_OP_SUM, REDUCE_TYPE_F32}, f64 = {REDUCE_OP_SUM, REDUCE_TYPE_F64},
                         i32 = {REDUCE_OP_SUM, REDUCE_TYPE_I32}, max = {REDUCE_OP_MAX, REDUCE_TYPE_F32};
    const float x[] = {1, -2, 3};
    const double y[] = {1, -2, 3};
    ck_assert_double_eq_tol(tolerance_bound(f32, x, 3, 10), 6 * 10 * 0x1p-24, 1e-11);
    ck_assert_double_eq_tol(tolerance_bound(f64, y, 3, 10), 6 * 10 * 0x1p-53, 1e-27);
    ck_assert(tolerance_bound(i32, x, 3, 10) == 0 && tolerance_bound(max, x, 3, 10) == 0);
    ck_assert(tolerance_bound(f32, x, 0, 10) == 0);
}
END_TEST
/* A tree stays within the error bound for its depth. At least one element in 100 is larger than twice the bound. If
 * a tree loses such an element (every 50th is tested), the result is outside the bound. */
START_TEST(bound_holds_trees_and_catches_losses) {
    const struct variant v = {REDUCE_OP_SUM, _i & 1 ? REDUCE_TYPE_F64 : REDUCE_TYPE_F32};
    const struct grade_case c = {
        .variant = v, .n = 5000 + (uint32_t)_i, .block = 128, .data = DATA_ROUNDED, .seed = (uint64_t)_i};
    void *data = calloc(c.n, variant_size(v));
    case_data(&c, data);
    const double bound = tolerance_bound(v, data, c.n, 34), exact = reference_double(v, reference_reduce(v, data, c.n));
    ck_assert(fabs(reference_double(v, tree(v, data, 0, c.n)) - exact) <= bound);
    ck_assert(v.type == REDUCE_TYPE_F32 || bound < 1e-6);
    ck_assert(bound > 0 && bound < 3);
    unsigned large = 0;
    for (uint32_t k = 0; k < c.n; k++) {
        const union value lost = reference_load(v, data, k);
        if (fabs(reference_double(v, lost)) <= 2 * bound || large++ % 50) continue;
        reference_store(v, data, k, reference_identity(v));
        ck_assert(fabs(reference_double(v, tree(v, data, 0, c.n)) - exact) > bound);
        reference_store(v, data, k, lost);
    }
    ck_assert_uint_ge(large, c.n / 100);
    free(data);
}
END_TEST
static double sum_by(const struct variant v, const void *data, uint32_t n, uint32_t threads, bool narrow) {
    double total = 0;
    for (uint32_t t = 0; t < threads; t++) {
        double sum = 0;
        for (uint32_t k = t; k < n; k += threads) {
            sum += reference_double(v, reference_load(v, data, k));
            if (v.type == REDUCE_TYPE_F32 || narrow) sum = (double)(float)sum;
        }
        total += sum;
    }
    return total;
}
/* In at least a quarter of the cases, the error of a single thread's sum exceeds the bound. The error of a sum of
 * doubles computed in float always exceeds it. The error of 64 threads' sums is at most half the bound. */
START_TEST(a_serial_sum_exceeds_the_bound) {
    const struct variant v = {REDUCE_OP_SUM, _i & 1 ? REDUCE_TYPE_F64 : REDUCE_TYPE_F32};
    unsigned serial = 0, narrow = 0;
    enum { N = 4321, SEEDS = 20, DEPTH = 100 };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct grade_case c = {.variant = v, .n = N, .block = 64, .data = DATA_ROUNDED, .seed = seed};
        double data[N];
        case_data(&c, data);
        const double bound = tolerance_bound(v, data, N, DEPTH),
                     exact = reference_double(v, reference_reduce(v, data, N));
        serial += fabs(sum_by(v, data, N, 1, false) - exact) > bound;
        narrow += fabs(sum_by(v, data, N, 64, true) - exact) > bound;
        ck_assert(fabs(sum_by(v, data, N, 64, false) - exact) <= bound / 2);
    }
    ck_assert_uint_ge(serial, SEEDS / 4);
    ck_assert_uint_eq(narrow, _i & 1 ? SEEDS : 0);
}
END_TEST
/* A kernel with two inputs gets pairs of factors whose products are the elements. In more than a third of the pairs,
 * the first factor differs from the element. For a minimum or maximum, up to two of nine data sets may violate this. */
START_TEST(factors_multiply_to_the_element) {
    const struct variant v = variant_at((unsigned)_i % SCALAR_VARIANTS);
    const enum data_kind kinds[] = {DATA_EXACT, DATA_ROUNDED, DATA_SMALL};
    unsigned alike = 0;
    for (unsigned k = 0; k < 9; k++) {
        if (kinds[k % 3] == DATA_ROUNDED && !variant_is_float(v)) continue;
        const struct grade_case c = {.variant = v, .n = 300, .block = 64, .data = kinds[k % 3], .seed = k};
        uint64_t data[300], first[300], second[300];
        unsigned same = 0;
        case_data(&c, data);
        case_factors(&c, c.n, data, first, second);
        for (uint32_t n = 0; n < c.n; n++) {
            const union value x = reference_load(v, first, n), y = reference_load(v, second, n),
                              wanted = reference_load(v, data, n),
                              product = reference_combine((struct variant){REDUCE_OP_PRODUCT, v.type}, x, y);
            if (!reference_equal(v, product, wanted)) ck_abort_msg("%s, element %u", variant_name(v), n);
            same += reference_equal(v, x, wanted);
        }
        alike += same >= 200;
    }
    ck_assert_uint_le(alike, v.op >= REDUCE_OP_MIN ? 2 : 0);
}
END_TEST

/* ---- large cases ---------------------------------------------------------------------------- */
/* Few launches have both large blocks and many blocks, because such launches take most of a grade's time. */
START_TEST(few_launches_have_many_large_blocks) {
    enum { LARGE_BLOCK = 256, MANY_THREADS = 1 << 12, SEEDS = 10 };
    unsigned large = 0, many = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct judge_options o = options("lab7", seed);
        struct judge j = {.options = &o, .lab = o.lab};
        unsigned count;
        struct grade_case *c = case_list(&j, CASES_MANY_BLOCKS, &count);
        for (unsigned k = 0; k < count; k++) {
            if (c[k].block < LARGE_BLOCK || case_is_large(&c[k])) continue;
            large++, many += c[k].block * c[k].grid > MANY_THREADS;
        }
        free(c);
    }
    ck_assert_msg(many > 0 && many < large / 8, "%u of %u", many, large);
}
END_TEST
/* Each kernel that supports large inputs gets 2^31 elements, a number close to it, and smaller numbers of several
 * magnitudes. A grid-stride kernel gets 2^31 elements again, with many threads. If consecutive rows of a lab have the
 * same kernel, only the first row gets these cases. A single warp gets a long sum of i64. */
START_TEST(large_cases_exist) {
    const struct judge_options o = options(lab_rows[_i]->id, 5);
    struct judge j = {.options = &o, .lab = o.lab};
    for (unsigned k = 0; k < o.lab->kernel_count; k++) {
        const struct lab_kernel *kernel = &o.lab->kernels[k];
        unsigned count, whole = 0, near = 0, magnitudes = 0, sums = 0;
        struct grade_case *c = case_list(&j, CASES_ANY_N, &count);
        for (unsigned n = 0; n < count; n++) {
            if (c[n].kernel == kernel && c[n].n) magnitudes |= 1u << (31 - __builtin_clz(c[n].n));
            sums += c[n].kernel == kernel && c[n].variant.op == REDUCE_OP_SUM && c[n].variant.type == REDUCE_TYPE_I64 &&
                    c[n].block == 32 && c[n].grid == kernel->grid_stride && c[n].n > 5 << 20;
            if (c[n].kernel != kernel || !case_is_sampled(&c[n])) continue;
            whole += c[n].n == CASE_MAX_N, near += c[n].n < CASE_MAX_N && c[n].n > CASE_MAX_N - (1 << 24);
            char name[160];
            struct grade_case same;
            ck_assert(case_parse(o.lab, case_name(&c[n], name, sizeof name), &same) && same.n == c[n].n);
        }
        const bool same = k && kernel->finish == FINISH_HOST && !strcmp(kernel[-1].name, kernel->name),
                   large = !kernel->helper && kernel->finish != FINISH_ARRAYS && !same,
                   promised = large && !kernel->one_block, drawn = large && !kernel->serial && !kernel->shares;
        const unsigned wanted = drawn * (0x17c000 | promised * 0x9e000000) & (2 * (case_max_n(kernel) - 1) + 1);
        const unsigned huge = promised * (kernel->grid_stride ? 2u : 1u);
        const bool sum = drawn && (kernel->one_block || kernel->grid_stride) && !kernel->in_place &&
                         kernel->finish != FINISH_LEVELS && o.lab->variants >> 2 & 1;
        if (sum) ck_assert_uint_ge(sums, 1);
        if (whole != huge || near < promised || (magnitudes & wanted) != wanted)
            ck_abort_msg("%s: %u, %u, magnitudes %x", kernel->name, whole, near, magnitudes);
        free(c);
    }
}
END_TEST
/* Reducing periodic data period by period must give the same result as reducing all elements. The sampled blocks are
 * in ascending order. They include the first block, the last block and, if the operator selects the last element,
 * the block with this element. Data for products of floats are periodic only beyond 2^23 elements, because their
 * magnitudes grow with each period. */
START_TEST(periodic_data_reduce_like_their_elements) {
    const struct variant v = variant_at((unsigned)_i);
    const struct lab_kernel kernel = {.name = "k", .grid_stride = true};
    struct grade_case c = {.kernel = &kernel, .variant = v, .n = 1 << 18, .block = 32, .grid = 7};
    ck_assert(!case_repeats(&c));
    c.n += 777;
    if (variant_is_float(v) && v.op == REDUCE_OP_PRODUCT) {
        ck_assert(!case_repeats(&c));
        c.n = (1 << 23) + 1;
        ck_assert(case_repeats(&c));
        return;
    }
    const size_t size = variant_size(v);
    char *given = calloc(case_given(&c), size), *all = calloc(c.n, size);
    uint32_t blocks[CASE_SAMPLE];
    ck_assert(case_repeats(&c) && case_given(&c) == case_period(&c) + c.n % case_period(&c));
    case_draw(&c, given, case_given(&c));
    const uint32_t body = c.n - c.n % case_period(&c), late = body + 1;
    for (uint32_t k = 0; k < body; k += case_period(&c)) memcpy(all + k * size, given, case_period(&c) * size);
    memcpy(all + body * size, given + case_period(&c) * size, (c.n - body) * size);
    const uint32_t ranges[][2] = {{65520, late}, {0, 0}, {5, 70000}, {65521, 65521 * 3}, {body - 3, c.n}};
    union value most;
    for (unsigned k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const union value x = case_range(&c, given, ranges[k][0], ranges[k][1]),
                          y = reference_reduce(v, all + ranges[k][0] * size, ranges[k][1] - ranges[k][0]);
        ck_assert_msg(reference_equal(v, x, y), "%s, range %u", variant_name(v), k);
        if (!k) most = x;
    }
    const union value before = reference_reduce(v, all, ranges[0][0]),
                      behind = reference_reduce(v, all + late * size, c.n - late),
                      sum = reference_combine(v, reference_combine(v, before, most), behind);
    ck_assert_msg(reference_equal(v, case_range(&c, given, 0, c.n), sum), "%s, all", variant_name(v));
    const unsigned sample = case_sample(&c, blocks);
    bool owner = v.op != REDUCE_OP_MIN && v.op != REDUCE_OP_ARGMAX;
    for (unsigned k = 0; k < sample; k++) owner |= blocks[k] == (c.n - 1) / c.block % c.grid;
    ck_assert(sample >= 2 && blocks[0] == 0 && blocks[sample - 1] == 6 && owner);
    free(given);
    free(all);
}
END_TEST
/* The test combines the results of the first and the last of 700 blocks. The value must match one of the allowed
 * ways to divide the elements among blocks. A value that is off by 1 must match none. */
START_TEST(shares_fit) {
    static const struct {
        uint64_t unit;
        bool from_end;
    } ways[] = {{32, false}, {32, true}, {128, false}, {256 * 32, false}, {3067834, false}, {4 * 766959, true}};
    const struct lab_kernel kernel = {.name = "k", .grid_stride = true};
    const struct variant v = variant_at(0);
    const struct grade_case c = {.kernel = &kernel, .variant = v, .n = CASE_MAX_N - 100, .block = 32, .grid = 700};
    void *data = calloc(case_given(&c), variant_size(v));
    uint64_t place;
    case_draw(&c, data, case_given(&c));
    union value x = reference_identity(v), expected;
    for (unsigned b = 0; b < 700; b += 699)
        for (uint64_t from = b * ways[_i].unit; from < c.n; from += 700 * ways[_i].unit) {
            const uint64_t to = from + ways[_i].unit < c.n ? from + ways[_i].unit : c.n;
            x = reference_combine(
                v, x, ways[_i].from_end ? case_range(&c, data, c.n - to, c.n - from) : case_range(&c, data, from, to));
        }
    ck_assert(case_sample_fits(&c, data, 0, x, &expected, &place) && reference_equal(v, x, expected));
    x.u32++;
    ck_assert(!case_sample_fits(&c, data, 0, x, &expected, &place) && case_may_share_otherwise(&c));
    free(data);
}
END_TEST
/* A block that reduces a segment may take its own chunk of the input. If the kernel allows it, the block may instead
 * take the chunk at the same distance from the end. */
START_TEST(blocks_may_reduce_mirrored_chunks) {
    const struct variant v = variant_at(0);
    struct lab_kernel kernel = {.name = "k", .elements = 2, .shares = true};
    const struct grade_case c = {.kernel = &kernel, .variant = v, .n = CASE_MAX_N - 100, .block = 32};
    const uint32_t grid = case_blocks(&c, c.n, 0), length = c.n / grid, longer = c.n % grid;
    void *data = calloc(case_given(&c), variant_size(v));
    uint32_t blocks[CASE_SAMPLE];
    uint64_t place;
    union value expected;
    case_draw(&c, data, case_given(&c));
    const unsigned count = case_sample(&c, blocks);
    for (unsigned k = 0; k < 2 * count; k += effort(1, 9)) { /* an odd step takes blocks and their mirror images */
        const uint64_t own = blocks[k / 2], b = k % 2 ? grid - 1 - own : own, to = b + 1;
        const union value x = case_range(&c, data, b * length + (b < longer ? b : longer),
                                         to * length + (to < longer ? to : longer)),
                          other = {.u32 = x.u32 + 1};
        kernel.shares = true;
        ck_assert(case_sample_fits(&c, data, k / 2, x, &expected, &place) && place == own);
        ck_assert(!case_sample_fits(&c, data, k / 2, other, &expected, &place) && case_may_share_otherwise(&c));
        union value single = reference_identity(v);
        for (uint64_t at = b; at < c.n; at += grid) single.u32 += case_range(&c, data, at, at + 1).u32;
        ck_assert(case_sample_fits(&c, data, k / 2, single, &expected, &place));
        kernel.shares = false;
        ck_assert(!case_may_share_otherwise(&c) && case_sample_fits(&c, data, k / 2, expected, &expected, &place));
        ck_assert(!case_sample_fits(&c, data, k / 2, other, &expected, &place));
    }
    free(data);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cases");
    TCase *tcase = tcase_create("cases");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, grids_vary, 0, 6);
    add_rows(tcase, long_launches_do_not_overflow, OBSERVED_SETS, effort(1, 4));
    tcase_add_loop_test(tcase, sizes_have_every_remainder, 0, 6);
    tcase_add_loop_test(tcase, cases_are_reproducible, 0, 3);
    tcase_add_loop_test(tcase, cases_are_independent_of_other_kernels, 0, 5);
    tcase_add_loop_test(tcase, every_variant_gets_an_empty_input, 0, 5);
    tcase_add_test(tcase, cases_can_be_selected);
    add_rows(tcase, identity_is_neutral, OWN_VARIANT, effort(1, 4));
    add_rows(tcase, exact_data_sum_exactly_in_any_order, OWN_VARIANT, effort(1, 4));
    tcase_add_test(tcase, half_data_survive_conversion);
    add_rows(tcase, cached_results_are_wrong, OWN_VARIANT, effort(1, 4));
    tcase_add_test(tcase, one_given_value_changes_between_runs);
    tcase_add_test(tcase, bound_is_highams);
    tcase_add_loop_test(tcase, bound_holds_trees_and_catches_losses, 0, 10);
    tcase_add_loop_test(tcase, a_serial_sum_exceeds_the_bound, 0, 2);
    tcase_add_loop_test(tcase, factors_multiply_to_the_element, 0, SCALAR_VARIANTS);
    tcase_add_test(tcase, few_launches_have_many_large_blocks);
    add_rows(tcase, large_cases_exist, lab_row_count, effort(1, 4));
    add_rows(tcase, periodic_data_reduce_like_their_elements, OWN_VARIANT, effort(1, 4));
    tcase_add_loop_test(tcase, shares_fit, 0, (int)effort(6, 1));
    tcase_add_test(tcase, blocks_may_reduce_mirrored_chunks);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
