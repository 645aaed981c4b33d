/* See fate.h. All experiments run the student's kernel with the case's launch configuration and seed. */
#include "judge/fate.h"
#include "base/random.h"
#include "judge/case_again.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ELEMENTS = 2048,
    MAX_WORK = 1 << 19, /* elements and threads of all runs of an experiment together */
    /* Limit on warp-instructions for all experiments together; correct kernels execute a fraction of it. */
    MAX_INSTRUCTIONS = 1 << 20,
    /* Limit on warp-instructions per launch, plus 64 for each element or, if there are more threads than elements, for
     * each thread. A longer run would reveal nothing. */
    BUDGET = 1 << 12
};

struct bench {
    const struct judge *j;
    struct grade_case c; /* the case that the experiment runs; the experiment sets its variant and values */
    unsigned launch;
    uint32_t n; /* elements of the launch */
    void *values;
    uint64_t done; /* warp-instructions executed so far */
};
/* ---- one run -------------------------------------------------------------------------------- */
/* Runs the kernel on b->values and sets *x to the result. Returns false if there is no result, if an earlier launch is
 * wrong, or if a limit is exceeded. */
static bool result_of(struct bench *b, union value *x) {
    struct outcome o;
    if (b->done > MAX_INSTRUCTIONS) return false;
    b->c.values = b->values, b->c.data = DATA_EXACT, b->c.same_data = true;
    case_run(b->j, &b->j->student, &b->c, 0, &o);
    b->done += o.effort;
    const bool wrong = o.kind == OUTCOME_WRONG && !o.unwritten && o.launch == b->launch;
    /* if a later launch is the first wrong one, this launch is right */
    const bool right = o.kind == OUTCOME_RIGHT || (o.kind == OUTCOME_WRONG && b->launch && o.launch > b->launch);
    if (right) *x = reference_reduce(b->c.variant, b->values, b->n);
    if (wrong) *x = o.got;
    outcome_free(&o);
    return wrong || right;
}
static void set(struct bench *b, uint32_t k, union value x) { reference_store(b->c.variant, b->values, k, x); }
static void set_all(struct bench *b, union value x) {
    for (uint32_t k = 0; k < b->c.n; k++) set(b, k, x);
}
static bool is_affordable(const struct bench *b, uint64_t runs) {
    const uint64_t threads = (uint64_t)b->c.block * case_blocks(&b->c, b->c.n, 0);
    return b->n <= MAX_ELEMENTS && runs * (b->n + threads) <= MAX_WORK;
}
static bool takes(struct bench *b, struct variant v) {
    b->c.variant = v;
    return case_kernel_takes(b->j->lab, b->c.kernel, v) &&
           program_symbol(b->j, &b->j->student, b->c.kernel->name, v) != NULL;
}

/* ---- sums: digits --------------------------------------------------------------------------- */
/* To count how often a kernel adds each element, the elements are set to successive powers of a base. Each digit of the
 * result, in that base, is then the number of times that one element was added, which is negative if the element was
 * subtracted. `count`: digits per number; `bits`: bits per digit. */
static const struct digits {
    enum reduce_type type;
    unsigned count, bits;
} number_systems[] = {{REDUCE_TYPE_I64, 8, 8},
                      {REDUCE_TYPE_F64, 6, 8},
                      {REDUCE_TYPE_I32, 4, 8},
                      {REDUCE_TYPE_U32, 4, 8},
                      {REDUCE_TYPE_F32, 3, 7}};

static union value number(struct variant v, int64_t x) {
    if (v.type == REDUCE_TYPE_F32) return (union value){.f32 = (float)x};
    if (v.type == REDUCE_TYPE_F64) return (union value){.f64 = (double)x};
    return (union value){.bits = v.type == REDUCE_TYPE_I64 ? (uint64_t)x : (uint32_t)x};
}
/* Computes x - rest; integers wrap around. Returns false if the difference is a float that is not an integer below
 * 2^53. */
static bool difference(struct variant v, union value x, union value rest, int64_t *out) {
    const double d = reference_double(v, x) - reference_double(v, rest);
    if (v.type == REDUCE_TYPE_I64)
        *out = (int64_t)(x.bits - rest.bits);
    else if (!variant_is_float(v))
        *out = (int32_t)(x.u32 - rest.u32);
    else if (d == floor(d) && fabs(d) < 0x1p53)
        *out = (int64_t)d;
    else
        return false;
    return true;
}
/* Sets elements k, k + 1, ... to one digit each, runs the kernel, and reads from the result how many times each is
 * counted. A count is from -2^(bits-1) to 2^(bits-1) - 1. */
