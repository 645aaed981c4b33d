/* See fate_words.h. */
#include "judge/fate_words.h"
#include "judge/case_again.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the launch ----------------------------------------------------------------------------- */
struct shape {
    const struct grade_case *c;
    uint32_t n, block, grid, segment, chunk; /* segment: elements per block or, in a loop, per round of a block; chunk:
                                                elements per block that takes one chunk */
    uint32_t head, tail; /* head: first element of the whole 16-byte vectors; tail: first element after them */
    unsigned traits;
};
/* Conditions for a row:
 *
 *  MANY, FEW    n exceeds one segment, or does not
 *  SEGMENTS     the kernel has segments
 *  LOOP         a single block loops over the input
 *  GRID         a grid-stride kernel that may reorder operands runs on multiple blocks
 *  CHUNKS       a grid-stride kernel that keeps operands in order runs on multiple blocks, which take one chunk each
 *  VECTORS      the input may begin at any element, or consists of halves
 *  ODD_START    the input has an offset */
enum { MANY = 1, FEW = 2, SEGMENTS = 4, LOOP = 8, GRID = 16, VECTORS = 32, ODD_START = 64, CHUNKS = 128 };

static uint32_t down(uint32_t n, uint32_t unit) { return n / unit * unit; }
static struct shape shape_of(const struct grade_case *c, unsigned launch, size_t element) {
    const struct grade_case given = case_launch(c, launch ? launch - 1 : 0);
    const struct lab_kernel *k = c->kernel;
    const bool loop = k->one_block || k->grid_stride || !k->elements;
    struct shape s = {.c = c,
                      .n = given.n,
                      .block = given.block,
                      .grid = k->grid_stride && given.grid ? given.grid : 1,
                      .segment = (loop ? 1 : k->elements) * given.block};
    const uint32_t width = element < 16 ? 16 / (uint32_t)element : 1;
    s.chunk = s.n ? (s.n + s.grid - 1) / s.grid : 1;
    s.head = (width - given.offset % width) % width;
    if (s.head > s.n) s.head = s.n;
    s.tail = s.head + down(s.n - s.head, width);
    s.traits = (s.n > s.segment ? MANY : FEW) | (given.offset ? ODD_START : 0) |
               (k->any_start || k->halves ? VECTORS : 0) |
               (!loop             ? SEGMENTS
                : !k->grid_stride ? LOOP
                : s.grid > 1      ? (k->ordered ? CHUNKS : GRID)
                : k->ordered      ? 0
                                  : LOOP);
    return s;
}
static uint32_t round_of(const struct shape *s) { return s->grid * s->block; }

/* ---- sets of elements ----------------------------------------------------------------------- */
static bool in_head(const struct shape *s, uint32_t k) { return k < s->head; }
static bool in_tail(const struct shape *s, uint32_t k) { return k >= s->tail; }
static bool in_block_0(const struct shape *s, uint32_t k) { return k % round_of(s) < s->block; }
static bool in_last_block(const struct shape *s, uint32_t k) { return k % round_of(s) >= round_of(s) - s->block; }
static bool in_first_round(const struct shape *s, uint32_t k) { return k < round_of(s); }
static bool in_first_chunk(const struct shape *s, uint32_t k) { return k < s->chunk; }
static bool in_last_chunk(const struct shape *s, uint32_t k) { return k >= down(s->n - 1, s->chunk); }
static bool past_even_chunks(const struct shape *s, uint32_t k) { return k >= down(s->n, s->grid); }
static bool in_first_segment(const struct shape *s, uint32_t k) { return k < s->segment; }
static bool in_last_segment(const struct shape *s, uint32_t k) { return k >= down(s->n - 1, s->segment); }
static bool past_whole_segments(const struct shape *s, uint32_t k) { return k >= down(s->n, s->segment); }
static bool in_upper_half(const struct shape *s, uint32_t k) { return k % s->segment >= s->segment / 2; }
static bool past_whole_blocks(const struct shape *s, uint32_t k) { return k >= down(s->n, s->block); }
static bool past_whole_rounds(const struct shape *s, uint32_t k) { return k >= down(s->n, round_of(s)); }
static bool is_last(const struct shape *s, uint32_t k) { return k + 1 == s->n; }
static bool is_first(const struct shape *s, uint32_t k) { return (void)s, k == 0; }
static bool is_odd(const struct shape *s, uint32_t k) { return (void)s, k % 2; }
static bool is_no_fourth(const struct shape *s, uint32_t k) { return (void)s, k % 4; }
static bool is_past_a_warp(const struct shape *s, uint32_t k) { return k % s->block >= 32; }
static bool is_first_of_segment(const struct shape *s, uint32_t k) { return k % s->segment == 0; }

