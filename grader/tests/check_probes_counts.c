/* Tests probes with handmade events: counts, lines, banks, sectors, barriers, bounds and work. Also tests the list
 * of findings. */
/* reads: nothing */
#include <stdio.h>
#include "probes/probe.h"
#include "stage.h"
#include "tests/suite.h"

enum { FULL = -1 };

/* ---- spans ----------------------------------------------------------------------------------------------- */

START_TEST(spans_are_counted_by_line_and_opcode) {
    stage_begin(MEASURE_COUNTS);
    stage.insn[2].op = PTX_OP_shfl, stage.insn[3].op = PTX_OP_bar_warp_sync;
    for (unsigned pc = 4; pc < 8; pc++) stage.insn[pc].loc.line = 5; /* several instructions on one line */
    stage_launch(2, 64);
    stage_span(0, 0, 0, 8, (uint32_t)FULL);
    stage_span(0, 1, 0, 4, 0x0000ffff);
    stage_span(0, 1, 4, 8, 0x000000ff);
    stage_span(1, 0, 2, 3, (uint32_t)FULL);
    stage_end_launch();
    stage_finish();
    const struct counts *c = counts_of(&stage.m);
    ck_assert_uint_eq(c->launches, 1);
    ck_assert_uint_eq(c->blocks, 2);
    ck_assert_uint_eq(c->threads, 128);
    ck_assert_uint_eq(c->warp_instructions, 8 + 4 + 4 + 1);
    ck_assert_uint_eq(c->lane_instructions, 8 * 32 + 4 * 16 + 4 * 8 + 32);
    ck_assert_uint_eq(c->shuffles, 3);
    ck_assert_uint_eq(c->warp_syncs, 2);
    ck_assert_uint_eq(counts_of(&stage.m)->opcodes[PTX_OP_add_int], 17 - 5);
    ck_assert_uint_eq(stage_line(5)->warp_instructions, 8);
    ck_assert_uint_eq(stage_line(5)->lane_instructions, 4 * 32 + 4 * 8);
    ck_assert_uint_eq(stage_line(5)->divergent, 4);
    ck_assert_uint_eq(stage_line(1)->divergent, 1);
    ck_assert_ptr_null(stage_line(9));
    stage_free();
}
END_TEST

/* A last warp of 8 threads does not diverge while all 8 are active. Counts of multiple launches are added up. */
START_TEST(divergence_counts_only_launched_lanes) {
    stage_begin(MEASURE_ALL);
    for (int k = 0; k < 2; k++) {
        stage_launch(1, 40);
        stage_span(0, 0, 0, 4, (uint32_t)FULL);
        stage_span(0, 1, 0, 4, 0xff);
        stage_end_launch();
    }
    stage_finish();
    ck_assert_uint_eq(counts_of(&stage.m)->launches, 2);
    ck_assert_uint_eq(counts_of(&stage.m)->lane_instructions, 2 * (4 * 32 + 4 * 8));
    ck_assert_uint_eq(stage_line(1)->divergent, 0);
    ck_assert_uint_eq(steps_of(&stage.m)->steps, 2);
    ck_assert_uint_eq(steps_of(&stage.m)->divergent_steps, 0);
    ck_assert_uint_eq(steps_of(&stage.m)->count, 1); /* only the first launch with the observed block */
    stage_free();
}
END_TEST

