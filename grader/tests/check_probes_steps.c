/* Tests steps with handmade events: their kinds, divergence, and the lane map. */
/* reads: nothing */
#include <stdio.h>
#include "stage.h"
#include "tests/suite.h"

enum { FULL = -1 };

/* Asserts the contents of step k of the lane map: kind, key (barrier and sync), active lanes, active warps,
 * divergent warps, and the line of the first divergent branch. */
static void expect_step(unsigned k, enum step_kind kind, unsigned barrier, unsigned sync, unsigned lanes,
                        unsigned warps, unsigned divergent_warps, unsigned split_line) {
    const struct step *s = &steps_of(&stage.m)->item[k];
    ck_assert_msg(k < steps_of(&stage.m)->count, "no step %u", k);
    ck_assert_msg(s->kind == kind && s->barrier == barrier && s->sync == sync && s->active_lanes == lanes &&
                      s->active_warps == warps && s->divergent_warps == divergent_warps &&
                      s->divergent == (divergent_warps > 0) && s->split_line == split_line,
                  "step %u: kind %d key %u.%u, %u lanes in %u warps active, %u divergent, split on line %u", k, s->kind,
                  s->barrier, s->sync, s->active_lanes, s->active_warps, s->divergent_warps, s->split_line);
}

/* Plays a tree over 2m elements in a block of m threads. For m = 1024, these are a load, 11 levels and the result
 * (claims K2 and K3 in check_claims.c). Instruction 10 is the branch around a level, and instruction 20 the branch
 * around the result. */
static void play_tree(unsigned m, bool interleaved, bool barrier_first) {
    stage_launch(1, m);
    unsigned warps = m / 32;
    for (unsigned w = 0; w < warps; w++) {
        stage_span(0, w, 0, 5, (uint32_t)FULL);
        stage_touch(0, w, (uint32_t)FULL, 1, SIM_LOAD, "in", 4, (int)(32 * w), 1);
        stage_touch(0, w, (uint32_t)FULL, 2, SIM_STORE, "s", 4, (int)(32 * w), 1);
    }
    for (unsigned k = interleaved ? 1 : m; interleaved ? k <= m : k > 0; k = interleaved ? 2 * k : k / 2) {
        stage_barrier(0, 6);
        for (unsigned w = 0; w < warps; w++) {
            uint32_t active = 0;
            for (unsigned l = 0; l < 32; l++)
                if (interleaved ? (32 * w + l) % k == 0 : 32 * w + l < k) active |= 1u << l;
            stage_span(0, w, 8, 11, (uint32_t)FULL);
            struct sim_branch split = {&stage.where[0][w], 10, (uint32_t)FULL, ~active, 16};
            if (active && active != (uint32_t)FULL) TELL(branch, &split);
            if (!active) continue;
            stage_span(0, w, 11, 16, active);
            stage_touch(0, w, active, 12, SIM_LOAD, "s", 4, 0, 1);
            stage_touch(0, w, active, 13, SIM_LOAD, "s", 4, 32, 1);
            stage_touch(0, w, active, 14, SIM_STORE, "s", 4, 0, 1);
        }
    }
    if (!barrier_first) stage_barrier(0, 6);
    for (unsigned w = 0; w < warps; w++) stage_span(0, w, 18, 21, (uint32_t)FULL);
    struct sim_branch split = {&stage.where[0][0], 20, (uint32_t)FULL, ~1u, 30};
    TELL(branch, &split);
    stage_span(0, 0, 21, 25, 1);
    stage_touch(0, 0, 1, 22, SIM_LOAD, "s", 4, 0, 1);
    stage_touch(0, 0, 1, 23, SIM_STORE, "out", 4, 0, 1);
    stage_end_launch();
}
static const struct {
    bool interleaved, barrier_first;
    unsigned divergent_tree, divergent;
} tree_rows[] = {{true, false, 10, 11}, {true, true, 10, 10}, {false, false, 5, 6}, {false, true, 5, 5}};
START_TEST(trees_of_1024_threads) {
    stage_begin(MEASURE_COUNTS | MEASURE_STEPS);
    play_tree(1024, tree_rows[_i].interleaved, tree_rows[_i].barrier_first);
    stage_finish();
    ck_assert_uint_eq(steps_of(&stage.m)->tree_steps, 11);
    ck_assert_uint_eq(steps_of(&stage.m)->divergent_tree_steps, tree_rows[_i].divergent_tree);
    ck_assert_uint_eq(steps_of(&stage.m)->divergent_steps, tree_rows[_i].divergent);
    ck_assert_uint_eq(steps_of(&stage.m)->steps, tree_rows[_i].barrier_first ? 12 : 13);
    expect_step(0, STEP_LOAD, 0, 0, 1024, 32, 0, 0);
    expect_step(1, STEP_TREE, 1, 0, 1024, 32, 0, 0);
    if (tree_rows[_i].interleaved) {
        expect_step(2, STEP_TREE, 2, 0, 512, 32, 32, 11);
        expect_step(6, STEP_TREE, 6, 0, 32, 32, 32, 11);
    } else {
        expect_step(6, STEP_TREE, 6, 0, 32, 1, 0, 0);
        expect_step(7, STEP_TREE, 7, 0, 16, 1, 1, 11);
        ck_assert_uint_eq(steps_of(&stage.m)->item[7].active[0], 0xffff);
    }
    if (!tree_rows[_i].barrier_first) expect_step(12, STEP_WRITE, 12, 0, 1, 1, 1, 21);
    /* in the compacted tree, only the last five levels diverge, because every warp is uniform at strides of 32 and
     * more */
    if (!tree_rows[_i].interleaved) ck_assert_uint_eq(stage_line(11)->divergent_steps, 5);
    stage_free();
}
END_TEST

