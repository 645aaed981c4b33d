/* Checks the labs' claims about reduction trees (K1 to K4 and K9 below) against the simulator's counts for the
 * reference solutions and for small kernels (claims.cu). */
/* run: plain */
/* reads: common solutions grader/tests/claims.cu */
#include "compile/compile.h"
#include "probes/probes.h"
#include "sim/sim.h"
#include "tests/suite.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct compiler *compiler;

/* A program loaded from a .cu file, in one variant. */
struct loaded {
    struct compiled text;
    struct ptx_module *module;
    struct sim_program *program;
};
static struct loaded load(const char *path, struct variant v) {
    const char *cache = getenv("GRADE_CACHE");
    const struct compile_request r = {.source = path,
                                      .shown = path,
                                      .root = ".",
                                      .cache = cache ? cache : "build/cache",
                                      .variants = 1u << variant_index(v),
                                      .solution = true};
    struct loaded l = {.text = compile(compiler, &r)};
    struct ptx_error parse;
    struct sim_error decode;
    ck_assert_msg(l.text.status == COMPILE_OK, "%s", l.text.log);
    l.module = ptx_parse(l.text.ptx[0], l.text.length[0], path, &parse);
    ck_assert_msg(l.module != NULL, "%s", parse.message);
    l.program = sim_program_new(l.module, &decode);
    ck_assert_msg(l.program != NULL, "%s", decode.message);
    return l;
}
static void unload(struct loaded *l) {
    sim_program_free(l->program);
    ptx_free(l->module);
    compiled_free(&l->text);
}
static const struct variant sum_i32 = {REDUCE_OP_SUM, REDUCE_TYPE_I32};

/* Launches `kernel` on n integers with all probes and asserts that the sum of the partials is correct. */
static void measure(const char *path, const char *kernel, uint32_t block, uint32_t n, uint32_t grid, uint32_t shared,
                    struct measurement *m) {
    struct loaded l = load(path, sum_i32);
    struct sim *s = sim_new(l.program, NULL);
    char symbol[256];
    uint64_t in = sim_alloc(s, "in", 4ull * n, SIM_INITIALIZED),
             out = sim_alloc(s, "out", 4ull * grid, SIM_UNINITIALIZED);
    int32_t *x = sim_host(s, in), *y = sim_host(s, out), expected = 0, got = 0;
    for (uint32_t k = 0; k < n; k++) expected += x[k] = (int32_t)(k * 2654435761u >> 20);
    measure_begin(m, MEASURE_ALL);
    ck_assert(compiled_symbol(l.text.ptx[0], sum_i32, kernel, symbol, sizeof symbol));
    const struct sim_launch launch = {.kernel = symbol,
                                      .grid = {grid, 1, 1},
                                      .block = {block, 1, 1},
                                      .dynamic_shared = shared,
                                      .params = (const void *const[]){&in, &out, &n},
                                      .param_count = 3,
                                      .listeners = m->listeners,
                                      .listener_count = m->listener_count};
    struct sim_error error;
    ck_assert_int_eq(sim_launch(s, &launch, NULL, &error), SIM_DONE);
    measure_end(m);
    for (uint32_t k = 0; k < grid; k++) got += y[k];
    ck_assert_int_eq(got, expected);
    sim_free(s);
    unload(&l);
}

static const struct {
    const char *path;
    uint32_t shared_values;
} trees[] = {{"solutions/lab1_interleaved_tree/reduce.cu", 0},
             {"solutions/lab2_compacted_tree/reduce.cu", 0},
             {"solutions/lab3_shared_block/reduce.cu", 2}};
static unsigned tree_operations(const struct measurement *m) {
    unsigned all = 0;
    for (unsigned k = 0; k < steps_of(m)->count; k++)
        if (steps_of(m)->item[k].kind == STEP_TREE) all += steps_of(m)->item[k].active_lanes;
    return all;
}

/* K1: a tree over N values needs N-1 operations in ceil(log2 N) steps. A step has at most N/2 operations, and
 * (N-1)/log2 N on average. */
START_TEST(operations_and_steps) {
    static const uint32_t blocks[] = {32, 64, 256, 1024};
    const unsigned lab = (unsigned)_i / 4;
    const uint32_t block = blocks[_i % 4], n = 2 * block, steps = (uint32_t)log2(n);
    struct measurement m;
    measure(trees[lab].path, "reduce", block, n, 1, 4 * block * trees[lab].shared_values, &m);
    ck_assert_uint_eq(tree_operations(&m), n - 1);
    ck_assert_uint_eq(steps_of(&m)->tree_steps, steps);
    unsigned most = 0;
    for (unsigned k = 0; k < steps_of(&m)->count; k++)
        if (steps_of(&m)->item[k].kind == STEP_TREE && steps_of(&m)->item[k].active_lanes > most)
            most = steps_of(&m)->item[k].active_lanes;
    ck_assert_uint_eq(most, n / 2);
    measure_free(&m);
}
END_TEST

