/* Measures the speed of the simulator. `bench_sim [NAME...]` prints a row for each kernel: instructions and elements
 * per second, with and without probes, on one core and on all cores. Each figure is the best of several
 * measurements.
 *
 * NAME is "tree" or a lab. "tree" is a kernel with one element per thread, for comparisons with other simulators.
 * For a lab, the first kernel of its solution runs, for float sums if it supports these, otherwise for its first
 * variant. Without NAME, everything runs. */
#include "base/clock.h"
#include "base/cores.h"
#include "base/narrow.h"
#include "compile/compile.h"
#include "judge/judge.h"
#include "probes/probes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, REPEATS = 7, N = 1 << 20, MAX_BLOCKS = N / BLOCK };

struct bench {
    const struct sim_program *program;
    char kernel[80]; /* name in PTX */
    struct variant variant;
    const struct lab_kernel *of; /* declaration of the lab's kernel, or that of the tree */
    uint32_t blocks, shared;
    /* in_place: the kernel overwrites its input; scratch: it has a buffer with one value per block before the output */
    bool in_place, scratch;
};

/* Returns the time of the launch in seconds and sets *instructions to the number of warp-instructions. Exits if the
 * result is wrong. */
static double once(const struct bench *b, unsigned what, unsigned cores, uint64_t *instructions) {
    const struct sim_options options = {.cores = cores};
    const uint32_t n = N;
    struct sim *s = sim_new(b->program, &options);
    const struct grade_case data = {.variant = b->variant, .n = N, .block = BLOCK, .seed = 1, .kernel = b->of};
    const size_t size = variant_size(b->variant);
    uint64_t in = sim_alloc(s, "in", size * N, SIM_INITIALIZED | (b->in_place ? 0 : SIM_READ_ONLY)),
             out = sim_alloc(s, "out", size * b->blocks, SIM_INITIALIZED),
             scratch = sim_alloc(s, "scratch", size * b->blocks, SIM_UNINITIALIZED);
    void *x = sim_host(s, in), *y = sim_host(s, out);
    case_data(&data, x);
    for (uint32_t k = 0; k < b->blocks; k++) reference_store(b->variant, y, k, reference_identity(b->variant));
    const union value expected = reference_reduce(b->variant, x, N);
    if (b->of->halves)
        for (uint32_t k = 0; k < N; k++) ((uint16_t *)x)[k] = narrowed_f16((double)((const float *)x)[k]);
    struct measurement m;
    measure_begin(&m, what);
    const struct sim_parts parts = measure_parts(&m);
    const struct sim_launch launch = {.kernel = b->kernel,
                                      .grid = {b->blocks, 1, 1},
                                      .block = {BLOCK, 1, 1},
                                      .dynamic_shared = b->shared,
                                      .params = b->scratch ? (const void *const[]){&in, &scratch, &out, &n}
                                                           : (const void *const[]){&in, &out, &n},
                                      .param_count = b->scratch ? 4 : 3,
                                      .listeners = m.listeners,
                                      .listener_count = m.listener_count,
                                      .parts = &parts};
    struct sim_stats stats;
    struct sim_error error;
    const double start = clock_seconds();
    const enum sim_status status = sim_launch(s, &launch, &stats, &error);
    const double seconds = clock_seconds() - start;
    measure_end(&m);
    const union value got = reference_reduce(b->variant, y, b->blocks);
    if (status != SIM_DONE || !reference_equal(b->variant, got, expected) || m.findings.count) {
        char result[64], right[64];
        fprintf(stderr, "bench_sim: %s failed: %s, %s, expected %s, %u findings\n", b->kernel,
                status == SIM_DONE ? "it ended" : error.message,
                reference_print(b->variant, got, result, sizeof result),
                reference_print(b->variant, expected, right, sizeof right), m.findings.count);
        exit(1);
    }
    measure_free(&m);
    sim_free(s);
    *instructions = stats.warp_instructions;
    return seconds;
}
static double best(const struct bench *b, unsigned what, unsigned cores, uint64_t *instructions) {
    double least = 1e9;
    for (int k = 0; k < REPEATS; k++) {
        const double t = once(b, what, cores, instructions);
        if (t < least) least = t;
    }
    return least;
}
static void print_row(const char *name, const char *variant, const struct bench *b, unsigned cores) {
    uint64_t instructions;
    const double off = best(b, 0, 1, &instructions), on = best(b, MEASURE_ALL, 1, &instructions),
                 off_many = best(b, 0, cores, &instructions), on_many = best(b, MEASURE_ALL, cores, &instructions);
    const double million = 1e-6 * (double)instructions;
    printf("%-6s %-10s %9.1f %9.1f %8.1f %8.1f %9.2f %9.2f %9.2f\n", name, variant, million / off, million / on,
           1e-6 * N / off, 1e-6 * N / on, on / off, off / off_many, on / on_many);
}