static bool read_digits(struct bench *b, const struct digits *s, uint32_t k, union value rest, int32_t *count) {
    const int64_t base = INT64_C(1) << s->bits;
    union value x;
    int64_t sum;
    set_all(b, number(b->c.variant, 0));
    for (unsigned d = 0; d < s->count && k + d < b->n; d++)
        set(b, k + d, number(b->c.variant, (int64_t)(UINT64_C(1) << (d * s->bits))));
    if (!result_of(b, &x) || !difference(b->c.variant, x, rest, &sum)) return false;
    for (unsigned d = 0; d < s->count && k + d < b->n; d++) {
        const int64_t low = ((sum % base) + base) % base, digit = low < base / 2 ? low : low - base;
        count[k + d] = (int32_t)digit, sum = (sum - digit) / base;
    }
    return true;
}
/* Returns whether the counts predict the kernel's sum of random integers. */
static bool foretells(struct bench *b, union value rest, const int32_t *count) {
    const bool wide = b->c.variant.type == REDUCE_TYPE_I64;
    uint64_t random = b->c.seed, expected = 0;
    union value x;
    int64_t sum;
    for (uint32_t k = 0; k < b->c.n; k++) {
        const uint64_t r = random_next(&random);
        const int64_t weight = variant_is_float(b->c.variant) ? (int64_t)(r % 61) : wide ? (int64_t)r : (int32_t)r;
        set(b, k, number(b->c.variant, weight));
        if (k < b->n) expected += (uint64_t)count[k] * (uint64_t)weight;
    }
    if (!result_of(b, &x) || !difference(b->c.variant, x, rest, &sum)) return false;
    return wide || variant_is_float(b->c.variant) ? (uint64_t)sum == expected : (uint32_t)sum == (uint32_t)expected;
}
static bool count_in(struct bench *b, const struct digits *s, struct fate *f) {
    union value rest;
    if (!takes(b, (struct variant){REDUCE_OP_SUM, s->type, 0}) || !is_affordable(b, b->n / s->count + 2)) return false;
    set_all(b, number(b->c.variant, 0));
    if (!result_of(b, &rest)) return false;
    for (uint32_t k = 0; k < b->n; k += s->count)
        if (!read_digits(b, s, k, rest, f->count)) return false;
    return f->counted = foretells(b, rest, f->count);
}
/* Finds how many times elements `first` to `end` - 1 are counted. One run suffices if each is counted once, or if none
 * is counted; otherwise, does the same for each half. *runs is the number of runs left. Returns false if it is
 * exceeded. */
static bool count_half(struct bench *b, uint32_t first, uint32_t end, union value rest, int32_t *count,
                       uint64_t *runs) {
    union value x;
    int64_t sum;
    if (!(*runs)--) return false;
    set_all(b, number(b->c.variant, 0));
    for (uint32_t k = first; k < end; k++) set(b, k, number(b->c.variant, 1));
    if (!result_of(b, &x) || !difference(b->c.variant, x, rest, &sum)) return false;
    const uint32_t length = end - first, middle = first + length / 2;
    if (length > 1 && sum != 0 && sum != length)
        return count_half(b, first, middle, rest, count, runs) && count_half(b, middle, end, rest, count, runs);
    for (uint32_t k = first; k < end; k++) count[k] = length > 1 ? sum != 0 : (int32_t)sum;
    return true;
}
/* Counts all elements in few runs if all but a few of them are counted once. */
static void count_in_halves(struct bench *b, struct fate *f) {
    uint64_t runs = 64;
    union value rest;
    const struct variant own = {REDUCE_OP_SUM, f->variant.type, 0};
    if (!takes(b, own) || !is_affordable(b, runs)) return;
    set_all(b, number(b->c.variant, 0));
    if (result_of(b, &rest) && count_half(b, 0, b->n, rest, f->count, &runs)) f->counted = foretells(b, rest, f->count);
}
static bool all_once(const struct fate *f) {
    bool once = true;
    for (uint32_t k = 0; k < f->n; k++) once &= f->count[k] == 1;
    return once;
}
/* Returns how far `type` is from the case's type. Experiments use the case's type if possible, because the mistake may
 * depend on the type; otherwise, one of the same size; otherwise, any other. */
