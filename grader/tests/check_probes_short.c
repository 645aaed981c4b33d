/* Tests shortcuts in probes and in the simulator: they must give the same results as the general code. The shortcuts
 * are the counts and shadow cells of lanes at a constant step, and spans of whole warps, which are counted without a
 * report for each span. */
/* run: sanitized, 5 s */
/* reads: nothing */
#include "base/random.h"
#include "probes/shadow.h"
#include "sim/sim.h"
#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>

enum { ROUNDS = 200000, BYTES = 1 << 16 };

/* Draws an access of at least two lanes at a constant random step. If the test sets `step` to 0, the probes use the
 * general code for the same access. */
static struct sim_object object = {.kind = SIM_BUFFER, .space = PTX_GLOBAL, .address = 1 << 20, .size = BYTES};
static uint64_t offset[SIM_WARP];
static struct sim_access draw(uint64_t *random) {
    const uint64_t r = random_next(random);
    const uint16_t bytes = (uint16_t)(1 << (r & 3)); /* one access in eight has 16 bytes; the others have 1 to 8 */
    struct sim_access e = {.mask = (uint32_t)random_next(random), .bytes = r >> 2 & 7 ? bytes : 16, .object = &object};
    if (r >> 5 & 1) e.mask &= (uint32_t)random_next(random) & (uint32_t)random_next(random);
    if (r >> 6 & 1) e.mask = UINT32_MAX >> (r >> 8 & 31) << (r >> 13 & 7);
    if (r >> 7 & 1) e.mask &= 0x55555555u;
    e.mask |= 3u << (r >> 16 & 15); /* a single lane has no step */
    const unsigned steps = r >> 20 & 1 ? 1u << (r >> 21 & 5) : 1 + (r >> 21 & 31);
    e.step = (r >> 28 & 7 ? 1 : -1) * (int64_t)(steps * e.bytes);
    const uint64_t start = BYTES / 2 + (r >> 32 & 255) / e.bytes * e.bytes;
    for (unsigned l = 0; l < SIM_WARP; l++) offset[l] = start + l * (uint64_t)e.step;
    e.offset = offset, e.contiguous = e.step == e.bytes;
    return e;
}

START_TEST(steps_are_counted_like_lanes) {
    uint64_t random = 1, wide = 0;
    for (unsigned k = 0; k < ROUNDS; k++) {
        struct sim_access e = draw(&random), plain = e;
        unsigned sectors, ideal, expected, expected_ideal;
        plain.step = 0;
        const bool run = probe_sectors_of(&e, &sectors, &ideal);
        ck_assert(probe_sectors_of(&plain, &expected, &expected_ideal) == run);
        ck_assert_msg(sectors == expected && ideal == expected_ideal,
                      "%u lanes, %u bytes, step %ld: %u sectors, not %u", lanes_in(e.mask), e.bytes, (long)e.step,
                      sectors, expected);
        const struct probe_wavefronts own = probe_wavefronts(&e), other = probe_wavefronts(&plain);
        ck_assert_msg(own.wavefronts == other.wavefronts && own.ideal == other.ideal,
                      "mask %08x, %u bytes, step %ld: %u wavefronts, not %u", e.mask, e.bytes, (long)e.step,
                      own.wavefronts, other.wavefronts);
        wide += own.wavefronts > 1;
    }
    ck_assert_uint_gt(wide, ROUNDS / 10);
}
END_TEST

/* Sets lane[k] to 1 plus the lane that accesses byte k, or to 0 if no lane does. Uses shadow_any() and returns the
 * number of its pieces. */
