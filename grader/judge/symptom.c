/* Known mistakes and the wrong results they give: each row recomputes the reduction as that mistake would, and if the
 * result is what the kernel gave, says so. */
#include "judge/judge.h"
#include <math.h>
#include <string.h>

struct wrong {
    const struct grade_case *c;
    const void *data;
    struct variant v;
    uint32_t segment;
    union value got;
};

static union value range(const struct wrong *w, uint32_t from, uint32_t to) {
    return reference_reduce(w->v, (const char *)w->data + (size_t)from * variant_size(w->v), to > from ? to - from : 0);
}
static union value without(const struct wrong *w, uint32_t from, uint32_t to) {
    return reference_combine(w->v, range(w, 0, from), range(w, to, w->c->n));
}
static uint32_t down(uint32_t n, uint32_t unit) { return n / unit * unit; }

static union value first_segment(const struct wrong *w) {
    return range(w, 0, w->c->n < w->segment ? w->c->n : w->segment);
}
static union value no_tail(const struct wrong *w) { return range(w, 0, down(w->c->n, w->segment)); }
static union value no_tail_of_block(const struct wrong *w) { return range(w, 0, down(w->c->n, w->c->block)); }
static union value first_half(const struct wrong *w) {
    return range(w, 0, w->c->n < w->c->block ? w->c->n : w->c->block);
}
static union value first_element(const struct wrong *w) { return range(w, 0, w->c->n ? 1 : 0); }
static union value last_missing(const struct wrong *w) { return range(w, 0, w->c->n ? w->c->n - 1 : 0); }
static union value first_missing(const struct wrong *w) { return range(w, 1, w->c->n); }
static union value doubled(const struct wrong *w) {
    return reference_combine(w->v, range(w, 0, w->c->n), range(w, 0, w->c->n));
}
static union value with_zero(const struct wrong *w) {
    const union value zero = {.word = {0}}, right = range(w, 0, w->c->n), first = reference_combine(w->v, zero, right);
    return reference_equal(w->v, first, w->got) ? first : reference_combine(w->v, right, zero);
}
static union value only_identity(const struct wrong *w) { return reference_identity(w->v); }
static union value only_zero(const struct wrong *w) { return (void)w, (union value){.word = {0}}; }
static union value first_block_missing(const struct wrong *w) {
    return without(w, 0, w->c->n < w->segment ? w->c->n : w->segment);
}
/* Where the last segment starts. */
static uint32_t last_start(const struct wrong *w) { return w->c->n ? down(w->c->n - 1, w->segment) : 0; }
static union value last_block_missing(const struct wrong *w) { return range(w, 0, last_start(w)); }
static union value last_segment(const struct wrong *w) { return range(w, last_start(w), w->c->n); }
static union value last_element(const struct wrong *w) { return range(w, w->c->n ? w->c->n - 1 : 0, w->c->n); }
static union value first_halves(const struct wrong *w) {
    union value x = reference_identity(w->v);
    for (uint32_t k = 0; k < w->c->n; k += w->segment)
        x = reference_combine(w->v, x, range(w, k, k + w->c->block < w->c->n ? k + w->c->block : w->c->n));
    return x;
}
/* Grid-stride loops that go wrong: what the blocks of the grid then cover. */
static union value every_block_all(const struct wrong *w) {
    union value x = reference_identity(w->v);
    for (uint32_t b = 0; b < w->c->grid; b++) x = reference_combine(w->v, x, range(w, 0, w->c->n));
    return x;
}
static union value block_0_of_grid(const struct wrong *w) {
    union value x = reference_identity(w->v);
    for (uint64_t k = 0; k < w->c->n; k += (uint64_t)w->c->grid * w->c->block)
        x = reference_combine(w->v, x,
                              range(w, (uint32_t)k, k + w->c->block < w->c->n ? (uint32_t)k + w->c->block : w->c->n));
    return x;
}
static union value first_round(const struct wrong *w) {
    const uint64_t round = (uint64_t)w->c->grid * w->c->block;
    return range(w, 0, round < w->c->n ? (uint32_t)round : w->c->n);
}
/* The elements before an input that begins at an odd place. */
static union value with_lead(const struct wrong *w) {
    union value x = range(w, 0, w->c->n);
    for (uint32_t k = 0; k < w->c->offset; k++) x = reference_combine(w->v, x, case_lead(w->c));
    return x;
}
/* Vectors of 16 bytes: the elements before the first, and those behind the last. */
static uint32_t head_of(const struct wrong *w) {
    const uint32_t width = 16 / (uint32_t)variant_size(w->v), head = (width - w->c->offset % width) % width;
    return head < w->c->n ? head : w->c->n;
}
static uint32_t tail_of(const struct wrong *w) {
    return head_of(w) + down(w->c->n - head_of(w), 16 / (uint32_t)variant_size(w->v));
}
static union value no_head(const struct wrong *w) { return range(w, head_of(w), w->c->n); }
static union value no_vector_tail(const struct wrong *w) { return range(w, 0, tail_of(w)); }
/* Operators that do not commute: all operands, in another order. */
static union value backward(const struct wrong *w) {
    union value x = reference_identity(w->v);
    for (uint32_t k = 0; k < w->c->n; k++) x = reference_combine(w->v, range(w, k, k + 1), x);
    return x;
}
/* Elements from, from + step, ... below `to`. */
static union value every(const struct wrong *w, union value x, uint64_t from, uint64_t to, uint64_t step) {
    for (uint64_t k = from; k < to; k += step) x = reference_combine(w->v, x, reference_load(w->v, w->data, k));
    return x;
}
static union value by_grid_stride(const struct wrong *w) {
    const uint64_t threads = (uint64_t)w->c->grid * w->c->block;
    union value x = reference_identity(w->v);
    for (uint64_t t = 0; t < threads && t < w->c->n; t++) x = every(w, x, t, w->c->n, threads);
    return x;
}
static uint32_t chunk_of(const struct wrong *w) {
    const uint32_t chunks = w->c->grid ? w->c->grid : 1;
    return w->c->n ? (w->c->n + chunks - 1) / chunks : 1;
}
static union value by_block_stride(const struct wrong *w) {
    union value x = reference_identity(w->v);
    for (uint64_t from = 0; from < w->c->n; from += chunk_of(w))
        for (uint32_t t = 0; t < w->c->block; t++) {
            const uint64_t to = from + chunk_of(w) < w->c->n ? from + chunk_of(w) : w->c->n;
            x = every(w, x, from + t, to, w->c->block);
        }
    return x;
}
static union value partials_backward(const struct wrong *w) {
    union value x = reference_identity(w->v);
    for (uint64_t from = 0; from < w->c->n; from += chunk_of(w)) {
        const uint64_t to = from + chunk_of(w);
        x = reference_combine(w->v, range(w, (uint32_t)from, to < w->c->n ? (uint32_t)to : w->c->n), x);
    }
    return x;
}
static union value out_of_order(const struct wrong *w) {
    const union value right = range(w, 0, w->c->n);
    return reference_same_operands(w->v, right, w->got) ? w->got : right;
}
/* Pairs: what is given back is one of them, or none. */
static bool is_pair(const struct wrong *w) {
    bool found = false;
    for (uint32_t k = 0; k < w->c->n && !found; k++)
        found = reference_equal(w->v, reference_load(w->v, w->data, k), w->got);
    return found;
}
/* The value is the right one. */
static bool is_value(const struct wrong *w, union value right) {
    const double x = reference_double(w->v, right), y = reference_double(w->v, w->got);
    return x == y || (isnan(x) && isnan(y));
}
/* To another element, or to identity(). */
static union value tie_lost(const struct wrong *w) {
    const union value right = range(w, 0, w->c->n);
    const bool to = is_pair(w) || reference_equal(w->v, w->got, reference_identity(w->v));
    return is_value(w, right) && to ? w->got : right;
}
static union value index_of_none(const struct wrong *w) { return is_pair(w) ? range(w, 0, w->c->n) : w->got; }
static union value nan_lost(const struct wrong *w) {
    const union value right = range(w, 0, w->c->n);
    return isnan(reference_double(w->v, right)) && !isnan(reference_double(w->v, w->got)) ? w->got : right;
}
static union value first_chunk(const struct wrong *w) {
    return range(w, 0, chunk_of(w) < w->c->n ? chunk_of(w) : w->c->n);
}
static union value chunks_rounded_down(const struct wrong *w) { return range(w, 0, down(w->c->n, w->c->grid)); }
static union value last_chunk_missing(const struct wrong *w) {
    return range(w, 0, w->c->n ? down(w->c->n - 1, chunk_of(w)) : 0);
}
static union value even_elements(const struct wrong *w) {
    union value x = reference_identity(w->v);
    for (uint32_t k = 0; k < w->c->n; k += 2) x = reference_combine(w->v, x, range(w, k, k + 1));
    return x;
}
static union value overlapping(const struct wrong *w) {
    union value x = reference_identity(w->v);
    const uint32_t blocks = (w->c->n + w->segment - 1) / w->segment;
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t from = b * w->c->block, to = from + w->segment;
        x = reference_combine(w->v, x, range(w, from, to < w->c->n ? to : w->c->n));
    }
    return x;
}

