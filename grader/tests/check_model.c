/* Tests the modeled time of a block with small kernels, whose dependence chains can be counted by hand. Tests the
 * modeled time of made-up measurements. Also tests the tables of GPUs. */
/* run: sanitized, 6 s */
#include "model/model.h"
#include "sim/sim.h"
#include "tests/files.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- time of a block
 * ------------------------------------------------------------------------------------------------------- */

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define KERNEL(body)                                                                                                   \
    HEAD ".visible .entry k(.param .u64 in) {\n.reg .u64 %a<9>;\n.reg .u32 %r<9>;\n.reg .pred %p<2>;\n"                \
         ".shared .align 4 .b8 s[4096];\nld.param.u64 %a1, [in];\n" body "ret;\n}\n"
#define TIMES4(x) x x x x

/* Runs the launches in a measurement that has begun. */
static void launch_all(struct sim_program *program, struct measurement *m, unsigned blocks, unsigned threads,
                       unsigned launches, unsigned cores) {
    struct sim_error error;
    struct sim *s = sim_new(program, &(struct sim_options){.cores = cores});
    const uint64_t in = sim_alloc(s, "in", 1 << 16, SIM_INITIALIZED);
    memset(sim_host(s, in), 0, 1 << 16);
    const struct sim_parts parts = measure_parts(m);
    for (unsigned k = 0; k < launches; k++) {
        const struct sim_launch l = {.kernel = "k",
                                     .grid = {blocks, 1, 1},
                                     .block = {threads, 1, 1},
                                     .params = (const void *const[]){&in},
                                     .param_count = 1,
                                     .listeners = m->listeners,
                                     .listener_count = m->listener_count,
                                     .parts = &parts};
        ck_assert_int_eq(sim_launch(s, &l, NULL, &error), SIM_DONE);
    }
    sim_free(s);
}
/* Measures the time of the blocks. If `again`, and if the sample of blocks is not representative, runs the launches
 * again, as a device does. */
static struct measurement timed_twice(const struct gpu *gpu, const char *ptx, unsigned blocks, unsigned threads,
                                      unsigned launches, unsigned cores, bool again) {
    struct ptx_error ptx_error;
    struct sim_error error;
    struct ptx_module *module = ptx_parse(ptx, strlen(ptx), "test", &ptx_error);
    ck_assert_msg(module != NULL, "%s", ptx_error.message);
    struct sim_program *program = sim_program_new(module, &error);
    ck_assert_msg(program != NULL, "%s", error.message);
    struct measurement m, second;
    measure_begin(&m, measure_block_time_on(gpu));
    launch_all(program, &m, blocks, threads, launches, cores);
    const bool more = again && measure_again(&second, &m);
    if (more) launch_all(program, &second, blocks, threads, launches, cores);
    if (more) measure_replace(&m, &second);
    measure_end(&m);
    sim_program_free(program);
    ptx_free(module);
    return m;
}
static struct measurement paced_on(const struct gpu *gpu, const char *ptx, unsigned blocks, unsigned threads,
                                   unsigned launches, unsigned cores) {
    return timed_twice(gpu, ptx, blocks, threads, launches, cores, false);
}

static struct measurement timed(const char *ptx, unsigned blocks, unsigned threads, unsigned launches, unsigned cores) {
    return paced_on(gpu_default, ptx, blocks, threads, launches, cores);
}

#define FOLLOW "ld.global.u64 %a2, [%a1];\nadd.u64 %a3, %a1, %a2;\n" /* loads 0, so %a3 = %a1 */
#define LANES(bytes) /* `bytes`: distance between the loads of adjacent lanes */                                       \
    "mov.u32 %r1, %tid.x;\nmul.wide.u32 %a2, %r1, " bytes ";\nadd.u64 %a3, %a1, %a2;\nld.global.u32 %r2, [%a3];\n"
#define COPY(at) "cp.async.ca.shared.global [s+" at "], [%a1+" at "], 4;\ncp.async.commit_group;\n"
#define LOOP(turns, load, next)                                                                                        \
    "mov.u32 %r1, " turns ";\nTURN:\n" load ".u32 %r2, [%a1];\n" next "add.u32 %r1, %r1, -1;\n"                        \
    "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra TURN;\n"
#define WAIT(left) "cp.async.wait_group " left ";\n"
/* One lane copies bytes to s+at. The mbarrier at s+bar completes when all of them have arrived. */
#define BULK(code)                                                                                                     \
    "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@!%p1 bra OVER;\nmbarrier.init.shared.b64 [s], 1;\n"              \
    "mbarrier.init.shared.b64 [s+8], 1;\n" code "OVER:\n"
#define BULK_LOAD(bar, at, bytes)                                                                                      \
    "mbarrier.arrive.expect_tx.shared.b64 %a2, [s+" bar "], " bytes ";\n"                                              \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+" at "], [%a1+" at "], " bytes ", [s+" bar   \
    "];\n"