/* ---- shared-memory wavefronts and sectors ---------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    unsigned bytes;
    int first, stride;
    uint32_t mask;
    unsigned wavefronts, ideal;
} bank_rows[] = {
    {"neighbors", 4, 0, 1, (uint32_t)FULL, 1, 1},
    {"neighbors, misplaced", 4, 7, 1, (uint32_t)FULL, 1, 1},
    {"broadcast", 4, 5, 0, (uint32_t)FULL, 1, 1},
    {"stride 2", 4, 0, 2, (uint32_t)FULL, 2, 1},
    {"stride 4", 4, 0, 4, (uint32_t)FULL, 4, 1},
    {"stride 16", 4, 0, 16, (uint32_t)FULL, 16, 1},
    {"stride 32", 4, 0, 32, (uint32_t)FULL, 32, 1},
    {"stride 33", 4, 0, 33, (uint32_t)FULL, 1, 1},
    {"stride 32, half", 4, 0, 32, 0xffff, 16, 1},
    {"one lane", 4, 9, 64, 0x100, 1, 1},
    {"bytes", 1, 0, 1, (uint32_t)FULL, 1, 1},
    {"bytes of the same bank", 1, 0, 128, 0xff, 8, 1},
    {"falling", 4, 31, -1, (uint32_t)FULL, 1, 1},
    {"8 bytes", 8, 0, 1, (uint32_t)FULL, 2, 2},
    {"8 bytes, lower half", 8, 0, 1, 0xffff, 1, 1},
    {"8 bytes, stride 2", 8, 0, 2, (uint32_t)FULL, 4, 2},
    {"8 bytes, broadcast", 8, 3, 0, (uint32_t)FULL, 2, 2},
    {"16 bytes", 16, 0, 1, (uint32_t)FULL, 4, 4},
    {"16 bytes, stride 2", 16, 0, 2, (uint32_t)FULL, 8, 4},
    {"16 bytes, one lane", 16, 0, 1, 1, 1, 1},
    {"ldmatrix.x4, rows of 128 bytes", 16, 0, 8, (uint32_t)FULL, 32, 4},
    {"ldmatrix.x4, rows of 144 bytes", 16, 0, 9, (uint32_t)FULL, 4, 4},
    {"ldmatrix.x1, rows of 64 bytes", 16, 0, 4, 0xff, 4, 1},
};
START_TEST(shared_wavefronts) {
    stage_begin(MEASURE_COUNTS);
    stage_launch(1, 32);
    stage_touch(0, 0, bank_rows[_i].mask, 3, SIM_LOAD, "s", bank_rows[_i].bytes, bank_rows[_i].first,
                bank_rows[_i].stride);
    stage_span(0, 0, 3, 4, bank_rows[_i].mask);
    stage_end_launch();
    stage_finish();
    ck_assert_uint_eq(banks_of(&stage.m)->shared_requests, 1);
    ck_assert_msg(banks_of(&stage.m)->shared_wavefronts == bank_rows[_i].wavefronts, "%s: %lu wavefronts",
                  bank_rows[_i].name, (unsigned long)banks_of(&stage.m)->shared_wavefronts);
    ck_assert_msg(banks_of(&stage.m)->shared_ideal_wavefronts == bank_rows[_i].ideal, "%s: ideal %lu",
                  bank_rows[_i].name, (unsigned long)banks_of(&stage.m)->shared_ideal_wavefronts);
    ck_assert_uint_eq(stage_line(4)->shared_wavefronts, bank_rows[_i].wavefronts);
    ck_assert_uint_eq(sectors_of(&stage.m)->global_requests, 0);
    stage_free();
}
END_TEST

static const struct {
    const char *name;
    unsigned bytes;
    int first, stride;
    uint32_t mask;
    unsigned sectors, ideal;
} sector_rows[] = {
    {"neighbors", 4, 0, 1, (uint32_t)FULL, 4, 4},
    {"adjacent elements, misaligned by one element", 4, 1, 1, (uint32_t)FULL, 5, 4},
    {"broadcast", 4, 9, 0, (uint32_t)FULL, 1, 1},
    {"stride 2", 4, 0, 2, (uint32_t)FULL, 8, 4},
    {"stride 8", 4, 0, 8, (uint32_t)FULL, 32, 4},
    {"stride 64", 4, 0, 64, (uint32_t)FULL, 32, 4},
    {"one lane", 4, 3, 1, 1, 1, 1},
    {"half a warp", 4, 0, 1, 0xffff, 2, 2},
    {"every other lane", 4, 0, 1, 0x55555555, 4, 2},
    {"falling", 4, 31, -1, (uint32_t)FULL, 4, 4},
    {"bytes", 1, 0, 1, (uint32_t)FULL, 1, 1},
    {"doubles", 8, 0, 1, (uint32_t)FULL, 8, 8},
    {"16 bytes", 16, 0, 1, (uint32_t)FULL, 16, 16},
    {"16 bytes, stride 2", 16, 0, 2, (uint32_t)FULL, 32, 16},
};
START_TEST(global_sectors) {
    stage_begin(MEASURE_COUNTS);
    stage_launch(1, 32);
    unsigned lanes = (unsigned)__builtin_popcount(sector_rows[_i].mask);
    stage_touch(0, 0, sector_rows[_i].mask, 3, SIM_LOAD, "in", sector_rows[_i].bytes, sector_rows[_i].first,
                sector_rows[_i].stride);
    stage_touch(0, 0, sector_rows[_i].mask, 4, SIM_ATOMIC, "data", sector_rows[_i].bytes, sector_rows[_i].first,
                sector_rows[_i].stride);
    stage_span(0, 0, 3, 5, sector_rows[_i].mask);
    stage_end_launch();
    stage_finish();
    ck_assert_uint_eq(sectors_of(&stage.m)->global_requests, 2);
    ck_assert_msg(sectors_of(&stage.m)->global_sectors == 2 * sector_rows[_i].sectors, "%s: %lu sectors",
                  sector_rows[_i].name, (unsigned long)sectors_of(&stage.m)->global_sectors);
    ck_assert_msg(sectors_of(&stage.m)->global_ideal_sectors == 2 * sector_rows[_i].ideal, "%s: ideal %lu",
                  sector_rows[_i].name, (unsigned long)sectors_of(&stage.m)->global_ideal_sectors);
    ck_assert_uint_eq(stage_line(4)->global_sectors, sector_rows[_i].sectors);
    ck_assert_uint_eq(sectors_of(&stage.m)->atomics_global, lanes);
    ck_assert_uint_eq(sectors_of(&stage.m)->global_load_bytes, 2 * lanes * sector_rows[_i].bytes);
    ck_assert_uint_eq(sectors_of(&stage.m)->global_store_bytes, lanes * sector_rows[_i].bytes);
    stage_free();
}
END_TEST

/* ---- barriers -------------------------------------------------------------------------------------------- */

