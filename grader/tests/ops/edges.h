/* Values that instructions are likely to get wrong, by type: limits, powers of two, shift amounts near the width,
 * floats of every class, and pairs whose results lie halfway between two floats. */
#ifndef TESTS_OPS_EDGES_H
#define TESTS_OPS_EDGES_H

#include "base/random.h"
#include "tests/ops/exact.h"
#include "tests/ops/run.h"

/* The most useful values come first: for an instruction with many operands, only the first few of each table are
 * used. */
static const uint64_t edges_16[] = {0,      0x8000, 0xffff, 1,      0x7fff, 2,      0x0100, 0x5a5a, 0x00ff,
                                    0x8001, 0xfffe, 0x4000, 3,      0x0080, 0xff80, 10,     0xaaaa, 0x5555,
                                    0x7ffe, 0xf000, 0x000f, 0xc000, 0xff00, 0x1234, 7,      100};
static const uint64_t edges_32[] = {0,          0x80000000, 0xffffffff, 1,          0x7fffffff, 2,  0x00010000,
                                    0xdeadbeef, 0x80000001, 0xfffffffe, 0x0000ffff, 0x40000000, 3,  0x00ffffff,
                                    0x01000000, 0xff000000, 0x00800000, 0xaaaaaaaa, 0x55555555, 10, 0xfffffff6,
                                    0x7ffffffe, 0xc0000000, 0xf0f0f0f1, 0xffff0000, 31};
static const uint64_t edges_64[] = {0,
                                    0x8000000000000000,
                                    0xffffffffffffffff,
                                    1,
                                    0x7fffffffffffffff,
                                    2,
                                    0x0000000100000000,
                                    0xdeadbeefcafef00d,
                                    0x8000000000000001,
                                    0xfffffffffffffffe,
                                    0x00000000ffffffff,
                                    0x4000000000000000,
                                    0x0000000080000000,
                                    0xffffffff00000000,
                                    3,
                                    0x0000000100000001,
                                    0xaaaaaaaaaaaaaaaa,
                                    0x5555555555555555,
                                    10,
                                    0xfffffffffffffff6,
                                    0xffffffff80000000,
                                    0x0020000000000001,
                                    0x0040000000000001,
                                    0xc000000000000000,
                                    0x00ffffffffffffff,
                                    63};
/* Zeros, infinities, quiet NaNs with payloads, subnormal and normal limits, 1 and -1 and their neighbors, and numbers
 * such as 0.5. */
static const uint64_t edges_f32[] = {0x00000000, 0x80000000, 0x7fc00000, 0x7f800000, 0x00000001, 0x3f800000, 0xbf800000,
                                     0x7f7fffff, 0x33800000, 0x80800000, 0xff800000, 0x00800000, 0x807fffff, 0x3f800001,
                                     0xb3800000, 0xff7fffff, 0x7fa00001, 0x3f7fffff, 0x33800001, 0x3f000000, 0x40000000,
                                     0x3fc00000, 0x40400000, 0xffc12345, 0x34000000, 0x00ffffff, 0x40200000, 0x4b000001,
                                     0x4b7fffff, 0x3effffff, 0x7f000000, 0xbf000000};
static const uint64_t edges_f64[] = {0x0000000000000000, 0x8000000000000000, 0x7ff8000000000000, 0x7ff0000000000000,
                                     0x0000000000000001, 0x3ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff,
                                     0x3ca0000000000000, 0x8010000000000000, 0xfff0000000000000, 0x0010000000000000,
                                     0x800fffffffffffff, 0x3ff0000000000001, 0xbca0000000000000, 0xffefffffffffffff,
                                     0x7ff4000000000001, 0x3fefffffffffffff, 0x3ca0000000000001, 0x3fe0000000000000,
                                     0x4000000000000000, 0x3ff8000000000000, 0x4008000000000000, 0xfff8123456789abc,
                                     0x3cb0000000000000, 0x001fffffffffffff, 0x4004000000000000, 0x4330000000000001,
                                     0x433fffffffffffff, 0x3fdfffffffffffff, 0x7fe0000000000000, 0xbfe0000000000000};