#define BULK_WAIT(bar) "mbarrier.try_wait.parity.shared.b64 %p0, [s+" bar "], 0;\n"
/* The second kernel takes `low` to `high` cycles longer than the first, for a block of one warp. */
static const struct {
    const char *what, *less, *more;
    unsigned low, high;
} chain_rows[] = {
    {"a block ends only after its loads have completed", KERNEL(""), KERNEL("ld.global.u32 %r1, [%a1];\n"), 697, 717},
    {"each 64 bytes take a cycle to transfer", KERNEL(LANES("0")), KERNEL(LANES("64")), 31, 31},
    {"an atomic", KERNEL(""), KERNEL("atom.global.add.u32 %r1, [%a1], 1;\nadd.u32 %r2, %r1, 1;\n"), 700, 712},
    {"an atomic with acquire and release semantics",
     KERNEL("atom.global.add.u32 %r1, [%a1], 1;\nadd.u32 %r2, %r1, 1;\n"),
     KERNEL("atom.acq_rel.gpu.global.add.u32 %r1, [%a1], 1;\nadd.u32 %r2, %r1, 1;\n"), 700, 700},
    {"work before the wait hides the cluster barrier", KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\n"),
     KERNEL("barrier.cluster.arrive;\nld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\nbarrier.cluster.wait;\n"), 0,
     20},
    {"a cluster barrier without work before the wait", KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\n"),
     KERNEL("barrier.cluster.arrive;\nbarrier.cluster.wait;\nld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\n"), 150,
     400},
    {"an instruction that uses a load waits for memory", KERNEL(""),
     KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\n"), 697, 727},
    {"independent loads overlap", KERNEL(""),
     KERNEL("ld.global.u32 %r1, [%a1];\nld.global.u32 %r2, [%a1+4096];\nadd.u32 %r3, %r1, %r2;\n"), 697, 732},
    {"a load from a loaded address waits for that address", KERNEL(""),
     KERNEL(
         "ld.global.u64 %a2, [%a1];\nadd.u64 %a3, %a1, %a2;\nld.global.u32 %r2, [%a3+4096];\nadd.u32 %r3, %r2, 1;\n"),
     1404, 1454},
    {"data that the block has accessed are in L1", KERNEL(FOLLOW),
     KERNEL(FOLLOW "ld.global.u32 %r2, [%a3];\nadd.u32 %r3, %r2, 1;\n"), 35, 60},
    {"a relaxed load reads from L2", KERNEL(FOLLOW),
     KERNEL(FOLLOW "ld.relaxed.gpu.global.u32 %r2, [%a3];\nadd.u32 %r3, %r2, 1;\n"), 360, 390},
    {"a load with acquire semantics also costs a fence",
     KERNEL(FOLLOW "ld.relaxed.gpu.global.u32 %r2, [%a3];\nadd.u32 %r3, %r2, 1;\n"),
     KERNEL(FOLLOW "ld.acquire.gpu.global.u32 %r2, [%a3];\nadd.u32 %r3, %r2, 1;\n"), 700, 700},
    {"the other half of a cache line comes from memory", KERNEL(FOLLOW),
     KERNEL(FOLLOW "ld.global.u32 %r2, [%a3+64];\nadd.u32 %r3, %r2, 1;\n"), 697, 732},
    {"a load moves above an instruction that waits", KERNEL(""),
     KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\nld.global.u32 %r3, [%a1+4096];\nadd.u32 %r4, %r3, 1;\n"),
     697, 732},
    {"a load does not move above a store to global memory", KERNEL(""),
     KERNEL("ld.global.u32 %r1, [%a1];\nst.global.u32 [%a1+8192], %r1;\nld.global.u32 %r3, [%a1+4096];\n"
            "add.u32 %r4, %r3, 1;\n"),
     1404, 1454},
    {"a load moves above a store to shared memory", KERNEL(""),
     KERNEL("ld.global.u32 %r1, [%a1];\nst.shared.u32 [s], %r1;\nld.global.u32 %r3, [%a1+4096];\n"
            "add.u32 %r4, %r3, 1;\n"),
     697, 737},
    {"a short forward branch is predicated", KERNEL(""),
     KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra SKIP;\n"
            "ld.global.u32 %r3, [%a1+4096];\nadd.u32 %r4, %r3, 1;\nSKIP:\n"),
     697, 747},
    {"a long branch waits for its condition", KERNEL(""),
     KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra SKIP;\n" TIMES4(
         "add.u32 %r5, %r5, 1;\n") TIMES4("add.u32 %r5, %r5, 1;\n") "ld.global.u32 %r3, [%a1+4096];\n"
                                                                    "add.u32 %r4, %r3, 1;\nSKIP:\n"),
     1404, 1514},
    {"four iterations overlap if a constant steps the loop counter", KERNEL(""),
     KERNEL("mov.u32 %r1, 8;\nTURN:\nld.global.u32 %r2, [%a1];\nadd.u32 %r3, %r3, %r2;\nadd.u64 %a1, %a1, 4096;\n"
            "add.u32 %r1, %r1, -1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra TURN;\n"),
     2 * 707, 2 * 707 + 150},
    {"iterations do not overlap if a register steps the loop counter", KERNEL(""),
     KERNEL("mov.u32 %r1, 8;\nmov.u32 %r4, 1;\nTURN:\nld.global.u32 %r2, [%a1];\nadd.u32 %r3, %r3, %r2;\n"
            "add.u64 %a1, %a1, 4096;\nsub.u32 %r1, %r1, %r4;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra TURN;\n"),
     8 * 707, 8 * 707 + 300},
    {"iterations overlap if the bound is in a register", KERNEL(""),
     KERNEL("mov.u32 %r1, 8;\nmov.u32 %r4, 0;\nTURN:\nld.global.u32 %r2, [%a1];\nadd.u32 %r3, %r3, %r2;\n"
            "add.u64 %a1, %a1, 4096;\nadd.u32 %r1, %r1, -1;\n"
            "setp.ne.u32 %p1, %r1, %r4;\n@%p1 bra TURN;\n"),
     2 * 707, 2 * 707 + 150},
    {"iterations do not overlap if the loop changes the bound", KERNEL(""),
     KERNEL("mov.u32 %r1, 8;\nmov.u32 %r4, 0;\nTURN:\nld.global.u32 %r2, [%a1];\nadd.u32 %r3, %r3, %r2;\n"
            "add.u64 %a1, %a1, 4096;\nadd.u32 %r1, %r1, -1;\n"
            "and.b32 %r4, %r2, 1;\n"
            "setp.ne.u32 %p1, %r1, %r4;\n@%p1 bra TURN;\n"),
     8 * 707, 8 * 707 + 300},
    {"shared memory", KERNEL(""), KERNEL("ld.shared.u32 %r1, [s];\nadd.u32 %r2, %r1, 1;\n"), 28, 45},
    {"a chain of additions", KERNEL(""), KERNEL(TIMES4("add.u32 %r1, %r1, 1;\n")), 15, 25},
    {"independent additions", KERNEL(""),
     KERNEL("add.u32 %r1, %r5, 1;\nadd.u32 %r2, %r5, 1;\nadd.u32 %r3, %r5, 1;\nadd.u32 %r4, %r5, 1;\n"), 3, 8},
    {"a division", KERNEL("add.u32 %r2, %r3, 7;\n"), KERNEL("rem.u32 %r1, %r3, 7;\nadd.u32 %r2, %r1, 7;\n"), 90, 140},
    {"a barrier", KERNEL(""), KERNEL("bar.sync 0;\n"), 12, 25},
    {"a polling loop is modeled as one iteration", KERNEL(LOOP("2", "ld.acquire.gpu.global", "")),
     KERNEL(LOOP("9", "ld.acquire.gpu.global", "")), 0, 0},
    {"a loop over different addresses is not a polling loop",
     KERNEL(LOOP("2", "ld.volatile.global", "add.u64 %a1, %a1, 64;\n")),
     KERNEL(LOOP("9", "ld.volatile.global", "add.u64 %a1, %a1, 64;\n")), 7, 200},
    {"the thread waits for an asynchronous copy", KERNEL(""), KERNEL(COPY("0") WAIT("0") COPY("1024") WAIT("0")), 1404,
     1454},
    {"copies of two groups arrive together", KERNEL(""), KERNEL(COPY("0") COPY("1024") WAIT("1") WAIT("0")), 697, 732},
    {"the second copy continues while a third starts", KERNEL(""),
     KERNEL(COPY("0") COPY("1024") WAIT("1") COPY("2048") WAIT("1") WAIT("0")), 1404, 1454},
    {"the thread waits for a bulk copy", KERNEL(BULK("")), KERNEL(BULK(BULK_LOAD("0", "1024", "64") BULK_WAIT("0"))),
     700, 760},
    {"each 64 bytes of a bulk copy take a cycle", KERNEL(BULK(BULK_LOAD("0", "1024", "64") BULK_WAIT("0"))),
     KERNEL(BULK(BULK_LOAD("0", "1024", "2112") BULK_WAIT("0"))), 31, 33},
    {"a block-wide barrier does not wait for a bulk copy",
     KERNEL(BULK(BULK_LOAD("0", "1024", "64") BULK_LOAD("8", "2048", "64") BULK_WAIT("0") BULK_WAIT("8"))),
     KERNEL(BULK(BULK_LOAD("0", "1024", "64") "bar.sync 0, 32;\n" BULK_LOAD(
         "8", "2048", "64") "bar.sync 0, 32;\n" BULK_WAIT("0") BULK_WAIT("8"))),
     20, 60},
    {"a predicated instruction waits for its predicate", KERNEL("setp.eq.u32 %p1, %r3, 0;\n"),
     KERNEL("ld.global.u32 %r1, [%a1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 add.u32 %r2, %r3, 1;\n"), 702, 732},
};
START_TEST(chains_are_waited_for) {
    struct measurement less = timed(chain_rows[_i].less, 1, 32, 1, 1), more = timed(chain_rows[_i].more, 1, 32, 1, 1);
    const uint64_t longer = block_time_of(&more)->launch[0].cycles - block_time_of(&less)->launch[0].cycles;
    ck_assert_msg(longer >= chain_rows[_i].low && longer <= chain_rows[_i].high, "%s: %llu cycles longer, not %u to %u",
                  chain_rows[_i].what, (unsigned long long)longer, chain_rows[_i].low, chain_rows[_i].high);
    measure_free(&less);
    measure_free(&more);
}
END_TEST
/* Warp 1 waits for warp 0's load at the barrier. */
START_TEST(a_barrier_waits_for_the_slowest_warp) {
    struct measurement m = timed(KERNEL("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra D;\n"
                                        "ld.global.u32 %r2, [%a1];\nadd.u32 %r3, %r2, 1;\n"
                                        "D:\nbar.sync 0;\nld.global.u32 %r4, [%a1+8192];\nadd.u32 %r5, %r4, 1;\n"),
                                 1, 64, 1, 1);
    ck_assert_uint_gt(block_time_of(&m)->launch[0].cycles, 2 * 707);
    ck_assert_uint_lt(block_time_of(&m)->launch[0].cycles, 2 * 707 + 120);
    measure_free(&m);
}
END_TEST
/* 512 lanes load two elements each. The loads of the second element overlap with those of the first, so all data
 * have arrived after 707 + 1024 cycles. */