static void complete(uint32_t lanes0, uint32_t pc0, uint32_t lanes1, uint32_t pc1, bool by_exit) {
    struct sim_barrier e = {
        .where = &stage.where[0][0], .whole_block = true, .by_exit = by_exit, .arrived = {lanes0, lanes1}};
    memset(e.pc, 0xff, sizeof e.pc);
    if (lanes0) e.pc[0] = pc0;
    if (lanes1) e.pc[1] = pc1;
    TELL(barrier, &e);
}
START_TEST(valid_barriers_give_no_finding) {
    stage_begin(MEASURE_BARRIERS);
    stage_launch(1, 64);
    stage_barrier(0, 3);
    /* the two halves of the warp arrive separately at the same __syncthreads() */
    stage_arrive(0, 0, 5, 0xffff, 0, true);
    stage_arrive(0, 0, 5, 0xffff0000, 0, true);
    complete((uint32_t)FULL, 5, (uint32_t)FULL, 5, false);
    stage.where[0][1].live = 0xff; /* all other threads have exited */
    stage_barrier(0, 7);
    stage.insn[9].loc.line = stage.insn[8].loc.line; /* two copies that the compiler made of one __syncthreads() */
    complete((uint32_t)FULL, 8, 0xff, 9, false);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), "");
    stage_free();
}
END_TEST
START_TEST(invalid_barriers_give_findings) {
    stage_begin(MEASURE_BARRIERS);
    stage_launch(1, 64);
    complete((uint32_t)FULL, 3, (uint32_t)FULL, 5, false);
    stage_arrive(0, 0, 10, 0xffff, 0, true);
    complete(0xffff, 10, 0, 0, true);
    stage_arrive(0, 1, 20, 0xff, 0, true);
    stage_arrive(0, 1, 22, 0xffffff00, 0, true);
    complete((uint32_t)FULL, 22, (uint32_t)FULL, 22, false);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), "barrier-divergence 11; barrier-divergence 21 23; barrier-mismatch 6 4");
    ck_assert_str_eq(stage.m.findings.item[0].message,
                     "threads 0-15 wait at line 11; threads 16-63 do not arrive there");
    ck_assert_str_eq(stage.m.findings.item[1].message, "threads 32-39 wait at line 21; threads 40-63 wait at line 23");
    ck_assert_str_eq(
        stage.m.findings.item[2].message,
        "threads 32-63 wait at line 6; threads 0-31 wait at line 4: threads at both lines completed the same barrier");
    stage_free();
}
END_TEST
static void report_fault(enum sim_fault_kind kind, unsigned warp, uint32_t pc, uint32_t lanes, uint32_t other_pc,
                         uint32_t other_lanes) {
    struct sim_fault e = {.where = &stage.where[0][warp],
                          .kind = kind,
                          .pc = pc,
                          .lanes = lanes,
                          .other_pc = other_pc,
                          .other_lanes = other_lanes,
                          .text = kind == SIM_FAULT_TRAP ? "assertion failed" : NULL};
    TELL(fault, &e);
}
/* There is one finding for the whole block. It names the line where the missing threads exited. */
START_TEST(barrier_finding_names_exited_threads) {
    stage_begin(MEASURE_BARRIERS);
    stage_launch(1, 64);
    for (unsigned w = 0; w < 2; w++) {
        const struct sim_branch branch = {&stage.where[0][w], 13, (uint32_t)FULL, 0xffff0000, UINT32_MAX};
        const struct sim_exit end = {&stage.where[0][w], 30, w ? 0x80000000 : 0xffff0000};
        TELL(branch, &branch);
        stage_arrive(0, w, 10, w ? 0x7fffffff : 0xffff, 0, true);
        TELL(exit, &end);
    }
    complete(0xffff, 10, 0x7fffffff, 10, true);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), "barrier-after-exit 11");
    ck_assert_str_eq(
        stage.m.findings.item[0].message,
        "threads 0-15, 32-62 wait at line 11; threads 16-31, 63 never arrive: they have exited the kernel at line 14");
    stage_free();
}
END_TEST
/* A branch around the barrier is a mistake, even if the threads that took it have exited by then. */
START_TEST(barrier_finding_names_threads_that_went_past) {
    stage_begin(MEASURE_BARRIERS);
    stage_launch(1, 32);
    const struct sim_exit end = {&stage.where[0][0], 30, 0xffff0000};
    stage_arrive(0, 0, 10, 0xffff, 0, true);
    TELL(exit, &end);
    complete(0xffff, 10, 0, 10, true);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), "barrier-divergence 11");
    ck_assert_str_eq(stage.m.findings.item[0].message,
                     "threads 0-15 wait at line 11; threads 16-31 never arrive: they took a path "
                     "around the barrier and exited the kernel");
    stage_free();
}
END_TEST
START_TEST(deadlock_finding_names_exited_threads) {
    stage_begin(MEASURE_BARRIERS);
    stage_launch(1, 64);
    const struct sim_exit end = {&stage.where[0][1], 30, 0x80000000};
    stage_arrive(0, 0, 10, (uint32_t)FULL, 0, true);
    TELL(exit, &end);
    report_fault(SIM_FAULT_DEADLOCK, 0, 13, (uint32_t)FULL, UINT32_MAX, 0);
    report_fault(SIM_FAULT_DEADLOCK, 1, 13, 0x7fffffff, UINT32_MAX, 0);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(
        stage.m.findings.item[0].message,
        "threads 0-62 wait at line 14; thread 63 never arrives: it has exited the kernel: no thread can continue");
    stage_free();
}
END_TEST

