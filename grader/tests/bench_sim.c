/* How fast is the simulator? Runs the tree kernel (a shared-memory reduction, 256 threads a block, float, 79
 * thread-instructions an element) and prints one table: instructions and elements a second, with probes off and on, and
 * their ratio, measured in one run, each figure the best of several. `bench_sim FILE.ptx [KERNEL]`; `make bench-sim`
 * makes the PTX. */
#include "probes/probes.h"
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 256, REPEATS = 7 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static char *read_file(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    *length = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(*length + 1);
    if (text && fread(text, 1, *length, f) != *length) free(text), text = NULL;
    fclose(f);
    return text;
}

/* Seconds of one launch; *instructions: warp-instructions it executed. Exits on a wrong sum: a fast wrong answer is no
 * figure. */
static double once(const struct sim_program *p, const char *kernel, uint32_t n, unsigned what, unsigned cores, uint64_t *instructions) {
    const uint32_t blocks = (n + BLOCK - 1) / BLOCK;
    const struct sim_options options = {.cores = cores};
    struct sim *s = sim_new(p, &options);
    uint64_t in = sim_alloc(s, "in", 4ull * n, SIM_INITIALISED | SIM_READ_ONLY),
             out = sim_alloc(s, "out", 4ull * blocks, SIM_UNINITIALISED);
    float *x = sim_host(s, in), *y = sim_host(s, out);
    double expected = 0, got = 0;
    for (uint32_t k = 0; k < n; k++) expected += x[k] = (float)(k * 2654435761u >> 28);
    struct measurement m;
    if (what) measure_begin(&m, what);
    struct sim_parts parts = measure_parts(&m);
    struct sim_launch launch = {.kernel = kernel,
                                .grid = {blocks, 1, 1},
                                .block = {BLOCK, 1, 1},
                                .dynamic_shared = 4 * BLOCK,
                                .params = (const void *const[]){&in, &out, &n},
                                .param_count = 3,
                                .listeners = what ? m.listeners : NULL,
                                .listener_count = what ? m.listener_count : 0,
                                .parts = what ? &parts : NULL};
    struct sim_stats stats;
    struct sim_error error;
    double start = now();
    enum sim_status status = sim_launch(s, &launch, &stats, &error);
    double seconds = now() - start;
    if (what) measure_end(&m), measure_free(&m);
    for (uint32_t k = 0; k < blocks; k++) got += y[k];
    if (status != SIM_DONE || got != expected) {
        fprintf(stderr, "bench_sim: wrong run: %s, sum %g, expected %g\n", error.message, got, expected);
        exit(1);
    }
    sim_free(s);
    *instructions = stats.warp_instructions;
    return seconds;
}
static double best(const struct sim_program *p, const char *kernel, uint32_t n, unsigned what, unsigned cores, uint64_t *instructions) {
    double least = 1e9;
    for (int k = 0; k < REPEATS; k++) {
        double t = once(p, kernel, n, what, cores, instructions);
        if (t < least) least = t;
    }
    return least;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        unsigned what;
    } rows[] = {{"no probes", 0},         {"counts", MEASURE_COUNTS}, {"steps", MEASURE_STEPS},
                {"races", MEASURE_RACES}, {"memory", MEASURE_MEMORY}, {"all probes", MEASURE_ALL}};
    const uint32_t n = 1 << 20;
    size_t length = 0;
    char *text = argc > 1 ? read_file(argv[1], &length) : NULL;
    if (!text) {
        fprintf(stderr, "usage: bench_sim FILE.ptx [KERNEL]\n");
        return 2;
    }
    struct ptx_error ptx_error;
    struct sim_error error;
    struct ptx_module *m = ptx_parse(text, length, argv[1], &ptx_error);
    struct sim_program *p = m ? sim_program_new(m, &error) : NULL;
    if (!p) {
        fprintf(stderr, "bench_sim: %s\n", m ? error.message : ptx_error.message);
        return 1;
    }
    printf("tree kernel, block %d, n = %u, one core, best of %d\n%-12s %10s %14s %14s %8s\n", BLOCK, n, REPEATS, "",
           "ms", "M warp-ins/s", "M elements/s", "ratio");
    double plain = 0;
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t instructions;
        double t = best(p, argc > 2 ? argv[2] : "tree", n, rows[k].what, 1, &instructions), t2 = best(p, argc > 2 ? argv[2] : "tree", n, rows[k].what, 2, &instructions); printf("x%.2f ", t / t2);
        if (!k) plain = t;
        printf("%-12s %10.2f %14.1f %14.1f %8.2f\n", rows[k].name, 1e3 * t, 1e-6 * (double)instructions / t,
               1e-6 * n / t, t / plain);
    }
    sim_program_free(p);
    ptx_free(m);
    free(text);
    return 0;
}