static unsigned distance(struct variant v, enum reduce_type type) {
    const struct variant sum = {REDUCE_OP_SUM, type, 0}, own = {REDUCE_OP_SUM, v.type, 0};
    return type == v.type ? 0 : variant_size(sum) == variant_size(own) ? 1 : 2;
}
static void count_by_sums(struct bench *b, struct fate *f) {
    enum { MANY = 512 }; /* so many digits need too many runs */
    if (b->n > MANY) count_in_halves(b, f);
    if (f->counted) return;
    for (unsigned near = 0; near <= 2; near++)
        for (unsigned k = 0; k < sizeof number_systems / sizeof *number_systems; k++)
            if (distance(f->variant, number_systems[k].type) == near && count_in(b, &number_systems[k], f)) return;
}

/* ---- min and max: each element wins in turn ------------------------------------------------------- */
static union value pair(struct variant v, double value, uint64_t index) {
    union value x = {.word = {0}};
    if (v.type == REDUCE_TYPE_I32)
        x.i32 = (int32_t)value;
    else
        x = number(v, 0), v.type == REDUCE_TYPE_F32 ? (void)(x.f32 = (float)value) : (void)(x.f64 = value);
    memcpy(&x.word[variant_size(v) / 8], &index, variant_size(v) / 2);
    return x;
}
static bool wants_small(struct variant v) { return v.op == REDUCE_OP_MIN || v.op == REDUCE_OP_ARGMIN; }
enum { WINS, LOSES = 100 };
/* Returns a value of this rank; the lowest rank is the best. WINS beats all others. LOSES + k is the rank of element k
 * when it must lose. A pair also gets `index`. */
static union value ranked(struct variant v, uint32_t rank, uint64_t index) {
    const int64_t x = wants_small(v) ? 1 + (int64_t)rank : 1000000 - (int64_t)rank;
    return variant_is_struct(v) ? pair(v, (double)x, index) : number(v, x);
}
static void set_losers(struct bench *b) {
    for (uint32_t k = 0; k < b->c.n; k++) set(b, k, ranked(b->c.variant, LOSES + k, k));
}
static bool same_index(struct variant v, union value x, uint64_t index) {
    return !variant_is_struct(v) || reference_index(v, x) == index;
}
static void count_by_winners(struct bench *b, struct fate *f) {
    const struct variant v = f->variant;
    if (v.op < REDUCE_OP_MIN || f->extra || !variant_commutes(v) || !takes(b, v) || !is_affordable(b, b->n)) return;
    const double identity = reference_double(v, reference_identity(v));
    uint32_t wins = 0, identities = 0, worst = 0;
    f->counted = false;
    for (uint32_t k = 0; k < b->n; k++) {
        union value x;
        const union value winner = ranked(v, WINS, k);
        set_losers(b);
        set(b, k, winner);
        if (!result_of(b, &x)) return;
        const double result = reference_double(v, x);
        const uint32_t last = k + 1 < b->n ? b->n - 1 : b->n - 2; /* the worst element except the winner */
        wins += f->count[k] = result == reference_double(v, winner);
        identities += result == identity;
        worst += b->n > 1 && result == reference_double(v, ranked(v, LOSES + last, last));
        if (f->count[k] && !same_index(v, x, k) && !f->pair) f->pair = FATE_NO_SUCH_PAIR, f->first = k;
    }
    if (!wins) f->winner = identities == b->n ? FATE_IDENTITY : worst == b->n ? FATE_WORST : FATE_ANY_WINNER;
    f->counted = true;
}

/* ---- pairs: two elements with the same value ---- */
/* Two elements. Their indices are `base` plus their positions; `more` is added to the higher index. */
struct tie {
    double first, second;
    uint64_t base, more;
};
/* Sets elements `first` and `second`. Their indices ascend if `up`, and descend otherwise. Returns whether the result
 * has an index other than the lower one. */