START_TEST(deadlock_is_one_finding) {
    stage_begin(MEASURE_BARRIERS);
    stage_launch(1, 128);
    report_fault(SIM_FAULT_DEADLOCK, 3, 13, 0xff, UINT32_MAX, 0);
    for (unsigned w = 0; w < 3; w++) report_fault(SIM_FAULT_DEADLOCK, w, 13, (uint32_t)FULL, UINT32_MAX, 0);
    report_fault(SIM_FAULT_DEADLOCK, 3, 19, 0xffffff00, UINT32_MAX, 0);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), "deadlock 14 20");
    ck_assert_str_eq(stage.m.findings.item[0].message, "threads 0-103 wait at line 14; threads 104-127 wait at line "
                                                       "20: no thread can continue");
    stage_free();
}
END_TEST

static const struct {
    enum sim_fault_kind kind;
    const char *finding, *message;
} fault_rows[] = {
    {SIM_FAULT_BUDGET, "runaway 5",
     "lanes 0-3 of warp 0 of block 0 still executed this line when the instruction budget was used up"},
    {SIM_FAULT_TRAP, "trap 5", "lanes 0-3 of warp 0 stopped the kernel: assertion failed"},
    {SIM_FAULT_STACK, "stack-overflow 5", "lanes 0-3 of warp 0 exhausted the call stack with nested function calls"},
    {SIM_FAULT_CALL, "trap 5",
     "lanes 0-3 of warp 0 called a function through a pointer that does not point to a function, or jumped to a target "
     "that is not in the list of targets"},
    {SIM_FAULT_SYNC_MASK, "sync-mask 5", "lanes 0-3 of warp 0 executed a warp-wide call whose mask does not name them"},
    {SIM_FAULT_SYNC_MISSING, "sync-missing-lane 5 9",
     "lanes 0-3 of warp 0 waited here for lanes 4, 5 of the mask, which waited at line 9"},
    {SIM_FAULT_SHUFFLE_LANE, "shuffle-inactive-lane 5",
     "lanes 0-3 of warp 0 read the register of lanes 4, 5, which did not execute the shuffle: the value is undefined"},
};
START_TEST(faults_become_findings) {
    stage_begin(MEASURE_BARRIERS);
    stage_launch(1, 32);
    report_fault(fault_rows[_i].kind, 0, 4, 0xf, fault_rows[_i].kind == SIM_FAULT_SYNC_MISSING ? 8 : UINT32_MAX, 0x30);
    report_fault(fault_rows[_i].kind, 0, 4, 0xf, fault_rows[_i].kind == SIM_FAULT_SYNC_MISSING ? 8 : UINT32_MAX, 0x30);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), fault_rows[_i].finding);
    ck_assert_str_eq(stage.m.findings.item[0].message, fault_rows[_i].message);
    ck_assert_uint_eq(stage.m.findings.item[0].count, 2);
    stage_free();
}
END_TEST