static const uint64_t edges_f16[] = {0x0000, 0x8000, 0x7e00, 0x7c00, 0x0001, 0x3c00, 0xbc00, 0x7bff, 0x0400, 0x83ff,
                                     0xfc00, 0x3c01, 0x3800, 0x3e00, 0x4100, 0xfbff, 0x7d01, 0x3bff, 0x6400, 0x5640};
static const uint64_t edges_bf16[] = {0x0000, 0x8000, 0x7fc0, 0x7f80, 0x0001, 0x3f80, 0xbf80, 0x7f7f, 0x0080, 0x807f,
                                      0xff80, 0x3f81, 0x3f00, 0x3fc0, 0x4020, 0xff7f, 0x7fa1, 0x3f7f, 0x4300, 0x42c8};
static const uint64_t edges_amount[] = {0,  31, 32, 64, 255, 1,   33,         63, 0xffffffff, 16,
                                        15, 17, 65, 5,  128, 256, 0x80000000, 8,  257,        288};
static const uint64_t edges_truth[] = {0, 1};
static const uint64_t edges_8[] = {0, 0x80, 0xff, 1, 0x7f, 2, 0x5a, 0x81, 0xfe, 0x40};

struct edges {
    const uint64_t *values;
    unsigned count;
};
#define EDGES(table) ((struct edges){table, sizeof(table) / sizeof *(table)})
/* Returns edge values for pairs. Every edge value occurs once in each half of a pair, with a different value in the
 * other half. */
static inline struct edges edges_of_pairs(enum ptx_type t) {
    static uint64_t pairs[2][sizeof edges_f16 / sizeof *edges_f16];
    const uint64_t *single = t == PTX_F16X2 ? edges_f16 : edges_bf16;
    const unsigned count = sizeof edges_f16 / sizeof *edges_f16;
    uint64_t *made = pairs[t == PTX_F16X2];
    for (unsigned k = 0; k < count; k++) made[k] = single[k] | single[(7 * k + 3) % count] << 16;
    return (struct edges){made, count};
}
static inline struct edges edges_of(enum ptx_type t) {
    if (is_pair_type(t)) return edges_of_pairs(t);
    if (t == PTX_PRED) return EDGES(edges_truth);
    if (t == PTX_F32) return EDGES(edges_f32);
    if (t == PTX_F64) return EDGES(edges_f64);
    if (t == PTX_F16) return EDGES(edges_f16);
    if (t == PTX_BF16) return EDGES(edges_bf16);
    switch (ptx_type_bits(t)) {
    case 8: return EDGES(edges_8);
    case 16: return EDGES(edges_16);
    case 32: return EDGES(edges_32);
    default: return EDGES(edges_64);
    }
}
/* Draws arbitrary bits, a small number or, for floats, a number with a moderate exponent. Sums and products of the
 * latter are rounded and do not overflow. */
static inline uint64_t random_value(enum ptx_type t, const struct edges *e, uint64_t *state) {
    if (is_pair_type(t)) {
        const struct edges single = edges_of(single_type(t));
        const uint64_t low = random_value(single_type(t), &single, state);
        return low | random_value(single_type(t), &single, state) << 16;
    }
    const uint64_t any = random_next(state), choice = random_next(state) % 8;
    const unsigned bits = ptx_type_bits(t);
    if (choice == 0) return e->values[any % e->count];
    if (choice < 3) return any & low_bits(bits);
    if (!is_float_type(t)) return (any >> (random_next(state) % 64)) & low_bits(bits);
    const uint64_t spread = random_next(state) % (2 * fraction_bits(t)), middle = one_bits(t) >> fraction_bits(t);
    const uint64_t exponent = (middle + spread - fraction_bits(t)) & low_bits(bits - 1 - fraction_bits(t));
    const uint64_t fraction = choice == 3 ? 0 : choice == 4 ? low_bits(fraction_bits(t)) & ~(any >> 40 & 1) : any;
    return (any >> 63) << (bits - 1) | exponent << fraction_bits(t) | (fraction & low_bits(fraction_bits(t)));
}

#endif
