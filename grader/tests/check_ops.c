/* Tests instructions by which lanes cooperate (memory order, control, barriers, exchange), with small programs of
 * one warp or block (ops/warps.def). Also tests matrix products, bulk copies and tensor copies. Other programs test
 * the rest: check_ops_lanes.c (instructions that lanes execute independently), check_ops_convert.c (moves and
 * conversions), check_ops_memory.c (loads, stores and atomics), check_ops_textures.c, check_ops_surfaces.c and
 * check_ops_video.c. */
/* run: 5 s, gpu */
/* reads: nothing */
#include "ptx/parser.h"
#include "tests/ops/narrow.h"
#include "tests/ops/programs.h"
#include "tests/ops/tensors.h"
#include "tests/ops/groups.h"

#define PROGRAM(name, module, body, expression)                                                                        \
    static uint64_t expected_##name(uint32_t t) { return (void)t, (uint32_t)(expression); }
#include "tests/ops/warps.def"
static const struct program programs[] = {
#define PROGRAM(name, module, body, expression) {#name, module, body, expected_##name},
#include "tests/ops/warps.def"
};
enum { PROGRAMS = sizeof programs / sizeof *programs };
START_TEST(program_is_right) { check_program(&programs[_i % PROGRAMS], instruction_sets[_i / PROGRAMS]); }
END_TEST

/* Instructions that end a thread or a launch. */
static const struct end {
    const char *body;
    enum sim_status status;
    int fault; /* -1 for none */
} ends[] = {
    {"exit;", SIM_DONE, -1},
    {"ret;", SIM_DONE, -1},
    {".reg .pred %p;\n.reg .b32 %t;\nmov.u32 %t, %tid.x;\nsetp.lt.u32 %p, %t, 5;\n@%p exit;\n@!%p ret;", SIM_DONE, -1},
    {"trap;", SIM_STOPPED, SIM_FAULT_TRAP},
    {"brkpt;", SIM_STOPPED, SIM_FAULT_TRAP},
};
START_TEST(exit_instructions_end_launches) {
    static struct run r;
    struct text t = {.length = 0};
    uint64_t nothing = 0;
    text_add(&t, HEADER ".visible .entry k(.param .u64 to, .param .u64 from) {\n" TESTED "%s\n}\n", ends[_i].body);
    r = (struct run){.text = t.data, .in = &nothing, .in_bytes = 8, .out = &nothing, .out_bytes = 8};
    run(&r);
    ck_assert_int_eq(r.status, ends[_i].status);
    ck_assert_uint_eq(r.faults, ends[_i].fault >= 0);
    if (r.faults) ck_assert_int_eq(r.fault[0].kind, ends[_i].fault);
}
END_TEST
START_TEST(product_is_right) {
    check_product(&products[_i / 2], _i % 2);
    ck_assert_uint_eq(coverage->row[products[_i / 2].a == PTX_B1 ? PTX_OP_mma_bits : PTX_OP_mma], 1);
}
END_TEST
START_TEST(sparse_product_is_right) {
    check_sparse(&sparses[_i / 2], _i % 2);
    ck_assert_uint_eq(coverage->row[_i % 2 ? PTX_OP_mma_sparse_ordered : PTX_OP_mma_sparse], 1);
}
END_TEST
START_TEST(four_products_are_right) {
    const enum ptx_op rows[] = {PTX_OP_mma, PTX_OP_mma_rr, PTX_OP_mma_cr, PTX_OP_mma_cc};
    check_quads((unsigned)_i / 2, _i % 2);
    ck_assert_uint_eq(coverage->row[rows[_i / 2]], 1);
}
END_TEST
START_TEST(product_of_narrow_elements_is_right) {
    check_narrow(&narrows[_i]);
    ck_assert_uint_eq(coverage->row[narrows[_i].type == PTX_B1 ? PTX_OP_wmma_bits : PTX_OP_wmma_nibbles], 1);
}
END_TEST
START_TEST(product_without_terms) { check_product_without(&products[_i]); }
END_TEST
START_TEST(product_from_memory_is_right) {
    check_wmma(&wmmas[_i / 2], _i % 2);
    const enum ptx_op moves[] = {PTX_OP_wmma_load_a, PTX_OP_wmma_load_b, PTX_OP_wmma_load_c, PTX_OP_wmma_store};
    for (unsigned k = 0; k < sizeof moves / sizeof *moves; k++) ck_assert_uint_eq(coverage->row[moves[k]], 1);
}
END_TEST
/* The programs must have run wmma.mma with each memory layout of A and B. */
START_TEST(every_layout_was_run) {
    const enum ptx_op rows[] = {PTX_OP_wmma_rc,      PTX_OP_wmma_rr,      PTX_OP_wmma_cc,      PTX_OP_wmma_cr,
                                PTX_OP_wmma_half_rc, PTX_OP_wmma_half_rr, PTX_OP_wmma_half_cc, PTX_OP_wmma_half_cr};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) ck_assert_uint_eq(coverage->row[rows[k]], 1);
}
END_TEST
/* Each of these rows must have run. Lint cannot find them by mnemonic, because .shared::cluster separates the words of
 * the mnemonics in the programs. */