/* ---- bounds ---------------------------------------------------------------------------------------------- */

static const struct {
    enum sim_fault_kind kind;
    const char *object;
    int64_t offset;
    unsigned bytes;
    uint32_t lanes;
    const char *finding, *message;
} bound_rows[] = {
    {SIM_FAULT_BOUNDS, "in", 65536, 4, 1, "out-of-bounds 5",
     "lane 0 of warp 0 read in[16384], right past the end of buffer `in`, which has 16384 elements of 4 bytes"},
    {SIM_FAULT_BOUNDS, "in", 65540, 4, 0xff, "out-of-bounds 5",
     "lanes 0-7 of warp 0 went out of bounds: lane 0 read in[16385], 4 bytes past the end of buffer `in`, which has "
     "16384 elements of 4 bytes"},
    {SIM_FAULT_BOUNDS, "s", 8192, 4, 1, "out-of-bounds 5",
     "lane 0 of warp 0 read 4 bytes, right past the end of shared memory, which has"},
    {SIM_FAULT_BOUNDS, "s", -4, 4, 1, "out-of-bounds 5",
     "lane 0 of warp 0 read s[-1], 4 bytes before the start of shared memory `s`, which has 512 elements of 4 bytes"},
    {SIM_FAULT_BOUNDS, "in", SIM_OBJECT_GAP - 4, 4, 1, "out-of-bounds 5",
     "lane 0 of warp 0 read data[-1], 4 bytes before the start of buffer `data`, which has 16384 elements of 4 bytes"},
    {SIM_FAULT_BOUNDS, "in", INT64_C(4) * UINT32_MAX, 4, 1, "out-of-bounds 5", /* the unsigned index -1 */
     "lane 0 of warp 0 read in[4294967295], 17179803644 bytes past the end of buffer `in`, which has 16384 elements of "
     "4 bytes"},
    {SIM_FAULT_BOUNDS, "out", INT64_C(-4) * INT32_MAX, 4, 1, "out-of-bounds 5",
     "lane 0 of warp 0 read out[-2147483647], 8589934588 bytes before the start of buffer `out`"},
    {SIM_FAULT_BOUNDS, NULL, 0, 4, 1, "out-of-bounds 5",
     "lane 0 of warp 0 read 4 bytes at address 0x100, which belongs to no buffer or variable"},
    {SIM_FAULT_NULL, NULL, 0, 4, 1, "null-access 5",
     "lane 0 of warp 0 read 4 bytes at address 256: a null pointer with an index"},
    {SIM_FAULT_MISALIGNED, "in", 4, 16, 1, "misaligned 5",
     "lane 0 of warp 0 read 16 bytes in one access at byte 4 of buffer `in`: its address is not a multiple of 16"},
    {SIM_FAULT_READ_ONLY, "in", 4, 4, 1, "read-only 5", "lane 0 of warp 0 read buffer `in`, which is read-only"},
    {SIM_FAULT_SPACE, "in", 4, 4, 1, "wrong-space 5",
     "lane 0 of warp 0 used an address in global memory as an address in shared memory"},
};
START_TEST(bad_addresses_are_named) {
    stage_begin(MEASURE_MEMORY);
    stage_launch(1, 32);
    const struct sim_object *object = bound_rows[_i].object ? stage_find(bound_rows[_i].object, 0) : NULL;
    struct sim_fault e = {.where = &stage.where[0][0],
                          .kind = bound_rows[_i].kind,
                          .pc = 4,
                          .lanes = bound_rows[_i].lanes,
                          .other_pc = UINT32_MAX,
                          .object = object,
                          .offset = bound_rows[_i].offset,
                          .bytes = bound_rows[_i].bytes,
                          .space = PTX_SHARED,
                          .address = object ? object->address + (uint64_t)bound_rows[_i].offset : 0x100};
    TELL(fault, &e);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), bound_rows[_i].finding);
    const char *message = stage.m.findings.item[0].message;
    ck_assert_msg(!strncmp(message, bound_rows[_i].message, strlen(bound_rows[_i].message)), "%s", message);
    stage_free();
}
END_TEST

