/* Tests the race probe and the probe for uninitialized memory with handmade events. Each row has a script (script.h)
 * and the expected findings: key, line, and other line. */
/* reads: nothing */

#include <stdio.h>
#include "script.h"
#include "tests/suite.h"

static const struct {
    const char *name, *script, *findings;
} rows[] = {
    /* ---- between warps of a block ---------------------------------------------------------------------------- */
    {"read after write", "0.0 st s +0; 0.1/0 ld s =5", "race-shared 2 1"},
    {"write after read", "0.1/0 ld s =5; 0.0 st s +0", "race-shared 1 2"},
    {"write after write", "0.0/0 st s =5; 0.1/0 st s =5", "race-shared 2 1"},
    {"two reads", "0.0 st s +0; bar 0; 0.1 ld s +0; 0.0 ld s +0", ""},
    {"a barrier between", "0.0 st s +0; bar 0; 0.1 ld s +0", ""},
    {"a barrier before both accesses", "bar 0; 0.0 st s +0; 0.1 ld s +0", "race-shared 3 2"},
    {"different elements", "0.0 st s +0; 0.1 st s +32; bar 0; 0.0/0-15 ld s +16", ""},
    {"ranges that overlap by one element", "0.0 st s +0; 0.1 st s +31", "race-shared 2 1"},
    {"a second write does not hide the race", "0.0 st s +0; 0.1 st s +0; 0.2 ld s +0",
     "race-shared 2 1; race-shared 3 1; race-shared 3 2"},
    {"several readers", "0.0 st s +0; bar 0; 0.0 ld s +0; 0.1 ld s +0; 0.2 ld s +0; 0.0/4 st s =4",
     "race-shared 4 6; race-shared 5 6"},
    {"broadcast, then a write", "0.0/0 st s =0; bar 0; 0.1 ld s =0; 0.2/0 st s =0", "race-shared 3 4"},
    {"volatile data in shared memory", "0.0/0 st s =0 vol; 0.1/0 ld s =0 vol computed", "race-shared 2 1"},
    {"a volatile flag in shared memory", "0.0/0 st s =0 vol; 0.1/0 ld s =0 vol", ""},
    {"a volatile flag, cleared by another warp", "0.0/0 st s =0 vol; 0.1/0 st s =0 vol", "race-shared 2 1"},
    {"a volatile flag in shared memory does not order accesses",
     "0.0/0 st data =0; 0.0/0 st s =0 vol; 0.1/0 ld s =0 vol; 0.1/0 ld data =0", "race-global 4 1"},
    {"a volatile flag in shared memory, with fences",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 st s =0 vol; 0.1/0 ld s =0 vol; fence 0.1/0; 0.1/0 ld data =0", ""},
    {"a volatile load polls a counter in shared memory", "0.0/0 st s =0; bar 0; 0.0/1 at s =0; 0.1/0 ld s =0 vol", ""},
    {"a volatile load of a counter, whose value is used",
     "0.0/0 st s =0; bar 0; 0.0/1 at s =0; 0.1/0 ld s =0 vol computed", "race-shared 4 3"},
    {"atomics", "0.0/0 st s =0; bar 0; 0.0 at s =0; 0.1 at s =0", ""},
    {"atomic and plain", "0.0/0 st s =0; bar 0; 0.0 at s =0; 0.1/0 ld s =0", "race-shared 4 3"},
    {"a plain store, the same thread's atomic, another warp's atomic",
     "0.0/0 st data =0; 0.0/0 at data =0; 0.1/0 at data =0", "race-global 1 3"},
    {"global memory", "0.0 st data +0; 0.1 ld data +0", "race-global 2 1"},
    {"volatile in global memory is strong", "0.0/0 st data =0 vol; 0.1/0 ld data =0 vol", ""},
    {"volatile and plain", "0.0/0 st data =0 vol; 0.1/0 ld data =0", "race-global 2 1"},
    {"bytes of one word", "0.0 st s +0 u8; 0.1 st s +32 u8; bar 0; 0.0 ld s +32 u8", ""},
    {"the same byte", "0.0 st s +0 u8; 0.1 st s +31 u8", "race-shared 2 1"},
    {"words, then bytes", "0.0 st s +0; 0.1/0 st s =127 u8; 0.1/1 st s =128 u8", "race-shared 2 1"},
    {"strided words, then bytes", "0.0 st s *2+0; 0.1/0 st s =11 u8; 0.1/1 st s =12 u8", "race-shared 2 1"},
    {"words in descending order, then bytes", "0.0 st s -31; 0.1/0 st s =5 u8", "race-shared 2 1"},
    {"16 bytes per lane", "0.0 st s +0 f64x2; 0.1/7 st s =127; 0.1/8 st s =128", "race-shared 2 1"},
    {"strides", "0.0 st s *2+0; 0.1 st s *2+1; bar 0; 0.0/0-15 ld s *4+0", ""},
    {"strides that overlap", "0.0 st s *2+0; 0.1 st s *4+2", "race-shared 2 1"},
    {"descending addresses", "0.0 st s -31; 0.1/0 ld s =31", "race-shared 2 1"},
    {"beyond a page of shadow memory", "0.0 st data +1020; 0.1/0 ld data =1030", "race-global 2 1"},
    /* ---- inside a warp --------------------------------------------------------------------------------------- */
    {"a thread's own element", "0.0 st s +0; 0.0 ld s +0; 0.0 st s +0", ""},
    {"a thread's own element by a different access pattern", "0.0 st s +0; 0.0/5 ld s =5; 0.0/0-15 ld s +0", ""},
    {"another lane's element", "0.0 st s +0; 0.0/0-15 ld s +16", "race-warp 2 1"},
    {"another lane's element, volatile", "0.0 st s +0 vol; 0.0/0-15 ld s +16 vol computed", "race-warp 2 1"},
    {"another lane's element, after __syncwarp", "0.0 st s +0; sync 0.0; 0.0/0-15 ld s +16", ""},
    {"a shuffle orders nothing", "0.0 st s +0; shfl 0.0; 0.0/0-15 ld s +16", "race-warp 3 1"},
    {"the mask omits the writers", "0.0 st s +0; sync 0.0/0-15; 0.0/0-15 ld s +16", "race-warp 3 1"},
    {"the mask includes the writers", "0.0 st s +0; sync 0.0/0-23; 0.0/0-7 ld s +16", ""},
    {"one __syncwarp orders only one direction", "0.0 st s +0; sync 0.0; 0.0 ld s ^1; 0.0 st s +0", "race-warp 3 4"},
    {"a chain of pairs", "0.0/9 st s =0; sync 0.0/4-9; sync 0.0/2-4; sync 0.0/0-2; 0.0/0 ld s =0", ""},
    {"a chain with a gap", "0.0/9 st s =0; sync 0.0/5-9; sync 0.0/2-4; sync 0.0/0-2; 0.0/0 ld s =0", "race-warp 5 1"},
    {"__syncwarp in another warp", "0.0 st s +0; sync 0.1; 0.0 ld s ^1", "race-warp 3 1"},
    {"__syncwarp does not order different warps", "0.0 st s +0; sync 0.0; sync 0.1; 0.1 ld s +0", "race-shared 4 1"},
    {"several lanes store to one element", "0.0/0-1 st s =3", "race-warp 1 1"},
    {"several lanes update one element atomically", "0.0/0 st s =3; bar 0; 0.0 at s =3", ""},
    /* ---- named barriers -------------------------------------------------------------------------------------- */
    {"bar.arrive and bar.sync", "0.0 st s +0; arrive 0.0 1; wait 0.1 1; meet 0 1; 0.1 ld s +0", ""},
    {"a store after bar.arrive", "arrive 0.0 1; 0.0 st s +0; wait 0.1 1; meet 0 1; 0.1 ld s +0", "race-shared 5 2"},
    {"bar.arrive does not order the arriving warp's later reads",
     "0.1 st s +0; arrive 0.0 1; wait 0.1 1; meet 0 1; 0.0 ld s +0", "race-shared 5 1"},
    {"a warp that did not participate in the barrier", "0.0 st s +0; wait 0.0 1; wait 0.1 1; meet 0 1; 0.2 ld s +0",
     "race-shared 5 1"},
    {"transitive order through a second barrier",
     "0.0 st s +0; wait 0.0 1; wait 0.1 1; meet 0 1; wait 0.1 2; wait 0.2 2; meet 0 2; 0.2 ld s +0", ""},
    {"no transitive order with the barriers reversed",
     "wait 0.1 2; wait 0.2 2; meet 0 2; 0.0 st s +0; wait 0.0 1; wait 0.1 1; meet 0 1; 0.2 ld s +0", "race-shared 8 4"},
    {"a named barrier also orders lanes", "0.0 st s +0; wait 0.0 1; wait 0.1 1; meet 0 1; 0.0 ld s ^1", ""},
    /* ---- between blocks -------------------------------------------------------------------------------------- */
    {"a store and a load in different blocks", "0.0/0 st data =0; 1.0/0 ld data =0", "race-blocks 2 1"},
    {"a block's barrier does not order other blocks", "0.0/0 st data =0; bar 0; bar 1; 1.0/0 ld data =0",
     "race-blocks 4 1"},
    {"each block has its own shared memory", "0.0/0 st s =0; 1.0/0 st s =0", ""},
    {"the end of a launch orders all accesses", "0.0/0 st data =0; launch; 1.0/0 ld data =0", ""},
    {"fence, atomic; atomic, fence",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; fence 1.0/0; 1.0/0 ld data =0", ""},
    {"fence, atomic; atomic, barrier",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; bar 1; 1.1/0 ld data =0", "race-blocks 6 1"},
    {"fence, atomic; atomic, __syncwarp",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; sync 1.0; 1.0/3 ld data =0",
     "race-blocks 6 1"},
    {"fence, atomic; atomic, fence, barrier",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; fence 1.0/0; bar 1; 1.1/0 ld data =0", ""},
    {"fence, atomic; atomic, barrier, fence",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; bar 1; fence 1.1/0; 1.1/0 ld data =0", ""},
    {"fence, atomic; atomic, barrier, fence of another thread",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; bar 1; fence 1.1/1; 1.1/0 ld data =0",
     "race-blocks 7 1"},
    {"fence, atomic; atomic, barrier, fence of another thread, barrier",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; bar 1; fence 1.1/1; bar 1; 1.1/0 ld data =0",
     ""},
    {"fence, atomic; atomic, fence of the block",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; fence.cta 1.0/0; 1.0/0 ld data =0",
     "race-blocks 6 1"},
    {"within a block, a barrier is enough",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 0.1/0 at data =9; sync 0.1; 0.1/3 ld data =0", ""},
    {"fence, atomic; atomic, named barriers, no fence",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; wait 1.0 1; wait 1.1 1; meet 1 1; "
     "1.1/0 ld data =0",
     "race-blocks 8 1"},
    {"no fence by the writer", "0.0/0 st data =0; 0.0/0 at data =9; 1.0/0 at data =9; fence 1.0/0; 1.0/0 ld data =0",
     "race-blocks 5 1"},
    {"no fence by the reader", "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; 1.0/0 ld data =0",
     "race-blocks 5 1"},
    {"fence after the atomic",
     "0.0/0 st data =0; 0.0/0 at data =9; fence 0.0/0; 1.0/0 at data =9; bar 1; 1.0/0 ld data =0", "race-blocks 6 1"},
    {"a fence of block scope",
     "0.0/0 st data =0; fence.cta 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; bar 1; 1.0/0 ld data =0",
     "race-blocks 6 1"},
    {"the ticket is drawn before the store",
     "1.0/0 at data =9; 0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; bar 1; 1.0/0 ld data =0", "race-blocks 6 2"},
    {"a different ticket", "0.0/0 st data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =8; bar 1; 1.0/0 ld data =0",
     "race-blocks 6 1"},
    {"writes by all, a barrier, a fence by one thread",
     "0.1 st data +0; bar 0; fence 0.0/0; 0.0/0 at data =99; 1.0/0 at data =99; fence 1.0/0; bar 1; 1.0 ld data +0",
     ""},
    {"writes by all, a fence by one thread, no barrier",
     "0.1 st data +0; fence 0.0/0; 0.0/0 at data =99; 1.0/0 at data =99; bar 1; 1.0 ld data +0", "race-blocks 6 1"},
    {"a fence by each thread, then a barrier",
     "0.1 st data +0; fence 0.1; fence 0.0; bar 0; 0.0/0 at data =99; 1.0/0 at data =99; bar 1; fence 1.0; "
     "1.0 ld data +0",
     ""},
    {"a fence by each thread, no barrier",
     "0.1 st data +0; fence 0.1; fence 0.0; 0.0/0 at data =99; 1.0/0 at data =99; bar 1; 1.0 ld data +0",
     "race-blocks 7 1"},
    {"writes by lanes, __syncwarp, a fence by one lane",
     "0.0 st data +0; sync 0.0; fence 0.0/0; 0.0/0 at data =99; 1.0/0 at data =99; bar 1; fence 1.0; 1.0 ld data +0",
     ""},
    {"writes by lanes, __syncwarp of some lanes",
     "0.0 st data +0; sync 0.0/0-7; fence 0.0/0; 0.0/0 at data =99; 1.0/0 at data =99; bar 1; fence 1.0; "
     "1.0/0-7 ld data +0",
     ""},
    {"writes by lanes, __syncwarp of other lanes",
     "0.0 st data +0; sync 0.0/0-7; fence 0.0/0; 0.0/0 at data =99; 1.0/0 at data =99; bar 1; 1.0/8 ld data +0",
     "race-blocks 7 1"},
    {"a volatile flag with fences",
     "0.0/0 st data =0; fence 0.0/0; 0.0/0 st data =9 vol; 1.0/0 ld data =9 vol; fence 1.0/0; 1.0/0 ld data =0", ""},
    {"release and acquire", "0.0/0 st data =0; 0.0/0 st data =9 rel; 1.0/0 ld data =9 acq; 1.0/0 ld data =0", ""},
    {"release without acquire", "0.0/0 st data =0; 0.0/0 st data =9 rel; 1.0/0 ld data =9 vol; 1.0/0 ld data =0",
     "race-blocks 4 1"},
    {"one lane acquires, another reads",
     "0.0/0 st data =0; 0.0/0 st data =9 rel; 1.0/0 ld data =9 acq; 1.0/1 ld data =0", "race-blocks 4 1"},
    {"one lane acquires, another reads after __syncwarp",
     "0.0/0 st data =0; 0.0/0 st data =9 rel; 1.0/0 ld data =9 acq; sync 1.0; 1.0/1 ld data =0", ""},
    {"transitive order through a third block",
     "0.0/0 st data =0; 0.0/0 st data =9 rel; 1.0/0 ld data =9 acq; 1.0/0 st data =8 rel; 2.0/0 ld data =8 acq; 2.0/0 "
     "ld data =0",
     ""},
    {"a third block that did not acquire",
     "0.0/0 st data =0; 0.0/0 st data =9 rel; 1.0/0 st data =8 rel; 2.0/0 ld data =8 acq; 2.0/0 ld data =0",
     "race-blocks 5 1"},
    {"a write after a read by another block",
     "0.0/0 ld data =0; fence 0.0/0; 0.0/0 at data =9; 1.0/0 at data =9; fence 1.0/0; 1.0/0 st data =0", ""},
    {"atomics of block scope", "0.0/0 at data =0 cta; 1.0/0 at data =0 cta", "race-blocks 2 1"},
    {"atomics of block scope in one block", "0.0/0 at data =0 cta; 0.1/0 at data =0 cta", ""},
    {"the block with the last ticket resets it", "0.0/0 at data =9; 1.0/0 at data =9; bar 1; 1.0/0 st data =9", ""},
    {"a lock in shared memory",
     "0.0/0 st s =0; bar 0; 0.0/1 at s =0; fence.cta 0.0/1; 0.0/1 st s =5; fence.cta 0.0/1; 0.0/1 at s =0; "
     "0.1/3 at s =0; fence.cta 0.1/3; 0.1/3 st s =5",
     ""},
    {"a lock without fences",
     "0.0/0 st s =0; bar 0; 0.0/1 at s =0; 0.0/1 st s =5; 0.0/1 at s =0; 0.1/3 at s =0; 0.1/3 st s =5",
     "race-shared 7 4"},
    {"a named barrier extends an acquire to other warps",
     "0.0/0 st data =0; 0.0/0 st data =9 rel; 1.0/0 ld data =9 acq; wait 1.0 1; wait 1.1 1; meet 1 1; 1.1/0 ld data =0",
     ""},
    /* ---- uninitialized --------------------------------------------------------------------------------------- */
    {"written, then read", "0.0 st s +0; 0.0 ld s +0", ""},
    {"never written", "0.0/0-7 st s +0; 0.0 ld s +0", "uninitialized-shared 2"},
    {"written by another block", "0.0 st s +0; 1.0 ld s +0", "uninitialized-shared 2"},
    {"an atomic reads uninitialized memory", "0.0/0 at s =0", "uninitialized-shared 1"},
    {"an output that was never written", "0.0/0 ld out =0", "uninitialized-global 1"},
    {"an output of the previous launch", "0.0 st out +0; launch; 1.0 ld out +0", ""},
    {"a vector of which one element was written", "0.0/0 st s =0; 0.0/0 ld s =0 f64x2", "uninitialized-shared 2"},
    {"local memory that another lane wrote", "0.0/0-7 st local =3; 0.0/0-8 ld local =3", "uninitialized-local 2"},
    {"local memory that the lane wrote", "0.0/0-7 st local =3; 0.0/0-7 ld local =3", ""},
};

START_TEST(scripts_give_expected_findings) {
    char expected[200];
    play_script(rows[_i].script, MEASURE_RACES | MEASURE_MEMORY, 3, 128);
    snprintf(expected, sizeof expected, "%s", rows[_i].findings);
    ck_assert_msg(!strcmp(stage_findings(), expected), "%s: %s\n  expected %s\n  found    %s", rows[_i].name,
                  rows[_i].script, expected, stage_findings());
    stage_free();
}
END_TEST

/* A thread reads an element before another thread writes it, although it should wait. The read is uninitialized, but
 * only the race is reported. */
START_TEST(race_explains_uninitialized_read) {
    stage_begin(MEASURE_RACES | MEASURE_MEMORY);
    stage_launch(1, 64);
    stage_touch(0, 1, 1, 4, SIM_LOAD, "s", 4, 5, 0);
    stage_touch(0, 0, UINT32_MAX, 2, SIM_STORE, "s", 4, 0, 1);
    stage_end_launch();
    stage_finish();
    ck_assert_str_eq(stage_findings(), "race-shared 5 3");
    stage_free();
}
END_TEST

/* The message must be the same whichever access comes first. */
START_TEST(message_names_both_sides) {
    static const char *const expected =
        "lanes 0-15 of warp 0 read s[16..31] that lanes 16-31 of warp 1 wrote at line 3: no __syncthreads() between";
    for (int order = 0; order < 2; order++) {
        stage_begin(MEASURE_RACES);
        stage_launch(1, 64);
        if (order) stage_touch(0, 0, 0xffff, 7, SIM_LOAD, "s", 4, 16, 1);
        stage_touch(0, 1, 0xffff0000, 2, SIM_STORE, "s", 4, 0, 1);
        if (!order) stage_touch(0, 0, 0xffff, 7, SIM_LOAD, "s", 4, 16, 1);
        stage_end_launch();
        stage_finish();
        ck_assert_uint_eq(stage.m.findings.count, 1);
        const struct finding *f = &stage.m.findings.item[0];
        ck_assert_str_eq(f->message, expected);
        ck_assert_str_eq(f->object, "shared memory `s`");
        ck_assert_str_eq(f->at.file, "k.cu");
        ck_assert_uint_eq(f->at.line, 8);
        ck_assert_int_eq(f->offset, 64);
        stage_free();
    }
}
END_TEST

/* 20,000 blocks each write a partial and draw a ticket, and the last block reads all partials. If the probe's work
 * were quadratic in the number of blocks, the test would exceed its time limit. */
START_TEST(last_block_reads_many_partials) {
    stage_begin(MEASURE_RACES);
    enum { BLOCKS = 20000 };
    struct sim_launch_info *l = &stage.launch;
    stage.data.size = 1 << 20;
    l->blocks = BLOCKS, l->threads = 32, l->warps = 1, l->slots = 1;
    TELL(launch_begin, l);
    struct sim_where where = {l, 0, 0, 0, UINT32_MAX, UINT32_MAX};
    struct sim_block_event block = {&where, true};
    uint64_t offset[32] = {0}, ticket[32] = {1 << 19};
    for (uint32_t b = 0; b < BLOCKS; b++) {
        where.block = b, offset[0] = 4 * b;
        TELL(block_begin, &block);
        struct sim_access store = stage_access(0, 0, 1, 1, SIM_STORE, "data", 4, offset),
                          draw = stage_access(0, 0, 1, 2, SIM_ATOMIC, "data", 4, ticket);
        struct sim_fence fence = {&where, 3, 1, PTX_MOD_GPU};
        store.where = draw.where = &where;
        TELL(access, &store);
        TELL(fence, &fence);
        TELL(access, &draw);
        TELL(fence, &fence);
        for (uint32_t k = 0; b == BLOCKS - 1 && k < BLOCKS; k++) {
            offset[0] = 4 * k;
            struct sim_access load = stage_access(0, 0, 1, 4, SIM_LOAD, "data", 4, offset);
            load.where = &where;
            TELL(access, &load);
        }
        TELL(block_end, &block);
    }
    TELL(launch_end, l);
    stage_finish();
    ck_assert_str_eq(stage_findings(), "");
    stage_free();
}
END_TEST

/* Two warps write the same elements in an infinite loop. An instruction may report only a limited number of races,
 * and searching for them counts toward the budget. */
START_TEST(races_without_end_are_bounded) {
    enum { ROUNDS = 5000, MAX = 1024 };
    stage_begin(MEASURE_RACES);
    stage_launch(1, 64);
    uint64_t offset[32] = {0};
    for (uint32_t k = 0; k <= ROUNDS; k++) {
        /* the last store is another instruction, which may report races again */
        const uint32_t line = k < ROUNDS ? 3 : 7;
        struct sim_access store = stage_access(0, k % 2, 1, line, SIM_STORE, "data", 4, offset);
        TELL(access, &store);
    }
    ck_assert_uint_gt(stage.m.looks, MAX);
    stage_end_launch();
    stage_finish();
    const struct finding_list *found = &stage.m.findings;
    ck_assert_uint_eq(found->count, 2);
    ck_assert_uint_eq(found->item[0].count + found->item[1].count, MAX + 1);
    stage_free();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("probes: races");
    TCase *tc = tcase_create("scripts");
    tcase_add_loop_test(tc, scripts_give_expected_findings, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, race_explains_uninitialized_read);
    tcase_add_test(tc, message_names_both_sides);
    tcase_add_test(tc, last_block_reads_many_partials);
    tcase_add_test(tc, races_without_end_are_bounded);
    suite_add_tcase(suite, tc);
    return suite_failures(suite) != 0;
}
