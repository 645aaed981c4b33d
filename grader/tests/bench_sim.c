/* How fast is the simulator? `bench_sim NAME=FILE.ptx ...`: for each kernel one line with instructions and elements a
 * second, probes off and all on, on one core and on all, measured in one run, each figure the best of several. NAME is
 * "tree" (the kernel by which simulators are compared: one element a thread) or a lab, whose first kernel is run as it
 * declares. `make bench-sim` makes the PTX. */
#include "base/file.h"
#include "base/clock.h"
#include "judge/lab.h"
#include "probes/probes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 256, REPEATS = 7, N = 1 << 20, MOST_BLOCKS = N / BLOCK };

struct bench {
    const struct sim_program *program;
    const char *kernel;
    uint32_t blocks, shared;
    bool in_place, scratch; /* it overwrites its input; it has a buffer of one value a block before its output */
};

/* Seconds of one launch; *instructions: warp-instructions it executed. Exits on a wrong sum: a fast wrong answer is no
 * figure. */
static double once(const struct bench *b, unsigned what, unsigned cores, uint64_t *instructions) {
    const struct sim_options options = {.cores = cores};
    const uint32_t n = N;
    struct sim *s = sim_new(b->program, &options);
    uint64_t in = sim_alloc(s, "in", 4ull * N, SIM_INITIALISED | (b->in_place ? 0 : SIM_READ_ONLY)),
             out = sim_alloc(s, "out", 4ull * b->blocks, SIM_INITIALISED),
             scratch = sim_alloc(s, "scratch", 4ull * b->blocks, SIM_UNINITIALISED);
    float *x = sim_host(s, in), *y = sim_host(s, out);
    double expected = 0, got = 0;
    memset(y, 0, 4ull * b->blocks);
    for (uint32_t k = 0; k < N; k++) expected += x[k] = (float)(k * 2654435761u >> 28);
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
    const enum sim_status status = sim_launch(s, &launch, &stats, &error), right = SIM_DONE;
    const double seconds = clock_seconds() - start;
    measure_end(&m);
    for (uint32_t k = 0; k < b->blocks; k++) got += y[k];
    if (status != right || got != expected || m.findings.count) {
        fprintf(stderr, "bench_sim: wrong run of %s: %s, sum %g, expected %g, %u findings\n", b->kernel, error.message,
                got, expected, m.findings.count);
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
static void row(const char *name, const struct bench *b, unsigned cores) {
    uint64_t instructions;
    const double off = best(b, 0, 1, &instructions), on = best(b, MEASURE_ALL, 1, &instructions),
                 off_many = best(b, 0, cores, &instructions), on_many = best(b, MEASURE_ALL, cores, &instructions);
    const double million = 1e-6 * (double)instructions;
    printf("%-6s %9.1f %9.1f %8.1f %8.1f %9.2f %9.2f %9.2f\n", name, million / off, million / on, 1e-6 * N / off,
           1e-6 * N / on, on / off, off / off_many, on / on_many);
}

/* The kernel of that source name: "tree", or "_Z6reduce...". */
static const char *find_kernel(const struct ptx_module *m, const char *name) {
    char mangled[64];
    snprintf(mangled, sizeof mangled, "_Z%zu%s", strlen(name), name);
    for (unsigned k = 0; k < m->function_count; k++) {
        const char *own = m->functions[k]->name;
        if (m->functions[k]->entry && (!strcmp(own, name) || !strncmp(own, mangled, strlen(mangled)))) return own;
    }
    return NULL;
}
static bool bench(const char *name, const char *path, unsigned cores) {
    size_t length = 0;
    struct ptx_error ptx_error = {.message = "cannot be read"};
    struct sim_error error;
    char *text = file_read(path, 0, 64 << 20, &length);
    struct ptx_module *m = text ? ptx_parse(text, length, path, &ptx_error) : NULL;
    struct sim_program *p = m ? sim_program_new(m, &error) : NULL;
    const struct lab *lab = lab_find(name);
    const struct lab_kernel *kernel = lab ? &lab->kernels[0] : NULL;
    struct bench b = {p,    m ? find_kernel(m, kernel ? kernel->name : "tree") : NULL, MOST_BLOCKS, 4 * BLOCK, false,
                      false};
    if (kernel) {
        b.blocks = kernel->one_block ? 1 : N / (kernel->elements * BLOCK);
        b.shared = 4 * (kernel->shared_values * BLOCK + kernel->shared_warp_values * BLOCK / 32);
        b.in_place = kernel->in_place, b.scratch = kernel->scratch != NULL;
    }
    if (b.kernel && p)
        row(name, &b, cores);
    else
        fprintf(stderr, "bench_sim: %s: %s\n", path, !m ? ptx_error.message : !p ? error.message : "no such kernel");
    sim_program_free(p);
    ptx_free(m);
    free(text);
    return b.kernel && p;
}

int main(int argc, char **argv) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned cores = online < 1 ? 1 : (unsigned)online;
    printf("block %d, n = %d, float sum; best of %d\n", BLOCK, N, REPEATS);
    printf("       M warp-instr/s      M elements/s       all probes  speed-up on %u cores\n", cores);
    printf("       no probes all probes no probes all      / none   no probes all probes\n");
    for (int k = 1; k < argc; k++) {
        char name[16] = "";
        const char *equals = strchr(argv[k], '=');
        if (!equals) return fprintf(stderr, "usage: bench_sim NAME=FILE.ptx ...\n"), 2;
        snprintf(name, sizeof name, "%.*s", (int)(equals - argv[k]), argv[k]);
        if (!bench(name, equals + 1, cores)) return 1;
        fflush(stdout);
    }
    return 0;
}