/* ---- work ------------------------------------------------------------------------------------------------ */
/* The probe counts the words of buffers that the host filled. It counts a word once if a kernel reads and uses the
 * word. Outputs, stores and unused values do not count. */
static const struct {
    const char *name, *object;
    enum sim_access_kind kind;
    unsigned bytes;
    int first, stride;
    uint32_t mask, dropped;
    uint64_t words;
} work_rows[] = {
    {"a warp's neighbors", "in", SIM_LOAD, 4, 0, 1, (uint32_t)FULL, 0, 32},
    {"a broadcast is one word", "in", SIM_LOAD, 4, 7, 0, (uint32_t)FULL, 0, 1},
    {"doubles", "in", SIM_LOAD, 8, 0, 1, (uint32_t)FULL, 0, 64},
    {"16 bytes per lane", "in", SIM_LOAD, 16, 0, 1, 0xff, 0, 32},
    {"bytes of a word", "in", SIM_LOAD, 1, 0, 1, (uint32_t)FULL, 0, 8},
    {"2 bytes at the end of a word", "in", SIM_LOAD, 2, 1, 1, 3, 0, 2},
    {"half of the values are unused", "in", SIM_LOAD, 4, 0, 1, (uint32_t)FULL, 0xffff, 16},
    {"all values are unused", "in", SIM_LOAD, 4, 0, 1, (uint32_t)FULL, (uint32_t)FULL, 0},
    {"a store", "in", SIM_STORE, 4, 0, 1, (uint32_t)FULL, 0, 0},
    {"an atomic reads", "data", SIM_ATOMIC, 4, 3, 0, (uint32_t)FULL, 0, 1},
    {"the output", "out", SIM_LOAD, 4, 0, 1, (uint32_t)FULL, 0, 0},
    {"the last words", "in", SIM_LOAD, 4, 65536 / 4 - 32, 1, (uint32_t)FULL, 0, 32},
};
START_TEST(words_of_the_input_are_counted_once) {
    uint64_t offset[32];
    for (int l = 0; l < 32; l++)
        offset[l] = (uint64_t)((work_rows[_i].first + l * work_rows[_i].stride) * (int)work_rows[_i].bytes);
    stage_begin(MEASURE_WORK);
    for (unsigned launch = 0; launch < 2; launch++) { /* the second launch reads the same words again */
        stage_launch(1, 64);
        for (unsigned warp = 0; warp < 2; warp++) {
            struct sim_access e = stage_access(0, warp, work_rows[_i].mask, 0, work_rows[_i].kind, work_rows[_i].object,
                                               work_rows[_i].bytes, offset);
            e.dropped = work_rows[_i].dropped;
            TELL(access, &e);
        }
        stage_end_launch();
    }
    stage_finish();
    ck_assert_uint_eq(work_of(&stage.m)->input_words, 2 * 65536 / 4); /* words of `in` and `data`, but not of `out` */
    ck_assert_msg(work_of(&stage.m)->read_words == work_rows[_i].words, "%s: %llu words, expected %llu",
                  work_rows[_i].name, (unsigned long long)work_of(&stage.m)->read_words,
                  (unsigned long long)work_rows[_i].words);
    stage_free();
}
END_TEST