/* A step with a few accesses, and the expected kind of the step. */
struct touch {
    const char *object;
    enum sim_access_kind kind;
    int first;
    uint32_t mask;
};
static const struct {
    const char *name;
    struct touch touches[4];
    enum step_kind kind;
} kind_rows[] = {
    {"nothing", {{0}}, STEP_OTHER},
    {"input to registers", {{"in", SIM_LOAD, 0, 1}}, STEP_LOAD},
    {"input to shared memory", {{"in", SIM_LOAD, 0, 1}, {"s", SIM_STORE, 0, 1}}, STEP_LOAD},
    {"input to output, one thread", {{"in", SIM_LOAD, 0, 1}, {"out", SIM_STORE, 0, 1}}, STEP_LOAD},
    {"combine in shared memory", {{"s", SIM_LOAD, 0, 1}, {"s", SIM_STORE, 0, 1}}, STEP_TREE},
    {"load and combine", {{"in", SIM_LOAD, 0, 1}, {"s", SIM_STORE, 0, 1}, {"s", SIM_LOAD, 0, 1}}, STEP_TREE},
    {"combine in place", {{"data", SIM_LOAD, 0, 1}, {"data", SIM_STORE, 0, 1}}, STEP_TREE},
    {"combine and write", {{"s", SIM_LOAD, 0, 1}, {"s", SIM_STORE, 0, 1}, {"out", SIM_STORE, 0, 1}}, STEP_TREE},
    {"shared memory to output", {{"s", SIM_LOAD, 0, 1}, {"out", SIM_STORE, 0, 1}}, STEP_WRITE},
    {"shared memory to an atomic", {{"s", SIM_LOAD, 0, 1}, {"out", SIM_ATOMIC, 0, 1}}, STEP_WRITE},
    {"result and a flag", {{"s", SIM_LOAD, 0, 1}, {"out", SIM_STORE, 0, 1}, {"s", SIM_STORE, 512, 1}}, STEP_WRITE},
    {"registers to output", {{"out", SIM_STORE, 0, 1}}, STEP_WRITE},
    {"registers to shared memory", {{"s", SIM_STORE, 0, 1}}, STEP_WRITE},
};
START_TEST(kinds_of_steps) {
    stage_begin(MEASURE_STEPS);
    stage_launch(1, 32);
    stage_span(0, 0, 0, 4, (uint32_t)FULL);
    for (unsigned k = 0; k < 4 && kind_rows[_i].touches[k].object; k++) {
        const struct touch *t = &kind_rows[_i].touches[k];
        stage_touch(0, 0, t->mask, 1, t->kind, t->object, 4, t->first, 1);
    }
    stage_end_launch();
    stage_finish();
    ck_assert_uint_eq(steps_of(&stage.m)->count, 1);
    ck_assert_msg(steps_of(&stage.m)->item[0].kind == kind_rows[_i].kind, "%s: kind %d", kind_rows[_i].name,
                  steps_of(&stage.m)->item[0].kind);
    stage_free();
}
END_TEST