static bool is_tie_lost(struct bench *b, struct fate *f, const struct tie *t, uint32_t first, uint32_t second,
                        bool up) {
    const struct variant v = f->variant;
    const uint64_t low = t->base + first, high = t->base + second + t->more;
    union value x;
    set_losers(b);
    set(b, first, pair(v, t->first, up ? low : high));
    set(b, second, pair(v, t->second, up ? high : low));
    if (!result_of(b, &x)) return false;
    f->first = first, f->second = second;
    return reference_index(v, x) != low;
}
static bool is_any_tie_lost(struct bench *b, struct fate *f, struct tie t) {
    for (uint32_t k = 1; k < 2 * b->n; k++) {
        const uint32_t near = k < b->n ? k - 1 : 0, far = k < b->n ? k : k - b->n;
        if (near < far && (is_tie_lost(b, f, &t, near, far, true) || is_tie_lost(b, f, &t, near, far, false)))
            return true;
    }
    return false;
}
static bool has_wide_index(struct variant v) { return variant_size(v) > 8; }
/* Tries ties whose indices differ in bit 31 and, if an index has 64 bits, in bit 63. */
static bool is_far_tie_lost(struct bench *b, struct fate *f, double value) {
    const struct tie middle = {value, value, 0, UINT64_C(1) << 31}, top = {value, value, 0, UINT64_C(1) << 63};
    return is_any_tie_lost(b, f, middle) || (has_wide_index(f->variant) && is_any_tie_lost(b, f, top));
}
/* Tries ties whose indices are large and close: a float, or a double, has the same value for both. */
static bool is_large_tie_lost(struct bench *b, struct fate *f, double value) {
    return is_any_tie_lost(b, f, (struct tie){value, value, UINT64_C(1) << (has_wide_index(f->variant) ? 62 : 30), 0});
}
static bool is_nan_tie_lost(struct bench *b, struct fate *f) {
    const double nan = (double)NAN;
    return is_any_tie_lost(b, f, (struct tie){nan, nan, 0, 0}) ||
           is_any_tie_lost(b, f, (struct tie){nan, -nan, 0, 0}) || is_any_tie_lost(b, f, (struct tie){-nan, nan, 0, 0});
}
/* Returns whether two values that round to the same float are treated as equal, so that the lower index wins. */
static bool is_rounded(struct bench *b, struct fate *f) {
    const double low = 0x1p24, high = low + 1;
    const bool small = wants_small(f->variant);
    const struct tie t = {small ? -low : low, small ? -high : high, 0, 0};
    union value x;
    if (b->n < 2 || f->variant.type == REDUCE_TYPE_F32) return false;
    return !is_tie_lost(b, f, &t, 0, 1, true) && !is_tie_lost(b, f, &t, 0, 1, false) && result_of(b, &x);
}
/* Sets element 0 to `value`, and all others to the value of identity(). Returns whether element 0 wins. */
static bool wins(struct bench *b, struct fate *f, int32_t value, bool *known) {
    union value x;
    const double identity = reference_double(f->variant, reference_identity(f->variant));
    for (uint32_t k = 0; k < b->c.n; k++) set(b, k, pair(f->variant, k ? identity : value, k));
    *known &= result_of(b, &x);
    return *known && x.i32 == value;
}
/* Returns whether a better int loses only if its difference from identity() overflows. */
static bool is_difference(struct bench *b, struct fate *f) {
    const int better = wants_small(f->variant) ? -1 : 1;
    if (!variant_is_pair(f->variant) || f->variant.type != REDUCE_TYPE_I32 || !b->n || f->extra) return false;
    if (!takes(b, f->variant) || !is_affordable(b, 4)) return false;
    for (f->wins = -1; f->wins <= 0; f->wins++) {
        bool known = true;
        f->loses = f->wins + better;
        if (wins(b, f, f->wins, &known) && !wins(b, f, f->loses, &known) && known) return true;
    }
    return false;
}
static bool is_nan_lost(struct bench *b, struct fate *f) {
    for (uint32_t k = 0; k < b->n; k++) {
        union value x;
        set_losers(b);
        set(b, k, pair(f->variant, (double)NAN, k));
        f->first = k;
        if (result_of(b, &x) && (!isnan(reference_double(f->variant, x)) || reference_index(f->variant, x) != k))
            return true;
    }
    return false;
}
static bool is_identity_kept(struct bench *b, struct fate *f) {
    const union value identity = reference_identity(f->variant);
    union value x;
    for (uint32_t k = 0; k < b->c.n; k++) set(b, k, pair(f->variant, reference_double(f->variant, identity), k));
    return b->n && result_of(b, &x) && reference_index(f->variant, x) == reference_index(f->variant, identity);
}
static void compare_pairs(struct bench *b, struct fate *f) {
    enum { RUNS = 20 }; /* runs per element, at most */
    const struct variant v = f->variant;
    if (!variant_is_struct(v) || !variant_commutes(v) || f->pair || !takes(b, v) || !is_affordable(b, RUNS * b->n))
        return;
    const double best = reference_double(v, ranked(v, WINS, 0));
    if (is_any_tie_lost(b, f, (struct tie){best, best, 0, 0}) || is_far_tie_lost(b, f, best))
        f->pair = FATE_TIE;
    else if (is_large_tie_lost(b, f, best))
        f->pair = FATE_LARGE_TIE;
    else if (is_rounded(b, f))
        f->pair = FATE_ROUNDED;
    else if (is_identity_kept(b, f))
        f->pair = FATE_IDENTITY_LOST;
    else if (variant_is_float(v) && is_nan_lost(b, f))
        f->pair = FATE_NAN_LOST;
    else if (variant_is_float(v) && is_nan_tie_lost(b, f))
        f->pair = FATE_NAN_TIE;
}