/* Named sets of elements. `is` is the verb that follows the name: "is" or "are". */
static const struct set {
    bool (*has)(const struct shape *, uint32_t k);
    unsigned where;
    const char *name, *is;
} sets[] = {
    {in_head, ODD_START, "the elements before the first 16-byte boundary", "are"},
    {in_tail, VECTORS, "the elements after the last whole 16-byte vector", "are"},
    {in_block_0, MANY | GRID, "block 0's elements", "are"},
    {in_last_block, MANY | GRID, "the last block's elements", "are"},
    {in_first_round, MANY | GRID, "the first gridDim.x*blockDim.x elements", "are"},
    {past_whole_rounds, MANY | GRID, "the elements after the last whole multiple of gridDim.x*blockDim.x", "are"},
    {in_first_chunk, CHUNKS, "block 0's chunk", "is"},
    {past_even_chunks, CHUNKS, "the last n % gridDim.x elements", "are"},
    {in_last_chunk, CHUNKS, "the last chunk", "is"},
    {in_first_segment, MANY | SEGMENTS, "block 0's segment", "is"},
    {past_whole_segments, MANY | SEGMENTS, "the last, incomplete segment", "is"},
    {in_last_segment, MANY | SEGMENTS, "the last block's segment", "is"},
    {in_upper_half, MANY | SEGMENTS, "the upper half of each segment", "is"},
    {in_upper_half, FEW | SEGMENTS, "the upper half of the segment", "is"},
    {in_first_segment, MANY | LOOP, "the first blockDim.x elements", "are"},
    {past_whole_blocks, 0, "the elements after the last whole multiple of blockDim.x", "are"},
    {is_last, 0, "the last element", "is"},
    {is_first, 0, "the first element", "is"},
    {is_first_of_segment, MANY | SEGMENTS, "the first element of each segment", "is"},
    {is_odd, 0, "the elements with an odd index", "are"},
    {is_no_fourth, 0, "the elements whose index is not a multiple of 4", "are"},
    {is_past_a_warp, 0, "all but the first 32 of every blockDim.x elements", "are"},
};

/* ---- how many times each element is counted -------------------------------------------------- */
static int32_t twice(const struct shape *s, uint32_t k) { return (void)s, (void)k, 2; }
static int32_t each_block(const struct shape *s, uint32_t k) { return (void)k, (int32_t)s->grid; }
/* Returns how many blocks take element k if each block begins at its own elements but advances by blockDim.x. */
static int32_t each_from_its_start(const struct shape *s, uint32_t k) {
    return (int32_t)(k / s->block < s->grid ? k / s->block : s->grid - 1) + 1;
}
/* Returns how many blocks take element k if block b begins at M * b instead of 2 * M * b. */
static int32_t overlapping(const struct shape *s, uint32_t k) {
    const uint32_t blocks = (s->n + s->segment - 1) / s->segment, last = k / s->block;
    return (last < blocks) + (last && last - 1 < blocks);
}
/* The descriptions state counts, not causes, because different mistakes can lead to the same counts. */
static const struct tally {
    int32_t (*of)(const struct shape *, uint32_t k);
    unsigned where;
    const char *text;
} tallies[] = {
    {each_block, GRID, "every element is counted gridDim.x times"},
    {each_from_its_start, GRID, "elements are counted as often as if each block advanced by blockDim.x"},
    {each_block, CHUNKS, "every element is counted gridDim.x times"},
    {overlapping, MANY | SEGMENTS,
     "elements are counted as often as if block b began at blockDim.x*b, not at 2*blockDim.x*b"},
    {twice, 0, "every element is counted twice"},
};