/* A tree works in place in global memory. Its last step reads values that the block has written, and writes only the
 * result. */
START_TEST(final_read_of_working_array_is_not_a_load) {
    stage_begin(MEASURE_STEPS);
    stage_launch(1, 32);
    stage_span(0, 0, 0, 4, (uint32_t)FULL);
    stage_touch(0, 0, (uint32_t)FULL, 1, SIM_LOAD, "data", 4, 0, 1);
    stage_touch(0, 0, (uint32_t)FULL, 2, SIM_STORE, "data", 4, 0, 1);
    stage_barrier(0, 5);
    stage_span(0, 0, 6, 9, 1); /* lane 0 is active because of a predicate, not of a branch */
    stage_touch(0, 0, 1, 6, SIM_LOAD, "data", 4, 0, 1);
    stage_touch(0, 0, 1, 7, SIM_STORE, "out", 4, 0, 1);
    stage_end_launch();
    stage_finish();
    expect_step(0, STEP_TREE, 0, 0, 32, 1, 0, 0);
    expect_step(1, STEP_WRITE, 1, 0, 1, 1, 1, 7);
    stage_free();
}
END_TEST

/* Plays to = f(from, from) at `pc`; f is a shuffle or an addition. */
static void stage_computes(unsigned pc, unsigned op, uint32_t to, uint32_t from) {
    struct ptx_insn *i = &stage.insn[pc];
    i->op = op, i->guard = PTX_NO_REG, i->count = 3;
    for (unsigned k = 0; k < 3; k++) i->operand[k] = (struct ptx_operand){.kind = PTX_REGISTER, .reg = k ? from : to};
}
/* Five shuffles are five steps of the tree. This also holds for values of two parts, even if the kernel computes
 * with the first part before it shuffles the second. But if the second shuffle sends a value that depends on what
 * the first one received, there are ten steps. */
enum { ONE_PART, TWO_PARTS, PASSED_ON };
START_TEST(shuffles_end_steps) {
    for (int parts = ONE_PART; parts <= PASSED_ON; parts++) {
        struct ptx_function f = {.code = stage.insn, .code_count = STAGE_CODE, .register_count = 4}, *functions = &f;
        const unsigned steps = parts == PASSED_ON ? 10 : 5;
        stage_begin(MEASURE_STEPS);
        stage.module.functions = &functions, stage.module.function_count = 1;
        for (unsigned pc = 0; pc < 40; pc++) stage_computes(pc, PTX_OP_add_flt, 2, 2);
        for (unsigned k = 0; k < 5; k++) { /* registers 0 and 1: the value; registers 2 and 3: the neighbor's value */
            stage_computes(5 * k, PTX_OP_shfl, 2, 0);
            stage_computes(5 * k + 1, PTX_OP_add_flt, 0, 2);
            if (parts != ONE_PART) stage_computes(5 * k + 2, PTX_OP_shfl, 3, parts == PASSED_ON ? 0 : 1);
            stage_computes(5 * k + 3, PTX_OP_add_flt, parts == PASSED_ON ? 0 : 1, 3);
        }
        stage_launch(1, 32);
        stage_touch(0, 0, (uint32_t)FULL, 39, SIM_LOAD, "in", 4, 0, 1);
        for (unsigned k = 0; k < 5; k++) {
            stage_span(0, 0, 5 * k, 5 * k + 1, (uint32_t)FULL);
            stage_sync(0, 0, 5 * k, (uint32_t)FULL, SIM_SHUFFLE);
            if (parts != ONE_PART) stage_sync(0, 0, 5 * k + 2, (uint32_t)FULL, SIM_SHUFFLE);
            stage_span(0, 0, 5 * k + 1, 5 * k + 5, (uint32_t)FULL);
        }
        stage_touch(0, 0, 1, 30, SIM_STORE, "out", 4, 0, 1);
        stage_end_launch();
        stage_finish();
        ck_assert_uint_eq(steps_of(&stage.m)->tree_steps, steps);
        ck_assert_uint_eq(steps_of(&stage.m)->steps, steps + 1);
        ck_assert_uint_eq(steps_of(&stage.m)->tree_warps_in_memory, 1);
        expect_step(0, STEP_TREE, 0, 0, 32, 1, 0, 0);
        expect_step(steps, STEP_WRITE, 0, steps, 1, 1, 0, 0);
        stage_free(), free(f.facts);
    }
}
END_TEST