static unsigned bytes_by_pieces(const struct sim_access *e, uint8_t lane[BYTES]) {
    struct shadow s = {0};
    unsigned pieces = 0;
    memset(lane, 0, BYTES);
    shadow_size(&s, BYTES);
    for (uint32_t lanes = e->mask, next; lanes; lanes = next, pieces++) {
        const struct shadow_piece p = shadow_any(&s, e, 1, lanes);
        struct mark m = {.cells = p.cells, .lanes = p.lanes, .rule = p.rule};
        next = p.rest;
        ck_assert(p.cells && p.lanes && (p.lanes | next) == lanes && !(p.lanes & next));
        EACH_LANE (cell, p.cells) {
            const uint32_t of = mark_lanes(&m, cell);
            ck_assert(of && !(of & (of - 1)) && of & p.lanes);
            for (unsigned k = 0; k < p.cell_bytes; k++)
                lane[p.offset + cell * p.cell_bytes + k] = (uint8_t)(lowest_lane(of) + 1);
        }
    }
    shadow_free(&s);
    return pieces;
}
START_TEST(steps_mark_the_cells_of_their_lanes) {
    static uint8_t lane[BYTES], expected[BYTES];
    uint64_t random = 2, pieces = 0, others = 0;
    for (unsigned k = 0; k < ROUNDS / 100; k++) {
        struct sim_access e = draw(&random), plain = e;
        plain.step = 0;
        pieces += bytes_by_pieces(&e, lane), others += bytes_by_pieces(&plain, expected);
        ck_assert_msg(!memcmp(lane, expected, BYTES), "mask %08x, %u bytes, step %ld", e.mask, e.bytes, (long)e.step);
        EACH_LANE (l, e.mask) ck_assert_uint_eq(lane[offset[l]], l + 1);
    }
    ck_assert_uint_le(pieces, others);
}
END_TEST

static const char kernel[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
                             ".reg .u32 %r<4>; .reg .pred %p<3>;\nmov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
                             "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r1, 9;\n@%p1 bra S;\nadd.u32 %r3, %r2, %r1;\n"
                             "S: bar.sync 0; setp.lt.u32 %p2, %r2, 5;\n@%p2 bra L;\nret;\n}\n";
struct tally {
    uint64_t instructions, counted;
    bool asks; /* whether the listener requests the spans of block 1 */
};
static void span(void *self, const struct sim_span *e) {
    ((struct tally *)self)->instructions += e->end - e->begin;
    if (e->mask == UINT32_MAX) ck_assert(!((struct tally *)self)->asks || e->where->block == 1);
}
static void block_begin(void *self, const struct sim_block_event *e) {
    if (((struct tally *)self)->asks && e->where->block == 1) *e->spans = true;
}
static void launch_end(void *self, const struct sim_launch_info *launch) {
    uint64_t times = 0;
    for (uint32_t pc = 0; launch->whole_spans && pc < launch->code_count; pc++)
        ((struct tally *)self)->counted += times += launch->whole_spans[pc];
}
/* Launches 3 blocks of 96 threads. Returns the number of warp-instructions executed. */
static uint64_t count_spans(bool counts_whole, struct tally *tally) {
    const struct sim_probe probe = {.name = "spans",
                                    .block_begin = block_begin,
                                    .span = span,
                                    .launch_end = launch_end,
                                    .counts_whole = counts_whole};
    const struct sim_listener listener = {&probe, tally};
    struct ptx_error error;
    struct sim_error why;
    struct sim_stats stats;
    struct ptx_module *m = ptx_parse(kernel, sizeof kernel - 1, "k.ptx", &error);
    struct sim_program *p = sim_program_new(m, &why);
    struct sim *s = sim_new(p, &(struct sim_options){0});
    const uint64_t nothing = 0;
    const struct sim_launch launch = {.kernel = "k",
                                      .grid = {3, 1, 1},
                                      .block = {96, 1, 1},
                                      .params = (const void *const[]){&nothing},
                                      .param_count = 1,
                                      .listeners = &listener,
                                      .listener_count = 1};
    ck_assert_int_eq(sim_launch(s, &launch, &stats, &why), SIM_DONE);
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
    return stats.warp_instructions;
}
START_TEST(counted_spans_and_reported_ones_add_up) {
    struct tally reported = {0}, counted = {0}, asks = {.asks = true};
    const uint64_t all = count_spans(false, &reported);
    ck_assert_uint_eq(reported.instructions, all);
    ck_assert_uint_eq(reported.counted, 0);
    ck_assert_uint_eq(count_spans(true, &counted), all);
    ck_assert_uint_eq(counted.instructions + counted.counted, all);
    ck_assert_uint_eq(count_spans(true, &asks), all);
    ck_assert_uint_eq(asks.instructions + asks.counted, all);
    ck_assert(asks.counted && asks.counted < counted.counted && counted.instructions);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shortcuts");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, steps_are_counted_like_lanes);
    tcase_add_test(tc, steps_mark_the_cells_of_their_lanes);
    tcase_add_test(tc, counted_spans_and_reported_ones_add_up);
    suite_add_tcase(suite, tc);
    return suite_failures(suite) != 0;
}