/* Where a mistake can be: n beyond one segment, n within one; kernels of segments, kernels of one block that loop,
 * grid-stride kernels on several blocks; kernels whose input may begin anywhere, and where it does not begin at a
 * multiple of 16 bytes; kernels with a chunk a block, on several blocks; where operands do not commute; pairs. */
enum {
    MANY = 1,
    FEW = 2,
    SEGMENTS = 4,
    LOOP = 8,
    GRID = 16,
    VECTORS = 32,
    ODD_START = 64,
    CHUNKS = 128,
    ORDER = 256,
    PAIRS = 512
};
static const struct {
    union value (*as)(const struct wrong *);
    unsigned where;
    const char *text;
} mistakes[] = {
    {with_lead, ODD_START, "elements before the input are counted: it need not begin at a multiple of 16 bytes"},
    {no_head, ODD_START, "the elements before the first multiple of 16 bytes are missing"},
    {no_vector_tail, VECTORS, "the elements behind the last whole vector of 16 bytes are missing"},
    {every_block_all, GRID,
     "every block counts all elements: begin at blockIdx.x*blockDim.x + threadIdx.x, go on by gridDim.x*blockDim.x"},
    {block_0_of_grid, MANY | GRID, "only block 0's elements are counted: are all partials combined?"},
    {first_round, MANY | GRID,
     "only the first gridDim.x*blockDim.x elements are counted: go on by that many while i < n"},
    {tie_lost, PAIRS,
     "the value is right, the index is not: of equal values the lower index wins, wherever it comes from"},
    {backward, ORDER, "operands swapped, all of them: combine(a, b) where a stands before b in the input"},
    {partials_backward, ORDER | CHUNKS,
     "the partials are combined in the wrong order: that of block b stands before that of block b + 1"},
    {by_grid_stride, ORDER | CHUNKS,
     "not in order: threads that stride over the whole grid combine elements far apart; a block takes a chunk"},
    {by_block_stride, ORDER,
     "not in order: a thread that goes on by blockDim.x combines elements that are not neighbours"},
    {out_of_order, ORDER,
     "operands swapped: all are there, but not in order; combine neighbours only, the left one first"},
    {first_chunk, CHUNKS, "only block 0's chunk is counted: are all partials combined?"},
    {last_chunk_missing, CHUNKS, "the last chunk is missing: round its length up, and end it at n"},
    {chunks_rounded_down, CHUNKS,
     "the last n % gridDim.x elements are missing: the length of a chunk is n / gridDim.x rounded up"},
    {every_block_all, CHUNKS, "every block counts all elements: block b begins at b * chunk and ends before the next"},
    {doubled, 0, "every element is counted twice"},
    {first_segment, MANY | SEGMENTS,
     "only block 0's segment is counted: do the other blocks read their own segment and write their own partial?"},
    {first_segment, MANY | LOOP,
     "only the first blockDim.x elements are counted: each thread goes on with i += blockDim.x while i < n"},
    {first_block_missing, MANY | SEGMENTS,
     "block 0's segment is missing: does block b begin at element 2*blockDim.x*b?"},
    {last_segment, MANY | SEGMENTS, "only the last block's segment is counted: are all partials combined?"},
    {no_tail, MANY | SEGMENTS,
     "the last, incomplete segment is missing: elements past the last full 2*blockDim.x are never read"},
    {no_tail, MANY | LOOP, "elements past the last full blockDim.x are missing: loop while i < n"},
    {last_block_missing, MANY | SEGMENTS, "the last block's segment is missing"},
    {overlapping, MANY | SEGMENTS,
     "segments overlap: a block begins at element 2*blockDim.x*blockIdx.x, not at blockDim.x*blockIdx.x"},
    {first_halves, MANY | SEGMENTS, "the upper half of each segment is missing: a block covers 2*blockDim.x elements"},
    {first_half, FEW | SEGMENTS, "the upper half of the segment is missing: a block covers 2*blockDim.x elements"},
    {no_tail_of_block, 0,
     "elements past the last full blockDim.x are missing: guard each element by itself, not the whole block"},
    {last_missing, 0, "the last element is missing: is a comparison with n off by one?"},
    {first_missing, 0, "the first element is missing"},
    {first_element, 0, "the result is the first element alone: nothing is combined into it"},
    {last_element, 0, "the result is the last element alone: nothing is combined into it"},
    {even_elements, 0, "the elements with an odd index are missing: is the step with stride 1 there?"},
    {with_zero, 0, "0 was combined in where there is no element: use identity(), which is not 0 for this operator"},
    {only_identity, 0, "the result is identity(): no element is counted"},
    {only_zero, 0, "the result is 0"},
    {nan_lost, PAIRS, "a NaN was passed over: NaN wins, and every comparison with it is false"},
    {index_of_none, PAIRS, "no element has this value at this index: value and index travel together"},
};
_Static_assert(sizeof mistakes / sizeof *mistakes < 64, "a row is a bit of the mask");