/* In each block, the probe finds the thread that loads most bytes. It adds up the bytes that these threads load, and
 * the bytes that the warps of these threads load. Stores do not count. */
START_TEST(loads_of_the_busiest_threads) {
    stage_begin(MEASURE_STEPS);
    stage_launch(2, 64);
    stage_touch(0, 0, (uint32_t)FULL, 1, SIM_LOAD, "in", 4, 0, 1);
    stage_touch(0, 1, 1u << 5, 2, SIM_LOAD, "in", 4, 0, 1);
    stage_touch(0, 1, 1u << 5, 3, SIM_LOAD, "s", 4, 0, 1);
    stage_touch(1, 0, (uint32_t)FULL, 1, SIM_LOAD, "in", 4, 0, 1);
    stage_touch(1, 0, (uint32_t)FULL, 4, SIM_STORE, "out", 4, 0, 1);
    stage_end_launch();
    stage_finish();
    ck_assert_uint_eq(spread_of(&stage.m)->busiest_bytes, 8 + 4);
    ck_assert_uint_eq(spread_of(&stage.m)->busiest_warp, 8 + 32 * 4);
    ck_assert_uint_eq(spread_of(&stage.m)->moved_bytes, 32 * 4 + 8 + 2 * 32 * 4);
    stage_free();
}
END_TEST

/* Only the observed block has a lane map; totals include all blocks. */
START_TEST(another_block_observed) {
    stage_begin(MEASURE_STEPS);
    stage.m.observed_block = 1;
    stage_launch(2, 32);
    for (unsigned b = 0; b < 2; b++) {
        stage_span(b, 0, 0, 4, b ? 0xf : (uint32_t)FULL);
        stage_touch(b, 0, b ? 0xf : (uint32_t)FULL, 1, SIM_LOAD, "in", 4, 0, 1);
    }
    stage_end_launch();
    stage_finish();
    ck_assert_uint_eq(steps_of(&stage.m)->steps, 2);
    ck_assert_uint_eq(steps_of(&stage.m)->divergent_steps, 1);
    ck_assert_uint_eq(steps_of(&stage.m)->count, 1);
    expect_step(0, STEP_LOAD, 0, 0, 4, 1, 1, 1);
    stage_free();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("probes: steps");
    TCase *tc = tcase_create("events");
    tcase_add_loop_test(tc, trees_of_1024_threads, 0, sizeof tree_rows / sizeof *tree_rows);
    tcase_add_loop_test(tc, kinds_of_steps, 0, sizeof kind_rows / sizeof *kind_rows);
    tcase_add_test(tc, final_read_of_working_array_is_not_a_load);
    tcase_add_test(tc, loads_of_the_busiest_threads);
    tcase_add_test(tc, shuffles_end_steps);
    tcase_add_test(tc, another_block_observed);
    suite_add_tcase(suite, tc);
    return suite_failures(suite) != 0;
}
