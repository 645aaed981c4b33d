/* Tests whether the result depends on matrix products, or on shuffles. The submission runs on a simulator whose tensor
 * cores omit terms of products, or whose shuffles return each lane's own value. Then the totals are compared. */
#include "base/hash.h"
#include "base/random.h"
#include "judge/observed.h"
#include "probes/measured.h"
#include <stdlib.h>

/* Draws elements so that products leave out about half of them or more (SIM_PRODUCTS_MOST). Sums of elements are seldom
 * left out. Elements have eight significant bits, so that formats narrower than a half hold them, too. Returns the sum
 * of all elements and sets *kept to the sum of those that are not left out. */
enum { LEAST_TERM = 128, MAX_TERM = 255 };
static double draw_terms(uint64_t seed, float *element, uint32_t n, double *kept) {
    double all = 0;
    *kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        unsigned x = LEAST_TERM + random_below(&seed, MAX_TERM - LEAST_TERM + 1);
        if (random_below(&seed, 2))
            while (!sim_leaves_out(x)) x = x == MAX_TERM ? LEAST_TERM : x + 1;
        element[k] = (float)x, all += x, *kept += sim_leaves_out(x) ? 0 : x;
    }
    return all;
}
/* Computes the total while tensor cores omit terms of products. */
static bool total_with(const struct judge *j, const struct grade_case *launch, const float *elements,
                       enum sim_products products, double *total) {
    struct grade_case c = *launch;
    struct outcome o;
    c.values = elements, c.products = products, c.launches = 1;
    case_run(j, &j->student, &c, 0, &o);
    *total = reference_double(c.variant, o.got);
    const bool ran = (o.kind == OUTCOME_RIGHT || o.kind == OUTCOME_WRONG) && !o.unwritten;
    outcome_free(&o);
    return ran;
}
static bool is_right(const struct judge *j, const struct grade_case *launch, const float *elements) {
    struct grade_case c = *launch;
    struct outcome o;
    c.values = elements, c.launches = 1;
    case_run(j, &j->student, &c, 0, &o);
    const bool right = o.kind == OUTCOME_RIGHT;
    outcome_free(&o);
    return right;
}
/* Returns whether the matrix products of a launch add its elements. There are two runs. Without products, the total
 * must be small: it contains only elements that the kernel adds in a different way. When products leave out half of the
 * elements, the total must lack them; if the kernel multiplies sums of elements, the total lacks few of them. */
static bool products_add_in(const struct judge *j, const struct grade_case *launch, float *elements, const char *place,
                            json_t *result) {
    const double rest = (double)MAX_TERM * TENSOR_REST;

    double none, most, kept, all = draw_terms(launch->seed, elements, launch->n, &kept);
    if (!total_with(j, launch, elements, SIM_PRODUCTS_NONE, &none)) return true;
    /* a kernel may split the row sums into positive and negative parts for a second product, which leaves out some of
     * these parts */
    const bool elsewhere = !(none < rest), sums = !elsewhere &&
                                                  total_with(j, launch, elements, SIM_PRODUCTS_MOST, &most) &&
                                                  !(most < kept + rest + all / 64);
    if (!elsewhere && !sums) return true;
    if (!is_right(j, launch, elements)) return result_fail(result, "not compared: the result is wrong%s", place), false;
    if (elsewhere)
        result_fail(
            result,
            "%.0f%% of the total does not come from matrix products: in this lab, tensor cores add the elements%s",
            100 * none / all, place);
    else
        result_fail(result,
                    "the matrix products multiply sums, not elements: in this lab, tensor cores add the elements%s",
                    place);
    result_evades(result, 1);
    return false;
}
/* Returns whether the matrix products of a launch add, rather than copy elements that other instructions then add. The
 * first products of a kernel may have nothing to add to, so the launch must have many rounds. */
static bool products_add_up(const struct judge *j, const struct grade_case *launch, float *elements, const char *place,
                            json_t *result) {
    enum { FIRST_ROUNDS = 4 /* at most one element in FIRST_ROUNDS is in a warp's first products */ };
    double adding, kept, all = draw_terms(launch->seed, elements, launch->n, &kept);
    if (!total_with(j, launch, elements, SIM_PRODUCTS_ADDING, &adding)) return true;
    if (adding >= all - all / FIRST_ROUNDS - (double)MAX_TERM * TENSOR_REST) return true;
    if (!is_right(j, launch, elements)) return result_fail(result, "not compared: the result is wrong%s", place), false;
    result_fail(result,
                "%.0f%% of the total comes from matrix products that only copy elements, or add at most three "
                "elements: in this lab, tensor cores add the elements%s",
                100 * (all - adding) / all, place);
    result_evades(result, 1);
    return false;
}
/* Makes a launch of few threads with 8 to 127 rounds of 16-byte vectors, and an incomplete round. A kernel may treat
 * many rounds, or the last round, as a special case. */