/* ---- orders --------------------------------------------------------------------------------- */
/* Sort keys: elements are combined in ascending order of their keys. Elements with equal keys are combined in ascending
 * order of their indices. */
static int64_t backward(const struct shape *s, uint32_t k) { return (void)s, -(int64_t)k; }
static int64_t by_chunk_backward(const struct shape *s, uint32_t k) { return -(int64_t)(k / s->chunk); }
static int64_t by_grid_stride(const struct shape *s, uint32_t k) { return k % round_of(s); }
static int64_t by_block_stride(const struct shape *s, uint32_t k) {
    return (int64_t)(k / s->chunk) * s->n + k % s->chunk % s->block;
}
static int64_t pairs_swapped(const struct shape *s, uint32_t k) { return (void)s, k ^ 1; }
static const struct ordering {
    int64_t (*key)(const struct shape *, uint32_t k);
    unsigned where;
    const char *text;
} orderings[] = {
    {backward, 0, "all operands are present, but in reverse order"},
    {by_chunk_backward, CHUNKS, "the blocks' partials are combined in reverse order"},
    {by_grid_stride, CHUNKS, "elements gridDim.x*blockDim.x apart are combined before neighbors"},
    {by_block_stride, 0, "elements blockDim.x apart are combined before neighbors"},
    {pairs_swapped, 0, "the two operands of each pair of neighbors are swapped"},
};

/* ---- statements ----------------------------------------------------------------------------- */
__attribute__((format(printf, 2, 3))) static void say(struct fate_statements *s, const char *format, ...) {
    va_list arguments;
    if (s->count == FATE_STATEMENTS) return;
    va_start(arguments, format);
    vsnprintf(s->text[s->count++], FATE_STATEMENT, format, arguments);
    va_end(arguments);
}
static bool fits(const struct shape *s, unsigned where) { return (s->traits & where) == where; }
/* Returns whether each element of the set is counted `in` times, and each other element `out` times. The set must not
 * be empty. If `some`, it must not contain all elements. */
static bool is_split(const struct fate *f, const struct shape *s, const struct set *set, int32_t in, int32_t out,
                     bool some) {
    uint32_t members = 0;
    for (uint32_t k = 0; k < f->n; k++) {
        const bool has = set->has(s, k);
        members += has;
        if (f->count[k] != (has ? in : out)) return false;
    }
    return members && (!some || members < f->n);
}
static bool is_tally(const struct fate *f, const struct shape *s, const struct tally *t) {
    bool same = f->n > 0;
    for (uint32_t k = 0; k < f->n; k++) same &= f->count[k] == t->of(s, k);
    return same;
}
static bool are_all(const struct fate *f, int32_t count) {
    bool same = f->n > 0;
    for (uint32_t k = 0; k < f->n; k++) same &= f->count[k] == count;
    return same;
}
static const char *none_counted(const struct fate *f) {
    static const char *const texts[] = {
        [FATE_ANY_WINNER] = "no element is counted",
        [FATE_IDENTITY] = "the result is identity(), although every element should win against it",
        [FATE_WORST] = "the result is the element that should lose to all others",
    };
    return texts[f->winner];
}
static void state_counts(const struct fate *f, const struct shape *s, struct fate_statements *out) {
    if (!f->counted || are_all(f, 1)) return;
    if (are_all(f, 0)) say(out, "%s", none_counted(f));
    for (const struct tally *t = tallies; t < tallies + sizeof tallies / sizeof *tallies; t++)
        if (fits(s, t->where) && is_tally(f, s, t)) say(out, "%s", t->text);
    for (const struct set *t = sets; t < sets + sizeof sets / sizeof *sets; t++) {
        if (!fits(s, t->where)) continue;
        if (is_split(f, s, t, 1, 0, true)) say(out, "only %s %s counted", t->name, t->is);
        if (is_split(f, s, t, 0, 1, false)) say(out, "%s %s missing", t->name, t->is);
        if (is_split(f, s, t, 2, 1, false)) say(out, "%s %s counted twice", t->name, t->is);
    }
}
static bool is_ordering(const struct fate *f, const struct shape *s, const struct ordering *o) {
    for (uint32_t k = 1; k < f->n; k++) {
        const uint32_t a = f->order[k - 1], b = f->order[k];
        const int64_t x = o->key(s, a), y = o->key(s, b);
        if (x > y || (x == y && a > b)) return false;
    }
    return true;
}
static bool in_order(const struct fate *f) {
    bool rising = true;
    for (uint32_t k = 0; k < f->n; k++) rising &= f->order[k] == k;
    return rising;
}
static void state_order(const struct fate *f, const struct shape *s, struct fate_statements *out) {
    if (!f->order || in_order(f)) return;
    for (const struct ordering *o = orderings; o < orderings + sizeof orderings / sizeof *orderings; o++)
        if (fits(s, o->where) && is_ordering(f, s, o)) say(out, "%s", o->text);
    say(out, "all operands are present, but not in order");
}
/* Returns whether `rest` comes from the elements before the input. If so, it disappears if the input begins at a
 * multiple of 256 bytes. It is a multiple of these elements' value or, for min and max, this value. */