static uint32_t segment_of(const struct grade_case *c) {
    const bool loop = c->kernel->one_block || c->kernel->grid_stride || !c->kernel->elements;
    return (loop ? 1 : c->kernel->elements) * c->block;
}
uint64_t symptom(const struct grade_case *c, const void *data, const struct outcome *o) {
    const struct wrong w = {c, data, c->variant, segment_of(c), o->got};
    const unsigned several = c->kernel->ordered ? CHUNKS : GRID;
    const unsigned shape = c->kernel->grid_stride ? (c->grid > 1          ? several
                                                     : c->kernel->ordered ? 0
                                                                          : LOOP)
                           : c->kernel->one_block ? LOOP
                                                  : SEGMENTS;
    const unsigned here = (c->n > w.segment ? MANY : FEW) |
                          (variant_commutes(c->variant) ? variant_is_struct(c->variant) ? PAIRS : 0 : ORDER) |
                          (c->offset ? ODD_START : 0) | (c->kernel->any_start ? VECTORS : 0) | shape;
    uint64_t found = 0;
    for (unsigned k = 0; !o->unwritten && k < sizeof mistakes / sizeof *mistakes; k++) {
        if ((mistakes[k].where & here) != mistakes[k].where) continue;
        if (reference_equal(c->variant, mistakes[k].as(&w), o->got)) found |= UINT64_C(1) << k;
    }
    return found;
}
const char *symptom_text(uint64_t found) { return found ? mistakes[__builtin_ctzll(found)].text : ""; }

int64_t symptom_missing(const struct grade_case *c, const void *data, const struct outcome *o) {
    const struct wrong w = {c, data, c->variant, c->block, o->got};
    for (uint32_t k = 0; c->n <= 4096 && k < c->n; k++)
        if (reference_equal(c->variant, without(&w, k, k + 1), o->got)) return k;
    return -1;
}