/* ---- the list of findings; texts -------------------------------------------------------------------------- */
START_TEST(threads_in_words) {
    static const struct {
        uint32_t lanes[3];
        const char *words;
    } cases[] = {{{(uint32_t)FULL, (uint32_t)FULL, 1}, "0-64"},
                 {{1, 1, 1}, "0, 32, 64"},
                 {{0x01010101, 0x01010101, 0x01010101}, "0, 8, ... 88"},
                 {{0, 0xf0, 2}, "36-39, 65"},
                 {{0}, ""}};
    char out[128], *who[] = {"thread 33", "lane 1 of warp 1"};
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
        ck_assert_str_eq(finding_threads(cases[k].lanes, 3, out, sizeof out), cases[k].words);
    for (unsigned taught = 0; taught < 2; taught++)
        ck_assert_str_eq(finding_who(taught, 1, 2, (uint32_t)FULL, out, sizeof out), who[taught]);
    ck_assert_str_eq(finding_who(0, 2, (uint32_t)FULL, (uint32_t)FULL, out, sizeof out), "threads 64-95");
}
END_TEST
START_TEST(lanes_in_words) {
    static const struct {
        uint32_t mask;
        const char *words;
    } cases[] = {{UINT32_MAX, "all 32"}, {0xffff, "0-15"},      {1, "0"},           {0x80000000, "31"},
                 {0x5, "0, 2"},          {0x55, "0, 2, ... 6"}, {0x111, "0, 4, 8"}, {0x11111111, "0, 4, ... 28"},
                 {0xf0f, "0-3, 8-11"},   {0x80000001, "0, 31"}, {3, "0, 1"},        {0, ""}};
    char out[128], small[4];
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
        ck_assert_str_eq(finding_lanes(cases[k].mask, out, sizeof out), cases[k].words);
    finding_lanes(0x5a5a5a5a, small, sizeof small);
    ck_assert_uint_lt(strlen(small), sizeof small);
}
END_TEST
START_TEST(source_names) {
    static const char *const cases[][2] = {{"s", "s"},
                                           {"_ZN7sum_f321sE", "s"},
                                           {"_ZZ6kernelPfE7counter", "counter"},
                                           {"_ZL5count", "count"},
                                           {"_ZN3a_b1c5tableE", "table"},
                                           {"_ZZN7sum_f326reduceEPKfPfjE4last", "last"},
                                           {"_Z", "_Z"},
                                           {"_ZN99xE", "_ZN99xE"},
                                           {"_ZZ", "_ZZ"},
                                           {"", ""}};
    char out[64];
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
        ck_assert_str_eq(finding_source_name(cases[k][0], out, sizeof out), cases[k][1]);
}
END_TEST
START_TEST(findings_are_merged_and_bounded) {
    struct finding_list list = {0};
    struct finding f = {.kind = catalog_finding("race-shared"),
                        .at = {.pc = 1, .line = 5, .file = "k.cu", .block = 3, .warp = 2},
                        .other = {.pc = 9, .line = 7, .file = "k.cu"}};
    finding_add(&list, &f);
    struct finding g = f;
    g.at = f.other, g.other = f.at; /* the same two accesses in the other order */
    finding_add(&list, &g);
    g = f;
    g.at.pc = 2, g.at.block = 1; /* another instruction on the same line, in a lower-numbered block */
    finding_add(&list, &g);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_uint_eq(list.item[0].count, 3);
    g.kind = catalog_finding("race-warp");
    finding_add(&list, &g);
    snprintf(g.object, sizeof g.object, "other");
    finding_add(&list, &g);
    ck_assert_uint_eq(list.count, 3);
    for (unsigned k = 0; k < 100; k++) {
        g.at.line = 1000 + k;
        finding_add(&list, &g);
    }
    ck_assert_uint_eq(list.count, 64);
    ck_assert_uint_eq(list.dropped, 39);
    finding_list_free(&list);
}
END_TEST
START_TEST(tables_are_complete) {
    const struct finding_kind *kind;
    const struct figure *all[CATALOG_MAX];
    unsigned kinds = 0, parts = 0;
    for (; (kind = catalog_finding_at(kinds)); kinds++) {
        ck_assert_msg(kind->title && kind->explanation, "kind %s", kind->key);
        ck_assert_ptr_eq(catalog_finding(kind->key), kind); /* keys are unique */
        ck_assert_ptr_eq(catalog_numbered(catalog_number(kind)), kind);
        if (kinds) ck_assert_int_gt(kind->rank, catalog_finding_at(kinds - 1)->rank);
    }
    ck_assert_ptr_null(catalog_numbered(kinds));
    for (unsigned k = 0; k < PROBE_COUNT; k++) {
        const struct probe_row *row = probe_rows[k];
        const struct measurement none = {0};
        parts |= row->part_of;
        ck_assert_msg(!row->bytes == !row->fields, "%s", row->name);
        const char *zeros = measure_result(&none, (enum probe_id)k); /* result of a probe that measured nothing */
        for (size_t n = 0; n < row->bytes; n++) ck_assert_int_eq(zeros[n], 0);
        for (const struct figure *f = row->figures; f && f->key; f++)
            ck_assert_msg(f->value || f->offset + sizeof(uint64_t) <= row->bytes, "%s", f->key);
    }
    ck_assert_uint_eq(
        parts, (MEASURE_ALL | MEASURE_BLOCK_TIME | MEASURE_MOVES | MEASURE_ACCESSES | MEASURE_WORK | MEASURE_FAULTS));
    for (unsigned k = 0, count = catalog_figures(CATALOG_RECORD, all); k < count; k++)
        ck_assert_msg(all[k]->unit == FIGURE_COUNT || all[k]->value, "%s", all[k]->key);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("probes: counts, barriers, bounds");
    TCase *tc = tcase_create("events");
    tcase_add_test(tc, spans_are_counted_by_line_and_opcode);
    tcase_add_test(tc, divergence_counts_only_launched_lanes);
    tcase_add_loop_test(tc, shared_wavefronts, 0, sizeof bank_rows / sizeof *bank_rows);
    tcase_add_loop_test(tc, global_sectors, 0, sizeof sector_rows / sizeof *sector_rows);
    tcase_add_test(tc, valid_barriers_give_no_finding);
    tcase_add_test(tc, invalid_barriers_give_findings);
    tcase_add_test(tc, barrier_finding_names_exited_threads);
    tcase_add_test(tc, barrier_finding_names_threads_that_went_past);
    tcase_add_test(tc, deadlock_finding_names_exited_threads);
    tcase_add_test(tc, deadlock_is_one_finding);
    tcase_add_loop_test(tc, faults_become_findings, 0, sizeof fault_rows / sizeof *fault_rows);
    tcase_add_loop_test(tc, bad_addresses_are_named, 0, sizeof bound_rows / sizeof *bound_rows);
    tcase_add_test(tc, lanes_in_words);
    tcase_add_test(tc, threads_in_words);
    tcase_add_test(tc, source_names);
    tcase_add_test(tc, findings_are_merged_and_bounded);
    tcase_add_loop_test(tc, words_of_the_input_are_counted_once, 0, sizeof work_rows / sizeof *work_rows);
    tcase_add_test(tc, tables_are_complete);
    suite_add_tcase(suite, tc);
    return suite_failures(suite) != 0;
}