enum { LONG_LAUNCHES = 4 };
static struct grade_case long_launch(const struct observed *o, unsigned k) {
    enum { WIDTH = 8, LEAST_ROUNDS = 8 };
    struct grade_case c = o->launch[0];
    uint64_t random = c.seed ^ hash_text(HASH_START, "long") ^ k;
    c.block = 64u << random_below(&random, 2), c.grid = 1 + random_below(&random, 2);
    const uint32_t threads = c.block * c.grid, least = LEAST_ROUNDS << k, rounds = least + random_below(&random, least),
                   last = threads / 2 + 1 + random_below(&random, threads / 2 - 1); /* more than TENSOR_REST elements */
    c.n = WIDTH * (rounds * threads + last) + random_below(&random, WIDTH);
    return c;
}
bool observed_products_add(const struct judge *j, const struct observed *o, json_t *result) {
    char name[160], place[200];
    bool add = true;
    for (unsigned n = 0; add && n < o->count + LONG_LAUNCHES; n++) {
        const bool is_long = n >= o->count;
        if (!is_long && (n >= o->recorded || o->student[n].kind != OUTCOME_RIGHT)) continue;
        const struct grade_case c = is_long ? long_launch(o, n - o->count) : o->launch[n];
        if (is_long)
            snprintf(place, sizeof place, " (%s)", case_name(&c, name, sizeof name));
        else
            observed_where(o, n, place, sizeof place);
        float *elements = calloc(c.n + 1, sizeof *elements);
        if (elements) add = products_add_in(j, &c, elements, place, result);
        if (elements && add && n + 1 == o->count + LONG_LAUNCHES) add = products_add_up(j, &c, elements, place, result);
        free(elements);
    }
    return add;
}

/* ---- shuffles ------------------------------------------------------------------------------- */
/* Returns whether the results are right even if shuffles exchange nothing. Small sums agree by chance, so several
 * inputs are tried. */
static bool is_right_without_shuffles(const struct judge *j, const struct grade_case *launch) {
    enum { INPUTS = 4 };
    struct grade_case c = *launch;
    bool right = true;
    c.no_exchange = true, c.launches = 1;
    for (unsigned k = 0; right && k < INPUTS; k++, c.seed++) {
        struct outcome o;
        case_run(j, &j->student, &c, 0, &o);
        right = o.kind == OUTCOME_RIGHT;
        outcome_free(&o);
    }
    return right;
}
/* Rules on shuffles. The first row with a bit of the technique applies. `wanted`: the result must need shuffles.
 * Otherwise, it must not, but up to `few` shuffles are ignored: per warp or, if `a_block`, per block for each 4 bytes
 * of a value. */
static const struct shuffling {
    unsigned bits;
    bool wanted, a_block;
    unsigned few;
    const char *text;
} shufflings[] = {
    {SHUFFLES, true, false, 0,
     "the result does not depend on the shuffles: in this lab, a warp exchanges values through registers"},
    {WARP_SYNC, false, false, 2,
     "the result depends on shuffles: in this lab, the lanes of a warp exchange values through shared memory"},
    {IN_PLACE_GLOBAL, false, false, 0,
     "the result depends on shuffles: in this lab, threads exchange values through global memory, in place"},
    {USES_SHARED, false, true, 5,
     "the result depends on the shuffles of several warps: in this lab, the tree runs in shared memory, and only its "
     "last five steps may use shuffles"},
};
bool observed_shuffles_add(const struct judge *j, unsigned technique, const struct observed *o, const char *kernel,
                           json_t *result) {
    const struct shuffling *s = shufflings, *end = s + sizeof shufflings / sizeof *shufflings;
    char place[200];
    while (s < end && !(technique & s->bits)) s++;
    for (unsigned n = 0; s < end && n < o->count && n < o->recorded; n++) {
        const struct grade_case *c = &o->launch[n];
        const struct counts *of = counts_of(&o->student[n].measurement);
        const uint64_t words = (variant_size(c->variant) + 3) / 4,
                       few = s->few * (s->a_block ? of->blocks * words : of->threads / SIM_WARP);
        if (!observed_is_full(c) || c->variant.op != REDUCE_OP_SUM) continue;
        if (!s->wanted && of->shuffles <= few) continue;
        if (is_right_without_shuffles(j, c) != s->wanted) continue;
        result_fail(result, "%s%s%s", kernel, s->text, observed_where(o, n, place, sizeof place));
        result_evades(result, 1);
        return false;
    }
    return true;
}