/* Measures a lab, or the tree if `lab` is NULL, and prints the row. */
static bool bench(const struct lab *lab, const struct compiler *compiler, unsigned cores) {
    const struct variant sum = {REDUCE_OP_SUM, REDUCE_TYPE_F32};
    static const struct lab_kernel tree = {.name = "tree"};
    struct bench b = {.variant = sum, .blocks = MAX_BLOCKS, .of = &tree};
    char source[300] = "grader/tests/bench_tree.cu";
    if (lab) {
        const struct lab_kernel *kernel = &lab->kernels[0];
        const uint32_t variants = kernel->variants ? kernel->variants : lab->variants;
        if (!(variants >> variant_index(sum) & 1)) b.variant = variant_at((unsigned)__builtin_ctz(variants));
        snprintf(source, sizeof source, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
        b.of = kernel, b.blocks = kernel->one_block ? 1 : N / (kernel->elements * BLOCK);
        b.shared = kernel->shared_values * BLOCK + kernel->shared_warp_values * BLOCK / 32;
        b.in_place = kernel->in_place, b.scratch = kernel->scratch != NULL;
    } else
        b.shared = BLOCK;
    b.shared *= (uint32_t)variant_size(b.variant);
    const struct compile_request request = {.source = source,
                                            .shown = source,
                                            .root = ".",
                                            .cache = getenv("GRADE_CACHE") ? getenv("GRADE_CACHE") : "build/cache",
                                            .variants = 1u << variant_index(b.variant),
                                            .solution = true};
    struct compiled c = compile(compiler, &request);
    struct ptx_error ptx_error = {.message = ""};
    struct sim_error error = {.message = "no such kernel"};
    struct ptx_module *m = c.count ? ptx_parse(c.ptx[0], c.length[0], source, &ptx_error) : NULL;
    struct sim_program *p = m ? sim_program_new(m, &error) : NULL;
    const char *name = b.of->name;
    b.program = p;
    const bool found = p && compiled_symbol(c.ptx[0], b.variant, name, b.kernel, sizeof b.kernel);
    if (found)
        print_row(lab ? lab->id : "tree", variant_name(b.variant), &b, cores);
    else
        fprintf(stderr, "bench_sim: %s: %s\n", source, !c.count ? c.log : !m ? ptx_error.message : error.message);
    sim_program_free(p);
    ptx_free(m);
    compiled_free(&c);
    return found;
}

int main(int argc, char **argv) {
    const unsigned cores = cores_allowed();
    char why[200];
    const struct compiler *compiler = compiler_find(getenv("CUDA") ? getenv("CUDA") : "auto", why, sizeof why);
    if (!compiler) return fprintf(stderr, "bench_sim: %s\n", why), 1;
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "tree") != 0 && !lab_find(argv[k]))
            return fprintf(stderr, "bench_sim: no lab %s\n", argv[k]), 2;
    printf("block %d, n = %d, kernels compiled by %s; best of %d\n", BLOCK, N, compiler_name(compiler), REPEATS);
    printf("                  M warp-instr/s      M elements/s       all probes  speedup on %u cores\n", cores);
    printf("                  no probes all probes no probes all      / none   no probes all probes\n");
    for (unsigned k = 0; k <= lab_row_count; k++) {
        const struct lab *lab = k ? lab_rows[k - 1] : NULL;
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++) wanted |= !strcmp(argv[a], lab ? lab->id : "tree");
        if (wanted && !bench(lab, compiler, cores)) return 1;
        fflush(stdout);
    }
    return 0;
}