START_TEST(every_bulk_copy_was_run) {
    const enum ptx_op rows[] = {PTX_OP_bulk_load, PTX_OP_bulk_load_many, PTX_OP_bulk_pass, PTX_OP_bulk_store,
                                PTX_OP_bulk_sum,  PTX_OP_bulk_sum_pass,  PTX_OP_st_async,  PTX_OP_red_async};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) ck_assert_uint_eq(coverage->row[rows[k]], 1);
}
END_TEST
START_TEST(product_of_a_group_is_right) {
    check_group(&group_tests[_i]);
    const enum ptx_op rows[] = {PTX_OP_wgmma, PTX_OP_wgmma_fence, PTX_OP_wgmma_commit, PTX_OP_wgmma_wait};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) ck_assert_uint_eq(coverage->row[rows[k]], 1);
}
END_TEST
START_TEST(tile_is_right) { check_tensor(&tensor_tests[_i / SIM_TENSOR_RANK], 1 + _i % SIM_TENSOR_RANK); }
END_TEST
START_TEST(every_tile_was_run) {
    const enum ptx_op rows[] = {PTX_OP_tensor_load, PTX_OP_tensor_load_many, PTX_OP_tensor_store, PTX_OP_tensor_sum,
                                PTX_OP_tensor_prefetch};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) ck_assert_uint_eq(coverage->row[rows[k]], 1);
}
END_TEST
START_TEST(tensor_map_fields_are_set) {
    check_map_field(&map_fields[_i]);
    ck_assert_uint_eq(coverage->row[PTX_OP_map_replace], 1);
    ck_assert_uint_eq(coverage->row[PTX_OP_map_copy], 1);
}
END_TEST
START_TEST(every_row_was_run) { coverage_check(TESTED_BY_OPS); }
END_TEST

int main(void) {
    TCase *t = tcase_create("warps");
    coverage_begin();
    add_for_sets(t, program_is_right, PROGRAMS, "check_ops");
    tcase_add_loop_test(t, exit_instructions_end_launches, 0, sizeof ends / sizeof *ends);
    tcase_add_loop_test(t, product_is_right, 0, 2 * PRODUCTS);
    tcase_add_loop_test(t, sparse_product_is_right, 0, 2 * SPARSES);
    tcase_add_loop_test(t, four_products_are_right, 0, 8);
    tcase_add_loop_test(t, product_of_narrow_elements_is_right, 0, NARROWS);
    tcase_add_loop_test(t, product_without_terms, 0, PRODUCTS);
    tcase_add_loop_test(t, product_from_memory_is_right, 0, 2 * WMMAS);
    tcase_add_test(t, every_layout_was_run);
    tcase_add_loop_test(t, product_of_a_group_is_right, 0, GROUP_TESTS);
    tcase_add_loop_test(t, tile_is_right, 0, TENSOR_TESTS);
    tcase_add_test(t, every_tile_was_run);
    tcase_add_loop_test(t, tensor_map_fields_are_set, 0, MAP_FIELDS);
    tcase_add_test(t, every_bulk_copy_was_run);
    tcase_add_test(t, every_row_was_run);
    return run_suite("ops", t);
}