static bool is_lead(const struct fate *f, const struct grade_case *c) {
    if (!f->shifted) return false;
    union value lead = case_lead(c), x = reference_identity(c->variant);
    for (uint32_t k = 0; k < c->offset; k++)
        if (reference_equal(c->variant, x = reference_combine(c->variant, x, lead), f->rest)) return true;
    return false;
}
/* Returns whether `rest` is the pattern of uninitialized memory or, for a sum, a small multiple of it. */
static bool is_unwritten(const struct fate *f) {
    enum { MAX = 1024 };
    const struct variant v = f->variant;
    union value poison, sum = reference_identity(v);
    memset(&poison, DEVICE_POISON, sizeof poison);
    if (v.op != REDUCE_OP_SUM) return device_is_poison(&f->rest, variant_size(v));
    for (unsigned k = 0; k < MAX; k++) {
        const double x = reference_double(v, sum = reference_combine(v, sum, poison)), y = reference_double(v, f->rest);
        if (reference_equal(v, sum, f->rest) || (variant_is_float(v) && fabs(x - y) <= 1e-6 * fabs(x))) return true;
    }
    return false;
}
static void state_extra(const struct fate *f, const struct grade_case *c, struct fate_statements *out) {
    char text[100];
    if (!f->extra) return;
    const size_t size = variant_size(f->variant);
    if (is_lead(f, c))
        say(out, "elements before the input are counted: the input need not start at a multiple of 16 bytes");
    else if (!f->combined)
        say(out, "if all elements are identity(), the result is %s",
            reference_print(f->variant, f->rest, text, sizeof text));
    else if (!memcmp(&f->rest, &(union value){.word = {0}}, size))
        say(out, "the result includes a 0 that is not an element%s",
            f->faulty      ? ": in the simulator, an access that fails reads 0"
            : f->disturbed ? ""
                           : ": identity() is not 0 for this operator");
    else if (is_unwritten(f))
        say(out, "the result includes memory that was never written");
    else if (variant_is_float(f->variant) && !variant_is_struct(f->variant) &&
             isnan(reference_double(f->variant, f->rest)))
        say(out, "the result includes a NaN that is not an element");
    else
        say(out, "the result includes %s, which is not an element",
            reference_print(f->variant, f->rest, text, sizeof text));
}
/* States that the kernel compares ints by their difference. For one of the two orders of subtraction, a comparison as
 * unsigned numbers fails in the same way. */