/* ---- operators that do not commute: how many elements follow each element ------------------------ */
/* Returns whether the kernel can compose maps x -> a*x + b modulo 2^32, or packed maps modulo 2^16. */
static bool takes_maps(struct bench *b) {
    return takes(b, (struct variant){REDUCE_OP_AFFINE, REDUCE_TYPE_U32, 0}) ||
           takes(b, (struct variant){REDUCE_OP_AFFINE, REDUCE_TYPE_U16, 0});
}
static union value map_of(const struct bench *b, uint32_t slope, uint32_t constant) {
    const bool packed = b->c.variant.type == REDUCE_TYPE_U16;
    return packed ? (union value){.word = {slope | constant << 16}} : (union value){.word = {slope, constant}};
}
static uint32_t field(const struct bench *b, union value x, unsigned k) {
    return b->c.variant.type == REDUCE_TYPE_U16 ? x.word[0] >> 16 * k & 0xffff : x.word[k];
}
/* Returns the logarithm of x to base 3 if it is an integer below `most`; otherwise -1. */
static int64_t logarithm(const struct bench *b, uint32_t x, uint32_t most) {
    const uint32_t modulo = b->c.variant.type == REDUCE_TYPE_U16 ? 0xffff : UINT32_MAX;
    uint32_t power = 1;
    for (uint32_t k = 0; k < most; k++, power *= 3)
        if ((power & modulo) == x) return k;
    return -1;
}
/* Finds the order of the elements. In each run, one map is x -> 3x + 1, and all others are x -> 3x. If k of the n maps
 * follow x -> 3x + 1, the result has the slope 3^n and the constant 3^k. */
static void find_order(struct bench *b, struct fate *f) {
    if (variant_commutes(f->variant) || !is_affordable(b, b->n) || !takes_maps(b) || !(f->order = calloc(b->n + 1, 4)))
        return;
    bool each = true;
    for (uint32_t k = 0; k < b->n && each; k++) f->order[k] = UINT32_MAX;
    for (uint32_t k = 0; k < b->n && each; k++) {
        union value x;
        set_all(b, map_of(b, 3, 0));
        set(b, k, map_of(b, 3, 1));
        if (!result_of(b, &x)) each = false;
        const int64_t behind = each ? logarithm(b, field(b, x, 1), b->n) : -1;
        each &= behind >= 0 && logarithm(b, field(b, x, 0), b->n + 1) == (int64_t)b->n;
        if (each) each = f->order[b->n - 1 - behind] == UINT32_MAX, f->order[b->n - 1 - behind] = k;
    }
    if (each) return;
    free(f->order), f->order = NULL;
}
/* Counts how many times the result contains each element. In each run, one element is the map x -> 3x, and all others
 * are identity(). If the element is contained k times, the result has the slope 3^k. */