START_TEST(later_loads_overlap_with_the_first) {
    struct measurement burst = timed(KERNEL(LANES("64")), 1, 512, 1, 1),
                       stream = timed(KERNEL(LANES("64") "cvt.u64.u32 %a4, %r2;\nadd.u64 %a5, %a3, %a4;\n"
                                                         "ld.global.u32 %r3, [%a5+32768];\n"),
                                      1, 512, 1, 1);
    const struct block_time_launch *one = block_time_of(&burst)->launch, *two = block_time_of(&stream)->launch;
    ck_assert_uint_ge(one->cycles, 707 + 512);
    ck_assert_uint_lt(one->streamed, 100); /* no load waits for the first answer */
    ck_assert_uint_ge(two->cycles, 707 + 1024);
    ck_assert_uint_lt(two->cycles - two->streamed, 707 + 50);
    measure_free(&burst);
    measure_free(&stream);
}
END_TEST
START_TEST(earlier_launches_fill_l2) {
    struct measurement m = timed(KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\n"), 1, 32, 2, 1);
    ck_assert_uint_eq(block_time_of(&m)->count, 2);
    ck_assert_uint_eq(block_time_of(&m)->launch[0].cycles - block_time_of(&m)->launch[1].cycles, 707 - 370);
    ck_assert_uint_eq(block_time_of(&m)->launch[0].dram_bytes, 64);
    ck_assert_uint_eq(block_time_of(&m)->launch[0].l2_bytes, 0);
    ck_assert_uint_eq(block_time_of(&m)->launch[1].dram_bytes, 0);
    ck_assert_uint_eq(block_time_of(&m)->launch[1].l2_bytes, 64);
    measure_free(&m);
}
END_TEST
/* The model watches only a few blocks. Results must be the same on one core and on two. */
START_TEST(watched_blocks_represent_all) {
    const char *kernel = KERNEL("mov.u32 %r1, %ctaid.x;\nand.b32 %r1, %r1, 7;\nmul.wide.u32 %a2, %r1, 128;\n"
                                "add.u64 %a3, %a1, %a2;\nld.global.u32 %r2, [%a3];\nst.shared.u32 [s], %r2;\n");
    struct measurement one = timed(kernel, 1000, 32, 2, 1), two = timed(kernel, 1000, 32, 2, 2);
    for (unsigned k = 0; k < 2; k++) {
        const struct block_time_launch *a = &block_time_of(&one)->launch[k], *b = &block_time_of(&two)->launch[k];
        ck_assert_uint_eq(a->blocks, 1000);
        ck_assert_uint_ge(a->watched, 12);
        ck_assert_uint_le(a->watched, 20);
        ck_assert_uint_eq(a->shared_wavefronts, a->watched);
        ck_assert_uint_eq(a->cycles / a->watched, a->longest);
        ck_assert_uint_eq(b->blocks, 1000);
        ck_assert_uint_eq(b->watched, a->watched);
        ck_assert_uint_eq(b->longest, a->longest);
        ck_assert_uint_eq(b->cycles / b->watched, a->cycles / a->watched);
    }
    ck_assert_uint_eq(block_time_of(&two)->count, 2);
    measure_free(&one);
    measure_free(&two);
}
END_TEST
/* Block 1 is not watched and iterates 1000 times. Its work must be counted, on one core and on two. */
START_TEST(work_of_unwatched_blocks_is_counted) {
    const char *kernel = KERNEL("mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 1;\n@%p1 bra DONE;\nmov.u32 %r2, 0;\n"
                                "TURN:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 1000;\n@%p1 bra TURN;\nDONE:\n");
    for (unsigned cores = 1; cores <= 2; cores++) {
        struct measurement m = timed(kernel, 1000, 32, 1, cores);
        const struct block_time_launch *l = block_time_of(&m)->launch;
        ck_assert_uint_ge(l->most_work, 3000);
        ck_assert_uint_lt(l->watched_most_work, 10);
        ck_assert_uint_eq(l->watched_work, l->watched * l->watched_most_work);
        ck_assert_uint_eq(l->work, 999 * l->watched_most_work + l->most_work);
        measure_free(&m);
    }
}
END_TEST

/* ---- blocks with different work --------------------------------------------------------------------------------- */

/* Blocks for which `selects` sets %p1 repeat `body` `turns` times. All other blocks skip it. */
#define TURNS(turns, selects, body)                                                                                    \
    KERNEL("mov.u32 %r1, %ctaid.x;\n" selects "@!%p1 bra DONE;\nmov.u32 %r2, 0;\nTURN:\n" body                         \
           "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p0, %r2, " turns ";\n@%p0 bra TURN;\nDONE:\n")
#define BLOCKS(selects, body) TURNS("200", selects, body)
#define REMAINDER(divisor, k) "rem.u32 %r3, %r1, " divisor ";\nsetp.eq.u32 %p1, %r3, " k ";\n"
#define ONE(block) "setp.eq.u32 %p1, %r1, " block ";\n"
#define ADDS "add.u32 %r4, %r4, %r3;\n"
enum { UNEVEN_BLOCKS = 1056 };
static double modeled_blocks(const char *ptx, unsigned cores, bool again, uint32_t *watched) {
    struct measurement m = timed_twice(gpu_default, ptx, UNEVEN_BLOCKS, 32, 1, cores, again);
    const double cycles = modeled_cycles(block_time_of(&m), gpu_default);
    *watched = block_time_of(&m)->launch->watched;
    measure_free(&m);
    return cycles;
}
/* The modeled time depends on the number of working blocks and of SMs that run them, but not on whether the sample
 * contains these blocks. */
static const struct {
    const char *what, *ptx, *as; /* a kernel with as many working blocks, at other positions */
} uneven_rows[] = {
    {"one block in 8", BLOCKS(REMAINDER("8", "3"), ADDS), BLOCKS(REMAINDER("8", "0"), ADDS)},
    {"one block in 88", BLOCKS(REMAINDER("88", "5"), ADDS), BLOCKS(REMAINDER("88", "0"), ADDS)},
    {"the last block", BLOCKS(ONE("1055"), ADDS), BLOCKS(ONE("968"), ADDS)},
    {"one block in the middle", BLOCKS(ONE("373"), ADDS), BLOCKS(ONE("352"), ADDS)},
    {"every second block", BLOCKS(REMAINDER("2", "1"), ADDS), BLOCKS(REMAINDER("2", "0"), ADDS)},
};
START_TEST(the_blocks_that_work_are_followed) {
    uint32_t watched, as_watched;
    const double cycles = modeled_blocks(uneven_rows[_i].ptx, 1, true, &watched),
                 as = modeled_blocks(uneven_rows[_i].as, 1, true, &as_watched),
                 two = modeled_blocks(uneven_rows[_i].ptx, 2, true, &watched);
    ck_assert_double_gt(cycles, 0.97 * as);
    ck_assert_double_lt(cycles, 1.03 * as);
    ck_assert_double_eq_tol(two, cycles, 1e-6 * cycles);
}
END_TEST
/* All blocks execute the same number of instructions, but one block in 8 is slower. It loads from 32 cache lines at
 * a time, or all its lanes store to one bank, or its dependence chain is longer. */
#define STRIDE(space, bytes)                                                                                           \
    KERNEL("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nrem.u32 %r3, %r1, 8;\nsetp.eq.u32 %p1, %r3, 3;\n"            \
           "selp.u32 %r4, " bytes ", 4, %p1;\nmul.lo.u32 %r2, %r2, %r4;\ncvt.u64.u32 %a2, %r2;\n" space)
static const char *const strided[] = {
    STRIDE("add.u64 %a3, %a1, %a2;\nld.global.u32 %r5, [%a3];\nadd.u32 %r6, %r5, 1;\n", "128"),
    STRIDE("mov.u64 %a4, s;\nadd.u64 %a3, %a4, %a2;\nst.shared.u32 [%a3], %r1;\n", "128"),
    /* each instruction depends on the one before */
    KERNEL("mov.u32 %r1, %ctaid.x;\nrem.u32 %r3, %r1, 8;\nsetp.eq.u32 %p1, %r3, 3;\n@%p1 bra OTHER;\n" TIMES4(
        TIMES4("add.u32 %r4, %r3, 1;\n")) "bra DONE;\nOTHER:\n" TIMES4(TIMES4("add.u32 %r4, %r4, 1;\n")) "DONE:\n")};
START_TEST(blocks_with_other_access_patterns_are_watched) {
    uint32_t watched;
    modeled_blocks(strided[_i], 1, true, &watched);
    ck_assert_uint_eq(watched, UNEVEN_BLOCKS);
}
END_TEST
/* If all blocks do the same work, one run is enough. */
START_TEST(even_launches_run_once) {
    static const char *const even[] = {KERNEL(LANES("4")), BLOCKS("setp.ge.u32 %p1, %r1, 0;\n", ADDS)};
    for (unsigned k = 0; k < sizeof even / sizeof *even; k++) {
        uint32_t watched;
        modeled_blocks(even[k], 1, true, &watched);
        ck_assert_uint_le(watched, 20);
    }
}
END_TEST
/* 132 blocks on 33 SMs take longer than on 132 SMs. */
START_TEST(work_on_few_sms_takes_longer) {
    uint32_t watched;
    const double few = modeled_blocks(TURNS("1000", REMAINDER("8", "0"), ADDS), 1, true, &watched),
                 all = modeled_blocks(TURNS("1000", "setp.lt.u32 %p1, %r1, 132;\n", ADDS), 1, true, &watched);
    ck_assert_double_gt(few, all);
    struct measurement m =
        timed_twice(gpu_default, TURNS("1000", REMAINDER("8", "0"), ADDS), UNEVEN_BLOCKS, 32, 1, 1, true);
    const struct block_time_launch *l = block_time_of(&m)->launch;
    ck_assert_double_eq_tol((double)l->together / (double)l->busiest_sm, 33, 2);
    measure_free(&m);
}
END_TEST

/* ---- the model -------------------------------------------------------------------------------------------------- */

/* Each row has the figures of a launch; from `cycles` on, they are per block. The 16 watched blocks are alike,
 * except for the slowest. The base case is bound by latency, and `low` and `high` compare the other rows with it. */
static const struct {
    const char *what;
    uint32_t blocks, shared_bytes;
    uint64_t cycles, slowest, issued, shared_wavefronts, dram_bytes, l2_bytes, lines, stored_bytes;
    double low, high; /* bounds of the modeled time as multiples of the base case's */
    uint64_t barrier_cycles, streamed, atomic_tenths;
    uint64_t work, most_work; /* work of all blocks, and of the warp that works most; each watched warp has 100 units */
} model_rows[] = {
    {"the base case", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 1, 1},
    {"blocks that take twice as long", 1056, 1024, 40000, 40000, 2000, 40, 8192, 0, 0, 0, 1.5, 2},
    {"twice as many blocks", 2112, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 1.5, 2},
    {"half as many blocks, all of which are resident", 528, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 0.9, 1},
    {"shared memory for 2 resident blocks", 1056, 100 << 10, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 2.5, 2.8},
    {"many instructions", 1056, 1024, 20000, 20000, 100000, 40, 8192, 0, 0, 0, 6.5, 7.5},
    {"bank conflicts", 1056, 1024, 20000, 20000, 2000, 20000, 8192, 0, 0, 0, 5, 6},
    {"many bytes from DRAM", 1056, 1024, 20000, 20000, 2000, 40, 1 << 17, 0, 0, 0, 2, 3},
    {"as many bytes from L2", 1056, 1024, 20000, 20000, 2000, 40, 0, 1 << 15, 0, 0, 1, 1.2},
    {"more bytes than fit into L2", 1056, 1024, 20000, 20000, 2000, 40, 0, 1 << 17, 0, 0, 2, 3},
    {"many lines", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 100000, 0, 9, 13},
    {"stored bytes are written back", 1056, 1024, 20000, 20000, 2000, 40, 1 << 17, 0, 0, 1 << 17, 3, 6},
    {"one slow block", 1056, 1024, 20000, 30000, 2000, 40, 8192, 0, 0, 0, 1.3, 1.4},
    {"a million empty blocks, which take time to start", 1 << 20, 1024, 10, 10, 0, 0, 0, 0, 0, 0, 36, 41},
    {"many barriers", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 1.8, 2.6, .barrier_cycles = 4000},
    {"streamed loads overlap with other work", 1056, 1024, 20000, 20000, 2000, 40, 1 << 15, 0, 0, 0, 0.9, 1.0,
     .streamed = 19000},
    {"loads that are not streamed do not overlap", 1056, 1024, 20000, 20000, 2000, 40, 1 << 15, 0, 0, 0, 1.2, 1.4},
    {"atomics on the same address are serialized", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 1.8, 2.2,
     .atomic_tenths = 300},
    {"a few atomics finish while other blocks end", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 1, 1,
     .atomic_tenths = 20},
    {"the same work in all blocks", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 1, 1, .work = 105600,
     .most_work = 100},
    {"one unwatched block has 100 times the work", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 50, 80,
     .work = 115500, .most_work = 10000},
    {"unwatched blocks have 10 times the work", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 8, 14,
     .work = 1056000, .most_work = 1000},
    {"unwatched blocks have no work", 1056, 1024, 20000, 20000, 2000, 40, 8192, 0, 0, 0, 1, 1, .work = 1600,
     .most_work = 100},
};
static struct block_time_launch row_launch(unsigned k) {
    return (struct block_time_launch){.blocks = model_rows[k].blocks,
                                      .threads = 256,
                                      .shared_bytes = model_rows[k].shared_bytes,
                                      .watched = 16,
                                      .cycles = 16 * model_rows[k].cycles,
                                      .longest = model_rows[k].slowest,
                                      .issued = 16 * model_rows[k].issued,
                                      .shared_wavefronts = 16 * model_rows[k].shared_wavefronts,
                                      .dram_bytes = 16 * model_rows[k].dram_bytes,
                                      .l2_bytes = 16 * model_rows[k].l2_bytes,
                                      .lines = 16 * model_rows[k].lines,
                                      .stored_bytes = 16 * model_rows[k].stored_bytes,
                                      .barrier_cycles = 16 * model_rows[k].barrier_cycles,
                                      .streamed = 16 * model_rows[k].streamed,
                                      .atomic_tenths = 16 * model_rows[k].atomic_tenths,
                                      .work = model_rows[k].work,
                                      .watched_work = 16 * 100,
                                      .most_work = model_rows[k].most_work,
                                      .watched_most_work = 100};
}
START_TEST(modeled_time_follows_its_bound) {
    struct block_time_launch row = row_launch((unsigned)_i), first = row_launch(0);
    const double ratio = modeled_cycles(&(struct block_time){&row, 1}, gpu_default) /
                         modeled_cycles(&(struct block_time){&first, 1}, gpu_default);
    ck_assert_msg(ratio >= model_rows[_i].low && ratio <= model_rows[_i].high, "%s: %g times, not %g to %g",
                  model_rows[_i].what, ratio, model_rows[_i].low, model_rows[_i].high);
}
END_TEST
START_TEST(launches_add_up) {
    struct block_time_launch two[] = {row_launch(0), row_launch(0)}, none = {.blocks = 4, .threads = 32};
    const double one = modeled_cycles(&(struct block_time){two, 1}, gpu_default),
                 both = modeled_cycles(&(struct block_time){two, 2}, gpu_default);
    ck_assert_double_gt(both, 1.5 * one);
    ck_assert_double_lt(both, 2 * one); /* only one of two launches has the extra cost of a first launch */
    ck_assert_double_eq(modeled_graph_cycles(&(struct block_time){two, 1}, gpu_default), one);
    ck_assert_double_eq(modeled_graph_cycles(&(struct block_time){two, 2}, gpu_default),
                        both - gpu_default->launch_overhead + gpu_default->graph_launch);
    ck_assert_double_lt(gpu_default->graph_launch, gpu_default->launch_overhead);
    ck_assert_double_eq(modeled_cycles(&(struct block_time){0}, gpu_default), 0);
    ck_assert_double_gt(modeled_cycles(&(struct block_time){&none, 1}, gpu_default), 0);
}
END_TEST

/* ---- GPUs ------------------------------------------------------------------------------------------------------- */

START_TEST(measurements_are_for_one_gpu) {
    const struct gpu *gpu = gpu_rows[_i];
    const char *load = KERNEL("ld.global.u32 %r1, [%a1];\nadd.u32 %r2, %r1, 1;\n");
    struct measurement none = paced_on(gpu, KERNEL(""), 1, 32, 1, 1), one = paced_on(gpu, load, 1, 32, 2, 1);
    const struct block_time_launch *l = block_time_of(&one)->launch;
    const uint64_t longer = l[0].cycles - block_time_of(&none)->launch[0].cycles;
    ck_assert_ptr_eq(measured_gpu(&one), gpu);
    ck_assert_ptr_eq(gpu_find(gpu->name), gpu);
    ck_assert_uint_ge(longer, gpu->dram_latency);
    ck_assert_uint_lt(longer, gpu->dram_latency + 20u);
    ck_assert_uint_eq(l[0].cycles - l[1].cycles, gpu->dram_latency - gpu->l2_latency);
    measure_free(&none);
    measure_free(&one);
}
END_TEST
/* Blocks of 1024 threads that only wait: an SM with room for 2048 threads holds 2 of them, and one with room for
 * 1536 holds 1. */
START_TEST(occupancy_depends_on_the_gpu) {
    static const struct {
        const char *gpu;
        unsigned resident;
    } rows[] = {{"h200", 2}, {"rtx4090", 1}};
    for (unsigned k = 0; k < 2; k++) {
        const struct gpu *gpu = gpu_find(rows[k].gpu);
        struct block_time_launch wave = {
            .blocks = rows[k].resident * gpu->sms, .threads = 1024, .watched = 1, .cycles = 100000, .longest = 100000};
        const double one = modeled_cycles(&(struct block_time){&wave, 1}, gpu);
        wave.blocks *= 2;
        const double two = modeled_cycles(&(struct block_time){&wave, 1}, gpu);
        ck_assert_double_ge(one, 100000);
        ck_assert_double_lt(one, 110000);
        ck_assert_double_ge(two - one, 100000);
    }
}
END_TEST
/* Results of cudaOccupancyMaxActiveClusters() on an H200. */
static const struct {
    uint32_t cluster, threads, shared, clusters;
} resident_rows[] = {
    {1, 256, 0, 1056},    {2, 256, 0, 528},     {3, 256, 0, 327},      {4, 256, 0, 248},       {5, 256, 0, 193},
    {6, 256, 0, 163},     {7, 256, 0, 139},     {8, 256, 0, 124},      {12, 256, 0, 74},       {16, 256, 0, 58},
    {8, 128, 0, 124},     {16, 128, 0, 58},     {4, 512, 0, 124},      {8, 512, 8192, 62},     {16, 512, 0, 28},
    {3, 1024, 0, 79},     {8, 1024, 0, 30},     {12, 1024, 0, 16},     {16, 1024, 0, 14},      {2, 256, 49152, 264},
    {8, 256, 49152, 62},  {8, 256, 102400, 30}, {8, 256, 115712, 30},  {16, 1024, 102400, 14}, {1, 256, 204800, 132},
    {2, 256, 204800, 66}, {8, 256, 204800, 15}, {12, 1024, 232448, 7}, {16, 1024, 232448, 7}};
START_TEST(cluster_occupancy_matches_the_gpu) {
    const uint32_t cluster = resident_rows[_i].cluster,
                   blocks = gpu_resident(gpu_default, resident_rows[_i].threads, resident_rows[_i].shared, cluster);
    ck_assert_uint_eq(blocks, resident_rows[_i].clusters * cluster);
}
END_TEST
/* The block with the last ticket need not be the slowest block. It continues only after the slowest block has drawn
 * its ticket. */
START_TEST(last_ticket_follows_the_slowest_block) {
    struct block_time_launch l = {
        .blocks = 2, .threads = 32, .watched = 2, .cycles = 20000, .longest = 11000, .ticket = 9500, .tail = 1200};
    const double hidden = modeled_cycles(&(struct block_time){&l, 1}, gpu_default);
    l.tail = 3000;
    ck_assert_double_eq_tol(modeled_cycles(&(struct block_time){&l, 1}, gpu_default) - hidden, 1500, 0.01);
}
END_TEST
/* 124 clusters of 8 blocks take one wave, and 125 take two. 1000 blocks without clusters take one. */
START_TEST(clusters_run_in_whole_waves) {
    struct block_time_launch l = {
        .blocks = 992, .threads = 256, .cluster = 8, .watched = 1, .cycles = 1000000, .longest = 1000000};
    const double one = modeled_cycles(&(struct block_time){&l, 1}, gpu_default);
    l.blocks = 1000;
    const double two = modeled_cycles(&(struct block_time){&l, 1}, gpu_default);
    l.cluster = 1;
    ck_assert_double_gt(two, 1.9 * one);
    ck_assert_double_lt(two, 2.1 * one);
    ck_assert_double_lt(modeled_cycles(&(struct block_time){&l, 1}, gpu_default), 1.01 * one);
}
END_TEST
START_TEST(tables_say_where_values_come_from) {
    const struct gpu *gpu = gpu_rows[_i];
    for (unsigned k = 0; k < GPU_CONSTANTS; k++) {
        const struct gpu_value *v = &gpu->value[k];
        const bool alone = v->basis == MEASURED || v->basis == FITTED || v->basis == BORROWED || gpu == gpu_default;
        ck_assert_msg(v->value > 0, "%s: constant %u is %g", gpu->name, k, v->value);
        ck_assert_msg(alone || *v->source, "%s: constant %u has no source", gpu->name, k);
        if (v->basis == BORROWED) ck_assert_double_eq(v->value, gpu_default->value[k].value);
        ck_assert_msg(gpu != gpu_default || v->basis < PUBLISHED,
                      "constant %u of the default GPU was not measured with our kernels", k);
    }
    ck_assert_ptr_eq(gpu_find(gpu->name), gpu); /* names are unique */
}
END_TEST
/* Handouts state these numbers of the default GPU. */
static const struct {
    const char *file;
    enum gpu_constant constant;
    unsigned unit;
} handouts[] = {{"labs/lab9_bandwidth/README.md", GPU_sms, 1},
                {"labs/lab9_bandwidth/README.md", GPU_max_threads, 1},
                {"labs/lab9_bandwidth/README.md", GPU_max_blocks, 1},
                {"labs/lab9_bandwidth/reduce.cu", GPU_sms, 1},
                {"labs/lab9_bandwidth/reduce.cu", GPU_max_threads, 1},
                {"labs/lab9_bandwidth/reduce.cu", GPU_max_blocks, 1},
                {"labs/lab4_multi_block/README.md", GPU_sms, 1},
                {"labs/lab3_shared_block/README.md", GPU_shared_bytes, 1024}};
START_TEST(handouts_have_the_tables_values) {
    char *text = read_file(handouts[_i].file), number[20];
    snprintf(number, sizeof number, "%.0f", gpu_default->value[handouts[_i].constant].value / handouts[_i].unit);
    bool found = false;
    for (const char *at = text; !found && (at = strstr(at, number)); at++)
        found = !strchr("0123456789.", at[strlen(number)]) && (at == text || !strchr("0123456789.", at[-1]));
    ck_assert_msg(found, "%s: lacks %s, the value in gpus.def", handouts[_i].file, number);
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model");
    TCase *tcase = tcase_create("model");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, chains_are_waited_for, 0, sizeof chain_rows / sizeof *chain_rows);
    tcase_add_test(tcase, a_barrier_waits_for_the_slowest_warp);
    tcase_add_test(tcase, later_loads_overlap_with_the_first);
    tcase_add_test(tcase, earlier_launches_fill_l2);
    tcase_add_test(tcase, watched_blocks_represent_all);
    tcase_add_test(tcase, work_of_unwatched_blocks_is_counted);
    add_rows(tcase, the_blocks_that_work_are_followed, sizeof uneven_rows / sizeof *uneven_rows, effort(1, 3));
    tcase_add_loop_test(tcase, blocks_with_other_access_patterns_are_watched, 0, sizeof strided / sizeof *strided);
    tcase_add_test(tcase, even_launches_run_once);
    tcase_add_test(tcase, work_on_few_sms_takes_longer);
    tcase_add_loop_test(tcase, modeled_time_follows_its_bound, 0, sizeof model_rows / sizeof *model_rows);
    tcase_add_test(tcase, launches_add_up);
    tcase_add_loop_test(tcase, measurements_are_for_one_gpu, 0, (int)gpu_count);
    tcase_add_test(tcase, occupancy_depends_on_the_gpu);
    tcase_add_loop_test(tcase, cluster_occupancy_matches_the_gpu, 0, sizeof resident_rows / sizeof *resident_rows);
    tcase_add_test(tcase, clusters_run_in_whole_waves);
    tcase_add_test(tcase, last_ticket_follows_the_slowest_block);
    tcase_add_loop_test(tcase, tables_say_where_values_come_from, 0, (int)gpu_count);
    tcase_add_loop_test(tcase, handouts_have_the_tables_values, 0, sizeof handouts / sizeof *handouts);
    const int failed = suite_failures(suite);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