static void state_difference(const struct fate *f, struct fate_statements *out) {
    const bool also_unsigned = f->wins == (f->loses < f->wins ? 0 : -1);
    say(out,
        "%d wins against identity(), but %d loses, as if values were compared by the sign of their difference, which "
        "can overflow%s: compare values with < and >",
        f->wins, f->loses, also_unsigned ? ", or as unsigned integers" : "");
}
static void state_pair(const struct fate *f, struct fate_statements *out) {
    static const char *const texts[] = {
        [FATE_NO_SUCH_PAIR] = "a value is returned with another element's index: value and index must stay together",
        [FATE_TIE] = "of two equal values, the one with the higher index won: the lower index must win, whichever "
                     "operand has it",
        [FATE_NAN_LOST] = "a NaN was ignored: a NaN must win, although x < NaN is false",
        [FATE_NAN_TIE] = "of two NaNs, the one with the higher index won: the lower index must win",
        [FATE_LARGE_TIE] =
            "of two equal values, the one with the higher index won, but only if both indices are large: "
            "every bit of an index counts",
        [FATE_ROUNDED] = "two values that differ only beyond the 24 significant bits of a float are treated as equal",
        [FATE_IDENTITY_LOST] = "if all elements have the value of identity(), identity() wins: of two equal values, "
                               "the one with the lower index must win",
    };
    if (f->pair == FATE_DIFFERENCE)
        state_difference(f, out);
    else if (f->pair)
        say(out, "%s", texts[f->pair]);
}
void fate_state(const struct fate *f, const struct grade_case *c, unsigned launch, struct fate_statements *out) {
    const struct shape s = shape_of(c, launch, case_input_size(c));
    out->count = 0;
    if (f->pair == FATE_DIFFERENCE) state_pair(f, out); /* explains why elements are missing */
    state_counts(f, &s, out);
    state_extra(f, c, out);
    if (f->pair != FATE_DIFFERENCE) state_pair(f, out);
    state_order(f, &s, out);
}
uint32_t fate_unit(const struct grade_case *c) {
    const struct shape s = shape_of(c, 0, case_input_size(c));
    return s.traits & SEGMENTS ? 0 : round_of(&s);
}
void fate_common(struct fate_statements *s, const struct fate_statements *other) {
    struct fate_statements both = {0};
    for (unsigned k = 0; k < s->count; k++)
        for (unsigned n = 0; n < other->count; n++)
            if (!strcmp(s->text[k], other->text[n])) say(&both, "%s", s->text[k]);
    *s = both;
}

/* ---- all elements ------------------------------------------------------------------------------ */
struct text {
    char *at;
    size_t room;
};
__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->at, t->room, format, arguments);
    va_end(arguments);
    const size_t more = n < 0 ? 0 : (size_t)n < t->room ? (size_t)n : t->room - 1;
    t->at += more, t->room -= more;
}
/* Prints the elements that are counted `count` times, such as "in[3]", "in[4..7]" or "in[1], in[3], ..., in[31]". */
static void put_elements(struct text *t, const struct fate *f, const char *in, int32_t count) {
    enum { MAX_RUNS = 4 };
    uint32_t at[3], number = 0, last = 0, step = 0, runs = 0, shown = 0;
    bool even = true;
    for (uint32_t k = 0; k < f->n; k++) {
        if (f->count[k] != count) continue;
        if (number == 1) step = k - last;
        if (number > 1) even &= k - last == step;
        if (number < 3) at[number] = k;
        number++, last = k;
    }
    if (number > 3 && even && step > 1) {
        put(t, "%s[%u], %s[%u], ..., %s[%u] are ", in, at[0], in, at[1], in, last);
        return;
    }
    for (uint32_t k = 0; k < f->n && runs < MAX_RUNS; k++) {
        uint32_t end = k;
        if (f->count[k] != count) continue;
        while (end + 1 < f->n && f->count[end + 1] == count) end++;
        shown += end - k + 1;
        put(t, "%s%s[%u", !runs++ ? "" : shown == number ? " and " : ", ", in, k);
        if (end > k) put(t, "..%u", end);
        put(t, "]");
        k = end;
    }
    if (shown < number) put(t, " and %u more", number - shown);
    put(t, number == 1 ? " is " : " are ");
}
static void put_times(struct text *t, int32_t low, int32_t high) {
    if (low != high)
        put(t, "counted %d to %d times", low, high);
    else if (low == 2)
        put(t, "counted twice");
    else if (low == -1)
        put(t, "subtracted");
    else
        put(t, low ? "counted %d times" : "missing", low);
}
/* Up to this many different counts are reported one by one. If there are more, only the number of elements and the
 * range of their counts are reported. */