static void count_by_slopes(struct bench *b, struct fate *f) {
    if (variant_commutes(f->variant) || !is_affordable(b, b->n) || !takes_maps(b)) return;
    f->counted = false;
    for (uint32_t k = 0; k < b->n; k++) {
        union value x;
        set_all(b, reference_identity(b->c.variant));
        set(b, k, map_of(b, 3, 0));
        if (!result_of(b, &x)) return;
        const int64_t times = logarithm(b, field(b, x, 0), 4096);
        if (times < 0) return;
        f->count[k] = (int32_t)times;
    }
    f->counted = true;
}

/* ---- the whole fate ------------------------------------------------------------------------- */
static bool in_order(const struct fate *f) {
    bool ordered = true;
    for (uint32_t k = 0; f->order && k < f->n; k++) ordered &= f->order[k] == k;
    return ordered;
}
/* Returns whether `rest` behaves like one more operand. Replaces the first element to test this; the result may contain
 * the first element 0 to 3 times. */
static bool is_combined(struct bench *b, const struct fate *f) {
    enum { TIMES = 3 };
    union value got, x = f->rest, first = case_lead(&b->c);
    if (!b->n) return true;
    set(b, 0, first);
    const bool has = result_of(b, &got);
    for (unsigned k = 0; has && k <= TIMES; k++, x = reference_combine(f->variant, x, first))
        if (reference_equal(f->variant, x, got)) return true;
    return false;
}
/* Returns whether the result of elements that are all identity() is right when the input begins at a multiple of 256
 * bytes. */
static bool is_right_unshifted(struct bench *b) {
    const uint32_t offset = b->c.offset;
    union value x;
    b->c.offset = 0;
    const bool right = result_of(b, &x) && reference_equal(b->c.variant, x, reference_identity(b->c.variant));
    b->c.offset = offset;
    return right;
}
/* Returns whether the finding is an access that fails and returns 0. */
static bool is_failed_access(const struct finding *f) {
    static const char *const failed[] = {"null-access", "out-of-bounds", "misaligned", "wrong-space"};
    for (size_t k = 0; k < sizeof failed / sizeof *failed; k++)
        if (!strcmp(f->kind->key, failed[k])) return true;
    return false;
}
static void find_faults(const struct bench *b, struct fate *f) {
    struct outcome o;
    case_run(b->j, &b->j->student, &b->c, MEASURE_FAULTS, &o);
    const struct finding_list *l = &o.measurement.findings;
    for (unsigned k = 0; k < l->count; k++) {
        const bool failed = is_failed_access(&l->item[k]);
        f->faulty |= failed, f->disturbed |= !failed && l->item[k].kind->severity == FINDING_ERROR;
    }
    outcome_free(&o);
}
bool fate_is_known(const struct fate *f) { return f->extra || f->pair || (f->counted && !all_once(f)) || !in_order(f); }
void fate_find(const struct judge *j, const struct grade_case *c, unsigned launch, struct fate *f) {
    const uint32_t n = case_launch(c, launch ? launch - 1 : 0).n;
    struct judge brief = *j;
    brief.budget = BUDGET;
    struct bench b = {.j = &brief, .c = *c, .launch = launch, .n = n, .values = calloc(c->n + 1, sizeof(union value))};
    *f = (struct fate){.variant = c->variant, .n = n, .count = calloc(n + 1, sizeof *f->count)};
    if (b.values && f->count && !variant_is_own(c->variant) && c->kernel->finish != FINISH_ARRAYS &&
        is_affordable(&b, 1)) {
        const union value identity = reference_identity(c->variant);
        set_all(&b, identity);
        f->extra = result_of(&b, &f->rest) && !reference_equal(c->variant, f->rest, identity);
        if (f->extra) find_faults(&b, f);
        f->shifted = f->extra && c->offset && launch <= 1 && is_right_unshifted(&b);
        f->combined = f->extra && is_combined(&b, f);
        count_by_sums(&b, f);
        if (!f->counted || all_once(f)) count_by_winners(&b, f);
        if (!f->counted || all_once(f)) count_by_slopes(&b, f);
        if (is_difference(&b, f)) f->pair = FATE_DIFFERENCE;
        if (f->counted && all_once(f)) compare_pairs(&b, f), find_order(&b, f);
    }
    free(b.values);
}
void fate_free(struct fate *f) { free(f->count), free(f->order); }