/* K2 and K3: with 1024 threads and 2048 elements, 10 of the 11 steps of the interleaved tree diverge, and 5 of the
 * 11 steps of each compacted tree. */
START_TEST(divergent_steps) {
    static const unsigned divergent[] = {10, 5, 5};
    struct measurement m;
    measure(trees[_i].path, "reduce", 1024, 2048, 1, 4096 * trees[_i].shared_values, &m);
    ck_assert_uint_eq(steps_of(&m)->tree_steps, 11);
    ck_assert_uint_eq(steps_of(&m)->divergent_tree_steps, divergent[_i]);
    unsigned tree = 0;
    for (unsigned k = 0; k < steps_of(&m)->count; k++) {
        const struct step *s = &steps_of(&m)->item[k];
        if (s->kind != STEP_TREE) continue;
        ck_assert_uint_eq(s->active_lanes, 1024u >> tree);
        if (_i == 0 && tree >= 5) /* from stride 32 on, at most one lane of each warp is active */
            for (unsigned w = 0; w < steps_of(&m)->warps; w++) ck_assert_int_le(__builtin_popcount(s->active[w]), 1);
        if (_i > 0) { /* the active lanes are contiguous, so the last six steps have one active warp */
            ck_assert_uint_eq(s->active_warps, tree < 5 ? 32u >> tree : 1);
            ck_assert_int_eq(s->divergent, tree > 5);
        }
        tree++;
    }
    measure_free(&m);
}
END_TEST

/* K4: returns the average, over the tree's steps, of active lanes / allocated lanes. The tree has 8 elements and one
 * thread per element, in groups of 4. With `drop_idle`, groups without active lanes do not count as allocated. */
static double efficiency(const struct measurement *m, bool drop_idle) {
    double sum = 0;
    unsigned steps = 0;
    for (unsigned k = 0; k < steps_of(m)->count; k++) {
        const struct step *s = &steps_of(m)->item[k];
        if (s->kind != STEP_TREE) continue;
        const uint32_t active = s->active[0];
        const unsigned held = !drop_idle ? 8 : 4 * ((active & 0x0f) != 0) + 4 * ((active & 0xf0) != 0);
        sum += (double)__builtin_popcount(active) / held;
        steps++;
    }
    return steps ? sum / steps : 0;
}
START_TEST(efficiency_of_small_wavefronts) {
    struct measurement associative, commutative;
    measure("grader/tests/claims.cu", "associative", 8, 8, 1, 32, &associative);
    measure("grader/tests/claims.cu", "commutative", 8, 8, 1, 32, &commutative);
    ck_assert_double_eq_tol(efficiency(&associative, false), (1. / 2 + 1. / 4 + 1. / 8) / 3, 1e-9); /* 29% */
    ck_assert_double_eq_tol(efficiency(&commutative, true), (1. + 1. / 2 + 1. / 4) / 3, 1e-9);      /* 58% */
    measure_free(&associative);
    measure_free(&commutative);
}
END_TEST

/* K9: no barrier is needed after the last step, because only thread 0 reads the value that thread 0 wrote. */
START_TEST(last_step_needs_no_barrier) {
    struct measurement m;
    measure("grader/tests/claims.cu", "no_last_barrier", 256, 256, 1, 1024, &m);
    ck_assert_uint_eq(m.findings.count, 0);
    measure_free(&m);
    /* The barrier before the last step is needed. */
    measure("grader/tests/claims.cu", "no_second_last_barrier", 256, 256, 1, 1024, &m);
    ck_assert_uint_gt(m.findings.count, 0);
    measure_free(&m);
}
END_TEST
/* The reference solutions have no findings, for full and for partial blocks. */
START_TEST(references_are_clean) {
    static const uint32_t sizes[] = {1, 63, 512, 1000, 2048};
    struct measurement m;
    const uint32_t n = sizes[_i % 5], grid = (n + 511) / 512;
    measure(trees[_i / 5].path, "reduce", 256, n, grid, 1024 * trees[_i / 5].shared_values, &m);
    ck_assert_msg(m.findings.count == 0, "%s", m.findings.count ? m.findings.item[0].message : "");
    measure_free(&m);
}
END_TEST

int main(void) {
    char message[300];
    compiler = compiler_find(getenv("CUDA") ? getenv("CUDA") : "auto", message, sizeof message);
    if (!compiler) {
        printf("SKIP check_claims: %s\n", message);
        return 0;
    }
    Suite *suite = suite_create("claims");
    TCase *tcase = tcase_create("claims");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, operations_and_steps, 0, 12);
    tcase_add_loop_test(tcase, divergent_steps, 0, 3);
    tcase_add_test(tcase, efficiency_of_small_wavefronts);
    tcase_add_test(tcase, last_step_needs_no_barrier);
    tcase_add_loop_test(tcase, references_are_clean, 0, 15);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