enum { MAX_COUNTS = 3 };
static unsigned distinct_counts(const struct fate *f, int32_t all[MAX_COUNTS + 1]) {
    unsigned counts = 0;
    for (uint32_t k = 0; k < f->n && counts <= MAX_COUNTS; k++) {
        bool new = f->count[k] != 1;
        for (unsigned n = 0; n < counts; n++) new &= all[n] != f->count[k];
        if (new) all[counts++] = f->count[k];
    }
    return counts;
}
static void print_range(struct text *t, const struct fate *f) {
    int32_t low = INT32_MAX, high = INT32_MIN;
    uint32_t missing = 0, more = 0;
    for (uint32_t k = 0; k < f->n; k++) {
        const int32_t c = f->count[k];
        missing += c == 0;
        if (c == 0 || c == 1) continue;
        more++, low = c < low ? c : low, high = c > high ? c : high;
    }
    if (missing) put(t, "%u of %u elements are missing; ", missing, f->n);
    put(t, "%u of %u elements are ", more, f->n);
    put_times(t, low, high);
}
static void print_counts(struct text *t, const struct fate *f, const char *in) {
    int32_t all[MAX_COUNTS + 1];
    const unsigned counts = distinct_counts(f, all);
    if (counts > MAX_COUNTS) {
        print_range(t, f);
        return;
    }
    for (unsigned k = 0; k < counts; k++) {
        if (k) put(t, "; ");
        if (are_all(f, 0)) return put(t, "%s", none_counted(f));
        if (are_all(f, all[k]))
            put(t, "every element is ");
        else
            put_elements(t, f, in, all[k]);
        put_times(t, all[k], all[k]);
    }
}
static void print_order(struct text *t, const struct fate *f, const char *in) {
    uint32_t k = 0;
    while (k + 1 < f->n && f->order[k] == k) k++;
    put(t, "%s[%u] was combined before %s[%u]", in, f->order[k], in, k);
}
static void print_pair(struct text *t, const struct fate *f, const char *in) {
    switch (f->pair) {
    case FATE_NO_SUCH_PAIR: put(t, "the value of %s[%u] is returned with another element's index", in, f->first); break;
    case FATE_TIE:
    case FATE_LARGE_TIE:
    case FATE_NAN_TIE:
        put(t, "if %s[%u] and %s[%u] %s, the higher index is returned", in, f->first, in, f->second,
            f->pair == FATE_NAN_TIE ? "are both NaN" : "hold the same value");
        break;
    case FATE_NAN_LOST: put(t, "a NaN in %s[%u] is ignored", in, f->first); break;
    case FATE_IDENTITY_LOST:
        put(t, "if every element has the value of identity(), the result has the index of identity() instead of an "
               "element's index");
        break;
    case FATE_ROUNDED:
        put(t, "%s[%u] and %s[%u] are treated as equal, although they differ", in, f->first, in, f->second);
        break;
    case FATE_DIFFERENCE:
    case FATE_PAIRS_RIGHT: break;
    }
}
char *fate_print(const struct fate *f, const struct grade_case *c, char *out, size_t size) {
    struct text t = {out, size};
    const char *in = c->kernel->input;
    struct fate_statements extra = {0};
    *out = 0;
    if (f->counted && f->n && !are_all(f, 1)) print_counts(&t, f, in);
    state_extra(f, c, &extra);
    if (extra.count) put(&t, "%s%s", *out ? "; " : "", extra.text[0]);
    if (f->pair && f->pair != FATE_DIFFERENCE) put(&t, "%s", *out ? "; " : ""), print_pair(&t, f, in);
    if (f->order && !in_order(f)) put(&t, "%s", *out ? "; " : ""), print_order(&t, f, in);
    return out;
}
